//! What the automaton does at each event, in terms of the program: the letters that it reads there.
//!
//! Nothing is put into the program here but the variables that the automaton needs. [`super::steps`] makes statements of letters; the
//! independent checker gets them too, and makes its own.

use super::{ARGUMENT, ATOM, FAILS, Maker, Misfit, RESULT};
use crate::caret;
use crate::observer::{Event, EventKind, Name, Pattern, State, Transition};
use base::EntityRef;
use ir::{Procedure, Type, Variable, VariableKind};

/// The name of what chooses between transitions.
const CHOICE: &str = "__unreach_obs_choice#";

/// A procedure that does nothing, at whose calls the automaton does something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letter {
    /// The procedure.
    pub procedure: Procedure,
    /// What the automaton does.
    pub action: Action,
}

/// What an automaton does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// The state is kept in a variable of the procedure that calls the letter.
    Keep(Variable),
    /// The first case that fits is taken; if none does, the state stays as it is.
    First {
        /// The cases.
        cases: Vec<Case>,
        /// Where the state of the matching call was kept.
        kept: Option<Variable>,
    },
    /// One of the cases that fit is chosen.
    Any {
        /// The cases.
        cases: Vec<Case>,
        /// The state if none fits.
        stuck: usize,
        /// What chooses.
        choice: Variable,
        /// Where a call leaves a number for its return.
        kept: Option<Variable>,
        /// Whether this is such a call.
        keeps: bool,
        /// How often the letter is read.
        rounds: usize,
    },
}

/// A transition at a letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The state in which it is possible.
    pub from: usize,
    /// What must have been kept at the matching call.
    pub kept: Option<usize>,
    /// Arguments of the letter, by their numbers, that must have the values of global variables.
    pub equal: Vec<(usize, Variable)>,
    /// Global variables that must have been set to true, or to false. None stands for a condition that never holds.
    pub guard: Vec<(Option<Variable>, bool)>,
    /// The state after it.
    pub to: usize,
    /// What a call leaves for its return.
    pub keep: usize,
}

impl Maker<'_> {
    /// The letter of an observer's event.
    pub(super) fn letter(
        &mut self,
        event: Event,
        procedure: Procedure,
        kept: Option<Variable>,
    ) -> Result<Letter, Misfit> {
        let observer = self.observer;
        let transitions: Vec<(usize, &Transition)> = observer.on(event).collect();
        let mut cases = Vec::new();
        for (number, transition) in transitions {
            let mut equal = Vec::new();
            let arguments = transition.arguments.iter().flatten().enumerate();
            let patterns = arguments.map(|(index, pattern)| (format!("{ARGUMENT}{index}"), pattern));
            for (name, pattern) in patterns.chain([(RESULT.to_owned(), &transition.result)]) {
                // The program's language compares numbers.
                if let Pattern::Name(each) = pattern
                    && observer.is_each(&each.text)
                {
                    let parts = self.parts(procedure, &name);
                    self.equal(each, procedure, &parts, &mut equal)?;
                }
            }
            let fails = || self.global(&format!("{FAILS}{}", event.index()));
            let fails = (observer.events[event].kind == EventKind::Fails).then(|| (fails(), true));
            let guard = transition.asks_program().then(|| (self.atom(number), true));
            cases.push(Case {
                from: transition.from.index(),
                kept: transition.called_in.map(EntityRef::index).filter(|_| kept.is_some()),
                equal,
                guard: fails.into_iter().chain(guard).collect(),
                to: transition.to.index(),
                keep: 0,
            });
        }
        if self.threads && observer.events[event].kind == EventKind::Exit {
            // What other threads do when the program is over, nobody sees.
            let over = observer.states.len();
            for case in cases.iter_mut().filter(|case| observer.states[State::new(case.to)].error.is_none()) {
                case.to = over;
            }
            let (kept, equal, guard) = (None, Vec::new(), Vec::new());
            let case = Case { from: 0, kept, equal, guard, to: over, keep: 0 };
            cases.extend((0..over).map(|from| Case { from, ..case.clone() }));
        }
        let kept = kept.filter(|_| cases.iter().any(|case| case.kept.is_some()));
        Ok(Letter { procedure, action: Action::First { cases, kept } })
    }

    /// The letter of an event for the automaton of a formula. Where none of its transitions can be taken, it ends in a state
    /// without transitions.
    pub(super) fn caret_letter(
        &mut self,
        event: Event,
        procedure: Procedure,
        (formulas, automaton): (&caret::Formulas, &caret::Automaton),
        kept: Option<Variable>,
    ) -> Letter {
        let mut cases = Vec::new();
        for transition in &automaton.transitions {
            let Some(guard) = self.caret_guard(event, formulas, transition) else { continue };
            cases.push(Case {
                from: transition.from,
                kept: match transition.read {
                    caret::Read::Return(context) if kept.is_some() => Some(context),
                    _ => None,
                },
                equal: Vec::new(),
                guard,
                to: transition.to,
                keep: match transition.read {
                    caret::Read::Call(context) => context,
                    _ => 0,
                },
            });
        }
        // The last letter of a program that has ended is read again until nothing new can come of it.
        let rounds = match self.observer.events[event].kind {
            EventKind::Exit => 1 + formulas.nexts(),
            _ => 1,
        };
        let keeps = self.observer.events[event].kind == EventKind::Call && kept.is_some();
        let (stuck, choice) = (automaton.size(), self.choice());
        Letter { procedure, action: Action::Any { cases, stuck, choice, kept, keeps, rounds } }
    }

    /// The numbers of the parameters of an event that are parts of a value.
    fn parts(&self, procedure: Procedure, wanted: &str) -> Vec<usize> {
        let is_part = |name: &str| {
            name.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '#']))
        };
        let parameters = self.program.procedures[procedure].parameters.iter().enumerate();
        parameters
            .filter(|(_, parameter)| is_part(&self.program.variables[**parameter].name))
            .map(|(number, _)| number)
            .collect()
    }

    /// The variable with the value of a condition; none if nothing sets it, as the program does not have the event.
    fn atom(&self, number: usize) -> Option<Variable> {
        self.global(&format!("{ATOM}{number}"))
    }

    /// The global variable of a name.
    fn global(&self, name: &str) -> Option<Variable> {
        self.program.globals.iter().copied().find(|&global| self.program.variables[global].name == name)
    }

    /// A value is the one that the observer watches.
    fn equal(
        &mut self,
        name: &Name,
        procedure: Procedure,
        parts: &[usize],
        out: &mut Vec<(usize, Variable)>,
    ) -> Result<(), Misfit> {
        let parameters = &self.program.procedures[procedure].parameters;
        let types: Vec<Type> =
            parts.iter().map(|&part| self.program.variables[parameters[part]].ty).collect();
        if !self.each.contains_key(&name.text) {
            let mut variables = Vec::new();
            for (index, &ty) in types.iter().enumerate() {
                let own = format!("observer#{}#{index}", name.text);
                let variable = self.program.new_variable(own, ty, VariableKind::Global, self.span);
                self.program.globals.push(variable);
                variables.push(variable);
            }
            self.each.insert(name.text.clone(), variables);
        }
        let variables = &self.each[&name.text];
        let wanted: Vec<Type> =
            variables.iter().map(|&variable| self.program.variables[variable].ty).collect();
        if wanted != types {
            let message = format!("`{}` stands for values of different types", name.text);
            return Err(Misfit { span: name.span, message });
        }
        out.extend(parts.iter().copied().zip(variables.iter().copied()));
        Ok(())
    }

    /// A variable for choices between transitions.
    fn choice(&mut self) -> Variable {
        let known = self.program.globals.iter().find(|&&it| self.program.variables[it].name == CHOICE);
        if let Some(&known) = known {
            return known;
        }
        let choice = self.program.new_variable(CHOICE, Type::INT, VariableKind::Global, self.span);
        self.program.globals.push(choice);
        choice
    }

    /// What must hold for a transition at an event, as far as the event does not say it; none if it cannot be taken there.
    fn caret_guard(
        &self,
        event: Event,
        formulas: &caret::Formulas,
        transition: &caret::Transition,
    ) -> Option<Vec<(Option<Variable>, bool)>> {
        let observer = self.observer;
        let data = &observer.events[event];
        let fits = match transition.read {
            caret::Read::Internal => data.kind == EventKind::Exit,
            caret::Read::Call(_) => data.kind == EventKind::Call,
            caret::Read::Return(_) => data.kind == EventKind::Return,
        };
        if !fits {
            return None;
        }
        let mut guard = Vec::new();
        for &(atom, wanted) in &transition.guard {
            let named = |kind: EventKind, name: &Option<String>| {
                data.kind == kind && name.as_ref().is_none_or(|name| *name == data.name)
            };
            let known = match &formulas.atoms[atom] {
                caret::Atom::Call(name) => named(EventKind::Call, name),
                caret::Atom::Return(name) => named(EventKind::Return, name),
                caret::Atom::Last => return None,
                caret::Atom::Condition(text) => {
                    let is_it = |it: &Transition| it.condition.as_ref().is_some_and(|it| it.text == *text);
                    let number = observer.on(event).find(|(_, it)| is_it(it)).map(|(number, _)| number)?;
                    guard.push((self.atom(number), wanted));
                    continue;
                }
            };
            if known != wanted {
                return None;
            }
        }
        Some(guard)
    }
}
