//! What a run of a program with threads did: which thread made which step, and what it chose.
//!
//! Threads are named by slots: a slot is taken when a thread is started in it, and may be taken again later.

use super::Place;
use super::value::Value;
use crate::program::{Procedure, Variable};

/// A run.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The procedure in which it begins, in slot 0.
    pub procedure: Procedure,
    /// The values of constants, of globals and of that procedure's variables at the beginning.
    pub initial: Vec<(Variable, Value)>,
    /// The steps, in order. Steps that no other thread can notice may be missing.
    pub steps: Vec<ScheduledStep>,
}

/// A step.
#[derive(Clone, Debug)]
pub struct ScheduledStep {
    /// The thread that makes it.
    pub slot: usize,
    /// The statement, the condition or the return.
    pub place: Place,
    /// What it does to other threads.
    pub effect: Effect,
    /// The arbitrary values that variables get in it.
    pub values: Vec<(Variable, Value)>,
}

/// What a step does to other threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing but what it does to globals.
    None,
    /// A thread starts in this slot.
    Starts(usize),
    /// The thread in this slot is joined.
    Joins(usize),
    /// The step is not made: its thread and the one in this slot are about to access one cell of a watched variable at
    /// the same moment.
    Meets {
        /// The slot of the other thread.
        slot: usize,
        /// The step that the other thread is about to make.
        place: Place,
        /// The variable.
        variable: Variable,
    },
    /// The step is not made: all threads wait.
    Stuck,
}
