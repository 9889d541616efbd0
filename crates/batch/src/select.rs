//! Which of the tasks are run: conditions on columns, and repeatable samples.

use crate::pattern::matches;
use crate::{BatchError, Expected, Task};
use base::Random;

/// What a column must be like: `tier=1`, `checked!=doubtful`; `*` stands for any text.
#[derive(Clone, Debug)]
pub struct Condition {
    column: String,
    pattern: String,
    wanted: bool,
}

impl std::str::FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Condition, String> {
        let (column, pattern) = text.split_once('=').ok_or("expected COLUMN=PATTERN or COLUMN!=PATTERN")?;
        let (column, wanted) = match column.strip_suffix('!') {
            Some(column) => (column, false),
            None => (column, true),
        };
        Ok(Condition { column: column.trim().to_owned(), pattern: pattern.trim().to_owned(), wanted })
    }
}

/// A random part of the tasks.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// How many.
    pub size: usize,
    /// Which.
    pub seed: u64,
}

/// The tasks that fulfil all conditions, in their order; then a sample of them.
pub fn select(
    tasks: Vec<Task>,
    conditions: &[Condition],
    sample: Option<Sample>,
) -> Result<Vec<Task>, BatchError> {
    for condition in conditions {
        if !tasks.is_empty() && !tasks.iter().any(|task| value(task, &condition.column).is_some()) {
            return Err(BatchError::Request(format!("no task has a column `{}`", condition.column)));
        }
    }
    let fits = |task: &Task| {
        conditions.iter().all(|condition| {
            let value = value(task, &condition.column).unwrap_or_default();
            matches(&condition.pattern, value) == condition.wanted
        })
    };
    let mut chosen: Vec<Task> = tasks.into_iter().filter(fits).collect();
    if let Some(sample) = sample.filter(|sample| sample.size < chosen.len()) {
        let mut random = Random::new(sample.seed);
        let mut places: Vec<usize> = (0..chosen.len()).collect();
        for place in 0..sample.size {
            let other = place + random.below(places.len() - place);
            places.swap(place, other);
        }
        places.truncate(sample.size);
        places.sort_unstable();
        let mut next = places.into_iter().peekable();
        let mut place = 0;
        chosen.retain(|_| {
            let kept = next.next_if_eq(&place).is_some();
            place += 1;
            kept
        });
    }
    Ok(chosen)
}

/// What a column says about a task. Every task has the columns `name`, `property`, `language` and `expected`.
fn value<'a>(task: &'a Task, column: &str) -> Option<&'a str> {
    match column {
        "name" => Some(&task.name),
        "property" => Some(&task.property),
        "language" => Some(task.language()),
        "expected" => Some(task.expected.as_ref().map_or("", Expected::word)),
        _ => task.columns.iter().find(|(name, _)| name == column).map(|(_, value)| value.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn tasks() -> Vec<Task> {
        let task = |number: usize| Task {
            name: format!("t{number}"),
            property: "reach".to_owned(),
            files: vec![PathBuf::from(if number.is_multiple_of(2) { "a.c" } else { "a.bpl" })],
            spec: None,
            data_model: None,
            expected: None,
            columns: vec![("tier".to_owned(), (number % 3).to_string())],
        };
        (0..12).map(task).collect()
    }

    fn names(conditions: &[&str], sample: Option<Sample>) -> Vec<String> {
        let conditions: Vec<Condition> =
            conditions.iter().map(|text| text.parse().expect("a condition")).collect();
        select(tasks(), &conditions, sample).expect("columns").into_iter().map(|task| task.name).collect()
    }

    #[test]
    fn conditions_hold_together() {
        assert_eq!(names(&["tier=1", "language=c"], None), ["t4", "t10"]);
        assert_eq!(names(&["tier!=1", "name=t1*"], None), ["t11"]);
        assert!(select(tasks(), &["size=1".parse().expect("a condition")], None).is_err());
        assert!("tier".parse::<Condition>().is_err());
    }

    #[test]
    fn samples_are_repeatable_and_in_order() {
        let sample = |seed| names(&[], Some(Sample { size: 5, seed }));
        assert_eq!(sample(1), sample(1));
        assert_eq!(sample(1).len(), 5);
        assert_ne!(sample(1), sample(2));
        let all = names(&[], None);
        let places: Vec<_> =
            sample(1).iter().map(|name| all.iter().position(|other| other == name)).collect();
        assert!(places.is_sorted());
    }
}
