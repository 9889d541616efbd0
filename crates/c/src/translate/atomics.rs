//! Atomic functions that move values: `__atomic_load_n` and the like, and those of `<stdatomic.h>`.
//!
//! Memory is sequentially consistent here. A call that asks for a weaker order of memory accesses is refused in a program with threads,
//! as the program may then do more than is looked at; fences only take executions away, so they are nothing here.

use super::threads::Accesses;
use super::values::Value;
use super::{Result, Translator};
use crate::tree::{ExprId, ExprKind};
use crate::types::{Type, TypeId};

/// Where the operands of an atomic function are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// The value is an argument, or the result.
    Value,
    /// An argument points to the value.
    Pointer,
}

/// What an atomic function does with an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Movement {
    /// Reads it.
    Load(Form),
    /// Writes it.
    Store(Form),
    /// Writes it and gives the old value.
    Exchange(Form),
    /// Writes it if it is as expected, else says what it is.
    CompareExchange(Form),
    /// Sets a flag and tells whether it was set.
    TestAndSet,
    /// Resets a flag.
    Clear,
    /// Nothing.
    Fence,
}

/// The function of a name, without what it says about the order of memory accesses.
pub(crate) fn movement(name: &str) -> Option<Movement> {
    use Form::{Pointer, Value};
    if let Some(name) = name.strip_prefix("__atomic_") {
        return Some(match name {
            "load_n" => Movement::Load(Value),
            "load" => Movement::Load(Pointer),
            "store_n" => Movement::Store(Value),
            "store" => Movement::Store(Pointer),
            "exchange_n" => Movement::Exchange(Value),
            "exchange" => Movement::Exchange(Pointer),
            "compare_exchange_n" => Movement::CompareExchange(Value),
            "compare_exchange" => Movement::CompareExchange(Pointer),
            "test_and_set" => Movement::TestAndSet,
            "clear" => Movement::Clear,
            "thread_fence" | "signal_fence" => Movement::Fence,
            _ => return None,
        });
    }
    let name = name.strip_prefix("atomic_")?;
    Some(match name.strip_suffix("_explicit").unwrap_or(name) {
        "load" => Movement::Load(Value),
        "store" | "init" => Movement::Store(Value),
        "exchange" => Movement::Exchange(Value),
        "compare_exchange_strong" | "compare_exchange_weak" => Movement::CompareExchange(Value),
        "flag_test_and_set" => Movement::TestAndSet,
        "flag_clear" => Movement::Clear,
        "thread_fence" | "signal_fence" => Movement::Fence,
        _ => return None,
    })
}

/// How the result of an atomic function is related to its first argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gives {
    /// It is what the argument points to.
    Pointee,
    /// It is a truth value.
    Truth,
    /// There is none.
    Nothing,
}

/// What an atomic function gives, if it is one that is known.
pub(crate) fn gives(name: &str) -> Option<Gives> {
    match movement(name) {
        Some(Movement::Load(Form::Value) | Movement::Exchange(Form::Value)) => Some(Gives::Pointee),
        Some(Movement::CompareExchange(_) | Movement::TestAndSet) => Some(Gives::Truth),
        Some(_) => Some(Gives::Nothing),
        None => {
            let combines = !name.starts_with("__sync_") && super::builtins::combines(name);
            combines.then_some(Gives::Pointee)
        }
    }
}

/// `__ATOMIC_SEQ_CST` and `memory_order_seq_cst`
const SEQUENTIAL: i128 = 5;

/// Where an atomic function says which order of memory accesses it asks for; nowhere if it asks for the strongest.
fn orders(name: &str) -> &'static [usize] {
    let Some(plain) = name.strip_prefix("__atomic_").or_else(|| name.strip_suffix("_explicit")) else {
        return &[];
    };
    let is_builtin = name.starts_with("__atomic_");
    match plain.trim_start_matches("atomic_") {
        "thread_fence" | "signal_fence" => &[],
        "load_n" | "test_and_set" | "clear" | "flag_test_and_set" | "flag_clear" => &[1],
        "load" if !is_builtin => &[1],
        "exchange" if is_builtin => &[3],
        "compare_exchange" | "compare_exchange_n" => &[4, 5],
        "compare_exchange_strong" | "compare_exchange_weak" => &[3, 4],
        _ => &[2],
    }
}

impl Translator<'_> {
    /// Refuses an order of memory accesses that is weaker than a sequential one, where threads could see the difference.
    pub(super) fn check_order(&mut self, name: &str, values: &[Value]) -> Result<()> {
        if !self.threads.concurrent {
            return Ok(());
        }
        if name.starts_with("__sync_lock_") {
            return Err(self.unsupported(format!("the weak order of memory accesses of `{name}`")));
        }
        for &position in orders(name) {
            let order = match values.get(position) {
                Some(&Value::Int(order, _)) => self.literal(order),
                _ => None,
            };
            if order != Some(SEQUENTIAL) {
                return Err(self.unsupported("an order of memory accesses other than `memory_order_seq_cst`"));
            }
        }
        Ok(())
    }

    /// A call of one of these functions; nothing if it is none.
    pub(super) fn atomic_movement(
        &mut self,
        name: &str,
        arguments: &[ExprId],
        values: &[Value],
    ) -> Result<Option<Value>> {
        let Some(movement) = movement(name) else { return Ok(None) };
        let few = |this: &mut Self| this.unsupported(format!("`{name}` with too few arguments"));
        if movement == Movement::Fence {
            return Ok(Some(Value::Void));
        }
        let (Some(&argument), Some(pointer)) = (arguments.first(), values.first()) else {
            return Err(few(self));
        };
        let ty = self.pointee_of(argument)?;
        // Reads through another argument, or takes it and converts it.
        let given = |this: &mut Self, position: usize, form: Form| -> Result<Value> {
            let (Some(&argument), Some(value)) = (arguments.get(position), values.get(position)) else {
                return Err(few(this));
            };
            match form {
                Form::Value => {
                    let from = this.tree.exprs[argument].ty;
                    this.converted(value.clone(), from, ty)
                }
                Form::Pointer => {
                    let from = this.pointee_of(argument)?;
                    let place = this.pointed_place(value, argument)?;
                    let read = this.read(&place, from)?;
                    let read = this.settled(read);
                    this.converted(read, from, ty)
                }
            }
        };
        let place = self.pointed_place(pointer, argument)?;
        match movement {
            Movement::Load(form) => {
                let value = self.accessing(Accesses::Atomic, |this| {
                    let value = this.read(&place, ty)?;
                    Ok(this.freeze_value(value))
                })?;
                if form == Form::Value {
                    return Ok(Some(value));
                }
                self.write_back(arguments, values, 1, (ty, &value))?;
                Ok(Some(Value::Void))
            }
            Movement::Store(form) => {
                let value = given(self, 1, form)?;
                self.accessing(Accesses::Atomic, |this| this.write(&place, ty, &value))?;
                Ok(Some(Value::Void))
            }
            Movement::Exchange(form) => {
                let new = given(self, 1, form)?;
                let new = self.freeze_value(new);
                let old = self.uninterrupted(|this| {
                    let old = this.read(&place, ty)?;
                    let old = this.freeze_value(old);
                    this.write(&place, ty, &new)?;
                    Ok(old)
                })?;
                if form == Form::Value {
                    return Ok(Some(old));
                }
                self.write_back(arguments, values, 2, (ty, &old))?;
                Ok(Some(Value::Void))
            }
            Movement::CompareExchange(form) => {
                let expected = given(self, 1, Form::Pointer)?;
                let expected = self.freeze_value(expected);
                let weak = match name.starts_with("__atomic_") {
                    true => {
                        !matches!(values.get(3), Some(&Value::Int(weak, _)) if self.literal(weak) == Some(0))
                    }
                    false => name.contains("_weak"),
                };
                // A weak one may fail although the object is as expected.
                let succeeds = if weak { self.any_truth() } else { self.truth(true) };
                let desired = given(self, 2, form)?;
                let desired = self.freeze_value(desired);
                let (old, same) = self.uninterrupted(|this| {
                    let old = this.read(&place, ty)?;
                    let old = this.freeze_value(old);
                    let same = this.same(&old, &expected)?;
                    let same = this.and(same, succeeds);
                    let same = this.freeze(same);
                    let new = this.one_of(same, &desired, &old)?;
                    this.write(&place, ty, &new)?;
                    Ok((old, same))
                })?;
                let seen = self.one_of(same, &expected, &old)?;
                self.write_back(arguments, values, 1, (ty, &seen))?;
                Ok(Some(self.int_of_truth(same)))
            }
            Movement::TestAndSet => {
                let Some(kind) = self.tree.types.int_kind(ty) else {
                    return Err(self.unsupported("a flag that is no integer"));
                };
                let one = self.int(1);
                let set = self.fit(one, super::numbers::Interval::exactly(1), kind)?;
                let old = self.uninterrupted(|this| {
                    let old = this.read(&place, ty)?;
                    let old = this.freeze_value(old);
                    this.write(&place, ty, &set)?;
                    Ok(old)
                })?;
                let truth = self.truth_of(&old)?;
                Ok(Some(self.int_of_truth(truth)))
            }
            Movement::Clear => {
                let zero = self.zero(ty)?;
                self.accessing(Accesses::Atomic, |this| this.write(&place, ty, &zero))?;
                Ok(Some(Value::Void))
            }
            Movement::Fence => Ok(Some(Value::Void)),
        }
    }

    /// Writes through an argument.
    fn write_back(
        &mut self,
        arguments: &[ExprId],
        values: &[Value],
        position: usize,
        (ty, value): (TypeId, &Value),
    ) -> Result<()> {
        let (Some(&argument), Some(pointer)) = (arguments.get(position), values.get(position)) else {
            return Err(self.unsupported("an atomic function with too few arguments"));
        };
        let to = self.pointee_of(argument)?;
        let value = self.converted(value.clone(), ty, to)?;
        let place = self.pointed_place(pointer, argument)?;
        self.write(&place, to, &value)
    }

    /// The scalar type that an argument points to.
    fn pointee_of(&mut self, argument: ExprId) -> Result<TypeId> {
        let mut expr = argument;
        loop {
            match self.tree.types.pointee(self.tree.exprs[expr].ty) {
                Some(to) if self.tree.types.is_scalar(to) => return Ok(to),
                Some(to) if matches!(self.tree.types[to], Type::Void) => match self.tree.exprs[expr].kind {
                    ExprKind::Convert(inner) => expr = inner,
                    _ => break,
                },
                _ => break,
            }
        }
        Err(self.unsupported("an atomic operation on something that is no scalar"))
    }

    fn same(&mut self, left: &Value, right: &Value) -> Result<ir::Expr> {
        let (left, right) = (self.all_components(left), self.all_components(right));
        let mut all = self.truth(true);
        for (left, right) in left.into_iter().flatten().zip(right.into_iter().flatten()) {
            let one = self.equal(left, right);
            all = self.and(all, one);
        }
        Ok(all)
    }

    fn one_of(&mut self, condition: ir::Expr, then: &Value, otherwise: &Value) -> Result<Value> {
        Ok(match (then, otherwise) {
            (Value::Int(a, x), Value::Int(b, y)) => Value::Int(self.ite(condition, *a, *b), x.hull(*y)),
            (Value::Pointer(a, x), Value::Pointer(b, y)) => {
                Value::Pointer(self.ite(condition, *a, *b), self.ite(condition, *x, *y))
            }
            _ => return Err(self.unsupported("an atomic comparison of something that is no integer")),
        })
    }
}
