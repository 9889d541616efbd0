//! Loops of a control-flow graph that need not be structured.
//!
//! Dominators by the algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm"); nearly linear.

use crate::body::Draft;
use base::{EntityRef, EntitySet, SecondaryMap};
use ir::Block;

/// The edges of a draft, and which blocks lie on every way to a block.
pub(crate) struct Flow {
    successors: SecondaryMap<Block, Vec<Block>>,
    predecessors: SecondaryMap<Block, Vec<Block>>,
    /// The last block before a block that all ways to it pass.
    dominator: SecondaryMap<Block, Option<Block>>,
}

impl Flow {
    pub(crate) fn of(draft: &Draft) -> Flow {
        let mut successors: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        let mut predecessors: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        for (block, data) in draft.blocks.iter() {
            for next in data.transfer.iter().flat_map(|(transfer, _)| transfer.successors()) {
                successors[block].push(next);
                predecessors[next].push(block);
            }
        }
        let order = reverse_postorder(&successors, draft.blocks.len());
        let dominator = dominators(&predecessors, &order);
        Flow { successors, predecessors, dominator }
    }

    /// The blocks on cycles through a block that pass none of the blocks that lie on every way to it: the loop whose head
    /// it is, without the loops around it. Nothing if there is no such cycle.
    pub(crate) fn cycles(&self, head: Block) -> Vec<Block> {
        let mut outside: EntitySet<Block> = EntitySet::new();
        let mut above = self.dominator[head];
        while let Some(block) = above {
            if !outside.insert(block) {
                break;
            }
            above = self.dominator[block];
        }
        outside.remove(head);
        let reach = |edges: &SecondaryMap<Block, Vec<Block>>| {
            let mut seen: EntitySet<Block> = EntitySet::new();
            let mut found = Vec::new();
            let mut pending = edges[head].clone();
            while let Some(block) = pending.pop() {
                if !outside.contains(block) && seen.insert(block) {
                    found.push(block);
                    pending.extend(&edges[block]);
                }
            }
            (seen, found)
        };
        let (forward, _) = reach(&self.successors);
        let (_, mut cycle) = reach(&self.predecessors);
        cycle.retain(|&block| forward.contains(block));
        cycle.sort_unstable();
        if cycle.contains(&head) { cycle } else { Vec::new() }
    }
}

fn reverse_postorder(successors: &SecondaryMap<Block, Vec<Block>>, count: usize) -> Vec<Block> {
    let mut order = Vec::with_capacity(count);
    let mut seen: EntitySet<Block> = EntitySet::new();
    let entry = Block::new(0);
    seen.insert(entry);
    let mut path = vec![(entry, 0)];
    while let Some((block, next)) = path.pop() {
        match successors[block].get(next) {
            Some(&successor) => {
                path.push((block, next + 1));
                if seen.insert(successor) {
                    path.push((successor, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}

fn dominators(
    predecessors: &SecondaryMap<Block, Vec<Block>>,
    order: &[Block],
) -> SecondaryMap<Block, Option<Block>> {
    let mut number: SecondaryMap<Block, usize> = SecondaryMap::with_default(usize::MAX);
    for (position, &block) in order.iter().enumerate() {
        number[block] = position;
    }
    let entry = Block::new(0);
    let mut dominator: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
    dominator[entry] = Some(entry);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().skip(1) {
            let mut found: Option<Block> = None;
            for &before in predecessors[block].iter().filter(|&&before| dominator[before].is_some()) {
                found = Some(match found {
                    None => before,
                    Some(other) => common(&dominator, &number, before, other),
                });
            }
            if found != dominator[block] {
                dominator[block] = found;
                changed = true;
            }
        }
    }
    dominator[entry] = None;
    dominator
}

fn common(
    dominator: &SecondaryMap<Block, Option<Block>>,
    number: &SecondaryMap<Block, usize>,
    mut left: Block,
    mut right: Block,
) -> Block {
    while left != right {
        let higher = if number[left] > number[right] { &mut left } else { &mut right };
        // Every block that has been numbered has a dominator, up to the entry, which has the smallest number.
        *higher = dominator[*higher].unwrap_or(Block::new(0));
    }
    left
}
