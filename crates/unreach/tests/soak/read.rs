//! Everybody who reads a text: one function for each kind of text. The tests of this folder and the targets of `fuzz` call them.

use base::SourceMap;
use certify::{Subject, format};
use logic::Terms;
use std::sync::LazyLock;
use std::time::Duration;
use unreach::view::{BitOperations, NoView, View};
use unreach::{Budget, Failure, Limits, Problem};

/// A kind of text. What is said about a text tells which part of the reader it has reached.
pub struct Kind {
    pub name: &'static str,
    pub read: fn(&str) -> String,
}

pub const KINDS: &[Kind] = &[
    Kind { name: "boogie", read: |text| view(&Problem::boogie("soak.bpl", text)) },
    Kind { name: "c", read: |text| view(&Problem::c("soak.c", text)) },
    Kind { name: "svlib", read: |text| view(&Problem::svlib("soak.svlib", text)) },
    Kind { name: "automata", read: automata },
    Kind { name: "certificate", read: certificate },
    Kind { name: "witness", read: |text| said(evidence::witness::read(text), text) },
    Kind { name: "property", read: |text| said(unreach::property::parse(text), text) },
    Kind { name: "observer", read: observer },
    Kind { name: "yaml", read: |text| said(evidence::yaml::read(text), text) },
    Kind { name: "smtlib", read: |text| said(logic::smtlib::parse::script(&mut Terms::new(), text), text) },
];

/// The program that certificates are held against.
pub const PROVEN: &str = "procedure main(n: int)\n{\n  var i: int;\n  i := 0;\n  while (i < n) { i := i + 1; }\n  assert n < 0 || i >= n;\n}\n";

/// How large a number is, roughly.
fn magnitude(number: usize) -> u32 {
    usize::BITS - number.leading_zeros()
}

fn view(problem: &Problem) -> String {
    match View::new(problem, BitOperations::Marked) {
        Ok(view) => format!("{} expressions", magnitude(view.program.expressions.len())),
        Err(NoView::Failure(Failure::Mistakes(_, mistakes))) => {
            mistakes.first().map(|first| first.message.clone()).unwrap_or_default()
        }
        Err(other) => format!("{other:?}"),
    }
}

/// Errors in words; a text that is right is described by its length.
fn said<T, E: std::fmt::Debug>(read: Result<T, E>, text: &str) -> String {
    read.err().map_or_else(|| format!("{} characters", magnitude(text.len())), |error| format!("{error:?}"))
}

fn automata(text: &str) -> String {
    let budget = Budget::unlimited();
    let limits = Limits { time: Some(Duration::from_secs(1)), memory: None };
    let _watchdog = budget.watch(limits, Duration::from_secs(3600), |_| {});
    let mut out = Vec::new();
    let environment = ats::Environment {
        load: &mut |_, _| Err("there are no other files".to_owned()),
        out: &mut out,
        format: ats::Format::Script,
        budget: &budget,
    };
    let report = ats::run("soak.ats", text, environment);
    let wrong = report.diagnostics.first().map(|first| first.message.clone());
    let missing = report.unsupported.first().map(|(what, _)| what.clone());
    let held = magnitude(report.assertions.len());
    wrong.or(missing).unwrap_or_else(|| format!("{held} assertions, {:?}", report.interrupted))
}

fn certificate(text: &str) -> String {
    static PROGRAM: LazyLock<ir::Program> = LazyLock::new(|| {
        let file = SourceMap::new().add("soak.bpl".to_owned(), PROVEN.to_owned());
        boogie::compile(file, PROVEN).expect("it is a program").program
    });
    let mut terms = Terms::new();
    let subject = Subject::new(&PROGRAM, &mut terms).expect("logic can express it");
    let parts = [
        said(format::made(text), text),
        said(format::read(&PROGRAM, &subject, text, &mut terms), text),
        said(certify::unwinding::read(&PROGRAM, text), text),
    ];
    parts.join("; ")
}

fn observer(text: &str) -> String {
    let file = SourceMap::new().add("soak.obs".to_owned(), text.to_owned());
    let read = property::observer::parse(file, text);
    said(read.map_err(|mistake| mistake.message), text)
}
