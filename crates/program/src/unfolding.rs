//! The unfolding of a program without recursion: which procedure is active where, as a tree of calls.
//!
//! A proof that relates variables of a caller to variables of its callee speaks of a program in which every call has a
//! copy of the callee. Such a copy is an [`Activation`]: the procedure in which a run begins, or what a call edge of
//! another activation leads to. So an activation is a path of call edges. Locations, edges and variables of the
//! unfolding are named by the activation and by what they are copies of ([`Place`], [`copied_name`]).
//!
//! Only the vocabulary is here. The crates `transform` and `certify` make unfoldings, each by its own code.

use crate::automaton::{Edge, Location};
use base::PrimaryMap;

base::id!(
    /// A copy of a procedure: the first one of a run, or one that a call leads to.
    Activation,
    "a"
);

/// How an activation comes about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ActivationData {
    /// A run begins at this location.
    Start(Location),
    /// An activation before it in the list takes a call edge of the program.
    Call {
        /// The activation that calls.
        caller: Activation,
        /// The call edge.
        call: Edge,
    },
}

/// All activations, callers before callees.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Unfolding {
    /// The activations.
    pub activations: PrimaryMap<Activation, ActivationData>,
}

/// A location of an unfolding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The copy of the procedure.
    pub activation: Activation,
    /// The location of the program that it is a copy of.
    pub location: Location,
}

/// The name of an activation's copy of a symbol: a variable, or a constant that stands for a choice.
pub fn copied_name(name: &str, activation: Activation) -> String {
    format!("{name}@{}", base::EntityRef::index(activation))
}

/// The name of the constant that stands for the value with which a callee's variable begins.
pub fn beginning_name(name: &str, activation: Activation) -> String {
    format!("first {}", copied_name(name, activation))
}
