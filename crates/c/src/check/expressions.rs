//! Expressions (C11 6.5): which rule each form of one goes to, and the step from places to values.

use super::complex::Count;
use super::{Check, Checker};
use crate::ast::{self, ExprKind as Ast};
use crate::literals;
use crate::problem::Problem;
use crate::tree::{ExprId, ExprKind};
use crate::types::{IntKind, Type, TypeId};
use base::Span;

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
            _ => Ok(self.expr_node(ExprKind::Load(expr), self.tree.types.plain_version(ty), span)),
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
                if let Some(counted) =
                    self.complex_increment(place, Count { up: *up, prefix: *prefix }, span)?
                {
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
