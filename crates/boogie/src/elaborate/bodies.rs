//! Structured control flow to blocks, with an explicit stack of what is still to be done.

use super::Elaborator;
use super::control_flow::Graph;
use super::scopes::Position;
use crate::ast::{Ast, Body, Clause, Ident, Statement, StatementId, StatementKind};
use crate::features::Feature;
use crate::symbols::Symbol;
use base::{Diagnostic, Span};
use ir::{AssertKind, Block, Boundary, Transfer};
use rustc_hash::FxHashMap;

/// Something still to be done.
enum Task<'a> {
    /// The statements from `next` on.
    List { statements: &'a [StatementId], next: usize },
    /// Behind the first part of an `if`.
    Else { otherwise: Option<&'a [StatementId]>, start: Block, join: Block, span: Span },
    /// Behind an `if`.
    EndIf { join: Block, span: Span },
    /// Behind the body of a loop.
    EndLoop { head: Block, exit: Block, span: Span },
    /// Behind an atomic block.
    EndAtomic { span: Span },
}

/// A statement that can be left by `break`.
struct Breakable {
    labels: Vec<Symbol>,
    is_loop: bool,
    exit: Block,
    /// How many atomic blocks are around it.
    atomic: usize,
}

/// Which atomic blocks a statement is in.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Around {
    /// How many there are.
    depth: usize,
    /// The innermost of them.
    innermost: Option<Span>,
}

/// A label of a body.
#[derive(Clone, Copy)]
struct Label {
    block: Block,
    span: Span,
    atomic: Around,
}

/// The state of the walk over one body.
pub(super) struct Walk<'a> {
    tasks: Vec<Task<'a>>,
    labels: FxHashMap<Symbol, Label>,
    breakables: Vec<Breakable>,
    /// The atomic blocks that are open.
    atomic: Vec<Span>,
    /// The labels directly before the next statement.
    before: Vec<Symbol>,
}

impl<'a> Elaborator<'a> {
    /// Adds a body to the graph; gives the block where it starts.
    pub(super) fn body(&mut self, body: &'a Body, graph: &mut Graph) -> Block {
        let mut walk = Walk {
            tasks: vec![Task::List { statements: &body.statements, next: 0 }],
            labels: self.collect_labels(body, graph),
            breakables: Vec::new(),
            atomic: Vec::new(),
            before: Vec::new(),
        };
        let start = graph.new_block("entry");
        graph.start(start);
        while let Some(task) = walk.tasks.pop() {
            match task {
                Task::List { statements, next } => {
                    if let Some(&statement) = statements.get(next) {
                        walk.tasks.push(Task::List { statements, next: next + 1 });
                        self.control(&self.ast.statements[statement], graph, &mut walk);
                    }
                }
                Task::Else { otherwise: Some(otherwise), start, join, span } => {
                    graph.jump(join, span);
                    graph.start(start);
                    walk.tasks.push(Task::EndIf { join, span });
                    walk.tasks.push(Task::List { statements: otherwise, next: 0 });
                    walk.before.clear();
                }
                Task::Else { otherwise: None, join, span, .. } | Task::EndIf { join, span } => {
                    graph.jump(join, span);
                    graph.start(join);
                    walk.leave();
                }
                Task::EndLoop { head, exit, span } => {
                    graph.jump(head, span);
                    graph.start(exit);
                    walk.leave();
                }
                Task::EndAtomic { span } => {
                    walk.atomic.pop();
                    graph.boundary(Boundary::End, span);
                }
            }
        }
        graph.end(body.end);
        start
    }

    /// Makes a block for every label of a body.
    fn collect_labels(&mut self, body: &'a Body, graph: &mut Graph) -> FxHashMap<Symbol, Label> {
        let mut labels: FxHashMap<Symbol, Label> = FxHashMap::default();
        for (statement, atomic) in all_statements(self.ast, body) {
            let StatementKind::Label(symbol) = statement.kind else { continue };
            if let Some(before) = labels.get(&symbol) {
                self.declared_twice("label", symbol, statement.span, before.span);
                continue;
            }
            // Another implementation of the same procedure may have used the label.
            let mut label = self.ast.name(symbol).to_owned();
            if graph.has_label(&label) {
                label = self.fresh_name(symbol);
            }
            let block = graph.new_labelled(label);
            labels.insert(symbol, Label { block, span: statement.span, atomic });
        }
        labels
    }

    fn control(&mut self, statement: &'a Statement, graph: &mut Graph, walk: &mut Walk<'a>) {
        let span = statement.span;
        if let StatementKind::Label(symbol) = statement.kind {
            if let Some(&Label { block, .. }) = walk.labels.get(&symbol) {
                graph.jump(block, span);
                graph.start(block);
            }
            walk.before.push(symbol);
            return;
        }
        let labels = std::mem::take(&mut walk.before);
        match &statement.kind {
            StatementKind::If { condition, then, otherwise } => {
                // A mistake in the condition is on the list, so any branch will do.
                let condition = condition.and_then(|condition| self.formula(condition, Position::Body));
                let then_start = graph.new_block("then");
                let join = graph.new_block("join");
                let start = if otherwise.is_some() { graph.new_block("else") } else { join };
                graph.branch(condition, then_start, start, span);
                graph.start(then_start);
                walk.breakables.push(Breakable {
                    labels,
                    is_loop: false,
                    exit: join,
                    atomic: walk.atomic.len(),
                });
                walk.tasks.push(Task::Else { otherwise: otherwise.as_deref(), start, join, span });
                walk.tasks.push(Task::List { statements: then, next: 0 });
            }
            StatementKind::While { condition, invariants, body } => {
                let head = graph.loop_head(span);
                self.invariants(invariants, graph);
                let condition = condition.and_then(|condition| self.formula(condition, Position::Body));
                let start = graph.new_block("body");
                let exit = graph.new_block("exit");
                graph.branch(condition, start, exit, span);
                graph.start(start);
                walk.breakables.push(Breakable { labels, is_loop: true, exit, atomic: walk.atomic.len() });
                walk.tasks.push(Task::EndLoop { head, exit, span });
                walk.tasks.push(Task::List { statements: body, next: 0 });
            }
            StatementKind::Atomic(statements) => {
                graph.boundary(Boundary::Begin, span);
                walk.atomic.push(span);
                walk.tasks.push(Task::EndAtomic { span });
                walk.tasks.push(Task::List { statements, next: 0 });
            }
            StatementKind::Break(label) => {
                if let Some((exit, atomic)) = self.break_target(*label, span, walk) {
                    graph.boundaries(walk.atomic.len(), atomic, span);
                    graph.transfer(Transfer::Goto(vec![exit]), span);
                }
            }
            StatementKind::Goto(names) => {
                let targets: Vec<Label> =
                    names.iter().filter_map(|name| self.goto_target(*name, walk)).collect();
                if let Some(&Label { atomic, .. }) = targets.first() {
                    // Who leaves an atomic block for another one can be interrupted in between.
                    let stays = atomic.innermost.is_none_or(|target| walk.atomic.contains(&target));
                    let changes = !walk.atomic.is_empty() && !stays;
                    if changes || targets.iter().any(|label| label.atomic != atomic) {
                        self.unsupported(Feature::AtomicJump, span);
                    }
                    graph.boundaries(walk.atomic.len(), atomic.depth, span);
                }
                let targets = targets.iter().map(|label| label.block).collect();
                graph.transfer(Transfer::Goto(targets), span);
            }
            StatementKind::Return => {
                graph.boundaries(walk.atomic.len(), 0, span);
                graph.transfer(Transfer::Return, span);
            }
            _ => self.simple_statement(statement, graph),
        }
    }

    fn invariants(&mut self, invariants: &[Clause], graph: &mut Graph) {
        for clause in invariants {
            let attributes = self.attributes(&clause.attributes, Position::Body);
            let Some(condition) = self.formula(clause.condition, Position::Body) else { continue };
            let kind = if clause.free {
                ir::StatementKind::Assume(condition)
            } else {
                ir::StatementKind::Assert(AssertKind::Invariant, condition)
            };
            graph.push(ir::Statement { kind, span: clause.span, attributes });
        }
    }

    fn goto_target(&mut self, name: Ident, walk: &Walk<'a>) -> Option<Label> {
        let target = walk.labels.get(&name.symbol).copied();
        if target.is_none() {
            self.error(
                name.span,
                format!("label `{}` does not exist in this body", self.ast.name(name.symbol)),
            );
        }
        target
    }

    fn break_target(&mut self, label: Option<Ident>, span: Span, walk: &Walk<'a>) -> Option<(Block, usize)> {
        let breakable = walk.breakables.iter().rev().find(|breakable| match label {
            Some(label) => breakable.labels.contains(&label.symbol),
            None => breakable.is_loop,
        });
        if breakable.is_none() {
            let diagnostic = match label {
                Some(label) => {
                    let name = self.ast.name(label.symbol);
                    Diagnostic::error(label.span, format!("`{name}` labels no enclosing statement"))
                }
                None => Diagnostic::error(span, "`break` stands in no loop"),
            };
            self.errors.push(diagnostic);
        }
        breakable.map(|breakable| (breakable.exit, breakable.atomic))
    }
}

impl Walk<'_> {
    fn leave(&mut self) {
        self.breakables.pop();
        self.before.clear();
    }
}

/// The statements of a body in the order of the text, each with the atomic blocks around it.
fn all_statements<'a>(ast: &'a Ast<'_>, body: &'a Body) -> Vec<(&'a Statement, Around)> {
    let mut all = Vec::new();
    let mut stack: Vec<(StatementId, Around)> =
        body.statements.iter().rev().map(|&id| (id, Around::default())).collect();
    while let Some((id, atomic)) = stack.pop() {
        let statement = &ast.statements[id];
        all.push((statement, atomic));
        let at = |around: Around| move |&id: &StatementId| (id, around);
        match &statement.kind {
            StatementKind::If { then, otherwise, .. } => {
                stack.extend(otherwise.iter().flat_map(|list| list.iter().rev()).map(at(atomic)));
                stack.extend(then.iter().rev().map(at(atomic)));
            }
            StatementKind::While { body: list, .. } => stack.extend(list.iter().rev().map(at(atomic))),
            StatementKind::Atomic(list) => {
                let inside = Around { depth: atomic.depth + 1, innermost: Some(statement.span) };
                stack.extend(list.iter().rev().map(at(inside)));
            }
            _ => {}
        }
    }
    all
}
