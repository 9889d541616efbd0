//! Büchi nested word automata for all formulas, over infinite words.
//!
//! A state is what must hold at the next position, what is promised about the innermost open call (as in the [automata over finite
//! words](super::Automaton)), and a guess whether the procedure at hand returns. That guess makes the abstract way known: from a call it goes on
//! with the return, or it ends there. Inside a procedure that returns, all calls return.
//!
//! Infinitely often must be true, at some position each: the procedure at hand never returns (so every procedure that was said to return does); every
//! "until" of the global way is not put off; every "until" of the abstract way is not put off, at a position of a procedure that never returns
//! (on all other abstract ways the end comes, and there "until" can be put off no more). A counter makes one condition out of these
//! (Alur, Etessami, Madhusudan, "A Temporal Logic of Nested Calls and Returns", Section 4).
//!
//! Exponential in the formula in the worst case.

use super::automaton::{unfolded, value};
use super::{Atom, Data, Formula, Formulas, Guard, Kind, Letter, Read, Strength, Way};
use std::collections::{BTreeMap, BTreeSet};

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
    /// Whether it is an accepting one.
    pub accepting: bool,
}

/// A nested word automaton over infinite words: a run from state 0 has to take accepting transitions infinitely often.
#[derive(Clone, Debug)]
pub struct Buchi {
    /// How many states there are.
    pub states: usize,
    /// How many contexts calls may leave on the stack.
    pub contexts: usize,
    /// The transitions.
    pub transitions: Vec<Transition>,
}

/// More transitions than this are too many.
const MOST_TRANSITIONS: usize = 20_000;
/// Of so many formulas all sets are guessed.
const MOST_PROMISES: usize = 6;

/// What is promised about the innermost open call; none if no call is open.
type Promises = Option<BTreeSet<Formula>>;

/// What must come next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Follower {
    Any,
    Return,
    NoReturn,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct State {
    due: BTreeSet<Formula>,
    follower: Follower,
    promises: Promises,
    /// Whether the procedure at hand returns.
    returns: bool,
    /// The condition that has to be met next.
    level: usize,
}

/// What the stack keeps for a call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Context {
    /// What must hold at the return.
    due: BTreeSet<Formula>,
    outer: Promises,
    inner: BTreeSet<Formula>,
    /// Whether the caller returns.
    returns: bool,
}

/// One way to make formulas true at a position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Branch {
    guard: BTreeMap<usize, bool>,
    due: BTreeSet<Formula>,
    follower: Follower,
    at_return: BTreeSet<Formula>,
    /// Every "until" that is put off.
    put_off: BTreeSet<Formula>,
}

impl Branch {
    /// Whether it asks for nothing that the other does not ask for.
    fn asks_less(&self, other: &Branch) -> bool {
        self.guard.iter().all(|(atom, value)| other.guard.get(atom) == Some(value))
            && self.due.is_subset(&other.due)
            && self.at_return.is_subset(&other.at_return)
            && self.put_off.is_subset(&other.put_off)
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
    /// Whether the call returns, if it is one.
    call_returns: bool,
}

/// What has to be true infinitely often.
enum Condition {
    /// The procedure at hand never returns.
    NeverReturns,
    /// An "until" of the global way is not put off.
    Global(Formula),
    /// An "until" of the abstract way is not put off, in a procedure that never returns.
    Abstract(Formula),
}

struct Maker {
    formulas: Formulas,
    /// The formulas that may be promised at calls.
    promised: Vec<Formula>,
    conditions: Vec<Condition>,
    /// Whether it matters which calls return.
    guesses: bool,
    states: Vec<State>,
    numbers: BTreeMap<State, usize>,
    contexts: Vec<Context>,
    transitions: Vec<Transition>,
}

impl Buchi {
    /// The automaton of a formula; none if it is too large.
    pub fn of(formulas: &Formulas, formula: Formula) -> Option<Buchi> {
        let mut formulas = formulas.clone();
        let parts = formulas.parts(formula);
        let mut promised: Vec<Formula> = Vec::new();
        let (mut conditions, mut guesses) = (Vec::new(), false);
        for &part in &parts {
            match *formulas.data(part) {
                Data::Next(Way::Caller, _, inner) => promised.push(inner),
                Data::Until(Way::Caller, ..) | Data::Release(Way::Caller, ..) => promised.push(part),
                Data::Until(Way::Global, ..) => conditions.push(Condition::Global(part)),
                Data::Until(Way::Abstract, ..) => {
                    guesses = true;
                    conditions.push(Condition::Abstract(part));
                }
                Data::Next(Way::Abstract, ..) | Data::Release(Way::Abstract, ..) => guesses = true,
                _ => {}
            }
        }
        if guesses {
            conditions.push(Condition::NeverReturns);
        }
        promised.sort_unstable();
        promised.dedup();
        if promised.len() > MOST_PROMISES {
            return None;
        }
        for &part in &parts {
            unfolded(&mut formulas, part);
        }
        let (numbers, states, contexts) = (BTreeMap::new(), Vec::new(), Vec::new());
        let transitions = Vec::new();
        Maker { formulas, promised, conditions, guesses, states, numbers, contexts, transitions }
            .make(formula)
    }
}

impl Maker {
    fn make(mut self, formula: Formula) -> Option<Buchi> {
        let due = BTreeSet::from([formula]);
        self.state(State { due, follower: Follower::Any, promises: None, returns: false, level: 0 });
        let (mut states, mut done) = (0, BTreeSet::new());
        loop {
            let before = (self.states.len(), self.contexts.len());
            while states < self.states.len() {
                self.calls_and_internals(states);
                states += 1;
            }
            for state in 0..self.states.len() {
                for context in 0..self.contexts.len() {
                    if done.insert((state, context)) {
                        self.returns(state, context);
                    }
                }
            }
            if self.transitions.len() > MOST_TRANSITIONS {
                return None;
            }
            if before == (self.states.len(), self.contexts.len()) {
                self.transitions.sort_unstable();
                self.transitions.dedup();
                let (states, contexts) = (self.states.len(), self.contexts.len());
                return Some(Buchi { states, contexts, transitions: self.transitions });
            }
        }
    }

    fn state(&mut self, state: State) -> usize {
        if let Some(&known) = self.numbers.get(&state) {
            return known;
        }
        let number = self.states.len();
        self.numbers.insert(state.clone(), number);
        self.states.push(state);
        number
    }

    /// Adds a transition; `own` says whether the procedure of the position returns.
    fn add(&mut self, from: usize, read: Read, (branch, own): (&Branch, bool), mut to: State) {
        let is_met = |condition: &Condition| match condition {
            Condition::NeverReturns => !own,
            Condition::Global(until) => !branch.put_off.contains(until),
            Condition::Abstract(until) => !own && !branch.put_off.contains(until),
        };
        let mut level = self.states[from].level;
        while self.conditions.get(level).is_some_and(is_met) {
            level += 1;
        }
        let accepting = level == self.conditions.len();
        to.level = if accepting { 0 } else { level };
        let to = self.state(to);
        let guard = branch.guard.iter().map(|(&atom, &holds)| (atom, holds)).collect();
        self.transitions.push(Transition { from, read, guard, to, accepting });
    }

    fn calls_and_internals(&mut self, number: usize) {
        let state = self.states[number].clone();
        if state.follower == Follower::Return {
            return;
        }
        let position = Position { kind: Kind::Internal, promises: &state.promises, call_returns: false };
        for branch in self.branches(&state.due, &position) {
            let (due, follower) = (branch.due.clone(), branch.follower);
            let to = State { due, follower, ..state.clone() };
            self.add(number, Read::Internal, (&branch, state.returns), to);
        }
        for guess in 0..1_u32 << self.promised.len() {
            let chosen = self.promised.iter().enumerate().filter(|(index, _)| guess >> index & 1 == 1);
            let inner: BTreeSet<Formula> = chosen.map(|(_, &formula)| formula).collect();
            for call_returns in [false, true] {
                // Inside a procedure that returns, all calls do.
                let is_possible = if self.guesses { call_returns || !state.returns } else { !call_returns };
                if is_possible {
                    self.calls(number, &state, &inner, call_returns);
                }
            }
        }
    }

    fn calls(&mut self, number: usize, state: &State, inner: &BTreeSet<Formula>, call_returns: bool) {
        let due: BTreeSet<Formula> = state.due.union(inner).copied().collect();
        let position = Position { kind: Kind::Call, promises: &state.promises, call_returns };
        for branch in self.branches(&due, &position) {
            let context = Context {
                due: branch.at_return.clone(),
                outer: state.promises.clone(),
                inner: inner.clone(),
                returns: state.returns,
            };
            let known = self.contexts.iter().position(|known| *known == context);
            let context = known.unwrap_or_else(|| {
                self.contexts.push(context);
                self.contexts.len() - 1
            });
            let to = State {
                due: branch.due.clone(),
                follower: branch.follower,
                promises: Some(inner.clone()),
                returns: call_returns,
                level: 0,
            };
            self.add(number, Read::Call(context), (&branch, state.returns), to);
        }
    }

    fn returns(&mut self, number: usize, context: usize) {
        let state = self.states[number].clone();
        let left = self.contexts[context].clone();
        let fits = state.promises.as_ref() == Some(&left.inner) && (state.returns || !self.guesses);
        if state.follower == Follower::NoReturn || !fits {
            return;
        }
        let due: BTreeSet<Formula> = state.due.union(&left.due).copied().collect();
        let position = Position { kind: Kind::Return, promises: &left.outer, call_returns: false };
        for branch in self.branches(&due, &position) {
            let to = State {
                due: branch.due.clone(),
                follower: branch.follower,
                promises: left.outer.clone(),
                returns: left.returns,
                level: 0,
            };
            self.add(number, Read::Return(context), (&branch, left.returns), to);
        }
    }

    /// All ways to make formulas true at a position, without those that ask for more than others.
    fn branches(&mut self, due: &BTreeSet<Formula>, position: &Position<'_>) -> Vec<Branch> {
        let start = Branch {
            guard: BTreeMap::new(),
            due: BTreeSet::new(),
            follower: Follower::Any,
            at_return: BTreeSet::new(),
            put_off: BTreeSet::new(),
        };
        let mut all: Vec<Branch> = Vec::new();
        let mut pending = vec![(start, due.iter().copied().collect::<Vec<_>>())];
        while let Some((mut branch, mut todo)) = pending.pop() {
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
                Data::Until(way @ (Way::Global | Way::Abstract), left, right) => {
                    let mut now = todo.clone();
                    now.push(right);
                    pending.push((branch.clone(), now));
                    branch.put_off.insert(formula);
                    todo.extend([left, self.formulas.next(way, Strength::Strong, formula)]);
                    pending.push((branch, todo));
                }
                Data::Until(..) | Data::Release(..) => {
                    todo.push(unfolded(&mut self.formulas, formula));
                    pending.push((branch, todo));
                }
                _ => pending
                    .extend(self.simple(branch, formula, position).into_iter().map(|it| (it, todo.clone()))),
            }
        }
        all.sort_unstable();
        all.dedup();
        let is_needed = |one: &&Branch| !all.iter().any(|other| other != *one && other.asks_less(one));
        all.iter().filter(is_needed).cloned().collect()
    }

    /// The ways to make a formula without parts at the same position true there.
    fn simple(&self, mut branch: Branch, formula: Formula, position: &Position<'_>) -> Vec<Branch> {
        let found = match *self.formulas.data(formula) {
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
            Data::Next(Way::Abstract, strength, inner) if position.kind == Kind::Call => {
                if position.call_returns {
                    branch.at_return.insert(inner);
                    Some(branch)
                } else {
                    (strength == Strength::Weak).then_some(branch)
                }
            }
            Data::Next(Way::Abstract, strength, inner) => {
                let ends = (strength == Strength::Weak).then(|| branch.clone().follow(Follower::Return));
                branch.due.insert(inner);
                let goes_on = branch.follow(Follower::NoReturn);
                return ends.flatten().into_iter().chain(goes_on).collect();
            }
            Data::Next(Way::Caller, strength, inner) => match position.promises {
                Some(promises) => promises.contains(&inner).then_some(branch),
                None => (strength == Strength::Weak).then_some(branch),
            },
            _ => Some(branch),
        };
        found.into_iter().collect()
    }
}

impl Buchi {
    /// Whether an infinite word is accepted; for tests.
    pub fn accepts(&self, formulas: &Formulas, word: &super::Lasso<'_>) -> bool {
        type Configuration = (usize, usize, Vec<usize>);
        let steps = |(position, state, stack): &Configuration| -> Vec<(Configuration, bool)> {
            let letter: &Letter = word.letter(*position);
            let fits = |transition: &&Transition| {
                transition.from == *state
                    && transition.guard.iter().all(|&(atom, wanted)| {
                        value(&formulas.atoms[atom], letter.kind).unwrap_or(letter.values[atom]) == wanted
                    })
            };
            let mut found = Vec::new();
            for transition in self.transitions.iter().filter(fits) {
                let mut stack = stack.clone();
                let goes = match (letter.kind, transition.read) {
                    (Kind::Internal, Read::Internal) => true,
                    (Kind::Call, Read::Call(context)) => {
                        // What nobody takes from the stack need not be there.
                        if word.returns(*position) {
                            stack.push(context);
                        }
                        true
                    }
                    (Kind::Return, Read::Return(context)) => stack.pop() == Some(context),
                    _ => false,
                };
                if goes {
                    found.push(((word.next(*position), transition.to, stack), transition.accepting));
                }
            }
            found
        };
        let reach = |from: &Configuration| {
            let (mut seen, mut pending) = (BTreeSet::new(), vec![from.clone()]);
            while let Some(at) = pending.pop() {
                for (to, _) in steps(&at) {
                    if seen.insert(to.clone()) {
                        pending.push(to);
                    }
                }
            }
            seen
        };
        let first: Configuration = (0, 0, Vec::new());
        let mut all = reach(&first);
        all.insert(first);
        all.iter().any(|at| {
            word.is_repeated(at.0)
                && steps(at)
                    .into_iter()
                    .any(|(to, accepting)| accepting && (to == *at || reach(&to).contains(at)))
        })
    }
}
