//! What the caller decides: the data model, the property, and the meaning of signed overflow.

use std::fmt;

/// The sizes of the integer types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits, as on 32-bit Linux.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64, as on 64-bit Linux.
    #[default]
    Lp64,
}

/// What must not happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Property {
    /// A call of `reach_error` (or of `__VERIFIER_error`).
    #[default]
    UnreachCall,
    /// Reaching the label `ERROR`.
    UnreachLabel,
    /// A failing `assert`, `__VERIFIER_assert` or ACSL assertion.
    Assert,
    /// A signed overflow.
    NoOverflow,
    /// An access to memory that is not valid, a wrong `free`, or a block that is lost.
    MemSafety,
    /// A block that is not given back at the end.
    MemCleanup,
    /// A run that never ends.
    Termination,
    /// Two accesses to one place in memory at the same moment, one of them a write, and not both atomic.
    NoDataRace,
    /// Nothing but what is checked besides.
    Checks,
}

impl Property {
    /// The property that is about some checks, and not about more than they are.
    pub fn of_checks(checks: Checks) -> Property {
        let all = [Property::MemSafety, Property::NoOverflow, Property::NoDataRace, Property::MemCleanup];
        let is_about = |property: &Property| {
            let mut own = Check::ALL.iter().filter(|check| check.belongs_to(*property));
            own.all(|&check| checks.contains(check))
        };
        all.into_iter().find(is_about).unwrap_or(Property::Checks)
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Property::Assert => "assert",
            Property::UnreachCall => "unreach-call",
            Property::UnreachLabel => "unreach-label",
            Property::NoOverflow => "no-overflow",
            Property::MemSafety => "valid-memsafety",
            Property::MemCleanup => "valid-memcleanup",
            Property::Termination => "termination",
            Property::NoDataRace => "no-data-race",
            Property::Checks => "checks",
        })
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

    /// Whether a property is about it.
    fn belongs_to(self, property: Property) -> bool {
        match self {
            Check::Deref | Check::Free | Check::Track => property == Property::MemSafety,
            Check::Cleanup => property == Property::MemCleanup,
            Check::Overflow => property == Property::NoOverflow,
            Check::DataRace => property == Property::NoDataRace,
            Check::UnsignedOverflow | Check::Conversion => false,
            Check::Division | Check::Shift | Check::Deadlock => false,
            Check::PointerOverflow | Check::Uninitialised => false,
        }
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

/// What bit operations without a rule over integers, and floating-point operations become; and whether it is followed at the end of
/// a program which blocks it can still reach.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum BitOperations {
    /// A number within bounds, on a marked statement: formulas stay in linear arithmetic.
    #[default]
    Marked,
    /// Operations on bit-vectors: exact, and hard for solvers.
    Exact,
}

/// What a signed overflow does where the property does not forbid it.
///
/// Collections of verification tasks take it for the end of an execution: it is a property of its own. Then an error
/// that is found needs no overflow, so it is one under both meanings; but a proof says nothing of executions behind an
/// overflow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SignedOverflow {
    /// The execution ends: the C standard gives it no meaning.
    #[default]
    Ends,
    /// The number grows beyond its type. This allows everything that [`Ends`](SignedOverflow::Ends) does and more: what is
    /// proven does not rest on an overflow being the end.
    GoesOn,
    /// The result wraps around in two's complement, as compiled programs do without optimisation.
    Wraps,
}

/// What a function does that has no body and is no function of the library, where it gets or returns pointers.
///
/// In any case its result is arbitrary, it changes no variable that it was not given the address of, gives no block
/// back, and keeps no pointer for a later call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bodyless {
    /// There is no answer about a program that calls one.
    Refuse,
    /// It may change everything that its arguments reach. An error behind it is not told, as it may need something
    /// that the function does not do.
    #[default]
    Havoc,
    /// It changes nothing.
    Pure,
}

/// Something that works unless the caller asks what happens if it does not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Service {
    /// `malloc` and its relatives: they may return null.
    Allocation,
    /// `pthread_create`: it may return `EAGAIN`, and then starts no thread.
    Threads,
    /// Functions that take a lock: they may return `EINVAL`, and then take none.
    Locks,
}

/// The services that may fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MayFail(u8);

impl MayFail {
    /// These, and one more.
    pub fn with(self, service: Service) -> MayFail {
        MayFail(self.0 | 1 << service as u8)
    }

    /// Whether a service may fail.
    pub fn contains(self, service: Service) -> bool {
        self.0 & 1 << service as u8 != 0
    }
}

/// Options of the translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The sizes of the integer types.
    pub data_model: DataModel,
    /// What must not happen.
    pub property: Property,
    /// What must not happen besides.
    pub checks: Checks,
    /// What a signed overflow does where it is not checked.
    pub signed_overflow: SignedOverflow,
    /// What bit operations become that have no rule over integers.
    pub bit_operations: BitOperations,
    /// What functions without a body do to what they are given.
    pub bodyless: Bodyless,
    /// What may fail that works otherwise.
    pub may_fail: MayFail,
    /// Where the text begins in the first file that was made to call a function of it; what stands there is not checked.
    pub made_from: Option<u32>,
}

impl Options {
    /// Whether something is checked: the property is about it, or it was asked for.
    pub fn asks(&self, check: Check) -> bool {
        check.belongs_to(self.property) || self.checks.contains(check)
    }
}
