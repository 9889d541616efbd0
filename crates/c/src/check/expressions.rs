//! Expressions (C11 6.5): names, members, calls, and the step from places to values.

use super::{Check, Checker, Entity};
use crate::ast::{self, Designator, ExprKind as Ast, UnaryOp};
use crate::literals;
use crate::problem::Problem;
use crate::symbols::Symbol;
use crate::translate::atomics::{self, Gives};
use crate::tree::{Callee, ExprId, ExprKind, Init, Step};
use crate::types::{FloatKind, FunctionType, IntKind, Length, RecordId, Type, TypeId};
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

/// Whether an expression denotes an object.
pub fn is_place(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Variable(_)
            | ExprKind::Deref(_)
            | ExprKind::Member(..)
            | ExprKind::Index(..)
            | ExprKind::Text(_)
            | ExprKind::CompoundLiteral(..)
            | ExprKind::Temporary(_)
    )
}

impl<'a> Checker<'a> {
    /// The value of an expression: places are loaded, arrays become pointers.
    pub(super) fn value(&mut self, id: ast::ExprId) -> Check<ExprId> {
        let expr = self.expression(id)?;
        self.value_of(expr)
    }

    /// The value of a place; values stay as they are.
    pub(super) fn value_of(&mut self, expr: ExprId) -> Check<ExprId> {
        let (ty, span) = (self.ty(expr), self.span(expr));
        if !is_place(&self.tree.exprs[expr].kind) {
            return Ok(expr);
        }
        match self.tree.types[ty] {
            Type::Array(element, _) => {
                let pointer = self.tree.types.pointer(element);
                Ok(self.address(expr, pointer, span))
            }
            Type::Function(_) => {
                let pointer = self.tree.types.pointer(ty);
                Ok(self.address(expr, pointer, span))
            }
            Type::Void => Ok(self.expr_node(ExprKind::Convert(expr), ty, span)),
            _ if !self.tree.types.is_complete(ty) => {
                Err(Problem::error(span, format!("a value of the incomplete type `{}`", self.show(ty))))
            }
            _ => Ok(self.expr_node(ExprKind::Load(expr), ty, span)),
        }
    }

    /// The address of a place, as a pointer of the given type.
    pub(super) fn address(&mut self, place: ExprId, pointer: TypeId, span: Span) -> ExprId {
        if let ExprKind::Deref(inner) = self.tree.exprs[place].kind {
            if self.ty(inner) == pointer {
                return inner;
            }
            return self.expr_node(ExprKind::Convert(inner), pointer, span);
        }
        if let Some(offset) = self.constant_address(place) {
            return self.int_node(offset, pointer, span);
        }
        let mut root = place;
        loop {
            match &self.tree.exprs[root].kind {
                ExprKind::Member(inner, _) | ExprKind::Index(inner, _) => root = *inner,
                ExprKind::Variable(var) | ExprKind::CompoundLiteral(var, _) => {
                    self.tree.variables[*var].address_taken = true;
                    break;
                }
                _ => break,
            }
        }
        self.expr_node(ExprKind::AddressOf(place), pointer, span)
    }

    /// The address of a member behind a constant pointer, as in hand-made `offsetof`.
    fn constant_address(&self, place: ExprId) -> Option<i128> {
        let mut offset = 0i128;
        let mut place = place;
        loop {
            match self.tree.exprs[place].kind {
                ExprKind::Member(inner, index) => {
                    let Type::Record(record) = self.tree.types[self.ty(inner)] else { return None };
                    offset += i128::from(self.tree.types.field(record, index)?.bit_offset / 8);
                    place = inner;
                }
                ExprKind::Index(inner, index) => {
                    let size = self.tree.types.size(self.ty(place))?;
                    offset += self.constant(index)?.checked_mul(size.into())?;
                    place = inner;
                }
                ExprKind::Deref(pointer) => return Some(self.constant(pointer)? + offset),
                _ => return None,
            }
        }
    }

    /// An expression: a place where it denotes an object, else a value.
    pub(super) fn expression(&mut self, id: ast::ExprId) -> Check<ExprId> {
        crate::deep(|| self.expression_inside(id))
    }

    fn expression_inside(&mut self, id: ast::ExprId) -> Check<ExprId> {
        let names_a_type = matches!(
            self.ast.exprs[id].kind,
            Ast::Cast(..) | Ast::SizeofType(_) | Ast::SizeofExpr(_) | Ast::Offsetof(..) | Ast::VaArg(..)
        );
        if !names_a_type || self.function.is_none() {
            return self.expression_of(id);
        }
        // The length of an array in a type is evaluated where the type stands, if it is evaluated at all.
        let outer = std::mem::take(&mut self.prelude);
        let expr = self.expression_of(id);
        let lengths = std::mem::replace(&mut self.prelude, outer);
        let expr = expr?;
        if lengths.is_empty() {
            return Ok(expr);
        }
        let value = self.value_of(expr)?;
        let (ty, span) = (self.ty(value), self.span(value));
        Ok(self.expr_node(ExprKind::StatementExpr(lengths, Some(value)), ty, span))
    }

    fn expression_of(&mut self, id: ast::ExprId) -> Check<ExprId> {
        let ast = self.ast;
        let node = &ast.exprs[id];
        let span = node.span;
        match &node.kind {
            Ast::Name(name) => self.name(*name, span),
            Ast::Number(text) => self.number(*text, span),
            Ast::Char(text) => match literals::character(self.symbols.text(*text)) {
                Some((value, prefix)) => {
                    let ty = match prefix {
                        literals::Prefix::None => self.tree.types.int,
                        literals::Prefix::Wide => self.wide_character(),
                        literals::Prefix::Utf8 => self.tree.types.integer(IntKind::UnsignedChar),
                        literals::Prefix::Utf16 => self.tree.types.integer(IntKind::UnsignedShort),
                        literals::Prefix::Utf32 => self.tree.types.integer(IntKind::UnsignedInt),
                    };
                    Ok(self.int_node(value.into(), ty, span))
                }
                None => Err(Problem::error(span, "this character constant is malformed")),
            },
            Ast::Text(parts) => self.text_literal(parts, span),
            Ast::Unary(op, operand) => self.unary(*op, *operand, span),
            Ast::Increment { up, prefix, operand } => {
                let place = self.modifiable(*operand)?;
                let ty = self.ty(place);
                if let Some(counted) = self.complex_increment(place, (*up, *prefix), span)? {
                    return Ok(counted);
                }
                if !self.tree.types.is_scalar(ty) {
                    return Err(Problem::error(span, format!("`{}` cannot be counted", self.show(ty))));
                }
                Ok(self.expr_node(ExprKind::Increment { place, up: *up, prefix: *prefix }, ty, span))
            }
            Ast::Binary(op, left, right) => {
                let left = self.value(*left)?;
                let right = self.value(*right)?;
                self.binary(*op, left, right, span)
            }
            Ast::Logical(op, left, right) => self.logical(*op, *left, *right, span),
            Ast::Assign(op, left, right) => self.assignment(*op, *left, *right, span),
            Ast::Conditional(condition, then, otherwise) => {
                self.conditional(*condition, *then, *otherwise, span)
            }
            Ast::Comma(left, right) => {
                let left = self.value(*left)?;
                let right = self.value(*right)?;
                Ok(self.expr_node(ExprKind::Comma(left, right), self.ty(right), span))
            }
            Ast::Cast(type_name, operand) => self.cast(*type_name, *operand, span),
            Ast::CompoundLiteral(type_name, init) => {
                let ty = self.type_name(*type_name)?;
                let var = self.hidden_variable("literal", ty, span);
                let init = self.initialiser(var, init)?;
                let ty = self.tree.variables[var].ty;
                Ok(self.expr_node(ExprKind::CompoundLiteral(var, Box::new(init)), ty, span))
            }
            Ast::Call(callee, arguments) => self.call(*callee, arguments, span),
            Ast::Index(array, index) => self.index(*array, *index, span),
            Ast::Member(operand, name) => {
                let operand = self.expression(*operand)?;
                self.member(operand, *name, span)
            }
            Ast::Arrow(operand, name) => {
                let pointer = self.value(*operand)?;
                let place = self.dereference(pointer, span)?;
                self.member(place, *name, span)
            }
            Ast::SizeofExpr(operand) => {
                let place = self.expression(*operand)?;
                if let Some(width) = self.bit_field_width(place) {
                    // gcc gives the values of bit-fields as many bytes as it needs for them.
                    let size_type = self.tree.types.integer(self.tree.types.size_kind());
                    let bytes = width.div_ceil(8).next_power_of_two();
                    return Ok(self.int_node(bytes.into(), size_type, span));
                }
                let ty = match self.tree.exprs[place].kind {
                    ExprKind::FunctionAddress(function) => self.tree.functions[function].ty,
                    _ => self.ty(place),
                };
                self.size_of(ty, span)
            }
            Ast::SizeofType(type_name) => {
                let ty = self.type_name(*type_name)?;
                self.size_of(ty, span)
            }
            Ast::AlignofType(type_name, alignment) => {
                let ty = self.type_name(*type_name)?;
                let node = &ast.type_names[*type_name];
                let none = ast::Attributes::default();
                let named = self.declared_alignment(&none, node.specifiers, &node.declarator)?;
                self.align_of(ty, named, *alignment, span)
            }
            Ast::AlignofExpr(operand, alignment) => self.align_of_operand(*operand, *alignment, span),
            Ast::StatementExpr(block) => self.statement_expression(*block, span),
            Ast::LabelAddress(label) => {
                let Some(function) = self.function else {
                    return Err(Problem::error(span, "a label outside of a function"));
                };
                let label = self.label_name(*label);
                if !self.tree.label_addresses.contains(&(function, label)) {
                    self.tree.label_addresses.push((function, label));
                }
                let kind = ExprKind::LabelAddress(function, label);
                Ok(self.expr_node(kind, self.tree.types.void_pointer, span))
            }
            Ast::Offsetof(type_name, path) => self.offset_of(*type_name, path, span),
            Ast::VaArg(list, type_name) => {
                let ty = self.type_name(*type_name)?;
                self.next_argument(*list, ty, span)
            }
            Ast::ConvertVector(operand, type_name) => {
                let operand = self.value(*operand)?;
                let ty = self.type_name(*type_name)?;
                self.convert_vector(operand, ty, span)
            }
            Ast::TypesCompatible(left, right) => {
                let qualified = |name: ast::TypeNameId| self.is_qualified(ast.type_names[name].specifiers);
                let differ = qualified(*left) != qualified(*right);
                let (left, right) = (self.type_name(*left)?, self.type_name(*right)?);
                // Qualifiers count only behind a pointer.
                let differ = differ && matches!(self.tree.types[left], Type::Pointer(_));
                let value = i128::from(self.tree.types.compatible(left, right) && !differ);
                Ok(self.int_node(value, self.tree.types.int, span))
            }
            Ast::ChooseExpr(condition, then, otherwise) => {
                let chosen = self.constant_of(*condition, "the condition of `__builtin_choose_expr`")?;
                self.expression(if chosen != 0 { *then } else { *otherwise })
            }
            Ast::Generic(subject, choices) => self.generic(*subject, choices, span),
            Ast::Quantified(..) => Err(Problem::unsupported(span, "a quantifier here")),
        }
    }

    /// `_Generic` (C11 6.5.1.1). Types have no qualifiers here: where a choice may depend on those of what a pointer
    /// points to, it is refused, unless the declarations at hand tell.
    fn generic(
        &mut self,
        subject_expr: ast::ExprId,
        choices: &'a [(Option<ast::TypeNameId>, ast::ExprId)],
        span: Span,
    ) -> Check<ExprId> {
        let ast = self.ast;
        let value = self.value(subject_expr)?;
        let subject = self.ty(value);
        let mut fitting = Vec::new();
        let mut default = None;
        for &(type_name, expr) in choices {
            match type_name {
                Some(type_name) => {
                    let ty = self.type_name(type_name)?;
                    if self.tree.types.compatible(ty, subject) {
                        fitting.push((self.is_qualified(ast.type_names[type_name].specifiers), expr));
                    }
                }
                None => default = Some(expr),
            }
        }
        let pointer = matches!(self.tree.types[subject], Type::Pointer(_));
        let open = pointer && (fitting.len() > 1 || (!fitting.is_empty() && default.is_some()));
        if open {
            let said = match ast.exprs[subject_expr].kind {
                Ast::Cast(type_name, _) => Some(self.is_qualified(ast.type_names[type_name].specifiers)),
                _ => self.points_to_qualified(value),
            };
            let Some(qualified) = said else {
                return Err(Problem::unsupported(span, "a selection by qualifiers"));
            };
            let chosen = fitting.iter().find(|&&(choice, _)| choice == qualified).map(|&(_, expr)| expr);
            return match chosen.or(default) {
                Some(expr) => self.expression(expr),
                None => Err(Problem::error(span, "no choice fits the type of this selection")),
            };
        }
        match fitting.first().map(|&(_, expr)| expr).or(default) {
            Some(expr) => self.expression(expr),
            None => Err(Problem::error(span, "no choice fits the type of this selection")),
        }
    }

    /// Whether a pointer points to something `const` or `volatile`, if that can be told.
    fn points_to_qualified(&self, pointer: ExprId) -> Option<bool> {
        match self.tree.exprs[pointer].kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => match self.tree.exprs[place].kind {
                ExprKind::Variable(var) => Some(self.qualified.contains(&var)),
                ExprKind::Text(_) => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    fn name(&mut self, name: Symbol, span: Span) -> Check<ExprId> {
        match self.names.get(&name) {
            Some(&Entity::Variable(var)) => {
                let ty = self.tree.variables[var].ty;
                return Ok(self.expr_node(ExprKind::Variable(var), ty, span));
            }
            Some(&Entity::Function(function)) => return Ok(self.function_value(function, span)),
            Some(&Entity::Constant(value, ty)) => return Ok(self.int_node(value, ty, span)),
            Some(Entity::Typedef(..)) => {
                return Err(Problem::error(span, format!("`{}` is a type", self.text(name))));
            }
            None => {}
        }
        match self.symbols.text(name) {
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => {
                let function = self.function.map(|function| self.tree.functions[function].name);
                let text = function.map_or(String::new(), |name| self.text(name));
                Ok(self.text_node(text.bytes().map(u32::from).collect(), self.tree.types.char, span))
            }
            "\\true" => Ok(self.int_node(1, self.tree.types.int, span)),
            "\\false" => Ok(self.int_node(0, self.tree.types.int, span)),
            other if other.starts_with('\\') => {
                let what = format!("`{other}` in an annotation");
                Err(Problem::unsupported(span, what))
            }
            other => Err(Problem::error(span, format!("`{other}` is not declared"))),
        }
    }

    fn function_value(&mut self, function: crate::tree::FuncId, span: Span) -> ExprId {
        let ty = self.tree.functions[function].ty;
        self.tree.functions[function].address_uses += 1;
        self.tree.mentions.push((self.function, function));
        let pointer = self.tree.types.pointer(ty);
        self.expr_node(ExprKind::FunctionAddress(function), pointer, span)
    }

    fn number(&mut self, text: Symbol, span: Span) -> Check<ExprId> {
        let spelling = self.text(text);
        // An imaginary number of GNU C: `i` or `j` stands anywhere in the suffix.
        if let Some(unit) = spelling.find(['i', 'j', 'I', 'J']) {
            let mut plain = spelling.clone();
            plain.remove(unit);
            let plain = self.symbols.intern(&plain);
            let value = self.number(plain, span)?;
            return self.imaginary_number(value, span);
        }
        if let Some(literal) = literals::integer(&spelling) {
            use IntKind::*;
            let all = [Int, UnsignedInt, Long, UnsignedLong, LongLong, UnsignedLongLong, Int128];
            let least = [Int, Long, LongLong][usize::from(literal.longs)];
            let Ok(value) = i128::try_from(literal.value) else {
                return Err(Problem::error(span, "this number is too large"));
            };
            let kind = all.into_iter().find(|&kind| {
                let wanted = kind.is_signed() != literal.unsigned || (!kind.is_signed() && !literal.decimal);
                kind.rank() >= least.rank() && wanted && self.tree.types.wrap(value, kind) == Some(value)
            });
            let Some(kind) = kind else { return Err(Problem::error(span, "this number is too large")) };
            let ty = self.tree.types.integer(kind);
            return Ok(self.int_node(value, ty, span));
        }
        if let Some((digits, suffix)) = literals::float(&spelling) {
            let kind = match suffix.as_str() {
                "" | "d" | "f64" | "f32x" => FloatKind::Double,
                "f" | "f32" => FloatKind::Float,
                "l" => FloatKind::LongDouble,
                "q" | "f128" | "f64x" => FloatKind::Float128,
                _ => return Err(Problem::unsupported(span, format!("the number `{spelling}`"))),
            };
            if let Some(value) = kind.format().parse(&digits) {
                let ty = self.tree.types.intern(Type::Float(kind));
                return Ok(self.expr_node(ExprKind::Float(value), ty, span));
            }
        }
        Err(Problem::error(span, format!("`{spelling}` is not a number")))
    }

    fn text_literal(&mut self, parts: &[Symbol], span: Span) -> Check<ExprId> {
        use literals::Prefix;
        // All pieces have the prefix that one of them has (C11 6.4.5).
        let prefixes = parts.iter().map(|&part| literals::prefix(self.symbols.text(part)));
        let prefix = prefixes.max().unwrap_or(Prefix::None);
        let mut units = Vec::new();
        for &part in parts {
            let piece = literals::units(self.symbols.text(part), prefix);
            units.extend(piece.ok_or_else(|| Problem::error(span, "this string is malformed"))?);
        }
        let element = match prefix {
            Prefix::None | Prefix::Utf8 => self.tree.types.char,
            Prefix::Wide => self.wide_character(),
            Prefix::Utf16 => self.tree.types.integer(IntKind::UnsignedShort),
            Prefix::Utf32 => self.tree.types.integer(IntKind::UnsignedInt),
        };
        Ok(self.text_node(units, element, span))
    }

    /// `wchar_t`
    fn wide_character(&mut self) -> TypeId {
        let kind = match self.tree.types.model {
            crate::options::DataModel::Ilp32 => IntKind::Long,
            crate::options::DataModel::Lp64 => IntKind::Int,
        };
        self.tree.types.integer(kind)
    }

    /// A string literal; the final zero is added here.
    fn text_node(&mut self, mut units: Vec<u32>, element: TypeId, span: Span) -> ExprId {
        units.push(0);
        let ty = self.tree.types.intern(Type::Array(element, Length::Known(units.len() as u64)));
        let text = self.tree.texts.push(units);
        self.expr_node(ExprKind::Text(text), ty, span)
    }

    fn unary(&mut self, op: UnaryOp, operand: ast::ExprId, span: Span) -> Check<ExprId> {
        match op {
            UnaryOp::Deref => {
                // `*a` and `*(a + i)` on an array are elements: the array's address is not taken for that.
                let ast = self.ast;
                if let Ast::Binary(ast::BinaryOp::Add, left, right) = &ast.exprs[operand].kind {
                    return self.index(*left, *right, span);
                }
                let operand = self.expression(operand)?;
                if let Type::Array(element, _) = self.tree.types[self.ty(operand)] {
                    let zero = self.int_node(0, self.tree.types.int, span);
                    return Ok(self.expr_node(ExprKind::Index(operand, zero), element, span));
                }
                let pointer = self.value_of(operand)?;
                self.dereference(pointer, span)
            }
            UnaryOp::AddressOf => {
                let operand = self.expression(operand)?;
                let ty = self.ty(operand);
                match &self.tree.exprs[operand].kind {
                    // A node of its own: `f` alone is a function to `sizeof` and `typeof`, and `&f` a pointer.
                    ExprKind::FunctionAddress(_) => {
                        return Ok(self.expr_node(ExprKind::Convert(operand), ty, span));
                    }
                    ExprKind::Member(inner, index) => {
                        if let Type::Record(record) = self.tree.types[self.ty(*inner)]
                            && self
                                .tree
                                .types
                                .field(record, *index)
                                .is_some_and(|field| field.width.is_some())
                        {
                            return Err(Problem::error(span, "a bit-field has no address"));
                        }
                    }
                    kind if is_place(kind) => {}
                    _ => return Err(Problem::error(span, "this has no address")),
                }
                let pointer = self.tree.types.pointer(ty);
                Ok(self.address(operand, pointer, span))
            }
            UnaryOp::Real | UnaryOp::Imaginary => {
                let operand = self.expression(operand)?;
                self.complex_part(op, operand, span)
            }
            UnaryOp::Minus | UnaryOp::Plus | UnaryOp::Complement | UnaryOp::Not => {
                let operand = self.value(operand)?;
                self.unary_value(op, operand, span)
            }
        }
    }

    /// The place that a pointer points to.
    fn dereference(&mut self, pointer: ExprId, span: Span) -> Check<ExprId> {
        let ty = self.ty(pointer);
        let Some(pointee) = self.tree.types.pointee(ty) else {
            return Err(Problem::error(span, format!("`{}` is not a pointer", self.show(ty))));
        };
        if matches!(self.tree.types[pointee], Type::Function(_)) {
            return Ok(pointer);
        }
        if let ExprKind::AddressOf(place) = self.tree.exprs[pointer].kind
            && self.ty(place) == pointee
        {
            return Ok(place);
        }
        Ok(self.expr_node(ExprKind::Deref(pointer), pointee, span))
    }

    fn index(&mut self, array: ast::ExprId, index: ast::ExprId, span: Span) -> Check<ExprId> {
        let mut array = self.expression(array)?;
        if self.shape(self.ty(array)).is_some() {
            if !is_place(&self.tree.exprs[array].kind) {
                array = self.expr_node(ExprKind::Temporary(array), self.ty(array), span);
            }
            array = self.vector_elements(array, span);
        }
        let mut index = self.expression(index)?;
        let is_pointer =
            |this: &Self, expr| matches!(this.tree.types[this.ty(expr)], Type::Array(..) | Type::Pointer(_));
        if !is_pointer(self, array) && is_pointer(self, index) {
            std::mem::swap(&mut array, &mut index);
        }
        let index = self.value_of(index)?;
        if let Type::Array(element, _) = self.tree.types[self.ty(array)]
            && self.tree.types.int_kind(self.ty(index)).is_some()
        {
            let index = self.promote(index)?;
            return Ok(self.expr_node(ExprKind::Index(array, index), element, span));
        }
        let pointer = self.value_of(array)?;
        let sum = self.binary(ast::BinaryOp::Add, pointer, index, span)?;
        self.dereference(sum, span)
    }

    fn member(&mut self, operand: ExprId, name: Symbol, span: Span) -> Check<ExprId> {
        let ty = self.ty(operand);
        let Type::Record(record) = self.tree.types[ty] else {
            let message = format!("`{}` has no members", self.show(ty));
            return Err(Problem::error(span, message));
        };
        let Some(path) = self.tree.types.find_field(record, name) else {
            let message = format!("`{}` has no member `{}`", self.show(ty), self.text(name));
            return Err(Problem::error(span, message));
        };
        let mut place = operand;
        if !is_place(&self.tree.exprs[operand].kind) {
            place = if self.function.is_some() && self.holds_union(ty) {
                // The members of a union share their bytes, which only an object in memory has.
                let var = self.hidden_variable("literal", ty, span);
                let whole = Box::new(Init::Whole(operand));
                self.expr_node(ExprKind::CompoundLiteral(var, whole), ty, span)
            } else {
                self.expr_node(ExprKind::Temporary(operand), ty, span)
            };
        }
        for index in path {
            place = self.member_at(place, index, span);
        }
        Ok(place)
    }

    /// Whether there is a union in a type.
    fn holds_union(&self, ty: TypeId) -> bool {
        match self.tree.types[ty] {
            Type::Array(element, _) => self.holds_union(element),
            Type::Record(record) => {
                let data = &self.tree.types.records[record];
                let fields = data.layout.as_ref().map_or(&[][..], |layout| &layout.fields);
                data.is_union || fields.iter().any(|field| self.holds_union(field.ty))
            }
            _ => false,
        }
    }

    /// The member of a struct place by its number.
    pub(super) fn member_at(&mut self, place: ExprId, index: u32, span: Span) -> ExprId {
        let field = match self.tree.types[self.ty(place)] {
            Type::Record(record) => self.tree.types.field(record, index).map(|field| field.ty),
            _ => None,
        };
        let ty = field.unwrap_or(self.tree.types.int);
        self.expr_node(ExprKind::Member(place, index), ty, span)
    }

    /// A place that can be assigned to.
    pub(super) fn modifiable(&mut self, id: ast::ExprId) -> Check<ExprId> {
        let place = self.expression(id)?;
        let span = self.span(place);
        let kind = &self.tree.exprs[place].kind;
        if !is_place(kind) || matches!(self.tree.types[self.ty(place)], Type::Array(..) | Type::Function(_)) {
            return Err(Problem::error(span, "this cannot be assigned to"));
        }
        Ok(place)
    }

    fn cast(&mut self, type_name: ast::TypeNameId, operand: ast::ExprId, span: Span) -> Check<ExprId> {
        let ty = self.type_name(type_name)?;
        let operand = self.expression(operand)?;
        if matches!(self.tree.types[ty], Type::Void)
            && matches!(self.tree.types[self.ty(operand)], Type::Record(_))
            && !self.tree.types.is_complete(self.ty(operand))
            && let ExprKind::Deref(pointer) = self.tree.exprs[operand].kind
        {
            // Nothing is read of a struct that is not known.
            return Ok(self.expr_node(ExprKind::Convert(pointer), ty, span));
        }
        let operand = self.value_of(operand)?;
        if let Some(vector) = self.vector_cast(operand, ty, span)? {
            return Ok(vector);
        }
        // A cast to the union type of a member is a GNU form.
        if let Type::Record(record) = self.tree.types[ty]
            && self.ty(operand) != ty
        {
            return self.cast_to_union(operand, ty, record, span);
        }
        if self.ty(operand) == ty && self.bit_field_width(operand).is_some() {
            // The value of a cast is no bit-field any more, which matters for its promotion.
            return Ok(self.expr_node(ExprKind::Convert(operand), ty, span));
        }
        self.convert(operand, ty, span)
    }

    /// A union whose member of the operand's type has the operand's value.
    fn cast_to_union(&mut self, operand: ExprId, ty: TypeId, record: RecordId, span: Span) -> Check<ExprId> {
        if !self.tree.types.records[record].is_union {
            return Err(Problem::error(span, "a cast to a struct"));
        }
        let from = self.ty(operand);
        let layout = self.tree.types.records[record].layout.as_ref();
        let fields = layout.map_or(&[][..], |layout| &layout.fields);
        let fits = |field: &crate::types::Field| self.tree.types.compatible(field.ty, from);
        let Some(index) = fields.iter().position(fits) else {
            let message = format!("`{}` is not the type of a member of the union", self.show(from));
            return Err(Problem::error(span, message));
        };
        let member = fields[index].ty;
        let value = self.convert(operand, member, span)?;
        let var = self.hidden_variable("literal", ty, span);
        let init = Init::Parts(vec![(vec![Step::Field(index as u32)], value)]);
        let literal = self.expr_node(ExprKind::CompoundLiteral(var, Box::new(init)), ty, span);
        self.value_of(literal)
    }

    fn size_of(&mut self, ty: TypeId, span: Span) -> Check<ExprId> {
        let size_type = self.tree.types.integer(self.tree.types.size_kind());
        if let Type::Array(element, Length::Variable(var)) = self.tree.types[ty] {
            let element = self.size_of(element, span)?;
            let length = self.expr_node(ExprKind::Variable(var), size_type, span);
            let length = self.value_of(length)?;
            return self.binary(ast::BinaryOp::Mul, length, element, span);
        }
        if let Type::Array(element, Length::Known(count)) = self.tree.types[ty]
            && self.tree.types.size(ty).is_none()
            && self.tree.types.is_complete(ty)
        {
            let element = self.size_of(element, span)?;
            let count = self.int_node(count.into(), size_type, span);
            return self.binary(ast::BinaryOp::Mul, count, element, span);
        }
        let complete =
            self.tree.types.is_complete(ty) || matches!(self.tree.types[ty], Type::Void | Type::Function(_));
        match self.tree.types.size(ty) {
            Some(size) if complete => Ok(self.int_node(size.into(), size_type, span)),
            _ => Err(Problem::error(span, format!("the size of `{}` is not known", self.show(ty)))),
        }
    }

    /// The alignment of a type, or the greater one that a declaration asks for.
    fn align_of(
        &mut self,
        ty: TypeId,
        asked: Option<u64>,
        alignment: ast::Alignment,
        span: Span,
    ) -> Check<ExprId> {
        let size_type = self.tree.types.integer(self.tree.types.size_kind());
        let mut element = ty;
        while let Type::Array(inner, _) = self.tree.types[element] {
            element = inner;
        }
        let least = self.tree.types.layout(element).map(|(size, align)| match self.tree.types[element] {
            // On 32-bit Linux, variables with eight bytes are aligned better than members are.
            Type::Int(_) | Type::Float(_) | Type::Enum(_)
                if alignment == ast::Alignment::Preferred && size == 8 =>
            {
                8
            }
            _ => align,
        });
        match asked.or(least) {
            Some(align) => Ok(self.int_node(align.into(), size_type, span)),
            None => Err(Problem::error(span, format!("the alignment of `{}` is not known", self.show(ty)))),
        }
    }

    fn align_of_operand(
        &mut self,
        operand: ast::ExprId,
        alignment: ast::Alignment,
        span: Span,
    ) -> Check<ExprId> {
        let place = self.expression(operand)?;
        let ty = match self.tree.exprs[place].kind {
            ExprKind::FunctionAddress(function) => self.tree.functions[function].ty,
            _ => self.ty(place),
        };
        match self.tree.exprs[place].kind {
            ExprKind::Variable(var) => {
                let asked = self.alignments.get(&var).copied();
                self.align_of(ty, asked, alignment, span)
            }
            // A member is where its struct puts it.
            ExprKind::Member(record, index) => {
                let Type::Record(record) = self.tree.types[self.ty(record)] else {
                    return self.align_of(ty, None, alignment, span);
                };
                let asked = self.tree.types.field(record, index).map(|field| field.align);
                self.align_of(ty, asked, alignment, span)
            }
            _ => self.align_of(ty, None, alignment, span),
        }
    }

    fn offset_of(&mut self, type_name: ast::TypeNameId, path: &[Designator], span: Span) -> Check<ExprId> {
        let mut ty = self.type_name(type_name)?;
        let mut offset = 0u64;
        let size_type = self.tree.types.integer(self.tree.types.size_kind());
        let mut variable = None;
        for step in path {
            match step {
                Designator::Field(name, span) => {
                    let Type::Record(record) = self.tree.types[ty] else {
                        return Err(Problem::error(*span, format!("`{}` has no members", self.show(ty))));
                    };
                    let Some((inside, member)) = self.field_offset(record, *name) else {
                        let message = format!("`{}` has no member `{}`", self.show(ty), self.text(*name));
                        return Err(Problem::error(*span, message));
                    };
                    offset = offset.wrapping_add(inside);
                    ty = member;
                }
                Designator::Index(index) => {
                    let Type::Array(element, _) = self.tree.types[ty] else {
                        return Err(Problem::error(span, format!("`{}` is not an array", self.show(ty))));
                    };
                    let size = self.tree.types.size(element).unwrap_or(1);
                    let index = self.value(*index)?;
                    ty = element;
                    if let Some(index) = self.constant(index) {
                        offset = offset.wrapping_add((index as u64).wrapping_mul(size));
                        continue;
                    }
                    // GNU C: an index that is not constant.
                    let index = self.convert(index, size_type, span)?;
                    let size = self.int_node(size.into(), size_type, span);
                    let bytes = self.binary(ast::BinaryOp::Mul, index, size, span)?;
                    variable = Some(match variable {
                        Some(sum) => self.binary(ast::BinaryOp::Add, sum, bytes, span)?,
                        None => bytes,
                    });
                }
                Designator::Range(..) => return Err(Problem::error(span, "a range has no offset")),
            }
        }
        let offset = self.int_node(offset.into(), size_type, span);
        match variable {
            Some(variable) => self.binary(ast::BinaryOp::Add, offset, variable, span),
            None => Ok(offset),
        }
    }

    fn field_offset(&self, record: RecordId, name: Symbol) -> Option<(u64, TypeId)> {
        let path = self.tree.types.find_field(record, name)?;
        let mut offset = 0;
        let mut ty = None;
        let mut record = Some(record);
        for index in path {
            let field = self.tree.types.field(record?, index)?;
            offset += field.bit_offset / 8;
            ty = Some(field.ty);
            record = match self.tree.types[field.ty] {
                Type::Record(inner) => Some(inner),
                _ => None,
            };
        }
        Some((offset, ty?))
    }

    fn call(&mut self, callee: ast::ExprId, arguments: &'a [ast::ExprId], span: Span) -> Check<ExprId> {
        let ast = self.ast;
        let dropped = std::mem::take(&mut self.dropped);
        if let Ast::Name(name) = ast.exprs[callee].kind {
            let text = self.text(name);
            if let Some(call) = self.contract_call(&text, arguments, span)? {
                return Ok(call);
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
            let spelling = self.text(name);
            if spelling.contains("va_")
                && let Some(done) = self.list_call(&spelling, arguments, span)?
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
        let callee = self.value(callee)?;
        let pointer = self.ty(callee);
        let function = self.tree.types.pointee(pointer).and_then(|to| self.tree.types.function(to)).cloned();
        let Some(function) = function else {
            return Err(Problem::error(span, format!("`{}` is not a function", self.show(pointer))));
        };
        let generic = self.is_generic(callee);
        let mut arguments = self.arguments(&function, arguments, generic, span)?;
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
    fn object_size(&mut self, pointer: ast::ExprId, kind: ast::ExprId) -> Check<Option<u64>> {
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
    fn fixed_address(&self, pointer: ExprId) -> Option<(crate::tree::VarId, i128, bool)> {
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

    fn fixed_place(&self, place: ExprId) -> Option<(crate::tree::VarId, i128, bool)> {
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
    fn is_generic(&self, callee: ExprId) -> bool {
        let ExprKind::FunctionAddress(function) = self.tree.exprs[callee].kind else { return false };
        let name = self.symbols.text(self.tree.functions[function].name);
        GENERIC.contains(&name.strip_prefix("__builtin_").unwrap_or(name))
    }

    fn arguments(
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
    fn implicit_function(&mut self, name: Symbol, span: Span) -> Check<()> {
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
    fn implicit_result(&mut self, name: &str) -> TypeId {
        use IntKind::*;
        let kind = match name.strip_prefix("__VERIFIER_nondet_") {
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

    fn statement_expression(&mut self, block: ast::StmtId, span: Span) -> Check<ExprId> {
        if self.function.is_none() {
            return Err(Problem::error(span, "statements outside of a function"));
        }
        let ast = self.ast;
        let ast::StmtKind::Block(statements) = &ast.stmts[block].kind else {
            return Err(Problem::error(span, "a block is expected here"));
        };
        let outer = std::mem::take(&mut self.prelude);
        self.open_scope();
        let labels = self.open_labels(statements);
        let mut out = Vec::new();
        let mut value = None;
        for (index, &statement) in statements.iter().enumerate() {
            if index + 1 == statements.len()
                && let ast::StmtKind::Expr(expr) = ast.stmts[statement].kind
            {
                value = Some(self.value(expr)?);
                out.append(&mut self.prelude);
                break;
            }
            self.statement_into(statement, &mut out)?;
        }
        self.close_labels(labels);
        self.close_scope();
        self.prelude = outer;
        let ty = value.map_or(self.tree.types.void, |value| self.ty(value));
        Ok(self.expr_node(ExprKind::StatementExpr(out, value), ty, span))
    }
}
