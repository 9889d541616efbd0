//! Programs that the automaton of a safety formula of linear temporal logic watches.
//!
//! One procedure of the program evaluates the atomic propositions, wherever the state is observed. At its end the automaton reads a letter: the values of the propositions.

use super::wrappers::at_last_end;
use super::{Action, Case, EVENT, Letter, Placed, declare_changes, empty_procedure, state_variable};
use crate::ltl::BadPrefixes;
use ir::{Boundary, Procedure, Program, Statement, StatementKind, Transfer, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// What is needed to let an automaton read propositions.
#[derive(Clone, Debug)]
pub struct Propositions<'a> {
    /// The automaton.
    pub automaton: &'a BadPrefixes,
    /// The procedure that gives the atoms their values; it is called where the state is observed.
    pub observe: Procedure,
    /// The variables with the values of the atoms.
    pub atoms: &'a [Variable],
    /// The procedure that executions begin with.
    pub start: Procedure,
    /// Whether the program is over where that procedure returns, whatever other threads do; otherwise where its last thread ends.
    pub ends_at_return: bool,
    /// Whether the state at the end of an execution is read again and again, because it matters how often.
    pub reads_end: bool,
    /// Whether the program has threads, so that everything about an observation has to happen at one moment.
    pub threads: bool,
    /// Other procedures that were added and that nobody calls any more.
    pub unused: Vec<Procedure>,
}

/// Puts a letter where the program is observed.
pub fn place_propositions(program: &mut Program, watching: &Propositions<'_>) -> Placed {
    let span = program.procedures[watching.start].span;
    let state = state_variable(program, 0, span);
    let letter = empty_procedure(program, format!("{EVENT}ltl"), span);
    let statement = |kind| Statement { kind, span, attributes: Vec::new() };
    let call =
        |procedure| statement(StatementKind::Call { procedure, arguments: Vec::new(), results: Vec::new() });
    let boundary = |boundary| watching.threads.then(|| statement(StatementKind::Atomic(boundary)));
    if let Some(body) = program.procedures[watching.observe].body.as_mut() {
        let entry = body.entry();
        body.blocks[entry].statements.splice(0..0, boundary(Boundary::Begin));
        for block in body.blocks.values_mut().filter(|block| block.transfer == Transfer::Return) {
            block.statements.push(call(letter));
            block.statements.extend(boundary(Boundary::End));
        }
    }
    let mut at_end = vec![call(watching.observe)];
    at_end.extend((1..watching.automaton.rounds).map(|_| call(letter)));
    let mut start = watching.start;
    let mut over = None;
    if watching.reads_end && watching.threads && !watching.ends_at_return {
        start = at_last_end(program, &[start], &at_end)[0];
    } else if watching.reads_end {
        // What other threads do when the program is over, nobody sees.
        over = watching.threads.then(|| empty_procedure(program, format!("{EVENT}ltl_over"), span));
        at_end.extend(over.map(call));
        at_end.splice(0..0, boundary(Boundary::Begin));
        at_end.extend(boundary(Boundary::End));
        let body = program.procedures[start].body.iter_mut();
        let blocks = body.flat_map(|body| body.blocks.values_mut());
        for block in blocks.filter(|block| block.transfer == Transfer::Return) {
            block.statements.extend(at_end.iter().cloned());
        }
    }
    let mut cases = Vec::new();
    for (from, steps) in watching.automaton.steps.iter().enumerate() {
        for step in steps {
            let value = |&(atom, holds): &(usize, bool)| (Some(watching.atoms[atom]), holds);
            let guard = step.guard.iter().map(value).collect();
            cases.push(Case { from, kept: None, equal: Vec::new(), guard, to: step.to, keep: 0 });
        }
    }
    let error = (watching.automaton.error, "ltl: the formula does not hold".to_owned());
    declare_changes(program, state);
    for data in program.procedures.values_mut().filter(|data| data.body.is_some()) {
        let more: Vec<Variable> =
            watching.atoms.iter().copied().filter(|atom| !data.modifies.contains(atom)).collect();
        data.modifies.extend(more);
    }
    program.chosen = Some(vec![start]);
    let mut added: BTreeSet<Procedure> = watching.unused.iter().copied().collect();
    added.extend([watching.observe, letter]);
    added.extend(over);
    let mut letters = vec![Letter { procedure: letter, action: Action::First { cases, kept: None } }];
    if let Some(procedure) = over {
        let states = watching.automaton.steps.len();
        let last = states.max(watching.automaton.error + 1);
        let case = |from| Case { from, kept: None, equal: Vec::new(), guard: Vec::new(), to: last, keep: 0 };
        let cases = (0..states).filter(|&state| state != watching.automaton.error).map(case).collect();
        letters.push(Letter { procedure, action: Action::First { cases, kept: None } });
    }
    Placed { state, letters, errors: BTreeMap::from([error]), initial: 0, added, each: Vec::new(), span }
}
