//! The typed intermediate language in which all front ends meet.
//!
//! A [`Program`] is a flat set of tables over typed ids: types are interned ([`types`]), expressions live
//! in one arena whose children always precede their parents ([`expressions`]), procedure bodies are
//! control-flow graphs of blocks ([`statements`]). Nothing is a boxed tree, so neither building nor
//! dropping a program depends on how deep the source was nested.
//!
//! The language is the core of Boogie after desugaring: structured control flow has become
//! blocks, map assignment has become a store, type synonyms are expanded, `old` stands only at global
//! variables, coercions are explicit, and every name is unique in its scope. Its text form is Boogie.
//!
//! Meaning of the parts where Boogie leaves a choice:
//!
//! * `div` and `mod` are Euclidean; division by zero is an unspecified but fixed value, as in SMT-LIB.
//! * A `where` clause is assumed whenever its variable gets an arbitrary value: globals and parameters where
//!   a run begins, results and locals at the entry of a body, after `havoc`, and for the results and modified
//!   globals of a call that is used by contract. A parameter that gets its value from a caller assumes
//!   nothing, unless a front end has marked it: then whoever passes a value has made sure of the clause.
//! * `free` specifications are checked nowhere. A free `requires` is assumed where a run begins with its
//!   procedure, and not at a call: the caller's execution goes on. A free `ensures` is assumed after a call.
//! * Threads share the global variables; every statement is one step, and steps of different threads alternate
//!   in any order. Everything behind the front ends wants a program without threads: the crate `threads` makes one.
//! * Entries are `ULTIMATE.start` if there is one, otherwise every procedure with a body
//!   ([`Program::entries`]).

pub mod accesses;
pub mod build;
pub mod builtin;
pub mod claims;
pub mod definitions;
pub mod expressions;
pub mod induction;
pub mod interpreter;
pub mod marks;
pub mod names;
pub mod print;
pub mod program;
pub mod statements;
pub mod types;
pub mod typing;
pub mod well_formed;

pub use builtin::Builtin;
pub use expressions::{BinaryOp, Expr, ExprData, Expressions, Quantifier, QuantifierKind, UnaryOp};
pub use marks::Mark;
pub use program::{
    Attribute, AttributeArgument, Axiom, ConstructorData, Function, FunctionData, Meaning, Procedure,
    ProcedureData, Program, Specification, Variable, VariableData, VariableKind,
};
pub use statements::{AssertKind, Block, BlockData, Body, Boundary, Statement, StatementKind, Transfer};
pub use types::{Type, TypeConstructor, TypeData, Types};
