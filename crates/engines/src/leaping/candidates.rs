//! Candidate predicates for abstract states (paper "Leaping Loops", Section 4): from guards, ports and short runs.
//!
//! For every linear expression that a guard or port compares, and for the changed variables and their sums and
//! differences: lower and upper bounds, as the atom says, one step further, and as far as the runs went. For the
//! changed variables: remainders that the runs kept, and equations that hold at the entry and that runs kept.
//! Everything here is a guess; [`region`](super::region) keeps what is inductive.

use super::atoms;
use super::limits;
use super::modal::Modal;
use super::motion::{Motion, roots};
use super::samples::{self, Run};
use logic::{Integer, Linear, Rational, Sort, Term, Terms};
use num_integer::Integer as _;
use num_traits::{One, Signed, Zero};
use program::leap::Port;
use program::{Location, Var};

/// Candidates, the same for every location of the loop.
pub fn candidates(
    modal: &mut Modal<'_>,
    motions: &[Motion],
    entry: Port,
    exit: Term,
    visible: &[Var],
    runs: &[Run],
) -> Vec<Term> {
    let mut sources: Vec<Term> = vec![entry.formula, exit];
    for motion in motions {
        sources.extend(roots(&motion.relation));
    }
    let state = |terms: &Terms, term: Term| {
        terms.free_symbols(term).iter().all(|symbol| modal.program.variables.of_symbol(*symbol).is_some())
    };
    let mut found: Vec<Term> = modal.terms.conjuncts(entry.formula);
    for atom in atoms::atoms(modal.terms, &sources) {
        if state(modal.terms, atom) {
            found.push(atom);
            found.push(modal.terms.not(atom));
        }
    }
    let mut expressions: Vec<Linear> = atoms::linear_parts(modal.terms, &sources);
    expressions.retain(|linear| linear.monomials.iter().all(|(term, _)| state(modal.terms, *term)));
    let variables: Vec<Term> = integers(modal, visible);
    for (position, &var) in variables.iter().enumerate() {
        expressions.push(Linear { monomials: vec![(var, Rational::one())], constant: Rational::zero() });
        for &other in &variables[position + 1..] {
            for sign in [Rational::one(), -Rational::one()] {
                let mut pair = vec![(var, Rational::one()), (other, sign)];
                pair.sort_unstable_by_key(|(term, _)| *term);
                expressions.push(Linear { monomials: pair, constant: Rational::zero() });
            }
        }
    }
    expressions.truncate(limits::MOST_EXPRESSIONS);
    for expression in &expressions {
        found.extend(bounds(modal.terms, expression, runs));
    }
    for &var in &variables {
        found.extend(remainders(modal.terms, var, runs));
    }
    found.extend(equations(modal, entry, &variables, runs));
    let mut unique = Vec::with_capacity(found.len());
    for candidate in found {
        if !candidate.is_true() && !unique.contains(&candidate) {
            unique.push(candidate);
        }
    }
    unique
}

/// The integers among some variables.
fn integers(modal: &mut Modal<'_>, vars: &[Var]) -> Vec<Term> {
    let mut integers = Vec::new();
    for &var in vars {
        let term = modal.program.variables.term(modal.terms, var);
        if modal.terms.sort_of(term) == Sort::INT {
            integers.push(term);
        }
    }
    integers
}

fn bounds(terms: &mut Terms, expression: &Linear, runs: &[Run]) -> Vec<Term> {
    let mut found = Vec::new();
    for sign in [Rational::one(), -Rational::one()] {
        let mut side = expression.clone();
        side.scale(&sign);
        let (mut farthest, mut stride): (Option<Integer>, Integer) = (None, Integer::one());
        for run in runs {
            let mut previous: Option<Integer> = None;
            for (_, state) in &run.states {
                let Some(value) = samples::value(terms, state, &side) else { continue };
                if let Some(previous) = previous {
                    stride = stride.max(&value - previous);
                }
                farthest = Some(farthest.map_or(value.clone(), |known| known.max(value.clone())));
                previous = Some(value);
            }
        }
        let mut limits: Vec<Integer> = vec![Integer::zero(), Integer::one(), &stride - 1, stride];
        limits.extend(farthest);
        limits.sort_unstable();
        limits.dedup();
        for limit in limits {
            let mut linear = side.clone();
            linear.constant -= Rational::from_integer(limit);
            found.push(terms.at_most_zero(linear, Sort::INT));
        }
    }
    found
}

fn remainders(terms: &mut Terms, var: Term, runs: &[Run]) -> Vec<Term> {
    let plain = Linear { monomials: vec![(var, Rational::one())], constant: Rational::zero() };
    let mut values: Vec<Integer> = Vec::new();
    for (_, state) in runs.iter().flat_map(|run| &run.states) {
        values.extend(samples::value(terms, state, &plain));
    }
    let mut found = Vec::new();
    if values.len() < 4 {
        return found;
    }
    for modulus in 2u32..=6 {
        let mut seen: Vec<Integer> = values.iter().map(|value| value.mod_floor(&modulus.into())).collect();
        seen.sort_unstable();
        seen.dedup();
        if seen.len() < modulus as usize {
            let divisor = terms.int(modulus);
            let remainder = terms.modulo(var, divisor);
            let options: Vec<Term> = seen
                .into_iter()
                .map(|value| {
                    let value = terms.int(value);
                    terms.eq(remainder, value)
                })
                .collect();
            found.push(terms.or(options));
        }
    }
    found
}

/// Equations `c·v = c·v₀` between changed variables, where v₀ are the values at the entry and c is orthogonal to every
/// step of the runs.
fn equations(modal: &mut Modal<'_>, entry: Port, variables: &[Term], runs: &[Run]) -> Vec<Term> {
    let known: Vec<(Term, Term)> = variables
        .iter()
        .filter_map(|&var| Some((var, entry_value(modal.terms, entry.formula, var, variables)?)))
        .collect();
    let mut rows: Vec<Vec<Rational>> = Vec::new();
    let terms = &mut *modal.terms;
    for run in runs {
        let mut previous: Option<(Location, Vec<Rational>)> = None;
        for (location, state) in &run.states {
            let mut now = Vec::with_capacity(known.len());
            for &(var, _) in &known {
                let plain = Linear { monomials: vec![(var, Rational::one())], constant: Rational::zero() };
                let Some(value) = samples::value(terms, state, &plain) else { return Vec::new() };
                now.push(Rational::from_integer(value));
            }
            if let Some((_, previous)) = previous {
                rows.push(now.iter().zip(&previous).map(|(a, b)| a - b).collect());
            }
            previous = Some((*location, now));
        }
    }
    if rows.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for coefficients in kernel(rows, known.len()) {
        let mut linear = Linear::zero();
        for (&(var, start), coefficient) in known.iter().zip(&coefficients) {
            linear.add_scaled(&terms.linear(var), coefficient);
            linear.add_scaled(&terms.linear(start), &-coefficient);
        }
        if linear.monomials.iter().all(|(_, c)| c.is_integer()) && linear.constant.is_integer() {
            found.push(terms.equals_zero(linear, Sort::INT));
        }
    }
    found
}

/// What an equation of the entry port says about a variable, over what is not among the changed ones.
pub fn entry_value(terms: &mut Terms, entry: Term, var: Term, changed: &[Term]) -> Option<Term> {
    for conjunct in terms.conjuncts(entry) {
        if terms.op(conjunct) != logic::Op::Eq {
            continue;
        }
        for linear in atoms::linear_parts(terms, &[conjunct]) {
            let unit = linear.coefficient(var).is_some_and(|coefficient| coefficient.abs().is_one());
            let others = linear.monomials.iter().any(|(term, _)| *term != var && changed.contains(term));
            if unit && !others {
                return atoms::solve(terms, &linear, var);
            }
        }
    }
    None
}

/// A basis of the vectors orthogonal to all rows, with integer entries.
fn kernel(mut rows: Vec<Vec<Rational>>, width: usize) -> Vec<Vec<Rational>> {
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..width {
        let rank = pivots.len();
        let Some(found) = (rank..rows.len()).find(|&row| !rows[row][column].is_zero()) else { continue };
        rows.swap(rank, found);
        let factor = rows[rank][column].recip();
        rows[rank].iter_mut().for_each(|entry| *entry *= &factor);
        let pivot = rows[rank].clone();
        for (position, row) in rows.iter_mut().enumerate() {
            if position != rank && !row[column].is_zero() {
                let factor = row[column].clone();
                row.iter_mut().zip(&pivot).for_each(|(entry, by)| *entry -= &factor * by);
            }
        }
        pivots.push(column);
    }
    let mut basis = Vec::new();
    for free in (0..width).filter(|column| !pivots.contains(column)) {
        let mut vector = vec![Rational::zero(); width];
        vector[free] = Rational::one();
        for (row, &pivot) in pivots.iter().enumerate() {
            vector[pivot] = -rows[row][free].clone();
        }
        let scale = vector.iter().fold(Integer::one(), |lcm, entry| lcm.lcm(entry.denom()));
        let scale = Rational::from_integer(scale);
        vector.iter_mut().for_each(|entry| *entry *= &scale);
        basis.push(vector);
    }
    basis
}
