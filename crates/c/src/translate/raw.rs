//! Memory in which integers and floating numbers meet: kept as bits.
//!
//! All accesses are seen as so many units, bit-vectors of as many bytes as divide the sizes of all of them. The order
//! of bytes is that of the data models: the lowest first. `long double`, whose bit patterns have a bit more in memory, and
//! pointers do not take part.

use super::classes::{Cell, Class, Key};
use super::places::Place;
use super::regions::Region;
use super::shapes::Shape;
use super::values::Value;
use super::{Result, Translator};
use crate::types::{FloatKind, IntKind, TypeId};
use ir::{Builtin, Expr};

impl Translator<'_> {
    /// The size of units, if accesses to a class of memory are such that they can be seen as bits.
    pub(super) fn raw_unit(&self, class: Class) -> Option<u64> {
        let mut unit = 0u64;
        for (_, cell) in self.analyses.classes.cells(class) {
            let size = match cell {
                Cell::Int(size) => size,
                Cell::Float(kind @ (FloatKind::Float | FloatKind::Double)) => {
                    self.tree.types.float_size(kind)
                }
                _ => return None,
            };
            // Sizes are powers of two.
            unit = if unit == 0 { size } else { unit.min(size) };
        }
        (unit > 0).then_some(unit)
    }

    fn raw_region(&mut self, place: &Place, unit: u64) -> Result<(Region, Expr, Expr)> {
        let Place::Memory { base, offset, class, .. } = *place else {
            return Err(self.unsupported("memory of a variable that has none"));
        };
        let region = self.region(class, Key::Any, Cell::Raw(unit))?;
        Ok((region, base, offset))
    }

    /// Reads a number from its units.
    pub(super) fn read_raw(&mut self, place: &Place, ty: TypeId, unit: u64) -> Result<Value> {
        let (region, base, offset) = self.raw_region(place, unit)?;
        let offset = self.share(offset);
        let size = self.tree.types.size(ty).unwrap_or(unit);
        let at_span = self.expression.at;
        let mut bits: Option<Expr> = None;
        for index in 0..size / unit {
            let index = self.int(index * unit);
            let at = self.add(offset, index);
            let part = self.fetch(region.variables[0], region.shape, base, at);
            bits = Some(match bits {
                None => part,
                Some(low) => self.program.binary(ir::BinaryOp::Concat, part, low, at_span),
            });
        }
        let Some(bits) = bits else { return Err(self.unsupported("an access to memory of this type")) };
        let bits = self.freeze(bits);
        match self.tree.types.int_kind(ty) {
            None => Ok(Value::Float(bits)),
            Some(IntKind::Bool) => match self.int_of_bits(bits, IntKind::UnsignedChar) {
                Value::Int(byte, interval) => self.fit(byte, interval, IntKind::Bool),
                other => Ok(other),
            },
            Some(kind) => Ok(self.int_of_bits(bits, kind)),
        }
    }

    /// Writes a number as its units.
    pub(super) fn write_raw(&mut self, place: &Place, ty: TypeId, value: Expr, unit: u64) -> Result<()> {
        let (region, base, offset) = self.raw_region(place, unit)?;
        let size = self.tree.types.size(ty).unwrap_or(unit);
        let at_span = self.expression.at;
        let bits = if self.tree.types.int_kind(ty).is_some() {
            let width = 8 * size as u32;
            let bits = self.program.types.bit_vector(width);
            let to_bits = self.builtin(Builtin::IntToBitVec(width), &[ir::Type::INT], bits, at_span);
            self.program.apply(to_bits, [value], at_span)
        } else {
            value
        };
        let (bits, offset) = (self.share(bits), self.share(offset));
        let map = self.var(region.variables[0]);
        let full = region.shape == Shape::Full;
        let mut row = if full { self.select(map, base) } else { map };
        for index in 0..size / unit {
            let (low, high) = (8 * unit * index, 8 * unit * (index + 1));
            let part = if size == unit {
                bits
            } else {
                self.program.extract(bits, high as u32, low as u32, at_span)
            };
            let index = self.int(index * unit);
            let at = self.add(offset, index);
            row = self.program.store(row, [at], part, at_span);
        }
        let map = if full { self.store(map, &[base], row) } else { row };
        self.assign(region.variables[0], map);
        Ok(())
    }
}
