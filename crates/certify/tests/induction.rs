//! Proofs by induction over the rounds of loops: what is accepted, and that nothing is accepted for a program that fails.

mod prover;

use base::{Budget, EntityRef, Random, SourceMap};
use certify::{check_unwinding, unwinding};
use ir::claims::Paths;
use ir::induction::{Combined, Fact, Induction, Monomial, Relation, Shifted};
use ir::{Block, Procedure, Variable};
use program::Unwinding;

fn compiled(text: &str) -> ir::Program {
    let mut sources = SourceMap::new();
    let file = sources.add("test.bpl".to_owned(), text.to_owned());
    boogie::compile(file, text).unwrap_or_else(|_| panic!("mistakes in {text}")).program
}

/// The proof of a program with these inductions; none if it fails, or if a loop without an induction goes on.
fn proof(program: &ir::Program, inductions: &[Induction]) -> Option<Unwinding> {
    let entries = program
        .entries()
        .into_iter()
        .map(|procedure| prover::prove(program, procedure, inductions, Paths::Merged));
    Some(Unwinding { entries: entries.collect::<Option<_>>()? })
}

/// All blocks with bodies: some of them are heads of loops, and an induction about another one says nothing.
fn blocks(program: &ir::Program) -> Vec<(Procedure, Block)> {
    let bodies =
        program.procedures.iter().filter_map(|(procedure, data)| Some((procedure, data.body.as_ref()?)));
    bodies.flat_map(|(procedure, body)| body.blocks.keys().map(move |block| (procedure, block))).collect()
}

/// The same induction about every block.
fn everywhere(program: &ir::Program, rounds: u32, fact: impl Fn(Procedure) -> Vec<Fact>) -> Vec<Induction> {
    let about = |(procedure, head)| Induction { procedure, head, rounds, facts: fact(procedure) };
    blocks(program).into_iter().map(about).collect()
}

fn variable(program: &ir::Program, name: &str) -> Variable {
    let named = |(_, data): &(Variable, &ir::VariableData)| data.name == name;
    program.variables.iter().find(named).expect("a variable of this name").0
}

const PARITY: &str = "procedure main() { var x: int; x := 0;
  while (*) { x := (x + 2) mod 256; } assert x mod 2 == 0; }";

/// Three registers: what is put into the first comes out of the last.
const DELAY: &str = "procedure main() { var a, b, c, d: int; a := 1; b := 1; c := 1; d := 1;
  while (*) { assert d mod 2 == 1; d := c; c := b; b := a; havoc a; assume 0 <= a && a < 64; a := 2 * a + 1; } }";

#[test]
fn a_fact_makes_the_proof() {
    let program = compiled(PARITY);
    let x = variable(&program, "x");
    let even = Fact::about(x, Relation::Residue { modulus: 2, residue: 0 });
    let range = Fact::about(x, Relation::Between(0, 255));
    let with = everywhere(&program, 1, |_| vec![range.clone(), even.clone()]);
    let proof_with = proof(&program, &with).expect("even numbers stay even");
    let budget = Budget::unlimited();
    assert!(check_unwinding(&program, &proof_with, &budget).is_ok());
    assert!(
        proof(&program, &everywhere(&program, 1, |_| vec![range.clone()])).is_none(),
        "nothing is known of x"
    );
    let zero = Fact::about(x, Relation::Equal(0));
    assert!(
        proof(&program, &everywhere(&program, 1, |_| vec![zero.clone()])).is_none(),
        "x is not always zero"
    );

    let text = unwinding::write(&program, &certify::format::Made::new(), &proof_with);
    assert_eq!(unwinding::read(&program, &text), Ok(proof_with.clone()));
    let mut twice = proof_with.clone();
    let again = twice.entries[0].inductions[0].clone();
    twice.entries[0].inductions.push(again);
    assert!(check_unwinding(&program, &twice, &budget).is_err(), "two inductions about one loop");
    let mut nowhere = proof_with.clone();
    nowhere.entries[0].inductions[0].head = Block::new(1_000);
    assert!(check_unwinding(&program, &nowhere, &budget).is_err(), "no such block");
    let mut none = proof_with;
    none.entries[0].inductions[0].rounds = 0;
    assert!(check_unwinding(&program, &none, &budget).is_err(), "no rounds");
}

#[test]
fn some_proofs_need_several_rounds() {
    let program = compiled(DELAY);
    let shown = |rounds| proof(&program, &everywhere(&program, rounds, |_| Vec::new()));
    assert!(shown(1).is_none() && shown(3).is_none());
    let found = shown(4).expect("after three rounds d is what a was");
    assert!(check_unwinding(&program, &found, &Budget::unlimited()).is_ok());
    for rounds in 1..4 {
        let mut other = found.clone();
        for induction in &mut other.entries[0].inductions {
            induction.rounds = rounds;
        }
        assert!(check_unwinding(&program, &other, &Budget::unlimited()).is_err(), "{rounds} are too few");
    }
}

/// Programs that fail, each after some rounds and in its own way.
const FAILING: &[&str] = &[
    // In a round.
    "procedure main() { var x: int; x := 0; while (true) { assert x != 5; x := x + 1; } }",
    // After the loop.
    "procedure main() { var x: int; x := 0; while (*) { x := x + 1; } assert x != 4; }",
    // Behind a way out of the middle of the loop.
    "procedure main() { var x: int; x := 0; while (true) { x := x + 1; if (x == 6) { break; } } assert x != 6; }",
    // In what a return from inside of the loop promises.
    "procedure f() returns (r: int) { r := 0; while (true) { r := r + 1; if (r == 7) { return; } } }
     procedure ULTIMATE.start() { var y: int; call y := f(); assert y != 7; }",
    // In the loop inside, for a late round of the loop outside.
    "procedure main() { var x, y: int; x := 0; while (true) { y := 0;
       while (y < x) { y := y + 1; assert !(x == 4 && y == 3); } x := x + 1; } }",
    // In the loop outside, after late rounds of the loop inside.
    "procedure main() { var x, y, n: int; x := 0; while (x < 3) { y := 0; havoc n;
       while (y < n) { y := y + 1; } assert !(x == 2 && y == 5); x := x + 1; } }",
    // Through a global variable that a procedure changes.
    "var g: int; procedure step() modifies g; { g := g + 1; }
     procedure ULTIMATE.start() modifies g; { g := 0; while (true) { call step(); assert g != 6; } }",
    // Through an element of a map.
    "procedure main() { var m: [int]int; m[0] := 0; while (true) { m[0] := m[0] + 2; assert m[0] != 8; } }",
    // A loop with two ways in.
    "procedure main() { var x: int; x := 0; goto A, B; A: x := x + 1; goto B; B: x := x + 2; assert x != 8; goto A, C; C: }",
    // A way from the loop inside to the head of the one outside.
    "procedure main() { var x, y: int; x := 0; A: y := 0; x := x + 1; assert x != 6; B: y := y + 1; goto A, B, C; C: }",
    // A loop in a procedure that a loop calls.
    "procedure f(n: int) returns (r: int) { r := 0; while (r < n) { r := r + 1; } }
     procedure ULTIMATE.start() { var x, y: int; x := 0; while (true) { call y := f(x); assert y != 4; x := x + 1; } }",
    // Only with an input of before the loop.
    "procedure main(n: int) { var x: int; assume 0 <= n && n < 100; x := 0;
       while (*) { x := x + 1; if (x > n) { x := 0; } assert x != 6; } }",
    // A recursion inside of a loop.
    "procedure f(n: int) returns (r: int) { if (n <= 0) { r := 0; } else { call r := f(n - 1); r := r + 1; } }
     procedure ULTIMATE.start() { var x, y: int; x := 0;
       while (true) { call y := f(x); assert y != 3; if (x < 5) { x := x + 1; } } }",
];

fn random_fact(program: &ir::Program, procedure: Procedure, random: &mut Random) -> Option<Fact> {
    let visible =
        program.globals.iter().copied().chain(program.procedures[procedure].parameters.iter().copied());
    let body = program.procedures[procedure].body.as_ref()?;
    let results = program.procedures[procedure].results.iter().copied();
    let numbers: Vec<Variable> = visible
        .chain(results)
        .chain(body.locals.iter().copied())
        .filter(|&variable| program.variables[variable].ty == ir::Type::INT)
        .collect();
    if numbers.is_empty() {
        return None;
    }
    let mut choose = |count: usize| random.below(count);
    let (x, y) = (numbers[choose(numbers.len())], numbers[choose(numbers.len())]);
    let number = choose(10) as i128;
    let relation = match choose(10) {
        7 => Relation::Bits { mask: number, value: number & choose(10) as i128 },
        8 => Relation::OtherBits { mask: number, value: choose(10) as i128 },
        9 => Relation::Parity { mask: number, odd: choose(2) == 0 },
        0 => Relation::AtMost(number),
        1 => Relation::AtLeast(0),
        2 => Relation::Between(0, number),
        3 => Relation::Equal(number),
        4 => Relation::Unequal(number),
        5 => Relation::Residue { modulus: 2, residue: number % 2 },
        _ => Relation::OneOf((0..number).collect()),
    };
    if choose(3) == 0 {
        let mut word = |variable| Shifted {
            variable,
            plus: choose(3) as i64 - 1,
            left: choose(5) as i32 - 2,
            flipped: choose(2) == 0,
        };
        let words = vec![word(x), word(y)];
        let of = if choose(2) == 0 { Combined::Xor(words) } else { Combined::And(words) };
        return Some(Fact { of, relation });
    }
    Some(if choose(3) == 0 { Fact::difference(x, y, relation) } else { Fact::about(x, relation) })
}

#[test]
fn no_induction_shows_a_program_that_fails() {
    let mut random = Random::new(7);
    for text in FAILING {
        let program = compiled(text);
        let all = blocks(&program);
        for attempt in 0..60 {
            let mut inductions = Vec::new();
            for &(procedure, head) in &all {
                if attempt % 3 != 0 && random.below(3) == 0 {
                    continue;
                }
                let rounds = 1 + random.below(3) as u32;
                let count = random.below(4);
                let facts =
                    (0..count).filter_map(|_| random_fact(&program, procedure, &mut random)).collect();
                inductions.push(Induction { procedure, head, rounds, facts });
            }
            assert_eq!(proof(&program, &inductions), None, "{inductions:?} for {text}");
        }
    }
}

/// Facts about two variables with known values: a proof by induction exists exactly if the fact holds for the values, as
/// [`Fact::holds`] computes it by arithmetic and the checker by circuits.
#[test]
fn facts_mean_what_they_say() {
    let mut random = Random::new(46);
    let values = [0_i128, 1, 2, 5, 6, 7, 8, 63, 64, -1, -2, -6, -64, 1000, 65_535, -70_000];
    let (mut hold, mut fail) = (0, 0);
    for _ in 0..400 {
        let (a, b) = (values[random.below(values.len())], values[random.below(values.len())]);
        let text = format!(
            "procedure main() {{ var x, y, z: int; x := {a}; y := {b}; z := 0; while (*) {{ z := 1 - z; }} }}"
        );
        let program = compiled(&text);
        let (x, y) = (variable(&program, "x"), variable(&program, "y"));
        let mut choose = |count: usize| random.below(count);
        let mut word = |variable| Shifted {
            variable,
            plus: choose(5) as i64 - 2,
            left: choose(9) as i32 - 4,
            flipped: choose(2) == 0,
        };
        let words = vec![word(x), word(y)];
        let of = match choose(3) {
            0 => Combined::Xor(words),
            1 => Combined::And(words),
            _ => Combined::Sum(vec![Monomial { factor: choose(7) as i64 - 3, variable: x }]),
        };
        let value = |variable: Variable| if variable == x { Some(a) } else { Some(b) };
        let number = of.number(value).expect("these are small");
        let mask = [1, 3, 6, 0xff, 0xf0f0, (1 << 40) - 1][choose(6)];
        let near = number & mask ^ [0, 0, 1, 2][choose(4)];
        let relation = match choose(5) {
            0 => Relation::Bits { mask, value: near },
            1 => Relation::OtherBits { mask, value: near },
            2 => Relation::Parity { mask, odd: choose(2) == 0 },
            3 => Relation::Equal(number ^ [0, 0, 1, 4][choose(4)]),
            _ => Relation::AtMost(number + choose(3) as i128 - 1),
        };
        let fact = Fact { of, relation };
        let expected = fact.holds(value).expect("these are small");
        let inductions = everywhere(&program, 1, |_| vec![fact.clone()]);
        let proven = proof(&program, &inductions);
        assert_eq!(proven.is_some(), expected, "{fact:?} for {a} and {b}");
        *(if expected { &mut hold } else { &mut fail }) += 1;
        let Some(proven) = proven else { continue };
        let written = unwinding::write(&program, &certify::format::Made::new(), &proven);
        assert_eq!(unwinding::read(&program, &written), Ok(proven.clone()));
        // With the contrary nobody may be content.
        let mut contrary = proven;
        let changed = match fact.relation {
            Relation::Bits { mask, value } => Relation::OtherBits { mask, value },
            Relation::OtherBits { mask, value } => Relation::Bits { mask, value },
            Relation::Parity { mask, odd } => Relation::Parity { mask, odd: !odd },
            _ => continue,
        };
        for induction in contrary.entries.iter_mut().flat_map(|entry| &mut entry.inductions) {
            induction.facts.iter_mut().for_each(|fact| fact.relation = changed.clone());
        }
        assert!(
            check_unwinding(&program, &contrary, &Budget::unlimited()).is_err(),
            "{fact:?} for {a} and {b}"
        );
    }
    assert!(hold > 50 && fail > 50, "{hold} facts hold and {fail} do not");
}

#[test]
fn facts_without_a_meaning_are_refused() {
    let program = compiled(PARITY);
    let x = variable(&program, "x");
    let range = Fact::about(x, Relation::Between(0, 255));
    let even = Fact::about(x, Relation::Bits { mask: 1, value: 0 });
    let inductions = everywhere(&program, 1, |_| vec![range.clone(), even.clone()]);
    let proven = proof(&program, &inductions).expect("even numbers stay even");
    assert!(check_unwinding(&program, &proven, &Budget::unlimited()).is_ok());
    let far = Combined::Xor(vec![Shifted { left: 200, ..Shifted::plain(x) }]);
    for changed in [
        Fact::about(x, Relation::Bits { mask: -1, value: 0 }),
        Fact::about(x, Relation::Parity { mask: -2, odd: false }),
        Fact { of: far, relation: Relation::AtLeast(0) },
    ] {
        let mut mutant = proven.clone();
        mutant.entries[0].inductions[0].facts[1] = changed.clone();
        assert!(check_unwinding(&program, &mutant, &Budget::unlimited()).is_err(), "{changed:?}");
    }
}
