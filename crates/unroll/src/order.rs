//! In which order the blocks of a body are unrolled.
//!
//! A weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings") gives the loops and a
//! place to every block. A [`Visit`] says in which round of every loop around it a block is entered. Visits are taken up from
//! the smallest on, so states that come to one visit are merged as long as all ways into it come from smaller ones. If
//! that were not so, a visit would be taken up twice: more work, but nothing is lost.

use base::{EntityRef, PrimaryMap};
use ir::{Block, Body};

/// An entry of a block: for every loop around it the place of its head and the round; then the place of the block.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Visit(pub Vec<(u32, u32)>);

/// The loops of a body.
pub(crate) struct Order {
    place: PrimaryMap<Block, u32>,
    /// The places of the heads of the loops around a block, outermost first. A head is in its own loop.
    around: PrimaryMap<Block, Vec<u32>>,
}

impl Order {
    pub(crate) fn new(body: &Body) -> Order {
        let count = body.blocks.len();
        // Blocks that cannot be reached get places as well.
        let roots: Vec<usize> = [body.entry().index()].into_iter().chain(0..count).collect();
        let successors = |block: usize, out: &mut Vec<usize>| {
            out.extend(body.blocks[Block::new(block)].transfer.successors().map(|next| next.index()));
        };
        let elements = graph::weak_topological_order(count, &roots, successors);
        let (mut place, mut around) = (vec![0; count], vec![Vec::new(); count]);
        let mut open: Vec<(u32, usize)> = Vec::new();
        for (at, element) in elements.iter().enumerate() {
            open.retain(|&(_, end)| at < end);
            open.extend(element.end.map(|end| (at as u32, end)));
            place[element.node] = at as u32;
            around[element.node] = open.iter().map(|&(head, _)| head).collect();
        }
        Order { place: place.into_iter().collect(), around: around.into_iter().collect() }
    }

    pub(crate) fn place(&self, block: Block) -> u32 {
        self.place[block]
    }

    pub(crate) fn is_head(&self, block: Block) -> bool {
        self.around[block].last() == Some(&self.place[block])
    }

    /// Whether a block is in the loop with a head.
    pub(crate) fn is_inside(&self, block: Block, head: Block) -> bool {
        self.around[block].contains(&self.place[head])
    }

    /// The first visit.
    pub(crate) fn first(&self, body: &Body) -> Visit {
        let entry = body.entry();
        let loops = self.around[entry].iter().map(|&head| (head, 0));
        Visit(loops.chain([(self.place[entry], 0)]).collect())
    }

    /// The visit of a block that is entered from a visit of another.
    pub(crate) fn next(&self, visit: &Visit, from: Block, to: Block) -> Visit {
        let (old, new) = (&self.around[from], &self.around[to]);
        let common = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let mut next: Vec<(u32, u32)> = visit.0[..common].to_vec();
        // A way from inside of a loop to its head begins the next round.
        if common == new.len() && self.is_head(to) {
            next[common - 1].1 += 1;
        }
        next.extend(new[common..].iter().map(|&head| (head, 0)));
        next.push((self.place[to], 0));
        Visit(next)
    }

    /// The round that begins with a visit of a head; none for other blocks.
    pub(crate) fn round(&self, visit: &Visit, block: Block) -> Option<u32> {
        self.is_head(block).then(|| visit.0[visit.0.len() - 2].1)
    }
}
