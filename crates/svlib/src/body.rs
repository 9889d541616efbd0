//! The control-flow graph of a procedure under construction.
//!
//! Some statements depend on what comes later: which values are kept for later, which variables a loop changes, whether
//! anything counts rounds. They are slots until all bodies are drafted.

use crate::back::StepMark;
use crate::symbols::KeptAt;
use base::{EntityRef, PrimaryMap, Span};
use ir::{Block, BlockData, Expr, Statement, StatementKind, Transfer, Variable};

/// A statement, or what will become one.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    /// A statement; what it is in a trace.
    Statement(Statement, Option<StepMark>),
    /// The values of this moment are kept.
    Keep(KeptAt, Span),
    /// What a loop changes becomes arbitrary.
    Forget(Changed, Span, StepMark),
    /// Something that only counts if executions are counted.
    Counting(Statement),
}

/// A set of variables that is known when all bodies are.
#[derive(Clone, Debug)]
pub(crate) enum Changed {
    /// What the blocks from the first to before the second change.
    Blocks(Block, Block),
    /// What is changed on the cycles through a block.
    Cycles(Block),
    /// The globals that the procedure changes, and these variables.
    Globals(Vec<Variable>),
}

/// A block under construction.
#[derive(Clone, Debug)]
pub(crate) struct DraftBlock {
    pub(crate) slots: Vec<Slot>,
    pub(crate) transfer: Option<(Transfer, Span)>,
}

/// A body under construction.
#[derive(Clone, Default, Debug)]
pub(crate) struct Draft {
    pub(crate) blocks: PrimaryMap<Block, DraftBlock>,
    /// Local variables that the script does not have.
    pub(crate) locals: Vec<Variable>,
    current: Option<Block>,
}

impl Draft {
    pub(crate) fn new_block(&mut self) -> Block {
        self.blocks.push(DraftBlock { slots: Vec::new(), transfer: None })
    }

    /// The block that the next new one will be.
    pub(crate) fn next_block(&self) -> Block {
        self.blocks.next_key()
    }

    /// The next slots go into the block.
    pub(crate) fn start(&mut self, block: Block) {
        self.current = Some(block);
    }

    /// Begins a new block here.
    pub(crate) fn begin(&mut self, span: Span) -> Block {
        let block = self.new_block();
        self.jump(block, span);
        self.start(block);
        block
    }

    fn current(&mut self) -> Block {
        match self.current {
            Some(block) => block,
            None => {
                // What follows a jump and has no label is checked, and never executed.
                let dead = self.new_block();
                self.start(dead);
                dead
            }
        }
    }

    pub(crate) fn push(&mut self, slot: Slot) {
        let block = self.current();
        self.blocks[block].slots.push(slot);
    }

    /// Where the last slot is.
    pub(crate) fn last_slot(&mut self) -> (Block, usize) {
        let block = self.current();
        (block, self.blocks[block].slots.len().saturating_sub(1))
    }

    /// Says what becomes arbitrary in a slot that is already there.
    pub(crate) fn set_forget(&mut self, (block, index): (Block, usize), what: Changed) {
        if let Some(Slot::Forget(changed, ..)) = self.blocks[block].slots.get_mut(index) {
            *changed = what;
        }
    }

    pub(crate) fn statement(&mut self, kind: StatementKind, span: Span) {
        self.push(Slot::Statement(Statement { kind, span, attributes: Vec::new() }, None));
    }

    pub(crate) fn marked(&mut self, kind: StatementKind, span: Span, mark: StepMark) {
        self.push(Slot::Statement(Statement { kind, span, attributes: Vec::new() }, Some(mark)));
    }

    pub(crate) fn assume(&mut self, condition: Expr, span: Span) {
        self.statement(StatementKind::Assume(condition), span);
    }

    pub(crate) fn transfer(&mut self, transfer: Transfer, span: Span) {
        let block = self.current();
        self.blocks[block].transfer = Some((transfer, span));
        self.current = None;
    }

    /// Goes on at the block, if this point can be reached.
    pub(crate) fn jump(&mut self, target: Block, span: Span) {
        if self.current.is_some() {
            self.transfer(Transfer::Goto(vec![target]), span);
        }
    }

    /// The variables that a block changes by itself; calls are told to the second function.
    pub(crate) fn changes(
        &self,
        block: Block,
        change: &mut dyn FnMut(Variable),
        call: &mut dyn FnMut(ir::Procedure),
    ) {
        for slot in &self.blocks[block].slots {
            let (Slot::Statement(statement, _) | Slot::Counting(statement)) = slot else { continue };
            match &statement.kind {
                StatementKind::Assign(pairs) => pairs.iter().for_each(|&(variable, _)| change(variable)),
                StatementKind::Havoc(variables) => variables.iter().copied().for_each(&mut *change),
                StatementKind::Call { procedure, results, .. } => {
                    results.iter().copied().for_each(&mut *change);
                    call(*procedure);
                }
                _ => {}
            }
        }
    }

    /// The finished blocks, with slots replaced; `place` is told where marked statements are.
    pub(crate) fn finish(
        self,
        expand: &mut dyn FnMut(Slot) -> Vec<(Statement, Option<StepMark>)>,
        place: &mut dyn FnMut(Block, usize, StepMark),
        end: Span,
    ) -> PrimaryMap<Block, BlockData> {
        let mut blocks = PrimaryMap::with_capacity(self.blocks.len());
        for (block, draft) in self.blocks {
            let mut statements = Vec::new();
            for slot in draft.slots {
                for (statement, mark) in expand(slot) {
                    if let Some(mark) = mark {
                        place(block, statements.len(), mark);
                    }
                    statements.push(statement);
                }
            }
            let (transfer, transfer_span) = draft.transfer.unwrap_or((Transfer::Return, end));
            let label = format!("block{}", block.index());
            blocks.push(BlockData { label, statements, transfer, transfer_span });
        }
        blocks
    }
}
