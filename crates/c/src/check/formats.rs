//! `sprintf`, `snprintf` and their relatives (C11 7.21.6): what they write.
//!
//! Where the format is a literal with whole numbers, characters and strings, a call becomes calls of functions that are
//! written in C, one for each piece of the format (`models/__unreach_put_*.c`); arguments are evaluated in their order. Otherwise
//! a text of unknown contents is written.

use super::{Check, Checker};
use crate::ast;
use crate::problem::Problem;
use crate::tree::{ExprId, ExprKind, Init, VarId};
use crate::types::{IntKind, Type, TypeId};
use base::Span;
use std::iter::Peekable;

/// Flags of a conversion, as the models know them.
const LEFT: i128 = 1;
const PLUS: i128 = 2;
const BLANK: i128 = 4;
const ZEROS: i128 = 16;
const CAPITALS: i128 = 32;
const HEXADECIMAL: i128 = 64;
const OCTAL: i128 = 128;
const SIGNED: i128 = 256;

/// A number in a format, or an argument that says it.
enum Number {
    None,
    Given(i128),
    Argument,
}

/// A piece of a format.
enum Piece {
    /// Characters that stand for themselves.
    Characters(Vec<u32>),
    /// A conversion: its letter, the size of its number, flags, width and precision.
    Conversion { letter: char, kind: IntKind, flags: i128, width: Number, precision: Number },
}

fn number(rest: &mut Peekable<impl Iterator<Item = char>>) -> Number {
    if rest.next_if_eq(&'*').is_some() {
        return Number::Argument;
    }
    let mut value = None;
    while let Some(digit) = rest.next_if(char::is_ascii_digit).and_then(|digit| digit.to_digit(10)) {
        let next = value.unwrap_or(0i128) * 10 + i128::from(digit);
        // A field of more characters is a mistake.
        value = Some(next.min(100_000));
    }
    value.map_or(Number::None, Number::Given)
}

/// The pieces of a format; none if it has something that is not written exactly.
fn pieces(units: &[u32]) -> Option<Vec<Piece>> {
    let text: Option<Vec<char>> = units.iter().map(|&unit| char::from_u32(unit)).collect();
    let text = text?;
    let mut rest = text.split(|&character| character == '\0').next()?.iter().copied().peekable();
    let mut found = Vec::new();
    let mut plain: Vec<u32> = Vec::new();
    while let Some(character) = rest.next() {
        if character != '%' || rest.next_if_eq(&'%').is_some() {
            plain.push(character.into());
            continue;
        }
        let mut flags = 0;
        while let Some(flag) = rest.next_if(|flag| "-+ 0".contains(*flag)) {
            flags |= match flag {
                '-' => LEFT,
                '+' => PLUS,
                ' ' => BLANK,
                _ => ZEROS,
            };
        }
        let width = number(&mut rest);
        let mut precision = Number::None;
        if rest.next_if_eq(&'.').is_some() {
            precision = match number(&mut rest) {
                Number::None => Number::Given(0),
                given => given,
            };
        }
        let mut size = String::new();
        while let Some(letter) = rest.next_if(|letter| "hljzt".contains(*letter)) {
            size.push(letter);
        }
        let kind = match size.as_str() {
            "hh" => IntKind::SignedChar,
            "h" => IntKind::Short,
            "" => IntKind::Int,
            "l" | "z" | "t" => IntKind::Long,
            "ll" | "j" => IntKind::LongLong,
            _ => return None,
        };
        let letter = rest.next()?;
        flags |= match letter {
            'd' | 'i' => SIGNED,
            'u' => 0,
            'x' => HEXADECIMAL,
            'X' => HEXADECIMAL | CAPITALS,
            'o' => OCTAL,
            'c' | 's' if size.is_empty() => 0,
            _ => return None,
        };
        if !plain.is_empty() {
            found.push(Piece::Characters(std::mem::take(&mut plain)));
        }
        found.push(Piece::Conversion { letter, kind, flags, width, precision });
    }
    if !plain.is_empty() {
        found.push(Piece::Characters(plain));
    }
    Some(found)
}

/// Where a text is written to, and how much fits.
#[derive(Clone, Copy)]
struct Buffer {
    text: ExprId,
    size: ExprId,
}

impl<'a> Checker<'a> {
    /// A call of one of these functions; nothing if it is none. The result of `printf` is taken from here if it is used.
    pub(super) fn format_call(
        &mut self,
        name: &str,
        arguments: &'a [ast::ExprId],
        dropped: bool,
        span: Span,
    ) -> Check<Option<ExprId>> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let (text, size, rest) = match (plain, arguments) {
            ("sprintf" | "vsprintf", [text, rest @ ..]) => (*text, None, rest),
            ("snprintf" | "vsnprintf", [text, size, rest @ ..]) => (*text, Some(*size), rest),
            ("printf", rest) if !dropped => return self.printed_length(rest, span),
            ("asprintf" | "vasprintf", [place, rest @ ..]) => {
                return self.new_text(plain, *place, rest, span);
            }
            _ => return Ok(None),
        };
        let Some((&format, given)) = rest.split_first() else { return Ok(None) };
        let Some(out) = self.known_record("__unreach_text") else { return Ok(None) };
        let size_type = self.tree.types.integer(self.tree.types.size_kind());
        let char_pointer = self.tree.types.pointer(self.tree.types.char);
        let text = self.value(text)?;
        let text = self.convert(text, char_pointer, span)?;
        let size = match size {
            Some(size) => {
                let size = self.value(size)?;
                self.convert(size, size_type, span)?
            }
            None => self.int_node(i128::from(u32::MAX) >> 1, size_type, span),
        };
        let format = self.value(format)?;
        let Some(pieces) = self.known_pieces(plain, format, given) else {
            return self.unknown_text(Buffer { text, size }, format, given, span).map(Some);
        };
        let (var, first) = self.text_object(out, span);
        let start = self.helper_call("__unreach_put_start", vec![first, text, size], span)?;
        let all = self.put_pieces(start, var, pieces, given)?;
        let pointer = self.tree.types.pointer(out);
        let place = self.place_of(var, pointer, span);
        let end = self.helper_call("__unreach_put_end", vec![place], span)?;
        Ok(Some(self.expr_node(ExprKind::Comma(all, end), self.tree.types.int, span)))
    }

    /// The length of what `printf` prints, where that takes a look at strings in memory; what else it may be is found when
    /// the call is translated.
    fn printed_length(&mut self, rest: &'a [ast::ExprId], span: Span) -> Check<Option<ExprId>> {
        let Some((&format, given)) = rest.split_first() else { return Ok(None) };
        let Some(out) = self.known_record("__unreach_text") else { return Ok(None) };
        let ast::ExprKind::Text(_) = self.ast.exprs[format].kind else { return Ok(None) };
        let format = self.value(format)?;
        let Some(pieces) = self.known_pieces("printf", format, given) else { return Ok(None) };
        let is_string = |piece: &Piece| matches!(piece, Piece::Conversion { letter: 's', .. });
        let in_memory = |&given: &ast::ExprId| !matches!(self.ast.exprs[given].kind, ast::ExprKind::Text(_));
        if !pieces.iter().any(is_string) || !given.iter().any(in_memory) {
            return Ok(None);
        }
        let char_pointer = self.tree.types.pointer(self.tree.types.char);
        let size_type = self.tree.types.integer(self.tree.types.size_kind());
        let nowhere = self.int_node(0, char_pointer, span);
        let size = self.int_node(0, size_type, span);
        let (var, first) = self.text_object(out, span);
        let start = self.helper_call("__unreach_put_start", vec![first, nowhere, size], span)?;
        let all = self.put_pieces(start, var, pieces, given)?;
        let pointer = self.tree.types.pointer(out);
        let place = self.place_of(var, pointer, span);
        let end = self.helper_call("__unreach_put_end", vec![place], span)?;
        Ok(Some(self.expr_node(ExprKind::Comma(all, end), self.tree.types.int, span)))
    }

    /// `asprintf` and `vasprintf`: the text goes into a new block. Its size is guessed, and only right guesses go on.
    fn new_text(
        &mut self,
        plain: &str,
        place: ast::ExprId,
        rest: &'a [ast::ExprId],
        span: Span,
    ) -> Check<Option<ExprId>> {
        let Some((&format, given)) = rest.split_first() else { return Ok(None) };
        let Some(out) = self.known_record("__unreach_text") else { return Ok(None) };
        let char_pointer = self.tree.types.pointer(self.tree.types.char);
        let to = self.tree.types.pointer(char_pointer);
        let place = self.value(place)?;
        let place = self.convert(place, to, span)?;
        let format = self.value(format)?;
        let held = self.hidden_variable("place", to, span);
        let literal = ExprKind::CompoundLiteral(held, Box::new(Init::Whole(place)));
        let literal = self.expr_node(literal, to, span);
        let place = self.value_of(literal)?;
        let (var, first) = self.text_object(out, span);
        let start = self.helper_call("__unreach_put_new", vec![first], span)?;
        let mut all = self.expr_node(ExprKind::Comma(place, start), self.tree.types.void, span);
        let pointer = self.tree.types.pointer(out);
        all = match self.known_pieces(plain, format, given) {
            Some(pieces) => self.put_pieces(all, var, pieces, given)?,
            None => {
                let object = self.place_of(var, pointer, span);
                let text = self.helper_call("__unreach_put_any", vec![object], span)?;
                let effects = self.unknown_arguments(format, given, span)?;
                let both = self.expr_node(ExprKind::Comma(effects, text), self.tree.types.void, span);
                self.expr_node(ExprKind::Comma(all, both), self.tree.types.void, span)
            }
        };
        let object = self.place_of(var, pointer, span);
        let place = self.expr_node(ExprKind::Variable(held), to, span);
        let place = self.value_of(place)?;
        let end = self.helper_call("__unreach_put_new_end", vec![object, place], span)?;
        Ok(Some(self.expr_node(ExprKind::Comma(all, end), self.tree.types.int, span)))
    }

    /// The pieces of a format that is known, if there are enough arguments for them.
    fn known_pieces(&self, plain: &str, format: ExprId, given: &[ast::ExprId]) -> Option<Vec<Piece>> {
        if plain.starts_with('v') {
            return None;
        }
        let known = self.literal_units(format).and_then(|units| pieces(&units));
        known.filter(|pieces| wanted(pieces) <= given.len())
    }

    /// A hidden object that says where a text goes to, and its address where it is made.
    fn text_object(&mut self, out: TypeId, span: Span) -> (VarId, ExprId) {
        let var = self.hidden_variable("text", out, span);
        self.tree.variables[var].address_taken = true;
        let first =
            self.expr_node(ExprKind::CompoundLiteral(var, Box::new(Init::Parts(Vec::new()))), out, span);
        let pointer = self.tree.types.pointer(out);
        (var, self.address(first, pointer, span))
    }

    /// Calls that write the pieces of a format, one behind the other, behind an expression.
    fn put_pieces(
        &mut self,
        before: ExprId,
        var: VarId,
        pieces: Vec<Piece>,
        given: &'a [ast::ExprId],
    ) -> Check<ExprId> {
        let span = self.span(before);
        let pointer = self.tree.types.pointer(self.tree.variables[var].ty);
        let mut all = before;
        let mut given = given.iter();
        for piece in pieces {
            let call = match piece {
                Piece::Characters(mut units) => {
                    let count = self.int_node(units.len() as i128, self.tree.types.int, span);
                    units.push(0);
                    let characters = self.literal_node(units, span)?;
                    let place = self.place_of(var, pointer, span);
                    self.helper_call("__unreach_put_characters", vec![place, characters, count], span)?
                }
                Piece::Conversion { letter, kind, flags, width, precision } => {
                    let width = self.said(width, &mut given, 0, span)?;
                    let precision = self.said(precision, &mut given, -1, span)?;
                    let Some(&argument) = given.next() else { return Ok(all) };
                    let place = self.place_of(var, pointer, span);
                    let (value, helper) = self.formatted(argument, (letter, kind))?;
                    let flags = self.int_node(flags, self.tree.types.int, span);
                    let mut passed = vec![place, value, flags, width];
                    if letter != 'c' {
                        passed.push(precision);
                    }
                    self.helper_call(helper, passed, span)?
                }
            };
            all = self.expr_node(ExprKind::Comma(all, call), self.tree.types.void, span);
        }
        // Arguments in excess are evaluated.
        for &argument in given {
            let value = self.value(argument)?;
            all = self.expr_node(ExprKind::Comma(all, value), self.tree.types.void, span);
        }
        Ok(all)
    }

    /// The value of an argument as its conversion wants it, and the function that writes it.
    fn formatted(
        &mut self,
        argument: ast::ExprId,
        (letter, kind): (char, IntKind),
    ) -> Check<(ExprId, &'static str)> {
        let value = self.value(argument)?;
        let span = self.span(value);
        let int = self.tree.types.int;
        let char_pointer = self.tree.types.pointer(self.tree.types.char);
        match letter {
            's' => Ok((self.convert(value, char_pointer, span)?, "__unreach_put_string")),
            'c' => Ok((self.convert(value, int, span)?, "__unreach_put_character")),
            _ if !self.tree.types.is_scalar(self.ty(value))
                || matches!(self.tree.types[self.ty(value)], Type::Float(_)) =>
            {
                Err(Problem::unsupported(span, "an argument that does not fit its conversion"))
            }
            _ => {
                let kind = if matches!(letter, 'd' | 'i') { kind } else { kind.to_unsigned() };
                let narrow = self.tree.types.integer(kind);
                let wide = self.tree.types.integer(IntKind::UnsignedLongLong);
                let value = self.convert(value, narrow, span)?;
                Ok((self.convert(value, wide, span)?, "__unreach_put_integer"))
            }
        }
    }

    /// A width or a precision.
    fn said(
        &mut self,
        number: Number,
        given: &mut std::slice::Iter<'a, ast::ExprId>,
        otherwise: i128,
        span: Span,
    ) -> Check<ExprId> {
        let int = self.tree.types.int;
        match (number, given) {
            (Number::Given(value), _) => Ok(self.int_node(value, int, span)),
            (Number::None, _) => Ok(self.int_node(otherwise, int, span)),
            (Number::Argument, given) => match given.next() {
                Some(&argument) => {
                    let value = self.value(argument)?;
                    self.convert(value, int, span)
                }
                None => Ok(self.int_node(otherwise, int, span)),
            },
        }
    }

    /// The address of a hidden variable.
    fn place_of(&mut self, var: VarId, pointer: TypeId, span: Span) -> ExprId {
        let ty = self.tree.variables[var].ty;
        let place = self.expr_node(ExprKind::Variable(var), ty, span);
        self.address(place, pointer, span)
    }

    /// A literal with these units, as a pointer.
    fn literal_node(&mut self, units: Vec<u32>, span: Span) -> Check<ExprId> {
        let length = crate::types::Length::Known(units.len() as u64);
        let text = self.tree.texts.push(units);
        let ty = self.tree.types.intern(Type::Array(self.tree.types.char, length));
        let place = self.expr_node(ExprKind::Text(text), ty, span);
        self.value_of(place)
    }

    /// The units of an expression that is a string literal.
    pub(super) fn literal_units(&self, expr: ExprId) -> Option<Vec<u32>> {
        match self.tree.exprs[expr].kind {
            ExprKind::Convert(inner) | ExprKind::AddressOf(inner) => self.literal_units(inner),
            ExprKind::Text(text) => Some(self.tree.texts[text].clone()),
            _ => None,
        }
    }

    /// A text of which nothing is known, behind the effects of the arguments.
    fn unknown_text(
        &mut self,
        Buffer { text, size }: Buffer,
        format: ExprId,
        given: &'a [ast::ExprId],
        span: Span,
    ) -> Check<ExprId> {
        let all = self.unknown_arguments(format, given, span)?;
        let call = self.helper_call("__unreach_put_unknown", vec![text, size], span)?;
        Ok(self.expr_node(ExprKind::Comma(all, call), self.tree.types.int, span))
    }

    /// The effects of a format and arguments of which nothing is known.
    fn unknown_arguments(&mut self, format: ExprId, given: &'a [ast::ExprId], span: Span) -> Check<ExprId> {
        let writes = self.literal_units(format).is_none_or(|units| units.contains(&u32::from('n')));
        let mut all = self.expr_node(ExprKind::Convert(format), self.tree.types.void, span);
        for &argument in given {
            let value = self.value(argument)?;
            if writes && self.tree.types.pointee(self.ty(value)).is_some_and(|to| to == self.tree.types.int) {
                return Err(Problem::unsupported(span, "a format that may write through a pointer"));
            }
            all = self.expr_node(ExprKind::Comma(all, value), self.tree.types.void, span);
        }
        Ok(all)
    }
}

/// How many arguments the pieces of a format take.
fn wanted(pieces: &[Piece]) -> usize {
    let says = |number: &Number| usize::from(matches!(number, Number::Argument));
    let one = |piece: &Piece| match piece {
        Piece::Characters(_) => 0,
        Piece::Conversion { width, precision, .. } => 1 + says(width) + says(precision),
    };
    pieces.iter().map(one).sum()
}
