//! What one analysis of a program leaves open, looked at again in three ways that would take too long for every program.
//!
//! * Relations between all integers of a procedure, where the first analysis divides them into groups: the value of a counter of sixteen
//!   bits is a sum of all of them.
//! * Inequalities between any number of variables of a group, as polyhedra: `i + k <= n`, where `k` was chosen to be at most `n - i`.
//! * Loops with phases, and loops whose steps are inputs: the states inside of a loop are told apart by the comparisons that decide where a
//!   round goes on, or by the values of a variable that has few of them and that the loop does not change
//!   ([`analysis::divided`]). A counter that goes on by two behind a limit is even there, whatever it was before, and one that grows by an input between 0 and 10 is a multiple of
//!   3 where the input is 3. No run has to come to a phase for that, so it may lie behind any number of rounds.
//!
//! What is found are formulas that are believed to hold at locations; whoever uses them checks them.
//!
//! Works on programs without calls. Costs one analysis for each division.

use crate::context::Context;
use analysis::divided::{self, Division};
use analysis::graph::{Graph, Node};
use analysis::{Facts, Model, Precision, analyse};
use base::{EntityRef as _, EntitySet, Interrupted, SecondaryMap};
use logic::{Integer, Op, Sort, Term, Terms};
use num_traits::ToPrimitive as _;
use program::{Edge, EdgeKind, Location, Program, Relation, Var};
use std::collections::BTreeMap;

/// Programs with more edges are not looked at again: every division is an analysis of the whole program.
const MOST_EDGES: usize = 1_500;
/// So many comparisons divide a loop together, each case of one into those of the next, …
const MOST_TOGETHER: usize = 3;
/// … and so many more by themselves.
const MOST_ALONE: usize = 4;
/// A variable with more values divides nothing.
const MOST_VALUES: i64 = 16;
/// So many variables with few values divide a loop, each by itself.
const MOST_INPUTS: usize = 2;
/// So many divisions of each kind are tried in a program.
const MOST_DIVISIONS: usize = 8;

/// A second look, in stages: what finds most for its price comes first.
pub(crate) struct SecondLook {
    relates_all: bool,
    keeps_polyhedra: bool,
    /// Divisions that are tried together, the later ones first.
    stages: Vec<Vec<Division>>,
}

impl SecondLook {
    /// The stages that there are for a program, `facts` being those of the first analysis.
    pub(crate) fn of(single: &Program, facts: &Facts<'_>, terms: &mut Terms) -> SecondLook {
        let is_small = single.live_edges().nth(MOST_EDGES).is_none();
        let is_internal = |edge: Edge| matches!(single.edges[edge].kind, EdgeKind::Internal(_));
        if !is_small || !single.live_edges().all(is_internal) {
            return SecondLook { relates_all: false, keeps_polyhedra: false, stages: Vec::new() };
        }
        let mut stages: Vec<Vec<Division>> =
            divisions(single, facts, terms).into_iter().filter(|stage| !stage.is_empty()).collect();
        stages.reverse();
        SecondLook { relates_all: facts.is_grouped(), keeps_polyhedra: true, stages }
    }

    /// Adds what the next stage says about the locations of a graph over blocks; says whether there was one.
    pub(crate) fn next(
        &mut self,
        context: &mut Context<'_>,
        single: &Program,
        graph: &Graph,
        found: &mut BTreeMap<Location, Vec<Term>>,
    ) -> Result<bool, Interrupted> {
        // Inside of blocks nobody asks for anything.
        let is_met = |&(node, _): &(Node, &Location)| graph.incoming(node).next().is_some();
        let watched: Vec<Location> =
            graph.nodes.iter().filter(is_met).map(|(_, &location)| location).collect();
        let precision = match (std::mem::take(&mut self.relates_all), self.keeps_polyhedra) {
            (true, _) => Some(Precision::AllRelations),
            (false, true) => {
                self.keeps_polyhedra = false;
                Some(Precision::Polyhedra)
            }
            (false, false) => None,
        };
        if let Some(precision) = precision {
            let related = analyse(single, context.terms, precision, &context.budget)?;
            for &location in &watched {
                add(found, location, related.conjuncts(location, context.terms));
            }
            return Ok(true);
        }
        let Some(stage) = self.stages.pop() else { return Ok(false) };
        let mut model = Model::new(single, context.terms, Precision::Relations, &context.budget)?;
        for division in &stage {
            let divided = divided::solve(&mut model, division, context.terms, &context.budget)?;
            for &location in &watched {
                add(found, location, divided.conjuncts(&model, location, context.terms));
            }
        }
        Ok(true)
    }
}

fn add(found: &mut BTreeMap<Location, Vec<Term>>, location: Location, formulas: Vec<Term>) {
    let known = found.entry(location).or_default();
    for formula in formulas {
        if !known.contains(&formula) {
            known.push(formula);
        }
    }
}

/// A strongly connected part of the program that goes round.
#[derive(Default)]
struct Loop {
    locations: EntitySet<Location>,
    /// Where it is entered first.
    entry: Option<Location>,
    /// The comparisons by which a round goes one way or another and stays inside.
    choices: Vec<Term>,
    read: Vec<Var>,
    written: Vec<Var>,
}

/// The divisions that are worth a look: by inputs, by the first choices of each loop together, by its other choices.
fn divisions(single: &Program, facts: &Facts<'_>, terms: &mut Terms) -> [Vec<Division>; 3] {
    let mut found = [const { Vec::new() }; 3];
    for around in loops(single, terms) {
        let mut divide = |stage: usize, cases: Vec<Term>| {
            if cases.len() > 1 && found[stage].len() < MOST_DIVISIONS {
                found[stage].push(Division { locations: around.locations.clone(), cases });
            }
        };
        let together = around.choices.len().min(MOST_TOGETHER);
        let mut cases = vec![Term::TRUE];
        for &choice in &around.choices[..together] {
            let otherwise = terms.not(choice);
            let mut finer = Vec::with_capacity(2 * cases.len());
            for case in cases {
                finer.extend([terms.and([case, choice]), terms.and([case, otherwise])]);
            }
            finer.retain(|case| !case.is_false());
            cases = finer;
        }
        divide(1, cases);
        for &choice in around.choices[together..].iter().take(MOST_ALONE) {
            let otherwise = terms.not(choice);
            divide(2, vec![choice, otherwise]);
        }
        let Some(entry) = around.entry else { continue };
        let inputs = around.read.iter().filter(|var| !around.written.contains(var));
        let few = inputs.filter_map(|&var| Some((var, few_values(single, facts, (entry, var), terms)?)));
        for (var, values) in few.take(MOST_INPUTS).collect::<Vec<_>>() {
            let variable = single.variables.term(terms, var);
            let mut is = |value: Integer| {
                let value = terms.int(value);
                terms.eq(variable, value)
            };
            divide(0, values.into_iter().map(&mut is).collect());
        }
    }
    found
}

/// The values of an integer at a location, if they are known to be few and more than one.
fn few_values(
    single: &Program,
    facts: &Facts<'_>,
    (location, var): (Location, Var),
    terms: &Terms,
) -> Option<Vec<Integer>> {
    if terms.symbol_data(single.variables[var].symbol).sort != Sort::INT {
        return None;
    }
    let interval = facts.interval(location, var)?;
    let (low, high) = (interval.low?.to_integer(), interval.high?.to_integer());
    let count = (&high - &low).to_i64().filter(|&more| 0 < more && more < MOST_VALUES)?;
    Some((0..=count).map(|step| &low + Integer::from(step)).collect())
}

/// The loops of a program without calls, nested ones together.
fn loops(single: &Program, terms: &mut Terms) -> Vec<Loop> {
    let components = graph::components(single.locations.len(), |node, out| {
        let edges = &single.outgoing[Location::new(node)];
        out.extend(edges.iter().map(|&edge| single.edges[edge].target.index()));
    });
    let mut part: SecondaryMap<Location, usize> = SecondaryMap::new();
    for (node, number) in components.numbers().into_iter().enumerate() {
        part[Location::new(node)] = number;
    }
    let mut loops: BTreeMap<usize, Loop> = BTreeMap::new();
    for edge in single.live_edges() {
        let data = &single.edges[edge];
        if part[data.source] != part[data.target] {
            continue;
        }
        let around = loops.entry(part[data.source]).or_default();
        around.locations.insert(data.source);
        let Some(relation) = single.relation(edge) else { continue };
        let mut roots = vec![relation.guard];
        roots.extend(relation.updates.iter().map(|&(_, value)| value));
        let symbols = terms.free_symbols_of(&roots).into_iter();
        for var in symbols.filter_map(|symbol| single.variables.of_symbol(symbol)) {
            if !around.read.contains(&var) {
                around.read.push(var);
            }
        }
        for &(var, _) in &relation.updates {
            if !around.written.contains(&var) {
                around.written.push(var);
            }
        }
    }
    for edge in single.live_edges() {
        let data = &single.edges[edge];
        let Some(around) = loops.get_mut(&part[data.target]) else { continue };
        if part[data.source] != part[data.target] && around.entry.is_none() {
            around.entry = Some(data.target);
        }
    }
    for around in loops.values_mut() {
        around.read.sort_unstable();
        for location in single.locations.keys().filter(|&location| around.locations.contains(location)) {
            let outgoing = &single.outgoing[location];
            // Where one of the ways leaves the loop, behind which nothing is told apart, there is no choice between phases.
            let stays = |edge: &Edge| around.locations.contains(single.edges[*edge].target);
            if outgoing.len() < 2 || !outgoing.iter().all(stays) {
                continue;
            }
            for relation in outgoing.iter().filter_map(|&edge| single.relation(edge)) {
                for atom in comparisons(single, relation, terms) {
                    let opposite = terms.not(atom);
                    let is_known = around.choices.contains(&atom) || around.choices.contains(&opposite);
                    let symbols = terms.free_symbols(atom).into_iter();
                    let mut vars = symbols.filter_map(|symbol| single.variables.of_symbol(symbol));
                    if !is_known && vars.any(|var| around.written.contains(&var)) {
                        around.choices.push(atom);
                    }
                }
            }
        }
    }
    loops.into_values().collect()
}

/// The comparisons of a guard between one or two numbers of the program.
fn comparisons(single: &Program, relation: &Relation, terms: &Terms) -> Vec<Term> {
    let mut found = Vec::new();
    for conjunct in terms.conjuncts(relation.guard) {
        let atom = if terms.op(conjunct) == Op::Not { terms.args(conjunct)[0] } else { conjunct };
        if !matches!(terms.op(atom), Op::Le | Op::Lt | Op::Eq) {
            continue;
        }
        let symbols = terms.free_symbols(atom);
        let is_number = |&symbol: &logic::Symbol| {
            single.variables.of_symbol(symbol).is_some() && terms.symbol_data(symbol).sort.is_arithmetic()
        };
        if (1..=2).contains(&symbols.len()) && symbols.iter().all(is_number) {
            found.push(atom);
        }
    }
    found
}
