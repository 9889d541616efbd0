//! Traces and their static single assignment form (paper "Nested Interpolants", Definition 6).
//!
//! A trace is a nested word over the edges of a program automaton that leads from an initial location to an
//! error. Its SSA form gives every variable a new version whenever it is changed. Globals have one line of
//! versions; the variables of a procedure have one per call, so a return finds those of the caller again.
//!
//! The form of a trace of length n costs n plus the number of changed variables per step.

use crate::task::Round;
use logic::{Substitution, Symbol, Term, Terms};
use program::{Edge, EdgeKind, Location, Program, Relation, Var, VarKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A nested word over the edges of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The edges in their order.
    pub edges: Vec<Edge>,
    /// For a return, the position of its call.
    pub calls: Vec<Option<usize>>,
}

impl Trace {
    /// A trace from its edges; returns match the last open call.
    pub fn new(program: &Program, edges: Vec<Edge>) -> Trace {
        let mut open = Vec::new();
        let calls = edges
            .iter()
            .enumerate()
            .map(|(position, &edge)| match program.edges[edge].kind {
                EdgeKind::Internal(_) => None,
                EdgeKind::Call(_) => {
                    open.push(position);
                    None
                }
                EdgeKind::Return(_) => Some(open.pop().expect("a return of a nested word has a call")),
            })
            .collect();
        Trace { edges, calls }
    }

    /// The number of edges.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Does the trace have no edges?
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// The place of the location that is passed most often; none if no location is passed twice. Linear.
    pub fn round(&self, program: &Program) -> Option<Round> {
        let mut passed: FxHashMap<Location, u32> = FxHashMap::default();
        let mut most: Option<(Location, u32)> = None;
        for &edge in &self.edges {
            let location = program.edges[edge].source;
            let times = passed.entry(location).or_default();
            *times += 1;
            if *times > most.map_or(1, |(_, times)| times) {
                most = Some((location, *times));
            }
        }
        most.map(|(location, times)| Round { span: program.locations[location].span, times })
    }

    /// The location before an edge; behind the last one for the length.
    pub fn location(&self, program: &Program, cut: usize) -> Location {
        match self.edges.get(cut) {
            Some(&edge) => program.edges[edge].source,
            None => program.edges[*self.edges.last().expect("a trace has an edge")].target,
        }
    }
}

/// The versions of some variables; what is not listed has the version it had at first.
type Versions = Rc<FxHashMap<Var, Term>>;

/// The versions at a cut between two edges.
#[derive(Clone)]
struct Snapshot {
    globals: Versions,
    locals: Versions,
    /// Where the current procedure was called: its variables begin with the versions of that position.
    base: usize,
}

/// The position of a return in a trace, and that of its call.
#[derive(Clone, Copy)]
struct Positions {
    position: usize,
    call: usize,
}

/// The SSA form of a trace.
pub struct Ssa {
    /// The formulas of each edge.
    pub constraints: Vec<Vec<Term>>,
    /// Auxiliary constants of each edge with their versions.
    pub auxiliaries: Vec<Vec<(Symbol, Term)>>,
    snapshots: Vec<Snapshot>,
    names: FxHashMap<(Symbol, usize), Term>,
}

impl Ssa {
    /// The SSA form of a trace.
    pub fn new(program: &Program, trace: &Trace, terms: &mut Terms) -> Ssa {
        let empty: Versions = Rc::default();
        let first = Snapshot { globals: Rc::clone(&empty), locals: empty, base: 0 };
        let mut ssa = Ssa {
            constraints: Vec::with_capacity(trace.len()),
            auxiliaries: Vec::with_capacity(trace.len()),
            snapshots: vec![first],
            names: FxHashMap::default(),
        };
        for (position, &edge) in trace.edges.iter().enumerate() {
            let (constraints, auxiliaries) = match &program.edges[edge].kind {
                EdgeKind::Internal(relation) => ssa.internal(program, position, relation, terms),
                EdgeKind::Call(call) => (ssa.call(program, position, &call.bindings, terms), Vec::new()),
                EdgeKind::Return(returning) => {
                    let call = trace.calls[position].expect("a return has a call");
                    ssa.ret(program, Positions { position, call }, &returning.results, terms);
                    (Vec::new(), Vec::new())
                }
            };
            ssa.constraints.push(constraints);
            ssa.auxiliaries.push(auxiliaries);
        }
        ssa
    }

    fn name(&mut self, terms: &mut Terms, symbol: Symbol, position: usize) -> Term {
        if let Some(&term) = self.names.get(&(symbol, position)) {
            return term;
        }
        let data = terms.symbol_data(symbol).clone();
        let fresh = terms.symbol(&format!("{}@{position}", data.name), data.sort);
        let term = terms.constant(fresh);
        self.names.insert((symbol, position), term);
        term
    }

    /// The version of a variable at a cut.
    pub fn version(&mut self, program: &Program, cut: usize, var: Var, terms: &mut Terms) -> Term {
        let kind = program.variables[var].kind;
        if kind == VarKind::Constant {
            // Axioms speak of constants by their own symbols.
            return program.variables.term(terms, var);
        }
        let snapshot = &self.snapshots[cut];
        let own = kind.belongs_to_a_call();
        let listed = if own { &snapshot.locals } else { &snapshot.globals };
        match listed.get(&var) {
            Some(&term) => term,
            None => {
                let base = if own { snapshot.base } else { 0 };
                self.name(terms, program.variables[var].symbol, base)
            }
        }
    }

    /// The replacement of state symbols in a formula by their versions at a cut.
    pub fn versions_of(
        &mut self,
        program: &Program,
        cut: usize,
        formulas: &[Term],
        terms: &mut Terms,
    ) -> Substitution {
        let mut substitution = Substitution::new();
        for symbol in terms.free_symbols_of(formulas) {
            if let Some(var) = program.variables.of_symbol(symbol) {
                let version = self.version(program, cut, var, terms);
                substitution.insert(symbol, version);
            }
        }
        substitution
    }

    fn internal(
        &mut self,
        program: &Program,
        position: usize,
        relation: &Relation,
        terms: &mut Terms,
    ) -> (Vec<Term>, Vec<(Symbol, Term)>) {
        let roots: Vec<Term> =
            std::iter::once(relation.guard).chain(relation.updates.iter().map(|&(_, value)| value)).collect();
        let mut before = self.versions_of(program, position, &roots, terms);
        let mut auxiliaries = Vec::with_capacity(relation.auxiliaries.len());
        for &symbol in &relation.auxiliaries {
            let version = self.name(terms, symbol, position);
            before.insert(symbol, version);
            auxiliaries.push((symbol, version));
        }
        let guard = before.apply(terms, relation.guard);
        let mut constraints = terms.conjuncts(guard);
        let mut after = self.snapshots[position].clone();
        for &(var, value) in &relation.updates {
            let value = before.apply(terms, value);
            let version = self.assign(program, &mut after, position, var, terms);
            constraints.push(terms.eq(version, value));
        }
        self.snapshots.push(after);
        (constraints, auxiliaries)
    }

    /// A new version of a variable in a snapshot.
    fn assign(
        &mut self,
        program: &Program,
        after: &mut Snapshot,
        position: usize,
        var: Var,
        terms: &mut Terms,
    ) -> Term {
        let data = &program.variables[var];
        let version = self.name(terms, data.symbol, position + 1);
        let versions = if data.kind.belongs_to_a_call() { &mut after.locals } else { &mut after.globals };
        Rc::make_mut(versions).insert(var, version);
        version
    }

    fn call(
        &mut self,
        program: &Program,
        position: usize,
        bindings: &[(Var, Term)],
        terms: &mut Terms,
    ) -> Vec<Term> {
        let values: Vec<Term> = bindings.iter().map(|&(_, value)| value).collect();
        let mut before = self.versions_of(program, position, &values, terms);
        let globals = Rc::clone(&self.snapshots[position].globals);
        let mut after = Snapshot { globals, locals: Rc::default(), base: position + 1 };
        let mut constraints = Vec::with_capacity(bindings.len());
        for &(var, value) in bindings {
            let value = before.apply(terms, value);
            let version = self.assign(program, &mut after, position, var, terms);
            constraints.push(terms.eq(version, value));
        }
        self.snapshots.push(after);
        constraints
    }

    fn ret(
        &mut self,
        program: &Program,
        Positions { position, call }: Positions,
        results: &[(Var, Var)],
        terms: &mut Terms,
    ) {
        let caller = &self.snapshots[call];
        let globals = Rc::clone(&self.snapshots[position].globals);
        let mut after = Snapshot { globals, locals: Rc::clone(&caller.locals), base: caller.base };
        for &(to, from) in results {
            let value = self.version(program, position, from, terms);
            let own = program.variables[to].kind.belongs_to_a_call();
            Rc::make_mut(if own { &mut after.locals } else { &mut after.globals }).insert(to, value);
        }
        self.snapshots.push(after);
    }
}

/// Is the variable visible in the procedure of a location?
pub fn in_scope(program: &Program, location: Location, var: Var) -> bool {
    match program.variables[var].kind {
        VarKind::Local(procedure) => program.locations[location].procedure == procedure,
        _ => true,
    }
}
