//! From the automata of a proof to what people want to read: a formula per location.
//!
//! The program is run through all automata at once. A state of this product says at which location control is and in
//! which state each automaton is (or that it has lost track). Whenever control is at a location, one of the states
//! there is right, and in each state the labels of all automata hold; so the disjunction of the conjunctions is an
//! invariant of the location. Pairs of a state and the state at the last open call are explored, so that calls return
//! to where they came from.
//!
//! What people are shown shall be inductive by itself, location by location ([`inductive`]). For programs with calls that
//! may be less than the automata know, because they tell contexts apart; but it may also be more, because candidates for
//! [`contracts`] join in.

use crate::context::Context;
use crate::contracts;
use crate::horn::{Errors, WholeProgram};
use crate::houdini;
use base::{Budget, Interrupted};
use logic::{Term, Terms};
use program::verdict::State;
use program::{Edge, EdgeKind, FloydHoareAutomaton, Location, Program, Proof};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// With more states than this, the formulas would be useless to people.
const MOST_STATES: usize = 500;

/// Where control and all automata are.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Configuration {
    location: Location,
    states: Vec<Option<State>>,
}

/// An inductive annotation: formulas for locations, whose conjunction holds whenever control is there.
pub struct Annotation {
    /// The locations and steps that it is about.
    whole: WholeProgram,
    /// The formulas of each class.
    conjuncts: Vec<Vec<Term>>,
}

impl Annotation {
    /// The locations with what holds there.
    pub fn at_locations(&self) -> impl Iterator<Item = (Location, &[Term])> {
        self.whole.locations.iter().copied().zip(self.conjuncts.iter().map(Vec::as_slice))
    }

    /// The annotation as a proof of itself: all it claims is that its labels are inductive.
    pub fn claim(&self, program: &Program, terms: &mut Terms) -> Proof {
        let labels: Vec<Term> =
            self.conjuncts.iter().map(|conjuncts| terms.and(conjuncts.iter().copied())).collect();
        Proof { automata: vec![self.whole.labelled(program, &labels, Errors::Ignored)] }
    }
}

/// What a proof about the program of the context says, as far as it is inductive location by location, and what
/// can be added about procedures. `single` is the program in single steps. Nothing if that would be too much to read,
/// or too much work.
pub fn inductive(
    context: &mut Context<'_>,
    single: &Program,
    proof: &Proof,
) -> Result<Option<Annotation>, Interrupted> {
    let program = context.program;
    let found = invariants(program, proof, MOST_STATES, (context.terms, &context.budget))?;
    let Some(found) = found else { return Ok(None) };
    let whole = WholeProgram::of(program);
    let mut conjuncts = vec![Vec::new(); whole.locations.len()];
    for (class, location) in whole.locations.iter().enumerate() {
        if whole.initial.contains(&class) {
            continue;
        }
        // What no trace leads to, past the states that are labelled `false`, is never reached.
        conjuncts[class] = match found.get(location) {
            Some(&formula) => context.terms.conjuncts(formula),
            None => vec![Term::FALSE],
        };
    }
    let has_calls = whole.steps.iter().any(|step| step.call.is_some());
    if has_calls {
        let more = contracts::candidates(program, single, &whole, context.terms);
        for (known, more) in conjuncts.iter_mut().zip(more) {
            known.extend(more);
            known.sort_unstable();
            known.dedup();
        }
        if !houdini::steps::prune(context, &whole.steps, &mut conjuncts)? {
            return Ok(None);
        }
    }
    Ok(Some(Annotation { whole, conjuncts }))
}

/// A formula for every location that is reached, past the states that are labelled `false`; nothing if it would be made of
/// more than so many states.
pub fn invariants(
    program: &Program,
    proof: &Proof,
    most_states: usize,
    (terms, budget): (&mut Terms, &Budget),
) -> Result<Option<BTreeMap<Location, Term>>, Interrupted> {
    let automata: Vec<Transitions> = proof.automata.iter().map(Transitions::new).collect();
    let mut exploration = Exploration::default();
    for &location in &program.initial {
        let states = proof.automata.iter().map(|automaton| automaton.initial.first().copied()).collect();
        exploration.reach(Configuration { location, states }, None);
    }
    while let Some((here, call)) = exploration.pending.pop() {
        budget.check()?;
        if exploration.configurations.len() > most_states {
            return Ok(None);
        }
        let configuration = exploration.configurations[here].clone();
        for &edge in &program.outgoing[configuration.location] {
            let target = program.edges[edge].target;
            let linear = |automaton: &Transitions, index: usize| {
                let state = configuration.states[index]?;
                automaton.steps.get(&(state, edge)).copied()
            };
            match &program.edges[edge].kind {
                EdgeKind::Internal(_) => {
                    let after = configuration_after(&automata, target, linear);
                    exploration.reach_unless_false(proof, after, call);
                }
                EdgeKind::Call(_) => {
                    let after = configuration_after(&automata, target, linear);
                    exploration.reach_unless_false(proof, after, Some(here));
                }
                EdgeKind::Return(returning) => {
                    let Some(caller) = call else { continue };
                    let at_call = exploration.configurations[caller].clone();
                    if program.edges[returning.call].source != at_call.location {
                        continue;
                    }
                    let back = |automaton: &Transitions, index: usize| {
                        let key = (configuration.states[index]?, at_call.states[index]?, edge);
                        automaton.returns.get(&key).copied()
                    };
                    let after = configuration_after(&automata, target, back);
                    exploration.come_back(proof, after, caller);
                }
            }
        }
    }
    let mut alternatives: BTreeMap<Location, Vec<Term>> = BTreeMap::new();
    for configuration in &exploration.configurations {
        let labels = configuration.states.iter().zip(&proof.automata);
        let labels: Vec<Term> =
            labels.filter_map(|(state, automaton)| Some(automaton.states[(*state)?])).collect();
        let formula = terms.and(labels);
        alternatives.entry(configuration.location).or_default().push(formula);
    }
    let invariant = |(location, formulas): (Location, Vec<Term>)| {
        let formula = terms.or(formulas);
        (location, logic::simplify::simplify(terms, formula))
    };
    Ok(Some(alternatives.into_iter().map(invariant).collect()))
}

fn configuration_after(
    automata: &[Transitions],
    location: Location,
    step: impl Fn(&Transitions, usize) -> Option<State>,
) -> Configuration {
    let states = automata.iter().enumerate().map(|(index, automaton)| step(automaton, index)).collect();
    Configuration { location, states }
}

/// The transitions of an automaton by their left sides; of several, the first.
struct Transitions {
    steps: FxHashMap<(State, Edge), State>,
    returns: FxHashMap<(State, State, Edge), State>,
}

impl Transitions {
    fn new(automaton: &FloydHoareAutomaton) -> Transitions {
        let mut transitions = Transitions { steps: FxHashMap::default(), returns: FxHashMap::default() };
        for &(from, edge, to) in automaton.internal.iter().chain(&automaton.calls) {
            transitions.steps.entry((from, edge)).or_insert(to);
        }
        for &(from, hier, edge, to) in &automaton.returns {
            transitions.returns.entry((from, hier, edge)).or_insert(to);
        }
        transitions
    }
}

/// Configurations reached so far, with the configurations at the last open call.
#[derive(Default)]
struct Exploration {
    configurations: Vec<Configuration>,
    ids: FxHashMap<Configuration, usize>,
    /// The open calls with which each configuration was reached.
    calls: Vec<Vec<Option<usize>>>,
    /// Where calls made in a configuration come back.
    summaries: Vec<Vec<usize>>,
    pending: Vec<(usize, Option<usize>)>,
}

impl Exploration {
    fn id(&mut self, configuration: Configuration) -> usize {
        if let Some(&id) = self.ids.get(&configuration) {
            return id;
        }
        self.ids.insert(configuration.clone(), self.configurations.len());
        self.configurations.push(configuration);
        self.calls.push(Vec::new());
        self.summaries.push(Vec::new());
        self.configurations.len() - 1
    }

    fn reach(&mut self, configuration: Configuration, call: Option<usize>) {
        let id = self.id(configuration);
        let mut added = vec![id];
        while let Some(id) = added.pop() {
            if !self.calls[id].contains(&call) {
                self.calls[id].push(call);
                self.pending.push((id, call));
                added.extend(&self.summaries[id]);
            }
        }
    }

    /// What an automaton labels `false` is never reached.
    fn reach_unless_false(&mut self, proof: &Proof, configuration: Configuration, call: Option<usize>) {
        if !contradictory(proof, &configuration) {
            self.reach(configuration, call);
        }
    }

    fn come_back(&mut self, proof: &Proof, configuration: Configuration, caller: usize) {
        if contradictory(proof, &configuration) {
            return;
        }
        let id = self.id(configuration.clone());
        if !self.summaries[caller].contains(&id) {
            self.summaries[caller].push(id);
            for call in self.calls[caller].clone() {
                self.reach(configuration.clone(), call);
            }
        }
    }
}

fn contradictory(proof: &Proof, configuration: &Configuration) -> bool {
    let mut labels = configuration.states.iter().zip(&proof.automata);
    labels.any(|(state, automaton)| state.is_some_and(|state| automaton.states[state].is_false()))
}
