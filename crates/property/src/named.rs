//! Properties that have a name: what front ends put into programs as assertions, and how property files write it.
//!
//! There are two kinds. A *check* is something that must not happen wherever it could, each an assertion of its own. A *goal* is what a run is asked for:
//! the errors that a program itself calls errors, the end of all its executions, or a set of checks under one name. Everything else that
//! a property can be, a formula or an observer, is an automaton of its own ([`crate::ltl`], [`crate::caret`], [`crate::observer`]).
//!
//! Each goal and each check is one row of a table: to add one is to add a row.

use std::fmt;

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Property {
    /// No call of `reach_error` (or of `__VERIFIER_error`).
    #[default]
    UnreachCall,
    /// The label `ERROR` is not reached.
    UnreachLabel,
    /// No failing `assert`, `__VERIFIER_assert` or ACSL assertion.
    Assert,
    /// No signed overflow.
    NoOverflow,
    /// No access to memory that is not valid, no wrong `free`, and no block that is lost.
    MemSafety,
    /// No block that is not given back at the end.
    MemCleanup,
    /// No run that never ends.
    Termination,
    /// No two accesses to one place in memory at the same moment, one of them a write, and not both atomic.
    NoDataRace,
    /// Nothing but what is checked besides.
    Checks,
}

/// What there is to say about a property.
struct Row {
    property: Property,
    name: &'static str,
    /// The checks that it is about.
    checks: &'static [Check],
    /// How property files write it, without spaces, if it is about no checks: those are written one by one.
    formulas: &'static [&'static str],
}

const ROWS: [Row; 9] = [
    Row {
        property: Property::UnreachCall,
        name: "unreach-call",
        checks: &[],
        formulas: &["G!call(reach_error())", "G!call(__VERIFIER_error())"],
    },
    Row {
        property: Property::UnreachLabel,
        name: "unreach-label",
        checks: &[],
        formulas: &["G!label(ERROR)"],
    },
    Row { property: Property::Assert, name: "assert", checks: &[], formulas: &["Gassert"] },
    Row { property: Property::NoOverflow, name: "no-overflow", checks: &[Check::Overflow], formulas: &[] },
    Row {
        property: Property::MemSafety,
        name: "valid-memsafety",
        checks: &[Check::Deref, Check::Free, Check::Track],
        formulas: &[],
    },
    Row {
        property: Property::MemCleanup,
        name: "valid-memcleanup",
        checks: &[Check::Cleanup],
        formulas: &[],
    },
    Row { property: Property::Termination, name: "termination", checks: &[], formulas: &["Fend"] },
    Row { property: Property::NoDataRace, name: "no-data-race", checks: &[Check::DataRace], formulas: &[] },
    Row { property: Property::Checks, name: "checks", checks: &[], formulas: &[] },
];

impl Property {
    fn row(self) -> &'static Row {
        // Every property has a row, which a test makes sure of.
        ROWS.iter().find(|row| row.property == self).unwrap_or(&ROWS[0])
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The checks that it is about.
    pub fn checks(self) -> &'static [Check] {
        self.row().checks
    }

    /// The property that is about some checks, and not about more than they are.
    pub fn of_checks(checks: Checks) -> Property {
        let all = [Property::MemSafety, Property::NoOverflow, Property::NoDataRace, Property::MemCleanup];
        let is_about = |property: &Property| property.checks().iter().all(|&check| checks.contains(check));
        all.into_iter().find(is_about).unwrap_or(Property::Checks)
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
        let goal = ROWS.iter().find(|row| row.formulas.contains(&formula)).map(|row| row.property);
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

impl Check {
    /// All of them.
    pub const ALL: [Check; 13] = [
        Check::Deref,
        Check::Free,
        Check::Track,
        Check::Cleanup,
        Check::Overflow,
        Check::UnsignedOverflow,
        Check::Conversion,
        Check::Division,
        Check::Shift,
        Check::PointerOverflow,
        Check::Uninitialised,
        Check::DataRace,
        Check::Deadlock,
    ];

    /// Its name, with which the text of its assertions begins.
    pub fn name(self) -> &'static str {
        match self {
            Check::Deref => "valid-deref",
            Check::Free => "valid-free",
            Check::Track => "valid-memtrack",
            Check::Cleanup => "valid-memcleanup",
            Check::Overflow => "no-overflow",
            Check::UnsignedOverflow => "no-unsigned-overflow",
            Check::Conversion => "no-lossy-conversion",
            Check::Division => "no-division-by-zero",
            Check::Shift => "no-bad-shift",
            Check::PointerOverflow => "no-pointer-overflow",
            Check::Uninitialised => "no-uninitialised-read",
            Check::DataRace => "no-data-race",
            Check::Deadlock => "no-deadlock",
        }
    }

    /// What it forbids, in words.
    pub fn words(self) -> &'static str {
        match self {
            Check::Deref => "accesses to invalid memory",
            Check::Free => "freeing what is no block",
            Check::Track => "lost blocks",
            Check::Cleanup => "blocks that are not freed",
            Check::Overflow => "signed overflow",
            Check::UnsignedOverflow => "unsigned results that wrap around",
            Check::Conversion => "conversions that change a value",
            Check::Division => "division by zero",
            Check::Shift => "shifts by a negative amount, or by the width or more",
            Check::PointerOverflow => "pointers that are moved out of their object",
            Check::Uninitialised => "reads of variables without a value",
            Check::DataRace => "accesses of two threads at the same moment",
            Check::Deadlock => "states in which all threads wait",
        }
    }

    /// How property files write it, without spaces, if they can.
    pub fn formula(self) -> Option<&'static str> {
        match self {
            Check::Deref => Some("Gvalid-deref"),
            Check::Free => Some("Gvalid-free"),
            Check::Track => Some("Gvalid-memtrack"),
            Check::Cleanup => Some("Gvalid-memcleanup"),
            Check::Overflow => Some("G!overflow"),
            Check::DataRace => Some("G!data-race"),
            Check::UnsignedOverflow | Check::Conversion => None,
            Check::Division | Check::Shift | Check::Deadlock => None,
            Check::PointerOverflow | Check::Uninitialised => None,
        }
    }

    /// Whether a property is about it.
    pub fn belongs_to(self, property: Property) -> bool {
        property.checks().contains(&self)
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
    fn every_property_has_one_row() {
        for row in &ROWS {
            assert_eq!(row.property.name(), row.name);
            assert_eq!(ROWS.iter().filter(|other| other.name == row.name).count(), 1, "{}", row.name);
            assert!(row.checks.is_empty() || row.formulas.is_empty(), "{}", row.name);
            if let Some(&first) = row.checks.first() {
                let all = row.checks.iter().fold(Checks::default(), |checks, &check| checks.with(check));
                assert_eq!(Property::of_checks(all), row.property);
                assert!(first.belongs_to(row.property));
            }
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
    }
}
