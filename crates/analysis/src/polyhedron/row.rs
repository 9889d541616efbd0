//! Vectors of small whole numbers without a common divisor.
//!
//! Numbers are 64 bits wide, and what is computed on the way 128. Whatever becomes larger is given up ([`TooLarge`]): bounds of
//! programs are of the size of their constants, and a bound that is not, nobody misses.

use super::TooLarge;
use num_integer::Integer as _;

/// A direction in space, or the coefficients of a condition; position 0 is the constant.
pub(super) type Row = Vec<i64>;

/// No number of a row has a larger absolute value, so that 32 products of two of them can be added up.
const LARGEST: i128 = 1 << 60;

/// The sum of the products.
pub(super) fn dot(a: &[i64], b: &[i64]) -> i128 {
    a.iter().zip(b).map(|(&x, &y)| i128::from(x) * i128::from(y)).sum()
}

/// The row of the smallest whole numbers with the direction of another one.
pub(super) fn normal(numbers: &[i128]) -> Result<Row, TooLarge> {
    let divisor = common_divisor(numbers.iter().copied());
    let by = if divisor == 0 { 1 } else { divisor };
    let fits = |number: &i128| -> Result<i64, TooLarge> {
        let reduced = number / by;
        if reduced.abs() <= LARGEST { i64::try_from(reduced).map_err(|_| TooLarge) } else { Err(TooLarge) }
    };
    numbers.iter().map(fits).collect()
}

/// The greatest common divisor; 0 if all are.
pub(super) fn common_divisor(numbers: impl Iterator<Item = i128>) -> i128 {
    let mut divisor = 0i128;
    for number in numbers {
        divisor = match (i64::try_from(divisor), i64::try_from(number)) {
            (Ok(a), Ok(b)) => i128::from(a.unsigned_abs()).gcd(&i128::from(b.unsigned_abs())),
            _ => divisor.gcd(&number),
        };
        if divisor == 1 {
            break;
        }
    }
    divisor
}

/// `p·a + q·b`, up to a positive factor.
pub(super) fn combination((p, a): (i128, &[i64]), (q, b): (i128, &[i64])) -> Result<Row, TooLarge> {
    let divisor = common_divisor([p, q].into_iter()).max(1);
    let (p, q) = (p / divisor, q / divisor);
    let mut sums = Vec::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        let left = p.checked_mul(i128::from(x)).ok_or(TooLarge)?;
        let right = q.checked_mul(i128::from(y)).ok_or(TooLarge)?;
        sums.push(left.checked_add(right).ok_or(TooLarge)?);
    }
    normal(&sums)
}

/// The same in the other direction.
pub(super) fn negated(row: &[i64]) -> Row {
    row.iter().map(|number| -number).collect()
}

pub(super) fn is_zero(row: &[i64]) -> bool {
    row.iter().all(|&number| number == 0)
}

/// The row with a single one.
pub(super) fn unit(length: usize, position: usize) -> Row {
    let mut row = vec![0; length];
    row[position] = 1;
    row
}
