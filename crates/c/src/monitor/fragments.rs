//! Texts of the monitor as parts of the syntax tree.

use super::names;
use crate::ast::{
    Ast, DeclaratorPart, Expr, ExprId, ExprKind, Item, Specifiers, StmtId, StmtKind, TypeSpecifier,
};
use crate::lex::Lexer;
use crate::lex::token::{Token, TokenKind};
use crate::parse;
use crate::symbols::{Symbol, Symbols};
use base::{Diagnostic, EntityRef, SourceMap};

/// Reads texts into a syntax tree.
pub(super) struct Fragments<'a> {
    pub(super) ast: &'a mut Ast,
    pub(super) sources: &'a mut SourceMap,
    pub(super) symbols: &'a mut Symbols,
    typedefs: Vec<Symbol>,
    hole: Symbol,
}

impl<'a> Fragments<'a> {
    pub(super) fn new(
        ast: &'a mut Ast,
        sources: &'a mut SourceMap,
        symbols: &'a mut Symbols,
    ) -> Fragments<'a> {
        let typedefs = ast.typedefs();
        let hole = symbols.intern(names::HOLE);
        Fragments { ast, sources, symbols, typedefs, hole }
    }

    fn tokens(&mut self, name: &str, text: &str) -> Result<Vec<Token>, Diagnostic> {
        let file = self.sources.add(name, text);
        let mut lexer = Lexer::new(file);
        let mut tokens = Vec::new();
        loop {
            let token = lexer.next(text, self.symbols)?;
            tokens.push(token);
            if token.kind == TokenKind::End {
                return Ok(tokens);
            }
        }
    }

    /// Checks that a text is an expression without side effects.
    pub(super) fn check_expression(&mut self, name: &str, text: &str) -> Result<(), Diagnostic> {
        let tokens = self.tokens(name, text)?;
        let before = self.ast.exprs.len();
        parse::expression(&tokens, self.symbols, &self.typedefs, self.ast)?;
        for index in before..self.ast.exprs.len() {
            let expr = &self.ast.exprs[ExprId::new(index)];
            let effect = match expr.kind {
                ExprKind::Assign(..) | ExprKind::Increment { .. } => "an assignment",
                ExprKind::Call(..) => "a call",
                ExprKind::StatementExpr(_) | ExprKind::CompoundLiteral(..) => "a statement or an object",
                ExprKind::VaArg(..) => "`va_arg`",
                _ => continue,
            };
            return Err(Diagnostic::error(
                expr.span,
                format!("{effect} in an expression that must not have side effects"),
            ));
        }
        Ok(())
    }

    /// A statement of the monitor.
    pub(super) fn statement(&mut self, name: &str, text: &str) -> Result<StmtId, Diagnostic> {
        let tokens = self.tokens(name, text)?;
        parse::statement(&tokens, self.symbols, &self.typedefs, self.ast)
    }

    /// Puts a text around an expression; the text names it [`names::HOLE`].
    pub(super) fn wrap(&mut self, name: &str, text: &str, around: ExprId) -> Result<(), Diagnostic> {
        let tokens = self.tokens(name, text)?;
        let before = self.ast.exprs.len();
        let root = parse::expression(&tokens, self.symbols, &self.typedefs, self.ast)?;
        self.fill(before, around);
        let kind = std::mem::replace(&mut self.ast.exprs[root].kind, ExprKind::Name(self.hole));
        self.ast.exprs[around].kind = kind;
        Ok(())
    }

    /// Puts a text around an expression, which comes to stand in every hole of the text.
    pub(super) fn wrap_everywhere(
        &mut self,
        name: &str,
        text: &str,
        around: ExprId,
    ) -> Result<(), Diagnostic> {
        let tokens = self.tokens(name, text)?;
        let before = self.ast.exprs.len();
        let root = parse::expression(&tokens, self.symbols, &self.typedefs, self.ast)?;
        let (kind, span) = (self.ast.exprs[around].kind.clone(), self.ast.exprs[around].span);
        for index in before..self.ast.exprs.len() {
            let expr = &mut self.ast.exprs[ExprId::new(index)];
            if matches!(expr.kind, ExprKind::Name(name) if name == self.hole) {
                *expr = Expr { kind: kind.clone(), span };
            }
        }
        let kind = std::mem::replace(&mut self.ast.exprs[root].kind, ExprKind::Name(self.hole));
        self.ast.exprs[around].kind = kind;
        Ok(())
    }

    /// Moves an expression into the hole of the nodes that were added since there were `before` of them. A `typeof` of
    /// the hole shares the node, which it does not evaluate.
    pub(super) fn fill(&mut self, before: usize, from: ExprId) {
        let span = self.ast.exprs[from].span;
        let old = std::mem::replace(&mut self.ast.exprs[from].kind, ExprKind::Name(self.hole));
        let is_hole = |expr: &Expr| matches!(expr.kind, ExprKind::Name(name) if name == self.hole);
        let new = (before..self.ast.exprs.len()).map(ExprId::new);
        let holes: Vec<ExprId> = new.filter(|&id| is_hole(&self.ast.exprs[id])).collect();
        let &filled = holes.last().expect("every text that is put around something names it");
        self.ast.exprs[filled].kind = old;
        self.ast.exprs[filled].span = span;
        for specifiers in self.ast.specifiers.values_mut() {
            if let TypeSpecifier::TypeofExpr(expr) = &mut specifiers.ty
                && holes.contains(expr)
            {
                *expr = filled;
            }
        }
    }

    /// Gives the variable that a block declares first the type that a function returns; false if that type cannot be
    /// said twice.
    pub(super) fn declare_like_result(&mut self, block: StmtId, function: usize) -> bool {
        let Item::Function(function) = &self.ast.items[function] else { return false };
        let [DeclaratorPart::Function(_), more @ ..] = &function.declarator.parts[..] else { return false };
        let pointers = more.iter().all(|part| matches!(part, DeclaratorPart::Pointer { .. }));
        let specifiers = &self.ast.specifiers[function.specifiers];
        let ty = match &specifiers.ty {
            TypeSpecifier::Basic(words) => TypeSpecifier::Basic(*words),
            TypeSpecifier::Named(name, span) => TypeSpecifier::Named(*name, *span),
            _ => return false,
        };
        let (attributes, span, qualified) = (specifiers.attributes, specifiers.span, specifiers.qualified);
        let parts = more
            .iter()
            .map(|_| DeclaratorPart::Pointer { constant: false, volatile: false, atomic: false })
            .collect();
        let own = Specifiers { attributes, qualified, ..Specifiers::of_type(ty, span) };
        let own = self.ast.specifiers.push(own);
        let StmtKind::Block(statements) = &self.ast.stmts[block].kind else { return false };
        let Some(&first) = statements.first() else { return false };
        let StmtKind::Declaration(declaration) = &mut self.ast.stmts[first].kind else { return false };
        declaration.specifiers = own;
        if let Some(item) = declaration.declarators.first_mut() {
            item.declarator.parts = parts;
        }
        pointers
    }
}
