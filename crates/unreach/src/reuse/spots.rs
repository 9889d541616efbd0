//! Locations, variables and activations of a program automaton, named by the items of the program's outline.

use super::align::Correspondence;
use super::outline::Places;
use base::{EntityRef, SecondaryMap};
use certify::Subject;
use ir::StatementKind;
use logic::{Sort, Symbol, Terms};
use program::steps::{OriginData, Step};
use program::unfolding::copied_name;
use program::{Activation, ActivationData, Location, Program, Unfolding, VarKind};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A location, by what comes next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Spot {
    /// A run begins with this procedure.
    Start(usize),
    /// The procedure is entered.
    Entry(usize),
    /// The procedure has ended.
    Exit(usize),
    /// The item comes next.
    Before(usize),
    /// The item is a call whose preconditions hold.
    Checked(usize),
}

impl Spot {
    /// The same spot of a new version, if it has one.
    pub(super) fn carried(self, found: &Correspondence) -> Option<Spot> {
        let procedure = |index: usize| found.procedures.get(index).copied().flatten();
        let item = |index: usize| found.items.get(index).copied().flatten();
        Some(match self {
            Spot::Start(index) => Spot::Start(procedure(index)?),
            Spot::Entry(index) => Spot::Entry(procedure(index)?),
            Spot::Exit(index) => Spot::Exit(procedure(index)?),
            Spot::Before(index) => Spot::Before(item(index)?),
            Spot::Checked(index) => Spot::Checked(item(index)?),
        })
    }

    pub(super) fn json(self) -> Value {
        match self {
            Spot::Start(index) => json!(["start", index]),
            Spot::Entry(index) => json!(["entry", index]),
            Spot::Exit(index) => json!(["exit", index]),
            Spot::Before(index) => json!(["before", index]),
            Spot::Checked(index) => json!(["checked", index]),
        }
    }

    pub(super) fn of_json(value: &Value) -> Option<Spot> {
        let index = super::outline::index(&value[1])?;
        Some(match value[0].as_str()? {
            "start" => Spot::Start(index),
            "entry" => Spot::Entry(index),
            "exit" => Spot::Exit(index),
            "before" => Spot::Before(index),
            "checked" => Spot::Checked(index),
            _ => return None,
        })
    }
}

/// How the locations of a program are called.
pub(super) struct Spots {
    names: SecondaryMap<Location, Option<Spot>>,
    locations: BTreeMap<Spot, Location>,
}

impl Spots {
    /// The spots of a program as it was built from `source`.
    pub(super) fn of(program: &Program, source: &ir::Program, places: &Places) -> Spots {
        let mut spots = Spots { names: SecondaryMap::new(), locations: BTreeMap::new() };
        let is_checked = |place: &program::steps::StatementPlace| {
            let kind = &program::build::statement_of(source, *place).kind;
            matches!(kind, StatementKind::Call { procedure, .. }
                if source.procedures[*procedure].requires.iter().any(|requires| !requires.free))
        };
        for edge in program.edges.values() {
            let OriginData::Step { step, .. } = &program.origins[edge.origin] else { continue };
            let name = match step {
                Step::Start(procedure) => Spot::Start(procedure.index()),
                Step::Enter(procedure) => Spot::Entry(procedure.index()),
                Step::Call(place) | Step::Statement(place) if is_checked(place) => {
                    Spot::Checked(places.statement(*place))
                }
                Step::Statement(place)
                | Step::Fail(place)
                | Step::FailRequires(place, _)
                | Step::CheckRequires(place)
                | Step::Call(place) => Spot::Before(places.statement(*place)),
                Step::Branch { procedure, block, .. } | Step::Goto { procedure, block, .. } => {
                    Spot::Before(places.end(*procedure, *block))
                }
                Step::Leave(procedure, block) | Step::FailEnsures(procedure, block, _) => {
                    if matches!(step, Step::Leave(..)) {
                        spots.add(edge.target, Spot::Exit(procedure.index()));
                    }
                    Spot::Before(places.end(*procedure, *block))
                }
                Step::Return(_) => continue,
            };
            spots.add(edge.source, name);
        }
        spots
    }

    fn add(&mut self, location: Location, spot: Spot) {
        self.names[location] = Some(spot);
        self.locations.insert(spot, location);
    }

    pub(super) fn of_location(&self, location: Location) -> Option<Spot> {
        self.names[location]
    }

    pub(super) fn location(&self, spot: Spot) -> Option<Location> {
        self.locations.get(&spot).copied()
    }
}

/// An activation, by the item of its call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Called {
    /// A run begins with this procedure.
    Start(usize),
    /// The activation of that number takes the call of this item.
    By(usize, usize),
}

/// The activations of an unfolding of a program as it was built.
pub(super) fn activations(unfolding: &Unfolding, program: &Program, places: &Places) -> Vec<Option<Called>> {
    let called = |data: &ActivationData| match *data {
        ActivationData::Start(location) => {
            Some(Called::Start(program.locations.get(location)?.procedure.index()))
        }
        ActivationData::Call { caller, call } => match &program.origins[program.edges.get(call)?.origin] {
            OriginData::Step { step: Step::Call(place), .. } => {
                Some(Called::By(caller.index(), places.statement(*place)))
            }
            _ => None,
        },
    };
    unfolding.activations.values().map(called).collect()
}

/// The activations of a new version that old ones have become.
pub(super) fn carried_activations(
    old: &[Option<Called>],
    new: &[Option<Called>],
    found: &Correspondence,
) -> Vec<Option<usize>> {
    let numbers: BTreeMap<Called, usize> =
        new.iter().enumerate().filter_map(|(number, called)| Some(((*called)?, number))).collect();
    let mut carried: Vec<Option<usize>> = Vec::with_capacity(old.len());
    for called in old {
        let there = called.and_then(|called| {
            let there = match called {
                Called::Start(procedure) => {
                    Called::Start(found.procedures.get(procedure).copied().flatten()?)
                }
                Called::By(caller, item) => {
                    let caller = carried.get(caller).copied().flatten()?;
                    Called::By(caller, found.items.get(item).copied().flatten()?)
                }
            };
            numbers.get(&there).copied()
        });
        carried.push(there);
    }
    carried
}

pub(super) fn activations_json(activations: &[Option<Called>]) -> Value {
    let one = |called: &Option<Called>| match called {
        Some(Called::Start(procedure)) => json!(["start", procedure]),
        Some(Called::By(caller, item)) => json!(["by", caller, item]),
        None => Value::Null,
    };
    activations.iter().map(one).collect()
}

pub(super) fn activations_of_json(value: &Value) -> Option<Vec<Option<Called>>> {
    use super::outline::index;
    let one = |value: &Value| match value[0].as_str() {
        Some("start") => Some(Some(Called::Start(index(&value[1])?))),
        Some("by") => Some(Some(Called::By(index(&value[1])?, index(&value[2])?))),
        _ => Some(None),
    };
    value.as_array()?.iter().map(one).collect()
}

/// A variable of the state, by the variable of the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum StateName {
    /// A variable, or its value at the entry of the procedure, of the program or of an activation.
    Variable { variable: usize, is_old: bool, activation: Option<usize> },
    /// Something that has no variable.
    Other(String),
}

impl StateName {
    /// What a symbol of a formula about an unfolding of the subject stands for.
    pub(super) fn of(symbol: Symbol, subject: &Subject, terms: &Terms) -> StateName {
        if let Some(name) = own(symbol, subject, None) {
            return name;
        }
        let name = &terms.symbol_data(symbol).name;
        let copy = name.rsplit_once('@').and_then(|(original, activation)| {
            own(terms.symbol_by_name(original)?, subject, Some(activation.parse().ok()?))
        });
        copy.unwrap_or_else(|| StateName::Other(name.clone()))
    }

    /// The same of a new version, if it has one. `activations` says what activations have become.
    pub(super) fn carried(&self, found: &Correspondence, activations: &[Option<usize>]) -> Option<StateName> {
        match self {
            StateName::Other(name) => Some(StateName::Other(name.clone())),
            StateName::Variable { variable, is_old, activation } => {
                let activation = match activation {
                    Some(activation) => Some(activations.get(*activation).copied().flatten()?),
                    None => None,
                };
                let variable = found.variables.get(*variable).copied().flatten()?;
                Some(StateName::Variable { variable, is_old: *is_old, activation })
            }
        }
    }

    /// The symbol of a program or of an unfolding of it.
    pub(super) fn symbol(
        &self,
        subject: &Subject,
        in_program: &Program,
        terms: &mut Terms,
    ) -> Option<Symbol> {
        let variables = &subject.program().variables;
        let found = match self {
            StateName::Other(name) => variables.iter().find(|(_, data)| data.name == *name)?.1.symbol,
            StateName::Variable { variable, is_old, activation } => {
                let var = variables.of_source(ir::Variable::new(*variable))?;
                let var = if *is_old { variables.old(var)? } else { var };
                let symbol = variables[var].symbol;
                match activation {
                    None => symbol,
                    Some(activation) => {
                        let data = terms.symbol_data(symbol).clone();
                        terms.symbol(&copied_name(&data.name, Activation::new(*activation)), data.sort)
                    }
                }
            }
        };
        in_program.variables.of_symbol(found).map(|_| found)
    }

    pub(super) fn json(&self) -> Value {
        match self {
            StateName::Variable { variable, is_old, activation } => json!([variable, is_old, activation]),
            StateName::Other(name) => json!(name),
        }
    }

    pub(super) fn of_json(value: &Value) -> Option<StateName> {
        use super::outline::index;
        if let Some(name) = value.as_str() {
            return Some(StateName::Other(name.to_owned()));
        }
        let activation = if value[2].is_null() { None } else { Some(index(&value[2])?) };
        Some(StateName::Variable { variable: index(&value[0])?, is_old: value[1].as_bool()?, activation })
    }
}

fn own(symbol: Symbol, subject: &Subject, activation: Option<usize>) -> Option<StateName> {
    let variables = &subject.program().variables;
    let data = &variables[variables.of_symbol(symbol)?];
    let is_old = matches!(data.kind, VarKind::Old(_));
    Some(match data.source {
        Some(source) => StateName::Variable { variable: source.index(), is_old, activation },
        None => StateName::Other(data.name.clone()),
    })
}

/// The name by which a kept formula calls its variables.
pub(super) fn placeholder(number: usize, sort: Sort, terms: &mut Terms) -> Symbol {
    terms.symbol(&format!("kept {number}"), sort)
}
