//! A polyhedron between a few dimensions: the cone above it, at height 1.
//!
//! A point `x` is the ray `(1, x)` of the cone, a direction the ray `(0, x)`; position 0 of a row is that height. A condition
//! `c·x + d ≥ 0` is the row `(d, c)`. That the height is not negative is one of the conditions.

use super::cone::{Condition, System, minimise, refine};
use super::row::{Row, common_divisor, dot, is_zero, normal, unit};
use super::{TooLarge, Trouble};
use crate::form::Dimension;
use logic::{Integer, Rational};

/// Points that satisfy the same conditions; there is at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    /// The dimensions, sorted; that of position 1 is the first.
    pub(super) dimensions: Vec<Dimension>,
    pub(super) conditions: System,
    pub(super) generators: System,
}

impl Block {
    /// All points.
    pub(super) fn all(dimensions: Vec<Dimension>) -> Block {
        let length = dimensions.len() + 1;
        let height = vec![unit(length, 0)];
        let lines = (1..length).map(|position| unit(length, position)).collect();
        Block {
            dimensions,
            conditions: System { lines: Vec::new(), rays: height.clone() },
            generators: System { lines, rays: height },
        }
    }

    pub(super) fn position(&self, dimension: Dimension) -> Option<usize> {
        self.dimensions.binary_search(&dimension).ok().map(|index| index + 1)
    }

    /// Leaves only the points that satisfy some more conditions.
    pub(super) fn refine(&mut self, conditions: impl Iterator<Item = Condition>) -> Result<(), Trouble> {
        refine(&mut self.generators, &mut self.conditions, conditions)?;
        if self.generators.rays.iter().all(|ray| ray[0] == 0) { Err(Trouble::Empty) } else { Ok(()) }
    }

    /// Adds the points of another polyhedron between the same dimensions, and all between.
    pub(super) fn join(&mut self, other: &Block) -> Result<(), TooLarge> {
        refine(&mut self.conditions, &mut self.generators, other.generators.conditions())
    }

    /// The largest value of a form; none if there is none.
    pub(super) fn largest(&self, form: &Row) -> Option<Rational> {
        if self.generators.lines.iter().any(|line| dot(line, form) != 0) {
            return None;
        }
        // As a fraction with a positive denominator.
        let mut largest: Option<(i128, i64)> = None;
        for ray in &self.generators.rays {
            let value = dot(ray, form);
            if ray[0] == 0 {
                if value > 0 {
                    return None;
                }
                continue;
            }
            let is_larger = match largest {
                None => true,
                Some((most, height)) if height == ray[0] => value > most,
                Some((most, height)) => {
                    let cross = |a: i128, b: i64| Integer::from(a) * Integer::from(b);
                    cross(value, height) > cross(most, ray[0])
                }
            };
            if is_larger {
                largest = Some((value, ray[0]));
            }
        }
        largest.map(|(value, height)| Rational::new(value.into(), height.into()))
    }

    /// The points of two polyhedra without common dimensions, together.
    pub(super) fn product(&self, other: &Block) -> Result<Block, TooLarge> {
        let mut dimensions: Vec<Dimension> =
            self.dimensions.iter().chain(&other.dimensions).copied().collect();
        dimensions.sort_unstable();
        let places = |block: &Block| -> Vec<usize> {
            let place = |dimension| dimensions.binary_search(dimension).map_or(0, |index| index + 1);
            std::iter::once(0).chain(block.dimensions.iter().map(place)).collect()
        };
        let (mine, theirs) = (places(self), places(other));
        let length = dimensions.len() + 1;
        let moved = |row: &Row, places: &[usize]| {
            let mut moved = vec![0; length];
            row.iter().zip(places).for_each(|(&number, &place)| moved[place] = number);
            moved
        };
        let both = |left: &[Row], right: &[Row]| -> Vec<Row> {
            let left = left.iter().map(|row| moved(row, &mine));
            left.chain(right.iter().map(|row| moved(row, &theirs))).collect()
        };
        let mut conditions = System {
            lines: both(&self.conditions.lines, &other.conditions.lines),
            rays: both(&self.conditions.rays, &other.conditions.rays),
        };
        let mut generators =
            System { lines: both(&self.generators.lines, &other.generators.lines), rays: Vec::new() };
        let is_point = |row: &&Row| row[0] != 0;
        for (block, places) in [(self, &mine), (other, &theirs)] {
            let directions = block.generators.rays.iter().filter(|row| row[0] == 0);
            generators.rays.extend(directions.map(|row| moved(row, places)));
        }
        for left in self.generators.rays.iter().filter(is_point) {
            for right in other.generators.rays.iter().filter(is_point) {
                let (one, two) = (moved(left, &mine), moved(right, &theirs));
                // At the height that both have in common.
                let shared = common_divisor([i128::from(right[0]), i128::from(left[0])].into_iter());
                let (p, q) = (i128::from(right[0]) / shared, i128::from(left[0]) / shared);
                let add = |(&a, &b): (&i64, &i64)| p * i128::from(a) + q * i128::from(b);
                let mut numbers: Vec<i128> = one.iter().zip(&two).map(add).collect();
                numbers[0] = i128::from(left[0]) * p;
                generators.rays.push(normal(&numbers)?);
            }
        }
        minimise(&mut generators, &conditions)?;
        minimise(&mut conditions, &generators)?;
        Ok(Block { dimensions, conditions, generators })
    }

    /// Forgets what is known about a dimension, which stays.
    pub(super) fn free(&mut self, position: usize) -> Result<(), TooLarge> {
        let row = unit(self.dimensions.len() + 1, position);
        let line = Condition { row, equation: true };
        refine(&mut self.conditions, &mut self.generators, std::iter::once(line))
    }

    /// A dimension becomes the value of a form over all of them, in which it occurs: `numbers / denominator`.
    pub(super) fn assign(
        &mut self,
        position: usize,
        (numbers, denominator): (&Row, i64),
    ) -> Result<(), TooLarge> {
        let denominator = i128::from(denominator);
        for rows in [&mut self.generators.lines, &mut self.generators.rays] {
            for row in rows {
                let value = dot(row, numbers);
                let mut wide: Vec<i128> = Vec::with_capacity(row.len());
                for &number in row.iter() {
                    wide.push(i128::from(number) * denominator);
                }
                wide[position] = value;
                *row = normal(&wide)?;
            }
        }
        // The old value is (denominator·new - rest) / factor.
        let factor = i128::from(numbers[position]);
        let sign = factor.signum();
        for rows in [&mut self.conditions.lines, &mut self.conditions.rays] {
            for row in rows {
                let old = i128::from(row[position]);
                if old == 0 {
                    continue;
                }
                let mut wide: Vec<i128> = Vec::with_capacity(row.len());
                for (index, (&number, &part)) in row.iter().zip(numbers).enumerate() {
                    let number = if index == position { 0 } else { i128::from(number) };
                    let part = if index == position { 0 } else { i128::from(part) };
                    let left = number.checked_mul(factor * sign).ok_or(TooLarge)?;
                    let right = old.checked_mul(part * sign).ok_or(TooLarge)?;
                    wide.push(left.checked_sub(right).ok_or(TooLarge)?);
                }
                wide[position] = old.checked_mul(denominator * sign).ok_or(TooLarge)?;
                *row = normal(&wide)?;
            }
        }
        // The canonical form depends on the order of the numbers.
        minimise(&mut self.generators, &self.conditions)?;
        minimise(&mut self.conditions, &self.generators)
    }

    /// The parts that have nothing to do with each other. Dimensions of which nothing is known are left out.
    pub(super) fn parts(self) -> Result<Vec<Block>, TooLarge> {
        let count = self.dimensions.len();
        let mut part: Vec<usize> = (0..=count).collect();
        let mut known = vec![false; count + 1];
        for row in self.conditions.lines.iter().chain(&self.conditions.rays) {
            let mut places = (1..=count).filter(|&place| row[place] != 0);
            let Some(first) = places.next() else { continue };
            known[first] = true;
            for place in places {
                known[place] = true;
                let (into, from) = (part[first], part[place]);
                part.iter_mut().filter(|number| **number == from).for_each(|number| *number = into);
            }
        }
        let mut numbers: Vec<usize> =
            (1..=count).filter(|&place| known[place]).map(|place| part[place]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.len() == 1 && known[1..].iter().all(|&known| known) {
            return Ok(vec![self]);
        }
        let mut parts = Vec::with_capacity(numbers.len());
        for number in numbers {
            let places: Vec<usize> =
                (1..=count).filter(|&place| known[place] && part[place] == number).collect();
            parts.push(self.part(&places)?);
        }
        Ok(parts)
    }

    /// What is known between some dimensions, about which no condition says anything together with others.
    fn part(&self, places: &[usize]) -> Result<Block, TooLarge> {
        let all: Vec<usize> = std::iter::once(0).chain(places.iter().copied()).collect();
        let restricted = |row: &Row| -> Row { all.iter().map(|&place| row[place]).collect() };
        let concerned = |rows: &[Row]| -> Vec<Row> {
            let about = |row: &&Row| places.iter().any(|&place| row[place] != 0);
            rows.iter().filter(about).map(restricted).collect()
        };
        let mut conditions =
            System { lines: concerned(&self.conditions.lines), rays: concerned(&self.conditions.rays) };
        conditions.rays.push(unit(all.len(), 0));
        let shorter = |rows: &[Row]| -> Result<Vec<Row>, TooLarge> {
            let mut shorter = Vec::with_capacity(rows.len());
            for row in rows.iter().map(restricted).filter(|row| !is_zero(row)) {
                let wide: Vec<i128> = row.into_iter().map(i128::from).collect();
                shorter.push(normal(&wide)?);
            }
            Ok(shorter)
        };
        let mut generators =
            System { lines: shorter(&self.generators.lines)?, rays: shorter(&self.generators.rays)? };
        minimise(&mut generators, &conditions)?;
        minimise(&mut conditions, &generators)?;
        let dimensions = places.iter().map(|&place| self.dimensions[place - 1]).collect();
        Ok(Block { dimensions, conditions, generators })
    }

    /// The same with other names of dimensions.
    pub(super) fn renamed(&self, rename: &impl Fn(Dimension) -> Dimension) -> Result<Block, TooLarge> {
        let mut order: Vec<(Dimension, usize)> =
            self.dimensions.iter().enumerate().map(|(index, &d)| (rename(d), index + 1)).collect();
        order.sort_unstable();
        let moved = |rows: &[Row]| -> Vec<Row> {
            let moved = |row: &Row| {
                std::iter::once(0)
                    .chain(order.iter().map(|&(_, place)| place))
                    .map(|place| row[place])
                    .collect()
            };
            rows.iter().map(moved).collect()
        };
        let system = |system: &System| System { lines: moved(&system.lines), rays: moved(&system.rays) };
        let (mut conditions, mut generators) = (system(&self.conditions), system(&self.generators));
        minimise(&mut generators, &conditions)?;
        minimise(&mut conditions, &generators)?;
        let dimensions = order.into_iter().map(|(dimension, _)| dimension).collect();
        Ok(Block { dimensions, conditions, generators })
    }
}
