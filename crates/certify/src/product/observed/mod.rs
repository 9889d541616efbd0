//! That a program is the product of another one with an automaton for a safety property.
//!
//! The watched program calls procedures that do nothing, its *letters*, where something happens that the automaton looks for. In the product, each call of a
//! letter is a step of the automaton, whose state is a global variable, and behind a step that may enter an error stands the assertion that it did not.
//! Other added procedures, which evaluate conditions and call letters, stand in the product where they are called. All other
//! procedures stay, so there are as many walks as procedures; each goes through both bodies together, block by block:
//!
//! * every statement is that of the watched program, with its attributes, and every way out of a block is there;
//! * at a letter stand exactly the statements that are made here from the automaton's cases;
//! * no block stands for two places, and nothing goes round where the watched program goes on.
//!
//! So an execution of the one is an execution of the other, with the automaton's state beside it.
//!
//! What is taken as it comes: the calls of letters, and the cases of the automaton at each of them.
//!
//! Linear in the product, times the depth of added calls.

mod bodies;
mod steps;

use super::new_locals;
use super::same::Pair;
use super::same_declarations;
use super::walk::{Walk, blocks_of, refuse};
use crate::Refusal;
use ir::{
    BinaryOp, ExprData, Procedure, ProcedureData, Program, Statement, StatementKind, Transfer, Type,
    Variable, VariableKind,
};
use std::collections::{BTreeMap, BTreeSet};
use steps::Steps;

/// Procedures stay what they are.
static NO_COPIES: BTreeSet<Procedure> = BTreeSet::new();

/// A program whose letters an automaton reads.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The program that is watched.
    pub program: Program,
    /// The automaton's state, which nothing in the program uses.
    pub state: Variable,
    /// The state that it begins with.
    pub initial: usize,
    /// The states that are errors, with what the assertions against them are called.
    pub errors: BTreeMap<usize, String>,
    /// The letters.
    pub letters: Vec<Letter>,
    /// The procedures whose bodies stand in the product where they were called.
    pub added: BTreeSet<Procedure>,
}

/// A procedure that does nothing, at whose calls the automaton does something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letter {
    /// The procedure.
    pub procedure: Procedure,
    /// What the automaton does.
    pub action: Action,
}

/// What an automaton does at a letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// The state is kept in a variable of the procedure that calls the letter.
    Keep(Variable),
    /// The first case that fits is taken; if none does, the state stays as it is.
    First {
        /// The cases.
        cases: Vec<Case>,
        /// Where the state of the matching call was kept.
        kept: Option<Variable>,
    },
    /// One of the cases that fit is chosen.
    Any {
        /// The cases.
        cases: Vec<Case>,
        /// The state if none fits.
        stuck: usize,
        /// What chooses, which nothing in the program uses.
        choice: Variable,
        /// Where a call leaves a number for its return.
        kept: Option<Variable>,
        /// Whether this is such a call.
        keeps: bool,
        /// How often the letter is read.
        rounds: usize,
    },
}

/// A transition at a letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The state in which it is possible.
    pub from: usize,
    /// What must have been kept at the matching call.
    pub kept: Option<usize>,
    /// Arguments of the letter, by their numbers, that must have the values of global variables.
    pub equal: Vec<(usize, Variable)>,
    /// Global variables that must have been set to true, or to false. None stands for a condition that never holds.
    pub guard: Vec<(Option<Variable>, bool)>,
    /// The state after it.
    pub to: usize,
    /// What a call leaves for its return.
    pub keep: usize,
}

impl Action {
    fn cases(&self) -> &[Case] {
        match self {
            Action::Keep(_) => &[],
            Action::First { cases, .. } | Action::Any { cases, .. } => cases,
        }
    }

    fn kept(&self) -> Option<Variable> {
        match self {
            Action::Keep(kept) => Some(*kept),
            Action::First { kept, .. } | Action::Any { kept, .. } => *kept,
        }
    }
}

/// Checks that a program is the product of a watched one with its automaton.
pub fn check_observed(observation: &Observation, product: &Program) -> Result<(), Refusal> {
    let watched = &observation.program;
    let is_same = |one: &ProcedureData, other: &ProcedureData| {
        let without = |data: &ProcedureData| ProcedureData { body: None, ..data.clone() };
        one.body.is_some() == other.body.is_some() && without(one) == without(other)
    };
    same_declarations(watched, product, is_same)?;
    let numbers = watched.procedures.len() == product.procedures.len();
    if !numbers || watched.globals != product.globals {
        return refuse("it has other declarations");
    }
    let entries = watched.entries();
    if entries != product.entries() || entries.iter().any(|entry| observation.added.contains(entry)) {
        return refuse("it begins at other places");
    }
    own_variables(observation)?;
    own_procedures(observation)?;
    let mut steps = Steps::new(observation, product);
    let most = blocks_of(watched);
    let letters = observation.letters.iter().enumerate();
    let letters: BTreeMap<Procedure, usize> = letters.map(|(number, it)| (it.procedure, number)).collect();
    if letters.len() < observation.letters.len() {
        return refuse("a letter means two things");
    }
    for (procedure, data) in watched.procedures.iter() {
        let (Some(body), Some(found)) = (&data.body, &product.procedures[procedure].body) else { continue };
        if observation.added.contains(&procedure) {
            continue;
        }
        if !found.locals.starts_with(&body.locals) {
            return refuse("a procedure has other variables");
        }
        new_locals((watched, product), procedure, &found.locals[body.locals.len()..])?;
        let walk = Walk {
            pair: Pair { watched, product },
            letters: letters.clone(),
            last: 0,
            start: procedure,
            into: procedure,
            recursive: &NO_COPIES,
            is_copy: false,
            inlined: Some(&observation.added),
            most,
        };
        bodies::check(walk, found, &mut steps)?;
    }
    Ok(())
}

/// That the variables of the automaton are its own, and begin with the right values.
fn own_variables(observation: &Observation) -> Result<(), Refusal> {
    let program = &observation.program;
    let is_global = |variable: Variable| {
        program.globals.contains(&variable) && program.variables[variable].kind == VariableKind::Global
    };
    let Some(clause) = program.variables[observation.state].where_clause else {
        return refuse("the automaton begins anywhere");
    };
    let is = |expr: ir::Expr, data: ExprData| program.expressions[expr] == data;
    let begins = matches!(program.expressions[clause], ExprData::Binary(BinaryOp::Equal, value, number)
        if is(value, ExprData::Variable(observation.state)) && is(number, ExprData::Int(observation.initial.into())));
    if !begins || !is_global(observation.state) || program.variables[observation.state].ty != Type::INT {
        return refuse("the automaton begins in another state");
    }
    let mut own = BTreeSet::from([observation.state]);
    let mut free = BTreeSet::new();
    for letter in &observation.letters {
        free.extend(letter.action.cases().iter().flat_map(|case| &case.equal).map(|(_, variable)| *variable));
        let numbers = match &letter.action {
            Action::Any { choice, kept, .. } => [Some(*choice), *kept],
            other => [None, other.kept()],
        };
        if numbers.into_iter().flatten().any(|variable| program.variables[variable].ty != Type::INT) {
            return refuse("the automaton keeps no numbers");
        }
        if let Action::Any { choice, .. } = &letter.action {
            free.insert(*choice);
        }
        own.extend(letter.action.kept());
    }
    if own.iter().any(|variable| *variable != observation.state && !is_unconstrained(program, *variable))
        || free.iter().any(|&variable| !is_global(variable) || !is_unconstrained(program, variable))
        || free.contains(&observation.state)
    {
        return refuse("a variable of the automaton has not all values");
    }
    own.extend(free);
    let is_own = |variable: &Variable| own.contains(variable);
    let without_body = program.procedures.values().filter(|data| data.body.is_none());
    if without_body.into_iter().any(|data| data.modifies.iter().any(is_own)) {
        return refuse("something unknown changes the automaton");
    }
    for body in program.procedures.values().filter_map(|data| data.body.as_ref()) {
        for block in body.blocks.values() {
            let mut read = Vec::new();
            if let Transfer::Branch { condition, .. } = block.transfer {
                read.push(condition);
            }
            for statement in &block.statements {
                let set = uses(statement, &mut read);
                if set.iter().any(is_own) {
                    return refuse("the watched program changes the automaton");
                }
            }
            let reads = |part: ir::Expr| matches!(program.expressions[part], ExprData::Variable(variable) if own.contains(&variable));
            if program.expressions.post_order(read).into_iter().any(reads) {
                return refuse("the watched program asks for the automaton");
            }
        }
    }
    Ok(())
}

fn is_unconstrained(program: &Program, variable: Variable) -> bool {
    program.variables[variable].where_clause.is_none()
}

/// What a statement sets; what it reads is added to a list.
fn uses(statement: &Statement, read: &mut Vec<ir::Expr>) -> Vec<Variable> {
    match &statement.kind {
        StatementKind::Assert(_, condition) | StatementKind::Assume(condition) => {
            read.push(*condition);
            Vec::new()
        }
        StatementKind::Havoc(variables) => variables.clone(),
        StatementKind::Assign(pairs) => {
            read.extend(pairs.iter().map(|(_, value)| *value));
            pairs.iter().map(|(target, _)| *target).collect()
        }
        StatementKind::Call { arguments, results, .. } => {
            read.extend(arguments);
            results.clone()
        }
        StatementKind::Fork { thread, arguments, .. } => {
            read.extend(thread.iter().chain(arguments));
            Vec::new()
        }
        StatementKind::Join { thread, results } => {
            read.extend(thread);
            results.clone()
        }
        StatementKind::Atomic(_) => Vec::new(),
    }
}

/// That letters do nothing, and that no thread begins with a procedure that is gone.
fn own_procedures(observation: &Observation) -> Result<(), Refusal> {
    let program = &observation.program;
    for letter in &observation.letters {
        let data = &program.procedures[letter.procedure];
        let is_empty =
            |block: &ir::BlockData| block.statements.is_empty() && block.transfer == Transfer::Return;
        let does_nothing = data.body.as_ref().is_some_and(|body| body.blocks.values().all(is_empty));
        if !does_nothing || !data.results.is_empty() || !observation.added.contains(&letter.procedure) {
            return refuse("a letter does something");
        }
        let count = data.parameters.len();
        let mut arguments = letter.action.cases().iter().flat_map(|case| &case.equal);
        if arguments.any(|(argument, _)| *argument >= count) {
            return refuse("a letter has fewer arguments");
        }
    }
    let bodies = program.procedures.values().filter_map(|data| data.body.as_ref());
    let mut statements = bodies.flat_map(|body| body.blocks.values()).flat_map(|block| &block.statements);
    let is_gone = |statement: &Statement| matches!(&statement.kind, StatementKind::Fork { procedure, .. } if observation.added.contains(procedure));
    if statements.any(is_gone) {
        return refuse("a thread begins with a procedure that is gone");
    }
    Ok(())
}
