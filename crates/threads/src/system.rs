//! The threads that a program can have: their code, where they are started, how many there can be, and what they
//! access from where they are.
//!
//! A *pool* belongs to a fork statement in the code of a thread: the threads that it starts. A pool has as many slots as
//! the statement can be executed, or as many as the bound allows; where the bound is lower, a fork may find no slot.
//!
//! What two threads both access are global variables and the slots of the pools: the end of a thread changes what a join
//! waits for ([`System::finished`]), and where slots are scarce, forks and everything that gives a slot back depend on
//! each other ([`System::capacity`]).

use crate::bits::{Accesses, Bits};
use crate::code::{Action, Code, Coder, values};
use crate::constants::{Constants, Follow};
use crate::{Guards, Loops, Options, Refused, counted, guards, recursion, sections};
use base::Span;
use ir::{
    Boundary, Expr, ExprData, Mark, Procedure, Program, Statement, StatementKind, Variable, VariableKind,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Up to so many executions of a fork statement get a slot each, whatever the bound is.
const ALWAYS: usize = 4;
/// The same where a loop of the first thread executes it.
const ALWAYS_IN_LOOPS: usize = 20;

/// The threads of a fork statement.
#[derive(Debug)]
pub(crate) struct Pool {
    pub(crate) code: usize,
    /// The code and the node of the fork statement.
    pub(crate) site: (usize, usize),
    pub(crate) thread: Vec<Expr>,
    pub(crate) slots: usize,
    /// Whether a fork may find all slots in use.
    pub(crate) scarce: bool,
    /// Whether a join may wait for one of its threads.
    pub(crate) joinable: bool,
    /// Whether a join must compare the names of the threads.
    pub(crate) compared: bool,
}

/// What is known about a node.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// What the step accesses; for the beginning of an atomic part, what the part does.
    pub(crate) step: Accesses,
    /// What the thread and those that it starts can access from here on.
    pub(crate) future: Accesses,
    /// What they can access of watched variables.
    pub(crate) watched: Accesses,
    /// Whether they can fail.
    pub(crate) can_fail: bool,
    /// Whether the step is always possible and comes to an end.
    pub(crate) total: bool,
    /// What the step accesses apart from the slots of threads.
    pub(crate) alone: Accesses,
    /// Whether the thread can start or join threads from here on.
    pub(crate) meets: bool,
}

/// All threads.
#[derive(Debug)]
pub(crate) struct System {
    pub(crate) codes: Vec<Code>,
    pub(crate) pools: Vec<Pool>,
    /// The pool of a fork statement.
    pub(crate) pool_of: FxHashMap<(usize, usize), usize>,
    /// The pools whose threads a join may wait for, and whether it surely does.
    pub(crate) joined: BTreeMap<(usize, usize), Vec<(usize, bool)>>,
    pub(crate) facts: Vec<Vec<Facts>>,
    /// For pools with one thread: what threads can access before they join it, where it is sure that they do.
    before_join: FxHashMap<usize, Vec<Vec<Accesses>>>,
    /// The nodes to which loops come back.
    pub(crate) heads: Vec<Vec<bool>>,
    /// Whether it is an error if all threads wait.
    pub(crate) finds_deadlocks: bool,
    /// Whether some loop starts more threads than the bound allows, and all of them have slots.
    pub(crate) counted: bool,
    /// The numbers of the shared variables.
    shared: FxHashMap<Variable, usize>,
}

impl System {
    pub(crate) fn new(
        coder: &mut Coder<'_>,
        entry: Procedure,
        options: &Options,
        loops: Loops,
    ) -> Result<System, Refused> {
        let globals = coder.program.globals.iter().enumerate();
        let shared = globals.map(|(number, &variable)| (variable, number)).collect();
        let attributes = &coder.program.procedures[entry].attributes;
        let mut system = System {
            codes: Vec::new(),
            pools: Vec::new(),
            pool_of: FxHashMap::default(),
            joined: BTreeMap::new(),
            facts: Vec::new(),
            heads: Vec::new(),
            before_join: FxHashMap::default(),
            finds_deadlocks: Mark::DeadlockFree.is_in(attributes),
            counted: false,
            shared,
        };
        system.add_codes(entry, coder)?;
        system.count_executions(options);
        if options.guards == Guards::Open && !guards::open(coder.program, &mut system) {
            let (what, span) = ("guards to be left open".to_owned(), coder.program.procedures[entry].span);
            return Err(Refused::Unsupported { what, span });
        }
        let program = &*coder.program;
        if ir::accesses::watches(program) {
            system.codes.iter_mut().for_each(|code| code.find_accesses(program));
        }
        system.drop_irrelevant(program);
        for code in &mut system.codes {
            code.skip_gotos();
        }
        if loops == Loops::Counted {
            system.count_loops(program);
        }
        system.find_joins(program);
        sections::merge(program, &mut system);
        for code in &mut system.codes {
            code.skip_gotos();
        }
        system.heads = system.codes.iter().map(loop_heads).collect();
        system.find_facts(program);
        Ok(system)
    }

    /// The code of all threads, and a pool for every fork statement.
    fn add_codes(&mut self, entry: Procedure, coder: &mut Coder<'_>) -> Result<(), Refused> {
        let mut known = vec![entry];
        let mut next = 0;
        while let Some(&procedure) = known.get(next) {
            let code = coder.code(procedure)?;
            for (number, node) in code.nodes.iter().enumerate() {
                let Action::Fork { procedure, thread, .. } = &node.action else { continue };
                if *procedure == entry {
                    let what = "a thread that runs the main procedure".to_owned();
                    return Err(Refused::Unsupported { what, span: node.span });
                }
                let position = known.iter().position(|known| known == procedure).unwrap_or_else(|| {
                    known.push(*procedure);
                    known.len() - 1
                });
                self.pool_of.insert((next, number), self.pools.len());
                self.pools.push(Pool {
                    code: position,
                    site: (next, number),
                    thread: thread.clone(),
                    slots: 0,
                    scarce: false,
                    joinable: false,
                    compared: false,
                });
            }
            self.codes.push(code);
            next += 1;
        }
        Ok(())
    }

    /// Leaves out assignments to variables on which neither the flow of control nor an assertion depends.
    fn drop_irrelevant(&mut self, program: &Program) {
        let mut relevant: FxHashSet<Variable> = FxHashSet::default();
        let mut flows: FxHashMap<Variable, Vec<Variable>> = FxHashMap::default();
        let read = |exprs: &[Expr]| -> Vec<Variable> {
            let parts = program.expressions.post_order(exprs.iter().copied());
            let variables = parts.into_iter().filter_map(|part| match program.expressions[part] {
                ExprData::Variable(variable) | ExprData::Old(variable) => Some(variable),
                _ => None,
            });
            variables.collect()
        };
        let mut roots: Vec<Variable> = Vec::new();
        for code in &self.codes {
            for &(kept, global) in &code.snapshots {
                flows.entry(kept).or_default().push(global);
            }
            let steps = code.nodes.iter().filter_map(|node| match &node.action {
                Action::Step(statements) => Some(statements),
                _ => None,
            });
            for statement in steps.flatten().chain(&code.start) {
                match &statement.kind {
                    StatementKind::Assign(assignments) => {
                        for &(to, value) in assignments {
                            flows.entry(to).or_default().extend(read(&[value]));
                        }
                    }
                    StatementKind::Havoc(variables) => {
                        let clauses = variables.iter().filter_map(|&v| program.variables[v].where_clause);
                        roots.extend(read(&clauses.collect::<Vec<_>>()));
                    }
                    StatementKind::Call { procedure, arguments, .. } => {
                        roots.extend(read(arguments));
                        roots.extend(read(&contract(program, *procedure)));
                    }
                    kind => roots.extend(read(&values(kind))),
                }
            }
            for node in &code.nodes {
                for access in &node.accesses {
                    roots.extend(read(&access.path));
                    roots.extend(access.guards.iter().flat_map(|&(guard, _)| read(&[guard])));
                }
                match &node.action {
                    Action::Branch(condition) => roots.extend(read(&[*condition])),
                    Action::Fork { thread, procedure, arguments } => {
                        roots.extend(read(thread));
                        let parameters = &program.procedures[*procedure].parameters;
                        for (&parameter, &argument) in parameters.iter().zip(arguments) {
                            flows.entry(parameter).or_default().extend(read(&[argument]));
                        }
                    }
                    Action::Join { thread, results } => {
                        roots.extend(read(thread));
                        // Any procedure with as many results may be the one that is joined.
                        for code in &self.codes {
                            let given = &program.procedures[code.procedure].results;
                            for (&to, &from) in results.iter().zip(given) {
                                flows.entry(to).or_default().push(from);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        while let Some(variable) = roots.pop() {
            if relevant.insert(variable) {
                roots.extend(flows.get(&variable).into_iter().flatten());
            }
        }
        let relevant = |variable: Variable| {
            relevant.contains(&variable) || program.variables[variable].where_clause.is_some()
        };
        for code in &mut self.codes {
            for node in &mut code.nodes {
                if let Action::Step(statements) = &mut node.action {
                    statements.retain_mut(|statement| keep(statement, relevant));
                }
            }
            code.start.retain_mut(|statement| keep(statement, relevant));
        }
    }

    /// How many slots the pools need.
    fn count_executions(&mut self, options: &Options) {
        let on_cycle: Vec<Vec<bool>> = self.codes.iter().map(on_cycle).collect();
        // Threads that start threads of their own kind could do so for ever: then the count does not settle.
        let mut executions: Vec<Option<usize>> = vec![Some(0); self.pools.len()];
        for round in 0.. {
            let mut changed = false;
            for pool in 0..self.pools.len() {
                let (code, node) = self.pools[pool].site;
                let runs = if code == 0 {
                    Some(1)
                } else {
                    let pools = (0..self.pools.len()).filter(|&p| self.pools[p].code == code);
                    pools.map(|p| executions[p]).try_fold(0_usize, |sum, count| Some(sum + count?))
                };
                let runs = if on_cycle[code][node] || round > self.pools.len() { None } else { runs };
                if executions[pool] != runs && executions[pool].is_some() {
                    executions[pool] = runs;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for (pool, executions) in self.pools.iter_mut().zip(executions) {
            let bound = options.instances.max(1);
            pool.slots = match executions {
                Some(count) if count <= ALWAYS => count,
                Some(count) => count.min(bound),
                None => bound,
            };
            pool.scarce = executions.is_none_or(|count| count > pool.slots);
        }
    }

    /// Gives slots to the threads that loops of the first thread start, where it is known how many there are.
    fn count_loops(&mut self, program: &Program) {
        let in_loops = |pool: &Pool| pool.site.0 == 0 && pool.scarce;
        if !self.pools.iter().any(in_loops) {
            return;
        }
        let constants = Constants::new(program, self, Follow::NamesAndFlags);
        let executions = counted::executions(program, self, &constants);
        for pool in self.pools.iter_mut().filter(|pool| in_loops(pool)) {
            match executions.get(&pool.site.1) {
                Some(&count) if count <= ALWAYS_IN_LOOPS => {
                    self.counted |= count > pool.slots;
                    (pool.slots, pool.scarce) = (count.max(1), false);
                }
                _ => {}
            }
        }
    }

    /// Which joins may wait for which threads.
    fn find_joins(&mut self, program: &Program) {
        for (code, data) in self.codes.iter().enumerate() {
            for (number, node) in data.nodes.iter().enumerate() {
                let Action::Join { thread, results } = &node.action else { continue };
                let mut pools = Vec::new();
                for (position, pool) in self.pools.iter_mut().enumerate() {
                    let procedure = &program.procedures[self.codes[pool.code].procedure];
                    let ty = |variable: Variable| program.variables[variable].ty;
                    let fits = results.is_empty()
                        || (results.len() == procedure.results.len()
                            && results.iter().zip(&procedure.results).all(|(&to, &from)| ty(to) == ty(from)));
                    if !fits || thread.len() != pool.thread.len() {
                        continue;
                    }
                    let parts = thread.iter().zip(&pool.thread);
                    let same: Vec<Option<bool>> =
                        parts.map(|(&left, &right)| surely_equal(program, left, right)).collect();
                    if same.contains(&Some(false)) {
                        continue;
                    }
                    let sure = same.iter().all(|same| *same == Some(true));
                    pool.joinable = true;
                    pool.compared |= !sure;
                    pools.push((position, sure));
                }
                self.joined.insert((code, number), pools);
            }
        }
    }

    /// At how many places threads can be, all of them together.
    pub(crate) fn places(&self) -> usize {
        let others = self.pools.iter().map(|pool| pool.slots * self.codes[pool.code].nodes.len());
        self.codes[0].nodes.len() + others.sum::<usize>()
    }

    fn bound(&self) -> usize {
        self.shared.len() + 2 * self.pools.len()
    }

    /// Stands for how many slots of a pool are free.
    fn capacity(&self, pool: usize) -> usize {
        self.shared.len() + 2 * pool
    }

    /// Stands for which threads of a pool are over.
    pub(crate) fn finished(&self, pool: usize) -> usize {
        self.shared.len() + 2 * pool + 1
    }

    fn find_facts(&mut self, program: &Program) {
        let mut facts: Vec<Vec<Facts>> = Vec::new();
        let mut variables = Bits::new(self.bound());
        (0..self.shared.len()).for_each(|number| variables.insert(number));
        for code in 0..self.codes.len() {
            let mut of_code = Vec::new();
            for node in 0..self.codes[code].nodes.len() {
                let mut step = self.accesses(program, code, node);
                let (can_fail, total) = self.outcomes(program, code, node);
                let action = &self.codes[code].nodes[node].action;
                let mut alone = Accesses {
                    reads: step.reads.intersection(&variables),
                    writes: step.writes.intersection(&variables),
                };
                let meets = matches!(action, Action::Fork { .. } | Action::Join { .. });
                let mut watched = self.watched(code, node);
                [&mut step, &mut watched, &mut alone].into_iter().for_each(Accesses::settle);
                of_code.push(Facts { future: step.clone(), step, watched, can_fail, total, alone, meets });
            }
            facts.push(of_code);
        }
        let order = self.last_first();
        for pool in 0..self.pools.len() {
            let waits = |&place: &(usize, usize)| self.waits_for(pool, place);
            let waiting: Vec<(usize, usize)> = self.joined.keys().copied().filter(waits).collect();
            if !waiting.is_empty() {
                let mut before = facts.clone();
                for (code, node) in waiting {
                    // Nobody comes here as long as the thread is not over.
                    before[code][node].future = Accesses::new(self.bound());
                }
                self.futures(&order, &mut before, Some(pool));
                let futures = |facts: Vec<Facts>| {
                    let settled = |mut facts: Facts| {
                        facts.future.settle();
                        facts.future
                    };
                    facts.into_iter().map(settled).collect()
                };
                self.before_join.insert(pool, before.into_iter().map(futures).collect());
            }
        }
        self.futures(&order, &mut facts, None);
        self.sections(&mut facts);
        for Facts { step, future, watched, .. } in facts.iter_mut().flatten() {
            [step, future, watched].into_iter().for_each(Accesses::settle);
        }
        self.facts = facts;
    }

    /// What a thread can access from a node on, as long as a thread of the pool does not go on.
    pub(crate) fn future_without(&self, pool: Option<usize>, code: usize, node: usize) -> &Accesses {
        match pool.and_then(|pool| self.before_join.get(&pool)) {
            Some(futures) => &futures[code][node],
            None => &self.facts[code][node].future,
        }
    }

    /// The pool, if it makes a difference what others do while its thread does nothing.
    pub(crate) fn until(&self, pool: Option<usize>) -> Option<usize> {
        pool.filter(|pool| self.before_join.contains_key(pool))
    }

    /// Whether nobody goes beyond a place as long as the thread of the pool does nothing.
    pub(crate) fn waits_for(&self, pool: usize, place: (usize, usize)) -> bool {
        let joined = self.joined.get(&place);
        self.pools[pool].slots == 1 && joined.is_some_and(|joined| joined[..] == [(pool, true)])
    }

    /// Where a thread, and one that it starts, can be behind a node.
    fn later(&self, (code, node): (usize, usize)) -> impl Iterator<Item = (usize, usize)> + '_ {
        let started = self.pool_of.get(&(code, node)).map(|&pool| self.pools[pool].code);
        let started = started.map(|started| (started, self.codes[started].entry));
        self.codes[code].nodes[node].next.iter().map(move |&next| (code, next)).chain(started)
    }

    /// All nodes, those behind a node before it where there is no loop.
    fn last_first(&self) -> Vec<(usize, usize)> {
        let mut seen: Vec<Vec<bool>> = self.codes.iter().map(|code| vec![false; code.nodes.len()]).collect();
        let mut order = Vec::new();
        let first = [(0, self.codes[0].entry)];
        let rest = self.codes.iter().enumerate();
        let rest = rest.flat_map(|(code, data)| (0..data.nodes.len()).map(move |node| (code, node)));
        for root in first.into_iter().chain(rest) {
            if std::mem::replace(&mut seen[root.0][root.1], true) {
                continue;
            }
            let mut stack = vec![(root, self.later(root))];
            while let Some((place, later)) = stack.last_mut() {
                match later.find(|&(code, node)| !seen[code][node]) {
                    Some(next) => {
                        seen[next.0][next.1] = true;
                        stack.push((next, self.later(next)));
                    }
                    None => {
                        order.push(*place);
                        stack.pop();
                    }
                }
            }
        }
        order
    }

    /// Adds what happens later, until nothing is new; nothing happens behind a join that surely waits for the pool.
    fn futures(&self, order: &[(usize, usize)], facts: &mut [Vec<Facts>], until: Option<usize>) {
        let waits = |&place: &(usize, usize)| until.is_some_and(|pool| self.waits_for(pool, place));
        loop {
            let mut changed = false;
            for &(code, node) in order.iter().filter(|place| !waits(place)) {
                let mut future = std::mem::take(&mut facts[code][node].future);
                let mut watched = std::mem::take(&mut facts[code][node].watched);
                let Facts { mut can_fail, mut meets, .. } = facts[code][node];
                for (other, next) in self.later((code, node)).filter(|&later| later != (code, node)) {
                    let later = &facts[other][next];
                    changed |= future.unite(&later.future);
                    changed |= watched.unite(&later.watched);
                    changed |= (later.can_fail && !can_fail) || (later.meets && !meets);
                    can_fail |= later.can_fail;
                    meets |= later.meets;
                }
                let own = &mut facts[code][node];
                (own.future, own.watched, own.can_fail, own.meets) = (future, watched, can_fail, meets);
            }
            if !changed {
                break;
            }
        }
    }

    /// The beginning of an atomic part stands for all of it.
    fn sections(&self, facts: &mut [Vec<Facts>]) {
        for (code, data) in self.codes.iter().enumerate() {
            let single: Vec<(Accesses, bool)> =
                facts[code].iter().map(|facts| (facts.step.clone(), facts.total)).collect();
            for (node, node_data) in data.nodes.iter().enumerate() {
                if !matches!(node_data.action, Action::Atomic(Boundary::Begin)) {
                    continue;
                }
                let mut step = Accesses::new(self.bound());
                let mut total = true;
                let mut seen: FxHashSet<(usize, usize)> = FxHashSet::default();
                let mut pending = vec![(node, 0_usize)];
                while let Some((at, depth)) = pending.pop() {
                    if !seen.insert((at, depth)) || depth > data.nodes.len() {
                        continue;
                    }
                    let depth = match data.nodes[at].action {
                        Action::Atomic(Boundary::Begin) => depth + 1,
                        Action::Atomic(Boundary::End) => depth.saturating_sub(1),
                        _ => depth,
                    };
                    step.unite(&single[at].0);
                    total &= single[at].1;
                    if depth > 0 {
                        // A part that can come back to one of its steps might not end.
                        let again = |next: &usize| {
                            let known = seen.contains(&(*next, depth));
                            known && reaches(data, *next, at)
                        };
                        total &= !data.nodes[at].next.iter().any(again);
                        pending.extend(data.nodes[at].next.iter().map(|&next| (next, depth)));
                    }
                }
                facts[code][node].step = step;
                facts[code][node].total = total;
            }
        }
    }

    fn read(&self, program: &Program, exprs: impl IntoIterator<Item = Expr>, accesses: &mut Accesses) {
        for part in program.expressions.post_order(exprs) {
            if let ExprData::Variable(variable) = program.expressions[part]
                && let Some(&number) = self.shared.get(&variable)
            {
                accesses.reads.insert(number);
            }
        }
    }

    fn write(&self, variables: &[Variable], accesses: &mut Accesses) {
        for variable in variables {
            if let Some(&number) = self.shared.get(variable) {
                accesses.writes.insert(number);
            }
        }
    }

    fn statement(&self, program: &Program, statement: &Statement, accesses: &mut Accesses) {
        self.read(program, values(&statement.kind), accesses);
        match &statement.kind {
            StatementKind::Assign(assignments) => {
                let targets: Vec<Variable> = assignments.iter().map(|&(to, _)| to).collect();
                self.write(&targets, accesses);
            }
            StatementKind::Havoc(variables) => {
                self.write(variables, accesses);
                let clauses = variables.iter().filter_map(|&v| program.variables[v].where_clause);
                self.read(program, clauses, accesses);
            }
            StatementKind::Call { procedure, results, .. } => {
                let data = &program.procedures[*procedure];
                self.write(results, accesses);
                self.write(&data.modifies, accesses);
                let exprs = contract(program, *procedure);
                // An old value is read as the present one is.
                for part in program.expressions.post_order(exprs.iter().copied()) {
                    if let ExprData::Old(variable) = program.expressions[part] {
                        accesses.reads.insert(self.shared[&variable]);
                    }
                }
                self.read(program, exprs, accesses);
            }
            _ => {}
        }
    }

    /// What a step accesses of watched variables.
    fn watched(&self, code: usize, node: usize) -> Accesses {
        let mut watched = Accesses::new(self.bound());
        for access in &self.codes[code].nodes[node].accesses {
            let number = self.shared[&access.variable];
            if access.write { &mut watched.writes } else { &mut watched.reads }.insert(number);
        }
        watched
    }

    pub(crate) fn accesses(&self, program: &Program, code: usize, node: usize) -> Accesses {
        let mut accesses = self.watched(code, node);
        match &self.codes[code].nodes[node].action {
            Action::Step(statements) => {
                for statement in statements {
                    self.statement(program, statement, &mut accesses);
                }
            }
            Action::Branch(condition) => self.read(program, [*condition], &mut accesses),
            Action::Fork { thread, arguments, .. } => {
                self.read(program, thread.iter().chain(arguments).copied(), &mut accesses);
                let pool = self.pool_of[&(code, node)];
                let started = &self.codes[self.pools[pool].code];
                for &(_, global) in &started.snapshots {
                    accesses.reads.insert(self.shared[&global]);
                }
                for statement in &started.start {
                    self.statement(program, statement, &mut accesses);
                }
                if self.pools[pool].scarce {
                    accesses.reads.insert(self.capacity(pool));
                    accesses.writes.insert(self.capacity(pool));
                }
            }
            Action::Join { thread, results } => {
                self.read(program, thread.iter().copied(), &mut accesses);
                self.write(results, &mut accesses);
                for &(pool, _) in &self.joined[&(code, node)] {
                    accesses.reads.insert(self.finished(pool));
                    accesses.writes.insert(self.finished(pool));
                    if self.pools[pool].scarce {
                        accesses.writes.insert(self.capacity(pool));
                    }
                }
            }
            Action::End => {
                for (number, pool) in self.pools.iter().enumerate().filter(|(_, pool)| pool.code == code) {
                    if pool.joinable {
                        accesses.writes.insert(self.finished(number));
                    } else if pool.scarce {
                        accesses.writes.insert(self.capacity(number));
                    }
                }
            }
            Action::Goto | Action::Atomic(_) => {}
        }
        accesses
    }

    /// Whether a step can fail, and whether it is always possible.
    fn outcomes(&self, program: &Program, code: usize, node: usize) -> (bool, bool) {
        let statement = |statement: &Statement| match &statement.kind {
            StatementKind::Assert(..) => (true, true),
            StatementKind::Assume(_) => (false, false),
            StatementKind::Havoc(variables) => {
                let bounded = |v: &Variable| {
                    let data = &program.variables[*v];
                    data.kind == VariableKind::Global && data.where_clause.is_some()
                };
                (false, !variables.iter().any(bounded))
            }
            StatementKind::Call { procedure, .. } => {
                let demands = |procedure: Procedure| {
                    program.procedures[procedure].requires.iter().any(|clause| !clause.free)
                };
                let inside = recursion::is_kept(program, statement);
                let fails = |statement: &Statement| match statement.kind {
                    StatementKind::Assert(..) => true,
                    StatementKind::Call { procedure, .. } => demands(procedure),
                    _ => false,
                };
                let ensures = |procedure: Procedure| {
                    program.procedures[procedure].ensures.iter().any(|clause| !clause.free)
                };
                let inner = inside.is_some_and(|procedure| {
                    let all = recursion::all_statements(program, procedure);
                    all.into_iter().any(fails) || recursion::all(program, procedure).into_iter().any(ensures)
                });
                (demands(*procedure) || inner, false)
            }
            _ => (false, true),
        };
        let all = |statements: &[Statement]| {
            let outcomes = statements.iter().map(statement);
            outcomes.fold((false, true), |(fails, total), one| (fails || one.0, total && one.1))
        };
        match &self.codes[code].nodes[node].action {
            Action::Step(statements) => all(statements),
            Action::Fork { .. } => {
                let pool = &self.pools[self.pool_of[&(code, node)]];
                let (fails, total) = all(&self.codes[pool.code].start);
                (fails || pool.scarce, total && !pool.scarce)
            }
            Action::Join { .. } => (false, false),
            Action::Goto => (false, !self.codes[code].nodes[node].next.contains(&node)),
            Action::Branch(_) | Action::Atomic(_) | Action::End => (false, true),
        }
    }

    /// Whether a thread, or one that it starts, may write a global from a node on.
    pub(crate) fn may_write(&self, (code, node): (usize, usize), global: Variable) -> bool {
        let number = self.shared.get(&global);
        number.is_some_and(|&number| self.facts[code][node].future.writes.contains(number))
    }

    /// Whether what happens to one thread's slot is of interest to threads that read this.
    pub(crate) fn awaits(&self, pool: usize, reads: &Bits) -> bool {
        reads.contains(self.finished(pool))
    }

    /// The shared variables in a set of reads, without the numbers that stand for capacities.
    pub(crate) fn without_capacities(&self) -> Bits {
        let mut bits = Bits::new(self.bound());
        for number in 0..self.shared.len() {
            bits.insert(number);
        }
        for pool in 0..self.pools.len() {
            bits.insert(self.finished(pool));
        }
        bits
    }

    /// The nodes of the first thread that are only reached before it has started another.
    pub(crate) fn before_forks(&self) -> Vec<bool> {
        let nodes = &self.codes[0].nodes;
        let mut alone = vec![true; nodes.len()];
        let forks = nodes.iter().filter(|node| matches!(node.action, Action::Fork { .. }));
        let mut pending: Vec<usize> = forks.flat_map(|node| node.next.iter().copied()).collect();
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut alone[node], false) {
                pending.extend(&nodes[node].next);
            }
        }
        alone
    }

    pub(crate) fn span(&self, code: usize, node: usize) -> Span {
        self.codes[code].nodes[node].span
    }
}

/// The formulas that say what a call does that is one step: those of a contract, or, where a call of a procedure with a body stays, all of it.
pub(crate) fn contract(program: &Program, procedure: Procedure) -> Vec<Expr> {
    let data = &program.procedures[procedure];
    if data.body.is_some() {
        return recursion::expressions(program, procedure);
    }
    let wild = data.modifies.iter().chain(&data.results);
    let clauses = wild.filter_map(|&variable| program.variables[variable].where_clause);
    data.requires.iter().chain(&data.ensures).map(|clause| clause.condition).chain(clauses).collect()
}

/// Whether something of a statement is left when only relevant variables are assigned.
fn keep(statement: &mut Statement, relevant: impl Fn(Variable) -> bool) -> bool {
    match &mut statement.kind {
        StatementKind::Assign(assignments) => {
            assignments.retain(|&(to, _)| relevant(to));
            !assignments.is_empty()
        }
        StatementKind::Havoc(variables) => {
            variables.retain(|&variable| relevant(variable));
            !variables.is_empty()
        }
        _ => true,
    }
}

/// Whether two expressions have the same value, where literals tell.
fn surely_equal(program: &Program, left: Expr, right: Expr) -> Option<bool> {
    if program.ty(left) != program.ty(right) {
        return Some(false);
    }
    match (&program.expressions[left], &program.expressions[right]) {
        (ExprData::Int(left), ExprData::Int(right)) => Some(left == right),
        (ExprData::Bool(left), ExprData::Bool(right)) => Some(left == right),
        (ExprData::BitVec { value: left, .. }, ExprData::BitVec { value: right, .. }) => Some(left == right),
        _ => None,
    }
}

fn reaches(code: &Code, from: usize, to: usize) -> bool {
    let mut seen = vec![false; code.nodes.len()];
    let mut pending = vec![from];
    while let Some(node) = pending.pop() {
        if node == to {
            return true;
        }
        if !std::mem::replace(&mut seen[node], true) {
            pending.extend(&code.nodes[node].next);
        }
    }
    false
}

/// The targets of edges that lead back to a node on the way of a depth-first search.
fn loop_heads(code: &Code) -> Vec<bool> {
    let mut heads = vec![false; code.nodes.len()];
    let (mut seen, mut on_way) = (heads.clone(), heads.clone());
    let mut stack = vec![(code.entry, 0)];
    seen[code.entry] = true;
    on_way[code.entry] = true;
    while let Some((node, position)) = stack.last_mut() {
        match code.nodes[*node].next.get(*position) {
            Some(&next) => {
                *position += 1;
                heads[next] |= on_way[next];
                if !std::mem::replace(&mut seen[next], true) {
                    on_way[next] = true;
                    stack.push((next, 0));
                }
            }
            None => {
                on_way[*node] = false;
                stack.pop();
            }
        }
    }
    heads
}

/// The nodes that can come again. Only those of forks are of interest.
fn on_cycle(code: &Code) -> Vec<bool> {
    let fork = |node: usize| matches!(code.nodes[node].action, Action::Fork { .. });
    let again = |node: usize| code.nodes[node].next.iter().any(|&next| reaches(code, next, node));
    (0..code.nodes.len()).map(|node| fork(node) && again(node)).collect()
}
