//! The laws of the operations, on random automata, against languages found by brute force.

use crate::support::{all_words, automata, check_run, language};
use nwa::{
    Alphabet, Determinized, Difference, Enumerable, Interrupted, Intersection, LazyNwa, Letter, NestedWord,
    Nwa, State, Symbol, Unlimited,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Brute force looks at all nested words up to this length.
const LENGTH: usize = 6;

fn budget() -> Unlimited {
    Unlimited
}

type Language = BTreeSet<Vec<Symbol>>;

fn shortest(language: &Language) -> Option<usize> {
    language.iter().map(Vec::len).min()
}

fn nested(word: &[Symbol]) -> NestedWord {
    NestedWord::new(word.to_vec()).expect("brute force only makes nested words")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn acceptance_is_what_brute_force_says(nwa in automata(4)) {
        let expected = language(&nwa, 4);
        for word in all_words(4) {
            prop_assert_eq!(nwa::accepts(&nwa, &nested(&word), &budget()), Ok(expected.contains(&word)));
        }
    }

    #[test]
    fn the_shortest_run_is_a_shortest_run(nwa in automata(5)) {
        let expected = shortest(&language(&nwa, LENGTH));
        let found = nwa::shortest_run(&nwa, &budget()).unwrap();
        prop_assert_eq!(nwa::is_empty(&nwa, &budget()), Ok(found.is_none()));
        let lazy = nwa::cheapest_run(&nwa, nwa::ShortestFirst, &budget()).unwrap();
        prop_assert_eq!(lazy.as_ref().map(|run| run.word.len()), found.as_ref().map(|run| run.word.len()));
        if let Some(run) = found {
            check_run(&nwa, &run);
            prop_assert!(expected.map_or(run.word.len() > LENGTH, |length| run.word.len() == length));
            check_run(&nwa, &lazy.unwrap());
            let length = run.word.len() as u64;
            let within = |most| nwa::shortest_run_within(&nwa, most, &budget()).unwrap();
            prop_assert!(within(length) == Some(Ok(run)));
            prop_assert!(length == 0 || within(length - 1) == Some(Err(length)));
        } else {
            prop_assert_eq!(expected, None);
        }
    }

    #[test]
    fn intersection_difference_and_union_are_those_of_sets(left in automata(3), right in automata(3)) {
        let (l, r) = (language(&left, LENGTH), language(&right, LENGTH));
        let both = nwa::intersection(&left, &right, &budget()).unwrap();
        prop_assert_eq!(language(&both.nwa, LENGTH), &l & &r);
        let only_left = nwa::difference(&left, &right, &budget()).unwrap();
        prop_assert_eq!(language(&only_left.nwa, LENGTH), &l - &r);
        prop_assert_eq!(language(&nwa::union(&left, &right), LENGTH), &l | &r);
    }

    #[test]
    fn lazy_and_eager_products_agree(left in automata(3), right in automata(3)) {
        let eager = nwa::intersection(&left, &right, &budget()).unwrap().nwa;
        let lazy = nwa::cheapest_run(Intersection::new(&left, &right), nwa::ShortestFirst, &budget()).unwrap();
        let run = nwa::shortest_run(&eager, &budget()).unwrap();
        prop_assert_eq!(lazy.as_ref().map(|run| run.word.len()), run.map(|run| run.word.len()));
        if let Some(run) = lazy {
            check_run(Intersection::new(&left, &right), &run);
        }
        let eager = nwa::difference(&left, &right, &budget()).unwrap().nwa;
        let lazy = || Difference::subtract(&left, Determinized::new(&right));
        let found = nwa::cheapest_run(lazy(), nwa::ShortestFirst, &budget()).unwrap();
        let run = nwa::shortest_run(&eager, &budget()).unwrap();
        prop_assert_eq!(found.as_ref().map(|run| run.word.len()), run.map(|run| run.word.len()));
        for word in all_words(3) {
            let word = nested(&word);
            let (now, later) = (nwa::accepts(&eager, &word, &budget()), nwa::accepts(lazy(), &word, &budget()));
            prop_assert_eq!(now, later);
        }
    }

    #[test]
    fn determinisation_keeps_the_language_and_complement_turns_it(nwa in automata(3)) {
        let expected = language(&nwa, LENGTH);
        let deterministic = nwa::determinize(&nwa, &budget()).unwrap();
        prop_assert_eq!(nwa::is_deterministic(&deterministic), Ok(()));
        prop_assert_eq!(language(&deterministic, LENGTH), expected.clone());
        let complement = nwa::complement(&nwa, &budget()).unwrap();
        prop_assert_eq!(nwa::is_deterministic(&complement), Ok(()));
        prop_assert_eq!(nwa::is_total(&complement, &budget()), Ok(true));
        prop_assert_eq!(language(&complement, LENGTH), &all_words(LENGTH) - &expected);
    }

    #[test]
    fn totalisation_keeps_the_language(nwa in automata(4)) {
        let total = nwa::totalize(&nwa, &budget()).unwrap().nwa;
        prop_assert_eq!(nwa::is_total(&total, &budget()), Ok(true));
        prop_assert_eq!(language(&total, LENGTH), language(&nwa, LENGTH));
    }

    #[test]
    fn inclusion_is_that_of_sets(left in automata(3), right in automata(3)) {
        let (l, r) = (language(&left, LENGTH), language(&right, LENGTH));
        let expected = shortest(&(&l - &r));
        let found = nwa::included(&left, &right, &budget()).unwrap();
        let difference = nwa::difference(&left, &right, &budget()).unwrap().nwa;
        prop_assert_eq!(found.is_none(), nwa::is_empty(&difference, &budget()).unwrap());
        match found {
            None => prop_assert_eq!(expected, None),
            Some(word) => {
                prop_assert_eq!(nwa::accepts(&left, &word, &budget()), Ok(true));
                prop_assert_eq!(nwa::accepts(&right, &word, &budget()), Ok(false));
                prop_assert!(expected.map_or(word.len() > LENGTH, |length| word.len() == length));
            }
        }
        let equal = nwa::equivalent(&left, &right, &budget()).unwrap();
        if let Some(word) = &equal {
            let (l, r) = (nwa::accepts(&left, word, &budget()), nwa::accepts(&right, word, &budget()));
            prop_assert_ne!(l, r);
        } else {
            prop_assert_eq!(l, r);
        }
        let deterministic = nwa::determinize(&left, &budget()).unwrap();
        prop_assert_eq!(nwa::equivalent(&left, &deterministic, &budget()), Ok(None));
    }

    #[test]
    fn universality_finds_a_shortest_rejected_word(nwa in automata(3)) {
        let rejected = &all_words(LENGTH) - &language(&nwa, LENGTH);
        match nwa::universal(&nwa, &budget()).unwrap() {
            None => prop_assert!(rejected.is_empty()),
            Some(word) => prop_assert_eq!(Some(word.len()), shortest(&rejected).or(Some(word.len()))),
        }
        // Both complements may be exponentially larger than what they complement, so large ones are left alone.
        let complement = nwa::complement(&nwa, &budget()).unwrap();
        if complement.num_states() <= 12 {
            let all = nwa::union(&nwa, &complement);
            prop_assert_eq!(nwa::universal(&all, &budget()), Ok(None));
        }
    }

    #[test]
    fn finiteness_is_having_no_long_words(nwa in automata(3)) {
        let long = nwa::cheapest_run(AtLeast { nwa: &nwa, length: 150 }, nwa::ShortestFirst, &budget()).unwrap();
        prop_assert_eq!(nwa::is_finite(&nwa, &budget()), Ok(long.is_none()));
    }

    #[test]
    fn trimming_keeps_exactly_what_runs_use(nwa in automata(5)) {
        let expected = language(&nwa, LENGTH);
        let reachable = nwa::remove_unreachable(&nwa, &budget()).unwrap();
        let useful = nwa::remove_dead_ends(&nwa, &budget()).unwrap();
        prop_assert_eq!(language(&reachable.nwa, LENGTH), expected.clone());
        prop_assert_eq!(language(&useful.nwa, LENGTH), expected);
        for state in nwa.states() {
            let kept = useful.origin.values().any(|&kept| kept == state);
            prop_assert_eq!(kept, some_run(&nwa, true, |step| step.visits(state)), "{} is useful", state);
            let kept = reachable.origin.values().any(|&kept| kept == state);
            prop_assert_eq!(kept, some_run(&nwa, false, |step| step.visits(state)), "{} is reachable", state);
        }
        for step in transitions(&useful.nwa) {
            prop_assert!(some_run(&useful.nwa, true, |other| other == step), "{:?} is useful", step);
        }
        let used = transitions(&nwa).into_iter().filter(|&step| some_run(&nwa, true, |other| other == step));
        prop_assert_eq!(useful.nwa.num_transitions(), used.count());
    }
}

/// The words of at least some length.
struct AtLeast<'a> {
    nwa: &'a Nwa,
    length: u32,
}

impl AtLeast<'_> {
    fn count(&self, before: u32, mut answer: Vec<State>, out: &mut Vec<(State, u32)>) {
        out.extend(answer.drain(..).map(|state| (state, (before + 1).min(self.length))));
    }
}

impl LazyNwa for AtLeast<'_> {
    type State = (State, u32);

    fn initial(&mut self, out: &mut Vec<Self::State>) -> Result<(), Interrupted> {
        out.extend(self.nwa.initial().iter().map(|&state| (state, 0)));
        Ok(())
    }

    fn is_final(&mut self, (state, length): Self::State) -> Result<bool, Interrupted> {
        Ok(length == self.length && self.nwa.is_final(state))
    }

    fn internal(
        &mut self,
        (state, length): Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        let answer = self.nwa.internal_on(state, letter).iter().map(|edge| edge.state).collect();
        self.count(length, answer, out);
        Ok(())
    }

    fn call(
        &mut self,
        (state, length): Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        let answer = self.nwa.calls_on(state, letter).iter().map(|edge| edge.state).collect();
        self.count(length, answer, out);
        Ok(())
    }

    fn ret(
        &mut self,
        (state, length): Self::State,
        hier: Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        let answer = self.nwa.returns_on(state, hier.0, letter).iter().map(|edge| edge.state).collect();
        self.count(length, answer, out);
        Ok(())
    }
}

fn edges<A: LazyNwa>(
    letters: &[Letter],
    out: &mut Vec<(Letter, A::State)>,
    mut ask: impl FnMut(Letter, &mut Vec<A::State>) -> Result<(), Interrupted>,
) -> Result<(), Interrupted> {
    for &letter in letters {
        let mut answer = Vec::new();
        ask(letter, &mut answer)?;
        out.extend(answer.into_iter().map(|state| (letter, state)));
    }
    Ok(())
}

macro_rules! enumerate_over_the_alphabet {
    ($automaton:ty) => {
        impl Enumerable for $automaton {
            fn alphabet(&self) -> Alphabet {
                crate::support::alphabet()
            }

            fn internal_edges(
                &mut self,
                state: Self::State,
                out: &mut Vec<(Letter, Self::State)>,
            ) -> Result<(), Interrupted> {
                edges::<Self>(crate::support::alphabet().internal(), out, |letter, answer| {
                    self.internal(state, letter, answer)
                })
            }

            fn call_edges(
                &mut self,
                state: Self::State,
                out: &mut Vec<(Letter, Self::State)>,
            ) -> Result<(), Interrupted> {
                edges::<Self>(crate::support::alphabet().call(), out, |letter, answer| {
                    self.call(state, letter, answer)
                })
            }

            fn return_edges(
                &mut self,
                state: Self::State,
                hier: Self::State,
                out: &mut Vec<(Letter, Self::State)>,
            ) -> Result<(), Interrupted> {
                edges::<Self>(crate::support::alphabet().ret(), out, |letter, answer| {
                    self.ret(state, hier, letter, answer)
                })
            }

            fn may_return(&mut self, _: Self::State) -> Result<bool, Interrupted> {
                Ok(true)
            }
        }
    };
}

enumerate_over_the_alphabet!(AtLeast<'_>);

/// A transition, or the start in an initial state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Start(State),
    Internal(State, Letter, State),
    Call(State, Letter, State),
    Return(State, State, Letter, State),
}

impl Step {
    fn visits(self, state: State) -> bool {
        let (Step::Start(target)
        | Step::Internal(_, _, target)
        | Step::Call(_, _, target)
        | Step::Return(_, _, _, target)) = self;
        target == state
    }
}

fn transitions(nwa: &Nwa) -> Vec<Step> {
    let mut steps = Vec::new();
    for state in nwa.states() {
        steps.extend(nwa.internal(state).iter().map(|e| Step::Internal(state, e.letter, e.state)));
        steps.extend(nwa.calls(state).iter().map(|e| Step::Call(state, e.letter, e.state)));
        for (hier, edges) in nwa.returns(state) {
            steps.extend(edges.iter().map(|e| Step::Return(state, hier, e.letter, e.state)));
        }
    }
    steps
}

/// Whether some (accepting) run makes a step.
fn some_run(nwa: &Nwa, accepting: bool, wanted: impl Fn(Step) -> bool) -> bool {
    let watched = Watched { nwa, accepting, wanted: &wanted };
    nwa::cheapest_run(watched, nwa::ShortestFirst, &budget()).unwrap().is_some()
}

/// Runs that make a wanted step.
struct Watched<'a> {
    nwa: &'a Nwa,
    accepting: bool,
    wanted: &'a dyn Fn(Step) -> bool,
}

impl LazyNwa for Watched<'_> {
    type State = (State, bool);

    fn initial(&mut self, out: &mut Vec<Self::State>) -> Result<(), Interrupted> {
        out.extend(self.nwa.initial().iter().map(|&state| (state, (self.wanted)(Step::Start(state)))));
        Ok(())
    }

    fn is_final(&mut self, (state, seen): Self::State) -> Result<bool, Interrupted> {
        Ok(seen && (!self.accepting || self.nwa.is_final(state)))
    }

    fn internal(
        &mut self,
        (state, seen): Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        let wanted = |target| seen || (self.wanted)(Step::Internal(state, letter, target));
        out.extend(self.nwa.internal_on(state, letter).iter().map(|edge| (edge.state, wanted(edge.state))));
        Ok(())
    }

    fn call(
        &mut self,
        (state, seen): Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        let wanted = |target| seen || (self.wanted)(Step::Call(state, letter, target));
        out.extend(self.nwa.calls_on(state, letter).iter().map(|edge| (edge.state, wanted(edge.state))));
        Ok(())
    }

    fn ret(
        &mut self,
        (state, seen): Self::State,
        (hier, _): Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        let wanted = |target| seen || (self.wanted)(Step::Return(state, hier, letter, target));
        let edges = self.nwa.returns_on(state, hier, letter).iter();
        out.extend(edges.map(|edge| (edge.state, wanted(edge.state))));
        Ok(())
    }
}

enumerate_over_the_alphabet!(Watched<'_>);
