//! Random programs with loops, compared with exhaustive exploration: what leaping calls unsafe must be unsafe.

use crate::support::Task;
use base::Random;
use engines::search::Search;
use program::Verdict;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The variables are n, which no statement changes, x and y.
const NAMES: [&str; 3] = ["n", "x", "y"];
/// The values of n; the exploration tries all of them.
const LARGEST_INPUT: i64 = 4;

/// `a·n + b·x + c·y + d`.
#[derive(Clone, Copy)]
struct Sum([i64; 4]);

#[derive(Clone, Copy)]
enum Condition {
    AtMostZero(Sum),
    Zero(Sum),
    Multiple(Sum, i64),
}

enum Statement {
    Assign(usize, Sum),
    If(Option<Condition>, Vec<Statement>, Vec<Statement>),
    While(Condition, Vec<Statement>),
    Assume(Condition),
    Assert(Condition),
}

impl Sum {
    fn random(random: &mut Random) -> Sum {
        let mut factors = [0; 4];
        for _ in 0..random.between(1, 2) {
            factors[random.number(3) as usize] = random.between(-2, 2);
        }
        factors[3] = random.between(-3, 3);
        Sum(factors)
    }

    fn value(self, state: [i64; 3]) -> i64 {
        self.0[3] + (0..3).map(|i| self.0[i] * state[i]).sum::<i64>()
    }

    fn text(self) -> String {
        let mut text = format!("({}", self.0[3]);
        for (factor, name) in self.0.iter().zip(NAMES).filter(|(factor, _)| **factor != 0) {
            let _ = write!(text, " + {factor} * {name}");
        }
        text.replace("+ -", "- ").replace("(-", "(0 - ") + ")"
    }
}

impl Condition {
    fn random(random: &mut Random) -> Condition {
        let sum = Sum::random(random);
        match random.number(6) {
            0 => Condition::Zero(sum),
            1 => Condition::Multiple(sum, random.between(2, 4)),
            _ => Condition::AtMostZero(sum),
        }
    }

    fn holds(self, state: [i64; 3]) -> bool {
        match self {
            Condition::AtMostZero(sum) => sum.value(state) <= 0,
            Condition::Zero(sum) => sum.value(state) == 0,
            Condition::Multiple(sum, of) => sum.value(state).rem_euclid(of) == 0,
        }
    }

    fn text(self) -> String {
        match self {
            Condition::AtMostZero(sum) => format!("{} <= 0", sum.text()),
            Condition::Zero(sum) => format!("{} == 0", sum.text()),
            Condition::Multiple(sum, of) => format!("{} mod {of} == 0", sum.text()),
        }
    }
}

fn assignment(random: &mut Random) -> Statement {
    let var = random.between(1, 2) as usize;
    let mut sum = Sum([0; 4]);
    match random.number(6) {
        0 => sum = Sum::random(random),
        1 => sum.0[3] = random.between(-1, 4),
        2 => sum.0[3 - var] = 1,
        _ => {
            sum.0[var] = 1;
            sum.0[3] = random.between(-2, 3);
        }
    }
    Statement::Assign(var, sum)
}

fn body(random: &mut Random, depth: u32) -> Vec<Statement> {
    let mut statements = Vec::new();
    for _ in 0..random.between(1, 2) {
        statements.push(match random.number(8) {
            0 if depth > 0 => Statement::If(None, body(random, depth - 1), body(random, depth - 1)),
            1 | 2 if depth > 0 => {
                let condition = Condition::random(random);
                Statement::If(Some(condition), body(random, depth - 1), body(random, depth - 1))
            }
            3 if depth > 1 => Statement::While(Condition::random(random), body(random, depth - 1)),
            4 if random.number(3) == 0 => Statement::Assume(Condition::random(random)),
            5 if random.number(3) == 0 => Statement::Assert(Condition::random(random)),
            _ => assignment(random),
        });
    }
    statements
}

fn random_program(random: &mut Random) -> Vec<Statement> {
    let mut statements = vec![assignment(random), assignment(random)];
    for _ in 0..random.between(1, 2) {
        // A guard that looks like one: some variable below the input or a number.
        let mut sum = Sum([-random.between(0, 2), 0, 0, random.between(-4, 1)]);
        sum.0[random.between(1, 2) as usize] = 1;
        let guard =
            if random.number(4) == 0 { Condition::random(random) } else { Condition::AtMostZero(sum) };
        statements.push(Statement::While(guard, body(random, 2)));
    }
    statements.push(Statement::Assert(Condition::random(random)));
    statements
}

fn text(statements: &[Statement], out: &mut String) {
    for statement in statements {
        let _ = match statement {
            Statement::Assign(var, sum) => writeln!(out, "{} := {};", NAMES[*var], sum.text()),
            Statement::Assume(condition) => writeln!(out, "assume {};", condition.text()),
            Statement::Assert(condition) => writeln!(out, "assert {};", condition.text()),
            Statement::While(condition, body) => {
                let _ = writeln!(out, "while ({}) {{", condition.text());
                text(body, out);
                writeln!(out, "}}")
            }
            Statement::If(condition, then, otherwise) => {
                let _ = writeln!(out, "if ({}) {{", condition.map_or("*".to_owned(), Condition::text));
                text(then, out);
                let _ = writeln!(out, "}} else {{");
                text(otherwise, out);
                writeln!(out, "}}")
            }
        };
    }
}

/// A program as a list of instructions with jumps.
enum Instruction {
    Assign(usize, Sum),
    Branch(Option<Condition>, usize),
    Jump(usize),
    Assume(Condition),
    Assert(Condition),
}

fn compile(statements: &[Statement], code: &mut Vec<Instruction>) {
    for statement in statements {
        match statement {
            Statement::Assign(var, sum) => code.push(Instruction::Assign(*var, *sum)),
            Statement::Assume(condition) => code.push(Instruction::Assume(*condition)),
            Statement::Assert(condition) => code.push(Instruction::Assert(*condition)),
            Statement::While(condition, body) => {
                let head = code.len();
                code.push(Instruction::Branch(Some(*condition), 0));
                compile(body, code);
                code.push(Instruction::Jump(head));
                code[head] = Instruction::Branch(Some(*condition), code.len());
            }
            Statement::If(condition, then, otherwise) => {
                let branch = code.len();
                code.push(Instruction::Branch(*condition, 0));
                compile(then, code);
                let jump = code.len();
                code.push(Instruction::Jump(0));
                code[branch] = Instruction::Branch(*condition, code.len());
                compile(otherwise, code);
                code[jump] = Instruction::Jump(code.len());
            }
        }
    }
}

/// Can an assertion fail? None if there are too many states to say that none can.
fn explore(code: &[Instruction]) -> Option<bool> {
    let mut seen: BTreeSet<(usize, [i64; 3])> = BTreeSet::new();
    let mut pending = Vec::new();
    // The variables begin with what the input says; see `wrap`.
    for n in 0..=LARGEST_INPUT {
        pending.push((0, [n, 0, 0]));
    }
    while let Some((place, state)) = pending.pop() {
        if state.iter().any(|value| value.abs() > 10_000) || seen.len() > 20_000 {
            return None;
        }
        if !seen.insert((place, state)) {
            continue;
        }
        match code.get(place) {
            None => {}
            Some(Instruction::Assign(var, sum)) => {
                let mut next = state;
                next[*var] = sum.value(state);
                pending.push((place + 1, next));
            }
            Some(Instruction::Jump(to)) => pending.push((*to, state)),
            Some(Instruction::Assume(condition)) if condition.holds(state) => {
                pending.push((place + 1, state))
            }
            Some(Instruction::Assume(_)) => {}
            Some(Instruction::Assert(condition)) if condition.holds(state) => {
                pending.push((place + 1, state))
            }
            Some(Instruction::Assert(_)) => return Some(true),
            Some(Instruction::Branch(condition, to)) => {
                if condition.is_none_or(|condition| condition.holds(state)) {
                    pending.push((place + 1, state));
                }
                if condition.is_none_or(|condition| !condition.holds(state)) {
                    pending.push((*to, state));
                }
            }
        }
    }
    Some(false)
}

fn wrap(statements: &[Statement]) -> String {
    let mut out = format!(
        "procedure p(n: int) {{ var x, y: int; assume 0 <= n && n <= {LARGEST_INPUT}; x := 0; y := 0;\n"
    );
    text(statements, &mut out);
    out.push('}');
    out
}

/// How many programs are tried; the environment of a longer run may say more.
const PROGRAMS: u64 = 100;
/// What may be spent on each; what is found at all is mostly found for less.
const EFFORT: u64 = 300_000;

/// Puts the question to all programs: is it unsafe? A safe program must never be called so. Of the unsafe ones, one in
/// so many has to be found, since otherwise nothing was tested.
fn compare(is_unsafe: impl Fn(&str) -> bool, one_in: u64) {
    let wanted = std::env::var("UNREACH_RANDOM_PROGRAMS").ok();
    let count = wanted.map_or(PROGRAMS, |text| text.parse().expect("a number of programs"));
    let (mut decided, mut unsafe_programs, mut found) = (0, 0, 0);
    for seed in 1..=count {
        let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let statements = random_program(&mut random);
        let mut code = Vec::new();
        compile(&statements, &mut code);
        let Some(fails) = explore(&code) else { continue };
        decided += 1;
        unsafe_programs += u64::from(fails);
        let program = wrap(&statements);
        if is_unsafe(&program) {
            assert!(fails, "seed {seed}: a safe program was called unsafe\n{program}");
            found += 1;
        }
    }
    assert!(decided * 2 > count, "{decided} of {count} programs were explored");
    assert!(unsafe_programs < decided, "all programs are unsafe");
    assert!(found * one_in > unsafe_programs, "{found} of {unsafe_programs} unsafe programs were found");
}

#[test]
fn leaps_lead_to_errors_that_exist() {
    let leap = |program: &str| {
        let mut task = Task::new(program);
        task.most_effort = EFFORT;
        task.leap().is_ok()
    };
    compare(leap, 4);
}

#[test]
fn runs_lead_to_errors_that_exist() {
    let search = |program: &str| {
        let task = Task::new(program);
        let mut search = Search::new(&task.source, &task.source.entries(), &task.budget);
        let Verdict::Run(run) = search.run(30_000).expect("there is no limit") else { return false };
        certify::rerun(&task.source, &run, &task.budget).expect("it fails again");
        true
    };
    compare(search, 2);
}
