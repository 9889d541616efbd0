//! Values and conditions of expressions, with their effects in the order of evaluation.
//!
//! Where C leaves the order of evaluation open, operands are evaluated from left to right.

use super::numbers::Interval;
use super::values::Value;
use super::{Result, Translator};
use crate::ast::{BinaryOp, LogicalOp};
use crate::options::{Check, SignedOverflow};
use crate::tree::{ExprId, ExprKind, Lifetime};
use crate::types::{IntKind, Type, TypeId};
use ir::{Block, Expr};

/// Which value of `++` and `--` is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    Old,
    New,
    Dropped,
}

impl Translator<'_> {
    /// Evaluates an expression for its effects.
    pub(super) fn effect(&mut self, expr: ExprId) -> Result<()> {
        self.expression.dropped = true;
        let result = self.value(expr);
        self.expression.dropped = false;
        result.map(|_| ())
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, expr: ExprId) -> Result<Value> {
        crate::deep(|| self.value_inside(expr))
    }

    fn value_inside(&mut self, expr: ExprId) -> Result<Value> {
        let tree = self.tree;
        let node = &tree.exprs[expr];
        self.expression.at = node.span;
        let dropped = std::mem::take(&mut self.expression.dropped);
        match &node.kind {
            ExprKind::Int(value) => {
                let literal = self.int(*value);
                Ok(match tree.types[node.ty] {
                    // A constant address has no object: base 0.
                    Type::Pointer(_) => Value::Pointer(self.int(0), literal),
                    _ => Value::Int(literal, Interval::exactly(*value)),
                })
            }
            ExprKind::Float(bits) => match tree.types[node.ty] {
                Type::Float(kind) => Ok(Value::Float(self.float_literal(bits, kind.format()))),
                _ => Err(self.unsupported("a floating constant of another type")),
            },
            ExprKind::Load(place) => {
                let var = match tree.exprs[*place].kind {
                    ExprKind::Variable(var) => Some(var),
                    _ => None,
                };
                let kind = self.kind_of_access(*place)?;
                let place = self.place(*place)?;
                self.expression.at = node.span;
                let value = self.accessing(kind, |this| {
                    let value = this.read(&place, node.ty)?;
                    Ok(this.settled(value))
                })?;
                Ok(match (value, var.and_then(|var| self.fact(var))) {
                    (Value::Int(expr, _), Some(fact)) => Value::Int(expr, fact),
                    (value, _) => value,
                })
            }
            ExprKind::AddressOf(place) => {
                let place = self.unfollowed_place(*place)?;
                match place {
                    super::places::Place::Memory { base, offset, .. } => Ok(Value::Pointer(base, offset)),
                    _ => Err(self.unsupported("the address of a value")),
                }
            }
            ExprKind::FunctionAddress(function) => {
                let base = self.function_base(*function);
                let (base, offset) = (self.int(base), self.int(0));
                Ok(Value::Pointer(base, offset))
            }
            ExprKind::Convert(inner) => self.conversion(*inner, node.ty),
            ExprKind::Negate(operand) => {
                let operand = self.value(*operand)?;
                self.expression.at = node.span;
                match (operand, tree.types.int_kind(node.ty)) {
                    (Value::Int(expr, interval), Some(kind)) => self.negated((expr, interval), kind),
                    (Value::Float(bits), _) => Ok(Value::Float(self.float_negation(bits))),
                    _ => Err(self.unsupported("`-` on something that is no number")),
                }
            }
            ExprKind::Complement(operand) => match (self.value(*operand)?, tree.types.int_kind(node.ty)) {
                (Value::Int(expr, interval), Some(kind)) => Ok(self.complemented((expr, interval), kind)),
                _ => Err(self.unsupported("`~` on something that is no integer")),
            },
            ExprKind::Not(_) => {
                let truth = self.condition(expr)?;
                Ok(self.int_of_truth(truth))
            }
            ExprKind::Binary(op, left, right) => {
                if crate::check::is_comparison(*op) {
                    let truth = self.condition(expr)?;
                    return Ok(self.int_of_truth(truth));
                }
                let (left, right) = self.both_values(*left, *right)?;
                self.expression.at = node.span;
                self.operation(*op, node.ty, left, right)
            }
            ExprKind::Logical(..) => {
                let truth = self.condition(expr)?;
                Ok(self.int_of_truth(truth))
            }
            ExprKind::PointerAdd { pointer, count, minus } => {
                let (pointer, count) = self.both_values(*pointer, *count)?;
                self.expression.at = node.span;
                self.pointer_sum(pointer, count, node.ty, *minus)
            }
            ExprKind::PointerDifference(left, right) => {
                let to = tree.types.pointee(tree.exprs[*left].ty);
                let (left, right) = self.both_values(*left, *right)?;
                self.expression.at = node.span;
                self.pointer_difference(left, right, to, node.ty)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional(*condition, *then, *otherwise, node.ty)
            }
            ExprKind::ConditionalOr(condition, otherwise) => {
                let value = self.value(*condition)?;
                let value = self.freeze_value(value);
                let truth = self.truth_of(&value)?;
                let from = tree.exprs[*condition].ty;
                let converted = self.converted(value, from, node.ty)?;
                self.choose(truth, node.ty, |_| Ok(converted), |this| this.value(*otherwise))
            }
            ExprKind::Comma(left, right) => {
                self.effect(*left)?;
                self.expression.dropped = dropped;
                self.value(*right)
            }
            ExprKind::Assign(place, value) => {
                let value_expr = *value;
                let place_ty = tree.exprs[*place].ty;
                let width = self.bit_width(*place);
                let (value, target) = self.value_and_place(value_expr, *place)?;
                self.expression.at = node.span;
                let value = self.fit_width(value, place_ty, width);
                let value = self.kept(value, dropped);
                let kind = self.kind_of_access(*place)?;
                self.accessing(kind, |this| this.write(&target, place_ty, &value))?;
                self.note_assignment(*place, &value);
                Ok(value)
            }
            ExprKind::CompoundAssign { op, place, value, computation } => {
                let place_ty = tree.exprs[*place].ty;
                let width = self.bit_width(*place);
                let (right, target) = self.value_and_place(*value, *place)?;
                self.expression.at = node.span;
                let whole = self.begin_atomic(*place)?;
                let old = self.read(&target, place_ty)?;
                let old = self.settled(old);
                let old = self.with_fact(*place, old);
                let left = self.converted(old, place_ty, *computation)?;
                let result = self.operation(*op, *computation, left, right)?;
                let result = self.converted(result, *computation, place_ty)?;
                let result = self.fit_width(result, place_ty, width);
                let result = self.kept(result, dropped);
                self.write(&target, place_ty, &result)?;
                self.end_atomic(whole);
                self.note_assignment(*place, &result);
                Ok(result)
            }
            ExprKind::PointerAssign { place, count, minus } => {
                let (count, target) = self.value_and_place(*count, *place)?;
                self.expression.at = node.span;
                let whole = self.begin_atomic(*place)?;
                let old = self.read(&target, node.ty)?;
                let old = self.settled(old);
                let new = self.pointer_sum(old, count, node.ty, *minus)?;
                let new = self.kept(new, dropped);
                self.write(&target, node.ty, &new)?;
                self.end_atomic(whole);
                Ok(new)
            }
            ExprKind::Increment { place, up, prefix } => {
                let result = if dropped {
                    Counted::Dropped
                } else if *prefix {
                    Counted::New
                } else {
                    Counted::Old
                };
                self.increment(*place, *up, result)
            }
            ExprKind::Call(callee, arguments) => self.call_expression(expr, *callee, arguments, dropped),
            ExprKind::StatementExpr(statements, value) => {
                self.open_scope();
                for &statement in statements {
                    self.statement(statement)?;
                }
                let value = match value {
                    Some(value) => self.value(*value)?,
                    None => Value::Void,
                };
                self.close_scope()?;
                Ok(value)
            }
            ExprKind::LabelAddress(function, label) => {
                let base = self.label_base(*function, *label);
                let (base, offset) = (self.int(base), self.int(0));
                Ok(Value::Pointer(base, offset))
            }
            ExprKind::Variable(_)
            | ExprKind::Deref(_)
            | ExprKind::Member(..)
            | ExprKind::Index(..)
            | ExprKind::Text(_)
            | ExprKind::CompoundLiteral(..)
            | ExprKind::Temporary(_) => {
                self.place(expr)?;
                Ok(Value::Void)
            }
        }
    }

    /// The values of two operands, in any order.
    fn both_values(&mut self, left: ExprId, right: ExprId) -> Result<(Value, Value)> {
        match &self.values_in_any_order(&[left, right])?[..] {
            [left, right] => Ok((left.clone(), right.clone())),
            _ => Err(self.unsupported("an operand without a value")),
        }
    }

    /// The width of a bit-field that a place denotes.
    pub(super) fn bit_width(&self, place: ExprId) -> Option<u32> {
        let ExprKind::Member(inner, index) = self.tree.exprs[place].kind else { return None };
        let Type::Record(record) = self.tree.types[self.tree.exprs[inner].ty] else { return None };
        self.tree.types.field(record, index)?.width
    }

    /// A value read from a place, with what is known of the variable.
    fn with_fact(&self, place: ExprId, value: Value) -> Value {
        match (&self.tree.exprs[place].kind, value) {
            (ExprKind::Variable(var), Value::Int(expr, interval)) => {
                Value::Int(expr, self.fact(*var).unwrap_or(interval))
            }
            (_, value) => value,
        }
    }

    /// Remembers what is known of a variable that was just assigned.
    fn note_assignment(&mut self, place: ExprId, value: &Value) {
        if let ExprKind::Variable(var) = self.tree.exprs[place].kind
            && self.is_tracked(var)
        {
            match value {
                Value::Int(_, interval) => self.learn(var, *interval),
                _ => self.forget(var),
            }
        }
    }

    /// A value that is about to be written: if it is used afterwards, it must not change with the place.
    fn kept(&mut self, value: Value, dropped: bool) -> Value {
        if dropped { value } else { self.freeze_value(value) }
    }

    fn increment(&mut self, place: ExprId, up: bool, result: Counted) -> Result<Value> {
        let ty = self.tree.exprs[place].ty;
        let span = self.expression.at;
        let width = self.bit_width(place);
        let target = self.place(place)?;
        self.expression.at = span;
        let whole = self.begin_atomic(place)?;
        let old = self.read(&target, ty)?;
        let old = self.settled(old);
        let old = self.with_fact(place, old);
        let old = if result == Counted::Old { self.freeze_value(old) } else { old };
        let one = Value::Int(self.int(1), Interval::exactly(1));
        let new = match (&self.tree.types[ty], self.tree.types.int_kind(ty)) {
            (Type::Pointer(_), _) => self.pointer_sum(old.clone(), one, ty, !up)?,
            (_, Some(kind)) => {
                // The computation happens in the promoted type.
                let computation = if kind.rank() < IntKind::Int.rank() { IntKind::Int } else { kind };
                let (Value::Int(a, x), Value::Int(b, y)) = (&old, &one) else {
                    return Err(self.unsupported("counting something that is no integer"));
                };
                let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
                let new = self.arithmetic(op, computation, (*a, *x), (*b, *y))?;
                match new {
                    Value::Int(expr, interval) => self.fit(expr, interval, kind)?,
                    other => other,
                }
            }
            (Type::Float(kind), _) => {
                let one = self.float_literal(&kind.format().one(), kind.format());
                let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
                let old = old.clone();
                self.operation(op, ty, old, Value::Float(one))?
            }
            _ => return Err(self.unsupported("counting something that is no number")),
        };
        let new = self.fit_width(new, ty, width);
        let new = self.kept(new, result != Counted::New);
        self.write(&target, ty, &new)?;
        self.end_atomic(whole);
        self.note_assignment(place, &new);
        Ok(if result == Counted::New { new } else { old })
    }

    /// An arithmetic operator on values of a type (the left one, for shifts).
    fn operation(&mut self, op: BinaryOp, ty: TypeId, left: Value, right: Value) -> Result<Value> {
        match (left, right, self.tree.types.int_kind(ty)) {
            (Value::Int(left, a), Value::Int(right, b), Some(kind)) => {
                self.arithmetic(op, kind, (left, a), (right, b))
            }
            (Value::Float(left), Value::Float(right), _) => self.float_arithmetic(op, ty, left, right),
            _ => Err(self.unsupported("arithmetic on something that is no number")),
        }
    }

    fn pointer_sum(&mut self, pointer: Value, count: Value, ty: TypeId, minus: bool) -> Result<Value> {
        let (Value::Pointer(base, offset), Value::Int(count, _)) = (pointer, count) else {
            return Err(self.unsupported("arithmetic on this pointer"));
        };
        let Some(to) = self.tree.types.pointee(ty) else {
            return Err(self.unsupported("arithmetic on this pointer"));
        };
        let size = self.size_of(to)?;
        let bytes = self.multiply(count, size);
        let offset = if minus { self.subtract(offset, bytes) } else { self.add(offset, bytes) };
        if self.options.asks(Check::PointerOverflow) && !self.is_quiet() {
            return self.pointer_inside(base, offset);
        }
        Ok(Value::Pointer(base, offset))
    }

    /// A pointer that was moved must point into its object, or just behind it (C11 6.5.6). A null pointer may be moved by nothing.
    fn pointer_inside(&mut self, base: Expr, offset: Expr) -> Result<Value> {
        let (base, offset) = (self.share(base), self.share(offset));
        let (size, zero) = (self.object_size(base)?, self.int(0));
        let above = self.compare(ir::BinaryOp::LessEqual, zero, offset);
        let below = self.compare(ir::BinaryOp::LessEqual, offset, size);
        let inside = self.and(above, below);
        let (is_null, stays) = (self.equal(base, zero), self.equal(offset, zero));
        let fine = self.ite(is_null, stays, inside);
        self.check(fine, Check::PointerOverflow, "a pointer is moved out of its object");
        Ok(Value::Pointer(base, offset))
    }

    fn pointer_difference(
        &mut self,
        left: Value,
        right: Value,
        to: Option<TypeId>,
        ty: TypeId,
    ) -> Result<Value> {
        let (Value::Pointer(base, offset), Value::Pointer(other_base, other_offset), Some(to)) =
            (left, right, to)
        else {
            return Err(self.unsupported("the difference of these pointers"));
        };
        let size = self.size_of(to)?;
        let same = self.equal(base, other_base);
        let distance = self.subtract(offset, other_offset);
        let result = self.divide_floor(distance, size);
        let range = self.tree.types.int_kind(ty).map(|kind| Interval::of(&self.tree.types, kind));
        let unknown = Interval { low: i128::MIN, high: i128::MAX };
        let exact = Value::Int(result, range.unwrap_or(unknown));
        // Pointers into different objects have no difference in C; machines compute some number.
        self.choose(
            same,
            ty,
            |_| Ok(exact),
            |this| this.unknown_value(ty, "the difference of unrelated pointers"),
        )
    }

    /// The value of a conversion.
    fn conversion(&mut self, inner: ExprId, to: TypeId) -> Result<Value> {
        let span = self.expression.at;
        let from = self.tree.exprs[inner].ty;
        // A pointer that went through an integer of its own size comes back as it was.
        if let (Type::Pointer(_), ExprKind::Convert(origin)) =
            (&self.tree.types[to], &self.tree.exprs[inner].kind)
            && matches!(self.tree.types[self.tree.exprs[*origin].ty], Type::Pointer(_))
            && self.tree.types.size(from) == self.tree.types.size(to)
        {
            return self.value(*origin);
        }
        let value = self.value(inner)?;
        self.expression.at = span;
        if matches!(self.tree.types[to], Type::Pointer(_)) && self.tree.types.int_kind(from).is_some() {
            return self.pointer_from_integer(inner, value);
        }
        self.converted(value, from, to)
    }

    /// Converts a value between scalar types.
    pub(super) fn converted(&mut self, value: Value, from: TypeId, to: TypeId) -> Result<Value> {
        if from == to {
            return Ok(value);
        }
        let target = self.tree.types.int_kind(to);
        match (value, &self.tree.types[to], target) {
            (_, Type::Void, _) => Ok(Value::Void),
            (Value::Int(expr, interval), _, Some(kind)) => {
                let range = Interval::of(&self.tree.types, kind);
                let widest = kind.width(self.tree.types.model) == 128;
                let fits = interval.within(range) && (!widest || interval.is_known());
                let lossy = kind != IntKind::Bool && !fits;
                if lossy && self.options.asks(Check::Conversion) && !self.expression.mathematical {
                    let expr = self.share(expr);
                    let inside = self.between(expr, range.low, range.high);
                    let text = format!("{}: to {}", Check::Conversion.name(), kind.name());
                    self.assert(inside, &text);
                    return self.fit(expr, interval, kind);
                }
                self.fit(expr, interval, kind)
            }
            (value @ (Value::Pointer(..) | Value::Float(_)), _, Some(IntKind::Bool)) => {
                let truth = self.truth_of(&value)?;
                Ok(self.int_of_truth(truth))
            }
            (Value::Pointer(base, offset), _, Some(kind)) => self.integer_from_pointer(base, offset, kind),
            (value @ Value::Pointer(..), Type::Pointer(_), _) => Ok(value),
            (Value::Int(expr, interval), Type::Pointer(_), _) => match interval.constant() {
                Some(_) => Ok(Value::Pointer(self.int(0), expr)),
                None => self.pointer_of_address(expr, None),
            },
            (Value::Int(expr, interval), Type::Float(_), _) => self.int_to_float((expr, interval), from, to),
            (Value::Float(bits), Type::Float(_), _) => self.float_to_float(bits, to),
            (Value::Float(bits), _, Some(kind)) => self.float_to_int(bits, to, kind),
            (value @ Value::Record(_), _, _) => Ok(value),
            _ => Err(self.unsupported("this conversion")),
        }
    }

    /// The condition that an expression states.
    pub(super) fn condition(&mut self, expr: ExprId) -> Result<Expr> {
        crate::deep(|| self.condition_inside(expr))
    }

    fn condition_inside(&mut self, expr: ExprId) -> Result<Expr> {
        let tree = self.tree;
        let node = &tree.exprs[expr];
        self.expression.at = node.span;
        match &node.kind {
            ExprKind::Not(operand) => {
                let truth = self.condition(*operand)?;
                self.expression.at = node.span;
                Ok(self.not(truth))
            }
            ExprKind::Binary(op, left, right) if crate::check::is_comparison(*op) => {
                let sides = [*left, *right];
                let (left, right) = self.both_values(*left, *right)?;
                self.expression.at = node.span;
                self.beware_of_ends(sides, &left, &right);
                if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                    self.beware_of_texts(sides, &left, &right);
                    self.beware_of_the_past(sides, &left, &right);
                }
                self.comparison(*op, left, right)
            }
            ExprKind::Logical(op, left, right) => self.logical(*op, *left, *right),
            _ => {
                let value = self.value(expr)?;
                self.expression.at = node.span;
                self.truth_of(&value)
            }
        }
    }

    fn comparison(&mut self, op: BinaryOp, left: Value, right: Value) -> Result<Expr> {
        let target = match op {
            BinaryOp::Eq => ir::BinaryOp::Equal,
            BinaryOp::Ne => ir::BinaryOp::NotEqual,
            BinaryOp::Lt => ir::BinaryOp::Less,
            BinaryOp::Gt => ir::BinaryOp::Greater,
            BinaryOp::Le => ir::BinaryOp::LessEqual,
            _ => ir::BinaryOp::GreaterEqual,
        };
        match (left, right) {
            (Value::Int(left, _), Value::Int(right, _)) => {
                // Comparing the 1 or 0 of a truth value with 0 is the truth value or its opposite.
                if self.literal(right) == Some(0) && matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                    let truth = self.truth_of(&Value::Int(left, Interval::TRUTH))?;
                    return Ok(if op == BinaryOp::Ne { truth } else { self.not(truth) });
                }
                Ok(self.compare(target, left, right))
            }
            (Value::Pointer(base, offset), Value::Pointer(other_base, other_offset)) => {
                let null = [(base, offset), (other_base, other_offset)]
                    .iter()
                    .any(|&(base, offset)| (self.literal(base), self.literal(offset)) == (Some(0), Some(0)));
                if self.analyses.makes_pointers && !(null && matches!(op, BinaryOp::Eq | BinaryOp::Ne)) {
                    // Pointers that are made of integers have no base to compare.
                    let left = self.exposed_address(base, offset)?;
                    let right = self.exposed_address(other_base, other_offset)?;
                    return Ok(self.compare(target, left, right));
                }
                let same = self.equal(base, other_base);
                if self.analyses.odd_pointers && !null {
                    // A number that is no address of anything so far may be the address of the other object.
                    let zero = self.int(0);
                    let (nowhere, other_nowhere) = (self.equal(base, zero), self.equal(other_base, zero));
                    let alike = self.equal(nowhere, other_nowhere);
                    let (none, other_none) = (self.equal(offset, zero), self.equal(other_offset, zero));
                    let (none, other_none) = (self.and(nowhere, none), self.and(other_nowhere, other_none));
                    let one_is_null = self.or(none, other_none);
                    let fine = self.or(alike, one_is_null);
                    self.give_up_unless(
                        fine,
                        "whether an object lies at an address that is written as a number",
                    );
                }
                match op {
                    BinaryOp::Eq | BinaryOp::Ne => {
                        // Only null has the base 0, and only one offset.
                        let null = [base, other_base].iter().any(|&base| self.literal(base) == Some(0));
                        let equal = if null && !self.analyses.odd_pointers {
                            same
                        } else {
                            let offsets = self.equal(offset, other_offset);
                            self.and(same, offsets)
                        };
                        Ok(if op == BinaryOp::Eq { equal } else { self.not(equal) })
                    }
                    _ => {
                        let exact = self.compare(target, offset, other_offset);
                        if matches!(self.program.expressions[same], ir::ExprData::Bool(true)) {
                            return Ok(exact);
                        }
                        // Objects have no order in C; machines have some.
                        let result = self.temporary(ir::Type::BOOL);
                        let (ordered, unordered) = (self.new_block("same"), self.new_block("other"));
                        let join = self.new_block("join");
                        self.branch(same, ordered, unordered);
                        self.start(ordered);
                        self.assign(result, exact);
                        self.jump(join);
                        self.start(unordered);
                        self.havoc_marked(vec![result], "the order of unrelated pointers", None);
                        self.continue_in(join);
                        Ok(self.var(result))
                    }
                }
            }
            (Value::Float(left), Value::Float(right)) => Ok(self.float_comparison(op, left, right)),
            _ => Err(self.unsupported("this comparison")),
        }
    }

    /// Marks comparisons of the end of one object with the start of another: whether they are equal, C leaves open.
    fn beware_of_ends(&mut self, sides: [ExprId; 2], left: &Value, right: &Value) {
        let (&Value::Pointer(base, offset), &Value::Pointer(other_base, other_offset)) = (left, right) else {
            return;
        };
        let moved = |this: &mut Self, side: ExprId| {
            let class = this.analyses.classes.class(side);
            this.analyses.classes.is_indexed(class)
        };
        let null = [base, other_base].iter().any(|&base| self.literal(base) == Some(0));
        let classes = sides.map(|side| {
            let class = self.analyses.classes.class(side);
            self.analyses.classes.find(class)
        });
        // Both point into the only object that there is for them.
        let alone = classes[0] == classes[1] && self.only_object(classes[0]).is_some();
        if null || alone || self.analyses.makes_pointers || !sides.iter().any(|&side| moved(self, side)) {
            return;
        }
        let zero = self.int(0);
        let same = self.equal(base, other_base);
        let (left, right) = (self.equal(offset, zero), self.equal(other_offset, zero));
        let alike = self.equal(left, right);
        // Null has no neighbours.
        let none = self.equal(base, zero);
        let other_none = self.equal(other_base, zero);
        let none = self.or(none, other_none);
        let fine = self.or(same, alike);
        let fine = self.or(none, fine);
        if !matches!(self.program.expressions[fine], ir::ExprData::Bool(true)) {
            self.give_up_unless(fine, "whether the end of an object is the start of another");
        }
    }

    /// Marks comparisons of a pointer to a variable that is gone with one to another object: a new variable mostly lies where the old one was, and whether the
    /// pointers are equal then, C leaves open (C11 6.2.4).
    fn beware_of_the_past(&mut self, sides: [ExprId; 2], left: &Value, right: &Value) {
        let (&Value::Pointer(base, _), &Value::Pointer(other_base, _)) = (left, right) else { return };
        let null = [base, other_base].iter().any(|&base| self.literal(base) == Some(0));
        let renewed = sides.iter().any(|&side| {
            let class = self.analyses.classes.class(side);
            let class = self.analyses.classes.find(class);
            self.analyses.outlived.has_class(class)
        });
        if null || !renewed || self.analyses.makes_pointers || self.storage.objects.state.is_none() {
            return;
        }
        let zero = self.int(0);
        let (base, other_base) = (self.share(base), self.share(other_base));
        let (none, other_none) = (self.equal(base, zero), self.equal(other_base, zero));
        let (lives, other_lives) = (self.is_live(base), self.is_live(other_base));
        let (same, both) = (self.equal(base, other_base), self.and(lives, other_lives));
        let none = self.or(none, other_none);
        let fine = self.or(same, none);
        let fine = self.or(fine, both);
        self.give_up_unless(fine, "whether a new variable lies where one was that is gone");
    }

    fn logical(&mut self, op: LogicalOp, left: ExprId, right: ExprId) -> Result<Expr> {
        if op == LogicalOp::Iff {
            let left = self.condition(left)?;
            let right = self.condition(right)?;
            return Ok(self.equal(left, right));
        }
        let truth = self.condition(left)?;
        if self.is_simple(right) {
            let right = self.condition(right)?;
            return Ok(match op {
                LogicalOp::And => self.and(truth, right),
                LogicalOp::Or => self.or(truth, right),
                _ => {
                    let not = self.not(truth);
                    self.or(not, right)
                }
            });
        }
        let result = self.temporary(ir::Type::BOOL);
        let (more, done, join) = (self.new_block("more"), self.new_block("done"), self.new_block("join"));
        match op {
            LogicalOp::Or => self.branch(truth, done, more),
            _ => self.branch(truth, more, done),
        }
        self.start(done);
        let decided = self.truth(op != LogicalOp::And);
        self.assign(result, decided);
        self.jump(join);
        self.start(more);
        let value = self.condition(right)?;
        self.assign(result, value);
        self.forget_assigned(right);
        self.continue_in(join);
        Ok(self.var(result))
    }

    /// Whether an expression has no effect, cannot end the execution, and needs no statements of its own.
    fn is_simple(&self, expr: ExprId) -> bool {
        // An explicit stack: conditions may be long.
        let mut stack = vec![expr];
        let mut steps = 0;
        while let Some(expr) = stack.pop() {
            steps += 1;
            let node = &self.tree.exprs[expr];
            match &node.kind {
                ExprKind::Int(_) => {}
                ExprKind::Load(place) => {
                    let ExprKind::Variable(var) = self.tree.exprs[*place].kind else { return false };
                    let data = &self.tree.variables[var];
                    // What is not evaluated is not accessed.
                    let seen = self.threads.watches && data.lifetime == Lifetime::Static;
                    if data.address_taken || !self.tree.types.is_scalar(data.ty) || seen {
                        return false;
                    }
                }
                ExprKind::Convert(inner) => {
                    let whole = |expr: ExprId| self.tree.types.int_kind(self.tree.exprs[expr].ty).is_some();
                    if !whole(expr) || !whole(*inner) {
                        return false;
                    }
                    stack.push(*inner);
                }
                ExprKind::Not(inner) => stack.push(*inner),
                ExprKind::Logical(op, left, right) if *op != LogicalOp::Iff => stack.extend([*left, *right]),
                ExprKind::Binary(op, left, right) => {
                    let wraps = !self.options.asks(Check::Overflow)
                        && !self.options.asks(Check::UnsignedOverflow)
                        && self.options.signed_overflow == SignedOverflow::Wraps;
                    let linear = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
                    let pure = crate::check::is_comparison(*op)
                        || (linear && (wraps || self.expression.mathematical));
                    let float = matches!(self.tree.types[self.tree.exprs[*left].ty], Type::Float(_));
                    if !pure || float {
                        return false;
                    }
                    stack.extend([*left, *right]);
                }
                _ => return false,
            }
            if steps > 200 {
                return false;
            }
        }
        true
    }

    /// Continues in one of two blocks, as an expression says; short circuits become control flow.
    pub(super) fn branch_on(&mut self, expr: ExprId, then: Block, otherwise: Block) -> Result<()> {
        crate::deep(|| {
            let tree = self.tree;
            let node = &tree.exprs[expr];
            self.expression.at = node.span;
            match &node.kind {
                ExprKind::Not(operand) => self.branch_on(*operand, otherwise, then),
                ExprKind::Logical(op @ (LogicalOp::And | LogicalOp::Or), left, right)
                    if !(self.is_simple(*left) && self.is_simple(*right)) =>
                {
                    let next = self.new_block("and");
                    match op {
                        LogicalOp::And => self.branch_on(*left, next, otherwise)?,
                        _ => self.branch_on(*left, then, next)?,
                    }
                    self.forget_assigned(*left);
                    let before = self.function.facts.clone();
                    self.refine(*left, *op == LogicalOp::And);
                    self.start(next);
                    self.branch_on(*right, then, otherwise)?;
                    // What the right operand told or did holds on one of the ways only.
                    self.function.facts = before;
                    self.forget_assigned(*right);
                    Ok(())
                }
                _ => {
                    let condition = self.condition(expr)?;
                    self.expression.at = node.span;
                    self.decide(condition, then, otherwise);
                    Ok(())
                }
            }
        })
    }

    fn conditional(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        ty: TypeId,
    ) -> Result<Value> {
        let (yes, no) = (self.new_block("then"), self.new_block("else"));
        let join = self.new_block("join");
        self.branch_on(condition, yes, no)?;
        self.forget_assigned(condition);
        let before = self.function.facts.clone();
        self.refine(condition, true);
        self.start(yes);
        let first = self.value(then)?;
        let holders = self.holders(ty)?;
        self.hold(&holders, &first);
        self.jump(join);
        let behind_then = std::mem::replace(&mut self.function.facts, before);
        self.refine(condition, false);
        self.start(no);
        let second = self.value(otherwise)?;
        self.hold(&holders, &second);
        self.join_facts(behind_then);
        self.continue_in(join);
        self.joined(ty, &holders, &first, &second)
    }

    /// One of two values, each computed only where it is needed.
    pub(super) fn choose(
        &mut self,
        condition: Expr,
        ty: TypeId,
        then: impl FnOnce(&mut Self) -> Result<Value>,
        otherwise: impl FnOnce(&mut Self) -> Result<Value>,
    ) -> Result<Value> {
        match self.program.expressions[condition] {
            ir::ExprData::Bool(true) => return then(self),
            ir::ExprData::Bool(false) => return otherwise(self),
            _ => {}
        }
        let (yes, no) = (self.new_block("then"), self.new_block("else"));
        let join = self.new_block("join");
        self.branch(condition, yes, no);
        let before = self.function.facts.clone();
        self.start(yes);
        let first = then(self)?;
        let holders = self.holders(ty)?;
        self.hold(&holders, &first);
        self.jump(join);
        let behind_then = std::mem::replace(&mut self.function.facts, before);
        self.start(no);
        let second = otherwise(self)?;
        self.hold(&holders, &second);
        self.join_facts(behind_then);
        self.continue_in(join);
        self.joined(ty, &holders, &first, &second)
    }

    /// Variables for a value of a type.
    pub(super) fn holders(&mut self, ty: TypeId) -> Result<Vec<Vec<ir::Variable>>> {
        if matches!(self.tree.types[ty], Type::Void) {
            return Ok(Vec::new());
        }
        self.leaf_variables(ty, "#t", |this, name, ty| this.new_local(name, ty))
    }

    pub(super) fn hold(&mut self, holders: &[Vec<ir::Variable>], value: &Value) {
        let components = self.all_components(value);
        let mut pairs = Vec::new();
        for (variables, values) in holders.iter().zip(&components) {
            pairs.extend(variables.iter().copied().zip(values.iter().copied()));
        }
        self.assign_all(pairs);
    }

    fn joined(
        &mut self,
        ty: TypeId,
        holders: &[Vec<ir::Variable>],
        first: &Value,
        second: &Value,
    ) -> Result<Value> {
        let value = self.read_variables(ty, holders)?;
        Ok(match (value, first, second) {
            (Value::Int(expr, _), Value::Int(_, a), Value::Int(_, b)) => Value::Int(expr, a.hull(*b)),
            (value, _, _) => value,
        })
    }
}
