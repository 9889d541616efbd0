//! The check of leap certificates (paper "Leaping Loops in the Presence of Abstraction").
//!
//! Nothing is taken from the engine but the certificate: moves are executed symbolically over the single-step edges,
//! and every condition is a query of its own. What is checked:
//!
//! 1. the chain has the shape that the one-flip trick demands, and begins and ends where it has to;
//! 2. a step is `must⁻`, `may` or `must⁺` as it claims;
//! 3. a leap has its ports inside `a`; `a` is finite for given values of what the loop does not change; and the
//!    conditions 2 and 3 of Theorem 1 or 2 hold for the transitions that the leap lists ([`theorems`]);
//! 4. no move takes an edge that allows more than the program does: such an edge proves nothing reachable;
//! 5. some state makes the chain begin: the `may` step is possible, or the port where `must⁻` ends has a state.
//!
//! A transition system with fewer transitions reaches less, so a certificate may leave out as many as it likes. That
//! is why moves need only be *some* executions of the program.

mod moves;
mod theorems;

use crate::{Certified, Refusal, Subject};
use base::Budget;
use logic::{Quantifier, Sort, Substitution, Symbol, Term, Terms};
use moves::Transition;
use program::leap::{LeapCertificate, Link, Mode, Port, Ports};
use program::{Location, Program, Unfolding};
use smt::{Answer, Solver};

/// Checks that a certificate shows that its error is reachable in a program: in the one with calls, or in the unfolding
/// that it is about. An unfolding may leave out what it likes, for the same reason as moves; this one has all.
pub fn check_leaps(
    subject: &Subject,
    unfolding: Option<&Unfolding>,
    certificate: &LeapCertificate,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Certified<LeapCertificate>, Refusal> {
    match unfolding {
        None => check_on(subject.program(), certificate, terms, solver, budget),
        Some(unfolding) => {
            let unfolded = subject.unfolded(unfolding, terms)?;
            check_on(unfolded.program(), certificate, terms, solver, budget)
        }
    }
}

fn check_on(
    program: &Program,
    certificate: &LeapCertificate,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Certified<LeapCertificate>, Refusal> {
    for &axiom in &program.axioms {
        solver.assert(terms, axiom);
    }
    let flip = check_shape(program, certificate)?;
    let mut checker = Checker { program, terms, solver, budget };
    for port in &certificate.ports {
        checker.formula_fits(*port)?;
    }
    let mut transitions = Vec::new();
    for data in certificate.moves.values() {
        transitions.push(moves::execute(program, &certificate.plans, data, checker.terms)?);
    }
    for (position, (mode, link)) in certificate.links.iter().enumerate() {
        let (before, after) = (certificate.ports[position], certificate.ports[position + 1]);
        match link {
            Link::Step(step) => {
                let transition = transitions
                    .get(step.as_u32() as usize)
                    .ok_or_else(|| malformed("a move that is missing"))?;
                checker.step(*mode, before, transition, after)?;
            }
            Link::Leap(leap) => {
                let moves: Option<Vec<&Transition>> =
                    leap.moves.iter().map(|id| transitions.get(id.as_u32() as usize)).collect();
                let moves = moves.ok_or_else(|| malformed("a move that is missing"))?;
                let ports = Ports { entry: before, exit: after };
                theorems::check(&mut checker, *mode, ports, leap, &moves)?;
            }
        }
    }
    // A possible `may` step begins the chain; it was checked. Otherwise the port between the two kinds must have a state.
    if !certificate.links.iter().any(|(mode, _)| *mode == Mode::May) {
        let start = certificate.ports[flip].formula;
        checker.demand_possible(start, "the chain of ports has no state to begin with")?;
    }
    Ok(Certified::new(certificate.clone()))
}

fn malformed(what: &str) -> Refusal {
    Refusal::Malformed(what.to_owned())
}

/// The number of `must⁻` links, if the chain has the right shape.
fn check_shape(program: &Program, certificate: &LeapCertificate) -> Result<usize, Refusal> {
    let (ports, links) = (&certificate.ports, &certificate.links);
    if ports.len() != links.len() + 1 {
        return Err(malformed("the number of ports does not fit the number of links"));
    }
    let error = program.errors.get(certificate.error).ok_or_else(|| malformed("there is no such error"))?;
    if !program.initial.contains(&ports[0].location) {
        return Err(malformed("the first port is not initial"));
    }
    if ports[links.len()].location != error.location {
        return Err(malformed("the last port is not at the error"));
    }
    let modes: Vec<Mode> = links.iter().map(|(mode, _)| *mode).collect();
    let ordered = modes.is_sorted() && modes.iter().filter(|mode| **mode == Mode::May).count() <= 1;
    if !ordered {
        return Err(malformed("the modes of the links are not must⁻, at most one may, must⁺"));
    }
    Ok(modes.iter().take_while(|mode| **mode == Mode::MustMinus).count())
}

struct Checker<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    solver: &'a mut dyn Solver,
    budget: &'a Budget,
}

impl Checker<'_> {
    /// Predicates speak of the state and of nothing else.
    fn formula_fits(&self, port: Port) -> Result<(), Refusal> {
        if !self.program.locations.is_valid(port.location) {
            return Err(malformed("a port at a location that is missing"));
        }
        if self.terms.sort_of(port.formula) != Sort::BOOL {
            return Err(malformed("a port without a formula"));
        }
        let symbols = self.terms.free_symbols(port.formula);
        if symbols.iter().all(|&symbol| self.in_scope(port.location, symbol)) {
            Ok(())
        } else {
            Err(malformed("a port that speaks of more than the state"))
        }
    }

    fn in_scope(&self, location: Location, symbol: Symbol) -> bool {
        let var = self.program.variables.of_symbol(symbol);
        var.is_some_and(|var| self.program.scope(location).any(|visible| visible == var))
    }

    fn query(&mut self, formula: Term) -> Result<Answer, Refusal> {
        self.budget.check()?;
        self.solver.push();
        self.solver.assert(self.terms, formula);
        let answer = self.solver.check(self.terms);
        self.solver.pop();
        self.budget.check()?;
        Ok(answer)
    }

    fn demand_possible(&mut self, formula: Term, otherwise: &str) -> Result<(), Refusal> {
        match self.query(formula)? {
            Answer::Sat => Ok(()),
            Answer::Unsat => Err(Refusal::Leap(otherwise.to_owned())),
            Answer::Unknown(why) => Err(Refusal::Undecided(format!("a leap ({otherwise})"), why)),
        }
    }

    fn demand_impossible(&mut self, formula: Term, otherwise: &str) -> Result<(), Refusal> {
        match self.query(formula)? {
            Answer::Unsat => Ok(()),
            Answer::Sat => Err(Refusal::Leap(otherwise.to_owned())),
            Answer::Unknown(why) => Err(Refusal::Undecided(format!("a leap ({otherwise})"), why)),
        }
    }

    fn demand_implication(
        &mut self,
        premise: Term,
        conclusion: Term,
        otherwise: &str,
    ) -> Result<(), Refusal> {
        let not = self.terms.not(conclusion);
        let counterexample = self.terms.and([premise, not]);
        self.demand_impossible(counterexample, otherwise)
    }

    /// A step has the mode that it claims.
    fn step(
        &mut self,
        mode: Mode,
        before: Port,
        transition: &Transition,
        after: Port,
    ) -> Result<(), Refusal> {
        if (transition.source, transition.target) != (before.location, after.location) {
            return Err(malformed("a move that does not lead from port to port"));
        }
        match mode {
            Mode::May => {
                let there = transition.update(self.program).apply(self.terms, after.formula);
                let both = self.terms.and([before.formula, transition.guard, there]);
                self.demand_possible(both, "a step that is not possible")
            }
            Mode::MustPlus => {
                let goal = self.successor(transition, after.formula);
                self.demand_implication(before.formula, goal, "a step is not must⁺")
            }
            Mode::MustMinus => {
                let goal = self.predecessor(transition, before.formula);
                self.demand_implication(after.formula, goal, "a step is not must⁻")
            }
        }
    }

    /// The states with a successor that satisfies the formula.
    fn successor(&mut self, transition: &Transition, formula: Term) -> Term {
        let there = transition.update(self.program).apply(self.terms, formula);
        let possible = self.terms.and([transition.guard, there]);
        self.terms.quantify(Quantifier::Exists, &transition.free, possible, &[])
    }

    /// The states with a predecessor that satisfies the formula.
    fn predecessor(&mut self, transition: &Transition, formula: Term) -> Term {
        let mut before = Substitution::new();
        let mut hidden = transition.free.clone();
        for &(var, _) in &transition.updates {
            let symbol = self.program.variables[var].symbol;
            let copy = copy(self.terms, symbol, "before");
            hidden.push(self.terms.as_symbol(copy).expect("a copy is a symbol"));
            before.insert(symbol, copy);
        }
        let mut parts = vec![before.apply(self.terms, formula), before.apply(self.terms, transition.guard)];
        for &(var, value) in &transition.updates {
            let (now, value) =
                (self.program.variables.term(self.terms, var), before.apply(self.terms, value));
            parts.push(self.terms.eq(now, value));
        }
        let possible = self.terms.and(parts);
        self.terms.quantify(Quantifier::Exists, &hidden, possible, &[])
    }
}

/// A symbol's copy under a name that no program has: names of programs have no spaces.
fn copy(terms: &mut Terms, symbol: Symbol, prefix: &str) -> Term {
    let data = terms.symbol_data(symbol).clone();
    terms.named(&format!("{prefix} {}", data.name), data.sort)
}
