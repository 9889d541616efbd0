//! The operations on Büchi automata, against brute force over all short lassos.

use crate::support::{all_words, alphabet, automata};
use nwa::buchi::{self, Guess, LassoRun, LassoWord, Method};
use nwa::{EntityRef, NestedWord, Nwa, NwaBuilder, Run, State, Symbol, Unlimited};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::LazyLock;

fn budget() -> Unlimited {
    Unlimited
}

/// All infinite words with a short stem and a short loop.
fn lassos(stem: usize, repeated: usize) -> Vec<LassoWord> {
    let (stems, loops) = (all_words(stem), all_words(repeated));
    let words = stems.iter().flat_map(|stem| {
        loops.iter().filter_map(|repeated| LassoWord::new(stem.clone(), repeated.clone()).ok())
    });
    let mut words: Vec<LassoWord> = words.collect();
    words.sort_unstable();
    words.dedup();
    words
}

static LASSOS: LazyLock<Vec<LassoWord>> = LazyLock::new(|| lassos(2, 3));

/// All infinite words without calls and with a short stem and a longer loop.
static FLAT_LASSOS: LazyLock<Vec<LassoWord>> = LazyLock::new(|| {
    let flat = |word: &LassoWord| {
        let mut symbols = word.stem().symbols().iter().chain(word.repeated().symbols());
        symbols.all(|symbol| matches!(symbol, Symbol::Internal(_)))
    };
    lassos(2, 5).into_iter().filter(flat).collect()
});

/// Automata with more states and internal transitions only.
fn without_calls(states: usize) -> impl Strategy<Value = Nwa> {
    use proptest::collection::vec;
    let edges = vec((0..states, 0..2usize, 0..states), 0..=3 * states);
    (vec(0..states, 1..=3), edges).prop_map(move |(finals, edges)| {
        let (q, alphabet) = (State::new, alphabet());
        let mut builder = NwaBuilder::new(alphabet.clone());
        builder.add_states(states);
        builder.set_initial(q(0));
        finals.into_iter().for_each(|state| builder.set_final(q(state)));
        for (source, letter, target) in edges {
            builder.add_internal(q(source), alphabet.internal()[letter], q(target));
        }
        builder.finish()
    })
}

/// A state with the open calls, and whether a final state was visited behind the start.
type Reached = (State, Vec<State>, bool);

fn read(nwa: &Nwa, from: BTreeSet<Reached>, word: &[Symbol]) -> BTreeSet<Reached> {
    word.iter().fold(from, |now, symbol| {
        let mut next = BTreeSet::new();
        for (state, mut stack, seen) in now {
            let edges = match symbol {
                Symbol::Internal(letter) => nwa.internal_on(state, *letter),
                Symbol::Call(letter) => {
                    stack.push(state);
                    nwa.calls_on(state, *letter)
                }
                Symbol::Return(letter) => {
                    let Some(hier) = stack.pop() else { continue };
                    nwa.returns_on(state, hier, *letter)
                }
            };
            let visit = |state| seen || nwa.is_final(state);
            next.extend(edges.iter().map(|edge| (edge.state, stack.clone(), visit(edge.state))));
        }
        next
    })
}

/// Whether an infinite word is accepted: the rounds of the loop are followed one by one until no new state appears. What
/// is on the stack before a round does not matter, because every return has its call in the same round.
pub fn accepts(nwa: &Nwa, word: &LassoWord) -> bool {
    let start = nwa.initial().iter().map(|&state| (state, Vec::new(), false)).collect();
    let mut heads: BTreeSet<State> =
        read(nwa, start, word.stem().symbols()).into_iter().map(|(state, ..)| state).collect();
    let round = |state: State, seen: bool| -> BTreeSet<(State, bool)> {
        let read = read(nwa, BTreeSet::from([(state, Vec::new(), seen)]), word.repeated().symbols());
        read.into_iter().map(|(state, _, seen)| (state, seen)).collect()
    };
    loop {
        let more: Vec<State> = heads.iter().flat_map(|&head| round(head, false)).map(|(q, _)| q).collect();
        let before = heads.len();
        heads.extend(more);
        if heads.len() == before {
            break;
        }
    }
    heads.into_iter().any(|head| {
        let mut reached = round(head, false);
        loop {
            let more: Vec<_> = reached.iter().flat_map(|&(state, seen)| round(state, seen)).collect();
            let before = reached.len();
            reached.extend(more);
            if reached.len() == before {
                return reached.contains(&(head, true));
            }
        }
    })
}

/// Whether some run is back in its state after one round, with a visit of a final state.
fn has_lasso_run(nwa: &Nwa, word: &LassoWord) -> bool {
    let start = nwa.initial().iter().map(|&state| (state, Vec::new(), false)).collect();
    let heads = read(nwa, start, word.stem().symbols());
    heads.into_iter().any(|(head, ..)| {
        let round = read(nwa, BTreeSet::from([(head, Vec::new(), false)]), word.repeated().symbols());
        round.into_iter().any(|(state, _, seen)| seen && state == head)
    })
}

/// The language, as far as the short lassos show it.
fn language(nwa: &Nwa) -> Vec<bool> {
    LASSOS.iter().map(|word| accepts(nwa, word)).collect()
}

/// Fails unless all steps of a run are transitions, for a run that may begin in any state.
fn check_steps(nwa: &Nwa, run: &Run) {
    let calls = run.word.call_predecessors();
    assert_eq!(run.states.len(), run.word.len() + 1);
    for (position, symbol) in run.word.symbols().iter().enumerate() {
        let state = run.states[position];
        let edges = match *symbol {
            Symbol::Internal(letter) => nwa.internal_on(state, letter),
            Symbol::Call(letter) => nwa.calls_on(state, letter),
            Symbol::Return(letter) => {
                nwa.returns_on(state, run.states[calls[position].expect("a return has a call")], letter)
            }
        };
        assert!(edges.iter().any(|edge| edge.state == run.states[position + 1]), "{run:?} at {position}");
    }
}

fn check_lasso(nwa: &Nwa, LassoRun { stem, repeated }: &LassoRun) {
    check_steps(nwa, stem);
    check_steps(nwa, repeated);
    assert!(nwa.initial().contains(&stem.states[0]));
    assert_eq!(stem.states.last(), repeated.states.first());
    assert_eq!(repeated.states.first(), repeated.states.last());
    assert!(repeated.states[1..].iter().any(|&state| nwa.is_final(state)));
}

/// Makes the states from a number on a deterministic part, and the states before it not final.
fn semi_deterministic(nwa: &Nwa, first: usize) -> Nwa {
    let inside = |state: State| state.index() >= first;
    let mut builder = NwaBuilder::new(nwa.alphabet().clone());
    builder.add_states(nwa.num_states());
    nwa.initial().iter().for_each(|&state| builder.set_initial(state));
    for state in nwa.states() {
        if nwa.is_final(state) && inside(state) {
            builder.set_final(state);
        }
        let kept = |edges: &[nwa::Edge]| {
            let mut edges = edges.to_vec();
            if inside(state) {
                edges.retain(|edge| inside(edge.state));
                edges.dedup_by_key(|edge| edge.letter);
            }
            edges
        };
        kept(nwa.internal(state)).iter().for_each(|e| builder.add_internal(state, e.letter, e.state));
        kept(nwa.calls(state)).iter().for_each(|e| builder.add_call(state, e.letter, e.state));
        for (hier, edges) in nwa.returns(state) {
            kept(edges).iter().for_each(|e| builder.add_return(state, hier, e.letter, e.state));
        }
    }
    builder.finish()
}

fn negated(language: &[bool]) -> Vec<bool> {
    language.iter().map(|accepted| !accepted).collect()
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn acceptance_is_that_of_brute_force(nwa in automata(4)) {
        for word in LASSOS.iter() {
            prop_assert_eq!(buchi::accepts(&nwa, word, &budget()), Ok(accepts(&nwa, word)), "{}", word);
        }
    }

    #[test]
    fn a_lasso_is_found_iff_there_is_one_and_none_is_shorter(nwa in automata(5)) {
        let found = buchi::shortest_lasso(&nwa, &budget()).unwrap();
        prop_assert_eq!(buchi::is_empty(&nwa, &budget()), Ok(found.is_none()));
        let live = buchi::remove_non_live_states(&nwa, &budget()).unwrap().nwa;
        prop_assert_eq!(live.num_states() == 0, found.is_none());
        let length = found.as_ref().map_or(usize::MAX, |lasso| lasso.word().len());
        if let Some(lasso) = &found {
            check_lasso(&nwa, lasso);
            prop_assert!(accepts(&nwa, &lasso.word()));
        }
        for word in LASSOS.iter().filter(|word| word.len() < length) {
            prop_assert!(!has_lasso_run(&nwa, word), "{} is shorter", word);
        }
    }

    #[test]
    fn union_and_intersection(left in automata(3), right in automata(3)) {
        let (l, r) = (language(&left), language(&right));
        let either: Vec<bool> = l.iter().zip(&r).map(|(l, r)| l | r).collect();
        let both: Vec<bool> = l.iter().zip(&r).map(|(l, r)| l & r).collect();
        prop_assert_eq!(language(&buchi::union(&left, &right)), either);
        prop_assert_eq!(language(&buchi::intersection(&left, &right, &budget()).unwrap().nwa), both);
    }

    #[test]
    fn reductions_keep_the_infinite_words(nwa in automata(5)) {
        let reduced = buchi::reduce(&nwa, |_| 0, &budget()).unwrap();
        prop_assert_eq!(language(&reduced.nwa), language(&nwa));
        let labelled = buchi::reduce(&nwa, |state| state.as_u32() % 2, &budget()).unwrap();
        prop_assert_eq!(language(&labelled.nwa), language(&nwa));
        prop_assert!(labelled.origin.values().all(|c| c.iter().all(|q| q.as_u32() % 2 == c[0].as_u32() % 2)));
    }

    #[test]
    fn reductions_of_finite_automata_keep_the_infinite_words(nwa in without_calls(7)) {
        let reduced = buchi::reduce(&nwa, |_| 0, &budget()).unwrap().nwa;
        for word in FLAT_LASSOS.iter() {
            prop_assert_eq!(accepts(&reduced, word), accepts(&nwa, word), "{}", word);
        }
    }

    #[test]
    fn complement_of_semi_deterministic_automata(nwa in automata(4), first in 0..4usize) {
        let operand = semi_deterministic(&nwa, first);
        prop_assert!(buchi::is_semi_deterministic(&operand));
        let expected = negated(&language(&operand));
        for method in [Method::Ncsb(Guess::Early), Method::Ncsb(Guess::Late)] {
            let complement = buchi::complement_by(&operand, method, &budget()).unwrap();
            prop_assert_eq!(&language(&complement), &expected, "{:?}", method);
        }
        let complement = buchi::complement(&operand, &budget()).unwrap();
        prop_assert_eq!(&language(&complement), &expected);
    }

    #[test]
    fn difference_with_semi_deterministic_automata(
        left in automata(4),
        right in automata(4),
        first in 0..3usize,
    ) {
        let right = semi_deterministic(&right, first);
        let difference = buchi::difference(&left, &right, &budget()).unwrap();
        let expected: Vec<bool> =
            language(&left).iter().zip(language(&right)).map(|(&l, r)| l && !r).collect();
        prop_assert_eq!(language(&difference.nwa), expected);
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn complement_by_ranks(nwa in automata(3)) {
        let complement = buchi::complement_by(&nwa, Method::Ranks, &budget()).unwrap();
        prop_assert_eq!(language(&complement), negated(&language(&nwa)));
    }

    #[test]
    fn a_complement_has_no_word_in_common_with_its_operand(nwa in automata(3)) {
        let complement = buchi::complement(&nwa, &budget()).unwrap();
        let common = buchi::intersection(&nwa, &complement, &budget()).unwrap().nwa;
        prop_assert_eq!(buchi::is_empty(&common, &budget()), Ok(true));
    }
}

#[test]
fn short_lassos_are_many_and_nested() {
    assert!(LASSOS.len() > 500, "{}", LASSOS.len());
    let pending = |word: &NestedWord| !word.pending_calls().is_empty();
    assert!(LASSOS.iter().any(|word| pending(word.stem()) && pending(word.repeated())));
    assert!(
        LASSOS.iter().any(|word| word.repeated().symbols().iter().any(|s| matches!(s, Symbol::Return(_))))
    );
    assert_eq!(alphabet().call().len(), 1);
}
