//! The unfolding of a program along the activations that a certificate lists: the checker's own.
//!
//! Every activation gets a copy of its procedure: of the locations, of the variables that belong to a call, and of the
//! constants that stand for choices. A call becomes an assignment of what it passes, and gives the callee's other
//! variables arbitrary values; a return becomes an assignment of the results. An activation that begins a run keeps the
//! program's variables.
//!
//! What is demanded of the list, so that every error trace of the program is one of the unfolding:
//!
//! 1. every initial location begins exactly one activation;
//! 2. a call activation comes after its caller, whose procedure has the call edge, and no two share caller and edge;
//! 3. every call edge in the procedure of an activation leads to an activation (so a program with recursion, where an
//!    error trace may get to it, has no finite list);
//! 4. the names of copies are names that nothing else in the program has.
//!
//! Requires a program without edges that lie on no error trace ([`relevant`](crate::relevant)). The size is that of the
//! procedures of the activations together.

use crate::Refusal;
use crate::block::Ends;
use base::{EntityRef, PrimaryMap};
use ir::Procedure;
use logic::{Substitution, Symbol, Term, Terms};
use program::automaton::EdgeData;
use program::steps::OriginData;
use program::unfolding::{beginning_name, copied_name};
use program::variables::VarData;
use program::{
    Activation, ActivationData, Call, Edge, EdgeKind, ErrorData, Location, LocationData, Place, Program,
    Relation, ReturnEdge, Unfolding, Var, VarKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A program without calls, and what its parts are copies of.
#[derive(Clone, Debug)]
pub struct Unfolded {
    program: Program,
    places: Vec<Place>,
    locations: FxHashMap<Place, Location>,
    edges: FxHashMap<(Activation, Edge), Edge>,
}

impl Unfolded {
    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The copy of a location, if the activation has one.
    pub fn location(&self, place: Place) -> Option<Location> {
        self.locations.get(&place).copied()
    }

    /// What a location is a copy of.
    pub fn place(&self, location: Location) -> Option<Place> {
        self.places.get(location.index()).copied()
    }

    /// The copy of an edge in the activation where it begins; a return begins in the callee.
    pub fn edge(&self, activation: Activation, edge: Edge) -> Option<Edge> {
        self.edges.get(&(activation, edge)).copied()
    }
}

/// What is known about an activation.
struct Copy {
    procedure: Procedure,
    /// The procedure in which the run begins.
    root: Procedure,
    /// The activation and the edge that lead to it.
    call: Option<(Activation, Edge)>,
    variables: FxHashMap<Var, Var>,
    renaming: Substitution,
}

impl Copy {
    fn var(&self, var: Var) -> Var {
        self.variables.get(&var).copied().unwrap_or(var)
    }
}

/// Unfolds a program along a list of activations.
pub(crate) fn unfold(
    program: &Program,
    unfolding: &Unfolding,
    terms: &mut Terms,
) -> Result<Unfolded, Refusal> {
    let parts = Parts::of(program);
    let callees = callees(program, &parts, unfolding)?;
    let mut result = Program {
        variables: program.variables.clone(),
        axioms: program.axioms.clone(),
        functions: program.functions.clone(),
        ..Program::default()
    };
    result.origins = program.origins.clone();
    let mut maker = Maker {
        program,
        terms,
        taken: used_symbols(program),
        copies: PrimaryMap::new(),
        unfolded: Unfolded {
            program: result,
            places: Vec::new(),
            locations: FxHashMap::default(),
            edges: FxHashMap::default(),
        },
    };
    for (activation, &data) in &unfolding.activations {
        maker.activate(activation, data, &parts)?;
    }
    for activation in unfolding.activations.keys() {
        let procedure = maker.copies[activation].procedure;
        for &edge in parts.edges(procedure) {
            match &program.edges[edge].kind {
                EdgeKind::Internal(relation) => maker.internal(activation, edge, relation)?,
                EdgeKind::Call(call) => maker.call(activation, edge, call, callees[&(activation, edge)])?,
                EdgeKind::Return(returning) => maker.ret(activation, edge, returning)?,
            }
        }
    }
    Ok(maker.unfolded)
}

fn malformed<T>(what: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Malformed(what.into()))
}

/// The locations and the edges in use of every procedure.
struct Parts {
    locations: FxHashMap<Procedure, Vec<Location>>,
    edges: FxHashMap<Procedure, Vec<Edge>>,
}

impl Parts {
    fn of(program: &Program) -> Parts {
        let mut parts = Parts { locations: FxHashMap::default(), edges: FxHashMap::default() };
        for (location, data) in &program.locations {
            parts.locations.entry(data.procedure).or_default().push(location);
            let edges = &program.outgoing[location];
            parts.edges.entry(data.procedure).or_default().extend(edges);
        }
        parts
    }

    fn edges(&self, procedure: Procedure) -> &[Edge] {
        self.edges.get(&procedure).map_or(&[], Vec::as_slice)
    }
}

/// Checks conditions 1 to 3; which activation a call of an activation leads to.
fn callees(
    program: &Program,
    parts: &Parts,
    unfolding: &Unfolding,
) -> Result<FxHashMap<(Activation, Edge), Activation>, Refusal> {
    let mut procedures: PrimaryMap<Activation, Procedure> = PrimaryMap::new();
    let mut started: FxHashSet<Location> = FxHashSet::default();
    let mut callees: FxHashMap<(Activation, Edge), Activation> = FxHashMap::default();
    for (activation, data) in &unfolding.activations {
        let procedure = match *data {
            ActivationData::Start(location) => {
                if !program.initial.contains(&location) || !started.insert(location) {
                    return malformed(format!(
                        "{activation} does not begin at an initial location of its own"
                    ));
                }
                program.locations[location].procedure
            }
            ActivationData::Call { caller, call } => {
                let Some(&calling) = procedures.get(caller) else {
                    return malformed(format!("the caller of {activation} does not come before it"));
                };
                let is_used = |edge: &&EdgeData| {
                    let own = program.locations[edge.source].procedure == calling;
                    own && program.outgoing[edge.source].contains(&call)
                };
                let callee = match program.edges.get(call).filter(is_used).map(|edge| &edge.kind) {
                    Some(EdgeKind::Call(data)) => data.callee,
                    _ => return malformed(format!("{activation} is not called by an edge of its caller")),
                };
                if callees.insert((caller, call), activation).is_some() {
                    return malformed(format!("{call} of {caller} leads to two activations"));
                }
                callee
            }
        };
        procedures.push(procedure);
    }
    if let Some(location) = program.initial.iter().find(|location| !started.contains(location)) {
        return malformed(format!("no activation begins at {location}"));
    }
    for (activation, &procedure) in &procedures {
        for &edge in parts.edges(procedure) {
            let calls = matches!(program.edges[edge].kind, EdgeKind::Call(_));
            if calls && !callees.contains_key(&(activation, edge)) {
                return malformed(format!("{edge} of {activation} leads to no activation"));
            }
        }
    }
    Ok(callees)
}

/// What the step of an edge chooses.
fn choices(program: &Program, edge: Edge) -> Vec<(ir::Variable, Symbol)> {
    match &program.origins[program.edges[edge].origin] {
        OriginData::Step { choices, .. } => choices.clone(),
        _ => Vec::new(),
    }
}

fn used_symbols(program: &Program) -> FxHashSet<Symbol> {
    let mut used: FxHashSet<Symbol> = program.variables.iter().map(|(_, data)| data.symbol).collect();
    for edge in program.edges.values() {
        if let EdgeKind::Internal(relation) = &edge.kind {
            used.extend(&relation.auxiliaries);
        }
    }
    used
}

struct Maker<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    /// The symbols that have a meaning.
    taken: FxHashSet<Symbol>,
    copies: PrimaryMap<Activation, Copy>,
    unfolded: Unfolded,
}

impl Maker<'_> {
    /// A symbol of the sort of another, with a name that nothing else has.
    fn symbol(&mut self, name: &str, like: Symbol) -> Result<Symbol, Refusal> {
        let sort = self.terms.symbol_data(like).sort;
        let symbol = self.terms.symbol(name, sort);
        if !self.taken.insert(symbol) {
            return malformed(format!("`{name}` is taken"));
        }
        Ok(symbol)
    }

    /// Adds an activation with its variables and locations.
    fn activate(
        &mut self,
        activation: Activation,
        data: ActivationData,
        parts: &Parts,
    ) -> Result<(), Refusal> {
        let (procedure, root, call) = match data {
            ActivationData::Start(location) => {
                let procedure = self.program.locations[location].procedure;
                (procedure, procedure, None)
            }
            ActivationData::Call { caller, call } => {
                let EdgeKind::Call(edge) = &self.program.edges[call].kind else {
                    unreachable!("the list was checked")
                };
                (edge.callee, self.copies[caller].root, Some((caller, call)))
            }
        };
        let mut copy =
            Copy { procedure, root, call, variables: FxHashMap::default(), renaming: Substitution::new() };
        if call.is_some() {
            self.variables(activation, &mut copy)?;
        }
        for &location in parts.locations.get(&procedure).into_iter().flatten() {
            let LocationData { span, error, .. } = self.program.locations[location];
            let program = &mut self.unfolded.program;
            let own = program.locations.push(LocationData { procedure: root, span, error: None });
            if let Some(error) = error {
                let error = ErrorData { location: own, ..self.program.errors[error].clone() };
                program.locations[own].error = Some(program.errors.push(error));
            }
            let place = Place { activation, location };
            self.unfolded.places.push(place);
            self.unfolded.locations.insert(place, own);
        }
        if let ActivationData::Start(location) = data {
            let start = self.unfolded.locations[&Place { activation, location }];
            self.unfolded.program.initial.push(start);
        }
        self.copies.push(copy);
        Ok(())
    }

    /// Copies of the variables that belong to a call.
    fn variables(&mut self, activation: Activation, copy: &mut Copy) -> Result<(), Refusal> {
        for (var, data) in self.program.variables.iter() {
            let belongs = match data.kind {
                VarKind::Local(owner) => owner == copy.procedure,
                VarKind::Old(_) => true,
                VarKind::Constant | VarKind::Global => false,
            };
            if !belongs {
                continue;
            }
            let name = copied_name(&self.terms.symbol_data(data.symbol).name, activation);
            let symbol = self.symbol(&name, data.symbol)?;
            let kind = VarKind::Local(copy.root);
            let own = VarData { name: data.name.clone(), symbol, kind, source: None };
            copy.variables.insert(var, self.unfolded.program.variables.add(own));
            copy.renaming.insert(data.symbol, self.terms.constant(symbol));
        }
        Ok(())
    }

    fn location(&self, activation: Activation, location: Location) -> Location {
        self.unfolded.locations[&Place { activation, location }]
    }

    /// Adds the copy of an edge, whose step chooses the values of these symbols.
    fn add(
        &mut self,
        (activation, edge): (Activation, Edge),
        ends: Ends,
        relation: Relation,
        choices: Vec<(ir::Variable, Symbol)>,
    ) {
        let data = &self.program.edges[edge];
        let origin = match &self.program.origins[data.origin] {
            OriginData::Step { step, .. } => OriginData::Step { step: step.clone(), choices },
            other => other.clone(),
        };
        let origin = self.unfolded.program.origins.push(origin);
        let copied = self.unfolded.program.add_edge(EdgeData {
            source: ends.from,
            target: ends.to,
            kind: EdgeKind::Internal(relation),
            origin,
            overapproximates: data.overapproximates,
        });
        self.unfolded.edges.insert((activation, edge), copied);
    }

    fn renamed(&mut self, activation: Activation, term: Term) -> Term {
        self.copies[activation].renaming.apply(self.terms, term)
    }

    fn internal(&mut self, activation: Activation, edge: Edge, relation: &Relation) -> Result<(), Refusal> {
        let mut auxiliaries = Vec::with_capacity(relation.auxiliaries.len());
        let mut choices = choices(self.program, edge);
        for &symbol in &relation.auxiliaries {
            let name = copied_name(&self.terms.symbol_data(symbol).name, activation);
            let own = self.symbol(&name, symbol)?;
            auxiliaries.push(own);
            for (_, chosen) in choices.iter_mut().filter(|(_, chosen)| *chosen == symbol) {
                *chosen = own;
            }
            let own = self.terms.constant(own);
            self.copies[activation].renaming.insert(symbol, own);
        }
        auxiliaries.sort_unstable();
        let mut updates = Vec::with_capacity(relation.updates.len());
        for &(var, value) in &relation.updates {
            let value = self.renamed(activation, value);
            updates.push((self.copies[activation].var(var), value));
        }
        let mut copied = Relation::assign(updates);
        copied.guard = self.renamed(activation, relation.guard);
        copied.auxiliaries = auxiliaries;
        let data = &self.program.edges[edge];
        let from = self.location(activation, data.source);
        let ends = Ends { from, to: self.location(activation, data.target) };
        self.add((activation, edge), ends, copied, choices);
        Ok(())
    }

    fn call(
        &mut self,
        activation: Activation,
        edge: Edge,
        call: &Call,
        callee: Activation,
    ) -> Result<(), Refusal> {
        let mut updates = Vec::new();
        let mut auxiliaries = Vec::new();
        let mut choices = Vec::new();
        for (var, data) in self.program.variables.iter() {
            let Some(&own) = self.copies[callee].variables.get(&var) else { continue };
            let value = match call.bindings.iter().find(|(bound, _)| *bound == var) {
                Some(&(_, value)) => self.renamed(activation, value),
                None => {
                    let name = beginning_name(&self.terms.symbol_data(data.symbol).name, callee);
                    let symbol = self.symbol(&name, data.symbol)?;
                    auxiliaries.push(symbol);
                    choices.extend(data.source.map(|source| (source, symbol)));
                    self.terms.constant(symbol)
                }
            };
            updates.push((own, value));
        }
        auxiliaries.sort_unstable();
        let mut relation = Relation::assign(updates);
        relation.auxiliaries = auxiliaries;
        let data = &self.program.edges[edge];
        let from = self.location(activation, data.source);
        let ends = Ends { from, to: self.location(callee, data.target) };
        self.add((activation, edge), ends, relation, choices);
        Ok(())
    }

    /// A return to the caller; returns to other callers are none of this activation.
    fn ret(&mut self, activation: Activation, edge: Edge, returning: &ReturnEdge) -> Result<(), Refusal> {
        let Some((caller, call)) = self.copies[activation].call else { return Ok(()) };
        if call != returning.call {
            return Ok(());
        }
        let mut updates = Vec::with_capacity(returning.results.len());
        for &(to, from) in &returning.results {
            let from = self.copies[activation].var(from);
            let value = self.unfolded.program.variables.term(self.terms, from);
            updates.push((self.copies[caller].var(to), value));
        }
        let data = &self.program.edges[edge];
        let from = self.location(activation, data.source);
        let ends = Ends { from, to: self.location(caller, data.target) };
        self.add((activation, edge), ends, Relation::assign(updates), choices(self.program, edge));
        Ok(())
    }
}
