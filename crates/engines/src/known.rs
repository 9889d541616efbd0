//! From formulas that somebody believes in to a proof: what held at the locations of an earlier version of a program is
//! tried first, and only the traces that it does not cover are analysed.
//!
//! There are two steps. [`labelled`] takes all formulas at their word: the program labelled with them is a proof if they are
//! inductive and exclude all errors, which the independent check finds out and nobody else. [`prove`] believes nothing: it finds
//! out which formulas hold and what they exclude (crate module [`from_facts`]), then subtracts what the predicates of the old
//! automata cover, and leaves the rest to the refinement loop (paper "Software Model Checking for People who Love
//! Automata": a proof is a set of automata over statements, so it says something about every program with these
//! statements).
//!
//! Cost: `labelled` is linear in the program and asks no solver. `prove` costs a query for each needed formula and
//! edge, a Hoare triple for each predicate and edge that the difference asks for, and then what the loop costs.

use crate::context::Context;
use crate::floyd_hoare::from_facts::from_facts;
use crate::horn::{Errors, WholeProgram};
use crate::task::{Counted, Progress, SHORTCUT};
use crate::trace_abstraction::{Options, TraceAbstraction};
use analysis::graph::Graph;
use base::Interrupted;
use logic::{Term, Terms};
use program::{EdgeKind, ErrorData, Location, Program, Proof, Verdict};
use std::collections::BTreeMap;

/// Formulas about a program that may hold.
#[derive(Clone, Default, Debug)]
pub struct Known {
    /// What held at a location, one conjunct at a time.
    pub labels: BTreeMap<Location, Vec<Term>>,
    /// What may hold at a location if the labels do not: the same about other numbers.
    pub alternatives: BTreeMap<Location, Vec<Term>>,
    /// The predicates of each automaton.
    pub predicates: Vec<Vec<Term>>,
}

/// So many rounds of passing formulas on to locations without any.
const ROUNDS: usize = 8;
/// So many formulas a location without any gets from others.
const MOST_PASSED_ON: usize = 40;
/// An automaton with more predicates is not tried: each costs a triple for every edge.
const MOST_PREDICATES: usize = 60;

/// The program with its labels, as a proof that nobody has checked. Where nothing is known, nothing is claimed.
pub fn labelled(program: &Program, known: &Known, terms: &mut Terms) -> Proof {
    let whole = WholeProgram::of(program);
    let label = |(class, location): (usize, &Location)| match known.labels.get(location) {
        Some(conjuncts) if !whole.initial.contains(&class) => terms.and(conjuncts.iter().copied()),
        _ => Term::TRUE,
    };
    let labels: Vec<Term> = whole.locations.iter().enumerate().map(label).collect();
    Proof { automata: vec![whole.labelled(program, &labels, Errors::Excluded)] }
}

/// What must hold at a location so that none of certain errors happens before the next one. An error that depends on what is
/// chosen in between is left out, as no formula about the location alone excludes it.
///
/// If the errors are assertions at the heads of loops, this is what is asserted there: labelled with it, the program is
/// a proof iff what is asserted is inductive and excludes all errors.
pub fn exclusions(program: &Program, is_meant: impl Fn(&ErrorData) -> bool, terms: &mut Terms) -> Known {
    let mut known = Known::default();
    for edge in program.live_edges() {
        let data = &program.edges[edge];
        let error = program.locations[data.target].error;
        let EdgeKind::Internal(relation) = &data.kind else { continue };
        let chooses =
            || terms.free_symbols(relation.guard).iter().any(|symbol| relation.auxiliaries.contains(symbol));
        if !error.is_some_and(|error| is_meant(&program.errors[error])) || chooses() {
            continue;
        }
        let excluded = terms.not(relation.guard);
        let conjuncts = terms.conjuncts(excluded).to_vec();
        known.labels.entry(data.source).or_default().extend(conjuncts);
    }
    for conjuncts in known.labels.values_mut() {
        conjuncts.sort_unstable();
        conjuncts.dedup();
    }
    known
}

/// Proves what follows from what is known, and goes on with the rest as trace abstraction does. `single` is the program of
/// the context in single steps.
pub fn prove(
    context: &mut Context<'_>,
    single: &Program,
    known: &Known,
    observe: &mut dyn FnMut(Progress),
    counted: &mut Counted,
) -> Result<Verdict, Interrupted> {
    let graph = Graph::of_program(context.program);
    let candidates = candidates(&graph, known);
    let at = |_: &mut Context<'_>, node| candidates.get(&graph.nodes[node]).cloned().unwrap_or_default();
    let annotation = from_facts(context, &graph, at)?;
    let mut leaps = Counted::default();
    let mut leap = |context: &mut Context<'_>, to| SHORTCUT(context, single, to, &mut leaps);
    let mut engine = TraceAbstraction::new(context, Options::default(), observe);
    engine.on_repetition(&mut leap);
    if annotation.proves_something() {
        engine.begin_with(|context| annotation.automaton(context, &graph))?;
    }
    for predicates in &known.predicates {
        if engine.is_done() {
            break;
        }
        if predicates.len() <= MOST_PREDICATES {
            engine.try_predicates(predicates)?;
        }
    }
    let verdict = engine.run();
    counted.add([
        ("needed", "formulas of the earlier proof that the new one needs", annotation.size()),
        ("given up", "formulas of the earlier proof that do not hold any more", annotation.dropped),
    ]);
    counted.add(engine.statistics.entries());
    verdict
}

/// The formulas to be tried at each location. A location that is new gets those of its neighbours.
fn candidates(graph: &Graph, known: &Known) -> BTreeMap<Location, Vec<Term>> {
    let mut all = known.labels.clone();
    for (location, more) in &known.alternatives {
        let here = all.entry(*location).or_default();
        here.extend(more);
        here.sort_unstable();
        here.dedup();
    }
    let is_known = |location: &Location| known.labels.contains_key(location);
    for _ in 0..ROUNDS {
        let mut changed = false;
        for arc in graph.arcs() {
            let (source, target) = (graph.nodes[arc.source], graph.nodes[arc.target]);
            for (from, to) in [(source, target), (target, source)] {
                if is_known(&to) {
                    continue;
                }
                let passed = all.get(&from).cloned().unwrap_or_default();
                let here = all.entry(to).or_default();
                for formula in passed {
                    if here.len() < MOST_PASSED_ON && !here.contains(&formula) {
                        here.push(formula);
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::counting_up;
    use base::Budget;
    use smt::Solvers;

    /// What the loop that counts up from 0, and must not be below 0, is answered if `x >= bound` is believed at its
    /// head.
    fn answer(bound: Option<i32>) -> (Verdict, u64) {
        let mut terms = Terms::new();
        let (program, x) = counting_up(&mut terms);
        let mut known = Known::default();
        let (x, head) = (
            program.variables.term(&mut terms, x),
            Graph::of_program(&program).nodes.values().nth(1).copied(),
        );
        if let (Some(bound), Some(head)) = (bound, head) {
            let bound = terms.int(bound);
            known.labels.insert(head, vec![terms.ge(x, bound)]);
        }
        let budget = Budget::unlimited();
        let solvers = Solvers::new(&budget);
        let mut context = Context::new(&program, &mut terms, &solvers, budget);
        let mut counted = Counted::default();
        let verdict = prove(&mut context, &program, &known, &mut |_| {}, &mut counted).expect("unlimited");
        (verdict, counted.get("iterations"))
    }

    #[test]
    fn what_is_right_leaves_nothing_to_do() {
        let (verdict, iterations) = answer(Some(0));
        assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
        assert_eq!(iterations, 0);
    }

    #[test]
    fn what_is_wrong_costs_only_time() {
        for bound in [None, Some(1), Some(-1)] {
            let (verdict, iterations) = answer(bound);
            assert!(matches!(verdict, Verdict::Safe(_)), "{bound:?}: {verdict:?}");
            assert!(iterations > 0, "{bound:?}");
        }
    }
}
