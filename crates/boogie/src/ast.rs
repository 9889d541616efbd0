//! The syntax tree: what was written, before names and types mean anything.
//!
//! Expressions, types and statements live in arenas, children before parents, so no traversal needs the
//! host's stack and dropping a tree costs no recursion. Two things are decided while parsing because they
//! depend on what stands around an expression: which quantifier binds a name, and whether a name stands
//! inside `old`.

use crate::symbols::{Symbol, Symbols};
use base::{PrimaryMap, Span};

base::id!(
    /// An expression.
    ExprId,
    "expr"
);
base::id!(
    /// A type expression.
    TypeId,
    "type"
);
base::id!(
    /// A statement.
    StatementId,
    "statement"
);
base::id!(
    /// A variable of a quantifier or lambda.
    BinderId,
    "binder"
);

/// A name with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name.
    pub symbol: Symbol,
    /// Its place.
    pub span: Span,
}

/// `{:name arguments}`
#[derive(Clone, PartialEq, Debug)]
pub struct Attribute {
    /// The name behind the colon.
    pub name: Ident,
    /// What follows the name.
    pub arguments: Vec<AttributeArgument>,
}

/// An argument of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttributeArgument {
    /// A string; the place includes the quotes.
    Text(Span),
    /// An expression.
    Expr(ExprId),
}

/// A type expression with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeNode {
    /// What it is made of.
    pub kind: TypeKind,
    /// Its place.
    pub span: Span,
}

/// What a type expression is made of.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    /// `int`
    Int,
    /// `bool`
    Bool,
    /// `real`
    Real,
    /// A name applied to arguments: a constructor, a synonym, a type variable, `bvN`, `floatNeM`.
    Named(Symbol, Box<[TypeId]>),
    /// `<variables>[domain]range`
    Map {
        /// The type variables of a polymorphic map.
        variables: Box<[Ident]>,
        /// The argument types.
        domain: Box<[TypeId]>,
        /// The result type.
        range: TypeId,
    },
    /// `{ f, g: T, … }`, as one other tool has it.
    Struct(Box<[(Ident, TypeId)]>),
}

/// Prefix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Negate,
}

/// Infix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `<==>`
    Iff,
    /// `==>`
    Implies,
    /// `<==`
    Explies,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `<:`
    Extends,
    /// `++`
    Concat,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `div`
    Div,
    /// `mod`
    Mod,
    /// `/`
    Slash,
    /// `%`
    Percent,
    /// `**`
    Power,
}

impl BinaryOp {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Iff => "<==>",
            BinaryOp::Implies => "==>",
            BinaryOp::Explies => "<==",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Extends => "<:",
            BinaryOp::Concat => "++",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Div => "div",
            BinaryOp::Mod => "mod",
            BinaryOp::Slash => "/",
            BinaryOp::Percent => "%",
            BinaryOp::Power => "**",
        }
    }
}

/// Which binding construct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BindingKind {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `lambda`
    Lambda,
}

/// A variable of a quantifier, a lambda or a `let`.
#[derive(Clone, PartialEq, Debug)]
pub struct Binder {
    /// Its name.
    pub name: Ident,
    /// Its type; a name of a `let` has that of its value.
    pub ty: Option<TypeId>,
}

/// `(var names := values; body)`
#[derive(Clone, PartialEq, Debug)]
pub struct LetBinding {
    /// The names.
    pub binders: Vec<BinderId>,
    /// As many values.
    pub values: Vec<ExprId>,
    /// The body.
    pub body: ExprId,
}

/// `(forall<variables> binders :: triggers attributes body)`
#[derive(Clone, PartialEq, Debug)]
pub struct Binding {
    /// Which construct.
    pub kind: BindingKind,
    /// The type variables.
    pub variables: Vec<Ident>,
    /// The bound variables.
    pub binders: Vec<BinderId>,
    /// The triggers.
    pub triggers: Vec<Vec<ExprId>>,
    /// The attributes.
    pub attributes: Vec<Attribute>,
    /// The body.
    pub body: ExprId,
}

/// An expression with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is made of.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
}

/// What an expression is made of. Literals are read from the source when they are needed.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// `true` or `false`
    Bool(bool),
    /// A natural number.
    Natural,
    /// A decimal number.
    Decimal,
    /// `5bv8`
    BitVector,
    /// A floating-point literal.
    Float,
    /// A name that no quantifier binds.
    Name {
        /// The name.
        symbol: Symbol,
        /// Whether it stands inside `old`.
        old: bool,
    },
    /// A name that a quantifier binds.
    Bound(BinderId),
    /// `function(arguments)`
    Apply(Ident, Box<[ExprId]>),
    /// A prefix operator.
    Unary(UnaryOp, ExprId),
    /// An infix operator.
    Binary(BinaryOp, ExprId, ExprId),
    /// `if … then … else …`
    If(ExprId, ExprId, ExprId),
    /// `map[arguments]`
    Select(ExprId, Box<[ExprId]>),
    /// `map[arguments := value]`
    Store(ExprId, Box<[ExprId]>, ExprId),
    /// `operand[high:low]`, with the places of the two numbers.
    Extract(ExprId, Span, Span),
    /// `old(operand)`
    Old(ExprId),
    /// `int(operand)`
    ToInt(ExprId),
    /// `real(operand)`
    ToReal(ExprId),
    /// `operand: type`
    Typed(ExprId, TypeId),
    /// `operand!field`
    Field(ExprId, Ident),
    /// `{ field: value, … }`
    Struct(Box<[(Ident, ExprId)]>),
    /// `operand is constructor`
    Is(ExprId, Ident),
    /// `operand->field`
    Arrow(ExprId, Ident),
    /// `operand->(field := value)`
    ArrowUpdate(ExprId, Ident, ExprId),
    /// A quantifier or lambda.
    Binding(Box<Binding>),
    /// `(var names := values; body)`
    Let(Box<LetBinding>),
    /// `*` as an argument of a call.
    Wildcard,
}

/// A statement with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Its place; of structured statements, that of the head.
    pub span: Span,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
}

/// A list of statements.
pub type StatementList = Box<[StatementId]>;

/// What a statement does.
#[derive(Clone, PartialEq, Debug)]
pub enum StatementKind {
    /// `label:`
    Label(Symbol),
    /// `assert condition;`
    Assert(ExprId),
    /// `assume condition;`
    Assume(ExprId),
    /// `havoc names;`
    Havoc(Box<[Ident]>),
    /// `targets := values;`
    Assign(Box<[Target]>, Box<[ExprId]>),
    /// `constructor(targets) := value;`
    Unpack(Ident, Box<[Ident]>, ExprId),
    /// `call results := procedure(arguments);`
    Call(Box<Call>),
    /// `par call … | call …;`
    Parallel(Box<[Call]>),
    /// `if (condition) … else …`
    If {
        /// The condition; nothing for `*`.
        condition: Option<ExprId>,
        /// Taken if it holds.
        then: StatementList,
        /// Taken if it does not hold.
        otherwise: Option<StatementList>,
    },
    /// `while (condition) invariants …`
    While {
        /// The condition; nothing for `*`.
        condition: Option<ExprId>,
        /// The invariants.
        invariants: Box<[Clause]>,
        /// The body.
        body: StatementList,
    },
    /// `break label;`
    Break(Option<Ident>),
    /// `goto labels;`
    Goto(Box<[Ident]>),
    /// `return;`
    Return,
    /// `fork thread procedure(arguments);`
    Fork(Box<[ExprId]>, Ident, Box<[ExprId]>),
    /// `join thread assign results;`
    Join(Box<[ExprId]>, Box<[Ident]>),
    /// `atomic { … }`
    Atomic(StatementList),
    /// `atomic begin;` or `atomic end;`
    AtomicBoundary(ir::Boundary),
    /// `yield;`
    Yield,
}

/// The left side of an assignment.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// The variable.
    pub name: Ident,
    /// What of it is assigned, from the outside in; nothing for the whole variable.
    pub accessors: Box<[Accessor]>,
}

/// A step into a map or struct.
#[derive(Clone, PartialEq, Debug)]
pub enum Accessor {
    /// `[indices]`
    Index(Box<[ExprId]>),
    /// `!field`
    Field(Ident),
    /// `->field`
    Arrow(Ident),
}

/// How a call is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallKind {
    /// `call`
    Plain,
    /// `call forall`
    Forall,
    /// `async call` and `call async`
    Async,
}

/// `call results := procedure(arguments)`
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// How.
    pub kind: CallKind,
    /// Where the results go.
    pub results: Box<[Ident]>,
    /// The procedure.
    pub procedure: Ident,
    /// The arguments.
    pub arguments: Box<[ExprId]>,
}

/// A specification or loop invariant.
#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    /// Whether it is assumed only.
    pub free: bool,
    /// The formula.
    pub condition: ExprId,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// Its place.
    pub span: Span,
}

/// A variable declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct VariableDeclaration {
    /// The name; parameters of functions may have none.
    pub name: Option<Ident>,
    /// The type.
    pub ty: TypeId,
    /// The `where` clause.
    pub where_clause: Option<ExprId>,
    /// The attributes.
    pub attributes: Vec<Attribute>,
    /// The place.
    pub span: Span,
}

/// `name(fields)` of a datatype.
#[derive(Clone, PartialEq, Debug)]
pub struct ConstructorDeclaration {
    /// The name.
    pub name: Ident,
    /// The fields.
    pub fields: Vec<VariableDeclaration>,
}

/// `type name parameters = definition;` or `datatype name<parameters> { constructors }`
#[derive(Clone, PartialEq, Debug)]
pub struct TypeDeclaration {
    /// The name.
    pub name: Ident,
    /// The type parameters; those of a constructor may be `_`.
    pub parameters: Vec<Ident>,
    /// What a synonym stands for.
    pub definition: Option<TypeId>,
    /// The constructors of a datatype.
    pub constructors: Option<Vec<ConstructorDeclaration>>,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

/// `extends unique a, b complete`
#[derive(Clone, PartialEq, Debug)]
pub struct Order {
    /// All direct parents, if they are listed.
    pub parents: Option<Vec<Parent>>,
    /// Whether the children that are declared are all there are.
    pub complete: bool,
    /// The place.
    pub span: Span,
}

/// A direct parent in the partial order of constants.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parent {
    /// The constant.
    pub name: Ident,
    /// Whether what is below is apart from what is below other such children.
    pub unique: bool,
}

/// `const unique names: type;`
#[derive(Clone, PartialEq, Debug)]
pub struct ConstantDeclaration {
    /// The names.
    pub names: Vec<Ident>,
    /// Whether they differ from all other unique constants of the type.
    pub unique: bool,
    /// The type.
    pub ty: TypeId,
    /// The place in the partial order of constants, if it is given.
    pub order: Option<Order>,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

/// `function name<variables>(parameters) returns (result) { body }`
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionDeclaration {
    /// The name.
    pub name: Ident,
    /// The type variables.
    pub variables: Vec<Ident>,
    /// The parameters.
    pub parameters: Vec<VariableDeclaration>,
    /// The result.
    pub result: VariableDeclaration,
    /// The definition.
    pub body: Option<ExprId>,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

/// What procedures and implementations have in common.
#[derive(Clone, PartialEq, Debug)]
pub struct Signature {
    /// The name.
    pub name: Ident,
    /// The type variables.
    pub variables: Vec<Ident>,
    /// The parameters.
    pub parameters: Vec<VariableDeclaration>,
    /// The results.
    pub results: Vec<VariableDeclaration>,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

/// `{ locals statements }`
#[derive(Clone, PartialEq, Debug)]
pub struct Body {
    /// The local variables.
    pub locals: Vec<VariableDeclaration>,
    /// The statements.
    pub statements: StatementList,
    /// The closing brace.
    pub end: Span,
}

/// `procedure …`
#[derive(Clone, PartialEq, Debug)]
pub struct ProcedureDeclaration {
    /// Name, parameters and results.
    pub signature: Signature,
    /// Preconditions.
    pub requires: Vec<Clause>,
    /// Postconditions.
    pub ensures: Vec<Clause>,
    /// The global variables that may change.
    pub modifies: Vec<Ident>,
    /// The body.
    pub body: Option<Body>,
}

/// A declaration.
#[derive(Clone, PartialEq, Debug)]
pub enum Declaration {
    /// `type`
    Type(TypeDeclaration),
    /// `const`
    Constant(ConstantDeclaration),
    /// `function`
    Function(FunctionDeclaration),
    /// `axiom`
    Axiom(Clause),
    /// `var`, one per name.
    Variable(VariableDeclaration),
    /// `procedure`
    Procedure(ProcedureDeclaration),
    /// `implementation`
    Implementation(Signature, Body),
}

/// A whole program, of one file or of several.
#[derive(Debug)]
pub struct Ast<'a> {
    /// The files with their texts; at least one.
    pub files: Vec<(base::FileId, &'a str)>,
    /// The names.
    pub symbols: Symbols<'a>,
    /// The expressions.
    pub exprs: PrimaryMap<ExprId, Expr>,
    /// The types.
    pub types: PrimaryMap<TypeId, TypeNode>,
    /// The statements.
    pub statements: PrimaryMap<StatementId, Statement>,
    /// The bound variables.
    pub binders: PrimaryMap<BinderId, Binder>,
    /// The declarations, in order.
    pub declarations: Vec<Declaration>,
}

impl<'a> Ast<'a> {
    /// The source text of a place.
    pub fn text(&self, span: Span) -> &'a str {
        let text = self.files.iter().find(|(file, _)| *file == span.file).map_or("", |(_, text)| text);
        &text[span.start as usize..span.end as usize]
    }

    /// A name as it was written.
    pub fn name(&self, symbol: Symbol) -> &'a str {
        self.symbols[symbol]
    }
}
