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

/// That is halved after every try in vain, so often at most: what is left is enough to see whether a loop is a simple one.
pub(super) const MOST_HALVED: u32 = 6;

/// Expressions beyond this number are left out: candidates are made of pairs of them.
pub(super) const MOST_EXPRESSIONS: usize = 60;

/// So many inputs are tried for an execution along straight lines: whether an error is met may depend on a remainder.
pub(super) const MOST_INPUTS: usize = 8;

/// An input is large if it is above this and all numbers of the program.
pub(super) const LARGE: u32 = 1_000;

/// So many cells of arrays are known of a state: each costs something in every query.
pub(super) const MOST_CELLS: usize = 12;

/// So often a walk is repeated because it has met cells of which nothing was known.
pub(super) const MOST_WALKS_WITH_CELLS: usize = 3;

/// The cells that so many steps in a loop read are noted: those that all of its rounds read are among them.
pub(super) const STEPS_THAT_NOTE_CELLS: usize = 2;

/// So many times all of them together go through a loop.
pub(super) const MOST_WALKS: usize = 48;

/// So many strategies are tried for one loop there; the others are for abstract states that hold many inputs.
pub(super) const MOST_STRAIGHT_STRATEGIES: usize = 6;

/// So many steps are followed in one loop: enough for a loop that is short, and for a few phases between leaps.
pub(super) const MOST_STRAIGHT_STEPS: usize = 300;

/// So many patterns are tried in one loop: each costs some dozens of queries.
pub(super) const MOST_STRAIGHT_LEAPS: usize = 40;

/// So many steps may make one round: phases of a loop.
pub(super) const MOST_PHASES: usize = 8;

/// Fewer rounds than this are followed one by one.
pub(super) const SHORTEST_STRAIGHT_LEAP: u32 = 6;

/// How much effort goes into ports that hold for many inputs before one execution for chosen inputs is looked for: a third more than
/// the programs of the paper take.
pub(super) const EFFORT_BEFORE_STRAIGHT: u64 = 400_000;

/// Programs with more edges are not analysed for what holds in loops in loops.
pub(super) const MOST_EDGES_WITH_SUMS: usize = 200;
