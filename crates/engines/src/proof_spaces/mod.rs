//! Proof spaces (A. Farzan, Z. Kincaid, A. Podelski, *Proof Spaces for Unbounded Parallelism*, POPL 2015; the outlook of paper "Software
//! Model Checking for People who Love Automata", Section 4).
//!
//! A proof of a program with any number of threads is a set of Hoare triples about steps of single threads. What follows from it by renaming threads,
//! by conjunction and by sequencing is the proof space; if it has `{true} trace {false}` for every error trace, the program is safe. While some error
//! trace is not in the space: if it is feasible, others have to look for the error; if not, its interpolants are new facts of the space.
//!
//! Whether all error traces are in the space is the emptiness of a predicate automaton (crate `alternating`) that reads traces from their ends to their
//! beginnings ([`Uncovered`]): it accepts the error traces that are not in the space. What it has to accept is a set of atoms, of three kinds: that the first
//! thread is at a place, that some thread is at a place, and that a fact is *not* derived. For facts this is the dual of the automaton of the paper, which derives them:
//! of every triple that leads to a fact, one fact before it is not derived.
//!
//! When it is empty, the configurations that cover all others are an invariant of any number of threads ([`invariant`]): no threads are at the places of one of
//! them with all of its facts false. That is the certificate. So what is trusted and what is checked is as with other invariants of any number of
//! threads: the program of crate `threads`, and the check of its summaries; nothing of predicate automata is.
//!
//! Requires a program about any number of threads; its letters are its paths ([`letters`]). Invariants speak of the first thread and one or two others, as the program does;
//! facts about more threads are not used. Never finds errors.
//!
//! Cost: a search over configurations for every trace, and questions about each fact behind each letter that changes something that it speaks of.

mod invariant;
mod letters;
mod space;
mod traces;

use crate::any_number::{Subject, unsupported};
use crate::context::Context;
use crate::task::{Progress, Task};
use alternating::{
    Alternating, Atom, Emptiness, EntityRef, Formula, Letter, Predicate, Reading, Thread, emptiness,
};
use base::Interrupted;
use letters::{ASLEEP, Alphabet};
use program::{Reason, Verdict};
use smt::Solver;
use space::{About, Space};
use std::collections::BTreeMap;
use traces::{Checker, Outcome, SOURCES};

base::statistics! {
    /// What the loop did.
    pub struct ProofSpaceStatistics {
        iterations: "traces of threads that were not in the proof space",
        facts: "facts of the proof space",
        triples: "questions to the solver about triples of the proof space",
        configurations: "configurations that cover all others",
    }
}

/// The engine.
pub fn run(task: &mut Task<'_>) -> Result<Verdict, Interrupted> {
    let (source, single, observe) = (task.source, task.single, task.observe);
    let mut statistics = ProofSpaceStatistics::default();
    let mut context = task.context();
    let verdict = match Subject::of(source, single, context.terms, &context.budget.clone())? {
        Err(verdict) => Ok(verdict),
        Ok(subject) => match Alphabet::of(&subject, context.terms) {
            None => Ok(unsupported("a thread whose place is not a number")),
            Some(alphabet) => {
                let mut session = context.session();
                for &axiom in &subject.single.axioms {
                    session.assert(context.terms, axiom);
                }
                let meanings = Meanings::new();
                let uncovered =
                    Uncovered { context: &mut context, session, alphabet, space: Space::new(), meanings };
                ProofSpace { subject: &subject, uncovered, observe, statistics: &mut statistics }.run()
            }
        },
    };
    drop(context);
    task.counted.add(statistics.entries());
    verdict
}

struct ProofSpace<'a, 'p> {
    subject: &'a Subject<'p>,
    uncovered: Uncovered<'a, 'p>,
    observe: &'a dyn Fn(Progress),
    statistics: &'a mut ProofSpaceStatistics,
}

impl ProofSpace<'_, '_> {
    fn run(&mut self) -> Result<Verdict, Interrupted> {
        // How many sources of interpolants were used for a trace.
        let mut tried: BTreeMap<Vec<Reading>, usize> = BTreeMap::new();
        loop {
            let budget = self.uncovered.context.budget.clone();
            budget.check()?;
            let found = emptiness(&mut self.uncovered, &budget);
            self.statistics.facts = self.uncovered.space.facts.len() as u64;
            self.statistics.triples = self.uncovered.space.questions;
            let trace = match found? {
                Emptiness::Empty(covering) => {
                    self.statistics.configurations = covering.len() as u64;
                    return self.invariant(&covering);
                }
                // Traces are read from their ends.
                Emptiness::Word(word) => word.into_iter().rev().collect::<Vec<Reading>>(),
            };
            self.statistics.iterations += 1;
            (self.observe)(Progress {
                iterations: self.statistics.iterations,
                trace: trace.len(),
                states: self.uncovered.space.facts.len(),
                round: None,
            });
            tracing::debug!(
                ?trace,
                facts = self.uncovered.space.facts.len(),
                "a trace is not in the proof space"
            );
            let sources = tried.entry(trace.clone()).or_default();
            let left = &SOURCES[(*sources).min(SOURCES.len())..];
            *sources += 1;
            match self.uncovered.check(self.subject, &trace, left)? {
                Outcome::Feasible => {
                    return Ok(Verdict::Unknown(Reason::NotShown { first: None, others: 0 }));
                }
                Outcome::Infeasible(formulas) => self.uncovered.add(formulas),
                Outcome::NotProven => {
                    let why = format!("a trace of {} steps of threads", trace.len());
                    return Ok(Verdict::Unknown(Reason::Interpolation(why)));
                }
                Outcome::Unclear(why) => return Ok(Verdict::Unknown(Reason::TraceCheck(why))),
            }
        }
    }
}

/// What a predicate of the automaton says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Meaning {
    /// Nothing was read. An error has to come first.
    End,
    /// What is read is a trace of the program.
    Run,
    /// All of a trace was read.
    Start,
    /// The first thread is here.
    FirstAt(i64),
    /// The thread is here.
    At(i64),
    /// The fact about the threads is not derived.
    Missing(usize),
}

/// Predicates and what they say. The first one is [`Meaning::End`].
struct Meanings {
    list: Vec<Meaning>,
    predicates: BTreeMap<Meaning, Predicate>,
}

impl Meanings {
    fn new() -> Meanings {
        let mut meanings = Meanings { list: Vec::new(), predicates: BTreeMap::new() };
        meanings.predicate(Meaning::End);
        meanings
    }

    fn predicate(&mut self, meaning: Meaning) -> Predicate {
        let Meanings { list, predicates } = self;
        *predicates.entry(meaning).or_insert_with(|| {
            list.push(meaning);
            Predicate::new(list.len() - 1)
        })
    }

    fn atom(&mut self, meaning: Meaning, threads: Vec<Thread>) -> Formula<Atom> {
        Formula::Atom(Atom { predicate: self.predicate(meaning), threads })
    }
}

/// The automaton of the error traces that are not in the proof space, read backwards.
struct Uncovered<'a, 'p> {
    context: &'a mut Context<'p>,
    session: Box<dyn Solver>,
    alphabet: Alphabet,
    space: Space,
    meanings: Meanings,
}

impl Uncovered<'_, '_> {
    fn check(
        &mut self,
        subject: &Subject<'_>,
        trace: &[Reading],
        sources: &[crate::interpolation::Interpolation],
    ) -> Result<Outcome, Interrupted> {
        let checker = Checker {
            solvers: self.context.solvers,
            budget: self.context.budget.clone(),
            single: subject.single,
            procedure: subject.procedure,
        };
        checker.check(&mut self.alphabet, trace, sources, self.context.terms)
    }

    fn add(&mut self, formulas: Vec<logic::Term>) {
        for formula in formulas {
            self.space.add(&self.alphabet, formula, self.context.terms);
        }
    }

    /// That a fact is not derived behind a letter: no triple with it has all of its facts before.
    fn missing(
        &mut self,
        fact: usize,
        threads: &[Thread],
        reading: &Reading,
    ) -> Result<Formula<Atom>, Interrupted> {
        let mut present = reading.threads.clone();
        let mut places = Vec::with_capacity(threads.len());
        for &thread in threads {
            let place = present.iter().position(|&known| known == thread);
            places.push(place.unwrap_or(present.len()));
            if place.is_none() {
                present.push(thread);
            }
        }
        let question = (fact, reading.letter.index(), places);
        let triples = self.space.triples(self.context, &mut *self.session, &mut self.alphabet, question)?;
        let meanings = &mut self.meanings;
        let mut missing = |about: &About| {
            let threads = about.threads.iter().map(|&place| present[place]).collect();
            meanings.atom(Meaning::Missing(about.fact), threads)
        };
        Ok(Formula::and(
            triples.iter().map(|before| Formula::or(before.iter().map(&mut missing))).collect::<Vec<_>>(),
        ))
    }

    /// Where the threads of a letter are before it, and that a trace ends there.
    fn before(&mut self, reading: &Reading) -> Formula<Atom> {
        let data = &self.alphabet.letters[reading.letter.index()];
        if data.begins {
            return self.meanings.atom(Meaning::Start, Vec::new());
        }
        let mut parts = vec![self.meanings.atom(Meaning::Run, Vec::new())];
        if let Some(moves) = data.first {
            parts.push(self.meanings.atom(Meaning::FirstAt(moves.before), Vec::new()));
        }
        for (moves, &thread) in data.threads.iter().zip(&reading.threads) {
            parts.push(self.meanings.atom(Meaning::At(moves.before), vec![thread]));
        }
        Formula::and(parts)
    }
}

impl Alternating for Uncovered<'_, '_> {
    fn letters(&self) -> Vec<(Letter, usize)> {
        let letters = self.alphabet.letters.iter().enumerate();
        letters.map(|(number, data)| (Letter::new(number), data.threads.len())).collect()
    }

    fn initial(&self) -> Formula<Atom> {
        Formula::Atom(Atom { predicate: Predicate::new(0), threads: Vec::new() })
    }

    fn is_accepting(&self, predicate: Predicate) -> bool {
        self.meanings.list[predicate.index()] == Meaning::Start
    }

    fn step(&mut self, atom: &Atom, reading: &Reading) -> Result<Formula<Atom>, Interrupted> {
        let truth = |holds: bool| if holds { Formula::True } else { Formula::False };
        let meaning = self.meanings.list[atom.predicate.index()];
        let data = &self.alphabet.letters[reading.letter.index()];
        // An error is the end of a trace, and nothing else is.
        if data.fails != (meaning == Meaning::End) {
            return Ok(Formula::False);
        }
        let (begins, first) = (data.begins, data.first);
        Ok(match meaning {
            Meaning::End => {
                let missing = self.missing(Space::FALSE, &[], reading)?;
                Formula::and([self.before(reading), missing])
            }
            Meaning::Start => Formula::False,
            Meaning::Run => self.before(reading),
            Meaning::FirstAt(place) => match first {
                Some(moves) => truth(moves.after == place),
                None => Formula::Atom(atom.clone()),
            },
            Meaning::At(place) => {
                let taking = reading.threads.iter().position(|thread| *thread == atom.threads[0]);
                match taking {
                    Some(number) => truth(data.threads[number].after == place),
                    None if begins => truth(place == ASLEEP),
                    None => Formula::Atom(atom.clone()),
                }
            }
            Meaning::Missing(fact) => self.missing(fact, &atom.threads, reading)?,
        })
    }
}
