//! What becomes of the assertions and contracts of a program that is observed.

use super::Places;
use ir::{AttributeArgument, Expr, Procedure, Program, Statement, StatementKind, Transfer, Variable};
use rustc_hash::FxHashSet;

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
    let property = statement.attributes.iter().find(|attribute| attribute.name == "property");
    match (property.and_then(|attribute| attribute.arguments.first()), places.main) {
        (Some(AttributeArgument::Text(text)), Some(_)) => text.starts_with("unreach-call: "),
        (_, Some(_)) => false,
        (_, None) => true,
    }
}

/// Executions end where an assertion of the program's own fails, or a precondition. Assertions that conditions of the observer
/// have values stay, and name the observer.
pub(super) fn assume_own_checks(
    program: &mut Program,
    added: &FxHashSet<Procedure>,
    label: &str,
    places: &Places,
) {
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
                    StatementKind::Assert(_, condition) if is_check_of_program(&statement, places) => {
                        statement.kind = StatementKind::Assume(*condition);
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
                            let (kind, span) = (StatementKind::Assume(condition), statement.span);
                            statements.push(Statement { kind, span, attributes: Vec::new() });
                        }
                    }
                    _ => {}
                }
                statements.push(statement);
            }
            if block.transfer == Transfer::Return {
                let clauses = program.procedures[procedure].ensures.iter();
                statements.extend(clauses.filter(|clause| !clause.free).map(|clause| Statement {
                    kind: StatementKind::Assume(clause.condition),
                    span: block.transfer_span,
                    attributes: Vec::new(),
                }));
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
