//! Formulas and their automata as text and as pictures.

use super::{Atom, Automaton, Buchi, Data, Formula, Formulas, Guard, Read, Strength, Transition, Way};
use crate::drawing::{Drawing, Edge};
use std::fmt::Write;

impl Atom {
    /// How it is written.
    pub fn text(&self) -> String {
        match self {
            Atom::Condition(text) => format!("AP({text})"),
            Atom::Call(Some(name)) => format!("call({name})"),
            Atom::Call(None) => "call".to_owned(),
            Atom::Return(Some(name)) => format!("return({name})"),
            Atom::Return(None) => "return".to_owned(),
            Atom::Last => "last".to_owned(),
        }
    }
}

fn way(way: Way) -> &'static str {
    match way {
        Way::Global => "",
        Way::Abstract => "a",
        Way::Caller => "c",
    }
}

impl Formulas {
    /// How a formula is written; reading it gives the same formula.
    pub fn text(&self, formula: Formula) -> String {
        let of = |formula: Formula| self.text(formula);
        match *self.data(formula) {
            Data::True => "true".to_owned(),
            Data::False => "false".to_owned(),
            Data::Literal(atom, holds) => {
                format!("{}{}", if holds { "" } else { "!" }, self.atoms[atom].text())
            }
            Data::And(left, right) => format!("({} && {})", of(left), of(right)),
            Data::Or(left, right) => format!("({} || {})", of(left), of(right)),
            Data::Next(on, Strength::Strong, inner) => format!("X{} {}", way(on), of(inner)),
            Data::Next(on, Strength::Weak, inner) => format!("wX{} {}", way(on), of(inner)),
            Data::Until(on, left, right) => format!("({} U{} {})", of(left), way(on), of(right)),
            Data::Release(on, left, right) => format!("({} R{} {})", of(left), way(on), of(right)),
        }
    }
}

impl Automaton {
    /// What is left to be shown in a state, in words.
    pub fn due(&self, formulas: &Formulas, state: usize) -> String {
        if Some(state) == self.accepting {
            return "violated".to_owned();
        }
        let due: Vec<String> = self.state(state).due.iter().map(|&formula| formulas.text(formula)).collect();
        if due.is_empty() { "waits".to_owned() } else { due.join(", ") }
    }

    fn label(&self, formulas: &Formulas, transition: &Transition) -> String {
        label(formulas, transition.read, &transition.guard)
    }

    /// The automaton as text, a line for each transition.
    pub fn text(&self, formulas: &Formulas) -> String {
        let accepting = self.accepting.map_or("none".to_owned(), |state| format!("q{state}"));
        let mut out = format!(
            "nested word automaton of what violates the property, begins in q{}, accepting: {accepting}\n",
            self.initial
        );
        for transition in &self.transitions {
            let label = self.label(formulas, transition);
            // Writing to a string cannot fail.
            let _ = writeln!(out, "q{} -> q{}: {label}", transition.from, transition.to);
        }
        out
    }

    /// The automaton as a picture.
    pub fn drawing(&self, formulas: &Formulas) -> Drawing {
        let edge = |transition: &Transition| Edge {
            from: transition.from,
            to: transition.to,
            label: self.label(formulas, transition),
            accepting: false,
        };
        let edges = self.transitions.iter().map(edge).collect();
        Drawing::numbered(self.size(), self.initial, self.accepting, edges)
    }
}

/// What a transition reads and asks for.
fn label(formulas: &Formulas, read: Read, guard: &Guard) -> String {
    let literal = |&(atom, holds): &(usize, bool)| {
        format!("{}{}", if holds { "" } else { "!" }, formulas.atoms[atom].text())
    };
    let guard: Vec<String> = guard.iter().map(literal).collect();
    let read = match read {
        Read::Internal => "internal".to_owned(),
        Read::Call(context) => format!("call, push s{context}"),
        Read::Return(context) => format!("return, pop s{context}"),
    };
    if guard.is_empty() { read } else { format!("{read}: {}", guard.join(" && ")) }
}

impl Buchi {
    /// The automaton as text, a line for each transition.
    pub fn text(&self, formulas: &Formulas) -> String {
        let mut out = String::from(
            "Büchi nested word automaton of what violates the property, begins in q0; accepting transitions are marked *\n",
        );
        for transition in &self.transitions {
            let mark = if transition.accepting { " *" } else { "" };
            let label = label(formulas, transition.read, &transition.guard);
            // Writing to a string cannot fail.
            let _ = writeln!(out, "q{} -> q{}: {label}{mark}", transition.from, transition.to);
        }
        out
    }

    /// The automaton as a picture.
    pub fn drawing(&self, formulas: &Formulas) -> Drawing {
        let mut edges = Vec::new();
        for transition in &self.transitions {
            let label = label(formulas, transition.read, &transition.guard);
            let (from, to) = (transition.from, transition.to);
            edges.push(Edge { from, to, label, accepting: transition.accepting });
        }
        Drawing::numbered(self.states, 0, None, edges)
    }
}
