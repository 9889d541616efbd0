//! `unreach check`: files, folders and compilation databases, function by function where there is no `main`.
//!
//! A line for each function: proven, failing or open, with the reason; then the counts. What is not said by a property file is
//! checked by default: assertions, memory, signed overflow, division and shifts.

mod contracts;
mod propose;
mod stubs;

use crate::cli::arguments::{CheckPaths, Chosen, Globals, StopAt};
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::files;
use crate::cli::limits;
use crate::cli::terminal::{failed, line};
use evidence::sarif::Position;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use unreach::cache::{Cache, Entry, Key};
use unreach::checks::Survey;
use unreach::export;
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
    let nothing = match job.c.property(job.spec.as_deref()) {
        Ok(property) => Asked::of(property),
        Err(unsupported) => {
            line(&format!("UNKNOWN (unsupported: {unsupported})"));
            return Ok(Exit::Unknown);
        }
    };
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
        checks: job.c.checks(job.spec.as_deref()).and(asked.checks),
        bodyless: job.c.bodyless.into(),
        may_fail: job.c.may_fail(),
        wrap: job.c.wrap,
        include: job.c.include.clone(),
        include_within: job.c.include_within.clone(),
        define: job.c.define.clone(),
        standard: Some(job.c.std.clone()),
        contracts: c::Contracts { any_globals: job.globals == Globals::Any, ..job.c.contracts_or_checked() },
        models: super::models(&job.c)?,
        ..CSettings::default()
    };
    if let Some(folder) = &job.stubs {
        return stubs::write(job, &settings, folder);
    }
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
    for folder in job.report.iter().chain(&job.tests) {
        std::fs::create_dir_all(folder).map_err(|error| BadInput::Unwritable(folder.clone(), error))?;
    }
    let reuse = super::reuse(job.reuse.as_deref())?;
    let checker = Checker { job, property: asked.property, cache: cache.as_ref(), reuse };
    if job.c.lists_contracts() {
        return contracts::list(&checker, &settings);
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
    if let (Entries::Function(function), true, Some(path)) =
        (&entries, asked_for.is_empty() && counts.broken == 0, job.paths.first())
    {
        return Err(BadInput::NoQuestion(
            path.clone(),
            format!("there is no function `{function}` with a body"),
        ));
    }
    let mut results = Vec::new();
    let mut logs = Vec::new();
    let mut tests = BTreeSet::new();
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
        let test = checker.write_test(&question.name, &told, &mut tests).unwrap_or_else(|error| {
            unwritten = Some(error);
            None
        });
        logs.extend(Some(told.sarif.clone()).filter(|log| !log.is_null()));
        let proposal = told.proposal.clone();
        results.push(checker.tell(question, told, Written { page, test }));
        if let Some(proposal) = proposal {
            line(&proposal);
        }
    });
    if let Some(error) = unwritten {
        return Err(error);
    }
    if let Some(folder) = &job.report {
        files::write(&folder.join("index.html"), &page::index(&results))?;
    }
    if let Some(path) = &job.sarif {
        let nothing =
            || evidence::sarif::log("", &asked.property.to_string(), &[], env!("CARGO_PKG_VERSION"));
        let log = evidence::sarif::merged(logs).unwrap_or_else(nothing);
        files::write(path, &format!("{log:#}\n"))?;
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
    /// The log for code scanning tools.
    sarif: Value,
    /// What is assumed besides what is assumed of the arguments.
    assumptions: Vec<String>,
    /// A test that fails, or why there is none.
    test: Option<Result<String, String>>,
    /// A contract that was proven, as text to paste.
    proposal: Option<String>,
    /// Whether another run would say the same.
    lasts: bool,
}

impl Told {
    fn open(why: String) -> Told {
        Told { why, ..Told::new(Word::Open) }
    }

    fn new(word: Word) -> Told {
        Told {
            word,
            why: String::new(),
            details: String::new(),
            evidence: Value::Null,
            seconds: 0.0,
            known: false,
            page: None,
            sarif: Value::Null,
            assumptions: Vec::new(),
            test: None,
            proposal: None,
            lasts: false,
        }
    }

    /// What is kept for later runs.
    fn kept(&self) -> Value {
        let Told { word, why, details, evidence, sarif, assumptions, .. } = self;
        let (test, no_test) = match &self.test {
            Some(Ok(test)) => (Some(test), None),
            Some(Err(why)) => (None, Some(why)),
            None => (None, None),
        };
        json!({
            "result": word.text(), "reason": why, "details": details, "answer": evidence, "sarif": sarif,
            "assumptions": assumptions, "test": test, "no_test": no_test,
        })
    }

    /// What an earlier run found out. Without its places a failure says little, and a proof is a proof.
    fn of_entry(entry: &Entry) -> Option<Told> {
        let Entry { value, same_places } = entry;
        let word = Word::ALL.into_iter().find(|word| value["result"] == word.text())?;
        if word == Word::Fails && !same_places {
            return None;
        }
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let (details, evidence, sarif) = match same_places {
            true => (text("details"), value["answer"].clone(), value["sarif"].clone()),
            false => (String::new(), Value::Null, Value::Null),
        };
        let test = match (&value["test"], &value["no_test"]) {
            (Value::String(test), _) => Some(Ok(test.clone())),
            (_, Value::String(why)) => Some(Err(why.clone())),
            _ => None,
        };
        let assumptions = value["assumptions"].as_array().into_iter().flatten();
        Some(Told {
            why: text("reason"),
            details,
            evidence,
            known: true,
            sarif,
            assumptions: assumptions.filter_map(|one| Some(one.as_str()?.to_owned())).collect(),
            test,
            lasts: true,
            ..Told::new(word)
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
        let told = match question.problem() {
            Err(why) => Told::open(why),
            Ok((mut problem, assumed)) => {
                problem.property = self.property;
                let engine = match self.job.engine {
                    Chosen::Plan => "plan",
                    Chosen::Engine(engine) => engine.name,
                };
                let more =
                    format!("{engine} {:?} {:?} {:?}", self.job.timeout, self.job.memory, self.job.stop_at);
                // A report shows more than is kept, and so does a test that nobody asked for then.
                let cache = self.cache.filter(|_| self.job.report.is_none() && self.job.tests.is_none());
                let key = cache.and_then(|cache| Some((cache, Key::of(&problem, &more)?)));
                let known = key.as_ref().and_then(|(cache, key)| Told::of_entry(&cache.get(key)?));
                let mut told = known.unwrap_or_else(|| {
                    let told = self.found_out(&problem, question, start);
                    if let (Some((cache, key)), true) = (&key, told.lasts)
                        && let Err(error) = cache.put(key, &told.kept())
                    {
                        eprintln!("unreach: an answer could not be kept: {error}");
                    }
                    told
                });
                told.assumptions.splice(0..0, assumed);
                if self.job.propose {
                    told.proposal = propose::contract(self, question);
                }
                told
            }
        };
        Told { seconds: start.elapsed().as_secs_f64(), ..told }
    }

    /// The answer of the engines.
    fn found_out(&self, problem: &Problem, question: &Question, start: Instant) -> Told {
        let place = question.place.as_str();
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
        let sarif = match &decided {
            Decided::First(decision) => {
                let (file, at) = located(place);
                export::sarif_at(file, self.property, decision, at)
            }
            Decided::All(survey) => export::sarif_of_survey(located(place).0, self.property, survey),
        };
        let warnings = decision.view.iter().flat_map(|view| &view.warnings);
        let assumed = warnings.filter_map(|warning| warning.message.strip_prefix("assumed: "));
        let test = self.test(problem, question, decision);
        Told {
            why,
            details,
            evidence,
            page,
            sarif,
            assumptions: assumed.map(str::to_owned).collect(),
            test,
            lasts: !stopped,
            ..Told::new(word)
        }
    }

    /// A test for a failure, if tests are wanted: best one that sets all of the memory that the function gets, for which the
    /// failure has to be found once more.
    fn test(
        &self,
        problem: &Problem,
        question: &Question,
        decision: &Decision,
    ) -> Option<Result<String, String>> {
        self.job.tests.as_ref()?;
        let own = export::test(problem, decision)?.map_err(str::to_owned);
        let Some(mut plain) = question.test_problem() else { return Some(own) };
        plain.property = self.property;
        let again = decide(self.job, &plain, None)
            .ok()
            .and_then(|decided| export::test(&plain, decided.decisive()).and_then(|test| test.ok()));
        Some(again.map_or(own, Ok))
    }

    /// Writes the page of an answer; its name in the folder of pages.
    fn write_page(&self, number: usize, page: Option<&str>) -> Result<Option<String>, BadInput> {
        let (Some(folder), Some(page)) = (&self.job.report, page) else { return Ok(None) };
        let name = format!("{number:04}.html");
        files::write(&folder.join(&name), page)?;
        Ok(Some(name))
    }

    /// Writes the test of a failure; its name in the folder of tests.
    fn write_test(
        &self,
        function: &str,
        told: &Told,
        taken: &mut BTreeSet<String>,
    ) -> Result<Option<String>, BadInput> {
        let Some(folder) = &self.job.tests else { return Ok(None) };
        match &told.test {
            None => Ok(None),
            Some(Err(why)) => {
                eprintln!("unreach: no test for `{function}`: {why}");
                Ok(None)
            }
            Some(Ok(test)) => {
                // Functions of several files may have one name, as may a file with a `main`.
                let name =
                    Path::new(function).file_stem().map_or(function.into(), |stem| stem.to_string_lossy());
                let free = (1..).map(|number| match number {
                    1 => format!("test_{name}.c"),
                    _ => format!("test_{name}_{number}.c"),
                });
                let mut free = free.filter(|file| !taken.contains(file));
                let file = free.next().unwrap_or_default();
                taken.insert(file.clone());
                files::write(&folder.join(&file), test)?;
                Ok(Some(file))
            }
        }
    }

    /// Prints the line of an answer; the answer for machines.
    fn tell(&self, question: &Question, told: Told, Written { page, test }: Written) -> Value {
        let Told { word, why, details, evidence, seconds, known, assumptions, .. } = told;
        let Question { name, place, .. } = question;
        if !self.job.json {
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            let known = if known { ", known" } else { "" };
            line(&format!("{:<6} {name} ({place}, {seconds:.2} s{known}){why}", word.text()));
            for assumption in &assumptions {
                line(&format!("       assuming that {assumption}"));
            }
            let wanted = self.job.details && word == Word::Fails || self.job.stop_at == StopAt::All;
            if wanted && !details.is_empty() {
                line(details.trim_end());
            }
        }
        json!({
            "function": name, "place": place, "result": word.text(), "reason": why, "seconds": seconds,
            "known": known, "assumptions": assumptions, "answer": evidence, "report": page, "test": test,
        })
    }
}

/// The names of files about a function.
struct Written {
    page: Option<String>,
    test: Option<String>,
}

/// The file and the position of `file:line:column`.
fn located(place: &str) -> (&str, Option<Position>) {
    let mut parts = place.rsplitn(3, ':');
    let (column, line) = (parts.next(), parts.next());
    let number = |text: Option<&str>| text.and_then(|text| text.parse().ok());
    match (parts.next(), number(line), number(column)) {
        (Some(file), Some(line), Some(column)) => (file, Some(Position { line, column })),
        _ => (place, None),
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

    /// The answer about all checks at once, if that was asked for.
    fn first(self) -> Option<Decision> {
        match self {
            Decided::First(decision) => Some(decision),
            Decided::All(_) => None,
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
    decide_by(job, problem, plan.with_reuse(reuse))
}

/// The answer by a plan.
fn decide_by(job: &CheckPaths, problem: &Problem, mut plan: Plan) -> Result<Decided, Failure> {
    plan.reasons = job.report.is_some();
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
