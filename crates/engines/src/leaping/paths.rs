//! Abstract paths from the start to an error (paper "Leaping Loops", Section 4.3).
//!
//! The loops are the strongly connected components of the block program; nested loops are one component and become
//! one abstract state. A path enters a component, leaves it elsewhere, and goes on along blocks; or it passes a loop
//! head without going round. Shorter paths come first. There may be exponentially many, so their number is bounded.

use super::limits;
use base::{EntityRef, EntitySet, SecondaryMap};
use program::{Edge, EdgeKind, Location, Program};
use std::collections::VecDeque;

/// A loop on a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The cut points of the loop.
    pub component: Vec<Location>,
    /// Where the path comes in.
    pub entry: Location,
    /// Where it goes out.
    pub exit: Location,
    /// The blocks from the exit to the entry of the next loop, or to the error.
    pub out: Vec<Edge>,
}

/// A way to an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// Where it begins.
    pub start: Location,
    /// The blocks before the first loop.
    pub stem: Vec<Edge>,
    /// The loops, in their order.
    pub loops: Vec<Loop>,
}

impl Path {
    /// Where the path ends.
    pub fn end(&self, program: &Program) -> Location {
        let last = match self.loops.last() {
            Some(last) => last.out.last(),
            None => self.stem.last(),
        };
        last.map_or(self.start, |&edge| program.edges[edge].target)
    }

    /// What is left of a suggestion: locations of loops, in the order in which they shall be passed. Nothing, if this path
    /// leaps over another loop. Locations of the same loop one after the other, as those of nested loops, count once.
    fn rest_of<'l>(&self, suggestion: &'l [Location]) -> Option<&'l [Location]> {
        let mut rest = suggestion;
        for at in &self.loops {
            let inside = rest.iter().take_while(|location| at.component.contains(location)).count();
            if inside == 0 {
                return None;
            }
            rest = &rest[inside..];
        }
        Some(rest)
    }
}

/// The components of a program that are loops: for every location the number of its loop.
pub struct Components {
    of: SecondaryMap<Location, Option<u32>>,
    members: Vec<Vec<Location>>,
}

impl Components {
    /// The loop of a location.
    pub fn members(&self, location: Location) -> Option<&[Location]> {
        self.of[location].map(|number| &self.members[number as usize][..])
    }
}

/// Paths to an error, shorter ones first. If the loops are suggested, by locations of theirs, only paths over these.
pub fn paths(
    program: &Program,
    components: &Components,
    goal: Location,
    suggestion: Option<&[Location]>,
) -> Vec<Path> {
    let rest = |path: &Path| match suggestion {
        Some(suggestion) => path.rest_of(suggestion).map(<[Location]>::len),
        None => Some(0),
    };
    let useful = towards(program, goal);
    let mut found = Vec::new();
    let mut queue: VecDeque<(Path, Location)> = VecDeque::new();
    for &start in &program.initial {
        queue.push_back((Path { start, stem: Vec::new(), loops: Vec::new() }, start));
    }
    let mut visited = 0;
    while let Some((path, at)) = queue.pop_front() {
        visited += 1;
        if visited > limits::MOST_PREFIXES || found.len() >= limits::MOST_PATHS {
            break;
        }
        if at == goal {
            found.extend((rest(&path) == Some(0)).then_some(path));
            continue;
        }
        let mut go_on = |path: &Path, from: Location| {
            for &edge in &program.outgoing[from] {
                let data = &program.edges[edge];
                let inside =
                    components.of[from].is_some() && components.of[from] == components.of[data.target];
                let internal = matches!(data.kind, EdgeKind::Internal(_)) && !data.overapproximates;
                if inside || !internal || !useful.contains(data.target) {
                    continue;
                }
                let mut longer = path.clone();
                match longer.loops.last_mut() {
                    Some(last) => last.out.push(edge),
                    None => longer.stem.push(edge),
                }
                queue.push_back((longer, data.target));
            }
        };
        if let Some(component) = components.members(at)
            && path.loops.len() < limits::MOST_LOOPS
        {
            for &exit in component {
                let mut leaping = path.clone();
                let component = component.to_vec();
                leaping.loops.push(Loop { component, entry: at, exit, out: Vec::new() });
                if rest(&leaping).is_some() {
                    go_on(&leaping, exit);
                }
            }
        }
        go_on(&path, at);
    }
    found
}

/// The locations from which a location can be reached by internal edges.
fn towards(program: &Program, goal: Location) -> EntitySet<Location> {
    let mut incoming: SecondaryMap<Location, Vec<Location>> = SecondaryMap::new();
    for edge in program.live_edges() {
        let data = &program.edges[edge];
        if matches!(data.kind, EdgeKind::Internal(_)) {
            incoming[data.target].push(data.source);
        }
    }
    let mut seen = EntitySet::new();
    let mut pending = vec![goal];
    while let Some(location) = pending.pop() {
        if seen.insert(location) {
            pending.extend(&incoming[location]);
        }
    }
    seen
}

/// The strongly connected components of the internal edges that have a cycle.
pub fn components(program: &Program) -> Components {
    let next = |location: usize, out: &mut Vec<usize>| {
        let edges = program.outgoing[Location::new(location)].iter().map(|&edge| &program.edges[edge]);
        let internal = edges.filter(|edge| matches!(edge.kind, EdgeKind::Internal(_)));
        out.extend(internal.map(|edge| edge.target.index()));
    };
    let mut loops = Components { of: SecondaryMap::new(), members: Vec::new() };
    let mut targets = Vec::new();
    for component in graph::components(program.locations.len(), next).iter() {
        targets.clear();
        next(component[0], &mut targets);
        if component.len() == 1 && !targets.contains(&component[0]) {
            continue;
        }
        let number = u32::try_from(loops.members.len()).expect("fewer loops than locations");
        let mut members: Vec<Location> = component.iter().map(|&location| Location::new(location)).collect();
        members.sort_unstable();
        for &member in &members {
            loops.of[member] = Some(number);
        }
        loops.members.push(members);
    }
    loops
}
