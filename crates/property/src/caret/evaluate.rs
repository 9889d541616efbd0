//! The meaning of formulas on finite nested words: the definitions of the paper, as a reference for tests.
//!
//! What lies behind the end of the word is not known, so a strong "next" is false there. Positions whose next one is not known are not the
//! last of their procedure, and are not known not to be: neither `last` nor its opposite holds.

use super::{Atom, Data, Formula, Formulas, Strength, Way};

/// The kinds of positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A call.
    Call,
    /// A return.
    Return,
    /// Any other position.
    Internal,
}

/// A letter of a nested word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letter {
    /// Its kind.
    pub kind: Kind,
    /// The values of the atoms that are conditions or names; the others follow from the kind.
    pub values: Vec<bool>,
}

/// Whether a formula holds at the first position of a word in which no return is without its call.
pub fn holds(formulas: &Formulas, formula: Formula, word: &[Letter]) -> bool {
    !word.is_empty() && Word { formulas, word }.at(formula, 0)
}

struct Word<'a> {
    formulas: &'a Formulas,
    word: &'a [Letter],
}

impl Word<'_> {
    /// The return of a call, if the word has it.
    fn matching(&self, call: usize) -> Option<usize> {
        let mut open = 0_usize;
        for (position, letter) in self.word.iter().enumerate().skip(call) {
            match letter.kind {
                Kind::Call => open += 1,
                Kind::Return => open -= 1,
                Kind::Internal => {}
            }
            if open == 0 {
                return Some(position);
            }
        }
        None
    }

    fn next(&self, way: Way, position: usize) -> Option<usize> {
        let follower = Some(position + 1).filter(|&next| next < self.word.len());
        match way {
            Way::Global => follower,
            Way::Abstract if self.word[position].kind == Kind::Call => self.matching(position),
            Way::Abstract => follower.filter(|&next| self.word[next].kind != Kind::Return),
            Way::Caller => (0..position).rev().find(|&call| {
                self.word[call].kind == Kind::Call && self.matching(call).is_none_or(|end| end > position)
            }),
        }
    }

    fn at(&self, formula: Formula, position: usize) -> bool {
        let next = |way| self.next(way, position);
        match *self.formulas.data(formula) {
            Data::True => true,
            Data::False => false,
            Data::Literal(atom, wanted) => self.literal(atom, wanted, position),
            Data::And(left, right) => self.at(left, position) && self.at(right, position),
            Data::Or(left, right) => self.at(left, position) || self.at(right, position),
            Data::Next(way, strength, inner) => match next(way) {
                Some(next) => self.at(inner, next),
                None => strength == Strength::Weak,
            },
            Data::Until(way, left, right) => {
                self.at(right, position)
                    || (self.at(left, position) && next(way).is_some_and(|next| self.at(formula, next)))
            }
            Data::Release(way, left, right) => {
                self.at(right, position)
                    && (self.at(left, position) || next(way).is_none_or(|next| self.at(formula, next)))
            }
        }
    }

    fn literal(&self, atom: usize, wanted: bool, position: usize) -> bool {
        let letter = &self.word[position];
        let kind = |kind: Kind| (letter.kind == kind) == wanted;
        match &self.formulas.atoms[atom] {
            Atom::Call(None) => kind(Kind::Call),
            Atom::Return(None) => kind(Kind::Return),
            // A call goes on with its return.
            Atom::Last if letter.kind == Kind::Call => !wanted,
            Atom::Last => {
                self.word.get(position + 1).is_some_and(|next| (next.kind == Kind::Return) == wanted)
            }
            Atom::Condition(_) | Atom::Call(Some(_)) | Atom::Return(Some(_)) => letter.values[atom] == wanted,
        }
    }
}
