//! How precise the analysis is. Every number trades precision for time; none of them makes a result wrong.

/// So many variables of a procedure are related without asking which of them belong together: an octagon costs the
/// cube of their number.
pub(crate) const FEW: usize = 10;

/// A group of variables among many is not larger than this, so that the cost of all groups grows with the program.
pub(crate) const GROUP: usize = 8;

/// So many variables of a procedure are related where all of them shall be, whatever that costs, …
pub(crate) const ALL: usize = 40;

/// … as long as the squares of their numbers, summed up over the edges, are not more than this: an octagon is kept for every location.
pub(crate) const MOST_RELATED: usize = 400_000;

/// Where all integers are related, widening stops at thresholds for so many more rounds for each of them: one bit of a counter is set after the
/// other, and equations change once more behind each.
pub(crate) const ROUNDS_PER_INTEGER: u32 = 3;

/// An arc costs as often what it costs otherwise as the square of the number of variables is larger than that of so many.
pub(crate) const USUAL: u64 = 8;

/// Widening stops at most so often on its way: each stop is a round over the loop.
pub(crate) const MOST_THRESHOLDS: usize = 40;

/// Terms that are nested deeper are not looked into: the analysis recurses over them.
pub(crate) const MOST_NESTED: usize = 60;

/// Conditions with more parts are not looked into: they are evaluated whenever their edge is taken.
pub(crate) const MOST_PARTS: usize = 400;

/// A head is joined so often before it is widened: enough for what differs between the first rounds.
pub(crate) const PATIENCE: u32 = 2;

/// A head is widened to thresholds so often before bounds are dropped, so that a loop costs few rounds.
pub(crate) const TO_THRESHOLDS: u32 = 6;

/// The same for a head inside of others, which is entered in each of their rounds: so often in all. Procedures that call each other are as
/// many components inside of each other.
pub(crate) const TO_THRESHOLDS_IN_ALL: u32 = 40;

/// What an arc costs, in units of effort: a step of a solver counts as one.
pub(crate) const EFFORT: u64 = 20;

/// How often the states are narrowed: a bound travels one nested loop in each sweep.
pub(crate) const NARROWINGS: usize = 3;

/// An edge is split into at most so many ways: each is followed by itself, and edges in sequence multiply nothing
/// because ways are joined behind each edge.
pub(crate) const MOST_WAYS: usize = 8;

/// What an octagon learns from an equation in one sweep of reduction: every pair of monomials is looked at.
pub(crate) const MOST_MONOMIALS: usize = 6;

/// An index with at most so many values is known: each of them becomes a cell.
pub(crate) const MOST_PLACES: usize = 8;

/// A read of one of so many cells is a choice between them, which may split its edge into as many ways; a read of more is one of the whole array.
pub(crate) const MOST_SPLIT: usize = 4;

/// So many cells of an array become variables where each access is to one of them, …
pub(crate) const MOST_CELLS: usize = 500;

/// … and so many where an access may be to several: it changes or reads all of them.
pub(crate) const MOST_CELLS_AMONG_OTHERS: usize = 48;

/// So often what is found out about cells is used to find more of them: addresses lie in cells, too.
pub(crate) const ROUNDS_OF_CELLS: usize = 3;

/// So often a program is analysed with what is written to its arrays, as more may be known of that each time: an array that is filled from another one takes a
/// round more.
pub(crate) const ROUNDS_OF_CONTENTS: usize = 4;

/// Integers between bounds so many bits apart may be anything: they are known to be of their type.
pub(crate) const BITS_OF_ANYTHING: u64 = 32;

/// A group is not larger than this where polyhedra are kept: hulls of all of it are made.
pub(crate) const POLYHEDRAL: usize = 12;

/// An arc costs so many times what it costs otherwise where polyhedra are kept.
pub(crate) const POLYHEDRA: u64 = 20;

/// Polyhedra are widened up to so many of the comparisons of a procedure, on both sides of each.
pub(crate) const MOST_FORMS: usize = 40;
