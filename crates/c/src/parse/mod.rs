//! Tokens to the syntax tree: recursive descent over C11 (6.5 – 6.9) with the GNU forms that occur.
//!
//! What makes C context dependent is kept in one scoped table: whether a name is a typedef at this point.
//! The parser stops at the first error. It needs time linear in the tokens; the stack grows with the nesting of the
//! input up to [`MAX_DEPTH`] levels, after which a diagnostic says so.

pub(crate) mod assembly;
mod contracts;
mod declarations;
mod declarators;
mod expressions;
mod ghosts;
mod keywords;
mod logic;
mod statements;

use crate::ast::{Ast, Clause, Expr, ExprId, ExprKind, Stmt, StmtId, StmtKind};
use crate::lex::token::{Punct, Token, TokenKind};
use crate::symbols::{Symbol, Symbols};
use base::{Diagnostic, SecondaryMap, Span};
pub use declarators::merge as merge_attributes;
use keywords::Keyword;

/// How deep expressions, statements and declarators may be nested.
pub const MAX_DEPTH: u32 = 10_000;

/// How deep initialiser lists may be nested: they are trees of their own, not nodes of an arena.
const MAX_LISTS: u32 = 200;

type Parse<T> = Result<T, Diagnostic>;

/// Parses a translation unit. `tokens` must end with a token of kind [`TokenKind::End`].
pub fn parse(tokens: &[Token], symbols: &mut Symbols) -> Result<Ast, Diagnostic> {
    let with_ghosts;
    let tokens = match ghosts::has_ghosts(tokens, symbols) {
        true => {
            with_ghosts = ghosts::with_ghosts(tokens, symbols);
            &with_ghosts
        }
        false => tokens,
    };
    let mut parser = Parser::new(tokens, symbols, Ast::default());
    parser.translation_unit()?;
    Ok(parser.ast)
}

/// Parses an expression of its own, whose nodes join a tree. `typedefs` are the names of types in it.
pub fn expression(
    tokens: &[Token],
    symbols: &mut Symbols,
    typedefs: &[Symbol],
    ast: &mut Ast,
) -> Result<ExprId, Diagnostic> {
    fragment(tokens, symbols, typedefs, ast, Parser::expression)
}

/// Parses a statement of its own, whose nodes join a tree.
pub fn statement(
    tokens: &[Token],
    symbols: &mut Symbols,
    typedefs: &[Symbol],
    ast: &mut Ast,
) -> Result<StmtId, Diagnostic> {
    fragment(tokens, symbols, typedefs, ast, Parser::statement)
}

/// Parses declarations and functions of their own, which join a tree.
pub fn items(
    tokens: &[Token],
    symbols: &mut Symbols,
    typedefs: &[Symbol],
    ast: &mut Ast,
) -> Result<(), Diagnostic> {
    fragment(tokens, symbols, typedefs, ast, Parser::translation_unit)
}

fn fragment<'a, T>(
    tokens: &'a [Token],
    symbols: &'a mut Symbols,
    typedefs: &[Symbol],
    ast: &mut Ast,
    parse: impl FnOnce(&mut Parser<'a>) -> Parse<T>,
) -> Parse<T> {
    let mut parser = Parser::new(tokens, symbols, std::mem::take(ast));
    for &name in typedefs {
        parser.declare(name, true);
    }
    let parsed = parse(&mut parser).and_then(|parsed| match parser.token().kind {
        TokenKind::End => Ok(parsed),
        _ => Err(parser.unexpected("the end of the text")),
    });
    *ast = parser.ast;
    parsed
}

struct Parser<'a> {
    tokens: &'a [Token],
    next: usize,
    symbols: &'a Symbols,
    keywords: SecondaryMap<Symbol, Option<Keyword>>,
    ast: Ast,
    /// Whether a name is a typedef here.
    typedefs: SecondaryMap<Symbol, bool>,
    /// Per open scope, what to restore at its end.
    shadowed: Vec<Vec<(Symbol, bool)>>,
    depth: u32,
    /// How many initialiser lists are open.
    lists: u32,
    /// What `#pragma pack` says here, and what it said before each `push`.
    pack: Option<u8>,
    packs: Vec<Option<u8>>,
    /// The clauses of annotations for the declaration that follows.
    contract: Vec<Clause>,
    /// Whether an expression of an annotation is read, which has forms of its own.
    in_annotation: bool,
}

/// What a token is to the parser.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Keyword(Keyword),
    Name(Symbol),
    Other,
}

impl<'a> Parser<'a> {
    fn new(tokens: &'a [Token], symbols: &'a mut Symbols, ast: Ast) -> Parser<'a> {
        let keywords = keywords::table(symbols);
        for word in [
            crate::contracts::OLD,
            crate::contracts::AT,
            crate::contracts::RANGE,
            crate::contracts::TRUE,
            assembly::OUTPUT,
        ] {
            symbols.intern(word);
        }
        // A word of C23, which older programs may declare as something else.
        let mut typedefs = SecondaryMap::new();
        typedefs[symbols.intern("bool")] = true;
        Parser {
            tokens,
            next: 0,
            symbols,
            keywords,
            ast,
            typedefs,
            shadowed: vec![Vec::new()],
            depth: 0,
            lists: 0,
            pack: None,
            packs: Vec::new(),
            contract: Vec::new(),
            in_annotation: false,
        }
    }

    fn token(&self) -> Token {
        self.token_at(0)
    }

    /// The token `ahead` places further; the last token is `End` for ever.
    fn token_at(&self, ahead: usize) -> Token {
        self.tokens[(self.next + ahead).min(self.tokens.len() - 1)]
    }

    fn span(&self) -> Span {
        self.token().span
    }

    fn advance(&mut self) -> Token {
        let token = self.token();
        self.next += 1;
        token
    }

    fn word_of(&self, token: Token) -> Word {
        match token.kind {
            TokenKind::Name(name) => self.keywords[name].map_or(Word::Name(name), Word::Keyword),
            _ => Word::Other,
        }
    }

    fn word(&self) -> Word {
        self.word_of(self.token())
    }

    fn keyword(&self) -> Option<Keyword> {
        match self.word() {
            Word::Keyword(keyword) => Some(keyword),
            _ => None,
        }
    }

    /// The keyword that a token is.
    fn keyword_at(&self, at: usize) -> Option<Keyword> {
        match self.word_of(*self.tokens.get(at)?) {
            Word::Keyword(keyword) => Some(keyword),
            _ => None,
        }
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.keyword() == Some(keyword);
        self.next += usize::from(found);
        found
    }

    fn is(&self, punct: Punct) -> bool {
        self.token().kind == TokenKind::Punct(punct)
    }

    fn is_at(&self, ahead: usize, punct: Punct) -> bool {
        self.token_at(ahead).kind == TokenKind::Punct(punct)
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let found = self.is(punct);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, punct: Punct) -> Parse<Span> {
        let span = self.span();
        match self.eat(punct) {
            true => Ok(span),
            false => Err(self.unexpected(&format!("`{}`", punct.text()))),
        }
    }

    fn name(&mut self) -> Parse<(Symbol, Span)> {
        let span = self.span();
        match self.word() {
            Word::Name(name) => {
                self.next += 1;
                Ok((name, span))
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        let token = self.token();
        let found = match token.kind {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::Punct(punct) => format!("`{}`", punct.text()),
            TokenKind::Name(s) | TokenKind::Number(s) | TokenKind::Char(s) | TokenKind::Text(s) => {
                format!("`{}`", self.symbols.text(s))
            }
        };
        // What is missing is best shown behind the token before it, unless that is in another file.
        let span = match self.next.checked_sub(1).map(|i| self.tokens[i.min(self.tokens.len() - 1)].span) {
            Some(before) if expected == "`;`" && before.file == token.span.file => before.after(),
            _ => token.span,
        };
        Diagnostic::error(span, format!("expected {expected}, found {found}"))
    }

    /// The span from a start to the last token read. Text of another file (an include or macro) ends it early.
    fn since(&self, start: Span) -> Span {
        let last = self.tokens[self.next.saturating_sub(1).min(self.tokens.len() - 1)].span;
        if last.file == start.file && last.end >= start.start { start.to(last) } else { start }
    }

    /// Runs `f` one nesting level deeper.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("the program is nested more than {MAX_DEPTH} levels deep here");
            return Err(Diagnostic::error(self.span(), message));
        }
        self.depth += 1;
        let result = crate::deep(|| f(self));
        self.depth -= 1;
        result
    }

    fn expr_node(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.ast.exprs.push(Expr { kind, span })
    }

    fn stmt_node(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.ast.stmts.push(Stmt { kind, span })
    }

    fn open_scope(&mut self) {
        self.shadowed.push(Vec::new());
    }

    fn close_scope(&mut self) {
        for (name, was) in self.shadowed.pop().unwrap_or_default().into_iter().rev() {
            self.typedefs[name] = was;
        }
    }

    /// From here on to the end of the scope, `name` is a typedef or an ordinary name.
    fn declare(&mut self, name: Symbol, is_typedef: bool) {
        let was = std::mem::replace(&mut self.typedefs[name], is_typedef);
        if was != is_typedef
            && let Some(scope) = self.shadowed.last_mut()
        {
            scope.push((name, was));
        }
    }

    /// Skips a group in parentheses, and gives the tokens inside.
    fn skip_parentheses(&mut self) -> Parse<&'a [Token]> {
        let open = self.expect(Punct::OpenParen)?;
        let start = self.next;
        let mut depth = 1usize;
        while depth > 0 {
            match self.advance().kind {
                TokenKind::Punct(Punct::OpenParen) => depth += 1,
                TokenKind::Punct(Punct::CloseParen) => depth -= 1,
                TokenKind::End => return Err(Diagnostic::error(open, "this parenthesis is not closed")),
                _ => {}
            }
        }
        Ok(&self.tokens[start..self.next - 1])
    }
}

#[cfg(test)]
mod tests;
