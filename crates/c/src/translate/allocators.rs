//! Functions that only allocate: `void *get(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }`.
//!
//! A call of one is an allocation of its own for the alias analysis, so that blocks of different types which are made
//! by one function are told apart. Such a function returns nothing but null and what `malloc` (or another such function)
//! gave it, and does nothing with the pointer but compare it and return it: then no memory of the block is touched before the
//! caller has it, and nobody else knows it.

use super::live::Live;
use crate::symbols::Symbols;
use crate::tree::{Callee, ExprId, ExprKind, FuncId, Init, Lifetime, StmtKind, Tree, VarId};
use base::EntitySet;
use std::collections::BTreeSet;

/// The functions of a program that only allocate.
pub(super) fn allocators(tree: &Tree, symbols: &Symbols, live: &Live) -> EntitySet<FuncId> {
    let mut found = EntitySet::new();
    // One that calls another is found in a later round.
    loop {
        let mut changed = false;
        for function in live.functions(tree) {
            if !found.contains(function) && only_allocates(tree, symbols, function, &found) {
                found.insert(function);
                changed = true;
            }
        }
        if !changed {
            return found;
        }
    }
}

/// A function under inspection.
struct Inspection<'a> {
    tree: &'a Tree,
    symbols: &'a Symbols,
    known: &'a EntitySet<FuncId>,
    /// Variables that may hold the new pointer.
    holders: BTreeSet<VarId>,
}

fn only_allocates(tree: &Tree, symbols: &Symbols, function: FuncId, known: &EntitySet<FuncId>) -> bool {
    let data = &tree.functions[function];
    let result = tree.types.function(data.ty).map(|ty| ty.result);
    if data.body.is_none() || result.and_then(|result| tree.types.pointee(result)).is_none() {
        return false;
    }
    let part = Live::inside(tree, function);
    let returns: Vec<ExprId> =
        tree.returns.iter().filter(|(from, _)| *from == function).map(|&(_, value)| value).collect();
    let mut inspection = Inspection { tree, symbols, known, holders: BTreeSet::new() };
    for &value in &returns {
        inspection.add_holders(value);
    }
    let allocates = part.exprs(tree).any(|expr| inspection.is_allocation(expr));
    let local = inspection.holders.iter().all(|&var| {
        let var = &tree.variables[var];
        var.function == Some(function) && var.lifetime == Lifetime::Automatic && !var.address_taken
    });
    let returned = returns.iter().all(|&value| inspection.is_new(value));
    let declared = part.declared().all(|stmt| match &tree.stmts[stmt].kind {
        StmtKind::Declare(var, Some(init)) => inspection.is_fine_initialiser(*var, init),
        _ => true,
    });
    allocates && local && returned && declared && part.exprs(tree).all(|expr| inspection.is_fine(expr))
}

impl Inspection<'_> {
    /// The operand of conversions.
    fn stripped(&self, mut expr: ExprId) -> ExprId {
        while let ExprKind::Convert(inner) = self.tree.exprs[expr].kind {
            expr = inner;
        }
        expr
    }

    fn held(&self, expr: ExprId) -> Option<VarId> {
        let ExprKind::Load(place) = self.tree.exprs[self.stripped(expr)].kind else { return None };
        match self.tree.exprs[place].kind {
            ExprKind::Variable(var) => Some(var),
            _ => None,
        }
    }

    fn add_holders(&mut self, value: ExprId) {
        match self.tree.exprs[self.stripped(value)].kind {
            ExprKind::Conditional(_, then, otherwise) => {
                self.add_holders(then);
                self.add_holders(otherwise);
            }
            _ => self.holders.extend(self.held(value)),
        }
    }

    fn is_allocation(&self, expr: ExprId) -> bool {
        let ExprKind::Call(Callee::Direct(function), _) = self.tree.exprs[expr].kind else { return false };
        let data = &self.tree.functions[function];
        let name = self.symbols.text(data.name);
        self.known.contains(function)
            || (data.body.is_none() && matches!(name, "malloc" | "__builtin_malloc" | "kmalloc"))
    }

    /// Whether a value is null, a new block, or a variable that holds one of these.
    fn is_new(&self, value: ExprId) -> bool {
        let value = self.stripped(value);
        match self.tree.exprs[value].kind {
            ExprKind::Int(0) => true,
            ExprKind::Conditional(_, then, otherwise) => self.is_new(then) && self.is_new(otherwise),
            _ => self.is_allocation(value) || self.held(value).is_some_and(|var| self.holders.contains(&var)),
        }
    }

    /// Whether a value may be the new pointer, or be computed from it other than by a comparison.
    fn touches(&self, expr: ExprId) -> bool {
        use ExprKind::*;
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            if self.is_allocation(expr) || self.held(expr).is_some_and(|var| self.holders.contains(&var)) {
                return true;
            }
            match self.tree.exprs[expr].kind {
                Convert(inner) | Negate(inner) | Complement(inner) | Comma(_, inner) | Assign(_, inner) => {
                    stack.push(inner);
                }
                Binary(op, left, right) if !crate::check::is_comparison(op) => stack.extend([left, right]),
                Conditional(_, left, right) | ConditionalOr(left, right) => stack.extend([left, right]),
                PointerAdd { pointer, .. } => stack.push(pointer),
                StatementExpr(..) | Temporary(_) => return true,
                _ => {}
            }
        }
        false
    }

    fn is_fine_initialiser(&self, var: VarId, init: &Init) -> bool {
        match init {
            Init::Whole(value) if self.holders.contains(&var) => self.is_new(*value),
            Init::Whole(value) => !self.touches(*value),
            Init::Parts(parts) => parts.iter().all(|&(_, value)| !self.touches(value)),
        }
    }

    /// Whether an expression does nothing with the new pointer but compare it, or keep it in a holder.
    fn is_fine(&self, expr: ExprId) -> bool {
        use ExprKind::*;
        let other = |operand: ExprId| !self.touches(operand);
        match &self.tree.exprs[expr].kind {
            Int(_) | Float(_) | Variable(_) | Text(_) | FunctionAddress(_) | LabelAddress(..) => true,
            // What converts, compares or tests is judged where its value goes.
            Load(_) | Convert(_) | Not(_) | Logical(..) | Conditional(..) | Binary(..) => true,
            Assign(place, value) => match self.tree.exprs[*place].kind {
                Variable(var) if self.holders.contains(&var) => self.is_new(*value),
                _ => other(*value),
            },
            Call(_, arguments) => arguments.iter().all(|&argument| other(argument)),
            Member(inner, _) => other(*inner),
            Negate(inner) | Complement(inner) => other(*inner),
            Comma(left, right) => other(*left) && other(*right),
            // Everything else is not worth a closer look if a pointer is near.
            Deref(inner) | AddressOf(inner) => other(*inner),
            Index(left, right) => other(*left) && other(*right),
            PointerDifference(left, right) => other(*left) && other(*right),
            PointerAdd { pointer, count, .. } => other(*pointer) && other(*count),
            CompoundAssign { value, .. } => other(*value),
            Increment { place, .. } | PointerAssign { place, .. } => match self.tree.exprs[*place].kind {
                Variable(var) => !self.holders.contains(&var),
                _ => true,
            },
            Temporary(_) | ConditionalOr(..) | StatementExpr(..) | CompoundLiteral(..) => false,
        }
    }
}
