//! Steps of different threads that can be exchanged although they access the same variables.
//!
//! `x := x + 1` and `x := x + y` end in the same state in either order. A solver is asked whether the second of two steps can
//! always go first: whatever the first and then the second lead to, the second and then the first do, too. A step of several
//! paths, a branch or an atomic part, is taken path by path, and arbitrary values are the same in both orders. Nothing is
//! said of steps that start or await threads, or may not end: these are exchanged only with steps that access other variables.
//!
//! Steps that can fail have paths that end in an error. What fails second has to fail first, too; and where the first one fails, it has to fail
//! behind the second as well, as the second is explored before it.
//!
//! Costs: one question for every pair of steps of two kinds of threads at most, and no more work in all than
//! [`MOST_EFFORT`]; when that is used up, the answer is no. What a thread can do later is looked up from every place where it is seen, so that
//! grows with the square of the code, and nothing is asked about more than [`MOST_NODES`].

use crate::bits::Accesses;
use crate::code::Action;
use crate::system::System;
use base::Budget;
use ir::{Boundary, Expr, Program, Statement, StatementKind, VariableKind};
use logic::{Substitution, Symbol, Term, Terms};
use program::expressions::Translator;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Answer, Solver, Solvers};
use std::cell::RefCell;

/// More paths of an atomic part are not looked at.
const MOST_PATHS: usize = 16;
/// How many steps all its paths may have together.
const MOST_VISITS: usize = 256;
/// About more code of threads nothing is asked.
const MOST_NODES: usize = 3_000;
/// How much work one question may cost.
const QUESTION: u32 = 200_000;
/// How much work all questions about one program may cost.
const MOST_EFFORT: u64 = 20_000_000;

/// A node in the code of a thread.
pub(crate) type Site = (usize, usize);

/// A step of a thread, and the pool whose thread does nothing meanwhile.
type Asked = (Site, Option<usize>, Site);

/// Finds out what can be exchanged.
pub(crate) struct Exchange<'a> {
    program: &'a Program,
    system: &'a System,
    budget: &'a Budget,
    found: RefCell<Found<'a>>,
}

/// What was found out so far.
#[derive(Default)]
struct Found<'a> {
    /// Whether a step can be exchanged with all that another thread can do.
    steps: FxHashMap<Asked, bool>,
    futures: FxHashMap<(Option<usize>, Site), Vec<Site>>,
    pairs: FxHashMap<(Site, Site), bool>,
    asker: Option<Asker<'a>>,
    /// Nothing is asked any more.
    exhausted: bool,
}

impl<'a> Exchange<'a> {
    pub(crate) fn new(program: &'a Program, system: &'a System, budget: &'a Budget) -> Exchange<'a> {
        // Where it is an error that two threads meet, their order matters.
        let meetings = system.finds_deadlocks || ir::accesses::watches(program);
        let nodes: usize = system.codes.iter().map(|code| code.nodes.len()).sum();
        let exhausted = meetings || nodes > MOST_NODES;
        let found = RefCell::new(Found { exhausted, ..Found::default() });
        Exchange { program, system, budget, found }
    }

    /// Whether the step at a site can go before everything that another thread can do from where it is, as long as the
    /// thread of the pool does nothing.
    pub(crate) fn goes_first(&self, step: Site, pool: Option<usize>, other: Site) -> bool {
        let found = &mut *self.found.borrow_mut();
        if found.exhausted {
            return false;
        }
        if let Some(&known) = found.steps.get(&(step, pool, other)) {
            return known;
        }
        let future = found.futures.entry((pool, other)).or_insert_with(|| self.future(pool, other));
        let accesses = |(code, node): Site| -> &Accesses { &self.system.facts[code][node].step };
        let meets: Vec<Site> =
            future.iter().copied().filter(|&later| accesses(step).conflict(accesses(later))).collect();
        let refused = meets.iter().any(|&later| found.pairs.get(&(later, step)) == Some(&false));
        let goes = !refused && meets.into_iter().all(|later| self.pair(found, later, step));
        found.steps.insert((step, pool, other), goes);
        goes
    }

    /// Whether the second step can always go before the first.
    fn pair(&self, found: &mut Found<'a>, first: Site, second: Site) -> bool {
        if let Some(&known) = found.pairs.get(&(first, second)) {
            return known;
        }
        if found.asker.is_none() {
            found.asker = Asker::new(self.program, self.budget);
        }
        let Some(asker) = found.asker.as_mut().filter(|asker| asker.used <= MOST_EFFORT) else {
            found.exhausted = true;
            return false;
        };
        let before = self.budget.effort();
        let goes = match (asker.paths(self.system, first), asker.paths(self.system, second)) {
            (Some(firsts), Some(seconds)) => firsts
                .iter()
                .all(|&first| seconds.iter().all(|&second| asker.second_goes_first(first, second))),
            _ => false,
        };
        asker.used += self.budget.effort() - before;
        found.pairs.insert((first, second), goes);
        goes
    }

    /// The steps that a thread and those that it starts can take from a site on. An atomic part is one step.
    fn future(&self, pool: Option<usize>, from: Site) -> Vec<Site> {
        let mut seen: FxHashSet<Site> = FxHashSet::default();
        let mut order = Vec::new();
        let mut pending = vec![from];
        while let Some((code, node)) = pending.pop() {
            if !seen.insert((code, node)) {
                continue;
            }
            if pool.is_some_and(|pool| self.system.waits_for(pool, (code, node))) {
                continue;
            }
            order.push((code, node));
            let data = &self.system.codes[code].nodes[node];
            let (inside, next) = match data.action {
                Action::Atomic(Boundary::Begin) => part(self.system, (code, node)),
                _ => (vec![node], data.next.clone()),
            };
            pending.extend(next.into_iter().map(|next| (code, next)));
            // Threads may be started in the middle of an atomic part.
            for node in inside {
                if let Some(&pool) = self.system.pool_of.get(&(code, node)) {
                    let started = self.system.pools[pool].code;
                    pending.push((started, self.system.codes[started].entry));
                }
            }
        }
        order
    }
}

/// How deep in atomic parts a thread is behind a node.
fn depth_behind(action: &Action, depth: usize) -> usize {
    match action {
        Action::Atomic(Boundary::Begin) => depth + 1,
        Action::Atomic(Boundary::End) => depth.saturating_sub(1),
        _ => depth,
    }
}

/// The nodes of the atomic part that begins at a site, and those behind it.
fn part(system: &System, (code, begin): Site) -> (Vec<usize>, Vec<usize>) {
    let nodes = &system.codes[code].nodes;
    let mut seen: FxHashSet<(usize, usize)> = FxHashSet::default();
    let (mut inside, mut behind) = (Vec::new(), Vec::new());
    let mut pending = vec![(begin, 0)];
    while let Some((node, depth)) = pending.pop() {
        if !seen.insert((node, depth)) || depth > nodes.len() {
            continue;
        }
        inside.push(node);
        match depth_behind(&nodes[node].action, depth) {
            0 => behind.extend(&nodes[node].next),
            deeper => pending.extend(nodes[node].next.iter().map(|&next| (next, deeper))),
        }
    }
    (inside, behind)
}

/// A part of a path.
#[derive(Clone, Copy)]
enum Part<'s> {
    Statement(&'s Statement),
    Condition(Expr, bool),
}

/// The paths of a step; nothing if it may have others, or does what is not exchanged.
fn paths(system: &System, (code, node): Site) -> Option<Vec<Vec<Part<'_>>>> {
    let nodes = &system.codes[code].nodes;
    let mut complete = Vec::new();
    let mut pending: Vec<(usize, usize, Vec<Part<'_>>)> = vec![(node, 0, Vec::new())];
    let mut visits = 0;
    while let Some((node, depth, mut path)) = pending.pop() {
        // A part that comes back to one of its steps has no end of visits.
        visits += 1;
        if visits > MOST_VISITS || complete.len() + pending.len() > MOST_PATHS {
            return None;
        }
        let data = &nodes[node];
        let depth = depth_behind(&data.action, depth);
        let mut ways: Vec<(usize, Vec<Part<'_>>)> = Vec::new();
        match &data.action {
            Action::Step(statements) => {
                path.extend(statements.iter().map(Part::Statement));
                ways.push((data.next[0], path));
            }
            Action::Branch(condition) => {
                for (&next, truth) in data.next.iter().zip([true, false]) {
                    let mut path = path.clone();
                    path.push(Part::Condition(*condition, truth));
                    ways.push((next, path));
                }
            }
            Action::Goto | Action::Atomic(_) => {
                ways.extend(data.next.iter().map(|&next| (next, path.clone())));
            }
            Action::Fork { .. } | Action::Join { .. } | Action::End => return None,
        }
        for (next, path) in ways {
            if depth == 0 {
                complete.push(path);
            } else {
                pending.push((next, depth, path));
            }
        }
    }
    (complete.len() <= MOST_PATHS).then_some(complete)
}

/// When a path can be taken, and the new values of what it changes, over the values before and what it chooses.
struct Path {
    guard: Term,
    updates: Vec<(Symbol, Term)>,
    /// Whether it ends in an error.
    fails: bool,
}

impl Path {
    fn after(&self) -> Substitution {
        self.updates.iter().copied().collect()
    }

    /// The path followed by another: when both can be taken.
    fn then(&self, other: &Path, terms: &mut Terms) -> (Term, Substitution) {
        let mut after = self.after();
        let guard = after.apply(terms, other.guard);
        let guard = terms.and([self.guard, guard]);
        let mut both = self.after();
        for &(symbol, value) in &other.updates {
            let value = after.apply(terms, value);
            both.insert(symbol, value);
        }
        (guard, both)
    }
}

/// Puts questions to a solver.
struct Asker<'a> {
    program: &'a Program,
    terms: Terms,
    translator: Translator<'a>,
    solver: Box<dyn Solver>,
    /// The variables of the thread whose step goes first, which may run the same code as the other.
    apart: Substitution,
    known: FxHashMap<Site, Option<Vec<usize>>>,
    paths: Vec<Path>,
    used: u64,
}

impl<'a> Asker<'a> {
    /// Nothing if the program has something that logic cannot express.
    fn new(program: &'a Program, budget: &Budget) -> Option<Asker<'a>> {
        let mut terms = Terms::new();
        let translator = Translator::new(program, &mut terms).ok()?;
        let mut apart = Substitution::new();
        for (variable, data) in &program.variables {
            let own = matches!(
                data.kind,
                VariableKind::Parameter(_) | VariableKind::Result(_) | VariableKind::Local(_)
            );
            if own {
                let symbol = translator.symbol(variable);
                let sort = terms.symbol_data(symbol).sort;
                let other = terms.fresh_symbol("other", sort);
                apart.insert(symbol, terms.constant(other));
            }
        }
        let mut solver = Solvers::new(budget).session();
        solver.set_rlimit(Some(QUESTION));
        let (known, paths) = (FxHashMap::default(), Vec::new());
        Some(Asker { program, terms, translator, solver, apart, known, paths, used: 0 })
    }

    /// The numbers of the paths of a step.
    fn paths(&mut self, system: &System, site: Site) -> Option<Vec<usize>> {
        if let Some(known) = self.known.get(&site) {
            return known.clone();
        }
        let numbers = paths(system, site).and_then(|paths| {
            let mut numbers = Vec::new();
            for parts in &paths {
                for path in self.path(parts)? {
                    numbers.push(self.paths.len());
                    self.paths.push(path);
                }
            }
            Some(numbers)
        });
        self.known.insert(site, numbers.clone());
        numbers
    }

    /// What the parts of a path do together; before that, how it fails on the way.
    fn path(&mut self, parts: &[Part<'_>]) -> Option<Vec<Path>> {
        let mut found = Vec::new();
        let mut now = Substitution::new();
        let mut changed: Vec<Symbol> = Vec::new();
        let mut guards: Vec<Term> = Vec::new();
        for part in parts {
            let kind = match part {
                Part::Statement(statement) => &statement.kind,
                Part::Condition(condition, truth) => {
                    let condition = self.value(*condition, &mut now)?;
                    guards.push(if *truth { condition } else { self.terms.not(condition) });
                    continue;
                }
            };
            let updates: Vec<(Symbol, Term)> = match kind {
                StatementKind::Assign(assignments) => {
                    let values = assignments
                        .iter()
                        .map(|&(to, value)| Some((self.translator.symbol(to), self.value(value, &mut now)?)));
                    values.collect::<Option<Vec<_>>>()?
                }
                StatementKind::Havoc(variables) => {
                    let bounded = |&variable: &ir::Variable| {
                        let data = &self.program.variables[variable];
                        data.kind == VariableKind::Global && data.where_clause.is_some()
                    };
                    if variables.iter().any(bounded) {
                        return None;
                    }
                    let chosen = variables.iter().map(|&variable| {
                        let symbol = self.translator.symbol(variable);
                        let sort = self.terms.symbol_data(symbol).sort;
                        let chosen = self.terms.fresh_symbol("chosen", sort);
                        (symbol, self.terms.constant(chosen))
                    });
                    chosen.collect()
                }
                StatementKind::Assume(condition) => {
                    guards.push(self.value(*condition, &mut now)?);
                    Vec::new()
                }
                StatementKind::Assert(_, condition) => {
                    let condition = self.value(*condition, &mut now)?;
                    let wrong = self.terms.not(condition);
                    let guard = self.terms.and(guards.iter().copied().chain([wrong]));
                    found.push(Path { guard, updates: Vec::new(), fails: true });
                    guards.push(condition);
                    Vec::new()
                }
                _ => return None,
            };
            for (symbol, value) in updates {
                now.insert(symbol, value);
                changed.push(symbol);
            }
        }
        changed.sort_unstable();
        changed.dedup();
        let updates = changed.into_iter().filter_map(|symbol| Some((symbol, now.image(symbol)?))).collect();
        found.push(Path { guard: self.terms.and(guards), updates, fails: false });
        Some(found)
    }

    /// The value of an expression in the middle of a path.
    fn value(&mut self, expr: Expr, now: &mut Substitution) -> Option<Term> {
        let term = self.translator.term(&mut self.terms, expr).ok()?;
        Some(now.apply(&mut self.terms, term))
    }

    /// The path as one of another thread.
    fn of_other(&mut self, path: usize) -> Path {
        let (terms, apart, path) = (&mut self.terms, &mut self.apart, &self.paths[path]);
        let mut updates = Vec::new();
        for &(symbol, value) in &path.updates {
            let name = apart.image(symbol).and_then(|name| terms.as_symbol(name)).unwrap_or(symbol);
            updates.push((name, apart.apply(terms, value)));
        }
        Path { guard: apart.apply(terms, path.guard), updates, fails: path.fails }
    }

    /// Whether all that two paths lead to, the second and then the first lead to. They belong to different threads.
    fn second_goes_first(&mut self, first: usize, second: usize) -> bool {
        let first = self.of_other(first);
        let terms = &mut self.terms;
        let second = &self.paths[second];
        match (first.fails, second.fails) {
            (true, true) => return true,
            (true, false) => {
                // The first one still fails behind the second.
                let both = terms.and([first.guard, second.guard]);
                let still = second.after().apply(terms, first.guard);
                return self.holds(both, still);
            }
            (false, true) => {
                // The second one fails already before the first.
                let (both, _) = first.then(second, terms);
                let already = second.guard;
                return self.holds(both, already);
            }
            (false, false) => {}
        }
        let (taken, ends) = first.then(second, terms);
        let (possible, others) = second.then(&first, terms);
        let mut same = vec![possible];
        let changed: FxHashSet<Symbol> = first.updates.iter().chain(&second.updates).map(|it| it.0).collect();
        let mut changed: Vec<Symbol> = changed.into_iter().collect();
        changed.sort_unstable();
        for symbol in changed {
            let value = |ends: &Substitution, terms: &mut Terms| {
                ends.image(symbol).unwrap_or_else(|| terms.constant(symbol))
            };
            let (left, right) = (value(&ends, terms), value(&others, terms));
            same.push(terms.eq(left, right));
        }
        let same = terms.and(same);
        self.holds(taken, same)
    }

    /// Whether a formula follows from another one.
    fn holds(&mut self, premise: Term, conclusion: Term) -> bool {
        let terms = &mut self.terms;
        let claim = terms.implies(premise, conclusion);
        if claim.is_true() {
            return true;
        }
        let refuted = terms.not(claim);
        self.solver.push();
        self.solver.assert(terms, refuted);
        let answer = self.solver.check(terms);
        self.solver.pop();
        answer == Answer::Unsat
    }
}
