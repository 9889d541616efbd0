//! What the entry can reach: functions, expressions and variables. The analyses look at nothing else, so that a function
//! which is never called does not make memory harder to model.
//!
//! A function is reached if a reached function calls it or takes its address; a variable with static lifetime, if
//! something reached mentions it, and then so is its initialiser. Cost: linear in what is reached.

use crate::tree::{Callee, ExprId, ExprKind, FuncId, Init, StmtId, StmtKind, Tree, VarId};
use base::EntitySet;

/// The reached part of a program.
#[derive(Default)]
pub(super) struct Live {
    functions: EntitySet<FuncId>,
    /// Functions whose address is used for more than a direct call.
    addressed: EntitySet<FuncId>,
    exprs: EntitySet<ExprId>,
    variables: EntitySet<VarId>,
    /// Declarations with initialisers.
    declared: Vec<StmtId>,
    /// Whether other functions and static variables are left out.
    alone: bool,
}

enum Work {
    Expr(ExprId),
    Stmt(StmtId),
}

impl Live {
    /// What a function reaches.
    ///
    /// What runs before and behind it counts as well.
    pub(super) fn from(tree: &Tree, entry: FuncId) -> Live {
        let mut live = Live::default();
        let mut work = Vec::new();
        for &function in [entry].iter().chain(&tree.at_start).chain(&tree.at_end) {
            live.function(tree, function, &mut work);
        }
        live.follow(tree, &mut work);
        live
    }

    /// What stands in a function itself: nothing of what it calls, and no initialisers of static variables.
    pub(super) fn inside(tree: &Tree, function: FuncId) -> Live {
        let mut live = Live { alone: true, ..Live::default() };
        let mut work: Vec<Work> = tree.functions[function].body.map(Work::Stmt).into_iter().collect();
        live.follow(tree, &mut work);
        live
    }

    fn follow(&mut self, tree: &Tree, work: &mut Vec<Work>) {
        while let Some(next) = work.pop() {
            match next {
                Work::Expr(expr) => self.expr(tree, expr, work),
                Work::Stmt(stmt) => self.stmt(tree, stmt, work),
            }
        }
    }

    /// The reached functions in the order of their definitions.
    pub(super) fn functions(&self, tree: &Tree) -> Vec<FuncId> {
        tree.functions.keys().filter(|&function| self.functions.contains(function)).collect()
    }

    /// Whether the address of a function is used.
    pub(super) fn is_addressed(&self, function: FuncId) -> bool {
        self.addressed.contains(function)
    }

    /// The reached expressions, operands before what is made of them.
    pub(super) fn exprs<'t>(&'t self, tree: &'t Tree) -> impl Iterator<Item = ExprId> + 't {
        tree.exprs.keys().filter(|&expr| self.exprs.contains(expr))
    }

    /// Whether an expression is reached.
    pub(super) fn has_expr(&self, expr: ExprId) -> bool {
        self.exprs.contains(expr)
    }

    /// Whether a variable is mentioned or declared.
    pub(super) fn has_variable(&self, var: VarId) -> bool {
        self.variables.contains(var)
    }

    /// The reached declarations with initialisers.
    pub(super) fn declared(&self) -> impl Iterator<Item = StmtId> + '_ {
        self.declared.iter().copied()
    }

    fn function(&mut self, tree: &Tree, function: FuncId, work: &mut Vec<Work>) {
        if !self.alone && self.functions.insert(function) {
            for &parameter in &tree.functions[function].parameters {
                self.variables.insert(parameter);
            }
            work.extend(tree.functions[function].body.map(Work::Stmt));
        }
    }

    fn variable(&mut self, tree: &Tree, var: VarId, work: &mut Vec<Work>) {
        if self.variables.insert(var)
            && !self.alone
            && let Some(init) = &tree.variables[var].init
        {
            initialiser(init, work);
        }
    }

    fn expr(&mut self, tree: &Tree, expr: ExprId, work: &mut Vec<Work>) {
        use ExprKind::*;
        if !self.exprs.insert(expr) {
            return;
        }
        let mut both = |left: ExprId, right: ExprId| work.extend([Work::Expr(left), Work::Expr(right)]);
        match &tree.exprs[expr].kind {
            Int(_) | Float(_) | Text(_) | LabelAddress(..) => {}
            Variable(var) => self.variable(tree, *var, work),
            FunctionAddress(function) => {
                self.addressed.insert(*function);
                self.function(tree, *function, work);
            }
            Deref(inner)
            | Member(inner, _)
            | Temporary(inner)
            | Load(inner)
            | AddressOf(inner)
            | Convert(inner)
            | Negate(inner)
            | Complement(inner)
            | Not(inner) => work.push(Work::Expr(*inner)),
            CompoundLiteral(var, init) => {
                self.variable(tree, *var, work);
                initialiser(init, work);
            }
            Binary(_, left, right)
            | Index(left, right)
            | PointerDifference(left, right)
            | Logical(_, left, right)
            | ConditionalOr(left, right)
            | Comma(left, right)
            | Assign(left, right) => both(*left, *right),
            PointerAdd { pointer, count, .. } => both(*pointer, *count),
            CompoundAssign { place, value, .. } => both(*place, *value),
            PointerAssign { place, count, .. } => both(*place, *count),
            Conditional(condition, then, otherwise) => {
                both(*then, *otherwise);
                work.push(Work::Expr(*condition));
            }
            Increment { place, .. } => work.push(Work::Expr(*place)),
            Call(callee, arguments) => {
                match callee {
                    Callee::Direct(function) => self.function(tree, *function, work),
                    Callee::Indirect(pointer) => work.push(Work::Expr(*pointer)),
                }
                work.extend(arguments.iter().map(|&argument| Work::Expr(argument)));
            }
            StatementExpr(statements, value) => {
                work.extend(statements.iter().map(|&stmt| Work::Stmt(stmt)));
                work.extend(value.map(Work::Expr));
            }
        }
    }

    fn stmt(&mut self, tree: &Tree, stmt: StmtId, work: &mut Vec<Work>) {
        use StmtKind::*;
        match &tree.stmts[stmt].kind {
            Empty | Goto(_) | Break | Continue | Asm(_) => {}
            Expr(expr) | ComputedGoto(expr) | Assert(expr) | Assume(expr) => work.push(Work::Expr(*expr)),
            Return(value) => work.extend(value.map(Work::Expr)),
            Declare(var, init) => {
                self.variable(tree, *var, work);
                if let Some(init) = init {
                    self.declared.push(stmt);
                    initialiser(init, work);
                }
            }
            Block(statements) => work.extend(statements.iter().map(|&stmt| Work::Stmt(stmt))),
            If(condition, then, otherwise) => {
                work.extend([Work::Expr(*condition), Work::Stmt(*then)]);
                work.extend(otherwise.map(Work::Stmt));
            }
            While(condition, body) | DoWhile(body, condition) | Switch(condition, body) => {
                work.extend([Work::Expr(*condition), Work::Stmt(*body)]);
            }
            For(first, condition, step, body) => {
                work.extend([Work::Stmt(*first), Work::Stmt(*body)]);
                work.extend(condition.map(Work::Expr));
                work.extend(step.map(Work::Expr));
            }
            Case(_, _, body) | Default(body) | Label(_, body) => work.push(Work::Stmt(*body)),
        }
    }
}

fn initialiser(init: &Init, work: &mut Vec<Work>) {
    match init {
        Init::Whole(value) => work.push(Work::Expr(*value)),
        Init::Parts(parts) => work.extend(parts.iter().map(|(_, value)| Work::Expr(*value))),
    }
}
