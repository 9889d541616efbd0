//! Datatypes: constructors, tests and fields.
//!
//! `datatype T { C(x: int), D() }`, and the older notation by the attributes `datatype` and `constructor`, whose tests
//! are `is#C(t)` and whose fields are `x#C(t)`. The intermediate language has no datatypes, so there are two ways:
//!
//! * A datatype whose values contain no values of itself becomes a struct ([`structs`](super::structs)): one field says
//!   by which constructor a value was made, and every constructor has fields of its own. Two structs may stand for one
//!   value, as they may differ in the fields of other constructors; so where values are compared, where they are
//!   arguments of functions, and where they are indices of maps, all other fields get fixed values
//!   ([`expand`](super::expand)).
//! * A recursive datatype becomes a type with functions and axioms: constructors are injective and different, every
//!   value was made by one of them, and fields are smaller than what contains them. Values are then finite trees, as
//!   integers cannot fall forever. Where the recursion goes through a map or another datatype, nothing is said about
//!   sizes; then there may be values that contain themselves, and an execution with one proves nothing.
//!
//! The field of a value that was made by another constructor is some value that depends on the value only.

mod recursive;

use super::structs::{Normal, Struct};
use super::{Elaborator, Entry, count};
use crate::ast::{Attribute, Declaration, ExprId, FunctionDeclaration, Ident, TypeId, TypeKind};
use crate::features::Feature;
use crate::symbols::Symbol;
use base::{Diagnostic, Span};
use ir::{BinaryOp, Expr, Function, FunctionData, Meaning, Type, TypeConstructor, TypeData, VariableKind};
use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// All datatypes of a file.
#[derive(Default)]
pub(super) struct Datatypes {
    declared: Vec<Declared>,
    by_type: FxHashMap<TypeConstructor, usize>,
    /// The datatype and the position of each constructor.
    by_name: FxHashMap<Symbol, (usize, usize)>,
    instances: FxHashMap<Type, Rc<Instance>>,
    functions: FxHashMap<Type, Rc<Functions>>,
    /// The functions that say what the fields of other constructors are.
    elsewhere: FxHashMap<(Type, usize, usize), Function>,
    /// How large the values of recursive datatypes are.
    sizes: FxHashMap<Type, Function>,
}

/// How many datatypes with types for their parameters there may be: a declaration may need more and more of them.
const MOST_INSTANCES: usize = 10_000;

/// A datatype as it was declared.
struct Declared {
    constructors: Vec<Constructor>,
    recursive: bool,
    ty: TypeConstructor,
}

/// A constructor as it was declared.
#[derive(Clone)]
struct Constructor {
    name: Ident,
    /// The names of the type's arguments in this declaration.
    parameters: Vec<Ident>,
    fields: Vec<(Ident, TypeId)>,
}

/// A datatype with types for its parameters.
pub(super) struct Instance {
    declared: usize,
    constructors: Vec<ConstructorInstance>,
    /// Whether it is a struct; if so, the first field of the struct tells the constructor, if there is a choice.
    is_struct: bool,
    has_tag: bool,
}

struct ConstructorInstance {
    name: Symbol,
    fields: Vec<(Symbol, Type)>,
    /// The position of the first field in the struct.
    first: usize,
}

/// A field: the position of its constructor, and its own position there.
#[derive(Clone, Copy)]
struct FieldPlace {
    position: usize,
    index: usize,
}

/// Where a datatype has a field: constructors with the positions of the field among theirs.
struct Owners {
    ty: Type,
    instance: Rc<Instance>,
    places: Vec<FieldPlace>,
}

/// The functions of a recursive datatype.
struct Functions {
    tag: Function,
    make: Vec<Function>,
    select: Vec<Vec<Function>>,
}

impl<'a> Elaborator<'a> {
    /// Finds all datatypes. Their types are declared; no function is.
    pub(super) fn collect_datatypes(&mut self) {
        let ast = self.ast;
        for declaration in &ast.declarations {
            let Declaration::Type(declaration) = declaration else { continue };
            let is_old = declaration.definition.is_none()
                && declaration.attributes.iter().any(|one| self.ast_truth(one, "datatype") == Some(true));
            if declaration.constructors.is_none() && !is_old {
                continue;
            }
            let Some(ty) = self.type_constructor(declaration.name.symbol) else { continue };
            let constructors = declaration.constructors.iter().flatten().map(|constructor| Constructor {
                name: constructor.name,
                parameters: declaration.parameters.clone(),
                fields: constructor.fields.iter().filter_map(|field| Some((field.name?, field.ty))).collect(),
            });
            let constructors: Vec<Constructor> = constructors.collect();
            if self.datatypes.by_type.contains_key(&ty) {
                continue;
            }
            let number = self.datatypes.declared.len();
            self.datatypes.by_type.insert(ty, number);
            self.datatypes.declared.push(Declared { constructors: Vec::new(), recursive: false, ty });
            for constructor in constructors {
                self.add_constructor(number, constructor);
            }
        }
        for declaration in &ast.declarations {
            if let Declaration::Function(function) = declaration
                && self.is_constructor(function)
            {
                self.old_constructor(function);
            }
        }
        self.find_recursion();
        self.check_values();
    }

    /// Refuses datatypes without values: a value of each would contain another one, without end.
    fn check_values(&mut self) {
        let count = self.datatypes.declared.len();
        let mut has_values = vec![false; count];
        loop {
            let before = has_values.clone();
            for (number, declared) in self.datatypes.declared.iter().enumerate() {
                let mut constructors = declared.constructors.iter();
                has_values[number] |= constructors.any(|constructor| {
                    constructor.fields.iter().all(|&(_, ty)| self.has_values(ty, &before))
                });
            }
            if before == has_values {
                break;
            }
        }
        for (number, _) in has_values.iter().enumerate().filter(|(_, has_values)| !**has_values) {
            let declared = &self.datatypes.declared[number];
            // That there is no constructor is said where the type is used.
            let Some(constructor) = declared.constructors.first() else { continue };
            let span = constructor.name.span;
            self.error(span, "the datatype has no values: each would contain another one, without end");
        }
    }

    /// Whether a type has values if these datatypes have. Synonyms that go round in circles have an error of their own.
    fn has_values(&self, ty: TypeId, datatypes: &[bool]) -> bool {
        let (mut pending, mut seen) = (vec![ty], Vec::new());
        while let Some(ty) = pending.pop() {
            match &self.ast.types[ty].kind {
                TypeKind::Named(symbol, _) if !seen.contains(symbol) => {
                    seen.push(*symbol);
                    pending.extend(self.definition_of(*symbol));
                    let number =
                        self.type_constructor(*symbol).and_then(|ty| self.datatypes.by_type.get(&ty));
                    if number.is_some_and(|&number| !datatypes[number]) {
                        return false;
                    }
                }
                TypeKind::Struct(fields) => pending.extend(fields.iter().map(|&(_, ty)| ty)),
                TypeKind::Named(..)
                | TypeKind::Int
                | TypeKind::Bool
                | TypeKind::Real
                | TypeKind::Map { .. } => {}
            }
        }
        true
    }

    /// Whether a function is declared as a constructor by its attribute.
    pub(super) fn is_constructor(&self, function: &FunctionDeclaration) -> bool {
        let is_constructor = |attribute: &Attribute| self.ast_truth(attribute, "constructor") == Some(true);
        function.attributes.iter().any(is_constructor)
    }

    /// `function {:constructor} C<a>(x: int, y: a): T a;`
    fn old_constructor(&mut self, function: &FunctionDeclaration) {
        let result = &self.ast.types[function.result.ty];
        let found = match &result.kind {
            TypeKind::Named(symbol, arguments) => {
                let number = self.type_constructor(*symbol).and_then(|ty| self.datatypes.by_type.get(&ty));
                number.map(|&number| (number, arguments))
            }
            _ => None,
        };
        let Some((number, arguments)) = found else {
            self.error(result.span, "a constructor makes values of a type with the attribute `datatype`");
            return;
        };
        // The arguments of the type are the type variables of the function, each once.
        let mut parameters = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            let variable = match &self.ast.types[argument].kind {
                TypeKind::Named(symbol, inner) if inner.is_empty() => {
                    function.variables.iter().copied().find(|variable| variable.symbol == *symbol)
                }
                _ => None,
            };
            parameters.extend(variable);
        }
        if parameters.len() != arguments.len() || function.variables.len() != arguments.len() {
            self.unsupported(Feature::Datatype, result.span);
            return;
        }
        let mut fields = Vec::with_capacity(function.parameters.len());
        for parameter in &function.parameters {
            // A field without a name cannot be asked for, but it is there.
            fields.push((parameter.name.unwrap_or(function.name), parameter.ty));
        }
        self.add_constructor(number, Constructor { name: function.name, parameters, fields });
    }

    fn add_constructor(&mut self, number: usize, constructor: Constructor) {
        let name = constructor.name;
        if let Some((_, before)) = self.functions[name.symbol] {
            self.declared_twice("function", name.symbol, name.span, before);
            return;
        }
        self.functions[name.symbol] = Some((Entry::Broken, name.span));
        let constructors = &mut self.datatypes.declared[number].constructors;
        self.datatypes.by_name.insert(name.symbol, (number, constructors.len()));
        constructors.push(constructor);
    }

    /// A datatype is recursive if its declaration leads back to it, be it through synonyms, maps or other datatypes.
    fn find_recursion(&mut self) {
        let count = self.datatypes.declared.len();
        let mut mentioned: Vec<Vec<usize>> = Vec::with_capacity(count);
        for declared in &self.datatypes.declared {
            let fields = declared.constructors.iter().flat_map(|constructor| &constructor.fields);
            mentioned.push(self.mentioned(fields.map(|&(_, ty)| ty).collect()));
        }
        let components = graph::components(count, |node, out| out.extend(&mentioned[node]));
        for component in components.iter() {
            let recursive = component.len() > 1 || mentioned[component[0]].contains(&component[0]);
            for &number in component {
                self.datatypes.declared[number].recursive = recursive;
            }
        }
    }

    /// The datatypes that types mention, through synonyms too.
    fn mentioned(&self, mut pending: Vec<TypeId>) -> Vec<usize> {
        let mut found = Vec::new();
        let mut seen: Vec<Symbol> = Vec::new();
        while let Some(ty) = pending.pop() {
            match &self.ast.types[ty].kind {
                TypeKind::Int | TypeKind::Bool | TypeKind::Real => {}
                TypeKind::Named(symbol, arguments) => {
                    pending.extend(arguments);
                    if seen.contains(symbol) {
                        continue;
                    }
                    seen.push(*symbol);
                    pending.extend(self.definition_of(*symbol));
                    let number =
                        self.type_constructor(*symbol).and_then(|ty| self.datatypes.by_type.get(&ty));
                    found.extend(number);
                }
                TypeKind::Map { domain, range, .. } => pending.extend(domain.iter().chain([range])),
                TypeKind::Struct(fields) => pending.extend(fields.iter().map(|&(_, ty)| ty)),
            }
        }
        found
    }

    /// The datatype of a type, with its fields; nothing for other types.
    pub(super) fn datatype(&mut self, ty: Type) -> Option<Rc<Instance>> {
        if let Some(instance) = self.datatypes.instances.get(&ty) {
            return Some(instance.clone());
        }
        let TypeData::Named { constructor, arguments } = self.program.types[ty].clone() else { return None };
        let &declared = self.datatypes.by_type.get(&constructor)?;
        if self.datatypes.declared[declared].constructors.is_empty() {
            // Only the attribute says so: it is a type like any other.
            return None;
        }
        let span = self.program.constructors[constructor].span;
        let outside = std::mem::take(&mut self.type_arguments);
        let mut constructors = Vec::new();
        let mut fine = true;
        for index in 0..self.datatypes.declared[declared].constructors.len() {
            let constructor = self.datatypes.declared[declared].constructors[index].clone();
            let names = constructor.parameters.iter().map(|ident| ident.symbol);
            self.type_arguments = names.zip(arguments.iter().copied()).collect();
            let mut fields = Vec::with_capacity(constructor.fields.len());
            for &(name, ty) in &constructor.fields {
                match self.ty(ty) {
                    Some(ty) => fields.push((name.symbol, ty)),
                    None => fine = false,
                }
            }
            constructors.push(ConstructorInstance { name: constructor.name.symbol, fields, first: 0 });
        }
        self.type_arguments = outside;
        if !fine {
            return None;
        }
        let is_struct = !self.datatypes.declared[declared].recursive;
        let has_tag = constructors.len() > 1 || constructors[0].fields.is_empty();
        let mut instance = Instance { declared, constructors, is_struct, has_tag };
        if is_struct {
            self.datatype_struct(ty, &mut instance, span);
        }
        let instance = Rc::new(instance);
        self.datatypes.instances.insert(ty, instance.clone());
        Some(instance)
    }

    /// Makes the struct of a datatype.
    fn datatype_struct(&mut self, ty: Type, instance: &mut Instance, span: Span) {
        let mut fields = Vec::new();
        let mut owners = Vec::new();
        if instance.has_tag {
            fields.push((instance.constructors[0].name, Type::INT));
        }
        for (index, constructor) in instance.constructors.iter_mut().enumerate() {
            constructor.first = fields.len();
            fields.extend(&constructor.fields);
            owners.extend(constructor.fields.iter().map(|_| index));
        }
        for &(_, field) in &fields {
            self.default_value(field, span);
        }
        let normal = Normal::Datatype { constructors: instance.constructors.len(), owners };
        self.struct_for(ty, fields, instance.has_tag.then_some(normal), span);
    }

    /// A fixed value of a type.
    fn default_value(&mut self, ty: Type, span: Span) -> Expr {
        match self.program.types[ty] {
            TypeData::Bool => self.program.bool(false, span),
            TypeData::Int => self.program.int(0, span),
            TypeData::Real => self.program.real(Ratio::from(BigInt::from(0)), span),
            TypeData::BitVec(width) => self.program.bit_vector(BigUint::from(0u32), width, span),
            TypeData::Map { .. } | TypeData::Named { .. } => {
                let constant = match self.structs.defaults.get(&ty) {
                    Some(&constant) => constant,
                    None => {
                        let name = self.made_name("unused");
                        let kind = VariableKind::Constant { unique: false };
                        let constant = self.program.new_variable(name, ty, kind, span);
                        self.program.constants.push(constant);
                        self.structs.defaults.insert(ty, constant);
                        constant
                    }
                };
                self.program.variable(constant, span)
            }
        }
    }

    /// The constructor of a name.
    fn constructor(&mut self, name: Ident) -> Option<(usize, usize)> {
        let found = self.datatypes.by_name.get(&name.symbol).copied();
        if found.is_none() {
            self.error(name.span, format!("constructor `{}` is not declared", self.ast.name(name.symbol)));
        }
        found
    }

    /// The type, the type parameters and the types of the fields of a constructor.
    pub(super) fn constructor_parts(
        &self,
        name: Symbol,
    ) -> Option<(TypeConstructor, Vec<Ident>, Vec<TypeId>)> {
        let &(number, position) = self.datatypes.by_name.get(&name)?;
        let declared = &self.datatypes.declared[number];
        let constructor = &declared.constructors[position];
        let fields = constructor.fields.iter().map(|&(_, ty)| ty).collect();
        Some((declared.ty, constructor.parameters.clone(), fields))
    }

    /// The datatype of an expression, which must have one.
    fn datatype_of(&mut self, operand: Expr) -> Option<(Type, Rc<Instance>)> {
        let ty = self.program.ty(operand);
        if let Some(instance) = self.datatype(ty) {
            return Some((ty, instance));
        }
        let message = format!("expected a datatype, found type {}", self.type_text(ty));
        self.error(self.program.expressions.span(operand), message);
        None
    }

    /// An application of a constructor, or of a test or field in the old notation; nothing if it is none.
    pub(super) fn apply_datatype(
        &mut self,
        name: Ident,
        arguments: &[ExprId],
        wanted: Option<Type>,
        span: Span,
    ) -> Option<Option<Expr>> {
        if self.datatypes.by_name.is_empty() {
            return None;
        }
        if self.datatypes.by_name.contains_key(&name.symbol) {
            return Some(self.constructor_call(name, arguments, wanted, span));
        }
        let (first, second) = self.ast.name(name.symbol).rsplit_once('#')?;
        let constructor = self.ast.symbols.find(second)?;
        let (_, position) = *self.datatypes.by_name.get(&constructor)?;
        let [argument] = arguments else { return None };
        let operand = self.value(*argument);
        let constructor = Ident { symbol: constructor, span: name.span };
        if first == "is" {
            return Some(operand.and_then(|operand| self.is(operand, constructor, span)));
        }
        let field = self.ast.symbols.find(first)?;
        Some(operand.and_then(|operand| {
            let (ty, instance) = self.datatype_of(operand)?;
            let of = instance.constructors.get(position).filter(|of| of.name == constructor.symbol);
            let index = of.and_then(|of| of.fields.iter().position(|&(name, _)| name == field));
            match index {
                Some(index) => {
                    Some(self.field_of(operand, (ty, &instance), FieldPlace { position, index }, span))
                }
                None => {
                    let text = self.ast.name(name.symbol);
                    self.error(name.span, format!("type {} has no `{text}`", self.type_text(ty)));
                    None
                }
            }
        }))
    }

    fn constructor_call(
        &mut self,
        name: Ident,
        arguments: &[ExprId],
        wanted: Option<Type>,
        span: Span,
    ) -> Option<Expr> {
        let (number, position) = self.constructor(name)?;
        let declared = &self.datatypes.declared[number];
        let (ty, constructor) = (declared.ty, declared.constructors[position].clone());
        if constructor.fields.len() != arguments.len() {
            let message = format!(
                "constructor `{}` has {}, but is given {}",
                self.ast.name(name.symbol),
                count(constructor.fields.len(), "field"),
                count(arguments.len(), "argument")
            );
            self.errors
                .push(Diagnostic::error(span, message).related(constructor.name.span, "declared here"));
            return None;
        }
        let values: Vec<Expr> = arguments.iter().map(|&id| self.value(id)).collect::<Option<_>>()?;
        let types: Vec<Type> = values.iter().map(|&value| self.program.ty(value)).collect();
        let ids: Vec<TypeId> = constructor.fields.iter().map(|&(_, ty)| ty).collect();
        let bindings = self.type_arguments_of(&constructor.parameters, &ids, &types)?;
        let wanted = wanted.and_then(|wanted| match &self.program.types[wanted] {
            TypeData::Named { constructor, arguments } if *constructor == ty => Some(arguments.to_vec()),
            _ => None,
        });
        let known = bindings.into_iter().enumerate();
        let known = known.map(|(index, ty)| ty.or_else(|| Some(wanted.as_ref()?[index])));
        let Some(known) = known.collect::<Option<Vec<Type>>>() else {
            // Nothing tells which type is meant.
            self.unsupported(Feature::PolymorphicFunction, name.span);
            return None;
        };
        let ty = self.program.types.named(ty, known);
        let instance = self.datatype(ty)?;
        for (&value, &(_, field)) in values.iter().zip(&instance.constructors[position].fields) {
            self.expect(value, field)?;
        }
        Some(self.made((ty, &instance), position, values, span))
    }

    /// A value made by a constructor.
    fn made(
        &mut self,
        (ty, instance): (Type, &Instance),
        position: usize,
        values: Vec<Expr>,
        span: Span,
    ) -> Expr {
        if !instance.is_struct {
            let make = self.datatype_functions(ty, instance).make[position];
            return self.program.apply(make, values, span);
        }
        let mut fields = Vec::new();
        if instance.has_tag {
            fields.push(self.program.int(position, span));
        }
        let mut values = Some(values);
        for (index, constructor) in instance.constructors.iter().enumerate() {
            match values.take_if(|_| index == position) {
                Some(values) => fields.extend(values),
                None => {
                    for &(_, field) in &constructor.fields {
                        fields.push(self.default_value(field, span));
                    }
                }
            }
        }
        match self.structs.get(ty).map(|data| data.make) {
            Some(make) => self.program.apply(make, fields, span),
            None => unreachable!("a datatype that is a struct has one"),
        }
    }

    fn raw_field(&mut self, operand: Expr, ty: Type, index: usize, span: Span) -> Expr {
        match self.structs.get(ty).map(|data: &Struct| data.select[index]) {
            Some(select) => self.program.apply(select, [operand], span),
            None => unreachable!("a datatype that is a struct has one"),
        }
    }

    /// `operand is constructor`
    pub(super) fn is(&mut self, operand: Expr, constructor: Ident, span: Span) -> Option<Expr> {
        let (number, position) = self.constructor(constructor)?;
        let (ty, instance) = self.datatype_of(operand)?;
        if instance.declared != number {
            let text = self.ast.name(constructor.symbol);
            let message = format!("`{text}` is no constructor of type {}", self.type_text(ty));
            self.error(constructor.span, message);
            return None;
        }
        Some(self.made_by(operand, (ty, &instance), position, span))
    }

    /// Whether a value was made by a constructor. A struct whose first field is no number of a constructor stands for a
    /// value of the first.
    fn made_by(
        &mut self,
        operand: Expr,
        (ty, instance): (Type, &Instance),
        position: usize,
        span: Span,
    ) -> Expr {
        let count = instance.constructors.len();
        if count == 1 {
            return self.program.bool(true, span);
        }
        let tag = if instance.is_struct {
            self.raw_field(operand, ty, 0, span)
        } else {
            let tag = self.datatype_functions(ty, instance).tag;
            self.program.apply(tag, [operand], span)
        };
        if position > 0 || !instance.is_struct {
            let number = self.program.int(position, span);
            return self.program.equal(tag, number, span);
        }
        let (one, behind) = (self.program.int(1, span), self.program.int(count, span));
        let low = self.program.binary(BinaryOp::Less, tag, one, span);
        let high = self.program.binary(BinaryOp::GreaterEqual, tag, behind, span);
        self.program.or([low, high], span)
    }

    /// The field of a constructor, of a value that any constructor may have made.
    fn field_of(
        &mut self,
        operand: Expr,
        (ty, instance): (Type, &Instance),
        FieldPlace { position, index }: FieldPlace,
        span: Span,
    ) -> Expr {
        if !instance.is_struct {
            let select = self.datatype_functions(ty, instance).select[position][index];
            return self.program.apply(select, [operand], span);
        }
        let constructor = &instance.constructors[position];
        let field = self.raw_field(operand, ty, constructor.first + index, span);
        if instance.constructors.len() == 1 {
            return field;
        }
        let is = self.made_by(operand, (ty, instance), position, span);
        let elsewhere = self.elsewhere(ty, FieldPlace { position, index }, constructor.fields[index].1, span);
        let otherwise = self.program.apply(elsewhere, [operand], span);
        self.program.ite(is, field, otherwise, span)
    }

    /// The function that says what a field is of values that were made by other constructors.
    fn elsewhere(
        &mut self,
        ty: Type,
        FieldPlace { position, index }: FieldPlace,
        field: Type,
        span: Span,
    ) -> Function {
        if let Some(&function) = self.datatypes.elsewhere.get(&(ty, position, index)) {
            return function;
        }
        let function = self.made_function("elsewhere", &[ty], field, span);
        self.datatypes.elsewhere.insert((ty, position, index), function);
        function
    }

    /// Where the constructors of a datatype have a field, in their order.
    fn owners(&mut self, operand: Expr, field: Ident) -> Option<Owners> {
        let (ty, instance) = self.datatype_of(operand)?;
        let mut owners = Vec::new();
        let mut types = Vec::new();
        for (position, constructor) in instance.constructors.iter().enumerate() {
            let index = constructor.fields.iter().position(|&(name, _)| name == field.symbol);
            owners.extend(index.map(|index| FieldPlace { position, index }));
            types.extend(index.map(|index| constructor.fields[index].1));
        }
        let text = self.ast.name(field.symbol);
        if owners.is_empty() {
            let message = format!("type {} has no field `{text}`", self.type_text(ty));
            self.error(field.span, message);
            return None;
        }
        if types.iter().any(|&other| other != types[0]) {
            self.error(field.span, format!("field `{text}` has different types"));
            return None;
        }
        Some(Owners { ty, instance, places: owners })
    }

    /// `operand->field`
    pub(super) fn arrow(&mut self, operand: Expr, field: Ident, span: Span) -> Option<Expr> {
        let Owners { ty, instance, places: owners } = self.owners(operand, field)?;
        let mut owners = owners.into_iter().rev();
        let last = owners.next()?;
        let mut value = self.field_of(operand, (ty, &instance), last, span);
        for place in owners {
            let field = self.field_of(operand, (ty, &instance), place, span);
            let is = self.made_by(operand, (ty, &instance), place.position, span);
            value = self.program.ite(is, field, value, span);
        }
        Some(value)
    }

    /// `operand->(field := value)`; a value of a constructor without the field becomes one of the last that has it.
    pub(super) fn arrow_update(
        &mut self,
        operand: Expr,
        field: Ident,
        value: Expr,
        span: Span,
    ) -> Option<Expr> {
        let Owners { ty, instance, places: owners } = self.owners(operand, field)?;
        let FieldPlace { position, index } = owners[0];
        let value = self.expect(value, instance.constructors[position].fields[index].1)?;
        let mut result = None;
        for FieldPlace { position, index } in owners.into_iter().rev() {
            let mut values = Vec::new();
            for other in 0..instance.constructors[position].fields.len() {
                values.push(match other == index {
                    true => value,
                    false => {
                        self.field_of(operand, (ty, &instance), FieldPlace { position, index: other }, span)
                    }
                });
            }
            let made = self.made((ty, &instance), position, values, span);
            result = Some(match result {
                None => made,
                Some(otherwise) => {
                    let is = self.made_by(operand, (ty, &instance), position, span);
                    self.program.ite(is, made, otherwise, span)
                }
            });
        }
        result
    }

    /// The fields of a constructor, of a value that it may not have made; for `constructor(targets) := value`.
    pub(super) fn unpacked(&mut self, operand: Expr, constructor: Ident, span: Span) -> Option<Vec<Expr>> {
        let (_, position) = self.constructor(constructor)?;
        let (ty, instance) = self.datatype_of(operand)?;
        let count = instance.constructors.get(position)?.fields.len();
        Some(
            (0..count)
                .map(|index| self.field_of(operand, (ty, &instance), FieldPlace { position, index }, span))
                .collect(),
        )
    }

    pub(super) fn made_function(
        &mut self,
        wish: &str,
        domain: &[Type],
        result: Type,
        span: Span,
    ) -> Function {
        let name = self.made_name(wish);
        self.function_named(name, domain, result, span)
    }

    pub(super) fn function_named(
        &mut self,
        name: String,
        domain: &[Type],
        result: Type,
        span: Span,
    ) -> Function {
        let (meaning, attributes) = (Meaning::Uninterpreted, Vec::new());
        let parameters = Vec::new();
        let function =
            self.program.functions.push(FunctionData { name, parameters, result, meaning, attributes, span });
        for &ty in domain {
            let name = self.made_name("argument");
            let kind = VariableKind::FunctionParameter(function);
            let parameter = self.program.new_variable(name, ty, kind, span);
            self.program.functions[function].parameters.push(parameter);
        }
        function
    }

    /// Gives every datatype among the types of the program its fields.
    pub(super) fn complete_datatypes(&mut self) {
        if self.datatypes.declared.is_empty() {
            return;
        }
        let mut next = 0;
        loop {
            let types: Vec<Type> = self.program.types.iter().map(|(ty, _)| ty).skip(next).collect();
            if types.is_empty() {
                return;
            }
            next += types.len();
            if self.datatypes.instances.len() > MOST_INSTANCES {
                let span = self.program.constructors[self.datatypes.declared[0].ty].span;
                self.unsupported(Feature::Datatype, span);
                return;
            }
            for ty in types {
                if !self.mentions_placeholder(ty) {
                    self.datatype(ty);
                }
            }
        }
    }
}
