//! Quantifiers over finitely many values.
//!
//! Truth values and narrow bit-vectors are enumerated. Integers are enumerated between bounds that the formula
//! itself gives: in `forall x :: a && b ==> c` and `exists x :: a && b && c`, whatever violates one of the
//! conjuncts on the left (of `c`) does not matter, so comparisons of `x` with expressions over what is bound
//! before it are bounds. Everything else has no value here, unless the driver knows it.

use super::driver::Driver;
use super::integer::Integer;
use super::machine::{Evaluated, Machine, Obstacle, Stop};
use super::map::values_of;
use super::value::Value;
use crate::expressions::{BinaryOp, Expr, ExprData, Quantifier, QuantifierKind};
use crate::program::{Program, Variable};
use crate::types::Type;
use rustc_hash::FxHashSet;

/// How deep quantifiers may be nested, since each uses the host's stack.
const MAX_DEPTH: u32 = 32;

/// How many values a variable may range over.
const MAX_RANGE: i64 = 1 << 20;

/// Bounds of an integer variable that the formula gives.
#[derive(Default)]
struct Bounds {
    /// The variable is at least the expression plus the number.
    lower: Vec<(Expr, i64)>,
    /// The variable is at most the expression plus the number.
    upper: Vec<(Expr, i64)>,
}

/// The values that are still to be tried.
enum Range {
    Integers(i64, i64),
    Values(std::vec::IntoIter<Value>),
}

impl Iterator for Range {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        match self {
            Range::Integers(next, last) if *next <= *last => {
                let value = *next;
                *next += 1;
                Some(Value::from(value))
            }
            Range::Integers(..) => None,
            Range::Values(values) => values.next(),
        }
    }
}

impl Machine<'_> {
    pub(super) fn quantifier(&mut self, expr: Expr, driver: &mut dyn Driver) -> Evaluated<bool> {
        let program = self.program;
        let ExprData::Quantified(quantifier) = &program.expressions[expr] else {
            return Err(Stop::Obstacle(expr, Obstacle::UnboundedQuantifier));
        };
        if self.quantifier_depth >= MAX_DEPTH {
            return Err(Stop::Obstacle(expr, Obstacle::NestedQuantifiers));
        }
        self.quantifier_depth += 1;
        // A function that is called below may evaluate this quantifier too, so the slots are restored.
        let slots: Vec<usize> =
            quantifier.bound.iter().map(|&variable| self.code.bound_slot(variable) as usize).collect();
        if self.bound.len() < self.code.bound_count() {
            self.bound.resize(self.code.bound_count(), Value::Bool(false));
        }
        let saved: Vec<Value> = slots.iter().map(|&slot| self.bound[slot].clone()).collect();
        let result = self.enumerate(expr, quantifier, &slots, driver);
        for (&slot, value) in slots.iter().zip(saved) {
            self.bound[slot] = value;
        }
        self.quantifier_depth -= 1;
        // Whoever can decide formulas is asked about the whole formula rather than about each of its instances.
        match result {
            Err(Stop::Obstacle(_, Obstacle::UnboundedQuantifier)) if self.quantifier_depth == 0 => {
                let decided = driver.decide(program, expr, &|mentioned| self.mentioned(mentioned));
                decided.map_or(result, Ok)
            }
            _ => result,
        }
    }

    fn enumerate(
        &mut self,
        expr: Expr,
        quantifier: &Quantifier,
        slots: &[usize],
        driver: &mut dyn Driver,
    ) -> Evaluated<bool> {
        // A universal formula is decided by a counterexample, an existential one by an example.
        let decisive = quantifier.kind == QuantifierKind::Exists;
        let mut ranges: Vec<Range> = Vec::with_capacity(slots.len());
        loop {
            if ranges.len() == slots.len() {
                if self.holds(quantifier.body, driver)? == decisive {
                    return Ok(decisive);
                }
            } else {
                let range = self.range(expr, quantifier, ranges.len(), driver)?;
                ranges.push(range);
            }
            // The next value of the innermost variable that has one.
            loop {
                let Some(range) = ranges.last_mut() else { return Ok(!decisive) };
                if let Some(value) = range.next() {
                    self.bound[slots[ranges.len() - 1]] = value;
                    break;
                }
                ranges.pop();
            }
        }
    }

    fn range(
        &mut self,
        expr: Expr,
        quantifier: &Quantifier,
        index: usize,
        driver: &mut dyn Driver,
    ) -> Evaluated<Range> {
        let unbounded = Stop::Obstacle(expr, Obstacle::UnboundedQuantifier);
        let variable = quantifier.bound[index];
        let ty = self.program.variables[variable].ty;
        if ty != Type::INT {
            let values = values_of(self.program, ty).ok_or(unbounded)?;
            return Ok(Range::Values(values.into_iter()));
        }
        let bounds = bounds(self.program, quantifier, index);
        let lower = self.best(&bounds.lower, Integer::max, driver)?.ok_or(unbounded)?;
        let upper = self.best(&bounds.upper, Integer::min, driver)?.ok_or(unbounded)?;
        if lower > upper {
            return Ok(Range::Integers(1, 0));
        }
        match (lower.to_i64(), upper.to_i64()) {
            (Some(lower), Some(upper)) if upper.checked_sub(lower).is_some_and(|size| size < MAX_RANGE) => {
                Ok(Range::Integers(lower, upper))
            }
            _ => Err(unbounded),
        }
    }

    fn best(
        &mut self,
        bounds: &[(Expr, i64)],
        better: fn(Integer, Integer) -> Integer,
        driver: &mut dyn Driver,
    ) -> Evaluated<Option<Integer>> {
        let mut best: Option<Integer> = None;
        for &(expr, offset) in bounds {
            let value = self.evaluate(expr, driver)?;
            let Some(value) = value.as_int() else { continue };
            let value = value.add(&Integer::Small(offset));
            best = Some(match best {
                Some(best) => better(best, value),
                None => value,
            });
        }
        Ok(best)
    }
}

/// The bounds of a variable of a quantifier by what is known before it.
fn bounds(program: &Program, quantifier: &Quantifier, index: usize) -> Bounds {
    let variable = quantifier.bound[index];
    let unknown = &quantifier.bound[index..];
    let mut bounds = Bounds::default();
    for conjunct in conjuncts(program, quantifier) {
        let ExprData::Binary(op, left, right) = program.expressions[conjunct] else { continue };
        let is_variable = |expr: Expr| program.expressions[expr] == ExprData::Variable(variable);
        let (op, other) = match (is_variable(left), is_variable(right)) {
            (true, false) => (op, right),
            (false, true) => (flipped(op), left),
            _ => continue,
        };
        if mentions(program, other, unknown) {
            continue;
        }
        match op {
            BinaryOp::Less => bounds.upper.push((other, -1)),
            BinaryOp::LessEqual => bounds.upper.push((other, 0)),
            BinaryOp::Greater => bounds.lower.push((other, 1)),
            BinaryOp::GreaterEqual => bounds.lower.push((other, 0)),
            BinaryOp::Equal => {
                bounds.lower.push((other, 0));
                bounds.upper.push((other, 0));
            }
            _ => {}
        }
    }
    bounds
}

fn flipped(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        other => other,
    }
}

/// What must hold for the rest of the formula to matter.
fn conjuncts(program: &Program, quantifier: &Quantifier) -> Vec<Expr> {
    let mut found = Vec::new();
    let mut pending = Vec::new();
    match quantifier.kind {
        QuantifierKind::Exists => pending.push(quantifier.body),
        QuantifierKind::Forall => {
            let mut rest = quantifier.body;
            while let ExprData::Binary(BinaryOp::Implies, condition, then) = program.expressions[rest] {
                pending.push(condition);
                rest = then;
            }
        }
    }
    while let Some(expr) = pending.pop() {
        match program.expressions[expr] {
            ExprData::Binary(BinaryOp::And, left, right) => pending.extend([left, right]),
            _ => found.push(expr),
        }
    }
    found
}

fn mentions(program: &Program, expr: Expr, variables: &[Variable]) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        match program.expressions[expr] {
            ExprData::Variable(variable) if variables.contains(&variable) => return true,
            _ if seen.insert(expr) => program.expressions.for_each_child(expr, |child| stack.push(child)),
            _ => {}
        }
    }
    false
}
