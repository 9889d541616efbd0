//! The functions of the SMT-LIB theories Core, Ints, Reals, Reals_Ints, ArraysEx and FixedSizeBitVectors (with what
//! version 2.7 and widespread solvers add), applied through the canonical constructors; and the floating-point operations,
//! which texts define ([`super::floats`]).
//!
//! Every application is checked: wrong numbers or sorts of arguments are an error message, never a panic. Where integers
//! and reals meet, integers are converted, as most solvers do.

use super::print::sort;
use crate::Integer;
use crate::sort::{Sort, SortData};
use crate::term::{Op, Term, Terms};
use float::Operation;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The names that [`apply`] knows; nobody may declare them.
const NAMES: &[&str] = &[
    "true",
    "false",
    "not",
    "and",
    "or",
    "xor",
    "=>",
    "implies",
    "=",
    "iff",
    "distinct",
    "ite",
    "if",
    "+",
    "-",
    "*",
    "/",
    "<",
    "<=",
    ">",
    ">=",
    "div",
    "mod",
    "abs",
    "divisible",
    "to_real",
    "to_int",
    "is_int",
    "select",
    "store",
    "bvnot",
    "bvneg",
    "bvand",
    "bvor",
    "bvxor",
    "bvnand",
    "bvnor",
    "bvxnor",
    "bvadd",
    "bvsub",
    "bvmul",
    "bvudiv",
    "bvurem",
    "bvsdiv",
    "bvsrem",
    "bvsmod",
    "bvshl",
    "bvlshr",
    "bvashr",
    "bvult",
    "bvule",
    "bvugt",
    "bvuge",
    "bvslt",
    "bvsle",
    "bvsgt",
    "bvsge",
    "bvcomp",
    "bvnego",
    "bvuaddo",
    "bvsaddo",
    "bvusubo",
    "bvssubo",
    "bvumulo",
    "bvsmulo",
    "bvsdivo",
    "concat",
    "extract",
    "zero_extend",
    "sign_extend",
    "rotate_left",
    "rotate_right",
    "repeat",
    "bv2nat",
    "bv2int",
    "ubv_to_int",
    "sbv_to_int",
    "int2bv",
    "nat2bv",
    "int_to_bv",
];

/// The widest bit-vectors that are read.
pub(super) const MAX_WIDTH: u32 = 1 << 20;

/// Is this the name of a function of the theories?
pub(super) fn is_operator(name: &str) -> bool {
    NAMES.contains(&name) || Operation::parse(name).is_some()
}

/// Applies a function of the theories to arguments; `indices` are those of `(_ name index …)`.
pub(super) fn apply(
    terms: &mut Terms,
    name: &str,
    indices: &[Integer],
    arguments: &[Term],
) -> Result<Term, String> {
    Application { terms, name, indices, arguments: arguments.to_vec() }.apply()
}

struct Application<'t> {
    terms: &'t mut Terms,
    name: &'t str,
    indices: &'t [Integer],
    arguments: Vec<Term>,
}

impl Application<'_> {
    fn apply(self) -> Result<Term, String> {
        match self.name {
            "divisible" | "extract" | "zero_extend" | "sign_extend" | "rotate_left" | "rotate_right"
            | "repeat" | "int2bv" | "nat2bv" | "int_to_bv" => self.indexed(),
            _ if !self.indices.is_empty() => Err(format!("`{}` has no indices", self.name)),
            "true" | "false" | "not" | "and" | "or" | "xor" | "=>" | "implies" => self.boolean(),
            "=" | "iff" | "distinct" | "ite" | "if" => self.core(),
            "+" | "-" | "*" | "/" | "<" | "<=" | ">" | ">=" | "div" | "mod" | "abs" | "to_real"
            | "to_int" | "is_int" => self.arithmetic(),
            "select" | "store" => self.array(),
            "concat" | "bv2nat" | "bv2int" | "ubv_to_int" | "sbv_to_int" => self.conversion(),
            _ if NAMES.contains(&self.name) => self.bitvec(),
            name => match Operation::parse(name) {
                Some(operation) => self.float(operation),
                None => Err(format!("`{name}` is not declared")),
            },
        }
    }

    fn count(&self, least: usize, most: usize) -> Result<(), String> {
        let count = self.arguments.len();
        if count < least {
            Err(format!("`{}` wants at least {least} arguments, not {count}", self.name))
        } else if count > most {
            Err(format!("`{}` wants at most {most} arguments, not {count}", self.name))
        } else {
            Ok(())
        }
    }

    fn expect(&self, position: usize, wanted: Sort) -> Result<Term, String> {
        let argument = self.arguments[position];
        let found = self.terms.sort_of(argument);
        if found == wanted {
            return Ok(argument);
        }
        let [found, wanted] = [found, wanted].map(|s| sort(self.terms, s));
        Err(format!("argument {} of `{}` is of sort {found}, not {wanted}", position + 1, self.name))
    }

    fn expect_all(&self, wanted: Sort) -> Result<(), String> {
        (0..self.arguments.len()).try_for_each(|position| self.expect(position, wanted).map(|_| ()))
    }

    /// Gives all arguments one sort, from `from` on: integers among reals are converted.
    fn one_sort(&mut self, from: usize) -> Result<Sort, String> {
        let mut wanted = self.terms.sort_of(self.arguments[from]);
        if wanted == Sort::INT && self.arguments[from..].iter().any(|&a| self.terms.sort_of(a) == Sort::REAL)
        {
            wanted = Sort::REAL;
        }
        for position in from..self.arguments.len() {
            if wanted == Sort::REAL && self.terms.sort_of(self.arguments[position]) == Sort::INT {
                self.arguments[position] = self.terms.to_real(self.arguments[position]);
            }
            self.expect(position, wanted)?;
        }
        Ok(wanted)
    }

    fn boolean(self) -> Result<Term, String> {
        self.expect_all(Sort::BOOL)?;
        match self.name {
            "true" => self.count(0, 0).map(|()| Term::TRUE),
            "false" => self.count(0, 0).map(|()| Term::FALSE),
            "not" => {
                self.count(1, 1)?;
                Ok(self.terms.not(self.arguments[0]))
            }
            "and" => {
                self.count(1, usize::MAX)?;
                Ok(self.terms.and(self.arguments))
            }
            "or" => {
                self.count(1, usize::MAX)?;
                Ok(self.terms.or(self.arguments))
            }
            "xor" => {
                self.count(2, usize::MAX)?;
                let terms = self.terms;
                let xor = |left, right| {
                    let equal = terms.eq(left, right);
                    terms.not(equal)
                };
                Ok(self.arguments.into_iter().reduce(xor).expect("there are two arguments"))
            }
            _ => {
                self.count(2, usize::MAX)?;
                let terms = self.terms;
                let implies = |conclusion, premise| terms.implies(premise, conclusion);
                Ok(self.arguments.into_iter().rev().reduce(implies).expect("there are two arguments"))
            }
        }
    }

    fn core(mut self) -> Result<Term, String> {
        match self.name {
            "=" | "iff" => {
                self.count(2, usize::MAX)?;
                self.one_sort(0)?;
                self.chain(Terms::eq)
            }
            "distinct" => {
                self.count(2, usize::MAX)?;
                self.one_sort(0)?;
                Ok(self.terms.distinct(&self.arguments))
            }
            _ => {
                self.count(3, 3)?;
                self.expect(0, Sort::BOOL)?;
                self.one_sort(1)?;
                let [condition, then, otherwise] = self.arguments[..] else { unreachable!("counted") };
                Ok(self.terms.ite(condition, then, otherwise))
            }
        }
    }

    /// The conjunction of a relation between all neighbours.
    fn chain(self, relation: impl Fn(&mut Terms, Term, Term) -> Term) -> Result<Term, String> {
        let terms = self.terms;
        let links: Vec<Term> =
            self.arguments.windows(2).map(|pair| relation(terms, pair[0], pair[1])).collect();
        Ok(terms.and(links))
    }

    fn arithmetic(mut self) -> Result<Term, String> {
        let least = if matches!(self.name, "-" | "+" | "*" | "abs" | "to_real" | "to_int" | "is_int") {
            1
        } else {
            2
        };
        let most = if matches!(self.name, "abs" | "to_real" | "to_int" | "is_int") { 1 } else { usize::MAX };
        self.count(least, most)?;
        let sort = match self.name {
            "/" | "to_int" | "is_int" => {
                for argument in &mut self.arguments {
                    if self.terms.sort_of(*argument) == Sort::INT {
                        *argument = self.terms.to_real(*argument);
                    }
                }
                self.expect_all(Sort::REAL)?;
                Sort::REAL
            }
            "div" | "mod" => {
                self.expect_all(Sort::INT)?;
                Sort::INT
            }
            _ => self.one_sort(0)?,
        };
        if !sort.is_arithmetic() {
            return Err(format!("`{}` wants numbers", self.name));
        }
        let first = self.arguments[0];
        let fold = |this: Self, operate: fn(&mut Terms, Term, Term) -> Term| {
            let terms = this.terms;
            Ok(this.arguments.into_iter().reduce(|a, b| operate(terms, a, b)).expect("counted"))
        };
        match self.name {
            "+" => Ok(self.terms.add(&self.arguments)),
            "*" => Ok(self.terms.mul(&self.arguments)),
            "-" if self.arguments.len() == 1 => Ok(self.terms.neg(first)),
            "-" => fold(self, Terms::sub),
            "/" => fold(self, Terms::divide),
            "div" => fold(self, Terms::div),
            "mod" => {
                self.count(2, 2)?;
                fold(self, Terms::modulo)
            }
            "<" => self.chain(Terms::lt),
            "<=" => self.chain(Terms::le),
            ">" => self.chain(Terms::gt),
            ">=" => self.chain(Terms::ge),
            "abs" => {
                let zero = self.terms.numeral(Zero::zero(), sort);
                let (negative, negated) = (self.terms.lt(first, zero), self.terms.neg(first));
                Ok(self.terms.ite(negative, negated, first))
            }
            "to_real" if sort == Sort::REAL => Ok(first),
            "to_real" => Ok(self.terms.to_real(first)),
            "to_int" => Ok(self.terms.to_int(first)),
            _ => Ok(self.terms.is_int(first)),
        }
    }

    fn array(mut self) -> Result<Term, String> {
        let count = if self.name == "select" { 2 } else { 3 };
        self.count(count, count)?;
        let array = self.arguments[0];
        let Some((index, element)) = self.terms.array_parts(self.terms.sort_of(array)) else {
            return Err(format!("argument 1 of `{}` is no array", self.name));
        };
        for (position, wanted) in [(1, index), (2, element)].into_iter().take(count - 1) {
            let argument = self.arguments[position];
            if wanted == Sort::REAL && self.terms.sort_of(argument) == Sort::INT {
                self.arguments[position] = self.terms.to_real(argument);
            }
            self.expect(position, wanted)?;
        }
        match self.arguments[..] {
            [array, index] => Ok(self.terms.select(array, index)),
            [array, index, value] => Ok(self.terms.store(array, index, value)),
            _ => unreachable!("counted"),
        }
    }

    /// The width of an argument that must be a bit-vector.
    fn width(&self, position: usize) -> Result<u32, String> {
        match *self.terms.sort_data(self.terms.sort_of(self.arguments[position])) {
            SortData::BitVec(width) => Ok(width),
            _ => Err(format!("argument {} of `{}` is no bit-vector", position + 1, self.name)),
        }
    }

    fn float(self, operation: Operation) -> Result<Term, String> {
        let shape = operation.shape();
        self.count(shape.arguments.len(), shape.arguments.len())?;
        for (position, width) in shape.arguments.into_iter().enumerate() {
            let wanted = self.terms.bitvec_sort(width);
            self.expect(position, wanted)?;
        }
        Ok(self.terms.float(operation, &self.arguments))
    }

    fn bitvec(mut self) -> Result<Term, String> {
        let unary = matches!(self.name, "bvnot" | "bvneg" | "bvnego");
        let folded = matches!(self.name, "bvand" | "bvor" | "bvxor" | "bvxnor" | "bvadd" | "bvmul" | "bvsub");
        let least = if unary { 1 } else { 2 };
        self.count(least, if folded { usize::MAX } else { least })?;
        let width = self.width(0)?;
        self.expect_all(self.terms.sort_of(self.arguments[0]))?;
        let op = match self.name {
            "bvnot" | "bvneg" => {
                let op = if self.name == "bvnot" { Op::BvNot } else { Op::BvNeg };
                return Ok(self.terms.bv_unary(op, self.arguments[0]));
            }
            "bvnego" => {
                let smallest = self.terms.bitvec(Integer::one() << (width - 1), width);
                return Ok(self.terms.eq(self.arguments[0], smallest));
            }
            "bvand" | "bvnand" => Op::BvAnd,
            "bvor" | "bvnor" => Op::BvOr,
            "bvxor" | "bvxnor" => Op::BvXor,
            "bvadd" | "bvsub" => Op::BvAdd,
            "bvmul" => Op::BvMul,
            "bvudiv" => Op::BvUdiv,
            "bvurem" => Op::BvUrem,
            "bvsdiv" => Op::BvSdiv,
            "bvsrem" => Op::BvSrem,
            "bvsmod" => Op::BvSmod,
            "bvshl" => Op::BvShl,
            "bvlshr" => Op::BvLshr,
            "bvashr" => Op::BvAshr,
            _ => return self.bitvec_relation(width),
        };
        let terms = self.terms;
        let name = self.name;
        let combine = |left, right| match name {
            "bvsub" => terms.bv_sub(left, right),
            "bvnand" | "bvnor" | "bvxnor" => {
                let positive = terms.bv_binary(op, left, right);
                terms.bv_unary(Op::BvNot, positive)
            }
            _ => terms.bv_binary(op, left, right),
        };
        Ok(self.arguments.into_iter().reduce(combine).expect("counted"))
    }

    fn bitvec_relation(&mut self, width: u32) -> Result<Term, String> {
        let [left, right] = self.arguments[..] else { unreachable!("counted") };
        let terms = &mut *self.terms;
        Ok(match self.name {
            "bvule" => terms.bv_ule(left, right),
            "bvuge" => terms.bv_ule(right, left),
            "bvult" => terms.bv_ult(left, right),
            "bvugt" => terms.bv_ult(right, left),
            "bvsle" => terms.bv_sle(left, right),
            "bvsge" => terms.bv_sle(right, left),
            "bvslt" => terms.bv_slt(left, right),
            "bvsgt" => terms.bv_slt(right, left),
            "bvcomp" => {
                let equal = terms.eq(left, right);
                let (one, zero) = (terms.bitvec(1, 1), terms.bitvec(0, 1));
                terms.ite(equal, one, zero)
            }
            "bvusubo" => terms.bv_ult(left, right),
            "bvsdivo" => {
                let (smallest, minus_one) =
                    (terms.bitvec(Integer::one() << (width - 1), width), terms.bitvec(-1, width));
                let (left, right) = (terms.eq(left, smallest), terms.eq(right, minus_one));
                terms.and([left, right])
            }
            _ => return self.overflow(width),
        })
    }

    /// Does the exact result differ from the wrapped one? Both are computed with enough bits.
    fn overflow(&mut self, width: u32) -> Result<Term, String> {
        let (extra, op) = if self.name.contains("mul") { (width, Op::BvMul) } else { (1, Op::BvAdd) };
        self.checked_width(u64::from(width) + u64::from(extra))?;
        let unsigned = self.name.starts_with("bvu");
        let terms = &mut *self.terms;
        let widen = |terms: &mut Terms, term| match unsigned {
            true => terms.zero_extend(extra, term),
            false => terms.sign_extend(extra, term),
        };
        let [left, right] = [self.arguments[0], self.arguments[1]].map(|argument| widen(terms, argument));
        let exact = match self.name {
            "bvssubo" => terms.bv_sub(left, right),
            _ => terms.bv_binary(op, left, right),
        };
        let wrapped = terms.extract(width - 1, 0, exact);
        let wrapped = widen(terms, wrapped);
        let equal = terms.eq(exact, wrapped);
        Ok(terms.not(equal))
    }

    fn conversion(self) -> Result<Term, String> {
        if self.name == "concat" {
            self.count(2, usize::MAX)?;
            let mut total = 0;
            for position in 0..self.arguments.len() {
                total += u64::from(self.width(position)?);
            }
            self.checked_width(total)?;
            let terms = self.terms;
            return Ok(self
                .arguments
                .into_iter()
                .reduce(|high, low| terms.concat(high, low))
                .expect("counted"));
        }
        self.count(1, 1)?;
        let width = self.width(0)?;
        let value = self.terms.bv_to_nat(self.arguments[0]);
        if self.name != "sbv_to_int" {
            return Ok(value);
        }
        let zero = self.terms.bitvec(0, width);
        let negative = self.terms.bv_slt(self.arguments[0], zero);
        let modulus = self.terms.int(Integer::one() << width);
        let below = self.terms.sub(value, modulus);
        Ok(self.terms.ite(negative, below, value))
    }

    fn checked_width(&self, width: u64) -> Result<u32, String> {
        match u32::try_from(width) {
            Ok(width) if (1..=MAX_WIDTH).contains(&width) => Ok(width),
            _ => {
                Err(format!("`{}` gives a bit-vector of {width} bits, outside of 1..={MAX_WIDTH}", self.name))
            }
        }
    }

    fn small_index(&self, position: usize) -> Result<u32, String> {
        let index = &self.indices[position];
        index.to_u32().ok_or_else(|| format!("index {index} of `{}` is too large", self.name))
    }

    fn indexed(self) -> Result<Term, String> {
        let wanted = if self.name == "extract" { 2 } else { 1 };
        if self.indices.len() != wanted {
            return Err(format!("`{}` wants {wanted} indices, not {}", self.name, self.indices.len()));
        }
        self.count(1, 1)?;
        let argument = self.arguments[0];
        match self.name {
            "divisible" => {
                self.expect(0, Sort::INT)?;
                if !self.indices[0].is_positive() {
                    return Err("`divisible` wants a positive index".into());
                }
                let divisor = self.terms.int(self.indices[0].clone());
                let rest = self.terms.modulo(argument, divisor);
                let zero = self.terms.int(0);
                return Ok(self.terms.eq(rest, zero));
            }
            "int2bv" | "nat2bv" | "int_to_bv" => {
                self.expect(0, Sort::INT)?;
                let width = self.checked_width(u64::from(self.small_index(0)?))?;
                return Ok(self.terms.int_to_bv(width, argument));
            }
            _ => {}
        }
        let width = self.width(0)?;
        let index = self.small_index(0)?;
        match self.name {
            "extract" => {
                let low = self.small_index(1)?;
                if low > index || index >= width {
                    return Err(format!("there are no bits {index} to {low} in {width} bits"));
                }
                Ok(self.terms.extract(index, low, argument))
            }
            "zero_extend" | "sign_extend" => {
                self.checked_width(u64::from(width) + u64::from(index))?;
                Ok(match self.name {
                    "zero_extend" => self.terms.zero_extend(index, argument),
                    _ => self.terms.sign_extend(index, argument),
                })
            }
            "repeat" => {
                self.checked_width(u64::from(width) * u64::from(index))?;
                let mut repeated = argument;
                for _ in 1..index {
                    repeated = self.terms.concat(repeated, argument);
                }
                Ok(repeated)
            }
            _ => {
                let left =
                    if self.name == "rotate_left" { index % width } else { (width - index % width) % width };
                if left == 0 {
                    return Ok(argument);
                }
                let high = self.terms.extract(width - left - 1, 0, argument);
                let low = self.terms.extract(width - 1, width - left, argument);
                Ok(self.terms.concat(high, low))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_names_is_the_list_of_known_functions() {
        let mut terms = Terms::new();
        for name in NAMES {
            let indices: &[Integer] =
                if ["extract", "divisible"].contains(name) { &[] } else { &[Integer::zero()] };
            let message = apply(&mut terms, name, indices, &[]).expect_err("no argument");
            assert!(!message.contains("not declared"), "{message}");
        }
        let message = apply(&mut terms, "foo", &[], &[]).expect_err("no such function");
        assert_eq!(message, "`foo` is not declared");
    }
}
