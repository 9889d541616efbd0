//! Dives: long runs with habits.
//!
//! In a dive every choice has a favourite, which is drawn when the choice is met first, and left once in so many times.
//! So a dive goes round a loop a million times, or leaves it at once, and an input is the same throughout, or always
//! another one, or grows or falls by one each time: what is found last in a sorted array, or is larger than all before it, no constant shows. The starts of dives are spread evenly over the places of the program.
//!
//! The first dives are plain: from the beginning, with zero for every input, except that the first few at each place are one. Programs
//! that ask again and again whether to go on then do so a few times and come to their end, where most of their errors are.

use super::nodes::Node;
use super::pilot::{Decision, Log, Mark, Pilot};
use super::places::{Choice, ChoicePlace};
use super::{Search, limits, values};
use base::Interrupted;
use ir::interpreter::{Outcome, Snapshot};
use program::ConcreteRun;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// A dive under way.
struct Dive<'p> {
    /// The last state of it that was kept, at first the one from which it started: the log of the pilot begins there.
    node: Node,
    habits: FxHashMap<ChoicePlace, Habit>,
    /// In a plain dive: at every place so many choices are left that are not zero.
    plain: Option<usize>,
    /// How often a plain dive has met a place.
    met: FxHashMap<ChoicePlace, usize>,
    /// The last choices.
    taken: VecDeque<Taken<'p>>,
    /// The number of steps of the search at which the dive ends.
    end: u64,
}

/// What a dive does at a place.
struct Habit {
    favourite: Decision,
    /// Something else is done once in so many times; zero stands for never.
    exception: usize,
    /// By how much numbers change from one time to the next.
    step: i64,
}

impl Habit {
    /// What is done now.
    fn next(&mut self) -> Decision {
        let now = self.favourite.clone();
        if self.step != 0
            && let Decision::Values(values) = &mut self.favourite
        {
            values.iter_mut().for_each(|(_, value)| *value = values::beside(value, self.step));
        }
        now
    }
}

/// A choice that can be taken back.
struct Taken<'p> {
    snapshot: Snapshot<'p>,
    /// Where the log began at that time.
    node: Node,
    place: ChoicePlace,
    mark: Mark,
    tries: usize,
}

impl<'p> Search<'p> {
    /// A run from some state, of at most so many steps; also counts runs that say nothing.
    pub(super) fn dive(&mut self, left: u64) -> Result<Option<ConcreteRun>, Interrupted> {
        self.fruitless += 1;
        self.statistics.dives += 1;
        // A dive is rarely longer than the whole search so far, so one without end cannot take everything.
        let longest = self.statistics.steps.max(limits::SHORTEST).ilog2() as usize + 1;
        let exponent = if self.random.once_in(2) { longest } else { 8 + self.random.below(longest - 8) };
        let end = self.statistics.steps + left.min(1 << exponent);
        let plain =
            usize::try_from(self.statistics.dives - 1).ok().filter(|&number| number < limits::PLAIN_DIVES);
        let from_start = plain.is_some() || (self.has_inputs && self.random.once_in(4));
        let start = if from_start { None } else { self.nodes.start(&mut self.random) };
        let (node, snapshot) = match start {
            Some((node, snapshot)) => (node, Some(snapshot)),
            None => (self.nodes.some_root(&mut self.random), None),
        };
        let places = Rc::clone(&self.places);
        let mut pilot = Pilot::new(&places, Log::after(self.nodes[node].log.asked));
        let mut outcome = match snapshot {
            Some(snapshot) => {
                self.interpreter.restore(&snapshot);
                pilot.at = self.nodes[node].place;
                Outcome::Stopped
            }
            None => {
                if let Some(Choice::Values(variables)) = self.choice(node) {
                    let drawn = match plain {
                        Some(_) => self.listed(&variables, 0),
                        None => self.draw_at(node, &variables),
                    };
                    pilot.decide(Some(drawn));
                }
                self.follow(node, &mut pilot, end - self.statistics.steps)?
            }
        };
        let mut dive = Dive {
            node,
            habits: FxHashMap::default(),
            plain,
            met: FxHashMap::default(),
            taken: VecDeque::new(),
            end,
        };
        while !pilot.spoiled && self.statistics.steps < end {
            if !matches!(outcome, Outcome::CannotEvaluate(..)) {
                self.fruitless = 0;
            }
            outcome = match (outcome, pilot.at) {
                (Outcome::Failed(_), _) => return Ok(Some(self.nodes.run(dive.node, pilot.log))),
                (Outcome::Stopped, Some(place)) => self.choose(&mut dive, &mut pilot, place)?,
                (Outcome::Blocked(_), _) => {
                    self.statistics.blocked += 1;
                    match self.take_back(&mut dive, &mut pilot)? {
                        Some(outcome) => outcome,
                        None => return Ok(None),
                    }
                }
                _ => return Ok(None),
            };
        }
        Ok(None)
    }

    /// Follows the habit at a place.
    fn choose(
        &mut self,
        dive: &mut Dive<'p>,
        pilot: &mut Pilot<'_>,
        place: ChoicePlace,
    ) -> Result<Outcome, Interrupted> {
        if self.nodes.met(place) < limits::OFTEN && !self.nodes.are_full() {
            // The log goes on behind the state that is kept. If each of the states had all of it, a dive through n places would keep n² entries.
            let behind = Log::after(pilot.log.asked);
            let mut log = std::mem::replace(&mut pilot.log, behind);
            log.shrink();
            if let Some(kept) = self.keep(dive.node, Some(place), log) {
                dive.node = kept;
            }
        }
        if dive.taken.len() == limits::MOST_TAKEN_BACK {
            dive.taken.pop_front();
        }
        let snapshot = self.interpreter.snapshot();
        let (node, mark) = (dive.node, pilot.log.mark());
        dive.taken.push_back(Taken { snapshot, node, place, mark, tries: 0 });
        if let Some(others) = dive.plain {
            let met = dive.met.entry(place).or_default();
            *met += 1;
            let decision = self.plainly(place, *met, others);
            return self.go_on(dive, pilot, decision);
        }
        let decision = match dive.habits.get_mut(&place) {
            Some(habit) if habit.exception == 0 || !self.random.once_in(habit.exception) => habit.next(),
            Some(_) => self.any(place),
            None => {
                let favourite = self.any(place);
                let which = self.random.below(limits::EXCEPTIONS.len());
                let step = match which {
                    limits::GROWING if self.statistics.dives.is_multiple_of(2) => 1,
                    limits::GROWING => -1,
                    _ => 0,
                };
                let mut habit = Habit { favourite, exception: limits::EXCEPTIONS[which], step };
                let decision = habit.next();
                dive.habits.insert(place, habit);
                decision
            }
        };
        self.go_on(dive, pilot, decision)
    }

    fn go_on(
        &mut self,
        dive: &Dive<'p>,
        pilot: &mut Pilot<'_>,
        decision: Decision,
    ) -> Result<Outcome, Interrupted> {
        pilot.decide(Some(decision));
        let limit = dive.end.saturating_sub(self.statistics.steps);
        let outcome = self.interpreter.proceed(pilot, limits(limit))?;
        self.charge();
        Ok(outcome)
    }

    /// What a plain dive chooses when it meets a place for so many times: one for some times, and zero from then on.
    fn plainly(&mut self, place: ChoicePlace, met: usize, others: usize) -> Decision {
        let places = Rc::clone(&self.places);
        match &places.choices[place].choice {
            Choice::Target(count) => Decision::Target(((met + others) % count) as u32),
            Choice::Values(variables) => self.listed(variables, usize::from(met <= others)),
        }
    }

    /// The listed values with a number.
    fn listed(&self, variables: &[ir::Variable], number: usize) -> Decision {
        let value = |&variable: &ir::Variable| {
            (variable, self.values.list(self.program, self.program.variables[variable].ty, number))
        };
        Decision::Values(variables.iter().map(value).collect())
    }

    /// Anything that can be chosen.
    fn any(&mut self, place: ChoicePlace) -> Decision {
        let places = Rc::clone(&self.places);
        match &places.choices[place].choice {
            Choice::Target(count) => Decision::Target(self.random.below(*count) as u32),
            Choice::Values(variables) => self.draw(variables),
        }
    }

    /// Goes another way where a choice was made last; none if nothing is left to be taken back.
    fn take_back(
        &mut self,
        dive: &mut Dive<'p>,
        pilot: &mut Pilot<'_>,
    ) -> Result<Option<Outcome>, Interrupted> {
        let Some(last) = dive.taken.back_mut() else { return Ok(None) };
        last.tries += 1;
        let (place, tries) = (last.place, last.tries);
        self.interpreter.restore(&last.snapshot);
        if dive.node != last.node {
            // What was decided up to that choice went to the next state that was kept.
            pilot.log = self.nodes.log_behind(last.node, dive.node).clone();
            dive.node = last.node;
        }
        pilot.log.cut(last.mark);
        if tries == limits::MOST_RETRIES {
            // The last of the ways; if it is refused too, an earlier choice is to blame.
            dive.taken.pop_back();
        }
        let places = Rc::clone(&self.places);
        let decision = match &places.choices[place].choice {
            Choice::Target(count) => {
                Decision::Target((self.random.below(*count) + tries) as u32 % *count as u32)
            }
            Choice::Values(variables) => self.draw(variables),
        };
        self.go_on(dive, pilot, decision).map(Some)
    }
}
