//! The Floyd-Hoare automata of a proof in the words of the source, as they can be drawn.
//!
//! Transitions between the same two states are one arrow with many letters. Of an automaton with many states only the
//! first labels are kept.

use crate::report::edge_words::edge_words;
use crate::report::formula::checked;
use crate::report::proof::{Proven, Questions};
use base::{Budget, EntityRef, Interrupted, Span};
use logic::{Term, Terms};
use program::{Edge, FloydHoareAutomaton, Program};
use smt::Solvers;
use std::collections::{BTreeMap, BTreeSet};

/// Automata with more states or arrows than this are not drawn.
const MOST_STATES: usize = 60;
const MOST_ARROWS: usize = 200;
/// So many automata are looked at.
const MOST_AUTOMATA: usize = 40;
/// So many letters of an arrow are named.
const MOST_LETTERS: usize = 12;

/// An automaton.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The labels of the states, as far as they are kept; nothing where the source has no words.
    pub labels: Vec<Option<String>>,
    /// How many states there are.
    pub states: usize,
    /// How many transitions there are.
    pub transitions: usize,
    /// The initial states.
    pub initial: Vec<usize>,
    /// What is drawn between states; nothing if that would be too much.
    pub arrows: Vec<Arrow>,
}

/// All transitions from a state to another.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// Where they begin.
    pub from: usize,
    /// Where they end.
    pub to: usize,
    /// The first letters, in the words of the source.
    pub letters: Vec<String>,
    /// How many letters there are.
    pub count: usize,
    /// The places of all letters.
    pub spans: Vec<Span>,
    /// Whether calls or returns are among them.
    pub has_calls: bool,
}

/// The automata of a proof.
pub(super) fn shown(
    proven: &Proven<'_>,
    terms: &mut Terms,
    solvers: &Solvers,
    budget: &Budget,
) -> Result<Vec<Shown>, Interrupted> {
    let single: &Program = &proven.prepared.single;
    let mut questions = Questions::new(solvers, single);
    let mut said: BTreeMap<Term, Option<String>> = BTreeMap::new();
    let mut all = Vec::new();
    for automaton in proven.proof.automata.iter().take(MOST_AUTOMATA) {
        budget.check()?;
        let mut labels = Vec::new();
        for &label in automaton.states.values().take(MOST_STATES) {
            if !said.contains_key(&label) {
                let mut follows =
                    |premise, conclusion, terms: &mut Terms| questions.follows(&[premise], conclusion, terms);
                let conjuncts = terms.conjuncts(label);
                let text = match conjuncts[..] {
                    [] => Some("true".to_owned()),
                    [one] if one.is_false() => Some("false".to_owned()),
                    _ => checked(single, proven.view.back.as_ref(), &conjuncts, terms, &mut follows),
                };
                said.insert(label, text);
            }
            labels.push(said[&label].clone());
        }
        all.push(drawn(proven, automaton, labels));
    }
    Ok(all)
}

fn drawn(proven: &Proven<'_>, automaton: &FloydHoareAutomaton, labels: Vec<Option<String>>) -> Shown {
    let mut letters: BTreeMap<(usize, usize), BTreeSet<Edge>> = BTreeMap::new();
    let linear = automaton.internal.iter().chain(&automaton.calls);
    let linear = linear.map(|&(from, edge, to)| (from, edge, to));
    let back = automaton.returns.iter().map(|&(from, _, edge, to)| (from, edge, to));
    for (from, edge, to) in linear.chain(back) {
        letters.entry((from.index(), to.index())).or_default().insert(edge);
    }
    let is_small = automaton.states.len() <= MOST_STATES && letters.len() <= MOST_ARROWS;
    let blocks = &proven.blocks.program;
    let mut arrows = Vec::new();
    for ((from, to), edges) in letters.iter().filter(|_| is_small) {
        let mut names = Vec::new();
        let mut spans: BTreeSet<Span> = BTreeSet::new();
        for &edge in edges {
            let words = edge_words(proven.view, blocks, edge);
            if names.len() < MOST_LETTERS && !names.contains(&words.label) {
                names.push(words.label);
            }
            spans.extend(words.spans);
        }
        let is_call = |&edge: &Edge| !matches!(blocks.edges[edge].kind, program::EdgeKind::Internal(_));
        arrows.push(Arrow {
            from: *from,
            to: *to,
            letters: names,
            count: edges.len(),
            spans: spans.into_iter().collect(),
            has_calls: edges.iter().any(is_call),
        });
    }
    Shown {
        labels,
        states: automaton.states.len(),
        transitions: automaton.internal.len() + automaton.calls.len() + automaton.returns.len(),
        initial: automaton.initial.iter().map(|state| state.index()).collect(),
        arrows,
    }
}
