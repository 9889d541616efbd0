//! What `--json` prints is what the schema in `docs/schema` says, and the schema knows every key of it. SARIF has what
//! its schema requires.

use serde_json::Value;
use std::sync::Arc;
use unreach::report::{self, Target};
use unreach::{Budget, Decision, Limit, Plan, Problem, Property, Silent, export, verify};

const SCHEMA: &str = include_str!("../../../docs/schema/verdict-1.schema.json");

/// Whether a value is of a type of JSON Schema.
fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "null" => value.is_null(),
        _ => panic!("the test does not know the type `{name}`"),
    }
}

/// What is wrong with a value, by the keywords that the schema uses; keys that it does not mention are wrong, too.
fn mistakes(value: &Value, schema: &Value, path: &str, found: &mut Vec<String>) {
    if let Some(types) = schema.get("type") {
        let names: Vec<&str> = match types {
            Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
            name => name.as_str().into_iter().collect(),
        };
        if !names.iter().any(|name| is_of_type(value, name)) {
            found.push(format!("{path}: not of type {names:?}"));
        }
    }
    if let Some(Value::Array(allowed)) = schema.get("enum")
        && !allowed.contains(value)
    {
        found.push(format!("{path}: none of {allowed:?}"));
    }
    if let (Some(Value::Array(required)), Value::Object(object)) = (schema.get("required"), value) {
        let missing = required.iter().filter_map(Value::as_str).filter(|key| !object.contains_key(*key));
        found.extend(missing.map(|key| format!("{path}: no `{key}`")));
    }
    if let (Some(Value::Object(properties)), Value::Object(object)) = (schema.get("properties"), value) {
        for (key, inner) in object {
            match properties.get(key) {
                Some(schema) => mistakes(inner, schema, &format!("{path}.{key}"), found),
                None => found.push(format!("{path}: the schema does not know `{key}`")),
            }
        }
    }
    if let (Some(items), Value::Array(values)) = (schema.get("items"), value) {
        for (index, inner) in values.iter().enumerate() {
            mistakes(inner, items, &format!("{path}[{index}]"), found);
        }
    }
}

fn decide(problem: &Problem) -> Decision {
    verify(problem, &Plan::default(), &Budget::unlimited(), Arc::new(Silent)).expect("a decision")
}

/// Decisions of all kinds.
fn decisions() -> Vec<(&'static str, Decision)> {
    let safe = "procedure main(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert n <= i; }";
    let deep =
        "procedure main() { var i: int; i := 0; while (i < 100000000000) { i := i + 1; } assert false; }";
    let c = "extern int __VERIFIER_nondet_int(void);\nint f(int x) { return x - 1; }\n\
             int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3) { x = f(x); //@ assert x != 9;\n } return 0; }";
    let unclear = "int main(void) { __asm__(\"cli\" : : : \"memory\"); return 0; }";
    vec![
        ("safe", decide(&Problem::boogie("safe.bpl", safe))),
        ("leaps", decide(&Problem::boogie("deep.bpl", deep))),
        ("unsafe", decide(&Problem::c("not safe.c", c))),
        ("unsupported", decide(&Problem::c("unclear.c", unclear))),
        ("limit", Decision::limited(Limit::Time)),
    ]
}

#[test]
fn json_is_what_the_schema_says() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    for (name, decision) in decisions() {
        let object = report::json(&decision, Property::Assert, Target::Error);
        let mut found = Vec::new();
        mistakes(&object, &schema, name, &mut found);
        assert!(found.is_empty(), "{found:#?}\n{object:#}");
    }
    let broken = Problem::c("broken.c", "int main(void) { int x = ; }");
    let failure = verify(&broken, &Plan::default(), &Budget::unlimited(), Arc::new(Silent));
    let object = report::failure_json(&failure.map(drop).expect_err("an expression is missing"));
    let mut found = Vec::new();
    mistakes(&object, &schema, "broken", &mut found);
    assert!(found.is_empty() && object["mistakes"][0]["column"] == 26, "{found:#?}\n{object:#}");
    let mut found = Vec::new();
    mistakes(&serde_json::json!({ "verdict": 1, "new": 2 }), &schema, "wrong", &mut found);
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn sarif_has_one_result_for_every_kind_of_decision() {
    for (name, decision) in decisions() {
        let log = export::sarif("a b.c", Property::Assert, &decision);
        assert_eq!(log["version"], "2.1.0");
        let result = &log["runs"][0]["results"][0];
        let kind = match name {
            "safe" => "pass",
            "leaps" | "unsafe" => "fail",
            _ => "open",
        };
        assert_eq!(result["kind"], kind, "{name}");
        assert_eq!(result["level"], if kind == "fail" { "error" } else { "none" }, "{name}");
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
        // Of an execution it is known in which file it fails.
        let file = if name == "unsafe" { "not%20safe.c" } else { "a%20b.c" };
        assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], file, "{name}");
        if name == "unsafe" {
            let flow = &result["codeFlows"][0]["threadFlows"][0]["locations"];
            let notes: Vec<&str> = flow
                .as_array()
                .expect("locations")
                .iter()
                .filter_map(|step| step["location"]["message"]["text"].as_str())
                .collect();
            assert!(notes.contains(&"__VERIFIER_nondet_int() = 10"), "{notes:?}");
        }
    }
}
