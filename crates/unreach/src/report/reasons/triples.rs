//! The Hoare triples from place to place, each with no more of what is known before than it needs.
//!
//! Triples at internal steps are asked for: of the conjuncts before, those are left out without which the triple still
//! holds, one after the other. Triples at calls and returns are those that the check has accepted, as they are.

use super::prover::{Claim, Prover, edges_between};
use super::{Ground, Labels};
use crate::report::edge_words::{edge_words, single_step, step_words};
use crate::report::formula::checked;
use crate::report::proof::Questions;
use crate::view::View;
use base::{Interrupted, Span};
use certify::block::Ends;
use logic::{Term, Terms};
use program::{Edge, EdgeKind, Location, Program};
use smt::Solvers;
use std::collections::BTreeSet;

/// With more conjuncts before a step than this, nobody asks which of them it needs.
const MOST_CONJUNCTS: usize = 16;

/// A Hoare triple in the words of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Triple {
    /// Where it begins.
    pub from: Spot,
    /// Where it ends.
    pub to: Spot,
    /// What has to be known before; `true` if nothing has, nothing if the source has no words for it.
    pub before: Option<String>,
    /// What holds afterwards; nothing if the source has no words for it.
    pub after: Option<String>,
    /// The places of the statements in between.
    pub lines: Vec<Span>,
}

/// A place between two statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The source that comes next.
    pub span: Span,
    /// The procedure.
    pub procedure: String,
    /// What kind of place it is.
    pub kind: SpotKind,
}

/// What kind of place it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpotKind {
    /// An execution or a call begins.
    Begin,
    /// The head of a loop.
    Loop,
    /// The end of a procedure.
    End,
    /// A check fails.
    Error,
    /// Something else.
    Other,
}

/// A triple before it is put into words.
pub(in crate::report) struct Found {
    pub(super) ends: Ends,
    /// What is known before, all of it.
    pub(super) known: Vec<Term>,
    /// What of it is needed.
    needed: Vec<Term>,
    pub(super) after: Vec<Term>,
    /// The call or return, if it is one.
    pub(super) at_edge: Option<Edge>,
    /// Whether it was shown, or accepted by the check.
    pub(super) holds: bool,
}

/// All triples.
pub(super) fn found(
    ground: &Ground<'_>,
    prover: &mut Prover<'_>,
    terms: &mut Terms,
) -> Result<Vec<Found>, Interrupted> {
    let blocks = &ground.proven.blocks.program;
    let mut found = Vec::new();
    let mut pairs: BTreeSet<(Location, Location)> = BTreeSet::new();
    for edge in blocks.live_edges() {
        let data = &blocks.edges[edge];
        if matches!(data.kind, EdgeKind::Internal(_)) {
            pairs.insert((data.source, data.target));
            continue;
        }
        let known = known_at(&ground.labels, data.source);
        let after = ground.labels.get(&data.target).cloned().unwrap_or_default();
        let ends = Ends { from: data.source, to: data.target };
        let needed = known.clone();
        found.push(Found { ends, known, needed, after, at_edge: Some(edge), holds: true });
    }
    pairs.extend(ground.proven.blocks.blocked.iter().copied());
    for (from, to) in pairs {
        let known = known_at(&ground.labels, from);
        // What has no label is never reached, and so are errors.
        let is_error = blocks.locations[to].error.is_some();
        let after = match ground.labels.get(&to) {
            Some(after) if !is_error => after.clone(),
            _ => vec![Term::FALSE],
        };
        let ends = Ends { from, to };
        let (holds, needed) = minimal(ground, prover, (&known, ends, &after), terms)?;
        found.push(Found { ends, known, needed, after, at_edge: None, holds });
    }
    Ok(found)
}

/// Whether a triple is seen to hold, and what it needs.
fn minimal(
    ground: &Ground<'_>,
    prover: &mut Prover<'_>,
    (known, ends, after): (&[Term], Ends, &[Term]),
    terms: &mut Terms,
) -> Result<(bool, Vec<Term>), Interrupted> {
    let single: &Program = &ground.proven.prepared.single;
    let after = terms.and(after.iter().copied());
    let mut needed = known.to_vec();
    let all = Claim { before: known, ends, after };
    if !prover.holds(single, ground.cut_points, all, terms)? {
        return Ok((false, needed));
    }
    if needed.len() > MOST_CONJUNCTS {
        return Ok((true, needed));
    }
    for &conjunct in known {
        let rest: Vec<Term> = needed.iter().copied().filter(|&other| other != conjunct).collect();
        let without = Claim { before: &rest, ends, after };
        if prover.holds(single, ground.cut_points, without, terms)? {
            needed = rest;
        }
    }
    Ok((true, needed))
}

/// What is known at a place; of one without a label nothing is.
fn known_at(labels: &Labels, location: Location) -> Vec<Term> {
    labels.get(&location).cloned().unwrap_or_default()
}

/// The triples that hold and say something, in the words of the source.
pub(super) fn in_words(
    ground: &Ground<'_>,
    found: &[Found],
    terms: &mut Terms,
    solvers: &Solvers,
) -> Result<Vec<Triple>, Interrupted> {
    let view = ground.proven.view;
    let single: &Program = &ground.proven.prepared.single;
    let loop_heads = transform::loop_heads(single);
    let mut questions = Questions::new(solvers, single);
    let mut triples: Vec<Triple> = Vec::new();
    for one in found.iter().filter(|one| one.holds) {
        // Where nothing is claimed, and where nobody comes, there is nothing to explain.
        if one.after.is_empty() || one.known.contains(&Term::FALSE) {
            continue;
        }
        let mut text = |formulas: &[Term]| match formulas {
            [] => Some("true".to_owned()),
            [one] if one.is_false() => Some("false".to_owned()),
            _ => {
                let mut follows =
                    |premise, conclusion, terms: &mut Terms| questions.follows(&[premise], conclusion, terms);
                checked(single, view.back.as_ref(), formulas, terms, &mut follows)
            }
        };
        let (before, after) = (text(&one.needed), text(&one.after));
        let spot = |location| spot(view, single, &loop_heads, location);
        let lines = match one.at_edge {
            Some(edge) => edge_words(view, &ground.proven.blocks.program, edge).spans,
            None => spans(ground, one.ends),
        };
        let triple = Triple { from: spot(one.ends.from), to: spot(one.ends.to), before, after, lines };
        // Copies of one procedure often say the same.
        if !triples.contains(&triple) {
            triples.push(triple);
        }
    }
    Ok(triples)
}

fn spot(view: &View, program: &Program, loop_heads: &base::EntitySet<Location>, location: Location) -> Spot {
    let data = &program.locations[location];
    let frame = program.frames.get(&data.procedure);
    let kind = match location {
        _ if data.error.is_some() => SpotKind::Error,
        _ if loop_heads.contains(location) => SpotKind::Loop,
        _ if frame.is_some_and(|frame| frame.exit == location) => SpotKind::End,
        _ if program.initial.contains(&location) || frame.is_some_and(|frame| frame.entry == location) => {
            SpotKind::Begin
        }
        _ => SpotKind::Other,
    };
    // An error is told at the condition that does not fail.
    let span = data.error.map_or(data.span, |error| program.errors[error].condition);
    Spot { span, procedure: view.program.procedures[data.procedure].name.clone(), kind }
}

/// The places of the statements between two places.
fn spans(ground: &Ground<'_>, ends: Ends) -> Vec<Span> {
    let single: &Program = &ground.proven.prepared.single;
    let edges = edges_between(single, ground.cut_points, ends);
    let steps = edges.into_iter().filter_map(|edge| single_step(single, edge));
    let spans: BTreeSet<Span> = steps.filter_map(|step| step_words(ground.proven.view, step).span).collect();
    spans.into_iter().collect()
}
