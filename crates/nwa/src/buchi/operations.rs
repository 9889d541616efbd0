//! The operations on Büchi automata with explicit results.
//!
//! All results are restricted to what accepting infinite runs visit. Operands may have different alphabets; the complement
//! is taken within the infinite nested words over the operand's own alphabet.

use super::complement::Complement;
use super::deterministic::DeterministicComplement;
use super::emptiness::shortest_lasso;
use super::intersection::{Both, Intersection};
use super::lasso::LassoWord;
use super::ncsb::{Guess, Ncsb, SemiDeterministicNwa};
use super::rank::Ranks;
use crate::on_demand::{Explicit, explicit};
use crate::properties::{is_deterministic, is_semi_deterministic};
use crate::trim::{only_visited_for_ever, remove_non_live_states};
use crate::{Budget, Enumerable, Interrupted, LazyNwa, Nwa, OverAlphabet, State};

/// A way to complement Büchi automata.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// For deterministic automata: at most two states for each state.
    Deterministic,
    /// For semi-deterministic automata.
    Ncsb(Guess),
    /// For all automata.
    Ranks,
}

impl Method {
    /// The method that suits an automaton.
    pub fn for_automaton(nwa: &Nwa) -> Method {
        if is_deterministic(nwa).is_ok() {
            Method::Deterministic
        } else if is_semi_deterministic(nwa) {
            Method::Ncsb(Guess::default())
        } else {
            Method::Ranks
        }
    }
}

/// Calls a function with the complement of an automaton by a method, or by the one that suits it if the method does not.
macro_rules! with_complement {
    ($nwa:expr, $method:expr, |$complement:ident| $body:expr) => {{
        let nwa: &Nwa = $nwa;
        match ($method, SemiDeterministicNwa::new(nwa)) {
            (Method::Deterministic, _) if is_deterministic(nwa).is_ok() => {
                let $complement = DeterministicComplement::new(nwa);
                $body
            }
            (Method::Ncsb(guess), Ok(operand)) => {
                let $complement = Complement::new(operand, Ncsb { guess });
                $body
            }
            _ => {
                let $complement = Complement::new(nwa, Ranks);
                $body
            }
        }
    }};
}

/// The infinite nested words that both accept.
pub fn intersection(
    left: &Nwa,
    right: &Nwa,
    budget: &dyn Budget,
) -> Result<Explicit<(State, State)>, Interrupted> {
    let pair = |both: Both<State, State>| (both.left, both.right);
    live(explicit(Intersection::new(left, right), budget)?, pair, budget)
}

/// The infinite nested words over the operand's alphabet that it does not accept.
pub fn complement(nwa: &Nwa, budget: &dyn Budget) -> Result<Nwa, Interrupted> {
    let operand = prepared(nwa, budget)?;
    complement_prepared(&operand, Method::for_automaton(&operand), nwa, budget)
}

/// The same by a method of one's choice; where the method cannot be used, by ranks.
pub fn complement_by(nwa: &Nwa, method: Method, budget: &dyn Budget) -> Result<Nwa, Interrupted> {
    complement_prepared(&prepared(nwa, budget)?, method, nwa, budget)
}

fn complement_prepared(
    operand: &Nwa,
    method: Method,
    original: &Nwa,
    budget: &dyn Budget,
) -> Result<Nwa, Interrupted> {
    let alphabet = original.alphabet().clone();
    let all = with_complement!(operand, method, |complement| {
        explicit(OverAlphabet::new(complement, alphabet), budget)?.nwa
    });
    Ok(remove_non_live_states(&all, budget)?.nwa)
}

/// The infinite nested words that the minuend accepts and the subtrahend does not, with the minuend's state of each
/// state. Only that part of the subtrahend's complement is built that the minuend asks for.
pub fn difference<L: Enumerable>(
    minuend: L,
    subtrahend: &Nwa,
    budget: &dyn Budget,
) -> Result<Explicit<L::State>, Interrupted> {
    let subtrahend = prepared(subtrahend, budget)?;
    let method = Method::for_automaton(&subtrahend);
    with_complement!(&subtrahend, method, |complement| difference_with(minuend, complement, budget))
}

/// The infinite nested words that the minuend accepts and whose complement is given, with the minuend's state of each
/// state.
pub fn difference_with<L: Enumerable, R: LazyNwa>(
    minuend: L,
    complement: R,
    budget: &dyn Budget,
) -> Result<Explicit<L::State>, Interrupted> {
    live(explicit(Intersection::new(minuend, complement), budget)?, |both| both.left, budget)
}

/// An infinite nested word that the left automaton accepts and the right one does not; `None` if the language of the
/// left one is included in that of the right one.
pub fn included(left: &Nwa, right: &Nwa, budget: &dyn Budget) -> Result<Option<LassoWord>, Interrupted> {
    let difference = difference(left, right, budget)?;
    Ok(shortest_lasso(&difference.nwa, budget)?.map(|lasso| lasso.word()))
}

/// An infinite nested word that exactly one of the two accepts; `None` if the languages are equal.
pub fn equivalent(left: &Nwa, right: &Nwa, budget: &dyn Budget) -> Result<Option<LassoWord>, Interrupted> {
    match included(left, right, budget)? {
        None => included(right, left, budget),
        counterexample => Ok(counterexample),
    }
}

/// The part that accepting runs visit, with other origins.
fn live<S: Copy, T>(
    product: Explicit<S>,
    origin: impl Fn(S) -> T,
    budget: &dyn Budget,
) -> Result<Explicit<T>, Interrupted> {
    let live = remove_non_live_states(&product.nwa, budget)?;
    let origin = live.origin.into_iter().map(|(_, state)| origin(product.origin[state])).collect();
    Ok(Explicit { nwa: live.nwa, origin })
}

/// The same language with as few states and final states as is easy to see: less to complement.
fn prepared(nwa: &Nwa, budget: &dyn Budget) -> Result<Nwa, Interrupted> {
    only_visited_for_ever(&remove_non_live_states(nwa, budget)?.nwa, budget)
}
