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
        let mut order = Order { body, loops: vec![Vec::new(); count], place: vec![u32::MAX; count], next: 0 };
        let all: Vec<Block> = body.blocks.keys().collect();
        order.arrange(&all, body.entry(), &mut Vec::new());
        let (mut loops, mut place) = (PrimaryMap::new(), PrimaryMap::new());
        for index in 0..count {
            loops.push(std::mem::take(&mut order.loops[index]));
            place.push(order.place[index]);
        }
        Flow { loops, place }
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

/// The order while it is made.
struct Order<'b> {
    body: &'b Body,
    loops: Vec<Vec<u32>>,
    place: Vec<u32>,
    next: u32,
}

impl Order<'_> {
    /// Gives places to some blocks, whose edges among each other count, beginning with one of them.
    fn arrange(&mut self, blocks: &[Block], first: Block, around: &mut Vec<u32>) {
        for component in self.components(blocks, first) {
            let own_edge =
                self.body.blocks[component[0]].transfer.successors().any(|next| next == component[0]);
            let head = component[0];
            if component.len() == 1 && !own_edge {
                self.put(head, around);
                continue;
            }
            around.push(self.next);
            self.put(head, around);
            let rest: Vec<Block> = component[1..].to_vec();
            if let Some(&start) = rest.first() {
                self.arrange(&rest, start, around);
            }
            around.pop();
        }
    }

    fn put(&mut self, block: Block, around: &[u32]) {
        self.place[block.index()] = self.next;
        self.loops[block.index()] = around.to_vec();
        self.next += 1;
    }

    /// The strongly connected components (Tarjan), those that reach others first; each begins with the block that was
    /// found first.
    fn components(&self, blocks: &[Block], first: Block) -> Vec<Vec<Block>> {
        let count = self.body.blocks.len();
        let mut inside = vec![false; count];
        for block in blocks {
            inside[block.index()] = true;
        }
        let mut number = vec![0_u32; count];
        let mut low = vec![0_u32; count];
        let mut on_stack = vec![false; count];
        let (mut next, mut stack, mut found) = (1, Vec::new(), Vec::new());
        for &root in std::iter::once(&first).chain(blocks) {
            if number[root.index()] != 0 {
                continue;
            }
            let mut calls: Vec<(Block, Vec<Block>)> = Vec::new();
            let mut enter = Some(root);
            loop {
                if let Some(block) = enter.take() {
                    number[block.index()] = next;
                    low[block.index()] = next;
                    next += 1;
                    stack.push(block);
                    on_stack[block.index()] = true;
                    let successors = self.body.blocks[block].transfer.successors();
                    calls.push((block, successors.filter(|to| inside[to.index()]).collect()));
                }
                let Some((block, successors)) = calls.last_mut() else { break };
                let block = *block;
                if let Some(to) = successors.pop() {
                    if number[to.index()] == 0 {
                        enter = Some(to);
                    } else if on_stack[to.index()] {
                        low[block.index()] = low[block.index()].min(number[to.index()]);
                    }
                    continue;
                }
                calls.pop();
                if let Some((caller, _)) = calls.last() {
                    low[caller.index()] = low[caller.index()].min(low[block.index()]);
                }
                if low[block.index()] == number[block.index()] {
                    let mut component = Vec::new();
                    while let Some(member) = stack.pop() {
                        on_stack[member.index()] = false;
                        component.push(member);
                        if member == block {
                            break;
                        }
                    }
                    component.reverse();
                    found.push(component);
                }
            }
        }
        found.reverse();
        found
    }
}
