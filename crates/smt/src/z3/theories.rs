//! Which theories a formula needs, and which of Z3's solvers serves them best.
//!
//! Z3's solvers for a named logic are quicker on small queries but leave out theories: given a formula
//! outside of their logic they may answer *wrongly*. So every term carries the set of theories it needs, and
//! a session moves to a more general solver before it asserts what the present one does not know.

use logic::{Op, Sort, SortData, Term, Terms};
use std::ops::BitOr;

/// A set of theories.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Theories(u8);

impl Theories {
    pub(super) const NONE: Theories = Theories(0);
    /// Linear integer arithmetic without division.
    pub(super) const INTEGERS: Theories = Theories(1);
    /// Uninterpreted functions and sorts.
    pub(super) const FUNCTIONS: Theories = Theories(2);
    /// Linear real arithmetic without division.
    pub(super) const REALS: Theories = Theories(4);
    /// Everything else.
    pub(super) const OTHER: Theories = Theories(8);

    /// Are all of these among the others?
    pub(super) fn within(self, others: Theories) -> bool {
        self.0 & !others.0 == 0
    }

    /// What a term needs besides what its arguments need.
    pub(super) fn of_node(terms: &Terms, term: Term) -> Theories {
        match terms.op(term) {
            // The arguments say which theory it is, if any.
            Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Eq | Op::Le | Op::Lt => Theories::NONE,
            Op::Symbol(_) | Op::Ite | Op::Int(_) | Op::Real(_) | Op::Add | Op::Scale(_) => {
                Theories::of_sort(terms, terms.sort_of(term))
            }
            Op::Apply(_) => Theories::FUNCTIONS | Theories::of_sort(terms, terms.sort_of(term)),
            _ => Theories::OTHER,
        }
    }

    fn of_sort(terms: &Terms, sort: Sort) -> Theories {
        match terms.sort_data(sort) {
            SortData::Bool => Theories::NONE,
            SortData::Int => Theories::INTEGERS,
            SortData::Real => Theories::REALS,
            SortData::Uninterpreted(_) => Theories::FUNCTIONS,
            SortData::BitVec(_) | SortData::Array { .. } => Theories::OTHER,
        }
    }
}

impl BitOr for Theories {
    type Output = Theories;

    fn bitor(self, other: Theories) -> Theories {
        Theories(self.0 | other.0)
    }
}

/// A solver of Z3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// One for a logic of SMT-LIB.
    Logic(&'static str, Theories),
    /// The incremental core with all theories.
    Simple,
}

/// From the most special to the most general, in the order in which they are tried. Measured by `benches/triples.rs`.
const SPECIAL: &[Kind] = &[
    Kind::Logic("QF_LIA", Theories::INTEGERS),
    Kind::Logic("QF_UFLIA", Theories(Theories::INTEGERS.0 | Theories::FUNCTIONS.0)),
    Kind::Logic("QF_LRA", Theories::REALS),
];

impl Kind {
    /// The best solver for formulas with these theories.
    pub(super) fn for_theories(theories: Theories) -> Kind {
        SPECIAL.iter().copied().find(|kind| kind.covers(theories)).unwrap_or(Kind::Simple)
    }

    /// Does this solver know all of the theories?
    pub(super) fn covers(self, theories: Theories) -> bool {
        match self {
            Kind::Logic(_, known) => theories.within(known),
            Kind::Simple => true,
        }
    }
}
