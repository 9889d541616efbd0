//! What makes a command line useless.

use std::fmt;
use std::io;
use std::path::PathBuf;
use unreach::InputError;
use unreach::input::reason;

/// Why a command cannot be carried out; told in one line.
#[derive(Debug)]
pub(crate) enum BadInput {
    /// A file cannot be used.
    File(InputError),
    /// It has no place for the question that was asked; why.
    NoQuestion(PathBuf, String),
    /// Contracts are listed for files and folders.
    ListElsewhere,
    /// Tests are made for C programs only.
    HarnessElsewhere,
    /// Procedures are judged one by one in Boogie programs only.
    ReviewElsewhere,
    /// A certificate is about the whole program.
    CertificateOfReview,
    /// No procedure with a body has such a name.
    NoProcedure(PathBuf),
    /// Nothing is explained under this name.
    NoCode(String),
    /// There is no such family of programs; which there are.
    NoFamily(String, String),
    /// It is no certificate; why.
    NoCertificate(PathBuf, String),
    /// Witnesses are about C programs only.
    WitnessElsewhere,
    /// No witness of this format can be written; why.
    NoSuchWitness(&'static str),
    /// Neither witnesses nor tests can say what an observer sees.
    NotOfObservers,
    /// What is written about scripts are witnesses only.
    NotOfScripts,
    /// It has no comment with a temporal property.
    NoFormula(PathBuf),
    /// It is no witness; where and why.
    NoWitness(PathBuf, String),
    /// The command of a second solver gives no answers.
    NoSolver(String),
    /// A batch cannot be run.
    Batch(batch::BatchError),
    /// The system does not let us write it.
    Unwritable(PathBuf, io::Error),
    /// A server cannot listen; why.
    NoServer(String),
}

impl From<InputError> for BadInput {
    fn from(error: InputError) -> BadInput {
        BadInput::File(error)
    }
}

impl From<batch::BatchError> for BadInput {
    fn from(error: batch::BatchError) -> BadInput {
        BadInput::Batch(error)
    }
}

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadInput::File(error) => error.fmt(f),
            BadInput::Batch(error) => error.fmt(f),
            BadInput::ListElsewhere => {
                f.write_str("contracts are listed by `unreach check --contracts list`")
            }
            BadInput::HarnessElsewhere => f.write_str("--harness goes with C programs only"),
            BadInput::WitnessElsewhere => f.write_str("witnesses go with C programs only"),
            BadInput::NoSuchWitness(why) => write!(f, "--witness-version: {why}"),
            BadInput::NotOfObservers => {
                f.write_str("--witness and --harness do not go with observers and formulas of CaRet")
            }
            BadInput::NotOfScripts => {
                f.write_str("--certificate, --sarif and --report do not go with SV-LIB scripts")
            }
            BadInput::NoFormula(path) => {
                write!(f, "{}: there is no comment `//@ ltl invariant NAME: FORMULA`", path.display())
            }
            BadInput::NoWitness(path, why) => write!(f, "{}:{why}", path.display()),
            BadInput::ReviewElsewhere => {
                f.write_str("--errors, --procedure and --smoke go with Boogie programs only")
            }
            BadInput::CertificateOfReview => {
                f.write_str("--certificate and --report do not go with --errors, --procedure and --smoke")
            }
            BadInput::NoProcedure(path) => {
                write!(f, "{}: there is no such procedure with a body", path.display())
            }
            BadInput::NoCode(code) => {
                write!(f, "there is no message `{code}`; `unreach explain` lists all")
            }
            BadInput::NoFamily(name, known) => write!(f, "there is no family `{name}`, only {known}"),
            BadInput::NoQuestion(path, why) => write!(f, "{}: {why}", path.display()),
            BadInput::NoCertificate(path, why) => write!(f, "{}: not a certificate: {why}", path.display()),
            BadInput::NoSolver(command) => write!(f, "`{command}` is no solver: it does not answer"),
            BadInput::NoServer(why) => f.write_str(why),
            BadInput::Unwritable(path, error) => {
                write!(f, "{}: cannot be written: {}", path.display(), reason(error))
            }
        }
    }
}
