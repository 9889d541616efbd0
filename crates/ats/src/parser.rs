//! From tokens to the syntax tree.
//!
//! The language, as far as its scripts show it:
//!
//! ```text
//! script     := statement*
//! statement  := type name ["=" expression] ";" | expression ";" | "{" statement* "}"
//!             | "if" "(" expression ")" statement ["else" statement]
//!             | "while" "(" expression ")" statement
//!             | "for" "(" [statement] [expression] ";" [expression] ")" statement
//!             | "break" ";" | "continue" ";" | "return" [expression] ";"
//! expression := the operators of C on numbers and truth values, assignments, calls, variables,
//!               words "[a c< b >r]", infinite words "[a, b]", and automata
//! automaton  := "(" field ("," field)* ")"          field := name "=" "{" item* "}"
//! item       := name | "(" name* ")"                commas between items may be written or not
//! ```
//!
//! Nesting is limited, because the tree is walked recursively.

use crate::ast::{
    Definition, Expression, ExpressionKind, Field, Item, Name, Operator, Position, Statement, Step,
    WordSymbol,
};
use crate::token::{Kind, Token, tokens};
use base::{Diagnostic, FileId, SourceMap, Span};

/// A script nested deeper than this is refused.
const DEEPEST: usize = 200;

type Parsed<T> = Result<T, Box<Diagnostic>>;

/// Parses a file.
pub(crate) fn parse(sources: &SourceMap, file: FileId) -> Parsed<Vec<Statement>> {
    let tokens = tokens(file, &sources.file(file).text)?;
    let mut parser = Parser { sources, tokens, at: 0, depth: 0 };
    let mut statements = Vec::new();
    while parser.peek() != Kind::End {
        statements.extend(parser.statement()?);
    }
    Ok(statements)
}

struct Parser<'a> {
    sources: &'a SourceMap,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

/// The binary operators from weakest to strongest.
const LEVELS: &[&[(&str, Operator)]] = &[
    &[("||", Operator::Or), ("|", Operator::Or)],
    &[("&&", Operator::And), ("&", Operator::And)],
    &[("==", Operator::Equal), ("!=", Operator::Different)],
    &[
        ("<", Operator::Less),
        ("<=", Operator::LessOrEqual),
        (">", Operator::Greater),
        (">=", Operator::GreaterOrEqual),
    ],
    &[("+", Operator::Add), ("-", Operator::Subtract)],
    &[("*", Operator::Multiply), ("/", Operator::Divide), ("%", Operator::Remainder)],
];

const ASSIGNMENTS: &[(&str, Option<Operator>)] = &[
    ("=", None),
    ("+=", Some(Operator::Add)),
    ("-=", Some(Operator::Subtract)),
    ("*=", Some(Operator::Multiply)),
    ("/=", Some(Operator::Divide)),
    ("%=", Some(Operator::Remainder)),
];

impl<'a> Parser<'a> {
    fn peek(&self) -> Kind {
        self.tokens[self.at].kind
    }

    /// The token after the next ones; the end repeats.
    fn ahead(&self, distance: usize) -> Token {
        self.tokens[(self.at + distance).min(self.tokens.len() - 1)]
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    fn text(&self) -> &'a str {
        self.sources.text(self.span())
    }

    fn advance(&mut self) -> Span {
        let span = self.span();
        if self.peek() != Kind::End {
            self.at += 1;
        }
        span
    }

    fn is(&self, punctuation: &str) -> bool {
        matches!(self.peek(), Kind::Punctuation(found) if found == punctuation)
    }

    fn is_keyword(&self, keyword: &str) -> bool {
        self.peek() == Kind::Name && self.text() == keyword
    }

    fn skip(&mut self, punctuation: &str) -> bool {
        let found = self.is(punctuation);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, punctuation: &str) -> Parsed<Span> {
        if self.is(punctuation) {
            return Ok(self.advance());
        }
        Err(self.unexpected(&format!("`{punctuation}`")))
    }

    fn unexpected(&self, expected: &str) -> Box<Diagnostic> {
        let found = match self.peek() {
            Kind::End => "the end of the script".to_owned(),
            _ => format!("`{}`", self.text()),
        };
        Box::new(Diagnostic::error(self.span(), format!("expected {expected}, found {found}")))
    }

    /// Runs `parse` one level deeper.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            let message = format!("this is nested more than {DEEPEST} levels deep");
            return Err(Box::new(Diagnostic::error(self.span(), message)));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// A name or a text in quotes.
    fn name(&mut self, what: &str) -> Parsed<Name> {
        let text = match self.peek() {
            Kind::Name => self.text().to_owned(),
            Kind::Text => self.unquoted(),
            _ => return Err(self.unexpected(what)),
        };
        Ok(Name { text, span: self.advance() })
    }

    fn unquoted(&self) -> String {
        let quoted = self.text();
        quoted[1..quoted.len() - 1].replace("\\\"", "\"")
    }

    /// A statement; `None` for a lone semicolon.
    fn statement(&mut self) -> Parsed<Option<Statement>> {
        if self.skip(";") {
            return Ok(None);
        }
        self.deeper(|parser| parser.full_statement()).map(Some)
    }

    fn full_statement(&mut self) -> Parsed<Statement> {
        if self.is("{") {
            return Ok(Statement::Block(self.block()?));
        }
        let keyword = if self.peek() == Kind::Name { self.text() } else { "" };
        match keyword {
            "if" => {
                self.advance();
                let condition = self.condition()?;
                let then = self.body()?;
                let otherwise = if self.is_keyword("else") {
                    self.advance();
                    self.body()?
                } else {
                    Vec::new()
                };
                Ok(Statement::If { condition, then, otherwise })
            }
            "while" => {
                self.advance();
                let condition = self.condition()?;
                Ok(Statement::While { condition, body: self.body()? })
            }
            "for" => self.for_statement(),
            "break" => {
                let span = self.advance();
                self.expect(";")?;
                Ok(Statement::Break(span))
            }
            "continue" => {
                let span = self.advance();
                self.expect(";")?;
                Ok(Statement::Continue(span))
            }
            "return" => {
                self.advance();
                if !self.is(";") {
                    self.expression()?;
                }
                self.expect(";")?;
                Ok(Statement::Return)
            }
            _ => {
                let statement = self.simple_statement()?;
                self.expect(";")?;
                Ok(statement)
            }
        }
    }

    /// A declaration or an expression, without its semicolon.
    fn simple_statement(&mut self) -> Parsed<Statement> {
        let declares = self.peek() == Kind::Name && matches!(self.ahead(1).kind, Kind::Name | Kind::Text);
        if !declares {
            return Ok(Statement::Expression(self.expression()?));
        }
        let type_name = self.name("a type")?;
        let name = self.name("a name")?;
        let value = if self.skip("=") { Some(self.expression()?) } else { None };
        Ok(Statement::Declare { type_name, name, value })
    }

    fn for_statement(&mut self) -> Parsed<Statement> {
        self.advance();
        self.expect("(")?;
        let start = if self.is(";") { Vec::new() } else { vec![self.simple_statement()?] };
        self.expect(";")?;
        let condition = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let step = if self.is(")") { Vec::new() } else { vec![self.simple_statement()?] };
        self.expect(")")?;
        Ok(Statement::For { start, condition, step, body: self.body()? })
    }

    fn condition(&mut self) -> Parsed<Expression> {
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        Ok(condition)
    }

    fn body(&mut self) -> Parsed<Vec<Statement>> {
        if self.is("{") { self.block() } else { Ok(self.statement()?.into_iter().collect()) }
    }

    fn block(&mut self) -> Parsed<Vec<Statement>> {
        self.expect("{")?;
        let mut statements = Vec::new();
        while !self.is("}") {
            if self.peek() == Kind::End {
                return Err(self.unexpected("`}`"));
            }
            statements.extend(self.statement()?);
        }
        self.expect("}")?;
        Ok(statements)
    }

    fn expression(&mut self) -> Parsed<Expression> {
        self.deeper(|parser| {
            if parser.peek() == Kind::Name
                && let Kind::Punctuation(next) = parser.ahead(1).kind
                && let Some(&(_, operator)) = ASSIGNMENTS.iter().find(|(written, _)| *written == next)
            {
                let target = parser.name("a variable")?;
                parser.advance();
                let value = parser.expression()?;
                let span = target.span.to(value.span);
                return Ok(Expression {
                    kind: ExpressionKind::Assign(target, operator, Box::new(value)),
                    span,
                });
            }
            parser.binary(0)
        })
    }

    fn binary(&mut self, level: usize) -> Parsed<Expression> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let first = self.binary(level + 1)?;
        let mut rest = Vec::new();
        while let Kind::Punctuation(written) = self.peek()
            && let Some(&(_, operator)) = operators.iter().find(|(known, _)| *known == written)
        {
            self.advance();
            rest.push((operator, self.binary(level + 1)?));
        }
        let Some((_, last)) = rest.last() else { return Ok(first) };
        let span = first.span.to(last.span);
        Ok(Expression { kind: ExpressionKind::Chain(Box::new(first), rest), span })
    }

    fn unary(&mut self) -> Parsed<Expression> {
        let start = self.span();
        if self.skip("!") {
            let operand = self.deeper(Self::unary)?;
            let span = start.to(operand.span);
            return Ok(Expression { kind: ExpressionKind::Not(Box::new(operand)), span });
        }
        if self.skip("-") {
            let operand = self.deeper(Self::unary)?;
            let span = start.to(operand.span);
            return Ok(Expression { kind: ExpressionKind::Negate(Box::new(operand)), span });
        }
        for (written, by) in [("++", 1), ("--", -1)] {
            if self.skip(written) {
                let target = self.name("a variable")?;
                let span = start.to(target.span);
                let kind = ExpressionKind::Step(target, Step { by, postfix: false });
                return Ok(Expression { kind, span });
            }
        }
        self.primary()
    }

    fn primary(&mut self) -> Parsed<Expression> {
        let start = self.span();
        let kind = match self.peek() {
            Kind::Text => {
                let text = self.unquoted();
                self.advance();
                ExpressionKind::Text(text)
            }
            Kind::Name => return self.named(),
            Kind::Punctuation("[") => self.word()?,
            Kind::Punctuation("(") if self.starts_automaton() => {
                ExpressionKind::Automaton(Box::new(self.definition()?))
            }
            Kind::Punctuation("(") => {
                self.advance();
                let inner = self.expression()?;
                self.expect(")")?;
                inner.kind
            }
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expression { kind, span: start.to(self.tokens[self.at - 1].span) })
    }

    /// A number, a truth value, a call, or a variable, maybe with a step.
    fn named(&mut self) -> Parsed<Expression> {
        let name = self.name("a name")?;
        let mut span = name.span;
        let kind = if self.is("(") {
            self.advance();
            let mut arguments = Vec::new();
            while !self.is(")") {
                arguments.push(self.expression()?);
                if !self.skip(",") && !self.is(")") {
                    return Err(self.unexpected("`,` or `)`"));
                }
            }
            span = span.to(self.expect(")")?);
            ExpressionKind::Call(name, arguments)
        } else if name.text.bytes().all(|byte| byte.is_ascii_digit()) {
            let Ok(value) = name.text.parse() else {
                return Err(Box::new(Diagnostic::error(span, "this number is too large")));
            };
            ExpressionKind::Int(value)
        } else if self.is("++") || self.is("--") {
            let by = if self.is("++") { 1 } else { -1 };
            span = span.to(self.advance());
            ExpressionKind::Step(name, Step { by, postfix: true })
        } else {
            match name.text.as_str() {
                "true" => ExpressionKind::Boolean(true),
                "false" => ExpressionKind::Boolean(false),
                _ => ExpressionKind::Variable(name.text),
            }
        };
        Ok(Expression { kind, span })
    }

    fn word(&mut self) -> Parsed<ExpressionKind> {
        self.expect("[")?;
        let mut parts = vec![Vec::new()];
        while !self.skip("]") {
            if self.is(",") && parts.len() == 1 {
                self.advance();
                parts.push(Vec::new());
                continue;
            }
            let returns = self.skip(">");
            let letter = self.name("a letter or `]`")?;
            let position = if returns {
                Position::Return
            } else if self.skip("<") {
                Position::Call
            } else {
                Position::Internal
            };
            if let Some(part) = parts.last_mut() {
                part.push(WordSymbol { position, letter });
            }
        }
        let mut parts = parts.into_iter();
        Ok(match (parts.next(), parts.next()) {
            (Some(stem), Some(repeated)) => ExpressionKind::Lasso(stem, repeated),
            (stem, _) => ExpressionKind::Word(stem.unwrap_or_default()),
        })
    }

    /// Whether an opening bracket starts the fields of an automaton.
    fn starts_automaton(&self) -> bool {
        let field = matches!(self.ahead(1).kind, Kind::Name | Kind::Text)
            && matches!(self.ahead(2).kind, Kind::Punctuation("="))
            && matches!(self.ahead(3).kind, Kind::Punctuation("{"));
        field || matches!(self.ahead(1).kind, Kind::Punctuation(")"))
    }

    fn definition(&mut self) -> Parsed<Definition> {
        self.expect("(")?;
        let mut fields = Vec::new();
        while !self.skip(")") {
            let name = self.name("a field of the automaton or `)`")?;
            self.expect("=")?;
            self.expect("{")?;
            let mut items = Vec::new();
            while !self.skip("}") {
                items.push(self.item()?);
                self.skip(",");
            }
            fields.push(Field { name, items });
            if !self.skip(",") && !self.is(")") {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        Ok(Definition { fields })
    }

    /// An element of a field. Brackets inside a tuple (as Petri nets have them) are flattened.
    fn item(&mut self) -> Parsed<Item> {
        let start = self.span();
        if !self.skip("(") {
            return Ok(Item::Name(self.name("a name, `(` or `}`")?));
        }
        let mut names = Vec::new();
        let mut open = 0;
        loop {
            if self.skip("{") || self.skip("[") {
                open += 1;
            } else if open > 0 && (self.skip("}") || self.skip("]")) {
                open -= 1;
            } else if self.is(")") && open == 0 {
                let end = self.advance();
                return Ok(Item::Tuple(names, start.to(end)));
            } else {
                names.push(self.name("a name or `)`")?);
                self.skip(",");
            }
        }
    }
}
