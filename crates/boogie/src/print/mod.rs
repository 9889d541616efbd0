//! Tokens and syntax trees as text, to see what the front end has read.
//!
//! The text of a tree is Boogie with all parentheses written out: reading it gives the same text again. As
//! everywhere in this crate, nesting is not followed with the host's stack.

mod declarations;
mod expressions;
mod statements;

use crate::ast::{Ast, Attribute, AttributeArgument};
use crate::lexer::Lexer;
use crate::symbols::Symbol;
use crate::tokens::TokenKind;
use base::{FileId, SourceMap, Span};
use std::fmt::Write;

/// The tokens of a file, one per line: place, kind, text.
pub fn tokens(sources: &SourceMap, file: FileId) -> String {
    let text = &sources.file(file).text;
    let mut lexer = Lexer::new(text);
    let mut out = String::new();
    loop {
        let token = lexer.next_token();
        if token.kind == TokenKind::End {
            return out;
        }
        let place = sources.line_column(Span::new(file, token.start, token.end));
        let text = &text[token.start as usize..token.end as usize];
        put(&mut out, format_args!("{:<8} {:<16} {text}\n", place.to_string(), format!("{:?}", token.kind)));
    }
}

/// The text of a tree.
pub fn ast(ast: &Ast<'_>) -> String {
    let mut printer = Printer { ast, out: String::new() };
    for declaration in &ast.declarations {
        printer.declaration(declaration);
    }
    printer.out
}

/// Writing to a string cannot fail.
fn put(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    let written = out.write_fmt(arguments);
    debug_assert!(written.is_ok());
}

struct Printer<'a> {
    ast: &'a Ast<'a>,
    out: String,
}

impl<'a> Printer<'a> {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn name(&mut self, symbol: Symbol) {
        let name = self.ast.name(symbol);
        if TokenKind::keyword(name).is_some() {
            self.out.push('\\');
        }
        self.out.push_str(name);
    }

    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Self, T)) {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            each(self, item);
        }
    }

    /// Each with a space behind it.
    fn attributes(&mut self, attributes: &'a [Attribute]) {
        for attribute in attributes {
            put(&mut self.out, format_args!("{{:{}", self.ast.name(attribute.name.symbol)));
            for (index, argument) in attribute.arguments.iter().enumerate() {
                self.text(if index == 0 { " " } else { ", " });
                match argument {
                    AttributeArgument::Text(span) => self.text(self.ast.text(*span)),
                    AttributeArgument::Expr(expr) => self.expr(*expr),
                }
            }
            self.text("} ");
        }
    }
}
