//! Critical sections as atomic parts.
//!
//! A global variable is a *lock* if threads use it in one way only: in an atomic part they wait until it has a fixed value, *free*, and give
//! it another; then they *hold* it; and whoever holds it, and nobody else, sets it free. Then no two threads hold it at
//! once: who takes it has found it free, and nobody else writes it until it is free again. Before other threads are there, the first one may do to it whatever it likes.
//!
//! What a thread does from taking a lock to giving it back becomes one atomic part if nothing of it conflicts with a step that another
//! thread may take at the same time without the lock. (Lipton, "Reduction: a method of proving properties of parallel programs".)
//! Take any execution to an error. While a thread holds the lock, what others do can be moved in front of the
//! step that takes it: they do not hold the lock, so neither sees what the other writes. If the thread has not given the lock back when another one fails, what it did
//! since it took the lock is not needed. So there is an execution to an error in which no section is interrupted.
//!
//! That makes fewer states, and sections of different threads can often be exchanged as a whole ([`crate::exchange`]), such as
//! additions to one number, where their single steps cannot.
//!
//! Requires that it is no error if threads meet or wait: then the steps in sections matter. Sections with loops stay as they are: atomic parts with loops are
//! hard to reason about. Cost: for every lock, the size of the codes that mention it, and for every section, the places that access what it accesses.

use crate::bits::Accesses;
use crate::code::{Action, Code, Node, assigned, values};
use crate::system::{System, contract};
use ir::{
    BinaryOp, Boundary, Expr, ExprData, Program, Statement, StatementKind, Type, UnaryOp, Variable,
    VariableKind,
};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// In larger code, sections are not looked for.
const MOST_NODES: usize = 200_000;

/// Makes atomic parts of the critical sections of all locks.
pub(crate) fn merge(program: &Program, system: &mut System) {
    let nodes: usize = system.codes.iter().map(|code| code.nodes.len()).sum();
    if nodes > MOST_NODES || system.finds_deadlocks || ir::accesses::watches(program) {
        return;
    }
    let candidates = candidates(program, system);
    if candidates.is_empty() {
        return;
    }
    let uses = Uses::of(program, system);
    let Some(shape) = Shape::of(system) else { return };
    for lock in candidates {
        let Some(held) = Held::of(program, system, (&uses, &shape), lock) else { continue };
        // All sections are looked at before one of them is changed: they do not depend on each other.
        let mut found = held.sections(system);
        found.retain(|section| is_undisturbed(system, (&uses, &shape), &held, section));
        for section in &found {
            section.make_atomic(system);
        }
        // Only the ends of atomic parts are new, which use nothing, and where they are is of interest to nobody.
        shape.concurrency.alive.borrow_mut().clear();
    }
}

/// Which variables are used where. The parts that are made atomic use no others, so that is found out once.
struct Uses {
    /// For every node, the variables that it mentions, in ascending order.
    mentioned: Vec<Vec<Vec<Variable>>>,
    /// The codes in which a variable is mentioned.
    codes: FxHashMap<Variable, BTreeSet<usize>>,
    /// The variables that are mentioned in the step that starts a thread.
    at_start: FxHashSet<Variable>,
    /// For every node, the numbers of what it accesses, and whether it writes it.
    accesses: Vec<Vec<Vec<(usize, bool)>>>,
    /// Where that happens.
    sites: FxHashMap<usize, Vec<(usize, usize, bool)>>,
}

impl Uses {
    fn of(program: &Program, system: &System) -> Uses {
        let mut uses = Uses {
            mentioned: Vec::new(),
            codes: FxHashMap::default(),
            at_start: FxHashSet::default(),
            accesses: Vec::new(),
            sites: FxHashMap::default(),
        };
        for (code, data) in system.codes.iter().enumerate() {
            uses.at_start.extend(data.start.iter().flat_map(|statement| mentioned(program, statement)));
            let of_node = |node: &Node| {
                let mut found = match &node.action {
                    Action::Step(statements) => {
                        statements.iter().flat_map(|statement| mentioned(program, statement)).collect()
                    }
                    Action::Branch(condition) => variables(program, [*condition]),
                    Action::Fork { thread, arguments, .. } => {
                        variables(program, thread.iter().chain(arguments).copied())
                    }
                    Action::Join { thread, results } => {
                        let mut found = variables(program, thread.iter().copied());
                        found.extend(results);
                        found
                    }
                    Action::Goto | Action::Atomic(_) | Action::End => Vec::new(),
                };
                found.sort_unstable();
                found.dedup();
                found
            };
            let of_code: Vec<Vec<Variable>> = data.nodes.iter().map(of_node).collect();
            for &variable in of_code.iter().flatten() {
                uses.codes.entry(variable).or_default().insert(code);
            }
            uses.mentioned.push(of_code);
            let mut accesses = Vec::new();
            for node in 0..data.nodes.len() {
                let Accesses { reads, writes } = system.accesses(program, code, node);
                let found = reads.members().map(|number| (number, false));
                let found: Vec<_> = found.chain(writes.members().map(|number| (number, true))).collect();
                for &(number, write) in &found {
                    uses.sites.entry(number).or_default().push((code, node, write));
                }
                accesses.push(found);
            }
            uses.accesses.push(accesses);
        }
        uses
    }

    fn mentions(&self, (code, node): (usize, usize), variable: Variable) -> bool {
        self.mentioned[code].get(node).is_some_and(|found| found.binary_search(&variable).is_ok())
    }
}

/// The variables in expressions, with their old values.
fn variables(program: &Program, exprs: impl IntoIterator<Item = Expr>) -> Vec<Variable> {
    let parts = program.expressions.post_order(exprs).into_iter();
    let variable = |part| match program.expressions[part] {
        ExprData::Variable(variable) | ExprData::Old(variable) => Some(variable),
        _ => None,
    };
    parts.filter_map(variable).collect()
}

/// The variables that a statement evaluates, writes, or has in a contract.
fn mentioned(program: &Program, statement: &Statement) -> Vec<Variable> {
    let mut found = variables(program, values(&statement.kind));
    found.extend(assigned(statement));
    if let StatementKind::Call { procedure, .. } = &statement.kind {
        found.extend(&program.procedures[*procedure].modifies);
        found.extend(variables(program, contract(program, *procedure)));
    }
    found
}

/// Where threads can come, and which of them may be there at the same time.
struct Shape {
    /// The nodes that can be reached.
    reached: Vec<Vec<bool>>,
    /// The nodes of the first thread that are only reached before it has started another.
    alone: Vec<bool>,
    concurrency: Concurrency,
}

impl Shape {
    /// Nothing if a thread can come to a node in different depths of atomic parts.
    fn of(system: &System) -> Option<Shape> {
        let reached = |code: &Code| Some(depths(code)?.into_iter().map(|depth| depth.is_some()).collect());
        let reached = system.codes.iter().map(reached).collect::<Option<Vec<_>>>()?;
        Some(Shape { reached, alone: system.before_forks(), concurrency: Concurrency::of(system) })
    }
}

/// For every node that can be reached, how deep a thread is in atomic parts before it.
fn depths(code: &Code) -> Option<Vec<Option<usize>>> {
    let mut depths: Vec<Option<usize>> = vec![None; code.nodes.len()];
    depths[code.entry] = Some(0);
    let mut pending = vec![code.entry];
    while let Some(node) = pending.pop() {
        let depth = depths[node]?;
        let after = match code.nodes[node].action {
            Action::Atomic(Boundary::Begin) => depth + 1,
            Action::Atomic(Boundary::End) => depth.saturating_sub(1),
            _ => depth,
        };
        for &next in &code.nodes[node].next {
            match depths[next] {
                None => {
                    depths[next] = Some(after);
                    pending.push(next);
                }
                Some(known) if known == after => {}
                Some(_) => return None,
            }
        }
    }
    Some(depths)
}

/// The value of a literal.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Literal {
    Number(BigInt),
    Truth(bool),
}

fn literal(program: &Program, expr: Expr) -> Option<Literal> {
    match &program.expressions[expr] {
        ExprData::Int(number) => Some(Literal::Number(number.clone())),
        ExprData::Bool(truth) => Some(Literal::Truth(*truth)),
        _ => None,
    }
}

/// The value that a condition demands of a variable.
fn demanded(program: &Program, condition: Expr, lock: Variable) -> Option<Literal> {
    let is_lock = |expr: Expr| matches!(program.expressions[expr], ExprData::Variable(v) if v == lock);
    let mut pending = vec![condition];
    while let Some(expr) = pending.pop() {
        match program.expressions[expr] {
            ExprData::Binary(BinaryOp::And, left, right) => pending.extend([right, left]),
            ExprData::Binary(BinaryOp::Equal, left, right) if is_lock(left) => {
                if let Some(value) = literal(program, right) {
                    return Some(value);
                }
            }
            ExprData::Binary(BinaryOp::Equal, left, right) if is_lock(right) => {
                if let Some(value) = literal(program, left) {
                    return Some(value);
                }
            }
            ExprData::Unary(UnaryOp::Not, operand) if is_lock(operand) => return Some(Literal::Truth(false)),
            ExprData::Variable(variable) if variable == lock => return Some(Literal::Truth(true)),
            _ => {}
        }
    }
    None
}

fn mentions(program: &Program, exprs: impl IntoIterator<Item = Expr>, lock: Variable) -> bool {
    program.expressions.post_order(exprs).into_iter().any(
        |part| matches!(program.expressions[part], ExprData::Variable(v) | ExprData::Old(v) if v == lock),
    )
}

/// The globals that may be locks: threads wait for them in atomic parts, and nothing but statements and conditions mentions them.
fn candidates(program: &Program, system: &System) -> Vec<Variable> {
    let mut found: BTreeSet<Variable> = BTreeSet::new();
    let is_simple = |variable: Variable| {
        let data = &program.variables[variable];
        data.where_clause.is_none() && (data.ty == Type::INT || data.ty == Type::BOOL)
    };
    for statement in system.codes.iter().flat_map(|code| &code.nodes).flat_map(statements) {
        let StatementKind::Assume(condition) = statement.kind else { continue };
        for global in variables(program, [condition]) {
            if program.variables[global].kind == VariableKind::Global
                && is_simple(global)
                && !found.contains(&global)
                && demanded(program, condition, global).is_some()
            {
                found.insert(global);
            }
        }
    }
    let clauses = program.variables.values().filter_map(|data| data.where_clause);
    let mut elsewhere: FxHashSet<Variable> = variables(program, clauses).into_iter().collect();
    let kept = system.codes.iter().flat_map(|code| &code.snapshots);
    elsewhere.extend(kept.map(|&(_, global)| global));
    found.into_iter().filter(|lock| !elsewhere.contains(lock)).collect()
}

fn statements(node: &Node) -> &[Statement] {
    match &node.action {
        Action::Step(statements) => statements,
        _ => &[],
    }
}

/// What a thread has to do with a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hold {
    /// Nothing.
    Not,
    /// It has seen in this atomic part that the lock is free.
    SeenFree,
    Held,
}

/// A place in the code of a thread: how deep it is in atomic parts, and whether it holds the lock.
type Place = (u32, Hold);

/// Who holds a lock where, in the codes that mention it. In others, nobody does.
struct Held {
    codes: BTreeMap<usize, HeldIn>,
}

/// Where a thread holds a lock.
struct HeldIn {
    /// For every node that can be reached, what holds before it.
    before: Vec<Option<Place>>,
    /// Whether the step at a node is taken only by one who holds the lock, or finds it free and takes it.
    protected: Vec<bool>,
}

impl Held {
    /// Nothing if the variable is not a lock.
    fn of(
        program: &Program,
        system: &System,
        (uses, shape): (&Uses, &Shape),
        lock: Variable,
    ) -> Option<Held> {
        if uses.at_start.contains(&lock) {
            return None;
        }
        let mut follower = Follower { program, lock, free: None };
        let mut held = Held { codes: BTreeMap::new() };
        for &code in uses.codes.get(&lock).into_iter().flatten() {
            let data = &system.codes[code];
            let mut before: Vec<Option<Place>> = vec![None; data.nodes.len()];
            let mut protected = vec![false; data.nodes.len()];
            before[data.entry] = Some((0, Hold::Not));
            let mut pending = vec![data.entry];
            while let Some(node) = pending.pop() {
                let place = before[node]?;
                let alone = code == 0 && shape.alone.get(node) == Some(&true);
                let passes = !matches!(data.nodes[node].action, Action::Atomic(_))
                    && !uses.mentions((code, node), lock);
                let (after, is_protected) = match passes {
                    true => (place, place.1 != Hold::Not),
                    false => follower.step(&data.nodes[node], place, alone)?,
                };
                protected[node] = is_protected;
                for &next in &data.nodes[node].next {
                    match before[next] {
                        None => {
                            before[next] = Some(after);
                            pending.push(next);
                        }
                        Some(known) if known == after => {}
                        Some(_) => return None,
                    }
                }
            }
            held.codes.insert(code, HeldIn { before, protected });
        }
        Some(held)
    }

    /// What threads do from where they take the lock to where they give it back.
    fn sections(&self, system: &System) -> Vec<Section> {
        let mut sections = Vec::new();
        for (&code, HeldIn { before, .. }) in &self.codes {
            if !before.iter().flatten().any(|&(_, hold)| hold == Hold::Held) {
                continue;
            }
            for (begin, node) in system.codes[code].nodes.iter().enumerate() {
                if matches!(node.action, Action::Atomic(Boundary::Begin))
                    && before[begin] == Some((0, Hold::Not))
                {
                    sections.extend(self.section(system, code, begin));
                }
            }
        }
        sections
    }

    /// The section that begins with an atomic part; nothing if that does not always take the lock and keep it, or the section has loops,
    /// starts or awaits threads, or ends with the thread.
    fn section(&self, system: &System, code: usize, begin: usize) -> Option<Section> {
        let nodes = &system.codes[code].nodes;
        let mut section = Section { code, nodes: Vec::new(), takes: Vec::new(), gives: Vec::new() };
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let mut pending = vec![begin];
        // First the part that takes the lock.
        while let Some(node) = pending.pop() {
            if !seen.insert(node) {
                continue;
            }
            section.nodes.push(node);
            let (depth, hold) = self.codes[&code].before[node]?;
            match nodes[node].action {
                Action::Fork { .. } | Action::Join { .. } | Action::End => return None,
                Action::Atomic(Boundary::End) if depth == 1 && hold == Hold::Held => section.takes.push(node),
                Action::Atomic(Boundary::End) if depth == 1 => return None,
                _ if hold == Hold::Held && !self.keeps(system, code, node) => return None,
                _ => pending.extend(&nodes[node].next),
            }
        }
        // Then what follows it.
        let first = seen.clone();
        pending.extend(section.takes.iter().flat_map(|&node| &nodes[node].next));
        while let Some(node) = pending.pop() {
            // Control that comes back into the part that takes the lock is too strange.
            if first.contains(&node) {
                return None;
            }
            if !seen.insert(node) {
                continue;
            }
            section.nodes.push(node);
            match nodes[node].action {
                Action::Fork { .. } | Action::Join { .. } | Action::End => return None,
                _ if self.keeps(system, code, node) => pending.extend(&nodes[node].next),
                _ => section.gives.push(node),
            }
        }
        (!section.gives.is_empty() && !section.has_loops(system)).then_some(section)
    }

    /// Whether a thread that holds the lock before a step holds it behind it.
    fn keeps(&self, system: &System, code: usize, node: usize) -> bool {
        let mut next = system.codes[code].nodes[node].next.iter();
        next.all(|&next| self.codes[&code].before[next].is_some_and(|(_, hold)| hold == Hold::Held))
    }
}

/// Follows what a thread does to a lock.
struct Follower<'p> {
    program: &'p Program,
    lock: Variable,
    /// The value of the lock when nobody holds it.
    free: Option<Literal>,
}

impl Follower<'_> {
    /// Whether a statement writes the lock, or a contract speaks of it.
    fn touches(&self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Call { procedure, .. } => {
                let data = &self.program.procedures[*procedure];
                let clauses = contract(self.program, *procedure);
                data.modifies.contains(&self.lock)
                    || assigned(statement).contains(&self.lock)
                    || mentions(self.program, clauses, self.lock)
            }
            _ => assigned(statement).contains(&self.lock),
        }
    }

    /// What holds behind a step, and whether only one who holds the lock takes it, or who takes the lock. Nothing if the step uses the
    /// variable in another way than as a lock.
    fn step(&mut self, node: &Node, (depth, mut hold): Place, alone: bool) -> Option<(Place, bool)> {
        let mut protected = hold != Hold::Not;
        match &node.action {
            Action::Step(statements) => {
                for (number, statement) in statements.iter().enumerate() {
                    let before = hold;
                    hold = self.statement(statement, (depth, hold), alone)?;
                    protected |= number == 0 && (before, hold) == (Hold::Not, Hold::SeenFree);
                }
            }
            Action::Branch(condition) => self.read([*condition], hold, alone)?,
            Action::Fork { thread, arguments, .. } => {
                self.read(thread.iter().chain(arguments).copied(), hold, alone)?;
            }
            Action::Join { thread, results } => {
                self.read(thread.iter().copied(), hold, alone)?;
                if results.contains(&self.lock) {
                    return None;
                }
            }
            Action::Atomic(Boundary::Begin) => return Some(((depth + 1, hold), protected)),
            Action::Atomic(Boundary::End) => {
                // Who has only looked has used the variable for something else.
                if hold == Hold::SeenFree && depth <= 1 {
                    return None;
                }
                return Some(((depth.saturating_sub(1), hold), protected));
            }
            Action::Goto | Action::End => {}
        }
        Some(((depth, hold), protected))
    }

    /// Whether the lock may be read.
    fn read(&self, exprs: impl IntoIterator<Item = Expr>, hold: Hold, alone: bool) -> Option<()> {
        (hold != Hold::Not || alone || !mentions(self.program, exprs, self.lock)).then_some(())
    }

    fn statement(&mut self, statement: &Statement, (depth, hold): Place, alone: bool) -> Option<Hold> {
        let lock = self.lock;
        if let StatementKind::Assume(condition) = statement.kind {
            if hold != Hold::Not || !mentions(self.program, [condition], lock) {
                return Some(hold);
            }
            let value = demanded(self.program, condition, lock);
            if let Some(value) = value.filter(|_| depth > 0) {
                let free = self.free.get_or_insert_with(|| value.clone());
                if *free == value {
                    return Some(Hold::SeenFree);
                }
            }
            return alone.then_some(Hold::Not);
        }
        self.read(values(&statement.kind), hold, alone)?;
        if !self.touches(statement) {
            return Some(hold);
        }
        let value = match &statement.kind {
            StatementKind::Assign(assignments) => {
                let value = assignments.iter().find(|(to, _)| *to == lock).map(|&(_, value)| value);
                value.and_then(|value| literal(self.program, value))
            }
            _ => None,
        };
        let is_free = value.as_ref().map(|value| Some(value) == self.free.as_ref());
        match (hold, is_free) {
            (Hold::Not, _) if alone => Some(Hold::Not),
            (Hold::SeenFree | Hold::Held, Some(false)) => Some(Hold::Held),
            (Hold::Held, Some(true)) => Some(Hold::Not),
            _ => None,
        }
    }
}

/// What a thread does from taking a lock to giving it back.
struct Section {
    code: usize,
    nodes: Vec<usize>,
    /// The ends of the atomic part that takes the lock.
    takes: Vec<usize>,
    /// The steps that give it back.
    gives: Vec<usize>,
}

impl Section {
    fn has_loops(&self, system: &System) -> bool {
        let nodes = &system.codes[self.code].nodes;
        // Nodes without a predecessor that is left, one after the other.
        let inside: FxHashSet<usize> = self.nodes.iter().copied().collect();
        let next = |node: usize| -> Vec<usize> {
            if self.gives.contains(&node) {
                return Vec::new();
            }
            nodes[node].next.iter().copied().filter(|next| inside.contains(next)).collect()
        };
        let mut left: FxHashMap<usize, usize> = self.nodes.iter().map(|&node| (node, 0)).collect();
        for &node in &self.nodes {
            for next in next(node) {
                *left.entry(next).or_default() += 1;
            }
        }
        let mut pending: Vec<usize> = self.nodes.iter().copied().filter(|node| left[node] == 0).collect();
        let mut done = 0;
        while let Some(node) = pending.pop() {
            done += 1;
            for next in next(node) {
                let count = left.entry(next).or_default();
                *count -= 1;
                if *count == 0 {
                    pending.push(next);
                }
            }
        }
        done < self.nodes.len()
    }

    /// The atomic part that takes the lock ends behind the steps that give it back.
    fn make_atomic(&self, system: &mut System) {
        let nodes = &mut system.codes[self.code].nodes;
        for &node in &self.takes {
            nodes[node].action = Action::Goto;
        }
        for &node in &self.gives {
            let end = Node {
                action: Action::Atomic(Boundary::End),
                span: nodes[node].span,
                next: nodes[node].next.clone(),
                place: nodes[node].place,
                accesses: Vec::new(),
            };
            nodes.push(end);
            nodes[node].next = vec![nodes.len() - 1];
        }
    }
}

/// Which threads may be there at the same time.
struct Concurrency {
    /// For a pool, the nodes of the first thread at which its threads may be there, if somebody has asked.
    alive: RefCell<FxHashMap<usize, Vec<bool>>>,
    /// The codes that are run once at most.
    single: Vec<bool>,
    /// The pools whose threads run a code.
    pools: Vec<Vec<usize>>,
}

impl Concurrency {
    fn of(system: &System) -> Concurrency {
        let mut pools: Vec<Vec<usize>> = vec![Vec::new(); system.codes.len()];
        system.pools.iter().enumerate().for_each(|(number, pool)| pools[pool.code].push(number));
        let single = |(code, pools): (usize, &Vec<usize>)| match pools[..] {
            [pool] => system.pools[pool].slots == 1 && !system.pools[pool].scarce,
            _ => code == 0,
        };
        let single = pools.iter().enumerate().map(single).collect();
        Concurrency { alive: RefCell::default(), single, pools }
    }

    /// Whether a thread of a pool may be there when the first thread is at a node.
    fn is_alive(&self, system: &System, alone: &[bool], pool: usize, node: usize) -> bool {
        let mut alive = self.alive.borrow_mut();
        let of_pool = alive.entry(pool).or_insert_with(|| {
            let data = &system.pools[pool];
            let (code, fork) = data.site;
            if code > 0 {
                return alone.iter().map(|alone| !alone).collect();
            }
            let nodes = &system.codes[0].nodes;
            let mut of_pool = vec![false; nodes.len()];
            let mut pending = nodes[fork].next.clone();
            while let Some(node) = pending.pop() {
                if !std::mem::replace(&mut of_pool[node], true)
                    && (data.scarce || !system.waits_for(pool, (0, node)))
                {
                    pending.extend(&nodes[node].next);
                }
            }
            of_pool
        });
        // Of nodes that are new nothing else is known.
        of_pool.get(node).copied().unwrap_or(true)
    }
}

impl Shape {
    /// Whether a thread may be at a node while another one is in a section.
    fn is_possible(&self, system: &System, section: &Section, (code, node): (usize, usize)) -> bool {
        let concurrency = &self.concurrency;
        let alive = |pool: usize, node: usize| concurrency.is_alive(system, &self.alone, pool, node);
        let pools_of = |code: usize| concurrency.pools[code].iter().copied();
        match (section.code, code) {
            (one, other) if one == other => !concurrency.single[one],
            (0, other) => pools_of(other).any(|pool| section.nodes.iter().any(|&node| alive(pool, node))),
            (one, 0) => pools_of(one).any(|pool| alive(pool, node)),
            _ => true,
        }
    }
}

/// Whether nothing in a section conflicts with what others can do at the same time without the lock.
fn is_undisturbed(system: &System, (uses, shape): (&Uses, &Shape), held: &Held, section: &Section) -> bool {
    let own =
        section.nodes.iter().flat_map(|&node| uses.accesses[section.code].get(node).into_iter().flatten());
    let own: BTreeSet<(usize, bool)> = own.copied().collect();
    let disturbs = |&(code, node, _): &(usize, usize, bool)| {
        let without = held.codes.get(&code).is_none_or(|held| !held.protected[node]);
        without && shape.reached[code][node] && shape.is_possible(system, section, (code, node))
    };
    !own.iter().any(|&(number, write)| {
        let sites = uses.sites.get(&number).into_iter().flatten();
        sites.filter(|&&(.., other)| write || other).any(disturbs)
    })
}
