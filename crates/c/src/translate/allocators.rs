//! Functions that only allocate: `void *get(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }`.
//! They may fill the block with zeros, by `memset` or by taking it from `calloc`.
//!
//! A call of one is an allocation of its own for the alias analysis, so that blocks of different types which are made
//! by one function are told apart. Such a function returns nothing but null and what `malloc` (or another such function)
//! gave it, and does nothing with the pointer but compare it, fill its block with zeros and return it: then no memory of the
//! block is read before the caller has it, and nobody else knows it. Zeros are noted, and written by the caller
//! ([`zeroing`](super::zeroing)), who knows what the block is for.

use super::library::allocation;
use super::live::Live;
use crate::symbols::Symbols;
use crate::tree::{Callee, ExprId, ExprKind, FuncId, Init, Lifetime, StmtKind, Tree, VarId};
use base::EntitySet;
use std::collections::BTreeSet;

/// The functions of a program that only allocate.
#[derive(Default)]
pub(super) struct Allocators {
    /// All of them.
    pub(super) functions: EntitySet<FuncId>,
    /// Those of them whose blocks may be filled with zeros.
    pub(super) zeroing: EntitySet<FuncId>,
    /// The calls of `memset` in them.
    pub(super) fills: BTreeSet<ExprId>,
}

/// What a function under inspection does.
struct Found {
    zeroes: bool,
    fills: Vec<ExprId>,
}

/// Finds the functions of a program that only allocate.
pub(super) fn allocators(tree: &Tree, symbols: &Symbols, live: &Live) -> Allocators {
    let mut all = Allocators::default();
    // With several threads, what one function notes for its caller is not its own.
    let threads = live.exprs(tree).any(|expr| match tree.exprs[expr].kind {
        ExprKind::Call(Callee::Direct(function), _) => {
            symbols.text(tree.functions[function].name).starts_with("pthread_")
        }
        _ => false,
    });
    // One that calls another is found in a later round.
    loop {
        let mut changed = false;
        for function in live.functions(tree) {
            if all.functions.contains(function) {
                continue;
            }
            let Some(found) = only_allocates(tree, symbols, function, &all) else { continue };
            // Who calls it through a pointer does not know what it notes.
            if found.zeroes && (threads || live.is_addressed(function)) {
                continue;
            }
            all.functions.insert(function);
            if found.zeroes {
                all.zeroing.insert(function);
            }
            all.fills.extend(found.fills);
            changed = true;
        }
        if !changed {
            return all;
        }
    }
}

/// A function under inspection.
struct Inspection<'a> {
    tree: &'a Tree,
    symbols: &'a Symbols,
    known: &'a Allocators,
    /// Variables that may hold the new pointer.
    holders: BTreeSet<VarId>,
}

fn only_allocates(tree: &Tree, symbols: &Symbols, function: FuncId, known: &Allocators) -> Option<Found> {
    let data = &tree.functions[function];
    let result = tree.types.function(data.ty).map(|ty| ty.result);
    if data.body.is_none() || result.and_then(|result| tree.types.pointee(result)).is_none() {
        return None;
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
    if !(allocates && local && returned && declared && part.exprs(tree).all(|expr| inspection.is_fine(expr)))
    {
        return None;
    }
    let fills: Vec<ExprId> = part.exprs(tree).filter(|&expr| inspection.filled(expr).is_some()).collect();
    let zeroes = !fills.is_empty() || part.exprs(tree).any(|expr| inspection.gives_zeros(expr));
    Some(Found { zeroes, fills })
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
        if let Some(block) = self.filled(self.stripped(value)) {
            return self.add_holders(block);
        }
        match self.tree.exprs[self.stripped(value)].kind {
            ExprKind::Conditional(_, then, otherwise) => {
                self.add_holders(then);
                self.add_holders(otherwise);
            }
            _ => self.holders.extend(self.held(value)),
        }
    }

    /// The name of a function without a body that is called, and its arguments.
    fn library_call(&self, expr: ExprId) -> Option<(&str, &[ExprId])> {
        let ExprKind::Call(Callee::Direct(function), arguments) = &self.tree.exprs[expr].kind else {
            return None;
        };
        let data = &self.tree.functions[*function];
        let name = self.symbols.text(data.name);
        data.body.is_none().then(|| (name.strip_prefix("__builtin_").unwrap_or(name), &arguments[..]))
    }

    fn is_allocation(&self, expr: ExprId) -> bool {
        if let ExprKind::Call(Callee::Direct(function), _) = self.tree.exprs[expr].kind
            && self.known.functions.contains(function)
        {
            return true;
        }
        self.library_call(expr).is_some_and(|(name, _)| allocation(name).is_some())
    }

    /// Whether what is called gives blocks with zeros in them.
    fn gives_zeros(&self, expr: ExprId) -> bool {
        if let ExprKind::Call(Callee::Direct(function), _) = self.tree.exprs[expr].kind
            && self.known.zeroing.contains(function)
        {
            return true;
        }
        let called = self.library_call(expr).and_then(|(name, _)| allocation(name));
        called.is_some_and(|allocation| allocation.zeroed)
    }

    /// The pointer to what is filled with zeros.
    fn filled(&self, expr: ExprId) -> Option<ExprId> {
        match self.library_call(expr)? {
            ("memset", &[block, byte, _]) => {
                let zero = matches!(self.tree.exprs[self.stripped(byte)].kind, ExprKind::Int(0));
                zero.then_some(block)
            }
            _ => None,
        }
    }

    /// Whether a value is null, a new block, or a variable that holds one of these.
    fn is_new(&self, value: ExprId) -> bool {
        let value = self.stripped(value);
        if let Some(block) = self.filled(value) {
            return self.is_new(block);
        }
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
            stack.extend(self.filled(expr));
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
        if let (Some(block), Some((_, arguments))) = (self.filled(expr), self.library_call(expr)) {
            return self.is_new(block) && arguments[1..].iter().all(|&argument| other(argument));
        }
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
