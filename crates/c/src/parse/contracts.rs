//! The clauses of contracts: those of CBMC, which stand behind a declarator or the head of a loop, and those of ACSL
//! (Frama-C's specification language), which stand in a comment before it. Those of ESBMC are calls, which
//! [`crate::contracts`] finds. All become [`Clause`]s.
//!
//! An annotation that is not understood is no error, as it is a comment to everybody else: it is remembered, and who
//! asks for contracts is told.

use super::{Parse, Parser, Word};
use crate::ast::{
    Clause, ClauseKind, Declaration, ExprId, ExprKind, InitDeclarator, LogicalOp, Notation, QuantifierKind,
    StmtId, StmtKind, Target, UnaryOp,
};
use crate::lex::token::{Punct, TokenKind};
use crate::parse::declarators::Naming;
use crate::symbols::Symbol;
use base::Span;

/// How the clauses of CBMC are called.
const CPROVER: &[&str] = &[
    "__CPROVER_requires",
    "__CPROVER_ensures",
    "__CPROVER_assigns",
    "__CPROVER_frees",
    "__CPROVER_loop_invariant",
    "__CPROVER_decreases",
];

/// A `behavior` of ACSL while its clauses are read.
#[derive(Clone, Default)]
struct Behavior {
    /// Its name; none outside of behaviors.
    name: Option<Symbol>,
    /// Under what conditions it counts.
    assumes: Vec<ExprId>,
}

impl Parser<'_> {
    fn name_text(&self) -> Option<&str> {
        match self.token().kind {
            TokenKind::Name(name) => Some(self.symbols.text(name)),
            _ => None,
        }
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.name_text() == Some(word);
        self.next += usize::from(found);
        found
    }

    /// Whether a clause of CBMC begins here.
    pub(super) fn starts_clause(&self) -> bool {
        self.is_at(1, Punct::OpenParen) && self.name_text().is_some_and(|name| CPROVER.contains(&name))
    }

    /// All clauses of CBMC that stand here.
    pub(super) fn cprover_clauses(&mut self) -> Parse<Vec<Clause>> {
        let mut clauses = Vec::new();
        while self.starts_clause() {
            clauses.push(self.cprover_clause()?);
        }
        Ok(clauses)
    }

    /// A clause of CBMC.
    pub(super) fn cprover_clause(&mut self) -> Parse<Clause> {
        let start = self.span();
        let word = self.name_text().unwrap_or_default().to_owned();
        self.advance();
        self.expect(Punct::OpenParen)?;
        let kind = match word.as_str() {
            "__CPROVER_requires" => ClauseKind::Requires(self.expression()?),
            "__CPROVER_ensures" => ClauseKind::Ensures(self.expression()?),
            "__CPROVER_loop_invariant" => ClauseKind::Invariant(self.expression()?),
            "__CPROVER_decreases" => {
                let mut measures = vec![self.assignment()?];
                while self.eat(Punct::Comma) {
                    measures.push(self.assignment()?);
                }
                ClauseKind::Decreases(measures)
            }
            "__CPROVER_frees" => ClauseKind::Frees(self.cprover_targets()?),
            _ => ClauseKind::Assigns(self.cprover_targets()?),
        };
        self.expect(Punct::CloseParen)?;
        Ok(Clause { notation: Notation::Cprover, kind, span: self.since(start) })
    }

    /// `c : a, b; d`: groups of targets, each with its condition.
    fn cprover_targets(&mut self) -> Parse<Vec<Target>> {
        let mut targets = Vec::new();
        while !self.is(Punct::CloseParen) {
            if self.eat(Punct::Semicolon) {
                continue;
            }
            let mut condition = None;
            let mut first = self.conditional()?;
            if self.eat(Punct::Colon) {
                condition = Some(first);
                first = self.conditional()?;
            }
            targets.push(Target { condition, place: first });
            while self.eat(Punct::Comma) {
                targets.push(Target { condition, place: self.conditional()? });
            }
            if !self.is(Punct::CloseParen) {
                self.expect(Punct::Semicolon)?;
            }
        }
        Ok(targets)
    }

    /// A loop with its clauses, if it has some.
    pub(super) fn contracted(&mut self, contract: Vec<Clause>, kind: StmtKind, span: Span) -> StmtKind {
        if contract.is_empty() {
            return kind;
        }
        let inner = self.stmt_node(kind, span);
        StmtKind::Contracted(contract, inner)
    }

    /// The word that an annotation begins with.
    pub(super) fn annotation_word(&self) -> Option<&str> {
        match self.token_at(1).kind {
            TokenKind::Name(name) => Some(self.symbols.text(name)),
            _ => None,
        }
    }

    /// Whether an annotation is about the loop or statement that follows.
    pub(super) fn annotates_statement(&self) -> bool {
        matches!(self.annotation_word(), Some("loop" | "requires" | "ensures"))
    }

    /// A loop or statement behind its annotation.
    pub(super) fn annotated_statement(&mut self) -> Parse<StmtId> {
        let of_loop = self.annotation_word() == Some("loop");
        let clauses = self.annotation_clauses();
        if !of_loop && (self.starts_type_at(0) || self.is(Punct::CloseBrace)) {
            let span = self.span();
            self.ast.strange_annotations.push((span, "a contract of a declaration in a function".to_owned()));
            return Ok(self.stmt_node(StmtKind::Empty, span));
        }
        let inner = self.statement()?;
        let span = self.ast.stmts[inner].span;
        let stmt = match &mut self.ast.stmts[inner].kind {
            StmtKind::Contracted(more, _) if of_loop => {
                more.splice(0..0, clauses);
                return Ok(inner);
            }
            StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For(..) => inner,
            // Perhaps a clause that is a statement, behind which the loop stands.
            StmtKind::Expr(_) => inner,
            _ if !of_loop => inner,
            _ => {
                let what = "a loop annotation that no loop follows".to_owned();
                self.ast.strange_annotations.push((span, what));
                return Ok(inner);
            }
        };
        Ok(self.stmt_node(StmtKind::Contracted(clauses, stmt), span))
    }

    /// An annotation between declarations: a contract for the next one, or something else.
    pub(super) fn global_annotation(&mut self) -> Parse<()> {
        match self.annotation_word() {
            Some("ghost") => self.skip_annotation(),
            Some("assert") => {
                let span = self.span();
                self.skip_annotation();
                self.ast.strange_annotations.push((span, "an assertion outside of a function".to_owned()));
            }
            _ if self.defines_logic() => {
                self.understood(Self::logic_definitions);
            }
            Some(word @ ("axiomatic" | "lemma" | "global" | "inductive")) => {
                let what = format!("`{word}` of ACSL");
                let span = self.span();
                self.skip_annotation();
                self.ast.strange_annotations.push((span, what));
            }
            _ => {
                let clauses = self.annotation_clauses();
                self.contract.extend(clauses);
            }
        }
        Ok(())
    }

    /// The clauses of an annotation; if it is not understood, that is remembered.
    fn annotation_clauses(&mut self) -> Vec<Clause> {
        self.understood(Self::acsl_clauses).unwrap_or_default()
    }

    /// The condition of `//@ assert e;`. One that is not understood is remembered: it cannot be shown.
    pub(super) fn assertion(&mut self) -> Option<ExprId> {
        let read = self.read_annotation(|parser| {
            parser.advance();
            parser.advance();
            let condition = parser.expression()?;
            parser.eat(Punct::Semicolon);
            parser.expect(Punct::AnnotationEnd)?;
            Ok(condition)
        });
        read.map_err(|(span, what)| {
            let what = format!("an assertion in an annotation that is not understood ({what})");
            self.ast.unread_assertions.push((span, what));
        })
        .ok()
    }

    /// What an annotation says; nothing if it is not understood, which is remembered.
    fn understood<T>(&mut self, read: fn(&mut Self) -> Parse<T>) -> Option<T> {
        let read = self.read_annotation(read);
        read.map_err(|(span, what)| {
            let what = format!("an annotation that is not understood ({what})");
            self.ast.strange_annotations.push((span, what));
        })
        .ok()
    }

    /// What an annotation says; where it is not understood, it is skipped.
    fn read_annotation<T>(&mut self, read: fn(&mut Self) -> Parse<T>) -> Result<T, (Span, String)> {
        let (mark, start, depth, scopes) = (self.next, self.span(), self.depth, self.shadowed.len());
        self.in_annotation = true;
        let read = read(self);
        self.in_annotation = false;
        read.map_err(|mistake| {
            while self.shadowed.len() > scopes {
                self.close_scope();
            }
            (self.next, self.depth) = (mark, depth);
            self.skip_annotation();
            (start, mistake.message)
        })
    }

    /// A formula of a clause, perhaps with a name.
    fn named_formula(&mut self) -> Parse<ExprId> {
        if matches!(self.word(), Word::Name(_)) && self.is_at(1, Punct::Colon) {
            self.advance();
            self.advance();
        }
        self.expression()
    }

    /// `complete behaviors a, b;` and `disjoint behaviors a, b;`: what they say of the assumptions, if there is anything to say.
    fn behaviors_together(&mut self, word: &str, known: &[Behavior], start: Span) -> Parse<Option<ExprId>> {
        if !self.eat_word("behaviors") {
            return Err(self.unexpected("`behaviors`"));
        }
        let mut chosen = Vec::new();
        while let Word::Name(name) = self.word() {
            match known.iter().find(|behavior| behavior.name == Some(name)) {
                Some(behavior) => chosen.push(behavior.clone()),
                None => return Err(self.unexpected("a behavior of this contract")),
            }
            self.advance();
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        if chosen.is_empty() {
            chosen = known.to_vec();
        }
        let span = self.since(start);
        let holds: Vec<ExprId> = chosen.iter().map(|behavior| self.all_of(&behavior.assumes, span)).collect();
        let mut parts = Vec::new();
        if word == "complete" {
            parts.push(self.joined(LogicalOp::Or, &holds, span));
        } else {
            for (index, &one) in holds.iter().enumerate() {
                for &other in &holds[index + 1..] {
                    let both = self.expr_node(ExprKind::Logical(LogicalOp::And, one, other), span);
                    parts.push(Some(self.expr_node(ExprKind::Unary(UnaryOp::Not, both), span)));
                }
            }
        }
        let parts: Vec<ExprId> = parts.into_iter().flatten().collect();
        Ok(self.joined(LogicalOp::And, &parts, span))
    }

    /// All of some formulas; true if there are none.
    fn all_of(&mut self, formulas: &[ExprId], span: Span) -> ExprId {
        match self.joined(LogicalOp::And, formulas, span) {
            Some(all) => all,
            None => self.word_node(crate::contracts::TRUE, span),
        }
    }

    fn joined(&mut self, op: LogicalOp, formulas: &[ExprId], span: Span) -> Option<ExprId> {
        let mut whole = None;
        for &formula in formulas {
            whole = Some(match whole {
                Some(before) => self.expr_node(ExprKind::Logical(op, before, formula), span),
                None => formula,
            });
        }
        whole
    }

    fn acsl_clauses(&mut self) -> Parse<Vec<Clause>> {
        self.expect(Punct::AnnotationBegin)?;
        let mut clauses = Vec::new();
        let mut behavior = Behavior::default();
        let mut behaviors: Vec<Behavior> = Vec::new();
        while !self.eat(Punct::AnnotationEnd) {
            let start = self.span();
            self.eat_word("loop");
            let Some(word) = self.name_text().map(str::to_owned) else {
                return Err(self.unexpected("a clause of a contract"));
            };
            self.advance();
            let kind = match word.as_str() {
                "requires" => {
                    let condition = self.named_formula()?;
                    ClauseKind::Requires(self.under(&behavior, condition, start))
                }
                "ensures" => {
                    let condition = self.named_formula()?;
                    ClauseKind::Ensures(self.under_old(&behavior, condition, start))
                }
                "invariant" => ClauseKind::Invariant(self.named_formula()?),
                "variant" | "decreases" => ClauseKind::Decreases(vec![self.expression()?]),
                "assigns" => ClauseKind::Assigns(self.acsl_targets(&behavior)?),
                "frees" => ClauseKind::Frees(self.acsl_targets(&behavior)?),
                "assumes" => {
                    let condition = self.named_formula()?;
                    self.expect(Punct::Semicolon)?;
                    behavior.assumes.push(condition);
                    if let Some(last) = behaviors.last_mut() {
                        last.assumes.push(condition);
                    }
                    continue;
                }
                "behavior" => {
                    let (name, _) = self.name()?;
                    self.expect(Punct::Colon)?;
                    behavior = Behavior { name: Some(name), assumes: Vec::new() };
                    behaviors.push(behavior.clone());
                    continue;
                }
                "complete" | "disjoint" => match self.behaviors_together(&word, &behaviors, start)? {
                    Some(condition) => ClauseKind::Entry(condition),
                    None => {
                        self.expect(Punct::Semicolon)?;
                        continue;
                    }
                },
                _ => return Err(self.unexpected(&format!("a clause that is known instead of `{word}`"))),
            };
            self.expect(Punct::Semicolon)?;
            clauses.push(Clause { notation: Notation::Acsl, kind, span: self.since(start) });
        }
        Ok(clauses)
    }

    /// What a behavior demands, where its assumptions hold.
    fn under(&mut self, behavior: &Behavior, condition: ExprId, start: Span) -> ExprId {
        let span = self.since(start);
        behavior.assumes.iter().fold(condition, |condition, &assumed| {
            self.expr_node(ExprKind::Logical(LogicalOp::Implies, assumed, condition), span)
        })
    }

    /// What a behavior guarantees, where its assumptions held at the call.
    fn under_old(&mut self, behavior: &Behavior, condition: ExprId, start: Span) -> ExprId {
        let span = self.since(start);
        let old = self.symbols.get(crate::contracts::OLD).expect("the parser has interned it");
        behavior.assumes.iter().fold(condition, |condition, &assumed| {
            let function = self.expr_node(ExprKind::Name(old), span);
            let assumed = self.expr_node(ExprKind::Call(function, vec![assumed]), span);
            self.expr_node(ExprKind::Logical(LogicalOp::Implies, assumed, condition), span)
        })
    }

    /// `a, *p, t[0 .. n]`, or `\nothing`.
    fn acsl_targets(&mut self, behavior: &Behavior) -> Parse<Vec<Target>> {
        let start = self.span();
        if self.eat_word("\\nothing") {
            return Ok(Vec::new());
        }
        let mut condition = None;
        for &assumed in &behavior.assumes {
            condition = Some(match condition {
                Some(before) => {
                    self.expr_node(ExprKind::Logical(LogicalOp::And, before, assumed), self.since(start))
                }
                None => assumed,
            });
        }
        let mut targets = Vec::new();
        loop {
            targets.push(Target { condition, place: self.conditional()? });
            if !self.eat(Punct::Comma) {
                return Ok(targets);
            }
        }
    }

    /// Which quantifier a name is here.
    pub(super) fn quantifier(&self, name: Symbol) -> Option<QuantifierKind> {
        let block = self.is_at(1, Punct::OpenBrace);
        match self.symbols.text(name) {
            "\\forall" => Some(QuantifierKind::Forall),
            "\\exists" => Some(QuantifierKind::Exists),
            "__CPROVER_forall" if block => Some(QuantifierKind::Forall),
            "__CPROVER_exists" if block => Some(QuantifierKind::Exists),
            _ => None,
        }
    }

    /// `\forall int i, j; e` or `__CPROVER_forall { int i; e }`
    pub(super) fn quantified(&mut self, kind: QuantifierKind) -> Parse<ExprId> {
        let start = self.span();
        self.advance();
        let block = self.eat(Punct::OpenBrace);
        self.open_scope();
        let specifiers = if self.in_annotation { self.logic_type()? } else { self.specifiers()? };
        let mut declarators = Vec::new();
        loop {
            let declarator = self.declarator(Naming::Named)?;
            if let Some(name) = declarator.name {
                self.declare(name, false);
            }
            declarators.push(InitDeclarator { declarator, init: None });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect(Punct::Semicolon)?;
        let body = self.expression()?;
        self.close_scope();
        if block {
            self.eat(Punct::Semicolon);
            self.expect(Punct::CloseBrace)?;
        }
        let declaration = Box::new(Declaration { specifiers, declarators });
        Ok(self.expr_node(ExprKind::Quantified(kind, declaration, body), self.since(start)))
    }
}
