//! What procedures do with heaps: candidates that relate what was there at the call to what is there now.
//!
//! What holds behind a call follows from what held at the call and from what the procedure says of the two states, so each procedure that is called
//! gets candidates over the old values of the fields:
//!
//! - nothing changed, or nothing of the blocks that were there, or only what a parameter points to;
//! - what lived lives, or what lives lived; only blocks from a parameter on, or up to it, cease to live;
//! - what a link of a living block leads to lives still, or the parameter points to it (whoever is freed takes everybody along who leads to him);
//! - what is said of all blocks ([`heap`](super::heap)), said of the new ones: those of the caller may not be finished;
//! - a result is new, or a parameter, or what a link led to at the call.

use super::accesses::Cells;
use super::heap::{Class, Heap, product};
use super::templates::add;
use logic::{Substitution, Term, Terms};
use program::{EdgeKind, Program, Var, VarKind};
use std::collections::{BTreeMap, BTreeSet};

/// How a procedure is called.
#[derive(Clone, Default)]
pub(super) struct Interface {
    parameters: BTreeSet<Var>,
    results: BTreeSet<Var>,
}

/// The procedures of a program with calls, with how they are called; nothing for those to which nobody needs to come back.
pub(super) fn interfaces(program: &Program) -> BTreeMap<ir::Procedure, Option<Interface>> {
    let mut found: BTreeMap<ir::Procedure, Option<Interface>> = BTreeMap::new();
    let initial: BTreeSet<ir::Procedure> =
        program.initial.iter().map(|&location| program.locations[location].procedure).collect();
    for edge in program.live_edges() {
        match &program.edges[edge].kind {
            EdgeKind::Internal(_) => {}
            // Some calls are not returned from.
            EdgeKind::Call(call) => {
                found.entry(program.locations[program.edges[edge].source].procedure).or_default();
                found.entry(call.callee).or_default();
            }
            EdgeKind::Return(returning) => {
                let (call_edge, call) = program.call_of(returning);
                if initial.contains(&program.locations[call_edge.source].procedure) {
                    continue;
                }
                let interface = found.entry(call.callee).or_default().get_or_insert_default();
                let own = call.bindings.iter().map(|&(var, _)| var);
                let passed = own.filter(|&var| !matches!(program.variables[var].kind, VarKind::Old(_)));
                interface.parameters.extend(passed);
                interface.results.extend(returning.results.iter().map(|&(_, from)| from));
            }
        }
    }
    found
}

/// Can a variable be spoken of in a procedure, as it is now?
pub(super) fn is_visible(kind: VarKind, procedure: ir::Procedure) -> bool {
    match kind {
        VarKind::Local(owner) => owner == procedure,
        VarKind::Old(_) => false,
        VarKind::Constant | VarKind::Global => true,
    }
}

impl Heap<'_> {
    /// Adds what a procedure may do, and from which number on blocks are new in it.
    pub(super) fn across_calls(&mut self, interface: &Interface, terms: &mut Terms) {
        let mut pointing = |vars: &BTreeSet<Var>| -> Vec<Term> {
            let known = vars.iter().map(|&var| self.program.variables.term(terms, var));
            known.filter(|term| self.pointers.contains(term)).collect()
        };
        let (parameters, results) = (pointing(&interface.parameters), pointing(&interface.results));
        let mut before = Before::new(self.program, terms);
        self.from = None;
        self.unchanged(&mut before, &parameters, terms);
        self.handed_back(&mut before, (&parameters, &results), terms);
        self.from = Some(before.of(self.numbers.1, terms));
        self.parameters = parameters;
        self.among_new(&mut before, terms);
    }

    /// What stays as it was.
    fn unchanged(&mut self, before: &mut Before, parameters: &[Term], terms: &mut Terms) {
        let (k, next) = (self.indices[0], self.numbers.1);
        let mut whole: BTreeMap<Term, Term> = BTreeMap::new();
        for &(now, old) in &before.globals {
            let is_array = terms.array_parts(terms.sort_of(now)).is_some();
            if is_array || now == next || self.pointers.contains(&now) {
                let same = terms.eq(now, old);
                add(&mut self.found, same);
                whole.insert(now, same);
            }
        }
        let next_before = before.of(next, terms);
        let grown = terms.le(next_before, next);
        add(&mut self.found, grown);
        let given = terms.lt(k, next_before);
        for field in self.fields() {
            let now = self.cell(field, k, terms);
            let then = before.of(now, terms);
            let same = terms.eq(now, then);
            let array = self.program.variables.term(terms, field.var);
            let Some(&unchanged) = whole.get(&array) else { continue };
            let of_old = self.plain_instead_of(unchanged, (given, same), terms);
            for &parameter in parameters {
                let here = terms.eq(k, parameter);
                let other = terms.or([here, same]);
                self.plain_instead_of(of_old, (given, other), terms);
            }
            if self.links.contains(&field) {
                // Where blocks are inserted, links that were null get another value, or links lead to new blocks.
                let (empty, new) = (Self::null(then, terms), terms.le(next_before, now));
                for way in [empty, new] {
                    let changed = terms.or([same, way]);
                    self.plain_instead_of(of_old, (given, changed), terms);
                }
            }
            if Some(field) == self.life {
                self.freed(before, (parameters, of_old), terms);
            }
        }
    }

    /// Which blocks cease to live where not all stay as they were.
    fn freed(&mut self, before: &mut Before, (parameters, unchanged): (&[Term], Term), terms: &mut Terms) {
        let Some(life) = self.life else { return };
        let k = self.indices[0];
        let now = self.cell(life, k, terms);
        let then = before.of(now, terms);
        let same = terms.eq(now, then);
        let dead = Self::null(now, terms);
        let next = before.of(self.numbers.1, terms);
        let given = terms.lt(k, next);
        let or_dead = terms.or([dead, same]);
        self.plain_instead_of(unchanged, (given, or_dead), terms);
        for &parameter in parameters {
            let null = Self::null(parameter, terms);
            let (older, younger) = (terms.lt(k, parameter), terms.lt(parameter, k));
            let older = terms.or([null, older]);
            for side in [older, younger] {
                let premise = terms.and([given, side]);
                self.plain_instead_of(unchanged, (premise, same), terms);
            }
        }
        for class in self.plain_classes() {
            let alive = self.is(&class, k, terms);
            let lived = before.of(alive, terms);
            self.all_without_exception(lived, alive, terms);
        }
    }

    /// What is left of "links of living blocks lead to living blocks" where some are freed: what a link leads to lives still if it lived, or the
    /// parameter leads there; links of blocks from the parameter on, or up to it, lead to living blocks.
    pub(super) fn closed_here(
        &mut self,
        closed: Term,
        (field, class, other): (Cells, &Class, &Class),
        terms: &mut Terms,
    ) {
        if self.from.is_none() || class != other || class.0.len() > 1 {
            return;
        }
        let mut before = Before::new(self.program, terms);
        let k = self.indices[0];
        let alive = self.is(class, k, terms);
        let target = self.cell(field, k, terms);
        let inside = self.is(class, target, terms);
        let there = before.of(inside, terms);
        let (gone, null) = (terms.not(there), Self::null(target, terms));
        let maybe = terms.or([null, inside]);
        for parameter in self.parameters.clone() {
            let own = terms.eq(target, parameter);
            let closed_but_here = terms.or([null, own, inside]);
            let kept = terms.or([null, gone, own, inside]);
            let closed_but_here = self.all_instead_of(closed, (alive, closed_but_here), terms);
            self.all_instead_of(closed_but_here, (alive, kept), terms);
            let (from, to) = (self.reached_from(parameter, k, terms), terms.le(k, parameter));
            for side in [from, to] {
                let premise = terms.and([alive, side]);
                self.all_instead_of(closed, (premise, maybe), terms);
            }
        }
    }

    /// What results are.
    fn handed_back(
        &mut self,
        before: &mut Before,
        (parameters, results): (&[Term], &[Term]),
        terms: &mut Terms,
    ) {
        let k = self.indices[0];
        let next = before.of(self.numbers.1, terms);
        for &result in results {
            let null = Self::null(result, terms);
            let new = terms.le(next, result);
            for &parameter in parameters {
                let same = terms.eq(result, parameter);
                let without = Self::null(parameter, terms);
                add(&mut self.found, same);
                for parts in [vec![same, without], vec![same, null]] {
                    let said = terms.or(parts);
                    self.instead_of(same, said);
                    let said = terms.or([said, new]);
                    self.instead_of(same, said);
                }
                for (class, field) in product(&self.plain_classes(), &self.links.clone()) {
                    let alive = self.is(&class, k, terms);
                    let target = self.cell(field, k, terms);
                    let there = terms.eq(target, result);
                    let elsewhere = terms.not(there);
                    let said = terms.or([same, null, elsewhere]);
                    self.all(alive, said, terms);
                }
            }
        }
    }

    /// New blocks lead to new blocks, and variables point to them.
    fn among_new(&mut self, before: &mut Before, terms: &mut Terms) {
        let k = self.indices[0];
        let next = before.of(self.numbers.1, terms);
        for (class, field) in product(&self.plain_classes(), &self.links.clone()) {
            let (alive, new) = (self.is(&class, k, terms), terms.le(next, k));
            let premise = terms.and([alive, new]);
            let target = self.cell(field, k, terms);
            let (null, there) = (Self::null(target, terms), terms.le(next, target));
            let said = terms.or([null, there]);
            self.all(premise, said, terms);
        }
        // `t->left = insert(t->left, …)`: what comes back is what was there, if that was not null.
        for (block, pointer) in product(&self.linking, &self.pointers) {
            for field in self.links.clone().into_iter().filter(|_| block != pointer) {
                let now = self.cell(field, block, terms);
                let then = before.of(now, terms);
                let (empty, back) = (Self::null(then, terms), terms.eq(then, pointer));
                let said = terms.or([empty, back]);
                add(&mut self.found, said);
            }
        }
        for pointer in self.pointers.clone() {
            let (null, new) = (Self::null(pointer, terms), terms.le(next, pointer));
            let said = terms.or([null, new]);
            add(&mut self.found, said);
        }
    }

    /// Tries `∀k. premise ⇒ conclusion` where a candidate that implies it does not hold.
    pub(super) fn plain_instead_of(
        &mut self,
        stronger: Term,
        (premise, conclusion): (Term, Term),
        terms: &mut Terms,
    ) -> Term {
        let candidate = self.for_all(premise, conclusion, terms);
        self.instead_of(stronger, candidate);
        candidate
    }

    pub(super) fn plain_classes(&self) -> Vec<Class> {
        self.classes.iter().filter(|class| class.0.len() <= 1).cloned().collect()
    }

    fn fields(&self) -> Vec<Cells> {
        self.life.iter().chain(&self.links).chain(&self.data).copied().collect()
    }
}

/// What globals were when the procedure was called.
struct Before {
    /// Globals with their old values.
    globals: Vec<(Term, Term)>,
    substitution: Substitution,
}

impl Before {
    fn new(program: &Program, terms: &mut Terms) -> Before {
        let mut before = Before { globals: Vec::new(), substitution: Substitution::new() };
        for global in program.variables.globals() {
            let Some(old) = program.variables.old(global) else { continue };
            let [now, then] = [global, old].map(|var| program.variables.term(terms, var));
            before.globals.push((now, then));
            before.substitution.insert(program.variables[global].symbol, then);
        }
        before
    }

    fn of(&mut self, term: Term, terms: &mut Terms) -> Term {
        self.substitution.apply(terms, term)
    }
}
