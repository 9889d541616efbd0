//! The target: an error counts only while it is being executed.
//!
//! In programs with threads, only errors of the thread that executes the target count. If the waypoint does not say which
//! thread that is, any one that comes to the target may be it.

use super::apply::{Applied, Edits, Executed};
use super::find::below_labels;
use super::names::{
    AT_TARGET, ATOMIC, CHOICE, HOLE, OWN_THREAD, RACES_AMONG, RACES_HERE, STATE, TARGET_THREAD,
};
use super::{Monitor, Race, Waypoint};
use crate::ast::{ExprId, Init, StmtId, StmtKind};

/// What is done before and behind the target.
struct Marks {
    entry: u32,
    set: String,
    /// Errors that show only at the end of the program count from now on, others no longer.
    leave: String,
}

/// Marks the target; `segments` is how many there are, of which all but the last must have been passed.
pub(super) fn target(
    edits: &mut Edits<'_>,
    at: Executed,
    waypoint: &Waypoint,
    segments: usize,
) -> Applied<()> {
    let last = segments - 1;
    let entry = waypoint.entry;
    let marks = match edits.threads.concurrent {
        false => Marks {
            entry,
            set: format!("if ({STATE} == {last}) {AT_TARGET} = 1;"),
            leave: format!("if ({AT_TARGET}) {AT_TARGET} = 2;"),
        },
        true => {
            let here = edits.threads.here(waypoint);
            let chosen = if here.is_empty() { format!(" && {CHOICE}()") } else { here };
            Marks {
                entry,
                set: format!(
                    "{ATOMIC}(1); if ({STATE} == {last} && {AT_TARGET} != 1{chosen}) \
                     {{ {AT_TARGET} = 1; {TARGET_THREAD} = {OWN_THREAD}(); }} {ATOMIC}(0);"
                ),
                leave: format!(
                    "{{ {ATOMIC}(1); if ({AT_TARGET} == 1 && {TARGET_THREAD} == {OWN_THREAD}()) \
                     {AT_TARGET} = 2; {ATOMIC}(0); }}"
                ),
            }
        }
    };
    match at {
        Executed::Statement(stmt) => statement(edits, stmt, &marks),
        Executed::Expression(expr) => around(edits, expr, &marks),
    }
}

/// The expression is executed as a part of the target.
fn around(edits: &mut Edits<'_>, expr: ExprId, marks: &Marks) -> Applied<()> {
    let value = edits.fresh();
    let Marks { entry, set, leave } = marks;
    let text = format!("({{ {set} __typeof__({HOLE}) {value} = {HOLE}; {leave} {value}; }})");
    edits.wrap(*entry, &text, expr)
}

/// Reaching a label may be the error, so the target is being executed where a jump leads to it.
fn label(edits: &mut Edits<'_>, stmt: StmtId, marks: &Marks) -> Applied<()> {
    let StmtKind::Label(name, _) = *edits.kind(stmt) else { return Ok(()) };
    let stmts = &edits.fragments.ast.stmts;
    let labels =
        stmts.values().filter(|stmt| matches!(stmt.kind, StmtKind::Label(other, _) if other == name));
    // Labels of other functions may have the same name; then only the way from above is seen.
    let is_only_one = labels.count() == 1;
    let jumps =
        stmts.iter().filter(|(_, stmt)| is_only_one && matches!(stmt.kind, StmtKind::Goto(to) if to == name));
    let places: Vec<StmtId> = jumps.map(|(jump, _)| jump).chain([stmt]).collect();
    let text = format!("{{ {} }}", marks.set);
    places.into_iter().try_for_each(|place| edits.put_right_before(marks.entry, place, &text))
}

fn statement(edits: &mut Edits<'_>, stmt: StmtId, marks: &Marks) -> Applied<()> {
    label(edits, stmt, marks)?;
    let stmt = below_labels(edits.fragments.ast, stmt);
    match edits.kind(stmt) {
        StmtKind::Return(Some(value)) | StmtKind::Switch(value, _) => {
            let value = *value;
            around(edits, value, marks)
        }
        // The condition is what is executed; what it guards has places of its own.
        StmtKind::If(condition, ..) | StmtKind::While(condition, _) => {
            let condition = *condition;
            around(edits, condition, marks)
        }
        StmtKind::Block(inside) => {
            let simple = |stmt: &StmtId| {
                matches!(edits.kind(*stmt), StmtKind::Expr(_) | StmtKind::Declaration(_) | StmtKind::Empty)
            };
            // A block whose statements can be left by jumps is not executed as a whole.
            let inside: Vec<StmtId> = inside.iter().copied().take_while(simple).collect();
            inside.into_iter().try_for_each(|stmt| statement(edits, stmt, marks))
        }
        StmtKind::For(..) | StmtKind::DoWhile(..) => {
            Err(edits.unsupported(marks.entry, "a target at a `for` or `do`"))
        }
        _ => {
            edits.put_before(marks.entry, stmt, &format!("{{ {} }}", marks.set))?;
            edits.put_behind(marks.entry, stmt, &marks.leave)
        }
    }
}

/// Marks the targets of a race: accesses count there, in the threads of the waypoints, when all other segments were passed.
/// Each target stands in the program twice: where accesses count, and where they do not.
pub(super) fn race(
    edits: &mut Edits<'_>,
    targets: &[(Executed, &Waypoint)],
    monitor: &Monitor,
) -> Applied<()> {
    let races = match monitor.race {
        Some(Race::Between(_)) => RACES_AMONG,
        _ => RACES_HERE,
    };
    let last = monitor.segments.len().saturating_sub(1);
    for (index, &(at, waypoint)) in targets.iter().enumerate() {
        // Both accesses may be those of one place.
        if targets[..index].iter().any(|&(other, _)| other == at) {
            continue;
        }
        let threads = targets.iter().filter(|(other, _)| *other == at);
        let threads = threads.map(|(_, waypoint)| format!("(1{})", edits.threads.here(waypoint)));
        let here = threads.collect::<Vec<String>>().join(" || ");
        let flag = edits.fresh();
        let condition =
            format!("({{ {ATOMIC}(1); int {flag} = {STATE} == {last} && ({here}); {ATOMIC}(0); {flag}; }})");
        let Some((expr, has_value)) = accessing(edits, at) else {
            return Err(edits.unsupported(waypoint.entry, "a race at such a statement"));
        };
        let value = edits.fresh();
        let text = match has_value {
            true => format!(
                "{condition} ? ({{ {races}(1); __typeof__({HOLE}) {value} = {HOLE}; {races}(0); {value}; }}) \
                 : {HOLE}"
            ),
            false => format!("{condition} ? ({{ {races}(1); (void) {HOLE}; {races}(0); }}) : (void) {HOLE}"),
        };
        edits.wrap_twice(waypoint.entry, &text, expr)?;
    }
    Ok(())
}

/// The expression that a target evaluates, and whether its value is used.
fn accessing(edits: &Edits<'_>, at: Executed) -> Option<(ExprId, bool)> {
    let stmt = match at {
        Executed::Expression(expr) => return Some((expr, true)),
        Executed::Statement(stmt) => below_labels(edits.fragments.ast, stmt),
    };
    match edits.kind(stmt) {
        StmtKind::Expr(expr) => Some((*expr, false)),
        StmtKind::Return(Some(expr))
        | StmtKind::Switch(expr, _)
        | StmtKind::If(expr, ..)
        | StmtKind::While(expr, _) => Some((*expr, true)),
        StmtKind::Declaration(declaration) => match &declaration.declarators[..] {
            [one] => match one.init {
                Some(Init::Expr(expr)) => Some((expr, true)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
