//! Gates over input bits. A gate is made once; one with constant, equal or opposite inputs is not made at all.

use crate::sums::{Sum, Sums};
use rustc_hash::FxHashMap;

/// The output of a gate, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bit(u32);

impl Bit {
    /// The constant false.
    pub const FALSE: Bit = Bit(0);
    /// The constant true.
    pub const TRUE: Bit = Bit(1);

    /// A constant.
    pub fn of(value: bool) -> Bit {
        Bit(u32::from(value))
    }

    /// Its value if it is a constant.
    pub fn constant(self) -> Option<bool> {
        (self.0 <= 1).then_some(self.0 == 1)
    }

    /// The number of its gate.
    pub fn gate(self) -> u32 {
        self.0 / 2
    }

    /// Whether it is the negation of its gate.
    pub fn negated(self) -> bool {
        self.0 % 2 == 1
    }

    /// The output of a gate.
    pub fn output(gate: u32) -> Bit {
        Bit(2 * gate)
    }

    /// The negation if that is wanted.
    fn not_if(self, negate: bool) -> Bit {
        if negate { !self } else { self }
    }
}

impl std::ops::Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

/// What a gate computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gate {
    /// False; the first gate.
    False,
    /// Anything.
    Input,
    /// Both.
    And(Bit, Bit),
    /// Exactly one of the two.
    Xor(Bit, Bit),
    /// The second if the first is true, else the third.
    Choice(Bit, Bit, Bit),
    /// At least two of the three.
    Carry(Bit, Bit, Bit),
}

/// All gates.
pub struct Gates {
    gates: Vec<Gate>,
    made: FxHashMap<Gate, u32>,
    sums: Sums,
    /// Bits that are true whatever the inputs are, each with the gate that it is about.
    truths: Vec<(u32, Bit)>,
}

impl Default for Gates {
    fn default() -> Gates {
        Gates {
            gates: vec![Gate::False],
            made: FxHashMap::default(),
            sums: Sums::default(),
            truths: Vec::new(),
        }
    }
}

impl Gates {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.gates.len()
    }

    /// What a gate computes.
    pub fn gate(&self, number: u32) -> Gate {
        self.gates[number as usize]
    }

    /// Bits that are always true, each with the gate that it is about.
    pub fn truths(&self) -> &[(u32, Bit)] {
        &self.truths
    }

    /// Notes a bit that is true whatever the inputs are: a theorem about the numbers that the gates compute.
    pub fn truth(&mut self, about: Bit, bit: Bit) {
        if bit.constant().is_none() && about.constant().is_none() {
            self.truths.push((about.gate(), bit));
        }
    }

    /// A new input.
    pub fn input(&mut self) -> Bit {
        self.gates.push(Gate::Input);
        Bit::output(self.gates.len() as u32 - 1)
    }

    fn make(&mut self, gate: Gate) -> Bit {
        let next = self.gates.len() as u32;
        let number = *self.made.entry(gate).or_insert(next);
        if number == next {
            self.gates.push(gate);
        }
        Bit::output(number)
    }

    /// The inputs of the bit if it is the output of an and-gate that is not negated.
    pub(crate) fn conjuncts(&self, bit: Bit) -> Option<(Bit, Bit)> {
        match self.gate(bit.gate()) {
            Gate::And(a, b) if !bit.negated() => Some((a, b)),
            _ => None,
        }
    }

    /// Both.
    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = (a.min(b), a.max(b));
        if a == Bit::FALSE || a == !b {
            return Bit::FALSE;
        }
        if a == Bit::TRUE || a == b {
            return b;
        }
        for (one, other) in [(a, b), (b, a)] {
            // one ∧ (one ∧ rest), one ∧ (¬one ∧ rest)
            if let Some((c, d)) = self.conjuncts(other) {
                if c == one || d == one {
                    return other;
                }
                if c == !one || d == !one {
                    return Bit::FALSE;
                }
            }
            // one ∧ ¬(one ∧ rest), one ∧ ¬(¬one ∧ rest)
            if let Some((c, d)) = self.conjuncts(!other) {
                if c == one {
                    return self.and(one, !d);
                }
                if d == one {
                    return self.and(one, !c);
                }
                if c == !one || d == !one {
                    return one;
                }
            }
        }
        self.make(Gate::And(a, b))
    }

    /// At least one.
    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        // (x ∧ c) ∨ (x ∧ ¬c) is x: both sides of a branch.
        if let (Some((c, d)), Some((e, f))) = (self.conjuncts(a), self.conjuncts(b)) {
            for ((x, rest), (y, other)) in
                [((c, d), (e, f)), ((c, d), (f, e)), ((d, c), (e, f)), ((d, c), (f, e))]
            {
                if x == y && rest == !other {
                    return x;
                }
            }
        }
        !self.and(!a, !b)
    }

    /// Exactly one of the two.
    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let negated = a.negated() != b.negated();
        let (a, b) = (Bit::output(a.gate()), Bit::output(b.gate()));
        let (a, b) = (a.min(b), a.max(b));
        if a == b {
            return Bit::of(negated);
        }
        if a == Bit::FALSE {
            return b.not_if(negated);
        }
        // a ⊕ (a ⊕ rest) is the rest.
        for (one, other) in [(a, b), (b, a)] {
            if let Gate::Xor(c, d) = self.gate(other.gate()) {
                if c == one {
                    return d.not_if(negated);
                }
                if d == one {
                    return c.not_if(negated);
                }
            }
        }
        let sum = match self.sums.sum(a.gate(), b.gate()) {
            Sum::Known(gate) => Bit::output(gate),
            Sum::New(parts) => {
                let sum = self.make(Gate::Xor(a, b));
                self.sums.made(sum.gate(), parts);
                sum
            }
        };
        sum.not_if(negated)
    }

    /// Both or none.
    pub fn same(&mut self, a: Bit, b: Bit) -> Bit {
        !self.xor(a, b)
    }

    /// The second if the first is true, else the third.
    pub fn choice(&mut self, condition: Bit, then: Bit, otherwise: Bit) -> Bit {
        if condition.negated() {
            return self.choice(!condition, otherwise, then);
        }
        if then == otherwise || condition == Bit::FALSE {
            return otherwise;
        }
        if then == !otherwise {
            return self.xor(condition, otherwise);
        }
        if then == Bit::TRUE || then == condition {
            return self.or(condition, otherwise);
        }
        if then == Bit::FALSE || then == !condition {
            return self.and(!condition, otherwise);
        }
        if otherwise == Bit::FALSE || otherwise == condition {
            return self.and(condition, then);
        }
        if otherwise == Bit::TRUE || otherwise == !condition {
            return self.or(!condition, then);
        }
        // A choice by the same condition inside is decided by the one outside.
        if let Gate::Choice(inner, yes, _) = self.gate(then.gate())
            && inner == condition
        {
            return self.choice(condition, yes.not_if(then.negated()), otherwise);
        }
        if let Gate::Choice(inner, _, no) = self.gate(otherwise.gate())
            && inner == condition
        {
            return self.choice(condition, then, no.not_if(otherwise.negated()));
        }
        let negated = then.negated();
        self.make(Gate::Choice(condition, then.not_if(negated), otherwise.not_if(negated))).not_if(negated)
    }

    /// At least two of the three: the carry of an addition.
    pub fn carry(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let mut inputs = [a, b, c];
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        if a == Bit::FALSE {
            return self.and(b, c);
        }
        if a == Bit::TRUE {
            return self.or(b, c);
        }
        if a == b || b == !c {
            return a;
        }
        if b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        // The carry of the negations is the negation of the carry; one of the two is made.
        let negated = a.negated();
        let mut inputs = [a, b, c].map(|bit| bit.not_if(negated));
        inputs.sort_unstable();
        self.make(Gate::Carry(inputs[0], inputs[1], inputs[2])).not_if(negated)
    }

    /// At least one of some.
    pub fn any(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        bits.into_iter().fold(Bit::FALSE, |any, bit| self.or(any, bit))
    }

    /// All of some.
    pub fn all(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        bits.into_iter().fold(Bit::TRUE, |all, bit| self.and(all, bit))
    }

    /// The values of all gates for values of the inputs.
    pub fn values(&self, mut input: impl FnMut(u32) -> bool) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.gates.len());
        for (number, &gate) in self.gates.iter().enumerate() {
            let of = |bit: Bit| values[bit.gate() as usize] != bit.negated();
            let value = match gate {
                Gate::False => false,
                Gate::Input => input(number as u32),
                Gate::And(a, b) => of(a) && of(b),
                Gate::Xor(a, b) => of(a) != of(b),
                Gate::Choice(condition, then, otherwise) => of(if of(condition) { then } else { otherwise }),
                Gate::Carry(a, b, c) => [a, b, c].into_iter().filter(|&bit| of(bit)).count() >= 2,
            };
            values.push(value);
        }
        values
    }
}
