//! The driver of a run: answers what was decided, writes it down, and stops where there is something to decide.

use super::places::{ChoicePlace, Next, Places, vague};
use ir::interpreter::{Driver, Event, Place, Reason, Request, State, Value, default_value};
use ir::{Block, Function, Procedure, Program, Variable};

/// What was decided so far, beside default values.
#[derive(Clone, Default, Debug)]
pub struct Log {
    /// How many values the run has asked for since its beginning.
    pub asked: u64,
    /// Those that are not the default of their variable, with their position among all.
    pub values: Vec<(u64, Value)>,
    /// The targets, all of them.
    pub targets: Vec<u32>,
}

/// A position in a log.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    asked: u64,
    values: usize,
    targets: usize,
}

impl Log {
    /// A log that goes on where another one is.
    pub fn after(asked: u64) -> Log {
        Log { asked, values: Vec::new(), targets: Vec::new() }
    }

    /// Gives back what it has reserved.
    pub fn shrink(&mut self) {
        self.values.shrink_to_fit();
        self.targets.shrink_to_fit();
    }

    /// The end as it is now.
    pub fn mark(&self) -> Mark {
        Mark { asked: self.asked, values: self.values.len(), targets: self.targets.len() }
    }

    /// Forgets everything behind a mark.
    pub fn cut(&mut self, mark: Mark) {
        self.asked = mark.asked;
        self.values.truncate(mark.values);
        self.targets.truncate(mark.targets);
    }
}

/// What is decided at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The target of a jump.
    Target(u32),
    /// The values of variables; others get their default.
    Values(Vec<(Variable, Value)>),
}

/// The driver.
pub struct Pilot<'a> {
    places: &'a Places,
    /// What was answered.
    pub log: Log,
    decision: Option<Decision>,
    /// What equations demand in the present step.
    demanded: Vec<(Variable, Value)>,
    /// Where the run stopped.
    pub at: Option<ChoicePlace>,
    /// Whether the run has met a statement that allows more than the original program does.
    pub spoiled: bool,
}

impl<'a> Pilot<'a> {
    /// A driver that has decided nothing.
    pub fn new(places: &'a Places, log: Log) -> Pilot<'a> {
        Pilot { places, log, decision: None, demanded: Vec::new(), at: None, spoiled: false }
    }

    /// Decides the next step.
    pub fn decide(&mut self, decision: Option<Decision>) {
        self.decision = decision;
        self.demanded.clear();
        self.at = None;
    }
}

impl Driver for Pilot<'_> {
    fn choose(&mut self, program: &Program, variable: Variable, _: Reason) -> Option<Value> {
        let position = self.log.asked;
        self.log.asked += 1;
        let default = default_value(program, variable);
        if let Some((_, value)) = self.demanded.iter().find(|(name, _)| *name == variable) {
            let value = value.clone();
            if value != default {
                self.log.values.push((position, value.clone()));
            }
            return Some(value);
        }
        if let Some(Decision::Values(values)) = &self.decision
            && let Some((_, value)) = values.iter().find(|(name, _)| *name == variable)
            && *value != default
        {
            self.log.values.push((position, value.clone()));
            return Some(value.clone());
        }
        Some(default)
    }

    fn requests(&mut self, place: Place) -> Vec<Request> {
        self.places.demands(place).to_vec()
    }

    fn suggest(&mut self, variable: Variable, value: Value) {
        self.demanded.push((variable, value));
    }

    fn goto(&mut self, _: &Program, _: Procedure, _: Block) -> Option<usize> {
        let target = match self.decision {
            Some(Decision::Target(target)) => target,
            _ => 0,
        };
        self.log.targets.push(target);
        Some(target as usize)
    }

    fn apply(&mut self, program: &Program, function: Function, _: &[Value]) -> Option<Value> {
        let data = &program.functions[function];
        if vague(&data.attributes) {
            self.spoiled = true;
            return None;
        }
        Some(Value::default_of(program, data.result))
    }

    fn observe(&mut self, state: &State<'_>, _: Event<'_>) -> bool {
        self.decision = None;
        self.demanded.clear();
        match state.frames().next_back().map_or(Next::Step, |place| self.places.at(place)) {
            Next::Step => return true,
            Next::Choice(place) => self.at = Some(place),
            Next::Vague => self.spoiled = true,
        }
        false
    }
}
