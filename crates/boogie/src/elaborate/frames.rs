//! The `modifies` clauses.
//!
//! A procedure may change a global variable only if its `modifies` clause lists it: by assignment, by
//! `havoc`, as the result of a call, or because a procedure that it calls may change it.
//!
//! Some tools leave all clauses to an analysis. So a procedure that has a body and no clause at all gets the
//! smallest one that fits; whoever has written a clause is held to it.

use base::{Diagnostic, EntitySet, SecondaryMap, Span};
use ir::{Procedure, ProcedureData, Program, Statement, StatementKind, Variable, VariableKind};

/// Gives the procedures with body and without clause the least `modifies` that fits, by a fixed point over
/// the call graph.
pub(super) fn infer(program: &mut Program, without: &EntitySet<Procedure>, warnings: &mut Vec<Diagnostic>) {
    let inferred =
        |procedure: Procedure, data: &ProcedureData| without.contains(procedure) && data.body.is_some();
    let mut changed: SecondaryMap<Procedure, EntitySet<Variable>> = SecondaryMap::new();
    let mut callers: SecondaryMap<Procedure, Vec<Procedure>> = SecondaryMap::new();
    let mut work = Vec::new();
    for (procedure, data) in &program.procedures {
        changed[procedure].extend(data.modifies.iter().copied());
        work.push(procedure);
        if !inferred(procedure, data) {
            continue;
        }
        for statement in statements(data) {
            changed[procedure].extend(direct(program, statement));
            if let StatementKind::Call { procedure: callee, .. } = statement.kind {
                callers[callee].push(procedure);
            }
        }
    }
    while let Some(callee) = work.pop() {
        let added: Vec<Variable> = changed[callee].iter().collect();
        for caller in callers[callee].clone() {
            let mut grows = false;
            for &variable in &added {
                grows |= changed[caller].insert(variable);
            }
            if grows {
                work.push(caller);
            }
        }
    }
    let globals = program.globals.clone();
    let mut made = Vec::new();
    for (procedure, data) in &program.procedures {
        if inferred(procedure, data) && !changed[procedure].is_empty() {
            let modifies: Vec<Variable> =
                globals.iter().copied().filter(|&global| changed[procedure].contains(global)).collect();
            let names: Vec<&str> =
                modifies.iter().map(|&global| program.variables[global].name.as_str()).collect();
            warnings.push(
                Diagnostic::warning(
                    data.span,
                    format!(
                        "procedure `{}` changes global variables and has no `modifies` clause",
                        data.name
                    ),
                )
                .help(format!("add `modifies {};`", names.join(", "))),
            );
            made.push((procedure, modifies));
        }
    }
    for (procedure, modifies) in made {
        program.procedures[procedure].modifies = modifies;
    }
}

pub(super) fn check(program: &Program, errors: &mut Vec<Diagnostic>) {
    for data in program.procedures.values() {
        let mut modifies = EntitySet::new();
        modifies.extend(data.modifies.iter().copied());
        for statement in statements(data) {
            for variable in direct(program, statement) {
                if !modifies.contains(variable) {
                    errors.push(violation(program, data, variable, "is changed here", statement.span));
                }
            }
            if let StatementKind::Call { procedure, .. } = statement.kind {
                let callee = &program.procedures[procedure];
                let how = format!("may be changed by this call of `{}`", callee.name);
                for &variable in &callee.modifies {
                    if !modifies.contains(variable) {
                        errors.push(violation(program, data, variable, &how, statement.span));
                    }
                }
            }
        }
    }
}

fn statements(data: &ProcedureData) -> impl Iterator<Item = &Statement> {
    data.body.iter().flat_map(|body| body.blocks.values()).flat_map(|block| &block.statements)
}

/// The globals that a statement changes by itself.
fn direct(program: &Program, statement: &Statement) -> Vec<Variable> {
    let mut variables: Vec<Variable> = match &statement.kind {
        StatementKind::Assign(assignments) => assignments.iter().map(|&(target, _)| target).collect(),
        StatementKind::Havoc(variables) => variables.clone(),
        StatementKind::Call { results, .. } => results.clone(),
        StatementKind::Assume(_) | StatementKind::Assert(..) => Vec::new(),
    };
    variables.retain(|&variable| program.variables[variable].kind == VariableKind::Global);
    variables
}

fn violation(
    program: &Program,
    procedure: &ProcedureData,
    variable: Variable,
    how: &str,
    span: Span,
) -> Diagnostic {
    let name = &program.variables[variable].name;
    let message = format!("global variable `{name}` {how}, but `{}` does not list it", procedure.name);
    Diagnostic::error(span, message)
        .related(procedure.span, "this procedure")
        .help(format!("add `modifies {name};`"))
}
