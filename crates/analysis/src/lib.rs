//! Abstract interpretation of program automata (paper "Software Model Checking for People who Love Automata", examples
//! 2 and 3, where a static analysis is the source of Hoare triples).
//!
//! [`analyse`] computes what holds at every location. An abstract state is a reduced product of five domains:
//!
//! * [`interval`] and [`congruence`], together a [`value`] for every variable; truth values are 0 and 1, and an array has
//!   one value for all of its elements;
//! * [`octagon`], [`equalities`] (Karr) and, where that is asked for, [`polyhedron`], together a [`relation`] for every pack of variables.
//!
//! How it works:
//!
//! * [`space`], [`code`], [`packing`], [`model`]: the program, translated once; `sharing`: variables that are never needed at the
//!   same time, as one dimension;
//! * [`number`], [`persistent`], [`state`]: states that share their parts, with their lattice operations;
//! * [`operations`], [`transfer`], [`calls`]: what edges do to states;
//! * [`graph`], [`order`], [`fixpoint`]: the iteration; `lifetimes`: what it may forget on the way; [`divided`]: the same with
//!   the states of some locations told apart by conditions; `cells` and `temporaries`: a copy of the program
//!   with fewer arrays and variables in the way;
//! * [`contents`]: what is written to arrays, as a guess about what is read from them;
//! * [`facts`]: states as formulas.
//!
//! Everything over-approximates: a fact holds in every run that comes to its location. That is tested, and whoever needs
//! a proof checks the facts as Hoare triples.

pub mod calls;
mod cells;
pub mod code;
pub mod congruence;
pub mod contents;
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
mod polyhedral;
pub mod polyhedron;
pub mod relation;
mod sharing;
pub mod space;
pub mod state;
mod temporaries;
pub mod transfer;
pub mod value;

use base::{Budget, Interrupted, SecondaryMap};
use fixpoint::{Cases, Fixpoint, FixpointStatistics};
use form::Dimension;
use graph::{Graph, Node};
use interval::Interval;
use logic::{Substitution, Term, Terms};
pub use model::{Model, Precision};
use program::{Location, Program, Var};
use space::Space;
use state::State;
use std::borrow::Cow;
use std::collections::BTreeMap;
use temporaries::Temporaries;

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
    pub(crate) model: Model<'p>,
    graph: Graph,
    solution: Solution,
    /// What variables are that were replaced by their values, over the variables of the model.
    pub(crate) temporaries: BTreeMap<Var, Term>,
    /// The same, where they are alive, as facts about the program.
    values: SecondaryMap<Location, Vec<Term>>,
}

/// What holds at every location of a program. With one edge per step it is found out most precisely. Where that does not exclude all
/// errors, it is found out once more, with cells of arrays as variables (`cells`) and without temporary variables (`temporaries`), if there are any.
pub fn analyse<'p>(
    program: &'p Program,
    terms: &mut Terms,
    precision: Precision,
    budget: &Budget,
) -> Result<Facts<'p>, Interrupted> {
    let model = Model::new(program, terms, precision, budget)?;
    let mut facts = Facts::of(model, budget)?;
    if precision == Precision::Intervals || !facts.leaves_errors(program) {
        return Ok(facts);
    }
    let has_arrays = cells::has_arrays(program, terms);
    if !has_arrays && !facts.model.is_divided() {
        return Ok(facts);
    }
    let mut resolved = 0;
    for round in 0..limits::ROUNDS_OF_CELLS {
        let celled = match has_arrays {
            true => cells::with_cells(program, &facts, terms, budget)?,
            false => None,
        };
        if celled.as_ref().is_none_or(|celled| celled.resolved <= resolved) && round > 0 {
            break;
        }
        let (mut other, variables) = match celled {
            Some(celled) => {
                resolved = celled.resolved;
                (celled.program, celled.cells)
            }
            None => (program.clone(), Vec::new()),
        };
        let temporaries = temporaries::replace(&mut other, terms, budget)?;
        if variables.is_empty() && temporaries.values.is_empty() {
            break;
        }
        facts = Facts::of_rewritten(other, (&variables, temporaries), terms, (precision, budget))?;
        if !has_arrays || !facts.leaves_errors(program) {
            break;
        }
    }
    Ok(facts)
}

impl<'p> Facts<'p> {
    fn of(model: Model<'p>, budget: &Budget) -> Result<Facts<'p>, Interrupted> {
        let graph = Graph::of_program(&model.program);
        let solution = solve(&model, &graph, budget)?;
        Ok(Facts { model, graph, solution, temporaries: BTreeMap::new(), values: SecondaryMap::new() })
    }

    /// Facts about a program from a copy with variables for cells and without temporary variables.
    fn of_rewritten(
        other: Program,
        (variables, temporaries): (&[(Var, Term)], Temporaries),
        terms: &mut Terms,
        (precision, budget): (Precision, &Budget),
    ) -> Result<Facts<'p>, Interrupted> {
        let mut model = Model::of(Cow::Owned(other), terms, precision, budget)?;
        let mut meanings = Substitution::new();
        for &(var, cell) in variables {
            model.space.say(var, cell);
            meanings.insert(model.program.variables[var].symbol, cell);
        }
        let mut equations: BTreeMap<Var, Term> = BTreeMap::new();
        for (&var, &value) in &temporaries.values {
            let variable = model.program.variables.term(terms, var);
            let value = meanings.apply(terms, value);
            equations.insert(var, terms.eq(variable, value));
        }
        let mut values: SecondaryMap<Location, Vec<Term>> = SecondaryMap::new();
        for location in model.program.locations.keys() {
            let alive = temporaries.alive[location].iter();
            values[location] = alive.map(|var| equations[var]).collect();
        }
        Ok(Facts { temporaries: temporaries.values, values, ..Facts::of(model, budget)? })
    }

    /// Whether there are errors that it does not exclude.
    fn leaves_errors(&self, program: &Program) -> bool {
        program.errors.values().any(|error| self.is_reachable(error.location))
    }

    /// What is known at a location; nothing if control never comes there.
    pub(crate) fn state(&self, location: Location) -> Option<&State> {
        self.solution.states[node(location)].as_ref()
    }
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
        let mut found = self.solution.conjuncts((&self.model, &self.graph), node(location), terms);
        if self.is_reachable(location) {
            found.extend(&self.values[location]);
        }
        found
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
