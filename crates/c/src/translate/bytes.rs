//! Memory that is looked at in several ways: kept as bytes, the lowest of a number first.
//!
//! A byte is an `int` from 0 to 255. Beside the bytes stands, for every place, the pointer that was written there last
//! (its *shadow*, zeros at the start). A pointer is written as the bytes of its address
//! ([`addresses`](super::addresses)) and as the shadow. When a pointer is read, its address is put together from the bytes;
//! if the shadow has this very address, it is the pointer, otherwise the address is converted as an integer is. So a stale
//! shadow does no harm, and bytes may be copied one by one, changed and restored.
//!
//! Not kept this way: `long double`, whose values have fewer bits here than in memory.

use super::classes::{Cell, Key, is_bit_field};
use super::numbers::Interval;
use super::places::Place;
use super::regions::Region;
use super::shapes::Shape;
use super::values::Value;
use super::{Result, Translator};
use crate::types::{FloatKind, IntKind, Type, TypeId};
use ir::{Builtin, Expr};

/// The pointer that was written last where bytes are.
#[derive(Clone, Copy)]
pub(super) struct Shadow {
    pub(super) base: Expr,
    pub(super) offset: Expr,
}

/// The bits of a bit-field: the first one, and how many there are.
#[derive(Clone, Copy)]
struct BitRange {
    first: u64,
    width: u64,
}

/// A place in byte memory.
pub(super) struct BytePlace {
    pub(super) region: Region,
    pub(super) base: Expr,
    pub(super) offset: Expr,
}

impl Translator<'_> {
    /// The bytes at a place.
    pub(super) fn byte_place(&mut self, place: &Place) -> Result<BytePlace> {
        let Place::Memory { base, offset, class, .. } = *place else {
            return Err(self.unsupported("memory of a variable that has none"));
        };
        let region = self.region(class, Key::Any, Cell::Int(1))?;
        Ok(BytePlace { region, base, offset: self.share(offset) })
    }

    /// One byte.
    pub(super) fn byte_at(&mut self, place: &BytePlace, index: Expr) -> Expr {
        let at = self.add(place.offset, index);
        let byte = self.fetch(place.region.variables[0], place.region.shape, place.base, at);
        match self.in_range(byte, Interval::BYTE) {
            Value::Int(byte, _) => byte,
            _ => byte,
        }
    }

    /// The number without sign that some bytes are.
    fn sum_of_bytes(&mut self, place: &BytePlace, count: u64) -> Expr {
        let mut sum = self.int(0);
        for index in 0..count {
            let position = self.int(index);
            let byte = self.byte_at(place, position);
            let weight = self.int(num_bigint::BigInt::from(1) << (8 * index));
            let part = self.multiply(byte, weight);
            sum = self.add(sum, part);
        }
        sum
    }

    /// The bytes of a number from 0 to 256^count - 1, the lowest first.
    fn bytes_of(&mut self, number: Expr, count: u64) -> Vec<Expr> {
        if count == 1 {
            return vec![number];
        }
        if let Some(value) = self.literal(number) {
            return (0..count).map(|index| self.int((value >> (8 * index).min(127)) & 255)).collect();
        }
        let number = self.share(number);
        let size = self.int(256);
        let mut bytes = Vec::new();
        let mut sum = self.int(0);
        for index in 0..count {
            let weight = self.int(num_bigint::BigInt::from(1) << (8 * index));
            let shifted = self.divide_floor(number, weight);
            let byte = if index + 1 == count { shifted } else { self.modulo(shifted, size) };
            let byte = self.freeze(byte);
            let part = self.multiply(byte, weight);
            sum = self.add(sum, part);
            bytes.push(byte);
        }
        // This follows from the definitions; said here, it need not be found out.
        let whole = self.equal(number, sum);
        self.assume(whole);
        bytes
    }

    /// Writes bytes.
    pub(super) fn store_bytes(&mut self, place: &BytePlace, bytes: &[Expr]) {
        let variable = place.region.variables[0];
        let map = self.var(variable);
        let full = place.region.shape == Shape::Full;
        let mut row = if full { self.select(map, place.base) } else { map };
        let span = self.expression.at;
        for (index, &byte) in bytes.iter().enumerate() {
            let index = self.int(index);
            let at = self.add(place.offset, index);
            row = self.program.store(row, [at], byte, span);
        }
        let map = if full { self.store(map, &[place.base], row) } else { row };
        self.assign(variable, map);
        self.note_written_bytes(place, bytes);
    }

    /// The number without sign that has the bits of a number of some bytes.
    fn without_sign(&mut self, value: Expr, interval: Interval, bits: u64) -> Expr {
        if interval.low >= 0 {
            return value;
        }
        let value = self.share(value);
        let period = self.int(num_bigint::BigInt::from(1) << bits);
        let zero = self.int(0);
        let negative = self.compare(ir::BinaryOp::Less, value, zero);
        let more = self.add(value, period);
        self.ite(negative, more, value)
    }

    /// Reads a scalar from bytes.
    pub(super) fn read_bytes(&mut self, place: &Place, ty: TypeId) -> Result<Value> {
        let bytes = self.byte_place(place)?;
        if let Some((first, width)) = self.bit_field(place) {
            let kind = self.tree.types.int_kind(ty).unwrap_or(IntKind::UnsignedInt);
            let sum = self.sum_of_bytes(&bytes, (first + width).div_ceil(8));
            return Ok(self.bits_of_sum(sum, BitRange { first, width }, kind));
        }
        let size = self.scalar_size(ty)?;
        let sum = self.sum_of_bytes(&bytes, size);
        match (&self.tree.types[ty], self.tree.types.int_kind(ty)) {
            (_, Some(kind)) => {
                let high = if size < 16 { (1i128 << (8 * size)) - 1 } else { i128::MAX };
                self.fit(sum, Interval { low: 0, high }, kind)
            }
            (Type::Float(kind), _) => {
                let width = kind.format().width();
                let ty = self.program.types.bit_vector(width);
                let at = self.expression.at;
                let to_bits = self.builtin(Builtin::IntToBitVec(width), &[ir::Type::INT], ty, at);
                let bits = self.program.apply(to_bits, [sum], at);
                Ok(Value::Float(self.freeze(bits)))
            }
            _ => {
                let address = self.freeze(sum);
                let (base, offset) = self.shadow(place)?;
                self.pointer_with_shadow(address, Shadow { base, offset }, ty)
            }
        }
    }

    /// Writes a scalar as bytes.
    pub(super) fn write_bytes(&mut self, place: &Place, ty: TypeId, components: &[Expr]) -> Result<()> {
        let bytes = self.byte_place(place)?;
        let at = self.expression.at;
        if let (Some((first, width)), &[value]) = (self.bit_field(place), components) {
            return self.write_bit_field(&bytes, BitRange { first, width }, value);
        }
        let size = self.scalar_size(ty)?;
        let number = match (components, &self.tree.types[ty]) {
            (&[base, offset], _) => {
                let (base, offset) = (self.share(base), self.share(offset));
                self.set_shadow(place, Shadow { base, offset })?;
                let address = self.exposed_address(base, offset)?;
                self.share(address)
            }
            (&[value], Type::Float(kind)) => {
                let width = kind.format().width();
                let ty = self.program.types.bit_vector(width);
                let to_int = self.builtin(Builtin::UnsignedToInt, &[ty], ir::Type::INT, at);
                self.program.apply(to_int, [value], at)
            }
            (&[value], _) => {
                let kind = self.tree.types.int_kind(ty).unwrap_or(IntKind::UnsignedInt);
                self.without_sign(value, Interval::of(&self.tree.types, kind), 8 * size)
            }
            _ => return Err(self.unsupported("an access to memory of this type")),
        };
        let parts = self.bytes_of(number, size);
        self.store_bytes(&bytes, &parts);
        Ok(())
    }

    fn scalar_size(&mut self, ty: TypeId) -> Result<u64> {
        match (&self.tree.types[ty], self.tree.types.size(ty)) {
            (Type::Float(FloatKind::LongDouble), _) => {
                Err(self.unsupported("a `long double` in memory that is accessed through other types"))
            }
            (_, Some(size)) if self.tree.types.is_scalar(ty) => Ok(size),
            _ => Err(self.unsupported("an access to memory of this type")),
        }
    }

    /// The first bit and the width of the bit-field that a place is.
    pub(super) fn bit_field(&self, place: &Place) -> Option<(u64, u64)> {
        let &Place::Memory { key: key @ Key::Member(record, index), bits, .. } = place else { return None };
        if !is_bit_field(&self.tree.types, key) {
            return None;
        }
        let width = self.tree.types.field(record, index)?.width?;
        Some((bits, width.into()))
    }

    /// The value of a bit-field inside of a number.
    fn bits_of_sum(&mut self, sum: Expr, BitRange { first, width }: BitRange, kind: IntKind) -> Value {
        let below = self.int(num_bigint::BigInt::from(1) << first);
        let period = self.int(num_bigint::BigInt::from(1) << width);
        let shifted = self.divide_floor(sum, below);
        let value = self.modulo(shifted, period);
        let range = Interval::of_bits(width as u32, kind.is_signed());
        if !kind.is_signed() {
            return Value::Int(value, range);
        }
        let value = self.share(value);
        let high = self.int(range.high);
        let negative = self.compare(ir::BinaryOp::Greater, value, high);
        let less = self.subtract(value, period);
        Value::Int(self.ite(negative, less, value), range)
    }

    fn write_bit_field(&mut self, bytes: &BytePlace, bits: BitRange, value: Expr) -> Result<()> {
        let BitRange { first, width } = bits;
        let count = (first + width).div_ceil(8);
        let sum = self.sum_of_bytes(bytes, count);
        let sum = self.freeze(sum);
        let Value::Int(old, _) = self.bits_of_sum(sum, bits, IntKind::UnsignedInt) else {
            return Err(self.unsupported("a bit-field that is no integer"));
        };
        let period = self.int(num_bigint::BigInt::from(1) << width);
        let new = self.modulo(value, period);
        let change = self.subtract(new, old);
        let weight = self.int(num_bigint::BigInt::from(1) << first);
        let change = self.multiply(change, weight);
        let sum = self.add(sum, change);
        let sum = self.freeze(sum);
        let parts = self.bytes_of(sum, count);
        self.store_bytes(bytes, &parts);
        Ok(())
    }

    /// The pointer that was written at a place last.
    pub(super) fn shadow(&mut self, place: &Place) -> Result<(Expr, Expr)> {
        let Place::Memory { base, offset, class, .. } = *place else {
            return Err(self.unsupported("memory of a variable that has none"));
        };
        let region = self.region(class, Key::Any, Cell::Pointer)?;
        let shadow_base = self.fetch(region.variables[0], region.shape, base, offset);
        let shadow_offset = self.fetch(region.variables[1], region.shape, base, offset);
        let both = self.frozen_together(vec![shadow_base, shadow_offset]);
        Ok((both[0], both[1]))
    }

    /// Sets the pointer that was written at a place last.
    pub(super) fn set_shadow(&mut self, place: &Place, Shadow { base, offset }: Shadow) -> Result<()> {
        let Place::Memory { base: object, offset: at, class, .. } = *place else {
            return Err(self.unsupported("memory of a variable that has none"));
        };
        let region = self.region(class, Key::Any, Cell::Pointer)?;
        let mut pairs = Vec::new();
        for (&variable, value) in region.variables.iter().zip([base, offset]) {
            pairs.push((variable, self.stored(variable, region.shape, object, at, value)));
        }
        self.assign_all(pairs);
        Ok(())
    }

    /// Nothing was written at the start, so bytes are no pointers but null.
    pub(super) fn initialise_shadows(&mut self) -> Result<()> {
        for variable in self.storage.shadows.clone() {
            let ty = self.program.variables[variable].ty;
            let zero = self.zero_map(ty)?;
            self.assign(variable, zero);
        }
        Ok(())
    }

    /// Reads a byte of a union, or the pointer that was written at the place last.
    pub(super) fn read_raw_leaf(&mut self, place: &Place, ty: TypeId) -> Result<Value> {
        if matches!(self.tree.types[ty], Type::Pointer(_)) {
            let (base, offset) = self.shadow(place)?;
            return Ok(Value::Pointer(base, offset));
        }
        let bytes = self.byte_place(place)?;
        let zero = self.int(0);
        Ok(Value::Int(self.byte_at(&bytes, zero), Interval::BYTE))
    }

    /// Writes a byte of a union, or the pointer that was written at the place last.
    pub(super) fn write_raw_leaf(&mut self, place: &Place, components: &[Expr]) -> Result<()> {
        match *components {
            [base, offset] => self.set_shadow(place, Shadow { base, offset }),
            [byte] => {
                let bytes = self.byte_place(place)?;
                self.store_bytes(&bytes, &[byte]);
                Ok(())
            }
            _ => Err(self.unsupported("an access to memory of this type")),
        }
    }
}
