//! A place of the watched program, with the calls that are open there, and the steps that nobody sees.

use super::same::Pair;
use crate::Refusal;
use ir::{Block, Body, Expr, Procedure, Program, Statement, StatementKind, Transfer, Variable, VariableKind};
use std::collections::{BTreeMap, BTreeSet};

/// A call of the watched program whose body stands in the product where the call was.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Frame {
    pub(super) procedure: Procedure,
    pub(super) block: Block,
    pub(super) index: usize,
    /// What variables of the procedure are called in the product, as far as they have got values.
    pub(super) names: BTreeMap<Variable, Variable>,
    /// Where its results go, in the caller.
    pub(super) results: Vec<Variable>,
}

/// Where an execution of the watched program is, with the state of the automaton.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    /// The open calls, the innermost last; none when the execution is over.
    pub(super) frames: Vec<Frame>,
    /// Whether the first procedure was entered.
    pub(super) started: bool,
    /// Whether the atoms have their values already.
    pub(super) evaluated: bool,
    pub(super) state: usize,
    /// What the automaton has on its stack.
    pub(super) stack: Vec<usize>,
    /// Whether the automaton has made an accepting move; known only in the copy of a procedure that returns.
    pub(super) seen: bool,
    /// Whether the execution goes round for ever without doing anything.
    pub(super) idle: bool,
}

/// What comes next in the watched program.
pub(super) enum Next<'a> {
    /// The first procedure begins.
    Start,
    /// A statement.
    Step(&'a Statement),
    /// A call whose body stands in the product.
    Enter { callee: Procedure, arguments: &'a [Expr], results: &'a [Variable] },
    /// A call of a procedure that calls itself, of which the product has copies.
    Recursive { callee: Procedure, arguments: &'a [Expr], results: &'a [Variable] },
    /// The results of a call are passed on, or the procedure that is walked through returns.
    Leave,
    /// Several ways.
    Ways(&'a Transfer),
    /// The automaton reads a letter, by its number.
    Letter(usize),
    /// Nothing, for ever.
    Idle,
}

pub(super) fn refuse<T>(what: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Product(what.into()))
}

/// How places move.
pub(super) struct Walk<'a> {
    pub(super) pair: Pair<'a>,
    /// The procedures whose calls are those of letters, with their numbers.
    pub(super) letters: BTreeMap<Procedure, usize>,
    /// The letter that is read when the execution is over.
    pub(super) last: usize,
    pub(super) start: Procedure,
    /// The procedure of the product.
    pub(super) into: Procedure,
    /// The procedures whose bodies stand in the product where they were called; none if all do that have one.
    pub(super) inlined: Option<&'a BTreeSet<Procedure>>,
    /// The procedures that call themselves, of which the product has copies; none if procedures stay what they are.
    pub(super) recursive: &'a BTreeSet<Procedure>,
    /// Whether the procedure of the product is such a copy.
    pub(super) is_copy: bool,
    /// More jumps than this come round to where they were.
    pub(super) most: usize,
}

/// How many blocks a program has, and one more.
pub(super) fn blocks_of(program: &Program) -> usize {
    let bodies = program.procedures.values().filter_map(|data| data.body.as_ref());
    bodies.map(|body| body.blocks.len()).sum::<usize>() + 1
}

/// Whether blocks in which the watched program does nothing, each with the only one that comes next, go round at a place where the program
/// goes on.
pub(super) fn goes_round(silent: &BTreeMap<Block, Block>, is_idle: impl Fn(Block) -> bool) -> bool {
    silent.iter().any(|(&block, &next)| {
        let mut at = next;
        let mut steps = 0;
        while let Some(&next) = silent.get(&at).filter(|_| at != block && steps <= silent.len()) {
            at = next;
            steps += 1;
        }
        at == block && !is_idle(block)
    })
}

impl<'a> Walk<'a> {
    pub(super) fn body(&self, procedure: Procedure) -> Option<&'a Body> {
        self.pair.watched.procedures[procedure].body.as_ref()
    }

    fn is_inlined(&self, procedure: Procedure) -> bool {
        self.letter(procedure).is_none()
            && self.body(procedure).is_some()
            && !self.recursive.contains(&procedure)
            && self.inlined.is_none_or(|inlined| inlined.contains(&procedure))
    }

    /// Whether procedures stay what they are, so that assertions do too, and the end of the outermost call is the end of its procedure.
    fn keeps_procedures(&self) -> bool {
        self.inlined.is_some()
    }

    fn letter(&self, procedure: Procedure) -> Option<usize> {
        self.letters.get(&procedure).copied()
    }

    /// The variables of a procedure that get arbitrary values where it begins: results and locals.
    pub(super) fn own(&self, procedure: Procedure) -> Vec<Variable> {
        let locals = self.body(procedure).map_or(&[][..], |body| &body.locals);
        self.pair.watched.procedures[procedure].results.iter().chain(locals).copied().collect()
    }

    /// What comes next; steps that nobody sees have been taken.
    pub(super) fn next(&self, place: &Place) -> Next<'a> {
        let Some(frame) = place.frames.last() else {
            return if place.started { Next::Letter(self.last) } else { Next::Start };
        };
        if place.idle {
            return Next::Idle;
        }
        let Some(body) = self.body(frame.procedure) else { return Next::Idle };
        let block = &body.blocks[frame.block];
        match block.statements.get(frame.index) {
            None => match &block.transfer {
                Transfer::Return => Next::Leave,
                transfer => Next::Ways(transfer),
            },
            Some(statement) => match &statement.kind {
                StatementKind::Call { procedure, arguments, results } => match self.letter(*procedure) {
                    Some(letter) => Next::Letter(letter),
                    None if self.is_inlined(*procedure) => {
                        Next::Enter { callee: *procedure, arguments, results }
                    }
                    None if self.recursive.contains(procedure) => {
                        Next::Recursive { callee: *procedure, arguments, results }
                    }
                    None => Next::Step(statement),
                },
                _ => Next::Step(statement),
            },
        }
    }

    /// Takes all steps that nobody sees: assertions, jumps, calls without variables, and returns without results.
    pub(super) fn settle(&self, place: &mut Place) {
        let most = self.most;
        let mut jumps = 0;
        while !place.idle && self.silent_step(place, &mut jumps) {
            if jumps > most {
                // An execution that only jumps goes round; all places of that round are one.
                let mut least = place.clone();
                for _ in 0..=2 * most {
                    self.silent_step(place, &mut jumps);
                    if *place < least {
                        least = place.clone();
                    }
                }
                *place = Place { idle: true, ..least };
            }
        }
        self.return_anywhere(place);
    }

    /// It makes no difference at which of its ends a procedure returns: all of them are one place.
    fn return_anywhere(&self, place: &mut Place) {
        let Some(frame) = place.frames.last_mut() else { return };
        let Some(body) = self.body(frame.procedure) else { return };
        let returns = |block: Block| body.blocks[block].transfer == Transfer::Return;
        if returns(frame.block) && frame.index >= body.blocks[frame.block].statements.len() {
            let first = body.blocks.keys().find(|&block| returns(block)).unwrap_or(frame.block);
            (frame.block, frame.index) = (first, body.blocks[first].statements.len());
        }
    }

    fn silent_step(&self, place: &mut Place, jumps: &mut usize) -> bool {
        let is_outermost = place.frames.len() == 1;
        let Some(frame) = place.frames.last_mut() else { return false };
        let Some(body) = self.body(frame.procedure) else { return false };
        let block = &body.blocks[frame.block];
        match block.statements.get(frame.index) {
            Some(statement) => match &statement.kind {
                StatementKind::Assert(..) if !self.keeps_procedures() && !super::gives_up(statement) => {
                    frame.index += 1;
                    true
                }
                StatementKind::Call { procedure, .. }
                    if self.is_inlined(*procedure)
                        && self.own(*procedure).is_empty()
                        && self.pair.watched.procedures[*procedure].parameters.is_empty()
                        && self.has_no_contract(*procedure) =>
                {
                    frame.index += 1;
                    let entered = Frame {
                        procedure: *procedure,
                        block: base::EntityRef::new(0),
                        index: 0,
                        names: BTreeMap::new(),
                        results: Vec::new(),
                    };
                    place.frames.push(entered);
                    *jumps += 1;
                    true
                }
                _ => false,
            },
            None => match &block.transfer {
                Transfer::Goto(targets) if targets.len() == 1 => {
                    (frame.block, frame.index) = (targets[0], 0);
                    *jumps += 1;
                    true
                }
                Transfer::Return if is_outermost && (self.keeps_procedures() || self.is_copy) => false,
                Transfer::Return if frame.results.is_empty() => {
                    place.frames.pop();
                    true
                }
                _ => false,
            },
        }
    }

    pub(super) fn has_no_contract(&self, procedure: Procedure) -> bool {
        let data = &self.pair.watched.procedures[procedure];
        data.requires.is_empty() && data.ensures.is_empty()
    }

    /// What a variable of the innermost call, or a global one, is called in the product.
    pub(super) fn name(&self, frame: Option<&Frame>, variable: Variable) -> Option<Variable> {
        match self.pair.watched.variables[variable].kind {
            VariableKind::Parameter(of) | VariableKind::Result(of) | VariableKind::Local(of) => {
                // The variables of a procedure that stays are the same in the product.
                if of == self.into && self.keeps_procedures() {
                    return Some(variable);
                }
                frame?.names.get(&variable).copied()
            }
            _ => Some(variable),
        }
    }

    pub(super) fn same(&self, frame: Option<&Frame>, one: Expr, other: Expr) -> bool {
        self.pair.same(one, other, &|variable| self.name(frame, variable))
    }

    /// That a variable of the product can be a new name: it is new there, and no open call uses it.
    fn is_free(&self, frames: &[Frame], names: &BTreeMap<Variable, Variable>, found: Variable) -> bool {
        let is_new = base::EntityRef::index(found) >= self.pair.watched.variables.len();
        let is_own = self.pair.product.variables[found].kind == VariableKind::Local(self.into);
        let used = |names: &BTreeMap<Variable, Variable>| names.values().any(|&used| used == found);
        is_new && is_own && !used(names) && !frames.iter().any(|frame| used(&frame.names))
    }

    /// The innermost call gives a variable a value; in the product `found` gets it.
    pub(super) fn write(
        &self,
        frames: &mut [Frame],
        variable: Variable,
        found: Variable,
    ) -> Result<(), Refusal> {
        if let Some(known) = self.name(frames.last(), variable) {
            return if known == found { Ok(()) } else { refuse("a value goes to another variable") };
        }
        let (data, own) = (&self.pair.watched.variables[variable], &self.pair.product.variables[found]);
        if data.ty != own.ty || !self.is_free(frames, &BTreeMap::new(), found) {
            return refuse(format!("`{}` is no copy of `{}`", own.name, data.name));
        }
        if let Some(frame) = frames.last_mut() {
            frame.names.insert(variable, found);
        }
        Ok(())
    }

    /// That a variable may begin with the same values in both programs.
    pub(super) fn same_range(
        &self,
        frame: Option<&Frame>,
        variable: Variable,
        found: Variable,
    ) -> Result<(), Refusal> {
        let clauses = (
            self.pair.watched.variables[variable].where_clause,
            self.pair.product.variables[found].where_clause,
        );
        match clauses {
            (None, None) => Ok(()),
            (Some(one), Some(other)) if self.same(frame, one, other) => Ok(()),
            _ => refuse(format!("`{}` may have other values", self.pair.product.variables[found].name)),
        }
    }

    /// That a statement of the product is the one that comes next.
    pub(super) fn step(
        &self,
        place: &mut Place,
        statement: &Statement,
        found: &Statement,
    ) -> Result<(), Refusal> {
        let marked = |of: &Statement| ir::Mark::Overapproximation.is_in(&of.attributes);
        if marked(statement) && !marked(found) {
            return refuse("a statement that allows too much is not marked any more");
        }
        let frame = place.frames.last().cloned();
        match (&statement.kind, &found.kind) {
            (StatementKind::Assume(one), StatementKind::Assume(other)) => {
                if !self.same(frame.as_ref(), *one, *other) {
                    return refuse("another assumption");
                }
            }
            (StatementKind::Assert(kind, one), StatementKind::Assert(found, other))
                if self.keeps_procedures() && kind == found =>
            {
                if !self.same(frame.as_ref(), *one, *other) {
                    return refuse("another assertion");
                }
            }
            (StatementKind::Assign(pairs), StatementKind::Assign(others)) if pairs.len() == others.len() => {
                for ((_, value), (_, other)) in pairs.iter().zip(others) {
                    if !self.same(frame.as_ref(), *value, *other) {
                        return refuse("another value is assigned");
                    }
                }
                for ((variable, _), (other, _)) in pairs.iter().zip(others) {
                    self.write(&mut place.frames, *variable, *other)?;
                }
            }
            (StatementKind::Havoc(variables), StatementKind::Havoc(others))
                if variables.len() == others.len() =>
            {
                for (&variable, &other) in variables.iter().zip(others) {
                    self.write(&mut place.frames, variable, other)?;
                }
                for (&variable, &other) in variables.iter().zip(others) {
                    self.same_range(place.frames.last(), variable, other)?;
                }
            }
            (
                StatementKind::Call { procedure, arguments, results },
                StatementKind::Call { procedure: callee, arguments: others, results: targets },
            ) if procedure == callee && results.len() == targets.len() && arguments.len() == others.len() => {
                for (&argument, &other) in arguments.iter().zip(others) {
                    if !self.same(frame.as_ref(), argument, other) {
                        return refuse("another argument is passed");
                    }
                }
                for (&result, &target) in results.iter().zip(targets) {
                    self.write(&mut place.frames, result, target)?;
                }
            }
            (
                StatementKind::Fork { thread, procedure, arguments },
                StatementKind::Fork { thread: found, procedure: forked, arguments: others },
            ) if self.keeps_procedures()
                && procedure == forked
                && thread.len() == found.len()
                && arguments.len() == others.len() =>
            {
                let parts = thread.iter().chain(arguments).zip(found.iter().chain(others));
                if !parts.into_iter().all(|(&one, &other)| self.same(frame.as_ref(), one, other)) {
                    return refuse("another thread begins");
                }
            }
            (
                StatementKind::Join { thread, results },
                StatementKind::Join { thread: found, results: targets },
            ) if self.keeps_procedures() && thread.len() == found.len() && results.len() == targets.len() => {
                if !thread.iter().zip(found).all(|(&one, &other)| self.same(frame.as_ref(), one, other)) {
                    return refuse("it waits for another thread");
                }
                for (&result, &target) in results.iter().zip(targets) {
                    self.write(&mut place.frames, result, target)?;
                }
            }
            (StatementKind::Atomic(boundary), StatementKind::Atomic(found))
                if self.keeps_procedures() && boundary == found => {}
            _ => return refuse("another statement"),
        }
        if let Some(frame) = place.frames.last_mut() {
            frame.index += 1;
        }
        Ok(())
    }

    /// Enters a procedure: its parameters get their values in the product, and its other variables arbitrary ones. How many statements of the
    /// product that takes.
    pub(super) fn enter(
        &self,
        place: &mut Place,
        (callee, arguments, results): (Procedure, &[Expr], &[Variable]),
        statements: &[Statement],
    ) -> Result<usize, Refusal> {
        let watched = self.pair.watched;
        if !self.has_no_contract(callee) {
            return refuse(format!("`{}` has a contract", watched.procedures[callee].name));
        }
        let parameters = &watched.procedures[callee].parameters;
        let caller = place.frames.last().cloned();
        // The parameters of the first procedure are arbitrary.
        let mut arbitrary = if caller.is_none() { parameters.clone() } else { Vec::new() };
        arbitrary.extend(self.own(callee));
        let mut passed = caller.is_none() || parameters.is_empty();
        let mut names: BTreeMap<Variable, Variable> = BTreeMap::new();
        let mut used = 0;
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign(pairs) if !passed && pairs.len() == parameters.len() => {
                    for ((&parameter, &argument), &(target, value)) in
                        parameters.iter().zip(arguments).zip(pairs)
                    {
                        let types = (watched.variables[parameter].ty, self.pair.product.variables[target].ty);
                        if types.0 != types.1
                            || !self.is_free(&place.frames, &names, target)
                            || !self.same(caller.as_ref(), argument, value)
                        {
                            return refuse("another argument is passed");
                        }
                        names.insert(parameter, target);
                    }
                    passed = true;
                }
                StatementKind::Havoc(found) if !arbitrary.is_empty() => {
                    let mut rest = arbitrary.iter();
                    let mut chosen = Vec::new();
                    for &copy in found {
                        let fits = |variable: &&Variable| {
                            let (data, own) =
                                (&watched.variables[**variable], &self.pair.product.variables[copy]);
                            let named = own.name.strip_prefix(data.name.as_str());
                            data.ty == own.ty && named.is_some_and(|rest| rest.starts_with('#'))
                        };
                        match rest.find(fits) {
                            Some(&variable) if self.is_free(&place.frames, &names, copy) => {
                                names.insert(variable, copy);
                                chosen.push((variable, copy));
                            }
                            _ => break,
                        }
                    }
                    if chosen.len() < found.len() {
                        chosen.iter().for_each(|(variable, _)| {
                            names.remove(variable);
                        });
                        break;
                    }
                    let frame = self.frame(callee, names.clone(), &[]);
                    for (variable, copy) in chosen {
                        self.same_range(Some(&frame), variable, copy)?;
                    }
                    arbitrary.clear();
                }
                StatementKind::Assume(condition) => {
                    let frame = self.frame(callee, names.clone(), &[]);
                    let is_range = |parameter: &Variable| {
                        let data = &watched.variables[*parameter];
                        let clause = data.where_clause.filter(|_| data.is_established());
                        clause.is_some_and(|clause| self.same(Some(&frame), clause, *condition))
                    };
                    if !passed || !parameters.iter().any(is_range) {
                        break;
                    }
                }
                _ => break,
            }
            used += 1;
        }
        if !passed {
            return refuse("the arguments of a call are not passed");
        }
        if let Some(caller) = place.frames.last_mut() {
            caller.index += 1;
        }
        place.started = true;
        place.frames.push(self.frame(callee, names, results));
        Ok(used)
    }

    pub(super) fn frame(
        &self,
        procedure: Procedure,
        names: BTreeMap<Variable, Variable>,
        results: &[Variable],
    ) -> Frame {
        let results = results.to_vec();
        Frame { procedure, block: base::EntityRef::new(0), index: 0, names, results }
    }

    /// The results of the innermost call go to its caller.
    pub(super) fn leave(&self, place: &mut Place, found: &Statement) -> Result<(), Refusal> {
        let Some(frame) = place.frames.pop() else { return refuse("nothing to return from") };
        let StatementKind::Assign(pairs) = &found.kind else { return refuse("results are not passed on") };
        let given = &self.pair.watched.procedures[frame.procedure].results;
        if pairs.len() != frame.results.len() || given.len() != pairs.len() {
            return refuse("results are not passed on");
        }
        for ((result, &target), &(other, value)) in given.iter().zip(&frame.results).zip(pairs) {
            let is_it =
                |&name: &Variable| self.pair.product.expressions[value] == ir::ExprData::Variable(name);
            if !frame.names.get(result).is_some_and(is_it) {
                return refuse("another result is passed on");
            }
            self.write(&mut place.frames, target, other)?;
        }
        Ok(())
    }
}
