//! Functions that are operations of the logic, known in Boogie by the attributes `builtin` and `bvbuiltin`.

use float::Operation;
use std::fmt;

/// An operation of the logic. Its `Display` is the SMT-LIB operator, or the name of the floating-point operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// Two bit-vectors of one width to a bit-vector of that width.
    BitVecBinary(BitVecBinary),
    /// A bit-vector to a bit-vector of the same width.
    BitVecUnary(BitVecUnary),
    /// Two bit-vectors of one width to `bool`.
    BitVecCompare(BitVecCompare),
    /// Prepends as many zeros.
    ZeroExtend(u32),
    /// Prepends as many copies of the highest bit.
    SignExtend(u32),
    /// Rotates towards the high end.
    RotateLeft(u32),
    /// Rotates towards the low end.
    RotateRight(u32),
    /// The value of a bit-vector without sign, as an `int`.
    UnsignedToInt,
    /// The value of a bit-vector in two's complement, as an `int`.
    SignedToInt,
    /// The lowest bits of an `int` in two's complement.
    IntToBitVec(u32),
    /// A floating-point operation on bit patterns.
    Float(Operation),
    /// The map that has one value everywhere.
    ConstantMap,
}

macro_rules! operators {
    ($(#[$attribute:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name { $($(#[$doc])* $variant),+ }

        impl $name {
            /// All operators of this kind.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The SMT-LIB name.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }
        }
    };
}

operators! {
    /// Binary operations on bit-vectors.
    BitVecBinary {
        /// Sum.
        Add = "bvadd",
        /// Difference.
        Subtract = "bvsub",
        /// Product.
        Multiply = "bvmul",
        /// Quotient without sign; all ones for a zero divisor.
        UnsignedDivide = "bvudiv",
        /// Remainder without sign; the dividend for a zero divisor.
        UnsignedRemainder = "bvurem",
        /// Quotient with sign, rounded towards zero.
        SignedDivide = "bvsdiv",
        /// Remainder with the sign of the dividend.
        SignedRemainder = "bvsrem",
        /// Remainder with the sign of the divisor.
        SignedModulo = "bvsmod",
        /// Bitwise and.
        And = "bvand",
        /// Bitwise or.
        Or = "bvor",
        /// Bitwise exclusive or.
        Xor = "bvxor",
        /// Bitwise negated and.
        Nand = "bvnand",
        /// Bitwise negated or.
        Nor = "bvnor",
        /// Bitwise equality.
        Xnor = "bvxnor",
        /// Shift to the high end.
        ShiftLeft = "bvshl",
        /// Shift to the low end, filling with zeros.
        LogicalShiftRight = "bvlshr",
        /// Shift to the low end, filling with the highest bit.
        ArithmeticShiftRight = "bvashr",
    }
}

operators! {
    /// Unary operations on bit-vectors.
    BitVecUnary {
        /// Complement.
        Not = "bvnot",
        /// Two's complement.
        Negate = "bvneg",
    }
}

operators! {
    /// Comparisons of bit-vectors.
    BitVecCompare {
        /// Less, without sign.
        UnsignedLess = "bvult",
        /// Less or equal, without sign.
        UnsignedLessEqual = "bvule",
        /// Greater, without sign.
        UnsignedGreater = "bvugt",
        /// Greater or equal, without sign.
        UnsignedGreaterEqual = "bvuge",
        /// Less, with sign.
        SignedLess = "bvslt",
        /// Less or equal, with sign.
        SignedLessEqual = "bvsle",
        /// Greater, with sign.
        SignedGreater = "bvsgt",
        /// Greater or equal, with sign.
        SignedGreaterEqual = "bvsge",
    }
}

impl Builtin {
    /// The operation of an SMT-LIB name. Indexed names may be written with or without `(_ …)`, as tools
    /// differ in this: `(_ zero_extend 8)` and `zero_extend 8`.
    pub fn parse(name: &str) -> Option<Builtin> {
        if let Some(op) = BitVecBinary::ALL.iter().find(|op| op.name() == name) {
            return Some(Builtin::BitVecBinary(*op));
        }
        if let Some(op) = BitVecUnary::ALL.iter().find(|op| op.name() == name) {
            return Some(Builtin::BitVecUnary(*op));
        }
        if let Some(op) = BitVecCompare::ALL.iter().find(|op| op.name() == name) {
            return Some(Builtin::BitVecCompare(*op));
        }
        if let Some(operation) = Operation::parse(name) {
            return Some(Builtin::Float(operation));
        }
        match name {
            "bv2nat" | "bv2int" | "ubv_to_int" => return Some(Builtin::UnsignedToInt),
            "sbv_to_int" => return Some(Builtin::SignedToInt),
            "MapConst" => return Some(Builtin::ConstantMap),
            // Tools that have one function per sort spell the sorts behind the name.
            _ if name.starts_with("const-Array-") => return Some(Builtin::ConstantMap),
            _ => {}
        }
        let name = name.strip_prefix("(_").and_then(|rest| rest.strip_suffix(')')).unwrap_or(name);
        let (operator, index) = name.trim().split_once(char::is_whitespace)?;
        let index = index.trim().parse().ok()?;
        match operator {
            "zero_extend" => Some(Builtin::ZeroExtend(index)),
            "sign_extend" => Some(Builtin::SignExtend(index)),
            "rotate_left" => Some(Builtin::RotateLeft(index)),
            "rotate_right" => Some(Builtin::RotateRight(index)),
            "int2bv" | "int_to_bv" | "nat2bv" => Some(Builtin::IntToBitVec(index)),
            _ => None,
        }
    }
}

impl fmt::Display for Builtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Builtin::BitVecBinary(op) => f.write_str(op.name()),
            Builtin::BitVecUnary(op) => f.write_str(op.name()),
            Builtin::BitVecCompare(op) => f.write_str(op.name()),
            Builtin::ZeroExtend(by) => write!(f, "(_ zero_extend {by})"),
            Builtin::SignExtend(by) => write!(f, "(_ sign_extend {by})"),
            Builtin::RotateLeft(by) => write!(f, "(_ rotate_left {by})"),
            Builtin::RotateRight(by) => write!(f, "(_ rotate_right {by})"),
            Builtin::UnsignedToInt => f.write_str("ubv_to_int"),
            Builtin::SignedToInt => f.write_str("sbv_to_int"),
            Builtin::IntToBitVec(width) => write!(f, "(_ int_to_bv {width})"),
            Builtin::Float(operation) => operation.fmt(f),
            Builtin::ConstantMap => f.write_str("MapConst"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_parses_back() {
        let mut all: Vec<Builtin> = BitVecBinary::ALL.iter().copied().map(Builtin::BitVecBinary).collect();
        all.extend(BitVecUnary::ALL.iter().copied().map(Builtin::BitVecUnary));
        all.extend(BitVecCompare::ALL.iter().copied().map(Builtin::BitVecCompare));
        all.extend([Builtin::ZeroExtend(3), Builtin::SignExtend(4), Builtin::RotateLeft(5)]);
        all.extend([Builtin::RotateRight(6), Builtin::UnsignedToInt, Builtin::SignedToInt]);
        all.extend([Builtin::IntToBitVec(7), Builtin::ConstantMap]);
        all.extend(Operation::all(float::Format::DOUBLE, 32).into_iter().map(Builtin::Float));
        for builtin in all {
            assert_eq!(Builtin::parse(&builtin.to_string()), Some(builtin));
        }
    }

    #[test]
    fn other_spellings() {
        assert_eq!(Builtin::parse("zero_extend 24"), Some(Builtin::ZeroExtend(24)));
        assert_eq!(Builtin::parse("bv2nat"), Some(Builtin::UnsignedToInt));
        assert_eq!(Builtin::parse("(_ int2bv 32)"), Some(Builtin::IntToBitVec(32)));
        assert_eq!(Builtin::parse("const-Array-Int-Int"), Some(Builtin::ConstantMap));
        assert_eq!(Builtin::parse("fp.add"), None);
        assert_eq!(Builtin::parse("zero_extend x"), None);
    }
}
