//! The automaton of an annotation (paper "Software Model Checking for People who Love Automata", Section 3: the Hoare
//! triples "may stem from a partial annotation for the program").
//!
//! Given is a graph over the edges of the program and, for every node, formulas that are believed to hold there. The
//! result says which of the errors they exclude, and which of the formulas are needed for that. It is found backwards: an error is excluded
//! if the formulas before it contradict its edge; those in the contradiction have to hold, so every edge into their node must
//! establish them, from formulas before it that are needed in turn. A formula that an edge does not establish is given up,
//! and so is everything that was built on it. One error comes after the other: what is needed for those before stays needed, as nothing of it rests on
//! what is given up later, so independent errors cost what each of them costs alone.
//!
//! Only what is needed is ever checked: one query for each needed formula and each edge into its node, at most.

use crate::context::Context;
use crate::edge_formula::EdgeFormula;
use crate::floyd_hoare::nearby::Subjects;
use crate::predicates::{Predicate, PredicateSet};
use analysis::graph::{Graph, Node};
use base::{EntitySet, Interrupted, PrimaryMap, SecondaryMap};
use logic::{Symbol, Term};
use program::verdict::State;
use program::{Edge, EdgeKind, Error, FloydHoareAutomaton, Proof};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Answer, Solver};
use std::collections::{BTreeMap, BTreeSet};

/// A proof, or the errors that the facts do not exclude.
pub enum Outcome {
    /// No error is reachable.
    Proven(Proof),
    /// These may be.
    NotShown(Vec<Error>),
}

/// What formulas at the nodes of a graph prove.
pub struct Annotation {
    /// The formulas of each node that are needed.
    needed: SecondaryMap<Node, BTreeSet<Predicate>>,
    /// The arcs to errors that are excluded.
    excluded: BTreeSet<usize>,
    /// The errors to which an arc leads that is not excluded.
    pub left: Vec<Error>,
    /// How many formulas were given up.
    pub dropped: u64,
}

/// Why a formula holds after an arc: formulas before it, and at the call.
#[derive(Clone)]
struct Grounds {
    before: Vec<Predicate>,
    at_call: Vec<Predicate>,
}

impl Grounds {
    /// With other formulas beside them.
    fn and(mut self, other: Grounds) -> Grounds {
        for (mine, theirs) in [(&mut self.before, other.before), (&mut self.at_call, other.at_call)] {
            mine.extend(theirs);
            mine.sort_unstable();
            mine.dedup();
        }
        self
    }
}

/// The search for what is needed.
struct Search<'c, 'p, 'g, F> {
    context: &'c mut Context<'p>,
    graph: &'g Graph,
    facts: F,
    /// The formulas of the nodes that were asked for.
    labels: SecondaryMap<Node, Option<BTreeSet<Predicate>>>,
    /// What was found for an arc and a formula after it.
    grounds: FxHashMap<(usize, Predicate), Grounds>,
    edges: FxHashMap<Edge, Asked<'p>>,
    /// How many edges have a session of their own.
    sessions: usize,
    /// The session for all other edges.
    shared: Option<Box<dyn Solver + 'p>>,
    /// What the premises speak of.
    symbols: FxHashMap<Term, Box<[Symbol]>>,
    /// The same, with cells of arrays at known places; nothing if the program has no arrays.
    subjects: Option<Subjects>,
    needed: SecondaryMap<Node, BTreeSet<Predicate>>,
    dropped: u64,
}

/// An edge that something was asked about.
struct Asked<'p> {
    formula: EdgeFormula,
    /// How often, as long as it has no session of its own.
    times: u32,
    /// A session that holds the formula.
    own: Option<Box<dyn Solver + 'p>>,
}

/// How many solver sessions are kept open: each holds the formula of its edge.
const SESSIONS: usize = 64;
/// An edge that is asked about more often gets a session of its own: making one costs as much as some questions, and most edges
/// to errors are asked about once.
const SHARED_QUESTIONS: u32 = 2;

/// From so many premises on, those that speak of the variables of the question are tried first. A place in a large program has facts about
/// thousands of variables, and an edge changes a few.
const MANY_PREMISES: usize = 24;

/// Finds out what the facts at the nodes of a graph prove about the context's program.
pub fn from_facts<'p>(
    context: &mut Context<'p>,
    graph: &Graph,
    facts: impl FnMut(&mut Context<'p>, Node) -> Vec<Term>,
) -> Result<Annotation, Interrupted> {
    let terms = &*context.terms;
    let is_array = |symbol: Symbol| terms.array_parts(terms.symbol_data(symbol).sort).is_some();
    let has_arrays = context.program.variables.iter().any(|(_, data)| is_array(data.symbol));
    let mut search = Search {
        context,
        graph,
        facts,
        labels: SecondaryMap::new(),
        grounds: FxHashMap::default(),
        edges: FxHashMap::default(),
        sessions: 0,
        shared: None,
        symbols: FxHashMap::default(),
        subjects: has_arrays.then(Subjects::default),
        needed: SecondaryMap::new(),
        dropped: 0,
    };
    let program = search.context.program;
    let error = |index: usize| program.locations[graph.nodes[graph.arcs()[index].target]].error;
    let mut excluded = BTreeSet::new();
    let mut left = Vec::new();
    for index in 0..graph.arcs().len() {
        let Some(error) = error(index) else { continue };
        if search.excludes(index)? {
            excluded.insert(index);
        } else {
            left.push(error);
        }
    }
    left.sort_unstable();
    left.dedup();
    Ok(Annotation { needed: search.needed, excluded, left, dropped: search.dropped })
}

impl<'p, F: FnMut(&mut Context<'p>, Node) -> Vec<Term>> Search<'_, 'p, '_, F> {
    /// Finds what is needed to exclude the error of an arc, beside what is needed already; or that the formulas do not suffice.
    fn excludes(&mut self, error: usize) -> Result<bool, Interrupted> {
        loop {
            let mut added = Vec::new();
            let Some((arc, unfounded)) = self.unfounded(error, &mut added)? else { return Ok(true) };
            // What was needed for this formula may not be needed otherwise.
            for (node, formula) in added {
                self.needed[node].remove(&formula);
            }
            if arc == error {
                return Ok(false);
            }
            self.dropped += 1;
            let target = self.graph.arcs()[arc].target;
            self.labels[target].as_mut().expect("it was asked for").remove(&unfounded);
        }
    }

    /// Adds what is needed to exclude the error of an arc, until there is an arc, the first or a later one, for which the formulas
    /// before it do not suffice.
    fn unfounded(
        &mut self,
        error: usize,
        added: &mut Vec<(Node, Predicate)>,
    ) -> Result<Option<(usize, Predicate)>, Interrupted> {
        let mut pending: Vec<(usize, Predicate)> = vec![(error, Predicate::bottom())];
        while let Some((index, goal)) = pending.pop() {
            self.context.budget.check()?;
            let arc = self.graph.arcs()[index];
            let Some(Grounds { before, at_call }) = self.grounds(index, goal)? else {
                return Ok(Some((index, goal)));
            };
            for (node, formulas) in [(Some(arc.source), before), (arc.call, at_call)] {
                let Some(node) = node else { continue };
                for formula in formulas {
                    if self.needed[node].insert(formula) {
                        added.push((node, formula));
                        pending.extend(self.graph.incoming_indices(node).map(|index| (index, formula)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The formulas of a node.
    fn label(&mut self, node: Node) -> &BTreeSet<Predicate> {
        if self.labels[node].is_none() {
            let program = self.context.program;
            let mut label = BTreeSet::new();
            // Runs begin with anything: what the axioms say about constants holds without saying.
            if !self.graph.is_initial(node) {
                for formula in (self.facts)(self.context, node) {
                    label.extend(self.context.pool.add(program, self.context.terms, formula));
                }
            }
            label.remove(&Predicate::top());
            self.labels[node] = Some(label);
        }
        self.labels[node].as_ref().expect("just made")
    }

    /// Does an internal edge change nothing that a formula speaks of?
    fn is_kept(&self, edge: Edge, goal: Predicate) -> bool {
        let Some(relation) = self.context.program.relation(edge) else { return false };
        goal != Predicate::bottom()
            && self.context.pool[goal].variables.iter().all(|&var| relation.update(var).is_none())
    }

    /// Formulas before an arc that establish a formula after it, if there are any.
    fn grounds(&mut self, index: usize, goal: Predicate) -> Result<Option<Grounds>, Interrupted> {
        let arc = self.graph.arcs()[index];
        if arc.call.is_none() && self.is_kept(arc.edge, goal) && self.label(arc.source).contains(&goal) {
            return Ok(Some(Grounds { before: vec![goal], at_call: Vec::new() }));
        }
        self.label(arc.source);
        if let Some(call) = arc.call {
            self.label(call);
        }
        let label = |node: Option<Node>| node.and_then(|node| self.labels[node].as_ref());
        let (before, at_call) = (label(Some(arc.source)), label(arc.call));
        if let Some(known) = self.grounds.get(&(index, goal)) {
            let still = |kept: &[Predicate], now: Option<&BTreeSet<Predicate>>| {
                kept.iter().all(|kept| now.is_some_and(|now| now.contains(kept)))
            };
            if still(&known.before, before) && still(&known.at_call, at_call) {
                return Ok(Some(known.clone()));
            }
        }
        let all = |label: Option<&BTreeSet<Predicate>>| label.into_iter().flatten().copied().collect();
        let (before, at_call): (Vec<Predicate>, Vec<Predicate>) = (all(before), all(at_call));
        let found = match (before.contains(&Predicate::bottom()), at_call.contains(&Predicate::bottom())) {
            (true, _) => Some(Grounds { before: vec![Predicate::bottom()], at_call: Vec::new() }),
            (_, true) => Some(Grounds { before: Vec::new(), at_call: vec![Predicate::bottom()] }),
            _ => self.ask(arc.edge, &Grounds { before, at_call }, goal)?,
        };
        if let Some(grounds) = &found {
            self.grounds.insert((index, goal), grounds.clone());
        }
        Ok(found)
    }

    /// Which of all formulas establish the goal, if they do.
    fn ask(&mut self, edge: Edge, all: &Grounds, goal: Predicate) -> Result<Option<Grounds>, Interrupted> {
        let mut asked = self.edges.remove(&edge).unwrap_or_else(|| Asked {
            formula: EdgeFormula::new(self.context.program, edge, self.context.terms),
            times: 0,
            own: None,
        });
        let found = self.ask_about(&mut asked, all, goal);
        self.edges.insert(edge, asked);
        found
    }

    fn ask_about(
        &mut self,
        asked: &mut Asked<'p>,
        all: &Grounds,
        goal: Predicate,
    ) -> Result<Option<Grounds>, Interrupted> {
        let context = &mut *self.context;
        let formula = &mut asked.formula;
        let wanted = formula.post.apply(context.terms, context.pool[goal].formula);
        let mut known: Vec<Premise> = Vec::with_capacity(all.before.len() + all.at_call.len());
        for &predicate in &all.before {
            let term = formula.pre.apply(context.terms, context.pool[predicate].formula);
            known.push((term, predicate, false));
        }
        for &predicate in &all.at_call {
            let term = formula.call.apply(context.terms, context.pool[predicate].formula);
            known.push((term, predicate, true));
        }
        if wanted.is_true() {
            return Ok(Some(grounds(&known, |_| false)));
        }
        if let Some(&(same, ..)) = known.iter().find(|&&(term, ..)| term == wanted) {
            return Ok(Some(grounds(&known, |term| term == same)));
        }
        if let Some(found) = self.ask_small(&asked.formula.base, wanted, &known)? {
            return Ok(Some(found));
        }
        let context = &mut *self.context;
        let formula = &mut asked.formula;
        let near = match known.len() < MANY_PREMISES {
            true => Vec::new(),
            false => {
                let mut about: Vec<Term> = formula.base.clone();
                about.push(wanted);
                let about: FxHashSet<Symbol> = context.terms.free_symbols_of(&about).into_iter().collect();
                let mut is_near = |&(term, ..): &Premise| {
                    let of = || context.terms.free_symbols(term).into_boxed_slice();
                    self.symbols.entry(term).or_insert_with(of).iter().any(|symbol| about.contains(symbol))
                };
                known.iter().copied().filter(|premise| is_near(premise)).collect()
            }
        };
        asked.times += 1;
        let is_new = asked.own.is_none() && asked.times > SHARED_QUESTIONS;
        if is_new && self.sessions >= SESSIONS {
            self.edges.clear();
            self.sessions = 0;
        }
        if is_new {
            let mut solver = session_with_axioms(context);
            for &known in &formula.base {
                solver.assert(context.terms, known);
            }
            asked.own = Some(solver);
            self.sessions += 1;
        }
        if let Some(solver) = &mut asked.own {
            return established(context, &mut **solver, (wanted, goal), (&near, &known, &formula.base));
        }
        let solver = self.shared.get_or_insert_with(|| session_with_axioms(context));
        solver.push();
        for &known in &formula.base {
            solver.assert(context.terms, known);
        }
        let found = established(context, &mut **solver, (wanted, goal), (&near, &known, &formula.base));
        solver.pop();
        found
    }

    /// Which formulas establish a goal, if those suffice that speak of the same variables and cells.
    fn ask_small(
        &mut self,
        base: &[Term],
        wanted: Term,
        known: &[Premise],
    ) -> Result<Option<Grounds>, Interrupted> {
        let Some(subjects) = &mut self.subjects else { return Ok(None) };
        let context = &mut *self.context;
        let premises: Vec<Term> = known.iter().map(|&(term, ..)| term).collect();
        let Some(small) = subjects.small(context.terms, (base, wanted), &premises) else { return Ok(None) };
        let of =
            |numbers: &[usize]| -> Vec<Premise> { numbers.iter().map(|&number| known[number]).collect() };
        let (points, near) = (of(&small.points), of(&small.near));
        let of_points = grounds(&points, |_| true);
        if small.wanted.is_true() {
            return Ok(Some(of_points));
        }
        let found = match known.iter().find(|&&(term, ..)| term == small.wanted) {
            Some(&(same, ..)) => Some(grounds(known, |term| term == same)),
            None => {
                let refuted = context.terms.not(small.wanted);
                let solver = self.shared.get_or_insert_with(|| session_with_axioms(context));
                solver.push();
                for &demand in &small.base {
                    solver.assert(context.terms, demand);
                }
                let found = contradiction(context, &mut **solver, refuted, &near);
                solver.pop();
                found?
            }
        };
        Ok(found.map(|found| found.and(of_points)))
    }
}

/// A session that knows what always holds.
fn session_with_axioms<'p>(context: &Context<'p>) -> Box<dyn Solver + 'p> {
    let mut solver = context.session();
    for &axiom in &context.program.axioms {
        solver.assert(context.terms, axiom);
    }
    solver
}

/// Which premises establish a goal, whose formula over the states of the edge is `wanted`, if they do. The formula of the edge is
/// asserted. The near ones are tried before all, if they are many fewer.
fn established(
    context: &mut Context<'_>,
    solver: &mut dyn Solver,
    (wanted, goal): (Term, Predicate),
    (near, known, base): (&[Premise], &[Premise], &[Term]),
) -> Result<Option<Grounds>, Interrupted> {
    let refuted = context.terms.not(wanted);
    let quantified = |term: Term| context.terms.has_quantifier(term);
    if quantified(refuted) || known.iter().any(|&(term, ..)| quantified(term)) {
        // What is preserved rarely needs what is known of other cells, and many formulas have many instances.
        let is_near = |&(term, predicate, _): &Premise| predicate == goal || !quantified(term);
        let near: Vec<Premise> = known.iter().copied().filter(is_near).collect();
        // What is said about pairs of cells has the most instances, and is needed least.
        let is_single = |&(term, ..): &Premise| !about_several(context.terms, term);
        let single: Vec<Premise> = known.iter().copied().filter(is_single).collect();
        let mut attempts = vec![near, single, known.to_vec()];
        attempts.dedup_by_key(|premises| premises.len());
        let mut complete = true;
        for premises in attempts {
            let (found, all) = instantiated(context, solver, (refuted, base), &premises)?;
            if found.is_some() {
                return Ok(found);
            }
            complete = all;
        }
        if complete {
            return Ok(None);
        }
    }
    if !near.is_empty()
        && near.len() <= known.len() / 2
        && let Some(found) = contradiction(context, solver, refuted, near)?
    {
        return Ok(Some(found));
    }
    contradiction(context, solver, refuted, known)
}

/// Does a formula speak of all pairs of cells, or of more than that?
fn about_several(terms: &logic::Terms, formula: Term) -> bool {
    let quantified = matches!(terms.op(formula), logic::Op::Quantified(..));
    quantified && terms.bound_sorts_of(formula).len() > 1
}

/// What is known before an arc: as a formula over its states, as a predicate, and whether at the call.
type Premise = (Term, Predicate, bool);

fn grounds(known: &[Premise], used: impl Fn(Term) -> bool) -> Grounds {
    let of = |from_call: bool| {
        let chosen = known.iter().filter(|(term, _, at_call)| *at_call == from_call && used(*term));
        chosen.map(|&(_, predicate, _)| predicate).collect()
    };
    Grounds { before: of(false), at_call: of(true) }
}

/// What of the premises contradicts a formula, at the indices of the query; and whether no quantifier was left.
fn instantiated(
    context: &mut Context<'_>,
    solver: &mut dyn Solver,
    (refuted, base): (Term, &[Term]),
    known: &[Premise],
) -> Result<(Option<Grounds>, bool), Interrupted> {
    let mut all: Vec<Term> = known.iter().map(|&(term, ..)| term).collect();
    all.push(refuted);
    all.extend(base);
    let instances = logic::instances(context.terms, &all);
    let (before, rest) = instances.split_at(known.len());
    let before = known.iter().zip(before).map(|(&(_, predicate, at), &term)| (term, predicate, at));
    let before: Vec<Premise> = before.collect();
    let refuted = context.terms.and(rest.iter().copied());
    let found = contradiction(context, solver, refuted, &before)?;
    let complete = !instances.iter().any(|&term| context.terms.has_quantifier(term));
    Ok((found, complete))
}

/// What of the premises contradicts a formula, if the solver finds that they do.
fn contradiction(
    context: &mut Context<'_>,
    solver: &mut dyn Solver,
    refuted: Term,
    known: &[Premise],
) -> Result<Option<Grounds>, Interrupted> {
    let assumptions: Vec<Term> = known.iter().map(|&(term, ..)| term).collect();
    solver.push();
    solver.assert(context.terms, refuted);
    let answer = solver.check_assuming(context.terms, &assumptions);
    let core = if answer == Answer::Unsat { solver.core(context.terms).ok() } else { None };
    solver.pop();
    context.budget.check()?;
    Ok(core.map(|core| grounds(known, |term| core.contains(&term))))
}

impl Annotation {
    /// Is at least one error excluded?
    pub fn proves_something(&self) -> bool {
        !self.excluded.is_empty()
    }

    /// How many formulas are needed.
    pub fn size(&self) -> u64 {
        self.needed.values().map(|label| label.len() as u64).sum()
    }

    /// The formulas that are needed at a node.
    pub fn at(&self, node: Node) -> impl Iterator<Item = Predicate> + '_ {
        self.needed[node].iter().copied()
    }

    /// A proof with a single automaton, or what is left.
    pub fn outcome(self, context: &mut Context<'_>, graph: &Graph) -> Outcome {
        if self.left.is_empty() {
            Outcome::Proven(Proof { automata: vec![self.automaton(context, graph)] })
        } else {
            Outcome::NotShown(self.left)
        }
    }

    /// The automaton of the traces to excluded errors. Nodes with the same needs are one state.
    pub fn automaton(&self, context: &mut Context<'_>, graph: &Graph) -> FloydHoareAutomaton {
        let useful = self.useful(graph);
        let mut states = States { ids: BTreeMap::new(), formulas: PrimaryMap::new() };
        let mut automaton = FloydHoareAutomaton::default();
        for &node in graph.initial().iter().filter(|&&node| useful.contains(node)) {
            let set = context.pool.set(Vec::new());
            let state = states.of(context, set);
            debug_assert!(self.needed[node].is_empty(), "nothing is known at first");
            automaton.initial.push(state);
        }
        automaton.initial.dedup();
        for (index, arc) in graph.arcs().iter().enumerate() {
            let error = context.program.locations[graph.nodes[arc.target]].error.is_some();
            let used = if error { self.excluded.contains(&index) } else { useful.contains(arc.target) };
            if !used {
                continue;
            }
            let source = self.set(context, arc.source);
            let target = if error {
                context.pool.set(vec![Predicate::bottom()])
            } else {
                self.set(context, arc.target)
            };
            let (source, target) = (states.of(context, source), states.of(context, target));
            match (&context.program.edges[arc.edge].kind, arc.call) {
                (EdgeKind::Call(_), _) => automaton.calls.push((source, arc.edge, target)),
                (_, Some(call)) => {
                    let call = self.set(context, call);
                    let call = states.of(context, call);
                    automaton.returns.push((source, call, arc.edge, target));
                }
                _ => automaton.internal.push((source, arc.edge, target)),
            }
        }
        for list in [&mut automaton.internal, &mut automaton.calls] {
            list.sort_unstable();
            list.dedup();
        }
        automaton.returns.sort_unstable();
        automaton.returns.dedup();
        automaton.states = states.formulas;
        automaton
    }

    fn set(&self, context: &mut Context<'_>, node: Node) -> PredicateSet {
        context.pool.set(self.at(node).collect())
    }

    /// The nodes from which an excluded error can be reached, over any arcs.
    fn useful(&self, graph: &Graph) -> EntitySet<Node> {
        let mut useful = EntitySet::new();
        let mut pending: Vec<usize> = self.excluded.iter().copied().collect();
        while let Some(index) = pending.pop() {
            let arc = graph.arcs()[index];
            for node in [Some(arc.source), arc.call].into_iter().flatten() {
                if useful.insert(node) {
                    pending.extend(graph.incoming_indices(node));
                }
            }
        }
        useful
    }
}

/// One state for each set of predicates.
struct States {
    ids: BTreeMap<PredicateSet, State>,
    formulas: PrimaryMap<State, Term>,
}

impl States {
    fn of(&mut self, context: &mut Context<'_>, set: PredicateSet) -> State {
        let formula = context.pool.conjunction(set, context.terms);
        *self.ids.entry(set).or_insert_with(|| self.formulas.push(formula))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::counting_up;
    use base::{Budget, EntityRef};
    use logic::Terms;
    use smt::Solvers;

    /// What `lower ≤ x` for each number, and `x ≤ 5`, prove at the head of the loop that counts up from 0: how many
    /// of them are needed, given up and left unproven, and the labels of the automaton.
    fn check(lower: &[i32]) -> (u64, u64, usize, Vec<String>) {
        let mut terms = Terms::new();
        let (program, x) = counting_up(&mut terms);
        let budget = Budget::unlimited();
        let solvers = Solvers::new(&budget);
        let mut context = Context::new(&program, &mut terms, &solvers, budget);
        let graph = Graph::of_program(&program);
        let facts = |context: &mut Context<'_>, node: Node| {
            assert_eq!(node, Node::new(1), "only the head of the loop is asked for");
            let x = program.variables.term(context.terms, x);
            let five = context.terms.int(5);
            let mut all = vec![context.terms.le(x, five)];
            for &number in lower {
                let number = context.terms.int(number);
                all.push(context.terms.ge(x, number));
            }
            all
        };
        let annotation = from_facts(&mut context, &graph, facts).expect("unlimited");
        let automaton = annotation.automaton(&mut context, &graph);
        let labels = automaton.states.values().map(|&label| logic::print::infix(context.terms, label));
        (annotation.size(), annotation.dropped, annotation.left.len(), labels.collect())
    }

    #[test]
    fn only_what_is_needed_is_kept() {
        assert_eq!(check(&[0]), (1, 0, 0, vec!["true".into(), "x >= 0".into(), "false".into()]));
    }

    #[test]
    fn what_does_not_hold_at_first_is_given_up_and_the_next_is_tried() {
        let (needed, dropped, left, labels) = check(&[0, 1]);
        assert_eq!((needed, left), (1, 0));
        assert!(dropped <= 1, "at most the fact that does not hold was tried");
        assert_eq!(labels, ["true", "x >= 0", "false"]);
    }

    #[test]
    fn without_facts_the_error_is_left() {
        assert_eq!(check(&[]), (0, 0, 1, Vec::new()));
        // This one contradicts the error, but it does not hold when the loop begins.
        assert_eq!(check(&[1]), (0, 1, 1, Vec::new()));
    }
}
