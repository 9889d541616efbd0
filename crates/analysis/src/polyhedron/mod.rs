//! Closed convex polyhedra: linear inequalities between any number of dimensions (Cousot and Halbwachs).
//!
//! A polyhedron is a product of *blocks*, each between a few dimensions, so that dimensions which have nothing to do with each other cost
//! nothing together (as Singh, Püschel and Vechev divide polyhedra); of a dimension without a block nothing is known. A block has both descriptions
//! ([`cone`]): conditions, and points and directions that generate it. With both at hand every operation is easy: bounds of forms are
//! read off the points, hulls put generators together, intersections conditions.
//!
//! Where all dimensions are integers, conditions are rounded (`2x + 4y ≥ 1` becomes `x + 2y ≥ 1`), those that are learnt and those of hulls.
//!
//! Everything over-approximates. Where numbers or descriptions become large, something weaker is kept: what was to be learnt is not, a hull is one of parts,
//! or what both sides have in common.

mod block;
mod cone;
mod row;

use crate::form::{Dimension, Form};
use crate::interval::Interval;
use block::Block;
use cone::Condition;
use logic::{Integer, Rational};
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};
use row::{Row, common_divisor};
use std::rc::Rc;

/// Numbers or descriptions are not small any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TooLarge;

/// Why a condition cannot be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Trouble {
    Empty,
    TooLarge,
}

impl From<TooLarge> for Trouble {
    fn from(TooLarge: TooLarge) -> Trouble {
        Trouble::TooLarge
    }
}

/// There are no such points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Empty;

/// A block does not relate more dimensions than this.
const MOST_DIMENSIONS: usize = 14;

/// The largest coefficient of conditions that widening takes to be meant.
const LARGEST_SIMPLE: u32 = 4;

/// Is a form at most zero, or is it zero?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sense {
    /// It is at most zero.
    AtMost,
    /// It is zero.
    Zero,
}

/// A polyhedron, never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Polyhedron {
    /// Between different dimensions, sorted by the first one.
    blocks: Vec<Rc<Block>>,
    integers: bool,
}

impl Polyhedron {
    /// All points; those of the polyhedron may be known to be integers.
    pub fn all(integers: bool) -> Polyhedron {
        Polyhedron { blocks: Vec::new(), integers }
    }

    /// Is nothing known?
    pub fn is_all(&self) -> bool {
        self.blocks.is_empty()
    }

    fn find(&self, dimension: Dimension) -> Option<usize> {
        self.blocks.iter().position(|block| block.position(dimension).is_some())
    }

    /// Is anything known about a dimension?
    pub fn mentions(&self, dimension: Dimension) -> bool {
        self.find(dimension).is_some()
    }

    /// The dimensions about which something is known.
    pub fn dimensions(&self) -> impl Iterator<Item = Dimension> + '_ {
        self.blocks.iter().flat_map(|block| block.dimensions.iter().copied())
    }

    /// The bounds of a form.
    pub fn bounds(&self, form: &Form) -> Interval {
        let high = self.largest(form);
        let low = self.largest(&form.clone().negated()).map(|largest| -largest);
        Interval { low, high }
    }

    /// The largest value of a form; none if there is none, or nobody knows.
    pub fn largest(&self, form: &Form) -> Option<Rational> {
        let mut total = form.constant.clone();
        let mut seen = 0;
        for block in &self.blocks {
            let about = form.monomials.iter().filter(|(dimension, _)| block.position(*dimension).is_some());
            let about = Form { monomials: about.cloned().collect(), constant: Rational::zero() };
            if about.monomials.is_empty() {
                continue;
            }
            seen += about.monomials.len();
            let (row, scale) = row_of(&about, &block.dimensions)?;
            total += block.largest(&row)? / scale;
        }
        (seen == form.monomials.len()).then_some(total)
    }

    /// Learns how a form compares with zero.
    pub fn assume(&mut self, form: &Form, sense: Sense) -> Result<(), Empty> {
        let Some(form) = self.rounded(form, sense)? else { return Ok(()) };
        if form.monomials.is_empty() {
            let holds = match sense {
                Sense::AtMost => !form.constant.is_positive(),
                Sense::Zero => form.constant.is_zero(),
            };
            return if holds { Ok(()) } else { Err(Empty) };
        }
        let Interval { low, high } = self.bounds(&form);
        let is_negative = |bound: &Option<Rational>| bound.as_ref().is_some_and(|bound| bound.is_negative());
        let at_most = |bound: &Option<Rational>| bound.as_ref().is_some_and(|bound| !bound.is_positive());
        if low.as_ref().is_some_and(|low| low.is_positive()) || sense == Sense::Zero && is_negative(&high) {
            return Err(Empty);
        }
        if at_most(&high) && (sense == Sense::AtMost || low.as_ref().is_some_and(|low| low.is_zero())) {
            return Ok(());
        }
        match self.with(&form, sense) {
            Ok(blocks) => {
                self.blocks = blocks;
                Ok(())
            }
            Err(Trouble::Empty) => Err(Empty),
            Err(Trouble::TooLarge) => Ok(()),
        }
    }

    /// The form with whole coefficients; of integers, with a constant that it can reach. None if numbers are large.
    fn rounded(&self, form: &Form, sense: Sense) -> Result<Option<Form>, Empty> {
        let mut form = form.clone().integral();
        if !self.integers || form.monomials.is_empty() {
            return Ok(Some(form));
        }
        let mut factors: Vec<i128> = Vec::with_capacity(form.monomials.len());
        for (_, factor) in &form.monomials {
            let Some(factor) = factor.numer().to_i128() else { return Ok(None) };
            factors.push(factor);
        }
        let divisor = common_divisor(factors.into_iter());
        if divisor > 1 {
            form = form.scaled(&Rational::new(Integer::from(1), divisor.into()));
            if sense == Sense::Zero && !form.constant.is_integer() {
                return Err(Empty);
            }
            form.constant = form.constant.ceil();
        }
        Ok(Some(form))
    }

    /// The blocks with one more condition.
    fn with(&self, form: &Form, sense: Sense) -> Result<Vec<Rc<Block>>, Trouble> {
        let dimensions: Vec<Dimension> = form.monomials.iter().map(|(dimension, _)| *dimension).collect();
        let (mut others, merged) = self.merged(&dimensions)?;
        let (row, _) = row_of(&form.clone().negated(), &merged.dimensions).ok_or(Trouble::TooLarge)?;
        let mut merged = merged;
        let condition = Condition { row, equation: sense == Sense::Zero };
        merged.refine(std::iter::once(condition))?;
        others.extend(merged.parts()?.into_iter().map(Rc::new));
        Ok(sorted(others))
    }

    /// The blocks that do not have some dimensions, and one block around those that do.
    fn merged(&self, dimensions: &[Dimension]) -> Result<(Vec<Rc<Block>>, Block), TooLarge> {
        let is_touched =
            |block: &Rc<Block>| dimensions.iter().any(|&dimension| block.position(dimension).is_some());
        let (touched, others): (Vec<Rc<Block>>, Vec<Rc<Block>>) =
            self.blocks.iter().cloned().partition(is_touched);
        let mut new: Vec<Dimension> =
            dimensions.iter().copied().filter(|&dimension| !self.mentions(dimension)).collect();
        new.sort_unstable();
        new.dedup();
        let count = new.len() + touched.iter().map(|block| block.dimensions.len()).sum::<usize>();
        if count > MOST_DIMENSIONS {
            return Err(TooLarge);
        }
        let merged = product(&touched, new)?;
        Ok((others, merged))
    }

    /// Forgets what is known about a dimension; what it says about others is kept.
    pub fn forget(&mut self, dimension: Dimension) {
        let Some(index) = self.find(dimension) else { return };
        let block = self.blocks.remove(index);
        if block.dimensions.len() == 1 {
            return;
        }
        let mut freed = (*block).clone();
        let position = freed.position(dimension).unwrap_or_default();
        let parts = freed.free(position).and_then(|()| freed.parts());
        if let Ok(parts) = parts {
            self.blocks.extend(parts.into_iter().map(Rc::new));
        }
        self.sort();
    }

    /// The dimension becomes the value of a form, in which it may occur itself.
    pub fn assign(&mut self, dimension: Dimension, form: &Form) -> Result<(), Empty> {
        if !form.mentions(dimension) {
            self.forget(dimension);
            return self.assume(&Form::dimension(dimension).minus(form), Sense::Zero);
        }
        if !self.mentions(dimension) {
            return Ok(());
        }
        match self.assigned(dimension, form) {
            Ok(blocks) => self.blocks = blocks,
            Err(TooLarge) => self.forget(dimension),
        }
        Ok(())
    }

    fn assigned(&self, dimension: Dimension, form: &Form) -> Result<Vec<Rc<Block>>, TooLarge> {
        let dimensions: Vec<Dimension> = form.monomials.iter().map(|(dimension, _)| *dimension).collect();
        let (mut others, mut merged) = self.merged(&dimensions)?;
        let (row, scale) = row_of(form, &merged.dimensions).ok_or(TooLarge)?;
        let denominator =
            scale.is_integer().then(|| scale.to_integer().to_i64()).flatten().ok_or(TooLarge)?;
        let position = merged.position(dimension).ok_or(TooLarge)?;
        merged.assign(position, (&row, denominator))?;
        others.extend(merged.parts()?.into_iter().map(Rc::new));
        Ok(sorted(others))
    }

    /// Do all points belong to the other?
    pub fn is_in(&self, other: &Polyhedron) -> bool {
        other.blocks.iter().all(|block| {
            self.blocks.iter().any(|mine| Rc::ptr_eq(mine, block) || mine == block)
                || block.conditions.conditions().all(|condition| self.satisfies(block, &condition))
        })
    }

    fn satisfies(&self, block: &Block, condition: &Condition) -> bool {
        let form = form_of(&condition.row, &block.dimensions).negated();
        let at_most = |form: &Form| self.largest(form).is_some_and(|largest| !largest.is_positive());
        at_most(&form) && (!condition.equation || at_most(&form.negated()))
    }

    /// The points of both.
    pub fn meet(&mut self, other: &Polyhedron) -> Result<(), Empty> {
        for block in &other.blocks {
            if self.blocks.iter().any(|mine| Rc::ptr_eq(mine, block)) {
                continue;
            }
            if block.dimensions.iter().all(|&dimension| !self.mentions(dimension)) {
                self.blocks.push(Rc::clone(block));
                self.sort();
                continue;
            }
            for condition in block.conditions.conditions() {
                self.assume_row(block, &condition)?;
            }
        }
        Ok(())
    }

    fn assume_row(&mut self, block: &Block, condition: &Condition) -> Result<(), Empty> {
        let form = form_of(&condition.row, &block.dimensions).negated();
        self.assume(&form, if condition.equation { Sense::Zero } else { Sense::AtMost })
    }

    /// The smallest polyhedron around both, or one that is not much larger.
    pub fn join(&mut self, other: &Polyhedron) {
        let mut right = other.clone();
        // What is forgotten on one side may take others with it.
        loop {
            let here = self.dimensions().find(|&dimension| !right.mentions(dimension));
            let Some(gone) = here.or_else(|| right.dimensions().find(|&dimension| !self.mentions(dimension)))
            else {
                break;
            };
            self.forget(gone);
            right.forget(gone);
        }
        let is_same =
            |block: &Rc<Block>| right.blocks.iter().any(|other| Rc::ptr_eq(other, block) || other == block);
        let (same, left): (Vec<Rc<Block>>, Vec<Rc<Block>>) = self.blocks.drain(..).partition(is_same);
        let is_other =
            |block: &Rc<Block>| !same.iter().any(|other| Rc::ptr_eq(other, block) || other == block);
        let right: Vec<Rc<Block>> = right.blocks.into_iter().filter(is_other).collect();
        self.blocks = same;
        if left.is_empty() {
            return;
        }
        let hulls = match hull(&left, &right) {
            Ok(hull) => vec![hull],
            Err(TooLarge) => {
                let clusters = clusters(&left, &right);
                clusters.iter().filter_map(|(left, right)| hull_or_less(left, right, self.integers)).collect()
            }
        };
        let mut tight = Polyhedron { blocks: Vec::new(), integers: self.integers };
        tight.blocks.extend(hulls.into_iter().flatten());
        tight.round();
        self.blocks.extend(tight.blocks);
        self.sort();
    }

    /// Rounds the conditions of integers.
    fn round(&mut self) {
        if !self.integers {
            return;
        }
        for block in self.blocks.clone() {
            for condition in block.conditions.conditions() {
                let divisor = common_divisor(condition.row[1..].iter().map(|&number| number.into()));
                if divisor > 1 {
                    // There are points, and all of them are integers, so there are points afterwards; if not, nobody knows.
                    let _learnt = self.assume_row(&block, &condition);
                }
            }
        }
    }

    /// Contains both, and repeating this comes to an end: keeps the conditions that do not have to change, and those of `forms` (at most zero) that both
    /// satisfy. Where there are `constants`, also simple conditions of the newer one with one of these (sorted), of which there are only so many, and those that say the
    /// same about the older one as some condition of it.
    pub fn widen(&mut self, newer: &Polyhedron, forms: &[Form], constants: &[Rational]) {
        let mut widened = Polyhedron::all(self.integers);
        let mut keep = |form: &Form, sense| {
            // Both satisfy it, so there are points that do.
            let _learnt = widened.assume(form, sense);
        };
        for block in &self.blocks {
            if let Some(same) = newer.blocks.iter().find(|other| Rc::ptr_eq(other, block) || *other == block)
            {
                for condition in same.conditions.conditions() {
                    let form = form_of(&condition.row, &same.dimensions).negated();
                    keep(&form, if condition.equation { Sense::Zero } else { Sense::AtMost });
                }
                continue;
            }
            for condition in block.conditions.conditions() {
                let form = form_of(&condition.row, &block.dimensions).negated();
                let holds = |form: &Form| newer.largest(form).is_some_and(|largest| !largest.is_positive());
                let (above, below) = (holds(&form), condition.equation && holds(&form.clone().negated()));
                match (above, below) {
                    (true, true) => keep(&form, Sense::Zero),
                    (true, false) => keep(&form, Sense::AtMost),
                    (false, true) => keep(&form.negated(), Sense::AtMost),
                    (false, false) => {}
                }
            }
        }
        let satisfied = |form: &&Form| {
            [&*self, newer]
                .iter()
                .all(|side| side.largest(form).is_some_and(|largest| !largest.is_positive()))
        };
        forms.iter().filter(satisfied).for_each(|form| keep(form, Sense::AtMost));
        if !constants.is_empty() {
            for block in &newer.blocks {
                for condition in block.conditions.conditions().filter(|condition| !condition.equation) {
                    let form = form_of(&condition.row, &block.dimensions).negated();
                    let is_small = |factor: &Rational| factor.numer().magnitude() <= &LARGEST_SIMPLE.into();
                    let is_simple = form.monomials.iter().all(|(_, factor)| is_small(factor))
                        && constants.binary_search(&form.constant).is_ok()
                        && self.largest(&form).is_some_and(|largest| !largest.is_positive());
                    if !form.monomials.is_empty() && (is_simple || self.is_touched_like_a_condition(&form)) {
                        keep(&form, Sense::AtMost);
                    }
                }
            }
        }
        *self = widened;
    }

    /// Does a form that is at most zero everywhere touch the polyhedron where one of its own conditions does?
    fn is_touched_like_a_condition(&self, form: &Form) -> bool {
        if !self.largest(form).is_some_and(|largest| largest.is_zero()) {
            return false;
        }
        let dimensions: Vec<Dimension> = form.monomials.iter().map(|(dimension, _)| *dimension).collect();
        let Ok((_, merged)) = self.merged(&dimensions) else { return false };
        let Some((row, _)) = row_of(&form.clone().negated(), &merged.dimensions) else { return false };
        let touches = |row: &Row| -> Vec<bool> {
            merged.generators.rays.iter().map(|ray| row::dot(ray, row) == 0).collect()
        };
        let mine = touches(&row);
        merged.conditions.rays.iter().any(|own| touches(own) == mine)
    }

    /// The conditions, as forms that are at most zero, or zero.
    pub fn conditions(&self) -> Vec<(Form, Sense)> {
        let mut found = Vec::new();
        for block in &self.blocks {
            for condition in block.conditions.conditions() {
                let form = form_of(&condition.row, &block.dimensions).negated();
                if !form.monomials.is_empty() {
                    found.push((form, if condition.equation { Sense::Zero } else { Sense::AtMost }));
                }
            }
        }
        found
    }

    /// How many conditions there are, equations counted twice.
    pub fn size(&self) -> usize {
        let size = |block: &Rc<Block>| 2 * block.conditions.lines.len() + block.conditions.rays.len();
        self.blocks.iter().map(size).sum()
    }

    /// The same with other names of dimensions, different ones for different ones.
    pub fn renamed(&self, rename: impl Fn(Dimension) -> Dimension) -> Polyhedron {
        let blocks =
            self.blocks.iter().filter_map(|block| block.renamed(&rename).ok()).map(Rc::new).collect();
        Polyhedron { blocks: sorted(blocks), integers: self.integers }
    }

    fn sort(&mut self) {
        self.blocks.sort_unstable_by_key(|block| block.dimensions[0]);
    }
}

fn sorted(mut blocks: Vec<Rc<Block>>) -> Vec<Rc<Block>> {
    blocks.sort_unstable_by_key(|block| block.dimensions[0]);
    blocks
}

/// Some blocks as one, with further dimensions of which nothing is known.
fn product(blocks: &[Rc<Block>], new: Vec<Dimension>) -> Result<Block, TooLarge> {
    let mut blocks = blocks.iter();
    let mut merged = match blocks.next() {
        Some(first) => (**first).clone(),
        None => return Ok(Block::all(new)),
    };
    for block in blocks {
        merged = merged.product(block)?;
    }
    if new.is_empty() { Ok(merged) } else { merged.product(&Block::all(new)) }
}

/// The hull of two lists of blocks, which have the same dimensions.
fn hull(left: &[Rc<Block>], right: &[Rc<Block>]) -> Result<Vec<Rc<Block>>, TooLarge> {
    if left.iter().map(|block| block.dimensions.len()).sum::<usize>() > MOST_DIMENSIONS {
        return Err(TooLarge);
    }
    let mut hull = product(left, Vec::new())?;
    hull.join(&product(right, Vec::new())?)?;
    Ok(hull.parts()?.into_iter().map(Rc::new).collect())
}

/// Two lists of blocks, divided as finely as both allow.
type Clusters = Vec<(Vec<Rc<Block>>, Vec<Rc<Block>>)>;

fn clusters(left: &[Rc<Block>], right: &[Rc<Block>]) -> Clusters {
    let mut clusters: Clusters = Vec::new();
    let mut left: Vec<Rc<Block>> = left.to_vec();
    let mut right: Vec<Rc<Block>> = right.to_vec();
    while let Some(first) = left.pop() {
        let mut dimensions = first.dimensions.clone();
        let mut cluster = (vec![first], Vec::new());
        loop {
            let size = dimensions.len();
            for (rest, into) in [(&mut left, &mut cluster.0), (&mut right, &mut cluster.1)] {
                let (touched, others): (Vec<Rc<Block>>, Vec<Rc<Block>>) = rest.drain(..).partition(|block| {
                    block.dimensions.iter().any(|dimension| dimensions.contains(dimension))
                });
                for block in &touched {
                    let new = block.dimensions.iter().filter(|dimension| !dimensions.contains(dimension));
                    let new: Vec<Dimension> = new.copied().collect();
                    dimensions.extend(new);
                }
                into.extend(touched);
                *rest = others;
            }
            if dimensions.len() == size {
                break;
            }
        }
        clusters.push(cluster);
    }
    clusters
}

/// The hull, or at least the conditions of the one side that the other one satisfies.
fn hull_or_less(left: &[Rc<Block>], right: &[Rc<Block>], integers: bool) -> Option<Vec<Rc<Block>>> {
    if let Ok(hull) = hull(left, right) {
        return Some(hull);
    }
    let side = |blocks: &[Rc<Block>]| Polyhedron { blocks: sorted(blocks.to_vec()), integers };
    let (left, right) = (side(left), side(right));
    let mut common = Polyhedron::all(integers);
    for (mine, theirs) in [(&left, &right), (&right, &left)] {
        for block in &mine.blocks {
            for condition in
                block.conditions.conditions().filter(|condition| theirs.satisfies(block, condition))
            {
                common.assume_row(block, &condition).ok()?;
            }
        }
    }
    Some(common.blocks)
}

/// A form as a row over some dimensions, among which are its own, times a positive number; none if numbers are large.
fn row_of(form: &Form, dimensions: &[Dimension]) -> Option<(Row, Rational)> {
    let denominators = form.monomials.iter().map(|(_, factor)| factor).chain([&form.constant]).try_fold(
        1i64,
        |lcm, number| {
            let denominator = number.denom().to_i64()?;
            let divisor = num_integer::gcd(lcm, denominator);
            (lcm / divisor).checked_mul(denominator)
        },
    )?;
    let scale = Rational::from_integer(denominators.into());
    let scaled = |number: &Rational| {
        let number = (number * &scale).to_integer().to_i64()?;
        (number.unsigned_abs() <= 1 << 60).then_some(number)
    };
    let mut row: Row = vec![0; dimensions.len() + 1];
    row[0] = scaled(&form.constant)?;
    for (dimension, factor) in &form.monomials {
        row[dimensions.binary_search(dimension).ok()? + 1] = scaled(factor)?;
    }
    Some((row, scale))
}

/// The form of a row.
fn form_of(row: &Row, dimensions: &[Dimension]) -> Form {
    let number = |&number: &i64| Rational::from_integer(number.into());
    let monomials = dimensions.iter().zip(&row[1..]).filter(|&(_, &factor)| factor != 0);
    Form {
        monomials: monomials.map(|(&dimension, factor)| (dimension, number(factor))).collect(),
        constant: number(&row[0]),
    }
}
