//! Smaller Büchi automata for the same language of infinite words.
//!
//! What no accepting infinite run uses is removed first. Then, again and again until nothing changes:
//!
//! * *Direct* (bi)simulation, with and without nesting, as for finite words ([`crate::reduce`]). It compares final states
//!   with final states, and there is freedom in which states are final: every state that is only on cycles with final
//!   states may be, and a final state on no cycle need not be. Several choices are tried.
//! * *Delayed* simulation, for automata without nesting.
//! * *Fair* simulation, for small automata without nesting: states that simulate each other fairly (in very small automata:
//!   any two states) are merged tentatively, and the result is kept if the original automaton simulates it fairly,
//!   because then the language did not grow. In the same way transitions of very small automata are removed if the rest
//!   simulates the automaton fairly.
//!
//! States with different labels are never merged.

use super::simulation::{delayed, fair, is_fairly_simulated};
use crate::on_demand::Explicit;
use crate::reduce::{back_to_origin, quotient, reduce as reduce_directly, singletons};
use crate::trim::{most_final, only_visited_for_ever, remove_non_live_states};
use crate::{Budget, Interrupted, Nwa, NwaBuilder, State};

/// The largest automaton, in states, for which delayed simulation is computed: its game has twice as many positions as
/// there are pairs of states.
const DELAYED_LIMIT: usize = 120;

/// The largest automaton, in states, whose states are merged by fair simulation: each attempt solves a game.
const FAIR_LIMIT: usize = 30;

/// The largest automaton, in states, in which any two states are merged and any transition is removed tentatively.
const ANY_LIMIT: usize = 12;

/// A smaller automaton for the same infinite words, with the states that each of its states stands for.
pub fn reduce(
    nwa: &Nwa,
    label: impl Fn(State) -> u32,
    budget: &dyn Budget,
) -> Result<Explicit<Vec<State>>, Interrupted> {
    let (live, origin) = singletons(remove_non_live_states(nwa, budget)?);
    let mut current = Explicit { nwa: live, origin };
    loop {
        let before = size(&current.nwa);
        for candidate in final_states(&current.nwa, budget)? {
            let direct = reduce_directly(&candidate, |state| label(current.origin[state][0]), budget)?;
            if size(&direct.nwa) < size(&current.nwa) {
                current = back_to_origin(direct, &current.origin);
                break;
            }
        }
        if current.nwa.is_finite_automaton() && current.nwa.num_states() <= DELAYED_LIMIT {
            let key = |state: State| label(current.origin[state][0]);
            let merged = by_delayed_simulation(&current.nwa, key, budget)?;
            current = back_to_origin(merged, &current.origin);
        }
        if current.nwa.is_finite_automaton() && current.nwa.num_states() <= FAIR_LIMIT {
            let key = |state: State| label(current.origin[state][0]);
            let merged = by_fair_simulation(&current.nwa, key, budget)?;
            current = back_to_origin(merged, &current.origin);
            if current.nwa.num_states() <= ANY_LIMIT {
                current.nwa = without_superfluous_transitions(&current.nwa, budget)?;
            }
        }
        let (live, kept) = singletons(remove_non_live_states(&current.nwa, budget)?);
        current = back_to_origin(Explicit { nwa: live, origin: kept }, &current.origin);
        if size(&current.nwa) >= before {
            return Ok(current);
        }
    }
}

fn size(nwa: &Nwa) -> (usize, usize) {
    (nwa.num_states(), nwa.num_transitions())
}

/// The automaton with several sets of final states that give the same language.
fn final_states(nwa: &Nwa, budget: &dyn Budget) -> Result<[Nwa; 3], Interrupted> {
    let most = most_final(nwa, budget)?;
    let cyclic = only_visited_for_ever(&most, budget)?;
    Ok([nwa.clone(), most, cyclic])
}

/// The quotient by mutual delayed simulation of an automaton without nesting.
fn by_delayed_simulation(
    nwa: &Nwa,
    key: impl Fn(State) -> u32,
    budget: &dyn Budget,
) -> Result<Explicit<Vec<State>>, Interrupted> {
    Ok(quotient(nwa, delayed(nwa, budget)?.classes(nwa, key)))
}

/// Merges states that simulate each other fairly as long as the original automaton simulates the result fairly.
fn by_fair_simulation(
    nwa: &Nwa,
    key: impl Fn(State) -> u32,
    budget: &dyn Budget,
) -> Result<Explicit<Vec<State>>, Interrupted> {
    let simulation = fair(nwa, nwa, budget)?;
    let mut classes: Vec<Vec<State>> = nwa.states().map(|state| vec![state]).collect();
    let mut best = quotient(nwa, classes.clone());
    let mut first = 0;
    while first < classes.len() {
        let mut second = first + 1;
        while second < classes.len() {
            let (p, q) = (classes[first][0], classes[second][0]);
            let similar = simulation.contains(p, q) && simulation.contains(q, p);
            if key(p) == key(q) && (similar || nwa.num_states() <= ANY_LIMIT) {
                let mut merged = classes.clone();
                let absorbed = merged.remove(second);
                merged[first].extend(absorbed);
                let smaller = quotient(nwa, merged.clone());
                if is_fairly_simulated(&smaller.nwa, nwa, budget)? {
                    (classes, best) = (merged, smaller);
                    continue;
                }
            }
            second += 1;
        }
        first += 1;
    }
    Ok(best)
}

/// Removes transitions of an automaton without nesting as long as the rest simulates it fairly.
fn without_superfluous_transitions(nwa: &Nwa, budget: &dyn Budget) -> Result<Nwa, Interrupted> {
    let mut best = nwa.clone();
    for state in nwa.states() {
        for &removed in nwa.internal(state) {
            let mut builder = NwaBuilder::new(nwa.alphabet().clone());
            builder.add_states(nwa.num_states());
            nwa.initial().iter().for_each(|&state| builder.set_initial(state));
            for source in best.states() {
                if best.is_final(source) {
                    builder.set_final(source);
                }
                for &edge in best.internal(source) {
                    if (source, edge) != (state, removed) {
                        builder.add_internal(source, edge.letter, edge.state);
                    }
                }
            }
            let smaller = builder.finish();
            if is_fairly_simulated(nwa, &smaller, budget)? {
                best = smaller;
            }
        }
    }
    Ok(best)
}
