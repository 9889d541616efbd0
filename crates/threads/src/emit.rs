//! The product as a body of the procedure with which the program begins.
//!
//! Every state is a block that leads to its transitions; a transition is a block with the statements of one step, where
//! the variables of the thread are those of its slot. Statements keep their places in the source.

use crate::Step;
use crate::code::{Action, Coder, Names, attributes};
use crate::product::{Accessing, Event, Product, Transition, Waiting};
use crate::recursion::Recursion;
use crate::system::System;
use base::{EntityRef, PrimaryMap, Span};
use ir::accesses::Access;
use ir::interpreter::Effect;
use ir::{
    AssertKind, Attribute, AttributeArgument, BinaryOp, Block, BlockData, Body, Expr, Mark, Procedure,
    Program, Statement, StatementKind, Transfer, Variable, VariableKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// How the text of an assertion about races begins.
const RACE: &str = "no-data-race";
/// The same for deadlocks.
const DEADLOCK: &str = "no-deadlock";
/// Why nothing is known behind a recursive call.
const DISTURBED: &str = "a recursive call that other threads may disturb";

/// What a slot's thread is made of.
struct Local {
    name: String,
    variables: FxHashMap<Variable, Variable>,
    /// What names the thread, for those who join it.
    ids: Vec<Variable>,
}

/// The slot of a thread that starts or joins another, and the slot of the other.
#[derive(Clone, Copy)]
struct Slots {
    slot: usize,
    other: usize,
}

struct Emitter<'a> {
    program: &'a mut Program,
    system: &'a System,
    product: &'a Product,
    locals: Vec<Local>,
    /// Steps that were already written.
    steps: FxHashMap<(usize, usize), Vec<Statement>>,
    conditions: FxHashMap<(usize, usize), Expr>,
    blocks: PrimaryMap<Block, BlockData>,
    steps_of: Vec<Option<Step>>,
    /// The block of a state.
    heads: Vec<Option<Block>>,
}

/// Replaces the body of the entry; gives for every block whose step it is.
pub(crate) fn emit(
    program: &mut Program,
    entry: Procedure,
    (system, product): (&System, &Product),
    names: &mut Names,
    copies: &mut FxHashMap<Variable, Variable>,
) -> (Vec<Option<Step>>, Vec<String>) {
    let mut variables = Vec::new();
    let locals = slots(program, entry, (system, product), names, copies, &mut variables);
    let mut emitter = Emitter {
        program,
        system,
        product,
        locals,
        steps: FxHashMap::default(),
        conditions: FxHashMap::default(),
        blocks: PrimaryMap::new(),
        steps_of: Vec::new(),
        heads: vec![None; product.transitions.len()],
    };
    emitter.run();
    let Emitter { blocks, steps_of, locals, .. } = emitter;
    let data = &mut program.procedures[entry];
    let listed: FxHashSet<Variable> = data.modifies.iter().copied().collect();
    let modifies: Vec<Variable> =
        program.globals.iter().copied().filter(|global| !listed.contains(global)).collect();
    data.modifies.extend(modifies);
    let own = data.body.as_ref().map(|body| body.locals.clone()).unwrap_or_default();
    let locals_of_body = own.into_iter().chain(variables).collect();
    data.body = Some(Body { locals: locals_of_body, blocks });
    (steps_of, locals.into_iter().map(|local| local.name.replace('#', " ")).collect())
}

/// Variables for every slot.
fn slots(
    program: &mut Program,
    entry: Procedure,
    (system, product): (&System, &Product),
    names: &mut Names,
    copies: &mut FxHashMap<Variable, Variable>,
    variables: &mut Vec<Variable>,
) -> Vec<Local> {
    let recursion = Recursion::default();
    let mut coder = Coder { program, names, owner: entry, copies, recursion: &recursion };
    let mut used: FxHashSet<usize> = FxHashSet::default();
    let mut thread_names: FxHashSet<String> = FxHashSet::default();
    let mut next_numbers: FxHashMap<usize, usize> = FxHashMap::default();
    let body = coder.program.procedures[entry].body.as_ref();
    let listed: FxHashSet<Variable> = body.iter().flat_map(|body| body.locals.iter().copied()).collect();
    let mut locals = Vec::new();
    for slot in &product.slots {
        let code = &system.codes[slot.code];
        let first = used.insert(slot.code);
        let procedure = coder.program.procedures[code.procedure].name.clone();
        let mut name = procedure.clone();
        let next_number = next_numbers.entry(slot.code).or_insert(2);
        while !thread_names.insert(name.clone()) {
            name = format!("{procedure}#{next_number}");
            *next_number += 1;
        }
        let mut renaming = FxHashMap::default();
        for &variable in &code.variables {
            let data = &coder.program.variables[variable];
            let belongs = matches!(data.kind, VariableKind::Local(owner) if owner == entry);
            if slot.pool.is_none() || (first && belongs) {
                // The first thread of this code uses the variables as they are.
                if belongs && !listed.contains(&variable) {
                    variables.push(variable);
                }
                continue;
            }
            let copy_name = format!("{name}.{}", data.name);
            let copy = coder.copy(variable, &copy_name);
            renaming.insert(variable, copy);
            variables.push(copy);
        }
        let mut ids = Vec::new();
        if let Some(pool) = slot.pool.map(|pool| &system.pools[pool]).filter(|pool| pool.compared) {
            for (position, &part) in pool.thread.iter().enumerate() {
                let id = coder.names.fresh(&format!("{name}.thread{}", position + 1));
                let (ty, span) = (coder.program.ty(part), coder.program.expressions.span(part));
                let id = coder.program.new_variable(id, ty, VariableKind::Local(entry), span);
                ids.push(id);
                variables.push(id);
            }
        }
        locals.push(Local { name, variables: renaming, ids });
    }
    locals
}

impl Emitter<'_> {
    fn run(&mut self) {
        let product = self.product;
        for state in 0..product.transitions.len() {
            let label = format!("state{state}");
            let span = self.place(state);
            let head = self.block(label, span, None);
            self.heads[state] = Some(head);
        }
        for (state, transitions) in product.transitions.iter().enumerate() {
            let head = self.head(state);
            match &transitions[..] {
                [] => {
                    // Nobody goes on, so the execution ends without error.
                    let never = self.program.bool(false, self.blocks[head].transfer_span);
                    self.push(head, StatementKind::Assume(never), Vec::new());
                }
                [only] => self.transition(head, only),
                several => {
                    let mut targets = Vec::new();
                    for (number, transition) in several.iter().enumerate() {
                        targets.extend(self.way(state, number, transition));
                    }
                    self.blocks[head].transfer = Transfer::Goto(targets);
                }
            }
        }
    }

    /// Where the execution is at a state.
    fn place(&self, state: usize) -> Span {
        let slot = self.product.transitions[state].first();
        let place = slot.map(|first| (self.product.slots[first.slot].code, first.node));
        let (code, node) = place.unwrap_or((0, self.system.codes[0].entry));
        self.system.span(code, node)
    }

    fn block(&mut self, label: String, span: Span, step: Option<Step>) -> Block {
        self.steps_of.push(step);
        self.blocks.push(BlockData {
            label,
            statements: Vec::new(),
            transfer: Transfer::Return,
            transfer_span: span,
        })
    }

    fn head(&self, state: usize) -> Block {
        self.heads[state].expect("every state has a block")
    }

    fn push(&mut self, block: Block, kind: StatementKind, attributes: Vec<Attribute>) {
        let span = self.blocks[block].transfer_span;
        self.blocks[block].statements.push(Statement { kind, span, attributes });
    }

    /// The blocks in which a transition among several begins.
    fn way(&mut self, state: usize, number: usize, transition: &Transition) -> Vec<Block> {
        let code = self.product.slots[transition.slot].code;
        let chooses = matches!(self.system.codes[code].nodes[transition.node].action, Action::Goto);
        if transition.event == Event::Silent || (transition.event == Event::Step && chooses) {
            return transition.targets.iter().map(|&target| self.head(target)).collect();
        }
        let span = self.system.span(code, transition.node);
        let block = self.block(format!("state{state}.{number}"), span, None);
        self.transition(block, transition);
        vec![block]
    }

    /// Writes a transition into a block.
    fn transition(&mut self, block: Block, transition: &Transition) {
        let &Transition { slot, node, event, ref targets } = transition;
        let code = self.product.slots[slot].code;
        let span = self.system.span(code, node);
        self.blocks[block].transfer_span = span;
        let effect = match event {
            Event::Step | Event::Full | Event::Disturbed => Some(Effect::None),
            Event::Silent => None,
            Event::Fork(other) => Some(Effect::Starts(other)),
            Event::Join(other, _) => Some(Effect::Joins(other)),
            Event::Race(race) | Event::Note(race) => {
                let [_, Accessing { slot, node, access }] = self.product.races[race];
                let node = &self.system.codes[self.product.slots[slot].code].nodes[node];
                let variable = node.accesses[access].variable;
                Some(Effect::Meets { slot, place: node.place, variable })
            }
            Event::Raced(_) => None,
            Event::Stuck(_) => Some(Effect::Stuck),
        };
        let place = self.system.codes[code].nodes[node].place;
        self.steps_of[block.index()] = Some(Step { thread: slot, place, effect });
        let next: Vec<Block> = targets.iter().map(|&target| self.head(target)).collect();
        let action = &self.system.codes[code].nodes[node].action;
        let is_meeting = matches!(event, Event::Race(_) | Event::Note(_) | Event::Stuck(_));
        if !is_meeting && matches!(action, Action::Goto | Action::Atomic(_) | Action::End) {
            self.steps_of[block.index()] = Some(Step { thread: slot, place, effect: None });
        }
        let mut transfer = Transfer::Goto(next.clone());
        match (event, action) {
            (Event::Step, Action::Step(_)) => {
                let statements = self.step(slot, node);
                self.blocks[block].statements.extend(statements);
            }
            (Event::Step, Action::Branch(_)) => {
                let condition = self.condition(slot, node);
                transfer = Transfer::Branch { condition, then: next[0], otherwise: next[1] };
            }
            (Event::Fork(other), Action::Fork { thread, arguments, .. }) => {
                self.fork(block, Slots { slot, other }, thread, arguments);
            }
            (Event::Join(other, sure), Action::Join { thread, results }) => {
                self.join(block, Slots { slot, other }, thread, results, sure);
            }
            (Event::Race(race), _) => {
                let meet = self.meet(block, race);
                let apart = self.program.not(meet, span);
                self.fail_unless(block, race, apart);
                transfer = Transfer::Return;
            }
            (Event::Note(race), _) => {
                let meet = self.meet(block, race);
                self.push(block, StatementKind::Assume(meet), Vec::new());
            }
            (Event::Stuck(number), _) => {
                let all_wait = self.all_wait(block, number);
                let goes_on = self.program.not(all_wait, span);
                self.fail_if_stuck(block, number, goes_on);
                transfer = Transfer::Return;
            }
            (Event::Raced(race), _) => {
                let never = self.program.bool(false, span);
                self.fail_unless(block, race, never);
                transfer = Transfer::Return;
            }
            (Event::Full | Event::Disturbed, _) => {
                let [yes, no] = [true, false].map(|value| self.program.bool(value, span));
                let why = match event {
                    Event::Disturbed => vec![AttributeArgument::Text(DISTURBED.to_owned())],
                    _ => Vec::new(),
                };
                let mark = Mark::Overapproximation.attribute(why);
                self.push(block, StatementKind::Assume(yes), vec![mark]);
                self.push(block, StatementKind::Assert(AssertKind::Assert, no), Vec::new());
                transfer = Transfer::Return;
            }
            _ => {}
        }
        self.blocks[block].transfer = transfer;
    }

    fn access(&self, of: Accessing) -> &Access {
        &self.system.codes[self.product.slots[of.slot].code].nodes[of.node].accesses[of.access]
    }

    /// The name of a thread, for people.
    fn name_of(&self, slot: usize) -> String {
        match slot {
            0 => "main".to_owned(),
            _ => self.locals[slot].name.replace('#', " "),
        }
    }

    /// That two threads are about to access the same cell.
    fn meet(&mut self, block: Block, race: usize) -> Expr {
        let span = self.blocks[block].transfer_span;
        let [one, other] = self.product.races[race];
        let (left, right) = (self.access(one).clone(), self.access(other).clone());
        if !(left.exact && right.exact) {
            let yes = self.program.bool(true, span);
            let mark = Mark::Overapproximation.attribute(Vec::new());
            self.push(block, StatementKind::Assume(yes), vec![mark]);
        }
        let mut conditions = Vec::new();
        for (&left, &right) in left.path.iter().zip(&right.path) {
            let (left, right) = (self.expr(left, one.slot), self.expr(right, other.slot));
            conditions.push(self.program.binary(BinaryOp::Equal, left, right, span));
        }
        for (access, slot) in [(&left, one.slot), (&right, other.slot)] {
            for &(guard, truth) in &access.guards {
                let guard = self.expr(guard, slot);
                conditions.push(if truth { guard } else { self.program.not(guard, span) });
            }
        }
        self.program.and(conditions, span)
    }

    /// An assertion that two threads do not race. Its attributes say who is about to do what, and where.
    fn fail_unless(&mut self, block: Block, race: usize, condition: Expr) {
        let [one, other] = self.product.races[race];
        let name = self.program.variables[self.access(one).variable].name.clone();
        let text = AttributeArgument::Text(format!("{RACE}: two threads access `{name}` at the same moment"));
        let mut arguments = Vec::new();
        for of in [one, other] {
            let how = if self.access(of).write { "writes it" } else { "reads it" };
            let span = self.system.codes[self.product.slots[of.slot].code].nodes[of.node].span;
            arguments.push(AttributeArgument::Text(self.name_of(of.slot)));
            arguments.push(AttributeArgument::Text(how.to_owned()));
            arguments.push(AttributeArgument::Expr(self.program.bool(true, span)));
        }
        let attributes = vec![
            Attribute { name: "property".to_owned(), arguments: vec![text] },
            Attribute { name: crate::MEETING.to_owned(), arguments },
        ];
        self.push(block, StatementKind::Assert(AssertKind::Assert, condition), attributes);
    }

    /// That no thread can go on.
    fn all_wait(&mut self, block: Block, number: usize) -> Expr {
        let span = self.blocks[block].transfer_span;
        let product = self.product;
        let mut conditions = Vec::new();
        for &Waiting { slot, node, ref others } in &product.waiting[number] {
            let system = self.system;
            match &system.codes[product.slots[slot].code].nodes[node].action {
                Action::Join { thread, .. } => {
                    for &other in others {
                        let same = self.has_name(Slots { slot, other }, thread, span);
                        conditions.push(self.program.not(same, span));
                    }
                }
                Action::Step(statements) => {
                    for statement in statements {
                        if let StatementKind::Assume(condition) = statement.kind {
                            let condition = self.expr(condition, slot);
                            conditions.push(self.program.not(condition, span));
                        }
                    }
                }
                _ => unreachable!("only these wait"),
            }
        }
        self.program.and(conditions, span)
    }

    /// An assertion that not all threads wait. Its attributes say who waits, for what, and where.
    fn fail_if_stuck(&mut self, block: Block, number: usize, condition: Expr) {
        let text = AttributeArgument::Text(format!("{DEADLOCK}: all threads wait"));
        let product = self.product;
        let mut arguments = Vec::new();
        for &Waiting { slot, node, .. } in &product.waiting[number] {
            let system = self.system;
            let data = &system.codes[product.slots[slot].code].nodes[node];
            let what = match &data.action {
                Action::Step(statements) => statements.iter().find_map(|statement| {
                    match Mark::Waits.find_in(&statement.attributes)?.arguments.first()? {
                        AttributeArgument::Text(what) => Some(what.clone()),
                        AttributeArgument::Expr(_) => None,
                    }
                }),
                _ => Some("the end of a thread".to_owned()),
            };
            arguments.push(AttributeArgument::Text(self.name_of(slot)));
            arguments.push(AttributeArgument::Text(format!("waits for {}", what.unwrap_or_default())));
            arguments.push(AttributeArgument::Expr(self.program.bool(true, data.span)));
        }
        let attributes = vec![
            Attribute { name: "property".to_owned(), arguments: vec![text] },
            Attribute { name: crate::MEETING.to_owned(), arguments },
        ];
        self.push(block, StatementKind::Assert(AssertKind::Assert, condition), attributes);
    }

    fn step(&mut self, slot: usize, node: usize) -> Vec<Statement> {
        if let Some(known) = self.steps.get(&(slot, node)) {
            return known.clone();
        }
        let code = self.product.slots[slot].code;
        let Action::Step(statements) = &self.system.codes[code].nodes[node].action else {
            unreachable!("only steps have statements")
        };
        let renamed: Vec<Statement> =
            statements.iter().map(|statement| self.renamed(statement, slot)).collect();
        self.steps.insert((slot, node), renamed.clone());
        renamed
    }

    fn condition(&mut self, slot: usize, node: usize) -> Expr {
        if let Some(&known) = self.conditions.get(&(slot, node)) {
            return known;
        }
        let code = self.product.slots[slot].code;
        let Action::Branch(condition) = self.system.codes[code].nodes[node].action else {
            unreachable!("only branches have conditions")
        };
        let renamed = self.expr(condition, slot);
        self.conditions.insert((slot, node), renamed);
        renamed
    }

    fn expr(&mut self, expr: Expr, slot: usize) -> Expr {
        let renaming = &self.locals[slot].variables;
        if renaming.is_empty() { expr } else { self.program.rename(expr, renaming) }
    }

    fn variable(&self, variable: Variable, slot: usize) -> Variable {
        self.locals[slot].variables.get(&variable).copied().unwrap_or(variable)
    }

    /// A statement of a thread over the variables of its slot.
    fn renamed(&mut self, statement: &Statement, slot: usize) -> Statement {
        let kind = match &statement.kind {
            StatementKind::Assign(assignments) => {
                let renamed = assignments
                    .iter()
                    .map(|&(to, value)| (self.variable(to, slot), self.expr(value, slot)))
                    .collect();
                StatementKind::Assign(renamed)
            }
            StatementKind::Havoc(variables) => {
                StatementKind::Havoc(variables.iter().map(|&v| self.variable(v, slot)).collect())
            }
            StatementKind::Assume(condition) => StatementKind::Assume(self.expr(*condition, slot)),
            StatementKind::Assert(kind, condition) => {
                StatementKind::Assert(*kind, self.expr(*condition, slot))
            }
            StatementKind::Call { procedure, arguments, results } => StatementKind::Call {
                procedure: *procedure,
                arguments: arguments.iter().map(|&argument| self.expr(argument, slot)).collect(),
                results: results.iter().map(|&result| self.variable(result, slot)).collect(),
            },
            StatementKind::Fork { .. } | StatementKind::Join { .. } | StatementKind::Atomic(_) => {
                unreachable!("these are not parts of a step")
            }
        };
        let attributes = attributes(&statement.attributes, |expr| self.expr(expr, slot));
        Statement { kind, span: statement.span, attributes }
    }

    /// A thread starts: its parameters and its name get their values.
    fn fork(&mut self, block: Block, Slots { slot, other }: Slots, thread: &[Expr], arguments: &[Expr]) {
        let started = &self.system.codes[self.product.slots[other].code];
        let span = self.blocks[block].transfer_span;
        let mut assignments = Vec::new();
        let parameters = self.program.procedures[started.procedure].parameters.clone();
        for (parameter, &argument) in parameters.into_iter().zip(arguments) {
            assignments.push((self.variable(parameter, other), self.expr(argument, slot)));
        }
        for (id, &part) in self.locals[other].ids.clone().into_iter().zip(thread) {
            assignments.push((id, self.expr(part, slot)));
        }
        for &(kept, global) in &started.snapshots {
            assignments.push((self.variable(kept, other), self.program.variable(global, span)));
        }
        if !assignments.is_empty() {
            self.push(block, StatementKind::Assign(assignments), Vec::new());
        }
        for statement in &started.start {
            let kind = self.renamed(statement, other).kind;
            self.push(block, kind, Vec::new());
        }
    }

    /// That a thread has the name that a join asks for.
    fn has_name(&mut self, Slots { slot, other }: Slots, thread: &[Expr], span: Span) -> Expr {
        let mut same = Vec::new();
        for (id, &part) in self.locals[other].ids.clone().into_iter().zip(thread) {
            let (asked, given) = (self.expr(part, slot), self.program.variable(id, span));
            same.push(self.program.binary(BinaryOp::Equal, asked, given, span));
        }
        self.program.and(same, span)
    }

    /// A thread is joined: it has the name that was asked for, and hands over its results.
    fn join(
        &mut self,
        block: Block,
        Slots { slot, other }: Slots,
        thread: &[Expr],
        results: &[Variable],
        sure: bool,
    ) {
        let span = self.blocks[block].transfer_span;
        if !sure {
            let same = self.has_name(Slots { slot, other }, thread, span);
            self.push(block, StatementKind::Assume(same), Vec::new());
        }
        let code = &self.system.codes[self.product.slots[other].code];
        let given = self.program.procedures[code.procedure].results.clone();
        let mut assignments = Vec::new();
        for (&to, from) in results.iter().zip(given) {
            let value = self.program.variable(self.variable(from, other), span);
            assignments.push((self.variable(to, slot), value));
        }
        if !assignments.is_empty() {
            self.push(block, StatementKind::Assign(assignments), Vec::new());
        }
    }
}
