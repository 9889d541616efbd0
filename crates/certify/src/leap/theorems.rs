//! The conditions of Theorems 1 and 2, for the transitions that a leap lists.
//!
//! The paper's condition 1, that `γ(a)` is finite, is demanded for given values of what the listed moves do not change:
//! they relate only states that agree on those, so every such part of `a` is a transition system of its own, and the
//! theorem is applied to each. Variables may be hidden for Theorem 2 if the rest does not depend on them: then the
//! theorem is applied to the projection, and every path of the projection is one of the program. What is known about hidden
//! variables at the entry and kept by every move, whatever is chosen in it, holds at the end of each of these paths; so the ports may
//! speak of hidden variables as far as that goes, and the theorem is applied to what the ports say about the others.
//!
//! The transitions are those of the moves that begin in `a` outside the exit port. Whether the ports have neighbours
//! outside `a` does not matter for the proofs of the theorems; that they are inside is checked.

use super::moves::Transition;
use super::{Checker, copy, malformed};
use crate::Refusal;
use logic::{Sort, SortData, Substitution, Symbol, Term};
use program::leap::{Leap, Mode, Port, Ports};
use program::{Location, Var};
use std::collections::BTreeSet;

/// The words that name the copies of one execution: those of its state, and those of its choices.
#[derive(Clone, Copy)]
struct Words {
    state: &'static str,
    choice: &'static str,
}

/// Checks a leap.
pub(super) fn check(
    checker: &mut Checker<'_>,
    mode: Mode,
    Ports { entry, exit }: Ports,
    leap: &Leap,
    moves: &[&Transition],
) -> Result<(), Refusal> {
    let mut changed: BTreeSet<Var> = BTreeSet::new();
    for transition in moves {
        changed.extend(transition.updates.iter().map(|(var, _)| *var));
    }
    for &port in &leap.region {
        checker.formula_fits(port)?;
    }
    for var in changed.clone() {
        let expected = leap.hidden.contains(&var) || leap.bounds.iter().any(|bound| bound.var == var);
        if !expected && never_changes(checker, moves, var)? {
            changed.remove(&var);
        }
    }
    let hidden: BTreeSet<Var> = leap.hidden.iter().copied().collect();
    if !hidden.is_subset(&changed) {
        return Err(malformed("a hidden variable that does not change"));
    }
    let visible: Vec<Var> = changed.difference(&hidden).copied().collect();
    let whole = Ports { entry, exit };
    let (entry, exit) = (without(checker, entry, &hidden), without(checker, exit, &hidden));
    let mut theorem = Theorem { checker, leap, moves, entry, exit, visible, changed };
    theorem.hidden_does_not_matter(&hidden)?;
    theorem.regions_fit()?;
    theorem.is_kept(whole)?;
    theorem.is_finite()?;
    match mode {
        Mode::MustPlus => {
            theorem.one_predecessor()?;
            theorem.successors()
        }
        Mode::MustMinus if hidden.is_empty() && leap.kept.is_true() => {
            theorem.one_successor()?;
            theorem.predecessors()
        }
        Mode::MustMinus => Err(malformed("Theorem 1 with hidden variables, or with something to be kept")),
        Mode::May => Err(malformed("a leap that only may lead to its exit port")),
    }
}

/// What a port says about variables that are not hidden.
fn without(checker: &mut Checker<'_>, port: Port, hidden: &BTreeSet<Var>) -> Port {
    let mut parts = checker.terms.conjuncts(port.formula);
    parts.retain(|&part| {
        let symbols = checker.terms.free_symbols(part);
        !checker.program.variables.of_symbols(&symbols).any(|var| hidden.contains(&var))
    });
    Port { location: port.location, formula: checker.terms.and(parts) }
}

/// Does every move leave the variable as it is, although it assigns to it?
fn never_changes(checker: &mut Checker<'_>, moves: &[&Transition], var: Var) -> Result<bool, Refusal> {
    for transition in moves {
        for &(_, value) in transition.updates.iter().filter(|(updated, _)| *updated == var) {
            let now = checker.program.variables.term(checker.terms, var);
            let same = checker.terms.eq(now, value);
            let changes = checker.terms.not(same);
            let changes = checker.terms.and([transition.guard, changes]);
            if !checker.query(changes)?.is_unsat() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

struct Theorem<'c, 'a, 'l> {
    checker: &'c mut Checker<'a>,
    leap: &'l Leap,
    moves: &'l [&'l Transition],
    entry: Port,
    exit: Port,
    /// The variables that the moves change and that are not hidden.
    visible: Vec<Var>,
    /// All variables that the moves change; the others keep their values.
    changed: BTreeSet<Var>,
}

impl Theorem<'_, '_, '_> {
    fn region(&self, location: Location) -> Result<Term, Refusal> {
        let mut there = self.leap.region.iter().filter(|port| port.location == location);
        match (there.next(), there.next()) {
            (Some(port), None) => Ok(port.formula),
            _ => Err(malformed("not exactly one region at a location of a leap")),
        }
    }

    /// The states of `a` at a location that are not in a port.
    fn outside(&mut self, location: Location, port: Port) -> Result<Term, Refusal> {
        let region = self.region(location)?;
        if location != port.location {
            return Ok(region);
        }
        let not = self.checker.terms.not(port.formula);
        Ok(self.checker.terms.and([region, not]))
    }

    fn regions_fit(&mut self) -> Result<(), Refusal> {
        for port in [self.entry, self.exit] {
            let region = self.region(port.location)?;
            self.checker.demand_implication(
                port.formula,
                region,
                "a port is not inside its abstract state",
            )?;
        }
        for port in &self.leap.region {
            self.region(port.location)?;
        }
        for transition in self.moves {
            self.region(transition.source)?;
            self.region(transition.target)?;
        }
        Ok(())
    }

    fn symbol(&self, var: Var) -> Symbol {
        self.checker.program.variables[var].symbol
    }

    /// Nothing but hidden variables depends on hidden variables.
    fn hidden_does_not_matter(&mut self, hidden: &BTreeSet<Var>) -> Result<(), Refusal> {
        let mut roots = vec![self.entry.formula, self.exit.formula];
        roots.extend(self.leap.region.iter().map(|port| port.formula));
        for transition in self.moves {
            roots.push(transition.guard);
            let seen = transition.updates.iter().filter(|(var, _)| !hidden.contains(var));
            roots.extend(seen.map(|(_, value)| *value));
        }
        let symbols = self.checker.terms.free_symbols_of(&roots);
        if hidden.iter().any(|&var| symbols.contains(&self.symbol(var))) {
            return Err(Refusal::Leap("something depends on a hidden variable".to_owned()));
        }
        Ok(())
    }

    /// What is to be kept holds at the entry and after every move from outside the exit port, and with it the exit port has all
    /// that it says. Here ports are those of the chain, hidden variables included.
    fn is_kept(&mut self, Ports { entry, exit }: Ports) -> Result<(), Refusal> {
        let kept = self.leap.kept;
        for port in &self.leap.region {
            self.checker.formula_fits(Port { location: port.location, formula: kept })?;
        }
        self.checker.demand_implication(entry.formula, kept, "an entry port without what a leap keeps")?;
        for transition in self.moves {
            let from = self.outside(transition.source, self.exit)?;
            let terms = &mut *self.checker.terms;
            let before = terms.and([from, kept, transition.guard]);
            let after = transition.update(self.checker.program).apply(terms, kept);
            self.checker.demand_implication(before, after, "a move does not keep what a leap keeps")?;
        }
        let end = self.checker.terms.and([self.exit.formula, kept]);
        self.checker.demand_implication(end, exit.formula, "an exit port says more than is known there")
    }

    /// Condition 1 of both theorems.
    fn is_finite(&mut self) -> Result<(), Refusal> {
        let changed: Vec<Symbol> = self.changed.iter().map(|&var| self.symbol(var)).collect();
        for port in &self.leap.region {
            for &var in &self.visible {
                let symbol = self.symbol(var);
                let sort = self.checker.terms.symbol_data(symbol).sort;
                match self.checker.terms.sort_data(sort) {
                    SortData::Bool | SortData::BitVec(_) => continue,
                    SortData::Int => {}
                    _ => return Err(Refusal::Leap("a variable with infinitely many values".to_owned())),
                }
                let bound =
                    self.leap.bounds.iter().find(|bound| bound.var == var && bound.location == port.location);
                let bound = bound.ok_or_else(|| malformed("a changed variable without a bound"))?;
                let terms = &mut *self.checker.terms;
                let fixed = terms.free_symbols_of(&[bound.lower, bound.upper]).iter().all(|symbol| {
                    let variables = &self.checker.program.variables;
                    variables.of_symbol(*symbol).is_some() && !changed.contains(symbol)
                });
                if !fixed || [bound.lower, bound.upper].iter().any(|&term| terms.sort_of(term) != Sort::INT) {
                    return Err(malformed("a bound that the loop changes"));
                }
                let value = terms.constant(symbol);
                let (low, high) = (terms.le(bound.lower, value), terms.le(value, bound.upper));
                let within = terms.and([low, high]);
                self.checker.demand_implication(port.formula, within, "an abstract state may be infinite")?;
            }
        }
        Ok(())
    }

    /// The move under copies of everything that may differ between two executions: guard, and the values afterwards.
    fn renamed(&mut self, transition: &Transition, words: Words) -> Copied {
        let mut before = Substitution::new();
        for &var in &self.changed {
            let symbol = self.symbol(var);
            let copied = copy(self.checker.terms, symbol, words.state);
            before.insert(symbol, copied);
        }
        let mut all = before.clone();
        for &symbol in &transition.free {
            let copied = copy(self.checker.terms, symbol, words.choice);
            all.insert(symbol, copied);
        }
        let guard = all.apply(self.checker.terms, transition.guard);
        let mut after = Substitution::new();
        for &var in &self.changed {
            let value =
                transition.updates.iter().find(|(updated, _)| *updated == var).map(|(_, value)| *value);
            let unchanged = self.checker.program.variables.term(self.checker.terms, var);
            let value = all.apply(self.checker.terms, value.unwrap_or(unchanged));
            after.insert(self.symbol(var), value);
        }
        Copied { before, guard, after }
    }

    /// Do two copies of the state differ in something that is not hidden?
    fn differ(&mut self, left: &mut Substitution, right: &mut Substitution) -> Term {
        let mut differences = Vec::new();
        for &var in &self.visible {
            let value = self.checker.program.variables.term(self.checker.terms, var);
            let (here, there) =
                (left.apply(self.checker.terms, value), right.apply(self.checker.terms, value));
            let same = self.checker.terms.eq(here, there);
            differences.push(self.checker.terms.not(same));
        }
        self.checker.terms.or(differences)
    }

    /// Condition 2 of Theorem 2: every state of `a` outside the entry port has at most one predecessor in `a`.
    fn one_predecessor(&mut self) -> Result<(), Refusal> {
        for (position, first) in self.moves.iter().enumerate() {
            for second in &self.moves[position..] {
                if first.target != second.target {
                    continue;
                }
                let mut left = self.renamed(first, Words { state: "left", choice: "left" });
                let mut right = self.renamed(second, Words { state: "right", choice: "right" });
                let (from_left, from_right) =
                    (self.outside(first.source, self.exit)?, self.outside(second.source, self.exit)?);
                let meeting = self.outside(first.target, self.entry)?;
                let different_ends = self.differ(&mut left.after, &mut right.after);
                let different_starts = if first.source == second.source {
                    self.differ(&mut left.before, &mut right.before)
                } else {
                    Term::TRUE
                };
                let terms = &mut *self.checker.terms;
                let parts = [
                    left.before.apply(terms, from_left),
                    right.before.apply(terms, from_right),
                    left.guard,
                    right.guard,
                    left.after.apply(terms, meeting),
                    terms.not(different_ends),
                    different_starts,
                ];
                let meet = terms.and(parts);
                self.checker
                    .demand_impossible(meet, "a state may have two predecessors in the abstract state")?;
            }
        }
        Ok(())
    }

    /// Condition 3 of Theorem 2: every state of `a` outside the exit port has a successor in `a` outside the entry port.
    fn successors(&mut self) -> Result<(), Refusal> {
        for port in &self.leap.region {
            let mut ways = Vec::new();
            for transition in self.moves.iter().filter(|transition| transition.source == port.location) {
                let there = self.outside(transition.target, self.entry)?;
                ways.push(self.checker.successor(transition, there));
            }
            let some = self.checker.terms.or(ways);
            let from = self.outside(port.location, self.exit)?;
            self.checker.demand_implication(
                from,
                some,
                "a state may have no successor in the abstract state",
            )?;
        }
        Ok(())
    }

    /// Condition 2 of Theorem 1: every state of `a` outside the exit port has at most one successor in `a`.
    fn one_successor(&mut self) -> Result<(), Refusal> {
        for (position, first) in self.moves.iter().enumerate() {
            for second in &self.moves[position..] {
                if first.source != second.source {
                    continue;
                }
                // One state before, but choices of their own.
                let mut left = self.renamed(first, Words { state: "before", choice: "left" });
                let mut right = self.renamed(second, Words { state: "before", choice: "right" });
                let from = self.outside(first.source, self.exit)?;
                let (to_left, to_right) = (self.region(first.target)?, self.region(second.target)?);
                let different = if first.target == second.target {
                    self.differ(&mut left.after, &mut right.after)
                } else {
                    Term::TRUE
                };
                let terms = &mut *self.checker.terms;
                let parts = [
                    left.before.apply(terms, from),
                    left.guard,
                    right.guard,
                    left.after.apply(terms, to_left),
                    right.after.apply(terms, to_right),
                    different,
                ];
                let part = terms.and(parts);
                self.checker
                    .demand_impossible(part, "a state may have two successors in the abstract state")?;
            }
        }
        Ok(())
    }

    /// Condition 3 of Theorem 1: every state of `a` outside the entry port has a predecessor in `a` outside the exit port.
    fn predecessors(&mut self) -> Result<(), Refusal> {
        for port in &self.leap.region {
            let mut ways = Vec::new();
            for transition in self.moves.iter().filter(|transition| transition.target == port.location) {
                let from = self.outside(transition.source, self.exit)?;
                ways.push(self.checker.predecessor(transition, from));
            }
            let some = self.checker.terms.or(ways);
            let to = self.outside(port.location, self.entry)?;
            self.checker.demand_implication(
                to,
                some,
                "a state may have no predecessor in the abstract state",
            )?;
        }
        Ok(())
    }
}

struct Copied {
    before: Substitution,
    guard: Term,
    after: Substitution,
}
