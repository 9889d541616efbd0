//! A batch on this machine: so many tasks at once, each in a process of its own.

use crate::process::{Limits, Verifier, run};
use crate::store::{Finished, Store};
use crate::{BatchError, Measured, Task, outcome};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How often somebody who watches is told that time goes by.
const TICK: Duration = Duration::from_millis(250);

/// Who is told how a batch goes on.
pub trait Watcher {
    /// A task is finished, and its result is on the disk.
    fn finished(&mut self, finished: &Finished);
    /// Some time has gone by.
    fn tick(&mut self);
    /// Something happened that people should know.
    fn note(&mut self, text: &str);
}

/// How a batch is run.
#[derive(Debug)]
pub struct Run<'a> {
    /// Who answers.
    pub verifier: &'a Verifier,
    /// What each task may use.
    pub limits: Limits,
    /// Set by whoever wants the batch to end.
    pub stop: &'a AtomicBool,
}

impl Run<'_> {
    /// Runs tasks, `jobs` at a time. Comes back when all are finished, when it is stopped, or when a result cannot be kept.
    pub fn tasks(
        &self,
        tasks: &[Task],
        jobs: usize,
        store: &mut Store,
        watcher: &mut dyn Watcher,
    ) -> Result<(), BatchError> {
        let next = Mutex::new(tasks.iter());
        let take = || next.lock().ok().and_then(|mut tasks| tasks.next());
        let failed = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (send, results) = mpsc::channel::<(&Task, Measured)>();
            for _ in 0..jobs.clamp(1, tasks.len().max(1)) {
                let (send, take) = (send.clone(), &take);
                let is_over = || self.stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
                scope.spawn(move || {
                    while let (false, Some(task)) = (is_over(), take()) {
                        let Some(seen) = run(self.verifier, task, &self.limits, self.stop) else { return };
                        // If nobody listens the batch has failed, and the task will be run again by the next one.
                        let _ = send.send((task, seen));
                    }
                });
            }
            drop(send);
            loop {
                match results.recv_timeout(TICK) {
                    Ok((task, measured)) => {
                        if let Err(error) = store.record([(task, &measured)]) {
                            failed.store(true, Ordering::Relaxed);
                            return Err(error);
                        }
                        let outcome = outcome::judge(task, &measured);
                        watcher.finished(&Finished { task: task.clone(), measured, outcome });
                    }
                    Err(RecvTimeoutError::Timeout) => watcher.tick(),
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
            }
        })
    }
}
