//! A batch on many machines, by a system that is there for that.
//!
//! The interface to such a system is small ([`Scheduler`]): it runs a command with numbers, on machines that share a folder, and
//! says whether it still does. Tasks and results travel by files in that folder ([`Spool`]), so nothing depends on what a
//! scheduler says about single tasks: what has a result file is finished, and what has none when the job has ended is submitted
//! again, up to [`ATTEMPTS`] times. A task that runs twice, because its machine was believed dead, has one result: the store
//! takes the first.
//!
//! A batch that is killed leaves its job running. The next run with the same file of results finds the spool and the name of
//! the job in the store, and goes on waiting.

mod hyperqueue;
mod slurm;
mod spool;

pub use hyperqueue::HyperQueue;
pub use slurm::Slurm;
pub use spool::{Spool, work};

use crate::local::{Run, Watcher};
use crate::store::{Finished, Store};
use crate::{BatchError, Measured, Task, outcome};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How often a task is submitted that comes back without a result.
const ATTEMPTS: usize = 3;

/// How often results are looked for.
const LOOK: Duration = Duration::from_millis(300);

/// What the store calls the job that runs.
const JOB: &str = "job";

/// Runs a command with each number below a bound, somewhere.
pub trait Scheduler {
    /// Begins; the name of the job.
    fn submit(&mut self, array: &Array<'_>) -> Result<String, BatchError>;
    /// Whether some of it still waits or runs.
    fn is_active(&mut self, job: &str) -> Result<bool, BatchError>;
    /// Ends it as far as the system can. Tasks also end by themselves when the spool says so.
    fn cancel(&mut self, job: &str);
}

/// What is to be run.
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    /// The command, to which a number is added.
    pub command: &'a [String],
    /// How many numbers there are, from 0.
    pub count: usize,
    /// The folder that all machines share.
    pub folder: &'a Path,
}

/// Runs tasks by a scheduler. `binary` is this program, which runs on the other machines too.
pub fn run(
    run: &Run<'_>,
    scheduler: &mut dyn Scheduler,
    binary: &Path,
    tasks: &[Task],
    ends: Ends<'_>,
) -> Result<(), BatchError> {
    let Ends { folder, store, watcher } = ends;
    let mut batch = Distributed { run, scheduler, store, watcher, seen: BTreeSet::new() };
    // What an earlier run has left.
    if let Some(spool) = Spool::open(folder)? {
        let job = batch.store.about(JOB)?.filter(|job| !job.is_empty());
        batch.follow(&spool, job.as_deref())?;
        spool.remove()?;
    }
    for attempt in 1..=ATTEMPTS {
        let left: Vec<Task> = tasks.iter().filter(|task| !batch.seen.contains(&key(task))).cloned().collect();
        if left.is_empty() || run.stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        if attempt > 1 {
            batch
                .watcher
                .note(&format!("{} tasks came back without a result and are submitted again", left.len()));
        }
        let spool = Spool::create(folder, run.verifier, &run.limits, &left)?;
        let command =
            [binary.display().to_string(), "batch-worker".to_owned(), spool.folder().display().to_string()];
        let array = Array { command: &command, count: left.len(), folder: spool.folder() };
        let job = batch.scheduler.submit(&array)?;
        batch.store.set_about(JOB, &job)?;
        batch.follow(&spool, Some(&job))?;
        batch.store.set_about(JOB, "")?;
        spool.remove()?;
    }
    let lost: Vec<Task> = tasks.iter().filter(|task| !batch.seen.contains(&key(task))).cloned().collect();
    if run.stop.load(Ordering::Relaxed) {
        return Ok(());
    }
    let why = Measured::lost(format!("there was no result after {ATTEMPTS} attempts"));
    batch.keep(lost.into_iter().map(|task| (task, why.clone())).collect())
}

/// Where a batch on many machines comes from and goes to.
pub struct Ends<'a> {
    /// The folder for the spool, which all machines share.
    pub folder: &'a Path,
    /// Where results are kept.
    pub store: &'a mut Store,
    /// Who is told.
    pub watcher: &'a mut dyn Watcher,
}

struct Distributed<'a, 'b> {
    run: &'a Run<'b>,
    scheduler: &'a mut dyn Scheduler,
    store: &'a mut Store,
    watcher: &'a mut dyn Watcher,
    /// What has a result.
    seen: BTreeSet<(String, String)>,
}

fn key(task: &Task) -> (String, String) {
    (task.name.clone(), task.property.clone())
}

impl Distributed<'_, '_> {
    /// Takes results until the job has ended.
    fn follow(&mut self, spool: &Spool, job: Option<&str>) -> Result<(), BatchError> {
        loop {
            // Asked before results are taken, so that none can come in between.
            let active = match job {
                Some(job) => self.scheduler.is_active(job)?,
                None => false,
            };
            self.take(spool)?;
            if !active {
                return Ok(());
            }
            if self.run.stop.load(Ordering::Relaxed) {
                spool.stop()?;
                if let Some(job) = job {
                    self.scheduler.cancel(job);
                }
                return self.take(spool);
            }
            self.watcher.tick();
            std::thread::sleep(LOOK);
        }
    }

    /// Moves results from the spool to the store. They are removed when they are safe there.
    fn take(&mut self, spool: &Spool) -> Result<(), BatchError> {
        let results = spool.results()?;
        self.keep(results.iter().map(|result| (result.task.clone(), result.measured.clone())).collect())?;
        results.iter().for_each(|result| result.forget());
        Ok(())
    }

    fn keep(&mut self, results: Vec<(Task, Measured)>) -> Result<(), BatchError> {
        self.store.record(results.iter().map(|(task, measured)| (task, measured)))?;
        for (task, measured) in results {
            if self.seen.insert(key(&task)) {
                let outcome = outcome::judge(&task, &measured);
                self.watcher.finished(&Finished { task, measured, outcome });
            }
        }
        Ok(())
    }
}
