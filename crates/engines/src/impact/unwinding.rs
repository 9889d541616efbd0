//! The unwinding of a program: a tree (one per initial location) whose paths are paths of the program, with a label
//! per vertex and a covering relation.
//!
//! A covered vertex has a label that implies the label of an earlier vertex at the same location, which is itself
//! neither covered nor below a covered vertex. A vertex is *closed* if it or one of its ancestors is covered or
//! labelled `false`: nothing below it needs to be looked at.

use crate::predicates::PredicateSet;
use base::{PrimaryMap, SecondaryMap};
use program::{Edge, Location, Program};
use std::collections::BTreeSet;

base::id!(
    /// A vertex of the unwinding.
    Vertex,
    "v"
);

/// A vertex.
pub(super) struct VertexData {
    pub(super) location: Location,
    /// The vertex before, and the edge from there.
    pub(super) parent: Option<(Vertex, Edge)>,
    depth: u32,
    pub(super) label: PredicateSet,
    /// The vertices after; none yet if it was not expanded.
    pub(super) children: Option<Vec<Vertex>>,
    pub(super) covered_by: Option<Vertex>,
    /// The vertices that this one covers.
    covers: Vec<Vertex>,
}

/// In which order vertices are looked at: errors first, then the shallowest.
type Priority = (bool, u32, Vertex);

/// The unwinding.
pub(super) struct Unwinding<'p> {
    program: &'p Program,
    bottom: PredicateSet,
    pub(super) vertices: PrimaryMap<Vertex, VertexData>,
    pub(super) roots: Vec<Vertex>,
    /// The vertices at a location, in the order in which they were made.
    by_location: SecondaryMap<Location, Vec<Vertex>>,
    /// Vertices that were not expanded. Some may be closed.
    pending: BTreeSet<Priority>,
}

impl<'p> Unwinding<'p> {
    /// The roots, labelled `top`; `bottom` is the label `false`.
    pub(super) fn new(program: &'p Program, top: PredicateSet, bottom: PredicateSet) -> Unwinding<'p> {
        let mut unwinding = Unwinding {
            program,
            bottom,
            vertices: PrimaryMap::new(),
            roots: Vec::new(),
            by_location: SecondaryMap::new(),
            pending: BTreeSet::new(),
        };
        for &location in &program.initial {
            let root = unwinding.add(location, None, top);
            unwinding.roots.push(root);
        }
        unwinding
    }

    fn add(&mut self, location: Location, parent: Option<(Vertex, Edge)>, label: PredicateSet) -> Vertex {
        let depth = parent.map_or(0, |(parent, _)| self.vertices[parent].depth + 1);
        let vertex = self.vertices.push(VertexData {
            location,
            parent,
            depth,
            label,
            children: None,
            covered_by: None,
            covers: Vec::new(),
        });
        self.by_location[location].push(vertex);
        self.wait(vertex);
        vertex
    }

    fn wait(&mut self, vertex: Vertex) {
        let VertexData { location, depth, .. } = self.vertices[vertex];
        self.pending.insert((self.program.locations[location].error.is_none(), depth, vertex));
    }

    /// Adds the successors of a vertex, labelled `top`.
    pub(super) fn expand(&mut self, vertex: Vertex, top: PredicateSet) {
        let location = self.vertices[vertex].location;
        let program = self.program;
        let children = program.outgoing[location]
            .iter()
            .map(|&edge| self.add(program.edges[edge].target, Some((vertex, edge)), top))
            .collect();
        self.vertices[vertex].children = Some(children);
    }

    /// The next vertex that is neither expanded nor closed.
    pub(super) fn open_leaf(&mut self) -> Option<Vertex> {
        while let Some((_, _, vertex)) = self.pending.pop_first() {
            // A vertex that is closed by a cover comes back when the cover is removed.
            if self.vertices[vertex].children.is_none() && !self.is_closed(vertex) {
                return Some(vertex);
            }
        }
        None
    }

    fn stops(&self, vertex: Vertex) -> bool {
        let data = &self.vertices[vertex];
        data.covered_by.is_some() || data.label == self.bottom
    }

    /// Is the vertex or an ancestor covered or labelled `false`?
    pub(super) fn is_closed(&self, vertex: Vertex) -> bool {
        let mut current = Some(vertex);
        while let Some(vertex) = current {
            if self.stops(vertex) {
                return true;
            }
            current = self.vertices[vertex].parent.map(|(parent, _)| parent);
        }
        false
    }

    /// The vertices from the root to this one.
    pub(super) fn path(&self, vertex: Vertex) -> Vec<Vertex> {
        let mut path = vec![vertex];
        let mut current = vertex;
        while let Some((parent, _)) = self.vertices[current].parent {
            path.push(parent);
            current = parent;
        }
        path.reverse();
        path
    }

    /// Earlier vertices at the same location that are not closed, the latest first.
    pub(super) fn candidates(&self, vertex: Vertex) -> Vec<Vertex> {
        let same = &self.by_location[self.vertices[vertex].location];
        let earlier = same.iter().rev().copied().filter(|&other| other < vertex);
        earlier.filter(|&other| !self.is_closed(other)).collect()
    }

    /// Lets an earlier vertex cover this one. What was covered from below this vertex no longer is.
    pub(super) fn cover(&mut self, vertex: Vertex, by: Vertex) {
        debug_assert!(by < vertex && !self.is_closed(by));
        self.vertices[vertex].covered_by = Some(by);
        self.vertices[by].covers.push(vertex);
        self.abandon(vertex);
    }

    /// Removes the covers that a vertex and its descendants give.
    pub(super) fn abandon(&mut self, vertex: Vertex) {
        for vertex in self.subtree(vertex) {
            for covered in std::mem::take(&mut self.vertices[vertex].covers) {
                self.vertices[covered].covered_by = None;
                self.reopen(covered);
            }
        }
    }

    /// Does the vertex cover others?
    pub(super) fn gives_covers(&self, vertex: Vertex) -> bool {
        !self.vertices[vertex].covers.is_empty()
    }

    /// The vertices that a vertex covers.
    pub(super) fn covered_by(&self, vertex: Vertex) -> Vec<Vertex> {
        self.vertices[vertex].covers.clone()
    }

    /// Removes one cover.
    pub(super) fn uncover(&mut self, vertex: Vertex) {
        if let Some(by) = self.vertices[vertex].covered_by.take() {
            self.vertices[by].covers.retain(|&other| other != vertex);
            self.reopen(vertex);
        }
    }

    /// What is below the vertex has to be looked at again.
    fn reopen(&mut self, vertex: Vertex) {
        for vertex in self.subtree(vertex) {
            if self.vertices[vertex].children.is_none() {
                self.wait(vertex);
            }
        }
    }

    fn subtree(&self, vertex: Vertex) -> Vec<Vertex> {
        let mut found = Vec::new();
        let mut pending = vec![vertex];
        while let Some(vertex) = pending.pop() {
            found.push(vertex);
            pending.extend(self.vertices[vertex].children.iter().flatten());
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicates::{Predicate, PredicatePool};
    use crate::samples::counting_up;
    use logic::Terms;

    #[test]
    fn a_covered_vertex_closes_what_is_below_and_gives_up_its_own_covers() {
        let mut terms = Terms::new();
        let (program, _) = counting_up(&mut terms);
        let mut pool = PredicatePool::new();
        let (top, bottom) = (pool.set(Vec::new()), pool.set(vec![Predicate::bottom()]));
        let mut unwinding = Unwinding::new(&program, top, bottom);
        let expand = |unwinding: &mut Unwinding<'_>| {
            let leaf = unwinding.open_leaf().expect("something is left");
            unwinding.expand(leaf, top);
            leaf
        };
        let root = expand(&mut unwinding);
        let first = expand(&mut unwinding);
        // The error below the first loop head comes before the second loop head.
        let failed = unwinding.open_leaf().expect("the error");
        assert!(program.locations[unwinding.vertices[failed].location].error.is_some());
        unwinding.vertices[failed].label = bottom;
        let second = expand(&mut unwinding);
        let failed = unwinding.open_leaf().expect("the second error");
        unwinding.vertices[failed].label = bottom;
        let third = unwinding.open_leaf().expect("the third loop head");
        assert_eq!(unwinding.path(third), [root, first, second, third]);
        assert_eq!(unwinding.candidates(third), [second, first]);
        unwinding.cover(third, second);
        assert!(unwinding.is_closed(third) && unwinding.open_leaf().is_none());
        // Now the second is covered itself: the third is below it and stays closed, but no longer by its own cover.
        unwinding.cover(second, first);
        assert!(unwinding.vertices[third].covered_by.is_none() && unwinding.is_closed(third));
        assert!(unwinding.open_leaf().is_none());
        unwinding.uncover(second);
        assert_eq!(unwinding.open_leaf(), Some(third));
    }
}
