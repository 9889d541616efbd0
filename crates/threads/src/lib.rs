//! Programs with threads as programs with one thread.
//!
//! [`sequential`] replaces the body of the procedure with which a program begins by the product of all interleavings of
//! its threads, so that everything behind it works as for any other program: a run of the product is an interleaving,
//! an invariant of the product is one of the concurrent program.
//!
//! Meaning of the threads:
//!
//! * Memory is sequentially consistent. Every statement is one step, so is the evaluation of a condition; the parts of
//!   an atomic block are not interrupted, and a block that cannot come to its end does not begin.
//! * `fork` starts a thread: its preconditions are checked there, its postconditions at its end. The end of the first
//!   thread ends no other.
//! * `join` waits for *some* thread of the name that is over and was not joined yet, and takes its results if their types
//!   are those that are wanted. It waits for ever if there is none. Names may occur several times.
//! * Executions in which all threads wait just end, unless that is an error ([`ir::Mark::DeadlockFree`]).
//! * No two threads may access a cell of a watched variable at the same moment, unless both only read it or both accesses are
//!   atomic ([`ir::accesses`]).
//!
//! The number of threads that a fork statement may have at once is bounded; what happens to a fork beyond the bound is
//! [`Beyond`]. So the result has all executions within the bound, and with [`Beyond::Marked`] it tells by a statement with
//! [`ir::Mark::Overapproximation`] whether there are others.
//!
//! Calls are inlined; a recursive call is one step where no other thread can disturb it, and inlined some times where one can. What happens to calls that
//! are still deeper is [`Beyond`], too. Recursion that starts or awaits threads is refused by name.
//!
//! Requires a well-formed program.

pub mod any_number;
pub mod back;
mod bits;
mod choice;
mod code;
mod constants;
mod counted;
mod emit;
mod exchange;
mod guards;
mod product;
mod recursion;
mod sections;
mod system;

use base::{Budget, Interrupted, PrimaryMap, Span};
use code::{Coder, Names};
use ir::interpreter::{Effect, Place};
use ir::{BlockData, Body, Mark, Procedure, Program, StatementKind, Transfer, Variable};
use recursion::Recursion;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The attribute of an assertion about several threads, that they do not race or do not all wait: for each of them its name, what
/// it does, and an expression whose place is where it does so.
pub const MEETING: &str = "meeting";

/// What happens to a fork that finds no place for a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beyond {
    /// An error behind a marked statement: who proves it unreachable has shown that the bound suffices.
    Marked,
    /// The execution ends.
    Cut,
}

/// How large the result may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How many threads of one fork statement there may be at once.
    pub instances: usize,
    /// What happens beyond that.
    pub beyond: Beyond,
    /// The most states of the product, if that is not less than [`STATES_PER_PLACE`] for every place of a thread.
    pub most_states: usize,
    /// Who goes first where it makes no difference.
    pub order: Order,
    /// What becomes of conditions on shared variables.
    pub guards: Guards,
    /// How many threads besides the first may run at once; others are started, and it is never their turn. Then the result has some of
    /// the executions only, and says that it is bounded.
    pub running: Option<usize>,
}

/// What becomes of conditions on shared variables that only decide which way threads go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guards {
    /// They stay.
    Kept,
    /// They are left open, so that threads depend less on each other: a proof is one of the program, an error need not be one.
    Open,
}

/// The order of steps that commute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// A thread goes on as long as it can.
    OneAfterTheOther,
    /// After an iteration of a loop it is the turn of the next thread: loops that do the same stay together, so that
    /// invariants can compare them.
    Lockstep,
}

/// How many threads loops of the first thread start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Loops {
    /// As many as their counters say, where these are known.
    Counted,
    /// As many as the bound allows.
    Bounded,
}

/// A product may always have so many states for every place at which some thread can be. Threads that run one after the other have one, so
/// a product that is mostly a sequence is not too large, however many threads there are; one in which threads are interleaved soon has more.
pub const STATES_PER_PLACE: usize = 4;

/// With more states, the threads that loops start are not all taken.
const MOST_COUNTED_STATES: usize = 6_000;

/// Why there is no product.
#[derive(Clone, Debug)]
pub enum Refused {
    /// Something has no meaning here.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        span: Span,
    },
    /// The code of a thread has more steps than this.
    TooManySteps(usize),
    /// The product has more states than this.
    TooManyStates(usize),
    /// A limit.
    Interrupted(Interrupted),
}

/// Whose step a block is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The thread, by its number in [`Sequential::threads`].
    pub thread: usize,
    /// Where it is in the program with its threads.
    pub place: Place,
    /// What it does to other threads; nothing if it does nothing that any thread can notice.
    pub effect: Option<Effect>,
}

/// A program with one thread.
#[derive(Clone, Debug)]
pub struct Sequential {
    /// The program.
    pub program: Program,
    /// Whether a fork may have found no place, or a recursive call may have been disturbed. Without, the result has all executions.
    pub bounded: bool,
    /// A recursive call that other threads may disturb.
    pub disturbed: Option<Span>,
    /// Whether it was a thread's turn before that of one with a smaller number.
    pub turns: bool,
    /// Whether some thread has a loop. Without, all orders give the same product.
    pub loops: bool,
    /// For the blocks of every procedure that was replaced, whose step they are.
    pub steps: BTreeMap<Procedure, Vec<Option<Step>>>,
    /// The names of the threads; the first is where the program begins.
    pub threads: BTreeMap<Procedure, Vec<String>>,
    /// For variables of threads and of inlined calls, what they are copies of.
    pub copies: FxHashMap<Variable, Variable>,
    /// How many states the products have.
    pub states: usize,
}

/// Whether a program has threads: an execution may come to a `fork` or a `join`.
pub fn is_concurrent(program: &Program) -> bool {
    program.entries().into_iter().any(|entry| reaches_threads(program, entry))
}

/// Whether races or deadlocks are errors of a program.
pub fn has_rules(program: &Program) -> bool {
    let forbidden = |entry: Procedure| Mark::DeadlockFree.is_in(&program.procedures[entry].attributes);
    ir::accesses::watches(program) || program.entries().into_iter().any(forbidden)
}

/// The product of the threads of a program, with calls in its threads inlined.
pub fn sequential(program: &Program, options: &Options, budget: &Budget) -> Result<Sequential, Refused> {
    let mut result = Sequential {
        program: program.clone(),
        bounded: false,
        disturbed: None,
        turns: false,
        loops: false,
        steps: BTreeMap::new(),
        threads: BTreeMap::new(),
        copies: FxHashMap::default(),
        states: 0,
    };
    let entries = program.entries();
    for &entry in &entries {
        if reaches_threads(program, entry) {
            product_of(entry, &mut result, options, budget)?;
        }
    }
    // What was inlined is called by nobody any more; where it starts threads, it has no meaning left.
    let procedures: Vec<Procedure> = program.procedures.keys().collect();
    for procedure in procedures {
        if !result.steps.contains_key(&procedure)
            && reaches_threads(program, procedure)
            && let Some(body) = &mut result.program.procedures[procedure].body
        {
            empty(body);
        }
    }
    Ok(result)
}

/// Leaves nothing of a body but its end.
fn empty(body: &mut Body) {
    let block = body.blocks.values().next().expect("a body has a block");
    let (label, transfer_span) = (block.label.clone(), block.transfer_span);
    let mut blocks = PrimaryMap::new();
    blocks.push(BlockData { label, statements: Vec::new(), transfer: Transfer::Return, transfer_span });
    *body = Body { locals: std::mem::take(&mut body.locals), blocks };
}

/// Replaces the body of an entry by the product of its threads.
fn product_of(
    entry: Procedure,
    result: &mut Sequential,
    options: &Options,
    budget: &Budget,
) -> Result<(), Refused> {
    let recursion = Recursion::kept(&result.program);
    let before = (!recursion.is_empty()).then(|| (result.program.clone(), result.copies.clone()));
    let (system, product, names) = explored(entry, result, &recursion, options, budget)?;
    let (system, product, mut names) = match before {
        Some((program, copies)) if product.disturbed.is_some() => {
            (result.program, result.copies) = (program, copies);
            let unfolded = Recursion::unfolded(&result.program);
            explored(entry, result, &unfolded, options, budget)?
        }
        _ => (system, product, names),
    };
    let Sequential { program, copies, .. } = result;
    let (steps, threads) = emit::emit(program, entry, (&system, &product), &mut names, copies);
    result.bounded |= product.bounded;
    let disturbed = product.disturbed.map(|(code, node)| system.span(code, node));
    result.disturbed = result.disturbed.or(disturbed);
    result.turns |= product.turns;
    result.loops |= system.heads.iter().flatten().any(|&head| head);
    result.states += product.transitions.len();
    result.steps.insert(entry, steps);
    result.threads.insert(entry, threads);
    Ok(())
}

/// The threads of an entry, their product, and the names that are in use.
type Explored = (system::System, product::Product, Names);

/// Explores the threads of an entry, with some recursive calls inlined. If all threads that loops start have too many states together, loops start as
/// many as the bound allows.
fn explored(
    entry: Procedure,
    result: &mut Sequential,
    recursion: &Recursion,
    options: &Options,
    budget: &Budget,
) -> Result<Explored, Refused> {
    let before = (result.program.clone(), result.copies.clone());
    match explored_with(Loops::Counted, entry, result, recursion, options, budget) {
        Err((Refused::TooManyStates(_), true)) => {
            (result.program, result.copies) = before;
            let explored = explored_with(Loops::Bounded, entry, result, recursion, options, budget);
            explored.map_err(|(refused, _)| refused)
        }
        other => other.map_err(|(refused, _)| refused),
    }
}

/// Explores them in one way; what is refused, and whether there would be fewer states if loops were not counted.
fn explored_with(
    loops: Loops,
    entry: Procedure,
    result: &mut Sequential,
    recursion: &Recursion,
    options: &Options,
    budget: &Budget,
) -> Result<Explored, (Refused, bool)> {
    let Sequential { program, copies, .. } = result;
    let mut names = Names::of(program);
    let mut coder = Coder { program, names: &mut names, owner: entry, copies, recursion };
    let system =
        system::System::new(&mut coder, entry, options, loops).map_err(|refused| (refused, false))?;
    let most_states = match system.counted {
        true => options.most_states.min(MOST_COUNTED_STATES),
        false => options.most_states.max(STATES_PER_PLACE * system.places()),
    };
    let options = Options { most_states, ..*options };
    match product::explore(program, &system, &options, budget) {
        Ok(product) => Ok((system, product, names)),
        Err(refused) => Err((refused, system.counted)),
    }
}

/// Whether a procedure starts or awaits threads, itself or through others.
fn reaches_threads(program: &Program, procedure: Procedure) -> bool {
    let mut seen: FxHashSet<Procedure> = FxHashSet::default();
    let mut pending = vec![procedure];
    while let Some(procedure) = pending.pop() {
        if !seen.insert(procedure) {
            continue;
        }
        let blocks = program.procedures[procedure].body.iter().flat_map(|body| body.blocks.values());
        for statement in blocks.flat_map(|block| &block.statements) {
            match statement.kind {
                StatementKind::Fork { .. } | StatementKind::Join { .. } => return true,
                StatementKind::Call { procedure, .. } => pending.push(procedure),
                _ => {}
            }
        }
    }
    false
}
