//! Certificates that must be refused: those of a safe program, broken in a few places, for a neighbour of it that fails.
//!
//! The certificate says which program it is about. That is mended in the broken one, so that it is refused for what it claims
//! and not for its name.

use super::enumerate::{Truth, truth};
use super::{generate, mutate, report, seeds, support};
use base::Random;
use certify::{Subject, format, unwinding};
use logic::Terms;
use smt::z3::Z3;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use unreach::view::View;
use unreach::{Answer, Budget, Plan, Problem, Silent, verify};

/// How many broken certificates are made of one.
const EACH: usize = 50;

/// What the check does with a certificate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Checked {
    /// It says nothing that could be checked.
    NotRead,
    Refused,
    Accepted,
}

/// Checks a certificate as `unreach certify` does.
fn check(problem: &Problem, text: &str) -> Checked {
    let budget = Budget::unlimited();
    let said = |accepted: bool| if accepted { Checked::Accepted } else { Checked::Refused };
    let Ok(made) = format::made(text) else { return Checked::NotRead };
    let Ok(view) = View::again(problem, &made, &budget) else { return Checked::NotRead };
    if unwinding::is_unwinding(text) {
        let Ok(read) = unwinding::read(&view.program, text) else { return Checked::NotRead };
        return said(certify::check_unwinding(&view.program, &read, &budget).is_ok());
    }
    let mut terms = Terms::new();
    let Ok(subject) = Subject::new(&view.program, &mut terms) else { return Checked::NotRead };
    let Ok(certificate) = format::read(&view.program, &subject, text, &mut terms) else {
        return Checked::NotRead;
    };
    let mut solver = Z3::new(&budget).session();
    said(certify::check_proof(&subject, &certificate, &mut terms, &mut solver, &budget).is_ok())
}

/// A safe program with its certificate, and a neighbour that fails.
fn pair(seed: u64) -> Option<(String, String, String)> {
    let mut random = Random::new(seed);
    let text = generate::program(seed);
    let truth_of = |text: &str| {
        let program = support::compile(text).ok()?;
        catch_unwind(AssertUnwindSafe(|| truth(&program))).ok()
    };
    if truth_of(&text) != Some(Truth::Safe) {
        return None;
    }
    let neighbours = (0..30).filter_map(|_| mutate::neighbour(&text, &mut random));
    let failing = neighbours.into_iter().find(|text| truth_of(text) == Some(Truth::Unsafe))?;
    let plan = Plan { certificate: true, ..Plan::default().with_rounds(4) };
    let decision =
        verify(&Problem::boogie("soak.bpl", &*text), &plan, &Budget::unlimited(), Arc::new(Silent));
    let Ok(decision) = decision else { return None };
    let Answer::Safe(safe) = decision.answer else { return None };
    Some((text, safe.certificate?, failing))
}

#[test]
fn certificates() {
    let (mut made, mut checked, mut found) = (0, 0, Vec::new());
    for seed in seeds(12) {
        let Some((safe, certificate, failing)) = pair(seed) else { continue };
        let problem = Problem::boogie("soak.bpl", &*failing);
        let digest =
            |text: &str| support::compile(text).map(|program| format::digest(&program)).unwrap_or_default();
        let certificate = certificate.replace(&digest(&safe), &digest(&failing));
        let mut random = Random::new(seed ^ 0xce57);
        for number in 0..EACH {
            let text = match number {
                0 => certificate.clone(),
                _ if number % 2 == 0 => mutate::broken(&certificate, &certificate, &mut random),
                _ => mutate::neighbour(&certificate, &mut random).unwrap_or_default(),
            };
            made += 1;
            match catch_unwind(AssertUnwindSafe(|| check(&problem, &text))) {
                Ok(Checked::NotRead) => {}
                Ok(Checked::Refused) => checked += 1,
                Ok(Checked::Accepted) => {
                    found.push(format!("seed {seed}, {number}: accepted\n{failing}\n{text}"))
                }
                Err(panic) => found.push(format!(
                    "seed {seed}, {number}: panic: {}\n{failing}\n{text}",
                    super::words_of_panic(panic.as_ref())
                )),
            }
        }
    }
    report("certificates", made, &found);
    eprintln!("{checked} of them were read and refused for what they claim");
    assert!(checked * 10 > made, "only {checked} of {made} were readable");
}
