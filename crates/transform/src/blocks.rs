//! Large blocks (paper "Splitting via Interpolants", Transformations 1 and 2).
//!
//! A set of cut points is chosen; between two of them all paths that avoid the others become one edge. Sequences
//! are composed by substitution, alternatives by a selector, and the parts are shared, so the size stays linear.
//! Cut points are: initial, entry, exit and error locations, both ends of calls and returns, and as many others
//! as the [`BlockSize`] asks for; every cycle contains one. Error edges of different assertions end in different
//! error locations and are therefore never merged.
//!
//! The origin of a block tells how to get back to single steps: its selectors are formulas over the state at the
//! beginning of the block and its auxiliaries.

use base::{EntitySet, SecondaryMap};
use logic::Terms;
use program::automaton::EdgeData;
use program::steps::{Origin, OriginData};
use program::{BlockProgram, Edge, EdgeKind, Location, Program, Relation, SingleSteps};
use rustc_hash::FxHashMap;

/// How much of the program one edge covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockSize {
    /// One statement.
    Single,
    /// Statements without branching or joining.
    Straight,
    /// The same, and paths that branch and meet again at once are different edges: two edges never have the same ends,
    /// as far as there is a location in between.
    Paths,
    /// Everything between loop heads, but no more than so many branches one after the other: a block stands for all
    /// paths through it, and their number doubles with every branch. Very long paths are cut as well.
    Moderate,
    /// The same, but checks, which lead to an error on one side, are no branches: memory is checked at every access, and invariants about all of memory hold between
    /// statements that belong together no better than between loop heads.
    PastChecks,
    /// Everything between loop heads.
    LoopFree,
}

/// A moderate block ends where paths meet after so many branches,
const MANY_BRANCHES: u32 = 8;
/// and anywhere after so many: a chain of alternatives meets only at its end.
const TOO_MANY_BRANCHES: u32 = 40;
/// It also ends after so many steps: what a block does is composed step by step, and each time all that it has changed so far is looked through.
const TOO_MANY_STEPS: u32 = 2_000;

/// Composes the edges of a single-step program.
pub fn compose(program: &SingleSteps, size: BlockSize, terms: &mut Terms) -> BlockProgram {
    compose_at(program, cut_points(program, size), terms)
}

/// Composes the edges of a single-step program between cut points that somebody has chosen. Initial locations and errors must be
/// among them, both ends of calls and returns, and a location of every cycle.
pub fn compose_at(program: &SingleSteps, cut_points: EntitySet<Location>, terms: &mut Terms) -> BlockProgram {
    let mut blocks = Program::clone(program);
    let mut blocked = Vec::new();
    for (_, outgoing) in blocks.outgoing.iter_mut() {
        outgoing.clear();
    }
    for location in program.locations.keys().filter(|&location| cut_points.contains(location)) {
        for &edge in &program.outgoing[location] {
            if !matches!(program.edges[edge].kind, EdgeKind::Internal(_)) {
                // Calls and returns keep their ids, so a return still names its call.
                blocks.outgoing[location].push(edge);
            }
        }
        blocked.extend(compose_from(program, location, &cut_points, &mut blocks, terms));
    }
    BlockProgram { program: blocks, cut_points, blocked }
}

/// What is known about the paths from the cut point to a location.
#[derive(Clone)]
struct Prefix {
    relation: Relation,
    origin: Origin,
    overapproximates: bool,
}

/// Adds the blocks that begin at a cut point; the blocked ones are returned.
fn compose_from(
    program: &Program,
    start: Location,
    cut_points: &EntitySet<Location>,
    blocks: &mut Program,
    terms: &mut Terms,
) -> Vec<(Location, Location)> {
    let empty = blocks.origins.push(OriginData::Empty);
    let mut prefixes: FxHashMap<Location, Prefix> = FxHashMap::default();
    let mut reached: Vec<Location> = Vec::new();
    for location in topological(program, start, cut_points) {
        let prefix = if location == start {
            Prefix { relation: Relation::skip(), origin: empty, overapproximates: false }
        } else {
            match prefixes.get(&location) {
                Some(prefix) => prefix.clone(),
                None => continue,
            }
        };
        for &edge in &program.outgoing[location] {
            let data = &program.edges[edge];
            let EdgeKind::Internal(relation) = &data.kind else { continue };
            let relation = prefix.relation.then(relation, terms, &program.variables);
            let origin = if prefix.origin == empty {
                data.origin
            } else {
                blocks.origins.push(OriginData::Sequence(prefix.origin, data.origin))
            };
            let overapproximates = prefix.overapproximates || data.overapproximates;
            let path = Prefix { relation, origin, overapproximates };
            join(program, &mut prefixes, &mut reached, data.target, path, blocks, terms);
        }
    }
    let mut blocked = Vec::new();
    reached.sort_unstable();
    for target in reached.into_iter().filter(|&target| cut_points.contains(target)) {
        // The start itself is a target if a loop comes back to it.
        let Prefix { relation, origin, overapproximates } = prefixes.remove(&target).expect("it was reached");
        if relation.is_blocked() {
            blocked.push((start, target));
        } else {
            let kind = EdgeKind::Internal(relation);
            blocks.add_edge(EdgeData { source: start, target, kind, origin, overapproximates });
        }
    }
    blocked
}

/// Adds another way to reach a location.
fn join(
    program: &Program,
    prefixes: &mut FxHashMap<Location, Prefix>,
    reached: &mut Vec<Location>,
    target: Location,
    path: Prefix,
    blocks: &mut Program,
    terms: &mut Terms,
) {
    let Some(known) = prefixes.get(&target) else {
        reached.push(target);
        prefixes.insert(target, path);
        return;
    };
    let (relation, selector) = known.relation.or_else(&path.relation, terms, &program.variables);
    let origin = blocks.origins.push(OriginData::Choice(selector, known.origin, path.origin));
    let overapproximates = known.overapproximates || path.overapproximates;
    prefixes.insert(target, Prefix { relation, origin, overapproximates });
}

/// The locations that can be reached from `start` without passing a cut point, every location after all of its
/// predecessors among them. Cut points other than the start are left out.
fn topological(program: &Program, start: Location, cut_points: &EntitySet<Location>) -> Vec<Location> {
    all_topological(program, &[start], cut_points)
}

/// The same from several starts.
fn all_topological(
    program: &Program,
    starts: &[Location],
    cut_points: &EntitySet<Location>,
) -> Vec<Location> {
    let mut order = Vec::new();
    let mut seen = EntitySet::new();
    for &start in starts {
        seen.insert(start);
        let mut pending = vec![(start, 0usize)];
        while let Some((location, position)) = pending.pop() {
            let passes = location == start || !cut_points.contains(location);
            let next = if passes { program.outgoing[location].get(position) } else { None };
            let Some(&edge) = next else {
                if passes {
                    order.push(location);
                }
                continue;
            };
            pending.push((location, position + 1));
            let data = &program.edges[edge];
            if matches!(data.kind, EdgeKind::Internal(_)) && seen.insert(data.target) {
                pending.push((data.target, 0));
            }
        }
    }
    order.reverse();
    order
}

fn cut_points(program: &Program, size: BlockSize) -> EntitySet<Location> {
    let mut cut = EntitySet::new();
    let mut incoming: SecondaryMap<Location, u32> = SecondaryMap::new();
    for &location in &program.initial {
        cut.insert(location);
    }
    for error in program.errors.values() {
        cut.insert(error.location);
    }
    for edge in program.live_edges() {
        let data = &program.edges[edge];
        if matches!(data.kind, EdgeKind::Internal(_)) {
            incoming[data.target] += 1;
        } else {
            cut.insert(data.source);
            cut.insert(data.target);
        }
    }
    for location in program.locations.keys() {
        let wanted = match size {
            BlockSize::Single => true,
            BlockSize::Straight | BlockSize::Paths => {
                incoming[location] != 1 || program.outgoing[location].len() != 1
            }
            BlockSize::Moderate | BlockSize::PastChecks | BlockSize::LoopFree => false,
        };
        if wanted {
            cut.insert(location);
        }
    }
    cut_cycles(program, &mut cut);
    match size {
        BlockSize::Moderate => {
            let branches = |location| program.outgoing[location].len() > 1;
            cut_branches(program, &incoming, branches, &mut cut);
        }
        BlockSize::PastChecks => {
            let fails = |&&edge: &&Edge| program.locations[program.edges[edge].target].error.is_some();
            let branches = |location| {
                let outgoing = &program.outgoing[location];
                outgoing.len() > 1 + outgoing.iter().filter(fails).count()
            };
            cut_branches(program, &incoming, branches, &mut cut);
        }
        BlockSize::Paths => tell_paths_apart(program, &mut cut),
        BlockSize::Single | BlockSize::Straight | BlockSize::LoopFree => {}
    }
    cut
}

/// Of several straight paths between two cut points, cuts the first location of each that has one.
fn tell_paths_apart(program: &Program, cut: &mut EntitySet<Location>) {
    for location in program.locations.keys() {
        if program.outgoing[location].len() < 2 {
            continue;
        }
        // The first location and the end of every path; they are the same for a path without a location of its own.
        let mut paths: Vec<(Location, Location)> = Vec::new();
        for &edge in &program.outgoing[location] {
            let first = program.edges[edge].target;
            let mut end = first;
            while !cut.contains(end) {
                let Some(&next) = program.outgoing[end].first() else { break };
                end = program.edges[next].target;
            }
            paths.push((first, end));
        }
        for &(first, end) in &paths {
            if first != end && paths.iter().filter(|&&(_, other)| other == end).count() > 1 {
                cut.insert(first);
            }
        }
    }
}

/// The targets of retreating edges: every cycle of the program contains one.
pub fn loop_heads(program: &Program) -> EntitySet<Location> {
    let mut heads = EntitySet::new();
    cut_cycles(program, &mut heads);
    heads
}

/// Adds cut points behind many branches and many steps. Every cycle has a cut point already.
fn cut_branches(
    program: &Program,
    incoming: &SecondaryMap<Location, u32>,
    is_branch: impl Fn(Location) -> bool,
    cut: &mut EntitySet<Location>,
) {
    let starts: Vec<Location> = program.locations.keys().filter(|&location| cut.contains(location)).collect();
    // The largest number of branches on a path from a cut point, in an order in which predecessors come first.
    let mut branches: SecondaryMap<Location, u32> = SecondaryMap::new();
    let mut steps: SecondaryMap<Location, u32> = SecondaryMap::new();
    for location in all_topological(program, &starts, cut) {
        if !cut.contains(location) {
            let before = branches[location];
            let meet = incoming[location] > 1;
            let many = before >= TOO_MANY_BRANCHES || meet && before >= MANY_BRANCHES;
            if many || steps[location] >= TOO_MANY_STEPS {
                cut.insert(location);
            }
        }
        let is_cut = cut.contains(location);
        let here = if is_cut { 0 } else { branches[location] };
        let here = here + u32::from(is_branch(location));
        let next_steps = if is_cut { 1 } else { steps[location] + 1 };
        for &edge in &program.outgoing[location] {
            let data = &program.edges[edge];
            if matches!(data.kind, EdgeKind::Internal(_)) {
                branches[data.target] = branches[data.target].max(here);
                steps[data.target] = steps[data.target].max(next_steps);
            }
        }
    }
}

/// Makes every target of a retreating edge a cut point, so that every cycle has one.
fn cut_cycles(program: &Program, cut: &mut EntitySet<Location>) {
    #[derive(Clone, Copy, Default, PartialEq)]
    enum Visit {
        #[default]
        New,
        Open,
        Done,
    }
    let mut visits: SecondaryMap<Location, Visit> = SecondaryMap::new();
    // For the order of the search a call leads to where it returns, so that loop heads are found as such.
    let mut behind: FxHashMap<Edge, Location> = FxHashMap::default();
    for edge in program.live_edges() {
        if let EdgeKind::Return(returning) = &program.edges[edge].kind {
            behind.insert(returning.call, program.edges[edge].target);
        }
    }
    for root in program.locations.keys() {
        if visits[root] != Visit::New {
            continue;
        }
        visits[root] = Visit::Open;
        let mut pending = vec![(root, 0usize)];
        while let Some((location, position)) = pending.pop() {
            let Some(&edge) = program.outgoing[location].get(position) else {
                visits[location] = Visit::Done;
                continue;
            };
            pending.push((location, position + 1));
            let next = match program.edges[edge].kind {
                EdgeKind::Internal(_) => Some(program.edges[edge].target),
                EdgeKind::Call(_) => behind.get(&edge).copied(),
                EdgeKind::Return(_) => None,
            };
            let Some(next) = next else { continue };
            match visits[next] {
                Visit::New => {
                    visits[next] = Visit::Open;
                    pending.push((next, 0));
                }
                Visit::Open => {
                    cut.insert(next);
                }
                Visit::Done => {}
            }
        }
    }
}
