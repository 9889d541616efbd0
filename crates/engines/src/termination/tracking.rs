//! Predicates along the traces of a component.
//!
//! [`Graph`] is the component with a letter for every pair of classes that steps lead from and to. [`Tracker`] has a few
//! predicates for every class, over the state and over the rank that was measured last. From a set of predicates that
//! hold, a letter leads to the set of all that hold afterwards (Cartesian abstraction), so traces determine their sets.
//! Every question is asked once.

use super::Termination;
use super::components::{Component, beginning};
use super::transitions::Transition;
use crate::horn::Class;
use base::Interrupted;
use logic::evaluate::Evaluator;
use logic::{Substitution, Symbol, Term, Terms};
use rustc_hash::FxHashMap;
use smt::{Answer, Solver};
use std::collections::BTreeMap;

/// All steps between two classes.
pub struct LetterData {
    /// Where they begin.
    pub source: Class,
    /// Where they end.
    pub target: Class,
    /// The steps.
    pub steps: Vec<usize>,
}

/// A component as a graph with letters. They are positions in `letters`.
pub struct Graph {
    /// The letters.
    pub letters: Vec<LetterData>,
    /// The classes that are entered from outside, or where runs begin.
    pub entries: Vec<Class>,
    /// The steps that enter a class from outside.
    pub entering: Vec<usize>,
    prepared: BTreeMap<usize, Prepared>,
}

/// A step with a session that knows when it is possible.
struct Prepared {
    transition: Transition,
    session: Box<dyn Solver>,
}

/// What holds after a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum After {
    /// The step is impossible.
    Never,
    /// These of the candidates hold.
    Holds(Vec<usize>),
}

impl Graph {
    /// The graph of a component.
    pub fn new(engine: &Termination<'_, '_>, component: &Component) -> Graph {
        let mut numbers: BTreeMap<(Class, Class), usize> = BTreeMap::new();
        let mut letters: Vec<LetterData> = Vec::new();
        for &step in &component.steps {
            let data = &engine.whole.steps[step];
            let (source, target) = (beginning(data), data.target.expect("steps of components stay inside"));
            let number = *numbers.entry((source, target)).or_insert_with(|| {
                letters.push(LetterData { source, target, steps: Vec::new() });
                letters.len() - 1
            });
            letters[number].steps.push(step);
        }
        let inside = |class: Class| component.classes.contains(&class);
        let enters = |step: &crate::horn::Step| step.target.is_some_and(inside) && !inside(beginning(step));
        let entering: Vec<usize> =
            (0..engine.whole.steps.len()).filter(|&step| enters(&engine.whole.steps[step])).collect();
        let mut entries: Vec<Class> =
            entering.iter().filter_map(|&step| engine.whole.steps[step].target).collect();
        entries.extend(engine.whole.initial.iter().copied().filter(|&class| inside(class)));
        entries.sort_unstable();
        entries.dedup();
        Graph { letters, entries, entering, prepared: BTreeMap::new() }
    }

    /// The first step of each letter of a word.
    pub fn steps(&self, word: &[usize]) -> Vec<usize> {
        word.iter().map(|&letter| self.letters[letter].steps[0]).collect()
    }

    /// Which candidates hold after a step if something holds before it.
    pub fn after(
        &mut self,
        engine: &mut Termination<'_, '_>,
        step: usize,
        before: &[Term],
        candidates: &[Term],
    ) -> Result<After, Interrupted> {
        let prepared = self.prepared.entry(step).or_insert_with(|| {
            let mut transition =
                Transition::new(engine.context.program, &engine.whole, step, engine.context.terms);
            let formula = transition.formula(&engine.known, engine.context.terms);
            let session = engine.session(&formula);
            Prepared { transition, session }
        });
        let terms = &mut *engine.context.terms;
        prepared.session.push();
        for &formula in before {
            let formula = prepared.transition.before.apply(terms, formula);
            prepared.session.assert(terms, formula);
        }
        let candidates: Vec<Term> =
            candidates.iter().map(|&formula| prepared.transition.after.apply(terms, formula)).collect();
        let found = implied(engine, &mut *prepared.session, &candidates);
        prepared.session.pop();
        found
    }
}

/// Which candidates follow from what a session knows.
pub(super) fn implied(
    engine: &mut Termination<'_, '_>,
    session: &mut dyn Solver,
    candidates: &[Term],
) -> Result<After, Interrupted> {
    let terms = &mut *engine.context.terms;
    let mut left: Vec<usize> = (0..candidates.len()).collect();
    let mut first = true;
    loop {
        engine.context.budget.check()?;
        session.push();
        if !first {
            let all = terms.and(left.iter().map(|&number| candidates[number]).collect::<Vec<_>>());
            let violated = terms.not(all);
            session.assert(terms, violated);
        }
        let answer = session.check(terms);
        let model = if answer == Answer::Sat { session.model(terms).ok() } else { None };
        session.pop();
        match (answer, model) {
            (Answer::Unsat, _) if first => return Ok(After::Never),
            (Answer::Unsat, _) => return Ok(After::Holds(left)),
            (Answer::Sat, Some(model)) => {
                let before = left.len();
                let mut evaluator = Evaluator::new(&model);
                left.retain(|&number| {
                    evaluator.evaluate(terms, candidates[number]).is_ok_and(|value| value.is_true())
                });
                if left.is_empty() || !first && left.len() == before {
                    return Ok(After::Holds(Vec::new()));
                }
            }
            // Whatever the solver does not know is not taken for granted.
            _ if first => {}
            _ => return Ok(After::Holds(Vec::new())),
        }
        first = false;
    }
}

/// Predicates for every class, with the sets that letters lead to.
pub struct Tracker {
    /// The predicates of each class.
    pub pool: BTreeMap<Class, Vec<Term>>,
    /// That the old rank is the rank now, where it is measured.
    pub measuring: Vec<Term>,
    /// Other names for the old rank.
    older: Substitution,
    answered: FxHashMap<Question, After>,
}

/// A set of predicates, whether the rank is measured now, and a letter.
type Question = (Vec<usize>, bool, usize);

impl Tracker {
    /// A tracker without predicates.
    pub fn new(measuring: Vec<Term>) -> Tracker {
        let (pool, older) = (BTreeMap::new(), Substitution::new());
        Tracker { pool, measuring, older, answered: FxHashMap::default() }
    }

    /// Predicates may speak of these names of the old rank.
    pub fn speak_of(&mut self, old: &[Symbol], terms: &mut Terms) {
        for &symbol in old {
            let sort = terms.symbol_data(symbol).sort;
            let fresh = terms.fresh_symbol("older rank", sort);
            let fresh = terms.constant(fresh);
            self.older.insert(symbol, fresh);
        }
    }

    /// Adds a predicate; its number.
    pub fn add(&mut self, class: Class, predicate: Term) -> usize {
        let pool = self.pool.entry(class).or_default();
        pool.iter().position(|&known| known == predicate).unwrap_or_else(|| {
            pool.push(predicate);
            pool.len() - 1
        })
    }

    /// The predicates of a class with some numbers.
    pub fn formulas(&self, class: Class, numbers: &[usize]) -> Vec<Term> {
        numbers.iter().map(|&number| self.pool[&class][number]).collect()
    }

    /// The predicates that hold after a letter if some hold before it, and the rank is measured there or not.
    pub fn successor(
        &mut self,
        engine: &mut Termination<'_, '_>,
        graph: &mut Graph,
        (predicates, measured_now): (&[usize], bool),
        letter: usize,
    ) -> Result<After, Interrupted> {
        let question = (predicates.to_vec(), measured_now, letter);
        if let Some(known) = self.answered.get(&question) {
            return Ok(known.clone());
        }
        let LetterData { source, target, ref steps } = graph.letters[letter];
        let steps = steps.clone();
        let mut before = self.formulas(source, predicates);
        if measured_now {
            // What holds is about the rank that was the old one until now.
            for formula in &mut before {
                *formula = self.older.apply(engine.context.terms, *formula);
            }
            before.extend(&self.measuring);
        }
        let candidates = self.pool.get(&target).cloned().unwrap_or_default();
        let mut all = After::Never;
        for step in steps {
            let one = graph.after(engine, step, &before, &candidates)?;
            all = match (all, one) {
                (After::Never, other) | (other, After::Never) => other,
                (After::Holds(mut left), After::Holds(right)) => {
                    left.retain(|number| right.contains(number));
                    After::Holds(left)
                }
            };
        }
        self.answered.insert(question, all.clone());
        Ok(all)
    }

    /// The predicates that hold whenever a class is entered from outside.
    pub fn at_entry(
        &mut self,
        engine: &mut Termination<'_, '_>,
        graph: &mut Graph,
        class: Class,
    ) -> Result<Vec<usize>, Interrupted> {
        let candidates = self.pool.get(&class).cloned().unwrap_or_default();
        let mut left: Vec<usize> = (0..candidates.len()).collect();
        if engine.whole.initial.contains(&class) {
            let mut session = engine.session(&[]);
            match implied(engine, &mut *session, &candidates)? {
                After::Never => {}
                After::Holds(held) => left.retain(|number| held.contains(number)),
            }
        }
        for step in graph.entering.clone() {
            if engine.whole.steps[step].target == Some(class)
                && let After::Holds(held) = graph.after(engine, step, &[], &candidates)?
            {
                left.retain(|number| held.contains(number));
            }
        }
        Ok(left)
    }
}
