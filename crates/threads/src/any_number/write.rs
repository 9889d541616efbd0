//! The recursive procedure as blocks.

use super::fragments::{Piece, PieceStep, Pieces, Target, is_end};
use super::liveness::{Liveness, may_be_reset};
use super::tallies::Tallies;
use super::{Layout, Plan, State, Thread};
use crate::code::{Action, Coder, attributes};
use crate::system::System;
use base::{PrimaryMap, Span};
use ir::{
    AssertKind, BinaryOp, Block, BlockData, Body, Expr, Mark, Procedure, Program, Statement, StatementKind,
    Transfer, Variable, VariableKind,
};
use rustc_hash::FxHashMap;

/// The value of a thread's control variable while it sleeps. Threads that are over and are not awaited sleep again.
pub(super) const ASLEEP: usize = 0;

/// The values of control variables.
pub(super) struct Stops {
    /// For the first thread, the number of a stop by its node.
    pub(super) first: FxHashMap<usize, usize>,
    /// For a thread of a pool.
    pub(super) others: FxHashMap<(usize, usize), usize>,
    /// For a pool that is awaited: its thread is over.
    pub(super) over: FxHashMap<usize, usize>,
    /// The pools that are told apart: those that run the same code and are not awaited have the same places.
    pub(super) kinds: Vec<usize>,
}

/// Who takes a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Who {
    First,
    /// A tracked thread, by its number.
    Tracked(usize),
    /// One that is not tracked.
    Other,
}

/// A thread that takes a step.
struct Role {
    who: Who,
    /// The pool that it belongs to.
    pool: Option<usize>,
    code: usize,
    control: Variable,
    /// The place at which the piece began.
    from: usize,
    /// Where its variables and the globals are.
    renaming: FxHashMap<Variable, Variable>,
}

struct Writer<'a, 'c> {
    coder: &'a mut Coder<'c>,
    system: &'a System,
    layout: Layout,
    stops: Stops,
    tallies: Tallies,
    /// What is live where, for every code.
    liveness: Vec<Liveness>,
    blocks: PrimaryMap<Block, BlockData>,
    span: Span,
}

/// Gives the owner of the coder its body, and lets the program begin with it.
pub(super) fn write(
    coder: &mut Coder<'_>,
    entry: Procedure,
    (system, plan): (&System, Plan<'_>),
    layout: Layout,
) {
    let Plan { pieces, stops, tallies } = plan;
    let span = coder.program.procedures[entry].span;
    let codes = 0..system.codes.len();
    let liveness = codes.map(|code| Liveness::of(coder.program, system, code)).collect();
    let blocks = PrimaryMap::new();
    let mut writer = Writer { coder, system, layout, stops, tallies, liveness, blocks, span };
    writer.procedure(pieces);
    let Writer { coder, layout, blocks, .. } = writer;
    let owner = coder.owner;
    let belongs = |variable: &Variable| coder.program.variables[*variable].kind == VariableKind::Local(owner);
    // Those of inlined calls are listed, although only their copies are used.
    let inlined = system.codes.iter().flat_map(|code| code.variables.iter().copied()).filter(belongs);
    let locals = inlined.chain(layout.locals()).collect();
    coder.program.procedures[coder.owner].body = Some(Body { locals, blocks });
    begin(coder, entry, &layout.state, span);
}

/// Lets the program begin with a call of the procedure.
fn begin(coder: &mut Coder<'_>, entry: Procedure, state: &State, span: Span) {
    let mut locals = Vec::new();
    for variable in state.all() {
        let (name, ty) = {
            let data = &coder.program.variables[variable];
            (format!("{}.found", data.name), data.ty)
        };
        let name = coder.names.fresh(&name);
        locals.push(coder.program.new_variable(name, ty, VariableKind::Local(entry), span));
    }
    let [yes, no] = [true, false].map(|value| coder.program.bool(value, span));
    let mark = Mark::Overapproximation.attribute(Vec::new());
    let call = StatementKind::Call { procedure: coder.owner, arguments: Vec::new(), results: locals.clone() };
    let statements = vec![
        Statement { kind: StatementKind::Assume(yes), span, attributes: vec![mark] },
        Statement { kind: call, span, attributes: Vec::new() },
        // Errors happen in the procedure.
        Statement { kind: StatementKind::Assume(no), span, attributes: Vec::new() },
    ];
    let mut blocks = PrimaryMap::new();
    let transfer = Transfer::Return;
    blocks.push(BlockData { label: "begin".to_owned(), statements, transfer, transfer_span: span });
    let data = &mut coder.program.procedures[entry];
    let own = data.body.as_ref().map(|body| body.locals.clone()).unwrap_or_default();
    data.body = Some(Body { locals: own.into_iter().chain(locals).collect(), blocks });
}

impl Stops {
    pub(super) fn new(system: &System, pieces: &[Pieces]) -> Stops {
        let first = pieces[0].keys().enumerate().map(|(number, &node)| (node, number)).collect();
        let (others, over, kinds) = (FxHashMap::default(), FxHashMap::default(), Vec::new());
        let mut stops = Stops { first, others, over, kinds };
        let mut next = ASLEEP + 1;
        for (pool, data) in system.pools.iter().enumerate() {
            let is_like = |&known: &usize| {
                let known = &system.pools[known];
                known.code == data.code && !known.joinable && !data.joinable
            };
            if let Some(known) = stops.kinds.iter().copied().find(is_like) {
                for &node in pieces[data.code].keys() {
                    stops.others.insert((pool, node), stops.others[&(known, node)]);
                }
                continue;
            }
            stops.kinds.push(pool);
            for &node in pieces[data.code].keys() {
                stops.others.insert((pool, node), next);
                next += 1;
            }
            if data.joinable {
                stops.over.insert(pool, next);
                next += 1;
            }
        }
        stops
    }
}

impl Writer<'_, '_> {
    fn block(&mut self, statements: Vec<StatementKind>, transfer: Transfer) -> Block {
        let span = self.span;
        let label = format!("b{}", self.blocks.len());
        let statement = |kind| Statement { kind, span, attributes: Vec::new() };
        let statements = statements.into_iter().map(statement).collect();
        self.blocks.push(BlockData { label, statements, transfer, transfer_span: span })
    }

    fn program(&mut self) -> &mut Program {
        self.coder.program
    }

    fn is_at(&mut self, control: Variable, number: usize) -> Expr {
        let span = self.span;
        let at = self.program().variable(control, span);
        let number = self.program().int(number, span);
        self.program().equal(at, number, span)
    }

    fn goes_to(&mut self, control: Variable, number: usize) -> StatementKind {
        let span = self.span;
        let number = self.program().int(number, span);
        StatementKind::Assign(vec![(control, number)])
    }

    /// A thread goes from one place to another; how many are there changes with it.
    fn moves(&mut self, from: usize, to: usize) -> Vec<StatementKind> {
        let [left, entered] = [from, to].map(|place| self.tallies.class_of(place));
        let mut moves = Vec::new();
        if left != entered {
            for (class, op) in [(left, BinaryOp::Subtract), (entered, BinaryOp::Add)] {
                let Some(class) = class else { continue };
                let (span, tally) = (self.span, self.layout.state.tallies[class]);
                let (now, one) = (self.program().variable(tally, span), self.program().int(1, span));
                let value = self.program().binary(op, now, one, span);
                moves.push(StatementKind::Assign(vec![(tally, value)]));
            }
        }
        moves
    }

    /// At the places of a class there are at least those of some threads that are there.
    fn counted(&mut self, controls: &[Variable]) -> Vec<StatementKind> {
        let span = self.span;
        let mut known = Vec::new();
        for class in 0..self.tallies.count() {
            let mut sum = self.program().int(0, span);
            for &control in controls {
                let places = self.tallies.places(class);
                let there: Vec<Expr> = places.into_iter().map(|place| self.is_at(control, place)).collect();
                let there = self.program().or(there, span);
                let [one, zero] = [1, 0].map(|number| self.program().int(number, span));
                let counted = self.program().ite(there, one, zero, span);
                sum = self.program().binary(BinaryOp::Add, sum, counted, span);
            }
            let tally = self.layout.state.tallies[class];
            let tally = self.program().variable(tally, span);
            let at_least = self.program().binary(BinaryOp::LessEqual, sum, tally, span);
            known.push(StatementKind::Assume(at_least));
        }
        known
    }

    /// The whole body.
    fn procedure(&mut self, pieces: &[Pieces]) {
        let head = self.block(Vec::new(), Transfer::Return);
        let mut ways = Vec::new();
        // The first thread's pieces are written once, for the beginning and for what follows.
        let mut dispatches = Vec::new();
        let first = self.role(Who::First, None);
        let start = self.pieces_of(&first, &pieces[0], &mut dispatches);
        ways.push(self.beginning(&first, start));
        for number in 0..self.layout.state.others.len() {
            for pool in self.stops.kinds.clone() {
                let role = self.role(Who::Tracked(number), Some(pool));
                self.pieces_of(&role, &pieces[role.code], &mut dispatches);
            }
        }
        ways.push(self.after_call(dispatches));
        let mut others = Vec::new();
        for pool in self.stops.kinds.clone() {
            let role = self.role(Who::Other, Some(pool));
            let noticed: Pieces = pieces[role.code]
                .iter()
                .filter(|&(&node, piece)| self.is_noticed(pool, node, piece))
                .map(|(&node, piece)| (node, piece.clone()))
                .collect();
            self.pieces_of(&role, &noticed, &mut others);
        }
        if !others.is_empty() {
            ways.push(self.after_calls(others));
        }
        self.blocks[head].transfer = Transfer::Goto(ways);
    }

    /// The place of a thread of a pool that stops at a node.
    fn place(&self, pool: usize, node: usize) -> usize {
        match is_end(self.system, self.system.pools[pool].code, node) {
            true => self.stops.over.get(&pool).copied().unwrap_or(ASLEEP),
            false => self.stops.others[&(pool, node)],
        }
    }

    /// Whether a piece changes what others see: a global, that a thread sleeps, or how many threads are somewhere.
    fn is_noticed(&self, pool: usize, node: usize, piece: &Piece) -> bool {
        let code = self.system.pools[pool].code;
        let class = self.tallies.class_of(self.place(pool, node));
        let moves = |target: &Target| match target {
            Target::Stop(node) => self.tallies.class_of(self.place(pool, *node)) != class,
            Target::Step(_) => false,
        };
        piece.steps.iter().any(|step| {
            let action = &self.system.codes[code].nodes[step.node].action;
            let writes = &self.system.facts[code][step.node].alone.writes;
            let ends = matches!(action, Action::End) && self.tallies.count() > 0;
            matches!(action, Action::Fork { .. } | Action::Join { .. })
                || ends
                || step.targets.iter().any(moves)
                || writes.intersects(&self.system.without_capacities())
        })
    }

    fn role(&self, who: Who, pool: Option<usize>) -> Role {
        let Layout { fields, state, replaced, .. } = &self.layout;
        let (thread, variables) = match who {
            Who::First => (&state.first, &fields.first),
            Who::Tracked(number) => (&state.others[number], &fields.others),
            Who::Other => {
                let with = &replaced[0];
                (with.others.last().expect("some thread is tracked"), &fields.others)
            }
        };
        Role {
            who,
            pool,
            code: pool.map_or(0, |pool| self.system.pools[pool].code),
            control: thread.control,
            from: ASLEEP,
            renaming: self.renaming(thread, variables),
        }
    }

    /// Where the variables of a thread and the globals are.
    fn renaming(&self, thread: &Thread, variables: &[Variable]) -> FxHashMap<Variable, Variable> {
        let Layout { fields, state, .. } = &self.layout;
        let own = variables.iter().copied().zip(thread.variables.iter().copied());
        own.chain(fields.globals.iter().copied().zip(state.globals.iter().copied())).collect()
    }

    /// The first thread begins, and all others sleep.
    fn beginning(&mut self, first: &Role, start: Block) -> Block {
        let span = self.span;
        let entry = self.system.codes[0].procedure;
        let data = self.coder.program.procedures[entry].clone();
        let body = data.body.as_ref().expect("the first thread has a body");
        let mut statements = Vec::new();
        for number in 0..self.layout.state.others.len() {
            let control = self.layout.state.others[number].control;
            statements.push(self.goes_to(control, ASLEEP));
            let thread = self.layout.state.others[number].clone();
            statements.extend(self.reset(&thread, None));
        }
        for tally in self.layout.state.tallies.clone() {
            let zero = self.program().int(0, span);
            statements.push(StatementKind::Assign(vec![(tally, zero)]));
        }
        let mut known: Vec<Expr> = Vec::new();
        let own = data.parameters.iter().chain(&data.results).chain(&body.locals);
        for &variable in self.layout.fields.globals.iter().chain(own) {
            known.extend(self.coder.program.variables[variable].where_clause);
        }
        // An old value is the present one here.
        known.extend(data.requires.iter().map(|clause| clause.condition));
        let snapshots = self.system.codes[0].snapshots.clone();
        let mut assignments = Vec::new();
        for &(kept, global) in &snapshots {
            let now = first.renaming[&global];
            assignments.push((first.renaming[&kept], self.program().variable(now, span)));
        }
        if !assignments.is_empty() {
            statements.push(StatementKind::Assign(assignments));
        }
        let old: FxHashMap<Variable, Variable> =
            snapshots.iter().map(|&(kept, global)| (global, first.renaming[&kept])).collect();
        for clause in known {
            let clause = self.program().rename_with_old(clause, &first.renaming, &old);
            statements.push(StatementKind::Assume(clause));
        }
        self.block(statements, Transfer::Goto(vec![start]))
    }

    /// Sets what is dead of a thread to 0: where it stops at a node of a code, or sleeps.
    fn reset(&mut self, thread: &Thread, at: Option<(usize, usize)>) -> Option<StatementKind> {
        let fields = self.layout.fields.others.clone();
        let dead: Vec<Variable> = match at {
            Some((code, node)) => self.liveness[code].dead(self.coder.program, node, &fields),
            None => fields.iter().copied().filter(|&v| may_be_reset(self.coder.program, v)).collect(),
        };
        let renaming = self.renaming(thread, &fields);
        let span = self.span;
        let zero = self.coder.program.int(0, span);
        let assignments: Vec<(Variable, Expr)> =
            dead.into_iter().map(|variable| (renaming[&variable], zero)).collect();
        (!assignments.is_empty()).then_some(StatementKind::Assign(assignments))
    }

    /// A call that gives the state, and one of the ways on.
    fn after_call(&mut self, ways: Vec<Block>) -> Block {
        let results = self.layout.state.all();
        let call = StatementKind::Call { procedure: self.coder.owner, arguments: Vec::new(), results };
        let controls: Vec<Variable> = self.layout.state.others.iter().map(|thread| thread.control).collect();
        let mut statements = vec![call];
        statements.extend(self.counted(&controls));
        self.block(statements, Transfer::Goto(ways))
    }

    /// Calls that give the state, and the state with another thread in the place of each tracked one.
    fn after_calls(&mut self, ways: Vec<Block>) -> Block {
        let owner = self.coder.owner;
        let call = |state: &State| StatementKind::Call {
            procedure: owner,
            arguments: Vec::new(),
            results: state.all(),
        };
        let Layout { state, replaced, .. } = &self.layout;
        let mut statements = vec![call(state)];
        let mut same: Vec<(Variable, Variable)> = Vec::new();
        for (number, with) in replaced.iter().enumerate() {
            statements.push(call(with));
            same.extend(with.globals.iter().copied().zip(state.globals.iter().copied()));
            same.extend(with.tallies.iter().copied().zip(state.tallies.iter().copied()));
            same.extend(with.first.all().into_iter().zip(state.first.all()));
            // The tracked threads without the one whose place is taken, then the other one.
            let kept = state.others.iter().enumerate().filter(|&(tracked, _)| tracked != number);
            for (there, (_, here)) in with.others.iter().zip(kept) {
                same.extend(there.all().into_iter().zip(here.all()));
            }
            let [taking, known] = [with, &replaced[0]].map(|with| with.others.last());
            if let (Some(taking), Some(known), 1..) = (taking, known, number) {
                same.extend(taking.all().into_iter().zip(known.all()));
            }
        }
        let span = self.span;
        for (there, here) in same {
            let (there, here) = (self.program().variable(there, span), self.program().variable(here, span));
            statements.push(StatementKind::Assume(self.program().equal(there, here, span)));
        }
        let tracked = self.layout.state.others.iter();
        let other = self.layout.replaced[0].others.last();
        let controls: Vec<Variable> = tracked.chain(other).map(|thread| thread.control).collect();
        statements.extend(self.counted(&controls));
        self.block(statements, Transfer::Goto(ways))
    }

    /// Writes the pieces of a thread; gives the block where its code begins, if that is one of them. `dispatches` gets the blocks that begin
    /// with the question where the thread is.
    fn pieces_of(&mut self, role: &Role, pieces: &Pieces, dispatches: &mut Vec<Block>) -> Block {
        let entry = self.system.codes[role.code].entry;
        let mut start = None;
        for (&node, piece) in pieces {
            let number = match role.pool {
                None => self.stops.first[&node],
                Some(pool) => self.stops.others[&(pool, node)],
            };
            let role = &Role { from: number, renaming: role.renaming.clone(), ..*role };
            let first = self.piece(role, piece);
            let here = self.is_at(role.control, number);
            dispatches.push(self.block(vec![StatementKind::Assume(here)], Transfer::Goto(vec![first])));
            if node == entry {
                start = Some(first);
            }
        }
        start.unwrap_or_else(|| self.block(Vec::new(), Transfer::Return))
    }

    /// Writes a piece; gives its first block.
    fn piece(&mut self, role: &Role, piece: &Piece) -> Block {
        let blocks: Vec<Block> =
            piece.steps.iter().map(|_| self.block(Vec::new(), Transfer::Return)).collect();
        for (step, &block) in piece.steps.iter().zip(&blocks) {
            let targets: Vec<Block> = step
                .targets
                .iter()
                .map(|target| match target {
                    Target::Step(number) => blocks[*number],
                    Target::Stop(node) => self.stop(role, *node),
                })
                .collect();
            self.step(role, step, block, targets);
        }
        blocks[0]
    }

    /// A block from which nobody goes on.
    fn never(&mut self) -> Block {
        let span = self.span;
        let never = self.program().bool(false, span);
        self.block(vec![StatementKind::Assume(never)], Transfer::Return)
    }

    /// The thread stops at a node.
    fn stop(&mut self, role: &Role, node: usize) -> Block {
        let number = match role.pool {
            // Nobody notices the end of the first thread.
            None if is_end(self.system, role.code, node) => return self.never(),
            None => self.stops.first[&node],
            Some(pool) => self.place(pool, node),
        };
        let mut statements = vec![self.goes_to(role.control, number)];
        if role.who != Who::First {
            statements.extend(self.moves(role.from, number));
        }
        if let Who::Tracked(tracked) = role.who {
            let thread = self.layout.state.others[tracked].clone();
            let at = (number != ASLEEP).then_some((role.code, node));
            statements.extend(self.reset(&thread, at));
        }
        self.block(statements, Transfer::Return)
    }

    fn step(&mut self, role: &Role, step: &PieceStep, block: Block, targets: Vec<Block>) {
        let system = self.system;
        let node = &system.codes[role.code].nodes[step.node];
        self.blocks[block].transfer_span = node.span;
        let transfer = match &node.action {
            Action::Step(statements) => {
                for statement in statements {
                    let written = self.statement(statement, &role.renaming, role.who);
                    self.blocks[block].statements.extend(written);
                }
                Transfer::Goto(targets)
            }
            Action::Branch(condition) => {
                let condition = self.program().rename(*condition, &role.renaming);
                Transfer::Branch { condition, then: targets[0], otherwise: targets[1] }
            }
            Action::Goto | Action::Atomic(_) => Transfer::Goto(targets),
            Action::End => Transfer::Goto(vec![self.stop(role, step.node)]),
            Action::Fork { thread, arguments, .. } => {
                let pool = system.pool_of[&(role.code, step.node)];
                let ways = self.forks(role, pool, (thread, arguments), targets[0]);
                Transfer::Goto(ways)
            }
            Action::Join { thread, results } => {
                let pools = &system.joined[&(role.code, step.node)];
                Transfer::Goto(self.joins(role, pools, (thread, results), targets[0]))
            }
        };
        self.blocks[block].transfer = transfer;
    }

    /// A statement of a thread. What fails for a thread that is not tracked fails for it when it is tracked.
    fn statement(
        &mut self,
        statement: &Statement,
        renaming: &FxHashMap<Variable, Variable>,
        who: Who,
    ) -> Vec<Statement> {
        let program = &mut *self.coder.program;
        let variable = |variable: &Variable| renaming.get(variable).copied().unwrap_or(*variable);
        let mut behind = Vec::new();
        let kind = match &statement.kind {
            StatementKind::Assign(assignments) => {
                let assignments =
                    assignments.iter().map(|(to, value)| (variable(to), program.rename(*value, renaming)));
                StatementKind::Assign(assignments.collect())
            }
            StatementKind::Havoc(variables) => {
                // Copies have no `where` clauses; those of other variables than globals are assumed by the code.
                for &havocked in variables {
                    let data = &program.variables[havocked];
                    if let (VariableKind::Global, Some(clause)) = (data.kind, data.where_clause) {
                        behind.push(StatementKind::Assume(program.rename(clause, renaming)));
                    }
                }
                StatementKind::Havoc(variables.iter().map(variable).collect())
            }
            StatementKind::Assume(condition) => StatementKind::Assume(program.rename(*condition, renaming)),
            StatementKind::Assert(kind, condition) => {
                let condition = program.rename(*condition, renaming);
                match who {
                    Who::First | Who::Tracked(0) => StatementKind::Assert(*kind, condition),
                    _ => StatementKind::Assume(condition),
                }
            }
            StatementKind::Call { procedure, arguments, results } => StatementKind::Call {
                procedure: *procedure,
                arguments: arguments.iter().map(|&argument| program.rename(argument, renaming)).collect(),
                results: results.iter().map(variable).collect(),
            },
            StatementKind::Fork { .. } | StatementKind::Join { .. } | StatementKind::Atomic(_) => {
                unreachable!("these are not parts of a step")
            }
        };
        let attributes = attributes(&statement.attributes, |expr| program.rename(expr, renaming));
        let span = statement.span;
        let mut written = vec![Statement { kind, span, attributes }];
        written.extend(behind.into_iter().map(|kind| Statement { kind, span, attributes: Vec::new() }));
        written
    }

    /// The tracked threads except the one that takes the step.
    fn companions(&self, role: &Role) -> Vec<Thread> {
        let others = self.layout.state.others.iter().enumerate();
        others
            .filter(|&(number, _)| role.who != Who::Tracked(number))
            .map(|(_, thread)| thread.clone())
            .collect()
    }

    /// The ways in which a thread of a pool is started: it is one of the tracked threads that sleep, or another one.
    fn forks(
        &mut self,
        role: &Role,
        pool: usize,
        (name, arguments): (&[Expr], &[Expr]),
        next: Block,
    ) -> Vec<Block> {
        let code = self.system.pools[pool].code;
        let number = self.stops.others[&(pool, self.system.codes[code].entry)];
        let mut ways = Vec::new();
        for thread in self.companions(role) {
            let sleeps = self.is_at(thread.control, ASLEEP);
            let wakes = self.goes_to(thread.control, number);
            let mut statements = vec![StatementKind::Assume(sleeps), wakes];
            statements.extend(self.moves(ASLEEP, number));
            let block = self.block(statements, Transfer::Goto(vec![next]));
            self.start(role, &thread, pool, (name, arguments), block);
            let entry = self.system.codes[code].entry;
            if let Some(kind) = self.reset(&thread, Some((code, entry))) {
                let span = self.span;
                self.blocks[block].statements.push(Statement { kind, span, attributes: Vec::new() });
            }
            ways.push(block);
        }
        let moves = self.moves(ASLEEP, number);
        let block = self.block(moves, Transfer::Goto(vec![next]));
        let fails =
            |statement: &Statement| matches!(statement.kind, StatementKind::Assert(AssertKind::Assert, _));
        if self.system.codes[code].start.iter().any(fails) {
            let scratch = self.layout.scratch.clone();
            self.start(role, &scratch, pool, (name, arguments), block);
        }
        ways.push(block);
        ways
    }

    /// The parameters and the name of a thread that is started get their values.
    fn start(
        &mut self,
        role: &Role,
        thread: &Thread,
        pool: usize,
        (name, arguments): (&[Expr], &[Expr]),
        block: Block,
    ) {
        let span = self.span;
        let started = &self.system.codes[self.system.pools[pool].code];
        let renaming = self.renaming(thread, &self.layout.fields.others.clone());
        let mut assignments = Vec::new();
        let parameters = self.coder.program.procedures[started.procedure].parameters.clone();
        for (parameter, &argument) in parameters.iter().zip(arguments) {
            let value = self.program().rename(argument, &role.renaming);
            assignments.push((renaming[parameter], value));
        }
        for (&part, &value) in thread.names[pool].iter().zip(name) {
            assignments.push((part, self.program().rename(value, &role.renaming)));
        }
        for &(kept, global) in &started.snapshots {
            let now = renaming[&global];
            assignments.push((renaming[&kept], self.program().variable(now, span)));
        }
        if !assignments.is_empty() {
            let kind = StatementKind::Assign(assignments);
            self.blocks[block].statements.push(Statement { kind, span, attributes: Vec::new() });
        }
        for statement in &started.start {
            let written = self.statement(statement, &renaming, role.who);
            self.blocks[block].statements.extend(written);
        }
    }

    /// The ways in which a join goes on: it takes a tracked thread that is over, or another one.
    fn joins(
        &mut self,
        role: &Role,
        pools: &[(usize, bool)],
        (name, results): (&[Expr], &[Variable]),
        next: Block,
    ) -> Vec<Block> {
        let span = self.span;
        let mut ways = Vec::new();
        let to: Vec<Variable> = results.iter().map(|result| role.renaming[result]).collect();
        for thread in self.companions(role) {
            for &(pool, sure) in pools {
                let over = self.is_at(thread.control, self.stops.over[&pool]);
                let mut statements = vec![StatementKind::Assume(over)];
                for (&part, &asked) in thread.names[pool].iter().zip(name).filter(|_| !sure) {
                    let (part, asked) =
                        (self.program().variable(part, span), self.program().rename(asked, &role.renaming));
                    statements.push(StatementKind::Assume(self.program().equal(part, asked, span)));
                }
                let code = &self.system.codes[self.system.pools[pool].code];
                let given = self.coder.program.procedures[code.procedure].results.clone();
                let renaming = self.renaming(&thread, &self.layout.fields.others.clone());
                let mut assignments = Vec::new();
                for (&to, from) in to.iter().zip(&given) {
                    assignments.push((to, self.program().variable(renaming[from], span)));
                }
                if !assignments.is_empty() {
                    statements.push(StatementKind::Assign(assignments));
                }
                statements.push(self.goes_to(thread.control, ASLEEP));
                statements.extend(self.moves(self.stops.over[&pool], ASLEEP));
                statements.extend(self.reset(&thread, None));
                ways.push(self.block(statements, Transfer::Goto(vec![next])));
            }
        }
        // What a thread hands over that is not tracked can be anything.
        for &(pool, _) in pools {
            let mut statements = self.moves(self.stops.over[&pool], ASLEEP);
            if !to.is_empty() {
                statements.push(StatementKind::Havoc(to.clone()));
            }
            ways.push(self.block(statements, Transfer::Goto(vec![next])));
        }
        if ways.is_empty() {
            ways.push(self.never());
        }
        ways
    }
}
