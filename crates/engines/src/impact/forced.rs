//! Forced covering: what must hold along a path so that a formula holds at its end.
//!
//! The formulas are weakest preconditions, front part by back part. A path whose formulas become quantified or large
//! is given up: covering would cost more than it saves.

use crate::context::Context;
use base::Interrupted;
use logic::{Quantifier, Term};
use program::{Edge, EdgeKind};

/// Formulas larger than this are not forced: the query would cost more than the vertices that a cover saves.
const LARGEST: usize = 200;

/// For each edge the formula before it, such that `goal` holds after the last one; none if there is no simple one.
pub(super) fn preconditions(
    context: &mut Context<'_>,
    edges: &[Edge],
    goal: Term,
) -> Result<Option<Vec<Term>>, Interrupted> {
    let program = context.program;
    let mut formulas = vec![goal];
    for &edge in edges.iter().rev() {
        context.budget.check()?;
        let EdgeKind::Internal(relation) = &program.edges[edge].kind else { return Ok(None) };
        let after = *formulas.last().expect("the goal is there");
        let terms = &mut *context.terms;
        let updated = relation.substitution(&program.variables).apply(terms, after);
        let refuted = terms.not(updated);
        let possible = terms.and([relation.guard, refuted]);
        let exists = terms.quantify(Quantifier::Exists, &relation.auxiliaries, possible, &[]);
        let before = terms.not(exists);
        if terms.has_quantifier(before) || terms.dag_size(before) > LARGEST {
            return Ok(None);
        }
        formulas.push(before);
    }
    formulas.reverse();
    formulas.pop();
    Ok(Some(formulas))
}
