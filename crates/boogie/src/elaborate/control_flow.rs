//! Building the control-flow graph of a body.
//!
//! Blocks are drafted as the statements come, and ordered by where they begin in the text. At the end,
//! empty blocks that the source did not label are left out, so are unlabelled blocks that nothing reaches,
//! and the rest gets labels. Blocks that the source has labelled stay, empty or not: this makes reading the
//! text form of a program give that program again.

use base::{EntityRef, EntitySet, PrimaryMap, SecondaryMap, Span};
use ir::{Block, BlockData, Boundary, Expr, Statement, Transfer};
use rustc_hash::FxHashSet;

struct Draft {
    label: Option<String>,
    /// What to call it if it has no label.
    hint: &'static str,
    statements: Vec<Statement>,
    transfer: Option<(Transfer, Span)>,
}

/// A graph under construction.
pub(super) struct Graph {
    drafts: PrimaryMap<Block, Draft>,
    order: Vec<Block>,
    labels: FxHashSet<String>,
    /// Where the next statement goes; nothing if it cannot be reached.
    current: Option<Block>,
}

impl Graph {
    pub(super) fn new() -> Graph {
        Graph { drafts: PrimaryMap::new(), order: Vec::new(), labels: FxHashSet::default(), current: None }
    }

    pub(super) fn new_block(&mut self, hint: &'static str) -> Block {
        self.drafts.push(Draft { label: None, hint, statements: Vec::new(), transfer: None })
    }

    pub(super) fn has_label(&self, label: &str) -> bool {
        self.labels.contains(label)
    }

    /// A block with a label that no other block has.
    pub(super) fn new_labelled(&mut self, label: String) -> Block {
        let block = self.new_block("");
        self.labels.insert(label.clone());
        self.drafts[block].label = Some(label);
        block
    }

    /// The next statements go into the block.
    pub(super) fn start(&mut self, block: Block) {
        self.order.push(block);
        self.current = Some(block);
    }

    fn current(&mut self) -> Block {
        match self.current {
            Some(block) => block,
            None => {
                // What follows a jump without a label is checked, and dropped at the end.
                let dead = self.new_block("dead");
                self.start(dead);
                dead
            }
        }
    }

    pub(super) fn push(&mut self, statement: Statement) {
        let block = self.current();
        self.drafts[block].statements.push(statement);
    }

    pub(super) fn boundary(&mut self, boundary: Boundary, span: Span) {
        let kind = ir::StatementKind::Atomic(boundary);
        self.push(Statement { kind, span, attributes: Vec::new() });
    }

    /// From within so many atomic blocks to within so many.
    pub(super) fn boundaries(&mut self, from: usize, to: usize, span: Span) {
        for _ in from..to {
            self.boundary(Boundary::Begin, span);
        }
        for _ in to..from {
            self.boundary(Boundary::End, span);
        }
    }

    pub(super) fn transfer(&mut self, transfer: Transfer, span: Span) {
        let block = self.current();
        self.drafts[block].transfer = Some((transfer, span));
        self.current = None;
    }

    /// Goes on at the block, if this point can be reached.
    pub(super) fn jump(&mut self, target: Block, span: Span) {
        if self.current.is_some() {
            self.transfer(Transfer::Goto(vec![target]), span);
        }
    }

    pub(super) fn branch(&mut self, condition: Option<Expr>, then: Block, otherwise: Block, span: Span) {
        let transfer = match condition {
            Some(condition) => Transfer::Branch { condition, then, otherwise },
            None => Transfer::Goto(vec![then, otherwise]),
        };
        self.transfer(transfer, span);
    }

    /// Ends the body, if this point can be reached.
    pub(super) fn end(&mut self, span: Span) {
        if self.current.is_some() {
            self.transfer(Transfer::Return, span);
        }
    }

    /// A block to jump back to: the current one if it is still empty.
    pub(super) fn loop_head(&mut self, span: Span) -> Block {
        if let Some(block) = self.current
            && self.drafts[block].statements.is_empty()
        {
            return block;
        }
        let head = self.new_block("loop");
        self.jump(head, span);
        self.start(head);
        head
    }

    /// The finished graph. It begins at the start, or chooses among several.
    pub(super) fn finish(mut self, starts: &[(Block, Span)]) -> PrimaryMap<Block, BlockData> {
        let entry = match *starts {
            [(start, _)] => start,
            _ => {
                let entry = self.new_block("entry");
                let span = starts.first().map(|&(_, span)| span);
                let targets = starts.iter().map(|&(start, _)| start).collect();
                self.drafts[entry].transfer = span.map(|span| (Transfer::Goto(targets), span));
                self.order.insert(0, entry);
                entry
            }
        };
        let forward = self.forwarding();
        for draft in self.drafts.values_mut() {
            if let Some((transfer, _)) = &mut draft.transfer {
                retarget(transfer, |block| forward[block]);
            }
        }
        let entry = forward[entry];
        let kept = self.kept(entry);
        self.renumber(entry, &kept)
    }

    /// For every block the one that stands for it: itself, or the end of a chain of empty blocks.
    fn forwarding(&self) -> PrimaryMap<Block, Block> {
        let mut forward = PrimaryMap::with_capacity(self.drafts.len());
        let mut known: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
        let mut chain = Vec::new();
        for block in self.drafts.keys() {
            let mut end = block;
            while let Some(next) = self.skips_to(end) {
                // A circle of empty blocks has no end; any of its blocks may stand for it.
                if chain.len() > self.drafts.len() {
                    break;
                }
                chain.push(end);
                end = known[end].unwrap_or(next);
            }
            for skipped in chain.drain(..) {
                known[skipped] = Some(end);
            }
            forward.push(end);
        }
        forward
    }

    fn skips_to(&self, block: Block) -> Option<Block> {
        let draft = &self.drafts[block];
        match &draft.transfer {
            Some((Transfer::Goto(targets), _)) if draft.label.is_none() && draft.statements.is_empty() => {
                match targets.as_slice() {
                    [target] => Some(*target),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What can be reached from the entry or from a labelled block.
    fn kept(&self, entry: Block) -> EntitySet<Block> {
        let mut kept = EntitySet::new();
        let labelled = self.drafts.iter().filter(|(_, draft)| draft.label.is_some()).map(|(block, _)| block);
        let mut stack: Vec<Block> = std::iter::once(entry).chain(labelled).collect();
        while let Some(block) = stack.pop() {
            if kept.insert(block)
                && let Some((transfer, _)) = &self.drafts[block].transfer
            {
                stack.extend(transfer.successors());
            }
        }
        kept
    }

    fn renumber(mut self, entry: Block, kept: &EntitySet<Block>) -> PrimaryMap<Block, BlockData> {
        let others = self.order.iter().copied().filter(|&block| block != entry && kept.contains(block));
        let order: Vec<Block> = std::iter::once(entry).chain(others).collect();
        let mut numbers: SecondaryMap<Block, Block> = SecondaryMap::with_default(Block::new(0));
        for (number, &block) in order.iter().enumerate() {
            numbers[block] = Block::new(number);
        }
        let mut blocks = PrimaryMap::with_capacity(order.len());
        let mut count = 0;
        for block in order {
            let hint = self.drafts[block].hint;
            let label = self.drafts[block].label.take().unwrap_or_else(|| {
                loop {
                    count += 1;
                    let label = format!("{hint}{count}");
                    if !self.labels.contains(&label) {
                        return label;
                    }
                }
            });
            let draft = &mut self.drafts[block];
            let statements = std::mem::take(&mut draft.statements);
            // Only a body with mistakes has blocks without an end, and its program is thrown away.
            let Some((mut transfer, transfer_span)) = draft.transfer.take() else { continue };
            retarget(&mut transfer, |block| numbers[block]);
            blocks.push(BlockData { label, statements, transfer, transfer_span });
        }
        blocks
    }
}

fn retarget(transfer: &mut Transfer, map: impl Fn(Block) -> Block) {
    match transfer {
        Transfer::Goto(targets) => targets.iter_mut().for_each(|target| *target = map(*target)),
        Transfer::Branch { then, otherwise, .. } => {
            *then = map(*then);
            *otherwise = map(*otherwise);
        }
        Transfer::Return => {}
    }
}
