//! A problem as a program of the intermediate language.
//!
//! There are several ways to see one: bit operations may be bounded or exact, threads may be left alone or be made one
//! product of so many threads in some order. Evidence speaks of the view in which it was found.

use crate::answer::Failure;
use crate::input;
use crate::problem::{Language, Problem, Source};
use base::{Budget, Diagnostic, EntityRef, FileId, Interrupted, SourceMap};
use program::Reason;
use std::collections::BTreeMap;
use std::path::Path;
use threads::{Beyond, Options, Order, Refused};

/// What bit operations without a rule over integers become. See [`c::BitOperations`].
pub use c::BitOperations;

/// A product with more states than this is more than anybody can prove something about.
const MOST_STATES: usize = 30_000;

/// A program of the intermediate language, with the way back to its source.
#[derive(Debug)]
pub struct View {
    /// The sources that its places are about.
    pub sources: SourceMap,
    /// The program.
    pub program: ir::Program,
    /// The way back to C, for a program that was C.
    pub back: Option<c::BackMap>,
    /// Whose steps they are, for a program that is the product of threads.
    pub threads: Option<Threads>,
    /// What the front end warns of.
    pub warnings: Vec<Diagnostic>,
}

/// The threads of a product.
#[derive(Debug)]
pub struct Threads {
    /// For the blocks of a procedure, whose step they are.
    pub steps: BTreeMap<ir::Procedure, Vec<Option<threads::Step>>>,
    /// The names of the threads of a procedure.
    pub names: BTreeMap<ir::Procedure, Vec<String>>,
    /// Whether there may be more threads than the product has.
    pub bounded: bool,
    /// Whether the order of the threads made a difference.
    pub turns: bool,
}

/// How threads become a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interleaving {
    /// How many threads of one fork statement there may be at once.
    pub instances: usize,
    /// What happens when a fork finds no place.
    pub beyond: Beyond,
    /// Which threads go first where the order makes no difference.
    pub order: Order,
}

/// Why there is no view.
#[derive(Debug)]
pub enum NoView {
    /// The source uses something that has no meaning here yet, or a limit was reached.
    Unknown(Reason),
    /// The source cannot be used.
    Failure(Failure),
}

impl View {
    /// The problem with its threads, if it has any.
    pub fn new(problem: &Problem, bits: BitOperations) -> Result<View, NoView> {
        let mut sources = SourceMap::new();
        match &problem.source {
            Source::Ir(program, sources) => Ok(View::of(program.as_ref().clone(), sources.clone())),
            Source::Text { language: Language::Boogie, name, text } => {
                let file = sources.add(name.clone(), text.clone());
                boogie(sources, file)
            }
            Source::Text { language: Language::C, name, text } => {
                let file = sources.add(name.clone(), text.clone());
                c_program(sources, file, problem, bits)
            }
        }
    }

    fn of(program: ir::Program, sources: SourceMap) -> View {
        View { sources, program, back: None, threads: None, warnings: Vec::new() }
    }

    /// Does the program start threads?
    pub fn is_concurrent(&self) -> bool {
        threads::is_concurrent(&self.program)
    }

    /// The product of the program's threads.
    pub fn product(&self, how: Interleaving, budget: &Budget) -> Result<View, Reason> {
        let Interleaving { instances, beyond, order } = how;
        let options = Options { instances, beyond, most_states: MOST_STATES, order };
        let made = threads::sequential(&self.program, &options, budget)
            .map_err(|refused| self.no_product(refused))?;
        let mut back = self.back.clone();
        if let Some(back) = &mut back {
            back.add_copies(&made.copies);
            for (&procedure, steps) in &made.steps {
                // All decisions of the product are those of threads.
                back.decisions.extend((0..steps.len()).map(|block| (procedure, EntityRef::new(block))));
            }
        }
        let (bounded, turns) = (made.bounded, made.turns);
        let threads = Threads { steps: made.steps, names: made.threads, bounded, turns };
        let sources = self.sources.clone();
        Ok(View { sources, program: made.program, back, threads: Some(threads), warnings: Vec::new() })
    }

    fn no_product(&self, refused: Refused) -> Reason {
        match refused {
            Refused::Unsupported { what, span } => {
                Reason::Unsupported(format!("{what} at {}", self.sources.place(span)))
            }
            Refused::TooManySteps(most) => {
                Reason::Unsupported(format!("threads with more than {most} steps"))
            }
            Refused::TooManyStates(most) => {
                Reason::Unsupported(format!("threads with more than {most} states together"))
            }
            Refused::Interrupted(Interrupted(limit)) => Reason::Limit(limit),
        }
    }

    /// The name of the thread whose step is taken at a place of a product.
    pub(crate) fn thread_of(&self, place: ir::interpreter::Place) -> Option<&str> {
        let threads = self.threads.as_ref()?;
        let steps = threads.steps.get(&place.procedure)?;
        let step = (*steps.get(place.block.index())?)?;
        match step.thread {
            0 => Some("main"),
            thread => threads.names.get(&place.procedure)?.get(thread).map(String::as_str),
        }
    }
}

fn unsupported(what: String) -> NoView {
    NoView::Unknown(Reason::Unsupported(what))
}

fn mistakes(sources: SourceMap, diagnostics: Vec<Diagnostic>) -> NoView {
    NoView::Failure(Failure::Mistakes(Box::new(sources), diagnostics))
}

fn boogie(sources: SourceMap, file: FileId) -> Result<View, NoView> {
    match boogie::compile(file, &sources.file(file).text) {
        Ok(compiled) => Ok(View { warnings: compiled.warnings, ..View::of(compiled.program, sources) }),
        Err(failure) => Err(match failure.unsupported.first() {
            Some(first) if failure.errors.is_empty() => {
                unsupported(format!("{} at {}", first.feature, sources.place(first.span)))
            }
            _ => mistakes(sources, failure.errors),
        }),
    }
}

/// Files that are included by their name relative to the including file.
struct BesideTheSource;

impl c::Includes for BesideTheSource {
    fn read(&self, name: &str, from: &str) -> Option<String> {
        input::read_c(&Path::new(from).parent()?.join(name)).ok()
    }
}

fn c_program(
    mut sources: SourceMap,
    file: FileId,
    problem: &Problem,
    bits: BitOperations,
) -> Result<View, NoView> {
    let options = c::Options {
        data_model: problem.data_model,
        property: problem.property,
        bit_operations: bits,
        ..c::Options::default()
    };
    let translated = match &problem.monitor {
        Some(monitor) => c::translate_monitored(&mut sources, file, options, &BesideTheSource, monitor),
        None => c::translate(&mut sources, file, options, &BesideTheSource),
    };
    let problems = match translated {
        Ok((program, back)) => return Ok(View { back: Some(back), ..View::of(program, sources) }),
        Err(problems) => problems,
    };
    let mut errors = Vec::new();
    let mut missing = None;
    for problem in problems {
        match problem {
            c::Problem::Error(mistake) => errors.push(*mistake),
            c::Problem::Unsupported(what) => {
                missing.get_or_insert(format!("{} at {}", what.what, sources.place(what.span)));
            }
        }
    }
    Err(match missing {
        Some(what) if errors.is_empty() => unsupported(what),
        _ => mistakes(sources, errors),
    })
}
