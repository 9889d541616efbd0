//! Functions without a body: models of the C library where one exists.
//!
//! A function that has no model is unsupported if it gets pointers, as it may change what they point to. Without
//! pointers, its result is arbitrary: on a marked statement for a function of the C library, which is not arbitrary in
//! truth; and as an input for a function that somebody else defines.

use super::numbers::Interval;
use super::values::Value;
use super::{Result, Translator};
use crate::preprocess::declares;
use crate::tree::{ExprId, ExprKind, FuncId, TextId};
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
    "srand",
    "__builtin_printf",
    "__builtin_puts",
    "__builtin_putchar",
    "fclose",
    "__builtin_prefetch",
    "printk",
    "va_end",
    "__builtin_va_end",
    "usleep",
    "sleep",
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
        let span = self.expression.at;
        let dropped = std::mem::take(&mut self.expression.dropped);
        let ty = if dropped { tree.types.void } else { tree.exprs[call].ty };
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        if plain.starts_with("pthread_")
            && let Some(value) = self.thread_call(plain, arguments)?
        {
            return Ok(value);
        }
        if matches!(plain, "setjmp" | "_setjmp" | "longjmp" | "sigsetjmp" | "atexit" | "signal") {
            return Err(self.unsupported(format!("`{name}`")));
        }
        let values = self.argument_values(arguments)?;
        self.expression.at = span;
        if let Some(value) = self.builtin_call(name, arguments, &values)? {
            return Ok(value);
        }
        if let Some(value) = self.mathematical_call(name, ty, arguments, &values)? {
            return Ok(value);
        }
        match (plain, &values[..]) {
            ("malloc" | "kmalloc" | "valloc" | "__VERIFIER_alloc", [Value::Int(size, _), ..]) => {
                let size = self.share(*size);
                self.allocation(call, Some(size), false)
            }
            ("alloca", [Value::Int(size, _)]) => {
                let size = self.share(*size);
                self.stack_allocation(size)
            }
            ("aligned_alloc" | "memalign", [_, Value::Int(size, _)]) => {
                let size = self.share(*size);
                self.allocation(call, Some(size), false)
            }
            ("realloc", [old @ Value::Pointer(..), Value::Int(size, _)]) => {
                let (old, size) = (self.pointed(arguments[0], old)?, *size);
                self.reallocation(call, old, size)
            }
            ("free" | "cfree" | "kfree", [pointer @ Value::Pointer(..)]) => {
                self.free(pointer)?;
                Ok(Value::Void)
            }
            ("scanf" | "fscanf" | "__isoc99_scanf" | "__isoc99_fscanf", _) => {
                let skipped = if plain.ends_with("fscanf") { 2 } else { 1 };
                self.only_numbers(arguments.get(skipped - 1).copied())?;
                self.scan(arguments.get(skipped..).unwrap_or(&[]), values.get(skipped..).unwrap_or(&[]))?;
                self.result_unless_void(ty, name)
            }
            ("calloc", [Value::Int(count, _), Value::Int(size, _)]) => {
                let size = self.multiply(*count, *size);
                let size = self.share(size);
                self.allocation(call, Some(size), true)
            }
            ("kzalloc", [Value::Int(size, _), ..]) => {
                let size = self.share(*size);
                self.allocation(call, Some(size), true)
            }
            ("expect" | "assume_aligned", [value, ..]) => Ok(value.clone()),
            ("abs" | "labs" | "llabs", [Value::Int(expr, interval)]) => {
                let number = (self.freeze(*expr), *interval);
                let kind = tree.types.int_kind(ty).unwrap_or(IntKind::Int);
                let zero = self.int(0);
                let negative = self.compare(ir::BinaryOp::Less, number.0, zero);
                let same = Value::Int(number.0, number.1);
                self.choose(negative, ty, |this| this.negated(number, kind), |_| Ok(same))
            }
            ("memset", [to @ Value::Pointer(..), Value::Int(byte, _), Value::Int(size, _)]) => {
                let (to, byte, size) = (self.pointed(arguments[0], to)?, *byte, *size);
                self.fill_memory(to, byte, size)?;
                Ok(values[0].clone())
            }
            (
                "memcpy" | "memmove" | "mempcpy",
                [to @ Value::Pointer(..), from @ Value::Pointer(..), Value::Int(size, _)],
            ) => {
                let (to, from) = (self.pointed(arguments[0], to)?, self.pointed(arguments[1], from)?);
                let size = self.share(*size);
                self.copy_memory(to, from, size)?;
                if plain == "mempcpy" {
                    let end = self.add(to.offset, size);
                    return Ok(Value::Pointer(to.base, end));
                }
                Ok(values[0].clone())
            }
            ("rand" | "random" | "lrand48", _) | ("getchar", _) | ("clock", _) | ("time", []) if !dropped => {
                self.environment(ty, name)
            }
            ("time", [Value::Pointer(base, _)]) if !dropped && self.literal(*base) == Some(0) => {
                self.environment(ty, name)
            }
            ("va_start" | "va_end" | "va_copy", _) => Err(self.unsupported(format!("`{name}`"))),
            (_, &[Value::Int(expr, interval)]) if self.counts_bits(plain) && !dropped => {
                let kind = tree.types.int_kind(tree.exprs[arguments[0]].ty).unwrap_or(IntKind::UnsignedInt);
                self.bit_count(plain, (expr, interval), kind)
            }
            _ if HARMLESS.contains(&name) => self.result_unless_void(ty, name),
            _ => self.unknown_call(name, function, ty, arguments),
        }
    }

    /// A call of a function of which nothing is known.
    fn unknown_call(
        &mut self,
        name: &str,
        function: FuncId,
        ty: TypeId,
        arguments: &[ExprId],
    ) -> Result<Value> {
        let tree = self.tree;
        for &argument in arguments {
            let null = matches!(tree.exprs[argument].kind, ExprKind::Int(0));
            let text = self.text_of(argument).is_some();
            if super::classes::holds_pointers(&tree.types, tree.exprs[argument].ty) && !null && !text {
                return Err(self.unsupported(format!("`{name}`, which has no body and gets a pointer")));
            }
        }
        if tree.functions[function].noreturn {
            self.stop();
            return self.dead_value(ty);
        }
        let floats = |ty| tree.types.is_arithmetic(ty) && tree.types.int_kind(ty).is_none();
        let calculates = floats(ty) || arguments.iter().any(|&argument| floats(tree.exprs[argument].ty));
        match tree.types[ty] {
            Type::Void => Ok(Value::Void),
            // The library's own functions have a meaning, even if it is not modelled; mathematics goes by many names.
            _ if tree.types.is_arithmetic(ty) && (declares(name) || is_reserved(name) || calculates) => {
                self.unknown_value(ty, name)
            }
            // The program is open: whoever defines the function may let it return anything.
            _ if tree.types.is_arithmetic(ty) => self.environment(ty, name),
            _ => {
                Err(self.unsupported(format!("`{name}`, which has no body and returns a pointer or struct")))
            }
        }
    }

    /// What the environment answers, which is no negative number where the program asks for randomness.
    fn environment(&mut self, ty: TypeId, name: &str) -> Result<Value> {
        let value = self.input(ty, name)?;
        let lowest = match name {
            "rand" | "random" | "lrand48" => 0,
            "getchar" => -1,
            _ => return Ok(value),
        };
        let Value::Int(expr, interval) = value else { return Ok(value) };
        let high = if name == "getchar" { 255 } else { i128::from(i32::MAX) };
        let inside = self.between(expr, lowest, high);
        self.assume(inside);
        Ok(Value::Int(expr, Interval { low: interval.low.max(lowest), high: interval.high.min(high) }))
    }

    /// The string literal that an argument is.
    pub(super) fn text_of(&self, argument: ExprId) -> Option<TextId> {
        let mut expr = argument;
        loop {
            match self.tree.exprs[expr].kind {
                ExprKind::Convert(inner) | ExprKind::AddressOf(inner) => expr = inner,
                ExprKind::Text(text) => return Some(text),
                _ => return None,
            }
        }
    }

    /// An arbitrary result, on a marked statement.
    fn result_unless_void(&mut self, ty: TypeId, name: &str) -> Result<Value> {
        if matches!(self.tree.types[ty], Type::Void) { Ok(Value::Void) } else { self.unknown_value(ty, name) }
    }

    /// `scanf`: every object that an argument points to gets an arbitrary value.
    fn scan(&mut self, arguments: &[ExprId], values: &[Value]) -> Result<()> {
        for (&argument, pointer) in arguments.iter().zip(values) {
            let Some(ty) = super::classes::pointed_type(self.tree, argument) else {
                return Err(self.unsupported("`scanf` through a pointer to nothing in particular"));
            };
            if !self.tree.types.is_arithmetic(ty) {
                return Err(self.unsupported("`scanf` into something that is no number"));
            }
            let value = self.unknown_value(ty, "scanf")?;
            let class = self.analyses.classes.class(argument);
            let place = self.object_at(pointer, class, 0)?;
            self.write(&place, ty, &value)?;
        }
        Ok(())
    }

    /// Fails unless a format asks for numbers only: a string would be written behind its first character.
    fn only_numbers(&mut self, format: Option<ExprId>) -> Result<()> {
        let text = format.and_then(|format| self.text_of(format));
        let units = text.map(|text| self.tree.texts[text].as_slice()).unwrap_or(&[]);
        let mut conversion = false;
        let mut numbers = !units.is_empty();
        for character in units.iter().filter_map(|&unit| char::from_u32(unit)) {
            if !conversion {
                conversion = character == '%';
            } else if matches!(character, 's' | 'S' | 'c' | 'C' | '[' | '*' | 'p' | 'n') {
                numbers = false;
            } else if character == '%' || character.is_ascii_alphabetic() && !"hlLqjzt".contains(character) {
                conversion = false;
            }
        }
        if numbers { Ok(()) } else { Err(self.unsupported("`scanf` of something that is no number")) }
    }

    fn counts_bits(&self, name: &str) -> bool {
        let stem = name.trim_end_matches('l');
        matches!(stem, "ffs" | "clz" | "ctz" | "popcount" | "parity") || name.starts_with("bswap")
    }

    /// Bit counts and byte swaps, exactly, by powers of two.
    fn bit_count(&mut self, name: &str, (value, interval): (Expr, Interval), kind: IntKind) -> Result<Value> {
        let width = kind.width(self.tree.types.model);
        let value = match self.fit(value, interval, kind.to_unsigned())? {
            Value::Int(value, _) => self.share(value),
            _ => return Err(self.unsupported("bits of something that is no integer")),
        };
        let stem = name.trim_end_matches('l');
        let zero = self.int(0);
        let bits = Interval { low: 0, high: width.into() };
        let two = self.int(2);
        let mut result = zero;
        match stem {
            "clz" => {
                // The number of leading zeros is the width minus the position of the highest one.
                for bit in 0..width {
                    let power = self.int(1i128 << bit);
                    let large = self.compare(ir::BinaryOp::GreaterEqual, value, power);
                    let count = self.int(width - 1 - bit);
                    result = self.ite(large, count, result);
                }
            }
            "ctz" | "ffs" => {
                let first = i128::from(stem == "ffs");
                for bit in (0..width).rev() {
                    let power = self.int(1i128 << (bit + 1));
                    let rest = self.modulo(value, power);
                    let below = self.compare(ir::BinaryOp::NotEqual, rest, zero);
                    let count = self.int(i128::from(bit) + first);
                    result = self.ite(below, count, result);
                }
            }
            "popcount" | "parity" => {
                for bit in 0..width {
                    let power = self.int(1i128 << bit);
                    let shifted = self.divide_floor(value, power);
                    let one = self.modulo(shifted, two);
                    result = self.add(result, one);
                }
                if stem == "parity" {
                    result = self.modulo(result, two);
                }
            }
            _ => {
                let bytes = width / 8;
                let size = self.int(256);
                for byte in 0..bytes {
                    let power = self.int(1i128 << (8 * byte));
                    let shifted = self.divide_floor(value, power);
                    let one = self.modulo(shifted, size);
                    let weight = self.int(1i128 << (8 * (bytes - 1 - byte)));
                    let part = self.multiply(one, weight);
                    result = self.add(result, part);
                }
                return Ok(Value::Int(result, Interval::of(&self.tree.types, kind.to_unsigned())));
            }
        }
        if !matches!(stem, "clz" | "ctz") {
            return Ok(Value::Int(result, bits));
        }
        // For zero the result is not defined: it may be any.
        let some = self.compare(ir::BinaryOp::NotEqual, value, zero);
        let int = self.tree.types.int;
        self.choose(
            some,
            int,
            |_| Ok(Value::Int(result, bits)),
            |this| {
                let any = this.leaf_variables(int, "#t", |this, name, ty| this.new_local(name, ty))?;
                this.havoc(any.iter().flatten().copied().collect());
                this.read_variables(int, &any)
            },
        )
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

/// Functions of the library, of integers alone, that no built-in header declares but that compute something. What others
/// return (a process, a descriptor, a time) is the environment's choice anyway.
const COMPUTING: &[&str] = &[
    "btowc",
    "bswap_16",
    "bswap_32",
    "bswap_64",
    "feclearexcept",
    "fedisableexcept",
    "feenableexcept",
    "fegetexcept",
    "fegetround",
    "feraiseexcept",
    "fesetround",
    "fetestexcept",
    "ffs",
    "ffsl",
    "ffsll",
    "getpagesize",
    "gnu_dev_major",
    "gnu_dev_makedev",
    "gnu_dev_minor",
    "htonl",
    "htons",
    "imaxabs",
    "isascii",
    "iswalnum",
    "iswalpha",
    "iswblank",
    "iswcntrl",
    "iswdigit",
    "iswgraph",
    "iswlower",
    "iswprint",
    "iswpunct",
    "iswspace",
    "iswupper",
    "iswxdigit",
    "ntohl",
    "ntohs",
    "toascii",
    "towlower",
    "towupper",
    "wctob",
    "wcwidth",
];

/// Is it a name that C keeps for its implementation, or one of a function that computes something?
fn is_reserved(name: &str) -> bool {
    if COMPUTING.contains(&name) {
        return true;
    }
    let mut letters = name.chars();
    letters.next() == Some('_')
        && letters.next().is_some_and(|second| second == '_' || second.is_ascii_uppercase())
}
