//! Invariants guessed from runs.
//!
//! The program is run from many beginnings; at every loop head the states that are met are looked at together, as far as the variables are
//! concerned that can matter there ([`places`]). Equations
//! that hold in all of them, linear ones and those of degree two, are candidates; so are equations that hold whenever a
//! guard of the program does, which is how a loop with two phases shows itself, orders between variables, congruences
//! between two of them, and how much one of them can grow with another. What static analysis knows is added, and then every candidate that the proof needs is checked as a Hoare triple
//! ([`from_facts`](crate::floyd_hoare::from_facts)), so a wrong guess costs time and nothing else. What the guesses do not show, static analysis looks at
//! again more closely ([`second_look`](crate::second_look)): phases that no run comes to, sums of more variables than runs can tell apart.
//!
//! Calls are followed where procedures call themselves; elsewhere they have been replaced, or the program is too large for guesses. What holds at the end of a procedure relates
//! its results to what it was called with, as `r == a * b`, also where a condition on that holds. Never refutes.

mod cells;
mod congruences;
mod equations;
mod limits;
mod neighbours;
mod places;
mod rates;
mod remainder;
mod runs;

use crate::context::Context;
use crate::floyd_hoare::from_facts::{Outcome, from_facts};
use crate::live_variables::{live, reads_all_of};
use crate::pruning::Pruning;
use crate::second_look::SecondLook;
use crate::task::Task;
use analysis::graph::{Graph, Node};
use analysis::{Facts, Precision, analyse};
use base::{EntityRef, Interrupted};
use congruences::congruences;
use equations::Equations;
use logic::{Integer, Op, Rational, Sort, Term, Terms};
use num_traits::{One, Signed};
use program::{EdgeKind, Location, Program, Verdict};
use runs::{Runs, State};
use std::collections::BTreeMap;

base::statistics! {
    /// What the engine did.
    pub struct GuessStatistics {
        runs: "runs of the program",
        states: "states that were looked at",
        candidates: "relations that hold in all of them",
        looks: "more precise analyses, as guesses were not enough",
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
    let calls = has_calls(single);
    if calls && !has_recursion(single) {
        return Ok(Outcome::NotShown(single.errors.keys().collect()));
    }
    let cells = if calls { Vec::new() } else { cells::cells(context.program, context.terms) };
    let facts = analyse(single, context.terms, precision, &context.budget)?;
    let mut guessed: BTreeMap<Location, Vec<Term>> = BTreeMap::new();
    if let Some(mut runs) = runs_of(context, single, (&graph, &cells)) {
        runs.run(context, &facts)?;
        guessed = candidates(context, single, (&graph, &runs), statistics)?;
        if runs.has_cells() {
            prune(context, &graph, (&mut guessed, &facts))?;
        }
    }
    let mut look = SecondLook::of(single, &facts, context.terms);
    loop {
        let at = |context: &mut Context<'_>, node| {
            let location = graph.nodes[node];
            let mut formulas = facts.conjuncts(location, context.terms);
            formulas.extend(guessed.get(&location).into_iter().flatten());
            formulas
        };
        let annotation = from_facts(context, &graph, at)?;
        statistics.needed = annotation.size();
        if annotation.left.is_empty() || !look.next(context, single, &graph, &mut guessed)? {
            return Ok(annotation.outcome(context, &graph));
        }
        statistics.looks += 1;
    }
}

fn has_calls(single: &Program) -> bool {
    single.live_edges().any(|edge| !matches!(single.edges[edge].kind, EdgeKind::Internal(_)))
}

/// Whether a procedure calls itself, perhaps by way of others.
fn has_recursion(single: &Program) -> bool {
    let mut called: Vec<Vec<usize>> = Vec::new();
    for edge in single.live_edges() {
        if let EdgeKind::Call(call) = &single.edges[edge].kind {
            let caller = single.locations[single.edges[edge].source].procedure.index();
            let callee = call.callee.index();
            called.resize(called.len().max(caller + 1).max(callee + 1), Vec::new());
            called[caller].push(callee);
        }
    }
    let components = graph::components(called.len(), |node, out| out.extend(&called[node]));
    let calls_itself = called.iter().enumerate().any(|(caller, callees)| callees.contains(&caller));
    calls_itself || components.len() < called.len()
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
    if has_calls(single) {
        return Ok(BTreeMap::new());
    }
    let Some(mut runs) = runs_of(context, single, (&graph, &[])) else { return Ok(BTreeMap::new()) };
    runs.restrict(errors as u64 * limits::STEPS_PER_ERROR);
    runs.run(context, facts)?;
    candidates(context, single, (&graph, &runs), &mut GuessStatistics::default())
}

/// Runs that can be made, if there is any hope in them.
fn runs_of<'p>(
    context: &mut Context<'_>,
    single: &'p Program,
    (graph, cells): (&Graph, &[Term]),
) -> Option<Runs<'p>> {
    // Inside of blocks nobody asks for anything.
    let is_met =
        |&(node, _): &(Node, &Location)| graph.is_initial(node) || graph.incoming(node).next().is_some();
    let watched: Vec<Location> = graph.nodes.iter().filter(is_met).map(|(_, &location)| location).collect();
    let runs = Runs::new(single, (&watched, cells), context.terms);
    (!runs.are_hopeless()).then_some(runs)
}

/// Leaves of the candidates those that are invariants, if that can be found out: of what is guessed about cells much is an accident, and the search for what is
/// needed would come upon one after the other.
fn prune(
    context: &mut Context<'_>,
    graph: &Graph,
    (candidates, facts): (&mut BTreeMap<Location, Vec<Term>>, &Facts<'_>),
) -> Result<(), Interrupted> {
    let mut pruning = Pruning::new(context, graph);
    for (node, &location) in graph.nodes.iter() {
        let error = context.program.locations[location].error.is_some();
        if error || graph.is_initial(node) || graph.incoming(node).next().is_none() {
            continue;
        }
        pruning.facts[node] = facts.conjuncts(location, context.terms);
        pruning.candidates[node.index()] = candidates.get(&location).cloned().unwrap_or_default();
    }
    if pruning.run(context)?.settled {
        for (node, location) in graph.nodes.iter() {
            candidates.insert(*location, std::mem::take(&mut pruning.candidates[node.index()]));
        }
    }
    Ok(())
}

/// What the states of all places have in common.
fn candidates(
    context: &mut Context<'_>,
    single: &Program,
    (graph, runs): (&Graph, &Runs<'_>),
    statistics: &mut GuessStatistics,
) -> Result<BTreeMap<Location, Vec<Term>>, Interrupted> {
    statistics.runs = runs.count;
    let moduli = moduli(single, context.terms);
    let mut candidates: BTreeMap<Location, Vec<Term>> = BTreeMap::new();
    if runs.has_cells() {
        return candidates_with_cells(context, (graph, runs), &moduli, statistics);
    }
    for (&location, met) in &runs.met {
        let states = &met.states;
        context.budget.spend(states.len() as u64 * limits::UNITS_PER_STATE);
        context.budget.check()?;
        statistics.states += states.len() as u64;
        let variables: Vec<Term> = met.place.scope.iter().map(|&index| runs.unknowns[index]).collect();
        let mut found = candidates_at(&variables, states, &met.place.guards, context.terms);
        found.extend(quadratic(&variables, states, context.terms));
        if runs.has_calls() {
            found.extend(quadratic_in_cases(&variables, states, &met.place.guards, context.terms));
        }
        if let Some(narrow) = &met.place.narrow {
            context.budget.spend(states.len() as u64 * limits::UNITS_PER_STATE);
            let variables: Vec<Term> = narrow.iter().map(|&position| variables[position]).collect();
            let states: Vec<State> = states.iter().map(|state| state.restricted(narrow)).collect();
            found.extend(candidates_at(&variables, &states, &met.place.guards, context.terms));
            found.extend(quadratic(&variables, &states, context.terms));
            if runs.has_calls() {
                found.extend(quadratic_in_cases(&variables, &states, &met.place.guards, context.terms));
            }
        }
        found.extend(congruences(&variables, (&met.first, &moduli), context.terms));
        found.extend(rates::rates(context.program, location, (&variables, states), context.terms));
        statistics.candidates += found.len() as u64;
        candidates.insert(location, found);
    }
    Ok(candidates)
}

/// The same where cells of arrays are unknowns beside the variables. A place to which no run came may be one to which none leads.
fn candidates_with_cells(
    context: &mut Context<'_>,
    (graph, runs): (&Graph, &Runs<'_>),
    moduli: &[Integer],
    statistics: &mut GuessStatistics,
) -> Result<BTreeMap<Location, Vec<Term>>, Interrupted> {
    let strides = cells::strides(context.program, context.terms);
    let nulls = runs.sometimes_zero();
    let mut shared: Vec<Term> = Vec::new();
    let mut candidates: BTreeMap<Location, Vec<Term>> = BTreeMap::new();
    for (&location, met) in &runs.met {
        if met.states.is_empty() {
            candidates.insert(location, vec![Term::FALSE]);
            continue;
        }
        context.budget.spend(met.states.len() as u64 * limits::UNITS_WITH_CELLS * runs.weight());
        context.budget.check()?;
        statistics.states += met.states.len() as u64;
        let (scope, cells) = (&met.place.scope, &met.place.cells);
        let unknowns: Vec<Term> = scope.iter().chain(cells).map(|&index| runs.unknowns[index]).collect();
        let variables = &unknowns[..scope.len()];
        let positions: Vec<usize> = (0..scope.len()).collect();
        let states: Vec<State> = met.states.iter().map(|state| state.restricted(&positions)).collect();
        let everything: Vec<&State> = states.iter().collect();
        let mut found = candidates_at(variables, &states, &met.place.guards, context.terms);
        if variables.len() <= limits::MOST_RELATED {
            found.extend(nearly_ordered(variables, &everything, context.terms));
        }
        if cells.is_empty() || context.terms.has_products() {
            found.extend(quadratic(variables, &states, context.terms));
        }
        let nulls: Vec<usize> = (0..scope.len()).filter(|&at| nulls.contains(&scope[at])).collect();
        let about = (cells.len(), &strides[..]);
        found.extend(cells::candidates(&unknowns, about, (&met.states, &nulls), context.terms));
        let about_null = cells::about_null(&unknowns, cells.len(), &met.states, context.terms);
        shared.extend(about_null.iter().copied().filter(|fact| !shared.contains(fact)).collect::<Vec<_>>());
        found.extend(about_null);
        let first: Vec<State> = met.first.iter().map(|state| state.restricted(&positions)).collect();
        found.extend(congruences(variables, (&first, moduli), context.terms));
        found.extend(rates::rates(context.program, location, (variables, &states), context.terms));
        statistics.candidates += found.len() as u64;
        candidates.insert(location, found);
    }
    // What holds of a pointer to nothing at one place may hold at others, where no run shows one.
    shared.truncate(limits::MOST_SHARED);
    let live = live(context.program, context.terms);
    for (&location, found) in candidates.iter_mut().filter(|(_, found)| !found.contains(&Term::FALSE)) {
        for &fact in &shared {
            if !found.contains(&fact) && reads_all_of(context, &live[location], fact) {
                found.push(fact);
            }
        }
    }
    neighbours::hand_on(context, graph, &live, &mut candidates);
    Ok(candidates)
}

/// Equations of degree two that hold in all states.
fn quadratic(variables: &[Term], states: &[State], terms: &mut Terms) -> Vec<Term> {
    if variables.len() > limits::MOST_MULTIPLIED {
        return Vec::new();
    }
    let everything: Vec<&State> = states.iter().collect();
    Equations::quadratic(variables, terms).satisfied_by(&everything, terms)
}

/// Equations of degree two that hold in all states that satisfy a guard, or its negation: a procedure has cases as a loop has phases, and they are what its end
/// depends on.
fn quadratic_in_cases(variables: &[Term], states: &[State], guards: &[Term], terms: &mut Terms) -> Vec<Term> {
    if variables.len() > limits::MOST_MULTIPLIED {
        return Vec::new();
    }
    let equations = Equations::quadratic(variables, terms);
    let mut found = Vec::new();
    for &guard in guards {
        let (inside, outside): (Vec<&State>, Vec<&State>) =
            states.iter().partition(|state| state.guards.contains(&guard));
        for (part, negated) in [(inside, false), (outside, true)] {
            let condition = if negated { guard } else { terms.not(guard) };
            for equation in equations.satisfied_by(&part, terms) {
                found.push(terms.or([condition, equation]));
            }
        }
    }
    found
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
    found
}

/// Which variable is always smaller than which other one, or larger by one at most.
fn nearly_ordered(variables: &[Term], states: &[&State], terms: &mut Terms) -> Vec<Term> {
    let mut found = Vec::new();
    let one = Rational::one();
    for (first, &left) in variables.iter().enumerate() {
        for (second, &right) in variables.iter().enumerate().filter(|&(second, _)| second != first) {
            let distance = states.iter().map(|state| &state.values[first] - &state.values[second]).max();
            let Some(distance) = distance.filter(|distance| distance.abs() == one) else { continue };
            let distance = terms.numeral(distance, Sort::INT);
            let end = terms.add(&[right, distance]);
            found.push(terms.le(left, end));
        }
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
