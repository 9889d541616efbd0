//! A batch against an older one: what was won and lost, and how the times of what both solve have changed.

use crate::store::{Finished, Store};
use crate::{BatchError, Outcome, csv};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// What both have, once.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// The task with its property.
    pub name: String,
    /// What came out before.
    pub before: Outcome,
    /// What came out now.
    pub now: Outcome,
    /// Seconds before.
    pub wall_before: f64,
    /// Seconds now.
    pub wall_now: f64,
}

impl Pair {
    /// A line for people.
    pub fn text(&self) -> String {
        let Pair { name, before, now, wall_before, wall_now } = self;
        format!("{name}: {} ({wall_before:.2} s) → {} ({wall_now:.2} s)", before.word(), now.word())
    }
}

/// What has changed.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// What it is compared with.
    pub with: String,
    /// What both have.
    pub pairs: Vec<Pair>,
    /// What is solved now and was not.
    pub won: Vec<Pair>,
    /// What was solved and is not now.
    pub lost: Vec<Pair>,
    /// The total time of what both solve: before by now.
    pub total_ratio: Option<f64>,
    /// The geometric mean of the ratios of what both solve: before by now.
    pub mean_ratio: Option<f64>,
    /// What takes at least twice as long and a second more.
    pub slower: Vec<Pair>,
    /// The ordered times of what was solved before.
    pub solved_before: Vec<f64>,
}

/// A result of another batch.
#[derive(Clone, Copy, Debug)]
pub struct Old {
    outcome: Outcome,
    wall: f64,
}

/// Names and properties with results.
pub type Olds = BTreeMap<(String, String), Old>;

/// Reads the results of another batch: its SQLite file, or a table with the columns `id`, `property`, `result` and `wall`.
pub fn read(path: &Path) -> Result<Olds, BatchError> {
    let bytes = std::fs::read(path).map_err(|error| BatchError::io(path, &error))?;
    if bytes.starts_with(b"SQLite format 3\0") {
        let all = Store::read(path)?.finished()?.into_iter();
        let old =
            |f: Finished| ((f.task.name, f.task.property), Old { outcome: f.outcome, wall: f.measured.wall });
        return Ok(all.map(old).collect());
    }
    let text = String::from_utf8_lossy(&bytes);
    let mut rows = csv::rows(&text).into_iter();
    let header = rows.next().map(|row| row.fields).unwrap_or_default();
    let column = |name: &str| {
        let found = header.iter().position(|column| column == name);
        found.ok_or_else(|| BatchError::File(path.to_owned(), format!("there is no column `{name}`")))
    };
    let (id, property, result, wall) =
        (column("id")?, column("property")?, column("result")?, column("wall")?);
    let mut olds = Olds::new();
    for row in rows {
        let get = |place: usize| row.fields.get(place).map(String::as_str).unwrap_or_default();
        let wrong =
            |what: &str| BatchError::Line(path.to_owned(), row.line, format!("`{what}` cannot be read"));
        let outcome = Outcome::of_word(get(result)).ok_or_else(|| wrong(get(result)))?;
        let wall = get(wall).parse().map_err(|_| wrong(get(wall)))?;
        olds.insert((get(id).to_owned(), get(property).to_owned()), Old { outcome, wall });
    }
    Ok(olds)
}

/// What has changed since then.
pub fn compare(with: &str, old: &Olds, finished: &[Finished]) -> Comparison {
    let mut pairs = Vec::new();
    for f in finished {
        let Some(before) = old.get(&(f.task.name.clone(), f.task.property.clone())) else { continue };
        pairs.push(Pair {
            name: format!("{} ({})", f.task.name, f.task.property),
            before: before.outcome,
            now: f.outcome,
            wall_before: before.wall,
            wall_now: f.measured.wall,
        });
    }
    let chosen = |chosen: &dyn Fn(&Pair) -> bool| {
        pairs.iter().filter(|pair| chosen(pair)).cloned().collect::<Vec<_>>()
    };
    let won = chosen(&|pair| pair.now.is_solved() && !pair.before.is_solved());
    let lost = chosen(&|pair| !pair.now.is_solved() && pair.before.is_solved());
    let both = chosen(&|pair| pair.now.is_solved() && pair.before.is_solved());
    // What takes less than this is not measured well.
    let time = |seconds: f64| seconds.max(0.001);
    let sum = |of: &dyn Fn(&Pair) -> f64| both.iter().map(of).sum::<f64>();
    let total_ratio =
        (!both.is_empty()).then(|| sum(&|pair| time(pair.wall_before)) / sum(&|pair| time(pair.wall_now)));
    let logarithms = sum(&|pair| (time(pair.wall_before) / time(pair.wall_now)).ln());
    let mean_ratio = (!both.is_empty()).then(|| (logarithms / both.len() as f64).exp());
    let slower =
        |pair: &&Pair| pair.wall_now > 2.0 * pair.wall_before && pair.wall_now > pair.wall_before + 1.0;
    let slower = both.iter().filter(slower).cloned().collect();
    let mut solved_before: Vec<f64> =
        pairs.iter().filter(|pair| pair.before.is_solved()).map(|pair| pair.wall_before).collect();
    solved_before.sort_by(f64::total_cmp);
    Comparison { with: with.to_owned(), pairs, won, lost, total_ratio, mean_ratio, slower, solved_before }
}

impl Comparison {
    /// The counts and ratios in one line.
    pub fn line(&self) -> String {
        let ratio = |ratio: Option<f64>| ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}"));
        let both = self.pairs.iter().filter(|pair| pair.now.is_solved() && pair.before.is_solved()).count();
        format!(
            "{} tasks in both, {} won, {} lost, {both} solved by both; time before by time now: {} in total, {} in the mean; \
             {} much slower",
            self.pairs.len(),
            self.won.len(),
            self.lost.len(),
            ratio(self.total_ratio),
            ratio(self.mean_ratio),
            self.slower.len()
        )
    }

    /// The line, then what was lost, what is slower, and what was won.
    pub fn text(&self) -> String {
        let mut text = format!("against {}: {}\n", self.with, self.line());
        for (word, pairs) in [("LOST", &self.lost), ("SLOWER", &self.slower), ("WON", &self.won)] {
            for pair in pairs {
                text += &format!("{word} {}\n", pair.text());
            }
        }
        text
    }

    /// For tools.
    pub fn to_json(&self) -> Value {
        let names = |pairs: &[Pair]| pairs.iter().map(|pair| pair.name.clone()).collect::<Vec<_>>();
        json!({
            "with": self.with, "both": self.pairs.len(), "won": names(&self.won), "lost": names(&self.lost),
            "slower": names(&self.slower), "total_ratio": self.total_ratio, "mean_ratio": self.mean_ratio,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{self, tests::finished};

    #[test]
    fn what_was_won_lost_and_slower() {
        let path = std::env::temp_dir().join(format!("unreach-compare-{}.csv", std::process::id()));
        let before = [
            finished("a", "true", "TRUE", 1.0),
            finished("b", "true", "TRUE", 1.0),
            finished("c", "true", "UNKNOWN (timeout)", 10.0),
            finished("d", "true", "TRUE", 1.0),
        ];
        // What this program writes it can read.
        std::fs::write(&path, report::csv(&before)).expect("a writable folder");
        let now = [
            finished("a", "true", "TRUE", 4.0),
            finished("b", "true", "UNKNOWN (x)", 1.0),
            finished("c", "true", "TRUE", 2.0),
            finished("e", "true", "TRUE", 2.0),
        ];
        let comparison = compare("old", &read(&path).expect("a table"), &now);
        let names = |pairs: &[Pair]| pairs.iter().map(|pair| pair.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&comparison.won), ["c (reach)"]);
        assert_eq!(names(&comparison.lost), ["b (reach)"]);
        assert_eq!(names(&comparison.slower), ["a (reach)"]);
        assert_eq!(comparison.total_ratio, Some(0.25));
        assert!(comparison.text().contains("LOST b (reach): correct (1.00 s) → unknown (1.00 s)"));
        let _ = std::fs::remove_file(&path);
    }

    #[test]
    fn nothing_in_common_has_no_ratio() {
        let comparison = compare("old", &Olds::new(), &[finished("a", "true", "TRUE", 4.0)]);
        assert_eq!((comparison.total_ratio, comparison.pairs.len()), (None, 0));
    }
}
