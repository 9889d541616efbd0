//! Nested word automata for formulas that a finite beginning of a word decides.
//!
//! A state is what must hold at the next position, what is promised about the innermost open call, and whether an open call still waits for its
//! return. At a call the automaton guesses what it promises: formulas that the body may rely on in the caller's modality, and that
//! therefore must hold at the call. What a call in the abstract modality leaves for its return goes on the stack, with what was promised
//! before. A word is accepted when nothing is left to be shown.
//!
//! Accepted are the words that have a beginning on which the formula holds ([`super::holds`]): formulas of this kind stay true when a word
//! becomes longer. Refused are weak "next" and "release" on the global and the abstract way, which no finite beginning
//! can show.
//!
//! Exponential in the formula in the worst case. Of two transitions that differ only in that one asks for more, only the other one
//! is kept.

use super::{Atom, Data, Formula, Formulas, Kind, Letter, Strength, Way};
use std::collections::{BTreeMap, BTreeSet};

/// What a letter must satisfy: atoms by their numbers, and whether they hold.
pub type Guard = Vec<(usize, bool)>;

/// What the stack keeps for a call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Context {
    /// What must hold at the return.
    returns: BTreeSet<Formula>,
    /// What was promised about the call around this one.
    outer: Promises,
    /// What is promised about this call.
    inner: BTreeSet<Formula>,
    /// Whether a call around this one waits for its return.
    waiting: bool,
}

/// What is promised about the innermost open call; none if no call is open.
type Promises = Option<BTreeSet<Formula>>;

/// What a transition reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Read {
    /// A position that is neither a call nor a return.
    Internal,
    /// A call; a context by its number goes on the stack.
    Call(usize),
    /// A return whose call has left this context.
    Return(usize),
}

/// A transition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Transition {
    /// Where it begins.
    pub from: usize,
    /// What it reads.
    pub read: Read,
    /// What the letter must satisfy.
    pub guard: Guard,
    /// Where it leads.
    pub to: usize,
}

/// A nested word automaton over finite words.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// What is left to be shown in each state.
    states: Vec<State>,
    /// The contexts on the stack.
    pub contexts: Vec<Context>,
    /// The transitions.
    pub transitions: Vec<Transition>,
    /// Where it begins.
    pub initial: usize,
    /// Where it ends, if it can.
    pub accepting: Option<usize>,
}

/// Why there is no automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotCoSafe {
    /// No finite beginning of a word shows this part of the formula.
    Part(Formula),
    /// The automaton has too many states.
    TooLarge,
}

/// More transitions than this are too many.
const MOST_TRANSITIONS: usize = 20_000;
/// Of so many formulas all sets are guessed.
const MOST_PROMISES: usize = 8;

/// What must come next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Follower {
    Any,
    Return,
    NoReturn,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct State {
    pub(super) due: BTreeSet<Formula>,
    follower: Follower,
    promises: Promises,
    waiting: bool,
}

impl State {
    /// Whether nothing is left to be shown.
    fn is_done(&self) -> bool {
        self.due.is_empty() && self.follower == Follower::Any && !self.waiting
    }
}

/// One way to make formulas true at a position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Branch {
    guard: BTreeMap<usize, bool>,
    due: BTreeSet<Formula>,
    follower: Follower,
    returns: BTreeSet<Formula>,
}

impl Branch {
    /// Whether it asks for nothing that the other does not ask for.
    fn asks_less(&self, other: &Branch) -> bool {
        self.guard.iter().all(|(atom, value)| other.guard.get(atom) == Some(value))
            && self.due.is_subset(&other.due)
            && self.returns.is_subset(&other.returns)
            && (self.follower == Follower::Any || self.follower == other.follower)
    }

    fn follow(mut self, follower: Follower) -> Option<Branch> {
        if self.follower != Follower::Any && self.follower != follower {
            return None;
        }
        self.follower = follower;
        Some(self)
    }
}

/// A position at which formulas are to be made true.
struct Position<'a> {
    kind: Kind,
    promises: &'a Promises,
}

impl Automaton {
    /// The automaton of a formula.
    pub fn of(formulas: &Formulas, formula: Formula) -> Result<Automaton, NotCoSafe> {
        let mut formulas = formulas.clone();
        let parts = formulas.parts(formula);
        for &part in &parts {
            if let Data::Next(Way::Global | Way::Abstract, Strength::Weak, _)
            | Data::Release(Way::Global | Way::Abstract, ..) = formulas.data(part)
            {
                return Err(NotCoSafe::Part(part));
            }
        }
        let mut promised: Vec<Formula> = Vec::new();
        for &part in &parts {
            match *formulas.data(part) {
                Data::Next(Way::Caller, _, inner) => promised.push(inner),
                Data::Until(Way::Caller, ..) | Data::Release(Way::Caller, ..) => promised.push(part),
                _ => {}
            }
        }
        promised.sort_unstable();
        promised.dedup();
        if promised.len() > MOST_PROMISES {
            return Err(NotCoSafe::TooLarge);
        }
        // The unfoldings of "until" and "release" are formulas, too.
        for &part in &parts {
            unfolded(&mut formulas, part);
        }
        Maker { formulas, promised, automaton: Automaton::empty(), numbers: BTreeMap::new() }.make(formula)
    }

    fn empty() -> Automaton {
        Automaton {
            states: Vec::new(),
            contexts: Vec::new(),
            transitions: Vec::new(),
            initial: 0,
            accepting: None,
        }
    }

    /// How many states there are.
    pub fn size(&self) -> usize {
        self.states.len()
    }

    pub(super) fn state(&self, state: usize) -> &State {
        &self.states[state]
    }

    /// Whether a word without returns that have no call has a beginning that is accepted.
    pub fn accepts(&self, formulas: &Formulas, word: &[Letter]) -> bool {
        let mut reached: BTreeSet<(usize, Vec<usize>)> = BTreeSet::from([(self.initial, Vec::new())]);
        for letter in word {
            let mut next = BTreeSet::new();
            for (state, stack) in &reached {
                if Some(*state) == self.accepting {
                    return true;
                }
                let fits = |transition: &&Transition| {
                    transition.from == *state
                        && transition.guard.iter().all(|&(atom, wanted)| {
                            value(&formulas.atoms[atom], letter.kind).unwrap_or(letter.values[atom]) == wanted
                        })
                };
                for transition in self.transitions.iter().filter(fits) {
                    let mut stack = stack.clone();
                    let goes = match (letter.kind, transition.read) {
                        (Kind::Internal, Read::Internal) => true,
                        (Kind::Call, Read::Call(context)) => {
                            stack.push(context);
                            true
                        }
                        (Kind::Return, Read::Return(context)) => stack.pop() == Some(context),
                        _ => false,
                    };
                    if goes {
                        next.insert((transition.to, stack));
                    }
                }
            }
            reached = next;
        }
        reached.iter().any(|(state, _)| Some(*state) == self.accepting)
    }
}

/// The value of an atom that the kind of a position decides.
pub(super) fn value(atom: &Atom, kind: Kind) -> Option<bool> {
    match atom {
        Atom::Call(None) => Some(kind == Kind::Call),
        Atom::Return(None) => Some(kind == Kind::Return),
        Atom::Call(Some(_)) if kind != Kind::Call => Some(false),
        Atom::Return(Some(_)) if kind != Kind::Return => Some(false),
        _ => None,
    }
}

/// `U` as `right || left && next`, `R` as `right && (left || next)`; others as they are.
pub(super) fn unfolded(formulas: &mut Formulas, formula: Formula) -> Formula {
    match *formulas.data(formula) {
        Data::Until(way, left, right) => {
            let next = formulas.next(way, Strength::Strong, formula);
            let goes_on = formulas.and(left, next);
            formulas.or(right, goes_on)
        }
        Data::Release(way, left, right) => {
            let next = formulas.next(way, Strength::Weak, formula);
            let goes_on = formulas.or(left, next);
            formulas.and(right, goes_on)
        }
        _ => formula,
    }
}

struct Maker {
    formulas: Formulas,
    /// The formulas that may be promised at calls.
    promised: Vec<Formula>,
    automaton: Automaton,
    numbers: BTreeMap<State, usize>,
}

impl Maker {
    fn make(mut self, formula: Formula) -> Result<Automaton, NotCoSafe> {
        let first =
            State { due: BTreeSet::from([formula]), follower: Follower::Any, promises: None, waiting: false };
        self.automaton.initial = self.state(first);
        let (mut states, mut done) = (0, BTreeSet::new());
        loop {
            let before = (self.automaton.states.len(), self.automaton.contexts.len());
            while states < self.automaton.states.len() {
                self.calls_and_internals(states);
                states += 1;
            }
            for state in 0..self.automaton.states.len() {
                for context in 0..self.automaton.contexts.len() {
                    if done.insert((state, context)) {
                        self.returns(state, context);
                    }
                }
            }
            if self.automaton.transitions.len() > MOST_TRANSITIONS {
                return Err(NotCoSafe::TooLarge);
            }
            if before == (self.automaton.states.len(), self.automaton.contexts.len()) {
                self.automaton.transitions.sort_unstable();
                self.automaton.transitions.dedup();
                return Ok(self.automaton);
            }
        }
    }

    fn state(&mut self, mut state: State) -> usize {
        let done = state.is_done();
        if done {
            // What was promised matters no more.
            state.promises = None;
        }
        if let Some(&known) = self.numbers.get(&state) {
            return known;
        }
        let number = self.automaton.states.len();
        self.numbers.insert(state.clone(), number);
        self.automaton.states.push(state);
        if done {
            self.automaton.accepting = Some(number);
        }
        number
    }

    fn add(&mut self, from: usize, read: Read, branch: &Branch, to: State) {
        let to = self.state(to);
        let guard = branch.guard.iter().map(|(&atom, &holds)| (atom, holds)).collect();
        self.automaton.transitions.push(Transition { from, read, guard, to });
    }

    fn calls_and_internals(&mut self, number: usize) {
        let state = self.automaton.states[number].clone();
        if state.is_done() || state.follower == Follower::Return {
            return;
        }
        let position = Position { kind: Kind::Internal, promises: &state.promises };
        for branch in self.branches(&state.due, &position) {
            let (due, follower) = (branch.due.clone(), branch.follower);
            self.add(number, Read::Internal, &branch, State { due, follower, ..state.clone() });
        }
        for guess in 0..1_u32 << self.promised.len() {
            let chosen = self.promised.iter().enumerate().filter(|(index, _)| guess >> index & 1 == 1);
            let inner: BTreeSet<Formula> = chosen.map(|(_, &formula)| formula).collect();
            let due: BTreeSet<Formula> = state.due.union(&inner).copied().collect();
            let position = Position { kind: Kind::Call, promises: &state.promises };
            for branch in self.branches(&due, &position) {
                let waiting = state.waiting || !branch.returns.is_empty();
                let context = Context {
                    returns: branch.returns.clone(),
                    outer: state.promises.clone(),
                    inner: inner.clone(),
                    waiting: state.waiting,
                };
                let known = self.automaton.contexts.iter().position(|known| *known == context);
                let context = known.unwrap_or_else(|| {
                    self.automaton.contexts.push(context);
                    self.automaton.contexts.len() - 1
                });
                let (due, follower) = (branch.due.clone(), branch.follower);
                let to = State { due, follower, promises: Some(inner.clone()), waiting };
                self.add(number, Read::Call(context), &branch, to);
            }
        }
    }

    fn returns(&mut self, number: usize, context: usize) {
        let state = self.automaton.states[number].clone();
        let left = self.automaton.contexts[context].clone();
        let fits = state.promises.as_ref() == Some(&left.inner)
            && state.waiting == (left.waiting || !left.returns.is_empty());
        if state.is_done() || state.follower == Follower::NoReturn || !fits {
            return;
        }
        let due: BTreeSet<Formula> = state.due.union(&left.returns).copied().collect();
        let position = Position { kind: Kind::Return, promises: &left.outer };
        for branch in self.branches(&due, &position) {
            let (due, follower) = (branch.due.clone(), branch.follower);
            let (promises, waiting) = (left.outer.clone(), left.waiting);
            self.add(number, Read::Return(context), &branch, State { due, follower, promises, waiting });
        }
    }

    /// All ways to make formulas true at a position, without those that ask for more than others.
    fn branches(&mut self, due: &BTreeSet<Formula>, position: &Position<'_>) -> Vec<Branch> {
        let start = Branch {
            guard: BTreeMap::new(),
            due: BTreeSet::new(),
            follower: Follower::Any,
            returns: BTreeSet::new(),
        };
        let mut all: Vec<Branch> = Vec::new();
        let mut pending = vec![(start, due.iter().copied().collect::<Vec<_>>())];
        while let Some((branch, mut todo)) = pending.pop() {
            let Some(formula) = todo.pop() else {
                all.push(branch);
                continue;
            };
            match *self.formulas.data(formula) {
                Data::And(left, right) => {
                    todo.extend([left, right]);
                    pending.push((branch, todo));
                }
                Data::Or(left, right) => {
                    let mut other = todo.clone();
                    other.push(right);
                    todo.push(left);
                    pending.extend([(branch.clone(), todo), (branch, other)]);
                }
                Data::Until(..) | Data::Release(..) => {
                    todo.push(unfolded(&mut self.formulas, formula));
                    pending.push((branch, todo));
                }
                _ => pending.extend(self.simple(branch, formula, position).map(|branch| (branch, todo))),
            }
        }
        all.sort_unstable();
        all.dedup();
        let is_needed = |one: &&Branch| !all.iter().any(|other| other != *one && other.asks_less(one));
        all.iter().filter(is_needed).cloned().collect()
    }

    /// Adds a formula without parts at the same position to a branch; none if it is false there.
    fn simple(&self, mut branch: Branch, formula: Formula, position: &Position<'_>) -> Option<Branch> {
        match *self.formulas.data(formula) {
            Data::False => None,
            Data::Literal(atom, wanted) => match &self.formulas.atoms[atom] {
                // A call goes on with its return.
                Atom::Last if position.kind == Kind::Call => (!wanted).then_some(branch),
                Atom::Last => branch.follow(if wanted { Follower::Return } else { Follower::NoReturn }),
                data => match value(data, position.kind) {
                    Some(value) => (value == wanted).then_some(branch),
                    None => {
                        let known = branch.guard.insert(atom, wanted);
                        known.is_none_or(|known| known == wanted).then_some(branch)
                    }
                },
            },
            Data::Next(Way::Global, _, inner) => {
                branch.due.insert(inner);
                Some(branch)
            }
            Data::Next(Way::Abstract, _, inner) if position.kind == Kind::Call => {
                branch.returns.insert(inner);
                Some(branch)
            }
            Data::Next(Way::Abstract, _, inner) => {
                branch.due.insert(inner);
                branch.follow(Follower::NoReturn)
            }
            Data::Next(Way::Caller, strength, inner) => match position.promises {
                Some(promises) => promises.contains(&inner).then_some(branch),
                None => (strength == Strength::Weak).then_some(branch),
            },
            _ => Some(branch),
        }
    }
}
