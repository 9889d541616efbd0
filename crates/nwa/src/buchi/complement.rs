//! The complement of Büchi automata on demand, from constructions that only know infinite words without nesting.
//!
//! A run over an infinite nested word is seen as its *spine*: internal steps, calls that stay pending, and summaries, that
//! is, calls with everything up to their matching return. Each step of the spine relates states, and knows whether a
//! final state was visited, on the spine or inside of the summary ([`Arrow`]). So a [`Construction`] for
//! words, whose acceptance condition is on arrows, is all that is needed; [`Complement`] adds the nesting:
//!
//! * on the spine its state is a macro state of the construction;
//! * at a call it guesses whether the call returns. If not, the call is a step of the spine, and no return can be read
//!   over it. If so, it tabulates the relation between the states at the call and now, which is deterministic;
//!   the matching return applies the relation to the macro state at the call, which the stack remembers.
//!
//! A wrong guess is never accepted: inside of a call that should return no state is final. Every infinite nested word
//! has exactly one right guess, so the language is that of the construction: exact, nested or not.
//!
//! Only what is asked for is built, and each question is answered once.

use crate::{Interrupted, LazyNwa, Letter, PrimaryMap};
use rustc_hash::FxHashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

/// A step of the spine from one state to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Arrow<S> {
    /// The state before.
    pub source: S,
    /// The state after.
    pub target: S,
    /// Whether a final state is visited behind the source, up to and including the target.
    pub visit: bool,
}

/// Sorts arrows. Of two between the same states the one with a visit stays: it is the stronger one, whoever wants to
/// show that there are only finitely many visits.
fn normalized<S: Copy + Ord>(mut arrows: Vec<Arrow<S>>) -> Vec<Arrow<S>> {
    arrows.sort_unstable_by_key(|arrow| (arrow.source, arrow.target, !arrow.visit));
    arrows.dedup_by_key(|arrow| (arrow.source, arrow.target));
    arrows
}

/// The arrows from a state; the arrows are sorted.
pub fn arrows_from<S: Copy + Ord>(arrows: &[Arrow<S>], source: S) -> &[Arrow<S>] {
    let start = arrows.partition_point(|arrow| arrow.source < source);
    let length = arrows[start..].partition_point(|arrow| arrow.source == source);
    &arrows[start..start + length]
}

/// A complement construction for infinite words without nesting.
pub trait Construction<A: LazyNwa> {
    /// The states of the complement.
    type Macro: Clone + Eq + Hash + Debug;

    /// Appends the initial macro states for the initial states of the operand.
    fn initial(
        &mut self,
        operand: &mut A,
        states: &[A::State],
        out: &mut Vec<Self::Macro>,
    ) -> Result<(), Interrupted>;

    /// Whether a macro state is final.
    fn is_final(&self, state: &Self::Macro) -> bool;

    /// Appends the states of the operand that a macro state is about. Without any, everything is accepted.
    fn support(&self, state: &Self::Macro, out: &mut Vec<A::State>);

    /// Appends the successors for a step of the spine, given by all arrows from the states of the support, sorted.
    fn step(
        &mut self,
        operand: &mut A,
        state: &Self::Macro,
        arrows: &[Arrow<A::State>],
        out: &mut Vec<Self::Macro>,
    ) -> Result<(), Interrupted>;
}

crate::ids::id!(
    /// A state of a [`Complement`].
    ComplementState,
    "c"
);

#[derive(PartialEq, Eq, Hash)]
enum Node<S, M> {
    /// On the spine.
    Spine(M),
    /// Inside of a call that will return: the ways from the states at the call to the states now.
    Inside(Vec<Arrow<S>>),
}

type Answer = Arc<[ComplementState]>;

/// A node of the complement of `A` by `W`.
type NodeOf<A, W> = Node<<A as LazyNwa>::State, <W as Construction<A>>::Macro>;

/// The infinite nested words that a Büchi automaton rejects.
pub struct Complement<A: LazyNwa, W: Construction<A>> {
    operand: A,
    construction: W,
    nodes: PrimaryMap<ComplementState, Arc<NodeOf<A, W>>>,
    ids: FxHashMap<Arc<NodeOf<A, W>>, ComplementState>,
    internal: FxHashMap<(ComplementState, Letter), Answer>,
    call: FxHashMap<(ComplementState, Letter), Answer>,
    ret: FxHashMap<(ComplementState, ComplementState, Letter), Answer>,
    buffer: Vec<A::State>,
}

impl<A: LazyNwa, W: Construction<A>> Complement<A, W> {
    /// The complement of an automaton by a construction.
    pub fn new(operand: A, construction: W) -> Complement<A, W> {
        Complement {
            operand,
            construction,
            nodes: PrimaryMap::new(),
            ids: FxHashMap::default(),
            internal: FxHashMap::default(),
            call: FxHashMap::default(),
            ret: FxHashMap::default(),
            buffer: Vec::new(),
        }
    }

    fn intern(&mut self, node: NodeOf<A, W>) -> ComplementState {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let node = Arc::new(node);
        let id = self.nodes.push(Arc::clone(&node));
        self.ids.insert(node, id);
        id
    }

    /// Whether the state is on the spine and is about no state of the operand: then everything is accepted.
    fn accepts_all(&self, state: ComplementState) -> bool {
        match &*self.nodes[state] {
            Node::Inside(_) => false,
            Node::Spine(state) => self.support(state).is_empty(),
        }
    }

    /// The states that a macro state is about, sorted.
    fn support(&self, state: &W::Macro) -> Vec<A::State> {
        let mut support = Vec::new();
        self.construction.support(state, &mut support);
        support.sort_unstable();
        support.dedup();
        support
    }

    /// Appends the arrows for one step of a state, whose successors are in the buffer.
    fn arrows(
        &mut self,
        source: A::State,
        visit: bool,
        out: &mut Vec<Arrow<A::State>>,
    ) -> Result<(), Interrupted> {
        for target in self.buffer.drain(..) {
            out.push(Arrow { source, target, visit: visit || self.operand.is_final(target)? });
        }
        Ok(())
    }

    /// The nodes behind a step of the spine.
    fn spine_step(
        &mut self,
        state: &W::Macro,
        arrows: Vec<Arrow<A::State>>,
        out: &mut Vec<ComplementState>,
    ) -> Result<(), Interrupted> {
        let mut macros = Vec::new();
        self.construction.step(&mut self.operand, state, &normalized(arrows), &mut macros)?;
        out.extend(macros.into_iter().map(|state| self.intern(Node::Spine(state))));
        Ok(())
    }

    fn compute_internal(
        &mut self,
        state: ComplementState,
        letter: Letter,
        out: &mut Vec<ComplementState>,
    ) -> Result<(), Interrupted> {
        let node = Arc::clone(&self.nodes[state]);
        let mut arrows = Vec::new();
        match &*node {
            Node::Spine(state) => {
                for source in self.support(state) {
                    self.operand.internal(source, letter, &mut self.buffer)?;
                    self.arrows(source, false, &mut arrows)?;
                }
                self.spine_step(state, arrows, out)?;
            }
            Node::Inside(ways) => {
                for way in ways {
                    self.operand.internal(way.target, letter, &mut self.buffer)?;
                    self.arrows(way.source, way.visit, &mut arrows)?;
                }
                out.push(self.intern(Node::Inside(normalized(arrows))));
            }
        }
        Ok(())
    }

    fn compute_call(
        &mut self,
        state: ComplementState,
        letter: Letter,
        out: &mut Vec<ComplementState>,
    ) -> Result<(), Interrupted> {
        if self.accepts_all(state) {
            out.push(state);
            return Ok(());
        }
        let node = Arc::clone(&self.nodes[state]);
        let sources = match &*node {
            Node::Spine(state) => self.support(state),
            Node::Inside(ways) => {
                let mut sources: Vec<A::State> = ways.iter().map(|way| way.target).collect();
                sources.sort_unstable();
                sources.dedup();
                sources
            }
        };
        let mut arrows = Vec::new();
        for source in sources {
            self.operand.call(source, letter, &mut self.buffer)?;
            self.arrows(source, false, &mut arrows)?;
        }
        if let Node::Spine(state) = &*node {
            self.spine_step(state, arrows.clone(), out)?;
        }
        out.push(self.intern(Node::Inside(normalized(arrows))));
        Ok(())
    }

    fn compute_ret(
        &mut self,
        state: ComplementState,
        hier: ComplementState,
        letter: Letter,
        out: &mut Vec<ComplementState>,
    ) -> Result<(), Interrupted> {
        let (inside, below) = (Arc::clone(&self.nodes[state]), Arc::clone(&self.nodes[hier]));
        let Node::Inside(ways) = &*inside else {
            // On the spine no call returns, except where everything is accepted anyway.
            out.extend((self.accepts_all(state) && self.accepts_all(hier)).then_some(state));
            return Ok(());
        };
        let mut through = Vec::new();
        for way in ways {
            self.operand.ret(way.target, way.source, letter, &mut self.buffer)?;
            self.arrows(way.source, way.visit, &mut through)?;
        }
        match &*below {
            Node::Spine(state) => self.spine_step(state, through, out),
            Node::Inside(before) => {
                let through = normalized(through);
                let mut arrows = Vec::new();
                for way in before {
                    arrows.extend(arrows_from(&through, way.target).iter().map(|arrow| Arrow {
                        source: way.source,
                        target: arrow.target,
                        visit: way.visit || arrow.visit,
                    }));
                }
                out.push(self.intern(Node::Inside(normalized(arrows))));
                Ok(())
            }
        }
    }
}

impl<A: LazyNwa, W: Construction<A>> LazyNwa for Complement<A, W> {
    type State = ComplementState;

    fn initial(&mut self, out: &mut Vec<ComplementState>) -> Result<(), Interrupted> {
        let (mut states, mut macros) = (Vec::new(), Vec::new());
        self.operand.initial(&mut states)?;
        states.sort_unstable();
        states.dedup();
        self.construction.initial(&mut self.operand, &states, &mut macros)?;
        out.extend(macros.into_iter().map(|state| self.intern(Node::Spine(state))));
        Ok(())
    }

    fn is_final(&mut self, state: ComplementState) -> Result<bool, Interrupted> {
        Ok(match &*self.nodes[state] {
            Node::Spine(state) => self.construction.is_final(state),
            Node::Inside(_) => false,
        })
    }

    fn internal(
        &mut self,
        state: ComplementState,
        letter: Letter,
        out: &mut Vec<ComplementState>,
    ) -> Result<(), Interrupted> {
        if !self.internal.contains_key(&(state, letter)) {
            let mut answer = Vec::new();
            self.compute_internal(state, letter, &mut answer)?;
            self.internal.insert((state, letter), distinct(answer));
        }
        out.extend_from_slice(&self.internal[&(state, letter)]);
        Ok(())
    }

    fn call(
        &mut self,
        state: ComplementState,
        letter: Letter,
        out: &mut Vec<ComplementState>,
    ) -> Result<(), Interrupted> {
        if !self.call.contains_key(&(state, letter)) {
            let mut answer = Vec::new();
            self.compute_call(state, letter, &mut answer)?;
            self.call.insert((state, letter), distinct(answer));
        }
        out.extend_from_slice(&self.call[&(state, letter)]);
        Ok(())
    }

    fn ret(
        &mut self,
        state: ComplementState,
        hier: ComplementState,
        letter: Letter,
        out: &mut Vec<ComplementState>,
    ) -> Result<(), Interrupted> {
        if !self.ret.contains_key(&(state, hier, letter)) {
            let mut answer = Vec::new();
            self.compute_ret(state, hier, letter, &mut answer)?;
            self.ret.insert((state, hier, letter), distinct(answer));
        }
        out.extend_from_slice(&self.ret[&(state, hier, letter)]);
        Ok(())
    }
}

fn distinct(mut states: Vec<ComplementState>) -> Answer {
    states.sort_unstable();
    states.dedup();
    states.into()
}
