//! Violation witnesses in GraphML: automata that executions follow.

use super::{BRANCHES, NO_EXECUTION, answer, at, problem, task};
use c::{Event, Place, Waypoint};
use evidence::witness::write::{self, Answered};
use unreach::{Property, export};

fn answered(line: u32, value: &str) -> Answered {
    let waypoint =
        Waypoint { entry: 1, place: Place { line, column: None }, event: Event::Enter, thread: None };
    Answered { waypoint, function: "__VERIFIER_nondet_int".to_owned(), line, value: value.to_owned() }
}

#[test]
fn values_of_inputs_restrict_the_program() {
    let problem = problem(BRANCHES, Property::UnreachCall);
    for (expected, values) in [
        ("confirmed", vec![answered(5, "6"), answered(6, "1")]),
        ("confirmed", vec![answered(5, "6")]),
        ("confirmed", vec![]),
        (NO_EXECUTION, vec![answered(5, "5"), answered(6, "1")]),
        (NO_EXECUTION, vec![answered(5, "6"), answered(6, "0")]),
        // The calls are in another order.
        (NO_EXECUTION, vec![answered(6, "1"), answered(5, "6")]),
    ] {
        let text = write::violation_graphml(&task(BRANCHES), &values, &at(BRANCHES, 10, "reach_error"));
        assert_eq!(answer(&problem, &text), expected, "{values:?}");
    }
}

/// A witness of edges, each with its data, and of edges to a sink beside them.
fn automaton(edges: &[&str], to_sink: &[(usize, &str)]) -> String {
    let mut text = write::violation_graphml(&task(BRANCHES), &[], &at(BRANCHES, 10, "reach_error"));
    let cut = text.find("  <node").expect("nodes");
    text.truncate(cut);
    text.push_str("<node id=\"S\"><data key=\"sink\">true</data></node>");
    for index in 0..=edges.len() {
        let mark = match index {
            0 => "<data key=\"entry\">true</data>",
            _ if index == edges.len() => "<data key=\"violation\">true</data>",
            _ => "",
        };
        text.push_str(&format!("<node id=\"N{index}\">{mark}</node>"));
    }
    let all = edges.iter().enumerate().map(|(index, data)| (index, format!("N{}", index + 1), *data));
    for (index, to, data) in all.chain(to_sink.iter().map(|&(index, data)| (index, "S".to_owned(), data))) {
        text.push_str(&format!("<edge source=\"N{index}\" target=\"{to}\">"));
        for part in data.split(", ") {
            let (key, value) = part.split_once('=').expect("a key and a value");
            text.push_str(&format!("<data key=\"{key}\">{value}</data>"));
        }
        text.push_str("</edge>");
    }
    text + "</graph></graphml>"
}

#[test]
fn edges_restrict_the_program() {
    let problem = problem(BRANCHES, Property::UnreachCall);
    let doubt = "unknown: what edges in GraphML stand for is not known for certain";
    let target = "startline=10";
    for (expected, edges, to_sink) in [
        ("confirmed", vec!["startline=5, assumption=a == 6;", target], vec![]),
        (doubt, vec!["startline=5, assumption=a == 5;", target], vec![]),
        ("confirmed", vec!["startline=9, control=condition-true", target], vec![]),
        (doubt, vec!["startline=9, control=condition-false", target], vec![]),
        // What leads to a sink is avoided.
        ("confirmed", vec![target], vec![(0, "startline=9, control=condition-false")]),
        (doubt, vec![target], vec![(0, "startline=9, control=condition-true")]),
        // Edges that say nothing.
        ("confirmed", vec!["enterFunction=main", "startline=5", target], vec![]),
    ] {
        assert_eq!(answer(&problem, &automaton(&edges, &to_sink)), expected, "{edges:?} {to_sink:?}");
    }
    // A condition of two parts is decided part by part, in an order that edges do not tell.
    for (edges, why) in [
        (vec!["startline=8, control=condition-true", target], "no single plain condition at line 8"),
        (vec!["startline=5, threadId=1", target], "about threads"),
        (vec!["assumption=a == 6;", target], "without a line"),
        (vec!["startline=5, assumption=\\result == 6;", target], "a function that is not named"),
        (vec!["startline=5, assumption=a = 6;", target], "side effects"),
    ] {
        let answer = answer(&problem, &automaton(&edges, &[]));
        assert!(answer.starts_with("unknown: ") && answer.contains(why), "{answer}");
    }
}

#[test]
fn own_witnesses_in_graphml_are_confirmed() {
    for (program, property) in super::OWN.iter().filter(|(_, property)| *property != Property::Termination) {
        let problem = problem(program, *property);
        if let Some(text) = super::written(&problem, export::Format::GraphMl) {
            assert_eq!(answer(&problem, &text), "confirmed", "{program}\n{text}");
        }
    }
}
