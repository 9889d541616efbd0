//! States that the search keeps: how they were reached, and where runs can go on.

use super::limits;
use super::pilot::Log;
use super::places::ChoicePlace;
use base::PrimaryMap;
use base::Random;
use ir::Procedure;
use ir::interpreter::Snapshot;
use program::ConcreteRun;
use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};
use std::rc::Rc;

base::id!(
    /// A state that is kept.
    Node,
    "s"
);

/// A state that is kept.
pub struct NodeData<'p> {
    /// The state from which it was reached; none at the beginning of a run.
    pub parent: Option<Node>,
    /// The procedure in which the run began.
    pub entry: Procedure,
    /// The choice that is next; none at the beginning of a run, and where a run was only interrupted.
    pub place: Option<ChoicePlace>,
    /// What was decided since the parent.
    pub log: Log,
    /// The state, unless nobody needs it any more.
    pub snapshot: Option<Rc<Snapshot<'p>>>,
    /// How many ways out were taken.
    pub tried: usize,
}

/// States of one place from which dives start.
#[derive(Default)]
struct Starts<'p> {
    /// How many there have been.
    count: usize,
    kept: Vec<(Node, Rc<Snapshot<'p>>)>,
}

/// All of them.
pub struct Nodes<'p> {
    nodes: PrimaryMap<Node, NodeData<'p>>,
    /// How many values the states have together.
    values: usize,
    roots: Vec<Node>,
    /// For every place the starts of dives.
    corpus: BTreeMap<ChoicePlace, Starts<'p>>,
}

impl<'p> Nodes<'p> {
    /// None yet.
    pub fn new() -> Nodes<'p> {
        Nodes { nodes: PrimaryMap::new(), values: 0, roots: Vec::new(), corpus: BTreeMap::new() }
    }

    /// The beginning of runs.
    pub fn root(&mut self, entry: Procedure) -> Node {
        let log = Log::default();
        let root =
            self.nodes.push(NodeData { parent: None, entry, place: None, log, snapshot: None, tried: 0 });
        self.roots.push(root);
        root
    }

    /// Keeps a state; none if there are too many. An interrupted run is always kept, since it replaces another state.
    pub fn add(&mut self, data: NodeData<'p>) -> Option<Node> {
        if self.are_full() && data.place.is_some() {
            return None;
        }
        self.values += size(&data);
        Some(self.nodes.push(data))
    }

    /// Are there too many to keep another one?
    pub fn are_full(&self) -> bool {
        self.nodes.len() >= limits::MOST_NODES || self.values >= limits::MOST_VALUES
    }

    /// What was decided from a state to the next one that was kept on the way to another.
    pub fn log_behind(&self, first: Node, last: Node) -> &Log {
        let mut at = last;
        while let Some(parent) = self.nodes[at].parent
            && parent != first
        {
            at = parent;
        }
        &self.nodes[at].log
    }

    /// Is it the state of a run that was interrupted without choice?
    pub fn is_interrupted(&self, node: Node) -> bool {
        self.nodes[node].place.is_none() && self.nodes[node].parent.is_some()
    }

    /// Every way out of a state has been taken.
    pub fn exhausted(&mut self, node: Node) {
        self.values -= size(&self.nodes[node]);
        self.nodes[node].snapshot = None;
    }

    /// Makes a state the start of dives, sometimes instead of another one.
    pub fn remember(&mut self, place: ChoicePlace, node: Node, random: &mut Random) {
        let Some(snapshot) = self.nodes[node].snapshot.clone() else { return };
        let starts = self.corpus.entry(place).or_default();
        starts.count += 1;
        if starts.kept.len() < limits::MOST_PER_PLACE {
            starts.kept.push((node, snapshot));
        } else if random.below(starts.count) < limits::MOST_PER_PLACE {
            let at = random.below(limits::MOST_PER_PLACE);
            starts.kept[at] = (node, snapshot);
        }
    }

    /// Is there a start of dives?
    pub fn has_corpus(&self) -> bool {
        !self.corpus.is_empty()
    }

    /// How many states of a place have been kept.
    pub fn met(&self, place: ChoicePlace) -> usize {
        self.corpus.get(&place).map_or(0, |starts| starts.count)
    }

    /// A start of a dive: every place is as likely as every other.
    pub fn start(&self, random: &mut Random) -> Option<(Node, Rc<Snapshot<'p>>)> {
        let place = random.below(self.corpus.len().max(1));
        let starts = self.corpus.values().nth(place)?;
        let (node, snapshot) = &starts.kept[random.below(starts.kept.len())];
        Some((*node, Rc::clone(snapshot)))
    }

    /// A beginning of runs.
    pub fn some_root(&self, random: &mut Random) -> Node {
        self.roots[random.below(self.roots.len())]
    }

    /// The run to a state and on.
    pub fn run(&self, last: Node, log: Log) -> ConcreteRun {
        let mut parts = vec![&log];
        let mut at = Some(last);
        while let Some(node) = at {
            parts.push(&self.nodes[node].log);
            at = self.nodes[node].parent;
        }
        parts.reverse();
        ConcreteRun {
            procedure: self.nodes[last].entry,
            values: parts.iter().flat_map(|part| part.values.iter().cloned()).collect(),
            targets: parts.iter().flat_map(|part| part.targets.iter().copied()).collect(),
        }
    }
}

/// How many values a state has; what was decided on the way counts too.
fn size(data: &NodeData<'_>) -> usize {
    data.snapshot.as_ref().map_or(0, |snapshot| snapshot.size() + limits::LOG_SIZE)
}

impl<'p> Index<Node> for Nodes<'p> {
    type Output = NodeData<'p>;

    fn index(&self, node: Node) -> &NodeData<'p> {
        &self.nodes[node]
    }
}

impl<'p> IndexMut<Node> for Nodes<'p> {
    fn index_mut(&mut self, node: Node) -> &mut NodeData<'p> {
        &mut self.nodes[node]
    }
}
