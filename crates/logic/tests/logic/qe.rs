//! Quantifier elimination: what each rule gives, and that nothing changes its meaning.

use crate::config;
use crate::formulas::{Variables, formulas};
use crate::table::Table;
use logic::evaluate::holds;
use logic::print::infix;
use logic::qe::{Limits, NoOracle, Oracle, eliminate};
use logic::smtlib::parse;
use logic::{Rational, Sort, Symbol, Terms, Value};
use proptest::prelude::*;
use std::collections::BTreeMap;

const DECLARATIONS: &str = "
    (declare-const p Bool) (declare-const q Bool) (declare-const r Bool)
    (declare-const x Int) (declare-const y Int) (declare-const z Int) (declare-const n Int)
    (declare-const u Real) (declare-const v Real) (declare-const w Real)
    (declare-const b (_ BitVec 8)) (declare-const c (_ BitVec 8))
    (declare-const i Int) (declare-const j Int) (declare-const k Int)
    (declare-const a (Array Int Int)) (declare-const d (Array Int Int)) (declare-const m (Array Int (Array Int Int)))
    (declare-fun f (Int) Int)";

/// The text of `∃ names. formula` after elimination; remaining variables stand in front.
fn eliminated(oracle: &mut dyn Oracle, names: &str, formula: &str) -> String {
    let mut terms = Terms::new();
    let text = format!("{DECLARATIONS} (assert {formula})");
    let script = parse::script(&mut terms, &text).unwrap_or_else(|error| panic!("{formula}: {error}"));
    let formula = script.assertions().next().expect("there is an assertion");
    let variables: Vec<Symbol> =
        names.split(' ').map(|name| terms.symbol_by_name(name).expect("a declared name")).collect();
    let result = eliminate(&mut terms, &variables, formula, oracle, Limits::default());
    let mut text = String::new();
    for &variable in &result.remaining {
        text.push_str(&format!("∃{}. ", terms.symbol_data(variable).name));
    }
    text + &infix(&terms, result.formula)
}

fn check(oracle: &mut dyn Oracle, cases: &[(&str, &str, &str)]) {
    let wrong: Vec<_> = cases
        .iter()
        .map(|(names, formula, text)| (names, formula, text, eliminated(oracle, names, formula)))
        .filter(|(_, _, text, result)| *text != result)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn equations_are_resolved() {
    check(
        &mut NoOracle,
        &[
            ("x", "(and (= x (+ y 1)) (< x z))", "y <= z - 2"),
            ("x y", "(and (= x (+ y 1)) (= y z) (= (f x) 0))", "f(z + 1) == 0"),
            ("x", "(and (= (* 2 x) y) (<= x z))", "y <= 2 * z && y mod 2 == 0"),
            ("x", "(and (= (* 3 x) y) (= (f x) z))", "z == f(y div 3) && y mod 3 == 0"),
            ("x", "(and (= (* 2 x) y) (= (mod x 3) 1))", "y mod 6 == 2 && y mod 2 == 0"),
            ("u", "(and (= (* 2.0 u) v) (< u w))", "v < 2.0 * w"),
            ("b", "(and (= b (bvadd c #x01)) (bvult b c))", "!bvule(c, bvadd(c, 1bv8))"),
            ("p", "(and (= p (> x 0)) (or p q))", "q || x > 0"),
            ("p", "(and (not (= p (> x 0))) (or p q))", "q || x <= 0"),
            ("p", "(and (not p) (or p q))", "q"),
            ("a", "(and (= a (store d i 1)) (= (select a j) 2))", "d[i := 1][j] == 2"),
            ("x y", "(and (= (+ x y) z) (> x 0) (> y 0))", "z >= 2"),
        ],
    );
}

#[test]
fn numbers_are_eliminated_exactly() {
    check(
        &mut NoOracle,
        &[
            ("x", "(and (> x y) (> x z) (not (= x n)))", "true"),
            ("x", "(and (> x y) (= (mod x 3) 1))", "true"),
            ("x", "(and (> x y) (= (mod (+ (* 2 x) z) 6) 0) p)", "p && z mod 2 == 0"),
            ("x", "(and (<= y x) (<= x z))", "y <= z"),
            ("x", "(and (< y x) (< x z))", "y <= z - 2"),
            ("x", "(and (<= y (* 2 x)) (<= x z))", "y <= 2 * z"),
            ("x", "(and (<= y (* 2 x)) (<= (* 3 x) z))", "(-y) div 2 + z div 3 >= 0"),
            ("x", "(and (<= y x) (<= x z) (= (mod x 2) 1))", "(1 - y) div 2 + (z + 1) div 2 > 0"),
            ("u", "(and (<= v u) (< u w) (<= u 3.0))", "v < w && v <= 3.0"),
            ("u", "(and (< v u) (not (= u w)))", "true"),
            ("u", "(and (< v u) (< u w) (not (= u 0.0)))", "(v < w && v < 0.0) || (v < w && w > 0.0)"),
            ("x y", "(and (< 0 x) (< x y) (< y z))", "z >= 3"),
            ("x", "(and (<= y x) (or p (<= x z)))", "p || y <= z"),
            ("x", "(and (<= y x) (<= x n) (or p (<= x z)))", "(p && y <= n) || (y <= n && y <= z)"),
            ("x", "(= (f x) y)", "∃x. y == f(x)"),
            ("x z", "(and (= (f x) y) (< z x))", "∃x. y == f(x)"),
            ("x", "(and (= y (ite p x (+ x 1))) (> x z))", "(p && y > z) || (!p && y >= z + 2)"),
        ],
    );
}

#[test]
fn arrays_are_eliminated_exactly() {
    check(
        &mut NoOracle,
        &[
            ("a", "(= d (store a i x))", "x == d[i]"),
            ("a", "(and (= d (store a i x)) (= (select a j) y))", "x == d[i] && (i == j || y == d[j])"),
            ("a", "(and (= (select a i) x) (= (select a j) y))", "i != j || x == y"),
            ("a", "(and (> (select a i) x) (not (= a d)))", "true"),
            ("a", "(and (= d (store (store a i x) j y)))", "(x == d[i] || i == j) && y == d[j]"),
            ("m", "(and (= (select (select m i) j) x) (= (select (select m i) k) y))", "j != k || x == y"),
            ("a", "(= (select a (select a i)) x)", "true"),
            ("a", "(= (f (select a i)) x)", "∃element. x == f(element)"),
            ("a", "(forall ((l Int)) (= (select a l) (select d l)))", "∃a. (forall l: int :: d[l] == a[l])"),
        ],
    );
}

#[test]
fn truth_values_are_eliminated_by_cases() {
    check(
        &mut NoOracle,
        &[
            ("p", "(and (or p (> x 9)) (or (not p) (< x 0)))", "x >= 10 || x < 0"),
            ("p q", "(and (or p (> x 0)) (or (not p) q))", "true"),
            ("p", "(= (f (ite p 1 2)) x)", "x == f(1) || x == f(2)"),
        ],
    );
}

proptest! {
    #![proptest_config(config(500))]

    /// With all variables in a box, the oracle knows everything, and the result can be checked for every assignment.
    #[test]
    fn integers_and_booleans_in_a_box_are_eliminated_correctly(
        formula in formulas(3, 20), chosen in 1u8..32, way in 0..3
    ) {
        let mut terms = Terms::new();
        let variables = Variables::new(&mut terms, Sort::INT);
        let all: Vec<Symbol> = variables.numbers.into_iter().chain(variables.booleans).collect();
        let formula = variables.term(&mut terms, &formula);
        let mut table = Table::new(variables, 3);
        let in_box = table.in_box(&mut terms);
        let boxed = terms.and([formula, in_box]);
        let eliminated: Vec<Symbol> =
            all.iter().copied().enumerate().filter(|(i, _)| chosen >> i & 1 == 1).map(|(_, symbol)| symbol).collect();
        let by_models = Limits { disjuncts: 0, growth: 0, copied: 0, ..Limits::default() };
        let result = match way {
            0 => eliminate(&mut terms, &eliminated, boxed, &mut NoOracle, Limits::default()),
            1 => eliminate(&mut terms, &eliminated, boxed, &mut table, Limits::default()),
            _ => eliminate(&mut terms, &eliminated, boxed, &mut table, by_models),
        };
        let is_left = |symbol: Symbol| !eliminated.contains(&symbol) || result.remaining.contains(&symbol);
        prop_assert!(terms.free_symbols(result.formula).into_iter().all(is_left));
        let before = table.column(&terms, boxed).expect("only known symbols");
        let after = table.column(&terms, result.formula).expect("only known symbols");
        // The key of a row is what is not eliminated.
        let mut wanted: BTreeMap<Vec<i64>, (bool, bool)> = BTreeMap::new();
        for (row, (numbers, booleans)) in table.rows.iter().enumerate() {
            let values = numbers.iter().copied().chain(booleans.iter().map(|&b| b.into()));
            let key: Vec<i64> =
                values.enumerate().filter(|(i, _)| chosen >> i & 1 == 0).map(|(_, value)| value).collect();
            let entry = wanted.entry(key).or_insert((false, false));
            entry.0 |= before[row] == 1;
            entry.1 |= after[row] == 1;
        }
        for (key, (wanted, found)) in wanted {
            prop_assert_eq!(wanted, found, "{:?}\n{}\n{}", key, infix(&terms, boxed), infix(&terms, result.formula));
        }
    }

    /// Without a box, but only one variable: all others have values, and a wide grid decides whether there is a value.
    #[test]
    fn unbounded_numbers_are_eliminated_correctly(
        formula in formulas(2, 12), reals: bool, samples in prop::collection::vec(prop::array::uniform3(-7i64..=7), 2)
    ) {
        let mut terms = Terms::new();
        let variables = Variables::new(&mut terms, if reals { Sort::REAL } else { Sort::INT });
        let formula = variables.term(&mut terms, &formula);
        let x = variables.numbers[0];
        let result = eliminate(&mut terms, &[x], formula, &mut NoOracle, Limits::default());
        prop_assume!(result.remaining.is_empty());
        for sample in samples {
            let mut model = variables.model(sample, [sample[0] & 1 == 1, sample[0] & 2 == 2]);
            let found = holds(&mut terms, &model, result.formula);
            // Atoms change their truth at multiples of 1/4 up to 20, or at integers up to 33 with periods up to 12.
            let wanted = (-200..=200).any(|k: i64| {
                let value = if reals { Value::Real(Rational::new(k.into(), 8.into())) } else { Value::Int(k.into()) };
                model.set(x, value);
                holds(&mut terms, &model, formula) == Ok(true)
            });
            prop_assert_eq!(found, Ok(wanted), "{}\n{}", infix(&terms, formula), infix(&terms, result.formula));
        }
    }
}
