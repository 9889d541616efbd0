//! Leaping loops from the command line: search, independent check, replay where that is possible.

use crate::commands::verify::refused;
use crate::report::{Answer, LeapReport, LeapStage, Report};
use base::{Budget, Interrupted};
use engines::context::Context;
use engines::leaping::chain::{self, Chain, ChainLink};
use engines::leaping::search::LeapStatistics;
use engines::leaping::theorems::Theorem;
use engines::leaping::{self, Found, concrete};
use logic::{Term, Terms};
use program::leap::{LeapCertificate, Mode, Port};
use program::{Error, Location, Program, Reason};
use smt::Solvers;

/// The program in single steps and in blocks, and the source of both.
pub(crate) struct Programs<'p> {
    pub(crate) source: &'p ir::Program,
    pub(crate) single: &'p Program,
    pub(crate) blocks: &'p Program,
}

/// Looks for a chain of leaps to one of the errors.
pub(crate) fn leap(
    programs: &Programs<'_>,
    errors: &[Error],
    terms: &mut Terms,
    (solvers, budget): (&Solvers, &Budget),
    report: &Report,
) -> Answer {
    let mut statistics = LeapStatistics::default();
    let mut context = Context::new(programs.blocks, terms, solvers, budget.clone());
    let found = leaping::find(&mut context, errors, &[Theorem::Two, Theorem::One], &mut statistics);
    drop(context);
    report.statistics(&[&statistics.to_string()]);
    match found {
        Ok(Found::Chain(error, chain, run)) => {
            accepted(programs, (error, &chain, run.as_deref()), terms, (solvers, budget))
        }
        Ok(Found::Nothing(reason)) => Answer::Unknown(reason),
        Err(Interrupted(limit)) => Answer::Unknown(Reason::Limit(limit)),
    }
}

/// A chain counts only if the independent check accepts it. If there is a run along it, the interpreter must fail too.
fn accepted(
    programs: &Programs<'_>,
    (error, chain, run): (Error, &Chain, Option<&concrete::Run>),
    terms: &mut Terms,
    (solvers, budget): (&Solvers, &Budget),
) -> Answer {
    let certificate = chain::certificate(programs.single, programs.blocks, chain, error, terms);
    let Some(certificate) = certificate else {
        return Answer::Unknown(Reason::NoLeap("a block cannot be told in single steps".to_owned()));
    };
    let checked = certify::check_leaps(programs.single, &certificate, terms, &mut *solvers.session(), budget);
    if let Err(refusal) = checked {
        return refused(&refusal);
    }
    let mut execution = None;
    if let Some(run) = run {
        match certify::replay(programs.source, programs.blocks, &run.counterexample, terms, budget) {
            Ok(replayed) => execution = Some(Box::new(replayed)),
            Err(certify::NotReplayed::Interrupted(Interrupted(limit))) => {
                return Answer::Unknown(Reason::Limit(limit));
            }
            // Two witnesses that contradict each other are no evidence.
            Err(why) => return Answer::Unknown(Reason::NotReplayed(format!("{why:?}"))),
        }
    }
    let stages = stages(programs.blocks, chain, run, &certificate, terms);
    Answer::Leaps(Box::new(LeapReport { error: programs.single.errors[error].clone(), stages, execution }))
}

/// The chain in words.
fn stages(
    program: &Program,
    chain: &Chain,
    run: Option<&concrete::Run>,
    certificate: &LeapCertificate,
    terms: &Terms,
) -> Vec<LeapStage> {
    let show = |formula: Term| logic::print::infix(terms, formula);
    let span = |location: Location| program.locations[location].span;
    let mut rounds = run.iter().flat_map(|run| run.rounds.iter());
    let mut stages = Vec::new();
    for (position, (mode, link)) in chain.links.iter().enumerate() {
        let (before, after) = (chain.ports[position], chain.ports[position + 1]);
        let values = |port: Port, at: usize| {
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
                Some(format!("{} = {value}", data.name))
            });
            values.collect::<Vec<_>>().join(", ")
        };
        let ChainLink::Leap { region, .. } = link else { continue };
        debug_assert_eq!(certificate.links.len(), chain.links.len());
        stages.push(LeapStage {
            span: span(before.location),
            theorem: if *mode == Mode::MustMinus { 1 } else { 2 },
            region: region.iter().map(|port| (span(port.location), show(port.formula))).collect(),
            entry: show(before.formula),
            exit: show(after.formula),
            rounds: rounds.next().copied(),
            entry_values: values(before, position),
            exit_values: values(after, position + 1),
        });
    }
    stages
}
