//! How types lie in each other, and which part of an object a place is.

use super::{Cell, Key};
use crate::ast::BinaryOp;
use crate::tree::{ExprId, ExprKind, Step, Tree};
use crate::types::{IntKind, Length, Type, TypeId, Types};

/// Whether a function moves or sets a number of bytes that makes whole objects of one type, as far as types tell.
pub(super) fn moves_whole_objects(tree: &Tree, name: &str, arguments: &[ExprId]) -> bool {
    let (pointers, size) = match (name, arguments) {
        ("memset", &[to, _, size]) => (vec![to], size),
        (_, &[to, from, size]) => (vec![to, from], size),
        _ => return false,
    };
    let types: Vec<Option<TypeId>> = pointers.iter().map(|&pointer| pointed_type(tree, pointer)).collect();
    let Some(&Some(ty)) = types.first() else { return false };
    let Some(whole) = tree.types.size(ty).filter(|&size| size > 0) else { return false };
    if types.iter().any(|&other| other != Some(ty)) || has_union(&tree.types, ty) {
        return false;
    }
    if name == "memset" {
        let zero = matches!(tree.exprs[arguments[1]].kind, ExprKind::Int(0));
        let byte = tree.types.int_kind(ty).is_some_and(|kind| kind.size(tree.types.model) == 1);
        if !zero && !byte {
            return false;
        }
    }
    is_multiple(tree, size, whole)
}

/// Whether a number is certainly a multiple of another.
pub(super) fn is_multiple(tree: &Tree, expr: ExprId, of: u64) -> bool {
    match tree.exprs[expr].kind {
        _ if of == 1 => true,
        ExprKind::Int(value) => value % i128::from(of) == 0,
        ExprKind::Convert(inner) => {
            // Wrapping around keeps multiples of powers of two only.
            let wide = tree.types.size(tree.exprs[expr].ty) >= tree.types.size(tree.exprs[inner].ty);
            (wide || of.is_power_of_two()) && is_multiple(tree, inner, of)
        }
        ExprKind::Binary(BinaryOp::Mul, left, right) => {
            of.is_power_of_two() && (is_multiple(tree, left, of) || is_multiple(tree, right, of))
        }
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
            of.is_power_of_two() && is_multiple(tree, left, of) && is_multiple(tree, right, of)
        }
        _ => false,
    }
}

/// What a pointer points to, before it was converted to `void *`.
pub fn pointed_type(tree: &Tree, argument: ExprId) -> Option<TypeId> {
    let mut expr = argument;
    loop {
        let to = tree.types.pointee(tree.exprs[expr].ty)?;
        if !matches!(tree.types[to], Type::Void) {
            return Some(to);
        }
        match tree.exprs[expr].kind {
            ExprKind::Convert(inner) => expr = inner,
            _ => return None,
        }
    }
}

/// The pointers whose addresses an integer is computed from.
pub fn addresses_in(tree: &Tree, expr: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        match tree.exprs[expr].kind {
            ExprKind::Convert(inner) if tree.types.pointee(tree.exprs[inner].ty).is_some() => {
                found.push(inner)
            }
            ExprKind::Convert(inner) | ExprKind::Negate(inner) | ExprKind::Complement(inner) => {
                stack.push(inner);
            }
            ExprKind::Binary(op, left, right) if !crate::check::is_comparison(op) => {
                stack.extend([left, right])
            }
            ExprKind::Conditional(_, left, right) => stack.extend([left, right]),
            ExprKind::Comma(_, right) => stack.push(right),
            _ => {}
        }
    }
    found
}

/// The conversions and steps of an expression that computes the address of a struct from that of its member, as
/// `(struct s *)((char *)p - offsetof(struct s, m))`, with the types of the struct and of the member.
pub(super) fn container(tree: &Tree, expr: ExprId) -> Option<(Vec<ExprId>, (TypeId, TypeId))> {
    let ExprKind::Convert(sum) = tree.exprs[expr].kind else { return None };
    let outer = tree.types.pointee(tree.exprs[expr].ty)?;
    let ExprKind::PointerAdd { pointer, count, minus: true } = tree.exprs[sum].kind else { return None };
    let ExprKind::Int(bytes) = tree.exprs[count].kind else { return None };
    let step = tree.types.pointee(tree.exprs[sum].ty)?;
    let ExprKind::Convert(start) = tree.exprs[pointer].kind else { return None };
    let member = tree.types.pointee(tree.exprs[start].ty)?;
    if tree.types.size(step) != Some(1) || !matches!(tree.types[outer], Type::Record(_)) {
        return None;
    }
    let offset = u64::try_from(bytes).ok()?;
    has_part(&tree.types, outer, offset, member).then(|| (vec![expr, sum, pointer], (outer, member)))
}

/// Whether an object of a type has a part of another type at an offset; parts of unions do not count.
pub(super) fn has_part(types: &Types, mut ty: TypeId, mut offset: u64, part: TypeId) -> bool {
    loop {
        if offset == 0 && ty == part {
            return true;
        }
        match types[ty] {
            Type::Array(element, _) => {
                let Some(size) = types.size(element).filter(|&size| size > 0) else { return false };
                (ty, offset) = (element, offset % size);
            }
            Type::Record(record) if !types.records[record].is_union => {
                let Some(layout) = &types.records[record].layout else { return false };
                let inside = layout.fields.iter().rev().find(|field| {
                    let size = types.size(field.ty).unwrap_or(0);
                    field.width.is_none()
                        && (field.bit_offset / 8..field.bit_offset / 8 + size).contains(&offset)
                });
                let Some(field) = inside else { return false };
                (ty, offset) = (field.ty, offset - field.bit_offset / 8);
            }
            _ => return false,
        }
    }
}

/// Whether a type is a union or has one in it.
pub fn has_union(types: &Types, ty: TypeId) -> bool {
    let mut stack = vec![ty];
    while let Some(ty) = stack.pop() {
        match types[ty] {
            Type::Array(element, _) => stack.push(element),
            Type::Record(record) => {
                if types.records[record].is_union {
                    return true;
                }
                let fields = types.records[record].layout.iter().flat_map(|layout| &layout.fields);
                stack.extend(fields.map(|field| field.ty));
            }
            _ => {}
        }
    }
    false
}

/// The size of a kind of cell in bytes.
pub(super) fn cell_size(types: &Types, cell: Cell) -> u64 {
    match cell {
        Cell::Int(size) | Cell::Raw(size) => size,
        Cell::Float(kind) => types.float_size(kind),
        Cell::Pointer => IntKind::UnsignedLong.size(types.model),
        Cell::Bits | Cell::Tag => 1,
    }
}

/// Whether an object of a type is one of another type, or has one in it. Numbers of the same size are one type here, and so are pointers.
pub(super) fn contains(types: &Types, ty: TypeId, part: TypeId) -> bool {
    if ty == part {
        return true;
    }
    match types[ty] {
        Type::Array(element, _) => contains(types, element, part),
        Type::Record(record) => {
            let mut fields = types.records[record].layout.iter().flat_map(|layout| &layout.fields);
            fields.any(|field| contains(types, field.ty, part))
        }
        Type::Int(_) | Type::Enum(_) => types.int_kind(part).is_some() && types.size(ty) == types.size(part),
        Type::Pointer(_) => types.pointee(part).is_some(),
        _ => false,
    }
}

/// The sizes of all scalars in an object of a type.
fn scalar_sizes(types: &Types, ty: TypeId) -> Vec<u64> {
    let mut sizes = Vec::new();
    let mut stack = vec![ty];
    while let Some(ty) = stack.pop() {
        match types[ty] {
            Type::Array(element, _) => stack.push(element),
            Type::Record(record) => {
                let fields = types.records[record].layout.iter().flat_map(|layout| &layout.fields);
                for field in fields {
                    match field.width {
                        Some(_) => sizes.push(1),
                        None => stack.push(field.ty),
                    }
                }
            }
            _ => sizes.push(types.size(ty).unwrap_or(1)),
        }
    }
    sizes
}

/// The size of the smallest scalar in an object of a type.
pub(super) fn smallest_scalar(types: &Types, ty: TypeId) -> u64 {
    scalar_sizes(types, ty).into_iter().min().unwrap_or(1)
}

/// Whether scalars of at least so many bytes, a power of two, begin at a multiple of that in all structs: no struct is packed.
pub(super) fn are_aligned(types: &Types, unit: u64) -> bool {
    types.record_types().all(|(record, ty)| {
        let Some(layout) = &types.records[record].layout else { return true };
        let needs = |ty| scalar_sizes(types, ty).into_iter().any(|size| size >= unit);
        let inside = |field: &crate::types::Field| {
            field.width.is_some() || field.bit_offset.is_multiple_of(8 * unit) || !needs(field.ty)
        };
        (layout.size % unit == 0 || !needs(ty)) && layout.fields.iter().all(inside)
    })
}

/// The type as which memory is seen through a pointer; `None` for `void` and functions.
pub(super) fn view(types: &Types, mut ty: TypeId) -> Option<TypeId> {
    while let Type::Array(element, _) = types[ty] {
        ty = element;
    }
    match types[ty] {
        Type::Void | Type::Function(_) => None,
        Type::Record(record) if types.records[record].layout.is_none() => None,
        _ => Some(ty),
    }
}

/// Whether an object of type `outer` has one of type `inner` at its very start, so that both views agree.
pub(super) fn starts_with(types: &Types, outer: TypeId, inner: TypeId) -> bool {
    let mut outer = outer;
    loop {
        if outer == inner {
            return true;
        }
        match types[outer] {
            Type::Array(element, _) => outer = element,
            Type::Record(record) => match types.field(record, 0) {
                Some(field) if field.width.is_none() && !types.records[record].is_union => outer = field.ty,
                _ => return false,
            },
            Type::Int(_) | Type::Enum(_) => {
                let same_size = types.size(outer) == types.size(inner);
                return same_size && types.int_kind(inner).is_some();
            }
            Type::Pointer(_) => return types.pointee(inner).is_some(),
            _ => return false,
        }
    }
}

/// Whether a key is that of a bit-field.
pub fn is_bit_field(types: &Types, key: Key) -> bool {
    match key {
        Key::Any => false,
        Key::Member(record, index) => types.field(record, index).is_some_and(|field| field.width.is_some()),
    }
}

/// The key of a place.
pub fn key_of(tree: &Tree, place: ExprId) -> Key {
    let mut place = place;
    loop {
        match &tree.exprs[place].kind {
            ExprKind::Index(inner, _) => place = *inner,
            ExprKind::Member(inner, index) => {
                let Type::Record(record) = tree.types[tree.exprs[*inner].ty] else { return Key::Any };
                return Key::Member(record, *index);
            }
            _ => return Key::Any,
        }
    }
}

/// The key and type of a part of an object.
pub fn key_of_path(types: &Types, ty: TypeId, path: &[Step]) -> (Key, TypeId) {
    let (mut key, mut ty) = (Key::Any, ty);
    for step in path {
        match (step, &types[ty]) {
            (Step::Field(index), Type::Record(record)) => {
                key = Key::Member(*record, *index);
                ty = types.field(*record, *index).map_or(ty, |field| field.ty);
            }
            (
                Step::Index(_),
                Type::Array(element, Length::Known(_) | Length::Unknown | Length::Variable(_)),
            ) => {
                ty = *element;
            }
            _ => {}
        }
    }
    (key, ty)
}
