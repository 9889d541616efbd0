//! Implicants: a conjunction of literals that a model satisfies and that implies a formula.

use super::split::split;
use crate::evaluate::Evaluator;
use crate::model::Model;
use crate::nnf::nnf;
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::{Op, Term, Terms};
use rustc_hash::FxHashSet;

/// Literals that hold in the model and together imply the formulas. Terms that hide a variable are split as the model says.
/// None if the model does not satisfy the formulas, or the evaluator cannot tell, or a variable stands inside a quantifier.
pub(super) fn implicant(
    terms: &mut Terms,
    model: &Model,
    formulas: impl IntoIterator<Item = Term>,
    variables: &[Symbol],
) -> Option<Vec<Term>> {
    let mut evaluator = Evaluator::new(model);
    let mut pending: Vec<Term> = formulas.into_iter().collect();
    pending.reverse();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut literals: Vec<Term> = Vec::new();
    while let Some(formula) = pending.pop() {
        if !seen.insert(formula) {
            continue;
        }
        if !evaluator.evaluate(terms, formula).ok()?.is_true() {
            return None;
        }
        match terms.op(formula) {
            Op::True => {}
            Op::And => pending.extend(terms.args(formula).iter().rev()),
            Op::Or => {
                let mut chosen = None;
                for disjunct in terms.args(formula).to_vec() {
                    if !evaluator.evaluate(terms, disjunct).ok()?.is_true() {
                        continue;
                    }
                    // A disjunct without the variables costs nothing later.
                    let free = !mentions_any(terms, disjunct, variables);
                    if chosen.is_none() || free {
                        chosen = Some(disjunct);
                    }
                    if free {
                        break;
                    }
                }
                pending.push(chosen.expect("a true disjunction has a true disjunct"));
            }
            _ if is_literal(terms, formula) => match split(terms, formula, variables) {
                None if has_hidden_quantifier(terms, formula, variables) => return None,
                None => literals.push(formula),
                Some(parts) => {
                    if evaluator.evaluate(terms, parts.condition).ok()?.is_true() {
                        pending.extend([parts.then, parts.condition]);
                    } else {
                        pending.extend([parts.otherwise, terms.not(parts.condition)]);
                    }
                }
            },
            _ => {
                let normal = nnf(terms, formula);
                if normal == formula {
                    return None;
                }
                pending.push(normal);
            }
        }
    }
    Some(literals)
}

fn is_literal(terms: &Terms, formula: Term) -> bool {
    let atom = if terms.op(formula) == Op::Not { terms.args(formula)[0] } else { formula };
    match terms.op(atom) {
        Op::And | Op::Or | Op::Ite => false,
        Op::Eq => terms.sort_of(terms.args(atom)[0]) != Sort::BOOL,
        _ => true,
    }
}

fn has_hidden_quantifier(terms: &Terms, formula: Term, variables: &[Symbol]) -> bool {
    terms.has_quantifier(formula) && mentions_any(terms, formula, variables)
}

/// Does a term mention one of the variables?
pub(super) fn mentions_any(terms: &Terms, term: Term, variables: &[Symbol]) -> bool {
    let mut found = false;
    terms.for_each_subterm(&[term], |t| found |= terms.as_symbol(t).is_some_and(|s| variables.contains(&s)));
    found
}
