//! The walk through one procedure, in the watched program and in the product.

use super::steps::Steps;
use crate::Refusal;
use crate::product::walk::{Frame, Next, Place, Walk, goes_round, refuse};
use ir::{Attribute, AttributeArgument, Block, Body, Statement, StatementKind, Transfer};
use std::collections::BTreeMap;

/// Checks that a body of the product is that of the watched procedure, with the steps of the automaton.
pub(super) fn check<'a>(walk: Walk<'a>, body: &'a Body, steps: &mut Steps<'a>) -> Result<(), Refusal> {
    let (places, pending) = (BTreeMap::new(), Vec::new());
    Check { walk, body, steps, places, pending, silent: BTreeMap::new() }.run()
}

struct Check<'a, 'b> {
    walk: Walk<'a>,
    /// The body in the product.
    body: &'a Body,
    steps: &'b mut Steps<'a>,
    /// Where the watched program is when a block of the product begins.
    places: BTreeMap<Block, Place>,
    pending: Vec<Block>,
    /// Blocks in which the watched program does nothing, with the only block that comes next.
    silent: BTreeMap<Block, Block>,
}

impl Check<'_, '_> {
    fn run(&mut self) -> Result<(), Refusal> {
        let first = Place {
            frames: vec![self.walk.frame(self.walk.start, BTreeMap::new(), &[])],
            started: true,
            evaluated: false,
            state: 0,
            stack: Vec::new(),
            idle: false,
        };
        self.arrive(self.body.entry(), first)?;
        while let Some(block) = self.pending.pop() {
            self.block(block)?;
        }
        if goes_round(&self.silent, |block| self.places[&block].idle) {
            return refuse("it goes round where the program goes on");
        }
        Ok(())
    }

    fn arrive(&mut self, block: Block, mut place: Place) -> Result<(), Refusal> {
        self.walk.settle(&mut place);
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

    fn block(&mut self, block: Block) -> Result<(), Refusal> {
        let mut place = self.places[&block].clone();
        let mut rest = &self.body.blocks[block].statements[..];
        let mut goes_on = false;
        loop {
            self.walk.settle(&mut place);
            match (self.walk.next(&place), rest) {
                (Next::Enter { .. }, []) => break,
                (Next::Enter { callee, arguments, results }, _) => {
                    let used = self.walk.enter(&mut place, (callee, arguments, results), rest)?;
                    rest = &rest[used..];
                }
                (_, []) => break,
                (Next::Letter(letter), _) => {
                    let arguments = self.arguments(&place);
                    let used = self.steps.read(&self.walk, &mut place, (letter, &arguments), rest)?;
                    rest = &rest[used..];
                }
                (Next::Step(statement), [first, more @ ..]) => {
                    let frame = place.frames.last().cloned();
                    if !self.same_attributes(frame.as_ref(), statement, first) {
                        return refuse("a statement has other attributes");
                    }
                    self.walk.step(&mut place, statement, first)?;
                    rest = more;
                }
                (Next::Leave, [first, more @ ..]) if place.frames.len() > 1 => {
                    self.walk.leave(&mut place, first)?;
                    rest = more;
                }
                _ => return refuse("a statement that the program does not have"),
            }
            goes_on = true;
        }
        self.transfer(block, place, goes_on)
    }

    /// The arguments of the letter that comes next.
    fn arguments(&self, place: &Place) -> Vec<ir::Expr> {
        let statement = place.frames.last().and_then(|frame| {
            let body = self.walk.pair.watched.procedures[frame.procedure].body.as_ref()?;
            body.blocks[frame.block].statements.get(frame.index)
        });
        match statement.map(|statement| &statement.kind) {
            Some(StatementKind::Call { arguments, .. }) => arguments.clone(),
            _ => Vec::new(),
        }
    }

    fn same_attributes(&self, frame: Option<&Frame>, one: &Statement, other: &Statement) -> bool {
        let same_argument = |pair: (&AttributeArgument, &AttributeArgument)| match pair {
            (AttributeArgument::Expr(one), AttributeArgument::Expr(other)) => {
                self.walk.same(frame, *one, *other)
            }
            (one, other) => one == other,
        };
        let same = |(one, other): (&Attribute, &Attribute)| {
            one.name == other.name
                && one.arguments.len() == other.arguments.len()
                && one.arguments.iter().zip(&other.arguments).all(same_argument)
        };
        one.attributes.len() == other.attributes.len()
            && one.attributes.iter().zip(&other.attributes).all(same)
    }

    fn transfer(&mut self, block: Block, place: Place, goes_on: bool) -> Result<(), Refusal> {
        let at = |target: Block| {
            let mut place = place.clone();
            if let Some(frame) = place.frames.last_mut() {
                (frame.block, frame.index) = (target, 0);
            }
            place
        };
        match (self.walk.next(&place), &self.body.blocks[block].transfer) {
            (Next::Leave, Transfer::Return) if place.frames.len() == 1 => Ok(()),
            (Next::Ways(Transfer::Goto(targets)), Transfer::Goto(others))
                if targets.len() == others.len() =>
            {
                for (&target, &other) in targets.iter().zip(others) {
                    self.arrive(other, at(target))?;
                }
                Ok(())
            }
            (
                Next::Ways(Transfer::Branch { condition, then, otherwise }),
                Transfer::Branch { condition: found, then: yes, otherwise: no },
            ) => {
                if !self.walk.same(place.frames.last(), *condition, *found) {
                    return refuse("another condition");
                }
                self.arrive(*yes, at(*then))?;
                self.arrive(*no, at(*otherwise))
            }
            (_, Transfer::Goto(targets)) if targets.len() == 1 => {
                if !goes_on {
                    self.silent.insert(block, targets[0]);
                }
                self.arrive(targets[0], place)
            }
            _ => refuse("it goes on in another way"),
        }
    }
}
