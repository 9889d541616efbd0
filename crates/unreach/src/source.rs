//! From a file to a program of the intermediate language.

use crate::arguments::{CArguments, DataModel};
use crate::input::{self, BadInput};
use crate::outcome::Exit;
use crate::preprocessor;
use crate::property::{self, Property, PropertyError};
use base::diagnostics::Style;
use base::{Diagnostic, EntityRef, FileId, SourceMap};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// A program with its source.
pub(crate) struct Loaded {
    pub(crate) sources: SourceMap,
    pub(crate) program: ir::Program,
    /// The way back to C, for a program that was C.
    pub(crate) back: Option<c::BackMap>,
    /// Whose steps they are, for a program that is the product of threads.
    pub(crate) threads: Option<Threads>,
}

impl Loaded {
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

/// The threads of a product.
pub(crate) struct Threads {
    /// For the blocks of a procedure, whose step they are.
    pub(crate) steps: BTreeMap<ir::Procedure, Vec<Option<threads::Step>>>,
    /// The names of the threads of a procedure.
    pub(crate) names: BTreeMap<ir::Procedure, Vec<String>>,
    /// Whether there may be more threads than the product has.
    pub(crate) bounded: bool,
    /// Whether the order of the threads made a difference.
    pub(crate) turns: bool,
}

/// Why there is no program.
pub(crate) enum LoadError {
    /// The file cannot be used.
    Input(BadInput),
    /// The source has mistakes, which were shown.
    Mistakes,
    /// The source uses something that has no meaning here yet: what, and where.
    Unsupported(String),
}

impl From<BadInput> for LoadError {
    fn from(error: BadInput) -> LoadError {
        LoadError::Input(error)
    }
}

impl LoadError {
    /// Shows what was not yet shown; the exit code. An unsupported feature is an unknown verdict for `verify`.
    pub(crate) fn exit(self) -> Result<Exit, BadInput> {
        match self {
            LoadError::Input(error) => Err(error),
            LoadError::Mistakes => Ok(Exit::BadInput),
            LoadError::Unsupported(what) => {
                println!("UNKNOWN (unsupported: {what})");
                Ok(Exit::Unknown)
            }
        }
    }
}

/// The languages that are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    /// Boogie.
    Boogie,
    /// C, preprocessed or not.
    C,
}

/// The language of a file, by its name. Standard input is Boogie.
pub(crate) fn language(path: &Path) -> Result<Language, BadInput> {
    if path == Path::new("-") {
        return Ok(Language::Boogie);
    }
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("bpl") => Ok(Language::Boogie),
        Some("c" | "i") => Ok(Language::C),
        _ => Err(BadInput::UnknownLanguage(path.to_owned())),
    }
}

/// Reads a Boogie program whose text is known.
pub(crate) fn load_boogie_text(name: String, text: String) -> Result<Loaded, LoadError> {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    load_boogie(sources, file)
}

/// What the C front end has to know; nothing for Boogie.
fn c_options(arguments: &CArguments, property: Property) -> c::Options {
    c::Options {
        data_model: match arguments.data_model {
            DataModel::Ilp32 => c::DataModel::Ilp32,
            DataModel::Lp64 => c::DataModel::Lp64,
        },
        property: match property {
            Property::Assert => c::Property::Assert,
            Property::UnreachCall => c::Property::UnreachCall,
            Property::UnreachLabel => c::Property::UnreachLabel,
            Property::NoOverflow => c::Property::NoOverflow,
        },
        ..c::Options::default()
    }
}

/// What is asked about a program.
#[derive(Clone)]
pub(crate) struct Question {
    /// What must hold.
    pub(crate) property: Property,
    /// The function that the program begins with, if the question names one.
    pub(crate) entry: Option<String>,
}

/// Reads a program; mistakes are drawn on standard error.
pub(crate) fn load(path: &Path, arguments: &CArguments, asked: &Question) -> Result<Loaded, LoadError> {
    load_with(path, arguments, asked, c_options(arguments, asked.property))
}

/// Reads a C program again, with all its bit operations exact.
pub(crate) fn load_exactly(
    path: &Path,
    arguments: &CArguments,
    asked: &Question,
) -> Result<Loaded, LoadError> {
    let options =
        c::Options { bit_operations: c::BitOperations::Exact, ..c_options(arguments, asked.property) };
    load_with(path, arguments, asked, options)
}

fn load_with(
    path: &Path,
    arguments: &CArguments,
    asked: &Question,
    options: c::Options,
) -> Result<Loaded, LoadError> {
    // Whatever is wrong with the file itself comes before what is wrong with its name.
    let language = language(path).or_else(|unknown| input::read_program(path).and(Err(unknown)))?;
    let mut sources = SourceMap::new();
    if language == Language::Boogie {
        let file = sources.add(path.display().to_string(), input::read_program(path)?);
        return load_boogie(sources, file);
    }
    let mut files = Vec::new();
    for path in std::iter::once(path).chain(arguments.more.iter().map(PathBuf::as_path)) {
        let text = match &arguments.cpp {
            Some(command) => preprocessor::run(command, path, arguments)?,
            None => input::read_c(path)?,
        };
        files.push(sources.add(path.display().to_string(), text));
    }
    let entry = arguments.function.as_deref().or(asked.entry.as_deref()).unwrap_or("main");
    let definitions = preprocessor::definitions(arguments);
    let job = c::Job { files: &files, entry, definitions: &definitions };
    load_c(sources, job, options, &Folders(&arguments.include))
}

/// The property of a property file, or why it cannot be checked; assertions if there is none.
pub(crate) fn read_property(spec: Option<&Path>) -> Result<Result<Question, String>, BadInput> {
    let Some(path) = spec else { return Ok(Ok(Question { property: Property::Assert, entry: None })) };
    let text = input::read_program(path)?;
    match property::parse(&text) {
        Ok(property) => Ok(Ok(Question { property, entry: property::entry(&text) })),
        Err(PropertyError::Unsupported(what)) => Ok(Err(what)),
        Err(PropertyError::Malformed) => Err(BadInput::NoProperty(path.to_owned())),
    }
}

/// Files that are included: found beside the file that includes them, if they stand in quotes, then in the folders that
/// were named, in their order.
struct Folders<'a>(&'a [PathBuf]);

impl c::Includes for Folders<'_> {
    fn find(&self, wanted: c::Wanted<'_>) -> Option<c::Found> {
        let beside = Path::new(wanted.from).parent().filter(|_| wanted.quoted);
        let folders = beside.into_iter().chain(self.0.iter().map(PathBuf::as_path));
        folders.map(|folder| folder.join(wanted.name)).find_map(|path| {
            let text = input::read_included(&path)?;
            Some(c::Found { name: path.display().to_string(), text })
        })
    }
}

fn load_c(
    mut sources: SourceMap,
    job: c::Job<'_>,
    options: c::Options,
    includes: &dyn c::Includes,
) -> Result<Loaded, LoadError> {
    match c::translate_job(&mut sources, job, options, includes) {
        Ok((program, back)) => Ok(Loaded { program, sources, back: Some(back), threads: None }),
        Err(problems) => {
            let mut mistakes = Vec::new();
            let mut unsupported = None;
            for problem in problems {
                match problem {
                    c::Problem::Error(mistake) => mistakes.push(*mistake),
                    c::Problem::Unsupported(what) => {
                        unsupported.get_or_insert(format!("{} at {}", what.what, sources.place(what.span)));
                    }
                }
            }
            match unsupported {
                Some(what) if mistakes.is_empty() => Err(LoadError::Unsupported(what)),
                _ => {
                    show(&sources, &mistakes);
                    Err(LoadError::Mistakes)
                }
            }
        }
    }
}

fn load_boogie(sources: SourceMap, file: FileId) -> Result<Loaded, LoadError> {
    match boogie::compile(file, &sources.file(file).text) {
        Ok(compiled) => {
            show(&sources, &compiled.warnings);
            Ok(Loaded { program: compiled.program, sources, back: None, threads: None })
        }
        Err(failure) if failure.errors.is_empty() => {
            let first = failure.unsupported.first().expect("a failure has a reason");
            Err(LoadError::Unsupported(format!("{} at {}", first.feature, sources.place(first.span))))
        }
        Err(failure) => {
            show(&sources, &failure.errors);
            Err(LoadError::Mistakes)
        }
    }
}

/// How many messages are shown; the rest is counted.
const MOST_MESSAGES: usize = 20;

/// Draws messages on standard error.
pub(crate) fn show(sources: &SourceMap, diagnostics: &[Diagnostic]) {
    let style = if std::io::stderr().is_terminal() { Style::Colour } else { Style::Plain };
    for diagnostic in diagnostics.iter().take(MOST_MESSAGES) {
        eprint!("{}", diagnostic.render(sources, style));
    }
    if diagnostics.len() > MOST_MESSAGES {
        eprintln!("… and {} more", diagnostics.len() - MOST_MESSAGES);
    }
}
