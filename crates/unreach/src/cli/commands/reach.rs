//! `unreach reach`: is a state of one predicate reachable from a state of another?

use crate::cli::arguments::Reach;
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::limits;
use crate::cli::terminal::{Terminal, failed};
use unreach::question::{NoQuestion, Question, reach};
use unreach::{Language, Limits, input};

pub(crate) fn run(job: &Reach) -> Result<Exit, BadInput> {
    let text = input::read_program(&job.file)?;
    let misplaced = |why: String| BadInput::NoQuestion(job.file.clone(), why);
    if Language::of_path(&job.file)? != Language::Boogie {
        return Err(misplaced("questions can be asked about Boogie programs only".to_owned()));
    }
    let terminal = Terminal::of_question(job.json, job.stats);
    let last_word = terminal.clone();
    let limits = Limits { time: job.timeout, memory: limits::memory(job.memory) };
    let (budget, watchdog) = limits::budget(limits, move |limit| last_word.overrun(limit));
    let question =
        Question { from: job.from.clone(), to: job.to.clone(), at: job.at, path: job.path.clone() };
    let decision = reach(&job.file.display().to_string(), &text, &question, &budget);
    drop(watchdog);
    match decision {
        Ok(decision) => Ok(terminal.finish(&decision)),
        Err(NoQuestion::Misplaced(why)) => Err(misplaced(why)),
        Err(NoQuestion::Failure(failure)) => Ok(failed(failure)),
    }
}
