//! Questions about infinite executions as questions about termination.
//!
//! Every cycle of a program passes a *cycle point*: the head of a loop, a label, or the beginning of a recursive procedure.
//!
//! *Not recurring.* A counter gets an arbitrary natural number at every visit of a place that must not recur, and
//! becomes smaller at every other cycle point, where executions end that find it zero. An execution of the original program
//! that visits such places infinitely often is an infinite execution of this one, if the counter gets the number of
//! cycle points up to the next visit; and an infinite execution of this one visits them infinitely often, as the counter
//! would be used up otherwise.
//!
//! *Recurring.* An execution guesses at a cycle point that there is no visit any more, and ends if there is one. Up to
//! then a counter, whose first value is arbitrary, becomes smaller. So the infinite executions are those
//! that visit the places finitely often.

use crate::builder::Builder;
use crate::lower::Lowering;
use crate::question::Question;
use base::Span;
use ir::{BinaryOp, Expr, StatementKind, Transfer, Type, Variable};

/// What infinite executions are counted with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counters {
    rounds: Variable,
    /// Whether the execution has guessed that no visit comes.
    guessed: Option<Variable>,
    /// Whether anything is counted, which is not so if every cycle point is visited.
    pub(crate) counts: bool,
}

impl Builder<'_> {
    /// Variables for the question, and what holds of them at the beginning.
    pub(crate) fn count(&mut self) -> Vec<Expr> {
        let guessed = match self.question {
            Question::Safety(_) => return Vec::new(),
            Question::NotRecurring => None,
            Question::Recurring(_) => Some(self.internal_global("guessed", Type::BOOL)),
        };
        let rounds = self.internal_global("rounds", Type::INT);
        self.counters = Some(Counters { rounds, guessed, counts: guessed.is_some() });
        let mut holds = vec![self.natural(rounds, self.start)];
        if let Some(guessed) = guessed {
            let guessed = self.program.variable(guessed, self.start);
            holds.push(self.program.not(guessed, self.start));
        }
        holds
    }

    fn natural(&mut self, variable: Variable, span: Span) -> Expr {
        let (zero, value) = (self.program.int(0, span), self.program.variable(variable, span));
        self.program.binary(BinaryOp::LessEqual, zero, value, span)
    }
}

impl Lowering<'_, '_> {
    /// A place that the question is about is visited.
    pub(crate) fn visit(&mut self, span: Span) {
        let Some(Counters { rounds, guessed, .. }) = self.builder.counters else { return };
        match guessed {
            Some(guessed) => {
                let guessed = self.builder.program.variable(guessed, span);
                let condition = self.builder.program.not(guessed, span);
                self.draft.assume(condition, span);
            }
            None => {
                let natural = self.builder.natural(rounds, span);
                self.counting(StatementKind::Havoc(vec![rounds]), span);
                self.counting(StatementKind::Assume(natural), span);
            }
        }
    }

    /// Every cycle passes a place like this; `visited` if it is one that the question is about.
    pub(crate) fn cycle_point(&mut self, visited: bool, span: Span) {
        let Some(Counters { rounds, guessed, .. }) = self.builder.counters else { return };
        let program = &mut self.builder.program;
        let (zero, one) = (program.int(0, span), program.int(1, span));
        let value = program.variable(rounds, span);
        let positive = program.binary(BinaryOp::Less, zero, value, span);
        let less = program.binary(BinaryOp::Subtract, value, one, span);
        let count = StatementKind::Assign(vec![(rounds, less)]);
        let Some(guessed) = guessed else {
            if !visited {
                self.counting(StatementKind::Assume(positive), span);
                self.counting(count, span);
                if let Some(counters) = &mut self.builder.counters {
                    counters.counts = true;
                }
            }
            return;
        };
        let is_guessed = program.variable(guessed, span);
        let (open, truth) = (program.not(is_guessed, span), program.bool(true, span));
        let ways = [self.draft.new_block(), self.draft.new_block(), self.draft.new_block()];
        let after = self.draft.new_block();
        self.draft.transfer(Transfer::Goto(ways.to_vec()), span);
        self.draft.start(ways[0]);
        self.draft.assume(is_guessed, span);
        self.draft.jump(after, span);
        self.draft.start(ways[1]);
        self.draft.assume(open, span);
        self.draft.statement(StatementKind::Assign(vec![(guessed, truth)]), span);
        self.draft.jump(after, span);
        self.draft.start(ways[2]);
        self.draft.assume(open, span);
        self.draft.assume(positive, span);
        self.draft.statement(count, span);
        self.draft.jump(after, span);
        self.draft.start(after);
    }
}
