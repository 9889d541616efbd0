//! Values as text: automata as definitions that a script can contain, or as graphs for Graphviz.

use crate::interpreter::Format;
use crate::names::{Letters, StateNames, quoted};
use crate::value::{Automaton, Value, word_text};
use nwa::{Letter, Nwa, State};
use std::fmt::Write as _;

/// A value as text.
pub(crate) fn print(value: &Value, letters: &Letters, format: Format) -> String {
    match value {
        Value::Int(value, _) => value.to_string(),
        Value::Boolean(value) => value.to_string(),
        Value::Text(text) => text.to_string(),
        Value::Word(symbols) => format!("[{}]", word_text(symbols, letters)),
        Value::Lasso(stem, repeated) => {
            format!("[{}, {}]", word_text(stem, letters), word_text(repeated, letters))
        }
        Value::Automaton(automaton) => match format {
            Format::Script => definition(automaton, letters),
            Format::Dot => dot(automaton, letters),
        },
        Value::Nothing => String::new(),
        Value::Unsupported(name) => format!("unsupported: {name}"),
    }
}

/// The automaton as it was written, where epsilon transitions were eliminated.
fn shown(automaton: &Automaton) -> &Nwa {
    automaton.written.as_ref().unwrap_or(&automaton.nwa)
}

struct Text<'a> {
    text: String,
    names: &'a StateNames,
    letters: &'a Letters,
}

impl Text<'_> {
    fn state(&self, state: State) -> String {
        quoted(&self.names.name(state))
    }

    fn set(&mut self, field: &str, items: impl Iterator<Item = String>) {
        let items: Vec<String> = items.collect();
        let _ = writeln!(self.text, "\t{field} = {{{}}},", items.join(" "));
    }

    fn letters(&mut self, field: &str, letters: &[Letter]) {
        let names = self.letters;
        self.set(field, letters.iter().map(|&letter| names.quoted(letter)));
    }

    fn transitions(&mut self, field: &str, transitions: &[Vec<String>]) {
        let _ = writeln!(self.text, "\t{field} = {{");
        for transition in transitions {
            let _ = writeln!(self.text, "\t\t({})", transition.join(" "));
        }
        self.text.push_str("\t},\n");
    }
}

// Writing to a string cannot fail, so the results of `writeln!` are dropped in this file.
fn definition(automaton: &Automaton, letters: &Letters) -> String {
    let nwa = shown(automaton);
    let mut out = Text { text: String::new(), names: &automaton.names, letters };
    let finite =
        nwa.is_finite_automaton() && nwa.alphabet().call().is_empty() && nwa.alphabet().ret().is_empty();
    let kind = match (automaton.epsilon.is_empty(), finite) {
        (false, _) => "EpsilonNestedWordAutomaton",
        (true, true) => "FiniteAutomaton",
        (true, false) => "NestedWordAutomaton",
    };
    let _ = writeln!(out.text, "{kind} nwa = (");
    if kind == "FiniteAutomaton" {
        out.letters("alphabet", nwa.alphabet().internal());
    } else {
        out.letters("callAlphabet", nwa.alphabet().call());
        out.letters("internalAlphabet", nwa.alphabet().internal());
        out.letters("returnAlphabet", nwa.alphabet().ret());
    }
    let names = &automaton.names;
    let state_names = |states: Vec<State>| states.into_iter().map(|state| quoted(&names.name(state)));
    out.set("states", state_names(nwa.states().collect()));
    out.set("initialStates", state_names(nwa.initial().to_vec()));
    out.set("finalStates", state_names(nwa.states().filter(|&state| nwa.is_final(state)).collect()));
    let mut internal = Vec::new();
    let mut calls = Vec::new();
    let mut returns = Vec::new();
    for state in nwa.states() {
        let source = out.state(state);
        for edge in nwa.internal(state) {
            internal.push(vec![source.clone(), letters.quoted(edge.letter), out.state(edge.state)]);
        }
        for edge in nwa.calls(state) {
            calls.push(vec![source.clone(), letters.quoted(edge.letter), out.state(edge.state)]);
        }
        for (hier, edges) in nwa.returns(state) {
            for edge in edges {
                let letter = letters.quoted(edge.letter);
                returns.push(vec![source.clone(), out.state(hier), letter, out.state(edge.state)]);
            }
        }
    }
    if kind == "FiniteAutomaton" {
        out.transitions("transitions", &internal);
    } else {
        out.transitions("callTransitions", &calls);
        out.transitions("internalTransitions", &internal);
        out.transitions("returnTransitions", &returns);
    }
    if !automaton.epsilon.is_empty() {
        let epsilon: Vec<_> =
            automaton.epsilon.iter().map(|&(p, q)| vec![out.state(p), out.state(q)]).collect();
        out.transitions("epsilonTransitions", &epsilon);
    }
    let mut text = out.text;
    // The last field has no comma.
    text.truncate(text.len() - ",\n".len());
    text.push_str("\n);");
    text
}

/// A text in DOT's quotes, where backslashes are special too.
fn dot_quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

fn dot(automaton: &Automaton, letters: &Letters) -> String {
    let nwa = shown(automaton);
    let mut text = String::from("digraph automaton {\n\trankdir = LR;\n");
    for state in nwa.states() {
        let shape = if nwa.is_final(state) { "doublecircle" } else { "circle" };
        let label = dot_quoted(&automaton.names.name(state));
        let _ = writeln!(text, "\t{state} [shape = {shape}, label = {label}];");
    }
    for (index, state) in nwa.initial().iter().enumerate() {
        let _ = writeln!(text, "\tstart{index} [shape = point];\n\tstart{index} -> {state};");
    }
    for state in nwa.states() {
        for edge in nwa.internal(state) {
            let label = dot_quoted(letters.name(edge.letter));
            let _ = writeln!(text, "\t{state} -> {} [label = {label}];", edge.state);
        }
        for edge in nwa.calls(state) {
            let label = dot_quoted(&format!("{} <", letters.name(edge.letter)));
            let _ = writeln!(text, "\t{state} -> {} [label = {label}, style = dashed];", edge.state);
        }
        for (hier, edges) in nwa.returns(state) {
            for edge in edges {
                let over = automaton.names.name(hier);
                let label = dot_quoted(&format!("> {} / {over}", letters.name(edge.letter)));
                let _ = writeln!(text, "\t{state} -> {} [label = {label}, style = dotted];", edge.state);
            }
        }
    }
    for (source, target) in &*automaton.epsilon {
        let _ = writeln!(text, "\t{source} -> {target} [label = \"ε\"];");
    }
    text.push('}');
    text
}
