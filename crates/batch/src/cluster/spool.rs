//! A folder by which machines hand each other tasks and results.
//!
//! `about.json` says who answers and within which limits, `tasks/N/N.json` is a task, `results/N.json` what became of it, and a
//! file `stop` asks all workers to end. Every file is written beside and renamed: it is there as a whole or not at all.

use crate::outcome::Measured;
use crate::process::{Limits, Verifier, run};
use crate::{BatchError, Task};
use base::files::{replace, replace_one_of_many};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How many tasks a folder has.
const IN_A_FOLDER: usize = 1000;

/// How often a worker looks whether it should end.
const LOOK_FOR_STOP: Duration = Duration::from_millis(500);

/// The folder.
#[derive(Debug)]
pub struct Spool(PathBuf);

/// A result in the folder.
#[derive(Debug)]
pub struct Arrived {
    /// Of which task.
    pub task: Task,
    /// What was seen.
    pub measured: Measured,
    file: PathBuf,
}

impl Arrived {
    /// Removes it, when it is kept elsewhere. One that stays is dropped the next time.
    pub fn forget(&self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

impl Spool {
    /// A new folder for tasks, at the place of an older one.
    pub fn create(
        folder: &Path,
        verifier: &Verifier,
        limits: &Limits,
        tasks: &[Task],
    ) -> Result<Spool, BatchError> {
        let made = |path: &Path| std::fs::create_dir_all(path).map_err(|error| BatchError::io(path, &error));
        made(folder)?;
        let folder = std::fs::canonicalize(folder).map_err(|error| BatchError::io(folder, &error))?;
        made(&folder.join("results"))?;
        for (number, task) in tasks.iter().enumerate() {
            let file = task_file(&folder, number);
            if number.is_multiple_of(IN_A_FOLDER) {
                made(file.parent().unwrap_or(&folder))?;
            }
            let text = absolute(task).to_json().to_string();
            replace_one_of_many(&file, text).map_err(|error| BatchError::io(&file, &error))?;
        }
        // Written last: with it the folder is complete.
        let about = folder.join("about.json");
        let text = about_json(verifier, limits).to_string();
        replace(&about, text).map_err(|error| BatchError::io(&about, &error))?;
        Ok(Spool(folder))
    }

    /// The folder of an earlier run, if there is a complete one.
    pub fn open(folder: &Path) -> Result<Option<Spool>, BatchError> {
        if !folder.exists() {
            return Ok(None);
        }
        let folder = std::fs::canonicalize(folder).map_err(|error| BatchError::io(folder, &error))?;
        let spool = Spool(folder);
        if spool.0.join("about.json").exists() {
            return Ok(Some(spool));
        }
        spool.remove()?;
        Ok(None)
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// All results that are there.
    pub fn results(&self) -> Result<Vec<Arrived>, BatchError> {
        let folder = self.0.join("results");
        let mut arrived = Vec::new();
        let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
            .map_err(|error| BatchError::io(&folder, &error))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
            .collect();
        files.sort();
        for file in files {
            let number = file.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse().ok());
            let Some(number) = number else { continue };
            let measured = Measured::of_json(&read(&file)?);
            let task = Task::of_json(&read(&task_file(&self.0, number))?);
            let (Some(task), Some(measured)) = (task, measured) else {
                return Err(BatchError::File(file, "is no result of a task".to_owned()));
            };
            arrived.push(Arrived { task, measured, file });
        }
        Ok(arrived)
    }

    /// Asks all workers to end.
    pub fn stop(&self) -> Result<(), BatchError> {
        let file = self.0.join("stop");
        replace(&file, "").map_err(|error| BatchError::io(&file, &error))
    }

    /// Removes the folder.
    pub fn remove(self) -> Result<(), BatchError> {
        // A late worker may still write into it: then its result is not needed, and neither is the folder.
        match std::fs::remove_dir_all(&self.0) {
            Err(error) if self.0.join("about.json").exists() => Err(BatchError::io(&self.0, &error)),
            _ => Ok(()),
        }
    }
}

/// What a machine does with a number: runs the task, unless it has a result, and writes the result.
pub fn work(folder: &Path, number: usize) -> Result<(), BatchError> {
    let result = folder.join("results").join(format!("{number}.json"));
    let asked_to_stop = || folder.join("stop").exists() || !folder.exists();
    if result.exists() || asked_to_stop() {
        return Ok(());
    }
    let about = folder.join("about.json");
    let task_file = task_file(folder, number);
    let (Some((verifier, limits)), Some(task)) =
        (of_about_json(&read(&about)?), Task::of_json(&read(&task_file)?))
    else {
        return Err(BatchError::File(about, "is no spool of a batch".to_owned()));
    };
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let measured = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                std::thread::park_timeout(LOOK_FOR_STOP);
                if asked_to_stop() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        let measured = run(&verifier, &task, &limits, &stop);
        done.store(true, Ordering::Relaxed);
        // Nobody waits for its next look.
        watcher.thread().unpark();
        measured
    });
    match measured {
        None => Ok(()),
        Some(measured) => {
            replace(&result, measured.to_json().to_string()).map_err(|error| BatchError::io(&result, &error))
        }
    }
}

fn task_file(folder: &Path, number: usize) -> PathBuf {
    folder.join("tasks").join((number / IN_A_FOLDER).to_string()).join(format!("{number}.json"))
}

/// The task with paths that mean the same everywhere.
fn absolute(task: &Task) -> Task {
    let whole = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    Task {
        files: task.files.iter().map(whole).collect(),
        spec: task.spec.as_ref().map(whole),
        ..task.clone()
    }
}

fn read(path: &Path) -> Result<Value, BatchError> {
    let text = std::fs::read_to_string(path).map_err(|error| BatchError::io(path, &error))?;
    serde_json::from_str(&text).map_err(|error| BatchError::File(path.to_owned(), error.to_string()))
}

fn about_json(verifier: &Verifier, limits: &Limits) -> Value {
    let (binary, words) = match verifier {
        Verifier::Own { binary, options } => (Some(binary.display().to_string()), options),
        Verifier::Command(words) => (None, words),
    };
    json!({
        "binary": binary, "words": words, "time": limits.time.as_secs_f64(), "grace": limits.grace.as_secs_f64(),
        "memory": limits.memory,
    })
}

fn of_about_json(value: &Value) -> Option<(Verifier, Limits)> {
    let words = value["words"].as_array()?.iter().map(|word| word.as_str().map(str::to_owned));
    let words = words.collect::<Option<Vec<_>>>()?;
    let verifier = match value["binary"].as_str() {
        Some(binary) => Verifier::Own { binary: PathBuf::from(binary), options: words },
        None => Verifier::Command(words),
    };
    let seconds = |key: &str| Duration::try_from_secs_f64(value[key].as_f64()?).ok();
    let limits =
        Limits { time: seconds("time")?, grace: seconds("grace")?, memory: value["memory"].as_u64() };
    Some((verifier, limits))
}
