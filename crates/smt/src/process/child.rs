//! A running solver process and its three pipes.
//!
//! Nothing here waits without an end: commands are handed to a writing thread, replies are collected by listening
//! threads ([`Output`]), so both pipes may be full at the same time. The process is the leader of a group of its own;
//! ending it ends whatever a wrapper script has started, and it is always reaped, also when it is stopped.

use super::output::{End, Output};
use base::Budget;
use base::budget::HookGuard;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::fmt;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

/// How a process is started and how much patience there is with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessOptions {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// How long one query may take; `None` waits until the budget is tripped.
    pub patience: Option<Duration>,
    /// How many bytes the replies to one query may have.
    pub output_limit: usize,
}

impl ProcessOptions {
    /// The default limit on the replies to one query.
    pub const OUTPUT_LIMIT: usize = 1 << 26;

    /// Runs this command with the default limits. The command is split at white space; single and double quotes group.
    pub fn command(line: &str) -> ProcessOptions {
        ProcessOptions { command: words(line), patience: None, output_limit: ProcessOptions::OUTPUT_LIMIT }
    }
}

fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    for character in line.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// What went wrong with a process. After any of these it is gone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It could not be started.
    CannotStart(String),
    /// It ended; how, and the end of its error stream.
    Died(String),
    /// It did not answer in time.
    TimedOut,
    /// Its output is not what the protocol allows; the beginning of it.
    Garbage(String),
    /// Its output went over the limit, in bytes.
    TooMuchOutput(usize),
    /// The budget was tripped.
    Interrupted,
}

impl Failure {
    /// A reply that makes no sense where it came.
    pub fn garbage(reply: &[u8]) -> Failure {
        let text = String::from_utf8_lossy(&reply[..reply.len().min(GARBAGE_SHOWN)]);
        let ellipsis = if reply.len() > GARBAGE_SHOWN { "…" } else { "" };
        Failure::Garbage(format!("{text}{ellipsis}"))
    }
}

/// How much of a senseless reply is kept for the message.
const GARBAGE_SHOWN: usize = 200;

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::CannotStart(why) => write!(f, "the solver cannot be started: {why}"),
            Failure::Died(how) => write!(f, "the solver died ({how})"),
            Failure::TimedOut => write!(f, "the solver did not answer in time"),
            Failure::Garbage(said) => write!(f, "the solver said something senseless: {said}"),
            Failure::TooMuchOutput(limit) => write!(f, "the solver wrote more than {limit} bytes"),
            Failure::Interrupted => write!(f, "interrupted"),
        }
    }
}

/// A running solver.
pub struct Process {
    child: Child,
    group: Pid,
    commands: Sender<String>,
    output: Arc<Output>,
    exchanges: u64,
    output_limit: usize,
    /// How it ended, once it is reaped.
    ended: Option<String>,
    _hook: HookGuard,
}

impl Process {
    /// Starts a solver. When `budget` is tripped, an exchange under way fails.
    pub fn start(options: &ProcessOptions, budget: &Budget) -> Result<Process, Failure> {
        let Some((program, arguments)) = options.command.split_first() else {
            return Err(Failure::CannotStart("the command is empty".to_owned()));
        };
        let started = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn();
        let mut child = started.map_err(|error| Failure::CannotStart(format!("`{program}`: {error}")))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            unreachable!("all three streams were asked to be pipes");
        };
        let group = Pid::from_child(&child);
        let output = Output::listen(stdout, stderr, options.output_limit);
        let (commands, queue) = channel::<String>();
        std::thread::spawn(move || {
            for text in queue {
                // A closed pipe means that the process is dead, which the listening side finds out by itself.
                if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        let interrupted = Arc::clone(&output);
        let _hook = budget.on_trip(move || interrupted.interrupt());
        let output_limit = options.output_limit;
        Ok(Process { child, group, commands, output, exchanges: 0, output_limit, ended: None, _hook })
    }

    /// Sends commands and gives all replies to them. After a failure the process is to be dropped.
    pub fn exchange(&mut self, commands: &str, patience: Option<Duration>) -> Result<Vec<String>, Failure> {
        self.exchanges += 1;
        let marker = format!("end-of-exchange-{}", self.exchanges);
        self.output.await_marker(&marker);
        // If the writing thread is gone the process is dead, and the listening side says how.
        let _ = self.commands.send(format!("{commands}\n(echo \"{marker}\")\n"));
        let replies = self.output.wait(patience).map_err(|end| match end {
            End::Closed => Failure::Died(self.last_words()),
            End::Garbage(said) => Failure::garbage(&said),
            End::TooMuch => Failure::TooMuchOutput(self.output_limit),
            End::Interrupted => Failure::Interrupted,
            End::TimedOut => Failure::TimedOut,
        })?;
        let to_text =
            |reply: Vec<u8>| String::from_utf8(reply).map_err(|error| Failure::garbage(error.as_bytes()));
        replies.into_iter().map(to_text).collect()
    }

    /// The id of the process, for tests that ill-treat it.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How the process ended, after it closed its output.
    fn last_words(&mut self) -> String {
        for _ in 0..EXIT_CHECKS {
            let peek = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            if matches!(waitid(WaitId::Pid(self.group), peek), Ok(Some(_)) | Err(_)) {
                break;
            }
            std::thread::sleep(EXIT_CHECK_PAUSE);
        }
        let complaints = self.output.complaints(EXIT_CHECK_PAUSE * EXIT_CHECKS);
        let how = self.end();
        if complaints.is_empty() { how } else { format!("{how}: {complaints}") }
    }

    /// Ends the group and reaps the process. The group must be ended first: as long as its leader is
    /// not reaped, nobody else can have got its number.
    fn end(&mut self) -> String {
        if self.ended.is_none() {
            // The group may be gone already, which is as good.
            let _ = kill_process_group(self.group, Signal::KILL);
            let status = self.child.wait();
            self.ended = Some(status.map_or_else(|error| error.to_string(), |status| status.to_string()));
        }
        self.ended.clone().unwrap_or_default()
    }
}

/// A process that closed its output gets this many times this long to end by itself, so that we learn its exit code.
const EXIT_CHECKS: u32 = 20;
const EXIT_CHECK_PAUSE: Duration = Duration::from_millis(5);

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Limit;

    const PATIENCE: Option<Duration> = Some(Duration::from_secs(20));

    fn shell(script: &str) -> ProcessOptions {
        let command = ["sh", "-c", script].map(str::to_owned).to_vec();
        ProcessOptions { command, patience: PATIENCE, output_limit: 1 << 16 }
    }

    fn start(options: &ProcessOptions) -> Process {
        Process::start(options, &Budget::unlimited()).expect("it can be started")
    }

    fn z3() -> Process {
        let command = [env!("UNREACH_Z3_EXECUTABLE"), "-in"].map(str::to_owned).to_vec();
        start(&ProcessOptions { command, patience: PATIENCE, output_limit: 1 << 26 })
    }

    fn exists(id: u32) -> bool {
        std::path::Path::new(&format!("/proc/{id}")).exists()
    }

    #[test]
    fn a_command_line_is_split_at_white_space_outside_quotes() {
        assert_eq!(words("  cvc5  --lang 'smt 2' \"\" a'b 'c"), ["cvc5", "--lang", "smt 2", "", "ab c"]);
        assert_eq!(words(" "), Vec::<String>::new());
    }

    #[test]
    fn a_solver_answers() {
        let mut process = z3();
        for _ in 0..3 {
            assert_eq!(
                process.exchange("(push)(assert false)(check-sat)(pop)", PATIENCE),
                Ok(vec!["unsat".into()])
            );
        }
        let replies =
            process.exchange("(assert x)\n(check-sat)", PATIENCE).expect("it goes on after an error");
        assert!(replies[0].starts_with("(error "), "{replies:?}");
        assert_eq!(replies[1], "sat");
    }

    #[test]
    fn both_pipes_may_be_full() {
        let commands = "(echo \"a reply that is not empty\")\n".repeat(100_000);
        let replies = z3().exchange(&commands, PATIENCE).expect("it answers");
        // Z3 drops the quotes, so each reply is cut into its six words.
        assert_eq!(replies.len(), 600_000);
    }

    #[test]
    fn bad_manners_are_values() {
        let dies = "read line; echo 'no licence' >&2; exit 3";
        let cases = [
            (dies, Failure::Died("exit status: 3: no licence".into())),
            ("kill -9 $$", Failure::Died("signal: 9 (SIGKILL)".into())),
            ("exec >&-; cat >/dev/null", Failure::Died("signal: 9 (SIGKILL)".into())),
            ("echo 'sat )'; cat", Failure::Garbage("sat".into())),
            (
                "read line; printf '\\377\\376 '; echo end-of-exchange-1; cat",
                Failure::Garbage("\u{fffd}\u{fffd}".into()),
            ),
            ("yes", Failure::TooMuchOutput(1 << 16)),
            ("yes | tr -d '\\n'", Failure::TooMuchOutput(1 << 16)),
        ];
        for (script, failure) in cases {
            let mut process = start(&shell(script));
            assert_eq!(process.exchange("(check-sat)", PATIENCE), Err(failure), "{script}");
            let id = process.id();
            drop(process);
            assert!(!exists(id), "{script} left a zombie");
        }
        let missing = ProcessOptions::command("/nowhere/solver -in");
        let failure = Process::start(&missing, &Budget::unlimited()).err();
        assert!(matches!(failure, Some(Failure::CannotStart(why)) if why.contains("/nowhere/solver")));
        let failure = Process::start(&ProcessOptions::command(""), &Budget::unlimited()).err();
        assert_eq!(failure, Some(Failure::CannotStart("the command is empty".into())));
    }

    #[test]
    fn silence_ends_with_the_patience() {
        for script in ["cat >/dev/null", "kill -STOP $$", "printf '(never closed'; cat >/dev/null"] {
            let mut process = start(&shell(script));
            let failure = process.exchange("(check-sat)", Some(Duration::from_millis(50)));
            assert_eq!(failure, Err(Failure::TimedOut), "{script}");
            let id = process.id();
            drop(process);
            assert!(!exists(id), "{script} left a zombie");
        }
    }

    #[test]
    fn silence_ends_with_the_budget() {
        let budget = Budget::unlimited();
        let mut process = Process::start(&shell("cat >/dev/null"), &budget).expect("it can be started");
        let tripper = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            budget.trip(Limit::Cancelled);
        });
        assert_eq!(process.exchange("(check-sat)", PATIENCE), Err(Failure::Interrupted));
        tripper.join().expect("it does not panic");
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "the kernel tells the state of a process through a file")]
    fn what_a_wrapper_script_started_ends_with_it() {
        // It speaks only when it is spoken to: before that nobody waits for the end of an exchange.
        let mut process = start(&shell("read line; sleep 1000 & echo $!; echo end-of-exchange-1; wait"));
        let replies = process.exchange("", PATIENCE).expect("it speaks");
        let grandchild: u32 = replies[0].parse().expect("the shell tells the id");
        assert!(exists(grandchild));
        drop(process);
        // The grandchild is reaped by the init process of the system, some time after it was killed.
        let state = || std::fs::read_to_string(format!("/proc/{grandchild}/stat")).unwrap_or_default();
        let gone = (0..2000).any(|_| {
            std::thread::sleep(Duration::from_millis(5));
            state().is_empty() || state().contains(") Z ")
        });
        assert!(gone, "{}", state());
    }
}
