//! What plain ranks cannot say: pieces of the state space.
//!
//! [`conditions`] are comparisons that the transitions of a component make. Each gives two more features: whether it holds,
//! as 0 or 1, and how much its left-hand side is above its right-hand side, cut off at zero. Ranks over them are
//! piecewise affine; minima, absolute values and phases that a condition tells apart are among them. [`remainders`] are
//! features as they are.
//!
//! [`split`] divides a cube in which an integer unknown has only a few values: over the rationals there may be
//! transitions between them that the program does not have. That is so only if another constraint ties the unknown to
//! others.

use super::cubes::Cube;
use super::limits;
use super::transitions::Transition;
use logic::farkas::{Constraint, Relation};
use logic::{Linear, Op, Rational, Sort, Term, Terms};
use num_traits::{One, Zero};
use program::Program;

/// Differences whose signs the transitions ask for, as terms over the state, most frequent first.
pub fn conditions(program: &Program, transitions: &[Transition], sort: Sort, terms: &mut Terms) -> Vec<Term> {
    let mut found: Vec<(Term, usize)> = Vec::new();
    for transition in transitions {
        let mut atoms = Vec::new();
        terms.for_each_subterm(&transition.roots(), |term| {
            let compares = matches!(terms.op(term), Op::Le | Op::Lt | Op::Eq);
            if compares && terms.sort_of(terms.args(term)[0]) == sort && terms.is_closed(term) {
                atoms.push(term);
            }
        });
        for atom in atoms {
            let symbols = terms.free_symbols(atom);
            if symbols.is_empty()
                || symbols.iter().any(|&symbol| program.variables.of_symbol(symbol).is_none())
            {
                continue;
            }
            let (left, right) = (terms.args(atom)[0], terms.args(atom)[1]);
            let mut differences = vec![terms.sub(left, right)];
            if terms.op(atom) == Op::Eq {
                // What is different is above or below.
                differences.push(terms.sub(right, left));
            }
            for difference in differences {
                match found.iter_mut().find(|(known, _)| *known == difference) {
                    Some((_, count)) => *count += 1,
                    None => found.push((difference, 1)),
                }
            }
        }
    }
    // Bounds of machine types tell nothing apart that a rank could use.
    let large = Rational::from_integer(1_000_000.into());
    found.retain(|&(difference, _)| {
        let constant = terms.linear(difference).constant;
        constant < large && constant > -large.clone()
    });
    found.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    found.into_iter().take(limits::MOST_PIECES).map(|(difference, _)| difference).collect()
}

/// The remainders by numbers that the transitions ask for, as terms over the state.
pub fn remainders(program: &Program, transitions: &[Transition], sort: Sort, terms: &Terms) -> Vec<Term> {
    let mut found = Vec::new();
    for transition in transitions {
        terms.for_each_subterm(&transition.roots(), |term| {
            if terms.op(term) == Op::Mod
                && terms.sort_of(term) == sort
                && terms.is_closed(term)
                && terms.as_number(terms.args(term)[1]).is_some()
            {
                let symbols = terms.free_symbols(term);
                if symbols.iter().all(|&symbol| program.variables.of_symbol(symbol).is_some()) {
                    found.push(term);
                }
            }
        });
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(limits::MOST_REMAINDERS);
    found
}

/// The features of a condition.
pub fn features(difference: Term, sort: Sort, terms: &mut Terms) -> [Term; 2] {
    let (zero, one) = (terms.numeral(Rational::zero(), sort), terms.numeral(Rational::one(), sort));
    let not_above = terms.le(difference, zero);
    [terms.ite(not_above, one, zero), terms.ite(not_above, zero, difference)]
}

/// The parts of a cube for each value of an integer unknown that has only a few.
pub fn split(cube: &Cube, terms: &Terms) -> Option<Vec<Cube>> {
    let mut bounds: Vec<(Term, Option<Rational>, Option<Rational>)> = Vec::new();
    let tied = |unknown: Term| {
        let mut constraints = cube.linked.iter().filter(|constraint| constraint.form.monomials.len() > 1);
        constraints.any(|constraint| constraint.form.monomials.iter().any(|&(other, _)| other == unknown))
    };
    for Constraint { form, relation } in &cube.linked {
        let [(unknown, factor)] = &form.monomials[..] else { continue };
        if terms.sort_of(*unknown) != Sort::INT {
            continue;
        }
        let limit = -form.constant.clone() / factor;
        let position = match bounds.iter().position(|(known, ..)| known == unknown) {
            Some(position) => position,
            None => {
                bounds.push((*unknown, None, None));
                bounds.len() - 1
            }
        };
        let (_, low, high) = &mut bounds[position];
        let upper = *factor > Rational::zero();
        if *relation == Relation::Eq || upper {
            let limit = limit.floor();
            if high.as_ref().is_none_or(|known| limit < *known) {
                *high = Some(limit);
            }
        }
        if *relation == Relation::Eq || !upper {
            let limit = limit.ceil();
            if low.as_ref().is_none_or(|known| limit > *known) {
                *low = Some(limit);
            }
        }
    }
    let few = Rational::from_integer(limits::MOST_VALUES.into());
    let chosen = bounds.into_iter().find_map(|(unknown, low, high)| {
        let (low, high) = (low?, high?);
        let width = &high - &low;
        (width > Rational::zero() && width <= few && tied(unknown)).then_some((unknown, low, high))
    });
    let (unknown, low, high) = chosen?;
    let mut parts = Vec::new();
    let mut value = low;
    while value <= high {
        let mut part = cube.clone();
        let form = Linear { monomials: vec![(unknown, Rational::one())], constant: -value.clone() };
        let value_of_unknown = Constraint { form, relation: Relation::Eq };
        part.constraints.push(value_of_unknown.clone());
        part.linked.push(value_of_unknown);
        parts.push(part);
        value += Rational::one();
    }
    Some(parts)
}
