//! Floating-point operations: from bit patterns to Z3's numbers and back.
//!
//! Z3's theory has a sort of numbers with one NaN. An argument is read as such a number, and a result is turned into
//! bits, with the NaN that [`float`] knows. Operations on results use the numbers directly: the detour by the bits would
//! give the same number.

use super::context::Z3Error;
use super::encode::Encoder;
use float::{Format, Operation, Pattern, Rounding};
use logic::{Term, Terms};
use std::ffi::CString;
use z3_sys::*;

impl Encoder {
    /// The translation of an operation whose arguments are translated.
    pub(super) fn float(
        &mut self,
        terms: &Terms,
        term: Term,
        operation: Operation,
    ) -> Result<Z3_ast, Z3Error> {
        use Operation::*;
        let arguments = terms.args(term);
        let (rounding, operation) = operation.undirected();
        let mode = self.mode(rounding)?;
        let c = self.context.raw();
        let (result, format) = match operation {
            Add(format) | Subtract(format) | Multiply(format) | Divide(format) => {
                let (a, b) = (self.number(arguments[0], format)?, self.number(arguments[1], format)?);
                // SAFETY: context, mode and arguments are alive and of fitting sorts.
                let result = unsafe {
                    match operation {
                        Add(_) => Z3_mk_fpa_add(c, mode, a, b),
                        Subtract(_) => Z3_mk_fpa_sub(c, mode, a, b),
                        Multiply(_) => Z3_mk_fpa_mul(c, mode, a, b),
                        _ => Z3_mk_fpa_div(c, mode, a, b),
                    }
                };
                (result, format)
            }
            Remainder(format) => {
                let (a, b) = (self.number(arguments[0], format)?, self.number(arguments[1], format)?);
                // SAFETY: context and arguments are alive and of one sort.
                (unsafe { Z3_mk_fpa_rem(c, a, b) }, format)
            }
            SquareRoot(format) => {
                let a = self.number(arguments[0], format)?;
                // SAFETY: context, mode and argument are alive.
                (unsafe { Z3_mk_fpa_sqrt(c, mode, a) }, format)
            }
            Round(rounding, format) => {
                let (mode, a) = (self.mode(rounding)?, self.number(arguments[0], format)?);
                // SAFETY: context, mode and argument are alive.
                (unsafe { Z3_mk_fpa_round_to_integral(c, mode, a) }, format)
            }
            Equal(format) | Less(format) | LessEqual(format) => {
                let (a, b) = (self.number(arguments[0], format)?, self.number(arguments[1], format)?);
                // SAFETY: context and arguments are alive and of one sort.
                let truth = unsafe {
                    match operation {
                        Equal(_) => Z3_mk_fpa_eq(c, a, b),
                        Less(_) => Z3_mk_fpa_lt(c, a, b),
                        _ => Z3_mk_fpa_leq(c, a, b),
                    }
                };
                return self.context.checked(truth);
            }
            Convert { from, to } => {
                let (a, sort) = (self.number(arguments[0], from)?, self.float_sort(to)?);
                // SAFETY: context, mode, argument and sort are alive.
                (unsafe { Z3_mk_fpa_to_fp_float(c, mode, a, sort) }, to)
            }
            FromSigned { to, .. } | FromUnsigned { to, .. } => {
                let (a, sort) = (self.translated(arguments[0]), self.float_sort(to)?);
                let signed = matches!(operation, FromSigned { .. });
                // SAFETY: context, mode, argument and sort are alive.
                let result = unsafe {
                    if signed {
                        Z3_mk_fpa_to_fp_signed(c, mode, a, sort)
                    } else {
                        Z3_mk_fpa_to_fp_unsigned(c, mode, a, sort)
                    }
                };
                (result, to)
            }
            ToSigned { from, width } => return self.whole(arguments[0], from, width, true),
            ToUnsigned { from, width } => return self.whole(arguments[0], from, width, false),
            Directed(..) => unreachable!("the direction was taken off"),
        };
        let result = self.kept(result)?;
        self.numbers.insert((term, format), result);
        // SAFETY: context and result are alive; every part is kept before the next call.
        unsafe {
            let bits = self.kept(Z3_mk_fpa_to_ieee_bv(c, result))?;
            let is_nan = self.kept(Z3_mk_fpa_is_nan(c, result))?;
            let nan = self.pattern(&format.nan(), format.width())?;
            self.context.checked(Z3_mk_ite(c, is_nan, nan, bits))
        }
    }

    /// A whole number next towards zero, or 0 if it does not fit.
    fn whole(&mut self, argument: Term, from: Format, width: u8, signed: bool) -> Result<Z3_ast, Z3Error> {
        let (zero, number) = (self.mode(Rounding::Zero)?, self.number(argument, from)?);
        let (lowest, limit) = from.integers(width, signed);
        let (limit, lowest) = (self.constant(&limit, from)?, self.constant(&lowest, from)?);
        let none = self.pattern(&0u32.into(), width.into())?;
        let c = self.context.raw();
        // SAFETY: context and all arguments are alive; every part is kept before the next call.
        unsafe {
            let rounded = self.kept(Z3_mk_fpa_round_to_integral(c, zero, number))?;
            let above = self.kept(Z3_mk_fpa_leq(c, lowest, rounded))?;
            let below = self.kept(Z3_mk_fpa_lt(c, rounded, limit))?;
            let inside = self.kept(Z3_mk_and(c, 2, [above, below].as_ptr()))?;
            let make = if signed { Z3_mk_fpa_to_sbv } else { Z3_mk_fpa_to_ubv };
            let whole = self.kept(make(c, zero, rounded, width.into()))?;
            self.context.checked(Z3_mk_ite(c, inside, whole, none))
        }
    }

    /// A translated bit pattern as a number.
    fn number(&mut self, bits: Term, format: Format) -> Result<Z3_ast, Z3Error> {
        if let Some(&known) = self.numbers.get(&(bits, format)) {
            return Ok(known);
        }
        let sort = self.float_sort(format)?;
        let pattern = self.translated(bits);
        // SAFETY: context, argument and sort are alive.
        let number = unsafe { Z3_mk_fpa_to_fp_bv(self.context.raw(), pattern, sort) };
        let number = self.kept(number)?;
        self.numbers.insert((bits, format), number);
        Ok(number)
    }

    fn constant(&self, bits: &Pattern, format: Format) -> Result<Z3_ast, Z3Error> {
        let (pattern, sort) = (self.pattern(bits, format.width())?, self.float_sort(format)?);
        // SAFETY: context, argument and sort are alive.
        self.kept(unsafe { Z3_mk_fpa_to_fp_bv(self.context.raw(), pattern, sort) })
    }

    fn pattern(&self, bits: &Pattern, width: u32) -> Result<Z3_ast, Z3Error> {
        let c = self.context.raw();
        let digits = CString::new(bits.to_string()).expect("a number is written without zero bytes");
        // SAFETY: the context is alive, the sort is used in the very next call, and Z3 copies the digits.
        let made = unsafe {
            let sort = self.context.checked(Z3_mk_bv_sort(c, width))?;
            self.context.keep(Z3_sort_to_ast(c, sort).expect("a sort is a term of Z3"));
            Z3_mk_numeral(c, digits.as_ptr(), sort)
        };
        self.kept(made)
    }

    fn float_sort(&self, format: Format) -> Result<Z3_sort, Z3Error> {
        let c = self.context.raw();
        // SAFETY: the context is alive; the sort is kept before the next call.
        unsafe {
            let sort = self.context.checked(Z3_mk_fpa_sort(c, format.exponent(), format.significand()))?;
            self.context.keep(Z3_sort_to_ast(c, sort).expect("a sort is a term of Z3"));
            Ok(sort)
        }
    }

    fn mode(&self, rounding: Rounding) -> Result<Z3_ast, Z3Error> {
        let c = self.context.raw();
        // SAFETY: the context is alive.
        let mode = unsafe {
            match rounding {
                Rounding::NearestEven => Z3_mk_fpa_rne(c),
                Rounding::NearestAway => Z3_mk_fpa_rna(c),
                Rounding::Up => Z3_mk_fpa_rtp(c),
                Rounding::Down => Z3_mk_fpa_rtn(c),
                Rounding::Zero => Z3_mk_fpa_rtz(c),
            }
        };
        self.kept(mode)
    }

    /// A new term, kept as long as the context.
    fn kept(&self, made: Option<Z3_ast>) -> Result<Z3_ast, Z3Error> {
        Ok(self.context.keep(self.context.checked(made)?))
    }
}

#[cfg(test)]
mod tests {
    use crate::solver::{Answer, Solver};
    use crate::z3::Z3;
    use base::Budget;
    use float::{Format, Operation};
    use logic::evaluate::{evaluate, holds};
    use logic::{Integer, Model, Term, Terms, Value};
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// Bit patterns of a width, with many that are special in some format of that width.
    fn pattern(terms: &mut Terms, width: u32, choice: u16, noise: u128, format: Format) -> Value {
        let special = [
            0u32.into(),
            1u32.into(),
            format.least_normal() - 1u32,
            format.least_normal(),
            format.one(),
            format.largest(),
            format.infinity(),
            format.nan(),
            format.infinity() + 1u32,
            format.power_of_two(7),
            format.power_of_two(8),
        ];
        let magnitude = match special.get(usize::from(choice % 40)) {
            Some(pattern) => pattern.clone(),
            None => noise.into(),
        };
        let flip = if choice >= 1 << 15 { format.sign() } else { 0u32.into() };
        let literal = terms.bitvec(Integer::from(magnitude ^ flip), width);
        evaluate(terms, &Model::new(), literal).expect("a literal has a value")
    }

    /// Symbols for the arguments of an operation, a model, and the term.
    fn application(
        terms: &mut Terms,
        operation: Operation,
        format: Format,
        choices: &[(u16, u128)],
    ) -> (Term, Model) {
        let mut model = Model::new();
        let mut arguments = Vec::new();
        for (position, (width, &(choice, noise))) in
            operation.shape().arguments.into_iter().zip(choices).enumerate()
        {
            let sort = terms.bitvec_sort(width);
            let symbol = terms.symbol(&format!("x{position}"), sort);
            let value = pattern(terms, width, choice, noise, format);
            model.set(symbol, value);
            arguments.push(terms.constant(symbol));
        }
        (terms.float(operation, &arguments), model)
    }

    fn value_literal(terms: &mut Terms, value: &Value) -> Term {
        match value {
            Value::Bool(truth) => terms.bool(*truth),
            Value::BitVec(width, bits) => terms.bitvec(bits.clone(), *width),
            other => panic!("{other:?} is no result of a floating-point operation"),
        }
    }

    /// Operations between formats and widths that programs have, and in one that is small enough to be searched.
    fn operations(format: Format) -> Vec<Operation> {
        let mut all = Operation::all(format, 8);
        all.extend(Operation::all(format, 64).into_iter().filter(|op| op.to_string().contains("ed.")));
        let small = Format::new(4, 5).expect("a format");
        all.push(Operation::Convert { from: format, to: small });
        all.push(Operation::Convert { from: format, to: Format::DOUBLE });
        // Z3 writes the remainder of large formats out as a division of thousands of bits.
        all.retain(|operation| !matches!(operation, Operation::Remainder(f) if f.exponent() > 5));
        all
    }

    fn config(cases: u32) -> ProptestConfig {
        ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
    }

    proptest! {
        #![proptest_config(config(12))]

        #[test]
        fn z3_and_the_evaluator_agree(
            choices in vec((any::<u16>(), any::<u128>()), 2),
            which in 0usize..5,
        ) {
            let small = Format::new(4, 5).expect("a format");
            let half = Format::new(5, 11).expect("a format");
            let format = [small, half, Format::SINGLE, Format::DOUBLE, Format::EXTENDED][which];
            let z3 = Z3::new(&Budget::unlimited());
            let mut terms = Terms::new();
            for operation in operations(format) {
                let mut session = z3.session();
                let (term, model) = application(&mut terms, operation, format, &choices);
                let value = evaluate(&mut terms, &model, term).expect("no quantifiers");
                for symbol in terms.free_symbols_of(&[term]) {
                    let known = model.value(&terms, symbol);
                    let (literal, symbol) = (value_literal(&mut terms, &known), terms.constant(symbol));
                    let fact = terms.eq(symbol, literal);
                    session.assert(&terms, fact);
                }
                let expected = value_literal(&mut terms, &value);
                let equal = terms.eq(term, expected);
                let different = terms.not(equal);
                session.assert(&terms, different);
                prop_assert_eq!(session.check(&terms), Answer::Unsat, "{} of {:?}", operation, model);
            }
        }

        #[test]
        fn models_are_models(choices in vec((any::<u16>(), any::<u128>()), 3), nested in any::<u8>()) {
            let format = Format::new(3, 3).expect("a format");
            let z3 = Z3::new(&Budget::unlimited());
            let mut terms = Terms::new();
            let all: Vec<Operation> = Operation::all(format, 6);
            for &operation in &all {
                let mut session = z3.session();
                let (inner, _) = application(&mut terms, operation, format, &choices);
                // The result of an operation is the argument of another.
                let outer = all[usize::from(nested) % all.len()];
                let width = operation.shape().result;
                let term = match outer.shape().arguments[..] {
                    [single] if Some(single) == width => terms.float(outer, &[inner]),
                    [left, _] if Some(left) == width => {
                        let sort = terms.sort_of(inner);
                        let other = terms.named("y", sort);
                        terms.float(outer, &[inner, other])
                    }
                    _ => inner,
                };
                let formula = match operation.shape().result {
                    _ if terms.sort_of(term) == logic::Sort::BOOL => term,
                    _ => {
                        let value = pattern(&mut terms, 6, choices[2].0, choices[2].1, format);
                        let value = value_literal(&mut terms, &value);
                        if terms.sort_of(value) != terms.sort_of(term) {
                            continue;
                        }
                        terms.eq(term, value)
                    }
                };
                session.assert(&terms, formula);
                match session.check(&terms) {
                    Answer::Sat => {
                        let model = session.model(&mut terms).expect("a model");
                        prop_assert_eq!(holds(&mut terms, &model, formula), Ok(true), "{} {:?}", operation, model);
                    }
                    Answer::Unsat => {
                        // Few bits: all values are tried.
                        let symbols = terms.free_symbols_of(&[formula]);
                        for bits in 0..1u32 << (6 * symbols.len().min(2)) {
                            let mut model = Model::new();
                            for (position, &symbol) in symbols.iter().enumerate() {
                                let part = bits >> (6 * position.min(1)) & 63;
                                model.set(symbol, Value::BitVec(6, part.into()));
                            }
                            prop_assert_eq!(holds(&mut terms, &model, formula), Ok(false), "{} {:?}", operation, model);
                        }
                    }
                    Answer::Unknown(why) => prop_assert!(false, "{} is unknown: {:?}", operation, why),
                }
            }
        }
    }
}
