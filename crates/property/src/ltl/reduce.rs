//! Smaller Büchi automata by direct simulation (Dill, Hu and Wong-Toi, "Checking for Language Inclusion Using Simulation Preorders"; Etessami and Holzmann, "Optimizing
//! Büchi Automata").
//!
//! A state *simulates* another one if it can answer each of the other's transitions by one that asks for no more, is accepting if the other is, and leads to a state that simulates the other's target. Then it
//! accepts all that the other accepts. States that simulate each other are one, and a transition is left out if another one of the same state is as good: an
//! accepting run that takes the first has an answer, step by step, in what is kept.
//!
//! Cubic in the states, times the transitions of two states; large automata are left as they are.

use super::automaton::{Automaton, Literal, Transition};
use std::collections::BTreeSet;

/// Automata with more states are left as they are.
const MOST_STATES: usize = 150;

/// For each pair of states, whether the second simulates the first.
type Simulation = Vec<Vec<bool>>;

/// Whether what one guard asks for, the other asks for too.
fn asks_no_more(one: &[Literal], other: &[Literal]) -> bool {
    one.iter().all(|literal| other.contains(literal))
}

/// Whether a transition is as good as another one.
fn answers(answer: &Transition, asked: &Transition, simulation: &Simulation) -> bool {
    asks_no_more(&answer.guard, &asked.guard)
        && (answer.accepting || !asked.accepting)
        && simulation[asked.target][answer.target]
}

impl Automaton {
    /// Makes the automaton smaller. It accepts the same words.
    pub(super) fn reduce(&mut self) {
        if self.transitions.len() > MOST_STATES {
            return;
        }
        loop {
            let before = self.clone();
            self.accept_in_rounds_only();
            self.join_guards();
            self.merge();
            let simulation = self.simulation();
            let same = |state: usize| {
                let is_same = |&other: &usize| simulation[state][other] && simulation[other][state];
                (0..self.transitions.len()).find(is_same).unwrap_or(state)
            };
            let instead: Vec<usize> = (0..self.transitions.len()).map(same).collect();
            self.renumber(&instead);
            let simulation = self.simulation();
            self.prune(&simulation);
            self.renumber(&(0..self.transitions.len()).collect::<Vec<_>>());
            if *self == before {
                return;
            }
        }
    }

    /// A transition that no round of the automaton takes is taken once at most, so it makes no difference whether it is accepting.
    fn accept_in_rounds_only(&mut self) {
        let component = graph::components(self.transitions.len(), |state, out| {
            out.extend(self.transitions[state].iter().map(|step| step.target));
        })
        .numbers();
        for (state, list) in self.transitions.iter_mut().enumerate() {
            for step in list.iter_mut().filter(|step| component[step.target] != component[state]) {
                step.accepting = false;
            }
        }
    }

    /// Two transitions that differ in whether one atom holds are one that does not ask for it.
    fn join_guards(&mut self) {
        for list in &mut self.transitions {
            while let Some((one, other, guard)) = joined(list) {
                list[one].guard = guard;
                list.remove(other);
            }
        }
    }

    fn simulation(&self) -> Simulation {
        let count = self.transitions.len();
        let mut simulation = vec![vec![true; count]; count];
        loop {
            let mut changed = false;
            for one in 0..count {
                for other in 0..count {
                    let answered = |asked: &Transition| {
                        self.transitions[other].iter().any(|answer| answers(answer, asked, &simulation))
                    };
                    if simulation[one][other] && !self.transitions[one].iter().all(answered) {
                        simulation[one][other] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return simulation;
            }
        }
    }

    /// Leaves out transitions beside others that are as good.
    fn prune(&mut self, simulation: &Simulation) {
        for list in &mut self.transitions {
            let worse = |one: usize| {
                list.iter().enumerate().any(|(other, answer)| {
                    let mutual = answers(&list[one], answer, simulation);
                    other != one && answers(answer, &list[one], simulation) && (!mutual || other < one)
                })
            };
            let dropped: BTreeSet<usize> = (0..list.len()).filter(|&one| worse(one)).collect();
            let mut number = 0;
            list.retain(|_| {
                number += 1;
                !dropped.contains(&(number - 1))
            });
        }
    }
}

/// Two transitions of a list that can be one, with the guard of that.
fn joined(list: &[Transition]) -> Option<(usize, usize, Vec<Literal>)> {
    for (one, first) in list.iter().enumerate() {
        for (other, second) in list.iter().enumerate().skip(one + 1) {
            if (first.target, first.accepting, first.guard.len())
                != (second.target, second.accepting, second.guard.len())
            {
                continue;
            }
            let apart: Vec<&Literal> = first.guard.iter().filter(|it| !second.guard.contains(it)).collect();
            if let [&(atom, holds)] = apart[..]
                && second.guard.contains(&(atom, !holds))
            {
                let guard = first.guard.iter().copied().filter(|literal| literal.0 != atom).collect();
                return Some((one, other, guard));
            }
        }
    }
    None
}
