//! Reading files: whatever is wrong with a file becomes one clear line that names it.

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Why a file cannot be used.
#[derive(Debug)]
pub enum InputError {
    /// The system does not let us read it.
    Unreadable(PathBuf, io::Error),
    /// It is a folder.
    Directory(PathBuf),
    /// It contains a NUL byte at this offset.
    Binary(PathBuf, usize),
    /// It is no UTF-8 from this offset on.
    NotUtf8(PathBuf, usize),
    /// It contains nothing, or only white space.
    Empty(PathBuf),
    /// It has 4 GiB or more.
    TooLarge(PathBuf),
    /// No front end reads this kind of file.
    UnknownLanguage(PathBuf),
    /// Programs of this language have one file only, and this is another.
    OneFile(PathBuf),
    /// It is in another language than the first file.
    OtherLanguage(PathBuf),
    /// Only Boogie programs have libraries.
    NoLibrary(PathBuf),
    /// It is no property file.
    NoProperty(PathBuf),
    /// It has another form than its name says; how.
    Malformed(PathBuf, String),
    /// The preprocessor that was named does not work; why.
    Preprocessor(String, String),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Unreadable(path, error) => write!(f, "{}: {}", path.display(), reason(error)),
            InputError::Directory(path) => {
                write!(f, "{}: is a directory, expected a program", path.display())
            }
            InputError::Binary(path, at) => {
                write!(f, "{}: is not a text file (NUL byte at offset {at})", path.display())
            }
            InputError::NotUtf8(path, at) => {
                write!(f, "{}: is not valid UTF-8 (from offset {at} on)", path.display())
            }
            InputError::Empty(path) => write!(f, "{}: is empty", path.display()),
            InputError::TooLarge(path) => write!(f, "{}: is larger than 4 GiB", path.display()),
            InputError::Preprocessor(command, why) => write!(f, "the preprocessor `{command}`: {why}"),
            InputError::Malformed(path, why) => write!(f, "{}: {why}", path.display()),
            InputError::OneFile(path) => write!(f, "{}: the program has one file only", path.display()),
            InputError::OtherLanguage(path) => {
                write!(f, "{}: the first file is Boogie, and this one is not", path.display())
            }
            InputError::NoLibrary(path) => {
                write!(f, "{}: only Boogie programs have libraries", path.display())
            }
            InputError::NoProperty(path) => write!(f, "{}: is not a property file", path.display()),
            InputError::UnknownLanguage(path) => {
                write!(f, "{}: unknown kind of program, expected .bpl, .c, .i or .svlib", path.display())
            }
        }
    }
}

/// The system's reason without Rust's "(os error 2)".
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or(&text).to_lowercase()
        }
    }
}

/// The text of a program file; `-` is standard input.
pub fn read_program(path: &Path) -> Result<String, InputError> {
    let bytes = read_bytes(path)?;
    if u32::try_from(bytes.len()).is_err() {
        return Err(InputError::TooLarge(path.to_owned()));
    }
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(InputError::Binary(path.to_owned(), at));
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| InputError::NotUtf8(path.to_owned(), error.utf8_error().valid_up_to()))?;
    if text.trim().is_empty() {
        return Err(InputError::Empty(path.to_owned()));
    }
    Ok(text)
}

/// The text of a C file. Old programs have texts in other encodings: bytes that are no UTF-8 are kept as such.
pub fn read_c(path: &Path) -> Result<String, InputError> {
    match read_program(path) {
        Err(InputError::NotUtf8(..)) => Ok(c::text_of_bytes(&read_bytes(path)?)),
        read => read,
    }
}

/// The text of an included file, which may be empty; nothing if there is none. A program cannot have devices and pipes read,
/// which may have no end.
pub(crate) fn read_included(path: &Path) -> Option<String> {
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let bytes = read_bytes(path).ok()?;
    if u32::try_from(bytes.len()).is_err() || bytes.contains(&0) {
        return None;
    }
    Some(c::text_of_bytes(&bytes))
}

/// The text of an automata script; `-` is standard input. Comments may be in any encoding: what is no UTF-8 is
/// replaced.
pub fn read_script(path: &Path) -> Result<String, InputError> {
    let bytes = read_bytes(path)?;
    if u32::try_from(bytes.len()).is_err() {
        return Err(InputError::TooLarge(path.to_owned()));
    }
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(InputError::Binary(path.to_owned(), at));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, InputError> {
    let unreadable = |error| InputError::Unreadable(path.to_owned(), error);
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map_err(unreadable)?;
        return Ok(bytes);
    }
    if path.is_dir() {
        return Err(InputError::Directory(path.to_owned()));
    }
    std::fs::read(path).map_err(unreadable)
}
