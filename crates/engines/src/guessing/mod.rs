//! Invariants guessed from runs.
//!
//! The program is run from many beginnings; at every loop head the states that are met are looked at together. Equations
//! that hold in all of them, linear ones and those of degree two, are candidates; so are equations that hold whenever a
//! guard of the program does, which is how a loop with two phases shows itself, orders between variables, congruences
//! between two of them, and how much one of them can grow with another. What static analysis knows is added, and then every candidate that the proof needs is checked as a Hoare triple
//! ([`from_facts`](crate::floyd_hoare::from_facts)), so a wrong guess costs time and nothing else.
//!
//! Works on programs without calls. Never refutes.

mod cells;
mod congruences;
mod equations;
mod limits;
mod rates;
mod remainder;
mod runs;

use crate::context::Context;
use crate::floyd_hoare::from_facts::{Outcome, from_facts};
use crate::live_variables;
use crate::pruning::Pruning;
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
    if single.live_edges().any(|edge| !matches!(single.edges[edge].kind, EdgeKind::Internal(_))) {
        return Ok(Outcome::NotShown(single.errors.keys().collect()));
    }
    let graph = Graph::of_program(context.program);
    // Inside of blocks nobody asks for anything.
    let is_met =
        |&(node, _): &(Node, &Location)| graph.is_initial(node) || graph.incoming(node).next().is_some();
    let watched: Vec<Location> = graph.nodes.iter().filter(is_met).map(|(_, &location)| location).collect();
    let cells = cells::cells(context.program, context.terms);
    let mut runs = Runs::new(single, (&watched, &cells), context.terms);
    if runs.are_hopeless() {
        return Ok(Outcome::NotShown(single.errors.keys().collect()));
    }
    runs.run(context.terms, &context.budget)?;
    statistics.runs = runs.count;
    let guards = guards(single, context.terms);
    let moduli = moduli(single, context.terms);
    let strides = cells::strides(context.program, context.terms);
    let live = live_variables::live(context.program, context.terms);
    let nulls = if cells.is_empty() { Vec::new() } else { runs.sometimes_zero() };
    let (mut has_cells, mut shared) = (false, Vec::new());
    let mut candidates: BTreeMap<Location, Vec<Term>> = BTreeMap::new();
    for &location in &watched {
        // A place to which no run came may be one to which none leads.
        let Some(states) = runs.states.get(&location) else {
            candidates.insert(location, vec![Term::FALSE]);
            continue;
        };
        let units = if runs.has_cells() { limits::UNITS_WITH_CELLS } else { limits::UNITS_PER_STATE };
        context.budget.spend(states.len() as u64 * units * runs.weight());
        context.budget.check()?;
        statistics.states += states.len() as u64;
        let (scope, cells) = runs.in_scope(location, &live[location], context.terms);
        let unknowns: Vec<Term> = scope.iter().chain(&cells).map(|&index| runs.unknowns[index]).collect();
        let with_cells: Vec<State> =
            states.iter().map(|state| state.restricted(&[&scope[..], &cells[..]].concat())).collect();
        let variables = &unknowns[..scope.len()];
        let states: Vec<State> = states.iter().map(|state| state.restricted(&scope)).collect();
        has_cells |= !cells.is_empty();
        let mut found = candidates_at(variables, &states, &guards, context.terms);
        let multiplies = cells.is_empty() || context.terms.has_products();
        if multiplies && variables.len() <= limits::MOST_MULTIPLIED {
            let all: Vec<&State> = states.iter().collect();
            found.extend(Equations::quadratic(variables, context.terms).satisfied_by(&all, context.terms));
        }
        let nulls: Vec<usize> = (0..scope.len()).filter(|&index| nulls.contains(&scope[index])).collect();
        let about = (cells.len(), &strides[..]);
        found.extend(cells::candidates(&unknowns, about, (&with_cells, &nulls), context.terms));
        let about_null = cells::about_null(&unknowns, cells.len(), &with_cells, context.terms);
        shared.extend(about_null.iter().copied().filter(|fact| !shared.contains(fact)).collect::<Vec<_>>());
        found.extend(about_null);
        let first = runs.first.get(&location).into_iter().flatten();
        let first: Vec<State> = first.map(|state| state.restricted(&scope)).collect();
        found.extend(congruences(variables, (&first, &moduli), context.terms));
        found.extend(rates::rates(context.program, location, (variables, &states), context.terms));
        statistics.candidates += found.len() as u64;
        candidates.insert(location, found);
    }
    // What holds of a pointer to nothing at one place may hold at others, where no run shows one.
    shared.truncate(limits::MOST_SHARED);
    for (&location, found) in candidates.iter_mut().filter(|(_, found)| !found.contains(&Term::FALSE)) {
        for &fact in &shared {
            let symbols = context.terms.free_symbols(fact);
            let mut variables = symbols.iter().map(|&symbol| context.program.variables.of_symbol(symbol));
            if variables.all(|var| var.is_some_and(|var| live[location].contains(var)))
                && !found.contains(&fact)
            {
                found.push(fact);
            }
        }
    }
    let facts = analyse(single, context.terms, precision, &context.budget)?;
    if has_cells {
        prune(context, &graph, (&mut candidates, &facts))?;
    }
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

/// Comparisons in guards of the program.
fn guards(program: &Program, terms: &Terms) -> Vec<Term> {
    let mut atoms: Vec<Term> = Vec::new();
    for edge in program.live_edges() {
        if atoms.len() >= limits::MOST_GUARDS {
            break;
        }
        let Some(relation) = program.relation(edge) else { continue };
        for conjunct in terms.conjuncts(relation.guard) {
            let atom = if terms.op(conjunct) == Op::Not { terms.args(conjunct)[0] } else { conjunct };
            let known = |symbol| program.variables.of_symbol(symbol).is_some();
            if matches!(terms.op(atom), Op::Le | Op::Lt | Op::Eq)
                && terms.free_symbols(atom).into_iter().all(known)
                && !tells_type(atom, terms)
                && !atoms.contains(&atom)
            {
                atoms.push(atom);
            }
        }
    }
    atoms.truncate(limits::MOST_GUARDS);
    atoms
}

/// Whether a comparison only says that a variable is a number of its type: one that is as large as the largest numbers of types are.
fn tells_type(atom: Term, terms: &Terms) -> bool {
    let &[left, right] = terms.args(atom) else { return false };
    if terms.sort_of(left) != Sort::INT {
        return false;
    }
    let form = terms.linear(left).minus(&terms.linear(right));
    form.monomials.len() == 1 && form.constant.abs() >= Rational::from_integer(limits::LARGE.into())
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
        found.extend(nearly_ordered(variables, &everything, terms));
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
