//! The quotient of an automaton by a partition of its states.

use crate::on_demand::Explicit;
use crate::{Nwa, NwaBuilder, PrimaryMap, SecondaryMap, State};

/// Makes each class one state, with the transitions of its members. The states of the result are in the order of
/// the smallest members of the classes.
pub(crate) fn quotient(nwa: &Nwa, classes: impl IntoIterator<Item = Vec<State>>) -> Explicit<Vec<State>> {
    let mut sorted: Vec<Vec<State>> = classes.into_iter().filter(|class| !class.is_empty()).collect();
    for class in &mut sorted {
        class.sort_unstable();
    }
    sorted.sort_unstable();
    let mut image: SecondaryMap<State, Option<State>> = SecondaryMap::new();
    let mut builder = NwaBuilder::new(nwa.alphabet().clone());
    let mut origin: PrimaryMap<State, Vec<State>> = PrimaryMap::new();
    for class in sorted {
        let new = builder.add_state();
        for &state in &class {
            image[state] = Some(new);
        }
        origin.push(class);
    }
    let of = |state: State| image[state].expect("a partition covers all states");
    for state in nwa.states() {
        let source = of(state);
        if nwa.is_final(state) {
            builder.set_final(source);
        }
        for edge in nwa.internal(state) {
            builder.add_internal(source, edge.letter, of(edge.state));
        }
        for edge in nwa.calls(state) {
            builder.add_call(source, edge.letter, of(edge.state));
        }
        for (hier, edges) in nwa.returns(state) {
            for edge in edges {
                builder.add_return(source, of(hier), edge.letter, of(edge.state));
            }
        }
    }
    for &state in nwa.initial() {
        builder.set_initial(of(state));
    }
    Explicit { nwa: builder.finish(), origin }
}
