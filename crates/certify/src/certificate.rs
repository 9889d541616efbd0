//! What is handed to the check.

use crate::Refusal;
use base::{EntityRef, EntitySet};
use logic::{Term, Terms};
use program::{BlockProgram, Edge, EdgeKind, Location, Program, Proof, Unfolding};
use rustc_hash::FxHashMap;
use std::fmt;

/// A letter of the automata: a step between two cut points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Letter {
    /// All paths of internal edges from one cut point to another that avoid the other cut points.
    Block(Location, Location),
    /// A call edge of the single-step program.
    Call(Edge),
    /// A return edge of the single-step program.
    Return(Edge),
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Letter::Block(from, to) => write!(f, "the block from {from} to {to}"),
            Letter::Call(edge) => write!(f, "the call {edge}"),
            Letter::Return(edge) => write!(f, "the return {edge}"),
        }
    }
}

/// A Floyd-Hoare automaton. States are positions in `labels`.
#[derive(Clone, Default, Debug)]
pub struct Automaton {
    /// The formulas of the states.
    pub labels: Vec<Term>,
    /// The initial states; their labels hold in every initial state of the program.
    pub initial: Vec<usize>,
    /// Transitions at blocks and calls.
    pub steps: Vec<(usize, Letter, usize)>,
    /// Transitions at returns: linear predecessor, hierarchical predecessor, letter, successor.
    pub returns: Vec<(usize, usize, Letter, usize)>,
}

/// A proof that no error is reachable.
#[derive(Clone, Default, Debug)]
pub struct Certificate {
    /// The activations of the unfolding that the rest is about; without, it is about the program with its calls.
    pub unfolding: Option<Unfolding>,
    /// The locations between which blocks are.
    pub cut_points: EntitySet<Location>,
    /// The automata that together accept all error traces.
    pub automata: Vec<Automaton>,
}

impl Certificate {
    /// The certificate of a proof about a program with blocks.
    pub fn of_proof(blocks: &BlockProgram, proof: &Proof) -> Certificate {
        let letter = |edge: Edge| {
            let data = &blocks.program.edges[edge];
            match data.kind {
                EdgeKind::Internal(_) => Letter::Block(data.source, data.target),
                EdgeKind::Call(_) => Letter::Call(edge),
                EdgeKind::Return(_) => Letter::Return(edge),
            }
        };
        let index = |state: program::verdict::State| state.index();
        let letters: Vec<Letter> = blocks.program.live_edges().map(letter).collect();
        let mut automata = vec![blocked_automaton(&letters, &blocks.blocked)];
        let found = proof.automata.iter().map(|automaton| Automaton {
            labels: automaton.states.values().copied().collect(),
            initial: automaton.initial.iter().map(|&state| index(state)).collect(),
            steps: automaton
                .internal
                .iter()
                .chain(&automaton.calls)
                .map(|&(from, edge, to)| (index(from), letter(edge), index(to)))
                .collect(),
            returns: automaton
                .returns
                .iter()
                .map(|&(from, hier, edge, to)| (index(from), index(hier), letter(edge), index(to)))
                .collect(),
        });
        automata.extend(found);
        Certificate { unfolding: None, cut_points: blocks.cut_points.clone(), automata }
    }

    /// The certificate of a proof about an unfolding that somebody else has made: `number` says what its locations are
    /// in the unfolding of the [`Subject`](crate::Subject). Nothing, if one of them is not there.
    pub fn on_unfolding(
        self,
        unfolding: Unfolding,
        number: impl Fn(Location) -> Option<Location>,
    ) -> Option<Certificate> {
        let mut cut_points = EntitySet::new();
        for location in self.cut_points.iter() {
            cut_points.insert(number(location)?);
        }
        let mut automata = self.automata;
        for (_, letter, _) in automata.iter_mut().flat_map(|automaton| &mut automaton.steps) {
            if let Letter::Block(from, to) = letter {
                *letter = Letter::Block(number(*from)?, number(*to)?);
            }
        }
        Some(Certificate { unfolding: Some(unfolding), cut_points, automata })
    }

    /// Do cut points, letters and states fit the program? Every cycle of internal edges must contain a cut point.
    pub fn check_shape(&self, program: &Program) -> Result<(), Refusal> {
        let malformed = |what: String| Err(Refusal::Malformed(what));
        // An error into which no edge leads, and in which no run begins, is reached by no trace.
        let mut entered: EntitySet<Location> = EntitySet::new();
        let targets = program.live_edges().map(|edge| program.edges[edge].target);
        for location in program.initial.iter().copied().chain(targets) {
            entered.insert(location);
        }
        let errors = program.errors.values().map(|error| error.location);
        let errors = errors.filter(|&location| entered.contains(location));
        for location in program.initial.iter().copied().chain(errors) {
            if !self.cut_points.contains(location) {
                return malformed(format!("{location} is no cut point"));
            }
        }
        for edge in program.live_edges() {
            let data = &program.edges[edge];
            let ends_cut = self.cut_points.contains(data.source) && self.cut_points.contains(data.target);
            if !matches!(data.kind, EdgeKind::Internal(_)) && !ends_cut {
                return malformed(format!("{edge} is not between cut points"));
            }
        }
        if let Some(location) = uncut_cycle(program, &self.cut_points) {
            return malformed(format!("the cycle through {location} has no cut point"));
        }
        for automaton in &self.automata {
            automaton.check_shape(program)?;
        }
        Ok(())
    }

    /// Do the labels speak of the state only? A label that names an auxiliary constant of a relation would pin the
    /// value that a `havoc` chooses, and so "prove" that it chooses the same one every time.
    pub fn check_vocabulary(&self, program: &Program, terms: &Terms) -> Result<(), Refusal> {
        let labels: Vec<Term> =
            self.automata.iter().flat_map(|automaton| &automaton.labels).copied().collect();
        match terms.free_symbols_of(&labels).iter().find(|&&s| program.variables.of_symbol(s).is_none()) {
            None => Ok(()),
            Some(&symbol) => {
                let name = &terms.symbol_data(symbol).name;
                Err(Refusal::Label(format!("`{name}` is no variable of the program")))
            }
        }
    }
}

impl Automaton {
    fn check_shape(&self, program: &Program) -> Result<(), Refusal> {
        let states = self.initial.iter().copied();
        let states = states.chain(self.steps.iter().flat_map(|&(from, _, to)| [from, to]));
        let mut states = states.chain(self.returns.iter().flat_map(|&(from, hier, _, to)| [from, hier, to]));
        if states.any(|state| state >= self.labels.len()) {
            return Err(Refusal::Malformed("a state without a label".to_owned()));
        }
        let kind = |edge: Edge| program.edges.get(edge).map(|data| &data.kind);
        let step = |letter: Letter| match letter {
            Letter::Block(from, to) => program.locations.is_valid(from) && program.locations.is_valid(to),
            Letter::Call(edge) => matches!(kind(edge), Some(EdgeKind::Call(_))),
            Letter::Return(_) => false,
        };
        let ret = |letter: Letter| match letter {
            Letter::Return(edge) => matches!(kind(edge), Some(EdgeKind::Return(_))),
            _ => false,
        };
        if !self.steps.iter().all(|t| step(t.1)) || !self.returns.iter().all(|t| ret(t.2)) {
            return Err(Refusal::Malformed("a transition with the wrong kind of letter".to_owned()));
        }
        Ok(())
    }
}

/// The automaton of the traces through a block that cannot be taken; engines never see those blocks.
fn blocked_automaton(letters: &[Letter], blocked: &[(Location, Location)]) -> Automaton {
    let (anything, nothing) = (0, 1);
    let mut automaton =
        Automaton { labels: vec![Term::TRUE, Term::FALSE], initial: vec![anything], ..Automaton::default() };
    for &letter in letters {
        match letter {
            Letter::Return(_) => automaton.returns.push((anything, anything, letter, anything)),
            _ => automaton.steps.push((anything, letter, anything)),
        }
    }
    for &(from, to) in blocked {
        automaton.steps.push((anything, Letter::Block(from, to), nothing));
    }
    automaton
}

/// A location on a cycle of internal edges without a cut point.
fn uncut_cycle(program: &Program, cut_points: &EntitySet<Location>) -> Option<Location> {
    // Kahn's algorithm on the locations that are no cut points: what cannot be removed lies on or behind a cycle.
    let mut incoming: FxHashMap<Location, usize> = FxHashMap::default();
    let inner = |edge: Edge| {
        let data = &program.edges[edge];
        let both = !cut_points.contains(data.source) && !cut_points.contains(data.target);
        (both && matches!(data.kind, EdgeKind::Internal(_))).then_some((data.source, data.target))
    };
    for (_, target) in program.live_edges().filter_map(inner) {
        *incoming.entry(target).or_default() += 1;
    }
    let free = |location: &Location| !cut_points.contains(*location);
    let mut ready: Vec<Location> =
        program.locations.keys().filter(free).filter(|location| !incoming.contains_key(location)).collect();
    let mut removed = 0;
    while let Some(location) = ready.pop() {
        removed += 1;
        for (_, target) in program.outgoing[location].iter().filter_map(|&edge| inner(edge)) {
            let count = incoming.get_mut(&target).expect("it was counted");
            *count -= 1;
            if *count == 0 {
                ready.push(target);
            }
        }
    }
    if removed == program.locations.keys().filter(free).count() {
        return None;
    }
    program.locations.keys().find(|location| incoming.get(location).is_some_and(|&count| count > 0))
}
