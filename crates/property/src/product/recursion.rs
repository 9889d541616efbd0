//! How calls of procedures that call themselves end.
//!
//! For each such procedure and each state of the automaton in which it may be called, the states in which the automaton may be when the call returns, and whether it
//! can have made an accepting move meanwhile. Conditions are not looked at, so there may be more of them than there are executions for, never fewer. The sets are the least
//! ones that agree with the bodies; each body is followed until none of them grows.

use super::{Exit, Letter, Memory, Observer, State};
use crate::Unsupported;
use crate::flatten::{Flat, flatten, flatten_copy, recursive};
use base::EntityRef;
use ir::{Block, Procedure, ProcedureData, Program, StatementKind};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// The procedures that call themselves.
pub(super) struct Recursion {
    /// The procedures.
    pub(super) procedures: BTreeSet<Procedure>,
    /// How their calls end.
    exits: BTreeMap<(Procedure, usize), BTreeSet<Exit>>,
}

/// Why there is no product where calls and returns of the automaton do not belong to calls of the program.
pub(super) fn unbalanced() -> Unsupported {
    Unsupported(
        "a temporal property of a recursive procedure between whose call and return another one lies"
            .to_owned(),
    )
}

impl Recursion {
    /// Of the executions that begin with a procedure; the automaton reads at the calls of `letters`.
    pub(super) fn of(
        program: &Program,
        start: Procedure,
        letters: &BTreeSet<Procedure>,
        observer: &dyn Observer,
    ) -> Result<Recursion, Unsupported> {
        let procedures = recursive(program, letters);
        let mut recursion = Recursion { procedures, exits: BTreeMap::new() };
        if recursion.is_empty() {
            return Ok(recursion);
        }
        let kept: BTreeSet<Procedure> = letters.iter().chain(&recursion.procedures).copied().collect();
        // The flat procedures are made of a program of which nothing is needed afterwards.
        let mut scratch = program.clone();
        let span = scratch.procedures[start].span;
        let new = |scratch: &mut Program| scratch.procedures.push(ProcedureData::named("scratch#", span));
        let into = new(&mut scratch);
        let whole = flatten(&mut scratch, start, into, &kept)?;
        let mut bodies: BTreeMap<Procedure, Flat> = BTreeMap::new();
        loop {
            let before = recursion.size();
            recursion.follow((&whole, None), 0, observer)?;
            for (procedure, state) in recursion.exits.keys().copied().collect::<Vec<_>>() {
                let body = match bodies.entry(procedure) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(none) => {
                        let into = new(&mut scratch);
                        none.insert(flatten_copy(&mut scratch, procedure, into, &kept)?)
                    }
                };
                recursion.follow((body, Some(procedure)), state, observer)?;
            }
            if recursion.size() == before {
                return Ok(recursion);
            }
        }
    }

    /// Whether no procedure calls itself.
    pub(super) fn is_empty(&self) -> bool {
        self.procedures.is_empty()
    }

    /// How calls of a procedure end that begin in a state.
    pub(super) fn exits(&self, procedure: Procedure, state: usize) -> BTreeSet<Exit> {
        self.exits.get(&(procedure, state)).cloned().unwrap_or_default()
    }

    fn size(&self) -> usize {
        self.exits.len() + self.exits.values().map(BTreeSet::len).sum::<usize>()
    }

    /// Follows a body from its beginning in a state; what is known about calls grows.
    fn follow(
        &mut self,
        (flat, of): (&Flat, Option<Procedure>),
        state: usize,
        observer: &dyn Observer,
    ) -> Result<(), Unsupported> {
        let first: State = (Block::new(0), 0, Memory { state, stack: Vec::new() }, false);
        let mut seen: BTreeSet<State> = BTreeSet::from([first.clone()]);
        let mut pending = vec![first];
        while let Some(place) = pending.pop() {
            for next in self.behind((flat, of), (state, place), observer)? {
                if seen.insert(next.clone()) {
                    pending.push(next);
                }
            }
        }
        Ok(())
    }

    /// What comes behind a place of a body that began in a state.
    fn behind(
        &mut self,
        (flat, of): (&Flat, Option<Procedure>),
        (begun, (block, index, memory, accepting)): (usize, State),
        observer: &dyn Observer,
    ) -> Result<Vec<State>, Unsupported> {
        if block == flat.end {
            if let Some(procedure) = of {
                if !memory.stack.is_empty() {
                    return Err(unbalanced());
                }
                let exits = self.exits.entry((procedure, begun)).or_default();
                exits.insert(Exit { state: memory.state, accepting });
            }
            return Ok(Vec::new());
        }
        let data = &flat.body.blocks[block];
        let Some(statement) = data.statements.get(index) else {
            let go = |target: Block| (target, 0, memory.clone(), accepting);
            return Ok(data.transfer.successors().map(go).collect());
        };
        let StatementKind::Call { procedure, .. } = statement.kind else {
            return Ok(vec![(block, index + 1, memory, accepting)]);
        };
        if let Some(Letter::Evaluates | Letter::Marks) = observer.letter(procedure) {
            if of.is_some() && observer.is_return(procedure) && memory.stack.is_empty() {
                return Err(unbalanced());
            }
            let moves = observer.moves(&memory, procedure).into_iter();
            return Ok(moves.map(|one| (block, index + 1, one.to, accepting || one.accepting)).collect());
        }
        if !self.procedures.contains(&procedure) {
            return Ok(vec![(block, index + 1, memory, accepting)]);
        }
        let exits = self.exits.entry((procedure, memory.state)).or_default();
        let back = |exit: &Exit| {
            let memory = Memory { state: exit.state, stack: memory.stack.clone() };
            (block, index + 1, memory, accepting || exit.accepting)
        };
        Ok(exits.iter().map(back).collect())
    }
}
