//! The partial order `<:` of constants, as "This is Boogie 2" (section 6.1) has it.
//!
//! At every type it is a function with the axioms of a partial order. `const c: T extends a, b` says that `c` lies below
//! its direct parents, and that whatever lies above `c` is `c` or lies above a parent; without `extends` nothing is said
//! about parents. `unique` parents keep what lies below their children apart: a function of the parent and something
//! below it tells the child. `complete` says that what lies below a constant is the constant, or lies below a child that is declared.

use super::{Elaborator, Entry};
use crate::ast::{Declaration, Ident, Order};
use base::Span;
use ir::{BinaryOp, Expr, Function, Type, Variable, VariableKind};
use rustc_hash::FxHashMap;

/// The functions of the orders that are used.
#[derive(Default)]
pub(super) struct Orders {
    below: FxHashMap<Type, Function>,
    child: FxHashMap<Type, Function>,
}

/// A constant and one that it lies right below.
#[derive(Clone, Copy)]
struct Edge {
    child: Expr,
    parent: Expr,
}

impl Elaborator<'_> {
    /// `left <: right` at any type.
    pub(super) fn extends(&mut self, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        let ty = self.program.ty(left);
        let right = self.expect(right, ty)?;
        let below = self.order_of(ty, span);
        Some(self.program.apply(below, [left, right], span))
    }

    fn order_of(&mut self, ty: Type, span: Span) -> Function {
        if let Some(&below) = self.orders.below.get(&ty) {
            return below;
        }
        let below = self.made_function("below", &[ty, ty], Type::BOOL, span);
        self.orders.below.insert(ty, below);
        let [(x, a), (y, b), (z, c)] = [(); 3].map(|()| self.bound_variable(ty, span));
        let same = self.program.apply(below, [a, a], span);
        self.made_axiom(vec![x], vec![same], same, span);
        let (x, a) = self.bound_variable(ty, span);
        let (first, second) =
            (self.program.apply(below, [a, b], span), self.program.apply(below, [b, c], span));
        let both = self.program.and([first, second], span);
        let across = self.program.apply(below, [a, c], span);
        let transitive = self.program.binary(BinaryOp::Implies, both, across, span);
        self.made_axiom(vec![x, y, z], vec![first, second], transitive, span);
        let [(x, a), (y, b)] = [(); 2].map(|()| self.bound_variable(ty, span));
        let (first, second) =
            (self.program.apply(below, [a, b], span), self.program.apply(below, [b, a], span));
        let both = self.program.and([first, second], span);
        let equal = self.program.equal(a, b, span);
        let antisymmetric = self.program.binary(BinaryOp::Implies, both, equal, span);
        self.made_axiom(vec![x, y], vec![first, second], antisymmetric, span);
        below
    }

    /// Says what the declarations of constants say about their order.
    pub(super) fn constant_orders(&mut self) {
        let ast = self.ast;
        let mut children: FxHashMap<Variable, Vec<Variable>> = FxHashMap::default();
        let mut complete = Vec::new();
        for declaration in &ast.declarations {
            let Declaration::Constant(constants) = declaration else { continue };
            let Some(order) = &constants.order else { continue };
            for &name in &constants.names {
                let Some(constant) = self.constant(name) else { continue };
                for parent in self.parents(constant, order) {
                    children.entry(parent).or_default().push(constant);
                }
                if order.complete {
                    complete.push((constant, order.span));
                }
            }
        }
        for (constant, span) in complete {
            let children = children.get(&constant).cloned().unwrap_or_default();
            self.nothing_between(constant, &children, Direction::Down, span);
        }
    }

    fn constant(&mut self, name: Ident) -> Option<Variable> {
        match self.scopes.global(name.symbol) {
            Some((Entry::Known(variable), _))
                if matches!(self.program.variables[variable].kind, VariableKind::Constant { .. }) =>
            {
                Some(variable)
            }
            Some((Entry::Broken, _)) => None,
            _ => {
                let text = self.ast.name(name.symbol);
                self.error(name.span, format!("constant `{text}` is not declared"));
                None
            }
        }
    }

    /// The direct parents of a constant; what the order says about them becomes axioms.
    fn parents(&mut self, constant: Variable, order: &Order) -> Vec<Variable> {
        let Some(listed) = &order.parents else { return Vec::new() };
        let (ty, span) = (self.program.variables[constant].ty, order.span);
        let below = self.order_of(ty, span);
        let mut parents = Vec::with_capacity(listed.len());
        for parent in listed {
            let Some(variable) = self.constant(parent.name) else { continue };
            let (child, value) =
                (self.program.variable(constant, span), self.program.variable(variable, span));
            if self.expect(value, ty).is_none() {
                continue;
            }
            parents.push(variable);
            let fact = self.program.apply(below, [child, value], span);
            self.made_axiom(Vec::new(), Vec::new(), fact, span);
            if parent.unique {
                self.unique_child(Edge { child, parent: value }, ty, span);
            }
        }
        self.nothing_between(constant, &parents, Direction::Up, span);
        parents
    }

    /// `forall x :: x <: child ==> child_towards(parent, x) == child`
    fn unique_child(&mut self, Edge { child, parent }: Edge, ty: Type, span: Span) {
        let below = self.order_of(ty, span);
        let towards = match self.orders.child.get(&ty) {
            Some(&function) => function,
            None => {
                let function = self.made_function("child", &[ty, ty], ty, span);
                self.orders.child.insert(ty, function);
                function
            }
        };
        let (x, value) = self.bound_variable(ty, span);
        let is_below = self.program.apply(below, [value, child], span);
        let step = self.program.apply(towards, [parent, value], span);
        let same = self.program.equal(step, child, span);
        let body = self.program.binary(BinaryOp::Implies, is_below, same, span);
        self.made_axiom(vec![x], vec![is_below], body, span);
    }

    /// What lies above (or below) a constant is the constant, or lies above (or below) one of its neighbours.
    fn nothing_between(
        &mut self,
        constant: Variable,
        neighbours: &[Variable],
        direction: Direction,
        span: Span,
    ) {
        let ty = self.program.variables[constant].ty;
        let below = self.order_of(ty, span);
        let (x, value) = self.bound_variable(ty, span);
        let related = |elaborator: &mut Self, of: Variable| {
            let of = elaborator.program.variable(of, span);
            let pair = if direction == Direction::Up { [of, value] } else { [value, of] };
            elaborator.program.apply(below, pair, span)
        };
        let premise = related(self, constant);
        let mut choices: Vec<Expr> = neighbours.iter().map(|&of| related(self, of)).collect();
        let itself = self.program.variable(constant, span);
        choices.insert(0, self.program.equal(value, itself, span));
        let choice = self.program.or(choices, span);
        let body = self.program.binary(BinaryOp::Implies, premise, choice, span);
        self.made_axiom(vec![x], vec![premise], body, span);
    }
}

/// Towards parents, or towards children.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}
