//! The table of engines. Whoever adds an engine adds a line here.

use crate::task::Run;
use crate::{
    abstract_interpretation, bounded, guessing, horn, impact, kojak, leaping, predicate_abstraction,
    proof_spaces, quantified, search, termination, thread_modular, trace_abstraction,
};

/// An engine.
#[derive(Debug)]
pub struct Engine {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// The engine itself.
    pub run: Run,
    /// What becomes of calls before it starts.
    pub calls: Calls,
    /// What it can answer.
    pub answers: Answers,
    /// How it likes bit operations.
    pub bits: Bits,
}

/// How an engine likes bit operations that have no simple rule over integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bits {
    /// As numbers within bounds, on marked statements.
    Bounded,
    /// As they are. The engine reads the source only, and not its automata.
    Exact,
}

/// Whether an engine can work with calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// It follows calls and returns.
    Followed,
    /// It needs a program without calls, so they are inlined.
    Inlined,
}

/// What an engine can find out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answers {
    /// That a program is safe, and mostly also that it is not.
    Proofs,
    /// Only that a program is unsafe.
    Errors,
}

impl Engine {
    /// Can it show that a program is safe?
    pub fn proves(&self) -> bool {
        self.answers == Answers::Proofs
    }
}

impl PartialEq for Engine {
    fn eq(&self, other: &Engine) -> bool {
        self.name == other.name
    }
}

impl Eq for Engine {}

/// Papers "Nested Interpolants" and "Software Model Checking for People who Love Automata".
pub const TRACE_ABSTRACTION: &Engine = &Engine {
    name: "trace-abstraction",
    about: "Subtract Floyd-Hoare automata of infeasible traces until nothing is left",
    run: trace_abstraction::run,
    calls: Calls::Followed,
    answers: Answers::Proofs,
    bits: Bits::Bounded,
};

/// Paper "Leaping Loops in the Presence of Abstraction".
pub const LEAPING: &Engine = &Engine {
    name: "leaping",
    about: "Reach errors behind any number of loop iterations; never proves safety",
    run: leaping::run,
    calls: Calls::Inlined,
    answers: Answers::Errors,
    bits: Bits::Bounded,
};

/// Concrete search.
pub const SEARCH: &Engine = &Engine {
    name: "search",
    about: "Run the program, often and long; never proves safety",
    run: search::run,
    calls: Calls::Followed,
    answers: Answers::Errors,
    bits: Bits::Exact,
};

/// Paper "Splitting via Interpolants".
pub const KOJAK: &Engine = &Engine {
    name: "kojak",
    about: "Split the nodes of the program graph on interpolants and slice infeasible edges",
    run: kojak::run,
    calls: Calls::Inlined,
    answers: Answers::Proofs,
    bits: Bits::Bounded,
};

/// The algorithm that paper "Splitting via Interpolants" compares itself with.
pub const IMPACT: &Engine = &Engine {
    name: "impact",
    about: "Unwind the program into a tree and cover its leaves",
    run: impact::run,
    calls: Calls::Inlined,
    answers: Answers::Proofs,
    bits: Bits::Bounded,
};

/// Paper "Nested Interpolants", Section 3.3.
pub const PREDICATE_ABSTRACTION: &Engine = &Engine {
    name: "predicate-abstraction",
    about: "Track predicates at locations, refined by interpolants",
    run: predicate_abstraction::run,
    calls: Calls::Followed,
    answers: Answers::Proofs,
    bits: Bits::Bounded,
};

/// Paper "Software Model Checking for People who Love Automata", Section 3.
pub const ABSTRACT_INTERPRETATION: &Engine = &Engine {
    name: "abstract-interpretation",
    about: "Static analysis with intervals, congruences, octagons and affine equalities; never finds errors",
    run: abstract_interpretation::run,
    calls: Calls::Followed,
    answers: Answers::Proofs,
    bits: Bits::Bounded,
};

/// Invariants from runs.
pub const GUESSING: &Engine = &Engine {
    name: "guessing",
    about: "Guess invariants from runs of the program, and prove what follows",
    run: guessing::run,
    calls: Calls::Followed,
    answers: Answers::Proofs,
    bits: Bits::Bounded,
};

/// Invariants about arrays.
pub const QUANTIFIED: &Engine = &Engine {
    name: "quantified",
    about: "Look for invariants about all cells of a part of an array, and prove what follows",
    run: quantified::run,
    calls: Calls::Followed,
    answers: Answers::Proofs,
    bits: Bits::Bounded,
};

/// Horn clauses.
pub const HORN: &Engine = &Engine {
    name: "horn",
    about: "Leave the whole program, as Horn clauses, to a Horn solver",
    run: horn::engine::run,
    calls: Calls::Followed,
    answers: Answers::Proofs,
    bits: Bits::Bounded,
};

/// Bounded model checking without a bound.
pub const BOUNDED: &Engine = &Engine {
    name: "bounded",
    about: "Unwind loops and calls as far as they go, and decide what is left bit by bit",
    run: bounded::run,
    calls: Calls::Followed,
    answers: Answers::Proofs,
    bits: Bits::Exact,
};

/// Any number of threads.
pub const THREAD_MODULAR: &Engine = &Engine {
    name: "thread-modular",
    about: "Find invariants that hold of any number of threads; never finds errors, and asks no other question",
    run: thread_modular::run,
    calls: Calls::Followed,
    answers: Answers::Proofs,
    bits: Bits::Bounded,
};

/// Any number of threads, by the proofs of traces.
pub const PROOF_SPACES: &Engine = &Engine {
    name: "proof-spaces",
    about: "Prove traces of threads, and all others with the same triples; never finds errors, and asks no other question",
    run: proof_spaces::run,
    calls: Calls::Followed,
    answers: Answers::Proofs,
    bits: Bits::Bounded,
};

/// Termination.
pub const TERMINATION: &Engine = &Engine {
    name: "termination",
    about: "Find ranking functions for all loops, or a run that never ends; asks no other question",
    run: termination::run,
    calls: Calls::Followed,
    answers: Answers::Proofs,
    bits: Bits::Bounded,
};

/// All engines.
pub const ENGINES: &[&Engine] = &[
    TRACE_ABSTRACTION,
    LEAPING,
    SEARCH,
    KOJAK,
    IMPACT,
    PREDICATE_ABSTRACTION,
    ABSTRACT_INTERPRETATION,
    GUESSING,
    QUANTIFIED,
    HORN,
    BOUNDED,
    TERMINATION,
    THREAD_MODULAR,
    PROOF_SPACES,
];

/// The engine of that name.
pub fn engine(name: &str) -> Option<&'static Engine> {
    ENGINES.iter().find(|engine| engine.name == name).copied()
}
