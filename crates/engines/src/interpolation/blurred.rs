//! The program without the bits of integers: what is computed by converting integers to bit-vectors and back may be anything in its range.
//!
//! A trace that is infeasible in this program is infeasible, whatever the operations on bits do, and its interpolants are interpolants of the
//! program itself. They are linear, which all sources of interpolants like. So bits are looked at for those traces only that need them.

use logic::{Integer, Op, Symbol, Term, Terms};
use program::{EdgeKind, Program};
use rustc_hash::FxHashMap;

/// Larger programs are not copied.
const MOST_EDGES: usize = 50_000;

/// The program with the same edges, none of which converts an integer to bits; none if it is too large.
pub(super) fn blurred(program: &Program, terms: &mut Terms) -> Option<Program> {
    if program.edges.len() > MOST_EDGES {
        return None;
    }
    let mut result = program.clone();
    for edge in result.edges.values_mut() {
        if let EdgeKind::Internal(relation) = &mut edge.kind {
            let mut blur = Blur::default();
            relation.guard = blur.apply(relation.guard, terms);
            for (_, value) in &mut relation.updates {
                *value = blur.apply(*value, terms);
            }
            blur.ranges.push(relation.guard);
            relation.guard = terms.and(blur.ranges);
            relation.auxiliaries.extend(blur.symbols);
            relation.auxiliaries.sort_unstable();
            relation.auxiliaries.dedup();
        }
    }
    Some(result)
}

/// What has become of the terms of an edge.
#[derive(Default)]
struct Blur {
    done: FxHashMap<Term, Term>,
    /// The constants that stand for what is not looked at, and where they lie.
    symbols: Vec<Symbol>,
    ranges: Vec<Term>,
}

impl Blur {
    fn apply(&mut self, term: Term, terms: &mut Terms) -> Term {
        let Blur { done, symbols, ranges } = self;
        terms.transform(term, done, |terms, part| {
            let op = terms.op(part);
            if !matches!(op, Op::BvToNat | Op::IntToBv(_)) || !terms.is_closed(part) {
                return None;
            }
            let sort = terms.sort_of(part);
            let symbol = terms.symbol(&format!("bits of {part}"), sort);
            let any = terms.constant(symbol);
            symbols.push(symbol);
            if op == Op::BvToNat {
                let width = terms.width(terms.args(part)[0]);
                let (zero, end) = (terms.int(0), terms.int(Integer::from(1) << width));
                let above = terms.ge(any, zero);
                ranges.extend([above, terms.lt(any, end)]);
            }
            Some(any)
        })
    }
}
