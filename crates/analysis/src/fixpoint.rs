//! The iteration: a state for every node such that all arcs lead from state to state.
//!
//! Nodes are visited in a weak topological order; components are repeated until their head no longer changes. A head
//! is widened after a few rounds, first to thresholds from the program, then to nothing. Afterwards states are narrowed: some
//! more rounds without widening, as long as they give less. Nodes whose inputs have not changed are not visited again.
//!
//! The result of the rising iteration is inductive by construction; narrowing keeps that as far as the operations are
//! monotone. Whoever needs a proof has to check it.

use crate::code::Code;
use crate::graph::{Graph, Node};
use crate::limits;
use crate::model::Model;
use crate::order::{Element, weak_topological_order};
use crate::state::{State, Thresholds, Unreachable};
use base::{Budget, Interrupted, SecondaryMap};

base::statistics! {
    /// What the iteration did.
    pub struct FixpointStatistics {
        visits: "visits of nodes by the analysis",
        widenings: "widenings",
    }
}

/// What is known about a node.
#[derive(Clone, Default)]
struct Place {
    /// The state as the iteration keeps it; a widened one is not normal.
    kept: Option<State>,
    /// The same, normal.
    normal: Option<State>,
    dirty: bool,
    /// How often a head has grown since its component was entered.
    rounds: u32,
    /// How often it has grown in all.
    grown: u32,
}

/// Conditions that hold at nodes by definition: what comes to a node without satisfying its condition does not come there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cases {
    /// The conditions.
    pub(crate) codes: Vec<Code>,
    /// Which of them is that of a node.
    pub(crate) of: SecondaryMap<Node, Option<usize>>,
}

/// The iteration over a graph.
pub struct Fixpoint<'m, 'p> {
    model: &'m Model<'p>,
    graph: &'m Graph,
    places: SecondaryMap<Node, Place>,
    cases: &'m Cases,
    budget: &'m Budget,
    none: Thresholds,
    /// What was counted.
    pub statistics: FixpointStatistics,
}

impl<'m, 'p> Fixpoint<'m, 'p> {
    /// Before the first step.
    pub(crate) fn new(
        model: &'m Model<'p>,
        (graph, cases): (&'m Graph, &'m Cases),
        budget: &'m Budget,
    ) -> Fixpoint<'m, 'p> {
        let mut places: SecondaryMap<Node, Place> = SecondaryMap::new();
        places.resize(graph.nodes.len());
        for &node in graph.initial() {
            places[node].dirty = true;
        }
        let none = Thresholds::default();
        Fixpoint { model, graph, places, cases, budget, none, statistics: FixpointStatistics::default() }
    }

    /// A normal state for every node; none where no run comes.
    pub fn run(mut self) -> Result<(SecondaryMap<Node, Option<State>>, FixpointStatistics), Interrupted> {
        let order = weak_topological_order(self.graph);
        self.rise(&order)?;
        for _ in 0..limits::NARROWINGS {
            for element in order.iter().filter(|element| element.end.is_some()) {
                self.places[element.node].dirty = true;
            }
            if !self.narrow(&order)? {
                break;
            }
        }
        let mut states = SecondaryMap::new();
        for element in &order {
            states[element.node] = self.places[element.node].normal.take();
        }
        Ok((states, self.statistics))
    }

    fn rise(&mut self, order: &[Element]) -> Result<(), Interrupted> {
        let mut open: Vec<usize> = Vec::new();
        let mut position = 0;
        loop {
            if let Some(&head) = open.last()
                && order[head].end == Some(position)
            {
                if self.visit_head(order[head].node)? {
                    position = head + 1;
                } else {
                    open.pop();
                }
                continue;
            }
            let Some(element) = order.get(position) else { return Ok(()) };
            if element.end.is_some() {
                // What components around this one have learnt is no reason to be less patient here.
                let place = &mut self.places[element.node];
                place.rounds = place.rounds.min(limits::PATIENCE);
                self.visit_head(element.node)?;
                open.push(position);
            } else {
                self.visit(element.node)?;
            }
            position += 1;
        }
    }

    /// The join of what comes over all arcs.
    fn inflow(&mut self, node: Node) -> Result<Option<State>, Interrupted> {
        self.budget.check()?;
        self.statistics.visits += 1;
        self.places[node].dirty = false;
        let location = self.graph.nodes[node];
        let domain = self.model.domain(location);
        let mut joined: Option<State> = None;
        if self.graph.is_initial(node) {
            joined = self.model.initial(location).and_then(|state| self.entered(node, state)).ok();
        }
        for arc in self.graph.incoming(node) {
            self.budget.spend(limits::EFFORT * self.model.weight(location));
            let Some(before) = &self.places[arc.source].normal else { continue };
            let after = match arc.call {
                None => self.model.step(arc.edge, before),
                Some(call) => match &self.places[call].normal {
                    Some(at_call) => self.model.come_back(arc.edge, before, at_call),
                    None => continue,
                },
            };
            let Ok(after) = after.and_then(|after| self.entered(node, after)) else { continue };
            joined = Some(match joined {
                Some(other) => domain.join(&other, &after),
                None => after,
            });
        }
        Ok(joined)
    }

    /// Those members of a state that satisfy the condition of the node.
    fn entered(&self, node: Node, state: State) -> Result<State, Unreachable> {
        match self.cases.of[node] {
            Some(case) => self.model.domain(self.graph.nodes[node]).execute(&self.cases.codes[case], &state),
            None => Ok(state),
        }
    }

    fn changed(&mut self, node: Node) {
        for next in self.graph.dependent(node) {
            self.places[next].dirty = true;
        }
    }

    fn visit(&mut self, node: Node) -> Result<(), Interrupted> {
        if !self.places[node].dirty {
            return Ok(());
        }
        let Some(state) = self.inflow(node)? else { return Ok(()) };
        let domain = self.model.domain(self.graph.nodes[node]);
        let place = &mut self.places[node];
        if place.normal.as_ref().is_some_and(|old| domain.is_in(&state, old)) {
            return Ok(());
        }
        place.kept = Some(state.clone());
        place.normal = Some(state);
        self.changed(node);
        Ok(())
    }

    /// Says whether the state of the head has grown.
    fn visit_head(&mut self, node: Node) -> Result<bool, Interrupted> {
        if !self.places[node].dirty {
            return Ok(false);
        }
        let Some(state) = self.inflow(node)? else { return Ok(false) };
        let location = self.graph.nodes[node];
        let domain = self.model.domain(location);
        let place = &mut self.places[node];
        let (Some(kept), Some(normal)) = (&place.kept, &place.normal) else {
            place.kept = Some(state.clone());
            place.normal = Some(state);
            self.changed(node);
            return Ok(true);
        };
        if domain.is_in(&state, kept) {
            return Ok(false);
        }
        place.rounds += 1;
        place.grown += 1;
        let joined = domain.join(normal, &state);
        let grown = if place.rounds <= limits::PATIENCE {
            joined
        } else {
            self.statistics.widenings += 1;
            let patience = limits::PATIENCE + self.model.patience(location);
            let few = place.rounds <= patience + limits::TO_THRESHOLDS
                && place.grown <= patience + limits::TO_THRESHOLDS_IN_ALL;
            let thresholds = if few { self.model.thresholds(location) } else { &self.none };
            domain.widen(kept, &joined, thresholds)
        };
        // A widened state contains the one that it comes from, so it has members. What widening went beyond the condition of the node is
        // left out of what goes on, and not of what is widened next, so the iteration comes to its end as it does without conditions.
        let normal = domain.normalised(&grown).and_then(|state| self.entered(node, state)).ok();
        let place = &mut self.places[node];
        place.normal = normal;
        place.kept = Some(grown);
        self.changed(node);
        Ok(true)
    }

    /// One round without widening; says whether anything became smaller.
    fn narrow(&mut self, order: &[Element]) -> Result<bool, Interrupted> {
        let mut smaller = false;
        for element in order {
            let node = element.node;
            if !self.places[node].dirty {
                continue;
            }
            let state = self.inflow(node)?;
            let domain = self.model.domain(self.graph.nodes[node]);
            let place = &mut self.places[node];
            let Some(old) = &place.normal else { continue };
            let less = state.as_ref().is_none_or(|new| domain.is_in(new, old) && !domain.is_in(old, new));
            if less {
                place.kept = state.clone();
                place.normal = state;
                smaller = true;
                self.changed(node);
            }
        }
        Ok(smaller)
    }
}
