//! Random automata against what the definitions say of all short words.
//!
//! The oracle knows neither formulas in normal form nor configurations: it decides by recursion over the word whether an atom is accepted.

use alternating::{
    Alternating, Argument, Atom, Budget, Configuration, Emptiness, Formula, Interrupted, Letter, Limit,
    Literal, Predicate, PredicateAutomaton, Reading, Thread, Unlimited, accepts, emptiness, emptiness_from,
    intersection, union,
};
use base::Random;
use std::cell::Cell;
use std::collections::BTreeSet;

/// So many threads occur in the words that are tried.
const THREADS: u32 = 3;

/// Ends after so many checks.
struct Steps(Cell<u64>);

impl Budget for Steps {
    fn check(&self) -> Result<(), Interrupted> {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        if left == 0 { Err(Interrupted(Limit::Effort)) } else { Ok(()) }
    }
}

/// What a random automaton may have.
#[derive(Clone, Copy)]
struct Shape {
    /// The most places of a predicate.
    places: usize,
    /// The most threads of a letter.
    threads: usize,
}

fn random_automaton(random: &mut Random, shape: Shape, arities: &[usize]) -> PredicateAutomaton {
    let mut automaton = PredicateAutomaton::default();
    let letters: Vec<Letter> = arities.iter().map(|&arity| automaton.add_letter(arity)).collect();
    let count = 2 + random.below(3);
    let mut predicates: Vec<(Predicate, usize)> = Vec::new();
    for number in 0..count {
        let arity = if number == 0 { 0 } else { random.below(shape.places + 1) };
        predicates.push((automaton.add_predicate(arity, random.once_in(3)), arity));
    }
    for &(predicate, own) in &predicates {
        for (&letter, &of_letter) in letters.iter().zip(arities) {
            if random.once_in(8) {
                continue;
            }
            let formula = random_formula(random, &predicates, (own, of_letter), 2);
            automaton.set_transition(predicate, letter, formula);
        }
    }
    automaton.initial = Formula::Atom(Atom { predicate: predicates[0].0, threads: Vec::new() });
    automaton
}

fn random_formula(
    random: &mut Random,
    predicates: &[(Predicate, usize)],
    (own, of_letter): (usize, usize),
    depth: usize,
) -> Formula<Literal> {
    let argument = |random: &mut Random| {
        let number = random.below(own + of_letter);
        if number < own { Argument::Own(number) } else { Argument::Letter(number - own) }
    };
    let kind = random.below(if depth == 0 { 6 } else { 10 });
    match kind {
        0 => [Formula::True, Formula::False][random.below(2)].clone(),
        1 if own > 0 => {
            let (left, right) = (Argument::Own(random.below(own)), argument(random));
            Formula::Atom(match random.below(2) {
                0 => Literal::Same(left, right),
                _ => Literal::Different(left, right),
            })
        }
        1..6 => {
            let (predicate, arity) = predicates[random.below(predicates.len())];
            Formula::Atom(Literal::Atom(predicate, (0..arity).map(|_| argument(random)).collect()))
        }
        _ => {
            let parts: Vec<Formula<Literal>> =
                (0..2).map(|_| random_formula(random, predicates, (own, of_letter), depth - 1)).collect();
            // Not simplified, so that nested ones occur.
            if kind.is_multiple_of(2) { Formula::And(parts) } else { Formula::Or(parts) }
        }
    }
}

/// All words up to a length in which threads come in the order of their numbers: every other word is one of them with its threads renamed.
fn words(automaton: &PredicateAutomaton, length: usize) -> Vec<Vec<Reading>> {
    let mut all: Vec<(Vec<Reading>, u32)> = vec![(Vec::new(), 0)];
    let mut last = all.clone();
    for _ in 0..length {
        let mut next = Vec::new();
        for (word, used) in last {
            for (letter, arity) in automaton.letters() {
                let mut ways: Vec<(Vec<Thread>, u32)> = vec![(Vec::new(), used)];
                for _ in 0..arity {
                    let mut longer = Vec::new();
                    for (threads, used) in ways {
                        for number in 0..THREADS.min(used + 1) {
                            let thread = Thread::from_u32(number);
                            if !threads.contains(&thread) {
                                let mut with = threads.clone();
                                with.push(thread);
                                longer.push((with, used.max(number + 1)));
                            }
                        }
                    }
                    ways = longer;
                }
                for (threads, used) in ways {
                    let mut longer = word.clone();
                    longer.push(Reading { letter, threads });
                    next.push((longer, used));
                }
            }
        }
        all.extend(next.iter().cloned());
        last = next;
    }
    all.into_iter().map(|(word, _)| word).collect()
}

/// Whether a word is accepted, by recursion over the word.
fn accepted(automaton: &mut PredicateAutomaton, word: &[Reading]) -> bool {
    let initial = automaton.initial();
    holds(automaton, &initial, word)
}

fn holds(automaton: &mut PredicateAutomaton, formula: &Formula<Atom>, word: &[Reading]) -> bool {
    match formula {
        Formula::True => true,
        Formula::False => false,
        Formula::And(parts) => parts.iter().all(|part| holds(automaton, part, word)),
        Formula::Or(parts) => parts.iter().any(|part| holds(automaton, part, word)),
        Formula::Atom(atom) => match word.split_first() {
            None => automaton.is_accepting(atom.predicate),
            Some((first, rest)) => {
                let after = automaton.step(atom, first).expect("explicit automata are never interrupted");
                holds(automaton, &after, rest)
            }
        },
    }
}

fn arities(random: &mut Random, shape: Shape) -> Vec<usize> {
    (0..2).map(|_| 1 + random.below(shape.threads)).collect()
}

#[test]
fn emptiness_agrees_with_all_short_words() {
    let mut decided = [0; 2];
    for (seed, shape) in [
        (1, Shape { places: 1, threads: 1 }),
        (2, Shape { places: 1, threads: 2 }),
        (3, Shape { places: 2, threads: 1 }),
        (4, Shape { places: 2, threads: 2 }),
    ] {
        let mut random = Random::new(seed);
        for number in 0..1_000 {
            let arities = arities(&mut random, shape);
            let mut automaton = random_automaton(&mut random, shape, &arities);
            let found = match emptiness(&mut automaton, &Steps(Cell::new(300_000))) {
                Ok(found) => found,
                Err(_) => {
                    assert!(!automaton.is_monadic(), "shape {seed}, automaton {number}: not decided");
                    continue;
                }
            };
            let shortest = words(&automaton, 3).into_iter().find(|word| accepted(&mut automaton, word));
            match found {
                Emptiness::Empty(covering) => {
                    decided[0] += 1;
                    assert_eq!(shortest, None, "shape {seed}, automaton {number} is not empty");
                    is_a_covering(&mut automaton, &covering);
                }
                Emptiness::Word(word) => {
                    decided[1] += 1;
                    assert!(accepted(&mut automaton, &word), "shape {seed}, automaton {number}: {word:?}");
                    if let Some(shortest) = shortest {
                        assert!(word.len() <= shortest.len(), "shape {seed}, automaton {number}");
                    }
                }
            }
        }
    }
    assert!(decided[0] > 1_000 && decided[1] > 1_000, "{decided:?}: the automata are all alike");
}

/// What is said of configurations that come with "empty".
fn is_a_covering(automaton: &mut PredicateAutomaton, covering: &[Configuration]) {
    let covered = |set: BTreeSet<Atom>| {
        let configuration = Configuration::new(set);
        covering.iter().any(|known| known.covers(&configuration))
    };
    for set in sets(&automaton.initial()) {
        assert!(covered(set), "the beginning is not covered");
    }
    for configuration in covering {
        let accepting = |atom: &Atom| automaton.is_accepting(atom.predicate);
        assert!(!configuration.atoms().iter().all(accepting));
        let mut present = configuration.threads();
        let next = present.last().map_or(0, |thread| thread.as_u32() + 1);
        present.extend([Thread::from_u32(next), Thread::from_u32(next + 1)]);
        for (letter, arity) in automaton.letters() {
            for &first in &present {
                for &second in &present {
                    let threads = if arity == 1 { vec![first] } else { vec![first, second] };
                    if arity == 2 && first == second {
                        continue;
                    }
                    let reading = Reading { letter, threads };
                    let after: Vec<Formula<Atom>> = configuration
                        .atoms()
                        .iter()
                        .map(|atom| automaton.step(atom, &reading).expect("never interrupted"))
                        .collect();
                    for set in sets(&Formula::and(after)) {
                        assert!(covered(set), "{configuration:?} at {reading:?}");
                    }
                }
            }
        }
    }
}

/// Sets of atoms that make a formula hold, among them all smallest ones.
fn sets(formula: &Formula<Atom>) -> Vec<BTreeSet<Atom>> {
    match formula {
        Formula::True => vec![BTreeSet::new()],
        Formula::False => Vec::new(),
        Formula::Atom(atom) => vec![BTreeSet::from([atom.clone()])],
        Formula::Or(parts) => parts.iter().flat_map(sets).collect(),
        Formula::And(parts) => parts.iter().fold(vec![BTreeSet::new()], |found, part| {
            let ways = sets(part);
            found
                .iter()
                .flat_map(|set| ways.iter().map(|way| set.union(way).cloned().collect()))
                .collect::<BTreeSet<BTreeSet<Atom>>>()
                .into_iter()
                .collect()
        }),
    }
}

#[test]
fn searches_can_begin_anywhere_and_rely_on_others() {
    let shape = Shape { places: 1, threads: 2 };
    let mut random = Random::new(5);
    let mut checked = 0;
    for number in 0..1_000 {
        let arities = arities(&mut random, shape);
        let mut automaton = random_automaton(&mut random, shape, &arities);
        let Ok(Emptiness::Empty(mut covering)) = emptiness(&mut automaton, &Unlimited) else { continue };
        // A part of a configuration covers it, and may accept something.
        let Some(chosen) = covering.iter().position(|configuration| !configuration.threads().is_empty())
        else {
            continue;
        };
        let whole = covering.remove(chosen);
        let part = whole.about(&whole.threads()[1..]);
        assert!(part.covers(&whole), "automaton {number}");
        let found = emptiness_from(&mut automaton, std::slice::from_ref(&part), &covering, &Unlimited);
        match found.expect("the budget is not limited") {
            Emptiness::Empty(more) => {
                covering.extend(more);
                is_a_covering(&mut automaton, &covering);
            }
            Emptiness::Word(word) => {
                let all = Formula::and(part.atoms().iter().cloned().map(Formula::Atom));
                assert!(holds(&mut automaton, &all, &word), "automaton {number}: {word:?}");
            }
        }
        checked += 1;
    }
    assert!(checked > 20, "{checked} automata show little");
}

#[test]
fn operations_agree_with_all_short_words() {
    let shape = Shape { places: 2, threads: 2 };
    let mut random = Random::new(7);
    let mut accepted_words = 0;
    for number in 0..600 {
        let arities = arities(&mut random, shape);
        let mut left = random_automaton(&mut random, shape, &arities);
        let mut right = random_automaton(&mut random, shape, &arities);
        let mut others = [
            left.complement(),
            intersection(&left, &right),
            union(&left, &right),
            left.complement().complement(),
        ];
        // The difference, as it is used: what is accepted by the one and not by the other.
        let mut difference = intersection(&left, &right.complement());
        for word in words(&left, 3) {
            let [in_left, in_right] = [&mut left, &mut right].map(|automaton| accepted(automaton, &word));
            accepted_words += usize::from(in_left);
            let wanted = [!in_left, in_left && in_right, in_left || in_right, in_left];
            for (operation, (other, wanted)) in others.iter_mut().zip(wanted).enumerate() {
                assert_eq!(
                    accepted(other, &word),
                    wanted,
                    "automata {number}, operation {operation}: {word:?}"
                );
            }
            assert_eq!(accepted(&mut difference, &word), in_left && !in_right, "automata {number}: {word:?}");
            assert_eq!(accepts(&mut left, &word, &Unlimited), Ok(in_left), "automaton {number}: {word:?}");
        }
    }
    assert!(accepted_words > 1_000, "{accepted_words} accepted words show little");
}

#[test]
fn threads_can_be_renamed() {
    let shape = Shape { places: 2, threads: 2 };
    let mut random = Random::new(11);
    for number in 0..300 {
        let arities = arities(&mut random, shape);
        let mut automaton = random_automaton(&mut random, shape, &arities);
        for word in words(&automaton, 3) {
            let mut renamed = word.clone();
            for reading in &mut renamed {
                for thread in &mut reading.threads {
                    *thread = Thread::from_u32((thread.as_u32() + 1) % THREADS + 5);
                }
            }
            let [one, other] = [&word, &renamed].map(|word| accepted(&mut automaton, word));
            assert_eq!(one, other, "automaton {number}: {word:?}");
        }
    }
}

#[test]
fn covering_is_what_it_says() {
    let mut random = Random::new(13);
    let mut covering = 0;
    for _ in 0..20_000 {
        let [small, large] = [2, 4].map(|most| {
            let count = random.below(most + 1);
            let atoms = (0..count).map(|_| {
                let arity = random.below(3);
                let predicate =
                    Predicate::from_u32(u32::try_from(2 * arity + random.below(2)).expect("small"));
                let threads =
                    (0..arity).map(|_| Thread::from_u32(u32::try_from(random.below(3)).expect("small")));
                Atom { predicate, threads: threads.collect() }
            });
            atoms.collect::<BTreeSet<Atom>>()
        });
        // All injective renamings of three threads into three.
        let renamings =
            [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map(|to: [u32; 3]| to);
        let wanted = renamings.iter().any(|to| {
            small.iter().all(|atom| {
                let threads =
                    atom.threads.iter().map(|thread| Thread::from_u32(to[thread.as_u32() as usize]));
                large.contains(&Atom { predicate: atom.predicate, threads: threads.collect() })
            })
        });
        covering += usize::from(wanted);
        let said = Configuration::new(small.clone()).covers(&Configuration::new(large.clone()));
        assert_eq!(said, wanted, "{small:?} and {large:?}");
    }
    assert!(covering > 500, "{covering} pairs show little");
}
