//! Claims about loops that are shown by induction over their rounds: plain data, in proofs and for those who check them.
//!
//! Nothing here is known to be true. What a claim means and what has to be shown for it says crate `unwind`.

use crate::{Block, Procedure, Variable};

/// A loop that is shown by induction over so many rounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Induction {
    /// The procedure of the loop.
    pub procedure: Procedure,
    /// The block with which each round begins.
    pub head: Block,
    /// How many rounds without a failure are supposed before the one that is shown not to fail; at least one.
    pub rounds: u32,
    /// What holds whenever a round begins.
    pub facts: Vec<Fact>,
}

/// A fact about the values of variables as numbers: `false` is 0, `true` is 1, and bit-vectors are without a sign.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fact {
    /// Variables times numbers; the sum of these is what the fact is about.
    pub sum: Vec<Monomial>,
    /// What holds for the sum.
    pub relation: Relation,
}

/// A variable times a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Monomial {
    /// The number.
    pub factor: i64,
    /// The variable.
    pub variable: Variable,
}

/// What holds for a number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// It is at most this one.
    AtMost(i128),
    /// It is at least this one.
    AtLeast(i128),
    /// It is one from the first to the second.
    Between(i128, i128),
    /// It is this one.
    Equal(i128),
    /// It is another one.
    Unequal(i128),
    /// It is the residue, up to multiples of the modulus, which is positive.
    Residue {
        /// The modulus.
        modulus: i128,
        /// What remains, from zero to below the modulus.
        residue: i128,
    },
    /// It is one of these.
    OneOf(Vec<i128>),
}

impl Relation {
    /// Whether it holds for a number.
    pub fn holds(&self, number: i128) -> bool {
        match self {
            Relation::AtMost(bound) => number <= *bound,
            Relation::AtLeast(bound) => number >= *bound,
            Relation::Between(low, high) => (*low..=*high).contains(&number),
            Relation::Equal(value) => number == *value,
            Relation::Unequal(value) => number != *value,
            Relation::Residue { modulus, residue } => number.checked_rem_euclid(*modulus) == Some(*residue),
            Relation::OneOf(values) => values.contains(&number),
        }
    }
}

impl Fact {
    /// The fact that a variable relates to constants.
    pub fn about(variable: Variable, relation: Relation) -> Fact {
        Fact { sum: vec![Monomial { factor: 1, variable }], relation }
    }

    /// The fact that the difference of two variables relates to constants.
    pub fn difference(variable: Variable, less: Variable, relation: Relation) -> Fact {
        let sum = vec![Monomial { factor: 1, variable }, Monomial { factor: -1, variable: less }];
        Fact { sum, relation }
    }

    /// Whether the fact holds for values of the variables; nothing if a value is not known or too large.
    pub fn holds(&self, value: impl Fn(Variable) -> Option<i128>) -> Option<bool> {
        let mut sum = 0_i128;
        for monomial in &self.sum {
            let product = value(monomial.variable)?.checked_mul(i128::from(monomial.factor))?;
            sum = sum.checked_add(product)?;
        }
        Some(self.relation.holds(sum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::EntityRef;

    #[test]
    fn facts_about_numbers() {
        let (x, y) = (Variable::new(0), Variable::new(1));
        let values = |variable: Variable| if variable == x { Some(7) } else { Some(-3) };
        let holds = |fact: Fact| fact.holds(values);
        assert_eq!(holds(Fact::about(x, Relation::AtMost(7))), Some(true));
        assert_eq!(holds(Fact::about(x, Relation::AtMost(6))), Some(false));
        assert_eq!(holds(Fact::about(y, Relation::AtLeast(-3))), Some(true));
        assert_eq!(holds(Fact::about(y, Relation::Between(-2, 7))), Some(false));
        assert_eq!(holds(Fact::about(y, Relation::Residue { modulus: 4, residue: 1 })), Some(true));
        assert_eq!(holds(Fact::difference(x, y, Relation::Equal(10))), Some(true));
        assert_eq!(holds(Fact::difference(x, y, Relation::Unequal(10))), Some(false));
        assert_eq!(holds(Fact::about(y, Relation::OneOf(vec![1, -3]))), Some(true));
        assert_eq!(Fact::about(x, Relation::Equal(1)).holds(|_| None), None);
        assert_eq!(Fact::difference(x, y, Relation::Equal(0)).holds(|_| Some(i128::MIN)), None);
    }
}
