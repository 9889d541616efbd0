//! The atoms of formulas, and the linear expressions that they compare with zero.

use logic::{Integer, Linear, Op, Rational, Sort, Term, Terms};
use num_traits::{One, Signed};

/// The atomic formulas of some formulas and terms, conditions inside terms included, sorted.
pub fn atoms(terms: &Terms, roots: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    terms.for_each_subterm(roots, |term| {
        let atom = match terms.op(term) {
            Op::And | Op::Or | Op::Not | Op::True | Op::False | Op::Ite | Op::Quantified(..) => false,
            Op::Eq => terms.sort_of(terms.args(term)[0]) != Sort::BOOL,
            _ => terms.sort_of(term) == Sort::BOOL,
        };
        if atom {
            found.push(term);
        }
    });
    found.sort_unstable();
    found.dedup();
    found.retain(|&atom| !is_open(terms, atom));
    found
}

/// Is there a bound variable in the term, so that it means nothing on its own?
pub fn is_open(terms: &Terms, term: Term) -> bool {
    let mut open = false;
    terms.for_each_subterm(&[term], |part| open |= matches!(terms.op(part), Op::Bound(_)));
    open
}

/// The integer expressions that atoms compare with zero, each once, without if-then-else.
pub fn linear_parts(terms: &Terms, roots: &[Term]) -> Vec<Linear> {
    let mut parts: Vec<Linear> = Vec::new();
    for atom in atoms(terms, roots) {
        let args = terms.args(atom);
        if !matches!(terms.op(atom), Op::Le | Op::Eq) || terms.sort_of(args[0]) != Sort::INT {
            continue;
        }
        let linear = terms.linear(args[0]).minus(&terms.linear(args[1]));
        let plain = linear.monomials.iter().all(|(term, _)| terms.op(*term) != Op::Ite);
        if plain && !linear.is_constant() && !parts.contains(&linear) {
            parts.push(linear);
        }
    }
    parts
}

/// The term `t` such that the expression is zero about where `value = t`: division rounds down.
pub fn solve(terms: &mut Terms, linear: &Linear, value: Term) -> Option<Term> {
    let coefficient = linear.coefficient(value)?.clone();
    let mut rest = linear.clone();
    rest.remove(value);
    rest.scale(&if coefficient.is_positive() { -Rational::one() } else { Rational::one() });
    let rest = terms.from_linear(&rest, Sort::INT);
    let divisor: Integer = coefficient.abs().to_integer();
    if divisor.is_one() {
        return Some(rest);
    }
    let divisor = terms.int(divisor);
    Some(terms.div(rest, divisor))
}
