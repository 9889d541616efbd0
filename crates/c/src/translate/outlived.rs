//! Variables whose addresses may be known longer than they live.
//!
//! When the scope of a variable is entered again, by a loop or by another call, the variable is a new object, and a pointer to the old one points to nothing
//! (C11 6.2.4). Where nobody can have such a pointer, both may have the same base, which keeps memory simple. Somebody can have one if the address is
//! returned, or if a pointer to the variable may stand in static memory, in an allocated block, in a variable of the same function that lives longer, or in a
//! variable of another function to which pointers lead. Who may point to what is said by the [classes](super::classes), so this is an overapproximation.
//!
//! Variables whose addresses become integers are left out: these are looked for among the objects that are there from the start.
//!
//! A jump into a scope begins it as well, with new objects: it may lead past the declarations.
//!
//! A `goto` back inside of a scope does not end what was declared there: the variable is the same object when its declaration is reached again, and lives in
//! between. Only an array of variable length ends where control goes back behind its declaration.
//!
//! Cost: linear in the program, and for each variable in the number of those that may hold its address.

use super::classes::{Class, Classes};
use super::live::Live;
use crate::symbols::{Symbol, Symbols};
use crate::tree::{Callee, ExprId, ExprKind, FuncId, Init, Lifetime, StmtId, StmtKind, Tree, VarId};
use crate::types::Type;
use base::EntitySet;
use std::collections::{BTreeMap, BTreeSet};

/// Where the variables of functions are declared: every block is a scope, and the first one of a function is that of its parameters.
#[derive(Default)]
struct Scopes {
    list: Vec<Scope>,
    of: BTreeMap<VarId, Declared>,
    /// The scopes in which labels and cases stand, and jumps to them.
    places: BTreeMap<StmtId, usize>,
    /// The labels of functions by their names.
    labels: BTreeMap<(FuncId, Symbol), StmtId>,
}

struct Scope {
    around: Option<usize>,
    function: FuncId,
    /// What is declared there.
    variables: Vec<VarId>,
    /// Whether it stands in a loop, so that it may be entered several times in one call.
    in_loop: bool,
    /// Whether a `goto` outside of it leads into it.
    is_jumped_into: bool,
    /// How many labels stand in it and in the scopes inside of it.
    labels: usize,
}

struct Declared {
    scope: usize,
    /// Whether a label stands before the declaration, in its scope or inside of that.
    behind_label: bool,
    /// Whether its size is known before: if not, it is another object whenever its declaration is reached.
    is_sized: bool,
}

/// Something that is walked through.
#[derive(Clone, Copy)]
enum Part {
    /// The body of a loop, or a branch.
    Body(StmtId),
    Stmt(StmtId),
    Expr(ExprId),
}

/// Where it stands.
#[derive(Clone, Copy)]
struct Context {
    scope: usize,
    in_loop: bool,
}

type Work = Vec<(Part, Context)>;

/// The values of an initialiser.
fn values(init: &Init) -> Vec<ExprId> {
    match init {
        Init::Whole(value) => vec![*value],
        Init::Parts(parts) => parts.iter().map(|&(_, value)| value).collect(),
    }
}

impl Scopes {
    fn of(tree: &Tree, live: &Live) -> Scopes {
        let mut scopes = Scopes::default();
        for function in live.functions(tree) {
            let Some(body) = tree.functions[function].body else { continue };
            let first = scopes.add(None, function, false);
            for &var in &tree.functions[function].parameters {
                scopes.declare(var, first, tree);
            }
            scopes.walk(tree, body, first);
        }
        scopes.find_jumps(tree);
        scopes
    }

    /// Marks the scopes that a `goto` leads into.
    fn find_jumps(&mut self, tree: &Tree) {
        let mut entered = BTreeSet::new();
        for (&from, &scope) in &self.places {
            let function = self.list[scope].function;
            match tree.stmts[from].kind {
                StmtKind::Goto(name) => {
                    entered
                        .extend(self.label(function, name).into_iter().flat_map(|to| self.entered(from, to)));
                }
                StmtKind::ComputedGoto(_) => {
                    let own = tree.label_addresses.iter().filter(|&&(of, _)| of == function);
                    let labels = own.filter_map(|&(_, name)| self.label(function, name));
                    entered.extend(labels.flat_map(|to| self.entered(from, to)));
                }
                _ => {}
            }
        }
        entered.into_iter().for_each(|scope| self.list[scope].is_jumped_into = true);
    }

    /// The label of a function with a name.
    fn label(&self, function: FuncId, name: Symbol) -> Option<StmtId> {
        self.labels.get(&(function, name)).copied()
    }

    /// The scopes that a jump enters, from one place to another.
    fn entered(&self, from: StmtId, to: StmtId) -> Vec<usize> {
        let (Some(&from), Some(&to)) = (self.places.get(&from), self.places.get(&to)) else {
            return Vec::new();
        };
        let around: BTreeSet<usize> = self.around(from).collect();
        self.around(to).take_while(|scope| !around.contains(scope)).collect()
    }

    fn add(&mut self, around: Option<usize>, function: FuncId, in_loop: bool) -> usize {
        self.list.push(Scope {
            around,
            function,
            variables: Vec::new(),
            in_loop,
            is_jumped_into: false,
            labels: 0,
        });
        self.list.len() - 1
    }

    /// The scopes of a function's body, in the order of the text.
    fn walk(&mut self, tree: &Tree, body: StmtId, first: usize) {
        let outermost = Context { scope: first, in_loop: false };
        // The variables of the outermost block live as long as the parameters.
        let mut work: Work = match &tree.stmts[body].kind {
            StmtKind::Block(inner) => {
                inner.iter().rev().map(|&inner| (Part::Stmt(inner), outermost)).collect()
            }
            _ => vec![(Part::Stmt(body), outermost)],
        };
        while let Some((part, context)) = work.pop() {
            let before = work.len();
            match part {
                Part::Body(stmt) => self.inner(tree, stmt, context, &mut work),
                Part::Stmt(stmt) => self.statement(tree, stmt, context, &mut work),
                Part::Expr(expr) => self.expression(tree, expr, context, &mut work),
            }
            work[before..].reverse();
        }
    }

    fn statement(&mut self, tree: &Tree, stmt: StmtId, context: Context, work: &mut Work) {
        let Context { scope, in_loop } = context;
        let function = self.list[scope].function;
        let mut push = |part: Part| work.push((part, context));
        match &tree.stmts[stmt].kind {
            StmtKind::Empty | StmtKind::Break | StmtKind::Continue | StmtKind::Asm(_) => {}
            StmtKind::Expr(expr) | StmtKind::Assert(expr) | StmtKind::Assume(expr) => push(Part::Expr(*expr)),
            StmtKind::Return(value) => value.iter().for_each(|&value| push(Part::Expr(value))),
            StmtKind::Declare(var, init) => {
                self.declare(*var, scope, tree);
                init.iter().flat_map(values).for_each(|value| push(Part::Expr(value)));
            }
            StmtKind::Block(inner) => {
                let scope = self.add(Some(scope), function, in_loop);
                work.extend(inner.iter().map(|&inner| (Part::Stmt(inner), Context { scope, in_loop })));
            }
            StmtKind::If(condition, yes, no) => {
                push(Part::Expr(*condition));
                [Some(*yes), *no].into_iter().flatten().for_each(|inner| push(Part::Body(inner)));
            }
            StmtKind::While(condition, inner) | StmtKind::DoWhile(inner, condition) => {
                let again = Context { scope, in_loop: true };
                work.extend([(Part::Expr(*condition), again), (Part::Body(*inner), again)]);
            }
            StmtKind::For(before, condition, step, inner) => {
                let scope = self.add(Some(scope), function, in_loop);
                work.push((Part::Stmt(*before), Context { scope, in_loop }));
                let again = Context { scope, in_loop: true };
                work.extend(condition.iter().chain(step).map(|&expr| (Part::Expr(expr), again)));
                work.push((Part::Body(*inner), again));
            }
            StmtKind::Switch(subject, inner) => {
                self.places.insert(stmt, scope);
                push(Part::Expr(*subject));
                push(Part::Body(*inner));
            }
            StmtKind::Case(_, _, inner) | StmtKind::Default(inner) => {
                self.places.insert(stmt, scope);
                push(Part::Stmt(*inner));
            }
            StmtKind::Goto(_) => _ = self.places.insert(stmt, scope),
            StmtKind::ComputedGoto(target) => {
                self.places.insert(stmt, scope);
                push(Part::Expr(*target));
            }
            StmtKind::Label(name, inner) => {
                self.places.insert(stmt, scope);
                self.labels.insert((function, *name), stmt);
                let around: Vec<usize> = self.around(scope).collect();
                around.into_iter().for_each(|scope| self.list[scope].labels += 1);
                push(Part::Stmt(*inner));
            }
        }
    }

    /// A statement that is a block of its own though it may have no braces (C11 6.8.4, 6.8.5).
    fn inner(&mut self, tree: &Tree, stmt: StmtId, context: Context, work: &mut Work) {
        let scope = match &tree.stmts[stmt].kind {
            StmtKind::Block(_) => context.scope,
            _ => self.add(Some(context.scope), self.list[context.scope].function, context.in_loop),
        };
        work.push((Part::Stmt(stmt), Context { scope, ..context }));
    }

    fn expression(&mut self, tree: &Tree, expr: ExprId, context: Context, work: &mut Work) {
        let Context { scope, in_loop } = context;
        match &tree.exprs[expr].kind {
            ExprKind::CompoundLiteral(var, init) => {
                self.declare(*var, scope, tree);
                work.extend(values(init).into_iter().map(|value| (Part::Expr(value), context)));
            }
            ExprKind::StatementExpr(statements, value) => {
                let scope = self.add(Some(scope), self.list[scope].function, in_loop);
                let parts = statements.iter().map(|&stmt| Part::Stmt(stmt));
                let parts = parts.chain(value.map(Part::Expr));
                work.extend(parts.map(|part| (part, Context { scope, in_loop })));
            }
            ExprKind::Call(Callee::Indirect(pointer), _) => {
                work.push((Part::Expr(*pointer), context));
                work.extend(tree.operands(expr).into_iter().map(|operand| (Part::Expr(operand), context)));
            }
            _ => work.extend(tree.operands(expr).into_iter().map(|operand| (Part::Expr(operand), context))),
        }
    }

    fn declare(&mut self, var: VarId, scope: usize, tree: &Tree) {
        let behind_label = self.list[scope].labels > 0;
        let is_sized = tree.types.size(tree.variables[var].ty).is_some();
        self.of.insert(var, Declared { scope, behind_label, is_sized });
        self.list[scope].variables.push(var);
    }

    /// A scope and those around it.
    fn around(&self, scope: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(scope), |&scope| self.list[scope].around)
    }

    /// Whether a scope may be entered several times in one call: by a loop around it, from a label outside of it, or by a `goto` into it.
    fn is_entered_again(&self, scope: usize) -> bool {
        let outermost = self.around(scope).last().unwrap_or(scope);
        self.list[scope].in_loop
            || self.list[outermost].labels > self.list[scope].labels
            || self.around(scope).any(|scope| self.list[scope].is_jumped_into)
    }

    /// Whether a variable may be another object when its declaration is reached again in one call.
    fn begins_again(&self, declared: &Declared) -> bool {
        self.is_entered_again(declared.scope) || !declared.is_sized && declared.behind_label
    }

    /// Whether a variable ceases to live no later than another one of the same function.
    fn ends_with(&self, var: VarId, other: VarId) -> bool {
        let (Some(declared), Some(other)) = (self.of.get(&var), self.of.get(&other)) else { return false };
        self.around(declared.scope).any(|scope| scope == other.scope)
    }
}

/// How long variables live, and whether somebody may know their addresses longer.
#[derive(Default)]
pub(super) struct Outlived {
    scopes: Scopes,
    variables: EntitySet<VarId>,
    /// The classes of these variables.
    classes: BTreeSet<Class>,
}

/// What happens to the base of a variable where its declaration is reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Renewal {
    /// It stays: the variable is the object that it was at the beginning of the call.
    Never,
    /// The variable is another object.
    Always,
    /// Whether the variable is another object depends on the way there.
    Unclear,
}

impl Outlived {
    /// Whether a variable needs a new base whenever it begins to live.
    pub(super) fn contains(&self, var: VarId) -> bool {
        self.variables.contains(var)
    }

    /// Whether a class has such a variable.
    pub(super) fn has_class(&self, class: Class) -> bool {
        self.classes.contains(&class)
    }

    pub(super) fn renewal(&self, var: VarId) -> Renewal {
        match self.scopes.of.get(&var).filter(|_| self.contains(var)) {
            Some(declared) if self.scopes.begins_again(declared) => {
                if declared.behind_label && declared.is_sized { Renewal::Unclear } else { Renewal::Always }
            }
            _ => Renewal::Never,
        }
    }

    /// The variables of the scopes that a jump enters: from a `goto` or `switch` to a label or case.
    pub(super) fn entered(&self, from: StmtId, to: StmtId) -> Vec<VarId> {
        let entered = self.scopes.entered(from, to);
        entered.into_iter().flat_map(|scope| self.scopes.list[scope].variables.iter().copied()).collect()
    }

    /// The label of a function with a name.
    pub(super) fn label(&self, function: FuncId, name: Symbol) -> Option<StmtId> {
        self.scopes.label(function, name)
    }

    /// Whether a variable lives at a label, also if it is declared behind it.
    pub(super) fn lives_at(&self, label: StmtId, var: VarId) -> bool {
        let (Some(&scope), Some(declared)) = (self.scopes.places.get(&label), self.scopes.of.get(&var))
        else {
            return false;
        };
        self.scopes.around(scope).any(|scope| scope == declared.scope)
    }
}

/// Finds them. Nobody calls `main` again as a rule, so what is declared there outside of loops begins to live once.
pub(super) fn analyse(tree: &Tree, symbols: &Symbols, live: &Live, classes: &mut Classes) -> Outlived {
    let mut found = scopes(tree, live);
    let scopes = &found.scopes;
    let is_called: BTreeSet<FuncId> = tree.mentions.iter().map(|&(_, to)| to).collect();
    let once = |function: FuncId| {
        symbols.text(tree.functions[function].name) == "main" && !is_called.contains(&function)
    };
    let holders = Holders::of(tree, live, classes);
    for (var, data) in tree.variables.iter() {
        let Some(function) = data.function.filter(|_| data.lifetime != Lifetime::Static) else { continue };
        let Some(declared) = scopes.of.get(&var).filter(|_| data.address_taken && live.has_variable(var))
        else {
            continue;
        };
        let name = symbols.text(data.name);
        // What holds operands is known to those who made it.
        let is_written = !name.contains('#') || name.starts_with("literal#");
        if !is_written || once(function) && !scopes.begins_again(declared) {
            continue;
        }
        let class = classes.variable(var);
        let class = classes.find(class);
        if !classes.is_exposed(class) && holders.outlive(tree, scopes, (var, function), class) {
            found.variables.insert(var);
            found.classes.insert(class);
        }
    }
    found
}

/// How long variables live, where nobody is said to know an address longer.
pub(super) fn scopes(tree: &Tree, live: &Live) -> Outlived {
    Outlived { scopes: Scopes::of(tree, live), ..Outlived::default() }
}

/// Who may hold a pointer into a class.
struct Holders {
    variables: BTreeMap<Class, Vec<VarId>>,
    /// Classes of which pointers stand in allocated blocks, or where nobody sees.
    blocks: BTreeSet<Class>,
    /// Functions that may return such pointers.
    results: BTreeSet<(FuncId, Class)>,
}

impl Holders {
    fn of(tree: &Tree, live: &Live, classes: &mut Classes) -> Holders {
        let mut variables: BTreeMap<Class, Vec<VarId>> = BTreeMap::new();
        for var in tree.variables.keys().filter(|&var| live.has_variable(var)) {
            let class = classes.variable(var);
            for target in classes.held_in(class) {
                variables.entry(target).or_default().push(var);
            }
        }
        let mut blocks = BTreeSet::new();
        for expr in live.exprs(tree) {
            let node = &tree.exprs[expr];
            let is_new = match node.kind {
                ExprKind::Call(Callee::Direct(function), _) => {
                    tree.functions[function].body.is_none() || classes.is_allocator(function)
                }
                ExprKind::Call(..) => true,
                _ => false,
            };
            if classes.is_given(expr) || is_new && matches!(tree.types[node.ty], Type::Pointer(_)) {
                let class = classes.class(expr);
                blocks.extend(classes.held_in(class));
            }
        }
        let mut results = BTreeSet::new();
        for function in live.functions(tree) {
            if let Some(class) = classes.returned(function) {
                results.insert((function, class));
                results.extend(classes.held_in(class).into_iter().map(|class| (function, class)));
            }
        }
        Holders { variables, blocks, results }
    }

    /// Whether one of those who may hold a variable's address lives longer.
    fn outlive(&self, tree: &Tree, scopes: &Scopes, (var, function): (VarId, FuncId), class: Class) -> bool {
        if self.blocks.contains(&class) || self.results.contains(&(function, class)) {
            return true;
        }
        self.variables.get(&class).into_iter().flatten().any(|&holder| {
            let data = &tree.variables[holder];
            match data.function {
                _ if data.lifetime == Lifetime::Static => true,
                Some(own) if own == function => !scopes.ends_with(holder, var),
                // It has the pointer from an argument, and returns earlier, unless somebody wrote to it from inside.
                Some(_) => data.address_taken,
                None => true,
            }
        })
    }
}
