//! The program automaton: locations, edges, errors.

use crate::relation::Relation;
use crate::steps::{Origin, Origins};
use crate::variables::{Var, VarKind, Variables};
use base::{PrimaryMap, SecondaryMap, Span};
use ir::Procedure;
use logic::{Term, Terms};
use rustc_hash::FxHashMap;

base::id!(
    /// A control location.
    Location,
    "l"
);

base::id!(
    /// An edge of the automaton, which is also a letter of its alphabet.
    Edge,
    "e"
);

base::id!(
    /// Something that must not happen.
    Error,
    "error"
);

/// What is known about a location.
#[derive(Clone, Debug)]
pub struct LocationData {
    /// The procedure whose variables are in scope.
    pub procedure: Procedure,
    /// The place in the source that comes next.
    pub span: Span,
    /// The error that has happened here.
    pub error: Option<Error>,
}

/// Why an error is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// An assertion fails.
    Assert,
    /// A loop invariant that the user wrote does not hold.
    Invariant,
    /// A precondition does not hold at a call of this procedure.
    Requires(Procedure),
    /// A postcondition does not hold at the end of this procedure.
    Ensures(Procedure),
}

/// Something that must not happen.
#[derive(Clone, Debug)]
pub struct ErrorData {
    /// The location that is reached when it happens.
    pub location: Location,
    /// Why it is an error.
    pub kind: ErrorKind,
    /// The statement that fails: the assertion, the call, the return.
    pub span: Span,
    /// The condition that does not hold, in the source.
    pub condition: Span,
}

/// Passing control to a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The procedure that is called.
    pub callee: Procedure,
    /// The values of its parameters and of the old globals, over the caller's state. Other variables of the callee
    /// begin with arbitrary values; globals stay as they are.
    pub bindings: Vec<(Var, Term)>,
}

/// Coming back from a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReturnEdge {
    /// The call edge that it belongs to; its source is the hierarchical predecessor.
    pub call: Edge,
    /// Which variable of the caller gets which variable of the callee. Globals come from the callee, all other
    /// variables of the caller are what they were at the call.
    pub results: Vec<(Var, Var)>,
}

/// What an edge does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EdgeKind {
    /// Changes the state within a procedure.
    Internal(Relation),
    /// Passes control to a procedure.
    Call(Call),
    /// Comes back.
    Return(ReturnEdge),
}

/// An edge.
#[derive(Clone, Debug)]
pub struct EdgeData {
    /// Where it begins.
    pub source: Location,
    /// Where it ends.
    pub target: Location,
    /// What it does.
    pub kind: EdgeKind,
    /// The steps that it is made of.
    pub origin: Origin,
    /// Whether it allows more than the program does, so that an execution through it proves nothing.
    pub overapproximates: bool,
}

/// Where a procedure with a body begins and ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Calls lead here.
    pub entry: Location,
    /// Returns start here.
    pub exit: Location,
}

/// What a function without definition is in formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uninterpreted {
    /// It has no parameters.
    Symbol(logic::Symbol),
    /// It has parameters.
    Function(logic::Function),
}

/// A program as a nested word automaton. Its words are the runs that end in an error.
#[derive(Clone, Default, Debug)]
pub struct Program {
    /// The state.
    pub variables: Variables,
    /// The control locations.
    pub locations: PrimaryMap<Location, LocationData>,
    /// The edges. Those that no location lists as outgoing are no longer used.
    pub edges: PrimaryMap<Edge, EdgeData>,
    /// The edges that leave a location. A return leaves the exit of the callee.
    pub outgoing: SecondaryMap<Location, Vec<Edge>>,
    /// Where runs begin: with arbitrary values for everything.
    pub initial: Vec<Location>,
    /// What must not happen.
    pub errors: PrimaryMap<Error, ErrorData>,
    /// What holds of constants and functions in every run.
    pub axioms: Vec<Term>,
    /// The functions without definition, and what formulas call them.
    pub functions: Vec<(ir::Function, Uninterpreted)>,
    /// How edges are made of steps.
    pub origins: Origins,
    /// Where the procedures with bodies begin and end.
    pub frames: FxHashMap<Procedure, Frame>,
}

impl Program {
    /// Adds an edge.
    pub fn add_edge(&mut self, edge: EdgeData) -> Edge {
        let source = edge.source;
        let id = self.edges.push(edge);
        self.outgoing[source].push(id);
        id
    }

    /// The relation of an internal edge.
    pub fn relation(&self, edge: Edge) -> Option<&Relation> {
        match &self.edges[edge].kind {
            EdgeKind::Internal(relation) => Some(relation),
            _ => None,
        }
    }

    /// The call edge of a return edge, with its data.
    pub fn call_of(&self, returning: &ReturnEdge) -> (&EdgeData, &Call) {
        let edge = &self.edges[returning.call];
        match &edge.kind {
            EdgeKind::Call(call) => (edge, call),
            _ => unreachable!("a return belongs to a call edge"),
        }
    }

    /// The edges that are in use, in the order of their source locations.
    pub fn live_edges(&self) -> impl Iterator<Item = Edge> + '_ {
        self.locations.keys().flat_map(|location| self.outgoing[location].iter().copied())
    }

    /// The variables that can be spoken of at a location: constants, globals, old values, and the procedure's own.
    pub fn scope(&self, location: Location) -> impl Iterator<Item = Var> + '_ {
        let procedure = self.locations[location].procedure;
        let visible = move |kind: VarKind| !matches!(kind, VarKind::Local(owner) if owner != procedure);
        self.variables.iter().filter(move |(_, data)| visible(data.kind)).map(|(var, _)| var)
    }

    /// The conjunction of the axioms.
    pub fn background(&self, terms: &mut Terms) -> Term {
        terms.and(self.axioms.iter().copied())
    }
}
