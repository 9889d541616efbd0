//! The operations on explicit automata, each with an explicit result.
//!
//! The results are restricted to reachable states. Operands may have different alphabets: a letter that an
//! automaton does not know is on none of its transitions. Complement and totalisation are within the nested words
//! over the operand's own alphabet.

use crate::on_demand::{Explicit, explicit};
use crate::{
    Budget, Complement, Determinized, Difference, EntityRef, Interrupted, Intersection, Nwa, NwaBuilder,
    OverAlphabet, Plain, State, Totalized, WithSink,
};

/// The words that one of the two accepts: the automata side by side. States of `left` come first.
pub fn union(left: &Nwa, right: &Nwa) -> Nwa {
    let mut builder = NwaBuilder::new(left.alphabet().union(right.alphabet()));
    for nwa in [left, right] {
        let first = builder.add_states(nwa.num_states()).index();
        let image = |state: State| State::new(first + state.index());
        for state in nwa.states() {
            if nwa.is_final(state) {
                builder.set_final(image(state));
            }
            for edge in nwa.internal(state) {
                builder.add_internal(image(state), edge.letter, image(edge.state));
            }
            for edge in nwa.calls(state) {
                builder.add_call(image(state), edge.letter, image(edge.state));
            }
            for (hier, edges) in nwa.returns(state) {
                for edge in edges {
                    builder.add_return(image(state), image(hier), edge.letter, image(edge.state));
                }
            }
        }
        for &state in nwa.initial() {
            builder.set_initial(image(state));
        }
    }
    builder.finish()
}

/// The words that both accept.
pub fn intersection(
    left: &Nwa,
    right: &Nwa,
    budget: &dyn Budget,
) -> Result<Explicit<(State, State)>, Interrupted> {
    explicit(Intersection::new(left, right), budget)
}

/// A deterministic automaton for the same language: the operand's reachable part if it is deterministic already.
pub fn determinize(nwa: &Nwa, budget: &dyn Budget) -> Result<Nwa, Interrupted> {
    let alphabet = nwa.alphabet().clone();
    Ok(match Totalized::new(nwa) {
        Ok(_) => explicit(nwa, budget)?.nwa,
        Err(_) => explicit(OverAlphabet::new(Plain(Determinized::new(nwa)), alphabet), budget)?.nwa,
    })
}

/// The nested words over the operand's alphabet that it does not accept. The result is deterministic and total.
pub fn complement(nwa: &Nwa, budget: &dyn Budget) -> Result<Nwa, Interrupted> {
    let alphabet = nwa.alphabet().clone();
    Ok(match Totalized::new(nwa) {
        Ok(total) => explicit(OverAlphabet::new(Plain(Complement(total)), alphabet), budget)?.nwa,
        Err(_) => {
            let determinized = Plain(Complement(Determinized::new(nwa)));
            explicit(OverAlphabet::new(determinized, alphabet), budget)?.nwa
        }
    })
}

/// The words that the minuend accepts and the subtrahend does not, with the minuend's state of each state.
pub fn difference(
    minuend: &Nwa,
    subtrahend: &Nwa,
    budget: &dyn Budget,
) -> Result<Explicit<State>, Interrupted> {
    Ok(match Totalized::new(subtrahend) {
        Ok(total) => first(explicit(Difference::subtract(minuend, total), budget)?),
        Err(_) => {
            let determinized = Determinized::new(subtrahend);
            first(explicit(Difference::subtract(minuend, determinized), budget)?)
        }
    })
}

fn first<R>(product: Explicit<(State, R)>) -> Explicit<State> {
    let origin = product.origin.into_iter().map(|(_, (left, _))| left).collect();
    Explicit { nwa: product.nwa, origin }
}

/// The same language, with a sink where the operand has no successor. The sink is `None` in the origin.
pub fn totalize(nwa: &Nwa, budget: &dyn Budget) -> Result<Explicit<Option<State>>, Interrupted> {
    explicit(OverAlphabet::new(WithSink::new(nwa), nwa.alphabet().clone()), budget)
}
