//! `unreach verify FILE.svlib`: the verdict line first, then what every command of the script is told.
//!
//! After the verdict line, standard output is what SV-LIB asks for: `correct`, `incorrect` or `unknown` for a `verify-call`,
//! a witness for a `get-witness`. What is meant for people stands in comments.

use crate::cli::arguments::Verify;
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::files;
use crate::cli::limits;
use crate::cli::terminal::{Terminal, failed, line};
use serde_json::{Value, json};
use unreach::report::{self, Target};
use unreach::script::{Judged, Said, Verdict, respond};
use unreach::view::NoView;
use unreach::{Decision, Limits, Problem, Property};

/// The property of scripts, as competitions call it.
const PROPERTY: &str = "correct-annotations";

/// The command that asks for a witness.
const GET_WITNESS: &str = "(get-witness)";

pub(crate) fn run(job: &Verify) -> Result<Exit, BadInput> {
    if job.certificate.is_some() || job.sarif.is_some() || job.report.is_some() {
        return Err(BadInput::NotOfScripts);
    }
    let mut text = unreach::input::read_program(&job.file)?;
    if job.witness.is_some() && !text.trim_end().ends_with(GET_WITNESS) {
        text += GET_WITNESS;
    }
    let problem = Problem::svlib(job.file.display().to_string(), text);
    if let Some(spec) = &job.spec
        && !unreach::input::read_program(spec)?.contains(PROPERTY)
    {
        line(&format!("UNKNOWN (unsupported: another property of a script than {PROPERTY})"));
        return Ok(Exit::Unknown);
    }
    let terminal = Terminal::new(Property::Assert, job.json, job.stats);
    let last_word = terminal.clone();
    let limits = Limits { time: job.timeout, memory: limits::memory(job.memory) };
    let (budget, watchdog) = limits::budget(limits, move |limit| last_word.overrun(limit));
    let said = respond(&problem, &job.plan(), &budget, &terminal.observer());
    drop(watchdog);
    let said = match said {
        Ok(said) => said,
        Err(NoView::Unknown(reason)) => return Ok(terminal.finish(&Decision::of_reason(reason))),
        Err(NoView::Failure(failure)) => return Ok(failed(failure)),
    };
    if let Some(path) = &job.witness {
        let witness = said.iter().rev().find_map(|said| match said {
            Said::Witness(Ok(text)) => Some(text),
            _ => None,
        });
        if let Some(text) = witness {
            files::write(path, text)?;
        }
    }
    terminal.close();
    Ok(print(&said, job.json))
}

/// Prints all responses; the exit code is that of the worst call.
fn print(said: &[Said], as_json: bool) -> Exit {
    let verdicts: Vec<&Judged> = said
        .iter()
        .filter_map(|said| match said {
            Said::Verdict(judged) => Some(judged),
            Said::Witness(_) | Said::Error(_) => None,
        })
        .collect();
    let incorrect = verdicts.iter().any(|judged| judged.verdict() == Verdict::Incorrect);
    let open = verdicts.iter().find(|judged| judged.verdict() == Verdict::Unknown);
    let (first, exit) = match (incorrect, open) {
        (true, _) => (format!("FALSE({PROPERTY})"), Exit::Unsafe),
        (false, None) => ("TRUE".to_owned(), Exit::Success),
        (false, Some(judged)) => (unknown(judged), Exit::Unknown),
    };
    if as_json {
        let calls: Vec<Value> = verdicts.iter().map(|judged| json_of(judged)).collect();
        line(&json!({ "verdict": first, "calls": calls }).to_string());
        return exit;
    }
    line(&first);
    for said in said {
        match said {
            Said::Verdict(judged) => {
                line(judged.verdict().word());
                line(&comment(&evidence(judged)));
            }
            Said::Witness(Ok(witness)) => line(witness),
            Said::Witness(Err(why)) | Said::Error(why) => line(&format!("(error \"{why}\")")),
        }
    }
    exit
}

fn unknown(judged: &Judged) -> String {
    let reason = judged.reason().map_or_else(|| "no reason".to_owned(), |reason| reason.to_string());
    format!("UNKNOWN ({reason})")
}

fn evidence(judged: &Judged) -> String {
    let mut text = format!("{}: {}", judged.place, judged.verdict().word());
    if let (Verdict::Unknown, Some(reason)) = (judged.verdict(), judged.reason()) {
        text += &format!(" ({reason})");
    }
    for decision in &judged.decisions {
        text += "\n";
        text += report::text(decision, Target::Error).trim_end();
    }
    text
}

fn json_of(judged: &Judged) -> Value {
    let questions: Vec<Value> = judged
        .decisions
        .iter()
        .map(|decision| report::json(decision, Property::Assert, Target::Error))
        .collect();
    let reason = judged.reason().map(|reason| reason.to_string());
    json!({
        "place": judged.place,
        "verdict": judged.verdict().word(),
        "reason": reason,
        "questions": questions,
    })
}

/// Lines that a reader of SV-LIB skips.
fn comment(text: &str) -> String {
    let lines: Vec<String> =
        text.lines().filter(|line| !line.is_empty()).map(|line| format!("; {line}")).collect();
    lines.join("\n")
}
