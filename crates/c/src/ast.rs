//! The syntax tree: what the parser found, before names and types are resolved.
//!
//! Nodes live in arenas and refer to each other by id, so the tree is dropped without recursion and costs little.
//! Declarators are flat: the parts of `int *(*f[3])(void)` are listed from the name outwards.

use crate::symbols::Symbol;
use base::{PrimaryMap, Span};

base::id!(
    /// An expression.
    ExprId, "e");
base::id!(
    /// A statement.
    StmtId, "st");
base::id!(
    /// Declaration specifiers: `static const struct s { … }`.
    SpecifiersId, "sp");
base::id!(
    /// A type name: `int (*)[3]` in a cast or a `sizeof`.
    TypeNameId, "tn");

/// A translation unit with its arenas.
#[derive(Default)]
pub struct Ast {
    /// Expressions.
    pub exprs: PrimaryMap<ExprId, Expr>,
    /// Statements.
    pub stmts: PrimaryMap<StmtId, Stmt>,
    /// Specifiers.
    pub specifiers: PrimaryMap<SpecifiersId, Specifiers>,
    /// Type names.
    pub type_names: PrimaryMap<TypeNameId, TypeName>,
    /// ACSL ghost code: it would have to be executed for assertions to mean what they say.
    pub ghosts: Vec<Span>,
    /// What annotations define: predicates and functions that only annotations use.
    pub logic: Vec<LogicDefinition>,
    /// Annotations of contracts that were not understood, with what they are.
    pub strange_annotations: Vec<(Span, String)>,
    /// Annotations that stand where nothing is read, as those of other tools between a function and its body.
    pub foreign_annotations: Vec<Span>,
    /// Assertions that were not understood, with why.
    pub unread_assertions: Vec<(Span, String)>,
    /// Whether pointers are assumed to point to any function that obeys a contract.
    pub obeying: bool,
    /// The closing braces of blocks.
    pub block_ends: Vec<(StmtId, Span)>,
    /// Whether `_Atomic` occurs.
    pub atomics: bool,
    /// Whether it holds models of library functions, which give way to what the program defines.
    pub models: bool,
    /// The top level, in order.
    pub items: Vec<Item>,
}

/// A `predicate` or `logic` function of ACSL.
#[derive(Clone, Debug)]
pub struct LogicDefinition {
    /// Its name.
    pub name: Symbol,
    /// Its parameters.
    pub parameters: Vec<Symbol>,
    /// What it stands for.
    pub body: ExprId,
    /// Where it is defined.
    pub span: Span,
}

/// Something at the top level.
pub enum Item {
    /// A declaration.
    Declaration(Declaration),
    /// A function with its body.
    Function(FunctionDefinition),
    /// `asm("…");`
    Asm(Span),
    /// `_Static_assert(e, "…");`
    StaticAssert(ExprId),
}

/// A function with its body.
pub struct FunctionDefinition {
    /// What stands before the declarator.
    pub specifiers: SpecifiersId,
    /// Name and parameters.
    pub declarator: Declarator,
    /// The declarations of the parameters in the old style.
    pub old_style: Vec<Declaration>,
    /// The body, a [`StmtKind::Block`].
    pub body: StmtId,
}

/// A declaration of any number of names.
#[derive(Clone)]
pub struct Declaration {
    /// What stands before the declarators.
    pub specifiers: SpecifiersId,
    /// The declared names with their initialisers.
    pub declarators: Vec<InitDeclarator>,
}

/// A declared name with its initialiser.
#[derive(Clone)]
pub struct InitDeclarator {
    /// Name and type parts.
    pub declarator: Declarator,
    /// Behind `=`.
    pub init: Option<Init>,
}

/// An initialiser.
#[derive(Clone)]
pub enum Init {
    /// An expression.
    Expr(ExprId),
    /// A list in braces.
    List(Vec<InitItem>, Span),
}

/// An element of an initialiser list.
#[derive(Clone)]
pub struct InitItem {
    /// `.x[3] =`, empty if the element is positional.
    pub designators: Vec<Designator>,
    /// The value.
    pub init: Init,
}

/// A step of a designation.
#[derive(Clone)]
pub enum Designator {
    /// `.name`
    Field(Symbol, Span),
    /// `[index]`
    Index(ExprId),
    /// `[first ... last]`
    Range(ExprId, ExprId),
}

/// Storage classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// None given.
    None,
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `auto` or `register`
    Auto,
}

/// Declaration specifiers.
#[derive(Clone)]
pub struct Specifiers {
    /// The storage class.
    pub storage: Storage,
    /// The type.
    pub ty: TypeSpecifier,
    /// What attributes said.
    pub attributes: Attributes,
    /// Whether `_Noreturn` was given.
    pub noreturn: bool,
    /// Whether `const` or `volatile` was given.
    pub qualified: bool,
    /// Whether the type is `const`.
    pub constant: bool,
    /// Whether the type is `volatile`.
    pub volatile: bool,
    /// Whether `inline` was given.
    pub inline: bool,
    /// Where they stand.
    pub span: Span,
}

impl Specifiers {
    /// Specifiers that say nothing but a type.
    pub fn of_type(ty: TypeSpecifier, span: Span) -> Specifiers {
        Specifiers {
            storage: Storage::None,
            ty,
            attributes: Attributes::default(),
            noreturn: false,
            qualified: false,
            constant: false,
            volatile: false,
            inline: false,
            span,
        }
    }
}

/// Attributes that change the meaning of a program; all others are skipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Attributes {
    /// `packed`
    pub packed: bool,
    /// Whether it was made here, so that there is nothing to be checked in it.
    pub made: bool,
    /// `noreturn`
    pub noreturn: bool,
    /// `aligned(n)`; without `n` the largest alignment.
    pub aligned: Option<Aligned>,
    /// `mode(…)`: the size of an integer type.
    pub mode: Option<Symbol>,
    /// `vector_size(…)`: the size in bytes.
    pub vector: Option<ExprId>,
    /// `alias("name")`: the name, in quotes.
    pub alias: Option<Symbol>,
    /// `_Atomic`
    pub atomic: bool,
    /// `_Thread_local`
    pub thread_local: bool,
    /// `asm("name")` behind a declarator: the name in the object file, in quotes.
    pub label: Option<Symbol>,
    /// `constructor`: it runs before `main`; with its priority.
    pub constructor: Option<Priority>,
    /// `destructor`: it runs behind `main`; with its priority.
    pub destructor: Option<Priority>,
    /// `#pragma pack`: no member is aligned to more bytes than this.
    pub pack: Option<u8>,
    /// `annotate("__ESBMC_contract")`: the function has a contract, even if no clause states it.
    pub contract: bool,
    /// The first attribute that changes the meaning of what it stands at, and is not modelled.
    pub refused: Option<Symbol>,
}

/// The argument of `constructor` or `destructor`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Priority {
    /// None given: behind all that have one.
    Default,
    /// As the expression says.
    Given(ExprId),
}

/// The argument of `aligned`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aligned {
    /// The largest alignment of the target.
    Largest,
    /// As the expression says.
    To(ExprId),
    /// As for a type.
    Like(TypeNameId),
}

/// How often each basic type word was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BasicWords {
    /// `signed`
    pub signed: bool,
    /// `unsigned`
    pub unsigned: bool,
    /// `short`
    pub short: bool,
    /// How often `long`.
    pub long: u8,
    /// The base word.
    pub base: Option<BaseWord>,
    /// `_Complex`
    pub complex: bool,
}

/// The base word of a basic type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BaseWord {
    /// `void`
    Void,
    /// `char`
    Char,
    /// `int`
    Int,
    /// `__int128`
    Int128,
    /// The integers of ACSL, which have no bounds.
    Integer,
    /// `_Bool`
    Bool,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `_Float128`
    Float128,
    /// `__builtin_va_list`
    VaList,
}

/// A type specifier.
#[derive(Clone)]
pub enum TypeSpecifier {
    /// Basic type words; none at all means `int` in the old style.
    Basic(BasicWords),
    /// A typedef name.
    Named(Symbol, Span),
    /// `struct` or `union`
    Record(RecordSpecifier),
    /// `enum`
    Enum(EnumSpecifier),
    /// `typeof(e)`
    TypeofExpr(ExprId),
    /// `typeof(T)` and `_Atomic(T)`
    TypeofType(TypeNameId),
    /// `__auto_type`
    Auto,
}

/// `struct` or `union`
#[derive(Clone)]
pub struct RecordSpecifier {
    /// Whether it is a union.
    pub is_union: bool,
    /// Its tag.
    pub tag: Option<Symbol>,
    /// Its members, if they are given here.
    pub members: Option<Vec<MemberDeclaration>>,
    /// Attributes behind the keyword or behind the members.
    pub attributes: Attributes,
    /// The static assertions between its members.
    pub assertions: Vec<ExprId>,
    /// Where it stands.
    pub span: Span,
}

/// A member declaration.
#[derive(Clone)]
pub struct MemberDeclaration {
    /// What stands before the declarators.
    pub specifiers: SpecifiersId,
    /// The members, with the width of bit-fields; none for an anonymous struct.
    pub declarators: Vec<(Declarator, Option<ExprId>)>,
}

/// `enum`
#[derive(Clone)]
pub struct EnumSpecifier {
    /// Its tag.
    pub tag: Option<Symbol>,
    /// Its constants, if they are given here.
    pub constants: Option<Vec<(Symbol, Span, Option<ExprId>)>>,
    /// Whether it is packed.
    pub attributes: Attributes,
    /// Where it stands.
    pub span: Span,
}

/// In whose words a contract is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// CBMC: `__CPROVER_requires(…)` behind the declarator or the head of a loop.
    Cprover,
    /// ESBMC: `__ESBMC_requires(…);` as a statement in the body, or before the loop.
    Esbmc,
    /// ACSL: `requires …;` in a comment before the declaration or the loop.
    Acsl,
}

/// A clause of a contract, of a function or of a loop.
#[derive(Clone, Debug)]
pub struct Clause {
    /// In whose words it is written.
    pub notation: Notation,
    /// What it says.
    pub kind: ClauseKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of clauses.
#[derive(Clone, Debug)]
pub enum ClauseKind {
    /// What the caller guarantees.
    Requires(ExprId),
    /// What the function guarantees.
    Ensures(ExprId),
    /// What follows from what the caller guarantees.
    Entry(ExprId),
    /// What may be changed; nothing if there are no targets.
    Assigns(Vec<Target>),
    /// What may be freed.
    Frees(Vec<Target>),
    /// What holds whenever the head of a loop is reached.
    Invariant(ExprId),
    /// What gets smaller in every iteration, in lexicographic order.
    Decreases(Vec<ExprId>),
}

/// What a clause lists.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// It counts only if this holds.
    pub condition: Option<ExprId>,
    /// An lvalue, or a call that stands for a range of memory.
    pub place: ExprId,
}

/// A name with the parts of its type.
#[derive(Clone)]
pub struct Declarator {
    /// The name; none in type names and unnamed parameters.
    pub name: Option<Symbol>,
    /// The parts from the name outwards: `*a[3]` is array, then pointer.
    pub parts: Vec<DeclaratorPart>,
    /// What attributes said.
    pub attributes: Attributes,
    /// The contract behind it, or in the annotation before the declaration.
    pub contract: Vec<Clause>,
    /// The name, or where it would stand.
    pub span: Span,
}

/// A part of a declarator.
#[derive(Clone)]
pub enum DeclaratorPart {
    /// `*`
    Pointer {
        /// Whether the pointer itself is `const`.
        constant: bool,
        /// Whether the pointer itself is `volatile`.
        volatile: bool,
        /// Whether the pointer itself is `_Atomic`; other qualifiers are dropped.
        atomic: bool,
    },
    /// `[size]`
    Array(Option<ExprId>),
    /// `(parameters)`
    Function(FunctionPart),
}

/// The parameters of a function declarator.
#[derive(Clone)]
pub struct FunctionPart {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// Whether `...` ends them.
    pub variadic: bool,
    /// Whether nothing is said about the parameters: `()` or the names of the old style.
    pub unspecified: bool,
    /// The names of the old style.
    pub names: Vec<(Symbol, Span)>,
}

/// A parameter.
#[derive(Clone)]
pub struct Parameter {
    /// What stands before the declarator.
    pub specifiers: SpecifiersId,
    /// Name and type parts.
    pub declarator: Declarator,
}

/// A type name.
pub struct TypeName {
    /// What stands before the declarator.
    pub specifiers: SpecifiersId,
    /// A declarator without a name.
    pub declarator: Declarator,
}

/// An expression.
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// Unary operators on values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `~`
    Complement,
    /// `!`
    Not,
    /// `*`
    Deref,
    /// `&`
    AddressOf,
    /// `__real__`
    Real,
    /// `__imag__`
    Imaginary,
}

/// Binary operators, without assignment, comma and short circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
}

/// Operators that may not evaluate their right operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogicalOp {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `==>`, in annotations
    Implies,
    /// `<==>`, in annotations
    Iff,
}

/// The kinds of expressions.
#[derive(Clone)]
pub enum ExprKind {
    /// A name.
    Name(Symbol),
    /// An integer or floating literal.
    Number(Symbol),
    /// A character constant.
    Char(Symbol),
    /// Adjacent string literals.
    Text(Vec<Symbol>),
    /// An operator before its operand.
    Unary(UnaryOp, ExprId),
    /// `++` and `--`
    Increment {
        /// Whether it counts up.
        up: bool,
        /// Whether it stands before the operand.
        prefix: bool,
        /// The operand.
        operand: ExprId,
    },
    /// A binary operator.
    Binary(BinaryOp, ExprId, ExprId),
    /// A short-circuit operator.
    Logical(LogicalOp, ExprId, ExprId),
    /// `=` or a compound assignment.
    Assign(Option<BinaryOp>, ExprId, ExprId),
    /// `a ? b : c`; without `b` the GNU form `a ?: c`.
    Conditional(ExprId, Option<ExprId>, ExprId),
    /// `a, b`
    Comma(ExprId, ExprId),
    /// `(T)e`
    Cast(TypeNameId, ExprId),
    /// `(T){…}`
    CompoundLiteral(TypeNameId, Box<Init>),
    /// `f(a, b)`
    Call(ExprId, Vec<ExprId>),
    /// `a[b]`
    Index(ExprId, ExprId),
    /// `a.x`
    Member(ExprId, Symbol),
    /// `a->x`
    Arrow(ExprId, Symbol),
    /// `sizeof e`
    SizeofExpr(ExprId),
    /// `sizeof(T)`
    SizeofType(TypeNameId),
    /// `_Alignof(T)`
    AlignofType(TypeNameId, Alignment),
    /// `__alignof__ e`
    AlignofExpr(ExprId, Alignment),
    /// `({ … })`
    StatementExpr(StmtId),
    /// `&&label`
    LabelAddress(Symbol),
    /// `offsetof(T, a.b[3])`
    Offsetof(TypeNameId, Vec<Designator>),
    /// `va_arg(list, T)`
    VaArg(ExprId, TypeNameId),
    /// `__builtin_convertvector(e, T)`
    ConvertVector(ExprId, TypeNameId),
    /// `__builtin_types_compatible_p(T, U)`
    TypesCompatible(TypeNameId, TypeNameId),
    /// `__builtin_choose_expr(c, a, b)`
    ChooseExpr(ExprId, ExprId, ExprId),
    /// `_Generic(e, T: a, default: b)`
    Generic(ExprId, Vec<(Option<TypeNameId>, ExprId)>),
    /// `\forall` and `\exists` of contracts, whatever their spelling
    Quantified(QuantifierKind, Box<Declaration>, ExprId),
}

/// Which quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuantifierKind {
    /// For all values.
    Forall,
    /// For some value.
    Exists,
}

/// Which alignment is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alignment {
    /// The one that every object of the type has (`_Alignof`).
    Least,
    /// The one that variables of the type get (`__alignof__`).
    Preferred,
}

/// A statement.
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it starts; for a block and a loop, its keyword or brace.
    pub span: Span,
}

/// What is known about an `asm` statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AsmEffect {
    /// Its text is empty and its outputs keep their values: it only holds the compiler back.
    Barrier,
    /// It may do anything.
    Unknown,
}

/// The kinds of statements.
pub enum StmtKind {
    /// `;`
    Empty,
    /// An expression.
    Expr(ExprId),
    /// A declaration.
    Declaration(Declaration),
    /// A function inside a function.
    NestedFunction,
    /// `__label__ a, b;`: labels of this block only.
    LocalLabels(Vec<Symbol>),
    /// `_Static_assert(e, "…");`
    StaticAssert(ExprId),
    /// `{ … }`
    Block(Vec<StmtId>),
    /// `if`
    If(ExprId, StmtId, Option<StmtId>),
    /// `while`
    While(ExprId, StmtId),
    /// `do`
    DoWhile(StmtId, ExprId),
    /// `for`: the first part is an expression statement, a declaration or empty.
    For(StmtId, Option<ExprId>, Option<ExprId>, StmtId),
    /// `switch`
    Switch(ExprId, StmtId),
    /// `case a:` or `case a ... b:`
    Case(ExprId, Option<ExprId>, StmtId),
    /// `default:`
    Default(StmtId),
    /// `label:`
    Label(Symbol, StmtId),
    /// `goto label`
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
    /// `//@ assert e;`
    Assert(ExprId),
    /// Executions on which the condition of a contract in ACSL does not hold do not count.
    Assume(ExprId),
    /// A loop with its contract.
    Contracted(Vec<Clause>, StmtId),
}

impl Ast {
    /// The names of types at file scope.
    pub fn typedefs(&self) -> Vec<Symbol> {
        let mut names = Vec::new();
        for item in &self.items {
            if let Item::Declaration(declaration) = item
                && self.specifiers[declaration.specifiers].storage == Storage::Typedef
            {
                names.extend(declaration.declarators.iter().filter_map(|item| item.declarator.name));
            }
        }
        names
    }
}
