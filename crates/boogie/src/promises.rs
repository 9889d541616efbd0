//! What a procedure promises it promises only where its free preconditions hold.
//!
//! A free precondition is assumed where a procedure is verified by itself, and is nobody's duty at a call. So an assertion or a
//! postcondition that fails because a caller did not care about one is no error: each check of such a procedure
//! gets its free preconditions as a premise. That is done where they speak of parameters and constants only, which
//! keep their values; preconditions about global variables are left out.

use ir::{BinaryOp, Expr, ExprData, Program, StatementKind, VariableKind};

/// Gives the checks of procedures with bodies their premises.
pub fn under_free_preconditions(program: &mut Program) {
    let procedures: Vec<_> = program.procedures.keys().collect();
    for procedure in procedures {
        let data = &program.procedures[procedure];
        if data.body.is_none() {
            continue;
        }
        let free: Vec<Expr> =
            data.requires.iter().filter(|clause| clause.free).map(|clause| clause.condition).collect();
        let premises: Vec<Expr> =
            free.into_iter().filter(|&condition| keeps_its_value(program, condition)).collect();
        if premises.is_empty() {
            continue;
        }
        let span = program.procedures[procedure].span;
        let premise = program.and(premises, span);
        let mut data = program.procedures[procedure].clone();
        for clause in data.ensures.iter_mut().filter(|clause| !clause.free) {
            clause.condition = program.binary(BinaryOp::Implies, premise, clause.condition, clause.span);
        }
        for block in data.body.iter_mut().flat_map(|body| body.blocks.values_mut()) {
            for statement in &mut block.statements {
                if let StatementKind::Assert(_, condition) = &mut statement.kind {
                    *condition = program.binary(BinaryOp::Implies, premise, *condition, statement.span);
                }
            }
        }
        program.procedures[procedure] = data;
    }
}

fn keeps_its_value(program: &Program, condition: Expr) -> bool {
    program.expressions.post_order([condition]).into_iter().all(|part| match program.expressions[part] {
        ExprData::Variable(variable) => program.variables[variable].kind != VariableKind::Global,
        ExprData::Old(_) => false,
        _ => true,
    })
}
