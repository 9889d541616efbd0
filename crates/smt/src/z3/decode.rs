//! From Z3's terms back to terms.
//!
//! Needed for what Z3 computes: the relations that Spacer finds. Handles all
//! operators of the theories of [`logic`]; what has no counterpart there (floats, strings, symbols
//! that Z3 invented) is an error that names it. The walk does not recurse on the host's stack.

use super::context::{Z3Error, text};
use super::encode::Encoder;
use super::operators::{self, Operator};
use super::{Context, numbers};
use crate::cases::Cases;
use logic::{Quantifier, Sort, SortData, Substitution, Symbol, Term, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use z3_sys::*;

/// What remains to be done, last first.
enum Step {
    /// Translate a term.
    Visit(Z3_ast),
    /// Combine its translated arguments.
    Build(Z3_ast),
    /// Bind the symbols of the innermost scope in its translated body.
    Close(Z3_ast),
}

/// The inside of a binder. Terms mean something only relative to it, so each has its own table.
struct Scope {
    done: FxHashMap<Z3_ast, Term>,
    variables: Vec<Symbol>,
}

/// Translates terms of one context back.
pub(super) struct Decoder<'a> {
    context: Rc<Context>,
    encoder: &'a mut Encoder,
    terms: &'a mut Terms,
    /// What the free variables of Z3 (those bound by nothing inside of the term) stand for; the last is number 0.
    free: &'a [Term],
    scopes: Vec<Scope>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(
        context: &Rc<Context>,
        encoder: &'a mut Encoder,
        terms: &'a mut Terms,
        free: &'a [Term],
    ) -> Decoder<'a> {
        Decoder { context: Rc::clone(context), encoder, terms, free, scopes: Vec::new() }
    }

    /// The translation of a term, which the caller keeps alive.
    pub(super) fn decode(mut self, root: Z3_ast) -> Result<Term, Z3Error> {
        self.scopes.push(Scope { done: FxHashMap::default(), variables: Vec::new() });
        let mut steps = vec![Step::Visit(root)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(ast) => {
                    if !self.scope().done.contains_key(&ast) {
                        self.visit(ast, &mut steps)?;
                    }
                }
                Step::Build(ast) => {
                    let term = self.build(ast)?;
                    self.scope().done.insert(ast, term);
                }
                Step::Close(ast) => self.close(ast)?,
            }
        }
        Ok(self.scope().done[&root])
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the outermost scope is never closed")
    }

    fn visit(&mut self, ast: Z3_ast, steps: &mut Vec<Step>) -> Result<(), Z3Error> {
        let c = self.context.raw();
        // SAFETY: the term is alive, being part of one that the caller keeps.
        let kind = unsafe { Z3_get_ast_kind(c, ast) };
        match kind {
            AstKind::Numeral => {
                let term = self.numeral(ast)?;
                self.scope().done.insert(ast, term);
            }
            AstKind::Var => {
                let term = self.variable(ast)?;
                self.scope().done.insert(ast, term);
            }
            AstKind::App => {
                steps.push(Step::Build(ast));
                steps.extend(self.arguments(ast)?.into_iter().map(Step::Visit));
            }
            AstKind::Quantifier => {
                let variables = self.bound_variables(ast)?;
                self.scopes.push(Scope { done: FxHashMap::default(), variables });
                steps.push(Step::Close(ast));
                // SAFETY: it is a quantifier, and alive.
                let body = self.context.checked(unsafe { Z3_get_quantifier_body(c, ast) })?;
                steps.push(Step::Visit(body));
                steps.extend(self.patterns(ast)?.into_iter().flatten().map(Step::Visit));
            }
            AstKind::Sort | AstKind::FuncDecl | AstKind::Unknown => return Err(self.unsupported(ast)),
        }
        Ok(())
    }

    fn numeral(&mut self, ast: Z3_ast) -> Result<Term, Z3Error> {
        let sort = self.sort_of(ast)?;
        let value = numbers::of_numeral(&self.context, ast)?;
        Ok(match *self.terms.sort_data(sort) {
            SortData::BitVec(width) => self.terms.bitvec(value.to_integer(), width),
            _ => self.terms.numeral(value, sort),
        })
    }

    /// A variable of Z3: its index counts binders from the inside, and goes on with the free ones.
    fn variable(&mut self, ast: Z3_ast) -> Result<Term, Z3Error> {
        // SAFETY: it is a variable, and alive.
        let mut index = unsafe { Z3_get_index_value(self.context.raw(), ast) } as usize;
        for scope in self.scopes.iter().rev() {
            let count = scope.variables.len();
            if index < count {
                return Ok(self.terms.constant(scope.variables[count - 1 - index]));
            }
            index -= count;
        }
        let free = self.free.len().checked_sub(index + 1).map(|position| self.free[position]);
        free.ok_or_else(|| Z3Error("a variable without a binder".to_owned()))
    }

    fn bound_variables(&mut self, ast: Z3_ast) -> Result<Vec<Symbol>, Z3Error> {
        let c = self.context.raw();
        // SAFETY: it is a quantifier, and alive.
        let count = unsafe { Z3_get_quantifier_num_bound(c, ast) };
        let mut variables = Vec::with_capacity(count as usize);
        for i in 0..count {
            // SAFETY: as above, and the index is in range.
            let sort = self.context.checked(unsafe { Z3_get_quantifier_bound_sort(c, ast, i) })?;
            let sort = self.sort(sort)?;
            variables.push(self.terms.fresh_symbol("bound", sort));
        }
        Ok(variables)
    }

    fn patterns(&self, ast: Z3_ast) -> Result<Vec<Vec<Z3_ast>>, Z3Error> {
        let c = self.context.raw();
        let mut triggers = Vec::new();
        // SAFETY: it is a quantifier, and alive; so are its parts, and the indices are in range.
        unsafe {
            for i in 0..Z3_get_quantifier_num_patterns(c, ast) {
                let pattern = self.context.checked(Z3_get_quantifier_pattern_ast(c, ast, i))?;
                let parts = (0..Z3_get_pattern_num_terms(c, pattern))
                    .map(|j| self.context.checked(Z3_get_pattern(c, pattern, j)));
                triggers.push(parts.collect::<Result<_, _>>()?);
            }
        }
        Ok(triggers)
    }

    fn close(&mut self, ast: Z3_ast) -> Result<(), Z3Error> {
        let scope = self.scopes.pop().expect("a quantifier has opened it");
        let c = self.context.raw();
        // SAFETY: it is a quantifier, and alive.
        let (body, forall, exists) = unsafe {
            let body = self.context.checked(Z3_get_quantifier_body(c, ast))?;
            (scope.done[&body], Z3_is_quantifier_forall(c, ast), Z3_is_quantifier_exists(c, ast))
        };
        let term = if forall || exists {
            let triggers = self.patterns(ast)?;
            let triggers: Vec<Vec<Term>> = triggers
                .iter()
                .map(|trigger| trigger.iter().map(|part| scope.done[part]).collect())
                .collect();
            let quantifier = if forall { Quantifier::Forall } else { Quantifier::Exists };
            self.terms.quantify(quantifier, &scope.variables, body, &triggers)
        } else {
            self.lambda(ast, &scope.variables, body)?
        };
        self.scope().done.insert(ast, term);
        Ok(())
    }

    /// An array given by a function of its index: a chain of writes if there are few indices, or if the function is a
    /// case distinction.
    fn lambda(&mut self, ast: Z3_ast, variables: &[Symbol], body: Term) -> Result<Term, Z3Error> {
        let sort = self.sort_of(ast)?;
        let &[variable] = variables else { return Err(self.unsupported(ast)) };
        let literals = few_values(self.terms, self.terms.symbol_data(variable).sort);
        let (writes, otherwise) = if let Some(literals) = literals {
            let mut writes = Vec::with_capacity(literals.len());
            for literal in literals {
                let mut substitution: Substitution = [(variable, literal)].into_iter().collect();
                writes.push((literal, substitution.apply(self.terms, body)));
            }
            let otherwise = writes[0].1;
            (writes, otherwise)
        } else {
            let cases = Cases::of(self.terms, variables, body).ok_or_else(|| self.unsupported(ast))?;
            let writes = cases.cases.into_iter().map(|(arguments, value)| (arguments[0], value)).collect();
            (writes, cases.otherwise)
        };
        let array = self.terms.const_array(sort, otherwise);
        // The first case that fits wins, so it is written last.
        let terms = &mut *self.terms;
        Ok(writes.into_iter().rev().fold(array, |array, (index, value)| terms.store(array, index, value)))
    }

    /// Combines the translated arguments of an application.
    fn build(&mut self, ast: Z3_ast) -> Result<Term, Z3Error> {
        let children = self.arguments(ast)?;
        let arguments: Vec<Term> = children.iter().map(|child| self.scope().done[child]).collect();
        let c = self.context.raw();
        // SAFETY: it is an application, and alive, and so is its declaration.
        let (declaration, kind) = unsafe {
            let application = self.context.checked(Z3_to_app(c, ast))?;
            let declaration = self.context.checked(Z3_get_app_decl(c, application))?;
            (declaration, Z3_get_decl_kind(c, declaration))
        };
        if let Some(&symbol) = self.encoder.symbol_of.get(&declaration) {
            return Ok(self.terms.constant(symbol));
        }
        if let Some(&function) = self.encoder.function_of.get(&declaration) {
            return Ok(self.terms.apply(function, &arguments));
        }
        let parameters = self.parameters(declaration);
        let sort = self.sort_of(ast)?;
        let operator = Operator { kind, parameters: &parameters, sort };
        operators::build(self.terms, operator, &arguments).ok_or_else(|| self.unsupported(ast))
    }

    /// The integer parameters of a declaration, such as the bounds of an extraction.
    fn parameters(&self, declaration: Z3_func_decl) -> Vec<u32> {
        let c = self.context.raw();
        // SAFETY: the declaration is alive, and the indices are in range.
        unsafe {
            (0..Z3_get_decl_num_parameters(c, declaration))
                .filter(|&i| Z3_get_decl_parameter_kind(c, declaration, i) == ParameterKind::Int)
                .filter_map(|i| u32::try_from(Z3_get_decl_int_parameter(c, declaration, i)).ok())
                .collect()
        }
    }

    fn arguments(&self, ast: Z3_ast) -> Result<Vec<Z3_ast>, Z3Error> {
        let c = self.context.raw();
        // SAFETY: it is an application, and alive, and the indices are in range.
        unsafe {
            let application = self.context.checked(Z3_to_app(c, ast))?;
            let count = Z3_get_app_num_args(c, application);
            (0..count).map(|i| self.context.checked(Z3_get_app_arg(c, application, i))).collect()
        }
    }

    fn sort_of(&mut self, ast: Z3_ast) -> Result<Sort, Z3Error> {
        // SAFETY: the term is alive.
        let sort = self.context.checked(unsafe { Z3_get_sort(self.context.raw(), ast) })?;
        self.sort(sort)
    }

    fn sort(&mut self, sort: Z3_sort) -> Result<Sort, Z3Error> {
        self.encoder.decode_sort(self.terms, sort)
    }

    fn unsupported(&self, ast: Z3_ast) -> Z3Error {
        // SAFETY: the term is alive, and its text is copied before the next call.
        let mut shown = unsafe { text(Z3_ast_to_string(self.context.raw(), ast)) };
        if let Some((end, _)) = shown.char_indices().nth(200) {
            shown.truncate(end);
            shown.push('…');
        }
        Z3Error(format!("a term without counterpart: {shown}"))
    }
}

/// All values of a sort that has few.
fn few_values(terms: &mut Terms, sort: Sort) -> Option<Vec<Term>> {
    match *terms.sort_data(sort) {
        SortData::Bool => Some(vec![Term::FALSE, Term::TRUE]),
        SortData::BitVec(width) if width <= FEW_BITS => {
            Some((0..1u32 << width).map(|value| terms.bitvec(value, width)).collect())
        }
        _ => None,
    }
}

/// Arrays over bit-vectors of at most this width are written out element by element.
const FEW_BITS: u32 = 4;
