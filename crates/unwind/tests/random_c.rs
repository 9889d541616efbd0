//! Random C functions of two small inputs against gcc, on all inputs.
//!
//! For every function gcc says which results it has. That a result occurs must be found, with a run that fails; that
//! another one never occurs must be shown, with a refutation that the checker accepts.
//!
//! `UNWIND_RANDOM_C` is how many functions are tried, beginning with the number `UNWIND_RANDOM_FROM`.
#![allow(clippy::disallowed_methods, clippy::print_stderr)]

use base::Random;
use base::{Budget, Interrupted, SourceMap};
use ir::claims::Paths;
use ir::interpreter::{Interpreter, Limits as RunLimits, Outcome};
use sat::{Answer, Recording, Solver};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Command;
use unwind::cnf::Encoder;
use unwind::proving::{Proven, Refutation, prove};
use unwind::witness::Follower;
use unwind::{Bit, Circuit, Decision, Limits, Oracle, Unwinder};

/// How many conflicts a question is worth.
const PATIENCE: u64 = 20_000;

/// Variables with their C types. All of them have a value from the beginning.
const VARIABLES: &[(&str, &str)] = &[
    ("unsigned", "u"),
    ("unsigned", "v"),
    ("int", "s"),
    ("int", "t"),
    ("unsigned long long", "w"),
    ("long long", "q"),
    ("unsigned char", "c"),
    ("signed char", "d"),
    ("unsigned short", "h"),
    ("short", "k"),
];

fn leaf(random: &mut Random) -> String {
    match random.number(8) {
        0 => format!("{}", random.number(10)),
        1 => format!("{}u", 1_u64 << random.number(32)),
        2 => format!("0x{:x}u", random.number(1 << 31)),
        3 => format!("(-{})", random.number(300)),
        4 => format!("m[({}) & 3]", VARIABLES[random.number(10) as usize].1),
        _ => VARIABLES[random.number(10) as usize].1.to_owned(),
    }
}

fn expression(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return leaf(random);
    }
    let a = expression(random, depth - 1);
    let b = expression(random, depth - 1);
    match random.number(22) {
        0 => format!("({a} + {b})"),
        1 => format!("({a} - {b})"),
        2 => format!("({a} * {b})"),
        3 => format!("({a} & {b})"),
        4 => format!("({a} | {b})"),
        5 => format!("({a} ^ {b})"),
        6 => format!("(~{a})"),
        // What is shifted is never negative, and by less than the width.
        7 => format!("((unsigned)({a}) << (({b}) & 31))"),
        8 => format!("((unsigned)({a}) >> (({b}) & 31))"),
        9 => format!("((int)({a}) >> (({b}) & 31))"),
        10 => format!("((unsigned long long)({a}) << (({b}) & 63))"),
        11 => format!("((unsigned long long)({a}) >> (({b}) & 63))"),
        // Divisors are never zero or negative.
        12 => format!("((unsigned)({a}) / ((({b}) & 15) + 1u))"),
        13 => format!("((unsigned)({a}) % ((({b}) & 255) + 1u))"),
        14 => format!("((int)({a}) / (int)((({b}) & 7) + 1))"),
        15 => format!("((int)({a}) % (int)((({b}) & 7) + 1))"),
        16 => format!("({a} < {b})"),
        17 => format!("({a} == {b})"),
        18 => format!("(({a}) ? ({b}) : ({}))", leaf(random)),
        19 => format!("((unsigned char)({a}))"),
        20 => format!("((signed char)({a}) - (short)({b}))"),
        _ => format!("(!({a}))"),
    }
}

fn statement(random: &mut Random, depth: u32, loops: &mut u32) -> String {
    let target = |random: &mut Random| match random.number(6) {
        0 => format!("m[({}) & 3]", VARIABLES[random.number(10) as usize].1),
        _ => VARIABLES[random.number(10) as usize].1.to_owned(),
    };
    match random.number(if depth > 0 { 8 } else { 4 }) {
        4 | 5 => {
            let then = statement(random, depth - 1, loops);
            let otherwise = statement(random, depth - 1, loops);
            format!("if ({}) {{ {then} }} else {{ {otherwise} }}", expression(random, 1))
        }
        6 => {
            *loops += 1;
            let (name, most) = (format!("i{loops}"), 1 + random.number(5));
            let body = statement(random, depth - 1, loops);
            format!("for (int {name} = 0; {name} < {most}; {name}++) {{ {body} }}")
        }
        7 => {
            *loops += 1;
            let name = format!("i{loops}");
            let bound = leaf(random);
            let body = statement(random, depth - 1, loops);
            format!("for (unsigned {name} = ({bound}) & 3; {name} > 0; {name}--) {{ {body} }}")
        }
        _ => {
            let size = 1 + random.number(2) as u32;
            format!("{} = {};", target(random), expression(random, size))
        }
    }
}

/// The body of a function from `x` and `y` to an `unsigned`.
fn body(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
    random.number(2);
    let mut text = String::from("  unsigned m[4] = {x, y, 7u, x * 3u};\n");
    for (index, (ty, name)) in VARIABLES.iter().enumerate() {
        let input = if index % 2 == 0 { "x" } else { "y" };
        let _ =
            writeln!(text, "  {ty} {name} = {input} * {}u + {}u;", random.number(300), random.number(70_000));
    }
    let mut loops = 0;
    for _ in 0..2 + random.number(5) {
        let _ = writeln!(text, "  {}", statement(&mut random, 2, &mut loops));
    }
    text + "  return (unsigned)(u ^ v + s - t + (unsigned)w + (unsigned)(q >> 3) + c + d + h + k + m[0] + m[3]) & 63u;\n"
}

/// The results of the functions on all inputs, by gcc.
fn by_gcc(bodies: &[String]) -> Option<Vec<BTreeSet<u32>>> {
    let mut text = String::from("#include <stdio.h>\n");
    for (index, body) in bodies.iter().enumerate() {
        let _ = writeln!(text, "static unsigned f{index}(unsigned x, unsigned y) {{\n{body}}}");
    }
    text += "int main(void) {\n";
    for index in 0..bodies.len() {
        let _ = writeln!(
            text,
            "for (unsigned x = 0; x < 16; x++) for (unsigned y = 0; y < 8; y++) printf(\"%u \", f{index}(x, y)); puts(\"\");"
        );
    }
    text += "}\n";
    let folder = std::env::temp_dir().join(format!("unwind-random-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (source, binary) = (folder.join("f.c"), folder.join("f"));
    std::fs::write(&source, &text).expect("a file");
    let gcc =
        Command::new("gcc").args(["-w", "-fwrapv", "-O0", "-o"]).arg(&binary).arg(&source).status().ok()?;
    assert!(gcc.success(), "gcc refuses {}", source.display());
    let output = Command::new(&binary).output().expect("it runs");
    let _ = std::fs::remove_dir_all(&folder);
    let results =
        |line: &str| line.split_whitespace().map(|number| number.parse().expect("a number")).collect();
    Some(String::from_utf8(output.stdout).expect("text").lines().map(results).collect())
}

/// Asks a solver as long as it takes.
struct Asking {
    solver: Solver,
    encoder: Encoder,
    ends: Vec<bool>,
}

impl Asking {
    fn new() -> Asking {
        let solver = Solver::new(Recording::Nothing, Budget::unlimited());
        Asking { solver, encoder: Encoder::default(), ends: Vec::new() }
    }

    /// Nothing if it takes long: products of products are hard.
    fn ask(&mut self, circuit: &Circuit, bit: Bit) -> Option<Answer> {
        let lit = self.encoder.literal(circuit, bit, &mut self.solver);
        self.solver.solve_within(&[lit], PATIENCE).expect("no limit")
    }
}

impl Oracle for Asking {
    fn decide(&mut self, circuit: &Circuit, condition: Bit, _: u32) -> Result<Decision, Interrupted> {
        let ends = self.ask(circuit, condition) == Some(Answer::Unsat);
        self.ends.push(ends);
        Ok(if ends { Decision::Impossible } else { Decision::Continue })
    }
}

/// Can the assertion of a program fail? Either answer is checked. Nothing if it is hard to say.
fn fails(program: &ir::Program) -> Option<bool> {
    let entry = program.entries()[0];
    let mut unwinder = Unwinder::new(program, Limits::default(), Budget::unlimited()).with_record();
    let mut asking = Asking::new();
    unwinder.run(entry, &mut asking).expect("no limit");
    assert!(unwinder.open.is_empty());
    let bits: Vec<Bit> = unwinder.failures.iter().map(|failure| failure.bit).collect();
    let fails = unwinder.any(bits);
    if asking.ask(unwinder.circuit(), fails)? == Answer::Unsat {
        let record = unwinder.record.take().expect("a record was made");
        let source = (&*record, unwinder.steps());
        let Proven::Yes(found) = prove(program, entry, &[], source, &Budget::unlimited()).expect("no limit")
        else {
            panic!("the checker does not see that it never fails");
        };
        let Refutation { steps, claims, proof } = found;
        let refutation = unroll::Refutation {
            inductions: &[],
            paths: Paths::Merged,
            steps,
            claims: &claims,
            proof: &proof,
        };
        assert_eq!(unroll::check(program, entry, refutation, &Budget::unlimited()), Ok(()));
        return Some(false);
    }
    let known = |bit: Bit| asking.encoder.known(bit).is_some_and(|lit| asking.solver.value(lit));
    let values = unwinder.circuit().simulate(|input| known(Bit::of(input)));
    let mut follower = Follower::new(&unwinder, |bit: Bit| values[bit.node() as usize] ^ bit.is_negated());
    let mut interpreter = Interpreter::new(program, Budget::unlimited());
    let outcome = interpreter.run(entry, &[], &mut follower, RunLimits::default());
    assert!(matches!(outcome, Ok(Outcome::Failed(_))), "the run ends with {outcome:?}");
    Some(true)
}

fn program(body: &str, result: u32, data_model: c::DataModel) -> ir::Program {
    let text = format!(
        "extern unsigned __VERIFIER_nondet_uint(void);\n#include <assert.h>\n\
         static unsigned f(unsigned x, unsigned y) {{\n{body}}}\n\
         int main(void) {{ unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();\n\
         if (x < 16 && y < 8) {{ unsigned r = f(x, y); assert(r != {result}u); }} return 0; }}\n"
    );
    let mut sources = SourceMap::new();
    let file = sources.add("random.c".to_owned(), text);
    let options = c::Options {
        data_model,
        property: c::Property::Assert,
        signed_overflow: c::SignedOverflow::Wraps,
        bit_operations: c::BitOperations::Exact,
        ..c::Options::default()
    };
    match c::translate(&mut sources, file, options, &c::NoIncludes) {
        Ok((program, _)) => program,
        Err(problems) => panic!("{problems:?} in {body}"),
    }
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn functions_have_the_results_that_gcc_says() {
    let (count, from) = (setting("UNWIND_RANDOM_C", 25), setting("UNWIND_RANDOM_FROM", 0));
    let seeds: Vec<u64> = (from..from + count).collect();
    let mut hard = 0;
    for seeds in seeds.chunks(50) {
        let bodies: Vec<String> = seeds.iter().map(|&seed| body(seed)).collect();
        let Some(expected) = by_gcc(&bodies) else {
            eprintln!("skipped: there is no gcc");
            return;
        };
        for ((seed, body), results) in seeds.iter().zip(&bodies).zip(&expected) {
            let model = if seed % 2 == 0 { c::DataModel::Lp64 } else { c::DataModel::Ilp32 };
            let some = *results.iter().nth(*seed as usize % results.len()).expect("a result");
            let found = fails(&program(body, some, model));
            assert_ne!(found, Some(false), "function {seed} never returns {some}:\n{body}");
            hard += u64::from(found.is_none());
            if let Some(never) = (0..64).map(|n| (n + *seed as u32) % 64).find(|n| !results.contains(n)) {
                let found = fails(&program(body, never, model));
                assert_ne!(found, Some(true), "function {seed} returns {never}:\n{body}");
                hard += u64::from(found.is_none());
            }
        }
    }
    assert!(10 * hard <= count, "{hard} questions about {count} functions are hard");
}
