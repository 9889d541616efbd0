//! The value of an expression over small integers and truth values. Truth is 1 or 0.

use ir::{BinaryOp, Expr, ExprData, Program, UnaryOp, Variable};
use num_traits::ToPrimitive;

pub fn value(program: &Program, expr: Expr, read: &dyn Fn(Variable, bool) -> i64) -> i64 {
    let part = |expr: Expr| value(program, expr, read);
    match &program.expressions[expr] {
        ExprData::Bool(truth) => i64::from(*truth),
        ExprData::Int(number) => number.to_i64().expect("numbers are small"),
        ExprData::Variable(variable) => read(*variable, false),
        ExprData::Old(variable) => read(*variable, true),
        ExprData::Unary(UnaryOp::Not, operand) => 1 - part(*operand),
        ExprData::Unary(UnaryOp::Negate, operand) => -part(*operand),
        ExprData::Binary(op, left, right) => {
            let (a, b) = (part(*left), part(*right));
            match op {
                BinaryOp::Iff | BinaryOp::Equal => i64::from(a == b),
                BinaryOp::Implies => i64::from(a == 0 || b != 0),
                BinaryOp::And => a & b,
                BinaryOp::Or => a | b,
                BinaryOp::NotEqual => i64::from(a != b),
                BinaryOp::Less => i64::from(a < b),
                BinaryOp::LessEqual => i64::from(a <= b),
                BinaryOp::Greater => i64::from(a > b),
                BinaryOp::GreaterEqual => i64::from(a >= b),
                BinaryOp::Add => a + b,
                BinaryOp::Subtract => a - b,
                BinaryOp::Multiply => a * b,
                BinaryOp::Modulo => a.rem_euclid(b),
                other => panic!("{other:?} is not generated"),
            }
        }
        ExprData::Ite(condition, then, otherwise) => {
            if part(*condition) != 0 {
                part(*then)
            } else {
                part(*otherwise)
            }
        }
        other => panic!("{other:?} is not generated"),
    }
}
