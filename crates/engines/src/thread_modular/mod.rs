//! The summary of a recursive procedure without parameters, weakened until it is one.
//!
//! For programs with any number of threads, whose invariants are the summaries of such a procedure (crate `threads`): it
//! returns a state, some of its results are control variables with few values ([`ir::Mark::Control`]), and it calls itself to get states
//! from which it makes a step. A summary gives for every combination of control values that may occur the candidates
//! ([`candidates`]) that hold then.
//!
//! It begins with the summary that no state is returned. As long as a path of the procedure leads from states of the
//! summary to a state that is none, what that state violates is removed for its control values (this is Houdini, begun with "false").
//! So it ends with the strongest summary that the candidates can express. If no path leads from there to an error, it
//! is a proof.
//!
//! Where that is no proof, variables with few values ([`finite`]) are taken for control variables, too.
//!
//! Requires that the procedure has no loops and that control variables get numbers only; gives up otherwise. Never finds errors.
//!
//! Cost: a query for every path and every combination of control values from which it can begin, and one more for every time
//! that something is removed, which is at most the number of combinations times the number of candidates and mostly far less.

mod candidates;
mod finite;

use crate::any_number::paths::{End, Instance, Path};
use crate::any_number::{Subject, unsupported};
use crate::context::Context;
use crate::task::{Counter, Task};
use base::Interrupted;
use candidates::{Candidate, StateVariables, Wealth, candidates, strongest};
use logic::evaluate::Evaluator;
use logic::{Substitution, Symbol, Term, Terms};
use program::{Proof, Reason, Var, Verdict};
use smt::{Answer, Solver};
use std::collections::{BTreeMap, BTreeSet};

/// The values of the control variables.
type Control = Vec<i64>;

/// The engine.
pub fn run(task: &mut Task<'_>) -> Result<Verdict, Interrupted> {
    let (source, single) = (task.source, task.single);
    let mut context = task.context();
    let mut subject = match Subject::of(source, single, context.terms, &context.budget.clone())? {
        Ok(subject) => subject,
        Err(verdict) => return Ok(verdict),
    };
    let mut verdict = Ok(unsupported("nothing"));
    let mut counted = Vec::new();
    // With one tracked thread it is mostly not the candidates that are missing.
    let more = subject.controls.len() > 2;
    let finite = if more { finite_results(&subject, context.terms) } else { Vec::new() };
    let mut attempts = Vec::new();
    if !finite.is_empty() {
        attempts.push((Wealth::Few, finite));
    }
    attempts.push((Wealth::Few, Vec::new()));
    if more {
        attempts.push((Wealth::Many, Vec::new()));
    }
    let places = subject.controls.clone();
    for (wealth, finite) in attempts {
        subject.controls = places.iter().chain(&finite).copied().collect();
        let mut weakening = Weakening::new(&mut context, &subject, wealth);
        verdict = weakening.run(&mut context);
        counted = weakening.counters().to_vec();
        if !matches!(verdict, Ok(Verdict::Unknown(Reason::NotShown { .. }))) {
            break;
        }
    }
    drop(context);
    task.counted.add(counted);
    verdict
}

/// The results that have few values besides the control variables.
fn finite_results(subject: &Subject<'_>, terms: &mut Terms) -> Vec<usize> {
    let others: Vec<usize> = subject.controls.iter().chain(&subject.tallies).copied().collect();
    finite::finite(subject.single, &subject.results, &others, &subject.found.paths, terms)
}

/// What is known about the states with the same control values.
#[derive(Clone, Debug)]
struct Known {
    /// Which candidates hold.
    holds: Vec<bool>,
    /// How often something was removed.
    version: u32,
}

/// A path with what is made of the candidates at both of its ends.
struct Step {
    path: Path,
    /// For every instance, the candidates about it.
    before: Vec<usize>,
    /// The candidates after the path.
    after: Vec<Term>,
    /// The control variables of the instances, as symbols.
    controls: Vec<Vec<Symbol>>,
}

struct Weakening<'p, 's> {
    subject: &'s Subject<'p>,
    candidates: Vec<Candidate>,
    steps: Vec<Step>,
    /// The candidates about an instance.
    instances: Vec<(Instance, Vec<Term>)>,
    summary: BTreeMap<Control, Known>,
    /// The versions of what a step relied on when it was last found to be fine.
    settled: BTreeMap<(usize, Vec<Control>), Vec<u32>>,
    queries: u64,
}

/// The beginning of a step: control values for each instance, and for each symbol.
struct Beginning {
    keys: Vec<Control>,
    values: BTreeMap<Symbol, i64>,
}

/// A step from some control values to others; an error has none.
struct Job {
    step: usize,
    beginning: Beginning,
    target: Option<Control>,
}

impl<'p, 's> Weakening<'p, 's> {
    fn new(context: &mut Context<'p>, subject: &'s Subject<'p>, wealth: Wealth) -> Weakening<'p, 's> {
        let Subject { single, results, controls, tallies, found, .. } = subject;
        let mut paths = found.paths.clone();
        let symbol = |variable: Var| single.variables[variable].symbol;
        let mut instances: Vec<Instance> = vec![results.clone()];
        for instance in found.known.values().flatten() {
            if !instances.contains(instance) {
                instances.push(instance.clone());
            }
        }
        let control_vars: Vec<Var> =
            instances.iter().flat_map(|instance| controls.iter().map(|&number| instance[number])).collect();
        let control_symbols: Vec<Symbol> = control_vars.iter().map(|&control| symbol(control)).collect();
        for path in &mut paths {
            path.find_links(&control_symbols, context.terms);
        }
        let mut variables = StateVariables { controls: control_vars, tallies: Vec::new(), plain: Vec::new() };
        for (number, &result) in results.iter().enumerate() {
            if tallies.contains(&number) {
                variables.tallies.push((result, symbol(result)));
            } else if !controls.contains(&number) {
                variables.plain.push((result, symbol(result)));
            }
        }
        let candidates = candidates(&variables, &paths, wealth, context.terms);
        let mut about = Vec::new();
        for instance in instances {
            let mut put = Substitution::new();
            for (&result, &variable) in results.iter().zip(&instance) {
                let value = context.terms.constant(symbol(variable));
                put.insert(symbol(result), value);
            }
            let formulas = candidates.iter().map(|c| put.apply(context.terms, c.formula)).collect();
            about.push((instance, formulas));
        }
        let mut steps = Vec::new();
        for path in paths {
            let number = |instance: &Instance| {
                about.iter().position(|(known, _)| known == instance).expect("all instances were collected")
            };
            let before = path.instances.iter().map(number).collect();
            let mut post = path.relation.substitution(&single.variables);
            let after = match path.end {
                End::Exit => candidates.iter().map(|c| post.apply(context.terms, c.formula)).collect(),
                End::Error => Vec::new(),
            };
            let symbols = |instance: &Instance| controls.iter().map(|&c| symbol(instance[c])).collect();
            let controls = path.instances.iter().map(symbols).collect();
            steps.push(Step { path, before, after, controls });
        }
        Weakening {
            subject,
            candidates,
            steps,
            instances: about,
            summary: BTreeMap::new(),
            settled: BTreeMap::new(),
            queries: 0,
        }
    }

    fn counters(&self) -> [Counter; 3] {
        [
            ("thread-modular queries", "questions to the solver about steps of threads", self.queries),
            ("thread-modular places", "combinations of places of threads", self.summary.len() as u64),
            (
                "thread-modular candidates",
                "formulas that were tried as invariants",
                self.candidates.len() as u64,
            ),
        ]
    }

    fn run(&mut self, context: &mut Context<'p>) -> Result<Verdict, Interrupted> {
        let mut session = context.session();
        for &axiom in &self.subject.single.axioms {
            session.assert(context.terms, axiom);
        }
        loop {
            let mut changed = false;
            for number in 0..self.steps.len() {
                if self.steps[number].path.end == End::Exit {
                    match self.weaken_for(context, &mut *session, number)? {
                        Some(weakened) => changed |= weakened,
                        None => return Ok(unsupported("a thread whose place is not a number")),
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let mut failing = 0;
        for number in 0..self.steps.len() {
            if self.steps[number].path.end == End::Error
                && !self.is_impossible(context, &mut *session, number)?
            {
                failing += 1;
            }
        }
        if failing > 0 {
            return Ok(Verdict::Unknown(Reason::NotShown { first: None, others: failing - 1 }));
        }
        self.keep_needed(context, &mut *session)?;
        Ok(match self.proof(context) {
            Some(proof) => Verdict::Safe(proof),
            None => unsupported("places of the program of which nothing is known"),
        })
    }

    /// The ways in which a step can begin in states of the summary.
    fn beginnings(&self, step: &Step) -> Vec<Beginning> {
        let mut values = BTreeMap::new();
        if !step.path.propagate(&mut values) {
            return Vec::new();
        }
        let mut open = vec![Beginning { keys: Vec::new(), values }];
        for controls in &step.controls {
            let mut next = Vec::new();
            for beginning in open {
                let wanted: Vec<Option<i64>> =
                    controls.iter().map(|control| beginning.values.get(control).copied()).collect();
                let exact: Option<Control> = wanted.iter().copied().collect();
                let keys: Vec<&Control> = match &exact {
                    Some(key) => self.summary.get_key_value(key).map(|(key, _)| key).into_iter().collect(),
                    None => self.summary.keys().filter(|key| fits(key, &wanted)).collect(),
                };
                for key in keys {
                    let mut values = beginning.values.clone();
                    values.extend(controls.iter().copied().zip(key.iter().copied()));
                    if step.path.propagate(&mut values) {
                        let keys = beginning.keys.iter().chain([key]).cloned().collect();
                        next.push(Beginning { keys, values });
                    }
                }
            }
            open = next;
        }
        open
    }

    /// Removes from the summary what a step violates; whether there was something. Nothing if that cannot be said.
    fn weaken_for(
        &mut self,
        context: &mut Context<'p>,
        session: &mut dyn Solver,
        number: usize,
    ) -> Result<Option<bool>, Interrupted> {
        let mut changed = false;
        for beginning in self.beginnings(&self.steps[number]) {
            let versions: Vec<u32> = beginning.keys.iter().map(|key| self.summary[key].version).collect();
            let job = (number, beginning.keys.clone());
            if self.settled.get(&job) == Some(&versions) {
                continue;
            }
            let Some(target) = self.target(context, &self.steps[number], &beginning) else { return Ok(None) };
            session.push();
            self.assert_before(context, session, number, &beginning);
            let weakened = self.weaken(context, session, (number, &beginning), &target);
            session.pop();
            let weakened = weakened?;
            changed |= weakened;
            let versions = job.1.iter().map(|key| self.summary[key].version).collect();
            // A step that weakens what it relies on is asked again.
            if !(weakened && job.1.contains(&target)) {
                self.settled.insert(job, versions);
            }
        }
        Ok(Some(changed))
    }

    /// Says in the session what holds before a step, and what the step demands.
    fn assert_before(
        &self,
        context: &mut Context<'p>,
        session: &mut dyn Solver,
        number: usize,
        beginning: &Beginning,
    ) {
        self.assert_guard(context, session, number, beginning);
        let step = &self.steps[number];
        for (&instance, key) in step.before.iter().zip(&beginning.keys) {
            let known = &self.summary[key];
            for candidate in self.strongest(known) {
                session.assert(context.terms, self.instances[instance].1[candidate]);
            }
        }
    }

    /// Says in the session what a step demands.
    fn assert_guard(
        &self,
        context: &mut Context<'p>,
        session: &mut dyn Solver,
        number: usize,
        beginning: &Beginning,
    ) {
        let mut constants = Substitution::new();
        for (&symbol, &value) in &beginning.values {
            let value = context.terms.int(value);
            constants.insert(symbol, value);
        }
        let guard = constants.apply(context.terms, self.steps[number].path.relation.guard);
        session.assert(context.terms, guard);
    }

    /// The candidates that hold and do not follow from others by their form.
    fn strongest<'a>(&'a self, known: &'a Known) -> impl Iterator<Item = usize> + 'a {
        strongest(&self.candidates, &known.holds)
    }

    /// Weakens what is known of the states to which a step leads, until it leads to no others. The session knows what
    /// holds before.
    fn weaken(
        &mut self,
        context: &mut Context<'p>,
        session: &mut dyn Solver,
        (number, beginning): (usize, &Beginning),
        target: &Control,
    ) -> Result<bool, Interrupted> {
        let mut weakened = false;
        let before = self.steps[number].before.iter().zip(&beginning.keys);
        // Where the control values stay the same, what the step does not change is still there.
        let same: Vec<usize> =
            before.filter(|(_, key)| *key == target).map(|(&instance, _)| instance).collect();
        loop {
            context.budget.check()?;
            let goal = match self.summary.get(target) {
                None => None,
                Some(known) => {
                    let step = &self.steps[number];
                    let mut violated = Vec::new();
                    for candidate in self.strongest(known) {
                        let after = step.after[candidate];
                        if !same.iter().any(|&instance| self.instances[instance].1[candidate] == after) {
                            violated.push(context.terms.not(after));
                        }
                    }
                    Some(context.terms.or(violated))
                }
            };
            if goal.is_some_and(Term::is_false) {
                return Ok(weakened);
            }
            session.push();
            session.assert(context.terms, goal.unwrap_or(Term::TRUE));
            self.queries += 1;
            let answer = session.check(context.terms);
            let model = if answer == Answer::Sat { session.model(context.terms).ok() } else { None };
            session.pop();
            if answer == Answer::Unsat {
                return Ok(weakened);
            }
            weakened = true;
            let after = &self.steps[number].after;
            let found: Vec<bool> = match &model {
                Some(model) => {
                    let mut evaluator = Evaluator::new(model);
                    let mut holds = |&formula: &Term| {
                        evaluator.evaluate(context.terms, formula).is_ok_and(|value| value.is_true())
                    };
                    after.iter().map(&mut holds).collect()
                }
                // Nothing is claimed that the solver could not decide.
                None => vec![false; after.len()],
            };
            match self.summary.get_mut(target) {
                None => {
                    self.summary.insert(target.clone(), Known { holds: found, version: 0 });
                }
                Some(known) => {
                    let before = known.holds.clone();
                    known.holds.iter_mut().zip(found).for_each(|(holds, found)| *holds &= found);
                    known.version += 1;
                    if known.holds == before {
                        // The model does not fit our evaluator.
                        known.holds.fill(false);
                    }
                }
            }
        }
    }

    /// Whether a step into an error cannot be taken in any state of the summary.
    fn is_impossible(
        &mut self,
        context: &mut Context<'p>,
        session: &mut dyn Solver,
        number: usize,
    ) -> Result<bool, Interrupted> {
        for beginning in self.beginnings(&self.steps[number]) {
            context.budget.check()?;
            session.push();
            self.assert_before(context, session, number, &beginning);
            self.queries += 1;
            let answer = session.check(context.terms);
            session.pop();
            if answer != Answer::Unsat {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The control values to which a step leads; nothing if they are not numbers.
    fn target(&self, context: &mut Context<'p>, step: &Step, beginning: &Beginning) -> Option<Control> {
        let mut target = Vec::new();
        for &control in &self.subject.controls {
            let control = self.subject.results[control];
            let symbol = self.subject.single.variables[control].symbol;
            target.push(step.path.control_after((control, symbol), &beginning.values, context.terms)?);
        }
        Some(target)
    }

    /// Removes what neither excludes an error nor is needed to keep what is needed. A proof is as good without, and people
    /// can read it.
    fn keep_needed(
        &mut self,
        context: &mut Context<'p>,
        session: &mut dyn Solver,
    ) -> Result<(), Interrupted> {
        let mut jobs = Vec::new();
        for number in 0..self.steps.len() {
            for beginning in self.beginnings(&self.steps[number]) {
                let target = match self.steps[number].path.end {
                    End::Exit => self.target(context, &self.steps[number], &beginning),
                    End::Error => None,
                };
                jobs.push(Job { step: number, beginning, target });
            }
        }
        let mut needed: BTreeMap<Control, BTreeSet<usize>> = BTreeMap::new();
        let mut shown: Vec<Option<usize>> = vec![None; jobs.len()];
        loop {
            let mut changed = false;
            for (job, shown) in jobs.iter().zip(&mut shown) {
                let reached = job.target.as_ref().filter(|&target| self.summary.contains_key(target));
                let goals: Vec<usize> = match reached {
                    Some(target) => needed.get(target).into_iter().flatten().copied().collect(),
                    None => Vec::new(),
                };
                // Where nothing is needed, or nothing new, there is nothing to show.
                if shown.replace(goals.len()) == Some(goals.len()) || (reached.is_some() && goals.is_empty())
                {
                    continue;
                }
                context.budget.check()?;
                let Some(used) = self.used(context, session, job, &goals) else { return Ok(()) };
                for (key, candidate) in used {
                    changed |= needed.entry(key).or_default().insert(candidate);
                }
            }
            if !changed {
                break;
            }
        }
        for (key, known) in &mut self.summary {
            let wanted = needed.get(key);
            for (number, holds) in known.holds.iter_mut().enumerate() {
                *holds &= wanted.is_some_and(|wanted| wanted.contains(&number));
            }
        }
        Ok(())
    }

    /// What a step needs to know so that it has these goals; nothing if the solver does not tell.
    fn used(
        &mut self,
        context: &mut Context<'p>,
        session: &mut dyn Solver,
        job: &Job,
        goals: &[usize],
    ) -> Option<Vec<(Control, usize)>> {
        let step = &self.steps[job.step];
        let mut violated = Vec::new();
        for &goal in goals {
            violated.push(context.terms.not(step.after[goal]));
        }
        let violated = if goals.is_empty() { Term::TRUE } else { context.terms.or(violated) };
        let mut assumptions: Vec<(Term, Control, usize)> = Vec::new();
        for (&instance, key) in step.before.iter().zip(&job.beginning.keys) {
            for candidate in self.strongest(&self.summary[key]) {
                assumptions.push((self.instances[instance].1[candidate], key.clone(), candidate));
            }
        }
        session.push();
        self.assert_guard(context, session, job.step, &job.beginning);
        session.assert(context.terms, violated);
        let formulas: Vec<Term> = assumptions.iter().map(|&(formula, ..)| formula).collect();
        self.queries += 1;
        let answer = session.check_assuming(context.terms, &formulas);
        let core = if answer == Answer::Unsat { session.core(context.terms).ok() } else { None };
        session.pop();
        let core = core?;
        let used = assumptions.into_iter().filter(|(formula, ..)| core.contains(formula));
        Some(used.map(|(_, key, candidate)| (key, candidate)).collect())
    }

    /// The summary as a formula about an instance.
    fn formula(&self, terms: &mut Terms, instance: &Instance) -> Term {
        let about = self.instances.iter().find(|(known, _)| known == instance);
        let Some((_, candidates)) = about else { return Term::TRUE };
        let mut parts = Vec::new();
        let mut places = Vec::new();
        for (key, known) in &self.summary {
            let mut place = Vec::new();
            for (&control, &value) in self.subject.controls.iter().zip(key) {
                let control = self.subject.single.variables.term(terms, instance[control]);
                let value = terms.int(value);
                place.push(terms.eq(control, value));
            }
            let place = terms.and(place);
            places.push(place);
            let holds: Vec<Term> = self.strongest(known).map(|number| candidates[number]).collect();
            let holds = terms.and(holds);
            parts.push(terms.implies(place, holds));
        }
        parts.push(terms.or(places));
        terms.and(parts)
    }

    /// The summary as a proof.
    fn proof(&self, context: &mut Context<'p>) -> Option<Proof> {
        self.subject.proof(context, |terms, instance| self.formula(terms, instance))
    }
}

/// Whether control values are those that are wanted, where something is wanted.
fn fits(key: &Control, wanted: &[Option<i64>]) -> bool {
    key.iter().zip(wanted).all(|(value, wanted)| wanted.is_none_or(|wanted| wanted == *value))
}
