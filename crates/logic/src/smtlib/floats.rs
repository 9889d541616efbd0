//! The floating-point operations in terms of SMT-LIB's theory FloatingPoint.
//!
//! Texts use the operations on bit patterns by name; solvers learn their meaning from definitions. The way back from a
//! number to its bits is `fp.to_ieee_bv`, which is no part of the standard but of the solvers that know the theory.

use super::print::bitvec;
use crate::Integer;
use float::{Format, Operation, Rounding};

/// The command that defines an operation.
pub(super) fn definition(operation: Operation) -> String {
    let shape = operation.shape();
    let sort = |width: u32| format!("(_ BitVec {width})");
    let parameters: Vec<String> = ["a", "b"]
        .iter()
        .zip(&shape.arguments)
        .map(|(name, &width)| format!("({name} {})", sort(width)))
        .collect();
    let result = shape.result.map_or("Bool".to_owned(), sort);
    format!("(define-fun {operation} ({}) {result} {})\n", parameters.join(" "), body(operation))
}

fn body(operation: Operation) -> String {
    use Operation::*;
    let (rounding, operation) = operation.undirected();
    let rm = mode(rounding);
    match operation {
        Directed(..) => unreachable!("the direction was taken off"),
        Add(format) => bits(format, &format!("(fp.add {rm} {})", both(format))),
        Subtract(format) => bits(format, &format!("(fp.sub {rm} {})", both(format))),
        Multiply(format) => bits(format, &format!("(fp.mul {rm} {})", both(format))),
        Divide(format) => bits(format, &format!("(fp.div {rm} {})", both(format))),
        Remainder(format) => bits(format, &format!("(fp.rem {})", both(format))),
        SquareRoot(format) => bits(format, &format!("(fp.sqrt {rm} {})", number(format, "a"))),
        Round(rounding, format) => {
            bits(format, &format!("(fp.roundToIntegral {} {})", mode(rounding), number(format, "a")))
        }
        Equal(format) => format!("(fp.eq {})", both(format)),
        Less(format) => format!("(fp.lt {})", both(format)),
        LessEqual(format) => format!("(fp.leq {})", both(format)),
        Convert { from, to } => bits(to, &format!("({} {rm} {})", to_number(to), number(from, "a"))),
        FromSigned { to, .. } => bits(to, &format!("({} {rm} a)", to_number(to))),
        FromUnsigned { to, .. } => {
            bits(to, &format!("((_ to_fp_unsigned {} {}) {rm} a)", to.exponent(), to.significand()))
        }
        ToSigned { from, width } => whole(from, width, true),
        ToUnsigned { from, width } => whole(from, width, false),
    }
}

fn mode(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "RNE",
        Rounding::NearestAway => "RNA",
        Rounding::Up => "RTP",
        Rounding::Down => "RTN",
        Rounding::Zero => "RTZ",
    }
}

fn to_number(format: Format) -> String {
    format!("(_ to_fp {} {})", format.exponent(), format.significand())
}

fn number(format: Format, bits: &str) -> String {
    format!("({} {bits})", to_number(format))
}

fn both(format: Format) -> String {
    format!("{} {}", number(format, "a"), number(format, "b"))
}

/// The bits of a number, with one NaN.
fn bits(format: Format, number: &str) -> String {
    let nan = bitvec(&Integer::from(format.nan()), format.width());
    format!("(let ((r {number})) (ite (fp.isNaN r) {nan} (fp.to_ieee_bv r)))")
}

/// The integer towards zero, or 0 outside of the integers of the width.
fn whole(format: Format, width: u8, signed: bool) -> String {
    let literal = |bits| number(format, &bitvec(&Integer::from(bits), format.width()));
    let (lowest, limit) = format.integers(width, signed);
    let name = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
    format!(
        "(let ((r (fp.roundToIntegral RTZ {}))) (ite (and (fp.leq {} r) (fp.lt r {})) ((_ {name} {width}) RTZ r) {}))",
        number(format, "a"),
        literal(lowest),
        literal(limit),
        bitvec(&Integer::from(0), width.into()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::{parse, print};
    use crate::term::Terms;

    /// Every operation in a script with its definition is read as the same term.
    #[test]
    fn scripts_are_read_back() {
        let mut terms = Terms::new();
        let mut formulas = Vec::new();
        for operation in Operation::all(Format::SINGLE, 16) {
            let shape = operation.shape();
            let mut arguments = Vec::new();
            for (position, &width) in shape.arguments.iter().enumerate() {
                let sort = terms.bitvec_sort(width);
                arguments.push(terms.named(&format!("x{width}_{position}"), sort));
            }
            let term = terms.float(operation, &arguments);
            formulas.push(match shape.result {
                Some(width) => {
                    let zero = terms.bitvec(0, width);
                    terms.eq(term, zero)
                }
                None => term,
            });
        }
        let text = print::script(&terms, &formulas);
        let script = parse::script(&mut terms, &text).expect("the script is read");
        assert_eq!(script.assertions().collect::<Vec<_>>(), formulas);
    }

    #[test]
    fn definitions() {
        expect_test::expect![[r#"
            (define-fun float.add.8.24 ((a (_ BitVec 32)) (b (_ BitVec 32))) (_ BitVec 32) (let ((r (fp.add RNE ((_ to_fp 8 24) a) ((_ to_fp 8 24) b)))) (ite (fp.isNaN r) #x7fc00000 (fp.to_ieee_bv r))))
        "#]]
        .assert_eq(&definition(Operation::Add(Format::SINGLE)));
        expect_test::expect![[r#"
            (define-fun float.to_signed.8.24.8 ((a (_ BitVec 32))) (_ BitVec 8) (let ((r (fp.roundToIntegral RTZ ((_ to_fp 8 24) a)))) (ite (and (fp.leq ((_ to_fp 8 24) #xc3000000) r) (fp.lt r ((_ to_fp 8 24) #x43000000))) ((_ fp.to_sbv 8) RTZ r) #x00)))
        "#]]
        .assert_eq(&definition(Operation::ToSigned { from: Format::SINGLE, width: 8 }));
    }
}
