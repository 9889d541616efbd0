//! Which parts of two versions of a program are the same.
//!
//! Procedures are the same if they have the same name, or if they are left over and look alike. Their items are aligned in order, as
//! with a `diff`, so that equal ones are paired and what was changed is paired with what it became. Variables
//! follow from the items in which they occur: those that stand most often in the same place of a pair are the same.
//!
//! Nothing rests on this: a wrong pair makes a formula that does not hold, which is found out when it is checked.
//!
//! Cost: linear where the versions agree at the beginning and at the end of a procedure; the rest is aligned in
//! the product of its lengths, up to [`MOST_CELLS`].

use super::outline::{Item, Outline};
use std::collections::BTreeMap;

/// A larger table is not filled: then only what is the same at the beginning and at the end is paired.
const MOST_CELLS: usize = 4_000_000;

/// What of an old program is what of a new one.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Correspondence {
    pub(super) procedures: Vec<Option<usize>>,
    pub(super) items: Vec<Option<usize>>,
    pub(super) variables: Vec<Option<usize>>,
    /// The numbers that have become other numbers.
    pub(super) numbers: BTreeMap<String, String>,
}

impl Correspondence {
    /// Whether statements of the old program are gone, or have become others: not only names have changed.
    pub(super) fn changes(&self, old: &Outline, new: &Outline) -> bool {
        let stays =
            |(item, to): (&Item, &Option<usize>)| to.is_some_and(|to| new.items[to].shape == item.shape);
        !old.items.iter().zip(&self.items).all(stays)
    }
}

/// Finds out what is the same.
pub(super) fn align(old: &Outline, new: &Outline) -> Correspondence {
    let procedures = procedures(old, new);
    let mut items = vec![None; old.items.len()];
    for (from, to) in procedures.iter().enumerate() {
        let Some(to) = *to else { continue };
        let (left, right) = (old.procedures[from].items, new.procedures[to].items);
        for (one, other) in pairs(&old.items[left.0..left.1], &new.items[right.0..right.1]) {
            items[left.0 + one] = Some(right.0 + other);
        }
    }
    let variables = variables((old, new), &procedures, &items);
    let numbers = numbers((old, new), &items);
    Correspondence { procedures, items, variables, numbers }
}

fn procedures(old: &Outline, new: &Outline) -> Vec<Option<usize>> {
    let by_name: BTreeMap<&str, usize> =
        new.procedures.iter().enumerate().map(|(index, it)| (it.name.as_str(), index)).collect();
    let mut found: Vec<Option<usize>> =
        old.procedures.iter().map(|it| by_name.get(it.name.as_str()).copied()).collect();
    let mut free: Vec<usize> =
        (0..new.procedures.len()).filter(|index| !found.contains(&Some(*index))).collect();
    for (from, place) in found.iter_mut().enumerate().filter(|(_, place)| place.is_none()) {
        let alike = |to: &usize| similarity(old, from, new, *to);
        let best = free
            .iter()
            .copied()
            .filter(|to| alike(to) > 0)
            .max_by_key(|to| (alike(to), std::cmp::Reverse(*to)));
        *place = best;
        free.retain(|to| Some(*to) != best);
    }
    found
}

/// In how many items two procedures look alike; nothing if that is less than half.
fn similarity(old: &Outline, from: usize, new: &Outline, to: usize) -> usize {
    let (left, right) = (old.procedures[from].items, new.procedures[to].items);
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for item in &new.items[right.0..right.1] {
        *counts.entry(item.loose).or_default() += 1;
    }
    let mut common = 0;
    for item in &old.items[left.0..left.1] {
        if let Some(count) = counts.get_mut(&item.loose).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    if 2 * common >= left.1 - left.0 { common } else { 0 }
}

/// How much it says that two items are the same.
fn score(one: &Item, other: &Item) -> u32 {
    match () {
        () if one.text == other.text => 8,
        () if one.shape == other.shape => 6,
        () if one.loose == other.loose => 4,
        () if one.kind == other.kind => 1,
        () => 0,
    }
}

/// The pairs of two sequences of items, in order.
fn pairs(old: &[Item], new: &[Item]) -> Vec<(usize, usize)> {
    let same = |(one, other): &(&Item, &Item)| one.text == other.text;
    let before = old.iter().zip(new).take_while(same).count();
    let (left, right) = (&old[before..], &new[before..]);
    let after = left.iter().rev().zip(right.iter().rev()).take_while(same).count();
    let (left, right) = (&left[..left.len() - after], &right[..right.len() - after]);
    let mut found: Vec<(usize, usize)> = (0..before).map(|index| (index, index)).collect();
    if left.len().saturating_mul(right.len()) <= MOST_CELLS {
        found.extend(best(left, right).into_iter().map(|(one, other)| (before + one, before + other)));
    }
    found.extend((1..=after).rev().map(|back| (old.len() - back, new.len() - back)));
    found
}

/// The pairs with the highest score, by dynamic programming.
fn best(old: &[Item], new: &[Item]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    let mut table = vec![0_u32; (old.len() + 1) * width];
    for (one, left) in old.iter().enumerate() {
        for (other, right) in new.iter().enumerate() {
            let skip = table[one * width + other + 1].max(table[(one + 1) * width + other]);
            let pair = match score(left, right) {
                0 => 0,
                score => table[one * width + other] + score,
            };
            table[(one + 1) * width + other + 1] = skip.max(pair);
        }
    }
    let (mut one, mut other) = (old.len(), new.len());
    let mut found = Vec::new();
    while one > 0 && other > 0 {
        let here = table[one * width + other];
        let score = score(&old[one - 1], &new[other - 1]);
        if score > 0 && here == table[(one - 1) * width + other - 1] + score {
            (one, other) = (one - 1, other - 1);
            found.push((one, other));
        } else if here == table[(one - 1) * width + other] {
            one -= 1;
        } else {
            other -= 1;
        }
    }
    found.reverse();
    found
}

/// The variables that are the same: those with most votes first, each once.
fn variables(
    (old, new): (&Outline, &Outline),
    procedures: &[Option<usize>],
    items: &[Option<usize>],
) -> Vec<Option<usize>> {
    let mut votes: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    let mut vote = |one: &[usize], other: &[usize], weight: u32| {
        for pair in one.iter().copied().zip(other.iter().copied()) {
            *votes.entry(pair).or_default() += weight;
        }
    };
    for (from, to) in items.iter().enumerate() {
        let Some(to) = *to else { continue };
        let (one, other) = (&old.items[from], &new.items[to]);
        if one.loose == other.loose {
            vote(&one.variables, &other.variables, 2);
        }
    }
    for (from, to) in procedures.iter().enumerate() {
        if let Some(to) = *to {
            vote(&old.procedures[from].interface, &new.procedures[to].interface, 2);
        }
    }
    // The name says something, too, and all there is to say of variables that occur nowhere else.
    let mut by_name: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (index, variable) in new.variables.iter().enumerate() {
        by_name.entry((&variable.name, &variable.kind)).or_default().push(index);
    }
    for (from, variable) in old.variables.iter().enumerate() {
        for &to in by_name.get(&(variable.name.as_str(), variable.kind.as_str())).into_iter().flatten() {
            *votes.entry((from, to)).or_default() += 1;
        }
    }
    let fits = |&(from, to): &(usize, usize)| {
        let (one, other) = (&old.variables[from], &new.variables[to]);
        one.kind == other.kind && one.owner.and_then(|owner| procedures[owner]) == other.owner
    };
    let mut order: Vec<((usize, usize), u32)> = votes.into_iter().filter(|(pair, _)| fits(pair)).collect();
    order.sort_by_key(|&(pair, count)| (std::cmp::Reverse(count), pair));
    let mut found = vec![None; old.variables.len()];
    let mut taken = vec![false; new.variables.len()];
    for ((from, to), _) in order {
        if found[from].is_none() && !taken[to] {
            found[from] = Some(to);
            taken[to] = true;
        }
    }
    found
}

/// The numbers that have become others; the first change of a number counts.
fn numbers((old, new): (&Outline, &Outline), items: &[Option<usize>]) -> BTreeMap<String, String> {
    let mut changed = BTreeMap::new();
    for (from, to) in items.iter().enumerate() {
        let Some(to) = *to else { continue };
        let (one, other) = (&old.items[from], &new.items[to]);
        if one.loose != other.loose {
            continue;
        }
        for (before, after) in one.numbers.iter().zip(&other.numbers).filter(|(one, other)| one != other) {
            changed.entry(before.clone()).or_insert_with(|| after.clone());
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Problem, View, view::BitOperations};

    fn outline(text: &str) -> Outline {
        let view = View::new(&Problem::boogie("a.bpl", text), BitOperations::Marked).expect("a program");
        Outline::of(&view.program).0
    }

    /// Which variable has become which, and which numbers have changed.
    fn check(old: &str, new: &str, expected: &[(&str, &str)], changed: &[(&str, &str)]) {
        let (old, new) = (outline(old), outline(new));
        let found = align(&old, &new);
        let mut renamed: Vec<(&str, &str)> = Vec::new();
        for (from, to) in found.variables.iter().enumerate() {
            let name = to.map_or("", |to| new.variables[to].name.as_str());
            renamed.push((&old.variables[from].name, name));
        }
        renamed.sort_unstable();
        assert_eq!(renamed, expected);
        let numbers: Vec<(&str, &str)> =
            found.numbers.iter().map(|(one, other)| (one.as_str(), other.as_str())).collect();
        assert_eq!(numbers, changed);
    }

    const LOOP: &str = "procedure main() { var x, y: int; x := 0; y := 0; while (x < 100) { x := x + 1; y := y + 2; } assert y == 200; }";

    #[test]
    fn the_same_program_is_the_same() {
        check(LOOP, LOOP, &[("x", "x"), ("y", "y")], &[]);
        let (outline, _) = (outline(LOOP), ());
        let found = align(&outline, &outline);
        assert!(found.items.iter().enumerate().all(|(from, to)| *to == Some(from)));
    }

    #[test]
    fn renamed_variables_and_procedures_are_found() {
        let renamed = "procedure first() { var b, a: int; a := 0; b := 0; while (a < 100) { a := a + 1; b := b + 2; } assert b == 200; }";
        check(LOOP, renamed, &[("x", "a"), ("y", "b")], &[]);
        // Names that have changed places.
        let swapped = "procedure main() { var x, y: int; y := 0; x := 0; while (y < 100) { y := y + 1; x := x + 2; } assert x == 200; }";
        check(LOOP, swapped, &[("x", "y"), ("y", "x")], &[]);
    }

    #[test]
    fn changed_numbers_and_new_statements() {
        let changed = "procedure new() { assert true; } procedure main() { var z, x, y: int; z := 7; x := 0; y := 0; while (x < 50) { x := x + 1; z := z + 1; y := y + 2; } assert y == 100; }";
        check(LOOP, changed, &[("x", "x"), ("y", "y")], &[("100", "50"), ("200", "100")]);
    }

    #[test]
    fn outlines_survive_writing() {
        let outline = outline(LOOP);
        assert_eq!(Outline::of_json(&outline.json()), Some(outline));
    }
}
