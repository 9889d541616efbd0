//! States at equal distances, which a loop passes one after the other.
//!
//! After j rounds every moving variable is where it began, and j times its distance further. Bit-vectors move as
//! integers do as long as the one that counts the rounds does not wrap around.

use super::items::{Item, literal};
use crate::leaping::modal::Modal;
use base::Interrupted;
use logic::{Integer, Model, Op, Sort, SortData, Symbol, Term, Terms, Value};
use num_traits::{One, Signed, Zero};
use program::leap::Bound;
use program::{Location, Program, Var};

/// Rounds beyond this number are not looked for.
const MOST_ROUNDS: u64 = 1 << 62;

/// The numbers of rounds below which a different one is looked for at first, as powers of two.
const EXPONENTS: [u32; 7] = [3, 6, 12, 20, 32, 46, 62];

/// A variable or cell that moves.
#[derive(Debug)]
struct Moving {
    item: Item,
    sort: Kind,
    start: Integer,
    by: Integer,
}

/// What a number is counted in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Whole,
    Bits(u32),
}

/// The line.
#[derive(Debug)]
pub struct Line {
    fixed: Vec<(Item, Value)>,
    moving: Vec<Moving>,
    /// Which of the moving variables counts the rounds: the one with the smallest distance, and no cell.
    pivot: usize,
    /// What rounds are counted in.
    clock: Kind,
}

/// The distances of all items between two states; none if another thing than a number differs.
pub fn distances(
    program: &Program,
    terms: &Terms,
    items: &[Item],
    [before, after]: [&Model; 2],
) -> Option<Vec<Integer>> {
    let distance =
        |item: &Item| match (item.value(program, terms, before)?, item.value(program, terms, after)?) {
            (Value::Int(before), Value::Int(after)) => Some(after - before),
            (Value::BitVec(width, before), Value::BitVec(_, after)) => Some(nearest(after - before, width)),
            (before, after) => (before == after).then(Integer::zero),
        };
    items.iter().map(distance).collect()
}

/// A difference of bit-vectors as the number with the least size.
fn nearest(difference: Integer, width: u32) -> Integer {
    let all = Integer::one() << width;
    let half = &all >> 1u32;
    let wrapped = ((difference % &all) + &all) % &all;
    if wrapped > half { wrapped - all } else { wrapped }
}

impl Line {
    /// The line through a state. None if no variable moves, or integers and bit-vectors move together.
    pub fn new(
        program: &Program,
        terms: &Terms,
        items: &[Item],
        state: &Model,
        distances: &[Integer],
    ) -> Option<Line> {
        let (mut fixed, mut moving) = (Vec::new(), Vec::new());
        for (item, by) in items.iter().zip(distances) {
            let value = item.value(program, terms, state)?;
            if by.is_zero() {
                fixed.push((item.clone(), value));
                continue;
            }
            let (sort, start) = match value {
                Value::Int(start) => (Kind::Whole, start),
                Value::BitVec(width, start) => (Kind::Bits(width), start),
                _ => return None,
            };
            moving.push(Moving { item: item.clone(), sort, start, by: by.clone() });
        }
        let variables = (0..moving.len()).filter(|&position| moving[position].item.cell.is_none());
        let pivot = variables.min_by_key(|&position| moving[position].by.abs())?;
        let whole = moving.iter().filter(|one| one.sort == Kind::Whole).count();
        let clock = match whole {
            0 => moving.iter().map(|one| one.sort).max()?,
            all if all == moving.len() => Kind::Whole,
            _ => return None,
        };
        Some(Line { fixed, moving, pivot, clock })
    }

    /// A symbol for a number of rounds.
    pub fn rounds(&self, terms: &mut Terms) -> Symbol {
        let sort = match self.clock {
            Kind::Whole => Sort::INT,
            Kind::Bits(width) => terms.bitvec_sort(width),
        };
        terms.fresh_symbol("rounds", sort)
    }

    /// The values of all items after so many rounds, and one more if that is wanted.
    pub fn after(&self, terms: &mut Terms, rounds: Term, one_more: bool) -> Option<Vec<(Item, Term)>> {
        let mut state = Vec::with_capacity(self.fixed.len() + self.moving.len());
        for (item, value) in &self.fixed {
            state.push((item.clone(), literal(terms, value)?));
        }
        for one in &self.moving {
            let start = if one_more { &one.start + &one.by } else { one.start.clone() };
            state.push((one.item.clone(), shifted(terms, one.sort, &start, &one.by, rounds)));
        }
        Some(state)
    }

    /// The least number of rounds with which a formula about it holds. None if there is none, or none was found.
    pub fn first(
        &self,
        modal: &mut Modal<'_>,
        formula: Term,
        rounds: Symbol,
    ) -> Result<Option<Integer>, Interrupted> {
        let most = match self.clock {
            Kind::Whole => Integer::from(MOST_ROUNDS),
            Kind::Bits(_) => self.before_wrapping(),
        };
        let mut low = Integer::zero();
        for exponent in EXPONENTS {
            let limit = most.clone().min(Integer::one() << exponent);
            let Some(mut high) = self.within(modal, formula, rounds, (&low, &limit))? else {
                if limit == most {
                    break;
                }
                low = limit + 1;
                continue;
            };
            while low < high {
                let middle = (&low + &high) >> 1u32;
                match self.within(modal, formula, rounds, (&low, &middle))? {
                    Some(smaller) => high = smaller,
                    None => low = middle + 1,
                }
            }
            return Ok(Some(high));
        }
        Ok(None)
    }

    /// A number of rounds between two with which the formula holds.
    fn within(
        &self,
        modal: &mut Modal<'_>,
        formula: Term,
        rounds: Symbol,
        (low, high): (&Integer, &Integer),
    ) -> Result<Option<Integer>, Interrupted> {
        let n = modal.terms.constant(rounds);
        let terms = &mut *modal.terms;
        let (above, below) = match self.clock {
            Kind::Whole => {
                let (low, high) = (terms.int(low.clone()), terms.int(high.clone()));
                (terms.le(low, n), terms.le(n, high))
            }
            Kind::Bits(width) => {
                let (low, high) = (terms.bitvec(low.clone(), width), terms.bitvec(high.clone(), width));
                (terms.bv_ule(low, n), terms.bv_ule(n, high))
            }
        };
        let all = terms.and([formula, above, below]);
        let Some(model) = modal.model(all)? else { return Ok(None) };
        Ok(match model.value(modal.terms, rounds) {
            Value::Int(value) | Value::BitVec(_, value) => Some(value),
            _ => None,
        })
    }

    /// So many rounds can be counted by the pivot.
    fn before_wrapping(&self) -> Integer {
        let pivot = &self.moving[self.pivot];
        match pivot.sort {
            Kind::Whole => Integer::from(MOST_ROUNDS),
            Kind::Bits(width) => ((Integer::one() << width) - 1) / pivot.by.abs(),
        }
    }

    /// What is true of the states after none to so many rounds, for each item. Together with the first one, which is about the variable
    /// that counts the rounds, each says all about its item.
    pub fn states(
        &self,
        program: &Program,
        terms: &mut Terms,
        rounds: &Integer,
    ) -> Option<Vec<(Item, Term)>> {
        let pivot = &self.moving[self.pivot];
        let (counted, within) = self.counted(program, terms, rounds)?;
        let mut parts = vec![(pivot.item.clone(), within)];
        for (item, value) in &self.fixed {
            let (now, value) = (item.term(program, terms)?, literal(terms, value)?);
            parts.push((item.clone(), terms.eq(now, value)));
        }
        for one in self.moving.iter().filter(|one| one.item != pivot.item) {
            let now = one.item.term(program, terms)?;
            let part = match pivot.sort {
                // Both have come as far, each in its own unit.
                Kind::Whole => {
                    let start = terms.int(one.start.clone());
                    let passed = terms.sub(now, start);
                    let (by, own) = (terms.int(pivot.by.clone()), terms.int(one.by.clone()));
                    let (here, there) = (terms.mul(&[own, counted]), terms.mul(&[by, passed]));
                    let as_far = terms.eq(here, there);
                    // This follows, but not at once: phases may be told by remainders.
                    let units = in_units(terms, passed, one.by.abs());
                    terms.and(units.into_iter().chain([as_far]))
                }
                Kind::Bits(_) => {
                    let expected = shifted(terms, one.sort, &one.start, &one.by, counted);
                    terms.eq(now, expected)
                }
            };
            parts.push((one.item.clone(), part));
        }
        Some(parts)
    }

    /// How far the pivot has come, for bit-vectors in rounds, and that this is at most so many rounds, and whole ones.
    fn counted(&self, program: &Program, terms: &mut Terms, rounds: &Integer) -> Option<(Term, Term)> {
        let pivot = &self.moving[self.pivot];
        let now = pivot.item.term(program, terms)?;
        let size = pivot.by.abs();
        let mut parts = Vec::new();
        let counted = match pivot.sort {
            Kind::Whole => {
                let (low, high) = range(pivot, rounds);
                let (low, high) = (terms.int(low), terms.int(high));
                parts.extend([terms.le(low, now), terms.le(now, high)]);
                let start = terms.int(pivot.start.clone());
                let passed = terms.sub(now, start);
                parts.extend(in_units(terms, passed, size));
                passed
            }
            Kind::Bits(width) => {
                let start = terms.bitvec(pivot.start.clone(), width);
                let passed =
                    if pivot.by.is_positive() { terms.bv_sub(now, start) } else { terms.bv_sub(start, now) };
                let most = terms.bitvec(&size * rounds, width);
                parts.push(terms.bv_ule(passed, most));
                if size.is_one() {
                    passed
                } else {
                    let (divisor, zero) = (terms.bitvec(size, width), terms.bitvec(0, width));
                    let rest = terms.bv_binary(Op::BvUrem, passed, divisor);
                    parts.push(terms.eq(rest, zero));
                    terms.bv_binary(Op::BvUdiv, passed, divisor)
                }
            }
        };
        Some((counted, terms.and(parts)))
    }

    /// The ranges of integer variables, also of those that a round changes and leaves as they were.
    pub fn bounds(
        &self,
        terms: &mut Terms,
        location: Location,
        changed: &[Var],
        rounds: &Integer,
    ) -> Vec<Bound> {
        let mut bounds = Vec::new();
        let whole = |one: &&Moving| one.sort == Kind::Whole && one.item.cell.is_none();
        for one in self.moving.iter().filter(whole) {
            let (low, high) = range(one, rounds);
            let (lower, upper) = (terms.int(low), terms.int(high));
            bounds.push(Bound { var: one.item.var, location, lower, upper });
        }
        for (item, value) in &self.fixed {
            if let (None, Value::Int(value), true) = (&item.cell, value, changed.contains(&item.var)) {
                let value = terms.int(value.clone());
                bounds.push(Bound { var: item.var, location, lower: value, upper: value });
            }
        }
        bounds
    }

    /// A state so many rounds later.
    pub fn advance(&self, program: &Program, terms: &Terms, state: &Model, rounds: &Integer) -> Model {
        let mut there = state.clone();
        for one in &self.moving {
            let end = &one.start + &one.by * rounds;
            let value = match one.sort {
                Kind::Whole => Value::Int(end),
                Kind::Bits(width) => {
                    let all = Integer::one() << width;
                    Value::BitVec(width, ((end % &all) + &all) % &all)
                }
            };
            one.item.set(program, terms, &mut there, value);
        }
        there
    }
}

/// That a distance is a multiple of a number, unless that goes without saying.
fn in_units(terms: &mut Terms, passed: Term, size: Integer) -> Option<Term> {
    if size.is_one() {
        return None;
    }
    let (divisor, zero) = (terms.int(size), terms.int(0));
    let rest = terms.modulo(passed, divisor);
    Some(terms.eq(rest, zero))
}

fn range(one: &Moving, rounds: &Integer) -> (Integer, Integer) {
    let end = &one.start + &one.by * rounds;
    if one.by.is_positive() { (one.start.clone(), end) } else { (end, one.start.clone()) }
}

/// `start + by · rounds`, counted in a sort.
fn shifted(terms: &mut Terms, sort: Kind, start: &Integer, by: &Integer, rounds: Term) -> Term {
    match sort {
        Kind::Whole => {
            let (start, by) = (terms.int(start.clone()), terms.int(by.clone()));
            let all = terms.mul(&[by, rounds]);
            terms.add(&[start, all])
        }
        Kind::Bits(width) => {
            let SortData::BitVec(counted) = *terms.sort_data(terms.sort_of(rounds)) else {
                unreachable!("bit-vectors are counted by bit-vectors")
            };
            let rounds = match counted.cmp(&width) {
                std::cmp::Ordering::Less => terms.zero_extend(width - counted, rounds),
                std::cmp::Ordering::Equal => rounds,
                std::cmp::Ordering::Greater => terms.extract(width - 1, 0, rounds),
            };
            let (start, by) = (terms.bitvec(start.clone(), width), terms.bitvec(by.clone(), width));
            let all = terms.bv_binary(Op::BvMul, by, rounds);
            terms.bv_binary(Op::BvAdd, start, all)
        }
    }
}
