//! Faults on purpose: outputs that cannot be written, signals at any moment, solvers that fail, memory that is not there, and
//! many processes at once.
//!
//! Whatever happens, a run keeps these rules: its exit code is one that the fault allows; a verdict that it prints is the right
//! one or UNKNOWN; a file that it writes has all of its new content or all of its old one; it does not panic.
//!
//! A part of the injections runs in every test run. `UNREACH_FAULTS=500` asks for more of those that are random, and each test
//! prints how many there were (`--nocapture`).

#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the test starts processes and breaks their world"
)]

use base::Random;
use rustix::process::{Pid, Signal, kill_process};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_unreach");

/// What stands in a file that a run is to replace.
const OLD: &str = "what was there before\n";

const SAFE_BPL: &str = "procedure main(n: int)
{
  var i, s: int;
  assume n >= 0;
  i, s := 0, 0;
  while (i < n) { i, s := i + 1, s + 2; }
  assert s == 2 * n;
}
";

const UNSAFE_C: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), s = 0;
  for (int i = 0; i < 5; i++) s += x;
  if (s == 35) reach_error();
  return 0;
}
";

const SAFE_C: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0;
  while (i < n) i++;
  if (i != n) reach_error();
  return 0;
}
";

const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

/// How many random injections a test makes.
fn count(usual: usize) -> usize {
    std::env::var("UNREACH_FAULTS").ok().map_or(usual, |text| text.parse().expect("a number"))
}

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("faults").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the target folder is writable");
    for (name, text) in
        [("safe.bpl", SAFE_BPL), ("safe.c", SAFE_C), ("unsafe.c", UNSAFE_C), ("unreach-call.prp", PROPERTY)]
    {
        std::fs::write(path.join(name), text).expect("a writable folder");
    }
    path
}

/// A verb with an output file: the arguments before the file's name, and the exit code if all is well.
struct Writer {
    name: &'static str,
    arguments: &'static [&'static str],
    code: i32,
}

const WRITERS: &[Writer] = &[
    Writer { name: "certificate", arguments: &["verify", "safe.bpl", "--certificate"], code: 0 },
    Writer {
        name: "certificate of C",
        arguments: &["verify", "safe.c", "--spec", "unreach-call.prp", "--certificate"],
        code: 0,
    },
    Writer {
        name: "witness of a proof",
        arguments: &["verify", "safe.c", "--spec", "unreach-call.prp", "--witness"],
        code: 0,
    },
    Writer {
        name: "witness of a bug",
        arguments: &["verify", "unsafe.c", "--spec", "unreach-call.prp", "--witness"],
        code: 1,
    },
    Writer {
        name: "harness",
        arguments: &["verify", "unsafe.c", "--spec", "unreach-call.prp", "--harness"],
        code: 1,
    },
    Writer {
        name: "sarif",
        arguments: &["verify", "unsafe.c", "--spec", "unreach-call.prp", "--sarif"],
        code: 1,
    },
    Writer {
        name: "table",
        arguments: &["batch", "safe.bpl", "--jobs", "1", "--results", "b1.sqlite", "--csv"],
        code: 0,
    },
    Writer {
        name: "object",
        arguments: &["batch", "safe.bpl", "--jobs", "1", "--results", "b2.sqlite", "--json"],
        code: 0,
    },
    Writer {
        name: "page",
        arguments: &["batch", "safe.bpl", "--jobs", "1", "--results", "b3.sqlite", "--html"],
        code: 0,
    },
];

impl Writer {
    fn command(&self, folder: &Path, output: &Path) -> Command {
        let mut command = Command::new(BINARY);
        command.current_dir(folder).args(self.arguments).arg(output).stdin(Stdio::null());
        command
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A run that broke by itself shows it.
#[track_caller]
fn is_calm(what: &str, output: &Output) {
    let err = text(&output.stderr);
    assert!(!err.contains("internal error") && !err.contains("panicked"), "{what}: {err}");
    assert_ne!(output.status.code(), Some(4), "{what}: {err}");
}

/// Texts with a time in them are compared without it.
fn without_time(text: &str) -> String {
    let has_time = |line: &&str| {
        ["creation_time", "uuid", "creationtime", "wall", "\"cpu\"", "<td"]
            .iter()
            .any(|word| line.contains(word))
    };
    text.lines().filter(|line| !has_time(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn outputs_that_cannot_be_written_are_told() {
    let folder = folder("unwritable");
    let mut injected = 0;
    std::fs::write(folder.join("file"), OLD).expect("a writable folder");
    std::fs::create_dir(folder.join("directory")).expect("a writable folder");
    let mut places = vec!["no/such/folder/x", "file/x", "directory", "/proc/x", "/dev/full"];
    places.retain(|place| !place.starts_with('/') || cfg!(target_os = "linux"));
    for writer in WRITERS {
        for place in &places {
            let output = writer.command(&folder, Path::new(place)).output().expect("the binary runs");
            let what = format!("{} to {place}", writer.name);
            is_calm(&what, &output);
            assert_eq!(output.status.code(), Some(3), "{what}: {output:?}");
            assert!(text(&output.stderr).contains("cannot be written: "), "{what}: {output:?}");
            injected += 1;
        }
    }
    assert_eq!(std::fs::read_to_string(folder.join("file")).expect("it is there"), OLD);
    eprintln!("{injected} injections");
}

/// A mounted file system that is removed with the test.
struct Mounted(PathBuf);

impl Mounted {
    /// Nothing where mounting is not allowed.
    fn new(folder: &Path, options: &str) -> Option<Mounted> {
        std::fs::create_dir_all(folder).ok()?;
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(folder);
        let mounted = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        mounted.is_ok_and(|status| status.success()).then(|| Mounted(folder.to_owned()))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn full_and_read_only_disks_leave_old_files_alone() {
    let folder = folder("disks");
    let mut injected = 0;
    // One page for the old file, and none for another.
    for (name, options) in [("full", "size=4k"), ("read-only", "size=64k")] {
        let Some(disk) = Mounted::new(&folder.join(name), options) else {
            eprintln!("skipped: no file system can be mounted here");
            return;
        };
        let output = disk.0.join("x");
        std::fs::write(&output, OLD).expect("there is room for it");
        if name == "read-only" {
            let remounted = Command::new("mount").args(["-o", "remount,ro"]).arg(&disk.0).status();
            assert!(remounted.is_ok_and(|status| status.success()), "a mounted disk can be made read-only");
        }
        for writer in WRITERS {
            let result = writer.command(&folder, &output).output().expect("the binary runs");
            let what = format!("{} to a {name} disk", writer.name);
            is_calm(&what, &result);
            assert_eq!(result.status.code(), Some(3), "{what}: {result:?}");
            assert_eq!(std::fs::read_to_string(&output).expect("it is there"), OLD, "{what}");
            let left = std::fs::read_dir(&disk.0).expect("a folder").count();
            assert_eq!(left, 1, "{what}: nothing else is left");
            injected += 1;
        }
        let mut batch = Command::new(BINARY);
        batch.current_dir(&folder).args(["batch", "safe.bpl", "--results"]).arg(disk.0.join("b.sqlite"));
        let result = batch.output().expect("the binary runs");
        is_calm("results of a batch", &result);
        assert_eq!(result.status.code(), Some(3), "{result:?}");
        injected += 1;
    }
    eprintln!("{injected} injections");
}

#[test]
fn nobody_has_to_listen() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let folder = folder("streams");
    std::fs::write(folder.join("bad.bpl"), "procedure main( {\n").expect("a writable folder");
    let full = || Stdio::from(std::fs::File::options().write(true).open("/dev/full").expect("it is there"));
    let closed = || {
        let mut child =
            Command::new("true").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("true runs");
        let pipe = child.stdin.take().expect("a pipe");
        child.wait().expect("a child");
        Stdio::from(pipe)
    };
    let mut injected = 0;
    for (arguments, code) in [
        (&["verify", "safe.bpl"][..], 0),
        (&["verify", "safe.bpl", "--json", "--stats"], 0),
        (&["verify", "unsafe.c", "--spec", "unreach-call.prp"], 1),
        (&["verify", "bad.bpl"], 3),
        (&["verify", "missing.bpl"], 3),
        (&["verify", "--no-such-option"], 3),
        (&["print", "ir", "safe.bpl"], 0),
        (&["batch", "safe.bpl", "--results", "s.sqlite", "--jobs", "1"], 0),
    ] {
        // Whether the answer is wanted is the reader's business; that it is lost on a full disk is told by the exit code.
        for (out, err, lost) in [
            (closed(), Stdio::null(), false),
            (full(), Stdio::null(), true),
            (Stdio::null(), closed(), false),
            (Stdio::null(), full(), false),
        ] {
            let mut command = Command::new(BINARY);
            let status = command
                .current_dir(&folder)
                .args(arguments)
                .stdin(Stdio::null())
                .stdout(out)
                .stderr(err)
                .status();
            let status = status.expect("the binary runs");
            let expected = if lost { 3 } else { code };
            assert_eq!(status.code(), Some(expected), "{arguments:?}, lost: {lost}: {status}");
            injected += 1;
        }
    }
    eprintln!("{injected} injections");
}

fn signal(child: &Child, signal: Signal) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process id");
    // It may have ended.
    let _ = kill_process(pid, signal);
}

#[test]
fn signals_at_any_moment_leave_whole_files() {
    use std::os::unix::process::ExitStatusExt as _;
    let folder = folder("signals");
    let mut random = Random::new(11);
    let mut injected = 0;
    for writer in WRITERS {
        let output = folder.join("x");
        let begun = Instant::now();
        let reference = writer.command(&folder, &output).output().expect("the binary runs");
        let usual = begun.elapsed();
        assert_eq!(reference.status.code(), Some(writer.code), "{}: {reference:?}", writer.name);
        let new = without_time(&std::fs::read_to_string(&output).expect("it is written"));
        let verdict = text(&reference.stdout).lines().next().unwrap_or_default().to_owned();
        for number in 0..count(40).div_ceil(WRITERS.len()) {
            std::fs::write(&output, OLD).expect("a writable folder");
            let sent = [Signal::INT, Signal::TERM, Signal::KILL, Signal::PIPE][number % 4];
            let mut command = writer.command(&folder, &output);
            let child =
                command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
            std::thread::sleep(Duration::from_micros(random.number(usual.as_micros() as u64 * 5 / 4)));
            signal(&child, sent);
            let result = child.wait_with_output().expect("a child");
            let what = format!("{} with {sent:?}", writer.name);
            is_calm(&what, &result);
            let ended = match (result.status.code(), result.status.signal()) {
                // Before it has its handler, a signal ends the process.
                (None, Some(by)) => by == sent.as_raw(),
                (Some(code), _) => code == writer.code || code == 2,
                (None, None) => false,
            };
            assert!(ended, "{what}: {result:?}");
            let said = text(&result.stdout);
            let said = said.lines().next().unwrap_or_default();
            let right = said.is_empty()
                || said == verdict
                || said.starts_with("UNKNOWN")
                || said.contains("language");
            assert!(right, "{what}: {said}");
            let content = std::fs::read_to_string(&output).expect("it is there");
            // A run that was cancelled may say so in its file, to the last line.
            let cancelled = result.status.code() == Some(2) && content.lines().last() == new.lines().last();
            let whole = content == OLD || without_time(&content) == new || cancelled;
            assert!(whole, "{what}: half a file:\n{content}");
            injected += 1;
        }
    }
    eprintln!("{injected} injections");
}

/// Second solvers that pass the trial at the start and then are of no use: how, and what they do.
const SOLVERS: &[(&str, &str)] = &[
    ("ends", "exit 0"),
    ("fails", "exit 1"),
    ("does not know", "answer unknown"),
    ("complains", "answer '(error \"no\")'"),
    ("kills itself", "read line; kill -SEGV $$"),
    ("says half an answer", "read line; printf uns; exit 0"),
    ("prints bytes", "head -c 100000 /dev/urandom; exit 0"),
    ("stays silent", "sleep 1000"),
];

/// Answers every question in the same way, and echoes what it is asked to. The first process is the trial.
const SOLVER: &str = r#"
answer() {
  while read -r line; do case "$line" in
    *check-sat*) echo "$1" ;;
    *'(echo "'*) line="${line#*'(echo "'}"; echo "${line%%'"'*}" ;;
  esac; done
}
if [ ! -e tried ]; then touch tried; answer unsat; exit 0; fi
"#;

#[test]
fn solvers_that_fail_do_not_change_an_answer() {
    let folder = folder("solvers");
    let mut injected = 0;
    for (what, script) in SOLVERS {
        let solver = folder.join("solver.sh");
        std::fs::write(&solver, format!("{SOLVER}{script}\n")).expect("a writable folder");
        let _ = std::fs::remove_file(folder.join("tried"));
        let mut command = Command::new(BINARY);
        command.current_dir(&folder).args([
            "verify",
            "safe.bpl",
            "--timeout",
            "3",
            "--cross-check",
            "sh solver.sh",
        ]);
        let result = command.stdin(Stdio::null()).output().expect("the binary runs");
        is_calm(what, &result);
        let said = text(&result.stdout);
        let right = said.starts_with("TRUE") || said.starts_with("UNKNOWN");
        assert!(right && matches!(result.status.code(), Some(0 | 2)), "{what}: {result:?}");
        injected += 1;
    }
    eprintln!("{injected} injections");
}

#[test]
fn memory_that_is_not_there_costs_no_wrong_answer() {
    let folder = folder("memory");
    // Nothing that an engine could work on for long.
    let program = "procedure main(x: int) { var y: int; if (x > 3) { y := x; assert y > 2; } }\n";
    std::fs::write(folder.join("short.bpl"), program).expect("a writable folder");
    let mut injected = 0;
    let engines: Vec<&str> = unreach::ENGINES.iter().map(|engine| engine.name).collect();
    for engine in ["auto"].iter().chain(&engines) {
        for megabytes in ["5", "30", "60"] {
            let mut command = Command::new(BINARY);
            command.current_dir(&folder).args(["verify", "safe.bpl", "--timeout", "20"]);
            command
                .args(["--engine", engine, "--memory", megabytes, "--certificate", "x"])
                .stdin(Stdio::null());
            let result = command.output().expect("the binary runs");
            let what = format!("{engine} with {megabytes} MB");
            is_calm(&what, &result);
            let said = text(&result.stdout);
            let right = said.starts_with("TRUE") || said.starts_with("UNKNOWN");
            assert!(right && matches!(result.status.code(), Some(0 | 2)), "{what}: {result:?}");
            injected += 1;
        }
    }
    eprintln!("{injected} injections");
}

/// Address space that ends anywhere: an allocation fails inside of whatever runs then.
#[test]
fn allocations_that_fail_leave_whole_files() {
    let folder = folder("allocations");
    let limited = |kilobytes: u64| {
        let script =
            format!("ulimit -v {kilobytes} && exec {BINARY} verify safe.bpl --timeout 20 --certificate x");
        let mut command = Command::new("sh");
        command.current_dir(&folder).args(["-c", &script]).stdin(Stdio::null());
        command.output().expect("the shell runs")
    };
    let reference = limited(64 << 20);
    if reference.status.code() != Some(0) {
        eprintln!("skipped: the address space cannot be limited here: {reference:?}");
        return;
    }
    let whole = std::fs::read_to_string(folder.join("x")).expect("it is written");
    let mut random = Random::new(5);
    let tries = count(20);
    for _ in 0..tries {
        std::fs::write(folder.join("x"), OLD).expect("a writable folder");
        let kilobytes = 60_000 + random.number(1_200_000);
        let result = limited(kilobytes);
        let said = text(&result.stdout);
        let right = said.is_empty() || said.starts_with("TRUE") || said.starts_with("UNKNOWN");
        assert!(right, "{kilobytes} kB: {result:?}");
        // The language's own answer to an allocation that fails is to end the process.
        assert_eq!(said.starts_with("TRUE"), result.status.code() == Some(0), "{kilobytes} kB: {result:?}");
        let content = std::fs::read_to_string(folder.join("x")).expect("it is there");
        // An engine that an allocation ends leaves the proof to another one.
        let is_whole = || {
            let mut certify = Command::new(BINARY);
            let certify = certify.current_dir(&folder).args(["certify", "x", "safe.bpl"]).output();
            content == whole || certify.expect("the binary runs").status.success()
        };
        assert!(content == OLD || is_whole(), "{kilobytes} kB: half a file:\n{content}");
    }
    eprintln!("{tries} injections");
}

#[test]
fn fifty_processes_at_once() {
    let folder = folder("fifty");
    let output = folder.join("x");
    let start = |_| {
        let mut command = WRITERS[0].command(&folder, &output);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs")
    };
    let children: Vec<Child> = (0..50).map(start).collect();
    for child in children {
        let result = child.wait_with_output().expect("a child");
        is_calm("one of fifty", &result);
        assert_eq!(text(&result.stdout).lines().next(), Some("TRUE"), "{result:?}");
    }
    let certificate = std::fs::read_to_string(&output).expect("it is written");
    assert!(serde_json::from_str::<serde_json::Value>(&certificate).is_ok(), "{certificate}");
    let left = std::fs::read_dir(&folder).expect("a folder").flatten();
    let hidden = left.filter(|entry| entry.file_name().to_string_lossy().starts_with('.')).count();
    assert_eq!(hidden, 0, "nothing is left beside the files");
    eprintln!("50 injections");
}
