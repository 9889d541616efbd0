//! The product of a program with an observer: a program that fails where the observer enters an error.
//!
//! Whoever calls this has added procedures to the program, in the program's language, so that conditions mean there what they say:
//!
//! * for the number `k` of a condition, a procedure that sets the variable `ATOM k` to its truth value;
//! * for the number `k` of an event, a procedure `EVENT k` that does nothing. It is called where the event happens, behind the
//!   procedures that evaluate the conditions of the event's transitions. Its parameters are named: `ARGUMENT i`, and `RESULT`.
//!   A value of several parts has several parameters, whose names go on with a dot;
//! * calls and returns: a procedure `STAND_IN f` that calls these procedures before and behind the call of `f`, and is called
//!   instead of `f`;
//! * all other events: a procedure `SENSE k` without parameters that does what happens at the event. Where a check may fail that is an event, it is called with a
//!   variable that says whether it does.
//!
//! There are two stages. [`place`] puts the calls of `EVENT k` where events happen, also at assignments and at the end; declares what the automaton
//! needs, its state above all, which is a global variable; and lets the program's own assertions be assumed, as an execution ends where one fails. The
//! result is the program that is watched, with letters for the automaton to read ([`Letter`]). [`product`] makes steps of the letters, and splices the
//! added procedures into the program. That is what the independent checker does not believe: it walks through both programs.
//!
//! The procedures of a program stay what they are, so recursion is no matter: the state at a call is kept in a local variable until the return. In a
//! program with threads, the conditions of an event, the step, and the assignment that it is about are one atomic part. A C program with threads is over when
//! `main` returns, whatever other threads do, so the automaton reads nothing behind that; a Boogie program is over when its last thread is. A formula of CaRet watches one thread by itself
//! ([`watch_one_thread`]).
//!
//! Costs: linear in the program and in the transitions for every place where an event happens.

mod atomic;
mod hooks;
mod letters;
mod one_thread;
mod own_checks;
mod propositions;
mod steps;
mod wrappers;

pub use letters::{Action, Case, Letter};
pub use one_thread::watch_one_thread;
pub use propositions::{Propositions, place_propositions};

use super::{Event, EventKind, Observer};
use crate::caret;
use crate::splice::{Moved, splice};
use base::{EntityRef, Span};
use ir::{
    Attribute, AttributeArgument, Procedure, ProcedureData, Program, Statement, StatementKind, Transfer,
    Type, Variable, VariableKind,
};
use own_checks::assume_own_checks;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// How everything begins that is added to a program.
pub const ADDED: &str = "__unreach_obs_";
/// The procedures that events call.
pub const EVENT: &str = "__unreach_obs_event_";
/// The procedures that evaluate conditions.
pub const WHEN: &str = "__unreach_obs_when_";
/// The variables with the values of conditions.
pub const ATOM: &str = "__unreach_obs_atom_";
/// What is called instead of watched procedures.
pub const STAND_IN: &str = "__unreach_obs_watch_";
/// What happens at events that are no calls.
pub const SENSE: &str = "__unreach_obs_sense_";
/// Calls what a front end would leave out because nothing calls it yet.
pub const KEEP: &str = "__unreach_obs_keep";
/// What keeps the state at a call, for its return.
const BEFORE: &str = "__unreach_obs_before_";
/// The variables that say whether a check fails.
pub const FAILS: &str = "__unreach_obs_fails_";
/// The arguments of events.
pub const ARGUMENT: &str = "__p";
/// The result of a call.
pub const RESULT: &str = "__r";

/// The name of the automaton's state in the product, which no program can use.
const STATE: &str = "observer#state";

/// A program that is watched: it calls letters, and nobody reads them yet.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The automaton's state: the numbers of states.
    pub state: Variable,
    /// The letters.
    pub letters: Vec<Letter>,
    /// The states that are errors, with what failures are called.
    pub errors: BTreeMap<usize, String>,
    /// The state that the automaton begins with.
    pub initial: usize,
    /// The added procedures whose bodies are put where they are called.
    pub added: BTreeSet<Procedure>,
    /// The variables that stand for all values, with their names; a value of several parts has several.
    pub each: Vec<Each>,
    /// Where steps of the automaton stand that are nowhere in the source.
    span: Span,
}

/// The product with what is needed to speak about it.
#[derive(Debug)]
pub struct Product {
    /// What new variables are copies of.
    pub copies: FxHashMap<Variable, Variable>,
    /// Blocks that were cut in two.
    pub moved: Vec<Moved>,
    /// How many assertions there are.
    pub assertions: u32,
}

/// A part of a value that stands for all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Each {
    /// Its name in the observer.
    pub name: String,
    /// The variable.
    pub variable: Variable,
}

/// What does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// Where in the observer.
    pub span: Span,
    /// What.
    pub message: String,
}

/// Why a program cannot be watched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotPlaced {
    /// The observer does not fit the program.
    Misfit(Misfit),
    /// Something that is not done.
    Unsupported(String),
}

/// Where a program does what an observer looks for, as far as that is not said by names.
#[derive(Clone, Default, Debug)]
pub struct Places {
    /// The function that a C program begins with: its return is the end of the program. None for other languages, where the
    /// procedures that executions begin with are those of the program's author.
    pub main: Option<Procedure>,
    /// The variables that an assignment is about.
    pub assigned: BTreeMap<Event, Vec<Variable>>,
    /// Whether the program has threads.
    pub threads: bool,
    /// Whether one of them is watched by itself ([`watch_one_thread`]), so that the end is that of this thread.
    pub one_thread: bool,
}

/// What makes the steps at events.
#[derive(Clone, Copy, Debug)]
pub enum Machine<'a> {
    /// The observer itself.
    Observer,
    /// The automaton of a formula of CaRet, which is violated when the automaton accepts. The observer says where calls,
    /// returns and the end of the program are seen, and has a transition for each condition of the formula at each event.
    Caret(&'a caret::Formulas, &'a caret::Automaton),
}

/// Puts letters where a program does what an observer looks for.
pub fn place(
    program: &mut Program,
    observer: &Observer,
    machine: Machine<'_>,
    places: &Places,
) -> Result<Placed, NotPlaced> {
    let entries = program.entries();
    let span = entries.first().map_or_else(nowhere, |&entry| program.procedures[entry].span);
    let is_added = |data: &ProcedureData| data.name.starts_with(ADDED);
    let added: FxHashSet<Procedure> = program
        .procedures
        .iter()
        .filter(|(_, data)| is_added(data))
        .map(|(procedure, _)| procedure)
        .collect();
    let (label, initial, errors) = match machine {
        Machine::Observer => {
            let label = format!("observer {}", observer.name);
            let error = |data: &super::StateData| Some(format!("{label}: {}", data.error.as_ref()?));
            let errors = observer.states.iter();
            let errors = errors.filter_map(|(state, data)| Some((state.index(), error(data)?))).collect();
            (label, observer.initial.index(), errors)
        }
        Machine::Caret(_, automaton) => {
            let accepting = automaton.accepting.iter();
            let errors = accepting.map(|&state| (state, "caret: the formula does not hold".to_owned()));
            ("caret".to_owned(), automaton.initial, errors.collect())
        }
    };
    let failing = own_checks::failing(program, observer, span);
    assume_own_checks(program, &added, (&label, &failing), places);
    let state = state_variable(program, initial, span);
    without_calls_of(program, KEEP);
    let mut maker =
        Maker { program, observer, machine, threads: places.threads, each: BTreeMap::new(), span };
    let mut letters = Vec::new();
    for &procedure in sorted(&added).iter() {
        maker.letters_of(procedure, &mut letters)?;
    }
    for (event, data) in observer.events.iter() {
        match data.kind {
            EventKind::Assign => maker.at_assignments(event, places, &added)?,
            // Labels of C call what happens there themselves.
            EventKind::Label if places.main.is_none() => maker.at_labels(event, &data.name),
            _ => {}
        }
    }
    let exit = observer.events.iter().find(|(_, data)| data.kind == EventKind::Exit);
    let entries = match exit.filter(|_| !places.one_thread) {
        Some((event, _)) => maker.at_exit(event, &entries, places.main),
        None => entries,
    };
    let each = maker.each;
    program.chosen = Some(entries);
    let each: Vec<Each> = each
        .iter()
        .flat_map(|(name, parts)| parts.iter().map(|&variable| Each { name: name.clone(), variable }))
        .collect();
    declare_changes(program, state);
    // A procedure that a thread begins with stays one.
    let forked = atomic::forked(program);
    let is_added = |(_, data): &(Procedure, &ProcedureData)| is_added(data);
    let added = program.procedures.iter().filter(is_added).map(|(procedure, _)| procedure);
    let added = added.filter(|procedure| !forked.contains(procedure)).collect();
    Ok(Placed { state, letters, errors, initial, added, each, span })
}

/// Makes a program with letters its product with the automaton.
pub fn product(program: &mut Program, placed: &Placed) -> Product {
    let all: Vec<Procedure> = program.procedures.keys().collect();
    for procedure in all {
        steps::steps_of(program, placed, procedure);
    }
    let added: FxHashSet<Procedure> = placed.added.iter().copied().collect();
    let spliced = splice(program, &added);
    for &procedure in &placed.added {
        clear(program, procedure);
    }
    let assertions = count_assertions(program);
    Product { copies: spliced.copies, moved: spliced.moved, assertions }
}

/// Every procedure may change what was added.
fn declare_changes(program: &mut Program, state: Variable) {
    let is_changed =
        |&global: &Variable| global == state || program.variables[global].name.starts_with(ADDED);
    let globals: Vec<Variable> = program.globals.iter().copied().filter(is_changed).collect();
    for data in program.procedures.values_mut().filter(|data| data.body.is_some()) {
        let more: Vec<Variable> =
            globals.iter().copied().filter(|global| !data.modifies.contains(global)).collect();
        data.modifies.extend(more);
    }
}

fn nowhere() -> Span {
    Span::new(EntityRef::new(0), 0, 0)
}

fn sorted(procedures: &FxHashSet<Procedure>) -> Vec<Procedure> {
    let mut all: Vec<Procedure> = procedures.iter().copied().collect();
    all.sort_unstable();
    all
}

/// A global variable that has the number of the initial state where a run begins.
fn state_variable(program: &mut Program, initial: usize, span: Span) -> Variable {
    let state = program.new_variable(STATE, Type::INT, VariableKind::Global, span);
    let value = program.variable(state, span);
    let first = program.int(initial, span);
    let clause = program.equal(value, first, span);
    program.variables[state].where_clause = Some(clause);
    program.globals.push(state);
    state
}

/// A new procedure that does nothing.
fn empty_procedure(program: &mut Program, name: String, span: Span) -> Procedure {
    let procedure = program.procedures.push(ProcedureData::named(name, span));
    let block = ir::BlockData {
        label: "nothing".to_owned(),
        statements: Vec::new(),
        transfer: Transfer::Return,
        transfer_span: span,
    };
    let body = ir::Body { locals: Vec::new(), blocks: [block].into_iter().collect() };
    program.procedures[procedure].body = Some(body);
    procedure
}

/// Takes the calls of a procedure out of the program.
fn without_calls_of(program: &mut Program, name: &str) {
    let Some(callee) = program.procedure(name) else { return };
    let bodies = program.procedures.values_mut().filter_map(|data| data.body.as_mut());
    for block in bodies.flat_map(|body| body.blocks.values_mut()) {
        block.statements.retain(|statement| {
            !matches!(statement.kind, StatementKind::Call { procedure, .. } if procedure == callee)
        });
    }
}

/// Nobody calls the procedure any more, so it need not do anything.
fn clear(program: &mut Program, procedure: Procedure) {
    let span = program.procedures[procedure].span;
    let Some(body) = program.procedures[procedure].body.as_mut() else { return };
    let label = "nothing".to_owned();
    let (statements, transfer) = (Vec::new(), Transfer::Return);
    body.blocks = [ir::BlockData { label, statements, transfer, transfer_span: span }].into_iter().collect();
}

/// The assertions of the product.
fn count_assertions(program: &Program) -> u32 {
    let bodies = program.procedures.values().filter_map(|data| data.body.as_ref());
    let statements = bodies.flat_map(|body| body.blocks.values()).flat_map(|block| &block.statements);
    let count = statements.filter(|statement| matches!(statement.kind, StatementKind::Assert(..))).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// What a failure is called.
fn ir_property(text: &str) -> Attribute {
    let text = AttributeArgument::Text(text.to_owned());
    Attribute { name: "property".to_owned(), arguments: vec![text] }
}

struct Maker<'a> {
    program: &'a mut Program,
    observer: &'a Observer,
    machine: Machine<'a>,
    /// Whether the program has threads.
    threads: bool,
    /// The parts of the values that stand for all.
    each: BTreeMap<String, Vec<Variable>>,
    span: Span,
}

impl Maker<'_> {
    /// The letters that an added procedure calls.
    fn letters_of(&mut self, procedure: Procedure, letters: &mut Vec<Letter>) -> Result<(), NotPlaced> {
        let Some(body) = &self.program.procedures[procedure].body else { return Ok(()) };
        let statements = body.blocks.values().flat_map(|block| &block.statements);
        let events: Vec<(Event, Procedure)> =
            statements.filter_map(|statement| self.event_of(statement)).collect();
        if events.is_empty() {
            return Ok(());
        }
        // What is kept from the call to the return.
        let kept = events.iter().any(|(event, _)| self.keeps(*event)).then(|| {
            let kind = VariableKind::Local(procedure);
            self.program.new_variable("observer#before", Type::INT, kind, self.span)
        });
        let before = match (kept, self.machine) {
            (Some(kept), Machine::Observer) => {
                let name = format!("{BEFORE}{}", procedure.index());
                let before = empty_procedure(self.program, name, self.span);
                letters.push(Letter { procedure: before, action: Action::Keep(kept) });
                Some(before)
            }
            _ => None,
        };
        if let (Some(kept), Some(body)) = (kept, &mut self.program.procedures[procedure].body) {
            body.locals.push(kept);
        }
        self.mark_call(procedure, before)?;
        for (event, called) in events {
            let letter = match self.machine {
                Machine::Observer => self.letter(event, called, kept).map_err(NotPlaced::Misfit)?,
                Machine::Caret(formulas, automaton) => {
                    self.caret_letter(event, called, (formulas, automaton), kept)
                }
            };
            match letters.iter().find(|known| known.procedure == called) {
                Some(known) if *known != letter => {
                    let what = "an event that is seen at several places with a state of its call";
                    return Err(NotPlaced::Unsupported(what.to_owned()));
                }
                Some(_) => {}
                None => letters.push(letter),
            }
        }
        Ok(())
    }

    /// The event of a statement that calls one, with the procedure that is called.
    fn event_of(&self, statement: &Statement) -> Option<(Event, Procedure)> {
        let StatementKind::Call { procedure, .. } = &statement.kind else { return None };
        let number: usize = self.program.procedures[*procedure].name.strip_prefix(EVENT)?.parse().ok()?;
        Some((Event::new(number), *procedure))
    }

    /// Whether a procedure that tells of an event keeps something from the call to the return.
    fn keeps(&self, event: Event) -> bool {
        match self.machine {
            Machine::Observer => self.observer.on(event).any(|(_, it)| it.called_in.is_some()),
            Machine::Caret(..) => {
                matches!(self.observer.events[event].kind, EventKind::Call | EventKind::Return)
            }
        }
    }
}
