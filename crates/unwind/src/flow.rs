//! In which order the blocks of a body are unwound.
//!
//! A weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings"): loops are intervals of
//! the order, with their heads first. A [`Visit`] says in which iteration of every loop around it a block is entered.
//! Visits are ordered such that all ways into a visit come from smaller ones, so that states can be merged when the
//! smallest visit is taken up; and what follows a loop comes after all iterations of it.

use base::{EntityRef, PrimaryMap};
use ir::{Block, Body};

/// An entry of a block: for every loop around it the place of the loop and the iteration; in the end the place of the block.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Visit(pub Vec<(u32, u32)>);

/// The order of the blocks of a body.
pub struct Flow {
    /// The loops around a block, outermost first, by the place of their heads; a head is in its own loop.
    loops: PrimaryMap<Block, Vec<u32>>,
    place: PrimaryMap<Block, u32>,
}

impl Flow {
    /// Computes the order. Costs blocks and edges times the depth of nesting.
    pub fn new(body: &Body) -> Flow {
        let count = body.blocks.len();
        // Blocks that cannot be reached have places, too.
        let roots: Vec<usize> = std::iter::once(body.entry().index()).chain(0..count).collect();
        let order = graph::weak_topological_order(count, &roots, |block, out| {
            out.extend(body.blocks[Block::new(block)].transfer.successors().map(|next| next.index()));
        });
        let (mut loops, mut place) = (vec![Vec::new(); count], vec![0; count]);
        // The loops around a position: the places of their heads, and where they end.
        let mut around: Vec<(u32, usize)> = Vec::new();
        for (position, element) in order.into_iter().enumerate() {
            let here = u32::try_from(position).expect("fewer blocks than that");
            while around.last().is_some_and(|&(_, end)| end <= position) {
                around.pop();
            }
            around.extend(element.end.map(|end| (here, end)));
            loops[element.node] = around.iter().map(|&(head, _)| head).collect();
            place[element.node] = here;
        }
        Flow { loops: loops.into_iter().collect(), place: place.into_iter().collect() }
    }

    /// The place of a block in the order.
    pub fn place(&self, block: Block) -> u32 {
        self.place[block]
    }

    /// Whether a block is the head of a loop.
    pub fn is_head(&self, block: Block) -> bool {
        self.loops[block].last() == Some(&self.place[block])
    }

    /// Whether a block is in the loop with a head.
    pub fn is_inside(&self, block: Block, head: Block) -> bool {
        self.loops[block].contains(&self.place[head])
    }

    /// The first visit of a body.
    pub fn entry(&self, body: &Body) -> Visit {
        self.visit(body.entry(), |_| 0)
    }

    fn visit(&self, block: Block, iteration: impl Fn(usize) -> u32) -> Visit {
        let loops = self.loops[block].iter().enumerate();
        let mut visit: Vec<(u32, u32)> = loops.map(|(depth, &head)| (head, iteration(depth))).collect();
        visit.push((self.place[block], 0));
        Visit(visit)
    }

    /// The visit of a block that is entered from a visit of another.
    pub fn next(&self, visit: &Visit, from: Block, to: Block) -> Visit {
        let (old, new) = (&self.loops[from], &self.loops[to]);
        let shared = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        // An edge to the head of a loop that both are in begins its next iteration.
        let again = shared > 0 && shared == new.len() && new[shared - 1] == self.place[to];
        self.visit(to, |depth| match depth {
            _ if depth >= shared => 0,
            _ if again && depth + 1 == shared => visit.0[depth].1 + 1,
            _ => visit.0[depth].1,
        })
    }

    /// The iteration of the loop whose head a block is; none for other blocks.
    pub fn iteration(&self, visit: &Visit, block: Block) -> Option<u32> {
        let innermost = *self.loops[block].last()?;
        (innermost == self.place[block]).then(|| visit.0[visit.0.len() - 2].1)
    }
}
