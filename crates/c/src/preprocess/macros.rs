//! Macro expansion (C11 6.10.3): arguments, `#`, `##`, variadic macros, and the rule that a macro's own name
//! is not expanded again inside its expansion.
//!
//! The rule is kept as compilers do: a macro is switched off while its replacement is being read, and a name that
//! is met while its macro is off is painted, so it stays a name for good.

use super::{Pending, Preprocessor};
use crate::lex::Lexer;
use crate::lex::token::{Punct, Token, TokenKind};
use crate::symbols::Symbol;
use base::{Diagnostic, Span};
use std::rc::Rc;

/// How deep macro uses may nest in macro arguments.
const ARGUMENT_DEPTH: u32 = 200;

/// No macro makes a token of more bytes than this.
const LONGEST_TOKEN: usize = 1 << 16;

/// A macro.
#[derive(PartialEq, Eq, Debug)]
pub struct Macro {
    /// Parameters of a function-like macro.
    pub parameters: Option<Parameters>,
    /// The replacement list.
    pub body: Rc<[Token]>,
    /// What the preprocessor computes at the place of use.
    pub special: Option<Special>,
}

/// Parameters of a function-like macro.
#[derive(PartialEq, Eq, Debug)]
pub struct Parameters {
    /// Their names; for a variadic macro the last one takes the rest (`__VA_ARGS__` or its own name).
    pub names: Vec<Symbol>,
    /// Whether the last parameter takes the rest of the arguments.
    pub variadic: bool,
}

/// Macros whose value depends on the place of use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Special {
    /// `__LINE__`
    Line,
    /// `__FILE__`
    File,
    /// `__COUNTER__`
    Counter,
}

/// One macro argument: as it was written, and fully expanded once that is asked for.
struct Argument {
    written: Vec<Token>,
    expanded: Option<Vec<Token>>,
}

impl Preprocessor<'_> {
    /// The next token after macro expansion.
    pub(super) fn next_expanded(&mut self, base: usize) -> Result<Token, Diagnostic> {
        loop {
            let mut token = self.next_unexpanded(base)?;
            let TokenKind::Name(name) = token.kind else { return Ok(token) };
            if token.painted {
                return Ok(token);
            }
            if self.in_condition && name == self.operators.defined {
                return self.defined_operator(token, base);
            }
            let Some(found) = self.macros.get(&name).cloned() else { return Ok(token) };
            if self.pending.iter().any(|pending| pending.of == Some(name)) {
                token.painted = true;
                return Ok(token);
            }
            if !self.expand(token, name, &found, base)? {
                return Ok(token);
            }
        }
    }

    /// Replaces a macro name (and its arguments). False if it is function-like and no `(` follows.
    fn expand(&mut self, at: Token, name: Symbol, found: &Macro, base: usize) -> Result<bool, Diagnostic> {
        let tokens = match (&found.special, &found.parameters) {
            (Some(special), _) => vec![self.special(*special, at)],
            (None, None) => self.substitute(found, &mut [], at)?,
            (None, Some(parameters)) => {
                let next = self.next_unexpanded(base)?;
                if next.kind != TokenKind::Punct(Punct::OpenParen) {
                    self.put_back(next);
                    return Ok(false);
                }
                let mut arguments = self.arguments(at, name, parameters, base)?;
                self.substitute(found, &mut arguments, at)?
            }
        };
        self.pending.push(Pending { tokens: tokens.into(), next: 0, of: Some(name) });
        Ok(true)
    }

    fn special(&mut self, special: Special, at: Token) -> Token {
        let kind = match special {
            Special::Line => {
                let line = self.presumed_line(at.span);
                TokenKind::Number(self.symbols.intern(&line.to_string()))
            }
            Special::File => {
                let name = self.presumed_name().replace('\\', "\\\\").replace('"', "\\\"");
                TokenKind::Text(self.symbols.intern(&format!("\"{name}\"")))
            }
            Special::Counter => {
                let value = self.counter;
                self.counter += 1;
                TokenKind::Number(self.symbols.intern(&value.to_string()))
            }
        };
        Token { kind, ..at }
    }

    /// Reads the arguments behind the `(` of a use, up to the matching `)`.
    fn arguments(
        &mut self,
        at: Token,
        name: Symbol,
        parameters: &Parameters,
        base: usize,
    ) -> Result<Vec<Argument>, Diagnostic> {
        let mut arguments: Vec<Vec<Token>> = vec![Vec::new()];
        let mut depth = 0usize;
        loop {
            let token = self.next_unexpanded(base)?;
            let rest = parameters.variadic && arguments.len() == parameters.names.len();
            match token.kind {
                TokenKind::End => {
                    let message =
                        format!("the arguments of macro `{}` are not closed", self.symbols.text(name));
                    return Err(Diagnostic::error(at.span, message));
                }
                TokenKind::Punct(Punct::CloseParen) if depth == 0 => break,
                TokenKind::Punct(Punct::Comma) if depth == 0 && !rest => {
                    arguments.push(Vec::new());
                    continue;
                }
                TokenKind::Punct(Punct::OpenParen) => depth += 1,
                TokenKind::Punct(Punct::CloseParen) => depth -= 1,
                _ => {}
            }
            if let Some(last) = arguments.last_mut() {
                let space_before = token.space_before || token.first_on_line;
                last.push(Token { first_on_line: false, space_before, ..token });
            }
        }
        let wanted = parameters.names.len();
        if wanted == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if parameters.variadic && arguments.len() + 1 == wanted {
            arguments.push(Vec::new());
        }
        if arguments.len() != wanted {
            let message = format!(
                "macro `{}` takes {wanted} argument(s), but {} are given",
                self.symbols.text(name),
                arguments.len()
            );
            return Err(Diagnostic::error(at.span, message));
        }
        Ok(arguments.into_iter().map(|written| Argument { written, expanded: None }).collect())
    }

    /// The replacement list with the arguments put in, `#`, `##` and `__VA_OPT__` carried out.
    fn substitute(&mut self, of: &Macro, args: &mut [Argument], at: Token) -> Result<Vec<Token>, Diagnostic> {
        let body = Rc::clone(&of.body);
        let body = self.with_options(of, args, &body, at)?;
        let pieces = self.pieces(of, args, &body, at)?;
        let mut out: Vec<Token> = pieces.into_iter().flatten().collect();
        for token in &mut out {
            token.span = at.span;
            token.first_on_line = false;
        }
        if let Some(first) = out.first_mut() {
            first.first_on_line = at.first_on_line;
            first.space_before = at.space_before;
        }
        Ok(out)
    }

    /// The body with `__VA_OPT__(…)` replaced by its inside, or by nothing if there are no arguments for `...`.
    fn with_options(
        &mut self,
        of: &Macro,
        args: &mut [Argument],
        body: &[Token],
        at: Token,
    ) -> Result<Vec<Token>, Diagnostic> {
        let variadic = of.parameters.as_ref().is_some_and(|parameters| parameters.variadic);
        let option = self.symbols.get("__VA_OPT__").map(TokenKind::Name);
        if !variadic || option.is_none() {
            return Ok(body.to_vec());
        }
        let mut out = Vec::new();
        let mut index = 0;
        while let Some(&token) = body.get(index) {
            index += 1;
            if Some(token.kind) != option {
                out.push(token);
                continue;
            }
            let mut depth = 0usize;
            let start = index + 1;
            loop {
                match body.get(index).map(|token| token.kind) {
                    Some(TokenKind::Punct(Punct::OpenParen)) => depth += 1,
                    Some(TokenKind::Punct(Punct::CloseParen)) => depth = depth.saturating_sub(1),
                    Some(_) if depth > 0 => {}
                    _ => return Err(Diagnostic::error(at.span, "`__VA_OPT__` needs parentheses")),
                }
                index += 1;
                if depth == 0 {
                    break;
                }
            }
            let given = match args.last_mut() {
                Some(rest) => !self.expanded(rest)?.is_empty(),
                None => false,
            };
            if given {
                out.extend_from_slice(&body[start.min(index - 1)..index - 1]);
            }
        }
        Ok(out)
    }

    /// The tokens of the replacement; none stands for an argument that is empty beside `##` (a placemarker).
    fn pieces(
        &mut self,
        of: &Macro,
        args: &mut [Argument],
        body: &[Token],
        at: Token,
    ) -> Result<Vec<Option<Token>>, Diagnostic> {
        let parameter = |token: Token| match (token.kind, &of.parameters) {
            (TokenKind::Name(name), Some(parameters)) => parameters.names.iter().position(|&p| p == name),
            _ => None,
        };
        let is = |index: usize, punct| body.get(index).is_some_and(|t| t.kind == TokenKind::Punct(punct));
        let mut out: Vec<Option<Token>> = Vec::new();
        let mut paste = false;
        let mut index = 0;
        while let Some(&token) = body.get(index) {
            let pasted_next = is(index + 1, Punct::HashHash);
            let mut piece: Vec<Option<Token>> = Vec::new();
            match parameter(token) {
                _ if is(index, Punct::HashHash) => {
                    paste = true;
                    index += 1;
                    continue;
                }
                None if is(index, Punct::Hash) && of.parameters.is_some() => {
                    let argument = body.get(index + 1).and_then(|&next| parameter(next));
                    let Some(argument) = argument else {
                        return Err(Diagnostic::error(
                            at.span,
                            "`#` in this macro is not followed by a parameter",
                        ));
                    };
                    piece.push(Some(self.stringise(&args[argument].written, token)));
                    index += 1;
                }
                Some(argument) if paste || pasted_next => {
                    // `, ## __VA_ARGS__` drops the comma when there are no arguments (a GNU form).
                    let last = out.last().copied().flatten();
                    let comma = last.is_some_and(|t| t.kind == TokenKind::Punct(Punct::Comma));
                    let rest = argument + 1 == args.len();
                    if paste && comma && rest && of.parameters.as_ref().is_some_and(|p| p.variadic) {
                        if args[argument].written.is_empty() {
                            out.pop();
                        }
                        paste = false;
                        piece.extend(self.expanded(&mut args[argument])?.into_iter().map(Some));
                    } else if args[argument].written.is_empty() {
                        piece.push(None);
                    } else {
                        piece.extend(args[argument].written.iter().copied().map(Some));
                    }
                }
                Some(argument) => piece.extend(self.expanded(&mut args[argument])?.into_iter().map(Some)),
                None => piece.push(Some(token)),
            }
            if let Some(Some(first)) = piece.first_mut() {
                first.space_before |= token.space_before;
            }
            if std::mem::take(&mut paste) && !piece.is_empty() && !out.is_empty() {
                let (left, right) = (out.pop().flatten(), piece.remove(0));
                match (left, right) {
                    (Some(left), Some(right)) => {
                        out.extend(self.paste(left, right, at.span)?.into_iter().map(Some));
                    }
                    (left, right) => out.push(left.or(right)),
                }
            }
            self.work += 1 + piece.len() as u64;
            out.extend(piece);
            if self.work > super::WORK_LIMIT {
                return Err(Diagnostic::error(at.span, "this macro expands without end"));
            }
            index += 1;
        }
        Ok(out)
    }

    /// An argument, fully expanded on its own.
    fn expanded(&mut self, argument: &mut Argument) -> Result<Vec<Token>, Diagnostic> {
        if argument.expanded.is_none() {
            let out = match argument.written.first() {
                None => Vec::new(),
                Some(first) => {
                    self.argument_depth += 1;
                    if self.argument_depth > ARGUMENT_DEPTH {
                        return Err(Diagnostic::error(first.span, "macro uses are nested too deeply"));
                    }
                    let out = crate::deep(|| self.expand_list(&argument.written))?;
                    self.argument_depth -= 1;
                    out
                }
            };
            argument.expanded = Some(out);
        }
        Ok(argument.expanded.clone().unwrap_or_default())
    }

    /// Expands a list of tokens on its own: nothing behind it is read.
    pub(super) fn expand_list(&mut self, tokens: &[Token]) -> Result<Vec<Token>, Diagnostic> {
        // The barrier keeps `base` above zero, which tells the reader not to go on with the files.
        self.pending.push(Pending { tokens: Rc::new([]), next: 0, of: None });
        let base = self.pending.len();
        self.pending.push(Pending { tokens: tokens.into(), next: 0, of: None });
        let mut out = Vec::new();
        loop {
            let token = self.next_expanded(base)?;
            if token.kind == TokenKind::End {
                self.pending.pop();
                return Ok(out);
            }
            out.push(token);
        }
    }

    /// `#argument`: the spelling of the argument as a string literal.
    fn stringise(&mut self, tokens: &[Token], at: Token) -> Token {
        let mut text = String::from("\"");
        for (index, &token) in tokens.iter().enumerate() {
            if index > 0 && token.space_before {
                text.push(' ');
            }
            let literal = matches!(token.kind, TokenKind::Char(_) | TokenKind::Text(_));
            for character in self.spelling(token).chars() {
                if literal && matches!(character, '"' | '\\') {
                    text.push('\\');
                }
                text.push(character);
            }
        }
        text.push('"');
        self.work += text.len() as u64 / 4;
        Token { kind: TokenKind::Text(self.symbols.intern(&text)), ..at }
    }

    /// `left ## right`. Tokens that do not make one token stay two, as compilers warn about but accept.
    fn paste(&mut self, left: Token, right: Token, at: Span) -> Result<Vec<Token>, Diagnostic> {
        let (first, second) = (self.spelling(left), self.spelling(right));
        if first.len() + second.len() > LONGEST_TOKEN {
            return Err(Diagnostic::error(at, "`##` makes a token here that is too long"));
        }
        let text = format!("{first}{second}");
        // Every result is kept, so that its length is work.
        self.work += text.len() as u64 / 4;
        let mut lexer = Lexer::new(at.file);
        if let Ok(token) = lexer.next(&text, self.symbols)
            && token.span.end as usize == text.len()
        {
            let pasted = Token { kind: token.kind, painted: false, ..left };
            self.refuse_kept_name(pasted)?;
            return Ok(vec![pasted]);
        }
        Err(Diagnostic::error(at, format!("`##` makes `{text}` here, which is not one token")))
    }
}
