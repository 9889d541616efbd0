//! Functions: uninterpreted, defined, and those that are operations of the logic.

use super::scopes::Position;
use super::{Elaborator, Entry};
use crate::ast::{Attribute, AttributeArgument, FunctionDeclaration};
use crate::features::{Feature, Unsupported};
use crate::symbols::Symbol;
use base::EntitySet;
use ir::{Builtin, ExprData, Function, FunctionData, Meaning, Variable, VariableKind};

/// The attributes that name an operation of the logic.
const BUILTIN: &[&str] = &["builtin", "bvbuiltin"];

impl<'a> Elaborator<'a> {
    pub(super) fn declare_function(&mut self, declaration: &'a FunctionDeclaration) {
        let name = declaration.name;
        // Constructors of datatypes are known already.
        if self.is_constructor(declaration) {
            return;
        }
        if let Some((_, before)) = self.functions[name.symbol] {
            self.declared_twice("function", name.symbol, name.span, before);
            return;
        }
        let before = self.unsupported.len();
        let entry = if declaration.variables.is_empty() {
            self.function_signature(declaration).map_or(Entry::Broken, Entry::Known)
        } else {
            // Its copies are made where it is used.
            self.declare_generic(declaration);
            Entry::Broken
        };
        self.functions[name.symbol] = Some((entry, name.span));
        // A function that is never used needs no meaning, and preludes of tools declare many.
        self.deferred[name.symbol] = self.unsupported.split_off(before);
    }

    /// Reports what is not supported about a function, now that it is used.
    pub(super) fn used(&mut self, function: Symbol) {
        let deferred = std::mem::take(&mut self.deferred[function]);
        self.unsupported.extend(deferred);
    }

    pub(super) fn function_signature(&mut self, declaration: &FunctionDeclaration) -> Option<Function> {
        let mut domain = Vec::with_capacity(declaration.parameters.len());
        for parameter in &declaration.parameters {
            domain.push(self.declared_type(parameter));
        }
        let result = self.declared_type(&declaration.result)?;
        let domain: Vec<_> = domain.into_iter().collect::<Option<_>>()?;
        let function = self.program.functions.push(FunctionData {
            name: self.ast.name(declaration.name.symbol).to_owned(),
            parameters: Vec::new(),
            result,
            meaning: Meaning::Uninterpreted,
            attributes: Vec::new(),
            span: declaration.name.span,
        });
        // The names are given when all constants are known, so that they hide none.
        let kind = VariableKind::FunctionParameter(function);
        let parameters = domain
            .into_iter()
            .zip(&declaration.parameters)
            .map(|(ty, parameter)| self.program.new_variable(String::new(), ty, kind, parameter.span));
        let parameters: Vec<Variable> = parameters.collect();
        self.program.functions[function].parameters = parameters;
        Some(function)
    }

    /// Names of the parameters, attributes, and meaning.
    pub(super) fn define_function(&mut self, declaration: &FunctionDeclaration) {
        let function = match self.functions[declaration.name.symbol] {
            Some((Entry::Known(function), span)) if span == declaration.name.span => function,
            _ => return,
        };
        self.define_function_as(function, declaration);
    }

    /// The same for a function that stands for the declaration.
    pub(super) fn define_function_as(&mut self, function: Function, declaration: &FunctionDeclaration) {
        self.name_parameters(function, declaration);
        let data = &self.program.functions[function];
        let result = data.result;
        let body = declaration.body.and_then(|body| self.typed_expr(body, result, Position::FunctionBody));
        let (mut named, mut others) = (Vec::new(), Vec::new());
        for attribute in &declaration.attributes {
            let name = self.ast.name(attribute.name.symbol);
            if BUILTIN.contains(&name) || name == "smtdefined" || name == "const_array" {
                named.push(attribute);
            } else {
                others.push(attribute.clone());
            }
        }
        let attributes = self.attributes(&others, Position::FunctionBody);
        self.scopes.clear_locals();
        let mut meaning = body.map_or(Meaning::Uninterpreted, Meaning::Defined);
        for attribute in named {
            if declaration.body.is_some() {
                self.error(attribute.name.span, "a function of the solver cannot have a body");
            } else {
                match self.builtin(attribute, declaration, function) {
                    Ok(found) => meaning = found,
                    Err(Some(feature)) => {
                        let unsupported = Unsupported { feature, span: attribute.name.span };
                        self.deferred_meanings.push((function, unsupported));
                    }
                    Err(None) => {}
                }
            }
        }
        let data = &mut self.program.functions[function];
        data.attributes = attributes;
        data.meaning = meaning;
        if let Err(error) = self.program.check_builtin_function(function) {
            self.error(declaration.name.span, error.to_string());
        }
    }

    fn name_parameters(&mut self, function: Function, declaration: &FunctionDeclaration) {
        let parameters = self.program.functions[function].parameters.clone();
        for (index, (&variable, parameter)) in parameters.iter().zip(&declaration.parameters).enumerate() {
            let Some(name) = parameter.name else {
                self.program.variables[variable].name = self.positional_name(index);
                continue;
            };
            if let Some((_, before)) = self.scopes.local(name.symbol) {
                self.declared_twice("parameter", name.symbol, name.span, before);
                continue;
            }
            self.program.variables[variable].name = self.local_name(name.symbol, false);
            self.scopes.declare_local(name.symbol, Entry::Known(variable), name.span);
        }
    }

    /// A name for a parameter without one: one that does not occur in the source.
    fn positional_name(&self, index: usize) -> String {
        let mut name = format!("argument{index}");
        while self.ast.symbols.find(&name).is_some() {
            name.push('\'');
        }
        name
    }

    /// What the attribute says; an unknown feature, or nothing if it has a mistake, which is reported.
    fn builtin(
        &mut self,
        attribute: &Attribute,
        declaration: &FunctionDeclaration,
        function: Function,
    ) -> Result<Meaning, Option<Feature>> {
        if self.ast.name(attribute.name.symbol) == "const_array" {
            return Ok(Meaning::Builtin(Builtin::ConstantMap));
        }
        let text = match attribute.arguments.as_slice() {
            [AttributeArgument::Text(text)] => self.unquoted(*text),
            _ => {
                let message = "expected one string that names a function of the solver";
                self.error(attribute.name.span, message);
                return Err(None);
            }
        };
        if self.ast.name(attribute.name.symbol) == "smtdefined" {
            // The one definition that other tools need often: a map with the same value everywhere.
            let parameter = match declaration.parameters.as_slice() {
                [parameter] => parameter.name.map(|name| self.ast.name(name.symbol)),
                _ => None,
            };
            if let Some(parameter) = parameter
                && text.starts_with("((as const ")
                && text.ends_with(&format!(") {parameter})"))
            {
                return Ok(Meaning::Builtin(Builtin::ConstantMap));
            }
            return Err(Some(Feature::SmtDefined));
        }
        let text = match self.indices(declaration) {
            Some(indices) => format!("(_ {text} {indices})"),
            None => text,
        };
        let defined = self.float_function(&text, function);
        match defined.or_else(|| self.pointwise_function(&text, function)) {
            Some(Some(body)) => return Ok(Meaning::Defined(body)),
            Some(None) => return Err(Some(Feature::Builtin(text))),
            None => {}
        }
        Builtin::parse(&text).map(Meaning::Builtin).ok_or(Some(Feature::Builtin(text)))
    }

    /// The numbers of the attribute `indices`, as SMT-LIB writes them.
    fn indices(&self, declaration: &FunctionDeclaration) -> Option<String> {
        let is_indices = |attribute: &&Attribute| self.ast.name(attribute.name.symbol) == "indices";
        let attribute = declaration.attributes.iter().find(is_indices)?;
        let numbers = attribute.arguments.iter().map(|argument| match argument {
            AttributeArgument::Expr(expr) => self.ast.text(self.ast.exprs[*expr].span),
            AttributeArgument::Text(span) => self.ast.text(*span),
        });
        Some(numbers.collect::<Vec<_>>().join(" "))
    }

    /// Functions whose meaning is not supported are reported if an expression uses them.
    pub(super) fn report_used_functions(&mut self) {
        if self.deferred_meanings.is_empty() {
            return;
        }
        let mut used = EntitySet::new();
        for (_, node) in self.program.expressions.iter() {
            if let ExprData::Apply(function, _) = node.data {
                used.insert(function);
            }
        }
        let deferred = std::mem::take(&mut self.deferred_meanings);
        let reported = deferred.into_iter().filter(|(function, _)| used.contains(*function));
        self.unsupported.extend(reported.map(|(_, unsupported)| unsupported));
    }
}
