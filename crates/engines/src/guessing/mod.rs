//! Invariants guessed from runs.
//!
//! The program is run from many beginnings; at every loop head the states that are met are looked at together, as far as the variables are
//! concerned that can matter there ([`places`]). Equations
//! that hold in all of them, linear ones and those of degree two, are candidates; so are equations that hold whenever a
//! guard of the program does, which is how a loop with two phases shows itself, orders between variables, congruences
//! between two of them, and how much one of them can grow with another. What static analysis knows is added, and then every candidate that the proof needs is checked as a Hoare triple
//! ([`from_facts`](crate::floyd_hoare::from_facts)), so a wrong guess costs time and nothing else.
//!
//! Works on programs without calls. Never refutes.

mod congruences;
mod equations;
mod limits;
mod places;
mod rates;
mod remainder;
mod runs;

use crate::context::Context;
use crate::floyd_hoare::from_facts::{Outcome, from_facts};
use crate::task::Task;
use analysis::graph::{Graph, Node};
use analysis::{Facts, Precision, analyse};
use base::Interrupted;
use congruences::congruences;
use equations::Equations;
use logic::{Integer, Op, Term, Terms};
use program::{EdgeKind, Location, Program, Verdict};
use runs::{Runs, State};
use std::collections::BTreeMap;

base::statistics! {
    /// What the engine did.
    pub struct GuessStatistics {
        runs: "runs of the program",
        states: "states that were looked at",
        candidates: "relations that hold in all of them",
        needed: "formulas that the proof needs",
    }
}

/// The engine.
pub fn run(task: &mut Task<'_>) -> Result<Verdict, Interrupted> {
    task.by_facts(guess, |counted: &GuessStatistics| counted.entries().collect())
}

/// Runs `single`, the single-step form of the context's program, and proves what follows from guesses.
pub fn guess(
    context: &mut Context<'_>,
    single: &Program,
    precision: Precision,
    statistics: &mut GuessStatistics,
) -> Result<Outcome, Interrupted> {
    let graph = Graph::of_program(context.program);
    let Some(mut runs) = runs_of(context, single, &graph) else {
        return Ok(Outcome::NotShown(single.errors.keys().collect()));
    };
    let facts = analyse(single, context.terms, precision, &context.budget)?;
    runs.run(context, &facts)?;
    let candidates = candidates(context, single, &runs, statistics)?;
    let at = |context: &mut Context<'_>, node| {
        let location = graph.nodes[node];
        let mut formulas = facts.conjuncts(location, context.terms);
        formulas.extend(candidates.get(&location).into_iter().flatten());
        formulas
    };
    let annotation = from_facts(context, &graph, at)?;
    statistics.needed = annotation.size();
    Ok(annotation.outcome(context, &graph))
}

/// What may hold at locations beside the facts of static analysis, of which these errors are left: found with steps in proportion to their
/// number.
pub fn guesses(
    context: &mut Context<'_>,
    single: &Program,
    facts: &Facts<'_>,
    errors: usize,
) -> Result<BTreeMap<Location, Vec<Term>>, Interrupted> {
    let graph = Graph::of_program(context.program);
    let Some(mut runs) = runs_of(context, single, &graph) else { return Ok(BTreeMap::new()) };
    runs.restrict(errors as u64 * limits::STEPS_PER_ERROR);
    runs.run(context, facts)?;
    candidates(context, single, &runs, &mut GuessStatistics::default())
}

/// Runs that can be made, if there is any hope in them.
fn runs_of<'p>(context: &mut Context<'_>, single: &'p Program, graph: &Graph) -> Option<Runs<'p>> {
    if single.live_edges().any(|edge| !matches!(single.edges[edge].kind, EdgeKind::Internal(_))) {
        return None;
    }
    // Inside of blocks nobody asks for anything.
    let is_met =
        |&(node, _): &(Node, &Location)| graph.is_initial(node) || graph.incoming(node).next().is_some();
    let watched: Vec<Location> = graph.nodes.iter().filter(is_met).map(|(_, &location)| location).collect();
    let runs = Runs::new(single, &watched, context.terms);
    (!runs.are_hopeless()).then_some(runs)
}

/// What the states of all places have in common.
fn candidates(
    context: &mut Context<'_>,
    single: &Program,
    runs: &Runs<'_>,
    statistics: &mut GuessStatistics,
) -> Result<BTreeMap<Location, Vec<Term>>, Interrupted> {
    statistics.runs = runs.count;
    let moduli = moduli(single, context.terms);
    let mut candidates: BTreeMap<Location, Vec<Term>> = BTreeMap::new();
    for (&location, met) in &runs.met {
        let states = &met.states;
        context.budget.spend(states.len() as u64 * limits::UNITS_PER_STATE);
        context.budget.check()?;
        statistics.states += states.len() as u64;
        let variables: Vec<Term> = met.place.scope.iter().map(|&index| runs.variables[index]).collect();
        let mut found = candidates_at(&variables, states, &met.place.guards, context.terms);
        if let Some(narrow) = &met.place.narrow {
            context.budget.spend(states.len() as u64 * limits::UNITS_PER_STATE);
            let variables: Vec<Term> = narrow.iter().map(|&position| variables[position]).collect();
            let states: Vec<State> = states.iter().map(|state| state.restricted(narrow)).collect();
            found.extend(candidates_at(&variables, &states, &met.place.guards, context.terms));
        }
        found.extend(congruences(&variables, (&met.first, &moduli), context.terms));
        found.extend(rates::rates(context.program, location, (&variables, states), context.terms));
        statistics.candidates += found.len() as u64;
        candidates.insert(location, found);
    }
    Ok(candidates)
}

/// The numbers by which the program takes remainders, the first few.
fn moduli(program: &Program, terms: &Terms) -> Vec<Integer> {
    let mut found: Vec<Integer> = Vec::new();
    for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
        let mut roots = vec![relation.guard];
        roots.extend(relation.updates.iter().map(|&(_, value)| value));
        terms.for_each_subterm(&roots, |term| {
            if let (Op::Mod, &[_, number]) = (terms.op(term), terms.args(term))
                && let Some(number) = terms.as_integer(number)
                && !found.contains(number)
            {
                found.push(number.clone());
            }
        });
    }
    found.truncate(limits::MOST_MODULI);
    found
}

/// Equations that hold in all states, or in all that satisfy a guard or its negation.
fn candidates_at(variables: &[Term], states: &[State], guards: &[Term], terms: &mut Terms) -> Vec<Term> {
    let everything: Vec<&State> = states.iter().collect();
    let mut found = Vec::new();
    if variables.len() <= limits::MOST_RELATED {
        let linear = Equations::linear(variables, terms);
        found.extend(linear.satisfied_by(&everything, terms));
        for &guard in guards {
            let (inside, outside): (Vec<&State>, Vec<&State>) =
                states.iter().partition(|state| state.guards.contains(&guard));
            for (part, negated) in [(inside, false), (outside, true)] {
                let condition = if negated { guard } else { terms.not(guard) };
                for equation in linear.satisfied_by(&part, terms) {
                    if !found.contains(&equation) {
                        found.push(terms.or([condition, equation]));
                    }
                }
                if variables.len() <= limits::MOST_ORDERED {
                    for order in orders(variables, &part, terms) {
                        found.push(terms.or([condition, order]));
                    }
                }
            }
        }
        found.extend(orders(variables, &everything, terms));
    }
    if variables.len() <= limits::MOST_MULTIPLIED {
        found.extend(Equations::quadratic(variables, terms).satisfied_by(&everything, terms));
    }
    found
}

/// Which variable is never larger than which other one.
fn orders(variables: &[Term], states: &[&State], terms: &mut Terms) -> Vec<Term> {
    let mut found = Vec::new();
    if states.is_empty() {
        return found;
    }
    for (first, &left) in variables.iter().enumerate() {
        for (second, &right) in variables.iter().enumerate() {
            if first != second && states.iter().all(|state| state.values[first] <= state.values[second]) {
                found.push(terms.le(left, right));
            }
        }
    }
    found
}
