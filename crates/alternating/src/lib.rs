//! Predicate automata: alternating automata that read what any number of threads do.
//!
//! A letter of the infinite alphabet is a letter of a finite one together with the threads that take part in it: mostly one, the
//! one that makes a step, but a step may also start another thread, and letters have as many threads as their arity says. The threads of one
//! letter are different from each other. A state of the automaton is an [`Atom`]: a predicate of some arity, of so many threads. What has to
//! be accepted after a letter is a positive Boolean formula over atoms, in which only the threads of the atom and of the letter occur, so
//! automata do not care what threads are called. The definitions are those of A. Farzan, Z. Kincaid, A. Podelski, *Proof Spaces for Unbounded
//! Parallelism* (POPL 2015), with letters of one thread; they call them predicate automata.
//!
//! # What is here
//!
//! | | |
//! |---|---|
//! | words | [`Reading`]: a letter with its threads |
//! | formulas | [`Formula`], over any kind of atoms |
//! | explicit automata | [`PredicateAutomaton`], whose transitions are formulas over [`Literal`]s: atoms, equalities and disequalities |
//! | automata that are computed when asked | [`Alternating`] |
//! | Boolean operations | [`PredicateAutomaton::complement`], [`intersection`], [`union`] |
//! | questions | [`accepts`], [`emptiness`] with the [`Configuration`]s that cover all others, [`emptiness_from`] |
//!
//! Letters, predicates and threads are numbers without meaning. Every algorithm gets a [`Budget`] that it asks whether it may go
//! on. The same input gives the same result.
//!
//! # Example
//!
//! Words in which somebody does `take` who does not do `give` later:
//!
//! ```
//! use alternating::{Argument, Emptiness, Formula, Literal, PredicateAutomaton, Unlimited, emptiness};
//!
//! # fn main() -> Result<(), alternating::Interrupted> {
//! let mut automaton = PredicateAutomaton::default();
//! let (take, give) = (automaton.add_letter(1), automaton.add_letter(1));
//! let (looks, keeps) = (automaton.add_predicate(0, false), automaton.add_predicate(1, true));
//! automaton.initial = Formula::Atom(alternating::Atom { predicate: looks, threads: vec![] });
//! let looks_on = || Formula::Atom(Literal::Atom(looks, vec![]));
//! let keeps_of = |argument| Formula::Atom(Literal::Atom(keeps, vec![argument]));
//! let (own, mover) = (Argument::Own(0), Argument::Letter(0));
//! // Somebody takes: it is this one, or another one later.
//! automaton.set_transition(looks, take, Formula::or([looks_on(), keeps_of(mover)]));
//! automaton.set_transition(looks, give, looks_on());
//! // Who has taken must not give; what others do does not matter.
//! automaton.set_transition(keeps, take, keeps_of(own));
//! let other = Formula::Atom(Literal::Different(own, mover));
//! automaton.set_transition(keeps, give, Formula::and([other, keeps_of(own)]));
//!
//! let Emptiness::Word(word) = emptiness(&mut automaton, &Unlimited)? else { panic!("somebody takes") };
//! assert_eq!(word.len(), 1);
//! assert_eq!(word[0].letter, take);
//! # Ok(())
//! # }
//! ```

mod automaton;
mod configuration;
mod emptiness;
mod formula;

pub use automaton::{Argument, Literal, PredicateAutomaton, intersection, union};
pub use configuration::Configuration;
pub use cranelift_entity::EntityRef;
pub use emptiness::{Emptiness, emptiness, emptiness_from};
pub use formula::Formula;
pub use interrupt::{Budget, Interrupted, Limit, Unlimited};

use cranelift_entity::entity_impl;
use std::collections::BTreeMap;

/// A letter of the finite part of the alphabet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Letter(u32);
entity_impl!(Letter, "a");

/// A predicate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Predicate(u32);
entity_impl!(Predicate, "p");

/// A thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thread(u32);
entity_impl!(Thread, "t");

/// A predicate of some threads, which need not be different.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Atom {
    /// The predicate.
    pub predicate: Predicate,
    /// As many threads as the predicate has places.
    pub threads: Vec<Thread>,
}

/// A letter with the threads that take part.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Reading {
    /// The letter.
    pub letter: Letter,
    /// As many different threads as the letter has places.
    pub threads: Vec<Thread>,
}

/// An alternating automaton over an alphabet with threads.
///
/// Requires that nothing depends on what threads are called: with all threads renamed, different ones to different ones, a step gives the renamed formula;
/// and that all threads of the result occur in the atom or in the reading.
pub trait Alternating {
    /// The letters, and how many threads each of them has.
    fn letters(&self) -> Vec<(Letter, usize)>;

    /// What has to be accepted at the beginning. There are no threads in it.
    fn initial(&self) -> Formula<Atom>;

    /// Is an atom of this predicate accepted at the end of a word?
    fn is_accepting(&self, predicate: Predicate) -> bool;

    /// What has to be accepted after the reading for the atom to be accepted before it.
    fn step(&mut self, atom: &Atom, reading: &Reading) -> Result<Formula<Atom>, Interrupted>;
}

/// Does the automaton accept the word?
///
/// Costs a step for every position and every atom that may have to be accepted there.
pub fn accepts(
    automaton: &mut impl Alternating,
    word: &[Reading],
    budget: &dyn Budget,
) -> Result<bool, Interrupted> {
    // The formula before every position, made from left to right for the atoms that occur; then they are decided from right to left.
    let mut layers: Vec<Vec<(Atom, Formula<Atom>)>> = Vec::with_capacity(word.len());
    let initial = automaton.initial();
    let mut open: Vec<Atom> = initial.atoms();
    for reading in word {
        let mut layer = Vec::with_capacity(open.len());
        let mut next = Vec::new();
        for atom in open {
            budget.check()?;
            let after = automaton.step(&atom, reading)?;
            next.extend(after.atoms());
            layer.push((atom, after));
        }
        next.sort_unstable();
        next.dedup();
        open = next;
        layers.push(layer);
    }
    let mut holds: BTreeMap<Atom, bool> = BTreeMap::new();
    for atom in open {
        let accepting = automaton.is_accepting(atom.predicate);
        holds.insert(atom, accepting);
    }
    for layer in layers.into_iter().rev() {
        let before = layer
            .into_iter()
            .map(|(atom, after)| (atom, after.holds(&|atom| holds.get(atom) == Some(&true))));
        holds = before.collect();
    }
    Ok(initial.holds(&|atom| holds.get(atom) == Some(&true)))
}
