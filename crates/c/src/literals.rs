//! The values of number, character and string literals (C11 6.4.4, 6.4.5).

/// An integer literal: its value and what its spelling says about its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntegerLiteral {
    /// The value.
    pub value: u128,
    /// Whether it has the suffix `u`.
    pub unsigned: bool,
    /// How many `l` its suffix has.
    pub longs: u8,
    /// Whether it is decimal: only others may become unsigned without a suffix.
    pub decimal: bool,
}

/// The spelling of a number in lower case, without the separators that C23 allows between digits.
fn without_separators(text: &str) -> String {
    text.to_ascii_lowercase().replace('\'', "")
}

/// Reads an integer literal. `None` if the spelling is not one.
pub fn integer(text: &str) -> Option<IntegerLiteral> {
    let lower = without_separators(text);
    let (digits, radix) = if let Some(rest) = lower.strip_prefix("0x") {
        (rest, 16)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (rest, 2)
    } else if lower.starts_with('0') {
        (&lower[..], 8)
    } else {
        (&lower[..], 10)
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let value = u128::from_str_radix(&digits[..end], radix).ok()?;
    let (unsigned, longs) = match &digits[end..] {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return None,
    };
    Some(IntegerLiteral { value, unsigned, longs, decimal: radix == 10 })
}

/// Reads the spelling of a floating literal: the digits without suffix, and the suffix in lower case.
pub fn float(text: &str) -> Option<(String, String)> {
    let lower = without_separators(text);
    let hexadecimal = lower.starts_with("0x");
    let is_suffix = |c: char| if hexadecimal { "lq".contains(c) } else { "fdlqij".contains(c) };
    let mut end = lower.len();
    for suffix in ["f128", "f64x", "f64", "f32x", "f32", "df", "dd", "dl"] {
        if !hexadecimal && lower.ends_with(suffix) {
            end = lower.len() - suffix.len();
        }
    }
    if end == lower.len() {
        let trimmed = lower.trim_end_matches(is_suffix).len();
        // In a hexadecimal float `f` is a suffix only behind the exponent.
        let exponent = lower.find('p').unwrap_or(lower.len());
        end = if hexadecimal && lower[exponent..].ends_with('f') { lower.len() - 1 } else { trimmed };
    }
    let (digits, suffix) = lower.split_at(end);
    let valid = match hexadecimal {
        true => {
            digits.contains('p') && digits[2..].chars().all(|c| c.is_ascii_hexdigit() || "p+-.".contains(c))
        }
        false => digits.contains(['.', 'e']) && digits.parse::<f64>().is_ok(),
    };
    valid.then(|| (digits.to_owned(), suffix.to_owned()))
}

/// The character that stands for the raw byte 0; others follow.
pub const RAW_BYTES: u32 = 0x10_ff00;

/// The encoding of a character constant or string literal; the greater one wins where strings are joined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Prefix {
    /// Bytes.
    None,
    /// `u8`: bytes.
    Utf8,
    /// `u`: units of 16 bits.
    Utf16,
    /// `U`: units of 32 bits.
    Utf32,
    /// `L`: units of 32 bits.
    Wide,
}

/// The prefix of a literal with its quotes.
pub fn prefix(text: &str) -> Prefix {
    match text.as_bytes() {
        [b'u', b'8', ..] => Prefix::Utf8,
        [b'u', ..] => Prefix::Utf16,
        [b'U', ..] => Prefix::Utf32,
        [b'L', ..] => Prefix::Wide,
        _ => Prefix::None,
    }
}

/// One piece of a literal: a character of the source, or the number that an escape gives.
enum Piece {
    Character(char),
    Unit(u32),
}

/// The code units of a literal with its quotes, without the final zero, in an encoding that may be that of another piece of
/// a joined string. `None` if it is malformed.
pub fn units(text: &str, encoding: Prefix) -> Option<Vec<u32>> {
    let start = text.find(['"', '\''])?;
    let quote = text[start..].chars().next()?;
    let inside = text[start..].strip_prefix(quote)?.strip_suffix(quote)?;
    let mut out = Vec::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(character) = rest.chars().next() {
        rest = &rest[character.len_utf8()..];
        let piece = match character {
            '\\' => escape(&mut rest)?,
            raw if u32::from(raw) >= RAW_BYTES => Some(Piece::Unit(u32::from(raw) - RAW_BYTES)),
            other => Some(Piece::Character(other)),
        };
        match (piece, encoding) {
            (None, _) => {}
            // Numbers that do not fit are cut, as compilers do with a warning.
            (Some(Piece::Unit(unit)), Prefix::None | Prefix::Utf8) => out.push(unit & 0xff),
            (Some(Piece::Unit(unit)), Prefix::Utf16) => out.push(unit & 0xffff),
            (Some(Piece::Unit(unit)), _) => out.push(unit),
            (Some(Piece::Character(character)), Prefix::None | Prefix::Utf8) => {
                out.extend(character.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
            }
            (Some(Piece::Character(character)), Prefix::Utf16) => {
                out.extend(character.encode_utf16(&mut [0; 2]).iter().map(|&unit| u32::from(unit)));
            }
            (Some(Piece::Character(character)), _) => out.push(character.into()),
        }
    }
    Some(out)
}

/// Reads an escape behind its backslash. Nothing inside is a joined line; `None` outside is a mistake.
fn escape(rest: &mut &str) -> Option<Option<Piece>> {
    let character = rest.chars().next()?;
    *rest = &rest[character.len_utf8()..];
    let digits = |rest: &mut &str, radix: u32, most: usize| {
        let length = rest.chars().take(most).take_while(|c| c.is_digit(radix)).count();
        let (digits, behind) = rest.split_at(length);
        *rest = behind;
        digits
            .chars()
            .fold(0u32, |value, c| value.wrapping_mul(radix).wrapping_add(c.to_digit(radix).unwrap_or(0)))
    };
    Some(Some(Piece::Unit(match character {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' | 'E' => 27,
        '\n' => return Some(None),
        '\r' if rest.starts_with('\n') => {
            *rest = &rest[1..];
            return Some(None);
        }
        '0'..='7' => {
            let first = character.to_digit(8)?;
            let before = rest.len();
            let more = digits(rest, 8, 2);
            first * 8u32.pow((before - rest.len()) as u32) + more
        }
        'x' if rest.starts_with(|c: char| c.is_ascii_hexdigit()) => digits(rest, 16, usize::MAX),
        'u' | 'U' => {
            let length = if character == 'u' { 4 } else { 8 };
            let before = rest.len();
            let value = digits(rest, 16, length);
            if before - rest.len() != length {
                return None;
            }
            return Some(Some(Piece::Character(char::from_u32(value)?)));
        }
        'x' => return None,
        // Compilers warn about others, and take the character.
        other => return Some(Some(Piece::Character(other))),
    })))
}

/// The value of a character constant, with its prefix, which tells the type.
pub fn character(text: &str) -> Option<(i64, Prefix)> {
    let prefix = prefix(text);
    let units = units(text, prefix)?;
    let value = match (&units[..], prefix) {
        ([], _) => return None,
        // Plain `char` is signed in both data models.
        ([unit], Prefix::None) => i64::from(*unit as u8 as i8),
        // Several characters make an `int` as gcc computes it.
        (_, Prefix::None) => {
            i64::from(units.iter().fold(0i32, |value, &unit| value.wrapping_shl(8) | unit.cast_signed()))
        }
        (units, Prefix::Wide) => i64::from(units.last()?.cast_signed()),
        (units, _) => i64::from(*units.last()?),
    };
    Some((value, prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::float::Format;

    #[test]
    fn integers() {
        let value = |text| integer(text).map(|l| (l.value, l.unsigned, l.longs, l.decimal));
        for (text, expected) in [
            ("0", Some((0, false, 0, false))),
            ("42UL", Some((42, true, 1, true))),
            ("0x1Fll", Some((31, false, 2, false))),
            ("017", Some((15, false, 0, false))),
            ("0b101u", Some((5, true, 0, false))),
            ("08", None),
            ("1lul", None),
            ("1.0", None),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn floats() {
        for (text, expected) in [
            ("1.5", Some(1.5)),
            ("1e3f", Some(1000.0)),
            (".5L", Some(0.5)),
            ("0x1.8p1", Some(3.0)),
            ("0x1p-2f", Some(0.25)),
            ("1.0F128", Some(1.0)),
            ("12q4", None),
        ] {
            let value = float(text).and_then(|(digits, _)| Format::DOUBLE.parse(&digits));
            assert_eq!(value, expected.map(|value: f64| value.to_bits().into()), "{text}");
        }
    }

    #[test]
    fn characters_and_strings() {
        let value = |text| character(text).map(|(value, _)| value);
        assert_eq!(value("'a'"), Some(97));
        assert_eq!(value("'\\xff'"), Some(-1));
        assert_eq!(value("'\\0'"), Some(0));
        assert_eq!(value("L'\\u00e9'"), Some(0xe9));
        assert_eq!(value("L'\\x20ac'"), Some(0x20ac));
        assert_eq!(value("''"), None);
        assert_eq!(value("'ab'"), Some(97 * 256 + 98));
        assert_eq!(character("u'\\xffff'"), Some((0xffff, Prefix::Utf16)));
        let narrow = |text| units(text, Prefix::None);
        assert_eq!(narrow("\"a\\n\\101\\\"\"").as_deref(), Some(&[97, 10, 65, 34][..]));
        assert_eq!(narrow("\"\\xzz\""), None);
        assert_eq!(narrow("\"\u{e9}\"").as_deref(), Some(&[0xc3, 0xa9][..]));
        assert_eq!(units("u\"\u{1f600}\"", Prefix::Utf16).as_deref(), Some(&[0xd83d, 0xde00][..]));
        assert_eq!(units("\"\u{e9}\"", Prefix::Wide).as_deref(), Some(&[0xe9][..]));
    }
}
