//! Witnesses of scripts (SV-LIB 1.0, Section 7).

use super::Judged;

/// The witness of a call, or why there is none.
pub fn of(_judged: &Judged) -> Result<String, String> {
    Err("cannot export witness".to_owned())
}
