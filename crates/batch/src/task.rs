//! One question to the verifier: a program, a property, and what the answer should be, if that is known.

use serde_json::{Value, json};
use std::path::PathBuf;

/// What is known to be true of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// The property holds.
    Safe,
    /// It does not; which part of it, where that is known.
    Unsafe(Option<String>),
}

/// One question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// What it is called; together with the property unique in a batch.
    pub name: String,
    /// The property in a word: the name of the property file without its ending, or `assert`.
    pub property: String,
    /// The files of the program.
    pub files: Vec<PathBuf>,
    /// The property file.
    pub spec: Option<PathBuf>,
    /// The sizes of C's types, as `ILP32`.
    pub data_model: Option<String>,
    /// What is known to be true.
    pub expected: Option<Expected>,
    /// Other things that are said about it, for choosing: columns of a CSV file.
    pub columns: Vec<(String, String)>,
}

impl Expected {
    /// The word that the results have for it.
    pub fn word(&self) -> &'static str {
        match self {
            Expected::Safe => "safe",
            Expected::Unsafe(_) => "unsafe",
        }
    }

    /// Reads the words of task definitions and tables: `true`, `safe`, `false`, `unsafe`, `false(valid-deref)`.
    pub fn of_word(word: &str) -> Option<Expected> {
        let lower = word.trim().to_lowercase();
        match lower.as_str() {
            "true" | "safe" => return Some(Expected::Safe),
            "false" | "unsafe" => return Some(Expected::Unsafe(None)),
            _ => {}
        }
        let part =
            lower.strip_prefix("false(").or_else(|| lower.strip_prefix("unsafe("))?.strip_suffix(')')?;
        Some(Expected::Unsafe(Some(part.to_owned())))
    }

    /// The words that [`Expected::of_word`] reads.
    pub fn to_word(&self) -> String {
        match self {
            Expected::Unsafe(Some(part)) => format!("unsafe({part})"),
            _ => self.word().to_owned(),
        }
    }
}

impl Task {
    /// The language, by the ending of the first file.
    pub fn language(&self) -> &str {
        match self.files.first().and_then(|file| file.extension()).and_then(|ending| ending.to_str()) {
            Some("c" | "i") => "c",
            Some(ending) => ending,
            None => "",
        }
    }

    /// The task as JSON, for the store and for other machines.
    pub fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "property": self.property,
            "files": self.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
            "spec": self.spec.as_ref().map(|spec| spec.display().to_string()),
            "data_model": self.data_model,
            "expected": self.expected.as_ref().map(Expected::to_word),
        })
    }

    /// Reads what [`Task::to_json`] has written.
    pub fn of_json(value: &Value) -> Option<Task> {
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let files = value["files"].as_array()?.iter().map(|file| file.as_str().map(PathBuf::from));
        Some(Task {
            name: text("name")?,
            property: text("property")?,
            files: files.collect::<Option<Vec<_>>>()?,
            spec: text("spec").map(PathBuf::from),
            data_model: text("data_model"),
            expected: text("expected").as_deref().and_then(Expected::of_word),
            columns: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_what_is_expected() {
        assert_eq!(Expected::of_word("True"), Some(Expected::Safe));
        assert_eq!(Expected::of_word("false"), Some(Expected::Unsafe(None)));
        let part = Expected::Unsafe(Some("valid-free".to_owned()));
        assert_eq!(Expected::of_word("false(valid-free)"), Some(part.clone()));
        assert_eq!(Expected::of_word(&part.to_word()), Some(part));
        assert_eq!(Expected::of_word("perhaps"), None);
    }

    #[test]
    fn tasks_survive_json() {
        let task = Task {
            name: "a \"b\"".to_owned(),
            property: "no-overflow".to_owned(),
            files: vec![PathBuf::from("x/a.c"), PathBuf::from("x/b.c")],
            spec: Some(PathBuf::from("p.prp")),
            data_model: Some("ILP32".to_owned()),
            expected: Some(Expected::Unsafe(None)),
            columns: Vec::new(),
        };
        assert_eq!(Task::of_json(&task.to_json()), Some(task));
    }
}
