//! Concrete search: runs of the interpreter, many and long ones, until an assertion fails.
//!
//! Where a bug needs many steps but few inputs, running the program beats reasoning about it. Three kinds of turns
//! share the steps:
//!
//! * *exploration*, breadth first over states in which the run has a choice, each state once;
//! * *stretches* without choice, in slices, mostly one after the other;
//! * *dives* ([`dives`]), long runs from states that were seen, with one random habit for every choice; where an
//!   assumption blocks a dive, the last choices are taken back.
//!
//! What is chosen: [`places`], [`liveness`](crate::liveness), and not where an equation leaves no choice. From what: [`values`]. How runs are driven and written down: [`pilot`].
//!
//! Requires a well-formed program. Guarantees that an error that it finds is a run of the program, which does not pass
//! a statement marked as an over-approximation; replaying it is left to the caller. Never proves safety, except that it
//! says so when every run was seen. Same program, same search: all random numbers come from a fixed seed. Costs at most
//! the given steps of the interpreter, and memory in proportion to the states that it keeps, of which there is a limit.

mod dives;
mod equations;
mod keys;
mod limits;

mod nodes;
mod pilot;
pub mod places;
pub mod values;

use crate::task::Task;
use base::Random;
use base::{Budget, Interrupted};
use ir::interpreter::{Interpreter, Limits, Outcome};
use ir::{Expr, ExprData, Procedure, Specification, StatementKind, Variable};
use nodes::{Node, NodeData, Nodes};
use pilot::{Decision, Log, Pilot};
use places::{Choice, ChoicePlace, Places};
use program::{ConcreteRun, Reason, Verdict};
use rustc_hash::FxHashSet;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use values::Values;

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

/// A search, which can be interrupted and gone on with.
pub struct Search<'p> {
    program: &'p ir::Program,
    places: Rc<Places>,
    values: Values,
    /// The constants and globals that the program reads.
    inputs: Vec<Variable>,
    interpreter: Interpreter<'p>,
    nodes: Nodes<'p>,
    /// States whose choices are not exhausted, breadth first.
    queue: VecDeque<Node>,
    /// Runs that were interrupted in a stretch without choice.
    stretches: VecDeque<Node>,
    /// How many slices the first of them has had.
    slices: u64,
    seen: FxHashSet<u64>,
    /// Is there something to choose before a run begins?
    has_inputs: bool,
    random: Random,
    budget: Budget,
    /// How many steps each kind of turn has taken.
    taken: [u64; 3],
    /// How many of the last dives have met something that cannot be evaluated.
    fruitless: u64,
    /// What was counted.
    pub statistics: SearchStatistics,
}

/// What a turn does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    Explore,
    Stretch,
    Dive,
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

/// The engine: a search from the procedures in which the program begins.
pub fn run(task: &mut Task<'_>) -> Result<Verdict, Interrupted> {
    let mut entries = task.source.entries();
    entries.retain(|&entry| may_fail(task.source, entry));
    let mut search = Search::new(task.source, &entries, &task.budget);
    let verdict = search.run(u64::MAX);
    task.counted.add(search.statistics.entries());
    verdict
}

/// Whether something is checked in a procedure, or in what it calls.
fn may_fail(program: &ir::Program, entry: Procedure) -> bool {
    let checks = |clauses: &[Specification]| clauses.iter().any(|clause| !clause.free);
    let mut reached = BTreeSet::from([entry]);
    let mut pending = vec![entry];
    while let Some(procedure) = pending.pop() {
        let data = &program.procedures[procedure];
        let Some(body) = &data.body else { continue };
        if checks(&data.ensures) {
            return true;
        }
        for statement in body.blocks.values().flat_map(|block| &block.statements) {
            match &statement.kind {
                StatementKind::Assert(..) => return true,
                StatementKind::Call { procedure, .. } | StatementKind::Fork { procedure, .. } => {
                    if checks(&program.procedures[*procedure].requires) {
                        return true;
                    }
                    if reached.insert(*procedure) {
                        pending.push(*procedure);
                    }
                }
                _ => {}
            }
        }
    }
    false
}

fn limits(steps: u64) -> Limits {
    Limits { steps, ..Limits::default() }
}

impl<'p> Search<'p> {
    /// A search of runs that begin in one of the procedures.
    pub fn new(program: &'p ir::Program, entries: &[Procedure], budget: &Budget) -> Search<'p> {
        let mut nodes = Nodes::new();
        let queue: VecDeque<Node> = entries.iter().map(|&entry| nodes.root(entry)).collect();
        let mut search = Search {
            program,
            places: Rc::new(Places::new(program)),
            values: Values::new(program),
            inputs: inputs(program),
            interpreter: Interpreter::new(program, budget.clone()),
            nodes,
            queue,
            stretches: VecDeque::new(),
            slices: 0,
            seen: FxHashSet::default(),
            random: Random::new(1),
            budget: budget.clone(),
            has_inputs: false,
            taken: [0; 3],
            fruitless: 0,
            statistics: SearchStatistics::default(),
        };
        search.has_inputs = search.queue.iter().any(|&root| search.choice(root).is_some());
        search
    }

    /// Goes on for so many steps.
    pub fn run(&mut self, steps: u64) -> Result<Verdict, Interrupted> {
        let end = self.statistics.steps.saturating_add(steps);
        while self.statistics.steps < end {
            self.budget.check()?;
            let Some(turn) = self.turn() else {
                return Ok(Verdict::Unknown(Reason::NoRun("nothing is left to be tried".to_owned())));
            };
            let before = self.statistics.steps;
            let found = match turn {
                Turn::Explore => self.explore()?,
                Turn::Stretch => self.stretch()?,
                Turn::Dive => self.dive(end - before)?,
            };
            self.taken[turn as usize] += self.statistics.steps - before;
            if let Some(run) = found {
                return Ok(Verdict::Run(Box::new(run)));
            }
        }
        Ok(Verdict::Unknown(Reason::NoRun("the limit of steps was reached".to_owned())))
    }

    /// The kind of turn that has taken least so far, of those that are possible.
    fn turn(&self) -> Option<Turn> {
        let possible = [
            (Turn::Explore, !self.queue.is_empty()),
            (Turn::Stretch, !self.stretches.is_empty()),
            (
                Turn::Dive,
                (self.nodes.has_corpus() || self.has_inputs) && self.fruitless < limits::MOST_FRUITLESS,
            ),
        ];
        let turns = possible.into_iter().filter(|(_, possible)| *possible).map(|(turn, _)| turn);
        turns.min_by_key(|&turn| self.taken[turn as usize])
    }

    /// Goes on with an interrupted run: most often with the first one, until it ends or has had its time.
    fn stretch(&mut self) -> Result<Option<ConcreteRun>, Interrupted> {
        if self.slices >= limits::MOST_SLICES {
            self.slices = 0;
            self.stretches.rotate_left(1);
        }
        let count = self.stretches.len();
        let other = count > 1 && self.random.once_in(3);
        let position = if other { 1 + self.random.below(count - 1) } else { 0 };
        let Some(node) = self.stretches.remove(position) else { return Ok(None) };
        self.slices += u64::from(position == 0);
        let before = self.budget.effort();
        let found = self.advance(node, None)?;
        let spent = self.budget.effort().saturating_sub(before);
        self.budget.take_back(spent - spent / limits::STRETCHES_ARE_CHEAPER);
        // If it was interrupted again, it is the last of the list.
        let again = self.stretches.back().is_some_and(|&last| self.nodes[last].parent == Some(node));
        if again && let Some(last) = self.stretches.pop_back() {
            self.stretches.insert(position, last);
        } else if position == 0 {
            self.slices = 0;
        }
        Ok(found)
    }

    /// Takes the next way out of the state that is first in the queue.
    fn explore(&mut self) -> Result<Option<ConcreteRun>, Interrupted> {
        let Some(&node) = self.queue.front() else { return Ok(None) };
        let number = self.nodes[node].tried;
        self.nodes[node].tried += 1;
        let decision = self.alternative(node, number);
        if number + 1 >= self.alternatives(node) {
            self.queue.pop_front();
        }
        self.advance(node, decision)
    }

    /// Runs on from a state and keeps what is reached.
    fn advance(
        &mut self,
        node: Node,
        decision: Option<Decision>,
    ) -> Result<Option<ConcreteRun>, Interrupted> {
        let places = Rc::clone(&self.places);
        let mut pilot = Pilot::new(&places, Log::after(self.nodes[node].log.asked));
        pilot.decide(decision);
        let outcome = self.follow(node, &mut pilot, limits::SLICE)?;
        if self.nodes[node].tried >= self.alternatives(node) || self.nodes.is_interrupted(node) {
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
                if !self.interpreter.unchecked().is_empty() {
                    // Nobody knows whether this is a run of the program.
                    pilot.spoiled = true;
                }
                outcome
            }
        };
        self.charge();
        Ok(outcome)
    }

    /// Counts the steps of the last run, and what it costs to copy states.
    fn charge(&mut self) {
        let size = self.interpreter.size() as u64;
        let (steps, turn) = (self.interpreter.steps_taken(), limits::TURN + size / 4);
        self.statistics.steps += steps + turn;
        // The interpreter has counted its steps itself, by the thousand.
        self.budget.spend((steps % limits::STEPS_THAT_COUNT + turn) / limits::STEPS_PER_EFFORT);
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
            match pilot.at {
                Some(_) => self.queue.push_back(node),
                None => self.stretches.push_back(node),
            }
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
                    listed => (2 * listed).min(2 * limits::MOST_DRAWS),
                },
                _ => limits::MOST_DRAWS,
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
            if listed == 2 || number.is_multiple_of(2) {
                let number = if listed == 2 { number } else { number / 2 };
                return Some(Decision::Values(vec![(*one, self.values.list(self.program, ty, number))]));
            }
        }
        if number == 0 {
            return Some(Decision::Values(Vec::new()));
        }
        if let Some(snapshot) = &self.nodes[node].snapshot {
            self.interpreter.restore(snapshot);
        }
        Some(self.draw_at(node, &variables))
    }

    /// Values for variables in a state; before a run they satisfy the equations that it requires.
    fn draw_at(&mut self, node: Node, variables: &[Variable]) -> Decision {
        let mut drawn = self.draw(variables);
        if self.nodes[node].parent.is_none()
            && let Decision::Values(values) = &mut drawn
        {
            let requires = &self.program.procedures[self.nodes[node].entry].requires;
            let conditions: Vec<Expr> = requires.iter().map(|clause| clause.condition).collect();
            equations::satisfy(self.program, &conditions, values);
        }
        drawn
    }

    /// Values for variables, near those of the state in which the interpreter is.
    fn draw(&mut self, variables: &[Variable]) -> Decision {
        // A program may have hundreds of inputs and few steps.
        self.budget.spend(variables.len() as u64 * limits::EFFORT_OF_DRAW);
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
