//! Ranges of parameters that are narrower than their types, as all calls tell.
//!
//! In `align(p, 16)` and `align(q, 8)` the second parameter of `align` lies between 8 and 16 if there are no other calls, and if nobody
//! calls the function through a pointer. Only numbers that are written down count. A parameter with one value is a constant, so masks and shifts by it are exact.
//!
//! Guarantee: whoever enters a function passes values within the ranges of its parameters. Cost: linear in the program.

use super::live::Live;
use super::numbers::Interval;
use crate::tree::{Callee, ExprId, ExprKind, FuncId, Tree, VarId};
use std::collections::BTreeMap;

/// The ranges of parameters that are known. The entry is called by the environment.
pub(super) fn ranges(tree: &Tree, live: &Live, entry: FuncId) -> BTreeMap<VarId, Interval> {
    // Nothing says that a range is not known.
    let mut found: BTreeMap<VarId, Option<Interval>> = BTreeMap::new();
    for data in tree.exprs.values() {
        let ExprKind::Call(Callee::Direct(function), arguments) = &data.kind else { continue };
        for (number, &parameter) in tree.functions[*function].parameters.iter().enumerate() {
            let given = arguments.get(number).and_then(|&argument| written(tree, argument));
            let given = given.filter(|&value| fits(tree, value, tree.variables[parameter].ty));
            let before = found.get(&parameter).copied();
            let now = match (given.map(Interval::exactly), before) {
                (Some(given), None) => Some(given),
                (Some(given), Some(Some(before))) => Some(before.hull(given)),
                (None, _) | (_, Some(None)) => None,
            };
            found.insert(parameter, now);
        }
    }
    let is_entered_otherwise = |function: FuncId| {
        let by_itself = [entry].iter().chain(&tree.at_start).chain(&tree.at_end).any(|&it| it == function);
        by_itself || live.is_addressed(function)
    };
    let is_known = |&(var, _): &(VarId, Interval)| {
        tree.variables[var].function.is_some_and(|function| !is_entered_otherwise(function))
    };
    found.into_iter().filter_map(|(var, range)| Some((var, range?))).filter(is_known).collect()
}

/// The number that an argument is, if it is written down.
fn written(tree: &Tree, argument: ExprId) -> Option<i128> {
    match tree.exprs[argument].kind {
        ExprKind::Int(value) => Some(value),
        ExprKind::Convert(inner) => {
            written(tree, inner).filter(|&value| fits(tree, value, tree.exprs[argument].ty))
        }
        _ => None,
    }
}

/// Whether a number is a value of a type, so that converting it changes nothing.
fn fits(tree: &Tree, value: i128, ty: crate::types::TypeId) -> bool {
    let kind = tree.types.int_kind(ty);
    kind.is_some_and(|kind| Interval::exactly(value).within(Interval::of(&tree.types, kind)))
}
