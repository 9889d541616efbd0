//! What the caller decides: the data model, the property, and the meaning of signed overflow.

pub use property::named::{Check, Checks, Letter, Property};

/// The sizes of the integer types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits, as on 32-bit Linux.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64, as on 64-bit Linux.
    #[default]
    Lp64,
}

/// What bit operations without a rule over integers, and floating-point operations become; whether it is followed at the end of
/// a program which blocks it can still reach; and whether memory may be read as something else than it was written as.
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
    /// Whether another translation of the program checks memory, and a proof about this one has to hold of its executions: then objects are
    /// the same here as there, and nothing is assumed of pointers but where memory is accessed.
    pub memory_elsewhere: bool,
}

impl Options {
    /// Whether something is checked: the property is about it, or it was asked for.
    pub fn asks(&self, check: Check) -> bool {
        check.belongs_to(self.property) || self.checks.contains(check)
    }

    /// Whether anything about the validity or the end of memory is checked.
    pub fn checks_memory(&self) -> bool {
        [Check::Deref, Check::Free, Check::Track, Check::Cleanup].into_iter().any(|check| self.asks(check))
    }
}
