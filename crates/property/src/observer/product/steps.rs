//! Statements in place of the letters of an automaton.

use super::letters::{Action, Case, Letter};
use super::{Placed, ir_property};
use base::Span;
use ir::{AssertKind, BinaryOp, Expr, Procedure, Program, Statement, StatementKind, Type, Variable};

/// Puts statements in place of the calls of letters in a procedure.
pub(super) fn steps_of(program: &mut Program, placed: &Placed, procedure: Procedure) {
    let Some(mut body) = program.procedures[procedure].body.take() else { return };
    let mut maker = Steps { program, placed };
    for block in body.blocks.values_mut() {
        let mut statements = Vec::new();
        for statement in std::mem::take(&mut block.statements) {
            match &statement.kind {
                StatementKind::Call { procedure, arguments, .. } => {
                    match placed.letters.iter().find(|letter| letter.procedure == *procedure) {
                        Some(letter) => maker.letter(letter, arguments, &mut statements),
                        None => statements.push(statement),
                    }
                }
                _ => statements.push(statement),
            }
        }
        block.statements = statements;
    }
    program.procedures[procedure].body = Some(body);
}

struct Steps<'a> {
    program: &'a mut Program,
    placed: &'a Placed,
}

impl Steps<'_> {
    fn span(&self) -> Span {
        self.placed.span
    }

    fn is(&mut self, variable: Variable, number: usize) -> Expr {
        let span = self.span();
        let value = self.program.variable(variable, span);
        let number = self.program.int(number, span);
        self.program.equal(value, number, span)
    }

    fn letter(&mut self, letter: &Letter, arguments: &[Expr], out: &mut Vec<Statement>) {
        let (span, state) = (self.span(), self.placed.state);
        let push =
            |kind, out: &mut Vec<Statement>| out.push(Statement { kind, span, attributes: Vec::new() });
        match &letter.action {
            Action::Keep(kept) => {
                let value = self.program.variable(state, span);
                push(StatementKind::Assign(vec![(*kept, value)]), out);
            }
            Action::First { cases, kept } => {
                let mut next = self.program.variable(state, span);
                for case in cases.iter().rev() {
                    let parts = self.condition(case, *kept, arguments);
                    let condition = self.program.and(parts, span);
                    let to = self.program.int(case.to, span);
                    next = self.program.ite(condition, to, next, span);
                }
                push(StatementKind::Assign(vec![(state, next)]), out);
                self.never_error(cases, out);
            }
            Action::Any { cases, stuck, choice, kept, keeps, rounds } => {
                let place = |case: &Case| (case.from, case.kept);
                let alike = |one: &Case| cases.iter().filter(|case| place(case) == place(one)).count();
                for _ in 0..*rounds {
                    if cases.iter().any(|case| alike(case) > 1) {
                        push(StatementKind::Havoc(vec![*choice]), out);
                    }
                    let mut next = self.program.int(*stuck, span);
                    let mut keep = self.program.int(0, span);
                    for (number, case) in cases.iter().enumerate() {
                        let mut parts = self.condition(case, *kept, arguments);
                        if alike(case) > 1 {
                            parts.push(self.is(*choice, number));
                        }
                        let condition = self.program.and(parts, span);
                        let to = self.program.int(case.to, span);
                        next = self.program.ite(condition, to, next, span);
                        if *keeps {
                            let kept = self.program.int(case.keep, span);
                            keep = self.program.ite(condition, kept, keep, span);
                        }
                    }
                    let mut pairs = vec![(state, next)];
                    pairs.extend(kept.filter(|_| *keeps).map(|kept| (kept, keep)));
                    push(StatementKind::Assign(pairs), out);
                    self.never_error(cases, out);
                }
            }
        }
    }

    /// When a case fits.
    fn condition(&mut self, case: &Case, kept: Option<Variable>, arguments: &[Expr]) -> Vec<Expr> {
        let span = self.span();
        let mut parts = vec![self.is(self.placed.state, case.from)];
        if let (Some(number), Some(kept)) = (case.kept, kept) {
            parts.push(self.is(kept, number));
        }
        for &(argument, wanted) in &case.equal {
            let value = self.program.variable(wanted, span);
            parts.push(self.program.equal(arguments[argument], value, span));
        }
        for &(variable, wanted) in &case.guard {
            let holds = self.holds(variable);
            parts.push(if wanted { holds } else { self.program.not(holds, span) });
        }
        parts
    }

    fn holds(&mut self, variable: Option<Variable>) -> Expr {
        let span = self.span();
        let Some(variable) = variable else { return self.program.bool(false, span) };
        let value = self.program.variable(variable, span);
        if self.program.ty(value) == Type::BOOL {
            return value;
        }
        let zero = self.program.int(0, span);
        self.program.binary(BinaryOp::NotEqual, value, zero, span)
    }

    /// That none of the errors is entered to which cases lead.
    fn never_error(&mut self, cases: &[Case], out: &mut Vec<Statement>) {
        let span = self.span();
        for (&error, message) in &self.placed.errors {
            if cases.iter().any(|case| case.to == error) {
                let entered = self.is(self.placed.state, error);
                let never = self.program.not(entered, span);
                let kind = StatementKind::Assert(AssertKind::Assert, never);
                out.push(Statement { kind, span, attributes: vec![ir_property(message)] });
            }
        }
    }
}
