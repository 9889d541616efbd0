//! SARIF 2.1.0: what was found out about a property, as code scanning tools show it.
//!
//! One result: `fail` with the execution as a code flow, `pass` for a proof, `open` for an unknown answer. Fingerprints
//! consist of the file, the property and the text of the line, so they survive changes elsewhere in the file.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Code flows with more steps than this are cut in the middle: viewers refuse longer ones.
const MOST_STEPS: usize = 9_000;

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
    /// Variables that got values.
    pub values: Vec<(String, String)>,
}

/// A rule: the property that was checked.
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
        "valid-memsafety" | "valid-deref" => ("InvalidMemoryAccess", "Memory is accessed wrongly", "cwe-119"),
        "no-deadlock" => ("Deadlock", "All threads wait", "cwe-833"),
        "no-data-race" => ("DataRace", "Two threads access memory at the same moment", "cwe-362"),
        "valid-memcleanup" => ("MemoryIsNotFreed", "Memory is not freed", "cwe-401"),
        _ => ("AssertionFails", "An assertion fails", "cwe-617"),
    };
    Rule { name, text, cwe }
}

/// The log of one run about one file and property.
pub fn log(file: &str, property: &str, outcome: &Outcome, version: &str) -> Value {
    let data = rule(property);
    let uri = file.replace('\\', "/").replace(' ', "%20");
    let rules = json!([{
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
    }]);
    let exit_code = match outcome {
        Outcome::Pass => 0,
        Outcome::Fail(_) => 1,
        Outcome::Open(_) => 2,
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "Unreach", "version": version, "semanticVersion": version, "rules": rules } },
            "automationDetails": { "id": format!("unreach/{property}/") },
            "columnKind": "unicodeCodePoints",
            "artifacts": [{ "location": { "uri": uri }, "sourceLanguage": "c" }],
            "invocations": [{ "executionSuccessful": true, "exitCode": exit_code }],
            "results": [result(&uri, property, &data, outcome)]
        }]
    })
}

fn result(uri: &str, property: &str, data: &Rule, outcome: &Outcome) -> Value {
    let whole_file = json!([{ "physicalLocation": { "artifactLocation": { "uri": uri, "index": 0 } } }]);
    let without_place = |kind: &str, text: String| {
        json!({
            "ruleId": property, "ruleIndex": 0, "kind": kind, "level": "none",
            "message": { "text": text }, "locations": whole_file
        })
    };
    match outcome {
        Outcome::Pass => without_place("pass", format!("Proven: no execution violates {property}.")),
        Outcome::Open(why) => without_place("open", format!("Not found out: {why}.")),
        Outcome::Fail(violation) => {
            let at = |line: u32, column: u32| {
                json!({ "physicalLocation": {
                    "artifactLocation": { "uri": uri, "index": 0 },
                    "region": { "startLine": line, "startColumn": column }
                }})
            };
            let (first, last) = match violation.steps.len() {
                length if length <= MOST_STEPS => (length, length),
                length => (MOST_STEPS / 2, length - MOST_STEPS / 2),
            };
            let kept =
                violation.steps.iter().enumerate().filter(|(index, _)| *index < first || *index >= last);
            let mut locations: Vec<Value> = kept
                .map(|(index, step)| {
                    let mut location = at(step.line, step.column);
                    location["message"] = json!({ "text": step.note });
                    let state: serde_json::Map<String, Value> = step
                        .values
                        .iter()
                        .map(|(name, value)| (name.clone(), json!({ "text": value })))
                        .collect();
                    json!({
                        "location": location, "executionOrder": index + 1,
                        "nestingLevel": step.depth, "state": state
                    })
                })
                .collect();
            let mut end = at(violation.line, violation.column);
            end["message"] = json!({ "text": violation.what });
            locations.push(json!({
                "location": end, "executionOrder": violation.steps.len() + 1,
                "importance": "essential", "kinds": ["danger"]
            }));
            let mut hash = Sha256::new();
            hash.update(format!("{uri}\n{property}\n{}", violation.text.trim()).as_bytes());
            let fingerprint: String =
                hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
            json!({
                "ruleId": property, "ruleIndex": 0, "kind": "fail", "level": "error",
                "message": { "text": format!("{}: {}.", data.text, violation.what) },
                "locations": [at(violation.line, violation.column)],
                "partialFingerprints": { "unreach/v1": fingerprint },
                "codeFlows": [{
                    "message": { "text": "An execution that violates the property" },
                    "threadFlows": [{ "id": "main", "locations": locations }]
                }]
            })
        }
    }
}
