//! Observers as text and as graphs.

use super::{EventKind, Observer, Pattern, Transition};
use std::fmt::Write;

/// How patterns are written.
fn pattern(pattern: &Pattern) -> &str {
    match pattern {
        Pattern::Any => "_",
        Pattern::Name(name) | Pattern::Number(name) => &name.text,
    }
}

/// What a transition looks for, as it is written.
fn label(observer: &Observer, transition: &Transition) -> String {
    let event = &observer.events[transition.event];
    let mut text = event.kind.word().to_owned();
    if !matches!(event.kind, EventKind::Exit | EventKind::Round) {
        text.push(' ');
    }
    if transition.result != Pattern::Any {
        text += &format!("{} = ", pattern(&transition.result));
    }
    text += &event.name;
    if let Some(arguments) = &transition.arguments {
        text += &format!("({})", arguments.iter().map(pattern).collect::<Vec<_>>().join(", "));
    }
    if let Some(state) = transition.called_in {
        text += &format!(" from {}", observer.states[state].name);
    }
    if let Some(condition) = &transition.condition {
        text += &format!(" with {}", condition.text);
    }
    text
}

/// The observer in its own language; reading it again gives the same automaton.
pub fn text(observer: &Observer) -> String {
    // Writing to a string cannot fail.
    let mut out = format!("observer {};\n", observer.name);
    if !observer.each.is_empty() {
        let names: Vec<&str> = observer.each.iter().map(|name| name.text.as_str()).collect();
        let _ = writeln!(out, "for each {};", names.join(", "));
    }
    for (state, data) in observer.states.iter().filter(|(_, data)| data.error.is_none()) {
        let initial = if state == observer.initial { "initial " } else { "" };
        let _ = writeln!(out, "{initial}state {} {{", data.name);
        for transition in observer.transitions.iter().filter(|transition| transition.from == state) {
            let target = &observer.states[transition.to];
            let message = target.error.as_ref().map(|text| format!(" \"{text}\"")).unwrap_or_default();
            let _ = writeln!(out, "    on {} goto {}{message};", label(observer, transition), target.name);
        }
        out.push_str("}\n");
    }
    out
}

/// The observer as a graph in the DOT language.
pub fn dot(observer: &Observer) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut out = format!("digraph {} {{\n  rankdir=LR;\n  start [shape=point];\n", quoted(&observer.name));
    for (state, data) in observer.states.iter() {
        let (name, shape) = match &data.error {
            Some(message) => (message, "box, color=red"),
            None => (&data.name, "ellipse"),
        };
        let _ = writeln!(out, "  {state} [label={}, shape={shape}];", quoted(name));
    }
    let _ = writeln!(out, "  start -> {};", observer.initial);
    for transition in &observer.transitions {
        let label = quoted(&label(observer, transition));
        let _ = writeln!(out, "  {} -> {} [label={label}];", transition.from, transition.to);
    }
    out.push_str("}\n");
    out
}
