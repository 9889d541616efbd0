//! C types: interned, so that equal types are equal ids, with the tables of structs, unions and enums.
//!
//! Qualifiers are not part of types: nothing below asks whether an object is `const`, and `volatile` objects are
//! ordinary memory here, as in the programs that this front end is made for.

use crate::options::DataModel;
use crate::symbols::Symbol;
use crate::tree::VarId;
use base::PrimaryMap;
use float::Format;
use rustc_hash::FxHashMap;

base::id!(
    /// A type.
    TypeId, "ty");
base::id!(
    /// A struct or union.
    RecordId, "record");
base::id!(
    /// An enumeration.
    EnumId, "enum");

/// Integer types, in the order of their rank, each signed one before its unsigned twin.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum IntKind {
    /// `_Bool`
    Bool,
    /// `char`, which is signed
    Char,
    /// `signed char`
    SignedChar,
    /// `unsigned char`
    UnsignedChar,
    /// `short`
    Short,
    /// `unsigned short`
    UnsignedShort,
    /// `int`
    Int,
    /// `unsigned int`
    UnsignedInt,
    /// `long`
    Long,
    /// `unsigned long`
    UnsignedLong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    UnsignedLongLong,
    /// `__int128`
    Int128,
    /// `unsigned __int128`
    UnsignedInt128,
}

impl IntKind {
    /// Whether values may be negative.
    pub fn is_signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SignedChar | Short | Int | Long | LongLong | Int128)
    }

    /// Whether values are mostly characters.
    pub fn is_character(self) -> bool {
        matches!(self, IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar)
    }

    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | SignedChar => UnsignedChar,
            Short => UnsignedShort,
            Int => UnsignedInt,
            Long => UnsignedLong,
            LongLong => UnsignedLongLong,
            Int128 => UnsignedInt128,
            other => other,
        }
    }

    /// The conversion rank (C11 6.3.1.1).
    pub fn rank(self) -> u8 {
        use IntKind::*;
        match self {
            Bool => 0,
            Char | SignedChar | UnsignedChar => 1,
            Short | UnsignedShort => 2,
            Int | UnsignedInt => 3,
            Long | UnsignedLong => 4,
            LongLong | UnsignedLongLong => 5,
            Int128 | UnsignedInt128 => 6,
        }
    }

    /// The size in bytes.
    pub fn size(self, model: DataModel) -> u64 {
        match self.rank() {
            0 | 1 => 1,
            2 => 2,
            3 => 4,
            4 => match model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 8,
            },
            5 => 8,
            _ => 16,
        }
    }

    /// The number of value bits and the sign bit; 1 for `_Bool`.
    pub fn width(self, model: DataModel) -> u32 {
        if self == IntKind::Bool { 1 } else { self.size(model) as u32 * 8 }
    }

    /// The name as in C.
    pub fn name(self) -> &'static str {
        use IntKind::*;
        match self {
            Bool => "_Bool",
            Char => "char",
            SignedChar => "signed char",
            UnsignedChar => "unsigned char",
            Short => "short",
            UnsignedShort => "unsigned short",
            Int => "int",
            UnsignedInt => "unsigned int",
            Long => "long",
            UnsignedLong => "unsigned long",
            LongLong => "long long",
            UnsignedLongLong => "unsigned long long",
            Int128 => "__int128",
            UnsignedInt128 => "unsigned __int128",
        }
    }
}

/// Floating types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatKind {
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`
    LongDouble,
    /// `_Float128`
    Float128,
}

impl FloatKind {
    /// The format of its numbers.
    pub fn format(self) -> Format {
        match self {
            FloatKind::Float => Format::SINGLE,
            FloatKind::Double => Format::DOUBLE,
            FloatKind::LongDouble => Format::EXTENDED,
            FloatKind::Float128 => Format::QUADRUPLE,
        }
    }
}

/// The length of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Length {
    /// A constant.
    Known(u64),
    /// Not given: an incomplete type, or a flexible array member.
    Unknown,
    /// The value of a hidden variable that was set where the type was declared.
    Variable(VarId),
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// The result.
    pub result: TypeId,
    /// The parameters after adjustment.
    pub parameters: Vec<TypeId>,
    /// Whether more arguments may follow.
    pub variadic: bool,
    /// Whether nothing is known about the parameters: arguments are promoted and not checked.
    pub unspecified: bool,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`
    Void,
    /// An integer type.
    Int(IntKind),
    /// A floating type.
    Float(FloatKind),
    /// `va_list`
    VaList,
    /// A pointer.
    Pointer(TypeId),
    /// An array.
    Array(TypeId, Length),
    /// A function.
    Function(Box<FunctionType>),
    /// A struct or union.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
}

/// A struct or union.
pub struct Record {
    /// Its tag.
    pub tag: Option<Symbol>,
    /// Whether it is a union.
    pub is_union: bool,
    /// Its members and size, once it is complete.
    pub layout: Option<Layout>,
}

/// How the tags of the structs begin that complex numbers are; no program can spell them. A point stands for a blank.
pub const COMPLEX: &str = "_Complex.";

/// The members of a struct or union.
#[derive(PartialEq, Eq)]
pub struct Layout {
    /// The members in order.
    pub fields: Vec<Field>,
    /// The size in bytes.
    pub size: u64,
    /// The alignment in bytes.
    pub align: u64,
}

/// A member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name; none for anonymous structs and unions.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: TypeId,
    /// Its offset in bits; a multiple of 8 unless it is a bit-field.
    pub bit_offset: u64,
    /// The width of a bit-field.
    pub width: Option<u32>,
    /// Its alignment in bytes.
    pub align: u64,
}

/// An enumeration.
pub struct Enum {
    /// Its tag.
    pub tag: Option<Symbol>,
    /// The integer type that it behaves like.
    pub kind: IntKind,
    /// Whether its constants are known.
    pub complete: bool,
}

/// All types of a program.
pub struct Types {
    data: PrimaryMap<TypeId, Type>,
    /// How many types a type is made of, one inside the other: bounds all recursion over types.
    depth: base::SecondaryMap<TypeId, u32>,
    index: FxHashMap<Type, TypeId>,
    /// The atomic versions of scalar types, which have ids of their own and are otherwise the same.
    atomic: FxHashMap<TypeId, TypeId>,
    /// The type that an atomic one is a version of.
    plain: FxHashMap<TypeId, TypeId>,
    /// Structs and unions.
    pub records: PrimaryMap<RecordId, Record>,
    /// Enumerations.
    pub enums: PrimaryMap<EnumId, Enum>,
    /// The data model.
    pub model: DataModel,
    /// `void`
    pub void: TypeId,
    /// `int`
    pub int: TypeId,
    /// `char`
    pub char: TypeId,
    /// `void *`
    pub void_pointer: TypeId,
}

impl std::ops::Index<TypeId> for Types {
    type Output = Type;

    fn index(&self, ty: TypeId) -> &Type {
        &self.data[ty]
    }
}

impl Types {
    /// The table with the basic types.
    pub fn new(model: DataModel) -> Types {
        let nothing = TypeId::from_u32(0);
        let mut types = Types {
            data: PrimaryMap::new(),
            depth: base::SecondaryMap::new(),
            index: FxHashMap::default(),
            atomic: FxHashMap::default(),
            plain: FxHashMap::default(),
            records: PrimaryMap::new(),
            enums: PrimaryMap::new(),
            model,
            void: nothing,
            int: nothing,
            char: nothing,
            void_pointer: nothing,
        };
        types.void = types.intern(Type::Void);
        types.int = types.intern(Type::Int(IntKind::Int));
        types.char = types.intern(Type::Int(IntKind::Char));
        types.void_pointer = types.pointer(types.void);
        types
    }

    /// The id of a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.index.get(&ty) {
            return id;
        }
        let below = match &ty {
            Type::Pointer(inner) | Type::Array(inner, _) => self.depth[*inner],
            Type::Function(function) => {
                let all = function.parameters.iter().chain([&function.result]);
                all.map(|&part| self.depth[part]).max().unwrap_or(0)
            }
            _ => 0,
        };
        let id = self.data.push(ty.clone());
        self.depth[id] = below + 1;
        self.index.insert(ty, id);
        id
    }

    /// The atomic version of a scalar type; other types have none.
    pub fn atomic_version(&mut self, ty: TypeId) -> TypeId {
        if !self.is_scalar(ty) || self.is_atomic(ty) {
            return ty;
        }
        if let Some(&atomic) = self.atomic.get(&ty) {
            return atomic;
        }
        let atomic = self.data.push(self.data[ty].clone());
        self.depth[atomic] = self.depth[ty];
        self.atomic.insert(ty, atomic);
        self.plain.insert(atomic, ty);
        atomic
    }

    /// Whether a scalar type is `_Atomic`.
    pub fn is_atomic(&self, ty: TypeId) -> bool {
        self.plain.contains_key(&ty)
    }

    /// The type without `_Atomic`.
    pub fn plain_version(&self, ty: TypeId) -> TypeId {
        self.plain.get(&ty).copied().unwrap_or(ty)
    }

    /// How many types a type is made of, one inside the other; structs count as one.
    pub fn depth(&self, ty: TypeId) -> u32 {
        self.depth[ty]
    }

    /// A pointer to a type.
    pub fn pointer(&mut self, to: TypeId) -> TypeId {
        self.intern(Type::Pointer(to))
    }

    /// An integer type.
    pub fn integer(&mut self, kind: IntKind) -> TypeId {
        self.intern(Type::Int(kind))
    }

    /// `size_t`
    pub fn size_kind(&self) -> IntKind {
        match self.model {
            DataModel::Ilp32 => IntKind::UnsignedInt,
            DataModel::Lp64 => IntKind::UnsignedLong,
        }
    }

    /// `ptrdiff_t`
    pub fn difference_kind(&self) -> IntKind {
        match self.model {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        }
    }

    /// The integer type that values of the type behave like.
    pub fn int_kind(&self, ty: TypeId) -> Option<IntKind> {
        match self.data[ty] {
            Type::Int(kind) => Some(kind),
            Type::Enum(id) => Some(self.enums[id].kind),
            _ => None,
        }
    }

    /// The smallest and largest value of an integer type; `None` for the largest of `unsigned __int128`,
    /// which no constant of this front end reaches.
    pub fn range(&self, kind: IntKind) -> (i128, Option<i128>) {
        let width = kind.width(self.model);
        match (kind.is_signed(), width) {
            (true, 128) => (i128::MIN, Some(i128::MAX)),
            (true, width) => (-(1i128 << (width - 1)), Some((1i128 << (width - 1)) - 1)),
            (false, 128) => (0, None),
            (false, width) => (0, Some((1i128 << width) - 1)),
        }
    }

    /// Brings a value into the range of an integer type, as conversions do; `None` if it cannot be told.
    pub fn wrap(&self, value: i128, kind: IntKind) -> Option<i128> {
        let width = kind.width(self.model);
        if kind == IntKind::Bool {
            return Some(i128::from(value != 0));
        }
        if width == 128 {
            return (kind.is_signed() || value >= 0).then_some(value);
        }
        let low = value & ((1i128 << width) - 1);
        let negative = kind.is_signed() && low >> (width - 1) != 0;
        Some(if negative { low - (1i128 << width) } else { low })
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.data[ty] {
            Type::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// The type of a function.
    pub fn function(&self, ty: TypeId) -> Option<&FunctionType> {
        match &self.data[ty] {
            Type::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Integers, enumerations and floats.
    pub fn is_arithmetic(&self, ty: TypeId) -> bool {
        matches!(self.data[ty], Type::Int(_) | Type::Enum(_) | Type::Float(_))
    }

    /// Arithmetic types and pointers.
    pub fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_arithmetic(ty) || matches!(self.data[ty], Type::Pointer(_))
    }

    /// Size and alignment in bytes inside of structs; `None` for incomplete and variable types.
    pub fn layout(&self, ty: TypeId) -> Option<(u64, u64)> {
        let word = match self.model {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        };
        Some(match &self.data[ty] {
            // GNU C lets pointers to void and functions count in bytes.
            Type::Void | Type::Function(_) => (1, 1),
            Type::Int(kind) => natural(kind.size(self.model), word),
            Type::Enum(id) => natural(self.enums[*id].kind.size(self.model), word),
            Type::Float(kind) => self.float_layout(*kind, word),
            Type::VaList => match self.model {
                DataModel::Ilp32 => (4, 4),
                DataModel::Lp64 => (24, 8),
            },
            Type::Pointer(_) => (word, word),
            Type::Array(element, Length::Known(length)) => {
                let (size, align) = self.layout(*element)?;
                (size.checked_mul(*length)?, align)
            }
            Type::Array(..) => return None,
            Type::Record(id) => {
                let layout = self.records[*id].layout.as_ref()?;
                (layout.size, layout.align)
            }
        })
    }

    /// The size of a floating type in bytes.
    pub fn float_size(&self, kind: FloatKind) -> u64 {
        self.float_layout(kind, IntKind::UnsignedLong.size(self.model)).0
    }

    fn float_layout(&self, kind: FloatKind, word: u64) -> (u64, u64) {
        match kind {
            FloatKind::Float => (4, 4),
            FloatKind::Double => (8, word),
            FloatKind::LongDouble if word == 4 => (12, 4),
            FloatKind::LongDouble | FloatKind::Float128 => (16, 16),
        }
    }

    /// All structs and unions, with their types.
    pub fn record_types(&self) -> impl Iterator<Item = (RecordId, TypeId)> + '_ {
        self.data.iter().filter_map(|(ty, data)| match data {
            Type::Record(record) => Some((*record, ty)),
            _ => None,
        })
    }

    /// The size in bytes.
    pub fn size(&self, ty: TypeId) -> Option<u64> {
        self.layout(ty).map(|(size, _)| size)
    }

    /// Whether objects of the type can exist: its size is known, at the latest when the program runs.
    pub fn is_complete(&self, ty: TypeId) -> bool {
        match self.data[ty] {
            Type::Void | Type::Function(_) | Type::Array(_, Length::Unknown) => false,
            Type::Array(element, _) => self.is_complete(element),
            Type::Record(id) => self.records[id].layout.is_some(),
            _ => true,
        }
    }

    /// Finds a member by name, also inside of anonymous members; gives the path of field numbers.
    pub fn find_field(&self, record: RecordId, name: Symbol) -> Option<Vec<u32>> {
        let layout = self.records[record].layout.as_ref()?;
        for (index, field) in layout.fields.iter().enumerate() {
            if field.name == Some(name) {
                return Some(vec![index as u32]);
            }
            if field.name.is_none()
                && let Type::Record(inner) = self.data[field.ty]
                && let Some(mut path) = self.find_field(inner, name)
            {
                path.insert(0, index as u32);
                return Some(path);
            }
        }
        None
    }

    /// A member of a complete struct or union.
    pub fn field(&self, record: RecordId, index: u32) -> Option<&Field> {
        self.records[record].layout.as_ref()?.fields.get(index as usize)
    }

    /// Whether two types are the same or may describe the same object (C11 6.2.7).
    pub fn compatible(&self, left: TypeId, right: TypeId) -> bool {
        let (left, right) = (self.plain_version(left), self.plain_version(right));
        if left == right {
            return true;
        }
        match (&self.data[left], &self.data[right]) {
            (Type::Pointer(a), Type::Pointer(b)) => self.compatible(*a, *b),
            (Type::Array(a, n), Type::Array(b, m)) => {
                let lengths = !matches!((n, m), (Length::Known(n), Length::Known(m)) if n != m);
                lengths && self.compatible(*a, *b)
            }
            (Type::Function(a), Type::Function(b)) => {
                let results = self.compatible(a.result, b.result);
                let parameters = a.unspecified
                    || b.unspecified
                    || (a.variadic == b.variadic
                        && a.parameters.len() == b.parameters.len()
                        && a.parameters.iter().zip(&b.parameters).all(|(&a, &b)| self.compatible(a, b)));
                results && parameters
            }
            (Type::Enum(a), Type::Int(kind)) | (Type::Int(kind), Type::Enum(a)) => {
                self.enums[*a].kind == *kind
            }
            // Enumerations of one tag, or without one, from different files.
            (Type::Enum(a), Type::Enum(b)) => {
                let (a, b) = (&self.enums[*a], &self.enums[*b]);
                a.tag == b.tag && a.kind == b.kind
            }
            _ => false,
        }
    }

    /// The type for people.
    pub fn show(&self, ty: TypeId, symbols: &crate::symbols::Symbols) -> String {
        match &self.data[ty] {
            Type::Void => "void".into(),
            Type::Int(kind) => kind.name().into(),
            Type::Float(FloatKind::Float) => "float".into(),
            Type::Float(FloatKind::Double) => "double".into(),
            Type::Float(FloatKind::LongDouble) => "long double".into(),
            Type::Float(FloatKind::Float128) => "_Float128".into(),
            Type::VaList => "va_list".into(),
            Type::Pointer(to) => format!("{} *", self.show(*to, symbols)),
            Type::Array(element, Length::Known(length)) => {
                format!("{}[{length}]", self.show(*element, symbols))
            }
            Type::Array(element, _) => format!("{}[]", self.show(*element, symbols)),
            Type::Function(function) => format!("function returning {}", self.show(function.result, symbols)),
            Type::Record(id) => {
                let record = &self.records[*id];
                let word = if record.is_union { "union" } else { "struct" };
                let tag = record.tag.map_or("<anonymous>", |tag| symbols.text(tag));
                if tag.starts_with(COMPLEX) {
                    return tag.replace('.', " ");
                }
                format!("{word} {tag}")
            }
            Type::Enum(id) => {
                let tag = self.enums[*id].tag.map_or("<anonymous>", |tag| symbols.text(tag));
                format!("enum {tag}")
            }
        }
    }
}

/// Size and alignment of an integer: on 32-bit Linux eight bytes are aligned to four inside of structs.
fn natural(size: u64, word: u64) -> (u64, u64) {
    (size, if size == 8 { word } else { size })
}
