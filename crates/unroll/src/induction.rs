//! Loops that are shown by induction over their rounds (Sheeran, Singh, Stålmarck, "Checking Safety Properties Using
//! Induction and a SAT-Solver").
//!
//! Rounds of a loop are numbered from zero. With an induction over k rounds, the rounds 0 to k are followed as they are.
//! Round k + 1 begins with any values of the variables that the loop may change, and from there to round 2k it is
//! supposed that nothing fails and that the loop is not left. Round 2k + 1 is followed as it is, with what comes after the
//! loop, and the rounds after it are not looked at. At the head the facts of the induction must hold in every round.
//!
//! That covers every execution: take its first failure. If it comes in a round up to k, or when the loop was left from
//! there, it is followed as it is. Otherwise let n > k be the round, or that from which the loop was left. The rounds n - k
//! to n - 1 were gone through without a failure, and the values with which round n - k begins are among those with which
//! round k + 1 begins here; what the loop does not change is the same. So they are followed as the rounds k + 1 to 2k + 1.

use crate::evaluate::Operand;
use crate::gates::Bit;
use crate::numbers;
use crate::order::{Order, Visit};
use crate::state::State;
use crate::values::{Value, Word};
use crate::walk::{Halt, Subject, Unroller};
use ir::induction::{Combined, Fact, Induction, Monomial, Relation, Shifted};
use ir::{BinaryOp, Block, Body, Procedure, Program, StatementKind, Variable};
use num_bigint::BigInt;
use std::collections::BTreeSet;

/// Whether nothing fails in a round, as is supposed.
fn is_supposed(induction: &Induction, round: u32) -> bool {
    let (round, rounds) = (u64::from(round), u64::from(induction.rounds));
    round > rounds && round <= 2 * rounds
}

/// Whether a round is not looked at.
fn is_over(induction: &Induction, round: u32) -> bool {
    u64::from(round) > 2 * u64::from(induction.rounds) + 1
}

/// The inductions about loops of one body.
pub(crate) struct Inducted {
    /// Places of heads, each with the position in the list of all inductions.
    heads: Vec<(u32, usize)>,
}

impl Inducted {
    pub(crate) fn new(inductions: &[Induction], procedure: Procedure, order: &Order) -> Inducted {
        let is_here = |induction: &Induction| {
            induction.procedure == procedure && induction.rounds > 0 && order.is_head(induction.head)
        };
        let all = inductions.iter().enumerate().filter(|(_, induction)| is_here(induction));
        Inducted { heads: all.map(|(position, induction)| (order.place(induction.head), position)).collect() }
    }

    /// The induction about the loop whose head has a place.
    pub(crate) fn position(&self, place: u32) -> Option<usize> {
        self.heads.iter().find(|&&(head, _)| head == place).map(|&(_, position)| position)
    }

    /// How many of the loops around a visit, from the outermost on, are not left: the last of them is in a round that is
    /// supposed to be gone through.
    pub(crate) fn supposed(&self, inductions: &[Induction], visit: &Visit) -> usize {
        let loops = &visit.0[..visit.0.len() - 1];
        let supposed = |&(head, round): &(u32, u32)| {
            self.position(head).is_some_and(|position| is_supposed(&inductions[position], round))
        };
        loops.iter().rposition(supposed).map_or(0, |at| at + 1)
    }
}

/// Whether a way between two visits stays in so many loops; the last of them may begin another round.
pub(crate) fn stays(loops: usize, from: &Visit, to: &Visit) -> bool {
    if loops == 0 {
        return true;
    }
    let last = loops - 1;
    to.0.len() > loops && from.0[..last] == to.0[..last] && from.0[last].0 == to.0[last].0
}

/// All variables that a loop may change.
fn changed(program: &Program, body: &Body, order: &Order, head: Block) -> BTreeSet<Variable> {
    let mut changed = BTreeSet::new();
    let inside = body.blocks.iter().filter(|&(block, _)| order.is_inside(block, head));
    for statement in inside.flat_map(|(_, data)| &data.statements) {
        match &statement.kind {
            StatementKind::Assign(assignments) => {
                changed.extend(assignments.iter().map(|&(target, _)| target))
            }
            StatementKind::Havoc(variables) => changed.extend(variables),
            StatementKind::Call { procedure, results, .. } => {
                changed.extend(results);
                changed.extend(&program.procedures[*procedure].modifies);
            }
            StatementKind::Join { results, .. } => changed.extend(results),
            StatementKind::Fork { .. }
            | StatementKind::Assume(_)
            | StatementKind::Assert(..)
            | StatementKind::Atomic(_) => {}
        }
    }
    changed
}

impl Unroller<'_, '_> {
    /// A round of a loop with an induction begins. The state is not reached afterwards if the round is not looked at.
    pub(crate) fn begin_round(
        &mut self,
        (position, body, order): (usize, &Body, &Order),
        state: &mut State,
        round: u32,
    ) -> Result<(), Halt> {
        let induction = self.inductions[position].clone();
        if is_over(&induction, round) {
            self.suppose(state, Bit::FALSE);
            return Ok(());
        }
        if u64::from(round) == u64::from(induction.rounds) + 1 {
            for variable in changed(self.program, body, order, induction.head) {
                // Of the `where` clause nothing is supposed: assignments need not keep to it.
                let value = self.store.open(self.program.variables[variable].ty, None);
                state.set(self.slots[variable], value);
            }
        }
        for (position, fact) in induction.facts.iter().enumerate() {
            let bit = self.fact(fact, position as u32, state)?;
            self.must_hold(state, bit);
        }
        Ok(())
    }

    /// The number that a variable is: `false` is 0, `true` is 1, and bit-vectors are without a sign.
    fn number(&mut self, variable: Variable, fact: u32, state: &mut State) -> Result<Option<Word>, Halt> {
        let slot = self.slots[variable];
        let Some(value) = state.get(slot).cloned() else { return Ok(None) };
        let value = self.store.look(&value);
        let value = self.narrowed(value, Subject::Variable(fact, variable), state)?;
        state.set(slot, value.clone());
        Ok(Operand::of(&value).map(Operand::into_word))
    }

    /// Whether a fact holds. One about something that is no number may hold or not.
    fn fact(&mut self, fact: &Fact, position: u32, state: &mut State) -> Result<Bit, Halt> {
        let word = match &fact.of {
            Combined::Sum(sum) => self.sum(sum, position, state)?,
            Combined::Xor(words) | Combined::And(words) => {
                let is_xor = matches!(fact.of, Combined::Xor(_));
                self.combined(words, is_xor, position, state)?
            }
        };
        let Some(word) = word else { return Ok(self.store.gates.input()) };
        let holds = self.relation(&fact.relation, &word);
        let by_bits = matches!(
            fact.relation,
            Relation::Bits { .. } | Relation::OtherBits { .. } | Relation::Parity { .. }
        );
        if word.beyond == Bit::FALSE || (!by_bits && matches!(fact.of, Combined::Sum(_))) {
            return Ok(holds);
        }
        // Of a number that is beyond, the bits are not right.
        let any = self.store.gates.input();
        Ok(self.store.gates.choice(word.beyond, any, holds))
    }

    /// A sum of variables times numbers; nothing if some of them are no numbers.
    fn sum(&mut self, sum: &[Monomial], position: u32, state: &mut State) -> Result<Option<Word>, Halt> {
        // Of a number that is beyond, sums and products are arbitrary; so there are no more of them than needed.
        let mut all: Option<Word> = None;
        for monomial in sum {
            let Some(mut word) = self.number(monomial.variable, position, state)? else { return Ok(None) };
            if monomial.factor != 1 {
                let factor = Word::new(numbers::small(monomial.factor));
                word = self.integer_operation(BinaryOp::Multiply, &word, &factor);
            }
            all = Some(match all {
                None => word,
                Some(all) => self.integer_operation(BinaryOp::Add, &all, &word),
            });
        }
        Ok(Some(all.unwrap_or_else(|| Word::new(numbers::small(0)))))
    }

    /// Words combined bit by bit, by exclusive disjunction or by conjunction; it is beyond where one of the words is.
    fn combined(
        &mut self,
        words: &[Shifted],
        is_xor: bool,
        position: u32,
        state: &mut State,
    ) -> Result<Option<Word>, Halt> {
        let mut all = numbers::small(if is_xor { 0 } else { -1 });
        let mut beyond = Bit::FALSE;
        for shifted in words {
            let Some(mut word) = self.number(shifted.variable, position, state)? else { return Ok(None) };
            if shifted.plus != 0 {
                let plus = Word::new(numbers::small(shifted.plus));
                word = self.integer_operation(BinaryOp::Add, &word, &plus);
            }
            beyond = self.store.gates.or(beyond, word.beyond);
            let mut bits = match usize::try_from(shifted.left) {
                Ok(left) => std::iter::repeat_n(Bit::FALSE, left).chain(word.bits.iter().copied()).collect(),
                // The sign stays.
                Err(_) => {
                    let lost = (shifted.left.unsigned_abs() as usize).min(word.bits.len() - 1);
                    word.bits[lost..].to_vec()
                }
            };
            if shifted.flipped {
                bits.iter_mut().for_each(|bit| *bit = !*bit);
            }
            let width = all.len().max(bits.len());
            let (left, right) = (numbers::widened(&all, width), numbers::widened(&bits, width));
            let gates = &mut self.store.gates;
            let pair = left.into_iter().zip(right);
            all = pair.map(|(a, b)| if is_xor { gates.xor(a, b) } else { gates.and(a, b) }).collect();
        }
        Ok(Some(Word { beyond, ..Word::new(all) }))
    }

    /// Whether a relation holds for a number.
    fn relation(&mut self, relation: &Relation, word: &Word) -> Bit {
        let constant = |number: i128| Word::new(numbers::integer(&BigInt::from(number)));
        match relation {
            Relation::AtMost(bound) => !self.less_words(&constant(*bound), word),
            Relation::AtLeast(bound) => !self.less_words(word, &constant(*bound)),
            Relation::Between(low, high) => {
                let below = self.less_words(word, &constant(*low));
                let above = self.less_words(&constant(*high), word);
                self.store.gates.and(!below, !above)
            }
            Relation::Equal(value) => self.same_words(word, &constant(*value)),
            Relation::Unequal(value) => !self.same_words(word, &constant(*value)),
            Relation::Residue { modulus, residue } => {
                let rest = self.integer_operation(BinaryOp::Modulo, word, &constant(*modulus));
                self.same_words(&rest, &constant(*residue))
            }
            Relation::OneOf(values) => {
                let same: Vec<Bit> =
                    values.iter().map(|&value| self.same_words(word, &constant(value))).collect();
                self.store.gates.any(same)
            }
            Relation::Bits { mask, value } => self.has_bits(word, *mask, *value),
            Relation::OtherBits { mask, value } => !self.has_bits(word, *mask, *value),
            Relation::Parity { mask, odd } => {
                let mut parity = Bit::of(!odd);
                for (_, bit) in masked(word, *mask) {
                    parity = self.store.gates.xor(parity, bit);
                }
                parity
            }
        }
    }

    /// Whether the bits of a number under a mask are those of a value.
    fn has_bits(&mut self, word: &Word, mask: i128, value: i128) -> Bit {
        if value & !mask != 0 {
            return Bit::FALSE;
        }
        let same = |(at, bit): (u32, Bit)| if value >> at & 1 == 1 { bit } else { !bit };
        let all: Vec<Bit> = masked(word, mask).map(same).collect();
        self.store.gates.all(all)
    }

    /// The value as a truth value: anything if it is none.
    pub(crate) fn truth(&mut self, value: Value) -> Bit {
        match value {
            Value::Bool(bit) => bit,
            _ => self.store.gates.input(),
        }
    }
}

/// The places of a mask that is not negative, with the bits of a number there.
fn masked(word: &Word, mask: i128) -> impl Iterator<Item = (u32, Bit)> + '_ {
    let last = word.bits.len() - 1;
    (0..i128::BITS - 1)
        .filter(move |at| mask >> at & 1 == 1)
        .map(move |at| (at, word.bits[(at as usize).min(last)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::EntityRef;

    #[test]
    fn the_parts_of_an_induction() {
        let induction = |rounds| Induction {
            procedure: Procedure::new(0),
            head: Block::new(0),
            rounds,
            facts: Vec::new(),
        };
        let parts = |rounds| {
            let part = move |round| match (
                is_supposed(&induction(rounds), round),
                is_over(&induction(rounds), round),
            ) {
                (true, _) => 's',
                (_, true) => 'o',
                _ => 'f',
            };
            (0..8).map(part).collect::<String>()
        };
        assert_eq!(parts(1), "ffsfoooo");
        assert_eq!(parts(2), "fffssfoo");
        assert!(!is_over(&induction(u32::MAX), u32::MAX));
    }

    #[test]
    fn leaving_a_loop() {
        let visit = |path: &[(u32, u32)]| Visit(path.to_vec());
        let inside = visit(&[(1, 5), (3, 2), (4, 0)]);
        assert!(stays(2, &inside, &visit(&[(1, 5), (3, 3), (3, 0)])));
        assert!(stays(1, &inside, &visit(&[(1, 6), (1, 0)])));
        assert!(!stays(2, &inside, &visit(&[(1, 6), (1, 0)])));
        assert!(!stays(2, &inside, &visit(&[(1, 5), (7, 0)])));
        assert!(!stays(1, &inside, &visit(&[(9, 0)])));
        assert!(stays(0, &inside, &visit(&[(9, 0)])));
    }
}
