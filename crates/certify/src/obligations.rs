//! Every transition is a valid Hoare triple.
//!
//! * Blocks: the single-step edges between the two cut points, as a formula ([`block`]).
//! * Calls and returns: the states before, at the call and after get copies of all variables that are spoken of, related by equations.
//!
//! Quantified formulas are tried with instances first ([`logic::instantiate`]), then as they are.
//! Nothing is cached but repetitions of the same triple, and nothing is simplified.

use crate::Refusal;
use crate::block::{self, Ends, Obligation};
use crate::certificate::{Certificate, Letter};
use base::{Budget, EntitySet};
use logic::{Substitution, Symbol, Term, Terms};
use program::{Edge, EdgeKind, Location, Program, Var, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Answer, Solver};

/// How much work the solver may have with instances before it gets the formula itself.
const INSTANCES_RLIMIT: u32 = 10_000_000;
/// A circuit of a question about the bits of integers is given up after so many conflicts, and the solver is asked.
const MOST_CONFLICTS: u64 = 100_000;

/// Checks all labels and transitions of a certificate.
pub fn check(
    program: &Program,
    certificate: &Certificate,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<(), Refusal> {
    let mut checker = Obligations::new(program, &certificate.cut_points, terms, solver, budget);
    let mut done: FxHashSet<(Term, Option<Term>, Letter, Term)> = FxHashSet::default();
    for automaton in &certificate.automata {
        for &state in &automaton.initial {
            match checker.refute(terms, automaton.labels[state])? {
                Answer::Unsat => {}
                Answer::Sat => {
                    return Err(Refusal::Label("an initial state's does not always hold".to_owned()));
                }
                Answer::Unknown(why) => {
                    return Err(Refusal::Undecided("the label of an initial state".to_owned(), why));
                }
            }
        }
        for &(from, letter, to) in &automaton.steps {
            let (pre, post) = (automaton.labels[from], automaton.labels[to]);
            if done.insert((pre, None, letter, post)) {
                checker.step(terms, pre, letter, post)?;
            }
        }
        for &(from, hier, letter, to) in &automaton.returns {
            let (pre, call, post) = (automaton.labels[from], automaton.labels[hier], automaton.labels[to]);
            if done.insert((pre, Some(call), letter, post)) {
                checker.ret(terms, AtReturn { inside: pre, at_call: call }, letter, post)?;
            }
        }
    }
    Ok(())
}

/// What is known when a procedure returns.
#[derive(Clone, Copy)]
pub(crate) struct AtReturn {
    /// Inside of the procedure, at its end.
    pub(crate) inside: Term,
    /// In the caller, when it called.
    pub(crate) at_call: Term,
}

pub(crate) struct Obligations<'a> {
    program: &'a Program,
    cut_points: &'a EntitySet<Location>,
    solver: &'a mut dyn Solver,
    budget: &'a Budget,
    /// The locations between two cut points, in an order in which successors come first.
    orders: FxHashMap<Location, Vec<Location>>,
}

impl<'a> Obligations<'a> {
    /// Obligations about a program with these cut points. The axioms of the program are asserted.
    pub(crate) fn new(
        program: &'a Program,
        cut_points: &'a EntitySet<Location>,
        terms: &Terms,
        solver: &'a mut dyn Solver,
        budget: &'a Budget,
    ) -> Obligations<'a> {
        for &axiom in &program.axioms {
            solver.assert(terms, axiom);
        }
        Obligations { program, cut_points, solver, budget, orders: FxHashMap::default() }
    }

    /// Looks for a model of the negation: a formula is valid if there is none.
    pub(crate) fn refute(&mut self, terms: &mut Terms, formula: Term) -> Result<Answer, Refusal> {
        self.budget.check()?;
        if formula.is_true() {
            return Ok(Answer::Unsat);
        }
        let refuted = terms.not(formula);
        if terms.has_quantifier(refuted) && self.has_contradictory_instances(terms, refuted)? {
            return Ok(Answer::Unsat);
        }
        if terms.has_conversions(&[refuted])
            && unroll::formula::refute(terms, &[refuted], MOST_CONFLICTS, self.budget)?
        {
            return Ok(Answer::Unsat);
        }
        self.solver.push();
        self.solver.assert(terms, refuted);
        let answer = self.solver.check(terms);
        self.solver.pop();
        self.budget.check()?;
        Ok(answer)
    }

    /// Looks for a contradiction between what exists and what holds for all indices: without quantifiers, solvers do
    /// not have to guess. Without a contradiction nothing is said.
    fn has_contradictory_instances(&mut self, terms: &mut Terms, formula: Term) -> Result<bool, Refusal> {
        let consequences = logic::instances(terms, &[formula]);
        self.solver.push();
        for consequence in consequences {
            self.solver.assert(terms, consequence);
        }
        self.solver.set_rlimit(Some(INSTANCES_RLIMIT));
        let answer = self.solver.check(terms);
        self.solver.set_rlimit(None);
        self.solver.pop();
        self.budget.check()?;
        Ok(answer == Answer::Unsat)
    }

    fn demand(
        &mut self,
        terms: &mut Terms,
        premises: &[Term],
        goal: Term,
        what: Letter,
    ) -> Result<(), Refusal> {
        let premise = terms.and(premises.iter().copied());
        let triple = terms.implies(premise, goal);
        match self.refute(terms, triple)? {
            Answer::Unsat => Ok(()),
            Answer::Sat => Err(Refusal::Triple(what)),
            Answer::Unknown(why) => Err(Refusal::Undecided(format!("a transition at {what}"), why)),
        }
    }

    pub(crate) fn step(
        &mut self,
        terms: &mut Terms,
        pre: Term,
        letter: Letter,
        post: Term,
    ) -> Result<(), Refusal> {
        match letter {
            Letter::Block(from, to) => self.block(terms, pre, Ends { from, to }, post),
            Letter::Call(edge) => self.call(terms, pre, edge, post),
            Letter::Return(_) => unreachable!("the shape was checked"),
        }
    }

    fn block(&mut self, terms: &mut Terms, pre: Term, ends: Ends, post: Term) -> Result<(), Refusal> {
        let (program, cut_points) = (self.program, self.cut_points);
        let order = self.orders.entry(ends.from);
        let order = order.or_insert_with(|| successors_first(program, ends.from, cut_points)).clone();
        let parts = parts(terms, post);
        for part in parts {
            let Obligation { mut premises, goal } =
                block::obligation(program, ends, (&order, cut_points), part, terms);
            premises.push(pre);
            self.demand(terms, &premises, goal, Letter::Block(ends.from, ends.to))?;
        }
        Ok(())
    }

    fn call(&mut self, terms: &mut Terms, pre: Term, edge: Edge, post: Term) -> Result<(), Refusal> {
        let EdgeKind::Call(call) = &self.program.edges[edge].kind else {
            unreachable!("the shape was checked")
        };
        let mentioned = self.mentioned(terms, &[post]);
        let mut after = self.copies(terms, "after", &mentioned);
        for &var in &mentioned {
            let data = &self.program.variables[var];
            if data.kind == VarKind::Global {
                let value = terms.constant(data.symbol);
                after.substitution.insert(data.symbol, value);
            }
        }
        for &(var, value) in &call.bindings {
            after.substitution.insert(self.program.variables[var].symbol, value);
        }
        for part in parts(terms, post) {
            let goal = after.rename(terms, part);
            self.demand(terms, &[pre], goal, Letter::Call(edge))?;
        }
        Ok(())
    }

    pub(crate) fn ret(
        &mut self,
        terms: &mut Terms,
        known: AtReturn,
        letter: Letter,
        post: Term,
    ) -> Result<(), Refusal> {
        let Letter::Return(edge) = letter else { unreachable!("the shape was checked") };
        let EdgeKind::Return(returning) = &self.program.edges[edge].kind else {
            unreachable!("the shape was checked")
        };
        let (_, call_edge) = self.program.call_of(returning);
        // Of all other variables nothing is asked.
        let mut formulas = vec![known.inside, known.at_call, post];
        formulas.extend(call_edge.bindings.iter().map(|&(_, value)| value));
        for &(_, from) in &returning.results {
            formulas.push(terms.constant(self.program.variables[from].symbol));
        }
        let mentioned = self.mentioned(terms, &formulas);
        let mut inside = self.copies(terms, "inside", &mentioned);
        let mut before = self.copies(terms, "before", &mentioned);
        // The callee began with what the call passed, and what it got does not change.
        for &(var, value) in &call_edge.bindings {
            let passed = before.rename(terms, value);
            inside.substitution.insert(self.program.variables[var].symbol, passed);
        }
        // Afterwards: results from the callee, other globals from the callee, everything else as before.
        let mut after = Copies { substitution: Substitution::new() };
        for &var in &mentioned {
            let data = &self.program.variables[var];
            let result = returning.results.iter().find(|(to, _)| *to == var);
            let value = match (result, data.kind) {
                (_, VarKind::Constant) => continue,
                (Some(&(_, from)), _) => inside.term(terms, self.program.variables[from].symbol),
                (None, VarKind::Global) => inside.term(terms, data.symbol),
                (None, _) => before.term(terms, data.symbol),
            };
            after.substitution.insert(data.symbol, value);
        }
        let premises = [inside.rename(terms, known.inside), before.rename(terms, known.at_call)];
        for part in parts(terms, post) {
            let goal = after.rename(terms, part);
            self.demand(terms, &premises, goal, letter)?;
        }
        Ok(())
    }

    /// The variables that some formulas speak of. Copies of all variables of a program for each of its calls would be the square of its
    /// size.
    fn mentioned(&self, terms: &Terms, formulas: &[Term]) -> Vec<Var> {
        self.program.variables.of_symbols(&terms.free_symbols_of(formulas)).collect()
    }

    /// A copy of each of these variables that is no constant.
    fn copies(&self, terms: &mut Terms, prefix: &str, mentioned: &[Var]) -> Copies {
        let mut substitution = Substitution::new();
        for &var in mentioned {
            let data = &self.program.variables[var];
            if data.kind == VarKind::Constant {
                continue;
            }
            let symbol = terms.symbol_data(data.symbol).clone();
            let copy = terms.named(&format!("{prefix} {}", symbol.name), symbol.sort);
            substitution.insert(data.symbol, copy);
        }
        Copies { substitution }
    }
}

/// What is to be shown, in parts if it says something about all cells: together, their indices would be pairs of all with all.
fn parts(terms: &Terms, formula: Term) -> Vec<Term> {
    if terms.has_quantifier(formula) { terms.conjuncts(formula) } else { vec![formula] }
}

/// What stands for every variable: a copy of it, or its value.
struct Copies {
    substitution: Substitution,
}

impl Copies {
    fn term(&self, terms: &mut Terms, symbol: Symbol) -> Term {
        self.substitution.image(symbol).unwrap_or_else(|| terms.constant(symbol))
    }

    fn rename(&mut self, terms: &mut Terms, formula: Term) -> Term {
        self.substitution.apply(terms, formula)
    }
}

/// The locations that paths from a cut point go through before they meet another one; every location comes after its
/// successors, so the cut point itself is the last.
pub fn successors_first(
    program: &Program,
    from: Location,
    cut_points: &EntitySet<Location>,
) -> Vec<Location> {
    let mut order = Vec::new();
    let mut seen = FxHashSet::default();
    seen.insert(from);
    let mut pending = vec![(from, 0usize)];
    while let Some((location, position)) = pending.pop() {
        let Some(&edge) = program.outgoing[location].get(position) else {
            order.push(location);
            continue;
        };
        pending.push((location, position + 1));
        let data = &program.edges[edge];
        let inner = matches!(data.kind, EdgeKind::Internal(_)) && !cut_points.contains(data.target);
        if inner && seen.insert(data.target) {
            pending.push((data.target, 0));
        }
    }
    order
}
