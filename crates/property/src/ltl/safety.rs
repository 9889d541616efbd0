//! Safety formulas: those whose violations all show in a finite beginning of a word.
//!
//! A beginning is *bad* if no word that begins with it satisfies the formula. The subsets of states that the automaton of the formula can be in after a
//! beginning say whether it is bad: every state that is kept accepts something, so the beginning is bad if and only if the
//! subset is empty. A formula is a safety property if every word that violates it has a bad beginning, that is, if the automaton of its negation accepts nothing along
//! which the subset never becomes empty. Both are exact, whatever the formula looks like: nothing is asked of its syntax.
//!
//! The result is deterministic and as small as it can be, and enters its error at the end of the *shortest* bad beginning. So a formula without `X`, which cannot
//! tell how often a letter is repeated, needs no letter more than once.
//!
//! Exponential in the automaton and in the atoms; where that is too much there is no result, and the formula is treated as any other.

use super::{Automaton, Formula, Formulas, Literal};
use crate::drawing::{Drawing, Edge};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Formulas with more atoms are not looked at: there are `2^MOST_ATOMS` letters.
const MOST_ATOMS: usize = 8;
/// More subsets than this are too many.
const MOST_SUBSETS: usize = 500;

/// The deterministic automaton of the bad beginnings of a safety formula. It begins in state 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadPrefixes {
    /// The steps of each state: the first one that fits a letter is taken, and where none fits, the state stays as it is.
    pub steps: Vec<Vec<Step>>,
    /// The state that is entered when a beginning is bad; it has no steps.
    pub error: usize,
    /// How often the last letter of a word has to be read at most, if it is repeated for ever.
    pub rounds: usize,
}

/// A step of the automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What the letter satisfies.
    pub guard: Vec<Literal>,
    /// The state after it.
    pub to: usize,
}

/// For each state and each letter the next state; letters are the sets of true atoms, as bits.
type Table = Vec<Vec<usize>>;

impl BadPrefixes {
    /// The automaton of a formula; none if the formula is no safety property, or if it is too large.
    pub fn of(formulas: &Formulas, formula: Formula) -> Option<BadPrefixes> {
        let atoms = formulas.atoms.len();
        if atoms > MOST_ATOMS {
            return None;
        }
        let good = Automaton::of(formulas, formula)?;
        let mut apart = formulas.clone();
        let negation = apart.not(formula);
        let bad = Automaton::of(&apart, negation)?;
        let table = subsets(&good, 1 << atoms)?;
        // A formula that nothing satisfies is violated before anything is read.
        if table.len() == 1 || accepts_beside(&bad, &table) {
            return None;
        }
        Some(BadPrefixes::of_table(&minimal(&table), atoms))
    }

    /// The automaton of a table whose last state is the error.
    fn of_table(table: &Table, atoms: usize) -> BadPrefixes {
        let error = table.len() - 1;
        let steps = |state: usize| {
            let mut steps = Vec::new();
            for to in (0..table.len()).filter(|&to| to != state) {
                let letters: BTreeSet<usize> =
                    (0..1 << atoms).filter(|&letter| table[state][letter] == to).collect();
                steps.extend(cubes(&letters, atoms).into_iter().map(|guard| Step { guard, to }));
            }
            steps
        };
        let steps = (0..table.len()).map(|state| if state == error { Vec::new() } else { steps(state) });
        BadPrefixes { steps: steps.collect(), error, rounds: rounds(table) }
    }

    /// The state after a letter, which says for each atom whether it holds.
    pub fn after(&self, state: usize, letter: &[bool]) -> usize {
        let fits = |step: &&Step| step.guard.iter().all(|&(atom, holds)| letter[atom] == holds);
        self.steps[state].iter().find(fits).map_or(state, |step| step.to)
    }

    /// The automaton as text, a line for each step.
    pub fn text(&self, formulas: &Formulas) -> String {
        let mut out = String::from(
            "automaton of the shortest beginnings that violate the formula, begins in q0; of the steps that fit, the first counts, and without one the state stays\n",
        );
        for (state, step) in self.all() {
            // Writing to a string cannot fail.
            let guard = super::print::guard(formulas, &step.guard);
            let _ = writeln!(out, "{} -> {}: {guard}", self.name(state), self.name(step.to));
        }
        out
    }

    /// The automaton as a picture.
    pub fn drawing(&self, formulas: &Formulas) -> Drawing {
        let edge = |(from, step): (usize, &Step)| {
            let label = super::print::guard(formulas, &step.guard);
            Edge { from, to: step.to, label, accepting: false }
        };
        Drawing::numbered(self.steps.len(), 0, Some(self.error), self.all().map(edge).collect())
    }

    /// The name of a state.
    pub fn name(&self, state: usize) -> String {
        if state == self.error { "error".to_owned() } else { format!("q{state}") }
    }

    fn all(&self) -> impl Iterator<Item = (usize, &Step)> {
        self.steps.iter().enumerate().flat_map(|(state, steps)| steps.iter().map(move |step| (state, step)))
    }
}

fn fits(guard: &[Literal], letter: usize) -> bool {
    guard.iter().all(|&(atom, holds)| (letter >> atom & 1 == 1) == holds)
}

/// The subset automaton of an automaton all of whose states accept something. The last state is the empty subset.
fn subsets(automaton: &Automaton, letters: usize) -> Option<Table> {
    let first = BTreeSet::from([0]);
    let mut numbers: BTreeMap<BTreeSet<usize>, usize> = BTreeMap::new();
    // An automaton that accepts nothing is left with a state without transitions.
    let accepts = !automaton.transitions[0].is_empty();
    let mut order: Vec<BTreeSet<usize>> = vec![if accepts { first } else { BTreeSet::new() }];
    numbers.insert(order[0].clone(), 0);
    let mut table: Table = Vec::new();
    while table.len() < order.len() {
        let mut row = Vec::with_capacity(letters);
        for letter in 0..letters {
            let steps = order[table.len()].iter().flat_map(|&state| &automaton.transitions[state]);
            let next: BTreeSet<usize> =
                steps.filter(|step| fits(&step.guard, letter)).map(|step| step.target).collect();
            let known = numbers.len();
            let number = *numbers.entry(next.clone()).or_insert(known);
            if number == known {
                order.push(next);
            }
            row.push(number);
        }
        if order.len() > MOST_SUBSETS {
            return None;
        }
        table.push(row);
    }
    let empty = *numbers.entry(BTreeSet::new()).or_insert_with(|| {
        table.push(vec![table.len(); letters]);
        table.len() - 1
    });
    // The empty subset goes to the end.
    let last = table.len() - 1;
    let moved = |state: usize| match state {
        _ if state == empty => last,
        _ if state == last => empty,
        _ => state,
    };
    table.swap(empty, last);
    table.iter_mut().flatten().for_each(|state| *state = moved(*state));
    Some(table)
}

/// Whether a Büchi automaton accepts a word along which the table does not come to its last state.
fn accepts_beside(automaton: &Automaton, table: &Table) -> bool {
    let error = table.len() - 1;
    let steps = |(state, subset): (usize, usize)| {
        let mut steps = BTreeSet::new();
        for step in &automaton.transitions[state] {
            for (letter, &next) in table[subset].iter().enumerate() {
                if next != error && fits(&step.guard, letter) {
                    steps.insert(((step.target, next), step.accepting));
                }
            }
        }
        steps
    };
    let mut numbers: BTreeMap<(usize, usize), usize> = BTreeMap::from([((0, 0), 0)]);
    let mut order = vec![(0, 0)];
    let mut edges: Vec<Vec<(usize, bool)>> = Vec::new();
    while edges.len() < order.len() {
        let mut out = Vec::new();
        for (next, accepting) in steps(order[edges.len()]) {
            let known = numbers.len();
            let number = *numbers.entry(next).or_insert(known);
            if number == known {
                order.push(next);
            }
            out.push((number, accepting));
        }
        edges.push(out);
    }
    let component = graph::components(edges.len(), |node, out| {
        out.extend(edges[node].iter().map(|&(next, _)| next));
    })
    .numbers();
    let is_round = |node: usize| {
        edges[node].iter().any(|&(next, accepting)| accepting && component[node] == component[next])
    };
    (0..edges.len()).any(is_round)
}

/// The smallest table that enters its last state on the same words. The first state stays the first.
fn minimal(table: &Table) -> Table {
    let error = table.len() - 1;
    let mut class: Vec<usize> = (0..table.len()).map(|state| usize::from(state == error)).collect();
    loop {
        let mut numbers: BTreeMap<(usize, Vec<usize>), usize> = BTreeMap::new();
        let mut refined = Vec::with_capacity(table.len());
        for (state, row) in table.iter().enumerate() {
            let key = (class[state], row.iter().map(|&next| class[next]).collect());
            let known = numbers.len();
            refined.push(*numbers.entry(key).or_insert(known));
        }
        let stable =
            refined.iter().collect::<BTreeSet<_>>().len() == class.iter().collect::<BTreeSet<_>>().len();
        class = refined;
        if stable {
            break;
        }
    }
    // States in the order in which they are reached, and the error at the end.
    let mut order: Vec<usize> = Vec::new();
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    let mut pending = std::collections::VecDeque::from([0]);
    while let Some(state) = pending.pop_front() {
        if class[state] == class[error] || numbers.contains_key(&class[state]) {
            continue;
        }
        numbers.insert(class[state], order.len());
        order.push(state);
        pending.extend(&table[state]);
    }
    numbers.insert(class[error], order.len());
    order.push(error);
    order.iter().map(|&state| table[state].iter().map(|&next| numbers[&class[next]]).collect()).collect()
}

/// How often a letter has to be read at most before the last state is entered, if it is entered by that letter alone.
fn rounds(table: &Table) -> usize {
    let error = table.len() - 1;
    let mut most = 0;
    for state in 0..error {
        for letter in 0..table[state].len() {
            let mut at = state;
            let reads = (1..=table.len()).find(|_| {
                at = table[at][letter];
                at == error
            });
            most = most.max(reads.unwrap_or(0));
        }
    }
    most
}

/// Conjunctions of literals that together are true of a set of letters and of no others.
fn cubes(letters: &BTreeSet<usize>, atoms: usize) -> Vec<Vec<Literal>> {
    let mut left = letters.clone();
    let mut cubes = Vec::new();
    while let Some(&letter) = left.first() {
        let mut guard: Vec<Literal> = (0..atoms).map(|atom| (atom, letter >> atom & 1 == 1)).collect();
        for atom in 0..atoms {
            let fewer: Vec<Literal> = guard.iter().copied().filter(|&(other, _)| other != atom).collect();
            if (0..1 << atoms).filter(|&letter| fits(&fewer, letter)).all(|letter| letters.contains(&letter))
            {
                guard = fewer;
            }
        }
        left.retain(|&letter| !fits(&guard, letter));
        cubes.push(guard);
    }
    cubes
}
