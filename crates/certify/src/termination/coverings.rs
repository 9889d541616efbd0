//! Parts of the program in which modules take the place of ranks.
//!
//! Accepted means, for every [`Covering`] and every [`Module`] of it:
//!
//! 1. the locations of different coverings are different, and those of the states of a module are of its covering;
//! 2. the label of an initial state holds whenever a run comes to its location by a step from outside of the covering, or
//!    begins there;
//! 3. every transition is a valid Hoare triple for all steps between its locations. In an accepting state the old rank is
//!    replaced by the one there, after its label was said about the one before. Where a transition leads from a state behind an accepting one to an accepting
//!    state, the rank there is smaller than the old one; `measured` marks the states behind accepting ones;
//! 4. where it says that no step is possible between two locations, none is; nor is one from where no run comes;
//! 5. all infinite sequences of other steps inside of the covering, from where it is entered, are accepted by one of the modules
//!    ([`infinite`](super::infinite)).
//!
//! So no run stays inside of a covering for ever: the sequence of its steps would be accepted by a module, and the ranks that
//! the module measures along it would become smaller for ever.

use super::infinite::Traces;
use super::steps::SpineStep;
use super::{Checker, becomes_smaller};
use crate::Refusal;
use base::{Budget, EntitySet};
use logic::{Sort, Substitution, Term, Terms};
use program::{Covering, Location, Module, ModuleState, Program};
use smt::Answer;

/// Do the coverings fit the program?
pub(super) fn check_shape(
    program: &Program,
    cut_points: &EntitySet<Location>,
    coverings: &[Covering],
    terms: &mut Terms,
) -> Result<(), Refusal> {
    let mut seen = EntitySet::new();
    for covering in coverings {
        for &location in &covering.locations {
            let known = program.locations.is_valid(location) && cut_points.contains(location);
            if !known || !seen.insert(location) {
                return malformed(format!("{location} is no cut point, or in two coverings"));
            }
        }
        for module in &covering.modules {
            check_module(program, covering, module, terms)?;
        }
    }
    Ok(())
}

fn malformed<T>(what: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Malformed(what.into()))
}

fn check_module(
    program: &Program,
    covering: &Covering,
    module: &Module,
    terms: &mut Terms,
) -> Result<(), Refusal> {
    if module.entries.iter().any(|sort| !sort.is_arithmetic()) {
        return malformed("a rank of a module that is no number");
    }
    let old = module.old_rank(terms);
    for state in &module.states {
        if !covering.locations.contains(&state.location) {
            return malformed(format!("a state of a module at {}, outside of its covering", state.location));
        }
        if terms.sort_of(state.label) != Sort::BOOL {
            return malformed("a label of a module that is no formula");
        }
        let mut said = vec![state.label];
        if let Some(rank) = &state.rank {
            if rank.iter().map(|&entry| terms.sort_of(entry)).ne(module.entries.iter().copied()) {
                return malformed("ranks of different shape in a module");
            }
            super::check_vocabulary(program, terms, rank)?;
        }
        said.retain(|&label| !label.is_true());
        check_label(program, terms, &said, &old)?;
    }
    let count = module.states.len();
    let known = |state: usize| state < count;
    if !module.initial.iter().all(|&state| known(state))
        || !module.transitions.iter().all(|&(from, to)| known(from) && known(to))
    {
        return malformed("a state of a module that is not there");
    }
    for &(from, to) in &module.transitions {
        let (from, to) = (&module.states[from], &module.states[to]);
        if is_behind(from) && !is_behind(to) {
            return malformed("a module forgets that its rank was measured");
        }
    }
    Ok(())
}

/// Is the state accepting, or was another one before it that was?
fn is_behind(state: &ModuleState) -> bool {
    state.measured || state.rank.is_some()
}

/// Labels speak of the state and of the old rank only.
fn check_label(program: &Program, terms: &Terms, said: &[Term], old: &[Term]) -> Result<(), Refusal> {
    for symbol in terms.free_symbols_of(said) {
        let is_old = old.iter().any(|&name| terms.as_symbol(name) == Some(symbol));
        if !is_old && program.variables.of_symbol(symbol).is_none() {
            let name = &terms.symbol_data(symbol).name;
            return Err(Refusal::Label(format!("`{name}` is no variable of the program")));
        }
    }
    Ok(())
}

impl Checker<'_> {
    /// Checks a covering whose shape is right.
    pub(super) fn covering(
        &mut self,
        covering: &Covering,
        steps: &[SpineStep],
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<(), Refusal> {
        for module in &covering.modules {
            for &state in &module.initial {
                self.entered(covering, &module.states[state], steps, terms)?;
            }
            let old = module.old_rank(terms);
            for &(from, to) in &module.transitions {
                self.transition((&module.states[from], &module.states[to]), &old, steps, terms)?;
            }
        }
        for step in steps.iter().filter(|step| covering.impossible.contains(&(step.from, step.to))) {
            let before = self.invariant(step.from, terms);
            self.step(step, before, Term::FALSE, terms)?;
        }
        let inside = |location: Location| covering.locations.contains(&location);
        let nodes = &self.certificate.nodes;
        // Where there is no node, no run comes.
        let possible = |step: &&SpineStep| {
            inside(step.to)
                && nodes.iter().any(|node| node.location == step.from)
                && !covering.impossible.contains(&(step.from, step.to))
        };
        let (within, entering): (Vec<&SpineStep>, Vec<&SpineStep>) =
            steps.iter().filter(possible).partition(|step| inside(step.from));
        let mut traces = Traces::of_steps(&covering.locations, within.into_iter(), |location| {
            self.program.initial.contains(&location) || entering.iter().any(|step| step.to == location)
        });
        for module in &covering.modules {
            traces = traces.without(module, budget)?;
        }
        match traces.lasso() {
            None => Ok(()),
            Some(locations) => Err(Refusal::GoesOn(locations)),
        }
    }

    /// The label of a state holds whenever its location is entered from outside of the covering.
    fn entered(
        &mut self,
        covering: &Covering,
        state: &ModuleState,
        steps: &[SpineStep],
        terms: &mut Terms,
    ) -> Result<(), Refusal> {
        if self.program.initial.contains(&state.location) {
            match self.obligations.refute(terms, state.label)? {
                Answer::Unsat => {}
                Answer::Sat => {
                    return Err(Refusal::Label("an initial state's does not always hold".to_owned()));
                }
                Answer::Unknown(why) => {
                    return Err(Refusal::Undecided("the label of an initial state".to_owned(), why));
                }
            }
        }
        for step in steps {
            if step.to == state.location && !covering.locations.contains(&step.from) {
                let before = self.invariant(step.from, terms);
                self.step(step, before, state.label, terms)?;
            }
        }
        Ok(())
    }

    /// A transition is a valid Hoare triple for all steps between its locations.
    fn transition(
        &mut self,
        (from, to): (&ModuleState, &ModuleState),
        old: &[Term],
        steps: &[SpineStep],
        terms: &mut Terms,
    ) -> Result<(), Refusal> {
        let mut label = from.label;
        let mut before = vec![self.invariant(from.location, terms)];
        if let Some(rank) = &from.rank {
            // The label is about the rank that was the old one until now.
            let mut renaming = Substitution::new();
            for (&name, &entry) in old.iter().zip(rank) {
                let fresh = terms.fresh_symbol("older rank", terms.sort_of(name));
                let fresh = terms.constant(fresh);
                if let Some(symbol) = terms.as_symbol(name) {
                    renaming.insert(symbol, fresh);
                }
                before.push(terms.eq(name, entry));
            }
            label = renaming.apply(terms, label);
        }
        before.push(label);
        let mut after = vec![to.label];
        if let (true, Some(rank)) = (is_behind(from), &to.rank) {
            after.push(becomes_smaller(old, rank, terms));
        }
        let (before, after) = (terms.and(before), terms.and(after));
        for step in steps.iter().filter(|step| step.from == from.location && step.to == to.location) {
            self.step(step, before, after, terms)?;
        }
        Ok(())
    }
}
