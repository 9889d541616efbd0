//! Memory that is read before something was written to it.
//!
//! Objects whose contents are whatever was there before, as those of `malloc` and of local variables without an initialiser, are *fresh*.
//! Beside every region stands another one with the same cells, which says where something was written; it counts for fresh
//! objects only, so what comes from elsewhere (static variables, arguments of the program, what unknown functions leave behind)
//! counts as written. Reading a scalar is a read of all its bytes, also that of a `char`. Copies are no reads: what `memcpy`, `memmove`,
//! `realloc` and the assignment of a struct copy is written in the copy where it was in the original.
//!
//! All of it exists only if it is asked for.

use super::bytes::BytePlace;
use super::classes::{Cell, Class, Key};
use super::places::Place;
use super::regions::{Region, View};
use super::shapes::Shape;
use super::values::Value;
use super::{Result, Translator};
use crate::options::Check;
use crate::types::TypeId;
use ir::{Expr, ExprData, Type, Variable};

/// The cells of a region that an access covers.
struct Covered {
    region: Region,
    base: Expr,
    offsets: Vec<Expr>,
}

impl Translator<'_> {
    fn follows_writes(&self) -> bool {
        self.options.asks(Check::Uninitialised)
    }

    /// The region that says where something was written to a region, if that is asked for.
    fn written(&mut self, region: &Region) -> Option<Variable> {
        if !self.follows_writes() || region.is_tags {
            return None;
        }
        let of = region.variables[0];
        if let Some(&written) = self.storage.written.get(&of) {
            return Some(written);
        }
        let name = format!("#written.{}", self.program.variables[of].name);
        let ty = match region.shape {
            Shape::Single => Type::INT,
            Shape::ByBase | Shape::ByOffset => self.program.types.map([Type::INT], Type::INT),
            Shape::Full => {
                let row = self.program.types.map([Type::INT], Type::INT);
                self.program.types.map([Type::INT], row)
            }
        };
        let written = self.new_global(&name, ty);
        self.storage.written.insert(of, written);
        self.storage.shadows.push(written);
        Some(written)
    }

    /// The map that says which objects are fresh.
    fn fresh(&mut self) -> Variable {
        if let Some(fresh) = self.storage.fresh {
            return fresh;
        }
        let ty = self.program.types.map([Type::INT], Type::INT);
        let fresh = self.new_global("#fresh", ty);
        self.storage.fresh = Some(fresh);
        self.storage.shadows.push(fresh);
        fresh
    }

    /// Says whether the contents of an object are whatever was there before. What is made for the arguments of a function, and what the
    /// library makes, counts as written.
    pub(super) fn set_fresh(&mut self, base: Expr, is_fresh: bool) {
        if !self.follows_writes() {
            return;
        }
        let function = self.frames.current.map(|function| &self.tree.functions[function]);
        let made = function.is_some_and(|function| function.made || function.library);
        let fresh = self.fresh();
        let (map, value) = (self.var(fresh), self.int(u8::from(is_fresh && !made)));
        let map = self.store(map, &[base], value);
        self.assign(fresh, map);
    }

    /// An object of a class begins to live without contents.
    pub(super) fn begin_unwritten(&mut self, base: Expr, class: Class) -> Result<()> {
        if !self.follows_writes() {
            return Ok(());
        }
        self.set_fresh(base, true);
        for region in self.regions_of(class)? {
            self.set_row(&region, base, 0)?;
        }
        Ok(())
    }

    /// All cells of an object count as written, or none.
    pub(super) fn set_row(&mut self, region: &Region, base: Expr, number: u32) -> Result<()> {
        let Some(written) = self.written(region) else { return Ok(()) };
        let whole = self.program.variables[written].ty;
        let contents = match region.shape {
            Shape::Single | Shape::ByOffset => self.same_everywhere(whole, number)?,
            Shape::ByBase | Shape::Full => {
                let row = self.program.types.as_map(whole).map_or(whole, |(_, range)| range);
                let row = self.same_everywhere(row, number)?;
                let map = self.var(written);
                self.store(map, &[base], row)
            }
        };
        self.assign(written, contents);
        Ok(())
    }

    /// All memory of a region counts as written.
    pub(super) fn count_as_written(&mut self, region: &Region) -> Result<()> {
        if let Some(written) = self.written(region) {
            let all = self.same_everywhere(self.program.variables[written].ty, 1)?;
            self.assign(written, all);
        }
        Ok(())
    }

    /// The variables of a region, with that which says where it was written.
    pub(super) fn with_written(&mut self, region: &Region) -> Vec<Variable> {
        let mut variables = region.variables.clone();
        variables.extend(self.written(region));
        variables
    }

    /// The cells that an access to a scalar covers.
    fn covered(&mut self, place: &Place, ty: TypeId) -> Result<Option<Covered>> {
        let &Place::Memory { class, base, offset, .. } = place else { return Ok(None) };
        let (region, unit) = match self.view(class) {
            View::Bytes => (self.region(class, Key::Any, Cell::Int(1))?, 1),
            View::Raw(unit) => (self.region(class, Key::Any, Cell::Raw(unit))?, unit),
            View::Typed | View::Tagged(_) => {
                let (region, offset) = self.cell_of_place(place, ty)?;
                return Ok(Some(Covered { region, base, offsets: vec![offset] }));
            }
        };
        let count = match self.bit_field(place) {
            Some((first, width)) => (first + width).div_ceil(8),
            None => self.tree.types.size(ty).unwrap_or(unit),
        };
        let offset = self.share(offset);
        let mut offsets = Vec::new();
        for index in 0..count / unit {
            let step = self.int(index * unit);
            offsets.push(self.add(offset, step));
        }
        Ok(Some(Covered { region, base, offsets }))
    }

    /// That something was written to all of a scalar in memory.
    fn is_written(&mut self, place: &Place, ty: TypeId) -> Result<Option<Expr>> {
        if !self.follows_writes() {
            return Ok(None);
        }
        let Some(Covered { region, base, offsets }) = self.covered(place, ty)? else { return Ok(None) };
        let Some(written) = self.written(&region) else { return Ok(None) };
        let (zero, mut all) = (self.int(0), self.truth(true));
        for offset in offsets {
            let found = self.fetch(written, region.shape, base, offset);
            let some = self.compare(ir::BinaryOp::NotEqual, found, zero);
            all = self.and(all, some);
        }
        let fresh = self.fresh();
        let map = self.var(fresh);
        let found = self.select(map, base);
        let old = self.equal(found, zero);
        Ok(Some(self.or(old, all)))
    }

    /// A scalar in memory is read.
    pub(super) fn check_written(&mut self, place: &Place, ty: TypeId) -> Result<()> {
        let made = self.frames.current.is_some_and(|function| self.tree.functions[function].made);
        if self.is_quiet() || made {
            return Ok(());
        }
        if let Some(fine) = self.is_written(place, ty)? {
            self.check(fine, Check::Uninitialised, "memory is read that has no value");
        }
        Ok(())
    }

    /// A scalar was read as a part of something that is copied: remembers whether it has a value.
    pub(super) fn remember_written(&mut self, place: &Place, ty: TypeId, value: &Value) -> Result<()> {
        let Some(fine) = self.is_written(place, ty)? else { return Ok(()) };
        if let Some(&component) = self.components(value).first() {
            let (zero, one) = (self.int(0), self.int(1));
            let unset = self.ite(fine, zero, one);
            let unset = self.freeze(unset);
            self.storage.copied.insert(component, unset);
        }
        Ok(())
    }

    /// A scalar was read as such, so it has a value.
    pub(super) fn forget_copied(&mut self, value: &Value) {
        if self.follows_writes() {
            for component in self.components(value) {
                self.storage.copied.remove(&component);
            }
        }
    }

    /// Something was written to a scalar in memory; it has a value, unless it is the copy of something that has none.
    pub(super) fn note_written(&mut self, place: &Place, ty: TypeId, components: &[Expr]) -> Result<()> {
        if !self.follows_writes() {
            return Ok(());
        }
        let Some(Covered { region, base, offsets }) = self.covered(place, ty)? else { return Ok(()) };
        let Some(written) = self.written(&region) else { return Ok(()) };
        let state = self.written_state(components.first().copied());
        let state = self.share(state);
        for offset in offsets {
            let map = self.stored(written, region.shape, base, offset, state);
            self.assign(written, map);
        }
        Ok(())
    }

    /// Bytes were written.
    pub(super) fn note_written_bytes(&mut self, place: &BytePlace, bytes: &[Expr]) {
        let Some(written) = self.written(&place.region) else { return };
        for (index, &byte) in bytes.iter().enumerate() {
            let state = self.written_state(Some(byte));
            let index = self.int(index);
            let at = self.add(place.offset, index);
            let map = self.stored(written, place.region.shape, place.base, at, state);
            self.assign(written, map);
        }
    }

    /// One if a value counts as written.
    fn written_state(&mut self, value: Option<Expr>) -> Expr {
        let unset = value.and_then(|value| self.unset_of(value));
        match unset.filter(|&unset| self.program.ty(unset) == Type::INT) {
            Some(unset) => {
                let (zero, one) = (self.int(0), self.int(1));
                let has_value = self.equal(unset, zero);
                self.ite(has_value, one, zero)
            }
            None => self.int(1),
        }
    }

    /// The maps of a value that is read cell by cell hold which of the cells have a value, too.
    pub(super) fn copied_map(&mut self, indices: &[Expr], component: Expr, into: &mut Option<Expr>) {
        let Some(&unset) = self.storage.copied.get(&component) else { return };
        let unset_map = match *into {
            Some(map) => map,
            None => {
                let mut ty = Type::INT;
                for _ in indices {
                    ty = self.program.types.map([Type::INT], ty);
                }
                let map = self.temporary(ty);
                self.havoc(vec![map]);
                self.var(map)
            }
        };
        *into = Some(self.store(unset_map, indices, unset));
    }

    /// What is known of a copy: that of a variable, of its parts, or of what was read from memory.
    pub(super) fn unset_of(&mut self, value: Expr) -> Option<Expr> {
        if let Some(&unset) = self.storage.copied.get(&value) {
            return Some(unset);
        }
        match self.program.expressions[value].clone() {
            ExprData::Variable(variable) => {
                let &unset = self.storage.unset.get(&variable)?;
                Some(self.var(unset))
            }
            ExprData::Select(map, indices) => {
                let cells = self.unset_of(map)?;
                Some(self.program.select(cells, indices, self.expression.at))
            }
            _ => None,
        }
    }
}
