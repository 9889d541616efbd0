//! Linear temporal logic: formulas, and automata for them.

mod automaton;
mod parse;
mod print;
mod reduce;
mod safety;

pub use automaton::{Automaton, Literal, Transition};
pub use parse::{Malformed, parse};
pub use safety::{BadPrefixes, Step};

use std::collections::BTreeMap;

/// A formula by its number in [`Formulas`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Formula(usize);

/// What a formula is made of. All of them are in negation normal form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Data {
    /// Always true.
    True,
    /// Never true.
    False,
    /// An atomic proposition by its number, or its opposite.
    Literal(usize, bool),
    /// Both.
    And(Formula, Formula),
    /// One of them, or both.
    Or(Formula, Formula),
    /// From the next position on.
    Next(Formula),
    /// The second comes to hold, and the first holds until then.
    Until(Formula, Formula),
    /// The second holds up to and with the position where the first holds, or for ever.
    Release(Formula, Formula),
}

/// How the text of an atomic proposition begins that says that a function is called.
const CALL: &str = "call ";

/// Formulas, equal ones once, and the texts of their atomic propositions.
#[derive(Clone, Default, Debug)]
pub struct Formulas {
    data: Vec<Data>,
    numbers: BTreeMap<Data, Formula>,
    /// The texts of the atomic propositions.
    pub atoms: Vec<String>,
}

impl Formulas {
    /// The data of a formula.
    pub fn data(&self, formula: Formula) -> &Data {
        &self.data[formula.0]
    }

    fn make(&mut self, data: Data) -> Formula {
        if let Some(&known) = self.numbers.get(&data) {
            return known;
        }
        let formula = Formula(self.data.len());
        self.data.push(data.clone());
        self.numbers.insert(data, formula);
        formula
    }

    /// The atomic proposition with a text.
    pub fn atom(&mut self, text: &str) -> Formula {
        let number = self.atoms.iter().position(|atom| atom == text).unwrap_or_else(|| {
            self.atoms.push(text.to_owned());
            self.atoms.len() - 1
        });
        self.make(Data::Literal(number, true))
    }

    /// The atomic proposition that a function is called.
    pub fn call(&mut self, function: &str) -> Formula {
        // No language has such a condition.
        self.atom(&format!("{CALL}{function}"))
    }

    /// The function that an atomic proposition, by its number, says is called; none if it is a condition.
    pub fn called(&self, atom: usize) -> Option<&str> {
        self.atoms[atom].strip_prefix(CALL)
    }

    /// A truth value.
    pub fn constant(&mut self, value: bool) -> Formula {
        self.make(if value { Data::True } else { Data::False })
    }

    /// Both formulas.
    pub fn and(&mut self, left: Formula, right: Formula) -> Formula {
        match (self.data(left), self.data(right)) {
            (Data::True, _) => right,
            (_, Data::True) => left,
            (Data::False, _) | (_, Data::False) => self.constant(false),
            _ if left == right => left,
            _ => self.make(Data::And(left.min(right), left.max(right))),
        }
    }

    /// One of the formulas.
    pub fn or(&mut self, left: Formula, right: Formula) -> Formula {
        match (self.data(left), self.data(right)) {
            (Data::False, _) => right,
            (_, Data::False) => left,
            (Data::True, _) | (_, Data::True) => self.constant(true),
            _ if left == right => left,
            _ => self.make(Data::Or(left.min(right), left.max(right))),
        }
    }

    /// `X formula`
    pub fn next(&mut self, formula: Formula) -> Formula {
        self.make(Data::Next(formula))
    }

    /// `left U right`
    pub fn until(&mut self, left: Formula, right: Formula) -> Formula {
        match self.data(right) {
            Data::True | Data::False => right,
            // `<> <> p` is `<> p`.
            Data::Until(first, _) if self.data(left) == &Data::True && self.data(*first) == &Data::True => {
                right
            }
            _ => self.make(Data::Until(left, right)),
        }
    }

    /// `left R right`
    pub fn release(&mut self, left: Formula, right: Formula) -> Formula {
        match self.data(right) {
            Data::True | Data::False => right,
            Data::Release(first, _)
                if self.data(left) == &Data::False && self.data(*first) == &Data::False =>
            {
                right
            }
            _ => self.make(Data::Release(left, right)),
        }
    }

    /// The opposite of a formula. Linear in its size but for sharing.
    pub fn not(&mut self, formula: Formula) -> Formula {
        match self.data(formula).clone() {
            Data::True => self.constant(false),
            Data::False => self.constant(true),
            Data::Literal(atom, holds) => self.make(Data::Literal(atom, !holds)),
            Data::And(left, right) => {
                let (left, right) = (self.not(left), self.not(right));
                self.or(left, right)
            }
            Data::Or(left, right) => {
                let (left, right) = (self.not(left), self.not(right));
                self.and(left, right)
            }
            Data::Next(inner) => {
                let inner = self.not(inner);
                self.next(inner)
            }
            Data::Until(left, right) => {
                let (left, right) = (self.not(left), self.not(right));
                self.release(left, right)
            }
            Data::Release(left, right) => {
                let (left, right) = (self.not(left), self.not(right));
                self.until(left, right)
            }
        }
    }

    /// Whether a formula contains `X`, so that it matters what a step is.
    pub fn counts_steps(&self, formula: Formula) -> bool {
        match *self.data(formula) {
            Data::True | Data::False | Data::Literal(..) => false,
            Data::Next(_) => true,
            Data::And(left, right)
            | Data::Or(left, right)
            | Data::Until(left, right)
            | Data::Release(left, right) => self.counts_steps(left) || self.counts_steps(right),
        }
    }

    /// Whether a formula holds of the infinite word that begins with `stem` and repeats `cycle`; letters are the sets of
    /// true atoms. The textbook's fixpoints, as a reference for tests.
    pub fn holds(&self, formula: Formula, stem: &[Vec<bool>], cycle: &[Vec<bool>]) -> bool {
        let letters: Vec<&Vec<bool>> = stem.iter().chain(cycle).collect();
        let next = |position: usize| if position + 1 < letters.len() { position + 1 } else { stem.len() };
        self.values(formula, &letters, &next).first().copied().unwrap_or(false)
    }

    fn values(&self, formula: Formula, letters: &[&Vec<bool>], next: &dyn Fn(usize) -> usize) -> Vec<bool> {
        let of = |formula: Formula| self.values(formula, letters, next);
        let all = 0..letters.len();
        match *self.data(formula) {
            Data::True => vec![true; letters.len()],
            Data::False => vec![false; letters.len()],
            Data::Literal(atom, holds) => letters.iter().map(|letter| letter[atom] == holds).collect(),
            Data::And(left, right) => of(left).into_iter().zip(of(right)).map(|(l, r)| l && r).collect(),
            Data::Or(left, right) => of(left).into_iter().zip(of(right)).map(|(l, r)| l || r).collect(),
            Data::Next(inner) => {
                let inner = of(inner);
                all.map(|position| inner[next(position)]).collect()
            }
            Data::Until(left, right) | Data::Release(left, right) => {
                let is_until = matches!(self.data(formula), Data::Until(..));
                let (left, right) = (of(left), of(right));
                // The smallest solution for `U`, the largest for `R`.
                let mut values = vec![!is_until; letters.len()];
                for _ in 0..=letters.len() {
                    for position in (0..letters.len()).rev() {
                        let later = values[next(position)];
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
}
