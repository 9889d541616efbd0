//! Steps of the automaton of a formula of CaRet.

use super::Maker;
use crate::caret;
use crate::observer::{Event, EventKind, Transition};
use ir::{AssertKind, Expr, Statement, StatementKind, Type, Variable, VariableKind};

/// The name of what chooses between transitions.
const CHOICE: &str = "__unreach_obs_choice#";

impl Maker<'_> {
    /// The last letter of a program that has ended is read again until nothing new can come of it.
    pub(super) fn rounds(&self, event: Event, formulas: &caret::Formulas) -> usize {
        match self.observer.events[event].kind {
            EventKind::Exit => 1 + formulas.nexts(),
            _ => 1,
        }
    }

    /// One step of the automaton of a formula. Where several transitions can be taken, one is chosen; where none can, the
    /// automaton ends in a state without transitions.
    pub(super) fn caret_step(
        &mut self,
        event: Event,
        (formulas, automaton): (&caret::Formulas, &caret::Automaton),
        kept: Option<Variable>,
        out: &mut Vec<Statement>,
    ) {
        let span = self.span;
        let mut taken: Vec<(&caret::Transition, Vec<Expr>)> = Vec::new();
        for transition in &automaton.transitions {
            if let Some(guard) = self.caret_guard(event, formulas, transition) {
                taken.push((transition, guard));
            }
        }
        let place = |transition: &caret::Transition| match transition.read {
            caret::Read::Return(context) => (transition.from, Some(context)),
            _ => (transition.from, None),
        };
        let alike = |one: &caret::Transition| taken.iter().filter(|(it, _)| place(it) == place(one)).count();
        let several = taken.iter().any(|(transition, _)| alike(transition) > 1);
        let choice = several.then(|| self.choice());
        if let Some(choice) = choice {
            out.push(Statement { kind: StatementKind::Havoc(vec![choice]), span, attributes: Vec::new() });
        }
        let mut next = self.program.int(automaton.size(), span);
        let mut keep = self.program.int(0, span);
        for (number, (transition, guard)) in taken.iter().enumerate() {
            let mut parts = vec![self.is_number_of(self.state, transition.from)];
            if let (caret::Read::Return(context), Some(kept)) = (transition.read, kept) {
                parts.push(self.is_number_of(kept, context));
            }
            if let Some(choice) = choice.filter(|_| alike(transition) > 1) {
                parts.push(self.is_number_of(choice, number));
            }
            parts.extend(guard);
            let condition = self.program.and(parts, span);
            let to = self.program.int(transition.to, span);
            next = self.program.ite(condition, to, next, span);
            if let caret::Read::Call(context) = transition.read {
                let pushed = self.program.int(context, span);
                keep = self.program.ite(condition, pushed, keep, span);
            }
        }
        let mut pairs = vec![(self.state, next)];
        if let (EventKind::Call, Some(kept)) = (self.observer.events[event].kind, kept) {
            pairs.push((kept, keep));
        }
        out.push(Statement { kind: StatementKind::Assign(pairs), span, attributes: Vec::new() });
        if let Some(accepting) = automaton.accepting {
            let entered = self.is_number_of(self.state, accepting);
            let never = self.program.not(entered, span);
            let attributes = vec![self.property("the formula does not hold")];
            out.push(Statement { kind: StatementKind::Assert(AssertKind::Assert, never), span, attributes });
        }
    }

    fn is_number_of(&mut self, variable: Variable, number: usize) -> Expr {
        let value = self.program.variable(variable, self.span);
        let number = self.program.int(number, self.span);
        self.program.equal(value, number, self.span)
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
        &mut self,
        event: Event,
        formulas: &caret::Formulas,
        transition: &caret::Transition,
    ) -> Option<Vec<Expr>> {
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
                    let value = self.atom(number);
                    guard.push(if wanted { value } else { self.program.not(value, self.span) });
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
