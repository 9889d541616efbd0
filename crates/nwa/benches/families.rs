//! Automata of any size for measuring.

#![allow(dead_code, reason = "each benchmark uses some of the families")]

use base::Random;
use nwa::EntityRef;
use nwa::{Alphabet, Letter, Nwa, NwaBuilder, State};

/// A finite automaton with about this many transitions, three per state, whose final state is hard to find.
pub fn finite(transitions: usize) -> Nwa {
    let states = (transitions / 3).max(2);
    let letters: Vec<Letter> = (0..10).map(Letter::new).collect();
    let mut random = Random::new(1);
    let mut builder = NwaBuilder::new(Alphabet::finite(letters.iter().copied()));
    builder.add_states(states);
    builder.set_initial(State::new(0));
    builder.set_final(State::new(states - 1));
    for state in 0..states {
        let next = State::new((state + 1) % states);
        builder.add_internal(State::new(state), letters[random.below(10)], next);
        for _ in 0..2 {
            // Mostly backwards, so that the search walks most of the automaton.
            let target = State::new(random.below(state + 1));
            builder.add_internal(State::new(state), letters[random.below(10)], target);
        }
    }
    builder.finish()
}

/// A program: procedures of 50 states in a row with branches and loops; one state in ten calls a later procedure, and a
/// procedure is called from about five places. The last state of the last procedure is final.
pub fn program(transitions: usize) -> Nwa {
    const BODY: usize = 50;
    let procedures = (transitions / 71).max(2);
    let letter = Letter::new;
    let alphabet = Alphabet::new((0..20).map(letter), (20..30).map(letter), (30..40).map(letter));
    let mut random = Random::new(2);
    let mut builder = NwaBuilder::new(alphabet);
    builder.add_states(procedures * BODY);
    builder.set_initial(State::new(0));
    builder.set_final(State::new(procedures * BODY - 2));
    for procedure in 0..procedures {
        let place = |offset: usize| State::new(procedure * BODY + offset);
        let exit = |callee: usize| State::new(callee * BODY + BODY - 1);
        for offset in 0..BODY - 1 {
            let call_letter = random.below(10);
            if offset % 10 == 5 && procedure + 1 < procedures {
                let callee = (procedure + 1 + random.below(procedure + 3)).min(procedures - 1);
                builder.add_call(place(offset), letter(20 + call_letter), State::new(callee * BODY));
                builder.add_return(exit(callee), place(offset), letter(30 + call_letter), place(offset + 1));
            } else {
                builder.add_internal(place(offset), letter(random.below(20)), place(offset + 1));
            }
            if offset % 3 == 0 {
                builder.add_internal(place(offset), letter(random.below(20)), place(random.below(BODY - 1)));
            }
        }
    }
    builder.finish()
}

/// Only words with `depth` nested calls are accepted: one state calls itself, and each return leads one state further.
pub fn recursion(depth: usize) -> Nwa {
    let (call, ret) = (Letter::new(0), Letter::new(1));
    let mut builder = NwaBuilder::new(Alphabet::new([], [call], [ret]));
    builder.add_states(depth + 1);
    let first = State::new(0);
    builder.set_initial(first);
    builder.set_final(State::new(depth));
    builder.add_call(first, call, first);
    for state in 0..depth {
        builder.add_return(State::new(state), first, ret, State::new(state + 1));
    }
    builder.finish()
}

/// A deterministic automaton over the letters of [`program`] that counts one letter modulo `modulus` in each procedure
/// and forgets the count at calls.
pub fn counter(modulus: usize) -> Nwa {
    let letter = Letter::new;
    let alphabet = Alphabet::new((0..20).map(letter), (20..30).map(letter), (30..40).map(letter));
    let mut builder = NwaBuilder::new(alphabet);
    builder.add_states(modulus);
    builder.set_initial(State::new(0));
    builder.set_final(State::new(modulus - 1));
    for count in 0..modulus {
        let state = State::new(count);
        for index in 0..20 {
            let next = if index == 0 { State::new((count + 1) % modulus) } else { state };
            builder.add_internal(state, letter(index), next);
        }
        for index in 20..30 {
            builder.add_call(state, letter(index), State::new(0));
        }
        for hier in (0..modulus).map(State::new) {
            for index in 30..40 {
                builder.add_return(state, hier, letter(index), hier);
            }
        }
    }
    builder.finish()
}

/// The same automaton with all states final: as a Büchi automaton, all its infinite runs are accepting.
pub fn looping(nwa: &Nwa) -> Nwa {
    let mut builder = NwaBuilder::new(nwa.alphabet().clone());
    builder.add_states(nwa.num_states());
    nwa.initial().iter().for_each(|&state| builder.set_initial(state));
    for state in nwa.states() {
        builder.set_final(state);
        for edge in nwa.internal(state) {
            builder.add_internal(state, edge.letter, edge.state);
        }
        for edge in nwa.calls(state) {
            builder.add_call(state, edge.letter, edge.state);
        }
        for (hier, edges) in nwa.returns(state) {
            for edge in edges {
                builder.add_return(state, hier, edge.letter, edge.state);
            }
        }
    }
    builder.finish()
}

/// A semi-deterministic Büchi automaton over the letters of [`program`]: from some position on, outside of calls that
/// return, one letter is read again and again and another one never.
pub fn last_phase() -> Nwa {
    let letter = Letter::new;
    let alphabet = Alphabet::new((0..20).map(letter), (20..30).map(letter), (30..40).map(letter));
    let mut builder = NwaBuilder::new(alphabet);
    let (before, waiting, seen) = (builder.add_state(), builder.add_state(), builder.add_state());
    let inside = builder.add_state();
    builder.set_initial(before);
    builder.set_final(seen);
    for index in 0..20 {
        builder.add_internal(before, letter(index), before);
        builder.add_internal(before, letter(index), waiting);
        builder.add_internal(inside, letter(index), inside);
        for state in [waiting, seen] {
            match index {
                0 => builder.add_internal(state, letter(index), seen),
                1 => {}
                _ => builder.add_internal(state, letter(index), waiting),
            }
        }
    }
    for index in 0..10 {
        builder.add_call(before, letter(20 + index), before);
        builder.add_return(before, before, letter(30 + index), before);
        for state in [waiting, seen, inside] {
            builder.add_call(state, letter(20 + index), inside);
            let behind = if state == inside { inside } else { waiting };
            builder.add_return(inside, state, letter(30 + index), behind);
        }
    }
    builder.finish()
}
