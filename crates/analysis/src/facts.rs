//! States as formulas.
//!
//! The conjuncts of a location say exactly what the state there says, leaving out what others imply. Contents of arrays
//! become quantified formulas.

use crate::form::{Dimension, Form};
use crate::model::Model;
use crate::octagon::Signed;
use crate::polyhedron::Sense;
use crate::relation::one;
use crate::space::{Pack, Space};
use crate::state::{Domain, State};
use crate::value::{Kind, Value};
use base::EntityRef;
use logic::{Linear, Op, Quantifier, Rational, Sort, Term, Terms};
use program::{Location, Var, VarKind};

/// The formulas of a state at a location, each true in all of its members.
pub fn conjuncts(model: &Model<'_>, location: Location, state: &State, terms: &mut Terms) -> Vec<Term> {
    let program = &*model.program;
    let procedure = program.locations[location].procedure;
    // What other procedures' variables were is nobody's business here.
    let in_scope =
        |var: Var| !matches!(program.variables[var].kind, VarKind::Local(owner) if owner != procedure);
    let space = &model.space;
    let name = |dimension: Dimension| {
        let named = model.sharing.occupant(dimension, location)?;
        space.var(named).is_none_or(in_scope).then(|| space.term(named))
    };
    state_conjuncts(&model.domain(location), state, terms, name)
}

/// The formulas of a state about the variables that have a name, each true in all of its members.
pub fn state_conjuncts(
    domain: &Domain<'_>,
    state: &State,
    terms: &mut Terms,
    name: impl Fn(Dimension) -> Option<Term>,
) -> Vec<Term> {
    let space = domain.space;
    let mut found = Vec::new();
    for (&index, value) in state.values.iter() {
        let dimension = Dimension::new(index);
        if space.var(dimension).is_none() {
            continue;
        }
        if let Some(term) = name(dimension) {
            value_conjuncts((space, dimension), term, value, terms, &mut found);
        }
    }
    for (index, pack) in domain.packing.packs().iter().enumerate() {
        let Some(relation) = state.relations.get(&index) else { continue };
        for row in relation.equalities.rows().iter().filter(|row| row.monomials.len() > 1) {
            let Some(row) = linear(&row.clone().integral(), &name, terms) else { continue };
            let sort = if pack.integers { Sort::INT } else { Sort::REAL };
            found.push(terms.equals_zero(row, sort));
        }
        for (a, b, bound) in relation.octagon.constraints() {
            let form = sum(pack, a, b, bound);
            // Equations say more than the two bounds that they imply.
            if relation.equalities.reduce(&form).as_constant().is_some() {
                continue;
            }
            let Some(form) = linear(&form, &name, terms) else { continue };
            found.push(terms.at_most_zero(form, Sort::INT));
        }
    }
    for (index, pack) in domain.packing.packs().iter().enumerate().filter(|(_, pack)| pack.polyhedra) {
        let Some(relation) = state.relations.get(&index) else { continue };
        let sort = if pack.integers { Sort::INT } else { Sort::REAL };
        for (form, sense) in relation.polyhedron.conditions() {
            if form.monomials.len() < 2 || relation.equalities.reduce(&form).as_constant().is_some() {
                continue;
            }
            let Some(form) = linear(&form, &name, terms) else { continue };
            let formula = match sense {
                Sense::AtMost => terms.at_most_zero(form, sort),
                Sense::Zero => terms.equals_zero(form, sort),
            };
            if !found.contains(&formula) {
                found.push(formula);
            }
        }
    }
    found.retain(|formula| !formula.is_true());
    found
}

fn sum(pack: &Pack, a: Signed, b: Signed, bound: i128) -> Form {
    let sign = |signed: Signed| if signed.negated { -one() } else { one() };
    let mut form = Form::dimension(pack.dimensions[a.position]).scaled(&sign(a));
    form.add_scaled(&Form::dimension(pack.dimensions[b.position]), &sign(b));
    form.constant = -Rational::from_integer(bound.into());
    form
}

/// A form in terms, if all of its dimensions have a name.
fn linear(form: &Form, name: impl Fn(Dimension) -> Option<Term>, terms: &mut Terms) -> Option<Linear> {
    let mut linear = Linear::constant(form.constant.clone());
    for (dimension, coefficient) in &form.monomials {
        let monomial = terms.linear(name(*dimension)?);
        linear.add_scaled(&monomial, coefficient);
    }
    Some(linear)
}

fn value_conjuncts(
    (space, dimension): (&Space, Dimension),
    term: Term,
    value: &Value,
    terms: &mut Terms,
    found: &mut Vec<Term>,
) {
    let kind = space.kind(dimension);
    if kind == Kind::Other || value.is_top(kind) {
        return;
    }
    if space.is_scalar(dimension) {
        bounds(term, kind, value, terms, found);
        return;
    }
    // For all indices, the element has one of the values.
    let mut element = term;
    let mut indices = Vec::new();
    while let Some((index, _)) = terms.array_parts(terms.sort_of(element)) {
        let symbol = terms.symbol(&format!("index {}", indices.len()), index);
        indices.push(symbol);
        let at = terms.constant(symbol);
        element = terms.select(element, at);
    }
    let mut about = Vec::new();
    bounds(element, kind, value, terms, &mut about);
    let body = terms.and(about);
    let triggers = if terms.op(element) == Op::Select { vec![vec![element]] } else { Vec::new() };
    found.push(terms.quantify(Quantifier::Forall, &indices, body, &triggers));
}

fn bounds(term: Term, kind: Kind, value: &Value, terms: &mut Terms, found: &mut Vec<Term>) {
    if kind == Kind::Bool {
        if let Some(point) = value.as_point() {
            let holds = *point == one();
            let formula = if holds { term } else { terms.not(term) };
            found.push(formula);
        }
        return;
    }
    let sort = if kind == Kind::Int { Sort::INT } else { Sort::REAL };
    if let Some(point) = value.as_point() {
        let number = terms.numeral(point.clone(), sort);
        found.push(terms.eq(term, number));
        return;
    }
    if let Some(low) = &value.interval.low {
        let number = terms.numeral(low.clone(), sort);
        found.push(terms.ge(term, number));
    }
    if let Some(high) = &value.interval.high {
        let number = terms.numeral(high.clone(), sort);
        found.push(terms.le(term, number));
    }
    if let Some(stride) = value.stride() {
        let (modulus, remainder) = (terms.int(stride.modulus.clone()), terms.int(stride.remainder.clone()));
        let rest = terms.modulo(term, modulus);
        found.push(terms.eq(rest, remainder));
    }
}
