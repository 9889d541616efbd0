//! Inlining: a program whose call graph has no cycles as a program without calls.
//!
//! Every call site gets its own copy of the callee: of its locations, of its error locations, of its variables (old
//! values of globals included, which become plain variables of the copy) and of the constants that stand for
//! nondeterministic choices. A call becomes an assignment of the arguments that gives arbitrary values to the
//! callee's other variables; a return becomes an assignment of the results. All locations of a run belong to the
//! procedure with which the run begins, so that formulas may speak of all copies at once.
//!
//! The way back: edges keep the steps of the program as written. The step of a call additionally lists the callee's
//! variables that begin with arbitrary values, with the constants that stand for them. And [`Inlined`] says of which
//! activation every location and every edge is a copy; copies of variables have the names that
//! [`program::unfolding`] gives them. So a proof about the result can be checked on an unfolding that somebody else
//! makes.
//!
//! The size can be exponential in the depth of the call graph and is therefore limited.

use base::SecondaryMap;
use ir::Procedure;
use logic::{Substitution, Symbol, Term, Terms};
use program::automaton::{EdgeData, Frame};
use program::steps::{Origin, OriginData, Origins};
use program::unfolding::{beginning_name, copied_name};
use program::variables::VarData;
use program::{
    Activation, ActivationData, Call, Edge, EdgeKind, ErrorData, Location, LocationData, Place, Program,
    Relation, ReturnEdge, SingleSteps, Unfolding, Var, VarKind,
};
use rustc_hash::FxHashMap;

/// Why a program cannot be inlined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CannotInline {
    /// A procedure calls itself, directly or through others.
    Recursion(Procedure),
    /// The result would have more locations than this.
    TooLarge(usize),
}

/// The largest result that anybody can do something with.
pub const MOST_LOCATIONS: usize = 100_000;

/// A program without calls.
#[derive(Clone, Debug)]
pub struct Inlined {
    /// The program.
    pub program: SingleSteps,
    /// What its parts are copies of.
    pub copies: Copies,
}

/// What the parts of a program without calls are copies of.
#[derive(Clone, Debug)]
pub struct Copies {
    /// The copies of procedures that it is made of.
    pub unfolding: Unfolding,
    places: Vec<Place>,
    edges: Vec<CopiedEdge>,
}

/// An edge of an activation; a return belongs to the callee.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CopiedEdge {
    /// The activation in which it begins.
    pub activation: Activation,
    /// The edge of the program with calls.
    pub edge: Edge,
}

impl Copies {
    /// What a location is a copy of.
    pub fn place(&self, location: Location) -> Place {
        self.places[base::EntityRef::index(location)]
    }

    /// What an edge is a copy of.
    pub fn edge(&self, edge: Edge) -> CopiedEdge {
        self.edges[base::EntityRef::index(edge)]
    }
}

/// The program without calls, if it has no more than so many locations. Edges that are not in use are dropped.
pub fn inline(
    program: &SingleSteps,
    terms: &mut Terms,
    most_locations: usize,
) -> Result<Inlined, CannotInline> {
    let parts = Parts::new(program);
    if let Some(procedure) = parts.recursive(program) {
        return Err(CannotInline::Recursion(procedure));
    }
    let mut inliner = Inliner {
        program,
        parts,
        terms,
        result: Program::default(),
        most_locations,
        pending: Vec::new(),
        unfolding: Unfolding::default(),
        places: Vec::new(),
        edges: Vec::new(),
    };
    inliner.result.variables = program.variables.clone();
    inliner.result.axioms = program.axioms.clone();
    inliner.result.functions = program.functions.clone();
    for &start in &program.initial {
        let procedure = program.locations[start].procedure;
        let copy = inliner.root(procedure, start)?;
        let start = copy.locations[&start];
        inliner.result.initial.push(start);
        if let Some(frame) = program.frames.get(&procedure) {
            let ends = (copy.locations.get(&frame.entry), copy.locations.get(&frame.exit));
            if let (Some(&entry), Some(&exit)) = ends {
                inliner.result.frames.insert(procedure, Frame { entry, exit });
            }
        }
        inliner.pending.push(copy);
        while let Some(copy) = inliner.pending.pop() {
            inliner.fill(copy)?;
        }
    }
    let Inliner { result, unfolding, places, edges, .. } = inliner;
    Ok(Inlined { program: SingleSteps::new(result), copies: Copies { unfolding, places, edges } })
}

/// Which locations and edges belong to which procedure.
struct Parts {
    locations: FxHashMap<Procedure, Vec<Location>>,
    edges: FxHashMap<Procedure, Vec<Edge>>,
    /// The returns of a call edge.
    returns: FxHashMap<Edge, Vec<Edge>>,
}

impl Parts {
    fn new(program: &Program) -> Parts {
        let mut parts = Parts {
            locations: FxHashMap::default(),
            edges: FxHashMap::default(),
            returns: FxHashMap::default(),
        };
        let mut seen: SecondaryMap<Location, bool> = SecondaryMap::new();
        let mut see = |location: Location, parts: &mut Parts| {
            if !std::mem::replace(&mut seen[location], true) {
                parts.locations.entry(program.locations[location].procedure).or_default().push(location);
            }
        };
        for &location in &program.initial {
            see(location, &mut parts);
        }
        for edge in program.live_edges() {
            let data = &program.edges[edge];
            see(data.source, &mut parts);
            see(data.target, &mut parts);
            match &data.kind {
                EdgeKind::Return(returning) => parts.returns.entry(returning.call).or_default().push(edge),
                _ => {
                    parts.edges.entry(program.locations[data.source].procedure).or_default().push(edge);
                }
            }
        }
        parts
    }

    fn edges(&self, procedure: Procedure) -> &[Edge] {
        self.edges.get(&procedure).map_or(&[], |edges| &edges[..])
    }

    /// A procedure on a cycle of the call graph that a run can get to.
    fn recursive(&self, program: &Program) -> Option<Procedure> {
        #[derive(Clone, Copy, PartialEq)]
        enum Visit {
            Open,
            Done,
        }
        let mut visits: FxHashMap<Procedure, Visit> = FxHashMap::default();
        for &start in &program.initial {
            let mut pending = vec![(program.locations[start].procedure, 0usize)];
            while let Some((procedure, position)) = pending.pop() {
                visits.entry(procedure).or_insert(Visit::Open);
                let Some(&edge) = self.edges(procedure).get(position) else {
                    visits.insert(procedure, Visit::Done);
                    continue;
                };
                pending.push((procedure, position + 1));
                let EdgeKind::Call(call) = &program.edges[edge].kind else { continue };
                match visits.get(&call.callee) {
                    None => pending.push((call.callee, 0)),
                    Some(Visit::Open) => return Some(call.callee),
                    Some(Visit::Done) => {}
                }
            }
        }
        None
    }
}

/// A copy of a procedure.
struct Instance {
    activation: Activation,
    procedure: Procedure,
    /// The procedure with which the run begins.
    root: Procedure,
    locations: FxHashMap<Location, Location>,
    /// The copies of the procedure's variables; others are themselves.
    variables: FxHashMap<Var, Var>,
    /// Their symbols.
    renaming: Substitution,
}

impl Instance {
    fn var(&self, var: Var) -> Var {
        self.variables.get(&var).copied().unwrap_or(var)
    }
}

struct Inliner<'a> {
    program: &'a Program,
    parts: Parts,
    terms: &'a mut Terms,
    result: Program,
    most_locations: usize,
    /// Copies whose edges are still missing.
    pending: Vec<Instance>,
    unfolding: Unfolding,
    places: Vec<Place>,
    edges: Vec<CopiedEdge>,
}

impl Inliner<'_> {
    /// The copy with which a run begins: it keeps its variables.
    fn root(&mut self, procedure: Procedure, start: Location) -> Result<Instance, CannotInline> {
        self.copy(ActivationData::Start(start), procedure, procedure)
    }

    /// The copy of a callee: it has variables of its own.
    fn callee(
        &mut self,
        how: ActivationData,
        procedure: Procedure,
        root: Procedure,
    ) -> Result<Instance, CannotInline> {
        let mut copy = self.copy(how, procedure, root)?;
        for (var, data) in self.program.variables.iter() {
            let own = match data.kind {
                VarKind::Local(owner) => owner == procedure,
                VarKind::Old(_) => true,
                VarKind::Constant | VarKind::Global => false,
            };
            if own {
                let symbol = self.copied(data.symbol, copy.activation);
                let kind = VarKind::Local(root);
                let source = data.source.filter(|_| !matches!(data.kind, VarKind::Old(_)));
                let data = VarData { name: data.name.clone(), symbol, kind, source };
                let own = self.result.variables.add(data);
                copy.variables.insert(var, own);
                let image = self.terms.constant(symbol);
                copy.renaming.insert(self.program.variables[var].symbol, image);
            }
        }
        Ok(copy)
    }

    fn copy(
        &mut self,
        how: ActivationData,
        procedure: Procedure,
        root: Procedure,
    ) -> Result<Instance, CannotInline> {
        let activation = self.unfolding.activations.push(how);
        let mut locations = FxHashMap::default();
        for &location in self.parts.locations.get(&procedure).into_iter().flatten() {
            if self.result.locations.len() >= self.most_locations {
                return Err(CannotInline::TooLarge(self.most_locations));
            }
            let LocationData { span, error, .. } = self.program.locations[location];
            let copy = self.result.locations.push(LocationData { procedure: root, span, error: None });
            if let Some(error) = error {
                let data = ErrorData { location: copy, ..self.program.errors[error].clone() };
                self.result.locations[copy].error = Some(self.result.errors.push(data));
            }
            self.places.push(Place { activation, location });
            locations.insert(location, copy);
        }
        Ok(Instance {
            activation,
            procedure,
            root,
            locations,
            variables: FxHashMap::default(),
            renaming: Substitution::new(),
        })
    }

    fn copied(&mut self, symbol: Symbol, activation: Activation) -> Symbol {
        let data = self.terms.symbol_data(symbol).clone();
        self.terms.symbol(&copied_name(&data.name, activation), data.sort)
    }

    fn add(&mut self, copy_of: CopiedEdge, edge: EdgeData) {
        self.result.add_edge(edge);
        self.edges.push(copy_of);
    }

    /// Adds the edges of a copy, and empty copies of its callees.
    fn fill(&mut self, mut copy: Instance) -> Result<(), CannotInline> {
        for edge in self.parts.edges(copy.procedure).to_vec() {
            let data = &self.program.edges[edge];
            match &data.kind {
                EdgeKind::Internal(relation) => self.internal(&mut copy, edge, relation),
                EdgeKind::Call(call) => self.call(&mut copy, edge, call)?,
                EdgeKind::Return(_) => unreachable!("returns are listed with their calls"),
            }
        }
        Ok(())
    }

    fn internal(&mut self, copy: &mut Instance, edge: Edge, relation: &Relation) {
        let data = &self.program.edges[edge];
        let mut choices = FxHashMap::default();
        for &symbol in &relation.auxiliaries {
            let fresh = self.copied(symbol, copy.activation);
            let image = self.terms.constant(fresh);
            copy.renaming.insert(symbol, image);
            choices.insert(symbol, fresh);
        }
        let mut renamed = |value: Term| copy.renaming.apply(self.terms, value);
        let guard = renamed(relation.guard);
        let updates = relation.updates.iter().map(|&(var, value)| (var, renamed(value))).collect::<Vec<_>>();
        let updates = updates.into_iter().map(|(var, value)| (copy.var(var), value)).collect();
        let mut copied = Relation::assign(updates);
        copied.guard = guard;
        copied.auxiliaries = relation.auxiliaries.iter().map(|symbol| choices[symbol]).collect();
        copied.auxiliaries.sort_unstable();
        let origin = copied_step(&self.program.origins, &mut self.result.origins, data.origin, |symbol| {
            choices.get(&symbol).copied().unwrap_or(symbol)
        });
        let (source, target) = (copy.locations[&data.source], copy.locations[&data.target]);
        let kind = EdgeKind::Internal(copied);
        let overapproximates = data.overapproximates;
        self.add(
            CopiedEdge { activation: copy.activation, edge },
            EdgeData { source, target, kind, origin, overapproximates },
        );
    }

    fn call(&mut self, copy: &mut Instance, edge: Edge, call: &Call) -> Result<(), CannotInline> {
        let data = &self.program.edges[edge];
        let how = ActivationData::Call { caller: copy.activation, call: edge };
        let callee = self.callee(how, call.callee, copy.root)?;
        let mut updates = Vec::with_capacity(callee.variables.len());
        let mut auxiliaries = Vec::new();
        let mut choices = Vec::new();
        for (var, data) in self.program.variables.iter() {
            let Some(&own) = callee.variables.get(&var) else { continue };
            let bound = call.bindings.iter().find(|(bound, _)| *bound == var);
            let value = match bound {
                Some(&(_, value)) => copy.renaming.apply(self.terms, value),
                None => {
                    let symbol = self.terms.symbol_data(data.symbol).clone();
                    let name = beginning_name(&symbol.name, callee.activation);
                    let symbol = self.terms.symbol(&name, symbol.sort);
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
        let step = match &self.program.origins[data.origin] {
            OriginData::Step { step, .. } => step.clone(),
            _ => unreachable!("a single-step program has single steps"),
        };
        let origin = self.result.origins.push(OriginData::Step { step, choices });
        let (source, target) = (copy.locations[&data.source], callee.locations[&data.target]);
        let kind = EdgeKind::Internal(relation);
        let overapproximates = data.overapproximates;
        self.add(
            CopiedEdge { activation: copy.activation, edge },
            EdgeData { source, target, kind, origin, overapproximates },
        );
        for returning in self.parts.returns.get(&edge).cloned().unwrap_or_default() {
            self.ret(copy, &callee, returning);
        }
        self.pending.push(callee);
        Ok(())
    }

    fn ret(&mut self, caller: &Instance, callee: &Instance, edge: Edge) {
        let data = &self.program.edges[edge];
        let EdgeKind::Return(ReturnEdge { results, .. }) = &data.kind else {
            unreachable!("it is listed as a return")
        };
        let updates = results.iter().map(|&(to, from)| {
            let value = self.result.variables.term(self.terms, callee.var(from));
            (caller.var(to), value)
        });
        let relation = Relation::assign(updates.collect());
        let origin =
            copied_step(&self.program.origins, &mut self.result.origins, data.origin, |symbol| symbol);
        let (source, target) = (callee.locations[&data.source], caller.locations[&data.target]);
        let kind = EdgeKind::Internal(relation);
        let overapproximates = data.overapproximates;
        self.add(
            CopiedEdge { activation: callee.activation, edge },
            EdgeData { source, target, kind, origin, overapproximates },
        );
    }
}

/// The step of an edge with its choices renamed.
fn copied_step(
    from: &Origins,
    to: &mut Origins,
    origin: Origin,
    renamed: impl Fn(Symbol) -> Symbol,
) -> Origin {
    let data = match &from[origin] {
        OriginData::Step { step, choices } => OriginData::Step {
            step: step.clone(),
            choices: choices.iter().map(|&(variable, symbol)| (variable, renamed(symbol))).collect(),
        },
        _ => unreachable!("a single-step program has single steps"),
    };
    to.push(data)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{EntityRef, FileId, Span};
    use ir::Block;
    use logic::Sort;
    use program::steps::{StatementPlace, Step};
    use program::{Error, ErrorKind};

    fn span() -> Span {
        Span::new(FileId::new(0), 0, 0)
    }

    /// Procedures `p0` to `pn`, each with entry, exit and a local variable; `p0` is where runs begin.
    struct Builder {
        program: Program,
        frames: Vec<Frame>,
        locals: Vec<Var>,
    }

    impl Builder {
        fn new(procedures: usize, terms: &mut Terms) -> Builder {
            let mut program = Program::default();
            let (mut frames, mut locals) = (Vec::new(), Vec::new());
            for index in 0..procedures {
                let procedure = Procedure::new(index);
                let mut location =
                    || program.locations.push(LocationData { procedure, span: span(), error: None });
                let frame = Frame { entry: location(), exit: location() };
                program.frames.insert(procedure, frame);
                frames.push(frame);
                let name = format!("x{index}");
                let symbol = terms.symbol(&name, Sort::INT);
                let kind = VarKind::Local(procedure);
                locals.push(program.variables.add(VarData { name, symbol, kind, source: None }));
            }
            program.initial.push(frames[0].entry);
            Builder { program, frames, locals }
        }

        fn single(&self) -> SingleSteps {
            SingleSteps::new(self.program.clone())
        }

        fn edge(&mut self, source: Location, target: Location, kind: EdgeKind, step: Step) -> Edge {
            let origin = self.program.origins.push(OriginData::Step { step, choices: Vec::new() });
            self.program.add_edge(EdgeData { source, target, kind, origin, overapproximates: false })
        }

        /// A call from the entry of one procedure that comes back at its exit.
        fn call(&mut self, caller: usize, callee: usize, bindings: Vec<(Var, Term)>) {
            let (outer, inner) = (self.frames[caller], self.frames[callee]);
            let place =
                StatementPlace { procedure: Procedure::new(caller), block: Block::new(0), index: callee };
            let call = Call { callee: Procedure::new(callee), bindings };
            let call = self.edge(outer.entry, inner.entry, EdgeKind::Call(call), Step::Call(place));
            let results = vec![(self.locals[caller], self.locals[callee])];
            let returning = EdgeKind::Return(ReturnEdge { call, results });
            self.edge(inner.exit, outer.exit, returning, Step::Return(place));
        }

        /// The body of a procedure: to its exit, and to an error.
        fn body(&mut self, index: usize) {
            let Frame { entry, exit } = self.frames[index];
            let procedure = Procedure::new(index);
            let skip = || EdgeKind::Internal(Relation::skip());
            self.edge(entry, exit, skip(), Step::Enter(procedure));
            let error = Some(Error::new(self.program.errors.len()));
            let location = self.program.locations.push(LocationData { procedure, span: span(), error });
            let kind = ErrorKind::Assert;
            self.program.errors.push(ErrorData { location, kind, span: span(), condition: span() });
            self.edge(entry, location, skip(), Step::Enter(procedure));
        }
    }

    #[test]
    fn every_call_site_has_its_own_copy() {
        let mut terms = Terms::new();
        let mut builder = Builder::new(2, &mut terms);
        let (seven, callee) = (terms.int(7), builder.locals[1]);
        builder.call(0, 1, vec![(callee, seven)]);
        builder.call(0, 1, Vec::new());
        builder.body(1);
        let inlined = inline(&builder.single(), &mut terms, MOST_LOCATIONS).expect("no recursion").program;
        // Two copies of the callee: entry, exit and error each; two locations of the caller.
        assert_eq!((inlined.locations.len(), inlined.errors.len(), inlined.edges.len()), (8, 2, 8));
        assert!(inlined.edges.values().all(|edge| matches!(edge.kind, EdgeKind::Internal(_))));
        assert!(inlined.locations.values().all(|location| location.procedure == Procedure::new(0)));
        let calls: Vec<&Relation> =
            inlined.outgoing[inlined.initial[0]].iter().filter_map(|&edge| inlined.relation(edge)).collect();
        let [first, second] = calls[..] else { panic!("two calls, found {}", calls.len()) };
        let ((to, value), (other, arbitrary)) = (first.updates[0], second.updates[0]);
        assert!(value == seven && to != other && to != callee && other != callee);
        // The second call passes nothing, so the callee's variable is arbitrary.
        assert_eq!(second.auxiliaries, Vec::from_iter(terms.as_symbol(arbitrary)));
        assert!(first.auxiliaries.is_empty());
    }

    #[test]
    fn recursion_is_refused_only_where_a_run_gets_to() {
        let mut terms = Terms::new();
        let mut builder = Builder::new(3, &mut terms);
        builder.body(0);
        builder.call(1, 2, Vec::new());
        builder.call(2, 1, Vec::new());
        assert!(inline(&builder.single(), &mut terms, MOST_LOCATIONS).is_ok());
        builder.call(0, 1, Vec::new());
        let refused = inline(&builder.single(), &mut terms, MOST_LOCATIONS).map(|_| ());
        assert_eq!(refused, Err(CannotInline::Recursion(Procedure::new(1))));
    }

    #[test]
    fn exponential_growth_is_refused() {
        let mut terms = Terms::new();
        let depth = 18;
        let mut builder = Builder::new(depth, &mut terms);
        for caller in 0..depth - 1 {
            builder.call(caller, caller + 1, Vec::new());
            builder.call(caller, caller + 1, Vec::new());
        }
        builder.body(depth - 1);
        let refused = inline(&builder.single(), &mut terms, MOST_LOCATIONS).map(|_| ());
        assert_eq!(refused, Err(CannotInline::TooLarge(MOST_LOCATIONS)));
    }
}
