//! Values that assumptions demand.
//!
//! If `x == e` is assumed right behind a `havoc` of `x`, or ensured by a procedure without body that changes `x`, then
//! only the value of `e` makes sense. Guessing it would take long, so it is computed.

use super::limits;
use ir::interpreter::{Request, Requested, Value};
use ir::{BinaryOp, Block, Body, Expr, ExprData, Program, StatementKind, UnaryOp, Variable};

/// What conditions demand of some variables. Nothing that is demanded depends on one of them.
///
/// An implication demands something only if its premise holds.
pub fn demands(program: &Program, conditions: &[Expr], variables: &[Variable]) -> Vec<Request> {
    let mut found: Vec<Request> = Vec::new();
    let mut pending: Vec<(Option<Expr>, Expr)> = conditions.iter().rev().map(|&part| (None, part)).collect();
    while let Some((condition, part)) = pending.pop() {
        let mut add = |side: Expr, value: Requested| {
            if let ExprData::Variable(variable) = program.expressions[side]
                && variables.contains(&variable)
            {
                found.push(Request { variable, condition, value });
            }
        };
        match program.expressions[part] {
            ExprData::Binary(BinaryOp::And, left, right) => {
                pending.extend([(condition, right), (condition, left)]);
            }
            ExprData::Binary(BinaryOp::Implies, premise, conclusion)
                if condition.is_none() && !reads(program, premise, variables) =>
            {
                pending.push((Some(premise), conclusion));
            }
            ExprData::Binary(BinaryOp::Equal | BinaryOp::Iff, left, right) => {
                for (side, other) in [(left, right), (right, left)] {
                    if !reads(program, other, variables) {
                        add(side, Requested::Of(other));
                    }
                }
            }
            ExprData::Unary(UnaryOp::Not, operand) => add(operand, Requested::Truth(false)),
            _ => add(part, Requested::Truth(true)),
        }
    }
    found
}

/// Changes values until they satisfy the equations among some conditions between variables, and with literals, as far
/// as a few rounds get.
pub fn satisfy(program: &Program, conditions: &[Expr], values: &mut [(Variable, Value)]) {
    for _ in 0..limits::ROUNDS {
        let mut pending = conditions.to_vec();
        while let Some(condition) = pending.pop() {
            let (side, value) = match program.expressions[condition] {
                ExprData::Binary(BinaryOp::And, left, right) => {
                    pending.extend([right, left]);
                    continue;
                }
                ExprData::Unary(UnaryOp::Not, operand) => (operand, Some(Value::Bool(false))),
                ExprData::Binary(BinaryOp::Equal | BinaryOp::Iff, left, right) => {
                    (left, known(program, right, values))
                }
                _ => (condition, Some(Value::Bool(true))),
            };
            if let (ExprData::Variable(name), Some(value)) = (&program.expressions[side], value)
                && let Some((_, old)) = values.iter_mut().find(|(variable, _)| variable == name)
            {
                *old = value;
            }
        }
    }
}

/// The value of a literal or variable.
fn known(program: &Program, expr: Expr, values: &[(Variable, Value)]) -> Option<Value> {
    match &program.expressions[expr] {
        ExprData::Bool(value) => Some(Value::Bool(*value)),
        ExprData::Int(value) => Some(Value::int(value.clone())),
        ExprData::Real(value) => Some(Value::real(value.clone())),
        ExprData::BitVec { value, width } => Some(Value::bits(*width, value)),
        ExprData::Variable(variable) => {
            values.iter().find(|(name, _)| name == variable).map(|(_, value)| value.clone())
        }
        _ => None,
    }
}

/// Does an expression read one of the variables?
fn reads(program: &Program, expr: Expr, variables: &[Variable]) -> bool {
    let read = |part: &Expr| match program.expressions[*part] {
        ExprData::Variable(variable) => variables.contains(&variable),
        _ => false,
    };
    program.expressions.post_order([expr]).iter().any(read)
}

/// The conditions that are assumed right behind a statement of a block.
pub fn assumed_behind(body: &Body, block: Block, index: usize) -> Vec<Expr> {
    let statements = body.blocks[block].statements[index + 1..].iter();
    let assumed = statements.map_while(|statement| match statement.kind {
        StatementKind::Assume(condition) => Some(condition),
        _ => None,
    });
    assumed.collect()
}

/// The variables of a list for which nothing is demanded, or something only under a condition; where there are several
/// conditions, one of them is taken to hold.
pub fn free(variables: &[Variable], demands: &[Request]) -> Vec<Variable> {
    let is_free = |variable: &&Variable| {
        let mut own = demands.iter().filter(|demand| demand.variable == **variable);
        match (own.next(), own.next()) {
            (None, _) => true,
            (Some(only), None) => only.condition.is_some(),
            (Some(_), Some(_)) => false,
        }
    };
    variables.iter().filter(is_free).copied().collect()
}
