//! The canonical interpolant automaton of a trace (paper "Nested Interpolants", Definition 8).
//!
//! One state per position. Besides the trace itself it has a transition from position i back behind an earlier
//! position j at the same location wherever the interpolants allow it, so loops of the program become loops of the
//! automaton. The number of triples to check is the number of repeated locations.

use crate::context::Context;
use crate::interpolation::Sequence;
use crate::traces::Trace;
use base::Interrupted;
use program::{EdgeKind, FloydHoareAutomaton};

/// The canonical automaton of a trace and an inductive sequence for it.
pub fn canonical(
    context: &mut Context<'_>,
    trace: &Trace,
    sequence: &Sequence,
) -> Result<FloydHoareAutomaton, Interrupted> {
    let program = context.program;
    let mut automaton = FloydHoareAutomaton::default();
    let mut states = Vec::with_capacity(sequence.predicates.len());
    for &set in &sequence.predicates {
        let formula = context.pool.conjunction(set, context.terms);
        states.push(automaton.states.push(formula));
    }
    automaton.initial.push(states[0]);
    for i in 0..trace.len() {
        for j in (0..=i).filter(|&j| trace.location(program, i) == trace.location(program, j)) {
            let edge = trace.edges[j];
            let call = trace.calls[j];
            let at_call = call.map(|position| sequence.predicates[position]);
            let (pre, post) = (sequence.predicates[i], sequence.predicates[j + 1]);
            if !context.is_valid(pre, at_call, edge, post)? {
                continue;
            }
            match (&program.edges[edge].kind, call) {
                (EdgeKind::Return(_), Some(call)) => {
                    automaton.returns.push((states[i], states[call], edge, states[j + 1]));
                }
                (EdgeKind::Call(_), _) => automaton.calls.push((states[i], edge, states[j + 1])),
                _ => automaton.internal.push((states[i], edge, states[j + 1])),
            }
        }
    }
    Ok(automaton)
}
