//! Type expressions to interned types; synonyms are expanded.
//!
//! Guards against sources that are small but mean huge types: at most [`MAX_DEPTH`] steps of nesting and
//! expansion, and at most [`MAX_SIZE`] nodes when written out.

use super::scopes::Position;
use super::{Elaborator, count};
use crate::ast::{Declaration, Ident, TypeDeclaration, TypeId, TypeKind, VariableDeclaration};
use crate::features::Feature;
use crate::symbols::Symbol;
use base::{Diagnostic, SecondaryMap, Span};
use ir::{ConstructorData, Type, TypeConstructor, TypeData};
use rustc_hash::FxHashMap;
use std::hash::Hash;

const MAX_DEPTH: u32 = 500;
const MAX_SIZE: u64 = 100_000;

/// The widest bit-vector that is taken.
pub(super) const MAX_WIDTH: u32 = 1 << 16;

#[derive(Default)]
pub(super) struct TypeTable {
    declared: SecondaryMap<Symbol, Option<Declared>>,
    /// The size of every type when written out.
    sizes: SecondaryMap<Type, u64>,
}

#[derive(Clone, Copy)]
struct Declared {
    /// The position among the declarations of the file.
    index: usize,
    meaning: Meaning,
}

#[derive(Clone, Copy)]
enum Meaning {
    Constructor(TypeConstructor),
    /// A synonym; its type is known once it was needed, if it has no parameters.
    Synonym(Synonym),
}

#[derive(Clone, Copy)]
enum Synonym {
    Untouched,
    InProgress,
    Known(Option<Type>),
}

impl<'a> Elaborator<'a> {
    pub(super) fn declare_types(&mut self) {
        for (index, declaration) in self.ast.declarations.iter().enumerate() {
            let Declaration::Type(declaration) = declaration else { continue };
            let symbol = declaration.name.symbol;
            if let Some(before) = self.types.declared[symbol] {
                let before = self.type_declaration(before.index).name.span;
                self.declared_twice("type", symbol, declaration.name.span, before);
                continue;
            }
            if let Some((position, twice)) = repeated(&declaration.parameters, |ident| ident.symbol)
                && self.ast.name(twice.symbol) != "_"
            {
                let before = declaration.parameters[position].span;
                self.declared_twice("type parameter", twice.symbol, twice.span, before);
            }
            let meaning = match declaration.definition {
                Some(_) => Meaning::Synonym(Synonym::Untouched),
                None => {
                    let constructor = ConstructorData {
                        name: self.ast.name(symbol).to_owned(),
                        arity: declaration.parameters.len() as u32,
                        attributes: Vec::new(),
                        span: declaration.name.span,
                    };
                    Meaning::Constructor(self.program.constructors.push(constructor))
                }
            };
            self.types.declared[symbol] = Some(Declared { index, meaning });
        }
        // A synonym is checked even if nothing uses it.
        for declaration in &self.ast.declarations {
            if let Declaration::Type(TypeDeclaration { name, parameters, definition: Some(_), .. }) =
                declaration
                && parameters.is_empty()
            {
                self.synonym(name.symbol, name.span, &[], 0);
            }
        }
    }

    /// The constructor that a name stands for; nothing for synonyms and names that are not declared.
    pub(super) fn type_constructor(&self, symbol: Symbol) -> Option<TypeConstructor> {
        match self.types.declared[symbol]?.meaning {
            Meaning::Constructor(constructor) => Some(constructor),
            Meaning::Synonym(_) => None,
        }
    }

    /// What a synonym stands for.
    pub(super) fn definition_of(&self, symbol: Symbol) -> Option<TypeId> {
        self.type_declaration(self.types.declared[symbol]?.index).definition
    }

    pub(super) fn type_attributes(&mut self, declaration: &'a TypeDeclaration) {
        let Some(Declared { meaning: Meaning::Constructor(constructor), .. }) =
            self.types.declared[declaration.name.symbol]
        else {
            return;
        };
        self.program.constructors[constructor].attributes =
            self.attributes(&declaration.attributes, Position::Axiom);
    }

    fn type_declaration(&self, index: usize) -> &'a TypeDeclaration {
        match &self.ast.declarations[index] {
            Declaration::Type(declaration) => declaration,
            other => unreachable!("the index was taken from a type declaration, not from {other:?}"),
        }
    }

    /// The type of a declaration; nothing if there was a mistake in it, which is reported here.
    pub(super) fn declared_type(&mut self, declaration: &VariableDeclaration) -> Option<Type> {
        self.ty(declaration.ty)
    }

    pub(super) fn ty(&mut self, ty: TypeId) -> Option<Type> {
        let arguments = self.type_arguments.clone();
        self.resolve(ty, &arguments, 0)
    }

    /// `parameters` are the type variables in scope with their types.
    pub(super) fn resolve(&mut self, ty: TypeId, parameters: &[(Symbol, Type)], depth: u32) -> Option<Type> {
        let node = &self.ast.types[ty];
        if depth > MAX_DEPTH {
            self.error(node.span, format!("the type is nested more than {MAX_DEPTH} deep"));
            return None;
        }
        let data = match &node.kind {
            TypeKind::Int => return Some(Type::INT),
            TypeKind::Bool => return Some(Type::BOOL),
            TypeKind::Real => return Some(Type::REAL),
            TypeKind::Named(symbol, arguments) => {
                if arguments.is_empty()
                    && let Some(&(_, ty)) = parameters.iter().find(|(name, _)| name == symbol)
                {
                    return Some(ty);
                }
                let mut types = Vec::with_capacity(arguments.len());
                for &argument in arguments {
                    types.push(self.resolve(argument, parameters, depth + 1));
                }
                let arguments: Vec<Type> = types.into_iter().collect::<Option<_>>()?;
                return self.named(*symbol, node.span, arguments, depth);
            }
            TypeKind::Map { variables, domain, range } => {
                if !variables.is_empty() {
                    return self.polymorphic_map(variables, (domain, *range), parameters, (depth, node.span));
                }
                let mut types = Vec::with_capacity(domain.len());
                for &argument in domain {
                    types.push(self.resolve(argument, parameters, depth + 1));
                }
                let range = self.resolve(*range, parameters, depth + 1);
                let domain: Vec<Type> = types.into_iter().collect::<Option<_>>()?;
                TypeData::Map { domain: domain.into(), range: range? }
            }
            TypeKind::Struct(fields) => {
                let names: Vec<Ident> = fields.iter().map(|&(name, _)| name).collect();
                self.distinct_fields(&names)?;
                let mut types = Vec::with_capacity(fields.len());
                for &(name, ty) in fields {
                    types.push(self.resolve(ty, parameters, depth + 1).map(|ty| (name.symbol, ty)));
                }
                let types: Vec<(Symbol, Type)> = types.into_iter().collect::<Option<_>>()?;
                return Some(self.struct_type(types, node.span));
            }
        };
        self.intern(data, node.span)
    }

    fn intern(&mut self, data: TypeData, span: Span) -> Option<Type> {
        let size = |ty: Type| self.types.sizes[ty].max(1);
        let total = match &data {
            TypeData::Map { domain, range } => domain.iter().map(|&ty| size(ty)).sum::<u64>() + size(*range),
            TypeData::Named { arguments, .. } => arguments.iter().map(|&ty| size(ty)).sum(),
            _ => 0,
        };
        if total >= MAX_SIZE {
            self.error(span, format!("the type has more than {MAX_SIZE} parts"));
            return None;
        }
        let ty = self.program.types.intern(data);
        self.types.sizes[ty] = total + 1;
        Some(ty)
    }

    fn named(&mut self, symbol: Symbol, span: Span, arguments: Vec<Type>, depth: u32) -> Option<Type> {
        let Some(declared) = self.types.declared[symbol] else {
            return self.predefined(symbol, span);
        };
        let declaration = self.type_declaration(declared.index);
        if arguments.len() != declaration.parameters.len() {
            let message = format!(
                "type `{}` has {}, but is given {}",
                self.ast.name(symbol),
                count(declaration.parameters.len(), "parameter"),
                count(arguments.len(), "argument")
            );
            self.errors
                .push(Diagnostic::error(span, message).related(declaration.name.span, "declared here"));
            return None;
        }
        match declared.meaning {
            Meaning::Constructor(constructor) => {
                self.intern(TypeData::Named { constructor, arguments: arguments.into() }, span)
            }
            Meaning::Synonym(_) => self.synonym(symbol, span, &arguments, depth),
        }
    }

    fn synonym(&mut self, symbol: Symbol, span: Span, arguments: &[Type], depth: u32) -> Option<Type> {
        let Some(Declared { index, meaning: Meaning::Synonym(state) }) = self.types.declared[symbol] else {
            return None;
        };
        match state {
            Synonym::Known(ty) if arguments.is_empty() => return ty,
            Synonym::InProgress => {
                self.error(span, format!("type synonym `{}` is defined by itself", self.ast.name(symbol)));
                return None;
            }
            Synonym::Untouched | Synonym::Known(_) => {}
        }
        let declaration = self.type_declaration(index);
        let definition = declaration.definition?;
        let parameters: Vec<(Symbol, Type)> =
            declaration.parameters.iter().map(|ident| ident.symbol).zip(arguments.iter().copied()).collect();
        self.set_synonym(symbol, index, Synonym::InProgress);
        let ty = self.resolve(definition, &parameters, depth + 1);
        self.set_synonym(symbol, index, Synonym::Known(ty));
        ty
    }

    fn set_synonym(&mut self, symbol: Symbol, index: usize, state: Synonym) {
        self.types.declared[symbol] = Some(Declared { index, meaning: Meaning::Synonym(state) });
    }

    /// Names that are not declared: bit-vectors, and types of the solver.
    fn predefined(&mut self, symbol: Symbol, span: Span) -> Option<Type> {
        let name = self.ast.name(symbol);
        if let Some(width) = name.strip_prefix("bv")
            && !width.is_empty()
            && width.bytes().all(|byte| byte.is_ascii_digit())
        {
            let width = self.width(width, span)?;
            return self.intern(TypeData::BitVec(width), span);
        }
        if let Some(ty) = self.float_type(symbol, span) {
            return ty;
        }
        if name == "rmode" {
            return Some(self.mode_type(span));
        }
        if ["string", "regex"].contains(&name) {
            self.unsupported(Feature::SolverType(name.to_owned()), span);
        } else {
            self.error(span, format!("type `{name}` is not declared"));
        }
        None
    }

    /// The width of a bit-vector.
    pub(super) fn width(&mut self, digits: &str, span: Span) -> Option<u32> {
        match digits.parse() {
            Ok(width) if width <= MAX_WIDTH => Some(width),
            _ => {
                self.unsupported(Feature::WideBitVector, span);
                None
            }
        }
    }
}

/// The first item whose key occurred before, with the position of the earlier one.
pub(super) fn repeated<T: Copy, K: Eq + Hash>(items: &[T], key: impl Fn(&T) -> K) -> Option<(usize, T)> {
    let mut seen = FxHashMap::default();
    items.iter().enumerate().find_map(|(index, item)| {
        let before = seen.insert(key(item), index)?;
        Some((before, *item))
    })
}
