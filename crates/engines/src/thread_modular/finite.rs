//! Variables of a state that have few values, whatever is asked about others: such as a ticket that counts modulo three.
//!
//! They can be taken for control variables: the summary then says for every combination of their values what holds. So invariants with conditions on
//! several variables at once need no formulas for that.
//!
//! Guarantee: at most [`MOST_VALUES`] values for a variable, and at most [`MOST_COMBINATIONS`] combinations. That these are all values is found from the paths without their guards.

use crate::any_number::paths::{End, Instance, Path};
use logic::{Sort, Substitution, Symbol, Term, Terms};
use program::{Program, Var};
use std::collections::{BTreeMap, BTreeSet};

/// A variable with more values is not taken.
const MOST_VALUES: usize = 4;
/// With more combinations of values, those with the most values are left out.
const MOST_COMBINATIONS: usize = 256;
/// An expression over more combinations of values is not looked at.
const MOST_EVALUATIONS: usize = 256;

/// The positions of the results that have few values and are not among `others`.
pub(super) fn finite(
    single: &Program,
    results: &[Var],
    others: &[usize],
    paths: &[Path],
    terms: &mut Terms,
) -> Vec<usize> {
    let is_integer = |&number: &usize| {
        let symbol = single.variables[results[number]].symbol;
        !others.contains(&number) && terms.symbol_data(symbol).sort == Sort::INT
    };
    let mut candidates: BTreeMap<usize, BTreeSet<i64>> =
        (0..results.len()).filter(is_integer).map(|number| (number, BTreeSet::new())).collect();
    // Values grow until nothing is new; a variable that is not finite is left out, and all begins again.
    'again: loop {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for path in paths.iter().filter(|path| path.end == End::Exit) {
                let known: Vec<usize> = candidates.keys().copied().collect();
                for number in known {
                    let found = values_after(single, (results, &candidates), path, number, terms);
                    let values = candidates.get_mut(&number).expect("it is a candidate");
                    match found {
                        Some(found) => {
                            let before = values.len();
                            values.extend(found);
                            changed |= values.len() > before;
                        }
                        None => values.extend(0..=MOST_VALUES as i64),
                    }
                    if values.len() > MOST_VALUES {
                        candidates.remove(&number);
                        candidates.values_mut().for_each(BTreeSet::clear);
                        continue 'again;
                    }
                }
            }
        }
        break;
    }
    // A variable that never changes tells nothing.
    candidates.retain(|_, values| values.len() > 1);
    let too_many = |candidates: &BTreeMap<usize, BTreeSet<i64>>| {
        let all = candidates.values().try_fold(1_usize, |all, values| all.checked_mul(values.len()));
        all.is_none_or(|all| all > MOST_COMBINATIONS)
    };
    while too_many(&candidates) {
        let largest = candidates.iter().max_by_key(|(_, values)| values.len()).map(|(&number, _)| number);
        candidates.remove(&largest.expect("no variables have one combination"));
    }
    candidates.into_keys().collect()
}

/// The values that a result may have at the end of a path; nothing if that is not known.
fn values_after(
    single: &Program,
    (results, candidates): (&[Var], &BTreeMap<usize, BTreeSet<i64>>),
    path: &Path,
    number: usize,
    terms: &mut Terms,
) -> Option<Vec<i64>> {
    let Some(update) = path.relation.update(results[number]) else {
        // It has the value that a call gave it.
        let is_given = |instance: &Instance| instance[number] == results[number];
        return path.instances.iter().any(is_given).then(Vec::new);
    };
    let mut sources: Vec<(Symbol, &BTreeSet<i64>)> = Vec::new();
    for symbol in terms.free_symbols(update) {
        let is_source = |instance: &Instance| {
            instance.iter().position(|&variable| single.variables[variable].symbol == symbol)
        };
        let position = path.instances.iter().find_map(is_source)?;
        sources.push((symbol, candidates.get(&position)?));
    }
    let combinations = sources.iter().try_fold(1_usize, |all, (_, values)| all.checked_mul(values.len()))?;
    if combinations > MOST_EVALUATIONS {
        return None;
    }
    let mut found = Vec::new();
    for mut combination in 0..combinations {
        let mut put = Substitution::new();
        for &(symbol, values) in &sources {
            let value = values.iter().nth(combination % values.len()).copied()?;
            combination /= values.len();
            let value: Term = terms.int(value);
            put.insert(symbol, value);
        }
        let value = put.apply(terms, update);
        found.push(i64::try_from(terms.as_integer(value)?).ok()?);
    }
    Some(found)
}
