//! `{:name arguments}` in front of declarations, clauses and statements.

use super::{Parse, Parser};
use crate::ast::{Attribute, AttributeArgument};
use crate::tokens::TokenKind;

impl Parser<'_> {
    /// Any number of attributes. Only for places where a brace can begin nothing else.
    pub(super) fn attributes(&mut self) -> Parse<Vec<Attribute>> {
        let mut attributes = Vec::new();
        while self.at(TokenKind::LeftBrace) && self.peek() == TokenKind::Colon {
            self.bump();
            self.bump();
            let name = self.attribute_name()?;
            let mut arguments = Vec::new();
            while !self.at(TokenKind::RightBrace) {
                arguments.push(self.attribute_argument()?);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RightBrace)?;
            attributes.push(Attribute { name, arguments });
        }
        Ok(attributes)
    }

    /// The name of an attribute may be a reserved word, as in `{:type …}`.
    pub(super) fn attribute_name(&mut self) -> Parse<crate::ast::Ident> {
        let token = self.token;
        if token.kind != TokenKind::Identifier && TokenKind::keyword(self.text(token)).is_none() {
            return Err(self.unexpected("the name of an attribute"));
        }
        self.bump();
        Ok(crate::ast::Ident { symbol: self.symbol(token), span: self.span(token) })
    }

    fn attribute_argument(&mut self) -> Parse<AttributeArgument> {
        if self.at(TokenKind::Text) {
            let token = self.bump();
            return Ok(AttributeArgument::Text(self.span(token)));
        }
        self.expression().map(AttributeArgument::Expr)
    }
}
