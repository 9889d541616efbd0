//! What is written to the cells of arrays, and what would follow if all cells held such values.
//!
//! An array whose cells may hold anything at first, as local arrays, blocks of memory and inputs do, may hold anything later for [`analyse`](crate::analyse): one value
//! stands for all of its cells. A program that reads only what it has written before then computes with anything, although bounds of all that is
//! written are known. Here, what is read from an array is assumed to be within these bounds, and the program is analysed again; with that, more bounds
//! may be known of what is written, so this is repeated a few times.
//!
//! **What comes of this is a guess**: whether a cell was written before it is read is not looked at. Whoever uses it shows, of each formula, that it holds.
//! It costs as much as so many analyses without cells as variables.

use crate::Facts;
use crate::code::{Source, Update};
use crate::form::{Dimension, Form};
use crate::interval::Interval;
use crate::limits;
use crate::model::{Model, Precision};
use crate::space::Space;
use crate::state::Domain;
use crate::transfer::Way;
use crate::value::Kind;
use base::{Budget, Interrupted};
use logic::{Op, Rational, Terms};
use num_traits::{One, Zero};
use program::{EdgeKind, Program, Var};
use std::collections::BTreeMap;

/// Bounds by variable.
pub type Bounds = BTreeMap<Var, Interval>;

/// What is written to arrays, and what would follow.
pub struct Contents<'p> {
    /// Arrays of integers with bounds of all that is written to their cells.
    pub written: Bounds,
    /// The same for arrays to whose cells something is added, without that: what they begin with.
    pub begun: Bounds,
    /// Variables to which edges add something, a number or several ones, and arrays to whose cells they do, with bounds of all that is added.
    pub added: Bounds,
    /// What would hold if all cells were within these bounds.
    pub facts: Facts<'p>,
}

/// Bounds of what is written to the cells of arrays; nothing if there are none. In blocks of several steps more is seen of what is added: `x := x + a[i]` may be
/// three steps of one.
pub fn contents<'p>(
    program: &'p Program,
    terms: &mut Terms,
    precision: Precision,
    budget: &Budget,
) -> Result<Option<Contents<'p>>, Interrupted> {
    let mut written = Bounds::new();
    for round in 0..limits::ROUNDS_OF_CONTENTS {
        let mut model = Model::new(program, terms, precision, budget)?;
        model.space.assume_contents(&written);
        let facts = Facts::of(model, budget)?;
        let Survey { written: found, added, .. } = Survey::of((program, &facts), terms, round > 0, budget)?;
        // What grows with every round has no bounds, whatever it begins with.
        let (begun, found): (Bounds, Bounds) =
            found.into_iter().partition(|(var, _)| added.contains_key(var));
        if found.is_empty() && begun.is_empty() {
            return Ok(None);
        }
        if found == written {
            return Ok(Some(Contents { written, begun, added, facts }));
        }
        written = found;
    }
    Ok(None)
}

/// What the edges of a program write and add, as far as is known.
struct Survey<'t> {
    terms: &'t Terms,
    /// Whether something that may be anything counts. At first it does not: what is moved from one cell to another is no new value.
    counts_all: bool,
    written: Bounds,
    added: Bounds,
}

impl<'t> Survey<'t> {
    fn of(
        (program, facts): (&Program, &Facts<'_>),
        terms: &'t Terms,
        counts_all: bool,
        budget: &Budget,
    ) -> Result<Survey<'t>, Interrupted> {
        let mut survey = Survey { terms, counts_all, written: Bounds::new(), added: Bounds::new() };
        for edge in program.live_edges() {
            budget.check()?;
            let data = &program.edges[edge];
            let Some(state) = facts.state(data.source) else { continue };
            let (EdgeKind::Internal(_), Some(code)) = (&data.kind, facts.model.code(edge)) else { continue };
            let domain = facts.model.domain(data.source);
            for way in domain.ways(code, state) {
                for (dimension, update) in &code.updates {
                    match update {
                        Update::Contents(sources) => {
                            for source in sources {
                                survey.writes((&domain, &way), *dimension, source);
                            }
                        }
                        Update::Form(form) => {
                            let own = |part| part == *dimension;
                            if let Some(bounds) = added((&domain, &way), form, own) {
                                let variable = facts.model.sharing.occupant(*dimension, data.target);
                                survey.adds(&facts.model.space, variable, bounds);
                            }
                        }
                        Update::Forget => {}
                    }
                }
            }
        }
        survey.written.retain(|_, bounds| !bounds.is_top());
        survey.added.retain(|_, bounds| !bounds.is_top());
        Ok(survey)
    }

    fn writes(&mut self, (domain, way): (&Domain<'_>, &Way), array: Dimension, source: &Source) {
        let space = domain.space;
        let Some(var) = space.var(array).filter(|_| space.kind(array) == Kind::Int) else { return };
        if matches!(source, Source::Contents(other) if *other == array) {
            return;
        }
        if let Source::Value(form) = source
            && let Some(bounds) = added((domain, way), form, |part| self.is_cell(space, part, array))
        {
            join(&mut self.added, var, bounds);
            return;
        }
        let value = domain.contents(way, std::slice::from_ref(source), Kind::Int);
        let bounds = value.map_or_else(Interval::top, |value| value.interval);
        if self.counts_all || !is_anything(&bounds) {
            join(&mut self.written, var, bounds);
        }
    }

    /// Is a part of a form a cell of an array?
    fn is_cell(&self, space: &Space, part: Dimension, array: Dimension) -> bool {
        let mut term = space.term(part);
        let mut depth = 0;
        while self.terms.op(term) == Op::Select {
            term = self.terms.args(term)[0];
            depth += 1;
        }
        depth > 0 && term == space.term(array)
    }

    fn adds(&mut self, space: &Space, variable: Option<Dimension>, bounds: Interval) {
        let integer = variable.filter(|&variable| space.kind(variable) == Kind::Int);
        if let Some(var) = integer.and_then(|variable| space.var(variable)) {
            join(&mut self.added, var, bounds);
        }
    }
}

fn join(known: &mut Bounds, var: Var, bounds: Interval) {
    let joined = match known.get(&var) {
        Some(other) => other.join(&bounds),
        None => bounds,
    };
    known.insert(var, joined);
}

/// Whether bounds are none, or about those of a type of 32 bits and more.
fn is_anything(Interval { low, high }: &Interval) -> bool {
    let (Some(low), Some(high)) = (low, high) else { return true };
    (high - low).to_integer().bits() >= limits::BITS_OF_ANYTHING
}

/// Bounds of what is added to a part of a form, if that stands there as it is.
fn added(
    (domain, way): (&Domain<'_>, &Way),
    form: &Form,
    is_own: impl Fn(Dimension) -> bool,
) -> Option<Interval> {
    let mut rest = way.resolve(form);
    let place = rest.monomials.iter().position(|&(dimension, _)| is_own(dimension))?;
    let (_, coefficient) = rest.monomials.remove(place);
    let is_kept = rest == Form::constant(Rational::zero());
    (coefficient.is_one() && !is_kept).then(|| domain.bounds(&way.state, &rest))
}
