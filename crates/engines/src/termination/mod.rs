//! Do all runs end? Ranks for the cycles of a program, or a run that goes round for ever.
//!
//! The graph of infinite runs falls into components (see [`components`]). Each is ranked by itself:
//!
//! ```text
//! while some transition of the component does not make the rank smaller:
//!     take the cube of transitions around it
//!     find a rank that all cubes so far make smaller
//!     if there is none: look for a run that goes round for ever, or for an invariant that excludes a cube
//! ```
//!
//! * [`transitions`], [`cubes`]: the steps as convex sets of transitions, taken from a formula when they are needed;
//! * [`synthesis`], [`ranks`]: affine, lexicographic and nested ranks by the lemma of Farkas;
//! * [`pieces`]: features that tell pieces of the state space apart, where plain ones are not enough;
//! * [`invariants`]: what holds at the cut points, from static analysis and from a Horn solver;
//! * [`recurrence`]: sets of states that a run never has to leave; [`calls`]: whole calls on the way, step by step;
//! * [`refinement`]: where no rank fits a component, its traces are covered by Büchi automata, one lasso after the other:
//!   [`words`] are words of steps as transitions, [`lassos`] why a lasso does not go on for ever, [`tracking`] predicates
//!   along traces, [`modules`] the automata.
//!
//! Requires a program without errors (crate `transform`, `infinite_part`) in blocks. Guarantees nothing by itself: both
//! answers carry evidence for the independent check.

mod calls;
pub mod components;
pub mod cubes;
pub mod invariants;
pub mod lassos;
mod limits;
pub mod modules;
pub mod pieces;
pub mod ranks;
pub mod recurrence;
pub mod refinement;
pub mod synthesis;
pub mod tracking;
pub mod transitions;
pub mod words;

use crate::context::Context;
use crate::horn::{Class, WholeProgram};
use crate::task::Task;
use base::{EntitySet, Interrupted};
use components::{Component, components};
use cubes::Cube;
use logic::{Model, Rational, Sort, Term};
use num_traits::Zero;
use program::{Covering, Program, RankedNode, Reason, TerminationProof, Var, Verdict};
use smt::{Answer, Solver};
use std::collections::BTreeMap;
use synthesis::{Ends, Entry, Problem, Ranks, synthesise};
use transitions::Transition;

base::statistics! {
    /// What the engine did.
    pub struct TerminationStatistics {
        components: "components with cycles",
        cubes: "convex sets of transitions",
        programs: "linear programs",
        repairs: "questions for invariants",
        rounds: "candidates for recurrent sets",
        modules: "modules subtracted from the traces",
    }
}

/// What the engine looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Plain ranks that need no more than what static analysis knows.
    Ranks,
    /// Such ranks, and runs that never end.
    RanksAndRuns,
    /// Ranks, also by pieces and with the help of other invariants.
    Proof,
    /// All of that.
    All,
    /// Plain ranks, and modules that together cover the traces of a component for which there is none.
    RanksOrModules,
    /// Modules for all components.
    Modules,
}

/// The engine.
pub fn run(task: &mut Task<'_>) -> Result<Verdict, Interrupted> {
    let (single, aim) = (task.single, task.options.termination);
    let mut context = task.context();
    let mut engine = Termination::new(&mut context, single)?;
    let verdict = engine.run(aim);
    let statistics = engine.statistics;
    drop(context);
    task.counted.add(statistics.entries());
    verdict
}

/// Whether cubes without a rank are divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Division {
    /// They are not.
    Never,
    /// Where an integer has only a few values they are: see [`pieces::split`].
    ByValues,
}

/// What is known about a component that is not ranked yet.
struct Stuck {
    component: usize,
    why: String,
    /// The cubes that no rank was found for.
    cubes: Vec<Cube>,
}

/// The engine.
pub struct Termination<'c, 'p> {
    context: &'c mut Context<'p>,
    single: &'c Program,
    whole: WholeProgram,
    relevant: EntitySet<Var>,
    sort: Sort,
    /// What holds at the classes.
    known: Vec<Vec<Term>>,
    /// The features of the classes.
    features: Vec<Vec<Term>>,
    /// What was counted.
    pub statistics: TerminationStatistics,
}

impl<'c, 'p> Termination<'c, 'p> {
    /// The engine for a program in blocks, whose single-step form is `single`.
    pub fn new(
        context: &'c mut Context<'p>,
        single: &'c Program,
    ) -> Result<Termination<'c, 'p>, Interrupted> {
        let whole = WholeProgram::of(context.program);
        let relevant = whole.relevant_variables(context.program, context.terms);
        let sort = transitions::rank_sort(context.program, &relevant, context.terms);
        let known = crate::facts::inductive(context, single, &whole)?;
        let features = whole
            .locations
            .iter()
            .map(|&location| transitions::features(context.program, location, &relevant, sort, context.terms))
            .collect();
        let statistics = TerminationStatistics::default();
        Ok(Termination { context, single, whole, relevant, sort, known, features, statistics })
    }

    /// Ranks all components, or finds one that recurs.
    pub fn run(&mut self, aim: Aim) -> Result<Verdict, Interrupted> {
        let components = components(&self.whole);
        let mut ranks: Vec<Option<Vec<Entry>>> = vec![None; components.len()];
        let mut coverings: Vec<Covering> = Vec::new();
        let mut stuck: Vec<Stuck> = Vec::new();
        // A run that never ends is often found sooner than that all parts of a cube have no rank.
        let finds_runs = matches!(aim, Aim::RanksAndRuns | Aim::All);
        let division = if finds_runs { Division::Never } else { Division::ByValues };
        for (number, component) in components.iter().enumerate() {
            if component.steps.is_empty() {
                ranks[number] = Some(Vec::new());
                continue;
            }
            self.statistics.components += 1;
            if aim == Aim::Modules {
                stuck.push(Stuck { component: number, why: String::new(), cubes: Vec::new() });
                continue;
            }
            match self.rank(component, division)? {
                Ok(entries) => ranks[number] = Some(entries),
                Err((why, cubes)) => stuck.push(Stuck { component: number, why, cubes }),
            }
        }
        if finds_runs {
            // A run that never ends may be in another component than one that nobody can rank.
            for Stuck { component, cubes, .. } in &stuck {
                if let Some(found) = self.recurrence(&components[*component], cubes)? {
                    return Ok(Verdict::Recurs(Box::new(found)));
                }
            }
        }
        for Stuck { component, why, cubes } in stuck {
            let component_data = &components[component];
            if matches!(aim, Aim::RanksOrModules | Aim::Modules) {
                match refinement::cover(self, component_data)? {
                    Ok(covering) => coverings.push(covering),
                    Err(why) => return Ok(Verdict::Unknown(Reason::Termination(why))),
                }
                continue;
            }
            let mut cubes = cubes;
            if finds_runs {
                match self.rank(component_data, Division::ByValues)? {
                    Ok(entries) => {
                        ranks[component] = Some(entries);
                        continue;
                    }
                    Err((_, left)) => cubes = left,
                }
            }
            if matches!(aim, Aim::Proof | Aim::All) && self.extend_features(component_data) {
                match self.rank(component_data, Division::ByValues)? {
                    Ok(entries) => {
                        ranks[component] = Some(entries);
                        continue;
                    }
                    Err((_, left)) => cubes = left,
                }
            }
            let entries = match aim {
                Aim::Proof | Aim::All => self.repair(component_data, cubes)?,
                Aim::Ranks | Aim::RanksAndRuns | Aim::RanksOrModules | Aim::Modules => None,
            };
            match entries {
                Some(entries) => ranks[component] = Some(entries),
                None => return Ok(Verdict::Unknown(Reason::Termination(why))),
            }
        }
        Ok(Verdict::Terminates(self.proof(&components, &ranks, coverings)))
    }

    /// The transitions of a component.
    fn transitions(&mut self, component: &Component) -> Vec<Transition> {
        component
            .steps
            .iter()
            .map(|&step| Transition::new(self.context.program, &self.whole, step, self.context.terms))
            .collect()
    }

    /// Entries that every transition of a component makes smaller; else why there are none, and the cubes that are left.
    #[allow(clippy::type_complexity, reason = "the error is taken apart at once")]
    fn rank(
        &mut self,
        component: &Component,
        division: Division,
    ) -> Result<Result<Vec<Entry>, (String, Vec<Cube>)>, Interrupted> {
        let transitions = self.transitions(component);
        self.rank_transitions(transitions, &component.classes, division)
    }

    /// The same for any transitions between some classes.
    #[allow(clippy::type_complexity, reason = "the error is taken apart at once")]
    fn rank_transitions(
        &mut self,
        mut transitions: Vec<Transition>,
        classes: &[Class],
        division: Division,
    ) -> Result<Result<Vec<Entry>, (String, Vec<Cube>)>, Interrupted> {
        let mut sessions = Vec::with_capacity(transitions.len());
        let mut formulas = Vec::with_capacity(transitions.len());
        for transition in &mut transitions {
            let formula = transition.formula(&self.known, self.context.terms);
            sessions.push(self.session(&formula));
            formulas.push(formula);
        }
        let counts: BTreeMap<Class, usize> =
            classes.iter().map(|&class| (class, self.features[class].len())).collect();
        let mut cubes: Vec<Cube> = Vec::new();
        let mut entries: Vec<Entry> = Vec::new();
        // Whether cubes were divided, so that ranks are looked for again before transitions are.
        let mut parted = false;
        loop {
            let before = cubes.len();
            for (number, transition) in transitions.iter_mut().enumerate() {
                if parted {
                    break;
                }
                match self.not_smaller(&entries, transition, &mut *sessions[number])? {
                    Answer::Unsat => {}
                    Answer::Sat => {
                        let Ok(model) = sessions[number].model(self.context.terms) else {
                            sessions[number].pop();
                            return Ok(Err(("a model cannot be read".to_owned(), cubes)));
                        };
                        match self.cube(number, &formulas[number], transition, &model) {
                            Some(cube) => cubes.push(cube),
                            None => {
                                sessions[number].pop();
                                return Ok(Err(("a model has no linear form".to_owned(), cubes)));
                            }
                        }
                    }
                    Answer::Unknown(why) => {
                        sessions[number].pop();
                        return Ok(Err((format!("the solver does not know a transition: {why}"), cubes)));
                    }
                }
                sessions[number].pop();
            }
            if cubes.len() == before && !std::mem::take(&mut parted) {
                return Ok(Ok(entries));
            }
            self.statistics.cubes += (cubes.len() - before) as u64;
            if cubes.len() > limits::MOST_CUBES {
                return Ok(Err((format!("more than {} convex parts of a loop", limits::MOST_CUBES), cubes)));
            }
            let ends = cubes.iter().map(|cube| ends(&transitions[cube.transition])).collect();
            let problem = Problem { cubes: &cubes, ends, features: &counts };
            self.statistics.programs += 1;
            match synthesise(self.context, &problem)? {
                Ranks::Found(found) => entries = found,
                Ranks::Stuck(left) => {
                    if division == Division::ByValues && self.split(&mut cubes, &left, &mut sessions)? {
                        parted = true;
                        continue;
                    }
                    let left = left.into_iter().map(|cube| cubes[cube].clone()).collect();
                    return Ok(Err(("no ranking function was found for a loop".to_owned(), left)));
                }
            }
        }
    }

    /// Divides stuck cubes in which an integer has only a few values; false if there are none.
    fn split(
        &mut self,
        cubes: &mut Vec<Cube>,
        left: &[usize],
        sessions: &mut [Box<dyn Solver>],
    ) -> Result<bool, Interrupted> {
        let mut divided = false;
        let mut parts = Vec::new();
        for (number, cube) in std::mem::take(cubes).into_iter().enumerate() {
            let pieces = if left.contains(&number) { pieces::split(&cube, self.context.terms) } else { None };
            let Some(pieces) = pieces else {
                parts.push(cube);
                continue;
            };
            divided = true;
            for piece in pieces {
                let session = &mut sessions[piece.transition];
                session.push();
                for constraint in &piece.constraints {
                    if let Some(literal) = invariants::literal(constraint, self.context.terms) {
                        session.assert(self.context.terms, literal);
                    }
                }
                let answer = session.check(self.context.terms);
                session.pop();
                self.context.budget.check()?;
                if answer != Answer::Unsat {
                    parts.push(piece);
                }
            }
        }
        *cubes = parts;
        Ok(divided && cubes.len() <= limits::MOST_CUBES)
    }

    /// Gives the classes of a component features that tell pieces of their states apart; false if there are none.
    fn extend_features(&mut self, component: &Component) -> bool {
        let transitions = self.transitions(component);
        let program = self.context.program;
        let conditions = pieces::conditions(program, &transitions, self.sort, self.context.terms);
        let remainders = pieces::remainders(program, &transitions, self.sort, self.context.terms);
        let mut extended = false;
        // What is read elsewhere in the component is a feature here, too.
        let mut read: Vec<Term> = Vec::new();
        for &class in &component.classes {
            for element in
                transitions::read_elements(program, self.whole.locations[class], self.context.terms)
            {
                let number = transitions::number(element, self.sort, self.context.terms);
                read.extend(number.filter(|number| !read.contains(number)));
            }
        }
        for &class in &component.classes {
            let location = self.whole.locations[class];
            for &element in &read {
                let room = self.features[class].len() < limits::MOST_FEATURES;
                if room && !self.features[class].contains(&element) && self.is_about(class, element, &[]) {
                    self.features[class].push(element);
                    extended = true;
                }
            }
            let scope: Vec<logic::Symbol> =
                program.scope(location).map(|var| program.variables[var].symbol).collect();
            for &remainder in &remainders {
                let symbols = self.context.terms.free_symbols(remainder);
                if symbols.iter().all(|symbol| scope.contains(symbol)) {
                    self.features[class].push(remainder);
                    extended = true;
                }
            }
            for &condition in &conditions {
                let symbols = self.context.terms.free_symbols(condition);
                if symbols.iter().all(|symbol| scope.contains(symbol)) {
                    let new = pieces::features(condition, self.sort, self.context.terms);
                    self.features[class].extend(new);
                    extended = true;
                }
            }
        }
        extended
    }

    fn session(&mut self, formula: &[Term]) -> Box<dyn Solver> {
        let mut session = self.context.session();
        for &axiom in &self.context.program.axioms {
            session.assert(self.context.terms, axiom);
        }
        for &conjunct in formula {
            session.assert(self.context.terms, conjunct);
        }
        session
    }

    /// Is there a transition that does not make the rank smaller? The session stays inside of the question.
    fn not_smaller(
        &mut self,
        entries: &[Entry],
        transition: &mut Transition,
        session: &mut dyn Solver,
    ) -> Result<Answer, Interrupted> {
        let smaller = self.smaller(entries, transition);
        let terms = &mut *self.context.terms;
        let violated = terms.not(smaller);
        session.push();
        session.assert(terms, violated);
        let answer = session.check(terms);
        self.context.budget.check()?;
        Ok(answer)
    }

    /// A transition makes the rank smaller, as a formula.
    fn smaller(&mut self, entries: &[Entry], transition: &mut Transition) -> Term {
        let (source, target, sort) = (transition.source, transition.target, self.sort);
        let terms = &mut *self.context.terms;
        let mut before = ranks::entries_at(entries, source, &self.features[source], sort, terms);
        let mut after = ranks::entries_at(entries, target, &self.features[target], sort, terms);
        for entry in &mut before {
            *entry = transition.before.apply(terms, *entry);
        }
        for entry in &mut after {
            *entry = transition.after.apply(terms, *entry);
        }
        ranks::becomes_smaller(&before, &after, terms)
    }

    /// The cube of a model.
    fn cube(
        &mut self,
        number: usize,
        formula: &[Term],
        transition: &mut Transition,
        model: &Model,
    ) -> Option<Cube> {
        let terms = &mut *self.context.terms;
        let mut before = self.features[transition.source].clone();
        let mut after = self.features[transition.target].clone();
        for feature in &mut before {
            *feature = transition.before.apply(terms, *feature);
        }
        for feature in &mut after {
            *feature = transition.after.apply(terms, *feature);
        }
        let features = cubes::Features { before: &before, after: &after };
        cubes::cube(number, formula, features, model, terms)
    }

    /// The proof from the ranks of all components: the number of the component comes first.
    fn proof(
        &mut self,
        components: &[Component],
        ranks: &[Option<Vec<Entry>>],
        coverings: Vec<Covering>,
    ) -> TerminationProof {
        let longest = ranks.iter().flatten().map(Vec::len).max().unwrap_or(0);
        let terms = &mut *self.context.terms;
        let mut nodes = Vec::new();
        for (number, component) in components.iter().enumerate() {
            let entries = ranks[number].as_deref().unwrap_or_default();
            for &class in &component.classes {
                let mut rank = vec![terms.numeral(Rational::from_integer(number.into()), self.sort)];
                rank.extend(ranks::entries_at(entries, class, &self.features[class], self.sort, terms));
                rank.resize(longest + 1, terms.numeral(Rational::zero(), self.sort));
                let invariant = terms.and(self.known[class].iter().copied());
                nodes.push(RankedNode { location: self.whole.locations[class], invariant, rank });
            }
        }
        TerminationProof { nodes, coverings }
    }
}

/// The classes of a transition.
fn ends(transition: &Transition) -> Ends {
    Ends { source: transition.source, target: transition.target }
}
