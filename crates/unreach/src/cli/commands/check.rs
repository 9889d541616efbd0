//! `unreach check`: files, folders and compilation databases, function by function where there is no `main`.
//!
//! A line for each function: proven, failing or open, with the reason; then the counts. What is not said by a property file is
//! checked by default: assertions, memory, signed overflow, division and shifts.

use crate::cli::arguments::{CheckPaths, Chosen, StopAt};
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::files;
use crate::cli::limits;
use crate::cli::terminal::{failed, line};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;
use unreach::checks::Survey;
use unreach::problem::{Asked, read_property};
use unreach::project::{Entries, Question, questions, units};
use unreach::report::page::{self, About};
use unreach::report::{self, Target};
use unreach::{Answer, CSettings, Decision, Failure, Inlining, Limits, Observer, Plan, Property, Silent};

/// What became of the questions so far.
#[derive(Default)]
struct Counts {
    proven: usize,
    failing: usize,
    open: usize,
    broken: usize,
}

pub(crate) fn run(job: &CheckPaths) -> Result<Exit, BadInput> {
    let nothing = Asked { property: Property::Assert, entry: None, ltl: None };
    let asked = match job.spec.as_deref().map_or(Ok(Ok(nothing)), read_property)? {
        Ok(Asked { ltl: Some(_), .. }) => {
            line("UNKNOWN (unsupported: a temporal property function by function)");
            return Ok(Exit::Unknown);
        }
        Ok(asked) => asked,
        Err(unsupported) => {
            line(&format!("UNKNOWN (unsupported: {unsupported})"));
            return Ok(Exit::Unknown);
        }
    };
    let settings = CSettings {
        data_model: job.c.data_model.into(),
        checks: job.c.checks(job.spec.as_deref()),
        bodyless: job.c.bodyless.into(),
        wrap: job.c.wrap,
        include: job.c.include.clone(),
        define: job.c.define.clone(),
        standard: Some(job.c.std.clone()),
        contracts: job.c.contracts_or_checked(),
        ..CSettings::default()
    };
    let entries = match (job.c.function.clone().or(asked.entry.filter(|entry| entry != "main")), job.all) {
        (Some(function), _) => Entries::Function(function),
        (None, true) => Entries::All,
        (None, false) => Entries::Main,
    };
    let mut counts = Counts::default();
    let mut results = Vec::new();
    if let Some(folder) = &job.report {
        std::fs::create_dir_all(folder).map_err(|error| BadInput::Unwritable(folder.clone(), error))?;
    }
    for path in &job.paths {
        for unit in units(path)? {
            match questions(&unit, &settings, &entries) {
                Ok(questions) => {
                    for question in questions {
                        let number = results.len() + 1;
                        results.push(answer(job, asked.property, (number, &question), &mut counts)?);
                    }
                }
                Err(failure) => {
                    counts.broken += 1;
                    failed(failure);
                }
            }
        }
    }
    if let Some(folder) = &job.report {
        files::write(&folder.join("index.html"), &page::index(&results))?;
    }
    let Counts { proven, failing, open, broken } = counts;
    if job.json {
        line(
            &json!({
                "functions": results, "proven": proven, "failing": failing, "open": open, "unreadable_files": broken
            })
            .to_string(),
        );
    } else {
        let files = if broken == 0 { String::new() } else { format!(", {broken} files cannot be read") };
        line(&format!("{proven} proven, {failing} failing, {open} open{files}"));
    }
    Ok(match counts {
        Counts { failing: 1.., .. } => Exit::Unsafe,
        Counts { broken: 1.., .. } => Exit::BadInput,
        Counts { open: 0, proven: 1.., .. } => Exit::Success,
        _ => Exit::Unknown,
    })
}

/// Answers a question and prints its line; the answer for machines.
fn answer(
    job: &CheckPaths,
    property: Property,
    (number, question): (usize, &Question),
    counts: &mut Counts,
) -> Result<Value, BadInput> {
    let start = Instant::now();
    let mut details = String::new();
    let mut evidence = Value::Null;
    let mut page = None;
    let (word, why) = match &question.problem {
        Err(why) => ("open", why.clone()),
        Ok(problem) => {
            let mut problem = problem.clone();
            problem.property = property;
            let decided = decide(job, &problem);
            match decided {
                Err(Failure::Internal(what)) => {
                    failed(Failure::Internal(what.clone()));
                    ("open", format!("internal error: {what}"))
                }
                Err(failure) => {
                    failed(failure);
                    ("open", "the file has mistakes".to_owned())
                }
                Ok(decided) => {
                    let decision = decided.decisive();
                    let verdict = report::verdict(decision, property, Target::Error);
                    evidence = report::json(decision, property, Target::Error);
                    let text = report::text(decision, Target::Error);
                    details = match &decided {
                        Decided::First(_) => text.clone(),
                        Decided::All(survey) => {
                            evidence["results"] = report::checks::json(survey, property);
                            report::checks::listing(survey)
                        }
                    };
                    if let Some(folder) = &job.report {
                        let seconds = Some(start.elapsed().as_secs_f64());
                        let survey = decided.survey();
                        let about = About { problem: &problem, decision, survey, seconds, downloads: &[] };
                        let name = format!("{number:04}.html");
                        files::write(&folder.join(&name), &page::html(&about))?;
                        page = Some(name);
                    }
                    match decision.answer {
                        Answer::Safe(_) | Answer::Terminates(_) => ("proven", String::new()),
                        Answer::Unsafe(_) | Answer::Leaps(_) | Answer::Infinite(_) => {
                            let first = text.lines().next().unwrap_or_default();
                            ("fails", format!("{verdict} {first}"))
                        }
                        Answer::Unknown(_) => ("open", verdict),
                    }
                }
            }
        }
    };
    match word {
        "proven" => counts.proven += 1,
        "fails" => counts.failing += 1,
        _ => counts.open += 1,
    }
    let seconds = start.elapsed().as_secs_f64();
    let Question { name, place, assumptions, .. } = question;
    if !job.json {
        let why = if why.is_empty() { String::new() } else { format!(": {why}") };
        line(&format!("{word:<6} {name} ({place}, {seconds:.2} s){why}"));
        for assumption in assumptions {
            line(&format!("       assuming that {assumption}"));
        }
        if job.details && word == "fails" || job.stop_at == StopAt::All && !details.is_empty() {
            line(details.trim_end());
        }
    }
    Ok(json!({
        "function": name, "place": place, "result": word, "reason": why, "seconds": seconds,
        "assumptions": assumptions, "answer": evidence, "report": page,
    }))
}

/// What was found out about a function.
enum Decided {
    /// The answer about all checks at once.
    First(Decision),
    /// The answers about each check.
    All(Survey),
}

impl Decided {
    fn decisive(&self) -> &Decision {
        match self {
            Decided::First(decision) => decision,
            Decided::All(survey) => report::checks::decisive(survey),
        }
    }

    fn survey(&self) -> Option<&Survey> {
        match self {
            Decided::First(_) => None,
            Decided::All(survey) => Some(survey),
        }
    }
}

fn decide(job: &CheckPaths, problem: &unreach::Problem) -> Result<Decided, Failure> {
    let plan = match job.engine {
        Chosen::Plan => Plan::default(),
        Chosen::Engine(engine) => Plan::only(engine, Inlining::Never),
    };
    let limits = Limits { time: Some(job.timeout), memory: job.memory.map(|mb| mb << 20) };
    // A run that does not come back after its limit would hold up all others: the budget is tripped, and that has to do.
    let (budget, watchdog) = limits::budget(limits, |_| {});
    let observer: Arc<dyn Observer> = Arc::new(Silent);
    let all = job.stop_at == StopAt::All && !unreach::termination::is_asked(problem, &plan);
    let decided = match all {
        true => unreach::checks::survey(problem, &plan, &budget, &observer).map(|survey| match survey {
            Ok(survey) => Decided::All(survey),
            Err(reason) => Decided::First(Decision::of_reason(reason)),
        }),
        false => unreach::verify(problem, &plan, &budget, observer).map(Decided::First),
    };
    drop(watchdog);
    decided
}
