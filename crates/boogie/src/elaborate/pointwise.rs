//! Functions on maps that work cell by cell, which solvers have and Boogie names by the attribute `builtin`: `MapAdd`, `MapAnd`,
//! `MapIte` and so on.
//!
//! Such a function is defined by a lambda expression over its parameters: `MapAdd(a, b)` is `(lambda k :: a[k] + b[k])`.

use super::Elaborator;
use base::Span;
use ir::{BinaryOp, Expr, ExprData, Function, Type, UnaryOp, Variable, VariableKind};

/// Functions of two maps, and what they do with two cells.
const OF_TWO: &[(&str, BinaryOp)] = &[
    ("MapAdd", BinaryOp::Add),
    ("MapSub", BinaryOp::Subtract),
    ("MapMul", BinaryOp::Multiply),
    ("MapDiv", BinaryOp::IntDivide),
    ("MapMod", BinaryOp::Modulo),
    ("MapEq", BinaryOp::Equal),
    ("MapIff", BinaryOp::Iff),
    ("MapImp", BinaryOp::Implies),
    ("MapAnd", BinaryOp::And),
    ("MapOr", BinaryOp::Or),
    ("MapLt", BinaryOp::Less),
    ("MapLe", BinaryOp::LessEqual),
    ("MapGt", BinaryOp::Greater),
    ("MapGe", BinaryOp::GreaterEqual),
];

/// What a function does with the cells of its maps at one key.
#[derive(Clone, Copy)]
enum Cells {
    Not,
    Two(BinaryOp),
    /// The first cell chooses between the others.
    Choose,
}

impl Cells {
    fn parse(name: &str) -> Option<Cells> {
        match name {
            "MapNot" => Some(Cells::Not),
            "MapIte" => Some(Cells::Choose),
            _ => OF_TWO.iter().find(|(known, _)| *known == name).map(|&(_, op)| Cells::Two(op)),
        }
    }
}

impl Elaborator<'_> {
    /// The definition of a function on maps: nothing if there is none of this name, and nothing inside if the types do not fit.
    pub(super) fn pointwise_function(&mut self, name: &str, function: Function) -> Option<Option<Expr>> {
        let cells = Cells::parse(name)?;
        let data = &self.program.functions[function];
        let (span, result, parameters) = (data.span, data.result, data.parameters.clone());
        Some(self.pointwise(cells, &parameters, result, span))
    }

    fn pointwise(&mut self, cells: Cells, parameters: &[Variable], result: Type, span: Span) -> Option<Expr> {
        let (keys, _) = self.program.types.as_map(result)?;
        let keys = keys.to_vec();
        let bound: Vec<Variable> = keys
            .iter()
            .map(|&key| {
                let name = self.made_name("key");
                self.program.new_variable(name, key, VariableKind::Bound, span)
            })
            .collect();
        let mut values = Vec::with_capacity(parameters.len());
        for &parameter in parameters {
            let ty = self.program.variables[parameter].ty;
            if self.program.types.as_map(ty).is_none_or(|(domain, _)| domain != &keys[..]) {
                return None;
            }
            let map = self.program.variable(parameter, span);
            values.push(self.cell(map, &bound, span));
        }
        let value = match (cells, &values[..]) {
            (Cells::Not, &[value]) => self.program.expr(ExprData::Unary(UnaryOp::Not, value), span),
            (Cells::Two(op), &[left, right]) => self.program.expr(ExprData::Binary(op, left, right), span),
            (Cells::Choose, &[condition, then, otherwise]) => {
                self.program.expr(ExprData::Ite(condition, then, otherwise), span)
            }
            _ => return None,
        };
        let map = self.lambda(bound, value.ok()?, span);
        (self.program.ty(map) == result).then_some(map)
    }

    fn cell(&mut self, map: Expr, keys: &[Variable], span: Span) -> Expr {
        let keys: Vec<Expr> = keys.iter().map(|&key| self.program.variable(key, span)).collect();
        self.program.select(map, keys, span)
    }
}
