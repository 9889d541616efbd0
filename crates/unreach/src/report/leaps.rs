//! Leaps in the words of the source: for every loop its abstract state, its ports, and the theorem that was applied.

use super::execution;
use crate::source::Loaded;
use base::Span;
use certify::Execution;
use logic::Integer;
use program::ErrorData;
use serde_json::json;
use std::fmt::Write;

/// An error that is reachable by leaps.
pub(crate) struct LeapReport {
    /// The error.
    pub(crate) error: ErrorData,
    /// The loops on the way.
    pub(crate) stages: Vec<LeapStage>,
    /// The run, if it was replayed.
    pub(crate) execution: Option<Box<Execution>>,
}

/// A loop that was leapt over. Formulas are in the syntax of Boogie.
pub(crate) struct LeapStage {
    /// The head of the loop.
    pub(crate) span: Span,
    /// Which theorem of the paper.
    pub(crate) theorem: u8,
    /// The abstract state, at each loop head that it covers.
    pub(crate) region: Vec<(Span, String)>,
    /// The entry port.
    pub(crate) entry: String,
    /// The exit port.
    pub(crate) exit: String,
    /// How often the loop goes round in a run, if there is one that is known.
    pub(crate) rounds: Option<Integer>,
    /// The values at the entry port in that run.
    pub(crate) entry_values: String,
    /// The values at the exit port in that run.
    pub(crate) exit_values: String,
}

/// What a chain leads to, as the user sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// An assertion that fails.
    Error,
    /// The state that was asked for.
    Goal,
}

/// The chain as text.
pub(super) fn text(loaded: &Loaded, report: &LeapReport, target: Target) -> String {
    let mut out = String::new();
    let (name, done) = match target {
        Target::Error => ("error", "can fail"),
        Target::Goal => ("goal", "can be reached"),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}: {done}", loaded.sources.place(report.error.span));
    let leap = |stage: &LeapStage| match &stage.rounds {
        Some(rounds) => format!("leap × {rounds}, "),
        None => "leap, ".to_owned(),
    };
    let leaps: String = report.stages.iter().map(leap).collect();
    let _ = writeln!(out, "\nWay: stem, {leaps}{name}");
    for stage in &report.stages {
        let place = loaded.sources.place(stage.span);
        let _ = writeln!(out, "\nLeap over the loop at {place} (Theorem {})", stage.theorem);
        let _ = writeln!(out, "  entry port:     {}{}", stage.entry, beside(&stage.entry_values));
        for (span, formula) in &stage.region {
            let at = loaded.sources.line_column(*span).line;
            let _ = writeln!(out, "  abstract state: {formula} (line {at})");
        }
        let _ = writeln!(out, "  exit port:      {}{}", stage.exit, beside(&stage.exit_values));
    }
    let _ = match &report.execution {
        Some(execution) => {
            writeln!(out, "\nThe run was replayed.\n\n{}", execution::text(loaded, execution).trim_end())
        }
        None => writeln!(
            out,
            "\nThe run is too long to be replayed: that the {name} is reachable rests on the theorems,\nwhose conditions were checked independently."
        ),
    };
    out
}

/// A number, or its digits if it is too large for one.
fn number(value: &Integer) -> serde_json::Value {
    u64::try_from(value).map_or_else(|_| value.to_string().into(), Into::into)
}

fn beside(values: &str) -> String {
    if values.is_empty() { String::new() } else { format!("   [{values}]") }
}

/// The chain for machines.
pub(super) fn json(loaded: &Loaded, report: &LeapReport) -> serde_json::Value {
    let stage = |stage: &LeapStage| {
        let region: Vec<_> = stage
            .region
            .iter()
            .map(|(span, formula)| json!({ "line": loaded.sources.line_column(*span).line, "formula": formula }))
            .collect();
        json!({
            "line": loaded.sources.line_column(stage.span).line,
            "theorem": stage.theorem,
            "abstract_state": region,
            "entry_port": stage.entry,
            "exit_port": stage.exit,
            "rounds": stage.rounds.as_ref().map(number),
        })
    };
    let error = loaded.sources.line_column(report.error.span);
    json!({
        "line": error.line,
        "column": error.column,
        "leaps": report.stages.iter().map(stage).collect::<Vec<_>>(),
        "execution": report.execution.as_ref().map(|execution| execution::json(loaded, execution)),
    })
}
