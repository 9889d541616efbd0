//! What a driver sees of a run.

use super::machine::Machine;
use super::run::Frame;
use super::threads::Thread;
use super::{Place, Value};
use crate::accesses::Access;
use crate::marks::Mark;
use crate::program::{Procedure, Program, Variable};
use crate::statements::Statement;

/// The state of a run.
pub struct State<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) frames: &'a [Frame<'a>],
    pub(super) thread: usize,
    pub(super) threads: &'a [Thread<'a>],
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

    /// Whether a thread is at an assumption at which threads wait.
    pub fn is_at_wait(&self, thread: usize) -> bool {
        let frame = self.frames_of(thread).last();
        let statement = frame.and_then(|frame| frame.next_statement());
        statement.is_some_and(|statement| Mark::Waits.is_in(&statement.attributes))
    }

    fn frames_of(&self, thread: usize) -> &[Frame<'a>] {
        match self.threads.get(thread) {
            Some(other) if thread != self.thread => other.frames(),
            _ => self.frames,
        }
    }

    /// What a thread is about to access of watched variables, and by which step.
    pub fn next_accesses(&self, thread: usize) -> Option<(Place, Vec<Access>)> {
        self.frames_of(thread).last()?.next_accesses(self.program())
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
