//! Declarations: from specifiers and declarators to types, variables and functions (C11 6.7).

use super::{Check, Checker, Entity, MAX_TYPE_DEPTH};
use crate::ast::{
    self, BaseWord, BasicWords, Declaration, Declarator, DeclaratorPart, FunctionDefinition, FunctionPart,
    InitDeclarator, SpecifiersId, Storage, TypeSpecifier,
};
use crate::problem::Problem;
use crate::symbols::Symbol;
use crate::tree::{Alignment, ExprKind, FuncId, Init, Lifetime, StmtKind, VarId, Variable};
use crate::types::{FloatKind, FunctionType, IntKind, Length, Type, TypeId};
use base::Span;

/// The qualifiers of the variable itself that a declaration declares.
struct Qualifiers {
    constant: bool,
    volatile: bool,
}

impl Qualifiers {
    fn of(specifiers: &ast::Specifiers, declarator: &Declarator) -> Qualifiers {
        match declarator.parts.iter().find(|part| !matches!(part, DeclaratorPart::Array(_))) {
            Some(&DeclaratorPart::Pointer { constant, volatile, .. }) => Qualifiers { constant, volatile },
            Some(_) => Qualifiers { constant: false, volatile: false },
            None => Qualifiers { constant: specifiers.constant, volatile: specifiers.volatile },
        }
    }
}

impl<'a> Checker<'a> {
    /// The type that specifiers give.
    pub(super) fn specified_type(&mut self, specifiers: SpecifiersId) -> Check<TypeId> {
        let ast = self.ast;
        let node = &ast.specifiers[specifiers];
        let ty = match &node.ty {
            TypeSpecifier::Basic(words) => self.basic_type(*words, node.span)?,
            TypeSpecifier::Named(name, span) => match self.names.get(name) {
                Some(&Entity::Typedef(ty, _)) => ty,
                None if self.symbols.text(*name) == "bool" => self.tree.types.integer(IntKind::Bool),
                _ => return Err(Problem::error(*span, format!("`{}` is not a type", self.text(*name)))),
            },
            TypeSpecifier::Record(record) => crate::deep(|| self.record(record))?,
            TypeSpecifier::Enum(enumeration) => self.enumeration(enumeration)?,
            TypeSpecifier::TypeofExpr(expr) => self.type_of_operand(*expr)?,
            TypeSpecifier::TypeofType(type_name) => self.type_name(*type_name)?,
            TypeSpecifier::Auto => return Err(Problem::unsupported(node.span, "`__auto_type`")),
        };
        let ty = match node.attributes.mode {
            Some(mode) => self.mode_type(ty, mode),
            None => ty,
        };
        match node.attributes.vector {
            Some(size) => self.vector_type(ty, size, node.span),
            None if node.attributes.atomic => {
                if !self.tree.types.is_scalar(ty) {
                    self.tree.atomic_record.get_or_insert(node.span);
                }
                Ok(self.tree.types.atomic_version(ty))
            }
            None => Ok(ty),
        }
    }

    fn basic_type(&mut self, words: BasicWords, span: Span) -> Check<TypeId> {
        use IntKind::*;
        let signed = |signed, unsigned| if words.unsigned { unsigned } else { signed };
        let sizes = (words.short, words.long);
        // `_Complex` alone is `_Complex double`.
        let plain_complex = words.complex && words.base.is_none() && !words.signed && !words.unsigned;
        let ty = match (words.base, sizes) {
            (None | Some(BaseWord::Int), (true, 0)) => Type::Int(signed(Short, UnsignedShort)),
            (None | Some(BaseWord::Int), (false, 0)) if !plain_complex => Type::Int(signed(Int, UnsignedInt)),
            (None | Some(BaseWord::Int), (false, 1)) => Type::Int(signed(Long, UnsignedLong)),
            (None | Some(BaseWord::Int), (false, 2)) => Type::Int(signed(LongLong, UnsignedLongLong)),
            (Some(BaseWord::Char), (false, 0)) if words.signed => Type::Int(SignedChar),
            (Some(BaseWord::Char), (false, 0)) => Type::Int(signed(Char, UnsignedChar)),
            (Some(BaseWord::Integer), (false, 0)) => Type::Int(Int128),
            (Some(BaseWord::Int128), (false, 0)) => Type::Int(signed(Int128, UnsignedInt128)),
            (Some(BaseWord::Bool), (false, 0)) => Type::Int(Bool),
            (Some(BaseWord::Void), (false, 0)) => Type::Void,
            (Some(BaseWord::VaList), (false, 0)) => return Ok(self.list_type()),
            (Some(BaseWord::Float), (false, 0)) => Type::Float(FloatKind::Float),
            (Some(BaseWord::Double) | None, (false, 0)) => Type::Float(FloatKind::Double),
            (Some(BaseWord::Double), (false, 1)) => Type::Float(FloatKind::LongDouble),
            (Some(BaseWord::Float128), (false, 0)) => Type::Float(FloatKind::Float128),
            _ => return Err(Problem::error(span, "these type words do not make a type")),
        };
        let number = matches!(ty, Type::Float(_) | Type::Int(_));
        let ty = self.tree.types.intern(ty);
        Ok(if words.complex && number { self.complex_type(ty) } else { ty })
    }

    /// `__attribute__((mode(DI)))` and its relatives on integers and floats.
    fn mode_type(&mut self, ty: TypeId, mode: Symbol) -> TypeId {
        let Some(kind) = self.tree.types.int_kind(ty) else { return ty };
        let wanted = match self.symbols.text(mode).trim_matches('_') {
            "QI" | "byte" => IntKind::SignedChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" => IntKind::LongLong,
            "TI" => IntKind::Int128,
            "word" | "pointer" => self.tree.types.difference_kind(),
            _ => kind,
        };
        self.tree.types.integer(if kind.is_signed() { wanted } else { wanted.to_unsigned() })
    }

    /// The type of a type name.
    pub(super) fn type_name(&mut self, id: ast::TypeNameId) -> Check<TypeId> {
        let ast = self.ast;
        let node = &ast.type_names[id];
        let base = self.specified_type(node.specifiers)?;
        self.declared_type(base, &node.declarator)
    }

    /// The type of a declarator: its parts are applied from the outside to the name.
    pub(super) fn declared_type(&mut self, base: TypeId, declarator: &'a Declarator) -> Check<TypeId> {
        let mut ty = base;
        for part in declarator.parts.iter().rev() {
            ty = self.derived_type(ty, part, declarator.span)?;
            if self.tree.types.depth(ty) > MAX_TYPE_DEPTH {
                return Err(Problem::error(declarator.span, "this type is made of too many types"));
            }
        }
        if let Some(size) = declarator.attributes.vector {
            return self.vector_type(ty, size, declarator.span);
        }
        Ok(match declarator.attributes.mode {
            Some(mode) => self.mode_type(ty, mode),
            None => ty,
        })
    }

    fn derived_type(&mut self, ty: TypeId, part: &'a DeclaratorPart, span: Span) -> Check<TypeId> {
        Ok(match part {
            DeclaratorPart::Pointer { atomic, .. } => {
                let pointer = self.tree.types.pointer(ty);
                if *atomic { self.tree.types.atomic_version(pointer) } else { pointer }
            }
            DeclaratorPart::Array(size) => {
                if !self.tree.types.is_complete(ty) && !matches!(self.tree.types[ty], Type::Void) {
                    let message = format!("array of the incomplete type `{}`", self.show(ty));
                    return Err(Problem::error(span, message));
                }
                let length = match size {
                    None => Length::Unknown,
                    Some(size) => self.array_length(*size)?,
                };
                self.tree.types.intern(Type::Array(ty, length))
            }
            DeclaratorPart::Function(part) => {
                if matches!(self.tree.types[ty], Type::Array(..) | Type::Function(_)) {
                    return Err(Problem::error(span, "a function cannot return an array or a function"));
                }
                let parameters = self.parameter_types(part)?;
                self.tree.types.intern(Type::Function(Box::new(FunctionType {
                    result: ty,
                    parameters,
                    variadic: part.variadic,
                    unspecified: part.unspecified,
                })))
            }
        })
    }

    fn array_length(&mut self, size: ast::ExprId) -> Check<Length> {
        let span = self.ast_expr(size).span;
        let value = self.value(size)?;
        if self.tree.types.int_kind(self.ty(value)).is_none() {
            return Err(Problem::error(span, "the length of an array must be an integer"));
        }
        match self.constant(value) {
            Some(length) => match u64::try_from(length) {
                Ok(length) if length < 1 << 60 => Ok(Length::Known(length)),
                _ => Err(Problem::error(span, "the length of this array is negative or too large")),
            },
            None if self.function.is_none() => {
                Err(Problem::error(span, "the length of a global array must be constant"))
            }
            None => {
                let size_type = self.tree.types.integer(self.tree.types.size_kind());
                let value = self.convert(value, size_type, span)?;
                let var = self.hidden_variable("length", size_type, span);
                let init = Some(Init::Whole(value));
                let statement = self.stmt_node(StmtKind::Declare(var, init), span);
                self.prelude.push(statement);
                Ok(Length::Variable(var))
            }
        }
    }

    fn parameter_types(&mut self, part: &'a FunctionPart) -> Check<Vec<TypeId>> {
        self.open_scope();
        let mut types = Vec::new();
        for parameter in &part.parameters {
            let base = self.specified_type(parameter.specifiers)?;
            // The length of a parameter that is an array is not looked at: it may name other parameters.
            let declared = self.parameter_type(base, &parameter.declarator)?;
            types.push(declared);
        }
        self.close_scope();
        Ok(types)
    }

    /// The type of a parameter, with its outermost array or function part turned into a pointer.
    fn parameter_type(&mut self, base: TypeId, declarator: &'a Declarator) -> Check<TypeId> {
        let mut ty = base;
        for (index, part) in declarator.parts.iter().enumerate().rev() {
            ty = match part {
                DeclaratorPart::Array(_) if index == 0 => self.tree.types.pointer(ty),
                DeclaratorPart::Array(Some(size)) if self.function.is_none() => {
                    // Only a constant can be known before the function is entered.
                    let length = match self.value(*size).ok().and_then(|value| self.constant(value)) {
                        Some(length) => Length::Known(u64::try_from(length).unwrap_or(0)),
                        None => Length::Unknown,
                    };
                    self.tree.types.intern(Type::Array(ty, length))
                }
                _ => self.derived_type(ty, part, declarator.span)?,
            };
            if self.tree.types.depth(ty) > MAX_TYPE_DEPTH {
                return Err(Problem::error(declarator.span, "this type is made of too many types"));
            }
        }
        Ok(self.adjusted(ty))
    }

    /// Arrays and functions as parameters are pointers (C11 6.7.6.3).
    pub(super) fn adjusted(&mut self, ty: TypeId) -> TypeId {
        match self.tree.types[ty] {
            Type::Array(element, _) => self.tree.types.pointer(element),
            Type::Function(_) => self.tree.types.pointer(ty),
            _ => ty,
        }
    }

    pub(super) fn global_declaration(&mut self, declaration: &'a Declaration) -> Check<()> {
        let base = self.specified_type(declaration.specifiers)?;
        for item in &declaration.declarators {
            self.declare(declaration, item, base)?;
        }
        Ok(())
    }

    /// Declares one name. For a local variable, gives it so that the caller initialises it in place.
    pub(super) fn declare(
        &mut self,
        declaration: &'a Declaration,
        item: &'a InitDeclarator,
        base: TypeId,
    ) -> Check<Option<VarId>> {
        let ast = self.ast;
        let specifiers = &ast.specifiers[declaration.specifiers];
        let declarator = &item.declarator;
        let ty = self.declared_type(base, declarator)?;
        let Some(name) = declarator.name else {
            return Err(Problem::error(declarator.span, "a name is missing in this declaration"));
        };
        let mut attributes = specifiers.attributes;
        crate::parse::merge_attributes(&mut attributes, declarator.attributes);
        if let Some(refused) = attributes.refused {
            let what = format!("the attribute `{}`", self.text(refused));
            return Err(Problem::unsupported(declarator.span, what));
        }
        let Qualifiers { constant, volatile } = Qualifiers::of(specifiers, declarator);
        let alignment = Alignment {
            asked: self.alignment(&attributes)?,
            named: self.named_alignment(declaration.specifiers, declarator),
        };
        let align = alignment.asked.max(alignment.named);
        let qualified = self.is_qualified(declaration.specifiers);
        if specifiers.storage == Storage::Typedef {
            if qualified {
                self.qualified_names.insert(name);
            }
            if self.scopes.len() == 1 && !qualified {
                self.tree.typedefs.push((name, ty));
            }
            self.bind(name, Entity::Typedef(ty, align));
            return Ok(None);
        }
        // The name in the object file is another one.
        let alias = attributes.alias.or(attributes.label);
        if matches!(self.tree.types[ty], Type::Function(_)) {
            // Programs with temporal properties say so of a function that does return.
            let returns = self.symbols.text(name) == "__VERIFIER_ltl_step";
            let noreturn = !returns
                && (specifiers.noreturn || specifiers.attributes.noreturn || declarator.attributes.noreturn);
            if let Some(alias) = alias {
                // Another name for a function of this file.
                let target = self.symbols.text(alias).trim_matches('"').to_owned();
                let target = self.symbols.intern(&target);
                let function = self.declare_function(target, ty, noreturn, declarator.span)?;
                self.linked.insert(name, Entity::Function(function));
                self.bind(name, Entity::Function(function));
                return Ok(None);
            }
            if specifiers.storage == Storage::Static && self.at_file_scope() {
                self.hide(name);
            }
            let function = self.declare_function(name, ty, noreturn, declarator.span)?;
            self.tree.functions[function].contract |= !declarator.contract.is_empty();
            self.note_starter(function, &attributes)?;
            return Ok(None);
        }
        if alias.is_some() {
            return Err(Problem::unsupported(declarator.span, "a variable with two names"));
        }
        let is_static =
            self.at_file_scope() || matches!(specifiers.storage, Storage::Static | Storage::Extern);
        if is_static {
            self.declare_static(name, ty, specifiers.storage, item)?;
            if let Some(&Entity::Variable(var)) = self.names.get(&name) {
                self.tree.variables[var].constant |= constant;
                self.qualified.extend(Some(var).filter(|_| qualified));
                self.alignments.extend(align.map(|align| (var, align)));
                let known = &mut self.tree.variables[var].alignment;
                known.asked = known.asked.max(alignment.asked);
                known.named = alignment.named.or(known.named);
                if specifiers.attributes.thread_local {
                    self.make_thread_local(var, declarator.span)?;
                }
            }
            return Ok(None);
        }
        let var = self.new_variable(name, ty, Lifetime::Automatic, declarator.span);
        self.tree.variables[var].alignment = alignment;
        self.tree.variables[var].volatile = volatile;
        self.qualified.extend(Some(var).filter(|_| qualified));
        self.alignments.extend(align.map(|align| (var, align)));
        Ok(Some(var))
    }

    /// Whether specifiers name a type that is `const` or `volatile`.
    pub(super) fn is_qualified(&self, specifiers: SpecifiersId) -> bool {
        let node = &self.ast.specifiers[specifiers];
        let named = matches!(node.ty, TypeSpecifier::Named(name, _) if self.qualified_names.contains(&name));
        node.qualified || named
    }

    /// The alignment that a declaration asks for, itself or through the name of its type.
    pub(super) fn declared_alignment(
        &mut self,
        attributes: &ast::Attributes,
        specifiers: SpecifiersId,
        declarator: &Declarator,
    ) -> Check<Option<u64>> {
        Ok(self.alignment(attributes)?.max(self.named_alignment(specifiers, declarator)))
    }

    /// The alignment that the name of a type has, if it is another one than that of the type.
    pub(super) fn named_alignment(&self, specifiers: SpecifiersId, declarator: &Declarator) -> Option<u64> {
        match &self.ast.specifiers[specifiers].ty {
            TypeSpecifier::Named(name, _) if declarator.parts.is_empty() => match self.names.get(name) {
                Some(&Entity::Typedef(_, align)) => align,
                _ => None,
            },
            _ => None,
        }
    }

    /// Remembers a function that runs before or behind `main`.
    fn note_starter(&mut self, function: FuncId, attributes: &ast::Attributes) -> Check<()> {
        for (wanted, first) in [(attributes.constructor, true), (attributes.destructor, false)] {
            let priority = match wanted {
                None => continue,
                Some(ast::Priority::Default) => 65_535,
                Some(ast::Priority::Given(expr)) => self.constant_of(expr, "a priority")?,
            };
            let list = if first { &mut self.starters } else { &mut self.enders };
            if !list.iter().any(|&(_, other)| other == function) {
                list.push((priority, function));
            }
        }
        Ok(())
    }

    /// A new variable, visible from here on.
    pub(super) fn new_variable(&mut self, name: Symbol, ty: TypeId, lifetime: Lifetime, span: Span) -> VarId {
        let var = self.tree.variables.push(Variable {
            name,
            ty,
            lifetime,
            function: self.function,
            address_taken: false,
            init: None,
            external: false,
            constant: false,
            volatile: false,
            alignment: Alignment::default(),
            span,
        });
        self.bind(name, Entity::Variable(var));
        var
    }

    /// Declares a function, or joins with what is known of it.
    pub(super) fn declare_function(
        &mut self,
        name: Symbol,
        ty: TypeId,
        noreturn: bool,
        span: Span,
    ) -> Check<FuncId> {
        let function = match self.linked.get(&name) {
            Some(&Entity::Function(function)) => {
                let known = self.tree.functions[function].ty;
                let unspecified = self.tree.types.function(known).is_some_and(|known| known.unspecified);
                if unspecified && self.tree.functions[function].body.is_none() {
                    self.tree.functions[function].ty = ty;
                }
                function
            }
            Some(_) => {
                let message = format!("`{}` is declared as a variable and a function", self.text(name));
                return Err(Problem::error(span, message));
            }
            None => {
                let function = self.new_function(name, ty, span);
                self.linked.insert(name, Entity::Function(function));
                function
            }
        };
        self.tree.functions[function].noreturn |= noreturn;
        self.bind(name, Entity::Function(function));
        Ok(function)
    }

    /// Refuses what the initialiser of a static variable cannot know before the program starts (C11 6.7.9p4).
    fn known_at_start(&self, name: Symbol, init: &Init) -> Check<()> {
        let mut work = init.values();
        while let Some(expr) = work.pop() {
            let (var, what) = match self.tree.exprs[expr].kind {
                ExprKind::Variable(var) => (var, format!("`{}`", self.text(self.tree.variables[var].name))),
                // GNU C takes the value of a literal, but not its address: in a function it lives in a block.
                ExprKind::AddressOf(place) => match self.tree.exprs[place].kind {
                    ExprKind::CompoundLiteral(var, _) => (var, "the address of a literal".to_owned()),
                    _ => {
                        work.push(place);
                        continue;
                    }
                },
                ExprKind::CompoundLiteral(_, ref init) => {
                    work.extend(init.values());
                    continue;
                }
                _ => {
                    work.extend(self.tree.operands(expr));
                    continue;
                }
            };
            if self.tree.variables[var].lifetime != Lifetime::Static {
                let message = format!("the initialiser of static `{}` needs {what}", self.text(name));
                return Err(Problem::error(self.span(expr), message));
            }
        }
        Ok(())
    }

    /// A variable that lives as long as the program.
    fn declare_static(
        &mut self,
        name: Symbol,
        ty: TypeId,
        storage: Storage,
        item: &'a InitDeclarator,
    ) -> Check<()> {
        let span = item.declarator.span;
        if self.at_file_scope() && storage == Storage::Static {
            self.hide(name);
        }
        let linked = self.at_file_scope() || storage == Storage::Extern;
        let known = if linked { self.linked.get(&name).copied() } else { None };
        let var = match known {
            Some(Entity::Variable(var)) => {
                let old = self.tree.variables[var].ty;
                // A later declaration may complete the length of an array.
                if matches!(self.tree.types[old], Type::Array(_, Length::Unknown)) {
                    self.tree.variables[var].ty = ty;
                } else if !self.tree.types.compatible(old, ty) {
                    let message = format!("`{}` is declared with two types", self.text(name));
                    // Between files, compilers do not notice.
                    let elsewhere = self.tree.variables[var].span.file != span.file;
                    return Err(if elsewhere {
                        Problem::unsupported(span, message)
                    } else {
                        Problem::error(span, message)
                    });
                }
                self.bind(name, Entity::Variable(var));
                var
            }
            Some(_) => {
                let message = format!("`{}` is declared as a function and a variable", self.text(name));
                return Err(Problem::error(span, message));
            }
            None => {
                let var = self.new_variable(name, ty, Lifetime::Static, span);
                self.tree.variables[var].external = true;
                if linked {
                    self.linked.insert(name, Entity::Variable(var));
                }
                self.tree.statics.push(var);
                var
            }
        };
        if storage != Storage::Extern || item.init.is_some() {
            self.tree.variables[var].external = false;
        }
        if let Some(init) = &item.init {
            if self.tree.variables[var].init.is_some() {
                return Err(Problem::error(span, format!("`{}` is initialised twice", self.text(name))));
            }
            let init = self.initialiser(var, init)?;
            self.known_at_start(name, &init)?;
            self.tree.variables[var].init = Some(init);
        } else if storage != Storage::Extern && !linked && !self.tree.types.is_complete(ty) {
            return Err(Problem::error(span, format!("the size of `{}` is not known", self.text(name))));
        }
        Ok(())
    }

    pub(super) fn function_definition(&mut self, definition: &'a FunctionDefinition) -> Check<()> {
        let ast = self.ast;
        let specifiers = &ast.specifiers[definition.specifiers];
        let base = self.specified_type(definition.specifiers)?;
        let declarator = &definition.declarator;
        let mut ty = self.declared_type(base, declarator)?;
        let (Some(name), Some(DeclaratorPart::Function(part))) = (declarator.name, declarator.parts.first())
        else {
            return Err(Problem::error(declarator.span, "this is not a function"));
        };
        let noreturn =
            specifiers.noreturn || specifiers.attributes.noreturn || declarator.attributes.noreturn;
        let mut attributes = specifiers.attributes;
        crate::parse::merge_attributes(&mut attributes, declarator.attributes);
        if ast.models && !self.wants_model(name, ty) {
            return Ok(());
        }
        if specifiers.storage == Storage::Static {
            self.hide(name);
        }
        let function = self.declare_function(name, ty, noreturn, declarator.span)?;
        self.tree.functions[function].contract |= !declarator.contract.is_empty();
        self.tree.functions[function].made |= attributes.made;
        self.tree.functions[function].library |= ast.models;
        self.note_starter(function, &attributes)?;
        if self.tree.functions[function].body.is_some() {
            if specifiers.inline && self.tree.functions[function].span.file != declarator.span.file {
                // Another file has the same inline function.
                return Ok(());
            }
            return Err(Problem::error(declarator.span, format!("`{}` is defined twice", self.text(name))));
        }
        self.function = Some(function);
        self.open_scope();
        let mut parameters = Vec::new();
        for parameter in &part.parameters {
            let base = self.specified_type(parameter.specifiers)?;
            let ty = self.parameter_type(base, &parameter.declarator)?;
            let name = match parameter.declarator.name {
                Some(name) => name,
                None => self.symbols.intern(&format!("unnamed#{}", parameters.len())),
            };
            let var = self.new_variable(name, ty, Lifetime::Parameter, parameter.declarator.span);
            if self.is_qualified(parameter.specifiers) {
                self.qualified.insert(var);
            }
            let specifiers = &self.ast.specifiers[parameter.specifiers];
            self.tree.variables[var].volatile = Qualifiers::of(specifiers, &parameter.declarator).volatile;
            parameters.push(var);
        }
        if !part.names.is_empty() {
            parameters = self.old_style_parameters(part, &definition.old_style)?;
            ty = self.old_style_type(ty, &parameters);
        }
        self.more = if part.variadic { self.more_parameter(declarator.span) } else { None };
        parameters.extend(self.more);
        for &parameter in &parameters {
            if !self.tree.types.is_complete(self.tree.variables[parameter].ty) {
                let span = self.tree.variables[parameter].span;
                return Err(Problem::error(span, "the type of this parameter is incomplete"));
            }
        }
        self.tree.functions[function].ty = ty;
        self.tree.functions[function].span = declarator.span;
        self.tree.functions[function].parameters = parameters;
        let prelude = std::mem::take(&mut self.prelude);
        let body = self.statement(definition.body)?;
        let body = if prelude.is_empty() {
            body
        } else {
            let span = self.tree.stmts[body].span;
            self.stmt_node(StmtKind::Block(prelude.into_iter().chain([body]).collect()), span)
        };
        self.tree.functions[function].body = Some(body);
        self.close_scope();
        self.function = None;
        Ok(())
    }

    /// Whether the program means the library's function by a name: it does not if it has a variable of this name, or
    /// declares a function of another kind.
    fn wants_model(&self, name: Symbol, model: TypeId) -> bool {
        let types = &self.tree.types;
        let kind = |ty: TypeId| (types.int_kind(ty).is_some(), types.is_arithmetic(ty), types.is_scalar(ty));
        match self.linked.get(&name) {
            None => true,
            Some(&Entity::Function(function)) => {
                let declared = types.function(self.tree.functions[function].ty);
                match (declared, types.function(model)) {
                    (Some(declared), _) if declared.unspecified => true,
                    (Some(declared), Some(model)) => {
                        let parameters = declared.parameters.iter().zip(&model.parameters);
                        declared.parameters.len() == model.parameters.len()
                            && kind(declared.result) == kind(model.result)
                            && parameters.into_iter().all(|(&a, &b)| kind(a) == kind(b))
                    }
                    _ => false,
                }
            }
            Some(_) => false,
        }
    }

    fn old_style_parameters(
        &mut self,
        part: &'a FunctionPart,
        declarations: &'a [Declaration],
    ) -> Check<Vec<VarId>> {
        let mut types: Vec<(Symbol, TypeId)> = Vec::new();
        for declaration in declarations {
            let base = self.specified_type(declaration.specifiers)?;
            for item in &declaration.declarators {
                let ty = self.parameter_type(base, &item.declarator)?;
                if let Some(name) = item.declarator.name {
                    types.push((name, ty));
                }
            }
        }
        let mut parameters = Vec::new();
        for &(name, span) in &part.names {
            let declared = types.iter().find(|(declared, _)| *declared == name).map(|&(_, ty)| ty);
            let ty = declared.unwrap_or(self.tree.types.int);
            parameters.push(self.new_variable(name, ty, Lifetime::Parameter, span));
        }
        Ok(parameters)
    }

    /// The type of a function in the old style: calls pass promoted arguments, whatever they are.
    fn old_style_type(&mut self, ty: TypeId, parameters: &[VarId]) -> TypeId {
        let Some(function) = self.tree.types.function(ty) else { return ty };
        let mut function = function.clone();
        function.parameters = parameters.iter().map(|&var| self.tree.variables[var].ty).collect();
        self.tree.types.intern(Type::Function(Box::new(function)))
    }

    /// The type of the operand of `typeof` or `sizeof`, which is not evaluated.
    pub(super) fn type_of_operand(&mut self, expr: ast::ExprId) -> Check<TypeId> {
        let operand = self.expression(expr)?;
        Ok(match self.tree.exprs[operand].kind {
            ExprKind::FunctionAddress(function) => self.tree.functions[function].ty,
            _ => self.ty(operand),
        })
    }
}
