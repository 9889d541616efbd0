//! What annotations define and name, and C has no words for: predicates and logic functions, the type `integer`, ranges of
//! elements, and the states that `\at` and `P{L}` name (ACSL 1.17, sections 2.2 to 2.4 and 2.6).
//!
//! A range `a .. b` becomes a call of [`crate::contracts::RANGE`], and `P{L}(x)` becomes `\at(P(x), L)`, so that nothing behind
//! the parser has to know more kinds of expressions. Definitions by axioms or induction and those over several states are
//! not understood.

use super::{Parse, Parser, Word};
use crate::ast::{
    BaseWord, BasicWords, ExprId, ExprKind, LogicDefinition, Specifiers, SpecifiersId, TypeSpecifier,
};
use crate::contracts::{AT, RANGE};
use crate::lex::token::Punct;
use crate::parse::declarators::Naming;
use crate::symbols::Symbol;
use base::Span;

impl Parser<'_> {
    /// Whether an annotation defines predicates or logic functions.
    pub(super) fn defines_logic(&self) -> bool {
        matches!(self.annotation_word(), Some("predicate" | "logic"))
    }

    /// All definitions of an annotation.
    pub(super) fn logic_definitions(&mut self) -> Parse<()> {
        self.expect(Punct::AnnotationBegin)?;
        while !self.eat(Punct::AnnotationEnd) {
            self.logic_definition()?;
        }
        Ok(())
    }

    /// `predicate p(T x) = e;` or `logic T f(T x) = e;`
    fn logic_definition(&mut self) -> Parse<()> {
        let start = self.span();
        if self.eat_word("logic") {
            self.logic_type()?;
            while self.eat(Punct::Star) {}
        } else if !self.eat_word("predicate") {
            return Err(self.unexpected("`predicate` or `logic`"));
        }
        let (name, _) = self.name()?;
        // A definition over one state is about the state in which it is used.
        if self.state_labels()?.len() > 1 {
            return Err(self.unexpected("a definition over one state"));
        }
        self.open_scope();
        let mut parameters = Vec::new();
        if self.eat(Punct::OpenParen) {
            loop {
                self.logic_type()?;
                let declarator = self.declarator(Naming::Named)?;
                if let Some(name) = declarator.name {
                    self.declare(name, false);
                    parameters.push(name);
                }
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.expect(Punct::CloseParen)?;
        }
        self.expect(Punct::Assign)?;
        let body = self.expression()?;
        self.close_scope();
        self.expect(Punct::Semicolon)?;
        self.ast.logic.push(LogicDefinition { name, parameters, body, span: self.since(start) });
        Ok(())
    }

    /// A type of C, or `integer` or `boolean`.
    pub(super) fn logic_type(&mut self) -> Parse<SpecifiersId> {
        let span = self.span();
        let Word::Name(name) = self.word() else { return self.specifiers() };
        let base = match self.symbols.text(name) {
            _ if self.typedefs[name] => return self.specifiers(),
            "integer" => BaseWord::Integer,
            "boolean" => BaseWord::Bool,
            _ => return Err(self.unexpected("a type")),
        };
        self.advance();
        let words = BasicWords { base: Some(base), ..BasicWords::default() };
        Ok(self.ast.specifiers.push(Specifiers::of_type(TypeSpecifier::Basic(words), span)))
    }

    /// `{L1, L2}`, if it stands here.
    fn state_labels(&mut self) -> Parse<Vec<(Symbol, Span)>> {
        let mut labels = Vec::new();
        if self.eat(Punct::OpenBrace) {
            loop {
                labels.push(self.name()?);
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.expect(Punct::CloseBrace)?;
        }
        Ok(labels)
    }

    /// `P{L}(x)` and `P{L}`, for a `P` that an annotation has defined; nothing if it is something else.
    pub(super) fn logic_use(&mut self, name: Symbol) -> Parse<Option<ExprId>> {
        let defined = self.in_annotation && self.is_at(1, Punct::OpenBrace);
        if !defined || !self.ast.logic.iter().any(|definition| definition.name == name) {
            return Ok(None);
        }
        let start = self.span();
        self.advance();
        let labels = self.state_labels()?;
        let &[(label, span)] = &labels[..] else { return Err(self.unexpected("one state")) };
        let function = self.expr_node(ExprKind::Name(name), start);
        let mut used = function;
        if self.eat(Punct::OpenParen) {
            let mut arguments = vec![self.assignment()?];
            while self.eat(Punct::Comma) {
                arguments.push(self.assignment()?);
            }
            self.expect(Punct::CloseParen)?;
            used = self.expr_node(ExprKind::Call(function, arguments), self.since(start));
        }
        let at = self.word_node(AT, start);
        let label = self.expr_node(ExprKind::Name(label), span);
        Ok(Some(self.expr_node(ExprKind::Call(at, vec![used, label]), self.since(start))))
    }

    /// The rest of `a .. b`, behind `a`; `a` itself if it is no range.
    pub(super) fn range_from(&mut self, low: ExprId, start: Span) -> Parse<ExprId> {
        if !self.in_annotation || !self.eat(Punct::DotDot) {
            return Ok(low);
        }
        let high = self.expression()?;
        let range = self.word_node(RANGE, start);
        Ok(self.expr_node(ExprKind::Call(range, vec![low, high]), self.since(start)))
    }

    /// A word of annotations that the parser knows by itself.
    pub(super) fn word_node(&mut self, word: &str, span: Span) -> ExprId {
        let name = self.symbols.get(word).expect("the parser has interned its words");
        self.expr_node(ExprKind::Name(name), span)
    }
}
