//! The statements that have to stand in a product where a letter is read.
//!
//! Conditions are made in a copy of the product, and compared with those that are there.

use super::{Action, Case, Observation};
use crate::Refusal;
use crate::product::same::Pair;
use crate::product::walk::{Place, Walk, refuse};
use base::{EntityRef, Span};
use ir::{
    AssertKind, AttributeArgument, BinaryOp, Expr, ExprData, Program, Statement, StatementKind, Type,
    Variable,
};
use rustc_hash::FxHashMap;

pub(super) struct Steps<'a> {
    observation: &'a Observation,
    product: &'a Program,
    /// The product with the expressions that are made here.
    scratch: Program,
    nowhere: Span,
}

impl<'a> Steps<'a> {
    pub(super) fn new(observation: &'a Observation, product: &'a Program) -> Steps<'a> {
        let nowhere = Span::new(EntityRef::new(0), 0, 0);
        Steps { observation, product, scratch: product.clone(), nowhere }
    }

    /// Reads a letter with its arguments: how many of the statements are its step.
    pub(super) fn read(
        &mut self,
        walk: &Walk<'_>,
        place: &mut Place,
        (letter, arguments): (usize, &[Expr]),
        found: &[Statement],
    ) -> Result<usize, Refusal> {
        let (observation, state) = (self.observation, self.observation.state);
        let mut reader = Reader { found, used: 0 };
        match &observation.letters[letter].action {
            Action::Keep(kept) => {
                let pairs = reader.assignment()?;
                let &[(target, value)] = pairs else { return refuse("the state of a call is not kept") };
                if self.product.expressions[value] != ExprData::Variable(state) {
                    return refuse("the state of a call is not kept");
                }
                walk.write(&mut place.frames, *kept, target)?;
            }
            Action::First { cases, kept } => {
                let arguments = self.renamed(walk, place, cases, arguments)?;
                let mut next = self.scratch.variable(state, self.nowhere);
                for case in cases.iter().rev() {
                    let parts = self.condition(walk, place, (case, *kept), &arguments)?;
                    next = self.choose(parts, case.to, next);
                }
                match reader.assignment()? {
                    &[(target, value)] if target == state && self.same(next, value) => {}
                    _ => return refuse("another step of the automaton"),
                }
                self.never_error(cases, &mut reader)?;
            }
            Action::Any { cases, stuck, choice, kept, keeps, rounds } => {
                for _ in 0..*rounds {
                    if cases.iter().any(|case| alike(cases, case) > 1) {
                        match reader.next()? {
                            StatementKind::Havoc(variables) if variables[..] == [*choice] => {}
                            _ => return refuse("there is no choice between moves of the automaton"),
                        }
                    }
                    let mut next = self.scratch.int(*stuck, self.nowhere);
                    let mut keep = self.scratch.int(0, self.nowhere);
                    for (number, case) in cases.iter().enumerate() {
                        let mut parts = self.condition(walk, place, (case, *kept), &FxHashMap::default())?;
                        if alike(cases, case) > 1 {
                            parts.push(self.is(*choice, number));
                        }
                        next = self.choose(parts.clone(), case.to, next);
                        keep = self.choose(parts, case.keep, keep);
                    }
                    match (reader.assignment()?, *kept) {
                        (&[(target, value)], _) if !*keeps && target == state && self.same(next, value) => {}
                        (&[(target, value), (copy, number)], Some(kept))
                            if *keeps
                                && target == state
                                && self.same(next, value)
                                && self.same(keep, number) =>
                        {
                            walk.write(&mut place.frames, kept, copy)?;
                        }
                        _ => return refuse("another step of the automaton"),
                    }
                    self.never_error(cases, &mut reader)?;
                }
            }
        }
        if let Some(frame) = place.frames.last_mut() {
            frame.index += 1;
        }
        Ok(reader.used)
    }

    fn is(&mut self, variable: Variable, number: usize) -> Expr {
        let value = self.scratch.variable(variable, self.nowhere);
        let number = self.scratch.int(number, self.nowhere);
        self.scratch.equal(value, number, self.nowhere)
    }

    fn choose(&mut self, parts: Vec<Expr>, to: usize, otherwise: Expr) -> Expr {
        let condition = self.scratch.and(parts, self.nowhere);
        let to = self.scratch.int(to, self.nowhere);
        self.scratch.ite(condition, to, otherwise, self.nowhere)
    }

    fn same(&self, made: Expr, found: Expr) -> bool {
        Pair { watched: &self.scratch, product: self.product }.same(made, found, &Some)
    }

    /// The arguments of a letter that cases ask for, with the names that variables have in the product.
    fn renamed(
        &mut self,
        walk: &Walk<'_>,
        place: &Place,
        cases: &[Case],
        arguments: &[Expr],
    ) -> Result<FxHashMap<usize, Expr>, Refusal> {
        let mut renamed = FxHashMap::default();
        for &(number, _) in cases.iter().flat_map(|case| &case.equal) {
            let Some(&argument) = arguments.get(number) else {
                return refuse("a letter has fewer arguments");
            };
            let mut names: FxHashMap<Variable, Variable> = FxHashMap::default();
            for part in self.scratch.expressions.post_order([argument]) {
                let ExprData::Variable(variable) = self.scratch.expressions[part] else { continue };
                if self.scratch.variables[variable].kind == ir::VariableKind::Bound {
                    continue;
                }
                let Some(name) = walk.name(place.frames.last(), variable) else {
                    return refuse("a letter has an argument without a value");
                };
                names.insert(variable, name);
            }
            let copy = self.scratch.rename(argument, &names);
            renamed.insert(number, copy);
        }
        Ok(renamed)
    }

    /// What must hold for a case.
    fn condition(
        &mut self,
        walk: &Walk<'_>,
        place: &Place,
        (case, kept): (&Case, Option<Variable>),
        arguments: &FxHashMap<usize, Expr>,
    ) -> Result<Vec<Expr>, Refusal> {
        let mut parts = vec![self.is(self.observation.state, case.from)];
        if let Some(number) = case.kept {
            let name = kept.and_then(|kept| walk.name(place.frames.last(), kept));
            let Some(name) = name else { return refuse("the state of a call was not kept") };
            parts.push(self.is(name, number));
        }
        for (argument, wanted) in &case.equal {
            let Some(&argument) = arguments.get(argument) else {
                return refuse("a letter has fewer arguments");
            };
            let value = self.scratch.variable(*wanted, self.nowhere);
            if self.scratch.ty(argument) != self.scratch.ty(value) {
                return refuse("an argument has another type");
            }
            parts.push(self.scratch.equal(argument, value, self.nowhere));
        }
        for &(variable, wanted) in &case.guard {
            let holds = self.holds(variable)?;
            parts.push(if wanted { holds } else { self.scratch.not(holds, self.nowhere) });
        }
        Ok(parts)
    }

    fn holds(&mut self, variable: Option<Variable>) -> Result<Expr, Refusal> {
        let Some(variable) = variable else { return Ok(self.scratch.bool(false, self.nowhere)) };
        let value = self.scratch.variable(variable, self.nowhere);
        match self.scratch.ty(value) {
            Type::BOOL => Ok(value),
            Type::INT => {
                let zero = self.scratch.int(0, self.nowhere);
                Ok(self.scratch.binary(BinaryOp::NotEqual, value, zero, self.nowhere))
            }
            _ => refuse("a condition is no truth value"),
        }
    }

    /// That assertions stand there against all errors to which cases lead.
    fn never_error(&mut self, cases: &[Case], reader: &mut Reader<'_>) -> Result<(), Refusal> {
        let observation = self.observation;
        for (&error, message) in &observation.errors {
            if !cases.iter().any(|case| case.to == error) {
                continue;
            }
            let entered = self.is(observation.state, error);
            let never = self.scratch.not(entered, self.nowhere);
            let Some(statement) = reader.found.get(reader.used) else { return refuse("an error is missing") };
            let is_named = match &statement.attributes[..] {
                [attribute] => {
                    attribute.name == "property"
                        && attribute.arguments[..] == [AttributeArgument::Text(message.clone())]
                }
                _ => false,
            };
            match reader.next()? {
                StatementKind::Assert(AssertKind::Assert, condition)
                    if is_named && self.same(never, *condition) => {}
                _ => return refuse("an error is missing"),
            }
        }
        Ok(())
    }
}

/// How many cases are possible where one is, as far as states say.
fn alike(cases: &[Case], one: &Case) -> usize {
    cases.iter().filter(|case| (case.from, case.kept) == (one.from, one.kept)).count()
}

/// Statements of the product, one after the other.
struct Reader<'a> {
    found: &'a [Statement],
    used: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<&'a StatementKind, Refusal> {
        let Some(statement) = self.found.get(self.used) else {
            return refuse("a step of the automaton is missing");
        };
        self.used += 1;
        if !matches!(statement.kind, StatementKind::Assert(..)) && !statement.attributes.is_empty() {
            return refuse("a step of the automaton has attributes");
        }
        Ok(&statement.kind)
    }

    fn assignment(&mut self) -> Result<&'a [(Variable, Expr)], Refusal> {
        match self.next()? {
            StatementKind::Assign(pairs) => Ok(pairs),
            _ => refuse("a step of the automaton is missing"),
        }
    }
}
