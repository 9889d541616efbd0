//! `unreach verify`: from a program to a verdict with evidence.
//!
//! The way: source → `ir` → program automaton → blocks → engine → certificate or replayed execution → report.

use crate::arguments::{DataModel, Engine, Verify};
use crate::decide::{self, Decision, Options, Task};
use crate::engine::Calls;
use crate::input::{self, BadInput};
use crate::outcome::Exit;
use crate::plan;
use crate::property::{self, Property, PropertyError};
use crate::report::{Answer, Report};
use crate::source::{self, Loaded};
use base::budget::Limits;
use base::{Budget, Limit};
use logic::Terms;
use program::Reason;
use std::sync::Arc;
use std::time::Duration;

/// How long a run may take to come back by itself after a limit.
const GRACE: Duration = Duration::from_millis(300);

pub(crate) fn run(job: &Verify) -> Result<Exit, BadInput> {
    if job.certificate.is_some() && (job.inline || job.engine.wants_inlining()) {
        // Some engines prove the program with its calls inlined, which a certificate file does not describe.
        return Err(BadInput::CertificateElsewhere);
    }
    let property = match read_property(job)? {
        Ok(property) => property,
        Err(unsupported) => {
            println!("UNKNOWN (unsupported: {unsupported})");
            return Ok(Exit::Unknown);
        }
    };
    let report = Report::new(property, job.json, job.stats);
    let budget = Budget::unlimited();
    let limits = Limits { time: job.timeout, memory: job.memory.map(|mb| mb << 20) };
    let last_word = report.clone();
    let watchdog = budget.watch(limits, GRACE, move |limit| last_word.overrun(limit));
    let on_signal = budget.clone();
    // Without a handler Ctrl-C still ends the process, only without a verdict line.
    let _ = ctrlc::set_handler(move || on_signal.trip(Limit::Cancelled));
    let loaded = match source::load(&job.file, c_options(job, property)) {
        Ok(loaded) => loaded,
        Err(error) => return error.exit(),
    };
    let loaded = Arc::new(loaded);
    let answer = decide(job, &loaded, &budget, &report);
    drop(watchdog);
    Ok(report.finish(&loaded, answer?))
}

/// What the C front end has to know.
fn c_options(job: &Verify, property: Property) -> c::Options {
    c::Options {
        data_model: match job.data_model {
            DataModel::Ilp32 => c::DataModel::Ilp32,
            DataModel::Lp64 => c::DataModel::Lp64,
        },
        property: match property {
            Property::Assert => c::Property::Assert,
            Property::UnreachCall => c::Property::UnreachCall,
            Property::UnreachLabel => c::Property::UnreachLabel,
            Property::NoOverflow => c::Property::NoOverflow,
        },
        ..c::Options::default()
    }
}

fn read_property(job: &Verify) -> Result<Result<Property, String>, BadInput> {
    let Some(path) = &job.spec else { return Ok(Ok(Property::Assert)) };
    match property::parse(&input::read_program(path)?) {
        Ok(property) => Ok(Ok(property)),
        Err(PropertyError::Unsupported(what)) => Ok(Err(what)),
        Err(PropertyError::Malformed) => Err(BadInput::NoProperty(path.clone())),
    }
}

/// The verdict, certified.
fn decide(job: &Verify, loaded: &Arc<Loaded>, budget: &Budget, report: &Report) -> Result<Answer, BadInput> {
    let mut terms = Terms::new();
    let mut single = match program::build(&loaded.program, &mut terms) {
        Ok(program) => program,
        Err(diagnostic) => {
            let place = loaded.sources.place(diagnostic.span);
            let what = format!("{} at {place}", diagnostic.message);
            return Ok(Answer::Unknown(Reason::Unsupported(what)));
        }
    };
    program::trim::trim(&mut single);
    let task =
        Task { options: Options::of(job), loaded: Arc::clone(loaded), single, terms, report: report.clone() };
    let Decision { answer, certificate } = match job.engine {
        Engine::Auto => plan::decide_by_plan(task, budget),
        engine => {
            let calls = if job.inline { Calls::InlinedIfSmall } else { Calls::Kept };
            decide::decide(&task, engine, calls, budget)
        }
    };
    if let (Some(path), Some(text)) = (&job.certificate, certificate) {
        std::fs::write(path, text).map_err(|error| BadInput::Unwritable(path.clone(), error))?;
    }
    Ok(answer)
}
