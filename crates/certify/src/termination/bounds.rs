//! How often a loop goes round at most, from the ranks of an accepted proof.
//!
//! A *loop* is a strongly connected part of the steps outside of calls that come back, with a *head*: the only location by
//! which it is entered. The loops inside of it are those of the part without the head. A *round* is a way from the head
//! back to it inside of the loop.
//!
//! Let `e` be an entry of the rank, `d` a positive and `l` any integer. If no step inside of the loop lets `e` grow,
//! every round makes it smaller by `d` or more, and every round has a step that makes it smaller from at least `l`, then
//! it was at least `l + (n - 1) d` before `n` rounds. So from a visit of the head there are at most `(e - l) / d + 1` rounds, rounded
//! down, and none if that is negative; `e` is taken at that visit, in particular where the loop is entered.
//!
//! [`bounds`] gives such bounds for entries that are affine over the integers, each shown by queries of its own.
//! Linear in the number of loops times their steps, with a few queries each.

use super::steps::{self, SpineStep};
use super::{Checker, Endless, TerminationCertificate};
use crate::obligations::Obligations;
use crate::{Certified, Refusal};
use base::{Budget, EntitySet, Interrupted};
use logic::{Linear, Op, Rational, Sort, Term, Terms};
use program::{Location, Program, RankedNode};
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};

/// Proofs with more nodes are not looked at.
const MOST_NODES: usize = 200;
/// The largest decrease that is tried.
const LARGEST_DECREASE: i64 = 12;
/// The largest least value that is tried.
const LARGEST_LEAST: i64 = 4;

/// A bound of the rounds of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopBound {
    /// The head of the loop.
    pub head: Location,
    /// From where the loop is entered; besides, runs may begin at the head.
    pub entered_from: Vec<Location>,
    /// What becomes smaller, as a term over the state at the head: linear over variables of the program.
    pub measure: Term,
    /// By how much it becomes smaller in every round, at least.
    pub decrease: i64,
    /// How much it is at least before it does so.
    pub least: i64,
}

/// The loops of an accepted proof for which a bound is found.
pub fn bounds(
    endless: &Endless,
    proof: &Certified<TerminationCertificate>,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Vec<LoopBound>, Interrupted> {
    let program: &Program = endless.program();
    let certificate: &TerminationCertificate = proof;
    if certificate.nodes.len() > MOST_NODES {
        return Ok(Vec::new());
    }
    let obligations = Obligations::new(program, &certificate.cut_points, terms, solver, budget);
    let mut checker = Checker { program, certificate, obligations, before: Vec::new() };
    let steps = steps::all(program, &certificate.cut_points);
    let mut found = Vec::new();
    let locations: Vec<Location> = certificate.cut_points.iter().collect();
    let mut pending = components(&locations, &steps);
    while let Some(body) = pending.pop() {
        let inside = |location: Location| body.contains(&location);
        let entering: Vec<&SpineStep> =
            steps.iter().filter(|step| inside(step.to) && !inside(step.from)).collect();
        let mut heads: Vec<Location> = entering.iter().map(|step| step.to).collect();
        heads.extend(body.iter().copied().filter(|location| program.initial.contains(location)));
        heads.sort_unstable();
        heads.dedup();
        let [head] = heads[..] else { continue };
        let mut entered_from: Vec<Location> = entering.iter().map(|step| step.from).collect();
        entered_from.dedup();
        let of_body: Vec<SpineStep> =
            steps.iter().filter(|step| inside(step.from) && inside(step.to)).copied().collect();
        if let Some(bound) = checker.bound(head, &of_body, terms)? {
            found.push(LoopBound { entered_from, ..bound });
        }
        let rest: Vec<Location> = body.iter().copied().filter(|&location| location != head).collect();
        pending.extend(components(&rest, &of_body));
    }
    found.sort_by_key(|bound| bound.head);
    Ok(found)
}

impl Checker<'_> {
    /// A bound for the loop with these steps.
    fn bound(
        &mut self,
        head: Location,
        body: &[SpineStep],
        terms: &mut Terms,
    ) -> Result<Option<LoopBound>, Interrupted> {
        let certificate = self.certificate;
        let nodes: Vec<&RankedNode> = certificate.nodes.iter().collect();
        let one = |location: Location| {
            let mut here = nodes.iter().filter(|node| node.location == location);
            here.next().filter(|_| here.next().is_none()).copied()
        };
        let Some(at_head) = one(head) else { return Ok(None) };
        for entry in 0..at_head.rank.len() {
            let measure = at_head.rank[entry];
            if !is_affine(measure, self.program, terms) {
                continue;
            }
            let mut sinking = Vec::new();
            let mut grows = false;
            for step in body {
                let (Some(from), Some(to)) = (one(step.from), one(step.to)) else { return Ok(None) };
                let change =
                    Change { step: *step, from: (from.invariant, from.rank[entry]), to: to.rank[entry] };
                if self.sinks(&change, (1, Some(0)), terms)? {
                    sinking.push(change);
                } else if !self.sinks(&change, (0, None), terms)? {
                    grows = true;
                    break;
                }
            }
            let stays: Vec<SpineStep> = body
                .iter()
                .filter(|&&step| !sinking.iter().any(|change| change.step == step))
                .copied()
                .collect();
            if grows || is_on_cycle(head, &stays) {
                continue;
            }
            let mut weighted: Vec<(SpineStep, i64)> = stays.iter().map(|&step| (step, 0)).collect();
            for change in &sinking {
                let mut decrease = 1;
                while decrease < LARGEST_DECREASE && self.sinks(change, (decrease + 1, None), terms)? {
                    decrease += 1;
                }
                weighted.push((change.step, decrease));
            }
            let decrease = lightest_round(head, &weighted);
            let mut least = 0;
            while least < LARGEST_LEAST && self.all_sink(&sinking, (1, Some(least + 1)), terms)? {
                least += 1;
            }
            return Ok(Some(LoopBound { head, entered_from: Vec::new(), measure, decrease, least }));
        }
        Ok(None)
    }

    fn all_sink(
        &mut self,
        changes: &[Change],
        by: (i64, Option<i64>),
        terms: &mut Terms,
    ) -> Result<bool, Interrupted> {
        for change in changes {
            if !self.sinks(change, by, terms)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does a step make an entry smaller by so much or more, from at least so much?
    fn sinks(
        &mut self,
        change: &Change,
        (decrease, least): (i64, Option<i64>),
        terms: &mut Terms,
    ) -> Result<bool, Interrupted> {
        let symbol = terms.fresh_symbol("entry before", Sort::INT);
        let name = terms.constant(symbol);
        let (invariant, entry) = change.from;
        let known = terms.eq(name, entry);
        let before = terms.and([invariant, known]);
        let decrease = terms.int(decrease);
        let most = terms.sub(name, decrease);
        let mut after = vec![terms.le(change.to, most)];
        if let Some(least) = least {
            let least = terms.int(least);
            after.push(terms.ge(name, least));
        }
        let after = terms.and(after);
        match self.step(&change.step, before, after, terms) {
            Ok(()) => Ok(true),
            Err(Refusal::Interrupted(why)) => Err(why),
            Err(_) => Ok(false),
        }
    }
}

/// A step, with what holds before it, and an entry of the rank before and after it.
struct Change {
    step: SpineStep,
    from: (Term, Term),
    to: Term,
}

/// Is a number a sum of variables with integer factors?
fn is_affine(measure: Term, program: &Program, terms: &Terms) -> bool {
    if terms.sort_of(measure) != Sort::INT || terms.as_number(measure).is_some() {
        return false;
    }
    let Linear { monomials, constant } = terms.linear(measure);
    let integral = |number: &Rational| number.is_integer();
    let is_variable = |term: Term| match terms.op(term) {
        Op::Symbol(symbol) => program.variables.of_symbol(symbol).is_some(),
        _ => false,
    };
    integral(&constant) && monomials.iter().all(|(term, factor)| integral(factor) && is_variable(*term))
}

/// The least sum of the weights of a round: a shortest way from a location back to it. There is one, and weights are
/// not negative.
fn lightest_round(head: Location, weighted: &[(SpineStep, i64)]) -> i64 {
    let mut least: BTreeMap<Location, i64> = BTreeMap::new();
    let mut pending = BTreeSet::from([(0, head)]);
    while let Some((sum, here)) = pending.pop_first() {
        for &(step, weight) in weighted.iter().filter(|(step, _)| step.from == here) {
            let sum = sum + weight;
            if least.get(&step.to).is_none_or(|&known| sum < known) {
                least.insert(step.to, sum);
                // A round is over where it comes back to the head.
                if step.to != head {
                    pending.insert((sum, step.to));
                }
            }
        }
    }
    least.get(&head).copied().unwrap_or(1).max(1)
}

/// Does a way of one or more steps lead from a location back to it?
fn is_on_cycle(location: Location, steps: &[SpineStep]) -> bool {
    let mut seen = EntitySet::new();
    let mut pending = vec![location];
    while let Some(here) = pending.pop() {
        for step in steps.iter().filter(|step| step.from == here) {
            if step.to == location {
                return true;
            }
            if seen.insert(step.to) {
                pending.push(step.to);
            }
        }
    }
    false
}

/// The strongly connected parts with a cycle of some locations.
fn components(locations: &[Location], steps: &[SpineStep]) -> Vec<Vec<Location>> {
    let position = |location: Location| locations.iter().position(|&other| other == location);
    let mut next = vec![Vec::new(); locations.len()];
    for step in steps {
        if let (Some(from), Some(to)) = (position(step.from), position(step.to)) {
            next[from].push(to);
        }
    }
    let component = super::infinite::components(&next);
    let count = component.iter().max().map_or(0, |&last| last + 1);
    let mut found: Vec<Vec<Location>> = vec![Vec::new(); count];
    let mut cyclic = vec![false; count];
    for (state, &number) in component.iter().enumerate() {
        found[number].push(locations[state]);
        cyclic[number] |= next[state].iter().any(|&to| component[to] == number);
    }
    found.into_iter().zip(cyclic).filter(|&(_, cyclic)| cyclic).map(|(locations, _)| locations).collect()
}
