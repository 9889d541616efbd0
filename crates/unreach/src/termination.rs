//! From a program to a certified answer to the question whether all of its runs end.
//!
//! The way: program automaton → what infinite runs can see → blocks → engine → ranks or a recurrent set → independent check.

use crate::decide::{Decision, Task, refused, solvers};
use crate::arguments::Engine;
use crate::report::termination::{InfiniteReport, ranks};
use crate::report::Answer;
use base::{Budget, Interrupted};
use certify::termination::{TerminationCertificate, check_termination};
use certify::termination::recurrence::check_recurrence;
use certify::Refusal;
use engines::context::Context;
use engines::termination::{Answered, Termination};
use program::Reason;

/// Programs with more locations after inlining keep their calls.
pub(crate) const MOST_LOCATIONS: usize = 20_000;

/// Do all runs of the task's program end? Its program is the whole one: nothing was trimmed.
pub(crate) fn decide(task: &Task, budget: &Budget) -> Decision {
    let mut decision = decide_unnamed(task, budget);
    decision.engine = Some(Engine::Termination);
    decision
}

fn decide_unnamed(task: &Task, budget: &Budget) -> Decision {
    let mut terms = task.terms.clone();
    let single = program::termination::prepare(&task.single, MOST_LOCATIONS, &mut terms);
    let blocks = program::blocks::compose(&single, task.options.blocks.into(), &mut terms);
    let (solvers, _) = match solvers(&task.options, Engine::Termination, budget) {
        Ok(made) => made,
        Err(why) => return Answer::Internal(why).into(),
    };
    let mut context = Context::new(&blocks.program, &mut terms, &solvers, budget.clone());
    let (answered, counted) = match Termination::new(&mut context, &single) {
        Ok(mut engine) => {
            let answered = engine.run();
            (answered, engine.statistics.to_string())
        }
        Err(interrupted) => (Err(interrupted), String::new()),
    };
    drop(context);
    let statistics = format!("{}:\n{counted}", Engine::Termination.name());
    let with = |answer: Answer| Decision { statistics: statistics.clone(), ..Decision::from(answer) };
    match answered {
        Ok(Answered::Terminates(proof)) => {
            let certificate = TerminationCertificate::of_proof(&blocks, &proof);
            match check_termination(&single, &certificate, &mut terms, &mut *solvers.session(), budget) {
                Ok(()) => with(Answer::Safe(ranks(&task.loaded, &single, &blocks, &proof, &mut terms))),
                Err(refusal) => with(refused(&refusal)),
            }
        }
        Ok(Answered::Recurs(recurrence)) => {
            let source = &task.loaded.program;
            let checked =
                check_recurrence((source, &single), &recurrence, &mut terms, &mut *solvers.session(), budget);
            match checked {
                Ok(run) => {
                    let report = InfiniteReport::new(&task.loaded, &single, &recurrence, &run, &mut terms);
                    with(Answer::Infinite(Box::new(report)))
                }
                // The model of a stem may choose values that the interpreter cannot follow.
                Err(refusal @ Refusal::Recurrence(_)) => {
                    with(Answer::Unknown(Reason::NotConfirmed(refusal.to_string())))
                }
                Err(refusal) => with(refused(&refusal)),
            }
        }
        Ok(Answered::Unknown(why)) => with(Answer::Unknown(Reason::Termination(why))),
        Err(Interrupted(limit)) => with(Answer::Unknown(Reason::Limit(limit))),
    }
}
