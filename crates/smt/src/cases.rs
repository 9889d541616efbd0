//! Functions written as a case distinction over their parameters.
//!
//! Solvers describe the values of functions and arrays by terms such as `(ite (= x 3) 5 (ite (= x 4) 6 0))`.
//! [`Cases::of`] takes such a term apart. Its result holds for every parameter, or it is `None`.

use logic::model::FunctionTable;
use logic::{Model, Op, Sort, Symbol, Term, Terms};
use num_traits::Signed;
use std::collections::BTreeMap;

/// A case distinction: the first case whose arguments fit gives the value, otherwise the last value does.
pub(crate) struct Cases {
    /// Arguments and value of each case. None of these terms mentions a parameter.
    pub(crate) cases: Vec<(Vec<Term>, Term)>,
    /// The value where no case fits; it does not mention a parameter either.
    pub(crate) otherwise: Term,
}

impl Cases {
    /// Takes a term over some parameters apart.
    pub(crate) fn of(terms: &mut Terms, parameters: &[Symbol], body: Term) -> Option<Cases> {
        let mut cases = Vec::new();
        let mut otherwise = body;
        while terms.op(otherwise) == Op::Ite && mentions(terms, parameters, otherwise) {
            let &[condition, then, rest] = terms.args(otherwise) else { break };
            let negation = terms.not(condition);
            let ((arguments, value), next) = match solve(terms, parameters, condition) {
                Some(arguments) => ((arguments, then), rest),
                None => ((solve(terms, parameters, negation)?, rest), then),
            };
            cases.push((arguments, value));
            otherwise = next;
        }
        // A truth value may be given by the condition alone, which has no `ite`.
        if terms.sort_of(otherwise) == Sort::BOOL && mentions(terms, parameters, otherwise) {
            let negation = terms.not(otherwise);
            if let Some(arguments) = solve(terms, parameters, otherwise) {
                cases.push((arguments, Term::TRUE));
                otherwise = Term::FALSE;
            } else {
                cases.push((solve(terms, parameters, negation)?, Term::FALSE));
                otherwise = Term::TRUE;
            }
        }
        let mut results = cases.iter().map(|&(_, value)| value).chain([otherwise]);
        if results.any(|value| mentions(terms, parameters, value)) {
            return None;
        }
        Some(Cases { cases, otherwise })
    }

    /// The values under a model, if they can be computed.
    pub(crate) fn table(&self, terms: &mut Terms, model: &Model) -> Option<FunctionTable> {
        let mut evaluator = logic::evaluate::Evaluator::new(model);
        let mut entries = BTreeMap::new();
        for (arguments, value) in self.cases.iter().rev() {
            let arguments = arguments.iter().map(|&argument| evaluator.evaluate(terms, argument).ok());
            let arguments = arguments.collect::<Option<Vec<_>>>()?;
            entries.insert(arguments, evaluator.evaluate(terms, *value).ok()?);
        }
        let default = evaluator.evaluate(terms, self.otherwise).ok()?;
        entries.retain(|_, value| *value != default);
        Some(FunctionTable { entries, default })
    }
}

fn mentions(terms: &Terms, parameters: &[Symbol], term: Term) -> bool {
    terms.free_symbols(term).iter().any(|symbol| parameters.contains(symbol))
}

/// The values that a conjunction of equations gives to the parameters, if it says nothing else and gives all of them.
fn solve(terms: &mut Terms, parameters: &[Symbol], condition: Term) -> Option<Vec<Term>> {
    let mut values = vec![None; parameters.len()];
    for conjunct in terms.conjuncts(condition) {
        let (position, value) = (0..parameters.len())
            .find_map(|i| Some((i, solve_one(terms, parameters[i], conjunct)?)))
            .filter(|&(_, value)| !mentions(terms, parameters, value))?;
        // Two equations for one parameter would be a condition on their right-hand sides.
        if values[position].replace(value).is_some() {
            return None;
        }
    }
    values.into_iter().collect()
}

/// The value that one literal gives to a symbol: the literal is equivalent to `symbol = value`.
fn solve_one(terms: &mut Terms, symbol: Symbol, literal: Term) -> Option<Term> {
    let constant = terms.constant(symbol);
    if literal == constant {
        return Some(Term::TRUE);
    }
    match terms.op(literal) {
        Op::Not if terms.args(literal)[0] == constant => Some(Term::FALSE),
        Op::Eq => {
            let (left, right) = (terms.args(literal)[0], terms.args(literal)[1]);
            if left == constant {
                Some(right)
            } else if right == constant {
                Some(left)
            } else if terms.sort_of(left).is_arithmetic() {
                // The canonical form has the terms on one side: `x - i = c`.
                let sort = terms.sort_of(left);
                let mut linear = terms.linear(left).minus(&terms.linear(right));
                let coefficient = linear.remove(constant)?;
                if sort == Sort::INT && coefficient.abs() != logic::Rational::from_integer(1.into()) {
                    return None;
                }
                linear.scale(&-coefficient.recip());
                Some(terms.from_linear(&linear, sort))
            } else {
                None
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::Value;

    #[test]
    fn chains_of_equations_are_taken_apart() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::INT));
        let p = terms.symbol("p", Sort::BOOL);
        let [tx, ty] = [x, y].map(|symbol| terms.constant(symbol));
        let tp = terms.constant(p);
        let [one, two, three] = [1, 2, 3].map(|n| terms.int(n));
        let (x_one, y_two, x_two) = (terms.eq(tx, one), terms.eq(ty, two), terms.eq(tx, two));
        let first = terms.and([x_one, y_two, tp]);
        let not_p = terms.not(tp);
        let second = terms.and([x_two, y_two, not_p]);
        let inner = terms.ite(second, one, two);
        let body = terms.ite(first, three, inner);
        let cases = Cases::of(&mut terms, &[x, y, p], body).expect("it is a case distinction");
        assert_eq!(cases.cases, [(vec![one, two, Term::TRUE], three), (vec![two, two, Term::FALSE], one)]);
        assert_eq!(cases.otherwise, two);
        let table = cases.table(&mut terms, &Model::new()).expect("the values are literals");
        let int = |n: i64| Value::Int(n.into());
        assert_eq!(table.get(&[int(1), int(2), Value::Bool(true)]), &int(3));
        assert_eq!(table.get(&[int(1), int(2), Value::Bool(false)]), &int(2));
    }

    #[test]
    fn what_is_no_case_distinction_is_refused() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::INT);
        let tx = terms.constant(x);
        let [one, two] = [1, 2].map(|n| terms.int(n));
        let less = terms.le(tx, one);
        let by_order = terms.ite(less, one, two);
        assert!(Cases::of(&mut terms, &[x], by_order).is_none());
        assert!(Cases::of(&mut terms, &[x], tx).is_none());
        let equal = terms.eq(tx, one);
        let leaks = terms.ite(equal, one, tx);
        assert!(Cases::of(&mut terms, &[x], leaks).is_none());
        assert!(Cases::of(&mut terms, &[x], one).is_some_and(|cases| cases.cases.is_empty()));
    }

    #[test]
    fn predicates_may_be_plain_conditions() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::INT);
        let tx = terms.constant(x);
        let one = terms.int(1);
        let equal = terms.eq(tx, one);
        let cases = Cases::of(&mut terms, &[x], equal).expect("one case");
        assert_eq!((cases.cases, cases.otherwise), (vec![(vec![one], Term::TRUE)], Term::FALSE));
        let different = terms.not(equal);
        let cases = Cases::of(&mut terms, &[x], different).expect("one case");
        assert_eq!((cases.cases, cases.otherwise), (vec![(vec![one], Term::FALSE)], Term::TRUE));
    }
}
