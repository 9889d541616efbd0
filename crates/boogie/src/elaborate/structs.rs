//! Struct types and values, as one dialect of Boogie has them.
//!
//! The intermediate language has no structs. So that the checks need not know them either, a struct type is
//! first a type constructor of its own, with a function that makes a struct of its fields and one function per
//! field that takes it out again. When the whole program is known, [`expand`](super::expand) replaces them all.

use super::Elaborator;
use crate::ast::{ExprId, Ident};
use crate::symbols::Symbol;
use base::{Diagnostic, Span};
use ir::{ConstructorData, Expr, Function, FunctionData, Meaning, Type, Variable, VariableKind};
use rustc_hash::FxHashMap;

/// A struct type.
#[derive(Clone, Debug)]
pub(super) struct Struct {
    pub(super) fields: Vec<(Symbol, Type)>,
    pub(super) make: Function,
    pub(super) select: Vec<Function>,
    /// Functions that replace a field; only those structs have them that get more fields as they are used.
    pub(super) update: Vec<Function>,
    /// How to find the one struct that stands for a value, if there are several.
    pub(super) normal: Option<Normal>,
}

/// How to find the one struct that stands for a value, where several do.
#[derive(Clone, Debug)]
pub(super) enum Normal {
    /// The first field tells the constructor, and the others belong to one constructor each. Those of other
    /// constructors get a fixed value, and so does the first if it is no number of a constructor.
    Datatype {
        /// How many constructors there are.
        constructors: usize,
        /// To which constructor each field behind the first belongs.
        owners: Vec<usize>,
    },
    /// The only field is the bit pattern of a floating-point number, and all patterns of NaN are one value.
    Float(float::Format),
}

/// All struct types of the program. Two with the same fields in the same order are one.
#[derive(Default)]
pub(super) struct Structs {
    by_fields: FxHashMap<Vec<(Symbol, Type)>, Type>,
    by_type: FxHashMap<Type, Struct>,
    /// The name of the fields of structs that get more fields as they are used.
    open_name: FxHashMap<Type, Symbol>,
    /// Constants of types without literals, which fill fields that do not matter.
    pub(super) defaults: FxHashMap<Type, Variable>,
}

impl Structs {
    pub(super) fn is_empty(&self) -> bool {
        self.by_type.is_empty()
    }

    pub(super) fn get(&self, ty: Type) -> Option<&Struct> {
        self.by_type.get(&ty)
    }

    /// The struct types, in the order of their ids.
    pub(super) fn types(&self) -> Vec<Type> {
        let mut types: Vec<Type> = self.by_type.keys().copied().collect();
        types.sort_unstable();
        types
    }
}

impl Elaborator<'_> {
    /// The type with these fields.
    pub(super) fn struct_type(&mut self, fields: Vec<(Symbol, Type)>, span: Span) -> Type {
        if let Some(&ty) = self.structs.by_fields.get(&fields) {
            return ty;
        }
        let texts: Vec<String> = fields
            .iter()
            .map(|&(name, ty)| format!("{}: {}", self.ast.name(name), self.program.show_type(ty)))
            .collect();
        let name = format!("{{ {} }}", texts.join(", "));
        let constructor =
            self.program.constructors.push(ConstructorData { name, arity: 0, attributes: Vec::new(), span });
        let ty = self.program.types.named(constructor, []);
        self.structs.by_fields.insert(fields.clone(), ty);
        self.struct_for(ty, fields, None, span);
        ty
    }

    /// Makes a type a struct with these fields.
    pub(super) fn struct_for(
        &mut self,
        ty: Type,
        fields: Vec<(Symbol, Type)>,
        normal: Option<Normal>,
        span: Span,
    ) {
        let make = self.struct_function(fields.iter().map(|&(_, ty)| ty), ty, span);
        let select = fields.iter().map(|&(_, field)| self.struct_function([ty].into_iter(), field, span));
        let select = select.collect();
        self.structs.by_type.insert(ty, Struct { fields, make, select, update: Vec::new(), normal });
    }

    /// A type of its own, to which fields are added as they are used. Its first field stands for all that are not.
    pub(super) fn open_struct(&mut self, name: Symbol, span: Span) -> Type {
        let text = format!("map#{}", self.structs.by_type.len());
        let attributes = Vec::new();
        let others = ConstructorData { name: format!("others#{}", text), arity: 0, attributes, span };
        let others = self.program.constructors.push(others);
        let others = self.program.types.named(others, []);
        let whole = ConstructorData { name: text, arity: 0, attributes: Vec::new(), span };
        let constructor = self.program.constructors.push(whole);
        let ty = self.program.types.named(constructor, []);
        let make = self.struct_function([others].into_iter(), ty, span);
        let (select, update) = (Vec::new(), Vec::new());
        let data = Struct { fields: Vec::new(), make, select, update, normal: None };
        self.structs.by_type.insert(ty, data);
        self.structs.open_name.insert(ty, name);
        self.open_field(ty, others, span);
        ty
    }

    /// The field of a type in an open struct, which is added if it is not there.
    pub(super) fn open_field(&mut self, ty: Type, field: Type, span: Span) -> Option<(Struct, usize)> {
        let data = self.structs.get(ty)?;
        if let Some(position) = data.fields.iter().position(|&(_, other)| other == field) {
            return Some((data.clone(), position));
        }
        let name = *self.structs.open_name.get(&ty)?;
        let select = self.struct_function([ty].into_iter(), field, span);
        let update = self.struct_function([ty, field].into_iter(), ty, span);
        let data = self.structs.by_type.get_mut(&ty)?;
        data.fields.push((name, field));
        data.select.push(select);
        data.update.push(update);
        Some((data.clone(), data.fields.len() - 1))
    }

    fn struct_function(&mut self, domain: impl Iterator<Item = Type>, result: Type, span: Span) -> Function {
        let function = self.program.functions.push(FunctionData {
            name: String::new(),
            parameters: Vec::new(),
            result,
            meaning: Meaning::Uninterpreted,
            attributes: Vec::new(),
            span,
        });
        let kind = VariableKind::FunctionParameter(function);
        for ty in domain {
            let parameter = self.program.new_variable(String::new(), ty, kind, span);
            self.program.functions[function].parameters.push(parameter);
        }
        function
    }

    /// The position of a field in the type of an expression.
    fn field_position(&mut self, operand: Expr, field: Ident) -> Option<(Struct, usize)> {
        let ty = self.program.ty(operand);
        let name = self.ast.name(field.symbol);
        let Some(data) = self.structs.get(ty) else {
            let message = format!("expected a struct, found type {}", self.type_text(ty));
            let span = self.program.expressions.span(operand);
            self.errors.push(Diagnostic::error(span, message).label("this has no fields"));
            return None;
        };
        let data = data.clone();
        let position = data.fields.iter().position(|&(name, _)| name == field.symbol);
        if position.is_none() {
            let message = format!("type {} has no field `{name}`", self.type_text(ty));
            self.error(field.span, message);
        }
        Some((data, position?))
    }

    /// `operand!field`
    pub(super) fn field(&mut self, operand: Expr, field: Ident, span: Span) -> Option<Expr> {
        let (data, position) = self.field_position(operand, field)?;
        Some(self.program.apply(data.select[position], [operand], span))
    }

    /// `operand` with another value in a field.
    pub(super) fn with_field(&mut self, operand: Expr, field: Ident, value: Expr) -> Option<Expr> {
        let (data, position) = self.field_position(operand, field)?;
        let fields = data.select.iter().enumerate().map(|(index, &select)| {
            if index == position { value } else { self.program.apply(select, [operand], field.span) }
        });
        let fields: Vec<Expr> = fields.collect();
        Some(self.program.apply(data.make, fields, field.span))
    }

    /// `{ field: value, … }`
    pub(super) fn struct_value(&mut self, fields: &[(Ident, ExprId)], span: Span) -> Option<Expr> {
        let names: Vec<Ident> = fields.iter().map(|&(name, _)| name).collect();
        self.distinct_fields(&names)?;
        let values: Vec<Expr> = fields.iter().map(|&(_, value)| self.value(value)).collect::<Option<_>>()?;
        let types =
            names.iter().zip(&values).map(|(name, &value)| (name.symbol, self.program.ty(value))).collect();
        let ty = self.struct_type(types, span);
        let make = self.structs.get(ty)?.make;
        Some(self.program.apply(make, values, span))
    }

    pub(super) fn distinct_fields(&mut self, names: &[Ident]) -> Option<()> {
        let (before, twice) = match super::types::repeated(names, |name| name.symbol) {
            None => return Some(()),
            Some(found) => found,
        };
        self.declared_twice("field", twice.symbol, twice.span, names[before].span);
        None
    }
}
