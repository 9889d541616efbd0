//! Every example of the manual's chapter about Boogie is a program with the verdict that it says.

#![allow(clippy::disallowed_methods, reason = "the test reads the manual")]

use std::sync::Arc;
use unreach::{Answer, Budget, Plan, Problem, Silent, verify};

/// The texts between ` ```boogie ` and ` ``` `, with the lines where they begin.
fn examples(manual: &str) -> Vec<(usize, String)> {
    let mut examples = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in manual.lines().enumerate() {
        match (&mut open, line) {
            (None, "```boogie") => open = Some((number + 2, String::new())),
            (Some(_), "```") => examples.extend(open.take()),
            (Some((_, text)), line) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, _) => {}
        }
    }
    assert!(open.is_none(), "an example is not closed");
    examples
}

#[test]
fn examples_about_boogie_mean_what_they_say() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/manual/src/boogie.md");
    let manual = std::fs::read_to_string(path).expect("the chapter exists");
    let examples = examples(&manual);
    assert!(examples.len() >= 15, "the chapter has {} examples", examples.len());
    for (line, text) in examples {
        let expected = text.lines().next().and_then(|first| first.strip_prefix("//@ verdict: "));
        let expected = expected.unwrap_or_else(|| panic!("the example at line {line} has no verdict"));
        let problem = Problem::boogie(format!("boogie.md:{line}"), &text);
        let decision = verify(&problem, &Plan::default(), &Budget::unlimited(), Arc::new(Silent));
        let found = match decision.map(|decision| decision.answer) {
            Ok(Answer::Safe(_)) => "safe",
            Ok(Answer::Unsafe(_) | Answer::Leaps(_)) => "unsafe",
            Ok(Answer::Unknown(_)) => "unknown",
            Ok(Answer::Terminates(_) | Answer::Infinite(_)) => panic!("nobody asked whether runs end"),
            Err(failure) => panic!("the example at line {line}: {failure:?}"),
        };
        assert_eq!(found, expected, "the example at line {line}");
    }
}
