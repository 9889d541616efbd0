//! Evidence as files that other tools read and write.
//!
//! * [`witness`]: SV-COMP verification witnesses (YAML 0.1, 2.0, 2.1, 2.2, GraphML 1.0) become a [`c::Monitor`],
//!   what a program has to be observed for, and the other way round;
//! * [`sarif`]: results for code scanning tools.
//!
//! Nothing here reads or writes files: texts come in and go out.

pub mod sarif;
pub mod witness;
pub mod yaml;

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// One sentence, lower case, no full stop.
    pub message: String,
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}
