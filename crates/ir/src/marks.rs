//! Marks: what a front end says about a statement or function beyond its meaning.
//!
//! In the text form a mark is an attribute of its name. Everybody asks through [`Mark`], so that the names stand in one
//! place only.

use crate::program::{Attribute, AttributeArgument};

/// A mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// This statement or function allows more than the original program does, so an execution through it proves
    /// nothing. The first argument says why; the second, if there is one, is the formula that the exact value satisfies.
    Overapproximation,
    /// The `havoc` before this statement asks the environment. The arguments are the name of the function that was
    /// called, and the variables.
    Input,
    /// The author of the program assumes this: executions on which it does not hold do not count. Other assumptions say what a
    /// translation knows, or end executions that have no meaning any more.
    Assumed,
    /// Whoever passes a value for this parameter has made sure of its `where` clause, which may thus be assumed at calls too.
    Established,
    /// Two threads must not access this variable at the same moment, unless both only read it, or both accesses are atomic
    /// ([`accesses`](crate::accesses)).
    Watched,
    /// The accesses of this statement are atomic.
    AtomicAccess,
    /// What this statement does to watched variables is no access.
    NoAccess,
    /// A thread waits at this assumption for what it says. The argument says for what, in words.
    Waits,
    /// Executions that begin with this procedure must not come to a state in which some thread is not over, and all that are not
    /// wait for others to end or at assumptions with the mark [`Waits`](Mark::Waits).
    DeadlockFree,
    /// This variable has few values, which say where a thread is: what holds of other variables depends on it.
    Control,
    /// This variable says how many threads are at some places.
    Tally,
    /// The cells of this map are likely to be far from each other. The arguments are a distance, and ranges of cells that matter most
    /// (`3..9`): whoever may choose the map does well to begin with cells that are so far apart. This is a hint, and says nothing about the
    /// meaning.
    Apart,
}

impl Mark {
    /// The name of the attribute.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Overapproximation => "overapproximation",
            Mark::Input => "input",
            Mark::Assumed => "assumed",
            Mark::Established => "established",
            Mark::Watched => "watched",
            Mark::AtomicAccess => "atomic_access",
            Mark::NoAccess => "no_access",
            Mark::Waits => "waits",
            Mark::DeadlockFree => "deadlock_free",
            Mark::Control => "control",
            Mark::Tally => "tally",
            Mark::Apart => "apart",
        }
    }

    /// The mark as an attribute.
    pub fn attribute(self, arguments: Vec<AttributeArgument>) -> Attribute {
        Attribute { name: self.name().to_owned(), arguments }
    }

    /// Whether attributes contain this mark.
    pub fn is_in(self, attributes: &[Attribute]) -> bool {
        self.find_in(attributes).is_some()
    }

    /// The attribute that is this mark.
    pub fn find_in(self, attributes: &[Attribute]) -> Option<&Attribute> {
        attributes.iter().find(|attribute| attribute.name == self.name())
    }
}
