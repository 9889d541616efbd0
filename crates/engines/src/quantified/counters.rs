//! Variables that count, and the ranges of numbers that they have behind and before them.
//!
//! A counter is a variable to which some edge adds a number. Where it begins is what other edges set it to; where it ends
//! is what guards say about it. All that is syntax: a wrong range costs time and nothing else.

use super::limits;
use super::templates::{Templates, replace};
use logic::{Integer, Linear, Op, Rational, Sort, Term, Terms};
use num_traits::{One, Signed, Zero};
use program::{Edge, Program, Relation, Var};
use std::collections::BTreeMap;

/// A variable that counts.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub(super) var: Var,
    pub(super) term: Term,
    /// What is added to it.
    steps: Vec<Integer>,
    /// What it is set to.
    resets: Vec<Term>,
    /// Comparisons with it, also of what equations express by it.
    bounds: Vec<Term>,
    /// Comparisons with the variable itself.
    own_bounds: Vec<Term>,
}

/// A formula about the bound variable, and the counter that must be counting for it to be of use.
pub(super) type Range = (Term, Option<Var>);

/// The counters of a program.
pub(super) fn counters(
    program: &Program,
    terms: &mut Terms,
    equations: &dyn Fn(Edge) -> Vec<Linear>,
) -> Vec<Counter> {
    let mut all: Vec<Counter> = Vec::new();
    for (var, data) in program.variables.iter() {
        if terms.symbol_data(data.symbol).sort == Sort::INT {
            let term = terms.constant(data.symbol);
            all.push(Counter {
                var,
                term,
                steps: Vec::new(),
                resets: Vec::new(),
                bounds: Vec::new(),
                own_bounds: Vec::new(),
            });
        }
    }
    let edges: Vec<Edge> = program.live_edges().collect();
    for counter in &mut all {
        for &edge in &edges {
            let Some(relation) = program.relation(edge) else { continue };
            let Some(update) = relation.update(counter.var) else { continue };
            for leaf in leaves(terms, update) {
                counter.note(program, relation, leaf, terms);
            }
        }
        counter.resets.truncate(limits::MOST_RESETS);
    }
    all.retain(|counter| !counter.steps.is_empty());
    for &edge in &edges {
        let Some(relation) = program.relation(edge) else { continue };
        let atoms = atoms(terms, relation.guard);
        let known = equations(edge);
        for counter in &mut all {
            for &atom in &atoms {
                counter.note_bound(program, atom, &known, terms);
            }
        }
    }
    all
}

/// Equations between counters that begin with numbers on the same edges and count on the same edges.
pub(super) fn relations(program: &Program, terms: &mut Terms) -> Vec<Linear> {
    let mut moves: BTreeMap<(Var, Var), (Rational, Rational)> = BTreeMap::new();
    let mut begins: BTreeMap<(Var, Var), (Rational, Rational)> = BTreeMap::new();
    for edge in program.live_edges() {
        let Some(relation) = program.relation(edge) else { continue };
        let (mut steps, mut numbers) = (Vec::new(), Vec::new());
        for &(var, update) in &relation.updates {
            if terms.sort_of(update) != Sort::INT {
                continue;
            }
            let own = |term: Term| terms.as_symbol(term) == Some(program.variables[var].symbol);
            let form = terms.linear(update);
            match form.monomials.as_slice() {
                [] => numbers.push((var, form.constant)),
                [(term, one)] if own(*term) && one.is_one() => steps.push((var, form.constant)),
                _ => {}
            }
        }
        for (list, pairs) in [(steps, &mut moves), (numbers, &mut begins)] {
            for (position, (first, value)) in list.iter().enumerate() {
                for (second, other) in list[position + 1..].iter().take(limits::MOST_PAIRS) {
                    pairs.entry((*first, *second)).or_insert((value.clone(), other.clone()));
                }
            }
        }
    }
    let mut found = Vec::new();
    for (&(first, second), (step, other)) in &moves {
        let Some((begin, other_begin)) = begins.get(&(first, second)) else { continue };
        // other · (first - begin) = step · (second - other_begin).
        let [first, second] = [first, second].map(|var| program.variables.term(terms, var));
        let mut equation = Linear::constant(step * other_begin - other * begin);
        equation.add_scaled(&terms.linear(first), other);
        equation.add_scaled(&terms.linear(second), &-step.clone());
        found.push(equation);
    }
    found.truncate(limits::MOST_RELATIONS);
    found
}

/// What an update may be: the ends of its branches.
pub(super) fn leaves(terms: &Terms, update: Term) -> Vec<Term> {
    let (mut found, mut pending) = (Vec::new(), vec![update]);
    while let Some(term) = pending.pop() {
        if terms.op(term) == Op::Ite && found.len() + pending.len() < limits::MOST_LEAVES {
            pending.extend(&terms.args(term)[1..]);
        } else if !found.contains(&term) {
            found.push(term);
        }
    }
    found
}

/// The comparisons in a formula.
pub(super) fn atoms(terms: &Terms, formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    terms.for_each_subterm(&[formula], |term| {
        if matches!(terms.op(term), Op::Le | Op::Eq) && terms.sort_of(terms.args(term)[0]) == Sort::INT {
            found.push(term);
        }
    });
    found.retain(|&atom| terms.is_closed(atom));
    found.sort_unstable();
    found
}

/// `left - right` of a comparison of integers.
pub(super) fn difference(terms: &Terms, atom: Term) -> Linear {
    let (left, right) = (terms.args(atom)[0], terms.args(atom)[1]);
    terms.linear(left).minus(&terms.linear(right))
}

/// Large numbers beside a power of two are bounds of types, not of loops.
pub(super) fn is_bound_of_type(value: &Rational) -> bool {
    let size = value.to_integer().abs();
    let power = |number: Integer| number.magnitude().count_ones() == 1;
    size.bits() > 24 && (-2..=2).any(|beside| power(&size + beside))
}

impl Counter {
    /// Takes over what an update says.
    fn note(&mut self, program: &Program, relation: &Relation, leaf: Term, terms: &mut Terms) {
        let mut form = terms.linear(leaf);
        if form.remove(self.term).is_some_and(|coefficient| coefficient.is_one()) {
            let step = form.constant.to_integer();
            if form.is_constant() && !step.is_zero() && !self.steps.contains(&step) {
                self.steps.push(step);
            }
            return;
        }
        if let Some(reset) = after(program, relation, leaf, terms)
            && reset != self.term
            && !self.resets.contains(&reset)
        {
            self.resets.push(reset);
        }
    }

    /// Takes over a comparison, also of something that equations express by this counter.
    fn note_bound(&mut self, program: &Program, atom: Term, equations: &[Linear], terms: &mut Terms) {
        let form = difference(terms, atom);
        let whole = |term: Term, terms: &Terms| {
            let symbols = terms.free_symbols(term);
            symbols.iter().all(|&symbol| program.variables.of_symbol(symbol).is_some())
        };
        if !whole(atom, terms) || is_bound_of_type(&form.constant) {
            return;
        }
        let mut found = Vec::new();
        if form.coefficient(self.term).is_some() {
            found.push(atom);
            if self.own_bounds.len() < limits::MOST_BOUNDS && !self.own_bounds.contains(&atom) {
                self.own_bounds.push(atom);
            }
        } else {
            for equation in equations.iter().filter(|equation| equation.coefficient(self.term).is_some()) {
                for (other, _) in form.monomials.clone() {
                    if let Some(value) = solve(equation, other, terms) {
                        found.push(replace(terms, atom, &[(other, value)]));
                    }
                }
            }
        }
        for atom in found {
            let symbol = terms.as_symbol(self.term).expect("a variable");
            let linear = matches!(terms.op(atom), Op::Le | Op::Eq) && terms.mentions(atom, symbol);
            if linear && self.bounds.len() < limits::MOST_BOUNDS && !self.bounds.contains(&atom) {
                self.bounds.push(atom);
            }
        }
    }

    /// What is added to it.
    pub(super) fn steps(&self) -> &[Integer] {
        &self.steps
    }

    /// What it is set to.
    pub(super) fn resets(&self) -> &[Term] {
        &self.resets
    }

    /// Where the counter begins, if it only ever grows by one and nothing stops it: then it numbers things.
    pub(super) fn first_number(&self, terms: &mut Terms) -> Option<Term> {
        let by_one = matches!(self.steps.as_slice(), [step] if step.is_one());
        if by_one { self.first_if_endless(&self.bounds, terms) } else { None }
    }

    /// The same if it only ever grows, as where several blocks are allocated in one round, and the program never compares the variable itself. A
    /// count that begins with it and is compared, as that of living blocks is, does not stop it.
    pub(super) fn first_number_of_blocks(&self, terms: &mut Terms) -> Option<Term> {
        let grows = self.steps.iter().all(Signed::is_positive);
        if grows { self.first_if_endless(&self.own_bounds, terms) } else { None }
    }

    fn first_if_endless(&self, bounds: &[Term], terms: &mut Terms) -> Option<Term> {
        let &[first] = self.resets.as_slice() else { return None };
        let endless = self.ends(bounds, (self.term, true), terms).into_iter().all(|end| {
            let at_first = replace(terms, end, &[(self.term, first)]);
            at_first.is_false()
        });
        (endless && terms.is_literal_value(first)).then_some(first)
    }

    /// The ranges that the counter suggests, as formulas about the bound variable: what it has passed, all that it
    /// passes, and what it has not passed yet. The first and the last say something only while it counts.
    pub(super) fn ranges(&self, templates: &Templates, terms: &mut Terms) -> Vec<Range> {
        let k = templates.index;
        let mut all = Vec::new();
        for step in &self.steps {
            let (up, stride) = (step.is_positive(), step.abs());
            let mut ends = self.ends(&self.bounds, (k, up), terms);
            // What ends a counter where it begins is a fact about it, and stops nothing.
            ends.retain(|&end| {
                !self.resets.iter().all(|&reset| replace(terms, end, &[(k, reset)]).is_false())
            });
            for &reset in &self.resets {
                let begun = if up { terms.le(reset, k) } else { terms.ge(reset, k) };
                let aligned = aligned(terms, k, reset, &stride);
                let behind = if up { terms.lt(k, self.term) } else { terms.gt(k, self.term) };
                // What has passed an endless counter matters behind its loop, too.
                let counting = (!ends.is_empty()).then_some(self.var);
                all.push((terms.and([begun, behind, aligned]), counting));
                for &end in &ends {
                    all.push((terms.and([begun, end, aligned]), None));
                }
            }
            let ahead = if up { terms.le(self.term, k) } else { terms.ge(self.term, k) };
            let aligned = aligned(terms, k, self.term, &stride);
            for &end in &ends {
                all.push((terms.and([ahead, end, aligned]), Some(self.var)));
            }
        }
        all.retain(|(range, _)| !range.is_false());
        all
    }

    /// What bounds the counter in the direction in which it moves, said of `k`.
    fn ends(&self, bounds: &[Term], (k, up): (Term, bool), terms: &mut Terms) -> Vec<Term> {
        let mut ends = Vec::new();
        for &atom in bounds {
            let form = difference(terms, atom);
            let Some(coefficient) = form.coefficient(self.term).cloned() else { continue };
            let said = replace(terms, atom, &[(self.term, k)]);
            let end = match terms.op(atom) {
                Op::Le if coefficient.is_positive() == up => said,
                // A number that bounds it from behind, or ends the loop.
                Op::Le if form.monomials.len() == 1 => continue,
                Op::Le => terms.not(said),
                _ => {
                    // The counter goes on until it meets the other side.
                    let mut form = form;
                    form.scale(&coefficient.recip());
                    form.remove(self.term);
                    if form.monomials.iter().any(|(_, c)| !c.is_integer()) || !form.constant.is_integer() {
                        continue;
                    }
                    form.scale(&-Rational::one());
                    let met = terms.from_linear(&form, Sort::INT);
                    if up { terms.lt(k, met) } else { terms.gt(k, met) }
                }
            };
            if !ends.contains(&end) {
                ends.push(end);
            }
        }
        ends
    }
}

/// The distance of `k` from a beginning is a multiple of the stride.
fn aligned(terms: &mut Terms, k: Term, begin: Term, stride: &Integer) -> Term {
    if stride.is_one() {
        return Term::TRUE;
    }
    let distance = terms.sub(k, begin);
    let (stride, zero) = (terms.int(stride.clone()), terms.int(0));
    let rest = terms.modulo(distance, stride);
    terms.eq(rest, zero)
}

/// The value of a term before an edge as a term after it, if there is one.
pub(super) fn after(program: &Program, relation: &Relation, value: Term, terms: &mut Terms) -> Option<Term> {
    let mut kept: Vec<(Term, Term)> = Vec::new();
    for &(var, update) in &relation.updates {
        if terms.as_symbol(update).is_some_and(|symbol| program.variables.of_symbol(symbol).is_none()) {
            kept.push((update, program.variables.term(terms, var)));
        }
    }
    let mut free = terms.free_symbols(value);
    free.retain(|&symbol| !kept.iter().any(|&(from, _)| terms.as_symbol(from) == Some(symbol)));
    for symbol in free {
        let var = program.variables.of_symbol(symbol)?;
        if relation.update(var).is_some() {
            return None;
        }
    }
    Some(replace(terms, value, &kept))
}

/// An equation solved for one of its terms, if that gives integers.
pub(super) fn solve(equation: &Linear, wanted: Term, terms: &mut Terms) -> Option<Term> {
    let mut rest = equation.clone();
    let coefficient = rest.remove(wanted)?;
    rest.scale(&-coefficient.recip());
    let whole = rest.constant.is_integer() && rest.monomials.iter().all(|(_, c)| c.is_integer());
    whole.then(|| terms.from_linear(&rest, Sort::INT))
}
