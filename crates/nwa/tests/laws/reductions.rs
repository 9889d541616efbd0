//! Reductions keep the language, finite and infinite, and merge no labels; the smallest automata are the smallest.

use crate::support::{all_words, automata, language};
use nwa::reduce::{by_bisimulation, by_simulation, minimize_dfa, reduce};
use nwa::{Alphabet, EntityRef, Explicit, Letter, Nwa, NwaBuilder, State, Symbol, Unlimited};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;

const LENGTH: usize = 6;

fn budget() -> Unlimited {
    Unlimited
}

/// Every state by itself can be merged with every other one.
fn unlabelled(_: State) -> u32 {
    0
}

/// Half of the states must not be merged with the other half.
fn odd_or_even(state: State) -> u32 {
    state.index() as u32 % 2
}

type Reduction = fn(&Nwa, &dyn Fn(State) -> u32) -> Explicit<Vec<State>>;

fn reductions() -> [Reduction; 3] {
    [
        |nwa, label| by_bisimulation(nwa, label, &budget()).unwrap(),
        |nwa, label| by_simulation(nwa, label, &budget()).unwrap(),
        |nwa, label| reduce(nwa, label, &budget()).unwrap(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reductions_keep_the_language_and_the_labels(nwa in automata(6)) {
        let expected = language(&nwa, LENGTH);
        for reduction in reductions() {
            for label in [unlabelled, odd_or_even] {
                let reduced = reduction(&nwa, &label);
                prop_assert_eq!(&language(&reduced.nwa, LENGTH), &expected);
                let mut seen = BTreeSet::new();
                for class in reduced.origin.values() {
                    prop_assert!(class.iter().all(|&state| label(state) == label(class[0])));
                    prop_assert!(!class.is_empty() && class.iter().all(|&state| seen.insert(state)));
                }
            }
        }
    }

    #[test]
    fn reductions_keep_the_language_up_to_any_length(nwa in automata(4)) {
        for reduction in reductions() {
            let reduced = reduction(&nwa, &unlabelled).nwa;
            prop_assert_eq!(nwa::equivalent(&nwa, &reduced, &budget()), Ok(None));
        }
    }

    #[test]
    fn what_is_reduced_stays_as_it_is(nwa in automata(6)) {
        let once = reduce(&nwa, unlabelled, &budget()).unwrap().nwa;
        let twice = reduce(&once, unlabelled, &budget()).unwrap().nwa;
        prop_assert_eq!(once.num_states(), twice.num_states());
    }

    #[test]
    fn live_states_are_those_of_accepting_lassos(
        nwa in automata(4),
        stem in words(3, |_| true),
        repeated in words(4, |word| balanced(word) && !word.is_empty()),
    ) {
        prop_assert_eq!(accepts_lasso(&nwa, &stem, &repeated), lasso_by_brute_force(&nwa, &stem, &repeated));
        let live = nwa::remove_non_live_states(&nwa, &budget()).unwrap().nwa;
        prop_assert_eq!(accepts_lasso(&live, &stem, &repeated), accepts_lasso(&nwa, &stem, &repeated));
        let again = nwa::remove_non_live_states(&live, &budget()).unwrap().nwa;
        let sizes = |nwa: &Nwa| (nwa.num_states(), nwa.num_transitions());
        prop_assert_eq!(sizes(&live), sizes(&again));
    }

    #[test]
    fn reductions_keep_infinite_words(
        nwa in automata(5),
        stem in words(2, |_| true),
        repeated in words(4, |word| !word.is_empty()),
    ) {
        for reduction in reductions() {
            let reduced = reduction(&nwa, &unlabelled).nwa;
            let (before, after) =
                (accepts_lasso(&nwa, &stem, &repeated), accepts_lasso(&reduced, &stem, &repeated));
            prop_assert_eq!(before, after);
        }
    }

    #[test]
    fn a_minimal_automaton_has_no_two_equivalent_states(nwa in finite_automata(5)) {
        let deterministic = nwa::determinize(&nwa, &budget()).unwrap();
        let minimal = minimize_dfa(&deterministic, unlabelled, &budget()).unwrap().unwrap().nwa;
        prop_assert_eq!(nwa::equivalent(&nwa, &minimal, &budget()), Ok(None));
        prop_assert_eq!(nwa::is_deterministic(&minimal), Ok(()));
        for p in minimal.states() {
            for q in minimal.states().filter(|&q| q > p) {
                let same = nwa::equivalent(&started_in(&minimal, p), &started_in(&minimal, q), &budget()).unwrap();
                prop_assert!(same.is_some(), "{} and {} are equivalent", p, q);
            }
        }
        let reduced = reduce(&deterministic, unlabelled, &budget()).unwrap().nwa;
        prop_assert!(reduced.num_states() <= minimal.num_states());
    }
}

fn words(length: usize, wanted: fn(&[Symbol]) -> bool) -> impl Strategy<Value = Vec<Symbol>> {
    let words: Vec<Vec<Symbol>> = all_words(length).into_iter().filter(|word| wanted(word)).collect();
    proptest::sample::select(words)
}

fn finite_automata(states: usize) -> impl Strategy<Value = Nwa> {
    (1..=states).prop_flat_map(|n| {
        (vec(0..n, 1..=2), vec(0..n, 0..=2), vec((0..n, 0..2usize, 0..n), 0..=3 * n)).prop_map(
            move |(initial, finals, edges)| {
                let letters = [Letter::new(0), Letter::new(1)];
                let mut builder = NwaBuilder::new(Alphabet::finite(letters));
                builder.add_states(n);
                initial.into_iter().for_each(|state| builder.set_initial(State::new(state)));
                finals.into_iter().for_each(|state| builder.set_final(State::new(state)));
                for (source, letter, target) in edges {
                    builder.add_internal(State::new(source), letters[letter], State::new(target));
                }
                builder.finish()
            },
        )
    })
}

fn started_in(nwa: &Nwa, start: State) -> Nwa {
    let mut builder = NwaBuilder::new(nwa.alphabet().clone());
    builder.add_states(nwa.num_states());
    builder.set_initial(start);
    for state in nwa.states() {
        if nwa.is_final(state) {
            builder.set_final(state);
        }
        for edge in nwa.internal(state) {
            builder.add_internal(state, edge.letter, edge.state);
        }
    }
    builder.finish()
}

fn balanced(word: &[Symbol]) -> bool {
    nwa::NestedWord::new(word.to_vec()).is_ok_and(|word| word.pending_calls().is_empty())
}

/// Whether an infinite word is accepted: the automaton that reads just this word is intersected, and something is live.
/// Returns of the repeated part must match calls of the same repetition.
fn accepts_lasso(nwa: &Nwa, stem: &[Symbol], repeated: &[Symbol]) -> bool {
    let word: Vec<Symbol> = stem.iter().chain(repeated).copied().collect();
    let mut builder = NwaBuilder::new(crate::support::alphabet());
    builder.add_states(word.len());
    builder.set_initial(State::new(0));
    let calls = nwa::NestedWord::new(word.clone()).unwrap().call_predecessors();
    for (position, symbol) in word.iter().enumerate() {
        let (here, next) = (State::new(position), position + 1);
        let next = State::new(if next == word.len() { stem.len() } else { next });
        builder.set_final(here);
        match symbol {
            Symbol::Internal(letter) => builder.add_internal(here, *letter, next),
            Symbol::Call(letter) => builder.add_call(here, *letter, next),
            Symbol::Return(letter) => {
                builder.add_return(here, State::new(calls[position].unwrap()), *letter, next);
            }
        }
    }
    let both = nwa::intersection(nwa, &builder.finish(), &budget()).unwrap().nwa;
    nwa::remove_non_live_states(&both, &budget()).unwrap().nwa.num_states() > 0
}

/// A state with the open calls, and whether a final state was visited.
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
            next.extend(
                edges.iter().map(|edge| (edge.state, stack.clone(), seen || nwa.is_final(edge.state))),
            );
        }
        next
    })
}

/// The same by reading the stem, then the repeated part, which is balanced, until states repeat.
fn lasso_by_brute_force(nwa: &Nwa, stem: &[Symbol], repeated: &[Symbol]) -> bool {
    let start = nwa.initial().iter().map(|&state| (state, Vec::new(), false)).collect();
    let mut entries: BTreeSet<State> = read(nwa, start, stem).into_iter().map(|(state, ..)| state).collect();
    let once = |state: State, seen: bool| {
        let read = read(nwa, BTreeSet::from([(state, Vec::new(), seen)]), repeated);
        read.into_iter().map(|(state, _, seen)| (state, seen)).collect::<BTreeSet<_>>()
    };
    loop {
        let more: BTreeSet<State> =
            entries.iter().flat_map(|&state| once(state, false)).map(|(q, _)| q).collect();
        let before = entries.len();
        entries.extend(more);
        if entries.len() == before {
            break;
        }
    }
    entries.into_iter().any(|start| {
        let mut reached = once(start, false);
        for _ in 0..2 * nwa.num_states() {
            let more: Vec<_> = reached.iter().flat_map(|&(state, seen)| once(state, seen)).collect();
            reached.extend(more);
        }
        reached.contains(&(start, true))
    })
}
