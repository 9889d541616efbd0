//! What has to happen at one moment, in programs with threads: the conditions of an event and the step of the automaton, and the assignment that an
//! event is about.

use super::{Maker, NotPlaced, WHEN};
use crate::observer::{Event, EventKind};
use ir::{Boundary, Procedure, Program, Statement, StatementKind};
use std::collections::BTreeSet;

/// The procedures that threads begin with.
pub(super) fn forked(program: &Program) -> BTreeSet<Procedure> {
    let bodies = program.procedures.values().filter_map(|data| data.body.as_ref());
    let statements = bodies.flat_map(|body| body.blocks.values()).flat_map(|block| &block.statements);
    let forked = |statement: &Statement| match &statement.kind {
        StatementKind::Fork { procedure, .. } => Some(*procedure),
        _ => None,
    };
    statements.filter_map(forked).collect()
}

impl Maker<'_> {
    fn boundary(&self, boundary: Boundary) -> Statement {
        Statement { kind: StatementKind::Atomic(boundary), span: self.span, attributes: Vec::new() }
    }

    /// An added procedure calls the procedure that keeps the state of a call. With threads, everything about an event becomes one
    /// atomic part.
    pub(super) fn mark_call(
        &mut self,
        procedure: Procedure,
        mut before: Option<Procedure>,
    ) -> Result<(), NotPlaced> {
        let Some(mut body) = self.program.procedures[procedure].body.take() else { return Ok(()) };
        let call = |procedure| StatementKind::Call { procedure, arguments: Vec::new(), results: Vec::new() };
        let call = |procedure| Statement { kind: call(procedure), span: self.span, attributes: Vec::new() };
        if !self.threads {
            let entry = body.entry();
            body.blocks[entry].statements.splice(0..0, before.map(call));
            self.program.procedures[procedure].body = Some(body);
            return Ok(());
        }
        for block in body.blocks.values_mut() {
            let mut index = 0;
            while index < block.statements.len() {
                let Some((event, _)) = self.event_of(&block.statements[index]) else {
                    index += 1;
                    continue;
                };
                let Some(start) = self.first_condition(event, &block.statements[..index]) else {
                    let what = "an observer whose conditions take several steps, of a program with threads";
                    return Err(NotPlaced::Unsupported(what.to_owned()));
                };
                block.statements.insert(index + 1, self.boundary(Boundary::End));
                let mut first = vec![self.boundary(Boundary::Begin)];
                if self.observer.events[event].kind == EventKind::Call {
                    first.extend(before.take().map(call));
                }
                index += first.len() + 2;
                block.statements.splice(start..start, first);
            }
        }
        // Where nobody looks for the call, its state is that where the procedure begins.
        let entry = body.entry();
        body.blocks[entry].statements.splice(0..0, before.map(call));
        self.program.procedures[procedure].body = Some(body);
        Ok(())
    }

    /// Where the conditions of an event begin, in the statements before it; none if they are not all there.
    fn first_condition(&self, event: Event, statements: &[Statement]) -> Option<usize> {
        let asked = self.observer.on(event).filter(|(_, transition)| transition.asks_program()).count();
        let is_condition = |statement: &Statement| matches!(statement.kind, StatementKind::Call { procedure, .. } if self.program.procedures[procedure].name.starts_with(WHEN));
        let calls = statements.iter().enumerate().rev();
        let conditions: Vec<usize> =
            calls.take_while(|(_, statement)| is_condition(statement)).map(|(index, _)| index).collect();
        match (conditions.len() >= asked, asked) {
            (true, 0) => Some(statements.len()),
            (true, _) => conditions.get(asked - 1).copied(),
            (false, _) => None,
        }
    }
}
