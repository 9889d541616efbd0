//! Places: where objects live, and how they are read and written.
//!
//! A variable whose address is not used lives in variables of the intermediate language, one per leaf; arrays are
//! maps. Everything else lives in memory: maps from base to offset to cell, one per class, member and kind of cell
//! ([`classes`](super::classes)). Reading a null pointer ends the execution, as the hardware does.

use super::classes::{Class, Key};
use super::numbers::Interval;
use super::values::Value;
use super::{Home, Result, Translator};
use crate::options::Check;
use crate::tree::{ExprId, ExprKind, Init, Lifetime, Step, VarId};
use crate::types::{Length, Type, TypeId};
use ir::{BinaryOp, Expr, Variable};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Objects with more cells than this are not copied cell by cell.
const MAX_COPY: u64 = 256;

/// Where an object is.
#[derive(Clone, Debug)]
pub enum Place {
    /// In variables, from a leaf on, with the indices of the arrays around it.
    Plain {
        /// The variables of all leaves of the whole object.
        variables: Rc<[Vec<Variable>]>,
        /// The first leaf of this object.
        leaf: usize,
        /// The indices so far.
        indices: Vec<Expr>,
        /// That the indices are inside of their arrays, if it is not certain.
        inside: Option<Expr>,
    },
    /// In memory.
    Memory {
        /// The base of the object around it.
        base: Expr,
        /// The offset in bytes.
        offset: Expr,
        /// Its class.
        class: Class,
        /// Its key.
        key: Key,
        /// For a bit-field, its first bit behind the offset.
        bits: u64,
        /// That the indices are inside of the arrays around it, where that says more than that it is inside of the object.
        inside: Option<Expr>,
    },
    /// A struct value that is held in no object.
    Value {
        /// The leaves.
        leaves: Rc<[Vec<Expr>]>,
        /// The first leaf of this object.
        leaf: usize,
        /// The indices so far.
        indices: Vec<Expr>,
    },
}

impl Translator<'_> {
    /// The place that an expression denotes.
    pub(super) fn place(&mut self, expr: ExprId) -> Result<Place> {
        crate::deep(|| self.place_inside(expr))
    }

    /// The place that an expression denotes, of which the address alone is needed.
    pub(super) fn unfollowed_place(&mut self, expr: ExprId) -> Result<Place> {
        let mut root = expr;
        while let ExprKind::Member(inner, _) | ExprKind::Index(inner, _) = self.tree.exprs[root].kind {
            root = inner;
        }
        let outer = self.expression.unfollowed.replace(root);
        let place = self.place(expr);
        self.expression.unfollowed = outer;
        place
    }

    fn place_inside(&mut self, expr: ExprId) -> Result<Place> {
        let tree = self.tree;
        let node = &tree.exprs[expr];
        self.expression.at = node.span;
        match &node.kind {
            ExprKind::Variable(var) => self.variable_place(*var),
            ExprKind::CompoundLiteral(var, init) => {
                self.declare(*var, Some(init))?;
                self.variable_place(*var)
            }
            ExprKind::Deref(pointer) => {
                let class = self.analyses.classes.class(expr);
                let Value::Pointer(base, offset) = self.value(*pointer)? else {
                    return Err(self.unsupported("a pointer without base"));
                };
                self.expression.at = node.span;
                if self.literal(base) == Some(0) && self.literal(offset) != Some(0) {
                    return Err(self.unsupported("memory at a fixed address"));
                }
                // Where memory is checked, `&p->member` is no access, so a proof for such a question must not assume that it is valid.
                if self.expression.unfollowed != Some(expr) || !self.options.memory_elsewhere {
                    self.not_null(base, offset);
                }
                Ok(Place::Memory { base, offset, class, key: Key::Any, bits: 0, inside: None })
            }
            ExprKind::Text(text) => {
                let base = self.text_base(*text);
                let class = self.analyses.classes.class(expr);
                let (base, offset) = (self.int(base), self.int(0));
                Ok(Place::Memory { base, offset, class, key: Key::Any, bits: 0, inside: None })
            }
            ExprKind::Temporary(value) => {
                let Value::Record(leaves) = self.value(*value)? else {
                    return Err(self.unsupported("a member of a value that is no struct"));
                };
                Ok(Place::Value { leaves: leaves.into(), leaf: 0, indices: Vec::new() })
            }
            ExprKind::Member(inner, index) => {
                let place = self.place(*inner)?;
                self.expression.at = node.span;
                self.member(place, tree.exprs[*inner].ty, *index)
            }
            ExprKind::Index(array, index) => {
                let place = self.place(*array)?;
                let index = self.value(*index)?;
                self.expression.at = node.span;
                let Value::Int(index, interval) = index else {
                    return Err(self.unsupported("an index that is no integer"));
                };
                let place = match (place, self.late_length(*array)) {
                    (Place::Plain { variables, leaf, indices, inside }, Some(length)) => {
                        let here = self.between(index, 0, i128::from(length) - 1);
                        let inside = match inside {
                            Some(outer) => Some(self.and(outer, here)),
                            None => Some(here),
                        };
                        Place::Plain { variables, leaf, indices, inside }
                    }
                    (place, _) => place,
                };
                let mut place = self.element(place, tree.exprs[*array].ty, index, interval)?;
                if let Place::Memory { inside, .. } = &mut place
                    && self.checks_memory()
                    && let Some(length) = self.inner_length(*array)
                    && !interval.within(Interval { low: 0, high: i128::from(length) - 1 })
                {
                    let here = self.between(index, 0, i128::from(length) - 1);
                    *inside = Some(match *inside {
                        Some(outer) => self.and(outer, here),
                        None => here,
                    });
                }
                Ok(place)
            }
            _ => Err(self.unsupported("this place")),
        }
    }

    /// The length of an array that is only a part of its object: an index outside of it has no meaning, even where the object goes
    /// on (C11 6.5.6, J.2). The last member of a struct behind a pointer may be longer than its type says: that is how
    /// arrays of any length were written before the language had them.
    fn inner_length(&self, array: ExprId) -> Option<u64> {
        let tree = self.tree;
        let Type::Array(_, Length::Known(length @ 1..)) = tree.types[tree.exprs[array].ty] else {
            return None;
        };
        match tree.exprs[array].kind {
            ExprKind::Index(..) | ExprKind::Deref(_) => Some(length),
            ExprKind::Member(..) => (!self.may_be_longer(array)).then_some(length),
            _ => None,
        }
    }

    /// Whether a member is the last one of everything around it up to something behind a pointer. A member of a union counts as
    /// the last one.
    fn may_be_longer(&self, member: ExprId) -> bool {
        let tree = self.tree;
        match tree.exprs[member].kind {
            ExprKind::Deref(_) => true,
            ExprKind::Member(inner, index) => {
                let Type::Record(record) = tree.types[tree.exprs[inner].ty] else { return true };
                let data = &tree.types.records[record];
                let last =
                    data.layout.as_ref().is_none_or(|layout| index as usize + 1 >= layout.fields.len());
                data.is_union || (last && self.may_be_longer(inner))
            }
            _ => false,
        }
    }

    /// The length of an array whose type does not say it where it is used: another declaration does, or the initialiser of
    /// the struct whose last member it is.
    fn late_length(&self, array: ExprId) -> Option<u64> {
        let tree = self.tree;
        let Type::Array(element, Length::Unknown) = tree.types[tree.exprs[array].ty] else { return None };
        let element = tree.types.size(element).filter(|&size| size > 0)?;
        match tree.exprs[array].kind {
            ExprKind::Variable(var) => match tree.types[tree.variables[var].ty] {
                Type::Array(_, Length::Known(length)) => Some(length),
                _ => None,
            },
            ExprKind::Member(record, index) => {
                let ExprKind::Variable(var) = tree.exprs[record].kind else { return None };
                let Type::Record(record) = tree.types[tree.variables[var].ty] else { return None };
                let start = tree.types.field(record, index)?.bit_offset / 8;
                let end = super::addresses::flexible_size(tree, var).unwrap_or(start);
                Some(end.saturating_sub(start) / element)
            }
            _ => None,
        }
    }

    /// What is followed must not be null. Where memory is checked, the access itself says so.
    fn not_null(&mut self, base: Expr, offset: Expr) {
        let known = self.literal(base).is_some_and(|base| base != 0);
        if known || self.checks_memory() || self.is_quiet() {
            return;
        }
        if self.analyses.makes_pointers {
            let zero = self.int(0);
            let object = self.compare(BinaryOp::NotEqual, base, zero);
            let null = self.equal(offset, zero);
            let fine = self.or(object, null);
            self.give_up_unless(fine, "memory at an address that was computed");
        }
        if let ir::ExprData::Variable(variable) = self.program.expressions[base]
            && !self.expression.not_null.insert(variable)
        {
            return;
        }
        let zero = self.int(0);
        let valid = self.compare(BinaryOp::NotEqual, base, zero);
        if !matches!(self.program.expressions[valid], ir::ExprData::Bool(true)) {
            self.report.back.assumed.insert(Check::Deref);
        }
        self.defined_if(valid);
    }

    /// The place of a variable.
    pub(super) fn variable_place(&mut self, var: VarId) -> Result<Place> {
        let home = self.home(var)?;
        match home {
            Home::Plain(variables) => {
                Ok(Place::Plain { variables, leaf: 0, indices: Vec::new(), inside: None })
            }
            Home::Fixed(base) => {
                let class = self.analyses.classes.variable(var);
                let (base, offset) = (self.int(base), self.int(0));
                Ok(Place::Memory { base, offset, class, key: Key::Any, bits: 0, inside: None })
            }
            Home::Fresh(variable) => {
                let class = self.analyses.classes.variable(var);
                let (base, offset) = (self.var(variable), self.int(0));
                Ok(Place::Memory { base, offset, class, key: Key::Any, bits: 0, inside: None })
            }
        }
    }

    /// A member of a struct or union.
    pub(super) fn member(&mut self, place: Place, record_ty: TypeId, index: u32) -> Result<Place> {
        let Type::Record(record) = self.tree.types[record_ty] else {
            return Err(self.unsupported("a member of something that is no struct"));
        };
        let Some(field) = self.tree.types.field(record, index).cloned() else {
            return Err(self.unsupported("a member of an incomplete struct"));
        };
        let is_union = self.tree.types.records[record].is_union;
        if is_union && !matches!(place, Place::Memory { .. }) {
            return Err(self.unsupported("a member of a union that is no object"));
        }
        let skip = |this: &mut Self| {
            super::leaves::leaves_before(&this.tree.types, this.symbols, record_ty, index)
                .ok_or_else(|| this.unsupported("a member of a struct with a union"))
        };
        Ok(match place {
            Place::Plain { variables, leaf, indices, inside } => {
                let leaf = leaf + skip(self)?;
                Place::Plain { variables, leaf, indices, inside }
            }
            Place::Value { leaves, leaf, indices } => {
                let leaf = leaf + skip(self)?;
                Place::Value { leaves, leaf, indices }
            }
            Place::Memory { base, offset, class, inside, .. } => {
                let bytes = self.int(field.bit_offset / 8);
                let offset = self.add(offset, bytes);
                let bits = field.bit_offset % 8;
                Place::Memory { base, offset, class, key: Key::Member(record, index), bits, inside }
            }
        })
    }

    /// An element of an array.
    pub(super) fn element(
        &mut self,
        place: Place,
        array: TypeId,
        index: Expr,
        interval: Interval,
    ) -> Result<Place> {
        let Type::Array(element, length) = self.tree.types[array] else {
            return Err(self.unsupported("an element of something that is no array"));
        };
        Ok(match place {
            Place::Plain { variables, leaf, mut indices, mut inside } => {
                if let Length::Known(length @ 1..) = length {
                    let bounds = Interval { low: 0, high: i128::from(length) - 1 };
                    if !interval.within(bounds) {
                        let here = self.between(index, bounds.low, bounds.high);
                        inside = Some(match inside {
                            Some(outer) => self.and(outer, here),
                            None => here,
                        });
                    }
                }
                if let (Length::Variable(var), true) = (length, self.checks_memory()) {
                    let here = self.inside_variable_length(var, index, self.tree.types.size(element))?;
                    inside = Some(match inside {
                        Some(outer) => self.and(outer, here),
                        None => here,
                    });
                }
                indices.push(index);
                Place::Plain { variables, leaf, indices, inside }
            }
            Place::Value { leaves, leaf, mut indices } => {
                indices.push(index);
                Place::Value { leaves, leaf, indices }
            }
            Place::Memory { base, offset, class, key, bits, inside } => {
                let size = self.size_of(element)?;
                let bytes = self.multiply(index, size);
                let offset = self.add(offset, bytes);
                Place::Memory { base, offset, class, key, bits, inside }
            }
        })
    }

    /// Whether an index is inside of an array of variable length, with elements of that size. The size of an array that would be larger
    /// than all memory wraps around, as compilers compute it, and then there are fewer elements than the type says.
    fn inside_variable_length(&mut self, length: VarId, index: Expr, element: Option<u64>) -> Result<Expr> {
        let place = self.variable_place(length)?;
        let ty = self.tree.variables[length].ty;
        let Value::Int(length, interval) = self.read(&place, ty)? else {
            return Err(self.unsupported("the length of this array"));
        };
        let zero = self.int(0);
        let above = self.compare(BinaryOp::LessEqual, zero, index);
        let below = self.compare(BinaryOp::Less, index, length);
        let inside = self.and(above, below);
        let most = Interval::of(&self.tree.types, self.tree.types.size_kind()).high;
        match element {
            Some(element) if interval.high > most / i128::from(element.max(1)) => {
                let element = self.int(element);
                let bytes = self.multiply(length, element);
                let wrapped = self.wrapped_size(bytes);
                let start = self.multiply(index, element);
                let end = self.add(start, element);
                let there = self.compare(BinaryOp::LessEqual, end, wrapped);
                Ok(self.and(inside, there))
            }
            _ => Ok(inside),
        }
    }

    /// A size in bytes as it is computed at run time: it wraps around where it is larger than all memory.
    pub(super) fn wrapped_size(&mut self, bytes: Expr) -> Expr {
        let most = Interval::of(&self.tree.types, self.tree.types.size_kind()).high;
        if self.literal(bytes).is_some_and(|bytes| (0..=most).contains(&bytes)) {
            return bytes;
        }
        let bytes = self.share(bytes);
        let (last, period) = (self.int(most), self.int(most + 1));
        let fits = self.compare(BinaryOp::LessEqual, bytes, last);
        let rest = self.modulo(bytes, period);
        self.ite(fits, bytes, rest)
    }

    /// The size of a type in bytes, computed at run time for arrays of variable length.
    pub(super) fn size_of(&mut self, ty: TypeId) -> Result<Expr> {
        if let Some(size) = self.tree.types.size(ty) {
            return Ok(self.int(size));
        }
        match self.tree.types[ty] {
            Type::Array(element, length) => {
                let element = self.size_of(element)?;
                let length = match length {
                    Length::Known(length) => self.int(length),
                    Length::Unknown => return Err(self.unsupported("the size of an array of unknown length")),
                    Length::Variable(var) => {
                        let place = self.variable_place(var)?;
                        let ty = self.tree.variables[var].ty;
                        match self.read(&place, ty)? {
                            Value::Int(length, _) => length,
                            _ => return Err(self.unsupported("the length of this array")),
                        }
                    }
                };
                Ok(self.multiply(length, element))
            }
            _ => Err(self.unsupported("the size of an incomplete type")),
        }
    }

    /// Reads an object of any type.
    pub(super) fn read(&mut self, place: &Place, ty: TypeId) -> Result<Value> {
        self.check_place(place, ty)?;
        match place {
            Place::Plain { variables, leaf, indices, inside: Some(inside) } => {
                if self.checks_memory() {
                    let certain = Place::Plain {
                        variables: Rc::clone(variables),
                        leaf: *leaf,
                        indices: indices.clone(),
                        inside: None,
                    };
                    return self.read(&certain, ty);
                }
                // What lies outside of an array is not known.
                let certain = Place::Plain {
                    variables: Rc::clone(variables),
                    leaf: *leaf,
                    indices: indices.clone(),
                    inside: None,
                };
                self.choose(
                    *inside,
                    ty,
                    |this| this.read(&certain, ty),
                    |this| this.unknown_value(ty, "an element outside of its array"),
                )
            }
            Place::Plain { variables, leaf, indices, inside: None } => {
                let infos = self.leaves(ty)?;
                let mut out = Vec::new();
                if self.tree.types.is_scalar(ty)
                    && let Some(&first) = variables[*leaf].first()
                {
                    self.check_set(first, indices);
                }
                for components in &variables[*leaf..*leaf + infos.len()] {
                    let mut read = Vec::new();
                    for &variable in components {
                        let mut value = self.var(variable);
                        for &index in indices {
                            value = self.select(value, index);
                        }
                        read.push(value);
                    }
                    out.push(read);
                }
                self.known_value(ty, out, !indices.is_empty())
            }
            Place::Value { leaves, leaf, indices } => {
                let infos = self.leaves(ty)?;
                let mut out = Vec::new();
                for components in &leaves[*leaf..*leaf + infos.len()] {
                    let mut read = Vec::new();
                    for &component in components {
                        read.push(indices.iter().fold(component, |value, &index| self.select(value, index)));
                    }
                    out.push(read);
                }
                self.known_value(ty, out, !indices.is_empty())
            }
            Place::Memory { .. } => match self.tree.types[ty] {
                Type::Record(_) | Type::Array(..) => self.read_aggregate(place, ty),
                _ => {
                    self.check_written(place, ty)?;
                    let value = self.read_cell(place, ty)?;
                    self.forget_copied(&value);
                    Ok(value)
                }
            },
        }
    }

    /// Reads an object in memory to copy it, which is no use of its value.
    pub(super) fn read_copied(&mut self, place: &Place, ty: TypeId) -> Result<Value> {
        if !self.tree.types.is_scalar(ty) {
            let value = self.read(place, ty)?;
            return Ok(self.freeze_value(value));
        }
        self.check_place(place, ty)?;
        let value = self.read_cell(place, ty)?;
        let value = self.freeze_value(value);
        self.remember_written(place, ty, &value)?;
        Ok(value)
    }

    /// A value read from variables. Elements of maps are known to be in range: nothing else is ever stored.
    fn known_value(&mut self, ty: TypeId, leaves: Vec<Vec<Expr>>, from_map: bool) -> Result<Value> {
        if matches!(self.tree.types[ty], Type::Record(_) | Type::Array(..)) {
            return Ok(Value::Record(leaves));
        }
        let value = self.value_of_leaves(ty, leaves)?;
        match value {
            Value::Int(expr, interval) if from_map => Ok(self.in_range(expr, interval)),
            other => Ok(other),
        }
    }

    /// States that a value read from a map is within an interval.
    pub(super) fn in_range(&mut self, expr: Expr, interval: Interval) -> Value {
        if self.expression.waiting {
            return Value::Int(expr, interval);
        }
        let expr = self.freeze(expr);
        if interval.low > i128::MIN {
            let range = self.between(expr, interval.low, interval.high);
            self.assume(range);
        }
        Value::Int(expr, interval)
    }

    /// Reads a struct or an array from memory, cell by cell.
    fn read_aggregate(&mut self, place: &Place, ty: TypeId) -> Result<Value> {
        let mut out = Vec::new();
        let infos = self.leaves(ty)?;
        for leaf in infos.iter() {
            let count = self.component_count(leaf.ty);
            if leaf.dimensions.is_empty() {
                let at = self.leaf_place(place, leaf.bit_offset, leaf.key)?;
                let value = self.read_leaf(&at, leaf)?;
                self.remember_written(&at, leaf.ty, &value)?;
                out.push(self.components(&value));
                continue;
            }
            let map_ty = self.leaf_type(leaf);
            let mut maps: Vec<Expr> = Vec::new();
            for _ in 0..count {
                let map = self.temporary(map_ty);
                self.havoc(vec![map]);
                maps.push(self.var(map));
            }
            let mut unset = None;
            for (indices, bytes) in self.positions(&leaf.dimensions)? {
                let at = self.leaf_place(place, leaf.bit_offset + bytes * 8, leaf.key)?;
                let value = self.read_leaf(&at, leaf)?;
                self.remember_written(&at, leaf.ty, &value)?;
                let indices: Vec<Expr> = indices.into_iter().map(|index| self.int(index)).collect();
                let components = self.components(&value);
                if let Some(&first) = components.first() {
                    self.copied_map(&indices, first, &mut unset);
                }
                for (map, component) in maps.iter_mut().zip(components) {
                    *map = self.store(*map, &indices, component);
                }
            }
            if let (Some(unset), Some(&map)) = (unset, maps.first()) {
                self.storage.copied.insert(map, unset);
            }
            out.push(maps);
        }
        Ok(Value::Record(out))
    }

    /// All index tuples of arrays of known length, with their offset in bytes.
    fn positions(&mut self, dimensions: &[super::leaves::Dimension]) -> Result<Vec<(Vec<u64>, u64)>> {
        let mut out = vec![(Vec::new(), 0u64)];
        for dimension in dimensions {
            if dimension.length == Length::Unknown {
                // A copy of a struct does not copy its flexible member (C11 6.7.2.1p18).
                return Ok(Vec::new());
            }
            let Length::Known(length) = dimension.length else {
                return Err(self.unsupported("a copy of an array of variable length"));
            };
            if length.saturating_mul(out.len() as u64) > MAX_COPY {
                return Err(self.unsupported("a copy of a large array"));
            }
            let mut next = Vec::new();
            for (indices, bytes) in &out {
                for index in 0..length {
                    let mut indices = indices.clone();
                    indices.push(index);
                    next.push((indices, bytes + index * dimension.stride));
                }
            }
            out = next;
        }
        Ok(out)
    }

    /// A leaf behind a place in memory. A leaf without a member of its own keeps the key of the place.
    fn leaf_place(&mut self, place: &Place, bit_offset: u64, leaf_key: Key) -> Result<Place> {
        let Place::Memory { base, offset, class, key, .. } = *place else {
            return Err(self.unsupported("memory of a variable that has none"));
        };
        let bytes = self.int(bit_offset / 8);
        let offset = self.add(offset, bytes);
        let key = if leaf_key == Key::Any { key } else { leaf_key };
        Ok(Place::Memory { base, offset, class, key, bits: bit_offset % 8, inside: None })
    }

    /// Checks an access to an object, if memory is checked.
    fn check_place(&mut self, place: &Place, ty: TypeId) -> Result<()> {
        if !self.checks_memory() || self.is_quiet() {
            return Ok(());
        }
        match *place {
            Place::Plain { inside: Some(inside), .. } => {
                self.check(inside, Check::Deref, "an element outside of its array");
                Ok(())
            }
            Place::Memory { base, offset, key, bits, inside, .. } => {
                if let Some(inside) = inside {
                    self.check(inside, Check::Deref, "an element outside of its array");
                }
                let bytes = match key {
                    Key::Member(record, index) if super::classes::is_bit_field(&self.tree.types, key) => {
                        let width = self.tree.types.field(record, index).and_then(|field| field.width);
                        self.int((bits + u64::from(width.unwrap_or(8))).div_ceil(8))
                    }
                    _ => self.covered_bytes(ty)?,
                };
                if self.is_certainly_inside(base, offset, bytes) {
                    return Ok(());
                }
                self.check_access(base, offset, bytes, "the pointer does not point to enough valid memory")
            }
            _ => Ok(()),
        }
    }

    /// Whether an access to a variable by its name is certainly inside of it.
    fn is_certainly_inside(&self, base: Expr, offset: Expr, bytes: Expr) -> bool {
        let (Some(base), Some(offset), Some(bytes)) =
            (self.literal(base), self.literal(offset), self.literal(bytes))
        else {
            return false;
        };
        let size = u64::try_from(base).ok().and_then(|base| self.storage.fixed_sizes.get(&base));
        size.is_some_and(|&size| offset >= 0 && offset + bytes <= i128::from(size))
    }

    /// Writes an object of any type.
    pub(super) fn write(&mut self, place: &Place, ty: TypeId, value: &Value) -> Result<()> {
        let components = self.all_components(value);
        self.check_frames(place, ty)?;
        self.check_place(place, ty)?;
        if let Place::Memory { base, class, .. } = *place {
            self.check_writable(base, class);
        }
        match place {
            Place::Plain { variables, leaf, indices, inside } => {
                if let Some(inside) = inside.filter(|_| !self.checks_memory()) {
                    self.mark_unless(inside, "a write outside of an array");
                }
                let mut pairs = Vec::new();
                for (variables, values) in variables[*leaf..].iter().zip(&components) {
                    for (&variable, &value) in variables.iter().zip(values) {
                        let old = self.var(variable);
                        pairs.push((variable, self.store(old, indices, value)));
                        pairs.extend(self.set_at(variable, indices, value)?);
                    }
                }
                self.assign_all(pairs);
                Ok(())
            }
            Place::Value { .. } => Err(self.unsupported("an assignment to a value")),
            Place::Memory { .. } => match self.tree.types[ty] {
                Type::Record(_) | Type::Array(..) => self.write_aggregate(place, ty, &components),
                _ => self.write_cell(place, ty, components.first().map_or(&[], |leaf| &leaf[..])),
            },
        }
    }

    fn write_aggregate(&mut self, place: &Place, ty: TypeId, components: &[Vec<Expr>]) -> Result<()> {
        let infos = self.leaves(ty)?;
        for (leaf, values) in infos.iter().zip(components) {
            for (indices, bytes) in self.positions(&leaf.dimensions)? {
                let at = self.leaf_place(place, leaf.bit_offset + bytes * 8, leaf.key)?;
                let indices: Vec<Expr> = indices.into_iter().map(|index| self.int(index)).collect();
                let mut cell = Vec::new();
                for &value in values {
                    cell.push(indices.iter().fold(value, |map, &index| self.select(map, index)));
                }
                if leaf.raw {
                    self.write_raw_leaf(&at, &cell)?;
                } else {
                    self.write_cell(&at, leaf.ty, &cell)?;
                }
            }
        }
        Ok(())
    }

    fn read_leaf(&mut self, place: &Place, leaf: &super::leaves::Leaf) -> Result<Value> {
        if leaf.raw { self.read_raw_leaf(place, leaf.ty) } else { self.read_cell(place, leaf.ty) }
    }

    /// A local variable begins to live.
    pub(super) fn declare(&mut self, var: VarId, init: Option<&Init>) -> Result<()> {
        let ty = self.tree.variables[var].ty;
        let span = self.tree.variables[var].span;
        let class = self.analyses.classes.variable(var);
        let tracked = self.is_tracked(var);
        self.declare_in_frames(var);
        if self.checks_memory() && self.is_plain(var) && self.has_variable_elements(ty) {
            let bytes = self.size_of(ty)?;
            let most = Interval::of(&self.tree.types, self.tree.types.size_kind()).high;
            let most = self.int(most);
            let fits = self.compare(BinaryOp::LessEqual, bytes, most);
            self.give_up_unless(fits, "an array that is larger than all memory");
        }
        // Values are computed before the variable is reset: `int x = x;` reads what was there.
        let home = self.home(var)?;
        if let Some(Init::Whole(value)) = init {
            // The variable lives already in its own initialiser.
            self.begin_variable(var)?;
            if let Some(base) = self.base_of(var)? {
                self.begin_unwritten(base, class)?;
            }
            let value = self.value(*value)?;
            self.expression.at = span;
            let place = self.variable_place(var)?;
            self.write(&place, ty, &value)?;
            if let (true, Value::Int(_, interval)) = (tracked, &value) {
                self.learn(var, *interval);
            }
            return Ok(());
        }
        let values = match init {
            Some(Init::Parts(parts)) => self.part_values(var, parts)?,
            _ => Vec::new(),
        };
        self.expression.at = span;
        self.forget(var);
        self.begin_variable(var)?;
        let zero = init.is_some();
        match home {
            Home::Plain(variables) => {
                if zero {
                    let value = self.zero(ty)?;
                    let place = self.variable_place(var)?;
                    self.write(&place, ty, &value)?;
                } else {
                    let all: Vec<Variable> = variables.iter().flatten().copied().collect();
                    if let (&[variable], true) = (&all[..], self.tree.types.is_arithmetic(ty)) {
                        let kind = self.tree.types.int_kind(ty);
                        let ty = kind.map(|kind| kind.name().to_owned());
                        let ty = ty.unwrap_or_else(|| {
                            self.tree.types.show(self.tree.variables[var].ty, self.symbols)
                        });
                        self.report.back.uninitialised.push((variable, ty));
                    }
                    self.unset(&all)?;
                    self.havoc(all);
                }
            }
            Home::Fixed(base) => {
                let base = self.int(base);
                self.begin_unwritten(base, class)?;
                // Memory is arbitrary from the start, so the first life of an object needs no new contents.
                if zero || !self.is_first_life(var) {
                    self.reset_memory(base, class, zero)?;
                }
            }
            Home::Fresh(variable) => {
                let base = self.var(variable);
                self.begin_unwritten(base, class)?;
                self.reset_memory(base, class, zero)?;
            }
        }
        match init {
            Some(Init::Parts(parts)) => self.initialise_parts(var, parts, values),
            _ => Ok(()),
        }
    }

    /// Whether a type is an array whose elements have a size that is known only at run time.
    fn has_variable_elements(&self, ty: TypeId) -> bool {
        match self.tree.types[ty] {
            Type::Array(element, _) => self.tree.types.size(element).is_none(),
            _ => false,
        }
    }

    /// The values of parts that may read the object which they initialise, before it is reset.
    fn part_values(&mut self, var: VarId, parts: &[(Vec<Step>, ExprId)]) -> Result<Vec<Option<Value>>> {
        let tree = self.tree;
        let constant =
            |value: ExprId| matches!(tree.exprs[value].kind, ExprKind::Int(_) | ExprKind::Float(_));
        // Nobody reads it through a pointer.
        if !tree.variables[var].address_taken || parts.iter().all(|&(_, value)| constant(value)) {
            return Ok(Vec::new());
        }
        let mut values = Vec::new();
        for &(_, value) in parts {
            let computed = if constant(value) { None } else { Some(self.value(value)?) };
            values.push(computed.map(|value| self.freeze_value(value)));
        }
        Ok(values)
    }

    /// Whether a declaration that is being translated is executed once at most.
    pub(super) fn is_first_life(&self, var: VarId) -> bool {
        let main = self.tree.variables[var].function.filter(|&function| {
            self.symbols.text(self.tree.functions[function].name) == "main"
                && !self.analyses.recursive.contains(function)
        });
        // Inside of a loop or behind a label, and where others call `main`, it may come again.
        let called = |function| self.tree.mentions.iter().any(|&(_, to)| to == function);
        main.is_some_and(|main| !called(main))
            && self.function.targets.is_empty()
            && self.function.labels.is_empty()
            && self.function.activation.is_none()
    }

    /// Writes the parts of an initialiser; everything else is zero already.
    pub(super) fn initialise_parts(
        &mut self,
        var: VarId,
        parts: &[(Vec<Step>, ExprId)],
        mut computed: Vec<Option<Value>>,
    ) -> Result<()> {
        let whole = self.tree.variables[var].ty;
        let scalars = parts.iter().all(|&(_, value)| self.tree.types.is_scalar(self.tree.exprs[value].ty));
        let mut seen: BTreeSet<&Vec<Step>> = BTreeSet::new();
        let repeated: BTreeSet<&Vec<Step>> =
            parts.iter().map(|(path, _)| path).filter(|&path| !seen.insert(path)).collect();
        let exprs: Vec<ExprId> = parts.iter().map(|&(_, value)| value).collect();
        if computed.iter().all(Option::is_none) && self.order_matters(&exprs) {
            computed = self.values_in_any_order(&exprs)?.into_iter().map(Some).collect();
        }
        for (number, (path, value)) in parts.iter().enumerate() {
            let value_ty = self.tree.exprs[*value].ty;
            let is_zero = matches!(self.tree.exprs[*value].kind, ExprKind::Int(0));
            // Everything is zero already, unless an earlier value for the same part has to be overridden.
            if is_zero && scalars && !repeated.contains(path) {
                continue;
            }
            let value = match computed.get_mut(number).and_then(Option::take) {
                Some(value) => value,
                None => self.value(*value)?,
            };
            let mut place = self.variable_place(var)?;
            let mut ty = whole;
            let mut width = None;
            for step in path {
                match *step {
                    Step::Field(index) => {
                        place = self.member(place, ty, index)?;
                        if let Type::Record(record) = self.tree.types[ty]
                            && let Some(field) = self.tree.types.field(record, index)
                        {
                            (ty, width) = (field.ty, field.width);
                        }
                    }
                    Step::Index(index) => {
                        let at = self.int(index);
                        place = self.element(place, ty, at, Interval::exactly(index.into()))?;
                        if let Type::Array(element, _) = self.tree.types[ty] {
                            ty = element;
                        }
                    }
                }
            }
            let value = self.fit_width(value, value_ty, width);
            self.write(&place, value_ty, &value)?;
        }
        Ok(())
    }

    /// Where a variable lives.
    pub(super) fn home(&mut self, var: VarId) -> Result<Home> {
        if let Some(home) = &self.storage.homes[var] {
            return Ok(home.clone());
        }
        let data = &self.tree.variables[var];
        let span = std::mem::replace(&mut self.expression.at, data.span);
        let name = self.symbols.text(data.name).to_owned();
        let home = if self.is_plain(var) {
            let variables = if data.lifetime == Lifetime::Static {
                let variables =
                    self.leaf_variables(data.ty, &name, |this, name, ty| this.new_global(name, ty))?;
                if !self.is_errno(var) {
                    variables.iter().flatten().for_each(|&variable| self.watch(variable));
                }
                variables
            } else {
                self.leaf_variables(data.ty, &name, |this, name, ty| this.new_local(name, ty))?
            };
            self.follow_unset(var, &variables);
            self.remember(var, &variables)?;
            Home::Plain(variables.into())
        } else if !self.is_renewed(var) {
            let base = self.next_base();
            if let Some(size) = self.tree.types.size(data.ty) {
                self.storage.fixed_sizes.insert(base, size);
            }
            Home::Fixed(base)
        } else {
            Home::Fresh(self.new_local(&format!("{name}.base"), ir::Type::INT))
        };
        self.expression.at = span;
        self.storage.homes[var] = Some(home.clone());
        Ok(home)
    }

    /// Whether a variable needs no memory.
    pub(super) fn is_plain(&self, var: VarId) -> bool {
        let data = &self.tree.variables[var];
        !data.address_taken && super::leaves::is_splittable(&self.tree.types, self.symbols, data.ty)
    }
}
