//! What engines answer. No verdict comes without its evidence.

use crate::automaton::{Edge, Error};
use crate::leap::LeapEvidence;
use crate::termination::{Recurrence, TerminationProof};
use base::{Limit, PrimaryMap, Span};
use logic::{Model, Term};
use std::fmt;

/// The answer to "can an assertion ever fail?".
#[derive(Debug)]
pub enum Verdict {
    /// No error can be reached.
    Safe(Proof),
    /// An error can be reached.
    Unsafe(Counterexample),
    /// An error can be reached by leaps over loops.
    Leaps(Box<LeapEvidence>),
    /// No error can be reached, because the program ends after so many iterations of its loops.
    Unwound(Box<Unwinding>),
    /// An error is reached by a run that was found by running.
    Run(Box<ConcreteRun>),
    /// All runs end.
    Terminates(TerminationProof),
    /// A run never ends.
    Recurs(Box<Recurrence>),
    /// It was not found out.
    Unknown(Reason),
}

base::id!(
    /// A state of a Floyd-Hoare automaton.
    State,
    "q"
);

/// A Floyd-Hoare automaton (paper "Software Model Checking for People who Love Automata", Section 2): every state
/// is labelled with a formula, every transition is a valid Hoare triple, initial states are labelled `true` and
/// accepting states `false`. So every word that it accepts is infeasible.
#[derive(Clone, Default, Debug)]
pub struct FloydHoareAutomaton {
    /// The formulas of the states.
    pub states: PrimaryMap<State, Term>,
    /// The initial states.
    pub initial: Vec<State>,
    /// Transitions at internal edges.
    pub internal: Vec<(State, Edge, State)>,
    /// Transitions at calls.
    pub calls: Vec<(State, Edge, State)>,
    /// Transitions at returns: linear predecessor, hierarchical predecessor, edge, successor.
    pub returns: Vec<(State, State, Edge, State)>,
}

/// A proof: every error trace of the program is accepted by one of the automata (there, Theorem 2).
#[derive(Clone, Default, Debug)]
pub struct Proof {
    /// The automata, in the order in which they were found.
    pub automata: Vec<FloydHoareAutomaton>,
}

/// A feasible error trace: the edges, and a model of their SSA form.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The error that is reached.
    pub error: Error,
    /// The edges of the trace.
    pub edges: Vec<Edge>,
    /// For every edge the values of its auxiliary constants and of the state's symbols before it.
    pub states: Vec<Model>,
}

/// A run of the source program that fails: what was decided where the program leaves something open.
#[derive(Clone, Debug)]
pub struct ConcreteRun {
    /// The procedure in which it begins.
    pub procedure: ir::Procedure,
    /// The values that are not the default of their variable, each with its position among all values that the
    /// interpreter asks for.
    pub values: Vec<(u64, ir::interpreter::Value)>,
    /// The targets of all jumps with a choice, in order.
    pub targets: Vec<u32>,
}

/// A proof by following all executions to their ends, or by induction over the rounds of loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unwinding {
    /// One for every procedure in which executions begin.
    pub entries: Vec<EntryUnwinding>,
}

/// How the executions of one procedure were followed, and why none of them fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryUnwinding {
    /// The procedure.
    pub procedure: ir::Procedure,
    /// The loops that are not followed to their ends but shown by induction.
    pub inductions: Vec<ir::induction::Induction>,
    /// What became of paths that meet.
    pub paths: ir::claims::Paths,
    /// How many statements there are when all of them are followed.
    pub steps: u64,
    /// What is claimed on the way, in order: where loops and recursions end, and what values can be.
    pub claims: Vec<ir::claims::Claim>,
    /// Why nothing fails, and why the claims hold: a refutation of the clauses of the unwinding.
    pub proof: sat::Proof,
}

/// Why there is no verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A limit of the run was reached.
    Limit(Limit),
    /// The solver could not say whether a trace is feasible.
    TraceCheck(String),
    /// A trace is infeasible, but no useful proof of that was found.
    Interpolation(String),
    /// An execution exists only through a part of the program that is known imprecisely; where the block of it begins.
    Overapproximation(Span),
    /// The interpreter did not follow the execution that the solver found.
    NotReplayed(String),
    /// What is known at some assertions does not exclude that they fail.
    NotShown {
        /// Where the first of them is.
        first: Option<Span>,
        /// How many more there are.
        others: usize,
    },
    /// No way was found to leap over the loops: the condition that failed.
    NoLeap(String),
    /// No run was found that fails.
    NoRun(String),
    /// A proof was found, but the solver could not confirm all of it when it was checked.
    NotConfirmed(String),
    /// The Horn solver has no answer, or none that can be used.
    HornSolver(String),
    /// It was not found out whether all runs end; why.
    Termination(String),
    /// The engine does not handle this program.
    Unsupported(String),
    /// A procedure calls itself, and this engine cannot handle that.
    Recursion(&'static str),
}

impl Reason {
    /// The place in the source that the reason speaks of, if there is one.
    pub fn place(&self) -> Option<Span> {
        match self {
            Reason::Overapproximation(span) => Some(*span),
            Reason::NotShown { first, .. } => *first,
            _ => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Limit(limit) => write!(f, "{limit}"),
            Reason::TraceCheck(why) => write!(f, "cannot decide whether a trace is feasible: {why}"),
            Reason::Interpolation(why) => write!(f, "no proof found for an infeasible trace: {why}"),
            Reason::Overapproximation(_) => {
                f.write_str("an error is only reachable through an overapproximated statement")
            }
            Reason::NotReplayed(why) => write!(f, "the counterexample could not be replayed: {why}"),
            Reason::NotShown { others: 0, .. } => f.write_str("the facts found do not show an assertion"),
            Reason::NotShown { others, .. } => {
                write!(f, "the facts found do not show an assertion and {others} more")
            }
            Reason::NoLeap(what) => write!(f, "no leap to an error found: {what}"),
            Reason::NoRun(why) => write!(f, "no run that fails was found: {why}"),
            Reason::NotConfirmed(why) => write!(f, "the proof could not be confirmed: {why}"),
            Reason::HornSolver(why) => write!(f, "no answer of the Horn solver: {why}"),
            Reason::Termination(why) => write!(f, "cannot decide whether all runs end: {why}"),
            Reason::Unsupported(what) => write!(f, "unsupported: {what}"),
            Reason::Recursion(engine) => write!(f, "recursion is not supported by {engine}"),
        }
    }
}
