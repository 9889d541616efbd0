//! HyperQueue: a server, workers that come and go, over TCP. See <https://it4innovations.github.io/hyperqueue>.
//!
//! It is driven through its Python package (`pip install hyperqueue`), in the version of the server. A task whose worker dies is
//! started again by the server, up to [`CRASHES`] times; tasks wait while there is no worker.
//!
//! The package cannot cancel a job. A batch that is stopped asks the tasks themselves to end, by its spool.

use super::{Array, Scheduler};
use crate::BatchError;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

/// How often a task is started whose worker dies.
const CRASHES: usize = 5;

/// `submit` reads command lines, one for each task, and prints the number of the job; `wait` ends with it.
const SCRIPT: &str = r#"
import json, sys
what, server = sys.argv[1:3]
try:
    from hyperqueue import Client, Job
except ImportError:
    sys.exit("the Python package hyperqueue is not installed: pip install hyperqueue")
try:
    client = Client(server or None)
except Exception as error:
    sys.exit(str(error).split("\n")[0])
if what == "submit":
    job = Job(max_fails=None, name="unreach batch")
    request = json.load(sys.stdin)
    for number in range(request["count"]):
        job.program(request["command"] + [str(number)], cwd=request["folder"], stdout=None, stderr=None,
                    crash_limit=request["crashes"])
    print(client.submit(job).id)
elif what == "wait":
    client.connection.wait_for_jobs([int(sys.argv[3])], lambda state: None)
"#;

/// A server that runs.
#[derive(Debug)]
pub struct HyperQueue {
    /// The folder by which the server is found; the usual one if nothing is said.
    server: Option<PathBuf>,
    /// Who waits for which job.
    waiting: BTreeMap<String, Child>,
}

impl HyperQueue {
    /// The server of a folder.
    pub fn new(server: Option<PathBuf>) -> HyperQueue {
        HyperQueue { server, waiting: BTreeMap::new() }
    }

    fn python(&self, what: &str) -> Command {
        let mut command = Command::new("python3");
        let server = self.server.as_deref().map(|server| server.display().to_string()).unwrap_or_default();
        command.args(["-c", SCRIPT, what, &server]).env("RUST_BACKTRACE", "0");
        command
    }
}

fn failed(why: impl std::fmt::Display) -> BatchError {
    BatchError::Cluster(format!("hyperqueue: {why}"))
}

impl Scheduler for HyperQueue {
    fn submit(&mut self, array: &Array<'_>) -> Result<String, BatchError> {
        let request = json!({
            "command": array.command, "count": array.count, "folder": array.folder.display().to_string(),
            "crashes": CRASHES,
        });
        let mut child = self
            .python("submit")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| failed(format!("python3: {error}")))?;
        if let Some(mut input) = child.stdin.take() {
            // If it does not listen it says why, below.
            let _ = input.write_all(request.to_string().as_bytes());
        }
        let Output { status, stdout, stderr } = child.wait_with_output().map_err(failed)?;
        let job = String::from_utf8_lossy(&stdout).trim().to_owned();
        if !status.success() || job.parse::<u64>().is_err() {
            let why = String::from_utf8_lossy(&stderr);
            return Err(failed(why.lines().last().unwrap_or("the job was not taken")));
        }
        Ok(format!("hyperqueue {job}"))
    }

    fn is_active(&mut self, job: &str) -> Result<bool, BatchError> {
        let Some(number) = job.strip_prefix("hyperqueue ") else { return Ok(false) };
        if !self.waiting.contains_key(job) {
            let waiting = self
                .python("wait")
                .arg(number)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .map_err(|error| failed(format!("python3: {error}")))?;
            self.waiting.insert(job.to_owned(), waiting);
        }
        // A server that does not know the job any more has ended it, too: what has no result is submitted again.
        let ended = self.waiting.get_mut(job).map(Child::try_wait).transpose().map_err(failed)?.flatten();
        Ok(ended.is_none())
    }

    fn cancel(&mut self, job: &str) {
        if let Some(mut waiting) = self.waiting.remove(job) {
            // One that has ended needs no killing.
            let _ = waiting.kill();
            let _ = waiting.wait();
        }
    }
}

impl Drop for HyperQueue {
    fn drop(&mut self) {
        let jobs: Vec<String> = self.waiting.keys().cloned().collect();
        jobs.iter().for_each(|job| self.cancel(job));
    }
}
