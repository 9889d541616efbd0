//! What a driver sees of a run.

use super::machine::Machine;
use super::run::Frame;
use super::{Place, Value};
use crate::program::{Procedure, Program, Variable};
use crate::statements::Statement;

/// The state of a run.
pub struct State<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) frames: &'a [Frame<'a>],
    pub(super) thread: usize,
}

impl<'a> State<'a> {
    /// The program.
    pub fn program(&self) -> &'a Program {
        self.machine.program
    }

    /// The thread that runs: 0 is the first, others are numbered as they are started.
    pub fn thread(&self) -> usize {
        self.thread
    }

    /// The value of a constant, a global variable, or a variable of the innermost procedure.
    pub fn value(&self, variable: Variable) -> Option<&'a Value> {
        self.machine.get(variable)
    }

    /// The active procedures of the running thread, outermost first, each with the place where control is in it.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = Place> + ExactSizeIterator + '_ {
        self.frames.iter().map(Frame::place)
    }

    /// The value of a variable of an active procedure, by its position in [`frames`](State::frames).
    pub fn value_in(&self, frame: usize, variable: Variable) -> Option<&'a Value> {
        let base = self.frames.get(frame)?.local_base;
        self.machine.get_at(variable, base)
    }
}

/// Something that has happened.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A procedure has begun; its parameters, results and locals have their values.
    Entered(Procedure),
    /// A statement has been executed; calls of procedures with a body are told by the other events.
    Executed(Place, &'a Statement),
    /// A condition has been evaluated.
    Branched(Place, bool),
    /// A target has been taken, by its position in the list.
    Jumped(Place, usize),
    /// A procedure is about to return from a place; its postconditions hold.
    Left(Place),
    /// The call at a place has been completed, and the results are assigned.
    Returned(Place),
}
