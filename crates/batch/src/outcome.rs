//! What became of a task: how its process ended, what it said, and whether that is right.

use crate::{Expected, Task};
use serde_json::{Value, json};

/// How the process of a task ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By itself, with this exit code.
    Exited(i32),
    /// By a signal that nobody of us has sent.
    Signal(i32),
    /// It was killed because its time was over.
    KilledForTime,
    /// It was killed because it used too much memory.
    KilledForMemory,
    /// It could not be started, or went down with its machine more often than is tried.
    Lost,
}

/// What was seen of the process of a task.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// How it ended.
    pub ending: Ending,
    /// The verdict line, or nothing.
    pub said: String,
    /// What it complained about, or how a lost task was lost: one line.
    pub note: String,
    /// Seconds from its start to its end.
    pub wall: f64,
    /// Seconds of all processors, its children included, where the system tells.
    pub cpu: Option<f64>,
    /// The largest memory of the process itself in megabytes, where the system tells.
    pub memory: Option<u64>,
    /// The machine.
    pub host: String,
}

/// Whether that is right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// The answer is the expected one.
    Correct,
    /// The answer is another one.
    Wrong,
    /// There is an answer, and nobody has said what it should be.
    Answered,
    /// It was not found out.
    Unknown,
    /// Its time was over.
    Timeout,
    /// Its memory was used up.
    Memory,
    /// The verifier does not take the program.
    Refused,
    /// The verifier broke, or the task was lost.
    Broken,
}

impl Outcome {
    /// All of them, in the order of tables.
    pub const ALL: [Outcome; 8] = [
        Outcome::Correct,
        Outcome::Wrong,
        Outcome::Answered,
        Outcome::Unknown,
        Outcome::Timeout,
        Outcome::Memory,
        Outcome::Refused,
        Outcome::Broken,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Correct => "correct",
            Outcome::Wrong => "wrong",
            Outcome::Answered => "answered",
            Outcome::Unknown => "unknown",
            Outcome::Timeout => "timeout",
            Outcome::Memory => "memory",
            Outcome::Refused => "refused",
            Outcome::Broken => "broken",
        }
    }

    /// Reads a word; also `error`, which other tables have.
    pub fn of_word(word: &str) -> Option<Outcome> {
        let own = Outcome::ALL.into_iter().find(|outcome| outcome.word() == word);
        own.or((word == "error").then_some(Outcome::Broken))
    }

    /// Whether there is an answer that nobody objects to.
    pub fn is_solved(self) -> bool {
        matches!(self, Outcome::Correct | Outcome::Answered)
    }
}

/// Exit codes of the verifier that say that there is no answer.
const BAD_INPUT: i32 = 3;
const INTERNAL_ERROR: i32 = 4;

/// What a verdict line says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// The property holds.
    Safe,
    /// It does not; which part of it.
    Unsafe(Option<String>),
}

/// The first line that is a verdict, in the words of this and of other verifiers.
pub fn verdict_line(output: &str) -> Option<&str> {
    const WORDS: [&str; 5] = ["TRUE", "FALSE", "UNKNOWN", "SAFE", "UNSAFE"];
    let is_verdict = |line: &&str| {
        let word: String = line.chars().take_while(char::is_ascii_alphabetic).collect();
        WORDS.contains(&word.as_str())
    };
    output.lines().find(is_verdict).map(str::trim_end)
}

/// The answer in a verdict line.
pub fn answer(line: &str) -> Option<Said> {
    let word: String = line.chars().take_while(char::is_ascii_alphabetic).collect();
    match word.as_str() {
        "TRUE" | "SAFE" => Some(Said::Safe),
        "FALSE" | "UNSAFE" => {
            let part = line[word.len()..].trim().strip_prefix('(').and_then(|rest| rest.split(')').next());
            Some(Said::Unsafe(part.map(str::to_owned)))
        }
        _ => None,
    }
}

/// Whether what was seen is right.
pub fn judge(task: &Task, seen: &Measured) -> Outcome {
    // A process that broke has said nothing, whatever it printed before.
    match seen.ending {
        Ending::KilledForTime => return Outcome::Timeout,
        Ending::KilledForMemory => return Outcome::Memory,
        Ending::Signal(_) | Ending::Lost | Ending::Exited(INTERNAL_ERROR) => return Outcome::Broken,
        Ending::Exited(_) => {}
    }
    match (answer(&seen.said), &task.expected) {
        (Some(_), None) => Outcome::Answered,
        (Some(Said::Safe), Some(Expected::Safe)) => Outcome::Correct,
        (Some(Said::Unsafe(said)), Some(Expected::Unsafe(expected))) => match (said, expected) {
            // Memory safety has parts, and a violation of another part is another answer.
            (Some(said), Some(expected)) if is_part(&said) && is_part(expected) && said != *expected => {
                Outcome::Wrong
            }
            _ => Outcome::Correct,
        },
        (Some(_), Some(_)) => Outcome::Wrong,
        (None, _) if seen.said.contains("(timeout)") => Outcome::Timeout,
        (None, _) if seen.said.contains("(out of memory)") => Outcome::Memory,
        (None, _) if !seen.said.is_empty() => Outcome::Unknown,
        (None, _) if seen.ending == Ending::Exited(BAD_INPUT) => Outcome::Refused,
        (None, _) => Outcome::Broken,
    }
}

/// The parts of memory safety.
fn is_part(name: &str) -> bool {
    matches!(name, "valid-deref" | "valid-free" | "valid-memtrack" | "valid-memcleanup")
}

impl Ending {
    /// The text in the store: `exit 0`, `signal 9`, `time`, `memory`, `lost`.
    pub fn to_text(self) -> String {
        match self {
            Ending::Exited(code) => format!("exit {code}"),
            Ending::Signal(signal) => format!("signal {signal}"),
            Ending::KilledForTime => "time".to_owned(),
            Ending::KilledForMemory => "memory".to_owned(),
            Ending::Lost => "lost".to_owned(),
        }
    }

    /// Reads what [`Ending::to_text`] writes.
    pub fn of_text(text: &str) -> Option<Ending> {
        match text.split_once(' ') {
            Some(("exit", code)) => code.parse().ok().map(Ending::Exited),
            Some(("signal", signal)) => signal.parse().ok().map(Ending::Signal),
            _ => match text {
                "time" => Some(Ending::KilledForTime),
                "memory" => Some(Ending::KilledForMemory),
                "lost" => Some(Ending::Lost),
                _ => None,
            },
        }
    }
}

impl Measured {
    /// A task that has no process to speak of.
    pub fn lost(why: impl Into<String>) -> Measured {
        Measured {
            ending: Ending::Lost,
            said: String::new(),
            note: why.into(),
            wall: 0.0,
            cpu: None,
            memory: None,
            host: String::new(),
        }
    }

    /// For other machines.
    pub fn to_json(&self) -> Value {
        json!({
            "ending": self.ending.to_text(), "said": self.said, "note": self.note, "wall": self.wall,
            "cpu": self.cpu, "memory": self.memory, "host": self.host,
        })
    }

    /// Reads what [`Measured::to_json`] has written.
    pub fn of_json(value: &Value) -> Option<Measured> {
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        Some(Measured {
            ending: Ending::of_text(&text("ending")?)?,
            said: text("said")?,
            note: text("note")?,
            wall: value["wall"].as_f64()?,
            cpu: value["cpu"].as_f64(),
            memory: value["memory"].as_u64(),
            host: text("host")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn outcome(expected: &str, said: &str, ending: Ending) -> Outcome {
        let task = Task {
            name: "t".to_owned(),
            property: "p".to_owned(),
            files: vec![PathBuf::from("t.c")],
            spec: None,
            data_model: None,
            expected: Expected::of_word(expected),
            columns: Vec::new(),
        };
        judge(&task, &Measured { ending, said: said.to_owned(), ..Measured::lost("") })
    }

    #[test]
    fn answers_are_held_against_what_is_expected() {
        for (expected, said, ending, judged) in [
            ("true", "TRUE", Ending::Exited(0), Outcome::Correct),
            ("true", "FALSE(unreach-call)", Ending::Exited(1), Outcome::Wrong),
            ("false", "TRUE", Ending::Exited(0), Outcome::Wrong),
            ("false", "FALSE(unreach-call)", Ending::Exited(1), Outcome::Correct),
            ("false(valid-free)", "FALSE(valid-deref)", Ending::Exited(1), Outcome::Wrong),
            ("false(valid-free)", "FALSE(valid-free)", Ending::Exited(1), Outcome::Correct),
            ("false(valid-free)", "FALSE(valid-memsafety)", Ending::Exited(1), Outcome::Correct),
            ("", "TRUE", Ending::Exited(0), Outcome::Answered),
            ("true", "UNKNOWN (timeout)", Ending::Exited(2), Outcome::Timeout),
            ("true", "UNKNOWN (out of memory)", Ending::Exited(2), Outcome::Memory),
            ("true", "UNKNOWN (unsupported: x)", Ending::Exited(2), Outcome::Unknown),
            ("true", "", Ending::Exited(3), Outcome::Refused),
            ("true", "", Ending::Exited(4), Outcome::Broken),
            ("true", "TRUE", Ending::Exited(4), Outcome::Broken),
            ("true", "TRUE", Ending::Signal(11), Outcome::Broken),
            ("true", "", Ending::KilledForTime, Outcome::Timeout),
        ] {
            assert_eq!(outcome(expected, said, ending), judged, "{expected} {said} {ending:?}");
        }
    }

    #[test]
    fn the_verdict_is_the_first_line_that_is_one() {
        assert_eq!(verdict_line("loading\nTRUELY not\nFALSE(x)\nTRUE\n"), Some("FALSE(x)"));
        assert_eq!(verdict_line("nothing"), None);
    }

    #[test]
    fn endings_survive_the_store() {
        for ending in [Ending::Exited(2), Ending::Signal(9), Ending::KilledForTime, Ending::Lost] {
            assert_eq!(Ending::of_text(&ending.to_text()), Some(ending));
        }
    }
}
