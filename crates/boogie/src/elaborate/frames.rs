//! The `modifies` clauses.
//!
//! A procedure may change a global variable only if its `modifies` clause lists it: by assignment, by
//! `havoc`, as the result of a call, or because a procedure that it calls may change it.
//!
//! A clause that lists too little is completed, with a warning for each variable: procedures with a body are
//! analysed by their body, so the program has a meaning nevertheless, and tools that leave their clauses to
//! an analysis of the verifier write such programs. A procedure without body changes what it lists.

use base::{Diagnostic, EntitySet, SecondaryMap, Span};
use ir::{Procedure, ProcedureData, Program, Statement, StatementKind, Variable, VariableKind};

/// Completes the clauses of the procedures with body, by a fixed point over the call graph. Every variable is
/// added to a procedure at most once, so the cost is that of the call graph times the number of globals.
pub(super) fn complete(program: &mut Program) -> Vec<Diagnostic> {
    let mut listed: SecondaryMap<Procedure, EntitySet<Variable>> = SecondaryMap::new();
    let mut callers: SecondaryMap<Procedure, Vec<(Procedure, Span)>> = SecondaryMap::new();
    for (procedure, data) in &program.procedures {
        listed[procedure].extend(data.modifies.iter().copied());
        for statement in statements(data) {
            if let StatementKind::Call { procedure: callee, .. } = statement.kind {
                callers[callee].push((procedure, statement.span));
            }
        }
    }
    let mut warnings = Vec::new();
    // What a procedure may change and its callers have not heard of yet.
    let mut work: Vec<(Procedure, Variable)> = Vec::new();
    let mut missing: Vec<(Procedure, Variable)> = Vec::new();
    for (procedure, data) in &program.procedures {
        work.extend(data.modifies.iter().map(|&variable| (procedure, variable)));
        for statement in statements(data) {
            for variable in changed_directly(program, statement) {
                if listed[procedure].insert(variable) {
                    warnings.push(warning(program, data, variable, "is changed here", statement.span));
                    missing.push((procedure, variable));
                    work.push((procedure, variable));
                }
            }
        }
    }
    while let Some((callee, variable)) = work.pop() {
        for &(caller, span) in &callers[callee] {
            if listed[caller].insert(variable) {
                let how = format!("may be changed by this call of `{}`", program.procedures[callee].name);
                warnings.push(warning(program, &program.procedures[caller], variable, &how, span));
                missing.push((caller, variable));
                work.push((caller, variable));
            }
        }
    }
    missing.sort_unstable();
    for (procedure, variable) in missing {
        program.procedures[procedure].modifies.push(variable);
    }
    warnings.sort_by_key(|warning| warning.span);
    warnings
}

fn statements(data: &ProcedureData) -> impl Iterator<Item = &Statement> {
    data.body.iter().flat_map(|body| body.blocks.values()).flat_map(|block| &block.statements)
}

/// The globals that a statement changes by itself.
fn changed_directly(program: &Program, statement: &Statement) -> Vec<Variable> {
    let mut variables: Vec<Variable> = match &statement.kind {
        StatementKind::Assign(assignments) => assignments.iter().map(|&(target, _)| target).collect(),
        StatementKind::Havoc(variables) => variables.clone(),
        StatementKind::Call { results, .. } | StatementKind::Join { results, .. } => results.clone(),
        StatementKind::Assume(_)
        | StatementKind::Assert(..)
        | StatementKind::Fork { .. }
        | StatementKind::Atomic(_) => Vec::new(),
    };
    variables.retain(|&variable| program.variables[variable].kind == VariableKind::Global);
    variables
}

fn warning(
    program: &Program,
    procedure: &ProcedureData,
    variable: Variable,
    how: &str,
    span: Span,
) -> Diagnostic {
    let name = &program.variables[variable].name;
    let message = format!("global variable `{name}` {how}, but `{}` does not list it", procedure.name);
    Diagnostic::warning(span, message)
        .related(procedure.span, "this procedure")
        .help(format!("add `modifies {name};`"))
}
