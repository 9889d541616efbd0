//! Regions: the variables that hold the memory of a class, and access to their cells.
//!
//! There is a region for every class, key and kind of cell that the program accesses; its [`Shape`] says by which of
//! base and offset its cells are told apart. A pointer takes two variables.

use super::back::Member;
use super::classes::{Cell, Class, Key, cell_of, is_bit_field};
use super::numbers::Interval;
use super::places::Place;
use super::shapes::Shape;
use super::threads::Accesses;
use super::values::Value;
use super::{CKind, CVariable, Home, Memory, Part, Result, Translator};
use crate::types::{IntKind, TypeId};
use ir::{Expr, Variable};

/// A region.
#[derive(Clone)]
pub struct Region {
    pub(super) variables: Vec<Variable>,
    pub(super) shape: Shape,
    /// The type of a cell's contents.
    scalar: ir::Type,
    /// The values that integers in it have, over all types that they are written through.
    interval: Option<Interval>,
    /// Whether its cells only say as what memory was written.
    pub(super) is_tags: bool,
}

/// How memory is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// By the types of accesses.
    Typed,
    /// As bytes, with the pointers that they may be, because accesses of different kinds meet in it.
    Bytes,
    /// By units of so many bytes, because integers and floating numbers meet in it.
    Raw(u64),
    /// By the types of accesses, with a tag for every so many bytes that says as what they were written last.
    Tagged(u64),
}

/// A cell of a region.
struct Access {
    region: Region,
    base: Expr,
    offset: Expr,
    /// The width of a bit-field.
    width: Option<u32>,
}

impl Translator<'_> {
    /// The region of a kind of cell in a class, as it is accessed.
    pub(super) fn region(&mut self, class: Class, key: Key, cell: Cell) -> Result<Region> {
        let class = self.analyses.classes.find(class);
        let key = self.analyses.classes.key(class, key);
        if let Some(region) = self.storage.regions.get(&(class, key, cell)) {
            return Ok(region.clone());
        }
        let shape = match (cell, self.shape(class, key, cell)) {
            // Accesses may begin at every unit.
            (Cell::Raw(_) | Cell::Tag, Shape::Single) => Shape::ByOffset,
            (Cell::Raw(_) | Cell::Tag, Shape::ByBase) => Shape::Full,
            (_, shape) => shape,
        };
        let object = self.only_object(class);
        let scalar = match cell {
            Cell::Float(kind) => self.float_type(kind),
            Cell::Raw(unit) => self.program.types.bit_vector(8 * unit as u32),
            _ => ir::Type::INT,
        };
        let row = self.program.types.map([ir::Type::INT], scalar);
        let ty = match shape {
            Shape::Single => scalar,
            Shape::ByBase | Shape::ByOffset => row,
            Shape::Full => self.program.types.map([ir::Type::INT], row),
        };
        let name = self.region_name(class, key, cell, shape);
        let names = if cell == Cell::Pointer {
            vec![format!("{name}.base"), format!("{name}.offset")]
        } else {
            vec![name]
        };
        let outer = self.expression.at;
        if let Some(var) = object {
            self.expression.at = self.tree.variables[var].span;
        }
        let variables: Vec<Variable> = names.iter().map(|name| self.new_global(name, ty)).collect();
        let bytes = self.view(class) == View::Bytes;
        let interval = if bytes { None } else { self.stored_interval(class, cell) };
        if (bytes && cell == Cell::Pointer) || cell == Cell::Tag {
            self.storage.shadows.extend(&variables);
        } else if self.is_shared(class) && !object.is_some_and(|var| self.is_errno(var)) {
            if cell == Cell::Bits {
                // Neighbouring bit-fields are one place in memory.
                return Err(self.unsupported("data races of a program with bit-fields"));
            }
            variables.iter().for_each(|&variable| self.watch(variable));
        }
        let kept = interval.filter(|interval| self.keeps(*interval));
        if let (Shape::Single, Some(interval)) = (shape, kept) {
            let value = self.var(variables[0]);
            let range = self.between(value, interval.low, interval.high);
            self.program.variables[variables[0]].where_clause = Some(range);
        }
        self.expression.at = outer;
        self.remember_region((class, key, cell), shape, &variables)?;
        let region = Region { variables, shape, scalar, interval, is_tags: cell == Cell::Tag };
        self.storage.regions.insert((class, key, cell), region.clone());
        Ok(region)
    }

    fn region_name(&self, class: Class, key: Key, cell: Cell, shape: Shape) -> String {
        let object = match (shape, self.only_object(class)) {
            (Shape::Single | Shape::ByOffset, Some(var)) => self.symbols.text(self.tree.variables[var].name),
            _ => "#memory",
        };
        let member = match key {
            Key::Any => String::new(),
            Key::Member(record, index) => {
                let tag = self.tree.types.records[record].tag.map_or("struct", |tag| self.symbols.text(tag));
                let name = self.tree.types.field(record, index).and_then(|field| field.name);
                format!(".{tag}.{}", name.map_or("unnamed", |name| self.symbols.text(name)))
            }
        };
        let kind = match cell {
            Cell::Int(size) => format!(".int{}", size * 8),
            Cell::Float(kind) => format!(".float{}", kind.format().width()),
            Cell::Pointer if object == "#memory" => ".pointer".to_owned(),
            Cell::Pointer => String::new(),
            Cell::Bits => ".bits".to_owned(),
            Cell::Raw(unit) => format!(".raw{}", unit * 8),
            Cell::Tag => ".tag".to_owned(),
        };
        format!("{object}{member}{kind}")
    }

    /// The values that integers of a size have in a class.
    fn stored_interval(&self, class: Class, cell: Cell) -> Option<Interval> {
        let Cell::Int(size) = cell else { return None };
        let of_size =
            self.analyses.classes.kinds(class).filter(|kind| kind.size(self.tree.types.model) == size);
        let hull = of_size.map(|kind| Interval::of(&self.tree.types, kind)).reduce(Interval::hull)?;
        (hull.low > i128::MIN).then_some(hull)
    }

    /// Remembers what the variables of a region mean.
    fn remember_region(
        &mut self,
        (class, key, cell): (Class, Key, Cell),
        shape: Shape,
        variables: &[Variable],
    ) -> Result<()> {
        let member = match key {
            Key::Any => None,
            Key::Member(record, index) => {
                let field = self.tree.types.field(record, index);
                let size = self.tree.types.records[record].layout.as_ref().map(|layout| layout.size);
                field.zip(size).and_then(|(field, stride)| {
                    let name = self.symbols.text(field.name?).to_owned();
                    Some(Member { name, offset: field.bit_offset / 8, stride })
                })
            }
        };
        let shown = match cell {
            Cell::Int(1) => Some((1, CKind::Character)),
            Cell::Int(size) => Some((size, CKind::Integer)),
            Cell::Float(kind) => Some((self.tree.types.float_size(kind), CKind::Floating(kind.format()))),
            Cell::Pointer => Some((IntKind::UnsignedLong.size(self.tree.types.model), CKind::Pointer)),
            Cell::Bits | Cell::Raw(_) | Cell::Tag => None,
        };
        let parts: &[Part] = if variables.len() == 2 { &[Part::Base, Part::Offset] } else { &[Part::Whole] };
        let object = self.only_object(class).filter(|_| matches!(shape, Shape::Single | Shape::ByOffset));
        let mut only = None;
        if let Some(var) = object {
            let data = &self.tree.variables[var];
            if let Home::Fixed(base) = self.home(var)? {
                only = Some(base);
            }
            if shape == Shape::Single {
                let leaves = self.leaves(data.ty)?;
                let leaf = leaves.iter().find(|leaf| leaf.key == key).or(leaves.first());
                for (&variable, &part) in variables.iter().zip(parts) {
                    let meaning = CVariable {
                        name: format!(
                            "{}{}",
                            self.symbols.text(data.name),
                            leaf.map_or("", |leaf| leaf.suffix.as_str())
                        ),
                        ty: leaf.map_or(String::new(), |leaf| self.tree.types.show(leaf.ty, self.symbols)),
                        kind: shown.map_or(CKind::Integer, |(_, kind)| kind),
                        part,
                        function: data
                            .function
                            .map(|f| self.symbols.text(self.tree.functions[f].name).to_owned()),
                        span: data.span,
                    };
                    self.report.back.variables.insert(variable, meaning);
                }
                return Ok(());
            }
        }
        for (&variable, &part) in variables.iter().zip(parts) {
            let by_offset = shape != Shape::ByBase;
            let memory = Memory { member: member.clone(), cell: shown, part, only, by_offset };
            self.report.back.memory.insert(variable, memory);
        }
        Ok(())
    }

    /// How memory of a class is kept.
    pub(super) fn view(&self, class: Class) -> View {
        if let Some(unit) = self.analyses.classes.tag_unit(&self.tree.types, class) {
            return View::Tagged(unit);
        }
        if !self.analyses.classes.is_bytes(&self.tree.types, class) {
            return View::Typed;
        }
        let integers =
            self.analyses.classes.cells(class).iter().all(|&(_, cell)| matches!(cell, Cell::Int(_)));
        match self.raw_unit(class) {
            Some(unit) if !integers && !self.analyses.classes.is_forced_to_bytes(class) => View::Raw(unit),
            _ => View::Bytes,
        }
    }

    /// The contents of a cell.
    pub(super) fn fetch(&mut self, variable: Variable, shape: Shape, base: Expr, offset: Expr) -> Expr {
        let whole = self.var(variable);
        match shape {
            Shape::Single => whole,
            Shape::ByBase => self.select(whole, base),
            Shape::ByOffset => self.select(whole, offset),
            Shape::Full => {
                let row = self.select(whole, base);
                self.select(row, offset)
            }
        }
    }

    /// The region with other contents of a cell.
    pub(super) fn stored(
        &mut self,
        variable: Variable,
        shape: Shape,
        base: Expr,
        offset: Expr,
        value: Expr,
    ) -> Expr {
        let whole = self.var(variable);
        match shape {
            Shape::Single => value,
            Shape::ByBase => self.store(whole, &[base], value),
            Shape::ByOffset => self.store(whole, &[offset], value),
            Shape::Full => self.store(whole, &[base, offset], value),
        }
    }

    /// The region of a scalar in memory that is kept by its type, and where it is in it.
    pub(super) fn cell_of_place(&mut self, place: &Place, ty: TypeId) -> Result<(Region, Expr)> {
        let Access { region, offset, .. } = self.access(place, ty)?;
        Ok((region, offset))
    }

    /// The region and the offset of a scalar in memory.
    fn access(&mut self, place: &Place, ty: TypeId) -> Result<Access> {
        let Place::Memory { base, offset, class, key, bits, .. } = *place else {
            return Err(self.unsupported("memory of a variable that has none"));
        };
        if is_bit_field(&self.tree.types, key)
            && let Key::Member(record, index) = key
        {
            let width = self.tree.types.field(record, index).and_then(|field| field.width);
            let region = self.region(class, key, Cell::Bits)?;
            let eight = self.int(8);
            let bits = self.int(bits);
            let first = self.multiply(offset, eight);
            let offset = self.add(first, bits);
            return Ok(Access { region, base, offset, width });
        }
        let Some(cell) = cell_of(&self.tree.types, ty) else {
            return Err(self.unsupported("an access to memory of this type"));
        };
        let region = self.region(class, key, cell)?;
        Ok(Access { region, base, offset, width: None })
    }

    pub(super) fn read_cell(&mut self, place: &Place, ty: TypeId) -> Result<Value> {
        if let Place::Memory { class, .. } = place {
            match self.view(*class) {
                View::Bytes => return self.read_bytes(place, ty),
                View::Raw(unit) => return self.read_raw(place, ty, unit),
                View::Tagged(unit) => self.expect_tags(place, ty, unit)?,
                View::Typed => {}
            }
        }
        let Access { region, base, offset, width } = self.access(place, ty)?;
        let mut components = Vec::new();
        for &variable in &region.variables {
            components.push(self.fetch(variable, region.shape, base, offset));
        }
        let Some(kind) = self.tree.types.int_kind(ty) else {
            if region.shape != Shape::Single {
                components = self.frozen_together(components);
            }
            return Ok(self.value_of_components(ty, &components, None));
        };
        if let Some(width) = width {
            return Ok(self.in_range(components[0], Interval::of_bits(width, kind.is_signed())));
        }
        // Where the class is written through several integer types of the size, the stored value is converted.
        let stored = region.interval.map_or(Interval::of(&self.tree.types, kind), |interval| {
            interval.hull(Interval::of(&self.tree.types, kind))
        });
        if region.shape == Shape::Single && region.interval == Some(stored) {
            return self.fit(components[0], stored, kind);
        }
        match self.in_range(components[0], stored) {
            Value::Int(expr, interval) => self.fit(expr, interval, kind),
            other => Ok(other),
        }
    }

    pub(super) fn write_cell(&mut self, place: &Place, ty: TypeId, components: &[Expr]) -> Result<()> {
        self.write_contents(place, ty, components)?;
        self.note_written(place, ty, components)
    }

    fn write_contents(&mut self, place: &Place, ty: TypeId, components: &[Expr]) -> Result<()> {
        if let Place::Memory { class, .. } = place {
            match (self.view(*class), components) {
                (View::Bytes, _) => return self.write_bytes(place, ty, components),
                (View::Raw(unit), &[value]) => return self.write_raw(place, ty, value, unit),
                (View::Tagged(unit), _) => self.set_tags(place, ty, unit)?,
                _ => {}
            }
        }
        let Access { region, base, offset, .. } = self.access(place, ty)?;
        let mut pairs = Vec::new();
        for (&variable, &component) in region.variables.iter().zip(components) {
            pairs.push((variable, self.stored(variable, region.shape, base, offset, component)));
        }
        self.assign_all(pairs);
        Ok(())
    }

    /// The regions of a class.
    pub(super) fn regions_of(&mut self, class: Class) -> Result<Vec<Region>> {
        let cells = match self.view(class) {
            View::Typed => self.analyses.classes.cells(class),
            View::Tagged(_) => {
                let mut cells = self.analyses.classes.cells(class);
                cells.push((Key::Any, Cell::Tag));
                cells
            }
            View::Bytes if self.analyses.classes.has_byte_pointers(&self.tree.types, class) => {
                vec![(Key::Any, Cell::Int(1)), (Key::Any, Cell::Pointer)]
            }
            View::Bytes => vec![(Key::Any, Cell::Int(1))],
            View::Raw(unit) => vec![(Key::Any, Cell::Raw(unit))],
        };
        cells.into_iter().map(|(key, cell)| self.region(class, key, cell)).collect()
    }

    /// Gives all memory of one object that begins to live arbitrary contents, or zeros.
    pub(super) fn reset_memory(&mut self, base: Expr, class: Class, zero: bool) -> Result<()> {
        self.accessing(Accesses::None, |this| this.reset_contents(base, class, zero))
    }

    fn reset_contents(&mut self, base: Expr, class: Class, zero: bool) -> Result<()> {
        let bytes = self.view(class) == View::Bytes;
        for region in self.regions_of(class)? {
            let shape = region.shape;
            if zero {
                self.set_row(&region, base, 1)?;
            }
            // What pointers bytes may be must never be arbitrary.
            let zero = zero || (bytes && region.variables.len() == 2) || region.is_tags;
            if !zero && matches!(shape, Shape::Single | Shape::ByOffset) {
                self.havoc(region.variables);
                continue;
            }
            let ty = match shape {
                Shape::Single | Shape::ByBase => region.scalar,
                _ => self.program.types.map([ir::Type::INT], region.scalar),
            };
            for variable in region.variables {
                let contents = if zero {
                    self.zero_map(ty)?
                } else {
                    let contents = self.temporary(ty);
                    self.havoc(vec![contents]);
                    self.var(contents)
                };
                let whole = self.var(variable);
                let value = if matches!(shape, Shape::Single | Shape::ByOffset) {
                    contents
                } else {
                    self.store(whole, &[base], contents)
                };
                self.assign(variable, value);
            }
        }
        Ok(())
    }

    /// Gives one object the contents of another.
    pub(super) fn copy_object(&mut self, class: Class, from: Expr, to: Expr) -> Result<()> {
        for region in self.regions_of(class)? {
            // The only object of a class is no other one.
            if matches!(region.shape, Shape::Single | Shape::ByOffset) {
                continue;
            }
            for variable in self.with_written(&region) {
                let map = self.var(variable);
                let contents = self.select(map, from);
                let value = self.store(map, &[to], contents);
                self.assign(variable, value);
            }
        }
        Ok(())
    }
}
