//! The way from a chain of leaps to an answer: independent check, replay where that is possible, words for both.

use crate::answer::{Answer, Failure, LeapStage, Leaps, not_replayed, refused};
use crate::prepared::Prepared;
use crate::report::formula::readable;
use crate::view::View;
use base::Budget;
use certify::Subject;
use logic::{Term, Terms};
use program::leap::{LeapCertificate, LeapRun, Link, Mode, Port};
use program::variables::VarData;
use program::{LeapEvidence, Location, Program};
use smt::Solvers;

/// A program in single steps and in blocks, the source of both, and what evidence is held against.
pub(crate) struct Programs<'p> {
    pub(crate) view: &'p View,
    pub(crate) subject: &'p Subject,
    pub(crate) prepared: &'p Prepared,
    pub(crate) blocks: &'p Program,
}

/// A chain counts only if the independent check accepts it. If there is a run along it, the interpreter must fail too.
pub(crate) fn accepted(
    programs: &Programs<'_>,
    evidence: &LeapEvidence,
    terms: &mut Terms,
    solvers: &Solvers,
    budget: &Budget,
) -> Result<Answer, Failure> {
    let LeapEvidence { certificate: chain, run } = evidence;
    let Programs { view, subject, prepared, blocks } = *programs;
    let checked = prepared.chain(subject, chain, terms).and_then(|checkable| {
        let (unfolding, session) = (checkable.unfolding, &mut *solvers.session());
        certify::check_leaps(subject, unfolding, &checkable.chain, terms, session, budget)
    });
    let certificate = match checked {
        Ok(accepted) => accepted,
        Err(refusal) => return refused(&refusal),
    };
    let mut execution = None;
    if let Some(counterexample) = run.as_ref().and_then(|run| run.counterexample.as_ref()) {
        match certify::replay(&view.program, blocks, counterexample, terms, budget) {
            Ok(replayed) => execution = Some(Box::new(replayed)),
            // Two witnesses that contradict each other are no evidence.
            Err(why) => return Ok(Answer::Unknown(not_replayed(why))),
        }
    }
    let stages = stages((blocks, view.back.as_ref()), chain, run.as_ref(), terms);
    let error = prepared.single.errors[chain.error].clone();
    Ok(Answer::Leaps(Box::new(Leaps { certificate, error, stages, execution })))
}

/// The chain in words.
fn stages(
    (program, back): (&Program, Option<&c::BackMap>),
    chain: &LeapCertificate,
    run: Option<&LeapRun>,
    terms: &mut Terms,
) -> Vec<LeapStage> {
    let show = |formula: Term, terms: &mut Terms| {
        readable(program, back, formula, terms).unwrap_or_else(|| "true".to_owned())
    };
    // What has no name in C is not shown.
    let name = |data: &VarData| match back {
        None => Some(data.name.clone()),
        Some(back) => {
            let meaning = back.variables.get(&data.source?)?;
            (meaning.part == c::Part::Whole).then(|| meaning.name.clone())
        }
    };
    let span = |location: Location| program.locations[location].span;
    let mut rounds = run.iter().flat_map(|run| run.rounds.iter());
    let mut stages = Vec::new();
    for (position, (mode, link)) in chain.links.iter().enumerate() {
        let (before, after) = (chain.ports[position], chain.ports[position + 1]);
        let values = |port: Port, at: usize, terms: &Terms| {
            let Some(run) = run else { return String::new() };
            let symbols = terms.free_symbols(port.formula);
            let state = &run.at_ports[at];
            let values = program.variables.of_symbols(&symbols).filter_map(|var| {
                let data = &program.variables[var];
                let value = match state.get(data.symbol)? {
                    logic::Value::Int(value) => value.to_string(),
                    logic::Value::Bool(value) => value.to_string(),
                    logic::Value::BitVec(width, value) => format!("{value}bv{width}"),
                    _ => return None,
                };
                Some(format!("{} = {value}", name(data)?))
            });
            values.collect::<Vec<_>>().join(", ")
        };
        let Link::Leap(leap) = link else { continue };
        let mut region = Vec::with_capacity(leap.region.len());
        for port in &leap.region {
            let inside = terms.and([port.formula, leap.kept]);
            region.push((span(port.location), show(inside, terms)));
        }
        stages.push(LeapStage {
            span: span(before.location),
            theorem: if *mode == Mode::MustMinus { 1 } else { 2 },
            region,
            entry: show(before.formula, terms),
            exit: show(after.formula, terms),
            rounds: rounds.next().cloned(),
            entry_values: values(before, position, terms),
            exit_values: values(after, position + 1, terms),
        });
    }
    stages
}
