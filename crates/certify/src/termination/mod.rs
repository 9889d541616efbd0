//! The independent check that all runs of a program end, or that one does not.
//!
//! Both are about [`Endless`]: what infinite runs of a [`Subject`](crate::Subject) can see.
//!
//! [`check_termination`]: a certificate gives every cut point nodes, with an invariant and a rank each. Accepted means:
//!
//! 1. every cycle of the single-step program has a cut point, so that a run that never ends passes cut points for ever;
//! 2. where runs begin, the invariant of some node holds;
//! 3. from every state of a node, every block and every call leads to a state of some node at its end whose rank is
//!    smaller; and a call that comes back leads to a state of a node whose rank is smaller than that *at the call*.
//!
//! A rank is a list of numbers. It becomes smaller if some entry was not negative and sinks by one or more, and no entry
//! before it grows. No sequence of ranks becomes smaller for ever: let `i` be the first entry that sinks infinitely often; from
//! some point on it never grows, sinks by one again and again, and is not negative before it does.
//!
//! Where no ranks are found, [`coverings`] let modules take their place: steps inside of a covering must not let any entry
//! of the rank grow, but need not make it smaller. Then an infinite run would stay inside of one covering from some
//! point on, because the argument above still holds, and that is what modules exclude.
//!
//! So every run ends: [`steps`] says why the steps of 3 are all that matter.
//!
//! [`bounds`] reads off how often loops go round at most. [`recurrence`] checks infinite runs. [`mod@format`] writes certificates and reads them.

pub mod bounds;
mod coverings;
pub mod endless;
pub mod format;
mod infinite;
pub mod recurrence;
mod steps;

pub use endless::Endless;

use crate::certificate::Certificate;
use crate::obligations::Obligations;
use crate::{Certified, Refusal};
use base::{Budget, EntitySet};
use logic::{Rational, Sort, Term, Terms};
use program::{BlockProgram, Covering, Location, Program, RankedNode, TerminationProof};
use smt::{Answer, Solver};
use steps::SpineStep;

/// A proof that all runs end.
#[derive(Clone, Default, Debug)]
pub struct TerminationCertificate {
    /// The locations between which blocks are.
    pub cut_points: EntitySet<Location>,
    /// The nodes.
    pub nodes: Vec<RankedNode>,
    /// Where modules take the place of ranks.
    pub coverings: Vec<Covering>,
}

impl TerminationCertificate {
    /// The certificate of a proof about a program with blocks.
    pub fn of_proof(blocks: &BlockProgram, proof: &TerminationProof) -> TerminationCertificate {
        // A procedure that also unreachable procedures call has edges back to them. What the engine says about such a place,
        // where no block begins, says nothing about the program.
        let is_cut_point = |node: &&RankedNode| blocks.cut_points.contains(node.location);
        let nodes = proof.nodes.iter().filter(is_cut_point).cloned().collect();
        let mut coverings = proof.coverings.clone();
        for Covering { locations, impossible, .. } in &mut coverings {
            // The engine does not see blocks that cannot be taken.
            let inside = |&&(_, to): &&(Location, Location)| locations.contains(&to);
            impossible.extend(blocks.blocked.iter().filter(inside).copied());
        }
        TerminationCertificate { cut_points: blocks.cut_points.clone(), nodes, coverings }
    }

    /// The same about a program whose locations have other numbers; nothing, if one of them is not there.
    pub fn renumbered(
        &self,
        number: impl Fn(Location) -> Option<Location>,
    ) -> Option<TerminationCertificate> {
        let mut cut_points = EntitySet::new();
        for location in self.cut_points.iter() {
            cut_points.insert(number(location)?);
        }
        let node = |node: &RankedNode| Some(RankedNode { location: number(node.location)?, ..node.clone() });
        let nodes = self.nodes.iter().map(node).collect::<Option<_>>()?;
        let mut coverings = self.coverings.clone();
        for Covering { locations, impossible, modules } in &mut coverings {
            let states = modules.iter_mut().flat_map(|module| &mut module.states);
            let ends = impossible.iter_mut().flat_map(|(from, to)| [from, to]);
            for location in locations.iter_mut().chain(ends).chain(states.map(|state| &mut state.location)) {
                *location = number(*location)?;
            }
        }
        Some(TerminationCertificate { cut_points, nodes, coverings })
    }

    fn check_shape(&self, program: &Program, terms: &mut Terms) -> Result<(), Refusal> {
        let shape = Certificate { cut_points: self.cut_points.clone(), ..Certificate::default() };
        shape.check_shape(program)?;
        let mut sorts: Option<Vec<Sort>> = None;
        for node in &self.nodes {
            if !program.locations.is_valid(node.location) || !self.cut_points.contains(node.location) {
                return Err(Refusal::Malformed(format!(
                    "a node at {}, which is no cut point",
                    node.location
                )));
            }
            let own: Vec<Sort> = node.rank.iter().map(|&entry| terms.sort_of(entry)).collect();
            if own.iter().any(|sort| !sort.is_arithmetic()) || terms.sort_of(node.invariant) != Sort::BOOL {
                return Err(Refusal::Malformed(
                    "a rank that is no number, or an invariant that is no formula".to_owned(),
                ));
            }
            if *sorts.get_or_insert_with(|| own.clone()) != own {
                return Err(Refusal::Malformed("ranks of different shape".to_owned()));
            }
            let mut said = node.rank.clone();
            said.push(node.invariant);
            check_vocabulary(program, terms, &said)?;
        }
        coverings::check_shape(program, &self.cut_points, &self.coverings, terms)
    }
}

/// Do the terms speak of the state only?
pub(crate) fn check_vocabulary(program: &Program, terms: &Terms, said: &[Term]) -> Result<(), Refusal> {
    match terms.free_symbols_of(said).iter().find(|&&symbol| program.variables.of_symbol(symbol).is_none()) {
        None => Ok(()),
        Some(&symbol) => {
            let name = &terms.symbol_data(symbol).name;
            Err(Refusal::Label(format!("`{name}` is no variable of the program")))
        }
    }
}

/// Checks that a certificate proves that all runs of a program end.
pub fn check_termination(
    endless: &Endless,
    certificate: &TerminationCertificate,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Certified<TerminationCertificate>, Refusal> {
    let program: &Program = endless.program();
    certificate.check_shape(program, terms)?;
    let entries = certificate.nodes.first().map_or(&[][..], |node| &node.rank[..]).to_vec();
    let mut before = Vec::with_capacity(entries.len());
    for entry in entries {
        let symbol = terms.fresh_symbol("rank before", terms.sort_of(entry));
        before.push(terms.constant(symbol));
    }
    let obligations = Obligations::new(program, &certificate.cut_points, terms, solver, budget);
    let mut checker = Checker { program, certificate, obligations, before };
    checker.beginnings(terms)?;
    let steps = steps::all(program, &certificate.cut_points);
    for step in &steps {
        checker.decreases(step, terms)?;
    }
    for covering in &certificate.coverings {
        checker.covering(covering, &steps, terms, budget)?;
    }
    Ok(Certified::new(certificate.clone()))
}

struct Checker<'a> {
    program: &'a Program,
    certificate: &'a TerminationCertificate,
    obligations: Obligations<'a>,
    /// Names for the entries of the rank before a step.
    before: Vec<Term>,
}

impl Checker<'_> {
    fn beginnings(&mut self, terms: &mut Terms) -> Result<(), Refusal> {
        for &location in &self.program.initial {
            let here = self.certificate.nodes.iter().filter(|node| node.location == location);
            let some = terms.or(here.map(|node| node.invariant).collect::<Vec<_>>());
            match self.obligations.refute(terms, some)? {
                Answer::Unsat => {}
                Answer::Sat => {
                    return Err(Refusal::Label(format!("no node applies where runs begin, at {location}")));
                }
                Answer::Unknown(why) => {
                    return Err(Refusal::Undecided("the nodes where runs begin".to_owned(), why));
                }
            }
        }
        Ok(())
    }

    /// A step makes the rank smaller, or stays inside of a covering and lets no entry of it grow.
    fn decreases(&mut self, step: &SpineStep, terms: &mut Terms) -> Result<(), Refusal> {
        let certificate = self.certificate;
        let inside =
            |covering: &Covering| [step.from, step.to].iter().all(|end| covering.locations.contains(end));
        let covered = certificate.coverings.iter().any(inside);
        let compare = if covered { not_larger } else { becomes_smaller };
        let after = self.compared_at(step.to, compare, terms);
        for node in certificate.nodes.iter().filter(|node| node.location == step.from) {
            let before = self.state_and_rank(node, terms);
            self.step(step, before, after, terms)?;
        }
        Ok(())
    }

    /// The state is one of the node, and its rank has the names.
    fn state_and_rank(&self, node: &RankedNode, terms: &mut Terms) -> Term {
        let mut known = vec![node.invariant];
        for (&name, &entry) in self.before.iter().zip(&node.rank) {
            known.push(terms.eq(name, entry));
        }
        terms.and(known)
    }

    /// The state is one of a node at the location, and the rank with the names compares with its rank like this.
    fn compared_at(
        &self,
        location: Location,
        compare: fn(&[Term], &[Term], &mut Terms) -> Term,
        terms: &mut Terms,
    ) -> Term {
        let here = self.certificate.nodes.iter().filter(|node| node.location == location);
        let mut cases = Vec::new();
        for node in here {
            let compared = compare(&self.before, &node.rank, terms);
            cases.push(terms.and([node.invariant, compared]));
        }
        terms.or(cases)
    }
}

/// No entry of the second rank is larger than that of the first.
fn not_larger(before: &[Term], after: &[Term], terms: &mut Terms) -> Term {
    let entries: Vec<Term> =
        before.iter().zip(after).map(|(&before, &after)| terms.le(after, before)).collect();
    terms.and(entries)
}

/// The second rank is smaller than the first.
fn becomes_smaller(before: &[Term], after: &[Term], terms: &mut Terms) -> Term {
    let mut smaller = Term::FALSE;
    for (&before, &after) in before.iter().zip(after).rev() {
        let sort = terms.sort_of(before);
        let (zero, one) = (
            terms.numeral(Rational::from_integer(0.into()), sort),
            terms.numeral(Rational::from_integer(1.into()), sort),
        );
        let not_negative = terms.ge(before, zero);
        let less_one = terms.sub(before, one);
        let sinks = terms.le(after, less_one);
        let sinks = terms.and([not_negative, sinks]);
        let stays = terms.le(after, before);
        let later = terms.and([stays, smaller]);
        smaller = terms.or([sinks, later]);
    }
    smaller
}
