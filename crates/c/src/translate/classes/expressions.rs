//! What expressions, assignments and initialisers say about classes.

use super::super::live::Live;
use super::shapes::{
    addresses_in, container, has_union, is_bit_field, key_of, key_of_path, starts_with, view,
};
use super::{Cell, Class, Classes, Key, cell_of, holds_pointers};
use crate::ast::BinaryOp;
use crate::symbols::Symbols;
use crate::tree::{ExprId, ExprKind, Init, Tree, VarId};
use crate::types::{IntKind, Type, TypeId, Types};

/// Whether a conversion from one pointer to another shows numbers or pointers as something else: not a struct as one that contains it,
/// nor something that had no type before.
fn is_punned(types: &Types, from: TypeId, to: TypeId) -> bool {
    let (Some(from), Some(to)) = (view(types, from), view(types, to)) else { return false };
    let is_record = |ty: TypeId| matches!(types[ty], Type::Record(_));
    let fit = starts_with(types, from, to) || starts_with(types, to, from);
    let records = is_record(from) && is_record(to);
    !fit && !records
}

/// Whether an array is a variable, or a row of one.
fn is_variable(tree: &Tree, array: ExprId) -> bool {
    match tree.exprs[array].kind {
        ExprKind::Variable(_) => true,
        ExprKind::Index(inner, _) => is_variable(tree, inner),
        _ => false,
    }
}

impl Classes {
    pub(super) fn expression(
        &mut self,
        tree: &Tree,
        symbols: &Symbols,
        live: &Live,
        expr: ExprId,
    ) -> Option<Class> {
        let node = &tree.exprs[expr];
        self.step(tree, expr);
        let class = match &node.kind {
            ExprKind::Variable(var) => self.variable(*var),
            ExprKind::Deref(inner) | ExprKind::AddressOf(inner) | ExprKind::Temporary(inner) => {
                self.class(*inner)
            }
            ExprKind::Index(inner, _) => {
                let class = self.class(*inner);
                if is_variable(tree, *inner)
                    && let Some(element) = view(&tree.types, node.ty)
                {
                    let class = self.compress(class);
                    self.infos[class].steps.insert(element);
                }
                self.index(class)
            }
            ExprKind::Member(inner, _) => {
                let class = self.class(*inner);
                if let Type::Record(record) = tree.types[tree.exprs[*inner].ty]
                    && tree.types.records[record].is_union
                {
                    self.reinterpret(class);
                    let class = self.compress(class);
                    self.infos[class].punned = true;
                }
                class
            }
            ExprKind::CompoundLiteral(var, init) => {
                self.initialiser(tree, *var, init);
                self.variable(*var)
            }
            ExprKind::FunctionAddress(function) => self.function(*function),
            ExprKind::Load(place) => match tree.types[node.ty] {
                Type::Pointer(_) => {
                    let class = self.class(*place);
                    self.target(class, key_of(tree, *place))
                }
                _ => {
                    let class = self.class(*place);
                    if has_union(&tree.types, node.ty) {
                        self.force_bytes(class);
                    }
                    class
                }
            },
            ExprKind::Convert(inner) => self.conversion(tree, expr, *inner),
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, right) => {
                let null = |expr: ExprId| matches!(tree.exprs[expr].kind, ExprKind::Int(_));
                if tree.types.pointee(tree.exprs[*left].ty).is_some() && !null(*left) && !null(*right) {
                    // A pointer that was never assigned may be assumed to be another one.
                    let (left, right) = (self.class(*left), self.class(*right));
                    self.join(left, right);
                    let class = self.compress(left);
                    self.infos[class].compared = true;
                }
                return None;
            }
            ExprKind::PointerAdd { pointer, .. } => {
                let class = self.class(*pointer);
                self.index(class)
            }
            ExprKind::PointerAssign { place, .. } | ExprKind::Increment { place, .. } => {
                let class = self.class(*place);
                match tree.types[node.ty] {
                    Type::Pointer(_) => {
                        let target = self.target(class, key_of(tree, *place));
                        self.index(target)
                    }
                    _ => return None,
                }
            }
            ExprKind::Conditional(_, then, otherwise) | ExprKind::ConditionalOr(then, otherwise) => {
                if !holds_pointers(&tree.types, node.ty) {
                    return None;
                }
                let (then, otherwise) = (self.class(*then), self.class(*otherwise));
                self.join(then, otherwise);
                then
            }
            ExprKind::Comma(_, value) => self.class(*value),
            ExprKind::StatementExpr(_, Some(value)) => self.class(*value),
            ExprKind::Assign(place, value) => {
                self.assign(tree, *place, *value);
                self.class(*value)
            }
            ExprKind::Call(callee, arguments) => {
                return self.call(tree, symbols, live, (expr, *callee, arguments));
            }
            _ => return None,
        };
        if crate::check::is_place(&node.kind) {
            self.access(tree, expr, class);
        }
        Some(class)
    }

    /// Notes the access that a scalar place stands for.
    pub(super) fn access(&mut self, tree: &Tree, place: ExprId, class: Class) {
        let ty = tree.exprs[place].ty;
        if let Some(mut cell) = cell_of(&tree.types, ty) {
            let key = key_of(tree, place);
            if is_bit_field(&tree.types, key) {
                cell = Cell::Bits;
            }
            self.touch(class, key, cell);
            self.note_type(&tree.types, (class, key), ty);
        }
    }

    /// Notes under which type a cell is accessed.
    pub(super) fn note_type(&mut self, types: &Types, (class, key): (Class, Key), ty: TypeId) {
        let class = self.compress(class);
        if let Some(kind) = types.int_kind(ty) {
            self.infos[class].kinds.insert(kind);
        }
        if let Some(to) = types.pointee(ty) {
            let key = self.key(class, key);
            self.infos[class].pointees.entry(key).or_default().insert(to);
        }
    }

    /// What the result of a conversion points to.
    pub(super) fn conversion(&mut self, tree: &Tree, expr: ExprId, inner: ExprId) -> Class {
        let (from, to) = (tree.exprs[inner].ty, tree.exprs[expr].ty);
        let class = self.class(inner);
        match (tree.types.pointee(from), tree.types.pointee(to)) {
            (Some(from), Some(to)) => {
                if let Some((_, (outer, member))) = container(tree, expr) {
                    let class = self.compress(class);
                    self.infos[class].contained.insert((outer, member));
                    self.infos[class].views.extend([outer, member]);
                    self.infos[class].sources.insert(member);
                } else if !self.containers.contains(&expr) {
                    self.add_views(&tree.types, class, (Some(from), to));
                    let class = self.compress(class);
                    self.infos[class].punned |= is_punned(&tree.types, from, to);
                }
                class
            }
            (Some(_), None) => {
                if tree.types.int_kind(to).is_some_and(|kind| kind != IntKind::Bool) {
                    self.exposed.push(class);
                }
                class
            }
            (None, Some(to)) if !matches!(tree.exprs[inner].kind, ExprKind::Int(_)) => {
                let made = self.fresh();
                self.made.push(made);
                // The addresses that the integer is computed from tell what it may point to.
                for origin in addresses_in(tree, inner) {
                    let from = tree.types.pointee(tree.exprs[origin].ty);
                    let class = self.class(origin);
                    self.join(made, class);
                    self.add_views(&tree.types, made, (from, to));
                }
                self.add_views(&tree.types, made, (None, to));
                made
            }
            (None, Some(_)) => self.fresh(),
            _ => class,
        }
    }

    /// Notes that a pointer is converted from one type to another.
    pub(super) fn add_views(&mut self, types: &Types, class: Class, (from, to): (Option<TypeId>, TypeId)) {
        let class = self.compress(class);
        let from = from.and_then(|from| view(types, from));
        let info = &mut self.infos[class];
        info.views.extend(from.into_iter().chain(view(types, to)));
        info.sources.extend(from);
    }

    /// Notes in which steps a pointer is moved.
    pub(super) fn step(&mut self, tree: &Tree, expr: ExprId) {
        let node = &tree.exprs[expr];
        let class = match node.kind {
            ExprKind::PointerAdd { pointer, .. } if !self.containers.contains(&expr) => self.class(pointer),
            ExprKind::PointerAssign { place, .. } | ExprKind::Increment { place, .. }
                if tree.types.pointee(node.ty).is_some() =>
            {
                let class = self.class(place);
                self.target(class, key_of(tree, place))
            }
            _ => return,
        };
        let Some(to) = tree.types.pointee(node.ty) else { return };
        let class = self.compress(class);
        self.infos[class].steps.insert(view(&tree.types, to).unwrap_or(tree.types.char));
    }

    /// Only bytes will do for a class.
    pub(super) fn force_bytes(&mut self, class: Class) {
        self.touch(class, Key::Any, Cell::Int(1));
        let class = self.compress(class);
        self.infos[class].bytes = true;
        self.reinterpret(class);
    }

    pub(super) fn assign(&mut self, tree: &Tree, place: ExprId, value: ExprId) {
        let class = self.class(place);
        let value_class = self.class(value);
        match tree.types[tree.exprs[place].ty] {
            Type::Pointer(_) => {
                let target = self.target(class, key_of(tree, place));
                self.join(target, value_class);
            }
            Type::Record(_) => self.join(class, value_class),
            _ => {}
        }
    }

    pub(super) fn initialiser(&mut self, tree: &Tree, var: VarId, init: &Init) {
        let class = self.variable(var);
        let ty = tree.variables[var].ty;
        let mut store = |(key, ty): (Key, TypeId), value: ExprId| {
            let value_class = self.class(value);
            match tree.types[ty] {
                Type::Pointer(_) => {
                    let target = self.target(class, key);
                    self.join(target, value_class);
                }
                Type::Record(_) => self.join(class, value_class),
                _ => {
                    if let Some(cell) = cell_of(&tree.types, ty) {
                        self.touch(
                            class,
                            key,
                            if is_bit_field(&tree.types, key) { Cell::Bits } else { cell },
                        );
                    }
                }
            }
            self.note_type(&tree.types, (class, key), ty);
        };
        match init {
            Init::Whole(value) => store((Key::Any, ty), *value),
            Init::Parts(parts) => {
                for (path, value) in parts {
                    store(key_of_path(&tree.types, ty, path), *value);
                }
            }
        }
    }
}
