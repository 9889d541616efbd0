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
    /// The number that the fact is about.
    pub of: Combined,
    /// What holds for it.
    pub relation: Relation,
}

/// A number that is made of variables. For bits, numbers are in two's complement with as many bits as one likes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Combined {
    /// The sum of variables times numbers.
    Sum(Vec<Monomial>),
    /// The bits that are set in an odd number of words.
    Xor(Vec<Shifted>),
    /// The bits that are set in all words.
    And(Vec<Shifted>),
}

/// A word: a variable plus a number, its bits moved, and then perhaps all of them flipped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shifted {
    /// The variable.
    pub variable: Variable,
    /// What is added to it.
    pub plus: i64,
    /// By how many places its bits are moved to the left; to the right if it is negative, and then the lowest are lost.
    pub left: i32,
    /// Whether zeros and ones change places.
    pub flipped: bool,
}

/// Words are not moved farther than this.
pub const FARTHEST: i32 = 128;

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
    /// Its bits under the mask, which is not negative, are these.
    Bits {
        /// Which bits are meant.
        mask: i128,
        /// What they are; none outside of the mask is set.
        value: i128,
    },
    /// Its bits under the mask, which is not negative, are not these.
    OtherBits {
        /// Which bits are meant.
        mask: i128,
        /// What they are not.
        value: i128,
    },
    /// So many of its bits under the mask are set: an odd number, or an even one.
    Parity {
        /// Which bits are meant; it is not negative.
        mask: i128,
        /// Whether their number is odd.
        odd: bool,
    },
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
            Relation::Bits { mask, value } => number & mask == *value,
            Relation::OtherBits { mask, value } => number & mask != *value,
            Relation::Parity { mask, odd } => ((number & mask).count_ones() % 2 == 1) == *odd,
        }
    }
}

impl Fact {
    /// The fact that a variable relates to constants.
    pub fn about(variable: Variable, relation: Relation) -> Fact {
        Fact { of: Combined::Sum(vec![Monomial { factor: 1, variable }]), relation }
    }

    /// The fact that the difference of two variables relates to constants.
    pub fn difference(variable: Variable, less: Variable, relation: Relation) -> Fact {
        let sum = vec![Monomial { factor: 1, variable }, Monomial { factor: -1, variable: less }];
        Fact { of: Combined::Sum(sum), relation }
    }

    /// The variables that the fact is about.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        let (sum, words): (&[Monomial], &[Shifted]) = match &self.of {
            Combined::Sum(sum) => (sum, &[]),
            Combined::Xor(words) | Combined::And(words) => (&[], words),
        };
        sum.iter().map(|monomial| monomial.variable).chain(words.iter().map(|word| word.variable))
    }

    /// Whether the fact holds for values of the variables; nothing if a value is not known or too large.
    pub fn holds(&self, value: impl Fn(Variable) -> Option<i128>) -> Option<bool> {
        Some(self.relation.holds(self.of.number(value)?))
    }
}

impl Combined {
    /// The number for values of the variables; nothing if a value is not known or too large.
    pub fn number(&self, value: impl Fn(Variable) -> Option<i128>) -> Option<i128> {
        let words = |words: &[Shifted]| -> Option<Vec<i128>> {
            words.iter().map(|word| word.of(value(word.variable)?)).collect()
        };
        match self {
            Combined::Sum(sum) => {
                let mut all = 0_i128;
                for monomial in sum {
                    let product = value(monomial.variable)?.checked_mul(i128::from(monomial.factor))?;
                    all = all.checked_add(product)?;
                }
                Some(all)
            }
            Combined::Xor(list) => Some(words(list)?.into_iter().fold(0, |all, word| all ^ word)),
            Combined::And(list) => Some(words(list)?.into_iter().fold(-1, |all, word| all & word)),
        }
    }
}

impl Shifted {
    /// A variable as it is.
    pub fn plain(variable: Variable) -> Shifted {
        Shifted { variable, plus: 0, left: 0, flipped: false }
    }

    /// The word for a value of the variable; nothing if it is too large.
    pub fn of(&self, value: i128) -> Option<i128> {
        let number = value.checked_add(i128::from(self.plus))?;
        let moved = match u32::try_from(self.left) {
            Ok(left) => number.checked_mul(1_i128.checked_shl(left).filter(|&unit| unit > 0)?)?,
            Err(_) => number >> self.left.unsigned_abs().min(127),
        };
        Some(if self.flipped { !moved } else { moved })
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
        let of_bits = |of: Combined, mask: i128, value: i128| {
            holds(Fact { of, relation: Relation::Bits { mask, value } })
        };
        let flipped = Shifted { flipped: true, ..Shifted::plain(y) };
        let moved = |left: i32| Shifted { left, ..Shifted::plain(x) };
        assert_eq!(of_bits(Combined::And(vec![Shifted::plain(x), flipped]), 255, 2), Some(true));
        assert_eq!(of_bits(Combined::Xor(vec![moved(1), moved(-1)]), 255, 13), Some(true));
        assert_eq!(
            of_bits(Combined::And(vec![Shifted { plus: 1, ..Shifted::plain(x) }]), 255, 8),
            Some(true)
        );
        assert_eq!(of_bits(Combined::Xor(vec![moved(128)]), 255, 0), None);
        assert_eq!(holds(Fact::about(y, Relation::OtherBits { mask: 3, value: 1 })), Some(false));
        assert_eq!(holds(Fact::about(y, Relation::Parity { mask: 15, odd: true })), Some(true));
        assert_eq!(Fact::about(x, Relation::Equal(1)).holds(|_| None), None);
        assert_eq!(Fact::difference(x, y, Relation::Equal(0)).holds(|_| Some(i128::MIN)), None);
    }
}
