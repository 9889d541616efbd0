//! Operations on the bits of integers as C writes them: `nat(bvand(bv32(x), 7bv32))` is `(x & 7)`.
//!
//! Boogie has no such operators, and what is computed with bit-vectors keeps its SMT-LIB names.

use super::{Level, Piece};
use crate::term::{Op, Term, Terms};

/// Larger operations keep the names of their functions.
const MOST_PARTS: usize = 64;

/// The pieces of an operation on the bits of integers, if the term is one.
pub(super) fn operation(terms: &Terms, term: Term) -> Option<Vec<Piece>> {
    let inner = if terms.op(term) == Op::BvToNat { terms.args(term)[0] } else { term };
    let operator = operator(terms.op(inner))?;
    if !is_of_integers(terms, inner) {
        return None;
    }
    let mut pieces: Vec<Piece> = vec!["(".into()];
    for (position, &part) in terms.args(inner).iter().enumerate() {
        if position > 0 {
            pieces.push(operator.into());
        }
        pieces.push(operand(terms, part));
    }
    pieces.push(")".into());
    Some(pieces)
}

/// The pieces of an equation between bits of integers, if it is one.
pub(super) fn equation(terms: &Terms, sides: &[Term], operator: &'static str) -> Option<Vec<Piece>> {
    let named = |&side: &Term| operation(terms, side).is_some();
    let plain = |&side: &Term| named(&side) || matches!(terms.op(side), Op::BitVec(..));
    (sides.iter().any(named) && sides.iter().all(plain))
        .then(|| vec![operand(terms, sides[0]), operator.into(), operand(terms, sides[1])])
}

fn operator(op: Op) -> Option<&'static str> {
    match op {
        Op::BvAnd => Some(" & "),
        Op::BvOr => Some(" | "),
        Op::BvXor => Some(" ^ "),
        _ => None,
    }
}

/// Is it made of conversions and constants by operators of C?
fn is_of_integers(terms: &Terms, term: Term) -> bool {
    let (mut pending, mut parts, mut converts) = (vec![term], 0, false);
    while let Some(part) = pending.pop() {
        parts += 1;
        match terms.op(part) {
            Op::IntToBv(_) => converts = true,
            Op::BitVec(..) => {}
            op if operator(op).is_some() && parts < MOST_PARTS => pending.extend(terms.args(part)),
            _ => return false,
        }
    }
    converts
}

fn operand(terms: &Terms, part: Term) -> Piece {
    match terms.op(part) {
        Op::IntToBv(_) => Piece::Term(terms.args(part)[0], Level::Unary),
        Op::BitVec(_, number) => terms.number_value(number).to_string().into(),
        _ => Piece::Term(part, Level::Primary),
    }
}
