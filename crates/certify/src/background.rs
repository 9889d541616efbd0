//! What a run cannot check: axioms and formulas that speak of infinitely many values.
//!
//! A run is an execution of the program if there are functions that satisfy all axioms and definitions, and have the
//! values that the run has used. The run tells what it has used: constants, values of functions, quotients by zero, and
//! the truth of quantified formulas. [`Background::is_consistent`] asks a solver for a model of the axioms together
//! with all of that. Only a model counts; if the solver does not know, neither do we.
//!
//! Elements of uninterpreted types stand for different values.

use crate::values::{self, Element};
use base::Budget;
use ir::interpreter::{Mentioned, Value};
use ir::{Expr, ExprData, Program, Type, VariableKind};
use logic::{Sort, Substitution, Symbol, Term, Terms};
use program::expressions::Translator;
use smt::{Answer, Solver, Solvers};
use std::collections::{BTreeMap, BTreeSet};

/// How much work a question about quantified formulas may be.
const RLIMIT: u32 = 8_000_000;

/// How many values of functions are kept. A run that uses more is long, and a question about them hopeless.
const MOST_VALUES: usize = 20_000;

/// Something that is left open by programs, applied to arguments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Applied {
    Function(ir::Function),
    DivZero,
    ModZero,
    RealDivZero,
}

/// What a run has used.
pub(crate) struct Background<'a> {
    source: &'a Program,
    budget: &'a Budget,
    used: BTreeMap<(Applied, Vec<Value>), Value>,
    constants: BTreeMap<ir::Variable, Value>,
    /// Closed formulas with their truth values.
    decided: Vec<(Term, bool)>,
    translator: Option<Translator<'a>>,
    axioms: Option<Vec<Term>>,
    /// The elements in the formulas that were decided.
    elements: BTreeSet<Element>,
    overflow: bool,
}

impl<'a> Background<'a> {
    pub(crate) fn new(source: &'a Program, budget: &'a Budget) -> Background<'a> {
        Background {
            source,
            budget,
            used: BTreeMap::new(),
            constants: BTreeMap::new(),
            decided: Vec::new(),
            translator: None,
            axioms: None,
            elements: BTreeSet::new(),
            overflow: false,
        }
    }

    /// Notes the value of a constant.
    pub(crate) fn constant(&mut self, variable: ir::Variable, value: &Value) {
        if matches!(self.source.variables[variable].kind, VariableKind::Constant { .. }) {
            self.constants.insert(variable, value.clone());
        }
    }

    /// Notes what something has at some arguments.
    pub(crate) fn applied(&mut self, applied: Applied, arguments: &[Value], value: &Value) {
        if self.used.len() < MOST_VALUES {
            self.used.insert((applied, arguments.to_vec()), value.clone());
        } else {
            self.overflow = true;
        }
    }

    /// Whether formulas were decided by [`decide`](Background::decide).
    pub(crate) fn has_decided(&self) -> bool {
        !self.decided.is_empty()
    }

    /// The truth of a formula under the values that it mentions. If what is known so far leaves it open, because it
    /// speaks of functions, it is `wanted`; that counts only if all is consistent in the end.
    pub(crate) fn decide(
        &mut self,
        terms: &mut Terms,
        formula: Expr,
        value: &dyn Fn(Mentioned) -> Option<Value>,
        wanted: bool,
    ) -> Option<bool> {
        let mut elements = BTreeSet::new();
        let closed = self.closed(terms, formula, value, &mut elements)?;
        self.elements.extend(elements);
        if closed.is_true() || closed.is_false() {
            return Some(closed.is_true());
        }
        let opposite = terms.not(closed);
        let (unwanted, expected) = if wanted { (opposite, closed) } else { (closed, opposite) };
        let truth = match self.ask(terms, unwanted)? {
            Answer::Unsat => wanted,
            _ => match self.ask(terms, expected)? {
                Answer::Unsat => !wanted,
                _ => wanted,
            },
        };
        self.decided.push((closed, truth));
        Some(truth)
    }

    /// Whether there is a model of the axioms in which everything has the values that the run has used.
    pub(crate) fn is_consistent(&mut self, terms: &mut Terms) -> bool {
        !self.overflow && self.ask(terms, Term::TRUE) == Some(Answer::Sat)
    }

    /// Whether a formula is possible with all that is known.
    fn ask(&mut self, terms: &mut Terms, formula: Term) -> Option<Answer> {
        let facts = self.facts(terms)?;
        if self.axioms.is_none() {
            self.axioms = Some(self.translator(terms)?.background(terms).ok()?);
        }
        let axioms = self.axioms.as_ref()?;
        let mut solver = Solvers::new(self.budget).session();
        solver.set_rlimit(Some(RLIMIT));
        for &fact in axioms.iter().chain(&facts).chain([&formula]) {
            solver.assert(terms, fact);
        }
        Some(solver.check(terms))
    }

    /// All that is known besides the axioms, as formulas.
    fn facts(&mut self, terms: &mut Terms) -> Option<Vec<Term>> {
        let mut elements = BTreeSet::new();
        let mut facts = Vec::new();
        self.translator(terms)?;
        let constants: Vec<(ir::Variable, Value)> =
            self.constants.iter().map(|(&variable, value)| (variable, value.clone())).collect();
        for (variable, value) in constants {
            let data = &self.source.variables[variable];
            let value = self.value(terms, data.ty, &value, &mut elements)?;
            let symbol = self.translator(terms)?.symbol(variable);
            let constant = terms.constant(symbol);
            facts.push(terms.eq(constant, value));
        }
        let used: Vec<((Applied, Vec<Value>), Value)> =
            self.used.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        for ((applied, arguments), value) in used {
            facts.push(self.application(terms, applied, &arguments, &value, &mut elements)?);
        }
        facts.extend(self.decided.iter().map(|&(formula, truth)| match truth {
            true => formula,
            false => terms.not(formula),
        }));
        elements.extend(self.elements.iter().copied());
        facts.extend(values::different(terms, &elements));
        Some(facts)
    }

    fn application(
        &mut self,
        terms: &mut Terms,
        applied: Applied,
        arguments: &[Value],
        value: &Value,
        elements: &mut BTreeSet<Element>,
    ) -> Option<Term> {
        let Applied::Function(function) = applied else {
            let ty = if applied == Applied::RealDivZero { Type::REAL } else { Type::INT };
            let dividend = self.value(terms, ty, arguments.first()?, elements)?;
            let value = self.value(terms, ty, value, elements)?;
            let zero = terms.numeral(logic::Rational::from_integer(0.into()), terms.sort_of(dividend));
            let quotient = match applied {
                Applied::DivZero => terms.div(dividend, zero),
                Applied::ModZero => terms.modulo(dividend, zero),
                _ => terms.divide(dividend, zero),
            };
            return Some(terms.eq(quotient, value));
        };
        let data = &self.source.functions[function];
        let mut values = Vec::with_capacity(arguments.len());
        for (argument, &parameter) in arguments.iter().zip(&data.parameters) {
            let ty = self.source.variables[parameter].ty;
            values.push(self.value(terms, ty, argument, elements)?);
        }
        let value = self.value(terms, data.result, value, elements)?;
        let symbol = match values.is_empty() {
            true => {
                let symbol = terms.symbol(&format!("{}()", data.name), terms.sort_of(value));
                terms.constant(symbol)
            }
            false => {
                let sorts: Vec<Sort> = values.iter().map(|&value| terms.sort_of(value)).collect();
                let symbol = terms.function(&data.name, &sorts, terms.sort_of(value));
                terms.apply(symbol, &values)
            }
        };
        Some(terms.eq(symbol, value))
    }

    fn translator(&mut self, terms: &mut Terms) -> Option<&mut Translator<'a>> {
        if self.translator.is_none() {
            self.translator = Some(Translator::new(self.source, terms).ok()?);
        }
        self.translator.as_mut()
    }

    fn value(
        &mut self,
        terms: &mut Terms,
        ty: Type,
        value: &Value,
        elements: &mut BTreeSet<Element>,
    ) -> Option<Term> {
        let sort = self.translator(terms)?.sort(terms, ty);
        values::to_term((self.source, terms), (ty, sort), value, elements)
    }

    /// A formula with values for all that it mentions and does not bind.
    fn closed(
        &mut self,
        terms: &mut Terms,
        formula: Expr,
        value: &dyn Fn(Mentioned) -> Option<Value>,
        elements: &mut BTreeSet<Element>,
    ) -> Option<Term> {
        let parts = self.source.expressions.post_order([formula]);
        let mut bound = BTreeSet::new();
        let mut mentioned = Vec::new();
        for part in parts {
            match &self.source.expressions[part] {
                ExprData::Quantified(quantifier) => bound.extend(quantifier.bound.iter().copied()),
                ExprData::Variable(variable) => mentioned.push(Mentioned::Now(*variable)),
                ExprData::Old(variable) => mentioned.push(Mentioned::Old(*variable)),
                _ => {}
            }
        }
        let mut substitution = Substitution::default();
        let term = self.translator(terms)?.term(terms, formula).ok()?;
        // Definitions that were inlined may mention constants too.
        let constants = self.source.constants.iter().map(|&constant| Mentioned::Now(constant));
        for mentioned in mentioned.into_iter().chain(constants) {
            let variable = match mentioned {
                Mentioned::Now(variable) | Mentioned::Old(variable) => variable,
            };
            if mentioned == Mentioned::Now(variable) && bound.contains(&variable) {
                continue;
            }
            let value =
                self.value(terms, self.source.variables[variable].ty, &value(mentioned)?, elements)?;
            let translator = self.translator(terms)?;
            let symbol: Symbol = match mentioned {
                Mentioned::Now(variable) => translator.symbol(variable),
                Mentioned::Old(variable) => translator.old_symbol(variable)?,
            };
            substitution.insert(symbol, value);
        }
        Some(substitution.apply(terms, term))
    }
}
