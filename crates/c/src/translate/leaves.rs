//! Objects as sequences of scalars: how structs and arrays are split into variables and memory cells.

use super::classes::Key;
use crate::symbols::Symbols;
use crate::types::{Length, Type, TypeId, Types};

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

/// Why a type has no leaves.
pub enum NoLeaves {
    /// A union: its members share their bytes.
    Union,
    /// Something that cannot be held in variables.
    Other(&'static str),
}

/// The leaves of a type, in the order of members.
pub fn leaves(types: &Types, symbols: &Symbols, ty: TypeId) -> Result<Vec<Leaf>, NoLeaves> {
    let mut out = Vec::new();
    let start =
        Leaf { ty, suffix: String::new(), bit_offset: 0, width: None, dimensions: Vec::new(), key: Key::Any };
    // An explicit stack, so that nesting of structs costs no host stack; reversed to keep the order.
    let mut stack = vec![start];
    while let Some(leaf) = stack.pop() {
        if out.len() > MAX_LEAVES {
            return Err(NoLeaves::Other("a struct with very many members"));
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
                    return Err(NoLeaves::Union);
                }
                let Some(layout) = &types.records[record].layout else {
                    return Err(NoLeaves::Other("a struct without members"));
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
                    });
                }
            }
            Type::VaList => return Err(NoLeaves::Other("`va_list`")),
            Type::Complex(_) => return Err(NoLeaves::Other("complex numbers")),
            Type::Void | Type::Function(_) => return Err(NoLeaves::Other("a value without a type")),
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
