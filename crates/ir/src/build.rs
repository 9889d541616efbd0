//! Constructors of expressions that compute the type.
//!
//! They are for front ends, which have checked the user's source before: an ill-typed call is a bug of the
//! front end, so the short forms panic. [`Program::expr`] is the one that gives an error.

use crate::expressions::{BinaryOp, Expr, ExprData, Quantifier, QuantifierKind, UnaryOp};
use crate::program::{AttributeArgument, Function, Program, Variable, VariableData, VariableKind};
use crate::types::Type;
use crate::typing::TypeError;
use base::Span;
use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;
use rustc_hash::{FxHashMap, FxHashSet};

impl Program {
    /// Adds an expression if it is well typed.
    pub fn expr(&mut self, data: ExprData, span: Span) -> Result<Expr, TypeError> {
        let ty = self.type_of(&data)?.intern(&mut self.types);
        Ok(self.expressions.push(data, ty, span))
    }

    fn typed(&mut self, data: ExprData, span: Span) -> Expr {
        match self.expr(data, span) {
            Ok(expr) => expr,
            Err(error) => panic!("a front end has built an ill-typed expression: {error}"),
        }
    }

    /// `true` or `false`
    pub fn bool(&mut self, value: bool, span: Span) -> Expr {
        self.typed(ExprData::Bool(value), span)
    }

    /// An integer literal.
    pub fn int(&mut self, value: impl Into<BigInt>, span: Span) -> Expr {
        self.typed(ExprData::Int(value.into()), span)
    }

    /// A real literal.
    pub fn real(&mut self, value: Ratio<BigInt>, span: Span) -> Expr {
        self.typed(ExprData::Real(value), span)
    }

    /// A bit-vector literal; panics if the value does not fit the width.
    pub fn bit_vector(&mut self, value: impl Into<BigUint>, width: u32, span: Span) -> Expr {
        self.typed(ExprData::BitVec { value: value.into(), width }, span)
    }

    /// The value of a variable.
    pub fn variable(&mut self, variable: Variable, span: Span) -> Expr {
        self.typed(ExprData::Variable(variable), span)
    }

    /// `old(variable)`; panics if it is not a global variable.
    pub fn old(&mut self, variable: Variable, span: Span) -> Expr {
        self.typed(ExprData::Old(variable), span)
    }

    /// `function(arguments)`; panics if they do not fit the signature.
    pub fn apply(&mut self, function: Function, arguments: impl Into<Box<[Expr]>>, span: Span) -> Expr {
        self.typed(ExprData::Apply(function, arguments.into()), span)
    }

    /// A prefix operator; panics if it is ill typed.
    pub fn unary(&mut self, op: UnaryOp, operand: Expr, span: Span) -> Expr {
        self.typed(ExprData::Unary(op, operand), span)
    }

    /// An infix operator; panics if it is ill typed.
    pub fn binary(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        self.typed(ExprData::Binary(op, left, right), span)
    }

    /// `!operand`; panics if it is not a Boolean.
    pub fn not(&mut self, operand: Expr, span: Span) -> Expr {
        self.unary(UnaryOp::Not, operand, span)
    }

    /// The conjunction from left to right; `true` if there is none.
    pub fn and(&mut self, operands: impl IntoIterator<Item = Expr>, span: Span) -> Expr {
        let joined = operands.into_iter().reduce(|left, right| self.binary(BinaryOp::And, left, right, span));
        joined.unwrap_or_else(|| self.bool(true, span))
    }

    /// The disjunction from left to right; `false` if there is none.
    pub fn or(&mut self, operands: impl IntoIterator<Item = Expr>, span: Span) -> Expr {
        let joined = operands.into_iter().reduce(|left, right| self.binary(BinaryOp::Or, left, right, span));
        joined.unwrap_or_else(|| self.bool(false, span))
    }

    /// `left == right`; panics if the types differ.
    pub fn equal(&mut self, left: Expr, right: Expr, span: Span) -> Expr {
        self.binary(BinaryOp::Equal, left, right, span)
    }

    /// `if condition then … else …`; panics if it is ill typed.
    pub fn ite(&mut self, condition: Expr, then: Expr, otherwise: Expr, span: Span) -> Expr {
        self.typed(ExprData::Ite(condition, then, otherwise), span)
    }

    /// `map[arguments]`; panics if it is ill typed.
    pub fn select(&mut self, map: Expr, arguments: impl Into<Box<[Expr]>>, span: Span) -> Expr {
        self.typed(ExprData::Select(map, arguments.into()), span)
    }

    /// `map[arguments := value]`; panics if it is ill typed.
    pub fn store(&mut self, map: Expr, arguments: impl Into<Box<[Expr]>>, value: Expr, span: Span) -> Expr {
        self.typed(ExprData::Store(map, arguments.into(), value), span)
    }

    /// `operand[high:low]`; panics if the range is not within the bit-vector.
    pub fn extract(&mut self, operand: Expr, high: u32, low: u32, span: Span) -> Expr {
        self.typed(ExprData::Extract { operand, high, low }, span)
    }

    /// A quantified formula without triggers; panics if it is ill typed.
    pub fn quantified(&mut self, kind: QuantifierKind, bound: Vec<Variable>, body: Expr, span: Span) -> Expr {
        let quantifier = Quantifier { kind, bound, triggers: Vec::new(), attributes: Vec::new(), body };
        self.typed(ExprData::Quantified(Box::new(quantifier)), span)
    }

    /// A copy of an expression with variables replaced by expressions of the same types.
    pub fn with_values(&mut self, root: Expr, values: impl IntoIterator<Item = (Variable, Expr)>) -> Expr {
        let values: FxHashMap<Variable, Expr> = values.into_iter().collect();
        // The quantifiers of a copy bind variables of their own.
        let root = self.rename(root, &FxHashMap::default());
        let mut copies: FxHashMap<Expr, Expr> = FxHashMap::default();
        for part in self.expressions.post_order([root]) {
            let mut data = self.expressions[part].clone();
            let value = match &data {
                ExprData::Variable(variable) => values.get(variable).copied(),
                _ => None,
            };
            let copy = value.unwrap_or_else(|| {
                data.map_children(|child| copies[&child]);
                self.expressions.push(data, self.expressions.ty(part), self.expressions.span(part))
            });
            copies.insert(part, copy);
        }
        copies[&root]
    }

    /// A copy of an expression with variables replaced by variables of the same types. Its quantifiers get bound
    /// variables of their own, with the same names.
    pub fn rename(&mut self, root: Expr, renaming: &FxHashMap<Variable, Variable>) -> Expr {
        self.rename_with_old(root, renaming, &FxHashMap::default())
    }

    /// As [`Program::rename`]; old values of the variables in the second map become values of other variables.
    pub fn rename_with_old(
        &mut self,
        root: Expr,
        renaming: &FxHashMap<Variable, Variable>,
        old: &FxHashMap<Variable, Variable>,
    ) -> Expr {
        let parts = self.parts_with_attributes(root);
        let mut renaming = renaming.clone();
        for &part in &parts {
            if let ExprData::Quantified(quantifier) = &self.expressions[part] {
                for variable in quantifier.bound.clone() {
                    let copy = self.variables[variable].clone();
                    renaming.insert(variable, self.variables.push(copy));
                }
            }
        }
        let mut renamed: FxHashMap<Expr, Expr> = FxHashMap::default();
        for expr in parts {
            let span = self.expressions.span(expr);
            let mut data = self.expressions[expr].clone();
            data.map_children(|child| renamed[&child]);
            let change = |variable: &mut Variable| {
                if let Some(&to) = renaming.get(variable) {
                    *variable = to;
                }
            };
            if let ExprData::Old(variable) = data
                && let Some(&kept) = old.get(&variable)
            {
                data = ExprData::Variable(kept);
            }
            match &mut data {
                ExprData::Variable(variable) | ExprData::Old(variable) => change(variable),
                ExprData::Quantified(quantifier) => {
                    quantifier.bound.iter_mut().for_each(change);
                    for argument in quantifier.attributes.iter_mut().flat_map(|a| &mut a.arguments) {
                        if let AttributeArgument::Expr(expr) = argument {
                            *expr = renamed[expr];
                        }
                    }
                }
                _ => {}
            }
            renamed.insert(expr, self.typed(data, span));
        }
        renamed[&root]
    }

    /// All parts of an expression, those in attributes of quantifiers included, children first.
    fn parts_with_attributes(&self, root: Expr) -> Vec<Expr> {
        let mut roots = vec![root];
        loop {
            let parts = self.expressions.post_order(roots.iter().copied());
            let in_attributes = parts.iter().filter_map(|&part| match &self.expressions[part] {
                ExprData::Quantified(quantifier) => {
                    Some(quantifier.attributes.iter().flat_map(|a| &a.arguments))
                }
                _ => None,
            });
            let before = roots.len();
            let known: FxHashSet<Expr> = parts.iter().copied().collect();
            roots.extend(in_attributes.flatten().filter_map(|argument| match argument {
                AttributeArgument::Expr(expr) if !known.contains(expr) => Some(*expr),
                _ => None,
            }));
            if roots.len() == before {
                return parts;
            }
        }
    }

    /// A new variable without `where` clause. Whoever makes it also lists it: globals and constants in the
    /// program, parameters and results in the procedure, locals in the body, and so on.
    pub fn new_variable(
        &mut self,
        name: impl Into<String>,
        ty: Type,
        kind: VariableKind,
        span: Span,
    ) -> Variable {
        let name = name.into();
        self.variables.push(VariableData { name, ty, kind, where_clause: None, attributes: Vec::new(), span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::FileId;

    fn nowhere() -> Span {
        Span::new(base::EntityRef::new(0), 0, 0)
    }

    #[test]
    fn types_are_computed() {
        let mut program = Program::new();
        let at = nowhere();
        let heap = program.types.map([Type::INT], Type::REAL);
        let m = program.new_variable("m", heap, VariableKind::Global, at);
        let map = program.variable(m, at);
        let index = program.int(3, at);
        let element = program.select(map, [index], at);
        assert_eq!(program.ty(element), Type::REAL);
        let stored = program.store(map, [index], element, at);
        assert_eq!(program.ty(stored), heap);
        let byte = program.bit_vector(255u8, 8, at);
        let twice = program.binary(BinaryOp::Concat, byte, byte, at);
        let middle = program.extract(twice, 12, 4, at);
        assert_eq!(program.ty(middle), program.ty(byte));
        let file: FileId = program.expressions.span(middle).file;
        assert_eq!(file, at.file);
    }

    #[test]
    fn ill_typed_expressions_are_refused() {
        let mut program = Program::new();
        let at = nowhere();
        let (one, half, yes) =
            (program.int(1, at), program.real(Ratio::new(1.into(), 2.into()), at), program.bool(true, at));
        let byte = program.bit_vector(1u8, 8, at);
        let c = program.new_variable("c", Type::INT, VariableKind::Constant { unique: false }, at);
        for (data, error) in [
            (ExprData::Binary(BinaryOp::Add, one, half), TypeError::Mismatch(one, half)),
            (ExprData::Binary(BinaryOp::And, one, one), TypeError::Operand(one)),
            (ExprData::Binary(BinaryOp::IntDivide, half, half), TypeError::Operand(half)),
            (ExprData::Binary(BinaryOp::Less, byte, byte), TypeError::Operand(byte)),
            (ExprData::Unary(UnaryOp::Negate, yes), TypeError::Operand(yes)),
            (ExprData::Select(one, [one].into()), TypeError::Operand(one)),
            (ExprData::Ite(one, one, one), TypeError::Operand(one)),
            (ExprData::Ite(yes, one, yes), TypeError::Mismatch(one, yes)),
            (ExprData::Extract { operand: byte, high: 9, low: 0 }, TypeError::BitRange),
            (ExprData::Extract { operand: byte, high: 3, low: 4 }, TypeError::BitRange),
            (ExprData::BitVec { value: 4u8.into(), width: 2 }, TypeError::LiteralTooWide),
            (ExprData::Old(c), TypeError::OldOfNonGlobal),
        ] {
            assert_eq!(program.expr(data.clone(), at), Err(error), "{data:?}");
        }
    }
}
