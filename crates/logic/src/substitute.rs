//! Replacing symbols by terms, and the way into and out of quantifiers.
//!
//! Every function visits each distinct node once (per depth of quantifiers, where depth matters), does not
//! recurse on the host's stack, and rebuilds through the canonical constructors.

use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::{Binder, BinderData, Op, Quantifier, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// A simultaneous replacement of symbols, with what it already did.
#[derive(Clone, Default, Debug)]
pub struct Substitution {
    images: FxHashMap<Symbol, Term>,
    done: FxHashMap<Term, Term>,
}

impl Substitution {
    /// Replaces nothing.
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// Replaces `symbol` by `image`, which has its sort.
    pub fn insert(&mut self, symbol: Symbol, image: Term) {
        self.images.insert(symbol, image);
        self.done.clear();
    }

    /// What a symbol is replaced by.
    pub fn image(&self, symbol: Symbol) -> Option<Term> {
        self.images.get(&symbol).copied()
    }

    /// Does it replace nothing?
    pub fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    /// The term after the replacement.
    pub fn apply(&mut self, terms: &mut Terms, term: Term) -> Term {
        if self.images.is_empty() {
            return term;
        }
        let images = &self.images;
        let mut done = std::mem::take(&mut self.done);
        let result = terms.transform(term, &mut done, |terms, node| match terms.op(node) {
            Op::Symbol(symbol) => Some(images.get(&symbol).copied().unwrap_or(node)),
            _ => None,
        });
        self.done = done;
        result
    }
}

impl FromIterator<(Symbol, Term)> for Substitution {
    fn from_iter<I: IntoIterator<Item = (Symbol, Term)>>(pairs: I) -> Substitution {
        Substitution { images: pairs.into_iter().collect(), done: FxHashMap::default() }
    }
}

/// A quantified formula with fresh symbols for its bound variables.
pub struct Opened {
    /// The symbols.
    pub variables: Vec<Symbol>,
    /// The body over them.
    pub body: Term,
    /// The triggers over them.
    pub triggers: Vec<Vec<Term>>,
}

impl Terms {
    /// Rebuilds a term bottom-up. `change` sees each node before its arguments and may replace it.
    /// `done` holds and receives what each node became.
    pub fn transform(
        &mut self,
        root: Term,
        done: &mut FxHashMap<Term, Term>,
        mut change: impl FnMut(&mut Terms, Term) -> Option<Term>,
    ) -> Term {
        let mut pending = vec![root];
        while let Some(&top) = pending.last() {
            if done.contains_key(&top) {
                pending.pop();
                continue;
            }
            if let Some(changed) = change(self, top) {
                done.insert(top, changed);
                pending.pop();
                continue;
            }
            let before = pending.len();
            pending.extend(self.args(top).iter().filter(|&argument| !done.contains_key(argument)));
            if pending.len() > before {
                continue;
            }
            let arguments: Vec<Term> = self.args(top).iter().map(|argument| done[argument]).collect();
            let rebuilt = self.rebuild(top, &arguments);
            done.insert(top, rebuilt);
            pending.pop();
        }
        done[&root]
    }

    /// The operator of `term` with other arguments, through the canonical constructors.
    pub fn rebuild(&mut self, term: Term, arguments: &[Term]) -> Term {
        if self.args(term) == arguments {
            return term;
        }
        match self.op(term) {
            Op::Quantified(quantifier, binder) => self.requantify(term, quantifier, binder, arguments),
            op => self.made(op, arguments),
        }
    }

    /// An operator with arguments, which is no quantifier, through the canonical constructors.
    pub(crate) fn made(&mut self, op: Op, arguments: &[Term]) -> Term {
        match (op, arguments) {
            (Op::Not, &[a]) => self.not(a),
            (Op::And, _) => self.and(arguments.iter().copied()),
            (Op::Or, _) => self.or(arguments.iter().copied()),
            (Op::Eq, &[a, b]) => self.eq(a, b),
            (Op::Ite, &[c, a, b]) => self.ite(c, a, b),
            (Op::Add, _) => self.add(arguments),
            (Op::Scale(number), &[a]) => {
                let factor = self.number_value(number).clone();
                self.scaled(a, &factor)
            }
            (Op::Mul, _) => self.mul(arguments),
            (Op::Le, &[a, b]) => self.le(a, b),
            (Op::Lt, &[a, b]) => self.lt(a, b),
            (Op::Div, &[a, b]) => self.div(a, b),
            (Op::Mod, &[a, b]) => self.modulo(a, b),
            (Op::Divide, &[a, b]) => self.divide(a, b),
            (Op::ToReal, &[a]) => self.to_real(a),
            (Op::ToInt, &[a]) => self.to_int(a),
            (Op::Select, &[a, i]) => self.select(a, i),
            (Op::Store, &[a, i, v]) => self.store(a, i, v),
            (Op::ConstArray(sort), &[a]) => self.const_array(sort, a),
            (Op::Apply(function), _) => self.apply(function, arguments),
            (Op::BvNot | Op::BvNeg, &[a]) => self.bv_unary(op, a),
            (Op::BvUle, &[a, b]) => self.bv_ule(a, b),
            (Op::BvSle, &[a, b]) => self.bv_sle(a, b),
            (Op::Concat, &[a, b]) => self.concat(a, b),
            (Op::Extract { high, low }, &[a]) => self.extract(high, low, a),
            (Op::ZeroExtend(by), &[a]) => self.zero_extend(by, a),
            (Op::SignExtend(by), &[a]) => self.sign_extend(by, a),
            (Op::BvToNat, &[a]) => self.bv_to_nat(a),
            (Op::IntToBv(width), &[a]) => self.int_to_bv(width, a),
            (Op::Float(operation), _) => self.float(operation, arguments),
            (_, &[a, b]) => self.bv_binary(op, a, b),
            _ => unreachable!("{op:?} is no operator with these arguments"),
        }
    }

    /// A quantified formula with another body and other patterns, in which some of its variables may be gone.
    fn requantify(&mut self, term: Term, quantifier: Quantifier, binder: Binder, arguments: &[Term]) -> Term {
        let body = arguments[0];
        if body.is_true() || body.is_false() {
            return body;
        }
        let names = self.quantifier_names(term).to_vec();
        let op = Op::Quantified(quantifier, binder);
        let mut used = vec![false; names.len()];
        self.mark_used(body, &mut used);
        if used.iter().all(|&used| used) {
            let requantified = self.intern(op, arguments, Sort::BOOL);
            self.name_quantifier(requantified, || names);
            return requantified;
        }
        let Opened { variables, body, triggers } = self.open_parts(binder, &names, arguments);
        self.quantify_named(quantifier, &variables, &names, body, &triggers)
    }

    /// A quantified formula with another body over the same bound variables, and its dual if `dual`.
    pub(crate) fn with_body(&mut self, quantified: Term, body: Term, dual: bool) -> Term {
        let Op::Quantified(quantifier, binder) = self.op(quantified) else {
            panic!("{quantified} is no quantified formula")
        };
        let quantifier = if dual { quantifier.dual() } else { quantifier };
        let mut arguments = self.args(quantified).to_vec();
        arguments[0] = body;
        self.requantify(quantified, quantifier, binder, &arguments)
    }

    /// Marks which variables of a binder occur in its body.
    fn mark_used(&self, body: Term, used: &mut [bool]) {
        let count = used.len() as u32;
        let mut seen: FxHashSet<(Term, u32)> = FxHashSet::default();
        let mut pending = vec![(body, 0)];
        while let Some((term, depth)) = pending.pop() {
            if self.loose(term) <= depth || !seen.insert((term, depth)) {
                continue;
            }
            let inside = match self.op(term) {
                Op::Bound(index) if index < depth + count => {
                    used[(count - 1 - (index - depth)) as usize] = true;
                    continue;
                }
                Op::Quantified(_, binder) => depth + self.binder_data(binder).sorts.len() as u32,
                _ => depth,
            };
            pending.extend(self.args(term).iter().map(|&argument| (argument, inside)));
        }
    }

    /// Quantifies named symbols in a formula. Every trigger is a list of patterns over them.
    pub fn quantify(
        &mut self,
        quantifier: Quantifier,
        variables: &[Symbol],
        body: Term,
        triggers: &[Vec<Term>],
    ) -> Term {
        let names: Vec<String> = variables.iter().map(|&v| self.symbol_data(v).name.clone()).collect();
        self.quantify_named(quantifier, variables, &names, body, triggers)
    }

    /// Like [`quantify`](Terms::quantify), with the names that the bound variables have in print.
    pub(crate) fn quantify_named(
        &mut self,
        quantifier: Quantifier,
        variables: &[Symbol],
        names: &[String],
        body: Term,
        triggers: &[Vec<Term>],
    ) -> Term {
        debug_assert_eq!(self.sort_of(body), Sort::BOOL);
        let free = self.free_symbols(body);
        let used: Vec<Symbol> = variables.iter().copied().filter(|v| free.binary_search(v).is_ok()).collect();
        if used.is_empty() || body.is_true() || body.is_false() {
            return body;
        }
        // A pattern must not mention a variable that is no longer bound.
        let dropped = |terms: &Terms, pattern: Term| {
            terms.free_symbols(pattern).iter().any(|s| variables.contains(s) && !used.contains(s))
        };
        let triggers: Vec<Vec<Term>> = triggers
            .iter()
            .filter(|trigger| !trigger.iter().any(|&pattern| dropped(self, pattern)))
            .cloned()
            .collect();
        let mut arguments = vec![self.close(body, &used)];
        for &pattern in triggers.iter().flatten() {
            let closed = self.close(pattern, &used);
            arguments.push(closed);
        }
        let sorts = used.iter().map(|&v| self.symbol_data(v).sort).collect();
        let triggers = triggers.iter().map(|trigger| trigger.len() as u32).collect();
        let binder = self.binder(BinderData { sorts, triggers });
        let quantified = self.intern(Op::Quantified(quantifier, binder), &arguments, Sort::BOOL);
        self.name_quantifier(quantified, || {
            let named = variables.iter().zip(names);
            named.filter(|(v, _)| used.contains(v)).map(|(_, name)| name.clone()).collect()
        });
        quantified
    }

    /// Opens a quantified formula: fresh symbols stand for its bound variables.
    pub fn open(&mut self, term: Term) -> Opened {
        let Op::Quantified(_, binder) = self.op(term) else { panic!("{term} is no quantified formula") };
        let names = self.quantifier_names(term).to_vec();
        let arguments = self.args(term).to_vec();
        self.open_parts(binder, &names, &arguments)
    }

    /// The sorts of the variables that a quantified formula binds.
    pub fn bound_sorts_of(&self, term: Term) -> Vec<Sort> {
        let Op::Quantified(_, binder) = self.op(term) else { panic!("{term} is no quantified formula") };
        self.bound_sorts(binder).to_vec()
    }

    /// The body of a quantified formula with closed terms for its bound variables.
    pub(crate) fn instance(&mut self, term: Term, images: &[Term]) -> Term {
        let body = self.args(term)[0];
        self.instantiate(body, images)
    }

    fn open_parts(&mut self, binder: Binder, names: &[String], arguments: &[Term]) -> Opened {
        let BinderData { sorts, triggers: lengths } = self.binder_data(binder).clone();
        let variables: Vec<Symbol> =
            names.iter().zip(&sorts).map(|(name, &sort)| self.fresh_symbol(name, sort)).collect();
        let images: Vec<Term> = variables.iter().map(|&v| self.constant(v)).collect();
        let mut opened = arguments
            .iter()
            .map(|&argument| self.instantiate(argument, &images))
            .collect::<Vec<_>>()
            .into_iter();
        let body = opened.next().expect("a quantified formula has a body");
        let triggers =
            lengths.iter().map(|&length| opened.by_ref().take(length as usize).collect()).collect();
        Opened { variables, body, triggers }
    }

    /// Replaces named symbols by the bound variables of a binder around the term.
    fn close(&mut self, term: Term, variables: &[Symbol]) -> Term {
        let count = variables.len() as u32;
        let index: FxHashMap<Symbol, u32> =
            variables.iter().enumerate().map(|(i, &v)| (v, count - 1 - i as u32)).collect();
        self.rebind(term, |terms, node, depth| match terms.op(node) {
            Op::Symbol(symbol) => Some(match index.get(&symbol) {
                Some(&i) => terms.intern(Op::Bound(i + depth), &[], terms.sort_of(node)),
                None => node,
            }),
            // Variables of binders further out move out by the new one.
            Op::Bound(i) if i >= depth => Some(terms.intern(Op::Bound(i + count), &[], terms.sort_of(node))),
            _ => None,
        })
    }

    /// Replaces the bound variables of the removed binder around the term by closed terms.
    fn instantiate(&mut self, term: Term, images: &[Term]) -> Term {
        let count = images.len() as u32;
        self.rebind(term, |terms, node, depth| match terms.op(node) {
            _ if terms.loose(node) <= depth => Some(node),
            Op::Bound(i) if i - depth < count => Some(images[(count - 1 - (i - depth)) as usize]),
            Op::Bound(i) => Some(terms.intern(Op::Bound(i - count), &[], terms.sort_of(node))),
            _ => None,
        })
    }

    /// Like [`transform`](Terms::transform), but tells how many bound variables lie around a node.
    fn rebind(&mut self, root: Term, mut change: impl FnMut(&mut Terms, Term, u32) -> Option<Term>) -> Term {
        let mut done: FxHashMap<(Term, u32), Term> = FxHashMap::default();
        let mut pending = vec![(root, 0)];
        while let Some(&(top, depth)) = pending.last() {
            if done.contains_key(&(top, depth)) {
                pending.pop();
                continue;
            }
            if let Some(changed) = change(self, top, depth) {
                done.insert((top, depth), changed);
                pending.pop();
                continue;
            }
            let inside = match self.op(top) {
                Op::Quantified(_, binder) => depth + self.binder_data(binder).sorts.len() as u32,
                _ => depth,
            };
            let before = pending.len();
            let arguments = self.args(top).iter().map(|&argument| (argument, inside));
            pending.extend(arguments.filter(|key| !done.contains_key(key)));
            if pending.len() > before {
                continue;
            }
            let arguments: Vec<Term> = self.args(top).iter().map(|&a| done[&(a, inside)]).collect();
            let rebuilt = self.rebuild(top, &arguments);
            done.insert((top, depth), rebuilt);
            pending.pop();
        }
        done[&(root, 0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn substitution_is_simultaneous() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::INT));
        let [tx, ty] = [x, y].map(|symbol| terms.constant(symbol));
        let less = terms.lt(tx, ty);
        let mut swap: Substitution = [(x, ty), (y, tx)].into_iter().collect();
        assert_eq!(swap.apply(&mut terms, less), terms.lt(ty, tx));
    }

    #[test]
    fn bound_names_do_not_matter_and_are_not_captured() {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol(name, Sort::INT));
        let [tx, ty, tz] = [x, y, z].map(|symbol| terms.constant(symbol));
        let over_x = terms.le(tx, tz);
        let over_x = terms.quantify(Quantifier::Exists, &[x], over_x, &[]);
        let over_y = terms.le(ty, tz);
        let over_y = terms.quantify(Quantifier::Exists, &[y], over_y, &[]);
        assert_eq!(over_x, over_y);
        let mut substitution: Substitution = [(z, tx)].into_iter().collect();
        let replaced = substitution.apply(&mut terms, over_x);
        assert_eq!(terms.free_symbols(replaced), [x], "the free x is not the bound one");
    }

    #[test]
    fn nested_quantifiers_open_to_what_they_were_made_of() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::INT));
        let [tx, ty] = [x, y].map(|symbol| terms.constant(symbol));
        let function = terms.function("f", &[Sort::INT, Sort::INT], Sort::INT);
        let pattern = terms.apply(function, &[tx, ty]);
        let body = terms.le(pattern, tx);
        let inner = terms.quantify(Quantifier::Forall, &[y], body, &[vec![pattern]]);
        let outer = terms.quantify(Quantifier::Exists, &[x], inner, &[]);
        assert!(terms.free_symbols(outer).is_empty());
        let opened = terms.open(outer);
        let again = terms.open(opened.body);
        assert_eq!(again.triggers.len(), 1);
        let mut back: Substitution =
            [(opened.variables[0], tx), (again.variables[0], ty)].into_iter().collect();
        assert_eq!(back.apply(&mut terms, again.body), body);
        assert_eq!(back.apply(&mut terms, again.triggers[0][0]), pattern);
    }

    #[test]
    fn variables_that_a_substitution_makes_vanish_are_no_longer_bound() {
        let mut terms = Terms::new();
        let [x, y, p] = [("x", Sort::INT), ("y", Sort::INT), ("p", Sort::BOOL)]
            .map(|(name, sort)| terms.symbol(name, sort));
        let [tx, ty, tp] = [x, y, p].map(|symbol| terms.constant(symbol));
        let zero = terms.int(0);
        let (about_x, about_y) = (terms.le(tx, zero), terms.le(ty, zero));
        let either = terms.or([about_x, tp]);
        let both = terms.and([either, about_y]);
        let both = terms.quantify(Quantifier::Forall, &[x, y], both, &[]);
        let mut substitution: Substitution = [(p, Term::TRUE)].into_iter().collect();
        let replaced = substitution.apply(&mut terms, both);
        assert_eq!(replaced, terms.quantify(Quantifier::Forall, &[y], about_y, &[]));
        assert_eq!(terms.quantifier_names(replaced), ["y"]);
    }
}
