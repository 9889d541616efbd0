//! Attributes: kept for those who know them.

use super::Elaborator;
use super::scopes::Position;
use crate::ast::{Attribute, AttributeArgument, ExprId, ExprKind};
use base::Span;

/// The expressions among the arguments.
pub(super) fn attribute_exprs(attributes: &[Attribute]) -> impl Iterator<Item = ExprId> + '_ {
    attributes.iter().flat_map(|attribute| &attribute.arguments).filter_map(|argument| match argument {
        AttributeArgument::Expr(expr) => Some(*expr),
        AttributeArgument::Text(_) => None,
    })
}

impl Elaborator<'_> {
    /// All attributes; those with a mistake, which is reported, are left out.
    pub(super) fn attributes(&mut self, attributes: &[Attribute], position: Position) -> Vec<ir::Attribute> {
        for expr in attribute_exprs(attributes) {
            self.expr(expr, position);
        }
        self.attributes_from_values(attributes).unwrap_or_default()
    }

    /// All attributes, if their expressions have values.
    pub(super) fn attributes_from_values(&self, attributes: &[Attribute]) -> Option<Vec<ir::Attribute>> {
        attributes.iter().map(|attribute| self.attribute(attribute)).collect()
    }

    fn attribute(&self, attribute: &Attribute) -> Option<ir::Attribute> {
        let arguments = attribute.arguments.iter().map(|argument| match argument {
            AttributeArgument::Text(span) => Some(ir::AttributeArgument::Text(self.unquoted(*span))),
            AttributeArgument::Expr(expr) => self.value(*expr).map(ir::AttributeArgument::Expr),
        });
        Some(ir::Attribute {
            name: self.ast.name(attribute.name.symbol).to_owned(),
            arguments: arguments.collect::<Option<_>>()?,
        })
    }

    /// What an attribute with a truth value says, if it is the one of this name. Without an argument it says yes.
    pub(super) fn ast_truth(&self, attribute: &Attribute, name: &str) -> Option<bool> {
        if self.ast.name(attribute.name.symbol) != name {
            return None;
        }
        match attribute.arguments.as_slice() {
            [] => Some(true),
            [AttributeArgument::Expr(expr)] => match self.ast.exprs[*expr].kind {
                ExprKind::Bool(value) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// What the last attribute of this name with a truth value says.
    pub(super) fn truth_attribute(&self, attributes: &[ir::Attribute], name: &str) -> Option<bool> {
        attributes.iter().rev().filter(|attribute| attribute.name == name).find_map(|attribute| {
            match attribute.arguments.as_slice() {
                [] => Some(true),
                [ir::AttributeArgument::Expr(expr)] => match self.program.expressions[*expr] {
                    ir::ExprData::Bool(value) => Some(value),
                    _ => None,
                },
                _ => None,
            }
        })
    }

    /// A string without its quotes.
    pub(super) fn unquoted(&self, span: Span) -> String {
        let text = self.ast.text(span);
        let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        inner.unwrap_or(text).replace("\\\"", "\"")
    }
}
