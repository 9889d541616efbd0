//! What the tests believe without the library: small random automata, and languages by brute force.

use nwa::EntityRef;
use nwa::{Alphabet, LazyNwa, Letter, NestedWord, Nwa, NwaBuilder, Run, State, Symbol};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The letters of the random automata: two internal ones; the first of them is also used for calls and returns.
pub fn alphabet() -> Alphabet {
    let a = Letter::new;
    Alphabet::new([a(0), a(1)], [a(0)], [a(0), a(2)])
}

/// The symbols over [`alphabet`].
pub fn symbols() -> Vec<Symbol> {
    let alphabet = alphabet();
    let internal = alphabet.internal().iter().map(|&letter| Symbol::Internal(letter));
    let call = alphabet.call().iter().map(|&letter| Symbol::Call(letter));
    let ret = alphabet.ret().iter().map(|&letter| Symbol::Return(letter));
    internal.chain(call).chain(ret).collect()
}

/// Automata with up to `states` states.
pub fn automata(states: usize) -> impl Strategy<Value = Nwa> {
    (1..=states).prop_flat_map(|n| {
        let edge = || (0..n, 0..2usize, 0..n);
        (
            vec(0..n, 1..=2),
            vec(0..n, 0..=2),
            vec(edge(), 0..=2 * n),
            vec(edge(), 0..=n),
            vec((0..n, 0..n, 0..2usize, 0..n), 0..=3 * n),
        )
            .prop_map(move |(initial, finals, internal, calls, returns)| {
                let (q, alphabet) = (State::new, alphabet());
                let mut builder = NwaBuilder::new(alphabet.clone());
                builder.add_states(n);
                initial.into_iter().for_each(|state| builder.set_initial(q(state)));
                finals.into_iter().for_each(|state| builder.set_final(q(state)));
                for (source, letter, target) in internal {
                    builder.add_internal(q(source), alphabet.internal()[letter], q(target));
                }
                for (source, _, target) in calls {
                    builder.add_call(q(source), alphabet.call()[0], q(target));
                }
                for (linear, hier, letter, target) in returns {
                    builder.add_return(q(linear), q(hier), alphabet.ret()[letter], q(target));
                }
                builder.finish()
            })
    })
}

/// A state and the states in which the open calls were read.
type Configuration = (State, Vec<State>);

fn successors(nwa: &Nwa, (state, stack): &Configuration, symbol: Symbol) -> Vec<Configuration> {
    let mut found = Vec::new();
    match symbol {
        Symbol::Internal(letter) => {
            let edges = nwa.internal(*state).iter().filter(|edge| edge.letter == letter);
            found.extend(edges.map(|edge| (edge.state, stack.clone())));
        }
        Symbol::Call(letter) => {
            let mut pushed = stack.clone();
            pushed.push(*state);
            let edges = nwa.calls(*state).iter().filter(|edge| edge.letter == letter);
            found.extend(edges.map(|edge| (edge.state, pushed.clone())));
        }
        Symbol::Return(letter) => {
            let Some((&hier, rest)) = stack.split_last() else { return found };
            for edge in nwa.returns_with(*state, hier).iter().filter(|edge| edge.letter == letter) {
                found.push((edge.state, rest.to_vec()));
            }
        }
    }
    found
}

/// All accepted nested words up to a length.
pub fn language(nwa: &Nwa, length: usize) -> BTreeSet<Vec<Symbol>> {
    let symbols = symbols();
    let mut accepted = BTreeSet::new();
    let start: BTreeSet<Configuration> = nwa.initial().iter().map(|&state| (state, Vec::new())).collect();
    let mut work = vec![(Vec::new(), start)];
    while let Some((word, configurations)) = work.pop() {
        if configurations.iter().any(|(state, _)| nwa.is_final(*state)) {
            accepted.insert(word.clone());
        }
        if word.len() == length {
            continue;
        }
        for &symbol in &symbols {
            let next: BTreeSet<Configuration> =
                configurations.iter().flat_map(|c| successors(nwa, c, symbol)).collect();
            if !next.is_empty() {
                let mut longer = word.clone();
                longer.push(symbol);
                work.push((longer, next));
            }
        }
    }
    accepted
}

/// All nested words up to a length.
pub fn all_words(length: usize) -> BTreeSet<Vec<Symbol>> {
    let mut words = BTreeSet::from([Vec::new()]);
    let mut last: Vec<Vec<Symbol>> = vec![Vec::new()];
    for _ in 0..length {
        let longer = last.iter().flat_map(|word| {
            symbols().into_iter().map(move |symbol| {
                let mut word = word.clone();
                word.push(symbol);
                word
            })
        });
        last = longer.filter(|word| NestedWord::new(word.clone()).is_ok()).collect();
        words.extend(last.iter().cloned());
    }
    words
}

/// Fails unless this is an accepting run of a lazy automaton.
pub fn check_run<A: LazyNwa>(mut automaton: A, run: &Run<A::State>) {
    let predecessors = run.word.call_predecessors();
    assert_eq!(run.states.len(), run.word.len() + 1);
    let mut answer = Vec::new();
    automaton.initial(&mut answer).expect("never interrupted");
    assert!(answer.contains(&run.states[0]), "the first state is initial");
    for (position, &symbol) in run.word.symbols().iter().enumerate() {
        answer.clear();
        let state = run.states[position];
        match symbol {
            Symbol::Internal(letter) => automaton.internal(state, letter, &mut answer),
            Symbol::Call(letter) => automaton.call(state, letter, &mut answer),
            Symbol::Return(letter) => {
                let call = predecessors[position].expect("a return has a call");
                automaton.ret(state, run.states[call], letter, &mut answer)
            }
        }
        .expect("never interrupted");
        assert!(answer.contains(&run.states[position + 1]), "step {position} is a transition");
    }
    let last = run.states[run.word.len()];
    assert!(automaton.is_final(last).expect("never interrupted"), "the last state is final");
}
