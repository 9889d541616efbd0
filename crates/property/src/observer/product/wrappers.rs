//! Procedures that call another one and then do something more, for the ends of threads.

use super::STAND_IN;
use crate::splice::Renaming;
use base::{EntityRef, Span};
use ir::{
    BinaryOp, Block, BlockData, Body, Boundary, Procedure, ProcedureData, Program, Statement, StatementKind,
    Transfer, Type, Variable, VariableKind,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How many threads have not ended.
const LIVE: &str = "__unreach_obs_live";

/// The variables of another procedure for those of one: its parameters, its results and these other ones.
pub(super) fn variables(
    program: &mut Program,
    (of, locals): (Procedure, &[Variable]),
    to: Procedure,
    known: &mut FxHashMap<Variable, Variable>,
) -> (Renaming, [Vec<Variable>; 3]) {
    let data = program.procedures[of].clone();
    let mut renaming = Renaming::default();
    let mut lists = [Vec::new(), Vec::new(), Vec::new()];
    let kinds = [VariableKind::Parameter(to), VariableKind::Result(to), VariableKind::Local(to)];
    let all = [&data.parameters[..], &data.results[..], locals];
    for ((list, kind), copies) in all.into_iter().zip(kinds).zip(&mut lists) {
        for &variable in list {
            let mut copy = program.variables[variable].clone();
            copy.kind = kind;
            let copy = program.variables.push(copy);
            known.insert(copy, variable);
            renaming.insert(variable, copy);
            copies.push(copy);
        }
    }
    for variable in all.into_iter().flatten() {
        if let Some(clause) = program.variables[*variable].where_clause {
            let clause = program.rename(clause, &renaming);
            program.variables[renaming[variable]].where_clause = Some(clause);
        }
    }
    (renaming, lists)
}

/// A procedure without a body that takes and gives what another one does.
pub(super) fn wrapper(
    program: &mut Program,
    procedure: Procedure,
    what: &str,
    known: &mut FxHashMap<Variable, Variable>,
) -> Procedure {
    let data = program.procedures[procedure].clone();
    // It stays a procedure, as a thread begins with it.
    let name = format!("{}#{what}", data.name.trim_start_matches(STAND_IN));
    let wrapper = program.procedures.push(ProcedureData::named(name, data.span));
    let (renaming, [parameters, results, _]) = variables(program, (procedure, &[]), wrapper, known);
    let mut requires = data.requires;
    for clause in &mut requires {
        clause.condition = program.rename(clause.condition, &renaming);
    }
    let own = &mut program.procedures[wrapper];
    (own.parameters, own.results) = (parameters, results);
    (own.requires, own.modifies) = (requires, data.modifies);
    wrapper
}

/// Does something where the last thread of a program ends; the procedures that executions begin with then. Threads are counted.
pub(super) fn at_last_end(
    program: &mut Program,
    entries: &[Procedure],
    tail: &[Statement],
) -> Vec<Procedure> {
    let span = entries.first().map_or_else(super::nowhere, |&entry| program.procedures[entry].span);
    let live = program.new_variable(LIVE, Type::INT, VariableKind::Global, span);
    program.globals.push(live);
    let mut ends = Ends { program, live, tail, counted: BTreeMap::new() };
    let all: Vec<Procedure> = ends.program.procedures.keys().collect();
    for procedure in all {
        ends.count_forks(procedure);
    }
    entries.iter().map(|&entry| ends.counted(entry, true)).collect()
}

struct Ends<'p> {
    program: &'p mut Program,
    live: Variable,
    tail: &'p [Statement],
    /// What threads begin with instead of a procedure.
    counted: BTreeMap<Procedure, Procedure>,
}

fn statement(kind: StatementKind, span: Span) -> Statement {
    Statement { kind, span, attributes: Vec::new() }
}

impl Ends<'_> {
    /// The number of threads changes.
    fn change(&mut self, op: BinaryOp, span: Span) -> Statement {
        let (live, one) = (self.program.variable(self.live, span), self.program.int(1, span));
        let value = self.program.binary(op, live, one, span);
        statement(StatementKind::Assign(vec![(self.live, value)]), span)
    }

    /// There is one thread more before it begins: so the number is never too small.
    fn count_forks(&mut self, procedure: Procedure) {
        let Some(mut body) = self.program.procedures[procedure].body.take() else { return };
        for block in body.blocks.values_mut() {
            let mut statements = Vec::with_capacity(block.statements.len());
            for mut one in std::mem::take(&mut block.statements) {
                let span = one.span;
                if let StatementKind::Fork { procedure, .. } = &mut one.kind {
                    // Its own body is not there at the moment, but its variables are.
                    *procedure = self.counted(*procedure, false);
                    statements.push(self.change(BinaryOp::Add, span));
                }
                statements.push(one);
            }
            block.statements = statements;
        }
        self.program.procedures[procedure].body = Some(body);
    }

    /// A procedure that calls another one, and then counts that its thread has ended. The first one begins to count.
    fn counted(&mut self, procedure: Procedure, is_first: bool) -> Procedure {
        if let Some(&known) = self.counted.get(&procedure).filter(|_| !is_first) {
            return known;
        }
        let span = self.program.procedures[procedure].span;
        let what = if is_first { "run" } else { "thread" };
        let own = wrapper(self.program, procedure, what, &mut FxHashMap::default());
        let is_last = self.program.new_variable("last#", Type::BOOL, VariableKind::Local(own), span);
        let data = &self.program.procedures[own];
        let (parameters, results) = (data.parameters.clone(), data.results.clone());
        let one = self.program.int(1, span);
        let begin = StatementKind::Assign(vec![(self.live, one)]);
        let arguments = parameters.iter().map(|&it| self.program.variable(it, span)).collect();
        let (live, zero) = (self.program.variable(self.live, span), self.program.int(0, span));
        let over = self.program.equal(live, zero, span);
        let mut statements: Vec<Statement> = is_first.then(|| statement(begin, span)).into_iter().collect();
        statements.push(statement(StatementKind::Call { procedure, arguments, results }, span));
        statements.push(statement(StatementKind::Atomic(Boundary::Begin), span));
        statements.push(self.change(BinaryOp::Subtract, span));
        statements.push(statement(StatementKind::Assign(vec![(is_last, over)]), span));
        statements.push(statement(StatementKind::Atomic(Boundary::End), span));
        let condition = self.program.variable(is_last, span);
        let ways = Transfer::Branch { condition, then: Block::new(1), otherwise: Block::new(2) };
        let block = |label: &str, statements, transfer| BlockData {
            label: label.to_owned(),
            statements,
            transfer,
            transfer_span: span,
        };
        let blocks = [
            block("thread", statements, ways),
            block("last", self.tail.to_vec(), Transfer::Return),
            block("others", Vec::new(), Transfer::Return),
        ];
        let body = Body { locals: vec![is_last], blocks: blocks.into_iter().collect() };
        self.program.procedures[own].body = Some(body);
        if !is_first {
            self.counted.insert(procedure, own);
        }
        own
    }
}
