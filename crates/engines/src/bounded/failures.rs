//! Everything that fails within a few rounds of loops, in one unwinding.
//!
//! An unwinding knows when each check fails while all checks before it hold. So one unwinding answers for each check whether it
//! can fail within the bound, and one solver answers all these questions. Who wants to know about every check asks here once,
//! instead of asking for one failure after the other.
//!
//! Costs: as for [`super`], and one question to the solver for each place and bound, each with a limit on conflicts.

use super::asking::Asking;
use super::{Bounded, Entry, Statistics, limits};
use base::{Budget, Interrupted};
use ir::Procedure;
use ir::interpreter::Place;
use program::ConcreteRun;
use sat::Answer;
use std::collections::{BTreeMap, BTreeSet};
use unwind::{Bit, Halt, Limits, Unwinder};

/// One question about a place is not worth more conflicts than this.
const MOST_CONFLICTS: u64 = 4_000;
/// How large an unwinding may become.
const LIMITS: Limits = Limits { gates: 600_000, steps: 200_000, call_depth: 200 };
/// A larger bound is tried only where there were no more gates than this: it takes a multiple of them.
const FEW_GATES: usize = 15_000;

/// Tells of a run for each place at which the program fails, as far as the budget goes.
///
/// Requires a program without threads. The runs are not yet confirmed: somebody has to run them again.
pub fn failing_runs(
    source: &ir::Program,
    budget: &Budget,
    found: &dyn Fn(ConcreteRun),
) -> Result<(), Interrupted> {
    let statistics = Statistics::default();
    let engine = Bounded { source, analysed: None, budget: budget.clone(), statistics };
    let mut failing = BTreeSet::new();
    let mut entries: Vec<Procedure> = source.entries().into_iter().collect();
    for &bound in limits::BOUNDS {
        let mut unfinished = Vec::new();
        for procedure in entries {
            if engine.failing_within(procedure, bound, &mut failing, found)? == More::Possible {
                unfinished.push(procedure);
            }
        }
        if unfinished.is_empty() {
            break;
        }
        entries = unfinished;
    }
    Ok(())
}

/// Whether a larger bound could show more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum More {
    Possible,
    No,
}

impl Bounded<'_> {
    fn failing_within(
        &self,
        procedure: Procedure,
        bound: u32,
        failing: &mut BTreeSet<Place>,
        found: &dyn Fn(ConcreteRun),
    ) -> Result<More, Interrupted> {
        let mut unwinder = Unwinder::new(self.source, LIMITS, self.budget.clone());
        let mut asking = Asking::new(bound, &self.budget);
        let halted = match unwinder.run(procedure, &mut asking) {
            Ok(()) => false,
            Err(Halt::Unsupported(_)) => true,
            Err(Halt::Interrupted(interrupted)) => return Err(interrupted),
        };
        let mut places: BTreeMap<Place, Vec<Bit>> = BTreeMap::new();
        for failure in unwinder.failures.iter().filter(|failure| !failing.contains(&failure.place)) {
            places.entry(failure.place).or_default().push(failure.bit);
        }
        for (place, bits) in places {
            let fails = unwinder.any(bits);
            if asking.ask_within(unwinder.circuit(), fails, MOST_CONFLICTS)? == Some(Answer::Sat)
                && let Entry::Fails(run) = self.follow(procedure, &unwinder, &asking)?
            {
                failing.insert(place);
                found(run);
            }
        }
        let large = unwinder.circuit().len() > FEW_GATES;
        Ok(if halted || large || unwinder.open.is_empty() { More::No } else { More::Possible })
    }
}
