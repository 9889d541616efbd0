//! How large a part of memory has to be: the fewer indices its maps have, the smaller the formulas.
//!
//! In general a region is a map from bases to maps from offsets to cells. A class with a single object needs no bases.
//! Where a key stands at one offset of every object, and nobody computes addresses, the base alone tells the cell. With
//! both, the region is a single variable: that of `x` in `int x; int *p = &x;`.
//!
//! Accesses through pointers that point to no object of the class have no meaning in C and end up in some cell.

use super::Translator;
use super::classes::{Cell, Class, Classes, Key, cell_of, has_union};
use super::leaves::{is_splittable, leaves};
use super::live::Live;
use crate::symbols::Symbols;
use crate::tree::{Callee, ExprKind, Lifetime, Tree, VarId};
use crate::types::{Type, Types};
use base::EntitySet;
use std::collections::{BTreeMap, BTreeSet};

/// The indices that tell the cells of a region apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// There is one cell.
    Single,
    /// The base of the object.
    ByBase,
    /// The offset in the only object.
    ByOffset,
    /// Both.
    Full,
}

/// The objects of a class.
#[derive(Default)]
struct Objects {
    /// Variables in memory.
    variables: Vec<VarId>,
    /// Whether there are objects without a name, or several for one name.
    many: bool,
    /// Whether a string literal is among them, all of whose characters are written when the program begins.
    texts: bool,
}

/// What decides about shapes.
#[derive(Default)]
pub struct Shapes {
    objects: BTreeMap<Class, Objects>,
    /// Members that stand at several offsets of some struct, or inside of a union.
    repeated: BTreeSet<Key>,
}

/// Collects the objects of all classes.
pub fn analyse(
    tree: &Tree,
    (symbols, live): (&Symbols, &Live),
    classes: &mut Classes,
    (recursive, outlived): (&EntitySet<crate::tree::FuncId>, &super::outlived::Outlived),
) -> Shapes {
    let mut shapes = Shapes { objects: BTreeMap::new(), repeated: repeated_members(&tree.types, symbols) };
    for (var, data) in tree.variables.iter() {
        let plain = !data.address_taken && is_splittable(&tree.types, symbols, data.ty);
        if plain || !live.has_variable(var) {
            continue;
        }
        let class = classes.variable(var);
        let objects = shapes.objects.entry(classes.find(class)).or_default();
        objects.variables.push(var);
        let calls = data.function.is_some_and(|function| recursive.contains(function));
        objects.many |= data.lifetime != Lifetime::Static && (calls || outlived.contains(var));
    }
    for expr in live.exprs(tree) {
        let node = &tree.exprs[expr];
        let made = match node.kind {
            ExprKind::Text(_) => true,
            ExprKind::Call(Callee::Direct(function), _) => {
                let makes = tree.functions[function].body.is_none() || classes.is_allocator(function);
                makes && matches!(tree.types[node.ty], Type::Pointer(_))
            }
            _ => false,
        };
        if made || classes.is_given(expr) {
            let class = classes.class(expr);
            let objects = shapes.objects.entry(classes.find(class)).or_default();
            objects.many = true;
            objects.texts |= matches!(node.kind, ExprKind::Text(_));
        }
    }
    shapes
}

/// The members that do not have one offset in every struct that contains them.
fn repeated_members(types: &Types, symbols: &Symbols) -> BTreeSet<Key> {
    let mut repeated = BTreeSet::new();
    for (record, ty) in types.record_types() {
        let split = leaves(types, symbols, ty).ok().filter(|_| !has_union(types, ty));
        let Some(leaves) = split else {
            // Nothing is known of the structs inside of a union, or of a struct that has one.
            let mut pending = vec![record];
            let mut seen = BTreeSet::new();
            while let Some(record) = pending.pop() {
                if !seen.insert(record) {
                    continue;
                }
                let fields = types.records[record].layout.iter().flat_map(|layout| &layout.fields);
                for (index, field) in fields.enumerate() {
                    repeated.insert(Key::Member(record, index as u32));
                    let mut inner = field.ty;
                    while let Type::Array(element, _) = types[inner] {
                        inner = element;
                    }
                    if let Type::Record(inner) = types[inner] {
                        pending.push(inner);
                    }
                }
            }
            continue;
        };
        let mut seen = BTreeSet::new();
        for leaf in leaves {
            if !seen.insert(leaf.key) || !leaf.dimensions.is_empty() {
                repeated.insert(leaf.key);
            }
        }
    }
    repeated
}

impl Translator<'_> {
    /// The shape of a region; its class and key are those after joining and collapsing.
    pub(super) fn shape(&self, class: Class, key: Key, cell: Cell) -> Shape {
        let none = Objects::default();
        let objects = self.analyses.shapes.objects.get(&class).unwrap_or(&none);
        let single = objects.variables.len() == 1 && !objects.many;
        let plain = !self.analyses.classes.is_collapsed(class) && !self.analyses.classes.is_indexed(class);
        let fixed = plain && cell != Cell::Bits && self.is_at_one_offset(objects, key);
        match (single, fixed) {
            (true, true) => Shape::Single,
            (true, false) => Shape::ByOffset,
            (false, true) => Shape::ByBase,
            (false, false) => Shape::Full,
        }
    }

    /// Whether every object has a key at one offset, if it has it at all.
    fn is_at_one_offset(&self, objects: &Objects, key: Key) -> bool {
        let types = &self.tree.types;
        let scalar = |var: &VarId| cell_of(types, self.tree.variables[*var].ty).is_some();
        match key {
            // Objects that are made at run time are looked at from their start on.
            Key::Any => !objects.texts && objects.variables.iter().all(scalar),
            Key::Member(..) => {
                let record = |var: &VarId| matches!(types[self.tree.variables[*var].ty], Type::Record(_));
                !self.analyses.shapes.repeated.contains(&key) && objects.variables.iter().all(record)
            }
        }
    }

    /// The variable that is the only object of a class.
    pub(super) fn only_object(&self, class: Class) -> Option<VarId> {
        let objects = self.analyses.shapes.objects.get(&class)?;
        match objects.variables[..] {
            [var] if !objects.many => Some(var),
            _ => None,
        }
    }
}
