//! The typed tree to the intermediate language.
//!
//! Every C function that `main` may reach becomes a procedure; a procedure `ULTIMATE.start` initialises the variables
//! with static lifetime and calls `main`. The property becomes assertions. What is not modelled exactly is either
//! refused by name, or marked: an `assume` with the mark [`ir::Mark::Overapproximation`] stands behind the `havoc`.
//!
//! An execution of the translation ends (by `assume`) where the C program ends, and where it leaves the C language in
//! a way that machines do not survive: division by zero, null pointers. Reading outside of an array gives an unknown value,
//! as a shift by too much does, and writing there changes no other object; all of this is marked.

mod addresses;
mod allocators;
mod arguments;
mod arithmetic;
pub(crate) mod atomics;
mod back;
mod bits;
mod builtins;
mod bytes;
mod calls;
mod classes;
mod contexts;
mod contracts;
mod emit;
mod expressions;
mod facts;
mod floats;
mod formats;
mod frames;
mod intrinsics;
mod jumps;
mod leaves;
mod library;
mod lifetimes;
mod live;
mod mathematics;
mod memory_functions;
mod numbers;
mod observe;
mod order;
mod outlived;
mod places;
mod raw;
mod reachable;
mod regions;
mod shapes;
mod sites;
mod statements;
mod tags;
mod texts;
mod threads;
mod transcendental;
mod unset;
mod values;
mod written;
mod zeroing;

pub use back::{Arguments, BackMap, CCell, CKind, CObject, CVariable, Input, Member, Memory, Part, indexed};
pub(crate) use classes::holds_pointers;
pub(crate) use library::is_unknown;

use crate::options::{Check, Checks, Letter, Options, Property};
use crate::problem::Problem;
use crate::symbols::{Symbol, Symbols};
use crate::tree::{ExprId, ExprKind, FuncId, Init, Lifetime, StmtKind, TextId, Tree, VarId};
use crate::types::{Length, Type, TypeId};
use base::{Budget, EntityRef, EntitySet, FileId, SecondaryMap, Span};
use classes::Key;
use contexts::{Analyses, Declared, ExpressionContext, FunctionContext, Home, Names, Report, Storage};
use emit::BodyBuilder;
use ir::{Procedure, ProcedureData, StatementKind, Transfer, Variable, VariableKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// How the result of a function is called where people see it.
const RESULT: &str = "\\result";

type Result<T> = std::result::Result<T, Problem>;

struct Translator<'a> {
    tree: &'a Tree,
    symbols: &'a Symbols,
    options: Options,
    /// When to stop; never if none is given.
    budget: Option<&'a Budget>,
    /// The output.
    program: ir::Program,
    analyses: Analyses,
    names: Names,
    storage: Storage,
    declared: Declared,
    report: Report,
    /// Inside an expression of a monitor.
    observing: Option<observe::Observing>,
    /// The variable that says whether the target of a monitor is being executed.
    at_target: Option<observe::AtTarget>,
    threads: threads::Threads,
    /// What contracts allow to be written, and where.
    frames: frames::Frames,
    jumps: jumps::Jumps,
    function: FunctionContext,
    expression: ExpressionContext,
}

/// Translates a program that begins with a function.
pub fn translate<'a>(
    tree: &'a Tree,
    symbols: &'a Symbols,
    options: Options,
    (entry, file): (&str, FileId),
    budget: Option<&'a Budget>,
) -> std::result::Result<(ir::Program, BackMap), Vec<Problem>> {
    let nowhere = Span::new(file, 0, 0);
    let named = |data: &crate::tree::Function| symbols.text(data.name) == entry && data.body.is_some();
    // Where `main` looks at its arguments, somebody has to make them.
    let caller = |data: &crate::tree::Function| {
        entry == "main" && symbols.text(data.name) == crate::models::CALLER && data.body.is_some()
    };
    let callers = tree.functions.iter().find(|(_, data)| caller(data));
    let Some((main, _)) = callers.or_else(|| tree.functions.iter().find(|(_, data)| named(data))) else {
        return Err(vec![Problem::unsupported(nowhere, format!("a program without `{entry}`"))]);
    };
    let mut program = ir::Program::new();
    let next_object = program.new_variable("#next", ir::Type::INT, VariableKind::Global, nowhere);
    program.globals.push(next_object);
    let in_time = || budget.map_or(Ok(()), Budget::check).map_err(|limit| vec![Problem::Interrupted(limit)]);
    in_time()?;
    let live = live::Live::from(tree, main);
    let reachable = live.functions(tree);
    let mut recursive = recursive_functions(tree, &reachable);
    let mut threads = threads::Threads::of(tree, symbols, &reachable);
    threads.add_reentrant(tree, symbols, &reachable, &mut recursive);
    let tags = options.bit_operations == crate::options::BitOperations::Marked && !threads.concurrent;
    let mut classes = classes::analyse(tree, symbols, &live, tags);
    in_time()?;
    // Without checks of memory, nobody asks what a pointer to a variable that is gone leads to.
    let follows_memory = options.checks_memory() || options.memory_elsewhere;
    let outlived = match follows_memory && !threads.concurrent {
        true => outlived::analyse(tree, symbols, &live, &mut classes),
        false => outlived::scopes(tree, &live),
    };
    let shapes = shapes::analyse(tree, (symbols, &live), &mut classes, (&recursive, &outlived));
    let needs_addresses = classes.needs_addresses(&tree.types);
    let makes_pointers = classes.makes_pointers(&tree.types);
    in_time()?;
    let orders = order::analyse(tree, symbols, &live, &mut classes);
    let odd_pointers = has_odd_pointers(tree, &live);
    if threads.concurrent && options.asks(crate::options::Check::DataRace) {
        threads.watch(tree, symbols, &classes);
    }
    let analyses = Analyses {
        classes,
        shapes,
        needs_addresses,
        makes_pointers,
        orders,
        recursive,
        outlived,
        assigned: assigned_variables(tree),
        ranges: arguments::ranges(tree, &live, main),
        live: Rc::new(live),
        odd_pointers,
        rounding_mode: floats::rounding_mode(tree, symbols),
    };
    in_time()?;
    let mut translator = Translator {
        tree,
        symbols,
        options,
        budget,
        program,
        analyses,
        names: Names::default(),
        storage: Storage::new(next_object),
        declared: Declared::default(),
        report: Report::default(),
        observing: None,
        at_target: observe::AtTarget::find(tree, symbols),
        threads,
        frames: frames::Frames::default(),
        jumps: jumps::Jumps::default(),
        function: FunctionContext::default(),
        expression: ExpressionContext::new(nowhere),
    };
    translator.declare_objects();
    translator.declare_new_block();
    let mut problems = Vec::new();
    problems.extend(translator.declare_frames().err());
    translator.declare_jumps(&reachable);
    for &function in &reachable {
        if tree.functions[function].body.is_some()
            && let Err(problem) = translator.function(function)
        {
            if let Problem::Interrupted(_) = problem {
                return Err(vec![problem]);
            }
            problems.push(problem);
            translator.function.body = None;
        }
    }
    if let Err(problem) = translator.start_procedure(main) {
        problems.push(problem);
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    if options.property.errs_at(Letter::Assertion)
        && translator.report.asserted == 0
        && mentions_error_label(tree, symbols)
    {
        // What must not happen is said by the label then.
        return translate(
            tree,
            symbols,
            Options { property: Property::UnreachLabel, ..options },
            (entry, file),
            budget,
        );
    }
    translator.complete_modifies();
    translator.remember_objects();
    translator.report.back.inputs = std::mem::take(&mut translator.report.inputs);
    translator.report.back.file = Some(file);
    translator.report.back.property = Some(options.property);
    let asked = Check::ALL.into_iter().filter(|&check| options.asks(check));
    translator.report.back.asked = asked.fold(Checks::default(), Checks::with);
    if callers.is_some() {
        let parameters = tree.functions.values().find(|data| named(data)).map(|data| data.parameters.len());
        translator.report.back.arguments = parameters.map(Arguments::Strings);
    }
    translator.report.back.data_model = options.data_model;
    translator.report.back.checks = translator.report.asserted;
    translator.report.back.sites = sites::sites(tree, symbols, options.property);
    let defined = tree.functions.values().filter(|data| data.body.is_some());
    translator.report.back.defined = defined.map(|data| symbols.text(data.name).to_owned()).collect();
    Ok((translator.program, translator.report.back))
}

impl Translator<'_> {
    fn body(&mut self) -> &mut BodyBuilder {
        self.function.body.as_mut().expect("statements are translated inside of a procedure only")
    }

    fn is_recursive(&self, function: Option<FuncId>) -> bool {
        function.is_some_and(|function| self.analyses.recursive.contains(function))
    }

    /// Whether a variable is another object whenever it begins to live, because it is there several times, or somebody may know the old one.
    fn is_renewed(&self, var: VarId) -> bool {
        let data = &self.tree.variables[var];
        data.lifetime != Lifetime::Static
            && (self.is_recursive(data.function) || self.analyses.outlived.contains(var))
    }

    /// A base that no other object has.
    fn next_base(&mut self) -> u64 {
        self.storage.last_base += 1;
        self.storage.last_base
    }

    fn function_base(&mut self, function: FuncId) -> u64 {
        if let Some(&base) = self.storage.function_bases.get(&function) {
            return base;
        }
        let base = self.next_base();
        self.storage.function_bases.insert(function, base);
        base
    }

    fn text_base(&mut self, text: TextId) -> u64 {
        if let Some(&base) = self.storage.text_bases.get(&text) {
            return base;
        }
        let base = self.next_base();
        self.storage.text_bases.insert(text, base);
        // A unit has a byte at least.
        self.storage.fixed_sizes.insert(base, self.tree.texts[text].len() as u64);
        base
    }

    /// The number that stands for the address of a label.
    fn label_base(&mut self, function: FuncId, label: Symbol) -> u64 {
        if let Some(&base) = self.storage.label_bases.get(&(function, label)) {
            return base;
        }
        let base = self.next_base();
        self.storage.label_bases.insert((function, label), base);
        base
    }

    /// The least base of objects that are made at run time: all fixed ones are below.
    fn first_new_base(&self) -> u64 {
        let tree = self.tree;
        let fixed =
            tree.variables.len() + tree.functions.len() + tree.texts.len() + tree.label_addresses.len();
        fixed as u64 + 1
    }

    /// Gives a variable the base of a new object.
    fn allocate_into(&mut self, variable: Variable) {
        let next = self.storage.next_object;
        let base = self.var(next);
        // Two threads must not get one object.
        self.boundary(ir::Boundary::Begin);
        // The counter only grows; said here, it need not be found out.
        let first = self.int(self.first_new_base());
        let new = self.compare(ir::BinaryOp::GreaterEqual, base, first);
        self.assume(new);
        self.assign(variable, base);
        let one = self.int(1);
        let base = self.var(next);
        let after = self.add(base, one);
        self.assign(next, after);
        self.boundary(ir::Boundary::End);
    }

    fn new_global(&mut self, name: &str, ty: ir::Type) -> Variable {
        let name = self.unique_global(name);
        let variable = self.program.new_variable(name, ty, VariableKind::Global, self.expression.at);
        self.program.globals.push(variable);
        variable
    }

    /// Remembers what the variables of a C variable mean.
    fn remember(&mut self, var: VarId, variables: &[Vec<Variable>]) -> Result<()> {
        let data = &self.tree.variables[var];
        let name = self.symbols.text(data.name).to_owned();
        // Nobody wrote what holds operands.
        if name.contains('#') {
            return Ok(());
        }
        self.remember_parts((&name, data.function, data.span), data.ty, variables)
    }

    /// Remembers what the results of a procedure mean.
    fn remember_result(&mut self, function: FuncId, ty: TypeId, variables: &[Vec<Variable>]) -> Result<()> {
        let span = self.tree.functions[function].span;
        self.remember_parts((RESULT, Some(function), span), ty, variables)
    }

    fn remember_parts(
        &mut self,
        (whole, function, span): (&str, Option<FuncId>, Span),
        ty: TypeId,
        variables: &[Vec<Variable>],
    ) -> Result<()> {
        let leaves = self.leaves(ty)?;
        let function =
            function.map(|function| self.symbols.text(self.tree.functions[function].name).to_owned());
        for (leaf, components) in leaves.iter().zip(variables) {
            let name = format!("{whole}{}", leaf.suffix);
            let ty = self.tree.types.show(leaf.ty, self.symbols);
            let parts: &[Part] =
                if components.len() == 2 { &[Part::Base, Part::Offset] } else { &[Part::Whole] };
            for (&variable, &part) in components.iter().zip(parts) {
                let meaning = CVariable {
                    name: name.clone(),
                    ty: ty.clone(),
                    kind: self.kind_of(leaf.ty),
                    part,
                    function: function.clone(),
                    span,
                };
                self.report.back.variables.insert(variable, meaning);
            }
        }
        Ok(())
    }

    /// How values of a scalar type are shown.
    fn kind_of(&self, ty: TypeId) -> CKind {
        match (&self.tree.types[ty], self.tree.types.int_kind(ty)) {
            (Type::Pointer(_), _) => CKind::Pointer,
            (Type::Float(kind), _) => CKind::Floating(kind.format()),
            (_, Some(kind)) if kind.is_character() => CKind::Character,
            _ => CKind::Integer,
        }
    }

    /// Remembers which objects have fixed bases.
    fn remember_objects(&mut self) {
        self.report.back.last_base = self.first_new_base() - 1;
        debug_assert!(self.storage.last_base <= self.report.back.last_base);
        for (var, data) in self.tree.variables.iter() {
            let Some(Home::Fixed(base)) = self.storage.homes[var] else { continue };
            let leaves = leaves::leaves(&self.tree.types, self.symbols, data.ty).unwrap_or_default();
            let length = |dimension: &leaves::Dimension| match dimension.length {
                Length::Known(length) => Some(length),
                _ => None,
            };
            let cells = leaves.iter().filter(|leaf| leaf.width.is_none() && !leaf.raw).map(|leaf| CCell {
                suffix: leaf.suffix.clone(),
                offset: leaf.bit_offset / 8,
                dimensions: leaf.dimensions.iter().map(|d| (length(d), d.stride)).collect(),
                kind: self.kind_of(leaf.ty),
            });
            let cells = cells.collect();
            let name = self.symbols.text(data.name).to_owned();
            let function = data
                .function
                .map(|function| self.symbols.text(self.tree.functions[function].name).to_owned());
            self.report.back.objects.insert(base, CObject { name, function, cells });
        }
        for (&function, &base) in &self.storage.function_bases {
            let name = self.symbols.text(self.tree.functions[function].name).to_owned();
            self.report.back.objects.insert(base, CObject { name, function: None, cells: Vec::new() });
        }
        for (&text, &base) in &self.storage.text_bases {
            let units = self.tree.texts[text].iter().filter(|&&unit| unit != 0);
            let characters: String = units.filter_map(|&unit| char::from_u32(unit)).collect();
            let name = format!("\"{}\"", characters.escape_debug());
            self.report.back.objects.insert(base, CObject { name, function: None, cells: Vec::new() });
        }
    }

    /// The procedure of a function, declared at its first mention.
    fn procedure(&mut self, function: FuncId) -> Result<Procedure> {
        if let Some(procedure) = self.declared.procedures[function] {
            return Ok(procedure);
        }
        let data = &self.tree.functions[function];
        let outer = std::mem::replace(&mut self.expression.at, data.span);
        let wanted = self.symbols.text(data.name).to_owned();
        let name = self.unique_global(&wanted);
        let procedure = self.program.procedures.push(ProcedureData::named(name, data.span));
        self.declared.procedures[function] = Some(procedure);
        let mut used: FxHashMap<String, u32> = FxHashMap::default();
        for &parameter in &data.parameters {
            let variable = &self.tree.variables[parameter];
            let name = self.symbols.text(variable.name).to_owned();
            let kind = VariableKind::Parameter(procedure);
            // A parameter that is assigned or lives in memory is copied at the entry, under its own name.
            let suffix = if self.is_copied(parameter) { "#in" } else { "" };
            let leaves = self.leaf_variables(variable.ty, &name, |this, name, ty| {
                let name = this.parameter_name(&mut used, &format!("{name}{suffix}"));
                this.program.new_variable(name, ty, kind, variable.span)
            })?;
            self.program.procedures[procedure].parameters.extend(leaves.iter().flatten());
            if let (Some(&range), [components]) = (self.analyses.ranges.get(&parameter), &leaves[..])
                && let &[number] = &components[..]
            {
                self.narrow_where(number, range);
            }
            if self.is_copied(parameter) {
                let at_entry = format!("\\old({name})");
                self.remember_parts((&at_entry, Some(function), variable.span), variable.ty, &leaves)?;
            } else {
                self.remember(parameter, &leaves)?;
                self.storage.homes[parameter] = Some(Home::Plain(leaves.into()));
            }
        }
        self.add_own_thread(function, procedure);
        let result = self.tree.types.function(data.ty).map(|ty| ty.result);
        if let Some(result) = result.filter(|&result| !matches!(self.tree.types[result], Type::Void)) {
            let kind = VariableKind::Result(procedure);
            let leaves = self.leaf_variables(result, "#result", |this, name, ty| {
                let name = this.parameter_name(&mut used, name);
                this.program.new_variable(name, ty, kind, data.span)
            })?;
            self.program.procedures[procedure].results.extend(leaves.iter().flatten());
            self.remember_result(function, result, &leaves)?;
        }
        self.expression.at = outer;
        Ok(procedure)
    }

    fn parameter_name(&mut self, used: &mut FxHashMap<String, u32>, name: &str) -> String {
        let name = &*emit::plain_name(name);
        loop {
            let count = used.entry(name.to_owned()).or_insert(0);
            *count += 1;
            let candidate = if *count == 1 { name.to_owned() } else { format!("{name}#{count}") };
            if !self.names.global.contains_key(&candidate) {
                self.names.local.insert(candidate.clone());
                return candidate;
            }
        }
    }

    /// Whether a parameter is copied to a variable at the entry of its function.
    fn is_copied(&self, parameter: VarId) -> bool {
        let data = &self.tree.variables[parameter];
        self.analyses.assigned.contains(parameter)
            || data.address_taken
            || !leaves::is_splittable(&self.tree.types, self.symbols, data.ty)
    }

    fn begin(&mut self, procedure: Procedure) {
        let mut builder = BodyBuilder::new(procedure);
        let data = &self.program.procedures[procedure];
        for &variable in data.parameters.iter().chain(&data.results) {
            builder.names.insert(self.program.variables[variable].name.clone(), 1);
        }
        self.function.body = Some(builder);
        self.function.labels.clear();
        self.function.defined_labels.clear();
        self.function.activation = None;
        self.function.resumed.clear();
        self.function.targets.clear();
        self.function.switches.clear();
        self.function.declared.clear();
        self.function.scopes = vec![Vec::new()];
        self.expression.open_orders = 0;
        self.forget_all();
        let entry = self.new_block("entry");
        self.start(entry);
    }

    fn finish(&mut self) -> Result<()> {
        self.end_block(Transfer::Return);
        let undefined = self
            .function
            .labels
            .keys()
            .copied()
            .filter(|label| !self.function.defined_labels.contains(label))
            .min();
        if let Some(label) = undefined {
            let message = format!("the label `{}` is not defined", self.symbols.text(label));
            return Err(Problem::error(self.expression.at, message));
        }
        let builder = self.function.body.take().expect("a body was begun");
        let procedure = builder.procedure;
        let (body, decisions) = builder.finish();
        self.report.back.decisions.extend(decisions.into_iter().map(|block| (procedure, block)));
        self.program.procedures[procedure].body = Some(body);
        Ok(())
    }

    fn function(&mut self, function: FuncId) -> Result<()> {
        let data = &self.tree.functions[function];
        let Some(body) = data.body else { return Ok(()) };
        self.frames.current = Some(function);
        self.expression.at = data.span;
        let procedure = self.procedure(function)?;
        self.begin(procedure);
        let flat = self.program.procedures[procedure].results.clone();
        self.function.results = flat;
        for (var, variable) in self.tree.variables.iter() {
            if variable.function == Some(function)
                && variable.lifetime != Lifetime::Static
                && self.analyses.live.has_variable(var)
                && (variable.address_taken
                    || !leaves::is_splittable(&self.tree.types, self.symbols, variable.ty))
            {
                self.function.declared.push(var);
                // Objects that are new in every call get their bases here: a `goto` may jump over their declarations.
                if let Home::Fresh(base) = self.home(var)? {
                    self.allocate_into(base);
                }
                if variable.lifetime == Lifetime::Parameter {
                    self.begin_variable(var)?;
                }
            }
        }
        let mut position = 0;
        for &parameter in &data.parameters {
            let ty = self.tree.variables[parameter].ty;
            let count = self.leaves(ty)?.iter().map(|leaf| self.component_count(leaf.ty)).collect::<Vec<_>>();
            let mut leaves = Vec::new();
            for components in count {
                let variables =
                    &self.program.procedures[procedure].parameters[position..position + components];
                let variables = variables.to_vec();
                leaves.push(variables.into_iter().map(|variable| self.var(variable)).collect());
                position += components;
            }
            if self.is_copied(parameter) {
                let value = self.value_of_leaves(ty, leaves)?;
                let place = self.variable_place(parameter)?;
                self.write(&place, ty, &value)?;
            }
        }
        for &parameter in &data.parameters {
            if let Some(&range) = self.analyses.ranges.get(&parameter)
                && self.is_tracked(parameter)
            {
                self.learn(parameter, range);
            }
        }
        self.open_stack_blocks(function);
        self.open_activation(function);
        self.statement(body)?;
        self.expression.at = data.span;
        self.end_scopes(0)?;
        self.close_stack_blocks()?;
        if self.is_reachable() && self.symbols.text(data.name) == "main" && self.returns_int(data.ty) {
            // Reaching the end of `main` returns 0.
            if let Some(&result) = self.function.results.first() {
                let zero = self.int(0);
                self.assign(result, zero);
            }
        }
        self.finish()
    }

    fn returns_int(&self, function: TypeId) -> bool {
        let result = self.tree.types.function(function).map(|function| function.result);
        result.is_some_and(|result| self.tree.types.int_kind(result).is_some())
    }

    /// The procedure that initialises the program and calls `main`.
    fn start_procedure(&mut self, main: FuncId) -> Result<()> {
        self.expression.at = self.tree.functions[main].span;
        let procedure = self
            .program
            .procedures
            .push(ProcedureData::named(ir::program::START.to_owned(), self.expression.at));
        self.frames.current = None;
        self.storage.start = Some(procedure);
        self.begin(procedure);
        self.initialise_frames();
        self.initialise_jumps();
        let first = self.int(self.first_new_base());
        self.assign(self.storage.next_object, first);
        let (objects, statics) = (self.new_block("objects"), self.new_block("statics"));
        self.jump(objects);
        self.start(statics);
        self.initialise_statics()?;
        self.initialise_texts()?;
        self.initialise_threads()?;
        self.forbid_deadlocks(procedure);
        // What objects there are is known only now, as initialisers may be the first to mention one.
        let end = self.body().current.replace(objects);
        self.initialise_shadows()?;
        self.initialise_objects()?;
        self.jump(statics);
        self.body().current = end;
        for &starter in &self.tree.at_start {
            self.call_without_arguments(starter)?;
        }
        let callee = self.procedure(main)?;
        let mut arguments = self.main_arguments(main)?;
        arguments.extend(self.told_thread(callee, None));
        let results = self.program.procedures[callee].results.clone();
        let types: Vec<ir::Type> = results.iter().map(|&result| self.program.variables[result].ty).collect();
        let holders: Vec<Variable> = types.into_iter().map(|ty| self.temporary(ty)).collect();
        self.expression.at = self.tree.functions[main].span;
        self.call(callee, arguments, holders);
        self.give_up_if_left(main);
        self.end_main();
        self.run_at_end()?;
        self.check_end()?;
        self.finish()
    }

    /// Runs the functions that run when the program ends by itself.
    fn run_at_end(&mut self) -> Result<()> {
        for &ender in &self.tree.at_end {
            self.call_without_arguments(ender)?;
        }
        Ok(())
    }

    /// Calls a constructor or destructor, which gets nothing and whose result nobody sees.
    fn call_without_arguments(&mut self, function: FuncId) -> Result<()> {
        let data = &self.tree.functions[function];
        if data.body.is_none() {
            return Ok(());
        }
        self.expression.at = data.span;
        if !data.parameters.is_empty() {
            return Err(self.unsupported("a constructor or destructor with parameters"));
        }
        let callee = self.procedure(function)?;
        let results = self.program.procedures[callee].results.clone();
        let types: Vec<ir::Type> = results.iter().map(|&result| self.program.variables[result].ty).collect();
        let holders: Vec<Variable> = types.into_iter().map(|ty| self.temporary(ty)).collect();
        let arguments = self.told_thread(callee, None).into_iter().collect();
        self.call(callee, arguments, holders);
        self.give_up_if_left(function);
        Ok(())
    }

    fn initialise_statics(&mut self) -> Result<()> {
        let tree = self.tree;
        let mut done: EntitySet<VarId> = EntitySet::new();
        // A variable that nothing mentions need not exist; but initialisers may mention more variables.
        loop {
            let mut more = false;
            for &var in &tree.statics {
                if self.storage.homes[var].is_some() && done.insert(var) {
                    self.initialise_static(var)?;
                    more = true;
                }
            }
            if !more {
                return Ok(());
            }
        }
    }

    fn initialise_static(&mut self, var: VarId) -> Result<()> {
        let tree = self.tree;
        let data = &tree.variables[var];
        self.expression.at = data.span;
        let is_errno = self.symbols.text(data.name) == "errno" && tree.types.int_kind(data.ty).is_some();
        // It is zero at the start of the program (C11 7.5).
        if data.external && !is_errno {
            let class = self.analyses.classes.variable(var);
            if classes::holds_pointers(&tree.types, data.ty) && self.analyses.classes.is_followed(class) {
                return Err(
                    self.unsupported(format!("the external pointer `{}`", self.symbols.text(data.name)))
                );
            }
            // Its value comes from elsewhere: any value of its type.
            if let Some(Home::Plain(variables)) = &self.storage.homes[var]
                && let [leaf] = &variables[..]
                && let [variable] = leaf[..]
                && tree.types.int_kind(data.ty).is_some()
            {
                self.report.back.externals.push(variable);
            }
            return Ok(());
        }
        let zero = Init::Parts(Vec::new());
        match &data.init {
            Some(init) => self.declare(var, Some(init)),
            None if tree.types.is_scalar(data.ty) => {
                let value = self.zero(data.ty)?;
                let place = self.variable_place(var)?;
                self.write(&place, data.ty, &value)
            }
            None => self.declare(var, Some(&zero)),
        }
    }

    /// Writes the contents of the string literals that somebody may read.
    fn initialise_texts(&mut self) -> Result<()> {
        let tree = self.tree;
        let live = Rc::clone(&self.analyses.live);
        for expr in live.exprs(tree) {
            let node = &tree.exprs[expr];
            let ExprKind::Text(text) = node.kind else { continue };
            let Some(&base) = self.storage.text_bases.get(&text) else { continue };
            let Type::Array(element, _) = tree.types[node.ty] else { continue };
            let class = self.analyses.classes.class(expr);
            if self.analyses.classes.cells(class).is_empty() {
                continue;
            }
            self.expression.at = node.span;
            for (index, &unit) in tree.texts[text].iter().enumerate() {
                let kind = tree.types.int_kind(element).unwrap_or(crate::types::IntKind::Char);
                let value = tree.types.wrap(unit.into(), kind).unwrap_or(0);
                let literal = self.int(value);
                let size = tree.types.size(element).unwrap_or(1);
                let (base, offset) = (self.int(base), self.int(index as u64 * size));
                let place =
                    places::Place::Memory { base, offset, class, key: Key::Any, bits: 0, inside: None };
                let value = values::Value::Int(literal, numbers::Interval::exactly(value));
                self.write(&place, element, &value)?;
            }
        }
        Ok(())
    }

    /// Arguments of the entry: any numbers. Where `main` looks at its strings, a model makes them and calls it.
    fn main_arguments(&mut self, main: FuncId) -> Result<Vec<ir::Expr>> {
        let mut arguments = Vec::new();
        let is_main = self.symbols.text(self.tree.functions[main].name) == "main";
        for &parameter in &self.tree.functions[main].parameters {
            let data = &self.tree.variables[parameter];
            let mentioned =
                |node: &crate::tree::Expr| matches!(node.kind, ExprKind::Variable(var) if var == parameter);
            if classes::holds_pointers(&self.tree.types, data.ty) && self.tree.exprs.values().any(mentioned) {
                self.expression.at = data.span;
                return Err(self.unsupported("the arguments of the program"));
            }
            let leaves =
                self.leaf_variables(data.ty, "#argument", |this, name, ty| this.new_local(name, ty))?;
            for variable in leaves.into_iter().flatten() {
                self.havoc(vec![variable]);
                let value = self.var(variable);
                if is_main && arguments.is_empty() {
                    // The count of the program's arguments is not negative (C11 5.1.2.2.1).
                    let zero = self.int(0);
                    let counts = self.compare(ir::BinaryOp::GreaterEqual, value, zero);
                    self.assume(counts);
                    let parameters = self.tree.functions[main].parameters.len();
                    self.report.back.arguments = Some(Arguments::Count(variable, parameters));
                }
                arguments.push(value);
            }
        }
        Ok(arguments)
    }

    /// Lists what every procedure may change, itself or through calls.
    fn complete_modifies(&mut self) {
        let program = &mut self.program;
        let mut changed: SecondaryMap<Procedure, BTreeSet<Variable>> = SecondaryMap::new();
        let mut callers: SecondaryMap<Procedure, BTreeSet<Procedure>> = SecondaryMap::new();
        let is_global = |variable: &Variable| program.variables[*variable].kind == VariableKind::Global;
        for (procedure, data) in program.procedures.iter() {
            let Some(body) = &data.body else { continue };
            for statement in body.blocks.values().flat_map(|block| &block.statements) {
                let targets: Vec<Variable> = match &statement.kind {
                    StatementKind::Assign(pairs) => pairs.iter().map(|&(target, _)| target).collect(),
                    StatementKind::Havoc(targets) => targets.clone(),
                    StatementKind::Call { procedure: callee, results, .. } => {
                        callers[*callee].insert(procedure);
                        results.clone()
                    }
                    StatementKind::Join { results, .. } => results.clone(),
                    StatementKind::Assume(_)
                    | StatementKind::Assert(..)
                    | StatementKind::Fork { .. }
                    | StatementKind::Atomic(_) => Vec::new(),
                };
                changed[procedure].extend(targets.iter().filter(|target| is_global(target)));
            }
        }
        let mut work: Vec<Procedure> = program.procedures.keys().collect();
        while let Some(callee) = work.pop() {
            let below = changed[callee].clone();
            for &caller in &callers[callee] {
                let before = changed[caller].len();
                changed[caller].extend(below.iter().copied());
                if changed[caller].len() > before {
                    work.push(caller);
                }
            }
        }
        for (procedure, data) in program.procedures.iter_mut() {
            data.modifies = changed[procedure].iter().copied().collect();
        }
    }
}

/// The functions that may be entered again before they return.
fn recursive_functions(tree: &Tree, reachable: &[FuncId]) -> EntitySet<FuncId> {
    // The last node stands for a call through a pointer.
    let pointer = tree.functions.len();
    let mut calls: Vec<Vec<usize>> = vec![Vec::new(); pointer + 1];
    for &(from, to) in &tree.mentions {
        if let Some(from) = from {
            calls[from.index()].push(to.index());
        }
    }
    for &caller in &tree.indirect_callers {
        calls[caller.index()].push(pointer);
    }
    let taken = tree.functions.iter().filter(|(_, data)| data.address_uses > 0);
    calls[pointer].extend(taken.map(|(function, _)| function.index()));
    let components = graph::components(pointer + 1, |node, next| next.extend(&calls[node]));
    let numbers = components.numbers();
    let sizes: Vec<usize> = components.iter().map(<[usize]>::len).collect();
    let mut recursive = EntitySet::new();
    for &function in reachable {
        let node = function.index();
        if sizes[numbers[node]] > 1 || calls[node].contains(&node) {
            recursive.insert(function);
        }
    }
    recursive
}

/// Whether a program may have pointers with base 0 that are not null: it makes pointers from integers, or moves
/// pointers and keeps the result, so that it may move null.
fn has_odd_pointers(tree: &Tree, live: &live::Live) -> bool {
    let mut followed: EntitySet<ExprId> = EntitySet::new();
    for expr in live.exprs(tree) {
        if let ExprKind::Deref(pointer) = tree.exprs[expr].kind {
            followed.insert(pointer);
        }
    }
    live.exprs(tree).any(|expr| {
        let node = &tree.exprs[expr];
        let pointer = matches!(tree.types[node.ty], Type::Pointer(_));
        pointer
            && match node.kind {
                ExprKind::Int(value) => value != 0,
                ExprKind::Convert(inner) => {
                    let origin = &tree.exprs[inner];
                    tree.types.is_arithmetic(origin.ty) && !matches!(origin.kind, ExprKind::Int(0))
                }
                ExprKind::PointerAssign { .. } | ExprKind::Increment { .. } => true,
                ExprKind::PointerAdd { .. } => !followed.contains(expr),
                _ => false,
            }
    })
}

/// Whether a program has the label that older collections mark errors with.
fn mentions_error_label(tree: &Tree, symbols: &Symbols) -> bool {
    let is_error = |label: Symbol| Property::UnreachLabel.errs_at_label(symbols.text(label));
    tree.stmts.values().any(|stmt| matches!(stmt.kind, StmtKind::Label(label, _) if is_error(label)))
}

/// The variables that something is assigned to.
fn assigned_variables(tree: &Tree) -> EntitySet<VarId> {
    let mut assigned = EntitySet::new();
    for node in tree.exprs.values() {
        let mut place = match &node.kind {
            ExprKind::Assign(place, _)
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::PointerAssign { place, .. }
            | ExprKind::Increment { place, .. } => *place,
            _ => continue,
        };
        loop {
            match tree.exprs[place].kind {
                ExprKind::Member(inner, _) | ExprKind::Index(inner, _) => place = inner,
                ExprKind::Variable(var) => {
                    assigned.insert(var);
                    break;
                }
                _ => break,
            }
        }
    }
    assigned
}

#[cfg(test)]
mod tests;
