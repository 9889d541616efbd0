//! Nested interpolants from a Farkas certificate, for traces whose constraints are conjunctions of linear ones.
//!
//! A certificate weighs the constraints so that their sum is a contradiction. The weighted sum of the constraints before a
//! cut is an interpolant: it follows from them, contradicts the rest, and whatever is not current at the cut has cancelled
//! out, because it occurs on one side only. Inside of a call that returns, only the constraints since the call count, and
//! the arguments are added at the return (paper "Nested Interpolants", Definition 7); what a global was at the call is
//! said by its old value. The price is that nothing but a single inequality per cut comes out.

use super::limits;
use crate::context::Context;
use crate::traces::{Ssa, Trace};
use logic::farkas::{self, Constraint, Relation};
use logic::{Integer, Linear, Rational, Sort, Substitution, Term, Terms};
use num_integer::Integer as _;
use num_traits::One;
use program::{Location, Program, VarKind};
use rustc_hash::FxHashMap;

/// One formula per cut, or nothing if a constraint of the trace is not linear or there is no certificate over the rationals.
pub fn interpolate(context: &mut Context<'_>, trace: &Trace, core: &[usize]) -> Option<Vec<Term>> {
    let (program, terms) = (context.program, &mut *context.terms);
    let mut ssa = Ssa::new(program, trace, terms);
    let mut constraints: Vec<Constraint> = Vec::new();
    let mut positions: Vec<usize> = Vec::new();
    for &position in core {
        for formula in ssa.constraints[position].clone() {
            for literal in terms.conjuncts(formula) {
                constraints.push(farkas::constraint(terms, literal)?);
                positions.push(position);
            }
        }
    }
    let factors = integral(farkas::certificate(&constraints, limits::MOST_CELLS)?);
    let mut formulas = Vec::with_capacity(trace.len() + 1);
    for cut in 0..=trace.len() {
        let since = innermost_finished_call(trace, cut);
        let counts = |position: usize| position < cut && since.is_none_or(|call| position > call);
        let weights: Vec<Rational> = positions
            .iter()
            .zip(&factors)
            .map(|(&position, factor)| if counts(position) { factor.clone() } else { Rational::default() })
            .collect();
        let sum = farkas::combine(&constraints, &weights);
        let current = Current { program, location: trace.location(program, cut), cut, since };
        formulas.push(current.formula(&mut ssa, sum, terms)?);
    }
    Some(formulas)
}

/// The same certificate with integer factors: sums of integer constraints stay what they are.
fn integral(factors: Vec<Rational>) -> Vec<Rational> {
    let denominator = factors.iter().fold(Integer::one(), |all, factor| all.lcm(factor.denom()));
    let scale = Rational::from_integer(denominator);
    factors.into_iter().map(|factor| factor * &scale).collect()
}

/// The call inside of which a cut is, if it returns later in the trace.
fn innermost_finished_call(trace: &Trace, cut: usize) -> Option<usize> {
    (cut..trace.len()).filter_map(|position| trace.calls[position]).filter(|&call| call < cut).max()
}

/// Where a sum of constraints becomes a formula over the state.
struct Current<'p> {
    program: &'p Program,
    location: Location,
    cut: usize,
    since: Option<usize>,
}

impl Current<'_> {
    /// The sum with the variables whose versions are current at the cut; none if there are others.
    fn formula(&self, ssa: &mut Ssa, sum: Constraint, terms: &mut Terms) -> Option<Term> {
        let Constraint { form, relation } = sum;
        // A certificate only needs the sum of equations from one side, and an inequality holds for longer.
        let relation = if relation == Relation::Eq { Relation::Le } else { relation };
        let Some(&(first, _)) = form.monomials.first() else {
            return Some(if farkas::is_contradiction(&form, relation) { Term::FALSE } else { Term::TRUE });
        };
        let sort = terms.sort_of(first);
        let roots: Vec<Term> = form.monomials.iter().map(|&(term, _)| term).collect();
        let symbols = terms.free_symbols_of(&roots);
        let names = self.names(ssa, terms);
        let mut renaming = Substitution::new();
        for symbol in symbols {
            let version = terms.constant(symbol);
            if self.program.variables.of_symbol(symbol).is_some_and(|var| self.is_constant(var)) {
                continue;
            }
            renaming.insert(symbol, *names.get(&version)?);
        }
        if roots.iter().any(|&term| terms.sort_of(term) != sort) {
            return None;
        }
        let said = literal(form, relation, sort, terms);
        Some(renaming.apply(terms, said))
    }

    fn is_constant(&self, var: program::Var) -> bool {
        self.program.variables[var].kind == VarKind::Constant
    }

    /// The state symbol of each version that is current; old values for what globals were at the call.
    fn names(&self, ssa: &mut Ssa, terms: &mut Terms) -> FxHashMap<Term, Term> {
        let program = self.program;
        let mut names = FxHashMap::default();
        for var in program.scope(self.location) {
            let data = &program.variables[var];
            let term = terms.constant(data.symbol);
            if let (VarKind::Old(global), Some(call)) = (data.kind, self.since) {
                let at_call = ssa.version(program, call, global, terms);
                names.entry(at_call).or_insert(term);
            }
            let version = ssa.version(program, self.cut, var, terms);
            names.insert(version, term);
        }
        names
    }
}

/// The formula of an inequality.
fn literal(form: Linear, relation: Relation, sort: Sort, terms: &mut Terms) -> Term {
    if relation == Relation::Le {
        return terms.at_most_zero(form, sort);
    }
    let mut negated = form;
    negated.scale(&-Rational::one());
    let at_least_zero = terms.at_most_zero(negated, sort);
    terms.not(at_least_zero)
}
