//! The automaton of a set of Hoare triples (paper "Software Model Checking for People who Love Automata", Section 3).
//!
//! One state per assertion, one transition per valid triple over the given assertions and edges. It is
//! nondeterministic. All triples are checked, so the cost is edges × assertions² (for returns, assertions³).

use crate::context::Context;
use crate::predicates::PredicateSet;
use base::Interrupted;
use program::{Edge, EdgeKind, FloydHoareAutomaton};

/// All valid triples over some assertions and edges. The assertions must include those of the pre/postcondition pair,
/// the empty set for `true` and the contradictory one for `false`.
pub fn from_triples(
    context: &mut Context<'_>,
    assertions: &[PredicateSet],
    edges: &[Edge],
) -> Result<FloydHoareAutomaton, Interrupted> {
    let program = context.program;
    let mut automaton = FloydHoareAutomaton::default();
    let mut states = Vec::with_capacity(assertions.len());
    for &set in assertions {
        let formula = context.pool.conjunction(set, context.terms);
        let state = automaton.states.push(formula);
        if context.pool.members(set).is_empty() {
            automaton.initial.push(state);
        }
        states.push(state);
    }
    for &edge in edges {
        let returns = matches!(program.edges[edge].kind, EdgeKind::Return(_));
        let is_call = matches!(program.edges[edge].kind, EdgeKind::Call(_));
        for (i, &pre) in assertions.iter().enumerate() {
            for (j, &post) in assertions.iter().enumerate() {
                if !fits(context, pre, program.edges[edge].source)
                    || !fits(context, post, program.edges[edge].target)
                {
                    continue;
                }
                if !returns {
                    if context.is_valid(pre, None, edge, post)? {
                        let list = if is_call { &mut automaton.calls } else { &mut automaton.internal };
                        list.push((states[i], edge, states[j]));
                    }
                    continue;
                }
                for (k, &call) in assertions.iter().enumerate() {
                    if context.is_valid(pre, Some(call), edge, post)? {
                        automaton.returns.push((states[i], states[k], edge, states[j]));
                    }
                }
            }
        }
    }
    Ok(automaton)
}

fn fits(context: &Context<'_>, set: PredicateSet, location: program::Location) -> bool {
    context.pool.members(set).iter().all(|&predicate| context.pool.fits(context.program, predicate, location))
}
