//! From an `ir` program to the program automaton with one edge per step.
//!
//! For every procedure with a body there is an entry and an exit location, and between them a location before
//! each statement. A run begins at the start location of an entry procedure (see [`ir::Program::entries`]).
//!
//! * `Start`: the globals satisfy their `where` clauses, old values are the current ones.
//! * `Enter`: preconditions (checked at calls, assumed for entry procedures), free preconditions and the `where`
//!   clauses of the procedure's variables hold.
//! * An assertion has an edge to an error location of its own; the way on assumes that it held.
//! * A call of a procedure without body is an internal edge that is as wild as its contract allows.
//! * `Leave`: postconditions are checked first, then free postconditions are assumed.

use crate::automaton::{
    Call, Edge, EdgeData, EdgeKind, Error, ErrorData, ErrorKind, Frame, Location, LocationData, Program,
    ReturnEdge, Uninterpreted,
};
use crate::expressions::{Translated, Translator};
use crate::relation::Relation;
use crate::stages::SingleSteps;
use crate::steps::{OriginData, StatementPlace, Step};
use crate::variables::{Var, VarData, VarKind};
use base::{Diagnostic, SecondaryMap, Span};
use ir::{AssertKind, Block, Body, Expr, Mark, Procedure, Specification, Statement, StatementKind, Transfer};
use logic::{Op, Substitution, Symbol, Term, Terms};

/// The program automaton of an `ir` program, one edge per step. Fails at what logic cannot express.
pub fn build(source: &ir::Program, terms: &mut Terms) -> Result<SingleSteps, Diagnostic> {
    let translator = Translator::new(source, terms)?;
    let mut builder = Builder { source, terms, translator, program: Program::default() };
    builder.declare_variables();
    builder.program.axioms = builder.translator.background(builder.terms)?;
    for (procedure, data) in &source.procedures {
        if data.body.is_some() {
            let entry = builder.location(procedure, data.span);
            let exit = builder.location(procedure, data.span);
            builder.program.frames.insert(procedure, Frame { entry, exit });
        }
    }
    for (procedure, data) in &source.procedures {
        if let Some(body) = &data.body {
            builder.procedure(procedure, body)?;
        }
    }
    for procedure in source.entries() {
        builder.start(procedure)?;
    }
    for &(function, symbol) in builder.translator.nullary() {
        builder.program.functions.push((function, Uninterpreted::Symbol(symbol)));
        let name = builder.terms.symbol_data(symbol).name.clone();
        builder.program.variables.add(VarData { name, symbol, kind: VarKind::Constant, source: None });
    }
    for &(function, symbol) in builder.translator.functions() {
        builder.program.functions.push((function, Uninterpreted::Function(symbol)));
    }
    builder.mark_overapproximations();
    Ok(SingleSteps::new(builder.program))
}

/// A condition that must hold: why, at which statement, and where the condition is written.
struct Duty {
    kind: ErrorKind,
    span: Span,
    condition: Span,
}

/// The locations before a call and behind it.
#[derive(Clone, Copy)]
struct Ends {
    here: Location,
    after: Location,
}

struct Builder<'a> {
    source: &'a ir::Program,
    terms: &'a mut Terms,
    translator: Translator<'a>,
    program: Program,
}

impl<'a> Builder<'a> {
    /// An edge that mentions a function which stands for something more precise proves nothing about the original.
    fn mark_overapproximations(&mut self) {
        let vague = |function: ir::Function| {
            Mark::Overapproximation.is_in(&self.source.functions[function].attributes)
        };
        let vague: Vec<Uninterpreted> = self
            .program
            .functions
            .iter()
            .filter(|(function, _)| vague(*function))
            .map(|(_, meaning)| *meaning)
            .collect();
        if vague.is_empty() {
            return;
        }
        for edge in self.program.edges.values_mut() {
            let roots: Vec<Term> = match &edge.kind {
                EdgeKind::Internal(relation) => std::iter::once(relation.guard)
                    .chain(relation.updates.iter().map(|&(_, value)| value))
                    .collect(),
                EdgeKind::Call(call) => call.bindings.iter().map(|&(_, value)| value).collect(),
                EdgeKind::Return(_) => Vec::new(),
            };
            let mut found = false;
            self.terms.for_each_subterm(&roots, |term| {
                found |= match self.terms.op(term) {
                    Op::Symbol(symbol) => vague.contains(&Uninterpreted::Symbol(symbol)),
                    Op::Apply(function) => vague.contains(&Uninterpreted::Function(function)),
                    _ => false,
                };
            });
            edge.overapproximates |= found;
        }
    }

    fn declare_variables(&mut self) {
        let mut declare = |variable: ir::Variable, kind: VarKind| {
            let name = self.source.variables[variable].name.clone();
            let symbol = self.translator.symbol(variable);
            self.program.variables.add(VarData { name, symbol, kind, source: Some(variable) })
        };
        for &constant in &self.source.constants {
            declare(constant, VarKind::Constant);
        }
        let globals: Vec<Var> =
            self.source.globals.iter().map(|&global| declare(global, VarKind::Global)).collect();
        for (procedure, data) in &self.source.procedures {
            let Some(body) = &data.body else { continue };
            for &variable in data.parameters.iter().chain(&data.results).chain(&body.locals) {
                declare(variable, VarKind::Local(procedure));
            }
        }
        for (&variable, global) in self.source.globals.iter().zip(globals) {
            if let Some(symbol) = self.translator.old_symbol(variable) {
                let name = format!("old({})", self.source.variables[variable].name);
                self.program.variables.add(VarData {
                    name,
                    symbol,
                    kind: VarKind::Old(global),
                    source: Some(variable),
                });
            }
        }
    }

    fn location(&mut self, procedure: Procedure, span: Span) -> Location {
        self.program.locations.push(LocationData { procedure, span, error: None })
    }

    fn term(&mut self, expr: Expr) -> Translated<Term> {
        self.translator.term(self.terms, expr)
    }

    fn var(&self, variable: ir::Variable) -> Var {
        self.program.variables.of_source(variable).expect("every mutable variable was declared")
    }

    fn conjunction(&mut self, expressions: impl IntoIterator<Item = Expr>) -> Translated<Term> {
        let mut all = Vec::new();
        for expr in expressions {
            all.push(self.term(expr)?);
        }
        Ok(self.terms.and(all))
    }

    fn where_clauses(&mut self, variables: &[ir::Variable]) -> Translated<Term> {
        let source = self.source;
        self.conjunction(variables.iter().filter_map(|&variable| source.variables[variable].where_clause))
    }

    fn edge(&mut self, source: Location, target: Location, kind: EdgeKind, step: Step) -> Edge {
        self.edge_with_choices(source, target, kind, step, Vec::new())
    }

    fn edge_with_choices(
        &mut self,
        source: Location,
        target: Location,
        kind: EdgeKind,
        step: Step,
        choices: Vec<(ir::Variable, Symbol)>,
    ) -> Edge {
        let origin = self.program.origins.push(OriginData::Step { step, choices });
        self.program.add_edge(EdgeData { source, target, kind, origin, overapproximates: false })
    }

    fn assume(&mut self, source: Location, target: Location, guard: Term, step: Step) -> Edge {
        self.edge(source, target, EdgeKind::Internal(Relation::assume(guard)), step)
    }

    /// An error location of its own for a condition that must hold here, and the edge that leads there.
    fn error(&mut self, source: Location, condition: Term, duty: Duty, step: Step) {
        let violated = self.terms.not(condition);
        if violated.is_false() {
            return;
        }
        let procedure = self.program.locations[source].procedure;
        let location = self.location(procedure, duty.span);
        let Duty { kind, span, condition } = duty;
        let error: Error = self.program.errors.push(ErrorData { location, kind, span, condition });
        self.program.locations[location].error = Some(error);
        self.assume(source, location, violated, step);
    }

    fn start(&mut self, procedure: Procedure) -> Translated<()> {
        let data = &self.source.procedures[procedure];
        let start = self.location(procedure, data.span);
        let known = self.where_clauses(&self.source.globals)?;
        // What is assumed about the arguments of the first procedure only; a call is not cut by it.
        let parameters = self.where_clauses(&data.parameters)?;
        let free = data.requires.iter().filter(|requires| requires.free);
        let free = self.conjunction(free.map(|requires| requires.condition))?;
        let guard = self.terms.and([known, parameters, free]);
        let updates = self.old_values().collect::<Vec<_>>();
        let mut at_start = Substitution::default();
        for &(old, global) in &updates {
            let now = self.program.variables.term(self.terms, global);
            at_start.insert(self.program.variables[old].symbol, now);
        }
        let guard = at_start.apply(self.terms, guard);
        let updates =
            updates.into_iter().map(|(old, global)| (old, self.program.variables.term(self.terms, global)));
        let mut relation = Relation::assign(updates.collect());
        relation.guard = guard;
        let entry = self.program.frames[&procedure].entry;
        self.edge(start, entry, EdgeKind::Internal(relation), Step::Start(procedure));
        self.program.initial.push(start);
        Ok(())
    }

    /// The variables for old values with their globals.
    fn old_values(&self) -> impl Iterator<Item = (Var, Var)> + '_ {
        let variables = &self.program.variables;
        variables.globals().filter_map(|global| Some((variables.old(global)?, global)))
    }

    fn procedure(&mut self, procedure: Procedure, body: &'a Body) -> Translated<()> {
        let data = &self.source.procedures[procedure];
        let Frame { entry, exit } = self.program.frames[&procedure];
        let mut heads: SecondaryMap<Block, Option<Location>> = SecondaryMap::new();
        for (block, block_data) in &body.blocks {
            let span =
                block_data.statements.first().map_or(block_data.transfer_span, |statement| statement.span);
            heads[block] = Some(self.location(procedure, span));
        }
        let head = |block: Block| heads[block].expect("every block has a location");
        let established = |variable: &&ir::Variable| self.source.variables[**variable].is_established();
        let parameters = data.parameters.iter().filter(established);
        let own: Vec<ir::Variable> = parameters.chain(&data.results).chain(&body.locals).copied().collect();
        let known = self.where_clauses(&own)?;
        let required = data.requires.iter().filter(|requires| !requires.free);
        let required = self.conjunction(required.map(|requires| requires.condition))?;
        let guard = self.terms.and([known, required]);
        self.assume(entry, head(body.entry()), guard, Step::Enter(procedure));
        for (block, block_data) in &body.blocks {
            let mut here = head(block);
            for (index, statement) in block_data.statements.iter().enumerate() {
                let next = block_data.statements.get(index + 1).map_or(block_data.transfer_span, |s| s.span);
                let after = self.location(procedure, next);
                self.statement(here, after, StatementPlace { procedure, block, index }, statement)?;
                here = after;
            }
            match &block_data.transfer {
                Transfer::Goto(targets) => {
                    for (target, &to) in targets.iter().enumerate() {
                        self.assume(here, head(to), Term::TRUE, Step::Goto { procedure, block, target });
                    }
                }
                Transfer::Branch { condition, then, otherwise } => {
                    let condition = self.term(*condition)?;
                    let refuted = self.terms.not(condition);
                    self.assume(here, head(*then), condition, Step::Branch { procedure, block, holds: true });
                    self.assume(
                        here,
                        head(*otherwise),
                        refuted,
                        Step::Branch { procedure, block, holds: false },
                    );
                }
                Transfer::Return => self.leave(here, exit, procedure, block, block_data.transfer_span)?,
            }
        }
        Ok(())
    }

    fn leave(
        &mut self,
        here: Location,
        exit: Location,
        procedure: Procedure,
        block: Block,
        span: Span,
    ) -> Translated<()> {
        let source = self.source;
        let ensures = &source.procedures[procedure].ensures;
        for (clause, specification) in ensures.iter().enumerate().filter(|(_, s)| !s.free) {
            let condition = self.term(specification.condition)?;
            let duty = Duty { kind: ErrorKind::Ensures(procedure), span, condition: specification.span };
            self.error(here, condition, duty, Step::FailEnsures(procedure, block, clause));
        }
        let all = self.conjunction(ensures.iter().map(|specification| specification.condition))?;
        self.assume(here, exit, all, Step::Leave(procedure, block));
        Ok(())
    }

    fn statement(
        &mut self,
        here: Location,
        after: Location,
        place: StatementPlace,
        statement: &'a Statement,
    ) -> Translated<()> {
        let step = Step::Statement(place);
        let edge = match &statement.kind {
            StatementKind::Assign(assignments) => {
                let mut updates = Vec::with_capacity(assignments.len());
                for &(variable, value) in assignments {
                    updates.push((self.var(variable), self.term(value)?));
                }
                self.edge(here, after, EdgeKind::Internal(Relation::assign(updates)), step)
            }
            StatementKind::Havoc(variables) => {
                let mut wild = Wild::default();
                for &variable in variables {
                    self.havoc(&mut wild, variable);
                }
                let known = self.where_clauses(variables)?;
                let relation = wild.relation(known, self.terms);
                self.edge_with_choices(here, after, EdgeKind::Internal(relation), step, wild.choices)
            }
            StatementKind::Assume(condition) => {
                let condition = self.term(*condition)?;
                self.assume(here, after, condition, step)
            }
            StatementKind::Assert(kind, condition) => {
                let condition_span = self.source.expressions.span(*condition);
                let condition = self.term(*condition)?;
                let kind = match kind {
                    AssertKind::Assert => ErrorKind::Assert,
                    AssertKind::Invariant => ErrorKind::Invariant,
                };
                let duty = Duty { kind, span: statement.span, condition: condition_span };
                self.error(here, condition, duty, Step::Fail(place));
                self.assume(here, after, condition, step)
            }
            StatementKind::Call { procedure, arguments, results } => {
                let mut values = Vec::with_capacity(arguments.len());
                for &argument in arguments {
                    values.push(self.term(argument)?);
                }
                let checked = self.check_requires(here, place, *procedure, &values)?;
                match self.program.frames.get(procedure).copied() {
                    Some(frame) => {
                        return self.call(
                            frame,
                            Ends { here: checked, after },
                            place,
                            *procedure,
                            &values,
                            results,
                        );
                    }
                    None => {
                        let ends = Ends { here: checked, after };
                        self.call_by_contract(ends, place, *procedure, &values, results)?
                    }
                }
            }
            StatementKind::Fork { .. } | StatementKind::Join { .. } => {
                return Err(Diagnostic::error(statement.span, "several threads in one automaton"));
            }
            // A single thread is never interrupted.
            StatementKind::Atomic(_) => self.assume(here, after, Term::TRUE, step),
        };
        if Mark::Overapproximation.is_in(&statement.attributes) {
            self.program.edges[edge].overapproximates = true;
        }
        Ok(())
    }

    fn havoc(&mut self, wild: &mut Wild, variable: ir::Variable) -> Term {
        let symbol = self.translator.symbol(variable);
        let data = self.terms.symbol_data(symbol).clone();
        let fresh = self.terms.fresh_symbol(&format!("any {}", data.name), data.sort);
        let value = self.terms.constant(fresh);
        wild.choices.push((variable, fresh));
        wild.substitution.insert(symbol, value);
        if let Some(var) = self.program.variables.of_source(variable) {
            wild.updates.push((var, value));
        }
        value
    }

    /// The parameters of a procedure replaced by the values at a call.
    fn parameters_as(&self, procedure: Procedure, values: &[Term]) -> Substitution {
        let parameters = &self.source.procedures[procedure].parameters;
        parameters.iter().map(|&p| self.translator.symbol(p)).zip(values.iter().copied()).collect()
    }

    /// Edges that check the preconditions at a call; where control is if they hold.
    fn check_requires(
        &mut self,
        here: Location,
        place: StatementPlace,
        callee: Procedure,
        values: &[Term],
    ) -> Translated<Location> {
        let source = self.source;
        let requires: Vec<(usize, &Specification)> = source.procedures[callee]
            .requires
            .iter()
            .enumerate()
            .filter(|(_, requires)| !requires.free)
            .collect();
        if requires.is_empty() {
            return Ok(here);
        }
        let span = statement_of(source, place).span;
        let mut at_call = self.parameters_as(callee, values);
        let mut all = Vec::new();
        for &(clause, specification) in &requires {
            let condition = self.term(specification.condition)?;
            let condition = at_call.apply(self.terms, condition);
            let duty = Duty { kind: ErrorKind::Requires(callee), span, condition: specification.span };
            self.error(here, condition, duty, Step::FailRequires(place, clause));
            all.push(condition);
        }
        let after = self.location(place.procedure, span);
        let guard = self.terms.and(all);
        self.assume(here, after, guard, Step::CheckRequires(place));
        Ok(after)
    }

    fn call(
        &mut self,
        frame: Frame,
        Ends { here, after }: Ends,
        place: StatementPlace,
        callee: Procedure,
        values: &[Term],
        results: &[ir::Variable],
    ) -> Translated<()> {
        let data = &self.source.procedures[callee];
        let mut bindings: Vec<(Var, Term)> =
            data.parameters.iter().map(|&p| self.var(p)).zip(values.iter().copied()).collect();
        for (old, global) in self.old_values().collect::<Vec<_>>() {
            bindings.push((old, self.program.variables.term(self.terms, global)));
        }
        let call = Call { callee, bindings };
        let call = self.edge(here, frame.entry, EdgeKind::Call(call), Step::Call(place));
        let results =
            results.iter().zip(&data.results).map(|(&to, &from)| (self.var(to), self.var(from))).collect();
        let returning = EdgeKind::Return(ReturnEdge { call, results });
        self.edge(frame.exit, after, returning, Step::Return(place));
        Ok(())
    }

    fn call_by_contract(
        &mut self,
        Ends { here, after }: Ends,
        place: StatementPlace,
        callee: Procedure,
        values: &[Term],
        results: &[ir::Variable],
    ) -> Translated<Edge> {
        let source = self.source;
        let data = &source.procedures[callee];
        let mut wild = Wild { substitution: self.parameters_as(callee, values), ..Wild::default() };
        for &global in &data.modifies {
            self.havoc(&mut wild, global);
        }
        for (&to, &from) in results.iter().zip(&data.results) {
            let value = self.havoc(&mut wild, from);
            // Where a global receives a result, the result wins over what the callee did to the global.
            let to = self.var(to);
            wild.updates.retain(|(var, _)| *var != to);
            wild.updates.push((to, value));
        }
        for (old, global) in self.old_values().collect::<Vec<_>>() {
            let before = self.program.variables.term(self.terms, global);
            wild.substitution.insert(self.program.variables[old].symbol, before);
        }
        let ensured = self.conjunction(data.ensures.iter().map(|ensures| ensures.condition))?;
        let wild_variables: Vec<ir::Variable> = data.modifies.iter().chain(&data.results).copied().collect();
        let known = self.where_clauses(&wild_variables)?;
        let contract = self.terms.and([ensured, known]);
        let relation = wild.relation(contract, self.terms);
        let step = Step::Statement(place);
        Ok(self.edge_with_choices(here, after, EdgeKind::Internal(relation), step, wild.choices))
    }
}

/// Variables that get arbitrary values.
#[derive(Default)]
struct Wild {
    choices: Vec<(ir::Variable, Symbol)>,
    updates: Vec<(Var, Term)>,
    substitution: Substitution,
}

impl Wild {
    /// The relation that gives the variables values which satisfy a formula over the state after.
    fn relation(&mut self, known: Term, terms: &mut Terms) -> Relation {
        let mut relation = Relation::assign(std::mem::take(&mut self.updates));
        relation.guard = self.substitution.apply(terms, known);
        relation.auxiliaries = self.choices.iter().map(|(_, symbol)| *symbol).collect();
        relation.auxiliaries.sort_unstable();
        relation
    }
}

/// The statement at a place.
pub fn statement_of(source: &ir::Program, place: StatementPlace) -> &Statement {
    let body = source.procedures[place.procedure].body.as_ref().expect("a place is in a body");
    &body.blocks[place.block].statements[place.index]
}
