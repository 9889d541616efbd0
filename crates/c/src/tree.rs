//! The typed tree: every name resolved, every conversion explicit, every type known.
//!
//! Expressions are either values or *places* (lvalues): [`ExprKind::Variable`], [`ExprKind::Deref`],
//! [`ExprKind::Member`], [`ExprKind::Index`], [`ExprKind::Text`], [`ExprKind::CompoundLiteral`] and
//! [`ExprKind::Temporary`]. A place becomes a value only under [`ExprKind::Load`] or [`ExprKind::AddressOf`].
//! Integer constants are folded while the tree is built, so a constant expression *is* an [`ExprKind::Int`].

use crate::ast::{AsmEffect, BinaryOp, LogicalOp};
use crate::symbols::Symbol;
use crate::types::{TypeId, Types};
use base::{PrimaryMap, Span};
use float::Pattern;

base::id!(
    /// A variable or parameter.
    VarId, "var");
base::id!(
    /// A function.
    FuncId, "fn");
base::id!(
    /// An expression.
    ExprId, "x");
base::id!(
    /// A statement.
    StmtId, "s");
base::id!(
    /// A string literal.
    TextId, "text");

/// A program.
pub struct Tree {
    /// Types.
    pub types: Types,
    /// Variables of all kinds.
    pub variables: PrimaryMap<VarId, Variable>,
    /// Functions.
    pub functions: PrimaryMap<FuncId, Function>,
    /// Expressions.
    pub exprs: PrimaryMap<ExprId, Expr>,
    /// Statements.
    pub stmts: PrimaryMap<StmtId, Stmt>,
    /// String literals: code units with the final zero.
    pub texts: PrimaryMap<TextId, Vec<u32>>,
    /// Which function mentions which; initialisers of static variables mention functions for nobody.
    pub mentions: Vec<(Option<FuncId>, FuncId)>,
    /// The functions that call through pointers.
    pub indirect_callers: Vec<FuncId>,
    /// The values that functions return.
    pub returns: Vec<(FuncId, ExprId)>,
    /// Variables that live as long as the program, in the order of their definitions, with initialisers.
    pub statics: Vec<VarId>,
    /// The calls of `setjmp`, by their numbers.
    pub jump_sites: Vec<JumpSite>,
    /// The labels whose addresses are used.
    pub label_addresses: Vec<(FuncId, Symbol)>,
    /// Names of types at file scope.
    pub typedefs: Vec<(Symbol, TypeId)>,
    /// Functions that run before `main`, in their order.
    pub at_start: Vec<FuncId>,
    /// Functions that run behind `main` or in `exit`, in their order.
    pub at_end: Vec<FuncId>,
    /// Whether `_Atomic` occurs.
    pub atomics: bool,
    /// A declaration of something `_Atomic` that is no scalar.
    pub atomic_record: Option<Span>,
    /// The declaration of a variable that every thread has for itself.
    pub thread_local: Option<Span>,
}

/// A call of `setjmp`.
pub struct JumpSite {
    /// The function that it stands in.
    pub function: FuncId,
    /// The expression whose value it returns, every time that it does.
    pub resumed: ExprId,
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    /// As long as the program.
    Static,
    /// As long as its block.
    Automatic,
    /// A parameter.
    Parameter,
}

/// What a declaration says about the alignment of its variable.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Alignment {
    /// By `_Alignas` or `aligned`, which only make it stricter.
    pub asked: Option<u64>,
    /// By the name of its type, which has this one instead of that of the type.
    pub named: Option<u64>,
}

/// A variable or parameter.
pub struct Variable {
    /// Its name; hidden variables have invented ones.
    pub name: Symbol,
    /// Its type.
    pub ty: TypeId,
    /// Where it lives.
    pub lifetime: Lifetime,
    /// The function it is local to.
    pub function: Option<FuncId>,
    /// Whether its address is used for more than direct access.
    pub address_taken: bool,
    /// The initialiser of a variable with static lifetime.
    pub init: Option<Init>,
    /// Whether only `extern` declarations were seen.
    pub external: bool,
    /// Whether it is `const` itself.
    pub constant: bool,
    /// Whether it is `volatile` itself; known of variables of functions only.
    pub volatile: bool,
    /// What its declaration says about its alignment.
    pub alignment: Alignment,
    /// Its declaration.
    pub span: Span,
}

/// A function.
pub struct Function {
    /// Its name.
    pub name: Symbol,
    /// Its type.
    pub ty: TypeId,
    /// The parameters of its definition.
    pub parameters: Vec<VarId>,
    /// Its body.
    pub body: Option<StmtId>,
    /// Whether it has a contract.
    pub contract: bool,
    /// Whether it was made here, so that there is nothing to be checked in it.
    pub made: bool,
    /// Whether it is a model of a library function, or calls the program.
    pub library: bool,
    /// Whether it was declared not to return.
    pub noreturn: bool,
    /// How often its address is used other than for a direct call.
    pub address_uses: u32,
    /// Its declaration.
    pub span: Span,
}

/// An initialiser in its final form.
pub enum Init {
    /// The value of the whole object.
    Whole(ExprId),
    /// Values of parts, in the order of evaluation; later ones override earlier ones, all else is zero.
    Parts(Vec<(Vec<Step>, ExprId)>),
}

impl Init {
    /// All values of it.
    pub fn values(&self) -> Vec<ExprId> {
        match self {
            Init::Whole(value) => vec![*value],
            Init::Parts(parts) => parts.iter().map(|(_, value)| *value).collect(),
        }
    }
}

/// A step from an object into a part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Step {
    /// A member by its number.
    Field(u32),
    /// An array element.
    Index(u64),
}

/// An expression.
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: TypeId,
    /// Where it stands.
    pub span: Span,
}

/// Who is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A function by name.
    Direct(FuncId),
    /// Through a pointer.
    Indirect(ExprId),
}

/// The kinds of expressions.
pub enum ExprKind {
    /// An integer constant (of integer or pointer type).
    Int(i128),
    /// A floating constant: the bit pattern in the format of its type.
    Float(Pattern),
    /// Place: a variable.
    Variable(VarId),
    /// Place: what a pointer points to.
    Deref(ExprId),
    /// Place: a member of a place.
    Member(ExprId, u32),
    /// Place: an element of an array place.
    Index(ExprId, ExprId),
    /// Place: a string literal.
    Text(TextId),
    /// Place: an unnamed variable, initialised here.
    CompoundLiteral(VarId, Box<Init>),
    /// Place: holds a struct value that a call or an assignment gave.
    Temporary(ExprId),
    /// The value of a place.
    Load(ExprId),
    /// The address of a place, with the type of the expression: `T *` also for arrays of `T` that decay.
    AddressOf(ExprId),
    /// The address of a function.
    FunctionAddress(FuncId),
    /// A conversion to the type of the expression.
    Convert(ExprId),
    /// `-e`
    Negate(ExprId),
    /// `~e`
    Complement(ExprId),
    /// `!e`, an `int`
    Not(ExprId),
    /// Arithmetic on two values of one type (shifts: each of its own), or a comparison, which is an `int`.
    Binary(BinaryOp, ExprId, ExprId),
    /// Pointer plus (or minus) an integer, counted in elements.
    PointerAdd {
        /// The pointer.
        pointer: ExprId,
        /// The number of elements.
        count: ExprId,
        /// Whether it is subtracted.
        minus: bool,
    },
    /// The distance of two pointers in elements.
    PointerDifference(ExprId, ExprId),
    /// Short circuit, an `int`.
    Logical(LogicalOp, ExprId, ExprId),
    /// `a ? b : c`
    Conditional(ExprId, ExprId, ExprId),
    /// `a ?: c`: the condition is evaluated once, and converted to the result type.
    ConditionalOr(ExprId, ExprId),
    /// `a, b`
    Comma(ExprId, ExprId),
    /// Place, value. The result is the value stored.
    Assign(ExprId, ExprId),
    /// `place op= value`: computed in the type `computation`, which is also the type of `value` (except shifts).
    CompoundAssign {
        /// The operator.
        op: BinaryOp,
        /// Where the old value comes from and the new one goes to.
        place: ExprId,
        /// The right operand.
        value: ExprId,
        /// The type of the computation.
        computation: TypeId,
    },
    /// `place += count` on a pointer, counted in elements.
    PointerAssign {
        /// Where the pointer is.
        place: ExprId,
        /// The number of elements.
        count: ExprId,
        /// Whether it is subtracted.
        minus: bool,
    },
    /// `++` and `--`
    Increment {
        /// Where the number or pointer is.
        place: ExprId,
        /// Whether it counts up.
        up: bool,
        /// Whether the result is the new value.
        prefix: bool,
    },
    /// A call.
    Call(Callee, Vec<ExprId>),
    /// `({ … })`
    StatementExpr(Vec<StmtId>, Option<ExprId>),
    /// `&&label`, a label of the function
    LabelAddress(FuncId, Symbol),
}

/// A statement.
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of statements.
pub enum StmtKind {
    /// Nothing.
    Empty,
    /// An expression whose value is dropped.
    Expr(ExprId),
    /// A local variable begins to live, with its initialiser.
    Declare(VarId, Option<Init>),
    /// Statements in order.
    Block(Vec<StmtId>),
    /// `if`
    If(ExprId, StmtId, Option<StmtId>),
    /// `while`
    While(ExprId, StmtId),
    /// `do`
    DoWhile(StmtId, ExprId),
    /// `for`
    For(StmtId, Option<ExprId>, Option<ExprId>, StmtId),
    /// `switch`: the subject is promoted, the cases stand in the body.
    Switch(ExprId, StmtId),
    /// `case`, with the first and last value.
    Case(i128, i128, StmtId),
    /// `default`
    Default(StmtId),
    /// A label.
    Label(Symbol, StmtId),
    /// `goto`
    Goto(Symbol),
    /// `goto *e`
    ComputedGoto(ExprId),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return(Option<ExprId>),
    /// `asm`
    Asm(AsmEffect),
    /// An assertion of an annotation.
    Assert(ExprId),
    /// An assumption of an annotation.
    Assume(ExprId),
}

impl Tree {
    /// The direct operands of an expression.
    pub fn operands(&self, expr: ExprId) -> Vec<ExprId> {
        use ExprKind::*;
        match &self.exprs[expr].kind {
            Int(_) | Float(_) | Variable(_) | Text(_) | FunctionAddress(_) | LabelAddress(..) => Vec::new(),
            Deref(a)
            | Member(a, _)
            | Temporary(a)
            | Load(a)
            | AddressOf(a)
            | Convert(a)
            | Negate(a)
            | Complement(a)
            | Not(a) => vec![*a],
            Binary(_, a, b)
            | Index(a, b)
            | PointerDifference(a, b)
            | Logical(_, a, b)
            | ConditionalOr(a, b)
            | Comma(a, b)
            | Assign(a, b)
            | PointerAdd { pointer: a, count: b, .. }
            | CompoundAssign { place: a, value: b, .. }
            | PointerAssign { place: a, count: b, .. } => vec![*a, *b],
            Conditional(a, b, c) => vec![*a, *b, *c],
            Increment { place, .. } => vec![*place],
            Call(_, arguments) => arguments.clone(),
            CompoundLiteral(..) | StatementExpr(..) => Vec::new(),
        }
    }
}

impl ExprKind {
    /// Whether evaluating it, apart from its operands, may change something or depend on when it happens.
    pub fn has_effect(&self) -> bool {
        matches!(
            self,
            ExprKind::Assign(..)
                | ExprKind::CompoundAssign { .. }
                | ExprKind::PointerAssign { .. }
                | ExprKind::Increment { .. }
                | ExprKind::Call(..)
                | ExprKind::StatementExpr(..)
                | ExprKind::CompoundLiteral(..)
        )
    }
}
