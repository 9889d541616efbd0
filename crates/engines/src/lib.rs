//! Verification engines, and what they share.
//!
//! An engine is one function from a program automaton to a [`Verdict`](program::Verdict). Engines do not import each
//! other; what they share is here:
//!
//! * [`context`]: the program, terms, solvers and budget of a job;
//! * [`traces`], [`trace_check`]: error traces, their SSA form, and whether they are feasible;
//! * [`edge_formula`], [`horn`]: edges as formulas and as Horn clauses;
//! * [`predicates`], [`hoare`]: formulas over the state, and Hoare triples over edges;
//! * [`interpolation`]: from an infeasible trace to inductive sequences of predicates;
//! * [`floyd_hoare`]: from such sequences to automata of infeasible traces;
//! * [`trace_abstraction`]: the refinement loop of papers "Nested Interpolants" and "Software Model Checking for
//!   People who Love Automata".

pub mod context;
pub mod edge_formula;
pub mod floyd_hoare;
pub mod hoare;
pub mod horn;
pub mod interpolation;
pub mod predicates;
pub mod trace_abstraction;
pub mod trace_check;
pub mod traces;
