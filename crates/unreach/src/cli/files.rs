//! Writing files that were asked for.

use super::bad_input::BadInput;
use std::path::Path;

/// Writes a file as a whole, or leaves what was there.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), BadInput> {
    base::files::replace(path, text).map_err(|error| BadInput::Unwritable(path.to_owned(), error))
}
