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
//! Costs: one question for every pair of steps of two kinds of threads at most, of questions that differ in the names of variables only the first one, and no more work in all than
//! [`MOST_EFFORT`]; when that is used up, the answer is no. What a thread can do later is followed once for every step that shall go first, so that
//! grows with the size of the code for every such step, up to [`MOST_FOLLOWED`] places in all.

use crate::bits::Accesses;
use crate::code::Action;
use crate::system::System;
use base::Budget;
use ir::{Boundary, Expr, Program, Statement, StatementKind, VariableKind};
use logic::{Sort, Substitution, Symbol, Term, Terms};
use program::expressions::Translator;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Answer, Solver, Solvers};
use std::cell::RefCell;

/// More paths of an atomic part are not looked at.
const MOST_PATHS: usize = 16;
/// How many steps all its paths may have together.
const MOST_VISITS: usize = 256;
/// So many places in the code of threads are looked at, once for every step that shall go before what follows them.
const MOST_FOLLOWED: usize = 3_000_000;
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
    /// Whether a step can be exchanged with all that another thread can do from a site on.
    steps: FxHashMap<Asked, bool>,
    pairs: FxHashMap<(Site, Site), bool>,
    /// The sites from which a thread, or one that starts it, comes to a site next.
    before: Option<FxHashMap<Site, Vec<Site>>>,
    followed: usize,
    asker: Option<Asker<'a>>,
    /// Nothing is asked any more.
    exhausted: bool,
}

impl<'a> Exchange<'a> {
    pub(crate) fn new(program: &'a Program, system: &'a System, budget: &'a Budget) -> Exchange<'a> {
        // Where it is an error that two threads meet, their order matters.
        let exhausted = system.finds_deadlocks || ir::accesses::watches(program);
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
        let Some((followed, meets)) = self.follow(found, step, pool, other) else {
            found.steps.insert((step, pool, other), false);
            return false;
        };
        found.followed += followed.len();
        found.exhausted |= found.followed > MOST_FOLLOWED;
        let refused = meets.iter().copied().find(|&later| found.pairs.get(&(later, step)) == Some(&false));
        let refused = refused.or_else(|| meets.into_iter().find(|&later| !self.pair(found, later, step)));
        match refused {
            None => found.steps.extend(followed.into_iter().map(|site| ((step, pool, site), true))),
            Some(later) => self.refuse(found, step, pool, later),
        }
        refused.is_none()
    }

    /// The sites to which a thread, and those that it starts, can come from a site on, apart from those of which it is known already or can be seen from
    /// the variables that the step can go before all that follows them; and those among them with which it conflicts. Nothing if it cannot go before all of it.
    fn follow(
        &self,
        found: &Found<'_>,
        step: Site,
        pool: Option<usize>,
        from: Site,
    ) -> Option<(Vec<Site>, Vec<Site>)> {
        let accesses = |(code, node): Site| -> &Accesses { &self.system.facts[code][node].step };
        let own = accesses(step);
        let mut seen: FxHashSet<Site> = FxHashSet::default();
        let (mut followed, mut meets) = (Vec::new(), Vec::new());
        let mut pending = vec![from];
        while let Some(site) = pending.pop() {
            if !seen.insert(site) || pool.is_some_and(|pool| self.system.waits_for(pool, site)) {
                continue;
            }
            match found.steps.get(&(step, pool, site)) {
                Some(true) => continue,
                Some(false) => return None,
                None => {}
            }
            followed.push(site);
            if !own.conflict(self.system.future_without(pool, site.0, site.1)) {
                continue;
            }
            if own.conflict(accesses(site)) {
                meets.push(site);
            }
            pending.extend(next(self.system, site));
        }
        Some((followed, meets))
    }

    /// Notes that a step cannot go before what happens at a site, so it cannot go before all that follows those sites from which a thread comes there.
    fn refuse(&self, found: &mut Found<'_>, step: Site, pool: Option<usize>, later: Site) {
        let before = found.before.get_or_insert_with(|| {
            let mut before: FxHashMap<Site, Vec<Site>> = FxHashMap::default();
            for (code, data) in self.system.codes.iter().enumerate() {
                for node in 0..data.nodes.len() {
                    for next in next(self.system, (code, node)) {
                        before.entry(next).or_default().push((code, node));
                    }
                }
            }
            before
        });
        let mut pending = vec![later];
        while let Some(site) = pending.pop() {
            let waits = pool.is_some_and(|pool| self.system.waits_for(pool, site));
            if !waits && found.steps.insert((step, pool, site), false).is_none() {
                found.followed += 1;
                pending.extend(before.get(&site).into_iter().flatten());
            }
        }
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
}

/// Where a thread, and those that it starts, can be after the step at a site. An atomic part is one step.
fn next(system: &System, (code, node): Site) -> Vec<Site> {
    let data = &system.codes[code].nodes[node];
    let (inside, behind) = match data.action {
        Action::Atomic(Boundary::Begin) => part(system, (code, node)),
        _ => (vec![node], data.next.clone()),
    };
    let mut found: Vec<Site> = behind.into_iter().map(|next| (code, next)).collect();
    // Threads may be started in the middle of an atomic part.
    for node in inside {
        if let Some(&pool) = system.pool_of.get(&(code, node)) {
            let started = system.pools[pool].code;
            found.push((started, system.codes[started].entry));
        }
    }
    found
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
    /// Names for variables of formulas, by which those are asked about.
    names: FxHashMap<Sort, Vec<Symbol>>,
    answers: FxHashMap<Term, bool>,
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
        let (names, answers) = (FxHashMap::default(), FxHashMap::default());
        Some(Asker { program, terms, translator, solver, apart, known, paths, used: 0, names, answers })
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
        // A formula is valid whatever its variables are called.
        let mut renaming = Substitution::new();
        let mut counts: FxHashMap<Sort, usize> = FxHashMap::default();
        for symbol in terms.free_symbols(claim) {
            let sort = terms.symbol_data(symbol).sort;
            let count = counts.entry(sort).or_default();
            let names = self.names.entry(sort).or_default();
            if names.len() == *count {
                names.push(terms.fresh_symbol("any", sort));
            }
            renaming.insert(symbol, terms.constant(names[*count]));
            *count += 1;
        }
        let claim = renaming.apply(terms, claim);
        if let Some(&known) = self.answers.get(&claim) {
            return known;
        }
        let refuted = terms.not(claim);
        self.solver.push();
        self.solver.assert(terms, refuted);
        let answer = self.solver.check(terms);
        self.solver.pop();
        let holds = answer == Answer::Unsat;
        self.answers.insert(claim, holds);
        holds
    }
}
