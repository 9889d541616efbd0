//! Property tests: Z3, the translation there and back, and the evaluator of [`logic`] mean the same.

use super::Z3;
use crate::horn::{Atom, Clause, Clauses, Solution};
use crate::oracle::SolverOracle;
use crate::process::{ProcessOptions, ProcessSession};
use crate::random::{Random, elements, literal};
use crate::solver::{Answer, Solver};
use base::Budget;
use logic::evaluate::{Evaluator, evaluate, holds};
use logic::qe::{Elimination, Limits, eliminate};
use logic::smtlib::print;
use logic::{Model, Op, Sort, Substitution, Symbol, Term, Terms, Value};
use proptest::collection::vec;
use proptest::prelude::*;
use z3_sys::Z3_simplify;

const RLIMIT: u32 = 300_000;

/// A failure is kept as a test of its own, not as a seed.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn numbers() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..300)
}

fn z3() -> Z3 {
    Z3::new(&Budget::unlimited())
}

/// Says that everything a term is made of has the value that it has under a model: symbols, function applications,
/// quotients by zero.
fn pinned(terms: &mut Terms, model: &Model, term: Term) -> Vec<Term> {
    let mut parts = Vec::new();
    terms.for_each_subterm(&[term], |part| match terms.op(part) {
        Op::Symbol(_) | Op::Apply(_) => parts.push((part, None)),
        Op::Div | Op::Mod | Op::Divide => parts.push((part, Some(terms.args(part)[1]))),
        _ => {}
    });
    let mut evaluator = Evaluator::new(model);
    let mut facts = Vec::new();
    for (part, divisor) in parts {
        let zero = |value: Value| matches!(value, Value::Int(n) if n == 0.into());
        let real_zero = |value: Value| matches!(value, Value::Real(n) if *n.numer() == 0.into());
        if let Some(divisor) = divisor {
            let value = evaluator.evaluate(terms, divisor).expect("no quantifiers");
            if !zero(value.clone()) && !real_zero(value) {
                continue;
            }
        }
        let value = evaluator.evaluate(terms, part).expect("no quantifiers");
        let sort = terms.sort_of(part);
        let value = literal(terms, sort, &value);
        facts.push(terms.eq(part, value));
    }
    facts
}

/// Does `term` have its value under the model by Z3's account too?
fn has_its_value(session: &mut dyn Solver, terms: &mut Terms, random: &mut Random<'_>, term: Term) -> Answer {
    let mut model = random.model(terms, &[term]);
    let different = elements(terms, &mut model);
    let value = evaluate(terms, &model, term).expect("no quantifiers");
    let value = literal(terms, terms.sort_of(term), &value);
    let equal = terms.eq(term, value);
    let wrong = terms.not(equal);
    session.push();
    session.assert(terms, different);
    let facts = pinned(terms, &model, term);
    for &fact in &facts {
        session.assert(terms, fact);
    }
    if session.check(terms).is_unsat() {
        panic!("the facts contradict each other:\n{}", print::script(terms, &facts));
    }
    session.assert(terms, wrong);
    let answer = session.check(terms);
    session.pop();
    answer
}

/// A random formula has the models that the solver finds, and none if it says so.
fn agrees_on_satisfiability(
    session: &mut dyn Solver,
    terms: &mut Terms,
    random: &mut Random<'_>,
    formula: Term,
) {
    session.push();
    session.assert(terms, formula);
    match session.check(terms) {
        Answer::Sat => {
            if let Ok(model) = session.model(terms) {
                let shown = print::term(terms, formula);
                assert_eq!(holds(terms, &model, formula), Ok(true), "{shown}\n{model:?}");
            }
        }
        Answer::Unsat => {
            for _ in 0..5 {
                let model = random.model(terms, &[formula]);
                assert_eq!(holds(terms, &model, formula), Ok(false), "{model:?}");
            }
        }
        Answer::Unknown(_) => {}
    }
    session.pop();
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn there_and_back_is_the_same_term(choices in numbers()) {
        let mut terms = Terms::new();
        let mut random = Random::new(&mut terms, &choices);
        let sort = random.sort();
        let term = random.term(&mut terms, sort, 5);
        let z3 = z3();
        let ast = z3.encode(&terms, term).expect("it can be translated");
        prop_assert_eq!(z3.decode(&mut terms, ast, &[]), Ok(term));
    }

    #[test]
    fn what_z3_simplifies_keeps_its_value(choices in numbers()) {
        let mut terms = Terms::new();
        let mut random = Random::new(&mut terms, &choices);
        let sort = random.sort();
        let term = random.term(&mut terms, sort, 5);
        let z3 = z3();
        let ast = z3.encode(&terms, term).expect("it can be translated");
        // SAFETY: the term is alive; the result is kept before the next call.
        let simple = z3.context.keep(unsafe { Z3_simplify(z3.context.raw(), ast) }.expect("Z3 simplifies"));
        if let Ok(simple) = z3.decode(&mut terms, simple, &[]) {
            for _ in 0..4 {
                let model = random.model(&terms, &[term, simple]);
                let (before, after) = (evaluate(&mut terms, &model, term), evaluate(&mut terms, &model, simple));
                prop_assert_eq!(before, after, "{:?}", model);
            }
        }
    }

    #[test]
    fn terms_have_the_value_that_the_evaluator_gives(choices in numbers()) {
        let mut terms = Terms::new();
        let mut random = Random::new(&mut terms, &choices);
        let sort = random.sort();
        let term = random.term(&mut terms, sort, 4);
        prop_assume!(!terms.has_quantifier(term));
        let mut session = z3().session();
        session.set_rlimit(Some(RLIMIT));
        let answer = has_its_value(&mut session, &mut terms, &mut random, term);
        prop_assert!(!answer.is_sat());
    }

    #[test]
    fn satisfying_models_satisfy(choices in numbers()) {
        let mut terms = Terms::new();
        let mut random = Random::new(&mut terms, &choices);
        let formula = random.term(&mut terms, Sort::BOOL, 5);
        let mut session = z3().session();
        session.set_rlimit(Some(RLIMIT));
        agrees_on_satisfiability(&mut session, &mut terms, &mut random, formula);
    }
}

/// Is `∃ symbols. formula` true under a model? Asked by replacing the other symbols by their values.
fn exists(z3: &Z3, terms: &mut Terms, model: &Model, (symbols, formula): (&[Symbol], Term)) -> Answer {
    let others: Vec<Symbol> =
        terms.free_symbols(formula).into_iter().filter(|symbol| !symbols.contains(symbol)).collect();
    let mut substitution = Substitution::new();
    for symbol in others {
        let sort = terms.symbol_data(symbol).sort;
        let value = literal(terms, sort, &model.value(terms, symbol));
        substitution.insert(symbol, value);
    }
    let formula = substitution.apply(terms, formula);
    let mut session = z3.session();
    session.set_rlimit(Some(RLIMIT));
    session.assert(terms, formula);
    session.check(terms)
}

/// Whatever was eliminated, the formula still says when values for the symbols exist.
fn keeps_its_meaning(
    terms: &mut Terms,
    random: &mut Random<'_>,
    before: (&[Symbol], Term),
    after: (&[Symbol], Term),
) -> Result<(), TestCaseError> {
    let z3 = z3();
    for _ in 0..4 {
        let model = random.model(terms, &[before.1, after.1]);
        let answers = [before, after].map(|question| exists(&z3, terms, &model, question));
        let decided = answers.iter().all(|answer| !matches!(answer, Answer::Unknown(_)));
        let shown = print::script(terms, &[before.1, after.1]);
        prop_assert!(
            !decided || answers[0] == answers[1],
            "{:?} of {:?}\n{}\n{:?}",
            answers,
            before.0,
            shown,
            model
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn elimination_with_models_keeps_the_meaning(choices in numbers()) {
        let mut terms = Terms::new();
        let mut random = Random::new(&mut terms, &choices);
        let formula = random.plain_formula(&mut terms, 4);
        let symbols = random.some_of(terms.free_symbols(formula));
        let mut session = z3().session();
        session.set_rlimit(Some(RLIMIT));
        let mut oracle = SolverOracle::new(&mut session);
        let Elimination { formula: result, remaining } =
            eliminate(&mut terms, &symbols, formula, &mut oracle, Limits::default());
        keeps_its_meaning(&mut terms, &mut random, (&symbols, formula), (&remaining, result))?;
    }
}

/// Random clauses over a relation with two numbers and an array, and one with a number and a bit-vector.
fn random_clauses(terms: &mut Terms, random: &mut Random<'_>) -> Clauses {
    let map = terms.array_sort(Sort::INT, Sort::INT);
    let nibble = terms.bitvec_sort(4);
    let mut clauses = Clauses::default();
    let signatures = [vec![Sort::INT, map, Sort::INT], vec![nibble, Sort::INT]];
    let relations: Vec<_> = signatures
        .iter()
        .enumerate()
        .map(|(i, sorts)| {
            let symbol = |(j, &sort): (usize, &Sort)| terms.symbol(&format!("r{i}_{j}"), sort);
            clauses.add_relation(sorts.iter().enumerate().map(symbol).collect())
        })
        .collect();
    for i in 0..5 {
        let atom = |terms: &mut Terms, random: &mut Random<'_>, which: usize, depth| {
            let arguments =
                signatures[which].iter().map(|&sort| random.plain_term(terms, sort, depth)).collect();
            Atom { relation: relations[which], arguments }
        };
        let premises = match i {
            0 => vec![],
            _ => vec![atom(terms, random, i % 2, 0)],
        };
        let conclusion = (i < 4).then(|| atom(terms, random, usize::from(i == 1), 1));
        let constraint = random.plain_formula(terms, 2);
        clauses.add(Clause { premises, constraint, conclusion });
    }
    clauses
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn relations_of_spacer_satisfy_the_clauses(choices in numbers()) {
        let mut terms = Terms::new();
        let mut random = Random::new(&mut terms, &choices);
        let clauses = random_clauses(&mut terms, &mut random);
        if let Solution::Solved(formulas) = z3().spacer(&mut terms, &clauses, RLIMIT) {
            let violated = clauses.violated(&mut terms, &mut z3().session(), &formulas);
            prop_assert!(violated.is_none(), "{:?}\n{:?}", clauses, violated);
        }
    }
}

/// The text form is read by Z3 as a process; one process serves many cases.
#[test]
fn a_process_agrees_too() {
    let command = [env!("UNREACH_Z3_EXECUTABLE"), "-in"].map(str::to_owned).to_vec();
    let options = ProcessOptions { command, ..ProcessOptions::command("") };
    let mut runner = proptest::test_runner::TestRunner::new(config(400));
    let session = std::cell::RefCell::new(None::<(Terms, ProcessSession)>);
    let outcome = runner.run(&numbers(), |choices| {
        // A case that fails does not give its session back.
        let used = session.borrow_mut().take();
        let (mut terms, mut solver) = used.unwrap_or_else(|| {
            let mut session = ProcessSession::new(options.clone(), &Budget::unlimited());
            session.set_rlimit(Some(RLIMIT));
            (Terms::new(), session)
        });
        let mut random = Random::new(&mut terms, &choices);
        let formula = random.term(&mut terms, Sort::BOOL, 4);
        agrees_on_satisfiability(&mut solver, &mut terms, &mut random, formula);
        if !terms.has_quantifier(formula) {
            let answer = has_its_value(&mut solver, &mut terms, &mut random, formula);
            prop_assert!(!answer.is_sat());
        }
        *session.borrow_mut() = Some((terms, solver));
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}
