//! The walk through one procedure, in the watched program and in the product.

use super::steps::Steps;
use crate::Refusal;
use crate::product::arrivals::Arrivals;
use crate::product::walk::{Frame, Next, Place, Walk, refuse};
use ir::{Attribute, AttributeArgument, Block, Body, Statement, StatementKind, Transfer};
use std::collections::BTreeMap;

/// Checks that a body of the product is that of the watched procedure, with the steps of the automaton.
pub(super) fn check<'a>(walk: Walk<'a>, body: &'a Body, steps: &mut Steps<'a>) -> Result<(), Refusal> {
    Check { walk, body, steps, arrivals: Arrivals::new(body) }.run()
}

struct Check<'a, 'b> {
    walk: Walk<'a>,
    /// The body in the product.
    body: &'a Body,
    steps: &'b mut Steps<'a>,
    arrivals: Arrivals<'a>,
}

impl Check<'_, '_> {
    fn run(&mut self) -> Result<(), Refusal> {
        let first = Place {
            frames: vec![self.walk.frame(self.walk.start, BTreeMap::new(), &[])],
            started: true,
            evaluated: false,
            state: 0,
            stack: Vec::new(),
            seen: false,
            idle: false,
        };
        self.arrivals.arrive(&self.walk, self.body.entry(), first)?;
        while let Some((block, place)) = self.arrivals.next() {
            self.block(block, place)?;
        }
        self.arrivals.never_go_round()
    }

    fn block(&mut self, block: Block, mut place: Place) -> Result<(), Refusal> {
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
        let returns = self.body.blocks[block].transfer == Transfer::Return;
        if returns && place.frames.len() == 1 && matches!(self.walk.next(&place), Next::Leave) {
            return Ok(());
        }
        self.arrivals.leave(&self.walk, (block, place), goes_on)
    }
}
