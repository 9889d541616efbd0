//! `unreach verify`: from a program to a verdict with evidence.

use super::{problem, reuse};
use crate::cli::arguments::{StopAt, Verify, WitnessVersion};
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::files;
use crate::cli::limits;
use crate::cli::terminal::{Terminal, failed, line};
use logic::{Term, Terms};
use smt::Solver as _;
use smt::process::{ProcessOptions, ProcessSession};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use unreach::answer::{Proof, Safe};
use unreach::checks::Survey;
use unreach::export::{Format, NoWitness, Version, Wish};
use unreach::report::page::{self, About, Download};
use unreach::report::reasons::Reasons;
use unreach::stand::Stand;
use unreach::{
    Answer, Budget, Decision, Failure, Language, Limit, Limits, Plan, Problem, Property, Reason, export,
    report,
};

/// So long it may take to find out how far a run without an answer has come.
const TIME_FOR_STAND: Duration = Duration::from_millis(300);
/// So long it may take to find the checks that no execution comes to.
const TIME_FOR_VACUOUS: Duration = Duration::from_secs(3);
/// So long it may take to find out what can be said with ghosts, if the run has so much time left.
const TIME_FOR_GHOSTS: Duration = Duration::from_secs(10);
/// So long a solver may take to answer the first question, even on a machine that is busy.
const SOLVER_STARTS_WITHIN: Duration = Duration::from_secs(60);

pub(crate) fn run(job: &Verify) -> Result<Exit, BadInput> {
    let outcome = decide(job);
    if let (true, Err(bad_input)) = (job.json, &outcome) {
        let error = serde_json::json!({ "verdict": "ERROR", "reason": bad_input.to_string() });
        line(&format!("{error:#}"));
    }
    outcome
}

/// Says why there is no answer at all, to people and, if that is asked for, to machines.
fn no_answer(job: &Verify, failure: Failure) -> Exit {
    if job.json {
        line(&format!("{:#}", unreach::report::failure_json(&failure)));
    }
    failed(failure)
}

fn decide(job: &Verify) -> Result<Exit, BadInput> {
    let begun = Instant::now();
    if job.witness_version.is_some() && !matches!(Language::of_path(&job.file), Ok(Language::C)) {
        return Err(BadInput::NoSuchWitness("it goes with C programs only"));
    }
    let format = witness_format(job)?;
    if matches!(Language::of_path(&job.file), Ok(Language::SvLib))
        && job.harness.is_none()
        && job.review().is_none()
    {
        return super::script::run(job);
    }
    if job.harness.is_some() && Language::of_path(&job.file)? != Language::C {
        return Err(BadInput::HarnessElsewhere);
    }
    if job.witness.is_some() && Language::of_path(&job.file)? != Language::C {
        return Err(BadInput::WitnessElsewhere);
    }
    if job.review().is_some() && Language::of_path(&job.file)? != Language::Boogie {
        return Err(BadInput::ReviewElsewhere);
    }
    if job.review().is_some() && (job.certificate.is_some() || job.report.is_some()) {
        return Err(BadInput::CertificateOfReview);
    }
    if let Some(command) = job.cross_check.as_ref().filter(|command| !answers(command)) {
        return Err(BadInput::NoSolver(command.clone()));
    }
    let problem = match problem(&job.file, &job.more, job.spec.as_deref(), &job.c)? {
        Ok(problem) => problem,
        Err(unsupported) => {
            let reason = format!("unsupported: {unsupported}");
            line(&match job.json {
                true => format!("{:#}", serde_json::json!({ "verdict": "UNKNOWN", "reason": reason })),
                false => format!("UNKNOWN ({reason})"),
            });
            return Ok(Exit::Unknown);
        }
    };
    if problem.observer.is_some() && (job.witness.is_some() || job.harness.is_some()) {
        return Err(BadInput::NotOfObservers);
    }
    if let (Some(_), Some(why)) = (&job.witness, format.lacks(problem.property)) {
        return Err(BadInput::NoSuchWitness(why));
    }
    let terminal = Terminal::new(problem.property, job.json, job.stats).limited(job.timeout);
    let last_word = terminal.clone();
    let limits = Limits { time: job.timeout, memory: limits::memory(job.memory) };
    let page = job.report.clone().map(|path| Page { path, begun });
    let last_page = page.clone().map(|page| (page, problem.clone()));
    let overrun = move |limit| {
        if let Some((page, problem)) = &last_page
            && let Err(bad_input) = page.write(problem, &Decision::limited(limit), None)
        {
            eprintln!("unreach: {bad_input}");
        }
        last_word.overrun(limit);
    };
    let plan = job.plan().with_reuse(reuse(job.reuse.as_deref())?);
    limits::heaps(&plan);
    let (budget, watchdog) = limits::budget(limits, overrun);
    if let Some(wish) = job.review() {
        let review = unreach::review::review(&problem, &wish, &plan, &budget, &terminal.observer());
        drop(watchdog);
        return match review {
            Ok(Ok(review)) if review.procedures.is_empty() => Err(BadInput::NoProcedure(job.file.clone())),
            Ok(Ok(review)) => Ok(terminal.reviewed(&review)),
            Ok(Err(reason)) => Ok(terminal.finish(&Decision::of_reason(reason))),
            Err(failure) => Ok(no_answer(job, failure)),
        };
    }
    if job.stop_at == StopAt::All && !unreach::termination::is_asked(&problem, &plan) {
        let survey = unreach::checks::survey(&problem, &plan, &budget, &terminal.observer());
        drop(watchdog);
        return match survey {
            Ok(Ok(survey)) => {
                let wish = Wish { format, time: now(), ghosts: None };
                write_files(job, &problem, report::checks::decisive(&survey), &wish)?;
                write_sarif(job, |file| export::sarif_of_survey(file, problem.property, &survey))?;
                if let Some(page) = &page {
                    page.write(&problem, report::checks::decisive(&survey), Some(&survey))?;
                }
                Ok(terminal.surveyed(&survey))
            }
            Ok(Err(reason)) => Ok(terminal.finish(&Decision::of_reason(reason))),
            Err(failure) => Ok(no_answer(job, failure)),
        };
    }
    let decision = unreach::verify(&problem, &plan, &budget, Arc::new(terminal.clone()));
    drop(watchdog);
    match decision {
        Ok(mut decision) => {
            if !job.json || page.is_some() {
                let found = stand(&decision, &problem, &terminal);
                decision.stand = match (decision.stand.take(), found) {
                    (Some(known), Some(found)) => Some(known.and(found)),
                    (known, found) => known.or(found),
                };
            }
            if page.is_some() {
                find_vacuous(&mut decision, &problem, &plan);
            }
            let ghosts = ghosts(job, &problem, &decision, begun);
            write_files(job, &problem, &decision, &Wish { format, time: now(), ghosts })?;
            write_sarif(job, |file| export::sarif(file, problem.property, &decision))?;
            if let Some(page) = &page {
                page.write(&problem, &decision, None)?;
            }
            Ok(terminal.finish(&decision))
        }
        Err(failure) => Ok(no_answer(job, failure)),
    }
}

/// How far a run without an answer has come. That may take a moment of its own, as the time of the run is over.
fn stand(decision: &Decision, problem: &Problem, terminal: &Terminal) -> Option<Stand> {
    let (Answer::Unknown(reason), Some(view)) = (&decision.answer, &decision.view) else { return None };
    let is_asked = problem.property != Property::Termination && !view.is_temporal();
    let has_room = !matches!(reason, Reason::Limit(Limit::Memory | Limit::Cancelled));
    if !is_asked || !has_room || terminal.is_quiet() {
        return None;
    }
    let limits = Limits { time: Some(TIME_FOR_STAND), memory: None };
    let (view, (sender, stand)) = (Arc::clone(view), channel());
    // A solver that does not come back in time is left behind: the process ends soon.
    std::thread::spawn(move || {
        let (budget, _watchdog) = limits::budget(limits, |_| {});
        _ = sender.send(unreach::stand::stand(&view, &budget));
    });
    stand.recv_timeout(2 * TIME_FOR_STAND).ok().flatten()
}

/// Finds the checks that no execution comes to, for a proof that does not know it by itself.
fn find_vacuous(decision: &mut Decision, problem: &Problem, plan: &Plan) {
    let is_asked = |safe: &Safe| safe.reasons.is_none() && matches!(safe.proof, Proof::Unwinding(_));
    if !matches!(&decision.answer, Answer::Safe(safe) if is_asked(safe)) {
        return;
    }
    let limits = Limits { time: Some(TIME_FOR_VACUOUS), memory: None };
    let (budget, _watchdog) = limits::budget(limits, |_| {});
    let vacuous = unreach::checks::vacuous(problem, plan, decision, &budget);
    if let Answer::Safe(safe) = &mut decision.answer {
        safe.reasons = Some(Reasons::of_vacuous(vacuous));
    }
}

/// What can be said with ghosts, if a witness is wanted that may say it, and there is time left.
fn ghosts(job: &Verify, problem: &Problem, decision: &Decision, begun: Instant) -> Option<c::Monitor> {
    if job.witness.is_none()
        || !matches!(job.witness_version, None | Some(WitnessVersion::V2_1 | WitnessVersion::V2_2))
    {
        return None;
    }
    let left = job.timeout.map_or(TIME_FOR_GHOSTS, |timeout| timeout.saturating_sub(begun.elapsed()));
    let limits = Limits { time: Some(left.min(TIME_FOR_GHOSTS)), memory: limits::memory(job.memory) };
    let (budget, _watchdog) = limits::budget(limits, |_| {});
    export::ghosts(problem, decision, &job.plan(), &budget)
}

/// The format that the options ask for.
fn witness_format(job: &Verify) -> Result<Format, BadInput> {
    let extension = job.witness.as_ref().and_then(|path| path.extension());
    let is_graphml = extension.is_some_and(|extension| extension == "graphml");
    let version = match job.witness_version {
        None if is_graphml => return Ok(Format::GraphMl),
        None => return Ok(Format::Yaml),
        Some(WitnessVersion::GraphMl) => return Ok(Format::GraphMl),
        Some(WitnessVersion::V2_0) => Version::V2_0,
        Some(WitnessVersion::V2_1) => Version::V2_1,
        Some(WitnessVersion::V2_2) => Version::V2_2,
    };
    match is_graphml {
        true => Err(BadInput::NoSuchWitness("a file whose name ends in `.graphml` has no version of YAML")),
        false => Ok(Format::YamlOf(version)),
    }
}

/// Writes what was asked for about a decision.
fn write_files(job: &Verify, problem: &Problem, decision: &Decision, wish: &Wish) -> Result<(), BadInput> {
    let certificate = certificate(decision);
    if let (Some(path), Some(text)) = (&job.certificate, certificate) {
        files::write(path, text)?;
    }
    if let (Some(path), None, Answer::Safe(safe)) = (&job.certificate, certificate, &decision.answer)
        && let Proof::Parts(parts) = &safe.proof
    {
        eprintln!("unreach: {}: not written: the proof has {} parts", path.display(), parts.len());
    }
    if let Some(path) = &job.harness {
        write_harness(path, problem, decision)?;
    }
    if let Some(path) = &job.witness {
        write_witness(path, problem, decision, wish)?;
    }
    Ok(())
}

/// Writes the result for code scanning tools, if that was asked for.
fn write_sarif(job: &Verify, log: impl FnOnce(&str) -> serde_json::Value) -> Result<(), BadInput> {
    let Some(path) = &job.sarif else { return Ok(()) };
    files::write(path, &format!("{:#}\n", log(&job.file.display().to_string())))
}

/// A page that is wanted.
#[derive(Clone)]
struct Page {
    path: PathBuf,
    /// When the run began.
    begun: Instant,
}

impl Page {
    fn write(&self, problem: &Problem, decision: &Decision, survey: Option<&Survey>) -> Result<(), BadInput> {
        let mut downloads = Vec::new();
        let mut offer = |name: &str, media: &'static str, text: Option<String>| {
            downloads.extend(text.map(|text| Download { name: name.to_owned(), media, text }));
        };
        offer("certificate.json", "application/json", certificate(decision).cloned());
        if problem.language() == Some(Language::C) {
            let wish = Wish { format: Format::Yaml, time: now(), ghosts: None };
            offer("witness.yml", "application/yaml", export::witness(problem, decision, &wish).ok());
        }
        let seconds = Some(self.begun.elapsed().as_secs_f64());
        let about = About { problem, decision, survey, seconds, downloads: &downloads };
        files::write(&self.path, &page::html(&about))
    }
}

/// The evidence of a decision as a file, if that was asked for and there is some.
fn certificate(decision: &Decision) -> Option<&String> {
    match &decision.answer {
        Answer::Safe(safe) => safe.certificate.as_ref(),
        Answer::Terminates(terminates) => terminates.certificate.as_ref(),
        Answer::Infinite(infinite) => infinite.certificate.as_ref(),
        Answer::Unsafe(_) | Answer::Leaps(_) | Answer::Unknown(_) => None,
    }
}

/// Whether a command is a solver, by a question with a known answer.
fn answers(command: &str) -> bool {
    let terms = Terms::new();
    let options = ProcessOptions { patience: Some(SOLVER_STARTS_WITHIN), ..ProcessOptions::command(command) };
    let mut session = ProcessSession::new(options, &Budget::unlimited());
    session.assert(&terms, Term::FALSE);
    session.check(&terms).is_unsat()
}

/// Writes the witness of a decision, if there is anything to witness, and says so if the format cannot say it.
fn write_witness(path: &Path, problem: &Problem, decision: &Decision, wish: &Wish) -> Result<(), BadInput> {
    match export::witness(problem, decision, wish) {
        Ok(text) => files::write(path, &text),
        Err(NoWitness::Nothing) => Ok(()),
        Err(NoWitness::NotInFormat(why)) => {
            eprintln!("unreach: {}: not written: {why}", path.display());
            Ok(())
        }
    }
}

/// The present time, as witnesses have it.
fn now() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    utc(now.as_secs())
}

/// A time in seconds since 1970 as `2026-01-31T12:00:00Z`.
fn utc(seconds: u64) -> String {
    let (mut days, of_day) = (seconds / 86_400, seconds % 86_400);
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= if is_leap(year) { 366 } else { 365 } {
        days -= if is_leap(year) { 366 } else { 365 };
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

/// Writes the test that leads the program into its error, if there is one to be written.
fn write_harness(path: &Path, problem: &Problem, decision: &Decision) -> Result<(), BadInput> {
    match export::test(problem, decision) {
        None => Ok(()),
        Some(Ok(test)) => files::write(path, &test),
        Some(Err(why)) => {
            eprintln!("unreach: no test: {why}");
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_767_225_599, "2025-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(utc(seconds), text);
        }
    }
}
