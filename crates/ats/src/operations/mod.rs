//! The operations by name.
//!
//! [`TABLE`] maps every name to an operation; several names of minimisations mean the same reduction here. Names are
//! compared without regard to case. [`UNSUPPORTED`] lists the names that scripts may use but that have no
//! meaning here yet: Büchi acceptance and other kinds of automata. Everything else is a mistake in the script.

mod automata;
mod queries;
mod random;

use crate::names::Letters;
use crate::value::{Automaton, Value};
use base::{Budget, Interrupted};
use nwa::Symbol;

/// Why an operation has no value.
pub(crate) enum Failure {
    /// There is no such operation.
    Unknown,
    /// The operation is known but not supported.
    Unsupported,
    /// The number of arguments is wrong; what is expected.
    Arguments(&'static str),
    /// An argument has the wrong kind.
    Argument { index: usize, expected: &'static str },
    /// The arguments have the right kinds, but the operation cannot work with these.
    Refused(String),
    /// A limit was reached.
    Interrupted(Interrupted),
}

impl From<Interrupted> for Failure {
    fn from(interrupted: Interrupted) -> Failure {
        Failure::Interrupted(interrupted)
    }
}

/// What operations may use besides their arguments.
pub(crate) struct Apply<'a> {
    pub(crate) letters: &'a mut Letters,
    pub(crate) budget: &'a Budget,
    /// Differs from call to call.
    pub(crate) seed: u64,
}

/// What an operation expects.
#[derive(Clone, Copy)]
enum Form {
    /// One automaton.
    One(fn(&Automaton, &mut Apply<'_>) -> Result<Value, Failure>),
    /// Two automata.
    Two(fn(&Automaton, &Automaton, &mut Apply<'_>) -> Result<Value, Failure>),
    /// An automaton and a word.
    Word(fn(&Automaton, &[Symbol], &mut Apply<'_>) -> Result<Value, Failure>),
    /// Numbers, at least so many.
    Numbers(usize, fn(&[i64], &mut Apply<'_>) -> Result<Value, Failure>),
    /// An automaton and four truth values.
    Flags(fn(&Automaton, [bool; 4], &mut Apply<'_>) -> Result<Value, Failure>),
}

/// The operations with their names in lower case.
const TABLE: &[(Form, &[&str])] = &[
    (Form::Word(queries::accepts), &["accepts"]),
    (
        Form::One(queries::is_empty),
        &["isempty", "isemptyheuristic", "isemptyparallel", "isemptyparallellegacy", "isemptyinteractive"],
    ),
    (Form::One(queries::is_deterministic), &["isdeterministic"]),
    (Form::One(queries::is_semi_deterministic), &["issemideterministic"]),
    (Form::One(queries::is_total), &["istotal"]),
    (Form::One(queries::is_finite), &["isfinite", "isfinitelanguage"]),
    (Form::One(queries::is_universal), &["isuniversal"]),
    (Form::One(queries::has_unreachable_states), &["hasunreachablestates"]),
    (
        Form::Two(queries::is_included),
        &[
            "isincluded",
            "isincluded2",
            "inclusionviadifference",
            "incrementalinclusioncheck2",
            "incrementalinclusioncheck2deadendremoval",
            "incrementalinclusioncheck2deadendremovaladvancecover",
            "incrementalinclusioncheck2deadendremovaladvancecover_2stacks",
            "incrementalinclusioncheck2deadendremovaladvancecover_2stacks_multiplecounterexamplesatonce",
            "incrementalinclusioncheck3",
            "incrementalinclusioncheck3_2",
            "incrementalinclusioncheck4",
            "incrementalinclusioncheck4_2",
            "incrementalinclusioncheck5",
            "incrementalinclusioncheck5_2",
            "incrementalinclusioncheckdifference",
        ],
    ),
    (Form::Two(queries::is_equivalent), &["isequivalent", "equivalent"]),
    (Form::One(queries::number_of_states), &["numberofstates", "size"]),
    (Form::One(queries::number_of_transitions), &["numberoftransitions"]),
    (Form::One(queries::accepted_word), &["getacceptedword", "getacceptedrun"]),
    (Form::One(queries::loop_complexity), &["loopcomplexity", "loopcomplexitypeakoptimization", "cyclerank"]),
    (Form::Two(automata::union), &["union", "unionnwa"]),
    (Form::Two(automata::intersect), &["intersect", "intersectnwa", "intersectdd", "intersection"]),
    (
        Form::Two(automata::difference),
        &["difference", "differencedd", "differencesadd", "differencesenwa", "superdifference"],
    ),
    (Form::One(automata::complement), &["complement", "complementdd", "complementsadd"]),
    (
        Form::One(automata::complement_deterministic),
        &["complementdeterministic", "complementdeterministicnwa"],
    ),
    (
        Form::One(automata::determinize),
        &[
            "determinize",
            "determinizenwa",
            "determinizedd",
            "determinizesadd",
            "determinizelazytest",
            "determinizeunderappox",
            "determinizeunderapprox",
        ],
    ),
    (Form::One(automata::totalize), &["totalize", "totalizenwa"]),
    (Form::One(automata::remove_unreachable), &["removeunreachable"]),
    (Form::One(automata::remove_dead_ends), &["removedeadends"]),
    (Form::One(automata::remove_non_live_states), &["removenonlivestates"]),
    (Form::Flags(automata::reachable_states_copy), &["reachablestatescopy"]),
    (Form::One(automata::relabel), &["relabel", "relabelnwa"]),
    (
        Form::One(automata::minimize_dfa),
        &[
            "minimizedfa",
            "minimizedfahopcroft",
            "minimizedfahopcroftarrays",
            "minimizedfahopcroftlists",
            "minimizedfahopcroftwiki",
            "minimizedfasymbolic",
            "minimizedfaincremental",
            "minimizedfaincrementalparallel",
            "minimizedfahopcroftparallel",
            "minimizedfaparallel",
            "minimizeincompletedfa",
        ],
    ),
    (
        Form::One(automata::reduce),
        &[
            "minimizesevpa",
            "shrinknwa",
            "shrinknwaasdfa",
            "minimizedfatable",
            "minimizedfasimulation",
            "minimizenfabrzozowski",
            "minimizenwacombinator",
            "minimizenwamulti",
            "minimizenwamaxsat",
            "minimizenwamaxsat2",
            "minimizenwaoverapproximation",
            "minimizenwapattern",
            "minimizenwapmaxsat",
            "minimizenwapmaxsatasymmetric",
            "minimizenwapmaxsatdirect",
            "minimizenwapmaxsatdirectbi",
            "minimizenwapmaxsatdoubleton",
            "reducenwadirectsimulation",
            "reducenwadirectsimulationb",
            "reducenwadirectfullmultipebblesimulation",
        ],
    ),
    (Form::Numbers(5, random::nwa), &["getrandomnwatv", "getrandomnwa"]),
    (Form::Numbers(2, random::dfa), &["getrandomdfa"]),
    (Form::Numbers(1, random::word), &["getrandomnestedword"]),
];

/// Names, in lower case, of operations that are not supported, and parts of names that mark such operations.
const UNSUPPORTED: &[&str] = &[
    "analyze",
    "comparereducenwasimulation",
    "comparesimulations",
    "comparewithrandomautomata",
    "comparewithrandomnwaautomata",
    "concurrentproduct",
    "gethandle",
    "monitorproduct",
    "nwatopetri",
    "prefixproduct",
];

/// Parts of the names of operations on infinite words and on other kinds of automata.
const UNSUPPORTED_PARTS: &[&str] = &[
    "buchi",
    "büchi",
    "delayed",
    "fairsimulation",
    "fairdirect",
    "lasso",
    "omega",
    "petri",
    "prefix",
    "rabin",
    "semideterministic",
    "senwa",
    "tree",
    "counting",
    "alternating",
];

/// Applies an operation.
pub(crate) fn apply(name: &str, arguments: &[Value], mut apply: Apply<'_>) -> Result<Value, Failure> {
    let name = name.to_lowercase();
    let Some((form, _)) = TABLE.iter().find(|(_, names)| names.contains(&name.as_str())) else {
        let known =
            UNSUPPORTED.contains(&name.as_str()) || UNSUPPORTED_PARTS.iter().any(|part| name.contains(part));
        return Err(if known { Failure::Unsupported } else { Failure::Unknown });
    };
    if let Some(value) = arguments.iter().find(|value| matches!(value, Value::Unsupported(_))) {
        return Ok(value.clone());
    }
    let automaton = |index: usize| match arguments.get(index) {
        Some(Value::Automaton(automaton)) => Ok(automaton),
        Some(_) => Err(Failure::Argument { index, expected: "an automaton" }),
        None => Err(Failure::Arguments(if index == 0 { "an automaton" } else { "two automata" })),
    };
    match form {
        Form::One(operation) => operation(automaton(0)?, &mut apply),
        Form::Two(operation) => operation(automaton(0)?, automaton(1)?, &mut apply),
        Form::Word(operation) => match arguments.get(1) {
            Some(Value::Word(word)) => operation(automaton(0)?, word, &mut apply),
            Some(_) => Err(Failure::Argument { index: 1, expected: "a word" }),
            None => Err(Failure::Arguments("an automaton and a word")),
        },
        Form::Numbers(least, operation) => {
            let mut numbers = Vec::new();
            for (index, argument) in arguments.iter().enumerate() {
                match argument {
                    Value::Int(number, _) => numbers.push(*number),
                    _ => return Err(Failure::Argument { index, expected: "a number" }),
                }
            }
            if numbers.len() < *least {
                return Err(Failure::Arguments("more numbers"));
            }
            operation(&numbers, &mut apply)
        }
        Form::Flags(operation) => {
            let mut flags = [false; 4];
            for (index, flag) in flags.iter_mut().enumerate() {
                match arguments.get(index + 1) {
                    Some(Value::Boolean(value)) => *flag = *value,
                    Some(_) => return Err(Failure::Argument { index: index + 1, expected: "a truth value" }),
                    None => {}
                }
            }
            operation(automaton(0)?, flags, &mut apply)
        }
    }
}

/// A known name that differs from a wrong one in at most two letters.
pub(crate) fn similar(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let names = TABLE.iter().flat_map(|(_, names)| names.iter().copied());
    names
        .map(|known| (distance(&name, known), known))
        .filter(|&(distance, _)| distance <= 2)
        .min()
        .map(|best| best.1)
}

/// The edit distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, a) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_means_one_operation() {
        let mut names: Vec<&str> = TABLE.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert!(names.iter().all(|name| *name == name.to_lowercase()));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn a_typo_is_recognised() {
        assert_eq!(similar("removeDeadEnd"), Some("removedeadends"));
        assert_eq!(similar("acepts"), Some("accepts"));
        assert_eq!(similar("frobnicate"), None);
    }
}
