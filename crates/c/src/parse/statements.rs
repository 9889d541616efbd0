//! Statements (C11 6.8), with the assertions that annotations state.

use super::declarations::Declared;
use super::keywords::Keyword;
use super::{Parse, Parser, Word};
use crate::ast::{Attributes, StmtId, StmtKind};
use crate::lex::token::{Punct, TokenKind};
use base::Diagnostic;

impl Parser<'_> {
    /// `{ … }` in a scope of its own.
    pub(super) fn block(&mut self) -> Parse<StmtId> {
        let span = self.expect(Punct::OpenBrace)?;
        self.open_scope();
        let mut statements = Vec::new();
        let mut end = self.span();
        while !self.eat(Punct::CloseBrace) {
            if self.token().kind == TokenKind::End {
                return Err(Diagnostic::error(span, "this block is not closed"));
            }
            statements.push(self.block_item()?);
            end = self.span();
        }
        self.close_scope();
        let block = self.stmt_node(StmtKind::Block(statements), span);
        self.ast.block_ends.push((block, end));
        Ok(block)
    }

    fn block_item(&mut self) -> Parse<StmtId> {
        let span = self.span();
        // `__extension__` may start a declaration or an expression.
        let extension = self.keyword() == Some(Keyword::Extension);
        let declares = self.starts_type_at(usize::from(extension)) && !self.is_at(1, Punct::Colon);
        match self.keyword() {
            _ if self.starts_attributes() => {
                let mut ignored = Attributes::default();
                let mark = self.next;
                self.attributes(&mut ignored)?;
                if self.eat(Punct::Semicolon) {
                    return Ok(self.stmt_node(StmtKind::Empty, span));
                }
                if !self.starts_type_at(0) {
                    return self.statement();
                }
                self.next = mark;
                self.declaration_statement()
            }
            Some(Keyword::StaticAssert) => {
                let condition = self.static_assert()?;
                Ok(self.stmt_node(StmtKind::StaticAssert(condition), span))
            }
            Some(Keyword::Label) => {
                let mut labels = Vec::new();
                while !self.eat(Punct::Semicolon) {
                    self.advance();
                    labels.push(self.name()?.0);
                }
                Ok(self.stmt_node(StmtKind::LocalLabels(labels), span))
            }
            Some(Keyword::PragmaPack) => {
                self.pragma_pack()?;
                Ok(self.stmt_node(StmtKind::Empty, span))
            }
            _ if declares => self.declaration_statement(),
            _ => self.statement(),
        }
    }

    fn declaration_statement(&mut self) -> Parse<StmtId> {
        let span = self.span();
        let kind = match self.nested(Self::declaration)? {
            Declared::Declaration(declaration) => StmtKind::Declaration(declaration),
            Declared::Function(_) => StmtKind::NestedFunction,
        };
        Ok(self.stmt_node(kind, span))
    }

    pub(super) fn statement(&mut self) -> Parse<StmtId> {
        self.nested(Self::statement_inside)
    }

    fn statement_inside(&mut self) -> Parse<StmtId> {
        let span = self.span();
        let kind = match self.token().kind {
            TokenKind::Punct(Punct::OpenBrace) => return self.block(),
            TokenKind::Punct(Punct::Semicolon) => {
                self.advance();
                StmtKind::Empty
            }
            TokenKind::Punct(Punct::AnnotationBegin) if self.annotates_statement() => {
                return self.annotated_statement();
            }
            TokenKind::Punct(Punct::AnnotationBegin) => self.annotation()?,
            TokenKind::Name(name) => match self.word() {
                Word::Keyword(keyword) => match self.keyword_statement(keyword)? {
                    Some(kind) => kind,
                    None => self.expression_statement()?,
                },
                _ if self.is_at(1, Punct::Colon) => {
                    self.advance();
                    self.advance();
                    let mut ignored = Attributes::default();
                    self.attributes(&mut ignored)?;
                    StmtKind::Label(name, self.labelled()?)
                }
                _ => self.expression_statement()?,
            },
            _ => self.expression_statement()?,
        };
        Ok(self.stmt_node(kind, span))
    }

    fn expression_statement(&mut self) -> Parse<StmtKind> {
        let expression = self.expression()?;
        self.expect(Punct::Semicolon)?;
        Ok(StmtKind::Expr(expression))
    }

    /// The statement behind a label; none is needed before `}`, and a declaration may stand there.
    fn labelled(&mut self) -> Parse<StmtId> {
        let span = self.span();
        if self.is(Punct::CloseBrace) {
            return Ok(self.stmt_node(StmtKind::Empty, span));
        }
        self.nested(Self::block_item)
    }

    /// The substatement of `if` and loops. Declarations cannot stand there, and it is a scope of its own.
    fn substatement(&mut self) -> Parse<StmtId> {
        self.statement()
    }

    /// A condition in parentheses.
    fn condition(&mut self) -> Parse<crate::ast::ExprId> {
        self.expect(Punct::OpenParen)?;
        let condition = self.expression()?;
        self.expect(Punct::CloseParen)?;
        Ok(condition)
    }

    /// `None` if the keyword does not start a statement.
    fn keyword_statement(&mut self, keyword: Keyword) -> Parse<Option<StmtKind>> {
        let known = matches!(
            keyword,
            Keyword::If
                | Keyword::While
                | Keyword::Do
                | Keyword::For
                | Keyword::Switch
                | Keyword::Case
                | Keyword::Default
                | Keyword::Goto
                | Keyword::Break
                | Keyword::Continue
                | Keyword::Return
                | Keyword::Asm
        );
        if !known {
            return Ok(None);
        }
        let start = self.span();
        self.advance();
        Ok(Some(match keyword {
            Keyword::If => {
                let condition = self.condition()?;
                let then = self.substatement()?;
                let otherwise =
                    if self.eat_keyword(Keyword::Else) { Some(self.substatement()?) } else { None };
                StmtKind::If(condition, then, otherwise)
            }
            Keyword::While => {
                let condition = self.condition()?;
                let contract = self.cprover_clauses()?;
                let kind = StmtKind::While(condition, self.substatement()?);
                self.contracted(contract, kind, start)
            }
            Keyword::Do => {
                let contract = self.cprover_clauses()?;
                let body = self.substatement()?;
                if !self.eat_keyword(Keyword::While) {
                    return Err(self.unexpected("`while`"));
                }
                let condition = self.condition()?;
                self.expect(Punct::Semicolon)?;
                self.contracted(contract, StmtKind::DoWhile(body, condition), start)
            }
            Keyword::For => self.for_statement()?,
            Keyword::Switch => {
                let subject = self.condition()?;
                StmtKind::Switch(subject, self.substatement()?)
            }
            Keyword::Case => {
                let first = self.conditional()?;
                let last = if self.eat(Punct::Ellipsis) { Some(self.conditional()?) } else { None };
                self.expect(Punct::Colon)?;
                StmtKind::Case(first, last, self.labelled()?)
            }
            Keyword::Default => {
                self.expect(Punct::Colon)?;
                StmtKind::Default(self.labelled()?)
            }
            Keyword::Goto => {
                let kind = if self.eat(Punct::Star) {
                    StmtKind::ComputedGoto(self.expression()?)
                } else {
                    StmtKind::Goto(self.name()?.0)
                };
                self.expect(Punct::Semicolon)?;
                kind
            }
            Keyword::Break | Keyword::Continue => {
                self.expect(Punct::Semicolon)?;
                if keyword == Keyword::Break { StmtKind::Break } else { StmtKind::Continue }
            }
            Keyword::Return => {
                let value = if self.is(Punct::Semicolon) { None } else { Some(self.expression()?) };
                self.expect(Punct::Semicolon)?;
                StmtKind::Return(value)
            }
            _ => {
                let mut jumps = false;
                while let Some(
                    qualifier @ (Keyword::Volatile | Keyword::Inline | Keyword::Goto | Keyword::Const),
                ) = self.keyword()
                {
                    jumps |= qualifier == Keyword::Goto;
                    self.advance();
                }
                self.asm_statement(jumps)?
            }
        }))
    }

    fn for_statement(&mut self) -> Parse<StmtKind> {
        let start = self.expect(Punct::OpenParen)?;
        self.open_scope();
        let span = self.span();
        let first = if self.starts_type_at(0) {
            self.declaration_statement()?
        } else {
            let kind =
                if self.is(Punct::Semicolon) { StmtKind::Empty } else { StmtKind::Expr(self.expression()?) };
            self.expect(Punct::Semicolon)?;
            self.stmt_node(kind, span)
        };
        let condition = if self.is(Punct::Semicolon) { None } else { Some(self.expression()?) };
        self.expect(Punct::Semicolon)?;
        let step = if self.is(Punct::CloseParen) { None } else { Some(self.expression()?) };
        self.expect(Punct::CloseParen)?;
        let contract = self.cprover_clauses()?;
        let body = self.substatement()?;
        self.close_scope();
        Ok(self.contracted(contract, StmtKind::For(first, condition, step, body), start))
    }

    /// `//@ assert e;`; other annotations state nothing here, and are remembered as not understood.
    fn annotation(&mut self) -> Parse<StmtKind> {
        if self.annotation_word() != Some("assert") {
            let what =
                format!("`{}` as an annotation of a statement", self.annotation_word().unwrap_or("this"));
            let span = self.span();
            self.skip_annotation();
            self.ast.strange_annotations.push((span, what));
            return Ok(StmtKind::Empty);
        }
        Ok(self.assertion().map_or(StmtKind::Empty, StmtKind::Assert))
    }
}
