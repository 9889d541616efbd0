//! `unreach batch`: many tasks, their results in one file. The work is done by the crate `batch`; here it gets its clock, its
//! terminal, and the names of its files.

use crate::cli::arguments::{Batch, BatchWorker, Place};
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::files;
use crate::cli::terminal::emit;
use batch::cluster::{self, Ends, HyperQueue, Scheduler, Slurm};
use batch::local::{Run, Watcher};
use batch::process::{Limits, Verifier};
use batch::progress::Progress;
use batch::select::{Sample, select};
use batch::store::{Finished, Store};
use batch::{BatchError, Outcome, Task, collect, compare, report};
use std::collections::BTreeSet;
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a log gets a line of progress.
const LOG_PROGRESS: Duration = Duration::from_secs(60);

pub(crate) fn run(job: &Batch) -> Result<Exit, BadInput> {
    let all = collect::collect(&job.paths, job.spec.as_deref())?;
    let sample = job.sample.map(|size| Sample { size, seed: job.seed });
    let tasks = select(all, &job.conditions, sample)?;
    if tasks.is_empty() {
        return Err(BatchError::Request("there are no tasks".to_owned()).into());
    }
    // An old batch that cannot be read is told before hours have gone by.
    let old = job.compare.as_deref().map(compare::read).transpose()?;
    let verifier = verifier(job)?;
    let limits = Limits { time: job.timeout, grace: job.grace, memory: job.memory };
    let mut store = Store::open(&job.results, &settings(&verifier, &limits)?)?;
    store.add(&tasks)?;
    let names: BTreeSet<(&str, &str)> = tasks.iter().map(key).collect();
    let mut before = store.finished()?;
    before.retain(|finished| names.contains(&key(&finished.task)));
    let known: BTreeSet<(&str, &str)> = before.iter().map(|finished| key(&finished.task)).collect();
    let pending: Vec<Task> = tasks.iter().filter(|task| !known.contains(&key(task))).cloned().collect();
    let stop = Arc::new(AtomicBool::new(false));
    let on_signal = stop.clone();
    // Without a handler Ctrl-C still ends the process; finished tasks are kept all the same.
    let _ = ctrlc::set_handler(move || on_signal.store(true, Ordering::Relaxed));
    let mut display = Display::new(tasks.len(), &before);
    let run = Run { verifier: &verifier, limits, stop: &stop };
    let jobs = job.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let outcome = match scheduler(job) {
        None => run.tasks(&pending, jobs, &mut store, &mut display),
        Some(mut scheduler) => {
            let binary = this_program()?;
            let folder = job.results.with_extension("spool");
            let ends = Ends { folder: &folder, store: &mut store, watcher: &mut display };
            cluster::run(&run, scheduler.as_mut(), &binary, &pending, ends)
        }
    };
    display.end();
    outcome?;
    let mut finished = store.finished()?;
    finished.retain(|finished| names.contains(&key(&finished.task)));
    tell(job, &finished, tasks.len(), old.as_ref())?;
    let is = |outcome: Outcome| finished.iter().any(|finished| finished.outcome == outcome);
    Ok(if is(Outcome::Wrong) {
        Exit::Unsafe
    } else if finished.len() < tasks.len() {
        Exit::Unknown
    } else if is(Outcome::Broken) {
        Exit::InternalError
    } else {
        Exit::Success
    })
}

fn key(task: &Task) -> (&str, &str) {
    (&task.name, &task.property)
}

fn verifier(job: &Batch) -> Result<Verifier, BadInput> {
    match &job.command {
        Some(command) => Ok(Verifier::Command(unreach::project::words_of(command))),
        None => Ok(Verifier::Own { binary: this_program()?, options: job.options.clone() }),
    }
}

fn this_program() -> Result<PathBuf, BadInput> {
    let binary = std::env::current_exe();
    Ok(binary.map_err(|error| BatchError::Request(format!("where this program is: {error}")))?)
}

/// The system that distributes the tasks, if that is asked for.
fn scheduler(job: &Batch) -> Option<Box<dyn Scheduler>> {
    match job.on {
        Place::Local => None,
        Place::Hyperqueue => Some(Box::new(HyperQueue::new(job.server_dir.clone()))),
        Place::Slurm => {
            Some(Box::new(Slurm::new(unreach::project::words_of(job.sbatch.as_deref().unwrap_or_default()))))
        }
    }
}

/// What a batch on many machines runs on each of them.
pub(crate) fn work(job: &BatchWorker) -> Result<Exit, BadInput> {
    cluster::work(&job.folder, job.number)?;
    Ok(Exit::Success)
}

/// What must be the same when a batch goes on: who answers, down to the build, and within which limits.
fn settings(verifier: &Verifier, limits: &Limits) -> Result<String, BadInput> {
    let verifier = match verifier {
        Verifier::Own { binary, options } => {
            format!("unreach {} {}", batch::store::fingerprint(binary)?, options.join(" "))
        }
        Verifier::Command(words) => words.join(" "),
    };
    let memory = limits.memory.map_or_else(|| "no memory limit".to_owned(), |memory| format!("{memory} MB"));
    Ok(format!("{}; {} s; {memory}", verifier.trim_end(), limits.time.as_secs_f64()))
}

/// Prints the summary and writes the files that were asked for.
fn tell(
    job: &Batch,
    finished: &[Finished],
    tasks: usize,
    old: Option<&compare::Olds>,
) -> Result<(), BadInput> {
    let with = job.compare.as_deref().map(|path| path.display().to_string()).unwrap_or_default();
    let comparison = old.map(|old| compare::compare(&with, old, finished));
    emit(&report::text(finished, tasks));
    if let Some(comparison) = &comparison {
        emit(&comparison.text());
    }
    let write = |path: &Option<PathBuf>, text: &dyn Fn() -> String| match path {
        Some(path) => files::write(path, &text()),
        None => Ok(()),
    };
    write(&job.csv, &|| report::csv(finished))?;
    write(&job.json, &|| format!("{:#}\n", report::json(finished, tasks, comparison.as_ref())))?;
    let limit = job.timeout.as_secs_f64();
    write(&job.html, &|| report::page(finished, tasks, limit, comparison.as_ref()))
}

/// What is seen of a batch while it runs: on a terminal a line that overwrites itself, elsewhere a line for each task.
struct Display {
    progress: Progress,
    begun: Instant,
    live: bool,
    /// When the log got its last line of progress.
    logged: Instant,
}

impl Display {
    fn new(tasks: usize, before: &[Finished]) -> Display {
        let tally = before.iter().map(|finished| finished.outcome).collect();
        let progress = Progress { tasks, before: before.len(), tally };
        let now = Instant::now();
        let display = Display { progress, begun: now, live: std::io::stderr().is_terminal(), logged: now };
        if !before.is_empty() {
            eprintln!("{} of {tasks} tasks were finished before", before.len());
        }
        display
    }

    fn draw(&self) {
        if self.live {
            eprint!("\r\x1b[K{}", self.progress.line(self.begun.elapsed()));
            // A terminal that cannot be written to does not need a progress line.
            let _ = std::io::stderr().flush();
        }
    }

    fn end(&self) {
        if self.live {
            eprint!("\r\x1b[K");
        }
        eprintln!("{}", self.progress.line(self.begun.elapsed()));
    }
}

impl Watcher for Display {
    fn finished(&mut self, finished: &Finished) {
        self.progress.tally.add(finished.outcome);
        let Finished { task, measured, outcome } = finished;
        let said = if measured.said.is_empty() { &measured.note } else { &measured.said };
        let line = || {
            format!(
                "{:<8} {:>8.2} s {} ({}): {said}",
                outcome.word(),
                measured.wall,
                task.name,
                task.property
            )
        };
        if !self.live {
            eprintln!("{}/{} {}", self.progress.tally.total(), self.progress.tasks, line());
        } else if matches!(outcome, Outcome::Wrong | Outcome::Broken) {
            eprintln!("\r\x1b[K{}", line());
        }
        self.draw();
    }

    fn note(&mut self, text: &str) {
        let clear = if self.live { "\r\x1b[K" } else { "" };
        eprintln!("{clear}{text}");
    }

    fn tick(&mut self) {
        self.draw();
        if !self.live && self.logged.elapsed() > LOG_PROGRESS {
            self.logged = Instant::now();
            eprintln!("{}", self.progress.line(self.begun.elapsed()));
        }
    }
}
