//! Structs, unions and enumerations: members, layout as on Linux (System V), and the values of constants.

use super::{Check, Checker, Entity, Tag};
use crate::ast::{Aligned, Attributes, Declarator, EnumSpecifier, MemberDeclaration, RecordSpecifier};
use crate::problem::Problem;
use crate::types::{Enum, Field, IntKind, Layout, Length, Record, RecordId, Type, TypeId};
use base::Span;

/// Places members one behind the other.
struct Placement {
    is_union: bool,
    packed: bool,
    /// What `#pragma pack` allows at most.
    most: u64,
    /// Where the next member may start, in bits.
    next: u64,
    /// The end of the longest member, in bits.
    end: u64,
    align: u64,
}

/// What a member says about its own alignment.
struct Wish {
    packed: bool,
    /// What an attribute of the member asks for.
    asked: Option<u64>,
    /// What the name of its type has for an alignment, if not that of the type.
    named: Option<u64>,
}

/// A bit-field to be placed: sizes in bytes, the width in bits.
struct BitField {
    width: u64,
    size: u64,
    align: u64,
    packed: bool,
    named: bool,
}

impl Placement {
    /// Places a member of `size` bytes; gives its offset in bits, or `None` if the struct gets too large.
    fn member(&mut self, size: u64, align: u64) -> Option<u64> {
        let start = if self.is_union { 0 } else { self.next.checked_next_multiple_of(align * 8)? };
        self.align = self.align.max(align);
        self.next = start.checked_add(size.checked_mul(8)?)?;
        self.end = self.end.max(self.next);
        Some(start)
    }

    /// Places a bit-field. It does not touch more units of its alignment than an object of its type has, unless it is
    /// packed or `#pragma pack` is in force; the alignment of one without a name does not count for the struct
    /// (System V, as gcc reads it).
    fn bit_field(&mut self, field: &BitField) -> Option<u64> {
        let mut start = if self.is_union { 0 } else { self.next };
        let packed = self.packed || field.packed;
        let limited = self.most != u64::MAX;
        let unit = field.align * 8;
        let touched = (start % unit + field.width).div_ceil(unit);
        if !packed && !limited && touched > (field.size * 8).div_ceil(unit) {
            start = start.checked_next_multiple_of(unit)?;
        }
        if field.named {
            let align = if packed && !limited { 1 } else { field.align.min(self.most) };
            self.align = self.align.max(align);
        }
        self.next = start.checked_add(field.width)?;
        self.end = self.end.max(self.next);
        Some(start)
    }
}

impl<'a> Checker<'a> {
    /// The type of a `struct` or `union` specifier.
    pub(super) fn record(&mut self, specifier: &'a RecordSpecifier) -> Check<TypeId> {
        let mut id = self.record_id(specifier)?;
        if let Some(members) = &specifier.members {
            if self.tree.types.records[id].layout.is_some()
                && (self.linking.is_defined_here(id) || self.linking.unit == 0)
            {
                return Err(Problem::error(specifier.span, "this struct or union is defined twice"));
            }
            if let Some(refused) = specifier.attributes.refused {
                let what = format!("the attribute `{}`", self.text(refused));
                return Err(Problem::unsupported(specifier.span, what));
            }
            let layout = self.members(members, specifier)?;
            id = self.complete_record(id, layout);
            for &condition in &specifier.assertions {
                self.static_assertion(condition)?;
            }
        }
        Ok(self.tree.types.intern(Type::Record(id)))
    }

    fn record_id(&mut self, specifier: &RecordSpecifier) -> Check<RecordId> {
        if let Some(tag) = specifier.tag
            && let Some(&found) = self.tags.get(&tag)
            && (specifier.members.is_none() || self.tag_is_of_this_scope(tag))
        {
            return match found {
                Tag::Record(id) if self.tree.types.records[id].is_union == specifier.is_union => Ok(id),
                _ => {
                    let message = format!("the tag `{}` is declared as something else", self.text(tag));
                    Err(Problem::error(specifier.span, message))
                }
            };
        }
        if let Some(tag) = specifier.tag
            && let Some(Tag::Record(id)) = self.shared_tag(tag)
            && self.tree.types.records[id].is_union == specifier.is_union
        {
            self.bind_tag(tag, Tag::Record(id));
            return Ok(id);
        }
        let id = self.tree.types.records.push(Record {
            tag: specifier.tag,
            is_union: specifier.is_union,
            layout: None,
        });
        if let Some(tag) = specifier.tag {
            self.bind_tag(tag, Tag::Record(id));
        }
        Ok(id)
    }

    fn members(&mut self, members: &'a [MemberDeclaration], specifier: &'a RecordSpecifier) -> Check<Layout> {
        let is_union = specifier.is_union;
        let packed = specifier.attributes.packed;
        let most = specifier.attributes.pack.map_or(u64::MAX, u64::from);
        let mut placement = Placement { is_union, packed, most, next: 0, end: 0, align: 1 };
        let mut fields: Vec<Field> = Vec::new();
        for member in members {
            let base = self.specified_type(member.specifiers)?;
            let attributes = self.ast.specifiers[member.specifiers].attributes;
            if member.declarators.is_empty() {
                // A struct without a name gives its members to this one; a mere declaration gives nothing.
                if let Type::Record(inner) = self.tree.types[base]
                    && self.tree.types.records[inner].tag.is_none()
                {
                    let asked = self.alignment(&attributes)?;
                    let wish = Wish { packed: attributes.packed, asked, named: None };
                    let field = self.place(&mut placement, base, &wish, specifier.span)?;
                    fields.push(field);
                }
                continue;
            }
            for (declarator, width) in &member.declarators {
                let ty = self.declared_type(base, declarator)?;
                let mut attributes = attributes;
                crate::parse::merge_attributes(&mut attributes, declarator.attributes);
                let asked = self.alignment(&attributes)?;
                let named = self.named_alignment(member.specifiers, declarator);
                let wish = Wish { packed: attributes.packed, asked, named };
                let mut field = match width {
                    Some(width) => {
                        let width = self.constant_of(*width, "the width of a bit-field")?;
                        match self.bit_field(&mut placement, ty, width, &wish, declarator)? {
                            Some(field) => field,
                            None => continue,
                        }
                    }
                    None => self.place(&mut placement, ty, &wish, declarator.span)?,
                };
                field.name = declarator.name;
                if field.name.is_some() && fields.iter().any(|other| other.name == field.name) {
                    return Err(Problem::error(declarator.span, "this member is declared twice"));
                }
                // An unnamed bit-field only takes room.
                if field.name.is_some() || field.width.is_none() {
                    fields.push(field);
                }
            }
        }
        if let Some(align) = self.alignment(&specifier.attributes)? {
            placement.align = placement.align.max(align);
        }
        let align = placement.align;
        let size = placement.end.div_ceil(8).checked_next_multiple_of(align);
        let size = size.ok_or_else(|| Problem::error(specifier.span, "this struct is too large"))?;
        Ok(Layout { fields, size, align })
    }

    /// Places a member.
    fn place(&mut self, placement: &mut Placement, ty: TypeId, wish: &Wish, span: Span) -> Check<Field> {
        let types = &self.tree.types;
        let flexible = match types[ty] {
            Type::Array(element, Length::Unknown) => types.layout(element).map(|(_, align)| (0, align)),
            Type::Function(_) | Type::Void => None,
            _ => types.layout(ty),
        };
        let Some((size, mut align)) = flexible else {
            if let Type::Array(_, Length::Variable(_)) = types[ty] {
                return Err(Problem::unsupported(span, "a member of variable length"));
            }
            let message = format!("a member cannot have the type `{}`", self.show(ty));
            return Err(Problem::error(span, message));
        };
        align = wish.named.unwrap_or(align);
        if placement.packed || wish.packed {
            align = 1;
        }
        align = align.max(wish.asked.unwrap_or(1)).min(placement.most);
        let bit_offset =
            placement.member(size, align).ok_or_else(|| Problem::error(span, "this struct is too large"))?;
        Ok(Field { name: None, ty, bit_offset, width: None, align })
    }

    /// A bit-field; `None` for the zero width that only aligns the next one.
    fn bit_field(
        &mut self,
        placement: &mut Placement,
        ty: TypeId,
        width: i128,
        wish: &Wish,
        declarator: &Declarator,
    ) -> Check<Option<Field>> {
        let span = declarator.span;
        let types = &self.tree.types;
        let Some(kind) = types.int_kind(ty) else {
            return Err(Problem::error(span, "a bit-field must have an integer type"));
        };
        let (size, align) = types.layout(ty).unwrap_or((1, 1));
        if width < 0 || width > i128::from(kind.width(types.model)) {
            return Err(Problem::error(span, "the width of this bit-field does not fit its type"));
        }
        if width == 0 {
            if !placement.is_union {
                placement.next = placement.next.next_multiple_of(align * 8);
                placement.end = placement.end.max(placement.next);
            }
            return Ok(None);
        }
        let align = wish.named.unwrap_or(align);
        let packed = wish.packed;
        if let Some(asked) = wish.asked.map(|asked| asked.min(placement.most)) {
            if !placement.is_union {
                placement.next = placement.next.next_multiple_of(asked * 8);
            }
            placement.align = placement.align.max(asked);
        }
        let named = declarator.name.is_some();
        let bit_offset = placement
            .bit_field(&BitField { width: width as u64, size, align, packed, named })
            .ok_or_else(|| Problem::error(span, "this struct is too large"))?;
        Ok(Some(Field { name: None, ty, bit_offset, width: Some(width as u32), align: 1 }))
    }

    /// What `aligned` or `_Alignas` asks for.
    pub(super) fn alignment(&mut self, attributes: &Attributes) -> Check<Option<u64>> {
        match attributes.aligned {
            None => Ok(None),
            Some(Aligned::Largest) => Ok(Some(16)),
            Some(Aligned::Like(type_name)) => {
                let ty = self.type_name(type_name)?;
                Ok(self.tree.types.layout(ty).map(|(_, align)| align))
            }
            Some(Aligned::To(expr)) => {
                let span = self.ast_expr(expr).span;
                let value = self.constant_of(expr, "an alignment")?;
                match u64::try_from(value) {
                    Ok(0) => Ok(None),
                    Ok(align) if align.is_power_of_two() && align <= 1 << 28 => Ok(Some(align)),
                    _ => Err(Problem::error(span, "an alignment must be a power of two")),
                }
            }
        }
    }

    /// The type of an `enum` specifier; its constants become names of the scope.
    pub(super) fn enumeration(&mut self, specifier: &'a EnumSpecifier) -> Check<TypeId> {
        let known = specifier.tag.and_then(|tag| {
            let here = specifier.constants.is_none() || self.tag_is_of_this_scope(tag);
            self.tags.get(&tag).copied().filter(|_| here)
        });
        let shared = specifier.tag.filter(|_| known.is_none()).and_then(|tag| self.shared_tag(tag));
        if let (Some(tag), Some(Tag::Enum(id))) = (specifier.tag, shared) {
            self.bind_tag(tag, Tag::Enum(id));
        }
        let known = known.or(shared.filter(|shared| matches!(shared, Tag::Enum(_))));
        let id = match known {
            Some(Tag::Enum(id)) => id,
            Some(Tag::Record(_)) => {
                return Err(Problem::error(specifier.span, "this tag is declared as a struct or union"));
            }
            None => {
                let entry = Enum { tag: specifier.tag, kind: IntKind::UnsignedInt, complete: false };
                let id = self.tree.types.enums.push(entry);
                if let Some(tag) = specifier.tag {
                    self.bind_tag(tag, Tag::Enum(id));
                }
                id
            }
        };
        if let Some(constants) = &specifier.constants {
            let int = self.tree.types.int;
            let (mut next, mut least, mut most) = (0i128, 0i128, 0i128);
            let mut all_fit = true;
            for &(name, span, value) in constants {
                if let Some(value) = value {
                    next = self.constant_of(value, "the value of an enumeration constant")?;
                }
                (least, most) = (least.min(next), most.max(next));
                let fits = self.tree.types.wrap(next, IntKind::Int) == Some(next);
                all_fit &= fits;
                // GNU C gives constants that do not fit `int` a wider type.
                let ty = if fits { int } else { self.wide_constant_type(next, span)? };
                self.bind(name, Entity::Constant(next, ty));
                next += 1;
            }
            let fits = |kind: IntKind| {
                let wrap = |value| self.tree.types.wrap(value, kind) == Some(value);
                wrap(least) && wrap(most)
            };
            use IntKind::*;
            let kinds = [UnsignedInt, Int, UnsignedLong, Long, UnsignedLongLong, LongLong];
            let kind = kinds.into_iter().find(|&kind| fits(kind)).unwrap_or(LongLong);
            let kind = if specifier.attributes.packed { self.packed_kind(least, most) } else { kind };
            let entry = &mut self.tree.types.enums[id];
            (entry.kind, entry.complete) = (kind, true);
            if !all_fit {
                // Behind the list, constants that do not fit `int` have the type that holds all.
                let ty = self.tree.types.integer(kind);
                for &(name, _, _) in constants {
                    if let Some(&Entity::Constant(value, _)) = self.names.get(&name)
                        && self.tree.types.wrap(value, IntKind::Int) != Some(value)
                    {
                        self.names.insert(name, Entity::Constant(value, ty));
                    }
                }
            }
        }
        Ok(self.tree.types.intern(Type::Enum(id)))
    }

    fn wide_constant_type(&mut self, value: i128, span: Span) -> Check<TypeId> {
        for kind in [IntKind::UnsignedInt, IntKind::Long, IntKind::LongLong, IntKind::UnsignedLongLong] {
            if self.tree.types.wrap(value, kind) == Some(value) {
                return Ok(self.tree.types.integer(kind));
            }
        }
        Err(Problem::error(span, "the value of this enumeration constant is too large"))
    }

    fn packed_kind(&self, least: i128, most: i128) -> IntKind {
        use IntKind::*;
        [UnsignedChar, SignedChar, UnsignedShort, Short, UnsignedInt, Int]
            .into_iter()
            .find(|&kind| {
                let wrap = |value| self.tree.types.wrap(value, kind) == Some(value);
                wrap(least) && wrap(most)
            })
            .unwrap_or(LongLong)
    }
}
