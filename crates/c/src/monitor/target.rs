//! The target: an error counts only while it is being executed.

use super::apply::{Applied, Edits, Executed};
use super::find::below_labels;
use super::names::{AT_TARGET, HOLE, STATE};
use crate::ast::{ExprId, StmtId, StmtKind};

/// Behind the target: errors that show only at the end of the program count from now on, others no longer.
const LEAVE: &str = "if (__unreach_at_target) __unreach_at_target = 2;";

/// Marks the target; `segments` is how many there are, of which all but the last must have been passed.
pub(super) fn target(edits: &mut Edits<'_>, at: Executed, entry: u32, segments: usize) -> Applied<()> {
    let set = format!("if ({STATE} == {}) {AT_TARGET} = 1;", segments - 1);
    match at {
        Executed::Statement(stmt) => statement(edits, stmt, entry, &set),
        Executed::Expression(expr) => around(edits, expr, entry, &set),
    }
}

/// The expression is executed as a part of the target.
fn around(edits: &mut Edits<'_>, expr: ExprId, entry: u32, set: &str) -> Applied<()> {
    let value = edits.fresh();
    let text = format!("({{ {set} __typeof__({HOLE}) {value} = {HOLE}; {LEAVE} {value}; }})");
    edits.wrap(entry, &text, expr)
}

/// Reaching a label may be the error, so the target is being executed where a jump leads to it.
fn label(edits: &mut Edits<'_>, stmt: StmtId, entry: u32, set: &str) -> Applied<()> {
    let StmtKind::Label(name, _) = *edits.kind(stmt) else { return Ok(()) };
    let stmts = &edits.fragments.ast.stmts;
    let labels =
        stmts.values().filter(|stmt| matches!(stmt.kind, StmtKind::Label(other, _) if other == name));
    // Labels of other functions may have the same name; then only the way from above is seen.
    let is_only_one = labels.count() == 1;
    let jumps =
        stmts.iter().filter(|(_, stmt)| is_only_one && matches!(stmt.kind, StmtKind::Goto(to) if to == name));
    let places: Vec<StmtId> = jumps.map(|(jump, _)| jump).chain([stmt]).collect();
    places.into_iter().try_for_each(|place| edits.put_right_before(entry, place, &format!("{{ {set} }}")))
}

fn statement(edits: &mut Edits<'_>, stmt: StmtId, entry: u32, set: &str) -> Applied<()> {
    label(edits, stmt, entry, set)?;
    let stmt = below_labels(edits.fragments.ast, stmt);
    match edits.kind(stmt) {
        StmtKind::Return(Some(value)) | StmtKind::Switch(value, _) => {
            let value = *value;
            around(edits, value, entry, set)
        }
        // The condition is what is executed; what it guards has places of its own.
        StmtKind::If(condition, ..) | StmtKind::While(condition, _) => {
            let condition = *condition;
            around(edits, condition, entry, set)
        }
        StmtKind::Block(inside) => {
            let simple = |stmt: &StmtId| {
                matches!(edits.kind(*stmt), StmtKind::Expr(_) | StmtKind::Declaration(_) | StmtKind::Empty)
            };
            // A block whose statements can be left by jumps is not executed as a whole.
            let inside: Vec<StmtId> = inside.iter().copied().take_while(simple).collect();
            inside.into_iter().try_for_each(|stmt| statement(edits, stmt, entry, set))
        }
        StmtKind::For(..) | StmtKind::DoWhile(..) => {
            Err(edits.unsupported(entry, "a target at a `for` or `do`"))
        }
        _ => {
            edits.put_before(entry, stmt, &format!("{{ {set} }}"))?;
            edits.put_behind(entry, stmt, LEAVE)
        }
    }
}
