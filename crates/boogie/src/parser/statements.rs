//! Statements, with an explicit stack of what is still open.

use super::{Parse, Parser};
use crate::ast::{
    Accessor, Attribute, Call, CallKind, Clause, ExprId, ExprKind, Statement, StatementId, StatementKind,
    StatementList, Target,
};
use crate::tokens::TokenKind;
use base::Span;

/// A structured statement that is still open, with the statements read so far.
struct Level {
    open: Open,
    span: Span,
    attributes: Vec<Attribute>,
    statements: Vec<StatementId>,
}

enum Open {
    /// The body of the procedure.
    Body,
    Then {
        condition: Option<ExprId>,
    },
    Else {
        condition: Option<ExprId>,
        then: StatementList,
        /// `else if`: no brace closes it, the inner `if` does.
        chained: bool,
    },
    While {
        condition: Option<ExprId>,
        invariants: Vec<Clause>,
    },
    Atomic,
}

impl Parser<'_> {
    /// The statements behind an opening brace, with the closing one.
    pub(super) fn statements(&mut self) -> Parse<StatementList> {
        let body = Level {
            open: Open::Body,
            span: self.span(self.token),
            attributes: Vec::new(),
            statements: Vec::new(),
        };
        let mut levels = vec![body];
        loop {
            let kind = self.token.kind;
            match kind {
                TokenKind::RightBrace => {
                    self.bump();
                    if let Some(all) = self.close_level(&mut levels)? {
                        return Ok(all);
                    }
                }
                TokenKind::If => {
                    let level = self.if_head()?;
                    levels.push(level);
                }
                TokenKind::While => {
                    let level = self.while_head()?;
                    levels.push(level);
                }
                TokenKind::Identifier if self.at_word("atomic") && self.peek() == TokenKind::LeftBrace => {
                    let span = self.span(self.token);
                    self.bump();
                    self.bump();
                    let (attributes, statements) = (Vec::new(), Vec::new());
                    levels.push(Level { open: Open::Atomic, span, attributes, statements });
                }
                _ => {
                    let start = self.token.start;
                    let mut attributes = Vec::new();
                    let kind = self.simple_statement(&mut attributes)?;
                    self.add(Statement { kind, span: self.span_from(start), attributes }, &mut levels);
                }
            }
        }
    }

    /// Adds a complete statement, and closes the `else if` that it completes.
    fn add(&mut self, statement: Statement, levels: &mut Vec<Level>) {
        let mut statement = self.ast.statements.push(statement);
        while let Some(level) = levels.pop() {
            let Level { open, span, attributes, mut statements } = level;
            statements.push(statement);
            match open {
                Open::Else { condition, then, chained: true } => {
                    let kind = StatementKind::If { condition, then, otherwise: Some(statements.into()) };
                    statement = self.ast.statements.push(Statement { kind, span, attributes });
                }
                open => return levels.push(Level { open, span, attributes, statements }),
            }
        }
    }

    /// Behind a closing brace. Gives the list if it was that of the body.
    fn close_level(&mut self, levels: &mut Vec<Level>) -> Parse<Option<StatementList>> {
        let Some(Level { open, span, attributes, statements }) = levels.pop() else { return Ok(None) };
        let statements: StatementList = statements.into();
        let kind = match open {
            Open::Body => return Ok(Some(statements)),
            Open::Then { condition } if self.eat(TokenKind::Else) => {
                let chained = self.at(TokenKind::If);
                if !chained {
                    self.expect(TokenKind::LeftBrace)?;
                }
                let open = Open::Else { condition, then: statements, chained };
                levels.push(Level { open, span, attributes, statements: Vec::new() });
                return Ok(None);
            }
            Open::Then { condition } => StatementKind::If { condition, then: statements, otherwise: None },
            Open::Else { condition, then, .. } => {
                StatementKind::If { condition, then, otherwise: Some(statements) }
            }
            Open::While { condition, invariants } => {
                StatementKind::While { condition, invariants: invariants.into(), body: statements }
            }
            Open::Atomic => StatementKind::Atomic(statements),
        };
        self.add(Statement { kind, span, attributes }, levels);
        Ok(None)
    }

    /// `(condition)` or `(*)`
    fn guard(&mut self) -> Parse<Option<ExprId>> {
        self.expect(TokenKind::LeftParen)?;
        let condition = if self.at(TokenKind::Star) && self.peek() == TokenKind::RightParen {
            self.bump();
            None
        } else {
            Some(self.expression()?)
        };
        self.expect(TokenKind::RightParen)?;
        Ok(condition)
    }

    fn if_head(&mut self) -> Parse<Level> {
        let start = self.bump().start;
        let attributes = self.attributes()?;
        let condition = self.guard()?;
        let span = self.span_from(start);
        self.expect(TokenKind::LeftBrace)?;
        Ok(Level { open: Open::Then { condition }, span, attributes, statements: Vec::new() })
    }

    fn while_head(&mut self) -> Parse<Level> {
        let start = self.bump().start;
        let attributes = self.attributes()?;
        let condition = self.guard()?;
        let span = self.span_from(start);
        let mut invariants = Vec::new();
        while self.at(TokenKind::Invariant) || self.at(TokenKind::Free) {
            let start = self.token.start;
            let free = self.eat(TokenKind::Free);
            self.expect(TokenKind::Invariant)?;
            invariants.push(self.clause(start, free)?);
        }
        self.expect(TokenKind::LeftBrace)?;
        Ok(Level { open: Open::While { condition, invariants }, span, attributes, statements: Vec::new() })
    }

    /// Attributes, formula and semicolon of a specification, an invariant or an axiom.
    pub(super) fn clause(&mut self, start: u32, free: bool) -> Parse<Clause> {
        let attributes = self.attributes()?;
        let condition = self.expression()?;
        let span = self.span_from(start);
        self.expect(TokenKind::Semicolon)?;
        Ok(Clause { free, condition, attributes, span })
    }

    fn simple_statement(&mut self, attributes: &mut Vec<Attribute>) -> Parse<StatementKind> {
        let kind = match self.token.kind {
            TokenKind::Identifier => return self.word_statement(attributes),
            TokenKind::Assert => {
                self.bump();
                *attributes = self.attributes()?;
                StatementKind::Assert(self.expression()?)
            }
            TokenKind::Assume => {
                self.bump();
                *attributes = self.attributes()?;
                StatementKind::Assume(self.expression()?)
            }
            TokenKind::Havoc => {
                self.bump();
                StatementKind::Havoc(self.idents()?.into())
            }
            TokenKind::Call => {
                self.bump();
                let kind = if self.at_word("async") && self.peek() == TokenKind::Identifier {
                    self.bump();
                    CallKind::Async
                } else {
                    CallKind::Plain
                };
                self.call(kind, attributes)?
            }
            TokenKind::Goto => {
                self.bump();
                StatementKind::Goto(self.idents()?.into())
            }
            TokenKind::Break => {
                self.bump();
                let label = if self.at(TokenKind::Identifier) { Some(self.ident()?) } else { None };
                StatementKind::Break(label)
            }
            TokenKind::Return => {
                self.bump();
                StatementKind::Return
            }
            _ => return Err(self.unexpected("a statement")),
        };
        self.expect(TokenKind::Semicolon)?;
        Ok(kind)
    }

    /// A statement that begins with a name: a label, an assignment, or a word of a dialect.
    fn word_statement(&mut self, attributes: &mut Vec<Attribute>) -> Parse<StatementKind> {
        let assigns = matches!(
            self.peek(),
            TokenKind::Colon
                | TokenKind::Assign
                | TokenKind::Comma
                | TokenKind::LeftBracket
                | TokenKind::Not
                | TokenKind::Arrow
        );
        let kind = match self.text(self.token) {
            _ if assigns => return self.label_or_assignment(),
            "fork" => {
                self.bump();
                let thread = self.expressions()?;
                let procedure = self.ident()?;
                self.expect(TokenKind::LeftParen)?;
                StatementKind::Fork(thread.into(), procedure, self.call_arguments()?.into())
            }
            "join" => {
                self.bump();
                let thread = self.expressions()?;
                let results = if self.eat_word("assign") { self.idents()? } else { Vec::new() };
                StatementKind::Join(thread.into(), results.into())
            }
            "atomic" => {
                self.bump();
                if self.eat_word("begin") {
                    StatementKind::AtomicBoundary(ir::Boundary::Begin)
                } else if self.eat_word("end") {
                    StatementKind::AtomicBoundary(ir::Boundary::End)
                } else {
                    return Err(self.unexpected("`{`, `begin` or `end`"));
                }
            }
            "yield" => {
                self.bump();
                StatementKind::Yield
            }
            "async" => {
                self.bump();
                self.eat(TokenKind::Call);
                self.call(CallKind::Async, attributes)?
            }
            "par" => {
                self.bump();
                self.eat(TokenKind::Call);
                *attributes = self.attributes()?;
                let mut calls = vec![self.plain_call(CallKind::Plain)?];
                while self.eat(TokenKind::Bar) {
                    calls.push(self.plain_call(CallKind::Plain)?);
                }
                StatementKind::Parallel(calls.into())
            }
            _ => return self.label_or_assignment(),
        };
        self.expect(TokenKind::Semicolon)?;
        Ok(kind)
    }

    fn label_or_assignment(&mut self) -> Parse<StatementKind> {
        if self.peek() == TokenKind::Colon {
            let label = self.ident()?;
            self.bump();
            return Ok(StatementKind::Label(label.symbol));
        }
        if self.peek() == TokenKind::LeftParen {
            return self.unpack();
        }
        let mut targets = vec![self.target()?];
        while self.eat(TokenKind::Comma) {
            targets.push(self.target()?);
        }
        self.expect(TokenKind::Assign)?;
        let values = self.expressions()?;
        self.expect(TokenKind::Semicolon)?;
        Ok(StatementKind::Assign(targets.into(), values.into()))
    }

    /// `constructor(targets) := value;`
    fn unpack(&mut self) -> Parse<StatementKind> {
        let constructor = self.ident()?;
        self.expect(TokenKind::LeftParen)?;
        let targets = if self.at(TokenKind::RightParen) { Vec::new() } else { self.idents()? };
        self.expect(TokenKind::RightParen)?;
        self.expect(TokenKind::Assign)?;
        let value = self.expression()?;
        self.expect(TokenKind::Semicolon)?;
        Ok(StatementKind::Unpack(constructor, targets.into(), value))
    }

    fn target(&mut self) -> Parse<Target> {
        let name = self.ident()?;
        let mut accessors = Vec::new();
        loop {
            if self.eat(TokenKind::LeftBracket) {
                let indices = self.expressions()?;
                self.expect(TokenKind::RightBracket)?;
                accessors.push(Accessor::Index(indices.into()));
            } else if self.eat(TokenKind::Not) {
                accessors.push(Accessor::Field(self.ident()?));
            } else if self.eat(TokenKind::Arrow) {
                accessors.push(Accessor::Arrow(self.ident()?));
            } else {
                return Ok(Target { name, accessors: accessors.into() });
            }
        }
    }

    /// One or more expressions, separated by commas.
    fn expressions(&mut self) -> Parse<Vec<ExprId>> {
        let mut expressions = vec![self.expression()?];
        while self.eat(TokenKind::Comma) {
            expressions.push(self.expression()?);
        }
        Ok(expressions)
    }

    /// Behind `call`, without the semicolon.
    fn call(&mut self, mut kind: CallKind, attributes: &mut Vec<Attribute>) -> Parse<StatementKind> {
        *attributes = self.attributes()?;
        if self.eat(TokenKind::Forall) {
            kind = CallKind::Forall;
        }
        Ok(StatementKind::Call(Box::new(self.plain_call(kind)?)))
    }

    /// `results := procedure(arguments)`
    fn plain_call(&mut self, kind: CallKind) -> Parse<Call> {
        let mut names = self.idents()?;
        if self.eat(TokenKind::Assign) {
            names.push(self.ident()?);
        } else if names.len() > 1 {
            return Err(self.unexpected("`:=`"));
        }
        self.expect(TokenKind::LeftParen)?;
        let arguments = self.call_arguments()?.into();
        let Some(procedure) = names.pop() else { return Err(self.unexpected("a procedure")) };
        Ok(Call { kind, results: names.into(), procedure, arguments })
    }

    /// Behind the opening parenthesis, with the closing one.
    fn call_arguments(&mut self) -> Parse<Vec<ExprId>> {
        let mut arguments = Vec::new();
        while !self.at(TokenKind::RightParen) {
            if self.at(TokenKind::Star) {
                let star = self.bump();
                let span = self.span(star);
                arguments.push(self.push(ExprKind::Wildcard, span));
            } else {
                arguments.push(self.expression()?);
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightParen)?;
        Ok(arguments)
    }
}
