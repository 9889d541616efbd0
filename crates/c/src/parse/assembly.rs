//! `asm` statements (GNU C), as far as the rules of compilers say what they leave alone.
//!
//! An empty text does nothing, nor do instructions that only hold the machine up. Any other text with operands may change its
//! outputs, and memory only if its clobbers say so ("memory"): its outputs get arbitrary values, by a call of [`OUTPUT`], which
//! is marked. What has no operands, changes memory, or may jump, is not understood.

use super::{Parse, Parser};
use crate::ast::{AsmEffect, ExprKind, StmtKind};
use crate::lex::token::{Punct, Token, TokenKind};

/// What an output is assigned: an arbitrary number of its type.
pub(crate) const OUTPUT: &str = "__unreach_asm_output";

/// Instructions that change nothing that a program of C can see.
const IDLE: &[&str] =
    &["nop", "pause", "rep; nop", "rep;nop", "rep nop", "mfence", "lfence", "sfence", "yield"];

/// What operands may consist of that change nothing when they are evaluated.
const QUIET: &[Punct] = &[
    Punct::And,
    Punct::Arrow,
    Punct::CloseBracket,
    Punct::CloseParen,
    Punct::Colon,
    Punct::Comma,
    Punct::Dot,
    Punct::Minus,
    Punct::OpenBracket,
    Punct::OpenParen,
    Punct::Plus,
    Punct::ShiftLeft,
    Punct::ShiftRight,
    Punct::Star,
    Punct::Tilde,
];

impl Parser<'_> {
    /// The statement behind `asm` and its qualifiers, with its parentheses and `;`.
    pub(super) fn asm_statement(&mut self, may_jump: bool) -> Parse<StmtKind> {
        let start = self.next + 1;
        let inside = self.skip_parentheses()?;
        self.expect(Punct::Semicolon)?;
        let effect = self.asm_effect(inside);
        let outputs = if effect == AsmEffect::Unknown && !may_jump { self.asm_outputs(inside) } else { None };
        let Some(outputs) = outputs else { return Ok(StmtKind::Asm(effect)) };
        let behind = self.next;
        let mut statements = Vec::new();
        let Some(name) = self.symbols.get(OUTPUT) else { return Ok(StmtKind::Asm(effect)) };
        for position in outputs {
            self.next = start + position;
            let place = self.expression()?;
            let span = self.ast.exprs[place].span;
            let function = self.expr_node(ExprKind::Name(name), span);
            let any = self.expr_node(ExprKind::Call(function, vec![place]), span);
            let assigned = self.expr_node(ExprKind::Assign(None, place, any), span);
            statements.push(self.stmt_node(StmtKind::Expr(assigned), span));
        }
        self.next = behind;
        Ok(StmtKind::Block(statements))
    }

    /// Where the expressions of its outputs begin; nothing if it may change anything else, or if its inputs do something.
    fn asm_outputs(&self, inside: &[Token]) -> Option<Vec<usize>> {
        let mut parts = vec![Vec::new()];
        let mut depth = 0usize;
        for (position, token) in inside.iter().enumerate() {
            match token.kind {
                TokenKind::Punct(Punct::OpenParen | Punct::OpenBracket) => depth += 1,
                TokenKind::Punct(Punct::CloseParen | Punct::CloseBracket) => depth = depth.checked_sub(1)?,
                TokenKind::Punct(Punct::Colon) if depth == 0 => parts.push(Vec::new()),
                _ => {}
            }
            parts.last_mut()?.push((position, depth));
        }
        let [_, outputs, rest @ ..] = &parts[..] else { return None };
        let clobbers = rest.get(1).map_or(&[][..], Vec::as_slice);
        let memory = clobbers
            .iter()
            .any(|&(at, _)| self.asm_text(&inside[at]).is_some_and(|text| text.contains("memory")));
        let plain = |&(at, _): &(usize, usize)| match inside[at].kind {
            TokenKind::Punct(punct) => QUIET.contains(&punct),
            // A name in front of a parenthesis is called.
            TokenKind::Name(_) => !matches!(
                inside.get(at + 1).map(|token| token.kind),
                Some(TokenKind::Punct(Punct::OpenParen))
            ),
            _ => true,
        };
        let inputs = rest.first().map_or(&[][..], Vec::as_slice);
        if (memory && !self.is_idle(inside))
            || rest.len() > 2
            || !inputs.iter().all(plain)
            || !outputs.iter().all(plain)
        {
            return None;
        }
        let opens = |&&(at, depth): &&(usize, usize)| {
            depth == 1 && inside[at].kind == TokenKind::Punct(Punct::OpenParen)
        };
        Some(outputs.iter().filter(opens).map(|&(at, _)| at + 1).collect())
    }

    /// Whether the text does nothing.
    fn is_idle(&self, inside: &[Token]) -> bool {
        let alone = inside.get(1).is_none_or(|token| token.kind == TokenKind::Punct(Punct::Colon));
        let text = inside.first().and_then(|token| self.asm_text(token)).filter(|_| alone);
        text.is_some_and(|text| {
            let text = text.trim_matches('"').trim_end_matches("\\n").trim();
            text.is_empty() || IDLE.contains(&text.to_ascii_lowercase().as_str())
        })
    }

    fn asm_text(&self, token: &Token) -> Option<&str> {
        match token.kind {
            TokenKind::Text(text) => Some(self.symbols.text(text)),
            _ => None,
        }
    }

    /// An output that is an input as well (`"+r"(x)`) keeps its value where the text is empty; one that is not may have any. Only names
    /// count here: to read anything else may fail.
    fn asm_effect(&self, inside: &[Token]) -> AsmEffect {
        let keeps = |position: usize| {
            matches!(inside.get(position + 1..position + 4), Some([open, name, close])
                if open.kind == TokenKind::Punct(Punct::OpenParen)
                    && matches!(name.kind, TokenKind::Name(_))
                    && close.kind == TokenKind::Punct(Punct::CloseParen))
        };
        let changes = |(position, token): (usize, &Token)| {
            let constraint = self.asm_text(token).unwrap_or_default();
            constraint.contains('=') || (constraint.contains('+') && !keeps(position))
        };
        if self.is_idle(inside) && !inside.iter().enumerate().any(changes) {
            AsmEffect::Barrier
        } else {
            AsmEffect::Unknown
        }
    }
}
