//! `scanf` and `fscanf` with conversions that read text, and `sscanf` (C11 7.21.6.2), where the format is a literal.
//!
//! How many objects are assigned is the environment's choice, and so is what they get; of `sscanf`, it is not known. A text
//! is as long as its width allows, or as anybody likes. What is read for numbers only is left to the translation.

use super::{Check, Checker, Entity};
use crate::ast::{self, BinaryOp, LogicalOp};
use crate::problem::Problem;
use crate::tree::{ExprId, ExprKind, Init, VarId};
use crate::types::{FunctionType, Type, TypeId};
use base::Span;

/// What a conversion that assigns reads: its letter, as the models know it, and the width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scanned {
    Number,
    /// `%c`: as many characters as the width says, without an end.
    Characters(i128),
    /// `%s` and `%[`: a text of at most so many characters; 0 if there is no width.
    Text(i128),
}

/// The conversions of a format that assign; none if it has one that is not known.
fn conversions(units: &[u32]) -> Option<Vec<Scanned>> {
    let mut rest =
        units.iter().map_while(|&unit| char::from_u32(unit).filter(|&unit| unit != '\0')).peekable();
    let mut found = Vec::new();
    while let Some(character) = rest.next() {
        if character != '%' || rest.next_if_eq(&'%').is_some() {
            continue;
        }
        let dropped = rest.next_if_eq(&'*').is_some();
        let mut width = 0i128;
        while let Some(digit) = rest.next_if(char::is_ascii_digit) {
            width = (width * 10 + i128::from(digit.to_digit(10)?)).min(1_000_000);
        }
        let mut wide = false;
        while let Some(size) = rest.next_if(|letter| "hlLqjzt".contains(*letter)) {
            wide |= size == 'l';
        }
        let scanned = match rest.next()? {
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'f' | 'e' | 'g' | 'a' | 'F' | 'E' | 'G' | 'A' => {
                Scanned::Number
            }
            'c' if !wide => Scanned::Characters(width.max(1)),
            's' if !wide => Scanned::Text(width),
            '[' if !wide => {
                rest.next_if_eq(&'^');
                rest.next_if_eq(&']');
                while rest.next()? != ']' {}
                Scanned::Text(width)
            }
            _ => return None,
        };
        if !dropped {
            found.push(scanned);
        }
    }
    Some(found)
}

impl<'a> Checker<'a> {
    /// A call of one of these functions; nothing if it is none, or reads numbers only.
    pub(super) fn scan_call(
        &mut self,
        name: &str,
        arguments: &'a [ast::ExprId],
        span: Span,
    ) -> Check<Option<ExprId>> {
        let plain = name.trim_start_matches("__isoc99_");
        let skipped = match plain {
            "scanf" => 0,
            "fscanf" | "sscanf" => 1,
            _ => return Ok(None),
        };
        if arguments.len() <= skipped || self.function.is_none() {
            return Ok(None);
        }
        let (before, rest) = arguments.split_at(skipped);
        let Some((&format, objects)) = rest.split_first() else { return Ok(None) };
        let ast::ExprKind::Text(_) = self.ast.exprs[format].kind else { return Ok(None) };
        let format = self.value(format)?;
        let conversions = self.literal_units(format).and_then(|units| conversions(&units));
        let Some(conversions) = conversions.filter(|found| found.len() <= objects.len()) else {
            return Ok(None);
        };
        if plain != "sscanf" && conversions.iter().all(|&scanned| scanned == Scanned::Number) {
            return Ok(None);
        }
        let int = self.tree.types.int;
        let most = self.int_node(conversions.len() as i128, int, span);
        let chooser = if plain == "sscanf" { "__unreach_scan_unknown" } else { "__unreach_scan_count" };
        let count = self.helper_call(chooser, vec![most], span)?;
        let var = self.hidden_variable("count", int, span);
        let literal = ExprKind::CompoundLiteral(var, Box::new(Init::Whole(count)));
        let literal = self.expr_node(literal, int, span);
        let mut all = self.value_of(literal)?;
        for &argument in before {
            let value = self.value(argument)?;
            all = self.expr_node(ExprKind::Comma(value, all), int, span);
        }
        for (number, (&object, &scanned)) in objects.iter().zip(&conversions).enumerate() {
            let pointer = self.value(object)?;
            let next = self.scanned(var, number, pointer, scanned)?;
            all = self.expr_node(ExprKind::Comma(all, next), int, span);
        }
        for &argument in objects.iter().skip(conversions.len()) {
            let value = self.value(argument)?;
            all = self.expr_node(ExprKind::Comma(all, value), int, span);
        }
        let result = self.count_of(var, span)?;
        Ok(Some(self.expr_node(ExprKind::Comma(all, result), int, span)))
    }

    fn count_of(&mut self, var: VarId, span: Span) -> Check<ExprId> {
        let place = self.expr_node(ExprKind::Variable(var), self.tree.types.int, span);
        self.value_of(place)
    }

    /// What one conversion does if so many objects are assigned that it is among them.
    fn scanned(&mut self, var: VarId, number: usize, pointer: ExprId, scanned: Scanned) -> Check<ExprId> {
        let span = self.span(pointer);
        let int = self.tree.types.int;
        let count = self.count_of(var, span)?;
        let number = self.int_node(number as i128, int, span);
        let given = self.binary(BinaryOp::Gt, count, number, span)?;
        let (kind, width) = match scanned {
            Scanned::Number => {
                let assigned = self.scanned_number(pointer, span)?;
                let one = self.int_node(1, int, span);
                let assigned = self.expr_node(ExprKind::Comma(assigned, one), int, span);
                return Ok(self.expr_node(ExprKind::Logical(LogicalOp::And, given, assigned), int, span));
            }
            Scanned::Characters(width) => (0, width),
            Scanned::Text(width) => (1, width),
        };
        let char_pointer = self.tree.types.pointer(self.tree.types.char);
        let to = self.convert(pointer, char_pointer, span)?;
        let (kind, width) = (self.int_node(kind, int, span), self.int_node(width, int, span));
        self.helper_call("__unreach_scan_text", vec![given, to, width, kind], span)
    }

    /// An object gets any number.
    fn scanned_number(&mut self, pointer: ExprId, span: Span) -> Check<ExprId> {
        let to = self.tree.types.pointee(self.ty(pointer));
        let Some(ty) = to.filter(|&ty| self.tree.types.is_arithmetic(ty)) else {
            return Err(Problem::unsupported(span, "`scanf` into something that is no number"));
        };
        let any = self.any_number("__nondet_scanf", ty, span)?;
        let place = self.expr_node(ExprKind::Deref(pointer), ty, span);
        Ok(self.expr_node(ExprKind::Assign(place, any), ty, span))
    }

    /// An arbitrary number of a type: an input, or on a marked statement, as the name begins.
    pub(super) fn any_number(&mut self, name: &str, ty: TypeId, span: Span) -> Check<ExprId> {
        let name = format!("{name}_{}", self.show(ty).replace(' ', "_"));
        let symbol = self.symbols.intern(&name);
        if !self.linked.contains_key(&symbol) {
            let function =
                FunctionType { result: ty, parameters: Vec::new(), variadic: false, unspecified: false };
            let function = self.tree.types.intern(Type::Function(Box::new(function)));
            let function = self.new_function(symbol, function, span);
            self.linked.insert(symbol, Entity::Function(function));
        }
        self.helper_call(&name, Vec::new(), span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        let of = |text: &str| conversions(&text.chars().map(u32::from).collect::<Vec<_>>());
        assert_eq!(of("%d %9s"), Some(vec![Scanned::Number, Scanned::Text(9)]));
        assert_eq!(of("%*d%%%c%4c"), Some(vec![Scanned::Characters(1), Scanned::Characters(4)]));
        assert_eq!(of("%[^]a]x%lf"), Some(vec![Scanned::Text(0), Scanned::Number]));
        assert_eq!(of("%n"), None);
        assert_eq!(of("%ls"), None);
        assert_eq!(of("100%"), None);
    }
}
