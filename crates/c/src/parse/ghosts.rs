//! Ghost code of ACSL: variables that only annotations speak of, and assignments to them.
//!
//! `//@ ghost int n = 0;` and `//@ ghost n = n + 1;` are ordinary C that compilers do not see. It must not change what the
//! program does, so that only declarations of scalars and assignments to ghosts are taken, in expressions without calls and
//! other effects; everything else stays an annotation, and is refused where it is met.

use crate::lex::token::{Punct, Token, TokenKind};
use crate::symbols::{Symbol, Symbols};
use std::collections::BTreeSet;

/// The words of which types of ghosts are made.
const TYPES: &[&str] =
    &["char", "double", "float", "int", "long", "short", "signed", "unsigned", "_Bool", "const"];

/// The tokens, in which ghost code stands like other code.
pub(super) fn with_ghosts(tokens: &[Token], symbols: &Symbols) -> Vec<Token> {
    let named = names_of_the_program(tokens);
    let mut ghosts: Vec<Symbol> = Vec::new();
    let mut result: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut rest = tokens;
    while let [first, behind @ ..] = rest {
        if let Some(code) = ghost_code(rest, symbols)
            && let Some(name) = ghost(code, &ghosts, symbols)
            && !named.contains(&name)
            // The beginning, the word, and the end.
            && is_between_statements(result.last(), rest.get(code.len() + 3), symbols)
        {
            ghosts.push(name);
            result.extend_from_slice(code);
            rest = &rest[code.len() + 3..];
            continue;
        }
        result.push(*first);
        rest = behind;
    }
    result
}

/// Whether there is anything to be done.
pub(super) fn has_ghosts(tokens: &[Token], symbols: &Symbols) -> bool {
    tokens.windows(2).any(|pair| ghost_begins(pair, symbols))
}

fn ghost_begins(tokens: &[Token], symbols: &Symbols) -> bool {
    let [begin, Token { kind: TokenKind::Name(word), .. }, ..] = tokens else { return false };
    begin.kind == TokenKind::Punct(Punct::AnnotationBegin) && symbols.text(*word) == "ghost"
}

/// What the program itself names: a ghost of that name would take its place.
fn names_of_the_program(tokens: &[Token]) -> BTreeSet<Symbol> {
    let mut names = BTreeSet::new();
    let mut in_annotation = false;
    for token in tokens {
        match token.kind {
            TokenKind::Punct(Punct::AnnotationBegin) => in_annotation = true,
            TokenKind::Punct(Punct::AnnotationEnd) => in_annotation = false,
            TokenKind::Name(name) if !in_annotation => {
                names.insert(name);
            }
            _ => {}
        }
    }
    names
}

/// Whether a statement may stand here without becoming a part of another, as behind `if (c)`.
fn is_between_statements(before: Option<&Token>, behind: Option<&Token>, symbols: &Symbols) -> bool {
    use Punct::{CloseBrace, OpenBrace, Semicolon};
    let ended = before.is_none_or(|token| {
        matches!(token.kind, TokenKind::Punct(Semicolon | OpenBrace | CloseBrace | Punct::AnnotationEnd))
    });
    let goes_on = behind
        .is_some_and(|token| matches!(token.kind, TokenKind::Name(name) if symbols.text(name) == "else"));
    ended && !goes_on
}

/// What stands between `ghost` and the end of the annotation.
fn ghost_code<'t>(tokens: &'t [Token], symbols: &Symbols) -> Option<&'t [Token]> {
    if !ghost_begins(tokens, symbols) {
        return None;
    }
    let code = &tokens[2..];
    let end = code.iter().position(|token| token.kind == TokenKind::Punct(Punct::AnnotationEnd))?;
    Some(&code[..end])
}

/// The ghost that is declared or assigned to, if that is all that happens.
fn ghost(code: &[Token], ghosts: &[Symbol], symbols: &Symbols) -> Option<Symbol> {
    let is_type =
        |token: &&Token| matches!(token.kind, TokenKind::Name(name) if TYPES.contains(&symbols.text(name)));
    let types = code.iter().take_while(is_type).count();
    let [Token { kind: TokenKind::Name(name), .. }, value @ .., last] = &code[types..] else { return None };
    let known = types > 0 || ghosts.contains(name);
    (known && last.kind == TokenKind::Punct(Punct::Semicolon) && is_value(value, types > 0)).then_some(*name)
}

/// `= e` or `+= e`, or nothing behind a declaration, where `e` changes nothing.
fn is_value(tokens: &[Token], declared: bool) -> bool {
    use Punct::*;
    let [first, value @ ..] = tokens else { return declared };
    let assigns = match first.kind {
        TokenKind::Punct(Assign) => true,
        TokenKind::Punct(PlusAssign | MinusAssign | StarAssign) => !declared,
        _ => false,
    };
    let plain = |token: &Token| match token.kind {
        TokenKind::Name(_) | TokenKind::Number(_) | TokenKind::Char(_) => true,
        TokenKind::Punct(punct) => matches!(
            punct,
            Plus | Minus
                | Star
                | Slash
                | Percent
                | OpenParen
                | CloseParen
                | Less
                | LessEqual
                | Greater
                | GreaterEqual
                | EqualEqual
                | NotEqual
                | AndAnd
                | OrOr
                | Not
                | Question
                | Colon
        ),
        _ => false,
    };
    // A name before a parenthesis is called.
    let calls = |pair: &[Token]| {
        matches!(pair[0].kind, TokenKind::Name(_)) && pair[1].kind == TokenKind::Punct(OpenParen)
    };
    assigns && !value.is_empty() && value.iter().all(plain) && !value.windows(2).any(calls)
}
