//! Boogie source to the intermediate language.
//!
//! [`parse`] makes a syntax tree, [`compile`] a program of the intermediate language. Neither panics on any
//! input, needs more of the host's stack for deeper nesting, or costs more than linear time.
//!
//! What a file says falls into three kinds: it is fine, it has mistakes ([`Failure::errors`]), or it uses
//! features that have no meaning here yet ([`Failure::unsupported`]). Only the last kind may lead to the
//! verdict "unknown"; mistakes are the author's.

pub mod ast;
mod elaborate;
pub mod features;
pub mod lexer;
pub mod parser;
pub mod print;
mod promises;
pub mod symbols;
pub mod tokens;

use base::{Diagnostic, FileId};
pub use features::{Feature, Unsupported};
use ir::Program;
pub use parser::{Parsed, parse, parse_all};
pub use promises::under_free_preconditions;

/// Why a file cannot be used.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Failure {
    /// Mistakes in the source.
    pub errors: Vec<Diagnostic>,
    /// Features that are not supported, if there are no mistakes.
    pub unsupported: Vec<Unsupported>,
}

/// A program with what its author should know about it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// How `/` between two integers is read, on which the reference and one other tool differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// As real division, as the reference has it.
    Reference,
    /// As integer division, as the tool has it that writes `ULTIMATE.start`.
    Ultimate,
}

/// Parses and checks a file, and lowers it to the intermediate language.
///
/// The dialect is Ultimate's if the file has a procedure `ULTIMATE.start`, else that of the reference. A file that
/// has a mistake in the reference's reading, and none in the other, is read in the other, with a warning: no
/// program of the reference changes its meaning by that.
pub fn compile(file: FileId, text: &str) -> Result<Compiled, Failure> {
    compile_all(&[Input { file, text, role: Role::Program }])
}

/// What a file is to a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A part of it.
    Program,
    /// Something that it uses: executions begin with none of its procedures.
    Library,
}

/// A file of a program.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Its number.
    pub file: FileId,
    /// Its text.
    pub text: &'a str,
    /// What it is to the program.
    pub role: Role,
}

/// [`compile`] for a program of several files, whose declarations all see each other. There is at least one.
pub fn compile_all(inputs: &[Input<'_>]) -> Result<Compiled, Failure> {
    let mut compiled = compile_files(inputs)?;
    let is_library =
        |span: base::Span| inputs.iter().any(|input| input.file == span.file && input.role == Role::Library);
    if inputs.iter().any(|input| input.role == Role::Library) {
        let program = &mut compiled.program;
        let mut entries = program.entries();
        entries.retain(|&entry| !is_library(program.procedures[entry].span));
        program.chosen = Some(entries);
    }
    Ok(compiled)
}

fn compile_files(inputs: &[Input<'_>]) -> Result<Compiled, Failure> {
    let files: Vec<(FileId, &str)> = inputs.iter().map(|input| (input.file, input.text)).collect();
    let parsed = parsed(&files)?;
    let start = parsed.ast.declarations.iter().any(|declaration| match declaration {
        ast::Declaration::Procedure(procedure) => {
            parsed.ast.name(procedure.signature.name.symbol) == ir::program::START
        }
        _ => false,
    });
    if start {
        return lower(&parsed, Dialect::Ultimate).map_err(|refused| refused.failure);
    }
    let refused = match lower(&parsed, Dialect::Reference) {
        Ok(compiled) => return Ok(compiled),
        Err(refused) => refused,
    };
    let Some(slash) = refused.integer_slash.filter(|_| !refused.failure.errors.is_empty()) else {
        return Err(refused.failure);
    };
    let mut compiled = lower(&parsed, Dialect::Ultimate).map_err(|_| refused.failure)?;
    let message = "`/` between integers is read as integer division, since the program has no type otherwise";
    compiled.warnings.insert(0, Diagnostic::warning(slash, message));
    Ok(compiled)
}

/// [`compile`] in a given dialect.
pub fn compile_in(file: FileId, text: &str, dialect: Dialect) -> Result<Compiled, Failure> {
    lower(&parsed(&[(file, text)])?, dialect).map_err(|refused| refused.failure)
}

fn parsed<'a>(files: &[(FileId, &'a str)]) -> Result<Parsed<'a>, Failure> {
    let parsed = parse_all(files);
    // Declarations that could not be read are missing, so that their uses would look like mistakes.
    if !parsed.errors.is_empty() || !parsed.unsupported.is_empty() {
        return Err(Failure { errors: parsed.errors, unsupported: parsed.unsupported });
    }
    Ok(parsed)
}

/// Why a file has no meaning in a dialect.
struct Refused {
    failure: Failure,
    /// A division of two integers.
    integer_slash: Option<base::Span>,
}

/// How often a program with quantifiers over types is translated before they are refused: each time, formulas about the
/// types that were found may need more types.
const MOST_ROUNDS: usize = 5;

fn lower(parsed: &Parsed<'_>, dialect: Dialect) -> Result<Compiled, Refused> {
    let (mut errors, mut unsupported);
    let mut universe = elaborate::Universe::new();
    let mut rounds = 0;
    let (program, warnings, integer_slash) = loop {
        rounds += 1;
        (errors, unsupported) = (Vec::new(), Vec::new());
        let elaborated = elaborate::elaborate(&parsed.ast, dialect, &universe, &mut errors, &mut unsupported);
        let elaborate::Elaborated { program, warnings, integer_slash, asked } = elaborated;
        let larger = asked.filter(|asked| !asked.used.is_subset(&universe));
        let Some(asked) = larger.filter(|_| errors.is_empty() && unsupported.is_empty()) else {
            break (program, warnings, integer_slash);
        };
        if rounds == MOST_ROUNDS {
            let feature = Feature::PolymorphicQuantifier;
            unsupported.push(Unsupported { feature, span: asked.span });
            break (program, warnings, integer_slash);
        }
        universe.extend(asked.used);
    };
    if errors.is_empty() && unsupported.is_empty() {
        return Ok(Compiled { program, warnings });
    }
    // Declarations are elaborated in several rounds, but people read from top to bottom.
    errors.sort_by_key(|error| error.span);
    unsupported.sort_by_key(|unsupported| unsupported.span);
    Err(Refused { failure: Failure { errors, unsupported }, integer_slash })
}
