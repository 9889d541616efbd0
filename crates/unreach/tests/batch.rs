//! `unreach batch`: what it says, that it can be killed at any moment, and that many machines find the same.

#![allow(clippy::disallowed_methods, reason = "the test starts processes and looks at their files")]

use batch::store::{Finished, Store};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

const BINARY: &str = env!("CARGO_BIN_EXE_unreach");

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("batch").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the target folder is writable");
    path
}

fn batch(folder: &Path) -> Command {
    let mut command = Command::new(BINARY);
    command.current_dir(folder).arg("batch").stdin(Stdio::null());
    command
}

fn run(command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (status.code(), text(&stdout), text(&stderr))
}

const SAFE: &str = "procedure main(x: int) { if (x > 3) { assert x > 2; } }\n";
const UNSAFE: &str = "procedure main(x: int) { assert x > 2; }\n";

fn definition(file: &str, verdict: bool) -> String {
    format!(
        "format_version: '2.0'\ninput_files: {file}\nproperties:\n  - property_file: assert.prp\n    expected_verdict: {verdict}\n"
    )
}

fn put(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("a writable folder");
    }
}

#[test]
fn verdicts_are_judged_and_told() {
    let folder = folder("judged");
    put(
        &folder,
        &[
            ("assert.prp", "CHECK( init(main()), LTL(G assert) )\n"),
            ("a.bpl", SAFE),
            ("a.yml", &definition("a.bpl", true)),
            ("b.bpl", UNSAFE),
            ("b.yml", &definition("b.bpl", false)),
            ("plain.bpl", SAFE),
            ("broken.bpl", "procedure main( {\n"),
        ],
    );
    let files = ["--csv", "x.csv", "--json", "x.json", "--html", "x.html"];
    let (code, out, err) =
        run(batch(&folder).args([".", "--results", "x.sqlite", "--jobs", "1"]).args(files));
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("3 of 4 solved, 0 wrong, score 3;"), "{out}");
    let table = std::fs::read_to_string(folder.join("x.csv")).expect("the table is written");
    assert!(table.contains("./broken.bpl,assert,bpl,,refused,"), "{table}");
    let json = std::fs::read_to_string(folder.join("x.json")).expect("the object is written");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["counts"]["correct"], &json["counts"]["answered"]), (&2.into(), &1.into()));
    assert!(std::fs::read_to_string(folder.join("x.html")).is_ok_and(|page| page.contains("<svg")));
    // Nothing is run again, and the old results can be compared with.
    let again = ["--results", "x.sqlite", "--jobs", "1", "--compare", "x.csv"];
    let (code, out, err) = run(batch(&folder).arg(".").args(again));
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(err.starts_with("4 of 4 tasks were finished before\n4/4 done"), "{err}");
    assert!(out.contains("4 tasks in both, 0 won, 0 lost, 3 solved by both"), "{out}");
    // A label that turns out to be wrong is judged without another run.
    put(&folder, &[("a.yml", &definition("a.bpl", false))]);
    let (code, out, err) = run(batch(&folder).args([".", "--results", "x.sqlite", "--jobs", "1"]));
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("WRONG ./a.yml (assert): expected unsafe, said TRUE"), "{out}");
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = folder("refused");
    put(&folder, &[("a.bpl", SAFE), ("x.txt", "")]);
    for (arguments, message) in [
        (&["x.txt"][..], "unreach: x.txt: expected a program"),
        (&["no.csv"], "unreach: no.csv: no such file"),
        (&["a.bpl", "--where", "tier=1"], "unreach: no task has a column `tier`"),
        (&["a.bpl", "--where", "name=b*"], "unreach: there are no tasks"),
        (&["a.bpl", "--compare", "x.txt"], "unreach: x.txt: there is no column `id`"),
        (&["a.bpl", "--results", "no/folder/x.sqlite"], "unreach: no/folder/x.sqlite.lock: no such file"),
        (&["a.bpl", "--csv", "no/folder/x.csv"], "unreach: no/folder/x.csv: cannot be written: no such file"),
    ] {
        let (code, out, err) = run(batch(&folder).args(arguments));
        let last = err.lines().last().unwrap_or_default();
        assert!(last.starts_with(message), "{arguments:?}: {out}{err}");
        assert_eq!(code, Some(3), "{arguments:?}");
    }
}

/// Tasks that write down that they were started.
fn slow_tasks(folder: &Path, count: usize) -> Vec<String> {
    let names: Vec<String> = (0..count).map(|number| format!("t{number:02}.bpl")).collect();
    for name in &names {
        put(folder, &[(name, SAFE)]);
    }
    put(folder, &[("tool.sh", "echo $1 >> started; sleep 0.05; echo TRUE\n")]);
    names
}

fn begin(folder: &Path) -> Child {
    let command = ["--command", "sh tool.sh {file}", "--results", "x.sqlite", "--jobs", "3"];
    let mut batch = batch(folder);
    batch.arg(".").args(command).stdout(Stdio::null()).stderr(Stdio::null());
    batch.spawn().expect("the binary runs")
}

fn finished(folder: &Path) -> Vec<Finished> {
    let store = Store::read(&folder.join("x.sqlite"));
    store.and_then(|store| store.finished()).unwrap_or_default()
}

#[test]
fn killed_at_any_moment_no_finished_task_is_lost_or_run_again() {
    let folder = folder("killed");
    let names = slow_tasks(&folder, 40);
    let mut kept: Vec<Finished> = Vec::new();
    let mut random = base::Random::new(7);
    let mut kills = 0;
    loop {
        let _ = std::fs::remove_file(folder.join("started"));
        let mut child = begin(&folder);
        std::thread::sleep(Duration::from_millis(50 + random.number(250)));
        let ended = child.try_wait().expect("a child").is_some();
        child.kill().expect("it is killed, or was waited for");
        child.wait().expect("a child");
        let now = finished(&folder);
        for before in &kept {
            assert!(now.contains(before), "{} was lost or has another result", before.task.name);
        }
        let started = std::fs::read_to_string(folder.join("started")).unwrap_or_default();
        for name in started.lines() {
            let again = kept.iter().any(|before| before.task.files[0] == Path::new(name));
            assert!(!again, "{name} was finished and has been run again");
        }
        kept = now;
        if ended {
            break;
        }
        kills += 1;
        assert!(kills < 500, "it does not get on");
    }
    let seen: BTreeSet<String> =
        kept.iter().map(|finished| finished.task.name.trim_start_matches("./").to_owned()).collect();
    assert_eq!(seen, names.into_iter().collect());
    assert!(kills > 2, "it was killed {kills} times only");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_batch_that_can_go_on() {
    use rustix::process::{Pid, Signal, kill_process};
    let folder = folder("interrupted");
    slow_tasks(&folder, 200);
    let mut child = begin(&folder);
    while finished(&folder).is_empty() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a process id")).expect("not zero");
    kill_process(pid, Signal::TERM).expect("it is alive");
    let status = child.wait().expect("a child");
    let count = finished(&folder).len();
    // On a machine that is slow enough to notice, some tasks are left.
    assert_eq!(status.code(), Some(if count < 200 { 2 } else { 0 }));
}

#[test]
fn two_batches_do_not_share_a_file() {
    let folder = folder("shared");
    slow_tasks(&folder, 60);
    let mut child = begin(&folder);
    while finished(&folder).is_empty() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let same = ["--command", "sh tool.sh {file}", "--results", "x.sqlite"];
    let (code, _, err) = run(batch(&folder).arg(".").args(same));
    // Unless the first one was quick enough to end.
    assert!(code == Some(0) || err.contains("x.sqlite: is used by another batch"), "{err}");
    assert!(child.wait().expect("a child").success());
}

/// Commands with the names of Slurm's that run everything at once on this machine.
const SBATCH: &str = r#"#!/bin/sh
for word in "$@"; do case "$word" in
  --array=*) last="${word#--array=0-}" ;;
  --wrap=*) script="${word#--wrap=}" ;;
  --chdir=*) cd "${word#--chdir=}" ;;
esac; done
for SLURM_ARRAY_TASK_ID in $(seq 0 "$last"); do
  export SLURM_ARRAY_TASK_ID
  # One element in five is lost with its node.
  [ $((SLURM_ARRAY_TASK_ID % 5)) = 4 ] || sh -c "$script"
done > /dev/null 2>&1
echo "17;cluster"
"#;

#[test]
fn job_arrays_have_the_same_results_and_lost_elements_are_submitted_again() {
    let folder = folder("slurm");
    slow_tasks(&folder, 12);
    put(
        &folder,
        &[("sbatch", SBATCH), ("squeue", "#!/bin/sh\nexit 0\n"), ("scancel", "#!/bin/sh\nexit 0\n")],
    );
    for name in ["sbatch", "squeue", "scancel"] {
        let made = Command::new("chmod").arg("+x").arg(folder.join(name)).status().expect("chmod runs");
        assert!(made.success());
    }
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let tool = format!("sh {}/tool.sh {{file}}", folder.display());
    let arguments = [".", "--on", "slurm", "--results", "x.sqlite", "--command", &tool];
    let (code, out, err) = run(batch(&folder).args(arguments).env("PATH", path));
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("12 of 12 solved, 0 wrong"), "{out}{err}");
    assert!(err.contains("2 tasks came back without a result and are submitted again"), "{err}");
    assert!(!folder.join("x.spool").exists(), "the spool is removed");
}
