//! Variables whose addresses may be known longer than they live.
//!
//! When the scope of a variable is entered again, by a loop or by another call, the variable is a new object, and a pointer to the old one points to nothing
//! (C11 6.2.4). Where nobody can have such a pointer, both may have the same base, which keeps memory simple. Somebody can have one if the address is
//! returned, or if a pointer to the variable may stand in static memory, in an allocated block, in a variable of the same function that lives longer, or in a
//! variable of another function to which pointers lead. Who may point to what is said by the [classes](super::classes), so this is an overapproximation.
//!
//! Variables whose addresses become integers are left out: these are looked for among the objects that are there from the start.
//!
//! A `goto` back inside of a scope does not end what was declared there: the variable is the same object when its declaration is reached again, and lives in
//! between. Only an array of variable length ends where control goes back behind its declaration.
//!
//! Cost: linear in the program, and for each variable in the number of those that may hold its address.

use super::classes::{Class, Classes};
use super::live::Live;
use crate::symbols::Symbols;
use crate::tree::{Callee, ExprKind, FuncId, Lifetime, StmtId, StmtKind, Tree, VarId};
use crate::types::Type;
use base::EntitySet;
use std::collections::{BTreeMap, BTreeSet};

/// Where the variables of functions are declared: every block is a scope, and the first one of a function is that of its parameters.
#[derive(Default)]
struct Scopes {
    list: Vec<Scope>,
    of: BTreeMap<VarId, Declared>,
    /// The scopes in which labels stand.
    labels: BTreeMap<StmtId, usize>,
}

struct Scope {
    around: Option<usize>,
    function: FuncId,
    /// Whether it stands in a loop, so that it may be entered several times in one call.
    in_loop: bool,
    /// How many labels stand in it and in the scopes inside of it.
    labels: usize,
}

struct Declared {
    scope: usize,
    /// Whether a label stands before the declaration, in its scope or inside of that.
    behind_label: bool,
}

impl Scopes {
    fn of(tree: &Tree, live: &Live) -> Scopes {
        let mut scopes = Scopes::default();
        for function in live.functions(tree) {
            let Some(body) = tree.functions[function].body else { continue };
            let first = scopes.add(None, function, false);
            for &var in &tree.functions[function].parameters {
                scopes.of.insert(var, Declared { scope: first, behind_label: false });
            }
            scopes.walk(tree, body, first);
        }
        scopes
    }

    fn add(&mut self, around: Option<usize>, function: FuncId, in_loop: bool) -> usize {
        self.list.push(Scope { around, function, in_loop, labels: 0 });
        self.list.len() - 1
    }

    /// The scopes of a function's body, in the order of the text.
    fn walk(&mut self, tree: &Tree, body: StmtId, first: usize) {
        let function = self.list[first].function;
        let mut work = vec![(body, first, false)];
        while let Some((stmt, scope, in_loop)) = work.pop() {
            match &tree.stmts[stmt].kind {
                StmtKind::Declare(var, _) => {
                    let behind_label = self.list[scope].labels > 0;
                    self.of.insert(*var, Declared { scope, behind_label });
                }
                StmtKind::Block(inner) => {
                    let scope = if stmt == body { first } else { self.add(Some(scope), function, in_loop) };
                    work.extend(inner.iter().rev().map(|&inner| (inner, scope, in_loop)));
                }
                StmtKind::If(_, yes, no) => {
                    work.extend(no.iter().chain([yes]).map(|&inner| (inner, scope, in_loop)));
                }
                StmtKind::While(_, inner) | StmtKind::DoWhile(inner, _) => work.push((*inner, scope, true)),
                StmtKind::For(before, _, _, inner) => {
                    let scope = self.add(Some(scope), function, in_loop);
                    work.extend([(*inner, scope, true), (*before, scope, in_loop)]);
                }
                StmtKind::Switch(_, inner) | StmtKind::Case(_, _, inner) | StmtKind::Default(inner) => {
                    work.push((*inner, scope, in_loop));
                }
                StmtKind::Label(_, inner) => {
                    self.labels.insert(stmt, scope);
                    let around: Vec<usize> = self.around(scope).collect();
                    around.into_iter().for_each(|scope| self.list[scope].labels += 1);
                    work.push((*inner, scope, in_loop));
                }
                _ => {}
            }
        }
    }

    /// A scope and those around it.
    fn around(&self, scope: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(scope), |&scope| self.list[scope].around)
    }

    /// Whether a scope may be entered several times in one call: by a loop around it, or by a `goto` from a label outside of it.
    fn is_entered_again(&self, scope: usize) -> bool {
        let outermost = self.around(scope).last().unwrap_or(scope);
        self.list[scope].in_loop || self.list[outermost].labels > self.list[scope].labels
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

    pub(super) fn renewal(&self, var: VarId) -> Renewal {
        match self.scopes.of.get(&var).filter(|_| self.contains(var)) {
            Some(declared) if self.scopes.is_entered_again(declared.scope) => {
                if declared.behind_label {
                    Renewal::Unclear
                } else {
                    Renewal::Always
                }
            }
            _ => Renewal::Never,
        }
    }

    /// Whether a variable lives at a label, also if it is declared behind it.
    pub(super) fn lives_at(&self, label: StmtId, var: VarId) -> bool {
        let (Some(&scope), Some(declared)) = (self.scopes.labels.get(&label), self.scopes.of.get(&var))
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
        if once(function) && !scopes.is_entered_again(declared.scope) {
            continue;
        }
        let class = classes.variable(var);
        let class = classes.find(class);
        if !classes.is_exposed(class) && holders.outlive(tree, scopes, (var, function), class) {
            found.variables.insert(var);
        }
    }
    found
}

/// How long variables live, where nobody is said to know an address longer.
pub(super) fn scopes(tree: &Tree, live: &Live) -> Outlived {
    Outlived { scopes: Scopes::of(tree, live), variables: EntitySet::default() }
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
