//! Declarations: variables, constants, functions, axioms, procedures.

use crate::builtin::Builtin;
use crate::expressions::{Expr, Expressions};
use crate::marks::Mark;
use crate::statements::Body;
use crate::types::{Type, TypeConstructor, Types};
use base::{PrimaryMap, Span};

base::id!(
    /// Any variable of the program: global, constant, parameter, result, local, or bound.
    Variable,
    "v"
);

base::id!(
    /// A function.
    Function,
    "function"
);

base::id!(
    /// A procedure.
    Procedure,
    "procedure"
);

/// `{:name arguments}`
#[derive(Clone, PartialEq, Debug)]
pub struct Attribute {
    /// The name behind the colon.
    pub name: String,
    /// What follows the name.
    pub arguments: Vec<AttributeArgument>,
}

/// An argument of an attribute.
#[derive(Clone, PartialEq, Debug)]
pub enum AttributeArgument {
    /// A string literal, without its quotes.
    Text(String),
    /// An expression.
    Expr(Expr),
}

/// An uninterpreted type constructor.
#[derive(Clone, PartialEq, Debug)]
pub struct ConstructorData {
    /// Its name.
    pub name: String,
    /// How many type arguments it takes.
    pub arity: u32,
    /// The attributes of the declaration.
    pub attributes: Vec<Attribute>,
    /// Its declaration.
    pub span: Span,
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VariableKind {
    /// A global variable.
    Global,
    /// A constant: fixed during an execution, constrained only by axioms and uniqueness.
    Constant {
        /// Whether it differs from all other unique constants of its type.
        unique: bool,
    },
    /// An in-parameter of a procedure; never assigned.
    Parameter(Procedure),
    /// An out-parameter of a procedure.
    Result(Procedure),
    /// A local variable of a procedure's body.
    Local(Procedure),
    /// A parameter of a function with a body, or of a function's signature.
    FunctionParameter(Function),
    /// Bound by a quantifier.
    Bound,
}

impl VariableKind {
    /// Whether statements may change the variable.
    pub fn is_mutable(self) -> bool {
        matches!(self, VariableKind::Global | VariableKind::Result(_) | VariableKind::Local(_))
    }
}

/// What is known about a variable.
#[derive(Clone, PartialEq, Debug)]
pub struct VariableData {
    /// Its name, unique among all variables that are visible where it is visible.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Where it lives.
    pub kind: VariableKind,
    /// What is assumed whenever it gets an arbitrary value.
    pub where_clause: Option<Expr>,
    /// The attributes of the declaration.
    pub attributes: Vec<Attribute>,
    /// Its declaration.
    pub span: Span,
}

impl VariableData {
    /// Whether the `where` clause of a parameter holds of everything that callers pass.
    pub fn is_established(&self) -> bool {
        Mark::Established.is_in(&self.attributes)
    }
}

/// What a function means.
#[derive(Clone, PartialEq, Debug)]
pub enum Meaning {
    /// Constrained by axioms only.
    Uninterpreted,
    /// Equal to the expression over the parameters, for all arguments. The expression may use globals of
    /// kind constant only, and may be recursive.
    Defined(Expr),
    /// An operation of the logic.
    Builtin(Builtin),
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionData {
    /// Its name.
    pub name: String,
    /// Its parameters, of kind [`VariableKind::FunctionParameter`].
    pub parameters: Vec<Variable>,
    /// Its result type.
    pub result: Type,
    /// What it means.
    pub meaning: Meaning,
    /// The attributes of the declaration, except the one that names the builtin.
    pub attributes: Vec<Attribute>,
    /// Its declaration.
    pub span: Span,
}

/// An axiom: holds in every execution.
#[derive(Clone, PartialEq, Debug)]
pub struct Axiom {
    /// A closed formula over constants and functions.
    pub formula: Expr,
    /// The attributes of the declaration.
    pub attributes: Vec<Attribute>,
    /// Its declaration.
    pub span: Span,
}

/// A `requires` or `ensures` clause.
#[derive(Clone, PartialEq, Debug)]
pub struct Specification {
    /// The formula.
    pub condition: Expr,
    /// Whether it is assumed only, never checked.
    pub free: bool,
    /// The attributes of the clause.
    pub attributes: Vec<Attribute>,
    /// Its place.
    pub span: Span,
}

/// A procedure.
#[derive(Clone, PartialEq, Debug)]
pub struct ProcedureData {
    /// Its name.
    pub name: String,
    /// In-parameters.
    pub parameters: Vec<Variable>,
    /// Out-parameters.
    pub results: Vec<Variable>,
    /// Preconditions.
    pub requires: Vec<Specification>,
    /// Postconditions; they may use `old`.
    pub ensures: Vec<Specification>,
    /// The global variables that it may change.
    pub modifies: Vec<Variable>,
    /// Its body. Without one it is used by its contract.
    pub body: Option<Body>,
    /// The attributes of the declaration.
    pub attributes: Vec<Attribute>,
    /// Its declaration.
    pub span: Span,
}

impl ProcedureData {
    /// A procedure of which nothing is said yet but its name and its place.
    pub fn named(name: impl Into<String>, span: Span) -> ProcedureData {
        ProcedureData {
            name: name.into(),
            parameters: Vec::new(),
            results: Vec::new(),
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            body: None,
            attributes: Vec::new(),
            span,
        }
    }
}

/// A whole program.
#[derive(Clone, Default, Debug)]
pub struct Program {
    /// All types.
    pub types: Types,
    /// All type constructors.
    pub constructors: PrimaryMap<TypeConstructor, ConstructorData>,
    /// All variables of all kinds.
    pub variables: PrimaryMap<Variable, VariableData>,
    /// All expressions.
    pub expressions: Expressions,
    /// The constants, in the order of declaration.
    pub constants: Vec<Variable>,
    /// The global variables, in the order of declaration.
    pub globals: Vec<Variable>,
    /// The functions, in the order of declaration.
    pub functions: PrimaryMap<Function, FunctionData>,
    /// The axioms, in the order of declaration.
    pub axioms: Vec<Axiom>,
    /// The procedures, in the order of declaration.
    pub procedures: PrimaryMap<Procedure, ProcedureData>,
    /// The procedures with which executions begin, if somebody has chosen them.
    pub chosen: Option<Vec<Procedure>>,
}

/// The procedure that is the only entry where it exists.
pub const START: &str = "ULTIMATE.start";

impl Program {
    /// An empty program.
    pub fn new() -> Program {
        Program::default()
    }

    /// The procedures whose executions count: those that were chosen, or [`START`] if it has a body, else all that
    /// have one.
    pub fn entries(&self) -> Vec<Procedure> {
        if let Some(chosen) = &self.chosen {
            return chosen.clone();
        }
        let with_body = || self.procedures.iter().filter(|(_, data)| data.body.is_some());
        match with_body().find(|(_, data)| data.name == START) {
            Some((start, _)) => vec![start],
            None => with_body().map(|(procedure, _)| procedure).collect(),
        }
    }

    /// The procedure of a name.
    pub fn procedure(&self, name: &str) -> Option<Procedure> {
        self.procedures.iter().find(|(_, data)| data.name == name).map(|(procedure, _)| procedure)
    }

    /// The type of an expression.
    pub fn ty(&self, expr: Expr) -> Type {
        self.expressions.ty(expr)
    }
}
