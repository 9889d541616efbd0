//! Runs that come to a limit, and runs that must not differ.

#![allow(clippy::disallowed_methods, reason = "the test looks at the clock and reads its programs")]

use rustix::process::{Pid, Signal, kill_process};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Numbers that look like chance: no formula says which of them come, and there are too many to run through.
const DIVERGING: &str = "procedure main(n: int)
{
  var i, x: int;
  i, x := 0, 0;
  while (i < n) {
    x := (x * 1103515245 + 12345) mod 2147483648;
    i := i + 1;
  }
  assert x != 1234567;
}
";

fn file(name: &str, content: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("the folder of the test is writable");
    path
}

fn start(arguments: &[&str], path: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_unreach"))
        .arg("verify")
        .args(arguments)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs")
}

fn finish(child: Child) -> Output {
    child.wait_with_output().expect("the binary ends")
}

#[track_caller]
fn unknown(output: &Output, reason: &str) {
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().next(), Some(format!("UNKNOWN ({reason})").as_str()), "{output:?}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_timeout_ends_the_run() {
    let path = file("timeout.bpl", DIVERGING);
    let begun = Instant::now();
    let output = finish(start(&["--timeout", "1"], &path));
    let taken = begun.elapsed();
    unknown(&output, "timeout");
    // Without the limit the run would not end; how soon it does behind the limit depends on the load of the machine.
    assert!(taken >= Duration::from_secs(1), "{taken:?}");
}

#[test]
fn a_memory_limit_ends_the_run() {
    let path = file("memory.bpl", DIVERGING);
    // The limit lies below what the solver needs to start, so that the test does not depend on how fast memory grows.
    unknown(&finish(start(&["--memory", "20"], &path)), "out of memory");
}

fn catches_interrupts(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("the process is alive");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a mask of signals");
    let mask = u64::from_str_radix(caught.trim(), 16).expect("hexadecimal digits");
    mask & (1 << (Signal::INT.as_raw() - 1)) != 0
}

#[test]
fn an_interrupt_ends_the_run_with_a_verdict() {
    interrupt("interrupt.bpl", &[], Duration::ZERO);
}

/// A Horn solver that works for long must not take the signal for itself.
#[test]
fn an_interrupt_reaches_us_through_the_horn_solver() {
    interrupt("interrupt_horn.bpl", &["--engine", "horn"], Duration::from_millis(600));
}

/// Starts a run that does not end, waits for a while, and interrupts it.
fn interrupt(name: &str, arguments: &[&str], wait: Duration) {
    let path = file(name, DIVERGING);
    let child = start(arguments, &path);
    // Before it has its handler, the process would just die. The kernel tells which signals it catches.
    while !catches_interrupts(child.id()) {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(wait);
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a process id")).expect("not zero");
    kill_process(pid, Signal::INT).expect("the process is alive");
    // Nothing else would end the run.
    unknown(&finish(child), "cancelled");
}

#[test]
fn the_same_input_gives_the_same_run() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let programs = ["mccarthy91", "mccarthy91_argument", "ex1", "ex2", "recursion_global", "array_loop"];
    for name in programs {
        let path = folder.join(name).with_extension("bpl");
        let saved =
            |run: usize| PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.{run}.json"));
        let runs: Vec<(Output, Output, Option<String>)> = (0..2)
            .map(|run| {
                let certificate = saved(run).display().to_string();
                let text = finish(start(&["--stats", "--certificate", &certificate], &path));
                let json = finish(start(&["--stats", "--json"], &path));
                (text, json, std::fs::read_to_string(saved(run)).ok())
            })
            .collect();
        let [(text, json, proof), (text_again, json_again, proof_again)] = &runs[..] else {
            unreachable!("there are two runs")
        };
        assert!(!text.stderr.is_empty(), "{name}: statistics were asked for");
        assert_eq!(text, text_again, "{name}");
        assert_eq!(json, json_again, "{name}");
        assert_eq!(proof.is_some(), text.status.code() == Some(0), "{name}: only a proof is written");
        assert_eq!(proof, proof_again, "{name}");
    }
}
