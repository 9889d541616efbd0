//! The refinement loop over infinite traces (Heizmann, Hoenicke, Podelski, "Termination Analysis by Learning Terminating
//! Programs", CAV 2014; Chen, Heizmann, Lengál, Li, Tsai, Turrini, Zhang, "Advanced Automata-based Algorithms for
//! Program Termination Checking", PLDI 2018):
//!
//! ```text
//! while some infinite trace of the component is not covered:
//!     take a lasso of such traces
//!     find out why no run follows it for ever: a rank, or an infeasible prefix
//!     generalise that to a module, a Büchi automaton of traces for which it is a reason, too
//!     subtract the module
//! ```
//!
//! Traces are those of positions outside of all calls that come back, so they are words without nesting: a call that
//! comes back is a letter like a block.
//!
//! Requires blocks that tell paths apart. The cost is that of the difference, which asks for those transitions of
//! modules only that traces need, each of them a few queries; the number of modules is limited.

use super::components::Component;
use super::lassos;
use super::limits;
use super::modules::Module;
use super::tracking::Graph;
use super::{Termination, lassos::Lasso};
use base::{EntityRef, Interrupted};
use nwa::buchi::{Complement, Ncsb, difference_with, shortest_lasso};
use nwa::{Alphabet, Letter, Nwa, NwaBuilder, State};
use program::Covering;
use std::collections::BTreeMap;

/// Modules that cover all infinite traces of a component; else why there are none.
pub fn cover(
    engine: &mut Termination<'_, '_>,
    component: &Component,
) -> Result<Result<Covering, String>, Interrupted> {
    if component.steps.len() > limits::MOST_TRACE_STEPS {
        return Ok(Err("no ranking function was found for a large loop".to_owned()));
    }
    let mut graph = Graph::new(engine, component);
    let mut uncovered = traces(&graph, component);
    let mut modules = Vec::new();
    let budget = engine.context.budget.clone();
    while let Some(lasso) = shortest_lasso(&uncovered, &budget)? {
        if modules.len() >= limits::MOST_MODULES || uncovered.num_states() > limits::MOST_UNCOVERED_STATES {
            let why = format!(
                "no ranking function was found for a loop, and {} modules do not cover it",
                modules.len()
            );
            return Ok(Err(why));
        }
        let lasso = Lasso::new(&graph, &lasso);
        let Some(plan) = lassos::explain(engine, &mut graph, &lasso)? else {
            return Ok(Err("no ranking function was found for a path through a loop".to_owned()));
        };
        let mut module = Module::new(engine, &mut graph, plan)?;
        uncovered = difference_with(&uncovered, Complement::new(&mut module, Ncsb::default()), &budget)?.nwa;
        modules.push(module.finish());
        engine.statistics.modules += 1;
    }
    let locations = component.classes.iter().map(|&class| engine.whole.locations[class]).collect();
    Ok(Ok(Covering { locations, impossible: Vec::new(), modules }))
}

/// All infinite traces of a component.
fn traces(graph: &Graph, component: &Component) -> Nwa {
    let mut builder = NwaBuilder::new(Alphabet::finite((0..graph.letters.len()).map(Letter::new)));
    let states: BTreeMap<usize, State> =
        component.classes.iter().map(|&class| (class, builder.add_state())).collect();
    for &state in states.values() {
        builder.set_final(state);
    }
    for class in &graph.entries {
        builder.set_initial(states[class]);
    }
    for (number, letter) in graph.letters.iter().enumerate() {
        builder.add_internal(states[&letter.source], Letter::new(number), states[&letter.target]);
    }
    builder.finish()
}
