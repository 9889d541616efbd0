//! From the syntax tree to the intermediate language: names, types, control flow.
//!
//! Requires a tree without syntax errors. Guarantees that a program which comes out is well formed
//! ([`ir::well_formed`]) and has the meaning of the source. Linear in the size of the tree, apart from
//! repeated `where` clauses; uses no more of the host's stack for deeper nesting.
//!
//! The rules that are checked, each with a message at the offending place:
//!
//! * **Names.** Types, functions, procedures, and variables with constants are four name spaces; in each, a
//!   name is declared once. Parameters, results and locals of a procedure are distinct, so are the labels
//!   of a body, and so are the variables of a quantifier. Locals and quantified variables may hide outer
//!   names; they are renamed. Every name that is used is declared.
//! * **Types.** A constructor or synonym has as many arguments as parameters; synonyms are not circular.
//!   Conditions, specifications, axioms and quantified formulas are `bool`. Arithmetic and order want two
//!   operands of the same type, `int` or `real`, `==` and `!=` two of any one type, logical operators
//!   `bool`. `div`, `mod` and `%` want `int`; `/` is real division, and an operand that is `int` becomes
//!   `real`; in Ultimate's dialect it is Euclidean division on two `int`. Maps are selected with arguments of their domain; bit ranges lie within the vector.
//!   Arguments and results of calls and applications fit the signature, in number and type.
//! * **Places.** Axioms and function bodies see constants but no variables; `where` has no `old`;
//!   `requires` sees no results. Only globals, locals and results are assigned, and no target twice.
//! * **Control flow.** `goto` names labels of the body; `break` stands in a loop, or names a label of an
//!   enclosing statement.
//! * **Datatypes.** A constructor is declared once and given as many values as it has fields; fields and
//!   constructors that are asked for exist.
//! * **Structs.** Their fields have different names; a field that is used exists. They are replaced by their
//!   fields ([`expand`]).
//! * **Frames.** A body assigns and havocs only globals that its procedure lists in `modifies`, and calls only
//!   procedures whose `modifies` is a subset. What is missing is added, with a warning ([`frames`]).
//! * **Implementations** have a procedure, and the types of its parameters and results. A procedure with
//!   several becomes one that chooses among them.

mod attributes;
mod bodies;
mod control_flow;
mod datatypes;
mod declarations;
mod expand;
mod expressions;
mod floats;
mod frames;
mod functions;
mod lambda;
mod literals;
mod operators;
mod order;
mod pointwise;
mod polymorphism;
mod procedures;
mod scopes;
mod statements;
mod structs;
mod type_variables;
mod types;

use crate::Dialect;
use crate::ast::{Ast, BinderId, Declaration, ExprId};
use crate::features::{Feature, Unsupported};
use crate::symbols::Symbol;
use base::ids::PackedOption;
use base::{Diagnostic, SecondaryMap, Span};
use datatypes::Datatypes;
use floats::Floats;
use ir::{Expr, Function, Procedure, Program, Type};
use order::Orders;
use polymorphism::Polymorphism;
use scopes::Scopes;
use structs::Structs;
use type_variables::TypeVariables;
pub(crate) use type_variables::{Asked, Universe};
use types::TypeTable;

/// What elaboration gives.
pub(crate) struct Elaborated {
    pub(crate) program: Program,
    pub(crate) warnings: Vec<Diagnostic>,
    /// A division of two integers by `/`, which dialects read differently.
    pub(crate) integer_slash: Option<Span>,
    /// The types at which something polymorphic is used, if the meaning depends on them.
    pub(crate) asked: Option<Asked>,
}

/// Elaborates a tree; quantifiers over types range over the universe and some more types. Whatever is wrong is added to the lists; the program is only good if they stay empty.
pub(crate) fn elaborate(
    ast: &Ast<'_>,
    dialect: Dialect,
    universe: &Universe,
    errors: &mut Vec<Diagnostic>,
    unsupported: &mut Vec<Unsupported>,
) -> Elaborated {
    let mut elaborator = Elaborator {
        ast,
        dialect,
        integer_slash: None,
        program: Program::new(),
        errors,
        unsupported,
        types: TypeTable::default(),
        scopes: Scopes::default(),
        functions: SecondaryMap::new(),
        procedures: SecondaryMap::new(),
        bound: SecondaryMap::new(),
        values: SecondaryMap::new(),
        visits: Vec::new(),
        structs: Structs::default(),
        datatypes: Datatypes::default(),
        orders: Orders::default(),
        floats: Floats::default(),
        variables: TypeVariables::default(),
        wanted: SecondaryMap::new(),
        deferred: SecondaryMap::new(),
        deferred_meanings: Vec::new(),
        trusted: Vec::new(),
        lets: SecondaryMap::new(),
        made_names: 0,
        type_arguments: Vec::new(),
        inside_polymorphic_map: false,
        polymorphism: Polymorphism::default(),
    };
    let warnings = elaborator.run(universe);
    let asked = elaborator.asked();
    let Elaborator { program, integer_slash, .. } = elaborator;
    Elaborated { program, warnings, integer_slash, asked }
}

/// A declared thing, or one whose declaration had a mistake that was already reported.
#[derive(Clone, Copy)]
enum Entry<T> {
    Known(T),
    Broken,
}

struct Elaborator<'a> {
    ast: &'a Ast<'a>,
    dialect: Dialect,
    integer_slash: Option<Span>,
    program: Program,
    errors: &'a mut Vec<Diagnostic>,
    unsupported: &'a mut Vec<Unsupported>,
    types: TypeTable,
    scopes: Scopes,
    functions: SecondaryMap<Symbol, Option<(Entry<Function>, Span)>>,
    procedures: SecondaryMap<Symbol, Option<(Entry<Procedure>, Span)>>,
    bound: SecondaryMap<BinderId, PackedOption<ir::Variable>>,
    /// What the parts of the current expression have become; nothing for parts with a mistake.
    values: SecondaryMap<ExprId, PackedOption<Expr>>,
    visits: Vec<expressions::Visit>,
    structs: Structs,
    datatypes: Datatypes,
    orders: Orders,
    floats: Floats,
    variables: TypeVariables<'a>,
    /// The types that parts of the current expression are expected to have, where that is known.
    wanted: SecondaryMap<ExprId, PackedOption<Type>>,
    /// What is not supported about the signatures of functions that were not used so far.
    deferred: SecondaryMap<Symbol, Vec<Unsupported>>,
    /// Functions whose meaning is not supported.
    deferred_meanings: Vec<(Function, Unsupported)>,
    /// Procedures whose bodies are not to be verified: they are used by their contracts.
    trusted: Vec<Procedure>,
    /// What the names of `let` expressions stand for.
    lets: SecondaryMap<BinderId, PackedOption<Expr>>,
    /// How many names were made for things without one.
    made_names: usize,
    /// What the type variables in scope stand for.
    type_arguments: Vec<(Symbol, Type)>,
    inside_polymorphic_map: bool,
    polymorphism: Polymorphism<'a>,
}

impl<'a> Elaborator<'a> {
    fn file(&self) -> base::FileId {
        self.ast.files[0].0
    }

    fn run(&mut self, universe: &Universe) -> Vec<Diagnostic> {
        let declarations = &self.ast.declarations;
        self.declare_types();
        self.collect_datatypes();
        self.enter_universe(universe);
        for declaration in declarations {
            match declaration {
                Declaration::Constant(constants) => self.declare_constants(constants),
                Declaration::Variable(variable) => self.declare_global(variable),
                Declaration::Function(function) => self.declare_function(function),
                Declaration::Procedure(procedure) => self.declare_procedure(procedure),
                Declaration::Type(_) | Declaration::Axiom(_) | Declaration::Implementation(..) => {}
            }
        }
        // Everything that can be named is known from here on.
        for declaration in declarations {
            match declaration {
                Declaration::Type(ty) => self.type_attributes(ty),
                Declaration::Constant(constants) => self.constant_attributes(constants),
                Declaration::Variable(variable) => self.define_global(variable),
                Declaration::Function(function) => self.define_function(function),
                Declaration::Axiom(axiom) => self.axiom(axiom),
                Declaration::Procedure(procedure) => self.specify_procedure(procedure),
                Declaration::Implementation(..) => {}
            }
        }
        self.constant_orders();
        self.implement_procedures();
        self.generic_entries();
        loop {
            self.define_copies();
            if !self.define_procedure_copies() {
                break;
            }
        }
        self.complete_datatypes();
        self.report_used_functions();
        if !self.errors.is_empty() {
            return Vec::new();
        }
        let warnings = frames::complete(&mut self.program);
        for &procedure in &self.trusted {
            self.program.procedures[procedure].body = None;
        }
        if !self.structs.is_empty() {
            self.program = expand::expand(&self.program, &self.structs, &self.ast.symbols, self.unsupported);
        }
        warnings
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(span, message));
    }

    fn unsupported(&mut self, feature: Feature, span: Span) {
        self.unsupported.push(Unsupported { feature, span });
    }

    /// `what` was declared before.
    fn declared_twice(&mut self, what: &str, symbol: Symbol, span: Span, before: Span) {
        let message = format!("{what} `{}` is declared twice", self.ast.name(symbol));
        self.errors.push(
            Diagnostic::error(span, message).label("second declaration").related(before, "first declaration"),
        );
    }

    fn type_text(&self, ty: Type) -> String {
        format!("`{}`", self.program.show_type(ty))
    }
}

/// "1 argument", "2 arguments"
fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
