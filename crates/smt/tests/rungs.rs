//! Every answer of the rungs against Z3, on random questions of the kinds that engines ask.

use base::{Budget, Random};
use logic::evaluate::holds;
use logic::{Op, Sort, Term, Terms};
use smt::{Answer, RungStatistics, Solver, Solvers};

/// How much work the solver may have with a question.
const RLIMIT: u32 = 1_000_000;

/// Draws questions.
struct Questions {
    random: Random,
    numbers: Vec<Term>,
    truths: Vec<Term>,
    map: Term,
    /// Whether bits of numbers are computed with.
    bits: bool,
}

impl Questions {
    fn new(seed: u64, bits: bool, terms: &mut Terms) -> Questions {
        let sort = terms.array_sort(Sort::INT, Sort::INT);
        Questions {
            random: Random::new(seed),
            numbers: ["x", "y", "z", "i"].map(|name| terms.named(name, Sort::INT)).to_vec(),
            truths: ["p", "q"].map(|name| terms.named(name, Sort::BOOL)).to_vec(),
            map: terms.named("a", sort),
            bits,
        }
    }

    fn draw(&mut self, below: u64) -> u64 {
        self.random.number(below)
    }

    fn number(&mut self, terms: &mut Terms, depth: u32) -> Term {
        let constant = self.draw(9) as i64 - 4;
        let one = self.random.pick(&self.numbers);
        if depth == 0 {
            return if self.draw(4) == 0 { terms.int(constant) } else { one };
        }
        match self.draw(9) {
            0..3 => {
                let (left, right) = (self.number(terms, depth - 1), self.number(terms, depth - 1));
                terms.add(&[left, right])
            }
            3 | 4 => {
                let (factor, of) = (terms.int(constant), self.number(terms, depth - 1));
                terms.mul(&[factor, of])
            }
            5 => {
                let condition = self.formula(terms, 1);
                let (then, otherwise) = (self.number(terms, depth - 1), self.number(terms, depth - 1));
                terms.ite(condition, then, otherwise)
            }
            6 => {
                let (of, modulus) = (self.number(terms, depth - 1), terms.int(2 + constant.abs()));
                terms.modulo(of, modulus)
            }
            7 => {
                let (at, value, index) =
                    (self.number(terms, 0), self.number(terms, 0), self.number(terms, depth - 1));
                let stored = terms.store(self.map, at, value);
                let array = if self.draw(2) == 0 { self.map } else { stored };
                terms.select(array, index)
            }
            _ if self.bits => {
                let (left, right) = (self.number(terms, depth - 1), self.number(terms, depth - 1));
                let (left, right) = (terms.int_to_bv(4, left), terms.int_to_bv(4, right));
                let op = self.random.pick(&[Op::BvAnd, Op::BvOr, Op::BvXor]);
                let combined = terms.bv_binary(op, left, right);
                terms.bv_to_nat(combined)
            }
            _ => one,
        }
    }

    fn formula(&mut self, terms: &mut Terms, depth: u32) -> Term {
        if depth > 0 && self.draw(2) == 0 {
            let (left, right) = (self.formula(terms, depth - 1), self.formula(terms, depth - 1));
            return match self.draw(5) {
                0 => terms.not(left),
                1 => terms.and([left, right]),
                2 => terms.eq(left, right),
                _ => terms.or([left, right]),
            };
        }
        let (left, right) = (self.number(terms, 2), self.number(terms, 1));
        match self.draw(8) {
            0 => self.random.pick(&self.truths),
            1 => terms.eq(left, right),
            2 => {
                let equal = terms.eq(left, right);
                terms.not(equal)
            }
            3 | 4 => terms.lt(left, right),
            _ => terms.le(left, right),
        }
    }
}

/// Holds answers, models and cores against those of the solver, for so many random sessions.
fn compare(sessions: u64, bits: bool) -> RungStatistics {
    let budget = Budget::unlimited();
    let mut statistics = RungStatistics::default();
    for seed in 0..sessions {
        let mut terms = Terms::new();
        let mut questions = Questions::new(seed, bits, &mut terms);
        let solvers = Solvers::new(&budget);
        let mut quick = solvers.quick_session();
        let mut asserted: Vec<Vec<Term>> = vec![Vec::new()];
        for _ in 0..6 {
            match questions.draw(4) {
                0 => {
                    quick.push();
                    asserted.push(Vec::new());
                }
                1 if asserted.len() > 1 => {
                    quick.pop();
                    asserted.pop();
                }
                _ => {
                    let formula = questions.formula(&mut terms, 2);
                    quick.assert(&terms, formula);
                    asserted.last_mut().expect("there is a scope").push(formula);
                }
            }
            let assumptions: Vec<Term> =
                (0..questions.draw(4)).map(|_| questions.formula(&mut terms, 1)).collect();
            let answer = quick.check_assuming(&terms, &assumptions);
            let all: Vec<Term> = asserted.iter().flatten().chain(&assumptions).copied().collect();
            let ask = |formulas: &[Term]| {
                let mut session = solvers.session();
                session.set_rlimit(Some(RLIMIT));
                formulas.iter().for_each(|&formula| session.assert(&terms, formula));
                session.check(&terms)
            };
            let expected = ask(&all);
            let differs = answer != expected
                && ![&answer, &expected].map(|a| matches!(a, Answer::Unknown(_))).contains(&true);
            assert!(!differs, "seed {seed}: {answer} instead of {expected}");
            match answer {
                Answer::Sat => {
                    let model = quick.model(&mut terms).expect("there is a model");
                    for &formula in &all {
                        assert_eq!(holds(&mut terms, &model, formula), Ok(true), "seed {seed}");
                    }
                }
                Answer::Unsat => {
                    let core = quick.core(&terms).expect("there is a core");
                    assert!(core.iter().all(|formula| assumptions.contains(formula)), "seed {seed}");
                    let needed: Vec<Term> = asserted.iter().flatten().chain(&core).copied().collect();
                    assert!(!ask(&needed).is_sat(), "seed {seed}");
                }
                Answer::Unknown(_) => {}
            }
        }
        statistics.merge(&solvers.rungs());
    }
    statistics
}

// The tests would be worth nothing if the solver had answered all of it.

#[test]
fn answers_models_and_cores_agree_with_the_solver() {
    let statistics = compare(600, false);
    let RungStatistics { by_bounds, by_congruence, by_simplex, by_cases, by_circuits, by_solver } =
        statistics;
    assert_eq!(by_circuits, 0, "there are no bits");
    assert!(by_bounds > 300 && by_simplex > 300 && by_cases > 300 && by_congruence > 5, "{statistics}");
    assert!(by_solver < by_bounds + by_simplex + by_cases, "{statistics}");
}

#[test]
fn answers_about_bits_agree_with_the_solver() {
    let statistics = compare(60, true);
    assert!(statistics.by_circuits > 60, "{statistics}");
}

/// What matters among hundreds of assumptions is found without the solver behind.
#[test]
fn a_core_of_many_assumptions_is_small() {
    let mut terms = Terms::new();
    let solvers = Solvers::new(&Budget::unlimited());
    let mut quick = solvers.quick_session();
    let mut assumptions: Vec<Term> = Vec::new();
    for number in 0..150 {
        let [left, right] = ["a", "b"].map(|name| terms.named(&format!("{name}{number}"), Sort::INT));
        assumptions.push(terms.le(left, right));
    }
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.named(name, Sort::INT));
    let circle = [terms.lt(x, y), terms.lt(y, z), terms.lt(z, x)];
    for (place, &formula) in [7, 80, 140].iter().zip(&circle) {
        assumptions.insert(*place, formula);
    }
    assert_eq!(quick.check_assuming(&terms, &assumptions), Answer::Unsat);
    assert_eq!(quick.core(&terms).expect("there is a core"), circle);
    assert_eq!(solvers.rungs().by_solver, 0);
}
