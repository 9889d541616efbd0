//! Clauses for the gates that a bit depends on (Tseitin's transformation): every gate gets a variable and the clauses that
//! tie it to its inputs, in both directions, once. The numbering depends on the gates and on the order in which bits are
//! asked for.

use crate::gates::{Bit, Gate, Gates};
use sat::{Lit, Var};

/// Where clauses go.
pub trait Clauses {
    /// One more clause. Its variables are numbered from zero in the order in which they occur first.
    fn clause(&mut self, clause: &[Lit]);
    /// One more variable.
    fn variable(&mut self);
    /// A clause of one literal that is true for all inputs.
    fn truth(&mut self, lit: Lit) {
        self.clause(&[lit]);
    }
    /// What a variable is computed from: its clauses were added. Who only collects clauses need not know.
    fn define(&mut self, _var: Var, _gate: sat::Gate) {}
}

/// Which gates have variables.
#[derive(Default)]
pub(crate) struct Encoder {
    variables: Vec<Option<Var>>,
    count: u32,
    /// How many truths were looked at, and those of them whose gates had no variable then.
    looked: usize,
    waiting: Vec<(u32, Bit)>,
}

impl Encoder {
    /// How many variables there are.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// The literal of a bit whose gate has a variable.
    pub(crate) fn known(&self, bit: Bit) -> Option<Lit> {
        let var = self.variables.get(bit.gate() as usize).copied().flatten()?;
        Some(Lit::new(var, !bit.negated()))
    }

    /// The literal of a bit. What it depends on gets its clauses, and so do the truths about that.
    pub(crate) fn literal(&mut self, gates: &Gates, bit: Bit, to: &mut (impl Clauses + ?Sized)) -> Lit {
        let literal = self.with_inputs(gates, bit, to);
        self.waiting.extend(&gates.truths()[self.looked..]);
        self.looked = gates.truths().len();
        loop {
            let waiting = std::mem::take(&mut self.waiting);
            let known = |&(about, _): &(u32, Bit)| self.known(Bit::output(about)).is_some();
            let (now, later): (Vec<_>, Vec<_>) = waiting.into_iter().partition(known);
            self.waiting = later;
            if now.is_empty() {
                return literal;
            }
            for (_, truth) in now {
                let truth = self.with_inputs(gates, truth, to);
                to.truth(truth);
            }
        }
    }

    fn with_inputs(&mut self, gates: &Gates, bit: Bit, to: &mut (impl Clauses + ?Sized)) -> Lit {
        self.variables.resize(gates.count().max(self.variables.len()), None);
        let mut stack = vec![bit.gate()];
        while let Some(&number) = stack.last() {
            if self.variables[number as usize].is_some() {
                stack.pop();
                continue;
            }
            let gate = gates.gate(number);
            let inputs = match gate {
                Gate::False | Gate::Input => [None; 3],
                Gate::And(a, b) | Gate::Xor(a, b) => [Some(a), Some(b), None],
                Gate::Choice(a, b, c) | Gate::Carry(a, b, c) => [Some(a), Some(b), Some(c)],
            };
            let missing = |bit: &Bit| self.variables[bit.gate() as usize].is_none();
            let before = stack.len();
            stack.extend(inputs.into_iter().flatten().filter(missing).map(Bit::gate));
            if stack.len() == before {
                stack.pop();
                self.encode(number, gate, to);
            }
        }
        self.known(bit).expect("its gate has a variable now")
    }

    fn encode(&mut self, number: u32, gate: Gate, to: &mut (impl Clauses + ?Sized)) {
        let var = Var(self.count);
        self.count += 1;
        to.variable();
        self.variables[number as usize] = Some(var);
        let out = Lit::new(var, true);
        let literal = |bit: Bit| self.known(bit).expect("inputs come first");
        match gate {
            Gate::False => to.truth(!out),
            Gate::Input => {}
            Gate::And(a, b) => {
                let (a, b) = (literal(a), literal(b));
                to.clause(&[!out, a]);
                to.clause(&[!out, b]);
                to.clause(&[out, !a, !b]);
                to.define(var, sat::Gate::And(a, b));
            }
            Gate::Xor(a, b) => {
                let (a, b) = (literal(a), literal(b));
                to.clause(&[!out, a, b]);
                to.clause(&[!out, !a, !b]);
                to.clause(&[out, !a, b]);
                to.clause(&[out, a, !b]);
                to.define(var, sat::Gate::Xor(a, b));
            }
            Gate::Choice(c, a, b) => {
                let (c, a, b) = (literal(c), literal(a), literal(b));
                to.clause(&[!c, !a, out]);
                to.clause(&[!c, a, !out]);
                to.clause(&[c, !b, out]);
                to.clause(&[c, b, !out]);
                // These two follow, and help before the condition is known.
                to.clause(&[!a, !b, out]);
                to.clause(&[a, b, !out]);
                to.define(var, sat::Gate::Mux(c, a, b));
            }
            Gate::Carry(a, b, c) => {
                let (a, b, c) = (literal(a), literal(b), literal(c));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    to.clause(&[!x, !y, out]);
                    to.clause(&[x, y, !out]);
                }
                to.define(var, sat::Gate::Majority(a, b, c));
            }
        }
    }
}
