//! CaRet: the temporal logic of calls and returns (Alur, Etessami, Madhusudan, "A Temporal Logic of Nested Calls and Returns",
//! TACAS 2004).
//!
//! A formula speaks about a position of a nested word, whose letters are calls, returns and internal ones. From a position three ways go
//! on: the *global* one to the next position; the *abstract* one, which jumps from a call to its return and ends
//! where the procedure returns; and the *caller's*, back to the innermost call that is still open. On each way there are
//! the operators "next" and "until".
//!
//! All formulas are in negation normal form, so each "next" comes in two strengths: the strong one asks for a next position, the weak
//! one is true where there is none.
//!
//! [`Automaton`] is a nested word automaton for the formulas that a finite beginning of a word decides: the negations of safety
//! properties. [`Buchi`] is one for all formulas, over infinite words.

mod automaton;
pub mod buchi;
mod evaluate;
mod lasso;
mod parse;
mod print;

pub use automaton::{Automaton, Context, Guard, NotCoSafe, Read, Transition};
pub use buchi::Buchi;
pub use evaluate::{Kind, Letter, holds};
pub use lasso::Lasso;
pub use parse::parse;

use std::collections::BTreeMap;

/// A formula by its number in [`Formulas`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Formula(usize);

/// The ways from a position to the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Way {
    /// To the next position.
    Global,
    /// From a call to its return; otherwise to the next position, unless that is the return of the procedure.
    Abstract,
    /// Back to the innermost call that is still open.
    Caller,
}

/// Whether there must be a next position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strength {
    /// There must be one.
    Strong,
    /// It is true if there is none.
    Weak,
}

/// What an atom says about a position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Atom {
    /// A condition of the program's language.
    Condition(String),
    /// It is a call, of this function if one is named.
    Call(Option<String>),
    /// It is a return, of this function if one is named.
    Return(Option<String>),
    /// It is the last one of its procedure: the next position is a return.
    Last,
}

/// What a formula is made of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Data {
    /// Always true.
    True,
    /// Never true.
    False,
    /// An atom by its number, or its opposite.
    Literal(usize, bool),
    /// Both.
    And(Formula, Formula),
    /// One of them, or both.
    Or(Formula, Formula),
    /// At the next position.
    Next(Way, Strength, Formula),
    /// The second comes to hold on the way, and the first holds until then.
    Until(Way, Formula, Formula),
    /// The second holds up to and with the position where the first holds, or to the end of the way.
    Release(Way, Formula, Formula),
}

/// Formulas, equal ones once, and their atoms.
#[derive(Clone, Default, Debug)]
pub struct Formulas {
    data: Vec<Data>,
    numbers: BTreeMap<Data, Formula>,
    /// The atoms.
    pub atoms: Vec<Atom>,
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

    /// An atom.
    pub fn atom(&mut self, atom: Atom) -> Formula {
        let number = self.atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        });
        self.make(Data::Literal(number, true))
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

    /// The formula at the next position of a way.
    pub fn next(&mut self, way: Way, strength: Strength, formula: Formula) -> Formula {
        self.make(Data::Next(way, strength, formula))
    }

    /// The first formula until the second, on a way.
    pub fn until(&mut self, way: Way, left: Formula, right: Formula) -> Formula {
        self.make(Data::Until(way, left, right))
    }

    /// The second formula until both, or to the end of a way.
    pub fn release(&mut self, way: Way, left: Formula, right: Formula) -> Formula {
        self.make(Data::Release(way, left, right))
    }

    /// The opposite of a formula.
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
            Data::Next(way, strength, inner) => {
                let inner = self.not(inner);
                let other = match strength {
                    Strength::Strong => Strength::Weak,
                    Strength::Weak => Strength::Strong,
                };
                self.next(way, other, inner)
            }
            Data::Until(way, left, right) => {
                let (left, right) = (self.not(left), self.not(right));
                self.release(way, left, right)
            }
            Data::Release(way, left, right) => {
                let (left, right) = (self.not(left), self.not(right));
                self.until(way, left, right)
            }
        }
    }

    /// How many formulas look at a next position.
    pub fn nexts(&self) -> usize {
        self.data.iter().filter(|data| matches!(data, Data::Next(..))).count()
    }

    /// All parts of a formula, itself included, in no particular order but always the same.
    pub fn parts(&self, formula: Formula) -> Vec<Formula> {
        let mut seen = std::collections::BTreeSet::new();
        let mut pending = vec![formula];
        while let Some(next) = pending.pop() {
            if !seen.insert(next) {
                continue;
            }
            match *self.data(next) {
                Data::True | Data::False | Data::Literal(..) => {}
                Data::Next(_, _, inner) => pending.push(inner),
                Data::And(left, right)
                | Data::Or(left, right)
                | Data::Until(_, left, right)
                | Data::Release(_, left, right) => pending.extend([left, right]),
            }
        }
        seen.into_iter().collect()
    }
}
