//! Edges as constrained Horn clauses: one unknown relation per class of locations, one clause per edge.
//!
//! A solution gives every class a formula such that all triples over the edges are valid, so it is an inductive
//! annotation. Three users: one class per position of a trace (Craig interpolants, as paper "Nested Interpolants",
//! Definition 7 wants them), one class per location of a trace (invariants of its path program), and one class per
//! location of the whole program (the Horn engine).
//!
//! Only variables that can influence a guard become parameters. Uninterpreted functions become arrays that never
//! change. What Horn solvers do not understand (quantifiers) is relaxed: a clause may allow more than the edge does,
//! so a solution still fits the edge.

pub mod engine;

use crate::context::Context;
use crate::edge_formula::EdgeFormula;
use base::{EntitySet, Interrupted, PrimaryMap};
use logic::{Function, Op, Rational, Sort, SortData, Substitution, Symbol, Term, Terms};
use program::verdict::State;
use program::{Edge, EdgeKind, FloydHoareAutomaton, Location, Program, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::horn::{Atom, Clause, Clauses, Relation, Solution};

/// With less work left than this, the question is not asked: small programs take that much.
const LEAST_RLIMIT: u64 = 150_000;

/// A class of locations with one unknown formula.
pub type Class = usize;

/// An edge between classes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The edge.
    pub edge: Edge,
    /// The class before.
    pub source: Class,
    /// The class at the call, for a return.
    pub call: Option<Class>,
    /// The class after; none if the step must be impossible.
    pub target: Option<Class>,
    /// Whether only the frame of the edge counts: its guard is dropped and what it changes becomes arbitrary.
    pub relaxed: bool,
}

/// A Horn problem about some edges.
pub struct HornProblem {
    /// What to solve: one clause per initial class, then one per step.
    pub clauses: Clauses,
    relations: Vec<Relation>,
    functions: Vec<(Function, Symbol)>,
}

/// Builds the problem. `locations[c]` is the location of class `c` (for the scope); runs begin in `initial`.
pub fn encode(
    program: &Program,
    locations: &[Location],
    initial: &[Class],
    steps: &[Step],
    terms: &mut Terms,
) -> HornProblem {
    let known = vec![Vec::new(); locations.len()];
    encode_knowing(program, (locations, initial, steps), &known, Fidelity::Relaxed, terms)
}

/// How much of a program its clauses say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fidelity {
    /// All that Horn solvers understand; the rest is relaxed.
    Relaxed,
    /// All: quantifiers are kept, and what division by zero gives is a function, too.
    Exact,
}

/// Why a program has no exact clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotExact;

impl std::fmt::Display for NotExact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A solver would be free to find a type with one value only, where the program must be right for all.
        f.write_str("Horn clauses about types of which nothing is known")
    }
}

/// Builds the problem, of which something is known about each class: formulas without functions and quantifiers that
/// are inductive by themselves. A solution holds together with them.
fn encode_knowing(
    program: &Program,
    (locations, initial, steps): (&[Location], &[Class], &[Step]),
    known: &[Vec<Term>],
    fidelity: Fidelity,
    terms: &mut Terms,
) -> HornProblem {
    let relevant = relevant_variables(program, steps, terms);
    let (functions, arrays, by_zero) = (Vec::new(), FxHashMap::default(), Vec::new());
    let mut encoder = Encoder { terms, fidelity, functions, arrays, by_zero };
    let formulas: Vec<EdgeFormula> =
        steps.iter().map(|step| EdgeFormula::new(program, step.edge, encoder.terms)).collect();
    // Which functions occur must be known before the relations get their parameters.
    let mut bodies = Vec::with_capacity(steps.len());
    for (step, formula) in steps.iter().zip(formulas) {
        bodies.push(encoder.body(program, step, formula, &relevant));
    }
    let axioms: Vec<Term> = program.axioms.clone();
    let background: Vec<Term> = axioms.into_iter().filter_map(|axiom| encoder.plain(axiom)).collect();
    let mut clauses = Clauses::default();
    let mut parameters: Vec<Vec<Symbol>> = Vec::with_capacity(locations.len());
    let mut relations = Vec::with_capacity(locations.len());
    for &location in locations {
        let scope = program.scope(location).filter(|&var| relevant.contains(var));
        let mut symbols: Vec<Symbol> = scope.map(|var| program.variables[var].symbol).collect();
        symbols.extend(encoder.functions.iter().map(|&(_, array)| array));
        symbols.extend(encoder.by_zero.iter().map(|&(_, array)| array));
        relations.push(clauses.add_relation(symbols.clone()));
        parameters.push(symbols);
    }
    let atom = |terms: &mut Terms, class: Class, renaming: &mut Substitution| {
        let arguments = parameters[class].iter().map(|&symbol| {
            let term = terms.constant(symbol);
            renaming.apply(terms, term)
        });
        Atom { relation: relations[class], arguments: arguments.collect() }
    };
    for &class in initial {
        let head = atom(encoder.terms, class, &mut Substitution::new());
        let constraint = encoder.terms.and(background.iter().copied());
        clauses.add(Clause { premises: Vec::new(), constraint, conclusion: Some(head) });
    }
    for (step, mut formula) in steps.iter().zip(bodies) {
        let mut premises = vec![atom(encoder.terms, step.source, &mut formula.pre)];
        premises.extend(step.call.map(|class| atom(encoder.terms, class, &mut formula.call)));
        let mut constraint = formula.base.clone();
        for &fact in &known[step.source] {
            constraint.push(formula.pre.apply(encoder.terms, fact));
        }
        for &fact in step.call.map_or(&[][..], |class| &known[class][..]) {
            constraint.push(formula.call.apply(encoder.terms, fact));
        }
        let constraint = encoder.terms.and(constraint);
        let conclusion = step.target.map(|class| atom(encoder.terms, class, &mut formula.post));
        clauses.add(Clause { premises, constraint, conclusion });
    }
    HornProblem { clauses, relations, functions: encoder.functions }
}

/// What an annotation of the whole program says about its errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Errors {
    /// That no error is possible.
    Excluded,
    /// Nothing.
    Ignored,
}

/// The whole program: one class per location, one step per edge.
pub struct WholeProgram {
    /// The location of each class.
    pub locations: Vec<Location>,
    /// Where runs begin.
    pub initial: Vec<Class>,
    /// One per edge; those into an error have no target.
    pub steps: Vec<Step>,
}

impl WholeProgram {
    /// The classes and steps of a program.
    pub fn of(program: &Program) -> WholeProgram {
        let mut locations: Vec<Location> = Vec::new();
        let mut classes: FxHashMap<Location, Class> = FxHashMap::default();
        let mut class_of = |location: Location| {
            *classes.entry(location).or_insert_with(|| {
                locations.push(location);
                locations.len() - 1
            })
        };
        let initial: Vec<Class> = program.initial.iter().map(|&location| class_of(location)).collect();
        let mut steps = Vec::new();
        for edge in program.live_edges() {
            let data = &program.edges[edge];
            let call = match &data.kind {
                EdgeKind::Return(returning) => Some(class_of(program.call_of(returning).0.source)),
                _ => None,
            };
            let source = class_of(data.source);
            let is_error = program.locations[data.target].error.is_some();
            let target = if is_error { None } else { Some(class_of(data.target)) };
            steps.push(Step { edge, source, call, target, relaxed: false });
        }
        WholeProgram { locations, initial, steps }
    }

    /// The program as a Floyd-Hoare automaton: every class is labelled with its formula.
    pub fn labelled(&self, program: &Program, labels: &[Term], errors: Errors) -> FloydHoareAutomaton {
        let mut automaton = FloydHoareAutomaton::default();
        let states: Vec<State> = labels.iter().map(|&label| automaton.states.push(label)).collect();
        automaton.initial = self.initial.iter().map(|&class| states[class]).collect();
        let error = (errors == Errors::Excluded).then(|| automaton.states.push(Term::FALSE));
        for step in &self.steps {
            let Some(target) = step.target.map(|class| states[class]).or(error) else { continue };
            let source = states[step.source];
            match (&program.edges[step.edge].kind, step.call) {
                (EdgeKind::Internal(_), _) => automaton.internal.push((source, step.edge, target)),
                (EdgeKind::Call(_), _) => automaton.calls.push((source, step.edge, target)),
                (EdgeKind::Return(_), call) => {
                    let call = states[call.expect("a return has a call")];
                    automaton.returns.push((source, call, step.edge, target));
                }
            }
        }
        automaton
    }

    /// The variables that can influence a guard.
    pub fn relevant_variables(&self, program: &Program, terms: &Terms) -> EntitySet<Var> {
        relevant_variables(program, &self.steps, terms)
    }

    /// Its Horn problem.
    pub fn problem(&self, program: &Program, terms: &mut Terms) -> HornProblem {
        encode(program, &self.locations, &self.initial, &self.steps, terms)
    }

    /// Its Horn problem without anything relaxed: it has a solution exactly if the program is safe.
    pub fn exact_problem(&self, program: &Program, terms: &mut Terms) -> Result<HornProblem, NotExact> {
        let known = vec![Vec::new(); self.locations.len()];
        let parts = (&self.locations[..], &self.initial[..], &self.steps[..]);
        let problem = encode_knowing(program, parts, &known, Fidelity::Exact, terms);
        match problem.clauses.clauses().iter().all(|clause| has_known_sorts(clause, terms)) {
            true => Ok(problem),
            false => Err(NotExact),
        }
    }

    /// Its Horn problem, given inductive facts for each class.
    pub fn problem_knowing(&self, program: &Program, known: &[Vec<Term>], terms: &mut Terms) -> HornProblem {
        let parts = (&self.locations[..], &self.initial[..], &self.steps[..]);
        encode_knowing(program, parts, known, Fidelity::Relaxed, terms)
    }
}

impl HornProblem {
    /// The formula of a class in a solution, over state symbols, if it can be said without arrays for functions.
    pub fn formula(
        &self,
        solution: &PrimaryMap<Relation, Term>,
        class: Class,
        terms: &mut Terms,
    ) -> Option<Term> {
        let formula = solution[self.relations[class]];
        self.decode(formula, terms)
    }

    /// A solution, if the solver finds one.
    pub fn solve(
        &self,
        context: &mut Context<'_>,
        rlimit: u32,
    ) -> Result<Option<PrimaryMap<Relation, Term>>, Interrupted> {
        Ok(match self.ask(context, rlimit)? {
            Solution::Solved(formulas) => Some(formulas),
            Solution::Refuted(_) | Solution::Unknown(_) => None,
        })
    }

    /// What the solver says. A query cannot be held up, so it gets no more work than the budget has left; if that was not
    /// enough, it is asked again with more.
    pub fn ask(&self, context: &mut Context<'_>, rlimit: u32) -> Result<Solution, Interrupted> {
        loop {
            context.budget.check()?;
            let left = u32::try_from(context.budget.left().max(LEAST_RLIMIT)).unwrap_or(u32::MAX);
            let limit = left.min(rlimit);
            let before = context.budget.effort();
            let solution = context.solvers.spacer(context.terms, &self.clauses, limit);
            // Who gives up without having worked would do so again.
            let worked = context.budget.effort() - before >= u64::from(limit) / 4;
            context.budget.check()?;
            let again = worked && limit < rlimit;
            if !again || !matches!(solution, Solution::Unknown(smt::Reason::ResourceLimit)) {
                return Ok(solution);
            }
        }
    }

    /// Reads of the arrays become applications again.
    fn decode(&self, formula: Term, terms: &mut Terms) -> Option<Term> {
        if self.functions.is_empty() {
            return Some(formula);
        }
        let mut done = FxHashMap::default();
        let functions = &self.functions;
        // Bottom-up, so that arguments are decoded first.
        let order = post_order(terms, formula);
        for term in order {
            let arguments: Vec<Term> = terms.args(term).iter().map(|a| done[a]).collect();
            let rebuilt =
                application(terms, functions, term, &done).unwrap_or_else(|| terms.rebuild(term, &arguments));
            done.insert(term, rebuilt);
        }
        let decoded = done[&formula];
        let symbols = terms.free_symbols(decoded);
        let clean = functions.iter().all(|(_, array)| symbols.binary_search(array).is_err());
        clean.then_some(decoded)
    }
}

/// `select(select(f, a), b)` as `f(a, b)`, where the arguments are already decoded.
fn application(
    terms: &mut Terms,
    functions: &[(Function, Symbol)],
    term: Term,
    done: &FxHashMap<Term, Term>,
) -> Option<Term> {
    let mut indices = Vec::new();
    let mut base = term;
    while terms.op(base) == Op::Select {
        indices.push(done[&terms.args(base)[1]]);
        base = terms.args(base)[0];
    }
    indices.reverse();
    let symbol = terms.as_symbol(base)?;
    let &(function, _) = functions.iter().find(|(_, array)| *array == symbol)?;
    (terms.function_data(function).parameters.len() == indices.len()).then(|| terms.apply(function, &indices))
}

fn post_order(terms: &Terms, root: Term) -> Vec<Term> {
    let mut order = Vec::new();
    let mut seen = FxHashSet::default();
    let mut pending = vec![(root, false)];
    while let Some((term, ready)) = pending.pop() {
        if ready {
            order.push(term);
        } else if seen.insert(term) {
            pending.push((term, true));
            pending.extend(terms.args(term).iter().map(|&argument| (argument, false)));
        }
    }
    order
}

struct Encoder<'t> {
    terms: &'t mut Terms,
    fidelity: Fidelity,
    /// For each division the array of what it gives for the divisor zero, by the dividend.
    by_zero: Vec<(Op, Symbol)>,
    functions: Vec<(Function, Symbol)>,
    arrays: FxHashMap<Function, Symbol>,
}

impl Encoder<'_> {
    /// The formula of a step without functions and quantifiers.
    fn body(
        &mut self,
        program: &Program,
        step: &Step,
        mut formula: EdgeFormula,
        relevant: &EntitySet<Var>,
    ) -> EdgeFormula {
        let base =
            if step.relaxed && step.call.is_none() { Vec::new() } else { std::mem::take(&mut formula.base) };
        formula.base = base.into_iter().filter_map(|conjunct| self.plain(conjunct)).collect();
        let changed: Vec<Var> = match &program.edges[step.edge].kind {
            EdgeKind::Internal(relation) => relation.updates.iter().map(|(var, _)| *var).collect(),
            EdgeKind::Call(call) => call.bindings.iter().map(|(var, _)| *var).collect(),
            EdgeKind::Return(_) => Vec::new(),
        };
        for var in changed.into_iter().filter(|&var| relevant.contains(var)) {
            let symbol = program.variables[var].symbol;
            let value = formula.post.image(symbol).expect("a changed variable has a new value");
            let plain = if step.relaxed { None } else { self.plain(value) };
            let plain = plain.unwrap_or_else(|| {
                let data = self.terms.symbol_data(symbol).clone();
                self.terms.named(&format!("some {}", data.name), data.sort)
            });
            formula.post.insert(symbol, plain);
        }
        formula
    }

    /// The term with arrays instead of functions; none if it has quantifiers and these are relaxed.
    fn plain(&mut self, term: Term) -> Option<Term> {
        let exact = self.fidelity == Fidelity::Exact;
        if !exact && self.terms.has_quantifier(term) {
            return None;
        }
        if !exact && self.terms.functions_of(term).is_empty() {
            return Some(term);
        }
        let mut done = FxHashMap::default();
        for part in post_order(self.terms, term) {
            let arguments: Vec<Term> = self.terms.args(part).iter().map(|a| done[a]).collect();
            let rebuilt = match self.terms.op(part) {
                Op::Apply(function) => {
                    let array = self.array(function);
                    let array = self.terms.constant(array);
                    self.terms.select_at(array, &arguments)
                }
                op @ (Op::Div | Op::Mod | Op::Divide) if exact => self.quotient(op, part, &arguments),
                _ => self.terms.rebuild(part, &arguments),
            };
            done.insert(part, rebuilt);
        }
        Some(done[&term])
    }

    /// A division; what it gives for the divisor zero stands in an array, as a Horn solver would choose it freely.
    fn quotient(&mut self, op: Op, part: Term, arguments: &[Term]) -> Term {
        let plain = self.terms.rebuild(part, arguments);
        let &[dividend, divisor] = arguments else { return plain };
        let sort = self.terms.sort_of(divisor);
        let zero = if sort == Sort::INT {
            self.terms.int(0)
        } else {
            self.terms.real(Rational::from_integer(0.into()))
        };
        let is_zero = self.terms.eq(divisor, zero);
        if is_zero.is_false() {
            return plain;
        }
        let known = self.by_zero.iter().find(|(known, _)| *known == op).map(|&(_, array)| array);
        let array = known.unwrap_or_else(|| {
            let sort = self.terms.array_sort(sort, sort);
            let array = self.terms.symbol(&format!("{op:?} by zero"), sort);
            self.by_zero.push((op, array));
            array
        });
        let array = self.terms.constant(array);
        let value = self.terms.select(array, dividend);
        self.terms.ite(is_zero, value, plain)
    }

    fn array(&mut self, function: Function) -> Symbol {
        if let Some(&array) = self.arrays.get(&function) {
            return array;
        }
        let data = self.terms.function_data(function).clone();
        let sort: Sort =
            data.parameters.iter().rev().fold(data.result, |sort, &p| self.terms.array_sort(p, sort));
        let array = self.terms.symbol(&format!("array of {}", data.name), sort);
        self.arrays.insert(function, array);
        self.functions.push((function, array));
        array
    }
}

/// Whether a clause is about sorts of which everything is known.
fn has_known_sorts(clause: &Clause, terms: &Terms) -> bool {
    let atoms =
        clause.premises.iter().chain(&clause.conclusion).flat_map(|atom| atom.arguments.iter().copied());
    atoms
        .chain([clause.constraint])
        .all(|root| post_order(terms, root).into_iter().all(|part| is_known(terms.sort_of(part), terms)))
}

fn is_known(mut sort: Sort, terms: &Terms) -> bool {
    loop {
        match *terms.sort_data(sort) {
            SortData::Uninterpreted(_) => return false,
            SortData::Array { index, .. } if !is_known(index, terms) => return false,
            SortData::Array { element, .. } => sort = element,
            _ => return true,
        }
    }
}

/// The variables that can influence a guard of the steps.
fn relevant_variables(program: &Program, steps: &[Step], terms: &Terms) -> EntitySet<Var> {
    let variables = &program.variables;
    let mut relevant = EntitySet::new();
    let mut pending: Vec<Var> = Vec::new();
    let mut flows: FxHashMap<Var, Vec<Var>> = FxHashMap::default();
    let read = |value: Term| -> Vec<Var> { variables.of_symbols(&terms.free_symbols(value)).collect() };
    for step in steps {
        match &program.edges[step.edge].kind {
            EdgeKind::Internal(relation) => {
                if !step.relaxed {
                    pending.extend(read(relation.guard));
                    for &(var, value) in &relation.updates {
                        flows.entry(var).or_default().extend(read(value));
                    }
                }
            }
            EdgeKind::Call(call) => {
                for &(var, value) in &call.bindings {
                    flows.entry(var).or_default().extend(read(value));
                }
            }
            EdgeKind::Return(returning) => {
                for &(to, from) in &returning.results {
                    flows.entry(to).or_default().push(from);
                }
            }
        }
    }
    for &axiom in &program.axioms {
        pending.extend(read(axiom));
    }
    while let Some(var) = pending.pop() {
        if relevant.insert(var) {
            pending.extend(flows.get(&var).into_iter().flatten());
            // What a called procedure does to a global is a relation with its old value.
            pending.extend(variables.old(var));
        }
    }
    relevant
}
