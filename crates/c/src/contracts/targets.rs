//! What `assigns` and `frees` list: places, and ranges of memory.

use super::INTRINSIC;
use super::build::Builder;
use super::logic::Elements;
use super::reading::Reading;
use crate::ast::{ExprId, ExprKind, LogicalOp, StmtId, Target, UnaryOp};
use crate::problem::Problem;

/// A target, with its condition.
#[derive(Clone, Copy)]
pub(super) struct Assigned {
    /// It counts only if this holds.
    pub(super) condition: Option<ExprId>,
    /// What it is.
    pub(super) what: What,
}

/// What may be changed.
#[derive(Clone, Copy)]
pub(super) enum What {
    /// An lvalue.
    Place(ExprId),
    /// From a pointer on, so many bytes.
    Range(ExprId, ExprId),
    /// From a pointer to the end of its object.
    From(ExprId),
    /// All of the object that a pointer points into.
    Object(ExprId),
    /// That, and all that can be found behind pointers in it.
    Reached(ExprId),
}

/// The targets of a clause, read for a place.
pub(super) fn read(
    b: &mut Builder<'_>,
    reading: &mut Reading,
    targets: &[Target],
) -> Result<Vec<Assigned>, Problem> {
    let mut out = Vec::new();
    for target in targets {
        let span = b.ast.exprs[target.place].span;
        let outer = std::mem::replace(&mut b.span, span);
        let mut condition = target.condition.map(|condition| reading.read_term(b, condition)).transpose()?;
        if let Some(Elements { start, size, any }) = reading.elements(b, target.place)? {
            condition = Some(match condition {
                Some(condition) => b.logical(LogicalOp::And, condition, any),
                None => any,
            });
            b.span = outer;
            out.push(Assigned { condition, what: What::Range(start, size) });
            continue;
        }
        let what = match b.called(target.place).map(|(name, arguments)| (name.to_owned(), arguments)) {
            Some((name, arguments)) => match (name.as_str(), &arguments[..]) {
                (
                    "__CPROVER_object_whole" | "__CPROVER_POINTER_OBJECT" | "__ESBMC_object_whole",
                    &[pointer],
                ) => What::Object(reading.read_term(b, pointer)?),
                ("__CPROVER_object_from", &[pointer]) => What::From(reading.read_term(b, pointer)?),
                ("__CPROVER_object_upto", &[pointer, size]) => {
                    What::Range(reading.read_term(b, pointer)?, reading.read_term(b, size)?)
                }
                ("__CPROVER_typed_target", &[place]) => What::Place(reading.read_term(b, place)?),
                _ => return Err(Problem::unsupported(span, format!("`{name}` as a target of a contract"))),
            },
            None if is_place(b, target.place) => What::Place(reading.read_term(b, target.place)?),
            None => return Err(Problem::unsupported(span, "a target of a contract that is no place")),
        };
        b.span = outer;
        out.push(Assigned { condition, what });
    }
    Ok(out)
}

/// Whether an expression looks like a place.
fn is_place(b: &Builder<'_>, expr: ExprId) -> bool {
    matches!(
        b.ast.exprs[expr].kind,
        ExprKind::Name(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Arrow(..)
            | ExprKind::Unary(UnaryOp::Deref, _)
    )
}

/// The statements that begin a frame: from now on until its end only what is listed may be changed.
pub(super) fn begin_frame(
    b: &mut Builder<'_>,
    (frame, how): (u64, &str),
    assigned: &[Assigned],
    freed: &[Assigned],
    out: &mut Vec<StmtId>,
) {
    let number = b.int(frame);
    out.push(b.call_stmt(&format!("{INTRINSIC}{how}"), vec![number]));
    for target in assigned {
        let (function, mut arguments) = match target.what {
            What::Place(place) => ("place", vec![place]),
            What::Range(pointer, size) => ("range", vec![pointer, size]),
            What::From(pointer) => ("from", vec![pointer]),
            What::Object(pointer) | What::Reached(pointer) => ("object", vec![pointer]),
        };
        arguments.insert(0, b.int(frame));
        let call = b.call_stmt(&format!("{INTRINSIC}{function}"), arguments);
        out.push(b.when(target.condition, call));
    }
    for target in freed {
        let pointer = match target.what {
            What::Place(pointer)
            | What::Range(pointer, _)
            | What::From(pointer)
            | What::Object(pointer)
            | What::Reached(pointer) => pointer,
        };
        let number = b.int(frame);
        let call = b.call_stmt(&format!("{INTRINSIC}frees"), vec![number, pointer]);
        out.push(b.when(target.condition, call));
    }
}

/// The statement that ends a frame where a return leaves it.
pub(super) fn leave_frame(b: &mut Builder<'_>, frame: u64) -> StmtId {
    let number = b.int(frame);
    b.call_stmt(&format!("{INTRINSIC}leave"), vec![number])
}

/// The statement between two rounds of a loop: what the last one has changed must have been allowed.
pub(super) fn next_round(b: &mut Builder<'_>, frame: u64) -> StmtId {
    let number = b.int(frame);
    b.call_stmt(&format!("{INTRINSIC}round"), vec![number])
}

/// The statement that ends a frame.
pub(super) fn end_frame(b: &mut Builder<'_>, frame: u64) -> StmtId {
    let number = b.int(frame);
    b.call_stmt(&format!("{INTRINSIC}end"), vec![number])
}

/// Whether looking at memory is a part of the program: between `quiet(1)` and `quiet(0)` it is not, and what is no memory has
/// some value.
pub(super) fn quiet(b: &mut Builder<'_>, on: bool) -> StmtId {
    let on = b.int(u64::from(on));
    b.call_stmt(&format!("{INTRINSIC}quiet"), vec![on])
}

/// Statements that may free targets, which are remembered now.
pub(super) fn may_free(b: &mut Builder<'_>, freed: &[Assigned], out: &mut Vec<StmtId>) -> Vec<StmtId> {
    let mut statements = Vec::new();
    for target in freed {
        let What::Place(pointer) = target.what else { continue };
        let name = b.invent("freed");
        out.push(b.declare_pointer(name, pointer));
        let pointer = b.name(name);
        let free = b.call_stmt("free", vec![pointer]);
        let choice = b.call(&format!("{INTRINSIC}choice"), Vec::new());
        let condition = match target.condition {
            Some(condition) => b.logical(crate::ast::LogicalOp::And, condition, choice),
            None => choice,
        };
        statements.push(b.when(Some(condition), free));
    }
    statements
}

/// The statements that give all targets arbitrary values. Where targets are is found out before anything changes.
pub(super) fn havoc(b: &mut Builder<'_>, assigned: &[Assigned], out: &mut Vec<StmtId>) {
    let mut changes = Vec::new();
    out.push(quiet(b, true));
    for target in assigned {
        let condition = target.condition.map(|condition| {
            let name = b.invent("when");
            let truth = b.not(condition);
            let truth = b.not(truth);
            out.push(b.declare_value(name, truth));
            b.name(name)
        });
        let change = match target.what {
            What::Place(place) if matches!(b.ast.exprs[place].kind, ExprKind::Name(_)) => {
                b.call_stmt(&format!("{INTRINSIC}havoc"), vec![place])
            }
            What::Place(place) => {
                // The address of something behind null is not computed.
                let address = b.address(place);
                let name = b.invent("target");
                remember(b, name, address, target.condition, out);
                let pointer = b.name(name);
                let place = b.deref(pointer);
                let change = b.call_stmt(&format!("{INTRINSIC}havoc"), vec![place]);
                // Behind null there is nothing to change, unless that is an error of its own.
                let follows = b.call(&format!("{INTRINSIC}follows"), vec![pointer]);
                b.when(Some(follows), change)
            }
            What::Range(pointer, size) => {
                let (at, bytes) = (b.invent("target"), b.invent("size"));
                out.push(b.declare_pointer(at, pointer));
                let pointer = b.name(at);
                // What is known before the program runs stays visible.
                let size = if is_constant(b, size) {
                    size
                } else {
                    out.push(b.declare_value(bytes, size));
                    b.name(bytes)
                };
                b.call_stmt(&format!("{INTRINSIC}havoc_range"), vec![pointer, size])
            }
            What::From(pointer) | What::Object(pointer) | What::Reached(pointer) => {
                let name = b.invent("target");
                out.push(b.declare_pointer(name, pointer));
                let pointer = b.name(name);
                let what = match target.what {
                    What::From(_) => "havoc_from",
                    What::Reached(_) => "havoc_reached",
                    _ => "havoc_object",
                };
                b.call_stmt(&format!("{INTRINSIC}{what}"), vec![pointer])
            }
        };
        changes.push(b.when(condition, change));
    }
    out.push(quiet(b, false));
    out.extend(changes);
}

/// Whether an expression is a number by the look of it.
fn is_constant(b: &Builder<'_>, expr: ExprId) -> bool {
    match &b.ast.exprs[expr].kind {
        ExprKind::Number(_) | ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) => true,
        &ExprKind::Binary(_, left, right) => is_constant(b, left) && is_constant(b, right),
        ExprKind::Call(..) => match b.called(expr) {
            Some((name, arguments)) => {
                name.strip_prefix(INTRINSIC) == Some("integer")
                    && arguments.iter().all(|&one| is_constant(b, one))
            }
            None => false,
        },
        _ => false,
    }
}

fn remember(
    b: &mut Builder<'_>,
    name: crate::symbols::Symbol,
    address: ExprId,
    condition: Option<ExprId>,
    out: &mut Vec<StmtId>,
) {
    match condition {
        None => out.push(b.declare_value(name, address)),
        Some(condition) => {
            let zero = b.int(0);
            out.push(b.declare_like(name, address, Some(zero)));
            let assign = b.assign_stmt(name, address);
            out.push(b.when(Some(condition), assign));
        }
    }
}
