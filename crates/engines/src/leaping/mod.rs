//! Leaping loops (paper "Leaping Loops in the Presence of Abstraction"): errors behind any number of iterations.
//!
//! For every error and every abstract path to it, a chain of ports is sought that shows an execution to exist without
//! following it. Loops are passed by Theorem 1 or 2 over an abstract state with an entry and an exit port; nothing is
//! unrolled and nothing is ranked. What is found is a certificate that `certify` checks again.
//!
//! * [`motion`], [`modal`]: what blocks do under a strategy; `may`, `must⁺`, `must⁻`;
//! * [`paths`]: abstract paths;
//! * [`atoms`], [`samples`], [`candidates`], [`region`], [`ports`]: abstract states and ports;
//! * [`bounds`], [`theorems`]: the conditions;
//! * [`mod@strategies`] is about nondeterminism;
//! * [`search`], [`chain`]: gluing, and the certificate;
//! * [`sums`]: what grows in loops in loops;
//! * [`straight`]: one execution for chosen inputs, where no ports for many inputs fit together;
//! * [`concrete`], [`rounds`]: the run itself if it is short, the number of rounds if it is long.
//!
//! Requires: internal edges only on the way to the error (procedures without calls). Never proves safety.

pub mod atoms;
pub mod bounds;
pub mod candidates;
pub mod chain;
pub mod concrete;
mod limits;
pub mod modal;
pub mod motion;
pub mod paths;
pub mod ports;
pub mod region;
pub mod rounds;
pub mod samples;
pub mod search;
pub mod straight;
pub mod strategies;
pub mod sums;
pub mod theorems;

use crate::context::Context;
use crate::task::{Attempt, Counted, Goal, Task};
use base::Interrupted;
use modal::Modal;
use program::{Error, LeapEvidence, Location, Program, Reason, Verdict};
use search::{LeapStatistics, Search};
use sums::Sums;
use theorems::{Condition, Theorem};

/// What can be chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The theorems, in the order in which they are tried on a path.
    pub theorems: Vec<Theorem>,
    /// The search gives up after so much effort (see [`base::Budget::effort`]), which does not depend on the machine.
    pub most_effort: u64,
    /// A suggested path (Section 4.1): the loops to leap over, each by one of its locations, in their order. Without
    /// it, all short paths are tried (Section 4.3).
    pub through: Option<Vec<Location>>,
}

impl Default for Options {
    fn default() -> Options {
        Options { theorems: vec![Theorem::Two, Theorem::One], most_effort: 20_000_000, through: None }
    }
}

/// The engine.
pub fn run(task: &mut Task<'_>) -> Result<Verdict, Interrupted> {
    let single = task.single;
    let goal = task.options.goal.clone();
    let (errors, through) = match goal {
        Some(Goal { errors, through }) => (errors, through),
        None => (single.errors.keys().collect(), None),
    };
    let mut statistics = LeapStatistics::default();
    let options = Options { through, ..Options::default() };
    let verdict = find(&mut task.context(), single, &errors, &options, &mut statistics);
    task.counted.add(statistics.entries());
    verdict
}

/// A quick try inside of a refinement loop, which may still find a proof, so it must not take long: each gets half of what the one before
/// it had, as a program with many loops would otherwise be tried for most of the time.
pub fn shortcut(
    context: &mut Context<'_>,
    single: &Program,
    Attempt { error, before }: Attempt,
    counted: &mut Counted,
) -> Result<Verdict, Interrupted> {
    let mut statistics = LeapStatistics::default();
    let most_effort = limits::SHORTCUT_EFFORT >> before.min(limits::MOST_HALVED);
    let options = Options { most_effort, ..Options::default() };
    let verdict = find(context, single, &[error], &options, &mut statistics);
    counted.add(statistics.entries());
    verdict
}

/// Looks for a chain of leaps to one of the errors. The program of the context is made of blocks of the single-step program.
pub fn find(
    context: &mut Context<'_>,
    single: &Program,
    errors: &[Error],
    options: &Options,
    statistics: &mut LeapStatistics,
) -> Result<Verdict, Interrupted> {
    let program = context.program;
    let components = paths::components(program);
    let solver = context.session();
    let mut modal = Modal::new(program, context.terms, solver, (context.budget.clone(), options.most_effort));
    let mut failed: Option<(usize, Condition)> = None;
    for &error in errors {
        let goal = program.errors[error].location;
        for path in paths::paths(program, &components, goal, options.through.as_deref()) {
            // An execution for chosen inputs is looked for when the ports that hold for many inputs are not found soon. It
            // does not pass loops in loops.
            let straight = path.loops.iter().all(|at| at.component.len() == 1);
            modal.begin(if straight { limits::EFFORT_BEFORE_STRAIGHT } else { u64::MAX });
            let mut sums = Sums::default();
            // An analysis takes longer than a try inside of a refinement loop may.
            let analyses = sums::is_nested(&path) && options.most_effort > limits::SHORTCUT_EFFORT;
            if analyses && !modal.is_exhausted() {
                sums = sums::sums((&mut modal, &context.budget), single, &path, Vec::new())?;
            }
            let asked = (&options.theorems[..], &path);
            let mut found = search_path(&mut modal, asked, &sums, statistics, &mut failed)?;
            let cut = modal.is_exhausted();
            modal.begin(u64::MAX);
            if found.is_none() && analyses {
                for inputs in sums::wishes(&mut modal, &path) {
                    if modal.is_exhausted() {
                        break;
                    }
                    let sums = sums::sums((&mut modal, &context.budget), single, &path, inputs)?;
                    found = search_path(&mut modal, asked, &sums, statistics, &mut failed)?;
                    if found.is_some() {
                        break;
                    }
                }
            }
            if found.is_none()
                && straight
                && !path.loops.is_empty()
                && options.theorems.contains(&Theorem::Two)
            {
                found = straight::along(&mut modal, &path, statistics)?;
            }
            if found.is_none() && straight && cut {
                found = search_path(&mut modal, asked, &sums, statistics, &mut failed)?;
            }
            let Some(chain) = found else { continue };
            let run = concrete::run(&mut modal, &chain, error, limits::MOST_BLOCKS)?;
            let certificate = chain::certificate(single, program, &chain, error, modal.terms);
            return Ok(match certificate {
                Some(certificate) => Verdict::Leaps(Box::new(LeapEvidence { certificate, run })),
                None => {
                    let why = "a block cannot be told in single steps";
                    Verdict::Unknown(Reason::NoLeap(why.to_owned()))
                }
            });
        }
    }
    Ok(Verdict::Unknown(match failed {
        Some((_, condition)) => Reason::NoLeap(condition.to_string()),
        None => Reason::NoLeap("no path to an error was found".to_owned()),
    }))
}

/// Tries the theorems on a path, one after the other.
fn search_path(
    modal: &mut Modal<'_>,
    (theorems, path): (&[Theorem], &paths::Path),
    sums: &Sums,
    statistics: &mut LeapStatistics,
    failed: &mut Option<(usize, Condition)>,
) -> Result<Option<chain::Chain>, Interrupted> {
    for &theorem in theorems {
        let mut search = Search::new(modal, theorem, sums, statistics);
        let found = search.along(path)?;
        *failed = (*failed).max(search.failed);
        if found.is_some() || path.loops.is_empty() {
            return Ok(found);
        }
    }
    Ok(None)
}
