//! What static analysis knows about the variables of loops, as candidates for inductions.
//!
//! Runs show what short executions do. The analysis ([`analysis`]) also knows equations between several variables, and bounds
//! that only long executions come to. Its program may have bounded bit operations where the one that is unwound has exact
//! ones, so variables are found by their names; nothing depends on finding the right ones, as every fact has to be shown.

use crate::context::precision;
use analysis::graph::Graph;
use analysis::order::weak_topological_order;
use base::{Budget, EntityRef, Interrupted};
use ir::Procedure;
use ir::induction::{Combined, Fact, Monomial, Relation};
use logic::{Op, Term, Terms};
use num_traits::{ToPrimitive, Zero};
use program::variables::VarData;
use program::{Program, VarKind};
use std::collections::BTreeMap;

/// Programs with more edges are not analysed for inductions.
const MOST_EDGES: usize = 3_000;
/// The analysis may cost so many units of effort.
const EFFORT: u64 = 20_000;

/// A program that can be analysed, and what is known about its loops once somebody has asked.
pub(super) struct Analysed<'t> {
    single: &'t Program,
    terms: &'t mut Terms,
    facts: Option<BTreeMap<Procedure, Vec<Fact>>>,
}

impl<'t> Analysed<'t> {
    pub(super) fn new(single: &'t Program, terms: &'t mut Terms) -> Analysed<'t> {
        Analysed { single, terms, facts: None }
    }

    /// What may hold where a loop of a procedure begins, about the variables of `source`.
    pub(super) fn facts(
        &mut self,
        source: &ir::Program,
        procedure: Procedure,
        budget: &Budget,
    ) -> Result<&[Fact], Interrupted> {
        let facts = match self.facts.take() {
            Some(facts) => facts,
            None => self.analyse(source, budget)?,
        };
        Ok(self.facts.insert(facts).get(&procedure).map_or(&[], Vec::as_slice))
    }

    fn analyse(
        &mut self,
        source: &ir::Program,
        budget: &Budget,
    ) -> Result<BTreeMap<Procedure, Vec<Fact>>, Interrupted> {
        let mut found: BTreeMap<Procedure, Vec<Fact>> = BTreeMap::new();
        let single = self.single;
        if single.live_edges().nth(MOST_EDGES).is_some() {
            return Ok(found);
        }
        let (part, _guard) = budget.part(EFFORT);
        let analysed = analysis::analyse(single, self.terms, precision(single), &part);
        budget.spend(part.effort());
        budget.check()?;
        // Where the analysis takes long, inductions do without it.
        let Ok(analysed) = analysed else { return Ok(found) };
        let graph = Graph::of_program(single);
        for head in weak_topological_order(&graph).iter().filter(|element| element.end.is_some()) {
            let location = graph.nodes[head.node];
            let facts = found.entry(single.locations[location].procedure).or_default();
            for formula in analysed.conjuncts(location, self.terms) {
                facts.extend(fact((single, source), self.terms, formula));
            }
        }
        for facts in found.values_mut() {
            facts.sort_unstable();
            facts.dedup();
        }
        Ok(found)
    }
}

/// A formula as a fact about variables of `source`, if it is a linear one.
fn fact((single, source): (&Program, &ir::Program), terms: &Terms, formula: Term) -> Option<Fact> {
    let variable = |term: Term| {
        let var = single.variables.of_symbol(terms.as_symbol(term)?)?;
        named(source, &single.variables[var])
    };
    let (atom, negated) = match terms.op(formula) {
        Op::Not => (terms.args(formula)[0], true),
        _ => (formula, false),
    };
    if let Some(variable) = variable(atom) {
        return Some(Fact::about(variable, Relation::Equal(i128::from(!negated))));
    }
    let &[mut sum, number] = terms.args(atom) else { return None };
    let number = terms.as_integer(number)?.to_i128()?;
    let mut relation = match (terms.op(atom), negated) {
        (Op::Le, false) => Relation::AtMost(number),
        (Op::Le, true) => Relation::AtLeast(number.checked_add(1)?),
        (Op::Eq, false) => Relation::Equal(number),
        (Op::Eq, true) => Relation::Unequal(number),
        _ => return None,
    };
    if let (Op::Mod, &[dividend, divisor]) = (terms.op(sum), terms.args(sum)) {
        let modulus = terms.as_integer(divisor)?.to_i128().filter(|modulus| *modulus > 0)?;
        let Relation::Equal(residue) = relation else { return None };
        (sum, relation) = (dividend, Relation::Residue { modulus, residue });
    }
    let linear = terms.linear(sum);
    if !linear.constant.is_zero() {
        return None;
    }
    let monomial = |(term, factor): &(Term, logic::Rational)| {
        let factor = if factor.is_integer() { factor.numer().to_i64()? } else { return None };
        Some(Monomial { factor, variable: variable(*term)? })
    };
    let sum: Option<Vec<Monomial>> = linear.monomials.iter().map(monomial).collect();
    Some(Fact { of: Combined::Sum(sum?), relation })
}

/// The variable of `source` that has the name of another one, in the same scope.
fn named(source: &ir::Program, data: &VarData) -> Option<ir::Variable> {
    let is_it = |variable: &ir::Variable| source.variables[*variable].name == data.name;
    if let Some(same) = data.source.filter(|_| !matches!(data.kind, VarKind::Old(_)))
        && same.index() < source.variables.len()
        && is_it(&same)
    {
        return Some(same);
    }
    match data.kind {
        VarKind::Constant => source.constants.iter().copied().find(is_it),
        VarKind::Global => source.globals.iter().copied().find(is_it),
        VarKind::Old(_) => None,
        VarKind::Local(procedure) => {
            let known = procedure.index() < source.procedures.len();
            let procedure = known.then(|| &source.procedures[procedure])?;
            let locals = procedure.body.iter().flat_map(|body| &body.locals);
            procedure.parameters.iter().chain(&procedure.results).chain(locals).copied().find(is_it)
        }
    }
}
