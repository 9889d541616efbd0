//! The way back: what variables of the translation mean in C.

use base::Span;
use ir::Variable;
use rustc_hash::FxHashMap;

/// Translates evidence about the intermediate program back to C.
#[derive(Default, Debug)]
pub struct BackMap {
    /// The C meaning of variables, for those that have one.
    pub variables: FxHashMap<Variable, CVariable>,
    /// The places where the program asks the environment, in the order of translation.
    pub inputs: Vec<Input>,
}

/// What a variable means in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CVariable {
    /// The C expression, as `s.next` or `a`.
    pub name: String,
    /// Its C type.
    pub ty: String,
    /// Which part of the value it holds.
    pub part: Part,
    /// The function it is local to.
    pub function: Option<String>,
    /// Its declaration.
    pub span: Span,
}

/// Which part of a C value a variable holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// All of it.
    Whole,
    /// The object that a pointer points into.
    Base,
    /// The offset of a pointer in bytes.
    Offset,
}

/// A place where the program asks the environment: a `havoc` statement with the attribute `input`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The variable that gets the answer.
    pub variable: Variable,
    /// The function that is called, as `__VERIFIER_nondet_int`.
    pub function: String,
    /// The C type of the answer.
    pub ty: String,
    /// The call.
    pub span: Span,
}
