//! Which variables of a procedure still matter at a place: live variables, backward over the blocks of its body.
//!
//! A variable that is not live may have any value, so nothing is tried for it, and states that differ only there are
//! one. Globals always count as live, since callees and callers may read them. Costs blocks × rounds of the fixpoint.

use base::{EntitySet, SecondaryMap};
use ir::{
    Block, Body, Expr, ExprData, Procedure, ProcedureData, Program, Statement, StatementKind, Transfer,
    Variable, VariableKind,
};

/// The parameters, results and locals that are live before each statement and transfer of a block.
#[derive(Clone)]
pub struct Liveness<'p> {
    program: &'p Program,
    at_end: SecondaryMap<Block, EntitySet<Variable>>,
}

impl<'p> Liveness<'p> {
    /// Of the body of a procedure.
    pub fn new(program: &'p Program, procedure: Procedure, body: &Body) -> Liveness<'p> {
        let data = &program.procedures[procedure];
        let mut liveness = Liveness { program, at_end: SecondaryMap::new() };
        let mut at_start: SecondaryMap<Block, EntitySet<Variable>> = SecondaryMap::new();
        let mut changed = true;
        while changed {
            changed = false;
            for block in body.blocks.keys().rev() {
                let mut live = liveness.at_transfer(data, body, block, &at_start);
                liveness.at_end[block] = live.clone();
                for statement in body.blocks[block].statements.iter().rev() {
                    liveness.before(statement, &mut live);
                }
                for variable in live.iter() {
                    changed |= at_start[block].insert(variable);
                }
            }
        }
        liveness
    }

    fn at_transfer(
        &self,
        data: &ProcedureData,
        body: &Body,
        block: Block,
        at_start: &SecondaryMap<Block, EntitySet<Variable>>,
    ) -> EntitySet<Variable> {
        let transfer = &body.blocks[block].transfer;
        let mut live = EntitySet::new();
        for next in transfer.successors() {
            for variable in at_start[next].iter() {
                live.insert(variable);
            }
        }
        match transfer {
            Transfer::Branch { condition, .. } => self.read(*condition, &mut live),
            Transfer::Return => {
                for &result in &data.results {
                    live.insert(result);
                }
                for ensures in &data.ensures {
                    self.read(ensures.condition, &mut live);
                }
            }
            Transfer::Goto(_) => {}
        }
        live
    }

    /// From what is live behind a statement to what is live before it.
    fn before(&self, statement: &Statement, live: &mut EntitySet<Variable>) {
        match &statement.kind {
            StatementKind::Assign(assignments) => {
                let used: Vec<Expr> = assignments
                    .iter()
                    .filter(|(variable, _)| live.contains(*variable) || !self.is_own(*variable))
                    .map(|&(_, value)| value)
                    .collect();
                for (variable, _) in assignments {
                    live.remove(*variable);
                }
                for value in used {
                    self.read(value, live);
                }
            }
            StatementKind::Havoc(variables) => {
                for &variable in variables {
                    live.remove(variable);
                }
                for &variable in variables {
                    if let Some(clause) = self.program.variables[variable].where_clause {
                        self.read(clause, live);
                    }
                }
            }
            StatementKind::Assume(condition) | StatementKind::Assert(_, condition) => {
                self.read(*condition, live)
            }
            StatementKind::Call { arguments, results, .. } => {
                for &result in results {
                    live.remove(result);
                }
                for &argument in arguments {
                    self.read(argument, live);
                }
            }
            StatementKind::Fork { thread, arguments, .. } => {
                for &value in thread.iter().chain(arguments) {
                    self.read(value, live);
                }
            }
            StatementKind::Join { thread, results } => {
                for &result in results {
                    live.remove(result);
                }
                for &value in thread {
                    self.read(value, live);
                }
            }
            StatementKind::Atomic(_) => {}
        }
    }

    /// Does the variable belong to a procedure?
    fn is_own(&self, variable: Variable) -> bool {
        matches!(
            self.program.variables[variable].kind,
            VariableKind::Parameter(_) | VariableKind::Result(_) | VariableKind::Local(_)
        )
    }

    fn read(&self, expr: Expr, live: &mut EntitySet<Variable>) {
        for part in self.program.expressions.post_order([expr]) {
            if let ExprData::Variable(variable) = self.program.expressions[part]
                && self.is_own(variable)
            {
                live.insert(variable);
            }
        }
    }

    /// What is live before each statement of a block, and before its transfer.
    pub fn of_block(&self, body: &Body, block: Block) -> Vec<EntitySet<Variable>> {
        let mut live = self.at_end[block].clone();
        let mut places = vec![live.clone()];
        for statement in body.blocks[block].statements.iter().rev() {
            self.before(statement, &mut live);
            places.push(live.clone());
        }
        places.reverse();
        places
    }
}
