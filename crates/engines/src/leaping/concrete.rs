//! A concrete run along a chain.
//!
//! The run begins with inputs that are as small as the solver finds them. Inside a leap the motions are followed until
//! the exit port is reached. The result is a trace over blocks with the values of all states, like any counterexample;
//! the interpreter has to confirm it. If a leap goes round too often for that, the number of its rounds is solved for
//! where that is possible, and there are values at the ports but no trace.

use super::chain::{Chain, ChainLink};
use super::modal::Modal;
use super::motion::Motion;
use super::rounds;
use base::Interrupted;
use logic::evaluate::Evaluator;
use logic::{Integer, Model, Sort, Term, Value};
use program::leap::{LeapRun, Mode, Port, Ports};
use program::{Counterexample, Edge, Error, Var};
use std::collections::BTreeSet;

/// The run along a chain, with a trace if it has at most so many blocks.
pub fn run(
    modal: &mut Modal<'_>,
    chain: &Chain,
    error: Error,
    most_blocks: usize,
) -> Result<Option<LeapRun>, Interrupted> {
    let Some(start) = start(modal, chain)? else { return Ok(None) };
    let mut follower = Follower { modal, edges: Vec::new(), states: Vec::new(), state: start };
    let mut has_trace = true;
    let mut rounds = Vec::new();
    let mut at_ports = vec![follower.state.clone()];
    for (position, (_, link)) in chain.links.iter().enumerate() {
        let port = chain.ports[position + 1];
        match link {
            ChainLink::Step(motion) => {
                if follower.motion(motion).is_none() {
                    return Ok(None);
                }
            }
            ChainLink::Leap { motions, rounds: known, .. } => {
                let begin = follower.state.clone();
                let entry = chain.ports[position];
                let short = known.as_ref().is_none_or(|count| *count <= Integer::from(most_blocks));
                let followed = if short {
                    follower.leap(motions, Ports { entry, exit: port }, most_blocks)
                } else {
                    None
                };
                if let Some(count) = followed {
                    rounds.push(Integer::from(count));
                } else {
                    let there = match known {
                        Some(count) => follower.end(&begin, port)?.map(|there| (count.clone(), there)),
                        None => rounds::solve(follower.modal, motions, &begin, port)?,
                    };
                    let Some((count, there)) = there else { return Ok(None) };
                    has_trace = false;
                    follower.edges.clear();
                    follower.states.clear();
                    rounds.push(count);
                    follower.state = there;
                }
            }
        }
        at_ports.push(follower.state.clone());
    }
    let Follower { edges, mut states, state, .. } = follower;
    states.push(state);
    let counterexample = has_trace.then_some(Counterexample { error, edges, states });
    Ok(Some(LeapRun { counterexample, rounds, at_ports }))
}

/// A state and choices of the first step with which the chain should work out.
fn start(modal: &mut Modal<'_>, chain: &Chain) -> Result<Option<Model>, Interrupted> {
    let Some((_, ChainLink::Step(first))) = chain.links.first() else { return Ok(None) };
    let there = first.after(modal.program, modal.terms, chain.ports[1].formula);
    let mut formula = modal.terms.and([chain.ports[0].formula, first.relation.guard, there]);
    let inputs = inputs(modal, chain);
    // A backward chain says which ends are reached, so the inputs are read off the end.
    if let Some((Mode::May, ChainLink::Step(last))) = chain.links.last()
        && chain.links.len() > 1
    {
        let exit = chain.ports[chain.ports.len() - 2].formula;
        let end = modal.terms.and([exit, last.relation.guard]);
        let Some(model) = modal.model(end)? else { return Ok(None) };
        let mut same = Vec::new();
        for &var in &inputs {
            let symbol = modal.program.variables[var].symbol;
            if let (Some(Value::Int(value)), true) = (model.get(symbol), sort(modal, var) == Sort::INT) {
                let (term, value) = (modal.terms.constant(symbol), modal.terms.int(value.clone()));
                same.push(modal.terms.eq(term, value));
            }
        }
        let same = modal.terms.and(same);
        let same = first.after(modal.program, modal.terms, same);
        formula = modal.terms.and([formula, same]);
    }
    for var in inputs {
        if sort(modal, var) == Sort::INT {
            let value = modal.program.variables.term(modal.terms, var);
            let value = first.after(modal.program, modal.terms, value);
            formula = smallest(modal, formula, value)?;
        }
    }
    modal.model(formula)
}

fn sort(modal: &Modal<'_>, var: Var) -> Sort {
    modal.terms.symbol_data(modal.program.variables[var].symbol).sort
}

/// The variables of the chain that nothing after its first step changes.
fn inputs(modal: &Modal<'_>, chain: &Chain) -> Vec<Var> {
    let mut changed: BTreeSet<Var> = BTreeSet::new();
    let mut note = |motion: &Motion| changed.extend(motion.relation.updates.iter().map(|(var, _)| *var));
    for (_, link) in chain.links.iter().skip(1) {
        match link {
            ChainLink::Step(motion) => note(motion),
            ChainLink::Leap { motions, .. } => motions.iter().for_each(&mut note),
        }
    }
    let ports: Vec<Term> = chain.ports.iter().map(|port| port.formula).collect();
    let symbols = modal.terms.free_symbols_of(&ports);
    modal.program.variables.of_symbols(&symbols).filter(|var| !changed.contains(var)).collect()
}

/// The formula together with a bound on the size of a value, as small as a power of two can be.
pub fn smallest(modal: &mut Modal<'_>, formula: Term, value: Term) -> Result<Term, Interrupted> {
    for exponent in 0..64 {
        let limit = logic::Integer::from(1u128 << exponent);
        let (low, high) = (modal.terms.int(-limit.clone()), modal.terms.int(limit));
        let (above, below) = (modal.terms.le(low, value), modal.terms.le(value, high));
        let small = modal.terms.and([formula, above, below]);
        if modal.model(small)?.is_some() {
            // Between two powers of two there is a least number above zero; three more queries come close to it.
            return closer(modal, formula, value, (1i128 << exponent) / 2, 1i128 << exponent);
        }
    }
    Ok(formula)
}

fn closer(
    modal: &mut Modal<'_>,
    formula: Term,
    value: Term,
    mut low: i128,
    mut high: i128,
) -> Result<Term, Interrupted> {
    let within = |modal: &mut Modal<'_>, limit: i128| {
        let (least, most) = (modal.terms.int(-limit), modal.terms.int(limit));
        let (above, below) = (modal.terms.le(least, value), modal.terms.le(value, most));
        modal.terms.and([formula, above, below])
    };
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let smaller = within(modal, middle);
        if modal.model(smaller)?.is_some() {
            high = middle;
        } else {
            low = middle;
        }
    }
    let zero = within(modal, 0);
    if high == 1 && modal.model(zero)?.is_some() {
        return Ok(zero);
    }
    Ok(within(modal, high))
}

struct Follower<'m, 'c> {
    modal: &'m mut Modal<'c>,
    edges: Vec<Edge>,
    states: Vec<Model>,
    state: Model,
}

impl Follower<'_, '_> {
    fn holds(&mut self, formula: Term) -> Option<bool> {
        Some(Evaluator::new(&self.state).evaluate(self.modal.terms, formula).ok()?.is_true())
    }

    /// Follows a motion. Choices without a strategy have the values that the state gives them.
    fn motion(&mut self, motion: &Motion) -> Option<()> {
        let whole = self.state.clone();
        for (number, (edge, strategy)) in motion.legs.iter().enumerate() {
            let relation = self.modal.program.relation(*edge)?;
            let mut chosen = Vec::new();
            let mut evaluator = Evaluator::new(&self.state);
            for &symbol in &relation.auxiliaries {
                let value = match strategy.iter().find(|(other, _)| *other == symbol) {
                    Some(&(_, value)) => evaluator.evaluate(self.modal.terms, value).ok()?,
                    None => {
                        let name = &self.modal.terms.symbol_data(symbol).name;
                        let anew = self.modal.terms.symbol_by_name(&format!("{name} in leg {number}"));
                        whole.value(self.modal.terms, anew.filter(|_| number > 0).unwrap_or(symbol))
                    }
                };
                chosen.push((symbol, value));
            }
            for (symbol, value) in chosen {
                self.state.set(symbol, value);
            }
            if !self.holds(relation.guard)? {
                return None;
            }
            let mut evaluator = Evaluator::new(&self.state);
            let mut values = Vec::with_capacity(relation.updates.len());
            for &(var, value) in &relation.updates {
                values.push((var, evaluator.evaluate(self.modal.terms, value).ok()?));
            }
            self.edges.push(*edge);
            self.states.push(self.state.clone());
            for (var, value) in values {
                self.state.set(self.modal.program.variables[var].symbol, value);
            }
        }
        Some(())
    }

    /// The state behind a leap whose exit port is one state.
    fn end(&mut self, begin: &Model, exit: Port) -> Result<Option<Model>, Interrupted> {
        let Some(end) = self.modal.model(exit.formula)? else { return Ok(None) };
        let mut there = begin.clone();
        for symbol in self.modal.terms.free_symbols(exit.formula) {
            there.set(symbol, end.value(self.modal.terms, symbol));
        }
        Ok(Some(there))
    }

    /// Follows a leap until the exit port is reached, and counts the rounds.
    fn leap(&mut self, motions: &[Motion], Ports { entry, exit }: Ports, most: usize) -> Option<u64> {
        let mut location = entry.location;
        let mut rounds = 0;
        loop {
            if location == exit.location && self.holds(exit.formula)? {
                return Some(rounds);
            }
            if self.edges.len() > most {
                return None;
            }
            let mut next = None;
            for motion in motions.iter().filter(|motion| motion.source == location) {
                if self.holds(motion.relation.guard)? {
                    next = Some(motion);
                    break;
                }
            }
            let motion = next?;
            self.motion(motion)?;
            location = motion.target;
            rounds += 1;
        }
    }
}
