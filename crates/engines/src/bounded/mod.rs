//! Bounded and bit-precise: the program is unwound as far as it goes, and what is left is decided bit by bit.
//!
//! The unwinding ([`unwind`]) follows all paths at once and merges them where they meet. Loops with known ends are followed
//! to the end; others for more and more iterations, as long as a solver says that they can go on (Biere, Cimatti, Clarke,
//! Zhu, "Symbolic Model Checking without BDDs"; Clarke, Kroening, Lerda, "A Tool for Checking ANSI-C Programs"). If nothing
//! can go on the unwinding is complete, and that no failure is possible is a proof; before that, failures are errors. Loops that
//! go on are also tried by induction over their rounds ([`induction`]).
//!
//! Requires a program without threads. A proof is the list of ends and a refutation of the clauses of the unwinding, which
//! the checker makes anew; an error is a run of the interpreter.
//!
//! Costs grow with the number of unwound statements times the width of the numbers, and then with what the solver makes of it.

mod analysed;
mod asking;
mod candidates;
pub mod failures;
mod induction;
mod limits;
mod simulation;
mod words;

use crate::task::Task;
use analysed::Analysed;
use asking::Asking;
use base::{Budget, Interrupted};
use ir::claims::Paths;
use ir::induction::Induction;
use ir::interpreter::{Interpreter, Outcome};
use ir::{Block, Procedure, Variable};
use program::{ConcreteRun, EntryUnwinding, Reason, Unwinding, Verdict};
use sat::Answer;
use std::collections::BTreeSet;
use unwind::apart::{Apart, prove_apart};
use unwind::proving::{self, Proven, Refutation};
use unwind::witness::Follower;
use unwind::{Bit, Halt, Limits, Unwinder};

/// What was counted.
#[derive(Clone, Copy, Default)]
struct Statistics {
    statements: u64,
    gates: u64,
    questions: u64,
    conflicts: u64,
    inductions: u64,
    bound: u64,
}

/// Runs the engine.
pub fn run(task: &mut Task<'_>) -> Result<Verdict, Interrupted> {
    let mut engine = Bounded {
        source: task.source,
        analysed: Some(Analysed::new(task.single, task.terms)),
        budget: task.budget.clone(),
        statistics: Statistics::default(),
    };
    let verdict = engine.run();
    let Statistics { statements, gates, questions, conflicts, inductions, bound } = engine.statistics;
    task.counted.add([
        ("unwound", "statements in the last unwinding", statements),
        ("gates", "gates in the last unwinding", gates),
        ("bound", "iterations that depend on inputs were followed so often", bound),
        ("sat_questions", "questions to the SAT solver", questions),
        ("sat_conflicts", "conflicts of the SAT solver", conflicts),
        ("inductions", "attempts to show loops by induction", inductions),
    ]);
    verdict
}

struct Bounded<'t> {
    source: &'t ir::Program,
    /// The same program for static analysis, if somebody may want to show loops by induction.
    analysed: Option<Analysed<'t>>,
    budget: Budget,
    statistics: Statistics,
}

/// What became of one procedure.
enum Entry {
    Proven(EntryUnwinding),
    Fails(ConcreteRun),
    Unknown(Reason),
}

/// What one attempt came to.
enum Attempt {
    Ended(Entry),
    /// These loops go on; none if it is a recursion.
    Open(BTreeSet<(Procedure, Block)>),
}

impl<'t> Bounded<'t> {
    fn run(&mut self) -> Result<Verdict, Interrupted> {
        let mut entries = Vec::new();
        let mut unknown = None;
        for procedure in self.source.entries() {
            match self.entry(procedure)? {
                Entry::Proven(proven) => entries.push(proven),
                Entry::Fails(run) => return Ok(Verdict::Run(Box::new(run))),
                Entry::Unknown(reason) => unknown = unknown.or(Some(reason)),
            }
        }
        Ok(match unknown {
            Some(reason) => Verdict::Unknown(reason),
            None => Verdict::Unwound(Box::new(Unwinding { entries })),
        })
    }

    fn entry(&mut self, procedure: Procedure) -> Result<Entry, Interrupted> {
        let mut may_be_few = self.has_maps();
        for &bound in limits::BOUNDS {
            self.budget.check()?;
            self.statistics.bound = u64::from(bound);
            if may_be_few {
                let limits = limits::apart(bound);
                let limits = (limits, limits::questions_apart(bound));
                let apart = prove_apart(self.source, procedure, limits, &self.budget)?;
                let Apart { refutation, steps, hope } = apart;
                if let Some(refutation) = refutation {
                    self.statistics.statements = steps;
                    return Ok(by_refutation(procedure, Vec::new(), Paths::Apart, refutation));
                }
                may_be_few = hope;
            }
            let before = self.budget.effort();
            let loops = match self.attempt(procedure, bound)? {
                Attempt::Ended(entry) => return Ok(entry),
                Attempt::Open(loops) => loops,
            };
            let now = self.budget.effort();
            let most = now + limits::INDUCTIONS * (now - before) + limits::least_for_inductions(bound);
            for &rounds in limits::rounds(bound).iter().filter(|_| !loops.is_empty()) {
                if let Some(entry) = self.induction(procedure, &loops, (rounds, bound), most)? {
                    return Ok(entry);
                }
            }
            // The next attempt takes a multiple of this one, and others may know a way around the loops.
            self.budget.stand_back();
        }
        Ok(Entry::Unknown(Reason::Unsupported("loops that go on for thousands of iterations".to_owned())))
    }

    /// Whether the program has memory.
    fn has_maps(&self) -> bool {
        let is_map = |&variable: &Variable| {
            let ty = self.source.variables[variable].ty;
            self.source.types.as_map(ty).is_some()
        };
        self.source.globals.iter().any(is_map)
    }

    /// One unwinding, in which so many iterations are followed.
    fn attempt(&mut self, procedure: Procedure, bound: u32) -> Result<Attempt, Interrupted> {
        let mut unwinder = Unwinder::new(self.source, Limits::default(), self.budget.clone()).with_record();
        let mut asking = Asking::new(bound, &self.budget);
        let halted = match unwinder.run(procedure, &mut asking) {
            Ok(()) => None,
            Err(Halt::Interrupted(interrupted)) => return Err(interrupted),
            Err(Halt::Unsupported(why)) => Some(Reason::Unsupported(why.to_owned())),
        };
        self.statistics.statements = unwinder.steps();
        self.statistics.gates = unwinder.circuit().len() as u64;
        let attempt = if halted.is_none() && unwinder.open.is_empty() {
            Attempt::Ended(self.complete(procedure, &mut unwinder, &mut asking)?)
        } else {
            let fails = unwinder.failures.iter().map(|failure| failure.bit).collect::<Vec<Bit>>();
            let fails = unwinder.any(fails);
            match (asking.ask(unwinder.circuit(), fails)?, halted) {
                (Answer::Sat, halted) => match self.follow(procedure, &unwinder, &asking)? {
                    // A longer run may fail for other reasons than this one.
                    Entry::Unknown(_) if halted.is_none() => Attempt::Open(unwinder.open_loops),
                    entry => Attempt::Ended(entry),
                },
                (Answer::Unsat, Some(reason)) => Attempt::Ended(Entry::Unknown(reason)),
                (Answer::Unsat, None) => Attempt::Open(unwinder.open_loops),
            }
        };
        self.statistics.questions += asking.solver.statistics.solved;
        self.statistics.conflicts += asking.solver.statistics.conflicts;
        Ok(attempt)
    }

    /// Nothing goes on any more: a proof, or an error.
    fn complete(
        &mut self,
        procedure: Procedure,
        unwinder: &mut Unwinder<'t>,
        asking: &mut Asking,
    ) -> Result<Entry, Interrupted> {
        let fails = unwinder.failures.iter().map(|failure| failure.bit).collect::<Vec<Bit>>();
        let fails = unwinder.any(fails);
        // An error is often found at once, and then there is no proof to be made.
        if asking.ask_within(unwinder.circuit(), fails, limits::MOST_CONFLICTS)? == Some(Answer::Sat) {
            return self.follow(procedure, unwinder, asking);
        }
        if let Some(entry) = self.proven(procedure, Vec::new(), unwinder)? {
            return Ok(entry);
        }
        match asking.ask(unwinder.circuit(), fails)? {
            Answer::Sat => self.follow(procedure, unwinder, asking),
            Answer::Unsat => Ok(Entry::Unknown(Reason::NotConfirmed(
                "the checker's unwinding leaves more open than the engine's".to_owned(),
            ))),
        }
    }

    /// A proof for the checker that nothing fails and that what was called impossible is; nothing if there is none.
    fn proven(
        &mut self,
        procedure: Procedure,
        inductions: Vec<Induction>,
        unwinder: &mut Unwinder<'t>,
    ) -> Result<Option<Entry>, Interrupted> {
        let Some(record) = unwinder.record.take() else { return Ok(None) };
        let proven =
            proving::prove(self.source, procedure, &inductions, (&record, unwinder.steps()), &self.budget)?;
        Ok(match proven {
            Proven::Yes(refutation) => Some(by_refutation(procedure, inductions, Paths::Merged, refutation)),
            Proven::No => None,
            Proven::TooLarge(why) => {
                Some(Entry::Unknown(Reason::NotConfirmed(format!("for the checker, {why}"))))
            }
        })
    }

    /// Runs the program as the solver says that it fails.
    fn follow(
        &self,
        procedure: Procedure,
        unwinder: &Unwinder<'t>,
        asking: &Asking,
    ) -> Result<Entry, Interrupted> {
        let values = asking.values(unwinder.circuit());
        let mut follower = Follower::new(unwinder, |bit: Bit| values[bit.node() as usize] ^ bit.is_negated());
        let mut interpreter = Interpreter::new(self.source, self.budget.clone());
        let outcome = interpreter.run(procedure, &[], &mut follower, limits::RUN)?;
        let Follower { values, targets, .. } = follower;
        Ok(match outcome {
            Outcome::Failed(_) => Entry::Fails(ConcreteRun { procedure, values, targets }),
            _ => Entry::Unknown(Reason::NotReplayed(match unwinder.imprecise {
                Some(why) => format!("{why} are not decided exactly"),
                None => format!("{outcome:?}"),
            })),
        })
    }
}

/// What is known of a procedure by a refutation.
fn by_refutation(
    procedure: Procedure,
    inductions: Vec<Induction>,
    paths: Paths,
    Refutation { steps, claims, proof }: Refutation,
) -> Entry {
    Entry::Proven(EntryUnwinding { procedure, inductions, paths, steps, claims, proof })
}
