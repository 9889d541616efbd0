//! Functions without a body: models of the C library where one exists.
//!
//! The result of a function that has no model is arbitrary: on a marked statement for a function of the C library, which
//! is not arbitrary in truth; and as an input for a function that somebody else defines. If such a function gets pointers,
//! it may change all that they lead to ([`Bodyless`]); one of the C library is unsupported then.

use super::addresses::{CLOSED, STREAM};
use super::numbers::Interval;
use super::regions::View;
use super::values::Value;
use super::{Result, Translator};
use crate::options::{Bodyless, Check, Service};
use crate::preprocess::declares;
use crate::tree::{ExprId, ExprKind, FuncId, TextId};
use crate::types::{IntKind, Type, TypeId, Types};
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
    "dprintf",
    "vprintf",
    "vfprintf",
    "vdprintf",
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
    "cfree",
    "ferror",
    "clearerr",
    "fileno",
    "fseek",
    "fseeko",
    "rewind",
    "fwrite",
    "ungetc",
    "remove",
    "rename",
    "unlink",
    "access",
    "puts_unlocked",
    "fputs_unlocked",
    "pclose",
    "closedir",
    "write",
    "syslog",
];

/// Functions that go on elsewhere than behind their call, or let others do so.
const REFUSED: &[&str] =
    &["setjmp", "_setjmp", "sigsetjmp", "longjmp", "_longjmp", "siglongjmp", "signal", "sigaction", "raise"];

/// Functions whose result is the environment's choice.
const ENVIRONMENT: &[&str] = &[
    "rand", "random", "lrand48", "getchar", "clock", "getpid", "getppid", "getuid", "geteuid", "getgid",
    "getegid", "fgetc", "getc", "feof", "ftell", "fork", "isatty", "sysconf", "system",
];

/// How a function makes a new block.
#[derive(Clone, Copy)]
pub(super) struct Allocation {
    /// The size is a number of elements and the size of one, not one number.
    counted: bool,
    /// The block is full of zeros.
    pub(super) zeroed: bool,
}

/// How a function of the C library or of an operating system's kernel makes a new block of the size that it is given first;
/// nothing if it does something else.
pub(super) fn allocation(name: &str) -> Option<Allocation> {
    let (counted, zeroed) = match name {
        "malloc" | "valloc" | "__VERIFIER_alloc" | "kmalloc" | "__kmalloc" | "kvmalloc" | "vmalloc" => {
            (false, false)
        }
        "kzalloc" | "kvzalloc" | "vzalloc" => (false, true),
        "kmalloc_array" => (true, false),
        "calloc" | "kcalloc" | "kvcalloc" => (true, true),
        _ => return None,
    };
    Some(Allocation { counted, zeroed })
}

/// Whether a function returns a block that may be a new one.
pub(super) fn may_allocate(name: &str) -> bool {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    allocation(name).is_some() || matches!(name, "realloc" | "aligned_alloc" | "memalign")
}

/// Whether a function only looks at what its arguments point to, or makes something new.
pub(super) fn is_harmless(name: &str) -> bool {
    let contract = name.strip_prefix(crate::contracts::INTRINSIC);
    HARMLESS.contains(&name)
        || contract.is_some_and(|what| !what.starts_with("havoc"))
        || allocation(name).is_some()
        || matches!(name, "alloca" | "__builtin_alloca" | "__unreach_permanent")
}

/// Functions with a model that no header declares.
const MODELLED: &[&str] =
    &["kfree", "kvfree", "vfree", "memalign", "cfree", "mempcpy", "error", "error_at_line"];

/// Whether nothing is known of a function without a body, from its name.
pub(crate) fn is_unknown(name: &str) -> bool {
    let lists = [HARMLESS, REFUSED, ENVIRONMENT, MODELLED];
    let listed = lists.iter().any(|list| list.contains(&name)) || is_harmless(name);
    let modelled = listed || name.starts_with("pthread_") || super::intrinsics::is_known(name);
    !modelled && !declares(name) && !has_a_meaning(name) && !super::builtins::writes_through_pointers(name)
}

/// How the names of functions begin that compilers, C libraries and verifiers give a meaning. Other names with an underscore in front
/// are those of operating systems, whose programs declare thousands of them.
const WITH_A_MEANING: &[&str] = &[
    "__assert",
    "__atomic_",
    "__builtin_",
    "__c11_",
    "__CPROVER_",
    "__ESBMC_",
    "__goblint_",
    "__isoc",
    "__sigsetjmp",
    "__sync_",
    "__unreach_",
    "__VERIFIER_",
    "_assert",
    "_wassert",
];

/// Whether a function without a body has a meaning that its name tells, known here or not.
fn has_a_meaning(name: &str) -> bool {
    COMPUTING.contains(&name) || WITH_A_MEANING.iter().any(|start| name.starts_with(start))
}

/// Whether there are pointers in values of a type.
fn has_pointers(types: &Types, ty: TypeId) -> bool {
    match types[ty] {
        Type::Pointer(_) => true,
        Type::Array(element, _) => has_pointers(types, element),
        Type::Record(record) => {
            let fields = types.records[record].layout.iter().flat_map(|layout| &layout.fields);
            let mut types_of_fields = fields.map(|field| field.ty);
            types_of_fields.any(|field| has_pointers(types, field))
        }
        _ => false,
    }
}

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
        if name == "__unknown_argument" {
            self.give_up("an argument that is not there, or that has another type");
            return Ok(Value::Void);
        }
        if matches!(name, "__builtin_object_size" | "__builtin_dynamic_object_size") {
            return self.object_size_call(name, ty, arguments);
        }
        if REFUSED.contains(&plain) {
            return Err(self.unsupported(format!("`{name}`")));
        }
        self.check_format(plain, arguments)?;
        let values = self.argument_values(arguments)?;
        if name == plain {
            self.change_errno()?;
        }
        self.expression.at = span;
        if let Some(value) = self.builtin_call(name, arguments, &values)? {
            return Ok(value);
        }
        if let Some(value) = self.mathematical_call(name, ty, arguments, &values)? {
            return Ok(value);
        }
        if let Some(value) = self.transcendental_call(name, ty, &values)? {
            return Ok(value);
        }
        if may_allocate(plain) && self.options.may_fail.contains(Service::Allocation) {
            let fails = self.any_truth();
            let null = Value::Pointer(self.int(0), self.int(0));
            return self.choose(
                fails,
                ty,
                |_| Ok(null),
                |this| this.modelled_call((name, call), (function, ty), arguments, &values),
            );
        }
        self.modelled_call((name, call), (function, ty), arguments, &values)
    }

    /// A call of a function of the library, or of one that nobody knows, whose arguments have their values.
    fn modelled_call(
        &mut self,
        (name, call): (&str, ExprId),
        (function, ty): (FuncId, TypeId),
        arguments: &[ExprId],
        values: &[Value],
    ) -> Result<Value> {
        let tree = self.tree;
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let dropped = ty == tree.types.void;
        match (allocation(plain), values) {
            (Some(Allocation { counted: true, zeroed }), [Value::Int(count, _), Value::Int(size, _), ..]) => {
                let size = self.multiply(*count, *size);
                let size = self.share(size);
                return self.allocation(call, Some(size), zeroed);
            }
            (Some(Allocation { counted: false, zeroed }), [Value::Int(size, _), ..]) => {
                let size = self.share(*size);
                return self.allocation(call, Some(size), zeroed);
            }
            _ => {}
        }
        match (plain, values) {
            ("alloca", [Value::Int(size, _)]) => {
                let size = self.share(*size);
                self.stack_allocation(size)
            }
            ("__unreach_permanent", [Value::Int(size, _)]) => {
                let size = self.share(*size);
                self.permanent_allocation(size)
            }
            ("error" | "error_at_line", [Value::Int(status, _), ..]) => {
                // With a status other than zero the program ends here.
                let zero = self.int(0);
                let goes_on = self.equal(*status, zero);
                self.assume(goes_on);
                Ok(Value::Void)
            }
            ("aligned_alloc" | "memalign", [_, Value::Int(size, _)]) => {
                // What is returned for an alignment or a size that does not fit is left open.
                self.mark("memory with an alignment");
                let size = self.share(*size);
                self.allocation(call, Some(size), false)
            }
            ("realloc", [old @ Value::Pointer(..), Value::Int(size, _)]) => {
                let (old, size) = (self.pointed(arguments[0], old)?, *size);
                self.reallocation(call, old, size)
            }
            ("free" | "cfree" | "kfree" | "kvfree" | "vfree", [pointer @ Value::Pointer(..)]) => {
                self.free(pointer)?;
                Ok(Value::Void)
            }
            ("scanf" | "fscanf" | "__isoc99_scanf" | "__isoc99_fscanf", _) => {
                let skipped = if plain.ends_with("fscanf") { 2 } else { 1 };
                self.only_numbers(arguments.get(skipped - 1).copied())?;
                let objects = arguments.get(skipped..).unwrap_or(&[]);
                self.scan(tree.exprs[call].ty, objects, values.get(skipped..).unwrap_or(&[]))
            }
            ("fopen" | "fdopen" | "tmpfile" | "popen" | "freopen" | "opendir", _) => self.stream(),
            ("fclose" | "pclose" | "closedir", &[Value::Pointer(base, _)]) => {
                self.close_stream(base);
                self.result_unless_void(ty, name)
            }
            ("putchar", &[Value::Int(character, interval)]) if !dropped => {
                self.fit(character, interval, IntKind::UnsignedChar)
            }
            ("putc" | "fputc", [Value::Int(character, _), ..]) if !dropped => {
                let character = *character;
                self.put_character(ty, name, character)
            }
            ("expect" | "expect_with_probability" | "assume_aligned", [value, ..]) if name != plain => {
                Ok(value.clone())
            }
            ("abs" | "labs" | "llabs", [Value::Int(expr, interval)]) => {
                // Also where the value is dropped, it is computed in the type of the function.
                let ty = tree.exprs[call].ty;
                let Some(kind) = tree.types.int_kind(ty) else {
                    return self.unknown_call((name, call), function, ty, arguments);
                };
                let number = (self.freeze(*expr), *interval);
                let zero = self.int(0);
                let negative = self.compare(ir::BinaryOp::Less, number.0, zero);
                let same = Value::Int(number.0, number.1);
                self.choose(negative, ty, |this| this.negated(number, kind), |_| Ok(same))
            }
            ("memset", [to @ Value::Pointer(..), Value::Int(byte, _), Value::Int(size, _)]) => {
                let (to, byte, size) = (self.pointed(arguments[0], to)?, *byte, *size);
                if self.analyses.classes.fills_new_block(call) {
                    self.fill_new_block(to, size)?;
                } else {
                    self.fill_memory(to, byte, size)?;
                }
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
            _ if ENVIRONMENT.contains(&plain) && !dropped => self.environment(ty, plain),
            ("time", [Value::Pointer(base, _)]) if !dropped && self.literal(*base) == Some(0) => {
                self.environment(ty, name)
            }
            ("printf" | "fprintf", _) if !dropped => self.printed((plain, ty), arguments, values),
            ("puts", _) if !dropped => {
                let value = self.environment(ty, name)?;
                self.not_negative(value)
            }
            (_, &[Value::Int(expr, interval)])
                if self.counts_bits(plain) && (name != plain || plain.starts_with("ffs")) && !dropped =>
            {
                let kind = tree.types.int_kind(tree.exprs[arguments[0]].ty).unwrap_or(IntKind::UnsignedInt);
                self.bit_count(plain, (expr, interval), kind)
            }
            _ if HARMLESS.contains(&name) => self.result_unless_void(ty, name),
            _ => self.unknown_call((name, call), function, ty, arguments),
        }
    }

    /// A call of a function of which nothing is known.
    fn unknown_call(
        &mut self,
        (name, call): (&str, ExprId),
        function: FuncId,
        ty: TypeId,
        arguments: &[ExprId],
    ) -> Result<Value> {
        let tree = self.tree;
        if tree.functions[function].noreturn {
            self.stop();
            return self.dead_value(ty);
        }
        let gets = arguments.iter().any(|&argument| {
            let null = matches!(tree.exprs[argument].kind, ExprKind::Int(0));
            let text = self.text_of(argument).is_some();
            has_pointers(&tree.types, tree.exprs[argument].ty) && !null && !text
        });
        if gets {
            self.change_given((name, call), function)?;
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
            _ => self.outside_value((name, call), ty),
        }
    }

    /// A function of which nothing is known changes what its arguments reach.
    fn change_given(&mut self, (name, call): (&str, ExprId), function: FuncId) -> Result<()> {
        let known = self.options.bodyless == Bodyless::Pure && is_unknown(name);
        if known {
            return Ok(());
        }
        let refuses = self.options.bodyless == Bodyless::Refuse || self.threads.concurrent;
        if refuses || !self.analyses.classes.is_given(call) {
            return Err(self.unsupported(format!("`{name}`, which has no body and gets a pointer")));
        }
        if self.is_watched() {
            let what = format!("`{name}`, which has no body, where a contract lists what may be changed");
            return Err(self.unsupported(what));
        }
        let tree = self.tree;
        let classes = self.analyses.classes.given(call);
        let others = tree.functions.keys().filter(|&other| other != function);
        if self.analyses.classes.has_function(&classes, others) {
            return Err(self.unsupported(format!("`{name}`, which has no body and gets a function")));
        }
        for class in classes {
            for region in self.regions_of(class)? {
                // What pointers bytes may be must never be arbitrary.
                let shadow = self.view(class) == View::Bytes && region.variables.len() == 2;
                // Whatever it was written as, its contents are arbitrary as all of it.
                if region.is_tags {
                    continue;
                }
                if !shadow {
                    self.count_as_written(&region)?;
                    self.havoc(region.variables);
                    continue;
                }
                for variable in region.variables {
                    let none = self.zero_map(self.program.variables[variable].ty)?;
                    self.assign(variable, none);
                }
            }
        }
        self.mark(&format!("what `{name}` does, which has no body"));
        self.forget_all();
        Ok(())
    }

    /// A pointer or struct that a function returns of which nothing is known.
    fn outside_value(&mut self, (name, call): (&str, ExprId), ty: TypeId) -> Result<Value> {
        let pointers = has_pointers(&self.tree.types, ty);
        let refuses = self.options.bodyless == Bodyless::Refuse || self.threads.concurrent;
        if pointers && (refuses || !self.analyses.classes.is_given(call)) {
            let what = format!("`{name}`, which has no body and returns a pointer or struct");
            return Err(self.unsupported(what));
        }
        let variables = self.leaf_variables(ty, "#outside", |this, name, ty| this.new_local(name, ty))?;
        let all = variables.iter().flatten().copied().collect();
        let is_input = super::intrinsics::is_input(name);
        if is_input {
            self.havoc(all);
        } else if pointers || declares(name) || is_reserved(name) {
            self.havoc_marked(all, &format!("what `{name}` returns, which has no body"), None);
        } else {
            self.havoc(all);
        }
        let value = self.read_variables(ty, &variables)?;
        if let Value::Pointer(base, offset) = value {
            // Only null points nowhere.
            let zero = self.int(0);
            let some = self.compare(ir::BinaryOp::NotEqual, base, zero);
            let null = self.equal(offset, zero);
            let fine = self.or(some, null);
            self.assume(fine);
            if is_input {
                // An input may be null; which other pointers the environment has is not known.
                let none = self.equal(base, zero);
                self.mark_unless(none, &format!("what `{name}` returns if it is not null"));
            }
        } else if is_input && pointers {
            self.mark(&format!("the pointers in what `{name}` returns"));
        }
        Ok(value)
    }

    /// What the environment answers, which is no negative number where the program asks for randomness.
    fn environment(&mut self, ty: TypeId, name: &str) -> Result<Value> {
        let value = self.input(ty, name)?;
        let lowest = match name {
            "rand" | "random" | "lrand48" | "getpid" | "getppid" => 0,
            "getchar" | "fgetc" | "getc" => -1,
            _ => return Ok(value),
        };
        let Value::Int(expr, interval) = value else { return Ok(value) };
        let high = if lowest == -1 { 255 } else { i128::from(i32::MAX) };
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

    /// A function of the library may set `errno` to a positive number, whether or not something went wrong (C11 7.5).
    fn change_errno(&mut self) -> Result<()> {
        let tree = self.tree;
        let Some(name) = self.symbols.get("errno") else { return Ok(()) };
        let mentioned = |expr: &crate::tree::Expr| match expr.kind {
            ExprKind::Variable(var) => {
                let data = &tree.variables[var];
                (data.name == name && data.external && data.ty == tree.types.int).then_some(var)
            }
            _ => None,
        };
        let Some(errno) = tree.exprs.values().find_map(mentioned) else { return Ok(()) };
        let int = tree.types.int;
        let place = self.variable_place(errno)?;
        let old = self.read(&place, int)?;
        let (Value::Int(old, range), Value::Int(new, _)) =
            (self.freeze_value(old), self.input(int, "errno()")?)
        else {
            return Ok(());
        };
        let zero = self.int(0);
        let changed = self.compare(ir::BinaryOp::Greater, new, zero);
        let value = self.ite(changed, new, old);
        let range = range.hull(Interval { low: 1, high: i32::MAX.into() });
        self.forget(errno);
        self.write(&place, int, &Value::Int(value, range))
    }

    /// Refuses `%n`, which writes, and formats that are not known if there is something to write to.
    fn check_format(&mut self, name: &str, arguments: &[ExprId]) -> Result<()> {
        let at = match name {
            "printf" | "vprintf" => 0,
            "fprintf" | "dprintf" | "vfprintf" | "syslog" => 1,
            _ => return Ok(()),
        };
        let Some(&format) = arguments.get(at) else { return Ok(()) };
        let writes = match self.text_of(format) {
            Some(text) => writes_count(&self.tree.texts[text]),
            None => arguments[at + 1..].iter().any(|&argument| {
                let to = self.tree.types.pointee(self.tree.exprs[argument].ty);
                to.is_some_and(|to| self.tree.types.int_kind(to).is_some_and(|kind| !kind.is_character()))
            }),
        };
        if writes {
            Err(self.unsupported(format!("`{name}` that may write through a pointer")))
        } else {
            Ok(())
        }
    }

    /// The result of printing: the number of characters, or, for a stream, a negative number if it did not work. What
    /// goes to the standard output arrives there.
    fn printed(
        &mut self,
        (name, ty): (&str, TypeId),
        arguments: &[ExprId],
        values: &[Value],
    ) -> Result<Value> {
        let at = usize::from(name == "fprintf");
        let format = arguments.get(at).and_then(|&format| self.text_of(format));
        let known = match format {
            Some(format) => self.formatted_length(format, (&arguments[at + 1..], &values[at + 1..]))?,
            None => None,
        };
        match known {
            Some(length) if name == "printf" => Ok(length),
            Some(Value::Int(length, _)) => {
                let value = self.environment(ty, name)?;
                let Value::Int(result, interval) = value else { return Ok(value) };
                let zero = self.int(0);
                let all = self.equal(result, length);
                let failed = self.compare(ir::BinaryOp::Less, result, zero);
                let either = self.or(all, failed);
                self.assume(either);
                Ok(Value::Int(result, interval))
            }
            _ => {
                let value = self.result_unless_void(ty, name)?;
                if name == "printf" { self.not_negative(value) } else { Ok(value) }
            }
        }
    }

    /// A value that is known not to be negative.
    fn not_negative(&mut self, value: Value) -> Result<Value> {
        let Value::Int(number, interval) = value else { return Ok(value) };
        let zero = self.int(0);
        let fine = self.compare(ir::BinaryOp::GreaterEqual, number, zero);
        self.assume(fine);
        Ok(Value::Int(number, Interval { low: interval.low.max(0), ..interval }))
    }

    /// The result of writing one character: the character, or that it did not work.
    fn put_character(&mut self, ty: TypeId, name: &str, character: Expr) -> Result<Value> {
        let value = self.environment(ty, name)?;
        let Value::Int(result, interval) = value else { return Ok(value) };
        let (size, failure) = (self.int(256), self.int(-1));
        let written = self.modulo(character, size);
        let written = self.equal(result, written);
        let failed = self.equal(result, failure);
        let either = self.or(written, failed);
        self.assume(either);
        Ok(Value::Int(result, interval))
    }

    /// A stream: a new object that nobody looks into, or null.
    fn stream(&mut self) -> Result<Value> {
        // It is no block: nobody frees it but the library.
        let size = self.int(1);
        let Value::Pointer(base, offset) = self.stack_allocation(size)? else {
            return Err(self.unsupported("a stream"));
        };
        self.set_state(base, STREAM);
        let int = self.tree.types.int;
        let Value::Int(chosen, _) = self.input(int, "fopen()")? else {
            return Err(self.unsupported("a stream"));
        };
        let zero = self.int(0);
        let opened = self.compare(ir::BinaryOp::NotEqual, chosen, zero);
        let base = self.ite(opened, base, zero);
        Ok(Value::Pointer(base, offset))
    }

    /// Closes a stream, which works once.
    fn close_stream(&mut self, base: Expr) {
        let Some(state) = self.storage.objects.state.filter(|_| self.checks_memory()) else { return };
        let base = self.share(base);
        let (map, closed, open) = (self.var(state), self.int(CLOSED), self.int(STREAM));
        let before = self.select(map, base);
        let before = self.freeze(before);
        let fine = self.compare(ir::BinaryOp::NotEqual, before, closed);
        self.check(fine, Check::Free, "a stream is closed twice");
        // Others, as the standard ones, are not followed.
        let known = self.equal(before, open);
        let after = self.ite(known, closed, before);
        let map = self.var(state);
        let states = self.store(map, &[base], after);
        self.assign(state, states);
    }

    /// `scanf`: as many objects as the result says get arbitrary values; it is -1 at the end of the input.
    fn scan(&mut self, ty: TypeId, arguments: &[ExprId], values: &[Value]) -> Result<Value> {
        let Value::Int(count, _) = self.input(ty, "scanf()")? else {
            return Err(self.unsupported("`scanf` without a result"));
        };
        let most = arguments.len() as i128;
        let range = self.between(count, -1, most);
        self.assume(range);
        for (number, (&argument, pointer)) in arguments.iter().zip(values).enumerate() {
            let Some(ty) = super::classes::pointed_type(self.tree, argument) else {
                return Err(self.unsupported("`scanf` through a pointer to nothing in particular"));
            };
            if !self.tree.types.is_arithmetic(ty) {
                return Err(self.unsupported("`scanf` into something that is no number"));
            }
            let new = self.input(ty, "scanf()")?;
            let class = self.analyses.classes.class(argument);
            let place = self.object_at(pointer, class, 0)?;
            let old = self.read(&place, ty)?;
            let old = self.freeze_value(old);
            let number = self.int(number as u64);
            let given = self.compare(ir::BinaryOp::Greater, count, number);
            let value = self.choose(given, ty, |_| Ok(new), |_| Ok(old))?;
            self.write(&place, ty, &value)?;
        }
        Ok(Value::Int(count, Interval { low: -1, high: most }))
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
        matches!(stem, "ffs" | "clz" | "ctz" | "clrsb" | "popcount" | "parity")
            || name.starts_with("bswap")
            || name.starts_with("bitreverse")
    }

    /// Bit counts, and bytes or bits in the opposite order, exactly, by powers of two.
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
            "clrsb" => {
                // The bits behind the sign that equal it: as many as zeros lead the number or its complement, less one.
                let all = self.int((1i128 << width) - 1);
                let half = self.int(1i128 << (width - 1));
                let negative = self.compare(ir::BinaryOp::GreaterEqual, value, half);
                let complement = self.subtract(all, value);
                let value = self.ite(negative, complement, value);
                let value = self.share(value);
                result = self.int(width - 1);
                for bit in 0..width - 1 {
                    let power = self.int(1i128 << bit);
                    let large = self.compare(ir::BinaryOp::GreaterEqual, value, power);
                    let count = self.int(width - 2 - bit);
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
                let unit = if stem.starts_with("bitreverse") { 1 } else { 8 };
                let units = width / unit;
                let size = self.int(1i128 << unit);
                for number in 0..units {
                    let power = self.int(1i128 << (unit * number));
                    let shifted = self.divide_floor(value, power);
                    let one = self.modulo(shifted, size);
                    let weight = self.int(1i128 << (unit * (units - 1 - number)));
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
                this.havoc_marked(any.iter().flatten().copied().collect(), "a count of bits of zero", None);
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
        Ok(super::places::Place::Memory {
            base,
            offset,
            class,
            key: super::classes::Key::Any,
            bits: 0,
            inside: None,
        })
    }
}

/// Whether a format has `%n`.
fn writes_count(units: &[u32]) -> bool {
    let mut conversion = false;
    for character in units.iter().filter_map(|&unit| char::from_u32(unit)) {
        if !conversion {
            conversion = character == '%';
        } else if character == 'n' {
            return true;
        } else if character == '%' || (character.is_ascii_alphabetic() && !"hlLqjzt".contains(character)) {
            conversion = false;
        }
    }
    false
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

/// Is it a name that C keeps for its implementation at file scope, or one of a function that computes something?
fn is_reserved(name: &str) -> bool {
    COMPUTING.contains(&name) || name.starts_with('_')
}
