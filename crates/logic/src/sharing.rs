//! Which subterms to name when a term is written down.
//!
//! A scope is a whole term or the body of one quantified formula. The scope of a whole term names closed subterms,
//! wherever they stand; the scope of a body names those with bound variables that stand in it, but in no quantified
//! formula further inside: there an id has another meaning. Both printers of this crate use it, so their texts are as long
//! as a term is as a graph, as far as its quantified formulas do not share open subterms with each other.

use crate::term::{Op, Term, Terms};
use rustc_hash::FxHashMap;

/// What a scope is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    Whole,
    Body,
}

/// The subterms with at least two uses in the scope of `root` that `deserves` accepts. They are grouped into levels: a
/// subterm of one level only needs the names of earlier levels.
pub(crate) fn shared(
    terms: &Terms,
    root: Term,
    scope: Scope,
    deserves: impl Fn(Term) -> bool,
) -> Vec<Vec<Term>> {
    let arguments = |term: Term| {
        let inside = scope == Scope::Whole || !matches!(terms.op(term), Op::Quantified(..));
        let arguments = if inside { terms.args(term) } else { &[] };
        arguments.iter().copied().filter(move |&a| scope == Scope::Whole || terms.loose(a) > 0)
    };
    let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
    let mut bottom_up: Vec<Term> = Vec::new();
    let mut pending = vec![(root, false)];
    while let Some((term, ready)) = pending.pop() {
        if ready {
            bottom_up.push(term);
            continue;
        }
        let count = uses.entry(term).or_insert(0);
        *count += 1;
        if *count == 1 {
            pending.push((term, true));
            pending.extend(arguments(term).map(|argument| (argument, false)));
        }
    }
    let mut levels: Vec<Vec<Term>> = Vec::new();
    let mut height: FxHashMap<Term, usize> = FxHashMap::default();
    for term in bottom_up {
        let below = arguments(term).map(|argument| height[&argument]).max().unwrap_or(0);
        let named = uses[&term] > 1
            && !terms.args(term).is_empty()
            && (terms.loose(term) == 0) == (scope == Scope::Whole)
            && deserves(term);
        if named {
            if levels.len() == below {
                levels.push(Vec::new());
            }
            levels[below].push(term);
        }
        height.insert(term, below + usize::from(named));
    }
    levels
}
