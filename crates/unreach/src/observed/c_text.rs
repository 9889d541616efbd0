//! What an observer adds to a C program.

use super::{NoText, Piece};
use crate::property::Property;
use c::watch::{AtLabel, Known, Signature, StandIn, Watch};
use property::observer::product::{ARGUMENT, ATOM, EVENT, KEEP, RESULT, SENSE, STAND_IN, WHEN};
use property::observer::{Event, EventData, EventKind, Observer, Pattern, Transition};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Functions that end the program in an orderly way, besides the return of `main`.
const EXITS: &[&str] = &["exit", "_exit", "_Exit", "quick_exit"];

/// Functions that work on the frame of their caller, in whose name nobody can call them.
const OF_THE_FRAME: &[&str] =
    &["alloca", "__builtin_alloca", "setjmp", "_setjmp", "sigsetjmp", "longjmp", "siglongjmp"];

/// What is added, with the parts that stand in the observer's file.
pub(super) struct Added {
    pub(super) watch: Watch,
    pub(super) pieces: Vec<Piece>,
}

/// The events of a function.
#[derive(Default)]
struct Watched {
    call: Option<Event>,
    returns: Option<Event>,
    /// What happens at the end of the program, if the function ends it.
    exit: Option<Event>,
}

/// What an observer adds to a C program that begins with `entry`.
pub(super) fn text(observer: &Observer, known: &Known, entry: &str) -> Result<Added, NoText> {
    let mut writer =
        Writer { observer, out: String::from("_Bool __unreach_observes(_Bool);\n"), pieces: Vec::new() };
    let mut functions: BTreeMap<&str, Watched> = BTreeMap::new();
    let mut kept = String::new();
    let mut labels = Vec::new();
    for (event, data) in observer.events.iter() {
        match data.kind {
            EventKind::Call => functions.entry(&data.name).or_default().call = Some(event),
            EventKind::Return => functions.entry(&data.name).or_default().returns = Some(event),
            EventKind::Assign | EventKind::Label | EventKind::Fails | EventKind::Exit | EventKind::Round => {
                check_named(data, known)?;
                writer.sense(event);
                let called = format!("{SENSE}{}", number(event));
                if data.kind == EventKind::Label {
                    labels.push(AtLabel { label: data.name.clone(), called });
                } else {
                    // Writing to a string cannot fail.
                    let _ = write!(kept, "{called}(); ");
                }
            }
        }
        if data.kind == EventKind::Exit {
            let ends = |function: &&Signature| !function.defined && EXITS.contains(&function.name.as_str());
            for function in known.functions.iter().filter(ends) {
                functions.entry(&function.name).or_default().exit = Some(event);
            }
        }
    }
    let mut stand_ins = Vec::new();
    for (name, watched) in functions {
        let event = watched.call.or(watched.returns).or(watched.exit);
        let span = event.map(|event| observer.events[event].span);
        let Some(signature) = known.functions.iter().find(|function| function.name == name) else {
            let Some(span) = span else { continue };
            return Err(NoText::mistake(span, format!("the program has no function `{name}`")));
        };
        if let (true, Some(span)) = (name == entry, span) {
            let what = format!("`{name}` is where the program begins; its end is the event `exit`");
            return Err(NoText::mistake(span, what));
        }
        writer.stand_in(signature, &watched)?;
        stand_ins.push(StandIn { function: name.to_owned(), stand_in: format!("{STAND_IN}{name}") });
    }
    if !kept.is_empty() {
        let _ = writeln!(writer.out, "__attribute__((constructor)) static void {KEEP}(void) {{ {kept}}}");
    }
    let conditions = writer.pieces.iter().map(|piece| piece.range.clone()).collect();
    let watch = Watch { text: writer.out, conditions, functions: stand_ins, labels };
    Ok(Added { watch, pieces: writer.pieces })
}

/// That what an event names is there.
fn check_named(data: &EventData, known: &Known) -> Result<(), NoText> {
    let name = &data.name;
    match data.kind {
        EventKind::Label if !known.labels.contains(name) => {
            Err(NoText::mistake(data.span, format!("the program has no label `{name}`")))
        }
        EventKind::Assign => match known.variables.iter().find(|variable| &variable.name == name) {
            None => Err(NoText::mistake(data.span, format!("the program has no global variable `{name}`"))),
            Some(variable) if variable.address_taken => {
                Err(NoText::Unsupported(format!("assignments to `{name}`, whose address is used")))
            }
            Some(_) => Ok(()),
        },
        EventKind::Fails if name == ASSERTIONS => Ok(()),
        EventKind::Fails => match c::Check::ALL.iter().find(|check| check.name() == name) {
            None => Err(NoText::mistake(data.span, format!("there is no check `{name}`"))),
            Some(c::Check::DataRace | c::Check::Deadlock) => Err(NoText::Unsupported(format!(
                "`{name}` as an event: it is found in the product of threads"
            ))),
            Some(_) => Ok(()),
        },
        _ => Ok(()),
    }
}

/// How observers call the assertions of a program.
const ASSERTIONS: &str = "assert";

/// What has to be translated as an assertion, because an observer looks for its failure: the property, and checks.
pub(super) fn asked(observer: &Observer) -> (Property, c::Checks) {
    let fails = observer.events.values().filter(|data| data.kind == EventKind::Fails);
    let names: Vec<&str> = fails.map(|data| data.name.as_str()).collect();
    let checks = c::Check::ALL.into_iter().filter(|check| names.contains(&check.name()));
    let property = if names.contains(&ASSERTIONS) { Property::Assert } else { Property::UnreachCall };
    (property, checks.fold(c::Checks::default(), c::Checks::with))
}

fn number(event: Event) -> u32 {
    event.as_u32()
}

struct Writer<'a> {
    observer: &'a Observer,
    out: String,
    pieces: Vec<Piece>,
}

/// A value that an event is about: its type, and how the event's function calls it.
struct Given<'a> {
    ty: &'a str,
    name: String,
}

impl Writer<'_> {
    /// A function without parameters for what happens at an event.
    fn sense(&mut self, event: Event) {
        let conditions = self.conditions(event, &[], None);
        let number = number(event);
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "static void {EVENT}{number}(void) {{ }}");
        let _ = writeln!(self.out, "void {SENSE}{number}(void) {{ {conditions}{EVENT}{number}(); }}");
    }

    fn stand_in(&mut self, signature: &Signature, watched: &Watched) -> Result<(), NoText> {
        let name = &signature.name;
        if signature.open {
            return Err(NoText::Unsupported(format!("calls of `{name}`, whose arguments are not declared")));
        }
        if OF_THE_FRAME.contains(&name.as_str()) {
            return Err(NoText::Unsupported(format!("calls of `{name}`")));
        }
        let types: Option<Vec<&str>> = signature.parameters.iter().map(Option::as_deref).collect();
        let (Some(types), Some(result)) = (types, signature.result.as_deref()) else {
            let what = format!("calls of `{name}`, which has a type without a name");
            return Err(NoText::Unsupported(what));
        };
        let given: Vec<Given<'_>> = types
            .into_iter()
            .enumerate()
            .map(|(index, ty)| Given { ty, name: format!("{ARGUMENT}{index}") })
            .collect();
        let result = Some(result).filter(|result| *result != "void");
        let result = result.map(|ty| Given { ty, name: RESULT.to_owned() });
        let mut body = String::new();
        if let Some(event) = watched.call {
            self.check_patterns(event, &given, None)?;
            body += &self.event(event, &given, None);
        }
        if let Some(event) = watched.exit {
            let _ = write!(body, "{SENSE}{}(); ", number(event));
        }
        let arguments = joined(&given, |value| value.name.clone());
        let _ = match &result {
            Some(result) => write!(body, "{} {} = {name}({arguments}); ", result.ty, result.name),
            None => write!(body, "{name}({arguments}); "),
        };
        if let Some(event) = watched.returns {
            self.check_patterns(event, &given, result.as_ref())?;
            body += &self.event(event, &given, result.as_ref());
        }
        if let Some(result) = &result {
            let _ = write!(body, "return {}; ", result.name);
        }
        let parameters = parameters(&given);
        let ty = result.as_ref().map_or("void", |result| result.ty);
        let _ = writeln!(self.out, "static {ty} {STAND_IN}{name}({parameters}) {{ {body}}}");
        Ok(())
    }

    /// That patterns have as many values as there are.
    fn check_patterns(
        &self,
        event: Event,
        given: &[Given<'_>],
        result: Option<&Given<'_>>,
    ) -> Result<(), NoText> {
        let name = &self.observer.events[event].name;
        for (_, transition) in self.observer.on(event) {
            if let Some(patterns) = &transition.arguments
                && patterns.len() != given.len()
            {
                let what = format!("`{name}` has {} parameters, not {}", given.len(), patterns.len());
                return Err(NoText::mistake(transition.span, what));
            }
            if transition.result != Pattern::Any && result.is_none() {
                return Err(NoText::mistake(transition.span, format!("`{name}` has no result")));
            }
        }
        Ok(())
    }

    /// The statements that tell the automaton of an event.
    fn event(&mut self, event: Event, given: &[Given<'_>], result: Option<&Given<'_>>) -> String {
        let conditions = self.conditions(event, given, result);
        let number = number(event);
        let all: Vec<&Given<'_>> = result.into_iter().chain(given).collect();
        let parameters = parameters(all.iter().copied());
        let _ = writeln!(self.out, "static void {EVENT}{number}({parameters}) {{ }}");
        let arguments = joined(all.iter().copied(), |value| value.name.clone());
        format!("{conditions}{EVENT}{number}({arguments}); ")
    }

    /// Functions for the conditions of an event's transitions; the statements that call them.
    fn conditions(&mut self, event: Event, given: &[Given<'_>], result: Option<&Given<'_>>) -> String {
        let observer = self.observer;
        let mut calls = String::new();
        for (number, transition) in observer.on(event) {
            if !transition.asks_program() {
                continue;
            }
            let names = names(transition, given.len());
            let mut parameters: Vec<String> = Vec::new();
            let mut arguments: Vec<&str> = Vec::new();
            if let Some(result) = result {
                parameters.push(format!("{} {}", result.ty, names.result));
                arguments.push(&result.name);
            }
            for (value, name) in given.iter().zip(&names.arguments) {
                parameters.push(format!("{} {name}", value.ty));
                arguments.push(&value.name);
            }
            let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
            let _ = write!(
                self.out,
                "static _Bool {ATOM}{number}; static void {WHEN}{number}({parameters}) {{ {ATOM}{number} = __unreach_observes("
            );
            super::push_condition(&mut self.out, &mut self.pieces, transition, &names);
            self.out.push_str("); }\n");
            let _ = write!(calls, "{WHEN}{number}({}); ", arguments.join(", "));
        }
        calls
    }
}

/// How a condition calls the values of its event.
pub(super) struct Names {
    pub(super) arguments: Vec<String>,
    pub(super) result: String,
}

/// The names that a transition gives to the values of its event. The result is `result` unless it has another name.
pub(super) fn names(transition: &Transition, count: usize) -> Names {
    let mut used: Vec<String> = Vec::new();
    let mut name = |pattern: Option<&Pattern>, otherwise: String| {
        let wanted = match pattern {
            Some(Pattern::Name(name)) => name.text.clone(),
            _ => otherwise.clone(),
        };
        let chosen = if used.contains(&wanted) { format!("{otherwise}q") } else { wanted };
        used.push(chosen.clone());
        chosen
    };
    let patterns = transition.arguments.as_deref().unwrap_or_default();
    let arguments: Vec<String> =
        (0..count).map(|index| name(patterns.get(index), format!("__q{index}"))).collect();
    let result = name(Some(&transition.result), "result".to_owned());
    Names { arguments, result }
}

fn joined<'a, 'g: 'a>(
    values: impl IntoIterator<Item = &'a Given<'g>>,
    text: impl Fn(&Given<'g>) -> String,
) -> String {
    values.into_iter().map(text).collect::<Vec<_>>().join(", ")
}

fn parameters<'a, 'g: 'a>(values: impl IntoIterator<Item = &'a Given<'g>>) -> String {
    let text = joined(values, |value| format!("{} {}", value.ty, value.name));
    if text.is_empty() { "void".to_owned() } else { text }
}
