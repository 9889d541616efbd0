//! Strongly connected components of a graph over dense indices, without recursion (Tarjan).

/// The component of each node and the number of components. Components are numbered in reverse topological
/// order: an edge never leads to a component with a larger number. Linear.
pub(crate) fn components(nodes: usize, successors: impl Fn(usize, &mut Vec<usize>)) -> (Vec<usize>, usize) {
    const NEW: usize = usize::MAX;
    let mut component = vec![NEW; nodes];
    let mut count = 0;
    let mut low = vec![NEW; nodes];
    let mut visited = 0;
    let mut open = Vec::new();
    // The nodes on the path that is walked, each with the range of its successors that are left.
    let mut path: Vec<(usize, usize, usize)> = Vec::new();
    let mut pending: Vec<usize> = Vec::new();
    for root in 0..nodes {
        if low[root] != NEW {
            continue;
        }
        let mut enter = Some(root);
        loop {
            if let Some(node) = enter.take() {
                low[node] = visited;
                let start = pending.len();
                successors(node, &mut pending);
                path.push((node, start, visited));
                open.push(node);
                visited += 1;
            }
            let Some(&mut (node, start, index)) = path.last_mut() else { break };
            if pending.len() > start {
                let next = pending.pop().unwrap_or(node);
                if low[next] == NEW {
                    enter = Some(next);
                } else if component[next] == NEW {
                    low[node] = low[node].min(low[next]);
                }
                continue;
            }
            path.pop();
            if low[node] == index {
                while let Some(member) = open.pop() {
                    component[member] = count;
                    if member == node {
                        break;
                    }
                }
                count += 1;
            }
            if let Some(&(parent, ..)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    (component, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(edges: &[(usize, usize)], nodes: usize) -> Vec<usize> {
        components(nodes, |node, out| {
            out.extend(edges.iter().filter(|edge| edge.0 == node).map(|edge| edge.1));
        })
        .0
    }

    #[test]
    fn cycles_are_found_and_numbered_against_the_edges() {
        let found = of(&[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (5, 5), (5, 0)], 6);
        assert_eq!(found, [1, 1, 1, 0, 0, 2]);
    }

    #[test]
    fn a_long_path_needs_no_stack() {
        let nodes = 1_000_000;
        let next = |node: usize, out: &mut Vec<usize>| out.extend((node + 1 < nodes).then_some(node + 1));
        assert_eq!(components(nodes, next).1, nodes);
    }
}
