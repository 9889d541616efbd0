//! SARIF 2.1.0: what was found out about a property, as code scanning tools show it.
//!
//! One result for each finding: `fail` with the execution as a code flow, one thread flow for each thread; `pass` for a
//! proof, `open` for an unknown answer. Fingerprints consist of the file, the property and the text of the line, so
//! they survive changes elsewhere in the file; findings that agree in all of that are numbered.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Code flows with more steps than this are cut in the middle: viewers refuse longer ones.
const MOST_STEPS: usize = 9_000;

/// What was found out about a property, or about one check of it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The property.
    pub property: String,
    /// The line and the column of the check, from 1; none if it is about the whole file.
    pub place: Option<Position>,
    /// The answer.
    pub outcome: Outcome,
}

/// A place in the file, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The property holds.
    Pass,
    /// It is violated: what happens, where, and on what way.
    Fail(Violation),
    /// It is not known; why.
    Open(String),
}

/// A violation.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What happens.
    pub what: String,
    /// The file, if it is not the one that was asked about.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The text of the line.
    pub text: String,
    /// The execution.
    pub steps: Vec<Step>,
}

/// A step of an execution.
#[derive(Clone, Debug)]
pub struct Step {
    /// The file, if it is not the one that was asked about.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// What happens.
    pub note: String,
    /// How many functions are active around it.
    pub depth: u64,
    /// The thread whose step it is, if there are several.
    pub thread: Option<String>,
    /// Variables that got values.
    pub values: Vec<(String, String)>,
}

/// A rule: a property that was checked.
struct Rule {
    name: &'static str,
    text: &'static str,
    cwe: &'static str,
}

fn rule(property: &str) -> Rule {
    let (name, text, cwe) = match property {
        "unreach-call" => ("ErrorFunctionIsCalled", "The error function is called", "cwe-617"),
        "unreach-label" => ("ErrorLabelIsReached", "The error label is reached", "cwe-617"),
        "no-overflow" => ("SignedOverflow", "A signed integer overflows", "cwe-190"),
        "no-unsigned-overflow" => ("UnsignedWrapAround", "An unsigned integer wraps around", "cwe-190"),
        "no-lossy-conversion" => ("LossyConversion", "A conversion changes a value", "cwe-681"),
        "no-division-by-zero" => ("DivisionByZero", "A number is divided by zero", "cwe-369"),
        "no-bad-shift" => ("BadShift", "A shift by too much, or by a negative amount", "cwe-1335"),
        "no-pointer-overflow" => ("PointerLeavesItsObject", "A pointer leaves its object", "cwe-823"),
        "no-uninitialised-read" => ("UninitialisedRead", "A variable without a value is read", "cwe-457"),
        "no-data-race" => ("DataRace", "Two threads access memory at once", "cwe-362"),
        "no-deadlock" => ("Deadlock", "No thread can go on", "cwe-833"),
        "valid-memsafety" | "valid-deref" => ("InvalidMemoryAccess", "Memory is accessed wrongly", "cwe-119"),
        "valid-free" => ("InvalidFree", "Something is freed that is no block", "cwe-590"),
        "valid-memtrack" => ("MemoryIsLost", "A block can no longer be reached", "cwe-401"),
        "valid-memcleanup" => ("MemoryIsNotFreed", "Memory is not freed", "cwe-401"),
        "termination" => ("DoesNotEnd", "A run never ends", "cwe-835"),
        _ => ("AssertionFails", "An assertion fails", "cwe-617"),
    };
    Rule { name, text, cwe }
}

/// The log of one run about one file; `property` is what was asked.
pub fn log(file: &str, property: &str, findings: &[Finding], version: &str) -> Value {
    let uri = uri_of(file);
    let mut properties: Vec<&str> = Vec::new();
    for finding in findings {
        if !properties.contains(&finding.property.as_str()) {
            properties.push(&finding.property);
        }
    }
    let rules: Vec<Value> = properties.iter().map(|property| described(property)).collect();
    let exit_code = findings.iter().map(|finding| match finding.outcome {
        Outcome::Pass => (0, 0),
        Outcome::Open(_) => (1, 2),
        Outcome::Fail(_) => (2, 1),
    });
    let exit_code = exit_code.max().map_or(0, |(_, code)| code);
    let mut seen = BTreeMap::new();
    let results: Vec<Value> = findings
        .iter()
        .map(|finding| {
            let index = properties.iter().position(|property| *property == finding.property);
            result(&uri, index.unwrap_or(0), finding, &mut seen)
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "Unreach", "version": version, "semanticVersion": version, "rules": rules } },
            "automationDetails": { "id": format!("unreach/{property}/") },
            "columnKind": "unicodeCodePoints",
            "artifacts": [{ "location": { "uri": uri }, "sourceLanguage": "c" }],
            "invocations": [{ "executionSuccessful": true, "exitCode": exit_code }],
            "results": results
        }]
    })
}

fn described(property: &str) -> Value {
    let data = rule(property);
    json!({
        "id": property,
        "name": data.name,
        "shortDescription": { "text": data.text },
        "fullDescription": { "text": format!("{}: property {property}.", data.text) },
        "help": { "text": "The code flow is an execution of the program that was replayed step by step." },
        "defaultConfiguration": { "level": "error" },
        "properties": {
            "tags": ["correctness", format!("external/cwe/{}", data.cwe)],
            "precision": "very-high",
            "problem.severity": "error"
        }
    })
}

/// A file as SARIF names it: a path as it is, in the characters of a reference (RFC 3986); from the root it is an address.
fn uri_of(file: &str) -> String {
    let mut uri = String::new();
    let path = file.replace('\\', "/");
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for &byte in path.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into())
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// The logs of several files as one with a single run, which GitHub wants of each tool; none if there are none.
pub fn merged(logs: Vec<Value>) -> Option<Value> {
    let mut logs = logs.into_iter();
    let mut whole = logs.next()?;
    for log in logs {
        let mut run = log["runs"][0].clone();
        let all = &mut whole["runs"][0];
        let (rules, artifacts) = (
            joined(&mut all["tool"]["driver"]["rules"], &run["tool"]["driver"]["rules"], |rule| &rule["id"]),
            joined(&mut all["artifacts"], &run["artifacts"], |artifact| &artifact["location"]["uri"]),
        );
        renumber(&mut run["results"], &rules, &artifacts);
        if let (Some(results), Some(more)) = (all["results"].as_array_mut(), run["results"].as_array()) {
            results.extend(more.iter().cloned());
        }
        // A failure counts more than what is open, and that more than a proof.
        let weight = |code: &Value| [0, 2, 1].iter().position(|known| code == known);
        let (code, before) = (&run["invocations"][0]["exitCode"], &all["invocations"][0]["exitCode"]);
        if weight(code) > weight(before) {
            all["invocations"][0]["exitCode"] = code.clone();
        }
    }
    number_fingerprints(&mut whole["runs"][0]["results"]);
    Some(whole)
}

/// Adds what is new; says where each of the others is now.
fn joined(all: &mut Value, more: &Value, name: fn(&Value) -> &Value) -> Vec<usize> {
    let (Some(all), Some(more)) = (all.as_array_mut(), more.as_array()) else { return Vec::new() };
    let place = |one: &Value| {
        all.iter().position(|known| name(known) == name(one)).unwrap_or_else(|| {
            all.push(one.clone());
            all.len() - 1
        })
    };
    more.iter().map(place).collect()
}

/// Puts new numbers of rules and files.
fn renumber(value: &mut Value, rules: &[usize], artifacts: &[usize]) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(|one| renumber(one, rules, artifacts)),
        Value::Object(fields) => {
            let is_artifact = fields.contains_key("uri");
            for (name, field) in fields {
                let table = match name.as_str() {
                    "ruleIndex" => rules,
                    "index" if is_artifact => artifacts,
                    _ => {
                        renumber(field, rules, artifacts);
                        continue;
                    }
                };
                let old = field.as_u64().and_then(|index| usize::try_from(index).ok());
                if let Some(&new) = old.and_then(|old| table.get(old)) {
                    *field = json!(new);
                }
            }
        }
        _ => {}
    }
}

/// Gives results with one fingerprint numbers, in their order.
fn number_fingerprints(results: &mut Value) {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for result in results.as_array_mut().into_iter().flatten() {
        let print = &mut result["partialFingerprints"]["unreach/v1"];
        let Some(text) = print.as_str().and_then(|print| print.split(':').next()).map(str::to_owned) else {
            if let Some(result) = result.as_object_mut() {
                result.remove("partialFingerprints");
            }
            continue;
        };
        let number = seen.entry(text.clone()).and_modify(|number| *number += 1).or_insert(1);
        *print = json!(format!("{text}:{number}"));
    }
}

fn at(uri: &str, line: u32, column: u32) -> Value {
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri, "index": 0 },
        "region": { "startLine": line, "startColumn": column }
    }})
}

/// A place that may be in another file than the one that was asked about, which alone has a number.
fn at_in(uri: &str, file: Option<&String>, line: u32, column: u32) -> Value {
    let Some(file) = file else { return at(uri, line, column) };
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri_of(file) },
        "region": { "startLine": line, "startColumn": column }
    }})
}

/// The result of a finding. What has the same fingerprint gets a number.
fn result(uri: &str, index: usize, finding: &Finding, seen: &mut BTreeMap<String, u32>) -> Value {
    let property = &finding.property;
    let place = match finding.place {
        Some(Position { line, column }) => at(uri, line, column),
        None => json!({ "physicalLocation": { "artifactLocation": { "uri": uri, "index": 0 } } }),
    };
    let without_flow = |kind: &str, text: String| {
        json!({
            "ruleId": property, "ruleIndex": index, "kind": kind, "level": "none",
            "message": { "text": text }, "locations": [place]
        })
    };
    let violation = match &finding.outcome {
        Outcome::Pass => return without_flow("pass", format!("Proven: no execution violates {property}.")),
        Outcome::Open(why) => return without_flow("open", format!("Not found out: {why}.")),
        Outcome::Fail(violation) => violation,
    };
    let mut hash = Sha256::new();
    hash.update(format!("{uri}\n{property}\n{}", violation.text.trim()).as_bytes());
    let fingerprint: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let number = seen.entry(fingerprint.clone()).and_modify(|number| *number += 1).or_insert(1);
    json!({
        "ruleId": property, "ruleIndex": index, "kind": "fail", "level": "error",
        "message": { "text": format!("{}: {}.", rule(property).text, violation.what) },
        "locations": [at_in(uri, violation.file.as_ref(), violation.line, violation.column)],
        "partialFingerprints": { "unreach/v1": format!("{fingerprint}:{number}") },
        "codeFlows": [{
            "message": { "text": "An execution that violates the property" },
            "threadFlows": thread_flows(uri, violation)
        }]
    })
}

/// The steps of each thread; their order in time is their execution order. The failure is the last step of its thread.
fn thread_flows(uri: &str, violation: &Violation) -> Vec<Value> {
    let (first, last) = match violation.steps.len() {
        length if length <= MOST_STEPS => (length, length),
        length => (MOST_STEPS / 2, length - MOST_STEPS / 2),
    };
    let kept = violation.steps.iter().enumerate().filter(|(index, _)| *index < first || *index >= last);
    let mut threads: Vec<(String, Vec<Value>)> = Vec::new();
    let mut add = |thread: Option<&str>, step: Value| {
        let name = thread.unwrap_or("main");
        match threads.iter_mut().find(|(known, _)| known == name) {
            Some((_, steps)) => steps.push(step),
            None => threads.push((name.to_owned(), vec![step])),
        }
    };
    for (index, step) in kept {
        let mut location = at_in(uri, step.file.as_ref(), step.line, step.column);
        location["message"] = json!({ "text": step.note });
        let value = |(name, value): &(String, String)| (name.clone(), json!({ "text": value }));
        let state: serde_json::Map<String, Value> = step.values.iter().map(value).collect();
        let flow = json!({
            "location": location, "executionOrder": index + 1, "nestingLevel": step.depth, "state": state
        });
        add(step.thread.as_deref(), flow);
    }
    let mut end = at_in(uri, violation.file.as_ref(), violation.line, violation.column);
    end["message"] = json!({ "text": violation.what });
    let end = json!({
        "location": end, "executionOrder": violation.steps.len() + 1,
        "importance": "essential", "kinds": ["danger"]
    });
    add(violation.steps.last().and_then(|step| step.thread.as_deref()), end);
    threads.into_iter().map(|(id, locations)| json!({ "id": id, "locations": locations })).collect()
}

#[cfg(test)]
mod tests {
    use super::uri_of;

    #[test]
    fn files_are_named_by_references() {
        for (file, uri) in [
            ("src/a b.c", "src/a%20b.c"),
            ("/home/me/a.c", "file:///home/me/a.c"),
            ("a:b#c?.c", "a%3Ab%23c%3F.c"),
            ("100%.c", "100%25.c"),
            ("\u{e9}.c", "%C3%A9.c"),
        ] {
            assert_eq!(uri_of(file), uri);
        }
    }
}
