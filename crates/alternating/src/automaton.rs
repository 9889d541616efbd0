//! Explicit predicate automata, and the Boolean operations.

use crate::{Alternating, Atom, Formula, Interrupted, Letter, Predicate, Reading, Thread};
use cranelift_entity::{EntityRef, PrimaryMap};
use std::collections::BTreeMap;

/// A thread in a transition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Argument {
    /// The one at this place of the atom.
    Own(usize),
    /// The one at this place of the letter.
    Letter(usize),
}

/// What transitions are made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal {
    /// The predicate has to be accepted of these threads.
    Atom(Predicate, Vec<Argument>),
    /// The threads are the same.
    Same(Argument, Argument),
    /// The threads are different.
    Different(Argument, Argument),
}

/// What is known of a predicate.
#[derive(Clone, Debug)]
struct PredicateData {
    arity: usize,
    accepting: bool,
}

/// An explicit predicate automaton.
#[derive(Clone, Debug)]
pub struct PredicateAutomaton {
    letters: PrimaryMap<Letter, usize>,
    predicates: PrimaryMap<Predicate, PredicateData>,
    transitions: BTreeMap<(Predicate, Letter), Formula<Literal>>,
    /// What a transition is that nobody has set.
    otherwise: Formula<Literal>,
    /// What has to be accepted at the beginning, about predicates without places.
    pub initial: Formula<Atom>,
}

impl Default for PredicateAutomaton {
    /// Without letters and predicates; accepts nothing.
    fn default() -> PredicateAutomaton {
        PredicateAutomaton {
            letters: PrimaryMap::new(),
            predicates: PrimaryMap::new(),
            transitions: BTreeMap::new(),
            otherwise: Formula::False,
            initial: Formula::False,
        }
    }
}

impl PredicateAutomaton {
    /// Adds a letter with so many threads.
    pub fn add_letter(&mut self, arity: usize) -> Letter {
        self.letters.push(arity)
    }

    /// Adds a predicate with so many places.
    pub fn add_predicate(&mut self, arity: usize, accepting: bool) -> Predicate {
        self.predicates.push(PredicateData { arity, accepting })
    }

    /// The number of places of a predicate.
    pub fn arity(&self, predicate: Predicate) -> usize {
        self.predicates[predicate].arity
    }

    /// Whether all predicates have at most one place: then emptiness is decided.
    pub fn is_monadic(&self) -> bool {
        self.predicates.values().all(|data| data.arity <= 1)
    }

    /// Says what has to be accepted after a letter; false where nothing is said.
    ///
    /// # Panics
    ///
    /// If a place or a predicate is mentioned that there is not.
    pub fn set_transition(&mut self, predicate: Predicate, letter: Letter, formula: Formula<Literal>) {
        let (own, of_letter) = (self.predicates[predicate].arity, self.letters[letter]);
        let is_there = |argument: &Argument| match *argument {
            Argument::Own(place) => place < own,
            Argument::Letter(place) => place < of_letter,
        };
        formula.for_each(&mut |literal| {
            let fine = match literal {
                Literal::Atom(other, arguments) => {
                    arguments.len() == self.predicates[*other].arity && arguments.iter().all(is_there)
                }
                Literal::Same(left, right) | Literal::Different(left, right) => {
                    is_there(left) && is_there(right)
                }
            };
            assert!(fine, "a transition of {predicate} at {letter} speaks of threads that are not there");
        });
        self.transitions.insert((predicate, letter), formula);
    }

    /// The automaton that accepts exactly what this one does not: everything is replaced by its dual.
    #[must_use]
    pub fn complement(&self) -> PredicateAutomaton {
        let mut dual_literal = |literal: &Literal| match literal {
            Literal::Atom(predicate, arguments) => Literal::Atom(*predicate, arguments.clone()),
            Literal::Same(left, right) => Literal::Different(*left, *right),
            Literal::Different(left, right) => Literal::Same(*left, *right),
        };
        let predicates = self
            .predicates
            .values()
            .map(|data| PredicateData { arity: data.arity, accepting: !data.accepting });
        PredicateAutomaton {
            letters: self.letters.clone(),
            predicates: predicates.collect(),
            transitions: self
                .transitions
                .iter()
                .map(|(&key, formula)| (key, formula.dual(&mut dual_literal)))
                .collect(),
            otherwise: self.otherwise.dual(&mut dual_literal),
            initial: self.initial.dual(&mut Atom::clone),
        }
    }
}

/// The automaton that accepts what both do.
///
/// # Panics
///
/// If they have different letters.
pub fn intersection(left: &PredicateAutomaton, right: &PredicateAutomaton) -> PredicateAutomaton {
    side_by_side(left, right, |left, right| Formula::and([left, right]))
}

/// The automaton that accepts what one of them does.
///
/// # Panics
///
/// If they have different letters.
pub fn union(left: &PredicateAutomaton, right: &PredicateAutomaton) -> PredicateAutomaton {
    side_by_side(left, right, |left, right| Formula::or([left, right]))
}

fn side_by_side(
    left: &PredicateAutomaton,
    right: &PredicateAutomaton,
    join: impl Fn(Formula<Atom>, Formula<Atom>) -> Formula<Atom>,
) -> PredicateAutomaton {
    assert!(left.letters.values().eq(right.letters.values()), "both automata have the same letters");
    let mut both = PredicateAutomaton { letters: left.letters.clone(), ..PredicateAutomaton::default() };
    let shift = left.predicates.len();
    let mut initial = Vec::new();
    for (automaton, shift) in [(left, 0), (right, shift)] {
        let moved = |predicate: Predicate| Predicate::new(predicate.index() + shift);
        for data in automaton.predicates.values() {
            both.predicates.push(data.clone());
        }
        let mut literal = |literal: &Literal| {
            Formula::Atom(match literal {
                Literal::Atom(predicate, arguments) => Literal::Atom(moved(*predicate), arguments.clone()),
                other => other.clone(),
            })
        };
        // What nobody has set may be different things in the two of them.
        for predicate in automaton.predicates.keys() {
            for letter in automaton.letters.keys() {
                let formula = automaton.transitions.get(&(predicate, letter)).unwrap_or(&automaton.otherwise);
                both.transitions.insert((moved(predicate), letter), formula.map(&mut literal));
            }
        }
        initial.push(automaton.initial.map(&mut |atom| {
            Formula::Atom(Atom { predicate: moved(atom.predicate), threads: atom.threads.clone() })
        }));
    }
    let right = initial.pop().unwrap_or(Formula::False);
    let left = initial.pop().unwrap_or(Formula::False);
    both.initial = join(left, right);
    both
}

impl Alternating for PredicateAutomaton {
    fn letters(&self) -> Vec<(Letter, usize)> {
        self.letters.iter().map(|(letter, &arity)| (letter, arity)).collect()
    }

    fn initial(&self) -> Formula<Atom> {
        self.initial.clone()
    }

    fn is_accepting(&self, predicate: Predicate) -> bool {
        self.predicates[predicate].accepting
    }

    fn step(&mut self, atom: &Atom, reading: &Reading) -> Result<Formula<Atom>, Interrupted> {
        let thread = |argument: Argument| -> Thread {
            match argument {
                Argument::Own(place) => atom.threads[place],
                Argument::Letter(place) => reading.threads[place],
            }
        };
        let truth = |holds: bool| if holds { Formula::True } else { Formula::False };
        let formula = self.transitions.get(&(atom.predicate, reading.letter)).unwrap_or(&self.otherwise);
        Ok(formula.map(&mut |literal| match literal {
            Literal::Atom(predicate, arguments) => Formula::Atom(Atom {
                predicate: *predicate,
                threads: arguments.iter().map(|&argument| thread(argument)).collect(),
            }),
            Literal::Same(left, right) => truth(thread(*left) == thread(*right)),
            Literal::Different(left, right) => truth(thread(*left) != thread(*right)),
        }))
    }
}
