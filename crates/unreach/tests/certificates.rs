//! Certificates: written, read back, and corrupted.
//!
//! Real certificates are mutated in many ways. Which mutants are certainly wrong is decided without the check itself:
//!
//! * a certificate for an unsafe program is wrong, whatever it says: proofs of safe programs, and all their mutants, are
//!   held against a sibling program of the same shape that fails;
//! * on the safe program itself a mutant is wrong if the engines' own triple checker has a counterexample to one of its
//!   transitions, if enumerating short error traces finds one that no automaton accepts, or if the kind of mutation
//!   says so.
//!
//! Other mutants may still be proofs, and are let through.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "the test reads its programs and tells how many it made"
)]

mod support;

use base::EntityRef;
use certify::format::Made;
use certify::{Automaton, Certificate, Letter, Refusal, format};
use engines::context::Context;
use engines::hoare::{Triple, Validity};
use logic::smtlib::{parse, print};
use logic::{Term, Terms};
use program::{Edge, EdgeKind, Location, Verdict};
use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::time::Duration;
use support::Job;

fn program(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
    std::fs::read_to_string(path.with_extension("bpl")).expect("the program can be read")
}

fn certificate(job: &mut Job) -> Certificate {
    let Ok(Verdict::Safe(proof)) = job.verdict() else { panic!("the program is safe") };
    job.certificate(&proof)
}

fn write(job: &mut Job, certificate: &Certificate) -> String {
    let about = (&job.subject, certificate);
    format::write(&job.source, &Made::new(), about, &mut job.terms).expect("there is no unfolding")
}

fn check(job: &mut Job, certificate: &Certificate) -> Result<(), Refusal> {
    let mut solver = job.solvers.session();
    certify::check_proof(&job.subject, certificate, &mut job.terms, solver.as_mut(), &job.budget).map(drop)
}

/// A certificate with one thing changed.
struct Mutant {
    what: String,
    certificate: Certificate,
    /// Is it wrong because of what was changed?
    by_construction: bool,
}

/// At most this many mutants of one kind are made from one certificate; `UNREACH_MUTANTS=N` makes more.
fn most() -> usize {
    std::env::var("UNREACH_MUTANTS").ok().and_then(|most| most.parse().ok()).unwrap_or(20)
}

/// Every so many-th position, such that there are at most [`most`].
fn sample(length: usize) -> impl Iterator<Item = usize> {
    (0..length).step_by(length.div_ceil(most()).max(1))
}

fn mutants(job: &mut Job, original: &Certificate) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    let mut add = |what: String, by_construction: bool, change: &mut dyn FnMut(&mut Certificate)| {
        let mut certificate = original.clone();
        change(&mut certificate);
        mutants.push(Mutant { what, certificate, by_construction });
    };
    for (a, automaton) in original.automata.iter().enumerate() {
        for state in sample(automaton.labels.len()) {
            let initial = automaton.initial.contains(&state);
            for (what, label) in other_labels(&mut job.terms, automaton.labels[state]) {
                let wrong = initial && label.is_false();
                add(format!("{what} label {state} of {a}"), wrong, &mut |c| {
                    c.automata[a].labels[state] = label;
                });
            }
        }
        transition_mutants(a, automaton, &mut add);
        add(format!("drop automaton {a}"), false, &mut |c| _ = c.automata.remove(a));
    }
    let required = job.single.initial.iter().copied();
    let required: BTreeSet<Location> =
        required.chain(job.single.errors.values().map(|error| error.location)).collect();
    for location in original.cut_points.iter() {
        let wrong = required.contains(&location);
        add(format!("drop cut point {location}"), wrong, &mut |c| _ = c.cut_points.remove(location));
    }
    add("drop all automata".to_owned(), true, &mut |c| c.automata.clear());
    add("never reach false".to_owned(), true, &mut |c| {
        for automaton in &mut c.automata {
            let labels = automaton.labels.clone();
            automaton.steps.retain(|&(_, _, to)| !labels[to].is_false());
            automaton.returns.retain(|&(_, _, _, to)| !labels[to].is_false());
        }
    });
    mutants
}

/// Makes one mutant: its description, whether it is wrong by construction, and the change.
type Add<'a> = dyn FnMut(String, bool, &mut dyn FnMut(&mut Certificate)) + 'a;

fn transition_mutants(a: usize, automaton: &Automaton, add: &mut Add<'_>) {
    let states = automaton.labels.len();
    for i in sample(automaton.steps.len()) {
        add(format!("drop step {i} of {a}"), false, &mut |c| _ = c.automata[a].steps.remove(i));
        add(format!("other target of step {i} of {a}"), false, &mut |c| {
            c.automata[a].steps[i].2 = (automaton.steps[i].2 + 1) % states;
        });
        add(format!("other source of step {i} of {a}"), false, &mut |c| {
            c.automata[a].steps[i].0 = (automaton.steps[i].0 + 1) % states;
        });
        let other = automaton.steps[(i + 1) % automaton.steps.len()].1;
        add(format!("other letter of step {i} of {a}"), false, &mut |c| c.automata[a].steps[i].1 = other);
    }
    for i in sample(automaton.returns.len()) {
        add(format!("drop return {i} of {a}"), false, &mut |c| _ = c.automata[a].returns.remove(i));
        add(format!("other target of return {i} of {a}"), false, &mut |c| {
            c.automata[a].returns[i].3 = (automaton.returns[i].3 + 1) % states;
        });
        add(format!("other call of return {i} of {a}"), false, &mut |c| {
            c.automata[a].returns[i].1 = (automaton.returns[i].1 + 1) % states;
        });
        let call = automaton.steps.iter().find(|step| matches!(step.1, Letter::Call(_)));
        if let Some(&(_, letter, _)) = call {
            add(format!("a call as return {i} of {a}"), true, &mut |c| c.automata[a].returns[i].2 = letter);
        }
    }
    add(format!("a state too many in {a}"), true, &mut |c| c.automata[a].initial.push(states));
}

/// What else a label could be: `false`, `true`, its negation, and itself with its first number one larger.
fn other_labels(terms: &mut Terms, label: Term) -> Vec<(&'static str, Term)> {
    let mut others = vec![("false as", Term::FALSE), ("true as", Term::TRUE), ("negated", terms.not(label))];
    let text = print::term(terms, label);
    let is_digit = |c: char| c.is_ascii_digit();
    let starts = text.char_indices().filter(|&(at, c)| is_digit(c) && text[..at].ends_with([' ', '(']));
    if let Some((start, _)) = starts.into_iter().next() {
        let length = text[start..].find(|c| !is_digit(c)).unwrap_or(text.len() - start);
        let larger = text[start..start + length].parse::<u64>().expect("digits are a number") + 1;
        let changed = format!("{}{larger}{}", &text[..start], &text[start + length..]);
        others.extend(parse::term(terms, &changed).ok().map(|changed| ("another number in", changed)));
    }
    others.retain(|&(_, other)| other != label);
    others
}

/// Has the engines' triple checker a counterexample to a transition?
fn has_invalid_triple(job: &mut Job, certificate: &Certificate) -> bool {
    let program = &job.blocks.program;
    let edge_of = |letter: Letter| match letter {
        Letter::Block(from, to) => program.outgoing[from].iter().copied().find(|&edge| {
            program.edges[edge].target == to && matches!(program.edges[edge].kind, EdgeKind::Internal(_))
        }),
        Letter::Call(edge) | Letter::Return(edge) => Some(edge),
    };
    let mut context = Context::new(program, &mut job.terms, &job.solvers, job.budget.clone());
    let mut invalid = |pre: Term, call: Option<Term>, letter: Letter, post: Term| {
        let (Some(edge), Some(pre)) = (edge_of(letter), context.predicate_set(pre)) else { return false };
        let call = match call {
            None => None,
            Some(call) => match context.predicate_set(call) {
                Some(call) => Some(call),
                None => return false,
            },
        };
        let Some(post) = context.predicate_set(post) else { return false };
        context.pool.members(post).to_vec().into_iter().any(|post| {
            let triple = Triple { pre, call, edge, post };
            let answer = context.checker.check(context.terms, &context.pool, triple);
            answer.expect("nothing interrupts the test") == Validity::Invalid
        })
    };
    certificate.automata.iter().any(|automaton| {
        let label = |state: usize| automaton.labels[state];
        automaton.steps.iter().any(|&(from, letter, to)| invalid(label(from), None, letter, label(to)))
            || automaton.returns.iter().any(|&(from, hier, letter, to)| {
                matches!(letter, Letter::Return(_))
                    && invalid(label(from), Some(label(hier)), letter, label(to))
            })
    })
}

/// Where an automaton can be: its state, and for every open call the state before it.
type Configuration = (usize, Vec<usize>);

/// An error trace under way.
struct Walk {
    location: Location,
    calls: Vec<Edge>,
    length: usize,
    configurations: Vec<BTreeSet<Configuration>>,
}

/// How far and how wide error traces are enumerated.
const LONGEST_TRACE: usize = 12;
const MOST_WALKS: usize = 3000;

/// Is there a short error trace that no automaton accepts? By enumeration, with plain simulation of the automata.
fn has_uncovered_trace(job: &Job, certificate: &Certificate) -> bool {
    let program = &job.blocks.program;
    let accepts = |walk: &Walk| {
        certificate.automata.iter().zip(&walk.configurations).any(|(automaton, reached)| {
            reached.iter().any(|(state, _)| automaton.labels.get(*state).is_some_and(|l| l.is_false()))
        })
    };
    let start = |&location: &Location| Walk {
        location,
        calls: Vec::new(),
        length: 0,
        configurations: certificate
            .automata
            .iter()
            .map(|automaton| automaton.initial.iter().map(|&state| (state, Vec::new())).collect())
            .collect(),
    };
    let mut pending: VecDeque<Walk> = program.initial.iter().map(start).collect();
    for _ in 0..MOST_WALKS {
        let Some(walk) = pending.pop_front() else { return false };
        if accepts(&walk) || walk.length > LONGEST_TRACE {
            continue;
        }
        if program.locations[walk.location].error.is_some() {
            return true;
        }
        let blocked = job.blocks.blocked.iter().filter(|(from, _)| *from == walk.location);
        let blocked = blocked.map(|&(from, to)| (Letter::Block(from, to), to));
        let edges = program.outgoing[walk.location].iter().filter_map(|&edge| {
            let data = &program.edges[edge];
            let letter = match &data.kind {
                EdgeKind::Internal(_) => Letter::Block(data.source, data.target),
                EdgeKind::Call(_) => Letter::Call(edge),
                EdgeKind::Return(returning) if walk.calls.last() == Some(&returning.call) => {
                    Letter::Return(edge)
                }
                EdgeKind::Return(_) => return None,
            };
            Some((letter, data.target))
        });
        for (letter, location) in blocked.chain(edges).collect::<Vec<_>>() {
            let mut calls = walk.calls.clone();
            match letter {
                Letter::Block(..) => {}
                Letter::Call(edge) => calls.push(edge),
                Letter::Return(_) => _ = calls.pop(),
            }
            let parts = certificate.automata.iter().zip(&walk.configurations);
            let configurations = parts.map(|(automaton, reached)| step(automaton, reached, letter)).collect();
            pending.push_back(Walk { location, calls, length: walk.length + 1, configurations });
        }
    }
    false
}

fn step(automaton: &Automaton, reached: &BTreeSet<Configuration>, letter: Letter) -> BTreeSet<Configuration> {
    let mut after = BTreeSet::new();
    for (state, open) in reached {
        if let Letter::Return(_) = letter {
            let (&hier, rest) = open.split_last().expect("a return has its call");
            let matching = automaton.returns.iter().filter(|t| (t.0, t.1, t.2) == (*state, hier, letter));
            after.extend(matching.map(|t| (t.3, rest.to_vec())));
        } else {
            for &(_, _, to) in automaton.steps.iter().filter(|t| (t.0, t.1) == (*state, letter)) {
                let mut open = open.clone();
                if let Letter::Call(_) = letter {
                    open.push(*state);
                }
                after.insert((to, open));
            }
        }
    }
    after
}

/// Safe programs whose certificates are corrupted.
const SAFE: &[&str] = &[
    "mccarthy91",
    "ex1",
    "ex2",
    "ex3",
    "recursion_global",
    "locals_are_restored",
    "old_value",
    "goto_irreducible",
    "loop_invariant_written",
    "array_loop",
    "boolean_state",
    "bitvector",
    "quantified_axiom",
    "where_clause",
];

#[test]
fn certificates_survive_their_text() {
    for name in SAFE {
        let mut job = Job::new(&program(name));
        let written = certificate(&mut job);
        let text = write(&mut job, &written);
        let mut later = Job::new(&program(name));
        let read = format::read(&later.source, &later.subject, &text, &mut later.terms);
        let read = read.unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        check(&mut later, &read).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        let again =
            format::read(&job.source, &job.subject, &text, &mut job.terms).expect("it was read before");
        for (before, after) in written.automata.iter().zip(&again.automata) {
            assert_eq!(before.labels, after.labels, "{name}: reading gives the same terms");
        }
    }
}

/// Whether a mutant is certainly wrong, and so was refused.
fn is_refused(job: &mut Job, name: &str, mutant: &Mutant) -> bool {
    let certainly_wrong = mutant.by_construction
        || has_uncovered_trace(job, &mutant.certificate)
        || has_invalid_triple(job, &mutant.certificate);
    if certainly_wrong {
        let answer = check(job, &mutant.certificate);
        assert!(answer.is_err(), "{name}: {} was accepted", mutant.what);
    }
    certainly_wrong
}

#[test]
fn wrong_mutants_are_refused() {
    let (mut wrong, mut total) = (0, 0);
    for name in SAFE {
        let mut job = Job::new(&program(name));
        let original = certificate(&mut job);
        check(&mut job, &original).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        for mutant in mutants(&mut job, &original) {
            total += 1;
            wrong += u32::from(is_refused(&mut job, name, &mutant));
        }
    }
    assert!(wrong >= 500, "only {wrong} of {total} mutants are certainly wrong");
    println!("{wrong} of {total} mutants are certainly wrong, and refused");
}

/// Mutants of mutants, where the second change may hide the first: ten thousand that are certainly wrong.
#[test]
#[ignore = "takes minutes"]
fn wrong_mutants_of_mutants_are_refused() {
    let wanted = 10_000 / SAFE.len() + 1;
    let (mut wrong, mut total) = (0, 0);
    for name in SAFE {
        let mut job = Job::new(&program(name));
        let original = certificate(&mut job);
        let mut random = base::Random::new(7);
        let first = mutants(&mut job, &original);
        let mut here = 0;
        for _ in 0..20 * wanted {
            if here >= wanted {
                break;
            }
            let once = &first[random.below(first.len())];
            let twice = mutants(&mut job, &once.certificate);
            for _ in 0..10 {
                let chosen = &twice[random.below(twice.len())];
                let what = format!("{}, then {}", once.what, chosen.what);
                // The second change may have taken back the first, so nothing is wrong by construction.
                let certificate = chosen.certificate.clone();
                let mutant = Mutant { what, certificate, by_construction: false };
                total += 1;
                here += usize::from(is_refused(&mut job, name, &mutant));
            }
        }
        wrong += here;
    }
    println!("{wrong} of {total} mutants are certainly wrong, and refused");
    assert!(wrong >= 10_000, "only {wrong} of {total} mutants are certainly wrong");
}

/// A program with one operator or number changed.
struct Changed {
    what: String,
    text: String,
}

/// What an operator becomes.
const OPERATORS: &[(&str, &str)] =
    &[(" <= ", " < "), (" < ", " <= "), (" + ", " - "), (" - ", " + "), (" == ", " != "), (" > ", " >= ")];

/// Every program that differs from a text in one operator or in one number, which is one larger.
fn changed_programs(text: &str) -> Vec<Changed> {
    let mut changed = Vec::new();
    let mut change = |at: usize, length: usize, by: &str| {
        let line = text[..at].matches('\n').count() + 1;
        let what = format!("`{}` becomes `{by}` on line {line}", &text[at..at + length]);
        changed.push(Changed { what, text: format!("{}{by}{}", &text[..at], &text[at + length..]) });
    };
    for (operator, other) in OPERATORS {
        text.match_indices(operator).for_each(|(at, _)| change(at, operator.len(), other));
    }
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    for at in (1..bytes.len()).filter(|&at| is_digit(at) && matches!(bytes[at - 1], b' ' | b'(')) {
        let length = (at..).take_while(|&at| is_digit(at)).count();
        if let Ok(number) = text[at..at + length].parse::<u64>() {
            change(at, length, &(number + 1).to_string());
        }
    }
    changed
}

/// A certificate is held against programs that differ in one operator or number. It may happen to prove one of
/// them too; but none that is unsafe.
#[test]
fn a_changed_program_that_is_unsafe_is_never_proved() {
    let (mut refused, mut accepted) = (0, 0);
    for name in SAFE {
        let text = program(name);
        for mut job in [Some(Job::new(&text)), Job::inlined(&text)].into_iter().flatten() {
            let original = certificate(&mut job);
            for Changed { what, text } in changed_programs(&text) {
                let Ok(source) = support::compile(&text) else { continue };
                let mut other = Job::of(source);
                let about = (&job.subject, &original);
                let written = format::write(&other.source, &Made::new(), about, &mut job.terms);
                let written = written.expect("the activations fit");
                let Ok(read) = format::read(&other.source, &other.subject, &written, &mut other.terms) else {
                    refused += 1;
                    continue;
                };
                if check(&mut other, &read).is_err() {
                    refused += 1;
                    continue;
                }
                accepted += 1;
                let limits = base::budget::Limits { time: Some(Duration::from_secs(20)), memory: None };
                let budget = other.budget.clone();
                let _watchdog = budget.watch(limits, Duration::from_secs(600), |_| {});
                let verdict = other.verdict();
                assert!(!matches!(verdict, Ok(Verdict::Unsafe(_))), "{name}: {what}: unsafe, but accepted");
            }
        }
    }
    assert!(refused >= 100 && accepted >= 10, "{refused} refused, {accepted} accepted");
    println!("{refused} changed programs refused, {accepted} accepted");
}

/// Activations that are changed, dropped or added make no proof of a program that fails.
#[test]
fn corrupted_unfoldings_are_refused() {
    for (safe, unsafe_) in [("calls", "calls_bug"), ("old_value", "ensures_violated")] {
        let mut job = Job::inlined(&program(safe)).expect("there is no recursion");
        let original = certificate(&mut job);
        check(&mut job, &original).unwrap_or_else(|refusal| panic!("{safe}: {refusal}"));
        let text = write(&mut job, &original);
        let mut later = Job::new(&program(safe));
        let read = format::read(&later.source, &later.subject, &text, &mut later.terms).expect("it is one");
        check(&mut later, &read).unwrap_or_else(|refusal| panic!("{safe}: {refusal}"));
        let unfolding = original.unfolding.clone().expect("calls were inlined");
        for dropped in unfolding.activations.keys() {
            let mut list = program::Unfolding::default();
            for (_, &data) in unfolding.activations.iter().filter(|(activation, _)| *activation != dropped) {
                list.activations.push(data);
            }
            let mutant = Certificate { unfolding: Some(list), ..original.clone() };
            assert!(check(&mut job, &mutant).is_err(), "{safe} without {dropped}");
        }
        // With its calls the program has other locations.
        let mutant = Certificate { unfolding: None, ..original.clone() };
        assert!(check(&mut job, &mutant).is_err(), "{safe} without its unfolding");
        let mut sibling = Job::new(&program(unsafe_));
        let about = (&job.subject, &original);
        let text = format::write(&sibling.source, &Made::new(), about, &mut job.terms).expect("it fits");
        if let Ok(read) = format::read(&sibling.source, &sibling.subject, &text, &mut sibling.terms) {
            assert!(check(&mut sibling, &read).is_err(), "{unsafe_} is unsafe");
        }
    }
}

#[test]
fn nothing_is_a_proof_of_an_unsafe_program() {
    let pairs = [
        ("mccarthy91", "mccarthy91_argument"),
        ("ex1", "ex1_early"),
        ("ex2", "ex2_down"),
        ("ex3", "ex3_zero"),
    ];
    let mut refused = 0;
    for (safe, unsafe_) in pairs {
        let mut job = Job::new(&program(safe));
        let original = certificate(&mut job);
        let mut sibling = Job::new(&program(unsafe_));
        assert_eq!(job.single.edges.len(), sibling.single.edges.len(), "{unsafe_} has the shape of {safe}");
        assert!(matches!(sibling.verdict(), Ok(Verdict::Unsafe(_))), "{unsafe_} fails");
        let same = Mutant { what: "itself".to_owned(), certificate: original.clone(), by_construction: true };
        for mutant in mutants(&mut job, &original).into_iter().chain([same]) {
            let about = (&job.subject, &mutant.certificate);
            let text =
                format::write(&sibling.source, &Made::new(), about, &mut job.terms).expect("no unfolding");
            match format::read(&sibling.source, &sibling.subject, &text, &mut sibling.terms) {
                Ok(certificate) => {
                    let answer = check(&mut sibling, &certificate);
                    assert!(answer.is_err(), "{unsafe_}: {} was accepted", mutant.what);
                }
                // A state that does not exist is noticed even earlier.
                Err(format::ReadError::Malformed(_)) => {}
                Err(error) => panic!("{unsafe_}: {error}"),
            }
            refused += 1;
        }
    }
    assert!(refused >= 200, "only {refused} mutants");
}

#[test]
fn a_label_must_not_name_the_value_of_a_havoc() {
    // With the chosen value as a constant of its own, both loop iterations would "choose" the same one.
    let mut job = Job::new(&program("havoc_twice"));
    let choice = job.single.edges.values().find_map(|edge| match &edge.kind {
        EdgeKind::Internal(relation) => relation.auxiliaries.first().copied(),
        _ => None,
    });
    let choice = job.terms.constant(choice.expect("the program has a havoc"));
    let zero = job.terms.int(0);
    let label = job.terms.le(zero, choice);
    let automaton = Automaton { labels: vec![Term::TRUE, label], initial: vec![0], ..Automaton::default() };
    let certificate =
        Certificate { unfolding: None, cut_points: job.blocks.cut_points.clone(), automata: vec![automaton] };
    assert!(matches!(check(&mut job, &certificate), Err(Refusal::Label(_))));
}

#[test]
fn texts_that_are_no_certificates() {
    let mut job = Job::new(&program("ex2"));
    let original = certificate(&mut job);
    let text = write(&mut job, &original);
    let locations = job.single.locations.len();
    assert!(original.cut_points.iter().all(|location| location.index() < locations));
    let mut other = Job::new(&program("ex2_down"));
    let read = format::read(&other.source, &other.subject, &text, &mut other.terms);
    assert_eq!(read.err(), Some(format::ReadError::OtherProgram));
    let broken = [
        (String::new(), "EOF"),
        ("[]".to_owned(), "no object"),
        ("{}".to_owned(), "`format`"),
        (text.replace(format::FORMAT, "something-else"), "`format`"),
        (text.replace("\"version\": 2", "\"version\": 3"), "`version`"),
        (text.replace("\"cut_points\": [", "\"cut_points\": [999999,"), "999999 is no location"),
        (text.replace("\"cut_points\": [", "\"cut_points\": [-1,"), "-1 is no location"),
        (text.replace("\"letters\": [", "\"letters\": [[\"jump\",1],"), "is no letter"),
        (text.replace("\"initial\":[", "\"initial\":[777,"), "777 is no state"),
        (text.replace("\"labels\":[", "\"labels\":[\"(<= nobody 0)\","), "nobody"),
        (text.replace("\"labels\":[", "\"labels\":[\"(+ 1 2)\","), "is no formula"),
        (text.replace("\"labels\":[", "\"labels\":[\"(\","), "`(`"),
        (text.replace("\"labels\":", "\"names\":"), "no field `labels`"),
        ("[".repeat(100_000), "recursion"),
        (text[..text.len() / 2].to_owned(), "EOF"),
    ];
    for (text, why) in broken {
        match format::read(&job.source, &job.subject, &text, &mut job.terms) {
            Err(format::ReadError::Malformed(what)) => assert!(what.contains(why), "{what:?} names {why:?}"),
            other => panic!("{why}: {other:?}"),
        }
    }
}
