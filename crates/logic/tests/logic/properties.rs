//! Laws of terms, on random ones.

use crate::config;
use crate::formulas::{Variables, formulas};
use crate::pool::{Instruction, Pool, programs};
use logic::evaluate::evaluate;
use logic::smtlib::{parse, print as smtlib};
use logic::{Quantifier, Sort, Substitution, Symbol, Term, Terms, nnf, print, simplify};
use proptest::prelude::*;
use rustc_hash::FxHashMap;

fn pool(seed: u64, program: &[Instruction]) -> Pool {
    let mut pool = Pool::new(seed);
    pool.run(program);
    pool
}

/// Applies every operator of a term again, through the canonical constructors.
fn built_again(terms: &mut Terms, root: Term) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let fresh: Vec<(Symbol, Symbol)> = terms
        .free_symbols(root)
        .into_iter()
        .rev()
        .map(|symbol| (symbol, terms.fresh_symbol("other", terms.symbol_data(symbol).sort)))
        .collect();
    let mut away: Substitution = fresh.iter().map(|&(old, new)| (old, terms.constant(new))).collect();
    let renamed = away.apply(terms, root);
    let mut back: FxHashMap<Term, Term> =
        fresh.iter().map(|&(old, new)| (terms.constant(new), terms.constant(old))).collect();
    done.extend(back.drain());
    terms.transform(renamed, &mut done, |_, _| None)
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn constructors_keep_the_value(seed: u64, program in programs(200)) {
        let mut pool = pool(seed, &program);
        for (term, values) in pool.newest() {
            for (model, expected) in pool.models.iter().zip(&values) {
                let value = evaluate(&mut pool.terms, model, term);
                prop_assert_eq!(value.as_ref(), Ok(expected), "{}", smtlib::term(&pool.terms, term));
            }
        }
    }

    #[test]
    fn a_term_is_built_of_its_parts(seed: u64, program in programs(200)) {
        let mut pool = pool(seed, &program);
        for (term, _) in pool.newest() {
            let again = built_again(&mut pool.terms, term);
            prop_assert_eq!(again, term, "{}", smtlib::term(&pool.terms, term));
        }
    }

    #[test]
    fn what_is_printed_is_read_back(seed: u64, program in programs(200)) {
        let mut pool = pool(seed, &program);
        for (term, _) in pool.newest() {
            let text = smtlib::term(&pool.terms, term);
            prop_assert_eq!(parse::term(&mut pool.terms, &text), Ok(term), "{}", text);
        }
    }

    #[test]
    fn simplification_and_normal_forms_keep_the_value(seed: u64, program in programs(200)) {
        let mut pool = pool(seed, &program);
        let formulas = pool.known[&Sort::BOOL].clone();
        // Single formulas, and junctions of several so that there is context to use.
        for window in formulas.windows(4).rev().take(5) {
            let parts: Vec<Term> = window.iter().map(|(term, _)| *term).collect();
            let terms = &mut pool.terms;
            let [conjunction, disjunction] = [terms.and(parts.clone()), terms.or(parts)];
            for formula in [window[3].0, conjunction, disjunction] {
                let [simple, normal] = [simplify(terms, formula), nnf(terms, formula)];
                prop_assert!(terms.dag_size(simple) <= terms.dag_size(formula));
                for model in &pool.models {
                    let value = evaluate(terms, model, formula);
                    prop_assert_eq!(&evaluate(terms, model, simple), &value, "{}", print::infix(terms, formula));
                    prop_assert_eq!(&evaluate(terms, model, normal), &value, "{}", print::infix(terms, formula));
                }
            }
        }
    }

    #[test]
    fn atoms_about_the_same_sums_are_joined_correctly(
        formula in formulas(2, 24), reals: bool, numbers in prop::collection::vec(prop::array::uniform3(-7i64..=7), 12)
    ) {
        let mut terms = Terms::new();
        let variables = Variables::new(&mut terms, if reals { Sort::REAL } else { Sort::INT });
        let formula = variables.term(&mut terms, &formula);
        let [simple, normal] = [simplify(&mut terms, formula), nnf(&mut terms, formula)];
        prop_assert!(terms.dag_size(simple) <= terms.dag_size(formula));
        for (i, numbers) in numbers.into_iter().enumerate() {
            let model = variables.model(numbers, [i & 1 == 1, i & 2 == 2]);
            let value = evaluate(&mut terms, &model, formula);
            prop_assert_eq!(&evaluate(&mut terms, &model, simple), &value, "{}", print::infix(&terms, formula));
            prop_assert_eq!(&evaluate(&mut terms, &model, normal), &value, "{}", print::infix(&terms, formula));
        }
    }

    #[test]
    fn quantified_formulas_over_booleans_keep_their_value(
        seed: u64, program in programs(200), chosen in 1u8..8, forall: bool
    ) {
        let mut pool = pool(seed, &program);
        let formulas = pool.known[&Sort::BOOL].clone();
        let variables: Vec<Symbol> = (0..3).filter(|i| chosen >> i & 1 == 1).map(|i| pool.symbols[i]).collect();
        let quantifier = if forall { Quantifier::Forall } else { Quantifier::Exists };
        for window in formulas.windows(3).rev().take(4) {
            let terms = &mut pool.terms;
            let inner = terms.quantify(quantifier, &variables[..1], window[0].0, &[]);
            let joined = terms.and([inner, window[1].0]);
            let quantified = terms.quantify(quantifier.dual(), &variables, joined, &[]);
            let formula = terms.eq(quantified, window[2].0);
            let [simple, normal] = [simplify(terms, formula), nnf(terms, formula)];
            for model in &pool.models {
                let value = evaluate(terms, model, formula);
                prop_assert_eq!(&evaluate(terms, model, simple), &value, "{}", print::infix(terms, formula));
                prop_assert_eq!(&evaluate(terms, model, normal), &value, "{}", print::infix(terms, formula));
            }
        }
    }

    #[test]
    fn quantified_formulas_are_read_back_and_open_to_themselves(
        seed: u64, program in programs(200), chosen: u32, forall: bool
    ) {
        let mut pool = pool(seed, &program);
        let (body, _) = pool.newest()[0];
        let variables: Vec<Symbol> =
            pool.symbols.iter().copied().enumerate().filter(|(i, _)| chosen >> i & 1 == 1).map(|(_, s)| s).collect();
        let (inner, outer) = variables.split_at(variables.len() / 2);
        let quantifier = if forall { Quantifier::Forall } else { Quantifier::Exists };
        let (other, _) = pool.known[&Sort::BOOL][3 * program.len() / 4 % pool.known[&Sort::BOOL].len()];
        let terms = &mut pool.terms;
        let quantified = terms.quantify(quantifier, inner, body, &[]);
        let joined = terms.or([quantified, other]);
        let quantified = terms.quantify(quantifier.dual(), outer, joined, &[]);
        let text = smtlib::term(terms, quantified);
        prop_assert_eq!(parse::term(terms, &text), Ok(quantified), "{}", text);
        if let logic::Op::Quantified(quantifier, _) = terms.op(quantified) {
            let opened = terms.open(quantified);
            let closed = terms.quantify(quantifier, &opened.variables, opened.body, &opened.triggers);
            prop_assert_eq!(closed, quantified, "{}", text);
        }
    }
}
