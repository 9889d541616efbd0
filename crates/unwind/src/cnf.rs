//! Clauses for the gates that some bits depend on (Tseitin's transformation).
//!
//! Every gate gets a variable and the clauses that tie it to its inputs, in both directions, once. The numbering depends
//! on the circuit and on the order of the questions only.

use crate::circuit::{Bit, Circuit, Gate};
use sat::{Lit, Var};

/// Where clauses go.
pub trait Clauses {
    /// A new variable.
    fn new_var(&mut self) -> Var;
    /// One more clause.
    fn clause(&mut self, clause: &[Lit]);
    /// A clause of one literal that follows from the others.
    fn lemma(&mut self, lit: Lit) {
        self.clause(&[lit]);
    }
    /// What a variable is computed from: its clauses were added. Who only collects clauses need not know.
    fn define(&mut self, _var: Var, _gate: sat::Gate) {}

    /// A variable is to be false wherever it can be. Who only collects clauses need not know.
    fn unlikely(&mut self, _var: Var) {}
}

impl Clauses for sat::Solver {
    fn new_var(&mut self) -> Var {
        sat::Solver::new_var(self)
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.add_clause(clause);
    }

    fn lemma(&mut self, lit: Lit) {
        sat::Solver::add_lemma(self, lit);
    }

    fn define(&mut self, var: Var, gate: sat::Gate) {
        sat::Solver::define(self, var, gate);
    }

    fn unlikely(&mut self, var: Var) {
        self.prefer_false(var);
    }
}

/// Which gates have variables.
#[derive(Default)]
pub struct Encoder {
    vars: Vec<Option<Var>>,
    /// How many lemmas of the circuit were looked at, and those among them whose gate had no variable then.
    looked: usize,
    waiting: Vec<(u32, Bit)>,
}

impl Encoder {
    /// The literal of a bit whose gate has a variable.
    pub fn known(&self, bit: Bit) -> Option<Lit> {
        let var = self.vars.get(bit.node() as usize).copied().flatten()?;
        Some(Lit::new(var, !bit.is_negated()))
    }

    /// The literal of a bit; what it depends on gets its clauses, and the lemmas about that.
    pub fn literal(&mut self, circuit: &Circuit, bit: Bit, to: &mut impl Clauses) -> Lit {
        let literal = self.cone(circuit, bit, to);
        self.waiting.extend(&circuit.lemmas()[self.looked..]);
        self.looked = circuit.lemmas().len();
        loop {
            let waiting = std::mem::take(&mut self.waiting);
            let (useful, waiting): (Vec<_>, Vec<_>) =
                waiting.into_iter().partition(|&(about, _)| self.known(Bit::of(about)).is_some());
            self.waiting = waiting;
            if useful.is_empty() {
                return literal;
            }
            for (_, lemma) in useful {
                let lemma = self.cone(circuit, lemma, to);
                to.lemma(lemma);
            }
        }
    }

    fn cone(&mut self, circuit: &Circuit, bit: Bit, to: &mut impl Clauses) -> Lit {
        self.vars.resize(circuit.len().max(self.vars.len()), None);
        let mut stack = vec![bit.node()];
        while let Some(&node) = stack.last() {
            if self.vars[node as usize].is_some() {
                stack.pop();
                continue;
            }
            let gate = circuit.gate(node);
            let before = stack.len();
            let mut need = |bit: Bit| {
                if self.vars[bit.node() as usize].is_none() {
                    stack.push(bit.node());
                }
            };
            match gate {
                Gate::Constant | Gate::Input => {}
                Gate::And(a, b) | Gate::Xor(a, b) => [a, b].map(&mut need).into_iter().collect(),
                Gate::Mux(a, b, c) | Gate::Majority(a, b, c) => {
                    [a, b, c].map(&mut need).into_iter().collect()
                }
            }
            if stack.len() == before {
                stack.pop();
                self.encode(node, gate, to);
                if let (true, Some(var)) = (circuit.is_unlikely(node), self.vars[node as usize]) {
                    to.unlikely(var);
                }
            }
        }
        self.known(bit).expect("its gate has a variable now")
    }

    fn encode(&mut self, node: u32, gate: Gate, to: &mut impl Clauses) {
        let var = to.new_var();
        self.vars[node as usize] = Some(var);
        let out = Lit::new(var, true);
        let lit = |bit: Bit| self.known(bit).expect("inputs come first");
        match gate {
            Gate::Constant => to.clause(&[!out]),
            Gate::Input => {}
            Gate::And(a, b) => {
                let (a, b) = (lit(a), lit(b));
                to.clause(&[!out, a]);
                to.clause(&[!out, b]);
                to.clause(&[out, !a, !b]);
                to.define(var, sat::Gate::And(a, b));
            }
            Gate::Xor(a, b) => {
                let (a, b) = (lit(a), lit(b));
                to.clause(&[!out, a, b]);
                to.clause(&[!out, !a, !b]);
                to.clause(&[out, !a, b]);
                to.clause(&[out, a, !b]);
                to.define(var, sat::Gate::Xor(a, b));
            }
            Gate::Mux(c, a, b) => {
                let (c, a, b) = (lit(c), lit(a), lit(b));
                to.clause(&[!c, !a, out]);
                to.clause(&[!c, a, !out]);
                to.clause(&[c, !b, out]);
                to.clause(&[c, b, !out]);
                // These follow, but let values flow before the condition is known.
                to.clause(&[!a, !b, out]);
                to.clause(&[a, b, !out]);
                to.define(var, sat::Gate::Mux(c, a, b));
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (lit(a), lit(b), lit(c));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    to.clause(&[!x, !y, out]);
                    to.clause(&[x, y, !out]);
                }
                to.define(var, sat::Gate::Majority(a, b, c));
            }
        }
    }
}
