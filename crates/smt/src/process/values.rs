//! The model of a process, by `get-value`.
//!
//! Solvers describe functions and quotients by zero in many ways. So they are not asked for functions but for the
//! values of the *terms* in which a function is applied, or something divided, in the asserted formulas: these
//! entries are all that the formulas are about. Only terms over bound variables are left out.

use logic::evaluate::ZeroDivision;
use logic::model::FunctionTable;
use logic::smtlib::print;
use logic::smtlib::value::{Elements, get_value_answer};
use logic::{Function, Model, Op, Sort, Term, Terms, Value};
use num_traits::Zero;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The terms whose values make up a model.
pub(super) struct Wanted {
    terms: Vec<Term>,
}

impl Wanted {
    /// What is to be known of these formulas.
    pub(super) fn of(terms: &Terms, formulas: &[Term]) -> Wanted {
        let mut parts = Vec::new();
        terms.for_each_subterm(formulas, |part| parts.push(part));
        // Arguments have smaller ids than what they are arguments of.
        parts.sort_unstable();
        // To how many of the bound variables around it a part may refer, if to any.
        let mut open: FxHashMap<Term, u32> = FxHashMap::default();
        let mut wanted = Vec::new();
        for part in parts {
            let op = terms.op(part);
            let arguments = terms.args(part);
            let inside =
                arguments.iter().filter_map(|argument| open.get(argument)).copied().max().unwrap_or(0);
            let binders = match op {
                Op::Bound(index) => index + 1,
                Op::Quantified(_, binder) => inside.saturating_sub(terms.bound_sorts(binder).len() as u32),
                _ => inside,
            };
            if binders > 0 {
                open.insert(part, binders);
                continue;
            }
            if matches!(op, Op::Symbol(_) | Op::Apply(_) | Op::Div | Op::Mod | Op::Divide) {
                wanted.extend_from_slice(arguments);
                wanted.push(part);
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        Wanted { terms: wanted }
    }

    pub(super) fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The command that asks for the values.
    pub(super) fn command(&self, terms: &Terms) -> String {
        let texts: Vec<String> = self.terms.iter().map(|&term| print::term(terms, term)).collect();
        format!("(get-value ({}))", texts.join(" "))
    }

    /// The model that a reply describes.
    pub(super) fn model(&self, terms: &Terms, reply: &str) -> Result<Model, String> {
        let sorts: Vec<Sort> = self.terms.iter().map(|&term| terms.sort_of(term)).collect();
        let values = get_value_answer(terms, &mut Elements::new(), &sorts, reply);
        let values = values.map_err(|error| format!("a value that cannot be read, {error}"))?;
        let value_of: FxHashMap<Term, &Value> = self.terms.iter().copied().zip(&values).collect();
        let arguments =
            |term| -> Vec<Value> { terms.args(term).iter().map(|a| value_of[a].clone()).collect() };
        let mut model = Model::new();
        let mut functions: BTreeMap<Function, Entries> = BTreeMap::new();
        let mut quotients = [
            (Op::Div, ZeroDivision::Div, Entries::new()),
            (Op::Mod, ZeroDivision::Mod, Entries::new()),
            (Op::Divide, ZeroDivision::Divide, Entries::new()),
        ];
        for (&term, value) in self.terms.iter().zip(&values) {
            let value = value.clone();
            match terms.op(term) {
                Op::Symbol(symbol) => model.set(symbol, value),
                Op::Apply(function) => {
                    functions.entry(function).or_default().insert(arguments(term), value);
                }
                op => {
                    if let Some((.., entries)) = quotients.iter_mut().find(|(operator, ..)| *operator == op) {
                        let mut both = arguments(term);
                        if both.pop().is_some_and(|divisor| is_zero(&divisor)) {
                            entries.insert(both, value);
                        }
                    }
                }
            }
        }
        for (function, entries) in functions {
            let default = Value::default_of(terms, terms.function_data(function).result);
            model.set_function(function, FunctionTable { entries, default });
        }
        for (_, operator, entries) in quotients {
            let sort = if operator == ZeroDivision::Divide { Sort::REAL } else { Sort::INT };
            if !entries.is_empty() {
                let default = Value::default_of(terms, sort);
                model.set_zero_division(operator, FunctionTable { entries, default });
            }
        }
        Ok(model)
    }
}

type Entries = BTreeMap<Vec<Value>, Value>;

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Int(number) => number.is_zero(),
        Value::Real(number) => number.is_zero(),
        _ => false,
    }
}
