//! Primary expressions (C11 6.5.1): names, numbers, strings and generic selections.

use super::{Check, Checker, Entity};
use crate::ast::{self, ExprKind as Ast};
use crate::literals;
use crate::problem::Problem;
use crate::symbols::Symbol;
use crate::tree::{ExprId, ExprKind};
use crate::types::{FloatKind, IntKind, Length, Type, TypeId};
use base::Span;

impl<'a> Checker<'a> {
    /// `_Generic` (C11 6.5.1.1). Types have no qualifiers here: where a choice may depend on those of what a pointer
    /// points to, it is refused, unless the declarations at hand tell.
    pub(super) fn generic(
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
    pub(super) fn points_to_qualified(&self, pointer: ExprId) -> Option<bool> {
        match self.tree.exprs[pointer].kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => match self.tree.exprs[place].kind {
                ExprKind::Variable(var) => Some(self.qualified.contains(&var)),
                ExprKind::Text(_) => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn name(&mut self, name: Symbol, span: Span) -> Check<ExprId> {
        match self.names.get(&name) {
            Some(&Entity::Variable(var)) => {
                if let Some(own) = self.own_element(var, span)? {
                    return Ok(own);
                }
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
            // Words of C23, which older programs may declare as something else.
            truth @ ("true" | "false") => {
                let ty = self.tree.types.integer(IntKind::Bool);
                Ok(self.int_node(i128::from(truth == "true"), ty, span))
            }
            "nullptr" => {
                let zero = self.int_node(0, self.tree.types.int, span);
                self.convert(zero, self.tree.types.void_pointer, span)
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

    pub(super) fn function_value(&mut self, function: crate::tree::FuncId, span: Span) -> ExprId {
        let ty = self.tree.functions[function].ty;
        self.tree.functions[function].address_uses += 1;
        self.tree.mentions.push((self.function, function));
        let pointer = self.tree.types.pointer(ty);
        self.expr_node(ExprKind::FunctionAddress(function), pointer, span)
    }

    pub(super) fn number(&mut self, text: Symbol, span: Span) -> Check<ExprId> {
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

    pub(super) fn text_literal(&mut self, parts: &[Symbol], span: Span) -> Check<ExprId> {
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
    pub(super) fn wide_character(&mut self) -> TypeId {
        let kind = match self.tree.types.model {
            crate::options::DataModel::Ilp32 => IntKind::Long,
            crate::options::DataModel::Lp64 => IntKind::Int,
        };
        self.tree.types.integer(kind)
    }

    /// A string literal; the final zero is added here.
    pub(super) fn text_node(&mut self, mut units: Vec<u32>, element: TypeId, span: Span) -> ExprId {
        units.push(0);
        let ty = self.tree.types.intern(Type::Array(element, Length::Known(units.len() as u64)));
        let text = self.tree.texts.push(units);
        self.expr_node(ExprKind::Text(text), ty, span)
    }
}
