//! Numbers as C writes them.

use crate::format::{Class, Format};
use crate::round::{Magnitude, Quotient};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

/// Decimal exponents beyond this are infinite or zero in every format.
const LARGEST_DECIMAL: i64 = 5_200;

impl Format {
    /// The number nearest to a literal without its suffix: decimal, or hexadecimal with a binary exponent.
    pub fn parse(self, literal: &str) -> Option<BigUint> {
        let lower = literal.to_ascii_lowercase();
        match lower.strip_prefix("0x") {
            Some(rest) => self.parse_digits(rest, 16, 'p'),
            None => self.parse_digits(&lower, 10, 'e'),
        }
    }

    fn parse_digits(self, text: &str, radix: u32, mark: char) -> Option<BigUint> {
        let (mantissa, exponent) = text.split_once(mark).unwrap_or((text, "0"));
        let digits_of_exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if digits_of_exponent.is_empty() || !digits_of_exponent.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        // An exponent that does not fit is beyond all formats anyway.
        let limit = if exponent.starts_with('-') { i64::MIN / 16 } else { i64::MAX / 16 };
        let exponent = exponent.parse::<i64>().ok().filter(|e| e.abs() < i64::MAX / 16).unwrap_or(limit);
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = [whole, fraction].concat();
        if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
            return None;
        }
        let magnitude = BigUint::parse_bytes(digits.as_bytes(), radix)?;
        if magnitude.is_zero() {
            return Some(BigUint::zero());
        }
        let behind = fraction.len() as i64;
        if radix == 16 {
            let exponent = exponent - 4 * behind;
            let leading = exponent + magnitude.bits() as i64;
            return Some(match leading {
                ..-40_000 => BigUint::zero(),
                40_000.. => self.infinity(),
                _ => self.nearest(false, &Magnitude::exact(magnitude, exponent)),
            });
        }
        let significant = digits.trim_start_matches('0').len() as i64;
        let exponent = exponent - behind;
        let power = |by: i64| BigUint::from(10u32).pow(by.unsigned_abs().to_u32().unwrap_or(u32::MAX));
        Some(match significant + exponent {
            small if small < -LARGEST_DECIMAL => BigUint::zero(),
            large if large > LARGEST_DECIMAL => self.infinity(),
            _ if exponent >= 0 => self.nearest(false, &Magnitude::exact(magnitude * power(exponent), 0)),
            _ => {
                let quotient = Quotient { dividend: &magnitude, divisor: &power(exponent) };
                self.to_nearest().next_quotient(false, quotient, 0)
            }
        })
    }

    /// A bit pattern as an expression of C: the shortest decimal that is read back as this number, without suffix.
    pub fn show(self, bits: &BigUint) -> String {
        match self.class(bits) {
            Class::Nan => "NAN".to_owned(),
            Class::Infinite(negative) => if negative { "-INFINITY" } else { "INFINITY" }.to_owned(),
            Class::Finite { .. } => match (self, bits.to_u64()) {
                (Format::SINGLE, Some(bits)) => format!("{:?}", f32::from_bits(bits as u32)),
                (Format::DOUBLE, Some(bits)) => format!("{:?}", f64::from_bits(bits)),
                _ => self.hexadecimal(bits),
            },
        }
    }

    /// A finite number exactly, as a hexadecimal literal with a sign; nothing for others.
    fn hexadecimal(self, bits: &BigUint) -> String {
        let Class::Finite { negative, magnitude, exponent } = self.class(bits) else { return String::new() };
        let sign = if negative { "-" } else { "" };
        let zeros = magnitude.trailing_zeros().unwrap_or(0);
        let power = if magnitude.is_zero() { 0 } else { exponent + zeros as i64 };
        format!("{sign}0x{:x}p{power}", magnitude >> zeros)
    }

    /// A bit pattern as a constant expression of GNU C that is exactly this number. A NaN keeps only its sign.
    pub fn constant(self, bits: &BigUint) -> String {
        let negative = bits & self.sign() != BigUint::zero();
        let sign = if negative { "-" } else { "" };
        match self.class(bits) {
            Class::Nan => format!("{sign}__builtin_nanf(\"\")"),
            Class::Infinite(_) => format!("{sign}__builtin_inff()"),
            Class::Finite { .. } => format!("{}{}", self.hexadecimal(bits), self.suffix()),
        }
    }

    /// The suffix of literals of the type that has this format.
    fn suffix(self) -> &'static str {
        match self {
            Format::SINGLE => "f",
            Format::DOUBLE => "",
            Format::EXTENDED => "L",
            _ => "Q",
        }
    }

    /// 1.
    pub fn one(self) -> BigUint {
        self.nearest(false, &Magnitude::exact(BigUint::one(), 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read_as_compilers_do() {
        let texts = [
            "0.1",
            "1e400",
            "1e-400",
            "4.9e-324",
            "2.4703282292062327208e-324",
            "2.4703282292062328e-324",
            "1e22",
            "123456789012345678901234567890",
            ".5",
            "5.",
            "1e+10",
            "9007199254740993",
            "9007199254740993.0000001",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "2.2250738585072011e-308",
            "1e-99999999999999999999",
        ];
        for text in texts {
            let expected: f64 = text.parse().expect("a number");
            assert_eq!(Format::DOUBLE.parse(text), Some(expected.to_bits().into()), "{text}");
            let expected: f32 = text.parse().expect("a number");
            assert_eq!(Format::SINGLE.parse(text), Some(expected.to_bits().into()), "{text}");
        }
        for (text, value) in
            [("0x1p3", 8.0), ("0x1.8p1", 3.0), ("0X.8P-1", 0.25), ("0xAp0", 10.0), ("0x0p5", 0.0)]
        {
            assert_eq!(Format::DOUBLE.parse(text), Some(f64::to_bits(value).into()), "{text}");
        }
        for wrong in ["", ".", "e5", "1e", "1e+", "0x", "0xp1", "1x", "-1", "1e5e"] {
            assert_eq!(Format::DOUBLE.parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn numbers_are_shown_shortly_and_exactly() {
        let of = |value: f32| BigUint::from(value.to_bits());
        let shown = |value: f32| (Format::SINGLE.show(&of(value)), Format::SINGLE.constant(&of(value)));
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(shown(0.5), pair("0.5", "0x1p-1f"));
        assert_eq!(shown(-0.0), pair("-0.0", "-0x0p0f"));
        assert_eq!(shown(0.1), pair("0.1", "0xcccccdp-27f"));
        assert_eq!(shown(f32::INFINITY), pair("INFINITY", "__builtin_inff()"));
        assert_eq!(shown(f32::NAN), pair("NAN", "__builtin_nanf(\"\")"));
        let third = Format::EXTENDED.parse("3.0").expect("a number");
        assert_eq!(Format::EXTENDED.constant(&third), "0x3p0L");
    }
}
