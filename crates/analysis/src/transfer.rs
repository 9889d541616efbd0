//! Executing the code of an edge on a state.
//!
//! The parts that are not linear are evaluated first. Where the state shows that such a part is linear after all (a
//! remainder of something small, a product with a constant), it is replaced by that form, so that relations survive. A
//! choice between two values splits the execution, up to a bound; the ways are joined at the end.

use crate::code::{Code, Condition, Definition, Source, Update};
use crate::congruence::Congruence;
use crate::form::{Dimension, Form};
use crate::interval::Interval;
use crate::limits;
use crate::operations::Comparison;
use crate::relation::one;
use crate::state::{Domain, State, Unreachable};
use crate::value::{Kind, Value};
use logic::{Integer, Rational};
use num_integer::Integer as _;
use num_traits::{One, Signed, Zero};
use std::rc::Rc;

/// One way through an edge: the state so far, and which parts turned out to be linear.
#[derive(Clone)]
pub(crate) struct Way {
    pub(crate) state: State,
    linear: Vec<(Dimension, Form)>,
}

impl Way {
    pub(crate) fn resolve(&self, form: &Form) -> Form {
        let mut resolved = form.clone();
        for (dimension, image) in &self.linear {
            resolved.substitute(*dimension, image);
        }
        resolved
    }

    /// Joins another way; only what is linear alike in both stays so.
    pub(crate) fn merge(&mut self, domain: &Domain<'_>, other: &Way) {
        self.state = domain.join(&self.state, &other.state);
        self.linear.retain(|known| other.linear.contains(known));
    }
}

/// What a definition turns out to be.
enum Meaning {
    Linear(Form),
    Value(Value),
}

impl Domain<'_> {
    /// The state after an edge.
    pub fn execute(&self, code: &Code, state: &State) -> Result<State, Unreachable> {
        let mut result: Option<State> = None;
        for mut way in self.ways(code, state) {
            if self.update(code, &mut way).is_err() {
                continue;
            }
            for &dimension in &code.scratch {
                self.forget(&mut way.state, dimension);
            }
            result = Some(match result {
                Some(other) => self.join(&other, &way.state),
                None => way.state,
            });
        }
        result.ok_or(Unreachable)
    }

    /// The ways through the definitions and the guard of an edge.
    pub(crate) fn ways(&self, code: &Code, state: &State) -> Vec<Way> {
        let mut start = state.clone();
        for &dimension in &code.havoc {
            self.forget(&mut start, dimension);
        }
        let mut ways = vec![Way { state: start, linear: Vec::new() }];
        for (dimension, definition) in &code.definitions {
            let splits = 2 * ways.len() <= limits::MOST_WAYS;
            let mut next = Vec::with_capacity(ways.len());
            for way in ways {
                // A way that turns out to be impossible is dropped.
                let _: Result<(), Unreachable> =
                    self.define(way, (*dimension, definition), splits, &mut next);
            }
            ways = next;
        }
        ways.retain_mut(|way| self.guard(code, way).is_ok());
        ways
    }

    fn guard(&self, code: &Code, way: &mut Way) -> Result<(), Unreachable> {
        for condition in &code.guard {
            self.assume(way, condition)?;
        }
        if code.definitions.is_empty() || code.guard.is_empty() {
            return Ok(());
        }
        // What was learnt about a part tells something about its arguments, and the other way round.
        for (dimension, definition) in &code.definitions {
            self.refine_arguments(way, *dimension, definition)?;
            match definition {
                Definition::Choice { .. } | Definition::Element(_) => {}
                _ => self.set_meaning(way, *dimension, definition)?,
            }
        }
        code.guard.iter().try_for_each(|condition| self.assume(way, condition))
    }

    /// Learns that a condition holds.
    pub(crate) fn assume(&self, way: &mut Way, condition: &Condition) -> Result<(), Unreachable> {
        match condition {
            Condition::Unknown => Ok(()),
            Condition::Never => Err(Unreachable),
            Condition::Compare(comparison, form) => {
                let form = way.resolve(form);
                self.compare(&mut way.state, *comparison, &form)
            }
            Condition::All(parts) => parts.iter().try_for_each(|part| self.assume(way, part)),
            Condition::Any(parts) => {
                let mut joined: Option<State> = None;
                for part in parts {
                    let mut branch = way.clone();
                    if self.assume(&mut branch, part).is_ok() {
                        joined = Some(match joined {
                            Some(other) => self.join(&other, &branch.state),
                            None => branch.state,
                        });
                    }
                }
                way.state = joined.ok_or(Unreachable)?;
                Ok(())
            }
        }
    }

    /// Adds the ways in which a definition goes on.
    fn define(
        &self,
        mut way: Way,
        (dimension, definition): (Dimension, &Definition),
        splits: bool,
        next: &mut Vec<Way>,
    ) -> Result<(), Unreachable> {
        let Definition::Choice { condition, negation, then, otherwise } = definition else {
            self.set_meaning(&mut way, dimension, definition)?;
            next.push(way);
            return Ok(());
        };
        let mut branches = Vec::new();
        for (condition, form) in [(condition, then), (negation, otherwise)] {
            let mut branch = way.clone();
            if self.assume(&mut branch, condition).is_ok() {
                let form = branch.resolve(form);
                self.give_meaning(&mut branch, dimension, Meaning::Linear(form))?;
                branches.push(branch);
            }
        }
        if !splits && let [first, second] = &branches[..] {
            way.state = self.join(&first.state, &second.state);
            branches = vec![way];
        }
        next.extend(branches);
        Ok(())
    }

    fn set_meaning(
        &self,
        way: &mut Way,
        dimension: Dimension,
        definition: &Definition,
    ) -> Result<(), Unreachable> {
        if way.linear.iter().any(|(known, _)| *known == dimension) {
            return Ok(());
        }
        let meaning = self.meaning(way, dimension, definition);
        let is_linear = matches!(meaning, Meaning::Linear(_));
        self.give_meaning(way, dimension, meaning)?;
        match definition {
            Definition::Quotient(form, divisor) if !is_linear => {
                let form = way.resolve(form);
                self.learn_quotient(&mut way.state, dimension, (&form, divisor))
            }
            Definition::Modulo(form, _) if !is_linear => {
                let form = way.resolve(form);
                self.learn_remainder(&mut way.state, dimension, &form)
            }
            _ => Ok(()),
        }
    }

    fn give_meaning(&self, way: &mut Way, dimension: Dimension, meaning: Meaning) -> Result<(), Unreachable> {
        match meaning {
            Meaning::Linear(form) => {
                let value = self.evaluate(&way.state, &form, self.space.kind(dimension));
                self.meet_value(&mut way.state, dimension, &value)?;
                way.linear.push((dimension, form));
            }
            Meaning::Value(value) => {
                self.meet_value(&mut way.state, dimension, &value)?;
            }
        }
        Ok(())
    }

    fn meaning(&self, way: &Way, dimension: Dimension, definition: &Definition) -> Meaning {
        let kind = self.space.kind(dimension);
        let value = |form: &Form| self.evaluate(&way.state, form, Kind::Int);
        match definition {
            Definition::Modulo(form, divisor) => self.modulo(&way.state, way.resolve(form), divisor),
            Definition::Quotient(form, divisor) => self.quotient(&way.state, way.resolve(form), divisor),
            Definition::ModuloBy(form, divisor) => {
                let (form, divisor) = (way.resolve(form), value(&way.resolve(divisor)));
                match divisor.as_point() {
                    Some(by) if !by.is_zero() => self.modulo(&way.state, form, &by.numer().abs()),
                    _ if divisor.contains(&Rational::zero()) => Meaning::Value(Value::top(kind)),
                    _ => {
                        // Less than the larger of the two absolute values of the divisor's bounds.
                        let largest = divisor.interval.low.iter().zip(&divisor.interval.high);
                        let largest = largest.map(|(low, high)| low.abs().max(high.abs()) - one()).next();
                        let interval = Interval { low: Some(Rational::zero()), high: largest };
                        Meaning::Value(Value::of_interval(interval, kind).unwrap_or_else(|| Value::top(kind)))
                    }
                }
            }
            Definition::QuotientBy(form, divisor) => {
                let (form, divisor) = (way.resolve(form), value(&way.resolve(divisor)));
                match divisor.as_point() {
                    Some(by) if by.is_positive() => self.quotient(&way.state, form, by.numer()),
                    _ => Meaning::Value(
                        positive_quotient(&value(&form), &divisor).unwrap_or_else(|| Value::top(kind)),
                    ),
                }
            }
            Definition::Ratio(form, divisor) => {
                let (form, divisor) = (way.resolve(form), self.bounds(&way.state, &way.resolve(divisor)));
                match divisor.as_point() {
                    Some(by) if !by.is_zero() => Meaning::Linear(form.scaled(&by.recip())),
                    _ => Meaning::Value(Value::top(kind)),
                }
            }
            Definition::Product(factors) => self.product(way, factors, kind),
            Definition::Floor(form) => {
                let bounds = self.bounds(&way.state, &way.resolve(form));
                let interval = bounds.divide_by(&one());
                Meaning::Value(Value::of_interval(interval, kind).unwrap_or_else(|| Value::top(kind)))
            }
            Definition::Choice { .. } => Meaning::Value(Value::top(kind)),
            Definition::Element(sources) => {
                let value = self.contents(way, sources, kind).unwrap_or_else(|| Value::top(kind));
                Meaning::Value(value)
            }
        }
    }

    fn modulo(&self, state: &State, form: Form, divisor: &Integer) -> Meaning {
        let value = self.evaluate(state, &form, Kind::Int);
        let by = Rational::from(divisor.clone());
        match value.interval.divide_by(&by).as_point() {
            Some(quotient) => {
                let mut rest = form;
                rest.constant -= quotient * by;
                Meaning::Linear(rest)
            }
            None => Meaning::Value(value.modulo(divisor)),
        }
    }

    fn quotient(&self, state: &State, form: Form, divisor: &Integer) -> Meaning {
        let value = self.evaluate(state, &form, Kind::Int);
        let Congruence { modulus, remainder } = value.congruence();
        let divides = modulus.is_multiple_of(divisor) && remainder.is_multiple_of(divisor);
        let quotients = value.divide_by(divisor);
        match quotients.as_point() {
            Some(point) => Meaning::Linear(Form::constant(point.clone())),
            None if divides => Meaning::Linear(form.scaled(&Rational::from(divisor.clone()).recip())),
            None => Meaning::Value(quotients),
        }
    }

    fn product(&self, way: &Way, factors: &[Form], kind: Kind) -> Meaning {
        let factors: Vec<Form> = factors.iter().map(|factor| way.resolve(factor)).collect();
        let mut constant = Rational::one();
        let mut others: Vec<&Form> = Vec::new();
        for factor in &factors {
            match self.bounds(&way.state, factor).as_point() {
                Some(point) => constant *= point,
                None => others.push(factor),
            }
        }
        match &others[..] {
            [] => Meaning::Linear(Form::constant(constant)),
            _ if constant.is_zero() => Meaning::Linear(Form::constant(constant)),
            [only] => Meaning::Linear((*only).clone().scaled(&constant)),
            _ => {
                let square = others.len() == 2 && others[0] == others[1];
                let start = Value::point(constant.clone());
                let product = others.iter().fold(start, |product, factor| {
                    product.multiply(&self.evaluate(&way.state, factor, kind), kind)
                });
                let sign = Interval { low: Some(Rational::zero()), high: None };
                let sign = if constant.is_negative() { sign.scale(&-one()) } else { sign };
                let signed = Value::of_interval(sign, kind).filter(|_| square);
                Meaning::Value(signed.and_then(|sign| product.meet(&sign, kind)).unwrap_or(product))
            }
        }
    }

    /// What the elements of an array can be; none if nothing is known.
    pub(crate) fn contents(&self, way: &Way, sources: &[Source], kind: Kind) -> Option<Value> {
        let mut joined: Option<Value> = None;
        for source in sources {
            let value = match source {
                Source::Contents(array) => self.elements(&way.state, *array, kind),
                Source::Value(form) => self.evaluate(&way.state, &way.resolve(form), kind),
                Source::Anything => return None,
            };
            joined = Some(match joined {
                Some(other) => other.join(&value, kind),
                None => value,
            });
        }
        joined
    }

    /// The elements of an array, with what is assumed of them.
    fn elements(&self, state: &State, array: Dimension, kind: Kind) -> Value {
        let known = self.value(state, array);
        match self.space.assumed(array) {
            Some(assumed) => known.meet(assumed, kind).unwrap_or_else(|| assumed.clone()),
            None => known.clone(),
        }
    }

    /// From what is known about a remainder or quotient to what it is taken of.
    fn refine_arguments(
        &self,
        way: &mut Way,
        dimension: Dimension,
        definition: &Definition,
    ) -> Result<(), Unreachable> {
        match definition {
            Definition::Modulo(form, divisor) => {
                let form = way.resolve(form);
                let [(argument, factor)] = &form.monomials[..] else { return Ok(()) };
                if !factor.abs().is_one() || !form.constant.is_integer() {
                    return Ok(());
                }
                // ±d + c ≡ r, so d ≡ ±(r - c).
                let known = self.value(&way.state, dimension).congruence();
                let shifted = known.add(&Congruence::point(-form.constant.to_integer()));
                let Congruence { modulus, remainder } = shifted.scale(&factor.to_integer());
                let congruence = Congruence::new(modulus.gcd(divisor), remainder);
                let aligned = Value::reduced(Interval::top(), congruence, Kind::Int).ok_or(Unreachable)?;
                self.meet_value(&mut way.state, *argument, &aligned)?;
                Ok(())
            }
            Definition::Quotient(form, divisor) => {
                let form = way.resolve(form);
                let by = Rational::from(divisor.clone());
                let Interval { low, high } = self.value(&way.state, dimension).interval.clone();
                if let Some(high) = high {
                    let mut above = form.clone();
                    above.constant -= high * &by + &by - one();
                    self.compare(&mut way.state, Comparison::AtMost, &above)?;
                }
                if let Some(low) = low {
                    let mut below = form.negated();
                    below.constant += low * by;
                    self.compare(&mut way.state, Comparison::AtMost, &below)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Performs the updates of an edge, all at once.
    fn update(&self, code: &Code, way: &mut Way) -> Result<(), Unreachable> {
        let mut arrays: Vec<(Dimension, Option<Value>)> = Vec::new();
        let mut pending: Vec<(Dimension, Form)> = Vec::new();
        let mut forgotten: Vec<Dimension> = Vec::new();
        for (dimension, update) in &code.updates {
            match update {
                Update::Contents(sources) => {
                    arrays.push((*dimension, self.contents(way, sources, self.space.kind(*dimension))));
                }
                Update::Form(form) => pending.push((*dimension, way.resolve(form))),
                Update::Forget => forgotten.push(*dimension),
            }
        }
        let state = &mut way.state;
        while !pending.is_empty() {
            // An assignment may go first if no other one reads what it changes.
            let free = (0..pending.len()).find(|&index| {
                let assigned = pending[index].0;
                pending
                    .iter()
                    .enumerate()
                    .all(|(other, (_, form))| other == index || !form.mentions(assigned))
            });
            match free {
                Some(index) => {
                    let (dimension, form) = pending.remove(index);
                    self.assign(state, dimension, &form)?;
                }
                None => self.assign_values(state, std::mem::take(&mut pending)),
            }
        }
        for (dimension, value) in arrays {
            self.assign_contents(state, dimension, value);
        }
        forgotten.into_iter().for_each(|dimension| self.forget(state, dimension));
        Ok(())
    }

    /// Assignments that read what others change: values survive and polyhedra do, other relations do not.
    fn assign_values(&self, state: &mut State, assignments: Vec<(Dimension, Form)>) {
        let values: Vec<Value> = assignments
            .iter()
            .map(|(dimension, form)| self.evaluate(state, form, self.space.kind(*dimension)))
            .collect();
        let polyhedra = self.polyhedra_after(state, &assignments);
        for ((dimension, _), value) in assignments.into_iter().zip(values) {
            self.forget(state, dimension);
            self.set_value(state, dimension, value);
        }
        for (pack, polyhedron) in polyhedra {
            let mut shared = self.shared_relation(state, pack);
            Rc::make_mut(&mut shared).polyhedron = polyhedron;
            state.relations.set(pack, Some(shared));
        }
    }
}

/// Quotients of something that is not negative by something positive.
fn positive_quotient(dividend: &Value, divisor: &Value) -> Option<Value> {
    let zero = Rational::zero();
    let low = dividend.interval.low.as_ref().filter(|low| **low >= zero)?;
    let smallest = divisor.interval.low.as_ref().filter(|low| low.is_positive())?;
    let low = divisor.interval.high.as_ref().map_or(zero, |largest| (low / largest).floor());
    let high = dividend.interval.high.as_ref().map(|high| (high / smallest).floor());
    Value::of_interval(Interval { low: Some(low), high }, Kind::Int)
}
