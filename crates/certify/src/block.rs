//! What a block does, as a formula of linear size.
//!
//! A block is everything between two cut points. Its locations are visited in the order of execution. Along a line of
//! steps, values are carried along as terms; where ways join, every variable that they leave with different values
//! and that matters later gets a new name, and so does the condition under which control is there:
//!
//! > at(l) → ⋁ over the ways into l: at(their beginning) ∧ guard ∧ names of l = their values
//!
//! Every execution of the block satisfies these premises, with `at` true along its way and nowhere else, so what
//! follows from them holds after it. Weakest preconditions would say the same without names, but double at every branch
//! that assigns.
//!
//! Auxiliary constants stay free, and every edge has its own.

use base::EntitySet;
use logic::{Sort, Substitution, Symbol, Term, Terms};
use program::{EdgeKind, Location, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The values of variables that may have changed, over the names.
type Values = BTreeMap<Symbol, Term>;

/// A way to a location: when it is taken, and what it leaves.
struct Way {
    taken: Term,
    values: Values,
}

/// `{pre} block {post}`: premises that every execution of the block satisfies, and what they have to imply.
pub struct Obligation {
    /// What is known about the block.
    pub premises: Vec<Term>,
    /// What has to hold behind every way through it.
    pub goal: Term,
}

/// Where a block begins and ends.
#[derive(Clone, Copy)]
pub struct Ends {
    /// Its first location.
    pub from: Location,
    /// Its last location.
    pub to: Location,
}

/// The obligation of a block with a postcondition. `order` are the locations of blocks that begin at `from`, successors
/// first.
pub fn obligation(
    program: &Program,
    Ends { from, to }: Ends,
    (order, cut_points): (&[Location], &EntitySet<Location>),
    post: Term,
    terms: &mut Terms,
) -> Obligation {
    let block = Block { program, to, cut_points };
    let read = block.read_later(order, post, terms);
    let mut premises = Vec::new();
    let mut goals = Vec::new();
    let mut ways: FxHashMap<Location, Vec<Way>> = FxHashMap::default();
    ways.insert(from, vec![Way { taken: Term::TRUE, values: Values::new() }]);
    for &location in order.iter().rev() {
        let (Some(arriving), Some(read_here)) = (ways.remove(&location), read.get(&location)) else {
            continue;
        };
        let here = join(location, arriving, read_here, &mut premises, terms);
        let mut known: Substitution = here.values.iter().map(|(&symbol, &value)| (symbol, value)).collect();
        for &edge in &program.outgoing[location] {
            let data = &program.edges[edge];
            let EdgeKind::Internal(relation) = &data.kind else { continue };
            let Some(read_there) = block.read_at(data.target, &read) else { continue };
            let mut with_choices;
            let known = if relation.auxiliaries.is_empty() {
                &mut known
            } else {
                with_choices = known.clone();
                for &symbol in &relation.auxiliaries {
                    let data = terms.symbol_data(symbol).clone();
                    let own = terms.named(&format!("{} of {edge}", data.name), data.sort);
                    with_choices.insert(symbol, own);
                }
                &mut with_choices
            };
            let guard = known.apply(terms, relation.guard);
            let taken = terms.and([here.taken, guard]);
            let mut values: Values = here.values.clone();
            for &(var, value) in &relation.updates {
                values.insert(program.variables[var].symbol, known.apply(terms, value));
            }
            values.retain(|symbol, _| read_there.is_none_or(|read| read.contains(symbol)));
            if data.target == to {
                let mut after: Substitution = values.into_iter().collect();
                let post = after.apply(terms, post);
                goals.push(terms.implies(taken, post));
            } else {
                ways.entry(data.target).or_default().push(Way { taken, values });
            }
        }
    }
    Obligation { premises, goal: terms.and(goals) }
}

struct Block<'a> {
    program: &'a Program,
    to: Location,
    cut_points: &'a EntitySet<Location>,
}

impl Block<'_> {
    /// What is read behind an edge to a location: of the end of the block everything may be. Nothing at all, if no way
    /// leads from there to the end.
    fn read_at<'r>(
        &self,
        target: Location,
        read: &'r FxHashMap<Location, BTreeSet<Symbol>>,
    ) -> Option<Option<&'r BTreeSet<Symbol>>> {
        if target == self.to {
            Some(None)
        } else if self.cut_points.contains(target) {
            None
        } else {
            read.get(&target).map(Some)
        }
    }

    /// For every location from which the end of the block can be reached: the symbols that are read on the way or by
    /// the postcondition.
    fn read_later(
        &self,
        order: &[Location],
        post: Term,
        terms: &Terms,
    ) -> FxHashMap<Location, BTreeSet<Symbol>> {
        let at_the_end: BTreeSet<Symbol> = terms.free_symbols(post).into_iter().collect();
        let mut read: FxHashMap<Location, BTreeSet<Symbol>> = FxHashMap::default();
        for &location in order {
            let mut here: Option<BTreeSet<Symbol>> = None;
            for &edge in &self.program.outgoing[location] {
                let data = &self.program.edges[edge];
                let EdgeKind::Internal(relation) = &data.kind else { continue };
                let Some(there) = self.read_at(data.target, &read) else { continue };
                let there = there.unwrap_or(&at_the_end);
                let here = here.get_or_insert_default();
                let mut updated = FxHashSet::default();
                let mut roots = vec![relation.guard];
                for &(var, value) in &relation.updates {
                    let symbol = self.program.variables[var].symbol;
                    updated.insert(symbol);
                    if there.contains(&symbol) {
                        roots.push(value);
                    }
                }
                here.extend(there.iter().filter(|symbol| !updated.contains(symbol)));
                here.extend(terms.free_symbols_of(&roots));
            }
            if let Some(here) = here {
                read.insert(location, here);
            }
        }
        read
    }
}

/// All ways to a location as one.
fn join(
    location: Location,
    mut ways: Vec<Way>,
    read: &BTreeSet<Symbol>,
    premises: &mut Vec<Term>,
    terms: &mut Terms,
) -> Way {
    ways.retain(|way| !way.taken.is_false());
    if ways.is_empty() {
        return Way { taken: Term::FALSE, values: Values::new() };
    }
    if let [Way { taken, .. }] = &ways[..]
        && terms.args(*taken).is_empty()
    {
        return ways.remove(0);
    }
    let at = terms.named(&format!("control is at {location}"), Sort::BOOL);
    let mut values = Values::new();
    let mut cases: Vec<Vec<Term>> = ways.iter().map(|way| vec![way.taken]).collect();
    for &symbol in read {
        let unchanged = terms.constant(symbol);
        let left: Vec<Term> =
            ways.iter().map(|way| way.values.get(&symbol).copied().unwrap_or(unchanged)).collect();
        let same = left.windows(2).all(|pair| pair[0] == pair[1]);
        let value = if same {
            left[0]
        } else {
            let data = terms.symbol_data(symbol).clone();
            let name = terms.named(&format!("{} where control is at {location}", data.name), data.sort);
            for (case, &value) in cases.iter_mut().zip(&left) {
                case.push(terms.eq(name, value));
            }
            name
        };
        if value != unchanged {
            values.insert(symbol, value);
        }
    }
    let mut possible = Vec::with_capacity(cases.len());
    for case in cases {
        possible.push(terms.and(case));
    }
    let some = terms.or(possible);
    premises.push(terms.implies(at, some));
    Way { taken: at, values }
}
