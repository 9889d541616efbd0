//! Do all runs end? Which views of a problem are judged for that, one after the other, and how.
//!
//! In C a signed overflow has no meaning, and one that ends the run would let nearly every loop end. So a proof must not
//! rest on it, nor on how many bits a signed number has: it is looked for in the view in which signed numbers are
//! unbounded, whose runs contain all others. An infinite run is looked for in the view in which an overflow is
//! the end: it is one whatever an overflow does. If there is none, but one both if signed numbers are unbounded and if they
//! wrap around, then the run never ends unless something stops the program at the overflow; that is an answer too, and the
//! report says so. If all runs end, but some only by an overflow, the answer is unknown.
//!
//! An access to memory that is not valid has no meaning either. An infinite run must not have one, and for a proof it is
//! the end where nothing else helps.
//!
//! The way of a view: program automaton → what infinite runs can see → blocks → engine → independent check.

use crate::answer::{Answer, Decision, Failure, Infinite, Terminates, refused};
use crate::attempt::solvers;
use crate::observer::Observer;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::property::Property;
use crate::report::rounds::rounds;
use crate::report::termination::{InfiniteReport, ranks};
use crate::validate::repeats_cycle;
use crate::view::{BitOperations, NoView, Reading, SignedOverflow, View};
use base::{Budget, Interrupted};
use c::{Check, Checks};
use certify::format::ReadError;
use certify::termination::bounds::bounds;
use certify::termination::recurrence::check_recurrence;
use certify::termination::{Endless, TerminationCertificate, check_termination, format};
use certify::{Refusal, Subject};
use engines::table::TERMINATION;
use engines::termination::Aim;
use engines::{Counted, Task};
use logic::Terms;
use program::{Edge, Location, Reason, Verdict};
use smt::Solver;
use std::sync::Arc;
use transform::{BlockSize, InfinitePart};

/// Programs with more locations after inlining keep their calls.
const MOST_LOCATIONS: usize = 20_000;

/// Whether a plan and a problem are about termination: the problem says so, or the only engine knows no other question.
pub fn is_asked(problem: &Problem, plan: &Plan) -> bool {
    let only = matches!(&plan.entries[..], [entry] if entry.engine == TERMINATION);
    only || problem.property == Property::Termination
}

/// Do all runs of a problem end?
pub(crate) fn verify(
    problem: &Problem,
    plan: &Plan,
    budget: &Budget,
    observer: &Arc<dyn Observer>,
) -> Result<Decision, Failure> {
    if let [entry] = &plan.entries[..]
        && entry.engine != TERMINATION
    {
        let what = format!("termination with the engine {}", entry.engine.name);
        return Ok(Decision::without_view(Reason::Unsupported(what)));
    }
    let problem = Problem { property: Property::Termination, ..problem.clone() };
    let judge = Judge { problem, plan, budget, observer };
    let decision = judge.with_bits(BitOperations::Marked)?;
    let back = decision.view.as_ref().and_then(|view| view.back.as_ref());
    // What depends on bit operations or floating numbers that were only bounded is decided in bit-vectors, and what depends on
    // memory that is looked at in two ways in bytes.
    if back.is_some_and(|back| back.bounded_bits || back.tagged) && is_open(&decision) {
        return judge.with_bits(BitOperations::Exact);
    }
    Ok(decision)
}

/// Can another view still answer?
fn is_open(decision: &Decision) -> bool {
    matches!(decision.answer, Answer::Unknown(Reason::Termination(_) | Reason::NotConfirmed(_)))
}

/// Does a program have memory that pointers lead to?
fn has_memory(program: &ir::Program) -> bool {
    let is_map = |variable: &ir::Variable| {
        matches!(program.types[program.variables[*variable].ty], ir::TypeData::Map { .. })
    };
    program.globals.iter().any(is_map)
}

/// The views of a C program.
struct CViews {
    /// A signed overflow and an invalid access are the end of a run.
    ends: Arc<View>,
    /// Signed numbers wrap around, and an invalid access is the end.
    wraps: Arc<View>,
    /// Signed numbers are unbounded, and an invalid access has some result.
    unbounded: Arc<View>,
    /// Signed numbers are unbounded, and an invalid access is the end; none for a program without memory.
    valid: Option<Arc<View>>,
}

struct Judge<'a> {
    problem: Problem,
    plan: &'a Plan,
    budget: &'a Budget,
    observer: &'a Arc<dyn Observer>,
}

impl Judge<'_> {
    /// The answer with this meaning of bit operations.
    fn with_bits(&self, bits: BitOperations) -> Result<Decision, Failure> {
        match self.views(bits) {
            Ok(decision) => decision,
            Err(NoView::Unknown(reason)) => Ok(Decision::without_view(reason)),
            Err(NoView::Failure(failure)) => Err(failure),
        }
    }

    fn views(&self, bits: BitOperations) -> Result<Result<Decision, Failure>, NoView> {
        let view = |overflow, checks| {
            // If arithmetic wraps around, that is what it does in proofs, too.
            let overflow = if self.problem.c.wrap { SignedOverflow::Wraps } else { overflow };
            let reading = Reading { bits, overflow, checks };
            View::of_problem(&self.problem, reading).map(Arc::new)
        };
        let ends = view(SignedOverflow::Ends, Checks::default())?;
        self.observer.warnings(&ends.sources, &ends.warnings);
        if ends.is_concurrent() {
            let reason = Reason::Unsupported("termination of programs with threads".to_owned());
            return Ok(Ok(Decision::unknown(reason, ends)));
        }
        if ends.back.is_none() {
            return Ok(self.judge(&ends, Aim::All));
        }
        let has_memory = has_memory(&ends.program);
        let valid = if has_memory { Checks::default().with(Check::Deref) } else { Checks::default() };
        let views = CViews {
            ends: if has_memory { view(SignedOverflow::Ends, valid)? } else { ends },
            wraps: view(SignedOverflow::Wraps, valid)?,
            unbounded: view(SignedOverflow::GoesOn, Checks::default())?,
            valid: if has_memory { Some(view(SignedOverflow::GoesOn, valid)?) } else { None },
        };
        Ok(self.c_views(&views))
    }

    /// The answer about a C program from its views.
    fn c_views(&self, views: &CViews) -> Result<Decision, Failure> {
        for view in [Some(&views.unbounded), views.valid.as_ref()].into_iter().flatten() {
            let proof = self.judge(view, Aim::Ranks)?;
            if !is_open(&proof) {
                return Ok(proof);
            }
        }
        let found = self.judge(&views.ends, Aim::RanksAndRuns)?;
        if matches!(found.answer, Answer::Infinite(_)) {
            return Ok(found);
        }
        let mut proof = self.judge(&views.unbounded, Aim::All)?;
        let mut goes_on = matches!(proof.answer, Answer::Infinite(_));
        if let (Some(valid), true) = (&views.valid, goes_on || is_open(&proof)) {
            proof = self.judge(valid, Aim::All)?;
            goes_on = matches!(proof.answer, Answer::Infinite(_));
        }
        if goes_on {
            let mut wraps = self.judge(&views.wraps, Aim::RanksAndRuns)?;
            if let Answer::Infinite(infinite) = &mut wraps.answer {
                infinite.told.wraps();
                return Ok(wraps);
            }
            let why = "some do not if signed numbers are unbounded, but a signed overflow has no meaning";
            return Ok(Decision { answer: Answer::Unknown(Reason::Termination(why.to_owned())), ..proof });
        }
        if is_open(&proof) && matches!(found.answer, Answer::Terminates(_)) {
            let why = "all of them do if a signed overflow is the end of a run, and some may not otherwise";
            return Ok(Decision { answer: Answer::Unknown(Reason::Termination(why.to_owned())), ..proof });
        }
        Ok(proof)
    }

    /// The answer of the engine about a view.
    fn judge(&self, view: &Arc<View>, aim: Aim) -> Result<Decision, Failure> {
        let mut terms = Terms::new();
        let subject = match view.subject(&mut terms) {
            Ok(subject) => subject,
            Err(NoView::Unknown(reason)) => return Ok(Decision::unknown(reason, Arc::clone(view))),
            Err(NoView::Failure(failure)) => return Err(failure),
        };
        let part = transform::infinite_part(subject.program().clone(), MOST_LOCATIONS, &mut terms);
        let single = &part.program;
        let (solvers, cross_check) =
            solvers(&self.plan.solvers, TERMINATION, self.budget).map_err(Failure::Internal)?;
        let mut counted = Counted::default();
        let mut attempt = |size: BlockSize, aim: Aim, terms: &mut Terms| {
            let blocks = transform::compose(single, size, terms);
            let options = engines::Options { termination: aim, ..self.plan.options.clone() };
            let mut task = Task {
                source: &view.program,
                single,
                blocks: &blocks,
                terms,
                solvers: &solvers,
                budget: self.budget.clone(),
                options: &options,
                observe: &|progress| self.observer.progress(progress),
                counted: std::mem::take(&mut counted),
            };
            let verdict = (TERMINATION.run)(&mut task);
            counted = std::mem::take(&mut task.counted);
            (blocks, verdict)
        };
        let (mut blocks, mut verdict) = attempt(self.plan.blocks, aim, &mut terms);
        // Where no rank fits a loop as a whole, its traces are covered one after the other.
        if aim == Aim::All && matches!(verdict, Ok(Verdict::Unknown(Reason::Termination(_)))) {
            let (paths, covered) = attempt(BlockSize::Paths, Aim::RanksOrModules, &mut terms);
            if matches!(covered, Ok(Verdict::Terminates(_)) | Err(_)) {
                (blocks, verdict) = (paths, covered);
            }
        }
        let (source, wanted) = (&view.program, self.plan.certificate);
        let answer = match verdict {
            Ok(Verdict::Terminates(proof)) => {
                let mut session = solvers.session();
                let certificate = TerminationCertificate::of_proof(&blocks, &proof);
                let checked = checkable(&subject, &part, &mut terms).and_then(|endless| {
                    let number = |location| number_of_location(&endless, &part, location);
                    let certificate = certificate.renumbered(number).ok_or_else(lost)?;
                    let accepted =
                        check_termination(&endless, &certificate, &mut terms, &mut *session, self.budget)?;
                    Ok((accepted, endless))
                });
                match checked {
                    Ok((accepted, endless)) => {
                        let ranks = ranks(view, single, &proof, &mut terms);
                        let place = |location| {
                            let is_it =
                                |&own: &Location| number_of_location(&endless, &part, own) == Some(location);
                            blocks.cut_points.iter().find(is_it)
                        };
                        let mut session = solvers.session();
                        let bounds = bounds(&endless, &accepted, &mut terms, &mut *session, self.budget);
                        // Without bounds, the proof is still one.
                        let rounds = rounds(&bounds.unwrap_or_default(), &blocks, place, &mut terms);
                        counted.add([("bounds", "loops with a bound of their rounds", rounds.len() as u64)]);
                        let write = || format::write_termination((source, &endless), &accepted, &terms);
                        let certificate = wanted.then(write);
                        Answer::Terminates(Box::new(Terminates {
                            proof: accepted,
                            ranks,
                            rounds,
                            certificate,
                        }))
                    }
                    Err(refusal) => refused(&refusal)?,
                }
            }
            Ok(Verdict::Recurs(recurrence)) => {
                let mut session = solvers.session();
                let checked = checkable(&subject, &part, &mut terms).and_then(|endless| {
                    let location = |location| number_of_location(&endless, &part, location);
                    let edge = |edge| number_of_edge(&endless, &part, edge);
                    let recurrence = recurrence.renumbered(location, edge).ok_or_else(lost)?;
                    let programs = (source, &endless);
                    let run =
                        check_recurrence(programs, &recurrence, &mut terms, &mut *session, self.budget)?;
                    Ok((run, endless))
                });
                match checked {
                    Ok((run, endless)) => {
                        let told = InfiniteReport::new(view, endless.program(), &run, &mut terms);
                        let programs = (source, &endless);
                        let write = |terms| format::write_recurrence(programs, &run.recurrence, terms);
                        let certificate = if wanted { write(&mut terms) } else { None };
                        let repeats_cycle = repeats_cycle(endless.program(), &run.recurrence);
                        Answer::Infinite(Box::new(Infinite { run, told, repeats_cycle, certificate }))
                    }
                    // The model of a stem may choose values that the interpreter cannot follow.
                    Err(refusal @ Refusal::Recurrence(_)) => {
                        Answer::Unknown(Reason::NotConfirmed(refusal.to_string()))
                    }
                    Err(refusal) => refused(&refusal)?,
                }
            }
            Ok(Verdict::Unknown(reason)) => Answer::Unknown(reason),
            Ok(_) => return Err(Failure::Internal("an answer to another question".to_owned())),
            Err(Interrupted(limit)) => Answer::Unknown(Reason::Limit(limit)),
        };
        if let Some(disagreements) = cross_check.map(|second| second.disagreements())
            && !disagreements.is_empty()
        {
            return Err(Failure::Internal(format!("solvers disagree: {}", disagreements.join("; "))));
        }
        let view = Some(Arc::clone(view));
        let counted = vec![(TERMINATION, counted)];
        Ok(Decision { answer, view, engine: Some(TERMINATION), counted, stand: None, was_easy: false })
    }
}

/// The program that the checker holds evidence about a part against.
fn checkable(subject: &Subject, part: &InfinitePart, terms: &mut Terms) -> Result<Endless, Refusal> {
    Endless::new(subject, part.copies.as_ref().map(|copies| &copies.unfolding), terms)
}

/// What the checker calls a location of the engine's program.
fn number_of_location(endless: &Endless, part: &InfinitePart, location: Location) -> Option<Location> {
    match &part.copies {
        None => Some(location),
        Some(copies) => endless.location(copies.place(location)),
    }
}

/// What the checker calls an edge of the engine's program.
fn number_of_edge(endless: &Endless, part: &InfinitePart, edge: Edge) -> Option<Edge> {
    match &part.copies {
        None => Some(edge),
        Some(copies) => {
            let copy = copies.edge(edge);
            endless.edge(copy.activation, copy.edge)
        }
    }
}

/// Something of the engine's program is not there when the checker unfolds the calls.
fn lost() -> Refusal {
    Refusal::Malformed("the unfolding of the calls has lost a part of the program".to_owned())
}

/// Is a text a certificate of termination or of an infinite run?
pub fn is_certificate(text: &str) -> bool {
    format::is_one(text)
}

/// Why a certificate is not accepted.
#[derive(Debug)]
pub enum NotAccepted {
    /// It is no certificate; why.
    Malformed(String),
    /// It is a certificate for another program.
    OtherProgram,
    /// The check refuses it.
    Refused(Refusal),
    /// The problem has no view.
    NoView(NoView),
}

/// Checks a certificate against the view of the problem that it is about.
pub fn certify(
    problem: &Problem,
    text: &str,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<(), NotAccepted> {
    let problem = Problem { property: Property::Termination, ..problem.clone() };
    for bits in [BitOperations::Marked, BitOperations::Exact] {
        for overflow in [SignedOverflow::GoesOn, SignedOverflow::Ends, SignedOverflow::Wraps] {
            if problem.c.wrap && overflow != SignedOverflow::Wraps {
                continue;
            }
            for checks in [Checks::default(), Checks::default().with(Check::Deref)] {
                let reading = Reading { bits, overflow, checks };
                let view = View::of_problem(&problem, reading).map_err(NotAccepted::NoView)?;
                let mut terms = Terms::new();
                let subject = view.subject(&mut terms).map_err(NotAccepted::NoView)?;
                let (read, endless) = match format::read((&view.program, &subject), text, &mut terms) {
                    Ok(read) => read,
                    Err(ReadError::Malformed(what)) => return Err(NotAccepted::Malformed(what)),
                    Err(ReadError::OtherProgram) => continue,
                };
                let is_c = view.back.is_some();
                let checked = match read {
                    format::Read::Termination(proof) => {
                        // A proof must not rest on an overflow.
                        if is_c && !problem.c.wrap && overflow != SignedOverflow::GoesOn {
                            continue;
                        }
                        check_termination(&endless, &proof, &mut terms, solver, budget).map(|_| ())
                    }
                    format::Read::Recurrence(recurrence) => {
                        // A run must neither need unbounded numbers nor invalid accesses.
                        let unchecked = checks == Checks::default() && has_memory(&view.program);
                        if is_c && (overflow == SignedOverflow::GoesOn || unchecked) {
                            continue;
                        }
                        let programs = (&view.program, &endless);
                        check_recurrence(programs, &recurrence, &mut terms, solver, budget).map(|_| ())
                    }
                };
                return checked.map_err(NotAccepted::Refused);
            }
        }
    }
    Err(NotAccepted::OtherProgram)
}
