//! Cones in two descriptions, and the step from one to the other (Chernikova's algorithm, as Le Verge gives it).
//!
//! A cone is what *lines* (in both directions) and *rays* add up to; or it is where some forms are zero and others are not negative. The
//! coefficients of these forms are again lines and rays of a cone, the dual one, and what is generated in the one is a condition in the
//! other. So there is one [`System`] for both, and one operation, [`refine`]: some more conditions for what generates.
//!
//! Both systems are minimal and canonical between operations: lines are in reduced echelon form, rays are reduced by lines and
//! sorted, no ray is the sum of others. Equal cones have equal systems.

use super::TooLarge;
use super::row::{Row, combination, dot, is_zero, negated};

/// So many rays a system may have, and one that is being extended twice as many.
const MOST_RAYS: usize = 128;

/// Lines and rays, of a cone or of its dual.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct System {
    /// In both directions; as conditions, equations.
    pub(super) lines: Vec<Row>,
    /// In one direction; as conditions, inequalities.
    pub(super) rays: Vec<Row>,
}

/// A set of rays, by number.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Bits([u64; MOST_RAYS / 32]);

impl Bits {
    fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn first(count: usize) -> Bits {
        let mut bits = Bits::default();
        (0..count).for_each(|index| bits.insert(index));
        bits
    }

    fn common(&self, other: &Bits) -> Bits {
        let mut bits = *self;
        bits.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= theirs);
        bits
    }

    fn is_in(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, theirs)| mine & !theirs == 0)
    }
}

/// A condition: that a form is not negative, or zero.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) row: Row,
    pub(super) equation: bool,
}

impl System {
    /// Is all that is generated as the condition wants it?
    pub(super) fn satisfies(&self, condition: &Condition) -> bool {
        let sign = |row: &Row| dot(row, &condition.row).signum();
        self.lines.iter().all(|line| sign(line) == 0)
            && self.rays.iter().all(|ray| sign(ray) == 0 || sign(ray) > 0 && !condition.equation)
    }

    /// The rows as conditions.
    pub(super) fn conditions(&self) -> impl Iterator<Item = Condition> + '_ {
        let equations = self.lines.iter().map(|row| Condition { row: row.clone(), equation: true });
        equations.chain(self.rays.iter().map(|row| Condition { row: row.clone(), equation: false }))
    }
}

/// Leaves of what is generated what satisfies some more conditions. `known` are the conditions so far; both are canonical before and
/// afterwards.
pub(super) fn refine(
    generated: &mut System,
    known: &mut System,
    conditions: impl Iterator<Item = Condition>,
) -> Result<(), TooLarge> {
    let mut saturated: Vec<Bits> = generated.rays.iter().map(|ray| saturated_by(ray, &known.rays)).collect();
    let mut changed = false;
    for condition in conditions {
        if generated.satisfies(&condition) {
            continue;
        }
        changed = true;
        let index = known.rays.len();
        if index >= 2 * MOST_RAYS {
            return Err(TooLarge);
        }
        cut(generated, &mut saturated, &condition, index)?;
        let list = if condition.equation { &mut known.lines } else { &mut known.rays };
        list.push(condition.row);
    }
    if changed {
        minimise(generated, known)?;
        minimise(known, generated)?;
    }
    Ok(())
}

fn saturated_by(ray: &Row, conditions: &[Row]) -> Bits {
    let mut bits = Bits::default();
    for (index, condition) in conditions.iter().enumerate() {
        if dot(ray, condition) == 0 {
            bits.insert(index);
        }
    }
    bits
}

/// One step: what is generated and satisfies one more condition, which gets a number.
fn cut(
    generated: &mut System,
    saturated: &mut Vec<Bits>,
    condition: &Condition,
    index: usize,
) -> Result<(), TooLarge> {
    let across = generated.lines.iter().position(|line| dot(line, &condition.row) != 0);
    if let Some(position) = across {
        // Everything else is moved along this line until it satisfies the condition exactly.
        let mut line = generated.lines.swap_remove(position);
        if dot(&line, &condition.row) < 0 {
            line = negated(&line);
        }
        let speed = dot(&line, &condition.row);
        for row in generated.lines.iter_mut().chain(&mut generated.rays) {
            let distance = dot(row, &condition.row);
            if distance != 0 {
                *row = combination((speed, row), (-distance, &line))?;
            }
        }
        if !condition.equation {
            saturated.iter_mut().for_each(|bits| bits.insert(index));
            generated.rays.push(line);
            saturated.push(Bits::first(index));
        }
        return Ok(());
    }
    let distances: Vec<i128> = generated.rays.iter().map(|ray| dot(ray, &condition.row)).collect();
    let mut rays: Vec<Row> = Vec::new();
    let mut kept: Vec<Bits> = Vec::new();
    for (plus, &above) in distances.iter().enumerate().filter(|&(_, &above)| above > 0) {
        for (minus, &below) in distances.iter().enumerate().filter(|&(_, &below)| below < 0) {
            let common = saturated[plus].common(&saturated[minus]);
            // The two are neighbours if no other ray is on all the faces that they have in common.
            let between = saturated
                .iter()
                .enumerate()
                .any(|(other, bits)| other != plus && other != minus && common.is_in(bits));
            if between {
                continue;
            }
            rays.push(combination((-below, &generated.rays[plus]), (above, &generated.rays[minus]))?);
            let mut bits = common;
            if !condition.equation {
                bits.insert(index);
            }
            kept.push(bits);
            if rays.len() > 2 * MOST_RAYS {
                return Err(TooLarge);
            }
        }
    }
    for (position, distance) in distances.into_iter().enumerate() {
        if distance == 0 || distance > 0 && !condition.equation {
            rays.push(std::mem::take(&mut generated.rays[position]));
            let mut bits = saturated[position];
            if distance == 0 && !condition.equation {
                bits.insert(index);
            }
            kept.push(bits);
        }
    }
    if rays.len() > 2 * MOST_RAYS {
        return Err(TooLarge);
    }
    (generated.rays, *saturated) = (rays, kept);
    Ok(())
}

/// The same system without what follows from the rest of it, where `other` are all conditions for what it generates.
pub(super) fn minimise(system: &mut System, other: &System) -> Result<(), TooLarge> {
    // What satisfies all conditions exactly is a line.
    let (lines, rays): (Vec<Row>, Vec<Row>) = std::mem::take(&mut system.rays)
        .into_iter()
        .partition(|ray| other.rays.iter().all(|condition| dot(ray, condition) == 0));
    system.lines.extend(lines);
    let pivots = echelon(&mut system.lines)?;
    let mut reduced: Vec<Row> = Vec::with_capacity(rays.len());
    for mut ray in rays {
        reduce(&mut ray, &system.lines, &pivots)?;
        if !is_zero(&ray) {
            reduced.push(ray);
        }
    }
    reduced.sort_unstable();
    reduced.dedup();
    if reduced.len() > 2 * MOST_RAYS || other.rays.len() > 2 * MOST_RAYS {
        return Err(TooLarge);
    }
    // A ray is extreme if no other one satisfies more conditions exactly.
    let saturated: Vec<Bits> = reduced.iter().map(|ray| saturated_by(ray, &other.rays)).collect();
    let is_extreme = |index: usize| {
        let mine = &saturated[index];
        saturated.iter().enumerate().all(|(number, theirs)| {
            number == index || !mine.is_in(theirs) || (theirs.is_in(mine) && index < number)
        })
    };
    let extreme: Vec<bool> = (0..reduced.len()).map(is_extreme).collect();
    let mut numbers = 0..reduced.len();
    reduced.retain(|_| numbers.next().is_some_and(|number| extreme[number]));
    system.rays = reduced;
    if system.rays.len() > MOST_RAYS { Err(TooLarge) } else { Ok(()) }
}

/// Brings rows into reduced echelon form and says where their pivots are, which are positive.
fn echelon(lines: &mut Vec<Row>) -> Result<Vec<usize>, TooLarge> {
    let mut done: Vec<Row> = Vec::with_capacity(lines.len());
    let mut pivots: Vec<usize> = Vec::new();
    for mut line in std::mem::take(lines) {
        reduce(&mut line, &done, &pivots)?;
        // The constant is the last that becomes a pivot, so that rays of generators keep theirs.
        let Some(pivot) = (1..line.len()).chain([0]).find(|&position| line[position] != 0) else { continue };
        if line[pivot] < 0 {
            line = negated(&line);
        }
        for other in &mut done {
            reduce(other, std::slice::from_ref(&line), &[pivot])?;
        }
        done.push(line);
        pivots.push(pivot);
    }
    let mut order: Vec<usize> = (0..done.len()).collect();
    order.sort_unstable_by_key(|&index| pivots[index]);
    *lines = order.iter().map(|&index| std::mem::take(&mut done[index])).collect();
    Ok(order.iter().map(|&index| pivots[index]).collect())
}

/// Makes a row zero at the pivots of lines, by adding multiples of them.
fn reduce(row: &mut Row, lines: &[Row], pivots: &[usize]) -> Result<(), TooLarge> {
    for (line, &pivot) in lines.iter().zip(pivots) {
        if row[pivot] != 0 {
            *row = combination((i128::from(line[pivot]), row), (-i128::from(row[pivot]), line))?;
        }
    }
    Ok(())
}
