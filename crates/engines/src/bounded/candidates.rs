//! Facts that may hold whenever a round of a loop begins: those that hold in all runs that were looked at.
//!
//! Where they come from: the `where` clauses of variables, numbers that occur in the program, values that were seen, pairs of
//! variables that were seen to be equal or in order, equations between several (Ernst, Cockrell, Griswold, Notkin, "Dynamically Discovering
//! Likely Program Invariants"), and static analysis ([`super::analysed`]). Nothing is promised; who uses them has to show them.

use analysis::equalities::Equalities;
use analysis::form::{Dimension, Form};
use base::EntityRef;
use ir::induction::{Combined, Fact, Monomial, Relation};
use ir::{BinaryOp, Expr, ExprData, Program, Variable};
use logic::Rational;
use num_traits::ToPrimitive;
use std::collections::{BTreeMap, BTreeSet};

/// More facts than this are not tried for one loop.
const MOST_FACTS: usize = 160;
/// Of more variables than this no pairs are looked at.
const MOST_PAIRED: usize = 16;
/// So many different values of a variable are taken as all it has.
const FEW_VALUES: usize = 8;
/// Residues are looked at for powers of two up to this one.
const MOST_LOW_BITS: u32 = 6;
/// So many numbers of the program are tried as bounds of a variable.
const MOST_BOUNDS: usize = 4;

/// The values of variables at one beginning of a round.
pub(super) type Sample = BTreeMap<Variable, i128>;

/// All numbers that are written in the program, in ascending order.
pub(super) fn numbers(program: &Program) -> BTreeSet<i128> {
    let number = |data: &ExprData| match data {
        ExprData::Int(number) => number.to_i128(),
        ExprData::BitVec { value, .. } => value.to_i128(),
        _ => None,
    };
    program.expressions.iter().filter_map(|(_, node)| number(&node.data)).collect()
}

/// What the `where` clauses of variables that the loop changes say.
pub(super) fn ranges(program: &Program, changed: &BTreeSet<Variable>) -> Vec<Fact> {
    let range = |&variable: &Variable| {
        let (low, high) = range(program, variable)?;
        Some(Fact::about(variable, Relation::Between(low, high)))
    };
    changed.iter().filter_map(range).collect()
}

/// Facts that hold in all samples about variables that the loop changes; `known_facts` are such that somebody else has found.
pub(super) fn facts(
    program: &Program,
    changed: &BTreeSet<Variable>,
    (samples, known_facts): (&[Sample], &[Fact]),
    numbers: &BTreeSet<i128>,
) -> Vec<Fact> {
    let Some(first) = samples.first() else { return Vec::new() };
    let known = |variable: Variable| samples.iter().all(|sample| sample.contains_key(&variable));
    let varies = |variable: Variable| samples.iter().any(|sample| sample[&variable] != first[&variable]);
    let mut facts = Vec::new();
    let changed: Vec<Variable> = changed.iter().copied().filter(|&variable| known(variable)).collect();
    for &variable in &changed {
        let values: BTreeSet<i128> = samples.iter().map(|sample| sample[&variable]).collect();
        let range = range(program, variable);
        // What is known of all its values comes first: it makes numbers narrow, and all other facts easier to show.
        facts.extend(range.map(|(low, high)| Fact::about(variable, Relation::Between(low, high))));
        alone((variable, range), &values, numbers, &mut facts);
    }
    if changed.len() <= MOST_PAIRED {
        let useful = |&other: &Variable| known(other) && (changed.contains(&other) || varies(other));
        let others: Vec<Variable> = first.keys().copied().filter(useful).collect();
        for &variable in &changed {
            for &other in others.iter().take(2 * MOST_PAIRED) {
                let twice = other <= variable && changed.contains(&other);
                if other != variable && !twice {
                    pair(variable, other, samples, &mut facts);
                }
            }
        }
    }
    facts.extend(equations(&changed, samples));
    let is_changed = |fact: &&Fact| fact.variables().any(|variable| changed.contains(&variable));
    for fact in known_facts.iter().filter(is_changed) {
        if !facts.contains(fact) {
            facts.push(fact.clone());
        }
    }
    let holds = |fact: &Fact| {
        samples.iter().all(|sample| fact.holds(|variable| sample.get(&variable).copied()) == Some(true))
    };
    facts.retain(holds);
    facts.truncate(MOST_FACTS);
    facts
}

/// All linear equations between several variables that hold in all samples: the affine hull of these (Karr). They are those that an
/// analysis loses where it cannot exclude that a number wraps around.
fn equations(variables: &[Variable], samples: &[Sample]) -> Vec<Fact> {
    let varies =
        |variable: &&Variable| samples.iter().any(|sample| sample[*variable] != samples[0][*variable]);
    let variables: Vec<Variable> = variables.iter().filter(varies).take(MOST_PAIRED).copied().collect();
    let values = |sample: &Sample| {
        variables.iter().map(|variable| Rational::from_integer(sample[variable].into())).collect()
    };
    let mut hull: Option<Equalities> = None;
    for sample in samples {
        let values: Vec<Rational> = values(sample);
        let mut point = Equalities::default();
        for (position, value) in values.into_iter().enumerate() {
            let mut form = Form::dimension(Dimension::new(position));
            form.constant = -value;
            // Every dimension occurs once, so nothing contradicts anything.
            let _ = point.add(&form, true);
        }
        match &mut hull {
            Some(hull) if point.is_in(hull) => {}
            Some(hull) => hull.join(&point),
            None => hull = Some(point),
        }
    }
    let rows = hull.iter().flat_map(|hull| hull.rows());
    rows.filter(|row| row.monomials.len() > 1)
        .filter_map(|row| equation(&variables, row.clone().integral()))
        .collect()
}

/// The fact that a form over variables is zero, if its numbers are small.
fn equation(variables: &[Variable], form: Form) -> Option<Fact> {
    let monomial = |(dimension, factor): &(Dimension, Rational)| {
        let factor = if factor.is_integer() { factor.numer().to_i64()? } else { return None };
        Some(Monomial { factor, variable: variables[dimension.index()] })
    };
    let sum: Option<Vec<Monomial>> = form.monomials.iter().map(monomial).collect();
    let constant = if form.constant.is_integer() { form.constant.numer().to_i128()? } else { return None };
    Some(Fact { of: Combined::Sum(sum?), relation: Relation::Equal(constant.checked_neg()?) })
}

/// The least and the largest number that the `where` clause of a variable names.
pub(super) fn range(program: &Program, variable: Variable) -> Option<(i128, i128)> {
    let expressions = &program.expressions;
    let ExprData::Binary(BinaryOp::And, left, right) =
        &expressions[program.variables[variable].where_clause?]
    else {
        return None;
    };
    let (ExprData::Binary(BinaryOp::LessEqual, low, own), ExprData::Binary(BinaryOp::LessEqual, same, high)) =
        (&expressions[*left], &expressions[*right])
    else {
        return None;
    };
    let itself = |expr: Expr| matches!(expressions[expr], ExprData::Variable(v) if v == variable);
    let number = |expr: Expr| match &expressions[expr] {
        ExprData::Int(number) => number.to_i128(),
        _ => None,
    };
    (itself(*own) && itself(*same)).then_some(())?;
    Some((number(*low)?, number(*high)?))
}

/// Facts about one variable with its range.
fn alone(
    (variable, range): (Variable, Option<(i128, i128)>),
    values: &BTreeSet<i128>,
    numbers: &BTreeSet<i128>,
    facts: &mut Vec<Fact>,
) {
    let (Some(&low), Some(&high)) = (values.first(), values.last()) else { return };
    if values.len() == 1 {
        facts.push(Fact::about(variable, Relation::Equal(low)));
    } else if values.len() <= FEW_VALUES {
        facts.push(Fact::about(variable, Relation::OneOf(values.iter().copied().collect())));
    }
    // The next numbers of the program above and below what was seen, and those beside them.
    let above = numbers.range(high..).take(MOST_BOUNDS).copied();
    let mut bounds: BTreeSet<i128> = above.flat_map(|number| [number, number.saturating_sub(1)]).collect();
    bounds.insert(high);
    bounds.retain(|&bound| range.is_none_or(|(_, most)| bound < most));
    facts.extend(bounds.into_iter().map(|bound| Fact::about(variable, Relation::AtMost(bound))));
    let below = numbers.range(..=low).rev().take(MOST_BOUNDS).copied();
    let mut bounds: BTreeSet<i128> = below.flat_map(|number| [number, number.saturating_add(1)]).collect();
    bounds.extend([low, 0]);
    bounds.retain(|&bound| range.is_none_or(|(least, _)| bound > least));
    facts.extend(bounds.into_iter().map(|bound| Fact::about(variable, Relation::AtLeast(bound))));
    for bits in 1..=MOST_LOW_BITS {
        let modulus = 1 << bits;
        facts.push(Fact::about(variable, Relation::Residue { modulus, residue: low.rem_euclid(modulus) }));
    }
    facts.push(Fact::about(variable, Relation::Unequal(0)));
}

/// Facts about two variables.
fn pair(variable: Variable, other: Variable, samples: &[Sample], facts: &mut Vec<Fact>) {
    let difference = |sample: &Sample| sample[&variable].checked_sub(sample[&other]);
    let Some(first) = difference(&samples[0]) else { return };
    facts.push(Fact::difference(variable, other, Relation::Equal(first)));
    facts.push(Fact::difference(variable, other, Relation::AtMost(0)));
    facts.push(Fact::difference(other, variable, Relation::AtMost(0)));
}
