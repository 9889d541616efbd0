//! How much one variable can change while another one counts: `y ≤ c·x + d`.
//!
//! A tank is filled by at most three in every round, a sum grows by at most 255 with every element. In one round of a loop
//! `x` changes by a number and `y` by something that the guard of the round bounds, so the bound of `y` goes with `x`. What is not
//! known is `d`: the least number that fits all states that were met.

use super::limits;
use super::runs::State;
use logic::{Linear, Op, Rational, Sort, Term, Terms};
use num_traits::{Signed, Zero};
use program::{Location, Program, Relation};

/// Between which numbers something lies.
#[derive(Clone, Default, Debug)]
struct Bounds {
    low: Option<Rational>,
    high: Option<Rational>,
}

impl Bounds {
    fn exactly(number: Rational) -> Bounds {
        Bounds { low: Some(number.clone()), high: Some(number) }
    }

    /// Both may be meant.
    fn join(self, other: Bounds) -> Bounds {
        let both = |here: Option<Rational>, there: Option<Rational>| Some((here?, there?));
        Bounds {
            low: both(self.low, other.low).map(|(here, there)| here.min(there)),
            high: both(self.high, other.high).map(|(here, there)| here.max(there)),
        }
    }
}

/// The inequalities between two variables that the rounds at a location suggest and all states satisfy.
pub(super) fn rates(
    program: &Program,
    location: Location,
    (variables, states): (&[Term], &[State]),
    terms: &mut Terms,
) -> Vec<Term> {
    let mut found = Vec::new();
    if states.is_empty() || variables.len() > limits::MOST_RELATED {
        return found;
    }
    for &edge in &program.outgoing[location] {
        let Some(relation) = program.relation(edge).filter(|_| program.edges[edge].target == location) else {
            continue;
        };
        let changes: Vec<Bounds> =
            variables.iter().map(|&variable| change(program, relation, variable, terms)).collect();
        let steps = |index: &usize| {
            changes[*index]
                .low
                .as_ref()
                .filter(|low| changes[*index].high.as_ref() == Some(*low) && !low.is_zero())
        };
        for counter in (0..variables.len()).filter(|index| steps(index).is_some()).take(limits::MOST_COUNTERS)
        {
            let Some(step) = steps(&counter).cloned() else { continue };
            for (other, change) in changes.iter().enumerate().filter(|&(other, _)| other != counter) {
                if steps(&other).is_some() {
                    // Two counters are related by an equation.
                    continue;
                }
                // Of `step · y - bound · x`, which a round does not let go beyond what it is.
                for (bound, upper) in [(&change.high, true), (&change.low, false)] {
                    let Some(bound) = bound else { continue };
                    let slope = |y: &Rational, x: &Rational| step.abs() * y - bound * x * step.signum();
                    let reached =
                        states.iter().map(|state| slope(&state.values[other], &state.values[counter]));
                    let Some(limit) = (if upper { reached.max() } else { reached.min() }) else { continue };
                    let mut form = Linear::constant(-limit);
                    form.add_scaled(&terms.linear(variables[other]), &step.abs());
                    form.add_scaled(&terms.linear(variables[counter]), &-(bound * step.signum()));
                    let (form, zero) = (terms.from_linear(&form, Sort::INT), terms.int(0));
                    found.push(if upper { terms.le(form, zero) } else { terms.ge(form, zero) });
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// By how much a round changes a variable.
fn change(program: &Program, relation: &Relation, variable: Term, terms: &Terms) -> Bounds {
    let var = terms.as_symbol(variable).and_then(|symbol| program.variables.of_symbol(symbol));
    let Some(value) = var.and_then(|var| relation.update(var)) else {
        return Bounds::exactly(Rational::zero());
    };
    let guard = terms.conjuncts(relation.guard);
    let mut all: Option<Bounds> = None;
    let mut pending = vec![value];
    for _ in 0..limits::MOST_LEAVES {
        let Some(term) = pending.pop() else { break };
        match (terms.op(term), terms.args(term)) {
            (Op::Ite, &[_, then, otherwise]) => pending.extend([then, otherwise]),
            // What wraps around is guessed not to.
            (Op::Mod, &[inside, number]) if terms.as_number(number).is_some() => pending.push(inside),
            _ => {
                let leaf = difference(&guard, term, variable, terms);
                all = Some(match all {
                    Some(others) => others.join(leaf),
                    None => leaf,
                });
            }
        }
    }
    all.filter(|_| pending.is_empty()).unwrap_or_default()
}

/// Between which numbers `value - variable` lies, by the atoms of a guard.
fn difference(guard: &[Term], value: Term, variable: Term, terms: &Terms) -> Bounds {
    let form = terms.linear(value).minus(&terms.linear(variable));
    match form.monomials.as_slice() {
        [] => Bounds::exactly(form.constant),
        [(term, factor)] => {
            let bounds = bounds(guard, *term, terms);
            let scaled = |bound: Option<Rational>| bound.map(|bound| bound * factor + &form.constant);
            let (low, high) = (scaled(bounds.low), scaled(bounds.high));
            if factor.is_negative() { Bounds { low: high, high: low } } else { Bounds { low, high } }
        }
        _ => Bounds::default(),
    }
}

/// What atoms say about a term: `t ≤ 3`, `-t ≤ 0`.
fn bounds(guard: &[Term], term: Term, terms: &Terms) -> Bounds {
    let mut bounds = Bounds::default();
    for &atom in guard {
        let (Op::Le, &[left, right]) = (terms.op(atom), terms.args(atom)) else { continue };
        let (Some(limit), form) = (terms.as_number(right), terms.linear(left)) else { continue };
        let [(of, factor)] = form.monomials.as_slice() else { continue };
        if *of != term {
            continue;
        }
        let limit = (limit - &form.constant) / factor;
        if factor.is_positive() {
            bounds.high = Some(bounds.high.map_or(limit.clone(), |high| high.min(limit)));
        } else {
            bounds.low = Some(bounds.low.map_or(limit.clone(), |low| low.max(limit)));
        }
    }
    bounds
}
