//! Laws of terms, on random ones.

mod common;

use common::{Instruction, Pool, programs};
use logic::evaluate::evaluate;
use logic::smtlib::{parse, print};
use logic::{Quantifier, Substitution, Symbol, Term, Terms};
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
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn constructors_keep_the_value(seed: u64, program in programs(200)) {
        let mut pool = pool(seed, &program);
        for (term, values) in pool.newest() {
            for (model, expected) in pool.models.iter().zip(&values) {
                let value = evaluate(&mut pool.terms, model, term);
                prop_assert_eq!(value.as_ref(), Ok(expected), "{}", print::term(&pool.terms, term));
            }
        }
    }

    #[test]
    fn a_term_is_built_of_its_parts(seed: u64, program in programs(200)) {
        let mut pool = pool(seed, &program);
        for (term, _) in pool.newest() {
            let again = built_again(&mut pool.terms, term);
            prop_assert_eq!(again, term, "{}", print::term(&pool.terms, term));
        }
    }

    #[test]
    fn what_is_printed_is_read_back(seed: u64, program in programs(200)) {
        let mut pool = pool(seed, &program);
        for (term, _) in pool.newest() {
            let text = print::term(&pool.terms, term);
            prop_assert_eq!(parse::term(&mut pool.terms, &text), Ok(term), "{}", text);
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
        let (other, _) = pool.known[&logic::Sort::BOOL][3 * program.len() / 4 % pool.known[&logic::Sort::BOOL].len()];
        let terms = &mut pool.terms;
        let quantified = terms.quantify(quantifier, inner, body, &[]);
        let joined = terms.or([quantified, other]);
        let quantified = terms.quantify(quantifier.dual(), outer, joined, &[]);
        let text = print::term(terms, quantified);
        prop_assert_eq!(parse::term(terms, &text), Ok(quantified), "{}", text);
        if let logic::Op::Quantified(quantifier, _) = terms.op(quantified) {
            let opened = terms.open(quantified);
            let closed = terms.quantify(quantifier, &opened.variables, opened.body, &opened.triggers);
            prop_assert_eq!(closed, quantified, "{}", text);
        }
    }
}
