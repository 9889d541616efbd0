//! The call that is verified, and the finished program.

use crate::body::{Changed, Draft, Slot};
use crate::builder::Builder;
use crate::flow::Flow;
use crate::lower::Lowering;
use crate::problem::{Problem, mistake, unsupported};
use crate::properties::Claim;
use crate::symbols::{KeptAt, Named, Scope};
use crate::syntax::Node;
use base::PrimaryMap;
use ir::interpreter::Place;
use ir::{
    Block, BlockData, Body, Expr, Meaning, ProcedureData, Statement, StatementKind, Transfer, Variable,
    VariableKind,
};
use std::collections::{BTreeMap, BTreeSet};

/// The name of the procedure that makes the call.
const START: &str = "verify#call";

impl<'d> Builder<'d> {
    /// The number of a procedure that is called.
    pub(crate) fn callee(&self, node: Node, command: usize) -> Result<usize, Problem> {
        let span = self.document.span(node);
        let Some(name) = self.document.symbol(node) else {
            return Err(mistake(span, "the name of a procedure is expected here"));
        };
        let found = self.procedure_names.find(name, command, span)?;
        found.ok_or_else(|| mistake(span, format!("there is no procedure `{name}`")))
    }

    /// The global variable of a name.
    pub(crate) fn global(&self, name: &str) -> Option<Variable> {
        match self.names.find(name, usize::MAX, self.start) {
            Ok(Some(Named::Global(variable))) => Some(variable),
            _ => None,
        }
    }

    /// The values for the inputs of a procedure.
    pub(crate) fn arguments(
        &mut self,
        callee: usize,
        inputs: Node,
        scope: &mut Scope,
    ) -> Result<Vec<Expr>, Problem> {
        let nodes = self.list(inputs)?;
        let expected = self.procedures[callee].inputs.clone();
        if nodes.len() != expected.len() {
            let (wanted, found) = (expected.len(), nodes.len());
            let message = format!("the procedure has {wanted} inputs, and here are {found} terms for them");
            return Err(mistake(self.document.span(inputs), message));
        }
        let mut arguments = Vec::new();
        for (&node, input) in nodes.iter().zip(expected) {
            let ty = self.program.variables[input].ty;
            arguments.push(self.term_of(node, ty, scope)?);
        }
        Ok(arguments)
    }

    /// What a procedure's annotations may speak of where it is called: its inputs are the arguments.
    pub(crate) fn call_scope(&self, callee: usize, arguments: &[Expr], command: usize) -> Scope {
        let declared = &self.procedures[callee];
        let mut scope =
            Scope { command, has_state: true, relational: Some(KeptAt::Call), ..Scope::default() };
        for (name, variable) in &declared.scope_in_order {
            if let Some(position) = declared.inputs.iter().position(|input| input == variable) {
                scope.bind(name, arguments[position]);
            }
        }
        scope
    }

    /// The tags of the whole body of a procedure.
    pub(crate) fn top_tags(&self, procedure: ir::Procedure) -> Vec<String> {
        let declared = self.procedures.iter().find(|declared| declared.id == procedure);
        declared.map(|declared| declared.tags.clone()).unwrap_or_default()
    }

    /// Refuses `(at x tag)` if the tag is not one of statements of the procedure that are executed from above only.
    pub(crate) fn check_at(&self, tag: Node, scope: &Scope) -> Result<(), Problem> {
        let span = self.document.span(tag);
        let declared = self.procedures.iter().find(|declared| Some(declared.id) == scope.procedure);
        let name = self.document.symbol(tag).unwrap_or_default();
        let mut pending: Vec<Node> = declared.map(|declared| declared.body).into_iter().collect();
        let mut found = false;
        while let Some(node) = pending.pop() {
            if let Some(("!", _)) = self.document.headed(node) {
                let (base, attributes) = crate::properties::unwrapped(self.document, node, scope.command)?;
                if attributes.tags.iter().any(|tag| tag == name) {
                    found = true;
                    if matches!(self.document.headed(base), Some(("while" | "label", _))) {
                        return Err(unsupported(span, "`at` with the tag of a loop or label"));
                    }
                }
                pending.push(base);
            } else {
                pending.extend(self.document.list(node).unwrap_or_default());
            }
        }
        if found {
            Ok(())
        } else {
            Err(unsupported(span, format!("`at` with the tag `{name}` of another procedure")))
        }
    }

    /// The variable that keeps the value of another one from a moment of the procedure.
    pub(crate) fn kept(&mut self, variable: Variable, at: &KeptAt, scope: &Scope) -> Variable {
        let Some(id) = scope.procedure else { return variable };
        if matches!(self.program.variables[variable].kind, VariableKind::Parameter(_)) {
            return variable;
        }
        let number = self.procedures.iter().position(|declared| declared.id == id).unwrap_or_default();
        let key = (number, at.clone(), variable);
        if let Some(&kept) = self.kept.get(&key) {
            return kept;
        }
        let data = self.program.variables[variable].clone();
        let name = format!("{}#old{}", data.name, self.fresh());
        let kept = self.program.new_variable(name, data.ty, VariableKind::Local(id), data.span);
        self.kept.insert(key, kept);
        kept
    }

    /// Drafts the bodies of all procedures.
    pub(crate) fn bodies(&mut self) {
        self.components();
        for number in 0..self.procedures.len() {
            match Lowering::lower(self, number) {
                Ok(draft) => self.drafts.push(draft),
                Err(problem) => {
                    self.failure.add(problem);
                    self.drafts.push(Draft::default());
                }
            }
        }
    }

    /// Finds out which procedures may call each other.
    fn components(&mut self) {
        let count = self.procedures.len();
        let calls: Vec<Vec<usize>> = (0..count).map(|number| self.called_by(number)).collect();
        for component in graph::components(count, |number, out| out.extend(&calls[number])).iter() {
            let first = component.iter().copied().min().unwrap_or_default();
            for &number in component {
                self.procedures[number].is_recursive = component.len() > 1 || calls[number].contains(&number);
                self.procedures[number].component = self.procedures[first].component;
            }
        }
    }

    fn called_by(&self, number: usize) -> Vec<usize> {
        let declared = &self.procedures[number];
        let mut called = Vec::new();
        let mut pending = vec![declared.body];
        while let Some(node) = pending.pop() {
            if let Some(("call", [callee, ..])) = self.document.headed(node)
                && let Ok(callee) = self.callee(*callee, declared.command)
            {
                called.push(callee);
            }
            pending.extend(self.document.list(node).unwrap_or_default());
        }
        called
    }

    /// The procedure that makes the call.
    pub(crate) fn make_call(
        &mut self,
        mut conditions: Vec<Expr>,
        procedure: Node,
        inputs: Node,
        command: usize,
    ) -> Result<(), Problem> {
        let span = self.document.span(procedure);
        let callee = self.callee(procedure, command)?;
        conditions.extend(self.trace_conditions(callee)?);
        let mut scope = Scope { command, has_state: true, ..Scope::default() };
        let arguments = self.arguments(callee, inputs, &mut scope)?;
        let (body, defined) = (self.procedures[callee].body, self.procedures[callee].command);
        let (_, attributes) = self.annotated(body, defined)?;
        let mut scope = self.call_scope(callee, &arguments, command);
        for property in &attributes.properties {
            let Claim::Requires(node) = property.claim else { continue };
            conditions.push(self.formula(node, &mut scope).map_err(|problem| match problem {
                // The procedure itself has been lowered, so what is wrong is wrong only here.
                Problem::Mistake(diagnostic) if self.failure.is_empty() => {
                    unsupported(diagnostic.span, "a precondition about more than inputs and globals")
                }
                problem => problem,
            })?);
        }
        let outputs = self.procedures[callee].outputs.clone();
        let start = self.program.procedures.push(ProcedureData::named(START.to_owned(), span));
        let mut results = Vec::new();
        for output in outputs {
            let data = self.program.variables[output].clone();
            let name = format!("{}#out", data.name);
            results.push(self.program.new_variable(name, data.ty, VariableKind::Local(start), data.span));
        }
        let statement = |kind| Statement { kind, span, attributes: Vec::new() };
        let mut statements: Vec<Statement> =
            conditions.into_iter().map(|condition| statement(StatementKind::Assume(condition))).collect();
        let id = self.procedures[callee].id;
        let call = StatementKind::Call { procedure: id, arguments, results: results.clone() };
        statements.push(statement(call));
        let mut blocks = PrimaryMap::new();
        let label = "start".to_owned();
        blocks.push(BlockData { label, statements, transfer: Transfer::Return, transfer_span: span });
        self.program.procedures[start].body = Some(Body { locals: results, blocks });
        self.program.chosen = Some(vec![start]);
        Ok(())
    }

    /// What a trace says of the beginning.
    fn trace_conditions(&mut self, callee: usize) -> Result<Vec<Expr>, Problem> {
        let Some(trace) = self.trace.clone() else { return Ok(Vec::new()) };
        if self.document.symbol(trace.entry) != Some(self.procedures[callee].symbol.as_str()) {
            return Err(mistake(self.document.span(trace.entry), "the trace begins with another procedure"));
        }
        let mut conditions = Vec::new();
        if let Some(step) = self.step {
            let (value, zero) = (self.program.variable(step, trace.span), self.program.int(0, trace.span));
            conditions.push(self.program.equal(value, zero, trace.span));
        }
        for &definition in &trace.model {
            self.model_value(definition)?;
        }
        for &(name, value) in &trace.globals {
            let span = self.document.span(name);
            let Some(variable) = self.document.symbol(name).and_then(|name| self.global(name)) else {
                return Err(mistake(span, "there is no such global variable"));
            };
            let ty = self.program.variables[variable].ty;
            let value = self.term_of(value, ty, &mut Scope { command: usize::MAX, ..Scope::default() })?;
            let variable = self.program.variable(variable, span);
            conditions.push(self.program.equal(variable, value, span));
        }
        Ok(conditions)
    }

    /// `(define-fun x () Int 1)` in the model of a trace.
    fn model_value(&mut self, definition: Node) -> Result<(), Problem> {
        let (document, span) = (self.document, self.document.span(definition));
        let Some(("define-fun" | "define-fun-rec", [symbol, parameters, _, body])) =
            document.headed(definition)
        else {
            return Err(unsupported(span, "a model that is no list of definitions"));
        };
        let name = self.new_symbol(*symbol)?;
        match self.names.find(name, usize::MAX, span)? {
            Some(Named::Constant(constant)) => {
                let ty = self.program.variables[constant].ty;
                let value =
                    self.term_of(*body, ty, &mut Scope { command: usize::MAX, ..Scope::default() })?;
                let constant = self.program.variable(constant, span);
                let formula = self.program.equal(constant, value, span);
                self.program.axioms.push(ir::Axiom { formula, attributes: Vec::new(), span });
                Ok(())
            }
            Some(Named::Function(function))
                if self.program.functions[function].meaning == Meaning::Uninterpreted =>
            {
                let parameters = self.list(*parameters)?;
                self.define(function, parameters, *body, usize::MAX)
            }
            _ => Err(mistake(span, format!("`{name}` is nothing that a model gives a value to"))),
        }
    }

    /// Fills the slots of all drafts, and gives the procedures their bodies.
    pub(crate) fn finish(&mut self) {
        let mut drafts = std::mem::take(&mut self.drafts);
        for (number, draft) in drafts.iter_mut().enumerate() {
            self.settle(number, draft);
        }
        let modifies = self.modifies(&drafts);
        for (number, draft) in drafts.into_iter().enumerate() {
            let id = self.procedures[number].id;
            let span = self.document.span(self.procedures[number].body);
            let forgotten = self.forgotten(number, &draft, &modifies);
            let mut locals = self.procedures[number].locals.clone();
            locals.extend(&draft.locals);
            locals.extend(self.kept.iter().filter(|((of, ..), _)| *of == number).map(|(_, &kept)| kept));
            let back = &mut self.back;
            let mut forgotten = forgotten.into_iter();
            let blocks = draft.finish(
                &mut |slot| match slot {
                    Slot::Statement(statement, mark) => match &statement.kind {
                        StatementKind::Havoc(variables) if variables.is_empty() => Vec::new(),
                        _ => vec![(statement, mark)],
                    },
                    Slot::Counting(statement) => vec![(statement, None)],
                    Slot::Keep(..) => Vec::new(),
                    Slot::Forget(_, span, mark) => {
                        let variables = forgotten.next().unwrap_or_default();
                        let kind = StatementKind::Havoc(variables.clone());
                        let havoc = (Statement { kind, span, attributes: Vec::new() }, Some(mark));
                        if variables.is_empty() { Vec::new() } else { vec![havoc] }
                    }
                },
                &mut |block, index, mark| back.step(Place { procedure: id, block, index }, mark),
                span,
            );
            self.back.procedures.insert(id, self.procedures[number].symbol.clone());
            self.program.procedures[id].body = Some(Body { locals, blocks });
            self.program.procedures[id].modifies = modifies[number].iter().copied().collect();
        }
        if let Some(start) = self.program.chosen.as_ref().and_then(|chosen| chosen.first().copied()) {
            self.program.procedures[start].modifies = self.program.globals.clone();
        }
    }

    /// Fills the slots that need no knowledge of other procedures.
    fn settle(&mut self, number: usize, draft: &mut Draft) {
        let counts = self.counters.is_some_and(|counters| counters.counts);
        for block in draft.blocks.values_mut() {
            block.slots.retain_mut(|slot| match slot {
                Slot::Keep(at, span) => {
                    let of = |(key, kept): (&(usize, KeptAt, Variable), &Variable)| {
                        (key.0 == number && key.1 == *at).then_some((key.2, *kept))
                    };
                    let pairs: Vec<(Variable, Variable)> = self.kept.iter().filter_map(of).collect();
                    let values = pairs.into_iter().map(|(from, to)| (to, self.program.variable(from, *span)));
                    let kind = StatementKind::Assign(values.collect());
                    let statement = Statement { kind, span: *span, attributes: Vec::new() };
                    let is_needed =
                        !matches!(&statement.kind, StatementKind::Assign(pairs) if pairs.is_empty());
                    *slot = Slot::Statement(statement, None);
                    is_needed
                }
                Slot::Counting(_) => counts,
                _ => true,
            });
        }
    }

    fn numbers(&self) -> BTreeMap<ir::Procedure, usize> {
        self.procedures.iter().enumerate().map(|(number, declared)| (declared.id, number)).collect()
    }

    /// The globals that procedures change, directly or through others.
    fn modifies(&self, drafts: &[Draft]) -> Vec<BTreeSet<Variable>> {
        let numbers = self.numbers();
        let mut modifies: Vec<BTreeSet<Variable>> = vec![BTreeSet::new(); drafts.len()];
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); drafts.len()];
        for (number, draft) in drafts.iter().enumerate() {
            for block in draft.blocks.keys() {
                let mut change = |variable: Variable| {
                    if self.program.variables[variable].kind == VariableKind::Global {
                        modifies[number].insert(variable);
                    }
                };
                let mut call = |procedure| callers[numbers[&procedure]].push(number);
                draft.changes(block, &mut change, &mut call);
            }
        }
        let mut pending: Vec<usize> = (0..drafts.len()).collect();
        while let Some(number) = pending.pop() {
            for caller in callers[number].clone() {
                let before = modifies[caller].len();
                let more = modifies[number].clone();
                modifies[caller].extend(more);
                if modifies[caller].len() > before {
                    pending.push(caller);
                }
            }
        }
        modifies
    }

    /// What becomes arbitrary in the slots of a draft, in their order.
    fn forgotten(&self, number: usize, draft: &Draft, modifies: &[BTreeSet<Variable>]) -> Vec<Vec<Variable>> {
        let mut flow = None;
        let numbers = self.numbers();
        let changed_in = |blocks: &[Block]| {
            let (mut variables, mut called) = (BTreeSet::new(), Vec::new());
            for &block in blocks {
                draft.changes(block, &mut |variable| variables.extend([variable]), &mut |procedure| {
                    called.push(procedure)
                });
            }
            for procedure in called {
                variables.extend(&modifies[numbers[&procedure]]);
            }
            variables
        };
        let mut all = Vec::new();
        for block in draft.blocks.values() {
            for slot in &block.slots {
                let Slot::Forget(changed, ..) = slot else { continue };
                let variables: BTreeSet<Variable> = match changed {
                    Changed::Blocks(first, last) => {
                        let blocks: Vec<Block> =
                            draft.blocks.keys().filter(|block| (first..last).contains(&block)).collect();
                        changed_in(&blocks)
                    }
                    Changed::Cycles(head) => {
                        let flow = flow.get_or_insert_with(|| Flow::of(draft));
                        changed_in(&flow.cycles(*head))
                    }
                    Changed::Globals(outputs) => modifies[number].iter().chain(outputs).copied().collect(),
                };
                all.push(
                    variables.into_iter().filter(|variable| !self.internal.contains(variable)).collect(),
                );
            }
        }
        all
    }
}
