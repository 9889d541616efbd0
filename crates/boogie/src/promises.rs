//! What a procedure promises it promises only where its free preconditions hold.
//!
//! A free precondition is assumed where a procedure is verified by itself, and is nobody's duty at a call. So an assertion or a
//! postcondition that fails because a caller did not care about one is no error: each check of such a procedure
//! gets its free preconditions as a premise. Global variables in them mean their values at the entry of the procedure;
//! parameters keep theirs.

use ir::{BinaryOp, Expr, ExprData, Program, StatementKind, VariableKind};
use rustc_hash::FxHashMap;

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
        let premises: Vec<Expr> = free.into_iter().map(|condition| at_entry(program, condition)).collect();
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

/// A precondition as it was at the entry of the procedure.
fn at_entry(program: &mut Program, condition: Expr) -> Expr {
    let mut copies: FxHashMap<Expr, Expr> = FxHashMap::default();
    for part in program.expressions.post_order([condition]) {
        let (ty, span) = (program.ty(part), program.expressions.span(part));
        let mut data = program.expressions[part].clone();
        let copy = match data {
            ExprData::Variable(variable) if program.variables[variable].kind == VariableKind::Global => {
                program.old(variable, span)
            }
            _ => {
                data.map_children(|child| copies[&child]);
                program.expressions.push(data, ty, span)
            }
        };
        copies.insert(part, copy);
    }
    copies[&condition]
}
