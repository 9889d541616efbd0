//! Interned types: equal types are equal ids.

use base::PrimaryMap;
use rustc_hash::FxHashMap;

base::id!(
    /// An interned type.
    Type,
    "type"
);

base::id!(
    /// An uninterpreted type constructor, declared by `type C _ _;`.
    TypeConstructor,
    "constructor"
);

impl Type {
    /// `bool`
    pub const BOOL: Type = Type(0);
    /// `int`
    pub const INT: Type = Type(1);
    /// `real`
    pub const REAL: Type = Type(2);
}

/// What a type is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeData {
    /// `bool`
    Bool,
    /// `int`, the mathematical integers.
    Int,
    /// `real`, the mathematical reals.
    Real,
    /// `bvN`; the width may be zero, as in Boogie.
    BitVec(u32),
    /// `[domain]range`, with at least one argument. A map with two arguments is not a map to maps.
    Map {
        /// The argument types.
        domain: Box<[Type]>,
        /// The result type.
        range: Type,
    },
    /// An uninterpreted type, or the application of an uninterpreted constructor.
    Named {
        /// The constructor.
        constructor: TypeConstructor,
        /// As many as the constructor wants.
        arguments: Box<[Type]>,
    },
}

/// The table of all types of a program. Components precede what is made of them.
#[derive(Clone, Debug)]
pub struct Types {
    data: PrimaryMap<Type, TypeData>,
    index: FxHashMap<TypeData, Type>,
}

impl Default for Types {
    fn default() -> Types {
        let mut types = Types { data: PrimaryMap::new(), index: FxHashMap::default() };
        for (data, id) in
            [(TypeData::Bool, Type::BOOL), (TypeData::Int, Type::INT), (TypeData::Real, Type::REAL)]
        {
            assert_eq!(types.intern(data), id, "the constants of `Type` name the first three types");
        }
        types
    }
}

impl std::ops::Index<Type> for Types {
    type Output = TypeData;

    fn index(&self, ty: Type) -> &TypeData {
        &self.data[ty]
    }
}

impl Types {
    /// The id of a type.
    pub fn intern(&mut self, data: TypeData) -> Type {
        if let Some(&ty) = self.index.get(&data) {
            return ty;
        }
        let ty = self.data.push(data.clone());
        self.index.insert(data, ty);
        ty
    }

    /// `bvN`
    pub fn bit_vector(&mut self, width: u32) -> Type {
        self.intern(TypeData::BitVec(width))
    }

    /// `[domain]range`
    pub fn map(&mut self, domain: impl Into<Box<[Type]>>, range: Type) -> Type {
        self.intern(TypeData::Map { domain: domain.into(), range })
    }

    /// `constructor arguments`
    pub fn named(&mut self, constructor: TypeConstructor, arguments: impl Into<Box<[Type]>>) -> Type {
        self.intern(TypeData::Named { constructor, arguments: arguments.into() })
    }

    /// The width of a bit-vector type.
    pub fn width(&self, ty: Type) -> Option<u32> {
        match self.data[ty] {
            TypeData::BitVec(width) => Some(width),
            _ => None,
        }
    }

    /// Domain and range of a map type.
    pub fn as_map(&self, ty: Type) -> Option<(&[Type], Type)> {
        match &self.data[ty] {
            TypeData::Map { domain, range } => Some((domain, *range)),
            _ => None,
        }
    }

    /// All types, components first.
    pub fn iter(&self) -> impl Iterator<Item = (Type, &TypeData)> {
        self.data.iter()
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Never: `bool`, `int` and `real` are always there.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_types_are_equal_ids() {
        let mut types = Types::default();
        let heap = types.map([Type::INT, Type::INT], Type::BOOL);
        let nested = types.map([Type::INT], heap);
        assert_eq!(types.map([Type::INT, Type::INT], Type::BOOL), heap);
        assert_ne!(heap, nested);
        assert_eq!(types.as_map(nested), Some((&[Type::INT][..], heap)));
        let byte = types.bit_vector(8);
        assert_eq!((types.width(byte), types.width(Type::INT)), (Some(8), None));
    }
}
