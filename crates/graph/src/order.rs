//! A weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings").
//!
//! The nodes that can be reached are listed such that every cycle lies in a component, a component is contiguous, and
//! it begins with its head; every edge that leads backwards leads to the head of a component around its source. The order
//! is found by splitting into strongly connected components, taking the head out of each, and going on inside. The cost
//! is the number of edges times the depth of nesting.

use crate::Search;

/// A node in the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Element {
    /// The node.
    pub node: usize,
    /// If it is the head of a component: the position behind that component.
    pub end: Option<usize>,
}

/// What is still to be done.
enum Task {
    /// Order the nodes that can be reached from these inside of a region, or everywhere.
    Split { roots: Vec<usize>, inside: Option<u32> },
    /// List a node that is on no cycle.
    Single(usize),
    /// List a component.
    Component(Vec<usize>),
    /// The component whose head is at this position is complete.
    Close(usize),
}

/// A weak topological order of the nodes that can be reached from some roots, which come as early as they can.
pub fn weak_topological_order(
    nodes: usize,
    roots: &[usize],
    mut successors: impl FnMut(usize, &mut Vec<usize>),
) -> Vec<Element> {
    let mut order: Vec<Element> = Vec::new();
    let mut search = Search::new(nodes);
    // The innermost component that a node belongs to, without its head: the only nodes that are followed inside.
    let mut region = vec![0u32; nodes];
    let mut regions = 0;
    let mut tasks = vec![Task::Split { roots: roots.to_vec(), inside: None }];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Single(node) => order.push(Element { node, end: None }),
            Task::Close(head) => order[head].end = Some(order.len()),
            Task::Component(mut component) => {
                regions += 1;
                tasks.push(Task::Close(order.len()));
                let rest = component.split_off(1);
                for &node in &rest {
                    region[node] = regions;
                }
                region[component[0]] = 0;
                order.push(Element { node: component[0], end: None });
                if !rest.is_empty() {
                    tasks.push(Task::Split { roots: rest, inside: Some(regions) });
                }
            }
            Task::Split { roots, inside } => {
                let components = search.components(roots, |node, out| {
                    let first = out.len();
                    successors(node, out);
                    if let Some(inside) = inside {
                        let mut kept = first;
                        for position in first..out.len() {
                            if region[out[position]] == inside {
                                out[kept] = out[position];
                                kept += 1;
                            }
                        }
                        out.truncate(kept);
                    }
                });
                // The search finds components against the edges, and the last task is done first.
                let mut next = Vec::new();
                for component in components.iter() {
                    next.clear();
                    successors(component[0], &mut next);
                    let alone = component.len() == 1 && !next.contains(&component[0]);
                    tasks.push(if alone {
                        Task::Single(component[0])
                    } else {
                        Task::Component(component.to_vec())
                    });
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn order(size: usize, edges: &[(usize, usize)]) -> Vec<Element> {
        weak_topological_order(size, &[0], |node, out| {
            out.extend(edges.iter().filter(|edge| edge.0 == node).map(|edge| edge.1));
        })
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
        expect_test::expect!["  0 ( 1 ( 2  3 ) 4 )( 5 )"].assert_eq(&format!(" {}", text(&order(6, &edges))));
    }

    proptest! {
        #[test]
        fn edges_that_lead_backwards_lead_to_heads(
            size in 1usize..12,
            edges in proptest::collection::vec((0usize..12, 0usize..12), 0..30),
        ) {
            let edges: Vec<(usize, usize)> = edges.into_iter().map(|(a, b)| (a % size, b % size)).collect();
            let order = order(size, &edges);
            let place = |node: usize| order.iter().position(|element| element.node == node);
            // Everything that can be reached is there, once.
            let mut reached = vec![0];
            let mut index = 0;
            while index < reached.len() {
                for &(from, to) in &edges {
                    if from == reached[index] && !reached.contains(&to) {
                        reached.push(to);
                    }
                }
                index += 1;
            }
            prop_assert_eq!(order.len(), reached.len());
            for &(source, target) in edges.iter().filter(|(source, _)| reached.contains(source)) {
                let (Some(from), Some(to)) = (place(source), place(target)) else { unreachable!() };
                let around = order[to].end.is_some_and(|end| to <= from && from < end);
                prop_assert!(from < to || around, "{} -> {} in {}", source, target, text(&order));
            }
        }
    }
}
