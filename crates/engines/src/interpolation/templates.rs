//! Candidate predicates: bounds on small linear terms with the program's own constants, Boolean variables, remainders, bits of [`words`](super::words), signs
//! of floating-point numbers.

use super::limits;
use super::words::Words;
use crate::context::Context;
use crate::horn::Step;
use logic::float::{Format, Operation};
use logic::{Integer, Linear, Op, Rational, Sort, SortData, Term, Terms};
use num_traits::{One, Signed, ToPrimitive, Zero};
use program::{EdgeKind, Location, Program, Var};
use rustc_hash::FxHashSet;

/// Candidates for every class.
pub(super) fn candidates(
    context: &mut Context<'_>,
    locations: &[Location],
    steps: &[Step],
) -> Vec<Vec<Term>> {
    let program = context.program;
    let terms = &mut *context.terms;
    let found = Ingredients::collect(program, steps, terms);
    let atoms = found.atoms.clone();
    let sums = found.sums(program, terms);
    let mut all: Vec<Term> = Vec::new();
    all.extend(found.equalities(program, terms));
    for &atom in &atoms {
        let negation = terms.not(atom);
        all.extend([atom, negation]);
    }
    for &(sum, sort) in &sums {
        for constant in &found.constants {
            if sort == Sort::INT && !constant.is_integer() {
                continue;
            }
            let bound = terms.numeral(constant.clone(), sort);
            let (below, above) = (terms.le(sum, bound), terms.ge(sum, bound));
            all.extend([below, above]);
        }
    }
    all.extend(found.remainders(program, terms));
    all.extend(found.signs(program, terms));
    // Facts about bits come first: there are not many of them, and nothing else says what they do.
    all.splice(0..0, found.words.candidates(&found.variables, program, terms));
    for &var in &found.variables {
        let symbol = program.variables[var].symbol;
        if terms.symbol_data(symbol).sort == Sort::BOOL {
            let term = terms.constant(symbol);
            let negation = terms.not(term);
            all.extend([term, negation]);
        }
    }
    let mut seen = FxHashSet::default();
    all.retain(|&candidate| !candidate.is_true() && !candidate.is_false() && seen.insert(candidate));
    all.truncate(limits::MOST_CANDIDATES);
    locations
        .iter()
        .map(|&location| {
            let visible = |candidate: &Term| {
                let symbols = terms.free_symbols(*candidate);
                let vars: Vec<Var> = program.variables.of_symbols(&symbols).collect();
                vars.len() == symbols.len()
                    && vars.iter().all(|&var| crate::traces::in_scope(program, location, var))
            };
            all.iter().copied().filter(visible).collect()
        })
        .collect()
}

/// What the formulas of some steps are made of.
#[derive(Default)]
struct Ingredients {
    variables: Vec<Var>,
    /// Comparisons over the state.
    atoms: Vec<Term>,
    /// Left sides of comparisons.
    compared: Vec<Term>,
    constants: Vec<Rational>,
    /// By how much variables are moved.
    strides: Vec<Integer>,
    /// The formats of floating-point numbers.
    formats: Vec<Format>,
    words: Words,
}

impl Ingredients {
    fn collect(program: &Program, steps: &[Step], terms: &mut Terms) -> Ingredients {
        let mut found = Ingredients::default();
        let mut roots: Vec<Term> = Vec::new();
        for step in steps {
            match &program.edges[step.edge].kind {
                EdgeKind::Internal(relation) => {
                    roots.push(relation.guard);
                    for &(var, value) in &relation.updates {
                        roots.push(value);
                        found.words.note_update(program.variables[var].symbol, value, terms);
                    }
                }
                EdgeKind::Call(call) => roots.extend(call.bindings.iter().map(|&(_, value)| value)),
                EdgeKind::Return(_) => {}
            }
        }
        let mut constants: Vec<Rational> = vec![Rational::zero(), Rational::one()];
        let mut subterms: Vec<Term> = Vec::new();
        terms.for_each_subterm(&roots, |term| subterms.push(term));
        subterms.retain(|&term| terms.is_closed(term));
        subterms.sort_unstable();
        for term in subterms {
            found.words.note(term, terms);
            match terms.op(term) {
                Op::Symbol(symbol) => found.variables.extend(program.variables.of_symbol(symbol)),
                Op::Int(_) | Op::Real(_) => {
                    constants.extend(terms.as_number(term).cloned());
                }
                Op::Le | Op::Lt | Op::Eq if terms.sort_of(terms.args(term)[0]).is_arithmetic() => {
                    let symbols = terms.free_symbols(term);
                    if symbols.iter().all(|&symbol| program.variables.of_symbol(symbol).is_some()) {
                        found.atoms.push(term);
                        found.compared.push(terms.args(term)[0]);
                    }
                }
                Op::Add => {
                    let constant = terms.linear(term).constant;
                    let stride = constant.to_integer().abs();
                    if constant.is_integer() && stride > Integer::one() {
                        found.strides.push(stride);
                    }
                }
                Op::Float(operation) => found.float(operation, term, program, terms),
                _ => {}
            }
        }
        // A bound is often passed by one, in both directions, and met from the other side.
        for constant in constants {
            let one = Rational::one();
            found.constants.extend([constant.clone(), &constant + &one, &constant - &one, -constant]);
        }
        found.constants.sort();
        found.constants.dedup();
        found.strides.sort();
        found.strides.dedup();
        found
    }

    /// Notes a floating-point operation: its format, and a comparison over the state.
    fn float(&mut self, operation: Operation, term: Term, program: &Program, terms: &Terms) {
        use Operation::{Add, Convert, Divide, Equal, Less, LessEqual, Multiply, Subtract};
        match operation.undirected().1 {
            Add(format) | Subtract(format) | Multiply(format) | Divide(format) => self.formats.push(format),
            Convert { from, to } => self.formats.extend([from, to]),
            Equal(format) | Less(format) | LessEqual(format) => {
                self.formats.push(format);
                let symbols = terms.free_symbols(term);
                if symbols.iter().all(|&symbol| program.variables.of_symbol(symbol).is_some()) {
                    self.atoms.push(term);
                }
            }
            _ => {}
        }
    }

    /// The signs of numbers. There are no other bounds: every candidate about floating-point numbers is dear.
    fn signs(&self, program: &Program, terms: &mut Terms) -> Vec<Term> {
        let mut all = Vec::new();
        let mut formats = self.formats.clone();
        formats.sort_unstable();
        formats.dedup();
        for &var in &self.variables {
            let symbol = program.variables[var].symbol;
            let SortData::BitVec(width) = *terms.sort_data(terms.symbol_data(symbol).sort) else { continue };
            let (number, zero) = (terms.constant(symbol), terms.bitvec(0, width));
            for &format in formats.iter().filter(|format| format.width() == width) {
                for relation in [Operation::LessEqual(format), Operation::Less(format)] {
                    all.extend([
                        terms.float(relation, &[zero, number]),
                        terms.float(relation, &[number, zero]),
                    ]);
                }
            }
        }
        all
    }

    /// Linear terms worth bounding: variables, what is compared, and differences and sums of pairs.
    fn sums(&self, program: &Program, terms: &mut Terms) -> Vec<(Term, Sort)> {
        let mut numeric: Vec<Term> = Vec::new();
        for &var in &self.variables {
            let symbol = program.variables[var].symbol;
            if terms.symbol_data(symbol).sort.is_arithmetic() {
                numeric.push(terms.constant(symbol));
            }
        }
        let mut sums = numeric.clone();
        sums.extend(&self.compared);
        // Sums of words are hard questions where their bits are computed with.
        if numeric.len() <= limits::MOST_PAIRED && !self.words.convert() {
            for (i, &left) in numeric.iter().enumerate() {
                for &right in &numeric[i + 1..] {
                    if terms.sort_of(right) != terms.sort_of(left) {
                        continue;
                    }
                    let pair = [terms.linear(left), terms.linear(right)];
                    let sort = terms.sort_of(left);
                    let difference: Linear = pair[0].clone().minus(&pair[1]);
                    let sum: Linear = pair[0].clone().plus(&pair[1]);
                    sums.extend([terms.from_linear(&difference, sort), terms.from_linear(&sum, sort)]);
                }
            }
        }
        let mut seen = FxHashSet::default();
        sums.retain(|&sum| seen.insert(sum));
        sums.into_iter().map(|sum| (sum, terms.sort_of(sum))).collect()
    }

    /// Equations between words, where there are no differences of them.
    fn equalities(&self, program: &Program, terms: &mut Terms) -> Vec<Term> {
        if !self.words.convert() {
            return Vec::new();
        }
        let symbols = self.variables.iter().map(|&var| program.variables[var].symbol);
        let words: Vec<Term> = symbols
            .filter(|symbol| self.words.contain(*symbol))
            .map(|symbol| terms.constant(symbol))
            .collect();
        let words = &words[..words.len().min(limits::MOST_PAIRED)];
        let mut all = Vec::new();
        for (position, &word) in words.iter().enumerate() {
            for &other in &words[position + 1..] {
                if terms.sort_of(word) == Sort::INT && terms.sort_of(other) == Sort::INT {
                    all.push(terms.eq(word, other));
                }
            }
        }
        all
    }

    /// `x mod stride = r` for small strides.
    fn remainders(&self, program: &Program, terms: &mut Terms) -> Vec<Term> {
        let mut all = Vec::new();
        for stride in self.strides.iter().filter_map(|stride| stride.to_i64()).filter(|&stride| stride <= 4) {
            for &var in &self.variables {
                let symbol = program.variables[var].symbol;
                if terms.symbol_data(symbol).sort != Sort::INT {
                    continue;
                }
                let (term, modulus) = (terms.constant(symbol), terms.int(stride));
                let remainder = terms.modulo(term, modulus);
                for value in 0..stride {
                    let value = terms.int(value);
                    all.push(terms.eq(remainder, value));
                }
            }
        }
        all
    }
}
