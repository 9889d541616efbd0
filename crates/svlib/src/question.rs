//! Which questions a `verify-call` asks.

use crate::syntax::Node;

/// A question about a `verify-call`. It is correct if the answer to all of them is yes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Do the safety properties hold? Loops with invariants and procedures with contracts are abstracted by them.
    Safety(Ranks),
    /// Are the places that must not recur visited finitely often? No infinite execution of the program says yes.
    NotRecurring,
    /// Are the places of one property visited infinitely often by all infinite executions? No infinite execution of
    /// the program says yes.
    Recurring(Recurring),
}

/// A property that something recurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recurring(pub(crate) Node);

/// Where a ranking function must not be negative. The standard asks for values in the range of the order and does not say
/// whether that includes the last one, with which a loop ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ranks {
    /// Whenever the head of the loop is reached.
    Always,
    /// Whenever a round begins.
    InRounds,
}

impl Question {
    pub(crate) fn is_safety(self) -> bool {
        matches!(self, Question::Safety(_))
    }
}
