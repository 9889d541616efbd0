//! Values of C types as expressions of the intermediate language, and the variables that hold them.
//!
//! An integer is one `int`; a pointer is two, base and offset in bytes, and null is (0, 0); a floating number is
//! its bit pattern, a bit-vector; a struct is the sequence of its leaves.

use super::leaves::{Leaf, leaves};
use super::numbers::Interval;
use super::{Result, Translator};
use crate::ast::BinaryOp;
use crate::options::SignedOverflow;
use crate::problem::Problem;
use crate::types::{Type, TypeId};
use ir::{Expr, ExprData, Variable};
use std::rc::Rc;

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// An integer with what is known of it.
    Int(Expr, Interval),
    /// Base and offset.
    Pointer(Expr, Expr),
    /// The bit pattern of a floating number.
    Float(Expr),
    /// The leaves of a struct, each with its components; leaves inside of arrays are maps.
    Record(Vec<Vec<Expr>>),
    /// Nothing.
    Void,
}

impl Translator<'_> {
    /// The leaves of a type.
    pub(super) fn leaves(&mut self, ty: TypeId) -> Result<Rc<[Leaf]>> {
        if let Some(found) = self.storage.leaf_cache.get(&ty) {
            return Ok(Rc::clone(found));
        }
        match leaves(&self.tree.types, self.symbols, ty) {
            Ok(found) => {
                let found: Rc<[Leaf]> = found.into();
                self.storage.leaf_cache.insert(ty, Rc::clone(&found));
                Ok(found)
            }
            Err(what) => Err(self.unsupported(what)),
        }
    }

    /// How many components a scalar has.
    pub(super) fn component_count(&self, ty: TypeId) -> usize {
        if matches!(self.tree.types[ty], Type::Pointer(_)) { 2 } else { 1 }
    }

    /// The type of a variable that holds a leaf: an `int` or a bit-vector, with a map around it for every array.
    pub(super) fn leaf_type(&mut self, leaf: &Leaf) -> ir::Type {
        let mut ty = match self.tree.types[leaf.ty] {
            Type::Float(kind) => self.float_type(kind),
            _ => ir::Type::INT,
        };
        for _ in &leaf.dimensions {
            ty = self.program.types.map([ir::Type::INT], ty);
        }
        ty
    }

    /// Makes variables for all leaves of a type.
    pub(super) fn leaf_variables(
        &mut self,
        ty: TypeId,
        name: &str,
        mut make: impl FnMut(&mut Self, &str, ir::Type) -> Variable,
    ) -> Result<Vec<Vec<Variable>>> {
        let leaves = self.leaves(ty)?;
        let mut out = Vec::with_capacity(leaves.len());
        for leaf in leaves.iter() {
            let base = format!("{name}{}", leaf.suffix.replace("[]", ""));
            let leaf_ty = self.leaf_type(leaf);
            let components = if self.component_count(leaf.ty) == 2 {
                let first = make(self, &format!("{base}.base"), leaf_ty);
                vec![first, make(self, &format!("{base}.offset"), leaf_ty)]
            } else {
                let variable = make(self, &base, leaf_ty);
                if leaf.dimensions.is_empty() {
                    self.range_where(variable, leaf);
                }
                vec![variable]
            };
            out.push(components);
        }
        Ok(out)
    }

    /// Whether numbers of a range stay in it: signed ones may grow beyond it, by an option.
    pub(super) fn keeps(&self, range: Interval) -> bool {
        range.low >= 0 || self.options.signed_overflow != SignedOverflow::GoesOn
    }

    /// States the range of an integer variable for when it gets an arbitrary value.
    fn range_where(&mut self, variable: Variable, leaf: &Leaf) {
        if let Some(interval) = self.leaf_interval(leaf).filter(|interval| self.keeps(*interval)) {
            let value = self.var(variable);
            let range = self.between(value, interval.low, interval.high);
            let data = &mut self.program.variables[variable];
            data.where_clause = Some(range);
            // Arguments are converted to the type of the parameter, so they have its range.
            if matches!(data.kind, ir::VariableKind::Parameter(_)) {
                data.attributes.push(ir::Mark::Established.attribute(Vec::new()));
            }
        }
    }

    /// States a narrower range of an integer parameter, which all calls keep.
    pub(super) fn narrow_where(&mut self, parameter: Variable, range: Interval) {
        let value = self.var(parameter);
        let range = self.between(value, range.low, range.high);
        let data = &mut self.program.variables[parameter];
        // Without a range of its type, nobody has said that arguments keep one.
        if data.where_clause.is_some() {
            data.where_clause = Some(range);
        }
    }

    /// The values that an integer leaf can have; `None` for other leaves and for 128 bits without sign.
    pub(super) fn leaf_interval(&self, leaf: &Leaf) -> Option<Interval> {
        let kind = self.tree.types.int_kind(leaf.ty)?;
        if leaf.raw {
            return Some(Interval::BYTE);
        }
        match leaf.width {
            Some(width) => Some(Interval::of_bits(width, kind.is_signed())),
            None => Some(Interval::of(&self.tree.types, kind)),
        }
    }

    /// A value from its components.
    pub(super) fn value_of_components(
        &self,
        ty: TypeId,
        components: &[Expr],
        interval: Option<Interval>,
    ) -> Value {
        match (&self.tree.types[ty], components) {
            (Type::Pointer(_), &[base, offset]) => Value::Pointer(base, offset),
            (Type::Float(_), &[bits]) => Value::Float(bits),
            (_, &[value]) => {
                let unknown = Interval { low: i128::MIN, high: i128::MAX };
                Value::Int(value, interval.unwrap_or(unknown))
            }
            _ => Value::Void,
        }
    }

    /// The components of a scalar value.
    pub(super) fn components(&self, value: &Value) -> Vec<Expr> {
        match value {
            Value::Int(value, _) | Value::Float(value) => vec![*value],
            Value::Pointer(base, offset) => vec![*base, *offset],
            Value::Record(_) | Value::Void => Vec::new(),
        }
    }

    /// The components of all leaves of a value of any type.
    pub(super) fn all_components(&self, value: &Value) -> Vec<Vec<Expr>> {
        match value {
            Value::Record(leaves) => leaves.clone(),
            Value::Void => Vec::new(),
            scalar => vec![self.components(scalar)],
        }
    }

    /// A value of any type from the components of its leaves.
    pub(super) fn value_of_leaves(&mut self, ty: TypeId, leaves: Vec<Vec<Expr>>) -> Result<Value> {
        match self.tree.types[ty] {
            Type::Void => Ok(Value::Void),
            Type::Record(_) => Ok(Value::Record(leaves)),
            _ => {
                let infos = self.leaves(ty)?;
                let interval = infos.first().and_then(|leaf| self.leaf_interval(leaf));
                Ok(self.value_of_components(ty, leaves.first().map_or(&[], |leaf| &leaf[..]), interval))
            }
        }
    }

    /// The zero of a type.
    pub(super) fn zero(&mut self, ty: TypeId) -> Result<Value> {
        let leaves = self.leaves(ty)?;
        let mut out = Vec::new();
        for leaf in leaves.iter() {
            let leaf_ty = self.leaf_type(leaf);
            let mut components = Vec::new();
            for _ in 0..self.component_count(leaf.ty) {
                components.push(self.zero_map(leaf_ty)?);
            }
            out.push(components);
        }
        match self.tree.types[ty] {
            Type::Record(_) | Type::Array(..) => Ok(Value::Record(out)),
            Type::Int(_) | Type::Enum(_) => Ok(Value::Int(out[0][0], Interval::exactly(0))),
            _ => self.value_of_leaves(ty, out),
        }
    }

    /// Holds a value at this point, whatever happens to the variables it was read from.
    pub(super) fn freeze_value(&mut self, value: Value) -> Value {
        match value {
            Value::Int(expr, interval) => Value::Int(self.freeze(expr), interval),
            Value::Pointer(base, offset) => Value::Pointer(self.freeze(base), self.freeze(offset)),
            Value::Float(bits) => Value::Float(self.freeze(bits)),
            Value::Record(leaves) => {
                let freeze =
                    |this: &mut Self, leaf: Vec<Expr>| leaf.into_iter().map(|e| this.freeze(e)).collect();
                Value::Record(leaves.into_iter().map(|leaf| freeze(self, leaf)).collect())
            }
            Value::Void => Value::Void,
        }
    }

    /// The integer 1 or 0 of a truth value.
    pub(super) fn int_of_truth(&mut self, truth: Expr) -> Value {
        let interval = match self.program.expressions[truth] {
            ExprData::Bool(value) => Interval::exactly(value.into()),
            _ => Interval::TRUTH,
        };
        let (one, zero) = (self.int(1), self.int(0));
        Value::Int(self.ite(truth, one, zero), interval)
    }

    /// Whether a scalar is not zero.
    pub(super) fn truth_of(&mut self, value: &Value) -> Result<Expr> {
        match *value {
            Value::Int(expr, _) => {
                // The 1 or 0 of a truth value goes back to the truth value.
                if let ExprData::Ite(condition, then, otherwise) = self.program.expressions[expr]
                    && (self.literal(then), self.literal(otherwise)) == (Some(1), Some(0))
                {
                    return Ok(condition);
                }
                let zero = self.int(0);
                Ok(self.compare(ir::BinaryOp::NotEqual, expr, zero))
            }
            Value::Pointer(base, offset) => {
                let zero = self.int(0);
                let base = self.compare(ir::BinaryOp::NotEqual, base, zero);
                if !self.analyses.odd_pointers {
                    return Ok(base);
                }
                let offset = self.compare(ir::BinaryOp::NotEqual, offset, zero);
                Ok(self.or(base, offset))
            }
            Value::Float(bits) => {
                let zero = self.float_zero(bits);
                let equal = self.float_comparison(BinaryOp::Eq, bits, zero);
                Ok(self.not(equal))
            }
            Value::Record(_) | Value::Void => Err(self.unsupported("a condition without a value")),
        }
    }

    /// A truth value that is not computed.
    pub(super) fn unknown_truth(&mut self, why: &str) -> Expr {
        let temporary = self.temporary(ir::Type::BOOL);
        self.havoc_marked(vec![temporary], why, None);
        self.var(temporary)
    }

    /// Marks the executions in which a condition does not hold: from there on, machines do what C does not tell.
    pub(super) fn mark_unless(&mut self, condition: Expr, why: &str) {
        let (good, bad) = (self.new_block("inside"), self.new_block("outside"));
        self.branch(condition, good, bad);
        self.start(bad);
        self.mark(why);
        self.continue_in(good);
    }

    /// A value of a scalar type that is not computed.
    pub(super) fn unknown_value(&mut self, ty: TypeId, why: &str) -> Result<Value> {
        let variables = self.leaf_variables(ty, "#t", |this, name, ty| this.new_local(name, ty))?;
        let all: Vec<Variable> = variables.iter().flatten().copied().collect();
        self.havoc_marked(all, why, None);
        self.read_variables(ty, &variables)
    }

    /// The value that variables hold.
    pub(super) fn read_variables(&mut self, ty: TypeId, variables: &[Vec<Variable>]) -> Result<Value> {
        let mut leaves = Vec::new();
        for leaf in variables {
            leaves.push(leaf.iter().map(|&variable| self.var(variable)).collect());
        }
        self.value_of_leaves(ty, leaves)
    }

    pub(super) fn unsupported(&self, what: impl Into<String>) -> Problem {
        Problem::unsupported(self.expression.at, what)
    }
}
