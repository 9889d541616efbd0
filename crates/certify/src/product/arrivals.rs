//! Which place of the watched program each block of a product stands for, and the ways between blocks that both programs go.

use super::walk::{Next, Place, Walk, goes_round, refuse};
use crate::Refusal;
use ir::{Block, Body, Transfer};
use std::collections::BTreeMap;

/// The blocks of a product that were come to.
pub(super) struct Arrivals<'a> {
    /// The body in the product.
    body: &'a Body,
    /// Where the watched program is when a block of the product begins.
    places: BTreeMap<Block, Place>,
    pending: Vec<Block>,
    /// Blocks in which the watched program does nothing, with the only block that comes next.
    silent: BTreeMap<Block, Block>,
}

impl<'a> Arrivals<'a> {
    pub(super) fn new(body: &'a Body) -> Arrivals<'a> {
        Arrivals { body, places: BTreeMap::new(), pending: Vec::new(), silent: BTreeMap::new() }
    }

    /// A block that was come to and not looked at yet, with its place.
    pub(super) fn next(&mut self) -> Option<(Block, Place)> {
        let block = self.pending.pop()?;
        Some((block, self.places[&block].clone()))
    }

    /// A block stands for a place, and for no other.
    pub(super) fn arrive(&mut self, walk: &Walk<'_>, block: Block, mut place: Place) -> Result<(), Refusal> {
        walk.settle(&mut place);
        match self.places.get(&block) {
            Some(known) if *known == place => Ok(()),
            Some(_) => {
                refuse(format!("the block `{}` stands for several places", self.body.blocks[block].label))
            }
            None => {
                self.places.insert(block, place);
                self.pending.push(block);
                Ok(())
            }
        }
    }

    /// The ways out of a block are those out of a place; or the program is in the middle of something, and the product only jumps. `goes_on` says whether the watched
    /// program has done anything in the block.
    pub(super) fn leave(
        &mut self,
        walk: &Walk<'_>,
        (block, place): (Block, Place),
        goes_on: bool,
    ) -> Result<(), Refusal> {
        let at = |target: Block| {
            let mut place = place.clone();
            if let Some(frame) = place.frames.last_mut() {
                (frame.block, frame.index) = (target, 0);
            }
            place
        };
        let body = self.body;
        match (walk.next(&place), &body.blocks[block].transfer) {
            (Next::Ways(Transfer::Goto(targets)), Transfer::Goto(others))
                if targets.len() == others.len() =>
            {
                for (&target, &other) in targets.iter().zip(others) {
                    self.arrive(walk, other, at(target))?;
                }
                Ok(())
            }
            (
                Next::Ways(Transfer::Branch { condition, then, otherwise }),
                Transfer::Branch { condition: found, then: yes, otherwise: no },
            ) => {
                if !walk.same(place.frames.last(), *condition, *found) {
                    return refuse("another condition");
                }
                self.arrive(walk, *yes, at(*then))?;
                self.arrive(walk, *no, at(*otherwise))
            }
            (_, Transfer::Goto(targets)) if targets.len() == 1 => {
                if !goes_on {
                    self.silent.insert(block, targets[0]);
                }
                self.arrive(walk, targets[0], place)
            }
            _ => refuse("it goes on in another way"),
        }
    }

    /// The product does not go round where the watched program goes on.
    pub(super) fn never_go_round(&self) -> Result<(), Refusal> {
        match goes_round(&self.silent, |block| self.places[&block].idle) {
            true => refuse("it goes round where the program goes on"),
            false => Ok(()),
        }
    }
}
