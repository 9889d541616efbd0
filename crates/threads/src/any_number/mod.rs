//! Programs with any number of threads as recursive programs with one thread.
//!
//! The method is thread-modular reasoning at a level k (Hoenicke, Majumdar, Podelski, "Thread Modularity at Many Levels",
//! POPL 2017): of all threads that were started, k are *tracked*; an invariant speaks of the shared variables, of the first thread, and of
//! any k others. Whoever is not tracked can interfere, from any state in which the invariant holds of it together with those that are.
//!
//! [`any_number`] writes that as a procedure that returns a state in which the first thread and k others may be. It
//! calls itself:
//!
//! * at the beginning all threads but the first one are asleep, of which there are more than enough;
//! * a state that it returns, after a piece ([`fragments`]) of the first thread or of a tracked one, is one that it returns;
//! * so is a state that it returns, after a piece of another thread e, if for every tracked thread that can be replaced by e in the state
//!   it also returns the state with e in its place.
//!
//! So a summary of the procedure is an invariant as above, and every engine and the checker of proofs that know recursion
//! know what to do. An assertion that fails in a piece fails in the program.
//!
//! Where the variables of the program count threads, a state also has the number of threads at some places ([`tallies`]).
//!
//! Guarantee: if an execution of the program with threads reaches an error, so does one of the result. Proof: let threads have numbers. By induction on the
//! length of an execution, in which pieces are moved together as [`fragments`] says, the procedure returns every state that it goes
//! through, restricted to the first thread and any k different others. A step of one of these is the second case. A step
//! of another thread e is the third: the states with e in the place of one of them are restrictions of the same state. A thread that is
//! started, or joined, is a tracked one or not; both are tried. That fewer than k threads were started is no matter, as sleeping ones count.
//!
//! The converse does not hold: results may fail that the program does not have, so an execution proves nothing, and the
//! statement with which the result begins has the mark [`ir::Mark::Overapproximation`]. What is lost above all: how many
//! threads there are apart from these numbers, and what a thread that is not tracked hands over when it is joined.
//!
//! Requires a well-formed program with threads. Refuses: rules about races and deadlocks, recursion, calls of procedures without body that are about globals.
//!
//! Cost: linear in the number of stops times the size of pieces; quadratic in nothing.

mod fragments;
mod liveness;
mod tallies;
mod write;

use crate::code::{Action, Coder, Names};
use crate::recursion::Recursion;
use crate::system::System;
use crate::{Beyond, Guards, Loops, Options, Order, Refused, empty, has_rules};
use base::Span;
use fragments::{Interference, Pieces};
use ir::{ExprData, Mark, ProcedureData, Program, StatementKind, Type, Variable, VariableKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tallies::Tallies;
use write::Stops;

/// A recursive program.
#[derive(Clone, Debug)]
pub struct AnyNumber {
    /// The program.
    pub program: Program,
    /// What its variables are copies of.
    pub copies: FxHashMap<Variable, Variable>,
}

/// How many threads besides the first one are tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tracked {
    /// One: invariants cannot say that two threads are never at the same place.
    One,
    /// Two.
    Two,
}

impl Tracked {
    /// The number.
    pub fn count(self) -> usize {
        match self {
            Tracked::One => 1,
            Tracked::Two => 2,
        }
    }
}

/// The recursive program of a program with threads.
pub fn any_number(program: &Program, tracked: Tracked) -> Result<AnyNumber, Refused> {
    let mut program = program.clone();
    let mut copies = FxHashMap::default();
    let entries = program.entries();
    let entry = *entries.first().expect("a program with threads begins somewhere");
    let span = program.procedures[entry].span;
    if entries.len() > 1 {
        return Err(unsupported("any number of threads with several procedures to begin with", span));
    }
    if has_rules(&program) {
        return Err(unsupported("races or deadlocks of any number of threads", span));
    }
    let mut name = "reached".to_owned();
    while program.procedure(&name).is_some() {
        name.push('\'');
    }
    let procedure = program.procedures.push(ProcedureData::named(name, span));
    let mut names = Names::of(&program);
    let recursion = Recursion::kept(&program);
    let mut coder = Coder {
        program: &mut program,
        names: &mut names,
        owner: procedure,
        copies: &mut copies,
        recursion: &recursion,
    };
    // How many slots a product would have does not matter here.
    let options = Options {
        instances: 1,
        beyond: Beyond::Cut,
        most_states: 0,
        order: Order::OneAfterTheOther,
        guards: Guards::Kept,
        running: None,
    };
    let system = System::new(&mut coder, entry, &options, Loops::Bounded)?;
    refuse_contracts(coder.program, &system)?;
    let interference = Interference::of(&system);
    let pieces: Vec<Pieces> =
        (0..system.codes.len()).map(|code| interference.pieces(&system, code)).collect();
    let stops = Stops::new(&system, &pieces);
    let tallies = Tallies::of(coder.program, &system, &pieces, &stops);
    let layout = Layout::new(&mut coder, &system, tracked, tallies.count());
    let plan = Plan { pieces: &pieces, stops, tallies };
    write::write(&mut coder, entry, (&system, plan), layout);
    program.chosen = Some(vec![entry]);
    for (other, data) in program.procedures.iter_mut() {
        if let Some(body) = data.body.as_mut().filter(|_| other != entry && other != procedure) {
            empty(body);
        }
    }
    Ok(AnyNumber { program, copies })
}

fn unsupported(what: &str, span: Span) -> Refused {
    Refused::Unsupported { what: what.to_owned(), span }
}

/// A contract speaks of the globals themselves, and here they are copied.
fn refuse_contracts(program: &Program, system: &System) -> Result<(), Refused> {
    for node in system.codes.iter().flat_map(|code| &code.nodes) {
        let Action::Step(statements) = &node.action else { continue };
        for statement in statements {
            let StatementKind::Call { procedure, .. } = statement.kind else { continue };
            if program.procedures[procedure].body.is_some() {
                return Err(unsupported("recursion in any number of threads", node.span));
            }
            let data = &program.procedures[procedure];
            let clauses = data.requires.iter().chain(&data.ensures).map(|clause| clause.condition);
            let wheres = data.results.iter().filter_map(|&result| program.variables[result].where_clause);
            let parts = program.expressions.post_order(clauses.chain(wheres));
            let about_globals = parts.into_iter().any(|part| match program.expressions[part] {
                ExprData::Variable(variable) => program.variables[variable].kind == VariableKind::Global,
                ExprData::Old(_) => true,
                _ => false,
            });
            if about_globals || !data.modifies.is_empty() {
                let what =
                    "a call of a procedure without body that is about globals, with any number of threads,";
                return Err(unsupported(what, node.span));
            }
        }
    }
    Ok(())
}

/// What is written: the pieces of all codes, the numbers of stops, and where threads are counted.
struct Plan<'a> {
    pieces: &'a [Pieces],
    stops: Stops,
    tallies: Tallies,
}

/// The variables of one thread in a state.
#[derive(Clone, Debug)]
struct Thread {
    /// Where it is.
    control: Variable,
    /// What names it, for every pool whose threads are compared by name.
    names: Vec<Vec<Variable>>,
    /// Its copies of the variables of the code, in the order of [`Fields`].
    variables: Vec<Variable>,
}

/// The variables of a state: of the first thread and of the tracked ones.
#[derive(Clone, Debug)]
struct State {
    globals: Vec<Variable>,
    /// How many threads are at the places of each class.
    tallies: Vec<Variable>,
    first: Thread,
    others: Vec<Thread>,
}

impl State {
    /// All variables, in an order that is the same for all states.
    fn all(&self) -> Vec<Variable> {
        let mut all = [&self.globals[..], &self.tallies].concat();
        all.extend(self.first.all());
        self.others.iter().for_each(|thread| all.extend(thread.all()));
        all
    }
}

impl Thread {
    fn all(&self) -> Vec<Variable> {
        let mut all = vec![self.control];
        all.extend(self.names.iter().flatten());
        all.extend(&self.variables);
        all
    }
}

/// What a state consists of.
#[derive(Clone, Debug)]
struct Fields {
    /// The globals that are of interest.
    globals: Vec<Variable>,
    /// The variables of the first thread.
    first: Vec<Variable>,
    /// The variables of all other codes.
    others: Vec<Variable>,
    /// For every pool the types of the parts of its names, if they are compared.
    names: Vec<Vec<Type>>,
    /// How many classes of places there are where threads are counted.
    tallies: usize,
}

/// All variables of the procedure.
struct Layout {
    fields: Fields,
    /// What the procedure returns, and what steps change.
    state: State,
    /// What it returned for the tracked threads with another one in the place of one of them: in each, the other one is the last thread.
    replaced: Vec<State>,
    /// A thread that is started and not tracked.
    scratch: Thread,
}

impl Layout {
    fn new(coder: &mut Coder<'_>, system: &System, tracked: Tracked, tallies: usize) -> Layout {
        let used = used_variables(coder.program, system);
        let own = |code: usize| {
            system.codes[code].variables.iter().copied().filter(|variable| used.contains(variable))
        };
        let types = |pool: &crate::system::Pool| match pool.compared {
            true => pool.thread.iter().map(|&part| coder.program.ty(part)).collect(),
            false => Vec::new(),
        };
        let fields = Fields {
            globals: coder.program.globals.iter().copied().filter(|global| used.contains(global)).collect(),
            first: own(0).collect(),
            others: (1..system.codes.len()).flat_map(own).collect(),
            names: system.pools.iter().map(types).collect(),
            tallies,
        };
        let count = tracked.count();
        let state = new_state(coder, &fields, count, "");
        let replaced = (0..count).map(|number| {
            let prefix = format!("with{}.", number + 1);
            new_state(coder, &fields, count, &prefix)
        });
        let replaced = replaced.collect();
        let scratch = new_thread(coder, &fields.names, &fields.others, "started");
        let results = state.all();
        for &result in &results {
            coder.program.variables[result].kind = VariableKind::Result(coder.owner);
        }
        let controls = std::iter::once(&state.first).chain(&state.others).map(|thread| thread.control);
        for control in controls {
            coder.program.variables[control].attributes.push(Mark::Control.attribute(Vec::new()));
        }
        for &tally in &state.tallies {
            coder.program.variables[tally].attributes.push(Mark::Tally.attribute(Vec::new()));
        }
        coder.program.procedures[coder.owner].results = results;
        Layout { fields, state, replaced, scratch }
    }

    /// The variables that are neither parameters nor results.
    fn locals(&self) -> Vec<Variable> {
        self.replaced.iter().flat_map(State::all).chain(self.scratch.all()).collect()
    }
}

fn new_state(coder: &mut Coder<'_>, fields: &Fields, count: usize, prefix: &str) -> State {
    let globals = fields.globals.iter().map(|&global| {
        let name = format!("{prefix}{}.now", coder.program.variables[global].name);
        coder.copy(global, &name)
    });
    let globals = globals.collect();
    let first = new_thread(coder, &[], &fields.first, &format!("{prefix}first"));
    let others = (1..=count).map(|number| {
        let name = format!("{prefix}thread{number}");
        new_thread(coder, &fields.names, &fields.others, &name)
    });
    let others = others.collect();
    let (kind, span) = (VariableKind::Local(coder.owner), coder.program.procedures[coder.owner].span);
    let tallies = (1..=fields.tallies).map(|number| {
        let name = coder.names.fresh(&format!("{prefix}count{number}"));
        coder.program.new_variable(name, Type::INT, kind, span)
    });
    State { globals, tallies: tallies.collect(), first, others }
}

fn new_thread(coder: &mut Coder<'_>, names: &[Vec<Type>], variables: &[Variable], name: &str) -> Thread {
    let span = coder.program.procedures[coder.owner].span;
    let kind = VariableKind::Local(coder.owner);
    let fresh = coder.names.fresh(&format!("{name}.at"));
    let control = coder.program.new_variable(fresh, Type::INT, kind, span);
    let mut names_of_pools = Vec::new();
    for (pool, types) in names.iter().enumerate() {
        let mut parts = Vec::new();
        for &ty in types {
            let fresh = coder.names.fresh(&format!("{name}.name{pool}"));
            parts.push(coder.program.new_variable(fresh, ty, kind, span));
        }
        names_of_pools.push(parts);
    }
    let copies = variables.iter().map(|&variable| {
        let copy_name = format!("{name}.{}", coder.program.variables[variable].name);
        coder.copy(variable, &copy_name)
    });
    Thread { control, names: names_of_pools, variables: copies.collect() }
}

/// The variables that occur in a step.
fn used_variables(program: &Program, system: &System) -> BTreeSet<Variable> {
    let mut used = BTreeSet::new();
    let mut roots = Vec::new();
    for code in &system.codes {
        for &(kept, global) in &code.snapshots {
            used.extend([kept, global]);
        }
        let clauses = &program.procedures[code.procedure].requires;
        roots.extend(clauses.iter().map(|clause| clause.condition));
        let steps = code.nodes.iter().filter_map(|node| match &node.action {
            Action::Step(statements) => Some(statements),
            _ => None,
        });
        for statement in steps.flatten().chain(&code.start) {
            roots.extend(crate::code::values(&statement.kind));
            used.extend(crate::code::assigned(statement));
        }
        for node in &code.nodes {
            match &node.action {
                Action::Branch(condition) => roots.push(*condition),
                Action::Fork { thread, arguments, procedure } => {
                    roots.extend(thread.iter().chain(arguments));
                    used.extend(&program.procedures[*procedure].parameters);
                }
                Action::Join { thread, results } => {
                    roots.extend(thread);
                    used.extend(results);
                    used.extend(&program.procedures[code.procedure].results);
                }
                _ => {}
            }
        }
        used.extend(&program.procedures[code.procedure].results);
    }
    // `where` clauses may mention further variables.
    let mut known = used.len();
    loop {
        let clauses = used.iter().filter_map(|&variable| program.variables[variable].where_clause);
        let all: Vec<_> = roots.iter().copied().chain(clauses).collect();
        for part in program.expressions.post_order(all) {
            if let ExprData::Variable(variable) | ExprData::Old(variable) = program.expressions[part] {
                used.insert(variable);
            }
        }
        if std::mem::replace(&mut known, used.len()) == used.len() {
            return used;
        }
    }
}
