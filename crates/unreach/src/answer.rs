//! Answers. A [`Answer::Safe`] or [`Answer::Unsafe`] can only be made of evidence that crate `certify` has accepted.

use crate::input::InputError;
use crate::report::proof::Invariant;
use crate::report::reasons::Reasons;
use crate::report::rounds::Rounds;
use crate::report::termination::InfiniteReport;
use crate::reuse::Kept;
use crate::stand::Stand;
use crate::view::View;
use base::{Diagnostic, Interrupted, SourceMap, Span};
use certify::termination::TerminationCertificate;
use certify::termination::recurrence::InfiniteRun;
use certify::{Certificate, Certified, Execution, NotReplayed, Refusal};
use engines::{Counted, Engine};
use logic::Integer;
use program::{ErrorData, LeapCertificate, Reason, Unwinding};
use std::sync::Arc;

/// The answer to "can an assertion ever fail?".
#[derive(Debug)]
pub enum Answer {
    /// No error is reachable.
    Safe(Box<Safe>),
    /// An error is reachable: an execution that fails.
    Unsafe(Box<Certified<Execution>>),
    /// An error is reachable by leaps over loops.
    Leaps(Box<Leaps>),
    /// All runs end.
    Terminates(Box<Terminates>),
    /// A run never ends.
    Infinite(Box<Infinite>),
    /// It was not found out.
    Unknown(Reason),
}

/// Why no error is reachable.
#[derive(Debug)]
pub struct Safe {
    /// The proof.
    pub proof: Proof,
    /// What it says about loops and procedures, in the words of the source.
    pub invariants: Vec<Invariant>,
    /// What it says somewhere about shared variables only, as C expressions, if it is about threads; what is said often comes
    /// first. It need not hold everywhere.
    pub shared_facts: Vec<String>,
    /// Why that is a proof, if that was wanted.
    pub reasons: Option<Reasons>,
    /// The proof as a file, if that was wanted.
    pub certificate: Option<String>,
    /// What later runs may use of it, if there will be some.
    pub kept: Option<Kept>,
}

/// A proof that no error is reachable.
#[derive(Debug)]
pub enum Proof {
    /// Floyd-Hoare automata for all error traces.
    Automata(Certified<Certificate>),
    /// All executions, followed to their ends.
    Unwinding(Certified<Unwinding>),
    /// Proofs for some checks each, the others being assumed; together they are about all checks. An execution ends
    /// where a check fails, so the first one to fail would contradict its proof.
    Parts(Vec<Proof>),
}

/// Why all runs end.
#[derive(Debug)]
pub struct Terminates {
    /// The proof.
    pub proof: Certified<TerminationCertificate>,
    /// What it says about loops, in the words of the source: ranks and invariants.
    pub ranks: Vec<Invariant>,
    /// How often loops go round at most.
    pub rounds: Vec<Rounds>,
    /// The proof as a file, if that was wanted.
    pub certificate: Option<String>,
}

/// Why a run never ends.
#[derive(Debug)]
pub struct Infinite {
    /// The run and the sets of states that it never has to leave.
    pub run: Certified<InfiniteRun>,
    /// What is told about it, in the words of the source.
    pub told: InfiniteReport,
    /// Whether the run begins the cycle of the problem's monitor anew for ever.
    pub repeats_cycle: bool,
    /// The evidence as a file, if that was wanted.
    pub certificate: Option<String>,
}

/// Why an error is reachable by leaps over loops.
#[derive(Debug)]
pub struct Leaps {
    /// The chain of ports, whose conditions were checked.
    pub certificate: Certified<LeapCertificate>,
    /// The error that is reached.
    pub error: ErrorData,
    /// The leaps, in the order of the execution.
    pub stages: Vec<LeapStage>,
    /// The execution, if it is short enough to be replayed.
    pub execution: Option<Box<Certified<Execution>>>,
}

/// One leap, in the words of the source.
#[derive(Clone, Debug)]
pub struct LeapStage {
    /// The loop.
    pub span: Span,
    /// The theorem that the leap rests on.
    pub theorem: u8,
    /// What holds all the time, where.
    pub region: Vec<(Span, String)>,
    /// The port by which it is entered.
    pub entry: String,
    /// The port by which it is left.
    pub exit: String,
    /// How often the loop is run through, if that is known.
    pub rounds: Option<Integer>,
    /// The values at the entry port, if they are known.
    pub entry_values: String,
    /// The values at the exit port, if they are known.
    pub exit_values: String,
}

/// An answer, whose it is, and what it is about.
#[derive(Debug)]
pub struct Decision {
    /// The answer.
    pub answer: Answer,
    /// The program that its evidence speaks of; none if the source has no meaning here.
    pub view: Option<Arc<View>>,
    /// The engine whose answer it is.
    pub engine: Option<&'static Engine>,
    /// What each engine counted that took part.
    pub counted: Vec<(&'static Engine, Counted)>,
    /// How far one has come if there is no answer, if that was asked.
    pub stand: Option<Stand>,
    /// Whether the answer came so soon that nothing can be saved the next time.
    pub(crate) was_easy: bool,
}

/// Why there is not even an unknown answer.
#[derive(Debug)]
pub enum Failure {
    /// A file cannot be used.
    Input(InputError),
    /// The source has mistakes.
    Mistakes(Box<SourceMap>, Vec<Diagnostic>),
    /// A mistake of this program: an engine failed, evidence was refused, or solvers disagree.
    Internal(String),
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Failure {
        Failure::Input(error)
    }
}

/// What a refused proof means: an undecided one is an unknown answer, a wrong one our own mistake.
pub(crate) fn refused(refusal: &Refusal) -> Result<Answer, Failure> {
    match refusal {
        Refusal::Interrupted(Interrupted(limit)) => Ok(Answer::Unknown(Reason::Limit(*limit))),
        Refusal::Undecided(..) => Ok(Answer::Unknown(Reason::NotConfirmed(refusal.to_string()))),
        _ => Err(Failure::Internal(format!("the proof was refused: {refusal}"))),
    }
}

/// What the interpreter says to a counterexample.
pub(crate) fn confirmed(execution: Result<Certified<Execution>, NotReplayed>) -> Answer {
    match execution {
        Ok(execution) => Answer::Unsafe(Box::new(execution)),
        Err(why) => Answer::Unknown(not_replayed(why)),
    }
}

/// Why a run is no execution.
pub(crate) fn not_replayed(why: NotReplayed) -> Reason {
    match why {
        NotReplayed::Interrupted(Interrupted(limit)) => Reason::Limit(limit),
        NotReplayed::Overapproximated => {
            Reason::NotReplayed("the execution passes an overapproximated statement".to_owned())
        }
        NotReplayed::Outcome(why) | NotReplayed::Value(why) | NotReplayed::Background(why) => {
            Reason::NotReplayed(why)
        }
    }
}
