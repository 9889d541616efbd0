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
use super::{Bounded, Entry, limits};
use base::Interrupted;
use ir::induction::Induction;
use ir::{Block, Procedure};
use sat::Answer;
use std::collections::BTreeSet;
use unwind::induction::{Beginning, Broken};
use unwind::{Bit, Halt, Limits, Unwinder};

/// How often facts are left out before the attempt is given up.
const MOST_ATTEMPTS: u32 = 40;
/// How large an unwinding for an induction may become.
const LIMITS: Limits = Limits { gates: 1_000_000, steps: 200_000, call_depth: 200 };

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
        if let Some(entry) = self.thinned_out(procedure, inductions.clone(), bound, most)? {
            return Ok(Some(entry));
        }
        let Some(facts) = self.candidates(procedure, &inductions, bound)? else { return Ok(None) };
        for (induction, facts) in inductions.iter_mut().zip(facts) {
            induction.facts = facts;
        }
        self.thinned_out(procedure, inductions, bound, most)
    }

    /// Leaves out facts until all that are left are shown, and the assertions with them.
    fn thinned_out(
        &mut self,
        procedure: Procedure,
        mut inductions: Vec<Induction>,
        bound: u32,
        most: u64,
    ) -> Result<Option<Entry>, Interrupted> {
        for _ in 0..MOST_ATTEMPTS {
            self.budget.check()?;
            if self.budget.effort() > most {
                return Ok(None);
            }
            self.statistics.inductions += 1;
            match self.claim(procedure, &mut inductions, bound)? {
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

    /// For every induction the facts that hold in some runs; nothing if the loops around or inside go on.
    fn candidates(
        &mut self,
        procedure: Procedure,
        inductions: &[Induction],
        bound: u32,
    ) -> Result<Option<Vec<Vec<ir::induction::Fact>>>, Interrupted> {
        let Some((unwinder, mut asking)) = self.unwound(procedure, inductions, (bound, true))? else {
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
            found.push(candidates::facts(self.source, &changed, (&samples, known), &numbers));
        }
        Ok(Some(found))
    }

    /// Leaves out the facts that are not shown; with all of them, shows that nothing fails.
    fn claim(
        &mut self,
        procedure: Procedure,
        inductions: &mut [Induction],
        bound: u32,
    ) -> Result<Claimed, Interrupted> {
        let Some((mut unwinder, mut asking)) = self.unwound(procedure, inductions, (bound, false))? else {
            return Ok(Claimed::Failed);
        };
        let conflicts = limits::conflicts_for_inductions(bound);
        let mut claims = unwinder.broken.clone();
        tracing::debug!(?inductions, claims = claims.len(), "claims");
        let mut left_out: BTreeSet<(usize, usize)> = BTreeSet::new();
        while !claims.is_empty() {
            let any = unwinder.any(claims.iter().map(|claim| claim.bit));
            let broken: Vec<Broken> = match asking.ask_within(unwinder.circuit(), any, conflicts)? {
                Some(Answer::Unsat) => break,
                Some(Answer::Sat) => {
                    let values = asking.values(unwinder.circuit());
                    let value = |bit: Bit| values[bit.node() as usize] ^ bit.is_negated();
                    claims.iter().copied().filter(|claim| value(claim.bit)).collect()
                }
                // One that is too hard is better left out than waited for.
                None => claims.last().copied().into_iter().collect(),
            };
            left_out.extend(broken.iter().map(|claim| (claim.induction, claim.fact)));
            claims.retain(|claim| !left_out.contains(&(claim.induction, claim.fact)));
        }
        tracing::debug!(?left_out, "left out");
        if !left_out.is_empty() {
            for (position, induction) in inductions.iter_mut().enumerate() {
                let facts = std::mem::take(&mut induction.facts).into_iter().enumerate();
                let stays = |(at, fact)| (!left_out.contains(&(position, at))).then_some(fact);
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
