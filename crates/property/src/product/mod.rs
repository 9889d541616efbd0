//! The product of a program with a Büchi automaton, as a program whose infinite executions are the accepted ones.
//!
//! Calls are replaced by bodies ([`flatten`]), so that the product is one procedure. At a call of a procedure that observes, the automaton reads a letter: what is known of that procedure's calls, and the values of atomic
//! propositions, which are in variables. The automaton's state is part of the place where an execution is, and so is its stack, if it is
//! a nested word automaton: in a flat program the open calls are known at every place. When an
//! execution is over, its last letter is read for ever.
//!
//! *Recursion.* A procedure that calls itself has copies: one for every state of the automaton in which it may be called and for every way in which the call may
//! end ([`Promise`]). At a call it is guessed whether it returns, in which state, and whether the automaton makes an accepting move meanwhile; an execution ends where the guess was wrong.
//! Of an infinite execution those calls that do not return are the spine; only there accepting moves give the counter a new value, and so does a call with accepting moves that returns. Inside of
//! calls that return another counter becomes smaller in every round and at every call, and has an arbitrary value at the beginning: so there is no infinite execution there, and none
//! that returns is lost. Which states a call can end in is computed before ([`recursion`]).
//!
//! *Fairness.* A counter gets an arbitrary natural number at every accepting transition, and becomes smaller on every other
//! cycle, where executions end that find it zero. So an infinite execution takes accepting transitions infinitely often; and
//! an execution that does so is an infinite one of the product, if the counter gets the numbers that it needs.
//!
//! Where the automaton accepts everything and nothing can block the program, an execution is accepted whatever it does: it
//! need not be followed any more. So a bad prefix is all that a violated safety property needs.
//!
//! An execution whose further course is not known may do anything, so it goes on for ever and is accepted, by steps that are marked as
//! allowing too much: a proof has to show that no execution comes there, and an infinite run through there shows nothing.
//!
//! Linear in the product of both, without recursion; with it, times the states of the automaton.

mod recursion;

use crate::Unsupported;
use crate::flatten::{Flat, flatten, flatten_copy};
use crate::ltl::{Automaton, Transition};
use base::{EntityRef, EntitySet, PrimaryMap, SecondaryMap, Span};
use ir::{
    BinaryOp, Block, BlockData, Body, Expr, Mark, Procedure, ProcedureData, Program, Statement,
    StatementKind, Transfer, Type, Variable, VariableKind,
};
use recursion::{Recursion, unbalanced};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// More blocks than this are too many.
const MOST_BLOCKS: usize = 50_000;

/// What observes a program.
pub trait Observer {
    /// What a call of a procedure is as a letter; none if the automaton does not read there.
    fn letter(&self, procedure: Procedure) -> Option<Letter>;
    /// The procedure whose letter is read for ever when an execution is over.
    fn last(&self) -> Procedure;
    /// Whether a letter is the return from a call, which takes from the stack what the call has left there.
    fn is_return(&self, letter: Procedure) -> bool;
    /// The moves of the automaton at a letter.
    fn moves(&self, from: &Memory, letter: Procedure) -> Vec<Move>;
    /// Whether the automaton accepts everything from there on, and every execution of the program can go on for ever, because nothing
    /// blocks it.
    fn accepts_all(&self, memory: &Memory) -> bool;
}

/// A letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Letter {
    /// Its atoms get their values by the call.
    Evaluates,
    /// Its atoms have their values already.
    Marks,
}

/// The state of an automaton and its stack.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Memory {
    /// The state; it begins in 0.
    pub state: usize,
    /// What open calls have left.
    pub stack: Vec<usize>,
}

/// A move of an automaton.
#[derive(Clone, Debug)]
pub struct Move {
    /// Formulas, and whether they have to hold.
    pub guard: Vec<(Expr, bool)>,
    /// What comes of it.
    pub to: Memory,
    /// Whether it is an accepting one.
    pub accepting: bool,
}

/// The automaton of a formula of LTL, which reads the values of propositions at the calls of one procedure.
pub struct Propositions<'a> {
    /// Where it reads.
    pub procedure: Procedure,
    /// How.
    pub letter: Letter,
    /// For each proposition the formula that says whether it holds.
    pub atoms: Vec<Expr>,
    /// Whether nothing blocks executions of the program.
    pub never_blocks: bool,
    /// The automaton.
    pub automaton: &'a Automaton,
}

impl Observer for Propositions<'_> {
    fn letter(&self, procedure: Procedure) -> Option<Letter> {
        (procedure == self.procedure).then_some(self.letter)
    }

    fn last(&self) -> Procedure {
        self.procedure
    }

    fn is_return(&self, _: Procedure) -> bool {
        false
    }

    fn moves(&self, from: &Memory, _: Procedure) -> Vec<Move> {
        let one = |one: &Transition| Move {
            guard: one.guard.iter().map(|&(atom, holds)| (self.atoms[atom], holds)).collect(),
            to: Memory { state: one.target, stack: Vec::new() },
            accepting: one.accepting,
        };
        self.automaton.transitions[from.state].iter().map(one).collect()
    }

    fn accepts_all(&self, memory: &Memory) -> bool {
        let all = |one: &Transition| one.accepting && one.guard.is_empty() && one.target == memory.state;
        self.never_blocks && self.automaton.transitions[memory.state].iter().any(all)
    }
}

/// How a call ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Promise {
    /// It does not return.
    Never,
    /// It returns.
    Returns(Exit),
}

/// How the automaton comes back from a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Exit {
    /// The state in which it is then.
    pub state: usize,
    /// Whether it has made an accepting move meanwhile.
    pub accepting: bool,
}

/// A copy of a procedure: the procedure, the state in which it is called, and how the call ends.
type Copy = (Procedure, usize, Promise);

/// A place of a flat procedure with the memory of the automaton, and whether it has made an accepting move; that is known only where a call returns.
type State = (Block, usize, Memory, bool);

/// What became of a program.
pub struct Product {
    /// The state in which the automaton is in each block, so that executions can name it; none where it does not matter any more.
    pub states: BTreeMap<(Procedure, Block), usize>,
    /// What variables are copies of.
    pub copies: FxHashMap<Variable, Variable>,
}

/// Makes the product of the executions that begin with `start` the body of `into`, which becomes the only procedure that executions begin with. The automaton reads at the
/// calls of `letters`.
pub fn product(
    program: &mut Program,
    (start, into): (Procedure, Procedure),
    letters: &BTreeSet<Procedure>,
    observer: &dyn Observer,
) -> Result<Product, Unsupported> {
    let span = program.procedures[into].span;
    let recursion = Recursion::of(program, start, letters, observer)?;
    let mut counter = |name: &str| {
        let counter = program.new_variable(name, Type::INT, VariableKind::Global, span);
        program.globals.push(counter);
        counter
    };
    let rounds = counter("rounds#");
    let inside = if recursion.is_empty() { rounds } else { counter("inside#") };
    let kept: BTreeSet<Procedure> = letters.iter().chain(&recursion.procedures).copied().collect();
    let mut whole = Whole {
        observer,
        recursion: &recursion,
        rounds,
        inside,
        copies: BTreeMap::new(),
        pending: Vec::new(),
        blocks: 0,
        states: BTreeMap::new(),
        variables: FxHashMap::default(),
        span,
    };
    let flat = flatten(program, start, into, &kept)?;
    whole.body(program, (into, &flat), Part::Start)?;
    while let Some(((procedure, state, promise), copy)) = whole.pending.pop() {
        let flat = flatten_copy(program, procedure, copy, &kept)?;
        whole.body(program, (copy, &flat), Part::Copy(state, promise))?;
    }
    let Whole { copies, states, variables, .. } = whole;
    for procedure in copies.values().copied().chain([into]) {
        program.procedures[procedure].modifies = program.globals.clone();
    }
    program.chosen = Some(vec![into]);
    Ok(Product { states, copies: variables })
}

/// What a procedure of the product is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Where executions begin.
    Start,
    /// A copy of a procedure, for the state in which it is called.
    Copy(usize, Promise),
}

impl Part {
    /// How it returns, if it does.
    fn exit(self) -> Option<Exit> {
        match self {
            Part::Copy(_, Promise::Returns(exit)) => Some(exit),
            _ => None,
        }
    }
}

/// The product in the making.
struct Whole<'a> {
    observer: &'a dyn Observer,
    recursion: &'a Recursion,
    /// What counts where calls do not return.
    rounds: Variable,
    /// What counts where they do.
    inside: Variable,
    copies: BTreeMap<Copy, Procedure>,
    /// Copies without a body.
    pending: Vec<(Copy, Procedure)>,
    /// How many blocks there are.
    blocks: usize,
    states: BTreeMap<(Procedure, Block), usize>,
    variables: FxHashMap<Variable, Variable>,
    span: Span,
}

impl Whole<'_> {
    /// Makes the body of a procedure of the product.
    fn body(
        &mut self,
        program: &mut Program,
        (into, flat): (Procedure, &Flat),
        part: Part,
    ) -> Result<(), Unsupported> {
        let (rounds, span) = (self.rounds, self.span);
        let counter = if part.exit().is_some() { self.inside } else { rounds };
        let mut maker = Maker {
            whole: self,
            program,
            flat,
            part,
            blocks: PrimaryMap::new(),
            numbers: BTreeMap::new(),
            states: BTreeMap::new(),
            pending: Vec::new(),
            sink: None,
            unknown: None,
            accepting: EntitySet::new(),
        };
        maker.make()?;
        let Maker { mut blocks, accepting, states, .. } = maker;
        let counted = count_rounds(program, &mut blocks, &accepting, counter, span);
        if !counted && self.recursion.is_empty() {
            // Without anything to count there is nothing to choose.
            for block in blocks.values_mut() {
                block.statements.retain(|statement| {
                    !matches!(&statement.kind, StatementKind::Havoc(variables) if variables[..] == [rounds])
                });
            }
        }
        self.blocks += blocks.len();
        self.states.extend(states.into_iter().map(|(block, state)| ((into, block), state)));
        self.variables.extend(&flat.copies);
        let mut locals = flat.body.locals.clone();
        locals.dedup();
        program.procedures[into].body = Some(Body { locals, blocks });
        Ok(())
    }

    /// The copy of a procedure for a state in which it is called and a way in which the call ends.
    fn copy(&mut self, program: &mut Program, key: Copy) -> Procedure {
        if let Some(&copy) = self.copies.get(&key) {
            return copy;
        }
        let (procedure, state, promise) = key;
        let name = &program.procedures[procedure].name;
        let name = match promise {
            Promise::Never => format!("{name}#{state}#never"),
            Promise::Returns(Exit { state: then, accepting: false }) => format!("{name}#{state}#{then}"),
            Promise::Returns(Exit { state: then, accepting: true }) => format!("{name}#{state}#{then}'"),
        };
        let span = program.procedures[procedure].span;
        let copy = program.procedures.push(ProcedureData::named(name, span));
        self.copies.insert(key, copy);
        self.pending.push((key, copy));
        copy
    }
}

struct Maker<'a, 'w> {
    whole: &'a mut Whole<'w>,
    program: &'a mut Program,
    flat: &'a Flat,
    part: Part,
    blocks: PrimaryMap<Block, BlockData>,
    numbers: BTreeMap<State, Block>,
    /// The automaton's state in each block.
    states: BTreeMap<Block, usize>,
    pending: Vec<State>,
    sink: Option<Block>,
    unknown: Option<Block>,
    /// The blocks of accepting transitions.
    accepting: EntitySet<Block>,
}

impl Maker<'_, '_> {
    fn block(&mut self) -> Block {
        let number = self.blocks.len();
        self.blocks.push(BlockData {
            label: format!("product{number}"),
            statements: Vec::new(),
            transfer: Transfer::Return,
            transfer_span: self.whole.span,
        })
    }

    /// The block of a state that a move leads to.
    fn moved(&mut self, state: State) -> Block {
        // Only behind a letter may the program be left alone: an execution has to come to its first one. A call that returns is followed until it does.
        let is_over = state.0 != self.flat.unknown
            && self.part.exit().is_none()
            && self.whole.observer.accepts_all(&state.2);
        if is_over { self.sink() } else { self.state(state) }
    }

    /// The block of a state.
    fn state(&mut self, state: State) -> Block {
        if let Some(&block) = self.numbers.get(&state) {
            return block;
        }
        if state.0 == self.flat.unknown {
            return self.unknown();
        }
        let block = self.block();
        self.states.insert(block, state.2.state);
        self.numbers.insert(state.clone(), block);
        self.pending.push(state);
        block
    }

    /// Where executions are that go on for ever and are accepted whatever they do.
    fn sink(&mut self) -> Block {
        if let Some(sink) = self.sink {
            return sink;
        }
        let sink = self.block();
        self.blocks[sink].transfer = Transfer::Goto(vec![sink]);
        self.accepting.insert(sink);
        self.sink = Some(sink);
        sink
    }

    /// Where executions are whose further course is not known. A call that is known to return does not come there.
    fn unknown(&mut self) -> Block {
        if let Some(unknown) = self.unknown {
            return unknown;
        }
        let unknown = self.block();
        let span = self.whole.span;
        if self.part.exit().is_some() {
            self.stop(unknown, span);
        } else {
            let kind = StatementKind::Assume(self.program.bool(true, span));
            let attributes = vec![Mark::Overapproximation.attribute(Vec::new())];
            self.blocks[unknown].statements.push(Statement { kind, span, attributes });
            self.blocks[unknown].transfer = Transfer::Goto(vec![unknown]);
            self.accepting.insert(unknown);
        }
        self.unknown = Some(unknown);
        unknown
    }

    fn make(&mut self) -> Result<(), Unsupported> {
        let state = match self.part {
            Part::Start => 0,
            Part::Copy(state, _) => state,
        };
        self.state((Block::new(0), 0, Memory { state, stack: Vec::new() }, false));
        while let Some(state) = self.pending.pop() {
            if self.whole.blocks + self.blocks.len() > MOST_BLOCKS {
                return Err(Unsupported("a temporal property with so large a product".to_owned()));
            }
            self.expand(state)?;
        }
        Ok(())
    }

    fn expand(&mut self, state: State) -> Result<(), Unsupported> {
        let number = self.numbers[&state];
        let (block, first, memory, seen) = state;
        let data = &self.flat.body.blocks[block];
        for (index, statement) in data.statements.iter().enumerate().skip(first) {
            let mut letter = None;
            if let StatementKind::Call { procedure, arguments, results } = &statement.kind {
                letter = self.whole.observer.letter(*procedure).map(|letter| (*procedure, letter));
                if letter.is_none() && self.whole.recursion.procedures.contains(procedure) {
                    let call = (*procedure, &arguments[..], &results[..]);
                    self.call((number, call), (block, index + 1), (&memory, seen), statement.span);
                    return Ok(());
                }
            }
            if !matches!(letter, Some((_, Letter::Marks))) {
                self.blocks[number].statements.push(statement.clone());
            }
            if let Some((procedure, _)) = letter {
                if self.part != Part::Start
                    && self.whole.observer.is_return(procedure)
                    && memory.stack.is_empty()
                {
                    return Err(unbalanced());
                }
                self.read((number, procedure), (block, index + 1), (&memory, seen), statement.span);
                return Ok(());
            }
        }
        if block == self.flat.end {
            return self.end(number, (&memory, seen));
        }
        let (transfer, span) = (data.transfer.clone(), data.transfer_span);
        let mut go = |target: Block| self.state((target, 0, memory.clone(), seen));
        let transfer = match transfer {
            Transfer::Goto(targets) => Transfer::Goto(targets.into_iter().map(&mut go).collect()),
            Transfer::Branch { condition, then, otherwise } => {
                Transfer::Branch { condition, then: go(then), otherwise: go(otherwise) }
            }
            Transfer::Return => Transfer::Return,
        };
        self.blocks[number].transfer = transfer;
        self.blocks[number].transfer_span = span;
        Ok(())
    }

    /// The end of an execution, where the last letter is read again and again, or of a call.
    fn end(&mut self, at: Block, (memory, seen): (&Memory, bool)) -> Result<(), Unsupported> {
        let span = self.whole.span;
        if let Part::Copy(..) = self.part {
            if !memory.stack.is_empty() {
                return Err(unbalanced());
            }
            if self.part.exit() != Some(Exit { state: memory.state, accepting: seen }) {
                self.stop(at, span);
            }
            return Ok(());
        }
        let procedure = self.whole.observer.last();
        if self.whole.observer.letter(procedure) == Some(Letter::Evaluates) {
            let kind = StatementKind::Call { procedure, arguments: Vec::new(), results: Vec::new() };
            self.blocks[at].statements.push(Statement { kind, span, attributes: Vec::new() });
        }
        self.read((at, procedure), (self.flat.end, 0), (memory, seen), span);
        Ok(())
    }

    /// No execution goes on behind a block.
    fn stop(&mut self, at: Block, span: Span) {
        let kind = StatementKind::Assume(self.program.bool(false, span));
        self.blocks[at].statements.push(Statement { kind, span, attributes: Vec::new() });
        self.blocks[at].transfer = Transfer::Return;
        self.blocks[at].transfer_span = span;
    }

    /// All ways out of a block, if there are any.
    fn choose(&mut self, at: Block, ways: Vec<Block>, span: Span) {
        if ways.is_empty() {
            self.stop(at, span);
        } else {
            self.blocks[at].transfer = Transfer::Goto(ways);
            self.blocks[at].transfer_span = span;
        }
    }

    /// A procedure that calls itself is called at the end of a block: one way for each guess how the call ends.
    fn call(
        &mut self,
        (at, (procedure, arguments, results)): (Block, (Procedure, &[Expr], &[Variable])),
        (block, index): (Block, usize),
        (memory, seen): (&Memory, bool),
        span: Span,
    ) {
        let returns = self.part.exit().is_some();
        let exits = self.whole.recursion.exits(procedure, memory.state);
        let never = (!returns).then_some(Promise::Never);
        let mut ways = Vec::new();
        for promise in never.into_iter().chain(exits.into_iter().map(Promise::Returns)) {
            let way = self.block();
            ways.push(way);
            self.blocks[way].label = format!("call{}", self.blocks.len());
            self.blocks[way].transfer_span = span;
            self.states.insert(way, memory.state);
            let copy = self.whole.copy(self.program, (procedure, memory.state, promise));
            let (rounds, inside) = (self.whole.rounds, self.whole.inside);
            let mut kinds = Vec::new();
            match promise {
                Promise::Never => kinds.extend(count(self.program, rounds, span)),
                Promise::Returns(_) if returns => kinds.extend(count(self.program, inside, span)),
                Promise::Returns(exit) => {
                    kinds.push(StatementKind::Havoc(vec![inside]));
                    if exit.accepting {
                        kinds.push(StatementKind::Havoc(vec![rounds]));
                        self.accepting.insert(way);
                    }
                }
            }
            let (arguments, results) = (arguments.to_vec(), results.to_vec());
            kinds.push(StatementKind::Call { procedure: copy, arguments, results });
            let statement = |kind| Statement { kind, span, attributes: Vec::new() };
            self.blocks[way].statements = kinds.into_iter().map(statement).collect();
            match promise {
                Promise::Never => self.stop(way, span),
                Promise::Returns(exit) => {
                    let memory = Memory { state: exit.state, stack: memory.stack.clone() };
                    let next = self.state((block, index, memory, returns && (seen || exit.accepting)));
                    self.blocks[way].transfer = Transfer::Goto(vec![next]);
                }
            }
        }
        self.choose(at, ways, span);
    }

    /// The automaton reads a letter at the end of a block; executions go on at a place of the flat program.
    fn read(
        &mut self,
        (at, letter): (Block, Procedure),
        (block, index): (Block, usize),
        (memory, seen): (&Memory, bool),
        span: Span,
    ) {
        let returns = self.part.exit().is_some();
        let mut ways = Vec::new();
        for one in self.whole.observer.moves(memory, letter) {
            let way = self.block();
            self.states.insert(way, one.to.state);
            self.blocks[way].label = format!("move{}", self.blocks.len());
            ways.push(way);
            let statement = |kind| Statement { kind, span, attributes: Vec::new() };
            let mut statements = Vec::new();
            for &(value, holds) in &one.guard {
                let condition = if holds { value } else { self.program.not(value, span) };
                statements.push(statement(StatementKind::Assume(condition)));
            }
            if one.accepting && !returns {
                self.accepting.insert(way);
                statements.push(statement(StatementKind::Havoc(vec![self.whole.rounds])));
            }
            let next = self.moved((block, index, one.to, returns && (seen || one.accepting)));
            self.blocks[way].statements = statements;
            self.blocks[way].transfer = Transfer::Goto(vec![next]);
            self.blocks[way].transfer_span = span;
        }
        self.choose(at, ways, span);
    }
}

/// What makes a counter smaller, and ends executions that find it zero.
fn count(program: &mut Program, counter: Variable, span: Span) -> [StatementKind; 2] {
    let (zero, one) = (program.int(0, span), program.int(1, span));
    let value = program.variable(counter, span);
    let positive = program.binary(BinaryOp::Less, zero, value, span);
    let less = program.binary(BinaryOp::Subtract, value, one, span);
    [StatementKind::Assume(positive), StatementKind::Assign(vec![(counter, less)])]
}

/// Counts on every cycle without an accepting transition; whether there is one.
fn count_rounds(
    program: &mut Program,
    blocks: &mut PrimaryMap<Block, BlockData>,
    accepting: &EntitySet<Block>,
    rounds: Variable,
    span: Span,
) -> bool {
    let heads = heads(blocks, accepting);
    for &head in &heads {
        let statement = |kind| Statement { kind, span, attributes: Vec::new() };
        let count = count(program, rounds, span);
        blocks[head].statements.splice(0..0, count.map(statement));
    }
    !heads.is_empty()
}

/// The targets of edges that lead back, in the graph without accepting blocks: every cycle of it passes one.
fn heads(blocks: &PrimaryMap<Block, BlockData>, accepting: &EntitySet<Block>) -> Vec<Block> {
    #[derive(Clone, Copy, PartialEq, Default)]
    enum Visit {
        #[default]
        New,
        Open,
        Done,
    }
    let mut visits: SecondaryMap<Block, Visit> = SecondaryMap::new();
    let mut heads: EntitySet<Block> = EntitySet::new();
    let successors = |block: Block| -> Vec<Block> {
        blocks[block].transfer.successors().filter(|&next| !accepting.contains(next)).collect()
    };
    for root in blocks.keys().filter(|&block| !accepting.contains(block)) {
        if visits[root] != Visit::New {
            continue;
        }
        visits[root] = Visit::Open;
        let mut path = vec![(root, successors(root))];
        while let Some((block, rest)) = path.last_mut() {
            match rest.pop() {
                Some(next) if visits[next] == Visit::New => {
                    visits[next] = Visit::Open;
                    path.push((next, successors(next)));
                }
                Some(next) => {
                    if visits[next] == Visit::Open {
                        heads.insert(next);
                    }
                }
                None => {
                    visits[*block] = Visit::Done;
                    path.pop();
                }
            }
        }
    }
    blocks.keys().filter(|&block| heads.contains(block)).collect()
}
