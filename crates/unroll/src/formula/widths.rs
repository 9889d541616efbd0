//! How many bits integers may need. These are guesses from the constants that they are compared with and from equations; nothing is built on
//! them but the size of the circuit.

use super::MOST_BITS;
use logic::{Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The bits of an integer that nothing is known about: 64, a sign, and what sums of a few need.
const ANY: usize = 68;
/// Integers that are equal to others have no more bits than this, however many the others have.
const MOST_BY_EQUATIONS: usize = 120;
/// How often equations are gone through.
const ROUNDS: usize = 8;

/// Guesses for the integers that are inputs.
pub(super) struct Widths {
    guessed: FxHashMap<Term, usize>,
    /// The bits of the constants that they are compared with or that are added to them, which they have at least.
    least: FxHashMap<Term, usize>,
    /// All have at least as many as the widest that was guessed: what is far out for one is then far out for the others.
    common: usize,
}

impl Widths {
    /// Guesses from what stands in the formulas.
    pub(super) fn new(terms: &Terms, formulas: &[Term]) -> Widths {
        let mut widths = Widths { guessed: FxHashMap::default(), least: FxHashMap::default(), common: 2 };
        let mut equations: Vec<Term> = Vec::new();
        let mut bounds: FxHashSet<(Term, Term)> = FxHashSet::default();
        let mut bounded: FxHashMap<Term, usize> = FxHashMap::default();
        terms.for_each_subterm(formulas, |atom| {
            let (op, args) = (terms.op(atom), terms.args(atom));
            if op == Op::Add {
                widths.note_sum(terms, args);
            }
            if !matches!(op, Op::Le | Op::Eq) || terms.sort_of(args[0]) != Sort::INT {
                return;
            }
            if op == Op::Eq {
                equations.push(atom);
            }
            let Some(constant) = terms.as_integer(args[1]) else { return };
            let leaf = match terms.op(args[0]) {
                Op::Scale(_) => terms.args(args[0])[0],
                _ => args[0],
            };
            // The constant has to fit with a bit to spare.
            let bits = constant.bits() as usize + 2;
            let mut known = vec![&mut widths.least];
            if op == Op::Le {
                known.push(&mut widths.guessed);
                if bounds.insert((args[0], args[1])) {
                    *bounded.entry(leaf).or_default() += 1;
                }
            }
            for known in known {
                let most = known.entry(leaf).or_default();
                *most = bits.max(*most);
            }
        });
        // One bound says little; two may be a range.
        widths.guessed.retain(|leaf, _| bounded[leaf] > 1);
        let fixed: FxHashSet<Term> = widths.guessed.keys().copied().collect();
        for _ in 0..ROUNDS {
            let before = widths.guessed.len();
            for &equation in &equations {
                widths.solve(terms, equation, &fixed);
            }
            if widths.guessed.len() == before {
                break;
            }
        }
        // What is equal to something that nothing is known about may be as wide.
        for &equation in &equations {
            let sides = terms.args(equation);
            let difference = terms.linear(sides[0]).minus(&terms.linear(sides[1]));
            let parts = difference.monomials.iter().map(|(part, _)| *part);
            let leaves: Vec<Term> = parts.filter(|&part| is_leaf(terms, part)).collect();
            if leaves.iter().any(|&leaf| widths.of(leaf) >= ANY) {
                for leaf in leaves.into_iter().filter(|leaf| !fixed.contains(leaf)) {
                    let known = widths.guessed.entry(leaf).or_insert(ANY);
                    *known = (*known).max(ANY);
                }
            }
        }
        widths.common = widths.guessed.values().copied().max().map_or(2, |most| most.clamp(2, ANY));
        widths
    }

    /// The parts of a sum have room for its constants.
    fn note_sum(&mut self, terms: &Terms, parts: &[Term]) {
        let constants = parts.iter().filter_map(|&part| terms.as_integer(part));
        let Some(bits) = constants.map(|constant| constant.bits() as usize + 2).max() else { return };
        for &part in parts {
            let leaf = if matches!(terms.op(part), Op::Scale(_)) { terms.args(part)[0] } else { part };
            let least = self.least.entry(leaf).or_default();
            *least = bits.max(*least);
        }
    }

    /// The bits of an input.
    pub(super) fn of(&self, leaf: Term) -> usize {
        let least = self.least.get(&leaf).map_or(0, |&bits| bits.min(MOST_BITS)).max(self.common);
        self.guessed.get(&leaf).map_or(ANY, |&bits| bits.min(MOST_BY_EQUATIONS)).max(least)
    }

    /// If all but one of the parts of an equation have a width, the last one has it, too. One with several equations has the largest.
    fn solve(&mut self, terms: &Terms, equation: Term, fixed: &FxHashSet<Term>) {
        let difference = terms.linear(terms.args(equation)[0]).minus(&terms.linear(terms.args(equation)[1]));
        let mut most = difference.constant.numer().bits() as usize + 1;
        let mut open: Option<Term> = None;
        for (part, factor) in &difference.monomials {
            let factor = factor.numer().bits() as usize;
            let is_leaf = is_leaf(terms, *part);
            match (self.estimate(terms, *part, 0), open) {
                (Some(bits), _) if fixed.contains(part) || !is_leaf => most = most.max(bits + factor),
                (_, None) if is_leaf => open = Some(*part),
                (Some(bits), Some(_)) => most = most.max(bits + factor),
                _ => return,
            }
        }
        if let Some(leaf) = open {
            let bits = most + difference.monomials.len().ilog2() as usize + 1;
            let known = self.guessed.entry(leaf).or_insert(bits);
            *known = (*known).max(bits).min(MOST_BY_EQUATIONS);
        }
    }

    fn estimate(&self, terms: &Terms, term: Term, depth: u32) -> Option<usize> {
        let args = terms.args(term);
        let of = |part: Term| if depth > 8 { None } else { self.estimate(terms, part, depth + 1) };
        let bits = match terms.op(term) {
            Op::Int(value) => terms.number_value(value).numer().bits() as usize + 1,
            Op::Add => {
                let parts: Option<Vec<usize>> = args.iter().map(|&part| of(part)).collect();
                parts?.into_iter().max()? + args.len().ilog2() as usize + 1
            }
            Op::Mul => args.iter().map(|&part| of(part)).sum::<Option<usize>>()?,
            Op::Scale(factor) => of(args[0])? + terms.number_value(factor).numer().bits() as usize,
            Op::Ite => of(args[1])?.max(of(args[2])?),
            Op::Div => of(args[0])?,
            Op::Mod => terms.as_integer(args[1])?.bits() as usize + 1,
            Op::BvToNat => terms.width(args[0]) as usize + 1,
            _ => *self.guessed.get(&term)?,
        };
        Some(bits.min(MOST_BITS))
    }
}

fn is_leaf(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::Symbol(_) | Op::Select | Op::Apply(_))
}
