//! The cycle rank of an automaton, also known as its loop complexity.
//!
//! A graph without cycles has rank 0. A strongly connected graph with cycles has rank 1 + r, where r is the least rank
//! that remains when one of its states is removed; any other graph has the largest rank of its strongly connected
//! components. Every transition counts as an edge, whatever its kind.
//!
//! Whether the rank is at most k is decided by trying all states to remove, so the cost is about n^k · m: for
//! automata whose loops are nested k deep, with small k. The recursion is as deep as the rank.

use crate::{Budget, EntityRef, Interrupted, Nwa, State};
use rustc_hash::FxHashMap;

/// The cycle rank of the graph of all transitions.
pub fn cycle_rank(nwa: &Nwa, budget: &dyn Budget) -> Result<u32, Interrupted> {
    let mut successors: Vec<Vec<usize>> = Vec::with_capacity(nwa.num_states());
    for state in nwa.states() {
        let returns = nwa.returns(state).flat_map(|(_, edges)| edges);
        let edges = nwa.internal(state).iter().chain(nwa.calls(state)).chain(returns);
        let mut targets: Vec<usize> = edges.map(|edge| edge.state.index()).collect();
        targets.sort_unstable();
        targets.dedup();
        successors.push(targets);
    }
    let mut ranks = Ranks { successors, known: FxHashMap::default(), budget };
    let mut rank = 0;
    let all: Vec<usize> = nwa.states().map(State::index).collect();
    for component in ranks.cyclic_components(&all) {
        while !ranks.at_most(&component, rank)? {
            rank += 1;
        }
    }
    Ok(rank)
}

struct Ranks<'a> {
    successors: Vec<Vec<usize>>,
    /// For strongly connected sets the largest rank that is too small, and the least that is large enough.
    known: FxHashMap<Vec<usize>, (Option<u32>, Option<u32>)>,
    budget: &'a dyn Budget,
}

impl Ranks<'_> {
    /// The strongly connected components with cycles of the graph restricted to some nodes, which are sorted.
    fn cyclic_components(&self, nodes: &[usize]) -> Vec<Vec<usize>> {
        let inside = |node: &usize| nodes.binary_search(node);
        let components = graph::components(nodes.len(), |index, out| {
            out.extend(self.successors[nodes[index]].iter().filter_map(|node| inside(node).ok()));
        });
        let sorted = components.iter().map(|component| {
            let mut members: Vec<usize> = component.iter().map(|&index| nodes[index]).collect();
            members.sort_unstable();
            members
        });
        let is_cyclic = |members: &Vec<usize>| match members[..] {
            [node] => self.successors[node].contains(&node),
            _ => true,
        };
        sorted.filter(is_cyclic).collect()
    }

    /// Whether the rank of a strongly connected set with cycles is at most `bound`.
    fn at_most(&mut self, nodes: &[usize], bound: u32) -> Result<bool, Interrupted> {
        self.budget.check()?;
        if bound == 0 {
            return Ok(false);
        }
        if nodes.len() <= bound as usize {
            return Ok(true);
        }
        if let Some(&(too_small, enough)) = self.known.get(nodes) {
            if enough.is_some_and(|enough| bound >= enough) {
                return Ok(true);
            }
            if too_small.is_some_and(|too_small| bound <= too_small) {
                return Ok(false);
            }
        }
        let answer = self.some_removal(nodes, bound)?;
        let known = self.known.entry(nodes.to_vec()).or_default();
        if answer {
            known.1 = Some(bound);
        } else {
            known.0 = Some(bound);
        }
        Ok(answer)
    }

    /// Whether removing some node leaves only ranks below `bound`.
    fn some_removal(&mut self, nodes: &[usize], bound: u32) -> Result<bool, Interrupted> {
        // Nodes with many edges are most likely to be on all cycles.
        let mut candidates = nodes.to_vec();
        candidates.sort_by_key(|&node| std::cmp::Reverse(self.successors[node].len()));
        for removed in candidates {
            let rest: Vec<usize> = nodes.iter().copied().filter(|&node| node != removed).collect();
            let mut fits = true;
            for component in self.cyclic_components(&rest) {
                if !self.at_most(&component, bound - 1)? {
                    fits = false;
                    break;
                }
            }
            if fits {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
