//! Evidence that an error is reachable through loops (paper "Leaping Loops in the Presence of Abstraction").
//!
//! A [`LeapCertificate`] is a chain of abstract states, its [`Port`]s, from an initial location to an error. Two
//! successive ports are linked by a move or by a leap over a loop, in one of three modes: `must⁻` (every state of the
//! later port is reached from one of the earlier), `may` (some is), `must⁺` (every state of the earlier one reaches
//! one of the later). First come `must⁻` links, then at most one `may` link, then `must⁺` links; this is the one-flip
//! trick. If the `may` link is possible, or without one the port between the two kinds has a state, an execution
//! through the whole chain exists.
//!
//! Moves are told in terms of single-step edges, so that the certificate can be checked without the blocks.

use crate::automaton::{Edge, Error, Location};
use crate::variables::Var;
use crate::verdict::Counterexample;
use base::PrimaryMap;
use logic::{Integer, Model, Symbol, Term};

base::id!(
    /// A part of a move.
    Plan,
    "p"
);

base::id!(
    /// A move.
    Move,
    "m"
);

/// How a loop-free piece of a program is executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlanData {
    /// Nothing happens.
    Empty,
    /// One single-step edge.
    Edge(Edge),
    /// First the one, then the edge.
    Then(Plan, Edge),
    /// The first if the formula holds at the beginning of the leg, otherwise the second.
    If(Term, Plan, Plan),
}

/// A loop-free piece of a move, with a strategy for its choices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leg {
    /// What is executed.
    pub plan: Plan,
    /// The values of auxiliary constants, over the state at the beginning of the leg. Others stay free.
    pub strategy: Vec<(Symbol, Term)>,
}

/// Transitions from one location to another, which are transitions of the program: some executions of the legs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveData {
    /// Where they begin.
    pub source: Location,
    /// Where they end.
    pub target: Location,
    /// What they do.
    pub legs: Vec<Leg>,
}

/// An abstract state at one location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Port {
    /// The location.
    pub location: Location,
    /// The predicate.
    pub formula: Term,
}

/// The ports that a leap connects.
#[derive(Clone, Copy)]
pub struct Ports {
    /// Where it begins.
    pub entry: Port,
    /// Where it ends.
    pub exit: Port,
}

/// How two ports are related.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mode {
    /// `must⁻`: every state of the later port has a predecessor in the earlier.
    MustMinus,
    /// Some state of the earlier port has a successor in the later.
    May,
    /// `must⁺`: every state of the earlier port has a successor in the later.
    MustPlus,
}

/// The range of a variable inside an abstract state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// An integer variable that the loop changes.
    pub var: Var,
    /// The location.
    pub location: Location,
    /// Not above the variable, over what the loop does not change.
    pub lower: Term,
    /// Not below the variable, over what the loop does not change.
    pub upper: Term,
}

/// A leap over a loop: `a` is the union of the regions, the entry port is the port before, the exit port the one after.
///
/// With mode `must⁻` it claims Theorem 1, with mode `must⁺` Theorem 2 of the paper, for the transition system whose
/// only transitions are `moves` from `a` outside the exit port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leap {
    /// The abstract state `a`, by location.
    pub region: Vec<Port>,
    /// The transitions inside `a`.
    pub moves: Vec<Move>,
    /// Variables that the loop changes and on which nothing else in it depends. Only for `must⁺`.
    pub hidden: Vec<Var>,
    /// Why `a` is finite, for given values of what the loop does not change: a range for every other changed integer.
    pub bounds: Vec<Bound>,
    /// What the entry port says about hidden variables and every move keeps, so that it holds at the exit port, too. Only
    /// for `must⁺`; the ports may speak of hidden variables as far as this does.
    pub kept: Term,
}

/// How one gets from a port to the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Link {
    /// By a move.
    Step(Move),
    /// By a leap.
    Leap(Leap),
}

/// Evidence that an error is reachable.
#[derive(Clone, Debug)]
pub struct LeapCertificate {
    /// The error.
    pub error: Error,
    /// The parts of moves.
    pub plans: PrimaryMap<Plan, PlanData>,
    /// The moves.
    pub moves: PrimaryMap<Move, MoveData>,
    /// The chain of ports, from an initial location to that of the error.
    pub ports: Vec<Port>,
    /// What is between them: one less than ports.
    pub links: Vec<(Mode, Link)>,
}

/// What the parts of one program are in another; nothing for those that are not there.
pub struct Renumbering<'a> {
    /// Locations.
    pub location: &'a dyn Fn(Location) -> Option<Location>,
    /// Edges.
    pub edge: &'a dyn Fn(Edge) -> Option<Edge>,
    /// Variables.
    pub var: &'a dyn Fn(Var) -> Option<Var>,
    /// Errors.
    pub error: &'a dyn Fn(Error) -> Option<Error>,
}

impl LeapCertificate {
    /// The chain as one of another program, whose formulas have the same symbols.
    pub fn renumbered(&self, to: &Renumbering<'_>) -> Option<LeapCertificate> {
        let mut chain = self.clone();
        chain.error = (to.error)(chain.error)?;
        for plan in chain.plans.values_mut() {
            if let PlanData::Edge(edge) | PlanData::Then(_, edge) = plan {
                *edge = (to.edge)(*edge)?;
            }
        }
        for data in chain.moves.values_mut() {
            data.source = (to.location)(data.source)?;
            data.target = (to.location)(data.target)?;
        }
        for port in &mut chain.ports {
            port.location = (to.location)(port.location)?;
        }
        for (_, link) in &mut chain.links {
            let Link::Leap(leap) = link else { continue };
            for port in &mut leap.region {
                port.location = (to.location)(port.location)?;
            }
            for var in &mut leap.hidden {
                *var = (to.var)(*var)?;
            }
            for bound in &mut leap.bounds {
                bound.var = (to.var)(bound.var)?;
                bound.location = (to.location)(bound.location)?;
            }
        }
        Some(chain)
    }
}

/// A run along a chain of ports.
#[derive(Clone, Debug)]
pub struct LeapRun {
    /// The trace, if it is short enough to be followed.
    pub counterexample: Option<Counterexample>,
    /// How often each leap of the chain goes round, in their order.
    pub rounds: Vec<Integer>,
    /// The state at each port of the chain.
    pub at_ports: Vec<Model>,
}

/// What shows that an error is reachable by leaps.
#[derive(Clone, Debug)]
pub struct LeapEvidence {
    /// The chain, to be checked.
    pub certificate: LeapCertificate,
    /// A run along it, if it can be followed or solved for.
    pub run: Option<LeapRun>,
}
