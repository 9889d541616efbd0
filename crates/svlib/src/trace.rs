//! Traces (SV-LIB 1.0, Sections 4.5 and 7.2 to 7.4): the program is restricted to the executions that follow one.
//!
//! A counter says how many steps of the trace were made. Wherever the program leaves something open, the next step must
//! be of the right kind and decides it; when all steps are made, what is left open stays open. Only the property
//! that the trace claims to violate is checked. So an error of the restricted program is one of the program, on the
//! way of the trace. A `leap` makes the variables of a loop arbitrary but for its invariants.

use crate::back::StepMark;
use crate::body::{Changed, Slot};
use crate::lower::Lowering;
use crate::problem::{Problem, mistake, unsupported};
use crate::properties::{Attributes, Claim, Property, attributes};
use crate::symbols::{KeptAt, Scope};
use crate::syntax::{Data, Document, Node};
use base::Span;
use ir::{BinaryOp, Block, Expr, StatementKind, Transfer, Variable};

/// A step of a trace.
#[derive(Clone, Debug)]
enum Step {
    /// `(init-proc-vars p (x 1) …)`
    InitProcedure(String, Vec<(Node, Node)>),
    /// `(havoc (x 1) …)`
    Havoc(Vec<(Node, Node)>),
    /// `(choice 0)`
    Choice(usize),
    /// `(leap tag (x 1) …)`
    Leap(String, Vec<(Node, Node)>),
}

/// A trace.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    /// The definitions of its model.
    pub(crate) model: Vec<Node>,
    /// The first values of globals.
    pub(crate) globals: Vec<(Node, Node)>,
    /// The procedure that it begins with.
    pub(crate) entry: Node,
    steps: Vec<(Step, Span)>,
    /// The tag and the property that it violates.
    pub(crate) violated: (String, Property),
    /// What holds in the repeated part of an infinite trace.
    using: Vec<(String, Attributes)>,
    pub(crate) span: Span,
}

impl Trace {
    /// Reads `(select-trace …)`.
    pub(crate) fn read(document: &Document, node: Node, parts: &[Node]) -> Result<Trace, Problem> {
        let span = document.span(node);
        let (mut model, mut globals, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        let (mut entry, mut violated, mut using) = (None, None, Vec::new());
        for &part in parts {
            match document.headed(part) {
                Some(("model", definitions)) => model.extend(definitions),
                Some(("init-global-vars", pairs)) => globals = values(document, pairs)?,
                Some(("entry-proc", [procedure])) => entry = Some(*procedure),
                Some(("steps", all)) => {
                    for &step in all {
                        steps.push((read_step(document, step)?, document.span(step)));
                    }
                }
                Some(("incorrect-annotation", [tag, attached @ ..])) => {
                    let claimed = attributes(document, attached, usize::MAX)?.properties;
                    let [property] = &claimed[..] else {
                        return Err(unsupported(
                            document.span(part),
                            "a trace that violates several properties",
                        ));
                    };
                    let Some(tag) = document.symbol(*tag) else {
                        return Err(mistake(document.span(*tag), "a tag is a symbol"));
                    };
                    violated = Some((tag.to_owned(), property.clone()));
                }
                Some(("using-annotation", [tag, attached @ ..])) => {
                    let found = attributes(document, attached, usize::MAX)?;
                    let Some(tag) = document.symbol(*tag) else {
                        return Err(mistake(document.span(*tag), "a tag is a symbol"));
                    };
                    using.push((tag.to_owned(), found));
                }
                Some(("invalid-step", _)) => return Err(unsupported(document.span(part), "`invalid-step`")),
                _ => return Err(mistake(document.span(part), "this is no part of a trace")),
            }
        }
        let entry = entry.ok_or_else(|| mistake(span, "the trace lacks its `entry-proc`"))?;
        let violated = violated.ok_or_else(|| mistake(span, "the trace lacks what it violates"))?;
        Ok(Trace { model, globals, entry, steps, violated, using, span })
    }

    /// Whether a property of a statement is the one that the trace claims to violate.
    pub(crate) fn claims(&self, document: &Document, property: &Property, tags: &[String]) -> bool {
        let same = |one: &Node, other: &Node| document.same(*one, *other);
        tags.contains(&self.violated.0)
            && match (&property.claim, &self.violated.1.claim) {
                (Claim::CheckTrue(one), Claim::CheckTrue(other))
                | (Claim::Requires(one), Claim::Requires(other))
                | (Claim::Ensures(one), Claim::Ensures(other))
                | (Claim::Invariant(one), Claim::Invariant(other)) => same(one, other),
                (Claim::Decreases(one), Claim::Decreases(other)) => {
                    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
                }
                (Claim::Recurring, Claim::Recurring) | (Claim::NotRecurring, Claim::NotRecurring) => true,
                _ => false,
            }
    }
}

fn read_step(document: &Document, node: Node) -> Result<Step, Problem> {
    let symbol = |node: Node| {
        let name = document.symbol(node).map(str::to_owned);
        name.ok_or_else(|| mistake(document.span(node), "a symbol is expected here"))
    };
    match document.headed(node) {
        Some(("init-proc-vars", [procedure, pairs @ ..])) => {
            Ok(Step::InitProcedure(symbol(*procedure)?, values(document, pairs)?))
        }
        Some(("havoc", pairs)) => Ok(Step::Havoc(values(document, pairs)?)),
        Some(("choice", [number])) => match document.data(*number) {
            Data::Numeral(digits) => Ok(Step::Choice(digits.parse().unwrap_or(usize::MAX))),
            _ => Err(mistake(document.span(*number), "a numeral is expected here")),
        },
        Some(("leap", [tag, pairs @ ..])) => Ok(Step::Leap(symbol(*tag)?, values(document, pairs)?)),
        _ => Err(mistake(document.span(node), "this is no step of a trace")),
    }
}

/// `(x 1) (y 2) …`
fn values(document: &Document, pairs: &[Node]) -> Result<Vec<(Node, Node)>, Problem> {
    let pair = |&node: &Node| match document.list(node) {
        Some(&[variable, value]) => Ok((variable, value)),
        _ => Err(mistake(document.span(node), "a variable and a value are expected here")),
    };
    pairs.iter().map(pair).collect()
}

/// A way of the program that a step of the trace chooses.
struct Way {
    /// The number of the step.
    step: usize,
    /// What it says of variables.
    values: Vec<(Node, Node)>,
}

impl Lowering<'_, '_> {
    fn trace_steps(&self) -> Vec<(Step, Span)> {
        self.builder.trace.as_ref().map(|trace| trace.steps.clone()).unwrap_or_default()
    }

    /// The outputs and locals of a procedure have got their first values.
    pub(crate) fn follow_entry(
        &mut self,
        symbol: &str,
        variables: &[Variable],
        span: Span,
    ) -> Result<(), Problem> {
        let mut ways = Vec::new();
        for (number, (step, _)) in self.trace_steps().into_iter().enumerate() {
            if let Step::InitProcedure(procedure, values) = step
                && procedure == symbol
            {
                ways.push(Way { step: number, values });
            }
        }
        self.follow(ways, variables, span)
    }

    /// Variables have got arbitrary values.
    pub(crate) fn follow_havoc(&mut self, variables: &[Variable], span: Span) -> Result<(), Problem> {
        let mut ways = Vec::new();
        for (number, (step, _)) in self.trace_steps().into_iter().enumerate() {
            if let Step::Havoc(values) = step
                && values.iter().all(|&(name, _)| self.named(name).is_some_and(|it| variables.contains(&it)))
            {
                ways.push(Way { step: number, values });
            }
        }
        self.follow(ways, variables, span)
    }

    /// A branch of a `choice` was taken.
    pub(crate) fn follow_choice(&mut self, branch: usize, span: Span) -> Result<(), Problem> {
        let mut ways = Vec::new();
        for (number, (step, _)) in self.trace_steps().into_iter().enumerate() {
            if matches!(step, Step::Choice(chosen) if chosen == branch) {
                ways.push(Way { step: number, values: Vec::new() });
            }
        }
        self.follow(ways, &[], span)
    }

    fn named(&self, node: Node) -> Option<Variable> {
        let name = self.builder.document.symbol(node)?;
        if let Some(&local) = self.scope.locals.get(name) {
            return Some(local);
        }
        self.builder.global(name)
    }

    /// Goes on by the next step, or freely when there is none left.
    fn follow(&mut self, ways: Vec<Way>, variables: &[Variable], span: Span) -> Result<(), Problem> {
        let Some(step) = self.builder.step else { return Ok(()) };
        let count = self.trace_steps().len();
        let branches: Vec<Block> = ways.iter().map(|_| self.draft.new_block()).collect();
        let (free, after) = (self.draft.new_block(), self.draft.new_block());
        self.draft.transfer(Transfer::Goto(branches.iter().copied().chain([free]).collect()), span);
        for (branch, way) in branches.into_iter().zip(ways) {
            self.draft.start(branch);
            self.take(step, way.step, span);
            for (name, value) in way.values {
                let condition = self.has_value(name, value, variables)?;
                self.draft.assume(condition, span);
            }
            self.draft.jump(after, span);
        }
        self.draft.start(free);
        let over = self.compared(step, BinaryOp::GreaterEqual, count, span);
        self.draft.assume(over, span);
        self.draft.jump(after, span);
        self.draft.start(after);
        Ok(())
    }

    fn has_value(&mut self, name: Node, value: Node, variables: &[Variable]) -> Result<Expr, Problem> {
        let span = self.builder.document.span(name);
        let variable =
            self.named(name).filter(|variable| variables.is_empty() || variables.contains(variable));
        let Some(variable) = variable else {
            return Err(mistake(span, "the step does not choose a value for this variable"));
        };
        let ty = self.builder.program.variables[variable].ty;
        let mut scope = Scope { command: usize::MAX, ..Scope::default() };
        let value = self.builder.term_of(value, ty, &mut scope)?;
        let variable = self.builder.program.variable(variable, span);
        Ok(self.builder.program.equal(variable, value, span))
    }

    fn compared(&mut self, step: Variable, op: BinaryOp, number: usize, span: Span) -> Expr {
        let value = self.builder.program.variable(step, span);
        let number = self.builder.program.int(number, span);
        self.builder.program.binary(op, value, number, span)
    }

    /// Takes the step of a number.
    fn take(&mut self, step: Variable, number: usize, span: Span) {
        let here = self.compared(step, BinaryOp::Equal, number, span);
        self.draft.assume(here, span);
        let next = self.builder.program.int(number + 1, span);
        self.draft.statement(StatementKind::Assign(vec![(step, next)]), span);
    }

    /// At a tag, the next step may be a leap to other values of what is changed; where these become arbitrary.
    pub(crate) fn leap_here(
        &mut self,
        tags: &[String],
        changed: &[Changed],
        span: Span,
    ) -> Result<Vec<(Block, usize)>, Problem> {
        let Some(step) = self.builder.step else { return Ok(Vec::new()) };
        let mut leaps = Vec::new();
        for (number, (found, _)) in self.trace_steps().into_iter().enumerate() {
            if let Step::Leap(tag, values) = found
                && tags.contains(&tag)
            {
                leaps.push(Way { step: number, values });
            }
        }
        if leaps.is_empty() {
            return Ok(Vec::new());
        }
        let branches: Vec<Block> = leaps.iter().map(|_| self.draft.new_block()).collect();
        let (stay, after) = (self.draft.new_block(), self.draft.new_block());
        self.draft.transfer(Transfer::Goto(branches.iter().copied().chain([stay]).collect()), span);
        let mut forgets = Vec::new();
        self.draft.start(stay);
        for leap in &leaps {
            let elsewhere = self.compared(step, BinaryOp::NotEqual, leap.step, span);
            self.draft.assume(elsewhere, span);
        }
        self.draft.jump(after, span);
        for (branch, leap) in branches.into_iter().zip(leaps) {
            self.draft.start(branch);
            self.take(step, leap.step, span);
            for changed in changed {
                self.draft.push(Slot::Forget(changed.clone(), span, StepMark::Silent));
                forgets.push(self.draft.last_slot());
            }
            for (name, value) in leap.values {
                let condition = self.has_value(name, value, &[])?;
                self.draft.assume(condition, span);
            }
            self.draft.jump(after, span);
        }
        self.draft.start(after);
        Ok(forgets)
    }

    /// When all steps are made, what holds in the repeated part of an infinite trace holds at its tags.
    pub(crate) fn lasso_here(&mut self, tags: &[String], span: Span) -> Result<(), Problem> {
        let Some(step) = self.builder.step else { return Ok(()) };
        let trace = self.builder.trace.clone();
        let Some(trace) = trace.filter(|_| !self.builder.question.is_safety()) else { return Ok(()) };
        for (tag, using) in trace.using.iter().filter(|(tag, _)| tags.contains(tag)) {
            let _ = tag;
            for property in &using.properties {
                let Claim::Invariant(node) = property.claim else { continue };
                let mut scope =
                    Scope { command: usize::MAX, relational: Some(KeptAt::Body), ..self.scope.clone() };
                let holds = self.builder.formula(node, &mut scope)?;
                let open = self.compared(step, BinaryOp::Less, trace.steps.len(), span);
                let condition = self.builder.program.binary(BinaryOp::Or, open, holds, span);
                self.draft.assume(condition, span);
            }
        }
        Ok(())
    }
}
