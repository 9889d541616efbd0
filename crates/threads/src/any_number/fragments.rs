//! The code of a thread in pieces that no other thread can interrupt, as far as anybody can notice.
//!
//! A piece begins at a *stop* and goes on through steps that access nothing that another thread could meanwhile change
//! or look at; its last step is the first one that does, or an atomic part as a whole. So a thread that gets stuck in a
//! piece, or goes round in it for ever, has done nothing that others could have noticed. Heads of loops are stops, too,
//! so that a piece has no loops outside of atomic parts. Before the first `fork` nobody else is there, and a piece ends at heads of loops only.
//!
//! Cost: the size of the code for every stop, at most.

use crate::bits::{Accesses, Bits};
use crate::code::Action;
use crate::system::System;
use ir::Boundary;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Where a step of a piece leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// To another step of the piece.
    Step(usize),
    /// To a stop, by its node.
    Stop(usize),
}

/// A step of a piece.
#[derive(Clone, Debug)]
pub(super) struct PieceStep {
    pub(super) node: usize,
    /// As many as the node has successors.
    pub(super) targets: Vec<Target>,
}

/// What a thread does from a stop on. It begins with the first step.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) steps: Vec<PieceStep>,
}

/// The pieces of a code, by the nodes at which they begin.
pub(super) type Pieces = BTreeMap<usize, Piece>;

/// What others can do to a thread of each code.
pub(super) struct Interference {
    /// For each code, what all other threads access.
    others: Vec<Accesses>,
    /// The nodes of the first thread at which no other thread is there.
    alone: Vec<bool>,
}

impl Interference {
    pub(super) fn of(system: &System) -> Interference {
        let alone = system.before_forks();
        let mut own: Vec<Accesses> = Vec::new();
        for (code, facts) in system.facts.iter().enumerate() {
            let [reads, writes] = [&facts[0].alone.reads, &facts[0].alone.writes].map(Bits::empty_like);
            let mut all = Accesses { reads, writes };
            for (node, facts) in facts.iter().enumerate() {
                if code > 0 || !alone[node] {
                    all.unite(&facts.alone);
                }
            }
            own.push(all);
        }
        let others = |code: usize| {
            let [reads, writes] = [&own[code].reads, &own[code].writes].map(Bits::empty_like);
            let mut others = Accesses { reads, writes };
            for (other, accesses) in own.iter().enumerate() {
                // There may be several threads of a code, except of the first one's.
                if other != code || code > 0 {
                    others.unite(accesses);
                }
            }
            others
        };
        Interference { others: (0..own.len()).map(others).collect(), alone }
    }

    /// Whether others can notice a step outside of atomic parts, or change what it sees.
    fn is_shared(&self, system: &System, code: usize, node: usize) -> bool {
        match system.codes[code].nodes[node].action {
            Action::Fork { .. } | Action::Join { .. } => true,
            _ if code == 0 && self.alone[node] => false,
            _ => system.facts[code][node].alone.conflict(&self.others[code]),
        }
    }

    /// The pieces of a code.
    pub(super) fn pieces(&self, system: &System, code: usize) -> Pieces {
        let mut pieces = Pieces::new();
        let mut pending = vec![system.codes[code].entry];
        while let Some(node) = pending.pop() {
            if pieces.contains_key(&node) {
                continue;
            }
            let piece = self.piece(system, code, node);
            for step in &piece.steps {
                let stops = step.targets.iter().filter_map(|target| match target {
                    Target::Stop(node) => Some(*node),
                    Target::Step(_) => None,
                });
                pending.extend(stops.filter(|&node| !is_end(system, code, node)));
            }
            pieces.insert(node, piece);
        }
        pieces
    }

    fn piece(&self, system: &System, code: usize, from: usize) -> Piece {
        let data = &system.codes[code];
        let mut numbers: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        let mut known: Vec<(usize, usize)> = vec![(from, 0)];
        numbers.insert((from, 0), 0);
        let mut steps = Vec::new();
        while let Some(&(node, depth)) = known.get(steps.len()) {
            let lonely = code == 0 && self.alone[node];
            let (depth, stops) = match data.nodes[node].action {
                Action::Atomic(Boundary::Begin) => (depth + 1, false),
                // What follows the end of an atomic part is a piece of its own, as the part may have done anything.
                Action::Atomic(Boundary::End) => (depth.saturating_sub(1), depth == 1 && !lonely),
                _ => (depth, depth == 0 && self.is_shared(system, code, node)),
            };
            let mut targets = Vec::new();
            for &next in &data.nodes[node].next {
                let stop = depth == 0 && (stops || system.heads[code][next] || is_end(system, code, next));
                targets.push(match stop {
                    true => Target::Stop(next),
                    false => {
                        let number = *numbers.entry((next, depth)).or_insert_with(|| {
                            known.push((next, depth));
                            known.len() - 1
                        });
                        Target::Step(number)
                    }
                });
            }
            steps.push(PieceStep { node, targets });
        }
        Piece { steps }
    }
}

/// Whether a thread is over at a node.
pub(super) fn is_end(system: &System, code: usize, node: usize) -> bool {
    matches!(system.codes[code].nodes[node].action, Action::End)
}
