//! Paths that are kept apart.
//!
//! Where states are merged, what is constant on every path becomes a choice: after a list of one to three blocks was built, a
//! pointer is one of three blocks, and so is everything that is read through it. Programs with few choices and large heaps are
//! better followed path by path: a branch whose condition is open is taken both ways, and nothing is merged, so that each path
//! computes with constants as a run would.
//!
//! What was decided on a path is true on it. So a condition that is among what was decided, or whose negation is, is no longer
//! open ([`Unroller::settled`]).
//!
//! The guarantee is that of the crate: an execution takes one side of every branch, and the state that follows it there has its
//! values. Costs grow with the number of paths.

use crate::gates::Bit;
use crate::state::State;
use crate::walk::{Halt, Subject, Unroller};
use ir::claims::Paths;
use ir::{Block, Body, Procedure, StatementKind, Transfer};

/// So far down a condition is taken apart to see what was decided.
const DEEPEST: u32 = 6;

/// A state before a statement of a block.
struct Pending {
    block: Block,
    statement: usize,
    state: State,
}

impl<'p> Unroller<'p, '_> {
    /// A body whose parameters have their values; the states at its end, with the procedure's variables.
    pub(crate) fn body_apart(
        &mut self,
        procedure: Procedure,
        state: State,
        call: u32,
    ) -> Result<Vec<State>, Halt> {
        if !self.inductions.is_empty() {
            return Err(Halt::Refused("loops are shown by induction where paths are merged only"));
        }
        let (body, state) = self.enter(procedure, state, call)?;
        self.active += 1;
        let mut ends = Vec::new();
        let mut pending = vec![Pending { block: body.entry(), statement: 0, state }];
        while let Some(next) = pending.pop() {
            if !next.state.is_unreached() {
                self.follow_apart((procedure, body), next, &mut pending, &mut ends)?;
            }
        }
        self.active -= 1;
        Ok(ends)
    }

    /// Goes to the end of a block. Where there are several ways on, all wait.
    fn follow_apart(
        &mut self,
        (procedure, body): (Procedure, &'p Body),
        Pending { block, statement, mut state }: Pending,
        pending: &mut Vec<Pending>,
        ends: &mut Vec<State>,
    ) -> Result<(), Halt> {
        let data = &body.blocks[block];
        for (index, next) in data.statements.iter().enumerate().skip(statement) {
            self.step()?;
            if let StatementKind::Call { procedure, arguments, results } = &next.kind {
                let mut values = Vec::with_capacity(arguments.len());
                for &argument in arguments {
                    values.push(self.value(argument, &mut state)?);
                }
                let (caller, state) = self.pass(*procedure, values, state)?;
                if state.is_unreached() {
                    return Ok(());
                }
                let called = &self.program.procedures[*procedure];
                let states = if called.body.is_some() {
                    let call = self.next_call();
                    self.body_apart(*procedure, state, call)?
                } else {
                    vec![self.contract(called, state)?]
                };
                for state in states {
                    let state = self.returned(*procedure, state, &caller, results);
                    pending.push(Pending { block, statement: index + 1, state });
                }
                return Ok(());
            }
            match self.statement(next, state)? {
                Some(next) if !next.is_unreached() => state = next,
                _ => return Ok(()),
            }
        }
        self.step()?;
        match &data.transfer {
            Transfer::Return => {
                self.ensure(procedure, &mut state)?;
                if !state.is_unreached() {
                    ends.push(state);
                }
            }
            Transfer::Goto(targets) => {
                let Some((&last, others)) = targets.split_last() else { return Ok(()) };
                if !others.is_empty() {
                    self.decide(&mut state)?;
                }
                for &target in others {
                    let mut taken = state.clone();
                    let bit = self.store.gates.input();
                    self.suppose(&mut taken, bit);
                    self.suppose(&mut state, !bit);
                    pending.push(Pending { block: target, statement: 0, state: taken });
                }
                pending.push(Pending { block: last, statement: 0, state });
            }
            Transfer::Branch { condition, then, otherwise } => {
                let bit = self.condition(*condition, &mut state)?;
                let bit = self.settled(&state, bit);
                match bit.constant() {
                    Some(true) => pending.push(Pending { block: *then, statement: 0, state }),
                    Some(false) => pending.push(Pending { block: *otherwise, statement: 0, state }),
                    None => {
                        self.decide(&mut state)?;
                        let mut other = state.clone();
                        self.suppose(&mut state, bit);
                        self.suppose(&mut other, !bit);
                        // If one side is never reached, the other is as open as the branch was.
                        if self.is_unreached(Subject::Visit, &state)? {
                            pending.push(Pending { block: *otherwise, statement: 0, state: other });
                            return Ok(());
                        }
                        if !self.is_unreached(Subject::Visit, &other)? {
                            pending.push(Pending { block: *otherwise, statement: 0, state: other });
                        }
                        pending.push(Pending { block: *then, statement: 0, state });
                    }
                }
            }
        }
        Ok(())
    }

    /// A branch with an open condition is on the path.
    fn decide(&self, state: &mut State) -> Result<(), Halt> {
        state.decisions += 1;
        if state.decisions > self.limits.decisions {
            return Err(Halt::Refused("there are too many branches on one path"));
        }
        Ok(())
    }

    /// The state goes on where all parts of a condition hold; each is known from there on.
    pub(crate) fn suppose_apart(&mut self, state: &mut State, bit: Bit) {
        let mut parts = vec![(bit, 0)];
        while let Some((bit, depth)) = parts.pop() {
            match self.store.gates.conjuncts(bit) {
                Some((a, b)) if depth < DEEPEST => parts.extend([(a, depth + 1), (b, depth + 1)]),
                _ if bit == Bit::TRUE => {}
                _ => state.guard = state.guard.and(bit, &mut self.store.gates),
            }
        }
    }

    /// A bit by what was decided on the path, if paths are kept apart.
    pub(crate) fn settled(&mut self, state: &State, bit: Bit) -> Bit {
        match self.paths {
            Paths::Merged => bit,
            Paths::Apart => self.settled_within(state, bit, 0),
        }
    }

    fn settled_within(&mut self, state: &State, bit: Bit, depth: u32) -> Bit {
        if bit.constant().is_some() {
            return bit;
        }
        if state.guard.has(bit) {
            return Bit::TRUE;
        }
        if state.guard.has(!bit) {
            return Bit::FALSE;
        }
        let (inner, negated) = if bit.negated() { (!bit, true) } else { (bit, false) };
        let Some((a, b)) = self.store.gates.conjuncts(inner).filter(|_| depth < DEEPEST) else { return bit };
        let (a, b) = (self.settled_within(state, a, depth + 1), self.settled_within(state, b, depth + 1));
        let both = self.store.gates.and(a, b);
        if negated { !both } else { both }
    }
}
