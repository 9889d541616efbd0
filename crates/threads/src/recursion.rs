//! Recursive procedures in programs with threads.
//!
//! What calls itself cannot be inlined to the end. Its calls *stay*: such a call is one step of the product, which does all that the procedure
//! and what it calls do. That is right where no other thread can disturb it: while the call goes on, nobody accesses what it
//! writes, or writes what it accesses. Then its steps can be moved together, as those of others change nothing for them; and where the call does not come to its
//! end, the others do what they would have done without it. The product says where a call can be disturbed, because that depends on where the others are.
//!
//! Where one can be, recursive procedures are inlined into themselves some times ([`Recursion::unfolded`]), and only deeper calls stay.
//!
//! Refused by name: recursion that starts or awaits threads, and recursion that waits for something where it is an error if all threads wait.

use crate::Refused;
use base::Span;
use ir::{Expr, Mark, Procedure, Program, Statement, StatementKind, Transfer, Variable, VariableKind};
use std::collections::BTreeMap;

/// How often a procedure is inlined into itself.
const MOST_DEPTH: u32 = 8;
/// How many calls that stay there may be then, for every call that is inlined.
const MOST_CALLS: usize = 64;

/// Which procedures are recursive, and how often they are inlined into themselves.
#[derive(Debug, Default)]
pub(crate) struct Recursion {
    depths: BTreeMap<Procedure, usize>,
}

impl Recursion {
    /// No recursive procedure is inlined.
    pub(crate) fn kept(program: &Program) -> Recursion {
        let depths = recursive(program).into_iter().map(|(procedure, _)| (procedure, 0));
        Recursion { depths: depths.collect() }
    }

    /// Recursive procedures are inlined as often as the size of the code allows.
    pub(crate) fn unfolded(program: &Program) -> Recursion {
        let depth = |group: &[Procedure]| {
            let calls = group.iter().flat_map(|&procedure| statements(program, procedure));
            let inner = calls.filter(|statement| {
                matches!(&statement.kind, StatementKind::Call { procedure, .. } if group.contains(procedure))
            });
            let calls = inner.count();
            let fits = |&depth: &u32| calls.checked_pow(depth).is_some_and(|calls| calls <= MOST_CALLS);
            (1..=MOST_DEPTH).take_while(fits).last().unwrap_or(1) as usize
        };
        let groups = recursive(program).into_iter();
        Recursion { depths: groups.map(|(procedure, group)| (procedure, depth(&group))).collect() }
    }

    /// Whether there is any.
    pub(crate) fn is_empty(&self) -> bool {
        self.depths.is_empty()
    }

    /// Whether a call stays a call, where these procedures are being inlined.
    pub(crate) fn stays(&self, path: &[Procedure], procedure: Procedure) -> bool {
        let depth = self.depths.get(&procedure);
        depth.is_some_and(|&depth| path.iter().filter(|&&inlined| inlined == procedure).count() >= depth)
    }
}

/// Every procedure that may call itself, with those that it calls and that call it.
fn recursive(program: &Program) -> Vec<(Procedure, Vec<Procedure>)> {
    let called: BTreeMap<Procedure, Vec<Procedure>> =
        program.procedures.keys().map(|procedure| (procedure, called_from(program, procedure))).collect();
    let mut found = Vec::new();
    for (&procedure, others) in &called {
        if others.contains(&procedure) {
            let group = others.iter().copied().filter(|other| called[other].contains(&procedure));
            found.push((procedure, group.collect()));
        }
    }
    found
}

/// The procedures that a procedure calls, and that these call, and so on. It is itself among them if it is recursive.
fn called_from(program: &Program, procedure: Procedure) -> Vec<Procedure> {
    let mut found: Vec<Procedure> = Vec::new();
    let mut pending = vec![procedure];
    while let Some(caller) = pending.pop() {
        for statement in statements(program, caller) {
            if let StatementKind::Call { procedure, .. } = statement.kind
                && !found.contains(&procedure)
            {
                found.push(procedure);
                pending.push(procedure);
            }
        }
    }
    found.sort_unstable();
    found
}

fn statements(program: &Program, procedure: Procedure) -> impl Iterator<Item = &Statement> {
    let blocks = program.procedures[procedure].body.iter().flat_map(|body| body.blocks.values());
    blocks.flat_map(|block| &block.statements)
}

/// Whether a statement is a call that stays: what is called has a body.
pub(crate) fn is_kept(program: &Program, statement: &Statement) -> Option<Procedure> {
    match statement.kind {
        StatementKind::Call { procedure, .. } if program.procedures[procedure].body.is_some() => {
            Some(procedure)
        }
        _ => None,
    }
}

/// A procedure and all that it calls.
pub(crate) fn all(program: &Program, procedure: Procedure) -> Vec<Procedure> {
    let mut all = called_from(program, procedure);
    if !all.contains(&procedure) {
        all.push(procedure);
    }
    all
}

/// All statements that a call may execute.
pub(crate) fn all_statements(program: &Program, procedure: Procedure) -> Vec<&Statement> {
    all(program, procedure).into_iter().flat_map(|procedure| statements(program, procedure)).collect()
}

/// All expressions that a call may evaluate.
pub(crate) fn expressions(program: &Program, procedure: Procedure) -> Vec<Expr> {
    let mut found = Vec::new();
    for procedure in all(program, procedure) {
        let data = &program.procedures[procedure];
        found.extend(data.requires.iter().chain(&data.ensures).map(|clause| clause.condition));
        let body = data.body.as_ref();
        let locals = body.iter().flat_map(|body| &body.locals);
        let own = data.parameters.iter().chain(&data.results).chain(&data.modifies).chain(locals);
        found.extend(own.filter_map(|&variable| program.variables[variable].where_clause));
        for block in body.iter().flat_map(|body| body.blocks.values()) {
            for statement in &block.statements {
                found.extend(crate::code::values(&statement.kind));
                let changed = crate::code::assigned(statement);
                found.extend(changed.into_iter().filter_map(|v| program.variables[v].where_clause));
            }
            if let Transfer::Branch { condition, .. } = block.transfer {
                found.push(condition);
            }
        }
    }
    found
}

/// Lets a procedure whose calls stay say which globals it changes; refuses what is not one step for others.
pub(crate) fn keep(
    program: &mut Program,
    entry: Procedure,
    (procedure, span): (Procedure, Span),
) -> Result<(), Refused> {
    let refused = |what: &str| Err(Refused::Unsupported { what: what.to_owned(), span });
    let all = all(program, procedure);
    let finds_deadlocks = Mark::DeadlockFree.is_in(&program.procedures[entry].attributes);
    let mut changed: Vec<Variable> = Vec::new();
    for &called in &all {
        changed.extend(&program.procedures[called].modifies);
        for statement in statements(program, called) {
            changed.extend(crate::code::assigned(statement));
            match statement.kind {
                StatementKind::Fork { .. } | StatementKind::Join { .. } => {
                    return refused("recursion that starts or awaits threads");
                }
                _ if finds_deadlocks && Mark::Waits.is_in(&statement.attributes) => {
                    return refused("recursion that waits, where deadlocks are errors,");
                }
                _ => {}
            }
        }
    }
    if all.contains(&entry) {
        return refused("recursion of the main procedure of a program with threads");
    }
    changed.retain(|&variable| program.variables[variable].kind == VariableKind::Global);
    changed.sort_unstable();
    changed.dedup();
    for called in all {
        let modifies = &mut program.procedures[called].modifies;
        let missing: Vec<Variable> =
            changed.iter().copied().filter(|global| !modifies.contains(global)).collect();
        modifies.extend(missing);
    }
    Ok(())
}
