//! Questions about memory made small: what a question is about, where indices of arrays are known.
//!
//! Whether `count` of one struct keeps its bound when `count` of another one changes is a question about an array, and every premise
//! about any of its cells speaks of the same array. Here, variables in indices are replaced by the numbers that premises say they are. What
//! is read then goes past what is written elsewhere (that is how terms are made), so what is left is mostly about single cells,
//! each of which counts as a variable: few premises speak of it, and often the formula before an edge is the same as the one behind it.

use logic::{Op, Substitution, Symbol, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// What each premise is about, once it was asked for.
#[derive(Default)]
pub(super) struct Subjects {
    known: FxHashMap<Term, Option<Box<[Term]>>>,
}

/// A question in which arrays are read at known places only.
pub(super) struct Small {
    /// What the edge demands.
    pub(super) base: Vec<Term>,
    /// What shall hold behind it.
    pub(super) wanted: Term,
    /// The numbers of the premises that say what indices are.
    pub(super) points: Vec<usize>,
    /// The numbers of the premises that speak of the same variables and cells.
    pub(super) near: Vec<usize>,
}

impl Subjects {
    /// The question with known indices, if no array is left in it but at known places.
    pub(super) fn small(
        &mut self,
        terms: &mut Terms,
        (base, wanted): (&[Term], Term),
        premises: &[Term],
    ) -> Option<Small> {
        let roots = || base.iter().copied().chain([wanted]).collect::<Vec<Term>>();
        let in_indices = index_symbols(terms, &roots())?;
        let mut numbers = Substitution::new();
        let mut points = Vec::new();
        for (number, &premise) in premises.iter().enumerate() {
            if let Some((symbol, value)) = point(terms, premise)
                && in_indices.binary_search(&symbol).is_ok()
                && numbers.image(symbol).is_none()
            {
                numbers.insert(symbol, value);
                points.push(number);
            }
        }
        let mut reads = Reads::default();
        let mut small = |part: Term| {
            let part = numbers.apply(terms, part);
            reads.term(part, 0, terms)
        };
        let base: Vec<Term> = base.iter().map(|&part| small(part)).collect();
        let wanted = small(wanted);
        let mut about: FxHashSet<Term> = FxHashSet::default();
        for &part in base.iter().chain([&wanted]) {
            about.extend(subjects(terms, part)?);
        }
        let mut near = Vec::new();
        for (number, &premise) in premises.iter().enumerate() {
            let of_premise = self
                .known
                .entry(premise)
                .or_insert_with(|| subjects(terms, premise).map(Vec::into_boxed_slice));
            if of_premise.as_ref().is_some_and(|its| its.iter().any(|subject| about.contains(subject))) {
                near.push(number);
            }
        }
        Some(Small { base, wanted, points, near })
    }
}

/// Reads at known places, taken into the branches of choices between arrays and past what is written elsewhere.
#[derive(Default)]
struct Reads {
    terms: FxHashMap<Term, Term>,
    /// Numbers by their arrays and places.
    numbers: FxHashMap<(Term, Vec<Term>), Term>,
}

/// Reads of arrays that are made in more steps than this stay as they are.
const MOST_STEPS: usize = 400;

impl Reads {
    fn term(&mut self, term: Term, depth: usize, terms: &mut Terms) -> Term {
        let mut done = std::mem::take(&mut self.terms);
        let result = terms.transform(term, &mut done, |terms, node| {
            let (Op::Select, &[array, index]) = (terms.op(node), terms.args(node)) else { return None };
            let is_number = terms.array_parts(terms.sort_of(node)).is_none();
            (is_number && terms.as_integer(index).is_some())
                .then(|| self.number(array, vec![index], depth + 1, terms))
        });
        self.terms.extend(done);
        result
    }

    /// The number at a place in an array.
    fn number(&mut self, array: Term, path: Vec<Term>, depth: usize, terms: &mut Terms) -> Term {
        let key = (array, path);
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        let result = self.found(array, &key.1, depth, terms);
        self.numbers.insert(key, result);
        result
    }

    fn found(&mut self, array: Term, path: &[Term], depth: usize, terms: &mut Terms) -> Term {
        let arguments = terms.args(array).to_vec();
        let behind = &path[1..];
        let depth = depth + 1;
        match (terms.op(array), &arguments[..]) {
            _ if depth > MOST_STEPS => {}
            (Op::Ite, &[condition, then, otherwise]) => {
                let then = self.number(then, path.to_vec(), depth, terms);
                let otherwise = self.number(otherwise, path.to_vec(), depth, terms);
                if then == otherwise {
                    return then;
                }
                let condition = self.term(condition, depth, terms);
                return terms.ite(condition, then, otherwise);
            }
            (Op::Store, &[inner, index, value]) => {
                if index == path[0] {
                    return self.within(value, behind, depth, terms);
                }
                let kept = self.number(inner, path.to_vec(), depth, terms);
                if terms.as_integer(index).is_some() {
                    return kept;
                }
                let written = self.within(value, behind, depth, terms);
                let index = self.term(index, depth, terms);
                let is_here = terms.eq(index, path[0]);
                return terms.ite(is_here, written, kept);
            }
            (Op::Select, &[outer, index]) if terms.as_integer(index).is_some() => {
                let path = [&[index], path].concat();
                return self.number(outer, path, depth, terms);
            }
            (Op::ConstArray(_), &[element]) => return self.within(element, behind, depth, terms),
            _ => {}
        }
        path.iter().fold(array, |element, &index| terms.select(element, index))
    }

    fn within(&mut self, value: Term, path: &[Term], depth: usize, terms: &mut Terms) -> Term {
        match path.is_empty() {
            true => self.term(value, depth, terms),
            false => self.number(value, path.to_vec(), depth, terms),
        }
    }
}

/// The symbols in indices, sorted; nothing if there are no arrays.
fn index_symbols(terms: &Terms, roots: &[Term]) -> Option<Vec<Symbol>> {
    let mut indices = Vec::new();
    terms.for_each_subterm(roots, |term| {
        if let (Op::Select | Op::Store, [_, index, ..]) = (terms.op(term), terms.args(term)) {
            indices.push(*index);
        }
    });
    (!indices.is_empty()).then(|| terms.free_symbols_of(&indices))
}

/// The symbol and the number of a premise that says that they are equal.
fn point(terms: &Terms, premise: Term) -> Option<(Symbol, Term)> {
    let (Op::Eq, &[left, right]) = (terms.op(premise), terms.args(premise)) else { return None };
    let pair = |symbol: Term, number: Term| {
        Some((terms.as_symbol(symbol)?, terms.as_integer(number).map(|_| number)?))
    };
    pair(left, right).or_else(|| pair(right, left))
}

/// The variables and the cells at known places that a formula speaks of; nothing if it speaks of other cells, or of all.
fn subjects(terms: &Terms, formula: Term) -> Option<Vec<Term>> {
    let mut found = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut pending = vec![formula];
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.op(term) {
            Op::Select if is_cell(terms, term) => found.push(term),
            Op::Symbol(_) if terms.array_parts(terms.sort_of(term)).is_some() => return None,
            Op::Symbol(_) => found.push(term),
            Op::Quantified(..) => return None,
            _ => pending.extend(terms.args(term)),
        }
    }
    Some(found)
}

/// Is it the number at a known place in an array?
fn is_cell(terms: &Terms, mut term: Term) -> bool {
    if terms.array_parts(terms.sort_of(term)).is_some() {
        return false;
    }
    while let (Op::Select, &[array, index]) = (terms.op(term), terms.args(term)) {
        if terms.as_integer(index).is_none() {
            return false;
        }
        term = array;
    }
    terms.as_symbol(term).is_some()
}
