//! A batch on HyperQueue, for real: a server and three workers, one of which is killed and one added late.
//!
//! It needs the Python package `hyperqueue` and is skipped with a message where that is not installed. The package has no
//! command for a worker of another process. Such a worker is made of a server that nobody uses, whose folder is turned to the
//! one that is meant before its worker looks for it.

#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "the test starts processes")]

use batch::store::Store;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const SERVER: &str = "
import sys, time
from hyperqueue import LocalCluster
cluster = LocalCluster(sys.argv[1])
time.sleep(600)
";

const WORKER: &str = "
import os, sys, time
from hyperqueue import LocalCluster
from hyperqueue.cluster import WorkerConfig
server, own = sys.argv[1:3]
cluster = LocalCluster(own)
link = os.path.join(own, 'hq-current')
os.remove(link)
os.symlink(os.path.realpath(os.path.join(server, 'hq-current')), link)
cluster.start_worker(WorkerConfig(cores=1))
time.sleep(600)
";

/// A process that ends with the test.
struct Guarded(Child);

impl Drop for Guarded {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn python(script: &str, arguments: &[&Path]) -> Guarded {
    let mut command = Command::new("python3");
    command.arg("-c").arg(script).args(arguments).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Guarded(command.spawn().expect("python3 runs"))
}

fn is_installed() -> bool {
    let mut command = Command::new("python3");
    command.args(["-c", "import hyperqueue"]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn finished(folder: &Path) -> usize {
    let store = Store::read(&folder.join("x.sqlite"));
    store.and_then(|store| store.finished()).map(|finished| finished.len()).unwrap_or_default()
}

/// Waits for something that will happen on any machine.
fn until(what: &str, mut happens: impl FnMut() -> bool) {
    for _ in 0..3000 {
        if happens() {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("{what} does not happen");
}

#[test]
fn workers_come_and_go_and_every_task_has_one_result() {
    if !is_installed() {
        eprintln!("skipped: the Python package hyperqueue is not installed");
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("batch-hyperqueue");
    let _ = std::fs::remove_dir_all(&folder);
    for name in ["server", "w0", "w1", "w2", "w3"] {
        std::fs::create_dir_all(folder.join(name)).expect("the target folder is writable");
    }
    const TASKS: usize = 60;
    for number in 0..TASKS {
        let program = format!("procedure main() {{ assert {number} >= 0; }}\n");
        std::fs::write(folder.join(format!("t{number}.bpl")), program).expect("a writable folder");
    }
    // Slow enough that the batch is not over before the workers have changed.
    let tool = folder.join("tool.sh");
    let script = format!("sleep 0.3; exec {} verify \"$1\"\n", env!("CARGO_BIN_EXE_unreach"));
    std::fs::write(&tool, script).expect("a writable folder");
    let server = folder.join("server");
    let _server = python(SERVER, &[&server]);
    until("the server", || server.join("hq-current/access.json").exists());
    let worker = |name: &str| python(WORKER, &[&server, &folder.join(name)]);
    let mut workers: Vec<Guarded> = ["w0", "w1", "w2"].map(worker).into_iter().collect();
    let mut batch = Command::new(env!("CARGO_BIN_EXE_unreach"))
        .current_dir(&folder)
        .args(["batch", ".", "--on", "hyperqueue", "--results", "x.sqlite", "--server-dir"])
        .arg(&server)
        .args(["--command", &format!("sh {} {{file}}", tool.display())])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    until("the first results", || finished(&folder) > 5);
    drop(workers.remove(0));
    until("more results", || finished(&folder) > 15);
    workers.push(worker("w3"));
    let status = batch.wait().expect("a child");
    assert!(status.success(), "{status}");
    let store = Store::read(&folder.join("x.sqlite")).expect("results");
    let all = store.finished().expect("results");
    assert_eq!(all.len(), TASKS);
    assert!(all.iter().all(|finished| finished.measured.said == "TRUE"), "{all:#?}");
}
