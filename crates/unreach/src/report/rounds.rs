//! How often loops go round at most, in the words of the source.
//!
//! A bound is `max(0, ⌊(m + c) / d⌋ + 1)`, where `m` is a sum of variables with integer factors. It holds each time the loop
//! is entered, for the values of the variables then; where nothing but assignments is between the beginning of
//! the program and the loop, it is also told for the values at the beginning.

use crate::view::View;
use base::Span;
use certify::termination::bounds::LoopBound;
use logic::{Integer, Linear, Rational, Term, Terms};
use num_traits::{One, Signed, Zero};
use program::{BlockProgram, EdgeKind, Location, Program};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The most rounds of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// Where the loop is.
    pub span: Span,
    /// For the values with which the loop is entered.
    pub at_entry: Most,
    /// For the values at the beginning of the program, if they are known to determine the others.
    pub at_beginning: Option<Most>,
}

/// A number of rounds, as an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Most {
    /// The variables with their factors.
    pub factors: Vec<(String, Integer)>,
    /// What is added.
    pub constant: Integer,
    /// By what the sum is divided.
    pub divisor: Integer,
}

impl Most {
    fn new(measure: Term, bound: &LoopBound, program: &Program, terms: &Terms) -> Option<Most> {
        let Linear { monomials, constant } = terms.linear(measure);
        let mut factors = Vec::with_capacity(monomials.len());
        for (term, factor) in monomials {
            let var = program.variables.of_symbol(terms.as_symbol(term)?)?;
            factors.push((
                program.variables[var].name.clone(),
                factor.is_integer().then(|| factor.to_integer())?,
            ));
        }
        let constant = constant.is_integer().then(|| constant.to_integer())? - bound.least;
        Some(Most { factors, constant, divisor: bound.decrease.into() })
    }

    /// The number for some values of the variables.
    pub fn value(&self, value_of: impl Fn(&str) -> Integer) -> Integer {
        let sum = self
            .factors
            .iter()
            .fold(self.constant.clone(), |sum, (name, factor)| sum + value_of(name) * factor);
        (Rational::new(sum, self.divisor.clone()).floor().to_integer() + Integer::one()).max(Integer::zero())
    }
}

impl std::fmt::Display for Most {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The one that is added to the quotient becomes part of the dividend.
        let constant = &self.constant + &self.divisor;
        if self.factors.is_empty() {
            return write!(f, "{}", self.value(|_| Integer::zero()));
        }
        let mut sum = String::new();
        for (name, factor) in &self.factors {
            let sign = match (sum.is_empty(), factor.is_negative()) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let size = factor.abs();
            let factor = if size.is_one() { String::new() } else { format!("{size} * ") };
            write!(sum, "{sign}{factor}{name}")?;
        }
        if !constant.is_zero() {
            let sign = if constant.is_negative() { "-" } else { "+" };
            write!(sum, " {sign} {}", constant.abs())?;
        }
        if self.divisor.is_one() {
            write!(f, "max(0, {sum})")
        } else {
            write!(f, "max(0, ({sum}) / {})", self.divisor)
        }
    }
}

/// The bounds about a program, whose locations `place` finds in the program with blocks.
pub(crate) fn rounds(
    bounds: &[LoopBound],
    blocks: &BlockProgram,
    place: impl Fn(Location) -> Option<Location>,
    terms: &mut Terms,
) -> Vec<Rounds> {
    let mut found = Vec::new();
    for bound in bounds {
        let Some(head) = place(bound.head) else { continue };
        let program = &blocks.program;
        let Some(at_entry) = Most::new(bound.measure, bound, program, terms) else { continue };
        let span = program.locations[head].span;
        let entered: Option<Vec<Location>> = bound.entered_from.iter().map(|&from| place(from)).collect();
        let at_beginning = entered.and_then(|entered| match entered[..] {
            [] => Some(at_entry.clone()),
            [from] if program.initial.contains(&from) && !program.initial.contains(&head) => {
                let measure = at_the_beginning(program, from, head, bound.measure, terms)?;
                Most::new(measure, bound, program, terms)
            }
            _ => None,
        });
        let rounds = Rounds { span, at_entry, at_beginning };
        if !found.contains(&rounds) {
            found.push(rounds);
        }
    }
    found.sort_by_key(|rounds| rounds.span);
    found
}

/// A number at the end of a block, as one at its beginning.
fn at_the_beginning(
    program: &Program,
    from: Location,
    to: Location,
    measure: Term,
    terms: &mut Terms,
) -> Option<Term> {
    let mut between = program.outgoing[from].iter().filter(|&&edge| program.edges[edge].target == to);
    let (Some(&edge), None) = (between.next(), between.next()) else { return None };
    match &program.edges[edge].kind {
        EdgeKind::Internal(relation) => Some(relation.substitution(&program.variables).apply(terms, measure)),
        EdgeKind::Call(_) | EdgeKind::Return(_) => None,
    }
}

/// The bounds as text.
pub(super) fn text(view: &View, rounds: &[Rounds]) -> String {
    let mut out = String::new();
    for Rounds { span, at_entry, at_beginning } in rounds {
        let place = view.sources.place(*span);
        let _ = match at_beginning {
            Some(most) => writeln!(out, "{place}: at most {most} rounds, for the values at the beginning"),
            None => writeln!(out, "{place}: at most {at_entry} rounds, for the values when it is entered"),
        };
    }
    out
}

/// The bounds for machines.
pub(super) fn json(view: &View, rounds: &[Rounds]) -> Value {
    let rounds = rounds.iter().map(|Rounds { span, at_entry, at_beginning }| {
        let at = view.sources.line_column(*span);
        json!({
            "line": at.line, "column": at.column, "at_entry": at_entry.to_string(),
            "at_beginning": at_beginning.as_ref().map(Most::to_string),
        })
    });
    rounds.collect()
}
