//! Strongly connected components (Tarjan). Linear in the nodes and edges that are seen.

/// The strongly connected components of the part of a graph that was searched.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Components {
    /// The nodes, component after component.
    nodes: Vec<usize>,
    /// Where each component ends.
    ends: Vec<usize>,
}

impl Components {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The components against the edges: each comes before those that lead to it. A component begins with the node that
    /// was found first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[usize]> {
        (0..self.ends.len()).map(|number| {
            let start = if number == 0 { 0 } else { self.ends[number - 1] };
            &self.nodes[start..self.ends[number]]
        })
    }

    /// The number of each node's component in the order of [`Components::iter`], for graphs that were searched whole.
    pub fn numbers(&self) -> Vec<usize> {
        let mut numbers = vec![0; self.nodes.len()];
        for (number, component) in self.iter().enumerate() {
            for &node in component {
                numbers[node] = number;
            }
        }
        numbers
    }
}

/// The strongly connected components of a graph.
pub fn components(nodes: usize, successors: impl FnMut(usize, &mut Vec<usize>)) -> Components {
    Search::new(nodes).components(0..nodes, successors)
}

/// A search that can be repeated in one graph: each costs what it sees, and not the size of the graph.
#[derive(Clone, Debug)]
pub struct Search {
    /// When a node was found; numbers of earlier searches are smaller than those of this one.
    found: Vec<u32>,
    /// The earliest open node that can be reached from a node, as far as is known.
    lowest: Vec<u32>,
    /// Whether a node is found and its component is not.
    open: Vec<bool>,
    count: u32,
}

/// A node on the path that is walked, with its successors that are left.
struct Frame {
    node: usize,
    /// Where its successors begin in the list of all that are pending.
    start: usize,
    next: usize,
}

impl Search {
    /// For a graph with so many nodes.
    pub fn new(nodes: usize) -> Search {
        Search { found: vec![0; nodes], lowest: vec![0; nodes], open: vec![false; nodes], count: 0 }
    }

    /// The components of what can be reached from the roots, which are taken one after the other.
    pub fn components(
        &mut self,
        roots: impl IntoIterator<Item = usize>,
        mut successors: impl FnMut(usize, &mut Vec<usize>),
    ) -> Components {
        let before = self.count;
        let mut result = Components::default();
        let mut open: Vec<usize> = Vec::new();
        let mut path: Vec<Frame> = Vec::new();
        let mut pending: Vec<usize> = Vec::new();
        for root in roots {
            if self.found[root] > before {
                continue;
            }
            let mut enter = Some(root);
            loop {
                if let Some(node) = enter.take() {
                    self.count += 1;
                    (self.found[node], self.lowest[node], self.open[node]) = (self.count, self.count, true);
                    open.push(node);
                    path.push(Frame { node, start: pending.len(), next: pending.len() });
                    successors(node, &mut pending);
                }
                let Some(frame) = path.last_mut() else { break };
                let node = frame.node;
                if let Some(&next) = pending.get(frame.next) {
                    frame.next += 1;
                    if self.found[next] <= before {
                        enter = Some(next);
                    } else if self.open[next] {
                        self.lowest[node] = self.lowest[node].min(self.found[next]);
                    }
                    continue;
                }
                pending.truncate(frame.start);
                path.pop();
                if let Some(parent) = path.last() {
                    self.lowest[parent.node] = self.lowest[parent.node].min(self.lowest[node]);
                }
                if self.lowest[node] == self.found[node] {
                    let first = result.nodes.len();
                    while let Some(member) = open.pop() {
                        self.open[member] = false;
                        result.nodes.push(member);
                        if member == node {
                            break;
                        }
                    }
                    result.nodes[first..].reverse();
                    result.ends.push(result.nodes.len());
                }
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(edges: &[(usize, usize)], nodes: usize) -> Components {
        components(nodes, |node, out| {
            out.extend(edges.iter().filter(|edge| edge.0 == node).map(|edge| edge.1));
        })
    }

    #[test]
    fn cycles_are_found_and_numbered_against_the_edges() {
        let found = of(&[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (5, 5), (5, 0)], 6);
        assert_eq!(found.numbers(), [1, 1, 1, 0, 0, 2]);
        assert_eq!(found.iter().collect::<Vec<_>>(), [&[3, 4][..], &[0, 1, 2], &[5]]);
    }

    #[test]
    fn a_long_path_needs_no_stack() {
        let nodes = 1_000_000;
        let next = |node: usize, out: &mut Vec<usize>| out.extend((node + 1 < nodes).then_some(node + 1));
        assert_eq!(components(nodes, next).len(), nodes);
    }

    proptest! {
        #[test]
        fn nodes_are_together_if_each_reaches_the_other(
            nodes in 1usize..9,
            edges in proptest::collection::vec((0usize..9, 0usize..9), 0..20),
        ) {
            let edges: Vec<(usize, usize)> = edges.into_iter().map(|(a, b)| (a % nodes, b % nodes)).collect();
            let mut reaches = vec![vec![false; nodes]; nodes];
            for (node, row) in reaches.iter_mut().enumerate() {
                row[node] = true;
            }
            for _ in 0..nodes {
                for &(from, to) in &edges {
                    for row in &mut reaches {
                        row[to] |= row[from];
                    }
                }
            }
            let numbers = of(&edges, nodes).numbers();
            for a in 0..nodes {
                for b in 0..nodes {
                    prop_assert_eq!(numbers[a] == numbers[b], reaches[a][b] && reaches[b][a]);
                    prop_assert!(!reaches[a][b] || numbers[b] <= numbers[a]);
                }
            }
        }
    }
}
