//! Calling what happens at events that are no calls: assignments, labels and the end of the program.

use super::wrappers::at_last_end;
use super::{Maker, NotPlaced, Places, SENSE};
use crate::observer::Event;
use base::{EntityRef, Span};
use ir::{Boundary, Procedure, Program, Statement, StatementKind, Transfer, Variable, VariableKind};
use rustc_hash::{FxHashMap, FxHashSet};

impl Maker<'_> {
    fn call_of(&self, name: &str, span: Span) -> Option<Statement> {
        let procedure = self.program.procedure(name)?;
        let kind = StatementKind::Call { procedure, arguments: Vec::new(), results: Vec::new() };
        Some(Statement { kind, span, attributes: Vec::new() })
    }

    /// What happens at assignments to variables.
    pub(super) fn at_assignments(
        &mut self,
        event: Event,
        places: &Places,
        added: &FxHashSet<Procedure>,
    ) -> Result<(), NotPlaced> {
        let watched: FxHashSet<Variable> =
            places.assigned.get(&event).into_iter().flatten().copied().collect();
        let sense = format!("{SENSE}{}", event.index());
        let by_contract: FxHashSet<Procedure> = self
            .program
            .procedures
            .iter()
            .filter(|(_, data)| data.body.is_none() && data.modifies.iter().any(|it| watched.contains(it)))
            .map(|(procedure, _)| procedure)
            .collect();
        let all: Vec<Procedure> = self.program.procedures.keys().filter(|id| !added.contains(id)).collect();
        for procedure in all {
            // The first values of a C program's variables are no assignments.
            if places.main.is_some() && self.program.procedures[procedure].name == ir::program::START {
                continue;
            }
            let Some(mut body) = self.program.procedures[procedure].body.take() else { continue };
            for block in body.blocks.values_mut() {
                let mut statements = Vec::with_capacity(block.statements.len());
                for statement in std::mem::take(&mut block.statements) {
                    let sets = match &statement.kind {
                        StatementKind::Assign(pairs) => pairs.iter().any(|(it, _)| watched.contains(it)),
                        StatementKind::Havoc(variables) => variables.iter().any(|it| watched.contains(it)),
                        StatementKind::Call { procedure, results, .. } => {
                            by_contract.contains(procedure) || results.iter().any(|it| watched.contains(it))
                        }
                        StatementKind::Join { results, .. } => results.iter().any(|it| watched.contains(it)),
                        _ => false,
                    };
                    let span = statement.span;
                    let Some(told) = self.call_of(&sense, span).filter(|_| sets) else {
                        statements.push(statement);
                        continue;
                    };
                    if !self.threads {
                        statements.extend([statement, told]);
                        continue;
                    }
                    let is_step = match &statement.kind {
                        StatementKind::Call { procedure, .. } => {
                            self.program.procedures[*procedure].body.is_none()
                        }
                        _ => true,
                    };
                    if !is_step {
                        let what =
                            "an assignment of the result of a call as an event, in a program with threads";
                        return Err(NotPlaced::Unsupported(what.to_owned()));
                    }
                    let boundary = |kind| {
                        let kind = StatementKind::Atomic(kind);
                        Statement { kind, span, attributes: Vec::new() }
                    };
                    statements.extend([boundary(Boundary::Begin), statement, told, boundary(Boundary::End)]);
                }
                block.statements = statements;
            }
            self.program.procedures[procedure].body = Some(body);
        }
        Ok(())
    }

    /// What happens at a label.
    pub(super) fn at_labels(&mut self, event: Event, name: &str) {
        let sense = format!("{SENSE}{}", event.index());
        let all: Vec<Procedure> = self.program.procedures.keys().collect();
        for procedure in all {
            let Some(mut body) = self.program.procedures[procedure].body.take() else { continue };
            for block in body.blocks.values_mut().filter(|block| block.label == name) {
                let first = block.statements.first().map_or(block.transfer_span, |statement| statement.span);
                if let Some(call) = self.call_of(&sense, first) {
                    block.statements.insert(0, call);
                }
            }
            self.program.procedures[procedure].body = Some(body);
        }
    }

    /// What happens at the end of the program; the procedures that executions begin with.
    pub(super) fn at_exit(
        &mut self,
        event: Event,
        entries: &[Procedure],
        main: Option<Procedure>,
    ) -> Vec<Procedure> {
        let sense = format!("{SENSE}{}", event.index());
        if let Some(main) = main {
            for &entry in entries {
                let Some(mut body) = self.program.procedures[entry].body.take() else { continue };
                for block in body.blocks.values_mut() {
                    let is_main = |statement: &Statement| matches!(statement.kind, StatementKind::Call { procedure, .. } if procedure == main);
                    if let Some(index) = block.statements.iter().position(is_main) {
                        let call = self.call_of(&sense, self.program.procedures[main].span);
                        block.statements.splice(index + 1..index + 1, call);
                    }
                }
                self.program.procedures[entry].body = Some(body);
            }
            return entries.to_vec();
        }
        if self.threads {
            let tail: Vec<Statement> = self.call_of(&sense, self.span).into_iter().collect();
            return at_last_end(self.program, entries, &tail);
        }
        entries.iter().map(|&entry| self.run_of(entry, &sense)).collect()
    }

    /// A procedure that calls another one, which may be called by others as well, and then ends the program.
    fn run_of(&mut self, entry: Procedure, sense: &str) -> Procedure {
        let data = self.program.procedures[entry].clone();
        let span = data.span;
        let run = self.program.procedures.push(ir::ProcedureData::named(format!("{}#run", data.name), span));
        let mut renaming = FxHashMap::default();
        let mut copy = |program: &mut Program, variable: Variable, kind: VariableKind| {
            let original = program.variables[variable].clone();
            let own = program.new_variable(original.name, original.ty, kind, original.span);
            renaming.insert(variable, own);
            own
        };
        let parameters: Vec<Variable> = data
            .parameters
            .iter()
            .map(|&parameter| copy(self.program, parameter, VariableKind::Parameter(run)))
            .collect();
        let results: Vec<Variable> =
            data.results.iter().map(|&result| copy(self.program, result, VariableKind::Local(run))).collect();
        for &parameter in &data.parameters {
            if let Some(clause) = self.program.variables[parameter].where_clause {
                let clause = self.program.rename(clause, &renaming);
                self.program.variables[renaming[&parameter]].where_clause = Some(clause);
            }
        }
        let mut requires = data.requires.clone();
        for clause in &mut requires {
            clause.condition = self.program.rename(clause.condition, &renaming);
        }
        let arguments = parameters.iter().map(|&it| self.program.variable(it, span)).collect();
        let kind = StatementKind::Call { procedure: entry, arguments, results: results.clone() };
        let mut statements = vec![Statement { kind, span, attributes: Vec::new() }];
        statements.extend(self.call_of(sense, span));
        let block = ir::BlockData {
            label: "run".to_owned(),
            statements,
            transfer: Transfer::Return,
            transfer_span: span,
        };
        let own = &mut self.program.procedures[run];
        own.parameters = parameters;
        own.requires = requires;
        own.modifies = data.modifies;
        own.body = Some(ir::Body { locals: results, blocks: [block].into_iter().collect() });
        run
    }
}
