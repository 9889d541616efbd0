//! The strongest Boolean combination of predicates that follows from a formula.
//!
//! All combinations of truth values are tried, predicate by predicate; a partial one that the solver refutes is not
//! continued. So the cost is the number of predicates times the number of possible combinations, which is limited.

use crate::context::Context;
use base::Interrupted;
use logic::{Term, Terms};
use smt::Answer;

/// With more combinations than this the answer is not sought: every one costs a query.
const MOST_CASES: usize = 256;

/// A predicate as it reads in the answer and as it reads in the question.
pub(super) type Asked = (Term, Term);

/// A combination of truth values of the first predicates.
enum Case {
    /// The formula excludes it.
    Impossible,
    /// It is possible and does not need to be told apart any further.
    Possible,
    /// The next predicate, the case where it holds, and the case where it does not.
    Both(usize, usize, usize),
}

/// The strongest combination of the predicates that `known` implies, none if there are too many cases; and how many
/// questions were asked.
pub(super) fn strongest(
    context: &mut Context<'_>,
    known: &[Term],
    predicates: &[Asked],
) -> Result<(Option<Term>, u64), Interrupted> {
    let mut solver = context.session();
    for &formula in known {
        solver.assert(context.terms, formula);
    }
    let mut cases: Vec<Case> = vec![Case::Possible];
    let mut questions = 0;
    // The possible cases that give values to the predicates so far, with these values as assumptions.
    let mut level: Vec<(usize, Vec<Term>)> = Vec::new();
    let mut possible = |terms: &Terms, assumptions: &[Term]| {
        questions += 1;
        // What the solver cannot exclude is possible.
        solver.check_assuming(terms, assumptions) != Answer::Unsat
    };
    if possible(context.terms, &[]) {
        level.push((0, Vec::new()));
    } else {
        cases[0] = Case::Impossible;
    }
    for (index, &(_, asked)) in predicates.iter().enumerate() {
        let mut next = Vec::new();
        let negation = context.terms.not(asked);
        for (case, assumptions) in level {
            context.budget.check()?;
            let mut branch = |value: Term, cases: &mut Vec<Case>| {
                let mut assumptions = assumptions.clone();
                assumptions.push(value);
                let is_possible = possible(context.terms, &assumptions);
                cases.push(if is_possible { Case::Possible } else { Case::Impossible });
                if is_possible {
                    next.push((cases.len() - 1, assumptions));
                }
                cases.len() - 1
            };
            let holds = branch(asked, &mut cases);
            let fails = branch(negation, &mut cases);
            cases[case] = Case::Both(index, holds, fails);
        }
        if next.len() > MOST_CASES {
            return Ok((None, questions));
        }
        level = next;
    }
    Ok((Some(combination(context.terms, &cases, predicates)), questions))
}

/// The disjunction of the possible cases. A case comes after what it continues.
fn combination(terms: &mut Terms, cases: &[Case], predicates: &[Asked]) -> Term {
    let mut formulas = vec![Term::FALSE; cases.len()];
    for (index, case) in cases.iter().enumerate().rev() {
        formulas[index] = match *case {
            Case::Impossible => Term::FALSE,
            Case::Possible => Term::TRUE,
            Case::Both(predicate, holds, fails) => {
                let (holds, fails) = (formulas[holds], formulas[fails]);
                if holds == fails {
                    holds
                } else {
                    let predicate = predicates[predicate].0;
                    let negation = terms.not(predicate);
                    let holds = terms.and([predicate, holds]);
                    let fails = terms.and([negation, fails]);
                    terms.or([holds, fails])
                }
            }
        };
    }
    formulas[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::counting_up;
    use base::Budget;
    use smt::Solvers;

    #[test]
    fn combinations_say_more_than_conjunctions() {
        let mut terms = Terms::new();
        let (program, x) = counting_up(&mut terms);
        let budget = Budget::unlimited();
        let solvers = Solvers::new(&budget);
        let x = program.variables.term(&mut terms, x);
        let numbers = [0, 1, 9].map(|number| terms.int(number));
        let small = terms.le(x, numbers[1]);
        let large = terms.ge(x, numbers[2]);
        let zero = terms.eq(x, numbers[0]);
        let either = terms.or([small, large]);
        let mut context = Context::new(&program, &mut terms, &solvers, budget);
        let mut ask = |known: Term, predicates: &[Term]| {
            let predicates: Vec<Asked> = predicates.iter().map(|&p| (p, p)).collect();
            let (answer, _) = strongest(&mut context, &[known], &predicates).expect("no limit");
            answer.expect("few cases")
        };
        assert_eq!(ask(zero, &[small]), small);
        assert_eq!(ask(Term::TRUE, &[small]), Term::TRUE);
        assert_eq!(ask(Term::FALSE, &[small, large]), Term::FALSE);
        // Neither predicate holds always, but one of them does.
        let answer = ask(either, &[small, large]);
        let [x0, x5] = [0, 5].map(|value| {
            let mut model = logic::Model::new();
            let symbol = context.program.variables.iter().next().expect("x").1.symbol;
            model.set(symbol, logic::Value::Int(value.into()));
            logic::evaluate::holds(context.terms, &model, answer).expect("no quantifiers")
        });
        assert_eq!((x0, x5), (true, false));
    }
}
