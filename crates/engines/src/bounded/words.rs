//! Facts about bits that may hold whenever a round of a loop begins: those that hold in all runs that were looked at.
//!
//! What is looked for: bits that never change (masks), pairs of flags that are never seen in some combination, words with one
//! bit (`x & (x - 1) = 0`) or with all low bits (`x & (x + 1) = 0`), parities; of two words, where they agree or are opposite
//! (`x ^ y`), where never both are set (`x & y`), where one is contained in the other (`x & ~y`), also if one is
//! shifted; and sums modulo two of several words, which are the affine hull of the samples over the field of two elements.
//!
//! Nothing is promised; who uses them has to show them. Masks are meant to be made smaller by what refutes them ([`weaker`]), so one
//! fact stands for many. Costs: pairs of words times samples.

use super::candidates::{self, Sample};
use crate::liveness::Liveness;
use ir::induction::{Combined, Fact, Induction, Relation, Shifted};
use ir::{BinaryOp, Builtin, ExprData, Meaning, Program, StatementKind, TypeData, Variable};
use num_traits::ToPrimitive;
use std::collections::BTreeSet;

/// More facts than this are not tried for one loop.
const MOST_FACTS: usize = 240;
/// So many words are compared with each other.
const MOST_WORDS: usize = 10;
/// So many flags of a word are looked at in pairs.
const MOST_FLAGS: usize = 10;
/// A number with more ones than this is not a set of flags.
const FEW_ONES: u32 = 3;
/// So many distances are tried by which words may be shifted.
const MOST_SHIFTS: usize = 4;
/// Shifted words that agree in fewer places agree by chance.
const LEAST_AGREEMENT: u32 = 8;
/// Words have at most so many bits.
const WIDEST: u32 = 64;

/// Whether a program computes with bits: by operations of bit-vectors, or by divisions by powers of two.
pub(super) fn matter(program: &Program) -> bool {
    let operation = |meaning: &Meaning| {
        matches!(meaning, Meaning::Builtin(Builtin::BitVecBinary(_) | Builtin::BitVecUnary(_)))
    };
    program.functions.values().any(|function| operation(&function.meaning))
        || program.expressions.iter().any(|(_, node)| match &node.data {
            ExprData::Binary(BinaryOp::IntDivide | BinaryOp::Modulo, _, by) => {
                match &program.expressions[*by] {
                    ExprData::Int(by) => by.to_i128().is_some_and(|by| by > 1 && by.count_ones() == 1),
                    _ => false,
                }
            }
            _ => false,
        })
}

/// A variable with what its samples show.
struct Seen {
    variable: Variable,
    /// All of its bits.
    width: i128,
    /// The bits that are set in all samples, and those that are set in none.
    ones: i128,
    zeros: i128,
    values: Vec<i128>,
}

impl Seen {
    fn word(&self) -> Shifted {
        Shifted::plain(self.variable)
    }
}

/// Facts about bits that hold in all samples, for a loop that changes some variables.
pub(super) fn facts(
    program: &Program,
    induction: &Induction,
    changed: &BTreeSet<Variable>,
    samples: &[Sample],
    numbers: &BTreeSet<i128>,
) -> Vec<Fact> {
    let words = words(program, induction, changed, samples);
    let mut facts = Vec::new();
    let is_changed = |word: &Seen| changed.contains(&word.variable);
    for word in words.iter().filter(|word| is_changed(word)) {
        alone(word, numbers, &mut facts);
    }
    let shifts = shifts(numbers);
    for (at, word) in words.iter().enumerate() {
        for other in words[at + 1..].iter().filter(|other| is_changed(word) || is_changed(other)) {
            pair(word, other, &shifts, &mut facts);
        }
    }
    sums(&words, &shifts, &mut facts);
    let holds = |fact: &Fact| {
        fact.variables().any(|variable| changed.contains(&variable))
            && samples
                .iter()
                .all(|sample| fact.holds(|variable| sample.get(&variable).copied()) == Some(true))
    };
    facts.retain(holds);
    facts.truncate(MOST_FACTS);
    facts
}

/// The variables that matter at the head of the loop, are known in all samples and have more than one value; those that the loop changes
/// come first.
fn words(
    program: &Program,
    induction: &Induction,
    changed: &BTreeSet<Variable>,
    samples: &[Sample],
) -> Vec<Seen> {
    let (Some(first), Some(body)) = (samples.first(), &program.procedures[induction.procedure].body) else {
        return Vec::new();
    };
    let liveness = Liveness::new(program, induction.procedure, body);
    let live = liveness.of_block(body, induction.head).into_iter().next().unwrap_or_default();
    // What only the environment chooses in the loop is new in every round.
    let statements = body.blocks.values().flat_map(|block| &block.statements);
    let computed: BTreeSet<Variable> = statements
        .flat_map(|statement| match &statement.kind {
            StatementKind::Assign(assignments) => assignments.iter().map(|&(target, _)| target).collect(),
            StatementKind::Call { results, .. } => results.to_vec(),
            _ => Vec::new(),
        })
        .collect();
    let matters = |variable: Variable| {
        let is_computed = !changed.contains(&variable) || computed.contains(&variable);
        program.globals.contains(&variable) || live.contains(variable) && is_computed
    };
    let all = first.keys().copied().filter(|&variable| matters(variable));
    let mut seen: Vec<Seen> = all.filter_map(|variable| seen(program, variable, samples)).collect();
    seen.retain(|word| word.values.iter().any(|value| *value != word.values[0]));
    seen.sort_by_key(|word| !changed.contains(&word.variable));
    seen.truncate(MOST_WORDS);
    seen
}

fn seen(program: &Program, variable: Variable, samples: &[Sample]) -> Option<Seen> {
    let values: Vec<i128> =
        samples.iter().map(|sample| sample.get(&variable).copied()).collect::<Option<_>>()?;
    let data = &program.variables[variable];
    let bits = |number: i128| i128::BITS - if number < 0 { !number } else { number }.leading_zeros();
    let width = match (&program.types[data.ty], candidates::range(program, variable)) {
        (TypeData::Bool, _) => 1,
        (TypeData::BitVec(width), _) => *width,
        (_, Some((low, high))) => bits(low).max(bits(high)) + u32::from(low < 0),
        _ => values.iter().map(|&value| bits(value)).max()?.next_multiple_of(8),
    };
    let width = (1 << width.clamp(1, WIDEST)) - 1;
    let ones = values.iter().fold(width, |ones, value| ones & value);
    let zeros = values.iter().fold(width, |zeros, value| zeros & !value);
    Some(Seen { variable, width, ones, zeros, values })
}

/// Facts about one word.
fn alone(word: &Seen, numbers: &BTreeSet<i128>, facts: &mut Vec<Fact>) {
    let Seen { variable, width, ones, zeros, .. } = *word;
    let about = |relation: Relation| Fact::about(variable, relation);
    let mask = ones | zeros;
    if mask != 0 {
        facts.push(about(Relation::Bits { mask, value: ones }));
    }
    for plus in [-1, 1] {
        let of = Combined::And(vec![word.word(), Shifted { plus, ..word.word() }]);
        facts.push(Fact { of, relation: Relation::Equal(0) });
    }
    for odd in [false, true] {
        facts.push(about(Relation::Parity { mask: width, odd }));
    }
    let open = width & !mask;
    let few = |number: &&i128| **number > 0 && number.count_ones() <= FEW_ONES;
    let named = numbers.iter().filter(few).fold(0, |all, number| all | number) & open;
    let flags = (0..WIDEST).map(|at| 1_i128 << at).filter(|flag| named & flag != 0);
    let flags: Vec<i128> = flags.take(MOST_FLAGS).collect();
    for (at, &flag) in flags.iter().enumerate() {
        for &other in &flags[at + 1..] {
            let mask = flag | other;
            for value in [mask, flag, other, 0] {
                if word.values.iter().all(|number| number & mask != value) {
                    facts.push(about(Relation::OtherBits { mask, value }));
                }
            }
        }
    }
}

/// Facts about two words.
fn pair(word: &Seen, other: &Seen, shifts: &[i32], facts: &mut Vec<Fact>) {
    let values = || word.values.iter().copied().zip(other.values.iter().copied());
    let width = word.width & other.width;
    let either = (word.ones | word.zeros) & (other.ones | other.zeros);
    let mut claim = |of: Combined, mask: i128, value: i128| {
        if mask != 0 {
            facts.push(Fact { of, relation: Relation::Bits { mask, value: value & mask } });
        }
    };
    let (a, b) = (word.word(), other.word());
    let first = word.values[0] ^ other.values[0];
    let same = values().fold(width, |same, (x, y)| same & !(x ^ y ^ first));
    claim(Combined::Xor(vec![a, b]), same & !either, first);
    let apart = values().fold(width, |apart, (x, y)| apart & !(x & y));
    claim(Combined::And(vec![a, b]), apart & !word.zeros & !other.zeros, 0);
    let flip = |word: Shifted| Shifted { flipped: true, ..word };
    let inside = values().fold(width, |inside, (x, y)| inside & !(x & !y));
    claim(Combined::And(vec![a, flip(b)]), inside & !word.zeros & !other.ones, 0);
    let contains = values().fold(width, |contains, (x, y)| contains & !(y & !x));
    claim(Combined::And(vec![b, flip(a)]), contains & !other.zeros & !word.ones, 0);
    for left in shifts.iter().flat_map(|shift| [*shift, -shift]) {
        let moved = Shifted { left, ..b };
        let of = Combined::Xor(vec![a, moved]);
        let number = |(x, y): (i128, i128)| Some(x ^ moved.of(y)?);
        let Some(numbers) = values().map(number).collect::<Option<Vec<i128>>>() else { continue };
        let same = numbers.iter().fold(word.width, |same, number| same & !(number ^ numbers[0]));
        let same = same & !(word.ones | word.zeros);
        if same.count_ones() >= LEAST_AGREEMENT {
            claim(of, same, numbers[0]);
        }
    }
    for odd in [false, true] {
        let relation = Relation::Parity { mask: word.width | other.width, odd };
        facts.push(Fact { of: Combined::Xor(vec![a, b]), relation });
    }
}

/// By how much words are shifted in the program, as far as its numbers tell: by one, and by the exponents of powers of two.
fn shifts(numbers: &BTreeSet<i128>) -> Vec<i32> {
    let powers = numbers.iter().filter(|number| **number > 2 && number.count_ones() == 1);
    let exponents = powers.map(|power| power.trailing_zeros() as i32).filter(|&shift| shift < 32);
    std::iter::once(1).chain(exponents).take(MOST_SHIFTS).collect()
}

/// Sums modulo two of several words, some of them shifted, that are constant in all samples: what the elimination of Gauss finds, for all
/// places of all samples at once.
fn sums(words: &[Seen], shifts: &[i32], facts: &mut Vec<Fact>) {
    let width = words.iter().fold(0, |width, word| width | word.width);
    let mut terms: Vec<(&Seen, Shifted)> = words.iter().map(|word| (word, word.word())).collect();
    for left in shifts.iter().flat_map(|shift| [-shift, *shift]) {
        terms.extend(words.iter().map(|word| (word, Shifted { left, ..word.word() })));
    }
    terms.truncate(WIDEST as usize);
    // Each row is a sum of terms, with its values in all samples up to a constant.
    let mut rows: Vec<(Vec<i128>, u64, i128)> = Vec::new();
    for (at, &(word, term)) in terms.iter().enumerate() {
        let values: Option<Vec<i128>> = word.values.iter().map(|&value| term.of(value)).collect();
        let Some(values) = values else { continue };
        let first = values[0];
        let mut row: Vec<i128> = values.into_iter().map(|value| (value ^ first) & width).collect();
        let (mut combination, mut constant) = (1_u64 << at, first & width);
        for (pivot, others, its_constant) in &rows {
            let lead = pivot.iter().enumerate().find(|(_, value)| **value != 0);
            let Some((sample, value)) = lead else { continue };
            if row[sample] >> value.trailing_zeros() & 1 == 1 {
                row.iter_mut().zip(pivot).for_each(|(value, other)| *value ^= other);
                combination ^= others;
                constant ^= its_constant;
            }
        }
        if row.iter().any(|value| *value != 0) {
            rows.push((row, combination, constant));
        } else if combination.count_ones() > 2 {
            let parts = terms.iter().enumerate().filter(|(at, _)| combination >> at & 1 == 1);
            let of = Combined::Xor(parts.map(|(_, &(_, term))| term).collect());
            facts.push(Fact { of, relation: Relation::Bits { mask: width, value: constant } });
        }
    }
}

/// A fact about single bits without some of them; nothing if none is left, or if it is about something else.
pub(super) fn weaker(fact: &Fact, without: i128) -> Option<Fact> {
    match fact.relation {
        Relation::Bits { mask, value } if without & mask != 0 && mask & !without != 0 => {
            let relation = Relation::Bits { mask: mask & !without, value: value & !without };
            Some(Fact { of: fact.of.clone(), relation })
        }
        _ => None,
    }
}

/// The refuted bits of a fact with all that follow them in its mask without a gap: a number that grows changes one bit after the other,
/// and each would take an attempt.
pub(super) fn with_following(fact: &Fact, mut refuted: i128) -> i128 {
    if let Relation::Bits { mask, .. } = fact.relation {
        for _ in 0..WIDEST {
            refuted |= (refuted << 1) & mask;
        }
    }
    refuted
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::EntityRef;

    #[test]
    fn a_refuted_bit_is_left_out() {
        let fact = Fact::about(Variable::new(0), Relation::Bits { mask: 7, value: 5 });
        let expected = Fact::about(Variable::new(0), Relation::Bits { mask: 6, value: 4 });
        assert_eq!(weaker(&fact, 9), Some(expected));
        assert_eq!(with_following(&fact, 2), 6);
        assert_eq!(weaker(&fact, 7), None);
        assert_eq!(weaker(&fact, 8), None);
    }

    #[test]
    fn sums_modulo_two_are_found() {
        let seen = |at: usize, values: Vec<i128>| Seen {
            variable: Variable::new(at),
            width: 0xff,
            ones: 0,
            zeros: 0,
            values,
        };
        let (x, y) = (vec![1, 2, 77, 130, 5], vec![9, 200, 3, 64, 0]);
        let z: Vec<i128> = x.iter().zip(&y).map(|(x, y)| x ^ y ^ 17).collect();
        let mut facts = Vec::new();
        sums(&[seen(0, x), seen(1, y), seen(2, z)], &[], &mut facts);
        let of = Combined::Xor((0..3).map(|at| Shifted::plain(Variable::new(at))).collect());
        assert_eq!(facts, [Fact { of, relation: Relation::Bits { mask: 0xff, value: 17 } }]);
    }
}
