//! Programs as nested word automata (paper "Nested Interpolants", Definition 1).
//!
//! [`build`] turns an `ir` program into a [`Program`]: control locations, and edges that are its letters.
//! An internal edge carries a [`Relation`]; a call edge passes arguments, a return edge knows its call
//! location. Every assertion has an error location of its own.
//!
//! * [`variables`]: the state, and the symbols by which formulas speak of it;
//! * [`relation`]: what an edge does, with sequential and choice composition;
//! * [`expressions`]: `ir` expressions as terms;
//! * [`build`]: from control-flow graphs to the automaton;
//! * [`stages`]: which kind of program it is, single steps or blocks, as types;
//! * [`unfolding`]: names for the copies of procedures where calls are unfolded;
//! * [`leap`]: evidence that an error is reachable through loops;
//! * [`termination`]: evidence that all runs end, or that one does not;
//! * [`mod@print`]: the automaton as text and as a graph;
//! * [`verdict`]: what engines answer, with the evidence.

pub mod automaton;
pub mod build;
pub mod expressions;
pub mod leap;
pub mod print;
pub mod relation;
pub mod stages;
pub mod steps;
pub mod termination;
pub mod unfolding;
pub mod variables;
pub mod verdict;

pub use automaton::{
    Call, Edge, EdgeKind, Error, ErrorData, ErrorKind, Location, LocationData, Program, ReturnEdge,
    Uninterpreted,
};
pub use build::build;
pub use leap::{LeapCertificate, LeapEvidence};
pub use relation::Relation;
pub use stages::{BlockProgram, SingleSteps};
pub use steps::{Origin, Origins, Step};
pub use termination::{
    Covering, Module, ModuleState, RankedNode, Recurrence, RecurrentSet, RecurrentWay, TerminationProof,
};
pub use unfolding::{Activation, ActivationData, Place, Unfolding};
pub use variables::{Var, VarKind, Variables};
pub use verdict::{
    ConcreteRun, Counterexample, EntryUnwinding, FloydHoareAutomaton, Proof, Reason, Unwinding, Verdict,
};
