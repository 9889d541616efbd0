//! Objects as sequences of scalars: how structs and arrays are split into variables and memory cells.
//!
//! A union is the sequence of its bytes, and of the pointers that the bytes may be, as memory keeps them
//! ([`bytes`](super::bytes)). It has these leaves only while it is passed on as a value.

use super::classes::{Key, has_union};
use crate::symbols::Symbols;
use crate::types::{Length, Type, TypeId, Types};
use std::collections::BTreeMap;

/// A scalar inside a type, or the array of all scalars at the same member.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The scalar type.
    pub ty: TypeId,
    /// The name of the way to it: `.next.data[]`.
    pub suffix: String,
    /// Its offset in bits with all indices zero.
    pub bit_offset: u64,
    /// The width of a bit-field.
    pub width: Option<u32>,
    /// The arrays around it, outermost first.
    pub dimensions: Vec<Dimension>,
    /// The key under which memory is accessed.
    pub key: Key,
    /// Whether it is a byte of a union, or a pointer that some of these bytes may be.
    pub raw: bool,
}

/// An array around a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dimension {
    /// How many elements.
    pub length: Length,
    /// The size of an element in bytes.
    pub stride: u64,
}

/// More leaves than this are not worth separate variables.
const MAX_LEAVES: usize = 2_000;

/// Whether every scalar of a type can be held in a variable of its own.
pub fn is_splittable(types: &Types, symbols: &Symbols, ty: TypeId) -> bool {
    !has_union(types, ty) && leaves(types, symbols, ty).is_ok()
}

/// The offsets in bytes at which an object may hold a pointer, with the type of one.
fn pointers_in(types: &Types, ty: TypeId, at: u64, out: &mut BTreeMap<u64, TypeId>) {
    let mut stack = vec![(ty, at)];
    while let Some((ty, at)) = stack.pop() {
        if out.len() > MAX_LEAVES || stack.len() > MAX_LEAVES {
            return;
        }
        match types[ty] {
            Type::Pointer(_) => {
                out.insert(at, ty);
            }
            Type::Array(element, Length::Known(length)) => {
                let size = types.size(element).unwrap_or_default();
                stack.extend((0..length.min(MAX_LEAVES as u64)).map(|index| (element, at + index * size)));
            }
            Type::Record(record) => {
                let fields = types.records[record].layout.iter().flat_map(|layout| &layout.fields);
                stack.extend(fields.map(|field| (field.ty, at + field.bit_offset / 8)));
            }
            _ => {}
        }
    }
}

/// The leaves of a union: its bytes, then the pointers among them.
fn raw_leaves(types: &Types, union: &Leaf) -> Result<Vec<Leaf>, &'static str> {
    let Some(size) = types.size(union.ty).filter(|&size| size <= MAX_LEAVES as u64) else {
        return Err("a large union as a value");
    };
    let raw = |name: &str, at: u64, ty: TypeId| Leaf {
        ty,
        suffix: format!("{}.{name}{at}", union.suffix),
        bit_offset: union.bit_offset + 8 * at,
        width: None,
        dimensions: union.dimensions.clone(),
        key: Key::Any,
        raw: true,
    };
    let mut out: Vec<Leaf> = (0..size).map(|at| raw("byte", at, types.char)).collect();
    let mut pointers = BTreeMap::new();
    pointers_in(types, union.ty, 0, &mut pointers);
    out.extend(pointers.into_iter().map(|(at, ty)| raw("pointer", at, ty)));
    Ok(out)
}

/// The leaves of a type, in the order of members.
pub fn leaves(types: &Types, symbols: &Symbols, ty: TypeId) -> Result<Vec<Leaf>, &'static str> {
    let mut out = Vec::new();
    let start = Leaf {
        ty,
        suffix: String::new(),
        bit_offset: 0,
        width: None,
        dimensions: Vec::new(),
        key: Key::Any,
        raw: false,
    };
    // An explicit stack, so that nesting of structs costs no host stack; reversed to keep the order.
    let mut stack = vec![start];
    while let Some(leaf) = stack.pop() {
        if out.len() > MAX_LEAVES {
            return Err("a struct with very many members");
        }
        match types[leaf.ty] {
            Type::Int(_) | Type::Enum(_) | Type::Float(_) | Type::Pointer(_) => out.push(leaf),
            Type::Array(element, length) => {
                // Arrays of arrays of variable length are only indexed, never addressed, as plain variables.
                let stride = types.size(element).unwrap_or_default();
                let mut dimensions = leaf.dimensions.clone();
                dimensions.push(Dimension { length, stride });
                let suffix = format!("{}[]", leaf.suffix);
                stack.push(Leaf { ty: element, dimensions, suffix, ..leaf });
            }
            Type::Record(record) => {
                if types.records[record].is_union {
                    out.extend(raw_leaves(types, &leaf)?);
                    continue;
                }
                let Some(layout) = &types.records[record].layout else {
                    return Err("a struct without members");
                };
                for (index, field) in layout.fields.iter().enumerate().rev() {
                    let name = match field.name {
                        Some(name) => symbols.text(name).to_owned(),
                        None => format!("unnamed#{index}"),
                    };
                    stack.push(Leaf {
                        ty: field.ty,
                        suffix: format!("{}.{name}", leaf.suffix),
                        bit_offset: leaf.bit_offset + field.bit_offset,
                        width: field.width,
                        dimensions: leaf.dimensions.clone(),
                        key: Key::Member(record, index as u32),
                        raw: false,
                    });
                }
            }
            Type::VaList => return Err("`va_list`"),
            Type::Void | Type::Function(_) => return Err("a value without a type"),
        }
    }
    Ok(out)
}

/// How many leaves come before a member of a struct.
pub fn leaves_before(types: &Types, symbols: &Symbols, record: TypeId, index: u32) -> Option<usize> {
    let Type::Record(id) = types[record] else { return None };
    let fields = &types.records[id].layout.as_ref()?.fields;
    let mut count = 0;
    for field in fields.get(..index as usize)? {
        count += leaves(types, symbols, field.ty).ok()?.len();
    }
    Some(count)
}
