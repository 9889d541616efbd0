//! Where the statements of a file begin, for whoever speaks about places of the source.

use crate::ast::StmtKind;
use crate::options::DataModel;
use crate::preprocess::{self, Includes};
use crate::problem::Problem;
use crate::{Job, parse, symbols};
use base::{SourceMap, Span};

/// A statement or declaration of the first file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outlined {
    /// Its first token.
    pub span: Span,
    /// Whether it is a loop whose condition is evaluated before its body: `while` or `for`.
    pub tests_first: bool,
    /// Whether it is a loop.
    pub is_loop: bool,
}

/// The statements and declarations of the first file, in the order of the source.
pub fn outline(
    sources: &mut SourceMap,
    job: Job<'_>,
    model: DataModel,
    includes: &dyn Includes,
) -> Result<Vec<Outlined>, Problem> {
    let Some(&file) = job.files.first() else { return Ok(Vec::new()) };
    let mut symbols = symbols::Symbols::new();
    let start = preprocess::Start { author: preprocess::Author::User, model, definitions: job.definitions };
    let tokens = preprocess::preprocess(sources, &mut symbols, file, start, includes)?;
    let ast = parse::parse(&tokens, &mut symbols)?;
    let mut first_parts = base::EntitySet::new();
    for stmt in ast.stmts.values() {
        if let StmtKind::For(first, ..) = stmt.kind {
            first_parts.insert(first);
        }
    }
    let own = ast.stmts.iter().filter(|(id, stmt)| stmt.span.file == file && !first_parts.contains(*id));
    let mut found: Vec<Outlined> = own
        .map(|(_, stmt)| {
            let tests_first = matches!(stmt.kind, StmtKind::While(..) | StmtKind::For(..));
            let is_loop = tests_first || matches!(stmt.kind, StmtKind::DoWhile(..));
            Outlined { span: stmt.span, tests_first, is_loop }
        })
        .collect();
    found.sort_by_key(|one| one.span.start);
    Ok(found)
}
