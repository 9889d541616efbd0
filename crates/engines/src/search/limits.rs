//! What the search may keep and try. None of these numbers is about correctness: whatever is found is replayed.

/// So many states are kept in all, which bounds the memory of programs whose states are small.
pub(super) const MOST_NODES: usize = 400_000;

/// All states that are kept have at most so many values together, which bounds the memory of programs whose states are
/// large.
pub(super) const MOST_VALUES: usize = 3_000_000;

/// What was decided between two states counts like so many values: an entry of a log is about as large.
pub(super) const LOG_SIZE: usize = 4;

/// So many states of every place are starts of dives: a few, so that a place inside of a busy loop does not take the
/// turns of all others.
pub(super) const MOST_PER_PLACE: usize = 8;

/// Literals beyond this number are left out: each is tried for every input, and tables have thousands.
pub(super) const MOST_LITERALS: usize = 200;

/// A map that is not the same everywhere has at most so many entries of its own; programs rarely tell more cells apart
/// before they fail.
pub(super) const MOST_ENTRIES: usize = 6;

/// So many cells of an array are drawn one by one; beyond that all cells follow a rule, as the number of arrays grows
/// with every cell.
pub(super) const MOST_CELLS: usize = 12;

/// The distances between cells that are drawn: bytes, and words of four and eight bytes as C lays them out.
pub(super) const STRIDES: [usize; 4] = [1, 1, 4, 8];

/// So many steps at least are taken for granted when the length of a dive is drawn: enough for a loop over a small
/// table.
pub(super) const SHORTEST: u64 = 4096;

/// So many choices can be taken back: the ones that led into a dead end are mostly the last ones.
pub(super) const MOST_TAKEN_BACK: usize = 8;

/// So many other ways are tried where a choice is taken back; together with the number of choices it bounds the cost of
/// a dead end.
pub(super) const MOST_RETRIES: usize = 6;

/// States of a place that was seen so often are not kept any more in dives: they would crowd out those of rare places.
pub(super) const OFTEN: usize = 32;

/// How often habits are left: once in so many times, or never. The powers cover loops of a few to many thousand rounds.
pub(super) const EXCEPTIONS: [usize; 9] = [0, 0, 1, 2, 4, 16, 128, 2048, 65_536];

/// The one of these with which numbers grow or fall by one each time.
pub(super) const GROWING: usize = 1;

/// States with larger maps are not compared: the comparison would take longer than going on from both.
pub(super) const MOST_PARTS: usize = 400;

/// How often equations between variables are gone through: chains of them are rarely longer.
pub(super) const ROUNDS: usize = 3;

/// So many steps without choice are followed before others have their turn.
pub(super) const SLICE: u64 = 50_000;

/// The effort of steps without choice is divided by this: where a program leaves nothing open, running it to its end is worth more
/// than anything else that could be done in the same time, and often the only way to an error behind a million rounds.
pub(super) const STRETCHES_ARE_CHEAPER: u64 = 6;

/// After so many slices, a run that does not end stands back for others.
pub(super) const MOST_SLICES: u64 = 400;

/// The interpreter counts effort whenever it has made so many steps: often enough for limits, seldom enough to cost
/// nothing.
pub(super) const STEPS_THAT_COUNT: u64 = 1 << 10;

/// So many steps are a unit of effort; the solver counts its own.
pub(super) const STEPS_PER_EFFORT: u64 = 10;

/// What it costs to draw a value and to hand it to the interpreter, in units of effort.
pub(super) const EFFORT_OF_DRAW: u64 = 2;

/// A turn costs at least so many steps, so that turns without any step come to an end, too.
pub(super) const TURN: u64 = 10;

/// So many values are tried for several variables at once; all combinations would be too many.
pub(super) const MOST_DRAWS: usize = 24;

/// After so many dives in a row that meet a condition without a value (a quantifier over all numbers, say) there are no
/// more: others would meet it, too.
pub(super) const MOST_FRUITLESS: u64 = 2_000;

/// So many plain dives come first: in the last of them a loop that asks whether to go on does so for as many rounds less one.
pub(super) const PLAIN_DIVES: usize = 4;
