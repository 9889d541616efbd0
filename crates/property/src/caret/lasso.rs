//! The meaning of formulas on infinite nested words that repeat themselves: the definitions of the paper, as a reference for tests.
//!
//! A word begins with a stem and repeats a cycle. No return is without its call. A round of the cycle may leave calls open; then formulas
//! must not look at callers, because every round has another chain of them. Otherwise, from the third round on, all rounds look
//! alike: the calls that are open at a position and were not so at the lowest position of the round lie within one round before it.

use super::{Atom, Data, Formula, Formulas, Kind, Letter, Strength, Way};

/// How many rounds are looked at before the word repeats itself.
const ROUNDS: usize = 3;

/// An infinite nested word.
#[derive(Clone, Copy, Debug)]
pub struct Lasso<'a> {
    /// How it begins.
    pub stem: &'a [Letter],
    /// What is repeated for ever; not empty.
    pub cycle: &'a [Letter],
}

impl<'a> Lasso<'a> {
    /// The letter at a position of the word.
    pub fn letter(&self, position: usize) -> &'a Letter {
        match self.stem.get(position) {
            Some(letter) => letter,
            None => &self.cycle[(position - self.stem.len()) % self.cycle.len()],
        }
    }

    /// How many positions are told apart.
    fn length(&self) -> usize {
        self.stem.len() + ROUNDS * self.cycle.len()
    }

    /// The position that stands for a position.
    fn standing_for(&self, position: usize) -> usize {
        let mut position = position;
        while position >= self.length() {
            position -= self.cycle.len();
        }
        position
    }

    /// The position after a position.
    pub fn next(&self, position: usize) -> usize {
        self.standing_for(position + 1)
    }

    /// Whether a position is one of the round that stands for all later ones.
    pub fn is_repeated(&self, position: usize) -> bool {
        position + self.cycle.len() >= self.length()
    }

    /// The return of a call. One that is not returned from within two rounds never is.
    fn matching(&self, call: usize) -> Option<usize> {
        let mut open = 0_i32;
        let end = call.max(self.stem.len()) + 2 * self.cycle.len() + self.stem.len() + 1;
        (call..end).find(|&position| {
            open += match self.letter(position).kind {
                Kind::Call => 1,
                Kind::Return => -1,
                Kind::Internal => 0,
            };
            open == 0
        })
    }

    /// Whether a call is returned from.
    pub fn returns(&self, call: usize) -> bool {
        self.matching(call).is_some()
    }

    /// Whether no return is without its call.
    pub fn is_well_nested(&self) -> bool {
        let mut open = 0_i32;
        (0..self.length()).all(|position| {
            open += match self.letter(position).kind {
                Kind::Call => 1,
                Kind::Return => -1,
                Kind::Internal => 0,
            };
            open >= 0
        })
    }

    /// How many calls a round leaves open.
    pub fn growth(&self) -> i32 {
        let one = |letter: &Letter| match letter.kind {
            Kind::Call => 1,
            Kind::Return => -1,
            Kind::Internal => 0,
        };
        self.cycle.iter().map(one).sum()
    }

    fn way(&self, way: Way, position: usize) -> Option<usize> {
        match way {
            Way::Global => Some(self.next(position)),
            Way::Abstract if self.letter(position).kind == Kind::Call => {
                self.matching(position).map(|end| self.standing_for(end))
            }
            Way::Abstract => Some(self.next(position)).filter(|&next| self.letter(next).kind != Kind::Return),
            Way::Caller => (0..position).rev().find(|&call| {
                self.letter(call).kind == Kind::Call && self.matching(call).is_none_or(|end| end > position)
            }),
        }
    }

    /// Whether a formula holds at the first position.
    pub fn holds(&self, formulas: &Formulas, formula: Formula) -> bool {
        self.values(formulas, formula).first().copied().unwrap_or(false)
    }

    fn values(&self, formulas: &Formulas, formula: Formula) -> Vec<bool> {
        let of = |formula: Formula| self.values(formulas, formula);
        let all = 0..self.length();
        match *formulas.data(formula) {
            Data::True => vec![true; self.length()],
            Data::False => vec![false; self.length()],
            Data::Literal(atom, wanted) => {
                all.map(|position| self.literal(&formulas.atoms[atom], atom, position) == wanted).collect()
            }
            Data::And(left, right) => of(left).into_iter().zip(of(right)).map(|(l, r)| l && r).collect(),
            Data::Or(left, right) => of(left).into_iter().zip(of(right)).map(|(l, r)| l || r).collect(),
            Data::Next(way, strength, inner) => {
                let inner = of(inner);
                let value =
                    |position| self.way(way, position).map_or(strength == Strength::Weak, |it| inner[it]);
                all.map(value).collect()
            }
            Data::Until(way, left, right) | Data::Release(way, left, right) => {
                let is_until = matches!(formulas.data(formula), Data::Until(..));
                let (left, right) = (of(left), of(right));
                // The smallest solution for "until", the largest for "release".
                let mut values = vec![!is_until; self.length()];
                for _ in 0..=self.length() {
                    for position in all.clone() {
                        let later = self.way(way, position).map_or(!is_until, |next| values[next]);
                        values[position] = if is_until {
                            right[position] || left[position] && later
                        } else {
                            right[position] && (left[position] || later)
                        };
                    }
                }
                values
            }
        }
    }

    fn literal(&self, atom: &Atom, number: usize, position: usize) -> bool {
        let letter = self.letter(position);
        match atom {
            Atom::Call(None) => letter.kind == Kind::Call,
            Atom::Return(None) => letter.kind == Kind::Return,
            // A call goes on with its return.
            Atom::Last => letter.kind != Kind::Call && self.letter(self.next(position)).kind == Kind::Return,
            Atom::Condition(_) | Atom::Call(Some(_)) | Atom::Return(Some(_)) => letter.values[number],
        }
    }
}
