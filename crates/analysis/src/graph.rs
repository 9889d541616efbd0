//! What is analysed: a graph whose nodes are at locations and whose arcs are edges of the program.
//!
//! The program itself is such a graph, with one node per location. So is what is left of it when automata have been
//! subtracted; there, a location may have several nodes, which keeps the traces through it apart.

use base::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
use program::{Edge, EdgeKind, Location, Program};

base::id!(
    /// A node of the graph.
    Node,
    "n"
);

/// An edge of the program between two nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arc {
    /// Where it begins.
    pub source: Node,
    /// Where it ends.
    pub target: Node,
    /// What it does.
    pub edge: Edge,
    /// The node at the call, for a return.
    pub call: Option<Node>,
}

/// Nodes and arcs.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The nodes with their locations.
    pub nodes: PrimaryMap<Node, Location>,
    initial: Vec<Node>,
    starts: EntitySet<Node>,
    arcs: Vec<Arc>,
    incoming: SecondaryMap<Node, Vec<u32>>,
    /// The nodes to which arcs lead from a node.
    next: SecondaryMap<Node, Vec<Node>>,
    /// The nodes to which a call that is made at a node comes back.
    behind_calls: SecondaryMap<Node, Vec<Node>>,
}

impl Graph {
    /// Do runs begin at a node?
    pub fn is_initial(&self, node: Node) -> bool {
        self.starts.contains(node)
    }

    /// Lets runs begin at a node.
    pub fn begin_at(&mut self, node: Node) {
        self.initial.push(node);
        self.starts.insert(node);
    }

    /// Where runs begin.
    pub fn initial(&self) -> &[Node] {
        &self.initial
    }

    /// Adds an arc.
    pub fn add(&mut self, arc: Arc) {
        let index = self.arcs.len() as u32;
        self.incoming[arc.target].push(index);
        self.next[arc.source].push(arc.target);
        if let Some(call) = arc.call {
            self.behind_calls[call].push(arc.target);
        }
        self.arcs.push(arc);
    }

    /// One node per location with the same number, one arc per edge in use.
    pub fn of_program(program: &Program) -> Graph {
        let mut graph = Graph::default();
        for location in program.locations.keys() {
            graph.nodes.push(location);
        }
        let node = |location: Location| Node::new(location.index());
        program.initial.iter().for_each(|&location| graph.begin_at(node(location)));
        graph.incoming.resize(graph.nodes.len());
        graph.next.resize(graph.nodes.len());
        graph.behind_calls.resize(graph.nodes.len());
        for edge in program.live_edges() {
            let data = &program.edges[edge];
            let call = match &data.kind {
                EdgeKind::Return(returning) => Some(node(program.call_of(returning).0.source)),
                _ => None,
            };
            graph.add(Arc { source: node(data.source), target: node(data.target), edge, call });
        }
        graph
    }

    /// All arcs.
    pub fn arcs(&self) -> &[Arc] {
        &self.arcs
    }

    /// The arcs into a node, by their places among all.
    pub fn incoming_indices(&self, node: Node) -> impl Iterator<Item = usize> + '_ {
        self.incoming[node].iter().map(|&index| index as usize)
    }

    /// The arcs into a node.
    pub fn incoming(&self, node: Node) -> impl Iterator<Item = &Arc> {
        self.incoming[node].iter().map(|&index| &self.arcs[index as usize])
    }

    /// The nodes whose states depend on a node's. What is called comes before what is behind the call: then calls of one procedure are one
    /// cycle through its entry, and not as many cycles inside of each other as there are calls.
    pub fn dependent(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        self.next[node].iter().chain(&self.behind_calls[node]).copied()
    }
}
