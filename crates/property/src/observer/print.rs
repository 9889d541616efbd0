//! Observers as text and as pictures.

use super::{EventKind, Observer, Pattern, StateData, Transition};
use crate::drawing::{Drawing, Edge, Node};
use base::EntityRef;
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

/// The observer as a picture.
pub fn drawing(observer: &Observer) -> Drawing {
    let node = |data: &StateData| Node {
        label: data.error.as_ref().unwrap_or(&data.name).clone(),
        is_error: data.error.is_some(),
    };
    let edge = |transition: &Transition| Edge {
        from: transition.from.index(),
        to: transition.to.index(),
        label: label(observer, transition),
        accepting: false,
    };
    Drawing {
        name: observer.name.clone(),
        nodes: observer.states.values().map(node).collect(),
        initial: observer.initial.index(),
        edges: observer.transitions.iter().map(edge).collect(),
    }
}
