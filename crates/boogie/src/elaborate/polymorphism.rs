//! Polymorphic functions and maps, by one copy per type.
//!
//! A polymorphic function is a family of functions, one per list of type arguments; the arguments at a use tell which
//! one is meant, and it becomes a function of its own. A polymorphic map is a family of maps: it becomes a struct
//! ([`structs`](super::structs)) with one field per list of types at which the program uses it, and one field for all
//! others, so that two such maps may differ where the program does not look.
//!
//! Signatures are kept as patterns, in which placeholders stand for the type variables.

use super::structs::Struct;
use super::{Elaborator, count};
use crate::ast::{ExprId, FunctionDeclaration, Ident, TypeId};
use crate::features::Feature;
use crate::symbols::Symbol;
use base::{Diagnostic, Span};
use ir::{ConstructorData, Expr, Function, Type, TypeData};
use rustc_hash::FxHashMap;

/// How many copies of polymorphic functions there may be.
const MOST_COPIES: usize = 10_000;

/// What is known about polymorphic things.
#[derive(Default)]
pub(super) struct Polymorphism<'a> {
    /// The types that stand for type variables in patterns: of functions, and of maps.
    placeholders: [Vec<Type>; 2],
    functions: FxHashMap<Symbol, Generic<'a>>,
    copies: FxHashMap<(Symbol, Vec<Type>), Option<Function>>,
    /// Copies whose bodies are still to be translated.
    pending: Vec<(&'a FunctionDeclaration, Function, Vec<Type>)>,
    maps: FxHashMap<Type, Pattern>,
    by_pattern: FxHashMap<Pattern, Type>,
}

/// A polymorphic function.
#[derive(Clone)]
struct Generic<'a> {
    declaration: &'a FunctionDeclaration,
    domain: Vec<Type>,
    result: Type,
}

/// Argument types and result type of a map, with placeholders for the type variables.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Pattern {
    variables: usize,
    domain: Vec<Type>,
    range: Type,
}

/// Argument types and result type of a function or constructor, with placeholders for the type variables.
pub(super) struct Application {
    variables: usize,
    domain: Vec<Type>,
    result: Type,
}

/// Whose type variables placeholders stand for.
#[derive(Clone, Copy)]
enum Of {
    Function = 0,
    Map = 1,
}

impl<'a> Elaborator<'a> {
    fn placeholder(&mut self, of: Of, index: usize, span: Span) -> Type {
        while self.polymorphism.placeholders[of as usize].len() <= index {
            let name = format!("{}#{index}", ["variable", "index"][of as usize]);
            let constructor = self.program.constructors.push(ConstructorData {
                name,
                arity: 0,
                attributes: Vec::new(),
                span,
            });
            let ty = self.program.types.named(constructor, []);
            self.polymorphism.placeholders[of as usize].push(ty);
        }
        self.polymorphism.placeholders[of as usize][index]
    }

    fn with_placeholders(&mut self, of: Of, variables: &[Ident]) -> Vec<(Symbol, Type)> {
        let variables = variables.iter().enumerate();
        variables.map(|(index, ident)| (ident.symbol, self.placeholder(of, index, ident.span))).collect()
    }

    /// Placeholders for the type variables of functions and procedures.
    pub(super) fn function_placeholders(&mut self, variables: &[Ident]) -> Vec<(Symbol, Type)> {
        self.with_placeholders(Of::Function, variables)
    }

    /// Makes a type fit a pattern of a function or procedure. One that does not fit is found when types are compared.
    pub(super) fn unify_function(&self, pattern: Type, ty: Type, bindings: &mut [Option<Type>]) {
        self.unify(Of::Function, pattern, ty, bindings);
    }

    /// Remembers a function with type variables; whether its signature has a meaning.
    pub(super) fn declare_generic(&mut self, declaration: &'a FunctionDeclaration) {
        let outside = std::mem::take(&mut self.type_arguments);
        self.type_arguments = self.with_placeholders(Of::Function, &declaration.variables);
        let mut domain = Vec::with_capacity(declaration.parameters.len());
        for parameter in &declaration.parameters {
            domain.push(self.declared_type(parameter));
        }
        let result = self.declared_type(&declaration.result);
        self.type_arguments = outside;
        if let (Some(domain), Some(result)) = (domain.into_iter().collect::<Option<Vec<Type>>>(), result) {
            let generic = Generic { declaration, domain, result };
            self.polymorphism.functions.insert(declaration.name.symbol, generic);
        }
    }

    /// The types for type parameters that make patterns fit some types; nothing for those that the patterns do not
    /// mention. A type that fits no pattern is left to be found when the types are compared.
    pub(super) fn type_arguments_of(
        &mut self,
        parameters: &[Ident],
        patterns: &[TypeId],
        types: &[Type],
    ) -> Option<Vec<Option<Type>>> {
        if parameters.is_empty() {
            return Some(Vec::new());
        }
        let placeholders = self.with_placeholders(Of::Function, parameters);
        let outside = std::mem::replace(&mut self.type_arguments, placeholders);
        let patterns: Vec<Option<Type>> = patterns.iter().map(|&pattern| self.ty(pattern)).collect();
        self.type_arguments = outside;
        let mut bindings = vec![None; parameters.len()];
        for (pattern, &ty) in patterns.into_iter().collect::<Option<Vec<Type>>>()?.into_iter().zip(types) {
            self.unify(Of::Function, pattern, ty, &mut bindings);
        }
        Some(bindings)
    }

    /// The types of the arguments and the result of a polymorphic function or constructor.
    pub(super) fn application_pattern(&mut self, name: Symbol) -> Option<Application> {
        if let Some(generic) = self.polymorphism.functions.get(&name) {
            let variables = generic.declaration.variables.len();
            let (domain, result) = (generic.domain.clone(), generic.result);
            return Some(Application { variables, domain, result });
        }
        let (constructor, parameters, fields) = self.constructor_parts(name)?;
        let placeholders = self.with_placeholders(Of::Function, &parameters);
        let types: Vec<Type> = placeholders.iter().map(|&(_, ty)| ty).collect();
        let outside = std::mem::replace(&mut self.type_arguments, placeholders);
        let domain: Vec<Option<Type>> = fields.into_iter().map(|field| self.ty(field)).collect();
        self.type_arguments = outside;
        let result = self.program.types.named(constructor, types);
        let domain = domain.into_iter().collect::<Option<_>>()?;
        Some(Application { variables: parameters.len(), domain, result })
    }

    /// The types of all arguments, given those of some and that of the result, as far as they tell.
    pub(super) fn arguments_wanted(
        &mut self,
        pattern: &Application,
        known: &[Option<Type>],
        wanted: Option<Type>,
    ) -> Vec<Option<Type>> {
        let mut bindings = vec![None; pattern.variables];
        let pairs = pattern.domain.iter().copied().zip(known.iter().copied());
        for (pattern, ty) in pairs.chain([(pattern.result, wanted)]) {
            if let Some(ty) = ty {
                self.unify(Of::Function, pattern, ty, &mut bindings);
            }
        }
        match bindings.into_iter().collect::<Option<Vec<Type>>>() {
            Some(types) => {
                pattern.domain.iter().map(|&ty| Some(self.instantiate(Of::Function, ty, &types))).collect()
            }
            None => vec![None; pattern.domain.len()],
        }
    }

    /// Whether a type is a pattern.
    pub(super) fn mentions_placeholder(&self, ty: Type) -> bool {
        let mut pending = vec![ty];
        while let Some(ty) = pending.pop() {
            if self.polymorphism.placeholders.iter().flatten().any(|&placeholder| placeholder == ty) {
                return true;
            }
            match &self.program.types[ty] {
                TypeData::Map { domain, range } => pending.extend(domain.iter().chain([range])),
                TypeData::Named { arguments, .. } => pending.extend(arguments.iter()),
                _ => {}
            }
        }
        false
    }

    /// The copy of a polymorphic function for the types of some arguments; nothing if there is no such function, or
    /// if it cannot be used, which is reported.
    pub(super) fn copy_for(
        &mut self,
        name: Ident,
        arguments: &[ExprId],
        wanted: Option<Type>,
        span: Span,
    ) -> Option<Function> {
        let Generic { declaration, domain, result } = self.polymorphism.functions.get(&name.symbol)?.clone();
        let mut types = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            types.push(self.program.ty(self.value(argument)?));
        }
        if types.len() != domain.len() {
            let message = format!(
                "function `{}` has {}, but is given {}",
                self.ast.name(name.symbol),
                count(domain.len(), "parameter"),
                count(types.len(), "argument")
            );
            self.errors
                .push(Diagnostic::error(span, message).related(declaration.name.span, "declared here"));
            return None;
        }
        let mut bindings = vec![None; declaration.variables.len()];
        for (&pattern, &ty) in domain.iter().zip(&types) {
            if !self.unify(Of::Function, pattern, ty, &mut bindings) {
                let text = self.type_text(ty);
                let message = format!("an argument of type {text} does not fit the declaration");
                self.errors
                    .push(Diagnostic::error(span, message).related(declaration.name.span, "declared here"));
                return None;
            }
        }
        if bindings.contains(&None)
            && let Some(wanted) = wanted
        {
            self.unify(Of::Function, result, wanted, &mut bindings);
        }
        let Some(types) = bindings.into_iter().collect::<Option<Vec<Type>>>() else {
            // Neither the arguments nor what is expected tell which function is meant.
            self.unsupported(Feature::PolymorphicFunction, name.span);
            return None;
        };
        self.copy(declaration, types)
    }

    fn copy(&mut self, declaration: &'a FunctionDeclaration, types: Vec<Type>) -> Option<Function> {
        let symbol = declaration.name.symbol;
        if let Some(&copy) = self.polymorphism.copies.get(&(symbol, types.clone())) {
            return copy;
        }
        if self.polymorphism.copies.len() >= MOST_COPIES {
            self.unsupported(Feature::PolymorphicFunction, declaration.name.span);
            return None;
        }
        self.use_types(&types);
        let outside = std::mem::take(&mut self.type_arguments);
        self.type_arguments = arguments_of(declaration, &types);
        let function = self.function_signature(declaration);
        self.type_arguments = outside;
        if let Some(function) = function {
            self.program.functions[function].name = self.fresh_name(symbol);
            self.polymorphism.pending.push((declaration, function, types.clone()));
        }
        self.polymorphism.copies.insert((symbol, types), function);
        function
    }

    /// Translates the bodies of all copies, which may need more copies.
    pub(super) fn define_copies(&mut self) {
        while let Some((declaration, function, types)) = self.polymorphism.pending.pop() {
            self.type_arguments = arguments_of(declaration, &types);
            self.define_function_as(function, declaration);
            self.type_arguments.clear();
        }
    }

    /// Makes a type fit a pattern; whether that is possible.
    fn unify(&self, of: Of, pattern: Type, ty: Type, bindings: &mut [Option<Type>]) -> bool {
        let placeholders = &self.polymorphism.placeholders[of as usize][..bindings.len()];
        let mut pending = vec![(pattern, ty)];
        while let Some((pattern, ty)) = pending.pop() {
            if let Some(variable) = placeholders.iter().position(|&placeholder| placeholder == pattern) {
                if *bindings[variable].get_or_insert(ty) != ty {
                    return false;
                }
                continue;
            }
            match (&self.program.types[pattern], &self.program.types[ty]) {
                _ if pattern == ty => {}
                (TypeData::Map { domain, range }, TypeData::Map { domain: other, range: result })
                    if domain.len() == other.len() =>
                {
                    pending.extend(domain.iter().copied().zip(other.iter().copied()));
                    pending.push((*range, *result));
                }
                (
                    TypeData::Named { constructor, arguments },
                    TypeData::Named { constructor: other, arguments: others },
                ) if constructor == other => {
                    pending.extend(arguments.iter().copied().zip(others.iter().copied()));
                }
                _ => return false,
            }
        }
        true
    }

    /// A pattern with types for its placeholders. The recursion is as deep as the type.
    fn instantiate(&mut self, of: Of, pattern: Type, types: &[Type]) -> Type {
        let placeholders = &self.polymorphism.placeholders[of as usize][..types.len()];
        if let Some(variable) = placeholders.iter().position(|&placeholder| placeholder == pattern) {
            return types[variable];
        }
        match self.program.types[pattern].clone() {
            TypeData::Map { domain, range } => {
                let domain: Vec<Type> = domain.iter().map(|&ty| self.instantiate(of, ty, types)).collect();
                let range = self.instantiate(of, range, types);
                self.program.types.map(domain, range)
            }
            TypeData::Named { constructor, arguments } => {
                let arguments: Vec<Type> =
                    arguments.iter().map(|&ty| self.instantiate(of, ty, types)).collect();
                self.program.types.named(constructor, arguments)
            }
            _ => pattern,
        }
    }

    /// The struct type of a polymorphic map type.
    pub(super) fn polymorphic_map(
        &mut self,
        variables: &[Ident],
        (domain, range): (&[TypeId], TypeId),
        parameters: &[(Symbol, Type)],
        (depth, span): (u32, Span),
    ) -> Option<Type> {
        // A map inside whose type speaks of the variables of the outer one would need patterns of patterns.
        if self.inside_polymorphic_map {
            self.unsupported(Feature::PolymorphicMap, span);
            return None;
        }
        self.inside_polymorphic_map = true;
        let mut parameters = parameters.to_vec();
        parameters.splice(0..0, self.with_placeholders(Of::Map, variables));
        let domain: Vec<Option<Type>> =
            domain.iter().map(|&ty| self.resolve(ty, &parameters, depth + 1)).collect();
        let range = self.resolve(range, &parameters, depth + 1);
        self.inside_polymorphic_map = false;
        let pattern = Pattern {
            variables: variables.len(),
            domain: domain.into_iter().collect::<Option<_>>()?,
            range: range?,
        };
        if let Some(&ty) = self.polymorphism.by_pattern.get(&pattern) {
            return Some(ty);
        }
        let ty = self.open_struct(variables[0].symbol, span);
        self.polymorphism.by_pattern.insert(pattern.clone(), ty);
        self.polymorphism.maps.insert(ty, pattern);
        Some(ty)
    }

    pub(super) fn is_polymorphic_map(&self, ty: Type) -> bool {
        self.polymorphism.maps.contains_key(&ty)
    }

    /// The field of a polymorphic map for the types of some arguments.
    fn field_for(&mut self, map: Expr, arguments: &[Expr], span: Span) -> Option<(Struct, usize)> {
        let ty = self.program.ty(map);
        let pattern = self.polymorphism.maps.get(&ty)?.clone();
        if pattern.domain.len() != arguments.len() {
            let message = format!(
                "the map takes {}, but is given {}",
                count(pattern.domain.len(), "argument"),
                arguments.len()
            );
            self.error(span, message);
            return None;
        }
        let mut bindings = vec![None; pattern.variables];
        let domain: Vec<Type> = arguments.iter().map(|&argument| self.program.ty(argument)).collect();
        for (&pattern, &ty) in pattern.domain.iter().zip(&domain) {
            if !self.unify(Of::Map, pattern, ty, &mut bindings) {
                let message = format!("an argument of type {} does not fit the map", self.type_text(ty));
                self.error(span, message);
                return None;
            }
        }
        let Some(types) = bindings.into_iter().collect::<Option<Vec<Type>>>() else {
            self.unsupported(Feature::PolymorphicMap, span);
            return None;
        };
        self.use_types(&types);
        let range = self.instantiate(Of::Map, pattern.range, &types);
        let field = self.program.types.map(domain, range);
        self.open_field(ty, field, span)
    }

    /// `map[arguments]` of a polymorphic map.
    pub(super) fn polymorphic_select(&mut self, map: Expr, arguments: Vec<Expr>, span: Span) -> Option<Expr> {
        let (data, field) = self.field_for(map, &arguments, span)?;
        let map = self.program.apply(data.select[field], [map], span);
        Some(self.program.select(map, arguments, span))
    }

    /// `map[arguments := value]` of a polymorphic map.
    pub(super) fn polymorphic_store(
        &mut self,
        map: Expr,
        arguments: Vec<Expr>,
        value: Expr,
        span: Span,
    ) -> Option<Expr> {
        let (data, field) = self.field_for(map, &arguments, span)?;
        let inner = self.program.apply(data.select[field], [map], span);
        let inner = self.store(inner, arguments, value, span)?;
        Some(self.program.apply(data.update[field], [map, inner], span))
    }
}

fn arguments_of(declaration: &FunctionDeclaration, types: &[Type]) -> Vec<(Symbol, Type)> {
    declaration.variables.iter().map(|ident| ident.symbol).zip(types.iter().copied()).collect()
}
