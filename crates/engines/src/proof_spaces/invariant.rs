//! From the configurations of an empty automaton to an invariant of any number of threads.
//!
//! A state *matches* a configuration if different threads of it are at the places of the configuration and its facts, about these threads, are false. The invariant says that no
//! state matches a configuration of the covering. It holds at the beginning, as no configuration is accepted there. A step keeps it: if the state after
//! matches a configuration, its facts are false there, so of every triple for this step that leads to one of them a fact before is false, and the state before
//! matches what the automaton has to accept then, which one of the configurations covers. And no step from it is an error: the state before one would match what has
//! to be accepted when the error is the last letter.
//!
//! The program about any number of threads follows the first thread and k others; it knows the invariant of all choices of k among these and one more, so if no configuration
//! has more than k threads, the invariant is a summary of the program; so configurations with more are replaced ([`ProofSpace::narrowed`]). That it is one is checked here, path by path, so that no proof is handed over that is none.

use super::space::selections;
use super::{Meaning, ProofSpace};
use crate::any_number::paths::End;
use crate::any_number::unsupported;
use alternating::{Configuration, Emptiness, EntityRef, Thread, emptiness_from};
use base::Interrupted;
use logic::Term;
use program::{Reason, Verdict};
use smt::{Answer, Solver};

/// So many searches are made to do with fewer threads.
const MOST_SEARCHES: usize = 300;

impl ProofSpace<'_, '_> {
    /// The verdict when all traces are in the space.
    pub(super) fn invariant(&mut self, covering: &[Configuration]) -> Result<Verdict, Interrupted> {
        let Some(narrow) = self.narrowed(covering)? else {
            return Ok(unsupported("an invariant about more threads than are followed"));
        };
        let Some(invariant) = self.formula(&narrow) else {
            return Ok(unsupported("an invariant about more threads than are followed"));
        };
        if !self.is_summary(invariant)? {
            return Ok(Verdict::Unknown(Reason::NotShown { first: None, others: 0 }));
        }
        let subject = self.subject;
        let proof = subject
            .proof(self.uncovered.context, |terms, instance| subject.about(terms, invariant, instance));
        Ok(match proof {
            Some(proof) => Verdict::Safe(proof),
            None => unsupported("places of the program of which nothing is known"),
        })
    }

    /// A covering by configurations that have no more threads than are followed. One with more is replaced by its part about some of them, if nothing is accepted
    /// from there either: it covers more, so the invariant says more.
    fn narrowed(&mut self, covering: &[Configuration]) -> Result<Option<Vec<Configuration>>, Interrupted> {
        let tracked = self.uncovered.alphabet.tracked;
        let budget = self.uncovered.context.budget.clone();
        let is_narrow = |configuration: &Configuration| configuration.threads().len() <= tracked;
        let (mut narrow, mut wide): (Vec<Configuration>, Vec<Configuration>) =
            covering.iter().cloned().partition(is_narrow);
        let mut searches = 0;
        while let Some(configuration) = wide.pop() {
            if narrow.iter().any(|known| known.covers(&configuration)) {
                continue;
            }
            let threads = configuration.threads();
            let mut replaced = false;
            for chosen in selections(threads.len(), tracked) {
                // In one order only.
                if !chosen.is_sorted() {
                    continue;
                }
                searches += 1;
                if searches > MOST_SEARCHES {
                    return Ok(None);
                }
                let chosen: Vec<Thread> = chosen.into_iter().map(|number| threads[number]).collect();
                let part = configuration.about(&chosen);
                let found = emptiness_from(&mut self.uncovered, &[part], &narrow, &budget)?;
                if let Emptiness::Empty(found) = found {
                    for configuration in found {
                        if is_narrow(&configuration) {
                            narrow.retain(|known| !configuration.covers(known));
                            narrow.push(configuration);
                        } else {
                            wide.push(configuration);
                        }
                    }
                    replaced = true;
                    break;
                }
            }
            if !replaced {
                return Ok(None);
            }
        }
        Ok(Some(narrow))
    }

    /// The invariant as a formula about the results of the procedure; none if it is about more threads than these.
    fn formula(&mut self, covering: &[Configuration]) -> Option<Term> {
        let super::Uncovered { context, alphabet, space, meanings, .. } = &mut self.uncovered;
        let subject = self.subject;
        let mut clauses = Vec::new();
        for configuration in covering {
            let threads = configuration.threads();
            if threads.len() > alphabet.tracked {
                return None;
            }
            for places in selections(alphabet.tracked, threads.len()) {
                let place = |thread| threads.iter().position(|&known| known == thread).map(|at| places[at]);
                let mut parts = Vec::new();
                for atom in configuration.atoms() {
                    let at: Vec<usize> = atom.threads.iter().filter_map(|&thread| place(thread)).collect();
                    let mut is_not_at = |control: usize, number: i64| {
                        let variable = subject.results[subject.controls[control]];
                        let control = subject.single.variables.term(context.terms, variable);
                        let number = context.terms.int(number);
                        let there = context.terms.eq(control, number);
                        context.terms.not(there)
                    };
                    match meanings.list[atom.predicate.index()] {
                        Meaning::Run => {}
                        // Nothing was read there, so it is no state.
                        Meaning::End | Meaning::Start => parts.push(Term::TRUE),
                        Meaning::FirstAt(number) => parts.push(is_not_at(0, number)),
                        Meaning::At(number) => parts.push(is_not_at(1 + at[0], number)),
                        Meaning::Missing(fact) => {
                            let mut renaming = alphabet.renaming(at.into_iter().enumerate(), context.terms);
                            parts.push(renaming.apply(context.terms, space.facts[fact].formula));
                        }
                    }
                }
                clauses.push(context.terms.or(parts));
            }
        }
        Some(context.terms.and(clauses))
    }

    /// Is it a summary of the procedure that excludes all errors?
    fn is_summary(&mut self, invariant: Term) -> Result<bool, Interrupted> {
        let super::Uncovered { context, session, .. } = &mut self.uncovered;
        let subject = self.subject;
        for path in &subject.found.paths {
            context.budget.check()?;
            session.push();
            session.assert(context.terms, path.relation.guard);
            for instance in &path.instances {
                let before = subject.about(context.terms, invariant, instance);
                session.assert(context.terms, before);
            }
            if path.end == End::Exit {
                let mut after = path.relation.substitution(&subject.single.variables);
                let after = after.apply(context.terms, invariant);
                let violated = context.terms.not(after);
                session.assert(context.terms, violated);
            }
            let answer = session.check(context.terms);
            session.pop();
            if answer != Answer::Unsat {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
