//! Verification engines, and what they share.
//!
//! An engine is one function from a [`Task`] to a [`Verdict`](program::Verdict), and has a line in the [`table`].
//! Engines do not import each other; what they share is here:
//!
//! * [`task`], [`table`]: what every engine gets, and all of them in one place;
//! * [`context`]: the program, terms, solvers and budget of a job;
//! * [`crew`]: threads that do parts of one job at once;
//! * [`traces`], [`trace_check`]: error traces, their SSA form, and whether they are feasible;
//! * [`edge_formula`], [`horn`]: edges as formulas and as Horn clauses;
//! * [`predicates`], [`hoare`], [`implication`]: formulas over the state, Hoare triples over edges, and what implies what;
//! * [`houdini`]: of many candidates those that are inductive;
//! * [`interpolation`]: from an infeasible trace to inductive sequences of predicates;
//! * [`refutation`]: both together, as one step of a refinement loop;
//! * [`floyd_hoare`], [`remainder`]: from such sequences to automata of infeasible traces, and what they leave;
//! * [`annotation`], [`contracts`]: from a proof to invariants that people can read;
//! * [`available`]: conditions that were checked before and still hold;
//! * [`known`]: from formulas of an earlier proof to a proof;
//! * [`trace_abstraction`]: the refinement loop of papers "Nested Interpolants" and "Software Model Checking for
//!   People who Love Automata";
//! * [`abstract_interpretation`]: the facts of a static analysis as a proof, there Section 3;
//! * [`guessing`], [`quantified`]: invariants from runs, and about the cells of arrays;
//! * [`bounded`]: all executions to their ends, bit by bit;
//! * `any_number`: the recursive procedure whose summaries are invariants of any number of threads;
//! * [`thread_modular`]: such invariants from a fixed vocabulary;
//! * [`proof_spaces`]: such invariants from proofs of traces, by predicate automata;
//! * [`leaping`]: errors behind many loop iterations, of paper "Leaping Loops in the Presence of Abstraction";
//! * [`search`]: errors that are found by running the program;
//! * [`kojak`]: splitting and slicing on the program graph (paper "Splitting via Interpolants");
//! * [`impact`]: an unwinding tree with covering, as that paper compares itself with;
//! * [`predicate_abstraction`]: the predicate automaton, refined (paper "Nested Interpolants", Section 3.3).

pub mod abstract_interpretation;
mod alike;
pub mod annotation;
mod any_number;
pub mod available;
pub mod bounded;
pub mod context;
pub mod contracts;
pub mod crew;
pub mod edge_formula;
pub mod facts;
pub mod floyd_hoare;
pub mod guessing;
pub mod hoare;
pub mod horn;
pub mod houdini;
pub mod impact;
pub mod implication;
pub mod interpolation;
pub mod known;
pub mod kojak;
pub mod leaping;
mod live_variables;
pub mod liveness;
pub mod predicate_abstraction;
pub mod predicates;
pub mod proof_spaces;
mod pruning;
pub mod quantified;
pub mod refutation;
pub mod remainder;
#[cfg(test)]
mod samples;
pub mod search;
mod second_look;
pub mod table;
pub mod task;
pub mod termination;
pub mod thread_modular;
pub mod trace_abstraction;
pub mod trace_check;
pub mod traces;

pub use table::{Answers, Bits, Calls, ENGINES, Engine, engine};
pub use task::{Counted, Goal, Options, Progress, Round, Task};
