//! Memory in which objects of different types lie: kept by the kinds of its cells, with tags.
//!
//! In a list of anything, or where pointers to members of different structs are one type, a number of one object lies where a
//! pointer of another one lies. Each kind of cell has a region of its own, as in memory with one type; beside them stands, for
//! every unit of memory, as what it was written last: the kind of the cell, and which of its units this is. Zero means that
//! nothing was written since the object began to live: its contents are arbitrary or zero, as whatever they are read.
//!
//! What is read as something else than it was written as is given up here; then the program is translated once more, with
//! [bytes](super::bytes). So tags cost little where nobody looks at memory in two ways, which is nearly everywhere.
//!
//! All cells begin at multiples of a unit ([`tag_unit`](super::classes::Classes::tag_unit)), so two cells that overlap have
//! a unit in common.

use super::classes::{Cell, Key, cell_of};
use super::places::Place;
use super::regions::Region;
use super::shapes::Shape;
use super::{Result, Translator};
use crate::types::{FloatKind, IntKind, TypeId};
use ir::Expr;

/// The tag of a unit of a cell, by the number of the unit.
fn tag(cell: Cell, index: u64) -> u64 {
    let kind = match cell {
        Cell::Pointer => 1,
        Cell::Int(size) => 2 + u64::from(size.trailing_zeros()),
        Cell::Float(FloatKind::Float) => 8,
        Cell::Float(FloatKind::Double) => 9,
        Cell::Float(_) | Cell::Bits | Cell::Raw(_) | Cell::Tag => 10,
    };
    16 * kind + index
}

impl Translator<'_> {
    fn cell_units(&self, cell: Cell, unit: u64) -> u64 {
        let size = match cell {
            Cell::Int(size) | Cell::Raw(size) => size,
            Cell::Float(kind) => self.tree.types.float_size(kind),
            Cell::Pointer => IntKind::UnsignedLong.size(self.tree.types.model),
            Cell::Bits | Cell::Tag => unit,
        };
        size / unit
    }

    /// The tags, the base and the offset of a place, and the kind of cell that it is as a type.
    fn tagged(&mut self, place: &Place, ty: TypeId) -> Result<(Region, (Expr, Expr), Cell)> {
        let Place::Memory { base, offset, class, .. } = *place else {
            return Err(self.unsupported("memory of a variable that has none"));
        };
        let Some(cell) = cell_of(&self.tree.types, ty) else {
            return Err(self.unsupported("an access to memory of this type"));
        };
        let tags = self.region(class, Key::Any, Cell::Tag)?;
        Ok((tags, (base, self.share(offset)), cell))
    }

    /// That a place was written as a kind of cell, or not at all since its object began to live.
    fn have_tags(&mut self, (tags, unit): (&Region, u64), (base, offset): (Expr, Expr), cell: Cell) -> Expr {
        let (mut written, mut untouched) = (self.truth(true), self.truth(true));
        let zero = self.int(0);
        for index in 0..self.cell_units(cell, unit) {
            let step = self.int(index * unit);
            let at = self.add(offset, step);
            let found = self.fetch(tags.variables[0], tags.shape, base, at);
            let expected = self.int(tag(cell, index));
            let (same, none) = (self.equal(found, expected), self.equal(found, zero));
            written = self.and(written, same);
            untouched = self.and(untouched, none);
        }
        self.or(written, untouched)
    }

    /// Gives up where a place was written as something else.
    pub(super) fn expect_tags(&mut self, place: &Place, ty: TypeId, unit: u64) -> Result<()> {
        let (tags, at, cell) = self.tagged(place, ty)?;
        let fine = self.have_tags((&tags, unit), at, cell);
        self.report.back.tagged = true;
        self.give_up_unless(fine, "memory that is read as something else than it was written as");
        Ok(())
    }

    /// A place is written as a type.
    pub(super) fn set_tags(&mut self, place: &Place, ty: TypeId, unit: u64) -> Result<()> {
        let (tags, (base, offset), cell) = self.tagged(place, ty)?;
        let variable = tags.variables[0];
        let map = self.var(variable);
        let full = tags.shape == Shape::Full;
        let mut row = if full { self.select(map, base) } else { map };
        let span = self.expression.at;
        for index in 0..self.cell_units(cell, unit) {
            let step = self.int(index * unit);
            let at = self.add(offset, step);
            let value = self.int(tag(cell, index));
            row = self.program.store(row, [at], value, span);
        }
        let map = if full { self.store(map, &[base], row) } else { row };
        self.assign(variable, map);
        Ok(())
    }
}
