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

/// Reads an integer literal. `None` if the spelling is not one.
pub fn integer(text: &str) -> Option<IntegerLiteral> {
    let lower = text.to_ascii_lowercase();
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
    let lower = text.to_ascii_lowercase();
    let hexadecimal = lower.starts_with("0x");
    let is_suffix = |c: char| if hexadecimal { "lq".contains(c) } else { "flqij".contains(c) };
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

/// The bytes of a narrow string literal or character constant with its quotes, without the final zero.
/// `None` for wide literals and malformed escapes.
pub fn bytes(text: &str) -> Option<Vec<u8>> {
    let text = text.strip_prefix("u8").unwrap_or(text);
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inside = text.strip_prefix(quote)?.strip_suffix(quote)?.as_bytes();
    let mut out = Vec::with_capacity(inside.len());
    let mut index = 0;
    while let Some(&byte) = inside.get(index) {
        index += 1;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let escape = *inside.get(index)?;
        index += 1;
        match escape {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'v' => out.push(11),
            b'e' => out.push(27),
            b'\\' | b'\'' | b'"' | b'?' => out.push(escape),
            b'\n' => {}
            b'\r' if inside.get(index) == Some(&b'\n') => index += 1,
            b'0'..=b'7' => {
                let mut value = u32::from(escape - b'0');
                for _ in 0..2 {
                    match inside.get(index) {
                        Some(&digit @ b'0'..=b'7') => value = value * 8 + u32::from(digit - b'0'),
                        _ => break,
                    }
                    index += 1;
                }
                out.push(u8::try_from(value).ok()?);
            }
            b'x' => {
                let length = inside[index..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
                let digits = std::str::from_utf8(&inside[index..index + length]).ok()?;
                out.push(u8::from_str_radix(digits, 16).ok()?);
                index += length;
            }
            b'u' | b'U' => {
                let length = if escape == b'u' { 4 } else { 8 };
                let digits = std::str::from_utf8(inside.get(index..index + length)?).ok()?;
                let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                index += length;
            }
            _ => return None,
        }
    }
    Some(out)
}

/// The code units of a wide literal (`L`, `u`, `U` prefix), without the final zero; escapes as in [`bytes`].
pub fn wide(text: &str) -> Option<Vec<u32>> {
    let narrow = bytes(text.strip_prefix(['L', 'u', 'U'])?)?;
    Some(String::from_utf8(narrow).ok()?.chars().map(u32::from).collect())
}

/// The value of a character constant, of type `int` (or `wchar_t`).
pub fn character(text: &str) -> Option<i64> {
    if let Some(units) = wide(text) {
        return units.last().map(|&unit| i64::from(unit));
    }
    let bytes = bytes(text)?;
    match bytes[..] {
        [] => None,
        // Plain `char` is signed in both data models.
        [byte] => Some(i64::from(byte as i8)),
        // Several characters make an `int` as gcc computes it.
        _ => Some(i64::from(bytes.iter().fold(0i32, |value, &b| value.wrapping_shl(8) | i32::from(b)))),
    }
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
        assert_eq!(character("'a'"), Some(97));
        assert_eq!(character("'\\xff'"), Some(-1));
        assert_eq!(character("'\\0'"), Some(0));
        assert_eq!(character("L'\\u00e9'"), Some(0xe9));
        assert_eq!(character("''"), None);
        assert_eq!(character("'ab'"), Some(97 * 256 + 98));
        assert_eq!(bytes("\"a\\n\\101\\\"\"").as_deref(), Some(&b"a\nA\""[..]));
        assert_eq!(bytes("\"\\q\""), None);
    }
}
