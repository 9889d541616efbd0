//! The stages of a program on its way to an engine, as types: a function says by its parameter which it takes.
//!
//! `ir::Program` is the source; [`SingleSteps`] is its automaton with one edge per step; [`BlockProgram`] is an
//! automaton whose internal edges are large blocks. All of the last two that does not depend on the difference is in
//! [`Program`], which both give access to.

use crate::automaton::{Location, Program};
use crate::steps::OriginData;
use base::EntitySet;
use std::ops::Deref;

/// An automaton in which every edge is one step of the source.
#[derive(Clone, Debug)]
pub struct SingleSteps(Program);

impl SingleSteps {
    /// Takes an automaton whose edges are single steps.
    ///
    /// # Panics
    ///
    /// If an edge is a block: then the caller has mixed up two stages.
    pub fn new(program: Program) -> SingleSteps {
        let single = |origin| matches!(program.origins[origin], OriginData::Step { .. });
        assert!(program.edges.values().all(|edge| single(edge.origin)), "every edge is a single step");
        SingleSteps(program)
    }

    /// The automaton, to be changed.
    pub fn into_program(self) -> Program {
        self.0
    }
}

impl Deref for SingleSteps {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.0
    }
}

/// An automaton with large blocks, and its cut points.
#[derive(Clone, Debug)]
pub struct BlockProgram {
    /// The program whose internal edges are blocks. Locations are those of the single-step program.
    pub program: Program,
    /// The locations that are left.
    pub cut_points: EntitySet<Location>,
    /// Pairs of cut points between which there are paths, but none that can be taken: the formula is `false`.
    pub blocked: Vec<(Location, Location)>,
}

impl Deref for BlockProgram {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.program
    }
}
