//! Leaps in the words of the source: for every loop its abstract state, its ports, and the theorem that was applied.

use super::execution;
use crate::answer::{LeapStage, Leaps};
use crate::view::View;
use logic::Integer;
use serde_json::json;
use std::fmt::Write;

/// What a chain leads to, as the user sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// An assertion that fails.
    Error,
    /// The state that was asked for.
    Goal,
}

/// The chain as text.
pub(super) fn text(view: &View, report: &Leaps, target: Target) -> String {
    let mut out = String::new();
    let (name, done) = match target {
        Target::Error => ("error", "can fail"),
        Target::Goal => ("goal", "can be reached"),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}: {done}", view.sources.place(report.error.span));
    let leap = |stage: &LeapStage| match &stage.rounds {
        Some(rounds) => format!("leap × {rounds}, "),
        None => "leap, ".to_owned(),
    };
    let leaps: String = report.stages.iter().map(leap).collect();
    let _ = writeln!(out, "\nWay: stem, {leaps}{name}");
    for stage in &report.stages {
        let place = view.sources.place(stage.span);
        let _ = writeln!(out, "\nLeap over the loop at {place} (Theorem {})", stage.theorem);
        let _ = writeln!(out, "  entry port:     {}{}", stage.entry, beside(&stage.entry_values));
        for (span, formula) in &stage.region {
            let at = view.sources.line_column(*span).line;
            let _ = writeln!(out, "  abstract state: {formula} (line {at})");
        }
        let _ = writeln!(out, "  exit port:      {}{}", stage.exit, beside(&stage.exit_values));
    }
    let _ = match &report.execution {
        Some(execution) => {
            writeln!(out, "\nThe run was replayed.\n\n{}", execution::text(view, execution).trim_end())
        }
        None if report.stages.is_empty() => writeln!(
            out,
            "\nNo execution was replayed: that the {name} is reachable was checked with a solver, step by step."
        ),
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
pub(super) fn json(view: &View, report: &Leaps) -> serde_json::Value {
    let stage = |stage: &LeapStage| {
        let region: Vec<_> = stage
            .region
            .iter()
            .map(
                |(span, formula)| json!({ "line": view.sources.line_column(*span).line, "formula": formula }),
            )
            .collect();
        json!({
            "line": view.sources.line_column(stage.span).line,
            "theorem": stage.theorem,
            "abstract_state": region,
            "entry_port": stage.entry,
            "exit_port": stage.exit,
            "rounds": stage.rounds.as_ref().map(number),
        })
    };
    let error = view.sources.line_column(report.error.span);
    json!({
        "line": error.line,
        "column": error.column,
        "leaps": report.stages.iter().map(stage).collect::<Vec<_>>(),
        "execution": report.execution.as_ref().map(|execution| execution::json(view, execution)),
    })
}
