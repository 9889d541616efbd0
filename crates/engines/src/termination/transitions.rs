//! The steps inside of a component as transitions between states that ranks speak of.
//!
//! Ranks are linear combinations of *features*: numbers that can be read off a state. Features of a location are its
//! integer and real variables, truth values as 0 and 1, bit-vectors as numbers without sign, and array elements that
//! steps from the location read.

use super::components::beginning;
use super::limits;
use crate::edge_formula::EdgeFormula;
use crate::horn::{Class, WholeProgram};
use base::EntitySet;
use logic::{Op, Rational, Sort, SortData, Substitution, Term, Terms};
use num_traits::{One, Zero};
use program::{EdgeKind, Location, Program, Var};

/// A step between two classes, for ranks.
pub struct Transition {
    /// Its number among the steps of the whole program.
    pub step: usize,
    /// Where it begins: for a call that comes back, at the call.
    pub source: Class,
    /// Where it ends.
    pub target: Class,
    /// When it is possible, without what is known at its ends.
    pub guard: Vec<Term>,
    /// The new values of what it changes.
    pub updates: Vec<Term>,
    /// From terms over the state where it begins to terms of its formula.
    pub before: Substitution,
    /// From terms over the state where it ends to terms of its formula.
    pub after: Substitution,
    /// From terms over the state at the exit of the callee, for a call that comes back.
    pub inside: Option<(Class, Substitution)>,
}

impl Transition {
    /// The transition of a step.
    pub fn new(program: &Program, whole: &WholeProgram, number: usize, terms: &mut Terms) -> Transition {
        let step = &whole.steps[number];
        let EdgeFormula { base, pre, call, post } = EdgeFormula::new(program, step.edge, terms);
        let (before, inside) = match step.call {
            Some(_) => (call, Some((step.source, pre))),
            None => (pre, None),
        };
        let updates = match &program.edges[step.edge].kind {
            EdgeKind::Internal(relation) => relation.updates.iter().map(|&(_, value)| value).collect(),
            EdgeKind::Call(call) => call.bindings.iter().map(|&(_, value)| value).collect(),
            EdgeKind::Return(_) => Vec::new(),
        };
        Transition {
            updates,
            step: number,
            source: beginning(step),
            target: step.target.expect("steps of components stay inside"),
            guard: base,
            before,
            after: post,
            inside,
        }
    }

    /// The terms of its formula.
    pub fn roots(&self) -> Vec<Term> {
        let mut roots = self.guard.clone();
        roots.extend(self.updates.iter().copied());
        roots
    }

    /// When it is possible, given what is known at the classes.
    pub fn formula(&mut self, known: &[Vec<Term>], terms: &mut Terms) -> Vec<Term> {
        let mut all = self.guard.clone();
        for &fact in &known[self.source] {
            all.push(self.before.apply(terms, fact));
        }
        if let Some((class, inside)) = &mut self.inside {
            for &fact in &known[*class] {
                all.push(inside.apply(terms, fact));
            }
        }
        all
    }
}

/// The number sort in which ranks are computed.
pub fn rank_sort(program: &Program, relevant: &EntitySet<Var>, terms: &Terms) -> Sort {
    let real = |(var, data): (Var, &program::variables::VarData)| {
        relevant.contains(var) && terms.symbol_data(data.symbol).sort == Sort::REAL
    };
    if program.variables.iter().any(real) { Sort::REAL } else { Sort::INT }
}

/// The features of a location.
pub fn features(
    program: &Program,
    location: Location,
    relevant: &EntitySet<Var>,
    sort: Sort,
    terms: &mut Terms,
) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for var in program.scope(location).filter(|&var| relevant.contains(var)).collect::<Vec<_>>() {
        let value = program.variables.term(terms, var);
        found.extend(number(value, sort, terms));
    }
    for value in read_elements(program, location, terms) {
        found.extend(number(value, sort, terms));
    }
    found.dedup();
    found.truncate(limits::MOST_FEATURES);
    found
}

/// A value as a number of the sort, if that makes sense.
pub(super) fn number(value: Term, sort: Sort, terms: &mut Terms) -> Option<Term> {
    let own = terms.sort_of(value);
    let (zero, one) = (terms.numeral(Rational::zero(), sort), terms.numeral(Rational::one(), sort));
    match terms.sort_data(own) {
        SortData::Bool => Some(terms.ite(value, one, zero)),
        SortData::BitVec(_) => {
            let natural = terms.bv_to_nat(value);
            Some(if sort == Sort::REAL { terms.to_real(natural) } else { natural })
        }
        SortData::Int if sort == Sort::REAL => Some(terms.to_real(value)),
        SortData::Int | SortData::Real => (own == sort).then_some(value),
        _ => None,
    }
}

/// The elements of arrays that are read by steps from a location, as terms over the state there.
pub(super) fn read_elements(program: &Program, location: Location, terms: &Terms) -> Vec<Term> {
    let mut roots = Vec::new();
    for &edge in &program.outgoing[location] {
        match &program.edges[edge].kind {
            EdgeKind::Internal(relation) => {
                roots.push(relation.guard);
                roots.extend(relation.updates.iter().map(|&(_, value)| value));
            }
            EdgeKind::Call(call) => roots.extend(call.bindings.iter().map(|&(_, value)| value)),
            EdgeKind::Return(_) => {}
        }
    }
    let mut found = Vec::new();
    terms.for_each_subterm(&roots, |term| {
        let reads = match terms.op(term) {
            Op::Select => {
                terms.as_symbol(terms.args(term)[0]).is_some() || terms.op(terms.args(term)[0]) == Op::Select
            }
            Op::Apply(_) => true,
            _ => false,
        };
        if reads && terms.array_parts(terms.sort_of(term)).is_none() && terms.is_closed(term) {
            let symbols = terms.free_symbols(term);
            if symbols.iter().all(|&symbol| program.variables.of_symbol(symbol).is_some()) {
                found.push(term);
            }
        }
    });
    found.sort_unstable();
    found.dedup();
    found.truncate(limits::MOST_FEATURES / 4);
    found
}
