//! The product of a flat program with a Büchi automaton, as a program whose infinite executions are the accepted ones.
//!
//! At a call of the procedure that observes, the automaton reads a letter: the values of the atomic propositions, which that
//! procedure leaves in variables. The automaton's state is part of the place where an execution is. When an
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

use crate::flatten::Flat;
use crate::ltl::{Automaton, Transition};
use base::{EntityRef, EntitySet, PrimaryMap, SecondaryMap, Span};
use ir::{
    BinaryOp, Block, BlockData, Body, Expr, Mark, Procedure, Program, Statement, StatementKind, Transfer,
    Type, Variable, VariableKind,
};
use std::collections::BTreeMap;

/// What observes a program.
pub struct Observer {
    /// The procedure that is called where a letter is read.
    pub procedure: Procedure,
    /// For each atomic proposition the formula that says whether it holds after such a call.
    pub atoms: Vec<Expr>,
    /// Whether the formulas need the call; otherwise it only marks the place.
    pub needs_call: bool,
    /// Whether every execution of the program can go on for ever, because nothing blocks it.
    pub never_blocks: bool,
}

/// A place of the flat program with a state of the automaton.
type State = (Block, usize, usize);

/// Makes the product the body of `into`, which becomes the only procedure that executions begin with.
pub fn product(
    program: &mut Program,
    into: Procedure,
    flat: Flat,
    automaton: &Automaton,
    observer: &Observer,
) {
    let span = program.procedures[into].span;
    let rounds = program.new_variable("rounds#", Type::INT, VariableKind::Global, span);
    program.globals.push(rounds);
    let mut maker = Maker {
        program,
        flat: &flat,
        automaton,
        observer,
        rounds,
        blocks: PrimaryMap::new(),
        numbers: BTreeMap::new(),
        pending: Vec::new(),
        sink: None,
        unknown: None,
        accepting: EntitySet::new(),
        span,
    };
    maker.make();
    let Maker { mut blocks, accepting, .. } = maker;
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
}

struct Maker<'a> {
    program: &'a mut Program,
    flat: &'a Flat,
    automaton: &'a Automaton,
    observer: &'a Observer,
    rounds: Variable,
    blocks: PrimaryMap<Block, BlockData>,
    numbers: BTreeMap<State, Block>,
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

    fn state(&mut self, state: State) -> Block {
        if let Some(&block) = self.numbers.get(&state) {
            return block;
        }
        if state.0 == self.flat.unknown {
            return self.unknown();
        }
        if self.observer.never_blocks && self.accepts_all(state.2) {
            return self.sink();
        }
        let block = self.block();
        self.numbers.insert(state, block);
        self.pending.push(state);
        block
    }

    /// Whether the automaton accepts everything from a state on.
    fn accepts_all(&self, state: usize) -> bool {
        let accepts = |step: &Transition| step.accepting && step.guard.is_empty() && step.target == state;
        self.automaton.transitions[state].iter().any(accepts)
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

    fn make(&mut self) {
        self.state((Block::new(0), 0, 0));
        while let Some(state) = self.pending.pop() {
            self.expand(state);
        }
    }

    fn expand(&mut self, (block, first, automaton_state): State) {
        let number = self.numbers[&(block, first, automaton_state)];
        let data = &self.flat.body.blocks[block];
        for (index, statement) in data.statements.iter().enumerate().skip(first) {
            let observes = matches!(
                statement.kind,
                StatementKind::Call { procedure, .. } if procedure == self.observer.procedure
            );
            if !observes || self.observer.needs_call {
                self.blocks[number].statements.push(statement.clone());
            }
            if observes {
                self.read(number, (block, index + 1), automaton_state, statement.span);
                return;
            }
        }
        if block == self.flat.end {
            // The last letter is read again and again.
            let span = self.span;
            if self.observer.needs_call {
                let procedure = self.observer.procedure;
                let kind = StatementKind::Call { procedure, arguments: Vec::new(), results: Vec::new() };
                self.blocks[number].statements.push(Statement { kind, span, attributes: Vec::new() });
            }
            self.read(number, (block, 0), automaton_state, span);
            return;
        }
        let (transfer, span) = (data.transfer.clone(), data.transfer_span);
        let mut go = |target: Block| self.state((target, 0, automaton_state));
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
    fn read(&mut self, at: Block, (block, index): (Block, usize), automaton_state: usize, span: Span) {
        let mut ways = Vec::new();
        for transition in &self.automaton.transitions[automaton_state] {
            let way = self.block();
            self.blocks[way].label = format!("move{}", self.blocks.len());
            ways.push(way);
            let statement = |kind| Statement { kind, span, attributes: Vec::new() };
            let mut statements = Vec::new();
            for &(atom, holds) in &transition.guard {
                let value = self.observer.atoms[atom];
                let condition = if holds { value } else { self.program.not(value, span) };
                statements.push(statement(StatementKind::Assume(condition)));
            }
            if transition.accepting {
                self.accepting.insert(way);
                statements.push(statement(StatementKind::Havoc(vec![self.rounds])));
            }
            let next = self.state((block, index, transition.target));
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
