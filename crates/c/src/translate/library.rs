//! Functions without a body: models of the C library where one exists.
//!
//! A function that has no model is unsupported if it gets pointers, as it may change what they point to. Without
//! pointers, its result is arbitrary, on a marked statement.

use super::numbers::Interval;
use super::values::Value;
use super::{Result, Translator};
use crate::tree::{ExprId, ExprKind, FuncId};
use crate::types::{IntKind, Type, TypeId};
use ir::Expr;

/// Functions that only look at what their arguments point to, or print it.
const HARMLESS: &[&str] = &[
    "printf",
    "fprintf",
    "puts",
    "putchar",
    "putc",
    "fputs",
    "fputc",
    "fflush",
    "perror",
    "vprintf",
    "vfprintf",
    "free",
    "srand",
    "__builtin_free",
    "__builtin_printf",
    "__builtin_puts",
    "__builtin_putchar",
    "fclose",
    "__builtin_prefetch",
    "kfree",
    "printk",
    "va_end",
    "__builtin_va_end",
    "usleep",
    "sleep",
    "cfree",
];

impl Translator<'_> {
    pub(super) fn library_call(
        &mut self,
        name: &str,
        call: ExprId,
        function: FuncId,
        arguments: &[ExprId],
    ) -> Result<Value> {
        let tree = self.tree;
        let span = self.at;
        let ty = tree.exprs[call].ty;
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        if plain.starts_with("pthread_") {
            return Err(self.unsupported(format!("threads (`{name}`)")));
        }
        if matches!(plain, "setjmp" | "_setjmp" | "longjmp" | "sigsetjmp" | "atexit" | "signal") {
            return Err(self.unsupported(format!("`{name}`")));
        }
        let values = self.argument_values(arguments)?;
        self.at = span;
        match (plain, &values[..]) {
            ("malloc" | "alloca" | "kmalloc" | "valloc", _) => self.allocation(call, false),
            ("calloc" | "kzalloc", _) => self.allocation(call, true),
            ("expect" | "assume_aligned", [value, ..]) => Ok(value.clone()),
            ("abs" | "labs" | "llabs", [Value::Int(expr, interval)]) => {
                let number = (self.freeze(*expr), *interval);
                let kind = tree.types.int_kind(ty).unwrap_or(IntKind::Int);
                let zero = self.int(0);
                let negative = self.compare(ir::BinaryOp::Less, number.0, zero);
                let same = Value::Int(number.0, number.1);
                self.choose(negative, ty, |this| this.negated(number, kind), |_| Ok(same))
            }
            ("memset", [Value::Pointer(base, offset), Value::Int(byte, _), Value::Int(size, _)]) => {
                let (base, offset, byte, size) = (*base, *offset, *byte, *size);
                self.fill_memory(arguments[0], (base, offset), byte, size)?;
                Ok(values[0].clone())
            }
            ("memcpy" | "memmove", [Value::Pointer(..), Value::Pointer(..), Value::Int(size, _)]) => {
                let size = *size;
                self.copy_memory((arguments[0], &values[0]), (arguments[1], &values[1]), size)?;
                Ok(values[0].clone())
            }
            _ if HARMLESS.contains(&name) => {
                if matches!(tree.types[ty], Type::Void) {
                    return Ok(Value::Void);
                }
                self.unknown_value(ty, name)
            }
            _ => self.unknown_call(name, function, call, arguments),
        }
    }

    /// A call of a function of which nothing is known.
    fn unknown_call(
        &mut self,
        name: &str,
        function: FuncId,
        call: ExprId,
        arguments: &[ExprId],
    ) -> Result<Value> {
        let tree = self.tree;
        for &argument in arguments {
            let null = matches!(tree.exprs[argument].kind, ExprKind::Int(0));
            let text = self.is_text(argument);
            if super::classes::holds_pointers(&tree.types, tree.exprs[argument].ty) && !null && !text {
                return Err(self.unsupported(format!("`{name}`, which has no body and gets a pointer")));
            }
        }
        if tree.functions[function].noreturn {
            self.stop();
            return self.dead_value(tree.exprs[call].ty);
        }
        let ty = tree.exprs[call].ty;
        match tree.types[ty] {
            Type::Void => Ok(Value::Void),
            _ if tree.types.is_arithmetic(ty) => self.unknown_value(ty, name),
            _ => {
                Err(self.unsupported(format!("`{name}`, which has no body and returns a pointer or struct")))
            }
        }
    }

    /// Whether an argument is a string literal.
    fn is_text(&self, argument: ExprId) -> bool {
        let mut expr = argument;
        loop {
            match self.tree.exprs[expr].kind {
                ExprKind::Convert(inner) | ExprKind::AddressOf(inner) => expr = inner,
                ExprKind::Text(_) => return true,
                _ => return false,
            }
        }
    }

    /// A new object. Its contents are arbitrary, as nothing was ever written there, or zero.
    fn allocation(&mut self, call: ExprId, zero: bool) -> Result<Value> {
        let base = self.temporary(ir::Type::INT);
        self.allocate_into(base);
        let base = self.var(base);
        if zero {
            let class = self.classes.class(call);
            self.reset_memory(base, class, true)?;
        }
        let offset = self.int(0);
        Ok(Value::Pointer(base, offset))
    }

    /// The pointer before it was converted to `void *`, with what it points to.
    fn pointed_type(&self, argument: ExprId) -> Option<TypeId> {
        let mut expr = argument;
        loop {
            let to = self.tree.types.pointee(self.tree.exprs[expr].ty)?;
            if !matches!(self.tree.types[to], Type::Void) {
                return Some(to);
            }
            match self.tree.exprs[expr].kind {
                ExprKind::Convert(inner) => expr = inner,
                _ => return None,
            }
        }
    }

    /// How many objects of a type make a constant number of bytes; few enough to be handled one by one.
    fn whole_objects(&mut self, ty: TypeId, size: Expr) -> Result<u64> {
        let size = self.literal(size).and_then(|size| u64::try_from(size).ok());
        let object = self.tree.types.size(ty).filter(|&object| object > 0);
        match (size, object) {
            (Some(size), Some(object)) if size % object == 0 && size / object <= 256 => Ok(size / object),
            _ => Err(self.unsupported("a memory function on a size that is not a few whole objects")),
        }
    }

    fn fill_memory(
        &mut self,
        argument: ExprId,
        (base, offset): (Expr, Expr),
        byte: Expr,
        size: Expr,
    ) -> Result<()> {
        let Some(ty) = self.pointed_type(argument) else {
            return Err(self.unsupported("`memset` through a pointer to nothing in particular"));
        };
        let bytes = self.tree.types.int_kind(ty).is_some_and(|kind| kind.size(self.tree.types.model) == 1);
        let value = if self.literal(byte) == Some(0) {
            self.zero(ty)?
        } else if let (true, Some(kind)) = (bytes, self.tree.types.int_kind(ty)) {
            self.fit(byte, Interval { low: i128::MIN, high: i128::MAX }, kind)?
        } else {
            return Err(self.unsupported("`memset` with a value other than zero"));
        };
        let count = self.whole_objects(ty, size)?;
        let stride = self.tree.types.size(ty).unwrap_or(1);
        let class = self.classes.class(argument);
        for index in 0..count {
            let bytes = self.int(index * stride);
            let at = self.add(offset, bytes);
            let place = super::places::Place::Memory {
                base,
                offset: at,
                class,
                key: super::classes::Key::Any,
                bits: 0,
            };
            self.write(&place, ty, &value)?;
        }
        Ok(())
    }

    fn copy_memory(&mut self, to: (ExprId, &Value), from: (ExprId, &Value), size: Expr) -> Result<()> {
        let (Some(target), Some(source)) = (self.pointed_type(to.0), self.pointed_type(from.0)) else {
            return Err(self.unsupported("`memcpy` through a pointer to nothing in particular"));
        };
        if target != source {
            return Err(self.unsupported("`memcpy` between different types"));
        }
        let count = self.whole_objects(target, size)?;
        let stride = self.tree.types.size(target).unwrap_or(1);
        let class = self.classes.class(to.0);
        let mut values = Vec::new();
        for index in 0..count {
            let place = self.object_at(from.1, class, index * stride)?;
            values.push(self.read(&place, target)?);
        }
        for (index, value) in values.iter().enumerate() {
            let place = self.object_at(to.1, class, index as u64 * stride)?;
            self.write(&place, target, value)?;
        }
        Ok(())
    }

    fn object_at(
        &mut self,
        pointer: &Value,
        class: super::classes::Class,
        bytes: u64,
    ) -> Result<super::places::Place> {
        let Value::Pointer(base, offset) = *pointer else {
            return Err(self.unsupported("memory without a pointer"));
        };
        let bytes = self.int(bytes);
        let offset = self.add(offset, bytes);
        Ok(super::places::Place::Memory { base, offset, class, key: super::classes::Key::Any, bits: 0 })
    }
}
