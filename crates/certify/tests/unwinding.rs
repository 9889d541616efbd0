//! Proofs by unwinding: what is accepted, and what must be refused.
//!
//! A program and its twin with a mistake have certificates that look alike. Whatever is done to the certificate of the
//! right one, it must not be accepted for the wrong one.

use base::Random;
use base::{Budget, Interrupted, SourceMap};
use certify::{check_unwinding, unwinding};
use program::{EntryUnwinding, Unwinding};
use sat::{Answer, Lit, Recording, Solver};
use unwind::cnf::Encoder;
use unwind::{Bit, Circuit, Decision, Limits, Oracle, Unwinder};

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

struct Asking {
    solver: Solver,
    encoder: Encoder,
    ends: Vec<bool>,
}

impl Oracle for Asking {
    fn decide(&mut self, circuit: &Circuit, condition: Bit, _: u32) -> Result<Decision, Interrupted> {
        let lit = self.encoder.literal(circuit, condition, &mut self.solver);
        let ends = self.solver.solve(&[lit])? == Answer::Unsat;
        self.ends.push(ends);
        Ok(if ends { Decision::Impossible } else { Decision::Continue })
    }
}

/// The proof of a program; none if it fails.
fn proof(program: &ir::Program) -> Option<Unwinding> {
    let mut entries = Vec::new();
    for procedure in program.entries() {
        let mut unwinder = Unwinder::new(program, Limits::default(), Budget::unlimited());
        let solver = Solver::new(Recording::Nothing, Budget::unlimited());
        let mut asking = Asking { solver, encoder: Encoder::default(), ends: Vec::new() };
        unwinder.run(procedure, &mut asking).expect("small");
        let question = unwinder.question();
        let mut solver = Solver::new(Recording::Proof, Budget::unlimited());
        for _ in 0..question.variables {
            solver.new_var();
        }
        for clause in &question.clauses {
            solver.add_clause(clause);
        }
        if solver.solve(&[]) == Ok(Answer::Sat) {
            return None;
        }
        entries.push(EntryUnwinding {
            procedure,
            inductions: Vec::new(),
            ends: asking.ends,
            proof: solver.into_proof(),
        });
    }
    Some(Unwinding { entries })
}

#[test]
fn proofs_are_accepted_also_as_text_and_those_of_other_programs_are_not() {
    let budget = Budget::unlimited();
    for (text, right, wrong) in PROGRAMS {
        let program = compiled(text);
        let proof = proof(&program).unwrap_or_else(|| panic!("{text} is right"));
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
    match random.below(8) {
        0 if !entry.ends.is_empty() => {
            let end = random.below(entry.ends.len());
            entry.ends[end] ^= true;
        }
        1 if !entry.ends.is_empty() => {
            let end = random.below(entry.ends.len());
            entry.ends.truncate(end);
        }
        2 => entry.ends.push(random.below(2) == 0),
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

#[test]
fn no_mutant_of_a_proof_is_accepted_for_a_wrong_program() {
    let (budget, mut random) = (Budget::unlimited(), Random::new(1));
    let (mut tried, mut refused) = (0, 0);
    for (text, right, wrong) in PROGRAMS {
        let program = compiled(text);
        let proof = proof(&program).expect("the program is right");
        let other = compiled(&text.replace(right, wrong));
        for _ in 0..500 {
            let mutant = mutant(&proof, &mut random);
            assert!(check_unwinding(&other, &mutant, &budget).is_err(), "{mutant:?} for {wrong} in {text}");
            tried += 1;
            refused += u32::from(mutant != proof && check_unwinding(&program, &mutant, &budget).is_err());
        }
    }
    // Some mutants are proofs: a step may be left out that nothing needs, or a clause be longer than necessary.
    assert!(refused * 2 > tried, "{refused} of {tried} are refused for the right program");
}
