//! One thread of a program, whichever it is, watched by itself.
//!
//! Calls and returns of several threads are not nested in each other, but those of each thread are. So a formula of CaRet about a program with threads is one about the positions of every thread:
//! the calls and returns that it makes, and its end. An execution chooses the thread that is watched: the first one where it begins, another one where that is forked. Every procedure has a twin, which does
//! the same and tells of nothing; threads that are not watched run twins. So the state of the automaton is moved by one thread only, and what calls keep for their returns is in
//! variables of that thread.

use super::wrappers::{variables, wrapper};
use super::{EVENT, KEEP, SENSE, WHEN};
use crate::observer::Event;
use crate::splice::renamed;
use base::{EntityRef, Span};
use ir::{
    Block, BlockData, Body, Boundary, Expr, Procedure, ProcedureData, Program, Statement, StatementKind,
    Transfer, Type, UnaryOp, Variable, VariableKind,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Whether a thread is watched already.
const CHOSEN: &str = "__unreach_obs_chosen";

/// Lets a program choose the thread that is watched. `exit` is the event of a thread's end, and `main` the function that a program begins with behind what
/// makes its variables ready. What new variables are copies of.
pub fn watch_one_thread(
    program: &mut Program,
    exit: Option<Event>,
    main: Option<Procedure>,
) -> FxHashMap<Variable, Variable> {
    let entries = program.entries();
    let span = entries.first().map_or_else(super::nowhere, |&entry| program.procedures[entry].span);
    let chosen = program.new_variable(CHOSEN, Type::BOOL, VariableKind::Global, span);
    program.globals.push(chosen);
    let sense = exit.and_then(|exit| program.procedure(&format!("{SENSE}{}", exit.index())));
    let mut twins = Twins {
        program,
        chosen,
        sense,
        of: BTreeMap::new(),
        runners: BTreeMap::new(),
        copies: FxHashMap::default(),
    };
    twins.make();
    let own: Vec<Procedure> = twins.of.keys().copied().collect();
    for procedure in own {
        twins.fork_twins(procedure);
        twins.choose_at_forks(twins.of[&procedure]);
    }
    if let (Some(main), Some(sense)) = (main, sense) {
        for &entry in &entries {
            twins.behind_main(entry, main, sense);
        }
    }
    let first = entries.iter().map(|&entry| twins.choose_first(entry, main.is_none())).collect();
    let Twins { program, copies, .. } = twins;
    program.chosen = Some(first);
    copies
}

struct Twins<'p> {
    program: &'p mut Program,
    chosen: Variable,
    /// What happens at the end of a thread.
    sense: Option<Procedure>,
    /// The twins of procedures.
    of: BTreeMap<Procedure, Procedure>,
    /// What threads that are watched begin with.
    runners: BTreeMap<Procedure, Procedure>,
    copies: FxHashMap<Variable, Variable>,
}

fn statement(kind: StatementKind, span: Span) -> Statement {
    Statement { kind, span, attributes: Vec::new() }
}

fn call(procedure: Procedure, span: Span) -> Statement {
    statement(StatementKind::Call { procedure, arguments: Vec::new(), results: Vec::new() }, span)
}

impl Twins<'_> {
    /// A twin for each procedure of the program and for what stands in for one.
    fn make(&mut self) {
        let tells =
            |data: &ProcedureData| [EVENT, WHEN, SENSE, KEEP].iter().any(|it| data.name.starts_with(it));
        let has_twin = |data: &ProcedureData| data.body.is_some() && !tells(data);
        let own: Vec<Procedure> =
            self.program.procedures.iter().filter(|(_, data)| has_twin(data)).map(|(it, _)| it).collect();
        for &procedure in &own {
            let mut twin = self.program.procedures[procedure].clone();
            twin.name = format!("{}#alone", twin.name);
            let twin = self.program.procedures.push(twin);
            self.of.insert(procedure, twin);
        }
        for procedure in own {
            self.fill(procedure);
        }
    }

    /// Gives a twin its variables and its body, which tells of nothing and calls twins.
    fn fill(&mut self, procedure: Procedure) {
        let twin = self.of[&procedure];
        let body = self.program.procedures[procedure].body.as_ref();
        let locals: Vec<Variable> = body.map_or_else(Vec::new, |body| body.locals.clone());
        let (renaming, [parameters, results, locals]) =
            variables(self.program, (procedure, &locals), twin, &mut self.copies);
        let mut data = self.program.procedures[twin].clone();
        (data.parameters, data.results) = (parameters, results);
        for clause in data.requires.iter_mut().chain(&mut data.ensures) {
            clause.condition = self.program.rename(clause.condition, &renaming);
        }
        if let Some(body) = &mut data.body {
            body.locals = locals;
            for block in body.blocks.values_mut() {
                let mut statements = Vec::with_capacity(block.statements.len());
                for one in &block.statements {
                    let mut copy = renamed(self.program, one, &renaming, one.span);
                    if let StatementKind::Call { procedure, .. } = &mut copy.kind {
                        let name = &self.program.procedures[*procedure].name;
                        if [EVENT, WHEN].iter().any(|it| name.starts_with(it)) {
                            continue;
                        }
                        *procedure = self.of.get(procedure).copied().unwrap_or(*procedure);
                    }
                    statements.push(copy);
                }
                block.statements = statements;
                if let Transfer::Branch { condition, .. } = &mut block.transfer {
                    *condition = self.program.rename(*condition, &renaming);
                }
            }
        }
        self.program.procedures[twin] = data;
    }

    /// A thread that is watched forks twins.
    fn fork_twins(&mut self, procedure: Procedure) {
        let body = self.program.procedures[procedure].body.iter_mut();
        for one in body.flat_map(|body| body.blocks.values_mut()).flat_map(|block| &mut block.statements) {
            if let StatementKind::Fork { procedure, .. } = &mut one.kind {
                *procedure = self.of.get(procedure).copied().unwrap_or(*procedure);
            }
        }
    }

    /// A thread that is not watched may fork the one that is.
    fn choose_at_forks(&mut self, twin: Procedure) {
        let Some(mut body) = self.program.procedures[twin].body.take() else { return };
        let mut pending: Vec<Block> = body.blocks.keys().collect();
        while let Some(block) = pending.pop() {
            let forked = |one: &Statement| match &one.kind {
                StatementKind::Fork { procedure, .. } => self.of.get(procedure).copied(),
                _ => None,
            };
            let found = body.blocks[block].statements.iter().enumerate();
            let Some((index, other)) = found.filter_map(|(at, one)| Some((at, forked(one)?))).next() else {
                continue;
            };
            let rest = body.blocks[block].statements.split_off(index + 1);
            let Some(fork) = body.blocks[block].statements.pop() else { continue };
            let span = fork.span;
            let transfer = std::mem::replace(&mut body.blocks[block].transfer, Transfer::Return);
            let transfer_span = std::mem::replace(&mut body.blocks[block].transfer_span, span);
            let mut new = |statements: Vec<Statement>, transfer: Transfer, transfer_span: Span| {
                let label = format!("threads#{}", body.blocks.len());
                body.blocks.push(BlockData { label, statements, transfer, transfer_span })
            };
            let after = new(rest, transfer, transfer_span);
            let (mut watched, mut alone) = (fork.clone(), fork);
            if let StatementKind::Fork { procedure, .. } = &mut watched.kind {
                *procedure = self.runner(*procedure);
            }
            if let StatementKind::Fork { procedure, .. } = &mut alone.kind {
                *procedure = other;
            }
            let mut choice = self.choice(span);
            choice.push(watched);
            let ways = [choice, vec![alone]].map(|way| new(way, Transfer::Goto(vec![after]), span));
            body.blocks[block].transfer = Transfer::Goto(ways.to_vec());
            pending.push(after);
        }
        self.program.procedures[twin].body = Some(body);
    }

    /// No thread is watched yet, but one is now.
    fn choice(&mut self, span: Span) -> Vec<Statement> {
        let chosen = self.program.variable(self.chosen, span);
        let open = self.program.unary(UnaryOp::Not, chosen, span);
        let yes = self.program.bool(true, span);
        let kinds = [
            StatementKind::Atomic(Boundary::Begin),
            StatementKind::Assume(open),
            StatementKind::Assign(vec![(self.chosen, yes)]),
            StatementKind::Atomic(Boundary::End),
        ];
        kinds.map(|kind| statement(kind, span)).to_vec()
    }

    /// What a thread that is watched begins with: a procedure, and then the end of the thread.
    fn runner(&mut self, procedure: Procedure) -> Procedure {
        let Some(sense) = self.sense else { return procedure };
        if let Some(&runner) = self.runners.get(&procedure) {
            return runner;
        }
        let runner = wrapper(self.program, procedure, "watched", &mut self.copies);
        let span = self.program.procedures[procedure].span;
        let data = &self.program.procedures[runner];
        let (parameters, results) = (data.parameters.clone(), data.results.clone());
        let arguments: Vec<Expr> = parameters.iter().map(|&it| self.program.variable(it, span)).collect();
        let first = statement(StatementKind::Call { procedure, arguments, results }, span);
        let block = BlockData {
            label: "thread".to_owned(),
            statements: vec![first, call(sense, span)],
            transfer: Transfer::Return,
            transfer_span: span,
        };
        let body = Body { locals: Vec::new(), blocks: [block].into_iter().collect() };
        self.program.procedures[runner].body = Some(body);
        self.runners.insert(procedure, runner);
        runner
    }

    /// The end of the first thread is where `main` returns.
    fn behind_main(&mut self, entry: Procedure, main: Procedure, sense: Procedure) {
        let span = self.program.procedures[main].span;
        let body = self.program.procedures[entry].body.iter_mut();
        for block in body.flat_map(|body| body.blocks.values_mut()) {
            let is_main = |one: &Statement| matches!(one.kind, StatementKind::Call { procedure, .. } if procedure == main);
            if let Some(index) = block.statements.iter().position(is_main) {
                block.statements.insert(index + 1, call(sense, span));
            }
        }
    }

    /// What executions begin with: the first thread is watched, or it is not.
    fn choose_first(&mut self, entry: Procedure, tells_end: bool) -> Procedure {
        let first = wrapper(self.program, entry, "run", &mut self.copies);
        let span = self.program.procedures[entry].span;
        let data = &self.program.procedures[first];
        let (parameters, results) = (data.parameters.clone(), data.results.clone());
        let way = |twins: &mut Self, procedure: Procedure, watched: bool| {
            let value = twins.program.bool(watched, span);
            let arguments = parameters.iter().map(|&it| twins.program.variable(it, span)).collect();
            let kind = StatementKind::Call { procedure, arguments, results: results.clone() };
            vec![statement(StatementKind::Assign(vec![(twins.chosen, value)]), span), statement(kind, span)]
        };
        let mut watched = way(self, entry, true);
        watched.extend(self.sense.filter(|_| tells_end).map(|sense| call(sense, span)));
        let alone = way(self, self.of[&entry], false);
        let ways = Transfer::Goto(vec![Block::new(1), Block::new(2)]);
        let block = |label: &str, statements, transfer| BlockData {
            label: label.to_owned(),
            statements,
            transfer,
            transfer_span: span,
        };
        let blocks = [
            block("run", Vec::new(), ways),
            block("watched", watched, Transfer::Return),
            block("alone", alone, Transfer::Return),
        ];
        let body = Body { locals: Vec::new(), blocks: blocks.into_iter().collect() };
        self.program.procedures[first].body = Some(body);
        first
    }
}
