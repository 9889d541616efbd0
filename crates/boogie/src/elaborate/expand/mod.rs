//! Replaces structs by their fields.
//!
//! A variable of a struct type becomes one variable per field, and so on inwards. A map with a struct among
//! its arguments takes the fields as arguments instead; a map to structs becomes one map per field, and so
//! does a function. Two structs are equal if all fields are, so the new program has the same executions.
//!
//! Requires a program whose struct types are those of the table ([`structs`](super::structs)). Every expression is
//! rebuilt once, so the cost is linear in the size of the program times that of its struct types.

mod representations;

use super::structs::Structs;
use crate::features::{Feature, Unsupported};
use crate::symbols::{Symbol, Symbols};
use base::{EntitySet, PrimaryMap, SecondaryMap, Span};
use ir::{
    Attribute, AttributeArgument, Axiom, BinaryOp, BlockData, Body, Builtin, ConstructorData, Expr, ExprData,
    Function, FunctionData, Meaning, Procedure, ProcedureData, Program, Quantifier, Specification, Statement,
    StatementKind, Transfer, Type, TypeConstructor, TypeData, Variable, VariableData, VariableKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The program without structs; what cannot be expressed is added to the list.
pub(super) fn expand(
    source: &Program,
    structs: &Structs,
    symbols: &Symbols<'_>,
    unsupported: &mut Vec<Unsupported>,
) -> Program {
    let mut expansion = Expansion {
        source,
        structs,
        symbols,
        unsupported,
        target: Program::new(),
        constructors: SecondaryMap::new(),
        replaced: EntitySet::new(),
        ambiguous: EntitySet::new(),
        formless: EntitySet::new(),
        types: SecondaryMap::new(),
        divided: SecondaryMap::new(),
        variables: SecondaryMap::new(),
        functions: SecondaryMap::new(),
        procedures: PrimaryMap::new(),
        accessors: FxHashMap::default(),
        exprs: PrimaryMap::new(),
        taken: FxHashSet::default(),
    };
    expansion.run();
    expansion.target
}

/// What a function of the table does.
#[derive(Clone, Copy)]
enum Accessor {
    Make,
    /// Takes a field of a struct type.
    Select(Type, usize),
    /// Replaces a field of a struct type.
    Update(Type, usize),
}

/// Whether the parts of a type are known.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Divided {
    #[default]
    Not,
    InProgress,
    Done,
}

struct Expansion<'a> {
    source: &'a Program,
    structs: &'a Structs,
    symbols: &'a Symbols<'a>,
    unsupported: &'a mut Vec<Unsupported>,
    target: Program,
    constructors: SecondaryMap<TypeConstructor, Option<TypeConstructor>>,
    /// The constructors of struct types.
    replaced: EntitySet<TypeConstructor>,
    /// Types of whose values there are several representations.
    ambiguous: EntitySet<Type>,
    /// Types whose values cannot be brought into one form: maps of several representations are in them.
    formless: EntitySet<Type>,
    /// What every type is made of; one part for types without structs.
    types: SecondaryMap<Type, Vec<Type>>,
    divided: SecondaryMap<Type, Divided>,
    variables: SecondaryMap<Variable, Vec<Variable>>,
    functions: SecondaryMap<Function, Vec<Function>>,
    procedures: PrimaryMap<Procedure, Procedure>,
    accessors: FxHashMap<Function, Accessor>,
    exprs: PrimaryMap<Expr, Vec<Expr>>,
    /// The names that were made, for the whole program or for one procedure.
    taken: FxHashSet<(Option<Procedure>, String)>,
}

impl Expansion<'_> {
    fn run(&mut self) {
        let source = self.source;
        for ty in self.structs.types() {
            let Some(data) = self.structs.get(ty) else { continue };
            let selectors =
                data.select.iter().enumerate().map(|(index, &select)| (select, Accessor::Select(ty, index)));
            let updates =
                data.update.iter().enumerate().map(|(index, &update)| (update, Accessor::Update(ty, index)));
            self.accessors.extend(selectors.chain(updates).chain([(data.make, Accessor::Make)]));
            if let TypeData::Named { constructor, .. } = source.types[ty] {
                self.replaced.insert(constructor);
            }
        }
        for (constructor, data) in &source.constructors {
            if !self.replaced.contains(constructor) {
                self.constructors[constructor] = Some(self.target.constructors.push(data.clone()));
            }
        }
        for (ty, _) in source.types.iter() {
            self.divide(ty);
        }
        self.functions();
        for (procedure, data) in &source.procedures {
            // The ids of procedures are kept, so kinds of variables can name them.
            let id = self.target.procedures.push(ProcedureData { body: None, ..data.clone() });
            self.procedures.push(id);
            debug_assert_eq!(procedure, id);
        }
        // Names of the whole program are made first, so that those of procedures can avoid them.
        let is_outer = |data: &VariableData| {
            matches!(data.kind, VariableKind::Global | VariableKind::Constant { .. } | VariableKind::Bound)
        };
        for outer in [true, false] {
            for (variable, data) in source.variables.iter().filter(|(_, data)| is_outer(data) == outer) {
                self.variables[variable] = self.variable(data);
            }
        }
        self.target.constants = self.listed(&source.constants);
        self.target.globals = self.listed(&source.globals);
        for (function, _) in &source.functions {
            self.parameters(function);
        }
        for (expr, node) in source.expressions.iter() {
            let parts = self.expr(&node.data, node.span);
            debug_assert_eq!(self.exprs.next_key(), expr);
            self.exprs.push(parts);
        }
        self.number_constants();
        self.declarations();
    }

    fn unsupported(&mut self, span: Span) {
        self.unsupported.push(Unsupported { feature: Feature::Struct, span });
    }

    /// Finds the parts of a type, those of its components first. The recursion is as deep as the type; a type that
    /// contains itself, as a map that is used at its own type, is refused.
    fn divide(&mut self, ty: Type) {
        let source = self.source;
        match self.divided[ty] {
            Divided::Done => return,
            Divided::InProgress => {
                let span = match &source.types[ty] {
                    TypeData::Named { constructor, .. } => source.constructors[*constructor].span,
                    _ => return,
                };
                self.unsupported.push(Unsupported { feature: Feature::PolymorphicMap, span });
                return;
            }
            Divided::Not => self.divided[ty] = Divided::InProgress,
        }
        let components: Vec<Type> = match (self.structs.get(ty), &source.types[ty]) {
            (Some(data), _) => data.fields.iter().map(|&(_, field)| field).collect(),
            (None, TypeData::Map { domain, range }) => domain.iter().copied().chain([*range]).collect(),
            (None, TypeData::Named { arguments, .. }) => arguments.to_vec(),
            (None, _) => Vec::new(),
        };
        for &component in &components {
            self.divide(component);
        }
        let normal = self.structs.get(ty).and_then(|data| data.normal.as_ref());
        if normal.is_some() || components.iter().any(|&component| self.ambiguous.contains(component)) {
            self.ambiguous.insert(ty);
            let has_fields = self.structs.get(ty).is_some();
            if !has_fields || components.iter().any(|&component| self.formless.contains(component)) {
                self.formless.insert(ty);
            }
        }
        self.types[ty] = self.parts(ty);
        self.divided[ty] = Divided::Done;
    }

    /// The parts of a type whose components have theirs.
    fn parts(&mut self, ty: Type) -> Vec<Type> {
        let source = self.source;
        if let Some(data) = self.structs.get(ty) {
            return data.fields.iter().flat_map(|&(_, ty)| self.types[ty].clone()).collect();
        }
        match &source.types[ty] {
            TypeData::Bool => vec![Type::BOOL],
            TypeData::Int => vec![Type::INT],
            TypeData::Real => vec![Type::REAL],
            TypeData::BitVec(width) => vec![self.target.types.bit_vector(*width)],
            TypeData::Map { domain, range } => {
                let domain: Vec<Type> = domain.iter().flat_map(|&ty| self.types[ty].clone()).collect();
                let range = self.types[*range].clone();
                range.into_iter().map(|range| self.target.types.map(domain.clone(), range)).collect()
            }
            TypeData::Named { constructor, arguments } => {
                let arguments: Vec<Vec<Type>> = arguments.iter().map(|&ty| self.types[ty].clone()).collect();
                if arguments.iter().any(|parts| parts.len() != 1) {
                    // Nothing is known of such a type but that it differs from others, so it becomes one of its own.
                    let data = &source.constructors[*constructor];
                    let name = self.fresh(format!("{}.of", data.name), None);
                    let data = ConstructorData { name, arity: 0, ..data.clone() };
                    let alone = self.target.constructors.push(data);
                    return vec![self.target.types.named(alone, [])];
                }
                let arguments: Vec<Type> =
                    arguments.into_iter().filter_map(|parts| parts.first().copied()).collect();
                self.constructors[*constructor]
                    .map(|to| self.target.types.named(to, arguments))
                    .into_iter()
                    .collect()
            }
        }
    }

    fn parts_of_variable(&self, variable: Variable) -> &[Type] {
        &self.types[self.source.variables[variable].ty]
    }

    /// The functions of the program without those of the table; one per part of the result.
    fn functions(&mut self) {
        let source = self.source;
        for (function, data) in &source.functions {
            if self.accessors.contains_key(&function) {
                continue;
            }
            let results = self.types[data.result].clone();
            let expanded = results.len() != 1
                || data.parameters.iter().any(|&parameter| self.parts_of_variable(parameter).len() != 1);
            // The constant map of a struct is that of its fields, each by itself.
            let builtin =
                matches!(data.meaning, Meaning::Builtin(builtin) if builtin != Builtin::ConstantMap);
            if expanded && builtin {
                self.unsupported(data.span);
            }
            let names = self.part_names(&data.name, data.result, None);
            for (result, name) in results.into_iter().zip(names) {
                let id = self.target.functions.push(FunctionData {
                    name,
                    parameters: Vec::new(),
                    result,
                    meaning: data.meaning.clone(),
                    attributes: Vec::new(),
                    span: data.span,
                });
                self.functions[function].push(id);
            }
        }
    }

    /// The names of the parts of something: its own, or with the path to the field behind a dot.
    fn part_names(&mut self, name: &str, ty: Type, scope: Option<Procedure>) -> Vec<String> {
        let mut names = vec![(name.to_owned(), ty)];
        let mut done = Vec::new();
        while let Some((name, ty)) = names.pop() {
            let fields = match (self.structs.get(ty), &self.source.types[ty]) {
                (Some(data), _) => {
                    let path = |field: Symbol| format!("{name}.{}", self.symbols[field]);
                    data.fields.iter().map(|&(field, ty)| (path(field), ty)).rev().collect()
                }
                // A map has the parts of its range.
                (None, TypeData::Map { range, .. }) => vec![(name, *range)],
                (None, _) => {
                    done.push(name);
                    continue;
                }
            };
            names.extend(fields);
        }
        if let [only] = done.as_slice()
            && only == name
        {
            return done;
        }
        done.into_iter().map(|name| self.fresh(name, scope)).collect()
    }

    /// A made name that nothing else has that is visible together with it.
    fn fresh(&mut self, mut name: String, scope: Option<Procedure>) -> String {
        while self.symbols.find(&name).is_some()
            || self.taken.contains(&(None, name.clone()))
            || self.taken.contains(&(scope, name.clone()))
        {
            name.push('\'');
        }
        self.taken.insert((scope, name.clone()));
        name
    }

    fn variable(&mut self, data: &VariableData) -> Vec<Variable> {
        // The parameters of functions are made with the functions.
        if matches!(data.kind, VariableKind::FunctionParameter(_)) {
            return Vec::new();
        }
        let parts = self.types[data.ty].clone();
        let is_unique = data.kind == (VariableKind::Constant { unique: true });
        let divided = parts.len() != 1 || self.ambiguous.contains(data.ty);
        // Parts of different values may be equal, so that these get numbers instead.
        let kind = match is_unique && divided {
            true => VariableKind::Constant { unique: false },
            false => data.kind,
        };
        let scope = match data.kind {
            VariableKind::Parameter(owner) | VariableKind::Result(owner) | VariableKind::Local(owner) => {
                Some(owner)
            }
            _ => None,
        };
        let names = self.part_names(&data.name, data.ty, scope);
        parts
            .into_iter()
            .zip(names)
            .map(|(ty, name)| self.target.new_variable(name, ty, kind, data.span))
            .collect()
    }

    /// Unique constants of types that have several parts: a function of their values numbers them.
    fn number_constants(&mut self) {
        let source = self.source;
        let mut functions: FxHashMap<Type, (Function, usize)> = FxHashMap::default();
        for &constant in &source.constants {
            let data = &source.variables[constant];
            let divided = self.types[data.ty].len() != 1 || self.ambiguous.contains(data.ty);
            if !divided || data.kind != (VariableKind::Constant { unique: true }) {
                continue;
            }
            let (function, number) = match functions.get(&data.ty) {
                Some(&(function, number)) => (function, number + 1),
                None => (self.numbering(data.ty, data.span), 0),
            };
            functions.insert(data.ty, (function, number));
            let parts = self.variables[constant].clone();
            let parts = parts.into_iter().map(|part| self.target.variable(part, data.span)).collect();
            let parts = self.normal(data.ty, parts, data.span);
            let value = self.target.apply(function, parts, data.span);
            let number = self.target.int(number, data.span);
            let formula = self.target.equal(value, number, data.span);
            self.target.axioms.push(Axiom { formula, attributes: Vec::new(), span: data.span });
        }
    }

    /// A function from the parts of a type to numbers.
    fn numbering(&mut self, ty: Type, span: Span) -> Function {
        let name = self.fresh("number".to_owned(), None);
        let function = self.target.functions.push(FunctionData {
            name,
            parameters: Vec::new(),
            result: Type::INT,
            meaning: Meaning::Uninterpreted,
            attributes: Vec::new(),
            span,
        });
        for part in self.types[ty].clone() {
            let name = self.fresh("part".to_owned(), None);
            let kind = VariableKind::FunctionParameter(function);
            let parameter = self.target.new_variable(name, part, kind, span);
            self.target.functions[function].parameters.push(parameter);
        }
        function
    }

    /// Every part of a function has parameters of its own; the definition is translated for the first, and the
    /// others get it by renaming.
    fn parameters(&mut self, function: Function) {
        let source = self.source;
        let constant_map = source.functions[function].meaning == Meaning::Builtin(Builtin::ConstantMap);
        for (position, id) in self.functions[function].clone().into_iter().enumerate() {
            for &parameter in &source.functions[function].parameters {
                let data = &source.variables[parameter];
                let parts = self.types[data.ty].clone();
                let names = self.part_names(&data.name, data.ty, None);
                for (index, (ty, name)) in parts.into_iter().zip(names).enumerate() {
                    if constant_map && index != position {
                        continue;
                    }
                    let kind = VariableKind::FunctionParameter(id);
                    let part = self.target.new_variable(name, ty, kind, data.span);
                    self.target.functions[id].parameters.push(part);
                    if self.functions[function][0] == id {
                        self.variables[parameter].push(part);
                    }
                }
            }
        }
    }

    fn listed(&self, variables: &[Variable]) -> Vec<Variable> {
        variables.iter().flat_map(|&variable| &self.variables[variable]).copied().collect()
    }

    fn exprs_of(&self, exprs: &[Expr]) -> Vec<Expr> {
        exprs.iter().flat_map(|&expr| &self.exprs[expr]).copied().collect()
    }

    /// The only part of an expression whose type has no structs.
    fn one(&self, expr: Expr) -> Expr {
        self.exprs[expr][0]
    }

    fn expr(&mut self, data: &ExprData, span: Span) -> Vec<Expr> {
        let single = match data {
            ExprData::Bool(_) | ExprData::Int(_) | ExprData::Real(_) | ExprData::BitVec { .. } => {
                data.clone()
            }
            ExprData::Variable(variable) => {
                let parts = self.variables[*variable].clone();
                return parts.into_iter().map(|part| self.target.variable(part, span)).collect();
            }
            ExprData::Old(variable) => {
                let parts = self.variables[*variable].clone();
                return parts.into_iter().map(|part| self.target.old(part, span)).collect();
            }
            ExprData::Apply(function, arguments) => return self.apply(*function, arguments, span),
            ExprData::Unary(op, operand) => ExprData::Unary(*op, self.one(*operand)),
            ExprData::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right) => {
                return vec![self.equality(*op, *left, *right, span)];
            }
            ExprData::Binary(op, left, right) => ExprData::Binary(*op, self.one(*left), self.one(*right)),
            ExprData::Ite(condition, then, otherwise) => {
                let condition = self.one(*condition);
                let parts: Vec<(Expr, Expr)> = self.pairs(*then, *otherwise);
                let parts = parts
                    .into_iter()
                    .map(|(then, otherwise)| self.target.ite(condition, then, otherwise, span));
                return parts.collect();
            }
            ExprData::Select(map, arguments) => {
                let (maps, arguments) = (self.exprs[*map].clone(), self.normal_exprs(arguments, span));
                return maps
                    .into_iter()
                    .map(|map| self.target.select(map, arguments.clone(), span))
                    .collect();
            }
            ExprData::Store(map, arguments, value) => {
                let arguments = self.normal_exprs(arguments, span);
                let parts = self.pairs(*map, *value);
                let parts = parts.into_iter().map(|(map, value)| self.store(map, &arguments, value, span));
                return parts.collect();
            }
            ExprData::Extract { operand, high, low } => {
                ExprData::Extract { operand: self.one(*operand), high: *high, low: *low }
            }
            ExprData::Quantified(quantifier) => ExprData::Quantified(Box::new(Quantifier {
                kind: quantifier.kind,
                bound: self.listed(&quantifier.bound),
                triggers: quantifier.triggers.iter().map(|trigger| self.exprs_of(trigger)).collect(),
                attributes: self.attributes(&quantifier.attributes),
                body: self.one(quantifier.body),
            })),
        };
        match self.target.expr(single, span) {
            Ok(expr) => vec![expr],
            Err(error) => unreachable!("parts of well-typed expressions are well typed: {error}"),
        }
    }

    /// Assigning one field stores all others back where they were: `m[i := m[i]]` is `m`.
    fn store(&mut self, map: Expr, arguments: &[Expr], value: Expr, span: Span) -> Expr {
        match &self.target.expressions[value] {
            ExprData::Select(from, at) if *from == map && **at == *arguments => map,
            _ => self.target.store(map, arguments.to_vec(), value, span),
        }
    }

    fn pairs(&self, left: Expr, right: Expr) -> Vec<(Expr, Expr)> {
        self.exprs[left].iter().copied().zip(self.exprs[right].iter().copied()).collect()
    }

    fn apply(&mut self, function: Function, arguments: &[Expr], span: Span) -> Vec<Expr> {
        match self.accessors.get(&function) {
            Some(Accessor::Make) => self.exprs_of(arguments),
            Some(&Accessor::Select(ty, index)) => {
                let fields = self.structs.get(ty).map_or(&[][..], |data| &data.fields);
                let sizes: Vec<usize> = fields.iter().map(|&(_, ty)| self.types[ty].len()).collect();
                let start: usize = sizes[..index].iter().sum();
                self.exprs_of(arguments)[start..start + sizes[index]].to_vec()
            }
            Some(&Accessor::Update(ty, index)) => {
                let fields = self.structs.get(ty).map_or(&[][..], |data| &data.fields);
                let sizes: Vec<usize> = fields.iter().map(|&(_, ty)| self.types[ty].len()).collect();
                let start: usize = sizes[..index].iter().sum();
                let mut parts = self.exprs[arguments[0]].clone();
                parts.splice(start..start + sizes[index], self.exprs[arguments[1]].iter().copied());
                parts
            }
            None if self.source.functions[function].meaning == Meaning::Builtin(Builtin::ConstantMap) => {
                let arguments = self.exprs_of(arguments);
                let parts = self.functions[function].clone().into_iter().zip(arguments);
                parts.map(|(part, argument)| self.target.apply(part, [argument], span)).collect()
            }
            None => {
                let arguments = self.normal_exprs(arguments, span);
                let parts = self.functions[function].clone();
                parts.into_iter().map(|part| self.target.apply(part, arguments.clone(), span)).collect()
            }
        }
    }

    fn attributes(&self, attributes: &[Attribute]) -> Vec<Attribute> {
        let argument = |argument: &AttributeArgument| match argument {
            AttributeArgument::Text(text) => vec![AttributeArgument::Text(text.clone())],
            AttributeArgument::Expr(expr) => {
                self.exprs[*expr].iter().map(|&part| AttributeArgument::Expr(part)).collect()
            }
        };
        let attribute = |attribute: &Attribute| Attribute {
            name: attribute.name.clone(),
            arguments: attribute.arguments.iter().flat_map(argument).collect(),
        };
        attributes.iter().map(attribute).collect()
    }

    fn declarations(&mut self) {
        let source = self.source;
        for (constructor, data) in &source.constructors {
            if let Some(to) = self.constructors[constructor] {
                self.target.constructors[to].attributes = self.attributes(&data.attributes);
            }
        }
        for (variable, data) in &source.variables {
            let (attributes, clause) =
                (self.attributes(&data.attributes), data.where_clause.map(|clause| self.one(clause)));
            for (index, part) in self.variables[variable].clone().into_iter().enumerate() {
                self.target.variables[part].attributes = attributes.clone();
                // All parts get arbitrary values together, so one of them may carry the clause.
                self.target.variables[part].where_clause = clause.filter(|_| index == 0);
            }
        }
        for (function, data) in &source.functions {
            self.definition(function, data);
        }
        for axiom in &source.axioms {
            let (formula, attributes) = (self.one(axiom.formula), self.attributes(&axiom.attributes));
            self.target.axioms.push(Axiom { formula, attributes, span: axiom.span });
        }
        for (procedure, data) in &source.procedures {
            let expanded = ProcedureData {
                name: data.name.clone(),
                parameters: self.listed(&data.parameters),
                results: self.listed(&data.results),
                requires: self.specifications(&data.requires),
                ensures: self.specifications(&data.ensures),
                modifies: self.listed(&data.modifies),
                body: data.body.as_ref().map(|body| self.body(body)),
                attributes: self.attributes(&data.attributes),
                span: data.span,
            };
            self.target.procedures[self.procedures[procedure]] = expanded;
        }
    }

    fn definition(&mut self, function: Function, data: &FunctionData) {
        let parts = self.functions[function].clone();
        let attributes = self.attributes(&data.attributes);
        for (index, &part) in parts.iter().enumerate() {
            self.target.functions[part].attributes = attributes.clone();
            if let Meaning::Defined(body) = data.meaning {
                let mut body = self.exprs[body][index];
                if index > 0 {
                    body = self.renamed(body, parts[0], part);
                }
                self.target.functions[part].meaning = Meaning::Defined(body);
            }
        }
    }

    /// An expression over the parameters of one function as an expression over those of another.
    fn renamed(&mut self, root: Expr, from: Function, to: Function) -> Expr {
        let pairs = self.target.functions[from].parameters.iter().copied();
        let renaming: FxHashMap<Variable, Variable> =
            pairs.zip(self.target.functions[to].parameters.iter().copied()).collect();
        self.target.rename(root, &renaming)
    }

    fn specifications(&self, specifications: &[Specification]) -> Vec<Specification> {
        let specification = |specification: &Specification| Specification {
            condition: self.one(specification.condition),
            free: specification.free,
            attributes: self.attributes(&specification.attributes),
            span: specification.span,
        };
        specifications.iter().map(specification).collect()
    }

    fn body(&self, body: &Body) -> Body {
        let mut blocks = PrimaryMap::with_capacity(body.blocks.len());
        for block in body.blocks.values() {
            let transfer = match &block.transfer {
                Transfer::Branch { condition, then, otherwise } => {
                    Transfer::Branch { condition: self.one(*condition), then: *then, otherwise: *otherwise }
                }
                other => other.clone(),
            };
            blocks.push(BlockData {
                label: block.label.clone(),
                statements: block.statements.iter().map(|statement| self.statement(statement)).collect(),
                transfer,
                transfer_span: block.transfer_span,
            });
        }
        Body { locals: self.listed(&body.locals), blocks }
    }

    fn statement(&self, statement: &Statement) -> Statement {
        let kind = match &statement.kind {
            StatementKind::Assign(assignments) => {
                let parts = assignments.iter().flat_map(|&(target, value)| {
                    self.variables[target].iter().copied().zip(self.exprs[value].iter().copied())
                });
                let mut parts: Vec<(Variable, Expr)> = parts.collect();
                // Fields that keep their value need not be assigned, but a statement assigns something.
                let keeps = |&(target, value): &(Variable, Expr)| {
                    self.target.expressions[value] == ExprData::Variable(target)
                };
                if !parts.iter().all(keeps) {
                    parts.retain(|part| !keeps(part));
                }
                StatementKind::Assign(parts)
            }
            StatementKind::Havoc(variables) => StatementKind::Havoc(self.listed(variables)),
            StatementKind::Assume(condition) => StatementKind::Assume(self.one(*condition)),
            StatementKind::Assert(kind, condition) => StatementKind::Assert(*kind, self.one(*condition)),
            StatementKind::Call { procedure, arguments, results } => StatementKind::Call {
                procedure: self.procedures[*procedure],
                arguments: self.exprs_of(arguments),
                results: self.listed(results),
            },
            StatementKind::Fork { thread, procedure, arguments } => StatementKind::Fork {
                thread: self.exprs_of(thread),
                procedure: self.procedures[*procedure],
                arguments: self.exprs_of(arguments),
            },
            StatementKind::Join { thread, results } => {
                StatementKind::Join { thread: self.exprs_of(thread), results: self.listed(results) }
            }
            StatementKind::Atomic(boundary) => StatementKind::Atomic(*boundary),
        };
        Statement { kind, span: statement.span, attributes: self.attributes(&statement.attributes) }
    }
}
