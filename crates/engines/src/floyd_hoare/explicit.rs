//! Programs and Floyd-Hoare automata as explicit nested word automata.

use super::Letters;
use base::SecondaryMap;
use nwa::{Alphabet, Letter, Nwa, NwaBuilder};
use program::{Edge, EdgeKind, FloydHoareAutomaton, Location, Program};
use rustc_hash::FxHashMap;

/// The automaton of the program's error traces (paper "Nested Interpolants", Definition 1): locations are states,
/// edges are letters, error locations are final.
pub fn program_automaton(program: &Program) -> (Nwa, Letters) {
    let letters = Letters::new(program.live_edges().collect());
    let mut builder = NwaBuilder::new(alphabet(program, &letters));
    let mut states: SecondaryMap<Location, Option<nwa::State>> = SecondaryMap::new();
    let mut state = |builder: &mut NwaBuilder, location: Location| {
        *states[location].get_or_insert_with(|| {
            let state = builder.add_state();
            if program.locations[location].error.is_some() {
                builder.set_final(state);
            }
            state
        })
    };
    for &location in &program.initial {
        let initial = state(&mut builder, location);
        builder.set_initial(initial);
    }
    for (letter, edge) in letters.iter() {
        let data = &program.edges[edge];
        let (source, target) = (state(&mut builder, data.source), state(&mut builder, data.target));
        match &data.kind {
            EdgeKind::Internal(_) => builder.add_internal(source, letter, target),
            EdgeKind::Call(_) => builder.add_call(source, letter, target),
            EdgeKind::Return(returning) => {
                let (call, _) = program.call_of(returning);
                let hier = state(&mut builder, call.source);
                builder.add_return(source, hier, letter, target);
            }
        }
    }
    (builder.finish(), letters)
}

/// A Floyd-Hoare automaton over the program's letters; states labelled `false` are final.
pub fn floyd_hoare_automaton(program: &Program, letters: &Letters, automaton: &FloydHoareAutomaton) -> Nwa {
    let by_edge: FxHashMap<Edge, Letter> = letters.iter().map(|(letter, edge)| (edge, letter)).collect();
    let mut builder = NwaBuilder::new(alphabet(program, letters));
    let states: Vec<nwa::State> = automaton
        .states
        .values()
        .map(|label| {
            let state = builder.add_state();
            if label.is_false() {
                builder.set_final(state);
            }
            state
        })
        .collect();
    let at = |state: program::verdict::State| states[state.as_u32() as usize];
    for &state in &automaton.initial {
        builder.set_initial(at(state));
    }
    for &(source, edge, target) in &automaton.internal {
        builder.add_internal(at(source), by_edge[&edge], at(target));
    }
    for &(source, edge, target) in &automaton.calls {
        builder.add_call(at(source), by_edge[&edge], at(target));
    }
    for &(linear, hier, edge, target) in &automaton.returns {
        builder.add_return(at(linear), at(hier), by_edge[&edge], at(target));
    }
    builder.finish()
}

fn alphabet(program: &Program, letters: &Letters) -> Alphabet {
    let of_kind = |wanted: fn(&EdgeKind) -> bool| {
        let edges = letters.iter().filter(move |&(_, edge)| wanted(&program.edges[edge].kind));
        edges.map(|(letter, _)| letter).collect::<Vec<_>>()
    };
    Alphabet::new(
        of_kind(|kind| matches!(kind, EdgeKind::Internal(_))),
        of_kind(|kind| matches!(kind, EdgeKind::Call(_))),
        of_kind(|kind| matches!(kind, EdgeKind::Return(_))),
    )
}
