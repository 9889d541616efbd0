//! Failures that several threads have a part in: races and deadlocks, with what each of them does and where.

use crate::view::View;
use base::Span;
use certify::Execution;
use ir::{AttributeArgument, Statement, Variable};

/// The part of a thread in a failure.
pub(crate) struct Part<'s> {
    pub(crate) thread: &'s str,
    /// What it does, as `writes it`.
    pub(crate) does: &'s str,
    pub(crate) span: Span,
}

/// The parts that several threads have in the failure of an execution.
pub(crate) fn of_failure<'v>(view: &'v View, execution: &Execution) -> Vec<Part<'v>> {
    let place = execution.failure.place;
    let body = view.program.procedures[place.procedure].body.as_ref();
    let statement = body.and_then(|body| body.blocks[place.block].statements.get(place.index));
    statement.map(|statement| parts(view, statement)).unwrap_or_default()
}

/// The parts of the threads, if an assertion is about several.
fn parts<'s>(view: &View, statement: &'s Statement) -> Vec<Part<'s>> {
    let attribute = statement.attributes.iter().find(|it| it.name == threads::MEETING);
    let arguments = attribute.map(|attribute| &attribute.arguments[..]).unwrap_or_default();
    let part = |arguments: &'s [AttributeArgument]| match arguments {
        [AttributeArgument::Text(thread), AttributeArgument::Text(does), AttributeArgument::Expr(place)] => {
            Some(Part { thread, does, span: view.program.expressions.span(*place) })
        }
        _ => None,
    };
    arguments.chunks(3).filter_map(part).collect()
}

/// What fails at an assertion about several threads; nothing if it is another assertion.
pub(super) fn tell(view: &View, statement: &Statement) -> Option<String> {
    let (_, what) = c::words::stated(statement)?.split_once(": ")?;
    let parts = parts(view, statement);
    let told = parts
        .iter()
        .map(|Part { thread, does, span }| format!("[{thread}] {does} at {}", view.sources.place(*span)));
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| format!("{}: {}", named(view, what), told.join(", ")))
}

/// The text with the name of a variable in quotes as the source has it.
fn named(view: &View, what: &str) -> String {
    let Some((before, rest)) = what.split_once('`') else { return what.to_owned() };
    let Some((name, behind)) = rest.split_once('`') else { return what.to_owned() };
    let variable = view.program.globals.iter().find(|&&it| view.program.variables[it].name == name);
    match variable.and_then(|&variable| in_c(view, variable)) {
        Some(name) => format!("{before}{name}{behind}"),
        None => what.to_owned(),
    }
}

/// What a variable of the translation is in C.
fn in_c(view: &View, variable: Variable) -> Option<String> {
    let back = view.back.as_ref()?;
    if let Some(known) = back.variables.get(&variable) {
        return Some(format!("`{}`", known.name));
    }
    let memory = back.memory.get(&variable)?;
    let object = memory.only.map(|base| back.object(base));
    Some(match (object, &memory.member) {
        (Some(object), Some(member)) => format!("`{object}.{}`", member.name),
        (Some(object), None) => format!("`{object}`"),
        (None, Some(member)) => format!("the member `{}` of one object", member.name),
        (None, None) => "one place in memory".to_owned(),
    })
}
