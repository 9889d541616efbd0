//! The parser: recursive descent over declarations, explicit stacks for expressions and statements.
//!
//! Requires a text of less than 4 GiB. Guarantees to end without panic on every input, in linear time and
//! memory; only types are parsed with the host's stack, and they may be nested [`types::MAX_DEPTH`] deep.
//! After an error it goes on at the next declaration, so that one run shows several mistakes.

mod attributes;
mod declarations;
mod expressions;
mod statements;
mod types;

use crate::ast::{Ast, BinderId, Expr, ExprId, ExprKind, Ident};
use crate::features::{Feature, Unsupported};
use crate::lexer::Lexer;
use crate::symbols::{Symbol, Symbols};
use crate::tokens::{Token, TokenKind};
use base::ids::PackedOption;
use base::{Diagnostic, FileId, PrimaryMap, SecondaryMap, Span};

/// What a file says, as far as it could be read.
pub struct Parsed<'a> {
    /// The tree; declarations with mistakes are missing.
    pub ast: Ast<'a>,
    /// The mistakes, in the order of the text.
    pub errors: Vec<Diagnostic>,
    /// Constructs that were recognised and skipped.
    pub unsupported: Vec<Unsupported>,
}

/// Parses a file.
pub fn parse<'a>(file: FileId, text: &'a str) -> Parsed<'a> {
    parse_all(&[(file, text)])
}

/// Parses the files of one program.
pub fn parse_all<'a>(files: &[(FileId, &'a str)]) -> Parsed<'a> {
    let ast = Ast {
        files: files.to_vec(),
        symbols: Symbols::default(),
        exprs: PrimaryMap::new(),
        types: PrimaryMap::new(),
        statements: PrimaryMap::new(),
        binders: PrimaryMap::new(),
        declarations: Vec::new(),
    };
    let mut parsed = Parsed { ast, errors: Vec::new(), unsupported: Vec::new() };
    for &(file, text) in files {
        let mut parser = Parser::new(file, text, parsed);
        parser.file();
        parsed = Parsed { ast: parser.ast, errors: parser.errors, unsupported: parser.unsupported };
    }
    parsed
}

/// A mistake was found and put on the list.
struct Reported;

type Parse<T> = Result<T, Reported>;

struct Parser<'a> {
    file: FileId,
    source: &'a str,
    lexer: Lexer<'a>,
    token: Token,
    ahead: Option<Token>,
    /// The end of the token before the current one.
    last_end: u32,
    ast: Ast<'a>,
    errors: Vec<Diagnostic>,
    unsupported: Vec<Unsupported>,
    /// The quantified variable that a name means at this point.
    bound: SecondaryMap<Symbol, PackedOption<BinderId>>,
    /// How many braces of the current declaration are open.
    brace_depth: i64,
    /// How many `old` are open.
    old_depth: u32,
    /// The stack of the expression parser, kept for its memory.
    frames: Vec<expressions::Frame>,
}

impl<'a> Parser<'a> {
    /// Reads a file after what was read of others.
    fn new(file: FileId, text: &'a str, before: Parsed<'a>) -> Parser<'a> {
        let mut lexer = Lexer::new(text);
        let token = lexer.next_token();
        let Parsed { ast, errors, unsupported } = before;
        Parser {
            file,
            source: text,
            lexer,
            token,
            ahead: None,
            last_end: 0,
            ast,
            errors,
            unsupported,
            bound: SecondaryMap::new(),
            brace_depth: 0,
            old_depth: 0,
            frames: Vec::new(),
        }
    }

    fn span(&self, token: Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    /// From `start` to the end of the last token that was taken.
    fn span_from(&self, start: u32) -> Span {
        Span::new(self.file, start, self.last_end.max(start))
    }

    fn text(&self, token: Token) -> &'a str {
        &self.source[token.start as usize..token.end as usize]
    }

    fn bump(&mut self) -> Token {
        let token = self.token;
        self.last_end = token.end;
        match token.kind {
            TokenKind::LeftBrace => self.brace_depth += 1,
            TokenKind::RightBrace => self.brace_depth -= 1,
            _ => {}
        }
        self.token = self.ahead.take().unwrap_or_else(|| self.lexer.next_token());
        token
    }

    fn peek(&mut self) -> TokenKind {
        self.ahead.get_or_insert_with(|| self.lexer.next_token()).kind
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    /// Whether the current token is this word, which is reserved only where it makes sense.
    fn at_word(&self, word: &str) -> bool {
        self.at(TokenKind::Identifier) && self.text(self.token) == word
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind) -> Parse<Token> {
        if self.at(kind) { Ok(self.bump()) } else { Err(self.unexpected(kind.describe())) }
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.errors.push(diagnostic);
        Reported
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(span, message))
    }

    fn unsupported(&mut self, feature: Feature, span: Span) {
        self.unsupported.push(Unsupported { feature, span });
    }

    /// The current token is not what the grammar wants.
    fn unexpected(&mut self, wanted: &str) -> Reported {
        let found = self.found();
        let mut span = self.span(self.token);
        let between = &self.source[self.last_end as usize..self.token.start as usize];
        if wanted == TokenKind::Semicolon.describe() && between.contains('\n') {
            // What is missing at the end of a line is shown there.
            span = Span::new(self.file, self.last_end, self.last_end);
        }
        let wanted = format!("expected {wanted}");
        self.report(Diagnostic::error(span, format!("{wanted}, found {found}")).label(wanted))
    }

    fn found(&self) -> String {
        match self.token.kind {
            TokenKind::Identifier => format!("identifier `{}`", self.text(self.token)),
            TokenKind::Unknown => format!("unknown character `{}`", self.text(self.token)),
            TokenKind::Unterminated if self.text(self.token).starts_with('"') => {
                "an unterminated string".to_owned()
            }
            TokenKind::Unterminated => "an unterminated comment".to_owned(),
            kind => kind.describe().to_owned(),
        }
    }

    fn symbol(&mut self, token: Token) -> Symbol {
        let text = self.text(token);
        // The backslash only says that a reserved word is meant as a name.
        let name = match text.strip_prefix('\\') {
            Some(rest) if TokenKind::keyword(rest).is_some() => rest,
            _ => text,
        };
        self.ast.symbols.intern(name)
    }

    fn ident(&mut self) -> Parse<Ident> {
        let token = self.expect(TokenKind::Identifier)?;
        Ok(Ident { symbol: self.symbol(token), span: self.span(token) })
    }

    /// One or more names, separated by commas.
    fn idents(&mut self) -> Parse<Vec<Ident>> {
        let mut idents = vec![self.ident()?];
        while self.eat(TokenKind::Comma) {
            idents.push(self.ident()?);
        }
        Ok(idents)
    }

    /// `<a, b>` or nothing.
    fn type_variables(&mut self) -> Parse<Vec<Ident>> {
        if !self.eat(TokenKind::Less) {
            return Ok(Vec::new());
        }
        let variables = self.idents()?;
        self.expect(TokenKind::Greater)?;
        Ok(variables)
    }

    fn push(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.ast.exprs.push(Expr { kind, span })
    }
}
