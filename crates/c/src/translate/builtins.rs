//! Functions that compilers know and that compute through a pointer: arithmetic that tells whether it overflows, and
//! the atomic operations that change an object, which in a program without threads are ordinary ones.

use super::classes::Key;
use super::mathematics;
use super::numbers::Interval;
use super::places::Place;
use super::values::Value;
use super::{Result, Translator};
use crate::ast::BinaryOp;
use crate::tree::{ExprId, ExprKind};
use crate::types::{Type, TypeId};

/// The operation of a function as `__builtin_add_overflow`, `__builtin_smull_overflow`, `__builtin_sub_overflow_p`,
/// and whether it only tells (`_p`).
fn checked_operation(name: &str) -> Option<(BinaryOp, bool)> {
    let name = name.strip_prefix("__builtin_")?;
    let (name, only_tells) = match name.strip_suffix("_overflow_p") {
        Some(name) => (name, true),
        None => (name.strip_suffix("_overflow")?, false),
    };
    let operation = match name {
        "add" | "sadd" | "saddl" | "saddll" | "uadd" | "uaddl" | "uaddll" => BinaryOp::Add,
        "sub" | "ssub" | "ssubl" | "ssubll" | "usub" | "usubl" | "usubll" => BinaryOp::Sub,
        "mul" | "smul" | "smull" | "smulll" | "umul" | "umull" | "umulll" => BinaryOp::Mul,
        _ => return None,
    };
    Some((operation, only_tells))
}

/// What an atomic function does with the old value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Atomic {
    /// Combines it with the operand; whether the new value is the result.
    Combine(BinaryOp, bool),
    /// As `&`, and complements the result.
    Nand(bool),
    /// Replaces it.
    Exchange,
    /// Replaces it if it is as expected; whether the result is the truth of that.
    Compare(bool),
}

fn atomic_operation(name: &str) -> Option<Atomic> {
    let operation = |name: &str| {
        Some(match name {
            "add" => BinaryOp::Add,
            "sub" => BinaryOp::Sub,
            "or" => BinaryOp::BitOr,
            "and" => BinaryOp::BitAnd,
            "xor" => BinaryOp::BitXor,
            _ => return None,
        })
    };
    if let Some(name) = name.strip_prefix("__atomic_").or_else(|| name.strip_prefix("atomic_")) {
        let name = name.strip_suffix("_explicit").unwrap_or(name);
        return Some(match (name.strip_prefix("fetch_"), name.strip_suffix("_fetch")) {
            (Some("nand"), _) => Atomic::Nand(false),
            (_, Some("nand")) => Atomic::Nand(true),
            (Some(name), _) => Atomic::Combine(operation(name)?, false),
            (_, Some(name)) => Atomic::Combine(operation(name)?, true),
            _ => return None,
        });
    }
    let name = name.strip_prefix("__sync_")?;
    Some(match name {
        "fetch_and_nand" => Atomic::Nand(false),
        "nand_and_fetch" => Atomic::Nand(true),
        "lock_test_and_set" => Atomic::Exchange,
        "val_compare_and_swap" => Atomic::Compare(false),
        "bool_compare_and_swap" => Atomic::Compare(true),
        _ => match (name.strip_prefix("fetch_and_"), name.strip_suffix("_and_fetch")) {
            (Some(name), _) => Atomic::Combine(operation(name)?, false),
            (_, Some(name)) => Atomic::Combine(operation(name)?, true),
            _ => return None,
        },
    })
}

/// Whether a function of this name changes an object and gives its old or new value.
pub(crate) fn combines(name: &str) -> bool {
    atomic_operation(name).is_some()
}

/// Whether a function of this name writes where its arguments point to, and the translation knows what.
pub fn writes_through_pointers(name: &str) -> bool {
    let moves = super::atomics::movement(name).is_some();
    moves
        || atomic_operation(name).is_some()
        || checked_operation(name).is_some_and(|(_, only_tells)| !only_tells)
        || mathematics::writes_through_pointers(name)
}

/// How much there is behind an address that a compiler knows: up to the end of the whole object, and up to that of the innermost
/// member or array.
#[derive(Clone, Copy)]
struct Remaining {
    whole: i128,
    part: i128,
}

impl Translator<'_> {
    /// `__builtin_object_size`: a constant of the compiler, which evaluates nothing. Where even a compiler that does not optimise
    /// knows the object, so do we; elsewhere it depends on the compiler.
    pub(super) fn object_size_call(&mut self, name: &str, ty: TypeId, arguments: &[ExprId]) -> Result<Value> {
        let &[pointer, which] = arguments else {
            return Err(self.unsupported(format!("`{name}` with these arguments")));
        };
        let ExprKind::Int(which @ 0..=3) = self.tree.exprs[which].kind else {
            return Err(self.unsupported(format!("`{name}` with this second argument")));
        };
        let Some(Remaining { whole, part }) = self.remaining(pointer) else {
            return match self.tree.types[ty] {
                Type::Void => Ok(Value::Void),
                _ => self.unknown_value(ty, name),
            };
        };
        let bytes = if which % 2 == 0 { whole } else { part }.max(0);
        Ok(Value::Int(self.int(bytes), Interval::exactly(bytes)))
    }

    /// What there is behind an address.
    fn remaining(&self, pointer: ExprId) -> Option<Remaining> {
        match self.tree.exprs[pointer].kind {
            ExprKind::Convert(inner) if self.tree.types.pointee(self.tree.exprs[inner].ty).is_some() => {
                self.remaining(inner)
            }
            ExprKind::AddressOf(place) => self.remaining_of_place(place),
            _ => None,
        }
    }

    fn remaining_of_place(&self, place: ExprId) -> Option<Remaining> {
        let (tree, node) = (self.tree, &self.tree.exprs[place]);
        let size = i128::from(tree.types.size(node.ty)?);
        match node.kind {
            ExprKind::Variable(_) | ExprKind::Text(_) | ExprKind::CompoundLiteral(..) => {
                Some(Remaining { whole: size, part: size })
            }
            ExprKind::Member(inner, index) => {
                let Type::Record(record) = tree.types[tree.exprs[inner].ty] else { return None };
                let offset = i128::from(tree.types.field(record, index)?.bit_offset / 8);
                let Remaining { whole, .. } = self.remaining_of_place(inner)?;
                Some(Remaining { whole: whole - offset, part: size })
            }
            ExprKind::Index(array, index) => {
                let ExprKind::Int(index @ 0..) = tree.exprs[index].kind else { return None };
                let Remaining { whole, part } = self.remaining_of_place(array)?;
                Some(Remaining { whole: whole - index * size, part: part - index * size })
            }
            _ => None,
        }
    }

    /// A call of one of these functions; nothing if it is none.
    pub(super) fn builtin_call(
        &mut self,
        name: &str,
        arguments: &[ExprId],
        values: &[Value],
    ) -> Result<Option<Value>> {
        if let (Some((op, only_tells)), [Value::Int(left, a), Value::Int(right, b), target]) =
            (checked_operation(name), values)
        {
            let (exact, interval) = match op {
                BinaryOp::Add => (self.add(*left, *right), a.add(*b)),
                BinaryOp::Sub => (self.subtract(*left, *right), a.subtract(*b)),
                _ => (self.multiply(*left, *right), a.multiply(*b)),
            };
            let exact = self.freeze(exact);
            let third = self.tree.exprs[arguments[2]].ty;
            let to = if only_tells { Some(third) } else { self.tree.types.pointee(third) };
            let Some((ty, kind)) = to.and_then(|ty| Some((ty, self.tree.types.int_kind(ty)?))) else {
                return Err(self.unsupported(format!("`{name}` on this type")));
            };
            let range = Interval::of(&self.tree.types, kind);
            let inside = self.between(exact, range.low, range.high);
            if !only_tells {
                let place = self.pointed_place(target, arguments[2])?;
                let wrapped = self.fit(exact, interval, kind)?;
                self.write(&place, ty, &wrapped)?;
            }
            let outside = self.not(inside);
            return Ok(Some(self.int_of_truth(outside)));
        }
        if super::atomics::movement(name).is_some() || atomic_operation(name).is_some() {
            self.check_order(name, values)?;
        }
        if let Some(value) = self.atomic_movement(name, arguments, values)? {
            return Ok(Some(value));
        }
        if let (Some(operation), [pointer, operands @ ..]) = (atomic_operation(name), values) {
            let target = (arguments[0], pointer);
            return self.uninterrupted(|this| this.atomic(operation, target, operands)).map(Some);
        }
        Ok(None)
    }

    fn atomic(
        &mut self,
        operation: Atomic,
        (argument, pointer): (ExprId, &Value),
        operands: &[Value],
    ) -> Result<Value> {
        let pointee = self.tree.types.pointee(self.tree.exprs[argument].ty);
        let Some((ty, kind)) = pointee.and_then(|ty| Some((ty, self.tree.types.int_kind(ty)?))) else {
            return Err(self.unsupported("an atomic operation on something that is no integer"));
        };
        let mut converted = Vec::new();
        for operand in operands.iter().take(2) {
            let &Value::Int(expr, interval) = operand else {
                return Err(self.unsupported("an atomic operation with something that is no integer"));
            };
            converted.push(self.fit(expr, interval, kind)?);
        }
        let place = self.pointed_place(pointer, argument)?;
        let old = self.read(&place, ty)?;
        let old = self.freeze_value(old);
        let (&Value::Int(before, a), Some(&Value::Int(operand, b))) = (&old, converted.first()) else {
            return Err(self.unsupported("an atomic operation without an operand"));
        };
        match operation {
            Atomic::Combine(op, gives_new) => {
                let new = match op {
                    BinaryOp::Add => {
                        let sum = self.add(before, operand);
                        self.fit(sum, a.add(b), kind)?
                    }
                    BinaryOp::Sub => {
                        let difference = self.subtract(before, operand);
                        self.fit(difference, a.subtract(b), kind)?
                    }
                    _ => self.bitwise(op, kind, (before, a), (operand, b))?,
                };
                self.update(&place, ty, new, old, gives_new)
            }
            Atomic::Nand(gives_new) => {
                let Value::Int(both, interval) =
                    self.bitwise(BinaryOp::BitAnd, kind, (before, a), (operand, b))?
                else {
                    return Err(self.unsupported("an atomic operation on something that is no integer"));
                };
                let new = self.complemented((both, interval), kind);
                self.update(&place, ty, new, old, gives_new)
            }
            Atomic::Exchange => self.update(&place, ty, converted[0].clone(), old, false),
            Atomic::Compare(gives_truth) => {
                let Some(&Value::Int(wanted, c)) = converted.get(1) else {
                    return Err(self.unsupported("a comparison without a new value"));
                };
                let same = self.equal(before, operand);
                let same = self.freeze(same);
                let new = self.ite(same, wanted, before);
                self.write(&place, ty, &Value::Int(new, a.hull(c)))?;
                Ok(if gives_truth { self.int_of_truth(same) } else { old })
            }
        }
    }

    fn update(
        &mut self,
        place: &Place,
        ty: TypeId,
        new: Value,
        old: Value,
        gives_new: bool,
    ) -> Result<Value> {
        let new = self.freeze_value(new);
        self.write(place, ty, &new)?;
        Ok(if gives_new { new } else { old })
    }

    /// The object that a pointer points to, whatever it is a part of.
    pub(super) fn pointed_place(&mut self, pointer: &Value, argument: ExprId) -> Result<Place> {
        let &Value::Pointer(base, offset) = pointer else {
            return Err(self.unsupported("memory without a pointer"));
        };
        let class = self.analyses.classes.class(argument);
        Ok(Place::Memory { base, offset, class, key: Key::Any, bits: 0, inside: None })
    }
}
