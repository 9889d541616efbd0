//! The value of an `#if` expression (C11 6.10.1): 64-bit integers, `defined`, and no other names.

use super::Preprocessor;
use crate::lex::token::{Punct, Token, TokenKind};
use base::{Diagnostic, Span};

/// A value of the preprocessor: `intmax_t` or `uintmax_t`.
#[derive(Clone, Copy)]
struct Value {
    bits: i64,
    unsigned: bool,
}

impl Value {
    fn of(truth: bool) -> Value {
        Value { bits: i64::from(truth), unsigned: false }
    }
}

/// A cursor over the tokens of the condition.
struct Condition<'a> {
    tokens: Vec<Token>,
    next: usize,
    at: Span,
    depth: u32,
    spelling: &'a dyn Fn(Token) -> String,
}

impl Preprocessor<'_> {
    /// Whether the condition of an `#if` or `#elif` holds.
    pub(super) fn condition(&mut self, at: Span, tokens: &[Token]) -> Result<bool, Diagnostic> {
        let resolved = self.resolve_tests(tokens);
        self.in_condition = true;
        let expanded = self.expand_list(&resolved);
        self.in_condition = false;
        let tokens = expanded?;
        let spelling = |token: Token| self.spelling(token).to_owned();
        let mut condition = Condition { tokens, next: 0, at, depth: 0, spelling: &spelling };
        let value = condition.conditional(true)?;
        match condition.peek() {
            None => Ok(value.bits != 0),
            Some(token) => Err(Diagnostic::error(token.span, "unexpected token in this condition")),
        }
    }

    /// Replaces the `__has_…` tests by their values before macros are expanded.
    fn resolve_tests(&mut self, tokens: &[Token]) -> Vec<Token> {
        let mut out: Vec<Token> = Vec::new();
        let mut index = 0;
        while let Some(&token) = tokens.get(index) {
            index += 1;
            let test = self.spelling(token).to_owned();
            let opens = tokens.get(index).is_some_and(|t| t.kind == TokenKind::Punct(Punct::OpenParen));
            if !is_test(&test) || !opens {
                out.push(token);
                continue;
            }
            let close = tokens[index..].iter().position(|t| t.kind == TokenKind::Punct(Punct::CloseParen));
            let end = close.map_or(tokens.len(), |close| index + close);
            let value = self.test(&test, &tokens[(index + 1).min(end)..end]);
            index = (end + 1).min(tokens.len());
            let digit = self.symbols.intern(if value { "1" } else { "0" });
            out.push(Token { kind: TokenKind::Number(digit), ..token });
        }
        out
    }

    /// The answer to a `__has_…` test.
    fn test(&self, test: &str, inside: &[Token]) -> bool {
        match test {
            "__has_include" | "__has_include_next" => {
                let name = self.file_name(inside);
                name.is_some_and(|(name, quoted)| self.find_file(&name, quoted).is_some())
            }
            "__has_attribute" => inside.first().is_some_and(|&name| {
                const KNOWN: &[&str] =
                    &["packed", "aligned", "noreturn", "unused", "const", "pure", "mode", "vector_size"];
                KNOWN.contains(&self.spelling(name).trim_matches('_'))
            }),
            "__has_builtin" => {
                inside.first().is_some_and(|&name| super::headers::has_builtin(self.spelling(name)))
            }
            _ => false,
        }
    }

    /// The value of `defined X` or `defined(X)`, of which the first word was read.
    pub(super) fn defined_operator(&mut self, at: Token, base: usize) -> Result<Token, Diagnostic> {
        let mut token = self.next_unexpanded(base)?;
        let parenthesis = token.kind == TokenKind::Punct(Punct::OpenParen);
        if parenthesis {
            token = self.next_unexpanded(base)?;
        }
        let TokenKind::Name(name) = token.kind else {
            return Err(Diagnostic::error(at.span, "a name is expected behind `defined`"));
        };
        if parenthesis && self.next_unexpanded(base)?.kind != TokenKind::Punct(Punct::CloseParen) {
            return Err(Diagnostic::error(at.span, "`)` is expected behind `defined`"));
        }
        let digit = self.symbols.intern(if self.is_defined(name) { "1" } else { "0" });
        Ok(Token { kind: TokenKind::Number(digit), ..at })
    }
}

/// Whether a name is that of a test, which `#if` may use.
pub(super) fn is_test(name: &str) -> bool {
    matches!(
        name,
        "__has_include" | "__has_include_next" | "__has_attribute" | "__has_builtin" | "__has_c_attribute"
    )
}

impl Condition<'_> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.next).copied()
    }

    fn punct(&mut self, punct: Punct) -> bool {
        let found = self.peek().is_some_and(|t| t.kind == TokenKind::Punct(punct));
        self.next += usize::from(found);
        found
    }

    fn error<T>(&self, message: &str) -> Result<T, Diagnostic> {
        Err(Diagnostic::error(self.peek().map_or(self.at, |t| t.span), message))
    }

    /// `live` is false in operands that are not evaluated: a division by zero there is no error.
    fn conditional(&mut self, live: bool) -> Result<Value, Diagnostic> {
        self.depth += 1;
        if self.depth > 200 {
            return self.error("this condition is nested too deeply");
        }
        let condition = self.binary(0, live)?;
        let mut value = condition;
        if self.punct(Punct::Question) {
            let holds = condition.bits != 0;
            let then = self.conditional(live && holds)?;
            if !self.punct(Punct::Colon) {
                return self.error("`:` is expected in this condition");
            }
            let otherwise = self.conditional(live && !holds)?;
            let unsigned = then.unsigned || otherwise.unsigned;
            value = Value { bits: if holds { then.bits } else { otherwise.bits }, unsigned };
        }
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, least: u8, live: bool) -> Result<Value, Diagnostic> {
        let mut left = self.unary(live)?;
        while let Some(Token { kind: TokenKind::Punct(operator), .. }) = self.peek() {
            let Some(precedence) = precedence(operator) else { break };
            if precedence < least {
                break;
            }
            self.next += 1;
            let right_live = live
                && match operator {
                    Punct::AndAnd => left.bits != 0,
                    Punct::OrOr => left.bits == 0,
                    _ => true,
                };
            let right = self.binary(precedence + 1, right_live)?;
            left = match apply(operator, left, right) {
                Some(value) => value,
                None if right_live => return self.error("division by zero in this condition"),
                None => left,
            };
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Result<Value, Diagnostic> {
        let mut operators = Vec::new();
        while let Some(Token { kind: TokenKind::Punct(operator), .. }) = self.peek() {
            if !matches!(operator, Punct::Not | Punct::Minus | Punct::Plus | Punct::Tilde) {
                break;
            }
            operators.push(operator);
            self.next += 1;
        }
        let mut value = self.primary(live)?;
        for operator in operators.into_iter().rev() {
            value = match operator {
                Punct::Not => Value::of(value.bits == 0),
                Punct::Minus => Value { bits: value.bits.wrapping_neg(), ..value },
                Punct::Tilde => Value { bits: !value.bits, ..value },
                _ => value,
            };
        }
        Ok(value)
    }

    fn primary(&mut self, live: bool) -> Result<Value, Diagnostic> {
        let Some(token) = self.peek() else { return self.error("this condition ends too early") };
        self.next += 1;
        let text = (self.spelling)(token);
        match token.kind {
            // Names that are no macros count as 0. `f(x)` with an unknown `f` is an error below, as in compilers.
            TokenKind::Name(_) => Ok(Value::of(text == "true")),
            TokenKind::Number(_) => match crate::literals::integer(&text) {
                Some(literal) if literal.value <= u128::from(u64::MAX) => {
                    let unsigned = literal.unsigned || literal.value > i64::MAX as u128;
                    Ok(Value { bits: literal.value as u64 as i64, unsigned })
                }
                _ => Err(Diagnostic::error(token.span, "this is not an integer")),
            },
            TokenKind::Char(_) => match crate::literals::character(&text) {
                Some((value, _)) => Ok(Value { bits: value, unsigned: false }),
                None => Err(Diagnostic::error(token.span, "this is not a character constant")),
            },
            TokenKind::Punct(Punct::OpenParen) => {
                let value = self.conditional(live)?;
                if !self.punct(Punct::CloseParen) {
                    return self.error("`)` is expected in this condition");
                }
                Ok(value)
            }
            _ => Err(Diagnostic::error(token.span, "unexpected token in this condition")),
        }
    }
}

fn precedence(operator: Punct) -> Option<u8> {
    use Punct::*;
    Some(match operator {
        OrOr => 1,
        AndAnd => 2,
        Or => 3,
        Caret => 4,
        And => 5,
        EqualEqual | NotEqual => 6,
        Less | Greater | LessEqual | GreaterEqual => 7,
        ShiftLeft | ShiftRight => 8,
        Plus | Minus => 9,
        Star | Slash | Percent => 10,
        _ => return None,
    })
}

/// `None` on a division by zero.
fn apply(operator: Punct, left: Value, right: Value) -> Option<Value> {
    use Punct::*;
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (ua, ub) = (a as u64, b as u64);
    let order = if unsigned { ua.cmp(&ub) } else { a.cmp(&b) };
    let bits = match operator {
        OrOr => return Some(Value::of(a != 0 || b != 0)),
        AndAnd => return Some(Value::of(a != 0 && b != 0)),
        EqualEqual => return Some(Value::of(a == b)),
        NotEqual => return Some(Value::of(a != b)),
        Less => return Some(Value::of(order.is_lt())),
        Greater => return Some(Value::of(order.is_gt())),
        LessEqual => return Some(Value::of(order.is_le())),
        GreaterEqual => return Some(Value::of(order.is_ge())),
        ShiftLeft => return Some(Value { bits: a.wrapping_shl(b as u32), unsigned: left.unsigned }),
        ShiftRight => {
            let bits =
                if left.unsigned { ua.wrapping_shr(b as u32) as i64 } else { a.wrapping_shr(b as u32) };
            return Some(Value { bits, unsigned: left.unsigned });
        }
        Or => a | b,
        Caret => a ^ b,
        And => a & b,
        Plus => a.wrapping_add(b),
        Minus => a.wrapping_sub(b),
        Star => a.wrapping_mul(b),
        Slash if unsigned => ua.checked_div(ub)? as i64,
        Percent if unsigned => ua.checked_rem(ub)? as i64,
        Slash if b == 0 => return None,
        Percent if b == 0 => return None,
        Slash => a.wrapping_div(b),
        Percent => a.wrapping_rem(b),
        _ => return None,
    };
    Some(Value { bits, unsigned })
}
