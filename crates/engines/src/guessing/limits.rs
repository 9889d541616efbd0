//! How many runs are made and how many equations are looked for. What is guessed is proven afterwards.

/// Numbers to begin with, and for choices: small ones of both signs, and a few that coincidences do not explain.
pub(super) const NUMBERS: [i64; 13] = [0, 1, 2, 3, 5, 7, 10, 12, 20, 33, -1, -2, 100];

/// So many runs are made: an equation with fourteen unknowns needs as many independent states, and runs repeat
/// themselves.
pub(super) const RUNS: u64 = 40;

/// So many of a solver's units of work take as long as a step, without arrays and with them.
pub(super) const UNITS_PER_STEP: (u64, u64) = (4, 16);

/// So many units of work take as long as looking for equations that a state satisfies, under all guards.
pub(super) const UNITS_PER_STATE: u64 = 40;

/// So many steps are made in all, so that guessing costs no more than a few queries of an engine.
pub(super) const STEPS: u64 = 150_000;

/// So many steps are made for each error that is left, where guesses are to help others.
pub(super) const STEPS_PER_ERROR: u64 = 1_000;

/// A single run is cut short here, so that one endless loop leaves steps for other runs.
pub(super) const LONGEST: u64 = 40_000;

/// The same where procedures call each other: as long as all runs can be.
pub(super) const LONGEST_WITH_CALLS: u64 = STEPS / RUNS;

/// So many states are kept at a place: a few times the number of unknowns, so that accidents are found out.
pub(super) const MOST_STATES: usize = 160;

/// So many numbers are kept at all places together: one takes some 140 bytes, and there are up to twice as many, as the first states are kept too.
pub(super) const MOST_VALUES: usize = 1_500_000;

/// With fewer states at a place, nearly everything holds of them by accident.
pub(super) const FEWEST_STATES: usize = 24;

/// Giving so many variables a value takes as long as a unit of effort.
pub(super) const VARIABLES_PER_UNIT: u64 = 4;

/// Lifetimes of variables are followed over so many locations; programs in which they are longer are too large for guesses.
pub(super) const LIFETIMES: usize = 4_000_000;

/// So many edges before a loop are looked at for a state with which it can begin, …
pub(super) const LONGEST_WAY: usize = 48;

/// … so many states are tried, …
pub(super) const BEGINNINGS: usize = 4;

/// … more of them, up to so many, …
pub(super) const MOST_BEGINNINGS: usize = 12;

/// … while fewer states than this were met, …
pub(super) const ENOUGH_STATES: u64 = 48;

/// … and so many steps are made from each.
pub(super) const STEPS_OF_BEGINNING: u64 = 160;

/// Larger coefficients are accidents of the states that were met.
pub(super) const LARGEST: i64 = 10_000;

/// Equations of degree two are looked for between at most so many variables: the monomials grow quadratically, their
/// elimination with the sixth power.
pub(super) const MOST_MULTIPLIED: usize = 6;

/// Linear equations between at most so many variables: with more there are more unknowns than states.
pub(super) const MOST_RELATED: usize = 14;

/// Orders under a guard between at most so many variables: every pair is a candidate for every guard.
pub(super) const MOST_ORDERED: usize = 5;

/// So many guards are tried as conditions of equations; each divides the states and leaves fewer for every equation.
pub(super) const MOST_GUARDS: usize = 8;

/// So many guards of the program are looked at for a place beside those of the loop around it.
pub(super) const MOST_GUARDS_LOOKED_AT: usize = 64;

/// So many states at a place are kept without gaps, and looked at for congruences; a few times the usual divisors.
pub(super) const FIRST_STATES: u64 = 100;

/// Fewer states have congruences by accident.
pub(super) const FEWEST_FOR_CONGRUENCES: usize = 12;

/// So many numbers by which the program takes remainders are tried where the states show none.
pub(super) const MOST_MODULI: usize = 4;

/// So many variables that count are related with each of the others.
pub(super) const MOST_COUNTERS: usize = 4;

/// So many alternatives of what a round does to a variable are looked at.
pub(super) const MOST_LEAVES: usize = 16;

/// So many variables make a step and a state as costly again where cells are looked at.
pub(super) const FEW_VARIABLES: u64 = 16;

/// So many steps in all where cells of arrays are looked at, and so many units of work for one of them: relations with two unknowns need fewer states, and
/// what is found out is asked about in queries that cost more.
pub(super) const STEPS_WITH_CELLS: (u64, u64) = (100_000, 1);

/// No run takes more than one of so many steps that are left, so that there are always some more runs.
pub(super) const LEAVES: u64 = 3;

/// So many cells of arrays are looked at beside the variables: each is paired with all others that are read later.
pub(super) const MOST_CELLS: usize = 48;

/// So many sizes of elements are tried for how many of them have room.
pub(super) const MOST_STRIDES: usize = 4;

/// With fewer states at a place nothing is said of cells. Fewer than for equations with many unknowns, as those of cells have two.
pub(super) const FEWEST_FOR_CELLS: usize = 5;

/// In runs that shall go on, one of so many choices is made as in others.
pub(super) const GOES_ON: usize = 40;

/// A variable that is compared with so large a number is not told apart by that: it is what its type can hold.
pub(super) const LARGE: i64 = 1 << 24;

/// So many formulas about pointers to nothing are tried at all places.
pub(super) const MOST_SHARED: usize = 60;

/// So many units of work take as long as looking for what cells have in common, for each state.
pub(super) const UNITS_WITH_CELLS: u64 = 10;

/// So many formulas of the places around it are tried at a place that no run came to.
pub(super) const MOST_HANDED_ON: usize = 80;
