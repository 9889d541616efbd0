//! Candidate predicates about the bits of words: what masks keep of them, words with a single bit, words that share no bit, of which one contains
//! the other or which differ by a constant, sums modulo two, slices that are equal to other words, and flags that other variables repeat.
//!
//! In C, words are integers, and `x & y` converts both to bit-vectors and back; masks that are contiguous are written as quotients and
//! remainders by powers of two. Candidates are comparisons of bit-vectors in either case, so those about the same bits are the same term.

use logic::{Integer, Op, SortData, Symbol, Term, Terms};
use num_traits::ToPrimitive;
use program::{Program, Var};
use std::collections::BTreeSet;

/// So many words are looked at, and so many in pairs and groups of three.
const MOST_WORDS: usize = 12;
const MOST_PAIRED: usize = 6;
/// So many masks are tried.
const MOST_MASKS: usize = 16;
/// A number with more ones than this is not a set of flags.
const FEW_ONES: u32 = 4;
/// More candidates than this are not made.
const MOST_CANDIDATES: usize = 300;

/// What the formulas of some steps say about bits.
#[derive(Default)]
pub(super) struct Words {
    /// The words of integers that are converted have as many bits as the widest of the conversions.
    width: u32,
    masks: BTreeSet<u64>,
    /// The first bit and the number of bits of parts of words.
    slices: BTreeSet<(u32, u32)>,
    /// Numbers that words are compared with or moved by.
    constants: BTreeSet<u64>,
    operates: bool,
    /// Whose bits are computed with, and what is compared with or becomes such bits.
    operands: BTreeSet<Symbol>,
    compared: BTreeSet<Symbol>,
}

impl Words {
    /// Notes what a subterm of a formula says.
    pub(super) fn note(&mut self, term: Term, terms: &Terms) {
        let power = |by: Term| {
            let by = terms.as_integer(by).and_then(ToPrimitive::to_u64)?;
            (by.is_power_of_two() && by > 1).then(|| by.trailing_zeros())
        };
        let args = terms.args(term);
        match terms.op(term) {
            Op::IntToBv(width) => {
                self.width = self.width.max(width);
                self.operands.extend(terms.free_symbols(term));
            }
            Op::Eq | Op::Le if terms.has_conversions(&[term]) => {
                self.compared.extend(terms.free_symbols(term));
            }
            Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNot | Op::BvShl | Op::BvLshr | Op::BvAshr => {
                self.operates = true;
                self.operands.extend(terms.free_symbols(term));
            }
            Op::BitVec(_, value) => {
                if let Some(value) = terms.number_value(value).to_integer().to_u64() {
                    self.masks.insert(value);
                }
            }
            Op::Mod if let Some(bits) = power(args[1]) => {
                let first = match terms.op(args[0]) {
                    Op::Div => power(terms.args(args[0])[1]).unwrap_or(0),
                    _ => 0,
                };
                self.slices.insert((first, bits));
                self.operands.extend(terms.free_symbols(term));
            }
            Op::Div if let Some(first) = power(args[1]) => {
                self.slices.insert((first, u64::BITS));
            }
            Op::Int(value) => self.constants.extend(terms.number_value(value).to_integer().to_u64()),
            _ => {}
        }
    }

    /// Notes what a variable becomes.
    pub(super) fn note_update(&mut self, variable: Symbol, value: Term, terms: &Terms) {
        if terms.has_conversions(&[value]) {
            self.compared.insert(variable);
        }
    }

    /// Are there integers whose bits are computed with?
    pub(super) fn convert(&self) -> bool {
        self.operates && self.width > 0
    }

    /// Are bits of this variable computed with, or compared with such?
    pub(super) fn contain(&self, symbol: Symbol) -> bool {
        self.operands.contains(&symbol) || self.compared.contains(&symbol)
    }

    /// Candidates about variables.
    pub(super) fn candidates(&self, variables: &[Var], program: &Program, terms: &mut Terms) -> Vec<Term> {
        if !self.operates {
            return Vec::new();
        }
        let mut words: Vec<(Term, u32)> = Vec::new();
        let mut others: Vec<Term> = Vec::new();
        let mut symbols: Vec<Symbol> = variables.iter().map(|&var| program.variables[var].symbol).collect();
        // The sort is stable: among those of a kind, the order is that of the program.
        symbols.sort_by_key(|symbol| (!self.operands.contains(symbol), !self.compared.contains(symbol)));
        for symbol in symbols {
            let sort = terms.symbol_data(symbol).sort;
            let term = terms.constant(symbol);
            match *terms.sort_data(sort) {
                SortData::BitVec(width) if width > 1 => words.push((term, width)),
                SortData::Int if self.width > 0 => {
                    if self.contain(symbol) {
                        let word = terms.int_to_bv(self.width, term);
                        words.push((word, self.width));
                    }
                    let zero = terms.int(0);
                    others.push(terms.eq(term, zero));
                }
                SortData::Bool => others.push(term),
                _ => {}
            }
        }
        words.truncate(MOST_WORDS);
        let mut all = Vec::new();
        for &(word, width) in &words {
            self.alone(word, width, &others, terms, &mut all);
        }
        words.truncate(MOST_PAIRED);
        for (position, &(word, width)) in words.iter().enumerate() {
            let rest = words[position + 1..].iter().filter(|&&(_, other)| other == width);
            let rest: Vec<Term> = rest.map(|&(other, _)| other).collect();
            for (at, &other) in rest.iter().enumerate() {
                self.pair((word, other), width, terms, &mut all);
                for &third in &rest[at + 1..] {
                    let sum = terms.bv_binary(Op::BvXor, word, other);
                    all.push(terms.eq(sum, third));
                }
            }
        }
        all.truncate(MOST_CANDIDATES);
        all
    }

    /// The masks that fit into a word: those that were seen, without what they have in common with none or all bits, and those of slices.
    fn masks(&self, width: u32) -> Vec<u64> {
        let whole = if width >= u64::BITS { u64::MAX } else { (1 << width) - 1 };
        let mut masks: BTreeSet<u64> = BTreeSet::new();
        for &(first, bits) in &self.slices {
            if first < width.min(u64::BITS) {
                let ones = if bits >= u64::BITS { u64::MAX } else { (1 << bits) - 1 };
                masks.insert((ones << first) & whole);
            }
        }
        for &mask in &self.masks {
            masks.insert(mask & whole);
            if mask.count_ones() <= FEW_ONES {
                masks.extend((0..width.min(u64::BITS)).map(|bit| mask & (1 << bit)));
            }
        }
        masks.extend(masks.clone().into_iter().map(|mask| !mask & whole));
        masks.retain(|&mask| mask != 0 && mask != whole);
        masks.into_iter().take(MOST_MASKS).collect()
    }

    /// Facts about one word, and about what repeats one of its bits.
    fn alone(&self, word: Term, width: u32, others: &[Term], terms: &mut Terms, all: &mut Vec<Term>) {
        let zero = terms.bitvec(0, width);
        for mask in self.masks(width) {
            let bits = terms.bitvec(Integer::from(mask), width);
            let kept = terms.bv_binary(Op::BvAnd, word, bits);
            let none = terms.eq(kept, zero);
            let full = terms.eq(kept, bits);
            all.extend([none, full]);
            for &constant in self.constants.iter().chain(&self.masks) {
                if constant != 0 && constant != mask && constant & !mask == 0 {
                    let constant = terms.bitvec(Integer::from(constant), width);
                    all.push(terms.eq(kept, constant));
                }
            }
            if mask.count_ones() == 1 {
                for &other in others.iter().filter(|&&other| other != none) {
                    let same = terms.eq(none, other);
                    let negated = terms.not(same);
                    all.extend([same, negated]);
                }
            }
        }
        let one = terms.bitvec(1, width);
        let minus_one = terms.bv_unary(Op::BvNeg, one);
        for neighbour in [minus_one, one] {
            let neighbour = terms.bv_binary(Op::BvAdd, word, neighbour);
            let common = terms.bv_binary(Op::BvAnd, word, neighbour);
            all.push(terms.eq(common, zero));
        }
    }

    /// Facts about two words.
    fn pair(&self, (a, b): (Term, Term), width: u32, terms: &mut Terms, all: &mut Vec<Term>) {
        let zero = terms.bitvec(0, width);
        let common = terms.bv_binary(Op::BvAnd, a, b);
        let difference = terms.bv_binary(Op::BvXor, a, b);
        for contained in [zero, a, b] {
            all.push(terms.eq(common, contained));
        }
        for mask in self.masks(width) {
            let mask = terms.bitvec(Integer::from(mask), width);
            let kept = terms.bv_binary(Op::BvAnd, difference, mask);
            let constant = terms.eq(difference, mask);
            all.extend([terms.eq(kept, zero), constant]);
        }
        for &(first, bits) in &self.slices {
            let last = first.saturating_add(bits).min(width) - 1;
            if first > 0 && first <= last {
                for (whole, part) in [(a, b), (b, a)] {
                    let slice = terms.extract(last, first, whole);
                    let low = terms.extract(last - first, 0, part);
                    all.push(terms.eq(slice, low));
                }
            }
        }
    }
}
