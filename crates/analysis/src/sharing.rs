//! Variables that never matter at the same time, as one dimension.
//!
//! Every operation of a C program has a variable for its result, which is read on the next few edges and never again. A procedure
//! with a hundred operations has a hundred of them, and each would take a place in a pack that a variable of the user needs. So
//! variables of a pack share a *slot*, as variables share a register, if no location matters to two of them: those where a
//! variable is alive, and those where an edge that writes it begins or ends. An edge therefore never has to do with two
//! variables of one slot, and what a slot says at a location is about one variable at most, its occupant.

use crate::form::Dimension;
use base::EntityRef;
use program::{Location, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// A variable that matters at more locations has a slot of its own: to follow it costs more than its place.
pub(crate) const MOST_LOCATIONS: usize = 400;

/// Where variables matter that may share a slot.
#[derive(Default)]
pub(crate) struct Lives {
    of: FxHashMap<Dimension, Box<[Location]>>,
}

impl Lives {
    /// Says that a variable matters at these locations only.
    pub(crate) fn set(&mut self, var: Var, mut locations: Vec<Location>) {
        if locations.len() <= MOST_LOCATIONS {
            locations.sort_unstable();
            locations.dedup();
            self.of.insert(Dimension::new(var.index()), locations.into_boxed_slice());
        }
    }

    fn of(&self, dimension: Dimension) -> Option<&[Location]> {
        self.of.get(&dimension).map(|locations| &**locations)
    }
}

/// Variables that share a dimension, which is that of the first of them.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// The variables, sorted.
    pub(crate) members: Vec<Dimension>,
    /// Where one of them matters; nothing if that may be anywhere.
    occupied: Option<FxHashSet<Location>>,
}

impl Slot {
    fn of(dimension: Dimension, lives: &Lives) -> Slot {
        let occupied = lives.of(dimension).map(|locations| locations.iter().copied().collect());
        Slot { members: vec![dimension], occupied }
    }

    /// Takes over the members of another slot, if both are never occupied at once.
    fn take(&mut self, other: &Slot, lives: &Lives) -> bool {
        let (Some(mine), Some(_)) = (&mut self.occupied, &other.occupied) else { return false };
        let theirs = || other.members.iter().filter_map(|&member| lives.of(member)).flatten();
        if theirs().any(|location| mine.contains(location)) {
            return false;
        }
        mine.extend(theirs().copied());
        self.members.extend(&other.members);
        self.members.sort_unstable();
        true
    }
}

/// Slots for some variables.
#[derive(Clone, Debug)]
pub(crate) struct Slots(pub(crate) Vec<Slot>);

impl Slots {
    /// One variable.
    pub(crate) fn one(dimension: Dimension, lives: &Lives) -> Slots {
        Slots(vec![Slot::of(dimension, lives)])
    }

    /// Each variable in a slot of its own.
    pub(crate) fn apart(members: &[Dimension]) -> Slots {
        let nowhere = Lives::default();
        Slots(members.iter().map(|&member| Slot::of(member, &nowhere)).collect())
    }

    /// Slots for all of these variables, if so many suffice.
    pub(crate) fn shared(members: &[Dimension], most: usize, lives: &Lives) -> Option<Slots> {
        let start = Slots(Vec::new());
        members.iter().try_fold(start, |slots, &member| slots.with(&Slots::one(member, lives), most, lives))
    }

    /// Slots for the variables of both, if so many suffice.
    pub(crate) fn with(mut self, other: &Slots, most: usize, lives: &Lives) -> Option<Slots> {
        for slot in &other.0 {
            if !self.0.iter_mut().any(|mine| mine.take(slot, lives)) {
                if self.0.len() == most {
                    return None;
                }
                self.0.push(slot.clone());
            }
        }
        Some(self)
    }

    /// How many variables there are.
    pub(crate) fn variables(&self) -> usize {
        self.0.iter().map(|slot| slot.members.len()).sum()
    }
}

/// Which variables of a program have the dimension of another one.
#[derive(Default)]
pub(crate) struct Sharing {
    /// The dimension of a variable that has not its own.
    slots: FxHashMap<Dimension, Dimension>,
    /// The variable whose value a shared dimension has at a location.
    occupants: FxHashMap<(Dimension, Location), Dimension>,
    /// The dimensions that are shared.
    shared: FxHashSet<Dimension>,
}

impl Sharing {
    /// Lets the members of a slot share a dimension.
    pub(crate) fn add(&mut self, slot: &Slot, lives: &Lives) {
        let [first, others @ ..] = &slot.members[..] else { return };
        if others.is_empty() {
            return;
        }
        self.shared.insert(*first);
        self.slots.extend(others.iter().map(|&other| (other, *first)));
        for &member in &slot.members {
            let locations = lives.of(member).unwrap_or_default();
            self.occupants.extend(locations.iter().map(|&location| ((*first, location), member)));
        }
    }

    /// Has every variable a dimension of its own?
    pub(crate) fn is_empty(&self) -> bool {
        self.shared.is_empty()
    }

    /// The dimension that has the value of a variable.
    pub(crate) fn slot(&self, variable: Dimension) -> Dimension {
        self.slots.get(&variable).copied().unwrap_or(variable)
    }

    /// The variable whose value a dimension has at a location, if that is known.
    pub(crate) fn occupant(&self, dimension: Dimension, location: Location) -> Option<Dimension> {
        match self.shared.contains(&dimension) {
            true => self.occupants.get(&(dimension, location)).copied(),
            false => Some(dimension),
        }
    }
}
