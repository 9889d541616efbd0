//! Delayed and fair simulation of Büchi automata without nesting.
//!
//! After: K. Etessami, Th. Wilke, R. Schuller, *Fair Simulation Relations, Parity Games, and State Space Reduction for
//! Büchi Automata* (ICALP 2001). Both are games: Spoiler moves in one automaton, Duplicator answers in the other with the
//! same letter. Duplicator wins an infinite play
//!
//! * of *delayed* simulation if each visit of a final state by Spoiler is followed by one by Duplicator (or is at the same
//!   time as one). States that simulate each other in this way can be merged;
//! * of *fair* simulation if Duplicator visits final states infinitely often, or Spoiler does not. Fair simulation implies
//!   inclusion of the languages, but states that simulate each other cannot simply be merged.
//!
//! The winning positions are nested fixed points over a table of all positions; each round of the innermost one costs
//! (states · states) times the squares of the degrees. For automata of some hundred states. Calls and returns are not
//! looked at: the caller makes sure that there are none.

use crate::{Budget, EntityRef, Interrupted, Nwa, State};

/// The positions of a game: a state of each side, and whether a visit of a final state by Spoiler is unanswered. (Fair
/// simulation does not need the latter.)
struct Arena<'a> {
    spoiler: &'a Nwa,
    duplicator: &'a Nwa,
    budget: &'a dyn Budget,
}

/// A set of positions.
type Positions = Vec<bool>;

#[derive(Clone, Copy)]
struct Position {
    spoiler: State,
    duplicator: State,
    owed: bool,
}

impl Arena<'_> {
    fn index(&self, position: Position) -> usize {
        let pair = position.spoiler.index() * self.duplicator.num_states() + position.duplicator.index();
        2 * pair + usize::from(position.owed)
    }

    fn len(&self) -> usize {
        2 * self.spoiler.num_states() * self.duplicator.num_states()
    }

    fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        self.spoiler.states().flat_map(move |spoiler| {
            self.duplicator
                .states()
                .flat_map(move |duplicator| [false, true].map(|owed| Position { spoiler, duplicator, owed }))
        })
    }

    /// The position behind a pair of moves.
    fn enter(&self, spoiler: State, duplicator: State, owed: bool) -> Position {
        let answered = self.duplicator.is_final(duplicator);
        Position { spoiler, duplicator, owed: !answered && (owed || self.spoiler.is_final(spoiler)) }
    }

    /// Whether Duplicator can answer each move of Spoiler such that the set is entered.
    fn can_force(&self, position: Position, into: &Positions) -> bool {
        self.spoiler.internal(position.spoiler).iter().all(|challenge| {
            let answers = self.duplicator.internal_on(position.duplicator, challenge.letter);
            answers
                .iter()
                .any(|answer| into[self.index(self.enter(challenge.state, answer.state, position.owed))])
        })
    }

    /// The least or greatest set (as it starts with nothing or everything) such that a position is in it iff the rule says
    /// so.
    fn fixed_point(
        &self,
        start: bool,
        mut rule: impl FnMut(&Positions) -> Result<Positions, Interrupted>,
    ) -> Result<Positions, Interrupted> {
        let mut set = vec![start; self.len()];
        loop {
            self.budget.check()?;
            let next = rule(&set)?;
            if next == set {
                return Ok(set);
            }
            set = next;
        }
    }

    fn select(&self, mut wanted: impl FnMut(Position) -> bool) -> Result<Positions, Interrupted> {
        let mut set = vec![false; self.len()];
        for position in self.positions() {
            self.budget.check()?;
            set[self.index(position)] = wanted(position);
        }
        Ok(set)
    }

    /// The positions from which Duplicator pays what it owes again and again.
    fn delayed(&self) -> Result<Positions, Interrupted> {
        self.fixed_point(true, |always| {
            self.fixed_point(false, |soon| {
                self.select(|position| {
                    self.can_force(position, soon) || (!position.owed && self.can_force(position, always))
                })
            })
        })
    }

    /// The positions from which Duplicator visits final states infinitely often unless Spoiler does not.
    fn fair(&self) -> Result<Positions, Interrupted> {
        self.fixed_point(true, |always| {
            self.fixed_point(false, |soon| {
                self.fixed_point(true, |meanwhile| {
                    self.select(|position| {
                        let next = if self.duplicator.is_final(position.duplicator) {
                            always
                        } else if self.spoiler.is_final(position.spoiler) {
                            soon
                        } else {
                            meanwhile
                        };
                        self.can_force(position, next)
                    })
                })
            })
        })
    }
}

/// Which states of an automaton simulate which, by the rules of one game.
pub(super) struct Simulation {
    states: usize,
    pairs: Vec<bool>,
}

impl Simulation {
    fn new(arena: &Arena<'_>, winning: &Positions) -> Simulation {
        let states = arena.duplicator.num_states();
        let mut pairs = Vec::with_capacity(states * arena.spoiler.num_states());
        for below in arena.spoiler.states() {
            for above in arena.duplicator.states() {
                pairs.push(winning[arena.index(arena.enter(below, above, false))]);
            }
        }
        Simulation { states, pairs }
    }

    /// Whether the first state is simulated by the second.
    pub(super) fn contains(&self, below: State, above: State) -> bool {
        self.pairs[below.index() * self.states + above.index()]
    }

    /// The classes of states that simulate each other and have equal keys.
    pub(super) fn classes<K: PartialEq>(&self, nwa: &Nwa, key: impl Fn(State) -> K) -> Vec<Vec<State>> {
        let mut classes: Vec<Vec<State>> = Vec::new();
        for state in nwa.states() {
            let same = |class: &&mut Vec<State>| {
                let first = class[0];
                self.contains(first, state) && self.contains(state, first) && key(first) == key(state)
            };
            match classes.iter_mut().find(same) {
                Some(class) => class.push(state),
                None => classes.push(vec![state]),
            }
        }
        classes
    }
}

/// Delayed simulation between the states of an automaton.
pub(super) fn delayed(nwa: &Nwa, budget: &dyn Budget) -> Result<Simulation, Interrupted> {
    let arena = Arena { spoiler: nwa, duplicator: nwa, budget };
    Ok(Simulation::new(&arena, &arena.delayed()?))
}

/// Fair simulation of the states of one automaton by those of another.
pub(super) fn fair(spoiler: &Nwa, duplicator: &Nwa, budget: &dyn Budget) -> Result<Simulation, Interrupted> {
    let arena = Arena { spoiler, duplicator, budget };
    Ok(Simulation::new(&arena, &arena.fair()?))
}

/// Whether each initial state of one automaton is fairly simulated by one of another: then its language is included.
pub(super) fn is_fairly_simulated(
    below: &Nwa,
    above: &Nwa,
    budget: &dyn Budget,
) -> Result<bool, Interrupted> {
    let simulation = fair(below, above, budget)?;
    let simulated = |&start: &State| above.initial().iter().any(|&other| simulation.contains(start, other));
    Ok(below.initial().iter().all(simulated))
}
