//! What an observer adds to a Boogie program.

use super::c_text::{Names, names};
use super::{NoText, Piece};
use ir::{Procedure, Program, Type, Variable};
use property::observer::product::{ARGUMENT, ATOM, EVENT, RESULT, SENSE, STAND_IN, WHEN};
use property::observer::{Event, EventKind, Observer, Pattern};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What is added to a program, with the parts that stand in the observer's file.
pub(super) fn text(observer: &Observer, program: &Program) -> Result<(String, Vec<Piece>), NoText> {
    let mut writer = Writer { observer, program, out: String::new(), pieces: Vec::new() };
    let mut procedures: BTreeMap<&str, (Option<Event>, Option<Event>)> = BTreeMap::new();
    for (event, data) in observer.events.iter() {
        let name = &data.name;
        match data.kind {
            EventKind::Call => procedures.entry(name).or_default().0 = Some(event),
            EventKind::Return => procedures.entry(name).or_default().1 = Some(event),
            EventKind::Assign if !program.globals.iter().any(|&it| program.variables[it].name == *name) => {
                let what = format!("the program has no global variable `{name}`");
                return Err(NoText::mistake(data.span, what));
            }
            EventKind::Label if !has_label(program, name) => {
                return Err(NoText::mistake(data.span, format!("the program has no label `{name}`")));
            }
            EventKind::Fails if name != "assert" => {
                let what = format!("`{name}` is no check of a Boogie program: its assertions are `assert`");
                return Err(NoText::mistake(data.span, what));
            }
            EventKind::Assign | EventKind::Label | EventKind::Fails | EventKind::Exit | EventKind::Round => {
                writer.sense(event)
            }
        }
    }
    for (name, (call, returns)) in procedures {
        let Some(procedure) = program.procedure(name) else {
            let Some(event) = call.or(returns) else { continue };
            let span = observer.events[event].span;
            return Err(NoText::mistake(span, format!("the program has no procedure `{name}`")));
        };
        writer.stand_in(procedure, call, returns)?;
    }
    Ok((writer.out, writer.pieces))
}

fn has_label(program: &Program, label: &str) -> bool {
    let bodies = program.procedures.values().filter_map(|data| data.body.as_ref());
    bodies.flat_map(|body| body.blocks.values()).any(|block| block.label == label)
}

struct Writer<'a> {
    observer: &'a Observer,
    program: &'a Program,
    out: String,
    pieces: Vec<Piece>,
}

/// The values that an event is about.
struct Given {
    arguments: Vec<Type>,
    results: Vec<Type>,
    /// The names of the results in their declaration.
    names: Vec<String>,
}

impl Given {
    /// How the results are called in stand-ins.
    fn result(&self, index: usize) -> String {
        if self.results.len() == 1 { RESULT.to_owned() } else { format!("{RESULT}.{index}") }
    }

    /// The names of all values in stand-ins: results, then arguments.
    fn all(&self, with_results: bool) -> Vec<(String, Type)> {
        let results = self.results.iter().enumerate().filter(|_| with_results);
        let results = results.map(|(index, &ty)| (self.result(index), ty));
        let arguments = self.arguments.iter().enumerate();
        results.chain(arguments.map(|(index, &ty)| (format!("{ARGUMENT}{index}"), ty))).collect()
    }
}

impl Writer<'_> {
    fn declared(&self, values: &[(String, Type)]) -> String {
        let one = |(name, ty): &(String, Type)| format!("{name}: {}", self.program.show_type(*ty));
        values.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// A procedure without parameters for what happens at an event.
    fn sense(&mut self, event: Event) {
        let nothing = Given { arguments: Vec::new(), results: Vec::new(), names: Vec::new() };
        let told = self.event(event, &nothing, false);
        let modifies = self.modifies(&[], &[Some(event)]);
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "procedure {SENSE}{}(){modifies} {{ {told}}}", event.as_u32());
    }

    fn stand_in(
        &mut self,
        procedure: Procedure,
        call: Option<Event>,
        returns: Option<Event>,
    ) -> Result<(), NoText> {
        let data = &self.program.procedures[procedure];
        let types = |variables: &[Variable]| -> Vec<Type> {
            variables.iter().map(|&variable| self.program.variables[variable].ty).collect()
        };
        let names = data.results.iter().map(|&result| self.program.variables[result].name.clone()).collect();
        let given = Given { arguments: types(&data.parameters), results: types(&data.results), names };
        for event in [call, returns].into_iter().flatten() {
            self.check_patterns(event, &given)?;
        }
        let mut body = call.map(|event| self.event(event, &given, false)).unwrap_or_default();
        let results: Vec<(String, Type)> =
            given.results.iter().enumerate().map(|(index, &ty)| (given.result(index), ty)).collect();
        let targets: Vec<&str> = results.iter().map(|(name, _)| name.as_str()).collect();
        let assigned = if targets.is_empty() { String::new() } else { format!("{} := ", targets.join(", ")) };
        let values = given.all(false);
        let arguments: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
        // Writing to a string cannot fail.
        let _ = write!(body, "call {assigned}{}({}); ", data.name, arguments.join(", "));
        if let Some(event) = returns {
            body += &self.event(event, &given, true);
        }
        let modifies = self.modifies(&data.modifies, &[call, returns]);
        let (parameters, results) = (self.declared(&values), self.declared(&results));
        let returns = if results.is_empty() { String::new() } else { format!(" returns ({results})") };
        let _ = writeln!(
            self.out,
            "procedure {STAND_IN}{}({parameters}){returns}{modifies} {{ {body}}}",
            data.name
        );
        Ok(())
    }

    fn check_patterns(&self, event: Event, given: &Given) -> Result<(), NoText> {
        let name = &self.observer.events[event].name;
        for (_, transition) in self.observer.on(event) {
            if let Some(patterns) = &transition.arguments
                && patterns.len() != given.arguments.len()
            {
                let (has, asked) = (given.arguments.len(), patterns.len());
                let what = format!("`{name}` has {has} parameters, not {asked}");
                return Err(NoText::mistake(transition.span, what));
            }
            if transition.result != Pattern::Any && given.results.len() != 1 {
                let what = format!("`{name}` has {} results, not one", given.results.len());
                return Err(NoText::mistake(transition.span, what));
            }
        }
        Ok(())
    }

    /// The clause for what added procedures change.
    fn modifies(&self, globals: &[Variable], events: &[Option<Event>]) -> String {
        let mut names: Vec<String> =
            globals.iter().map(|&global| self.program.variables[global].name.clone()).collect();
        for event in events.iter().flatten() {
            let with_condition = self.observer.on(*event).filter(|(_, it)| it.asks_program());
            names.extend(with_condition.map(|(number, _)| format!("{ATOM}{number}")));
        }
        if names.is_empty() { String::new() } else { format!(" modifies {};", names.join(", ")) }
    }

    /// The statements that tell the automaton of an event.
    fn event(&mut self, event: Event, given: &Given, with_results: bool) -> String {
        let observer = self.observer;
        let values = given.all(with_results);
        let arguments: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
        let arguments = arguments.join(", ");
        let mut told = String::new();
        for (number, transition) in observer.on(event) {
            if !transition.asks_program() {
                continue;
            }
            let names: Names = names(transition, given.arguments.len());
            let results = match &given.names[..] {
                _ if !with_results => Vec::new(),
                [_] => vec![names.result.clone()],
                several => several.to_vec(),
            };
            let named: Vec<(String, Type)> = results
                .into_iter()
                .chain(names.arguments.iter().cloned())
                .zip(values.iter().map(|(_, ty)| *ty))
                .collect();
            let parameters = self.declared(&named);
            // Writing to a string cannot fail.
            let _ = write!(
                self.out,
                "var {ATOM}{number}: bool; procedure {WHEN}{number}({parameters}) modifies {ATOM}{number}; {{ {ATOM}{number} := ("
            );
            super::push_condition(&mut self.out, &mut self.pieces, transition, &names);
            self.out.push_str("); }\n");
            let _ = write!(told, "call {WHEN}{number}({arguments}); ");
        }
        let parameters = self.declared(&values);
        let _ = writeln!(self.out, "procedure {EVENT}{}({parameters}) {{ }}", event.as_u32());
        let _ = write!(told, "call {EVENT}{}({arguments}); ", event.as_u32());
        told
    }
}
