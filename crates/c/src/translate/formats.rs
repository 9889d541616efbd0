//! How many characters the functions of the family of `printf` write (C11 7.21.6.1), where the format is a literal.
//!
//! Whole numbers, characters and string literals with any flags, widths and precisions that stand in the format are
//! counted exactly. Other conversions are not: then the result is not known.

use super::numbers::Interval;
use super::values::Value;
use super::{Result, Translator};
use crate::tree::{ExprId, TextId};
use crate::types::IntKind;
use ir::{BinaryOp, Expr};
use std::iter::Peekable;

/// A conversion of a format.
#[derive(Default)]
struct Conversion {
    /// Whether a sign or a blank stands before numbers that are not negative.
    signed: bool,
    alternative: bool,
    width: u64,
    precision: Option<u64>,
    /// The size of the number: `hh`, `h`, `l`, `ll`, `j`, `z`, `t`.
    size: String,
    /// What it converts.
    letter: char,
}

/// The characters of a format between conversions, and the conversions.
enum Piece {
    Characters(u64),
    Conversion(Conversion),
}

/// The number that comes next, of at most four digits; 0 if there is none.
fn number(rest: &mut Peekable<impl Iterator<Item = char>>) -> u64 {
    let mut value = 0;
    for _ in 0..4 {
        let digit = rest.next_if(char::is_ascii_digit).and_then(|digit| digit.to_digit(10));
        let Some(digit) = digit else { break };
        value = value * 10 + u64::from(digit);
    }
    value
}

/// The pieces of a format; none if it has something that is not counted.
fn pieces(units: &[u32]) -> Option<Vec<Piece>> {
    let text: Option<Vec<char>> = units.iter().map(|&unit| char::from_u32(unit)).collect();
    let text = text?;
    let mut rest = text.split(|&character| character == '\0').next()?.iter().copied().peekable();
    let mut found = Vec::new();
    while let Some(character) = rest.next() {
        if character != '%' {
            found.push(Piece::Characters(1));
            continue;
        }
        let mut conversion = Conversion::default();
        while let Some(flag) = rest.next_if(|flag| "-+ #0".contains(*flag)) {
            conversion.signed |= "+ ".contains(flag);
            conversion.alternative |= flag == '#';
        }
        conversion.width = number(&mut rest);
        if rest.next_if_eq(&'.').is_some() {
            conversion.precision = Some(number(&mut rest));
        }
        while let Some(letter) = rest.next_if(|letter| "hljzt".contains(*letter)) {
            conversion.size.push(letter);
        }
        conversion.letter = rest.next()?;
        let plain = conversion.size.is_empty();
        found.push(match conversion.letter {
            '%' => Piece::Characters(1),
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' if !conversion.alternative => Piece::Conversion(conversion),
            'c' | 's' if plain => Piece::Conversion(conversion),
            _ => return None,
        });
    }
    Some(found)
}

impl Translator<'_> {
    /// The number of characters that a format makes of arguments.
    pub(super) fn formatted_length(
        &mut self,
        format: TextId,
        (arguments, values): (&[ExprId], &[Value]),
    ) -> Result<Option<Value>> {
        let Some(pieces) = pieces(&self.tree.texts[format]) else { return Ok(None) };
        let (mut total, mut range) = (self.int(0), Interval::exactly(0));
        let mut next = arguments.iter().copied().zip(values);
        for piece in pieces {
            let (length, interval) = match piece {
                Piece::Characters(count) => (self.int(count), Interval::exactly(count.into())),
                Piece::Conversion(conversion) => {
                    let Some((argument, value)) = next.next() else { return Ok(None) };
                    let Some(length) = self.converted_length(&conversion, argument, value)? else {
                        return Ok(None);
                    };
                    length
                }
            };
            total = self.add(total, length);
            range = range.add(interval);
        }
        let total = self.freeze(total);
        Ok(Some(Value::Int(total, range)))
    }

    fn converted_length(
        &mut self,
        conversion: &Conversion,
        argument: ExprId,
        value: &Value,
    ) -> Result<Option<(Expr, Interval)>> {
        let width = i128::from(conversion.width);
        if conversion.letter == 'c' {
            let length = width.max(1);
            return Ok(Some((self.int(length), Interval::exactly(length))));
        }
        if conversion.letter == 's' {
            let Some(text) = self.text_of(argument) else { return Ok(None) };
            let units = self.tree.texts[text].iter().take_while(|&&unit| unit != 0).count() as u64;
            let length = i128::from(conversion.precision.map_or(units, |most| units.min(most))).max(width);
            return Ok(Some((self.int(length), Interval::exactly(length))));
        }
        let &Value::Int(number, interval) = value else { return Ok(None) };
        let kind = match conversion.size.as_str() {
            "hh" => IntKind::SignedChar,
            "h" => IntKind::Short,
            "" => IntKind::Int,
            "l" | "z" | "t" => IntKind::Long,
            "ll" | "j" => IntKind::LongLong,
            _ => return Ok(None),
        };
        let signed = matches!(conversion.letter, 'd' | 'i');
        let kind = if signed { kind } else { kind.to_unsigned() };
        let Value::Int(number, _) = self.fit(number, interval, kind)? else { return Ok(None) };
        let number = self.share(number);
        let zero = self.int(0);
        let negative = self.compare(BinaryOp::Less, number, zero);
        let opposite = self.subtract(zero, number);
        let size = if signed { self.ite(negative, opposite, number) } else { number };
        let size = self.share(size);
        let base: i128 = match conversion.letter {
            'x' | 'X' => 16,
            'o' => 8,
            _ => 10,
        };
        let least = conversion.precision.unwrap_or(1);
        let mut digits = self.int(least);
        let mut most = i128::from(least);
        let mut power = 1i128;
        let limit = 1i128 << kind.width(self.tree.types.model);
        let mut count = 1;
        while power * base < limit {
            power *= base;
            count += 1;
            if count > i128::from(least) {
                let bound = self.int(power);
                let more = self.compare(BinaryOp::GreaterEqual, size, bound);
                let here = self.int(count);
                digits = self.ite(more, here, digits);
                most = count;
            }
        }
        if least == 0 {
            let (one, nothing) = (self.int(1), self.equal(number, zero));
            let some = self.compare(BinaryOp::Greater, digits, zero);
            let shown = self.ite(some, digits, one);
            digits = self.ite(nothing, zero, shown);
            most = most.max(1);
        }
        let (one, sign) = (self.int(1), if conversion.signed && signed { 1 } else { 0 });
        let plain = self.int(sign);
        let sign = if signed { self.ite(negative, one, plain) } else { zero };
        let length = self.add(digits, sign);
        let length = self.share(length);
        let least_width = self.int(width);
        let narrow = self.compare(BinaryOp::Less, length, least_width);
        let length = self.ite(narrow, least_width, length);
        let interval = Interval { low: width.max(least.min(1).into()), high: (most + 1).max(width) };
        Ok(Some((self.freeze(length), interval)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(format: &str) -> Option<usize> {
        let units: Vec<u32> = format.chars().map(u32::from).collect();
        pieces(&units).map(|pieces| pieces.len())
    }

    #[test]
    fn formats_have_pieces() {
        assert_eq!(count("a%5d%%"), Some(3));
        assert_eq!(count("%-08.3lx"), Some(1));
        assert_eq!(count("%f"), None);
        assert_eq!(count("%*d"), None);
        assert_eq!(count("%"), None);
    }
}
