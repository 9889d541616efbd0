//! Places for the nodes of a directed graph, layer by layer.
//!
//! The method is that of Sugiyama, Tagawa and Toda ("Methods for Visual Understanding of Hierarchical System
//! Structures"): edges that close a cycle are turned around, a node's layer is the length of the longest way to it,
//! edges that pass layers get a bend in each of them, and the order in a layer follows the averages of the neighbours.
//! The cost is linear in the number of nodes and bends, times a few sweeps. Same graph, same picture.

/// A point of the picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::report) struct Point {
    pub(in crate::report) x: i32,
    pub(in crate::report) y: i32,
}

/// Where everything is.
pub(in crate::report) struct Layout {
    /// For every node.
    pub(in crate::report) nodes: Vec<Point>,
    /// For every edge its points, from its source to its target.
    pub(in crate::report) edges: Vec<Vec<Point>>,
    pub(in crate::report) width: i32,
    pub(in crate::report) height: i32,
}

const COLUMN: i32 = 150;
const LAYER: i32 = 72;
const MARGIN: i32 = 60;
const SWEEPS: usize = 8;

/// Lays a graph out. The first node of all is `entry`.
pub(in crate::report) fn layout(nodes: usize, edges: &[(usize, usize)], entry: usize) -> Layout {
    let forward = without_cycles(nodes, edges, entry);
    let layers = layers(nodes, &forward);
    let mut grid = Grid::new(nodes, &layers);
    let ways: Vec<Vec<usize>> = forward.iter().map(|&(from, to)| grid.way(from, to, &layers)).collect();
    grid.arrange();
    let spot = |vertex: usize| grid.points[vertex];
    let edges = ways
        .iter()
        .zip(forward.iter().zip(edges))
        .map(|(way, (&(from, _), &(source, target)))| {
            let mut points: Vec<Point> = way.iter().map(|&vertex| spot(vertex)).collect();
            if from != source {
                points.reverse();
            }
            if source == target {
                points = own_loop(spot(source));
            }
            points
        })
        .collect();
    let right = grid.points.iter().map(|point| point.x).max().unwrap_or(0);
    let bottom = grid.points.iter().map(|point| point.y).max().unwrap_or(0);
    Layout {
        nodes: (0..nodes).map(spot).collect(),
        edges,
        width: right + COLUMN / 2 + MARGIN,
        height: bottom + MARGIN,
    }
}

/// An edge from a node to itself.
fn own_loop(at: Point) -> Vec<Point> {
    let right = at.x + COLUMN / 3;
    vec![at, Point { x: right, y: at.y - LAYER / 3 }, Point { x: right, y: at.y + LAYER / 3 }, at]
}

/// The edges, with those turned around that lead back to where a depth-first search comes from.
fn without_cycles(nodes: usize, edges: &[(usize, usize)], entry: usize) -> Vec<(usize, usize)> {
    let mut outgoing = vec![Vec::new(); nodes];
    for (number, &(from, _)) in edges.iter().enumerate() {
        outgoing[from].push(number);
    }
    let mut turned = edges.to_vec();
    // 0: not seen, 1: on the way, 2: left behind.
    let mut colour = vec![0u8; nodes];
    let starts = (entry < nodes).then_some(entry).into_iter().chain(0..nodes);
    for start in starts {
        if colour[start] != 0 {
            continue;
        }
        colour[start] = 1;
        let mut stack = vec![(start, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            let Some(&edge) = outgoing[node].get(*next) else {
                colour[node] = 2;
                stack.pop();
                continue;
            };
            *next += 1;
            let (from, to) = edges[edge];
            match colour[to] {
                0 => {
                    colour[to] = 1;
                    stack.push((to, 0));
                }
                1 => turned[edge] = (to, from),
                _ => {}
            }
        }
    }
    turned
}

/// The length of the longest way to every node.
fn layers(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut incoming = vec![0; nodes];
    let mut outgoing = vec![Vec::new(); nodes];
    for &(from, to) in edges.iter().filter(|(from, to)| from != to) {
        incoming[to] += 1;
        outgoing[from].push(to);
    }
    let mut layers = vec![0; nodes];
    let mut ready: Vec<usize> = (0..nodes).filter(|&node| incoming[node] == 0).collect();
    while let Some(node) = ready.pop() {
        for &next in &outgoing[node] {
            layers[next] = layers[next].max(layers[node] + 1);
            incoming[next] -= 1;
            if incoming[next] == 0 {
                ready.push(next);
            }
        }
    }
    layers
}

/// Nodes and bends in layers.
struct Grid {
    layers: Vec<Vec<usize>>,
    /// The neighbours of a vertex in the layer before and in the layer behind.
    before: Vec<Vec<usize>>,
    behind: Vec<Vec<usize>>,
    points: Vec<Point>,
}

impl Grid {
    fn new(nodes: usize, layers: &[usize]) -> Grid {
        let count = layers.iter().max().map_or(0, |last| last + 1);
        let mut grid = Grid {
            layers: vec![Vec::new(); count],
            before: vec![Vec::new(); nodes],
            behind: vec![Vec::new(); nodes],
            points: vec![Point { x: 0, y: 0 }; nodes],
        };
        for (node, &layer) in layers.iter().enumerate() {
            grid.layers[layer].push(node);
        }
        grid
    }

    /// The vertices of an edge, with a new one in every layer that it passes.
    fn way(&mut self, from: usize, to: usize, layers: &[usize]) -> Vec<usize> {
        if from == to {
            return vec![from];
        }
        let mut way = vec![from];
        for layer in layers[from] + 1..layers[to] {
            let bend = self.points.len();
            self.points.push(Point { x: 0, y: 0 });
            self.before.push(Vec::new());
            self.behind.push(Vec::new());
            self.layers[layer].push(bend);
            way.push(bend);
        }
        way.push(to);
        for pair in way.windows(2) {
            self.behind[pair[0]].push(pair[1]);
            self.before[pair[1]].push(pair[0]);
        }
        way
    }

    fn arrange(&mut self) {
        for layer in &self.layers {
            for (position, &vertex) in layer.iter().enumerate() {
                self.points[vertex].x = position as i32 * COLUMN;
            }
        }
        for sweep in 0..SWEEPS {
            let down = sweep % 2 == 0;
            let count = self.layers.len();
            for step in 0..count {
                let layer = if down { step } else { count - 1 - step };
                self.order(layer, down);
            }
        }
        let left = self.points.iter().map(|point| point.x).min().unwrap_or(0);
        for (layer, vertices) in self.layers.iter().enumerate() {
            for &vertex in vertices {
                let point = &mut self.points[vertex];
                *point = Point { x: point.x - left + MARGIN, y: layer as i32 * LAYER + MARGIN / 2 };
            }
        }
    }

    /// Puts every vertex of a layer under, or over, the average of its neighbours, with a column between two.
    fn order(&mut self, layer: usize, down: bool) {
        let mut wished: Vec<(i32, usize)> = self.layers[layer]
            .iter()
            .map(|&vertex| {
                let near = if down { &self.before[vertex] } else { &self.behind[vertex] };
                let sum: i32 = near.iter().map(|&other| self.points[other].x).sum();
                (sum.checked_div(near.len() as i32).unwrap_or(self.points[vertex].x), vertex)
            })
            .collect();
        wished.sort_by_key(|&(x, _)| x);
        let middle: i32 = wished.iter().map(|(x, _)| *x).sum::<i32>() / wished.len().max(1) as i32;
        let mut last: Option<i32> = None;
        for (x, vertex) in &wished {
            let x = last.map_or(*x, |last| (*x).max(last + COLUMN));
            self.points[*vertex].x = x;
            last = Some(x);
        }
        // What was pushed to the right is brought back around the middle of what was wished.
        let now: i32 = wished.iter().map(|(_, vertex)| self.points[*vertex].x).sum::<i32>();
        let shift = middle - now / wished.len().max(1) as i32;
        for (_, vertex) in &wished {
            self.points[*vertex].x += shift;
        }
        self.layers[layer] = wished.into_iter().map(|(_, vertex)| vertex).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::{COLUMN, layout};

    #[test]
    fn no_two_nodes_are_at_one_place() {
        // A loop with a branch, an edge that passes layers, an edge to itself, and a node that nothing leads to.
        let edges = [(0, 1), (1, 2), (2, 3), (2, 4), (3, 5), (4, 5), (5, 1), (1, 6), (0, 6), (5, 5)];
        let drawn = layout(8, &edges, 0);
        for (one, a) in drawn.nodes.iter().enumerate() {
            for b in &drawn.nodes[one + 1..] {
                assert!(a.y != b.y || (a.x - b.x).abs() >= COLUMN, "{:?}", drawn.nodes);
            }
        }
        for ((from, to), way) in edges.iter().zip(&drawn.edges) {
            assert_eq!((way[0], way[way.len() - 1]), (drawn.nodes[*from], drawn.nodes[*to]));
        }
        assert!(drawn.nodes[0].y < drawn.nodes[1].y && drawn.nodes[1].y < drawn.nodes[6].y);
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert!(layout(0, &[], 0).nodes.is_empty());
    }
}
