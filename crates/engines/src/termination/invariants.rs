//! Invariants for ranks: what excludes the transitions that no rank makes smaller.
//!
//! A Horn solver is asked whether bad transitions are reachable. If they are not, its solution is what was missing. If they
//! are, the transition that is reached is a point that a rank has to fit; ranks for points are guesses, which the
//! next question to the Horn solver confirms or refutes.

use super::components::Component;
use super::cubes::Cube;
use super::synthesis::{Entry, Problem, Ranks, synthesise};
use super::transitions::Transition;
use super::{Division, Termination, ends, limits};
use crate::context::Context;
use crate::horn::{Class, WholeProgram, engine};
use base::Interrupted;
use logic::farkas::{Constraint, Relation as Comparison};
use logic::{Linear, Rational, Sort, Symbol, Term, Terms, Value};
use num_traits::One;
use program::automaton::{EdgeData, ErrorData, LocationData};
use program::steps::OriginData;
use program::{Counterexample, EdgeKind, ErrorKind, Location, Program, Relation, Verdict};
use std::collections::BTreeMap;

/// A bad step: where it begins, when it is possible, and over which auxiliary constants.
pub(super) struct Target {
    pub(super) location: Location,
    pub(super) guard: Term,
    pub(super) auxiliaries: Vec<Symbol>,
}

/// Whether bad steps are reachable.
pub(super) enum Reached {
    /// They are not: what holds at the classes.
    Never(Vec<Term>),
    /// One is: the run, whose last edge is the bad step.
    Yes(Box<Counterexample>),
    /// The solver does not know.
    Unknown,
}

impl Termination<'_, '_> {
    /// Can one of the bad steps be taken?
    pub(super) fn reach(&mut self, targets: &[Target]) -> Result<Reached, Interrupted> {
        self.statistics.repairs += 1;
        let program = with_errors(self.context.program, targets);
        let whole = WholeProgram::of(&program);
        debug_assert_eq!(whole.locations, self.whole.locations);
        let mut context =
            Context::new(&program, self.context.terms, self.context.solvers, self.context.budget.clone());
        Ok(match engine::solve(&mut context, &whole, &self.known, limits::HORN_RLIMIT)? {
            Verdict::Safe(proof) => match proof.automata.first() {
                Some(automaton) => {
                    Reached::Never(automaton.states.values().copied().take(whole.locations.len()).collect())
                }
                None => Reached::Unknown,
            },
            Verdict::Unsafe(counterexample) => Reached::Yes(Box::new(counterexample)),
            _ => Reached::Unknown,
        })
    }

    /// Takes over what a Horn solver found.
    fn learn(&mut self, found: &[Term]) {
        for (class, &formula) in found.iter().enumerate() {
            for fact in self.context.terms.conjuncts(formula) {
                if !self.known[class].contains(&fact) {
                    self.known[class].push(fact);
                }
            }
        }
    }

    /// A rank for a component whose cubes have none, with the help of invariants.
    pub(super) fn repair(
        &mut self,
        component: &Component,
        stuck: Vec<Cube>,
    ) -> Result<Option<Vec<Entry>>, Interrupted> {
        let mut transitions = self.transitions(component);
        let counts: BTreeMap<Class, usize> =
            component.classes.iter().map(|&class| (class, self.features[class].len())).collect();
        let mut points: Vec<Cube> = Vec::new();
        for cube in &stuck {
            let transition = &transitions[cube.transition];
            let Some(target) = self.cube_target(transition, cube) else { continue };
            match self.reach(&[target])? {
                Reached::Never(found) => self.learn(&found),
                Reached::Yes(run) => points.extend(self.point(cube.transition, &mut transitions, &run)),
                Reached::Unknown => {}
            }
        }
        if let Ok(entries) = self.rank(component, Division::ByValues)? {
            return Ok(Some(entries));
        }
        for _ in 0..limits::MOST_REPAIRS {
            let ends = points.iter().map(|cube| ends(&transitions[cube.transition])).collect();
            let problem = Problem { cubes: &points, ends, features: &counts };
            let Ranks::Found(entries) = synthesise(self.context, &problem)? else { return Ok(None) };
            let mut targets = Vec::with_capacity(transitions.len());
            for transition in &mut transitions {
                let smaller = self.smaller(&entries, transition);
                let violated = self.context.terms.not(smaller);
                let Some(target) = self.step_target(transition, violated) else { return Ok(None) };
                targets.push(target);
            }
            match self.reach(&targets)? {
                Reached::Never(found) => {
                    self.learn(&found);
                    return Ok(Some(entries));
                }
                Reached::Yes(run) => {
                    // Which of the bad steps it was shows in the error.
                    let number = base::EntityRef::index(run.error);
                    match self.point(number, &mut transitions, &run) {
                        Some(point) => points.push(point),
                        None => return Ok(None),
                    }
                }
                Reached::Unknown => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The step of a cube as a bad one.
    fn cube_target(&mut self, transition: &Transition, cube: &Cube) -> Option<Target> {
        let mut inside = Vec::with_capacity(cube.constraints.len());
        for constraint in &cube.constraints {
            inside.push(literal(constraint, self.context.terms)?);
        }
        let inside = self.context.terms.and(inside);
        self.step_target(transition, inside)
    }

    /// A block, as far as a condition over its formula holds, as a bad step.
    fn step_target(&mut self, transition: &Transition, condition: Term) -> Option<Target> {
        let edge = self.whole.steps[transition.step].edge;
        let location = self.context.program.edges[edge].source;
        match &self.context.program.edges[edge].kind {
            EdgeKind::Internal(relation) => {
                let guard = self.context.terms.and([relation.guard, condition]);
                Some(Target { location, guard, auxiliaries: relation.auxiliaries.clone() })
            }
            // What a callee's variables begin with may be anything, and ranks rarely depend on it.
            EdgeKind::Call(_) => {
                let symbols = self.context.terms.free_symbols(condition);
                let auxiliaries = symbols
                    .into_iter()
                    .filter(|&symbol| self.context.program.variables.of_symbol(symbol).is_none())
                    .collect();
                Some(Target { location, guard: condition, auxiliaries })
            }
            EdgeKind::Return(_) => None,
        }
    }

    /// The last step of a run as a cube with a single point.
    fn point(&mut self, number: usize, transitions: &mut [Transition], run: &Counterexample) -> Option<Cube> {
        let transition = transitions.get_mut(number)?;
        let model = &run.states[run.edges.len() - 1];
        let terms = &mut *self.context.terms;
        let mut values = |features: &[Term], renaming: &mut logic::Substitution| -> Option<Vec<Linear>> {
            let mut found = Vec::with_capacity(features.len());
            for &feature in features {
                let feature = renaming.apply(terms, feature);
                let value = match logic::evaluate::evaluate(terms, model, feature).ok()? {
                    Value::Int(value) => Rational::from_integer(value),
                    Value::Real(value) => value,
                    _ => return None,
                };
                found.push(Linear::constant(value));
            }
            Some(found)
        };
        let before = values(&self.features[transition.source], &mut transition.before)?;
        let after = values(&self.features[transition.target], &mut transition.after)?;
        Some(Cube { transition: number, constraints: Vec::new(), linked: Vec::new(), before, after })
    }
}

/// A constraint as a formula.
pub(super) fn literal(constraint: &Constraint, terms: &mut Terms) -> Option<Term> {
    let Constraint { form, relation } = constraint;
    let sorts: Vec<Sort> = form.monomials.iter().map(|&(term, _)| terms.sort_of(term)).collect();
    let sort = *sorts.first()?;
    if sorts.iter().any(|&other| other != sort) {
        return None;
    }
    let mut form = form.clone();
    let denominator = form
        .monomials
        .iter()
        .map(|(_, factor)| factor)
        .chain([&form.constant])
        .fold(logic::Integer::one(), |all, factor| num_integer::Integer::lcm(&all, factor.denom()));
    form.scale(&Rational::from_integer(denominator));
    Some(match relation {
        Comparison::Le => terms.at_most_zero(form, sort),
        Comparison::Eq => terms.equals_zero(form, sort),
        Comparison::Lt => {
            form.scale(&-Rational::one());
            let at_least = terms.at_most_zero(form, sort);
            terms.not(at_least)
        }
    })
}

/// The program with an error for each bad step.
fn with_errors(program: &Program, targets: &[Target]) -> Program {
    let mut program = program.clone();
    for target in targets {
        let LocationData { procedure, span, .. } = program.locations[target.location];
        let location = program.locations.push(LocationData { procedure, span, error: None });
        let kind = ErrorKind::Assert;
        let error = program.errors.push(ErrorData { location, kind, span, condition: span });
        program.locations[location].error = Some(error);
        let mut relation = Relation::assume(target.guard);
        relation.auxiliaries = target.auxiliaries.clone();
        relation.auxiliaries.sort_unstable();
        let origin = program.origins.push(OriginData::Empty);
        let kind = EdgeKind::Internal(relation);
        program.add_edge(EdgeData {
            source: target.location,
            target: location,
            kind,
            origin,
            overapproximates: false,
        });
    }
    program
}
