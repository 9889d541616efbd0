//! The concrete interpreter: runs a procedure, exactly.
//!
//! What the program leaves open (inputs, `havoc`, `goto` with several targets, functions without definition,
//! division by zero) is decided by a [`Driver`], which also watches the run. So a counterexample is replayed by
//! a driver that gives the values of the solver's model, and a test by one that draws at random.
//!
//! Requires a well-formed program ([`well_formed`](crate::well_formed)). Guarantees that every run is an execution
//! of the program, as far as the driver gives the same function value for the same arguments; and that a run
//! ends with one of the [`Outcome`]s, without using more of the host's stack for deeper nesting or calls.
//! What has no value here (a quantifier over all integers, say) is reported, never guessed.
//!
//! A program with threads is run as it is written: which thread makes the next step is one more thing that the driver
//! decides (`threads`).
//!
//! Executions follow the meaning that is given at the head of this crate. In particular a run begins with any
//! values of constants and globals that satisfy axioms and `where` clauses, `requires` of the first procedure is
//! assumed and its `ensures` is checked, and a procedure without body is used by its contract.
//!
//! A simple statement costs well below a microsecond.

mod bits;
mod code;
mod driver;
mod integer;
mod machine;
mod map;
mod quantifiers;
mod run;
pub mod schedule;
mod state;
mod threads;
mod value;

pub use bits::Bits;
pub use driver::{Defaults, Driver, Mentioned, Reason, Request, Requested, Script, default_value};
pub use integer::Integer;
pub use machine::Obstacle;
pub use map::{MapTooFull, MapValue};
pub use run::{Interpreter, Snapshot};
pub use schedule::{Effect, Schedule, ScheduledStep};
pub use state::{Event, State};
pub use value::Value;

use crate::expressions::Expr;
use crate::program::{Function, Procedure, Program, Variable};
use crate::statements::{AssertKind, Block};

/// How long a run may become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many statements and jumps may be executed.
    pub steps: u64,
    /// How many procedures may be active at once.
    pub call_depth: usize,
    /// How many operations the evaluation of expressions may take in all.
    pub operations: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 10_000_000, call_depth: 1_500_000, operations: 10_000_000_000 }
    }
}

/// A statement of a procedure; behind the last one of a block stands its transfer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The procedure.
    pub procedure: Procedure,
    /// The block.
    pub block: Block,
    /// The position in the block.
    pub index: usize,
}

/// How a run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The procedure has returned, and its postconditions hold.
    Finished,
    /// Something that must hold does not.
    Failed(Failure),
    /// Something that is assumed does not hold, so this is no execution of the program.
    Blocked(Assumption),
    /// The limit of steps is reached.
    OutOfSteps,
    /// The limit of active procedures is reached.
    TooManyCalls,
    /// The driver has no value for a variable.
    NoValue(Variable),
    /// The driver has a value of another type for a variable.
    IllTypedValue(Variable),
    /// The driver has no target for a jump, or one that does not exist.
    NoTarget(Place),
    /// The statement starts a thread of a procedure without body, which has no meaning.
    Threads(Place),
    /// The driver has no thread to go on with, or one that cannot.
    NoThread,
    /// An expression has no value here.
    CannotEvaluate(Expr, Obstacle),
    /// The driver has asked to stop.
    Stopped,
}

/// Something that holds in every execution and that a run cannot check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unchecked {
    /// An axiom, by its position in the list, with the reason.
    Axiom(usize, Obstacle),
    /// The definition of a recursive function, of which nobody knows whether any function satisfies it.
    Definition(Function),
}

impl Outcome {
    /// The outcome in words, for people.
    pub fn describe(&self, program: &Program) -> String {
        let variable = |variable: Variable| &program.variables[variable].name;
        match *self {
            Outcome::Finished => "the run ends without a failure".to_owned(),
            Outcome::Failed(_) => "the run fails".to_owned(),
            Outcome::Blocked(assumption) => match assumption {
                Assumption::Statement(_) => "the run violates an assumption".to_owned(),
                Assumption::Join(_) => "the run waits for a thread that does not end".to_owned(),
                Assumption::Where(name) => {
                    format!("the run violates the `where` clause of `{}`", variable(name))
                }
                Assumption::Requires(procedure, _) => {
                    format!("the run violates a precondition of `{}`", program.procedures[procedure].name)
                }
                Assumption::Ensures(procedure, _) => {
                    format!("the run violates a postcondition of `{}`", program.procedures[procedure].name)
                }
                Assumption::Axiom(_) => "the run violates an axiom".to_owned(),
                Assumption::Unique(one, other) => {
                    format!("the unique constants `{}` and `{}` are equal", variable(one), variable(other))
                }
            },
            Outcome::OutOfSteps => "the run has too many steps".to_owned(),
            Outcome::TooManyCalls => "the run has too many open calls".to_owned(),
            Outcome::NoValue(name) => format!("there is no value for `{}`", variable(name)),
            Outcome::IllTypedValue(name) => format!("the value for `{}` has another type", variable(name)),
            Outcome::NoTarget(_) => "there is no target for a jump".to_owned(),
            Outcome::Threads(_) => "the run starts a thread".to_owned(),
            Outcome::CannotEvaluate(_, obstacle) => format!("an expression has no value: {obstacle}"),
            Outcome::NoThread => "there is no thread that goes on".to_owned(),
            Outcome::Stopped => "the run was stopped".to_owned(),
        }
    }
}

/// What does not hold, and where control was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What does not hold.
    pub kind: FailureKind,
    /// The assertion, the call, or the return.
    pub place: Place,
}

/// Something that must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// An assertion.
    Assert(AssertKind),
    /// A precondition of a called procedure, by its position in the list.
    Requires(Procedure, usize),
    /// A postcondition, by its position in the list.
    Ensures(Procedure, usize),
    /// That no two threads access one cell of this variable at the same moment ([`accesses`](crate::accesses)).
    NoRace(Variable),
    /// That some thread can go on ([`Mark::DeadlockFree`](crate::Mark::DeadlockFree)).
    NoDeadlock,
}

/// Something that is assumed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assumption {
    /// An `assume` statement.
    Statement(Place),
    /// The `where` clause of a variable.
    Where(Variable),
    /// A precondition at the entry of a body, by its position in the list.
    Requires(Procedure, usize),
    /// A postcondition that is free or stands for a missing body, by its position in the list.
    Ensures(Procedure, usize),
    /// An axiom, by its position in the list.
    Axiom(usize),
    /// A `join` finds a thread that is over; all others wait too.
    Join(Place),
    /// Two unique constants of one type differ.
    Unique(Variable, Variable),
}
