//! Every example of the manual's chapters about Boogie and about checks is a program with the verdict that it says.

#![allow(clippy::disallowed_methods, reason = "the test reads the manual")]

use std::sync::Arc;
use unreach::report::{self, Target};
use unreach::{Answer, Budget, Plan, Problem, Property, Silent, verify};

/// The texts between a line such as ` ```boogie ` and ` ``` `, with the lines where they begin.
fn examples(manual: &str, fence: &str) -> Vec<(usize, String)> {
    let mut examples = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in manual.lines().enumerate() {
        match (&mut open, line) {
            (None, line) if line == fence => open = Some((number + 2, String::new())),
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
    let examples = examples(&manual, "```boogie");
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

/// The checks of a name, as the command line has them.
fn checks(name: &str) -> c::Checks {
    let checks: &[c::Check] = match name {
        "asserts" => &[],
        "memory" => &[c::Check::Deref, c::Check::Free],
        "leaks" => &[c::Check::Track],
        "overflow" => &[c::Check::Overflow],
        "unsigned-overflow" => &[c::Check::UnsignedOverflow],
        "conversion" => &[c::Check::Conversion],
        "division" => &[c::Check::Division],
        "shift" => &[c::Check::Shift],
        "pointer-overflow" => &[c::Check::PointerOverflow],
        "uninitialised" => &[c::Check::Uninitialised],
        _ => panic!("there is no check `{name}`"),
    };
    checks.iter().fold(c::Checks::default(), |all, check| all.with(*check))
}

#[test]
fn examples_about_checks_mean_what_they_say() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/manual/src/checks.md");
    let manual = std::fs::read_to_string(path).expect("the chapter exists");
    let examples = examples(&manual, "```c");
    assert!(examples.len() >= 15, "the chapter has {} examples", examples.len());
    for (line, text) in examples {
        let first = text.lines().next().and_then(|first| first.strip_prefix("//@ check: "));
        let said = first.and_then(|first| first.split_once(' '));
        let (check, expected) =
            said.unwrap_or_else(|| panic!("the example at line {line} has no check and verdict"));
        let mut problem = Problem::c(format!("checks.md:{line}"), &text);
        match check {
            "termination" => problem.property = Property::Termination,
            _ => problem.c.checks = checks(check),
        }
        let decision = verify(&problem, &Plan::default(), &Budget::unlimited(), Arc::new(Silent))
            .unwrap_or_else(|failure| panic!("the example at line {line}: {failure:?}"));
        let found = report::verdict(&decision, problem.property, Target::Error);
        assert_eq!(found, expected, "the example at line {line}");
    }
}
