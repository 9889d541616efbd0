//! Remainders by a large prime: linear algebra with them costs the same whatever the numbers are.

use logic::Rational;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// A Mersenne prime.
const PRIME: u64 = (1 << 61) - 1;

/// The remainder of a number; that of a fraction with a multiple of the prime below is 0.
pub(super) fn of(number: &Rational) -> u64 {
    let of_integer = |integer: &BigInt| {
        let remainder = (integer % PRIME).to_i64().expect("a remainder is smaller than its divisor");
        if remainder < 0 { PRIME - remainder.unsigned_abs() } else { remainder.unsigned_abs() }
    };
    match number.is_integer() {
        true => of_integer(number.numer()),
        false => product(of_integer(number.numer()), inverse(of_integer(number.denom()))),
    }
}

pub(super) fn product(left: u64, right: u64) -> u64 {
    // The product is less than the square of the prime, so the remainder fits.
    (u128::from(left) * u128::from(right) % u128::from(PRIME)) as u64
}

/// The number whose product with this one is 1; 0 for 0.
pub(super) fn inverse(number: u64) -> u64 {
    let (mut result, mut square, mut exponent) = (1, number, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = product(result, square);
        }
        square = product(square, square);
        exponent >>= 1;
    }
    result
}

/// Subtracts a multiple of a row from another.
pub(super) fn subtract(row: &mut [u64], known: &[u64], factor: u64) {
    if factor != 0 {
        for (cell, &known) in row.iter_mut().zip(known) {
            *cell = (*cell + PRIME - product(factor, known)) % PRIME;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_are_calculated_like_numbers() {
        let rational = |above: i64, below: i64| Rational::new(above.into(), below.into());
        for (above, below) in [(0, 1), (7, 1), (-7, 1), (1, 3), (-22, 7), (i64::MAX, 2)] {
            let number = rational(above, below);
            let twice = product(of(&number), of(&rational(2, 1)));
            assert_eq!(twice, of(&(&number * rational(2, 1))), "{number}");
            assert!(above == 0 || product(of(&number), inverse(of(&number))) == 1, "{number}");
            let mut row = [of(&number)];
            subtract(&mut row, &[of(&number)], 1);
            assert_eq!(row, [0], "{number}");
        }
    }
}
