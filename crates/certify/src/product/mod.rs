//! That a program is the product of another one with a Büchi automaton.
//!
//! A proof about a temporal property is one about a product. Who makes it is not trusted: it is walked through here together with the
//! program that is watched, step by step, and every step must be one of that program, paired with moves of the automaton where a letter is
//! read. The two ways of reading that:
//!
//! * *nothing is lost*: wherever an execution of the watched program goes and whatever move the automaton makes, the product has a way for it. The
//!   counter of rounds, which ends executions, gets an arbitrary value at the beginning and at every accepting move, so an execution with infinitely many
//!   of them never has to end. So a proof that all executions of the product end is one that no execution of the program is accepted;
//! * *nothing is added*: the product has no other steps, and every round of it without an accepting move makes the counter smaller. So an infinite
//!   execution of the product is one of the program that is accepted. Where the automaton accepts everything, the product need not follow the program any more, if nothing
//!   can block that; and where nothing is known about the program, the product has a marked step, which no evidence may pass.
//!
//! The walk has a place of the watched program, with its open calls, for each block of the product. Names of variables and labels of blocks are taken as
//! hints: a wrong one leads to a refusal.
//!
//! A procedure that calls itself has copies ([`copies`]), for the states in which it is called and the ways in which its calls end; each of them is walked through by itself.
//!
//! What is taken as it comes: the calls at which letters are read, and the automaton itself.
//!
//! Linear in the product, times the depth of calls.

mod arrivals;
mod copies;
mod locals;
pub mod observed;
mod same;
mod walk;

use crate::Refusal;
use arrivals::Arrivals;
use base::{EntityRef, EntitySet};
use copies::{Copies, Part};
use ir::{
    AttributeArgument, BinaryOp, Block, Body, Expr, ExprData, Procedure, ProcedureData, Program, Statement,
    StatementKind, Transfer, Type, UnaryOp, Variable, VariableKind,
};
use locals::new_locals;
use same::Pair;
use std::collections::{BTreeMap, BTreeSet};
use walk::{Next, Place, Walk, blocks_of, refuse};

/// What a move reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read {
    /// A position that is neither a call nor a return.
    Internal,
    /// A call, which leaves a number on the stack.
    Call(usize),
    /// The return from a call that has left this number.
    Return(usize),
}

/// The kinds of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Neither a call nor a return.
    Internal,
    /// A call.
    Call,
    /// A return.
    Return,
}

/// What is known of an atom at a letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atom {
    /// Its value.
    Known(bool),
    /// The variable in which its value is.
    In(Variable),
}

/// A procedure at whose calls the automaton reads a letter.
#[derive(Clone, Debug)]
pub struct Letter {
    /// The procedure.
    pub procedure: Procedure,
    /// What kind of position it is.
    pub kind: Kind,
    /// Whether the procedure gives the variables of the atoms their values. Otherwise they have them already, and the procedure does nothing.
    pub evaluates: bool,
    /// The atoms.
    pub atoms: Vec<Atom>,
}

/// A move of an automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// What kind of position it reads.
    pub read: Read,
    /// What a letter must satisfy: atoms by their numbers, and whether they hold.
    pub guard: Vec<(usize, bool)>,
    /// The state after it.
    pub to: usize,
    /// Whether it is an accepting one.
    pub accepting: bool,
}

/// A program that a Büchi automaton watches. An execution is accepted if the automaton can make infinitely many accepting moves, from state 0 on.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The program.
    pub program: Program,
    /// Where its executions begin.
    pub start: Procedure,
    /// Where letters are read.
    pub letters: Vec<Letter>,
    /// The letter, by its number, that is read for ever when an execution is over.
    pub last: usize,
    /// The moves of each state of the automaton.
    pub moves: Vec<Vec<Move>>,
    /// Whether nothing blocks the program, so that each of its executions can go on for ever.
    pub never_blocks: bool,
}

/// Whether a statement is an assertion that says where a front end has given up, or where a condition of the property has no value.
fn gives_up(statement: &Statement) -> bool {
    let says_so = |attribute: &ir::Attribute| {
        attribute.name == "property"
            && matches!(attribute.arguments.first(), Some(AttributeArgument::Text(text)) if ["unknown: ", "observer: "].iter().any(|word| text.starts_with(word)))
    };
    matches!(statement.kind, StatementKind::Assert(..)) && statement.attributes.iter().any(says_so)
}

/// Checks that a program is the product of a watched one with its automaton.
pub fn check_product(watched: &Watched, product: &Program) -> Result<(), Refusal> {
    same_declarations(&watched.program, product, |one, other| one == other)?;
    let Some([into]) = product.chosen.as_deref() else { return refuse("it begins at several places") };
    let data = &product.procedures[*into];
    let (Some(body), true, true) = (&data.body, data.requires.is_empty(), data.parameters.is_empty()) else {
        return refuse("it begins with a procedure that asks for something");
    };
    let letters: BTreeMap<Procedure, usize> =
        watched.letters.iter().enumerate().map(|(number, it)| (it.procedure, number)).collect();
    let recursive = copies::recursive(&watched.program, &letters);
    let new = &product.globals[watched.program.globals.len()..];
    let counters = match *new {
        [rounds] if recursive.is_empty() => (rounds, rounds),
        [rounds, inside] if !recursive.is_empty() => (rounds, inside),
        _ => return refuse("it has other variables than counters of rounds"),
    };
    let has_all_values = |counter: &Variable| {
        let data = &product.variables[*counter];
        data.ty == Type::INT
            && data.where_clause.is_none()
            && data.kind == VariableKind::Global
            && counter.index() >= watched.program.variables.len()
    };
    if !new.iter().all(has_all_values) || (counters.0 == counters.1) != recursive.is_empty() {
        return refuse("its counter of rounds has not all values");
    }
    new_locals((&watched.program, product), *into, &body.locals)?;
    let mut all = Copies::default();
    let parts = Parts { watched, product, letters: &letters, recursive: &recursive, counters };
    parts.check((*into, body), Part::Start, &mut all)?;
    while let Some((copy, key)) = all.next() {
        let body = copies::body(&parts, copy, key)?;
        parts.check((copy, body), Part::Copy(key), &mut all)?;
    }
    all.are_enough()
}

/// What the parts of a product have in common.
struct Parts<'a> {
    watched: &'a Watched,
    product: &'a Program,
    letters: &'a BTreeMap<Procedure, usize>,
    recursive: &'a BTreeSet<Procedure>,
    /// What counts rounds where calls do not return, and where they do.
    counters: (Variable, Variable),
}

impl<'a> Parts<'a> {
    fn walk(&self, into: Procedure, is_copy: bool) -> Walk<'a> {
        let &Parts { watched, product, letters, recursive, .. } = self;
        Walk {
            pair: Pair { watched: &watched.program, product },
            letters: letters.clone(),
            last: watched.last,
            start: watched.start,
            into,
            inlined: None,
            recursive,
            is_copy,
            most: blocks_of(&watched.program),
        }
    }

    /// Walks through a procedure of the product.
    fn check(
        &self,
        (into, body): (Procedure, &'a Body),
        part: Part,
        copies: &mut Copies,
    ) -> Result<(), Refusal> {
        let (rounds, inside) = self.counters;
        let counter = if part.returns() { inside } else { rounds };
        let mut check = Check {
            walk: self.walk(into, part != Part::Start),
            watched: self.watched,
            body,
            part,
            rounds,
            inside,
            counter,
            copies,
            arrivals: Arrivals::new(body),
            counted: EntitySet::new(),
            accepting: EntitySet::new(),
            resets: EntitySet::new(),
        };
        check.run()
    }
}

/// That the product has all declarations of the watched program; `is_same` compares procedures.
fn same_declarations(
    watched: &Program,
    product: &Program,
    is_same: impl Fn(&ProcedureData, &ProcedureData) -> bool,
) -> Result<(), Refusal> {
    let begins =
        |holds: bool, what: &str| if holds { Ok(()) } else { refuse(format!("it has other {what}")) };
    let nodes = watched.expressions.iter().zip(product.expressions.iter());
    begins(
        watched.expressions.len() <= product.expressions.len()
            && nodes.into_iter().all(|(one, other)| one.1 == other.1),
        "expressions",
    )?;
    let variables = watched.variables.values().zip(product.variables.values());
    begins(
        watched.variables.len() <= product.variables.len()
            && variables.into_iter().all(|(one, other)| one == other),
        "variables",
    )?;
    begins(
        product.globals.starts_with(&watched.globals) && watched.constants == product.constants,
        "globals",
    )?;
    let functions = watched.functions.values().zip(product.functions.values());
    begins(
        watched.functions.len() == product.functions.len()
            && functions.into_iter().all(|(one, other)| one == other),
        "functions",
    )?;
    begins(watched.axioms == product.axioms, "axioms")?;
    let procedures = watched.procedures.values().zip(product.procedures.values());
    begins(
        watched.procedures.len() <= product.procedures.len()
            && procedures.into_iter().all(|(one, other)| is_same(one, other)),
        "procedures",
    )
}

struct Check<'a, 'c> {
    walk: Walk<'a>,
    watched: &'a Watched,
    body: &'a Body,
    /// What the procedure of the product is.
    part: Part,
    /// What counts rounds where calls do not return.
    rounds: Variable,
    /// What counts them where calls return.
    inside: Variable,
    /// The one that counts here.
    counter: Variable,
    copies: &'c mut Copies,
    arrivals: Arrivals<'a>,
    /// The blocks that make the counter smaller.
    counted: EntitySet<Block>,
    /// The blocks that are accepting moves, or go on for ever and are accepted.
    accepting: EntitySet<Block>,
    /// Those of them that give the counter a new value.
    resets: EntitySet<Block>,
}

impl Check<'_, '_> {
    fn run(&mut self) -> Result<(), Refusal> {
        let silent = |letter: &&Letter| !letter.evaluates;
        if !self.watched.letters.iter().filter(silent).all(|letter| self.does_nothing(letter.procedure)) {
            return refuse("a letter does something");
        }
        let first = self.first_place()?;
        self.arrivals.arrive(&self.walk, self.body.entry(), first)?;
        while let Some((block, place)) = self.arrivals.next() {
            self.block(block, place)?;
        }
        self.arrivals.never_go_round()?;
        let mut moves = self.accepting.iter().filter(|&block| self.is_move(block));
        let something_counts = !self.walk.recursive.is_empty() || self.counted.iter().next().is_some();
        if something_counts && !moves.all(|block| self.resets.contains(block)) {
            return refuse("an accepting move leaves the counter as it is");
        }
        self.no_free_rounds()
    }

    /// Whether a procedure has no effect.
    fn does_nothing(&self, procedure: Procedure) -> bool {
        let data = &self.walk.pair.watched.procedures[procedure];
        let is_empty =
            |block: &ir::BlockData| block.statements.is_empty() && block.transfer == Transfer::Return;
        data.results.is_empty()
            && data
                .body
                .as_ref()
                .is_some_and(|body| body.blocks.len() == 1 && body.blocks.values().all(is_empty))
    }

    /// The moves of the automaton that fit what is known of a letter, with what of their guards is not known.
    fn fitting(&self, place: &Place, letter: usize) -> Vec<Move> {
        let letter = &self.watched.letters[letter];
        let fits = |one: &&Move| {
            let reads = match (letter.kind, one.read) {
                (Kind::Internal, Read::Internal) | (Kind::Call, Read::Call(_)) => true,
                (Kind::Return, Read::Return(context)) => place.stack.last() == Some(&context),
                _ => false,
            };
            let no = |&(atom, wanted): &(usize, bool)| letter.atoms[atom] == Atom::Known(!wanted);
            reads && !one.guard.iter().any(no)
        };
        let open = |one: &Move| {
            let is_open = |(atom, _): &&(usize, bool)| matches!(letter.atoms[*atom], Atom::In(_));
            Move { guard: one.guard.iter().filter(is_open).copied().collect(), ..one.clone() }
        };
        self.watched.moves[place.state].iter().filter(fits).map(open).collect()
    }

    fn is_move(&self, block: Block) -> bool {
        !self.body.blocks[block].transfer.successors().any(|next| next == block)
    }

    /// Every round without an accepting move is counted.
    fn no_free_rounds(&self) -> Result<(), Refusal> {
        let free = |block: &Block| !self.accepting.contains(*block) && !self.counted.contains(*block);
        let blocks: Vec<Block> = self.body.blocks.keys().filter(free).collect();
        let mut waits: BTreeMap<Block, usize> = BTreeMap::new();
        for &block in &blocks {
            waits.entry(block).or_insert(0);
            for next in self.body.blocks[block].transfer.successors().filter(free) {
                *waits.entry(next).or_insert(0) += 1;
            }
        }
        // The blocks are taken in an order in which all edges lead forward, if there is one.
        let mut ready: Vec<Block> = blocks.iter().copied().filter(|block| waits[block] == 0).collect();
        let mut taken = 0;
        while let Some(block) = ready.pop() {
            taken += 1;
            for next in self.body.blocks[block].transfer.successors().filter(free) {
                if let Some(count) = waits.get_mut(&next) {
                    *count -= 1;
                    if *count == 0 {
                        ready.push(next);
                    }
                }
            }
        }
        if taken == blocks.len() {
            Ok(())
        } else {
            refuse("a round without an accepting move is not counted")
        }
    }

    /// Whether statements begin with counting a round.
    fn counts(&self, statements: &[Statement]) -> bool {
        let product = self.walk.pair.product;
        let [first, second, ..] = statements else { return false };
        let (StatementKind::Assume(positive), StatementKind::Assign(pairs)) = (&first.kind, &second.kind)
        else {
            return false;
        };
        let is_int = |expr: Expr, value: i64| product.expressions[expr] == ExprData::Int(value.into());
        let is_rounds = |expr: Expr| product.expressions[expr] == ExprData::Variable(self.counter);
        let &[(target, less)] = &pairs[..] else { return false };
        let is_positive = matches!(product.expressions[*positive], ExprData::Binary(BinaryOp::Less, zero, value) if is_int(zero, 0) && is_rounds(value));
        let is_less = matches!(product.expressions[less], ExprData::Binary(BinaryOp::Subtract, value, one) if is_rounds(value) && is_int(one, 1));
        target == self.counter && is_positive && is_less
    }

    fn block(&mut self, block: Block, mut place: Place) -> Result<(), Refusal> {
        let data = &self.body.blocks[block];
        let mut rest = &data.statements[..];
        let mut goes_on = false;
        if self.counts(rest) {
            self.counted.insert(block);
            rest = &rest[2..];
        }
        let (mut ended, is_jump) =
            (false, matches!(&data.transfer, Transfer::Goto(targets) if targets.len() == 1));
        loop {
            self.walk.settle(&mut place);
            let next = self.walk.next(&place);
            match (&next, rest) {
                (Next::Start, _) => {
                    let used = self.walk.enter(&mut place, (self.walk.start, &[], &[]), rest)?;
                    rest = &rest[used..];
                }
                (Next::Enter { .. }, []) if is_jump => break,
                (Next::Enter { callee, arguments, results }, _) => {
                    let used = self.walk.enter(&mut place, (*callee, arguments, results), rest)?;
                    rest = &rest[used..];
                }
                (Next::Recursive { callee, .. }, [first])
                    if self.part.returns() && self.is_stop(first, &data.transfer) =>
                {
                    self.copies.never_returns(*callee, place.state);
                    return Ok(());
                }
                (Next::Recursive { .. }, [_, ..]) => {
                    return refuse("a statement where a procedure is called that calls itself");
                }
                (Next::Leave, [first]) if self.is_exit(&place) && self.is_stop(first, &data.transfer) => {
                    return self.exit(&place, false);
                }
                (Next::Leave, [_, ..]) if self.is_exit(&place) => {
                    return refuse("a statement where a procedure returns");
                }
                (Next::Letter(letter), [first, more @ ..]) => {
                    let moves = self.fitting(&place, *letter);
                    let data = &self.watched.letters[*letter];
                    match &first.kind {
                        StatementKind::Call { procedure, arguments, results }
                            if data.evaluates
                                && !place.evaluated
                                && *procedure == data.procedure
                                && arguments.is_empty()
                                && results.is_empty() =>
                        {
                            place.evaluated = true;
                        }
                        StatementKind::Assume(condition)
                            if moves.is_empty() && self.is_bool(*condition, false) && more.is_empty() =>
                        {
                            ended = true;
                            break;
                        }
                        _ => return refuse("a statement where a letter is read"),
                    }
                    rest = more;
                }
                (Next::Step(statement), [first, more @ ..]) if !gives_up(statement) => {
                    self.walk.step(&mut place, statement, first)?;
                    rest = more;
                }
                (Next::Leave, [first, more @ ..]) => {
                    self.walk.leave(&mut place, first)?;
                    rest = more;
                }
                (_, []) => break,
                _ => return refuse("a statement that the program does not have"),
            }
            goes_on = true;
        }
        if ended {
            return if data.transfer == Transfer::Return {
                Ok(())
            } else {
                refuse("it goes on where it ends")
            };
        }
        let next = self.walk.next(&place);
        self.transfer(block, place, next, goes_on)
    }

    fn is_bool(&self, expr: Expr, value: bool) -> bool {
        self.walk.pair.product.expressions[expr] == ExprData::Bool(value)
    }

    fn transfer(&mut self, block: Block, place: Place, next: Next<'_>, goes_on: bool) -> Result<(), Refusal> {
        let body = self.body;
        match (next, &body.blocks[block].transfer) {
            (Next::Letter(letter), Transfer::Goto(ways)) if self.is_labelled(ways[0], MOVE) => {
                self.moves(&place, letter, ways)
            }
            (Next::Recursive { callee, arguments, results }, Transfer::Goto(ways))
                if self.is_labelled(ways[0], CALL) =>
            {
                self.calls(&place, (callee, arguments, results), ways)
            }
            (Next::Leave, Transfer::Return) if self.is_exit(&place) => self.exit(&place, true),
            (Next::Step(statement), Transfer::Branch { condition, then, otherwise }) => {
                let StatementKind::Assert(_, wanted) = statement.kind else {
                    return refuse("another condition");
                };
                if !self.walk.same(place.frames.last(), wanted, *condition) {
                    return refuse("another condition");
                }
                let mut after = place;
                if let Some(frame) = after.frames.last_mut() {
                    frame.index += 1;
                }
                self.arrivals.arrive(&self.walk, *then, after)?;
                self.unknown(*otherwise)
            }
            _ => self.arrivals.leave(&self.walk, (block, place), goes_on),
        }
    }

    fn is_labelled(&self, block: Block, label: &str) -> bool {
        self.body.blocks[block].label.starts_with(label)
    }

    /// Where nothing is known any more, the product goes round for ever by a marked step.
    fn unknown(&mut self, block: Block) -> Result<(), Refusal> {
        let data = &self.body.blocks[block];
        if self.part.returns() {
            // A call that returns does not come here.
            return match &data.statements[..] {
                [only] if self.is_stop(only, &data.transfer) => Ok(()),
                _ => refuse("a call returns where nothing is known"),
            };
        }
        let is_marked = |statement: &Statement| ir::Mark::Overapproximation.is_in(&statement.attributes);
        match &data.statements[..] {
            [Statement { kind: StatementKind::Assume(condition), .. }]
                if self.is_bool(*condition, true)
                    && is_marked(&data.statements[0])
                    && data.transfer == Transfer::Goto(vec![block]) =>
            {
                self.accepting.insert(block);
                Ok(())
            }
            _ => refuse("an execution about which nothing is known is lost"),
        }
    }

    /// All moves of the automaton, one block for each.
    fn moves(&mut self, place: &Place, letter: usize, ways: &[Block]) -> Result<(), Refusal> {
        let watched = self.watched;
        let moves = self.fitting(place, letter);
        if self.part != Part::Start && watched.letters[letter].kind == Kind::Return && place.stack.is_empty()
        {
            return refuse("a return from a call before that of the procedure");
        }
        if moves.len() != ways.len() {
            return refuse("the automaton has other moves");
        }
        for (one, &way) in moves.iter().zip(ways) {
            let data = &self.body.blocks[way];
            let mut rest = &data.statements[..];
            if self.counts(rest) {
                self.counted.insert(way);
                rest = &rest[2..];
            }
            for &(atom, holds) in &one.guard {
                let [first, more @ ..] = rest else { return refuse("a move asks for less") };
                let StatementKind::Assume(condition) = first.kind else {
                    return refuse("a move asks for less");
                };
                if !self.is_literal(condition, (letter, atom), holds, place.evaluated) {
                    return refuse("a move asks for something else");
                }
                rest = more;
            }
            if one.accepting && !self.part.returns() {
                self.accepting.insert(way);
                if let [Statement { kind: StatementKind::Havoc(variables), .. }, more @ ..] = rest
                    && variables[..] == [self.rounds]
                {
                    self.resets.insert(way);
                    rest = more;
                }
            }
            let (true, Transfer::Goto(targets)) = (rest.is_empty(), &data.transfer) else {
                return refuse("a move does something else");
            };
            let &[next] = &targets[..] else { return refuse("a move leads to several places") };
            if watched.never_blocks && !self.part.returns() && self.accepts_all(one.to) && self.is_sink(next)
            {
                self.accepting.insert(next);
                continue;
            }
            let seen = self.part.returns() && (place.seen || one.accepting);
            let mut after = Place { state: one.to, evaluated: false, seen, ..place.clone() };
            match one.read {
                Read::Internal => {}
                Read::Call(context) => after.stack.push(context),
                Read::Return(_) => {
                    after.stack.pop();
                }
            }
            if let Some(frame) = after.frames.last_mut() {
                frame.index += 1;
            }
            self.arrivals.arrive(&self.walk, next, after)?;
        }
        Ok(())
    }

    /// Whether the automaton, which reads no calls, accepts everything from a state on.
    fn accepts_all(&self, state: usize) -> bool {
        let reads_calls = |letter: &Letter| letter.kind != Kind::Internal;
        if self.watched.letters.iter().any(reads_calls) {
            return false;
        }
        self.watched.moves[state].iter().any(|one| one.accepting && one.guard.is_empty() && one.to == state)
    }

    fn is_sink(&self, block: Block) -> bool {
        let data = &self.body.blocks[block];
        data.statements.is_empty() && data.transfer == Transfer::Goto(vec![block])
    }

    /// Whether a condition of the product says that an atom holds, or that it does not.
    fn is_literal(
        &self,
        condition: Expr,
        (letter, atom): (usize, usize),
        holds: bool,
        evaluated: bool,
    ) -> bool {
        let product = self.walk.pair.product;
        let condition = match (holds, &product.expressions[condition]) {
            (true, _) => condition,
            (false, ExprData::Unary(UnaryOp::Not, operand)) => *operand,
            (false, _) => return false,
        };
        let letter = &self.watched.letters[letter];
        let Some(&Atom::In(variable)) = letter.atoms.get(atom) else { return false };
        let is_one = |expr: Expr| product.expressions[expr] == ExprData::Int(1.into());
        if evaluated || !letter.evaluates {
            return match product.expressions[condition] {
                ExprData::Variable(found) => found == variable && product.ty(condition) == Type::BOOL,
                ExprData::Binary(BinaryOp::Equal, value, one) => {
                    is_one(one) && product.expressions[value] == ExprData::Variable(variable)
                }
                _ => false,
            };
        }
        let Some(value) = self.assigned(letter, variable) else { return false };
        let same = |one: Expr, other: Expr| self.walk.same(None, one, other);
        let watched = self.walk.pair.watched;
        if watched.ty(value) == Type::BOOL {
            return same(value, condition);
        }
        let int = |expr: Expr, value: i64| watched.expressions[expr] == ExprData::Int(value.into());
        match (&watched.expressions[value], &product.expressions[condition]) {
            (ExprData::Ite(wanted, one, zero), _) if int(*one, 1) && int(*zero, 0) => {
                same(*wanted, condition)
            }
            (_, ExprData::Binary(BinaryOp::Equal, found, one)) => {
                watched.ty(value) == Type::INT && is_one(*one) && same(value, *found)
            }
            _ => false,
        }
    }

    /// What the procedure that evaluates the atoms assigns to one of them, if it does nothing but assign values of global variables that it
    /// does not change: then conditions may stand where it would have been called.
    fn assigned(&self, letter: &Letter, atom: Variable) -> Option<Expr> {
        let program = self.walk.pair.watched;
        let body = program.procedures[letter.procedure].body.as_ref()?;
        let [block] = &body.blocks.values().collect::<Vec<_>>()[..] else { return None };
        let mut pairs: Vec<(Variable, Expr)> = Vec::new();
        for statement in &block.statements {
            let StatementKind::Assign(more) = &statement.kind else { return None };
            pairs.extend(more);
        }
        let targets: BTreeSet<Variable> = pairs.iter().map(|&(target, _)| target).collect();
        if targets.len() < pairs.len()
            || targets.iter().any(|&target| !letter.atoms.contains(&Atom::In(target)))
        {
            return None;
        }
        let parts = program.expressions.post_order(pairs.iter().map(|&(_, value)| value));
        let is_fixed = |part: Expr| match program.expressions[part] {
            ExprData::Variable(variable) => match program.variables[variable].kind {
                VariableKind::Global => !targets.contains(&variable),
                kind => matches!(kind, VariableKind::Constant { .. } | VariableKind::Bound),
            },
            _ => true,
        };
        let value = pairs.iter().find(|&&(target, _)| target == atom).map(|&(_, value)| value);
        value.filter(|_| parts.into_iter().all(is_fixed))
    }
}

/// How the labels of blocks begin that are moves of the automaton.
pub const MOVE: &str = "move";
/// How the labels of blocks begin that call a copy of a procedure.
const CALL: &str = "call";
