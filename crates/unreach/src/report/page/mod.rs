//! A decision as one page of HTML that needs nothing else: no server, no network, no other file.
//!
//! The page is a frame ([`FRAME`]) with a style, a script and the facts as JSON. The facts are those of the text report
//! and of `--json`: the answer itself, the files, the steps of an execution (`steps`), what a proof says about loops and
//! procedures and why (`reasons`), the assertions, the program automaton with a layout (`graph`), and what was counted. The script only
//! shows them; it puts texts into the page as text and never as markup, and the page forbids itself to load anything.
//!
//! The size is linear in the program and the execution; large automata are left out and counted.

mod graph;
pub(super) mod layout;
mod places;
mod reasons;
mod steps;

use super::proof::InvariantKind;
use super::{NOT_CHECKED, NOTHING_CHECKED, Target, json as answer_json, text, verdict};
use crate::answer::{Answer, Decision};
use crate::assertions::{Assertion, judged, surveyed};
use crate::checks::Survey;
use crate::problem::{Problem, Source};
use places::Places;
use serde_json::{Value, json};

const FRAME: &str = include_str!("page.html");
const INDEX: &str = include_str!("index.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Longer files are not put into the page for download.
const LONGEST_FILE: usize = 8 << 20;

/// A file that the page offers for download.
#[derive(Clone, Debug)]
pub struct Download {
    /// Its name.
    pub name: String,
    /// Its media type.
    pub media: &'static str,
    /// What is in it.
    pub text: String,
}

/// What a page is about.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// What was asked.
    pub problem: &'a Problem,
    /// What was found out.
    pub decision: &'a Decision,
    /// What was found out about every check, if that was asked.
    pub survey: Option<&'a Survey>,
    /// How long that took in seconds, if somebody knows.
    pub seconds: Option<f64>,
    /// Files for download besides the answer as JSON.
    pub downloads: &'a [Download],
}

/// The page.
pub fn html(about: &About<'_>) -> String {
    let facts = facts(about);
    let title = format!("{} · {}", facts["verdict"].as_str().unwrap_or_default(), name(about.problem));
    let plain = text(about.decision, Target::Error);
    let parts = [
        ("{title}", markup(&title)),
        ("{style}", STYLE.to_owned()),
        ("{plain}", markup(&format!("{title}\n{plain}"))),
        ("{facts}", inside_script(&facts)),
        ("{script}", SCRIPT.to_owned()),
    ];
    fill(FRAME, &parts)
}

/// A table of many results with links to their pages: each with `function`, `place`, `result`, `reason`, `seconds` and
/// `report`, the name of its page.
pub fn index(results: &[Value]) -> String {
    let text = |value: &Value| markup(value.as_str().unwrap_or_default());
    let row = |result: &Value| {
        let kind = match result["result"].as_str() {
            Some("proven") => "true",
            Some("fails") => "false",
            _ => "unknown",
        };
        let name = match result["report"].as_str() {
            Some(page) => format!("<a href=\"{}\">{}</a>", markup(page), text(&result["function"])),
            None => text(&result["function"]),
        };
        let seconds = result["seconds"].as_f64().unwrap_or_default();
        format!(
            "<tr><td><span class=\"badge {kind}\">{}</span></td><td class=\"code\">{name}</td><td class=\"code\">{}</td><td>{}</td><td>{seconds:.2} s</td></tr>\n",
            text(&result["result"]),
            text(&result["place"]),
            text(&result["reason"]),
        )
    };
    let rows: String = results.iter().map(row).collect();
    fill(INDEX, &[("{style}", STYLE.to_owned()), ("{rows}", rows)])
}

/// The frame with its parts. What a part says is not looked at again, so a program may contain the names of parts.
fn fill(frame: &str, parts: &[(&str, String)]) -> String {
    let mut page = String::new();
    let mut rest = frame;
    while let Some((at, (name, text))) =
        parts.iter().filter_map(|part| Some((rest.find(part.0)?, part))).min_by_key(|(at, _)| *at)
    {
        page += &rest[..at];
        page += text;
        rest = &rest[at + name.len()..];
    }
    page + rest
}

/// A text as HTML.
fn markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// JSON inside of a script element: no character can end the element or begin a comment.
fn inside_script(value: &Value) -> String {
    let text = value.to_string();
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                safe += &format!("\\u{:04x}", u32::from(letter));
            }
            _ => safe.push(letter),
        }
    }
    safe
}

/// The name of a program.
fn name(problem: &Problem) -> String {
    match &problem.source {
        Source::Text { name, .. } => name.clone(),
        Source::Ir(..) | Source::Question(..) => "program".to_owned(),
    }
}

fn facts(about: &About<'_>) -> Value {
    let About { problem, decision, .. } = *about;
    let property = problem.property;
    let answer = answer_json(decision, property, Target::Error);
    let mut places = Places::new(decision.view.as_deref());
    let steps = steps::of(decision, &mut places);
    let invariants = invariants(decision, &mut places);
    let checks = checks(about, &mut places);
    let reasons = reasons::of(decision, &mut places);
    let automaton = decision.view.as_deref().map(|view| graph::of(view, &mut places));
    let files = match decision.view.is_some() {
        true => places.files(),
        false => json!([{ "name": name(problem), "text": problem.text() }]),
    };
    let mut downloads = vec![Download {
        name: "verdict.json".to_owned(),
        media: "application/json",
        text: format!("{answer:#}\n"),
    }];
    downloads.extend(about.downloads.iter().cloned());
    let downloads: Vec<Value> = downloads
        .into_iter()
        .map(|file| {
            let size = file.text.len();
            let text = (size <= LONGEST_FILE).then_some(file.text);
            json!({ "name": file.name, "media": file.media, "text": text, "size": size })
        })
        .collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "name": name(problem),
        "verdict": verdict(decision, property, Target::Error),
        "kind": kind(&decision.answer),
        "property": property.to_string(),
        "engine": decision.engine.map(|engine| json!({ "name": engine.name, "about": engine.about })),
        "seconds": about.seconds.map(|seconds| (seconds * 1000.0).round() / 1000.0),
        "summary": summary(decision),
        "advice": super::advice::of(decision),
        "files": files,
        "steps": steps,
        "inputs": answer["counterexample"]["inputs"],
        "invariants": invariants,
        "checks": checks,
        "reasons": reasons,
        "automaton": automaton,
        "counted": counted(decision),
        "downloads": downloads,
    })
}

/// The answer in a sentence.
fn summary(decision: &Decision) -> String {
    let text = text(decision, Target::Error);
    let first = text.lines().next().unwrap_or_default();
    match &decision.answer {
        Answer::Safe(_) | Answer::Terminates(_) => {
            // What a proof rests on, or that it says nothing, stands before what it says about places.
            let warns = first.starts_with(NOTHING_CHECKED) || first.starts_with(NOT_CHECKED);
            let warning = if warns { format!(" {first}") } else { String::new() };
            format!(
                "No execution violates the property: the independent checker has accepted the proof.{warning}"
            )
        }
        _ => first.to_owned(),
    }
}

fn kind(answer: &Answer) -> &'static str {
    match answer {
        Answer::Safe(_) | Answer::Terminates(_) => "true",
        Answer::Unsafe(_) | Answer::Leaps(_) | Answer::Infinite(_) => "false",
        Answer::Unknown(_) => "unknown",
    }
}

/// What a proof says about loops and procedures.
fn invariants(decision: &Decision, places: &mut Places<'_>) -> Vec<Value> {
    let all = match &decision.answer {
        Answer::Safe(safe) => &safe.invariants[..],
        Answer::Terminates(terminates) => &terminates.ranks[..],
        _ => decision.stand.as_ref().map_or(&[][..], |stand| &stand.holds),
    };
    let one = |invariant: &super::proof::Invariant| {
        let (kind, of) = match &invariant.kind {
            InvariantKind::Loop => ("loop invariant", None),
            InvariantKind::Rank => ("becomes smaller", None),
            InvariantKind::PartialRank => ("becomes smaller along some traces", None),
            InvariantKind::Ensures(name) => ("ensures", Some(name)),
        };
        json!({ "kind": kind, "of": of, "place": places.of(invariant.span), "formula": invariant.formula })
    };
    all.iter().map(one).collect()
}

/// Every check, and what is known about it.
fn checks(about: &About<'_>, places: &mut Places<'_>) -> Vec<Value> {
    let decision = about.decision;
    let all = match (about.survey, &decision.answer) {
        (Some(survey), _) => surveyed(survey),
        // Whether runs end is another question.
        (None, Answer::Terminates(_) | Answer::Infinite(_)) => Vec::new(),
        (None, _) => judged(decision),
    };
    let vacuous = match &decision.answer {
        Answer::Safe(safe) => safe.reasons.as_ref().map_or(&[][..], |reasons| &reasons.vacuous),
        _ => &[],
    };
    let one = |assertion: Assertion| {
        let Assertion { check, what, procedure, status } = assertion;
        let mut told = json!({
            "place": places.of(check.span), "condition": places.of(check.condition),
            "what": what, "procedure": procedure, "status": status.words(),
        });
        if vacuous.contains(&check.condition) {
            told["vacuous"] = json!(true);
        }
        told
    };
    all.into_iter().map(one).collect()
}

/// What engines counted.
fn counted(decision: &Decision) -> Vec<Value> {
    let one = |(engine, counted): &(&'static engines::Engine, engines::Counted)| {
        let entries: Vec<Value> =
            counted.entries().iter().map(|(_, meaning, value)| json!([meaning, value])).collect();
        json!({ "engine": engine.name, "entries": entries })
    };
    decision.counted.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_the_script() {
        let value = json!({ "text": "</script><!--<script>\u{2028}&" });
        let text = inside_script(&value);
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).expect("still JSON"), value);
    }

    #[test]
    fn parts_are_not_looked_at_again() {
        let parts = [("{a}", "{b}".to_owned()), ("{b}", "{a}".to_owned())];
        assert_eq!(fill("1{a}2{b}3", &parts), "1{b}2{a}3");
    }
}
