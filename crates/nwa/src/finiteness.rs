//! Whether a language is finite.
//!
//! The runs of an automaton are the derivations of a context-free grammar: its non-terminals are the states on the
//! spine (outside of calls that return) and the states in the context of an entry, and each production adds at
//! least one letter. All tabulated non-terminals derive a word, so the language is infinite iff one that is used
//! by an accepting run depends on itself. Linear in the table of [`reach`](crate::reach) times degree.

use crate::reach::{Context, Reach};
use crate::{Budget, Interrupted, Nwa, State};
use rustc_hash::FxHashMap;

/// A state on the spine (`None`) or in a context.
type NonTerminal = (Option<Context>, State);

/// Whether only finitely many nested words are accepted.
pub fn is_finite(nwa: &Nwa, budget: &dyn Budget) -> Result<bool, Interrupted> {
    let mut automaton = nwa;
    let reach = Reach::compute(&mut automaton, budget)?;
    let mut ids: FxHashMap<NonTerminal, usize> = FxHashMap::default();
    let mut nodes: Vec<NonTerminal> = Vec::new();
    let mut uses: Vec<Vec<usize>> = Vec::new();
    let mut id = |non_terminal, nodes: &mut Vec<NonTerminal>| {
        *ids.entry(non_terminal).or_insert_with(|| {
            nodes.push(non_terminal);
            nodes.len() - 1
        })
    };
    for state in nwa.states().filter(|&state| nwa.is_final(state) && reach.is_reachable(state)) {
        id((None, state), &mut nodes);
    }
    let mut needed = Vec::new();
    while uses.len() < nodes.len() {
        budget.check()?;
        dependencies(nwa, &reach, nodes[uses.len()], &mut needed);
        uses.push(needed.drain(..).map(|needed| id(needed, &mut nodes)).collect());
    }
    let count = graph::components(uses.len(), |node, out| out.extend_from_slice(&uses[node])).len();
    let loops = uses.iter().enumerate().any(|(node, uses)| uses.contains(&node));
    Ok(count == uses.len() && !loops)
}

/// The non-terminals on the right sides of the productions for a non-terminal.
fn dependencies(nwa: &Nwa, reach: &Reach, (context, state): NonTerminal, out: &mut Vec<NonTerminal>) {
    let here = |state: State| match context {
        None => reach.is_reachable(state),
        Some(context) => reach.is_member(context, state),
    };
    let before = nwa.internal_into(state).iter().map(|edge| edge.state).filter(|&state| here(state));
    out.extend(before.map(|state| (context, state)));
    if context.is_none() {
        let callers = nwa.calls_into(state).iter().map(|edge| edge.state);
        out.extend(callers.filter(|&state| here(state)).map(|state| (None, state)));
    }
    for ret in nwa.returns_into(state).iter().filter(|ret| here(ret.hier)) {
        let inside = reach.called(ret.hier).iter().filter(|&&called| reach.is_member(called, ret.linear));
        let start = out.len();
        out.extend(inside.map(|&called| (Some(called), ret.linear)));
        if out.len() > start {
            out.push((context, ret.hier));
        }
    }
}
