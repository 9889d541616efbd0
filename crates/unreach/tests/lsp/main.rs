//! The language server, driven by a scripted client over standard input and output.

mod client;

use client::Client;
use serde_json::{Value, json};

const SAFE: &str = "procedure main(n: int)\n{\n  var i: int;\n  i := 0;\n  while (i < n) {\n    i := i + 1;\n  }\n  assert n < 0 || i == n;\n}\n";

/// Two failures, in two procedures, and one assertion that holds.
const UNSAFE: &str = "procedure p(x: int)\n{\n  var y: int;\n  y := x + 1;\n  assert y != 7;\n  assert y > x;\n}\nprocedure q(z: int)\n{\n  assert z < 9;\n}\n";

/// Nobody decides this one quickly.
const HARD: &str = "procedure main(a: int, b: int, c: int, n: int)\n{\n  assume n > 2 && a > 0 && b > 0 && c > 0;\n  assert a*a*a*a*a + b*b*b*b*b != c*c*c*c*c;\n}\n";

fn wishes() -> Value {
    json!({ "status": true, "timeout": 60 })
}

fn at(line: u64, character: u64) -> Value {
    json!({ "line": line, "character": character })
}

fn about(uri: &str) -> Value {
    json!({ "textDocument": { "uri": uri } })
}

#[test]
fn a_proof_shows_invariants_that_can_be_inserted() {
    let mut client = Client::start(wishes());
    let uri = "file:///safe.bpl";
    client.open(uri, SAFE);
    assert_eq!(client.ended(uri, 1), "proven");
    let lenses = client.request("textDocument/codeLens", about(uri));
    assert_eq!(lenses[0]["command"]["title"], "✓ 1 assertion proven");
    let range = json!({ "start": at(0, 0), "end": at(99, 0) });
    let hints =
        client.request("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": range }));
    assert_eq!(hints[0]["position"], at(4, 17), "{hints:#}");
    assert!(hints[0]["label"].as_str().is_some_and(|label| label.starts_with("invariant ")), "{hints:#}");
    let line = json!({ "start": at(4, 0), "end": at(4, 0) });
    let actions = client.request(
        "textDocument/codeAction",
        json!({ "textDocument": { "uri": uri }, "range": line, "context": { "diagnostics": [] } }),
    );
    let edit = &actions[0]["edit"]["changes"][uri][0];
    assert_eq!(edit["range"]["start"], at(4, 15), "{actions:#}");
    // The program with the annotation is proven, too.
    let text = edit["newText"].as_str().expect("text");
    let annotated = SAFE.replacen("while (i < n)", &format!("while (i < n){text}"), 1);
    client.change(uri, 2, &annotated);
    client.save(uri);
    assert_eq!(client.ended(uri, 2), "proven");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn every_failure_has_its_execution() {
    let mut client = Client::start(wishes());
    let uri = "file:///unsafe.bpl";
    client.open(uri, UNSAFE);
    let failing = client.diagnostics(uri, |all| all.iter().filter(|it| it["severity"] == 1).count() == 2);
    let lines: Vec<u64> = failing.iter().filter_map(|it| it["range"]["start"]["line"].as_u64()).collect();
    assert!(lines.contains(&4) && lines.contains(&9), "{failing:#?}");
    let first = failing.iter().find(|it| it["range"]["start"]["line"] == 4).expect("a failure");
    let related = first["relatedInformation"].as_array().expect("steps");
    assert!(related.iter().any(|step| step["message"] == "2: y = 7"), "{related:#?}");
    let hover =
        client.request("textDocument/hover", json!({ "textDocument": { "uri": uri }, "position": at(3, 2) }));
    let said = hover["contents"]["value"].as_str().expect("text");
    assert!(said.contains("`y` = 7") && said.contains("var y: int;"), "{said}");
    let lenses = client.request("textDocument/codeLens", about(uri));
    let titles: Vec<&str> =
        lenses.as_array().expect("lenses").iter().filter_map(|it| it["command"]["title"].as_str()).collect();
    assert_eq!(titles[..2], ["✗ 1 of 2 assertions can fail", "✗ 1 of 1 assertion can fail"], "{titles:?}");
    let command = json!({ "command": "unreach.report", "arguments": [uri] });
    let page = client.request("workspace/executeCommand", command);
    let page =
        page["uri"].as_str().and_then(|uri| uri.strip_prefix("file://")).expect("an address").to_owned();
    assert!(std::path::Path::new(&page).is_file());
    std::fs::remove_file(page).expect("the page was written");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn the_margin_knows_every_check_in_every_state() {
    let mut client = Client::start(wishes());
    let uri = "file:///margin.bpl";
    client.open(uri, UNSAFE);
    let all = |state: &str, lines: &[u64]| -> Vec<(u64, String)> {
        lines.iter().map(|&line| (line, state.to_owned())).collect()
    };
    assert_eq!(client.marks(uri, 1, "running"), all("running", &[4, 5, 9]));
    let proven = (5, "proven".to_owned());
    let failing = [all("fails", &[4]), vec![proven], all("fails", &[9])].concat();
    while client.marks(uri, 1, "fails") != failing {}
    // An edit moves the checks, and nothing is known about them.
    client.change(uri, 2, &format!("\n{UNSAFE}"));
    assert_eq!(client.marks(uri, 2, "stale"), all("stale", &[5, 6, 10]));
    assert_eq!(client.end(), Some(0));
}

#[test]
fn the_report_of_a_proof_says_why() {
    let mut client = Client::start(wishes());
    let uri = "file:///why.bpl";
    client.open(uri, SAFE);
    assert_eq!(client.ended(uri, 1), "proven");
    let command = json!({ "command": "unreach.report", "arguments": [uri] });
    let page = client.request("workspace/executeCommand", command);
    let page = page["uri"].as_str().and_then(|uri| uri.strip_prefix("file://")).expect("an address");
    let text = std::fs::read_to_string(page).expect("the page was written");
    assert!(text.contains("\"triples\":[{"), "the page has Hoare triples");
    std::fs::remove_file(page).expect("the page was written");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn mistakes_are_told_at_once_and_go_away() {
    let mut client = Client::start(wishes());
    let uri = "file:///mistake.bpl";
    client.open(uri, "procedure main() { var 𝒳: int; assert 1 < x; }");
    let mistakes = client.diagnostics(uri, |all| !all.is_empty());
    // The name is one letter and two units of UTF-16.
    assert_eq!(mistakes[0]["range"]["start"], at(0, 43), "{mistakes:#?}");
    client.change(uri, 2, "procedure main() { assert 1 < 2; }");
    client.diagnostics(uri, <[Value]>::is_empty);
    client.save(uri);
    assert_eq!(client.ended(uri, 2), "proven");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn edits_cancel_runs_and_two_files_do_not_mix() {
    let mut client = Client::start(wishes());
    let (hard, safe) = ("file:///hard.bpl", "file:///safe.bpl");
    client.open(hard, HARD);
    // It waits for the first, which is cancelled by an edit.
    client.open(safe, SAFE);
    client.change(hard, 2, UNSAFE);
    assert_eq!(client.ended(safe, 1), "proven");
    client.save(hard);
    assert_eq!(client.ended(hard, 2), "fails");
    client.notify("textDocument/didClose", about(hard));
    let lenses = client.request("textDocument/codeLens", about(safe));
    assert_eq!(lenses[0]["command"]["title"], "✓ 1 assertion proven");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn five_hundred_edits_in_a_row() {
    let mut client = Client::start(wishes());
    let uri = "file:///many.bpl";
    client.open(uri, HARD);
    for version in 2..502 {
        client.change(uri, version, &format!("// {version}\n{HARD}"));
    }
    client.change(uri, 502, SAFE);
    client.save(uri);
    assert_eq!(client.ended(uri, 502), "proven");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn names_symbols_and_folds_of_boogie() {
    let mut client = Client::start(json!({ "verify": "never" }));
    let uri = "file:///names.bpl";
    client.open(uri, UNSAFE);
    let position = json!({ "textDocument": { "uri": uri }, "position": at(5, 9) });
    let definition = client.request("textDocument/definition", position);
    assert_eq!(definition["range"]["start"], at(2, 6), "{definition:#}");
    let symbols = client.request("textDocument/documentSymbol", about(uri));
    let names: Vec<&str> =
        symbols.as_array().expect("symbols").iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names, ["p", "q"]);
    let folds = client.request("textDocument/foldingRange", about(uri));
    assert_eq!(folds[0], json!({ "startLine": 1, "endLine": 5 }));
    assert_eq!(client.end(), Some(0));
}

#[test]
fn functions_of_a_c_file_without_main() {
    let mut client = Client::start(wishes());
    let uri = "file:///some%20file.c";
    let text = "int half(int x) {\n  return x / 2;\n}\nint bad(int x) {\n  return 10 / x;\n}\n";
    client.open(uri, text);
    assert_eq!(client.ended(uri, 1), "fails");
    let failing = client.diagnostics(uri, |all| all.iter().any(|it| it["severity"] == 1));
    assert_eq!(failing[0]["range"]["start"]["line"], 4, "{failing:#?}");
    assert_eq!(client.end(), Some(0));
}
