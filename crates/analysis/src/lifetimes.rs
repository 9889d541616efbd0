//! How long the value of a variable matters: on which edges variables die, and where short-lived ones are alive.
//!
//! A variable is alive at a location if a path leads from there to an edge that reads it and no edge before writes it. What is known
//! about a variable that is not alive says nothing about where a run comes to, and it is forgotten: otherwise a long
//! program carries what it knows of its first lines to its last one, and the cost is the square of its length.
//!
//! Found backwards from the reads of each variable by itself, so the cost is the sum of the lifetimes and not locations times
//! variables; beyond a limit that grows with the program, the rest of the variables live for ever. So do
//! constants, what a call binds and what a return gives (a summary relates them at the exit), and globals where there are calls. A graph
//! whose arcs are edges of the program has fewer paths, so what dies in the program is dead there too.

use crate::form::Dimension;
use crate::sharing::Lives;
use crate::space::Space;
use base::SecondaryMap;
use logic::{Symbol, Term, Terms};
use program::{Edge, EdgeKind, Location, Program, Var, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Lifetimes of so many locations per edge of the program are followed, and …
const LOCATIONS_PER_EDGE: usize = 64;
/// … so many in any case.
const LEAST_LOCATIONS: usize = 1_000_000;

/// What is known about the lifetimes of variables.
pub(crate) struct Lifetimes {
    /// For each edge the variables of which nothing needs to be known behind it.
    pub(crate) deaths: SecondaryMap<Edge, Vec<Dimension>>,
    /// For each edge the variables that it writes in vain: they are alive neither before nor behind it, and the rest of the edge does not
    /// speak of what they get.
    pub(crate) vain: SecondaryMap<Edge, Vec<Dimension>>,
    /// Where variables of procedures matter that matter at few locations.
    pub(crate) lives: Lives,
}

/// Finds the lifetimes of the variables of a program.
pub(crate) fn lifetimes(program: &Program, terms: &Terms) -> Lifetimes {
    let mut uses = Uses::of(program, terms);
    let mut found =
        Lifetimes { deaths: SecondaryMap::new(), vain: SecondaryMap::new(), lives: Lives::default() };
    found.deaths.resize(program.edges.len());
    found.vain.resize(program.edges.len());
    let mut busy = Busy { program, terms, symbols: FxHashMap::default() };
    let mut left = LEAST_LOCATIONS + LOCATIONS_PER_EDGE * program.edges.len();
    // The variable for which a location was reached last.
    let mut alive: SecondaryMap<Location, Option<Var>> = SecondaryMap::new();
    alive.resize(program.locations.len());
    let mut reached = Vec::new();
    for (var, data) in program.variables.iter().filter(|&(var, _)| !uses.lasting[var]) {
        reached.clear();
        let mut pending: Vec<Location> = std::mem::take(&mut uses.reads[var]);
        let writes = std::mem::take(&mut uses.writes[var]);
        while let Some(location) = pending.pop() {
            if alive[location] == Some(var) {
                continue;
            }
            alive[location] = Some(var);
            reached.push(location);
            for &(before, edge) in &uses.before[location] {
                if writes.binary_search(&edge).is_err() {
                    pending.push(before);
                }
            }
        }
        let Some(rest) = left.checked_sub(reached.len()) else { return found };
        left = rest;
        let dies = |edge: Edge| alive[program.edges[edge].target] != Some(var);
        let mut matters = reached.clone();
        for &edge in &writes {
            let source = begin(program, edge);
            if dies(edge) && alive[source] != Some(var) && !busy.speaks_of(edge, var) {
                found.vain[edge].push(Space::of_var(var));
                continue;
            }
            matters.extend([source, program.edges[edge].target]);
            if dies(edge) {
                found.deaths[edge].push(Space::of_var(var));
            }
        }
        for &location in &reached {
            for &edge in &uses.behind[location] {
                if dies(edge) && writes.binary_search(&edge).is_err() {
                    found.deaths[edge].push(Space::of_var(var));
                }
            }
        }
        if matches!(data.kind, VarKind::Local(_)) {
            found.lives.set(var, matters);
        }
    }
    found
}

/// The auxiliary constants of edges that are more than the new value of one variable.
struct Busy<'p> {
    program: &'p Program,
    terms: &'p Terms,
    symbols: FxHashMap<Edge, FxHashSet<Symbol>>,
}

impl Busy<'_> {
    /// Does an edge say more about what it writes to a variable than that it does?
    fn speaks_of(&mut self, edge: Edge, var: Var) -> bool {
        let EdgeKind::Internal(relation) = &self.program.edges[edge].kind else { return true };
        let Some(&(_, value)) = relation.updates.iter().find(|(updated, _)| *updated == var) else {
            return true;
        };
        let Some(symbol) = self.terms.as_symbol(value) else { return false };
        let terms = self.terms;
        let busy = self.symbols.entry(edge).or_insert_with(|| {
            let mut seen = FxHashSet::default();
            let mut busy: FxHashSet<Symbol> = terms.free_symbols(relation.guard).into_iter().collect();
            for &(_, value) in &relation.updates {
                for symbol in terms.free_symbols(value) {
                    if terms.as_symbol(value).is_none() || !seen.insert(symbol) {
                        busy.insert(symbol);
                    }
                }
            }
            busy
        });
        busy.contains(&symbol)
    }
}

/// Where an edge begins in the procedure in which it ends: a return at its call.
fn begin(program: &Program, edge: Edge) -> Location {
    match &program.edges[edge].kind {
        EdgeKind::Internal(_) | EdgeKind::Call(_) => program.edges[edge].source,
        EdgeKind::Return(returning) => program.edges[returning.call].source,
    }
}

/// Where variables are read and written.
pub(crate) struct Uses {
    /// Where edges begin that read a variable.
    pub(crate) reads: SecondaryMap<Var, Vec<Location>>,
    /// The edges that write it, sorted.
    pub(crate) writes: SecondaryMap<Var, Vec<Edge>>,
    /// What lives for ever.
    pub(crate) lasting: SecondaryMap<Var, bool>,
    /// Where a location of the same procedure comes from, over an edge or a whole call.
    pub(crate) before: SecondaryMap<Location, Vec<(Location, Edge)>>,
    /// The edges that lead on in the same procedure; of a call, its returns.
    pub(crate) behind: SecondaryMap<Location, Vec<Edge>>,
}

impl Uses {
    pub(crate) fn of(program: &Program, terms: &Terms) -> Uses {
        let mut uses = Uses {
            reads: SecondaryMap::new(),
            writes: SecondaryMap::new(),
            lasting: SecondaryMap::new(),
            before: SecondaryMap::new(),
            behind: SecondaryMap::new(),
        };
        let calls = program.live_edges().any(|edge| program.relation(edge).is_none());
        uses.lasting.resize(program.variables.iter().count());
        for (var, data) in program.variables.iter() {
            uses.lasting[var] = match data.kind {
                VarKind::Constant | VarKind::Old(_) => true,
                VarKind::Global => calls,
                VarKind::Local(_) => false,
            };
        }
        let mut symbols: FxHashMap<Term, Vec<Var>> = FxHashMap::default();
        let mut edges: Vec<Edge> = program.live_edges().collect();
        edges.sort_unstable();
        for edge in edges {
            let data = &program.edges[edge];
            let mut read = |uses: &mut Uses, term: Term| {
                let found = symbols
                    .entry(term)
                    .or_insert_with(|| program.variables.of_symbols(&terms.free_symbols(term)).collect());
                for &var in found.iter() {
                    if uses.reads[var].last() != Some(&data.source) {
                        uses.reads[var].push(data.source);
                    }
                }
            };
            match &data.kind {
                EdgeKind::Internal(relation) => {
                    read(&mut uses, relation.guard);
                    for &(var, value) in &relation.updates {
                        read(&mut uses, value);
                        uses.writes[var].push(edge);
                    }
                    uses.before[data.target].push((data.source, edge));
                    uses.behind[data.source].push(edge);
                }
                EdgeKind::Call(call) => {
                    for &(parameter, value) in &call.bindings {
                        read(&mut uses, value);
                        uses.lasting[parameter] = true;
                    }
                }
                EdgeKind::Return(returning) => {
                    let call = program.edges[returning.call].source;
                    for &(to, from) in &returning.results {
                        uses.lasting[from] = true;
                        uses.writes[to].push(edge);
                    }
                    uses.before[data.target].push((call, edge));
                    uses.behind[call].push(edge);
                }
            }
        }
        uses
    }
}
