//! How much is tried for a proof of termination, or for an execution without end. Whatever is found is checked, so these
//! numbers only decide how long it takes.

/// So many cubes of a component are looked at. A rank has to decrease on each of them, so the linear programs grow
/// with their number.
pub(super) const MOST_CUBES: usize = 150;

/// So often invariants of a component are looked for: each is a run of the Horn solver, and what a dozen did not
/// repair the next one rarely does.
pub(super) const MOST_REPAIRS: usize = 12;

/// The features of a location are not more than this: each is a column of every linear program.
pub(super) const MOST_FEATURES: usize = 80;

/// So many conditions give features: a rank by cases has one case for each of their combinations.
pub(super) const MOST_PIECES: usize = 6;

/// So many remainders are features: each multiplies the cubes by its values.
pub(super) const MOST_REMAINDERS: usize = 3;

/// An unknown with more values than this does not divide a cube: each value is a cube of its own.
pub(super) const MOST_VALUES: i64 = 4;

/// So many cycles of a component are tried for an execution without end, the short ones first: there are
/// exponentially many.
pub(super) const MOST_CYCLES: usize = 12;

/// From a set there are not more ways back to it than this: the set has to be closed under one of them, and each is a
/// query.
pub(super) const MOST_WAYS: usize = 8;

/// Conditions of a set are not more than this: the query whether it is closed grows with their square.
pub(super) const MOST_SET_CONDITIONS: usize = 60;

/// The most parts of a nested rank: the linear program grows with the parts times the cubes.
pub(super) const MOST_PARTS: usize = 5;

/// The most parts of a nested rank that only some cubes decrease: which of them is a choice, so fewer parts are
/// affordable.
pub(super) const MOST_PARTS_FOR_SOME: usize = 3;

/// Which cubes decrease a nested rank is only asked for so many of them: there are as many answers as subsets.
pub(super) const MOST_CUBES_TO_CHOOSE: usize = 12;

/// How many levels a rank may have: one for each nested loop, and some for phases.
pub(super) const MOST_LEVELS: usize = 8;

/// How much work a linear program may be, in units of the solver.
pub(super) const RANK_RLIMIT: u32 = 8_000_000;

/// The same for nested ranks, of which large loops without one would cost seconds.
pub(super) const NESTED_RLIMIT: u32 = 1_000_000;

/// How much work a question to the Horn solver may be, in units of the solver.
pub(super) const HORN_RLIMIT: u32 = 12_000_000;

/// A component with more steps is not covered by modules: their automata would be too large.
pub(super) const MOST_TRACE_STEPS: usize = 400;

/// So many modules are subtracted: where they do not generalise, each covers a single lasso.
pub(super) const MOST_MODULES: usize = 20;

/// With more states that are not covered yet, another module is not tried.
pub(super) const MOST_UNCOVERED_STATES: usize = 4_000;

/// A module does not get more states than this.
pub(super) const MOST_MODULE_STATES: usize = 600;

/// Longer words of a lasso are not looked at: their formula is the conjunction of all their steps.
pub(super) const LONGEST_WORD: usize = 120;

/// A class of a module has not more predicates than this: each is part of every query about the class.
pub(super) const MOST_PREDICATES: usize = 48;

/// Larger formulas are no predicates.
pub(super) const MOST_PREDICATE_NODES: usize = 200;

/// So many facts support a rank.
pub(super) const MOST_FACTS: usize = 10;

/// So many numbers are compared with each other for facts.
pub(super) const MOST_COMPARED: usize = 6;

/// Bounds in facts are between this number and its negative.
pub(super) const LARGEST_BOUND: i64 = 2;

/// After so many rounds of a lasso, a module that has not come back to a state is not followed any more.
pub(super) const MOST_ROUNDS: usize = 12;

/// A whole call on a cycle is gone through on so many paths, the short ones first.
pub(super) const MOST_CALL_PATHS: usize = 6;

/// Longer paths through a call are not tried.
pub(super) const LONGEST_CALL_PATH: usize = 40;

/// So many beginnings of paths through a call are looked at: with two calls in a body their number doubles at every depth.
pub(super) const MOST_CALL_PREFIXES: usize = 2_000;
