//! Decisions about C programs as files for other tools: witnesses and SARIF.

mod ghosts;
mod threads;

pub use ghosts::ghosts;

use crate::answer::{Answer, Decision, Infinite};
use crate::checks::{Check, Found, Survey};
use crate::problem::{Problem, Source};
use crate::property::Property;
use crate::report::proof::{Invariant, InvariantKind};
use crate::report::{self, Target, failed_assertion};
use crate::view::{BitOperations, View};
use base::{FileId, SourceMap, Span};
use c::{Claim, Event, Monitor, Outlined, Place, Segment, Waypoint, When};
use certify::{Certified, Execution};
use evidence::sarif::{self, Finding, Outcome, Position, Step, Violation};
pub use evidence::witness::write::Version;
use evidence::witness::write::{self, Answered, Task};
use num_traits::ToPrimitive;
use serde_json::Value;
use std::sync::Arc;

/// Witnesses describe so many inputs of an execution; a shorter description is never wrong.
const MOST_INPUTS: usize = 500;

/// The formats of witnesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// YAML, of the first version that says all there is to say.
    Yaml,
    /// YAML of this version: what it has no words for is left out.
    YamlOf(Version),
    /// GraphML 1.0, for violations only.
    GraphMl,
}

impl Format {
    /// Why there are no witnesses about a property in this format, if that is known before anything else is.
    pub fn lacks(self, property: Property) -> Option<&'static str> {
        match (self, property) {
            (Format::YamlOf(Version::V2_0), Property::Termination) => {
                Some("version 2.0 has no witnesses about termination; 2.1 has")
            }
            (Format::GraphMl, Property::Termination) => {
                Some("witnesses about termination are not written in GraphML; YAML 2.1 has them")
            }
            _ => None,
        }
    }

    /// Whether it has what a version has.
    fn has(self, version: Version) -> bool {
        match self {
            Format::Yaml => true,
            Format::YamlOf(own) => own >= version,
            Format::GraphMl => false,
        }
    }
}

/// How a witness is wanted.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The format.
    pub format: Format,
    /// When it is made, as `2026-01-31T12:00:00Z`.
    pub time: String,
    /// What is known to hold with ghosts: what [`ghosts`] has found.
    pub ghosts: Option<Monitor>,
}

/// Why there is no witness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoWitness {
    /// There is nothing to witness.
    Nothing,
    /// The format that is wanted cannot say it; why.
    NotInFormat(&'static str),
}

/// A C test that leads the program into the error of a decision; nothing if it found none, or why there is no test.
pub fn test(problem: &Problem, decision: &Decision) -> Option<Result<String, &'static str>> {
    let execution = match &decision.answer {
        Answer::Unsafe(execution) => execution,
        Answer::Leaps(leaps) => leaps.execution.as_ref()?,
        Answer::Safe(_) | Answer::Terminates(_) | Answer::Infinite(_) | Answer::Unknown(_) => return None,
    };
    let view = decision.view.as_ref()?;
    let back = view.back.as_ref()?;
    if problem.ltl.is_some() {
        return Some(Err("a formula of temporal logic cannot be said in C"));
    }
    if view.threads.is_some() {
        return Some(Err("a test cannot tell threads in which order to run"));
    }
    if problem.c.may_fail != c::MayFail::default() {
        return Some(Err("a test cannot let functions of the library fail"));
    }
    let number = |(variable, value): &(ir::Variable, ir::interpreter::Value)| match value {
        // A floating number goes by its bit pattern.
        ir::interpreter::Value::Bits(bits) => Some((*variable, bits.unsigned().into())),
        value => Some((*variable, value.as_int()?.to_big())),
    };
    let inputs: Vec<_> = execution.inputs.iter().chain(&execution.choices).filter_map(number).collect();
    let at = failed_assertion(view, execution).map(|(statement, _)| statement.span);
    let flags = flags(problem);
    Some(
        c::harness(back, &view.sources, c::Failing { inputs: &inputs, at }, &flags)
            .ok_or("an assertion or a contract cannot be said in C"),
    )
}

/// The flags with which a compiler reads a program: the test may stand in another folder.
fn flags(problem: &Problem) -> String {
    let mut flags = String::new();
    let own = match &problem.source {
        Source::Text { name, .. } => std::path::Path::new(name).parent().map(std::path::Path::to_owned),
        Source::Ir(..) | Source::Question(..) => None,
    };
    let own = own.filter(|_| problem.text().contains("#include \"")).into_iter();
    for folder in own.chain(problem.c.include.iter().cloned()) {
        let shown = folder.display().to_string();
        flags.push_str(&format!(" -I{}", if shown.is_empty() { "." } else { &shown }));
    }
    for define in &problem.c.define {
        flags.push_str(&format!(" -D'{define}'"));
    }
    flags
}

/// The witness for a decision about a C program.
pub fn witness(problem: &Problem, decision: &Decision, wish: &Wish) -> Result<String, NoWitness> {
    let view = decision.view.as_ref().ok_or(NoWitness::Nothing)?;
    if problem.ltl.is_some() {
        return Err(NoWitness::NotInFormat("witnesses have no words for formulas of temporal logic"));
    }
    let Source::Text { name, text, .. } = &problem.source else { return Err(NoWitness::Nothing) };
    let format = wish.format;
    let task = Task {
        file: name.clone(),
        text: text.clone(),
        specification: specification(problem),
        data_model: problem.c.data_model,
        time: wish.time.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        format: match format {
            Format::Yaml | Format::GraphMl => Version::default(),
            Format::YamlOf(version) => version,
        },
    };
    let told = match (&decision.answer, format) {
        (Answer::Unknown(_), _) => return Err(NoWitness::Nothing),
        (Answer::Safe(_) | Answer::Terminates(_), Format::GraphMl) => {
            return Err(NoWitness::NotInFormat("in GraphML, only violations are written"));
        }
        (Answer::Infinite(_), _) if !format.has(Version::V2_1) => {
            return Err(NoWitness::NotInFormat("only YAML from version 2.1 on has cycles"));
        }
        (Answer::Safe(safe), _) => {
            let of_loops = invariants(problem, &safe.invariants, view);
            let monitor = wish.ghosts.as_ref().filter(|_| format.has(Version::V2_1)).unwrap_or(&of_loops);
            Some(write::correctness(&task, &said_in(format, monitor)))
        }
        (Answer::Terminates(terminates), _) => {
            let monitor = invariants(problem, &terminates.ranks, view);
            Some(write::correctness(&task, &said_in(format, &monitor)))
        }
        (Answer::Infinite(infinite), _) => endless(problem, view, infinite, &task),
        (Answer::Unsafe(execution), _) => return violation(problem, view, execution, &task, format),
        (Answer::Leaps(leaps), _) => {
            let execution = leaps.execution.as_ref().ok_or(NoWitness::Nothing)?;
            return violation(problem, view, execution, &task, format);
        }
    };
    told.ok_or(NoWitness::Nothing)
}

/// What a format has words for, numbered anew.
fn said_in(format: Format, monitor: &Monitor) -> Monitor {
    let mut said = monitor.clone();
    said.claims.retain(|claim| format == Format::Yaml || format.has(write::needed_for(claim)));
    if said.ghosts.is_empty() {
        said.claims.iter_mut().zip(1..).for_each(|(claim, entry)| claim.entry = entry);
    }
    said
}

fn specification(problem: &Problem) -> String {
    let entry = problem.c.entry.as_deref().unwrap_or("main");
    let own = problem.property.written();
    let besides = c::Check::ALL
        .into_iter()
        .filter(|&check| problem.listed.contains(check))
        .filter_map(c::Check::written);
    let checks =
        own.into_iter().chain(besides).map(|formula| format!("CHECK( init({entry}()), LTL({formula}) )"));
    checks.collect::<Vec<String>>().join(" ")
}

/// The statements of the main file.
struct Outline<'v> {
    sources: &'v SourceMap,
    file: FileId,
    statements: Vec<Outlined>,
}

impl<'v> Outline<'v> {
    fn new(problem: &Problem, view: &'v View) -> Option<Outline<'v>> {
        let file = view.back.as_ref()?.file?;
        let statements = view.outline(problem, file)?;
        Some(Outline { sources: &view.sources, file, statements })
    }

    /// The statement around a place, and the one behind it in the text.
    fn around(&self, span: Span) -> Option<(Outlined, Option<Outlined>)> {
        if span.file != self.file {
            return None;
        }
        let behind = self.statements.partition_point(|one| one.span.start <= span.start);
        let next = self.statements[behind..].iter().find(|one| one.span.start >= span.end).copied();
        Some((*self.statements.get(behind.checked_sub(1)?)?, next))
    }

    fn place(&self, span: Span) -> Place {
        let at = self.sources.line_column(span);
        Place { line: at.line, column: Some(at.column) }
    }

    fn text(&self, start: u32, end: u32) -> &str {
        self.sources.text(Span::new(self.file, start, end.max(start)))
    }
}

/// What a proof says about loops and functions, as far as the program can be asked about it at these places.
fn invariants(problem: &Problem, proven: &[Invariant], view: &View) -> Monitor {
    let mut monitor = Monitor::default();
    let Some(outline) = Outline::new(problem, view) else { return monitor };
    // The locations of a product of threads are not those of the program.
    if view.threads.is_some() {
        return monitor;
    }
    let mut said: Vec<(&Invariant, Place, &String)> = Vec::new();
    for invariant in proven {
        let Some(text) = &invariant.c_expression else { continue };
        if let InvariantKind::Ensures(function) = &invariant.kind {
            let definition = view.program.procedures.values().find(|data| data.name == *function);
            let definition = definition.filter(|data| data.span.file == outline.file);
            said.extend(definition.map(|data| (invariant, outline.place(data.span), text)));
            continue;
        }
        let Some((statement, _)) = outline.around(invariant.span) else { continue };
        if statement.tests_first {
            said.push((invariant, outline.place(statement.span), text));
        }
    }
    for &(invariant, ref place, text) in &said {
        // Copies of one loop have invariants of their own, which need not hold for the others.
        let is_copy =
            |(other, at, _): &&(&Invariant, Place, &String)| other.kind == invariant.kind && at == place;
        if said.iter().filter(is_copy).count() > 1 {
            continue;
        }
        let entry = u32::try_from(monitor.claims.len()).unwrap_or(u32::MAX) + 1;
        let when = match invariant.kind {
            InvariantKind::Ensures(_) => When::FunctionExit,
            InvariantKind::Loop | InvariantKind::Rank | InvariantKind::PartialRank => When::LoopCondition,
        };
        let claim = Claim { entry, when, place: place.clone(), text: text.clone() };
        if is_in_scope(problem, Monitor { claims: vec![claim.clone()], ..Monitor::default() }) {
            monitor.claims.push(claim);
        }
    }
    monitor
}

/// Whether what a monitor says has a meaning at its places.
fn is_in_scope(problem: &Problem, monitor: Monitor) -> bool {
    let property = match problem.property {
        Property::Termination => Property::UnreachCall,
        other => other,
    };
    let asked = Problem { monitor: Some(Arc::new(monitor)), property, ..problem.clone() };
    View::new(&asked, BitOperations::Marked).is_ok()
}

/// The violation witness of a run that never ends: it comes back to a loop for ever.
fn endless(problem: &Problem, view: &View, infinite: &Infinite, task: &Task) -> Option<String> {
    let outline = Outline::new(problem, view)?;
    let (statement, _) = outline.around(infinite.told.span)?;
    let place = outline.place(statement.span);
    let event = if statement.is_loop { Event::Branching(true) } else { Event::Assumption("1".to_owned()) };
    let follow = Waypoint { entry: 1, place, event, thread: None };
    let segments = vec![Segment { avoid: Vec::new(), follow }];
    let monitor = Monitor { segments, cycle: Some(0), ..Monitor::default() };
    is_in_scope(problem, monitor.clone()).then(|| write::violation(task, &monitor))
}

fn violation(
    problem: &Problem,
    view: &View,
    execution: &Certified<Execution>,
    task: &Task,
    format: Format,
) -> Result<String, NoWitness> {
    let outline = Outline::new(problem, view).ok_or(NoWitness::Nothing)?;
    let (failed, stated) = failed_assertion(view, execution).ok_or(NoWitness::Nothing)?;
    // Blocks that are left at the end have no statement of their own: the last one that was executed stands for it.
    let at_end = ["valid-memtrack", "valid-memcleanup"].iter().any(|check| stated.starts_with(check));
    let last = || last_statement(view, &outline, execution, failed.span);
    let span = if at_end { last() } else { Some(failed.span) };
    let around = span.and_then(|span| outline.around(span));
    let (statement, next) = around.ok_or(NoWitness::Nothing)?;
    let target = outline.place(statement.span);
    if format.has(Version::V2_2) && view.threads.is_some() {
        let passed = threads::violation(view, &outline, execution, &target);
        match passed.filter(|_| !at_end) {
            Some(monitor) => return Ok(write::violation(task, &monitor)),
            // Without a thread, a waypoint would be one of the first thread.
            None if format != Format::Yaml => {
                return Err(NoWitness::NotInFormat(
                    "whose steps they are cannot be told, as version 2.2 demands; 2.1 says less",
                ));
            }
            None => {}
        }
    }
    let mut answers = if view.threads.is_some() { Vec::new() } else { answers(view, &outline, execution) };
    // What is answered while the target is being executed comes behind the waypoint of the target.
    let start = (target.line, target.column);
    let end = next.map(|next| outline.place(next.span)).map(|place| (place.line, place.column));
    let in_target = |place: &Place| {
        let at = (place.line, place.column);
        at >= start && end.is_none_or(|end| at < end)
    };
    while answers.last().is_some_and(|answer| in_target(&answer.waypoint.place)) {
        answers.pop();
    }
    if format == Format::GraphMl {
        return Ok(write::violation_graphml(task, &answers, &target));
    }
    let mut segments: Vec<Segment> =
        answers.into_iter().map(|answer| Segment { avoid: Vec::new(), follow: answer.waypoint }).collect();
    let entry = u32::try_from(segments.len()).unwrap_or(u32::MAX).saturating_add(1);
    let follow = Waypoint { entry, place: target, event: Event::Target, thread: None };
    segments.push(Segment { avoid: Vec::new(), follow });
    Ok(write::violation(task, &Monitor { segments, ..Monitor::default() }))
}

/// Where the last statement of the main file is that was executed; `end` is what is done at the end of a function.
fn last_statement(view: &View, outline: &Outline<'_>, execution: &Execution, end: Span) -> Option<Span> {
    let spans = execution.events.iter().rev().filter_map(|event| {
        let body = view.program.procedures[event.place.procedure].body.as_ref()?;
        Some(body.blocks[event.place.block].statements.get(event.place.index)?.span)
    });
    spans.into_iter().find(|span| span.file == outline.file && *span != end)
}

/// What the environment answered, in order.
fn answers(view: &View, outline: &Outline<'_>, execution: &Execution) -> Vec<Answered> {
    let Some(back) = &view.back else { return Vec::new() };
    let mut answers: Vec<Answered> = Vec::new();
    for (variable, value) in &execution.choices {
        let Some(input) = back.inputs.iter().find(|input| input.variable == *variable) else { continue };
        // The calls that are described must be all up to some point.
        let number = value.as_int().and_then(|value| value.to_big().to_i128());
        let (Some(number), true) = (number, input.span.file == outline.file) else { break };
        let call = outline.sources.text(input.span);
        // A call with several answers, as of `scanf`, returns none of them.
        if answers.len() == MOST_INPUTS || !call.ends_with(')') || !call.starts_with(&input.function) {
            break;
        }
        let value = literal(number);
        let entry = u32::try_from(answers.len()).unwrap_or(u32::MAX) + 1;
        let waypoint = assigned(back, outline, input, &value, entry).unwrap_or_else(|| {
            let end = Span::new(input.span.file, input.span.end - 1, input.span.end);
            let event = Event::Return(Some(format!("\\result == {value}")));
            Waypoint { entry, place: outline.place(end), event, thread: None }
        });
        let line = outline.place(input.span).line;
        answers.push(Answered { waypoint, function: input.function.clone(), line, value });
    }
    answers
}

/// If a statement only assigns an answer to a variable of its type: what holds before the statement behind it. Validators
/// understand this better than what a call returns.
fn assigned(
    back: &c::BackMap,
    outline: &Outline<'_>,
    input: &c::Input,
    value: &str,
    entry: u32,
) -> Option<Waypoint> {
    let (statement, next) = outline.around(input.span)?;
    let next = next?;
    let before = outline.text(statement.span.start, input.span.start).trim_end().strip_suffix('=')?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let only_words = before.chars().all(|c| is_word(c) || c.is_whitespace());
    let name = before.split_whitespace().last()?;
    let between = outline.text(input.span.end, next.span.start).trim();
    // A label or a brace behind it may be reached from elsewhere, or not at all.
    let direct = between == ";" && !outline.sources.text(next.span).starts_with('{');
    let is_label = outline.sources.file(outline.file).text.get(next.span.end as usize..);
    let is_label = is_label.is_some_and(|rest| rest.trim_start().starts_with(':'));
    let namesakes = || back.variables.values().filter(|variable| variable.name == name);
    let same_type = namesakes().next().is_some() && namesakes().all(|variable| variable.ty == input.ty);
    if !only_words || !direct || is_label || !same_type {
        return None;
    }
    let event = Event::Assumption(format!("{name} == {value}"));
    Some(Waypoint { entry, place: outline.place(next.span), event, thread: None })
}

/// A number as a C constant expression.
fn literal(number: i128) -> String {
    if number == i128::from(i32::MIN) {
        "(-2147483647 - 1)".to_owned()
    } else if number == i128::from(i64::MIN) {
        "(-9223372036854775807LL - 1)".to_owned()
    } else if number > i128::from(i64::MAX) {
        format!("{number}ULL")
    } else if i32::try_from(number).is_err() {
        format!("{number}LL")
    } else {
        number.to_string()
    }
}

/// What was found out about a property, for code scanning tools.
pub fn sarif(file: &str, property: Property, decision: &Decision) -> Value {
    sarif_at(file, property, decision, None)
}

/// The same about a function at a place.
pub fn sarif_at(file: &str, property: Property, decision: &Decision, place: Option<Position>) -> Value {
    // Which of the checks fails is the rule, where several were asked for.
    let violated = match &decision.answer {
        Answer::Unsafe(_) => report::verdict(decision, property, Target::Error)
            .strip_prefix("FALSE(")
            .and_then(|rest| rest.strip_suffix(')'))
            .map(str::to_owned),
        _ => None,
    };
    let named = violated.filter(|_| place.is_some()).unwrap_or_else(|| property.to_string());
    let finding = Finding { property: named, place, outcome: outcome(file, property, decision) };
    sarif::log(file, &property.to_string(), &[finding], env!("CARGO_PKG_VERSION"))
}

/// What was found out about every check, for code scanning tools. Without checks, it is about the property.
pub fn sarif_of_survey(file: &str, property: Property, survey: &Survey) -> Value {
    let one = |(check, found): &(Check, Found)| {
        let of_check = check.what.split_once(": ").map(|(property, _)| property.to_owned());
        let place = survey.sources.line_column(check.span);
        let outcome = match found {
            Found::Proven => Outcome::Pass,
            Found::NotReached => Outcome::Open("all executions fail before".to_owned()),
            Found::Open(reason) => Outcome::Open(reason.to_string()),
            Found::Fails(decision) => outcome(file, property, decision),
        };
        let is_library = survey.sources.file(check.span.file).name == c::LIBRARY;
        let place = (!is_library).then_some(Position { line: place.line, column: place.column });
        Finding { property: of_check.unwrap_or_else(|| property.to_string()), place, outcome }
    };
    match (&survey.checks[..], &survey.rest) {
        ([], Some(rest)) => sarif(file, property, rest),
        (checks, _) => {
            let findings: Vec<Finding> = checks.iter().map(one).collect();
            sarif::log(file, &property.to_string(), &findings, env!("CARGO_PKG_VERSION"))
        }
    }
}

fn outcome(file: &str, property: Property, decision: &Decision) -> Outcome {
    let object = report::json(decision, property, Target::Error);
    let found = &object["counterexample"];
    let number = |value: &Value| u32::try_from(value.as_u64().unwrap_or(1)).unwrap_or(u32::MAX).max(1);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match &decision.answer {
        Answer::Safe(_) | Answer::Terminates(_) => Outcome::Pass,
        Answer::Unknown(_) => Outcome::Open(text(&object["reason"])),
        Answer::Unsafe(_) => {
            let elsewhere = |name: &Value| name.as_str().filter(|name| *name != file).map(str::to_owned);
            // A step that names no file is in the one of the failure.
            let file_of = |step: &Value| match &step["file"] {
                Value::Null => elsewhere(&found["file"]),
                own => elsewhere(own),
            };
            let step = |step: &Value| Step {
                file: file_of(step),
                line: number(&step["line"]),
                column: number(&step["column"]),
                note: text(&step["note"]),
                depth: step["depth"].as_u64().unwrap_or(0),
                thread: step["thread"].as_str().map(str::to_owned),
                values: step["values"]
                    .as_object()
                    .map(|values| values.iter().map(|(name, value)| (name.clone(), text(value))).collect())
                    .unwrap_or_default(),
            };
            let steps = found["steps"].as_array().map(|steps| steps.iter().map(step).collect());
            Outcome::Fail(Violation {
                what: text(&found["what"]),
                file: elsewhere(&found["file"]),
                line: number(&found["line"]),
                column: number(&found["column"]),
                text: text(&found["condition"]),
                steps: steps.unwrap_or_default(),
            })
        }
        Answer::Infinite(_) => Outcome::Fail(Violation {
            what: "a run never ends".to_owned(),
            file: None,
            line: 1,
            column: 1,
            text: String::new(),
            steps: Vec::new(),
        }),
        Answer::Leaps(leaps) => {
            let place = decision.view.as_ref().map(|view| view.sources.line_column(leaps.error.span));
            Outcome::Fail(Violation {
                what: "reached by leaps over loops".to_owned(),
                file: None,
                line: place.map_or(1, |place| place.line),
                column: place.map_or(1, |place| place.column),
                text: String::new(),
                steps: Vec::new(),
            })
        }
    }
}
