//! Terms, sorts, literals, declarations and whole scripts as SMT-LIB 2.6 text.

use super::floats::definition;
use super::names::encode;
use crate::sort::{Sort, SortData};
use crate::symbol::{Function, Symbol};
use crate::term::{Op, Term, Terms};
use crate::{Integer, Rational};
use float::Operation;
use num_traits::{One, Signed};
use rustc_hash::FxHashSet;

pub use super::print_term::term;

/// The text of a sort.
pub fn sort(terms: &Terms, sort: Sort) -> String {
    let mut text = String::new();
    let mut pending = vec![Ok(sort)];
    while let Some(next) = pending.pop() {
        let sort = match next {
            Ok(sort) => sort,
            Err(punctuation) => {
                text.push_str(punctuation);
                continue;
            }
        };
        match terms.sort_data(sort) {
            SortData::Bool => text.push_str("Bool"),
            SortData::Int => text.push_str("Int"),
            SortData::Real => text.push_str("Real"),
            SortData::BitVec(width) => text.push_str(&format!("(_ BitVec {width})")),
            SortData::Array { index, element } => {
                text.push_str("(Array ");
                pending.extend([Err(")"), Ok(*element), Err(" "), Ok(*index)]);
            }
            SortData::Uninterpreted(name) => text.push_str(&encode(name)),
        }
    }
    text
}

/// The text of an integer.
pub fn integer(value: &Integer) -> String {
    if value.is_negative() { format!("(- {})", value.magnitude()) } else { value.to_string() }
}

/// The text of a real number.
pub fn real(value: &Rational) -> String {
    let absolute = value.abs();
    let text = if absolute.denom().is_one() {
        format!("{}.0", absolute.numer())
    } else {
        format!("(/ {}.0 {}.0)", absolute.numer(), absolute.denom())
    };
    if value.is_negative() { format!("(- {text})") } else { text }
}

/// The text of a bit-vector.
pub fn bitvec(value: &Integer, width: u32) -> String {
    if width.is_multiple_of(4) {
        format!("#x{value:0length$x}", length = width as usize / 4)
    } else {
        format!("#b{value:0length$b}", length = width as usize)
    }
}

/// Declarations that were already written, so that each is written once.
#[derive(Clone, Default, Debug)]
pub struct Declarations {
    sorts: FxHashSet<Sort>,
    symbols: FxHashSet<Symbol>,
    functions: FxHashSet<Function>,
    floats: FxHashSet<Operation>,
}

impl Declarations {
    /// None yet.
    pub fn new() -> Declarations {
        Declarations::default()
    }

    /// The commands that declare what these terms use and earlier calls did not: one per line, in a fixed order.
    pub fn of(&mut self, terms: &Terms, roots: &[Term]) -> String {
        let mut sorts: Vec<Sort> = Vec::new();
        let mut functions: Vec<Function> = Vec::new();
        let mut floats: Vec<Operation> = Vec::new();
        terms.for_each_subterm(roots, |term| {
            sorts.push(terms.sort_of(term));
            match terms.op(term) {
                Op::Apply(function) => functions.push(function),
                Op::Float(operation) => floats.push(operation),
                Op::Quantified(_, binder) => sorts.extend(&terms.binder_data(binder).sorts),
                _ => {}
            }
        });
        functions.sort_unstable();
        functions.dedup();
        for &function in &functions {
            let data = terms.function_data(function);
            sorts.extend(data.parameters.iter().chain([&data.result]));
        }
        let mut text = self.sorts(terms, sorts);
        for symbol in terms.free_symbols_of(roots) {
            if self.symbols.insert(symbol) {
                let data = terms.symbol_data(symbol);
                let line = format!("(declare-const {} {})\n", encode(&data.name), sort(terms, data.sort));
                text.push_str(&line);
            }
        }
        for function in functions {
            if self.functions.insert(function) {
                let data = terms.function_data(function);
                let parameters: Vec<String> = data.parameters.iter().map(|&p| sort(terms, p)).collect();
                let (name, result) = (encode(&data.name), sort(terms, data.result));
                text.push_str(&format!("(declare-fun {name} ({}) {result})\n", parameters.join(" ")));
            }
        }
        floats.sort_unstable();
        floats.dedup();
        for operation in floats {
            if self.floats.insert(operation) {
                text.push_str(&definition(operation));
            }
        }
        text
    }

    fn sorts(&mut self, terms: &Terms, mut pending: Vec<Sort>) -> String {
        let mut new: Vec<Sort> = Vec::new();
        while let Some(sort) = pending.pop() {
            if !self.sorts.insert(sort) {
                continue;
            }
            match terms.sort_data(sort) {
                SortData::Array { index, element } => pending.extend([index, element]),
                SortData::Uninterpreted(_) => new.push(sort),
                _ => {}
            }
        }
        new.sort_unstable();
        new.iter().fold(String::new(), |mut text, &declared| {
            text.push_str(&format!("(declare-sort {} 0)\n", sort(terms, declared)));
            text
        })
    }
}

/// A whole script: declarations, assertions, `check-sat`.
pub fn script(terms: &Terms, assertions: &[Term]) -> String {
    let mut text = String::from("(set-logic ALL)\n");
    text.push_str(&Declarations::new().of(terms, assertions));
    for &assertion in assertions {
        text.push_str(&format!("(assert {})\n", term(terms, assertion)));
    }
    text.push_str("(check-sat)\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        let fraction = |n: i64, d: i64| Rational::new(n.into(), d.into());
        assert_eq!(integer(&5.into()), "5");
        assert_eq!(integer(&(-5).into()), "(- 5)");
        assert_eq!(real(&fraction(3, 1)), "3.0");
        assert_eq!(real(&fraction(-1, 2)), "(- (/ 1.0 2.0))");
        assert_eq!(bitvec(&5.into(), 8), "#x05");
        assert_eq!(bitvec(&5.into(), 6), "#b000101");
    }

    #[test]
    fn what_is_used_is_declared_once() {
        let mut terms = Terms::new();
        let element = terms.sort(SortData::Uninterpreted("Elem ent".into()));
        let row = terms.array_sort(Sort::INT, element);
        let byte = terms.bitvec_sort(8);
        let function = terms.function("f", &[row, byte], Sort::BOOL);
        let (a, b) = (terms.named("a", row), terms.named("b", byte));
        let applied = terms.apply(function, &[a, b]);
        let mut declarations = Declarations::new();
        expect_test::expect![[r#"
            (declare-sort |Elem ent| 0)
            (declare-const a (Array Int |Elem ent|))
            (declare-const b (_ BitVec 8))
            (declare-fun f ((Array Int |Elem ent|) (_ BitVec 8)) Bool)
        "#]]
        .assert_eq(&declarations.of(&terms, &[applied]));
        let c = terms.named("c", row);
        let other = terms.apply(function, &[c, b]);
        expect_test::expect![[r#"
            (declare-const c (Array Int |Elem ent|))
        "#]]
        .assert_eq(&declarations.of(&terms, &[applied, other]));
    }
}
