//! `unreach verify`: from a program to a verdict with evidence.
//!
//! The way: source → `ir` → program automaton → blocks → engine → certificate or replayed execution → report.

use crate::arguments::{Engine, Verify};
use crate::decide::{self, Decision, Options, Task};
use crate::engine::Calls;
use crate::input::BadInput;
use crate::interleaving::{self, Effort, Judged};
use crate::outcome::Exit;
use crate::plan;
use crate::report::{Answer, Report};
use crate::source::{self, Language, Loaded};
use base::budget::Limits;
use base::{Budget, Limit};
use logic::Terms;
use program::Reason;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How long a run may take to come back by itself after a limit.
const GRACE: Duration = Duration::from_millis(300);

/// How many steps of the interpreter are worth a try.
const FEW_STEPS: u64 = 50_000;

pub(crate) fn run(job: &Verify) -> Result<Exit, BadInput> {
    if job.certificate.is_some() && (job.inline || job.engine.wants_inlining()) {
        // Some engines prove the program with its calls inlined, which a certificate file does not describe.
        return Err(BadInput::CertificateElsewhere);
    }
    if job.harness.is_some() && source::language(&job.file)? != Language::C {
        return Err(BadInput::HarnessElsewhere);
    }
    let asked = match source::read_property(job.spec.as_deref())? {
        Ok(asked) => asked,
        Err(unsupported) => {
            println!("UNKNOWN (unsupported: {unsupported})");
            return Ok(Exit::Unknown);
        }
    };
    let report = Report::new(asked.property, job.json, job.stats);
    let budget = Budget::unlimited();
    let limits = Limits { time: job.timeout, memory: job.memory.map(|mb| mb << 20) };
    let last_word = report.clone();
    let watchdog = budget.watch(limits, GRACE, move |limit| last_word.overrun(limit));
    let on_signal = budget.clone();
    // Without a handler Ctrl-C still ends the process, only without a verdict line.
    let _ = ctrlc::set_handler(move || on_signal.trip(Limit::Cancelled));
    let loaded = match source::load(&job.file, &job.c, &asked) {
        Ok(loaded) => loaded,
        Err(error) => return error.exit(),
    };
    // What depends on bit operations or floating numbers that were only bounded is decided in bit-vectors.
    let bounded = loaded.back.as_ref().is_some_and(|back| back.bounded_bits);
    let exact = bounded.then(|| source::load_exactly(&job.file, &job.c, &asked).map(Arc::new));
    let soon = match &exact {
        Some(Ok(exact)) => {
            a_few_runs(job, exact, &budget, &report).map(|found| (Arc::clone(exact), Ok(found)))
        }
        _ => None,
    };
    let (loaded, answer) = match soon {
        Some(found) => found,
        None => {
            let (judged, answer) = decide_threads(job, Arc::new(loaded), &budget, &report);
            match (&answer, exact) {
                (Ok((Answer::Unknown(Reason::Overapproximation(_)), _)), Some(Ok(exact))) => {
                    decide_threads(job, exact, &budget, &report)
                }
                (Ok((Answer::Unknown(Reason::Overapproximation(_)), _)), Some(Err(error))) => {
                    return error.exit();
                }
                _ => (judged, answer),
            }
        }
    };
    drop(watchdog);
    let (answer, engine) = answer?;
    if let Some(path) = &job.harness {
        write_harness(path, &loaded, &answer)?;
    }
    Ok(report.finish(&loaded, answer, engine))
}

/// Writes the test that leads the program into its error, if there is one to be written.
fn write_harness(path: &Path, loaded: &Loaded, answer: &Answer) -> Result<(), BadInput> {
    let execution = match answer {
        Answer::Unsafe(execution) => Some(execution),
        Answer::Leaps(leaps) => leaps.execution.as_ref(),
        Answer::Safe(_) | Answer::Unknown(_) | Answer::Internal(_) => None,
    };
    let (Some(back), Some(execution)) = (&loaded.back, execution) else { return Ok(()) };
    if loaded.threads.is_some() {
        eprintln!("unreach: no test: a test cannot tell threads in which order to run");
        return Ok(());
    }
    let number = |(variable, value): &(ir::Variable, ir::interpreter::Value)| match value {
        // A floating number goes by its bit pattern.
        ir::interpreter::Value::Bits(bits) => Some((*variable, bits.unsigned().into())),
        value => Some((*variable, value.as_int()?.to_big())),
    };
    let inputs: Vec<_> = execution.inputs.iter().chain(&execution.choices).filter_map(number).collect();
    let Some(test) = c::harness(back, &loaded.sources, &inputs) else {
        eprintln!("unreach: no test: an assertion cannot be said in C");
        return Ok(());
    };
    std::fs::write(path, test).map_err(|error| BadInput::Unwritable(path.to_owned(), error))
}

/// The verdict about a program with or without threads, and the program that it is about.
fn decide_threads(
    job: &Verify,
    loaded: Arc<Loaded>,
    budget: &Budget,
    report: &Report,
) -> (Arc<Loaded>, Result<Judged, BadInput>) {
    if !threads::is_concurrent(&loaded.program) {
        let judged = decide(job, &loaded, (budget, plan::ALL_ROUNDS), report);
        return (loaded, judged);
    }
    let effort = match (job.certificate.is_some(), job.engine) {
        (true, _) => Effort::Certificate,
        (false, Engine::Auto) => Effort::Plan,
        (false, _) => Effort::OneEngine,
    };
    let judge = |product: &Arc<Loaded>, rounds| decide(job, product, (budget, rounds), report);
    interleaving::decide(loaded, effort, budget, judge)
}

/// An error that a few runs of the exact program show: the one that is only bounded can show none behind a bounded
/// operation, and reasoning about it all may take long.
fn a_few_runs(job: &Verify, exact: &Arc<Loaded>, budget: &Budget, report: &Report) -> Option<Judged> {
    if job.engine != Engine::Auto
        || job.without.contains(&Engine::Search)
        || threads::is_concurrent(&exact.program)
    {
        return None;
    }
    let mut terms = Terms::new();
    let mut single = program::build(&exact.program, &mut terms).ok()?;
    program::trim::trim(&mut single);
    let mut options = Options::of(job);
    options.steps = FEW_STEPS;
    let task = Task { options, loaded: Arc::clone(exact), single, terms, report: report.clone() };
    let found = decide::decide(&task, Engine::Search, Calls::Kept, budget);
    matches!(found.answer, Answer::Unsafe(_)).then_some((found.answer, found.engine))
}

/// The verdict, certified, and whose it is. Where the plan decides, it takes so many rounds at most.
fn decide(
    job: &Verify,
    loaded: &Arc<Loaded>,
    (budget, rounds): (&Budget, u32),
    report: &Report,
) -> Result<Judged, BadInput> {
    let mut terms = Terms::new();
    let mut single = match program::build(&loaded.program, &mut terms) {
        Ok(program) => program,
        Err(diagnostic) => {
            let place = loaded.sources.place(diagnostic.span);
            let what = format!("{} at {place}", diagnostic.message);
            return Ok((Answer::Unknown(Reason::Unsupported(what)), None));
        }
    };
    program::trim::trim(&mut single);
    let task =
        Task { options: Options::of(job), loaded: Arc::clone(loaded), single, terms, report: report.clone() };
    let Decision { answer, certificate, statistics, engine } = match job.engine {
        Engine::Auto => plan::decide_by_plan(task, rounds, budget),
        engine => {
            let calls = if job.inline { Calls::InlinedIfSmall } else { Calls::Kept };
            decide::decide(&task, engine, calls, budget)
        }
    };
    report.statistics(&statistics);
    if let (Some(path), Some(text)) = (&job.certificate, certificate) {
        std::fs::write(path, text).map_err(|error| BadInput::Unwritable(path.clone(), error))?;
    }
    Ok((answer, engine))
}
