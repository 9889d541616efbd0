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
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use unreach::cache::{Cache, Entry, Key};
use unreach::checks::Survey;
use unreach::problem::{Asked, read_property};
use unreach::project::{Entries, Question, questions, units};
use unreach::report::page::{self, About};
use unreach::report::{self, Target};
use unreach::{
    Answer, CSettings, Decision, Failure, Inlining, Limit, Limits, Observer, Plan, Problem, Property, Reason,
    Reuse, Silent,
};

/// What became of the questions so far.
#[derive(Default)]
struct Counts {
    proven: usize,
    failing: usize,
    open: usize,
    broken: usize,
}

pub(crate) fn run(job: &CheckPaths) -> Result<Exit, BadInput> {
    let nothing = Asked { property: Property::Assert, entry: None, ltl: None, observer: None };
    let asked = match job.spec.as_deref().map_or(Ok(Ok(nothing)), read_property)? {
        Ok(Asked { ltl: Some(_), .. }) => {
            line("UNKNOWN (unsupported: a temporal property function by function)");
            return Ok(Exit::Unknown);
        }
        Ok(Asked { observer: Some(_), .. }) => {
            line("UNKNOWN (unsupported: an observer function by function)");
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
        include_within: job.c.include_within.clone(),
        define: job.c.define.clone(),
        standard: Some(job.c.std.clone()),
        contracts: job.c.contracts_or_checked(),
        models: super::models(&job.c)?,
        ..CSettings::default()
    };
    let entries = match (job.c.function.clone().or(asked.entry.filter(|entry| entry != "main")), job.all) {
        (Some(function), _) => Entries::Function(function),
        (None, true) => Entries::All,
        (None, false) => Entries::Main,
    };
    let cache = match &job.cache {
        Some(folder) => {
            Some(Cache::open(folder).map_err(|error| BadInput::Unwritable(folder.clone(), error))?)
        }
        None => None,
    };
    if let Some(folder) = &job.report {
        std::fs::create_dir_all(folder).map_err(|error| BadInput::Unwritable(folder.clone(), error))?;
    }
    let mut counts = Counts::default();
    let mut asked_for = Vec::new();
    for path in &job.paths {
        for unit in units(path)? {
            match questions(&unit, &settings, &entries) {
                Ok(questions) => asked_for.extend(questions),
                Err(failure) => {
                    counts.broken += 1;
                    failed(failure);
                }
            }
        }
    }
    let reuse = super::reuse(job.reuse.as_deref())?;
    let checker = Checker { job, property: asked.property, cache: cache.as_ref(), reuse };
    let mut results = Vec::new();
    let mut unwritten = None;
    checker.all(&asked_for, |question, told| {
        match told.word {
            Word::Proven => counts.proven += 1,
            Word::Fails => counts.failing += 1,
            Word::Open => counts.open += 1,
        }
        let page = checker.write_page(results.len() + 1, told.page.as_deref());
        let page = page.unwrap_or_else(|error| {
            unwritten = Some(error);
            None
        });
        results.push(checker.tell(question, told, page));
    });
    if let Some(error) = unwritten {
        return Err(error);
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

/// What became of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Proven,
    Fails,
    Open,
}

impl Word {
    const ALL: [Word; 3] = [Word::Proven, Word::Fails, Word::Open];

    fn text(self) -> &'static str {
        match self {
            Word::Proven => "proven",
            Word::Fails => "fails",
            Word::Open => "open",
        }
    }
}

/// What is told about a function.
struct Told {
    word: Word,
    why: String,
    details: String,
    evidence: Value,
    seconds: f64,
    /// Whether it was found out in an earlier run.
    known: bool,
    /// The report, if one is wanted.
    page: Option<String>,
    /// Whether another run would say the same.
    lasts: bool,
}

impl Told {
    fn open(why: String) -> Told {
        let (word, details, evidence) = (Word::Open, String::new(), Value::Null);
        Told { word, why, details, evidence, seconds: 0.0, known: false, page: None, lasts: false }
    }

    /// What is kept for later runs.
    fn kept(&self) -> Value {
        let Told { word, why, details, evidence, .. } = self;
        json!({ "result": word.text(), "reason": why, "details": details, "answer": evidence })
    }

    /// What an earlier run found out. Without its places a failure says little, and a proof is a proof.
    fn of_entry(entry: &Entry) -> Option<Told> {
        let Entry { value, same_places } = entry;
        let word = Word::ALL.into_iter().find(|word| value["result"] == word.text())?;
        if word == Word::Fails && !same_places {
            return None;
        }
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let (details, evidence) = match same_places {
            true => (text("details"), value["answer"].clone()),
            false => (String::new(), Value::Null),
        };
        Some(Told {
            word,
            why: text("reason"),
            details,
            evidence,
            seconds: 0.0,
            known: true,
            page: None,
            lasts: true,
        })
    }
}

/// Answers questions.
struct Checker<'j> {
    job: &'j CheckPaths,
    property: Property,
    cache: Option<&'j Cache>,
    reuse: Option<Reuse>,
}

impl Checker<'_> {
    /// Answers all questions, several at a time; the answers are told in the order of the questions.
    fn all(&self, questions: &[Question], mut tell: impl FnMut(&Question, Told)) {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (send, answers) = std::sync::mpsc::channel();
            for _ in 0..self.job.jobs.get().min(questions.len()) {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(question) = questions.get(index) else { break };
                        // Whoever waits for the answers has gone only if the process is about to end.
                        let _ = send.send((index, self.answer(question)));
                    }
                });
            }
            drop(send);
            let mut early: BTreeMap<usize, Told> = BTreeMap::new();
            let mut told = 0;
            for (index, answer) in answers {
                early.insert(index, answer);
                while let Some(answer) = early.remove(&told) {
                    tell(&questions[told], answer);
                    told += 1;
                }
            }
        });
    }

    /// The answer to a question, from the cache if it has one.
    fn answer(&self, question: &Question) -> Told {
        let start = Instant::now();
        let told = match &question.problem {
            Err(why) => Told::open(why.clone()),
            Ok(problem) => {
                let mut problem = problem.clone();
                problem.property = self.property;
                let engine = match self.job.engine {
                    Chosen::Plan => "plan",
                    Chosen::Engine(engine) => engine.name,
                };
                let more =
                    format!("{engine} {:?} {:?} {:?}", self.job.timeout, self.job.memory, self.job.stop_at);
                // A report shows more than is kept.
                let cache = self.cache.filter(|_| self.job.report.is_none());
                let key = cache.and_then(|cache| Some((cache, Key::of(&problem, &more)?)));
                let known = key.as_ref().and_then(|(cache, key)| Told::of_entry(&cache.get(key)?));
                known.unwrap_or_else(|| {
                    let told = self.found_out(&problem, start);
                    if let (Some((cache, key)), true) = (&key, told.lasts)
                        && let Err(error) = cache.put(key, &told.kept())
                    {
                        eprintln!("unreach: an answer could not be kept: {error}");
                    }
                    told
                })
            }
        };
        Told { seconds: start.elapsed().as_secs_f64(), ..told }
    }

    /// The answer of the engines.
    fn found_out(&self, problem: &Problem, start: Instant) -> Told {
        let decided = match decide(self.job, problem, self.reuse.clone()) {
            Ok(decided) => decided,
            Err(failure) => {
                let why = match &failure {
                    Failure::Internal(what) => format!("internal error: {what}"),
                    Failure::Input(_) | Failure::Mistakes(..) => "the file has mistakes".to_owned(),
                };
                failed(failure);
                return Told::open(why);
            }
        };
        let decision = decided.decisive();
        let verdict = report::verdict(decision, self.property, Target::Error);
        let text = report::text(decision, Target::Error);
        let mut evidence = report::json(decision, self.property, Target::Error);
        let details = match &decided {
            Decided::First(_) => text.clone(),
            Decided::All(survey) => {
                evidence["results"] = report::checks::json(survey, self.property);
                report::checks::listing(survey)
            }
        };
        let (word, why) = match decision.answer {
            Answer::Safe(_) | Answer::Terminates(_) => (Word::Proven, String::new()),
            Answer::Unsafe(_) | Answer::Leaps(_) | Answer::Infinite(_) => {
                let first = text.lines().next().unwrap_or_default();
                (Word::Fails, format!("{verdict} {first}"))
            }
            Answer::Unknown(_) => (Word::Open, verdict),
        };
        let page = self.job.report.as_ref().map(|_| {
            let seconds = Some(start.elapsed().as_secs_f64());
            let survey = decided.survey();
            page::html(&About { problem, decision, survey, seconds, downloads: &[] })
        });
        let stopped = matches!(decision.answer, Answer::Unknown(Reason::Limit(Limit::Cancelled)));
        Told { word, why, details, evidence, seconds: 0.0, known: false, page, lasts: !stopped }
    }

    /// Writes the page of an answer; its name in the folder of pages.
    fn write_page(&self, number: usize, page: Option<&str>) -> Result<Option<String>, BadInput> {
        let (Some(folder), Some(page)) = (&self.job.report, page) else { return Ok(None) };
        let name = format!("{number:04}.html");
        files::write(&folder.join(&name), page)?;
        Ok(Some(name))
    }

    /// Prints the line of an answer; the answer for machines.
    fn tell(&self, question: &Question, told: Told, page: Option<String>) -> Value {
        let Told { word, why, details, evidence, seconds, known, .. } = told;
        let Question { name, place, assumptions, .. } = question;
        if !self.job.json {
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            let known = if known { ", known" } else { "" };
            line(&format!("{:<6} {name} ({place}, {seconds:.2} s{known}){why}", word.text()));
            for assumption in assumptions {
                line(&format!("       assuming that {assumption}"));
            }
            let wanted = self.job.details && word == Word::Fails || self.job.stop_at == StopAt::All;
            if wanted && !details.is_empty() {
                line(details.trim_end());
            }
        }
        json!({
            "function": name, "place": place, "result": word.text(), "reason": why, "seconds": seconds,
            "known": known, "assumptions": assumptions, "answer": evidence, "report": page,
        })
    }
}

/// What was found out about a function.
enum Decided {
    /// The answer about all checks at once.
    First(Decision),
    /// The answers about each check.
    All(Survey),
}

impl Decided {
    fn survey(&self) -> Option<&Survey> {
        match self {
            Decided::First(_) => None,
            Decided::All(survey) => Some(survey),
        }
    }

    fn decisive(&self) -> &Decision {
        match self {
            Decided::First(decision) => decision,
            Decided::All(survey) => report::checks::decisive(survey),
        }
    }
}

fn decide(job: &CheckPaths, problem: &Problem, reuse: Option<Reuse>) -> Result<Decided, Failure> {
    let plan = match job.engine {
        Chosen::Plan => Plan::default(),
        Chosen::Engine(engine) => Plan::only(engine, Inlining::Never),
    };
    let plan = plan.with_reuse(reuse);
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
