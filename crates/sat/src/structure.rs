//! Decisions by the structure of a circuit.
//!
//! Where the clauses are those of gates, an assignment need not give every gate a value: it is enough that what is asked
//! is explained (Kuehlmann, Ganai and Paruthi, "Circuit-based Boolean Reasoning", DAC 2001). A gate is explained by values of its inputs that
//! give it its value, whatever the others are. So once no variable is left that was part of a conflict, decisions follow
//! the gates from what is asked to the inputs, and the rest of the circuit stays without values: its
//! inputs may be anything.
//!
//! Requires that clauses of more than one literal are those of gates or follow from them, and that unit clauses are
//! what is asked or were handed over as [`Solver::add_lemma`]. Costs one pass over the explained gates for each time that values are taken back.

use crate::solver::{Decision, Solver};
use crate::{Lit, Var};

/// What a variable is computed from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// Both.
    And(Lit, Lit),
    /// One of them, but not both.
    Xor(Lit, Lit),
    /// The second if the first is true, else the third.
    Mux(Lit, Lit, Lit),
    /// At least two of them.
    Majority(Lit, Lit, Lit),
}

impl Gate {
    /// What it is computed from.
    pub(crate) fn inputs(self) -> [Option<Lit>; 3] {
        match self {
            Gate::And(a, b) | Gate::Xor(a, b) => [Some(a), Some(b), None],
            Gate::Mux(a, b, c) | Gate::Majority(a, b, c) => [Some(a), Some(b), Some(c)],
        }
    }
}

/// The gates, and how far the explanation has come.
#[derive(Default)]
pub(crate) struct Structure {
    gates: Vec<Option<Gate>>,
    /// What is asked, beside the assumptions.
    pub(crate) roots: Vec<Var>,
    /// Variables that are to be false wherever they can be.
    unlikely: Vec<Var>,
    /// Variables whose value has to be explained.
    pending: Vec<Var>,
    /// By variable: the last explanation in which it was explained.
    explained: Vec<u32>,
    /// The number of this explanation.
    number: u32,
    /// Whether values were taken back since the explanation began.
    pub(crate) is_stale: bool,
}

impl Structure {
    /// Whether there are gates at all.
    pub(crate) fn is_known(&self) -> bool {
        !self.gates.is_empty()
    }

    pub(crate) fn gate(&self, var: Var) -> Option<Gate> {
        self.gates.get(var.0 as usize).copied().flatten()
    }

    fn begin(&mut self, assumptions: &[Lit], variables: usize) {
        self.number += 1;
        self.explained.resize(variables, 0);
        self.pending.clear();
        self.pending.extend(self.roots.iter().copied().chain(assumptions.iter().map(|lit| lit.var())));
        self.is_stale = false;
    }
}

impl Solver {
    /// Says what a variable is computed from; the clauses that say so are added as well.
    pub fn define(&mut self, var: Var, gate: Gate) {
        let gates = &mut self.structure.gates;
        gates.resize(gates.len().max(var.0 as usize + 1), None);
        gates[var.0 as usize] = Some(gate);
    }

    /// Says that a variable is to be false wherever it can be: an explanation would otherwise make it true as readily as
    /// any other.
    pub fn prefer_false(&mut self, var: Var) {
        self.structure.unlikely.push(var);
    }

    /// Adds a unit clause that follows from those of the gates, and needs no explanation.
    /// The number of the clause.
    pub fn add_lemma(&mut self, lit: Lit) -> u32 {
        let roots = self.structure.roots.len();
        let number = self.add_clause(&[lit]);
        self.structure.roots.truncate(roots);
        number
    }

    /// The next decision: a variable that was part of a conflict, or one that explains something.
    pub(crate) fn decide_by_structure(&mut self, assumptions: &[Lit]) -> Decision {
        while let Some(var) = self.heap.first().filter(|var| self.activity[var.0 as usize] > 0.0) {
            self.heap.pop(&self.activity);
            self.popped += 1;
            let lit = Lit::new(var, self.phase[var.0 as usize]);
            if self.is_open(lit) {
                return self.choose(lit);
            }
        }
        self.explain_roots(assumptions)
    }

    /// The next decision that explains something.
    pub(crate) fn explain_roots(&mut self, assumptions: &[Lit]) -> Decision {
        if self.structure.is_stale {
            let open = |var: &Var| self.is_open(Lit::new(*var, true));
            if let Some(var) = self.structure.unlikely.iter().copied().find(open) {
                return self.choose(Lit::new(var, false));
            }
            self.structure.begin(assumptions, self.level.len());
        }
        while let Some(&var) = self.structure.pending.last() {
            if self.structure.explained[var.0 as usize] == self.structure.number {
                self.structure.pending.pop();
                continue;
            }
            let open =
                if self.is_open(Lit::new(var, true)) { Some(self.by_phase(var)) } else { self.explain(var) };
            if let Some(open) = open {
                return self.choose(open);
            }
        }
        Decision::Complete
    }

    /// Explains the value of a variable by those of others; or a literal without a value that has to be true for that.
    fn explain(&mut self, var: Var) -> Option<Lit> {
        let inputs = match self.structure.gate(var) {
            None => [None; 3],
            Some(Gate::And(a, b)) if self.is_false(Lit::new(var, true)) => {
                // One that is false is enough.
                let known =
                    |lit: Lit| self.structure.explained[lit.var().0 as usize] == self.structure.number;
                match (self.is_false(a), self.is_false(b)) {
                    (true, true) if known(b) => [Some(b), None, None],
                    (true, _) => [Some(a), None, None],
                    (_, true) => [Some(b), None, None],
                    _ => return [a, b].into_iter().find(|&lit| self.is_open(lit)).map(|lit| !lit),
                }
            }
            Some(Gate::And(a, b) | Gate::Xor(a, b)) => [Some(a), Some(b), None],
            Some(Gate::Majority(a, b, c)) => [Some(a), Some(b), Some(c)],
            Some(Gate::Mux(condition, ..)) if self.is_open(condition) => {
                return Some(self.by_phase(condition.var()));
            }
            Some(Gate::Mux(condition, then, otherwise)) => {
                let chosen = if self.is_true(condition) { then } else { otherwise };
                [Some(condition), Some(chosen), None]
            }
        };
        let structure = &mut self.structure;
        structure.explained[var.0 as usize] = structure.number;
        structure.pending.pop();
        structure.pending.extend(inputs.into_iter().flatten().map(Lit::var));
        None
    }

    fn by_phase(&self, var: Var) -> Lit {
        Lit::new(var, self.phase[var.0 as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Proof, Recording, lrat};
    use base::{Budget, Random};

    const INPUTS: usize = 8;

    /// Gates over gates and inputs, of which the first so many variables are inputs.
    fn circuit(random: &mut Random, gates: usize) -> Vec<Gate> {
        let mut made = Vec::new();
        for number in 0..gates {
            let before = 2 * (INPUTS + number) as u64;
            let mut lit = || Lit::from_code(random.number(before) as u32);
            let (a, b, c) = (lit(), lit(), lit());
            made.push(match random.below(4) {
                0 => Gate::Xor(a, b),
                1 => Gate::Mux(a, b, c),
                2 => Gate::Majority(a, b, c),
                _ => Gate::And(a, b),
            });
        }
        made
    }

    /// The values of all variables for some inputs.
    fn values(gates: &[Gate], inputs: u32) -> Vec<bool> {
        let mut values: Vec<bool> = (0..INPUTS).map(|input| inputs >> input & 1 == 1).collect();
        for gate in gates {
            let of = |lit: Lit| values[lit.var().0 as usize] == lit.polarity();
            let value = match *gate {
                Gate::And(a, b) => of(a) && of(b),
                Gate::Xor(a, b) => of(a) != of(b),
                Gate::Mux(a, b, c) => {
                    if of(a) {
                        of(b)
                    } else {
                        of(c)
                    }
                }
                Gate::Majority(a, b, c) => u8::from(of(a)) + u8::from(of(b)) + u8::from(of(c)) >= 2,
            };
            values.push(value);
        }
        values
    }

    /// The clauses that tie a variable to its gate.
    fn clauses(out: Lit, gate: Gate) -> Vec<Vec<Lit>> {
        match gate {
            Gate::And(a, b) => vec![vec![!out, a], vec![!out, b], vec![out, !a, !b]],
            Gate::Xor(a, b) => {
                vec![vec![!out, a, b], vec![!out, !a, !b], vec![out, !a, b], vec![out, a, !b]]
            }
            Gate::Mux(c, a, b) => {
                vec![vec![!c, !a, out], vec![!c, a, !out], vec![c, !b, out], vec![c, b, !out]]
            }
            Gate::Majority(a, b, c) => {
                let pairs = [(a, b), (a, c), (b, c)];
                pairs.into_iter().flat_map(|(x, y)| [vec![!x, !y, out], vec![x, y, !out]]).collect()
            }
        }
    }

    struct Problem {
        gates: Vec<Gate>,
        clauses: Vec<Vec<Lit>>,
    }

    impl Problem {
        /// A solver to which every question is hard at once.
        fn impatient(&self, recording: Recording) -> Solver {
            let mut solver = self.solver(recording);
            (solver.easy, solver.first_sweep) = (1, 2);
            solver
        }

        fn solver(&self, recording: Recording) -> Solver {
            let mut solver = Solver::new(recording, Budget::unlimited());
            for _ in 0..INPUTS + self.gates.len() {
                solver.new_var();
            }
            for clause in &self.clauses {
                solver.add_clause(clause);
            }
            for (number, &gate) in self.gates.iter().enumerate() {
                solver.define(Var((INPUTS + number) as u32), gate);
            }
            solver
        }

        fn inputs(solver: &Solver) -> u32 {
            (0..INPUTS)
                .filter(|&input| solver.value(Lit::new(Var(input as u32), true)))
                .map(|input| 1 << input)
                .sum()
        }
    }

    /// Of two bits of a circuit: can both be true? The answer is that of enumeration, the inputs that come with it make
    /// both true, and a proof is accepted.
    #[test]
    fn inputs_explain_what_is_asked() {
        explained(Problem::solver);
    }

    /// The same, with gates that are compared and inputs that come first.
    #[test]
    fn inputs_explain_what_is_hard() {
        explained(Problem::impatient);
    }

    fn explained(make: fn(&Problem, Recording) -> Solver) {
        let (mut random, mut answers) = (Random::new(7), [0, 0]);
        for _ in 0..300 {
            let gates = circuit(&mut random, 60);
            let mut problem = Problem { gates, clauses: Vec::new() };
            for (number, &gate) in problem.gates.iter().enumerate() {
                problem.clauses.extend(clauses(Lit::new(Var((INPUTS + number) as u32), true), gate));
            }
            let mut solver = make(&problem, Recording::Nothing);
            for _ in 0..5 {
                let mut bit = || Lit::from_code((2 * INPUTS) as u32 + random.number(120) as u32);
                let asked = [bit(), bit()];
                let holds = |inputs: u32| {
                    let values = values(&problem.gates, inputs);
                    asked.iter().all(|lit| values[lit.var().0 as usize] == lit.polarity())
                };
                let expected = (0..1 << INPUTS).any(holds);
                answers[usize::from(expected)] += 1;
                let answer = solver.solve(&asked).unwrap();
                assert_eq!(answer == Answer::Sat, expected);
                if expected {
                    assert!(holds(Problem::inputs(&solver)), "the inputs make it true");
                    continue;
                }
                let mut with = Problem { gates: problem.gates.clone(), clauses: problem.clauses.clone() };
                with.clauses.extend(asked.map(|lit| vec![lit]));
                let mut proving = make(&with, Recording::Proof);
                assert_eq!(proving.solve(&[]), Ok(Answer::Unsat));
                let proof: Proof = proving.into_proof();
                let variables = (INPUTS + with.gates.len()) as u32;
                assert_eq!(lrat::check(variables, &with.clauses, &proof, &Budget::unlimited()), Ok(()));
            }
        }
        assert!(answers.iter().all(|&count| count > 50), "both answers occur: {answers:?}");
    }
}
