//! Loops that are shown by induction over their rounds (Sheeran, Singh, Stålmarck, "Checking Safety Properties Using
//! Induction and a SAT-Solver"), so that loops without an end can be unwound completely.
//!
//! A loop with an [`Induction`] over k rounds is not followed to its end. Rounds are numbered from zero by the entries
//! of the head; round 0 may also begin elsewhere, if the loop has several ways in.
//!
//! | rounds | what is done |
//! |---|---|
//! | 0 to k | they are followed as in any loop; what fails in them is a failure |
//! | k + 1 to 2k | the first begins with arbitrary values of all variables that the loop may change; nothing fails in them and the loop is not left: that is supposed |
//! | 2k + 1 | is followed as in any loop, and so is what comes after the loop |
//! | 2k + 2 | is not followed |
//!
//! The facts of the induction are checked at the head in every round, like an assertion.
//!
//! **Why that covers all executions.** Take an execution and its first failure. If it happens in a round up to k, or when
//! the loop was left from there, it is followed as it is. Otherwise let n > k be the round (or the one from which the loop
//! was left). The rounds n-k to n-1, which are not the round 0, begin at the head, are gone through completely and do
//! not fail. Variables that the loop does not change, and the conditions under which the loop was entered and round k+1 is
//! reached, are those of the execution. So the rounds n-k to n are among those that are followed as k+1 to 2k+1, with the
//! values at the head of round n-k as the arbitrary ones. Loops inside are unwound completely or by an induction of
//! their own, which covers all their executions, also those that are supposed not to fail.

use crate::circuit::Bit;
use crate::extent::Extent;
use crate::facts::{Comparison, Comparisons, Relation as Known};
use crate::flow::{Flow, Visit};
use crate::record::Subject;
use crate::state::State;
use crate::unwinder::Unwinder;
use crate::values::{ChoiceData, Value, Word};
use crate::words;
use ir::induction::{Combined, Fact, Induction, Monomial, Relation, Shifted};
use ir::{BinaryOp, Block, Body, Program, StatementKind, Type, TypeData, Variable};
use num_bigint::BigInt;
use std::collections::BTreeSet;

/// Which part of the argument a round is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// It is followed as it is.
    Followed,
    /// Values are arbitrary, and nothing fails.
    Supposed,
    /// It follows rounds that were supposed.
    Shown,
    /// It is not looked at.
    Over,
}

/// The part that a round is in an induction over so many.
pub(crate) fn phase(rounds: u32, round: u32) -> Phase {
    let (round, rounds) = (u64::from(round), u64::from(rounds));
    if round <= rounds {
        Phase::Followed
    } else if round <= 2 * rounds {
        Phase::Supposed
    } else if round == 2 * rounds + 1 {
        Phase::Shown
    } else {
        Phase::Over
    }
}

/// The inductions of a body, by the places of the loops' heads.
pub(crate) struct Inducted {
    /// The place of a head, with the position in the list of all inductions.
    at: Vec<(u32, usize)>,
}

impl Inducted {
    pub(crate) fn new(inductions: &[Induction], procedure: ir::Procedure, flow: &Flow) -> Inducted {
        let of_body = |(position, induction): (usize, &Induction)| {
            let is_loop =
                induction.procedure == procedure && induction.rounds > 0 && flow.is_head(induction.head);
            is_loop.then(|| (flow.place(induction.head), position))
        };
        Inducted { at: inductions.iter().enumerate().filter_map(of_body).collect() }
    }

    /// The position of the induction for the loop with its head at a place.
    pub(crate) fn position(&self, place: u32) -> Option<usize> {
        self.at.iter().find(|&&(head, _)| head == place).map(|&(_, position)| position)
    }

    /// How many of the loops around a visit have to stay: those down to the innermost in which rounds are supposed.
    pub(crate) fn supposed(&self, inductions: &[Induction], visit: &Visit) -> usize {
        let loops = &visit.0[..visit.0.len() - 1];
        let supposed = |&(place, round): &(u32, u32)| {
            self.position(place)
                .is_some_and(|position| phase(inductions[position].rounds, round) == Phase::Supposed)
        };
        loops.iter().rposition(supposed).map_or(0, |depth| depth + 1)
    }
}

/// Whether a visit is in the same loops as another, down to a depth; the innermost of them may be in another round.
pub(crate) fn stays(depth: usize, from: &Visit, to: &Visit) -> bool {
    let Some(last) = depth.checked_sub(1) else { return true };
    to.0.len() > depth && from.0[..last] == to.0[..last] && from.0[last].0 == to.0[last].0
}

/// All variables that the rounds of a loop may change.
fn changed(program: &Program, body: &Body, flow: &Flow, head: Block) -> BTreeSet<Variable> {
    let mut changed = BTreeSet::new();
    let inside = body.blocks.iter().filter(|&(block, _)| flow.is_inside(block, head));
    for statement in inside.flat_map(|(_, data)| &data.statements) {
        match &statement.kind {
            StatementKind::Assign(assignments) => {
                changed.extend(assignments.iter().map(|(target, _)| *target))
            }
            StatementKind::Havoc(variables) => changed.extend(variables),
            StatementKind::Call { procedure, results, .. } => {
                changed.extend(results);
                changed.extend(&program.procedures[*procedure].modifies);
            }
            // Nobody unwinds programs with threads.
            StatementKind::Fork { .. } | StatementKind::Join { .. } => {}
            StatementKind::Assume(_) | StatementKind::Assert(..) | StatementKind::Atomic(_) => {}
        }
    }
    changed
}

/// The values of variables when a round of a loop with an induction begins.
#[derive(Clone, Debug)]
pub struct Beginning {
    /// The position of the induction.
    pub induction: usize,
    /// When this round is reached.
    pub reached: Bit,
    /// The numbers that variables are.
    pub numbers: Vec<(Variable, Word)>,
}

/// That a fact does not hold though it was claimed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// When it does not hold.
    pub bit: Bit,
    /// The position of the induction.
    pub induction: usize,
    /// The position of the fact in it.
    pub fact: usize,
    /// When its round is reached.
    pub reached: Bit,
    /// If the fact is about single bits: their places, each with when it is not what was claimed.
    pub wrong: Vec<(u32, Bit)>,
}

/// The places of a mask that is not negative, with the bits of a number there.
fn masked(word: &Word, mask: i128) -> Vec<(u32, Bit)> {
    let last = word.bits.len() - 1;
    let places = (0..i128::BITS - 1).filter(|at| mask >> at & 1 == 1);
    places.map(|at| (at, word.bits[(at as usize).min(last)])).collect()
}

impl<'p> Unwinder<'p> {
    /// The unwinding in which these loops are shown by induction. If `watch`, the values of variables are kept
    /// whenever a round begins that is followed as it is.
    pub fn with_inductions(mut self, inductions: Vec<Induction>, watch: bool) -> Unwinder<'p> {
        self.inductions = inductions;
        self.watch = watch;
        self
    }

    /// All variables that a loop with an induction may change.
    pub fn changed(&self, induction: &Induction) -> BTreeSet<Variable> {
        match &self.program.procedures[induction.procedure].body {
            Some(body) => changed(self.program, body, &Flow::new(body), induction.head),
            None => BTreeSet::new(),
        }
    }

    /// When one of the bits is wrong that are left in a claim about single bits.
    pub fn broken_bits(&mut self, claim: &Broken) -> Bit {
        let any = self.any(claim.wrong.iter().map(|&(_, bit)| bit));
        self.store.circuit.and(claim.reached, any)
    }

    /// A round of a loop begins; whether it is to be followed.
    pub(crate) fn begin_round(
        &mut self,
        (position, body, flow): (usize, &Body, &Flow),
        state: &mut State,
        round: u32,
    ) -> bool {
        let Induction { head, rounds, .. } = self.inductions[position];
        if phase(rounds, round) == Phase::Over {
            return false;
        }
        if round == rounds + 1 {
            for variable in changed(self.program, body, flow, head) {
                // Of the `where` clause nothing is supposed: assignments need not keep to it.
                let data = ChoiceData { ty: self.program.variables[variable].ty, range: None };
                let choice = self.store.choices.push(data);
                state.set(self.slots[variable], Value::Unread(choice));
            }
        }
        if self.watch && phase(rounds, round) == Phase::Followed && !self.supposing {
            self.keep(position, state);
        }
        for fact in 0..self.inductions[position].facts.len() {
            let claimed = self.inductions[position].facts[fact].clone();
            self.here = Comparisons::default();
            let (bit, wrong) = self.fact((&claimed, fact as u32), state);
            let (bit, here) = (state.facts.bit(bit), std::mem::take(&mut self.here));
            if !self.supposing {
                let reached = state.guard.all();
                let broken = self.store.circuit.and(reached, !bit);
                if broken != Bit::FALSE {
                    self.broken.push(Broken { bit: broken, induction: position, fact, reached, wrong });
                }
            }
            self.suppose(state, bit, &here);
        }
        state.guard.all() != Bit::FALSE
    }

    /// Keeps the values of all variables that are numbers.
    fn keep(&mut self, induction: usize, state: &State) {
        let program = self.program;
        let procedure = &program.procedures[self.inductions[induction].procedure];
        let locals = procedure.body.iter().flat_map(|body| &body.locals);
        let all = program.globals.iter().chain(&procedure.parameters).chain(&procedure.results).chain(locals);
        let mut numbers = Vec::new();
        for &variable in all {
            let ty = program.variables[variable].ty;
            if matches!(program.types[ty], TypeData::Bool | TypeData::Int | TypeData::BitVec(_))
                && let Some(word) = self.number(variable, state)
            {
                numbers.push((variable, word));
            }
        }
        self.beginnings.push(Beginning { induction, reached: state.guard.all(), numbers });
    }

    /// The number that a variable is.
    fn number(&mut self, variable: Variable, state: &State) -> Option<Word> {
        let value = state.get(self.slots[variable])?.clone();
        let value = self.store.look(&value);
        match state.facts.apply(&value) {
            Value::Bool(bit) => Some(Word::new(vec![bit, Bit::FALSE])),
            Value::Int(word) => Some(word),
            Value::Bits(bits) => Some(Word::new(bits.iter().copied().chain([Bit::FALSE]).collect())),
            Value::Map(_) | Value::Opaque | Value::Unread(_) => None,
        }
    }

    /// Whether a fact holds, and, if it is about single bits, where each of them is wrong. A fact about something that is no number
    /// may hold or not.
    fn fact(&mut self, (fact, position): (&Fact, u32), state: &State) -> (Bit, Vec<(u32, Bit)>) {
        let word = match &fact.of {
            Combined::Sum(sum) => self.sum(sum, position, state),
            Combined::Xor(words) => self.combined((words, true), position, state),
            Combined::And(words) => self.combined((words, false), position, state),
        };
        let Some(word) = word else { return (self.store.circuit.input(), Vec::new()) };
        let (holds, wrong) = self.relation(&fact.relation, &word);
        let by_bits = matches!(
            fact.relation,
            Relation::Bits { .. } | Relation::OtherBits { .. } | Relation::Parity { .. }
        );
        if word.beyond == Bit::FALSE || (!by_bits && matches!(fact.of, Combined::Sum(_))) {
            return (holds, wrong);
        }
        // Of a number that is beyond, the bits are not right.
        let any = self.store.circuit.input();
        (self.store.circuit.mux(word.beyond, any, holds), Vec::new())
    }

    /// A sum of variables times numbers; nothing if some of them are no numbers.
    fn sum(&mut self, monomials: &[Monomial], position: u32, state: &State) -> Option<Word> {
        let constant = |number: i64| Value::int(words::integer(&BigInt::from(number)));
        let mut sum: Option<Value> = None;
        for &Monomial { factor, variable } in monomials {
            let word = self.number(variable, state)?;
            self.note_known(Subject::Variable(position, variable), &Value::Int(word.clone()));
            let product = match factor {
                1 => Value::Int(word),
                _ => self.operation(BinaryOp::Multiply, &constant(factor), &Value::Int(word), Type::INT),
            };
            sum = Some(match sum {
                None => product,
                Some(sum) => self.operation(BinaryOp::Add, &sum, &product, Type::INT),
            });
        }
        match sum.unwrap_or_else(|| constant(0)) {
            Value::Int(word) => Some(word),
            _ => None,
        }
    }

    /// Words combined bit by bit, by exclusive disjunction or by conjunction; it is beyond where one of the words is.
    fn combined(&mut self, (list, is_xor): (&[Shifted], bool), position: u32, state: &State) -> Option<Word> {
        let mut all = words::integer(&BigInt::from(if is_xor { 0 } else { -1 }));
        let mut beyond = Bit::FALSE;
        for shifted in list {
            let mut word = self.number(shifted.variable, state)?;
            self.note_known(Subject::Variable(position, shifted.variable), &Value::Int(word.clone()));
            if shifted.plus != 0 {
                let plus = Value::int(words::integer(&BigInt::from(shifted.plus)));
                match self.operation(BinaryOp::Add, &Value::Int(word), &plus, Type::INT) {
                    Value::Int(sum) => word = sum,
                    _ => return None,
                }
            }
            let circuit = &mut self.store.circuit;
            beyond = circuit.or(beyond, word.beyond);
            let mut bits: Vec<Bit> = match usize::try_from(shifted.left) {
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
            let pair = words::extend(&all, width).into_iter().zip(words::extend(&bits, width));
            all = pair.map(|(a, b)| if is_xor { circuit.xor(a, b) } else { circuit.and(a, b) }).collect();
        }
        Some(Word::maybe_beyond(all, beyond, Extent::Open))
    }

    /// Whether a relation holds for a number, and which single bits are wrong.
    fn relation(&mut self, relation: &Relation, word: &Word) -> (Bit, Vec<(u32, Bit)>) {
        let constant = |number: i128| Value::int(words::integer(&BigInt::from(number)));
        let sum = Value::Int(word.clone());
        let mut compare = |op, a: &Value, b: i128| match self.operation(op, a, &constant(b), Type::BOOL) {
            Value::Bool(bit) => bit,
            _ => self.store.circuit.input(),
        };
        let holds = match relation {
            Relation::AtMost(bound) => compare(BinaryOp::LessEqual, &sum, *bound),
            Relation::AtLeast(bound) => compare(BinaryOp::GreaterEqual, &sum, *bound),
            Relation::Between(low, high) => {
                let (above, below) =
                    (compare(BinaryOp::GreaterEqual, &sum, *low), compare(BinaryOp::LessEqual, &sum, *high));
                self.store.circuit.and(above, below)
            }
            Relation::Equal(value) => compare(BinaryOp::Equal, &sum, *value),
            Relation::Unequal(value) => compare(BinaryOp::NotEqual, &sum, *value),
            Relation::Residue { modulus, residue } => {
                let rest = self.operation(BinaryOp::Modulo, &sum, &constant(*modulus), Type::INT);
                match self.operation(BinaryOp::Equal, &rest, &constant(*residue), Type::BOOL) {
                    Value::Bool(bit) => bit,
                    _ => self.store.circuit.input(),
                }
            }
            Relation::OneOf(values) => {
                let bits: Vec<Bit> =
                    values.iter().map(|&value| compare(BinaryOp::Equal, &sum, value)).collect();
                let any = self.any(bits);
                let mut few = values.clone();
                few.sort_unstable();
                few.dedup();
                let relation = Known::Among { if_true: Some(few.into()), if_false: None };
                self.note(any, Comparison { word: word.clone(), relation });
                any
            }
            Relation::Bits { mask, value } => {
                let wrong = wrong_bits(word, *mask, *value);
                let any = self.any(wrong.iter().map(|&(_, bit)| bit));
                return (if value & !mask == 0 { !any } else { Bit::FALSE }, wrong);
            }
            Relation::OtherBits { mask, value } => {
                let wrong = wrong_bits(word, *mask, *value);
                let any = self.any(wrong.into_iter().map(|(_, bit)| bit));
                if value & !mask == 0 { any } else { Bit::TRUE }
            }
            Relation::Parity { mask, odd } => {
                let bits = masked(word, *mask).into_iter();
                bits.fold(Bit::constant(!odd), |parity, (_, bit)| self.store.circuit.xor(parity, bit))
            }
        };
        (holds, Vec::new())
    }
}

/// The places of a mask, with when the bit of a number there is not that of a value.
fn wrong_bits(word: &Word, mask: i128, value: i128) -> Vec<(u32, Bit)> {
    let wrong = |(at, bit): (u32, Bit)| (at, if value >> at & 1 == 1 { !bit } else { bit });
    masked(word, mask).into_iter().map(wrong).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_an_induction() {
        use Phase::*;
        let parts = |rounds| (0..8).map(move |round| phase(rounds, round)).collect::<Vec<_>>();
        assert_eq!(parts(1), [Followed, Followed, Supposed, Shown, Over, Over, Over, Over]);
        assert_eq!(parts(2), [Followed, Followed, Followed, Supposed, Supposed, Shown, Over, Over]);
        assert_eq!(phase(u32::MAX, u32::MAX), Followed);
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
