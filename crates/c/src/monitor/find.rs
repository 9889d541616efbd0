//! Parts of the syntax tree by their place in the source.

use super::Place;
use crate::ast::{Ast, Expr, ExprId, ExprKind, Item, Stmt, StmtId, StmtKind};
use crate::symbols::Symbol;
use base::{EntitySet, FileId, SourceMap, Span};

/// Finds parts of a program.
pub(super) struct Finder<'a> {
    pub(super) sources: &'a SourceMap,
    pub(super) file: FileId,
    /// The first parts of `for` loops: they are no statements of their own.
    loop_starts: EntitySet<StmtId>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(ast: &Ast, sources: &'a SourceMap, file: FileId) -> Finder<'a> {
        let mut loop_starts = EntitySet::new();
        for stmt in ast.stmts.values() {
            if let StmtKind::For(first, ..) = stmt.kind {
                loop_starts.insert(first);
            }
        }
        Finder { sources, file, loop_starts }
    }

    /// Of things with places, the one at a place; of several at one place the last, which is the outermost.
    fn at<T: Copy>(&self, place: &Place, candidates: impl Iterator<Item = (Span, T)>) -> Option<T> {
        let mut best: Option<(u32, T)> = None;
        for (span, thing) in candidates {
            if span.file != self.file {
                continue;
            }
            let at = self.sources.line_column(span);
            if at.line != place.line || place.column.is_some_and(|column| column != at.column) {
                continue;
            }
            if best.is_none_or(|(column, _)| at.column <= column) {
                best = Some((at.column, thing));
            }
        }
        best.map(|(_, thing)| thing)
    }

    /// The wanted statement at a place. If the column fits nothing, but the line has only one, that is meant: some tools
    /// count columns differently.
    fn statements(&self, ast: &Ast, place: &Place, wanted: impl Fn(&Stmt) -> bool) -> Option<StmtId> {
        let fitting = || {
            let all = ast.stmts.iter().filter(|(id, stmt)| !self.loop_starts.contains(*id) && wanted(stmt));
            all.map(|(id, stmt)| (stmt.span, id))
        };
        self.at(place, fitting()).or_else(|| {
            let on_line =
                |span: &Span| span.file == self.file && self.sources.line_column(*span).line == place.line;
            only(fitting().filter(|(span, _)| on_line(span)).map(|(_, id)| id))
        })
    }

    /// The statement or declaration that begins at a place.
    pub(super) fn statement(&self, ast: &Ast, place: &Place) -> Option<StmtId> {
        self.statements(ast, place, |_| true)
    }

    /// The statements and declarations that begin in a line. Blocks are nothing but what is in them.
    pub(super) fn statements_of_line(&self, ast: &Ast, line: u32) -> Vec<StmtId> {
        let all = ast.stmts.iter().filter(|(id, stmt)| {
            let is_own = !self.loop_starts.contains(*id) && !matches!(stmt.kind, StmtKind::Block(_));
            is_own && self.is_on(stmt.span, line)
        });
        all.map(|(id, _)| id).collect()
    }

    /// The block whose closing brace is at a place.
    pub(super) fn block_end(&self, ast: &Ast, place: &Place) -> Option<StmtId> {
        self.at(place, ast.block_ends.iter().map(|&(block, span)| (span, block)))
    }

    /// The loop at a place.
    pub(super) fn loop_at(&self, ast: &Ast, place: &Place) -> Option<StmtId> {
        self.statements(ast, place, is_loop)
    }

    /// The `switch` at a place.
    pub(super) fn switch(&self, ast: &Ast, place: &Place) -> Option<StmtId> {
        self.statements(ast, place, |stmt| matches!(stmt.kind, StmtKind::Switch(..)))
    }

    /// The function definition, by the place of its first word or of its name; without a column, of the line.
    pub(super) fn function(&self, ast: &Ast, place: &Place) -> Option<usize> {
        let functions = ast.items.iter().enumerate().filter_map(|(index, item)| match item {
            Item::Function(function) => Some((index, function)),
            _ => None,
        });
        let spans = functions.flat_map(|(index, function)| {
            [ast.specifiers[function.specifiers].span, function.declarator.span].map(|span| (span, index))
        });
        self.at(place, spans)
    }

    /// The condition that branches at a place: that of the `if` or loop whose keyword stands there, or of the `?`.
    pub(super) fn branch(&self, ast: &Ast, place: &Place) -> Option<Branch> {
        let wanted = |stmt: &Stmt| is_loop(stmt) || matches!(stmt.kind, StmtKind::If(..));
        let statements = ast.stmts.iter().filter(|(_, stmt)| wanted(stmt));
        let statements = statements.map(|(id, stmt)| (stmt.span, Branch::Statement(id)));
        let conditionals = ast.exprs.iter().filter_map(|(id, expr)| {
            let ExprKind::Conditional(condition, ..) = expr.kind else { return None };
            Some((self.question_mark(ast, expr, condition)?, Branch::Conditional(id)))
        });
        self.at(place, statements.chain(conditionals))
    }

    /// The `?` of a conditional: behind its condition stand only closing parentheses before it.
    fn question_mark(&self, ast: &Ast, whole: &Expr, condition: ExprId) -> Option<Span> {
        let from = ast.exprs[condition].span;
        if from.file != whole.span.file || from.end > whole.span.end {
            return None;
        }
        let between = Span::new(from.file, from.end, whole.span.end);
        let found = self.sources.text(between).find('?')? as u32;
        Some(Span::new(from.file, from.end + found, from.end + found + 1))
    }

    /// The call whose closing parenthesis is at a place; without a column, the leftmost of the line.
    pub(super) fn call(&self, ast: &Ast, place: &Place) -> Option<ExprId> {
        let calls = ast.exprs.iter().filter(|(_, expr)| matches!(expr.kind, ExprKind::Call(..)));
        self.at(
            place,
            calls.filter_map(|(id, expr)| {
                let last = Span::new(expr.span.file, expr.span.end.checked_sub(1)?, expr.span.end);
                (self.sources.text(last) == ")").then_some((last, id))
            }),
        )
    }

    /// The only call of a function in a line.
    pub(super) fn call_of(&self, ast: &Ast, line: u32, function: Symbol) -> Option<ExprId> {
        let is_it = |expr: &Expr| match expr.kind {
            ExprKind::Call(callee, _) => {
                matches!(ast.exprs[callee].kind, ExprKind::Name(name) if name == function)
                    && self.is_on(expr.span, line)
            }
            _ => false,
        };
        only(ast.exprs.iter().filter(|(_, expr)| is_it(expr)).map(|(id, _)| id))
    }

    /// The only branch in a line, if its condition is evaluated as a whole.
    pub(super) fn decision(&self, ast: &Ast, line: u32) -> Option<Branch> {
        let statements = ast.stmts.iter().filter_map(|(id, stmt)| {
            let condition = match stmt.kind {
                StmtKind::If(condition, ..)
                | StmtKind::While(condition, _)
                | StmtKind::DoWhile(_, condition)
                | StmtKind::For(_, Some(condition), ..) => condition,
                _ => return None,
            };
            // The condition of a `do` stands behind its keyword.
            self.is_on(ast.exprs[condition].span, line).then_some(Branch::Statement(id))
        });
        let decides = |expr: &Expr| {
            let splits = matches!(expr.kind, ExprKind::Conditional(..) | ExprKind::Logical(..));
            splits && self.is_on(expr.span, line)
        };
        let is_split = ast.exprs.values().any(decides);
        only(statements).filter(|_| !is_split)
    }

    fn is_on(&self, span: Span, line: u32) -> bool {
        span.file == self.file && self.sources.line_column(span).line == line
    }

    /// The expression that begins at a place.
    pub(super) fn expression(&self, ast: &Ast, place: &Place) -> Option<ExprId> {
        self.at(place, ast.exprs.iter().map(|(id, expr)| (expr.span, id)))
    }
}

/// The only one of some things.
fn only<T>(mut things: impl Iterator<Item = T>) -> Option<T> {
    let first = things.next()?;
    things.next().is_none().then_some(first)
}

/// Where a program branches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Branch {
    Statement(StmtId),
    Conditional(ExprId),
}

fn is_loop(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For(..))
}

/// The statement behind labels.
pub(super) fn below_labels(ast: &Ast, mut stmt: StmtId) -> StmtId {
    while let StmtKind::Label(_, inner) | StmtKind::Case(_, _, inner) | StmtKind::Default(inner) =
        ast.stmts[stmt].kind
    {
        stmt = inner;
    }
    stmt
}
