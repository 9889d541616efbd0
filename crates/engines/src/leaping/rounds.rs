//! How often a loop goes round, solved for instead of followed.
//!
//! If the loop is a single motion, and every variable grows by a number that the loop does not change, then the state
//! after n rounds is linear in n. The least n at which the exit port holds is the number of rounds: outside the exit
//! port, Theorems 1 and 2 leave the run no other way than the motion.

use super::concrete::smallest;
use super::modal::Modal;
use super::motion::Motion;
use base::Interrupted;
use logic::evaluate::Evaluator;
use logic::{Integer, Model, Sort, Substitution, Symbol, Term, Value};
use program::leap::Port;
use std::collections::BTreeSet;

/// The number of rounds from a state at the entry of a loop to its exit port, and the state there.
pub fn solve(
    modal: &mut Modal<'_>,
    motions: &[Motion],
    state: &Model,
    exit: Port,
) -> Result<Option<(Integer, Model)>, Interrupted> {
    let [motion] = motions else { return Ok(None) };
    if motion.source != exit.location || motion.target != exit.location {
        return Ok(None);
    }
    let Some(growth) = growth(modal, motion, state) else { return Ok(None) };
    let rounds = modal.terms.fresh_symbol("rounds", Sort::INT);
    let n = modal.terms.constant(rounds);
    let mut after = Substitution::new();
    for symbol in modal.terms.free_symbols(exit.formula) {
        let begin = match state.value(modal.terms, symbol) {
            Value::Int(value) => modal.terms.int(value),
            Value::Bool(value) => modal.terms.bool(value),
            _ => return Ok(None),
        };
        let value = match growth.iter().find(|(changed, _)| *changed == symbol) {
            Some((_, by)) => {
                let by = modal.terms.int(by.clone());
                let all = modal.terms.mul(&[by, n]);
                modal.terms.add(&[begin, all])
            }
            None => begin,
        };
        after.insert(symbol, value);
    }
    let exits = after.apply(modal.terms, exit.formula);
    let zero = modal.terms.int(0);
    let forward = modal.terms.le(zero, n);
    let formula = modal.terms.and([exits, forward]);
    let formula = smallest(modal, formula, n)?;
    let Some(model) = modal.model(formula)? else { return Ok(None) };
    let Value::Int(count) = model.value(modal.terms, rounds) else { return Ok(None) };
    let mut there = state.clone();
    for (symbol, by) in growth {
        if let Value::Int(value) = state.value(modal.terms, symbol) {
            there.set(symbol, Value::Int(value + by * &count));
        }
    }
    Ok(Some((count, there)))
}

/// What each round adds to the variables, if that is the same in all rounds.
fn growth(modal: &mut Modal<'_>, motion: &Motion, state: &Model) -> Option<Vec<(Symbol, Integer)>> {
    let symbol = |var: program::Var| modal.program.variables[var].symbol;
    let changed: BTreeSet<Symbol> = motion.relation.updates.iter().map(|(var, _)| symbol(*var)).collect();
    let mut growth = Vec::new();
    for &(var, value) in &motion.relation.updates {
        let symbol = symbol(var);
        if modal.terms.symbol_data(symbol).sort != Sort::INT {
            return None;
        }
        let before = modal.terms.constant(symbol);
        let by: Term = modal.terms.sub(value, before);
        let fixed = |read: &Symbol| !changed.contains(read) && !motion.relation.auxiliaries.contains(read);
        if !modal.terms.free_symbols(by).iter().all(fixed) {
            return None;
        }
        match Evaluator::new(state).evaluate(modal.terms, by).ok()? {
            Value::Int(by) => growth.push((symbol, by)),
            _ => return None,
        }
    }
    Some(growth)
}
