//! The operators of Z3, expressed by the constructors of [`Terms`].
//!
//! Z3 has more operators than [`logic`], and many of them take any number of arguments.
//! [`build`] gives `None` for what has no counterpart; it never guesses.

use logic::value::bits;
use logic::{Op, Rational, Sort, SortData, Term, Terms};
use num_traits::ToPrimitive;
use z3_sys::DeclKind;

/// An operator with the sort of its result.
#[derive(Clone, Copy)]
pub(super) struct Operator<'a> {
    pub(super) kind: DeclKind,
    /// Its integer parameters.
    pub(super) parameters: &'a [u32],
    pub(super) sort: Sort,
}

/// Powers up to this exponent are written as products.
const LARGEST_POWER: u32 = 16;

/// The application of an operator.
pub(super) fn build(terms: &mut Terms, operator: Operator<'_>, arguments: &[Term]) -> Option<Term> {
    boolean(terms, operator, arguments)
        .or_else(|| arithmetic(terms, operator, arguments))
        .or_else(|| array(terms, operator, arguments))
        .or_else(|| bitvec(terms, operator, arguments))
}

fn boolean(terms: &mut Terms, operator: Operator<'_>, arguments: &[Term]) -> Option<Term> {
    Some(match (operator.kind, arguments) {
        (DeclKind::True, []) => Term::TRUE,
        (DeclKind::False, []) => Term::FALSE,
        (DeclKind::Not, &[a]) => terms.not(a),
        (DeclKind::And, _) => terms.and(arguments.iter().copied()),
        (DeclKind::Or, _) => terms.or(arguments.iter().copied()),
        (DeclKind::Implies, &[a, b]) => terms.implies(a, b),
        (DeclKind::Eq | DeclKind::Iff, &[a, b]) => terms.eq(a, b),
        (DeclKind::Distinct, _) => terms.distinct(arguments),
        (DeclKind::Ite, &[c, a, b]) => terms.ite(c, a, b),
        (DeclKind::Xor, &[first, ref rest @ ..]) => rest.iter().fold(first, |a, &b| {
            let equal = terms.eq(a, b);
            terms.not(equal)
        }),
        _ => return None,
    })
}

fn arithmetic(terms: &mut Terms, operator: Operator<'_>, arguments: &[Term]) -> Option<Term> {
    Some(match (operator.kind, arguments) {
        (DeclKind::Le, &[a, b]) => terms.le(a, b),
        (DeclKind::Ge, &[a, b]) => terms.ge(a, b),
        (DeclKind::Lt, &[a, b]) => terms.lt(a, b),
        (DeclKind::Gt, &[a, b]) => terms.gt(a, b),
        (DeclKind::Add, [_, ..]) => terms.add(arguments),
        (DeclKind::Sub, &[a]) | (DeclKind::Uminus, &[a]) => terms.neg(a),
        (DeclKind::Sub, &[first, ref rest @ ..]) => rest.iter().fold(first, |a, &b| terms.sub(a, b)),
        (DeclKind::Mul, [_, ..]) => terms.mul(arguments),
        (DeclKind::Div, &[first, ref rest @ ..]) => rest.iter().fold(first, |a, &b| terms.divide(a, b)),
        (DeclKind::Idiv, &[first, ref rest @ ..]) => rest.iter().fold(first, |a, &b| terms.div(a, b)),
        (DeclKind::Mod, &[a, b]) => terms.modulo(a, b),
        (DeclKind::Rem, &[a, b]) => {
            // The remainder of Z3 has the sign of the divisor.
            let (zero, rest) = (terms.int(0), terms.modulo(a, b));
            let (positive, negated) = (terms.ge(b, zero), terms.neg(rest));
            terms.ite(positive, rest, negated)
        }
        (DeclKind::ToReal, &[a]) => terms.to_real(a),
        (DeclKind::ToInt, &[a]) => terms.to_int(a),
        (DeclKind::IsInt, &[a]) => terms.is_int(a),
        (DeclKind::Abs, &[a]) => {
            let zero = terms.numeral(Rational::from_integer(0.into()), operator.sort);
            let (positive, negated) = (terms.ge(a, zero), terms.neg(a));
            terms.ite(positive, a, negated)
        }
        (DeclKind::Power, &[base, exponent]) => {
            let exponent = terms.as_number(exponent).filter(|e| e.is_integer())?.to_integer().to_u32()?;
            if !(1..=LARGEST_POWER).contains(&exponent) {
                return None;
            }
            terms.mul(&vec![base; exponent as usize])
        }
        _ => return None,
    })
}

fn array(terms: &mut Terms, operator: Operator<'_>, arguments: &[Term]) -> Option<Term> {
    Some(match (operator.kind, arguments) {
        (DeclKind::Select, &[a, i]) => terms.select(a, i),
        (DeclKind::Store, &[a, i, v]) => terms.store(a, i, v),
        (DeclKind::ConstArray, &[v]) => terms.const_array(operator.sort, v),
        _ => return None,
    })
}

fn bitvec(terms: &mut Terms, operator: Operator<'_>, arguments: &[Term]) -> Option<Term> {
    let parameter = |i: usize| operator.parameters.get(i).copied();
    let fold = |terms: &mut Terms, op| {
        let (&first, rest) = arguments.split_first()?;
        Some(rest.iter().fold(first, |a, &b| terms.bv_binary(op, a, b)))
    };
    Some(match (operator.kind, arguments) {
        (DeclKind::Bit1, []) => terms.bitvec(1, 1),
        (DeclKind::Bit0, []) => terms.bitvec(0, 1),
        (DeclKind::Bneg, &[a]) => terms.bv_unary(Op::BvNeg, a),
        (DeclKind::Bnot, &[a]) => terms.bv_unary(Op::BvNot, a),
        (DeclKind::Badd, _) => fold(terms, Op::BvAdd)?,
        (DeclKind::Bmul, _) => fold(terms, Op::BvMul)?,
        (DeclKind::Band, _) => fold(terms, Op::BvAnd)?,
        (DeclKind::Bor, _) => fold(terms, Op::BvOr)?,
        (DeclKind::Bxor, _) => fold(terms, Op::BvXor)?,
        (DeclKind::Bsub, &[first, ref rest @ ..]) => rest.iter().fold(first, |a, &b| terms.bv_sub(a, b)),
        (DeclKind::Bnand | DeclKind::Bnor | DeclKind::Bxnor, &[a, b]) => {
            let op = match operator.kind {
                DeclKind::Bnand => Op::BvAnd,
                DeclKind::Bnor => Op::BvOr,
                _ => Op::BvXor,
            };
            let inner = terms.bv_binary(op, a, b);
            terms.bv_unary(Op::BvNot, inner)
        }
        (DeclKind::Uleq, &[a, b]) | (DeclKind::Ugeq, &[b, a]) => terms.bv_ule(a, b),
        (DeclKind::Ult, &[a, b]) | (DeclKind::Ugt, &[b, a]) => terms.bv_ult(a, b),
        (DeclKind::Sleq, &[a, b]) | (DeclKind::Sgeq, &[b, a]) => terms.bv_sle(a, b),
        (DeclKind::Slt, &[a, b]) | (DeclKind::Sgt, &[b, a]) => terms.bv_slt(a, b),
        (DeclKind::Concat, &[first, ref rest @ ..]) => rest.iter().fold(first, |a, &b| terms.concat(a, b)),
        (DeclKind::Extract, &[a]) => terms.extract(parameter(0)?, parameter(1)?, a),
        (DeclKind::ZeroExt, &[a]) => terms.zero_extend(parameter(0)?, a),
        (DeclKind::SignExt, &[a]) => terms.sign_extend(parameter(0)?, a),
        (DeclKind::Repeat, &[a]) => (1..parameter(0)?).fold(a, |joined, _| terms.concat(joined, a)),
        (DeclKind::RotateLeft, &[a]) => rotate(terms, a, parameter(0)?),
        (DeclKind::RotateRight, &[a]) => {
            let width = terms.width(a);
            rotate(terms, a, width - parameter(0)? % width)
        }
        (DeclKind::Bredor, &[a]) => {
            let zero = terms.bitvec(0, terms.width(a));
            let (one, none) = (terms.bitvec(1, 1), terms.bitvec(0, 1));
            let empty = terms.eq(a, zero);
            terms.ite(empty, none, one)
        }
        (DeclKind::Bredand, &[a]) => {
            let width = terms.width(a);
            let ones = terms.bitvec(bits::ones(width), width);
            same_bits(terms, a, ones)
        }
        (DeclKind::Bcomp, &[a, b]) => same_bits(terms, a, b),
        (DeclKind::Bit2bool, &[a]) => {
            let (index, one) = (parameter(0)?, terms.bitvec(1, 1));
            let bit = terms.extract(index, index, a);
            terms.eq(bit, one)
        }
        (DeclKind::Mkbv, _) => {
            // The first argument is the lowest bit.
            let (one, none) = (terms.bitvec(1, 1), terms.bitvec(0, 1));
            let mut joined = None;
            for &bit in arguments {
                let bit = terms.ite(bit, one, none);
                joined = Some(joined.map_or(bit, |low| terms.concat(bit, low)));
            }
            joined?
        }
        (DeclKind::Bv2int, &[a]) => terms.bv_to_nat(a),
        (DeclKind::Sbv2int, &[a]) => {
            let width = terms.width(a);
            let (zero, unsigned, modulus) =
                (terms.bitvec(0, width), terms.bv_to_nat(a), terms.int(bits::modulus(width)));
            let (negative, wrapped) = (terms.bv_slt(a, zero), terms.sub(unsigned, modulus));
            terms.ite(negative, wrapped, unsigned)
        }
        (DeclKind::Int2bv, &[a]) => match *terms.sort_data(operator.sort) {
            SortData::BitVec(width) => terms.int_to_bv(width, a),
            _ => return None,
        },
        (kind, &[a, b]) => terms.bv_binary(binary_operator(kind)?, a, b),
        (kind, &[a]) => {
            // Z3 has the value for a zero divisor as an operator of its own; it is the one of SMT-LIB.
            let op = zero_divisor_operator(kind)?;
            let zero = terms.bitvec(0, terms.width(a));
            terms.bv_binary(op, a, zero)
        }
        _ => return None,
    })
}

/// Operators that have a counterpart with the same arguments. The variants that Z3 uses where the divisor is
/// known not to be zero are the general ones.
fn binary_operator(kind: DeclKind) -> Option<Op> {
    Some(match kind {
        DeclKind::Budiv | DeclKind::BudivI => Op::BvUdiv,
        DeclKind::Burem | DeclKind::BuremI => Op::BvUrem,
        DeclKind::Bsdiv | DeclKind::BsdivI => Op::BvSdiv,
        DeclKind::Bsrem | DeclKind::BsremI => Op::BvSrem,
        DeclKind::Bsmod | DeclKind::BsmodI => Op::BvSmod,
        DeclKind::Bshl => Op::BvShl,
        DeclKind::Blshr => Op::BvLshr,
        DeclKind::Bashr => Op::BvAshr,
        _ => return None,
    })
}

fn zero_divisor_operator(kind: DeclKind) -> Option<Op> {
    Some(match kind {
        DeclKind::Budiv0 => Op::BvUdiv,
        DeclKind::Burem0 => Op::BvUrem,
        DeclKind::Bsdiv0 => Op::BvSdiv,
        DeclKind::Bsrem0 => Op::BvSrem,
        DeclKind::Bsmod0 => Op::BvSmod,
        _ => return None,
    })
}

/// One bit that says whether two bit-vectors are equal.
fn same_bits(terms: &mut Terms, left: Term, right: Term) -> Term {
    let (one, none) = (terms.bitvec(1, 1), terms.bitvec(0, 1));
    let equal = terms.eq(left, right);
    terms.ite(equal, one, none)
}

/// Rotation to the left.
fn rotate(terms: &mut Terms, argument: Term, by: u32) -> Term {
    let width = terms.width(argument);
    match by % width {
        0 => argument,
        by => {
            let high = terms.extract(width - by - 1, 0, argument);
            let low = terms.extract(width - 1, width - by, argument);
            terms.concat(high, low)
        }
    }
}
