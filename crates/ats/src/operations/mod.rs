//! The operations by name.
//!
//! [`TABLE`] maps every name to an operation; several names of minimisations mean the same reduction here. Names are
//! compared without regard to case. [`UNSUPPORTED`] lists the names that scripts may use but that have no
//! meaning here yet: mostly other kinds of automata. Everything else is a mistake in the script, and so are arguments
//! that an operation does not expect.

mod automata;
mod infinite;
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
    /// The number of arguments is wrong.
    Arguments { expected: &'static str, found: usize },
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

/// An infinite word as it is written.
#[derive(Clone, Copy)]
struct Lasso<'a> {
    stem: &'a [Symbol],
    repeated: &'a [Symbol],
}

/// An operation on one automaton.
type OnOne = fn(&Automaton, &mut Apply<'_>) -> Result<Value, Failure>;

/// What an operation expects.
#[derive(Clone, Copy)]
enum Form {
    /// One automaton.
    One(OnOne),
    /// One automaton, and maybe the name of an optimisation and a number that bounds it.
    Tuned(OnOne),
    /// One automaton, and maybe whether the game should be solved component by component, which changes no result here.
    Simulation(OnOne),
    /// Two automata.
    Two(fn(&Automaton, &Automaton, &mut Apply<'_>) -> Result<Value, Failure>),
    /// Two automata or more.
    Several(fn(&Automaton, &[&Automaton], &mut Apply<'_>) -> Result<Value, Failure>),
    /// An automaton and a word.
    Word(fn(&Automaton, &[Symbol], &mut Apply<'_>) -> Result<Value, Failure>),
    /// An automaton and an infinite word.
    Lasso(fn(&Automaton, Lasso<'_>, &mut Apply<'_>) -> Result<Value, Failure>),
    /// Numbers, at least and at most so many.
    Numbers(usize, usize, fn(&[i64], &mut Apply<'_>) -> Result<Value, Failure>),
    /// An automaton and up to four truth values.
    Flags(fn(&Automaton, [bool; 4], &mut Apply<'_>) -> Result<Value, Failure>),
}

impl Form {
    /// The least and the largest number of arguments, and what they are.
    fn expected(self) -> (usize, usize, &'static str) {
        match self {
            Form::One(_) => (1, 1, "an automaton"),
            Form::Tuned(_) => (1, 3, "an automaton, and maybe the name of an optimisation and a number"),
            Form::Simulation(_) => (1, 2, "an automaton, and maybe a truth value"),
            Form::Two(_) => (2, 2, "two automata"),
            Form::Several(_) => (2, usize::MAX, "two or more automata"),
            Form::Word(_) => (2, 2, "an automaton and a word"),
            Form::Lasso(_) => (2, 2, "an automaton and an infinite word"),
            Form::Numbers(least, most, _) => (least, most, "another number of numbers"),
            Form::Flags(_) => (1, 5, "an automaton and up to four truth values"),
        }
    }
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
        Form::Several(queries::is_included),
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
        ],
    ),
    (
        Form::Simulation(automata::reduce),
        &[
            "reducenwadirectsimulation",
            "reducenwadirectsimulationb",
            "reducenwadirectfullmultipebblesimulation",
        ],
    ),
    (Form::Numbers(5, 9, random::nwa), &["getrandomnwatv", "getrandomnwa"]),
    (Form::Numbers(2, 4, random::dfa), &["getrandomdfa"]),
    (Form::Numbers(1, 4, random::word), &["getrandomnestedword"]),
    (Form::Lasso(infinite::accepts), &["buchiaccepts"]),
    (Form::One(infinite::is_empty), &["buchiisempty", "buchiisemptyxw"]),
    (Form::One(infinite::accepted_word), &["getacceptedlassoword", "getacceptedlassorun"]),
    (Form::Two(automata::union), &["buchiunion"]),
    (Form::Two(infinite::intersect), &["buchiintersect", "buchiintersectdd", "buchiintersectnwa"]),
    (
        Form::Two(infinite::difference),
        &[
            "buchidifference",
            "buchidifferencefkv",
            "buchidifferencencsb",
            "buchidifferencencsblazy",
            "buchidifferencencsblazy2",
            "buchidifferencencsblazy3",
            "buchidifferencencsbsimple",
        ],
    ),
    (
        Form::Tuned(infinite::complement),
        &["buchicomplement", "buchicomplementfkv", "buchicomplementsvw", "buchicomplementre"],
    ),
    (Form::One(infinite::complement_deterministic), &["buchicomplementdeterministic"]),
    (
        Form::One(infinite::complement_semi_deterministic),
        &[
            "buchicomplementncsb",
            "buchicomplementncsblazy",
            "buchicomplementncsblazy2",
            "buchicomplementncsblazy3",
            "buchicomplementncsbsimple",
        ],
    ),
    (Form::Two(infinite::is_included), &["buchiisincluded", "buchiinclusion"]),
    (Form::Two(infinite::is_equivalent), &["buchiisequivalent"]),
    (
        Form::Simulation(infinite::reduce),
        &[
            "buchireduce",
            "reducebuchifairsimulation",
            "reducebuchifairdirectsimulation",
            "reducenwafairsimulation",
            "reducenwadelayedsimulation",
            "reducenwadelayedsimulationb",
            "reducenwadelayedfullmultipebblesimulation",
            "minimizenwapmaxsatdelayed",
            "minimizenwapmaxsatdelayedbi",
        ],
    ),
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

/// Parts of the names of other operations on infinite words and of operations on other kinds of automata.
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
    let (least, most, expected) = form.expected();
    if !(least..=most).contains(&arguments.len()) {
        return Err(Failure::Arguments { expected, found: arguments.len() });
    }
    if let Some(value) = arguments.iter().find(|value| matches!(value, Value::Unsupported(_))) {
        return Ok(value.clone());
    }
    call(*form, arguments, &mut apply)
}

/// The argument that should be an automaton.
fn automaton(arguments: &[Value], index: usize) -> Result<&Automaton, Failure> {
    match arguments.get(index) {
        Some(Value::Automaton(automaton)) => Ok(automaton),
        _ => Err(Failure::Argument { index, expected: "an automaton" }),
    }
}

/// Calls an operation with arguments of the right number.
fn call(form: Form, arguments: &[Value], apply: &mut Apply<'_>) -> Result<Value, Failure> {
    match form {
        Form::One(operation) => operation(automaton(arguments, 0)?, apply),
        Form::Tuned(operation) => {
            match arguments {
                [_] | [_, Value::Text(_)] | [_, Value::Text(_), Value::Int(..)] => {}
                [_, Value::Text(_), ..] => return Err(Failure::Argument { index: 2, expected: "a number" }),
                _ => return Err(Failure::Argument { index: 1, expected: "the name of an optimisation" }),
            }
            operation(automaton(arguments, 0)?, apply)
        }
        Form::Simulation(operation) => match arguments {
            [_] | [_, Value::Boolean(_)] => operation(automaton(arguments, 0)?, apply),
            _ => Err(Failure::Argument { index: 1, expected: "a truth value" }),
        },
        Form::Two(operation) => operation(automaton(arguments, 0)?, automaton(arguments, 1)?, apply),
        Form::Several(operation) => {
            let others: Result<Vec<_>, _> =
                (1..arguments.len()).map(|index| automaton(arguments, index)).collect();
            operation(automaton(arguments, 0)?, &others?, apply)
        }
        Form::Word(operation) => match &arguments[1] {
            Value::Word(word) => operation(automaton(arguments, 0)?, word, apply),
            _ => Err(Failure::Argument { index: 1, expected: "a word" }),
        },
        Form::Lasso(operation) => match &arguments[1] {
            Value::Lasso(stem, repeated) => {
                operation(automaton(arguments, 0)?, Lasso { stem, repeated }, apply)
            }
            _ => Err(Failure::Argument { index: 1, expected: "an infinite word" }),
        },
        Form::Numbers(_, _, operation) => {
            let mut numbers = Vec::new();
            for (index, argument) in arguments.iter().enumerate() {
                match argument {
                    Value::Int(number, _) => numbers.push(*number),
                    _ => return Err(Failure::Argument { index, expected: "a number" }),
                }
            }
            operation(&numbers, apply)
        }
        Form::Flags(operation) => {
            let mut flags = [false; 4];
            for (index, (flag, argument)) in flags.iter_mut().zip(&arguments[1..]).enumerate() {
                match argument {
                    Value::Boolean(value) => *flag = *value,
                    _ => return Err(Failure::Argument { index: index + 1, expected: "a truth value" }),
                }
            }
            operation(automaton(arguments, 0)?, flags, apply)
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
