//! Büchi automata of traces that cannot go on for ever, computed on demand.
//!
//! A [`Module`] begins anywhere or only where the component is entered ([`Start`]):
//!
//! * *anywhere* it first follows the trace without knowing anything. At some visit of its *honda*, the class where its rank is
//!   measured, it begins to track predicates, and from then on it is deterministic. So it is semi-deterministic, and
//!   accepts all traces that the rank ranks from some point on;
//! * from the *beginning* it tracks predicates at once, what is known at the entry among them, and is deterministic.
//!
//! It accepts when it comes to its honda with the facts that it needs and a rank that is smaller than the old one, which
//! is then measured anew; and for ever once a step was impossible. That is the Floyd-Hoare automaton of an
//! infeasible prefix if there is no rank at all.
//!
//! Only transitions that the difference asks for are computed; those are what the proof contains.

use super::Termination;
use super::limits;
use super::tracking::{After, Graph, Tracker};
use crate::horn::Class;
use base::{EntityRef, Interrupted};
use logic::{Rational, Sort, Term};
use num_traits::Zero;
use nwa::buchi::SemiDeterministic;
use nwa::{LazyNwa, Letter};
use program::ModuleState;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Where a module begins to track predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// At any visit of its honda.
    Anywhere,
    /// Where the component is entered.
    Beginning,
}

/// The rank of a module.
#[derive(Clone, Debug)]
pub struct Honda {
    /// Where it is measured.
    pub class: Class,
    /// Its entries, over the state there.
    pub rank: Vec<Term>,
    /// The number of the predicate that it is smaller than the old one.
    pub smaller: usize,
    /// The numbers of the predicates that are needed there.
    pub needed: Vec<usize>,
}

/// What is recognised.
pub struct Plan {
    /// The predicates.
    pub tracker: Tracker,
    /// The rank, if there is one.
    pub honda: Option<Honda>,
    /// Where tracking begins.
    pub start: Start,
    /// The class at which an automaton without a rank begins to track.
    pub first: Class,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// Nothing is tracked yet.
    Anywhere(Class),
    /// Some predicates hold.
    Tracked {
        /// Where control is.
        class: Class,
        /// The numbers of the predicates.
        predicates: Vec<usize>,
        /// Whether the rank was measured before.
        measured: bool,
    },
    /// A step was impossible.
    Never(Class),
}

impl Node {
    fn class(&self) -> Class {
        match *self {
            Node::Anywhere(class) | Node::Never(class) | Node::Tracked { class, .. } => class,
        }
    }
}

impl Plan {
    /// Whether a state is accepting.
    pub fn accepts(&self, node: &Node) -> bool {
        match (node, &self.honda) {
            (Node::Never(_), _) => true,
            (Node::Tracked { class, predicates, measured }, Some(honda)) => {
                *class == honda.class
                    && honda.needed.iter().all(|fact| predicates.contains(fact))
                    && (!measured || predicates.contains(&honda.smaller))
            }
            _ => false,
        }
    }

    /// The class at which tracking begins, if it may begin anywhere.
    pub fn tracked_from(&self) -> Class {
        self.honda.as_ref().map_or(self.first, |honda| honda.class)
    }

    /// The state in which tracking begins anywhere.
    pub fn beginning(&self) -> Node {
        Node::Tracked { class: self.tracked_from(), predicates: Vec::new(), measured: false }
    }

    /// The only successor of a state in the deterministic part.
    pub fn next(
        &mut self,
        engine: &mut Termination<'_, '_>,
        graph: &mut Graph,
        node: &Node,
        letter: usize,
    ) -> Result<Option<Node>, Interrupted> {
        if graph.letters[letter].source != node.class() {
            return Ok(None);
        }
        let class = graph.letters[letter].target;
        let (predicates, measured) = match node {
            Node::Anywhere(_) => return Ok(None),
            Node::Never(_) => return Ok(Some(Node::Never(class))),
            Node::Tracked { predicates, measured, .. } => (predicates, *measured),
        };
        let measured_now = self.accepts(node);
        let measured = measured || measured_now;
        Ok(match self.tracker.successor(engine, graph, (predicates, measured_now), letter)? {
            After::Never => Some(Node::Never(class)),
            After::Holds(predicates) => Some(Node::Tracked { class, predicates, measured }),
        })
    }
}

/// A module in the making.
pub struct Module<'m, 'c, 'p> {
    engine: &'m mut Termination<'c, 'p>,
    graph: &'m mut Graph,
    plan: Plan,
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, usize>,
    initial: Vec<usize>,
    transitions: BTreeMap<(usize, usize), Vec<usize>>,
}

impl<'m, 'c, 'p> Module<'m, 'c, 'p> {
    /// The module of a plan.
    pub fn new(
        engine: &'m mut Termination<'c, 'p>,
        graph: &'m mut Graph,
        plan: Plan,
    ) -> Result<Module<'m, 'c, 'p>, Interrupted> {
        let (nodes, numbers) = (Vec::new(), FxHashMap::default());
        let (initial, transitions) = (Vec::new(), BTreeMap::new());
        let mut module = Module { engine, graph, plan, nodes, numbers, initial, transitions };
        for class in module.graph.entries.clone() {
            match module.plan.start {
                Start::Anywhere => {
                    let node = module.number(Node::Anywhere(class));
                    module.initial.extend(node);
                    if class == module.plan.tracked_from() {
                        let node = module.number(module.plan.beginning());
                        module.initial.extend(node);
                    }
                }
                Start::Beginning => {
                    let predicates = module.plan.tracker.at_entry(module.engine, module.graph, class)?;
                    let node = module.number(Node::Tracked { class, predicates, measured: false });
                    module.initial.extend(node);
                }
            }
        }
        Ok(module)
    }

    /// The number of a state; none if there are too many. Then the transition to it is missing, and fewer traces are
    /// accepted.
    fn number(&mut self, node: Node) -> Option<usize> {
        if let Some(&number) = self.numbers.get(&node) {
            return Some(number);
        }
        if self.nodes.len() >= limits::MOST_MODULE_STATES {
            return None;
        }
        self.nodes.push(node.clone());
        self.numbers.insert(node, self.nodes.len() - 1);
        Some(self.nodes.len() - 1)
    }

    fn successors(&mut self, state: usize, letter: usize) -> Result<Vec<usize>, Interrupted> {
        if let Some(known) = self.transitions.get(&(state, letter)) {
            return Ok(known.clone());
        }
        let node = self.nodes[state].clone();
        let mut found = Vec::new();
        if let Node::Anywhere(class) = node {
            let (source, target) = (self.graph.letters[letter].source, self.graph.letters[letter].target);
            if source == class {
                found.extend(self.number(Node::Anywhere(target)));
                if target == self.plan.tracked_from() {
                    found.extend(self.number(self.plan.beginning()));
                }
            }
        } else if let Some(next) = self.plan.next(self.engine, self.graph, &node, letter)? {
            found.extend(self.number(next));
        }
        self.transitions.insert((state, letter), found.clone());
        Ok(found)
    }

    /// The module as part of a proof.
    pub fn finish(self) -> program::Module {
        let sort = self.engine.sort;
        let entries: Vec<Sort> = match &self.plan.honda {
            Some(honda) => vec![sort; honda.rank.len()],
            None => Vec::new(),
        };
        let zero = self.engine.context.terms.numeral(Rational::zero(), sort);
        let mut states = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let location = self.engine.whole.locations[node.class()];
            let rank = match (self.plan.accepts(node), node, &self.plan.honda) {
                (true, Node::Tracked { .. }, Some(honda)) => Some(honda.rank.clone()),
                (true, ..) => Some(vec![zero; entries.len()]),
                (false, ..) => None,
            };
            let (label, measured) = match node {
                Node::Anywhere(_) => (Term::TRUE, false),
                Node::Never(_) => (Term::FALSE, true),
                Node::Tracked { class, predicates, measured } => {
                    let formulas = self.plan.tracker.formulas(*class, predicates);
                    (self.engine.context.terms.and(formulas), *measured)
                }
            };
            states.push(ModuleState { location, label, rank, measured });
        }
        let mut transitions: Vec<(usize, usize)> = Vec::new();
        for (&(from, _), targets) in &self.transitions {
            transitions.extend(targets.iter().map(|&to| (from, to)));
        }
        program::Module { entries, states, initial: self.initial, transitions }
    }
}

impl LazyNwa for Module<'_, '_, '_> {
    type State = usize;

    fn initial(&mut self, out: &mut Vec<usize>) -> Result<(), Interrupted> {
        out.extend(&self.initial);
        Ok(())
    }

    fn is_final(&mut self, state: usize) -> Result<bool, Interrupted> {
        Ok(self.plan.accepts(&self.nodes[state]))
    }

    fn internal(&mut self, state: usize, letter: Letter, out: &mut Vec<usize>) -> Result<(), Interrupted> {
        out.extend(self.successors(state, letter.index())?);
        Ok(())
    }

    fn call(&mut self, _: usize, _: Letter, _: &mut Vec<usize>) -> Result<(), Interrupted> {
        Ok(())
    }

    fn ret(&mut self, _: usize, _: usize, _: Letter, _: &mut Vec<usize>) -> Result<(), Interrupted> {
        Ok(())
    }
}

impl SemiDeterministic for &mut Module<'_, '_, '_> {
    fn is_in_deterministic_part(&mut self, state: usize) -> Result<bool, Interrupted> {
        Ok(!matches!(self.nodes[state], Node::Anywhere(_)))
    }
}
