//! The rank-based complement of Büchi automata.
//!
//! After: O. Kupferman, M. Vardi, *Weak Alternating Automata Are Not That Weak* (TOCL 2001); E. Friedgut, O. Kupferman,
//! M. Vardi, *Büchi Complementation Made Tighter* (2006); S. Schewe, *Büchi Complementation Made Tight* (STACS 2009).
//!
//! A word is rejected iff the graph of all runs over it has a *ranking*: a number for each state at each position that
//! never grows along a run, is even behind a visit of a final state (arrows carry the visits, so it drops to an even
//! number with the arrow), and in which no run stays at an even number for ever. The macro states first only
//! collect the reachable states; at some position, a *tight* ranking of the current states is guessed: its largest
//! number is odd, and every smaller odd number occurs. All numbers of the guess are odd: an even one could as well be one
//! larger, because nothing before the guess bounds it. From there on ranks are as large as possible (a ranking that is
//! pointwise larger is at least as good), except that runs that are watched for staying even may decrease.
//! The watched states are those with one even rank at a time, in turn; a macro state in which none is watched is final.
//!
//! The number of macro states is at worst about (0.76·n)^n for n states.

use super::complement::{Arrow, Construction};
use crate::LazyNwa;
use crate::{Interrupted, Limit};
use std::collections::BTreeMap;

/// The rank-based construction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ranks;

/// A macro state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ranked<S> {
    /// The states that are reachable, before a ranking was guessed.
    Reachable(Vec<S>),
    /// A ranking.
    Ranking {
        /// The states with their ranks, and whether they are watched. Only states of even rank are.
        ranks: Vec<(S, u32, bool)>,
        /// The largest rank, which never changes and is odd.
        largest: u32,
        /// The even rank that is watched at the moment.
        watched: u32,
    },
}

/// The largest even number up to a rank.
fn even(rank: u32) -> u32 {
    rank & !1
}

/// More rankings than this count as out of memory.
const MOST_RANKINGS: usize = 1 << 16;

/// All tight rankings of some states with odd ranks only.
fn tight_rankings<S: Copy + Ord>(states: &[S], out: &mut Vec<Ranked<S>>) -> Result<(), Interrupted> {
    for classes in 1..=states.len() {
        // The class of each state; the classes that are missing must fit into the rest of the states.
        let mut rankings: Vec<(Vec<usize>, usize)> = vec![(Vec::new(), 0)];
        for index in 0..states.len() {
            let mut longer = Vec::new();
            for (ranking, used) in &rankings {
                for class in 0..classes {
                    let used = used + usize::from(!ranking.contains(&class));
                    if classes - used < states.len() - index {
                        let mut ranking = ranking.clone();
                        ranking.push(class);
                        longer.push((ranking, used));
                    }
                }
            }
            rankings = longer;
            if rankings.len() + out.len() > MOST_RANKINGS {
                return Err(Interrupted(Limit::Memory));
            }
        }
        let largest = 2 * classes as u32 - 1;
        for (ranking, _) in rankings.into_iter().filter(|&(_, used)| used == classes) {
            let ranks =
                states.iter().zip(ranking).map(|(&state, class)| (state, 2 * class as u32 + 1, false));
            out.push(Ranked::Ranking { ranks: ranks.collect(), largest, watched: 0 });
        }
    }
    Ok(())
}

/// Whether the largest rank and all smaller odd ones occur.
fn is_tight(ranks: impl Iterator<Item = u32>, largest: u32) -> bool {
    let mut odd: Vec<u32> = ranks.filter(|rank| rank % 2 == 1).collect();
    odd.sort_unstable();
    odd.dedup();
    odd.last() == Some(&largest) && odd.len() as u32 == largest.div_ceil(2)
}

impl<A: LazyNwa> Construction<A> for Ranks {
    type Macro = Ranked<A::State>;

    fn initial(
        &mut self,
        _: &mut A,
        states: &[A::State],
        out: &mut Vec<Self::Macro>,
    ) -> Result<(), Interrupted> {
        out.push(Ranked::Reachable(states.to_vec()));
        Ok(())
    }

    fn is_final(&self, state: &Self::Macro) -> bool {
        match state {
            Ranked::Reachable(states) => states.is_empty(),
            Ranked::Ranking { ranks, .. } => ranks.iter().all(|&(.., watched)| !watched),
        }
    }

    fn support(&self, state: &Self::Macro, out: &mut Vec<A::State>) {
        match state {
            Ranked::Reachable(states) => out.extend_from_slice(states),
            Ranked::Ranking { ranks, .. } => out.extend(ranks.iter().map(|&(state, ..)| state)),
        }
    }

    fn step(
        &mut self,
        _: &mut A,
        state: &Self::Macro,
        arrows: &[Arrow<A::State>],
        out: &mut Vec<Self::Macro>,
    ) -> Result<(), Interrupted> {
        match state {
            Ranked::Reachable(_) => {
                let mut states: Vec<A::State> = arrows.iter().map(|arrow| arrow.target).collect();
                states.sort_unstable();
                states.dedup();
                tight_rankings(&states, out)?;
                out.push(Ranked::Reachable(states));
            }
            Ranked::Ranking { ranks, largest, watched } => {
                step_ranking(ranks, *largest, *watched, arrows, out);
            }
        }
        Ok(())
    }
}

/// The largest rank that a state can have behind a step, and whether a watched state leads to it.
struct Bound {
    rank: u32,
    watched: bool,
}

fn step_ranking<S: Copy + Ord>(
    ranks: &[(S, u32, bool)],
    largest: u32,
    watched: u32,
    arrows: &[Arrow<S>],
    out: &mut Vec<Ranked<S>>,
) {
    let mut bounds: BTreeMap<S, Bound> = BTreeMap::new();
    for arrow in arrows {
        let Ok(found) = ranks.binary_search_by_key(&arrow.source, |&(state, ..)| state) else { continue };
        let (_, rank, is_watched) = ranks[found];
        let rank = if arrow.visit { even(rank) } else { rank };
        let bound = bounds.entry(arrow.target).or_insert(Bound { rank, watched: false });
        bound.rank = bound.rank.min(rank);
        bound.watched |= is_watched;
    }
    let breakpoint = ranks.iter().all(|&(.., watched)| !watched);
    // At a breakpoint the next even rank is watched, in turn.
    let next = if breakpoint { (watched + 2) % (largest + 1) } else { watched };
    let is_watched = |bound: &Bound, rank: u32| rank == next && (breakpoint || bound.watched);
    let ranking = |rank_of: &dyn Fn(&Bound) -> u32, next: u32| {
        let ranks: Vec<(S, u32, bool)> = bounds
            .iter()
            .map(|(&state, bound)| {
                let rank = rank_of(bound);
                (state, rank, is_watched(bound, rank))
            })
            .collect();
        is_tight(ranks.iter().map(|&(_, rank, _)| rank), largest).then_some(Ranked::Ranking {
            ranks,
            largest,
            watched: next,
        })
    };
    if bounds.is_empty() {
        out.push(Ranked::Reachable(Vec::new()));
        return;
    }
    // All ranks as large as possible.
    out.extend(ranking(&|bound| bound.rank, next));
    // All watched states take their runs down, so that none is watched any more.
    if next > 0 {
        let down = |bound: &Bound| if is_watched(bound, bound.rank) { bound.rank - 1 } else { bound.rank };
        out.extend(ranking(&down, next));
    }
}
