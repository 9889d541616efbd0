//! Formulas of CaRet that no finite beginning of an execution decides, as products for the question whether all runs end.
//!
//! Positions are the calls and returns, the end of the program, which stays for ever, and every round of a loop, as an execution may go round
//! for ever without a call. The calls are replaced by their bodies, so the stack of the automaton is known at every
//! place; a procedure that calls itself has copies, in each of which the stack since its call is known.

use super::unsupported;
use crate::temporal;
use crate::view::{NoView, View};
use certify::product::{Atom, Kind, Letter, Move, Read, Watched};
use ir::{Procedure, ProcedureData, Program, Statement, StatementKind, Transfer, Variable};
use property::caret::{self, Buchi, Formulas};
use property::observer::product::{ADDED, ATOM, EVENT, KEEP, SENSE};
use property::observer::{Event, EventKind, Observer};
use property::product::{Memory, Product};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The product of a watched program with the automaton of what violates a formula.
pub(super) fn product(
    mut view: View,
    observer: &Observer,
    formulas: &Formulas,
    automaton: &Buchi,
) -> Result<View, NoView> {
    let program = &mut view.program;
    if view.back.is_some() && temporal::ends_early(program) {
        return Err(unsupported("a formula of CaRet about executions that end before `main` does"));
    }
    let start = program.procedure(ir::program::START);
    let Some(start) = start.filter(|&start| program.procedures[start].body.is_some()) else {
        return Err(unsupported("a formula of CaRet that is no safety property, without `ULTIMATE.start`"));
    };
    let keep = program.procedure(KEEP);
    temporal::without_calls_of(program, start, keep);
    let mut letters = Vec::new();
    for (event, data) in observer.events.iter() {
        let sense = program.procedure(&format!("{SENSE}{}", event.as_u32()));
        match (data.kind, sense) {
            (EventKind::Round, Some(sense)) => at_rounds(program, sense),
            (EventKind::Exit, Some(sense)) => at_end(program, start, sense),
            _ => {}
        }
        // Functions that the program never calls have left nothing.
        if let Some(procedure) = program.procedure(&format!("{EVENT}{}", event.as_u32())) {
            letters.push((event, procedure));
        }
    }
    let is_exit = |(event, _): &(Event, Procedure)| observer.events[*event].kind == EventKind::Exit;
    let Some(last) = letters.iter().position(is_exit) else {
        return Err(unsupported("a formula of CaRet about a program whose end was lost"));
    };
    declare_changes(program);
    let letters =
        letters.into_iter().map(|(event, procedure)| letter(program, observer, formulas, event, procedure));
    let letters: Vec<Letter> = letters.collect();
    if goes_down_unseen(program, &letters) {
        return Err(unsupported("a formula of CaRet about a procedure that calls itself without a position"));
    }
    let watched = Watched {
        program: program.clone(),
        start,
        letters,
        last,
        moves: moves(automaton),
        never_blocks: false,
    };
    let span = program.procedures[start].span;
    let into = program.procedures.push(ProcedureData::named("product#".to_owned(), span));
    let kept: BTreeSet<Procedure> = watched.letters.iter().map(|letter| letter.procedure).collect();
    let no = |property::Unsupported(what)| unsupported(what);
    let conditions = Conditions::new(program, &watched);
    let Product { copies, states } =
        property::product::product(program, (start, into), &kept, &conditions).map_err(no)?;
    view.states = states;
    if let Some(back) = &mut view.back {
        back.add_copies(&copies);
    }
    view.watched = Some(Arc::new(watched));
    Ok(view)
}

/// Whether procedures call themselves in which no letter is read: an execution could go down for ever, and the automaton would not see it.
fn goes_down_unseen(program: &Program, letters: &[Letter]) -> bool {
    let is_letter = |callee: &Procedure| letters.iter().any(|letter| letter.procedure == *callee);
    let mut unseen = program.clone();
    for data in unseen.procedures.values_mut() {
        let calls_letter = |statement: &Statement| matches!(&statement.kind, StatementKind::Call { procedure, .. } if is_letter(procedure));
        let blocks = data.body.iter().flat_map(|body| body.blocks.values());
        if blocks.flat_map(|block| &block.statements).any(calls_letter) {
            data.body = None;
        }
    }
    !property::flatten::recursive(&unseen, &BTreeSet::new()).is_empty()
}

fn call(procedure: Procedure, span: base::Span) -> Statement {
    let kind = StatementKind::Call { procedure, arguments: Vec::new(), results: Vec::new() };
    Statement { kind, span, attributes: Vec::new() }
}

/// Calls what happens in every round of a loop.
fn at_rounds(program: &mut Program, sense: Procedure) {
    for data in program.procedures.values_mut().filter(|data| !data.name.starts_with(ADDED)) {
        let Some(body) = &mut data.body else { continue };
        for head in temporal::loop_heads(body) {
            let span = body.blocks[head].transfer_span;
            body.blocks[head].statements.insert(0, call(sense, span));
        }
    }
}

/// Calls what happens at the end.
fn at_end(program: &mut Program, start: Procedure, sense: Procedure) {
    let body = program.procedures[start].body.iter_mut();
    for block in body.flat_map(|body| body.blocks.values_mut()).filter(|it| it.transfer == Transfer::Return) {
        block.statements.push(call(sense, block.transfer_span));
    }
}

/// Every procedure may change what was added.
fn declare_changes(program: &mut Program) {
    let is_added = |global: &&Variable| program.variables[**global].name.starts_with(ADDED);
    let added: Vec<Variable> = program.globals.iter().filter(is_added).copied().collect();
    for data in program.procedures.values_mut().filter(|data| data.body.is_some()) {
        let more: Vec<Variable> = added.iter().copied().filter(|it| !data.modifies.contains(it)).collect();
        data.modifies.extend(more);
    }
}

/// What is known of the atoms of a formula at an event.
fn letter(
    program: &Program,
    observer: &Observer,
    formulas: &Formulas,
    event: Event,
    procedure: Procedure,
) -> Letter {
    let data = &observer.events[event];
    let is_about = |name: &Option<String>| name.as_ref().is_none_or(|name| *name == data.name);
    let atom = |atom: &caret::Atom| match atom {
        caret::Atom::Call(name) => Atom::Known(data.kind == EventKind::Call && is_about(name)),
        caret::Atom::Return(name) => Atom::Known(data.kind == EventKind::Return && is_about(name)),
        // The automaton asks for what comes next instead.
        caret::Atom::Last => Atom::Known(false),
        caret::Atom::Condition(text) => {
            let mut on = observer.on(event);
            let number = on.find(|(_, it)| it.condition.as_ref().is_some_and(|it| it.text == *text));
            let name = number.map(|(number, _)| format!("{ATOM}{number}"));
            let is_it = |global: &&Variable| Some(&program.variables[**global].name) == name.as_ref();
            program.globals.iter().find(is_it).map_or(Atom::Known(false), |&variable| Atom::In(variable))
        }
    };
    let kind = match data.kind {
        EventKind::Call => Kind::Call,
        EventKind::Return => Kind::Return,
        _ => Kind::Internal,
    };
    Letter { procedure, kind, evaluates: false, atoms: formulas.atoms.iter().map(atom).collect() }
}

/// The moves of an automaton, as the checker wants them.
fn moves(automaton: &Buchi) -> Vec<Vec<Move>> {
    let mut moves = vec![Vec::new(); automaton.states];
    for transition in &automaton.transitions {
        let read = match transition.read {
            caret::Read::Internal => Read::Internal,
            caret::Read::Call(context) => Read::Call(context),
            caret::Read::Return(context) => Read::Return(context),
        };
        let (guard, to) = (transition.guard.clone(), transition.to);
        moves[transition.from].push(Move { read, guard, to, accepting: transition.accepting });
    }
    moves
}

/// The automaton over the conditions of a program.
struct Conditions<'a> {
    watched: &'a Watched,
    /// For each letter and each of its atoms the formula that says whether it holds, if that is not known anyway.
    values: Vec<Vec<Option<ir::Expr>>>,
}

impl<'a> Conditions<'a> {
    fn new(program: &mut Program, watched: &'a Watched) -> Conditions<'a> {
        let span = program.procedures[watched.start].span;
        let mut value = |atom: &Atom| match *atom {
            Atom::Known(_) => None,
            Atom::In(variable) => {
                let value = program.variable(variable, span);
                if program.ty(value) == ir::Type::BOOL {
                    return Some(value);
                }
                let one = program.int(1, span);
                Some(program.equal(value, one, span))
            }
        };
        let values =
            watched.letters.iter().map(|letter| letter.atoms.iter().map(&mut value).collect()).collect();
        Conditions { watched, values }
    }

    fn number(&self, procedure: Procedure) -> Option<usize> {
        self.watched.letters.iter().position(|letter| letter.procedure == procedure)
    }
}

impl property::product::Observer for Conditions<'_> {
    fn letter(&self, procedure: Procedure) -> Option<property::product::Letter> {
        self.number(procedure).map(|_| property::product::Letter::Marks)
    }

    fn last(&self) -> Procedure {
        self.watched.letters[self.watched.last].procedure
    }

    fn is_return(&self, letter: Procedure) -> bool {
        self.number(letter).is_some_and(|number| self.watched.letters[number].kind == Kind::Return)
    }

    fn moves(&self, from: &Memory, procedure: Procedure) -> Vec<property::product::Move> {
        let Some(number) = self.number(procedure) else { return Vec::new() };
        let letter = &self.watched.letters[number];
        let mut moves = Vec::new();
        for one in &self.watched.moves[from.state] {
            let mut stack = from.stack.clone();
            let reads = match (letter.kind, one.read) {
                (Kind::Internal, Read::Internal) => true,
                (Kind::Call, Read::Call(context)) => {
                    stack.push(context);
                    true
                }
                (Kind::Return, Read::Return(context)) => stack.pop() == Some(context),
                _ => false,
            };
            let fits = |&(atom, wanted): &(usize, bool)| letter.atoms[atom] != Atom::Known(!wanted);
            if reads && one.guard.iter().all(fits) {
                let value = |&(atom, wanted): &(usize, bool)| Some((self.values[number][atom]?, wanted));
                let guard = one.guard.iter().filter_map(value).collect();
                let to = Memory { state: one.to, stack };
                moves.push(property::product::Move { guard, to, accepting: one.accepting });
            }
        }
        moves
    }

    fn accepts_all(&self, _: &Memory) -> bool {
        false
    }
}
