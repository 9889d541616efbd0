//! Type variables of procedures and quantifiers.
//!
//! A polymorphic procedure is a family of procedures, one per list of types with which it is called. Where executions
//! begin with it, its type variables stand for types about which nothing is known; if the program has polymorphic maps,
//! also for every type that the program uses, as a map may be changed at that type.
//!
//! A quantifier over types is the conjunction (or disjunction) over all types at which the program uses something
//! polymorphic, `int`, `bool`, `real`, and types about which nothing is known and which stand for all others. That is
//! the same: a proof about an unknown type is one about every type, as nothing but equality is known of its values.
//! Which types the program uses is only known when all is translated, so [`crate::lower`] translates again with those
//! that were found, until there are no more.

use super::scopes::Position;
use super::{Elaborator, Entry};
use crate::ast::{Binding, BindingKind, Body, ExprId, Ident, ProcedureDeclaration, Signature, TypeKind};
use crate::features::Feature;
use crate::symbols::Symbol;
use base::{Diagnostic, Span};
use ir::{ConstructorData, Expr, Procedure, Type, TypeData};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How many procedures may be made of one polymorphic procedure, or formulas of one quantifier.
const MOST_TUPLES: usize = 400;

/// How many procedures may be made of all.
const MOST_COPIES: usize = 2_000;

/// How deep quantifiers over types may be nested.
const MOST_NESTED: usize = 8;

/// A type of the source, apart from any program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Ground {
    Int,
    Bool,
    Real,
    BitVec(u32),
    Map(Vec<Ground>, Box<Ground>),
    Named(Symbol, Vec<Ground>),
    /// A type of which nothing is known.
    Opaque(usize),
}

/// The types at which a program uses something polymorphic.
pub(crate) type Universe = BTreeSet<Ground>;

/// What is known about type variables.
#[derive(Default)]
pub(super) struct TypeVariables<'a> {
    generics: FxHashMap<Symbol, Generic<'a>>,
    /// The names of polymorphic procedures, in the order of the text.
    names: Vec<Symbol>,
    copies: FxHashMap<(Symbol, Vec<Type>), Option<Procedure>>,
    pending: Vec<Pending>,
    opaque: Vec<Type>,
    /// The types of the universe, in this program.
    universe: Vec<Type>,
    /// The types at which something was used.
    used: BTreeSet<Type>,
    /// Where the universe matters.
    asked: Option<Span>,
    /// How many type variables of quantifiers are in scope.
    in_scope: usize,
}

/// A polymorphic procedure.
#[derive(Clone)]
struct Generic<'a> {
    declaration: &'a ProcedureDeclaration,
    domain: Vec<Type>,
    range: Vec<Type>,
    bodies: Vec<(&'a Signature, &'a Body)>,
}

/// A copy whose contract and bodies are still to be translated.
struct Pending {
    symbol: Symbol,
    procedure: Procedure,
    types: Vec<Type>,
}

/// What a quantifier over types needs to be translated again with.
pub(crate) struct Asked {
    /// The types that are used.
    pub(crate) used: Universe,
    /// Where it matters.
    pub(crate) span: Span,
}

impl<'a> Elaborator<'a> {
    /// Gives the types of the universe their ids; the types of the file are declared.
    pub(super) fn enter_universe(&mut self, universe: &Universe) {
        let mut types = vec![Type::INT, Type::BOOL, Type::REAL];
        for ground in universe {
            let ty = self.of_ground(ground);
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
        self.variables.universe = types;
    }

    /// The recursion is as deep as the type.
    fn of_ground(&mut self, ground: &Ground) -> Type {
        match ground {
            Ground::Int => Type::INT,
            Ground::Bool => Type::BOOL,
            Ground::Real => Type::REAL,
            Ground::BitVec(width) => self.program.types.bit_vector(*width),
            Ground::Map(domain, range) => {
                let domain: Vec<Type> = domain.iter().map(|ty| self.of_ground(ty)).collect();
                let range = self.of_ground(range);
                self.program.types.map(domain, range)
            }
            Ground::Named(symbol, arguments) => {
                let arguments: Vec<Type> = arguments.iter().map(|ty| self.of_ground(ty)).collect();
                match self.type_constructor(*symbol) {
                    Some(constructor) => self.program.types.named(constructor, arguments),
                    None => unreachable!("the name was that of a constructor in the round before"),
                }
            }
            Ground::Opaque(index) => self.opaque(*index),
        }
    }

    /// A type apart from this program; nothing for types that only the front end knows.
    fn ground(&self, ty: Type) -> Option<Ground> {
        if let Some(index) = self.variables.opaque.iter().position(|&opaque| opaque == ty) {
            return Some(Ground::Opaque(index));
        }
        Some(match &self.program.types[ty] {
            TypeData::Int => Ground::Int,
            TypeData::Bool => Ground::Bool,
            TypeData::Real => Ground::Real,
            TypeData::BitVec(width) => Ground::BitVec(*width),
            TypeData::Map { domain, range } => {
                let domain = domain.iter().map(|&ty| self.ground(ty)).collect::<Option<_>>()?;
                Ground::Map(domain, Box::new(self.ground(*range)?))
            }
            TypeData::Named { constructor, arguments } => {
                let symbol = self.ast.symbols.find(&self.program.constructors[*constructor].name)?;
                if self.type_constructor(symbol) != Some(*constructor) {
                    return None;
                }
                let arguments = arguments.iter().map(|&ty| self.ground(ty)).collect::<Option<_>>()?;
                Ground::Named(symbol, arguments)
            }
        })
    }

    /// The types that were used, if a quantifier over types or something like it depends on them.
    pub(super) fn asked(&mut self) -> Option<Asked> {
        let span = self.variables.asked?;
        let mut used = Universe::new();
        for &ty in &self.variables.used {
            match self.ground(ty) {
                Some(ground) => {
                    used.insert(ground);
                }
                None => {
                    self.unsupported
                        .push(crate::Unsupported { feature: Feature::PolymorphicQuantifier, span });
                    return None;
                }
            }
        }
        Some(Asked { used, span })
    }

    /// Notes that something polymorphic is used at some types.
    pub(super) fn use_types(&mut self, types: &[Type]) {
        for &ty in types {
            if !self.mentions_placeholder(ty) {
                self.variables.used.insert(ty);
            }
        }
    }

    /// A type of which nothing is known.
    fn opaque(&mut self, index: usize) -> Type {
        while self.variables.opaque.len() <= index {
            let name = self.made_name("type");
            let span = Span::new(self.file(), 0, 0);
            let data = ConstructorData { name, arity: 0, attributes: Vec::new(), span };
            let constructor = self.program.constructors.push(data);
            let ty = self.program.types.named(constructor, []);
            self.variables.opaque.push(ty);
        }
        self.variables.opaque[index]
    }

    /// All lists of so many types of the universe and unknown types; nothing if there are too many.
    fn tuples(&mut self, count: usize, opaque: usize) -> Option<Vec<Vec<Type>>> {
        let mut types = self.variables.universe.clone();
        for index in 0..opaque {
            let ty = self.opaque(index);
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
        let mut tuples = vec![Vec::new()];
        for _ in 0..count {
            let longer = tuples.iter().flat_map(|tuple: &Vec<Type>| {
                types.iter().map(|&ty| tuple.iter().copied().chain([ty]).collect::<Vec<Type>>())
            });
            tuples = longer.collect();
            if tuples.len() > MOST_TUPLES {
                return None;
            }
        }
        Some(tuples)
    }

    /// The largest number of type variables of a polymorphic procedure with a body.
    fn procedure_variables(&self) -> usize {
        let generics = self.variables.generics.values().filter(|generic| !generic.bodies.is_empty());
        generics.map(|generic| generic.declaration.signature.variables.len()).max().unwrap_or(0)
    }

    /// A quantifier over types.
    pub(super) fn over_types(
        &mut self,
        binding: &'a Binding,
        position: Position,
        span: Span,
    ) -> Option<Expr> {
        let count = binding.variables.len();
        self.variables.asked.get_or_insert(span);
        if binding.kind == BindingKind::Lambda || self.variables.in_scope + count > MOST_NESTED {
            self.unsupported(Feature::PolymorphicQuantifier, span);
            return None;
        }
        self.variables.in_scope += count;
        let opaque = self.procedure_variables() + self.variables.in_scope;
        let tuples = self.tuples(count, opaque);
        let mut formulas = Some(Vec::new());
        for types in tuples.iter().flatten() {
            let outside = self.type_arguments.clone();
            let own = binding.variables.iter().map(|ident| ident.symbol).zip(types.iter().copied());
            self.type_arguments.splice(0..0, own);
            let formula = self.quantifier_with_types(binding, position, span);
            self.type_arguments = outside;
            match (formula, &mut formulas) {
                (Some(formula), Some(formulas)) => formulas.push(formula),
                _ => {
                    formulas = None;
                    break;
                }
            }
        }
        self.variables.in_scope -= count;
        if tuples.is_none() {
            self.unsupported(Feature::PolymorphicQuantifier, span);
            return None;
        }
        let formulas = formulas?;
        Some(match binding.kind {
            BindingKind::Exists => self.program.or(formulas, span),
            _ => self.program.and(formulas, span),
        })
    }

    /// Remembers a procedure with type variables.
    pub(super) fn declare_generic_procedure(&mut self, declaration: &'a ProcedureDeclaration) {
        let Some((domain, range)) = self.signature_pattern(&declaration.signature) else { return };
        let signature = &declaration.signature;
        let bodies = declaration.body.iter().map(|body| (signature, body)).collect();
        self.variables.names.push(signature.name.symbol);
        let generic = Generic { declaration, domain, range, bodies };
        self.variables.generics.insert(signature.name.symbol, generic);
    }

    fn signature_pattern(&mut self, signature: &Signature) -> Option<(Vec<Type>, Vec<Type>)> {
        let placeholders = self.function_placeholders(&signature.variables);
        let outside = std::mem::replace(&mut self.type_arguments, placeholders);
        let types = self.signature_types(signature);
        self.type_arguments = outside;
        types
    }

    /// Adds the body of an implementation to a polymorphic procedure; whether it is one.
    pub(super) fn implement_generic(&mut self, signature: &'a Signature, body: &'a Body) -> bool {
        let symbol = signature.name.symbol;
        if !self.variables.generics.contains_key(&symbol) {
            return false;
        }
        let pattern = self.signature_pattern(signature);
        let Some(generic) = self.variables.generics.get_mut(&symbol) else { return false };
        let declared = &generic.declaration.signature;
        let fits = declared.variables.len() == signature.variables.len();
        if pattern == Some((generic.domain.clone(), generic.range.clone())) && fits {
            generic.bodies.push((signature, body));
            return true;
        }
        let text = self.ast.name(symbol);
        let message = format!("the parameters and results are not those of procedure `{text}`");
        let declared = declared.name.span;
        self.errors.push(Diagnostic::error(signature.name.span, message).related(declared, "declared here"));
        true
    }

    /// The procedure that a call means: for a polymorphic one, that of the types of arguments and results.
    pub(super) fn called(
        &mut self,
        name: Ident,
        arguments: &[ExprId],
        results: &[Ident],
    ) -> Option<Procedure> {
        let Some(generic) = self.variables.generics.get(&name.symbol).cloned() else {
            return self.known_procedure(name);
        };
        let values = self.exprs(arguments)?;
        let mut bindings = vec![None; generic.declaration.signature.variables.len()];
        for (&pattern, &value) in generic.domain.iter().zip(&values) {
            self.unify_function(pattern, self.program.ty(value), &mut bindings);
        }
        for (&pattern, result) in generic.range.iter().zip(results) {
            if let Some(Entry::Known(variable)) = self.scopes.find(result.symbol) {
                self.unify_function(pattern, self.program.variables[variable].ty, &mut bindings);
            }
        }
        let Some(types) = bindings.into_iter().collect::<Option<Vec<Type>>>() else {
            self.unsupported(Feature::PolymorphicProcedure, name.span);
            return None;
        };
        self.procedure_copy(name.symbol, types)
    }

    fn procedure_copy(&mut self, symbol: Symbol, types: Vec<Type>) -> Option<Procedure> {
        if let Some(&copy) = self.variables.copies.get(&(symbol, types.clone())) {
            return copy;
        }
        let declaration = self.variables.generics.get(&symbol)?.declaration;
        let signature = &declaration.signature;
        if self.variables.copies.len() >= MOST_COPIES {
            self.unsupported(Feature::PolymorphicProcedure, signature.name.span);
            return None;
        }
        self.use_types(&types);
        let arguments = arguments_of(signature, &types);
        let outside = std::mem::replace(&mut self.type_arguments, arguments);
        let procedure = self.procedure_signature(signature);
        self.type_arguments = outside;
        if let Some(procedure) = procedure {
            self.program.procedures[procedure].name = self.fresh_name(symbol);
            self.variables.pending.push(Pending { symbol, procedure, types: types.clone() });
        }
        self.variables.copies.insert((symbol, types), procedure);
        procedure
    }

    /// Makes the copies with which executions begin.
    pub(super) fn generic_entries(&mut self) {
        let has_variables =
            |kind: &TypeKind| matches!(kind, TypeKind::Map { variables, .. } if !variables.is_empty());
        let maps = self.ast.types.values().any(|node| has_variables(&node.kind));
        for symbol in self.variables.names.clone() {
            let Some(generic) = self.variables.generics.get(&symbol).cloned() else { continue };
            if generic.bodies.is_empty() {
                continue;
            }
            let signature = &generic.declaration.signature;
            let count = signature.variables.len();
            let opaque: Vec<Type> = (0..count).map(|index| self.opaque(index)).collect();
            if let Some(procedure) = self.procedure_copy(symbol, opaque) {
                self.program.procedures[procedure].name = self.ast.name(symbol).to_owned();
            }
            if !maps {
                continue;
            }
            self.variables.asked.get_or_insert(signature.name.span);
            match self.tuples(count, count) {
                Some(tuples) => {
                    for types in tuples {
                        self.procedure_copy(symbol, types);
                    }
                }
                None => self.unsupported(Feature::PolymorphicProcedure, signature.name.span),
            }
        }
    }

    /// Translates contracts and bodies of copies, which may need more copies; whether there was one.
    pub(super) fn define_procedure_copies(&mut self) -> bool {
        let mut any = false;
        while let Some(Pending { symbol, procedure, types }) = self.variables.pending.pop() {
            any = true;
            let Some(generic) = self.variables.generics.get(&symbol).cloned() else { continue };
            self.type_arguments = arguments_of(&generic.declaration.signature, &types);
            self.specify_as(procedure, generic.declaration);
            self.implement(procedure, &generic.bodies, &types);
            self.type_arguments.clear();
        }
        any
    }
}

/// What the type variables of a signature stand for.
pub(super) fn arguments_of(signature: &Signature, types: &[Type]) -> Vec<(Symbol, Type)> {
    signature.variables.iter().map(|ident| ident.symbol).zip(types.iter().copied()).collect()
}
