//! Invariants about all cells of a part of an array.
//!
//! Programs fill arrays in loops, copy them, look for the largest element. What such a loop has done so far is a formula
//! `∀k. range(k) ⇒ property(a[k], k)`: the cells below the counter are 42, equal those of another array, are not larger
//! than the maximum. The parts of such formulas stand in the program: ranges come from [`counters`], cells from [`accesses`], properties from
//! what is written, read and asserted ([`templates`]); blocks of memory are cells of their fields ([`blocks`]), cells may stand still ([`standing`]), and the end of a walk may be marked ([`walks_to_marks`]). All combinations are candidates at all loop heads; [`pruning`] leaves
//! those that are invariants, and every formula that the proof needs is checked as a Hoare triple
//! ([`from_facts`](crate::floyd_hoare::from_facts)). Before that, programs that link blocks are asked what their heaps look like
//! ([`heap`]), and what their data says ([`along_links`]). What is left open is tried once more with bounds of what is written to arrays ([`contents`]), and
//! then with parts of arrays whose cells are compared ([`compared`]).
//!
//! Of programs with calls only heaps are looked at ([`calls`] says what procedures do with them); ends at once for programs without arrays. Never refutes. Costs some queries for
//! each edge, each with as many formulas as there are candidates.

mod accesses;
mod along_links;
mod blocks;
mod calls;
mod compared;
mod contents;
mod counters;
mod data;
mod heap;
mod kinds;
mod limits;
mod order;
mod parts;
mod places;
mod pointers;
mod standing;
mod tables;
mod templates;
mod unshared;
mod walks;
mod walks_to_marks;

pub use walks::walks_links;

use crate::context::Context;
use crate::floyd_hoare::from_facts::{Outcome, from_facts};
use crate::live_variables;
use crate::pruning::Pruning;
use crate::task::Task;
use accesses::{Access, Kind};
use analysis::graph::{Graph, Node};
use analysis::order::weak_topological_order;
use analysis::{Facts, Precision, analyse};
use base::{EntityRef, EntitySet, Interrupted, SecondaryMap};
use compared::in_parts;
use contents::{SoFar, with_contents};
use heap::About;
use logic::print::infix;
use logic::{Linear, Op, Sort, Symbol, Term, Terms};
use num_traits::One;
use program::{Edge, EdgeKind, Location, Program, Var, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use templates::{Source, Templates};

base::statistics! {
    /// What the engine did.
    pub struct QuantifiedStatistics {
        candidates: "formulas about cells that were tried, at all places together",
        invariants: "of them invariants",
        queries: "queries for that",
        needed: "formulas that the proof needs",
    }
}

/// The engine.
pub fn run(task: &mut Task<'_>) -> Result<Verdict, Interrupted> {
    task.by_facts(quantified, |counted: &QuantifiedStatistics| counted.entries().collect())
}

/// Looks for invariants about arrays of `single`, the single-step form of the context's program, and proves what follows.
pub fn quantified(
    context: &mut Context<'_>,
    single: &Program,
    precision: Precision,
    statistics: &mut QuantifiedStatistics,
) -> Result<Outcome, Interrupted> {
    let not_shown = |program: &Program| Ok(Outcome::NotShown(program.errors.keys().collect()));
    let program = context.program;
    let internal = |edge| matches!(program.edges[edge].kind, EdgeKind::Internal(_));
    let has_calls = !program.live_edges().all(internal);
    if !has_arrays(program, context.terms) {
        return not_shown(single);
    }
    let mut accesses = accesses::accesses(program, context.terms);
    if accesses.is_empty() {
        return not_shown(single);
    }
    let facts = analyse(single, context.terms, precision, &context.budget)?;
    let known = Known::new(program, &facts, context.terms);
    let relations = counters::relations(program, context.terms);
    let equations = |edge: Edge| {
        let mut equations = known.equations(program.edges[edge].source);
        equations.extend(relations.iter().cloned());
        equations
    };
    let counters = counters::counters(program, context.terms, &equations);
    let counts = |term: Term| counters.iter().any(|counter| counter.term == term);
    accesses::by_field(&mut accesses, counts, context.terms);
    let mut templates = Templates::new(context.terms);
    let source = Source {
        program,
        accesses: &accesses,
        counters: &counters,
        equations: &equations,
        relations: &relations,
    };
    templates.collect(&source, context.terms);
    let graph = Graph::of_program(program);
    let live = live_variables::live(program, context.terms);
    let mut read: EntitySet<Var> = EntitySet::new();
    for (_, &location) in graph.nodes.iter() {
        read.extend(live[location].iter());
    }
    let mut heap: Vec<Vec<Term>> = Vec::new();
    let mut left = None;
    for about in [About::Shape, About::Data] {
        let candidates = heap::candidates(&source, &templates, (about, &read), context.terms);
        if candidates.is_empty() {
            break;
        }
        let so_far = (&known, heap.as_slice());
        let found = pruned_about_heap(context, &graph, (&candidates, so_far, &live), statistics)?;
        if found.is_empty() {
            break;
        }
        heap.resize(found.len(), Vec::new());
        heap.iter_mut().zip(found).for_each(|(all, found)| all.extend(found));
        let at = |_: &mut Context<'_>, node: Node| {
            let mut formulas = known.at(graph.nodes[node]).to_vec();
            formulas.extend(&heap[node.index()]);
            formulas
        };
        let annotation = from_facts(context, &graph, at)?;
        if annotation.left.is_empty() {
            statistics.needed = annotation.size();
            return Ok(annotation.outcome(context, &graph));
        }
        left = Some(annotation.left);
    }
    if has_calls {
        return left.map_or_else(|| not_shown(single), |left| Ok(Outcome::NotShown(left)));
    }
    templates.blocks(&source, context.terms);
    templates.marks_ahead(&source, context.terms);
    templates.standing(&source, context.terms);
    let candidates = templates.candidates(context.terms);
    let Some(pruning) = pruned(context, &graph, (&candidates, &known), statistics)? else {
        return not_shown(single);
    };
    let at = |_: &mut Context<'_>, node: Node| together(&graph, &known, [&pruning.candidates, &heap], node);
    let annotation = from_facts(context, &graph, at)?;
    statistics.needed = annotation.size();
    if annotation.left.is_empty() || !reads_integers(&accesses, context.terms) {
        return Ok(annotation.outcome(context, &graph));
    }
    let mut survivors = pruning.candidates;
    let mut annotation = annotation;
    if let Some(guessed) = analysis::contents::contents(program, context.terms, precision, &context.budget)? {
        let so_far = SoFar { known: &known, heap: &heap, candidates: &candidates };
        if let Some(bounded) = with_contents(context, &graph, (&source, &templates), &guessed, so_far)? {
            survivors = bounded;
            let at = |_: &mut Context<'_>, node: Node| together(&graph, &known, [&survivors, &heap], node);
            annotation = from_facts(context, &graph, at)?;
            statistics.needed = annotation.size();
        }
    }
    if annotation.left.is_empty() {
        return Ok(annotation.outcome(context, &graph));
    }
    let Some(parts) = in_parts(context, &graph, (&source, &templates), (&known, &live, &read), &survivors)?
    else {
        return Ok(annotation.outcome(context, &graph));
    };
    let at = |_: &mut Context<'_>, node: Node| together(&graph, &known, [&parts, &survivors, &heap], node);
    let annotation = from_facts(context, &graph, at)?;
    statistics.needed = annotation.size();
    Ok(annotation.outcome(context, &graph))
}

/// All that is known and was found at a node.
fn together<const N: usize>(
    graph: &Graph,
    known: &Known,
    found: [&Vec<Vec<Term>>; N],
    node: Node,
) -> Vec<Term> {
    let mut formulas = known.at(graph.nodes[node]).to_vec();
    for found in found {
        formulas.extend(found.get(node.index()).into_iter().flatten());
    }
    formulas
}

/// Whether integers are read from arrays.
fn reads_integers(accesses: &[Access], terms: &Terms) -> bool {
    accesses.iter().any(|access| matches!(access.kind, Kind::Read(read) if terms.sort_of(read) == Sort::INT))
}

/// Whether the program depends on something that exists, as where it asks if any block of memory lives.
pub fn asks_for_some(program: &Program, terms: &Terms) -> bool {
    let mut relations = program.live_edges().filter_map(|edge| program.relation(edge));
    relations.any(|relation| terms.has_quantifier(relation.guard))
}

/// Whether the program numbers something that an array holds, as blocks of memory: a variable is copied and grows by one. Apart from that it only ever
/// begins with a literal, and no guard compares it with another variable, as guards do with the counter of a loop.
pub fn numbers_blocks(program: &Program, terms: &Terms) -> bool {
    if !has_arrays(program, terms) {
        return false;
    }
    let (mut growing, mut copied, mut otherwise) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
        for &(var, value) in &relation.updates {
            let symbol = program.variables[var].symbol;
            if terms.symbol_data(symbol).sort != Sort::INT || terms.is_literal_value(value) {
                continue;
            }
            copied.extend(terms.as_symbol(value));
            if is_next(terms, symbol, value) {
                growing.insert(symbol);
            } else {
                otherwise.insert(symbol);
            }
        }
        for part in terms.conjuncts(relation.guard) {
            let compared = terms.free_symbols(part);
            if compared.len() > 1 {
                otherwise.extend(compared);
            }
        }
    }
    growing.intersection(&copied).any(|symbol| !otherwise.contains(symbol))
}

/// Whether a value is that of a symbol and one more.
fn is_next(terms: &Terms, symbol: Symbol, value: Term) -> bool {
    let form = terms.linear(value);
    let own = |term: Term| terms.as_symbol(term) == Some(symbol);
    form.constant.is_one()
        && matches!(form.monomials.as_slice(), [(term, factor)] if own(*term) && factor.is_one())
}

/// Whether a variable is an array.
pub fn has_arrays(program: &Program, terms: &Terms) -> bool {
    program.variables.iter().any(|(_, data)| terms.array_parts(terms.symbol_data(data.symbol).sort).is_some())
}

/// The candidates that are invariants; nothing if that cannot be found out.
fn pruned<'g>(
    context: &mut Context<'_>,
    graph: &'g Graph,
    (candidates, known): (&[counters::Range], &Known),
    statistics: &mut QuantifiedStatistics,
) -> Result<Option<Pruning<'g>>, Interrupted> {
    let counting = counting(context.program, graph);
    let mut pruning = Pruning::new(context, graph);
    for (node, &location) in graph.nodes.iter() {
        let error = context.program.locations[location].error.is_some();
        if error || graph.is_initial(node) || graph.incoming(node).next().is_none() {
            continue;
        }
        let scope: Vec<_> =
            context.program.scope(location).map(|var| context.program.variables[var].symbol).collect();
        let fits = |&&(candidate, counter): &&counters::Range| {
            counter.is_none_or(|counter| counting[node].contains(&counter))
                && context.terms.free_symbols(candidate).iter().all(|symbol| scope.contains(symbol))
        };
        let fitting: Vec<Term> = candidates.iter().filter(fits).map(|&(candidate, _)| candidate).collect();
        statistics.candidates += fitting.len() as u64;
        pruning.candidates[node.index()] = fitting;
        pruning.facts[node] = known.at(location).to_vec();
    }
    let pruned = pruning.run(context)?;
    statistics.queries += pruned.queries;
    statistics.invariants += pruning.candidates.iter().map(|list| list.len() as u64).sum::<u64>();
    tell(context, &pruning, "about cells");
    Ok(pruned.settled.then_some(pruning))
}

/// The variables that are read later, by the location.
type ReadLater = SecondaryMap<Location, EntitySet<Var>>;

/// The candidates about heaps that are invariants where others are known, by the index of the node; none if that cannot be found out.
fn pruned_about_heap(
    context: &mut Context<'_>,
    graph: &Graph,
    (candidates, (known, heap), live): (&heap::Candidates, (&Known, &[Vec<Term>]), &ReadLater),
    statistics: &mut QuantifiedStatistics,
) -> Result<Vec<Vec<Term>>, Interrupted> {
    let mut pruning = Pruning::new(context, graph);
    pruning.weaker.clone_from(&candidates.weaker);
    for (node, &location) in graph.nodes.iter() {
        let error = context.program.locations[location].error.is_some();
        if error || graph.is_initial(node) || graph.incoming(node).next().is_none() {
            continue;
        }
        let read = |var: Var| live[location].contains(var) || candidates.next == Some(var);
        tracing::trace!(node = node.index(), %location, "a place of heaps");
        let of_procedure = candidates.of(context.program.locations[location].procedure);
        let fits = |&&candidate: &&Term| {
            let symbols = context.terms.free_symbols(candidate);
            symbols.iter().all(|&symbol| context.program.variables.of_symbol(symbol).is_some_and(read))
        };
        let fitting: Vec<Term> =
            of_procedure.iter().filter(fits).take(limits::MOST_AT_ONE_PLACE).copied().collect();
        statistics.candidates += fitting.len() as u64;
        pruning.candidates[node.index()] = fitting;
        let variables = &context.program.variables;
        let spoken_of = live[location].iter().chain(candidates.next);
        pruning.symbols[node.index()] = spoken_of.map(|var| variables[var].symbol).collect();
        pruning.facts[node] = known.at(location).to_vec();
        pruning.facts[node].extend(heap.get(node.index()).into_iter().flatten());
    }
    let pruned = pruning.run(context)?;
    statistics.queries += pruned.queries;
    statistics.invariants += pruning.candidates.iter().map(|list| list.len() as u64).sum::<u64>();
    tell(context, &pruning, "about heaps");
    Ok(if pruned.settled { pruning.candidates } else { Vec::new() })
}

/// Says what is left of candidates.
fn tell(context: &Context<'_>, pruning: &Pruning<'_>, what: &str) {
    for (node, &location) in pruning.graph.nodes.iter() {
        for &formula in &pruning.candidates[node.index()] {
            tracing::debug!(%location, formula = %infix(context.terms, formula), what);
        }
    }
}

/// The variables that change in a loop around a node.
fn counting(program: &Program, graph: &Graph) -> SecondaryMap<Node, Vec<Var>> {
    let order = weak_topological_order(graph);
    let mut component: SecondaryMap<Node, usize> = SecondaryMap::new();
    let (mut position, mut number) = (0, 0);
    while position < order.len() {
        let end = order[position].end.unwrap_or(position);
        number += 1;
        order[position..end].iter().for_each(|element| component[element.node] = number);
        position = end.max(position + 1);
    }
    let mut changed: BTreeMap<usize, Vec<Var>> = BTreeMap::new();
    for arc in graph.arcs() {
        let around = component[arc.source];
        if around > 0 && around == component[arc.target] {
            let updates = program.relation(arc.edge).map_or(&[][..], |relation| &relation.updates);
            changed.entry(around).or_default().extend(updates.iter().map(|&(var, _)| var));
        }
    }
    let mut counting = SecondaryMap::new();
    for node in graph.nodes.keys() {
        counting[node] = changed.get(&component[node]).cloned().unwrap_or_default();
    }
    counting
}

/// What static analysis knows at the locations of the program with blocks.
struct Known {
    facts: BTreeMap<Location, Vec<Term>>,
    equations: BTreeMap<Location, Vec<Linear>>,
}

impl Known {
    fn new(program: &Program, facts: &Facts<'_>, terms: &mut Terms) -> Known {
        let mut known = Known { facts: BTreeMap::new(), equations: BTreeMap::new() };
        for edge in program.live_edges() {
            let location = program.edges[edge].source;
            if known.facts.contains_key(&location) {
                continue;
            }
            let conjuncts = facts.conjuncts(location, terms);
            let is_equation =
                |&&fact: &&Term| terms.op(fact) == Op::Eq && terms.sort_of(terms.args(fact)[0]) == Sort::INT;
            let equations = conjuncts.iter().filter(is_equation);
            let equations = equations.map(|&fact| counters::difference(terms, fact)).collect();
            known.equations.insert(location, equations);
            known.facts.insert(location, conjuncts);
        }
        known
    }

    fn at(&self, location: Location) -> &[Term] {
        self.facts.get(&location).map_or(&[], Vec::as_slice)
    }

    fn equations(&self, location: Location) -> Vec<Linear> {
        self.equations.get(&location).cloned().unwrap_or_default()
    }
}
