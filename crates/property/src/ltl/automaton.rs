//! Büchi automata for formulas, by the tableau of Gerth, Peled, Vardi and Wolper ("Simple On-the-fly Automatic Verification of
//! Linear Temporal Logic"), with acceptance on transitions and one counter for the sets of accepting states.
//!
//! A state of the tableau is what must hold now and from the next position on. Exponential in the formula in the worst
//! case, as it has to be; states that accept nothing are dropped, and states with the same transitions are one. What is left is made smaller by simulation
//! ([`super::reduce`]).

use super::{Data, Formula, Formulas};
use std::collections::{BTreeMap, BTreeSet};

/// An atomic proposition by its number, and whether it holds.
pub type Literal = (usize, bool);

/// A transition: it is taken on letters that fit the guard.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Transition {
    /// What the letter satisfies, in ascending order.
    pub guard: Vec<Literal>,
    /// The state after it.
    pub target: usize,
    /// Whether the transition is an accepting one.
    pub accepting: bool,
}

/// A Büchi automaton: a word is accepted if a run from state 0 takes accepting transitions infinitely often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The transitions of each state.
    pub transitions: Vec<Vec<Transition>>,
}

/// More states of a tableau than this are too many.
const MOST_STATES: usize = 5_000;

/// A state of the tableau.
#[derive(Clone, Default)]
struct Node {
    incoming: BTreeSet<usize>,
    new: BTreeSet<Formula>,
    old: BTreeSet<Formula>,
    next: BTreeSet<Formula>,
}

/// Stands for the beginning among the predecessors of a state.
const BEGINNING: usize = usize::MAX;

impl Automaton {
    /// The automaton of a formula; none if it has too many states.
    pub fn of(formulas: &Formulas, formula: Formula) -> Option<Automaton> {
        let nodes = tableau(formulas, formula)?;
        let untils: Vec<Formula> = (0..formulas.data.len())
            .map(Formula)
            .filter(|&candidate| matches!(formulas.data(candidate), Data::Until(..)))
            .filter(|candidate| nodes.iter().any(|node| node.old.contains(candidate)))
            .collect();
        let fulfils = |node: &Node, until: &Formula| match formulas.data(*until) {
            Data::Until(_, right) => !node.old.contains(until) || holds_at(formulas, node, *right),
            _ => true,
        };
        let guard = |node: &Node| {
            let literals = node.old.iter().filter_map(|&part| match *formulas.data(part) {
                Data::Literal(atom, holds) => Some((atom, holds)),
                _ => None,
            });
            let mut guard: Vec<Literal> = literals.collect();
            guard.sort_unstable();
            guard
        };
        // A state is a node with the number of the next until that has to be fulfilled.
        let mut numbers: BTreeMap<(usize, usize), usize> = BTreeMap::from([((BEGINNING, 0), 0)]);
        let mut transitions: Vec<Vec<Transition>> = vec![Vec::new()];
        let mut pending = vec![(BEGINNING, 0)];
        while let Some((from, level)) = pending.pop() {
            for (number, node) in nodes.iter().enumerate().filter(|(_, node)| node.incoming.contains(&from)) {
                let mut reached = level;
                while reached < untils.len() && fulfils(node, &untils[reached]) {
                    reached += 1;
                }
                let accepting = reached == untils.len();
                let key = (number, if accepting { 0 } else { reached });
                let target = *numbers.entry(key).or_insert_with(|| {
                    pending.push(key);
                    transitions.push(Vec::new());
                    transitions.len() - 1
                });
                let source = numbers[&(from, level)];
                transitions[source].push(Transition { guard: guard(node), target, accepting });
            }
        }
        let mut automaton = Automaton { transitions };
        automaton.drop_what_accepts_nothing();
        automaton.merge();
        automaton.reduce();
        Some(automaton)
    }

    /// The automaton that accepts every infinite word: what violates the property that all executions end.
    pub fn of_everything() -> Automaton {
        Automaton { transitions: vec![vec![Transition { guard: Vec::new(), target: 0, accepting: true }]] }
    }

    /// Whether the infinite word that begins with `stem` and repeats `cycle` is accepted; for tests.
    pub fn accepts(&self, stem: &[Vec<bool>], cycle: &[Vec<bool>]) -> bool {
        let letters: Vec<&Vec<bool>> = stem.iter().chain(cycle).collect();
        let next = |position: usize| if position + 1 < letters.len() { position + 1 } else { stem.len() };
        let steps = |(state, position): (usize, usize)| {
            let letter = letters[position];
            let fits = |step: &&Transition| step.guard.iter().all(|&(atom, holds)| letter[atom] == holds);
            let found = self.transitions[state].iter().filter(fits);
            found.map(move |step| ((step.target, next(position)), step.accepting)).collect::<Vec<_>>()
        };
        let reach = |from: (usize, usize)| {
            let (mut seen, mut pending) = (BTreeSet::new(), vec![from]);
            while let Some(at) = pending.pop() {
                for (to, _) in steps(at) {
                    if seen.insert(to) {
                        pending.push(to);
                    }
                }
            }
            seen
        };
        let mut all = reach((0, 0));
        all.insert((0, 0));
        all.iter().any(|&at| {
            steps(at).into_iter().any(|(to, accepting)| accepting && (to == at || reach(to).contains(&at)))
        })
    }

    /// Drops transitions after which nothing is accepted, and states that are not reached then.
    fn drop_what_accepts_nothing(&mut self) {
        let count = self.transitions.len();
        let reach: Vec<BTreeSet<usize>> = (0..count)
            .map(|from| {
                let (mut seen, mut pending) = (BTreeSet::new(), vec![from]);
                while let Some(at) = pending.pop() {
                    for step in &self.transitions[at] {
                        if seen.insert(step.target) {
                            pending.push(step.target);
                        }
                    }
                }
                seen
            })
            .collect();
        let recurs = |state: usize| {
            self.transitions[state]
                .iter()
                .any(|step| step.accepting && (step.target == state || reach[step.target].contains(&state)))
        };
        let recurring: Vec<bool> = (0..count).map(recurs).collect();
        let useful: Vec<bool> = (0..count)
            .map(|state| recurring[state] || reach[state].iter().any(|&other| recurring[other]))
            .collect();
        for list in &mut self.transitions {
            list.retain(|step| useful[step.target]);
        }
        self.renumber(&(0..count).collect::<Vec<_>>());
    }

    /// Makes states with the same transitions one, as long as there are any.
    pub(super) fn merge(&mut self) {
        loop {
            let mut first: BTreeMap<Vec<Transition>, usize> = BTreeMap::new();
            let mut same: Vec<usize> = Vec::new();
            for (state, list) in self.transitions.iter_mut().enumerate() {
                list.sort();
                list.dedup();
                same.push(*first.entry(list.clone()).or_insert(state));
            }
            if same.iter().enumerate().all(|(state, &other)| state == other) {
                return;
            }
            self.renumber(&same);
        }
    }

    /// Replaces states by others, and drops what is not reached.
    pub(super) fn renumber(&mut self, instead: &[usize]) {
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        let mut order = vec![instead[0]];
        numbers.insert(instead[0], 0);
        let mut done = 0;
        while let Some(&state) = order.get(done) {
            done += 1;
            for step in &self.transitions[state] {
                let target = instead[step.target];
                numbers.entry(target).or_insert_with(|| {
                    order.push(target);
                    order.len() - 1
                });
            }
        }
        let renumbered =
            |step: &Transition| Transition { target: numbers[&instead[step.target]], ..step.clone() };
        self.transitions =
            order.iter().map(|&state| self.transitions[state].iter().map(renumbered).collect()).collect();
    }
}

/// Whether a node has promised that a formula holds now.
fn holds_at(formulas: &Formulas, node: &Node, formula: Formula) -> bool {
    match *formulas.data(formula) {
        Data::True => true,
        Data::And(left, right) => {
            node.old.contains(&formula) || holds_at(formulas, node, left) && holds_at(formulas, node, right)
        }
        _ => node.old.contains(&formula),
    }
}

fn tableau(formulas: &Formulas, formula: Formula) -> Option<Vec<Node>> {
    let mut nodes: Vec<Node> = Vec::new();
    let first = Node { incoming: [BEGINNING].into(), new: [formula].into(), ..Node::default() };
    let mut pending = vec![first];
    while let Some(mut node) = pending.pop() {
        if nodes.len() > MOST_STATES || pending.len() > MOST_STATES {
            return None;
        }
        let Some(part) = node.new.pop_first() else {
            match nodes.iter_mut().find(|other| other.old == node.old && other.next == node.next) {
                Some(other) => other.incoming.extend(&node.incoming),
                None => {
                    let new = node.next.clone();
                    pending.push(Node { incoming: [nodes.len()].into(), new, ..Node::default() });
                    nodes.push(node);
                }
            }
            continue;
        };
        if node.old.contains(&part) {
            pending.push(node);
            continue;
        }
        let opposite = |atom: usize, holds: bool| formulas.numbers.get(&Data::Literal(atom, !holds));
        let data = formulas.data(part).clone();
        match data {
            Data::False => continue,
            Data::Literal(atom, holds)
                if opposite(atom, holds).is_some_and(|other| node.old.contains(other)) =>
            {
                continue;
            }
            _ => {}
        }
        node.old.insert(part);
        match data {
            Data::True | Data::False | Data::Literal(..) => {}
            Data::And(left, right) => node.new.extend([left, right]),
            Data::Next(inner) => {
                node.next.insert(inner);
            }
            Data::Or(left, right) => {
                let mut other = node.clone();
                other.new.insert(left);
                pending.push(other);
                node.new.insert(right);
            }
            Data::Until(left, right) => {
                let mut later = node.clone();
                later.new.insert(left);
                later.next.insert(part);
                pending.push(later);
                node.new.insert(right);
            }
            Data::Release(left, right) => {
                let mut later = node.clone();
                later.new.insert(right);
                later.next.insert(part);
                pending.push(later);
                node.new.extend([left, right]);
            }
        }
        pending.push(node);
    }
    Some(nodes)
}
