//! One task in a process of its own, with limits that hold.
//!
//! The process leads a group of its own. When its time is over, when it uses too much memory, or when the batch is stopped,
//! the whole group is killed, and also whatever it leaves behind when it ends by itself. The verifier knows its limits too and
//! comes back by itself before; the kill is for one that does not.
//!
//! Memory is that of the process itself, looked at every [`LOOK`]: it has to be a large overrun within that time to be missed.

use crate::Task;
use crate::outcome::{Ending, Measured, verdict_line};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::ffi::OsString;
use std::io::Read;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often the memory of a process is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// How much of what a process prints is kept. The verdict stands in the beginning.
const MOST_OUTPUT: usize = 1 << 20;

/// The longest line that is kept.
const LONGEST_LINE: usize = 300;

/// What a task may use.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// The time that the verifier is told.
    pub time: Duration,
    /// So much later it is killed.
    pub grace: Duration,
    /// The memory that the verifier is told, in megabytes; it is killed at a tenth more.
    pub memory: Option<u64>,
}

/// Who answers.
#[derive(Clone, PartialEq, Debug)]
pub enum Verifier {
    /// This verifier, with more options of `verify`.
    Own {
        /// The binary.
        binary: PathBuf,
        /// More options.
        options: Vec<String>,
    },
    /// Any command, in which `{file}`, `{spec}`, `{data_model}`, `{timeout}` and `{memory}` are replaced.
    Command(Vec<String>),
}

impl Verifier {
    /// The command line for a task.
    pub fn words(&self, task: &Task, limits: &Limits) -> Vec<OsString> {
        let seconds = limits.time.as_secs_f64().to_string();
        let memory = limits.memory.map(|megabytes| megabytes.to_string());
        match self {
            Verifier::Own { binary, options } => {
                let mut words: Vec<OsString> =
                    vec![binary.into(), "verify".into(), "--timeout".into(), seconds.into()];
                let mut option = |name: &str, value: Option<OsString>| {
                    words.extend(value.map(|value| [name.into(), value]).into_iter().flatten());
                };
                option("--memory", memory.map(Into::into));
                option("--spec", task.spec.as_ref().map(Into::into));
                option("--data-model", task.data_model.as_ref().map(Into::into));
                words.extend(options.iter().map(Into::into));
                words.push("--".into());
                words.extend(task.files.iter().map(Into::into));
                words
            }
            Verifier::Command(words) => {
                let mut all = Vec::new();
                for word in words {
                    if word == "{file}" {
                        all.extend(task.files.iter().map(OsString::from));
                        continue;
                    }
                    let file = task.files.first().map(|file| file.display().to_string()).unwrap_or_default();
                    let spec = task.spec.as_ref().map(|spec| spec.display().to_string()).unwrap_or_default();
                    let word = word.replace("{file}", &file).replace("{spec}", &spec);
                    let model = task.data_model.as_deref().unwrap_or("LP64");
                    let word = word.replace("{data_model}", model).replace("{timeout}", &seconds);
                    all.push(word.replace("{memory}", memory.as_deref().unwrap_or_default()).into());
                }
                all
            }
        }
    }
}

/// Runs a task to its end; nothing if the batch is stopped before.
pub fn run(verifier: &Verifier, task: &Task, limits: &Limits, stop: &AtomicBool) -> Option<Measured> {
    let words = verifier.words(task, limits);
    let Some((program, arguments)) = words.split_first() else {
        return Some(Measured::lost("there is no command"));
    };
    let begun = Instant::now();
    let child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn();
    match child {
        Ok(child) => watch(child, begun, limits, stop),
        Err(error) => Some(Measured::lost(format!("{}: {error}", Path::new(program).display()))),
    }
}

/// Why a process was killed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Killed {
    Time,
    Memory,
    Stopped,
}

fn watch(mut child: Child, begun: Instant, limits: &Limits, stop: &AtomicBool) -> Option<Measured> {
    let number = child.id();
    let leader = i32::try_from(number).ok().and_then(Pid::from_raw);
    // The leader is not waited for before the end, so its number stays taken and nobody else can be hit.
    let kill = || {
        if let Some(leader) = leader {
            // A group that is gone needs no killing.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    };
    let (out, err) = (child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        let out = scope.spawn(|| beginning(out));
        let err = scope.spawn(|| beginning(err));
        let (send, ended) = mpsc::channel();
        scope.spawn(move || {
            if let Some(leader) = leader {
                // It is left as it is, so that its times can still be read.
                let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
                while waitid(WaitId::Pid(leader), options).is_err_and(|why| why == rustix::io::Errno::INTR) {}
            }
            // Nobody listens any more if the watcher has an answer already.
            let _ = send.send(Instant::now());
        });
        let mut killed = None;
        let mut memory = None;
        let end = loop {
            match ended.recv_timeout(LOOK) {
                Ok(end) => break end,
                Err(RecvTimeoutError::Disconnected) => break Instant::now(),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = Memory::of(number);
            memory = now.as_ref().map(|now| now.peak).or(memory);
            let over = |now: &Memory| limits.memory.is_some_and(|most| now.now > most + most / 10);
            let reason = if stop.load(Ordering::Relaxed) {
                Killed::Stopped
            } else if begun.elapsed() > limits.time + limits.grace {
                Killed::Time
            } else if now.as_ref().is_some_and(over) {
                Killed::Memory
            } else {
                continue;
            };
            killed.get_or_insert(reason);
            kill();
        };
        let cpu = cpu_seconds(number);
        // What it has left behind would go on, and hold its output open.
        kill();
        let status = child.wait().ok();
        let out = out.join().unwrap_or_default();
        let err = err.join().unwrap_or_default();
        let ending = match killed {
            Some(Killed::Stopped) => return None,
            Some(Killed::Time) => Ending::KilledForTime,
            Some(Killed::Memory) => Ending::KilledForMemory,
            None => ending(status),
        };
        let said = verdict_line(&out).map(short).unwrap_or_default();
        let note = if said.is_empty() { complaint(&err, &out) } else { String::new() };
        let wall = end.saturating_duration_since(begun).as_secs_f64();
        Some(Measured { ending, said, note, wall, cpu, memory, host: host() })
    })
}

fn ending(status: Option<std::process::ExitStatus>) -> Ending {
    use std::os::unix::process::ExitStatusExt as _;
    match status.map(|status| (status.code(), status.signal())) {
        Some((Some(code), _)) => Ending::Exited(code),
        Some((None, Some(signal))) => Ending::Signal(signal),
        _ => Ending::Lost,
    }
}

/// The beginning of what is printed; the rest is read too, so that nobody waits.
fn beginning(from: Option<impl Read>) -> String {
    let Some(mut from) = from else { return String::new() };
    let mut kept = Vec::new();
    let mut part = [0; 1 << 14];
    loop {
        match from.read(&mut part) {
            Ok(0) => break,
            Ok(read) => kept.extend_from_slice(&part[..read.min(MOST_OUTPUT.saturating_sub(kept.len()))]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// The line that says best why there is no verdict.
fn complaint(err: &str, out: &str) -> String {
    let error = err.lines().find(|line| line.contains("error"));
    let line = error.or_else(|| err.lines().find(|line| !line.trim().is_empty()));
    short(line.or_else(|| out.lines().last()).unwrap_or_default())
}

fn short(line: &str) -> String {
    line.trim().chars().take(LONGEST_LINE).collect()
}

/// The memory of a process in megabytes.
struct Memory {
    now: u64,
    peak: u64,
}

impl Memory {
    fn of(process: u32) -> Option<Memory> {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let megabytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim()
                .strip_suffix("kB")?
                .trim()
                .parse::<u64>()
                .ok()
                .map(|kilobytes| kilobytes.div_ceil(1024))
        };
        Some(Memory { now: megabytes("VmRSS:")?, peak: megabytes("VmHWM:")? })
    }
}

/// The time that a process and those it has waited for have used, also of one that has ended and was not waited for.
pub fn cpu_seconds(process: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may contain anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(11..15)?.iter().map(|field| field.parse::<u64>()).sum::<Result<u64, _>>().ok()?;
    Some(ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
}

/// The name of this machine.
pub fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Ending;

    fn task() -> Task {
        Task {
            name: "t".to_owned(),
            property: "p".to_owned(),
            files: vec![PathBuf::from("a.c"), PathBuf::from("b.c")],
            spec: Some(PathBuf::from("p.prp")),
            data_model: None,
            expected: None,
            columns: Vec::new(),
        }
    }

    fn shell(script: &str, limits: Limits) -> Measured {
        let verifier = Verifier::Command(vec!["/bin/sh".to_owned(), "-c".to_owned(), script.to_owned()]);
        run(&verifier, &task(), &limits, &AtomicBool::new(false)).expect("nobody stops it")
    }

    fn limits(milliseconds: u64) -> Limits {
        Limits { time: Duration::from_millis(milliseconds), grace: Duration::ZERO, memory: None }
    }

    #[test]
    fn what_a_process_says_and_how_it_ends() {
        let seen = shell("echo loading; echo 'FALSE(x)'; exit 1", limits(60_000));
        assert_eq!((seen.said.as_str(), seen.ending), ("FALSE(x)", Ending::Exited(1)));
        let seen = shell("echo oh >&2; echo 'the error is' >&2; exit 3", limits(60_000));
        assert_eq!((seen.note.as_str(), seen.ending), ("the error is", Ending::Exited(3)));
        let seen = shell("kill -SEGV $$", limits(60_000));
        assert_eq!(seen.ending, Ending::Signal(11));
    }

    #[test]
    fn children_that_hold_the_output_open_are_killed_with_the_process() {
        let seen = shell("sleep 1000 & echo $!; echo TRUE", limits(60_000));
        assert_eq!((seen.said.as_str(), seen.ending), ("TRUE", Ending::Exited(0)));
        let seen = shell("sleep 1000 & sleep 1000", limits(100));
        assert_eq!(seen.ending, Ending::KilledForTime);
    }

    #[test]
    fn memory_is_watched() {
        let script = "x=$(head -c 300000000 /dev/zero | tr '\\0' 'x'); sleep 1000";
        let seen = shell(script, Limits { memory: Some(100), ..limits(600_000) });
        assert_eq!(seen.ending, Ending::KilledForMemory);
    }

    #[test]
    fn a_program_that_is_not_there_is_a_lost_task() {
        let verifier = Verifier::Command(vec!["/no/such/program".to_owned()]);
        let seen = run(&verifier, &task(), &limits(1000), &AtomicBool::new(false)).expect("nobody stops it");
        assert_eq!(seen.ending, Ending::Lost);
        assert!(seen.note.starts_with("/no/such/program: "), "{}", seen.note);
    }

    #[test]
    fn a_stopped_batch_has_no_result() {
        let verifier = Verifier::Command(vec!["/bin/sleep".to_owned(), "1000".to_owned()]);
        assert_eq!(run(&verifier, &task(), &limits(600_000), &AtomicBool::new(true)), None);
    }

    #[test]
    fn command_lines() {
        let own = Verifier::Own { binary: PathBuf::from("unreach"), options: vec!["--inline".to_owned()] };
        let limits = Limits { memory: Some(500), ..limits(1500) };
        let words: Vec<String> =
            own.words(&task(), &limits).iter().map(|word| word.to_string_lossy().into_owned()).collect();
        assert_eq!(
            words.join(" "),
            "unreach verify --timeout 1.5 --memory 500 --spec p.prp --inline -- a.c b.c"
        );
        let other = ["x", "--spec={spec}", "{data_model}", "{file}"].map(str::to_owned).to_vec();
        assert_eq!(
            Verifier::Command(other).words(&task(), &limits),
            ["x", "--spec=p.prp", "LP64", "a.c", "b.c"]
        );
    }
}
