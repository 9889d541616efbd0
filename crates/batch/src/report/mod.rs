//! What came out of a batch: for people as text and HTML, for tools as CSV and JSON.

mod html;
mod plot;

pub use html::page;

use crate::compare::Comparison;
use crate::csv;
use crate::outcome::{Said, answer};
use crate::progress::Tally;
use crate::store::Finished;
use crate::{Expected, Outcome};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The columns of the table.
const COLUMNS: [&str; 12] = [
    "id", "property", "language", "expected", "result", "said", "wall", "cpu", "mb", "ending", "host", "line",
];

/// The points of SV-COMP: 2 for a proof, 1 for a bug; a wrong proof costs 32, a wrong bug 16.
pub fn score(finished: &[Finished]) -> i64 {
    let points = |finished: &Finished| match (finished.outcome, answer(&finished.measured.said)) {
        (Outcome::Correct, _) if finished.task.expected == Some(Expected::Safe) => 2,
        (Outcome::Correct, _) => 1,
        (Outcome::Wrong, Some(Said::Safe)) => -32,
        (Outcome::Wrong, _) => -16,
        _ => 0,
    };
    finished.iter().map(points).sum()
}

/// The times of what was solved, in order.
pub(crate) fn solved_times(finished: &[Finished]) -> Vec<f64> {
    let mut times: Vec<f64> =
        finished.iter().filter(|f| f.outcome.is_solved()).map(|f| f.measured.wall).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// The value below which a part of some ordered values lies; 0 of nothing.
pub(crate) fn quantile(ordered: &[f64], part: f64) -> f64 {
    let place = (part * ordered.len() as f64) as usize;
    ordered.get(place.min(ordered.len().saturating_sub(1))).copied().unwrap_or_default()
}

/// Tables, wrong answers by name, and one line with the figures.
pub fn text(finished: &[Finished], tasks: usize) -> String {
    let mut text = String::new();
    table(&mut text, "language, property", finished, |f| {
        format!("{} {}", f.task.language(), f.task.property)
    });
    table(&mut text, "expected", finished, |f| {
        f.task
            .expected
            .as_ref()
            .map_or_else(|| "nothing said".to_owned(), |expected| expected.word().to_owned())
    });
    for f in finished.iter().filter(|f| f.outcome == Outcome::Wrong) {
        let expected = f.task.expected.as_ref().map(Expected::to_word).unwrap_or_default();
        text += &format!(
            "WRONG {} ({}): expected {expected}, said {}\n",
            f.task.name, f.task.property, f.measured.said
        );
    }
    for f in finished.iter().filter(|f| f.outcome == Outcome::Broken) {
        let note = if f.measured.note.is_empty() { &f.measured.said } else { &f.measured.note };
        text += &format!(
            "BROKEN {} ({}): {} {note}\n",
            f.task.name,
            f.task.property,
            f.measured.ending.to_text()
        );
    }
    let times = solved_times(finished);
    let wrong = finished.iter().filter(|f| f.outcome == Outcome::Wrong).count();
    let peak = finished.iter().filter_map(|f| f.measured.memory).max().unwrap_or_default();
    text += &format!(
        "{} of {tasks} solved, {wrong} wrong, score {}; wall time of the solved: median {:.3} s, 90 % below {:.3} s, \
         sum {:.1} s; most memory {peak} MB\n",
        times.len(),
        score(finished),
        quantile(&times, 0.5),
        quantile(&times, 0.9),
        times.iter().sum::<f64>(),
    );
    text
}

fn groups(finished: &[Finished], of: impl Fn(&Finished) -> String) -> BTreeMap<String, Tally> {
    let mut groups: BTreeMap<String, Tally> = BTreeMap::new();
    for f in finished {
        groups.entry(of(f)).or_default().add(f.outcome);
    }
    groups
}

fn table(text: &mut String, title: &str, finished: &[Finished], of: impl Fn(&Finished) -> String) {
    *text += &format!("{title:28} {:>6}", "tasks");
    for outcome in Outcome::ALL {
        *text += &format!(" {:>8}", outcome.word());
    }
    *text += "\n";
    for (group, tally) in groups(finished, of) {
        *text += &format!("{group:28} {:>6}", tally.total());
        for outcome in Outcome::ALL {
            *text += &format!(" {:>8}", tally.of(outcome));
        }
        *text += "\n";
    }
    *text += "\n";
}

/// A row for each task; the columns `id`, `property`, `result` and `wall` are what [`crate::compare`] reads.
pub fn csv(finished: &[Finished]) -> String {
    let mut text = csv::line(COLUMNS);
    for f in finished {
        let seen = &f.measured;
        let line = if seen.said.is_empty() { &seen.note } else { &seen.said };
        let said = match answer(&seen.said) {
            Some(Said::Safe) => "safe",
            Some(Said::Unsafe(_)) => "unsafe",
            None => "",
        };
        text += &csv::line([
            f.task.name.as_str(),
            &f.task.property,
            f.task.language(),
            &f.task.expected.as_ref().map(Expected::to_word).unwrap_or_default(),
            f.outcome.word(),
            said,
            &format!("{:.3}", seen.wall),
            &seen.cpu.map(|cpu| format!("{cpu:.2}")).unwrap_or_default(),
            &seen.memory.map(|memory| memory.to_string()).unwrap_or_default(),
            &seen.ending.to_text(),
            &seen.host,
            line,
        ]);
    }
    text
}

/// One object with the counts, the tasks, and the comparison.
pub fn json(finished: &[Finished], tasks: usize, comparison: Option<&Comparison>) -> Value {
    let tally: Tally = finished.iter().map(|f| f.outcome).collect();
    let counts: serde_json::Map<String, Value> = Outcome::ALL
        .into_iter()
        .map(|outcome| (outcome.word().to_owned(), tally.of(outcome).into()))
        .collect();
    let times = solved_times(finished);
    let results = finished.iter().map(|f| {
        let mut object = f.task.to_json();
        object["result"] = f.outcome.word().into();
        if let (Some(all), Some(seen)) = (object.as_object_mut(), f.measured.to_json().as_object()) {
            all.extend(seen.clone());
        }
        object
    });
    json!({
        "tasks": tasks,
        "finished": finished.len(),
        "counts": counts,
        "score": score(finished),
        "wall": {
            "median": quantile(&times, 0.5), "p90": quantile(&times, 0.9), "sum": times.iter().sum::<f64>(),
        },
        "results": results.collect::<Vec<_>>(),
        "comparison": comparison.map(Comparison::to_json),
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::outcome::{Ending, judge};
    use crate::{Measured, Task};
    use std::path::PathBuf;

    pub(crate) fn finished(name: &str, expected: &str, said: &str, wall: f64) -> Finished {
        let task = Task {
            name: name.to_owned(),
            property: "reach".to_owned(),
            files: vec![PathBuf::from("a.c")],
            spec: None,
            data_model: None,
            expected: Expected::of_word(expected),
            columns: Vec::new(),
        };
        let measured =
            Measured { ending: Ending::Exited(0), said: said.to_owned(), wall, ..Measured::lost("") };
        let outcome = judge(&task, &measured);
        Finished { task, measured, outcome }
    }

    fn all() -> Vec<Finished> {
        vec![
            finished("a", "true", "TRUE", 1.0),
            finished("b", "false", "FALSE(x)", 3.0),
            finished("c", "false", "TRUE", 0.5),
            finished("d", "true", "UNKNOWN (timeout)", 10.0),
        ]
    }

    #[test]
    fn the_points_are_those_of_the_competition() {
        assert_eq!(score(&all()), 2 + 1 - 32);
        assert_eq!(score(&[finished("a", "true", "FALSE(x)", 1.0)]), -16);
    }

    #[test]
    fn wrong_answers_are_told_by_name() {
        let text = text(&all(), 4);
        assert!(text.contains("WRONG c (reach): expected unsafe, said TRUE"), "{text}");
        assert!(
            text.contains("2 of 4 solved, 1 wrong, score -29; wall time of the solved: median 3.000 s"),
            "{text}"
        );
    }

    #[test]
    fn tables_and_objects() {
        let table = csv(&all());
        assert!(table.contains("d,reach,c,safe,timeout,,10.000,,,exit 0,,UNKNOWN (timeout)\n"), "{table}");
        let object = json(&all(), 5, None);
        assert_eq!((&object["counts"]["wrong"], &object["tasks"]), (&1.into(), &5.into()));
        assert_eq!(object["results"][1]["result"], "correct");
    }
}
