//! Formulas as people write them: `[](AP(x > 0) ==> <>AP(y == 0))`, or with letters, `G (AP(x > 0) -> F AP(y == 0))`.
//!
//! From weak to strong: `<==>`, `==>` (to the right), `||`, `&&`, `U` `R` `W` (to the right), then `!` `[]` `<>` `X`. The text inside `AP( … )`
//! is a condition of the program's language and is not looked into.

use super::{Data, Formula, Formulas};
use std::fmt;

/// Why a text is no formula: where, in bytes, and what is expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed {
    /// The position.
    pub position: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at character {} of the formula", self.what, self.position + 1)
    }
}

/// Nesting deeper than this is refused.
const DEEPEST: usize = 500;

/// Reads a formula; a `;` at its end is allowed.
pub fn parse(text: &str) -> Result<(Formulas, Formula), Malformed> {
    let mut parser = Parser { text, position: 0, depth: 0, formulas: Formulas::default() };
    let formula = parser.equivalence()?;
    parser.eat(&[";"]);
    match parser.rest().trim().is_empty() {
        true => Ok((parser.formulas, formula)),
        false => Err(parser.malformed("an operator is expected")),
    }
}

struct Parser<'t> {
    text: &'t str,
    position: usize,
    depth: usize,
    formulas: Formulas,
}

type Parsed = Result<Formula, Malformed>;

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    fn malformed(&self, what: impl Into<String>) -> Malformed {
        Malformed { position: self.position, what: what.into() }
    }

    /// Takes one of the tokens, if it comes next. A token of letters ends where a word ends.
    fn eat(&mut self, tokens: &[&'static str]) -> Option<&'static str> {
        let rest = self.rest();
        let trimmed = rest.trim_start();
        let in_word = |character: char| character.is_alphanumeric() || character == '_';
        let found = tokens.iter().find(|token| {
            trimmed.strip_prefix(**token).is_some_and(|after| {
                !token.chars().all(in_word) || !after.chars().next().is_some_and(in_word)
            })
        })?;
        self.position += rest.len() - trimmed.len() + found.len();
        Some(found)
    }

    fn equivalence(&mut self) -> Parsed {
        let mut left = self.implication()?;
        while self.eat(&["<==>", "<->", "<=>"]).is_some() {
            let right = self.implication()?;
            let (not_left, not_right) = (self.formulas.not(left), self.formulas.not(right));
            let both = self.formulas.and(left, right);
            let none = self.formulas.and(not_left, not_right);
            left = self.formulas.or(both, none);
        }
        Ok(left)
    }

    fn implication(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.malformed("the formula is nested too deep"));
        }
        let left = self.disjunction()?;
        let formula = match self.eat(&["==>", "->", "=>"]) {
            Some(_) => {
                let (premise, right) = (self.formulas.not(left), self.implication()?);
                self.formulas.or(premise, right)
            }
            None => left,
        };
        self.depth -= 1;
        Ok(formula)
    }

    fn disjunction(&mut self) -> Parsed {
        let mut left = self.conjunction()?;
        while self.eat(&["||", "|", "or"]).is_some() {
            let right = self.conjunction()?;
            left = self.formulas.or(left, right);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed {
        let mut left = self.binary()?;
        while self.eat(&["&&", "&", "and"]).is_some() {
            let right = self.binary()?;
            left = self.formulas.and(left, right);
        }
        Ok(left)
    }

    fn binary(&mut self) -> Parsed {
        let left = self.unary()?;
        let Some(operator) = self.eat(&["U", "R", "V", "W"]) else { return Ok(left) };
        let right = self.binary()?;
        Ok(match operator {
            "U" => self.formulas.until(left, right),
            "W" => {
                // `a W b` is `b R (a || b)`.
                let either = self.formulas.or(left, right);
                self.formulas.release(right, either)
            }
            _ => self.formulas.release(left, right),
        })
    }

    fn unary(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.malformed("the formula is nested too deep"));
        }
        let operator = self
            .eat(&["!", "~", "not", "[]", "G", "<>", "F", "X", "true", "false", "1", "0", "AP", "call", "("]);
        let formula = match operator {
            Some("!" | "~" | "not") => {
                let inner = self.unary()?;
                self.formulas.not(inner)
            }
            Some("[]" | "G") => {
                let (inner, never) = (self.unary()?, self.formulas.constant(false));
                self.formulas.release(never, inner)
            }
            Some("<>" | "F") => {
                let (inner, always) = (self.unary()?, self.formulas.constant(true));
                self.formulas.until(always, inner)
            }
            Some("X") => {
                let inner = self.unary()?;
                self.formulas.next(inner)
            }
            Some(word @ ("true" | "false" | "1" | "0")) => self.formulas.make(match word {
                "true" | "1" => Data::True,
                _ => Data::False,
            }),
            Some("AP") => self.atom()?,
            Some("call") => self.call()?,
            Some("(") => {
                let inner = self.equivalence()?;
                if self.eat(&[")"]).is_none() {
                    return Err(self.malformed("`)` is expected"));
                }
                inner
            }
            _ => return Err(self.malformed("a formula is expected")),
        };
        self.depth -= 1;
        Ok(formula)
    }

    /// The function of `call(f())`, or of `call(f)`.
    fn call(&mut self) -> Parsed {
        let called = self.in_brackets()?;
        let (name, arguments) = match called.split_once('(') {
            None => (called.as_str(), Some("")),
            Some((name, rest)) => (name, rest.trim_end().strip_suffix(')')),
        };
        let name = name.trim();
        let in_name = |character: char| character.is_alphanumeric() || "_.$#'`~^?".contains(character);
        if name.is_empty() || !name.chars().all(in_name) {
            return Err(self.malformed("the name of a function is expected"));
        }
        match arguments.map(str::trim) {
            Some("" | "..." | "…") => Ok(self.formulas.call(name)),
            _ => Err(self.malformed("a call with any arguments, `call(f())`, is expected")),
        }
    }

    /// The condition of `AP( … )`.
    fn atom(&mut self) -> Parsed {
        let condition = self.in_brackets()?;
        Ok(self.formulas.atom(&condition))
    }

    /// What stands between brackets.
    fn in_brackets(&mut self) -> Result<String, Malformed> {
        if self.eat(&["("]).is_none() {
            return Err(self.malformed("`(` is expected"));
        }
        let start = self.position;
        let mut open = 1;
        for (offset, character) in self.rest().char_indices() {
            match character {
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
            if open == 0 {
                self.position = start + offset + 1;
                return match self.text[start..start + offset].trim() {
                    "" => Err(self.malformed("a condition is expected")),
                    inner => Ok(inner.to_owned()),
                };
            }
        }
        Err(self.malformed("`)` is expected"))
    }
}
