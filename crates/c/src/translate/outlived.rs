//! Variables whose addresses may be known longer than they live.
//!
//! When the scope of a variable is entered again, by a loop or by another call, the variable is a new object, and a pointer to the old one points to nothing
//! (C11 6.2.4). Where nobody can have such a pointer, both may have the same base, which keeps memory simple. Somebody can have one if the address is
//! returned, or if a pointer to the variable may stand in static memory, in an allocated block, in a variable of the same function that lives longer, or in a
//! variable of another function to which pointers lead. Who may point to what is said by the [classes](super::classes), so this is an overapproximation.
//!
//! Variables whose addresses become integers are left out: these are looked for among the objects that are there from the start.
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
    of: BTreeMap<VarId, usize>,
}

struct Scope {
    around: Option<usize>,
    /// Whether it may be entered several times in one call.
    repeats: bool,
}

impl Scopes {
    fn of(tree: &Tree, live: &Live) -> Scopes {
        let mut scopes = Scopes::default();
        for function in live.functions(tree) {
            let Some(body) = tree.functions[function].body else { continue };
            let first = scopes.add(None, false);
            scopes.of.extend(tree.functions[function].parameters.iter().map(|&var| (var, first)));
            if scopes.walk(tree, body, first) == Labels::Some {
                scopes.list[first..].iter_mut().for_each(|scope| scope.repeats = true);
            }
        }
        scopes
    }

    fn add(&mut self, around: Option<usize>, repeats: bool) -> usize {
        self.list.push(Scope { around, repeats });
        self.list.len() - 1
    }

    /// The scopes of a function's body, and whether it has labels.
    fn walk(&mut self, tree: &Tree, body: StmtId, first: usize) -> Labels {
        let mut labels = Labels::None;
        let mut work = vec![(body, first, false)];
        while let Some((stmt, scope, repeats)) = work.pop() {
            match &tree.stmts[stmt].kind {
                StmtKind::Declare(var, _) => {
                    self.of.insert(*var, scope);
                }
                StmtKind::Block(inner) => {
                    let scope = if stmt == body { first } else { self.add(Some(scope), repeats) };
                    work.extend(inner.iter().map(|&inner| (inner, scope, repeats)));
                }
                StmtKind::If(_, yes, no) => {
                    work.extend([Some(*yes), *no].into_iter().flatten().map(|inner| (inner, scope, repeats)));
                }
                StmtKind::While(_, inner) | StmtKind::DoWhile(inner, _) => work.push((*inner, scope, true)),
                StmtKind::For(before, _, _, inner) => {
                    let scope = self.add(Some(scope), repeats);
                    work.extend([(*before, scope, repeats), (*inner, scope, true)]);
                }
                StmtKind::Switch(_, inner) | StmtKind::Case(_, _, inner) | StmtKind::Default(inner) => {
                    work.push((*inner, scope, repeats));
                }
                StmtKind::Label(_, inner) => {
                    labels = Labels::Some;
                    work.push((*inner, scope, repeats));
                }
                _ => {}
            }
        }
        labels
    }

    fn repeats(&self, var: VarId) -> bool {
        self.of.get(&var).is_some_and(|&scope| self.list[scope].repeats)
    }

    /// Whether a variable ceases to live no later than another one of the same function.
    fn ends_with(&self, var: VarId, other: VarId) -> bool {
        let (Some(&scope), Some(&other)) = (self.of.get(&var), self.of.get(&other)) else { return false };
        std::iter::successors(Some(scope), |&scope| self.list[scope].around).any(|scope| scope == other)
    }
}

/// Whether a `goto` may lead back into any scope of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Labels {
    None,
    Some,
}

/// The variables that need a new base whenever they begin to live.
#[derive(Default)]
pub(super) struct Outlived {
    variables: EntitySet<VarId>,
    /// Those of them that begin to live more than once in a call.
    repeated: EntitySet<VarId>,
}

impl Outlived {
    pub(super) fn contains(&self, var: VarId) -> bool {
        self.variables.contains(var)
    }

    pub(super) fn repeats(&self, var: VarId) -> bool {
        self.repeated.contains(var)
    }
}

/// Finds them. Nobody calls `main` again as a rule, so what is declared there outside of loops begins to live once.
pub(super) fn analyse(tree: &Tree, symbols: &Symbols, live: &Live, classes: &mut Classes) -> Outlived {
    let scopes = Scopes::of(tree, live);
    let is_called: BTreeSet<FuncId> = tree.mentions.iter().map(|&(_, to)| to).collect();
    let once = |function: FuncId| {
        symbols.text(tree.functions[function].name) == "main" && !is_called.contains(&function)
    };
    let holders = Holders::of(tree, live, classes);
    let mut found = Outlived::default();
    for (var, data) in tree.variables.iter() {
        let Some(function) = data.function.filter(|_| data.lifetime != Lifetime::Static) else { continue };
        let begins_again = scopes.repeats(var) || !once(function);
        if !data.address_taken || !begins_again || !live.has_variable(var) || !scopes.of.contains_key(&var) {
            continue;
        }
        let class = classes.variable(var);
        let class = classes.find(class);
        if classes.is_exposed(class) || !holders.outlive(tree, &scopes, (var, function), class) {
            continue;
        }
        found.variables.insert(var);
        if scopes.repeats(var) {
            found.repeated.insert(var);
        }
    }
    found
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
