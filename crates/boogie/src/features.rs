//! What the front end reads but cannot give a meaning yet.

use base::{Diagnostic, Span};
use std::fmt;

/// A feature of Boogie (or of a dialect) that is not supported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Feature {
    /// A jump from an atomic block into another, or to several places of which not all are in the same.
    AtomicJump,
    /// `async call`
    AsyncCall,
    /// A function that stands for an operation of the solver which is not known here.
    Builtin(String),
    /// `call forall`
    CallForall,
    /// `|{ … }|`
    CodeExpression,
    /// A declaration of a layered concurrent program.
    Civl(String),
    /// A datatype that has no meaning here.
    Datatype,
    /// Maps over datatypes or floating-point numbers that are arguments of functions or indices of maps.
    DatatypeMap,
    /// Floating-point types and literals.
    Float,
    /// `par call`
    ParallelCall,
    /// A function with type parameters.
    PolymorphicFunction,
    /// A map type with type parameters.
    PolymorphicMap,
    /// A procedure with type parameters.
    PolymorphicProcedure,
    /// A quantifier over types.
    PolymorphicQuantifier,
    /// `**` with an exponent that is no small literal.
    Power,
    /// An attribute that changes the meaning of what it stands at, and whose meaning is not known here.
    Attribute(String),
    /// A function that is defined by SMT-LIB text.
    SmtDefined,
    /// `string`, `regex` and the like.
    SolverType(String),
    /// Struct types and values.
    Struct,
    /// `*` as an argument of a call.
    WildcardArgument,
    /// Bit-vectors of more bits than anybody needs.
    WideBitVector,
    /// `yield`
    Yield,
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Feature::AtomicJump => "jumps between atomic blocks",
            Feature::AsyncCall => "asynchronous calls",
            Feature::Builtin(name) => return write!(f, "builtin function \"{name}\""),
            Feature::CallForall => "call forall",
            Feature::CodeExpression => "code expressions",
            Feature::Civl(word) => return write!(f, "`{word}` declarations"),
            Feature::Datatype => "datatypes of this form",
            Feature::DatatypeMap => "maps over datatypes or floating-point numbers as arguments or indices",
            Feature::Float => "floating-point types",
            Feature::ParallelCall => "parallel calls",
            Feature::PolymorphicFunction => "polymorphic functions whose types nothing tells",
            Feature::PolymorphicMap => "polymorphic maps",
            Feature::PolymorphicProcedure => "polymorphic procedures",
            Feature::PolymorphicQuantifier => "quantifiers over types",
            Feature::Power => "powers whose exponent is not a literal up to 64",
            Feature::Attribute(name) => return write!(f, "attribute `{{:{name}}}`"),
            Feature::SmtDefined => "functions that are defined by SMT-LIB text",
            Feature::SolverType(name) => return write!(f, "type `{name}`"),
            Feature::Struct => "structs",
            Feature::WildcardArgument => "wildcard arguments",
            Feature::WideBitVector => "bit-vectors of more than 65536 bits",
            Feature::Yield => "yield statements",
        };
        f.write_str(text)
    }
}

/// An unsupported feature with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What.
    pub feature: Feature,
    /// Where.
    pub span: Span,
}

impl Unsupported {
    /// The message for people.
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic::error(self.span, format!("unsupported: {}", self.feature))
    }
}
