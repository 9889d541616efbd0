//! Leaps along straight lines: one execution, told in few steps however long it is.
//!
//! [`Search`](super::search::Search) wants ports that hold for many inputs at once. That fails where what one loop
//! leaves behind decides how the next one goes on, and where several rounds together make one step forward. Here the
//! inputs have values, so every port is a single state. A loop is followed until its rounds repeat: the same motions,
//! and the same distances between states. Several rounds may make one of these (phases). Then the solver says which
//! round is the first that is not like the others, and all before it are one leap: the states on the line are the abstract
//! state, its two ends are the ports, and the composed round is the only motion. Nothing new has to be believed for
//! that: the conditions are those of Theorem 2, and they are shown by the same queries as for all other leaps.
//!
//! Arrays are known in single cells: those that the path reads behind its loops, and those beside what a loop writes. A leap over a loop that
//! writes to an array hides the array, and keeps what is known of its cells; where the loop writes to one of them, a leap ends.

mod items;
mod line;

use super::chain::{Chain, ChainLink};
use super::limits;
use super::modal::Modal;
use super::motion::{Motion, Strategy, roots, sequence};
use super::paths::{Loop, Path};
use super::samples;
use super::search::LeapStatistics;
use super::strategies::{Memory, strategies};
use super::theorems::{Situation, Theorem, failing};
use base::Interrupted;
use items::{Access, Item, cells, is_simple, literal};
use line::{Line, distances};
use logic::evaluate::Evaluator;
use logic::{Integer, Model, Sort, Substitution, Symbol, Term};
use program::leap::{Mode, Port};
use program::{Edge, EdgeKind, Location, Relation, Var};
use std::collections::{BTreeMap, BTreeSet};

/// A chain along a path, for some inputs.
pub fn along(
    modal: &mut Modal<'_>,
    path: &Path,
    statistics: &mut LeapStatistics,
) -> Result<Option<Chain>, Interrupted> {
    let program = modal.program;
    let stem =
        sequence(program, &path.stem, &Vec::new(), modal.terms).unwrap_or_else(|| Motion::stay(path.start));
    let relations = relations(modal, path);
    let variables = variables(modal, &relations);
    let wishes = large(modal, &relations, &variables, &stem);
    let items = variables.into_iter().map(|var| Item { var, cell: None }).collect();
    let mut walk = Walk { modal, path, items, wanted: BTreeSet::new(), statistics, loops_passed: 0 };
    let mut inputs = stem.relation.guard;
    let wishes = wishes.into_iter().chain(std::iter::repeat(Term::TRUE)).take(limits::MOST_INPUTS);
    for wish in std::iter::once(Term::TRUE).chain(wishes) {
        let wished = walk.modal.terms.and([inputs, wish]);
        let Some(model) = walk.modal.model(wished)? else { continue };
        let Some(state) = samples::step(program, walk.modal.terms, &stem, &model) else { break };
        // The first walk finds out which cells matter.
        for _ in 0..limits::MOST_WALKS_WITH_CELLS {
            let here = walk.at(&state, stem.target);
            let mut chain = Chain::new(Port { location: path.start, formula: Term::TRUE });
            chain.push(Mode::May, ChainLink::Step(stem.clone()), here);
            let found = walk.follow(0, chain, state.clone())?;
            if found.is_some() || walk.is_exhausted() {
                return Ok(found);
            }
            if !walk.learn_cells() {
                break;
            }
        }
        let same = walk.at(&state, stem.target).formula;
        let same = stem.after(program, walk.modal.terms, same);
        let other = walk.modal.terms.not(same);
        inputs = walk.modal.terms.and([inputs, other]);
    }
    Ok(None)
}

/// What the blocks of the path do that lie inside and behind its loops.
fn relations(modal: &Modal<'_>, path: &Path) -> Vec<Relation> {
    let mut edges: Vec<Edge> = Vec::new();
    for at in &path.loops {
        edges.extend(inner_edges(modal, at));
        edges.extend(&at.out);
    }
    edges.iter().filter_map(|&edge| modal.program.relation(edge)).cloned().collect()
}

/// The variables on which it depends whether the path can be followed, as far as their values can be written down.
fn variables(modal: &Modal<'_>, relations: &[Relation]) -> Vec<Var> {
    let program = modal.program;
    let mut pending: Vec<Term> = relations.iter().map(|relation| relation.guard).collect();
    let mut read: BTreeSet<Var> = BTreeSet::new();
    while let Some(term) = pending.pop() {
        let symbols = modal.terms.free_symbols(term);
        for var in program.variables.of_symbols(&symbols) {
            if read.insert(var) {
                pending.extend(relations.iter().filter_map(|relation| relation.update(var)));
            }
        }
    }
    let sort = |var: &Var| modal.terms.symbol_data(program.variables[*var].symbol).sort;
    read.into_iter().filter(|var| is_simple(modal.terms, sort(var))).collect()
}

/// Wishes for inputs: that one of them is larger than every number of the program, so that loops go beyond what is written there.
fn large(modal: &mut Modal<'_>, relations: &[Relation], variables: &[Var], stem: &Motion) -> Vec<Term> {
    let program = modal.program;
    let all: Vec<Term> = relations.iter().flat_map(roots).collect();
    let mut largest = Integer::from(limits::LARGE);
    let terms = &mut *modal.terms;
    terms.for_each_subterm(&all, |term| {
        if let Some(number) = terms.as_integer(term) {
            largest = largest.clone().max(number.clone());
        }
    });
    let limit = terms.int(largest);
    let mut wishes = Vec::new();
    for &var in variables {
        let now = program.variables.term(terms, var);
        if terms.sort_of(now) == Sort::INT {
            let large = terms.gt(now, limit);
            wishes.push(stem.after(program, terms, large));
        }
    }
    wishes.retain(|wish| !wish.is_false() && !wish.is_true());
    wishes.truncate(limits::MOST_INPUTS / 2);
    wishes
}

/// The blocks inside a loop that can be used.
fn inner_edges(modal: &Modal<'_>, at: &Loop) -> Vec<Edge> {
    let program = modal.program;
    let edges = at.component.iter().flat_map(|&location| program.outgoing[location].iter().copied());
    edges
        .filter(|&edge| {
            let data = &program.edges[edge];
            let internal = matches!(data.kind, EdgeKind::Internal(_)) && !data.overapproximates;
            internal && at.component.contains(&data.target)
        })
        .collect()
}

/// A walk along a path.
struct Walk<'w, 'c> {
    modal: &'w mut Modal<'c>,
    path: &'w Path,
    /// What is known of every state on the way.
    items: Vec<Item>,
    /// The cells that would have been of use.
    wanted: BTreeSet<Item>,
    statistics: &'w mut LeapStatistics,
    /// How often a loop was gone through, in vain or not.
    loops_passed: usize,
}

/// What may happen in a loop under a strategy.
struct Ways {
    motions: Vec<Motion>,
    out: Motion,
}

/// A step that was made in a loop, with the state before it.
struct Made {
    motion: usize,
    location: Location,
    state: Model,
}

impl Walk<'_, '_> {
    fn is_exhausted(&self) -> bool {
        self.loops_passed > limits::MOST_WALKS || self.modal.is_exhausted()
    }

    /// Knows more cells from now on, if there are more to know.
    fn learn_cells(&mut self) -> bool {
        let wanted = std::mem::take(&mut self.wanted);
        let new: Vec<Item> = wanted.into_iter().filter(|item| !self.items.contains(item)).collect();
        let room =
            limits::MOST_CELLS.saturating_sub(self.items.iter().filter(|item| item.cell.is_some()).count());
        let learnt = !new.is_empty() && room > 0;
        self.items.extend(new.into_iter().take(room));
        learnt
    }

    /// Notes the cells that a motion accesses.
    fn note(&mut self, motion: &Motion, state: &Model, access: Access) {
        self.wanted.extend(cells(self.modal.program, self.modal.terms, motion, state, access));
    }

    /// The port that is one state.
    fn at(&mut self, state: &Model, location: Location) -> Port {
        let program = self.modal.program;
        let scope: BTreeSet<Var> = program.scope(location).collect();
        let mut parts = Vec::new();
        for item in self.items.iter().filter(|item| scope.contains(&item.var)) {
            let value = item.value(program, self.modal.terms, state);
            let value = value.and_then(|value| literal(self.modal.terms, &value));
            if let (Some(value), Some(now)) = (value, item.term(program, self.modal.terms)) {
                parts.push(self.modal.terms.eq(now, value));
            }
        }
        Port { location, formula: self.modal.terms.and(parts) }
    }

    /// Follows the loops from this one on. The depth of the recursion is the number of loops of the path.
    fn follow(&mut self, number: usize, chain: Chain, state: Model) -> Result<Option<Chain>, Interrupted> {
        let Some(at) = self.path.loops.get(number) else { return Ok(Some(chain)) };
        let edges = inner_edges(self.modal, at);
        let all: Vec<Edge> = edges.iter().chain(&at.out).copied().collect();
        let here = chain.last().formula;
        let changed: Vec<Var> = self.items.iter().map(|item| item.var).collect();
        let mut choices = strategies(self.modal, &all, here, &changed, (Memory::Stationary, Some(&state)));
        choices.truncate(limits::MOST_STRAIGHT_STRATEGIES);
        for strategy in choices {
            if self.is_exhausted() {
                break;
            }
            let Some(ways) = self.ways(at, &edges, &strategy) else { continue };
            self.loops_passed += 1;
            let Some((chain, state)) = self.pass(number, &ways, chain.clone(), state.clone())? else {
                continue;
            };
            if let Some(chain) = self.follow(number + 1, chain, state)? {
                return Ok(Some(chain));
            }
        }
        Ok(None)
    }

    fn ways(&mut self, at: &Loop, edges: &[Edge], strategy: &Strategy) -> Option<Ways> {
        let program = self.modal.program;
        let mut motions: Vec<Motion> =
            edges.iter().map(|&edge| Motion::new(program, edge, strategy, self.modal.terms)).collect();
        motions.retain(|motion| !motion.relation.is_blocked());
        let out = sequence(program, &at.out, strategy, self.modal.terms)?;
        (!out.relation.is_blocked()).then_some(Ways { motions, out })
    }

    /// Does the formula hold? None if that cannot be evaluated.
    fn evaluates(&mut self, state: &Model, formula: Term) -> Option<bool> {
        Some(Evaluator::new(state).evaluate(self.modal.terms, formula).ok()?.is_true())
    }

    fn holds(&mut self, state: &Model, formula: Term) -> bool {
        self.evaluates(state, formula) == Some(true)
    }

    /// Goes round in a loop until the way out is open, and takes it.
    fn pass(
        &mut self,
        number: usize,
        ways: &Ways,
        mut chain: Chain,
        mut state: Model,
    ) -> Result<Option<(Chain, Model)>, Interrupted> {
        let program = self.modal.program;
        let at = &self.path.loops[number];
        let mut location = at.entry;
        let mut made: Vec<Made> = Vec::new();
        let (mut steps, mut leaps) = (0, 0);
        loop {
            let open = self.evaluates(&state, ways.out.relation.guard);
            if location == at.exit && open == Some(true) {
                return self.leave(number, ways, (chain, made), state);
            }
            steps += 1;
            if steps > limits::MOST_STRAIGHT_STEPS {
                return Ok(None);
            }
            let mut next = None;
            for (position, motion) in ways.motions.iter().enumerate() {
                if motion.source == location && self.holds(&state, motion.relation.guard) {
                    next = Some(position);
                    break;
                }
            }
            let Some(motion) = next else {
                // A condition over all numbers is left to the solver, where there is no other way on.
                if location == at.exit && open.is_none() {
                    return self.leave(number, ways, (chain, made), state);
                }
                self.note(&ways.out, &state, Access::Read);
                return Ok(None);
            };
            if steps <= limits::STEPS_THAT_NOTE_CELLS {
                self.note(&ways.motions[motion], &state, Access::Read);
            }
            let Some(there) = samples::step(program, self.modal.terms, &ways.motions[motion], &state) else {
                return Ok(None);
            };
            made.push(Made { motion, location, state });
            (location, state) = (ways.motions[motion].target, there);
            for pattern in self.patterns(&made, &state) {
                if leaps >= limits::MOST_STRAIGHT_LEAPS {
                    break;
                }
                leaps += 1;
                match self.leap(ways, at.exit, &made, &pattern)? {
                    Found::Endless => return Ok(None),
                    Found::TooShort => {}
                    Found::Leap(leap) => {
                        made.truncate(pattern.begin);
                        let head = leap.head;
                        if !self.push_steps(&mut chain, ways, &made, head)? {
                            return Ok(None);
                        }
                        chain.push(Mode::MustPlus, leap.link, leap.exit);
                        self.statistics.leaps += 1;
                        made.clear();
                        (location, state) = (head.location, leap.state);
                        break;
                    }
                }
            }
        }
    }

    /// Adds steps to a chain; the last leads to the given port. Says whether they all must be possible.
    fn push_steps(
        &mut self,
        chain: &mut Chain,
        ways: &Ways,
        made: &[Made],
        end: Port,
    ) -> Result<bool, Interrupted> {
        for (position, step) in made.iter().enumerate() {
            let port = match made.get(position + 1) {
                Some(next) => self.at(&next.state, next.location),
                None => end,
            };
            let motion = &ways.motions[step.motion];
            if !self.modal.must_plus(chain.last().formula, motion, port.formula)? {
                return Ok(false);
            }
            chain.push(Mode::MustPlus, ChainLink::Step(motion.clone()), port);
        }
        Ok(true)
    }

    /// Takes the way out of a loop.
    fn leave(
        &mut self,
        number: usize,
        ways: &Ways,
        (mut chain, made): (Chain, Vec<Made>),
        state: Model,
    ) -> Result<Option<(Chain, Model)>, Interrupted> {
        let program = self.modal.program;
        let end = self.at(&state, self.path.loops[number].exit);
        if !self.push_steps(&mut chain, ways, &made, end)? {
            return Ok(None);
        }
        self.note(&ways.out, &state, Access::Read);
        let last = number + 1 == self.path.loops.len();
        let there = match samples::step(program, self.modal.terms, &ways.out, &state) {
            Some(there) => there,
            None if last => state,
            None => return Ok(None),
        };
        let port = if last {
            Port { location: ways.out.target, formula: Term::TRUE }
        } else {
            self.at(&there, ways.out.target)
        };
        if !self.modal.must_plus(chain.last().formula, &ways.out, port.formula)? {
            return Ok(None);
        }
        chain.push(Mode::MustPlus, ChainLink::Step(ways.out.clone()), port);
        Ok(Some((chain, there)))
    }

    /// The patterns that the last steps repeat, shorter ones first, and where each began. A short one may be there by chance.
    fn patterns(&mut self, made: &[Made], state: &Model) -> Vec<Pattern> {
        let program = self.modal.program;
        let state_at = |position: usize| made.get(position).map_or(state, |step| &step.state);
        let mut found = Vec::new();
        for length in 1..=limits::MOST_PHASES.min(made.len() / 2) {
            let now = made.len();
            let same = |begin: usize| {
                (begin..begin + length).all(|position| {
                    made[position].motion == made[position + length].motion
                        && made[position].location == made[position + length].location
                })
            };
            let mut begin = now - 2 * length;
            if !same(begin) {
                continue;
            }
            let between = |terms: &logic::Terms, from: usize| {
                distances(program, terms, &self.items, [state_at(from), state_at(from + length)])
            };
            let Some(by) = between(self.modal.terms, begin) else { continue };
            if between(self.modal.terms, begin + length).as_ref() != Some(&by) {
                continue;
            }
            while begin >= length
                && same(begin - length)
                && between(self.modal.terms, begin - length).as_ref() == Some(&by)
            {
                begin -= length;
            }
            found.push(Pattern { begin, length, by });
        }
        found
    }

    /// The leap along a pattern.
    fn leap(
        &mut self,
        ways: &Ways,
        exit: Location,
        made: &[Made],
        pattern: &Pattern,
    ) -> Result<Found, Interrupted> {
        let program = self.modal.program;
        let first = &made[pattern.begin];
        let Some(line) = Line::new(program, self.modal.terms, &self.items, &first.state, &pattern.by) else {
            return Ok(Found::Endless);
        };
        let rounds = line.rounds(self.modal.terms);
        let Some((round, different)) = self.different(ways, exit, (made, pattern), (&line, rounds)) else {
            return Ok(Found::TooShort);
        };
        let Some(count) = line.first(self.modal, different, rounds)? else { return Ok(Found::TooShort) };
        if count < Integer::from(limits::SHORTEST_STRAIGHT_LEAP) {
            return Ok(Found::TooShort);
        }
        let before = line.advance(program, self.modal.terms, &first.state, &Integer::from(-1));
        let state = line.advance(program, self.modal.terms, &first.state, &count);
        // What lies beside the cells that were written is often what an error is about.
        self.note(&round, &before, Access::Written);
        self.note(&round, &state, Access::Written);
        let (head, end) = (self.at(&first.state, first.location), self.at(&state, first.location));
        let Some(parts) = line.states(program, self.modal.terms, &count) else {
            return Ok(Found::TooShort);
        };
        let changed: Vec<Var> = round.relation.updates.iter().map(|(var, _)| *var).collect();
        let is_variable = |var: &Var| self.items.iter().any(|item| item.var == *var && item.cell.is_none());
        let (visible, hidden): (Vec<Var>, Vec<Var>) = changed.iter().partition(|var| is_variable(var));
        let (kept, region): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|(item, _)| hidden.contains(&item.var));
        let kept = self.modal.terms.and(kept.into_iter().map(|(_, part)| part));
        let region = self.modal.terms.and(region.into_iter().map(|(_, part)| part));
        let (entry, exit) = (self.without(head, &hidden), self.without(end, &hidden));
        let regions = BTreeMap::from([(first.location, region)]);
        let motions = [round];
        let situation = Situation {
            region: &regions,
            motions: &motions,
            entry,
            exit,
            changed: &changed,
            visible: &visible,
        };
        self.statistics.attempts += 1;
        if self.depends(&motions[0], &hidden)
            || failing(self.modal, &situation, Theorem::Two)?.is_some()
            || !self.keeps(&motions[0], (region, exit), kept)?
        {
            return Ok(Found::TooShort);
        }
        let bounds = line.bounds(self.modal.terms, first.location, &changed, &count);
        let region = vec![Port { location: first.location, formula: region }];
        let [round] = motions;
        let link =
            ChainLink::Leap { region, motions: vec![round], hidden, bounds, kept, rounds: Some(count) };
        Ok(Found::Leap(Box::new(Straight { link, head, exit: end, state })))
    }

    /// What a port says about variables that are not hidden.
    fn without(&mut self, port: Port, hidden: &[Var]) -> Port {
        let mut parts = self.modal.terms.conjuncts(port.formula);
        parts.retain(|&part| !self.mentions(part, hidden));
        Port { location: port.location, formula: self.modal.terms.and(parts) }
    }

    fn mentions(&self, term: Term, vars: &[Var]) -> bool {
        let symbols = self.modal.terms.free_symbols(term);
        self.modal.program.variables.of_symbols(&symbols).any(|var| vars.contains(&var))
    }

    /// Does anything else depend on hidden variables?
    fn depends(&self, round: &Motion, hidden: &[Var]) -> bool {
        let updates = round.relation.updates.iter().filter(|(var, _)| !hidden.contains(var));
        let values = updates.map(|(_, value)| *value);
        std::iter::once(round.relation.guard).chain(values).any(|term| self.mentions(term, hidden))
    }

    /// Does every round inside the region keep what is known of hidden variables?
    fn keeps(
        &mut self,
        round: &Motion,
        (region, exit): (Term, Port),
        kept: Term,
    ) -> Result<bool, Interrupted> {
        let not = self.modal.terms.not(exit.formula);
        let before = self.modal.terms.and([region, not, kept, round.relation.guard]);
        let after = round.after(self.modal.program, self.modal.terms, kept);
        self.modal.implies(before, after)
    }

    /// The composed round of a pattern, and when one is different from it: it is not possible, leads elsewhere, or the way
    /// out is open before one of its steps.
    fn different(
        &mut self,
        ways: &Ways,
        exit: Location,
        (made, pattern): (&[Made], &Pattern),
        (line, rounds): (&Line, Symbol),
    ) -> Option<(Motion, Term)> {
        let program = self.modal.program;
        let n = self.modal.terms.constant(rounds);
        let values = line.after(self.modal.terms, n, false)?;
        let next = line.after(self.modal.terms, n, true)?;
        let mut now = Substitution::new();
        let mut known = Vec::new();
        for (item, value) in values {
            if item.cell.is_none() {
                now.insert(program.variables[item.var].symbol, value);
            } else {
                let cell = item.term(program, self.modal.terms)?;
                known.push(self.modal.terms.eq(cell, value));
            }
        }
        let mut ways_to_differ = Vec::new();
        let mut round = Motion::stay(made[pattern.begin].location);
        for step in &made[pattern.begin..pattern.begin + pattern.length] {
            if step.location == exit {
                let open = round.after(program, self.modal.terms, ways.out.relation.guard);
                ways_to_differ.push(now.apply(self.modal.terms, open));
            }
            round = round.then(&ways.motions[step.motion], program, self.modal.terms);
        }
        let possible = now.apply(self.modal.terms, round.relation.guard);
        ways_to_differ.push(self.modal.terms.not(possible));
        for (item, expected) in next {
            let whole = program.variables.term(self.modal.terms, item.var);
            let whole = round.relation.update(item.var).unwrap_or(whole);
            let after = item.part_of(self.modal.terms, whole)?;
            let after = now.apply(self.modal.terms, after);
            let same = self.modal.terms.eq(after, expected);
            ways_to_differ.push(self.modal.terms.not(same));
        }
        let different = self.modal.terms.or(ways_to_differ);
        known.push(different);
        Some((round, self.modal.terms.and(known)))
    }
}

/// Steps that repeat.
struct Pattern {
    /// The first of them.
    begin: usize,
    /// How many of them make a round.
    length: usize,
    /// How far the tracked variables move in a round.
    by: Vec<Integer>,
}

/// What was found out about a pattern.
enum Found {
    /// It leads nowhere.
    Endless,
    /// It ends soon, or it could not be shown not to.
    TooShort,
    /// It was leapt along.
    Leap(Box<Straight>),
}

/// A leap along a line.
struct Straight {
    link: ChainLink,
    head: Port,
    exit: Port,
    state: Model,
}
