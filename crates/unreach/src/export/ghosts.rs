//! What can be said with ghosts about a program whose threads share locks, for correctness witnesses of version 2.1.
//!
//! A mutex that is only locked and unlocked by name gets a ghost that is 1 while it is held. Candidates are, for every such mutex
//! and every fact about shared variables that occurs in the proof (or, for a proof without formulas, equations between them):
//! *whoever is about to lock finds the lock held, or the fact true*; and that the lock is held wherever it is given back.
//!
//! A proof about threads is one about a reduced product: not every interleaving is in it, so what its formulas say at some place
//! need not hold for the program there. Therefore candidates are added one after the other, and each time the program is verified
//! with the ghosts and all candidates so far as assertions; one with which that fails is left out. The checks of the program itself are
//! assumed then, as they are proven and ghosts change nothing for them. So every invariant that is returned follows from certificates that the
//! checker has accepted: the one about the program, and one about the program with these ghosts.
//!
//! Cost: one verification for every mutex and every fact about it, of which there are few; as long as the budget allows.

use super::Outline;
use crate::answer::{Answer, Decision};
use crate::checks::Selection;
use crate::observer::Silent;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::property::Property;
use crate::verify;
use crate::view::{BitOperations, View};
use base::Budget;
use c::{CKind, Claim, Ghost, Monitor, Part, Place, Update, When};
use std::collections::BTreeSet;
use std::sync::Arc;

/// So many facts are candidates for each mutex.
const MOST_FACTS: usize = 4;
/// So many rounds of the plan a candidate may take.
const MOST_ROUNDS: u32 = 5;
/// Equations are guessed between so many variables.
const MOST_VARIABLES: usize = 5;
/// A mutex that is locked at more places than this gets no ghost: each of them gets an assertion.
const MOST_PLACES: usize = 12;

/// What holds with ghosts for the locks of a program that was proven; none if nothing was found.
pub fn ghosts(problem: &Problem, decision: &Decision, plan: &Plan, budget: &Budget) -> Option<Monitor> {
    let (Answer::Safe(safe), Some(view)) = (&decision.answer, &decision.view) else { return None };
    // What a witness adds is accessed by all threads: it would race itself.
    let is_asked = !matches!(problem.property, Property::NoDataRace | Property::Termination);
    if !view.is_of_threads() || !is_asked || problem.monitor.is_some() {
        return None;
    }
    let outline = Outline::new(problem, view)?;
    let locks = locks(&outline);
    let facts = if safe.shared_facts.is_empty() { equations(view) } else { safe.shared_facts.clone() };
    let plan = Plan { certificate: false, reasons: false, reuse: None, ..plan.clone() };
    let plan = plan.with_rounds(MOST_ROUNDS);
    let mut best = None;
    let mut proven: Vec<Candidate> = Vec::new();
    for more in candidates(&locks, &facts[..facts.len().min(MOST_FACTS)]) {
        let tried = [&proven[..], &more].concat();
        let monitor = monitor(&locks, &tried);
        let asked = Problem { monitor: Some(Arc::new(monitor.clone())), ..problem.clone() };
        let Ok(observed) = View::new(&asked, BitOperations::Marked) else { continue };
        // The checks of the program itself are proven: what a ghost is assigned changes nothing for them.
        let selection = Selection::of(&observed.program, |check| check.what.starts_with(c::CLAIM));
        let asked = Problem { selection, ..asked };
        let Ok(decision) = verify(&asked, &plan, budget, Arc::new(Silent)) else { continue };
        let holds = matches!(decision.answer, Answer::Safe(_));
        tracing::debug!(holds, "tried with a ghost: {}", more[0].text);
        if holds {
            (proven, best) = (tried, Some(monitor));
        }
        if budget.check().is_err() {
            break;
        }
    }
    best
}

/// A mutex, and where it is locked and unlocked.
struct Lock {
    ghost: String,
    locked: Vec<Place>,
    unlocked: Vec<Place>,
}

/// Something that may hold before a statement.
#[derive(Clone)]
struct Candidate {
    place: Place,
    text: String,
}

/// The mutexes whose name is nowhere but in statements that lock and unlock them, and where they are declared, made and destroyed.
fn locks(outline: &Outline<'_>) -> Vec<Lock> {
    let text = &outline.sources.file(outline.file).text;
    let mut names: Vec<&str> = Vec::new();
    let mut calls = Vec::new();
    for statement in &outline.statements {
        let Some((statement_text, _)) = text[statement.span.start as usize..].split_once(';') else {
            continue;
        };
        let place = outline.place(statement.span);
        for (function, locks) in [("pthread_mutex_lock", true), ("pthread_mutex_unlock", false)] {
            let Some(name) = argument(statement_text, function) else { continue };
            if !names.contains(&name) {
                names.push(name);
            }
            calls.push((name, locks, place.clone()));
        }
    }
    let known = words(text);
    let mut locks = Vec::new();
    for name in names {
        let other = ["pthread_mutex_init", "pthread_mutex_destroy"];
        let also: usize = other.iter().map(|function| count(text, &format!("{function}(&{name}"))).sum();
        let places = |locks: bool| -> Vec<Place> {
            let these = calls.iter().filter(|call| call.0 == name && call.1 == locks);
            these.map(|call| call.2.clone()).collect()
        };
        let (locked, unlocked) = (places(true), places(false));
        let is_plain = count(text, &format!("&{name}")) == locked.len() + unlocked.len() + also;
        let ghost = format!("{name}_locked");
        let is_small = locked.len() + unlocked.len() <= MOST_PLACES;
        if is_plain && is_small && !known.contains(ghost.as_str()) {
            locks.push(Lock { ghost, locked, unlocked });
        }
    }
    locks
}

/// The name in a statement that only calls a function with the address of a variable.
fn argument<'t>(statement: &'t str, function: &str) -> Option<&'t str> {
    let rest = statement.strip_prefix(function)?.trim_start().strip_prefix('(')?.trim_start();
    let name = rest.strip_prefix('&')?.trim().strip_suffix(')')?.trim();
    let is_name = !name.is_empty() && name.chars().all(is_letter);
    is_name.then_some(name)
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|letter: char| !is_letter(letter)).collect()
}

/// How often something stands in a text, ended by something else than a letter.
fn count(text: &str, what: &str) -> usize {
    let ends = |at: usize| !text[at + what.len()..].starts_with(is_letter);
    text.match_indices(what).filter(|(at, _)| ends(*at)).count()
}

/// Equations between the shared integers of a program.
fn equations(view: &View) -> Vec<String> {
    let Some(back) = &view.back else { return Vec::new() };
    let is_plain = |variable: &&c::CVariable| {
        variable.function.is_none()
            && variable.part == Part::Whole
            && matches!(variable.kind, CKind::Integer)
            && variable.name.chars().all(is_letter)
    };
    let namesakes = |name: &str| back.variables.values().filter(|variable| variable.name == name).count();
    let names: BTreeSet<&str> =
        back.variables.values().filter(is_plain).map(|variable| &*variable.name).collect();
    let names: Vec<&str> =
        names.into_iter().filter(|name| namesakes(name) == 1).take(MOST_VARIABLES).collect();
    let mut equations = Vec::new();
    for (index, one) in names.iter().enumerate() {
        equations.extend(names[index + 1..].iter().map(|other| format!("{one} == {other}")));
    }
    equations
}

/// What is tried together, in the order in which it is tried: the facts that locks may protect, and then that they are held where they are
/// given back, which says less.
fn candidates(locks: &[Lock], facts: &[String]) -> Vec<Vec<Candidate>> {
    let at = |places: &[Place], text: String| -> Vec<Candidate> {
        places.iter().map(|place| Candidate { place: place.clone(), text: text.clone() }).collect()
    };
    let held = locks.iter().map(|lock| at(&lock.unlocked, format!("{} == 1", lock.ghost)));
    let free = |lock: &Lock, fact: &String| at(&lock.locked, format!("{} == 1 || ({fact})", lock.ghost));
    let free = facts.iter().flat_map(|fact| locks.iter().map(move |lock| free(lock, fact)));
    free.chain(held).filter(|some| !some.is_empty()).collect()
}

/// The ghosts of locks that candidates speak of, and the candidates, numbered as they are written.
fn monitor(locks: &[Lock], candidates: &[Candidate]) -> Monitor {
    let mut entry = 0;
    let mut next = || {
        entry += 1;
        entry
    };
    let is_spoken_of = |lock: &&Lock| candidates.iter().any(|one| words(&one.text).contains(&*lock.ghost));
    let locks: Vec<&Lock> = locks.iter().filter(is_spoken_of).collect();
    let mut monitor = Monitor::default();
    for lock in &locks {
        let (name, ty, initial) = (lock.ghost.clone(), "int".to_owned(), "0".to_owned());
        monitor.ghosts.push(Ghost { entry: next(), name, ty, initial });
    }
    for lock in &locks {
        let locked = lock.locked.iter().map(|place| (place, "1"));
        for (place, value) in locked.chain(lock.unlocked.iter().map(|place| (place, "0"))) {
            let (place, variable, value) = (place.clone(), lock.ghost.clone(), value.to_owned());
            monitor.updates.push(Update { entry: next(), place, variable, value });
        }
    }
    for Candidate { place, text } in candidates {
        let (place, text) = (place.clone(), text.clone());
        monitor.claims.push(Claim { entry: next(), when: When::Statement, place, text });
    }
    monitor
}
