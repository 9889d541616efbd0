//! Live variables along a trace: those whose value can still matter to an edge that is not relaxed.

use crate::context::Context;
use crate::traces::Trace;
use base::EntitySet;
use logic::Term;
use program::{EdgeKind, Var, VarKind};

/// For every cut the variables that are read later. Parameters and old values of a callee stay live until it returns,
/// because the return ties them to the call.
pub(super) fn live_variables(context: &Context<'_>, trace: &Trace, relaxed: &[bool]) -> Vec<EntitySet<Var>> {
    let program = context.program;
    let variables = &program.variables;
    let read = |value: Term| variables.of_symbols(&context.terms.free_symbols(value)).collect::<Vec<Var>>();
    let mut live = vec![EntitySet::new(); trace.len() + 1];
    // For a call that returns: what is live behind the return.
    let mut behind: Vec<Option<EntitySet<Var>>> = vec![None; trace.len()];
    for (position, &edge) in trace.edges.iter().enumerate().rev() {
        let after = live[position + 1].clone();
        let mut before = EntitySet::new();
        match &program.edges[edge].kind {
            EdgeKind::Internal(relation) => {
                before.extend(after.keys().filter(|&var| relation.update(var).is_none()));
                if !relaxed[position] {
                    before.extend(read(relation.guard));
                    let needed = relation.updates.iter().filter(|(var, _)| after.contains(*var));
                    before.extend(needed.flat_map(|&(_, value)| read(value)));
                }
            }
            EdgeKind::Call(call) => {
                before.extend(after.keys().filter(|&var| variables[var].kind == VarKind::Global));
                before.extend(call.bindings.iter().flat_map(|&(_, value)| read(value)));
                if let Some(later) = &behind[position] {
                    before.extend(later.keys().filter(|&var| variables[var].kind.belongs_to_a_call()));
                }
            }
            EdgeKind::Return(returning) => {
                let (_, call) = program.call_of(returning);
                let overwritten = |var: Var| returning.results.iter().any(|(to, _)| *to == var);
                let globals =
                    after.keys().filter(|&var| variables[var].kind == VarKind::Global && !overwritten(var));
                before.extend(globals);
                before.extend(returning.results.iter().map(|(_, from)| *from));
                before.extend(call.bindings.iter().map(|(var, _)| *var));
                behind[trace.calls[position].expect("a return has a call")] = Some(after);
            }
        }
        live[position] = before;
    }
    live
}
