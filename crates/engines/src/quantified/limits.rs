//! How many candidates about cells of arrays are made. Their number is what pruning has to pay for; whatever is left is
//! checked.

/// Of one shape so many properties are combined: each is tried with every range.
pub(super) const MOST_PROPERTIES: usize = 12;

/// So many ranges, each of which is tried with every property.
pub(super) const MOST_RANGES: usize = 24;

/// So many cells beside the one at the index: a program that relates more has several properties.
pub(super) const MOST_CELLS: usize = 4;

/// So many candidates in all: what a session of the solver takes in one query without slowing down.
pub(super) const MOST_CANDIDATES: usize = 400;

/// Choices that are nested deeper stay: taking them apart doubles the number of cases each time.
pub(super) const MOST_CHOICES: usize = 4;

/// So many expressions are composed for what an array holds.
pub(super) const MOST_VALUES: usize = 6;

/// Of one update so many writes are looked at: a block that writes more is straight-line code, for which no loop
/// invariant is needed.
pub(super) const MOST_WRITES: usize = 32;

/// So many alternatives of an update are looked at: their number doubles with every nested choice.
pub(super) const MOST_LEAVES: usize = 16;

/// So many counters are related with one: loops with more indices are rare, and pairs grow quadratically.
pub(super) const MOST_PAIRS: usize = 4;

/// So many relations are tried, each of which multiplies the ranges.
pub(super) const MOST_RELATIONS: usize = 8;

/// So many beginnings of a counter are combined with its ends.
pub(super) const MOST_RESETS: usize = 3;

/// So many variables are taken for numbers of blocks, each with two candidates at every loop.
pub(super) const MOST_POINTERS: usize = 16;

/// With so many of them fields are accessed: each gives ranges, which multiply the candidates.
pub(super) const MOST_VISITING: usize = 4;

/// So many ends of a counter are combined with its beginnings.
pub(super) const MOST_BOUNDS: usize = 6;

/// So many indices of one array that do not count are told apart; their pairs are candidates at every loop.
pub(super) const MOST_STANDING: usize = 16;

/// So many marks are tried for each of these indices.
pub(super) const MOST_MARKS: usize = 2;

/// So many numbers are tried that were written to cells of one array, each for all of these indices.
pub(super) const MOST_WRITTEN_ONCE: usize = 8;

/// So many pairs of variables that are compared are tried in both orders.
pub(super) const MOST_COMPARED: usize = 12;

/// So many pairs of cells that stand still are added up, each with four candidates.
pub(super) const MOST_SUMS: usize = 10;

/// So many kinds of blocks are told apart, each with candidates about all links and variables.
pub(super) const MOST_CLASSES: usize = 5;

/// So often it is looked which variables get their values from others that point to blocks: longer chains are rare.
pub(super) const CHAINS: usize = 4;

/// So many fields of data are looked at that differ between blocks: each is tried with all links, walks and variables.
pub(super) const MOST_TOLD: usize = 4;

/// So many variables are compared with the data of one field.
pub(super) const MOST_CARRIERS: usize = 4;

/// Of one field so many properties are tried in all classes.
pub(super) const MOST_OF_DATA: usize = 6;

/// So many ways to compute data of new blocks are tried for the data of those that own them.
pub(super) const MOST_SIZES: usize = 3;

/// So many candidates about heaps in all; at one place only those are tried whose variables are read later.
pub(super) const MOST_ABOUT_HEAPS: usize = 4_000;

/// So many of them at one place: what a session takes in one query without slowing down.
pub(super) const MOST_AT_ONE_PLACE: usize = 500;

/// So many cells are looked at that guards compare with a number.
pub(super) const MOST_WALKS: usize = 8;

/// So many bounds of an index are tried; most have one.
pub(super) const MOST_BOUNDS_OF_WALKS: usize = 3;

/// So many other pointers are tried for each walk: those to the same array are among the first where calls were replaced.
pub(super) const MOST_OTHER_POINTERS: usize = 6;

/// So many formulas about marks ahead in all: half of what there is room for.
pub(super) const MOST_MARKED: usize = 200;

/// So many variables are taken for sums of what is read from arrays, …
pub(super) const MOST_ADDED: usize = 4;

/// … each with so many ways to count rounds, of which each gives four candidates.
pub(super) const MOST_ROUNDS: usize = 6;

/// So many arrays are cut into parts.
pub(super) const MOST_ARRAYS_IN_PARTS: usize = 4;

/// So many variables in indices of an array give ends of parts: two counters, two ends and a few that point to cells.
pub(super) const MOST_CUTTING: usize = 8;

/// So many ends of parts of one array: the parts are pairs of them.
pub(super) const MOST_CUTS: usize = 32;

/// So many of them at one place, where most are not read any more.
pub(super) const MOST_CUTS_AT_ONE_PLACE: usize = 16;

/// So many together with those of arrays that hold the same.
pub(super) const MOST_SHARED_CUTS: usize = 40;

/// So much that was found before is known beside candidates about parts: each costs instances in all queries.
pub(super) const MOST_SO_FAR: usize = 40;

/// So many parts of an array at one place, the ends of which are known to be in order.
pub(super) const MOST_PARTS: usize = 48;

/// So many properties of single cells are tried in all parts.
pub(super) const MOST_PROPERTIES_IN_PARTS: usize = 14;

/// So many variables are compared with all cells of a part, in five ways each.
pub(super) const MOST_COMPARED_WITH: usize = 3;

/// So many formulas say that a flag has not changed.
pub(super) const MOST_FLAGS: usize = 4;

/// So many candidates about pairs of cells of one array at one place: each has as many instances as there are pairs of indices.
pub(super) const MOST_PAIRS_IN_PARTS: usize = 120;

/// So many candidates about parts at one place.
pub(super) const MOST_IN_PARTS: usize = 500;
