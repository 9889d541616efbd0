//! An external preprocessor (`--cpp`).
//!
//! Its output is brought back to the lines of the files that it was made of: the program's own text stands where it stands
//! in the file, and each `#include` whose file had something to say is an `#include` again, of a file that is kept in
//! memory. So messages and executions name the files and lines that people see in their editor. Where the markers of the
//! output do not fit together, included text is squeezed into the line of its `#include`.

use crate::c_settings::{CSettings, Included};
use crate::input::InputError;
use base::LineMarker;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs `command file` and gives its output, in the lines of the file; what was included is added to the settings.
/// Compilers are told the data model.
pub(crate) fn run(command: &str, file: &Path, settings: &mut CSettings) -> Result<String, InputError> {
    let failed = |why: String| InputError::Preprocessor(command.to_owned(), why);
    let mut words = command.split_whitespace();
    let Some(program) = words.next() else { return Err(failed("is empty".to_owned())) };
    let name = Path::new(program).file_name().map_or("", |name| name.to_str().unwrap_or(""));
    let compiler = ["gcc", "clang", "cc", "cpp"].iter().any(|known| name.contains(known));
    let output = Command::new(program)
        .args(words)
        .args(if compiler { settings.compiler_options() } else { Vec::new() })
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let first =
            said.lines().find(|line| line.contains("error")).or(said.lines().next()).unwrap_or("failed");
        return Err(failed(first.trim().to_owned()));
    }
    let (text, name) = (String::from_utf8_lossy(&output.stdout), file.display().to_string());
    match in_files(&text, &name, settings.included.len()) {
        Some(restored) => {
            settings.included.extend(restored.included);
            Ok(restored.text)
        }
        None => Ok(in_lines_of_the_file(&text, &name)),
    }
}

/// A program whose files were taken apart again.
#[derive(PartialEq, Eq, Debug)]
struct Restored {
    text: String,
    included: Vec<Included>,
}

/// A file that is being put together.
struct Page {
    name: String,
    lines: Vec<String>,
    /// The line that comes next, from 0.
    at: usize,
    /// Whether what comes next belongs to something else that is no file.
    elsewhere: bool,
}

impl Page {
    fn new(name: &str, at: usize) -> Page {
        Page { name: name.to_owned(), lines: Vec::new(), at, elsewhere: false }
    }

    /// The text that belongs to a line, which may have to be made first.
    fn line(&mut self, at: usize) -> &mut String {
        if self.lines.len() <= at {
            self.lines.resize(at + 1, String::new());
        }
        &mut self.lines[at]
    }

    /// Adds text to the next line; nothing if that belongs to an `#include`.
    fn add(&mut self, text: &str) -> Option<()> {
        if !text.is_empty() {
            let (at, elsewhere) = (self.at, self.elsewhere);
            let line = self.line(at);
            if elsewhere || line.starts_with('#') {
                return None;
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(text);
        }
        self.at += 1;
        Some(())
    }

    fn is_empty(&self) -> bool {
        self.lines.iter().all(String::is_empty)
    }

    fn text(&self) -> String {
        self.lines.join("\n") + "\n"
    }
}

/// Most lines that a file has; markers with larger numbers are no line numbers.
const MOST_LINES: u32 = 10_000_000;

/// The file and what it includes, if `known` other files have got names already; nothing if the markers do not tell.
fn in_files(text: &str, file: &str, known: usize) -> Option<Restored> {
    let mut pages = vec![Page::new(file, 0)];
    let mut included: Vec<Included> = Vec::new();
    for line in text.lines() {
        let Some(marker) = LineMarker::read(line) else {
            pages.last_mut()?.add(&plain(line))?;
            continue;
        };
        if marker.line > MOST_LINES {
            return None;
        }
        let (at, name, turn) = (marker.line.saturating_sub(1) as usize, marker.file, Turn::at(&marker));
        if turn == Turn::Enter {
            pages.push(Page::new(name?, at));
            continue;
        }
        if turn == Turn::Leave {
            let done = pages.pop()?;
            let page = pages.last_mut()?;
            if !done.is_empty() {
                let key = format!("@{}", known + included.len());
                // The line before is the one of the directive.
                let line = page.line(at.checked_sub(1)?);
                if !line.is_empty() {
                    return None;
                }
                *line = format!("#include \"{key}\"");
                included.push(Included { key, text: done.text(), name: done.name });
            }
        }
        let page = pages.last_mut()?;
        page.at = at;
        page.elsewhere = name.is_some_and(|name| name != page.name);
    }
    match pages.as_slice() {
        [page] => Some(Restored { text: page.text(), included }),
        _ => None,
    }
}

/// A line of the output without what means nothing here: of other directives, only those matter that say how structs
/// are laid out.
fn plain(line: &str) -> String {
    let line = line.trim_end();
    let Some(directive) = line.trim_start().strip_prefix('#') else { return line.to_owned() };
    match directive.trim_start().strip_prefix("pragma").map(str::trim_start) {
        Some(pragma) if pragma.starts_with("pack") => format!("_Pragma(\"{pragma}\")"),
        _ => String::new(),
    }
}

/// The text in the lines of the file, with included text in the line of its `#include`.
fn in_lines_of_the_file(text: &str, file: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    // Where the next line of text belongs; included text belongs to the last line of the file itself.
    let (mut at, mut own) = (0, true);
    for line in text.lines() {
        if let Some(marker) = LineMarker::read(line) {
            own = marker.file.is_none_or(|name| name == file);
            if own {
                at = marker.line.saturating_sub(1).min(MOST_LINES) as usize;
            }
            continue;
        }
        let line = plain(line);
        if own || !line.is_empty() {
            if lines.len() <= at {
                lines.resize(at + 1, String::new());
            }
            if !lines[at].is_empty() && !line.is_empty() {
                lines[at].push(' ');
            }
            lines[at].push_str(&line);
        }
        at += usize::from(own);
    }
    lines.join("\n") + "\n"
}

/// What happens at a marker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    /// An included file begins.
    Enter,
    /// An included file is over.
    Leave,
    /// Neither.
    Stay,
}

impl Turn {
    fn at(marker: &LineMarker<'_>) -> Turn {
        let has = |flag: &str| marker.flags.split_whitespace().any(|word| word == flag);
        match (has("1"), has("2")) {
            (true, _) => Turn::Enter,
            (_, true) => Turn::Leave,
            _ => Turn::Stay,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "# 0 \"p.c\"\n# 0 \"<built-in>\"\n# 0 \"<command-line>\"\n# 1 \"defs.h\" 1 3 4\n\n\
        # 0 \"<command-line>\" 2\n# 1 \"p.c\"\n# 1 \"h.h\" 1\nint f(void);\n# 1 \"inner.h\" 1\n\nint h;\n# 3 \"h.h\" 2\n\
        #pragma pack(push, 1)\n\n#pragma GCC poison x\nint g;\n\
        # 2 \"p.c\" 2\nint main(void) {\n\n# 7 \"p.c\"\n  return g;\n}\n";

    #[test]
    fn what_was_included_is_included_again() {
        let of = |key: &str, name: &str, text: &str| Included {
            key: key.to_owned(),
            name: name.to_owned(),
            text: text.to_owned(),
        };
        let header = "int f(void);\n#include \"@5\"\n_Pragma(\"pack(push, 1)\")\n\n\nint g;\n";
        let expected = Restored {
            text: "#include \"@6\"\nint main(void) {\n\n\n\n\n  return g;\n}\n".to_owned(),
            included: vec![of("@5", "inner.h", "\nint h;\n"), of("@6", "h.h", header)],
        };
        assert_eq!(in_files(OUTPUT, "p.c", 5), Some(expected));
    }

    #[test]
    fn markers_that_do_not_fit_are_not_followed() {
        for text in [
            "# 1 \"p.c\"\n# 1 \"h.h\" 1\nint x;\n",
            "# 1 \"p.c\"\nint x;\n# 1 \"h.h\" 1\nint y;\n# 2 \"p.c\" 2\n",
            "# 1 \"p.c\"\n# 3 \"grammar.y\"\nint x;\n",
            "# 1 \"p.c\"\n# 2 \"p.c\" 2\nint x;\n",
            "# 99999999 \"p.c\"\nint x;\n",
        ] {
            assert_eq!(in_files(text, "p.c", 0), None, "{text}");
        }
    }

    #[test]
    fn lines_of_the_program_keep_their_numbers() {
        assert_eq!(
            in_lines_of_the_file(OUTPUT, "p.c"),
            "int f(void); int h; _Pragma(\"pack(push, 1)\") int g;\nint main(void) {\n\n\n\n\n  return g;\n}\n"
        );
        assert_eq!(in_lines_of_the_file("int x;\nint y;\n", "p.c"), "int x;\nint y;\n");
    }
}
