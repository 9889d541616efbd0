//! What a loop changes, found in its text: the places that it assigns to, as far as they can be named before the
//! loop. A place whose address the loop itself moves is taken for all of its object. What a called function changes is
//! found in its text as far as it changes variables at file scope.
//!
//! The list may be too short (pointers are not followed): a frame watches while the loop runs.

use super::build::Builder;
use super::loops::substatements;
use super::reading::{children, walk};
use super::targets::{Assigned, What};
use crate::ast::{
    Ast, BinaryOp, ExprId, ExprKind, FunctionDefinition, Init, Item, StmtId, StmtKind, UnaryOp,
};
use crate::symbols::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// What the functions of a file change and call.
#[derive(Default)]
pub(super) struct Changes {
    /// The variables that a function changes by name and does not declare, and the names that it mentions.
    functions: BTreeMap<Symbol, (BTreeSet<Symbol>, BTreeSet<Symbol>)>,
    /// Functions that change something else than variables by name.
    through_pointers: BTreeSet<Symbol>,
}

/// The assignments and declarations in some statements.
#[derive(Default)]
struct Found {
    assigned: Vec<ExprId>,
    /// Places whose addresses are passed, with the functions that get them.
    passed: Vec<(Symbol, ExprId)>,
    declared: BTreeSet<Symbol>,
    mentioned: BTreeSet<Symbol>,
}

impl Found {
    fn statement(&mut self, ast: &Ast, stmt: StmtId) {
        let mut work = vec![stmt];
        while let Some(stmt) = work.pop() {
            let kind = &ast.stmts[stmt].kind;
            match kind {
                StmtKind::Expr(expr)
                | StmtKind::If(expr, ..)
                | StmtKind::While(expr, _)
                | StmtKind::DoWhile(_, expr)
                | StmtKind::Switch(expr, _)
                | StmtKind::Return(Some(expr)) => self.expression(ast, *expr),
                StmtKind::For(_, condition, step, _) => {
                    for &expr in condition.iter().chain(step) {
                        self.expression(ast, expr);
                    }
                }
                StmtKind::Declaration(declaration) => {
                    for item in &declaration.declarators {
                        self.declared.extend(item.declarator.name);
                        if let Some(Init::Expr(expr)) = item.init {
                            self.expression(ast, expr);
                        }
                    }
                }
                _ => {}
            }
            work.extend(substatements(kind));
        }
    }

    fn expression(&mut self, ast: &Ast, expr: ExprId) {
        crate::deep(|| {
            let kind = &ast.exprs[expr].kind;
            match kind {
                ExprKind::Assign(_, place, _) => self.assigned.push(*place),
                ExprKind::Increment { operand, .. } => self.assigned.push(*operand),
                ExprKind::Name(name) => {
                    self.mentioned.insert(*name);
                }
                ExprKind::StatementExpr(block) => self.statement(ast, *block),
                ExprKind::Call(function, arguments) => {
                    if let ExprKind::Name(name) = ast.exprs[*function].kind {
                        for &argument in arguments {
                            if let ExprKind::Unary(UnaryOp::AddressOf, place) = ast.exprs[argument].kind {
                                self.passed.push((name, place));
                            }
                        }
                    }
                }
                _ => {}
            }
            for child in children(kind) {
                self.expression(ast, child);
            }
        });
    }
}

/// The variables that a function declares in its body.
pub(super) fn locals_of(ast: &Ast, function: &FunctionDefinition) -> BTreeSet<Symbol> {
    let mut found = Found::default();
    found.statement(ast, function.body);
    found.declared
}

/// The variables that a function declares, with its parameters.
pub(super) fn declared_in(ast: &Ast, function: &FunctionDefinition) -> BTreeSet<Symbol> {
    let mut declared = locals_of(ast, function);
    if let Some(crate::ast::DeclaratorPart::Function(part)) = function.declarator.parts.first() {
        declared.extend(part.parameters.iter().filter_map(|parameter| parameter.declarator.name));
    }
    declared
}

/// The variable that a place is a part of by its text.
fn root(ast: &Ast, mut place: ExprId) -> Option<Symbol> {
    loop {
        match ast.exprs[place].kind {
            ExprKind::Name(name) => return Some(name),
            ExprKind::Member(inner, _) | ExprKind::Index(inner, _) => place = inner,
            _ => return None,
        }
    }
}

impl Changes {
    /// Looks at all functions of a file.
    pub(super) fn look_at(&mut self, ast: &Ast) {
        for item in &ast.items {
            let Item::Function(function) = item else { continue };
            let Some(name) = function.declarator.name else { continue };
            let mut found = Found::default();
            if let Some(crate::ast::DeclaratorPart::Function(part)) = function.declarator.parts.first() {
                found.declared.extend(part.parameters.iter().filter_map(|p| p.declarator.name));
            }
            found.statement(ast, function.body);
            let by_name = |place: &&ExprId| matches!(ast.exprs[**place].kind, ExprKind::Name(_));
            if found.assigned.iter().any(|place| !by_name(&place)) {
                self.through_pointers.insert(name);
            }
            let roots = found.assigned.iter().filter_map(|&place| root(ast, place));
            let changed = roots.filter(|name| !found.declared.contains(name)).collect();
            self.functions.insert(name, (changed, found.mentioned));
        }
    }

    /// Whether a function may call itself, by the names that functions mention.
    pub(super) fn reaches_itself(&self, name: Symbol) -> bool {
        let mut seen = BTreeSet::new();
        let mut work = vec![name];
        while let Some(at) = work.pop() {
            for &mentioned in self.functions.get(&at).iter().flat_map(|(_, mentioned)| mentioned) {
                if mentioned == name {
                    return true;
                }
                if seen.insert(mentioned) {
                    work.push(mentioned);
                }
            }
        }
        false
    }

    /// What a loop changes.
    pub(super) fn of_loop(&self, b: &mut Builder<'_>, stmt: StmtId) -> Vec<Assigned> {
        let mut found = Found::default();
        // The first part of a `for` runs before the loop.
        match b.ast.stmts[stmt].kind {
            StmtKind::For(_, condition, step, body) => {
                for &expr in condition.iter().chain(&step) {
                    found.expression(b.ast, expr);
                }
                found.statement(b.ast, body);
            }
            _ => found.statement(b.ast, stmt),
        }
        let mut names = BTreeSet::new();
        let mut others = Vec::new();
        for &place in &found.assigned {
            match b.ast.exprs[place].kind {
                ExprKind::Name(name) => {
                    names.insert(name);
                }
                _ => others.push(place),
            }
        }
        let mut called: Vec<Symbol> = found.mentioned.iter().copied().collect();
        let mut seen = BTreeSet::new();
        let mut globals = BTreeSet::new();
        while let Some(name) = called.pop() {
            if let Some((changed, mentioned)) = self.functions.get(&name)
                && seen.insert(name)
            {
                globals.extend(changed.iter().copied());
                called.extend(mentioned.iter().copied());
            }
        }
        for &(function, place) in &found.passed {
            if self.through_pointers.contains(&function) {
                match b.ast.exprs[place].kind {
                    ExprKind::Name(name) => {
                        names.insert(name);
                    }
                    _ => others.push(place),
                }
            }
        }
        let moved: BTreeSet<Symbol> = names.union(&found.declared).copied().collect();
        let mut out = Vec::new();
        names.extend(globals);
        for name in names.difference(&found.declared) {
            let place = b.name(*name);
            out.push(Assigned { condition: None, what: What::Place(place) });
        }
        for place in others {
            if let Some(what) = named_before(b, place, Names { moved: &moved, declared: &found.declared }) {
                out.push(Assigned { condition: None, what });
            }
        }
        out
    }
}

/// Whether an expression has the same value throughout the loop, by its text.
fn is_stable(b: &Builder<'_>, expr: ExprId, moved: &BTreeSet<Symbol>) -> bool {
    let mut stable = true;
    walk(b, expr, &mut |kind| match kind {
        ExprKind::Name(name) => stable &= !moved.contains(name),
        ExprKind::Call(..)
        | ExprKind::Assign(..)
        | ExprKind::Increment { .. }
        | ExprKind::StatementExpr(_) => {
            stable = false;
        }
        _ => {}
    });
    stable
}

/// The names of a loop: those whose values change in it, and those that are declared in it.
#[derive(Clone, Copy)]
struct Names<'a> {
    moved: &'a BTreeSet<Symbol>,
    declared: &'a BTreeSet<Symbol>,
}

/// How a place that the loop assigns to can be named before the loop.
fn named_before(b: &mut Builder<'_>, place: ExprId, names: Names<'_>) -> Option<What> {
    let moved = names.moved;
    let lives = |name: Symbol| !names.declared.contains(&name);
    if is_stable(b, place, moved) {
        return Some(What::Place(place));
    }
    match b.ast.exprs[place].kind {
        ExprKind::Member(inner, _) => named_before(b, inner, names),
        ExprKind::Index(inner, _) => {
            if is_stable(b, inner, moved) {
                return Some(What::Object(inner));
            }
            match b.ast.exprs[inner].kind {
                ExprKind::Index(..) | ExprKind::Member(..) => named_before(b, inner, names),
                _ => None,
            }
        }
        ExprKind::Arrow(inner, _) | ExprKind::Unary(UnaryOp::Deref, inner) => match b.ast.exprs[inner].kind {
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, pointer, _) if is_stable(b, pointer, moved) => {
                Some(What::Object(pointer))
            }
            // The pointer moves: all of the object that it points into when the loop begins.
            ExprKind::Name(name) if lives(name) => Some(What::Object(inner)),
            ExprKind::Increment { operand, .. } if matches!(b.ast.exprs[operand].kind, ExprKind::Name(name) if lives(name)) => {
                Some(What::Object(operand))
            }
            _ => None,
        },
        _ => None,
    }
}
