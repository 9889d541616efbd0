//! Random programs with what Boogie has beyond integers and calls: the verdict of every engine against the truth, which is
//! found by running the program in all ways. A disagreement, also between engines, shows the program.
//!
//! The Horn clauses that `unreach print chc` writes are held against the truth by the same programs, without threads,
//! quantifiers and recursive definitions, if the solver `z3` is installed.
//!
//! `UNREACH_RANDOM_PROGRAMS=N` runs N programs instead of the usual number, `UNREACH_RANDOM_START=S` begins with program S,
//! and `UNREACH_RANDOM_SECONDS=T` gives no engine more than T seconds for a program, for runs with thousands of them.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the test can be asked for more programs, and tells how many it tried"
)]

mod generate;

use base::{Budget, EntityRef, FileId, budget::Limits};
use ir::interpreter::{self, Driver, Interpreter, Outcome, Reason, State, Value};
use ir::{Block, Function, Procedure, Program, Type, TypeData, Variable};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use unreach::{Answer, ENGINES, Engine, Inlining, Plan, Problem, Silent, verify};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Truth {
    Safe,
    Unsafe,
}

/// The program of a text, in which procedures promise something only where their free preconditions held.
fn compiled(text: &str) -> Program {
    match boogie::compile(FileId::new(0), text) {
        Ok(mut compiled) => {
            boogie::under_free_preconditions(&mut compiled.program);
            compiled.program
        }
        Err(failure) => panic!("{failure:?}\n{text}"),
    }
}

/// Runs the program in all ways; nothing if there are too many.
fn truth(program: &Program) -> Option<Truth> {
    const MOST_RUNS: usize = 60_000;
    let limits = interpreter::Limits { steps: 5_000, call_depth: 40, operations: 1_000_000 };
    let mut explorer = Explorer::default();
    let mut interpreter = Interpreter::new(program, Budget::unlimited());
    for _ in 0..MOST_RUNS {
        explorer.position = 0;
        explorer.functions.clear();
        let entry = program.entries()[0];
        match interpreter.run(entry, &[], &mut explorer, limits).expect("nothing interrupts the run") {
            Outcome::Failed(_) => return Some(Truth::Unsafe),
            Outcome::Finished | Outcome::Blocked(_) => {}
            other => panic!("a generated program cannot be run: {}\n{program}", other.describe(program)),
        }
        assert_eq!(interpreter.unchecked(), [], "all is finite\n{program}");
        if !explorer.advance() {
            return Some(Truth::Safe);
        }
    }
    None
}

/// Counts through all decisions of a run; the last moves first.
#[derive(Default)]
struct Explorer {
    /// What was decided, out of how many.
    digits: Vec<(usize, usize)>,
    position: usize,
    /// What functions have in this run.
    functions: BTreeMap<(Function, Vec<Value>), Value>,
}

impl Explorer {
    fn decide(&mut self, choices: usize) -> usize {
        if self.position == self.digits.len() {
            self.digits.push((0, choices));
        }
        self.position += 1;
        self.digits[self.position - 1].0
    }

    fn advance(&mut self) -> bool {
        self.digits.truncate(self.position);
        while let Some((decision, choices)) = self.digits.pop() {
            if decision + 1 < choices {
                self.digits.push((decision + 1, choices));
                return true;
            }
        }
        false
    }

    fn value(&mut self, program: &Program, ty: Type) -> Value {
        match program.types[ty] {
            TypeData::Bool => Value::Bool(self.decide(2) == 1),
            TypeData::Int => Value::int(self.decide(3)),
            TypeData::BitVec(2) => Value::bits(2, &self.decide(4).into()),
            // Maps are assigned as a whole before they are used.
            _ => Value::default_of(program, ty),
        }
    }
}

impl Driver for Explorer {
    fn choose(&mut self, program: &Program, variable: Variable, reason: Reason) -> Option<Value> {
        let data = &program.variables[variable];
        let counts = matches!(reason, Reason::Havoc | Reason::Contract(_))
            || matches!(data.kind, ir::VariableKind::Constant { .. });
        // All other variables are assigned before they are used, so one value is as good as all.
        Some(if counts { self.value(program, data.ty) } else { Value::default_of(program, data.ty) })
    }

    fn goto(&mut self, program: &Program, procedure: Procedure, block: Block) -> Option<usize> {
        let body = program.procedures[procedure].body.as_ref()?;
        Some(self.decide(body.blocks[block].transfer.successors().count()))
    }

    fn schedule(&mut self, _: &State<'_>, threads: &[usize]) -> Option<usize> {
        Some(threads[self.decide(threads.len())])
    }

    fn join(&mut self, threads: &[usize]) -> Option<usize> {
        Some(threads[self.decide(threads.len())])
    }

    fn apply(&mut self, program: &Program, function: Function, arguments: &[Value]) -> Option<Value> {
        let key = (function, arguments.to_vec());
        if let Some(value) = self.functions.get(&key) {
            return Some(value.clone());
        }
        let value = self.value(program, program.functions[function].result);
        self.functions.insert(key, value.clone());
        Some(value)
    }
}

/// How much work a program is worth, in rounds, unless `UNREACH_RANDOM_ROUNDS` says otherwise.
const ROUNDS: u64 = 5;

/// What an engine says; nothing if it does not know.
fn answer(text: &str, engine: &'static Engine) -> Option<Truth> {
    let problem = Problem::boogie("random.bpl", text);
    let rounds = number("UNREACH_RANDOM_ROUNDS", ROUNDS) as u32;
    let plan = Plan::only(engine, Inlining::Never).with_rounds(rounds);
    let budget = Budget::unlimited();
    let seconds = std::env::var("UNREACH_RANDOM_SECONDS").ok().map(|text| text.parse().expect("a number"));
    let limits = Limits { time: seconds.map(Duration::from_secs_f64), memory: None };
    let _watchdog = budget.watch(limits, Duration::MAX, |_| {});
    let decision = verify(&problem, &plan, &budget, Arc::new(Silent)).unwrap_or_else(|failure| {
        panic!("{}: {failure:?}\n{text}", engine.name);
    });
    match decision.answer {
        Answer::Safe(_) => Some(Truth::Safe),
        Answer::Unsafe(_) | Answer::Leaps(_) => Some(Truth::Unsafe),
        // Whether runs end is another question.
        Answer::Unknown(_) | Answer::Terminates(_) | Answer::Infinite(_) => None,
    }
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn no_engine_contradicts_the_executions() {
    // Some of the first programs have quantifiers that keep the solver busy for a minute.
    let (start, count) = (number("UNREACH_RANDOM_START", 4), number("UNREACH_RANDOM_PROGRAMS", 8));
    let (mut safe, mut failing, mut large, mut asked, mut answered) = (0_u64, 0_u64, 0_u64, 0_u64, 0_u64);
    let mut wrong = Vec::new();
    for seed in start..start + count {
        let text = generate::program(seed);
        let program = compiled(&text);
        let Some(truth) = truth(&program) else {
            large += 1;
            continue;
        };
        match truth {
            Truth::Safe => safe += 1,
            Truth::Unsafe => failing += 1,
        }
        for engine in ENGINES {
            asked += 1;
            match answer(&text, engine) {
                Some(answer) if answer != truth => {
                    wrong.push(format!(
                        "{seed}: {} says {answer:?}, the truth is {truth:?}\n{text}",
                        engine.name
                    ));
                }
                Some(_) => answered += 1,
                None => {}
            }
        }
    }
    let figures = format!("{safe} safe, {failing} unsafe, {large} too large, {answered} answers of {asked}");
    eprintln!("{figures}");
    assert!(wrong.is_empty(), "{} wrong; {figures}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(large * 2 <= count && safe > 0 && failing > 0, "a poor mix: {figures}");
}

/// What Z3 says about a script, if it is installed: nothing if it does not know.
fn horn_solver(script: &str) -> Option<Option<Truth>> {
    let mut child = Command::new("z3")
        .args(["-in", "-T:20"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(script.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!text.contains("error"), "{text}\n{script}");
    Some(match text.lines().next() {
        Some("sat") => Some(Truth::Safe),
        Some("unsat") => Some(Truth::Unsafe),
        _ => None,
    })
}

/// The clauses of a program, as the command line prints them.
fn clauses(text: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("clauses-{}.bpl", std::process::id()));
    std::fs::write(&path, text).expect("the program can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_unreach"))
        .args(["print", "chc", "--blocks", "loop-free"])
        .arg(&path)
        .output()
        .expect("the binary runs");
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stdout).expect("the clauses are text")
}

#[test]
fn horn_clauses_are_the_program() {
    if horn_solver("(check-sat)").is_none() {
        eprintln!("skipped: the solver z3 is not installed");
        return;
    }
    let (start, count) = (number("UNREACH_RANDOM_START", 0), number("UNREACH_RANDOM_PROGRAMS", 30));
    let (mut safe, mut failing, mut unknown) = (0_u64, 0_u64, 0_u64);
    let mut wrong = Vec::new();
    for seed in start..start + count {
        let text = generate::plain_program(seed);
        let program = compiled(&text);
        let Some(truth) = truth(&program) else { continue };
        let script = clauses(&text);
        match horn_solver(&script).flatten() {
            Some(answer) if answer != truth => {
                wrong.push(format!(
                    "{seed}: the clauses say {answer:?}, the truth is {truth:?}\n{text}\n{script}"
                ));
            }
            Some(Truth::Safe) => safe += 1,
            Some(Truth::Unsafe) => failing += 1,
            None => unknown += 1,
        }
    }
    let figures = format!("{safe} safe, {failing} unsafe, {unknown} unknown");
    eprintln!("{figures}");
    assert!(wrong.is_empty(), "{} wrong; {figures}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(failing > 0, "a poor mix: {figures}");
}
