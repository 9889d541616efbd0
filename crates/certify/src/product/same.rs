//! Whether two expressions are the same but for the names of variables.

use ir::{Expr, ExprData, Program, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// The program that is watched, and what claims to be its product with an automaton.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) watched: &'a Program,
    pub(super) product: &'a Program,
}

impl Pair<'_> {
    /// Whether the second expression, of the product, is the first one, of the watched program, with its variables named as `name` says.
    /// A variable without a name is the same as none. Linear in the expressions.
    pub(super) fn same(&self, one: Expr, other: Expr, name: &dyn Fn(Variable) -> Option<Variable>) -> bool {
        let mut bound: BTreeMap<Variable, Variable> = BTreeMap::new();
        let mut seen: BTreeSet<(Expr, Expr)> = BTreeSet::new();
        let mut pending = vec![(one, other)];
        while let Some((one, other)) = pending.pop() {
            if !seen.insert((one, other)) {
                continue;
            }
            if self.watched.ty(one) != self.product.ty(other) {
                return false;
            }
            match (&self.watched.expressions[one], &self.product.expressions[other]) {
                (ExprData::Variable(variable), ExprData::Variable(found)) => {
                    let wanted = bound.get(variable).copied().or_else(|| name(*variable));
                    if wanted != Some(*found) {
                        return false;
                    }
                }
                (ExprData::Quantified(one), ExprData::Quantified(other)) => {
                    if one.kind != other.kind || one.bound.len() != other.bound.len() {
                        return false;
                    }
                    for (&variable, &found) in one.bound.iter().zip(&other.bound) {
                        let (data, own) = (&self.watched.variables[variable], &self.product.variables[found]);
                        let before = bound.insert(variable, found);
                        if data.ty != own.ty || before.is_some_and(|before| before != found) {
                            return false;
                        }
                    }
                    // Triggers say nothing about the meaning.
                    pending.push((one.body, other.body));
                }
                (data, found) => {
                    if shape(data) != shape(found) {
                        return false;
                    }
                    let children = |program: &Program, of: Expr| {
                        let mut children = Vec::new();
                        program.expressions.for_each_child(of, |child| children.push(child));
                        children
                    };
                    let below = children(self.watched, one);
                    pending.extend(below.into_iter().zip(children(self.product, other)));
                }
            }
        }
        true
    }
}

/// An expression without what it is made of. As many children as before, but all the same.
fn shape(data: &ExprData) -> ExprData {
    let mut shape = data.clone();
    shape.map_children(|_| base::EntityRef::new(0));
    shape
}
