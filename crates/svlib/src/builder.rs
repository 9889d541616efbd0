//! Commands of a script as declarations of a program.
//!
//! One program is built for each question about each `verify-call`: the commands up to the call are read in their order,
//! then the bodies of the procedures are lowered with the properties that are known at the call.

use crate::back::Back;
use crate::body::Draft;
use crate::checks::Rank;
use crate::liveness::Counters;
use crate::problem::{Failure, Problem, mistake, unsupported};
use crate::properties::{Annotation, attributes, unwrapped};
use crate::question::Question;
use crate::symbols::{KeptAt, Named, NamedSort, Scope, Table, check_symbol};
use crate::syntax::{Data, Document, Node};
use crate::trace::Trace;
use base::Span;
use ir::{
    Axiom, Builtin, ConstructorData, Function, FunctionData, Meaning, Procedure, ProcedureData, Program,
    Type, Variable, VariableKind,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A procedure of the script.
pub(crate) struct Declared {
    pub(crate) id: Procedure,
    pub(crate) symbol: String,
    pub(crate) command: usize,
    pub(crate) body: Node,
    pub(crate) inputs: Vec<Variable>,
    pub(crate) outputs: Vec<Variable>,
    pub(crate) locals: Vec<Variable>,
    pub(crate) scope: FxHashMap<String, Variable>,
    /// The same in the order of declaration.
    pub(crate) scope_in_order: Vec<(String, Variable)>,
    /// The tags of its whole body.
    pub(crate) tags: Vec<String>,
    /// Whether it may call itself, directly or through others.
    pub(crate) is_recursive: bool,
    /// Equal for procedures that may call each other.
    pub(crate) component: usize,
}

/// A program under construction.
pub(crate) struct Builder<'d> {
    pub(crate) document: &'d Document,
    pub(crate) program: Program,
    /// The beginning of the text, for what stands nowhere.
    pub(crate) start: Span,
    pub(crate) sorts: Table<NamedSort>,
    pub(crate) names: Table<Named>,
    pub(crate) procedure_names: Table<usize>,
    pub(crate) procedures: Vec<Declared>,
    pub(crate) builtins: FxHashMap<(Builtin, Vec<Type>, Type), Function>,
    pub(crate) annotations: Vec<Annotation>,
    pub(crate) question: Question,
    pub(crate) trace: Option<Trace>,
    /// Variables that keep values for later: of which procedure, from when, of what.
    pub(crate) kept: BTreeMap<(usize, KeptAt, Variable), Variable>,
    /// The drafts of the bodies, by the numbers of the procedures.
    pub(crate) drafts: Vec<Draft>,
    /// The ranking functions of procedures.
    pub(crate) procedure_ranks: BTreeMap<usize, Vec<Rank>>,
    /// What infinite executions are counted with.
    pub(crate) counters: Option<Counters>,
    /// How many steps of a trace were made.
    pub(crate) step: Option<Variable>,
    /// What the questions about infinite executions count with, and traces.
    pub(crate) internal: Vec<Variable>,
    pub(crate) back: Back,
    pub(crate) failure: Failure,
    /// What is declared outside procedures, anywhere in the script.
    top_level: FxHashSet<String>,
    counter: usize,
}

impl<'d> Builder<'d> {
    pub(crate) fn new(document: &'d Document, start: Span, question: Question) -> Builder<'d> {
        Builder {
            document,
            program: Program::new(),
            start,
            sorts: Table::default(),
            names: Table::default(),
            procedure_names: Table::default(),
            procedures: Vec::new(),
            builtins: FxHashMap::default(),
            annotations: Vec::new(),
            question,
            trace: None,
            kept: BTreeMap::new(),
            drafts: Vec::new(),
            procedure_ranks: BTreeMap::new(),
            counters: None,
            step: None,
            internal: Vec::new(),
            back: Back::default(),
            failure: Failure::default(),
            top_level: top_level(document),
            counter: 0,
        }
    }

    /// A number that was not given before.
    pub(crate) fn fresh(&mut self) -> usize {
        self.counter += 1;
        self.counter
    }

    /// A variable of the program that the script does not have.
    pub(crate) fn internal_global(&mut self, name: &str, ty: Type) -> Variable {
        let variable = self.program.new_variable(format!("{name}#"), ty, VariableKind::Global, self.start);
        self.program.globals.push(variable);
        self.internal.push(variable);
        variable
    }

    /// Reads a command that declares something; those that ask are left to the script.
    pub(crate) fn command(&mut self, node: Node, at: usize) {
        if let Err(problem) = self.declaration(node, at) {
            self.failure.add(problem);
        }
    }

    fn declaration(&mut self, node: Node, at: usize) -> Result<(), Problem> {
        let (document, span) = (self.document, self.document.span(node));
        let Some((name, arguments)) = document.headed(node) else {
            return Err(mistake(span, "a command such as `(declare-var x Int)` is expected here"));
        };
        match (name, arguments) {
            ("declare-const", [symbol, sort]) => {
                let ty = self.sort(*sort, at)?;
                self.constant(*symbol, ty, at)
            }
            ("declare-fun", [symbol, sorts, sort]) => self.declare_function(*symbol, *sorts, *sort, at),
            ("declare-var", [symbol, sort]) => {
                let ty = self.sort(*sort, at)?;
                let name = self.new_symbol(*symbol)?;
                let variable =
                    self.program.new_variable(crate::names::mangled(name), ty, VariableKind::Global, span);
                self.program.globals.push(variable);
                self.back.name(variable, name);
                self.names.declare(name, Named::Global(variable), at, document.span(*symbol))
            }
            ("declare-sort", [symbol]) => self.declare_sort(*symbol, 0, at),
            ("declare-sort", [symbol, arity]) => {
                let arity = self.number(*arity)?;
                self.declare_sort(*symbol, arity, at)
            }
            ("define-sort", [symbol, parameters, body]) => {
                let name = self.new_symbol(*symbol)?;
                let symbols = document.list(*parameters).unwrap_or_default();
                let parameters = symbols.iter().filter_map(|&node| document.symbol(node)).map(str::to_owned);
                let synonym = NamedSort::Synonym { parameters: parameters.collect(), body: *body };
                self.sorts.declare(name, synonym, at, document.span(*symbol))
            }
            ("define-const", [symbol, sort, body]) => {
                let function = self.function(*symbol, &[], *sort, at)?;
                self.define(function, &[], *body, at)
            }
            ("define-fun", [symbol, parameters, sort, body]) => {
                let parameters = self.list(*parameters)?;
                let function = self.function(*symbol, parameters, *sort, at)?;
                self.define(function, parameters, *body, at)
            }
            ("define-fun-rec", [symbol, parameters, sort, body]) => {
                let parameters = self.list(*parameters)?;
                let function = self.function(*symbol, parameters, *sort, at)?;
                self.define(function, parameters, *body, at)
            }
            ("define-funs-rec", [signatures, bodies]) => self.define_functions(*signatures, *bodies, at),
            ("assert", [formula]) => {
                let formula = self.formula(*formula, &mut Scope { command: at, ..Scope::default() })?;
                self.program.axioms.push(Axiom { formula, attributes: Vec::new(), span });
                Ok(())
            }
            ("define-proc", [symbol, inputs, outputs, locals, body]) => {
                self.procedure(*symbol, [*inputs, *outputs, *locals], *body, at)
            }
            ("define-procs-rec", [signatures, bodies]) => {
                let (signatures, bodies) = (self.list(*signatures)?, self.list(*bodies)?);
                if signatures.len() != bodies.len() || bodies.is_empty() {
                    return Err(mistake(
                        span,
                        "there must be as many bodies as procedures, and at least one",
                    ));
                }
                for (&signature, &body) in signatures.iter().zip(bodies) {
                    let Some([symbol, inputs, outputs, locals]) = document.list(signature) else {
                        let message = "a name and three lists of variables are expected here";
                        return Err(mistake(document.span(signature), message));
                    };
                    self.procedure(*symbol, [*inputs, *outputs, *locals], body, at)?;
                }
                Ok(())
            }
            ("annotate-tag", [tag, attached @ ..]) if !attached.is_empty() => {
                let Some(name) = document.symbol(*tag) else {
                    return Err(mistake(document.span(*tag), "a tag is a symbol"));
                };
                let found = attributes(document, attached, at)?;
                if !found.tags.is_empty() {
                    return Err(mistake(span, "a tag has no tags"));
                }
                let properties = found.properties;
                self.annotations.push(Annotation { tag: name.to_owned(), span, properties });
                Ok(())
            }
            ("select-trace", parts) => {
                self.trace = Some(Trace::read(document, node, parts)?);
                Ok(())
            }
            ("set-logic" | "set-info" | "set-option" | "get-info" | "get-option" | "get-assertions", _)
            | ("verify-call" | "get-witness", _) => Ok(()),
            ("exit", []) => Ok(()),
            ("declare-datatype" | "declare-datatypes", _) => Err(unsupported(span, "data types")),
            (
                "push"
                | "pop"
                | "reset"
                | "reset-assertions"
                | "check-sat"
                | "check-sat-assuming"
                | "echo"
                | "get-model"
                | "get-value"
                | "get-proof"
                | "get-unsat-core"
                | "get-assignment"
                | "get-unsat-assumptions"
                | "declare-sort-parameter",
                _,
            ) => Err(unsupported(span, format!("the command `{name}`"))),
            (
                "declare-const" | "declare-fun" | "declare-var" | "declare-sort" | "define-sort"
                | "define-const" | "define-fun" | "define-fun-rec" | "define-funs-rec" | "assert"
                | "define-proc" | "define-procs-rec" | "annotate-tag",
                _,
            ) => Err(mistake(span, format!("`{name}` is not used like that"))),
            _ if name.ends_with("-call") => Err(unsupported(span, format!("the command `{name}`"))),
            _ => Err(mistake(span, format!("there is no command `{name}`"))),
        }
    }

    /// A list of S-expressions.
    pub(crate) fn list(&self, node: Node) -> Result<&'d [Node], Problem> {
        let list = self.document.list(node);
        list.ok_or_else(|| mistake(self.document.span(node), "a list is expected here"))
    }

    /// A symbol that is to be declared.
    pub(crate) fn new_symbol(&self, node: Node) -> Result<&'d str, Problem> {
        let span = self.document.span(node);
        let Data::Symbol(name) = self.document.data(node) else {
            return Err(mistake(span, "a name is expected here"));
        };
        check_symbol(name, span)?;
        Ok(name)
    }

    fn constant(&mut self, symbol: Node, ty: Type, at: usize) -> Result<(), Problem> {
        let (name, span) = (self.new_symbol(symbol)?, self.document.span(symbol));
        let kind = VariableKind::Constant { unique: false };
        let variable = self.program.new_variable(crate::names::mangled(name), ty, kind, span);
        self.program.constants.push(variable);
        self.back.name(variable, name);
        self.names.declare(name, Named::Constant(variable), at, span)
    }

    fn declare_sort(&mut self, symbol: Node, arity: u32, at: usize) -> Result<(), Problem> {
        let (name, span) = (self.new_symbol(symbol)?, self.document.span(symbol));
        let data = ConstructorData { name: crate::names::mangled(name), arity, attributes: Vec::new(), span };
        let constructor = self.program.constructors.push(data);
        let meaning = NamedSort::Constructor { constructor, arity: arity as usize };
        self.sorts.declare(name, meaning, at, span)
    }

    fn declare_function(&mut self, symbol: Node, sorts: Node, sort: Node, at: usize) -> Result<(), Problem> {
        let sorts = self.list(sorts)?;
        if sorts.is_empty() {
            let ty = self.sort(sort, at)?;
            return self.constant(symbol, ty, at);
        }
        let mut types = Vec::new();
        for &sort in sorts {
            types.push((None, self.sort(sort, at)?));
        }
        let result = self.sort(sort, at)?;
        self.new_function(symbol, &types, result, at).map(|_| ())
    }

    /// A function whose parameters have names.
    fn function(
        &mut self,
        symbol: Node,
        parameters: &[Node],
        sort: Node,
        at: usize,
    ) -> Result<Function, Problem> {
        let mut types = Vec::new();
        for &parameter in parameters {
            let (name, ty) = self.name_and_sort(parameter, at)?;
            types.push((Some(name), ty));
        }
        let result = self.sort(sort, at)?;
        self.new_function(symbol, &types, result, at)
    }

    fn new_function(
        &mut self,
        symbol: Node,
        parameters: &[(Option<&str>, Type)],
        result: Type,
        at: usize,
    ) -> Result<Function, Problem> {
        let (name, span) = (self.new_symbol(symbol)?, self.document.span(symbol));
        let function = self.program.functions.next_key();
        let kind = VariableKind::FunctionParameter(function);
        let mut variables = Vec::new();
        for (position, &(name, ty)) in parameters.iter().enumerate() {
            // Parameters need names that constants do not have.
            let name = format!("{}#{position}", name.map(crate::names::mangled).unwrap_or_default());
            let name = if name.starts_with('#') { format!("p{name}") } else { name };
            variables.push(self.program.new_variable(name, ty, kind, span));
        }
        self.program.functions.push(FunctionData {
            name: crate::names::mangled(name),
            parameters: variables,
            result,
            meaning: Meaning::Uninterpreted,
            attributes: Vec::new(),
            span,
        });
        self.names.declare(name, Named::Function(function), at, span)?;
        Ok(function)
    }

    /// Gives a function its definition.
    pub(crate) fn define(
        &mut self,
        function: Function,
        parameters: &[Node],
        body: Node,
        at: usize,
    ) -> Result<(), Problem> {
        let mut scope = Scope { command: at, ..Scope::default() };
        let variables = self.program.functions[function].parameters.clone();
        for (&parameter, variable) in parameters.iter().zip(variables) {
            let span = self.document.span(parameter);
            let value = self.program.variable(variable, span);
            let (name, _) = self.name_and_sort(parameter, at)?;
            scope.bind(name, value);
        }
        let result = self.program.functions[function].result;
        let body = self.term_of(body, result, &mut scope)?;
        self.program.functions[function].meaning = Meaning::Defined(body);
        Ok(())
    }

    fn define_functions(&mut self, signatures: Node, bodies: Node, at: usize) -> Result<(), Problem> {
        let (document, span) = (self.document, self.document.span(signatures));
        let (signatures, bodies) = (self.list(signatures)?, self.list(bodies)?);
        if signatures.len() != bodies.len() || bodies.is_empty() {
            return Err(mistake(span, "there must be as many bodies as functions, and at least one"));
        }
        let mut functions = Vec::new();
        for &signature in signatures {
            let Some([symbol, parameters, sort]) = document.list(signature) else {
                let message = "a name, a list of parameters and a sort are expected here";
                return Err(mistake(document.span(signature), message));
            };
            let parameters = self.list(*parameters)?;
            functions.push((self.function(*symbol, parameters, *sort, at)?, parameters));
        }
        for ((function, parameters), &body) in functions.into_iter().zip(bodies) {
            self.define(function, parameters, body, at)?;
        }
        Ok(())
    }

    fn procedure(
        &mut self,
        symbol: Node,
        [inputs, outputs, locals]: [Node; 3],
        body: Node,
        at: usize,
    ) -> Result<(), Problem> {
        let (name, span) = (self.new_symbol(symbol)?, self.document.span(symbol));
        let (_, attributes) = unwrapped(self.document, body, at)?;
        let id = self.program.procedures.push(ProcedureData::named(crate::names::mangled(name), span));
        let mut scope = FxHashMap::default();
        let mut scope_in_order = Vec::new();
        let mut used: FxHashSet<String> = FxHashSet::default();
        let mut declare = |builder: &mut Builder<'d>, list: Node, kind: VariableKind| {
            let mut variables = Vec::new();
            for &pair in builder.list(list)? {
                let span = builder.document.span(pair);
                let (name, ty) = builder.name_and_sort(pair, at)?;
                let name = name.to_owned();
                check_symbol(&name, span)?;
                if !used.insert(name.clone()) {
                    return Err(mistake(span, format!("`{name}` is declared twice")));
                }
                // A variable may hide a constant or a global one, and names of the program differ.
                let hides = builder.top_level.contains(&name);
                let unique = crate::names::mangled(&name) + if hides { "#here" } else { "" };
                let variable = builder.program.new_variable(unique, ty, kind, span);
                builder.back.name(variable, &name);
                scope.insert(name.clone(), variable);
                scope_in_order.push((name, variable));
                variables.push(variable);
            }
            Ok(variables)
        };
        let inputs = declare(self, inputs, VariableKind::Parameter(id))?;
        let outputs = declare(self, outputs, VariableKind::Result(id))?;
        let locals = declare(self, locals, VariableKind::Local(id))?;
        self.program.procedures[id].parameters.clone_from(&inputs);
        self.program.procedures[id].results.clone_from(&outputs);
        self.procedure_names.declare(name, self.procedures.len(), at, span)?;
        self.procedures.push(Declared {
            id,
            symbol: name.to_owned(),
            command: at,
            body,
            inputs,
            outputs,
            locals,
            scope,
            scope_in_order,
            tags: attributes.tags,
            is_recursive: false,
            component: self.procedures.len(),
        });
        Ok(())
    }
}

/// The symbols that the commands of a script declare.
fn top_level(document: &Document) -> FxHashSet<String> {
    let declares = |name: &str| name.starts_with("declare-") || name.starts_with("define-");
    let symbol = |&root: &Node| match document.headed(root) {
        Some((name, [symbol, ..])) if declares(name) => document.symbol(*symbol).map(str::to_owned),
        _ => None,
    };
    document.roots.iter().filter_map(symbol).collect()
}
