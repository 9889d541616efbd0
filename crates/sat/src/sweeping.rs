//! Gates that compute the same, found by simulation and shown one after the other.
//!
//! Programs compute things twice: what was encoded is decoded, a table is held against the computation that it stands for. The
//! question at the end is hard in one piece, but on the way there are many gates that have the same value for all inputs, and
//! each of these equations is easy once those before it are known (Kuehlmann and Krohm, "Equivalence Checking Using Cuts and
//! Heaps", DAC 1997; Mishchenko, Chatterjee, Brayton and Eén, "Improvements to Combinational Equivalence Checking", ICCAD 2006). So when a
//! question has turned out to be hard, its gates are simulated with random inputs; those that look alike, or opposite, are
//! compared in the order in which they are computed. What is shown is learnt as two clauses of two literals, with its reasons;
//! an assignment that tells two gates apart is simulated with the others.
//!
//! Costs are kept below those of the question so far, so that the sum at most doubles.

use crate::solver::{Answer, NO_REASON, Solver};
use crate::structure::Gate;
use crate::{Lit, Var};
use base::{Interrupted, Random};
use std::collections::BTreeMap;

/// After so many conflicts a question is hard; it is looked at again after a multiple of them.
pub(crate) const FIRST_SWEEP: u64 = 1_000;
/// The next time is after so many times as many conflicts.
pub(crate) const SWEEP_GROWTH: u64 = 8;
/// So many words of 64 random assignments are simulated at first.
const WORDS: usize = 8;
/// So many times gates are grouped anew, with the assignments that told some apart.
const ROUNDS: usize = 12;
/// After so many assignments that tell gates apart they are grouped anew.
const MOST_APART: usize = 24;
/// One comparison is worth so many conflicts.
const CONFLICTS: u64 = 200;
/// More gates than this are not simulated.
const MOST_GATES: usize = 300_000;

/// The gates of a question, each after its inputs, with their values in many assignments.
struct Simulation {
    order: Vec<Var>,
    /// By variable: its place in that order.
    place: Vec<u32>,
    /// By assignments, 64 in a word, and by place.
    words: Vec<Vec<u64>>,
}

impl Solver {
    /// Compares gates that the question depends on. The work is bounded by what was done since a number of conflicts and of
    /// propagations.
    pub(crate) fn sweep(
        &mut self,
        assumptions: &[Lit],
        (conflicts, propagations): (u64, u64),
    ) -> Result<(), Interrupted> {
        self.backtrack(0);
        let Some(order) = self.cone(assumptions) else { return Ok(()) };
        let most_conflicts = self.statistics.conflicts + (self.statistics.conflicts - conflicts);
        let most_propagations = self.statistics.propagations + (self.statistics.propagations - propagations);
        let mut place = vec![0; self.level.len()];
        for (at, var) in order.iter().enumerate() {
            place[var.0 as usize] = at as u32;
        }
        let mut simulation = Simulation { order, place, words: Vec::new() };
        let mut random = Random::new(0x5eed);
        for _ in 0..WORDS {
            let inputs = |_: &Solver, _: Var, random: &mut Random| random.bits();
            let word = self.simulate(&simulation, &mut random, inputs);
            simulation.words.push(word);
        }
        let mut settled = vec![false; simulation.order.len()];
        for _ in 0..ROUNDS {
            let mut groups: BTreeMap<Vec<u64>, usize> = BTreeMap::new();
            // They count from the next round on, as gates are grouped by the same assignments all through one.
            let mut apart: Vec<Vec<u64>> = Vec::new();
            for (at, settled) in settled.iter_mut().enumerate() {
                if self.inconsistent || apart.len() == MOST_APART {
                    break;
                }
                self.budget.check()?;
                let (values, opposite) = simulation.values(at);
                let first = *groups.entry(values).or_insert(at);
                let (one, other) = (simulation.order[first], simulation.order[at]);
                if first == at || *settled || self.structure.gate(other).is_none() {
                    continue;
                }
                if self.statistics.conflicts > most_conflicts
                    || self.statistics.propagations > most_propagations
                {
                    return Ok(());
                }
                let opposite = opposite != simulation.values(first).1;
                let (one, other) = (Lit::new(one, true), Lit::new(other, !opposite));
                match self.compare(one, other)? {
                    Compared::Same | Compared::TooHard => *settled = true,
                    Compared::Apart => {
                        // The assignment itself, and others near to it.
                        let near = |solver: &Solver, var: Var, random: &mut Random| {
                            let value = if solver.value(Lit::new(var, true)) { u64::MAX } else { 0 };
                            let flips = random.bits() & random.bits() & random.bits() & random.bits();
                            value ^ (flips & !1)
                        };
                        apart.push(self.simulate(&simulation, &mut random, near));
                    }
                }
            }
            if apart.is_empty() || self.inconsistent {
                break;
            }
            simulation.words.append(&mut apart);
        }
        Ok(())
    }

    /// What the roots and the assumptions depend on, inputs first; nothing if that is too much.
    pub(crate) fn cone(&self, assumptions: &[Lit]) -> Option<Vec<Var>> {
        let mut seen = vec![false; self.level.len()];
        let mut order = Vec::new();
        let mut stack: Vec<(Var, bool)> = Vec::new();
        let roots = self.structure.roots.iter().copied().chain(assumptions.iter().map(|lit| lit.var()));
        for root in roots {
            stack.push((root, false));
            while let Some((var, is_done)) = stack.pop() {
                if is_done {
                    order.push(var);
                    continue;
                }
                if std::mem::replace(&mut seen[var.0 as usize], true) {
                    continue;
                }
                stack.push((var, true));
                let inputs = self.structure.gate(var).map_or([None; 3], Gate::inputs);
                stack.extend(inputs.into_iter().flatten().map(|lit| (lit.var(), false)));
            }
            if order.len() > MOST_GATES {
                return None;
            }
        }
        Some(order)
    }

    /// One more word of assignments. What has its value for good has it there, too.
    fn simulate(
        &self,
        simulation: &Simulation,
        random: &mut Random,
        input: impl Fn(&Solver, Var, &mut Random) -> u64,
    ) -> Vec<u64> {
        let mut word: Vec<u64> = Vec::with_capacity(simulation.order.len());
        for &var in &simulation.order {
            let of = |lit: Lit| {
                let value = word[simulation.place[lit.var().0 as usize] as usize];
                if lit.polarity() { value } else { !value }
            };
            let value = match self.structure.gate(var) {
                None if self.is_true(Lit::new(var, true)) => u64::MAX,
                None if self.is_false(Lit::new(var, true)) => 0,
                None => input(self, var, random),
                Some(Gate::And(a, b)) => of(a) & of(b),
                Some(Gate::Xor(a, b)) => of(a) ^ of(b),
                Some(Gate::Mux(c, a, b)) => (of(c) & of(a)) | (!of(c) & of(b)),
                Some(Gate::Majority(a, b, c)) => (of(a) & of(b)) | (of(c) & (of(a) | of(b))),
            };
            word.push(value);
        }
        word
    }

    /// Whether two literals have the same value in all assignments; if so that is learnt.
    fn compare(&mut self, one: Lit, other: Lit) -> Result<Compared, Interrupted> {
        for assumptions in [[one, !other], [!one, other]] {
            match self.search(&assumptions, CONFLICTS)? {
                Some(Answer::Unsat) => self.learn_refusal(&assumptions),
                Some(Answer::Sat) => return Ok(Compared::Apart),
                None => return Ok(Compared::TooHard),
            }
            if self.inconsistent {
                break;
            }
        }
        Ok(Compared::Same)
    }

    /// Assumptions were refused: learns a clause that says so, of their negations.
    fn learn_refusal(&mut self, assumptions: &[Lit]) {
        let refused = assumptions.iter().copied().find(|&lit| self.is_false(lit));
        let Some(refused) = refused.filter(|_| !self.inconsistent) else { return };
        if self.level[refused.var().0 as usize] == 0 {
            return;
        }
        let mut clause = vec![!refused];
        let (mut used, mut bottom, mut marked) = (Vec::new(), Vec::new(), Vec::new());
        let mut stack = vec![refused.var().0 as usize];
        while let Some(var) = stack.pop() {
            if std::mem::replace(&mut self.seen[var], true) {
                continue;
            }
            marked.push(var);
            if self.level[var] == 0 {
                bottom.push(var);
            } else if self.reason[var] == NO_REASON {
                // A decision: only assumptions are decided before one of them is refused.
                clause.extend(assumptions.iter().filter(|lit| lit.var().0 as usize == var).map(|&lit| !lit));
            } else {
                let reason = self.reason[var];
                used.push(var);
                stack.extend((0..self.clause_len(reason)).map(|at| self.lit_at(reason, at).var().0 as usize));
            }
        }
        for var in marked {
            self.seen[var] = false;
        }
        // The reason of the refused literal comes last, and is the clause that becomes false.
        let last = self.reason[refused.var().0 as usize];
        used.retain(|&var| var != refused.var().0 as usize);
        let hints = self.hints(last, used, &bottom);
        self.backtrack(0);
        self.learn_at_bottom(&clause, hints);
    }
}

/// What became of a comparison.
enum Compared {
    Same,
    /// The solver has an assignment that tells them apart.
    Apart,
    TooHard,
}

impl Simulation {
    /// The values of a gate in all assignments, negated if the first one is true, and whether they are.
    fn values(&self, at: usize) -> (Vec<u64>, bool) {
        let opposite = self.words.first().is_some_and(|word| word[at] & 1 == 1);
        let values = self.words.iter().map(|word| if opposite { !word[at] } else { word[at] });
        (values.collect(), opposite)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Recording, lrat};
    use base::Budget;

    /// A circuit with the clauses of its gates.
    struct Circuit {
        gates: Vec<Option<Gate>>,
        clauses: Vec<Vec<Lit>>,
    }

    impl Circuit {
        fn input(&mut self) -> Lit {
            self.gates.push(None);
            Lit::new(Var(self.gates.len() as u32 - 1), true)
        }

        fn word(&mut self, width: usize) -> Vec<Lit> {
            (0..width).map(|_| self.input()).collect()
        }

        fn gate(&mut self, gate: Gate) -> Lit {
            let out = self.input();
            self.gates[out.var().0 as usize] = Some(gate);
            self.clauses.extend(match gate {
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
            });
            out
        }

        /// A word rotated by an amount.
        fn rotated(&mut self, mut word: Vec<Lit>, by: &[Lit]) -> Vec<Lit> {
            for (stage, &bit) in by.iter().enumerate() {
                let from = |at: usize| (at + (1 << stage)) % word.len();
                let rotated = (0..word.len()).map(|at| Gate::Mux(bit, word[from(at)], word[at]));
                word = rotated.collect::<Vec<_>>().into_iter().map(|gate| self.gate(gate)).collect();
            }
            word
        }

        fn sum(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
            let mut carry: Option<Lit> = None;
            let mut sum = Vec::new();
            for (&a, &b) in a.iter().zip(b) {
                let half = self.gate(Gate::Xor(a, b));
                sum.push(carry.map_or(half, |carry| self.gate(Gate::Xor(half, carry))));
                carry = Some(match carry {
                    None => self.gate(Gate::And(a, b)),
                    Some(carry) => self.gate(Gate::Majority(a, b, carry)),
                });
            }
            sum
        }

        /// The number of conflicts that it takes to show that two words are the same, which is checked.
        fn conflicts(mut self, a: &[Lit], b: &[Lit]) -> u64 {
            let apart: Vec<Lit> = a.iter().zip(b).map(|(&a, &b)| self.gate(Gate::Xor(a, b))).collect();
            let any = apart.into_iter().reduce(|any, apart| !self.gate(Gate::And(!any, !apart)));
            self.clauses.push(vec![any.expect("words have bits")]);
            let mut solver = Solver::new(Recording::Proof, Budget::unlimited());
            self.gates.iter().for_each(|_| _ = solver.new_var());
            self.clauses.iter().for_each(|clause| _ = solver.add_clause(clause));
            for (var, gate) in self.gates.iter().enumerate() {
                gate.iter().for_each(|&gate| solver.define(Var(var as u32), gate));
            }
            assert_eq!(solver.solve(&[]), Ok(Answer::Unsat));
            let conflicts = solver.statistics.conflicts;
            let proof = solver.into_proof();
            let variables = self.gates.len() as u32;
            assert_eq!(lrat::check(variables, &self.clauses, &proof, &Budget::unlimited()), Ok(()));
            conflicts
        }
    }

    fn circuit() -> Circuit {
        Circuit { gates: Vec::new(), clauses: Vec::new() }
    }

    /// A word of 64 bits that is rotated and rotated back.
    #[test]
    fn rotations() {
        let mut circuit = circuit();
        let (word, by) = (circuit.word(64), circuit.word(6));
        let rotated = circuit.rotated(word.clone(), &by);
        let ones: Vec<Lit> = by.iter().map(|&bit| !bit).collect();
        let (once, more) = (circuit.rotated(rotated, &ones), circuit.input());
        circuit.clauses.push(vec![more]);
        // By all but one of 64, and by one more.
        let back = circuit.rotated(once, &[more]);
        let conflicts = circuit.conflicts(&word, &back);
        assert!(conflicts < 20_000, "{conflicts} conflicts");
    }

    /// Twelve sums, and the same ones with the summands exchanged: hard in one piece.
    #[test]
    fn sums_in_another_order() {
        let mut circuit = circuit();
        let words: Vec<Vec<Lit>> = (0..12).map(|_| circuit.word(16)).collect();
        let (mut left, mut right) = (words[0].clone(), words[0].clone());
        for word in &words[1..] {
            left = circuit.sum(&left, word);
            right = circuit.sum(word, &right);
        }
        let conflicts = circuit.conflicts(&left, &right);
        assert!(conflicts < 20_000, "{conflicts} conflicts");
    }
}
