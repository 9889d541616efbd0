//! Functions with a variable number of arguments (C11 7.16), for those that have a body.
//!
//! A call hands the arguments behind the named ones over in arrays by kind: whole numbers, floating numbers, pointers; an
//! array of numbers says which kind each one has. The function gets them by a hidden last parameter. A `va_list` is that
//! parameter with the number of the next argument. `va_start`, `va_copy` and `va_arg` become calls of functions that
//! are written in C (`models/__unreach_va_*.c`). An argument that is read as another kind than it was given, or that is not
//! there, leaves the answer open.
//!
//! Arguments that are structs are not handed over, and neither are those of calls through pointers: these can call functions that do not look at what stands behind the
//! named arguments.

use super::{Check, Checker, Entity, Tag};
use crate::ast;
use crate::problem::Problem;
use crate::tree::{Alignment, Callee, ExprId, ExprKind, FuncId, Init, Lifetime, Step, VarId, Variable};
use crate::types::{IntKind, Length, Type, TypeId};
use base::Span;

/// What an argument counts as: an integer by its size in bytes, or one of the others.
const FLOATING: i128 = 100;
const POINTER: i128 = 200;

/// The record of a `va_list`, and that of the arguments of a call.
const LIST: &str = "__unreach_va";
const MORE: &str = "__unreach_more";

/// The name of the hidden last parameter, which no program can have.
pub const HIDDEN_PARAMETER: &str = "more#";

impl<'a> Checker<'a> {
    /// The type with a tag that is known from the start.
    pub(super) fn known_record(&mut self, tag: &str) -> Option<TypeId> {
        let tag = self.symbols.intern(tag);
        match self.tags.get(&tag) {
            Some(&Tag::Record(record)) => Some(self.tree.types.intern(Type::Record(record))),
            _ => None,
        }
    }

    /// The type `va_list`: an array of one, so that functions that get one share it.
    pub(super) fn list_type(&mut self) -> TypeId {
        match self.known_record(LIST) {
            Some(record) => self.tree.types.intern(Type::Array(record, Length::Known(1))),
            None => self.tree.types.intern(Type::VaList),
        }
    }

    /// The hidden parameter of a function with a variable number of arguments.
    pub(super) fn more_parameter(&mut self, span: Span) -> Option<VarId> {
        let record = self.known_record(MORE)?;
        let ty = self.tree.types.pointer(record);
        let name = self.symbols.intern(HIDDEN_PARAMETER);
        Some(self.tree.variables.push(Variable {
            name,
            ty,
            lifetime: Lifetime::Parameter,
            function: self.function,
            address_taken: false,
            init: None,
            external: false,
            constant: false,
            volatile: false,
            alignment: Alignment::default(),
            span,
        }))
    }

    /// A call of one of the functions that this is made of.
    pub(super) fn helper_call(&mut self, name: &str, arguments: Vec<ExprId>, span: Span) -> Check<ExprId> {
        let symbol = self.symbols.intern(name);
        let Some(&Entity::Function(function)) = self.linked.get(&symbol) else {
            return Err(Problem::unsupported(span, format!("`{name}`")));
        };
        self.tree.mentions.push((self.function, function));
        let result = self.tree.types.function(self.tree.functions[function].ty).map(|ty| ty.result);
        let result = result.unwrap_or(self.tree.types.void);
        Ok(self.expr_node(ExprKind::Call(Callee::Direct(function), arguments), result, span))
    }

    /// A pointer to a `va_list`.
    fn list_pointer(&mut self, list: ast::ExprId) -> Check<ExprId> {
        let list = self.value(list)?;
        let span = self.span(list);
        let record = self.known_record(LIST);
        let to = self.tree.types.pointee(self.ty(list));
        if record.is_none() || to != record {
            return Err(Problem::error(span, "this is no `va_list`"));
        }
        Ok(list)
    }

    /// `va_arg`
    pub(super) fn next_argument(&mut self, list: ast::ExprId, ty: TypeId, span: Span) -> Check<ExprId> {
        let list = self.list_pointer(list)?;
        let (helper, kind) = match self.kind_of_argument(ty) {
            Some(FLOATING) => ("__unreach_va_floating", FLOATING),
            Some(POINTER) => ("__unreach_va_pointer", POINTER),
            Some(size) => ("__unreach_va_integer", size),
            None => return Err(Problem::unsupported(span, "`va_arg` of this type")),
        };
        let kind = self.int_node(kind, self.tree.types.int, span);
        let value = self.helper_call(helper, vec![list, kind], span)?;
        self.convert(value, ty, span)
    }

    /// What an argument of a type counts as; none if it cannot be handed over.
    fn kind_of_argument(&self, ty: TypeId) -> Option<i128> {
        let types = &self.tree.types;
        match types[ty] {
            Type::Pointer(_) => Some(POINTER),
            Type::Float(crate::types::FloatKind::Double) => Some(FLOATING),
            _ => types.int_kind(ty).map(|kind| i128::from(kind.size(types.model))).filter(|&size| size <= 8),
        }
    }

    /// `va_start`, `va_copy` and `va_end`; nothing if a function is none of them.
    pub(super) fn list_call(
        &mut self,
        name: &str,
        arguments: &'a [ast::ExprId],
        span: Span,
    ) -> Check<Option<ExprId>> {
        let done = match (name.strip_prefix("__builtin_").unwrap_or(name), arguments) {
            ("va_start" | "c23_va_start", [list, ..]) => {
                let list = self.list_pointer(*list)?;
                let Some(more) = self.more else {
                    let what = "`va_start` in a function without a variable number of arguments";
                    return Err(Problem::error(span, what));
                };
                let place = self.expr_node(ExprKind::Variable(more), self.tree.variables[more].ty, span);
                let more = self.value_of(place)?;
                self.helper_call("__unreach_va_start", vec![list, more], span)?
            }
            ("va_copy", [to, from]) => {
                let arguments = vec![self.list_pointer(*to)?, self.list_pointer(*from)?];
                self.helper_call("__unreach_va_copy", arguments, span)?
            }
            ("va_end", [list]) => {
                let list = self.list_pointer(*list)?;
                self.expr_node(ExprKind::Convert(list), self.tree.types.void, span)
            }
            _ => return Ok(None),
        };
        Ok(Some(done))
    }

    /// Whether a function gets the arguments behind the named ones in arrays.
    pub(super) fn hands_over(&self, function: FuncId) -> bool {
        let data = &self.tree.functions[function];
        let variadic = self.tree.types.function(data.ty).is_some_and(|ty| ty.variadic);
        variadic && self.variadic.contains(&data.name)
    }

    /// The address of an array with values, made where it stands.
    fn literal_array(&mut self, element: TypeId, values: Vec<(u64, ExprId)>, span: Span) -> Check<ExprId> {
        let length = values.iter().map(|&(index, _)| index + 1).max().unwrap_or(1);
        let ty = self.tree.types.intern(Type::Array(element, Length::Known(length)));
        let parts = values.into_iter().map(|(index, value)| (vec![Step::Index(index)], value)).collect();
        self.literal(ty, Init::Parts(parts), span)
    }

    fn literal(&mut self, ty: TypeId, init: Init, span: Span) -> Check<ExprId> {
        let var = self.hidden_variable("arguments", ty, span);
        let place = self.expr_node(ExprKind::CompoundLiteral(var, Box::new(init)), ty, span);
        match self.tree.types[ty] {
            Type::Array(..) => self.value_of(place),
            _ => {
                let pointer = self.tree.types.pointer(ty);
                Ok(self.address(place, pointer, span))
            }
        }
    }

    /// The hidden argument of a call: what stands behind the named ones.
    pub(super) fn handed_over(&mut self, arguments: Vec<ExprId>, span: Span) -> Check<ExprId> {
        let Some(record) = self.known_record(MORE) else {
            return Err(Problem::unsupported(span, "a variable number of arguments"));
        };
        let pointer = self.tree.types.pointer(record);
        let int = self.tree.types.int;
        if arguments.is_empty() {
            return Ok(self.int_node(0, pointer, span));
        }
        let long = self.tree.types.intern(Type::Int(IntKind::LongLong));
        let double = self.tree.types.intern(Type::Float(crate::types::FloatKind::Double));
        let nothing = self.tree.types.void_pointer;
        let count = arguments.len() as i128;
        let (mut kinds, mut integers, mut floats, mut pointers) = (vec![], vec![], vec![], vec![]);
        for (index, argument) in arguments.into_iter().enumerate() {
            let (index, at) = (index as u64, self.span(argument));
            let Some(kind) = self.kind_of_argument(self.ty(argument)) else {
                return Err(Problem::unsupported(at, "an argument of this type behind the named ones"));
            };
            match kind {
                FLOATING => floats.push((index, self.convert(argument, double, at)?)),
                POINTER => pointers.push((index, self.convert(argument, nothing, at)?)),
                _ => integers.push((index, self.convert(argument, long, at)?)),
            }
            kinds.push((index, self.int_node(kind, int, at)));
        }
        let mut parts = vec![(vec![Step::Field(0)], self.int_node(count, int, span))];
        let lists = [(int, kinds), (long, integers), (double, floats), (nothing, pointers)];
        for (number, (element, values)) in lists.into_iter().enumerate() {
            if !values.is_empty() {
                let array = self.literal_array(element, values, span)?;
                parts.push((vec![Step::Field(number as u32 + 1)], array));
            }
        }
        self.literal(record, Init::Parts(parts), span)
    }
}
