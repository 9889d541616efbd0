//! Quantities with bounds, some of which are sums of others: is there an assignment, over the rationals?
//!
//! The method is the general simplex with bounded variables and the rule of Bland (Dutertre and de Moura, "A Fast
//! Linear-Arithmetic Solver for DPLL(T)", Section 3). It is exact: a fraction that does not fit into machine words ends the
//! search without an answer, and so do too many pivots.

use super::number::Fraction;
use std::cmp::Ordering;

/// So many pivots, and no more: questions that need them are rare, and others are better at these.
const MOST_PIVOTS: u32 = 100;
/// A tableau with more cells is left to others.
const MOST_CELLS: usize = 4_000;

/// What a quantity has to keep to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Bounds {
    pub(super) lower: Option<i128>,
    pub(super) upper: Option<i128>,
}

impl Bounds {
    /// The only value, if there is one.
    pub(super) fn fixed(self) -> Option<i128> {
        self.lower.filter(|_| self.lower == self.upper)
    }
}

/// Why a quantity is what it is: nothing, or a sum of others with factors.
pub(super) type Sum = Option<Vec<(usize, i128)>>;

/// The answer.
pub(super) enum Feasible {
    /// The value of each quantity.
    Yes(Vec<Fraction>),
    No,
}

struct Tableau<'b> {
    bounds: &'b [Bounds],
    values: Vec<Fraction>,
    /// Each row says that its basic quantity is a sum of the others, by quantity.
    rows: Vec<Vec<Fraction>>,
    basic: Vec<usize>,
    is_basic: Vec<bool>,
}

/// Is there an assignment? `None` if that was not found out.
///
/// Sums that have no quantity in common, not even through others, are looked at one group after the other: most questions
/// are about many quantities of which few have to do with each other.
pub(super) fn feasible(sums: &[Sum], bounds: &[Bounds]) -> Option<Feasible> {
    let count = sums.len();
    let is_bounded = |q: usize| bounds[q].lower.is_some() || bounds[q].upper.is_some();
    let nearest = |bounds: &Bounds| {
        let zero = bounds.lower.map_or(0, |lower| lower.max(0));
        Fraction::whole(bounds.upper.map_or(zero, |upper| upper.min(zero)))
    };
    let mut values: Vec<Fraction> = bounds.iter().map(nearest).collect();
    let mut groups = Groups { leader: (0..count).collect() };
    for quantity in (0..count).filter(|&q| is_bounded(q)) {
        for &(part, _) in sums[quantity].iter().flatten() {
            groups.unite(quantity, part);
        }
    }
    // The sums of each group, and their parts, which come behind all sums.
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut has_sums = vec![false; count];
    for quantity in 0..count {
        let leader = groups.leader(quantity);
        let is_sum = sums[quantity].is_some();
        if !is_sum || is_bounded(quantity) {
            members[leader].push(quantity);
            has_sums[leader] |= is_sum;
        }
    }
    let mut position = vec![0; count];
    for group in (0..count).filter(|&leader| has_sums[leader]) {
        let group = &members[group];
        for (index, &quantity) in group.iter().enumerate() {
            position[quantity] = index;
        }
        let own_sums: Vec<Sum> = group
            .iter()
            .map(|&q| {
                Some(sums[q].as_ref()?.iter().map(|&(part, factor)| (position[part], factor)).collect())
            })
            .collect();
        let own_bounds: Vec<Bounds> = group.iter().map(|&q| bounds[q]).collect();
        let own_values: Vec<Fraction> = group.iter().map(|&q| values[q]).collect();
        match feasible_group(&own_sums, &own_bounds, own_values)? {
            Feasible::No => return Some(Feasible::No),
            Feasible::Yes(found) => group.iter().zip(found).for_each(|(&q, value)| values[q] = value),
        }
    }
    // Sums without bounds have no row: they are what their parts make them.
    for (quantity, sum) in sums.iter().enumerate() {
        if let Some(sum) = sum {
            let mut value = Fraction::ZERO;
            for &(part, factor) in sum {
                value = value.plus(values[part].times(Fraction::whole(factor))?)?;
            }
            values[quantity] = value;
        }
    }
    Some(Feasible::Yes(values))
}

/// Which quantities have to do with each other.
struct Groups {
    leader: Vec<usize>,
}

impl Groups {
    fn leader(&mut self, mut quantity: usize) -> usize {
        while self.leader[quantity] != quantity {
            self.leader[quantity] = self.leader[self.leader[quantity]];
            quantity = self.leader[quantity];
        }
        quantity
    }

    fn unite(&mut self, one: usize, other: usize) {
        let (one, other) = (self.leader(one), self.leader(other));
        self.leader[one.max(other)] = one.min(other);
    }
}

/// The same for quantities all of whose sums have bounds.
fn feasible_group(sums: &[Sum], bounds: &[Bounds], values: Vec<Fraction>) -> Option<Feasible> {
    let count = sums.len();
    let basic: Vec<usize> = (0..count).filter(|&q| sums[q].is_some()).collect();
    if basic.len() * count > MOST_CELLS {
        return None;
    }
    let mut tableau = Tableau {
        bounds,
        values,
        rows: Vec::with_capacity(basic.len()),
        basic,
        is_basic: vec![false; count],
    };
    for index in 0..tableau.basic.len() {
        let quantity = tableau.basic[index];
        let mut row = vec![Fraction::ZERO; count];
        for &(part, factor) in sums[quantity].iter().flatten() {
            row[part] = Fraction::whole(factor);
        }
        tableau.is_basic[quantity] = true;
        tableau.rows.push(row);
        tableau.values[quantity] = tableau.value_of(index)?;
    }
    tableau.solve()
}

impl Tableau<'_> {
    fn value_of(&self, row: usize) -> Option<Fraction> {
        let mut value = Fraction::ZERO;
        for (quantity, factor) in self.rows[row].iter().enumerate() {
            if !factor.is_zero() {
                value = value.plus(factor.times(self.values[quantity])?)?;
            }
        }
        Some(value)
    }

    fn solve(&mut self) -> Option<Feasible> {
        for _ in 0..MOST_PIVOTS {
            let mut violated: Option<(usize, usize, i128, bool)> = None;
            for (row, &quantity) in self.basic.iter().enumerate() {
                let (value, bounds) = (self.values[quantity], self.bounds[quantity]);
                let wanted = match (bounds.lower, bounds.upper) {
                    (Some(lower), _) if value.compare(Fraction::whole(lower))? == Ordering::Less => {
                        (lower, true)
                    }
                    (_, Some(upper)) if value.compare(Fraction::whole(upper))? == Ordering::Greater => {
                        (upper, false)
                    }
                    _ => continue,
                };
                if violated.is_none_or(|(_, other, ..)| quantity < other) {
                    violated = Some((row, quantity, wanted.0, wanted.1));
                }
            }
            let Some((row, quantity, wanted, rises)) = violated else {
                return Some(Feasible::Yes(std::mem::take(&mut self.values)));
            };
            let mut entering = None;
            for (other, &factor) in self.rows[row].iter().enumerate() {
                if factor.is_zero() || self.is_basic[other] {
                    continue;
                }
                let up = factor.is_positive() == rises;
                let (value, bounds) = (self.values[other], self.bounds[other]);
                let free = match if up { bounds.upper } else { bounds.lower } {
                    None => true,
                    Some(bound) => value.compare(Fraction::whole(bound))? != Ordering::Equal,
                };
                if free {
                    entering = Some(other);
                    break;
                }
            }
            let Some(entering) = entering else { return Some(Feasible::No) };
            self.pivot(row, quantity, entering, Fraction::whole(wanted))?;
        }
        None
    }

    /// The basic quantity of a row gets a value, by changing another one, which becomes basic in its place.
    fn pivot(&mut self, row: usize, leaving: usize, entering: usize, wanted: Fraction) -> Option<()> {
        let factor = self.rows[row][entering];
        let change = wanted.minus(self.values[leaving])?.divided_by(factor)?;
        self.values[leaving] = wanted;
        self.values[entering] = self.values[entering].plus(change)?;
        for (other, &quantity) in self.basic.iter().enumerate() {
            let factor = self.rows[other][entering];
            if other != row && !factor.is_zero() {
                self.values[quantity] = self.values[quantity].plus(factor.times(change)?)?;
            }
        }
        // entering = (leaving − the rest of the row) / factor
        let mut solved = std::mem::take(&mut self.rows[row]);
        for part in &mut solved {
            if !part.is_zero() {
                *part = part.divided_by(factor)?.negated()?;
            }
        }
        solved[entering] = Fraction::ZERO;
        solved[leaving] = Fraction::whole(1).divided_by(factor)?;
        for (other, parts) in self.rows.iter_mut().enumerate() {
            let factor = if other == row { Fraction::ZERO } else { parts[entering] };
            if factor.is_zero() {
                continue;
            }
            parts[entering] = Fraction::ZERO;
            for (part, &added) in parts.iter_mut().zip(&solved) {
                if !added.is_zero() {
                    *part = part.plus(factor.times(added)?)?;
                }
            }
        }
        self.rows[row] = solved;
        self.basic[row] = entering;
        self.is_basic[entering] = true;
        self.is_basic[leaving] = false;
        Some(())
    }
}
