//! One solver for all questions of an unwinding.

use super::limits;
use super::simulation::Simulation;
use base::{Budget, Interrupted};
use sat::{Answer, Recording, Solver};
use unwind::cnf::Encoder;
use unwind::{Bit, Circuit, Decision, Oracle};

/// Asks whether loops go on, for so many iterations.
pub(super) struct Asking {
    pub(super) solver: Solver,
    encoder: Encoder,
    bound: u32,
    pub(super) simulation: Simulation,
    /// The answers: whether something ends.
    pub(super) ends: Vec<bool>,
}

impl Asking {
    pub(super) fn new(bound: u32, budget: &Budget) -> Asking {
        let solver = Solver::new(Recording::Nothing, budget.clone());
        let simulation = Simulation::new();
        Asking { solver, encoder: Encoder::default(), bound, simulation, ends: Vec::new() }
    }

    /// Can the bit be true?
    pub(super) fn ask(&mut self, circuit: &Circuit, bit: Bit) -> Result<Answer, Interrupted> {
        let lit = self.encoder.literal(circuit, bit, &mut self.solver);
        self.solver.solve(&[lit])
    }

    /// Can the bit be true, if so many conflicts are enough to find out?
    pub(super) fn ask_within(
        &mut self,
        circuit: &Circuit,
        bit: Bit,
        conflicts: u64,
    ) -> Result<Option<Answer>, Interrupted> {
        let lit = self.encoder.literal(circuit, bit, &mut self.solver);
        self.solver.solve_within(&[lit], conflicts)
    }

    /// The values of all gates in the assignment that was found last.
    pub(super) fn values(&self, circuit: &Circuit) -> Vec<bool> {
        let value = |bit: Bit| self.encoder.known(bit).is_some_and(|lit| self.solver.value(lit));
        circuit.simulate(|input| value(Bit::of(input)))
    }
}

impl Asking {
    /// Can the solver show quickly that the bit is never true?
    fn is_impossible(&mut self, circuit: &Circuit, bit: Bit) -> Result<bool, Interrupted> {
        let lit = self.encoder.literal(circuit, bit, &mut self.solver);
        let answer = self.solver.solve_within(&[lit], limits::MOST_CONFLICTS)?;
        if answer == Some(Answer::Sat) {
            let values = self.values(circuit);
            self.simulation.take_over(&values);
        }
        Ok(answer == Some(Answer::Unsat))
    }
}

impl Oracle for Asking {
    fn decide(
        &mut self,
        circuit: &Circuit,
        condition: Bit,
        iterations: u32,
    ) -> Result<Decision, Interrupted> {
        let ends = !self.simulation.reaches(circuit, condition) && self.is_impossible(circuit, condition)?;
        if !ends && iterations > self.bound {
            return Ok(Decision::Leave);
        }
        self.ends.push(ends);
        Ok(if ends { Decision::Impossible } else { Decision::Continue })
    }

    fn follows(&self, circuit: &Circuit, iteration: u32) -> bool {
        let cheap = circuit.len() <= limits::few_gates(self.bound);
        iteration / limits::CERTAIN <= self.bound || (cheap && iteration <= limits::most_certain(self.bound))
    }
}
