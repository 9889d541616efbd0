//! What static analysis knows about a program, made sure of, for an engine that would otherwise begin with nothing.
//!
//! The analysis runs on the program with one edge per step. Its facts are pruned until those that are left are inductive
//! over the blocks (Houdini), so an engine may take them for granted and add them to its proof.

use crate::context::{Context, precision};
use crate::horn::WholeProgram;
use crate::houdini;
use analysis::analyse;
use base::Interrupted;
use logic::Term;
use program::Program;

/// Programs with more edges are left to the engines as they are: every edge costs a query.
const MOST_EDGES: usize = 4_000;
/// So many facts about one location are asked for: they are all in every query about its edges.
const MOST_FACTS: usize = 200;

/// Facts for every class of the whole program. `single` is the single-step form of the context's program.
pub fn inductive(
    context: &mut Context<'_>,
    single: &Program,
    whole: &WholeProgram,
) -> Result<Vec<Vec<Term>>, Interrupted> {
    let nothing = vec![Vec::new(); whole.locations.len()];
    if single.live_edges().nth(MOST_EDGES).is_some() {
        return Ok(nothing);
    }
    let facts = analyse(single, context.terms, precision(single), &context.budget)?;
    let mut candidates = nothing.clone();
    for (class, &location) in whole.locations.iter().enumerate() {
        if whole.initial.contains(&class) {
            continue;
        }
        let mut found = facts.conjuncts(location, context.terms);
        let plain = |fact: &Term| {
            !context.terms.has_quantifier(*fact) && context.terms.functions_of(*fact).is_empty()
        };
        found.retain(plain);
        found.truncate(MOST_FACTS);
        candidates[class] = found;
    }
    let settled = houdini::steps::prune(context, &whole.steps, &mut candidates)?;
    Ok(if settled { candidates } else { nothing })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::counting_up;
    use base::Budget;
    use logic::Terms;
    use smt::Solvers;

    #[test]
    fn a_loop_that_counts_up_from_zero() {
        let mut terms = Terms::new();
        let (program, x) = counting_up(&mut terms);
        let budget = Budget::unlimited();
        let solvers = Solvers::new(&budget);
        let mut context = Context::new(&program, &mut terms, &solvers, budget);
        let whole = WholeProgram::of(&program);
        let facts = inductive(&mut context, &program, &whole).expect("there is no limit");
        let (x, zero) = (program.variables.term(context.terms, x), context.terms.int(0));
        let not_negative = context.terms.ge(x, zero);
        for (class, facts) in facts.iter().enumerate() {
            let expected: &[Term] = if whole.initial.contains(&class) { &[] } else { &[not_negative] };
            assert_eq!(facts, expected);
        }
    }
}
