//! Many runs of a circuit at once, on arbitrary inputs and on those that a solver has found.
//!
//! Most loops that may go on do so in one of these runs, and then the solver need not be asked, which would assign all
//! gates each time. Every gate is computed once for 64 runs when it is new, and once more for each assignment of a solver.

use base::Random;
use unwind::circuit::Gate;
use unwind::{Bit, Circuit};

/// In these runs few input bits are true: numbers are often zero, as programs ask.
const SPARSE: u64 = 0xffff_0000_0000_0000;
/// So many times a sparse input bit is thinned out: one in 64 is true.
const THINNED: u32 = 6;

/// Runs of a circuit that grows.
pub(super) struct Simulation {
    /// For each gate its value in every run, one bit for each.
    values: Vec<u64>,
    random: Random,
    /// The run that the next assignment replaces.
    next: u32,
}

impl Simulation {
    pub(super) fn new() -> Simulation {
        Simulation { values: Vec::new(), random: Random::new(1), next: 0 }
    }

    /// Is the bit true in one of the runs?
    pub(super) fn reaches(&mut self, circuit: &Circuit, bit: Bit) -> bool {
        for node in self.values.len()..circuit.len() {
            let value = match circuit.gate(node as u32) {
                Gate::Input => self.input(),
                gate => self.compute(gate),
            };
            self.values.push(value);
        }
        self.of(bit) != 0
    }

    /// Replaces a run by the one on the inputs of an assignment, which gives the values of all gates.
    pub(super) fn take_over(&mut self, assignment: &[bool]) {
        let run = 1_u64 << self.next;
        self.next = (self.next + 1) % u64::BITS;
        for (value, &assigned) in self.values.iter_mut().zip(assignment) {
            *value = if assigned { *value | run } else { *value & !run };
        }
    }

    /// Arbitrary values; all false in the last run.
    fn input(&mut self) -> u64 {
        let mut word = || self.random.number(1 << 32) << 32 | self.random.number(1 << 32);
        let dense = word();
        let sparse = (0..THINNED).fold(u64::MAX, |thin, _| thin & word());
        (dense & !SPARSE | sparse & SPARSE) & (u64::MAX >> 1)
    }

    /// The value of a bit in a run; of one whose gate is not simulated yet, false.
    pub(super) fn value(&self, bit: Bit, run: u32) -> bool {
        self.values.get(bit.node() as usize).is_some_and(|value| (value >> run & 1 == 1) ^ bit.is_negated())
    }

    fn of(&self, bit: Bit) -> u64 {
        let value = self.values[bit.node() as usize];
        if bit.is_negated() { !value } else { value }
    }

    fn compute(&self, gate: Gate) -> u64 {
        match gate {
            Gate::Constant | Gate::Input => 0,
            Gate::And(a, b) => self.of(a) & self.of(b),
            Gate::Xor(a, b) => self.of(a) ^ self.of(b),
            Gate::Mux(condition, then, otherwise) => {
                let condition = self.of(condition);
                condition & self.of(then) | !condition & self.of(otherwise)
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (self.of(a), self.of(b), self.of(c));
                a & b | a & c | b & c
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_agree_with_the_circuit() {
        let mut circuit = Circuit::default();
        let inputs: Vec<Bit> = (0..20).map(|_| circuit.input()).collect();
        let mut bits = inputs.clone();
        for at in 0..200 {
            let (a, b, c) = (bits[at], !bits[at * 7 % bits.len()], bits[at * 13 % bits.len()]);
            let bit = match at % 4 {
                0 => circuit.and(a, b),
                1 => circuit.xor(a, c),
                2 => circuit.mux(a, b, c),
                _ => circuit.majority(a, b, c),
            };
            bits.push(bit);
        }
        let mut simulation = Simulation::new();
        simulation.reaches(&circuit, Bit::TRUE);
        simulation.take_over(&circuit.simulate(|input| input % 3 == 0));
        for run in 0..u64::BITS {
            let value = |node: u32| simulation.values[node as usize] >> run & 1 == 1;
            let expected = circuit.simulate(value);
            for (node, expected) in expected.into_iter().enumerate() {
                assert_eq!(value(node as u32), expected, "gate {node} in run {run}");
            }
        }
    }
}
