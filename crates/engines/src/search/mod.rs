//! Concrete search: runs of the interpreter, many and long ones, until an assertion fails.
//!
//! Where a bug needs many steps but few inputs, running the program beats reasoning about it. Two searches take turns:
//!
//! * *exploration* ([`explore`](Search::explore)), breadth first over states in which the run has a choice, each state
//!   once; long stretches without choice are followed in slices;
//! * *dives* ([`dives`]), long runs from states that were seen, with one random habit for every choice; where an
//!   assumption blocks a dive, the last choices are taken back.
//!
//! What is chosen: [`places`], [`liveness`]. From what: [`values`]. How runs are driven and written down: [`pilot`].
//!
//! Requires a well-formed program. Guarantees that an error that it finds is a run of the program, which does not pass
//! a statement marked as an over-approximation; replaying it is left to the caller. Never proves safety, except that it
//! says so when every run was seen. Same program, same search: all random numbers come from a fixed seed. Costs at most
//! the given steps of the interpreter, and memory in proportion to the states that it keeps, of which there is a limit.

mod dives;
mod keys;
pub mod liveness;
mod nodes;
mod pilot;
pub mod places;
pub mod values;

use base::{Budget, Interrupted};
use ir::interpreter::{Interpreter, Limits, Outcome};
use ir::{ExprData, Procedure, Variable};
use nodes::{Node, NodeData, Nodes};
use pilot::{Decision, Log, Pilot};
use places::{Choice, ChoicePlace, Places};
use program::{ConcreteRun, Reason, Verdict};
use rustc_hash::FxHashSet;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use values::{Random, Values};

/// So many steps without choice are followed before others have their turn.
const SLICE: u64 = 50_000;
/// A turn costs at least so many steps, since states are copied.
const TURN: u64 = 20;
/// So many values are tried for several variables at once.
const MOST_DRAWS: usize = 24;

base::statistics! {
    /// What a concrete search did.
    pub struct SearchStatistics {
        steps: "steps of the interpreter",
        states: "states with a choice that were kept",
        seen: "states that were seen before",
        dives: "long runs",
        blocked: "choices that an assumption refused",
    }
}

/// What can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The search gives up after so many steps.
    pub most_steps: u64,
}

/// Searches runs that begin in one of the procedures.
pub fn find(
    program: &ir::Program,
    entries: &[Procedure],
    options: Options,
    budget: &Budget,
    statistics: &mut SearchStatistics,
) -> Result<Verdict, Interrupted> {
    let places = Places::new(program);
    let mut search = Search {
        program,
        places: &places,
        values: Values::new(program),
        inputs: inputs(program),
        interpreter: Interpreter::new(program, budget.clone()),
        nodes: Nodes::new(),
        queue: VecDeque::new(),
        seen: FxHashSet::default(),
        random: Random::new(1),
        statistics,
    };
    for &entry in entries {
        let root = search.nodes.root(entry);
        search.queue.push_back(root);
    }
    let found = search.run(options.most_steps)?;
    Ok(match found {
        End::Failed(run) => Verdict::Run(Box::new(run)),
        End::Tired => Verdict::Unknown(Reason::NoRun("the limit of steps was reached".to_owned())),
    })
}

enum End {
    Failed(ConcreteRun),
    Tired,
}

struct Search<'p, 's> {
    program: &'p ir::Program,
    places: &'s Places,
    values: Values,
    /// The constants and globals that the program reads.
    inputs: Vec<Variable>,
    interpreter: Interpreter<'p>,
    nodes: Nodes<'p>,
    /// States whose choices are not exhausted, breadth first.
    queue: VecDeque<Node>,
    seen: FxHashSet<u64>,
    random: Random,
    statistics: &'s mut SearchStatistics,
}

/// The constants and globals that some expression reads.
fn inputs(program: &ir::Program) -> Vec<Variable> {
    let read: BTreeSet<Variable> = program
        .expressions
        .iter()
        .filter_map(|(_, node)| match node.data {
            ExprData::Variable(variable) | ExprData::Old(variable) => Some(variable),
            _ => None,
        })
        .collect();
    program
        .constants
        .iter()
        .chain(&program.globals)
        .filter(|variable| read.contains(variable))
        .copied()
        .collect()
}

fn limits(steps: u64) -> Limits {
    Limits { steps, ..Limits::default() }
}

impl<'p> Search<'p, '_> {
    fn run(&mut self, most_steps: u64) -> Result<End, Interrupted> {
        let mut explored = 0;
        let mut dived = 0;
        loop {
            let left = most_steps.saturating_sub(self.statistics.steps);
            if left == 0 || (self.queue.is_empty() && !self.nodes.has_corpus()) {
                return Ok(End::Tired);
            }
            let before = self.statistics.steps;
            if (explored <= dived || !self.nodes.has_corpus())
                && let Some(&node) = self.queue.front()
            {
                if let Some(run) = self.explore(node)? {
                    return Ok(End::Failed(run));
                }
                explored += self.statistics.steps - before;
            } else {
                if let Some(run) = self.dive(left)? {
                    return Ok(End::Failed(run));
                }
                dived += self.statistics.steps - before;
            }
        }
    }

    /// Takes the next way out of a state.
    fn explore(&mut self, node: Node) -> Result<Option<ConcreteRun>, Interrupted> {
        let number = self.nodes[node].tried;
        self.nodes[node].tried += 1;
        let decision = self.alternative(node, number);
        if number + 1 >= self.alternatives(node) {
            self.queue.pop_front();
        }
        let mut pilot = Pilot::new(self.places, Log::after(self.nodes[node].log.asked));
        pilot.decide(decision);
        let outcome = self.follow(node, &mut pilot, SLICE)?;
        if number + 1 >= self.alternatives(node) {
            self.nodes.exhausted(node);
        }
        self.arrive(node, pilot, outcome)
    }

    /// Runs on from a state, or from the beginning.
    fn follow(&mut self, node: Node, pilot: &mut Pilot<'_>, steps: u64) -> Result<Outcome, Interrupted> {
        let limits = limits(steps);
        let outcome = match &self.nodes[node].snapshot {
            Some(snapshot) => {
                self.interpreter.restore(snapshot);
                self.interpreter.proceed(pilot, limits)?
            }
            None => {
                let entry = self.nodes[node].entry;
                let outcome = self.interpreter.run(entry, &[], pilot, limits)?;
                if !self.interpreter.unchecked_axioms().is_empty() {
                    // Nobody knows whether this is a run of the program.
                    pilot.spoiled = true;
                }
                outcome
            }
        };
        self.statistics.steps += self.interpreter.steps_taken() + TURN;
        Ok(outcome)
    }

    /// Keeps the state in which a run has stopped, if it is new, or tells of the failure.
    fn arrive(
        &mut self,
        from: Node,
        pilot: Pilot<'_>,
        outcome: Outcome,
    ) -> Result<Option<ConcreteRun>, Interrupted> {
        if pilot.spoiled {
            return Ok(None);
        }
        match outcome {
            Outcome::Failed(_) => return Ok(Some(self.nodes.run(from, pilot.log))),
            Outcome::Stopped | Outcome::OutOfSteps => {}
            Outcome::Blocked(_) => {
                self.statistics.blocked += 1;
                return Ok(None);
            }
            _ => return Ok(None),
        }
        if self.is_new(pilot.at)
            && let Some(node) = self.keep(from, pilot.at, pilot.log)
        {
            self.queue.push_back(node);
        }
        Ok(None)
    }

    /// Was no state like the present one seen before?
    fn is_new(&mut self, at: Option<ChoicePlace>) -> bool {
        let Some(place) = at else { return true };
        let key = keys::key(self.program, &self.interpreter.state(), &self.places.choices[place]);
        let new = key.is_none_or(|key| self.seen.insert(key));
        self.statistics.seen += u64::from(!new);
        new
    }

    /// Makes a node of the present state; none if there are too many.
    fn keep(&mut self, parent: Node, at: Option<ChoicePlace>, log: Log) -> Option<Node> {
        let entry = self.nodes[parent].entry;
        let snapshot = Some(Rc::new(self.interpreter.snapshot()));
        let node =
            self.nodes.add(NodeData { parent: Some(parent), entry, place: at, log, snapshot, tried: 0 })?;
        self.statistics.states += 1;
        if let Some(place) = at {
            self.nodes.remember(place, node, &mut self.random);
        }
        Some(node)
    }

    /// What has to be decided in a state.
    fn choice(&self, node: Node) -> Option<Choice> {
        let data = &self.nodes[node];
        match (data.place, data.parent) {
            (Some(place), _) => Some(self.places.choices[place].choice.clone()),
            (None, Some(_)) => None,
            (None, None) => {
                let parameters = &self.program.procedures[data.entry].parameters;
                let own = &self.places.at_entry[data.entry];
                let all: Vec<Variable> = self.inputs.iter().chain(parameters).chain(own).copied().collect();
                (!all.is_empty()).then_some(Choice::Values(all))
            }
        }
    }

    /// How many ways out of a state are taken one after the other.
    fn alternatives(&self, node: Node) -> usize {
        match self.choice(node) {
            None => 1,
            Some(Choice::Target(count)) => count,
            Some(Choice::Values(variables)) => match variables.as_slice() {
                [one] => match self.values.listed(self.program, self.program.variables[*one].ty) {
                    2 => 2,
                    listed => (2 * listed).min(2 * MOST_DRAWS),
                },
                _ => MOST_DRAWS,
            },
        }
    }

    /// One of them.
    fn alternative(&mut self, node: Node, number: usize) -> Option<Decision> {
        let variables = match self.choice(node)? {
            Choice::Target(_) => return Some(Decision::Target(number as u32)),
            Choice::Values(variables) => variables,
        };
        if let [one] = variables.as_slice() {
            let ty = self.program.variables[*one].ty;
            let listed = self.values.listed(self.program, ty);
            if listed == 2 || number % 2 == 0 {
                let number = if listed == 2 { number } else { number / 2 };
                return Some(Decision::Values(vec![(*one, self.values.list(self.program, ty, number))]));
            }
        }
        if number == 0 {
            return Some(Decision::Values(Vec::new()));
        }
        Some(self.draw(&variables))
    }

    /// Values for variables, near those of the state in which the interpreter is.
    fn draw(&mut self, variables: &[Variable]) -> Decision {
        let state = self.interpreter.state();
        let visible: Vec<Variable> = match state.frames().next_back() {
            Some(place) => {
                let data = &self.program.procedures[place.procedure];
                let locals = data.body.iter().flat_map(|body| &body.locals);
                self.inputs
                    .iter()
                    .chain(&data.parameters)
                    .chain(&data.results)
                    .chain(locals)
                    .copied()
                    .collect()
            }
            None => Vec::new(),
        };
        let mut decided = Vec::with_capacity(variables.len());
        for &variable in variables {
            let ty = self.program.variables[variable].ty;
            let value = self.values.draw(self.program, ty, &visible, Some(&state), &mut self.random);
            decided.push((variable, value));
        }
        Decision::Values(decided)
    }
}
