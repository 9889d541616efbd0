//! In which order nodes are visited, and where to widen: a weak topological order of the nodes that can be reached
//! ([`graph::weak_topological_order`]). Widening at the heads of its components makes every iteration finite.

use crate::graph::{Graph, Node};
use base::EntityRef;

/// A node in the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Element {
    /// The node.
    pub node: Node,
    /// If it is the head of a component: the position behind that component.
    pub end: Option<usize>,
}

/// A weak topological order of the nodes that can be reached.
pub fn weak_topological_order(graph: &Graph) -> Vec<Element> {
    let roots: Vec<usize> = graph.initial().iter().map(|node| node.index()).collect();
    let order = ::graph::weak_topological_order(graph.nodes.len(), &roots, |node, out| {
        out.extend(graph.dependent(Node::new(node)).map(|next| next.index()));
    });
    order.into_iter().map(|element| Element { node: Node::new(element.node), end: element.end }).collect()
}
