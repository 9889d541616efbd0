//! `unreach explain CODE`: what a message means.

use crate::cli::arguments::Explain;
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::terminal::line;
use unreach::explain::{ENTRIES, Entry, find};

pub(crate) fn run(job: &Explain) -> Result<Exit, BadInput> {
    let Some(code) = &job.code else {
        for Entry { code, message, .. } in ENTRIES {
            line(&format!("{code:<18} {message}"));
        }
        return Ok(Exit::Success);
    };
    let Entry { code, message, meaning, next } = find(code).ok_or_else(|| BadInput::NoCode(code.clone()))?;
    line(&format!("{code}: {message}\n\n{}\n\nNext: {}", wrapped(meaning), wrapped(next)));
    Ok(Exit::Success)
}

/// A text in lines that a terminal has room for.
fn wrapped(text: &str) -> String {
    const WIDTH: usize = 96;
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(word.to_owned());
            continue;
        }
        if !lines[last].is_empty() {
            lines[last].push(' ');
        }
        lines[last] += word;
    }
    lines.join("\n")
}
