//! Formulas of CaRet as properties of programs.
//!
//! The positions of an execution are the calls of all functions that the program defines and of those that the formula names, their returns, and the
//! end of the program, which stays for ever; in formulas that no finite beginning of an execution decides, every round of a loop as well. A condition is about the state before a call and after a return. The function that the program begins
//! with is no call: nobody calls it.

use super::{NoText, ObserverFile};
use base::{EntityRef, FileId, PrimaryMap, Span};
use property::caret::{Atom, Automaton, Buchi, Formulas, NotCoSafe, parse};
use property::drawing::Drawing;
use property::observer::{
    Event, EventData, EventKind, Name, Observer, Pattern, State, StateData, Transition,
};
use std::collections::BTreeSet;

/// A formula with the automaton of its negation.
pub struct Caret {
    /// The atoms and the formulas.
    pub formulas: Formulas,
    /// The automaton of what violates the formula.
    pub automaton: Violations,
}

/// An automaton of what violates a formula.
pub enum Violations {
    /// A finite beginning of an execution shows it.
    Finite(Automaton),
    /// Only whole executions do.
    Infinite(Buchi),
}

impl Violations {
    /// The automaton as text.
    pub fn text(&self, formulas: &Formulas) -> String {
        match self {
            Violations::Finite(automaton) => automaton.text(formulas),
            Violations::Infinite(automaton) => automaton.text(formulas),
        }
    }

    /// The automaton as a picture.
    pub fn drawing(&self, formulas: &Formulas) -> Drawing {
        match self {
            Violations::Finite(automaton) => automaton.drawing(formulas),
            Violations::Infinite(automaton) => automaton.drawing(formulas),
        }
    }
}

/// Whether no finite beginning of an execution shows that a formula does not hold.
pub(crate) fn is_about_whole_executions(formula: &str) -> bool {
    matches!(read(formula), Ok(Caret { automaton: Violations::Infinite(_), .. }))
}

/// Why a formula is not checked.
pub enum NoCaret {
    /// It is no formula: where in the text of the formula, and why.
    Malformed(usize, String),
    /// It has no automaton.
    Unsupported(String),
}

/// Reads a formula.
pub fn read(formula: &str) -> Result<Caret, NoCaret> {
    let (mut formulas, formula) =
        parse(formula).map_err(|why| NoCaret::Malformed(why.position, why.to_string()))?;
    let negation = formulas.not(formula);
    let automaton = match Automaton::of(&formulas, negation) {
        Ok(automaton) => Some(Violations::Finite(automaton)),
        Err(NotCoSafe::TooLarge) => None,
        Err(NotCoSafe::Part(_)) => Buchi::of(&formulas, negation).map(Violations::Infinite),
    };
    match automaton {
        Some(automaton) => Ok(Caret { formulas, automaton }),
        None => Err(NoCaret::Unsupported("a formula of CaRet with so large an automaton".to_owned())),
    }
}

/// The place of a part of the formula in its file.
pub(super) fn place(file: &ObserverFile, part: &str) -> Span {
    let start = file.text.find(part).unwrap_or_default();
    let offset = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
    Span::new(FileId::new(0), offset(start), offset(start + part.len()))
}

/// What sees the positions: an observer with all events, and with a transition for each condition at each of them.
pub(super) fn positions(
    caret: &Caret,
    file: &ObserverFile,
    mut functions: BTreeSet<String>,
    entry: Option<&str>,
) -> Result<Observer, NoText> {
    for atom in &caret.formulas.atoms {
        let (Atom::Call(Some(name)) | Atom::Return(Some(name))) = atom else { continue };
        if Some(name.as_str()) == entry {
            let what = format!("`{name}` is where the program begins, and nobody calls it");
            return Err(NoText::mistake(place(file, &atom.text()), what));
        }
        functions.insert(name.clone());
    }
    let nowhere = Span::new(FileId::new(0), 0, 0);
    let mut events: PrimaryMap<Event, EventData> = PrimaryMap::new();
    for name in functions {
        let named = caret.formulas.atoms.iter().find(
            |atom| matches!(atom, Atom::Call(Some(other)) | Atom::Return(Some(other)) if *other == name),
        );
        let span = named.map_or(nowhere, |atom| place(file, &atom.text()));
        events.push(EventData { kind: EventKind::Call, name: name.clone(), span });
        events.push(EventData { kind: EventKind::Return, name, span });
    }
    events.push(EventData { kind: EventKind::Exit, name: String::new(), span: nowhere });
    if matches!(caret.automaton, Violations::Infinite(_)) {
        events.push(EventData { kind: EventKind::Round, name: String::new(), span: nowhere });
    }
    let only = State::new(0);
    let mut transitions = Vec::new();
    for event in events.keys() {
        for atom in &caret.formulas.atoms {
            let Atom::Condition(text) = atom else { continue };
            transitions.push(Transition {
                from: only,
                event,
                arguments: None,
                result: Pattern::Any,
                called_in: None,
                condition: Some(Name { text: text.clone(), span: place(file, text) }),
                to: only,
                span: nowhere,
            });
        }
    }
    let states = [StateData { name: "position".to_owned(), error: None }].into_iter().collect();
    let (name, each) = ("caret".to_owned(), Vec::new());
    Ok(Observer { name, each, states, initial: only, events, transitions })
}
