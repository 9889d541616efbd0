//! The product of a flat program with a Büchi automaton, as a program whose infinite executions are the accepted ones.
//!
//! At a call of a procedure that observes, the automaton reads a letter: what is known of that procedure's calls, and the values of atomic
//! propositions, which are in variables. The automaton's state is part of the place where an execution is, and so is its stack, if it is
//! a nested word automaton: in a flat program the open calls are known at every place. When an
//! execution is over, its last letter is read for ever.
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
//! Linear in the product of both.

use crate::Unsupported;
use crate::flatten::Flat;
use crate::ltl::{Automaton, Transition};
use base::{EntityRef, EntitySet, PrimaryMap, SecondaryMap, Span};
use ir::{
    BinaryOp, Block, BlockData, Body, Expr, Mark, Procedure, Program, Statement, StatementKind, Transfer,
    Type, Variable, VariableKind,
};
use std::collections::BTreeMap;

/// More blocks than this are too many.
const MOST_BLOCKS: usize = 50_000;

/// What observes a program.
pub trait Observer {
    /// What a call of a procedure is as a letter; none if the automaton does not read there.
    fn letter(&self, procedure: Procedure) -> Option<Letter>;
    /// The procedure whose letter is read for ever when an execution is over.
    fn last(&self) -> Procedure;
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

/// A place of the flat program with the memory of the automaton.
type State = (Block, usize, Memory);

/// Makes the product the body of `into`, which becomes the only procedure that executions begin with. The state in which the automaton is in each
/// block, so that executions can name it; none where it does not matter any more.
pub fn product(
    program: &mut Program,
    into: Procedure,
    flat: Flat,
    observer: &dyn Observer,
) -> Result<BTreeMap<Block, usize>, Unsupported> {
    let span = program.procedures[into].span;
    let rounds = program.new_variable("rounds#", Type::INT, VariableKind::Global, span);
    program.globals.push(rounds);
    let mut maker = Maker {
        program,
        flat: &flat,
        observer,
        rounds,
        blocks: PrimaryMap::new(),
        numbers: BTreeMap::new(),
        states: BTreeMap::new(),
        pending: Vec::new(),
        sink: None,
        unknown: None,
        accepting: EntitySet::new(),
        span,
    };
    maker.make()?;
    let Maker { mut blocks, accepting, states, .. } = maker;
    let counted = count_rounds(program, &mut blocks, &accepting, rounds, span);
    if !counted {
        // Without anything to count there is nothing to choose.
        for block in blocks.values_mut() {
            block.statements.retain(|statement| {
                !matches!(&statement.kind, StatementKind::Havoc(variables) if variables[..] == [rounds])
            });
        }
    }
    let mut locals = flat.body.locals;
    locals.dedup();
    program.procedures[into].body = Some(Body { locals, blocks });
    program.procedures[into].modifies = program.globals.clone();
    program.chosen = Some(vec![into]);
    Ok(states)
}

struct Maker<'a> {
    program: &'a mut Program,
    flat: &'a Flat,
    observer: &'a dyn Observer,
    rounds: Variable,
    blocks: PrimaryMap<Block, BlockData>,
    numbers: BTreeMap<State, Block>,
    /// The automaton's state in each block.
    states: BTreeMap<Block, usize>,
    pending: Vec<State>,
    sink: Option<Block>,
    unknown: Option<Block>,
    /// The blocks of accepting transitions.
    accepting: EntitySet<Block>,
    span: Span,
}

impl Maker<'_> {
    fn block(&mut self) -> Block {
        let number = self.blocks.len();
        self.blocks.push(BlockData {
            label: format!("product{number}"),
            statements: Vec::new(),
            transfer: Transfer::Return,
            transfer_span: self.span,
        })
    }

    /// The block of a state that a move leads to.
    fn moved(&mut self, state: State) -> Block {
        // Only behind a letter may the program be left alone: an execution has to come to its first one.
        let is_over = state.0 != self.flat.unknown && self.observer.accepts_all(&state.2);
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

    /// Where executions are whose further course is not known.
    fn unknown(&mut self) -> Block {
        if let Some(unknown) = self.unknown {
            return unknown;
        }
        let unknown = self.block();
        let kind = StatementKind::Assume(self.program.bool(true, self.span));
        let attributes = vec![Mark::Overapproximation.attribute(Vec::new())];
        self.blocks[unknown].statements.push(Statement { kind, span: self.span, attributes });
        self.blocks[unknown].transfer = Transfer::Goto(vec![unknown]);
        self.accepting.insert(unknown);
        self.unknown = Some(unknown);
        unknown
    }

    fn make(&mut self) -> Result<(), Unsupported> {
        self.state((Block::new(0), 0, Memory::default()));
        while let Some(state) = self.pending.pop() {
            if self.blocks.len() > MOST_BLOCKS {
                return Err(Unsupported("a temporal property with so large a product".to_owned()));
            }
            self.expand(state);
        }
        Ok(())
    }

    fn expand(&mut self, state: State) {
        let number = self.numbers[&state];
        let (block, first, memory) = state;
        let data = &self.flat.body.blocks[block];
        for (index, statement) in data.statements.iter().enumerate().skip(first) {
            let letter = match statement.kind {
                StatementKind::Call { procedure, .. } => {
                    self.observer.letter(procedure).map(|letter| (procedure, letter))
                }
                _ => None,
            };
            if !matches!(letter, Some((_, Letter::Marks))) {
                self.blocks[number].statements.push(statement.clone());
            }
            if let Some((procedure, _)) = letter {
                self.read((number, procedure), (block, index + 1), &memory, statement.span);
                return;
            }
        }
        if block == self.flat.end {
            // The last letter is read again and again.
            let span = self.span;
            let procedure = self.observer.last();
            if self.observer.letter(procedure) == Some(Letter::Evaluates) {
                let kind = StatementKind::Call { procedure, arguments: Vec::new(), results: Vec::new() };
                self.blocks[number].statements.push(Statement { kind, span, attributes: Vec::new() });
            }
            self.read((number, procedure), (block, 0), &memory, span);
            return;
        }
        let (transfer, span) = (data.transfer.clone(), data.transfer_span);
        let mut go = |target: Block| self.state((target, 0, memory.clone()));
        let transfer = match transfer {
            Transfer::Goto(targets) => Transfer::Goto(targets.into_iter().map(&mut go).collect()),
            Transfer::Branch { condition, then, otherwise } => {
                Transfer::Branch { condition, then: go(then), otherwise: go(otherwise) }
            }
            Transfer::Return => Transfer::Return,
        };
        self.blocks[number].transfer = transfer;
        self.blocks[number].transfer_span = span;
    }

    /// The automaton reads a letter at the end of a block; executions go on at a place of the flat program.
    fn read(
        &mut self,
        (at, letter): (Block, Procedure),
        (block, index): (Block, usize),
        memory: &Memory,
        span: Span,
    ) {
        let mut ways = Vec::new();
        for one in self.observer.moves(memory, letter) {
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
            if one.accepting {
                self.accepting.insert(way);
                statements.push(statement(StatementKind::Havoc(vec![self.rounds])));
            }
            let next = self.moved((block, index, one.to));
            self.blocks[way].statements = statements;
            self.blocks[way].transfer = Transfer::Goto(vec![next]);
            self.blocks[way].transfer_span = span;
        }
        if ways.is_empty() {
            let never = self.program.bool(false, span);
            let stop = StatementKind::Assume(never);
            self.blocks[at].statements.push(Statement { kind: stop, span, attributes: Vec::new() });
            self.blocks[at].transfer = Transfer::Return;
        } else {
            self.blocks[at].transfer = Transfer::Goto(ways);
        }
        self.blocks[at].transfer_span = span;
    }
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
    let (zero, one) = (program.int(0, span), program.int(1, span));
    let value = program.variable(rounds, span);
    let positive = program.binary(BinaryOp::Less, zero, value, span);
    let less = program.binary(BinaryOp::Subtract, value, one, span);
    for &head in &heads {
        let statement = |kind| Statement { kind, span, attributes: Vec::new() };
        let count = [StatementKind::Assume(positive), StatementKind::Assign(vec![(rounds, less)])];
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
