//! From terms to Z3's terms.
//!
//! Every term is translated once per context: the result is kept in a dense table by term id, and stays alive
//! as long as the context. The walk does not recurse on the host's stack.
//!
//! Requires that one context is used with one [`Terms`] store, whose ids the table is about.

use super::context::{Context, Z3Error, text};
use super::theories::Theories;
use base::{EntityRef, SecondaryMap};
use float::Format;
use logic::symbol::{Function, Symbol};
use logic::term::Number;
use logic::{Op, Quantifier, Rational, Sort, SortData, Term, Terms};
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;
use std::ffi::CString;
use std::rc::Rc;
use z3_sys::*;

/// The translation into one context, and what is needed for the way back.
pub(super) struct Encoder {
    pub(super) context: Rc<Context>,
    terms: Vec<Option<Z3_ast>>,
    theories: Vec<Theories>,
    sorts: SecondaryMap<Sort, Option<Z3_sort>>,
    symbols: SecondaryMap<Symbol, Option<Z3_func_decl>>,
    functions: SecondaryMap<Function, Option<Z3_func_decl>>,
    pub(super) symbol_of: FxHashMap<Z3_func_decl, Symbol>,
    pub(super) function_of: FxHashMap<Z3_func_decl, Function>,
    pub(super) sort_of: FxHashMap<Z3_sort, Sort>,
    /// Bit patterns as numbers of a format.
    pub(super) numbers: FxHashMap<(Term, Format), Z3_ast>,
    pending: Vec<Term>,
    arguments: Vec<Z3_ast>,
}

impl Encoder {
    pub(super) fn new(context: Rc<Context>) -> Encoder {
        Encoder {
            context,
            terms: Vec::new(),
            theories: Vec::new(),
            sorts: SecondaryMap::new(),
            symbols: SecondaryMap::new(),
            functions: SecondaryMap::new(),
            symbol_of: FxHashMap::default(),
            function_of: FxHashMap::default(),
            sort_of: FxHashMap::default(),
            numbers: FxHashMap::default(),
            pending: Vec::new(),
            arguments: Vec::new(),
        }
    }

    /// The translation of a term, with the theories that it needs.
    pub(super) fn encode(&mut self, terms: &Terms, term: Term) -> Result<(Z3_ast, Theories), Z3Error> {
        if self.terms.len() < terms.len() {
            self.terms.resize(terms.len(), None);
            self.theories.resize(terms.len(), Theories::NONE);
        }
        if self.terms[term.index()].is_none() {
            self.pending.clear();
            self.pending.push(term);
            self.run(terms)?;
        }
        let ast = self.terms[term.index()].expect("it was just translated");
        Ok((ast, self.theories[term.index()]))
    }

    fn run(&mut self, terms: &Terms) -> Result<(), Z3Error> {
        while let Some(&top) = self.pending.last() {
            if self.terms[top.index()].is_some() {
                self.pending.pop();
                continue;
            }
            let before = self.pending.len();
            let cache = &self.terms;
            self.pending.extend(terms.args(top).iter().filter(|argument| cache[argument.index()].is_none()));
            if self.pending.len() > before {
                continue;
            }
            self.arguments.clear();
            let mut theories = Theories::of_node(terms, top);
            for &argument in terms.args(top) {
                self.arguments.push(self.translated(argument));
                theories = theories | self.theories[argument.index()];
            }
            let ast = self.node(terms, top)?;
            self.terms[top.index()] = Some(self.context.keep(ast));
            self.theories[top.index()] = theories;
            self.pending.pop();
        }
        Ok(())
    }

    /// The translation of a term that was translated before.
    pub(super) fn translated(&self, term: Term) -> Z3_ast {
        self.terms[term.index()].expect("arguments are translated first")
    }

    /// The translation of a node whose arguments stand in `self.arguments`.
    fn node(&mut self, terms: &Terms, term: Term) -> Result<Z3_ast, Z3Error> {
        // Operators that need more than their arguments come first; they may use `self` in any way.
        match terms.op(term) {
            Op::Int(number) => return self.numeral(terms, Sort::INT, number),
            Op::Real(number) => return self.numeral(terms, Sort::REAL, number),
            Op::BitVec(_, number) => return self.numeral(terms, terms.sort_of(term), number),
            Op::Symbol(symbol) => {
                let declaration = self.symbol(terms, symbol)?;
                return self.apply(declaration);
            }
            Op::Apply(function) => {
                let declaration = self.function(terms, function)?;
                return self.apply(declaration);
            }
            Op::Scale(number) => {
                let factor = self.numeral(terms, terms.sort_of(term), number)?;
                // Making the product is the next call, so the factor needs no count.
                self.arguments.insert(0, factor);
            }
            Op::Bound(index) => {
                let sort = self.sort(terms, terms.sort_of(term))?;
                // SAFETY: context and sort are alive.
                return self.context.checked(unsafe { Z3_mk_bound(self.context.raw(), index, sort) });
            }
            Op::ConstArray(sort) => {
                let (index, _) = terms.array_parts(sort).expect("a constant array has an array sort");
                let index = self.sort(terms, index)?;
                let element = self.arguments[0];
                // SAFETY: context, sort and argument are alive.
                let array = unsafe { Z3_mk_const_array(self.context.raw(), index, element) };
                return self.context.checked(array);
            }
            Op::Quantified(quantifier, binder) => {
                let sorts = terms.bound_sorts(binder);
                let sorts =
                    sorts.iter().map(|&sort| self.sort(terms, sort)).collect::<Result<Vec<_>, _>>()?;
                // Z3 takes no pattern with a choice in it, and says so on the terminal.
                let mut chooses = false;
                terms.for_each_subterm(&terms.args(term)[1..], |part| chooses |= terms.op(part) == Op::Ite);
                let triggers = if chooses { &[] } else { terms.trigger_lengths(binder) };
                return self.quantified(quantifier, &sorts, triggers);
            }
            Op::Float(operation) => return self.float(terms, term, operation),
            Op::Eq => {
                if let Some([left, right]) = equal_terms(terms, term) {
                    self.arguments = vec![self.translated(left), self.translated(right)];
                }
            }
            _ => {}
        }
        self.operation(terms.op(term))
    }

    /// The operators that need their arguments only.
    fn operation(&self, op: Op) -> Result<Z3_ast, Z3Error> {
        let c = self.context.raw();
        let (count, all) = (self.arguments.len() as u32, self.arguments.as_ptr());
        let a = |i: usize| self.arguments[i];
        // SAFETY: the context and all arguments are alive, and each operator gets as many as it takes: that is
        // how the constructors of `Terms` build it.
        let ast = unsafe {
            match op {
                Op::True => Z3_mk_true(c),
                Op::False => Z3_mk_false(c),
                Op::Not => Z3_mk_not(c, a(0)),
                Op::And => Z3_mk_and(c, count, all),
                Op::Or => Z3_mk_or(c, count, all),
                Op::Eq => Z3_mk_eq(c, a(0), a(1)),
                Op::Ite => Z3_mk_ite(c, a(0), a(1), a(2)),
                Op::Add => Z3_mk_add(c, count, all),
                Op::Mul | Op::Scale(_) => Z3_mk_mul(c, count, all),
                Op::Le => Z3_mk_le(c, a(0), a(1)),
                Op::Lt => Z3_mk_lt(c, a(0), a(1)),
                Op::Div | Op::Divide => Z3_mk_div(c, a(0), a(1)),
                Op::Mod => Z3_mk_mod(c, a(0), a(1)),
                Op::ToReal => Z3_mk_int2real(c, a(0)),
                Op::ToInt => Z3_mk_real2int(c, a(0)),
                Op::Select => Z3_mk_select(c, a(0), a(1)),
                Op::Store => Z3_mk_store(c, a(0), a(1), a(2)),
                Op::BvNot => Z3_mk_bvnot(c, a(0)),
                Op::BvNeg => Z3_mk_bvneg(c, a(0)),
                Op::BvAnd => Z3_mk_bvand(c, a(0), a(1)),
                Op::BvOr => Z3_mk_bvor(c, a(0), a(1)),
                Op::BvXor => Z3_mk_bvxor(c, a(0), a(1)),
                Op::BvAdd => Z3_mk_bvadd(c, a(0), a(1)),
                Op::BvMul => Z3_mk_bvmul(c, a(0), a(1)),
                Op::BvUdiv => Z3_mk_bvudiv(c, a(0), a(1)),
                Op::BvUrem => Z3_mk_bvurem(c, a(0), a(1)),
                Op::BvSdiv => Z3_mk_bvsdiv(c, a(0), a(1)),
                Op::BvSrem => Z3_mk_bvsrem(c, a(0), a(1)),
                Op::BvSmod => Z3_mk_bvsmod(c, a(0), a(1)),
                Op::BvShl => Z3_mk_bvshl(c, a(0), a(1)),
                Op::BvLshr => Z3_mk_bvlshr(c, a(0), a(1)),
                Op::BvAshr => Z3_mk_bvashr(c, a(0), a(1)),
                Op::BvUle => Z3_mk_bvule(c, a(0), a(1)),
                Op::BvSle => Z3_mk_bvsle(c, a(0), a(1)),
                Op::Concat => Z3_mk_concat(c, a(0), a(1)),
                Op::Extract { high, low } => Z3_mk_extract(c, high, low, a(0)),
                Op::ZeroExtend(by) => Z3_mk_zero_ext(c, by, a(0)),
                Op::SignExtend(by) => Z3_mk_sign_ext(c, by, a(0)),
                Op::BvToNat => Z3_mk_bv2int(c, a(0), false),
                Op::IntToBv(width) => Z3_mk_int2bv(c, width, a(0)),
                Op::Int(_) | Op::Real(_) | Op::BitVec(..) | Op::Symbol(_) | Op::Bound(_) | Op::Apply(_) => {
                    unreachable!("{op:?} needs more than its arguments")
                }
                Op::ConstArray(_) | Op::Float(_) | Op::Quantified(..) => {
                    unreachable!("{op:?} needs more than its arguments")
                }
            }
        };
        self.context.checked(ast)
    }

    fn apply(&self, declaration: Z3_func_decl) -> Result<Z3_ast, Z3Error> {
        let (count, all) = (self.arguments.len() as u32, self.arguments.as_ptr());
        // SAFETY: context, declaration and arguments are alive, and they fit the signature.
        self.context.checked(unsafe { Z3_mk_app(self.context.raw(), declaration, count, all) })
    }

    fn numeral(&mut self, terms: &Terms, sort: Sort, number: Number) -> Result<Z3_ast, Z3Error> {
        let value: &Rational = terms.number_value(number);
        let raw_sort = self.sort(terms, sort)?;
        let c = self.context.raw();
        let small = i64::try_from(value.numer()).ok().filter(|_| value.is_integer());
        // SAFETY: context and sort are alive; Z3 copies the digits.
        let ast = unsafe {
            match small {
                Some(value) => Z3_mk_int64(c, value, raw_sort),
                None => {
                    let digits =
                        CString::new(value.to_string()).expect("a number is written without zero bytes");
                    Z3_mk_numeral(c, digits.as_ptr(), raw_sort)
                }
            }
        };
        self.context.checked(ast)
    }

    /// `self.arguments` are the body and the patterns. Patterns are hints: if Z3 refuses them, they are left out.
    fn quantified(
        &mut self,
        quantifier: Quantifier,
        sorts: &[Z3_sort],
        trigger_lengths: &[u32],
    ) -> Result<Z3_ast, Z3Error> {
        let c = self.context.raw();
        // The names are only seen in dumps, and Z3 tells equal formulas by their indices.
        let name = self.context.symbol("x")?;
        let names = vec![name; sorts.len()];
        let make = |patterns: &[Z3_pattern]| {
            // SAFETY: all pointers are to live objects of the context, and the counts are those of the slices.
            let ast = unsafe {
                Z3_mk_quantifier(
                    c,
                    quantifier == Quantifier::Forall,
                    1,
                    patterns.len() as u32,
                    patterns.as_ptr(),
                    sorts.len() as u32,
                    sorts.as_ptr(),
                    names.as_ptr(),
                    self.arguments[0],
                )
            };
            self.context.checked(ast)
        };
        let mut patterns = Vec::with_capacity(trigger_lengths.len());
        let mut rest = &self.arguments[1..];
        for &length in trigger_lengths {
            let (trigger, others) = rest.split_at(length as usize);
            rest = others;
            // SAFETY: context and patterns are alive; the new pattern is counted before the next call, and kept as
            // long as the context, just like the formula it belongs to.
            unsafe {
                if let Some(pattern) = Z3_mk_pattern(c, length, trigger.as_ptr()) {
                    self.context.keep(Z3_pattern_to_ast(c, pattern).expect("a pattern is a term of Z3"));
                    patterns.push(pattern);
                }
            }
        }
        make(&patterns).or_else(|_| make(&[]))
    }

    /// The translation of a sort.
    pub(super) fn sort(&mut self, terms: &Terms, sort: Sort) -> Result<Z3_sort, Z3Error> {
        // Sorts are as deep as the user's types, so the walk has a stack of its own too.
        let mut pending = vec![sort];
        while let Some(&top) = pending.last() {
            if self.sorts[top].is_some() {
                pending.pop();
                continue;
            }
            let c = self.context.raw();
            // SAFETY: the context is alive, and so are the parts of an array sort, which are kept.
            let made = unsafe {
                match terms.sort_data(top) {
                    SortData::Bool => Z3_mk_bool_sort(c),
                    SortData::Int => Z3_mk_int_sort(c),
                    SortData::Real => Z3_mk_real_sort(c),
                    SortData::BitVec(width) => Z3_mk_bv_sort(c, *width),
                    SortData::Array { index, element } => match (self.sorts[*index], self.sorts[*element]) {
                        (Some(index), Some(element)) => Z3_mk_array_sort(c, index, element),
                        _ => {
                            pending.extend([*index, *element]);
                            continue;
                        }
                    },
                    SortData::Uninterpreted(name) => {
                        let name = self.context.symbol(&own_name(name))?;
                        Z3_mk_uninterpreted_sort(c, name)
                    }
                }
            };
            let made = self.context.checked(made)?;
            // SAFETY: the sort is alive, since it comes right out of a call.
            self.context.keep(unsafe { Z3_sort_to_ast(c, made) }.expect("a sort is a term of Z3"));
            self.sorts[top] = Some(made);
            self.sort_of.insert(made, top);
            pending.pop();
        }
        Ok(self.sorts[sort].expect("it was just translated"))
    }

    /// The sort that a sort of Z3 is the translation of.
    pub(super) fn decode_sort(&mut self, terms: &mut Terms, sort: Z3_sort) -> Result<Sort, Z3Error> {
        let c = self.context.raw();
        let mut pending = vec![sort];
        while let Some(&top) = pending.last() {
            if self.sort_of.contains_key(&top) {
                pending.pop();
                continue;
            }
            // SAFETY: the sort is alive, being that of a living term, and so are its parts.
            let data = unsafe {
                match Z3_get_sort_kind(c, top) {
                    SortKind::Bool => SortData::Bool,
                    SortKind::Int => SortData::Int,
                    SortKind::Real => SortData::Real,
                    SortKind::Bv => SortData::BitVec(Z3_get_bv_sort_size(c, top)),
                    SortKind::Array if Z3_get_array_arity(c, top) == 1 => {
                        let index = self.context.checked(Z3_get_array_sort_domain(c, top))?;
                        let element = self.context.checked(Z3_get_array_sort_range(c, top))?;
                        match (self.sort_of.get(&index), self.sort_of.get(&element)) {
                            (Some(&index), Some(&element)) => SortData::Array { index, element },
                            _ => {
                                pending.extend([index, element]);
                                continue;
                            }
                        }
                    }
                    _ => {
                        let name = text(Z3_sort_to_string(c, top));
                        return Err(Z3Error(format!("a sort without counterpart: {name}")));
                    }
                }
            };
            // Translating it gives the same sort of Z3 again, and enters it into the tables.
            let decoded = terms.sort(data);
            self.sort(terms, decoded)?;
            self.sort_of.insert(top, decoded);
        }
        Ok(self.sort_of[&sort])
    }

    /// The declaration of a symbol.
    pub(super) fn symbol(&mut self, terms: &Terms, symbol: Symbol) -> Result<Z3_func_decl, Z3Error> {
        if let Some(known) = self.symbols[symbol] {
            return Ok(known);
        }
        let data = terms.symbol_data(symbol);
        let sort = self.sort(terms, data.sort)?;
        let declaration = self.declare(&data.name, &[], sort)?;
        self.symbols[symbol] = Some(declaration);
        self.symbol_of.insert(declaration, symbol);
        Ok(declaration)
    }

    fn function(&mut self, terms: &Terms, function: Function) -> Result<Z3_func_decl, Z3Error> {
        if let Some(known) = self.functions[function] {
            return Ok(known);
        }
        let data = terms.function_data(function);
        let parameters = data.parameters.iter().map(|&sort| self.sort(terms, sort));
        let parameters = parameters.collect::<Result<Vec<_>, _>>()?;
        let result = self.sort(terms, data.result)?;
        let declaration = self.declare(&data.name, &parameters, result)?;
        self.functions[function] = Some(declaration);
        self.function_of.insert(declaration, function);
        Ok(declaration)
    }

    /// A declaration that is kept as long as the context.
    pub(super) fn declare(
        &self,
        name: &str,
        parameters: &[Z3_sort],
        result: Z3_sort,
    ) -> Result<Z3_func_decl, Z3Error> {
        let c = self.context.raw();
        let name = self.context.symbol(&own_name(name))?;
        let count = parameters.len() as u32;
        // SAFETY: context, name and sorts are alive; the declaration is counted before the next call.
        unsafe {
            let declaration = Z3_mk_func_decl(c, name, count, parameters.as_ptr(), result);
            let declaration = self.context.checked(declaration)?;
            self.context.keep(Z3_func_decl_to_ast(c, declaration).expect("a declaration is a term of Z3"));
            Ok(declaration)
        }
    }
}

/// A name that Z3 does not invent by itself. Its own fresh names end in `!` and a number, and with the same
/// name and sort they would be the same symbol. Different names stay different.
fn own_name(name: &str) -> String {
    let stem = name.trim_end_matches(|character: char| character.is_ascii_digit());
    let invented = stem.ends_with('!') && stem.len() < name.len();
    if invented || name.ends_with('.') { format!("{name}.") } else { name.to_owned() }
}

/// The two sides of `x - y = 0` under a quantifier. Z3 keeps a difference as it is, and then its quantifiers do not see that
/// two terms are equal: `∀i ∃j. i - a[j] = 0` is too hard for it, `∀i ∃j. i = a[j]` is easy. Elsewhere sums are better:
/// one more equation between terms is one more for all of its theories.
fn equal_terms(terms: &Terms, equation: Term) -> Option<[Term; 2]> {
    if terms.is_closed(equation) {
        return None;
    }
    let &[sum, value] = terms.args(equation) else { return None };
    let (Op::Add, &[first, second]) = (terms.op(sum), terms.args(sum)) else { return None };
    let negated = |term: Term| match terms.op(term) {
        Op::Scale(factor) if *terms.number_value(factor) == -Rational::one() => Some(terms.args(term)[0]),
        _ => None,
    };
    let zero =
        matches!(terms.op(value), Op::Int(number) | Op::Real(number) if terms.number_value(number).is_zero());
    match (negated(first), negated(second)) {
        (None, Some(other)) if zero => Some([first, other]),
        (Some(other), None) if zero => Some([other, second]),
        _ => None,
    }
}
