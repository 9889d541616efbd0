//! From a model of Z3 to a [`Model`].
//!
//! Symbols and functions that Z3 invented are left out. What Z3 does not mention has any value.

use super::context::{Context, Z3Error, text};
use super::{Z3, numbers};
use crate::cases::Cases;
use logic::evaluate::{ZeroDivision, evaluate};
use logic::model::FunctionTable;
use logic::value::ArrayValue;
use logic::{Model, Sort, SortData, Symbol, Term, Terms, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use z3_sys::*;

/// Reads one model. It holds a count of the model until it is dropped.
pub(super) struct ModelReader<'a> {
    z3: &'a Z3,
    raw: Z3_model,
    /// The elements of uninterpreted sorts that were met, by the constants that Z3 names them with.
    elements: FxHashMap<Z3_func_decl, u64>,
}

// SAFETY, for all calls below: context and model are alive, and everything that is read out of the model is part of it and lives
// as long; indices are in range.
impl<'a> ModelReader<'a> {
    /// Takes over a model whose count was raised.
    pub(super) fn new(z3: &'a Z3, raw: Z3_model) -> ModelReader<'a> {
        ModelReader { z3, raw, elements: FxHashMap::default() }
    }

    fn context(&self) -> &Rc<Context> {
        &self.z3.context
    }

    pub(super) fn read(mut self, terms: &mut Terms) -> Result<Model, Z3Error> {
        let c = self.context().raw();
        let mut model = Model::new();
        for i in 0..unsafe { Z3_model_get_num_consts(c, self.raw) } {
            let declaration = self.context().checked(unsafe { Z3_model_get_const_decl(c, self.raw, i) })?;
            let known = self.z3.encoder.borrow().symbol_of.get(&declaration).copied();
            if let Some(symbol) = known
                && let Some(value) = unsafe { Z3_model_get_const_interp(c, self.raw, declaration) }
            {
                let value = self.value(terms, value)?;
                model.set(symbol, value);
            }
        }
        for i in 0..unsafe { Z3_model_get_num_funcs(c, self.raw) } {
            let declaration = self.context().checked(unsafe { Z3_model_get_func_decl(c, self.raw, i) })?;
            let known = self.z3.encoder.borrow().function_of.get(&declaration).copied();
            if let Some(function) = known {
                let parameters = terms.function_data(function).parameters.clone();
                let table = self.table(terms, declaration, &parameters)?;
                model.set_function(function, table);
            } else if let Some((operator, sort)) = self.zero_division(declaration)? {
                let table = self.table(terms, declaration, &[sort, sort])?;
                model.set_zero_division(operator, without_divisor(table));
            }
        }
        Ok(model)
    }

    /// Z3 has the quotient by zero as a function of dividend and divisor.
    fn zero_division(&self, declaration: Z3_func_decl) -> Result<Option<(ZeroDivision, Sort)>, Z3Error> {
        let c = self.context().raw();
        if unsafe { Z3_get_decl_kind(c, declaration) } != DeclKind::Internal {
            return Ok(None);
        }
        let name = self.context().checked(unsafe { Z3_get_decl_name(c, declaration) })?;
        let name = unsafe { text(Z3_get_symbol_string(c, name)) };
        Ok(match name.as_str() {
            "div0" => Some((ZeroDivision::Div, Sort::INT)),
            "mod0" => Some((ZeroDivision::Mod, Sort::INT)),
            "/0" => Some((ZeroDivision::Divide, Sort::REAL)),
            _ => None,
        })
    }

    /// The interpretation of a function.
    fn table(
        &mut self,
        terms: &mut Terms,
        declaration: Z3_func_decl,
        parameters: &[Sort],
    ) -> Result<FunctionTable, Z3Error> {
        let c = self.context().raw();
        let context = Rc::clone(self.context());
        let interpretation =
            context.checked(unsafe { Z3_model_get_func_interp(c, self.raw, declaration) })?;
        unsafe { Z3_func_interp_inc_ref(c, interpretation) }
        let table = self.entries(terms, interpretation, parameters);
        unsafe { Z3_func_interp_dec_ref(c, interpretation) }
        table
    }

    fn entries(
        &mut self,
        terms: &mut Terms,
        interpretation: Z3_func_interp,
        parameters: &[Sort],
    ) -> Result<FunctionTable, Z3Error> {
        let c = self.context().raw();
        let context = Rc::clone(self.context());
        let otherwise = context.checked(unsafe { Z3_func_interp_get_else(c, interpretation) })?;
        let mut table = self.default(terms, otherwise, parameters)?;
        for i in 0..unsafe { Z3_func_interp_get_num_entries(c, interpretation) } {
            let entry = context.checked(unsafe { Z3_func_interp_get_entry(c, interpretation, i) })?;
            unsafe { Z3_func_entry_inc_ref(c, entry) }
            let read = self.entry(terms, entry);
            unsafe { Z3_func_entry_dec_ref(c, entry) }
            let (arguments, value) = read?;
            if value == table.default {
                table.entries.remove(&arguments);
            } else {
                table.entries.insert(arguments, value);
            }
        }
        Ok(table)
    }

    fn entry(&mut self, terms: &mut Terms, entry: Z3_func_entry) -> Result<(Vec<Value>, Value), Z3Error> {
        let c = self.context().raw();
        let context = Rc::clone(self.context());
        let mut arguments = Vec::new();
        for j in 0..unsafe { Z3_func_entry_get_num_args(c, entry) } {
            let argument = context.checked(unsafe { Z3_func_entry_get_arg(c, entry, j) })?;
            arguments.push(self.value(terms, argument)?);
        }
        let value = context.checked(unsafe { Z3_func_entry_get_value(c, entry) })?;
        Ok((arguments, self.value(terms, value)?))
    }

    /// The value of a function where no entry fits: mostly a value, sometimes a term over the parameters.
    fn default(
        &mut self,
        terms: &mut Terms,
        otherwise: Z3_ast,
        parameters: &[Sort],
    ) -> Result<FunctionTable, Z3Error> {
        if let Ok(default) = self.value(terms, otherwise) {
            return Ok(FunctionTable { entries: BTreeMap::new(), default });
        }
        let parameters: Vec<Symbol> =
            parameters.iter().map(|&sort| terms.fresh_symbol("parameter", sort)).collect();
        // Z3 counts the parameters of an interpretation from the first, bound variables from the last.
        let free: Vec<Term> = parameters.iter().rev().map(|&symbol| terms.constant(symbol)).collect();
        let body = self.z3.decode(terms, otherwise, &free)?;
        let table = Cases::of(terms, &parameters, body).and_then(|cases| cases.table(terms, &Model::new()));
        table.ok_or_else(|| Z3Error("a function with infinitely many values in a model".to_owned()))
    }

    /// The value that a term of the model denotes.
    fn value(&mut self, terms: &mut Terms, ast: Z3_ast) -> Result<Value, Z3Error> {
        let c = self.context().raw();
        let context = Rc::clone(self.context());
        let raw_sort = context.checked(unsafe { Z3_get_sort(c, ast) })?;
        let sort = self.z3.encoder.borrow_mut().decode_sort(terms, raw_sort)?;
        match unsafe { Z3_get_ast_kind(c, ast) } {
            AstKind::Numeral => {
                let number = numbers::of_numeral(&context, ast)?;
                return Ok(match *terms.sort_data(sort) {
                    SortData::Int => Value::Int(number.to_integer()),
                    SortData::BitVec(width) => Value::BitVec(width, number.to_integer()),
                    _ => Value::Real(number),
                });
            }
            AstKind::App => {}
            _ => return self.computed(terms, ast),
        }
        let application = context.checked(unsafe { Z3_to_app(c, ast) })?;
        let declaration = context.checked(unsafe { Z3_get_app_decl(c, application) })?;
        let kind = unsafe { Z3_get_decl_kind(c, declaration) };
        Ok(match (kind, terms.sort_data(sort)) {
            (DeclKind::True, _) => Value::Bool(true),
            (DeclKind::False, _) => Value::Bool(false),
            (DeclKind::Agnum, _) => return Err(Z3Error("an irrational number in a model".to_owned())),
            (DeclKind::Uninterpreted, SortData::Uninterpreted(_)) => {
                let next = self.elements.len() as u64;
                Value::Element(sort, *self.elements.entry(declaration).or_insert(next))
            }
            (DeclKind::Store | DeclKind::ConstArray, &SortData::Array { index, .. }) => {
                Value::Array(Arc::new(self.array(terms, ast, index)?))
            }
            (DeclKind::AsArray, &SortData::Array { index, .. }) => {
                let function = context.checked(unsafe { Z3_get_as_array_func_decl(c, ast) })?;
                let table = self.table(terms, function, &[index])?;
                let mut array = ArrayValue::constant(terms, index, table.default);
                for (arguments, value) in table.entries {
                    let [argument] = <[Value; 1]>::try_from(arguments)
                        .map_err(|_| Z3Error("an array with several indices in a model".to_owned()))?;
                    array.set(argument, value);
                }
                Value::Array(Arc::new(array))
            }
            _ => return self.computed(terms, ast),
        })
    }

    /// A chain of writes. Its length is not bounded, so it is walked in a loop; the elements of nested arrays are as
    /// deep as their sort.
    fn array(&mut self, terms: &mut Terms, ast: Z3_ast, index: Sort) -> Result<ArrayValue, Z3Error> {
        let c = self.context().raw();
        let context = Rc::clone(self.context());
        let mut writes = Vec::new();
        let mut base = ast;
        let mut array = loop {
            let application = context.checked(unsafe { Z3_to_app(c, base) });
            let kind = application.clone().and_then(|application| {
                let declaration = context.checked(unsafe { Z3_get_app_decl(c, application) })?;
                Ok((application, unsafe { Z3_get_decl_kind(c, declaration) }))
            });
            let argument = |application, i| context.checked(unsafe { Z3_get_app_arg(c, application, i) });
            match kind {
                Ok((application, DeclKind::Store)) => {
                    let (at, element) = (argument(application, 1)?, argument(application, 2)?);
                    writes.push((self.value(terms, at)?, self.value(terms, element)?));
                    base = argument(application, 0)?;
                }
                Ok((application, DeclKind::ConstArray)) => {
                    let element = self.value(terms, argument(application, 0)?)?;
                    break ArrayValue::constant(terms, index, element);
                }
                _ => match self.value(terms, base)? {
                    Value::Array(array) => break ArrayValue::clone(&array),
                    other => return Err(Z3Error(format!("{other:?} in place of an array in a model"))),
                },
            }
        };
        for (at, element) in writes.into_iter().rev() {
            array.set(at, element);
        }
        Ok(array)
    }

    /// The value of a term that is no plain value, such as an array that is given by a function of its index.
    fn computed(&mut self, terms: &mut Terms, ast: Z3_ast) -> Result<Value, Z3Error> {
        let term = self.z3.decode(terms, ast, &[])?;
        if !terms.free_symbols(term).is_empty() || !terms.functions_of(term).is_empty() {
            return Err(Z3Error("a value that is not closed in a model".to_owned()));
        }
        let value = evaluate(terms, &Model::new(), term);
        value.map_err(|_| Z3Error("a quantified value in a model".to_owned()))
    }
}

impl Drop for ModelReader<'_> {
    fn drop(&mut self) {
        // SAFETY: the count was raised for us.
        unsafe { Z3_model_dec_ref(self.context().raw(), self.raw) }
    }
}

/// The quotients by zero as a function of the dividend alone.
fn without_divisor(table: FunctionTable) -> FunctionTable {
    let by_zero = |arguments: &Vec<Value>| match &arguments[1] {
        Value::Int(divisor) => *divisor == 0.into(),
        Value::Real(divisor) => *divisor.numer() == 0.into(),
        _ => false,
    };
    let entries = table.entries.into_iter().filter(|(arguments, _)| by_zero(arguments));
    let entries = entries.map(|(arguments, value)| (vec![arguments[0].clone()], value)).collect();
    FunctionTable { entries, default: table.default }
}
