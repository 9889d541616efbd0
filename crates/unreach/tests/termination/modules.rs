//! Proofs by modules alone: Büchi automata that cover all infinite traces of every loop.
//!
//! The engine is asked for such proofs directly, also where ranks would do. What it finds has to be accepted by the
//! check, to be right, and to be refused for programs with infinite runs that differ in one place only.

use crate::random::Program;
use base::{Budget, Random, SourceMap};
use certify::Subject;
use certify::termination::format::{Read, read, write_termination};
use certify::termination::{Endless, TerminationCertificate, check_termination};
use engines::table::TERMINATION;
use engines::termination::Aim;
use engines::{Counted, Options, Task};
use logic::Terms;
use program::{SingleSteps, Verdict};
use serde_json::{Value, json};
use smt::Solvers;
use smt::z3::Z3;
use transform::BlockSize;

fn compile(text: &str) -> ir::Program {
    let mut sources = SourceMap::new();
    let file = sources.add("program.bpl", text.to_owned());
    boogie::compile(file, text).expect("the program has no mistakes").program
}

/// The text of a proof by modules, if the engine finds one. It has been accepted.
fn proof(text: &str) -> Option<String> {
    let source = compile(text);
    let mut terms = Terms::new();
    let subject = Subject::new(&source, &mut terms).expect("logic can express it");
    let budget = Budget::unlimited();
    let solvers = Solvers::new(&budget);
    let part = transform::infinite_part(subject.program().clone(), 1_000, &mut terms);
    let single: &SingleSteps = &part.program;
    let blocks = transform::compose(single, BlockSize::Paths, &mut terms);
    let options = Options { termination: Aim::Modules, ..Options::default() };
    let mut task = Task {
        source: &source,
        single,
        blocks: &blocks,
        terms: &mut terms,
        solvers: &solvers,
        budget: budget.clone(),
        options: &options,
        observe: &|_| {},
        counted: Counted::default(),
    };
    let Verdict::Terminates(found) = (TERMINATION.run)(&mut task).expect("there is no limit") else {
        return None;
    };
    let certificate = TerminationCertificate::of_proof(&blocks, &found);
    let unfolding = part.copies.as_ref().map(|copies| &copies.unfolding);
    let endless = Endless::new(&subject, unfolding, &mut terms).expect("the calls can be unfolded");
    let number = |location| match &part.copies {
        None => Some(location),
        Some(copies) => endless.location(copies.place(location)),
    };
    let certificate = certificate.renumbered(number).expect("nothing is lost");
    let mut session = Z3::new(&budget).session();
    let accepted = check_termination(&endless, &certificate, &mut terms, &mut session, &budget);
    let accepted = accepted.unwrap_or_else(|refusal| panic!("{refusal}\n{text}"));
    Some(write_termination((&source, &endless), &accepted, &terms))
}

/// The line with the digest of the program.
fn digest(text: &str) -> &str {
    text.lines().find(|line| line.contains("\"program\"")).expect("there is a digest")
}

/// Is a certificate accepted for a program, whatever program it was written for?
fn fits(program: &str, certificate: &str) -> bool {
    let source = compile(program);
    let mut terms = Terms::new();
    let subject = Subject::new(&source, &mut terms).expect("logic can express it");
    let budget = Budget::unlimited();
    let endless = Endless::new(&subject, None, &mut terms).expect("nothing is unfolded");
    let nothing = empty_certificate(&mut terms);
    let empty = write_termination((&source, &endless), &nothing, &terms);
    let certificate = certificate.replace(digest(certificate), digest(&empty));
    let mut session = Z3::new(&budget).session();
    match read((&source, &subject), &certificate, &mut terms) {
        Ok((Read::Termination(found), endless)) => {
            check_termination(&endless, &found, &mut terms, &mut session, &budget).is_ok()
        }
        _ => false,
    }
}

/// An accepted certificate about a program, for the sake of its digest: that of an empty program.
fn empty_certificate(terms: &mut Terms) -> certify::Certified<TerminationCertificate> {
    let empty = compile("procedure main() { }");
    let subject_of_empty = Subject::new(&empty, terms).expect("logic can express it");
    let endless = Endless::new(&subject_of_empty, None, terms).expect("nothing is unfolded");
    let budget = Budget::unlimited();
    let mut session = Z3::new(&budget).session();
    check_termination(&endless, &TerminationCertificate::default(), terms, &mut session, &budget)
        .expect("a program without loops ends")
}

const TRADES: &str = "procedure main() {
  var x, y: int;
  while (x > 0 && y > 0) {
    if (*) { y := x; x := x - 1; } else { x, y := y - 2, x + 1; }
  }
}";

/// The same, but the second way only swaps.
const SWAPS: &str = "procedure main() {
  var x, y: int;
  while (x > 0 && y > 0) {
    if (*) { y := x; x := x - 1; } else { x, y := y - 0, x + 0; }
  }
}";

/// The same, but the first way leaves one of the numbers as it is.
const KEEPS: &str = "procedure main() {
  var x, y: int;
  while (x > 0 && y > 0) {
    if (*) { y := x; x := x - 0; } else { x, y := y - 2, x + 1; }
  }
}";

#[test]
fn a_proof_is_written_and_read_again() {
    let certificate = proof(TRADES).expect("modules are found");
    assert!(certificate.contains("\"coverings\""));
    assert!(fits(TRADES, &certificate));
}

#[test]
fn a_proof_does_not_fit_programs_that_go_on_for_ever() {
    let certificate = proof(TRADES).expect("modules are found");
    assert!(!fits(SWAPS, &certificate));
    assert!(!fits(KEEPS, &certificate));
    assert!(proof(SWAPS).is_none());
    assert!(proof(KEEPS).is_none());
}

/// What is known in an accepting state is about the rank before the last one, and does not contradict the last one.
#[test]
fn going_up_and_down_again_is_not_covered() {
    let found = proof(
        "procedure main() {
           var x, y: int;
           while (0 <= x && x <= 3) {
             if (*) { x := x - 1; } else { assume x < y; x := 3; }
           }
         }",
    );
    assert!(found.is_none());
}

/// The certificate with one change, made in its only covering.
fn edited(certificate: &str, edit: impl Fn(&mut Value)) -> String {
    let mut value: Value = serde_json::from_str(certificate).expect("a certificate is JSON");
    edit(&mut value["coverings"][0]);
    // The fields before the list of nodes keep their lines.
    serde_json::to_string_pretty(&value).expect("JSON can be written")
}

/// Changes every state of every module.
fn every_state(covering: &mut Value, change: impl Fn(&mut Value)) {
    for module in covering["modules"].as_array_mut().expect("a list") {
        module["states"].as_array_mut().expect("a list").iter_mut().for_each(&change);
    }
}

#[test]
fn every_condition_on_modules_is_checked() {
    let certificate = proof(TRADES).expect("modules are found");
    assert!(fits(TRADES, &edited(&certificate, |_| {})), "nothing was changed");
    type Edit = fn(&mut Value);
    let edits: [(&str, Edit); 9] = [
        ("a module is missing", |covering| {
            covering["modules"].as_array_mut().expect("a list").pop();
        }),
        ("no state is accepting", |covering| every_state(covering, |state| state["rank"] = Value::Null)),
        ("a measured rank is forgotten", |covering| {
            every_state(covering, |state| state["measured"] = json!(false));
        }),
        ("labels say nothing", |covering| every_state(covering, |state| state["label"] = json!("true"))),
        ("ranks stay", |covering| {
            every_state(covering, |state| {
                if !state["rank"].is_null() {
                    state["rank"] = json!(["0"]);
                }
            });
        }),
        ("labels are wrong from the beginning", |covering| {
            every_state(covering, |state| state["label"] = json!("false"));
        }),
        ("a module begins nowhere", |covering| {
            for module in covering["modules"].as_array_mut().expect("a list") {
                module["initial"] = json!([]);
            }
        }),
        ("steps are said to be impossible", |covering| {
            let locations = covering["locations"].as_array().expect("a list").clone();
            let pairs = locations.iter().flat_map(|from| locations.iter().map(move |to| json!([from, to])));
            covering["impossible"] = pairs.collect();
        }),
        ("a location is covered twice", |covering| {
            let first = covering["locations"][0].clone();
            covering["locations"].as_array_mut().expect("a list").push(first);
        }),
    ];
    for (what, edit) in edits {
        assert!(!fits(TRADES, &edited(&certificate, edit)), "accepted although {what}");
    }
}

#[test]
fn a_choice_behind_an_accepting_state_is_refused() {
    let certificate = proof(TRADES).expect("modules are found");
    let twice = edited(&certificate, |covering| {
        // A copy of every state, with the same transitions: runs of the automaton are still right, but no longer unique.
        for module in covering["modules"].as_array_mut().expect("a list") {
            let states = module["states"].as_array_mut().expect("a list");
            let count = states.len() as u64;
            states.extend(states.clone());
            let transitions = module["transitions"].as_array_mut().expect("a list");
            for ends in transitions.clone() {
                let ends: Vec<u64> =
                    ends.as_array().expect("a pair").iter().filter_map(Value::as_u64).collect();
                let (from, to) = (ends[0], ends[1]);
                transitions.extend([
                    json!([from, to + count]),
                    json!([from + count, to]),
                    json!([from + count, to + count]),
                ]);
            }
        }
    });
    assert!(!fits(TRADES, &twice));
}

#[test]
fn recursion_is_a_lasso_too() {
    let certificate = proof(
        "procedure down(i: int, j: int) {
           if (i > 0 && j > 0) {
             if (*) { call down(i - 1, i); } else { call down(j - 2, i + 1); }
           }
         }
         procedure main(i: int, j: int) { call down(i, j); }",
    );
    assert!(certificate.is_some_and(|text| text.contains("\"coverings\"")));
}

/// How many of so many random programs without infinite runs are proven.
struct Proven {
    proven: usize,
    ending: usize,
}

/// Compares proofs with the truth, and holds them against changed programs.
fn compare(programs: usize, seed: u64) -> Proven {
    let mut random = Random::new(seed);
    let mut counts = Proven { proven: 0, ending: 0 };
    for number in 0..programs {
        let program = Program::random(&mut random);
        let text = program.text();
        let ends = !program.has_infinite_run();
        counts.ending += usize::from(ends);
        let Some(certificate) = proof(&text) else { continue };
        assert!(ends, "program {number} has an infinite run\n{text}");
        counts.proven += 1;
        assert!(fits(&text, &certificate), "program {number}: refused when it is read again\n{text}");
        for _ in 0..3 {
            let changed = program.changed(&mut random);
            if changed.has_infinite_run() {
                let changed = changed.text();
                assert!(!fits(&changed, &certificate), "program {number}:\n{text}\nand\n{changed}");
            }
        }
    }
    counts
}

#[test]
fn a_few_random_programs() {
    let Proven { proven, ending } = compare(15, 11);
    assert!(2 * proven >= ending, "only {proven} of {ending} were proven");
}

#[test]
#[ignore = "takes minutes"]
fn many_random_programs() {
    let Proven { proven, ending } = compare(1_000, 12);
    eprintln!("{proven} of {ending} were proven");
    assert!(2 * proven >= ending, "only {proven} of {ending} were proven");
}
