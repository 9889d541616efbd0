//! Violations in programs with threads, as witnesses of version 2.2.
//!
//! Every waypoint names its thread: 0 is the first one, and the others are numbered in the order of the calls that create
//! them, each of which is a waypoint. Values of inputs are those that calls return, because other threads may change a variable
//! before the next statement. A race is a segment with two targets. Requires that all steps of the execution were written down
//! and that threads are created in the main file; otherwise there is no such witness.

use super::{MOST_INPUTS, Outline, literal};
use crate::report::meeting;
use crate::view::View;
use base::Span;
use c::{Event, Monitor, Place, Race, Segment, Waypoint};
use certify::Execution;
use ir::StatementKind;
use ir::interpreter::Effect;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

/// What an execution of several threads passes; `target` is the place of the statement that fails.
pub(super) fn violation(
    view: &View,
    outline: &Outline<'_>,
    execution: &Execution,
    target: &Place,
) -> Option<Monitor> {
    let mut teller = Teller { view, outline, numbers: BTreeMap::from([(0, 0)]), waypoints: Vec::new() };
    if execution.left_out.is_some() {
        return None;
    }
    let mut previous = None;
    // In a recursive call, it is the thread that has made it.
    let mut running = None;
    for event in &execution.events {
        let Some(step) = view.step_of(event.place).or(running) else { continue };
        running = Some(step);
        let is_new = previous != Some((event.place.procedure, event.place.block));
        previous = Some((event.place.procedure, event.place.block));
        let body = view.program.procedures[event.place.procedure].body.as_ref();
        let statement =
            body.and_then(|body| body.blocks[event.place.block].statements.get(event.place.index));
        if let (Some(Effect::Starts(slot)), true) = (step.effect, is_new) {
            teller.creates(step.thread, slot, statement?.span)?;
        }
        let asked = statement.filter(|statement| matches!(statement.kind, StatementKind::Havoc(_)));
        for (variable, value) in event.changed.iter().filter(|_| asked.is_some()) {
            let number = value.as_int().and_then(|value| value.to_big().to_i128());
            let at = asked.map(|statement| statement.span);
            teller.answers(step.thread, *variable, number.zip(at))?;
        }
        if teller.waypoints.len() > MOST_INPUTS {
            return None;
        }
    }
    let parts = meeting::of_failure(view, execution);
    let mut race = None;
    match &parts[..] {
        [] => {
            let thread = view.step_of(execution.failure.place).or(running)?.thread;
            teller.pass(thread, target.clone(), Event::Target)?;
        }
        [one, other] => {
            let names = view.threads.as_ref()?.names.get(&execution.failure.place.procedure)?;
            for part in [one, other] {
                let thread = slot_of(names, part.thread)?;
                let (statement, _) = outline.around(part.span)?;
                teller.pass(thread, outline.place(statement.span), Event::Target)?;
            }
            race = teller.waypoints.pop().map(Race::Between);
        }
        _ => return None,
    }
    let segments = teller.waypoints.into_iter().map(|follow| Segment { avoid: Vec::new(), follow }).collect();
    Some(Monitor { segments, race, ..Monitor::default() })
}

/// The slot of the thread with a name, if only one has it.
fn slot_of(names: &[String], name: &str) -> Option<usize> {
    let mut slots =
        (0..names.len()).filter(|&slot| if slot == 0 { name == "main" } else { names[slot] == name });
    let slot = slots.next()?;
    slots.next().is_none().then_some(slot)
}

struct Teller<'v> {
    view: &'v View,
    outline: &'v Outline<'v>,
    /// The numbers of the threads that are in slots.
    numbers: BTreeMap<usize, u32>,
    waypoints: Vec<Waypoint>,
}

impl Teller<'_> {
    /// Something happens in the thread of a slot.
    fn pass(&mut self, slot: usize, place: Place, event: Event) -> Option<()> {
        let thread = Some(*self.numbers.get(&slot)?);
        let entry = u32::try_from(self.waypoints.len()).ok()? + 1;
        self.waypoints.push(Waypoint { entry, place, event, thread });
        Some(())
    }

    /// The place of the parenthesis that closes a call of the main file.
    fn closing(&self, call: Span) -> Option<Place> {
        let text = self.outline.sources.text(call);
        if call.file != self.outline.file || !text.ends_with(')') {
            return None;
        }
        Some(self.outline.place(Span::new(call.file, call.end - 1, call.end)))
    }

    /// A thread creates the one in another slot.
    fn creates(&mut self, by: usize, slot: usize, call: Span) -> Option<()> {
        let place = self.closing(call)?;
        self.pass(by, place, Event::Enter)?;
        let created = self.waypoints.iter().filter(|waypoint| waypoint.event == Event::Enter).count();
        self.numbers.insert(slot, u32::try_from(created).ok()?);
        Some(())
    }

    /// The environment answers a thread, if the variable is one that takes answers. Those that are no numbers, or come
    /// from calls elsewhere, are not told.
    fn answers(&mut self, slot: usize, variable: ir::Variable, told: Option<(i128, Span)>) -> Option<()> {
        let (threads, back) = (self.view.threads.as_ref()?, self.view.back.as_ref()?);
        let mut original = variable;
        while let Some(&copied) = threads.copies.get(&original) {
            original = copied;
        }
        let Some(input) = back.inputs.iter().find(|input| input.variable == original) else {
            return Some(());
        };
        let (Some((number, at)), Some(place)) = (told, self.closing(input.span)) else { return Some(()) };
        // The variables of a thread that begins have any values as well, which nobody has asked for.
        if at != input.span || !self.outline.sources.text(input.span).starts_with(&input.function) {
            return Some(());
        }
        self.pass(slot, place, Event::Return(Some(format!("\\result == {}", literal(number)))))
    }
}
