//! Recursive datatypes as types with functions and axioms.

use super::super::Elaborator;
use super::{Functions, Instance};
use base::Span;
use ir::{
    Axiom, BinaryOp, Expr, ExprData, Function, Mark, Quantifier, QuantifierKind, Type, TypeData, Variable,
    VariableKind,
};
use std::rc::Rc;

impl Elaborator<'_> {
    /// The functions of a recursive datatype, with their axioms.
    pub(super) fn datatype_functions(&mut self, ty: Type, instance: &Instance) -> Rc<Functions> {
        if let Some(functions) = self.datatypes.functions.get(&ty) {
            return functions.clone();
        }
        let span = self.datatypes.declared[instance.declared].constructors[0].name.span;
        let tag = self.made_function("constructor", &[ty], Type::INT, span);
        let (mut make, mut select) = (Vec::new(), Vec::new());
        for constructor in &instance.constructors {
            let types: Vec<Type> = constructor.fields.iter().map(|&(_, ty)| ty).collect();
            let name = self.fresh_name(constructor.name);
            make.push(self.function_named(name, &types, ty, span));
            let mut selectors = Vec::new();
            for &(field, field_type) in &constructor.fields {
                let name = self.fresh_name(field);
                selectors.push(self.function_named(name, &[ty], field_type, span));
            }
            select.push(selectors);
        }
        let functions = Rc::new(Functions { tag, make, select });
        self.datatypes.functions.insert(ty, functions.clone());
        self.constructor_axioms(instance, &functions, span);
        self.value_axiom((ty, instance), &functions, span);
        self.size_axioms((ty, instance), &functions, span);
        functions
    }

    pub(in super::super) fn bound_variable(&mut self, ty: Type, span: Span) -> (Variable, Expr) {
        let name = self.made_name("value");
        let variable = self.program.new_variable(name, ty, VariableKind::Bound, span);
        (variable, self.program.variable(variable, span))
    }

    /// `forall bound :: { trigger } body` as an axiom.
    pub(in super::super) fn made_axiom(
        &mut self,
        bound: Vec<Variable>,
        trigger: Vec<Expr>,
        body: Expr,
        span: Span,
    ) {
        let formula = if bound.is_empty() {
            Ok(body)
        } else {
            let triggers = if trigger.is_empty() { Vec::new() } else { vec![trigger] };
            let kind = QuantifierKind::Forall;
            let quantifier = Quantifier { kind, bound, triggers, attributes: Vec::new(), body };
            self.program.expr(ExprData::Quantified(Box::new(quantifier)), span)
        };
        if let Ok(formula) = formula {
            self.program.axioms.push(Axiom { formula, attributes: Vec::new(), span });
        }
    }

    /// What a constructor has made tells the constructor and the fields.
    fn constructor_axioms(&mut self, instance: &Instance, functions: &Functions, span: Span) {
        for (position, constructor) in instance.constructors.iter().enumerate() {
            let (mut bound, mut values) = (Vec::new(), Vec::new());
            for &(_, ty) in &constructor.fields {
                let (variable, value) = self.bound_variable(ty, span);
                bound.push(variable);
                values.push(value);
            }
            let made = self.program.apply(functions.make[position], values.clone(), span);
            let tag = self.program.apply(functions.tag, [made], span);
            let number = self.program.int(position, span);
            let mut facts = vec![self.program.equal(tag, number, span)];
            for (&select, &value) in functions.select[position].iter().zip(&values) {
                let field = self.program.apply(select, [made], span);
                facts.push(self.program.equal(field, value, span));
            }
            let body = self.program.and(facts, span);
            self.made_axiom(bound, vec![made], body, span);
        }
    }

    /// Every value was made by some constructor.
    fn value_axiom(&mut self, (ty, instance): (Type, &Instance), functions: &Functions, span: Span) {
        let (variable, value) = self.bound_variable(ty, span);
        let tag = self.program.apply(functions.tag, [value], span);
        let mut choices = Vec::new();
        for position in 0..instance.constructors.len() {
            let fields = functions.select[position].iter();
            let fields: Vec<Expr> = fields.map(|&select| self.program.apply(select, [value], span)).collect();
            let made = self.program.apply(functions.make[position], fields, span);
            let number = self.program.int(position, span);
            let is = self.program.equal(tag, number, span);
            let same = self.program.equal(value, made, span);
            choices.push(self.program.and([is, same], span));
        }
        let body = self.program.or(choices, span);
        self.made_axiom(vec![variable], vec![tag], body, span);
    }

    /// A field is smaller than what contains it.
    fn size_axioms(&mut self, (ty, instance): (Type, &Instance), functions: &Functions, span: Span) {
        let mut unsized_recursion = false;
        for (position, constructor) in instance.constructors.iter().enumerate() {
            for (index, &(_, field)) in constructor.fields.iter().enumerate() {
                let recursive = self
                    .datatype(field)
                    .is_some_and(|other| self.datatypes.declared[other.declared].recursive);
                if !recursive {
                    unsized_recursion |= self.mentions_recursion(field);
                    continue;
                }
                let (variable, value) = self.bound_variable(ty, span);
                let tag = self.program.apply(functions.tag, [value], span);
                let part = self.program.apply(functions.select[position][index], [value], span);
                let (of_part, of_whole) = (self.size(field, span), self.size(ty, span));
                let size_of_part = self.program.apply(of_part, [part], span);
                let size_of_whole = self.program.apply(of_whole, [value], span);
                let (zero, number) = (self.program.int(0, span), self.program.int(position, span));
                let is = self.program.equal(tag, number, span);
                let least = self.program.binary(BinaryOp::LessEqual, zero, size_of_part, span);
                let less = self.program.binary(BinaryOp::Less, size_of_part, size_of_whole, span);
                let both = self.program.and([least, less], span);
                let body = self.program.binary(BinaryOp::Implies, is, both, span);
                self.made_axiom(vec![variable], vec![part], body, span);
            }
        }
        if unsized_recursion {
            let why = "values of a recursive datatype may contain themselves".to_owned();
            let attribute = Mark::Overapproximation.attribute(vec![ir::AttributeArgument::Text(why)]);
            let all = functions.make.iter().chain(functions.select.iter().flatten()).chain([&functions.tag]);
            for &function in all {
                self.program.functions[function].attributes.push(attribute.clone());
            }
        }
    }

    /// Whether values of a type may contain values of a recursive datatype.
    fn mentions_recursion(&mut self, ty: Type) -> bool {
        let mut pending = vec![ty];
        let mut seen = Vec::new();
        while let Some(ty) = pending.pop() {
            if seen.contains(&ty) {
                continue;
            }
            seen.push(ty);
            if let Some(instance) = self.datatype(ty) {
                if self.datatypes.declared[instance.declared].recursive {
                    return true;
                }
                let fields = instance.constructors.iter().flat_map(|constructor| &constructor.fields);
                pending.extend(fields.map(|&(_, ty)| ty));
                continue;
            }
            match &self.program.types[ty] {
                TypeData::Map { domain, range } => pending.extend(domain.iter().chain([range])),
                TypeData::Named { arguments, .. } => pending.extend(arguments.iter()),
                _ => {}
            }
            pending.extend(self.structs.get(ty).iter().flat_map(|data| &data.fields).map(|&(_, ty)| ty));
        }
        false
    }

    fn size(&mut self, ty: Type, span: Span) -> Function {
        if let Some(&function) = self.datatypes.sizes.get(&ty) {
            return function;
        }
        let function = self.made_function("size", &[ty], Type::INT, span);
        self.datatypes.sizes.insert(ty, function);
        function
    }
}
