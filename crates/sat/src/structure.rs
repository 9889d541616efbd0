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

/// The gates, and how far the explanation has come.
#[derive(Default)]
pub(crate) struct Structure {
    gates: Vec<Option<Gate>>,
    /// What is asked, beside the assumptions.
    pub(crate) roots: Vec<Var>,
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

    fn gate(&self, var: Var) -> Option<Gate> {
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

    /// Adds a unit clause that follows from those of the gates, and needs no explanation.
    pub fn add_lemma(&mut self, lit: Lit) {
        let roots = self.structure.roots.len();
        self.add_clause(&[lit]);
        self.structure.roots.truncate(roots);
    }

    /// The next decision: a variable that was part of a conflict, or one that explains something.
    pub(crate) fn decide_by_structure(&mut self, assumptions: &[Lit]) -> Decision {
        while let Some(var) = self.heap.first().filter(|var| self.activity[var.0 as usize] > 0.0) {
            self.heap.pop(&self.activity);
            let lit = Lit::new(var, self.phase[var.0 as usize]);
            if self.is_open(lit) {
                return self.choose(lit);
            }
        }
        if self.structure.is_stale {
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
