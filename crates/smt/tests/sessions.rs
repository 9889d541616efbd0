//! What every kind of session has to do: Z3 in this process, and Z3 as a process of its own.

use base::{Budget, Limit};
use logic::{Quantifier, Sort, SortData, Term, Terms, Value};
use smt::process::{ProcessOptions, ProcessSession};
use smt::z3::Z3;
use smt::{Answer, Reason, Solver};
use std::time::Duration;

fn z3() -> Z3 {
    Z3::new(&Budget::unlimited())
}

fn process(budget: &Budget) -> ProcessSession {
    let command = [env!("UNREACH_Z3_EXECUTABLE"), "-in"].map(str::to_owned).to_vec();
    let patience = Some(Duration::from_secs(60));
    ProcessSession::new(ProcessOptions { command, patience, ..ProcessOptions::command("") }, budget)
}

/// Runs a test with both kinds of sessions.
fn with_each(test: impl Fn(&mut dyn Solver)) {
    test(&mut z3().session());
    test(&mut process(&Budget::unlimited()));
}

#[test]
fn scopes_forget_their_assertions() {
    with_each(|session| {
        let mut terms = Terms::new();
        let x = terms.named("x", Sort::INT);
        let [one, two] = [1, 2].map(|n| terms.int(n));
        let (small, large) = (terms.le(x, one), terms.ge(x, two));
        session.assert(&terms, small);
        assert_eq!(session.check(&terms), Answer::Sat);
        session.push();
        session.assert(&terms, large);
        assert_eq!(session.check(&terms), Answer::Unsat);
        session.pop();
        assert_eq!(session.check(&terms), Answer::Sat);
    });
}

#[test]
fn cores_are_assumptions_in_the_given_order() {
    with_each(|session| {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.named(name, Sort::INT));
        let (xy, yz, zx) = (terms.lt(x, y), terms.lt(y, z), terms.lt(z, x));
        let zero = terms.int(0);
        let idle = terms.ge(x, zero);
        let assumptions = [idle, zx, Term::TRUE, xy, yz];
        assert_eq!(session.check_assuming(&terms, &assumptions), Answer::Unsat);
        assert_eq!(session.core(&terms), Ok(vec![zx, xy, yz]));
        assert_eq!(session.model(&mut terms).map(|_| ()), Err(Reason::NothingToAsk));
        assert_eq!(session.check_assuming(&terms, &[xy, yz]), Answer::Sat);
        assert_eq!(session.core(&terms), Err(Reason::NothingToAsk));
        assert_eq!(session.check_assuming(&terms, &[Term::FALSE, xy]), Answer::Unsat);
        assert_eq!(session.core(&terms), Ok(vec![Term::FALSE]));
        session.assert(&terms, zx);
        assert_eq!(session.core(&terms), Err(Reason::NothingToAsk), "an assertion ends the query");
    });
}

#[test]
fn models_give_values_of_all_sorts() {
    with_each(|session| {
        let mut terms = Terms::new();
        let row = terms.array_sort(Sort::INT, Sort::BOOL);
        let map = terms.array_sort(Sort::BOOL, row);
        let byte = terms.bitvec_sort(8);
        let u = terms.sort(SortData::Uninterpreted("U".into()));
        let f = terms.function("f", &[u, Sort::INT], Sort::REAL);
        let [p, q] = ["p", "q"].map(|name| terms.named(name, u));
        let a = terms.named("a", map);
        let b = terms.named("b", byte);
        let x = terms.named("x", Sort::INT);
        let (three, zero) = (terms.int(3), terms.int(0));
        let mut all = Vec::new();
        let same = terms.eq(p, q);
        all.push(terms.not(same));
        all.push(terms.select_at(a, &[Term::TRUE, three]));
        let other = terms.select_at(a, &[Term::FALSE, three]);
        all.push(terms.not(other));
        let (fp, fq) = (terms.apply(f, &[p, three]), terms.apply(f, &[q, three]));
        all.push(terms.lt(fp, fq));
        let big = terms.bitvec(200, 8);
        all.push(terms.bv_ult(big, b));
        // Quotients by zero are up to the model.
        let (quotient, rest) = (terms.div(x, zero), terms.modulo(x, zero));
        all.push(terms.eq(quotient, three));
        all.push(terms.lt(rest, zero));
        let formula = terms.and(all);
        session.assert(&terms, formula);
        assert_eq!(session.check(&terms), Answer::Sat);
        let model = session.model(&mut terms).expect("there is a model");
        assert_eq!(logic::evaluate::evaluate(&mut terms, &model, formula), Ok(Value::Bool(true)));
        let symbol = terms.as_symbol(b).expect("b is a symbol");
        assert!(matches!(model.get(symbol), Some(Value::BitVec(8, value)) if *value > 200.into()));
    });
}

#[test]
fn a_session_moves_to_a_solver_that_knows_the_theory() {
    with_each(|session| {
        let mut terms = Terms::new();
        let map = terms.array_sort(Sort::INT, Sort::INT);
        let (a, i, j) = (terms.named("a", map), terms.named("i", Sort::INT), terms.named("j", Sort::INT));
        let zero = terms.int(0);
        let positive = terms.ge(i, zero);
        session.assert(&terms, positive);
        session.push();
        assert_eq!(session.check(&terms), Answer::Sat);
        // Without the theory of arrays this has a model.
        let written = terms.store(a, i, zero);
        let (left, right) = (terms.select(written, j), terms.select(a, j));
        let equal = terms.eq(left, right);
        let different = terms.not(equal);
        let zero_there = terms.eq(left, zero);
        let not_zero = terms.not(zero_there);
        let formula = terms.and([different, not_zero]);
        session.assert(&terms, formula);
        assert_eq!(session.check(&terms), Answer::Unsat);
        session.pop();
        assert_eq!(session.check_assuming(&terms, &[formula]), Answer::Unsat);
        assert_eq!(session.check(&terms), Answer::Sat);
    });
}

/// A formula that takes long: a pigeonhole principle.
fn hard(terms: &mut Terms, holes: usize) -> Term {
    let mut all = Vec::new();
    let named = |terms: &mut Terms, i: usize, j: usize| terms.named(&format!("p{i}_{j}"), Sort::BOOL);
    for i in 0..=holes {
        let somewhere: Vec<Term> = (0..holes).map(|j| named(terms, i, j)).collect();
        all.push(terms.or(somewhere));
        for k in 0..i {
            for j in 0..holes {
                let (first, second) = (named(terms, i, j), named(terms, k, j));
                let both = terms.and([first, second]);
                all.push(terms.not(both));
            }
        }
    }
    terms.and(all)
}

#[test]
fn the_limit_bounds_each_query_and_is_reproducible() {
    with_each(|session| {
        let mut terms = Terms::new();
        let formula = hard(&mut terms, 10);
        session.set_rlimit(Some(100_000));
        for _ in 0..3 {
            session.push();
            session.assert(&terms, formula);
            assert_eq!(session.check(&terms), Answer::Unknown(Reason::ResourceLimit));
            session.pop();
            // An easy query after it has the whole limit again.
            assert_eq!(session.check(&terms), Answer::Sat);
        }
        let easy = hard(&mut terms, 3);
        session.set_rlimit(None);
        session.assert(&terms, easy);
        assert_eq!(session.check(&terms), Answer::Unsat);
    });
}

#[test]
fn a_tripped_budget_ends_a_query() {
    let budget = Budget::unlimited();
    let z3 = Z3::new(&budget);
    is_ended(&mut z3.session(), &budget);
    let budget = Budget::unlimited();
    is_ended(&mut process(&budget), &budget);
}

fn is_ended(session: &mut dyn Solver, budget: &Budget) {
    let mut terms = Terms::new();
    let formula = hard(&mut terms, 20);
    session.assert(&terms, formula);
    let other = budget.clone();
    let tripper = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        other.trip(Limit::Time);
    });
    assert_eq!(session.check(&terms), Answer::Unknown(Reason::Interrupted(Limit::Time)));
    tripper.join().expect("it does not panic");
    assert_eq!(session.check(&terms), Answer::Unknown(Reason::Interrupted(Limit::Time)));
}

#[test]
fn quantifiers_with_triggers_reach_the_solver() {
    with_each(|session| {
        let mut terms = Terms::new();
        let f = terms.function("f", &[Sort::INT], Sort::INT);
        let x = terms.symbol("x", Sort::INT);
        let tx = terms.constant(x);
        let fx = terms.apply(f, &[tx]);
        let larger = terms.gt(fx, tx);
        let axiom = terms.quantify(Quantifier::Forall, &[x], larger, &[vec![fx]]);
        let seven = terms.int(7);
        let f7 = terms.apply(f, &[seven]);
        let small = terms.le(f7, seven);
        session.assert(&terms, axiom);
        assert_eq!(session.check_assuming(&terms, &[small]), Answer::Unsat);
        assert_eq!(session.core(&terms), Ok(vec![small]));
    });
}

#[test]
fn invented_names_of_z3_are_not_ours() {
    // Z3 introduces constants `k!0`, `k!1`, … by itself, for example for the bits of a skolemised formula.
    let mut terms = Terms::new();
    let names: Vec<Term> = (0..50).map(|i| terms.named(&format!("x!{i}"), Sort::INT)).collect();
    let x = terms.symbol("x", Sort::INT);
    let tx = terms.constant(x);
    let f = terms.function("f", &[Sort::INT], Sort::INT);
    let fx = terms.apply(f, &[tx]);
    let hundred = terms.int(100);
    let above = terms.gt(fx, hundred);
    let exists = terms.quantify(Quantifier::Exists, &[x], above, &[]);
    let mut session = z3().session();
    session.assert(&terms, exists);
    for &name in &names {
        let value = terms.apply(f, &[name]);
        let below = terms.le(value, hundred);
        session.assert(&terms, below);
    }
    assert_eq!(session.check(&terms), Answer::Sat);
}

#[test]
fn deep_terms_are_translated_without_recursion() {
    with_each(|session| {
        let mut terms = Terms::new();
        let f = terms.function("f", &[Sort::INT], Sort::INT);
        let x = terms.named("x", Sort::INT);
        let mut term = x;
        for depth in [500, 100_000] {
            for _ in 0..depth {
                term = terms.apply(f, &[term]);
            }
            let formula = terms.lt(term, x);
            session.push();
            session.assert(&terms, formula);
            // Z3 takes minutes for the deepest one, so it only has to arrive.
            if depth < 1000 {
                assert_eq!(session.check(&terms), Answer::Sat);
            }
            session.pop();
        }
    });
}
