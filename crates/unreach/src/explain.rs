//! What the messages mean: for every kind of answer and of mistake a code, what it says, and what to do about it.
//!
//! `unreach explain CODE` prints an entry. Codes are part of the interface: they do not change their meaning.

use program::Reason;

/// A kind of message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name, as one types it.
    pub code: &'static str,
    /// How the message begins.
    pub message: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What one can do.
    pub next: &'static str,
}

/// The code of a reason.
pub fn code(reason: &Reason) -> &'static str {
    match reason {
        Reason::Limit(base::Limit::Time) => "timeout",
        Reason::Limit(base::Limit::Memory) => "memory",
        Reason::Limit(base::Limit::Effort) => "effort",
        Reason::Limit(base::Limit::Cancelled) => "cancelled",
        Reason::TraceCheck(_) => "trace-check",
        Reason::Interpolation(_) => "interpolation",
        Reason::Overapproximation(_) => "overapproximation",
        Reason::NotReplayed(_) => "not-replayed",
        Reason::NotShown { .. } => "not-shown",
        Reason::NoLeap(_) => "no-leap",
        Reason::NoRun(_) => "no-run",
        Reason::NotConfirmed(_) => "not-confirmed",
        Reason::HornSolver(_) => "horn-solver",
        Reason::Termination(_) => "termination",
        Reason::Unsupported(_) => "unsupported",
        Reason::Recursion(_) => "recursion",
    }
}

/// The entry of a code.
pub fn find(code: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.code == code)
}

/// Everything that is explained.
pub const ENTRIES: &[Entry] = &[
    Entry {
        code: "true",
        message: "TRUE",
        meaning: "No execution violates the property. The proof was accepted by a checker that shares no code with the engine that \
                  found it. For C, a line `Not checked, and taken for the end of an execution` names what the proof rests on.",
        next: "`--certificate FILE` keeps the proof, `--report FILE.html` shows what holds at loops and procedures.",
    },
    Entry {
        code: "false",
        message: "FALSE(property)",
        meaning: "An execution violates the property. It was run again, step by step, by an interpreter, and is printed with the values \
                  that it depends on.",
        next: "`--report FILE.html` steps through it; for C, `--harness FILE.c` writes a test that runs into the error.",
    },
    Entry {
        code: "leaps",
        message: "Way: stem, leap × N, error",
        meaning: "An execution violates the property after more loop iterations than can be run. Its existence rests on the theorems of \
                  leaping loops, whose conditions the checker has decided.",
        next: "look at the ports: what holds when the loop is entered and left. A smaller constant in the program gives an execution \
               that is short enough to be replayed.",
    },
    Entry {
        code: "infinite-run",
        message: "a run comes back here for ever",
        meaning: "The program need not end: from a state of the set that is shown, a run can come back to the set again and again. The \
                  first rounds were replayed.",
        next: "look at the variables that change in every round, and at those that the loop condition speaks of.",
    },
    Entry {
        code: "vacuous",
        message: "vacuous, no execution comes here",
        meaning: "A check that is proven, but only because no execution comes to it: something before it excludes all of them. The page \
                  of `--report` marks such checks with ∅.",
        next: "look for an assumption or a condition before the check that is stronger than it should be.",
    },
    Entry {
        code: "nothing-checked",
        message: "Nothing was checked: the program has no check of this property.",
        meaning: "The answer TRUE is right and says nothing: no statement of the program can violate the property.",
        next: "write an assertion, name what must not happen with `--check`, or ask with another property file.",
    },
    Entry {
        code: "timeout",
        message: "UNKNOWN (timeout)",
        meaning: "The time of `--timeout` was over before an engine had an answer.",
        next: "give more time with `--timeout`, or help the proof: write the loop invariant that you have in mind as an assertion at the \
               beginning of the loop's body (in Boogie as `invariant`), or ask about one procedure only (`unreach check`, `--function`).",
    },
    Entry {
        code: "memory",
        message: "UNKNOWN (out of memory)",
        meaning: "The process came to the limit of `--memory`, or to half of the machine's memory if none was given.",
        next: "give more memory with `--memory MB`, or ask about a smaller part of the program.",
    },
    Entry {
        code: "effort",
        message: "UNKNOWN (effort used up)",
        meaning: "The engines did as much work as the plan allows without an answer. That does not depend on the speed of the machine.",
        next: "choose an engine with `--engine`, or help the proof with an invariant.",
    },
    Entry {
        code: "cancelled",
        message: "UNKNOWN (cancelled)",
        meaning: "Somebody stopped the run, for example with Ctrl-C.",
        next: "run it again.",
    },
    Entry {
        code: "trace-check",
        message: "cannot decide whether a trace is feasible",
        meaning: "The solver could not say whether one path through the program can be taken: it contains arithmetic or quantifiers that \
                  are too hard for it.",
        next: "look for products of variables, divisions by variables and quantifiers on the way to the assertion, and say with an \
               assumption what is known about them.",
    },
    Entry {
        code: "interpolation",
        message: "no proof found for an infeasible trace",
        meaning: "A path through the program cannot be taken, but no formulas were found that say why, step by step.",
        next: "try `--engine horn` or `--engine kojak`, or write down an invariant.",
    },
    Entry {
        code: "overapproximation",
        message: "an error is only reachable through an overapproximated statement",
        meaning: "The program does something whose result is only known within bounds, and some value within these bounds leads to the error. \
                  Whether the program can have that value, nobody knows.",
        next: "give functions without a body a body, or say with an assumption what they return; `--bodyless pure` lets them change nothing.",
    },
    Entry {
        code: "not-replayed",
        message: "the counterexample could not be replayed",
        meaning: "The solver has an execution that fails, but the interpreter does not follow it, for example because a function is known \
                  by axioms only. So it is not reported as an error.",
        next: "give the functions that the execution uses a definition instead of axioms.",
    },
    Entry {
        code: "not-shown",
        message: "the facts found do not show the assertion",
        meaning: "An engine that only proves, from facts that it has found, did not find enough of them. Nothing is said about whether the \
                  assertion can fail.",
        next: "leave `--engine` out, so that engines that can find errors take part.",
    },
    Entry {
        code: "no-leap",
        message: "no leap to an error found",
        meaning: "The engine that leaps over loops only finds errors, and the conditions of its theorems could not be shown here.",
        next: "leave `--engine` out; or suggest the loops to leap over with `unreach reach --path`.",
    },
    Entry {
        code: "no-run",
        message: "no run that fails was found",
        meaning: "The engine that runs the program only finds errors, and no run that it tried has failed.",
        next: "leave `--engine` out, so that engines that prove take part.",
    },
    Entry {
        code: "not-confirmed",
        message: "the proof could not be confirmed",
        meaning: "An engine has a proof, but the solver could not decide every question that the independent check asks about it. So it does \
                  not count.",
        next: "try another engine with `--engine`; `--blocks straight` makes the questions smaller.",
    },
    Entry {
        code: "horn-solver",
        message: "no answer of the Horn solver",
        meaning: "The solver for Horn clauses gave up, or its solution could not be used.",
        next: "leave `--engine` out.",
    },
    Entry {
        code: "termination",
        message: "cannot decide whether all runs end",
        meaning: "Neither a ranking function for every loop nor a run without an end was found.",
        next: "write down what bounds the loop, as an assumption about the inputs or as an assertion in the loop.",
    },
    Entry {
        code: "unsupported",
        message: "UNKNOWN (unsupported: WHAT at PLACE)",
        meaning: "The program uses something that has no model here. Nothing is guessed about it.",
        next: "rewrite the statement at the place that is named, or leave it out of the question (`--function F` begins elsewhere).",
    },
    Entry {
        code: "recursion",
        message: "recursion is not supported by ENGINE",
        meaning: "The engine that was chosen replaces calls by bodies, which has no end for a procedure that calls itself.",
        next: "leave `--engine` out, or choose `--engine trace-abstraction`.",
    },
    Entry {
        code: "mistakes",
        message: "error: … (exit code 3)",
        meaning: "The source is not a program of its language; the message has the place.",
        next: "correct the source. C that a compiler accepts and that is refused here may need headers: `-I`, `-D`, `--cpp 'gcc -E'`.",
    },
    Entry {
        code: "bad-input",
        message: "unreach: FILE: … (exit code 3)",
        meaning: "A file cannot be read or is not what the command expects, or options do not go together.",
        next: "`unreach help VERB` lists what a verb takes.",
    },
    Entry {
        code: "internal-error",
        message: "unreach: internal error: … (exit code 4)",
        meaning: "A mistake of Unreach itself: an engine failed, the checker refused a proof, or two solvers disagree. It is never a verdict.",
        next: "report it with the program; `--engine` may get around it until it is mended.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use base::{EntityRef, FileId, Limit, Span};

    #[test]
    fn every_reason_has_an_entry() {
        let span = Span::new(FileId::new(0), 0, 0);
        let text = String::new;
        let reasons = [
            Reason::Limit(Limit::Time),
            Reason::Limit(Limit::Memory),
            Reason::Limit(Limit::Effort),
            Reason::Limit(Limit::Cancelled),
            Reason::TraceCheck(text()),
            Reason::Interpolation(text()),
            Reason::Overapproximation(span),
            Reason::NotReplayed(text()),
            Reason::NotShown { first: None, others: 0 },
            Reason::NoLeap(text()),
            Reason::NoRun(text()),
            Reason::NotConfirmed(text()),
            Reason::HornSolver(text()),
            Reason::Termination(text()),
            Reason::Unsupported(text()),
            Reason::Recursion("x"),
        ];
        for reason in reasons {
            let entry = find(code(&reason)).expect("an entry");
            let begins: String = reason.to_string().chars().take(12).collect();
            let named = entry.message.contains(begins.trim_end_matches([' ', ':', 'x']));
            assert!(named, "{reason} is not what `{}` is about", entry.code);
        }
    }

    #[test]
    fn codes_are_names_and_occur_once() {
        for (number, entry) in ENTRIES.iter().enumerate() {
            assert!(entry.code.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", entry.code);
            assert!(ENTRIES[number + 1..].iter().all(|other| other.code != entry.code), "{}", entry.code);
        }
    }
}
