//! Guessing and pruning (Houdini): of many candidates, the strongest set that is inductive.
//!
//! Every node begins with candidate formulas. Those that an arc into it does not establish from what is known at the
//! nodes that the arc comes from are removed, many at a time with the help of a model, until the rest is inductive. How
//! the question about an arc is put to a solver is the caller's business; the order of the questions, and what an
//! answer means, is said here. Every question but the last about an arc removes a candidate.

pub mod steps;

use crate::context::Context;
use base::Interrupted;
use logic::evaluate::Evaluator;
use logic::print::infix;
use logic::{Model, Term, Terms};
use smt::{Answer, Solver};
use std::collections::BTreeSet;

/// From where an arc leads to where. Nodes are numbered from zero.
#[derive(Clone, Copy, Debug)]
pub struct Arc {
    /// Where it begins.
    pub source: usize,
    /// Behind a call: where the call was made, of which something may be known, too.
    pub call: Option<usize>,
    /// Whose candidates it has to establish.
    pub target: usize,
}

/// A candidate with what it says after an arc.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The candidate, in the words of its node.
    pub candidate: Term,
    /// The same in the words of the question.
    pub after: Term,
}

/// What is to be shown about an arc.
pub struct Question<'p> {
    /// A session in which everything holds that is known before the arc, and the arc itself.
    pub session: Box<dyn Solver + 'p>,
    /// What shall hold then: a goal for every candidate of the target.
    pub goals: Vec<Goal>,
}

/// What becomes of candidates if a solver cannot say which of them are refuted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undecided {
    /// All are removed: the questions are expensive.
    RemoveAll,
    /// Each is asked about alone: the questions are cheap.
    AskEach,
}

/// What a pruning may cost, and how it deals with open questions.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// It gives up after so many questions.
    pub most_queries: u64,
    /// Where a solver does not know.
    pub undecided: Undecided,
}

/// How a pruning ended.
#[derive(Clone, Copy, Debug)]
pub struct Pruned {
    /// Whether what is left is inductive; otherwise it gave up.
    pub settled: bool,
    /// The questions that were asked.
    pub queries: u64,
}

/// Removes candidates of the nodes until all arcs establish the rest.
pub fn prune<'p>(
    context: &mut Context<'p>,
    arcs: &[Arc],
    candidates: &mut [Vec<Term>],
    policy: Policy,
    ask: impl FnMut(&mut Context<'p>, usize, &[Vec<Term>]) -> Question<'p>,
) -> Result<Pruned, Interrupted> {
    prune_to_weaker(context, arcs, candidates, policy, ask, |_, _, _| Vec::new())
}

/// The same where candidates stand for weaker ones that follow from them: these are tried at a node when it loses the stronger one. So nothing is asked
/// that follows from what is asked anyway, and nothing is lost.
pub fn prune_to_weaker<'p>(
    context: &mut Context<'p>,
    arcs: &[Arc],
    candidates: &mut [Vec<Term>],
    policy: Policy,
    mut ask: impl FnMut(&mut Context<'p>, usize, &[Vec<Term>]) -> Question<'p>,
    weaker: impl Fn(&Context<'p>, usize, Term) -> Vec<Term>,
) -> Result<Pruned, Interrupted> {
    let priorities = priorities(arcs, candidates.len());
    let mut relying: Vec<Vec<usize>> = vec![Vec::new(); candidates.len()];
    let mut incoming: Vec<Vec<usize>> = vec![Vec::new(); candidates.len()];
    let mut tried: Vec<BTreeSet<Term>> =
        candidates.iter().map(|candidates| candidates.iter().copied().collect()).collect();
    for (index, arc) in arcs.iter().enumerate() {
        incoming[arc.target].push(index);
        for node in std::iter::once(arc.source).chain(arc.call) {
            relying[node].push(index);
        }
    }
    let mut pending: BTreeSet<Priority> = priorities.iter().copied().collect();
    let mut queries = 0;
    while let Some(Priority { arc: index, .. }) = pending.pop_first() {
        let target = arcs[index].target;
        if candidates[target].is_empty() {
            continue;
        }
        let mut question = ask(context, index, candidates);
        loop {
            queries += 1;
            if queries > policy.most_queries {
                return Ok(Pruned { settled: false, queries });
            }
            if !question.refute(context, policy.undecided)? || question.goals.is_empty() {
                break;
            }
        }
        if question.goals.len() < candidates[target].len() {
            // Less is known at the target now, so everything that relied on it is asked again.
            pending.extend(relying[target].iter().map(|&other| priorities[other]));
            let kept: Vec<Term> = question.goals.iter().map(|goal| goal.candidate).collect();
            let lost = std::mem::replace(&mut candidates[target], kept);
            let kept: BTreeSet<Term> = candidates[target].iter().copied().collect();
            let before = candidates[target].len();
            for stronger in lost.into_iter().filter(|candidate| !kept.contains(candidate)) {
                tracing::trace!(from = arcs[index].source, target, formula = %infix(context.terms, stronger), "lost");
                let added = weaker(context, target, stronger).into_iter();
                candidates[target].extend(added.filter(|&candidate| tried[target].insert(candidate)));
            }
            if candidates[target].len() > before {
                pending.extend(incoming[target].iter().map(|&other| priorities[other]));
            }
        }
    }
    Ok(Pruned { settled: true, queries })
}

/// When an arc has its turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Priority {
    /// A loop is settled before what comes after it,
    target: usize,
    /// and what comes into it before what goes around in it.
    goes_back: bool,
    arc: usize,
}

fn priorities(arcs: &[Arc], nodes: usize) -> Vec<Priority> {
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for arc in arcs {
        for node in std::iter::once(arc.source).chain(arc.call) {
            successors[node].push(arc.target);
        }
    }
    let mut entered = vec![false; nodes];
    for arc in arcs {
        entered[arc.target] = true;
    }
    // Nodes that are not entered come first; cycles that nothing leads to are begun anywhere.
    let roots: Vec<usize> = (0..nodes).filter(|&node| !entered[node]).chain(0..nodes).collect();
    let order = graph::weak_topological_order(nodes, &roots, |node, out| out.extend(&successors[node]));
    let mut position = vec![0; nodes];
    for (index, element) in order.iter().enumerate() {
        position[element.node] = index;
    }
    let priority = |(index, arc): (usize, &Arc)| Priority {
        target: position[arc.target],
        goes_back: position[arc.source] >= position[arc.target],
        arc: index,
    };
    arcs.iter().enumerate().map(priority).collect()
}

impl Question<'_> {
    /// Removes goals that are refuted; says whether there may be more to remove.
    fn refute(&mut self, context: &mut Context<'_>, undecided: Undecided) -> Result<bool, Interrupted> {
        let mut refuted = Vec::with_capacity(self.goals.len());
        for goal in &self.goals {
            refuted.push(context.terms.not(goal.after));
        }
        let some = context.terms.or(refuted);
        self.session.push();
        self.session.assert(context.terms, some);
        let answer = self.session.check(context.terms);
        let model = if answer == Answer::Sat { self.session.model(context.terms).ok() } else { None };
        self.session.pop();
        context.budget.check()?;
        if answer == Answer::Unsat {
            return Ok(false);
        }
        let before = self.goals.len();
        if let Some(model) = model {
            keep_satisfied(context.terms, &model, &mut self.goals);
        }
        if self.goals.len() < before {
            return Ok(true);
        }
        // The solver does not know, or its model does not fit our evaluator.
        match undecided {
            Undecided::RemoveAll => self.goals.clear(),
            Undecided::AskEach => self.ask_each(context)?,
        }
        Ok(false)
    }

    /// Keeps the goals that alone are established.
    fn ask_each(&mut self, context: &mut Context<'_>) -> Result<(), Interrupted> {
        let mut kept = Vec::with_capacity(self.goals.len());
        for &goal in &self.goals {
            let refuted = context.terms.not(goal.after);
            self.session.push();
            self.session.assert(context.terms, refuted);
            let answer = self.session.check(context.terms);
            self.session.pop();
            context.budget.check()?;
            if answer == Answer::Unsat {
                kept.push(goal);
            }
        }
        self.goals = kept;
        Ok(())
    }
}

/// Keeps the goals that hold in a model.
pub fn keep_satisfied(terms: &mut Terms, model: &Model, goals: &mut Vec<Goal>) {
    let mut evaluator = Evaluator::new(model);
    goals.retain(|goal| evaluator.evaluate(terms, goal.after).is_ok_and(|value| value.is_true()));
}
