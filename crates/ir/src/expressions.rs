//! Expressions: one arena for the whole program.
//!
//! Invariant: the children of an expression have smaller ids than the expression itself. So a loop over
//! ids in ascending order sees children first, every traversal can use an explicit stack, and no depth of
//! nesting in the source can overflow the host's stack. Sub-expressions may be shared.
//!
//! Operators are overloaded over `int` and `real` where Boogie's are; the operand types tell which one is
//! meant, and both operands always have the same type (front ends insert coercions).

use crate::program::{Attribute, Function, Variable};
use crate::types::Type;
use base::{PrimaryMap, Span};
use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;

base::id!(
    /// An expression in the arena of its program.
    Expr,
    "e"
);

/// Prefix operators and coercions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-` on `int` or `real`
    Negate,
    /// `real(x)`
    IntToReal,
    /// `int(x)`, rounding towards minus infinity as SMT-LIB's `to_int`
    RealToInt,
}

/// Infix operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `<==>`
    Iff,
    /// `==>`
    Implies,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `==` at any type
    Equal,
    /// `!=` at any type
    NotEqual,
    /// `<` on `int` or `real`
    Less,
    /// `<=` on `int` or `real`
    LessEqual,
    /// `>` on `int` or `real`
    Greater,
    /// `>=` on `int` or `real`
    GreaterEqual,
    /// `+` on `int` or `real`
    Add,
    /// `-` on `int` or `real`
    Subtract,
    /// `*` on `int` or `real`
    Multiply,
    /// `div`, Euclidean, on `int`
    IntDivide,
    /// `mod`, Euclidean and never negative, on `int`
    Modulo,
    /// `/` on `real`
    RealDivide,
    /// `++` on bit-vectors: the left operand gives the high bits
    Concat,
}

/// Which quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum QuantifierKind {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
}

/// A quantified formula.
#[derive(Clone, PartialEq, Debug)]
pub struct Quantifier {
    /// Which quantifier.
    pub kind: QuantifierKind,
    /// The bound variables; each belongs to this quantifier alone.
    pub bound: Vec<Variable>,
    /// Each trigger is a list of expressions that must all be matched.
    pub triggers: Vec<Vec<Expr>>,
    /// `{:nopats …}` and the like.
    pub attributes: Vec<Attribute>,
    /// The quantified formula.
    pub body: Expr,
}

/// What an expression is made of.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprData {
    /// `true` or `false`
    Bool(bool),
    /// An integer literal; negative ones are allowed and print with a minus sign.
    Int(BigInt),
    /// A decimal literal.
    Real(Ratio<BigInt>),
    /// `5bv8`; the value is smaller than 2^width.
    BitVec {
        /// The value, read without sign.
        value: BigUint,
        /// The width.
        width: u32,
    },
    /// The value of a variable or constant.
    Variable(Variable),
    /// The value of a global variable at the entry of the procedure.
    Old(Variable),
    /// A function applied to its arguments.
    Apply(Function, Box<[Expr]>),
    /// A prefix operator or a coercion.
    Unary(UnaryOp, Expr),
    /// An infix operator.
    Binary(BinaryOp, Expr, Expr),
    /// `if condition then … else …`
    Ite(Expr, Expr, Expr),
    /// `map[arguments]`
    Select(Expr, Box<[Expr]>),
    /// `map[arguments := value]`
    Store(Expr, Box<[Expr]>, Expr),
    /// `operand[high:low]`: the bits from `low` (with) to `high` (without).
    Extract {
        /// The bit-vector.
        operand: Expr,
        /// Behind the highest bit.
        high: u32,
        /// The lowest bit.
        low: u32,
    },
    /// `forall` or `exists`
    Quantified(Box<Quantifier>),
}

impl ExprData {
    /// Replaces the children, those of triggers included.
    pub fn map_children(&mut self, f: impl Fn(Expr) -> Expr) {
        let change = |child: &mut Expr| *child = f(*child);
        match self {
            ExprData::Bool(_)
            | ExprData::Int(_)
            | ExprData::Real(_)
            | ExprData::BitVec { .. }
            | ExprData::Variable(_)
            | ExprData::Old(_) => {}
            ExprData::Apply(_, arguments) => arguments.iter_mut().for_each(change),
            ExprData::Unary(_, operand) | ExprData::Extract { operand, .. } => change(operand),
            ExprData::Binary(_, left, right) => [left, right].into_iter().for_each(change),
            ExprData::Ite(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(change);
            }
            ExprData::Select(map, arguments) => std::iter::once(map).chain(arguments).for_each(change),
            ExprData::Store(map, arguments, value) => {
                std::iter::once(map).chain(arguments).chain([value]).for_each(change);
            }
            ExprData::Quantified(quantifier) => {
                let terms = quantifier.triggers.iter_mut().flatten();
                terms.chain([&mut quantifier.body]).for_each(change);
            }
        }
    }
}

/// An expression with its type and place.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// What it is made of.
    pub data: ExprData,
    /// Its type.
    pub ty: Type,
    /// Where it stands in the source.
    pub span: Span,
}

/// The arena of all expressions of a program.
#[derive(Clone, Default, Debug)]
pub struct Expressions {
    nodes: PrimaryMap<Expr, Node>,
}

impl std::ops::Index<Expr> for Expressions {
    type Output = ExprData;

    fn index(&self, expr: Expr) -> &ExprData {
        &self.nodes[expr].data
    }
}

impl Expressions {
    /// Adds an expression without checking it. The constructors of [`build`](crate::build) are safer.
    pub fn push(&mut self, data: ExprData, ty: Type, span: Span) -> Expr {
        self.nodes.push(Node { data, ty, span })
    }

    /// The type of an expression.
    pub fn ty(&self, expr: Expr) -> Type {
        self.nodes[expr].ty
    }

    /// The place of an expression.
    pub fn span(&self, expr: Expr) -> Span {
        self.nodes[expr].span
    }

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All expressions, children before parents.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Expr, &Node)> {
        self.nodes.iter()
    }

    /// Calls `f` on the children of an expression, left to right; trigger terms come before the body.
    pub fn for_each_child(&self, expr: Expr, mut f: impl FnMut(Expr)) {
        match &self.nodes[expr].data {
            ExprData::Bool(_)
            | ExprData::Int(_)
            | ExprData::Real(_)
            | ExprData::BitVec { .. }
            | ExprData::Variable(_)
            | ExprData::Old(_) => {}
            ExprData::Apply(_, arguments) => arguments.iter().copied().for_each(f),
            ExprData::Unary(_, operand) | ExprData::Extract { operand, .. } => f(*operand),
            ExprData::Binary(_, left, right) => {
                f(*left);
                f(*right);
            }
            ExprData::Ite(condition, then, otherwise) => {
                f(*condition);
                f(*then);
                f(*otherwise);
            }
            ExprData::Select(map, arguments) => {
                f(*map);
                arguments.iter().copied().for_each(f);
            }
            ExprData::Store(map, arguments, value) => {
                f(*map);
                arguments.iter().copied().for_each(&mut f);
                f(*value);
            }
            ExprData::Quantified(quantifier) => {
                quantifier.triggers.iter().flatten().copied().for_each(&mut f);
                f(quantifier.body);
            }
        }
    }

    /// All expressions below `roots`, roots included, each once, children before parents. Terms that occur
    /// only in triggers are included. Linear in the size of the result, with an explicit stack.
    pub fn post_order(&self, roots: impl IntoIterator<Item = Expr>) -> Vec<Expr> {
        let mut seen = base::EntitySet::new();
        let mut stack: Vec<Expr> = Vec::new();
        let mut order = Vec::new();
        for root in roots {
            stack.push(root);
            while let Some(expr) = stack.pop() {
                if seen.insert(expr) {
                    order.push(expr);
                    self.for_each_child(expr, |child| stack.push(child));
                }
            }
        }
        // Children have smaller ids, so sorting by id is a topological order.
        order.sort_unstable();
        order
    }
}
