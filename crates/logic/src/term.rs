//! The store of hash-consed terms.
//!
//! A node is an operator with arguments; the arguments of all nodes stand in one vector, so a node is a few
//! words and looking up a known term allocates nothing. `Terms` only grows: ids stay valid for ever.
//!
//! Invariant: nodes come only from `intern`, which is called only by the canonical constructors (`build_*`)
//! and by the quantifier functions of [`substitute`](crate::substitute). What canonical means is written at
//! the head of each `build_*` file.
//!
//! Bound variables are de Bruijn indices and never seen outside of this crate: a quantifier is built over
//! named symbols and opened into fresh ones.

use crate::sort::{Sort, SortData};
use crate::symbol::{Function, FunctionData, Symbol, SymbolData};
use crate::{Integer, Rational};
use base::{EntityRef, PrimaryMap, SecondaryMap};
use float::Operation;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

base::id!(
    /// A term of a [`Terms`] store. Equal ids are equal terms.
    Term,
    "t"
);

base::id!(
    /// A number that occurs in a term.
    Number,
    "num"
);

base::id!(
    /// The variables bound by a quantifier: how many, and of which sorts.
    Binder,
    "binder"
);

/// Which quantifier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Quantifier {
    /// For all.
    Forall,
    /// There is.
    Exists,
}

impl Quantifier {
    /// The quantifier on the other side of a negation.
    pub fn dual(self) -> Quantifier {
        match self {
            Quantifier::Forall => Quantifier::Exists,
            Quantifier::Exists => Quantifier::Forall,
        }
    }
}

/// The operators of canonical terms. Everything else (`>`, `=>`, `bvsub`, …) is expressed by these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names are those of SMT-LIB")]
pub enum Op {
    True,
    False,
    /// An integer literal.
    Int(Number),
    /// A real literal.
    Real(Number),
    /// A bit-vector literal of this width; the number is unsigned.
    BitVec(u32, Number),
    /// A constant.
    Symbol(Symbol),
    /// A bound variable: de Bruijn index, counted over single variables, the last of the innermost binder being 0.
    Bound(u32),
    /// An uninterpreted function.
    Apply(Function),
    Not,
    And,
    Or,
    /// Equality of two terms of one sort; on `Bool` it is "if and only if".
    Eq,
    Ite,
    /// A sum of at least two summands: distinct non-sums, scaled or not, and at most one literal (the last).
    Add,
    /// Its argument, which is no literal, sum or scaled term, times a number that is neither 0 nor 1.
    Scale(Number),
    /// A product of at least two terms, none of them a literal, a product or scaled; sums only if too large to multiply out.
    Mul,
    /// `a ≤ b`, where b is a literal and a has no literal part.
    Le,
    /// `a < b` on reals, where b is a literal and a has no literal part.
    Lt,
    /// Euclidean quotient of integers.
    Div,
    /// Euclidean remainder of integers.
    Mod,
    /// Quotient of reals by something that is no literal other than 0.
    Divide,
    ToReal,
    /// The largest integer that is not larger.
    ToInt,
    Select,
    Store,
    /// The array of this sort with the same value everywhere.
    ConstArray(Sort),
    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvSmod,
    BvShl,
    BvLshr,
    BvAshr,
    BvUle,
    BvSle,
    Concat,
    /// Bits `high` down to `low`.
    Extract {
        high: u32,
        low: u32,
    },
    ZeroExtend(u32),
    SignExtend(u32),
    /// The unsigned value of a bit-vector.
    BvToNat,
    /// The lowest bits of an integer.
    IntToBv(u32),
    /// A floating-point operation on bit patterns.
    Float(Operation),
    /// A quantified formula: the body, then the patterns of the triggers.
    Quantified(Quantifier, Binder),
}

#[derive(Clone, Copy)]
struct Node {
    op: Op,
    start: u32,
    length: u32,
    sort: Sort,
    /// One more than the largest index of a bound variable that is free in this term; 0 if there is none.
    loose: u32,
}

/// Bound variables of a quantifier, and how its patterns are grouped into triggers. Names do not count:
/// formulas that differ only in the names of bound variables are the same term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct BinderData {
    pub(crate) sorts: Vec<Sort>,
    /// The number of patterns in each trigger.
    pub(crate) triggers: Vec<u32>,
}

/// A call of a constructor that computes a normal form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Call {
    Add,
    Sub,
    Mul,
    Le,
    Eq,
}

/// A [`Call`] with its arguments, which stand where those of nodes do, and its result.
#[derive(Clone, Copy)]
struct Remembered {
    call: Call,
    start: u32,
    length: u32,
    result: Term,
}

/// What is known about a name.
#[derive(Clone, Copy)]
struct Name {
    owner: Owner,
    /// The number to try next when somebody else wishes for this name.
    next: u32,
}

#[derive(Clone, Copy)]
enum Owner {
    Symbol(Symbol),
    Function(Function),
}

/// All terms of a job. A clone has the same terms under the same numbers, and grows on its own from there.
#[derive(Clone)]
pub struct Terms {
    nodes: PrimaryMap<Term, Node>,
    arguments: Vec<Term>,
    table: HashTable<Term>,
    /// Normal forms that were computed: they cost a hundred times more than looking them up.
    remembered: HashTable<Remembered>,
    numbers: PrimaryMap<Number, Rational>,
    number_ids: FxHashMap<Rational, Number>,
    sorts: PrimaryMap<Sort, SortData>,
    sort_ids: FxHashMap<SortData, Sort>,
    symbols: PrimaryMap<Symbol, SymbolData>,
    symbol_ids: FxHashMap<SymbolData, Symbol>,
    functions: PrimaryMap<Function, FunctionData>,
    function_ids: FxHashMap<FunctionData, Function>,
    binders: PrimaryMap<Binder, BinderData>,
    binder_ids: FxHashMap<BinderData, Binder>,
    /// The names under which the variables of a quantified formula were first seen, for printing.
    quantifier_names: FxHashMap<Term, Vec<String>>,
    names: FxHashMap<String, Name>,
    negations: SecondaryMap<Term, base::ids::PackedOption<Term>>,
    /// For writes to literal indices the array under them and under all writes to literal indices of smaller numbers that they stand on.
    pub(crate) under_writes: FxHashMap<Term, Term>,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

fn hash_of(op: impl Hash, arguments: &[Term]) -> u64 {
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    for argument in arguments {
        hasher.write_u32(argument.as_u32());
    }
    hasher.finish()
}

impl Terms {
    /// A store with `true` and `false` only.
    pub fn new() -> Terms {
        let mut terms = Terms {
            nodes: PrimaryMap::new(),
            arguments: Vec::new(),
            table: HashTable::new(),
            remembered: HashTable::new(),
            numbers: PrimaryMap::new(),
            number_ids: FxHashMap::default(),
            sorts: PrimaryMap::new(),
            sort_ids: FxHashMap::default(),
            symbols: PrimaryMap::new(),
            symbol_ids: FxHashMap::default(),
            functions: PrimaryMap::new(),
            function_ids: FxHashMap::default(),
            binders: PrimaryMap::new(),
            binder_ids: FxHashMap::default(),
            quantifier_names: FxHashMap::default(),
            names: FxHashMap::default(),
            negations: SecondaryMap::new(),
            under_writes: FxHashMap::default(),
        };
        for sort in [SortData::Bool, SortData::Int, SortData::Real] {
            terms.sort(sort);
        }
        terms.intern(Op::True, &[], Sort::BOOL);
        terms.intern(Op::False, &[], Sort::BOOL);
        terms
    }

    /// The one node with this operator and these arguments.
    pub(crate) fn intern(&mut self, op: Op, arguments: &[Term], sort: Sort) -> Term {
        let hash = hash_of(op, arguments);
        let (nodes, pool) = (&self.nodes, &self.arguments);
        let slice = |node: &Node| &pool[node.start as usize..(node.start + node.length) as usize];
        // Bound variables are the only nodes whose sort does not follow from operator and arguments.
        let known = self.table.find(hash, |&term| {
            let node = &nodes[term];
            node.op == op && node.sort == sort && slice(node) == arguments
        });
        if let Some(&term) = known {
            return term;
        }
        let loose = self.loose_of(op, arguments);
        let start = self.push_arguments(arguments);
        let term = self.nodes.push(Node { op, start, length: arguments.len() as u32, sort, loose });
        let (nodes, pool) = (&self.nodes, &self.arguments);
        self.table.insert_unique(hash, term, |&term| {
            let node = &nodes[term];
            hash_of(node.op, &pool[node.start as usize..(node.start + node.length) as usize])
        });
        term
    }

    /// The result of a constructor that was called with these arguments before.
    #[inline]
    pub(crate) fn remembered(&self, call: Call, arguments: &[Term]) -> Option<Term> {
        let found = self.remembered.find(hash_of(call, arguments), |known| {
            known.call == call && self.slice(known.start, known.length) == arguments
        });
        found.map(|known| known.result)
    }

    /// Remembers the result of a constructor, which was not remembered before.
    pub(crate) fn remember(&mut self, call: Call, arguments: &[Term], result: Term) -> Term {
        let start = self.push_arguments(arguments);
        let known = Remembered { call, start, length: arguments.len() as u32, result };
        let pool = &self.arguments;
        self.remembered.insert_unique(hash_of(call, arguments), known, |known| {
            hash_of(known.call, &pool[known.start as usize..(known.start + known.length) as usize])
        });
        result
    }

    fn push_arguments(&mut self, arguments: &[Term]) -> u32 {
        let start = u32::try_from(self.arguments.len()).expect("fewer than 2^32 arguments");
        self.arguments.extend_from_slice(arguments);
        start
    }

    fn slice(&self, start: u32, length: u32) -> &[Term] {
        &self.arguments[start as usize..(start + length) as usize]
    }

    fn loose_of(&self, op: Op, arguments: &[Term]) -> u32 {
        let inside = arguments.iter().map(|&argument| self.nodes[argument].loose).max().unwrap_or(0);
        match op {
            Op::Bound(index) => index + 1,
            Op::Quantified(_, binder) => inside.saturating_sub(self.binders[binder].sorts.len() as u32),
            _ => inside,
        }
    }

    /// The operator of a term.
    #[inline]
    pub fn op(&self, term: Term) -> Op {
        self.nodes[term].op
    }

    /// The arguments of a term.
    #[inline]
    pub fn args(&self, term: Term) -> &[Term] {
        let node = &self.nodes[term];
        self.slice(node.start, node.length)
    }

    /// The sort of a term.
    #[inline]
    pub fn sort_of(&self, term: Term) -> Sort {
        self.nodes[term].sort
    }

    /// One more than the largest bound variable that is free in this term.
    pub(crate) fn loose(&self, term: Term) -> u32 {
        self.nodes[term].loose
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether some term is a floating-point operation.
    pub fn has_floats(&self) -> bool {
        self.nodes.values().any(|node| matches!(node.op, Op::Float(_)))
    }

    /// Whether some term is a product of two terms that are no numbers, or divides by one.
    pub fn has_products(&self) -> bool {
        let is_open = |&&term: &&Term| self.as_number(term).is_none();
        let product = |term: Term| match self.op(term) {
            Op::Mul => self.args(term).iter().filter(is_open).count() > 1,
            Op::Div | Op::Mod => self.args(term).iter().skip(1).any(|divisor| is_open(&divisor)),
            _ => false,
        };
        self.nodes.keys().any(product)
    }

    /// Never: `true` and `false` are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(crate) fn cached_negation(&self, term: Term) -> Option<Term> {
        self.negations[term].expand()
    }

    pub(crate) fn remember_negation(&mut self, term: Term, negation: Term) {
        self.negations[term] = negation.into();
        self.negations[negation] = term.into();
    }

    /// The interned form of a sort.
    pub fn sort(&mut self, data: SortData) -> Sort {
        if let Some(&sort) = self.sort_ids.get(&data) {
            return sort;
        }
        let sort = self.sorts.push(data.clone());
        self.sort_ids.insert(data, sort);
        sort
    }

    /// The sort with this description, if there is one already.
    pub fn known_sort(&self, data: &SortData) -> Option<Sort> {
        self.sort_ids.get(data).copied()
    }

    /// Bit-vectors of a width.
    pub fn bitvec_sort(&mut self, width: u32) -> Sort {
        assert!(width > 0, "a bit-vector has at least one bit");
        self.sort(SortData::BitVec(width))
    }

    /// Arrays from `index` to `element`.
    pub fn array_sort(&mut self, index: Sort, element: Sort) -> Sort {
        self.sort(SortData::Array { index, element })
    }

    /// What a sort is.
    pub fn sort_data(&self, sort: Sort) -> &SortData {
        &self.sorts[sort]
    }

    /// All sorts, in the order in which they were made.
    pub fn sorts(&self) -> impl Iterator<Item = (Sort, &SortData)> {
        self.sorts.iter()
    }

    /// Index and element sort of an array sort.
    pub fn array_parts(&self, sort: Sort) -> Option<(Sort, Sort)> {
        match self.sorts[sort] {
            SortData::Array { index, element } => Some((index, element)),
            _ => None,
        }
    }

    /// The width of a bit-vector term.
    pub fn width(&self, term: Term) -> u32 {
        match self.sorts[self.sort_of(term)] {
            SortData::BitVec(width) => width,
            ref other => panic!("{term} is no bit-vector but {other:?}"),
        }
    }

    pub(crate) fn number(&mut self, value: Rational) -> Number {
        if let Some(&number) = self.number_ids.get(&value) {
            return number;
        }
        let number = self.numbers.push(value.clone());
        self.number_ids.insert(value, number);
        number
    }

    /// The value of a number that occurs in an [`Op`].
    pub fn number_value(&self, number: Number) -> &Rational {
        &self.numbers[number]
    }

    /// The symbol that was asked for by this name and sort. If something else has the name, it gets another one.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> Symbol {
        let wish = SymbolData { name: name.to_owned(), sort };
        if let Some(&symbol) = self.symbol_ids.get(&wish) {
            return symbol;
        }
        let symbol = self.fresh_symbol(name, sort);
        self.symbol_ids.insert(wish, symbol);
        symbol
    }

    /// A symbol that nobody else has or gets, not even by asking for its name.
    pub fn fresh_symbol(&mut self, wish: &str, sort: Sort) -> Symbol {
        let name = self.unique_name(wish);
        let symbol = self.symbols.push(SymbolData { name: name.clone(), sort });
        self.names.insert(name, Name { owner: Owner::Symbol(symbol), next: 0 });
        symbol
    }

    /// The symbol that has this name in print.
    pub fn symbol_by_name(&self, name: &str) -> Option<Symbol> {
        match self.names.get(name)?.owner {
            Owner::Symbol(symbol) => Some(symbol),
            Owner::Function(_) => None,
        }
    }

    /// A name that neither a symbol nor a function has: the wish itself, or the wish with a number.
    fn unique_name(&mut self, wish: &str) -> String {
        let Some(mut next) = self.names.get(wish).map(|name| name.next) else { return wish.to_owned() };
        loop {
            let name = format!("{wish}!{next}");
            next += 1;
            if !self.names.contains_key(&name) {
                self.names.get_mut(wish).expect("it was just found").next = next;
                return name;
            }
        }
    }

    /// Name and sort of a symbol.
    pub fn symbol_data(&self, symbol: Symbol) -> &SymbolData {
        &self.symbols[symbol]
    }

    /// The function with this name and signature. If another signature has taken the name, it is renamed.
    pub fn function(&mut self, name: &str, parameters: &[Sort], result: Sort) -> Function {
        assert!(!parameters.is_empty(), "a function without parameters is a symbol");
        let data = FunctionData { name: name.to_owned(), parameters: parameters.to_vec(), result };
        if let Some(&function) = self.function_ids.get(&data) {
            return function;
        }
        let unique = self.unique_name(name);
        let function = self.functions.push(FunctionData { name: unique.clone(), ..data.clone() });
        self.names.insert(unique, Name { owner: Owner::Function(function), next: 0 });
        self.function_ids.insert(data, function);
        function
    }

    /// The function that has this name in print.
    pub fn function_by_name(&self, name: &str) -> Option<Function> {
        match self.names.get(name)?.owner {
            Owner::Function(function) => Some(function),
            Owner::Symbol(_) => None,
        }
    }

    /// Name and signature of a function.
    pub fn function_data(&self, function: Function) -> &FunctionData {
        &self.functions[function]
    }

    pub(crate) fn binder(&mut self, data: BinderData) -> Binder {
        if let Some(&binder) = self.binder_ids.get(&data) {
            return binder;
        }
        let binder = self.binders.push(data.clone());
        self.binder_ids.insert(data, binder);
        binder
    }

    pub(crate) fn binder_data(&self, binder: Binder) -> &BinderData {
        &self.binders[binder]
    }

    /// The names under which the variables of a quantified formula were first seen.
    pub(crate) fn quantifier_names(&self, quantified: Term) -> &[String] {
        &self.quantifier_names[&quantified]
    }

    /// Gives the variables of a quantified formula names, unless they have some.
    pub(crate) fn name_quantifier(&mut self, quantified: Term, names: impl FnOnce() -> Vec<String>) {
        self.quantifier_names.entry(quantified).or_insert_with(names);
    }

    /// The sorts of the variables that a quantifier binds, the outermost (with the largest index) first.
    pub fn bound_sorts(&self, binder: Binder) -> &[Sort] {
        &self.binders[binder].sorts
    }

    /// How many of the patterns of a quantifier belong to its first trigger, to its second, and so on.
    pub fn trigger_lengths(&self, binder: Binder) -> &[u32] {
        &self.binders[binder].triggers
    }

    /// The term that is this symbol.
    pub fn constant(&mut self, symbol: Symbol) -> Term {
        let sort = self.symbols[symbol].sort;
        self.intern(Op::Symbol(symbol), &[], sort)
    }

    /// Shorthand for the constant of a symbol by name and sort.
    pub fn named(&mut self, name: &str, sort: Sort) -> Term {
        let symbol = self.symbol(name, sort);
        self.constant(symbol)
    }

    /// An application of an uninterpreted function.
    pub fn apply(&mut self, function: Function, arguments: &[Term]) -> Term {
        let data = &self.functions[function];
        debug_assert!(arguments.iter().map(|&a| self.sort_of(a)).eq(data.parameters.iter().copied()));
        let result = data.result;
        self.intern(Op::Apply(function), arguments, result)
    }

    /// The symbol that this term is, if it is one.
    pub fn as_symbol(&self, term: Term) -> Option<Symbol> {
        match self.op(term) {
            Op::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// The value of an integer or real literal.
    pub fn as_number(&self, term: Term) -> Option<&Rational> {
        match self.op(term) {
            Op::Int(number) | Op::Real(number) => Some(&self.numbers[number]),
            _ => None,
        }
    }

    /// The value of an integer literal.
    pub fn as_integer(&self, term: Term) -> Option<&Integer> {
        match self.op(term) {
            Op::Int(number) => Some(self.numbers[number].numer()),
            _ => None,
        }
    }

    /// The unsigned value of a bit-vector literal.
    pub fn as_bitvec(&self, term: Term) -> Option<&Integer> {
        match self.op(term) {
            Op::BitVec(_, number) => Some(self.numbers[number].numer()),
            _ => None,
        }
    }

    /// Is this a literal: a truth value, a number, a bit-vector?
    pub fn is_literal_value(&self, term: Term) -> bool {
        matches!(self.op(term), Op::True | Op::False | Op::Int(_) | Op::Real(_) | Op::BitVec(..))
    }
}

impl Term {
    /// The formula that always holds.
    pub const TRUE: Term = Term(0);
    /// The formula that never holds.
    pub const FALSE: Term = Term(1);

    /// Is this the formula that always holds?
    pub fn is_true(self) -> bool {
        self == Term::TRUE
    }

    /// Is this the formula that never holds?
    pub fn is_false(self) -> bool {
        self == Term::FALSE
    }

    /// The position in the store, for dense tables.
    pub fn position(self) -> usize {
        self.index()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_fresh_symbols_are_nobodys() {
        let mut terms = Terms::new();
        let fresh = terms.fresh_symbol("x", Sort::INT);
        let asked = terms.symbol("x", Sort::INT);
        assert_ne!(fresh, asked, "asking for the name of a fresh symbol does not give it");
        assert_eq!(terms.symbol("x", Sort::INT), asked);
        let other = terms.symbol("x", Sort::BOOL);
        let function = terms.function("x", &[Sort::INT], Sort::INT);
        let names = [fresh, asked, other].map(|s| terms.symbol_data(s).name.clone());
        assert_eq!(names, ["x", "x!0", "x!1"]);
        assert_eq!(terms.function_data(function).name, "x!2");
        assert_eq!(terms.symbol_by_name("x!1"), Some(other));
        assert_eq!(terms.function_by_name("x!2"), Some(function));
        assert_eq!((terms.symbol_by_name("x!2"), terms.function_by_name("y")), (None, None));
    }
}
