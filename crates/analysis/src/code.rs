//! Edges as something that can be executed on abstract states.
//!
//! Guards and updates are translated once: comparisons of linear forms, and definitions for the parts of terms that are
//! not linear. A part that cannot be said (quantifiers, bit-vectors, functions) is left out, which allows more.
//! Terms are as deep as the user wrote them, and equivalences unfold; so both the depth and the size are bounded, and what
//! lies beyond is left out too.

use crate::form::{Dimension, Form};
use crate::limits;
use crate::operations::Comparison;
use crate::space::Space;
use logic::{Integer, Op, Sort, Symbol, Term, Terms};
use num_traits::{One, Signed};
use program::{Call, Relation, Variables};
use rustc_hash::{FxHashMap, FxHashSet};

/// A formula over dimensions.
#[derive(Clone, PartialEq, Debug)]
pub enum Condition {
    /// Holds always, or nobody knows.
    Unknown,
    /// Holds never.
    Never,
    /// A form compared with zero.
    Compare(Comparison, Form),
    /// All hold.
    All(Vec<Condition>),
    /// At least one holds.
    Any(Vec<Condition>),
}

/// What the elements of an array can be.
#[derive(Clone, PartialEq, Debug)]
pub enum Source {
    /// The elements of an array variable.
    Contents(Dimension),
    /// The value of a form.
    Value(Form),
    /// Anything.
    Anything,
}

/// The value of a part of a term that is not linear.
#[derive(Clone, PartialEq, Debug)]
pub enum Definition {
    /// The Euclidean remainder by a positive number.
    Modulo(Form, Integer),
    /// The Euclidean quotient by a positive number.
    Quotient(Form, Integer),
    /// The Euclidean remainder by a form.
    ModuloBy(Form, Form),
    /// The Euclidean quotient by a form.
    QuotientBy(Form, Form),
    /// The quotient of reals.
    Ratio(Form, Form),
    /// A product.
    Product(Vec<Form>),
    /// The largest integer that is not larger.
    Floor(Form),
    /// One of two values.
    Choice {
        /// When it is the first.
        condition: Condition,
        /// When it is the second.
        negation: Condition,
        /// The first.
        then: Form,
        /// The second.
        otherwise: Form,
    },
    /// One of the elements of an array.
    Element(Vec<Source>),
}

/// A new value of a variable.
#[derive(Clone, PartialEq, Debug)]
pub enum Update {
    /// The value of a form.
    Form(Form),
    /// The elements of an array.
    Contents(Vec<Source>),
    /// Anything.
    Forget,
}

/// What an edge does.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// Variables that get arbitrary values first; the rest speaks of those values.
    pub havoc: Vec<Dimension>,
    /// The parts of terms that are not linear, each after those that it uses.
    pub definitions: Vec<(Dimension, Definition)>,
    /// When the edge can be taken.
    pub guard: Vec<Condition>,
    /// The new values, all over the state before them.
    pub updates: Vec<(Dimension, Update)>,
    /// The dimensions that are no variables.
    pub scratch: Vec<Dimension>,
}

impl Condition {
    /// The condition about other dimensions.
    fn renamed(&self, rename: &impl Fn(Dimension) -> Dimension) -> Condition {
        let parts = |parts: &[Condition]| parts.iter().map(|part| part.renamed(rename)).collect();
        match self {
            Condition::Unknown => Condition::Unknown,
            Condition::Never => Condition::Never,
            Condition::Compare(comparison, form) => Condition::Compare(*comparison, form.renamed(rename)),
            Condition::All(all) => Condition::All(parts(all)),
            Condition::Any(any) => Condition::Any(parts(any)),
        }
    }
}

impl Source {
    fn renamed(&self, rename: &impl Fn(Dimension) -> Dimension) -> Source {
        match self {
            Source::Contents(array) => Source::Contents(rename(*array)),
            Source::Value(form) => Source::Value(form.renamed(rename)),
            Source::Anything => Source::Anything,
        }
    }
}

impl Definition {
    fn renamed(&self, rename: &impl Fn(Dimension) -> Dimension) -> Definition {
        let of = |form: &Form| form.renamed(rename);
        match self {
            Definition::Modulo(form, divisor) => Definition::Modulo(of(form), divisor.clone()),
            Definition::Quotient(form, divisor) => Definition::Quotient(of(form), divisor.clone()),
            Definition::ModuloBy(form, divisor) => Definition::ModuloBy(of(form), of(divisor)),
            Definition::QuotientBy(form, divisor) => Definition::QuotientBy(of(form), of(divisor)),
            Definition::Ratio(form, divisor) => Definition::Ratio(of(form), of(divisor)),
            Definition::Product(factors) => Definition::Product(factors.iter().map(of).collect()),
            Definition::Floor(form) => Definition::Floor(of(form)),
            Definition::Choice { condition, negation, then, otherwise } => Definition::Choice {
                condition: condition.renamed(rename),
                negation: negation.renamed(rename),
                then: of(then),
                otherwise: of(otherwise),
            },
            Definition::Element(sources) => {
                Definition::Element(sources.iter().map(|source| source.renamed(rename)).collect())
            }
        }
    }
}

impl Code {
    /// Leaves these variables as they are.
    pub(crate) fn forget_updates(&mut self, variables: &[Dimension]) {
        if !variables.is_empty() {
            let variables: FxHashSet<Dimension> = variables.iter().copied().collect();
            self.havoc.retain(|variable| !variables.contains(variable));
            self.updates.retain(|(variable, _)| !variables.contains(variable));
        }
    }

    /// The code about other dimensions; those of different variables that it speaks of stay different.
    pub(crate) fn renamed(&self, rename: impl Fn(Dimension) -> Dimension) -> Code {
        let update = |update: &Update| match update {
            Update::Form(form) => Update::Form(form.renamed(&rename)),
            Update::Contents(sources) => {
                Update::Contents(sources.iter().map(|source| source.renamed(&rename)).collect())
            }
            Update::Forget => Update::Forget,
        };
        Code {
            havoc: self.havoc.iter().map(|&dimension| rename(dimension)).collect(),
            definitions: self
                .definitions
                .iter()
                .map(|(part, definition)| (*part, definition.renamed(&rename)))
                .collect(),
            guard: self.guard.iter().map(|condition| condition.renamed(&rename)).collect(),
            updates: self.updates.iter().map(|(target, value)| (rename(*target), update(value))).collect(),
            scratch: self.scratch.clone(),
        }
    }
}

/// Translates terms.
pub struct Compiler<'a> {
    /// The dimensions.
    pub space: &'a mut Space,
    /// The terms.
    pub terms: &'a mut Terms,
    /// The variables of the program.
    pub variables: &'a Variables,
    /// Auxiliary constants that stand for the value of a variable after it was forgotten.
    standing_for: FxHashMap<Symbol, Dimension>,
    code: Code,
    defined: FxHashSet<Dimension>,
    parts: usize,
}

impl<'a> Compiler<'a> {
    /// Ready to translate one edge.
    pub fn new(space: &'a mut Space, terms: &'a mut Terms, variables: &'a Variables) -> Compiler<'a> {
        Compiler {
            space,
            terms,
            variables,
            standing_for: FxHashMap::default(),
            code: Code::default(),
            defined: FxHashSet::default(),
            parts: 0,
        }
    }

    /// The code of an internal edge.
    pub fn relation(mut self, relation: &Relation) -> Code {
        self.find_havoc(relation);
        let guard = self.condition(relation.guard, true, 0);
        self.code.guard = match guard {
            Condition::All(parts) => parts,
            Condition::Unknown => Vec::new(),
            other => vec![other],
        };
        for &(var, value) in &relation.updates {
            let dimension = Space::of_var(var);
            if !self.code.havoc.contains(&dimension) {
                let update = self.update(value);
                self.code.updates.push((dimension, update));
            }
        }
        self.code
    }

    /// The code of a formula that is assumed.
    pub fn assume(mut self, formula: Term) -> Code {
        let guard = self.condition(formula, true, 0);
        self.code.guard.push(guard);
        self.code
    }

    /// The code of a call: updates are the bindings, over the caller's state.
    pub fn call(mut self, call: &Call) -> Code {
        for &(var, value) in &call.bindings {
            let update = self.update(value);
            self.code.updates.push((Space::of_var(var), update));
        }
        self.code
    }

    /// `x := any` with a guard about `any` is: forget x, then the guard about x; unless somebody needs the old x.
    fn find_havoc(&mut self, relation: &Relation) {
        let mut roots = vec![relation.guard];
        roots.extend(relation.updates.iter().map(|&(_, value)| value));
        let read = self.terms.free_symbols_of(&roots);
        for &(var, value) in &relation.updates {
            let Some(symbol) = self.terms.as_symbol(value) else { continue };
            let auxiliary = relation.auxiliaries.binary_search(&symbol).is_ok();
            let old_is_read = read.binary_search(&self.variables[var].symbol).is_ok();
            if auxiliary && !old_is_read && !self.standing_for.contains_key(&symbol) {
                self.standing_for.insert(symbol, Space::of_var(var));
                self.code.havoc.push(Space::of_var(var));
            }
        }
    }

    fn update(&mut self, value: Term) -> Update {
        let sort = self.terms.sort_of(value);
        if sort.is_arithmetic() {
            return Update::Form(self.form(value, 0));
        }
        if sort == Sort::BOOL {
            return Update::Form(self.truth(value, 0));
        }
        if self.terms.array_parts(sort).is_some() {
            return Update::Contents(self.contents(value));
        }
        Update::Forget
    }

    fn symbol(&mut self, term: Term, symbol: Symbol) -> Dimension {
        if let Some(&variable) = self.standing_for.get(&symbol) {
            return variable;
        }
        match self.variables.of_symbol(symbol) {
            Some(var) => Space::of_var(var),
            None => self.scratch(term),
        }
    }

    fn scratch(&mut self, term: Term) -> Dimension {
        let dimension = self.space.of_term(term, self.terms);
        if self.defined.insert(dimension) {
            self.code.scratch.push(dimension);
        }
        dimension
    }

    /// Is there room for one more part?
    fn room(&mut self, depth: usize) -> bool {
        self.parts += 1;
        self.parts <= limits::MOST_PARTS && depth <= limits::MOST_NESTED
    }

    /// The linear form of an arithmetic term.
    fn form(&mut self, term: Term, depth: usize) -> Form {
        let linear = self.terms.linear(term);
        let mut form = Form::constant(linear.constant);
        for (part, coefficient) in linear.monomials {
            form.add_scaled(&self.part(part, depth), &coefficient);
        }
        form
    }

    /// The form of a term that is no sum: a dimension, with its definition if it has one.
    fn part(&mut self, term: Term, depth: usize) -> Form {
        if let Op::Symbol(symbol) = self.terms.op(term) {
            return Form::dimension(self.symbol(term, symbol));
        }
        let depth = depth + 1;
        let arguments = self.terms.args(term).to_vec();
        if self.terms.op(term) == Op::ToReal {
            return self.form(arguments[0], depth);
        }
        let dimension = self.space.of_term(term, self.terms);
        if self.defined.contains(&dimension) || !self.room(depth) {
            return Form::dimension(self.scratch(term));
        }
        let definition = match self.terms.op(term) {
            Op::Mod | Op::Div => Some(self.division(term, &arguments, depth)),
            Op::Divide => {
                Some(Definition::Ratio(self.form(arguments[0], depth), self.form(arguments[1], depth)))
            }
            Op::Mul => {
                Some(Definition::Product(arguments.iter().map(|&factor| self.form(factor, depth)).collect()))
            }
            Op::ToInt => Some(Definition::Floor(self.form(arguments[0], depth))),
            Op::Ite => {
                let (then, otherwise) = (self.form(arguments[1], depth), self.form(arguments[2], depth));
                Some(self.choice(arguments[0], then, otherwise, depth))
            }
            Op::Select => Some(Definition::Element(self.contents(arguments[0]))),
            _ => None,
        };
        let dimension = self.scratch(term);
        self.code.definitions.extend(definition.map(|definition| (dimension, definition)));
        Form::dimension(dimension)
    }

    fn division(&mut self, term: Term, arguments: &[Term], depth: usize) -> Definition {
        let divisor = self.terms.as_integer(arguments[1]).filter(|divisor| divisor.is_positive()).cloned();
        let is_mod = self.terms.op(term) == Op::Mod;
        let dividend = self.form(arguments[0], depth);
        match divisor {
            Some(divisor) if is_mod => Definition::Modulo(dividend, divisor),
            Some(divisor) => Definition::Quotient(dividend, divisor),
            None => {
                let divisor = self.form(arguments[1], depth);
                if is_mod {
                    Definition::ModuloBy(dividend, divisor)
                } else {
                    Definition::QuotientBy(dividend, divisor)
                }
            }
        }
    }

    fn choice(&mut self, condition: Term, then: Form, otherwise: Form, depth: usize) -> Definition {
        let negation = self.condition(condition, false, depth);
        let condition = self.condition(condition, true, depth);
        Definition::Choice { condition, negation, then, otherwise }
    }

    /// A truth value as a number.
    fn truth(&mut self, term: Term, depth: usize) -> Form {
        let number = |value: i32| Form::constant(Integer::from(value).into());
        match self.terms.op(term) {
            Op::True => number(1),
            Op::False => number(0),
            Op::Symbol(symbol) => Form::dimension(self.symbol(term, symbol)),
            _ => {
                let dimension = self.space.of_term(term, self.terms);
                if self.defined.contains(&dimension) || !self.room(depth) {
                    return Form::dimension(self.scratch(term));
                }
                let definition = match self.terms.op(term) {
                    Op::Select => {
                        let array = self.terms.args(term)[0];
                        Some(Definition::Element(self.contents(array)))
                    }
                    Op::Apply(_) | Op::Quantified(..) => None,
                    _ => Some(self.choice(term, number(1), number(0), depth + 1)),
                };
                let dimension = self.scratch(term);
                self.code.definitions.extend(definition.map(|definition| (dimension, definition)));
                Form::dimension(dimension)
            }
        }
    }

    /// What the elements of an array can be. Stores are followed without recursion.
    fn contents(&mut self, array: Term) -> Vec<Source> {
        let mut sources = Vec::new();
        let mut pending = vec![array];
        while let Some(term) = pending.pop() {
            let arguments = self.terms.args(term).to_vec();
            let sort = self.terms.sort_of(term);
            if !self.room(0) {
                return vec![Source::Anything];
            }
            match self.terms.op(term) {
                _ if sort.is_arithmetic() => {
                    let form = self.form(term, limits::MOST_NESTED / 2);
                    sources.push(Source::Value(form));
                }
                _ if sort == Sort::BOOL => {
                    let form = self.truth(term, limits::MOST_NESTED / 2);
                    sources.push(Source::Value(form));
                }
                Op::Symbol(symbol) => sources.push(Source::Contents(self.symbol(term, symbol))),
                Op::Store => pending.extend([arguments[0], arguments[2]]),
                Op::Select | Op::ConstArray(_) => pending.push(arguments[0]),
                Op::Ite => pending.extend([arguments[1], arguments[2]]),
                _ => sources.push(Source::Anything),
            }
        }
        sources
    }

    /// The formula, or its negation if it is not `wanted`.
    fn condition(&mut self, term: Term, wanted: bool, depth: usize) -> Condition {
        if !self.room(depth) {
            return Condition::Unknown;
        }
        let arguments = self.terms.args(term).to_vec();
        let depth = depth + 1;
        match self.terms.op(term) {
            Op::True | Op::False => {
                if term.is_true() == wanted {
                    Condition::Unknown
                } else {
                    Condition::Never
                }
            }
            Op::Not => self.condition(arguments[0], !wanted, depth),
            Op::And | Op::Or => {
                let parts = arguments.iter().map(|&part| self.condition(part, wanted, depth)).collect();
                if (self.terms.op(term) == Op::And) == wanted { all(parts) } else { any(parts) }
            }
            Op::Ite => {
                let mut both = Vec::new();
                for (branch, holds) in [(arguments[1], true), (arguments[2], false)] {
                    let condition = self.condition(arguments[0], holds, depth);
                    both.push(all(vec![condition, self.condition(branch, wanted, depth)]));
                }
                any(both)
            }
            Op::Eq => self.equation(&arguments, wanted, depth),
            Op::Le | Op::Lt => {
                let strict = self.terms.op(term) == Op::Lt;
                let difference = self.form(arguments[0], depth).minus(&self.form(arguments[1], depth));
                match (wanted, strict) {
                    (true, false) => Condition::Compare(Comparison::AtMost, difference),
                    (true, true) => Condition::Compare(Comparison::Less, difference),
                    (false, false) => Condition::Compare(Comparison::Less, difference.negated()),
                    (false, true) => Condition::Compare(Comparison::AtMost, difference.negated()),
                }
            }
            Op::Symbol(_) | Op::Select => {
                let mut form = self.truth(term, depth);
                if wanted {
                    form.constant -= logic::Rational::one();
                }
                Condition::Compare(Comparison::Equal, form)
            }
            _ => Condition::Unknown,
        }
    }

    fn equation(&mut self, arguments: &[Term], wanted: bool, depth: usize) -> Condition {
        let sort = self.terms.sort_of(arguments[0]);
        if sort.is_arithmetic() {
            let difference = self.form(arguments[0], depth).minus(&self.form(arguments[1], depth));
            let comparison = if wanted { Comparison::Equal } else { Comparison::Different };
            return Condition::Compare(comparison, difference);
        }
        if sort != Sort::BOOL {
            return Condition::Unknown;
        }
        let mut both = Vec::new();
        for holds in [true, false] {
            let left = self.condition(arguments[0], holds, depth);
            both.push(all(vec![left, self.condition(arguments[1], holds == wanted, depth)]));
        }
        any(both)
    }
}

fn all(parts: Vec<Condition>) -> Condition {
    let mut kept = Vec::new();
    for part in parts {
        match part {
            Condition::Never => return Condition::Never,
            Condition::Unknown => {}
            Condition::All(inner) => kept.extend(inner),
            other => kept.push(other),
        }
    }
    match kept.len() {
        0 => Condition::Unknown,
        1 => kept.remove(0),
        _ => Condition::All(kept),
    }
}

fn any(parts: Vec<Condition>) -> Condition {
    let mut kept = Vec::new();
    for part in parts {
        match part {
            Condition::Unknown => return Condition::Unknown,
            Condition::Never => {}
            Condition::Any(inner) => kept.extend(inner),
            other => kept.push(other),
        }
    }
    match kept.len() {
        0 => Condition::Never,
        1 => kept.remove(0),
        _ => Condition::Any(kept),
    }
}
