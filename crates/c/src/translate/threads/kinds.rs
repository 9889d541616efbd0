//! The kinds of locks in static variables, which initialisers such as `PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP` say.

use super::{library_calls, lock_argument};
use crate::symbols::Symbols;
use crate::tree::{ExprId, ExprKind, Init, Lifetime, Step, Tree, VarId};
use crate::types::{Type, TypeId, Types};
use base::Span;
use std::collections::BTreeSet;

/// What the initialisers of static variables say about the kinds of the locks in them.
#[derive(Default)]
pub(super) struct StaticKinds {
    pub(super) kinds: Vec<StaticKind>,
    /// A lock that begins as something else than a free one of a known kind.
    pub(super) odd: Option<Span>,
}

/// A lock in a static variable whose initialiser gives it a kind.
#[derive(Clone, Copy)]
pub(super) struct StaticKind {
    pub(super) variable: VarId,
    /// Where it is in there, in bytes.
    pub(super) offset: i128,
    pub(super) kind: i128,
}

/// The members of a mutex that say its kind, in the built-in header and in that of the GNU C library.
const KIND_MEMBERS: &[&str] = &["__unreach_state", "__kind"];

impl StaticKinds {
    pub(super) fn of(tree: &Tree, symbols: &Symbols) -> StaticKinds {
        let mut locks: BTreeSet<TypeId> = BTreeSet::new();
        let mut mutexes: BTreeSet<TypeId> = BTreeSet::new();
        for (name, arguments) in library_calls(tree, symbols) {
            if let Some(&(mut lock)) = lock_argument(name).and_then(|position| arguments.get(position)) {
                while let ExprKind::Convert(inner) = tree.exprs[lock].kind {
                    lock = inner;
                }
                let ty = tree.types.pointee(tree.exprs[lock].ty);
                locks.extend(ty);
                mutexes.extend(ty.filter(|_| !name.starts_with("pthread_rwlock_")));
            }
        }
        let mut found = StaticKinds::default();
        for (variable, data) in &tree.variables {
            let whole = [];
            let parts: Vec<(&[Step], ExprId)> = match &data.init {
                Some(Init::Parts(parts)) => parts.iter().map(|(path, value)| (&path[..], *value)).collect(),
                Some(Init::Whole(value)) => vec![(&whole[..], *value)],
                None => Vec::new(),
            };
            for (path, value) in parts {
                let Some((lock, offset, inside)) = lock_on_path(&tree.types, data.ty, path, &locks) else {
                    continue;
                };
                let kind = match (number(tree, value), says_kind(tree, symbols, lock, inside)) {
                    (Some(0), _) => continue,
                    (Some(kind @ 1..=3), true) if mutexes.contains(&lock) => kind,
                    _ => {
                        found.odd.get_or_insert(data.span);
                        continue;
                    }
                };
                // An adaptive mutex is a plain one that is quicker.
                match (data.lifetime, kind) {
                    (_, 3) => {}
                    (Lifetime::Static, kind) => found.kinds.push(StaticKind { variable, offset, kind }),
                    _ => found.odd = found.odd.or(Some(data.span)),
                }
            }
        }
        found
    }
}

/// The number that an expression is.
fn number(tree: &Tree, mut value: ExprId) -> Option<i128> {
    loop {
        match tree.exprs[value].kind {
            ExprKind::Convert(inner) => value = inner,
            ExprKind::Int(number) => return Some(number),
            _ => return None,
        }
    }
}

/// The lock that a path leads to or into, where it is, and the rest of the path.
fn lock_on_path<'p>(
    types: &Types,
    mut ty: TypeId,
    mut path: &'p [Step],
    locks: &BTreeSet<TypeId>,
) -> Option<(TypeId, i128, &'p [Step])> {
    let mut offset = 0;
    loop {
        if locks.contains(&ty) {
            return Some((ty, offset, path));
        }
        let (step, rest) = path.split_first()?;
        path = rest;
        let by;
        (ty, by) = match (step, &types[ty]) {
            (&Step::Index(index), Type::Array(element, _)) => {
                let size = i128::from(types.size(*element)?);
                (*element, size * index as i128)
            }
            (&Step::Field(field), &Type::Record(record)) => {
                let field = types.field(record, field)?;
                (field.ty, i128::from(field.bit_offset / 8))
            }
            _ => return None,
        };
        offset += by;
    }
}

/// Whether a path in a mutex leads to what says its kind.
fn says_kind(tree: &Tree, symbols: &Symbols, mut ty: TypeId, path: &[Step]) -> bool {
    let mut last = None;
    for step in path {
        let (&Step::Field(field), &Type::Record(record)) = (step, &tree.types[ty]) else { return false };
        let Some(field) = tree.types.field(record, field) else { return false };
        (ty, last) = (field.ty, field.name);
    }
    last.is_some_and(|name| KIND_MEMBERS.contains(&symbols.text(name)))
}
