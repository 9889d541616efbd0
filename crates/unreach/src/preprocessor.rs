//! An external preprocessor (`--cpp`).
//!
//! Its output is brought back to the lines of the source: text that comes from the program itself keeps its line
//! number, text that was included is squeezed into the line of the `#include`. So messages and executions name the
//! lines that people see in their editor.

use crate::c_settings::CSettings;
use crate::input::InputError;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs `command file` and gives its output, in the lines of the file. Compilers are told the data model.
pub(crate) fn run(command: &str, file: &Path, settings: &CSettings) -> Result<String, InputError> {
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
    Ok(in_lines_of_the_file(&String::from_utf8_lossy(&output.stdout), &file.display().to_string()))
}

/// Text with line markers, so that the lines of a file stand where they stand in it.
fn in_lines_of_the_file(text: &str, file: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    // Where the next line of text belongs; included text belongs to the last line of the file itself.
    let (mut at, mut own) = (0, true);
    for line in text.lines() {
        if let Some((number, name)) = marker(line) {
            own = name.is_none_or(|name| name == file);
            if own {
                at = number.saturating_sub(1);
            }
            continue;
        }
        // Other directives (pragmas) end with their line and mean nothing here.
        let line = if line.trim_start().starts_with('#') { "" } else { line.trim_end() };
        if own || !line.is_empty() {
            if lines.len() <= at {
                lines.resize(at + 1, String::new());
            }
            if !lines[at].is_empty() && !line.is_empty() {
                lines[at].push(' ');
            }
            lines[at].push_str(line);
        }
        at += usize::from(own);
    }
    lines.join("\n") + "\n"
}

/// The line number and file name of `# 12 "file.c" 2` or `#line 12 "file.c"`.
fn marker(line: &str) -> Option<(usize, Option<&str>)> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    let name = rest[digits..].trim_start().strip_prefix('"').and_then(|name| name.split('"').next());
    Some((number, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_program_keep_their_numbers() {
        let text = "# 0 \"p.c\"\n# 0 \"<built-in>\"\n# 1 \"p.c\"\n# 1 \"h.h\" 1\nint f(void);\n\n#pragma once\nint g;\n\
                    # 2 \"p.c\" 2\nint main(void) {\n\n# 7 \"p.c\"\n  return g;\n}\n";
        assert_eq!(
            in_lines_of_the_file(text, "p.c"),
            "int f(void); int g;\nint main(void) {\n\n\n\n\n  return g;\n}\n"
        );
        assert_eq!(in_lines_of_the_file("int x;\nint y;\n", "p.c"), "int x;\nint y;\n");
    }
}
