//! A program whose control is made into locations, as an engine gets it, and the way back for proofs.
//!
//! What comes back is a proof about the program with its control in data, which is checked like any other.

use base::{Budget, EntitySet, Interrupted};
use engines::horn::{Errors, WholeProgram};
use logic::{Term, Terms};
use program::{BlockProgram, Location, Program, Proof, Reason, SingleSteps, Verdict};
use rustc_hash::FxHashMap;
use transform::Divided;

/// A program may have so many times its locations when it is divided,
const MOST_GROWTH: usize = 6;
/// and so many more.
const MOST_MORE: usize = 4_000;
/// With more cut points on the way to an error than this, engines get nowhere, and Horn clauses need gigabytes.
const MOST_CUT_POINTS: usize = 1_500;
/// A proof that is put together from more states than this would take too long to check.
const MOST_STATES: usize = 4_000;

/// A program with its control in locations.
pub(crate) struct Division {
    divided: Divided,
    /// Its blocks, which end where those of the program do.
    pub(crate) blocks: BlockProgram,
}

impl Division {
    /// The division of a program with these blocks; nothing if there is no reason for one, or if it would be too large.
    pub(crate) fn of(
        single: &SingleSteps,
        blocks: &BlockProgram,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Option<Division>, Interrupted> {
        let most = MOST_GROWTH * single.locations.len() + MOST_MORE;
        let Some(divided) = transform::divide(single, terms, most, budget)? else { return Ok(None) };
        let cut_points = divided.cut_points(&blocks.cut_points);
        let matters = on_a_way_to_an_error(&divided.program);
        if cut_points.iter().filter(|&location| matters.contains(location)).count() > MOST_CUT_POINTS {
            return Ok(None);
        }
        let blocks = transform::compose_at(&divided.program, cut_points, terms);
        Ok(Some(Division { divided, blocks }))
    }

    /// The program in single steps.
    pub(crate) fn single(&self) -> &SingleSteps {
        &self.divided.program
    }

    /// What a verdict about the division says about the program with these blocks. A trace stays one of the division.
    pub(crate) fn verdict(
        &self,
        blocks: &BlockProgram,
        verdict: Verdict,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Verdict, Interrupted> {
        let proof = match verdict {
            Verdict::Safe(proof) => proof,
            Verdict::Leaps(_) => {
                let why = "a leap was found where control is in locations, which is not shown".to_owned();
                return Ok(Verdict::Unknown(Reason::NoLeap(why)));
            }
            other => return Ok(other),
        };
        Ok(match self.proof(blocks, &proof, terms, budget)? {
            Some(proof) => Verdict::Safe(proof),
            None => {
                let why = "it has too many parts to be told about the program as it is written".to_owned();
                Verdict::Unknown(Reason::NotConfirmed(why))
            }
        })
    }

    /// The proof about the program of a proof about its division: at every cut point the disjunction, over its
    /// copies, of what holds there together with the values.
    fn proof(
        &self,
        blocks: &BlockProgram,
        proof: &Proof,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Option<Proof>, Interrupted> {
        let program: &Program = &self.blocks.program;
        let found = engines::annotation::invariants(program, proof, MOST_STATES, (terms, budget))?;
        let Some(found) = found else { return Ok(None) };
        let matters = on_a_way_to_an_error(&self.divided.program);
        let mut alternatives: FxHashMap<Location, Vec<Term>> = FxHashMap::default();
        for copy in self.blocks.cut_points.iter() {
            let (location, values) = self.divided.place(copy);
            let formula = match found.get(&copy) {
                Some(&formula) => formula,
                // The proof says that no run gets here,
                None if matters.contains(copy) => continue,
                // or has nothing to say, as no error can be reached from here.
                None => Term::TRUE,
            };
            let mut conjuncts = vec![formula];
            for &(var, value) in values {
                let variable = blocks.program.variables.term(terms, var);
                conjuncts.push(terms.eq(variable, value));
            }
            let formula = terms.and(conjuncts);
            alternatives.entry(location).or_default().push(formula);
        }
        let whole = WholeProgram::of(&blocks.program);
        let mut labels = Vec::with_capacity(whole.locations.len());
        for (class, location) in whole.locations.iter().enumerate() {
            let label = match alternatives.get(location) {
                _ if whole.initial.contains(&class) => Term::TRUE,
                Some(alternatives) => terms.or(alternatives.iter().copied()),
                None => Term::FALSE,
            };
            labels.push(label);
        }
        let automaton = whole.labelled(&blocks.program, &labels, Errors::Excluded);
        Ok(Some(Proof { automata: vec![automaton] }))
    }
}

/// The locations of a trimmed program from which an error can be reached.
fn on_a_way_to_an_error(program: &Program) -> EntitySet<Location> {
    let mut found = EntitySet::new();
    for (location, data) in &program.locations {
        if data.error.is_some() || !program.outgoing[location].is_empty() {
            found.insert(location);
        }
    }
    found
}
