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
use crate::value::{Kind, Value};
use base::{Budget, Interrupted};
use logic::{Rational, Terms};
use num_traits::{One, Zero};
use program::{EdgeKind, Program, Var};
use std::collections::BTreeMap;

/// Bounds by variable.
pub type Bounds = BTreeMap<Var, Interval>;

/// What is written to arrays, and what would follow.
pub struct Contents<'p> {
    /// Arrays of integers with bounds of all that is written to their cells.
    pub written: Bounds,
    /// Variables to which edges add something that is no constant, with bounds of all that is added.
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
    for _ in 0..limits::ROUNDS_OF_CONTENTS {
        let mut model = Model::new(program, terms, precision, budget)?;
        model.space.assume_contents(&written);
        let facts = Facts::of(model, budget)?;
        let survey = Survey::of(program, &facts, budget)?;
        if survey.written.is_empty() {
            return Ok(None);
        }
        if survey.written == written {
            return Ok(Some(Contents { written, added: survey.added, facts }));
        }
        written = survey.written;
    }
    Ok(None)
}

/// What the edges of a program write and add, as far as is known.
#[derive(Default)]
struct Survey {
    written: Bounds,
    added: Bounds,
}

impl Survey {
    fn of(program: &Program, facts: &Facts<'_>, budget: &Budget) -> Result<Survey, Interrupted> {
        let mut survey = Survey::default();
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
                            let others = sources.iter().filter(|source| !is_own(source, *dimension));
                            for source in others {
                                let value = domain.contents(&way, std::slice::from_ref(source), Kind::Int);
                                survey.writes(&facts.model.space, *dimension, value);
                            }
                        }
                        Update::Form(form) => {
                            if let Some(bounds) = added(&domain, &way, *dimension, form) {
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
        survey.added.retain(|_, bounds| !bounds.is_top() && bounds.as_point().is_none());
        Ok(survey)
    }

    fn writes(&mut self, space: &Space, array: Dimension, value: Option<Value>) {
        let Some(var) = space.var(array).filter(|_| space.kind(array) == Kind::Int) else { return };
        let bounds = value.map_or_else(Interval::top, |value| value.interval);
        join(&mut self.written, var, bounds);
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

fn is_own(source: &Source, array: Dimension) -> bool {
    matches!(source, Source::Contents(other) if *other == array)
}

/// Bounds of what an update adds to its variable, if it does.
fn added(domain: &Domain<'_>, way: &Way, variable: Dimension, form: &Form) -> Option<Interval> {
    let mut rest = way.resolve(form);
    let place = rest.monomials.iter().position(|(dimension, _)| *dimension == variable)?;
    let (_, coefficient) = rest.monomials.remove(place);
    let is_kept = rest == Form::constant(Rational::zero());
    (coefficient.is_one() && !is_kept).then(|| domain.bounds(&way.state, &rest))
}
