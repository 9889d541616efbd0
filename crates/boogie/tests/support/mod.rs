//! What the integration tests share.

#![allow(dead_code, reason = "every test binary uses its own part")]

use base::{Budget, EntityRef, FileId, SourceMap};
use ir::interpreter::{
    Assumption, Bits, Defaults, Driver, Event, FailureKind, Interpreter, Limits, Outcome, Place, Reason,
    Script, State, Unchecked, Value,
};
use ir::{Block, Procedure, Program, Variable};
use num_bigint::BigInt;
use num_rational::Ratio;
use std::fmt::Write as _;

pub fn file() -> FileId {
    FileId::new(0)
}

/// The text of the tree of a program that parses.
pub fn ast_text(input: &str) -> String {
    let parsed = boogie::parse(file(), input);
    assert_eq!(parsed.errors, [], "in {input}");
    boogie::print::ast(&parsed.ast)
}

/// The program of a text that compiles.
pub fn compile(input: &str) -> Program {
    match boogie::compile(file(), input) {
        Ok(compiled) => compiled.program,
        Err(failure) => panic!("{failure:?} in {input}"),
    }
}

/// A program is well formed and its text reads back as itself.
pub fn check_program(program: &Program) {
    assert_eq!(ir::well_formed::check(program), []);
    let text = program.to_string();
    let again = compile(&text);
    assert_eq!(again.to_string(), text, "the text of a program reads back as itself");
    assert_eq!(ir::well_formed::check(&again), []);
}

/// Does what the `run` and `trace` lines of a file test say.
pub fn runs(program: &Program, sources: &SourceMap, input: &str) -> String {
    assert_eq!(ir::well_formed::check(program), []);
    let mut out = String::new();
    for line in input.lines() {
        let (trace, rest) = match (line.strip_prefix("//@ run "), line.strip_prefix("//@ trace ")) {
            (Some(rest), _) => (false, rest),
            (_, Some(rest)) => (true, rest),
            (None, None) => continue,
        };
        let mut words = rest.split_whitespace();
        let name = words.next().expect("a run names a procedure");
        let procedure = program.procedure(name).expect("the procedure exists");
        let words: Vec<&str> = words.collect();
        let mut driver = Watch { inner: driver(program, &words), trace: trace.then(String::new) };
        let mut interpreter = Interpreter::new(program, Budget::unlimited());
        let limits = Limits { steps: 10_000, call_depth: 200, operations: 1_000_000 };
        let outcome = interpreter.run(procedure, &[], &mut driver, limits).expect("nothing trips the budget");
        writeln!(out, "{rest}: {}", describe(program, sources, outcome)).expect("strings can be written");
        out.push_str(&driver.trace.unwrap_or_default());
        out.push_str(&values(program, &interpreter.state(), procedure));
        for unchecked in interpreter.unchecked() {
            match unchecked {
                Unchecked::Axiom(axiom, obstacle) => {
                    writeln!(out, "  axiom {axiom} is not checked: {obstacle}")
                }
                Unchecked::Definition(function) => {
                    let name = &program.functions[*function].name;
                    writeln!(out, "  the definition of `{name}` is not checked")
                }
            }
            .expect("strings can be written");
        }
    }
    out
}

fn driver(program: &Program, words: &[&str]) -> Box<dyn Driver> {
    if words.is_empty() {
        return Box::new(Defaults);
    }
    let (mut values, mut targets, mut in_targets) = (Vec::new(), Vec::new(), false);
    for word in words {
        match *word {
            "values" => in_targets = false,
            "targets" => in_targets = true,
            word if in_targets => targets.push(word.parse().expect("a target is a number")),
            word => values.push(value(program, word)),
        }
    }
    Box::new(Script::new(values, targets))
}

/// `true`, `-3`, `1.5`, `5bv8`, `[int]int:0` for a map that is 0 everywhere, `T!2` for an element.
fn value(program: &Program, word: &str) -> Value {
    if let Ok(value) = word.parse::<bool>() {
        return Value::Bool(value);
    }
    if let Some((ty, default)) = word.split_once(':') {
        let ty = program.types.iter().find(|&(id, _)| program.show_type(id).to_string() == ty);
        let (ty, _) = ty.expect("the type occurs in the program");
        return Value::constant_map(program, ty, value(program, default)).expect("it is a map type");
    }
    if let Some((ty, number)) = word.rsplit_once('!') {
        let ty = program.types.iter().find(|&(id, _)| program.show_type(id).to_string() == ty);
        let (ty, _) = ty.expect("the type occurs in the program");
        return Value::Element(ty, number.parse().expect("elements are numbered"));
    }
    if let Some((number, width)) = word.split_once("bv") {
        let width = width.parse().expect("a width is a number");
        return Value::Bits(Bits::from_int(width, &number.parse::<BigInt>().expect("bits are a number")));
    }
    if let Some((whole, fraction)) = word.split_once('.') {
        let digits: BigInt = format!("{whole}{fraction}").parse().expect("a decimal has digits");
        return Value::real(Ratio::new(digits, BigInt::from(10).pow(fraction.len() as u32)));
    }
    Value::int(word.parse::<BigInt>().expect("what remains is a number"))
}

fn describe(program: &Program, sources: &SourceMap, outcome: Outcome) -> String {
    let at = |place: Place| {
        let block = &program.procedures[place.procedure].body.as_ref().expect("it runs").blocks[place.block];
        let span = block.statements.get(place.index).map_or(block.transfer_span, |statement| statement.span);
        format!("`{}` at {}", sources.text(span), sources.line_column(span))
    };
    let clause = |procedure: Procedure, index: usize, requires: bool| {
        let data = &program.procedures[procedure];
        let clauses = if requires { &data.requires } else { &data.ensures };
        format!("`{}` of {}", sources.text(clauses[index].span), data.name)
    };
    let name = |variable: Variable| &program.variables[variable].name;
    match outcome {
        Outcome::Failed(failure) => match failure.kind {
            FailureKind::Assert(kind) => format!("{kind:?} fails, {}", at(failure.place)),
            FailureKind::Requires(callee, index) => {
                format!("{} fails, {}", clause(callee, index, true), at(failure.place))
            }
            FailureKind::Ensures(procedure, index) => {
                format!("{} fails, {}", clause(procedure, index, false), at(failure.place))
            }
            FailureKind::NoRace(variable) => format!("race for {}, {}", name(variable), at(failure.place)),
            FailureKind::NoDeadlock => format!("all threads wait, {}", at(failure.place)),
        },
        Outcome::Blocked(assumption) => match assumption {
            Assumption::Statement(place) => format!("blocked, {}", at(place)),
            Assumption::Where(variable) => format!("blocked by the where clause of {}", name(variable)),
            Assumption::Requires(procedure, index) => {
                format!("blocked by {}", clause(procedure, index, true))
            }
            Assumption::Ensures(procedure, index) => {
                format!("blocked by {}", clause(procedure, index, false))
            }
            Assumption::Axiom(index) => {
                format!("blocked by `{}`", sources.text(program.axioms[index].span))
            }
            Assumption::Join(place) => format!("join, {}", at(place)),
            Assumption::Unique(left, right) => {
                format!("blocked, since {} and {} are equal", name(left), name(right))
            }
        },
        Outcome::CannotEvaluate(expr, obstacle) => {
            format!("no value of `{}`: {obstacle}", program.show_expr(expr))
        }
        Outcome::NoValue(variable) => format!("no value for {}", name(variable)),
        Outcome::IllTypedValue(variable) => format!("ill-typed value for {}", name(variable)),
        Outcome::NoTarget(place) => format!("no target, {}", at(place)),
        Outcome::Threads(place) => format!("threads, {}", at(place)),
        Outcome::NoThread => "no thread".to_owned(),
        Outcome::Finished | Outcome::OutOfSteps | Outcome::TooManyCalls | Outcome::Stopped => {
            format!("{outcome:?}")
        }
    }
}

/// The globals, and the variables of the innermost procedure (of the first one if all have returned).
fn values(program: &Program, state: &State<'_>, first: Procedure) -> String {
    let procedure = state.frames().last().map_or(first, |place| place.procedure);
    let data = &program.procedures[procedure];
    let locals = data.body.iter().flat_map(|body| &body.locals);
    let own = data.parameters.iter().chain(&data.results).chain(locals);
    let mut out = String::new();
    for &variable in program.globals.iter().chain(own) {
        if let Some(value) = state.value(variable) {
            let text: String = value.to_string().chars().take(60).collect();
            writeln!(out, "  {} = {text}", program.variables[variable].name).expect("strings can be written");
        }
    }
    out
}

/// Passes all questions on, and writes down what happens.
struct Watch {
    inner: Box<dyn Driver>,
    trace: Option<String>,
}

impl Driver for Watch {
    fn choose(&mut self, program: &Program, variable: Variable, reason: Reason) -> Option<Value> {
        self.inner.choose(program, variable, reason)
    }

    fn goto(&mut self, program: &Program, procedure: Procedure, block: Block) -> Option<usize> {
        self.inner.goto(program, procedure, block)
    }

    fn observe(&mut self, state: &State<'_>, event: Event<'_>) -> bool {
        let program = state.program();
        if let Some(trace) = &mut self.trace {
            let text = match event {
                Event::Entered(procedure) => format!("enter {}", program.procedures[procedure].name),
                Event::Executed(_, statement) => program.show_statement(statement).to_string(),
                Event::Branched(_, holds) => format!("branch {holds}"),
                Event::Jumped(_, target) => format!("jump {target}"),
                Event::Left(_) => "leave".to_owned(),
                Event::Returned(_) => "returned".to_owned(),
            };
            let indent = "  ".repeat(state.frames().len() + 1);
            writeln!(trace, "{indent}{text}").expect("strings can be written");
        }
        true
    }
}
