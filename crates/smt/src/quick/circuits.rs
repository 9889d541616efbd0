//! Questions in which operations on bits and integers meet, as circuits.
//!
//! In C, words are integers, and their bits are those of bit-vectors that they are converted to and from. SMT solvers do not decide even a single trace with
//! a handful of such conversions. As circuits ([`unroll::formula`]) such questions are mostly easy: integers have few bits where the question says
//! so, and are open where it does not.
//!
//! A model is one under which all formulas of the question have been evaluated. A core is what remains after leaving out assumptions.

use base::Budget;
use logic::evaluate::Evaluator;
use logic::{Model, Term, Terms};
use sat::{Answer, Lit, Recording, Solver};
use unroll::Clauses;
use unroll::formula::Circuit;

/// A question takes no more conflicts than that,
const MOST_CONFLICTS: u64 = 10_000;
/// and one with an assumption less no more than that.
const MOST_CONFLICTS_FOR_CORE: u64 = 1_000;

/// A question with an answer.
pub(super) struct Decided {
    solver: Solver,
    assumptions: Vec<(Term, Lit)>,
    /// None, if the question has none.
    pub(super) model: Option<Model>,
}

/// Takes the clauses of a circuit.
struct Collector(Solver);

impl Clauses for Collector {
    fn clause(&mut self, clause: &[Lit]) {
        self.0.add_clause(clause);
    }

    fn variable(&mut self) {
        self.0.new_var();
    }

    fn define(&mut self, var: sat::Var, gate: sat::Gate) {
        self.0.define(var, gate);
    }
}

/// Looks at a question; `None` if it stays open.
pub(super) fn decide(
    terms: &Terms,
    formulas: &[Term],
    assumptions: &[Term],
    budget: &Budget,
) -> Option<Decided> {
    let question: Vec<Term> = formulas.iter().chain(assumptions).copied().collect();
    let mut circuit = Circuit::new(terms, &question);
    let mut collector = Collector(Solver::new(Recording::Nothing, budget.clone()));
    for &formula in formulas {
        let bit = circuit.formula(terms, formula)?;
        let literal = circuit.literal(bit, &mut collector);
        collector.clause(&[literal]);
    }
    let mut assumed = Vec::with_capacity(assumptions.len());
    for &assumption in assumptions {
        let bit = circuit.formula(terms, assumption)?;
        assumed.push((assumption, circuit.literal(bit, &mut collector)));
    }
    circuit.out(|literal| collector.0.prefer_false(literal.var()));
    let Collector(mut solver) = collector;
    let literals: Vec<Lit> = assumed.iter().map(|&(_, literal)| literal).collect();
    let model = match solver.solve_within(&literals, MOST_CONFLICTS).ok()?? {
        Answer::Unsat => None,
        Answer::Sat => {
            let model = circuit.model(|literal| solver.value(literal));
            let mut evaluator = Evaluator::new(&model);
            let mut holds =
                |&formula: &Term| evaluator.evaluate_plain(terms, formula).is_ok_and(|value| value.is_true());
            if !question.iter().all(&mut holds) {
                return None;
            }
            Some(model)
        }
    };
    Some(Decided { solver, assumptions: assumed, model })
}

impl Decided {
    /// Assumptions that suffice: half of them are left out at once where that is possible, then quarters, and so on.
    pub(super) fn core(&mut self) -> Vec<Term> {
        let mut core = self.assumptions.clone();
        let mut size = core.len().div_ceil(2);
        while size > 0 {
            let mut end = core.len();
            while end > 0 {
                let begin = end.saturating_sub(size);
                let left_out: Vec<(Term, Lit)> = core.drain(begin..end).collect();
                let literals: Vec<Lit> = core.iter().map(|&(_, literal)| literal).collect();
                let answer = self.solver.solve_within(&literals, MOST_CONFLICTS_FOR_CORE);
                if answer != Ok(Some(Answer::Unsat)) {
                    core.splice(begin..begin, left_out);
                }
                end = begin;
            }
            size /= 2;
        }
        core.into_iter().map(|(term, _)| term).collect()
    }
}
