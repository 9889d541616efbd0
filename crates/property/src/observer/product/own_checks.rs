//! What becomes of the assertions and contracts of a program that is observed.

use super::{FAILS, Places, SENSE};
use crate::observer::{EventKind, Observer};
use base::{EntityRef, Span};
use ir::{
    AttributeArgument, Boundary, Expr, Procedure, Program, Statement, StatementKind, Transfer, Type,
    Variable, VariableKind,
};
use rustc_hash::FxHashSet;

/// A check whose failure is an event.
pub(super) struct Failing {
    /// Its name; `assert` for the assertions of the program.
    name: String,
    /// The variable that says whether it fails.
    fails: Variable,
    /// What happens then.
    sense: Procedure,
}

/// The checks whose failures are events, with a new variable for each.
pub(super) fn failing(program: &mut Program, observer: &Observer, span: Span) -> Vec<Failing> {
    let mut all = Vec::new();
    for (event, data) in observer.events.iter().filter(|(_, data)| data.kind == EventKind::Fails) {
        let Some(sense) = program.procedure(&format!("{SENSE}{}", event.index())) else { continue };
        let name = format!("{FAILS}{}", event.index());
        let fails = program.new_variable(name, Type::BOOL, VariableKind::Global, span);
        program.globals.push(fails);
        all.push(Failing { name: data.name.clone(), fails, sense });
    }
    all
}

/// What the attribute of an assertion says.
fn stated(statement: &Statement) -> Option<&str> {
    let property = statement.attributes.iter().find(|attribute| attribute.name == "property")?;
    match property.arguments.first() {
        Some(AttributeArgument::Text(text)) => Some(text),
        _ => None,
    }
}

/// The event that a failing assertion is. In Boogie all assertions are those of the program.
fn event_of<'a>(statement: &Statement, failing: &'a [Failing], places: &Places) -> Option<&'a Failing> {
    let name = match places.main {
        Some(_) => stated(statement)?.split_once(": ")?.0,
        None => "assert",
    };
    failing.iter().find(|check| check.name == name)
}

/// What comes instead of an assertion: if it is an event, the automaton is told whether it fails; and an execution ends where it does.
fn assumed(
    program: &mut Program,
    condition: Expr,
    (event, span): (Option<&Failing>, Span),
    places: &Places,
) -> Vec<Statement> {
    let statement = |kind| Statement { kind, span, attributes: Vec::new() };
    let boundary = |boundary| places.threads.then(|| statement(StatementKind::Atomic(boundary)));
    let mut statements = Vec::new();
    if let Some(event) = event {
        let fails = program.not(condition, span);
        statements.extend(boundary(Boundary::Begin));
        statements.push(statement(StatementKind::Assign(vec![(event.fails, fails)])));
        let (arguments, results) = (Vec::new(), Vec::new());
        statements.push(statement(StatementKind::Call { procedure: event.sense, arguments, results }));
        statements.extend(boundary(Boundary::End));
    }
    statements.push(statement(StatementKind::Assume(condition)));
    statements
}

/// The text of an assertion's attribute, if it is one about the observer.
fn is_about_observer(statement: &Statement) -> bool {
    statement.attributes.iter().any(|attribute| {
        attribute.name == "property"
            && matches!(attribute.arguments.first(), Some(AttributeArgument::Text(text)) if text.starts_with("observer"))
    })
}

/// Whether an assertion is one of the program. Others say that a front end has given up, and an execution that comes there must
/// not be lost.
fn is_check_of_program(statement: &Statement, places: &Places) -> bool {
    match (stated(statement), places.main) {
        (Some(text), Some(_)) => {
            ["unreach-call: ", "unreach-label: "].iter().any(|own| text.starts_with(own))
        }
        (None, Some(_)) => false,
        (_, None) => true,
    }
}

/// Executions end where an assertion of the program's own fails, or a precondition, after the automaton was told if it looks for that. Assertions that conditions of the observer
/// have values stay, and name the observer.
pub(super) fn assume_own_checks(
    program: &mut Program,
    added: &FxHashSet<Procedure>,
    (label, failing): (&str, &[Failing]),
    places: &Places,
) {
    let assertions = failing.iter().find(|check| check.name == "assert" && places.main.is_none());
    let all: Vec<Procedure> = program.procedures.keys().collect();
    for &procedure in &all {
        let Some(mut body) = program.procedures[procedure].body.take() else { continue };
        for block in body.blocks.values_mut() {
            let mut statements = Vec::with_capacity(block.statements.len());
            for mut statement in std::mem::take(&mut block.statements) {
                match &statement.kind {
                    StatementKind::Assert(..)
                        if added.contains(&procedure) && is_about_observer(&statement) =>
                    {
                        for attribute in &mut statement.attributes {
                            for argument in &mut attribute.arguments {
                                if let AttributeArgument::Text(text) = argument {
                                    *text = text.replacen("observer:", &format!("{label}:"), 1);
                                }
                            }
                        }
                    }
                    StatementKind::Assert(_, condition) => {
                        let event = event_of(&statement, failing, places);
                        if event.is_some() || is_check_of_program(&statement, places) {
                            let (condition, span) = (*condition, statement.span);
                            statements.extend(assumed(program, condition, (event, span), places));
                            continue;
                        }
                    }
                    StatementKind::Call { procedure: callee, arguments, .. }
                    | StatementKind::Fork { procedure: callee, arguments, .. } => {
                        let data = &program.procedures[*callee];
                        let values: Vec<(Variable, Expr)> =
                            data.parameters.iter().copied().zip(arguments.iter().copied()).collect();
                        let conditions: Vec<Expr> = data
                            .requires
                            .iter()
                            .filter(|clause| !clause.free)
                            .map(|clause| clause.condition)
                            .collect();
                        for condition in conditions {
                            let condition = program.with_values(condition, values.iter().copied());
                            let span = statement.span;
                            statements.extend(assumed(program, condition, (assertions, span), places));
                        }
                    }
                    _ => {}
                }
                statements.push(statement);
            }
            if block.transfer == Transfer::Return {
                let clauses = program.procedures[procedure].ensures.iter();
                let conditions: Vec<Expr> =
                    clauses.filter(|clause| !clause.free).map(|clause| clause.condition).collect();
                for condition in conditions {
                    let event = (assertions, block.transfer_span);
                    statements.extend(assumed(program, condition, event, places));
                }
            }
            block.statements = statements;
        }
        program.procedures[procedure].body = Some(body);
    }
    for data in program.procedures.values_mut() {
        // Without a body, what is not free is assumed as well.
        let clauses = data.requires.iter_mut().chain(&mut data.ensures);
        clauses.for_each(|clause| clause.free = true);
    }
}
