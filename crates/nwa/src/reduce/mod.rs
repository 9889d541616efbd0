//! Smaller automata for the same language.
//!
//! * [`minimize_dfa`]: the smallest deterministic finite automaton (Hopcroft);
//! * [`by_bisimulation`]: quotient by a bisimulation-style partition that respects calls and returns; close to linear,
//!   for automata of any size;
//! * [`by_simulation`]: quotient by mutual simulation; quadratic memory, for some thousand states;
//! * [`reduce`]: all of them, again and again, until nothing changes.
//!
//! All but the first keep the language of infinite words too. States with different labels are never merged. What no
//! accepting run uses is removed first. The results say for each state which states it stands for.

mod bisimulation;
mod hopcroft;
mod merging;
mod partition;
mod quotient;
mod simulation;

use crate::on_demand::Explicit;
use crate::properties::{Nondeterminism, is_deterministic};
use crate::trim::remove_dead_ends;
use crate::{Budget, Interrupted, Nwa, State};
use bisimulation::{Preference, coarse_partition, double_deckers, good_partition};
pub(crate) use quotient::quotient;

/// The largest automaton, in states, for which simulations are computed.
const SIMULATION_LIMIT: usize = 4000;

/// The smallest deterministic finite automaton with the language of the operand that does not merge states with
/// different labels. The operand must be deterministic; where it has calls, they are treated like the quotient
/// by bisimulation does.
pub fn minimize_dfa(
    nwa: &Nwa,
    label: impl Fn(State) -> u32,
    budget: &dyn Budget,
) -> Result<Result<Explicit<Vec<State>>, Nondeterminism>, Interrupted> {
    if let Err(choice) = is_deterministic(nwa) {
        return Ok(Err(choice));
    }
    if !nwa.is_finite_automaton() {
        return by_bisimulation(nwa, label, budget).map(Ok);
    }
    let trimmed = remove_dead_ends(nwa, budget)?;
    let key = |state| (trimmed.nwa.is_final(state), label(trimmed.origin[state]));
    let partition = hopcroft::minimal_partition(&trimmed.nwa, key, budget)?;
    let classes = partition.into_classes().into_iter().map(|(_, class)| class);
    Ok(Ok(back_to_origin(quotient(&trimmed.nwa, classes), &singletons(trimmed).1)))
}

/// The quotient by a bisimulation-style partition.
pub fn by_bisimulation(
    nwa: &Nwa,
    label: impl Fn(State) -> u32,
    budget: &dyn Budget,
) -> Result<Explicit<Vec<State>>, Interrupted> {
    let (nwa, origin) = singletons(remove_dead_ends(nwa, budget)?);
    let key = |state: State| (nwa.is_final(state), label(origin[state][0]));
    let result = best_bisimulation(&nwa, key, budget)?;
    Ok(back_to_origin(result, &origin))
}

/// The quotient by mutual simulation, if the automaton is small enough; else the quotient by bisimulation.
pub fn by_simulation(
    nwa: &Nwa,
    label: impl Fn(State) -> u32,
    budget: &dyn Budget,
) -> Result<Explicit<Vec<State>>, Interrupted> {
    let smaller = by_bisimulation(nwa, &label, budget)?;
    if smaller.nwa.num_states() > SIMULATION_LIMIT {
        return Ok(smaller);
    }
    let key = |state: State| label(smaller.origin[state][0]);
    let result = best_simulation(&smaller.nwa, key, budget)?;
    Ok(back_to_origin(result, &smaller.origin))
}

/// Reduces with all means until nothing changes.
pub fn reduce(
    nwa: &Nwa,
    label: impl Fn(State) -> u32,
    budget: &dyn Budget,
) -> Result<Explicit<Vec<State>>, Interrupted> {
    let mut current = by_bisimulation(nwa, &label, budget)?;
    loop {
        let before = current.nwa.num_states();
        if before <= SIMULATION_LIMIT {
            current =
                step(current, |nwa, origin| best_simulation(nwa, |state| label(origin(state)), budget))?;
        }
        current = trimmed(current, budget)?;
        if current.nwa.num_states() == before {
            return Ok(current);
        }
        current = step(current, |nwa, origin| {
            best_bisimulation(nwa, |state| (nwa.is_final(state), label(origin(state))), budget)
        })?;
    }
}

pub(crate) type Classes = crate::PrimaryMap<State, Vec<State>>;

/// Applies a reduction to a reduced automaton.
fn step(
    current: Explicit<Vec<State>>,
    reduction: impl FnOnce(&Nwa, &dyn Fn(State) -> State) -> Result<Explicit<Vec<State>>, Interrupted>,
) -> Result<Explicit<Vec<State>>, Interrupted> {
    let result = reduction(&current.nwa, &|state| current.origin[state][0])?;
    Ok(back_to_origin(result, &current.origin))
}

/// Removes dead ends again: merging can make transitions useless.
fn trimmed(current: Explicit<Vec<State>>, budget: &dyn Budget) -> Result<Explicit<Vec<State>>, Interrupted> {
    let (nwa, origin) = singletons(remove_dead_ends(&current.nwa, budget)?);
    Ok(back_to_origin(Explicit { nwa, origin }, &current.origin))
}

fn best_bisimulation<K: Ord>(
    nwa: &Nwa,
    key: impl Fn(State) -> K,
    budget: &dyn Budget,
) -> Result<Explicit<Vec<State>>, Interrupted> {
    let linear = good_partition(nwa, &key, Preference::Linear, budget)?;
    let hierarchical = good_partition(nwa, &key, Preference::Hierarchical, budget)?;
    let best = if hierarchical.len() < linear.len() { hierarchical } else { linear };
    let first = quotient(nwa, best.into_classes().into_iter().map(|(_, class)| class));
    if first.nwa.is_finite_automaton() {
        return Ok(first);
    }
    // Calls and returns leave a choice, and the first attempt may have chosen badly.
    let decks = double_deckers(&first.nwa, |_| true, budget)?;
    let coarse = coarse_partition(&first.nwa, |state| key(first.origin[state][0]), budget)?;
    let second = quotient(&first.nwa, merging::merge(&first.nwa, &coarse, &decks, budget)?);
    Ok(back_to_origin(second, &first.origin))
}

fn best_simulation<K: Ord>(
    nwa: &Nwa,
    key: impl Fn(State) -> K,
    budget: &dyn Budget,
) -> Result<Explicit<Vec<State>>, Interrupted> {
    let decks = double_deckers(nwa, |_| true, budget)?;
    let linear = simulation::mutual_simulation(nwa, &key, &decks, Preference::Linear, budget)?;
    let hierarchical = simulation::mutual_simulation(nwa, &key, &decks, Preference::Hierarchical, budget)?;
    let best = if hierarchical.len() < linear.len() { hierarchical } else { linear };
    Ok(quotient(nwa, best))
}

/// Each state as a class of its own.
pub(crate) fn singletons(trimmed: Explicit<State>) -> (Nwa, Classes) {
    let origin = trimmed.origin.into_iter().map(|(_, state)| vec![state]).collect();
    (trimmed.nwa, origin)
}

/// Classes of classes as classes.
pub(crate) fn back_to_origin(result: Explicit<Vec<State>>, origin: &Classes) -> Explicit<Vec<State>> {
    let flatten = |(_, class): (State, Vec<State>)| {
        let mut members: Vec<State> = class.into_iter().flat_map(|state| origin[state].clone()).collect();
        members.sort_unstable();
        members
    };
    Explicit { nwa: result.nwa, origin: result.origin.into_iter().map(flatten).collect() }
}
