//! Analysis of a program in which the states of some locations are told apart by conditions.
//!
//! A loop that counts by one up to a limit and by two behind it has no invariant that a state of this analysis could say: it is about
//! one of the two phases. So a location becomes one node for each of some conditions, and control comes only to those
//! whose condition holds. What holds at a node is then said of its location as an implication.
//!
//! Requires: no calls. The conditions of a division shall cover all states; what they leave out is looked at by nobody, and the facts
//! about it would be refused by whoever checks them.

use crate::Solution;
use crate::fixpoint::{Cases, Fixpoint};
use crate::graph::{Arc, Graph, Node};
use crate::model::Model;
use base::{Budget, EntitySet, Interrupted, SecondaryMap};
use logic::{Term, Terms};
use program::{EdgeKind, Location};

/// Which locations are divided, and by what.
#[derive(Clone, Debug)]
pub struct Division {
    /// The locations.
    pub locations: EntitySet<Location>,
    /// The conditions.
    pub cases: Vec<Term>,
}

/// What holds at the locations of a divided program.
pub struct Divided {
    graph: Graph,
    solution: Solution,
    nodes: SecondaryMap<Location, Vec<Node>>,
    cases: Vec<Term>,
}

/// Analyses the program of a model with some of its locations divided.
pub fn solve(
    model: &mut Model<'_>,
    division: &Division,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Divided, Interrupted> {
    let codes =
        division.cases.iter().map(|&case| model.assumption(case, &division.locations, terms)).collect();
    let program = &*model.program;
    let mut cases = Cases { codes, of: SecondaryMap::new() };
    let mut graph = Graph::default();
    let mut nodes: SecondaryMap<Location, Vec<Node>> = SecondaryMap::new();
    for location in program.locations.keys() {
        if division.locations.contains(location) {
            for case in 0..division.cases.len() {
                let node = graph.nodes.push(location);
                cases.of[node] = Some(case);
                nodes[location].push(node);
            }
        } else {
            let node = graph.nodes.push(location);
            cases.of[node] = None;
            nodes[location].push(node);
        }
    }
    for &location in &program.initial {
        nodes[location].iter().for_each(|&node| graph.begin_at(node));
    }
    for edge in program.live_edges() {
        let data = &program.edges[edge];
        debug_assert!(matches!(data.kind, EdgeKind::Internal(_)), "divided programs have no calls");
        for &source in &nodes[data.source] {
            for &target in &nodes[data.target] {
                graph.add(Arc { source, target, edge, call: None });
            }
        }
    }
    let (states, statistics) = Fixpoint::new(model, (&graph, &cases), budget).run()?;
    let solution = Solution { states, statistics };
    Ok(Divided { graph, solution, nodes, cases: division.cases.clone() })
}

impl Divided {
    /// Formulas that hold whenever control is at a location: about a divided one, what holds in each case.
    pub fn conjuncts(&self, model: &Model<'_>, location: Location, terms: &mut Terms) -> Vec<Term> {
        let mut found = Vec::new();
        let nodes = &self.nodes[location];
        for (number, &node) in nodes.iter().enumerate() {
            let known = self.solution.conjuncts((model, &self.graph), node, terms);
            if nodes.len() == 1 {
                return known;
            }
            let otherwise = terms.not(self.cases[number]);
            for formula in known {
                let said = terms.or([otherwise, formula]);
                if !said.is_true() && !found.contains(&said) {
                    found.push(said);
                }
            }
        }
        found
    }
}
