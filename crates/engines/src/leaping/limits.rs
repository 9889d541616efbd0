//! How much is tried for a leap. Whatever is found is checked, so these numbers only decide how long it takes.

/// So many abstract states are tried for one path: each costs a round of queries, and the likely ones come first.
pub(super) const MOST_ATTEMPTS: usize = 160;

/// So many rounds are taken before a leap: what differs at the beginning of a loop differs in its first rounds.
pub(super) const MOST_ROUNDS: usize = 2;

/// How many inputs are tried beside all inputs at once: each costs a whole search.
pub(super) const MOST_HINTS: usize = 3;

/// The length of runs that serve as samples: long enough to see a phase change, short enough to be free.
pub(super) const SAMPLE_STEPS: usize = 24;

/// How many locations a search for paths may visit: there may be exponentially many paths.
pub(super) const MOST_PREFIXES: usize = 20_000;

/// How many paths it returns; the shorter ones come first.
pub(super) const MOST_PATHS: usize = 64;

/// How many loops a path may leap over: the queries about a path grow with each.
pub(super) const MOST_LOOPS: usize = 8;

/// A question that costs more than this is not worth its answer: there are many others.
pub(super) const QUERY_RLIMIT: u32 = 300_000;

/// The formula that says when a choice is possible doubles with every later one, so only so many are considered.
pub(super) const MOST_LATER_CHOICES: usize = 6;

/// How far a bound may be from what an atom says: the steps of common loops, and a power beyond them.
pub(super) const OFFSETS: [i64; 5] = [0, 1, 2, 4, 16];

/// Limits beyond this number are left out: each is a candidate in every query about the loop.
pub(super) const MOST_LIMITS: usize = 60;

/// At most so many strategies of each kind are tried for a loop: there is one for every combination of branches.
pub(super) const MOST_STRATEGIES: usize = 64;

/// A run of at most so many blocks is followed and replayed; longer ones are what leaps are for.
pub(super) const MOST_BLOCKS: usize = 10_000;

/// How much effort a try inside of a refinement loop may cost: a tenth of what the engine alone may.
pub(super) const SHORTCUT_EFFORT: u64 = 2_000_000;

/// Expressions beyond this number are left out: candidates are made of pairs of them.
pub(super) const MOST_EXPRESSIONS: usize = 60;
