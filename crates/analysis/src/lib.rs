//! Abstract interpretation of program automata (paper "Software Model Checking for People who Love Automata", examples
//! 2 and 3, where a static analysis is the source of Hoare triples).
//!
//! [`analyse`] computes what holds at every location. An abstract state is a reduced product of five domains:
//!
//! * [`interval`] and [`congruence`], together a [`value`] for every variable; truth values are 0 and 1, and an array has
//!   one value for all of its elements;
//! * [`octagon`] and [`equalities`] (Karr), together a [`relation`] for every pack of variables.
//!
//! How it works:
//!
//! * [`space`], [`code`], [`packing`], [`model`]: the program, translated once; `sharing`: variables that are never needed at the
//!   same time, as one dimension;
//! * [`number`], [`persistent`], [`state`]: states that share their parts, with their lattice operations;
//! * [`operations`], [`transfer`], [`calls`]: what edges do to states;
//! * [`graph`], [`order`], [`fixpoint`]: the iteration; `lifetimes`: what it may forget on the way; [`divided`]: the same with
//!   the states of some locations told apart by conditions;
//! * [`facts`]: states as formulas.
//!
//! Everything over-approximates: a fact holds in every run that comes to its location. That is tested, and whoever needs
//! a proof checks the facts as Hoare triples.

pub mod calls;
pub mod code;
pub mod congruence;
pub mod divided;
pub mod equalities;
pub mod facts;
pub mod fixpoint;
pub mod form;
pub mod graph;
pub mod interval;
mod lifetimes;
mod limits;
pub mod model;
pub mod number;
pub mod octagon;
pub mod operations;
pub mod order;
pub mod packing;
pub mod relation;
mod sharing;
pub mod space;
pub mod state;
pub mod transfer;
pub mod value;

use base::{Budget, Interrupted, SecondaryMap};
use fixpoint::{Cases, Fixpoint, FixpointStatistics};
use form::Dimension;
use graph::{Graph, Node};
use interval::Interval;
use logic::{Term, Terms};
pub use model::{Model, Precision};
use program::{Location, Program, Var};
use space::Space;
use state::State;

/// What holds at the nodes of a graph.
pub struct Solution {
    states: SecondaryMap<Node, Option<State>>,
    /// What was counted.
    pub statistics: FixpointStatistics,
}

impl Solution {
    /// Can control come to a node, as far as is known?
    pub fn is_reachable(&self, node: Node) -> bool {
        self.states[node].is_some()
    }

    /// Formulas over the variables in scope that hold whenever control is at a node; `false` alone if it never is.
    pub fn conjuncts(
        &self,
        (model, graph): (&Model<'_>, &Graph),
        node: Node,
        terms: &mut Terms,
    ) -> Vec<Term> {
        match &self.states[node] {
            Some(state) => facts::conjuncts(model, graph.nodes[node], state, terms),
            None => vec![Term::FALSE],
        }
    }
}

/// What holds at the nodes of a graph over the edges of a program.
pub fn solve(model: &Model<'_>, graph: &Graph, budget: &Budget) -> Result<Solution, Interrupted> {
    let (states, statistics) = Fixpoint::new(model, (graph, &Cases::default()), budget).run()?;
    Ok(Solution { states, statistics })
}

/// What holds at the locations of a program.
pub struct Facts<'p> {
    model: Model<'p>,
    graph: Graph,
    solution: Solution,
}

/// What holds at every location of a program. With one edge per step it is found out most precisely.
pub fn analyse<'p>(
    program: &'p Program,
    terms: &mut Terms,
    precision: Precision,
    budget: &Budget,
) -> Result<Facts<'p>, Interrupted> {
    let model = Model::new(program, terms, precision, budget)?;
    let graph = Graph::of_program(program);
    let solution = solve(&model, &graph, budget)?;
    Ok(Facts { model, graph, solution })
}

impl Facts<'_> {
    /// Can control come to a location, as far as is known?
    pub fn is_reachable(&self, location: Location) -> bool {
        self.solution.is_reachable(node(location))
    }

    /// The locations to which control never comes, although edges lead there.
    pub fn unreachable(&self) -> impl Iterator<Item = Location> + '_ {
        let led_to = |&(node, _): &(Node, &Location)| self.graph.incoming(node).next().is_some();
        let nodes = self.graph.nodes.iter().filter(led_to).map(|(_, &location)| location);
        nodes.filter(|&location| !self.is_reachable(location))
    }

    /// Formulas over the variables in scope that hold whenever control is at a location; `false` alone if it never is.
    pub fn conjuncts(&self, location: Location, terms: &mut Terms) -> Vec<Term> {
        self.solution.conjuncts((&self.model, &self.graph), node(location), terms)
    }

    /// The values of a variable at a location, as far as is known; nothing if control never comes there.
    pub fn interval(&self, location: Location, var: Var) -> Option<Interval> {
        let state = self.solution.states[node(location)].as_ref()?;
        let variable: Dimension = Space::of_var(var);
        let dimension = self.model.sharing.slot(variable);
        if self.model.sharing.occupant(dimension, location) != Some(variable) {
            return Some(Interval::top());
        }
        Some(self.model.domain(location).value(state, dimension).interval.clone())
    }

    /// Whether [`Precision::AllRelations`] would say more.
    pub fn is_grouped(&self) -> bool {
        self.model.is_grouped()
    }

    /// What was counted.
    pub fn statistics(&self) -> FixpointStatistics {
        self.solution.statistics
    }
}

fn node(location: Location) -> Node {
    base::EntityRef::new(base::EntityRef::index(location))
}
