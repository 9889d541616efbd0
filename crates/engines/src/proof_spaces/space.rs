//! The proof space: facts about some threads, and which Hoare triples lead to them.
//!
//! A fact is a formula over the shared variables, those of the first thread, and those of as many others as its arity. It stands for itself with all choices of
//! threads: the space is closed under renaming. A triple `{Φ} letter {ψ}` has a set of facts before it and one after it, and every thread that is
//! mentioned before is mentioned after or takes part in the letter. Triples are found by the solver when they are asked for.

use super::letters::Alphabet;
use crate::context::Context;
use base::Interrupted;
use logic::{Symbol, Term, Terms};
use smt::{Answer, Solver};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// So many questions are asked about the triples with one fact behind one letter.
const MOST_QUESTIONS: usize = 12;
/// Larger cores are taken as they are.
const MOST_SHRUNK: usize = 6;

/// A fact with threads at its places, by numbers that mean something where it is used.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct About {
    pub(super) fact: usize,
    pub(super) threads: Vec<usize>,
}

/// A fact.
pub(super) struct Fact {
    /// The thread at a place has the variables of the family with that number.
    pub(super) formula: Term,
    pub(super) arity: usize,
    symbols: BTreeSet<Symbol>,
}

/// What is asked about: a fact behind a letter. Threads are numbers: those at the places of the letter come first.
type Question = (usize, usize, Vec<usize>);

/// The facts that hold before all triples with one fact behind one letter.
type Triples = Vec<BTreeSet<About>>;

/// The space.
pub(super) struct Space {
    pub(super) facts: Vec<Fact>,
    known: BTreeMap<Term, usize>,
    /// What was found, and how many facts there were.
    triples: BTreeMap<Question, (usize, Triples)>,
    /// How many questions the solver was asked.
    pub(super) questions: u64,
}

impl Space {
    /// The fact that never holds.
    pub(super) const FALSE: usize = 0;

    /// The space in which only what is false is spoken of.
    pub(super) fn new() -> Space {
        let never = Fact { formula: Term::FALSE, arity: 0, symbols: BTreeSet::new() };
        Space {
            facts: vec![never],
            known: BTreeMap::from([(Term::FALSE, Space::FALSE)]),
            triples: BTreeMap::new(),
            questions: 0,
        }
    }

    /// Adds a formula about the threads of a word; whether that is something new. Formulas about more threads than invariants can speak of are left out.
    pub(super) fn add(&mut self, alphabet: &Alphabet, formula: Term, terms: &mut Terms) -> bool {
        let families: BTreeSet<usize> = terms
            .free_symbols(formula)
            .iter()
            .filter_map(|symbol| alphabet.family_of.get(symbol).copied())
            .collect();
        let arity = families.len();
        if arity > alphabet.tracked || formula.is_true() {
            return false;
        }
        // A fact about two threads is one with the threads exchanged, too; of the two, the one counts that was made first.
        let mut written = Vec::new();
        for order in orders(arity) {
            let places = families.iter().copied().zip(order);
            let renamed = alphabet.renaming(places, terms).apply(terms, formula);
            written.push(renamed);
        }
        if written.iter().any(|renamed| self.known.contains_key(renamed)) {
            return false;
        }
        let formula = written[0];
        let symbols = terms.free_symbols(formula).into_iter().collect();
        tracing::debug!(
            fact = self.facts.len(),
            formula = logic::smtlib::print::term(terms, formula),
            "a fact"
        );
        self.known.insert(formula, self.facts.len());
        self.facts.push(Fact { formula, arity, symbols });
        true
    }

    /// The triples with the fact behind the letter.
    pub(super) fn triples(
        &mut self,
        context: &mut Context<'_>,
        session: &mut dyn Solver,
        alphabet: &mut Alphabet,
        question: Question,
    ) -> Result<&Triples, Interrupted> {
        let current = self.facts.len();
        if !matches!(self.triples.get(&question), Some((facts, _)) if *facts == current) {
            let found = self.find(context, session, alphabet, &question)?;
            self.triples.insert(question.clone(), (current, found));
        }
        Ok(&self.triples[&question].1)
    }

    fn find(
        &mut self,
        context: &mut Context<'_>,
        session: &mut dyn Solver,
        alphabet: &mut Alphabet,
        (fact, letter, threads): &Question,
    ) -> Result<Triples, Interrupted> {
        context.budget.check()?;
        let data = &alphabet.letters[*letter];
        let (begins, participants) = (data.begins, data.threads.len());
        let guard = data.relation.guard;
        let count = threads.iter().map(|&thread| thread + 1).max().unwrap_or(0).max(participants);
        alphabet.reserve(count, context.terms);
        let relation = &alphabet.letters[*letter].relation;
        let before = self.instance(alphabet, *fact, threads, context.terms);
        let after = relation.substitution(&alphabet.variables).apply(context.terms, before);
        let mut found = Triples::new();
        // What is false stays false, so it is asked of every letter whether it can be read at all.
        if !begins && before == after {
            found.push(BTreeSet::from([About { fact: *fact, threads: threads.clone() }]));
            let asked = context.terms.free_symbols(guard);
            if *fact != Space::FALSE && !asked.iter().any(|symbol| self.facts[*fact].symbols.contains(symbol))
            {
                return Ok(found);
            }
        }
        let mut assumptions: Vec<(Term, About)> = Vec::new();
        if !begins {
            for number in 1..self.facts.len() {
                for chosen in selections(count, self.facts[number].arity) {
                    let formula = self.instance(alphabet, number, &chosen, context.terms);
                    assumptions.push((formula, About { fact: number, threads: chosen }));
                }
            }
        }
        session.push();
        session.assert(context.terms, guard);
        let violated = context.terms.not(after);
        session.assert(context.terms, violated);
        let mut asker = Asker { context, session, assumptions: &assumptions, questions: 0 };
        let outcome = asker.all(&mut found);
        self.questions += asker.questions as u64;
        session.pop();
        outcome?;
        tracing::debug!(?fact, ?letter, ?threads, ?found, "triples");
        Ok(found)
    }

    /// A fact about threads with these families.
    fn instance(&self, alphabet: &Alphabet, fact: usize, threads: &[usize], terms: &mut Terms) -> Term {
        let places = threads.iter().copied().enumerate();
        alphabet.renaming(places, terms).apply(terms, self.facts[fact].formula)
    }
}

struct Asker<'a, 'p> {
    context: &'a mut Context<'p>,
    session: &'a mut dyn Solver,
    assumptions: &'a [(Term, About)],
    questions: usize,
}

impl Asker<'_, '_> {
    /// Smallest sets of facts before a letter, as many as few questions show: each is found with some fact of the others left out.
    fn all(&mut self, found: &mut Triples) -> Result<(), Interrupted> {
        let mut open: VecDeque<BTreeSet<About>> = VecDeque::from([BTreeSet::new()]);
        while let Some(without) = open.pop_front() {
            let known = found.iter().find(|set| set.is_disjoint(&without)).cloned();
            let set = match known {
                Some(set) => set,
                None if self.questions >= MOST_QUESTIONS => break,
                None => match self.set(&without)? {
                    Some(set) => {
                        found.retain(|other| !set.is_subset(other));
                        found.push(set.clone());
                        set
                    }
                    None => continue,
                },
            };
            // Nothing is smaller than the empty set.
            if set.is_empty() {
                break;
            }
            for fact in set {
                let mut longer = without.clone();
                longer.insert(fact);
                open.push_back(longer);
            }
        }
        Ok(())
    }

    /// A set of facts that suffices, without some.
    fn set(&mut self, without: &BTreeSet<About>) -> Result<Option<BTreeSet<About>>, Interrupted> {
        let allowed: Vec<(Term, About)> =
            self.assumptions.iter().filter(|(_, about)| !without.contains(about)).cloned().collect();
        let Some(mut core) = self.core(&allowed)? else { return Ok(None) };
        if core.len() > 1 && core.len() <= MOST_SHRUNK {
            for about in core.clone() {
                let rest: Vec<(Term, About)> =
                    core.iter().filter(|other| **other != about).cloned().collect();
                if let Some(smaller) = self.core(&rest)? {
                    core = smaller;
                }
            }
        }
        Ok(Some(core.into_iter().map(|(_, about)| about).collect()))
    }

    fn core(&mut self, allowed: &[(Term, About)]) -> Result<Option<Vec<(Term, About)>>, Interrupted> {
        self.context.budget.check()?;
        self.questions += 1;
        let formulas: Vec<Term> = allowed.iter().map(|&(formula, _)| formula).collect();
        if self.session.check_assuming(self.context.terms, &formulas) != Answer::Unsat {
            return Ok(None);
        }
        let Ok(core) = self.session.core(self.context.terms) else { return Ok(Some(allowed.to_vec())) };
        Ok(Some(allowed.iter().filter(|(formula, _)| core.contains(formula)).cloned().collect()))
    }
}

/// All orders of so many places.
fn orders(count: usize) -> Vec<Vec<usize>> {
    selections(count, count)
}

/// All ways to choose so many different numbers below a bound, in any order.
pub(super) fn selections(bound: usize, count: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for _ in 0..count {
        let longer = found.iter().flat_map(|chosen: &Vec<usize>| {
            (0..bound).filter(|number| !chosen.contains(number)).map(|number| {
                let mut with = chosen.clone();
                with.push(number);
                with
            })
        });
        found = longer.collect();
    }
    found
}
