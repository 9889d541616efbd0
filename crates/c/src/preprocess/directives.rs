//! Directives: `#include`, `#define`, conditionals, `#line` and its relatives.

use super::macros::{Macro, Parameters};
use super::{Conditional, INCLUDE_DEPTH, Pending, Preprocessor, headers};
use crate::lex::token::{Punct, Token, TokenKind};
use crate::symbols::Symbol;
use base::{Diagnostic, Span};
use std::rc::Rc;

impl Preprocessor<'_> {
    /// Carries out the directive behind a `#` at the start of a line.
    pub(super) fn directive(&mut self, hash: Span) -> Result<(), Diagnostic> {
        let line = self.rest_of_line()?;
        let Some((&first, rest)) = line.split_first() else { return Ok(()) };
        let name = match first.kind {
            TokenKind::Name(name) => self.symbols.text(name).to_owned(),
            TokenKind::Number(_) => return self.line_marker(hash, &line),
            _ => return Err(Diagnostic::error(first.span, "this is not a preprocessing directive")),
        };
        match name.as_str() {
            "include" | "include_next" | "import" => self.include(first.span, rest),
            "define" => self.define(first.span, rest),
            "undef" => {
                let name = self.macro_name(first.span, rest)?;
                self.macros.remove(&name);
                Ok(())
            }
            "if" => {
                let value = self.condition(first.span, rest)?;
                self.begin_conditional(hash, value)
            }
            "ifdef" | "ifndef" => {
                let defined = self.is_defined(self.macro_name(first.span, rest)?);
                self.begin_conditional(hash, defined == (name == "ifdef"))
            }
            "elif" | "elifdef" | "elifndef" | "else" => self.end_taken_group(first.span, name == "else"),
            "endif" => {
                let file = self.files.last_mut().expect("the directive was read from it");
                match file.conditionals.pop() {
                    Some(_) => Ok(()),
                    None => Err(Diagnostic::error(hash, "`#endif` without `#if`")),
                }
            }
            "line" => self.line_marker(hash, rest),
            "pragma" => {
                self.pragma(rest);
                Ok(())
            }
            "error" => {
                let text: Vec<&str> = rest.iter().map(|&t| self.spelling(t)).collect();
                Err(Diagnostic::error(first.span, format!("#error {}", text.join(" "))))
            }
            "warning" | "ident" | "sccs" | "assert" | "unassert" => Ok(()),
            _ => Err(Diagnostic::error(first.span, format!("unknown directive `#{name}`"))),
        }
    }

    /// `#pragma`: what is known is done, or handed on to the parser.
    fn pragma(&mut self, rest: &[Token]) {
        let words: Vec<String> = rest.iter().map(|&token| self.spelling(token).to_owned()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[..] {
            ["once", ..] => {
                let file = self.files.last().expect("the directive was read from it").file;
                self.once.push(self.sources.file(file).name.clone());
            }
            ["push_macro", "(", name, ")", ..] => {
                let name = self.symbols.intern(name.trim_matches('"'));
                let known = self.macros.get(&name).cloned();
                self.pushed.entry(name).or_default().push(known);
            }
            ["pop_macro", "(", name, ")", ..] => {
                let name = self.symbols.intern(name.trim_matches('"'));
                match self.pushed.get_mut(&name).and_then(Vec::pop) {
                    Some(Some(known)) => _ = self.macros.insert(name, known),
                    Some(None) => _ = self.macros.remove(&name),
                    None => {}
                }
            }
            ["pack", "(", ..] => {
                let handed_on = self.symbols.intern("__pragma_pack");
                let mut tokens = vec![Token { kind: TokenKind::Name(handed_on), ..rest[0] }];
                tokens.extend_from_slice(&rest[1..]);
                self.pending.push(Pending { tokens: tokens.into(), next: 0, of: None });
            }
            _ => {}
        }
    }

    /// `_Pragma("…")`, of which the name was read.
    pub(super) fn pragma_operator(&mut self, at: Span) -> Result<(), Diagnostic> {
        let (open, text, close) = (self.next_expanded(0)?, self.next_expanded(0)?, self.next_expanded(0)?);
        let TokenKind::Text(text) = text.kind else {
            return Err(Diagnostic::error(at, "a string is expected behind `_Pragma`"));
        };
        if open.kind != TokenKind::Punct(Punct::OpenParen)
            || close.kind != TokenKind::Punct(Punct::CloseParen)
        {
            return Err(Diagnostic::error(at, "`_Pragma` needs a string in parentheses"));
        }
        let inside = self.symbols.text(text).trim_start_matches('L').trim_matches('"').to_owned();
        let inside = inside.replace("\\\"", "\"").replace("\\\\", "\\");
        let mut lexer = crate::lex::Lexer::new(at.file);
        let mut tokens = Vec::new();
        loop {
            let token = lexer.next(&inside, self.symbols)?;
            if token.kind == TokenKind::End {
                break;
            }
            tokens.push(Token { span: at, first_on_line: false, ..token });
        }
        self.pragma(&tokens);
        Ok(())
    }

    /// The tokens up to the end of the line.
    fn rest_of_line(&mut self) -> Result<Vec<Token>, Diagnostic> {
        let mut tokens = Vec::new();
        loop {
            let token = match self.raw() {
                Ok(token) => token,
                // What stands on the next line is no matter of this one: it may belong to a group that is skipped.
                Err(_) if self.is_on_next_line() => return Ok(tokens),
                Err(diagnostic) => return Err(diagnostic),
            };
            if token.first_on_line || token.kind == TokenKind::End {
                self.unread(token);
                return Ok(tokens);
            }
            tokens.push(token);
        }
    }

    /// Whether what could not be read is the first on its line.
    fn is_on_next_line(&self) -> bool {
        self.files.last().is_some_and(|file| file.lexer.is_first_on_line())
    }

    pub(super) fn is_defined(&self, name: Symbol) -> bool {
        self.macros.contains_key(&name) || super::condition::is_test(self.symbols.text(name))
    }

    fn macro_name(&self, at: Span, rest: &[Token]) -> Result<Symbol, Diagnostic> {
        match rest.first() {
            Some(Token { kind: TokenKind::Name(name), .. }) => Ok(*name),
            _ => Err(Diagnostic::error(at, "a macro name is expected here")),
        }
    }

    fn define(&mut self, at: Span, rest: &[Token]) -> Result<(), Diagnostic> {
        let name = self.macro_name(at, rest)?;
        if self.symbols.text(name) == "defined" {
            return Err(Diagnostic::error(rest[0].span, "`defined` cannot be a macro"));
        }
        let special = match self.symbols.text(name) {
            "__LINE__" => Some(super::macros::Special::Line),
            "__FILE__" => Some(super::macros::Special::File),
            "__COUNTER__" => Some(super::macros::Special::Counter),
            _ => None,
        };
        let function_like =
            rest.get(1).is_some_and(|t| t.kind == TokenKind::Punct(Punct::OpenParen) && !t.space_before);
        let (parameters, body) = if function_like {
            let (parameters, used) = self.parameters(at, &rest[2..])?;
            (Some(parameters), &rest[2 + used..])
        } else {
            (None, &rest[1..])
        };
        let hash_hash = |t: Option<&Token>| t.is_some_and(|t| t.kind == TokenKind::Punct(Punct::HashHash));
        if hash_hash(body.first()) || hash_hash(body.last()) {
            return Err(Diagnostic::error(at, "`##` cannot stand at either end of a macro"));
        }
        self.macros.insert(name, Rc::new(Macro { parameters, body: body.into(), special }));
        Ok(())
    }

    /// The parameters of a function-like macro, and how many tokens they take with their `)`.
    fn parameters(&mut self, at: Span, tokens: &[Token]) -> Result<(Parameters, usize), Diagnostic> {
        let mut parameters = Parameters { names: Vec::new(), variadic: false };
        let malformed = || Diagnostic::error(at, "the parameters of this macro are malformed");
        let mut index = 0;
        loop {
            match tokens.get(index).map(|t| t.kind) {
                Some(TokenKind::Name(name)) if !parameters.variadic => parameters.names.push(name),
                Some(TokenKind::Punct(Punct::Ellipsis)) => {
                    parameters.names.push(self.symbols.intern("__VA_ARGS__"));
                    parameters.variadic = true;
                }
                Some(TokenKind::Punct(Punct::CloseParen)) if index == 0 => return Ok((parameters, 1)),
                _ => return Err(malformed()),
            }
            index += 1;
            if tokens.get(index).is_some_and(|t| t.kind == TokenKind::Punct(Punct::Ellipsis)) {
                parameters.variadic = true;
                index += 1;
            }
            match tokens.get(index).map(|t| t.kind) {
                Some(TokenKind::Punct(Punct::Comma)) => index += 1,
                Some(TokenKind::Punct(Punct::CloseParen)) => return Ok((parameters, index + 1)),
                _ => return Err(malformed()),
            }
        }
    }

    fn include(&mut self, at: Span, rest: &[Token]) -> Result<(), Diagnostic> {
        let expanded;
        let rest = match rest.first().map(|t| t.kind) {
            Some(TokenKind::Name(_)) => {
                expanded = self.expand_list(rest)?;
                &expanded[..]
            }
            _ => rest,
        };
        let Some((name, quoted)) = self.file_name(rest) else {
            return Err(Diagnostic::error(at, "a file name is expected behind `#include`"));
        };
        if self.files.len() > INCLUDE_DEPTH {
            let message = format!("files include each other more than {INCLUDE_DEPTH} levels deep");
            return Err(Diagnostic::error(at, message));
        }
        let Some((super::Found { name, text }, author)) = self.find_file(&name, quoted) else {
            let message = format!("the file `{name}` is not found");
            return Err(Diagnostic::error(at, message).help(
                "name its folder with -I, preprocess the program first, or name a preprocessor with --cpp",
            ));
        };
        if text.len() >= u32::MAX as usize {
            return Err(Diagnostic::error(at, "the included file is too large"));
        }
        if !self.once.contains(&name) {
            self.work += text.len() as u64 / 4;
            if self.work > super::WORK_LIMIT {
                return Err(Diagnostic::error(at, "the program is too large, or includes without end"));
            }
            let file = self.sources.add(name, text);
            self.open(file, author);
        }
        Ok(())
    }

    /// The name behind `#include`, and whether it stands in quotes.
    pub(super) fn file_name(&self, tokens: &[Token]) -> Option<(String, bool)> {
        match tokens.first()?.kind {
            TokenKind::Text(text) => Some((self.symbols.text(text).trim_matches('"').to_owned(), true)),
            TokenKind::Punct(Punct::Less) => {
                let end = tokens.iter().position(|t| t.kind == TokenKind::Punct(Punct::Greater))?;
                Some((tokens[1..end].iter().map(|&t| self.spelling(t)).collect(), false))
            }
            _ => None,
        }
    }

    /// A file by its name: one of the user's, or a built-in one.
    pub(super) fn find_file(&self, name: &str, quoted: bool) -> Option<(super::Found, super::Author)> {
        let from = self.files.last().map_or("", |file| self.sources.file(file.file).name.as_str());
        if let Some(found) = self.includes.find(super::Wanted { name, from, quoted }) {
            return Some((found, super::Author::User));
        }
        let text = headers::header(name)?.to_owned();
        Some((super::Found { name: format!("<{name}>"), text }, super::Author::Tool))
    }

    /// `#line 3 "f.c"` and the markers `# 3 "f.c" 1` that preprocessors leave.
    fn line_marker(&mut self, hash: Span, rest: &[Token]) -> Result<(), Diagnostic> {
        let rest = match rest.first().map(|t| t.kind) {
            Some(TokenKind::Name(_)) => self.expand_list(rest)?,
            _ => rest.to_vec(),
        };
        let line = rest.first().and_then(|&t| self.spelling(t).parse::<i64>().ok());
        let Some(line) = line else {
            return Err(Diagnostic::error(hash, "a line number is expected behind `#line`"));
        };
        let name = rest.get(1).map(|&t| self.spelling(t).trim_matches('"').to_owned());
        let here = i64::from(self.sources.line_column(hash).line);
        let file = self.files.last_mut().expect("the directive was read from it");
        file.line_shift = line.saturating_sub(here + 1);
        if let Some(name) = name {
            file.presumed_name = Some(name);
        }
        Ok(())
    }

    /// Opens a conditional; a group that is not taken is skipped at once.
    fn begin_conditional(&mut self, span: Span, taken: bool) -> Result<(), Diagnostic> {
        let file = self.files.last_mut().expect("the directive was read from it");
        file.conditionals.push(Conditional { span, taken, after_else: false });
        if taken { Ok(()) } else { self.skip_groups() }
    }

    /// `#else` or `#elif` behind a group that was taken: everything up to `#endif` is skipped.
    fn end_taken_group(&mut self, at: Span, is_else: bool) -> Result<(), Diagnostic> {
        self.enter_else(at, is_else)?;
        self.skip_groups()
    }

    fn enter_else(&mut self, at: Span, is_else: bool) -> Result<bool, Diagnostic> {
        let file = self.files.last_mut().expect("the directive was read from it");
        match file.conditionals.last_mut() {
            Some(conditional) if !conditional.after_else => {
                conditional.after_else = is_else;
                Ok(conditional.taken)
            }
            _ => Err(Diagnostic::error(at, "this does not belong to an open `#if`")),
        }
    }

    /// Skips groups of the innermost conditional up to one that is taken, or behind its `#endif`.
    fn skip_groups(&mut self) -> Result<(), Diagnostic> {
        let mut depth = 0u32;
        loop {
            let token = self.raw_in_skipped_group()?;
            match token.kind {
                TokenKind::End => {
                    let file = self.files.last().expect("it was just read from");
                    let span = file.conditionals.last().map_or(token.span, |open| open.span);
                    return Err(Diagnostic::error(span, "this conditional is not closed by `#endif`"));
                }
                TokenKind::Punct(Punct::Hash) if token.first_on_line => {}
                _ => continue,
            }
            let next = self.raw_in_skipped_group()?;
            if next.first_on_line || next.kind == TokenKind::End {
                self.unread(next);
                continue;
            }
            match self.spelling(next) {
                "if" | "ifdef" | "ifndef" => depth += 1,
                "endif" if depth > 0 => depth -= 1,
                "endif" => {
                    self.rest_of_line()?;
                    self.files.last_mut().expect("it was just read from").conditionals.pop();
                    return Ok(());
                }
                name @ ("else" | "elif" | "elifdef" | "elifndef") if depth == 0 => {
                    let name = name.to_owned();
                    let taken = self.enter_else(next.span, name == "else")?;
                    let rest = self.rest_of_line()?;
                    let holds = match name.as_str() {
                        _ if taken => false,
                        "else" => true,
                        "elif" => self.condition(next.span, &rest)?,
                        _ => {
                            let defined = self.is_defined(self.macro_name(next.span, &rest)?);
                            defined == (name == "elifdef")
                        }
                    };
                    if holds {
                        let file = self.files.last_mut().expect("it was just read from");
                        file.conditionals.last_mut().expect("checked by `enter_else`").taken = true;
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
    }

    /// A token of a group that is skipped: text there need not consist of tokens.
    fn raw_in_skipped_group(&mut self) -> Result<Token, Diagnostic> {
        loop {
            match self.raw() {
                Ok(token) => return Ok(token),
                Err(diagnostic) => {
                    let file = self.files.last_mut().expect("it was just read from");
                    let text = &self.sources.file(file.file).text;
                    if !file.lexer.skip_character(text) {
                        return Err(diagnostic);
                    }
                }
            }
        }
    }
}
