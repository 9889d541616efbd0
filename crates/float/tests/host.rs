//! The operations against those of the machine, for its two formats.

use float::{Format, Operation, Output, Rounding};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use proptest::prelude::*;

/// Bit patterns, with many that are special.
fn bits(format: Format) -> impl Strategy<Value = u64> {
    let special = [
        BigUint::default(),
        1u32.into(),
        format.least_normal() - 1u32,
        format.least_normal(),
        format.one(),
        format.largest(),
        format.infinity(),
        format.nan(),
        format.infinity() + 1u32,
        format.power_of_two(31),
        format.power_of_two(63),
        format.power_of_two(64),
    ];
    let special: Vec<u64> = special.iter().map(|bits| bits.to_u64().expect("at most 64 bits")).collect();
    let width = format.width();
    let sign = 1u64 << (width - 1);
    let uniform = any::<u64>().prop_map(move |bits| bits >> (64 - width));
    // Exponents near that of one: sums cancel, quotients and conversions have fractions.
    let one = format.one().to_u64().expect("at most 64 bits");
    let near = (any::<u64>(), 0u64..70).prop_map(move |(noise, exponent)| {
        let stored = format.significand() - 1;
        (one + (exponent << stored)) | (noise & ((1 << stored) - 1))
    });
    let magnitude = prop_oneof![uniform, near, proptest::sample::select(special)];
    (magnitude, any::<bool>()).prop_map(move |(bits, flip)| if flip { bits ^ sign } else { bits })
}

fn run(operation: Operation, arguments: &[u64]) -> u64 {
    let arguments: Vec<BigUint> = arguments.iter().map(|&bits| bits.into()).collect();
    match operation.evaluate(&arguments.iter().collect::<Vec<_>>()) {
        Output::Bits(bits) => bits.to_u64().expect("at most 64 bits"),
        Output::Truth(truth) => truth.into(),
    }
}

macro_rules! laws {
    ($module:ident, $float:ty, $raw:ty, $format:expr, $other:expr, $wide:ty) => {
        mod $module {
            use super::*;
            const F: Format = $format;

            fn of(bits: u64) -> $float {
                <$float>::from_bits(bits as $raw)
            }

            /// The bits of a result of the machine.
            fn back(value: $float) -> u64 {
                if value.is_nan() { F.nan().to_u64().expect("at most 64 bits") } else { value.to_bits().into() }
            }

            proptest! {
                #![proptest_config(ProptestConfig::with_cases(3000))]

                #[test]
                fn arithmetic(a in bits(F), b in bits(F)) {
                    let (x, y) = (of(a), of(b));
                    prop_assert_eq!(run(Operation::Add(F), &[a, b]), back(x + y), "{} + {}", x, y);
                    prop_assert_eq!(run(Operation::Subtract(F), &[a, b]), back(x - y), "{} - {}", x, y);
                    prop_assert_eq!(run(Operation::Multiply(F), &[a, b]), back(x * y), "{} * {}", x, y);
                    prop_assert_eq!(run(Operation::Divide(F), &[a, b]), back(x / y), "{} / {}", x, y);
                    prop_assert_eq!(run(Operation::SquareRoot(F), &[a]), back(x.sqrt()), "sqrt {}", x);
                }

                #[test]
                fn remainder(a in bits(F), b in bits(F)) {
                    // The remainder of truncated division, and a correction of half a divisor.
                    let (x, y) = (of(a), of(b));
                    let rest = of(run(Operation::Remainder(F), &[a, b]));
                    if x.is_finite() && y != 0.0 && !y.is_nan() {
                        let (size, divisor) = (rest.abs(), y.abs());
                        prop_assert!(size <= divisor / 2.0 || divisor.is_infinite() || size == divisor - size);
                        let plain = x % y;
                        let same = rest == plain || rest == plain - y || rest == plain + y;
                        prop_assert!(same, "{} rem {} is not {}", x, y, rest);
                        prop_assert!(rest != 0.0 || rest.is_sign_negative() == x.is_sign_negative());
                    } else {
                        prop_assert!(rest.is_nan());
                    }
                }

                #[test]
                fn comparisons(a in bits(F), b in bits(F)) {
                    let (x, y) = (of(a), of(b));
                    prop_assert_eq!(run(Operation::Equal(F), &[a, b]), u64::from(x == y));
                    prop_assert_eq!(run(Operation::Less(F), &[a, b]), u64::from(x < y));
                    prop_assert_eq!(run(Operation::LessEqual(F), &[a, b]), u64::from(x <= y));
                }

                #[test]
                fn rounding(a in bits(F)) {
                    let x = of(a);
                    let round = |rounding| run(Operation::Round(rounding, F), &[a]);
                    prop_assert_eq!(round(Rounding::NearestEven), back(x.round_ties_even()));
                    prop_assert_eq!(round(Rounding::NearestAway), back(x.round()));
                    prop_assert_eq!(round(Rounding::Up), back(x.ceil()));
                    prop_assert_eq!(round(Rounding::Down), back(x.floor()));
                    prop_assert_eq!(round(Rounding::Zero), back(x.trunc()));
                }

                #[test]
                fn conversions(a in bits(F), n in any::<u64>(), cut in 0u32..64) {
                    let n = n >> cut;
                    let wide = <$wide>::from_bits(run(Operation::Convert { from: F, to: $other }, &[a]) as _);
                    let x = of(a);
                    prop_assert!(wide.to_bits() == (x as $wide).to_bits() || (wide.is_nan() && x.is_nan()));
                    let signed = run(Operation::FromSigned { width: 64, to: F }, &[n]);
                    prop_assert_eq!(signed, back(n.cast_signed() as $float));
                    prop_assert_eq!(run(Operation::FromUnsigned { width: 64, to: F }, &[n]), back(n as $float));
                    let inside = x.trunc() >= -(2f32.powi(31) as $float) && x.trunc() < 2f32.powi(31) as $float;
                    let signed = if inside { x as i32 } else { 0 };
                    let got = run(Operation::ToSigned { from: F, width: 32 }, &[a]);
                    prop_assert_eq!(got, u64::from(signed.cast_unsigned()));
                    let inside = x.trunc() >= 0.0 && x.trunc() < 2f32.powi(64) as $float;
                    let unsigned = if inside { x as u64 } else { 0 };
                    prop_assert_eq!(run(Operation::ToUnsigned { from: F, width: 64 }, &[a]), unsigned);
                }

                #[test]
                fn text(a in bits(F)) {
                    let x = of(a);
                    if x.is_finite() && x.is_sign_positive() {
                        let bits = BigUint::from(a);
                        prop_assert_eq!(F.parse(&F.show(&bits)), Some(bits.clone()));
                        let exact = F.constant(&bits);
                        prop_assert_eq!(F.parse(exact.trim_end_matches('f')), Some(bits));
                    }
                }
            }
        }
    };
}

laws!(single, f32, u32, Format::SINGLE, Format::DOUBLE, f64);
laws!(double, f64, u64, Format::DOUBLE, Format::SINGLE, f32);
