//! Canonical terms of floating-point operations, which work on bit-vectors (see [`float`]).
//!
//! Literals are folded by [`float::Operation::evaluate`], the arguments of operations that commute are sorted, and
//! nothing else is simplified: hardly a law of arithmetic survives rounding, infinities, NaN and two zeros.

use crate::Integer;
use crate::sort::Sort;
use crate::term::{Op, Term, Terms};
use float::{Operation, Output};

impl Terms {
    /// A floating-point operation on bit-vectors of the widths of its shape.
    pub fn float(&mut self, operation: Operation, arguments: &[Term]) -> Term {
        let shape = operation.shape();
        debug_assert!(
            arguments.iter().map(|&argument| self.width(argument)).eq(shape.arguments.iter().copied())
        );
        let literals: Option<Vec<_>> =
            arguments.iter().map(|&argument| self.as_bitvec(argument).map(Integer::magnitude)).collect();
        if let Some(literals) = literals {
            return match operation.evaluate(&literals) {
                Output::Truth(truth) => self.bool(truth),
                Output::Bits(bits) => {
                    let width = shape.result.expect("bits have a width");
                    self.bitvec(bits, width)
                }
            };
        }
        let sort = match shape.result {
            Some(width) => self.bitvec_sort(width),
            None => Sort::BOOL,
        };
        match *arguments {
            [left, right] if operation.commutes() && right < left => {
                self.intern(Op::Float(operation), &[right, left], sort)
            }
            _ => self.intern(Op::Float(operation), arguments, sort),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use float::Format;

    #[test]
    fn literals_are_folded_and_sums_commute() {
        let mut terms = Terms::new();
        let half = terms.bitvec(0.5f32.to_bits(), 32);
        let (sum, less) = (Operation::Add(Format::SINGLE), Operation::Less(Format::SINGLE));
        assert_eq!(terms.float(sum, &[half, half]), terms.bitvec(1f32.to_bits(), 32));
        assert_eq!(terms.float(less, &[half, half]), Term::FALSE);
        let sort = terms.bitvec_sort(32);
        let (x, y) = (terms.named("x", sort), terms.named("y", sort));
        assert_eq!(terms.float(sum, &[x, y]), terms.float(sum, &[y, x]));
        assert_ne!(terms.float(less, &[x, y]), terms.float(less, &[y, x]));
        let equal = terms.float(Operation::Equal(Format::SINGLE), &[x, x]);
        assert!(!equal.is_true(), "NaN is not equal to itself");
    }
}
