//! Formulas for people: Boogie's syntax and names, or for a program that was C, C's names.
//!
//! A formula about a C program may speak of things that C cannot: intermediate values of the translation, bases of
//! objects, memory as a whole. Such parts are left out where that makes the formula weaker, so what is shown still
//! holds; a formula of which nothing remains is not shown. A cell of memory is shown as the object's part
//! that it is, or as what a pointer points to. Integers are mathematical ones, `div` and `mod` round down.

use super::c_execution::is_hidden;
use c::{BackMap, CKind, Part};
use logic::term::Op;
use logic::{Integer, Sort, Substitution, Symbol, Term, Terms};
use program::{Program, VarKind};
use std::collections::{BTreeMap, BTreeSet};

/// Formulas with more cases than this are shown as they are.
const MOST_CASES: usize = 200;

/// The text of a formula that holds, as far as the language of the source can say it.
pub(crate) fn readable(
    program: &Program,
    back: Option<&BackMap>,
    formula: Term,
    terms: &mut Terms,
) -> Option<String> {
    checked(program, back, &[formula], terms, &mut |_, _, _| true)
}

/// Is the second formula a consequence of the first?
pub(crate) type Follows<'f> = &'f mut dyn FnMut(Term, Term, &mut Terms) -> bool;

/// The text of a conjunction, as far as the language of the source can say it. Each conjunct is put into words by itself,
/// and left out if what the words mean is not seen to follow from it.
pub(crate) fn checked(
    program: &Program,
    back: Option<&BackMap>,
    conjuncts: &[Term],
    terms: &mut Terms,
    follows: Follows<'_>,
) -> Option<String> {
    let mut said = Vec::new();
    let Some(back) = back else {
        for &conjunct in conjuncts {
            let shown = absorbed(conjunct, terms);
            if shown == conjunct || follows(conjunct, shown, terms) {
                said.push(shown);
            }
        }
        let said = terms.and(said);
        let name = |symbol| match program.variables.of_symbol(symbol) {
            Some(var) => program.variables[var].name.as_str(),
            None => terms.symbol_data(symbol).name.as_str(),
        };
        return (!said.is_true()).then(|| logic::print::infix_with(terms, said, &name));
    };
    let mut speaker = Speaker { program, back, names: BTreeMap::new(), meanings: BTreeMap::new() };
    for &conjunct in conjuncts {
        let formula = absorbed(conjunct, terms);
        let weaker = speaker.weakened(formula, terms);
        let weaker = absorbed(weaker, terms);
        let meaning = speaker.meaning(weaker, terms);
        if !weaker.is_true() && (meaning == conjunct || follows(conjunct, meaning, terms)) {
            said.push(weaker);
        }
    }
    let said = terms.and(said);
    if said.is_true() {
        return None;
    }
    let names = speaker.distinct_names();
    let name = |symbol| names.get(&symbol).map_or(terms.symbol_data(symbol).name.as_str(), String::as_str);
    Some(logic::print::infix_with(terms, said, &name))
}

/// Without the cases that another case contains: `(a && b) || a` is `a`.
fn absorbed(formula: Term, terms: &mut Terms) -> Term {
    let cases: Vec<BTreeSet<Term>> = terms
        .disjuncts(formula)
        .into_iter()
        .map(|case| terms.conjuncts(case).into_iter().collect())
        .collect();
    if cases.len() < 2 || cases.len() > MOST_CASES {
        return formula;
    }
    let contained = |at: usize| {
        let narrower = |(other, parts): (usize, &BTreeSet<Term>)| {
            parts.is_subset(&cases[at]) && (parts.len() < cases[at].len() || other < at)
        };
        cases.iter().enumerate().any(|(other, parts)| other != at && narrower((other, parts)))
    };
    let kept: Vec<Term> = (0..cases.len())
        .filter(|&at| !contained(at))
        .map(|at| terms.and(cases[at].iter().copied()))
        .collect();
    terms.or(kept)
}

struct Speaker<'p> {
    program: &'p Program,
    back: &'p BackMap,
    /// What symbols are called.
    names: BTreeMap<Symbol, String>,
    /// What the symbols stand for that were made for cells and pointers.
    meanings: BTreeMap<Symbol, Term>,
}

impl Speaker<'_> {
    /// A consequence of the formula that C can say.
    fn weakened(&mut self, formula: Term, terms: &mut Terms) -> Term {
        // Conjunctions and disjunctions are monotone; below them a part is said as a whole or not at all. Two levels
        // are what invariants have.
        let mut cases = Vec::new();
        for case in terms.disjuncts(formula) {
            let mut parts = Vec::new();
            for part in terms.conjuncts(case) {
                if matches!(terms.op(part), Op::Or) {
                    let mut inner = Vec::new();
                    for choice in terms.disjuncts(part) {
                        let all = terms.conjuncts(choice);
                        let said: Vec<Term> =
                            all.into_iter().filter_map(|one| self.said(one, terms)).collect();
                        inner.push(terms.and(said));
                    }
                    parts.push(terms.or(inner));
                } else {
                    parts.extend(self.said(part, terms));
                }
            }
            cases.push(terms.and(parts));
        }
        terms.or(cases)
    }

    /// The formula in C's words, if all of it can be said.
    fn said(&mut self, formula: Term, terms: &mut Terms) -> Option<Term> {
        let formula = self.null_test(formula, terms).unwrap_or(formula);
        let mut replaced: BTreeMap<Term, Term> = BTreeMap::new();
        let mut subterms = Vec::new();
        terms.for_each_subterm(&[formula], |term| subterms.push(term));
        // C has no words for operations on bit patterns.
        if subterms.iter().any(|&term| matches!(terms.op(term), Op::Float(_))) {
            return None;
        }
        for term in subterms {
            if let Some(name) = self.cell(term, terms) {
                let constant = self.word(name, term, terms)?;
                replaced.insert(term, constant);
            }
        }
        let said = if replaced.is_empty() {
            formula
        } else {
            let mut done = replaced.into_iter().collect();
            terms.transform(formula, &mut done, |_, _| None)
        };
        for symbol in terms.free_symbols(said) {
            if !self.names.contains_key(&symbol) {
                let name = self.variable(symbol)?;
                self.names.insert(symbol, name);
            }
        }
        Some(said)
    }

    /// A constant of that name for a term. Nothing if the name already stands for another term: one name must not mean
    /// two things.
    fn word(&mut self, name: String, term: Term, terms: &mut Terms) -> Option<Term> {
        let symbol = terms.symbol(&format!("#said {name}"), Sort::INT);
        if *self.meanings.entry(symbol).or_insert(term) != term {
            return None;
        }
        self.names.insert(symbol, name);
        Some(terms.constant(symbol))
    }

    /// What a formula in C's words means for the program.
    fn meaning(&self, said: Term, terms: &mut Terms) -> Term {
        let mut back: Substitution = self.meanings.iter().map(|(&symbol, &term)| (symbol, term)).collect();
        back.apply(terms, said)
    }

    /// The name of a variable whose values are C values.
    fn variable(&self, symbol: Symbol) -> Option<String> {
        let data = &self.program.variables[self.program.variables.of_symbol(symbol)?];
        let meaning = self.back.variables.get(&data.source?)?;
        let is_told = meaning.part == Part::Whole && !is_hidden(&meaning.name);
        if !is_told || matches!(meaning.kind, CKind::Floating(_)) {
            return None;
        }
        // A formula has indices of its own where an array is meant.
        let name = meaning.name.split("[]").next()?.to_owned();
        if meaning.name.matches("[]").count() > 0 && !meaning.name.ends_with("[]") {
            return None;
        }
        Some(if matches!(data.kind, VarKind::Old(_)) { format!("\\old({name})") } else { name })
    }

    /// The base of a pointer variable: the name of the pointer.
    fn pointer(&self, term: Term, part: Part, terms: &Terms) -> Option<String> {
        let data = &self.program.variables[self.program.variables.of_symbol(terms.as_symbol(term)?)?];
        let meaning = self.back.variables.get(&data.source?)?;
        let plain =
            meaning.part == part && !meaning.name.contains("[]") && !matches!(data.kind, VarKind::Old(_));
        plain.then(|| meaning.name.clone())
    }

    /// `p.base = 0`, or its negation, as a comparison of `p`.
    fn null_test(&mut self, formula: Term, terms: &mut Terms) -> Option<Term> {
        let negated = matches!(terms.op(formula), Op::Not);
        let atom = if negated { terms.args(formula)[0] } else { formula };
        if !matches!(terms.op(atom), Op::Eq) {
            return None;
        }
        let [left, right] = [terms.args(atom)[0], terms.args(atom)[1]];
        let zero = terms.int(0);
        let base = if left == zero { right } else { left };
        if base == zero || (left != zero && right != zero) {
            return None;
        }
        let name = self.pointer(base, Part::Base, terms)?;
        let pointer = self.word(name, base, terms)?;
        let test = terms.eq(pointer, zero);
        Some(if negated { terms.not(test) } else { test })
    }

    /// The C name of an integer in memory: at a fixed place, or where a pointer points to.
    fn cell(&self, term: Term, terms: &Terms) -> Option<String> {
        let (inner, index) = select(term, terms)?;
        let (map, base) = match terms.as_symbol(inner) {
            Some(_) => (inner, None),
            None => select(inner, terms).map(|(map, base)| (map, Some(base)))?,
        };
        let data = &self.program.variables[self.program.variables.of_symbol(terms.as_symbol(map)?)?];
        let memory = self.back.memory.get(&data.source?)?;
        let (base, offset) = match (memory.only, memory.by_offset, base) {
            (Some(only), _, None) => (Base::Fixed(only), Some(index)),
            (None, true, Some(base)) => (Base::Term(base), Some(index)),
            (None, false, None) => (Base::Term(index), None),
            _ => return None,
        };
        let integers = matches!(memory.cell, Some((_, CKind::Integer | CKind::Character)));
        if memory.part != Part::Whole || !integers {
            return None;
        }
        let small = |number: &Integer| u64::try_from(number.clone()).ok();
        let fixed = match base {
            Base::Fixed(base) => Some(base),
            Base::Term(base) => terms.as_integer(base).and_then(small),
        };
        let name = if let Some(base) = fixed {
            let at = match offset {
                Some(offset) => Some(terms.as_integer(offset).and_then(small)?),
                None => None,
            };
            self.back.objects.get(&base)?;
            let name = self.back.cell(memory, base, at);
            (!name.contains(" at byte ")).then_some(name)?
        } else {
            let Base::Term(base) = base else { return None };
            let pointer = self.pointer(base, Part::Base, terms)?;
            let Some(offset) = offset else {
                return Some(self.as_of(
                    data.kind,
                    match &memory.member {
                        Some(member) => format!("{pointer}->{}", member.name),
                        None => format!("*{pointer}"),
                    },
                ));
            };
            let linear = terms.linear(offset);
            let [(start, factor)] = &linear.monomials[..] else { return None };
            if *factor != logic::Rational::from(Integer::from(1))
                || self.pointer(*start, Part::Offset, terms)? != pointer
            {
                return None;
            }
            let bytes = i64::try_from(linear.constant.to_integer()).ok()?;
            let (size, _) = memory.cell?;
            let stride = memory.member.as_ref().map_or(size, |member| member.stride);
            let inside = bytes - memory.member.as_ref().map_or(0, |member| member.offset).cast_signed();
            let index = inside
                .checked_div(stride.cast_signed())
                .filter(|index| index * stride.cast_signed() == inside)?;
            match (&memory.member, index) {
                (Some(member), 0) => format!("{pointer}->{}", member.name),
                (Some(member), _) => format!("{pointer}[{index}].{}", member.name),
                (None, 0) => format!("*{pointer}"),
                (None, _) => format!("{pointer}[{index}]"),
            }
        };
        Some(self.as_of(data.kind, name))
    }

    /// A name, as of the entry of the function if that is meant.
    fn as_of(&self, kind: VarKind, name: String) -> String {
        if matches!(kind, VarKind::Old(_)) { format!("\\old({name})") } else { name }
    }

    /// Variables of one name in different scopes, or in copies of one function, are told apart by primes.
    fn distinct_names(&self) -> BTreeMap<Symbol, String> {
        let mut used: BTreeMap<&str, usize> = BTreeMap::new();
        let mut names = BTreeMap::new();
        for (&symbol, name) in &self.names {
            let count = used.entry(name).or_insert(0);
            *count += 1;
            names.insert(symbol, format!("{name}{}", "'".repeat(*count - 1)));
        }
        names
    }
}

/// The object of a cell.
#[derive(Clone, Copy)]
enum Base {
    Fixed(u64),
    Term(Term),
}

fn select(term: Term, terms: &Terms) -> Option<(Term, Term)> {
    match (terms.op(term), terms.args(term)) {
        (Op::Select, &[map, index]) => Some((map, index)),
        _ => None,
    }
}
