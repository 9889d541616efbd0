//! Strategies for the choices of a loop (paper "Leaping Loops", Section 5).
//!
//! First stationary ones: every choice has one value. Then two-state strategies: one choice follows a predicate over
//! the state, taken from the guards, the values at the entry, and remainders. Their number is bounded.

use super::atoms;
use super::limits;
use super::modal::Modal;
use super::motion::{Strategy, roots};
use logic::{Model, Sort, SortData, Symbol, Term};
use program::{Edge, Relation, Var};

/// How much a strategy remembers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// Nothing: every choice has one value.
    Stationary,
    /// A predicate over the state decides one choice.
    TwoStates,
}

/// Strategies for the choices in some edges, in the order in which they should be tried.
pub fn strategies(
    modal: &mut Modal<'_>,
    edges: &[Edge],
    entry: Term,
    changed: &[Var],
    (memory, hint): (Memory, Option<&Model>),
) -> Vec<Strategy> {
    let relations: Vec<Relation> =
        edges.iter().filter_map(|&edge| modal.program.relation(edge)).cloned().collect();
    let mut symbols: Vec<Symbol> = Vec::new();
    for relation in &relations {
        let used = modal.terms.free_symbols_of(&roots(relation));
        symbols.extend(relation.auxiliaries.iter().filter(|symbol| used.binary_search(symbol).is_ok()));
    }
    symbols.sort_unstable();
    symbols.dedup();
    let options: Vec<Vec<Term>> =
        symbols.iter().map(|&symbol| stationary(modal, symbol, &relations, hint)).collect();
    let mut found = Vec::new();
    let mut digits = vec![0usize; symbols.len()];
    loop {
        let strategy = symbols.iter().zip(&options).zip(&digits);
        let strategy: Strategy = strategy
            .filter_map(|((&symbol, options), &digit)| Some((symbol, *options.get(digit)?)))
            .collect();
        found.push(strategy);
        if found.len() >= limits::MOST_STRATEGIES || !count(&mut digits, &options) {
            break;
        }
    }
    if memory == Memory::Stationary {
        return found;
    }
    let predicates = predicates(modal, &relations, entry, changed);
    let mut scheduled = Vec::new();
    for &symbol in symbols.iter().filter(|symbol| modal.terms.symbol_data(**symbol).sort == Sort::BOOL) {
        // The value that a stationary strategy gives to this choice does not matter, so one is enough.
        let bases = found.iter().filter(|base| base.contains(&(symbol, Term::TRUE))).take(8);
        for (base, &predicate) in
            bases.flat_map(|base| predicates.iter().map(move |predicate| (base, predicate)))
        {
            let mut strategy: Strategy = base.iter().filter(|(other, _)| *other != symbol).copied().collect();
            strategy.push((symbol, predicate));
            scheduled.push(strategy);
        }
    }
    scheduled.truncate(limits::MOST_STRATEGIES);
    scheduled
}

/// The next number; false after the last.
fn count(digits: &mut [usize], options: &[Vec<Term>]) -> bool {
    for (digit, options) in digits.iter_mut().zip(options) {
        *digit += 1;
        if *digit < options.len() {
            return true;
        }
        *digit = 0;
    }
    false
}

/// The values that a choice may have at all times.
fn stationary(
    modal: &mut Modal<'_>,
    symbol: Symbol,
    relations: &[Relation],
    hint: Option<&Model>,
) -> Vec<Term> {
    let sort = modal.terms.symbol_data(symbol).sort;
    let mut options: Vec<Term> = match *modal.terms.sort_data(sort) {
        SortData::Bool => vec![Term::TRUE, Term::FALSE],
        SortData::BitVec(width) => vec![modal.terms.bitvec(0, width), modal.terms.bitvec(1, width)],
        SortData::Int => {
            let chosen = modal.terms.constant(symbol);
            let mut options = Vec::new();
            if let Some(logic::Value::Int(value)) = hint.and_then(|model| model.get(symbol)) {
                options.push(modal.terms.int(value.clone()));
            }
            options.extend([modal.terms.int(1), modal.terms.int(0)]);
            // What the blocks compare the choice with, if that is known when they begin.
            let all: Vec<Term> = relations.iter().flat_map(roots).collect();
            for linear in atoms::linear_parts(modal.terms, &all) {
                let Some(limit) = atoms::solve(modal.terms, &linear, chosen) else { continue };
                let symbols = modal.terms.free_symbols(limit);
                if symbols.iter().all(|symbol| modal.program.variables.of_symbol(*symbol).is_some()) {
                    options.push(limit);
                    for offset in [1, -1] {
                        let offset = modal.terms.int(offset);
                        options.push(modal.terms.add(&[limit, offset]));
                    }
                }
            }
            options
        }
        // No value of these sorts is better than another: the choice stays free.
        _ => Vec::new(),
    };
    let mut unique = Vec::new();
    options.retain(|option| {
        let new = !unique.contains(option);
        unique.push(*option);
        new
    });
    options.truncate(8);
    options
}

/// Predicates by which a choice can alternate.
fn predicates(modal: &mut Modal<'_>, relations: &[Relation], entry: Term, changed: &[Var]) -> Vec<Term> {
    let mut all: Vec<Term> = relations.iter().flat_map(roots).collect();
    all.extend(modal.terms.conjuncts(entry));
    let mut found: Vec<Term> = Vec::new();
    let terms = &mut *modal.terms;
    let variables: Vec<Symbol> = changed.iter().map(|&var| modal.program.variables[var].symbol).collect();
    for atom in atoms::atoms(terms, &all) {
        let symbols = terms.free_symbols(atom);
        let state = symbols.iter().all(|symbol| modal.program.variables.of_symbol(*symbol).is_some());
        if state && symbols.iter().any(|symbol| variables.contains(symbol)) {
            found.push(atom);
        }
    }
    for &symbol in &variables {
        let value = terms.constant(symbol);
        if terms.sort_of(value) == Sort::INT {
            let two = terms.int(2);
            let remainder = terms.modulo(value, two);
            let zero = terms.int(0);
            found.push(terms.eq(remainder, zero));
        }
    }
    let negated: Vec<Term> = found.iter().map(|&predicate| terms.not(predicate)).collect();
    found.into_iter().zip(negated).flat_map(|(predicate, not)| [predicate, not]).collect()
}
