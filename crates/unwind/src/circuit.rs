//! Circuits: gates over input bits, each gate once.
//!
//! A [`Bit`] is a gate or its negation. Gates with constant, equal or opposite inputs are never built, so what a program
//! computes from constants costs nothing. Costs are those of a hash table lookup per gate.

use crate::sums::Sums;
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
    pub fn constant(value: bool) -> Bit {
        if value { Bit::TRUE } else { Bit::FALSE }
    }

    /// Its value if it is a constant.
    pub fn as_constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self == Bit::TRUE)
    }

    /// Its gate.
    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    /// Whether it is the negation of its gate.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The output of a gate.
    pub fn of(node: u32) -> Bit {
        Bit(node << 1)
    }

    /// This bit, or its negation if the other is true.
    fn flipped(self, by: bool) -> Bit {
        Bit(self.0 ^ u32::from(by))
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
    /// The constant false; the first gate.
    Constant,
    /// Anything.
    Input,
    /// Both.
    And(Bit, Bit),
    /// Exactly one.
    Xor(Bit, Bit),
    /// If the first then the second, else the third.
    Mux(Bit, Bit, Bit),
    /// At least two.
    Majority(Bit, Bit, Bit),
}

/// A circuit.
pub struct Circuit {
    gates: Vec<Gate>,
    /// Bits that are always true, each with a gate from which on that is worth knowing.
    lemmas: Vec<(u32, Bit)>,
    /// Inputs that an assignment makes true only if it has to, in order.
    unlikely: Vec<u32>,
    known: FxHashMap<Gate, Bit>,
    sums: Sums,
}

impl Default for Circuit {
    fn default() -> Circuit {
        Circuit {
            gates: vec![Gate::Constant],
            lemmas: Vec::new(),
            unlikely: Vec::new(),
            known: FxHashMap::default(),
            sums: Sums::default(),
        }
    }
}

impl Circuit {
    /// How many gates there are.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Whether there is nothing but the constants.
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    /// What a gate computes.
    pub fn gate(&self, node: u32) -> Gate {
        self.gates[node as usize]
    }

    /// Notes that a bit is always true, whatever the inputs are, which helps to reason about a gate.
    pub(crate) fn lemma(&mut self, about: Bit, bit: Bit) {
        if bit.as_constant().is_none() && about.as_constant().is_none() {
            self.lemmas.push((about.node(), bit));
        }
    }

    /// Bits that are always true, each with the gate that it helps to reason about.
    pub fn lemmas(&self) -> &[(u32, Bit)] {
        &self.lemmas
    }

    fn push(&mut self, gate: Gate) -> Bit {
        if gate != Gate::Input
            && let Some(&bit) = self.known.get(&gate)
        {
            return bit;
        }
        let bit = Bit::of(self.gates.len() as u32);
        self.gates.push(gate);
        if gate != Gate::Input {
            self.known.insert(gate, bit);
        }
        bit
    }

    /// A new input.
    pub fn input(&mut self) -> Bit {
        self.push(Gate::Input)
    }

    /// A new input that is to be false wherever it can be.
    pub fn unlikely_input(&mut self) -> Bit {
        let bit = self.input();
        self.unlikely.push(bit.node());
        bit
    }

    /// Whether a gate is an input that is to be false wherever it can be.
    pub fn is_unlikely(&self, node: u32) -> bool {
        self.unlikely.binary_search(&node).is_ok()
    }

    /// Both.
    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Bit::FALSE || a == !b {
            return Bit::FALSE;
        }
        if a == Bit::TRUE || a == b {
            return b;
        }
        // One level down: a ∧ (a ∧ c), and a ∧ ¬(a ∧ c).
        for (outer, inner) in [(a, b), (b, a)] {
            if let Gate::And(c, d) = self.gate(inner.node()) {
                match (inner.is_negated(), outer == c || outer == d, outer == !c || outer == !d) {
                    (false, true, _) => return inner,
                    (false, _, true) => return Bit::FALSE,
                    (true, _, true) => return outer,
                    (true, true, _) => {
                        let rest = if outer == c { d } else { c };
                        return self.and(outer, !rest);
                    }
                    _ => {}
                }
            }
        }
        self.push(Gate::And(a, b))
    }

    /// At least one.
    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        // (g ∧ c) ∨ (g ∧ ¬c) is g: the two sides of a branch.
        if let (Gate::And(c, d), Gate::And(e, f)) = (self.gate(a.node()), self.gate(b.node()))
            && !a.is_negated()
            && !b.is_negated()
        {
            for (common, rest, other_common, other_rest) in
                [(c, d, e, f), (c, d, f, e), (d, c, e, f), (d, c, f, e)]
            {
                if common == other_common && rest == !other_rest {
                    return common;
                }
            }
        }
        !self.and(!a, !b)
    }

    /// Exactly one.
    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let negated = a.is_negated() ^ b.is_negated();
        let (a, b) = (Bit::of(a.node()), Bit::of(b.node()));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b {
            return Bit::constant(negated);
        }
        if a == Bit::FALSE {
            return b.flipped(negated);
        }
        // a ⊕ (a ⊕ c) is c.
        for (outer, inner) in [(a, b), (b, a)] {
            if let Gate::Xor(c, d) = self.gate(inner.node())
                && (outer == c || outer == d)
            {
                return (if outer == c { d } else { c }).flipped(negated);
            }
        }
        let operands = self.sums.of(a.node(), b.node());
        if let Some(node) = self.sums.gate(&operands) {
            return Bit::of(node).flipped(negated);
        }
        let bit = self.push(Gate::Xor(a, b));
        self.sums.keep(bit.node(), operands);
        bit.flipped(negated)
    }

    /// Both or none.
    pub fn equal(&mut self, a: Bit, b: Bit) -> Bit {
        !self.xor(a, b)
    }

    /// If the first then the second, else the third.
    pub fn mux(&mut self, condition: Bit, then: Bit, otherwise: Bit) -> Bit {
        if condition.is_negated() {
            return self.mux(!condition, otherwise, then);
        }
        if condition == Bit::FALSE || then == otherwise {
            return otherwise;
        }
        if then == !otherwise {
            return self.xor(condition, otherwise);
        }
        match (then, otherwise) {
            (Bit::TRUE, _) => return self.or(condition, otherwise),
            (Bit::FALSE, _) => return self.and(!condition, otherwise),
            (_, Bit::TRUE) => return self.or(!condition, then),
            (_, Bit::FALSE) => return self.and(condition, then),
            _ => {}
        }
        if then == condition {
            return self.or(condition, otherwise);
        }
        if then == !condition {
            return self.and(!condition, otherwise);
        }
        if otherwise == condition {
            return self.and(condition, then);
        }
        if otherwise == !condition {
            return self.or(!condition, then);
        }
        // The same condition further down decides there, too.
        if let Gate::Mux(inner, yes, no) = self.gate(then.node())
            && inner == condition
        {
            let _ = no;
            return self.mux(condition, yes.flipped(then.is_negated()), otherwise);
        }
        if let Gate::Mux(inner, _, no) = self.gate(otherwise.node())
            && inner == condition
        {
            return self.mux(condition, then, no.flipped(otherwise.is_negated()));
        }
        let negated = then.is_negated();
        self.push(Gate::Mux(condition, then.flipped(negated), otherwise.flipped(negated))).flipped(negated)
    }

    /// At least two: the carry of an addition.
    pub fn majority(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let mut bits = [a, b, c];
        bits.sort_unstable();
        let [a, b, c] = bits;
        match a {
            Bit::FALSE => return self.and(b, c),
            Bit::TRUE => return self.or(b, c),
            _ => {}
        }
        if a == b {
            return a;
        }
        if b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        // Of a gate and its negation only one is built.
        if a.is_negated() {
            return !self.push_majority([!a, !b, !c]);
        }
        self.push_majority([a, b, c])
    }

    fn push_majority(&mut self, mut bits: [Bit; 3]) -> Bit {
        bits.sort_unstable();
        self.push(Gate::Majority(bits[0], bits[1], bits[2]))
    }

    /// The values of all gates, for values of the inputs in the order of their gates.
    pub fn simulate(&self, mut input: impl FnMut(u32) -> bool) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.gates.len());
        for (node, &gate) in self.gates.iter().enumerate() {
            let of = |bit: Bit| values[bit.node() as usize] ^ bit.is_negated();
            let value = match gate {
                Gate::Constant => false,
                Gate::Input => input(node as u32),
                Gate::And(a, b) => of(a) && of(b),
                Gate::Xor(a, b) => of(a) ^ of(b),
                Gate::Mux(c, a, b) => {
                    if of(c) {
                        of(a)
                    } else {
                        of(b)
                    }
                }
                Gate::Majority(a, b, c) => u8::from(of(a)) + u8::from(of(b)) + u8::from(of(c)) >= 2,
            };
            values.push(value);
        }
        values
    }
}
