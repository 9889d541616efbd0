//! The preprocessor (C11 6.10): files to one stream of tokens without directives and macros.
//!
//! Input is a file of the [`SourceMap`]; included files are added to it, from the built-in stub headers
//! ([`headers`]) or from the caller's [`Includes`]. A token that comes out of a macro carries the place where
//! the macro was used, so every diagnostic points into text that the user wrote.
//!
//! Cost is linear in the output. Output is bounded: a program whose macros or includes multiply without end gets
//! a diagnostic once [`WORK_LIMIT`] tokens were handled, include depth and nesting of macro arguments likewise.

mod condition;
mod directives;
mod headers;
mod macros;

pub use headers::declares;

use crate::lex::Lexer;
use crate::lex::token::{Punct, Token, TokenKind};
use crate::options::DataModel;
use crate::symbols::{Symbol, Symbols};
use base::{Diagnostic, FileId, SourceMap, Span};
use macros::Macro;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How many tokens may be handled before the input counts as a macro bomb. Far above any real program.
pub const WORK_LIMIT: u64 = 20_000_000;

/// How deep files may include each other.
const INCLUDE_DEPTH: usize = 100;

/// Reads files that are included and are not built in.
pub trait Includes {
    /// The file that `wanted` names.
    fn find(&self, wanted: Wanted<'_>) -> Option<Found>;
}

/// What an `#include` asks for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The name between quotes or angle brackets.
    pub name: &'a str,
    /// The name of the file that includes it, as it was found.
    pub from: &'a str,
    /// Whether it stands in quotes, so that the folder of the including file is looked at first.
    pub quoted: bool,
}

/// A file that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Its name, from which files that it includes are found.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// No files besides the built-in headers.
pub struct NoIncludes;

impl Includes for NoIncludes {
    fn find(&self, _: Wanted<'_>) -> Option<Found> {
        None
    }
}

/// A file that is being read, with the conditionals that are open in it.
struct OpenFile {
    file: FileId,
    author: Author,
    lexer: Lexer,
    /// A token that was read ahead.
    ahead: Option<Token>,
    conditionals: Vec<Conditional>,
    /// What `#line` added to the line numbers, and the file name it gave.
    line_shift: i64,
    presumed_name: Option<String>,
}

/// An open `#if`.
struct Conditional {
    span: Span,
    /// Whether some group of it was already taken.
    taken: bool,
    /// Whether `#else` was seen.
    after_else: bool,
}

/// Tokens that wait to be read again: the expansion of a macro, or a token that was put back.
struct Pending {
    tokens: Rc<[Token]>,
    next: usize,
    /// The macro that is being expanded: its name is not expanded again inside.
    of: Option<Symbol>,
}

struct Preprocessor<'a> {
    sources: &'a mut SourceMap,
    symbols: &'a mut Symbols,
    includes: &'a dyn Includes,
    files: Vec<OpenFile>,
    pending: Vec<Pending>,
    macros: FxHashMap<Symbol, Rc<Macro>>,
    work: u64,
    argument_depth: u32,
    counter: u64,
    /// Files that said `#pragma once`, by name.
    once: Vec<String>,
    /// What `#pragma push_macro` kept: the macro, or that there was none.
    pushed: FxHashMap<Symbol, Vec<Option<Rc<Macro>>>>,
    /// Inside the condition of an `#if`, where `defined` is an operator.
    in_condition: bool,
    /// The names that are operators.
    operators: Operators,
}

/// Names that mean something to the preprocessor inside of expansions.
struct Operators {
    defined: Symbol,
    pragma: Symbol,
}

/// Who has written a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Author {
    /// Somebody else.
    User,
    /// It belongs to this tool, and may use the names that are kept for it.
    Tool,
}

/// How the names begin that only texts of this tool may use: they change what is checked.
const KEPT: &str = "__unreach_";

/// What is known before the first line.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// Who has written the file.
    pub author: Author,
    /// The data model, which predefined macros tell.
    pub model: DataModel,
    /// Further directives.
    pub definitions: &'a str,
}

/// Preprocesses a file. The result ends with a token of kind [`TokenKind::End`].
pub fn preprocess(
    sources: &mut SourceMap,
    symbols: &mut Symbols,
    file: FileId,
    start: Start<'_>,
    includes: &dyn Includes,
) -> Result<Vec<Token>, Diagnostic> {
    let predefined = sources.add("<built-in>", headers::predefined(start.model) + start.definitions);
    let operators = Operators { defined: symbols.intern("defined"), pragma: symbols.intern("_Pragma") };
    let mut preprocessor = Preprocessor {
        sources,
        symbols,
        includes,
        files: Vec::new(),
        pending: Vec::new(),
        macros: FxHashMap::default(),
        work: 0,
        argument_depth: 0,
        counter: 0,
        once: Vec::new(),
        pushed: FxHashMap::default(),
        in_condition: false,
        operators,
    };
    preprocessor.open(file, start.author);
    preprocessor.open(predefined, Author::Tool);
    let mut tokens = Vec::new();
    loop {
        let token = preprocessor.next_expanded(0)?;
        if token.kind == TokenKind::Name(preprocessor.operators.pragma) {
            preprocessor.pragma_operator(token.span)?;
            continue;
        }
        tokens.push(token);
        if token.kind == TokenKind::End {
            return Ok(tokens);
        }
    }
}

impl Preprocessor<'_> {
    fn open(&mut self, file: FileId, author: Author) {
        self.files.push(OpenFile {
            file,
            author,
            lexer: Lexer::new(file),
            ahead: None,
            conditionals: Vec::new(),
            line_shift: 0,
            presumed_name: None,
        });
    }

    /// The next token of the innermost file, directives included; `End` at its end.
    fn raw(&mut self) -> Result<Token, Diagnostic> {
        let file = self.files.last_mut().expect("the main file is closed last, and then nothing reads on");
        if let Some(token) = file.ahead.take() {
            return Ok(token);
        }
        let text = &self.sources.file(file.file).text;
        let token = file.lexer.next(text, self.symbols)?;
        if file.author == Author::User {
            self.refuse_kept_name(token)?;
        }
        Ok(token)
    }

    /// A name that only texts of this tool may use is a mistake elsewhere.
    fn refuse_kept_name(&self, token: Token) -> Result<(), Diagnostic> {
        match token.kind {
            TokenKind::Name(name) if self.symbols.text(name).starts_with(KEPT) => Err(Diagnostic::error(
                token.span,
                format!("names that begin with `{KEPT}` are kept for this tool"),
            )),
            _ => Ok(()),
        }
    }

    /// Puts a token of the innermost file back.
    fn unread(&mut self, token: Token) {
        if let Some(file) = self.files.last_mut() {
            file.ahead = Some(token);
        }
    }

    /// The next token of the text, after directives were carried out; `End` at the end of everything.
    fn next_of_files(&mut self) -> Result<Token, Diagnostic> {
        loop {
            let token = self.raw()?;
            match token.kind {
                TokenKind::Punct(Punct::Hash) if token.first_on_line => {
                    self.directive(token.span)?;
                    // A pragma may have left something for the parser.
                    if !self.pending.is_empty() {
                        return self.next_unexpanded(0);
                    }
                }
                TokenKind::End => {
                    let file = self.files.last().expect("it was just read from");
                    if let Some(open) = file.conditionals.last() {
                        return Err(Diagnostic::error(
                            open.span,
                            "this conditional is not closed by `#endif`",
                        ));
                    }
                    if self.files.len() == 1 {
                        return Ok(token);
                    }
                    self.files.pop();
                }
                _ => return Ok(token),
            }
        }
    }

    /// The next token before expansion. With `base > 0` it stops with `End` once only `base` token lists wait.
    fn next_unexpanded(&mut self, base: usize) -> Result<Token, Diagnostic> {
        self.work += 1;
        while self.pending.len() > base {
            let pending = self.pending.last_mut().expect("longer than `base`");
            if let Some(&token) = pending.tokens.get(pending.next) {
                pending.next += 1;
                if self.work > WORK_LIMIT {
                    return Err(Diagnostic::error(
                        token.span,
                        "the macros of this program expand without end",
                    ));
                }
                return Ok(token);
            }
            self.pending.pop();
        }
        if base > 0 {
            let file = self.files.last().expect("some file is open").file;
            let end = Token {
                kind: TokenKind::End,
                span: Span::new(file, 0, 0),
                first_on_line: false,
                space_before: false,
                painted: false,
            };
            return Ok(end);
        }
        let token = self.next_of_files()?;
        if self.work > WORK_LIMIT {
            return Err(Diagnostic::error(token.span, "the program is too large, or includes without end"));
        }
        Ok(token)
    }

    /// Reads `token` again next.
    fn put_back(&mut self, token: Token) {
        if token.kind != TokenKind::End {
            self.pending.push(Pending { tokens: Rc::new([token]), next: 0, of: None });
        } else if self.pending.is_empty() {
            self.unread(token);
        }
    }

    /// The spelling of a token.
    fn spelling(&self, token: Token) -> &str {
        match token.kind {
            TokenKind::Name(s) | TokenKind::Number(s) | TokenKind::Char(s) | TokenKind::Text(s) => {
                self.symbols.text(s)
            }
            TokenKind::Punct(punct) => punct.text(),
            TokenKind::End => "",
        }
    }

    /// The line of a place as `__LINE__` tells it.
    fn presumed_line(&self, span: Span) -> i64 {
        let shift = self.files.last().map_or(0, |file| file.line_shift);
        i64::from(self.sources.line_column(span).line) + shift
    }

    /// The file name as `__FILE__` tells it.
    fn presumed_name(&self) -> String {
        let Some(file) = self.files.last() else { return String::new() };
        file.presumed_name.clone().unwrap_or_else(|| self.sources.file(file.file).name.clone())
    }
}

#[cfg(test)]
mod tests;
