//! Which variables of a thread matter where it stops.
//!
//! A variable whose value nobody looks at before it gets another one is *dead*. Dead integers of tracked threads are set to 0 where they stop: that changes
//! nothing for the thread, and states that differ in them only become one. So a variable that gets few values has few values, also before it gets the first.

use crate::code::{Action, Code, assigned, values};
use crate::system::{System, contract};
use ir::{Expr, ExprData, Program, Statement, StatementKind, Type, Variable};
use rustc_hash::FxHashSet;

/// For every node of a code the variables that are live there.
pub(super) struct Liveness {
    before: Vec<FxHashSet<Variable>>,
}

impl Liveness {
    pub(super) fn of(program: &Program, system: &System, code: usize) -> Liveness {
        let data = &system.codes[code];
        let mut before: Vec<FxHashSet<Variable>> = vec![FxHashSet::default(); data.nodes.len()];
        loop {
            let mut changed = false;
            for node in (0..data.nodes.len()).rev() {
                let mut live: FxHashSet<Variable> = FxHashSet::default();
                for &next in &data.nodes[node].next {
                    live.extend(&before[next]);
                }
                step(program, data, node, &mut live);
                if live.len() > before[node].len() {
                    before[node] = live;
                    changed = true;
                }
            }
            if !changed {
                return Liveness { before };
            }
        }
    }

    /// Of these variables, the integers without a `where` clause that are dead at a node.
    pub(super) fn dead(&self, program: &Program, node: usize, variables: &[Variable]) -> Vec<Variable> {
        let is_dead = |variable: &Variable| !self.before[node].contains(variable);
        variables.iter().copied().filter(|&v| may_be_reset(program, v)).filter(is_dead).collect()
    }
}

/// Whether a variable may be 0.
pub(super) fn may_be_reset(program: &Program, variable: Variable) -> bool {
    let data = &program.variables[variable];
    data.ty == Type::INT && data.where_clause.is_none()
}

/// From what is live behind a node to what is live before it.
fn step(program: &Program, code: &Code, node: usize, live: &mut FxHashSet<Variable>) {
    match &code.nodes[node].action {
        Action::Step(statements) => statements.iter().rev().for_each(|it| statement(program, it, live)),
        Action::Branch(condition) => read(program, [*condition], live),
        Action::Fork { thread, arguments, .. } => {
            read(program, thread.iter().chain(arguments).copied(), live);
        }
        Action::Join { thread, results } => {
            results.iter().for_each(|result| {
                live.remove(result);
            });
            read(program, thread.iter().copied(), live);
        }
        // Whoever joins the thread takes its results.
        Action::End => live.extend(&program.procedures[code.procedure].results),
        Action::Goto | Action::Atomic(_) => {}
    }
}

fn statement(program: &Program, statement: &Statement, live: &mut FxHashSet<Variable>) {
    for variable in assigned(statement) {
        live.remove(&variable);
    }
    read(program, values(&statement.kind), live);
    if let StatementKind::Call { procedure, .. } = &statement.kind {
        read(program, contract(program, *procedure), live);
    }
}

fn read(program: &Program, exprs: impl IntoIterator<Item = Expr>, live: &mut FxHashSet<Variable>) {
    for part in program.expressions.post_order(exprs) {
        if let ExprData::Variable(variable) | ExprData::Old(variable) = program.expressions[part] {
            live.insert(variable);
        }
    }
}
