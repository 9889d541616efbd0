//! Arrays whose cells are compared: with each other, with a variable, under a flag.
//!
//! In the [`parts`](super::parts) of an array, all cells may be in order (`∀k ≤ l. a[k] ≤ a[l]`, perhaps but for one cell that is about to be written), no cell of one
//! part may be larger than any of the next, a cell at an index may be the smallest, and all may be smaller than a variable. All that may also hold as long as
//! a flag has not changed. Candidates are made for each place of the program, of what is read later there.

use super::accesses::{Access, Kind, place};
use super::counters::{atoms, difference, leaves};
use super::limits;
use super::parts::{self, Walked};
use super::templates::{Source, Templates, add, replace};
use super::{Known, tell};
use crate::context::Context;
use crate::pruning::Pruning;
use analysis::graph::{Graph, Node};
use base::{EntityRef, EntitySet, Interrupted, SecondaryMap};
use logic::{Op, Quantifier, Sort, Symbol, Term, Terms};
use num_traits::{One, Signed, Zero};
use program::{Location, Program, Var};

/// How cells of an array are in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Order {
    ascending: bool,
    strict: bool,
}

/// What is tried of one array.
struct Compared {
    walked: Walked,
    /// What stands for a cell in a property.
    cell: Term,
    /// Properties of single cells.
    properties: Vec<Term>,
    orders: Vec<Order>,
    /// Variables with which cells are compared, or that take their values.
    values: Vec<Term>,
}

/// What is tried of a program.
struct Vocabulary<'a> {
    program: &'a Program,
    arrays: Vec<Compared>,
    /// What holds as long as a flag has not changed.
    premises: Vec<Term>,
    k_and_l: [Symbol; 2],
}

/// The invariants about parts of arrays, and about the order of their ends, by the index of the node; nothing if no array is cut or that cannot be found out.
pub(super) fn in_parts(
    context: &mut Context<'_>,
    graph: &Graph,
    (source, templates): (&Source<'_>, &Templates),
    (known, live, read): (&Known, &SecondaryMap<Location, EntitySet<Var>>, &EntitySet<Var>),
    so_far: &[Vec<Term>],
) -> Result<Option<Vec<Vec<Term>>>, Interrupted> {
    let vocabulary = Vocabulary::new(source, templates, read, context.terms);
    if vocabulary.arrays.is_empty() {
        return Ok(None);
    }
    let variables = &context.program.variables;
    let is_live = |node: Node| {
        let read = &live[graph.nodes[node]];
        move |term: Term, terms: &Terms| {
            let symbols = terms.free_symbols(term);
            symbols.iter().all(|&symbol| variables.of_symbol(symbol).is_some_and(|var| read.contains(var)))
        }
    };
    let mut asked: Vec<Node> = Vec::new();
    for (node, &location) in graph.nodes.iter() {
        let error = context.program.locations[location].error.is_some();
        if !error && !graph.is_initial(node) && graph.incoming(node).next().is_some() {
            asked.push(node);
        }
    }
    let mut pruning = Pruning::new(context, graph);
    for &node in &asked {
        pruning.facts[node] = known.at(graph.nodes[node]).to_vec();
        pruning.candidates[node.index()] = vocabulary.order_of_cuts(&is_live(node), context.terms);
    }
    if !pruning.run(context)?.settled {
        return Ok(None);
    }
    tell(context, &pruning, "about ends of parts");
    let ordered = std::mem::take(&mut pruning.candidates);
    let mut pruning = Pruning::new(context, graph);
    for &node in &asked {
        pruning.facts[node] = known.at(graph.nodes[node]).to_vec();
        pruning.facts[node].extend(&ordered[node.index()]);
        // Bounds of what is written come last.
        pruning.facts[node].extend(so_far[node.index()].iter().rev().take(limits::MOST_SO_FAR));
        let facts = &pruning.facts[node];
        let in_order = |formula: Term| formula.is_true() || facts.contains(&formula);
        pruning.candidates[node.index()] = vocabulary.candidates(&is_live(node), &in_order, context.terms);
        tracing::debug!(location = %graph.nodes[node], count = pruning.candidates[node.index()].len(), "candidates about parts");
    }
    if !pruning.run(context)?.settled {
        return Ok(None);
    }
    tell(context, &pruning, "about parts");
    let mut found = ordered;
    for (all, more) in found.iter_mut().zip(pruning.candidates) {
        all.extend(more);
    }
    Ok(Some(found))
}

/// Whether only variables occur that are read later.
type IsLive<'a> = dyn Fn(Term, &Terms) -> bool + 'a;

impl<'a> Vocabulary<'a> {
    fn new(
        source: &Source<'a>,
        templates: &Templates,
        read: &EntitySet<Var>,
        terms: &mut Terms,
    ) -> Vocabulary<'a> {
        let program = source.program;
        let walked = parts::walked(source, terms);
        let mut asserted = Vec::new();
        for walked in &walked {
            asserted.extend(orders(program, walked, true, terms));
        }
        let mut arrays = Vec::new();
        for walked in walked {
            let cell = templates.cell_of(walked.array);
            let mut orders_of_array = orders(program, &walked, false, terms);
            let values = values(source, &walked, read, terms);
            if orders_of_array.is_empty() && !values.is_empty() {
                orders_of_array.clone_from(&asserted);
            }
            if !asserted.is_empty() && !orders_of_array.is_empty() {
                orders_of_array.clone_from(&asserted);
            }
            let strict: Vec<Order> = orders_of_array.iter().filter(|order| order.strict).copied().collect();
            for order in strict {
                let weaker = Order { strict: false, ..order };
                if !orders_of_array.contains(&weaker) {
                    orders_of_array.push(weaker);
                }
            }
            let mut orders = Vec::new();
            for order in orders_of_array {
                if !orders.contains(&order) {
                    orders.push(order);
                }
            }
            let mut properties = Vec::new();
            for &said in templates.properties_of(walked.array) {
                let negated = terms.not(said);
                [said, negated].into_iter().for_each(|said| add(&mut properties, said));
            }
            templates.properties_at(walked.array).for_each(|said| add(&mut properties, said));
            let copies = copies(source, &walked, (cell, templates.index), terms);
            copies.into_iter().rev().for_each(|said| {
                properties.retain(|&other| other != said);
                properties.insert(0, said);
            });
            for &value in &values {
                let [less, more] = [terms.lt(cell, value), terms.lt(value, cell)];
                let [at_most, at_least] = [terms.le(cell, value), terms.le(value, cell)];
                let other = terms.distinct(&[cell, value]);
                [less, more, at_most, at_least, other]
                    .into_iter()
                    .for_each(|said| add(&mut properties, said));
            }
            properties.truncate(limits::MOST_PROPERTIES_IN_PARTS);
            arrays.push(Compared { walked, cell, properties, orders, values });
        }
        share_cuts(program, &mut arrays, terms);
        let k = terms.as_symbol(templates.index).expect("a symbol");
        let l = terms.fresh_symbol("l", Sort::INT);
        Vocabulary { program, arrays, premises: flags(source, read, terms), k_and_l: [k, l] }
    }

    /// Which of two cuts comes first.
    fn order_of_cuts(&self, is_live: &IsLive<'_>, terms: &mut Terms) -> Vec<Term> {
        let mut found = Vec::new();
        for array in &self.arrays {
            let cuts = array.walked.cuts.iter().copied().filter(|&cut| is_live(cut, terms));
            let cuts: Vec<Term> = cuts.take(limits::MOST_CUTS_AT_ONE_PLACE).collect();
            for &low in &cuts {
                for &high in &cuts {
                    let holds = terms.le(low, high);
                    if !holds.is_true() && !holds.is_false() {
                        add(&mut found, holds);
                    }
                }
            }
        }
        found
    }

    fn candidates(
        &self,
        is_live: &IsLive<'_>,
        in_order: &dyn Fn(Term) -> bool,
        terms: &mut Terms,
    ) -> Vec<Term> {
        let mut all = Vec::new();
        for array in &self.arrays {
            let root = terms.constant(self.program.variables[array.walked.array.var].symbol);
            if !is_live(root, terms) {
                continue;
            }
            let cuts = array.walked.cuts.iter().copied().filter(|&cut| is_live(cut, terms));
            let cuts: Vec<Term> = cuts.take(limits::MOST_CUTS_AT_ONE_PLACE).collect();
            let comes_first = |low: Term, high: Term, terms: &mut Terms| {
                let distance = terms.linear(high).minus(&terms.linear(low));
                let longer = !distance.is_constant() || distance.constant > One::one();
                let ordered = terms.le(low, high);
                longer && in_order(ordered)
            };
            let mut parts: Vec<[Term; 2]> = Vec::new();
            for &low in &cuts {
                for &high in &cuts {
                    if comes_first(low, high, terms) {
                        parts.push([low, high]);
                    }
                }
            }
            parts.truncate(limits::MOST_PARTS);
            self.pairs_of_cells(array, &parts, is_live, terms, &mut all);
            self.single_cells(array, &parts, is_live, terms, &mut all);
        }
        all.truncate(limits::MOST_IN_PARTS);
        all
    }

    /// Properties of all cells of a part, also as long as flags have not changed.
    fn single_cells(
        &self,
        array: &Compared,
        parts: &[[Term; 2]],
        is_live: &IsLive<'_>,
        terms: &mut Terms,
        all: &mut Vec<Term>,
    ) {
        let [k, _] = self.k_and_l;
        let index = terms.constant(k);
        let cell = array.walked.cell(self.program, index, terms);
        let mut said: Vec<(Term, Term)> = Vec::new();
        // The cell at an index is the smallest or the largest.
        if !array.orders.is_empty() {
            for &at in &array.walked.indices {
                let other = array.walked.cell(self.program, at, terms);
                for property in [terms.le(cell, other), terms.le(other, cell)] {
                    said.push((Term::TRUE, property));
                }
            }
        }
        // The cell at an index is what a variable has taken.
        for &at in &array.walked.indices {
            let other = array.walked.cell(self.program, at, terms);
            for &value in &array.values {
                let equal = terms.eq(other, value);
                if is_live(equal, terms) {
                    add(all, equal);
                }
            }
        }
        for &premise in [Term::TRUE].iter().chain(&self.premises) {
            for &property in &array.properties {
                let property = replace(terms, property, &[(array.cell, cell)]);
                said.push((premise, property));
            }
        }
        for (premise, property) in said {
            for &[low, high] in parts {
                if !premise.is_true() && !terms.is_literal_value(low) {
                    continue;
                }
                let inside = [premise, terms.le(low, index), terms.lt(index, high)];
                let inside = terms.and(inside);
                let body = terms.implies(inside, property);
                let candidate = terms.quantify(Quantifier::Forall, &[k], body, &[vec![cell]]);
                if is_live(candidate, terms) && !candidate.is_true() && !candidate.is_false() {
                    add(all, candidate);
                }
            }
        }
    }

    /// Parts in order, also but for one cell, and parts of which one comes before the other.
    fn pairs_of_cells(
        &self,
        array: &Compared,
        parts: &[[Term; 2]],
        is_live: &IsLive<'_>,
        terms: &mut Terms,
        all: &mut Vec<Term>,
    ) {
        let [k, l] = self.k_and_l.map(|symbol| terms.constant(symbol));
        let cells = [k, l].map(|index| array.walked.cell(self.program, index, terms));
        let mut said = Vec::new();
        for order in &array.orders {
            let [less, more] = if order.ascending { cells } else { [cells[1], cells[0]] };
            let compared = if order.strict { terms.lt(less, more) } else { terms.le(less, more) };
            let apart = terms.lt(k, l);
            let mut in_order = Vec::new();
            for &[low, high] in parts {
                let inside = [terms.le(low, k), apart, terms.lt(l, high)];
                let inside = terms.and(inside);
                said.push((inside, compared));
                if terms.is_literal_value(low) {
                    in_order.push((inside, [low, high]));
                }
            }
            for &(_, [low, high]) in &in_order {
                for &[_, end] in parts.iter().filter(|[middle, _]| *middle == high) {
                    let inside = [terms.le(low, k), terms.lt(k, high), terms.le(high, l), terms.lt(l, end)];
                    said.push((terms.and(inside), compared));
                }
            }
            for (inside, _) in in_order {
                for &hole in &array.walked.written {
                    let others = [inside, terms.distinct(&[k, hole]), terms.distinct(&[l, hole])];
                    said.push((terms.and(others), compared));
                }
                for &premise in &self.premises {
                    said.push((terms.and([premise, inside]), compared));
                }
            }
        }
        let mut count = 0;
        for (inside, compared) in said {
            let body = terms.implies(inside, compared);
            let candidate = terms.quantify(Quantifier::Forall, &self.k_and_l, body, &[cells.to_vec()]);
            if count < limits::MOST_PAIRS_IN_PARTS
                && is_live(candidate, terms)
                && !candidate.is_true()
                && !candidate.is_false()
            {
                add(all, candidate);
                count += 1;
            }
        }
    }
}

/// Arrays of which one is said to hold what the other does are cut at the same places.
fn share_cuts(program: &Program, arrays: &mut [Compared], terms: &Terms) {
    let mut cuts: Vec<Vec<Term>> = arrays.iter().map(|array| array.walked.cuts.clone()).collect();
    for (first, own) in cuts.iter_mut().enumerate() {
        for other in arrays.iter().filter(|other| other.walked.array != arrays[first].walked.array) {
            let mentions = |one: &Compared, another: &Compared| {
                let symbol = program.variables[another.walked.array.var].symbol;
                one.properties.iter().any(|&property| terms.mentions(property, symbol))
            };
            if mentions(&arrays[first], other) || mentions(other, &arrays[first]) {
                other.walked.cuts.iter().for_each(|&cut| add(own, cut));
            }
        }
        own.truncate(limits::MOST_SHARED_CUTS);
    }
    for (array, cuts) in arrays.iter_mut().zip(cuts) {
        array.walked.cuts = cuts;
    }
}

/// How cells of an array are compared with each other: as asserted, or, where a guard compares them, in both ways.
fn orders(program: &Program, walked: &Walked, asserted: bool, terms: &mut Terms) -> Vec<Order> {
    let mut found = Vec::new();
    for edge in program.live_edges() {
        let Some(relation) = program.relation(edge) else { continue };
        let fails = program.locations[program.edges[edge].target].error.is_some();
        let (holding, negated) = if fails { polarities(terms, relation.guard) } else { Default::default() };
        for atom in atoms(terms, relation.guard) {
            let form = difference(terms, atom);
            if terms.op(atom) != Op::Le {
                continue;
            }
            let mut sides = [None, None];
            for (term, factor) in &form.monomials {
                let of = place(program, terms, *term).filter(|(array, _)| *array == walked.array.var);
                if terms.op(*term) == Op::Select
                    && let Some((_, path)) = of
                    && factor.abs().is_one()
                {
                    sides[usize::from(factor.is_one())] = Some(terms.args(*term)[1]);
                    debug_assert!(!path.is_empty());
                }
            }
            let [Some(larger), Some(smaller)] = sides else { continue };
            let distance = terms.linear(larger).minus(&terms.linear(smaller));
            if !asserted {
                for ascending in [true, false] {
                    found.push(Order { ascending, strict: false });
                }
            } else if fails && distance.is_constant() {
                // What is negated where it fails is asserted.
                if negated.contains(&atom) {
                    let (ascending, strict) = (distance.constant.is_positive(), !form.constant.is_zero());
                    found.push(Order { ascending, strict });
                }
                if holding.contains(&atom) {
                    let (ascending, strict) = (distance.constant.is_negative(), form.constant.is_zero());
                    found.push(Order { ascending, strict });
                }
            }
        }
    }
    let mut once: Vec<Order> = Vec::new();
    for order in found {
        if !once.contains(&order) {
            once.push(order);
        }
    }
    once
}

/// The parts of a formula that help it to hold, and those whose negation does.
fn polarities(terms: &Terms, formula: Term) -> (Vec<Term>, Vec<Term>) {
    let (mut holding, mut negated) = (Vec::new(), Vec::new());
    let mut pending = vec![(formula, true)];
    while let Some((term, positive)) = pending.pop() {
        let list = if positive { &mut holding } else { &mut negated };
        if list.contains(&term) {
            continue;
        }
        list.push(term);
        match (terms.op(term), terms.args(term)) {
            (Op::And | Op::Or, args) => pending.extend(args.iter().map(|&arg| (arg, positive))),
            (Op::Not, &[arg]) => pending.push((arg, !positive)),
            (Op::Ite, &[condition, then, otherwise]) => {
                // One that leads to a constant says which way it helps.
                if then.is_true() || otherwise.is_false() {
                    pending.push((condition, positive));
                }
                if then.is_false() || otherwise.is_true() {
                    pending.push((condition, !positive));
                }
                pending.extend([(then, positive), (otherwise, positive)]);
            }
            _ => {}
        }
    }
    (holding, negated)
}

/// Cells of other arrays that get the same values as those of this one, on the same edges.
fn copies(source: &Source<'_>, walked: &Walked, (cell, index): (Term, Term), terms: &mut Terms) -> Vec<Term> {
    let mut found = Vec::new();
    let written = |access: &Access| match &access.kind {
        Kind::Write { value, .. } if !terms.is_literal_value(*value) => {
            Some((access.edge, access.index, *value))
        }
        _ => None,
    };
    let mut others = Vec::new();
    for own in source.accesses.iter().filter(|access| access.array == walked.array) {
        let Some(place) = written(own) else { continue };
        for other in source.accesses {
            if other.array != walked.array && other.path.is_empty() && written(other) == Some(place) {
                others.push(other.array);
            }
        }
    }
    for other in others {
        let copied = other.at(source.program, &[index], terms);
        add(&mut found, terms.eq(cell, copied));
    }
    found
}

/// Variables with which cells of an array are compared, or that take their values.
fn values(source: &Source<'_>, walked: &Walked, read: &EntitySet<Var>, terms: &mut Terms) -> Vec<Term> {
    let program = source.program;
    let is_cell = |term: Term, terms: &Terms| {
        terms.op(term) == Op::Select
            && place(program, terms, term).is_some_and(|(array, _)| array == walked.array.var)
    };
    let mut found = Vec::new();
    for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
        for atom in atoms(terms, relation.guard) {
            let form = difference(terms, atom);
            if let [(first, _), (second, _)] = form.monomials.as_slice() {
                for [cell, other] in [[*first, *second], [*second, *first]] {
                    let variable =
                        terms.as_symbol(other).and_then(|symbol| program.variables.of_symbol(symbol));
                    if is_cell(cell, terms) && variable.is_some_and(|var| read.contains(var)) {
                        add(&mut found, other);
                    }
                }
            }
        }
        for &(var, update) in &relation.updates {
            if terms.sort_of(update) == Sort::INT
                && read.contains(var)
                && leaves(terms, update).iter().any(|&leaf| is_cell(leaf, terms))
            {
                add(&mut found, program.variables.term(terms, var));
            }
        }
    }
    found.retain(|value| !walked.cuts.contains(value));
    found.truncate(limits::MOST_COMPARED_WITH);
    found
}

/// Variables that are set to numbers and nothing else, with each of these.
fn flags(source: &Source<'_>, read: &EntitySet<Var>, terms: &mut Terms) -> Vec<Term> {
    let program = source.program;
    let mut found = Vec::new();
    for (var, data) in program.variables.iter() {
        let is_flag_sort = [Sort::INT, Sort::BOOL].contains(&terms.symbol_data(data.symbol).sort);
        if !is_flag_sort || !read.contains(var) || found.len() >= limits::MOST_FLAGS {
            continue;
        }
        let own = terms.constant(data.symbol);
        let mut set = Vec::new();
        for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
            if let Some(update) = relation.update(var) {
                let given = |&leaf: &Term| {
                    // What it holds before it is set is not told.
                    let unknown = |symbol| program.variables.of_symbol(symbol).is_none();
                    leaf != own && !terms.as_symbol(leaf).is_some_and(unknown)
                };
                leaves(terms, update).into_iter().filter(given).for_each(|leaf| add(&mut set, leaf));
            }
        }
        if set.len() == 2 && set.iter().all(|&value| terms.is_literal_value(value)) {
            for value in set {
                found.push(terms.eq(own, value));
            }
        }
    }
    found
}
