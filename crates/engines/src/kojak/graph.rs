//! The labelled program graph (paper "Splitting via Interpolants", Section 4.1).
//!
//! A node is a location with a predicate; at first there is one node per location, labelled `true`. Splitting a node
//! on a formula makes two nodes of it, one where the formula holds and one where it does not, and duplicates its
//! edges. The nodes of a location therefore always partition its states, and how they came about is kept as a tree
//! of splits.
//!
//! An edge begins *unchecked*; when it matters it is checked once, and either removed or kept for good until one of
//! its ends is split. Nodes that cannot be reached are dropped.

use crate::predicates::PredicateSet;
use base::{EntitySet, PrimaryMap, SecondaryMap};
use logic::{Term, Terms};
use program::{Edge, EdgeKind, Location, Program};
use std::collections::VecDeque;

base::id!(
    /// A node of the labelled program graph.
    Node,
    "n"
);

base::id!(
    /// An edge of the labelled program graph.
    Arc,
    "a"
);

base::id!(
    /// A node of the tree of splits.
    Part,
    "t"
);

/// A location with a predicate.
pub(super) struct NodeData {
    pub(super) location: Location,
    pub(super) label: PredicateSet,
    part: Part,
}

/// An edge between nodes.
#[derive(Clone, Copy)]
pub(super) struct ArcData {
    pub(super) source: Node,
    pub(super) edge: Edge,
    pub(super) target: Node,
    /// Whether a step over the edge between the two labels is known to be possible, or cannot be excluded.
    pub(super) checked: bool,
}

/// What became of a part of a location's states.
enum PartData {
    /// It is still one node.
    Whole(Node),
    /// It was split: the formula, where it holds, where it does not.
    Split(Term, Part, Part),
}

/// The labelled program graph.
pub(super) struct Graph<'p> {
    program: &'p Program,
    pub(super) nodes: PrimaryMap<Node, NodeData>,
    pub(super) arcs: PrimaryMap<Arc, ArcData>,
    outgoing: SecondaryMap<Node, Vec<Arc>>,
    incoming: SecondaryMap<Node, Vec<Arc>>,
    parts: PrimaryMap<Part, PartData>,
    roots: SecondaryMap<Location, Option<Part>>,
    initial: Vec<Node>,
}

impl<'p> Graph<'p> {
    /// One node per location; `top` is the label `true`. The program has no calls.
    pub(super) fn new(program: &'p Program, top: PredicateSet) -> Graph<'p> {
        let mut graph = Graph {
            program,
            nodes: PrimaryMap::new(),
            arcs: PrimaryMap::new(),
            outgoing: SecondaryMap::new(),
            incoming: SecondaryMap::new(),
            parts: PrimaryMap::new(),
            roots: SecondaryMap::new(),
            initial: Vec::new(),
        };
        let mut nodes: SecondaryMap<Location, Option<Node>> = SecondaryMap::new();
        let mut node = |graph: &mut Graph<'p>, location: Location| match nodes[location] {
            Some(node) => node,
            None => {
                let part = graph.parts.next_key();
                let node = graph.nodes.push(NodeData { location, label: top, part });
                graph.parts.push(PartData::Whole(node));
                graph.roots[location] = Some(part);
                nodes[location] = Some(node);
                node
            }
        };
        for &location in &program.initial {
            let initial = node(&mut graph, location);
            graph.initial.push(initial);
        }
        for edge in program.live_edges() {
            let data = &program.edges[edge];
            debug_assert!(matches!(data.kind, EdgeKind::Internal(_)), "calls were inlined");
            let (source, target) = (node(&mut graph, data.source), node(&mut graph, data.target));
            graph.add(ArcData { source, edge, target, checked: false });
        }
        graph
    }

    fn add(&mut self, data: ArcData) {
        let arc = self.arcs.push(data);
        self.outgoing[data.source].push(arc);
        self.incoming[data.target].push(arc);
    }

    /// Removes an edge that no execution takes.
    pub(super) fn remove(&mut self, arc: Arc) {
        let ArcData { source, target, .. } = self.arcs[arc];
        self.outgoing[source].retain(|&other| other != arc);
        self.incoming[target].retain(|&other| other != arc);
    }

    /// A shortest path from an initial node to an error.
    pub(super) fn error_path(&self) -> Option<Vec<Arc>> {
        let mut found: SecondaryMap<Node, Option<Arc>> = SecondaryMap::new();
        let mut seen = EntitySet::new();
        let mut queue = VecDeque::new();
        for &node in &self.initial {
            seen.insert(node);
            queue.push_back(node);
        }
        while let Some(node) = queue.pop_front() {
            if self.program.locations[self.nodes[node].location].error.is_some() {
                let mut path = Vec::new();
                let mut current = node;
                while let Some(arc) = found[current] {
                    path.push(arc);
                    current = self.arcs[arc].source;
                }
                path.reverse();
                return Some(path);
            }
            for &arc in &self.outgoing[node] {
                let target = self.arcs[arc].target;
                if seen.insert(target) {
                    found[target] = Some(arc);
                    queue.push_back(target);
                }
            }
        }
        None
    }

    /// Splits a node on a formula. The node itself becomes the part where it holds; the other part is returned.
    pub(super) fn split(
        &mut self,
        node: Node,
        formula: Term,
        inside: PredicateSet,
        outside: PredicateSet,
    ) -> Node {
        let NodeData { location, part, .. } = self.nodes[node];
        let here = self.parts.push(PartData::Whole(node));
        let there = self.parts.next_key();
        let other = self.nodes.push(NodeData { location, label: outside, part: there });
        self.parts.push(PartData::Whole(other));
        self.parts[part] = PartData::Split(formula, here, there);
        self.nodes[node].label = inside;
        self.nodes[node].part = here;
        let (outgoing, incoming) = (self.outgoing[node].clone(), self.incoming[node].clone());
        for arc in outgoing {
            self.arcs[arc].checked = false;
            let ArcData { edge, target, .. } = self.arcs[arc];
            self.add(ArcData { source: other, edge, target, checked: false });
            if target == node {
                self.add(ArcData { source: other, edge, target: other, checked: false });
            }
        }
        for arc in incoming {
            self.arcs[arc].checked = false;
            let ArcData { source, edge, .. } = self.arcs[arc];
            self.add(ArcData { source, edge, target: other, checked: false });
        }
        other
    }

    /// Drops the edges of nodes that cannot be reached; the nodes that can.
    pub(super) fn drop_unreachable(&mut self) -> EntitySet<Node> {
        let mut reached = EntitySet::new();
        let mut pending = self.initial.clone();
        while let Some(node) = pending.pop() {
            if reached.insert(node) {
                pending.extend(self.outgoing[node].iter().map(|&arc| self.arcs[arc].target));
            }
        }
        for node in self.nodes.keys().filter(|&node| !reached.contains(node)) {
            for arc in std::mem::take(&mut self.outgoing[node]) {
                let target = self.arcs[arc].target;
                self.incoming[target].retain(|&other| other != arc);
            }
        }
        reached
    }

    /// For every location the formula of its reachable nodes. Linear in the number of splits.
    pub(super) fn invariants(&mut self, terms: &mut Terms) -> SecondaryMap<Location, Option<Term>> {
        let reached = self.drop_unreachable();
        let mut formulas: SecondaryMap<Part, Option<Term>> = SecondaryMap::new();
        // Parts come after what they were split from.
        for (part, data) in self.parts.iter().rev() {
            formulas[part] = Some(match *data {
                PartData::Whole(node) => terms.bool(reached.contains(node)),
                PartData::Split(formula, inside, outside) => {
                    let known = |part: Part| formulas[part].expect("later parts are done");
                    let (inside, outside) = (known(inside), known(outside));
                    if inside == outside {
                        inside
                    } else {
                        // Where one side is whole, the formula needs to be said only once.
                        let negation = terms.not(formula);
                        let holds = if outside.is_true() { inside } else { terms.and([formula, inside]) };
                        let fails = if inside.is_true() { outside } else { terms.and([negation, outside]) };
                        terms.or([holds, fails])
                    }
                }
            });
        }
        let mut invariants = SecondaryMap::new();
        for location in self.program.locations.keys() {
            invariants[location] = self.roots[location].and_then(|part| formulas[part]);
        }
        invariants
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicates::{Predicate, PredicatePool};
    use crate::samples::counting_up;
    use base::EntityRef;

    /// The edges as `source -edge-> target`.
    fn arcs(graph: &Graph<'_>) -> Vec<String> {
        let mut arcs: Vec<String> = graph
            .nodes
            .keys()
            .flat_map(|node| &graph.outgoing[node])
            .map(|&arc| {
                let ArcData { source, edge, target, .. } = graph.arcs[arc];
                format!("{source} -{edge}-> {target}")
            })
            .collect();
        arcs.sort();
        arcs
    }

    #[test]
    fn splitting_duplicates_edges_and_a_loop_becomes_four() {
        let mut terms = Terms::new();
        let (program, x) = counting_up(&mut terms);
        let mut pool = PredicatePool::new();
        let top = pool.set(Vec::new());
        let mut graph = Graph::new(&program, top);
        assert_eq!(arcs(&graph), ["n0 -e0-> n1", "n1 -e1-> n1", "n1 -e2-> n2"]);
        let (value, zero) = (program.variables.term(&mut terms, x), terms.int(0));
        let formula = terms.ge(value, zero);
        let inside = pool.add(&program, &terms, formula).expect("a predicate");
        let inside = pool.set(vec![inside]);
        let outside = pool.set(vec![Predicate::bottom()]);
        let other = graph.split(Node::new(1), formula, inside, outside);
        assert_eq!((other, graph.nodes[other].label), (Node::new(3), outside));
        assert_eq!(
            arcs(&graph),
            [
                "n0 -e0-> n1",
                "n0 -e0-> n3",
                "n1 -e1-> n1",
                "n1 -e1-> n3",
                "n1 -e2-> n2",
                "n3 -e1-> n1",
                "n3 -e1-> n3",
                "n3 -e2-> n2",
            ]
        );
        // Without the ways into the second part, and without the error, the first part is the invariant.
        let doomed = |graph: &Graph<'_>| {
            let doomed = |arc: &ArcData| {
                (arc.target == other && arc.source != other)
                    || (arc.source == Node::new(1) && arc.target == Node::new(2))
            };
            graph.arcs.iter().filter(|(_, arc)| doomed(arc)).map(|(arc, _)| arc).collect::<Vec<_>>()
        };
        for arc in doomed(&graph) {
            graph.remove(arc);
        }
        assert!(graph.error_path().is_none());
        let invariants = graph.invariants(&mut terms);
        let of = |index: usize| invariants[Location::new(index)];
        assert_eq!((of(0), of(1), of(2)), (Some(Term::TRUE), Some(formula), Some(Term::FALSE)));
    }

    #[test]
    fn error_paths_are_shortest() {
        let mut terms = Terms::new();
        let (program, _) = counting_up(&mut terms);
        let mut pool = PredicatePool::new();
        let graph = Graph::new(&program, pool.set(Vec::new()));
        let path = graph.error_path().expect("there is one");
        let edges: Vec<String> = path.iter().map(|&arc| graph.arcs[arc].edge.to_string()).collect();
        assert_eq!(edges, ["e0", "e2"]);
    }
}
