//! Copies of variables, which get values where their new procedure begins.
//!
//! A variable gets a value that satisfies its `where` clause at the beginning of its procedure, and there is no execution if there is none. So the copy
//! of a variable of a procedure that stands now in another one must have a value whatever happens: an execution that never comes to
//! the call would be lost otherwise.

use super::walk::refuse;
use crate::Refusal;
use base::EntityRef;
use ir::{BinaryOp, Expr, ExprData, Procedure, Program, Variable, VariableKind};

/// That the new variables of a procedure of the product have values at its beginning.
pub(super) fn new_locals(
    (watched, product): (&Program, &Program),
    procedure: Procedure,
    locals: &[Variable],
) -> Result<(), Refusal> {
    for &local in locals {
        let data = &product.variables[local];
        let is_new = local.index() >= watched.variables.len() && data.kind == VariableKind::Local(procedure);
        let has_values = data.where_clause.is_none_or(|clause| is_range(product, local, clause));
        if !is_new || !has_values {
            return refuse(format!("`{}` may have no value", data.name));
        }
    }
    Ok(())
}

/// Whether a condition says no more than that a variable lies between two numbers, or beyond one, and there is such a number.
fn is_range(program: &Program, variable: Variable, clause: Expr) -> bool {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    let mut is_strict = false;
    let mut pending = vec![clause];
    while let Some(part) = pending.pop() {
        if program.expressions[part] == ExprData::Bool(true) {
            continue;
        }
        let ExprData::Binary(op, left, right) = program.expressions[part] else { return false };
        if op == BinaryOp::And {
            pending.extend([left, right]);
            continue;
        }
        // The variable and the number, and whether the variable is the smaller one.
        let (it, number, below) = match (op, &program.expressions[left], &program.expressions[right]) {
            (BinaryOp::LessEqual | BinaryOp::Less, ExprData::Variable(it), ExprData::Int(number))
            | (BinaryOp::GreaterEqual | BinaryOp::Greater, ExprData::Int(number), ExprData::Variable(it)) => {
                (*it, number, true)
            }
            (BinaryOp::LessEqual | BinaryOp::Less, ExprData::Int(number), ExprData::Variable(it))
            | (BinaryOp::GreaterEqual | BinaryOp::Greater, ExprData::Variable(it), ExprData::Int(number)) => {
                (*it, number, false)
            }
            _ => return false,
        };
        if it != variable {
            return false;
        }
        is_strict |= matches!(op, BinaryOp::Less | BinaryOp::Greater);
        if below { high.push(number) } else { low.push(number) }
    }
    let room = if is_strict { 2 } else { 0 };
    low.iter().all(|&low| high.iter().all(|&high| low + room <= *high))
}
