//! Control that a program keeps in its data, made into locations.
//!
//! A state machine often has one loop and a variable that says in which state it is. In formulas about such a loop everything
//! that holds in one state only stands beside a condition on that variable. Here the variable is followed instead: a
//! location becomes one location for each of the values with which it is reached, edges whose guards those values
//! contradict are dropped, and the values are put into the relations of the others. What holds in one state is then an
//! invariant of a location.
//!
//! Which variables are followed: those that get only finitely many values ([`candidates`]), as far as their values matter
//! later (a value that is overwritten before it is read is forgotten). Values come from assignments and from
//! guards (`assume x == 3`); but what guards say about an input that stays what it is all the time is not followed, as every test of it would divide all that comes later. If there are more locations than wanted, variables that only guards say something about are given up, and
//! then one after the other the variable with the most values.
//!
//! The way back ([`Divided::place`]): a location of the result is a location of the program together with values of
//! variables. In a run of the program that is at a location, the variables have the values of one of its copies. So if
//! formulas at the copies are inductive, then so is, at the location, the disjunction over the copies of the formula with the
//! values. Edges keep their steps and their constants for choices, so executions are executions of the program. A block of the
//! result must not lead twice through copies of one edge, whose constants it would mix up; so blocks of the result
//! are to be cut where blocks of the program are ([`Divided::cut_points`]).
//!
//! The program must have no calls. Cost: a few substitutions for every edge and every combination of the values that it
//! reads.

mod candidates;
mod values;

use crate::blocks::loop_heads;
use base::{Budget, EntityRef, EntitySet, Interrupted, PrimaryMap, SecondaryMap};
use logic::{Substitution, Term, Terms};
use program::automaton::EdgeData;
use program::{Edge, EdgeKind, ErrorData, Location, LocationData, Program, Relation, SingleSteps, Var};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use values::Values;

base::id!(
    /// Values of some variables.
    Valuation,
    "v"
);

/// The values of variables, sorted by variable.
type Known = Vec<(Var, Term)>;

/// A program with control made into locations.
#[derive(Clone, Debug)]
pub struct Divided {
    /// The program, without what lies on no way to an error.
    pub program: SingleSteps,
    places: Vec<(Location, Valuation)>,
    valuations: PrimaryMap<Valuation, Known>,
}

impl Divided {
    /// Of which location a location is a copy, and the values that variables have there.
    pub fn place(&self, location: Location) -> (Location, &[(Var, Term)]) {
        let (original, valuation) = self.places[location.index()];
        (original, &self.valuations[valuation])
    }

    /// The copies of some locations of the original program.
    pub fn cut_points(&self, original: &EntitySet<Location>) -> EntitySet<Location> {
        let mut copies = EntitySet::new();
        for location in self.program.locations.keys() {
            if original.contains(self.place(location).0) {
                copies.insert(location);
            }
        }
        copies
    }
}

/// So many times a variable is given up, before the whole is.
const ATTEMPTS: usize = 12;

/// Divides the locations of a program, if there is a reason to and the result has no more locations than `most`.
pub fn divide(
    program: &SingleSteps,
    terms: &mut Terms,
    most: usize,
    budget: &Budget,
) -> Result<Option<Divided>, Interrupted> {
    let is_internal = |edge: Edge| matches!(program.edges[edge].kind, EdgeKind::Internal(_));
    if !program.live_edges().all(is_internal) {
        return Ok(None);
    }
    let values = Values::of(program, terms);
    let mut followed = candidates::candidates(program, terms, &values);
    let never_assigned = candidates::never_assigned(program, terms, &values, &followed);
    let renewed = candidates::renewed_in_loops(program);
    for &input in never_assigned.iter().filter(|&&var| !renewed.contains(var)) {
        followed.remove(input);
    }
    for attempt in 0..ATTEMPTS {
        if attempt == 1 {
            for &var in &never_assigned {
                followed.remove(var);
            }
        }
        if followed.is_empty() {
            break;
        }
        let live = candidates::live(program, terms, &followed);
        let mut division = Division::new(program, terms, &values, &live);
        if division.explore(most, budget)? {
            return Ok(division.pays().then(|| division.into_divided()));
        }
        let Some(dropped) = division.most_values() else { break };
        followed.remove(dropped);
    }
    Ok(None)
}

/// What an edge does when some values are known.
struct Taken {
    /// Nothing if it cannot be taken.
    relation: Option<Relation>,
    /// What its guard says about the state before it, if that is not changed.
    learned: Known,
    /// What is known of the variables that it changes.
    assigned: Vec<(Var, Option<Term>)>,
}

/// A division in the making.
struct Division<'a> {
    program: &'a SingleSteps,
    terms: &'a mut Terms,
    values: &'a Values,
    /// The followed variables whose values matter at a location.
    live: &'a SecondaryMap<Location, Vec<Var>>,
    /// The followed variables that an edge reads.
    read: FxHashMap<Edge, Rc<[Var]>>,
    taken: FxHashMap<(Edge, Known), Rc<Taken>>,
    valuations: PrimaryMap<Valuation, Known>,
    valuation_ids: FxHashMap<Known, Valuation>,
    places: Vec<(Location, Valuation)>,
    copies: FxHashMap<(Location, Valuation), Location>,
    /// Source, edge, target.
    arcs: Vec<(Location, Edge, Location, Rc<Taken>)>,
    initial: Vec<Location>,
    refused: usize,
}

impl<'a> Division<'a> {
    fn new(
        program: &'a SingleSteps,
        terms: &'a mut Terms,
        values: &'a Values,
        live: &'a SecondaryMap<Location, Vec<Var>>,
    ) -> Division<'a> {
        Division {
            program,
            terms,
            values,
            live,
            read: FxHashMap::default(),
            taken: FxHashMap::default(),
            valuations: PrimaryMap::new(),
            valuation_ids: FxHashMap::default(),
            places: Vec::new(),
            copies: FxHashMap::default(),
            arcs: Vec::new(),
            initial: Vec::new(),
            refused: 0,
        }
    }

    fn copy(&mut self, location: Location, known: Known) -> Location {
        let valuation = match self.valuation_ids.get(&known) {
            Some(&valuation) => valuation,
            None => {
                let valuation = self.valuations.push(known.clone());
                self.valuation_ids.insert(known, valuation);
                valuation
            }
        };
        let places = &mut self.places;
        *self.copies.entry((location, valuation)).or_insert_with(|| {
            places.push((location, valuation));
            Location::new(places.len() - 1)
        })
    }

    /// Finds all copies that are reached. False if there are more than `most`.
    fn explore(&mut self, most: usize, budget: &Budget) -> Result<bool, Interrupted> {
        for location in self.program.initial.clone() {
            let copy = self.copy(location, Known::new());
            self.initial.push(copy);
        }
        let mut next = 0;
        while let Some(&(location, valuation)) = self.places.get(next) {
            let source = Location::new(next);
            next += 1;
            let program = self.program;
            budget.check()?;
            for &edge in &program.outgoing[location] {
                let taken = self.take(edge, valuation);
                if taken.relation.is_none() {
                    self.refused += 1;
                    continue;
                }
                let target = program.edges[edge].target;
                let known = self.known_after(valuation, &taken, target);
                let target = self.copy(target, known);
                self.arcs.push((source, edge, target, taken));
                if self.places.len() > most {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// What an edge does after a valuation.
    fn take(&mut self, edge: Edge, valuation: Valuation) -> Rc<Taken> {
        let read = match self.read.get(&edge) {
            Some(read) => Rc::clone(read),
            None => {
                let read: Rc<[Var]> = candidates::read(self.program, self.terms, edge).into();
                self.read.insert(edge, Rc::clone(&read));
                read
            }
        };
        let known: Known =
            self.valuations[valuation].iter().filter(|(var, _)| read.contains(var)).copied().collect();
        if let Some(taken) = self.taken.get(&(edge, known.clone())) {
            return Rc::clone(taken);
        }
        let taken = Rc::new(self.taken_knowing(edge, &known));
        self.taken.insert((edge, known), Rc::clone(&taken));
        taken
    }

    fn taken_knowing(&mut self, edge: Edge, known: &Known) -> Taken {
        let program = self.program;
        let relation = program.relation(edge).expect("there are no calls");
        let variables = &program.variables;
        let mut substitution: Substitution =
            known.iter().map(|&(var, value)| (variables[var].symbol, value)).collect();
        let guard = substitution.apply(self.terms, relation.guard);
        let guard = self.values.fold(self.terms, guard);
        let learned = self.values.definitions(self.terms, guard);
        for &(symbol, value) in &learned {
            substitution.insert(symbol, value);
        }
        // A guard may contradict itself only when all that it says is put together.
        let together = substitution.apply(self.terms, guard);
        let together = self.values.fold(self.terms, together);
        if guard.is_false() || together.is_false() {
            return Taken { relation: None, learned: Known::new(), assigned: Vec::new() };
        }
        let mut updates = Vec::with_capacity(relation.updates.len());
        let mut assigned = Vec::with_capacity(relation.updates.len());
        for &(var, value) in &relation.updates {
            let value = substitution.apply(self.terms, value);
            let value = self.values.fold(self.terms, value);
            assigned.push((var, self.values.is_value(self.terms, value).then_some(value)));
            updates.push((var, value));
        }
        let learned = learned.into_iter().filter_map(|(symbol, value)| {
            let var = variables.of_symbol(symbol)?;
            relation.update(var).is_none().then_some((var, value))
        });
        let learned = learned.collect();
        let relation = Relation { guard, updates, auxiliaries: relation.auxiliaries.clone() };
        Taken { relation: Some(relation), learned, assigned }
    }

    /// What is known at the target, of what matters there.
    fn known_after(&self, valuation: Valuation, taken: &Taken, target: Location) -> Known {
        let before = &self.valuations[valuation];
        let value = |var: Var| {
            if let Some(&(_, value)) = taken.assigned.iter().find(|(assigned, _)| *assigned == var) {
                return value;
            }
            let learned = taken.learned.iter().find(|(learned, _)| *learned == var);
            let kept = before.binary_search_by_key(&var, |&(known, _)| known).ok().map(|at| &before[at]);
            learned.or(kept).map(|&(_, value)| value)
        };
        self.live[target].iter().filter_map(|&var| Some((var, value(var)?))).collect()
    }

    /// Is the result another program? If nothing was refused and no location has two copies, values that were put into the
    /// relations at the heads of loops are reason enough; so are accesses to an array that go to one place in each copy, and to several in the program.
    fn pays(&self) -> bool {
        let heads = loop_heads(self.program);
        let divided = self
            .places
            .iter()
            .any(|&(location, valuation)| heads.contains(location) && !self.valuations[valuation].is_empty());
        divided || self.refused > 0 || self.tells_places_apart()
    }

    /// Has a variable in an index different values in two copies of a location, as a pointer to one of two structs has?
    fn tells_places_apart(&self) -> bool {
        let in_indices = candidates::in_indices(self.program, self.terms);
        let mut values: FxHashMap<(Location, Var), Term> = FxHashMap::default();
        self.places.iter().any(|&(location, valuation)| {
            self.valuations[valuation].iter().any(|&(var, value)| {
                in_indices.contains(var) && *values.entry((location, var)).or_insert(value) != value
            })
        })
    }

    /// The variable with the most values at one location.
    fn most_values(&self) -> Option<Var> {
        let mut values: FxHashMap<(Location, Var), Vec<Term>> = FxHashMap::default();
        let mut most: Option<(usize, Var)> = None;
        for &(location, valuation) in &self.places {
            for &(var, value) in &self.valuations[valuation] {
                let seen = values.entry((location, var)).or_default();
                if !seen.contains(&value) {
                    seen.push(value);
                    let more = most.is_none_or(|(number, other)| (seen.len(), var) > (number, other));
                    if more {
                        most = Some((seen.len(), var));
                    }
                }
            }
        }
        most.map(|(_, var)| var)
    }

    fn into_divided(self) -> Divided {
        let program = self.program;
        let mut result = Program {
            variables: program.variables.clone(),
            axioms: program.axioms.clone(),
            functions: program.functions.clone(),
            origins: program.origins.clone(),
            ..Program::default()
        };
        for &(location, _) in &self.places {
            let LocationData { procedure, span, error } = program.locations[location];
            let copy = result.locations.push(LocationData { procedure, span, error: None });
            if let Some(error) = error {
                let data = ErrorData { location: copy, ..program.errors[error].clone() };
                result.locations[copy].error = Some(result.errors.push(data));
            }
        }
        result.initial = self.initial;
        for (source, edge, target, taken) in self.arcs {
            let EdgeData { origin, overapproximates, .. } = program.edges[edge];
            let relation = taken.relation.clone().expect("it can be taken");
            let kind = EdgeKind::Internal(relation);
            result.add_edge(EdgeData { source, target, kind, origin, overapproximates });
        }
        let program = crate::trim(SingleSteps::new(result));
        Divided { program, places: self.places, valuations: self.valuations }
    }
}
