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
    let uri = file.replace('\\', "/").replace(' ', "%20");
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

fn at(uri: &str, line: u32, column: u32) -> Value {
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri, "index": 0 },
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
        "locations": [at(uri, violation.line, violation.column)],
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
        let mut location = at(uri, step.line, step.column);
        location["message"] = json!({ "text": step.note });
        let value = |(name, value): &(String, String)| (name.clone(), json!({ "text": value }));
        let state: serde_json::Map<String, Value> = step.values.iter().map(value).collect();
        let flow = json!({
            "location": location, "executionOrder": index + 1, "nestingLevel": step.depth, "state": state
        });
        add(step.thread.as_deref(), flow);
    }
    let mut end = at(uri, violation.line, violation.column);
    end["message"] = json!({ "text": violation.what });
    let end = json!({
        "location": end, "executionOrder": violation.steps.len() + 1,
        "importance": "essential", "kinds": ["danger"]
    });
    add(violation.steps.last().and_then(|step| step.thread.as_deref()), end);
    threads.into_iter().map(|(id, locations)| json!({ "id": id, "locations": locations })).collect()
}
