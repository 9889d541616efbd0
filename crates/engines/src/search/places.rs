//! The places of a program where a run has a choice, and what there is to choose.
//!
//! A choice that cannot matter is no choice: variables that are not live get a default value.

use super::equations;
use crate::liveness::Liveness;
use base::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
use ir::interpreter::{Place, Request};
use ir::{Attribute, Block, Procedure, Program, StatementKind, Transfer, Variable};

base::id!(
    /// A place with a choice.
    ChoicePlace,
    "choice"
);

/// What is chosen at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// One of so many targets.
    Target(usize),
    /// The values of variables.
    Values(Vec<Variable>),
}

/// What comes next at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// A step without choice.
    Step,
    /// A choice.
    Choice(ChoicePlace),
    /// A statement that allows more than the original program does: a run that goes on proves nothing.
    Vague,
}

/// A place with a choice.
pub struct ChoiceData {
    /// What is chosen.
    pub choice: Choice,
    /// The parameters, results and locals that matter before the choice.
    pub live: Vec<Variable>,
}

/// All places with choices.
pub struct Places {
    /// What is known about them.
    pub choices: PrimaryMap<ChoicePlace, ChoiceData>,
    /// Where the places of a block begin in `at`.
    starts: SecondaryMap<Procedure, Vec<u32>>,
    at: Vec<Next>,
    /// For every statement, in the order of `at`: what is demanded of variables there.
    demands: Vec<Vec<Request>>,
    /// The results and locals that matter at the entry of a procedure.
    pub at_entry: SecondaryMap<Procedure, Vec<Variable>>,
}

impl Places {
    /// Those of a program.
    pub fn new(program: &Program) -> Places {
        let mut places = Places {
            choices: PrimaryMap::new(),
            starts: SecondaryMap::new(),
            at: Vec::new(),
            demands: Vec::new(),
            at_entry: SecondaryMap::new(),
        };
        let bodies = || program.procedures.iter().filter_map(|(id, data)| Some((id, data.body.as_ref()?)));
        let mut liveness: SecondaryMap<Procedure, Option<Liveness<'_>>> = SecondaryMap::new();
        for (procedure, body) in bodies() {
            let known = Liveness::new(program, procedure, body);
            let at_entry = &known.of_block(body, body.entry())[0];
            let data = &program.procedures[procedure];
            let own = data.results.iter().chain(&body.locals);
            places.at_entry[procedure] =
                own.filter(|variable| at_entry.contains(**variable)).copied().collect();
            liveness[procedure] = Some(known);
        }
        for (procedure, body) in bodies() {
            let Some(known) = &liveness[procedure] else { continue };
            for block in body.blocks.keys() {
                let start = u32::try_from(places.at.len()).expect("a program has fewer statements");
                places.starts[procedure].push(start);
                let live = known.of_block(body, block);
                places.block(program, (procedure, block), &live);
            }
        }
        places
    }

    fn block(
        &mut self,
        program: &Program,
        (procedure, block): (Procedure, Block),
        live: &[EntitySet<Variable>],
    ) {
        let Some(body) = &program.procedures[procedure].body else { return };
        let data = &body.blocks[block];
        for (index, statement) in data.statements.iter().enumerate() {
            let matters = |variable: &Variable| {
                program.variables[*variable].kind == ir::VariableKind::Global
                    || live[index + 1].contains(*variable)
                    || program.variables[*variable].where_clause.is_some()
            };
            let variables: Vec<Variable> = match &statement.kind {
                StatementKind::Havoc(variables) => variables.iter().filter(|v| matters(v)).copied().collect(),
                StatementKind::Call { procedure: callee, .. } => {
                    let callee_data = &program.procedures[*callee];
                    match &callee_data.body {
                        Some(_) => self.at_entry[*callee].clone(),
                        None => callee_data.modifies.iter().chain(&callee_data.results).copied().collect(),
                    }
                }
                _ => Vec::new(),
            };
            let conditions = match &statement.kind {
                StatementKind::Havoc(_) => equations::assumed_behind(body, block, index),
                StatementKind::Call { procedure, .. } => {
                    let callee = &program.procedures[*procedure];
                    // A body that runs says itself what it does.
                    let ensures = callee.body.is_none().then_some(&callee.ensures);
                    ensures.into_iter().flatten().map(|clause| clause.condition).collect()
                }
                _ => Vec::new(),
            };
            let demands = equations::demands(program, &conditions, &variables);
            let variables = equations::free(&variables, &demands);
            let choice = (!variables.is_empty()).then_some(Choice::Values(variables));
            match vague(&statement.attributes) {
                true => self.at.push(Next::Vague),
                false => self.add(choice, &live[index]),
            }
            self.demands.push(demands);
        }
        let choice = match &data.transfer {
            Transfer::Goto(targets) if targets.len() > 1 => Some(Choice::Target(targets.len())),
            _ => None,
        };
        self.add(choice, &live[data.statements.len()]);
        self.demands.push(Vec::new());
    }

    fn index(&self, place: Place) -> usize {
        self.starts[place.procedure][place.block.index()] as usize + place.index
    }

    /// What is demanded of variables when they get a value at a place.
    pub fn demands(&self, place: Place) -> &[Request] {
        &self.demands[self.index(place)]
    }

    fn add(&mut self, choice: Option<Choice>, live: &EntitySet<Variable>) {
        self.at.push(match choice {
            Some(choice) => {
                let live = live.iter().collect();
                Next::Choice(self.choices.push(ChoiceData { choice, live }))
            }
            None => Next::Step,
        });
    }

    /// What comes next at a place?
    #[inline]
    pub fn at(&self, place: Place) -> Next {
        self.at[self.index(place)]
    }
}

/// Is the mark of an over-approximation among attributes?
pub fn vague(attributes: &[Attribute]) -> bool {
    ir::Mark::Overapproximation.is_in(attributes)
}
