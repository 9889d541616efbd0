//! A weak topological order (Bourdoncle): in which order nodes are visited, and where to widen.
//!
//! The nodes that can be reached are listed such that every cycle lies in a component, a component is contiguous, and
//! it begins with its head; every edge that leads backwards leads to the head of a component around its source. So
//! widening at heads makes every iteration finite. The order is found by splitting into strongly connected components,
//! taking the head out of each, and going on inside; without recursion. The cost is the number of edges times the depth
//! of nesting.

use crate::graph::{Graph, Node};
use base::SecondaryMap;

/// A node in the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Element {
    /// The node.
    pub node: Node,
    /// If it is the head of a component: the position behind that component.
    pub end: Option<usize>,
}

/// What is still to be done.
enum Task {
    /// Order these nodes, beginning with the first ones.
    Split(Vec<Node>),
    /// List a node that is on no cycle.
    Single(Node),
    /// List a component.
    Component(Vec<Node>),
    /// The component whose head is at this position is complete.
    Close(usize),
}

/// A weak topological order of the nodes that can be reached.
pub fn weak_topological_order(graph: &Graph) -> Vec<Element> {
    let mut order: Vec<Element> = Vec::new();
    let mut search = Search::default();
    search.resize(graph.nodes.len());
    // Which splitting a node belongs to; nodes of others are not followed.
    let mut region: SecondaryMap<Node, u32> = SecondaryMap::new();
    let mut next_region = 1;
    let mut tasks = vec![Task::Split(graph.initial().to_vec())];
    let mut whole = true;
    while let Some(task) = tasks.pop() {
        match task {
            Task::Single(node) => order.push(Element { node, end: None }),
            Task::Close(head) => order[head].end = Some(order.len()),
            Task::Component(nodes) => {
                let head = order.len();
                order.push(Element { node: nodes[0], end: None });
                tasks.push(Task::Close(head));
                let rest = nodes[1..].to_vec();
                for &node in &rest {
                    region[node] = next_region;
                }
                if !rest.is_empty() {
                    tasks.push(Task::Split(rest));
                }
                region[nodes[0]] = 0;
                next_region += 1;
            }
            Task::Split(nodes) => {
                let here = if whole { None } else { nodes.first().map(|&node| region[node]) };
                whole = false;
                let follow = |node: Node| here.is_none_or(|here| region[node] == here);
                let components = search.components(graph, &nodes, follow);
                // The search finds components against the edges, and the last task is done first.
                for component in components {
                    let alone =
                        component.len() == 1 && !graph.dependent(component[0]).contains(&component[0]);
                    tasks.push(if alone { Task::Single(component[0]) } else { Task::Component(component) });
                }
            }
        }
    }
    order
}

/// Tarjan's search for strongly connected components, reused for all splittings.
#[derive(Default)]
struct Search {
    number: SecondaryMap<Node, u32>,
    lowest: SecondaryMap<Node, u32>,
    open: SecondaryMap<Node, bool>,
    count: u32,
}

impl Search {
    fn resize(&mut self, nodes: usize) {
        self.number.resize(nodes);
        self.lowest.resize(nodes);
        self.open.resize(nodes);
    }

    /// The strongly connected components, each before those that lead to it. The first node of a component is the
    /// one that was found first.
    fn components(&mut self, graph: &Graph, roots: &[Node], follow: impl Fn(Node) -> bool) -> Vec<Vec<Node>> {
        let start = self.count;
        let mut found = Vec::new();
        let mut path: Vec<Node> = Vec::new();
        for &root in roots {
            if self.number[root] > start {
                continue;
            }
            let mut pending: Vec<(Node, usize)> = vec![(root, 0)];
            self.enter(root, &mut path);
            while let Some((node, position)) = pending.pop() {
                if let Some(&next) = graph.dependent(node).get(position) {
                    pending.push((node, position + 1));
                    if !follow(next) {
                        continue;
                    }
                    if self.number[next] <= start {
                        self.enter(next, &mut path);
                        pending.push((next, 0));
                    } else if self.open[next] {
                        self.lowest[node] = self.lowest[node].min(self.number[next]);
                    }
                    continue;
                }
                if self.lowest[node] == self.number[node] {
                    let begin = path.iter().rposition(|&other| other == node).expect("it is on the path");
                    let component = path.split_off(begin);
                    component.iter().for_each(|&member| self.open[member] = false);
                    found.push(component);
                }
                if let Some(&(parent, _)) = pending.last() {
                    self.lowest[parent] = self.lowest[parent].min(self.lowest[node]);
                }
            }
        }
        found
    }

    fn enter(&mut self, node: Node, path: &mut Vec<Node>) {
        self.count += 1;
        self.number[node] = self.count;
        self.lowest[node] = self.count;
        self.open[node] = true;
        path.push(node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Arc;
    use base::EntityRef;
    use program::{Edge, Location};
    use proptest::prelude::*;

    fn graph(size: usize, edges: &[(usize, usize)]) -> Graph {
        let mut graph = Graph::default();
        for index in 0..size {
            graph.nodes.push(Location::new(index));
        }
        graph.begin_at(Node::new(0));
        for (index, &(source, target)) in edges.iter().enumerate() {
            let (source, target) = (Node::new(source % size), Node::new(target % size));
            graph.add(Arc { source, target, edge: Edge::new(index), call: None });
        }
        graph
    }

    fn text(order: &[Element]) -> String {
        let mut text = String::new();
        let mut ends: Vec<usize> = Vec::new();
        for (position, element) in order.iter().enumerate() {
            while ends.last() == Some(&position) {
                ends.pop();
                text.push(')');
            }
            if let Some(end) = element.end {
                ends.push(end);
                text.push('(');
            }
            text += &format!(" {} ", element.node);
        }
        text + &")".repeat(ends.len())
    }

    #[test]
    fn nested_loops_are_nested_components() {
        let edges = [(0, 1), (1, 2), (2, 3), (3, 2), (2, 4), (4, 1), (1, 5), (5, 5)];
        expect_test::expect!["  n0 ( n1 ( n2  n3 ) n4 )( n5 )"]
            .assert_eq(&format!(" {}", text(&weak_topological_order(&graph(6, &edges)))));
    }

    proptest! {
        #[test]
        fn edges_that_lead_backwards_lead_to_heads(
            size in 1usize..12,
            edges in proptest::collection::vec((0usize..12, 0usize..12), 0..30),
        ) {
            let graph = graph(size, &edges);
            let order = weak_topological_order(&graph);
            let place = |node: Node| order.iter().position(|element| element.node == node);
            // Everything that can be reached is there, once.
            let mut reached = vec![Node::new(0)];
            let mut index = 0;
            while index < reached.len() {
                for &next in graph.dependent(reached[index]) {
                    if !reached.contains(&next) {
                        reached.push(next);
                    }
                }
                index += 1;
            }
            prop_assert_eq!(order.len(), reached.len());
            for &source in &reached {
                let from = place(source);
                prop_assert!(from.is_some());
                for &target in graph.dependent(source) {
                    let (Some(from), Some(to)) = (from, place(target)) else { unreachable!() };
                    let around = order[to].end.is_some_and(|end| to <= from && from < end);
                    prop_assert!(from < to || around, "{} -> {} in {}", source, target, text(&order));
                }
            }
        }
    }
}
