//! Verification witnesses: what another verifier says about a program, so that it can be checked.
//!
//! Formats: YAML 2.0, 2.1 and 2.2 (`invariant_set`, `ghost_instrumentation`, `violation_sequence`), YAML 0.1 (`loop_invariant`,
//! `location_invariant`), GraphML 1.0. A witness becomes a [`Monitor`] of the program. What is well formed
//! and cannot be observed yet is a *gap*: nothing can be said about such a witness as a whole.
//!
//! Requires nothing of the text: what is malformed is told with line and column.

mod automaton;
mod graphml;
pub mod write;
mod yaml_format;

use crate::Malformed;
use c::Monitor;

/// What a witness is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Invariants with which the program is shown to be correct.
    Correctness,
    /// Executions that violate the property.
    Violation,
}

/// A witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// What it is for.
    pub kind: Kind,
    /// The version of its format.
    pub version: String,
    /// What it says about the program.
    pub monitor: Monitor,
    /// What it says that cannot be observed.
    pub gaps: Vec<String>,
    /// Why an execution that it describes might be missed, so that none may be concluded from not finding one.
    pub doubt: Option<String>,
    /// What its format demands and it lacks, without which it can be understood all the same.
    pub omissions: Vec<Malformed>,
    /// The property that it is about, as it says.
    pub specification: Option<String>,
    /// The data model that it is about, as it says.
    pub data_model: Option<c::DataModel>,
}

impl Witness {
    fn new(kind: Kind, version: &str) -> Witness {
        Witness {
            kind,
            version: version.to_owned(),
            monitor: Monitor::default(),
            gaps: Vec::new(),
            doubt: None,
            omissions: Vec::new(),
            specification: None,
            data_model: None,
        }
    }
}

/// Reads a witness of any format.
pub fn read(text: &str) -> Result<Witness, Malformed> {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with('<') { graphml::read(text) } else { yaml_format::read(text) }
}

fn data_model(text: &str) -> Option<c::DataModel> {
    match text {
        "ILP32" | "32bit" => Some(c::DataModel::Ilp32),
        "LP64" | "64bit" => Some(c::DataModel::Lp64),
        _ => None,
    }
}
