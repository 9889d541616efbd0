//! The typing rules of expressions, used to build them and to check them.

use crate::builtin::Builtin;
use crate::expressions::{BinaryOp, Expr, ExprData, UnaryOp};
use crate::program::{Meaning, Program};
use crate::types::{Type, TypeData, Types};
use std::fmt;

/// Why an expression has no type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeError {
    /// The operand has a type on which the operation is not defined.
    Operand(Expr),
    /// The two operands must have the same type and do not.
    Mismatch(Expr, Expr),
    /// The number of arguments is wrong.
    Arity {
        /// How many there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A bit-vector literal does not fit its width.
    LiteralTooWide,
    /// Not `0 <= low <= high <= width`.
    BitRange,
    /// `old` stands at something that is not a global variable.
    OldOfNonGlobal,
    /// A quantifier binds nothing.
    BindsNothing,
    /// The signature of a builtin function does not fit the operation.
    BuiltinSignature,
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeError::Operand(operand) => write!(f, "the operation is not defined on the type of {operand}"),
            TypeError::Mismatch(left, right) => write!(f, "{left} and {right} must have the same type"),
            TypeError::Arity { expected, found } => {
                write!(f, "{expected} arguments are expected, {found} are given")
            }
            TypeError::LiteralTooWide => f.write_str("the literal does not fit its width"),
            TypeError::BitRange => f.write_str("the bit range is not within the bit-vector"),
            TypeError::OldOfNonGlobal => {
                f.write_str("`old` stands at something that is not a global variable")
            }
            TypeError::BindsNothing => f.write_str("the quantifier binds nothing"),
            TypeError::BuiltinSignature => f.write_str("the signature does not fit the builtin operation"),
        }
    }
}

impl std::error::Error for TypeError {}

/// A type that need not be interned yet, so that checking leaves the program alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Typed {
    /// An interned type.
    Is(Type),
    /// A bit-vector type that an operation has made.
    BitVec(u32),
}

impl Typed {
    /// Whether this is the type.
    pub fn matches(self, types: &Types, ty: Type) -> bool {
        match self {
            Typed::Is(own) => own == ty,
            Typed::BitVec(width) => types[ty] == TypeData::BitVec(width),
        }
    }

    /// The id of the type.
    pub fn intern(self, types: &mut Types) -> Type {
        match self {
            Typed::Is(ty) => ty,
            Typed::BitVec(width) => types.bit_vector(width),
        }
    }
}

impl Program {
    /// The type that an expression of this shape has. Costs as much as it has children.
    pub fn type_of(&self, data: &ExprData) -> Result<Typed, TypeError> {
        let bool = Ok(Typed::Is(Type::BOOL));
        match data {
            ExprData::Bool(_) => bool,
            ExprData::Int(_) => Ok(Typed::Is(Type::INT)),
            ExprData::Real(_) => Ok(Typed::Is(Type::REAL)),
            ExprData::BitVec { value, width } if value.bits() > u64::from(*width) => {
                Err(TypeError::LiteralTooWide)
            }
            ExprData::BitVec { width, .. } => Ok(Typed::BitVec(*width)),
            ExprData::Variable(variable) => Ok(Typed::Is(self.variables[*variable].ty)),
            ExprData::Old(variable) => match self.variables[*variable].kind {
                crate::VariableKind::Global => Ok(Typed::Is(self.variables[*variable].ty)),
                _ => Err(TypeError::OldOfNonGlobal),
            },
            ExprData::Apply(function, arguments) => {
                let function = &self.functions[*function];
                let domain = function.parameters.iter().map(|parameter| self.variables[*parameter].ty);
                self.expect_all(arguments, domain)?;
                Ok(Typed::Is(function.result))
            }
            ExprData::Unary(op, operand) => self.type_of_unary(*op, *operand),
            ExprData::Binary(op, left, right) => self.type_of_binary(*op, *left, *right),
            ExprData::Ite(condition, then, otherwise) => {
                self.expect(*condition, Type::BOOL)?;
                self.same(*then, *otherwise).map(Typed::Is)
            }
            ExprData::Select(map, arguments) => self.range_at(*map, arguments).map(Typed::Is),
            ExprData::Store(map, arguments, value) => {
                let range = self.range_at(*map, arguments)?;
                self.expect(*value, range)?;
                Ok(Typed::Is(self.ty(*map)))
            }
            ExprData::Extract { operand, high, low } => {
                let width = self.width(*operand)?;
                if low <= high && *high <= width {
                    Ok(Typed::BitVec(high - low))
                } else {
                    Err(TypeError::BitRange)
                }
            }
            ExprData::Quantified(quantifier) => {
                self.expect(quantifier.body, Type::BOOL)?;
                if quantifier.bound.is_empty() { Err(TypeError::BindsNothing) } else { bool }
            }
        }
    }

    fn type_of_unary(&self, op: UnaryOp, operand: Expr) -> Result<Typed, TypeError> {
        let ty = self.ty(operand);
        let result = match (op, ty) {
            (UnaryOp::Not, Type::BOOL) => Type::BOOL,
            (UnaryOp::Negate, Type::INT | Type::REAL) => ty,
            (UnaryOp::IntToReal, Type::INT) => Type::REAL,
            (UnaryOp::RealToInt, Type::REAL) => Type::INT,
            _ => return Err(TypeError::Operand(operand)),
        };
        Ok(Typed::Is(result))
    }

    fn type_of_binary(&self, op: BinaryOp, left: Expr, right: Expr) -> Result<Typed, TypeError> {
        if op == BinaryOp::Concat {
            let (high, low) = (self.width(left)?, self.width(right)?);
            return high.checked_add(low).map(Typed::BitVec).ok_or(TypeError::BitRange);
        }
        let ty = self.same(left, right)?;
        let result = match op {
            BinaryOp::Iff | BinaryOp::Implies | BinaryOp::And | BinaryOp::Or if ty == Type::BOOL => ty,
            BinaryOp::Equal | BinaryOp::NotEqual => Type::BOOL,
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual
                if ty == Type::INT || ty == Type::REAL =>
            {
                Type::BOOL
            }
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply
                if ty == Type::INT || ty == Type::REAL =>
            {
                ty
            }
            BinaryOp::IntDivide | BinaryOp::Modulo if ty == Type::INT => ty,
            BinaryOp::RealDivide if ty == Type::REAL => ty,
            _ => return Err(TypeError::Operand(left)),
        };
        Ok(Typed::Is(result))
    }

    fn range_at(&self, map: Expr, arguments: &[Expr]) -> Result<Type, TypeError> {
        let (domain, range) = self.types.as_map(self.ty(map)).ok_or(TypeError::Operand(map))?;
        self.expect_all(arguments, domain.iter().copied())?;
        Ok(range)
    }

    fn expect(&self, expr: Expr, ty: Type) -> Result<(), TypeError> {
        if self.ty(expr) == ty { Ok(()) } else { Err(TypeError::Operand(expr)) }
    }

    fn expect_all(
        &self,
        arguments: &[Expr],
        types: impl ExactSizeIterator<Item = Type>,
    ) -> Result<(), TypeError> {
        if arguments.len() != types.len() {
            return Err(TypeError::Arity { expected: types.len(), found: arguments.len() });
        }
        arguments.iter().zip(types).try_for_each(|(&argument, ty)| self.expect(argument, ty))
    }

    fn same(&self, left: Expr, right: Expr) -> Result<Type, TypeError> {
        let ty = self.ty(left);
        if ty == self.ty(right) { Ok(ty) } else { Err(TypeError::Mismatch(left, right)) }
    }

    fn width(&self, expr: Expr) -> Result<u32, TypeError> {
        self.types.width(self.ty(expr)).ok_or(TypeError::Operand(expr))
    }

    /// Whether a builtin fits a signature.
    pub fn check_builtin(&self, builtin: Builtin, domain: &[Type], result: Type) -> Result<(), TypeError> {
        let width = |ty: Type| self.types.width(ty);
        let fits = match (builtin, domain) {
            (Builtin::BitVecBinary(_), [left, right]) => {
                left == right && width(*left).is_some() && result == *left
            }
            (Builtin::BitVecUnary(_), [operand]) => width(*operand).is_some() && result == *operand,
            (Builtin::BitVecCompare(_), [left, right]) => {
                left == right && width(*left).is_some() && result == Type::BOOL
            }
            (Builtin::ZeroExtend(by) | Builtin::SignExtend(by), [operand]) => {
                width(*operand).is_some_and(|from| from.checked_add(by) == width(result))
            }
            (Builtin::RotateLeft(_) | Builtin::RotateRight(_), [operand]) => {
                width(*operand).is_some() && result == *operand
            }
            (Builtin::UnsignedToInt | Builtin::SignedToInt, [operand]) => {
                width(*operand).is_some() && result == Type::INT
            }
            (Builtin::IntToBitVec(to), [Type::INT]) => width(result) == Some(to),
            (Builtin::Float(operation), _) => {
                let shape = operation.shape();
                let arguments = shape.arguments.into_iter().map(Some);
                let fits = match shape.result {
                    Some(to) => width(result) == Some(to),
                    None => result == Type::BOOL,
                };
                fits && domain.iter().map(|&ty| width(ty)).eq(arguments)
            }
            (Builtin::ConstantMap, [value]) => {
                self.types.as_map(result).is_some_and(|(_, range)| range == *value)
            }
            _ => false,
        };
        if fits { Ok(()) } else { Err(TypeError::BuiltinSignature) }
    }

    /// Whether a function that is a builtin has a fitting signature; others have nothing to check.
    pub fn check_builtin_function(&self, function: crate::Function) -> Result<(), TypeError> {
        let data = &self.functions[function];
        let Meaning::Builtin(builtin) = data.meaning else { return Ok(()) };
        let domain: Vec<Type> =
            data.parameters.iter().map(|&parameter| self.variables[parameter].ty).collect();
        self.check_builtin(builtin, &domain, data.result)
    }
}
