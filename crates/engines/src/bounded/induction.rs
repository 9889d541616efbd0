//! Loops that go on for ever, shown by induction over their rounds ([`unwind::induction`]).
//!
//! Assertions are often inductive by themselves, so the first attempt has no facts but the ranges of variables. Others are
//! taken from runs and from static analysis ([`candidates`], [`super::analysed`]); those that cannot be shown are
//! left out one after the other (Flanagan and Leino, "Houdini, an Annotation Assistant for ESC/Java"). What is left is the
//! strongest set of them that is inductive, and the program's assertions are shown with it.
//!
//! Costs: the loops are unwound for 2k + 2 rounds, at most once for every fact that is left out; questions to the solver
//! are bounded by conflicts and everything together by effort, so that the unwinding to larger depths gets its turn.

use super::asking::Asking;
use super::candidates::{self, Sample};
use super::{Bounded, Entry, limits, words};
use base::Interrupted;
use ir::induction::{Fact, Induction};
use ir::{Block, Procedure};
use sat::Answer;
use std::collections::{BTreeMap, BTreeSet};
use unwind::induction::Beginning;
use unwind::{Bit, Halt, Limits, Unwinder};

/// How often facts are left out before the attempt is given up.
const MOST_ATTEMPTS: u32 = 40;
/// In programs with bits, so many rounds are looked at to find out what may hold whenever a round begins.
const SAMPLED_ROUNDS: u32 = 4;
/// In so many attempts, facts about bits lose only those that were refuted.
const PATIENT: u32 = 3;
/// How large an unwinding for an induction may become.
const LIMITS: Limits = Limits { gates: 1_000_000, steps: 200_000, call_depth: 200 };

/// Facts about the rounds of a loop: those about numbers, and those about bits.
type Candidates = (Vec<Fact>, Vec<Fact>);

/// What became of an unwinding in which facts were claimed.
enum Claimed {
    /// Everything is shown.
    Shown(Entry),
    /// Some facts had to be left out.
    Fewer,
    /// This is not the way.
    Failed,
}

impl<'t> Bounded<'t> {
    /// Tries to show loops by induction over so many rounds, as long as the effort is below a limit.
    pub(super) fn induction(
        &mut self,
        procedure: Procedure,
        loops: &BTreeSet<(Procedure, Block)>,
        (rounds, bound): (u32, u32),
        most: u64,
    ) -> Result<Option<Entry>, Interrupted> {
        let heads =
            loops.iter().map(|&(procedure, head)| Induction { procedure, head, rounds, facts: Vec::new() });
        let mut inductions: Vec<Induction> = heads.collect();
        let unwinder = Unwinder::new(self.source, LIMITS, self.budget.clone());
        for induction in &mut inductions {
            induction.facts = candidates::ranges(self.source, &unwinder.changed(induction));
        }
        if let Some(entry) = self.thinned_out(procedure, &mut inductions.clone(), bound, most)? {
            return Ok(Some(entry));
        }
        let Some(facts) = self.candidates(procedure, &inductions, bound)? else { return Ok(None) };
        let mut about_bits = Vec::new();
        for (induction, (facts, bits)) in inductions.iter_mut().zip(facts) {
            induction.facts = facts;
            about_bits.push(bits);
        }
        if let Some(entry) = self.thinned_out(procedure, &mut inductions, bound, most)? {
            return Ok(Some(entry));
        }
        if about_bits.iter().all(Vec::is_empty) {
            return Ok(None);
        }
        // What is left is inductive by itself, and makes facts about bits easier to show.
        for (induction, bits) in inductions.iter_mut().zip(about_bits) {
            induction.facts.extend(bits);
        }
        let most = most.max(self.budget.effort() + limits::least_for_inductions(bound));
        self.thinned_out(procedure, &mut inductions, bound, most)
    }

    /// Leaves out facts until all that are left are shown, and the assertions with them.
    fn thinned_out(
        &mut self,
        procedure: Procedure,
        inductions: &mut [Induction],
        bound: u32,
        most: u64,
    ) -> Result<Option<Entry>, Interrupted> {
        for attempt in 0..MOST_ATTEMPTS {
            self.budget.check()?;
            if self.budget.effort() > most {
                return Ok(None);
            }
            self.statistics.inductions += 1;
            match self.claim(procedure, inductions, (bound, attempt))? {
                Claimed::Shown(entry) => return Ok(Some(entry)),
                Claimed::Fewer => {}
                Claimed::Failed => return Ok(None),
            }
        }
        Ok(None)
    }

    /// An unwinding with claims; nothing if it has no end.
    fn unwound(
        &self,
        procedure: Procedure,
        inductions: &[Induction],
        (bound, watch): (u32, bool),
    ) -> Result<Option<(Unwinder<'t>, Asking)>, Interrupted> {
        let unwinder = Unwinder::new(self.source, LIMITS, self.budget.clone());
        let mut unwinder = unwinder.with_inductions(inductions.to_vec(), watch);
        if !watch {
            unwinder = unwinder.with_record();
        }
        let mut asking = Asking::new(bound, &self.budget);
        match unwinder.run(procedure, &mut asking) {
            Ok(()) if unwinder.open.is_empty() => Ok(Some((unwinder, asking))),
            Ok(()) | Err(Halt::Unsupported(_)) => Ok(None),
            Err(Halt::Interrupted(interrupted)) => Err(interrupted),
        }
    }

    /// For every induction the facts that hold in some runs, and those about bits; nothing if the loops around or inside go on.
    fn candidates(
        &mut self,
        procedure: Procedure,
        inductions: &[Induction],
        bound: u32,
    ) -> Result<Option<Vec<Candidates>>, Interrupted> {
        let bits_matter = words::matter(self.source);
        // Of words that are computed from words it takes several rounds until they have shown what they can be.
        let deeper = |induction: &Induction| {
            let rounds = if bits_matter { induction.rounds.max(SAMPLED_ROUNDS) } else { induction.rounds };
            Induction { rounds, ..induction.clone() }
        };
        let deeper: Vec<Induction> = inductions.iter().map(deeper).collect();
        let Some((unwinder, mut asking)) = self.unwound(procedure, &deeper, (bound, true))? else {
            return Ok(None);
        };
        let numbers = candidates::numbers(self.source);
        let mut found = Vec::new();
        for (position, induction) in inductions.iter().enumerate() {
            let mut samples: Vec<Sample> = Vec::new();
            for beginning in unwinder.beginnings.iter().filter(|beginning| beginning.induction == position) {
                samples.extend(asking.samples(&unwinder, beginning)?);
            }
            samples.sort_unstable();
            samples.dedup();
            let changed = unwinder.changed(induction);
            let known = match &mut self.analysed {
                Some(analysed) => analysed.facts(self.source, induction.procedure, &self.budget)?,
                None => &[],
            };
            let facts = candidates::facts(self.source, &changed, (&samples, known), &numbers);
            let about_bits = if bits_matter {
                words::facts(self.source, induction, &changed, &samples, &numbers)
            } else {
                Vec::new()
            };
            found.push((facts, about_bits));
        }
        Ok(Some(found))
    }

    /// Leaves out the facts that are not shown; with all of them, shows that nothing fails.
    fn claim(
        &mut self,
        procedure: Procedure,
        inductions: &mut [Induction],
        (bound, attempt): (u32, u32),
    ) -> Result<Claimed, Interrupted> {
        let Some((mut unwinder, mut asking)) = self.unwound(procedure, inductions, (bound, false))? else {
            return Ok(Claimed::Failed);
        };
        let conflicts = limits::conflicts_for_inductions(bound);
        let mut claims = unwinder.broken.clone();
        tracing::debug!(?inductions, claims = claims.len(), "claims");
        let mut left_out: BTreeSet<(usize, usize)> = BTreeSet::new();
        // The bits that facts about single bits are left without.
        let mut refuted: BTreeMap<(usize, usize), i128> = BTreeMap::new();
        while !claims.is_empty() {
            let any = unwinder.any(claims.iter().map(|claim| claim.bit));
            match asking.ask_within(unwinder.circuit(), any, conflicts)? {
                Some(Answer::Unsat) => break,
                Some(Answer::Sat) => {
                    let values = asking.values(unwinder.circuit());
                    let value = |bit: Bit| values[bit.node() as usize] ^ bit.is_negated();
                    for claim in claims.iter().filter(|claim| value(claim.bit)) {
                        let at = (claim.induction, claim.fact);
                        let wrong = claim.wrong.iter().filter(|(_, bit)| value(*bit));
                        let wrong = wrong.fold(0, |all, (place, _)| all | 1_i128 << place);
                        let all = *refuted.entry(at).and_modify(|all| *all |= wrong).or_insert(wrong);
                        if words::weaker(&inductions[at.0].facts[at.1], all).is_none() {
                            left_out.insert(at);
                        }
                    }
                }
                // One that is too hard is better left out than waited for.
                None => left_out.extend(claims.last().map(|claim| (claim.induction, claim.fact))),
            }
            claims.retain(|claim| !left_out.contains(&(claim.induction, claim.fact)));
            for claim in &mut claims {
                if let Some(without) = refuted.get(&(claim.induction, claim.fact)) {
                    claim.wrong.retain(|(place, _)| without >> place & 1 == 0);
                    claim.bit = unwinder.broken_bits(claim);
                }
            }
        }
        tracing::debug!(?left_out, ?refuted, "left out");
        if !left_out.is_empty() || !refuted.is_empty() {
            for (position, induction) in inductions.iter_mut().enumerate() {
                let facts = std::mem::take(&mut induction.facts).into_iter().enumerate();
                let stays = |(at, fact): (usize, Fact)| match refuted.get(&(position, at)) {
                    _ if left_out.contains(&(position, at)) => None,
                    Some(&without) if attempt < PATIENT => words::weaker(&fact, without),
                    Some(&without) => words::weaker(&fact, words::with_following(&fact, without)),
                    None => Some(fact),
                };
                induction.facts = facts.filter_map(stays).collect();
            }
            return Ok(Claimed::Fewer);
        }
        let fails: Vec<Bit> = unwinder.failures.iter().map(|failure| failure.bit).collect();
        let fails = unwinder.any(fails);
        match asking.ask_within(unwinder.circuit(), fails, conflicts)? {
            Some(Answer::Unsat) => {
                let entry = self.proven(procedure, inductions.to_vec(), &mut unwinder)?;
                Ok(match entry {
                    Some(entry @ Entry::Proven(_)) => Claimed::Shown(entry),
                    _ => Claimed::Failed,
                })
            }
            _ => Ok(Claimed::Failed),
        }
    }
}

impl Asking {
    /// The values of variables in runs that begin a round.
    fn samples(
        &mut self,
        unwinder: &Unwinder<'_>,
        beginning: &Beginning,
    ) -> Result<Vec<Sample>, Interrupted> {
        let circuit = unwinder.circuit();
        if !self.simulation.reaches(circuit, beginning.reached) {
            // No run comes there by chance.
            match self.ask_within(circuit, beginning.reached, limits::MOST_CONFLICTS)? {
                Some(Answer::Sat) => {
                    let values = self.values(circuit);
                    self.simulation.take_over(&values);
                }
                _ => return Ok(Vec::new()),
            }
        }
        let number = |run: u32, word: &unwind::values::Word| -> Option<i128> {
            if self.simulation.value(word.beyond, run) || word.bits.len() > 100 {
                return None;
            }
            let last = word.bits.len() - 1;
            let bits = word.bits.iter().enumerate().filter(|&(_, &bit)| self.simulation.value(bit, run));
            Some(bits.map(|(at, _)| if at == last { -(1_i128 << at) } else { 1 << at }).sum())
        };
        let runs = (0..u64::BITS).filter(|&run| self.simulation.value(beginning.reached, run));
        let sample = |run: u32| -> Sample {
            let numbers = beginning.numbers.iter();
            numbers.filter_map(|(variable, word)| Some((*variable, number(run, word)?))).collect()
        };
        Ok(runs.map(sample).collect())
    }
}
