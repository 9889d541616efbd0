//! Guards that are left open: shared variables that only decide which way threads go have no values.
//!
//! Two threads that take the same lock, or look at what others write, depend on each other in every round of their loops, although what is
//! asserted may be about sums that have nothing to do with it. [`open`] leaves out the globals that threads share and whose values do not flow
//! into what is asserted, by assignments: nothing is assigned to them, what is computed from them is arbitrary, and so is the way that a branch on
//! them takes; nobody waits for them. (Farzan, Klumpp and Podelski, "Stratified Commutativity in Verification Algorithms for Concurrent Programs",
//! choose variables in view of a proof; here it is the form of the program that chooses.)
//!
//! Guarantee: every execution is still there, with other values of these variables. So a proof is one of the program. An error need not be one,
//! which the mark [`ir::Mark::Overapproximation`] says at the beginning.
//!
//! Cost: linear in the size of the code.

use crate::code::{Action, Node, assigned, values};
use crate::system::{System, contract};
use ir::{BinaryOp, Expr, ExprData, Mark, Program, Statement, StatementKind, Variable, VariableKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Leaves guards open; whether there were any. Requires that it is known how often threads are started.
pub(crate) fn open(program: &mut Program, system: &mut System) -> bool {
    // Where it is an error that threads meet or wait, nothing can be left out.
    if system.finds_deadlocks || ir::accesses::watches(program) {
        return false;
    }
    let variables = variables(program, system);
    if variables.is_empty() {
        return false;
    }
    for code in &mut system.codes {
        code.start = without(program, &variables, &code.start);
        for node in &mut code.nodes {
            match &node.action {
                Action::Step(statements) => {
                    node.action = Action::Step(without(program, &variables, statements));
                }
                Action::Branch(condition) if mentions(program, &variables, [*condition]) => {
                    node.action = Action::Goto;
                }
                _ => {}
            }
        }
    }
    mark(program, system);
    true
}

/// Begins the first thread with a statement that says that executions need not exist.
fn mark(program: &mut Program, system: &mut System) {
    let code = &mut system.codes[0];
    let (span, place) = (code.nodes[code.entry].span, code.nodes[code.entry].place);
    let kind = StatementKind::Assume(program.bool(true, span));
    let attributes = vec![Mark::Overapproximation.attribute(Vec::new())];
    let action = Action::Step(vec![Statement { kind, span, attributes }]);
    code.nodes.push(Node { action, span, next: vec![code.entry], place, accesses: Vec::new() });
    code.entry = code.nodes.len() - 1;
}

fn read(program: &Program, exprs: impl IntoIterator<Item = Expr>) -> Vec<Variable> {
    let parts = program.expressions.post_order(exprs);
    let variable = |part: Expr| match program.expressions[part] {
        ExprData::Variable(variable) | ExprData::Old(variable) => Some(variable),
        _ => None,
    };
    parts.into_iter().filter_map(variable).collect()
}

fn mentions(
    program: &Program,
    variables: &BTreeSet<Variable>,
    exprs: impl IntoIterator<Item = Expr>,
) -> bool {
    read(program, exprs).iter().any(|variable| variables.contains(variable))
}

/// The globals whose values are left out.
fn variables(program: &Program, system: &System) -> BTreeSet<Variable> {
    let mut flow = Flow { program, into: FxHashMap::default(), needed: Vec::new() };
    flow.needed.extend(read(program, program.variables.values().filter_map(|data| data.where_clause)));
    for code in &system.codes {
        flow.needed.extend(code.snapshots.iter().map(|&(_, global)| global));
        code.start.iter().for_each(|statement| flow.statement(statement));
        for node in &code.nodes {
            match &node.action {
                Action::Step(statements) => {
                    statements.iter().for_each(|statement| flow.statement(statement));
                }
                Action::Fork { thread, arguments, .. } => {
                    flow.needed.extend(read(program, thread.iter().chain(arguments).copied()));
                }
                Action::Join { thread, results } => {
                    flow.needed.extend(read(program, thread.iter().copied()));
                    // What is assigned here cannot be left out.
                    flow.needed.extend(results);
                }
                _ => {}
            }
        }
    }
    let needed = flow.closed();
    let is_shared = shared(program, system);
    let may_be_left_out = |global: &&Variable| !needed.contains(global) && is_shared.contains(global);
    program.globals.iter().filter(may_be_left_out).copied().collect()
}

/// What flows where.
struct Flow<'p> {
    program: &'p Program,
    /// What flows into a variable.
    into: FxHashMap<Variable, Vec<Variable>>,
    /// What an assertion, a contract, or the name of a thread needs.
    needed: Vec<Variable>,
}

impl Flow<'_> {
    fn statement(&mut self, statement: &Statement) {
        let program = self.program;
        match &statement.kind {
            StatementKind::Assign(assignments) => {
                for &(to, value) in assignments {
                    let from = read(program, [value]);
                    // An arbitrary value would keep to the `where` clause, which an assigned one need not do.
                    match program.variables[to].where_clause {
                        Some(_) => self.needed.extend(from),
                        None => self.into.entry(to).or_default().extend(from),
                    }
                }
            }
            StatementKind::Assert(_, condition) => self.needed.extend(read(program, [*condition])),
            StatementKind::Call { procedure, arguments, .. } => {
                let clauses = contract(program, *procedure);
                self.needed.extend(read(program, arguments.iter().copied().chain(clauses)));
                self.needed.extend(&program.procedures[*procedure].modifies);
                self.needed.extend(assigned(statement));
            }
            _ => {}
        }
    }

    fn closed(mut self) -> FxHashSet<Variable> {
        // The results of a thread are what a join assigns.
        let results =
            self.program.variables.iter().filter(|(_, data)| matches!(data.kind, VariableKind::Result(_)));
        self.needed.extend(results.map(|(variable, _)| variable));
        let mut closed: FxHashSet<Variable> = FxHashSet::default();
        while let Some(variable) = self.needed.pop() {
            if closed.insert(variable) {
                self.needed.extend(self.into.get(&variable).into_iter().flatten());
            }
        }
        closed
    }
}

/// The globals that one thread writes while another one may access them.
fn shared(program: &Program, system: &System) -> FxHashSet<Variable> {
    let alone = system.before_forks();
    let mut users: FxHashMap<Variable, BTreeSet<usize>> = FxHashMap::default();
    let mut written: FxHashSet<Variable> = FxHashSet::default();
    for (code, data) in system.codes.iter().enumerate() {
        for (number, node) in data.nodes.iter().enumerate() {
            if code == 0 && alone[number] {
                continue;
            }
            let mut used = Vec::new();
            match &node.action {
                Action::Step(statements) => {
                    for statement in statements {
                        used.extend(read(program, values(&statement.kind)));
                        let targets = assigned(statement);
                        used.extend(&targets);
                        written.extend(targets);
                    }
                }
                Action::Branch(condition) => used.extend(read(program, [*condition])),
                _ => {}
            }
            for variable in used {
                users.entry(variable).or_default().insert(code);
            }
        }
    }
    let several = |code: usize| {
        let pools = system.pools.iter().filter(|pool| pool.code == code);
        pools.map(|pool| pool.slots + usize::from(pool.scarce)).sum::<usize>() > 1
    };
    let by_several = |variable: &Variable| {
        users.get(variable).is_some_and(|codes| codes.len() > 1 || codes.iter().any(|&code| several(code)))
    };
    written.into_iter().filter(by_several).collect()
}

/// Statements that know nothing of the variables.
fn without(
    program: &mut Program,
    variables: &BTreeSet<Variable>,
    statements: &[Statement],
) -> Vec<Statement> {
    let mut kept = Vec::new();
    for statement in statements {
        let Statement { kind, span, attributes } = statement;
        let span = *span;
        let mut keep = |kind: StatementKind| {
            kept.push(Statement { kind, span, attributes: attributes.clone() });
        };
        match kind {
            StatementKind::Assign(assignments) => {
                let assignments = assignments.iter().filter(|(to, _)| !variables.contains(to));
                let (arbitrary, known): (Vec<_>, Vec<_>) =
                    assignments.copied().partition(|&(_, value)| mentions(program, variables, [value]));
                if !known.is_empty() {
                    keep(StatementKind::Assign(known));
                }
                if !arbitrary.is_empty() {
                    keep(StatementKind::Havoc(arbitrary.into_iter().map(|(to, _)| to).collect()));
                }
            }
            StatementKind::Havoc(havocked) => {
                let havocked: Vec<Variable> =
                    havocked.iter().copied().filter(|variable| !variables.contains(variable)).collect();
                if !havocked.is_empty() {
                    keep(StatementKind::Havoc(havocked));
                }
            }
            StatementKind::Assume(condition) if mentions(program, variables, [*condition]) => {
                let mut parts = conjuncts(program, *condition);
                parts.retain(|&part| !mentions(program, variables, [part]));
                if !parts.is_empty() {
                    keep(StatementKind::Assume(program.and(parts, span)));
                }
            }
            kind => keep(kind.clone()),
        }
    }
    kept
}

/// The parts of a conjunction.
fn conjuncts(program: &Program, condition: Expr) -> Vec<Expr> {
    let mut parts = Vec::new();
    let mut pending = vec![condition];
    while let Some(expr) = pending.pop() {
        match program.expressions[expr] {
            ExprData::Binary(BinaryOp::And, left, right) => pending.extend([right, left]),
            _ => parts.push(expr),
        }
    }
    parts
}
