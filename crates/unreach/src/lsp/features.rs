//! What an editor shows about a text: diagnostics, lenses, hints, actions, hovers, symbols, definitions, folding.
//!
//! Each is a function of the document alone. What a run has found out is shown only if it is about the text as it is.

use super::document::{Document, State, Wishes};
use super::found::{Failing, Found, Holds};
use super::outline::{Symbol, behind_signature, braces};
use super::text::{Position, word};
use crate::assertions::{Assertion, Status};
use crate::problem::Language;
use crate::view::{BitOperations, View};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// So many steps of an execution are told with the assertion that fails, of its beginning and of its end.
const MOST_STEPS: usize = 25;
/// A hint is cut after so many letters; all of it is in its tooltip.
const LONGEST_HINT: usize = 80;

impl Document {
    /// What a run has found out about the text as it is.
    pub(super) fn found(&self) -> Option<&Found> {
        match &self.state {
            State::Known(found) => Some(found),
            State::New | State::Running | State::Stale => None,
        }
    }
}

/// Everything that is wrong with a text, or can go wrong in it.
pub(super) fn diagnostics(document: &Document) -> Vec<Value> {
    let mut all: Vec<Value> =
        document.known_front().map(|front| front.diagnostics.clone()).unwrap_or_default();
    let Some(found) = document.found() else { return all };
    all.extend(found.failing.iter().map(|failing| failure(document, failing)));
    let open = found.assertions.iter().filter(|it| it.assertion.status == Status::Open);
    if let Some(why) = found.open.first() {
        let mut places: Vec<((usize, usize), String)> =
            open.map(|it| (it.place, format!("not known: {}. {why}", it.assertion.what))).collect();
        if places.is_empty() {
            places.push(((0, 0), found.open.join("\n")));
        }
        for (place, message) in places {
            let range = document.range(place);
            all.push(json!({ "range": range, "severity": 3, "source": "unreach", "message": message }));
        }
    }
    all
}

fn failure(document: &Document, failing: &Failing) -> Value {
    let count = failing.steps.len();
    let shown = |index: usize| index < MOST_STEPS || index + MOST_STEPS >= count;
    let related: Vec<Value> = failing
        .steps
        .iter()
        .enumerate()
        .filter(|(index, _)| shown(*index))
        .map(|(index, step)| {
            let location = json!({ "uri": document.uri, "range": document.range(step.place) });
            json!({ "location": location, "message": format!("{}: {}", index + 1, step.note) })
        })
        .collect();
    json!({
        "range": document.range(failing.place), "severity": 1, "source": "unreach",
        "message": failing.message, "relatedInformation": related,
    })
}

/// What is known about every check, for the margin of an editor: a range, a state, and what must hold. Checks at one place are one
/// mark, with the worst state.
pub(super) fn marks(document: &Document) -> Vec<Value> {
    let Some(front) = document.known_front().filter(|front| front.is_program) else { return Vec::new() };
    let all = |state: &str| -> Vec<Value> {
        front.checks.iter().map(|&place| json!({ "range": document.range(place), "state": state })).collect()
    };
    let found = match &document.state {
        State::New => return Vec::new(),
        State::Running => return all("running"),
        State::Stale => return all("stale"),
        State::Known(found) => found,
    };
    let mut worst: BTreeMap<(usize, usize), (Status, Vec<&str>)> = BTreeMap::new();
    for judged in &found.assertions {
        let Assertion { status, what, .. } = &judged.assertion;
        let (known, all) = worst.entry(judged.place).or_insert((*status, Vec::new()));
        *known = (*known).max(*status);
        all.push(what);
    }
    let one = |(&place, (status, what)): (&(usize, usize), &(Status, Vec<&str>))| {
        let state = match status {
            Status::Proven => "proven",
            Status::Fails => "fails",
            Status::Open => "open",
            Status::NotReached => "not reached",
        };
        json!({ "range": document.range(place), "state": state, "what": what.join("\n") })
    };
    worst.iter().map(one).collect()
}

/// A lens for every procedure, and for every assertion that is not proven.
pub(super) fn lenses(document: &Document) -> Vec<Value> {
    let command =
        |title: &str, name: &str| json!({ "title": title, "command": name, "arguments": [document.uri] });
    let mut lenses = Vec::new();
    let Some(front) = document.known_front().filter(|front| front.is_program) else { return lenses };
    for (name, place) in &front.procedures {
        let range = document.range((place.0, place.0));
        let title = match &document.state {
            State::New => "verify".to_owned(),
            State::Running => "… being verified".to_owned(),
            State::Stale => "changed: verify again".to_owned(),
            State::Known(found) => match found.status(name) {
                None => "no assertions".to_owned(),
                Some((Status::Proven, count, _)) => format!("✓ {}", assertions(count, "proven")),
                Some((Status::Fails, count, all)) => format!("✗ {count} of {}", assertions(all, "can fail")),
                Some((Status::Open, count, all)) => format!("? {count} of {}", assertions(all, "not known")),
                Some((Status::NotReached, count, all)) => {
                    format!("– {count} of {}", assertions(all, "not reached: executions fail before"))
                }
            },
        };
        let action = if document.found().is_some() { SHOW_REPORT } else { VERIFY };
        lenses.push(json!({ "range": range, "command": command(&title, action) }));
    }
    for assertion in document.found().into_iter().flat_map(|found| &found.assertions) {
        let title = match assertion.assertion.status {
            Status::Proven => continue,
            Status::NotReached => "– not reached: executions fail before",
            Status::Fails => "✗ can fail: step through the execution",
            Status::Open => "? not known",
        };
        let range = document.range((assertion.place.0, assertion.place.0));
        lenses.push(json!({ "range": range, "command": command(title, SHOW_REPORT) }));
    }
    lenses
}

/// The commands of the server.
pub(super) const SHOW_REPORT: &str = "unreach.report";
pub(super) const VERIFY: &str = "unreach.verify";

fn assertions(count: usize, what: &str) -> String {
    format!("{count} assertion{} {what}", if count == 1 { "" } else { "s" })
}

/// What holds at loops and procedures, behind the lines where it holds.
pub(super) fn hints(document: &Document) -> Vec<Value> {
    let Some(found) = document.found() else { return Vec::new() };
    let one = |holds: &Holds| {
        let line = document.lines.position(&document.text, holds.place.0).line;
        let end = document.lines.end(&document.text, line);
        let word = if holds.of.is_some() { "ensures" } else { "invariant" };
        let whole = format!("{word} {}", holds.formula);
        let mut label: String = whole.chars().take(LONGEST_HINT).collect();
        if label.len() < whole.len() {
            label.push('…');
        }
        json!({
            "position": document.lines.position(&document.text, end).json(),
            "label": label, "tooltip": whole, "paddingLeft": true,
        })
    };
    found.holds.iter().map(one).collect()
}

/// The actions for some lines: what holds there can be inserted, if the program with it is still one.
pub(super) fn actions(document: &Document, range: &Value, wishes: &Wishes) -> Vec<Value> {
    let (Some(found), Some(start), Some(end)) =
        (document.found(), Position::of_json(&range["start"]), Position::of_json(&range["end"]))
    else {
        return Vec::new();
    };
    let mut actions = Vec::new();
    for holds in &found.holds {
        let line = document.lines.position(&document.text, holds.place.0).line;
        if line < start.line || line > end.line {
            continue;
        }
        let Some((offset, text)) = annotation(document, holds) else { continue };
        if !is_program_with(document, offset, &text, wishes) {
            continue;
        }
        let at = document.range((offset, offset));
        let edit = json!({ "changes": { &document.uri: [{ "range": at, "newText": text }] } });
        let title = format!("Insert {}", text.trim());
        actions.push(json!({ "title": title, "kind": "refactor.rewrite", "edit": edit }));
    }
    actions
}

/// Where an annotation goes, and its text.
fn annotation(document: &Document, holds: &Holds) -> Option<(usize, String)> {
    let text = &document.text;
    let line = document.lines.position(text, holds.place.0).line;
    let start = document.lines.offset(text, Position { line, character: 0 });
    let indent: String = text[start..].chars().take_while(|letter| " \t".contains(*letter)).collect();
    match (document.language, &holds.of) {
        (Language::Boogie, None) => {
            let front = document.known_front()?;
            let (_, end) = front.outline.loops.iter().find(|(start, _)| *start == holds.place.0)?;
            Some((*end, format!("\n{indent}  invariant {};\n{indent}", holds.formula)))
        }
        (Language::Boogie, Some(_)) => {
            let end = behind_signature(text, holds.place.0)?;
            Some((end, format!("\n{indent}  ensures {};", holds.formula)))
        }
        (Language::C, None) => Some((start, format!("{indent}//@ loop invariant {};\n", holds.formula))),
        (Language::C, Some(_)) => Some((start, format!("{indent}//@ ensures {};\n", holds.formula))),
        (Language::SvLib, _) => None,
    }
}

fn is_program_with(document: &Document, offset: usize, text: &str, wishes: &Wishes) -> bool {
    let changed = [&document.text[..offset], text, &document.text[offset..]].concat();
    let changed = Document::new(document.uri.clone(), document.version, changed);
    changed.is_some_and(|changed| View::new(&changed.problem(wishes), BitOperations::Marked).is_ok())
}

/// What is known about what stands at a place: an assertion, the values of a name in the execution, its declaration.
pub(super) fn hover(document: &Document, at: Position) -> Option<Value> {
    let text = &document.text;
    let offset = document.lines.offset(text, at);
    let mut said = Vec::new();
    let named = word(text, offset);
    if let Some(found) = document.found() {
        if let Some((_, name)) = named {
            for failing in &found.failing {
                said.extend(values(document, failing, name, at.line));
            }
        }
        let inside = |place: (usize, usize)| place.0 <= offset && offset < place.1;
        for assertion in found.assertions.iter().filter(|it| inside(it.place)) {
            said.push(format!("{}: `{}`", assertion.assertion.status.words(), assertion.assertion.what));
        }
    }
    if let (Some((_, name)), Some(front)) = (named, document.known_front())
        && let Some(symbol) = front.outline.find(name, offset)
    {
        let line = document.lines.position(text, symbol.place.0).line;
        let start = document.lines.offset(text, Position { line, character: 0 });
        let declaration = text[start..document.lines.end(text, line)].trim();
        said.push(format!("```boogie\n{declaration}\n```"));
    }
    (!said.is_empty()).then(|| json!({ "contents": { "kind": "markdown", "value": said.join("\n\n") } }))
}

/// The values that a name has in an execution when a line is executed.
fn values(document: &Document, failing: &Failing, name: &str, line: usize) -> Option<String> {
    const MOST_VALUES: usize = 8;
    let mut current: Option<&str> = None;
    let mut shown: Vec<String> = Vec::new();
    for step in &failing.steps {
        for (_, value) in step.values.iter().filter(|(changed, _)| changed == name) {
            current = Some(value);
        }
        let here = document.lines.position(&document.text, step.place.0).line == line;
        if let (true, Some(value)) = (here, current)
            && shown.last().is_none_or(|last| last != value)
        {
            shown.push(value.to_owned());
        }
    }
    let more = shown.len().saturating_sub(MOST_VALUES);
    let last = shown.split_off(more);
    let before = if more > 0 { format!("… ({more} more), ") } else { String::new() };
    (!last.is_empty()).then(|| format!("`{name}` = {before}{}", last.join(", ")))
}

/// What a file declares.
pub(super) fn symbols(document: &Document) -> Vec<Value> {
    let Some(front) = document.known_front() else { return Vec::new() };
    let one = |symbol: &Symbol| {
        json!({
            "name": symbol.name, "kind": symbol.kind, "range": document.range(symbol.extent),
            "selectionRange": document.range(symbol.place),
        })
    };
    match document.language {
        Language::Boogie => front.outline.symbols.iter().filter(|it| it.scope.is_none()).map(one).collect(),
        Language::C | Language::SvLib => front
            .procedures
            .iter()
            .map(|(name, place)| {
                let range = document.range(*place);
                json!({ "name": name, "kind": 12, "range": range, "selectionRange": range })
            })
            .collect(),
    }
}

/// Where the name at a place is declared.
pub(super) fn definition(document: &Document, at: Position) -> Option<Value> {
    let offset = document.lines.offset(&document.text, at);
    let (_, name) = word(&document.text, offset)?;
    let symbol = document.known_front()?.outline.find(name, offset)?;
    Some(json!({ "uri": document.uri, "range": document.range(symbol.place) }))
}

/// What can be folded.
pub(super) fn folding(document: &Document) -> Vec<Value> {
    if document.language != Language::Boogie {
        return Vec::new();
    }
    let line = |offset: usize| document.lines.position(&document.text, offset).line;
    let pairs = braces(&document.text).into_iter().map(|(open, close)| (line(open), line(close)));
    // The line of the closing brace stays visible.
    pairs
        .filter(|(open, close)| open + 1 < *close)
        .map(|(open, close)| json!({ "startLine": open, "endLine": close - 1 }))
        .collect()
}
