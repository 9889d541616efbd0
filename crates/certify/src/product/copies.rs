//! Copies of procedures that call themselves.
//!
//! The product has a copy of such a procedure for each state of the automaton in which it is called and each way in which the call ends ([`Promise`]): it does not return, or it
//! returns with the automaton in some state, which has made an accepting move meanwhile or has not. A copy follows the procedure as the product follows the program, and stops where it would return
//! otherwise than promised. The two ways of reading that:
//!
//! * *nothing is lost*: a call has a way for each end that a walk through a copy of the procedure for the same state has come to ([`Copies::are_enough`]), and one for not returning, except in a copy
//!   that returns, in which all calls do. Inside of such a copy a counter ends executions; it gets an arbitrary value at the call by which they begin, which is enough for a call that
//!   returns after so many steps;
//! * *nothing is added*: that counter becomes smaller in every round and at every call of a copy that returns, and gets no other value there. So an infinite execution is one of copies that do not return from some point on, or
//!   of calls between them; each call of such a copy counts as a round without an accepting move, and a call that returns is an accepting move if it promises one.
//!
//! The name of a copy says what it promises, as a hint: a wrong one leads to a refusal.

use super::walk::{Frame, Place, Walk, refuse};
use super::{Check, Parts};
use crate::Refusal;
use base::EntityRef;
use ir::{Block, Body, Expr, Procedure, Program, Statement, StatementKind, Transfer, Variable, VariableKind};
use std::collections::{BTreeMap, BTreeSet};

/// How a call ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Promise {
    /// It does not return.
    Never,
    /// It returns with the automaton in a state, which has made an accepting move meanwhile or has not.
    Returns(usize, bool),
}

/// A procedure, the state in which it is called, and how the call ends.
pub(super) type Key = (Procedure, usize, Promise);

/// What a procedure of the product is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Where executions begin.
    Start,
    /// A copy.
    Copy(Key),
}

impl Part {
    /// Whether it is a copy that returns.
    pub(super) fn returns(self) -> bool {
        matches!(self, Part::Copy((_, _, Promise::Returns(..))))
    }
}

/// The procedures of a program that call themselves, by way of others too, and are no letters.
pub(super) fn recursive(program: &Program, letters: &BTreeMap<Procedure, usize>) -> BTreeSet<Procedure> {
    let callees = |procedure: Procedure| {
        let body = program.procedures[procedure].body.iter();
        let statements = body.flat_map(|body| body.blocks.values()).flat_map(|block| &block.statements);
        statements.filter_map(|statement| match statement.kind {
            StatementKind::Call { procedure, .. } if !letters.contains_key(&procedure) => Some(procedure),
            _ => None,
        })
    };
    let calls_itself = |&procedure: &Procedure| {
        let mut seen: BTreeSet<Procedure> = BTreeSet::new();
        let mut pending: Vec<Procedure> = callees(procedure).collect();
        while let Some(callee) = pending.pop() {
            if callee == procedure {
                return true;
            }
            if seen.insert(callee) {
                pending.extend(callees(callee));
            }
        }
        false
    };
    program.procedures.keys().filter(|it| !letters.contains_key(it)).filter(calls_itself).collect()
}

/// A state in which a walk has come to a return, and whether there was an accepting move, if that is known.
type Seen = (usize, Option<bool>);

/// The ends for which a call has ways: the state, and whether there is an accepting move.
type Ends = BTreeSet<(usize, bool)>;

/// The copies that were come to, and how their calls end.
#[derive(Default)]
pub(super) struct Copies {
    found: BTreeMap<Procedure, Key>,
    pending: Vec<Procedure>,
    /// Where walks through copies have come to a return, by procedure and the state in which it is called: the state, and whether there was an accepting
    /// move, if that is known.
    exits: BTreeMap<(Procedure, usize), BTreeSet<Seen>>,
    /// By procedure and state, the ends for which calls have ways.
    calls: BTreeSet<(Procedure, usize, Ends)>,
}

impl Copies {
    /// A copy that was not walked through yet.
    pub(super) fn next(&mut self) -> Option<(Procedure, Key)> {
        let copy = self.pending.pop()?;
        Some((copy, self.found[&copy]))
    }

    fn called(&mut self, copy: Procedure, key: Key) -> Result<(), Refusal> {
        match self.found.insert(copy, key) {
            None => {
                self.exits.entry((key.0, key.1)).or_default();
                self.pending.push(copy);
                Ok(())
            }
            Some(known) if known == key => Ok(()),
            Some(_) => refuse("a copy of a procedure stands for several calls"),
        }
    }

    /// There is a call that has no way to return.
    pub(super) fn never_returns(&mut self, procedure: Procedure, state: usize) {
        self.calls.insert((procedure, state, BTreeSet::new()));
    }

    /// Every call has a way for each end that a walk has come to.
    pub(super) fn are_enough(&self) -> Result<(), Refusal> {
        for (procedure, state, ends) in &self.calls {
            // Somebody has to have walked through the procedure from this state.
            let Some(exits) = self.exits.get(&(*procedure, *state)) else {
                return refuse("a call is not followed");
            };
            let has_way = |&(state, accepting): &(usize, Option<bool>)| match accepting {
                Some(accepting) => ends.contains(&(state, accepting)),
                // A way for one of both: then the copy that it leads to says whether there has to be another.
                None => ends.iter().any(|end| end.0 == state),
            };
            if !exits.iter().all(has_way) {
                return refuse("a call has no way for one of its ends");
            }
        }
        Ok(())
    }
}

/// What the name of a copy says about it.
fn promised(name: &str) -> Option<Promise> {
    let (_, said) = name.rsplit_once('#')?;
    if said == "never" {
        return Some(Promise::Never);
    }
    let (number, accepting) = match said.strip_suffix('\'') {
        Some(number) => (number, true),
        None => (said, false),
    };
    Some(Promise::Returns(number.parse().ok()?, accepting))
}

/// The body of a copy, whose variables are those of the procedure.
pub(super) fn body<'a>(parts: &Parts<'a>, copy: Procedure, key: Key) -> Result<&'a Body, Refusal> {
    let product = parts.product;
    let (data, original) = (&product.procedures[copy], &parts.watched.program.procedures[key.0]);
    let (Some(body), Some(own)) = (&data.body, &original.body) else {
        return refuse("a copy of a procedure without a body");
    };
    let walk = parts.walk(copy, true);
    let asks = !data.requires.is_empty() || !data.ensures.is_empty() || !walk.has_no_contract(key.0);
    if copy.index() < parts.watched.program.procedures.len() || asks || data.modifies != product.globals {
        return refuse("a copy of a procedure that asks for something, or promises something");
    }
    let counts = [
        (data.parameters.len(), original.parameters.len()),
        (data.results.len(), original.results.len()),
        (body.locals.len().min(own.locals.len()), own.locals.len()),
    ];
    if counts.iter().any(|(one, other)| one != other) {
        return refuse("a copy of a procedure with other variables");
    }
    let frame = first_frame(&walk, key.0);
    let watched = &parts.watched.program;
    let kinds = [
        (&data.parameters[..], VariableKind::Parameter(copy)),
        (&data.results[..], VariableKind::Result(copy)),
        (&body.locals[..own.locals.len()], VariableKind::Local(copy)),
    ];
    for (found, kind) in kinds {
        for &variable in found {
            if product.variables[variable].kind != kind || variable.index() < watched.variables.len() {
                return refuse(format!("`{}` is no variable of the copy", product.variables[variable].name));
            }
        }
    }
    let names: BTreeSet<Variable> = frame.names.values().copied().collect();
    let rest = &body.locals[own.locals.len()..];
    if names.len() < frame.names.len() || rest.iter().any(|local| names.contains(local)) {
        return refuse("two variables are one in a copy");
    }
    for (&variable, &found) in &frame.names {
        let (data, own) = (&watched.variables[variable], &product.variables[found]);
        if data.ty != own.ty || data.is_established() != own.is_established() {
            return refuse(format!("`{}` is no copy of `{}`", own.name, data.name));
        }
        walk.same_range(Some(&frame), variable, found)?;
    }
    super::new_locals((watched, product), copy, rest)?;
    Ok(body)
}

/// The call of a procedure whose copy is walked through: its variables are those of the copy.
fn first_frame(walk: &Walk<'_>, procedure: Procedure) -> Frame {
    let data = &walk.pair.product.procedures[walk.into];
    let locals = data.body.as_ref().map_or(&[][..], |body| &body.locals);
    let own = walk.own(procedure);
    let parameters = walk.pair.watched.procedures[procedure].parameters.iter().copied();
    let copies = data.parameters.iter().chain(&data.results).chain(locals).copied();
    walk.frame(procedure, parameters.chain(own).zip(copies).collect(), &[])
}

impl Check<'_, '_> {
    /// Where the watched program is when the procedure of the product begins.
    pub(super) fn first_place(&self) -> Result<Place, Refusal> {
        let (frames, state) = match self.part {
            Part::Start => (Vec::new(), 0),
            Part::Copy((procedure, state, _)) => (vec![first_frame(&self.walk, procedure)], state),
        };
        if state >= self.watched.moves.len() {
            return refuse("a state that the automaton does not have");
        }
        let started = self.part != Part::Start;
        Ok(Place { frames, started, evaluated: false, state, stack: Vec::new(), seen: false, idle: false })
    }

    /// Whether the procedure of which the product has a copy returns at a place.
    pub(super) fn is_exit(&self, place: &Place) -> bool {
        self.part != Part::Start && place.frames.len() == 1
    }

    /// Whether nothing goes on behind a statement.
    pub(super) fn is_stop(&self, statement: &Statement, transfer: &Transfer) -> bool {
        matches!(statement.kind, StatementKind::Assume(condition) if self.is_bool(condition, false))
            && *transfer == Transfer::Return
    }

    /// The procedure returns, and so does its copy, or it stops there.
    pub(super) fn exit(&mut self, place: &Place, returns: bool) -> Result<(), Refusal> {
        let Part::Copy((procedure, called, promise)) = self.part else {
            return refuse("nothing to return from");
        };
        if !place.stack.is_empty() {
            return refuse("a procedure returns before a call that it began with");
        }
        let seen = self.part.returns().then_some(place.seen);
        self.copies.exits.entry((procedure, called)).or_default().insert((place.state, seen));
        let kept = promise == Promise::Returns(place.state, place.seen);
        match (kept, returns) {
            (true, false) => refuse("a copy does not return as it promises"),
            (false, true) => refuse("a copy returns otherwise than it promises"),
            _ => Ok(()),
        }
    }

    /// A procedure that calls itself is called: each way calls a copy of it.
    pub(super) fn calls(
        &mut self,
        place: &Place,
        (callee, arguments, results): (Procedure, &[Expr], &[Variable]),
        ways: &[Block],
    ) -> Result<(), Refusal> {
        let mut promises: BTreeSet<Promise> = BTreeSet::new();
        for &way in ways {
            let promise = self.call(place, (callee, arguments, results), way)?;
            if !promises.insert(promise) {
                return refuse("two ways of a call promise the same");
            }
        }
        if promises.remove(&Promise::Never) == self.part.returns() {
            return refuse("a call that does not return is lost, or one is in a copy that returns");
        }
        let end = |promise: Promise| match promise {
            Promise::Never => None,
            Promise::Returns(state, accepting) => Some((state, accepting)),
        };
        let ends = promises.into_iter().filter_map(end).collect();
        self.copies.calls.insert((callee, place.state, ends));
        Ok(())
    }

    /// A block that calls a copy; what the copy promises.
    fn call(
        &mut self,
        place: &Place,
        (callee, arguments, results): (Procedure, &[Expr], &[Variable]),
        way: Block,
    ) -> Result<Promise, Refusal> {
        let product = self.walk.pair.product;
        let data = &self.body.blocks[way];
        let mut rest = &data.statements[..];
        let counts = self.counts(rest);
        if counts {
            rest = &rest[2..];
        }
        let mut arbitrary = Vec::new();
        while let [Statement { kind: StatementKind::Havoc(variables), .. }, more @ ..] = rest {
            arbitrary.extend(variables.iter().copied());
            rest = more;
        }
        let [
            Statement {
                kind: StatementKind::Call { procedure, arguments: passed, results: targets }, ..
            },
            rest @ ..,
        ] = rest
        else {
            return refuse("a way of a call calls nothing");
        };
        let promise = product.procedures.get(*procedure).and_then(|data| promised(&data.name));
        let Some(promise) = promise else { return refuse("a procedure that promises nothing") };
        let frame = place.frames.last();
        let same = |(&one, &other): (&Expr, &Expr)| self.walk.same(frame, one, other);
        if arguments.len() != passed.len() || !arguments.iter().zip(passed).all(same) {
            return refuse("another argument is passed");
        }
        if results.len() != targets.len() {
            return refuse("results are not passed on");
        }
        self.copies.called(*procedure, (callee, place.state, promise))?;
        // Rounds are counted where nothing else does, and an arbitrary value is for what begins.
        let wanted: &[Variable] = match promise {
            Promise::Never => &[],
            Promise::Returns(..) if self.part.returns() => &[],
            Promise::Returns(_, false) => &[self.inside],
            Promise::Returns(_, true) => &[self.inside, self.rounds],
        };
        if arbitrary != wanted {
            return refuse("a call gives counters other values");
        }
        if !counts && (promise == Promise::Never || self.part.returns()) {
            return refuse("a call is not counted");
        }
        if counts {
            self.counted.insert(way);
        }
        let Promise::Returns(state, accepting) = promise else {
            return match rest {
                [only] if self.is_stop(only, &data.transfer) => Ok(promise),
                _ => refuse("something comes behind a call that does not return"),
            };
        };
        if accepting && !self.part.returns() {
            self.accepting.insert(way);
            self.resets.insert(way);
        }
        let ([], Transfer::Goto(next)) = (rest, &data.transfer) else {
            return refuse("a call does something else");
        };
        let &[next] = &next[..] else { return refuse("a call leads to several places") };
        let seen = self.part.returns() && (place.seen || accepting);
        let mut after = Place { state, seen, ..place.clone() };
        if state >= self.watched.moves.len() {
            return refuse("a state that the automaton does not have");
        }
        for (&result, &target) in results.iter().zip(targets) {
            self.walk.write(&mut after.frames, result, target)?;
        }
        if let Some(frame) = after.frames.last_mut() {
            frame.index += 1;
        }
        self.arrivals.arrive(&self.walk, next, after)?;
        Ok(promise)
    }
}
