//! Writing files: a reader finds the file as it was, or the new one as a whole.

use super::bad_input::BadInput;
use std::path::Path;

/// Writes a text beside its place, and puts it there when it is complete. What is no plain file, as `/dev/stdout`, is
/// written directly.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), BadInput> {
    let unwritable = |error| BadInput::Unwritable(path.to_owned(), error);
    let is_special = std::fs::metadata(path).is_ok_and(|about| !about.is_file());
    let Some(name) = path.file_name().filter(|_| !is_special) else {
        return std::fs::write(path, text).map_err(unwritable);
    };
    let mut beside = name.to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let beside = path.with_file_name(beside);
    let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|error| {
        // The part that is there is of no use; the first mistake is the one to be told.
        let _ = std::fs::remove_file(&beside);
        unwritable(error)
    })
}
