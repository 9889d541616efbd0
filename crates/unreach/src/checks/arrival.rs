//! Where an execution comes to a check.
//!
//! Most checks are statements with a condition, and an execution comes to the check where it comes to the statement. The macro
//! `assert` of C is a branch, of which one side is a statement that always fails: there an execution comes to the check where
//! it comes to the branch. Of any other statement that always fails, such as a call of `reach_error`, it cannot be asked
//! whether executions come there and go on: that they do not come is what is checked.

use super::{Check, of_statement};
use ir::{AssertKind, Block, Body, ExprData, Procedure, Program, StatementKind, Transfer};
use std::collections::BTreeSet;

/// A branch whose one side is a statement that always fails.
struct Guarded {
    procedure: Procedure,
    /// The block that ends with the branch.
    branch: Block,
    /// The side that fails.
    side: Block,
    check: Check,
}

/// The checks of which it can be asked whether an execution comes there.
pub(super) fn askable(program: &Program) -> BTreeSet<Check> {
    let mut askable: BTreeSet<Check> = BTreeSet::new();
    for body in program.procedures.values().filter_map(|data| data.body.as_ref()) {
        for statement in body.blocks.values().flat_map(|block| &block.statements) {
            if let StatementKind::Assert(_, condition) = statement.kind
                && program.expressions[condition] != ExprData::Bool(false)
            {
                askable.extend(of_statement(program, statement));
            }
        }
    }
    askable.extend(guarded(program).into_iter().map(|guarded| guarded.check));
    askable
}

/// Lets every execution fail that comes to one of these checks by a branch.
pub(super) fn fail_at_branches(program: &mut Program, failing: &BTreeSet<Check>) {
    for guarded in guarded(program).into_iter().filter(|guarded| failing.contains(&guarded.check)) {
        if let Some(body) = program.procedures[guarded.procedure].body.as_mut() {
            body.blocks[guarded.branch].transfer = Transfer::Goto(vec![guarded.side]);
        }
    }
}

fn guarded(program: &Program) -> Vec<Guarded> {
    let mut all = Vec::new();
    for (procedure, data) in program.procedures.iter() {
        let Some(body) = &data.body else { continue };
        for (branch, block) in body.blocks.iter() {
            let Transfer::Branch { then, otherwise, .. } = block.transfer else { continue };
            for side in [then, otherwise] {
                let Some(statement) = first_statement(body, side) else { continue };
                let fails = matches!(&statement.kind, StatementKind::Assert(AssertKind::Assert, condition)
                    if program.expressions[*condition] == ExprData::Bool(false));
                let check = of_statement(program, statement);
                if let (true, true, Some(check)) = (fails, statement.span == block.transfer_span, check) {
                    all.push(Guarded { procedure, branch, side, check });
                }
            }
        }
    }
    all
}

/// The first statement behind the beginning of a block, if no choice is made before.
fn first_statement(body: &Body, mut block: Block) -> Option<&ir::Statement> {
    // A cycle of empty blocks has no first statement.
    for _ in 0..body.blocks.len() {
        let data = &body.blocks[block];
        match (data.statements.first(), &data.transfer) {
            (Some(statement), _) => return Some(statement),
            (None, Transfer::Goto(targets)) if targets.len() == 1 => block = targets[0],
            _ => return None,
        }
    }
    None
}
