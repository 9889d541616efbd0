//! Proofs by unwinding: what is accepted, and what must be refused.
//!
//! A program and its twin with a mistake have certificates that look alike. Whatever is done to the certificate of the
//! right one, it must not be accepted for the wrong one.

mod prover;

use base::Random;
use base::{Budget, SourceMap};
use certify::{check_unwinding, unwinding};
use ir::claims::{Claim, Paths, What};
use program::Unwinding;
use sat::Lit;

/// A right program, and a place in it where a mistake can be made.
const PROGRAMS: &[(&str, &str, &str)] = &[
    (
        "procedure main(n: int) { var i, s: int; assume 0 <= n && n < 8; i := 0; s := 0;
           while (i < n) { i := i + 1; s := s + i; } assert s <= 28; }",
        "28",
        "27",
    ),
    (
        "function {:bvbuiltin \"bvxor\"} xor(a: bv8, b: bv8) returns (bv8);
         procedure main(x: bv8, y: bv8) { var a, b: bv8;
           a := xor(x, y); b := xor(a, y); a := xor(a, b); assert a == y && b == x; }",
        "xor(a, b)",
        "xor(a, y)",
    ),
    (
        "procedure f(n: int) returns (r: int) { if (n <= 0) { r := 0; } else { call r := f(n - 2); r := r + 1; } }
         procedure ULTIMATE.start() { var n, r: int; havoc n; assume 0 <= n && n <= 6; call r := f(n); assert r <= 3; }",
        "n <= 6",
        "n <= 7",
    ),
    (
        "procedure main(m: [int]int, i: int) { var n: [int]int; assume 0 <= i && i <= 3;
           n := m[0 := 1][1 := 2][2 := 4][3 := 8]; assert n[i] * 2 > n[3 - i] || i < 2; }",
        "i < 2",
        "i < 0",
    ),
];

fn compiled(text: &str) -> ir::Program {
    let mut sources = SourceMap::new();
    let file = sources.add("test.bpl".to_owned(), text.to_owned());
    boogie::compile(file, text).unwrap_or_else(|_| panic!("mistakes in {text}")).program
}

/// The proof of a program in which paths are merged or kept apart; none if it fails.
fn proof_by(program: &ir::Program, paths: Paths) -> Option<Unwinding> {
    let prove = |procedure| prover::prove(program, procedure, &[], paths);
    Some(Unwinding { entries: program.entries().into_iter().map(prove).collect::<Option<_>>()? })
}

fn proof(program: &ir::Program) -> Option<Unwinding> {
    proof_by(program, Paths::Merged)
}

const BOTH: [Paths; 2] = [Paths::Merged, Paths::Apart];

#[test]
fn proofs_are_accepted_also_as_text_and_those_of_other_programs_are_not() {
    let budget = Budget::unlimited();
    for ((text, right, wrong), paths) in
        PROGRAMS.iter().flat_map(|program| BOTH.map(|paths| (program, paths)))
    {
        let program = compiled(text);
        let proof = proof_by(&program, paths).unwrap_or_else(|| panic!("{text} is right"));
        assert!(check_unwinding(&program, &proof, &budget).is_ok(), "{text}");
        let written = unwinding::write(&program, &certify::format::Made::new(), &proof);
        assert!(unwinding::is_unwinding(&written));
        assert_eq!(unwinding::read(&program, &written), Ok(proof.clone()));
        let other = compiled(&text.replace(right, wrong));
        assert_eq!(unwinding::read(&other, &written), Err(certify::format::ReadError::OtherProgram));
        assert!(check_unwinding(&other, &proof, &budget).is_err(), "{text} with {wrong}");
    }
}

/// Something else than the proof.
fn mutant(proof: &Unwinding, random: &mut Random) -> Unwinding {
    let mut mutant = proof.clone();
    let at = random.below(mutant.entries.len());
    let entry = &mut mutant.entries[at];
    let step = random.below(entry.proof.steps.len());
    let steps = &mut entry.proof.steps;
    let claim = random.below(entry.claims.len().max(1));
    match random.below(12) {
        11 => {
            entry.paths = match entry.paths {
                Paths::Merged => Paths::Apart,
                Paths::Apart => Paths::Merged,
            }
        }
        0 if !entry.claims.is_empty() => entry.claims[claim].used ^= true,
        1 if !entry.claims.is_empty() => entry.claims.truncate(claim),
        2 => {
            let question = entry.claims.last().map_or(0, |last| last.question + 1 + random.below(5) as u64);
            entry.claims.push(Claim { question, what: What::Unreached, used: true });
        }
        8 if !entry.claims.is_empty() => entry.claims[claim].question += random.below(3) as u64,
        9 if !entry.claims.is_empty() => {
            entry.claims[claim].what = match random.below(4) {
                0 => What::Unreached,
                1 => What::Truth(random.below(2) == 0),
                2 => What::Width(random.below(6) as u32),
                _ => What::OneOf((0..random.below(4)).map(|value| value as i128).collect()),
            };
        }
        10 => entry.steps = entry.steps.saturating_add_signed(random.below(40) as i64 - 20),
        3 => drop(steps.remove(step)),
        4 => steps.truncate(step),
        5 => {
            let (lit, place) = (random.below(60), random.below(1 + steps[step].clause.len()));
            steps[step].clause.insert(place, Lit::from_code(lit as u32));
        }
        6 if !steps[step].clause.is_empty() => {
            let place = random.below(steps[step].clause.len());
            steps[step].clause.remove(place);
        }
        _ => {
            let hint = 1 + random.below(steps[step].id as usize + 3) as u32;
            let place = random.below(steps[step].hints.len());
            steps[step].hints[place] = hint;
        }
    }
    mutant
}

/// Tries so many mutants of every proof.
fn try_mutants(count: usize, seed: u64) {
    let (budget, mut random) = (Budget::unlimited(), Random::new(seed));
    let (mut tried, mut refused) = (0, 0);
    for ((text, right, wrong), paths) in
        PROGRAMS.iter().flat_map(|program| BOTH.map(|paths| (program, paths)))
    {
        let program = compiled(text);
        let proof = proof_by(&program, paths).expect("the program is right");
        let other = compiled(&text.replace(right, wrong));
        for _ in 0..count {
            let mutant = mutant(&proof, &mut random);
            assert!(check_unwinding(&other, &mutant, &budget).is_err(), "{mutant:?} for {wrong} in {text}");
            tried += 1;
            refused += u32::from(mutant != proof && check_unwinding(&program, &mutant, &budget).is_err());
        }
    }
    // Some mutants are proofs: a step may be left out that nothing needs, or a clause be longer than necessary.
    assert!(refused * 2 > tried, "{refused} of {tried} are refused for the right program");
}

#[test]
fn no_mutant_of_a_proof_is_accepted_for_a_wrong_program() {
    try_mutants(60, 1);
}

#[test]
#[ignore = "thousands of mutants"]
fn none_of_thousands_of_mutants_is_accepted_for_a_wrong_program() {
    try_mutants(1_500, 2);
}

#[test]
fn claims_that_are_wrong_or_senseless_are_refused() {
    let program = compiled("procedure main(n: int, b: bool) { assume 0 <= n && n < 8; assert n < 8 || b; }");
    let proof = proof(&program).expect("it is right");
    let budget = Budget::unlimited();
    let questions = 40;
    let whats = [
        What::Unreached,
        What::Truth(true),
        What::Truth(false),
        What::Width(0),
        What::Width(1),
        What::Width(2),
        What::OneOf(Vec::new()),
        What::OneOf(vec![0]),
        What::OneOf(vec![0, 1, 2, 3]),
    ];
    for (question, what) in (0..questions).flat_map(|question| whats.iter().map(move |what| (question, what)))
    {
        let mut other = proof.clone();
        other.entries[0].claims.retain(|claim| claim.question != question);
        other.entries[0].claims.push(Claim { question, what: what.clone(), used: true });
        other.entries[0].claims.sort_by_key(|claim| claim.question);
        if other != proof {
            assert!(check_unwinding(&program, &other, &budget).is_err(), "{what:?} at question {question}");
        }
    }
}
