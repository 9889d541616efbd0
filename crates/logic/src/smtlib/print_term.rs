//! Terms as SMT-LIB 2.6 text.
//!
//! A subterm that occurs more than once is named by a `let`, so the text is as long as the term is as a graph.
//! Subterms without bound variables are named once, at the outside; the others once in every quantified body they
//! stand in. Bindings that do not need each other share one `let`, so that nesting follows the depth of the term.
//! Patterns are written without `let`s of their own, as solvers look at them literally.
//!
//! Printing is iterative. Reading the text back gives the same term.

use super::names::encode;
use super::print::{bitvec, integer, real, sort};
use crate::sharing::{Scope, shared};
use crate::term::{Binder, Op, Quantifier, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The text of a term.
pub fn term(terms: &Terms, term: Term) -> String {
    Printer::new(terms, term).print(term)
}

/// What remains to be written.
enum Piece {
    Text(&'static str),
    Brackets(usize),
    /// A term by its name, or written out if it has none.
    Reference(Term),
    /// The name of a term and what it stands for.
    Definition(Term),
    /// The `let`s of a quantified body, and the body.
    Body(Term),
    /// From here on, the `let`s of the innermost quantified body are not in force.
    ForgetLets,
    /// The end of the innermost quantified formula.
    Leave,
}

struct Printer<'t> {
    terms: &'t Terms,
    out: String,
    pending: Vec<Piece>,
    /// The numbers of shared subterms without bound variables.
    closed: FxHashMap<Term, usize>,
    /// The numbers of shared subterms with bound variables, for each quantifier around, innermost last.
    open: Vec<FxHashMap<Term, usize>>,
    /// The names of bound variables, innermost last, and how many belong to each quantifier around.
    bound: Vec<String>,
    binders: Vec<usize>,
    /// The names of free symbols and functions of the whole term.
    free: FxHashSet<&'t str>,
    /// No name of the term starts like this.
    prefix: String,
    lets: usize,
}

impl<'t> Printer<'t> {
    fn new(terms: &'t Terms, root: Term) -> Printer<'t> {
        let mut free: Vec<&str> = Vec::new();
        let mut bound: Vec<&str> = Vec::new();
        terms.for_each_subterm(&[root], |term| match terms.op(term) {
            Op::Symbol(symbol) => free.push(&terms.symbol_data(symbol).name),
            Op::Apply(function) => free.push(&terms.function_data(function).name),
            Op::Quantified(..) => bound.extend(terms.quantifier_names(term).iter().map(String::as_str)),
            _ => {}
        });
        let mut prefix = String::from("?");
        while free.iter().chain(&bound).any(|name| name.starts_with(&prefix)) {
            prefix.push('?');
        }
        Printer {
            terms,
            out: String::new(),
            pending: Vec::new(),
            closed: FxHashMap::default(),
            open: Vec::new(),
            bound: Vec::new(),
            binders: Vec::new(),
            free: free.into_iter().collect(),
            prefix,
            lets: 0,
        }
    }

    fn print(mut self, root: Term) -> String {
        self.scope(root);
        while let Some(piece) = self.pending.pop() {
            match piece {
                Piece::Text(text) => self.out.push_str(text),
                Piece::Brackets(count) => self.out.extend(std::iter::repeat_n(')', count)),
                Piece::Reference(term) => match self.name(term) {
                    Some(name) => self.out.push_str(&name),
                    None => self.node(term),
                },
                Piece::Definition(term) => {
                    let name = self.name(term).expect("what is defined has a name");
                    self.out.push_str(&format!("({name} "));
                    self.pending.push(Piece::Text(")"));
                    self.node(term);
                }
                Piece::Body(term) => self.scope(term),
                Piece::ForgetLets => self.open.last_mut().expect("a quantifier was entered").clear(),
                Piece::Leave => {
                    self.open.pop();
                    let count = self.binders.pop().expect("a quantifier was entered");
                    self.bound.truncate(self.bound.len() - count);
                    self.out.push(')');
                }
            }
        }
        self.out
    }

    fn name(&self, term: Term) -> Option<String> {
        let names = if self.terms.loose(term) == 0 { &self.closed } else { self.open.last()? };
        names.get(&term).map(|number| format!("{}{number}", self.prefix))
    }

    /// Plans the `let`s that stand around a whole term or a quantified body, and what they stand around.
    fn scope(&mut self, root: Term) {
        let whole = self.open.is_empty();
        let scope = if whole { Scope::Whole } else { Scope::Body };
        let levels = shared(self.terms, root, scope, |_| true);
        let mut pieces: Vec<Piece> = Vec::new();
        for bindings in &levels {
            pieces.push(Piece::Text("(let ("));
            for (i, &term) in bindings.iter().enumerate() {
                if i > 0 {
                    pieces.push(Piece::Text(" "));
                }
                let names = if whole { Some(&mut self.closed) } else { self.open.last_mut() };
                names.expect("there is a scope").insert(term, self.lets);
                self.lets += 1;
                pieces.push(Piece::Definition(term));
            }
            pieces.push(Piece::Text(") "));
        }
        pieces.push(Piece::Reference(root));
        pieces.push(Piece::Brackets(levels.len()));
        self.pending.extend(pieces.into_iter().rev());
    }

    fn node(&mut self, term: Term) {
        let terms = self.terms;
        let op = terms.op(term);
        if let Op::Quantified(quantifier, binder) = op {
            return self.quantified(term, quantifier, binder);
        }
        let head = self.head(term, op);
        self.out.push_str(&head);
        let arguments = terms.args(term);
        if !arguments.is_empty() {
            self.pending.push(Piece::Text(")"));
            for &argument in arguments.iter().rev() {
                self.pending.extend([Piece::Reference(argument), Piece::Text(" ")]);
            }
        }
    }

    /// A leaf, or an opening bracket and the operator.
    fn head(&self, term: Term, op: Op) -> String {
        let number = |n| self.terms.number_value(n);
        let operator = match op {
            Op::True => return "true".into(),
            Op::False => return "false".into(),
            Op::Int(n) => return integer(number(n).numer()),
            Op::Real(n) => return real(number(n)),
            Op::BitVec(width, n) => return bitvec(number(n).numer(), width),
            Op::Symbol(symbol) => return encode(&self.terms.symbol_data(symbol).name),
            Op::Bound(index) => return self.bound[self.bound.len() - 1 - index as usize].clone(),
            Op::Apply(function) => return format!("({}", encode(&self.terms.function_data(function).name)),
            Op::Scale(n) if self.terms.sort_of(term) == crate::Sort::INT => {
                return format!("(* {}", integer(number(n).numer()));
            }
            Op::Scale(n) => return format!("(* {}", real(number(n))),
            Op::ConstArray(array) => return format!("((as const {})", sort(self.terms, array)),
            Op::Extract { high, low } => return format!("((_ extract {high} {low})"),
            Op::ZeroExtend(by) => return format!("((_ zero_extend {by})"),
            Op::SignExtend(by) => return format!("((_ sign_extend {by})"),
            Op::IntToBv(width) => return format!("((_ int2bv {width})"),
            Op::Float(operation) => return format!("({operation}"),
            Op::Not => "not",
            Op::And => "and",
            Op::Or => "or",
            Op::Eq => "=",
            Op::Ite => "ite",
            Op::Add => "+",
            Op::Mul => "*",
            Op::Le => "<=",
            Op::Lt => "<",
            Op::Div => "div",
            Op::Mod => "mod",
            Op::Divide => "/",
            Op::ToReal => "to_real",
            Op::ToInt => "to_int",
            Op::Select => "select",
            Op::Store => "store",
            Op::BvNot => "bvnot",
            Op::BvNeg => "bvneg",
            Op::BvAnd => "bvand",
            Op::BvOr => "bvor",
            Op::BvXor => "bvxor",
            Op::BvAdd => "bvadd",
            Op::BvMul => "bvmul",
            Op::BvUdiv => "bvudiv",
            Op::BvUrem => "bvurem",
            Op::BvSdiv => "bvsdiv",
            Op::BvSrem => "bvsrem",
            Op::BvSmod => "bvsmod",
            Op::BvShl => "bvshl",
            Op::BvLshr => "bvlshr",
            Op::BvAshr => "bvashr",
            Op::BvUle => "bvule",
            Op::BvSle => "bvsle",
            Op::Concat => "concat",
            Op::BvToNat => "bv2nat",
            Op::Quantified(..) => unreachable!("quantified formulas are written by their own function"),
        };
        format!("({operator}")
    }

    fn quantified(&mut self, term: Term, quantifier: Quantifier, binder: Binder) {
        let terms = self.terms;
        let data = terms.binder_data(binder);
        self.out.push_str(match quantifier {
            Quantifier::Forall => "(forall (",
            Quantifier::Exists => "(exists (",
        });
        for (i, (name, &of)) in terms.quantifier_names(term).iter().zip(&data.sorts).enumerate() {
            let name = self.unused(name);
            let space = if i > 0 { " " } else { "" };
            self.out.push_str(&format!("{space}({name} {})", sort(terms, of)));
            self.bound.push(name);
        }
        self.binders.push(data.sorts.len());
        self.open.push(FxHashMap::default());
        self.out.push_str(") ");
        let (&body, mut patterns) = terms.args(term).split_first().expect("a quantified formula has a body");
        let mut pieces = vec![Piece::Body(body)];
        if !patterns.is_empty() {
            self.out.push_str("(! ");
            pieces.push(Piece::ForgetLets);
            for &length in &data.triggers {
                pieces.push(Piece::Text(" :pattern ("));
                let (trigger, rest) = patterns.split_at(length as usize);
                patterns = rest;
                for (i, &pattern) in trigger.iter().enumerate() {
                    if i > 0 {
                        pieces.push(Piece::Text(" "));
                    }
                    pieces.push(Piece::Reference(pattern));
                }
                pieces.push(Piece::Text(")"));
            }
            pieces.push(Piece::Text(")"));
        }
        pieces.push(Piece::Leave);
        self.pending.extend(pieces.into_iter().rev());
    }

    /// The encoded form of a name for a bound variable that nothing in sight has.
    fn unused(&self, wish: &str) -> String {
        let mut name = wish.to_owned();
        let mut count = 0;
        loop {
            let text = encode(&name);
            if !self.free.contains(&name[..]) && !self.bound.contains(&text) {
                return text;
            }
            name = format!("{wish}!{count}");
            count += 1;
        }
    }
}
