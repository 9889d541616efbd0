//! How far a batch is: a line that says what is done, what came out, how fast it goes and how long it will take.

use crate::Outcome;
use std::time::Duration;

/// How many tasks have which outcome.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tally([usize; Outcome::ALL.len()]);

impl Tally {
    /// Counts an outcome.
    pub fn add(&mut self, outcome: Outcome) {
        self.0[outcome as usize] += 1;
    }

    /// How many have an outcome.
    pub fn of(&self, outcome: Outcome) -> usize {
        self.0[outcome as usize]
    }

    /// How many there are.
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }

    /// `12 correct, 1 wrong, 3 unknown`: what occurs, and always the wrong ones.
    pub fn text(&self) -> String {
        let shown =
            Outcome::ALL.into_iter().filter(|&outcome| self.of(outcome) > 0 || outcome == Outcome::Wrong);
        shown.map(|outcome| format!("{} {}", self.of(outcome), outcome.word())).collect::<Vec<_>>().join(", ")
    }
}

impl FromIterator<Outcome> for Tally {
    fn from_iter<I: IntoIterator<Item = Outcome>>(outcomes: I) -> Tally {
        let mut tally = Tally::default();
        outcomes.into_iter().for_each(|outcome| tally.add(outcome));
        tally
    }
}

/// How far a batch is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// How many tasks there are.
    pub tasks: usize,
    /// How many of them were finished before this run.
    pub before: usize,
    /// What came out, all runs together.
    pub tally: Tally,
}

impl Progress {
    /// The line after some time of this run.
    pub fn line(&self, elapsed: Duration) -> String {
        let done = self.tally.total();
        let here = done.saturating_sub(self.before);
        let mut line = format!("{done}/{} done: {}", self.tasks, self.tally.text());
        let seconds = elapsed.as_secs_f64();
        if here > 0 && seconds > 0.0 {
            let rate = here as f64 / seconds;
            line +=
                &format!("; {rate:.1}/s, {} left", duration((self.tasks.saturating_sub(done)) as f64 / rate));
        }
        line
    }
}

/// A duration as people say it: `41 s`, `7 min`, `3.5 h`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 99.5 => format!("{s:.0} s"),
        s if s < 99.5 * 60.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_progress() {
        let tally =
            [Outcome::Correct, Outcome::Correct, Outcome::Timeout, Outcome::Correct].into_iter().collect();
        let progress = Progress { tasks: 10, before: 2, tally };
        let line = progress.line(Duration::from_secs(4));
        assert_eq!(line, "4/10 done: 3 correct, 0 wrong, 1 timeout; 0.5/s, 12 s left");
        let fresh = Progress { tasks: 10, before: 0, tally: Tally::default() };
        assert_eq!(fresh.line(Duration::ZERO), "0/10 done: 0 wrong");
    }

    #[test]
    fn durations() {
        assert_eq!([3.2, 120.0, 7200.0, 12_600.0].map(duration), ["3 s", "2 min", "2.0 h", "3.5 h"]);
    }
}
