//! Invariants of the path program of a trace: its edges with all their loops.
//!
//! One unknown per location of the trace, one condition per edge. If the error is unreachable in the path program, its
//! invariants are interpolants for this trace and for all others through the same edges. They are found by a Horn
//! solver, by guessing and pruning ([`houdini`]), or by abstract interpretation.

use super::{affine, limits, templates};
use crate::context::Context;
use crate::floyd_hoare::from_facts::from_facts;
use crate::horn::{self, Class, Step};
use crate::houdini;
use crate::traces::Trace;
use analysis::graph::{Arc, Graph, Node};
use base::{EntityRef, Interrupted};
use logic::{Op, Term, Terms};
use program::Location;
use rustc_hash::FxHashSet;

/// The path program of a trace.
pub(super) struct PathProgram {
    /// The location of each class; runs begin in class 0.
    pub(super) locations: Vec<Location>,
    /// The class of each cut of the trace.
    pub(super) classes: Vec<Class>,
    /// Its edges; those into the error have no target.
    pub(super) steps: Vec<Step>,
    /// The class of the error.
    pub(super) error: Class,
}

impl PathProgram {
    /// One class per location of the trace, one step per edge.
    pub(super) fn of(context: &Context<'_>, trace: &Trace) -> PathProgram {
        let program = context.program;
        let mut locations: Vec<Location> = Vec::new();
        let mut class_of = |location: Location| -> Class {
            locations.iter().position(|&known| known == location).unwrap_or_else(|| {
                locations.push(location);
                locations.len() - 1
            })
        };
        let classes: Vec<Class> =
            (0..=trace.len()).map(|cut| class_of(trace.location(program, cut))).collect();
        let error = classes[trace.len()];
        let mut steps: Vec<Step> = Vec::new();
        let mut known: FxHashSet<Step> = FxHashSet::default();
        for (position, &edge) in trace.edges.iter().enumerate() {
            let target = Some(classes[position + 1]).filter(|&class| class != error);
            let call = trace.calls[position].map(|call| classes[call]);
            let step = Step { edge, source: classes[position], call, target, relaxed: false };
            if known.insert(step) {
                steps.push(step);
            }
        }
        PathProgram { locations, classes, steps, error }
    }

    /// The same as a graph, whose nodes are the classes.
    fn graph(&self) -> Graph {
        let mut graph = Graph::default();
        for &location in &self.locations {
            graph.nodes.push(location);
        }
        let node = |class: Class| Node::new(class);
        graph.begin_at(node(self.classes[0]));
        for step in &self.steps {
            let target = node(step.target.unwrap_or(self.error));
            graph.add(Arc { source: node(step.source), target, edge: step.edge, call: step.call.map(node) });
        }
        graph
    }

    /// One formula per cut of those facts about the classes that exclude the error, and that establish each other; none if they do not.
    fn needed<'p>(
        &self,
        context: &mut Context<'p>,
        mut known: impl FnMut(&mut Context<'p>, Class) -> Vec<Term>,
    ) -> Result<Option<Vec<Term>>, Interrupted> {
        let graph = self.graph();
        let annotation = from_facts(context, &graph, |context, node: Node| {
            let known = known(context, node.index());
            known.into_iter().flat_map(|fact| halves(context.terms, fact)).collect()
        })?;
        if !annotation.left.is_empty() {
            return Ok(None);
        }
        let mut formulas: Vec<Term> = Vec::with_capacity(self.locations.len());
        for class in 0..self.locations.len() {
            let known = known(context, class);
            let needed: Vec<Term> =
                annotation.at(Node::new(class)).map(|predicate| context.pool[predicate].formula).collect();
            formulas.push(if class == self.error {
                Term::FALSE
            } else {
                whole(context.terms, known, needed)
            });
        }
        Ok(Some(self.classes.iter().map(|&class| formulas[class]).collect()))
    }
}

/// One formula per cut from a Horn solver, or nothing if it does not prove the path program within the limit.
pub fn interpolate(
    context: &mut Context<'_>,
    trace: &Trace,
    rlimit: u32,
) -> Result<Option<Vec<Term>>, Interrupted> {
    let PathProgram { locations, classes, steps, error } = PathProgram::of(context, trace);
    let problem = horn::encode(context.program, &locations, &[classes[0]], &steps, context.terms);
    solve(context, &problem, (&classes, error), rlimit)
}

/// One formula per cut by guessing and pruning, or nothing if that does not prove the path program. The formulas say no more than
/// the proof needs. Candidates are [`templates`] with the program's own constants, and the equalities of the [`affine`] analysis.
pub fn guess(context: &mut Context<'_>, trace: &Trace) -> Result<Option<Vec<Term>>, Interrupted> {
    let path = PathProgram::of(context, trace);
    let mut candidates = templates::candidates(context, &path.locations, &path.steps);
    let equalities = affine::equalities(context.program, &path.locations, &path.steps, context.terms);
    for (list, equalities) in candidates.iter_mut().zip(equalities) {
        list.extend(equalities);
        list.sort_unstable();
        list.dedup();
    }
    candidates[0].clear();
    if !houdini::steps::prune(context, &path.steps, &mut candidates)? {
        return Ok(None);
    }
    path.needed(context, |_, class| candidates[class].clone())
}

/// One formula per cut by abstract interpretation, or nothing if that does not prove the path program. The formulas say
/// no more than the proof needs.
pub fn analyse(context: &mut Context<'_>, trace: &Trace) -> Result<Option<Vec<Term>>, Interrupted> {
    let path = PathProgram::of(context, trace);
    let graph = path.graph();
    let model = context.model()?;
    let solution = analysis::solve(&model, &graph, &context.budget)?;
    path.needed(context, |context, class| {
        solution.conjuncts((&model, &graph), Node::new(class), context.terms)
    })
}

/// The same with polyhedra, for small path programs.
pub fn analyse_polyhedra(context: &mut Context<'_>, trace: &Trace) -> Result<Option<Vec<Term>>, Interrupted> {
    let path = PathProgram::of(context, trace);
    if path.steps.len() > limits::MOST_POLYHEDRAL_STEPS {
        return Ok(None);
    }
    let Some(model) = context.polyhedral_model()? else { return Ok(None) };
    let graph = path.graph();
    let solution = analysis::solve(&model, &graph, &context.budget)?;
    path.needed(context, |context, class| {
        solution.conjuncts((&model, &graph), Node::new(class), context.terms)
    })
}

/// A fact; `x = 5` as `x ≤ 5` and `x ≥ 5`, of which one may be enough, and then holds after more iterations of a loop that the
/// trace does not go through.
fn halves(terms: &mut Terms, fact: Term) -> Vec<Term> {
    if terms.op(fact) == Op::Eq {
        let arguments = terms.args(fact).to_vec();
        let number = |&side: &Term| terms.as_number(side).is_some();
        if arguments.len() == 2 && arguments.iter().any(number) {
            return vec![terms.le(arguments[0], arguments[1]), terms.ge(arguments[0], arguments[1])];
        }
    }
    vec![fact]
}

/// The conjunction of what is needed, with facts instead of both of their halves.
fn whole(terms: &mut Terms, known: Vec<Term>, mut needed: Vec<Term>) -> Term {
    for fact in known {
        let halves = halves(terms, fact);
        if halves.len() > 1 && halves.iter().all(|half| needed.contains(half)) {
            needed.retain(|formula| !halves.contains(formula));
            needed.push(fact);
        }
    }
    terms.and(needed)
}

/// Solves a problem and reads off the formulas of a sequence of classes; the one of `error` is `false`.
pub(super) fn solve(
    context: &mut Context<'_>,
    problem: &horn::HornProblem,
    (classes, error): (&[Class], Class),
    rlimit: u32,
) -> Result<Option<Vec<Term>>, Interrupted> {
    let Some(solution) = problem.solve(context, rlimit)? else { return Ok(None) };
    let mut formulas = Vec::with_capacity(classes.len());
    for (cut, &class) in classes.iter().enumerate() {
        let formula = match class {
            // Nothing is known at the beginning, and whatever the solver says there is implied by the axioms.
            _ if cut == 0 => Term::TRUE,
            _ if class == error => Term::FALSE,
            _ => match problem.formula(&solution, class, context.terms) {
                Some(formula) => formula,
                None => return Ok(None),
            },
        };
        formulas.push(formula);
    }
    Ok(Some(formulas))
}
