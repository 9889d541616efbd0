//! Quantifier elimination: `∃ variables. formula` without the variables, as far as that is possible.
//!
//! The result means exactly the same, or the variables that are left are returned. Rules that need no solver come first:
//!
//! * the quantifier is distributed over disjunctions while that is cheap, and drawn in to what mentions its variables;
//! * [`equality`]: a variable that is equal to something is replaced by it;
//! * [`arithmetic`]: variables bounded from one side vanish, Fourier and Motzkin;
//! * [`array`]: writes are turned around, reads become elements;
//! * a Boolean is replaced by both truth values, while the formula is small.
//!
//! Where they end, the loop of model-based projection begins (`model → implicant → projection → block`): models of the
//! formula come from an [`Oracle`], each is generalised to a formula without the variables that implies the quantified one,
//! and if finitely many of these exhaust the formula, their disjunction is the result. Models are checked by the evaluator;
//! that nothing is left is believed.

mod arithmetic;
mod array;
mod bounds;
pub(crate) mod constraint;
mod equality;
mod implicant;
mod projection;
mod split;

use crate::evaluate::holds;
use crate::model::Model;
use crate::nnf::nnf;
use crate::simplify::simplify;
use crate::sort::Sort;
use crate::substitute::Substitution;
use crate::symbol::Symbol;
use crate::term::{Op, Term, Terms};
use array::{Occurrences, Replaced};
use implicant::mentions_any;
use projection::Stuck;

/// Somebody who knows models.
pub trait Oracle {
    /// A model of the conjunction of the formulas. In one elimination, each question repeats the formulas of the last one
    /// and adds to them, or starts anew.
    fn model(&mut self, terms: &mut Terms, formulas: &[Term]) -> Answer;
}

/// What an [`Oracle`] says.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A model. It need not mention symbols that do not matter.
    Model(Model),
    /// There is none.
    Unsatisfiable,
    /// The oracle does not know, or was interrupted.
    Unknown,
}

/// An oracle that never knows: only rules without a solver are used.
pub struct NoOracle;

impl Oracle for NoOracle {
    fn model(&mut self, _: &mut Terms, _: &[Term]) -> Answer {
        Answer::Unknown
    }
}

/// How much work elimination may be.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Over how many disjuncts the quantifier is distributed, all in all.
    pub disjuncts: usize,
    /// How many more literals than before one step of Fourier and Motzkin may leave.
    pub growth: usize,
    /// The largest formula, in distinct nodes, that is copied to replace a Boolean by both truth values.
    pub copied: usize,
    /// How many reads of an array are replaced by elements.
    pub reads: usize,
    /// How many models are asked for, all in all.
    pub models: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { disjuncts: 24, growth: 8, copied: 400, reads: 4, models: 40 }
    }
}

/// What is left: `∃ variables. input` is equivalent to `∃ remaining. formula`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elimination {
    /// The formula.
    pub formula: Term,
    /// The variables that could not be eliminated, sorted. Elements of a variable that was an array may stand for it.
    pub remaining: Vec<Symbol>,
}

/// Eliminates existentially quantified variables from a formula.
pub fn eliminate(
    terms: &mut Terms,
    variables: &[Symbol],
    formula: Term,
    oracle: &mut dyn Oracle,
    limits: Limits,
) -> Elimination {
    let mut eliminator = Eliminator { terms, oracle, limits };
    let Elimination { formula, mut remaining } = eliminator.formula(formula, variables.to_vec());
    let formula = simplify(terms, formula);
    remaining.sort_unstable();
    remaining.dedup();
    remaining.retain(|&variable| terms.mentions(formula, variable));
    Elimination { formula, remaining }
}

struct Eliminator<'e> {
    terms: &'e mut Terms,
    oracle: &'e mut dyn Oracle,
    /// What is left of the limits.
    limits: Limits,
}

/// A conjunction and the variables that are quantified around it.
struct Goal {
    formula: Term,
    variables: Vec<Symbol>,
}

impl Eliminator<'_> {
    /// Works on a list of goals whose conjunction is the formula. Only distribution over disjuncts recurs, and that is
    /// limited.
    fn formula(&mut self, formula: Term, variables: Vec<Symbol>) -> Elimination {
        let mut done: Vec<Term> = Vec::new();
        let mut remaining: Vec<Symbol> = Vec::new();
        let mut pending = vec![Goal { formula, variables }];
        while let Some(mut goal) = pending.pop() {
            goal.formula = array::compare_elements(self.terms, goal.formula, &goal.variables);
            goal.formula = simplify(self.terms, goal.formula);
            let symbols = self.terms.free_symbols(goal.formula);
            goal.variables.retain(|variable| symbols.binary_search(variable).is_ok());
            if goal.variables.is_empty() {
                done.push(goal.formula);
                continue;
            }
            let (parts, free) = self.parts(&goal);
            if parts.len() > 1 || !free.is_empty() {
                done.extend(free);
                pending.extend(parts);
                continue;
            }
            if let Some(smaller) = self.apply_rule(&goal) {
                pending.push(smaller);
                continue;
            }
            let Elimination { formula, remaining: left } = self.stuck(goal);
            done.push(formula);
            remaining.extend(left);
        }
        Elimination { formula: self.terms.and(done), remaining }
    }

    /// Draws the quantifiers in: goals that share no variable, and the conjuncts that mention none.
    fn parts(&mut self, goal: &Goal) -> (Vec<Goal>, Vec<Term>) {
        let mut free: Vec<Term> = Vec::new();
        let mut groups: Vec<(Vec<Term>, Vec<Symbol>)> = Vec::new();
        for conjunct in self.terms.conjuncts(goal.formula) {
            let mut symbols = self.terms.free_symbols(conjunct);
            symbols.retain(|symbol| goal.variables.contains(symbol));
            if symbols.is_empty() {
                free.push(conjunct);
                continue;
            }
            let mut conjuncts = vec![conjunct];
            groups.retain_mut(|(others, their_symbols)| {
                let connected = their_symbols.iter().any(|symbol| symbols.contains(symbol));
                if connected {
                    conjuncts.append(others);
                    symbols.append(their_symbols);
                }
                !connected
            });
            symbols.sort_unstable();
            symbols.dedup();
            groups.push((conjuncts, symbols));
        }
        let goals = groups
            .into_iter()
            .map(|(conjuncts, variables)| Goal { formula: self.terms.and(conjuncts), variables })
            .collect();
        (goals, free)
    }

    /// One step of a rule that needs no solver and no disjunction.
    fn apply_rule(&mut self, goal: &Goal) -> Option<Goal> {
        let conjuncts = self.terms.conjuncts(goal.formula);
        if let Some((variable, replaced)) = equality::resolve(self.terms, &conjuncts, &goal.variables) {
            return Some(self.next(goal, variable, replaced, Vec::new()));
        }
        if let Some(written) = array::written_element(self.terms, &conjuncts, &goal.variables)
            && written.later.is_empty()
        {
            let mut substitution: Substitution = [(written.element, written.read)].into_iter().collect();
            let replaced = substitution.apply(self.terms, goal.formula);
            return Some(self.next(goal, written.element, vec![replaced], Vec::new()));
        }
        for &variable in &goal.variables {
            let sort = self.terms.symbol_data(variable).sort;
            if !sort.is_arithmetic() {
                continue;
            }
            let (about, mut rest): (Vec<Term>, Vec<Term>) =
                conjuncts.iter().partition(|&&conjunct| self.terms.mentions(conjunct, variable));
            let others: Vec<Symbol> = goal.variables.iter().copied().filter(|&v| v != variable).collect();
            if let Some(literals) =
                arithmetic::eliminate(self.terms, &about, variable, &others, self.limits.growth)
            {
                rest.extend(literals);
                return Some(self.next(goal, variable, rest, Vec::new()));
            }
        }
        for &variable in &goal.variables {
            if let Some(smaller) = self.array_rule(goal, &conjuncts, variable) {
                return Some(smaller);
            }
        }
        for &variable in &goal.variables {
            let boolean = self.terms.symbol_data(variable).sort == Sort::BOOL;
            if boolean && self.terms.dag_size(goal.formula) <= self.limits.copied {
                let cases = [Term::TRUE, Term::FALSE].map(|truth| {
                    let mut substitution: Substitution = [(variable, truth)].into_iter().collect();
                    substitution.apply(self.terms, goal.formula)
                });
                let either = self.terms.or(cases);
                return Some(self.next(goal, variable, vec![either], Vec::new()));
            }
        }
        None
    }

    fn next(&mut self, goal: &Goal, gone: Symbol, conjuncts: Vec<Term>, new: Vec<Symbol>) -> Goal {
        let mut variables: Vec<Symbol> = goal.variables.iter().copied().filter(|&v| v != gone).collect();
        variables.extend(new);
        Goal { formula: self.terms.and(conjuncts), variables }
    }

    fn array_rule(&mut self, goal: &Goal, conjuncts: &[Term], array: Symbol) -> Option<Goal> {
        self.terms.array_parts(self.terms.symbol_data(array).sort)?;
        if let Some(Replaced { conjuncts, elements }) = array::resolve_writes(self.terms, conjuncts, array) {
            let elements = elements.into_iter().map(|(element, _)| element).collect();
            return Some(self.next(goal, array, conjuncts, elements));
        }
        let Occurrences::Reads(indices) = array::occurrences(self.terms, conjuncts, array) else {
            return None;
        };
        if indices.len() > self.limits.reads {
            return None;
        }
        let Replaced { mut conjuncts, elements } =
            array::replace_reads(self.terms, conjuncts, array, &indices);
        conjuncts.extend(array::congruence(self.terms, &elements));
        let elements = elements.into_iter().map(|(element, _)| element).collect();
        Some(self.next(goal, array, conjuncts, elements))
    }

    /// No rule applies to the goal as it is: distributes over a disjunction, or asks for models.
    fn stuck(&mut self, goal: Goal) -> Elimination {
        if let Some(disjuncts) = self.cases(&goal)
            && disjuncts.len() <= self.limits.disjuncts
        {
            self.limits.disjuncts -= disjuncts.len();
            let mut done: Vec<Term> = Vec::new();
            let mut remaining: Vec<Symbol> = Vec::new();
            for disjunct in disjuncts {
                let part = self.formula(disjunct, goal.variables.clone());
                done.push(part.formula);
                remaining.extend(part.remaining);
            }
            return Elimination { formula: self.terms.or(done), remaining };
        }
        self.by_models(goal)
    }

    /// The disjuncts of the goal, or of the goal multiplied out over its shortest disjunctive conjunct.
    fn cases(&mut self, goal: &Goal) -> Option<Vec<Term>> {
        let mut shortest: Option<(usize, Vec<Term>)> = None;
        let conjuncts = self.terms.conjuncts(goal.formula);
        for (position, &conjunct) in conjuncts.iter().enumerate() {
            if !mentions_any(self.terms, conjunct, &goal.variables) {
                continue;
            }
            let Some(disjuncts) = self.alternatives(conjunct, &goal.variables) else { continue };
            if shortest.as_ref().is_none_or(|(_, best)| disjuncts.len() < best.len()) {
                shortest = Some((position, disjuncts));
            }
        }
        let (position, disjuncts) = shortest?;
        let mut others = conjuncts;
        others.remove(position);
        let multiplied = |disjunct: Term| self.terms.and(others.iter().copied().chain([disjunct]));
        Some(disjuncts.into_iter().map(multiplied).collect())
    }

    /// A formula as a disjunction of at least two others, if it can be seen as one.
    fn alternatives(&mut self, formula: Term, variables: &[Symbol]) -> Option<Vec<Term>> {
        let formula = nnf(self.terms, formula);
        if self.terms.op(formula) == Op::Or {
            return Some(self.terms.args(formula).to_vec());
        }
        if let Some(parts) = split::split(self.terms, formula, variables) {
            let refuted = self.terms.not(parts.condition);
            let then = self.terms.and([parts.condition, parts.then]);
            return Some(vec![then, self.terms.and([refuted, parts.otherwise])]);
        }
        // A disequation of numbers is smaller or larger.
        if self.terms.op(formula) == Op::Not
            && let (Op::Eq, &[left, right]) =
                (self.terms.op(self.terms.args(formula)[0]), self.terms.args(self.terms.args(formula)[0]))
            && self.terms.sort_of(left).is_arithmetic()
            && constraint::divisibility(self.terms, left).is_none()
        {
            return Some(vec![self.terms.lt(left, right), self.terms.gt(left, right)]);
        }
        None
    }

    /// The loop of model-based projection. Variables that cannot be projected are left out and remain.
    fn by_models(&mut self, goal: Goal) -> Elimination {
        let Goal { formula, mut variables } = goal;
        let mut remaining: Vec<Symbol> = Vec::new();
        while !variables.is_empty() {
            match self.project_all(formula, &variables) {
                Ok(Some(projected)) => return Elimination { formula: projected, remaining },
                Ok(None) => break,
                Err(Stuck(variable)) => {
                    variables.retain(|&v| v != variable);
                    remaining.push(variable);
                }
            }
        }
        remaining.extend(variables);
        Elimination { formula, remaining }
    }

    /// The disjunction of projections that exhausts the formula, if the oracle and the limits let us find it.
    fn project_all(&mut self, formula: Term, variables: &[Symbol]) -> Result<Option<Term>, Stuck> {
        let mut formulas = vec![formula];
        let mut projections: Vec<Term> = Vec::new();
        while self.limits.models > 0 {
            self.limits.models -= 1;
            let model = match self.oracle.model(self.terms, &formulas) {
                Answer::Unsatisfiable => return Ok(Some(self.terms.or(projections))),
                Answer::Unknown => return Ok(None),
                Answer::Model(model) => model,
            };
            for &formula in &formulas {
                if holds(self.terms, &model, formula) != Ok(true) {
                    return Ok(None);
                }
            }
            let literals = projection::project(self.terms, &model, &[formula], variables)?;
            let projected = self.terms.and(literals);
            formulas.push(self.terms.not(projected));
            projections.push(projected);
        }
        Ok(None)
    }
}
