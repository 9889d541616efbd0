//! C source to the intermediate language.
//!
//! The way of a program: text → tokens (`preprocess`) → syntax tree (`parse`) → typed tree (`check`) → `ir`
//! (`translate`). Library functions that are written in C (`models`) join the program before it is checked.
//!
//! A stage stops at what it cannot accept. An error in the program is a [`Diagnostic`](base::Diagnostic); a construct
//! that is C and not modelled is [`Unsupported`], with its place. Nothing is guessed: what is modelled only roughly
//! stands behind a marked statement (see [`OVERAPPROXIMATION`]), so that no execution through it counts as real.
//!
//! Guarantees of [`translate`], for programs whose executions are defined by C up to signed overflow: every execution of
//! the program is one of the translation, and every execution of the translation that passes no mark is one of
//! the program. Executions end at division by zero, at null pointers and at shifts by too much; a write outside of an
//! array changes no other object, and is marked. `volatile` objects are ordinary memory, and functions without a body
//! change nothing but their result.
//!
//! Cost: linear in the program; about 12 MB of source per second are checked, with about 50 bytes of memory per byte of source.

mod ast;
mod check;
mod harness;
mod lex;
mod literals;
mod models;
mod monitor;
mod options;
mod parse;
mod preprocess;
mod problem;
mod symbols;
mod translate;
mod tree;
mod types;

pub use harness::{Site, harness};
pub use monitor::{CLAIM, Claim, Event, Monitor, Place, Segment, UNDEFINED, Waypoint, When};
pub use options::{BitOperations, DataModel, Options, Property, SignedOverflow};
pub use preprocess::{Includes, NoIncludes};
pub use problem::{Problem, Unsupported};
pub use translate::{
    BackMap, CCell, CKind, CObject, CVariable, INPUT, Input, Member, Memory, OVERAPPROXIMATION, Part, indexed,
};

use base::{FileId, SourceMap};

/// Checks that a file is C: its grammar, its names and its types.
pub fn check(
    sources: &mut SourceMap,
    file: FileId,
    model: DataModel,
    includes: &dyn Includes,
) -> Result<(), Vec<Problem>> {
    typed_tree(sources, file, model, includes, None).map(|_| ())
}

/// Translates a file to the intermediate language, with the way back.
pub fn translate(
    sources: &mut SourceMap,
    file: FileId,
    options: Options,
    includes: &dyn Includes,
) -> Result<(ir::Program, BackMap), Vec<Problem>> {
    let (tree, symbols) = typed_tree(sources, file, options.data_model, includes, None)?;
    translate::translate(&tree, &symbols, options, file)
}

/// Translates a file as [`translate`] does, observed by a monitor.
pub fn translate_monitored(
    sources: &mut SourceMap,
    file: FileId,
    options: Options,
    includes: &dyn Includes,
    monitor: &Monitor,
) -> Result<(ir::Program, BackMap), Vec<Problem>> {
    let (tree, symbols) = typed_tree(sources, file, options.data_model, includes, Some(monitor))?;
    translate::translate(&tree, &symbols, options, file)
}

fn typed_tree(
    sources: &mut SourceMap,
    file: FileId,
    model: DataModel,
    includes: &dyn Includes,
    monitor: Option<&Monitor>,
) -> Result<(tree::Tree, symbols::Symbols), Vec<Problem>> {
    let mut symbols = symbols::Symbols::new();
    let refused = |diagnostic: base::Diagnostic| vec![Problem::from(diagnostic)];
    let mut tokens = preprocess::preprocess(sources, &mut symbols, file, model, includes).map_err(refused)?;
    if let Some(monitor) = monitor {
        let prelude = sources.add("<monitor>", monitor::prelude(monitor));
        let mut before =
            preprocess::preprocess(sources, &mut symbols, prelude, model, includes).map_err(refused)?;
        before.pop();
        tokens.splice(0..0, before);
    }
    let mut ast = parse::parse(&tokens, &mut symbols).map_err(refused)?;
    let library = models::needed(&tokens, &ast, &symbols);
    if !library.is_empty() {
        let library = sources.add(models::FILE_NAME, library);
        let more =
            preprocess::preprocess(sources, &mut symbols, library, model, includes).map_err(refused)?;
        tokens.pop();
        tokens.extend(more);
        ast = parse::parse(&tokens, &mut symbols).map_err(refused)?;
    }
    drop(tokens);
    if let Some(monitor) = monitor {
        monitor::apply(&mut ast, sources, &mut symbols, file, monitor).map_err(|problem| vec![problem])?;
    }
    let tree = check::check(&ast, &mut symbols, types::Types::new(model))?;
    Ok((tree, symbols))
}

/// Runs a function that may recurse once per nesting level of the input: the stack grows when it gets short.
pub(crate) fn deep<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, f)
}
