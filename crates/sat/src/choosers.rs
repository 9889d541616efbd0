//! Inputs that choose.
//!
//! Where a word is shifted or rotated by an amount that is not known, or read from a table at a place that is not known, a few
//! bits choose among all the others. Once they have values, the rest is copying, which propagation does; if they are
//! decided last, every conflict is about one combination of everything. Activities do not see that, as the bits that are
//! copied take part in more conflicts. So the inputs that most choices depend on are decided first, for some of the time, if they
//! are few.
//!
//! A gate chooses if it depends on many inputs and one of the bits that it chooses by on few.

use crate::solver::Solver;
use crate::structure::Gate;
use crate::{Lit, Var};

/// A bit that depends on more inputs than this depends on many.
const FEW: usize = 8;
/// More inputs than this are not few enough to try all of their values.
const MOST: usize = 12;
/// An input that takes part in fewer choices is not looked at.
const LEAST_CHOICES: u32 = 16;
/// An input that takes part in fewer choices than this part of the most is not one of those.
const PART: u32 = 4;

/// The inputs that a variable depends on, in order; none if they are many.
type Support = Option<Vec<Var>>;

impl Solver {
    /// The inputs that most choices of a question depend on, those first that most depend on; none if they are many.
    pub(crate) fn find_choosers(&mut self, assumptions: &[Lit]) -> Vec<Var> {
        self.backtrack(0);
        let Some(order) = self.cone(assumptions) else { return Vec::new() };
        let mut supports: Vec<Support> = vec![None; self.level.len()];
        let mut choices: Vec<u32> = vec![0; self.level.len()];
        for &var in &order {
            let gate = self.structure.gate(var);
            let inputs = gate.map_or([None; 3], Gate::inputs).into_iter().flatten();
            let support = match gate {
                _ if !self.is_open(Lit::new(var, true)) => Some(Vec::new()),
                None => Some(vec![var]),
                Some(_) => union(inputs.map(|lit| supports[lit.var().0 as usize].as_deref())),
            };
            let by = match (gate, &support) {
                (Some(Gate::And(a, b)), None) => [Some(a), Some(b)],
                (Some(Gate::Mux(condition, ..)), None) => [Some(condition), None],
                _ => [None; 2],
            };
            for chosen_by in by.into_iter().flatten() {
                for input in supports[chosen_by.var().0 as usize].iter().flatten() {
                    choices[input.0 as usize] += 1;
                }
            }
            supports[var.0 as usize] = support;
        }
        let most = choices.iter().copied().max().unwrap_or(0);
        let least = (most / PART).max(LEAST_CHOICES);
        let mut choosers: Vec<Var> =
            order.into_iter().filter(|var| choices[var.0 as usize] >= least).collect();
        choosers.sort_by_key(|&var| (std::cmp::Reverse(choices[var.0 as usize]), var));
        if choosers.len() > MOST { Vec::new() } else { choosers }
    }
}

/// All inputs together, unless they are many.
fn union<'s>(supports: impl Iterator<Item = Option<&'s [Var]>>) -> Support {
    let mut all: Vec<Var> = Vec::new();
    for support in supports {
        all.extend(support?);
    }
    all.sort_unstable();
    all.dedup();
    (all.len() <= FEW).then_some(all)
}
