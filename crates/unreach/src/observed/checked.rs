//! What the independent checker is told about a program that is watched.

use certify::product::observed::{Action, Case, Letter, Observation};
use property::observer::product::{self, Placed};

/// A program with the letters that an automaton reads.
pub(super) fn observation(program: &ir::Program, placed: &Placed) -> Observation {
    Observation {
        program: program.clone(),
        state: placed.state,
        initial: placed.initial,
        errors: placed.errors.clone(),
        letters: placed.letters.iter().map(letter).collect(),
        added: placed.added.clone(),
    }
}

fn letter(letter: &product::Letter) -> Letter {
    let action = match &letter.action {
        product::Action::Keep(kept) => Action::Keep(*kept),
        product::Action::First { cases, kept } => {
            Action::First { cases: cases.iter().map(case).collect(), kept: *kept }
        }
        product::Action::Any { cases, stuck, choice, kept, keeps, rounds } => Action::Any {
            cases: cases.iter().map(case).collect(),
            stuck: *stuck,
            choice: *choice,
            kept: *kept,
            keeps: *keeps,
            rounds: *rounds,
        },
    };
    Letter { procedure: letter.procedure, action }
}

fn case(case: &product::Case) -> Case {
    let product::Case { from, kept, equal, guard, to, keep } = case.clone();
    Case { from, kept, equal, guard, to, keep }
}
