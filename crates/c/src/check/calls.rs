//! Calls (C11 6.5.2.2): whom they call, what they pass, and the calls that compilers know.

use super::{Check, Checker, Entity};
use crate::ast::{self, ExprKind as Ast};
use crate::problem::Problem;
use crate::symbols::Symbol;
use crate::translate::atomics::{self, Gives};
use crate::tree::{Callee, ExprId, ExprKind, Tree};
use crate::types::{FloatKind, FunctionType, IntKind, Type, TypeId};
use base::Span;

/// Functions (of compilers, and as macros of the library) that take a floating number of any type.
const GENERIC: &[&str] = &[
    "fpclassify",
    "isfinite",
    "isgreater",
    "isgreaterequal",
    "isinf",
    "isinf_sign",
    "isless",
    "islessequal",
    "islessgreater",
    "isnan",
    "isnormal",
    "isunordered",
    "signbit",
];

impl<'a> Checker<'a> {
    pub(super) fn call(
        &mut self,
        callee: ast::ExprId,
        arguments: &'a [ast::ExprId],
        span: Span,
    ) -> Check<ExprId> {
        let ast = self.ast;
        let dropped = std::mem::take(&mut self.dropped);
        if let Ast::Name(name) = ast.exprs[callee].kind {
            let text = self.text(name);
            if let Some(call) = self.contract_call(&text, arguments, span)? {
                return Ok(call);
            }
            if text.starts_with("pthread_")
                && let Some(done) = self.cleanup_call(&text, arguments, span)?
            {
                return Ok(done);
            }
            if self.symbols.text(name) == "__builtin_complex" {
                return self.complex_of_parts(arguments, span);
            }
            if self.symbols.text(name) == "__builtin_shufflevector" {
                return self.shuffle_vectors(arguments, span);
            }
            if matches!(self.symbols.text(name), "__builtin_object_size" | "__builtin_dynamic_object_size")
                && let [pointer, kind] = arguments
                && let Some(size) = self.object_size(*pointer, *kind)?
            {
                let size_type = self.tree.types.integer(self.tree.types.size_kind());
                return Ok(self.int_node(size.into(), size_type, span));
            }
            if let ("__builtin_constant_p", [argument]) = (self.symbols.text(name), arguments) {
                let value = self.value(*argument)?;
                let known = i128::from(self.constant(value).is_some());
                return Ok(self.int_node(known, self.tree.types.int, span));
            }
            if let (crate::parse::assembly::OUTPUT, [place]) = (self.symbols.text(name), arguments) {
                let place = self.value(*place)?;
                let ty = self.ty(place);
                if !self.tree.types.is_arithmetic(ty) {
                    return Err(Problem::unsupported(span, "assembly"));
                }
                return self.any_number("__unknown_asm", ty, span);
            }
            if let ("__builtin_nontemporal_load", [pointer]) = (self.symbols.text(name), arguments) {
                let pointer = self.value(*pointer)?;
                let place = self.dereference(pointer, span)?;
                return self.value_of(place);
            }
            if let ("__builtin_nontemporal_store", [value, pointer]) = (self.symbols.text(name), arguments) {
                let (value, pointer) = (self.value(*value)?, self.value(*pointer)?);
                let place = self.dereference(pointer, span)?;
                let ty = self.ty(place);
                let value = self.convert(value, ty, span)?;
                return Ok(self.expr_node(ExprKind::Assign(place, value), ty, span));
            }
            let spelling = self.text(name);
            if spelling.contains("va_")
                && let Some(done) = self.list_call(&spelling, arguments, span)?
            {
                return Ok(done);
            }
            if spelling.ends_with("jmp")
                && !self.defined.contains(&name)
                && let Some(done) = self.jump_call(&spelling, arguments, span)?
            {
                return Ok(done);
            }
            if spelling.ends_with("printf")
                && !self.defined.contains(&name)
                && let Some(done) = self.format_call(&spelling, arguments, dropped, span)?
            {
                return Ok(done);
            }
            if spelling.ends_with("scanf")
                && !self.defined.contains(&name)
                && let Some(done) = self.scan_call(&spelling, arguments, span)?
            {
                return Ok(done);
            }
            if !self.names.contains_key(&name) {
                self.implicit_function(name, ast.exprs[callee].span)?;
            }
        }
        let callee_name = callee;
        let callee = self.value(callee)?;
        let pointer = self.ty(callee);
        let function = self.tree.types.pointee(pointer).and_then(|to| self.tree.types.function(to)).cloned();
        let Some(function) = function else {
            return Err(Problem::error(span, format!("`{}` is not a function", self.show(pointer))));
        };
        let generic = self.is_generic(callee);
        let given = arguments;
        let mut arguments = self.arguments(&function, given, generic, span)?;
        self.look_at_texts(callee_name, given, &mut arguments)?;
        if let ExprKind::FunctionAddress(called) = self.tree.exprs[callee].kind
            && self.hands_over(called)
            && arguments.len() >= function.parameters.len()
        {
            let more = arguments.split_off(function.parameters.len());
            arguments.push(self.handed_over(more, span)?);
        }
        let function_is_implicit = function.unspecified;
        let mut result = function.result;
        let target = match self.tree.exprs[callee].kind {
            ExprKind::FunctionAddress(function) => {
                self.tree.functions[function].address_uses -= 1;
                // The atomic functions exist for every type.
                let name = self.symbols.text(self.tree.functions[function].name);
                let known = if function_is_implicit { atomics::gives(name) } else { None };
                let pointee = match known {
                    Some(Gives::Truth) => {
                        result = self.tree.types.intern(Type::Int(IntKind::Bool));
                        false
                    }
                    Some(Gives::Nothing) => {
                        result = self.tree.types.void;
                        false
                    }
                    Some(Gives::Pointee) => true,
                    None => name.starts_with("__sync_") && !name.contains("bool"),
                };
                if pointee
                    && let Some(&first) = arguments.first()
                    && let Some(to) = self.tree.types.pointee(self.ty(first))
                {
                    result = to;
                }
                Callee::Direct(function)
            }
            _ => {
                self.tree.indirect_callers.extend(self.function);
                Callee::Indirect(callee)
            }
        };
        Ok(self.expr_node(ExprKind::Call(target, arguments), result, span))
    }

    /// `__builtin_object_size` of an address in a variable: how many bytes of the variable (or, for odd kinds, of the whole
    /// variable only) are behind it. The pointer is not evaluated. Of other pointers it depends on the compiler.
    pub(super) fn object_size(&mut self, pointer: ast::ExprId, kind: ast::ExprId) -> Check<Option<u64>> {
        let closest = self.constant_of(kind, "the kind of an object size")? & 1 != 0;
        let pointer = self.value(pointer)?;
        let Some((var, offset, whole)) = self.fixed_address(pointer) else { return Ok(None) };
        if closest && !whole {
            return Ok(None);
        }
        let size = self.tree.types.size(self.tree.variables[var].ty);
        Ok(size.map(|size| u64::try_from(i128::from(size) - offset).unwrap_or(0)))
    }

    /// The variable that an address is in, the offset in bytes, and whether it was made of the whole variable.
    pub(super) fn fixed_address(&self, pointer: ExprId) -> Option<(crate::tree::VarId, i128, bool)> {
        match self.tree.exprs[pointer].kind {
            ExprKind::Convert(inner) => self.fixed_address(inner),
            ExprKind::PointerAdd { pointer, count, minus } => {
                let (var, offset, whole) = self.fixed_address(pointer)?;
                let one = self.tree.types.size(self.tree.types.pointee(self.ty(pointer))?)?;
                let bytes = self.constant(count)?.checked_mul(one.into())?;
                Some((var, if minus { offset - bytes } else { offset + bytes }, whole))
            }
            ExprKind::AddressOf(place) => self.fixed_place(place),
            _ => None,
        }
    }

    pub(super) fn fixed_place(&self, place: ExprId) -> Option<(crate::tree::VarId, i128, bool)> {
        match self.tree.exprs[place].kind {
            ExprKind::Variable(var) => Some((var, 0, true)),
            ExprKind::Member(inner, index) => {
                let Type::Record(record) = self.tree.types[self.ty(inner)] else { return None };
                let (var, offset, _) = self.fixed_place(inner)?;
                Some((var, offset + i128::from(self.tree.types.field(record, index)?.bit_offset / 8), false))
            }
            ExprKind::Index(inner, index) => {
                let (var, offset, whole) = self.fixed_place(inner)?;
                let one = self.tree.types.size(self.ty(place))?;
                let index = self.constant(index)?;
                Some((var, offset + index.checked_mul(one.into())?, whole && index == 0))
            }
            _ => None,
        }
    }

    /// Whether a function takes a floating number of any type as it is.
    pub(super) fn is_generic(&self, callee: ExprId) -> bool {
        let ExprKind::FunctionAddress(function) = self.tree.exprs[callee].kind else { return false };
        let name = self.symbols.text(self.tree.functions[function].name);
        GENERIC.contains(&name.strip_prefix("__builtin_").unwrap_or(name))
    }

    pub(super) fn arguments(
        &mut self,
        function: &FunctionType,
        given: &[ast::ExprId],
        generic: bool,
        span: Span,
    ) -> Check<Vec<ExprId>> {
        let (wanted, checked) = (function.parameters.len(), !function.unspecified);
        if checked && (given.len() < wanted || (given.len() > wanted && !function.variadic)) {
            let message = format!("the function takes {wanted} argument(s), but {} are given", given.len());
            return Err(Problem::error(span, message));
        }
        let mut arguments = Vec::new();
        for (index, &argument) in given.iter().enumerate() {
            let value = self.value(argument)?;
            let argument_span = self.span(value);
            let value = match function.parameters.get(index) {
                Some(&parameter) if checked => self.convert(value, parameter, argument_span)?,
                _ if generic => self.promote(value)?,
                _ => self.default_promotion(value)?,
            };
            arguments.push(value);
        }
        Ok(arguments)
    }

    /// A function that is called without a declaration: one that compilers know, or one that returns `int`.
    pub(super) fn implicit_function(&mut self, name: Symbol, span: Span) -> Check<()> {
        let text = self.text(name);
        if text.starts_with('\\') {
            return Err(Problem::unsupported(span, format!("`{text}` in an annotation")));
        }
        let builtin = self.symbols.get(&format!("__builtin_{text}")).and_then(|name| self.linked.get(&name));
        let ty = match builtin {
            Some(&Entity::Function(builtin)) => self.tree.functions[builtin].ty,
            _ if atomics::gives(&text).is_some() => {
                let result = self.tree.types.int;
                let unspecified =
                    FunctionType { result, parameters: Vec::new(), variadic: false, unspecified: true };
                self.tree.types.intern(Type::Function(Box::new(unspecified)))
            }
            _ if text.starts_with("__builtin_") || text.starts_with("__atomic_") => {
                return Err(Problem::unsupported(span, format!("`{text}`")));
            }
            _ => {
                let result = self.implicit_result(&text);
                let implicit =
                    FunctionType { result, parameters: Vec::new(), variadic: false, unspecified: true };
                self.tree.types.intern(Type::Function(Box::new(implicit)))
            }
        };
        // The declaration counts for the whole file, wherever the call stands.
        let function = match self.linked.get(&name) {
            Some(&Entity::Function(function)) => function,
            Some(_) => return Err(Problem::error(span, format!("`{text}` is not a function here"))),
            None => {
                let function = self.new_function(name, ty, span);
                self.linked.insert(name, Entity::Function(function));
                function
            }
        };
        self.bind(name, Entity::Function(function));
        Ok(())
    }

    /// The result of a function that is not declared: `int`, except for the verifier's functions, whose names tell.
    pub(super) fn implicit_result(&mut self, name: &str) -> TypeId {
        use IntKind::*;
        let prefixes = ["__VERIFIER_nondet_", "__CPROVER_nondet_", "__ESBMC_nondet_", "nondet_"];
        let kind = match prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)) {
            Some("bool" | "_Bool" | "Bool") => Bool,
            Some("char") => Char,
            Some("schar" | "signed_char") => SignedChar,
            Some("uchar" | "u8" | "U8" | "unsigned_char") => UnsignedChar,
            Some("short") => Short,
            Some("ushort" | "u16" | "U16" | "unsigned_short") => UnsignedShort,
            Some("uint" | "u32" | "U32" | "unsigned" | "unsigned_int") => UnsignedInt,
            Some("long") => Long,
            Some("ulong" | "unsigned_long" | "sector_t") => UnsignedLong,
            Some("longlong" | "long_long") => LongLong,
            Some("ulonglong" | "unsigned_long_long") => UnsignedLongLong,
            Some("size_t") => self.tree.types.size_kind(),
            Some("float") => return self.tree.types.intern(Type::Float(FloatKind::Float)),
            Some("double") => return self.tree.types.intern(Type::Float(FloatKind::Double)),
            Some("pointer" | "ptr" | "charp" | "String") => return self.tree.types.void_pointer,
            _ => Int,
        };
        self.tree.types.integer(kind)
    }
}

/// Calls of functions that are declared only later, and return a pointer where the call takes an `int`: compilers refuse
/// such programs, so what they mean is nobody's guess.
pub(super) fn declared_too_late(tree: &Tree) -> Vec<Problem> {
    let is_pointer = |ty| tree.types.pointee(ty).is_some();
    let calls = tree.exprs.values().filter_map(|data| {
        let ExprKind::Call(Callee::Direct(function), _) = data.kind else { return None };
        let given = tree.types.function(tree.functions[function].ty)?.result;
        let is_taken_for_int = is_pointer(given) && tree.types.int_kind(data.ty).is_some();
        let what = "a call of a function that is declared only later, with another type";
        is_taken_for_int.then(|| Problem::unsupported(data.span, what.to_owned()))
    });
    calls.collect()
}
