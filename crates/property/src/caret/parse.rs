//! Formulas as people write them: `G (call(write) -> Fc call(check))`.
//!
//! From weak to strong: `<->`, `->` (to the right), `||`, `&&`, then `U` `R` `W` (to the right), then the prefix operators. An operator is
//! a letter with that of its way: none for the global way, `a` for the abstract one, `c` for the caller's: `X`, `Xa`, `Xc`, `G`, `Ga`, `Gc`, `F`,
//! `Fa`, `Fc`, `U`, `Ua`, `Uc` and so on. `wX`, `wXa` and `wXc` are true where there is no next position. `Ea p` is true if
//! `p` holds on the abstract way before the procedure returns, if it does.
//!
//! Atoms are `AP( … )` with a condition of the program's language, `call(f)`, `call`, `return(f)`, `return` and `last`.

use super::{Atom, Data, Formula, Formulas, Strength, Way};
use crate::ltl::Malformed;

/// Nesting deeper than this is refused.
const DEEPEST: usize = 200;

/// Reads a formula.
pub fn parse(text: &str) -> Result<(Formulas, Formula), Malformed> {
    let mut parser = Parser { text, position: 0, depth: 0, formulas: Formulas::default() };
    let formula = parser.equivalence()?;
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

/// A letter with its way.
fn operator(word: &str) -> Option<(&str, Way)> {
    let (letter, way) = match word.strip_suffix(['a', 'c']) {
        Some(letter) if word.ends_with('a') => (letter, Way::Abstract),
        Some(letter) => (letter, Way::Caller),
        None => (word, Way::Global),
    };
    ["X", "wX", "G", "F", "U", "R", "W", "E"].contains(&letter).then_some((letter, way))
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    fn malformed(&self, what: impl Into<String>) -> Malformed {
        Malformed { position: self.position, what: what.into() }
    }

    fn skip_space(&mut self) {
        self.position += self.rest().len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, signs: &[&str]) -> bool {
        self.skip_space();
        let found = signs.iter().find(|sign| self.rest().starts_with(**sign));
        self.position += found.map_or(0, |sign| sign.len());
        found.is_some()
    }

    /// The word that comes next, without taking it.
    fn word(&mut self) -> &'t str {
        self.skip_space();
        let end = self.rest().find(|c: char| !(c.is_alphanumeric() || "_.$#'~^?".contains(c)));
        &self.rest()[..end.unwrap_or(self.rest().len())]
    }

    fn equivalence(&mut self) -> Parsed {
        let mut left = self.implication()?;
        while self.eat(&["<==>", "<->"]) {
            let right = self.implication()?;
            let (not_left, not_right) = (self.formulas.not(left), self.formulas.not(right));
            let both = self.formulas.and(left, right);
            let none = self.formulas.and(not_left, not_right);
            left = self.formulas.or(both, none);
        }
        Ok(left)
    }

    fn deeper(&mut self) -> Result<(), Malformed> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(self.malformed("the formula is nested too deep")) } else { Ok(()) }
    }

    fn implication(&mut self) -> Parsed {
        self.deeper()?;
        let left = self.disjunction()?;
        let formula = if self.eat(&["==>", "->"]) {
            let (premise, right) = (self.formulas.not(left), self.implication()?);
            self.formulas.or(premise, right)
        } else {
            left
        };
        self.depth -= 1;
        Ok(formula)
    }

    fn disjunction(&mut self) -> Parsed {
        let mut left = self.conjunction()?;
        while self.eat(&["||"]) {
            let right = self.conjunction()?;
            left = self.formulas.or(left, right);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed {
        let mut left = self.binary()?;
        while self.eat(&["&&"]) {
            let right = self.binary()?;
            left = self.formulas.and(left, right);
        }
        Ok(left)
    }

    fn binary(&mut self) -> Parsed {
        self.deeper()?;
        let left = self.unary()?;
        let word = self.word();
        let formula = match operator(word) {
            Some((letter @ ("U" | "R" | "W"), way)) => {
                self.position += word.len();
                let right = self.binary()?;
                match letter {
                    "U" => self.formulas.until(way, left, right),
                    "R" => self.formulas.release(way, left, right),
                    _ => {
                        // `a W b` is `b R (a || b)`.
                        let either = self.formulas.or(left, right);
                        self.formulas.release(way, right, either)
                    }
                }
            }
            _ => left,
        };
        self.depth -= 1;
        Ok(formula)
    }

    fn unary(&mut self) -> Parsed {
        self.deeper()?;
        let formula = self.prefixed()?;
        self.depth -= 1;
        Ok(formula)
    }

    fn prefixed(&mut self) -> Parsed {
        if self.eat(&["!"]) {
            let inner = self.unary()?;
            return Ok(self.formulas.not(inner));
        }
        if self.eat(&["("]) {
            let inner = self.equivalence()?;
            return if self.eat(&[")"]) { Ok(inner) } else { Err(self.malformed("`)` is expected")) };
        }
        let word = self.word();
        let before = self.position;
        self.position += word.len();
        let truth =
            |formulas: &mut Formulas, value| formulas.make(if value { Data::True } else { Data::False });
        match word {
            "true" => return Ok(truth(&mut self.formulas, true)),
            "false" => return Ok(truth(&mut self.formulas, false)),
            "last" => return Ok(self.formulas.atom(Atom::Last)),
            "AP" => {
                let text = self.bracketed()?;
                return Ok(self.formulas.atom(Atom::Condition(text)));
            }
            "call" | "return" => {
                let name =
                    if self.rest().trim_start().starts_with('(') { Some(self.bracketed()?) } else { None };
                let is_call = word == "call";
                return Ok(self.formulas.atom(if is_call { Atom::Call(name) } else { Atom::Return(name) }));
            }
            _ => {}
        }
        let Some((letter, way)) = operator(word).filter(|(letter, _)| !["U", "R", "W"].contains(letter))
        else {
            self.position = before;
            return Err(self.malformed("a formula is expected"));
        };
        if letter == "E" && way != Way::Abstract {
            self.position = before;
            return Err(self.malformed("a formula is expected"));
        }
        let inner = self.unary()?;
        Ok(match letter {
            "X" => self.formulas.next(way, Strength::Strong, inner),
            "wX" => self.formulas.next(way, Strength::Weak, inner),
            "F" => {
                let always = self.formulas.constant(true);
                self.formulas.until(way, always, inner)
            }
            "E" => {
                // Not: `!p` up to the last position.
                let last = self.formulas.atom(Atom::Last);
                let not_last = self.formulas.not(last);
                let open = self.formulas.or(not_last, inner);
                self.formulas.release(way, inner, open)
            }
            _ => {
                let never = self.formulas.constant(false);
                self.formulas.release(way, never, inner)
            }
        })
    }

    /// What stands between brackets.
    fn bracketed(&mut self) -> Result<String, Malformed> {
        if !self.eat(&["("]) {
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
                    "" => Err(self.malformed("a condition or a name is expected")),
                    text => Ok(text.to_owned()),
                };
            }
        }
        Err(self.malformed("`)` is expected"))
    }
}
