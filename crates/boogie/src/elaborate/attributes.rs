//! Attributes: kept for those who know them.

use super::Elaborator;
use super::scopes::Position;
use crate::ast::{Attribute, AttributeArgument, ExprId};
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

    /// A string without its quotes.
    pub(super) fn unquoted(&self, span: Span) -> String {
        let text = self.ast.text(span);
        let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        inner.unwrap_or(text).replace("\\\"", "\"")
    }
}
