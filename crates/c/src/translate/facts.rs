//! Intervals of variables that are narrower than their types, as assignments and conditions tell.
//!
//! They decide where an operation may leave its range: in `for (i = 0; i < n; i++)` the step cannot overflow, as
//! `i < n` still holds. Facts are kept for variables of the function that live in no memory, and only along
//! structured control flow: labels forget everything, loops forget what they assign.
//!
//! Invariant: at every point of the translated body, each execution satisfies all facts that are kept there.

use super::Translator;
use super::numbers::Interval;
use crate::ast::{BinaryOp, LogicalOp};
use crate::tree::{Callee, ExprId, ExprKind, Init, Lifetime, StmtId, StmtKind, Tree, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// What is known at a point. `None` where no execution arrives.
pub type Facts = Option<BTreeMap<VarId, Interval>>;

impl Translator<'_> {
    /// The variable that an expression loads, if facts are kept for it.
    fn tracked(&self, expr: ExprId) -> Option<VarId> {
        let ExprKind::Load(place) = self.tree.exprs[expr].kind else { return None };
        let ExprKind::Variable(var) = self.tree.exprs[place].kind else { return None };
        self.is_tracked(var).then_some(var)
    }

    /// Whether facts are kept for a variable.
    pub(super) fn is_tracked(&self, var: VarId) -> bool {
        let data = &self.tree.variables[var];
        data.lifetime != Lifetime::Static
            && !data.address_taken
            && self.tree.types.int_kind(data.ty).is_some()
    }

    /// What is known of a variable.
    pub(super) fn fact(&self, var: VarId) -> Option<Interval> {
        self.function.facts.as_ref()?.get(&var).copied()
    }

    /// A variable has got a value within an interval.
    pub(super) fn learn(&mut self, var: VarId, interval: Interval) {
        if let Some(facts) = &mut self.function.facts {
            facts.insert(var, interval);
        }
    }

    /// A variable may have any value.
    pub(super) fn forget(&mut self, var: VarId) {
        if let Some(facts) = &mut self.function.facts {
            facts.remove(&var);
        }
    }

    /// Nothing is known: executions may come from anywhere.
    pub(super) fn forget_all(&mut self) {
        self.function.facts = Some(BTreeMap::new());
    }

    /// Where no execution arrives, every fact holds.
    pub(super) fn forget_if_dead(&mut self) {
        if !self.is_reachable() {
            self.function.facts = None;
        }
    }

    /// Forgets what an expression may assign.
    pub(super) fn forget_assigned(&mut self, expr: ExprId) {
        let mut effects = Effects::default();
        effects.expr(self.tree, expr);
        self.forget_effects(&effects);
    }

    fn forget_effects(&mut self, effects: &Effects) {
        if effects.labels {
            self.forget_all();
        }
        for &var in &effects.assigned {
            self.forget(var);
        }
    }

    /// Prepares for a loop: forgets what one round may change. Gives what the body alone may change.
    pub(super) fn enter_loop(&mut self, body: StmtId, others: &[Option<ExprId>]) -> Effects {
        let mut inside = Effects::default();
        inside.stmt(self.tree, body);
        let mut all = Effects { assigned: inside.assigned.clone(), ..inside };
        for expr in others.iter().flatten() {
            all.expr(self.tree, *expr);
        }
        self.forget_effects(&all);
        inside
    }

    /// Keeps the bound from which a `for` loop counts away: the counter changes only in the step, and the condition
    /// keeps it from leaving its range there. To be called behind [`enter_loop`](Self::enter_loop).
    pub(super) fn keep_start(
        &mut self,
        before: Facts,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: &Effects,
    ) {
        let (Some(condition), Some(step)) = (condition, step) else { return };
        let Some((var, by)) = self.counter(step) else { return };
        let Some(start) = before.and_then(|facts| facts.get(&var).copied()) else { return };
        let mut other = Effects::default();
        other.expr(self.tree, condition);
        if body.labels || body.assigned.contains(&var) || other.assigned.contains(&var) {
            return;
        }
        let Some(kind) = self.tree.types.int_kind(self.tree.variables[var].ty) else { return };
        let range = Interval::of(&self.tree.types, kind);
        let counted = if by > 0 {
            Interval { low: start.low, high: range.high }
        } else {
            Interval { low: range.low, high: start.high }
        };
        let outside = self.function.facts.clone();
        self.learn(var, counted);
        self.refine(condition, true);
        let inside = self.fact(var).unwrap_or(range);
        self.function.facts = outside;
        if inside.add(Interval::exactly(by)).within(range) {
            self.learn(var, counted);
        }
    }

    /// The variable that a step counts, and by how much.
    fn counter(&self, step: ExprId) -> Option<(VarId, i128)> {
        let (place, by) = match self.tree.exprs[step].kind {
            ExprKind::Increment { place, up, .. } => (place, if up { 1 } else { -1 }),
            ExprKind::CompoundAssign { op, place, value, .. } => match (op, &self.tree.exprs[value].kind) {
                (BinaryOp::Add, ExprKind::Int(by)) => (place, *by),
                (BinaryOp::Sub, ExprKind::Int(by)) => (place, -*by),
                _ => return None,
            },
            ExprKind::Assign(place, value) => {
                let value = self.unconverted(value);
                let ExprKind::Binary(op, left, right) = self.tree.exprs[value].kind else { return None };
                let ExprKind::Int(by) = self.tree.exprs[right].kind else { return None };
                let ExprKind::Variable(var) = self.tree.exprs[place].kind else { return None };
                if self.tracked(self.unconverted(left)) != Some(var) {
                    return None;
                }
                match op {
                    BinaryOp::Add => (place, by),
                    BinaryOp::Sub => (place, -by),
                    _ => return None,
                }
            }
            _ => return None,
        };
        match self.tree.exprs[place].kind {
            ExprKind::Variable(var) if self.is_tracked(var) && by != 0 => Some((var, by)),
            _ => None,
        }
    }

    /// An expression without conversions that keep every value of its type.
    fn unconverted(&self, expr: ExprId) -> ExprId {
        let mut expr = expr;
        while let ExprKind::Convert(inner) = self.tree.exprs[expr].kind {
            let kinds = (self.tree.exprs[inner].ty, self.tree.exprs[expr].ty);
            let (Some(from), Some(to)) =
                (self.tree.types.int_kind(kinds.0), self.tree.types.int_kind(kinds.1))
            else {
                return expr;
            };
            if !Interval::of(&self.tree.types, from).within(Interval::of(&self.tree.types, to)) {
                return expr;
            }
            expr = inner;
        }
        expr
    }

    /// What is known at the step of a loop, where the end of its body and every `continue` arrive: what was known
    /// at the start of the body and does not change in it.
    pub(super) fn at_step(&mut self, at_body: Facts, body: &Effects) {
        self.function.facts = at_body.or_else(|| Some(BTreeMap::new()));
        self.forget_effects(body);
    }

    /// What is known where two ways meet.
    pub(super) fn join_facts(&mut self, other: Facts) {
        self.function.facts = match (self.function.facts.take(), other) {
            (None, facts) | (facts, None) => facts,
            (Some(a), Some(b)) => {
                let both = a.into_iter().filter_map(|(var, x)| b.get(&var).map(|y| (var, x.hull(*y))));
                Some(both.collect())
            }
        };
    }

    /// Learns from a condition that holds, or from one that does not.
    ///
    /// A variable that the condition itself assigns may have changed since it was compared, so nothing is learnt of it.
    pub(super) fn refine(&mut self, condition: ExprId, holds: bool) {
        let mut effects = Effects::default();
        effects.expr(self.tree, condition);
        self.refine_all(condition, holds);
        self.forget_effects(&effects);
    }

    fn refine_all(&mut self, condition: ExprId, holds: bool) {
        let mut stack = vec![(condition, holds)];
        while let Some((expr, holds)) = stack.pop() {
            match &self.tree.exprs[expr].kind {
                ExprKind::Not(inner) => stack.push((*inner, !holds)),
                ExprKind::Logical(LogicalOp::And, left, right) if holds => {
                    stack.extend([(*left, true), (*right, true)]);
                }
                ExprKind::Logical(LogicalOp::Or, left, right) if !holds => {
                    stack.extend([(*left, false), (*right, false)]);
                }
                ExprKind::Binary(op, left, right) if crate::check::is_comparison(*op) => {
                    self.refine_comparison(if holds { *op } else { opposite(*op) }, *left, *right);
                }
                ExprKind::Load(_) if !holds => {
                    if let Some(var) = self.tracked(expr) {
                        self.narrow(var, Interval::exactly(0));
                    }
                }
                _ => {}
            }
        }
    }

    fn refine_comparison(&mut self, op: BinaryOp, left: ExprId, right: ExprId) {
        let (Some(a), Some(b)) = (self.static_interval(left), self.static_interval(right)) else { return };
        let below =
            |b: Interval, strict: i128| Interval { low: i128::MIN, high: b.high.saturating_sub(strict) };
        let above =
            |b: Interval, strict: i128| Interval { low: b.low.saturating_add(strict), high: i128::MAX };
        let (for_left, for_right) = match op {
            BinaryOp::Lt => (below(b, 1), above(a, 1)),
            BinaryOp::Le => (below(b, 0), above(a, 0)),
            BinaryOp::Gt => (above(b, 1), below(a, 1)),
            BinaryOp::Ge => (above(b, 0), below(a, 0)),
            BinaryOp::Eq => (b, a),
            _ => return,
        };
        for (side, interval) in [(left, for_left), (right, for_right)] {
            if let Some(var) = self.seen_through(side) {
                self.narrow(var, interval);
            }
        }
    }

    fn narrow(&mut self, var: VarId, to: Interval) {
        let Some(kind) = self.tree.types.int_kind(self.tree.variables[var].ty) else { return };
        let old = self.fact(var).unwrap_or_else(|| Interval::of(&self.tree.types, kind));
        let new = Interval { low: old.low.max(to.low), high: old.high.min(to.high) };
        // An empty interval means that no execution arrives; keeping the old one is right as well.
        if new.low <= new.high {
            self.learn(var, new);
        }
    }

    /// The variable whose very value an expression is, also behind conversions that do not change it.
    fn seen_through(&self, expr: ExprId) -> Option<VarId> {
        let mut expr = expr;
        while let ExprKind::Convert(inner) = self.tree.exprs[expr].kind {
            let kind = self.tree.types.int_kind(self.tree.exprs[expr].ty)?;
            if !self.static_interval(inner)?.within(Interval::of(&self.tree.types, kind)) {
                return None;
            }
            expr = inner;
        }
        self.tracked(expr)
    }

    /// The values that an integer expression may have, as far as its form and the facts tell.
    fn static_interval(&self, expr: ExprId) -> Option<Interval> {
        let mut expr = expr;
        let mut bound = Interval { low: i128::MIN, high: i128::MAX };
        loop {
            let node = &self.tree.exprs[expr];
            let kind = self.tree.types.int_kind(node.ty)?;
            let range = Interval::of(&self.tree.types, kind);
            let of_type = Interval { low: bound.low.max(range.low), high: bound.high.min(range.high) };
            match node.kind {
                ExprKind::Int(value) => return Some(Interval::exactly(value)),
                ExprKind::Load(_) => {
                    let fact = self.tracked(expr).and_then(|var| self.fact(var));
                    return Some(fact.unwrap_or(of_type));
                }
                ExprKind::Convert(inner) => {
                    let inner_kind = self.tree.types.int_kind(self.tree.exprs[inner].ty)?;
                    if !Interval::of(&self.tree.types, inner_kind).within(range) {
                        return Some(match self.tracked(inner).and_then(|var| self.fact(var)) {
                            Some(fact) if fact.within(range) => fact,
                            _ => of_type,
                        });
                    }
                    bound = of_type;
                    expr = inner;
                }
                _ => return Some(of_type),
            }
        }
    }
}

fn opposite(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Gt => BinaryOp::Le,
        _ => BinaryOp::Gt,
    }
}

/// What a part of the program may assign, and whether jumps may enter it.
#[derive(Default)]
pub struct Effects {
    assigned: BTreeSet<VarId>,
    labels: bool,
}

enum Node {
    Expr(ExprId),
    Stmt(StmtId),
    /// A statement inside of a `switch` of the same part: its cases are not entered from outside.
    InSwitch(StmtId),
}

impl Effects {
    fn expr(&mut self, tree: &Tree, expr: ExprId) {
        self.walk(tree, vec![Node::Expr(expr)]);
    }

    fn stmt(&mut self, tree: &Tree, stmt: StmtId) {
        self.walk(tree, vec![Node::Stmt(stmt)]);
    }

    fn assign(&mut self, tree: &Tree, place: ExprId) {
        if let ExprKind::Variable(var) = tree.exprs[place].kind {
            self.assigned.insert(var);
        }
    }

    fn init(stack: &mut Vec<Node>, init: &Init) {
        match init {
            Init::Whole(value) => stack.push(Node::Expr(*value)),
            Init::Parts(parts) => stack.extend(parts.iter().map(|(_, value)| Node::Expr(*value))),
        }
    }

    fn walk(&mut self, tree: &Tree, mut stack: Vec<Node>) {
        while let Some(node) = stack.pop() {
            match node {
                Node::Expr(expr) => self.walk_expr(tree, expr, &mut stack),
                Node::Stmt(stmt) => self.walk_stmt(tree, stmt, Node::Stmt, &mut stack),
                Node::InSwitch(stmt) => self.walk_stmt(tree, stmt, Node::InSwitch, &mut stack),
            }
        }
    }

    fn walk_expr(&mut self, tree: &Tree, expr: ExprId, stack: &mut Vec<Node>) {
        use ExprKind::*;
        match &tree.exprs[expr].kind {
            Int(_) | Float(_) | Variable(_) | Text(_) | FunctionAddress(_) | LabelAddress(..) => {}
            Deref(inner)
            | Member(inner, _)
            | Temporary(inner)
            | Load(inner)
            | AddressOf(inner)
            | Convert(inner)
            | Negate(inner)
            | Complement(inner)
            | Not(inner) => stack.push(Node::Expr(*inner)),
            CompoundLiteral(var, init) => {
                self.assigned.insert(*var);
                Effects::init(stack, init);
            }
            Binary(_, left, right)
            | Index(left, right)
            | PointerDifference(left, right)
            | Logical(_, left, right)
            | ConditionalOr(left, right)
            | Comma(left, right) => stack.extend([Node::Expr(*left), Node::Expr(*right)]),
            PointerAdd { pointer, count, .. } => stack.extend([Node::Expr(*pointer), Node::Expr(*count)]),
            Conditional(condition, then, otherwise) => {
                stack.extend([Node::Expr(*condition), Node::Expr(*then), Node::Expr(*otherwise)]);
            }
            Assign(place, value) | CompoundAssign { place, value, .. } => {
                self.assign(tree, *place);
                stack.extend([Node::Expr(*place), Node::Expr(*value)]);
            }
            PointerAssign { place, count, .. } => {
                self.assign(tree, *place);
                stack.extend([Node::Expr(*place), Node::Expr(*count)]);
            }
            Increment { place, .. } => {
                self.assign(tree, *place);
                stack.push(Node::Expr(*place));
            }
            Call(callee, arguments) => {
                // `setjmp` may return again at any time.
                self.labels |= super::jumps::is_resumed(tree, expr);
                if let Callee::Indirect(pointer) = callee {
                    stack.push(Node::Expr(*pointer));
                }
                stack.extend(arguments.iter().map(|&argument| Node::Expr(argument)));
            }
            StatementExpr(statements, value) => {
                stack.extend(statements.iter().map(|&stmt| Node::Stmt(stmt)));
                stack.extend(value.map(Node::Expr));
            }
        }
    }

    fn walk_stmt(&mut self, tree: &Tree, stmt: StmtId, inner: fn(StmtId) -> Node, stack: &mut Vec<Node>) {
        use StmtKind::*;
        match &tree.stmts[stmt].kind {
            Empty | Goto(_) | Break | Continue | Asm(_) | Assert(_) | Assume(_) => {}
            Expr(expr) | ComputedGoto(expr) => stack.push(Node::Expr(*expr)),
            Return(value) => stack.extend(value.map(Node::Expr)),
            Declare(var, init) => {
                self.assigned.insert(*var);
                if let Some(init) = init {
                    Effects::init(stack, init);
                }
            }
            Block(statements) => stack.extend(statements.iter().map(|&stmt| inner(stmt))),
            If(condition, then, otherwise) => {
                stack.extend([Node::Expr(*condition), inner(*then)]);
                stack.extend(otherwise.map(inner));
            }
            While(condition, body) | DoWhile(body, condition) => {
                stack.extend([Node::Expr(*condition), inner(*body)]);
            }
            Switch(subject, body) => stack.extend([Node::Expr(*subject), Node::InSwitch(*body)]),
            For(first, condition, step, body) => {
                stack.extend([inner(*first), inner(*body)]);
                stack.extend(condition.map(Node::Expr));
                stack.extend(step.map(Node::Expr));
            }
            // A `case` of a `switch` further outside may be jumped to like a label.
            Case(_, _, body) | Default(body) => {
                self.labels |= matches!(inner(*body), Node::Stmt(_));
                stack.push(inner(*body));
            }
            Label(_, body) => {
                self.labels = true;
                stack.push(inner(*body));
            }
        }
    }
}
