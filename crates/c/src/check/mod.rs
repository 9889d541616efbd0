//! The syntax tree to the typed tree (C11 6.2 – 6.9): names, types, conversions, constants, initialisers.
//!
//! Where compilers accept with a warning what the standard forbids (an implicit function, an integer where a pointer
//! is wanted), this accepts too, with the meaning that compilers give. What compilers refuse is an error here.
//!
//! Cost is linear in the program; the stack grows with its nesting, which the parser has bounded.

mod calls;
mod cleanup;
mod complex;
mod constants;
mod contracts;
mod declarations;
mod expressions;
mod formats;
mod initialisers;
mod jumps;
mod linking;
mod operators;
mod primary;
mod printing;
mod records;
mod scanning;
mod sizes;
mod statements;
mod thread_locals;
mod unary;
mod variadic;
mod vectors;

pub use expressions::is_place;
pub use operators::is_comparison;
pub use variadic::HIDDEN_PARAMETER;

use crate::ast::{self, Ast, Item};
use crate::problem::Problem;
use crate::symbols::{Symbol, Symbols};
use crate::tree::{
    Alignment, Callee, Expr, ExprId, ExprKind, FuncId, Function, Lifetime, Stmt, StmtId, StmtKind, Tree,
    VarId, Variable,
};
use crate::types::{EnumId, RecordId, TypeId, Types};
use base::{PrimaryMap, Span};
use rustc_hash::{FxHashMap, FxHashSet};

type Check<T> = Result<T, Problem>;

/// How deep types may be made of types.
const MAX_TYPE_DEPTH: u32 = 1_000;

/// What an ordinary name stands for.
#[derive(Clone, Copy)]
enum Entity {
    Variable(VarId),
    Function(FuncId),
    /// With the alignment that its attribute gave.
    Typedef(TypeId, Option<u64>),
    Constant(i128, TypeId),
}

/// What a tag stands for.
#[derive(Clone, Copy)]
enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

/// What to restore at the end of a scope.
#[derive(Default)]
struct Scope {
    names: Vec<(Symbol, Option<Entity>)>,
    tags: Vec<(Symbol, Option<Tag>)>,
    /// The names declared in this very scope.
    own_tags: Vec<Symbol>,
}

struct Checker<'a> {
    ast: &'a Ast,
    symbols: &'a mut Symbols,
    tree: Tree,
    names: FxHashMap<Symbol, Entity>,
    tags: FxHashMap<Symbol, Tag>,
    scopes: Vec<Scope>,
    /// Functions and external variables by name, wherever they were declared.
    linked: FxHashMap<Symbol, Entity>,
    linking: linking::Linking<'a>,
    /// The function that is being checked.
    function: Option<FuncId>,
    /// Statements that must run before the one being checked: they set the lengths of variable arrays.
    prelude: Vec<StmtId>,
    /// The type of the innermost `switch`.
    subject: Option<TypeId>,
    /// Inside an annotation, where integers are mathematical: they are computed in a type that holds them all.
    mathematical: bool,
    hidden: u32,
    /// Whether pointers may point to any function that obeys a contract: nobody can know which one it is.
    obeying: bool,
    /// The names of functions with a body, and of those that take a variable number of arguments.
    defined: FxHashSet<Symbol>,
    variadic: FxHashSet<Symbol>,
    /// The name of the arguments of the program, if nobody changes them.
    untouched: Option<Symbol>,
    /// The hidden parameter of the function that is being checked.
    more: Option<VarId>,
    /// The alignment of variables that ask for one.
    alignments: FxHashMap<VarId, u64>,
    /// Labels that belong to open blocks, with the names that they have in the tree, innermost last.
    local_labels: FxHashMap<Symbol, Vec<Symbol>>,
    /// Variables that are pointers to something `const` or `volatile`, as far as their declarations say so themselves.
    qualified: FxHashSet<VarId>,
    /// Names of types that are qualified.
    qualified_names: FxHashSet<Symbol>,
    /// Constructors and destructors with their priorities.
    starters: Vec<(i128, FuncId)>,
    enders: Vec<(i128, FuncId)>,
    /// The types of vectors, by the type and the number of their elements, and back.
    vectors: FxHashMap<(TypeId, u64), TypeId>,
    vector_shapes: FxHashMap<TypeId, vectors::Shape>,
    /// Whether nobody looks at the value of the call that comes next.
    dropped: bool,
    /// The variables that every thread has for itself, with the value that it gives to them, if it is not zero.
    thread_locals: FxHashMap<VarId, Option<thread_locals::FirstValue>>,
    /// The complex types, by the type of their parts, and back.
    complex_types: FxHashMap<TypeId, TypeId>,
    complex_elements: FxHashMap<TypeId, TypeId>,
}

/// Checks a program of several files, the last of which may be the models of library functions.
pub fn check(units: &[Ast], symbols: &mut Symbols, types: impl Fn() -> Types) -> Result<Tree, Vec<Problem>> {
    // Structs of one tag are one type in all files, as headers make them. A tag that stands for different structs is
    // found on the way; then the program is checked again, with this tag of its own in every file.
    let mut separate = FxHashSet::default();
    loop {
        let (tree, mut problems, clashes) = check_units(units, symbols, types(), &separate);
        if clashes.is_empty() || clashes.is_subset(&separate) {
            problems.extend(calls::declared_too_late(&tree));
            return if problems.is_empty() { Ok(tree) } else { Err(problems) };
        }
        separate.extend(clashes);
    }
}

fn check_units(
    units: &[Ast],
    symbols: &mut Symbols,
    types: Types,
    separate: &FxHashSet<Symbol>,
) -> (Tree, Vec<Problem>, FxHashSet<Symbol>) {
    let Some(first) = units.first() else { return (empty_tree(types), Vec::new(), FxHashSet::default()) };
    let defined: FxHashSet<Symbol> = units.iter().flat_map(|unit| defined_functions(unit, false)).collect();
    let of_program = units.iter().filter(|unit| !unit.models);
    let by_program = of_program.flat_map(|unit| defined_functions(unit, false)).collect();
    let untouched = printing::untouched_arguments(units, symbols, &by_program);
    let mut checker = Checker {
        ast: first,
        symbols,
        tree: empty_tree(types),
        names: FxHashMap::default(),
        tags: FxHashMap::default(),
        scopes: vec![Scope::default()],
        linked: FxHashMap::default(),
        linking: linking::Linking::new(separate),
        function: None,
        prelude: Vec::new(),
        subject: None,
        mathematical: false,
        hidden: 0,
        obeying: units.iter().any(|unit| unit.obeying),
        defined,
        untouched,
        variadic: units.iter().flat_map(|unit| defined_functions(unit, true)).collect(),
        more: None,
        alignments: FxHashMap::default(),
        local_labels: FxHashMap::default(),
        qualified: FxHashSet::default(),
        qualified_names: FxHashSet::default(),
        starters: Vec::new(),
        enders: Vec::new(),
        vectors: FxHashMap::default(),
        vector_shapes: FxHashMap::default(),
        dropped: false,
        thread_locals: FxHashMap::default(),
        complex_types: FxHashMap::default(),
        complex_elements: FxHashMap::default(),
    };
    let mut problems = Vec::new();
    for ast in units {
        checker.ast = ast;
        checker.tree.atomics |= ast.atomics;
        problems.extend(ast.ghosts.first().map(|&span| Problem::unsupported(span, "ghost code")));
        let unread = ast.unread_assertions.first();
        problems.extend(unread.map(|(span, why)| Problem::unsupported(*span, why.clone())));
        for item in &ast.items {
            let result = match item {
                Item::Declaration(declaration) => checker.global_declaration(declaration),
                Item::Function(function) => checker.function_definition(function),
                Item::Asm(span) => Err(Problem::unsupported(*span, "assembly at file scope")),
                Item::StaticAssert(condition) => checker.static_assertion(*condition),
            };
            if let Err(problem) = result {
                problems.push(problem);
                checker.recover();
            }
        }
        checker.end_unit();
    }
    checker.order_starters();
    (checker.tree, problems, checker.linking.clashes)
}

/// The functions of a file that have a body; only those that take a variable number of arguments, if that is asked for.
fn defined_functions(unit: &Ast, only_variadic: bool) -> Vec<Symbol> {
    let defined = unit.items.iter().filter_map(|item| match item {
        Item::Function(function) => Some(&function.declarator),
        _ => None,
    });
    let wanted = defined.filter(|declarator| {
        let part = declarator.parts.first();
        !only_variadic || matches!(part, Some(ast::DeclaratorPart::Function(part)) if part.variadic)
    });
    wanted.filter_map(|declarator| declarator.name).collect()
}

fn empty_tree(types: Types) -> Tree {
    Tree {
        types,
        variables: PrimaryMap::new(),
        functions: PrimaryMap::new(),
        exprs: PrimaryMap::new(),
        stmts: PrimaryMap::new(),
        texts: PrimaryMap::new(),
        mentions: Vec::new(),
        indirect_callers: Vec::new(),
        returns: Vec::new(),
        statics: Vec::new(),
        jump_sites: Vec::new(),
        label_addresses: Vec::new(),
        typedefs: Vec::new(),
        at_start: Vec::new(),
        at_end: Vec::new(),
        atomics: false,
        atomic_record: None,
        thread_local: None,
    }
}

impl Checker<'_> {
    /// Back to file scope after a problem.
    fn recover(&mut self) {
        while self.scopes.len() > 1 {
            self.close_scope();
        }
        self.function = None;
        self.subject = None;
        self.local_labels.clear();
        self.prelude.clear();
    }

    /// Constructors run by priority, then in the order of the file; destructors the other way round.
    fn order_starters(&mut self) {
        self.starters.sort_by_key(|&(priority, _)| priority);
        self.enders.sort_by_key(|&(priority, _)| priority);
        self.tree.at_start = self.starters.iter().map(|&(_, function)| function).collect();
        self.tree.at_end = self.enders.iter().rev().map(|&(_, function)| function).collect();
        // Compilers know functions of the library by a second name.
        let models: FxHashMap<FuncId, FuncId> = self
            .tree
            .functions
            .iter()
            .filter_map(|(function, data)| {
                let plain = self.symbols.text(data.name).strip_prefix("__builtin_")?;
                match self.linked.get(&self.symbols.get(plain)?)? {
                    &Entity::Function(model) if self.tree.functions[model].body.is_some() => {
                        Some((function, model))
                    }
                    _ => None,
                }
            })
            .collect();
        for expr in self.tree.exprs.values_mut() {
            if let ExprKind::Call(Callee::Direct(function), _) = &mut expr.kind
                && let Some(&model) = models.get(function)
            {
                *function = model;
            }
        }
        for (_, to) in &mut self.tree.mentions {
            *to = models.get(to).copied().unwrap_or(*to);
        }
        // Whoever calls `exit` calls the destructors.
        let exits: Vec<Option<FuncId>> = self
            .tree
            .mentions
            .iter()
            .filter(|&&(_, to)| self.symbols.text(self.tree.functions[to].name) == "exit")
            .map(|&(from, _)| from)
            .collect();
        for &ender in &self.tree.at_end {
            self.tree.mentions.extend(exits.iter().map(|&from| (from, ender)));
        }
    }

    /// A condition that must hold when the program is compiled. One that cannot be computed here is believed.
    fn static_assertion(&mut self, condition: ast::ExprId) -> Check<()> {
        let value = self.value(condition)?;
        match self.constant(value) {
            Some(0) => {
                Err(Problem::error(self.ast_expr(condition).span, "the static assertion does not hold"))
            }
            _ => Ok(()),
        }
    }

    fn open_scope(&mut self) {
        self.scopes.push(Scope::default());
    }

    fn close_scope(&mut self) {
        let scope = self.scopes.pop().unwrap_or_default();
        for (name, was) in scope.names.into_iter().rev() {
            match was {
                Some(entity) => self.names.insert(name, entity),
                None => self.names.remove(&name),
            };
        }
        for (tag, was) in scope.tags.into_iter().rev() {
            match was {
                Some(entity) => self.tags.insert(tag, entity),
                None => self.tags.remove(&tag),
            };
        }
    }

    fn at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    fn bind(&mut self, name: Symbol, entity: Entity) {
        let was = self.names.insert(name, entity);
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.push((name, was));
        }
    }

    fn bind_tag(&mut self, name: Symbol, tag: Tag) {
        let was = self.tags.insert(name, tag);
        if let Some(scope) = self.scopes.last_mut() {
            scope.tags.push((name, was));
            scope.own_tags.push(name);
        }
    }

    fn tag_is_of_this_scope(&self, name: Symbol) -> bool {
        self.scopes.last().is_some_and(|scope| scope.own_tags.contains(&name))
    }

    fn text(&self, symbol: Symbol) -> String {
        self.symbols.text(symbol).to_owned()
    }

    fn show(&self, ty: TypeId) -> String {
        self.tree.types.show(ty, self.symbols)
    }

    fn expr_node(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.tree.exprs.push(Expr { kind, ty, span })
    }

    fn stmt_node(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.tree.stmts.push(Stmt { kind, span })
    }

    fn ty(&self, expr: ExprId) -> TypeId {
        self.tree.exprs[expr].ty
    }

    fn span(&self, expr: ExprId) -> Span {
        self.tree.exprs[expr].span
    }

    fn ast_expr(&self, id: ast::ExprId) -> &ast::Expr {
        &self.ast.exprs[id]
    }

    /// A variable that the program does not name. Whoever makes it also initialises it.
    fn hidden_variable(&mut self, what: &str, ty: TypeId, span: Span) -> VarId {
        self.hidden += 1;
        let name = self.symbols.intern(&format!("{what}#{}", self.hidden));
        let lifetime = if self.function.is_some() { Lifetime::Automatic } else { Lifetime::Static };
        self.tree.variables.push(Variable {
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
        })
    }

    fn new_function(&mut self, name: Symbol, ty: TypeId, span: Span) -> FuncId {
        self.tree.functions.push(Function {
            name,
            ty,
            parameters: Vec::new(),
            body: None,
            contract: false,
            made: false,
            library: false,
            noreturn: false,
            address_uses: 0,
            span,
        })
    }
}

#[cfg(test)]
mod tests;
