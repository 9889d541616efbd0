//! Claims about an unwinding of a program: plain data, in proofs and for those who check them.
//!
//! Nothing here is known to be true. Crate `unroll` says where claims can be made and makes sure that those that are used
//! are shown.

/// A claim about one of the questions that come up while a program is unrolled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The number of the question, from zero in the order in which they come up.
    pub question: u64,
    /// What is claimed.
    pub what: What,
    /// Whether it is used. A claim that is not used is there because its gates are among those that the proof speaks about.
    pub used: bool,
}

/// What is claimed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// No execution comes here.
    Unreached,
    /// A condition always has this value here.
    Truth(bool),
    /// An integer has at most so many bits here, in two's complement; at least one.
    Width(u32),
    /// A number is one of these here: ascending, at least one.
    OneOf(Vec<i128>),
}

/// What becomes of paths that meet again.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Paths {
    /// Their states are merged, so that the cost does not grow with their number.
    #[default]
    Merged,
    /// Each is followed to its end by itself, so that what is constant on one of them stays constant.
    Apart,
}
