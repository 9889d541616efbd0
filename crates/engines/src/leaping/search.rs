//! The search for a chain along one path (paper "Leaping Loops", Sections 4.1 and 4.3, Theorem 3).
//!
//! *Forward*: one `may` step to the entry of the first loop, then Theorem 2 for every loop, glued by `must⁺` steps.
//! *Backward*: `must⁻` steps and Theorem 1, and one `may` step to the error at the end. Both try, in this order:
//! strategies for the choices of each loop; the first loop entered after one or two rounds instead of at once; entry
//! ports with less freedom; inputs for which the end of a loop is known to lead on.

use super::candidates::{self, entry_value};
use super::chain::{Chain, ChainLink};
use super::limits;
use super::modal::Modal;
use super::motion::{Motion, Strategy, roots, sequence};
use super::paths::{Loop, Path};
use super::ports;
use super::region;
use super::samples::{self, End, Run};
use super::strategies::{Memory, strategies};
use super::sums::{self, Sums};
use super::theorems::{Condition, Situation, Theorem, applies};
use base::Interrupted;
use logic::{SortData, Term, Value};
use program::leap::{Mode, Port, Ports};
use program::{Edge, EdgeKind, Location, Var};
use std::collections::{BTreeMap, BTreeSet};

base::statistics! {
    /// What the search for leaps did.
    pub struct LeapStatistics {
        paths: "abstract paths tried",
        attempts: "abstract states of loops tried",
        leaps: "loops leapt over, also on paths that failed later",
        queries: "solver queries",
    }
}

/// A search along one path with one theorem.
pub struct Search<'s, 'c> {
    /// Solver and terms.
    pub modal: &'s mut Modal<'c>,
    /// Which theorem.
    pub theorem: Theorem,
    /// What was counted.
    pub statistics: &'s mut LeapStatistics,
    /// What is known of nested loops.
    pub sums: &'s Sums,
    /// The condition that failed last where the search got farthest.
    pub failed: Option<(usize, Condition)>,
    attempts: usize,
    memory: Memory,
    /// Values of inputs under which the end of a loop would lead on.
    hints: Vec<Vec<Term>>,
}

impl<'s, 'c> Search<'s, 'c> {
    /// A search that has not begun.
    pub fn new(
        modal: &'s mut Modal<'c>,
        theorem: Theorem,
        sums: &'s Sums,
        statistics: &'s mut LeapStatistics,
    ) -> Self {
        let memory = Memory::Stationary;
        let hints = Vec::new();
        Search { modal, theorem, statistics, sums, failed: None, attempts: 0, memory, hints }
    }

    /// Is it time to give up?
    fn is_exhausted(&self) -> bool {
        self.attempts > limits::MOST_ATTEMPTS || self.modal.is_exhausted()
    }

    /// A chain along the path.
    pub fn along(&mut self, path: &Path) -> Result<Option<Chain>, Interrupted> {
        let queries = self.modal.queries;
        let found = self.search(path);
        self.statistics.paths += 1;
        self.statistics.queries += self.modal.queries - queries;
        found
    }

    fn search(&mut self, path: &Path) -> Result<Option<Chain>, Interrupted> {
        if path.loops.is_empty() {
            return self.without_loops(path);
        }
        let mut tried: Vec<Vec<Term>> = vec![self.sums.inputs.clone()];
        while let Some(hint) = tried.last().cloned() {
            for memory in [Memory::Stationary, Memory::TwoStates] {
                self.memory = memory;
                for rounds in 0..=limits::MOST_ROUNDS {
                    if self.modal.is_exhausted() {
                        return Ok(None);
                    }
                    let Some(stem) = self.stem(path, rounds) else { continue };
                    if let Some(chain) = self.begin_with_stem(path, &stem, &hint)? {
                        return Ok(Some(chain));
                    }
                }
            }
            self.attempts = 0;
            let hints = std::mem::take(&mut self.hints);
            match hints.into_iter().find(|hint| !tried.contains(hint)) {
                Some(hint) if tried.len() <= limits::MOST_HINTS => tried.push(hint),
                _ => break,
            }
        }
        Ok(None)
    }

    /// A path without loops is an ordinary trace.
    fn without_loops(&mut self, path: &Path) -> Result<Option<Chain>, Interrupted> {
        let program = self.modal.program;
        let Some(motion) = sequence(program, &path.stem, &Vec::new(), self.modal.terms) else {
            return Ok(None);
        };
        if !self.modal.may(Term::TRUE, &motion, Term::TRUE)? {
            return Ok(None);
        }
        let mut chain = Chain::new(Port { location: path.start, formula: Term::TRUE });
        let end = Port { location: motion.target, formula: Term::TRUE };
        chain.push(Mode::May, ChainLink::Step(motion), end);
        Ok(Some(chain))
    }

    /// The blocks before the first loop, and so many rounds of it.
    fn stem(&mut self, path: &Path, rounds: usize) -> Option<Motion> {
        let program = self.modal.program;
        let mut stem = sequence(program, &path.stem, &Vec::new(), self.modal.terms)
            .unwrap_or_else(|| Motion::stay(path.start));
        let first = &path.loops[0];
        for _ in 0..rounds {
            let turn = *program.outgoing[first.entry]
                .iter()
                .find(|&&edge| program.edges[edge].target == first.entry)?;
            if program.edges[turn].overapproximates {
                return None;
            }
            let turn = Motion::new(program, turn, &Vec::new(), self.modal.terms);
            stem = stem.then(&turn, program, self.modal.terms);
        }
        Some(stem)
    }

    fn begin_with_stem(
        &mut self,
        path: &Path,
        stem: &Motion,
        hint: &[Term],
    ) -> Result<Option<Chain>, Interrupted> {
        let Some(mut facts) = ports::entry_facts(self.modal, Term::TRUE, stem)? else { return Ok(None) };
        facts.extend(hint);
        for restriction in self.restrictions(path, stem, &facts)? {
            let formula = self.modal.terms.and(facts.iter().chain(&restriction).copied());
            let entry = Port { location: stem.target, formula };
            let mut chain = Chain::new(Port { location: path.start, formula: Term::TRUE });
            let mode = match self.theorem {
                Theorem::Two if self.modal.may(Term::TRUE, stem, formula)? => Mode::May,
                Theorem::One if self.modal.must_minus(Term::TRUE, stem, formula)? => Mode::MustMinus,
                _ => {
                    self.fails(0, Condition::Glue);
                    continue;
                }
            };
            chain.push(mode, ChainLink::Step(stem.clone()), entry);
            if let Some(chain) = self.begin_with_loop(path, 0, chain)? {
                return Ok(Some(chain));
            }
            if self.is_exhausted() {
                break;
            }
        }
        Ok(None)
    }

    /// Ways to make the entry port smaller, so that what the loop changes has one value there.
    fn restrictions(
        &mut self,
        path: &Path,
        stem: &Motion,
        facts: &[Term],
    ) -> Result<Vec<Vec<Term>>, Interrupted> {
        let changed = self.changed(&self.inner_edges(&path.loops[0]));
        let terms: Vec<Term> =
            changed.iter().map(|&var| self.modal.program.variables.term(self.modal.terms, var)).collect();
        let formula = self.modal.terms.and(facts.iter().copied());
        let mut open = Vec::new();
        for (&var, &term) in changed.iter().zip(&terms) {
            let sort = self.modal.terms.sort_of(term);
            let simple = matches!(
                self.modal.terms.sort_data(sort),
                SortData::Bool | SortData::Int | SortData::BitVec(_)
            );
            if simple && entry_value(self.modal.terms, formula, term, &terms).is_none() {
                open.push((var, term));
            }
        }
        if open.is_empty() {
            return Ok(vec![Vec::new()]);
        }
        let there = stem.after(self.modal.program, self.modal.terms, formula);
        let possible = self.modal.terms.and([stem.relation.guard, there]);
        let Some(model) = self.modal.model(possible)? else { return Ok(Vec::new()) };
        let Some(state) = samples::step(self.modal.program, self.modal.terms, stem, &model) else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        let mut fixed = Vec::new();
        for &(var, term) in &open {
            let value = state.value(self.modal.terms, self.modal.program.variables[var].symbol);
            if let Some(value) = literal(self.modal, &value) {
                fixed.push(self.modal.terms.eq(term, value));
            }
        }
        found.push(fixed);
        let inputs: Vec<Var> =
            self.modal.program.scope(stem.target).filter(|var| !changed.contains(var)).collect();
        for input in inputs.into_iter().take(6) {
            let input = self.modal.program.variables.term(self.modal.terms, input);
            let sort = self.modal.terms.sort_of(input);
            let same: Vec<Term> = open
                .iter()
                .filter(|(_, term)| self.modal.terms.sort_of(*term) == sort)
                .map(|(_, term)| *term)
                .collect();
            if same.len() == open.len() {
                found.push(same.into_iter().map(|term| self.modal.terms.eq(term, input)).collect());
            }
        }
        if sums::is_nested(path) {
            let edges = self.inner_edges(&path.loops[0]);
            let guards = edges.iter().filter_map(|&edge| self.modal.program.relation(edge));
            let guards: Vec<Term> = guards.map(|relation| relation.guard).collect();
            for beside in [0, 1, -1] {
                let end = |&(_, term): &(Var, Term)| sums::ends(self.modal.terms, &guards, term, beside);
                found.extend(open.iter().map(end).collect::<Option<Vec<Term>>>());
            }
        }
        Ok(found)
    }

    /// The blocks inside a loop that can be used.
    fn inner_edges(&self, at: &Loop) -> Vec<Edge> {
        let program = self.modal.program;
        let inside = |location: Location| at.component.contains(&location);
        let edges = at.component.iter().flat_map(|&location| program.outgoing[location].iter().copied());
        edges
            .filter(|&edge| {
                let data = &program.edges[edge];
                let internal = matches!(data.kind, EdgeKind::Internal(_)) && !data.overapproximates;
                internal && inside(data.target)
            })
            .collect()
    }

    fn changed(&self, edges: &[Edge]) -> Vec<Var> {
        let relations = edges.iter().filter_map(|&edge| self.modal.program.relation(edge));
        let changed: BTreeSet<Var> =
            relations.flat_map(|relation| relation.updates.iter().map(|(var, _)| *var)).collect();
        changed.into_iter().collect()
    }

    /// Leaps over the loops from this one on; the chain ends with the entry port of this one. The depth of the
    /// recursion is the number of loops of the path, which is bounded.
    fn begin_with_loop(
        &mut self,
        path: &Path,
        number: usize,
        chain: Chain,
    ) -> Result<Option<Chain>, Interrupted> {
        let Some(at) = path.loops.get(number) else { return Ok(Some(chain)) };
        let edges = self.inner_edges(at);
        let entry = chain.last();
        let changed = self.changed(&edges);
        let sample = self.modal.model(entry.formula)?;
        let all: Vec<Edge> = edges.iter().chain(&at.out).copied().collect();
        let kind = (self.memory, sample.as_ref());
        let mut choices = strategies(self.modal, &all, entry.formula, &changed, kind);
        if self.memory == Memory::TwoStates && number > 0 {
            // Two states in one loop do not exclude none in another.
            let kind = (Memory::Stationary, sample.as_ref());
            choices.splice(0..0, strategies(self.modal, &all, entry.formula, &changed, kind));
        }
        for strategy in choices {
            if self.is_exhausted() {
                break;
            }
            let Some(chain) = self.leap(path, number, &chain, (&edges, &strategy))? else { continue };
            if let Some(chain) = self.begin_with_loop(path, number + 1, chain)? {
                return Ok(Some(chain));
            }
        }
        Ok(None)
    }

    /// The chain with a leap over this loop under a strategy, and the way to the next loop.
    fn leap(
        &mut self,
        path: &Path,
        number: usize,
        chain: &Chain,
        (edges, strategy): (&[Edge], &Strategy),
    ) -> Result<Option<Chain>, Interrupted> {
        let program = self.modal.program;
        let at = &path.loops[number];
        let mut motions = Vec::new();
        for &edge in edges {
            let motion = Motion::new(program, edge, strategy, self.modal.terms);
            if !motion.relation.is_blocked() {
                motions.push(motion);
            }
        }
        let Some(out) = sequence(program, &at.out, strategy, self.modal.terms) else { return Ok(None) };
        let leads_on = self.modal.pre(&out, Term::TRUE);
        if leads_on.is_false() {
            return Ok(None);
        }
        let entry = chain.last();
        let exit = Port { location: at.exit, formula: leads_on };
        let runs = self.runs(&motions, entry, exit)?;
        if !runs.is_empty() && runs.iter().all(|run| run.end == End::Cycle) {
            return Ok(None);
        }
        let changed = updated(&motions);
        for hidden in self.hidden(path, number, &motions, &changed) {
            self.attempts += 1;
            self.statistics.attempts += 1;
            let visible: Vec<Var> = changed.iter().filter(|var| !hidden.contains(var)).copied().collect();
            let entry = self.without_hidden(entry, &hidden);
            let candidates = candidates::candidates(self.modal, &motions, entry, leads_on, &visible, &runs);
            let candidates = self.about_others(candidates, &hidden);
            let candidates_at = |&location: &Location| {
                let sums = self.sums.equations.get(&location).cloned().unwrap_or_default();
                let mut here = candidates.clone();
                here.extend(self.about_others(sums, &hidden));
                (location, here)
            };
            let candidates = at.component.iter().map(candidates_at).collect();
            let Some(found) = region::region(self.modal, &motions, Ports { entry, exit }, candidates)? else {
                continue;
            };
            let mut regions: BTreeMap<Location, Term> = BTreeMap::new();
            for (&location, conjuncts) in &found {
                let conjuncts = region::without_redundant(self.modal, conjuncts)?;
                regions.insert(location, self.modal.terms.and(conjuncts));
            }
            let exit_formula = self.modal.terms.and([regions[&at.exit], leads_on]);
            let exit = Port { location: at.exit, formula: exit_formula };
            let situation = Situation {
                region: &regions,
                motions: &motions,
                entry,
                exit,
                changed: &changed,
                visible: &visible,
            };
            let bounds = match applies(self.modal, &situation, self.theorem)? {
                Ok(bounds) => bounds,
                Err(condition) => {
                    self.fails(number + 1, condition);
                    if condition == Condition::Successor {
                        self.hint(path, exit)?;
                    }
                    continue;
                }
            };
            self.statistics.leaps += 1;
            let region = regions.iter().map(|(&location, &formula)| Port { location, formula }).collect();
            let link = ChainLink::Leap {
                region,
                motions: motions.clone(),
                hidden,
                bounds,
                kept: Term::TRUE,
                rounds: None,
            };
            let mut longer = chain.clone();
            if let Some(extended) = self.glue(path, number, &mut longer, Ports { entry, exit }, link, &out)? {
                return Ok(Some(extended));
            }
            self.fails(number + 1, Condition::Glue);
        }
        Ok(None)
    }

    /// Adds the leap and the motion behind it.
    fn glue(
        &mut self,
        path: &Path,
        number: usize,
        chain: &mut Chain,
        Ports { entry, exit }: Ports,
        leap: ChainLink,
        out: &Motion,
    ) -> Result<Option<Chain>, Interrupted> {
        let mode = match self.theorem {
            Theorem::One => Mode::MustMinus,
            Theorem::Two => Mode::MustPlus,
        };
        if entry != chain.last() {
            chain.push(mode, ChainLink::Step(Motion::stay(entry.location)), entry);
        }
        chain.push(mode, leap, exit);
        let last = number + 1 == path.loops.len();
        let formula = if last {
            Term::TRUE
        } else {
            let Some(facts) = ports::entry_facts(self.modal, exit.formula, out)? else { return Ok(None) };
            self.modal.terms.and(facts)
        };
        let (mode, fits) = match self.theorem {
            Theorem::Two => (Mode::MustPlus, self.modal.must_plus(exit.formula, out, formula)?),
            Theorem::One if last => (Mode::May, self.modal.may(exit.formula, out, formula)?),
            Theorem::One => (Mode::MustMinus, self.modal.must_minus(exit.formula, out, formula)?),
        };
        if !fits {
            return Ok(None);
        }
        chain.push(mode, ChainLink::Step(out.clone()), Port { location: out.target, formula });
        Ok(Some(chain.clone()))
    }

    fn fails(&mut self, depth: usize, condition: Condition) {
        if self.failed.is_none_or(|known| known <= (depth, condition)) {
            self.failed = Some((depth, condition));
        }
    }

    /// Short runs from a few states of the entry port.
    fn runs(&mut self, motions: &[Motion], entry: Port, exit: Port) -> Result<Vec<Run>, Interrupted> {
        let mut runs = Vec::new();
        let mut formula = entry.formula;
        for _ in 0..2 {
            let Some(model) = self.modal.model(formula)? else { break };
            let mut same = Vec::new();
            for symbol in self.modal.terms.free_symbols(entry.formula) {
                let term = self.modal.terms.constant(symbol);
                if let Some(value) = literal(self.modal, &model.value(self.modal.terms, symbol)) {
                    same.push(self.modal.terms.eq(term, value));
                }
            }
            let same = self.modal.terms.and(same);
            let other = self.modal.terms.not(same);
            formula = self.modal.terms.and([formula, other]);
            runs.extend(samples::run(
                self.modal,
                motions,
                (entry.location, model),
                exit,
                limits::SAMPLE_STEPS,
            ));
        }
        Ok(runs)
    }

    /// What may be hidden: first what nothing reads later, then all that the loop itself does not read.
    fn hidden(&mut self, path: &Path, number: usize, motions: &[Motion], changed: &[Var]) -> Vec<Vec<Var>> {
        if self.theorem == Theorem::One {
            return vec![Vec::new()];
        }
        let program = self.modal.program;
        let mut inside: Vec<Term> = motions.iter().map(|motion| motion.relation.guard).collect();
        let guards = path.loops[number].out.iter().filter_map(|&edge| program.relation(edge));
        inside.extend(guards.map(|relation| relation.guard));
        let mut later = inside.clone();
        let mut edges: Vec<Edge> = path.loops[number].out.clone();
        for next in &path.loops[number + 1..] {
            edges.extend(self.inner_edges(next));
            edges.extend(&next.out);
        }
        later.extend(edges.iter().filter_map(|&edge| program.relation(edge)).flat_map(roots));
        let mut found: Vec<Vec<Var>> = Vec::new();
        for seeds in [later, inside] {
            let hidden = self.independent(seeds, motions, changed);
            if !found.contains(&hidden) {
                found.push(hidden);
            }
        }
        found
    }

    /// The changed variables on which the seeds do not depend, directly or through others.
    fn independent(&self, seeds: Vec<Term>, motions: &[Motion], changed: &[Var]) -> Vec<Var> {
        let mut hidden = changed.to_vec();
        let mut roots = seeds;
        while let Some(root) = roots.pop() {
            let symbols = self.modal.terms.free_symbols(root);
            let read: Vec<Var> = self.modal.program.variables.of_symbols(&symbols).collect();
            for var in read {
                if let Some(position) = hidden.iter().position(|&other| other == var) {
                    hidden.remove(position);
                    roots.extend(motions.iter().filter_map(|motion| motion.relation.update(var)));
                }
            }
        }
        hidden
    }

    /// Conjuncts that speak of hidden variables are dropped from a port.
    fn without_hidden(&mut self, port: Port, hidden: &[Var]) -> Port {
        let conjuncts = self.modal.terms.conjuncts(port.formula);
        let kept = self.about_others(conjuncts, hidden);
        Port { location: port.location, formula: self.modal.terms.and(kept) }
    }

    fn about_others(&self, mut formulas: Vec<Term>, hidden: &[Var]) -> Vec<Term> {
        formulas.retain(|&formula| {
            let symbols = self.modal.terms.free_symbols(formula);
            !self.modal.program.variables.of_symbols(&symbols).any(|var| hidden.contains(&var))
        });
        formulas
    }

    /// Notes values of inputs with which a state of the exit port exists that leads all the way on.
    fn hint(&mut self, path: &Path, exit: Port) -> Result<(), Interrupted> {
        if self.theorem == Theorem::One || self.hints.len() > limits::MOST_HINTS {
            return Ok(());
        }
        let Some(model) = self.modal.model(exit.formula)? else { return Ok(()) };
        let changed: BTreeSet<Var> =
            path.loops.iter().flat_map(|at| self.changed(&self.inner_edges(at))).collect();
        let outs: Vec<Edge> = path.loops.iter().flat_map(|at| at.out.clone()).collect();
        let overwritten = self.changed(&outs);
        let symbols = self.modal.terms.free_symbols(exit.formula);
        let inputs: Vec<Var> = self.modal.program.variables.of_symbols(&symbols).collect();
        let mut hint = Vec::new();
        for var in inputs {
            if changed.contains(&var) || overwritten.contains(&var) {
                continue;
            }
            let symbol = self.modal.program.variables[var].symbol;
            let term = self.modal.terms.constant(symbol);
            if let Some(value) = literal(self.modal, &model.value(self.modal.terms, symbol)) {
                hint.push(self.modal.terms.eq(term, value));
            }
        }
        if !hint.is_empty() && !self.hints.contains(&hint) {
            self.hints.push(hint);
        }
        Ok(())
    }
}

fn updated(motions: &[Motion]) -> Vec<Var> {
    let all: BTreeSet<Var> =
        motions.iter().flat_map(|motion| motion.relation.updates.iter().map(|(var, _)| *var)).collect();
    all.into_iter().collect()
}

/// The term of a value of a simple sort.
fn literal(modal: &mut Modal<'_>, value: &Value) -> Option<Term> {
    match value {
        Value::Bool(value) => Some(modal.terms.bool(*value)),
        Value::Int(value) => Some(modal.terms.int(value.clone())),
        Value::BitVec(width, value) => Some(modal.terms.bitvec(value.clone(), *width)),
        _ => None,
    }
}
