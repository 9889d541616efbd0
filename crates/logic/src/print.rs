//! Terms for people, in the infix syntax of Boogie, with as few brackets as possible.
//!
//! Canonical forms are undone: universal formulas are implications, an atom `x - y ≤ -1` is written `x < y`, the negation of `x ≤ 4` is `x >= 5`, and
//! `x - y = 1` is `x == y + 1`. Bit-vector functions, which Boogie leaves to its users, keep their SMT-LIB names; what they do to the bits of integers is
//! written as in C. Terms that
//! would be very long as trees have their shared parts named by `(var t0 := …; …)`. Printing is iterative.

mod arithmetic;
mod bits;

use crate::sharing::{Scope, shared};
use crate::sort::{Sort, SortData};
use crate::symbol::Symbol;
use crate::term::{Binder, Op, Quantifier, Term, Terms};
use num_traits::Signed;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// A term with more nodes than this as a tree has its shared parts named.
const LONG: u64 = 1000;
/// A shared part with fewer nodes than this as a tree is never named.
const SHORT: u64 = 6;

/// The text of a sort.
pub fn sort(terms: &Terms, mut of: Sort) -> String {
    let mut text = String::new();
    loop {
        match terms.sort_data(of) {
            SortData::Bool => text.push_str("bool"),
            SortData::Int => text.push_str("int"),
            SortData::Real => text.push_str("real"),
            SortData::BitVec(width) => text.push_str(&format!("bv{width}")),
            SortData::Uninterpreted(name) => text.push_str(name),
            SortData::Array { index, element } => {
                // Recursion is on the nesting of index sorts only; element sorts are what nests deep.
                text.push_str(&format!("[{}]", sort(terms, *index)));
                of = *element;
                continue;
            }
        }
        return text;
    }
}

/// The text of a term.
pub fn infix(terms: &Terms, term: Term) -> String {
    infix_with(terms, term, &|symbol| &terms.symbol_data(symbol).name)
}

/// The text of a term, with names for its symbols that the caller chooses. Different symbols of the term must get
/// different names.
pub fn infix_with<'t>(terms: &'t Terms, term: Term, name: &'t dyn Fn(Symbol) -> &'t str) -> String {
    Printer::new(terms, term, name).print(term)
}

/// How strongly an operator binds; an argument that binds weaker than its place allows gets brackets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Equivalence,
    Junction,
    Relation,
    Concatenation,
    Sum,
    Product,
    Unary,
    Primary,
}

/// What remains to be written.
enum Piece {
    Text(Cow<'static, str>),
    /// A term at a place that allows this level and stronger ones.
    Term(Term, Level),
    /// A term by its structure, even if it has a name.
    Definition(Term),
    Body(Term),
    Leave,
}

impl From<&'static str> for Piece {
    fn from(text: &'static str) -> Piece {
        Piece::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Piece {
        Piece::Text(Cow::Owned(text))
    }
}

struct Printer<'t> {
    terms: &'t Terms,
    name: &'t dyn Fn(Symbol) -> &'t str,
    out: String,
    pending: Vec<Piece>,
    /// Whether shared parts get names.
    naming: bool,
    closed: FxHashMap<Term, usize>,
    open: Vec<FxHashMap<Term, usize>>,
    bound: Vec<String>,
    binders: Vec<usize>,
    free: FxHashSet<&'t str>,
    names: usize,
}

impl<'t> Printer<'t> {
    fn new(terms: &'t Terms, root: Term, name: &'t dyn Fn(Symbol) -> &'t str) -> Printer<'t> {
        let mut free: FxHashSet<&str> = FxHashSet::default();
        terms.for_each_subterm(&[root], |term| match terms.op(term) {
            Op::Symbol(symbol) => _ = free.insert(name(symbol)),
            Op::Apply(function) => _ = free.insert(&terms.function_data(function).name),
            _ => {}
        });
        Printer {
            terms,
            name,
            out: String::new(),
            pending: Vec::new(),
            naming: terms.tree_size_exceeds(root, LONG),
            closed: FxHashMap::default(),
            open: Vec::new(),
            bound: Vec::new(),
            binders: Vec::new(),
            free,
            names: 0,
        }
    }

    fn print(mut self, root: Term) -> String {
        self.scope(root);
        while let Some(piece) = self.pending.pop() {
            match piece {
                Piece::Text(text) => self.out.push_str(&text),
                Piece::Term(term, least) => match self.number(term) {
                    Some(number) => self.out.push_str(&format!("t{number}")),
                    None => self.place(term, least),
                },
                Piece::Definition(term) => self.place(term, Level::Equivalence),
                Piece::Body(term) => self.scope(term),
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

    /// Plans to write pieces, in order, before everything that is planned already.
    fn plan(&mut self, pieces: Vec<Piece>) {
        self.pending.extend(pieces.into_iter().rev());
    }

    fn number(&self, term: Term) -> Option<usize> {
        let numbers = if self.terms.loose(term) == 0 { &self.closed } else { self.open.last()? };
        numbers.get(&term).copied()
    }

    fn scope(&mut self, root: Term) {
        if !self.naming {
            return self.plan(vec![Piece::Term(root, Level::Equivalence)]);
        }
        let terms = self.terms;
        let whole = self.open.is_empty();
        // Sums, multiples and negations are written into the atoms and sums that they stand in.
        let deserves = |term: Term| {
            !matches!(terms.op(term), Op::Add | Op::Scale(_) | Op::Not)
                && terms.tree_size_exceeds(term, SHORT)
        };
        let levels = shared(terms, root, if whole { Scope::Whole } else { Scope::Body }, deserves);
        let mut pieces: Vec<Piece> = Vec::new();
        let mut brackets = String::new();
        for term in levels.into_iter().flatten() {
            let number = self.unused_number();
            let numbers = if whole { Some(&mut self.closed) } else { self.open.last_mut() };
            numbers.expect("there is a scope").insert(term, number);
            pieces.push(format!("(var t{number} := ").into());
            pieces.push(Piece::Definition(term));
            pieces.push("; ".into());
            brackets.push(')');
        }
        pieces.push(Piece::Term(root, Level::Equivalence));
        pieces.push(brackets.into());
        self.plan(pieces);
    }

    fn unused_number(&mut self) -> usize {
        loop {
            let number = self.names;
            self.names += 1;
            if !self.free.contains(&format!("t{number}")[..]) {
                return number;
            }
        }
    }

    /// Writes a term, in brackets if its place does not allow it as it is.
    fn place(&mut self, term: Term, least: Level) {
        let (level, mut pieces) = self.pieces(term);
        if level < least {
            self.out.push('(');
            pieces.push(")".into());
        }
        self.plan(pieces);
    }

    fn pieces(&mut self, term: Term) -> (Level, Vec<Piece>) {
        let terms = self.terms;
        let arguments = terms.args(term);
        let op = terms.op(term);
        match op {
            Op::Not => self.negation(arguments[0]),
            Op::And => (Level::Junction, separated(arguments, " && ", Level::Relation)),
            Op::Or => (Level::Junction, separated(arguments, " || ", Level::Relation)),
            Op::Le | Op::Lt => (Level::Relation, arithmetic::comparison(terms, term, false)),
            Op::Eq => self.equality(term, false),
            Op::Ite => {
                let [c, a, b] = [0, 1, 2].map(|i| Piece::Term(arguments[i], Level::Equivalence));
                let pieces = vec!["(if ".into(), c, " then ".into(), a, " else ".into(), b, ")".into()];
                (Level::Primary, pieces)
            }
            Op::Add | Op::Scale(_) => arithmetic::sum(terms, term),
            Op::Mul => (Level::Product, separated(arguments, " * ", Level::Unary)),
            Op::Div | Op::Mod | Op::Divide => {
                let operator = match op {
                    Op::Div => " div ",
                    Op::Mod => " mod ",
                    _ => " / ",
                };
                (Level::Product, separated(arguments, operator, Level::Primary))
            }
            Op::BvToNat | Op::BvAnd | Op::BvOr | Op::BvXor
                if let Some(pieces) = bits::operation(terms, term) =>
            {
                (Level::Primary, pieces)
            }
            Op::Concat => (Level::Concatenation, separated(arguments, " ++ ", Level::Sum)),
            Op::Select => {
                let [array, index] = [arguments[0], arguments[1]];
                (
                    Level::Primary,
                    vec![
                        Piece::Term(array, Level::Primary),
                        "[".into(),
                        Piece::Term(index, Level::Equivalence),
                        "]".into(),
                    ],
                )
            }
            Op::Store => {
                let [array, index, value] = [0, 1, 2].map(|i| arguments[i]);
                (
                    Level::Primary,
                    vec![
                        Piece::Term(array, Level::Primary),
                        "[".into(),
                        Piece::Term(index, Level::Equivalence),
                        " := ".into(),
                        Piece::Term(value, Level::Equivalence),
                        "]".into(),
                    ],
                )
            }
            Op::Extract { high, low } => (
                Level::Primary,
                vec![Piece::Term(arguments[0], Level::Primary), format!("[{}:{low}]", high + 1).into()],
            ),
            Op::Quantified(quantifier, binder) => (Level::Primary, self.quantified(term, quantifier, binder)),
            _ => self.leaf_or_call(term, op),
        }
    }

    fn leaf_or_call(&self, term: Term, op: Op) -> (Level, Vec<Piece>) {
        let terms = self.terms;
        let function: String = match op {
            Op::Apply(function) => terms.function_data(function).name.clone(),
            Op::ToReal => "real".into(),
            Op::ToInt => "int".into(),
            Op::BvToNat => "nat".into(),
            Op::IntToBv(width) => format!("bv{width}"),
            Op::Float(operation) => operation.to_string(),
            Op::ZeroExtend(by) => format!("zero_extend{by}"),
            Op::SignExtend(by) => format!("sign_extend{by}"),
            Op::ConstArray(of) => {
                let index = terms.array_parts(of).map(|(index, _)| sort(terms, index)).unwrap_or_default();
                let head = format!("(lambda _: {index} :: ");
                let element = Piece::Term(terms.args(term)[0], Level::Equivalence);
                return (Level::Primary, vec![head.into(), element, ")".into()]);
            }
            _ if !terms.args(term).is_empty() => format!("{op:?}").to_lowercase(),
            _ => {
                let text = self.leaf(op);
                let level = if text.starts_with('-') { Level::Unary } else { Level::Primary };
                return (if text.contains('/') { Level::Product } else { level }, vec![text.into()]);
            }
        };
        let mut pieces = vec![format!("{function}(").into()];
        pieces.extend(separated(terms.args(term), ", ", Level::Equivalence));
        pieces.push(")".into());
        (Level::Primary, pieces)
    }

    fn leaf(&self, op: Op) -> String {
        let number = |n| self.terms.number_value(n);
        match op {
            Op::True => "true".into(),
            Op::False => "false".into(),
            Op::Int(n) => number(n).to_string(),
            Op::Real(n) if number(n).is_negative() => format!("-{}", arithmetic::real(&number(n).abs())),
            Op::Real(n) => arithmetic::real(number(n)),
            Op::BitVec(width, n) => format!("{}bv{width}", number(n)),
            Op::Symbol(symbol) => (self.name)(symbol).to_owned(),
            Op::Bound(index) => self.bound[self.bound.len() - 1 - index as usize].clone(),
            _ => unreachable!("{op:?} is no leaf"),
        }
    }

    fn negation(&mut self, inner: Term) -> (Level, Vec<Piece>) {
        // An atom that has a name is not turned around, so that its name is used.
        if self.number(inner).is_none() {
            match self.terms.op(inner) {
                Op::Le | Op::Lt => {
                    return (Level::Relation, arithmetic::comparison(self.terms, inner, true));
                }
                Op::Eq if self.terms.sort_of(self.terms.args(inner)[0]) != Sort::BOOL => {
                    return self.equality(inner, true);
                }
                _ => {}
            }
        }
        (Level::Unary, vec!["!".into(), Piece::Term(inner, Level::Primary)])
    }

    fn equality(&mut self, term: Term, negated: bool) -> (Level, Vec<Piece>) {
        let arguments = self.terms.args(term);
        let sort = self.terms.sort_of(arguments[0]);
        let operator = if negated { " != " } else { " == " };
        if sort.is_arithmetic() {
            (Level::Relation, arithmetic::equation(self.terms, term, operator))
        } else if sort == Sort::BOOL {
            (Level::Equivalence, separated(arguments, " <==> ", Level::Junction))
        } else if let Some(pieces) = bits::equation(self.terms, arguments, operator) {
            (Level::Relation, pieces)
        } else {
            (Level::Relation, separated(arguments, operator, Level::Concatenation))
        }
    }

    fn quantified(&mut self, term: Term, quantifier: Quantifier, binder: Binder) -> Vec<Piece> {
        let terms = self.terms;
        let data = terms.binder_data(binder);
        let mut head = String::from(match quantifier {
            Quantifier::Forall => "(forall ",
            Quantifier::Exists => "(exists ",
        });
        for (i, (name, &of)) in terms.quantifier_names(term).iter().zip(&data.sorts).enumerate() {
            let name = self.unused(name);
            let comma = if i > 0 { ", " } else { "" };
            head.push_str(&format!("{comma}{name}: {}", sort(terms, of)));
            self.bound.push(name);
        }
        head.push_str(" :: ");
        self.binders.push(data.sorts.len());
        self.open.push(FxHashMap::default());
        let (&body, mut patterns) = terms.args(term).split_first().expect("a quantified formula has a body");
        let mut pieces = vec![head.into()];
        for &length in &data.triggers {
            let (trigger, rest) = patterns.split_at(length as usize);
            patterns = rest;
            pieces.push("{".into());
            pieces.extend(separated(trigger, ", ", Level::Equivalence));
            pieces.push("} ".into());
        }
        let guarded = if quantifier == Quantifier::Forall { self.guarded(body) } else { None };
        match guarded {
            Some(implication) => pieces.extend(implication),
            None => pieces.push(Piece::Body(body)),
        }
        pieces.push(Piece::Leave);
        pieces
    }

    /// The body of a universal formula as "if the comparisons hold then the rest does", if it is of that kind.
    fn guarded(&self, body: Term) -> Option<Vec<Piece>> {
        if self.naming || self.terms.op(body) != Op::Or {
            return None;
        }
        let mut guards: Vec<Piece> = Vec::new();
        let mut rest: Vec<Term> = Vec::new();
        for &disjunct in self.terms.args(body) {
            let negated = self.terms.op(disjunct) == Op::Not;
            let atom = if negated { self.terms.args(disjunct)[0] } else { disjunct };
            if matches!(self.terms.op(atom), Op::Le | Op::Lt) {
                if !guards.is_empty() {
                    guards.push(" && ".into());
                }
                guards.extend(arithmetic::comparison(self.terms, atom, !negated));
            } else {
                rest.push(disjunct);
            }
        }
        if guards.is_empty() || rest.is_empty() {
            return None;
        }
        guards.push(" ==> ".into());
        let least = if rest.len() == 1 { Level::Junction } else { Level::Relation };
        guards.extend(separated(&rest, " || ", least));
        Some(guards)
    }

    /// A name for a bound variable that nothing in sight has.
    fn unused(&self, wish: &str) -> String {
        let mut name = wish.to_owned();
        let mut count = 0;
        while self.free.contains(&name[..]) || self.bound.contains(&name) {
            name = format!("{wish}!{count}");
            count += 1;
        }
        name
    }
}

fn separated(terms: &[Term], separator: &'static str, least: Level) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::with_capacity(2 * terms.len());
    for (i, &term) in terms.iter().enumerate() {
        if i > 0 {
            pieces.push(separator.into());
        }
        pieces.push(Piece::Term(term, least));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::parse;

    const DECLARATIONS: &str = "
        (declare-const p Bool) (declare-const q Bool) (declare-const r Bool)
        (declare-const x Int) (declare-const y Int) (declare-const z Int)
        (declare-const u Real) (declare-const v Real)
        (declare-const b (_ BitVec 8)) (declare-const c (_ BitVec 8))
        (declare-const a (Array Int Int)) (declare-const m (Array Int (Array Int Bool)))
        (declare-fun f (Int) Int) (declare-fun g (Int Int) Bool)";

    fn shown(formula: &str) -> String {
        let mut terms = Terms::new();
        let text = format!("{DECLARATIONS} (assert {formula})");
        let script = parse::script(&mut terms, &text).unwrap_or_else(|error| panic!("{formula}: {error}"));
        let formula = script.assertions().next().expect("there is an assertion");
        infix(&terms, formula)
    }

    #[test]
    fn formulas_look_as_people_write_them() {
        let cases = [
            ("(= y (bv2nat (bvxor ((_ int2bv 8) x) ((_ int2bv 8) z))))", "y == (x ^ z)"),
            ("(not (= (bvand ((_ int2bv 8) (+ x 1)) #x07) #x00))", "((x + 1) & 7) != 0"),
            ("(= (bvand b #x07) #x00)", "bvand(b, 7bv8) == 0bv8"),
            ("(>= x 5)", "x >= 5"),
            ("(> x 0)", "x > 0"),
            ("(< x 0)", "x < 0"),
            ("(<= x (- 3))", "x <= -3"),
            ("(= x (+ y 1))", "x == y + 1"),
            ("(= (+ x 1) y)", "x == y - 1"),
            ("(= z (+ x y))", "z == x + y"),
            ("(not (= x y))", "x != y"),
            ("(< x y)", "x < y"),
            ("(>= x y)", "x >= y"),
            ("(> x (+ y 7))", "x >= y + 8"),
            ("(<= (* 2 x) (- (* 3 y) z 2))", "2 * x + z <= 3 * y - 2"),
            ("(= (+ x y z) 0)", "x + y + z == 0"),
            ("(= (f (- 4 x)) 0)", "f(4 - x) == 0"),
            ("(= (f (- x)) 0)", "f(-x) == 0"),
            ("(= (f (- (- x) 1)) 0)", "f(-x - 1) == 0"),
            ("(= (* x y) 1)", "x * y == 1"),
            ("(= (mod (+ x 1) 2) 0)", "(x + 1) mod 2 == 0"),
            ("(= (div (mod x y) y) 1)", "(x mod y) div y == 1"),
            ("(= (* 2 (div x y)) 1)", "false"),
            ("(= (* 3 (div x y)) z)", "z == 3 * (x div y)"),
            ("(<= u (/ v 3))", "3.0 * u <= v"),
            ("(< u 0.125)", "u < 0.125"),
            ("(>= (* u v) (/ (- 1) 3))", "3.0 * (u * v) >= -1.0"),
            ("(= u (to_real x))", "u == real(x)"),
            ("(and p (or q (not r)))", "p && (q || !r)"),
            ("(or (and p q) r)", "r || (p && q)"),
            ("(= p (and q r))", "p <==> q && r"),
            ("(not (= p q))", "!(p <==> q)"),
            ("(not (g x 1))", "!g(x, 1)"),
            ("(= (select (store a x 1) y) 2)", "a[x := 1][y] == 2"),
            ("(select (select m x) (+ y 1))", "m[x][y + 1]"),
            ("(= (ite p x y) 3)", "(if p then x else y) == 3"),
            ("(= a ((as const (Array Int Int)) 0))", "a == (lambda _: int :: 0)"),
            ("(= (bvadd b #x05) c)", "c == bvadd(b, 5bv8)"),
            ("(= (concat ((_ extract 3 0) b) ((_ extract 7 4) b)) c)", "c == b[4:0] ++ b[8:4]"),
            ("(= ((_ int2bv 8) x) b)", "b == bv8(x)"),
            ("(forall ((i Int)) (=> (< i x) (= (select a i) 0)))", "(forall i: int :: x > i ==> a[i] == 0)"),
            (
                "(forall ((x Int) (k Int)) (! (g x k) :pattern ((f x) (f k))))",
                "(forall x: int, k: int :: {f(x), f(k)} g(x, k))",
            ),
            ("(not (exists ((i Int)) (g i x)))", "!(exists i: int :: g(i, x))"),
            (
                "(exists ((x Int)) (and (g x x) (exists ((x Int)) (g x 1))))",
                "(exists x: int :: (exists x!0: int :: g(x!0, 1)) && g(x, x))",
            ),
        ];
        let wrong: Vec<_> = cases
            .into_iter()
            .map(|(formula, text)| (formula, text, shown(formula)))
            .filter(|(_, text, shown)| text != shown)
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn sorts_are_those_of_boogie() {
        let mut terms = Terms::new();
        let row = terms.array_sort(Sort::INT, Sort::BOOL);
        let byte = terms.bitvec_sort(8);
        let matrix = terms.array_sort(row, row);
        let sorts = [row, byte, matrix].map(|of| sort(&terms, of));
        assert_eq!(sorts, ["[int]bool", "bv8", "[[int]bool][int]bool"]);
    }

    #[test]
    fn large_shared_terms_have_their_parts_named() {
        let mut terms = Terms::new();
        let function = terms.function("f", &[Sort::INT, Sort::INT], Sort::INT);
        let mut term = terms.named("t1", Sort::INT);
        for _ in 0..100 {
            term = terms.apply(function, &[term, term]);
        }
        let zero = terms.int(0);
        let formula = terms.lt(term, zero);
        let text = infix(&terms, formula);
        assert!(text.len() < 4000, "{text}");
        assert!(text.starts_with("(var t0 := f(f(t1, t1), f(t1, t1)); (var t2 := f(t0, t0); "), "{text}");
        assert!(text.contains("f(t98, t98) < 0)"), "{text}");
    }
}
