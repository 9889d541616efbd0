//! `unreach check --contracts list`: what the contracts of files amount to.
//!
//! A contract is *proven* if the body of its function does what it says, where calls go by contract; it is *assumed* if
//! there is no body. It is *vacuous* if no state satisfies its preconditions, or, without a body, if no state behind the call
//! satisfies all of it: then everything is proven, and nothing is said. That is found out by asking whether an error
//! behind the preconditions can be reached, with the same evidence as every answer.

use super::{Checker, Told, Word};
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::terminal::{failed, line};
use serde_json::{Value, json};
use unreach::CSettings;
use unreach::project::{ContractQuestions, contracts_of, units};

/// What a contract amounts to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Proven,
    Assumed,
    Vacuous,
    Fails,
    Open,
}

impl Standing {
    const ALL: [Standing; 5] =
        [Standing::Proven, Standing::Assumed, Standing::Vacuous, Standing::Fails, Standing::Open];

    fn text(self) -> &'static str {
        match self {
            Standing::Proven => "proven",
            Standing::Assumed => "assumed",
            Standing::Vacuous => "vacuous",
            Standing::Fails => "fails",
            Standing::Open => "open",
        }
    }
}

pub(super) fn list(checker: &Checker<'_>, settings: &CSettings) -> Result<Exit, BadInput> {
    let (mut found, mut without, mut broken) = (Vec::new(), 0, 0);
    let mut results = Vec::new();
    for path in &checker.job.paths {
        for unit in units(path)? {
            match contracts_of(&unit, settings) {
                Ok((questions, others)) => {
                    without += others;
                    for questions in &questions {
                        let (standing, why) = judged(checker, questions);
                        found.push(standing);
                        results.push(told(checker, questions, standing, &why));
                    }
                }
                Err(failure) => {
                    broken += 1;
                    failed(failure);
                }
            }
        }
    }
    let count = |standing: Standing| found.iter().filter(|&&other| other == standing).count();
    if checker.job.json {
        let counts: serde_json::Map<String, Value> =
            Standing::ALL.iter().map(|&one| (one.text().to_owned(), json!(count(one)))).collect();
        line(
            &json!({
                "contracts": results, "counts": counts, "functions_without_contract": without,
                "unreadable_files": broken,
            })
            .to_string(),
        );
    } else {
        let counts: Vec<String> =
            Standing::ALL.iter().map(|&one| format!("{} {}", count(one), one.text())).collect();
        line(&format!("{}; {without} functions have no contract", counts.join(", ")));
    }
    Ok(match (count(Standing::Fails), broken, count(Standing::Vacuous) + count(Standing::Open)) {
        (1.., _, _) => Exit::Unsafe,
        (_, 1.., _) => Exit::BadInput,
        (_, _, 1..) => Exit::Unknown,
        _ => Exit::Success,
    })
}

/// What a contract amounts to, and why.
fn judged(checker: &Checker<'_>, questions: &ContractQuestions) -> (Standing, String) {
    let vacuous = checker.answer(&questions.vacuous);
    let doubt = match vacuous.word {
        Word::Proven => {
            let why = match questions.proof {
                Some(_) => "no state satisfies its preconditions",
                None => "no state satisfies it",
            };
            return (Standing::Vacuous, why.to_owned());
        }
        Word::Fails => String::new(),
        Word::Open => format!("whether any state satisfies it is not known: {}", vacuous.why),
    };
    let Some(proof) = &questions.proof else {
        let why = "the function has no body".to_owned();
        return (
            Standing::Assumed,
            [why, doubt].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; "),
        );
    };
    let Told { word, why, .. } = checker.answer(proof);
    match word {
        Word::Proven => (Standing::Proven, doubt),
        Word::Fails => (Standing::Fails, why),
        Word::Open => (Standing::Open, why),
    }
}

/// Prints the line of a contract; the same for machines.
fn told(checker: &Checker<'_>, questions: &ContractQuestions, standing: Standing, why: &str) -> Value {
    let ContractQuestions { name, place, .. } = questions;
    if !checker.job.json {
        let why = if why.is_empty() { String::new() } else { format!(": {why}") };
        line(&format!("{:<7} {name} ({place}){why}", standing.text()));
    }
    json!({ "function": name, "place": place, "result": standing.text(), "reason": why })
}
