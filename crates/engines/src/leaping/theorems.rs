//! The conditions of Theorems 1 and 2 as solver queries (paper "Leaping Loops", Sections 3 and 4.2).
//!
//! The transitions are those of the given motions that begin in `a` outside the exit port: leaving out transitions
//! only makes less reachable. `a` may have several locations, one region each. Condition 1 is decided for given values
//! of what the motions do not change: every changed variable has a machine type or is bounded by terms over the rest.

use super::bounds;
use super::modal::Modal;
use super::motion::Motion;
use base::Interrupted;
use logic::{Substitution, Term};
use program::leap::{Bound, Port};
use program::{Location, Var};
use std::collections::BTreeMap;
use std::fmt;

/// A loop with its abstract state and ports.
pub struct Situation<'a> {
    /// The abstract state `a`, by location.
    pub region: &'a BTreeMap<Location, Term>,
    /// The transitions.
    pub motions: &'a [Motion],
    /// The entry port.
    pub entry: Port,
    /// The exit port.
    pub exit: Port,
    /// What the motions change.
    pub changed: &'a [Var],
    /// What they change and what matters inside `a`.
    pub visible: &'a [Var],
}

/// Which theorem makes a leap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theorem {
    /// Backward: `must⁻*(entry, exit)`.
    One,
    /// Forward: `must⁺*(entry, exit)`.
    Two,
}

/// A condition that does not hold, as far as is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Condition {
    /// Two ports of successive abstract states do not fit together (Theorem 3).
    Glue,
    /// Condition 1: the abstract state is finite.
    Finite,
    /// Condition 3 of Theorem 2: every state outside the exit port has a successor outside the entry port.
    Successor,
    /// Condition 2 of Theorem 2: at most one predecessor inside.
    OnePredecessor,
    /// Condition 3 of Theorem 1: every state outside the entry port has a predecessor outside the exit port.
    Predecessor,
    /// Condition 2 of Theorem 1: at most one successor inside.
    OneSuccessor,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Condition::Glue => "the exit port of a loop does not lead to the entry port of what follows",
            Condition::Finite => "condition 1, the abstract state of a loop is finite",
            Condition::Successor => {
                "condition 3 of Theorem 2, every state has a successor in the abstract state"
            }
            Condition::OnePredecessor => {
                "condition 2 of Theorem 2, no state has two predecessors in the abstract state"
            }
            Condition::Predecessor => {
                "condition 3 of Theorem 1, every state has a predecessor in the abstract state"
            }
            Condition::OneSuccessor => {
                "condition 2 of Theorem 1, no state has two successors in the abstract state"
            }
        })
    }
}

/// Why `a` is finite if the theorem applies, else the condition that fails.
pub fn applies(
    modal: &mut Modal<'_>,
    situation: &Situation<'_>,
    theorem: Theorem,
) -> Result<Result<Vec<Bound>, Condition>, Interrupted> {
    let Some(bounds) = bounds::find(modal, situation)? else { return Ok(Err(Condition::Finite)) };
    Ok(failing(modal, situation, theorem)?.map_or(Ok(bounds), Err))
}

/// Which of the conditions 2 and 3 fails.
pub fn failing(
    modal: &mut Modal<'_>,
    situation: &Situation<'_>,
    theorem: Theorem,
) -> Result<Option<Condition>, Interrupted> {
    Ok(match theorem {
        Theorem::Two if !successors(modal, situation)? => Some(Condition::Successor),
        Theorem::Two if !one_predecessor(modal, situation)? => Some(Condition::OnePredecessor),
        Theorem::One if !one_successor(modal, situation)? => Some(Condition::OneSuccessor),
        Theorem::One if !predecessors(modal, situation)? => Some(Condition::Predecessor),
        _ => None,
    })
}

/// The states of `a` at a location outside a port.
fn outside(modal: &mut Modal<'_>, situation: &Situation<'_>, location: Location, port: Port) -> Term {
    let region = situation.region[&location];
    if location != port.location {
        return region;
    }
    let not = modal.terms.not(port.formula);
    modal.terms.and([region, not])
}

fn successors(modal: &mut Modal<'_>, situation: &Situation<'_>) -> Result<bool, Interrupted> {
    for &location in situation.region.keys() {
        let mut ways = Vec::new();
        for motion in situation.motions.iter().filter(|motion| motion.source == location) {
            let there = outside(modal, situation, motion.target, situation.entry);
            ways.push(modal.pre(motion, there));
        }
        let some = modal.terms.or(ways);
        let from = outside(modal, situation, location, situation.exit);
        if !modal.implies(from, some)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn predecessors(modal: &mut Modal<'_>, situation: &Situation<'_>) -> Result<bool, Interrupted> {
    for &location in situation.region.keys() {
        let mut ways = Vec::new();
        for motion in situation.motions.iter().filter(|motion| motion.target == location) {
            let from = outside(modal, situation, motion.source, situation.exit);
            ways.push(modal.post(motion, from));
        }
        let some = modal.terms.or(ways);
        let to = outside(modal, situation, location, situation.entry);
        if !modal.implies(to, some)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// One of two executions of motions that are compared.
struct Side {
    before: Substitution,
    after: Substitution,
    guard: Term,
}

/// The words that name the copies of one execution: those of its state, and those of its choices.
#[derive(Clone, Copy)]
struct Words {
    state: &'static str,
    choice: &'static str,
}

fn side(
    modal: &mut Modal<'_>,
    situation: &Situation<'_>,
    motion: &Motion,
    Words { state, choice }: Words,
) -> Side {
    let mut before = Substitution::new();
    for &var in situation.changed {
        let symbol = modal.program.variables[var].symbol;
        let data = modal.terms.symbol_data(symbol).clone();
        let copy = modal.terms.named(&format!("{state} {}", data.name), data.sort);
        before.insert(symbol, copy);
    }
    let mut all = before.clone();
    for &symbol in &motion.relation.auxiliaries {
        let data = modal.terms.symbol_data(symbol).clone();
        let copy = modal.terms.named(&format!("{choice} {}", data.name), data.sort);
        all.insert(symbol, copy);
    }
    let mut after = Substitution::new();
    for &var in situation.changed {
        let unchanged = modal.program.variables.term(modal.terms, var);
        let value = motion.relation.update(var).unwrap_or(unchanged);
        let value = all.apply(modal.terms, value);
        after.insert(modal.program.variables[var].symbol, value);
    }
    let guard = all.apply(modal.terms, motion.relation.guard);
    Side { before, after, guard }
}

fn differ(modal: &mut Modal<'_>, vars: &[Var], left: &mut Substitution, right: &mut Substitution) -> Term {
    let mut differences = Vec::new();
    for &var in vars {
        let value = modal.program.variables.term(modal.terms, var);
        let (here, there) = (left.apply(modal.terms, value), right.apply(modal.terms, value));
        let same = modal.terms.eq(here, there);
        differences.push(modal.terms.not(same));
    }
    modal.terms.or(differences)
}

fn one_predecessor(modal: &mut Modal<'_>, situation: &Situation<'_>) -> Result<bool, Interrupted> {
    for (position, first) in situation.motions.iter().enumerate() {
        for second in situation.motions[position..].iter().filter(|second| second.target == first.target) {
            let mut left = side(modal, situation, first, Words { state: "left", choice: "left" });
            let mut right = side(modal, situation, second, Words { state: "right", choice: "right" });
            let from_left = outside(modal, situation, first.source, situation.exit);
            let from_right = outside(modal, situation, second.source, situation.exit);
            let meeting = outside(modal, situation, first.target, situation.entry);
            let different = differ(modal, situation.visible, &mut left.after, &mut right.after);
            let starts = if first.source == second.source {
                differ(modal, situation.visible, &mut left.before, &mut right.before)
            } else {
                Term::TRUE
            };
            let terms = &mut *modal.terms;
            let parts = [
                left.before.apply(terms, from_left),
                right.before.apply(terms, from_right),
                left.guard,
                right.guard,
                left.after.apply(terms, meeting),
                terms.not(different),
                starts,
            ];
            let meet = terms.and(parts);
            if !modal.impossible(meet)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn one_successor(modal: &mut Modal<'_>, situation: &Situation<'_>) -> Result<bool, Interrupted> {
    for (position, first) in situation.motions.iter().enumerate() {
        for second in situation.motions[position..].iter().filter(|second| second.source == first.source) {
            let mut left = side(modal, situation, first, Words { state: "before", choice: "left" });
            let mut right = side(modal, situation, second, Words { state: "before", choice: "right" });
            let from = outside(modal, situation, first.source, situation.exit);
            let different = if first.target == second.target {
                differ(modal, situation.changed, &mut left.after, &mut right.after)
            } else {
                Term::TRUE
            };
            let terms = &mut *modal.terms;
            let parts = [
                left.before.apply(terms, from),
                left.guard,
                right.guard,
                left.after.apply(terms, situation.region[&first.target]),
                right.after.apply(terms, situation.region[&second.target]),
                different,
            ];
            let part = terms.and(parts);
            if !modal.impossible(part)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
