//! Properties that have a name, as automata, and the checks that they are made of.
//!
//! A property with a name is an automaton of one state over what a program does. Its *letters* are what can happen in a program: a function is called, a label is
//! reached, an assertion or a check fails. At some of them the automaton leaves its state for the error; one of these properties is about executions that
//! never end, and its automaton accepts every one of them. Everything else that a property can be, a formula or an observer with more states, is an
//! automaton of its own ([`crate::ltl`], [`crate::caret`], [`crate::observer`]).
//!
//! An automaton of one state needs no variable for it, and no step where nothing is left. So front ends make the product as they translate: at a
//! letter at which the property errs stands an assertion that fails, and nothing stands at all others. [`Property::observer`] is the same
//! automaton as any other observer, for those who want to see it or to change it.
//!
//! Each property and each check is one row of a table: to add one is to add a row.

use crate::observer::{Event, EventData, EventKind, Observer, Pattern, State, StateData, Transition};
use base::{EntityRef, PrimaryMap, Span};
use std::fmt;

/// Something that can happen in a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Letter {
    /// A function is called, whether the program defines it or not.
    Call(&'static str),
    /// The error function of verifiers is called, and the program does not say itself what it does.
    ErrorFunction,
    /// What is passed to the assertion function of verifiers does not hold, and the program does not say itself what that function does.
    AssertFunction,
    /// A label is reached.
    Label(&'static str),
    /// An assertion of the program fails.
    Assertion,
    /// A check fails.
    Fails(Check),
}

/// A property that has a name: an automaton of one state. Two are the same if they have the same name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Property {
    name: &'static str,
    /// The letters at which it goes to the error.
    errors: &'static [Letter],
    /// Whether it accepts every execution that never ends.
    endless: bool,
    /// How property files write it, without spaces, if it is not written check by check.
    formulas: &'static [&'static str],
}

#[allow(non_upper_case_globals, reason = "they are the names of properties")]
impl Property {
    /// No call of `reach_error` (or of `__VERIFIER_error`).
    pub const UnreachCall: Property = Property {
        name: "unreach-call",
        errors: &[
            Letter::Call("reach_error"),
            Letter::Call("__VERIFIER_error"),
            Letter::ErrorFunction,
            Letter::AssertFunction,
        ],
        endless: false,
        formulas: &["G!call(reach_error())", "G!call(__VERIFIER_error())"],
    };
    /// The label `ERROR` is not reached.
    pub const UnreachLabel: Property = Property {
        name: "unreach-label",
        errors: &[Letter::Label("ERROR"), Letter::ErrorFunction],
        endless: false,
        formulas: &["G!label(ERROR)"],
    };
    /// No failing `assert`, `__VERIFIER_assert` or ACSL assertion.
    pub const Assert: Property = Property {
        name: "assert",
        errors: &[Letter::Assertion, Letter::ErrorFunction, Letter::AssertFunction],
        endless: false,
        formulas: &["Gassert"],
    };
    /// No signed overflow.
    pub const NoOverflow: Property = Property::checked("no-overflow", &[Letter::Fails(Check::Overflow)]);
    /// No access to memory that is not valid, no wrong `free`, and no block that is lost.
    pub const MemSafety: Property = Property::checked(
        "valid-memsafety",
        &[Letter::Fails(Check::Free), Letter::Fails(Check::Deref), Letter::Fails(Check::Track)],
    );
    /// No block that is not given back at the end.
    pub const MemCleanup: Property = Property::checked("valid-memcleanup", &[Letter::Fails(Check::Cleanup)]);
    /// No run that never ends.
    pub const Termination: Property =
        Property { name: "termination", errors: &[], endless: true, formulas: &["Fend"] };
    /// No two accesses to one place in memory at the same moment, one of them a write, and not both atomic.
    pub const NoDataRace: Property = Property::checked("no-data-race", &[Letter::Fails(Check::DataRace)]);
    /// Nothing but what is checked besides.
    pub const Checks: Property = Property::checked("checks", &[]);
}

impl Default for Property {
    fn default() -> Property {
        Property::UnreachCall
    }
}

impl Property {
    /// All of them.
    pub const ALL: [Property; 9] = [
        Property::UnreachCall,
        Property::UnreachLabel,
        Property::Assert,
        Property::NoOverflow,
        Property::MemSafety,
        Property::MemCleanup,
        Property::Termination,
        Property::NoDataRace,
        Property::Checks,
    ];

    /// A property that is written check by check.
    const fn checked(name: &'static str, errors: &'static [Letter]) -> Property {
        Property { name, errors, endless: false, formulas: &[] }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Whether its automaton goes to the error at a letter.
    pub fn errs_at(self, letter: Letter) -> bool {
        self.errors.contains(&letter)
    }

    /// Whether its automaton goes to the error where a function is called, also one that the program defines.
    pub fn errs_at_call(self, function: &str) -> bool {
        self.errors.iter().any(|letter| matches!(letter, Letter::Call(name) if *name == function))
    }

    /// Whether its automaton goes to the error at a label.
    pub fn errs_at_label(self, label: &str) -> bool {
        self.errors.iter().any(|letter| matches!(letter, Letter::Label(name) if *name == label))
    }

    /// Whether its automaton accepts every execution that never ends.
    pub fn accepts_endless(self) -> bool {
        self.endless
    }

    /// The checks that it is about.
    pub fn checks(self) -> impl Iterator<Item = Check> {
        self.errors.iter().filter_map(|letter| match letter {
            Letter::Fails(check) => Some(*check),
            _ => None,
        })
    }

    /// How property files write it, with spaces; none if they cannot.
    pub fn written(self) -> Vec<String> {
        let own = self.formulas.iter().take(1).copied();
        own.chain(self.checks().filter_map(Check::formula)).map(spaced).collect()
    }

    /// The property that is about some checks, and not about more than they are.
    pub fn of_checks(checks: Checks) -> Property {
        let all = [Property::MemSafety, Property::NoOverflow, Property::NoDataRace, Property::MemCleanup];
        let is_about = |property: &Property| property.checks().all(|check| checks.contains(check));
        all.into_iter().find(is_about).unwrap_or(Property::Checks)
    }

    /// The automaton of a property, and of checks besides, in the language of observers; none if no finite execution violates it.
    pub fn observer(self, besides: Checks) -> Option<Observer> {
        let checks = Check::ALL.into_iter().filter(|&check| besides.contains(check)).map(Letter::Fails);
        let letters: Vec<Letter> = self.errors.iter().copied().chain(checks).collect();
        if self.endless && letters.is_empty() {
            return None;
        }
        let nowhere = Span::new(EntityRef::new(0), 0, 0);
        let (initial, mut events, mut transitions) = (State::new(0), PrimaryMap::new(), Vec::new());
        let mut states: PrimaryMap<State, StateData> = PrimaryMap::new();
        states.push(StateData { name: "running".to_owned(), error: None });
        for letter in letters {
            let Some((kind, name, message)) = event(letter) else { continue };
            let to = states.push(StateData { name: "error".to_owned(), error: Some(message) });
            let event: Event = events.push(EventData { kind, name: name.to_owned(), span: nowhere });
            let (arguments, result, called_in, condition) = (None, Pattern::Any, None, None);
            let from = initial;
            transitions.push(Transition {
                from,
                event,
                arguments,
                result,
                called_in,
                condition,
                to,
                span: nowhere,
            });
        }
        let name = self.name.replace('-', "_");
        Some(Observer { name, each: Vec::new(), states, initial, events, transitions })
    }
}

/// The event of an observer that is a letter, and what is said where it is an error. What verifiers understand without
/// a definition in the program is among the calls and assertions of a program.
fn event(letter: Letter) -> Option<(EventKind, &'static str, String)> {
    match letter {
        Letter::Call(name) => Some((EventKind::Call, name, format!("{name} is called"))),
        Letter::Label(name) => Some((EventKind::Label, name, format!("the label {name} is reached"))),
        Letter::Assertion => Some((EventKind::Fails, "assert", "an assertion fails".to_owned())),
        Letter::Fails(check) => Some((EventKind::Fails, check.name(), check.words().to_owned())),
        Letter::ErrorFunction | Letter::AssertFunction => None,
    }
}

/// A formula of a property file with the spaces that people write.
fn spaced(formula: &str) -> String {
    let (operator, rest) = formula.split_at(1);
    match rest.strip_prefix('!') {
        Some(rest) => format!("{operator} ! {rest}"),
        None => format!("{operator} {rest}"),
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A formula that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// What the program itself calls an error, or a run without an end.
    Goal(Property),
    /// Something that must not happen wherever it could.
    Check(Check),
}

impl Named {
    /// What a formula of a property file, without its spaces, stands for.
    pub fn of_formula(formula: &str) -> Option<Named> {
        let goal = Property::ALL.into_iter().find(|property| property.formulas.contains(&formula));
        let check = || Check::ALL.into_iter().find(|check| check.formula() == Some(formula));
        goal.map(Named::Goal).or_else(|| check().map(Named::Check))
    }
}

/// Something that must not happen wherever it could, each an assertion of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Check {
    /// An access to memory that is not valid.
    Deref,
    /// `free` of something that is no allocated block.
    Free,
    /// A block that is neither freed nor reachable at the end.
    Track,
    /// A block that is not freed at the end.
    Cleanup,
    /// A signed overflow.
    Overflow,
    /// An unsigned result that wraps around.
    UnsignedOverflow,
    /// A conversion to an integer type that changes the value.
    Conversion,
    /// A division by zero.
    Division,
    /// A shift by a negative amount, or by the width or more.
    Shift,
    /// A pointer that is moved out of its object.
    PointerOverflow,
    /// A variable that is read before it has got a value.
    Uninitialised,
    /// Accesses of two threads at the same moment.
    DataRace,
    /// All threads wait, for locks, conditions or each other.
    Deadlock,
}

/// What there is to say about a check.
struct Row {
    check: Check,
    name: &'static str,
    /// What it forbids.
    words: &'static str,
    /// How property files write it, without spaces, if they can.
    formula: Option<&'static str>,
    /// The word of the group that it belongs to.
    group: Option<&'static str>,
}

const fn row(
    check: Check,
    name: &'static str,
    words: &'static str,
    formula: Option<&'static str>,
    group: Option<&'static str>,
) -> Row {
    Row { check, name, words, formula, group }
}

/// The checks, in their order.
#[rustfmt::skip]
const ROWS: [Row; 13] = [
    row(Check::Deref, "valid-deref", "accesses to invalid memory", Some("Gvalid-deref"), Some("memory")),
    row(Check::Free, "valid-free", "freeing what is no block", Some("Gvalid-free"), Some("memory")),
    row(Check::Track, "valid-memtrack", "lost blocks", Some("Gvalid-memtrack"), Some("leaks")),
    row(Check::Cleanup, "valid-memcleanup", "blocks that are not freed", Some("Gvalid-memcleanup"), None),
    row(Check::Overflow, "no-overflow", "signed overflow", Some("G!overflow"), Some("overflow")),
    row(Check::UnsignedOverflow, "no-unsigned-overflow", "unsigned results that wrap around", None, Some("unsigned-overflow")),
    row(Check::Conversion, "no-lossy-conversion", "conversions that change a value", None, Some("conversion")),
    row(Check::Division, "no-division-by-zero", "division by zero", None, Some("division")),
    row(Check::Shift, "no-bad-shift", "shifts by a negative amount, or by the width or more", None, Some("shift")),
    row(Check::PointerOverflow, "no-pointer-overflow", "pointers that are moved out of their object", None, Some("pointer-overflow")),
    row(Check::Uninitialised, "no-uninitialised-read", "reads of variables without a value", None, Some("uninitialised")),
    row(Check::DataRace, "no-data-race", "accesses of two threads at the same moment", Some("G!data-race"), Some("data-race")),
    row(Check::Deadlock, "no-deadlock", "states in which all threads wait", None, Some("deadlock")),
];

impl Check {
    /// All of them.
    pub const ALL: [Check; ROWS.len()] = {
        let mut all = [Check::Deref; ROWS.len()];
        let mut number = 0;
        while number < ROWS.len() {
            all[number] = ROWS[number].check;
            number += 1;
        }
        all
    };

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Its name, with which the text of its assertions begins.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// What it forbids, in words.
    pub fn words(self) -> &'static str {
        self.row().words
    }

    /// How property files write it, without spaces, if they can.
    pub fn formula(self) -> Option<&'static str> {
        self.row().formula
    }

    /// How property files write it, with spaces, if they can.
    pub fn written(self) -> Option<String> {
        self.formula().map(spaced)
    }

    /// Whether a property is about it.
    pub fn belongs_to(self, property: Property) -> bool {
        property.errs_at(Letter::Fails(self))
    }
}

/// Checks that people ask for with one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// The word.
    pub word: &'static str,
    /// What is checked.
    pub help: &'static str,
}

const fn group(word: &'static str, help: &'static str) -> Group {
    Group { word, help }
}

impl Group {
    /// Assertions, which are checked anyway.
    pub const ASSERTS: Group =
        group("asserts", "Assertions, which are always checked without a property file");
    /// Executions that never end, a question of its own.
    pub const TERMINATION: Group =
        group("termination", "Executions that never end; a question of its own, without any of the others");
    /// All checks.
    pub const EVERYTHING: Group = group("all", "All of them but `termination`");

    /// All groups, in the order in which people are told of them.
    pub const ALL: [Group; 14] = [
        Group::ASSERTS,
        group("memory", "Accesses to memory, and `free`"),
        group("leaks", "Blocks that are lost"),
        group("overflow", "Signed overflow"),
        group("unsigned-overflow", "Unsigned results that wrap around"),
        group("conversion", "Conversions that change a value"),
        group("division", "Division by zero"),
        group("shift", "Shifts by a negative amount, or by the width or more"),
        group(
            "pointer-overflow",
            "Pointers that are moved out of their object, further than just behind its end",
        ),
        group("uninitialised", "Reads of variables and memory that have no value yet"),
        group("data-race", "Accesses of two threads to one place at the same moment"),
        group("deadlock", "States in which all threads wait"),
        Group::TERMINATION,
        Group::EVERYTHING,
    ];

    /// The checks of the group.
    pub fn checks(self) -> Checks {
        let belongs = |row: &&Row| self == Group::EVERYTHING || row.group == Some(self.word);
        ROWS.iter().filter(belongs).fold(Checks::default(), |checks, row| checks.with(row.check))
    }
}

/// A set of checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checks(u16);

impl Checks {
    /// This set with one check more.
    pub fn with(self, check: Check) -> Checks {
        Checks(self.0 | 1 << check as u16)
    }

    /// The checks of both sets.
    pub fn and(self, other: Checks) -> Checks {
        Checks(self.0 | other.0)
    }

    /// This set without the checks that a property is about.
    pub fn without_those_of(self, property: Property) -> Checks {
        let kept =
            Check::ALL.into_iter().filter(|&check| self.contains(check) && !check.belongs_to(property));
        kept.fold(Checks::default(), Checks::with)
    }

    /// Whether a check is in the set.
    pub fn contains(self, check: Check) -> bool {
        self.0 & 1 << check as u16 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_property_has_a_name_of_its_own() {
        for property in Property::ALL {
            let same = Property::ALL.iter().filter(|other| other.name == property.name);
            assert_eq!(same.count(), 1, "{property}");
            let all = property.checks().fold(Checks::default(), Checks::with);
            if all != Checks::default() {
                assert!(property.formulas.is_empty(), "{property}");
                assert_eq!(Property::of_checks(all), property);
            }
        }
    }

    #[test]
    fn rows_of_checks_are_in_their_order() {
        for (number, row) in ROWS.iter().enumerate() {
            assert_eq!(row.check as usize, number, "{}", row.name);
            assert!(row.group.is_none_or(|word| Group::ALL.iter().any(|group| group.word == word)));
        }
        for group in Group::ALL {
            let is_question = [Group::ASSERTS, Group::TERMINATION].contains(&group);
            assert_eq!(group.checks() == Checks::default(), is_question, "{}", group.word);
        }
    }

    #[test]
    fn formulas_stand_for_one_thing() {
        for check in Check::ALL {
            if let Some(formula) = check.formula() {
                assert_eq!(Named::of_formula(formula), Some(Named::Check(check)));
            }
        }
        assert_eq!(Named::of_formula("Fend"), Some(Named::Goal(Property::Termination)));
        assert_eq!(Named::of_formula("Fstart"), None);
        assert_eq!(Property::UnreachCall.written(), ["G ! call(reach_error())"]);
        assert_eq!(Property::MemSafety.written(), ["G valid-free", "G valid-deref", "G valid-memtrack"]);
        assert_eq!(Property::Termination.written(), ["F end"]);
    }

    #[test]
    fn automata_can_be_read_again() {
        for property in Property::ALL.into_iter().filter(|property| !property.accepts_endless()) {
            let observer = property.observer(Group::EVERYTHING.checks()).expect("finite violations");
            let text = crate::observer::text(&observer);
            let again = crate::observer::parse(EntityRef::new(0), &text)
                .unwrap_or_else(|why| panic!("{text}{why:?}"));
            assert_eq!(crate::observer::text(&again), text);
        }
        assert!(Property::Termination.observer(Checks::default()).is_none());
    }
}
