//! C source to the intermediate language.
//!
//! The way of a program: text → tokens (`preprocess`) → syntax tree (`parse`) → typed tree (`check`) → `ir`
//! (`translate`). Library functions that are written in C (`models`) join the program before it is checked.
//!
//! A stage stops at what it cannot accept. An error in the program is a [`Diagnostic`](base::Diagnostic); a construct
//! that is C and not modelled is [`Unsupported`], with its place. Nothing is guessed: what is modelled only roughly
//! stands behind a marked statement ([`ir::Mark::Overapproximation`]), so that no execution through it counts as real.
//!
//! Guarantees of [`translate`], for programs whose executions are defined by C up to signed overflow: every execution of
//! the program is one of the translation, and every execution of the translation that passes no mark is one of
//! the program. Executions end at division by zero and at null pointers; a shift by too much has a marked result, and a
//! write outside of an array changes no other object, and is marked. `volatile` objects are ordinary memory, and functions
//! without a body change nothing but what they are given ([`Bodyless`]).
//!
//! Cost: linear in the program; about 12 MB of source per second are checked, with about 50 bytes of memory per byte of source.

mod ast;
mod check;
mod contracts;
mod entered;
mod entries;
mod harness;
mod lex;
mod literals;
mod models;
mod monitor;
mod options;
mod outline;
mod parse;
mod preprocess;
mod problem;
mod stubs;
mod symbols;
mod translate;
mod tree;
mod types;
pub mod watch;
pub mod words;

pub use contracts::{Contracts, Loops, Treatment};
pub use entries::{Caller, Entries, Entry, Parameter, ParameterKind, assumed, entries};
pub use harness::{Failing, Site, harness};
pub use models::FILE_NAME as LIBRARY;
pub use monitor::{
    CLAIM, CYCLE, Claim, Event, Ghost, Monitor, NO_VALUE, Place, Race, Segment, UNDEFINED, Update, Waypoint,
    When,
};
pub use options::{
    BitOperations, Bodyless, Check, Checks, DataModel, Letter, MayFail, Options, Property, Service,
    SignedOverflow,
};
pub use outline::{Outlined, outline};
pub use preprocess::{Found, Includes, NoIncludes, Wanted};
pub use problem::{Problem, Unsupported};
pub use stubs::{Stub, stubs};
pub use translate::{BackMap, CCell, CKind, CObject, CVariable, Input, Member, Memory, Part, indexed};

use base::{Budget, FileId, SourceMap};

/// The text of a file whose bytes may be in another encoding: a byte that is no UTF-8 becomes a character of a private area,
/// from which string literals get it back.
pub fn text_of_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for &byte in chunk.invalid() {
            text.extend(char::from_u32(literals::RAW_BYTES + u32::from(byte)));
        }
    }
    text
}

/// Checks that a file is C: its grammar, its names and its types.
pub fn check(
    sources: &mut SourceMap,
    file: FileId,
    model: DataModel,
    includes: &dyn Includes,
) -> Result<(), Vec<Problem>> {
    let job = Job {
        files: &[file],
        entry: "main",
        definitions: "",
        monitor: None,
        contracts: None,
        watch: None,
        budget: None,
    };
    typed_tree(sources, job, model, includes).map(|_| ())
}

/// What is translated.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The files of the program, which are linked as C links them.
    pub files: &'a [FileId],
    /// The function that it begins with, `main` or another one, which gets arbitrary arguments.
    pub entry: &'a str,
    /// Directives that stand before the first line of every file, as `#define NAME 1`.
    pub definitions: &'a str,
    /// What the program is observed for; places are those of the first file.
    pub monitor: Option<&'a Monitor>,
    /// What is done with the contracts of functions and loops; nothing if none is given.
    pub contracts: Option<&'a Contracts>,
    /// What is added to watch its calls and labels.
    pub watch: Option<&'a watch::Watch>,
    /// When to stop; never if none is given.
    pub budget: Option<&'a Budget>,
}

impl Job<'_> {
    /// Fails when it is time to stop.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        self.budget.map_or(Ok(()), |budget| budget.check().map_err(Problem::Interrupted))
    }
}

/// Translates a program of several files to the intermediate language, with the way back.
pub fn translate_job(
    sources: &mut SourceMap,
    job: Job<'_>,
    options: Options,
    includes: &dyn Includes,
) -> Result<(ir::Program, BackMap), Vec<Problem>> {
    let (mut tree, symbols, entry) = typed_tree(sources, job, options.data_model, includes)?;
    let Some(&first) = job.files.first() else { return Err(Vec::new()) };
    // Nobody else can say that a function was made and needs no checks.
    for function in tree.functions.values_mut().filter(|function| function.made) {
        let span = function.span;
        function.made = span.file == first && options.made_from.is_some_and(|from| span.start >= from);
    }
    // A call of the error function ends a run.
    let property = match options.property {
        Property::Termination => Property::UnreachCall,
        property => property,
    };
    let options = Options { property, ..options };
    let (program, mut back) =
        translate::translate(&tree, &symbols, options, (&entry.function, first), job.budget)?;
    back.assumptions = entry.assumptions;
    back.entry = entry.function;
    let mentioned = tree.mentions.iter().map(|&(_, function)| &tree.functions[function]);
    let missing =
        mentioned.filter(|function| function.body.is_none()).map(|function| symbols.text(function.name));
    back.missing = missing.filter(|name| translate::is_unknown(name)).map(str::to_owned).collect();
    Ok((program, back))
}

/// Translates a file to the intermediate language, with the way back.
pub fn translate(
    sources: &mut SourceMap,
    file: FileId,
    options: Options,
    includes: &dyn Includes,
) -> Result<(ir::Program, BackMap), Vec<Problem>> {
    let job = Job {
        files: &[file],
        entry: "main",
        definitions: "",
        monitor: None,
        contracts: None,
        watch: None,
        budget: None,
    };
    translate_job(sources, job, options, includes)
}

/// What is told, once for a file, of annotations where no notation of ours has any.
const LEFT_OUT: &str =
    "annotations between a function and its body are not understood, and left out as comments";

/// All files of a program, preprocessed, parsed and checked as one; the models that they need come last. Besides,
/// where the program begins.
fn typed_tree(
    sources: &mut SourceMap,
    job: Job<'_>,
    model: DataModel,
    includes: &dyn Includes,
) -> Result<(tree::Tree, symbols::Symbols, entered::Entered), Vec<Problem>> {
    let mut symbols = symbols::Symbols::new();
    let refused = |diagnostic: base::Diagnostic| vec![Problem::from(diagnostic)];
    let contracts = job.contracts.filter(|contracts| !contracts.is_ignored());
    let mut units = Vec::new();
    let mut library = models::Needed::default();
    let mut left_out = Vec::new();
    for &file in job.files {
        job.check().map_err(|problem| vec![problem])?;
        let start =
            preprocess::Start { author: preprocess::Author::User, model, definitions: job.definitions };
        let mut tokens =
            preprocess::preprocess(sources, &mut symbols, file, start, includes).map_err(refused)?;
        let mut prelude = String::new();
        if let (Some(monitor), true) = (job.monitor, units.is_empty()) {
            prelude.push_str(&monitor::prelude(monitor));
        }
        if contracts.is_some() || contracts::need_prelude(&tokens, &symbols) {
            prelude.push_str(contracts::PRELUDE);
        }
        if !prelude.is_empty() {
            let mut before =
                plain_tokens(sources, &mut symbols, Prelude { name: "<monitor>", text: &prelude }, model)
                    .map_err(refused)?;
            before.pop();
            tokens.splice(0..0, before);
        }
        let mut unit = parse::parse(&tokens, &mut symbols).map_err(refused)?;
        left_out.extend(unit.foreign_annotations.first().map(|&span| (span, LEFT_OUT.to_owned())));
        contracts::gather(&mut unit, &symbols);
        contracts::read_assertions(&mut unit, &mut symbols, contracts.is_some())
            .map_err(|problem| vec![problem])?;
        contracts::expand_quantifiers(&mut unit, &mut symbols).map_err(|problem| vec![problem])?;
        library.look_at(&unit, &symbols);
        units.push(unit);
    }
    let library = library.text();
    if !library.is_empty() {
        let library = sources.add(models::FILE_NAME, library);
        let start = preprocess::Start { author: preprocess::Author::Tool, model, definitions: "" };
        let tokens =
            preprocess::preprocess(sources, &mut symbols, library, start, includes).map_err(refused)?;
        let mut unit = parse::parse(&tokens, &mut symbols).map_err(refused)?;
        unit.models = true;
        units.push(unit);
    }
    if let (Some(monitor), Some(&main)) = (job.monitor, job.files.first()) {
        monitor::apply(&mut units[0], sources, &mut symbols, main, monitor)
            .map_err(|problem| vec![problem])?;
    }
    let mut entry = entered::Entered { function: job.entry.to_owned(), assumptions: Vec::new() };
    if let Some(contracts) = contracts {
        entry = entered::with_contracts(sources, &mut symbols, &mut units, contracts, (job.entry, model))?;
    }
    entry.assumptions.extend(left_out);
    let added = match job.watch {
        Some(watch) => Some((watch, watch::extend(sources, &mut symbols, &mut units, (watch, model))?)),
        None => None,
    };
    job.check().map_err(|problem| vec![problem])?;
    let mut tree = check::check(&units, &mut symbols, || types::Types::new(model))?;
    if let Some((watch, file)) = added {
        watch::redirect(&mut tree, sources, &symbols, watch, file);
    }
    Ok((tree, symbols, entry))
}

/// A text that stands before the program.
#[derive(Clone, Copy)]
pub(crate) struct Prelude<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

/// The tokens of a text of our own, which needs no preprocessor but for the type of sizes.
pub(crate) fn plain_tokens(
    sources: &mut SourceMap,
    symbols: &mut symbols::Symbols,
    Prelude { name, text }: Prelude<'_>,
    model: DataModel,
) -> Result<Vec<lex::token::Token>, base::Diagnostic> {
    let size = match model {
        DataModel::Ilp32 => "unsigned int",
        DataModel::Lp64 => "unsigned long",
    };
    let text = text.replace("__SIZE_TYPE__", size);
    let file = sources.add(name, text.clone());
    let mut lexer = lex::Lexer::new(file);
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next(&text, symbols)?;
        tokens.push(token);
        if token.kind == lex::token::TokenKind::End {
            return Ok(tokens);
        }
    }
}

/// Runs a function that may recurse once per nesting level of the input: the stack grows when it gets short.
pub(crate) fn deep<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, f)
}
