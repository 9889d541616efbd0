//! Type expressions.

use super::{Parse, Parser};
use crate::ast::{Ident, TypeId, TypeKind, TypeNode};
use crate::tokens::TokenKind;

/// How deep types may be nested; this is the one part of the grammar that uses the host's stack.
pub(super) const MAX_DEPTH: u32 = 500;

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Parse<TypeId> {
        self.type_at(0)
    }

    fn type_at(&mut self, depth: u32) -> Parse<TypeId> {
        if depth > MAX_DEPTH {
            let span = self.span(self.token);
            return Err(self.error(span, format!("types may be nested at most {MAX_DEPTH} deep")));
        }
        let start = self.token.start;
        match self.token.kind {
            TokenKind::Less | TokenKind::LeftBracket => self.map_type(depth),
            TokenKind::Identifier => {
                let name = self.ident()?;
                let arguments = self.type_arguments(depth)?;
                Ok(self.push_type(TypeKind::Named(name.symbol, arguments.into()), start))
            }
            _ => self.atomic_type(depth),
        }
    }

    fn push_type(&mut self, kind: TypeKind, start: u32) -> TypeId {
        let span = self.span_from(start);
        self.ast.types.push(TypeNode { kind, span })
    }

    /// A type that may be an argument without parentheses.
    fn atomic_type(&mut self, depth: u32) -> Parse<TypeId> {
        let start = self.token.start;
        let kind = match self.token.kind {
            TokenKind::Int => TypeKind::Int,
            TokenKind::Bool => TypeKind::Bool,
            TokenKind::Real => TypeKind::Real,
            TokenKind::LeftParen => {
                self.bump();
                let ty = self.type_at(depth + 1)?;
                self.expect(TokenKind::RightParen)?;
                return Ok(ty);
            }
            TokenKind::Identifier => {
                let name = self.ident()?;
                return Ok(self.push_type(TypeKind::Named(name.symbol, [].into()), start));
            }
            TokenKind::LeftBrace => {
                let fields = self.struct_fields(depth)?;
                return Ok(self.push_type(TypeKind::Struct(fields.into()), start));
            }
            _ => return Err(self.unexpected("a type")),
        };
        self.bump();
        Ok(self.push_type(kind, start))
    }

    fn type_arguments(&mut self, depth: u32) -> Parse<Vec<TypeId>> {
        let mut arguments = Vec::new();
        loop {
            match self.token.kind {
                TokenKind::Int | TokenKind::Bool | TokenKind::Real | TokenKind::LeftParen => {}
                // These words can follow the type of a constant.
                TokenKind::Identifier
                    if !["complete", "extends", "uses"].contains(&self.text(self.token)) => {}
                TokenKind::Less | TokenKind::LeftBracket => {
                    arguments.push(self.map_type(depth)?);
                    return Ok(arguments);
                }
                _ => return Ok(arguments),
            }
            arguments.push(self.atomic_type(depth)?);
        }
    }

    fn map_type(&mut self, depth: u32) -> Parse<TypeId> {
        let start = self.token.start;
        let variables = self.type_variables()?.into();
        self.expect(TokenKind::LeftBracket)?;
        let mut domain = vec![self.type_at(depth + 1)?];
        while self.eat(TokenKind::Comma) {
            domain.push(self.type_at(depth + 1)?);
        }
        self.expect(TokenKind::RightBracket)?;
        let range = self.type_at(depth + 1)?;
        Ok(self.push_type(TypeKind::Map { variables, domain: domain.into(), range }, start))
    }

    fn struct_fields(&mut self, depth: u32) -> Parse<Vec<(Ident, TypeId)>> {
        self.expect(TokenKind::LeftBrace)?;
        let mut fields = Vec::new();
        loop {
            let names = self.idents()?;
            self.expect(TokenKind::Colon)?;
            let ty = self.type_at(depth + 1)?;
            fields.extend(names.into_iter().map(|name| (name, ty)));
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightBrace)?;
        Ok(fields)
    }
}
