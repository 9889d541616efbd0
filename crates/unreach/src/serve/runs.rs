//! Runs of the verifier, each in a process of its own with limits, in a folder of its own that has nothing but the text.

use super::question::Question;
use super::{Limits, unusable};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many runs that have ended are kept to be looked at.
const MOST_KEPT: usize = 32;
/// How much of what a run says is kept, in bytes.
const MOST_TEXT: u64 = 4 << 20;
/// How many lines about its progress are kept.
const MOST_LINES: usize = 200;
/// How long a process may take to end by itself after its limit.
const GRACE: Duration = Duration::from_secs(5);
/// How often it is looked whether a process has ended.
const TICK: Duration = Duration::from_millis(20);

/// A run.
struct Run {
    folder: PathBuf,
    begun: Instant,
    state: State,
    /// What it says on the way.
    progress: Vec<String>,
    /// The process, while it runs.
    child: Option<Child>,
}

enum State {
    Running,
    Ended { code: Option<i32>, output: String, seconds: f64 },
}

/// All runs.
pub(super) struct Runs {
    folder: PathBuf,
    limits: Limits,
    runs: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    next: u64,
    runs: BTreeMap<u64, Run>,
    is_over: bool,
}

/// Why a question is not answered.
pub(super) enum Refused {
    /// As many runs as allowed are under way.
    Busy,
    /// The machine does not let it.
    Broken(io::Error),
}

impl Runs {
    /// Runs in a folder that is empty and nobody else's.
    pub(super) fn new(folder: PathBuf, limits: Limits) -> Arc<Runs> {
        Arc::new(Runs { folder, limits, runs: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a run; its number.
    pub(super) fn begin(self: &Arc<Runs>, question: &Question) -> Result<u64, Refused> {
        let mut table = self.lock();
        let running = table.runs.values().filter(|run| run.child.is_some()).count();
        if running >= self.limits.runs || table.is_over {
            return Err(Refused::Busy);
        }
        table.forget(MOST_KEPT);
        table.next += 1;
        let number = table.next;
        let folder = self.folder.join(number.to_string());
        let mut child = start(&folder, question, &self.limits).map_err(Refused::Broken)?;
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        let run = Run {
            folder,
            begun: Instant::now(),
            state: State::Running,
            progress: Vec::new(),
            child: Some(child),
        };
        table.runs.insert(number, run);
        drop(table);
        let listener = Arc::clone(self);
        std::thread::spawn(move || {
            for line in
                errors.into_iter().flat_map(|errors| BufReader::new(errors.take(MOST_TEXT)).lines()).flatten()
            {
                listener.told(number, line);
            }
        });
        let watcher = Arc::clone(self);
        std::thread::spawn(move || watcher.watch(number, output));
        Ok(number)
    }

    fn told(&self, number: u64, line: String) {
        if let Some(run) = self.lock().runs.get_mut(&number) {
            if run.progress.len() >= MOST_LINES {
                run.progress.remove(0);
            }
            run.progress.push(line);
        }
    }

    /// Waits for the end of a run, and ends it if it takes too long.
    fn watch(&self, number: u64, output: Option<std::process::ChildStdout>) {
        let reader = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            // What was read until something went wrong is what there is.
            let _ = output.map(|output| output.take(MOST_TEXT).read_to_end(&mut bytes));
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let deadline = Instant::now() + Duration::from_secs(self.limits.seconds) + GRACE;
        let code = loop {
            let mut table = self.lock();
            let Some(run) = table.runs.get_mut(&number) else { return };
            let Some(child) = &mut run.child else { break None };
            match child.try_wait() {
                Ok(Some(status)) => break status.code(),
                Ok(None) if Instant::now() < deadline => {}
                // It has ended by itself, or it ends now.
                _ => _ = child.kill(),
            }
            drop(table);
            std::thread::sleep(TICK);
        };
        let output = reader.join().unwrap_or_default();
        if let Some(run) = self.lock().runs.get_mut(&number) {
            run.child = None;
            run.state = State::Ended { code, output, seconds: run.begun.elapsed().as_secs_f64() };
        }
    }

    /// Ends a run.
    pub(super) fn stop(&self, number: u64) -> bool {
        let mut table = self.lock();
        let child = table.runs.get_mut(&number).and_then(|run| run.child.as_mut());
        // One that has ended in the meantime cannot be ended.
        child.is_some_and(|child| child.kill().is_ok())
    }

    /// Ends all runs, and removes what they left.
    pub(super) fn close(&self) {
        let mut table = self.lock();
        table.is_over = true;
        for run in table.runs.values_mut() {
            if let Some(mut child) = run.child.take() {
                // It may have ended.
                let _ = child.kill().and_then(|()| child.wait().map(|_| ()));
            }
        }
        table.runs.clear();
        let _ = fs::remove_dir_all(&self.folder);
    }

    /// What is known about a run.
    pub(super) fn json(&self, number: u64) -> Option<Value> {
        let table = self.lock();
        let run = table.runs.get(&number)?;
        let has_report = run.folder.join(REPORT).is_file();
        Some(match &run.state {
            State::Running => {
                let seconds = run.begun.elapsed().as_secs_f64();
                json!({ "state": "running", "seconds": seconds, "progress": run.progress })
            }
            State::Ended { code, output, seconds } => json!({
                "state": "ended", "seconds": seconds, "progress": run.progress, "code": code, "output": output,
                "verdict": output.lines().next().unwrap_or_default(), "report": has_report,
            }),
        })
    }

    /// The report of a run that has ended.
    pub(super) fn report(&self, number: u64) -> Option<String> {
        let path = {
            let table = self.lock();
            let run = table.runs.get(&number)?;
            matches!(run.state, State::Ended { .. }).then(|| run.folder.join(REPORT))?
        };
        fs::read_to_string(path).ok()
    }
}

impl Table {
    /// Forgets the oldest of more than so many runs that have ended.
    fn forget(&mut self, most: usize) {
        let ended = self.runs.iter().filter(|(_, run)| run.child.is_none());
        let ended: Vec<u64> = ended.map(|(number, _)| *number).collect();
        for number in ended.iter().take(ended.len().saturating_sub(most)) {
            if let Some(run) = self.runs.remove(number) {
                // What is left is removed when the server ends.
                let _ = fs::remove_dir_all(&run.folder);
            }
        }
    }
}

/// The name of the report in the folder of its run.
const REPORT: &str = "report.html";

/// Starts the verifier on a question, in a new folder.
fn start(folder: &Path, question: &Question, limits: &Limits) -> io::Result<Child> {
    fs::create_dir_all(folder)?;
    base::files::replace_one_of_many(&folder.join(question.file()), &question.text)?;
    let seconds = question.seconds.unwrap_or(limits.seconds).clamp(1, limits.seconds);
    let mut command = Command::new(std::env::current_exe()?);
    // Nothing of the environment of the server is the business of a run.
    command.env_clear().current_dir(folder).args([
        "verify",
        question.file(),
        "--verbose",
        "--report",
        REPORT,
    ]);
    command.arg(format!("--timeout={seconds}")).arg(format!("--memory={}", limits.megabytes));
    // Nothing outside of the folder is read, whatever the text says.
    command.args(["--include-within", "."]).args(&question.arguments);
    if let Some(property) = question.property {
        base::files::replace_one_of_many(&folder.join("property.prp"), property)?;
        command.args(["--spec", "property.prp"]);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

/// A new folder for the runs of a server, that only its user can look into.
pub(super) fn folder() -> Result<PathBuf, String> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let name = format!("unreach-serve-{}-{}", std::process::id(), now.as_nanos());
    let folder = std::env::temp_dir().join(name);
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    // It is not there yet, or it is somebody else's.
    builder.create(&folder).map_err(|error| unusable(&folder.display().to_string(), &error))?;
    Ok(folder)
}
