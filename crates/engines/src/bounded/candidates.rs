//! Facts that may hold whenever a round of a loop begins: those that hold in all runs that were looked at.
//!
//! Where they come from: the `where` clauses of variables, numbers that occur in the program, values that were seen, and
//! pairs of variables that were seen to be equal or in order (Ernst, Cockrell, Griswold, Notkin, "Dynamically Discovering
//! Likely Program Invariants"). Nothing is promised; who uses them has to show them.

use ir::induction::{Fact, Relation};
use ir::{BinaryOp, Expr, ExprData, Program, Variable};
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

/// Facts that hold in all samples about variables that the loop changes.
pub(super) fn facts(
    program: &Program,
    changed: &BTreeSet<Variable>,
    samples: &[Sample],
    numbers: &BTreeSet<i128>,
) -> Vec<Fact> {
    let known = |variable: Variable| samples.iter().all(|sample| sample.contains_key(&variable));
    let mut facts = Vec::new();
    let changed: Vec<Variable> = changed.iter().copied().filter(|&variable| known(variable)).collect();
    if samples.is_empty() {
        return facts;
    }
    for &variable in &changed {
        let values: BTreeSet<i128> = samples.iter().map(|sample| sample[&variable]).collect();
        facts.extend(range(program, variable));
        alone(variable, &values, numbers, &mut facts);
    }
    if changed.len() <= MOST_PAIRED {
        let others: Vec<Variable> = samples[0].keys().copied().filter(|&other| known(other)).collect();
        for &variable in &changed {
            for &other in others.iter().take(2 * MOST_PAIRED) {
                let twice = other <= variable && changed.contains(&other);
                if other != variable && !twice {
                    pair(variable, other, samples, &mut facts);
                }
            }
        }
    }
    let holds = |fact: &Fact| {
        samples.iter().all(|sample| fact.holds(|variable| sample.get(&variable).copied()) == Some(true))
    };
    facts.retain(holds);
    facts.truncate(MOST_FACTS);
    facts
}

/// What the `where` clause of a variable says if it names a least and a largest number.
fn range(program: &Program, variable: Variable) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut pending: Vec<Expr> = program.variables[variable].where_clause.into_iter().collect();
    let number = |expr: Expr| match &program.expressions[expr] {
        ExprData::Int(number) => number.to_i128(),
        _ => None,
    };
    let itself = |expr: Expr| matches!(program.expressions[expr], ExprData::Variable(v) if v == variable);
    while let Some(expr) = pending.pop() {
        match &program.expressions[expr] {
            ExprData::Binary(BinaryOp::And, a, b) => pending.extend([*a, *b]),
            ExprData::Binary(BinaryOp::LessEqual, low, own) if itself(*own) => {
                facts.extend(number(*low).map(|low| at_least(variable, low)));
            }
            ExprData::Binary(BinaryOp::LessEqual, own, high) if itself(*own) => {
                facts.extend(number(*high).map(|high| Fact::about(variable, Relation::AtMost(high))));
            }
            _ => {}
        }
    }
    facts
}

fn at_least(variable: Variable, bound: i128) -> Fact {
    let mut fact = Fact::about(variable, Relation::AtMost(-bound));
    fact.sum[0].factor = -1;
    fact
}

/// Facts about one variable.
fn alone(variable: Variable, values: &BTreeSet<i128>, numbers: &BTreeSet<i128>, facts: &mut Vec<Fact>) {
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
    facts.extend(bounds.into_iter().map(|bound| Fact::about(variable, Relation::AtMost(bound))));
    let below = numbers.range(..=low).rev().take(MOST_BOUNDS).copied();
    let mut bounds: BTreeSet<i128> = below.flat_map(|number| [number, number.saturating_add(1)]).collect();
    bounds.extend([low, 0]);
    let bounds = bounds.into_iter().filter(|&bound| bound > i128::MIN);
    facts.extend(bounds.map(|bound| at_least(variable, bound)));
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
