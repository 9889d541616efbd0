//! Chains of ports under construction, and the certificate that is made of a finished one.

use super::motion::Motion;
use base::PrimaryMap;
use logic::{Integer, Substitution, Term, Terms};
use program::leap::{Bound, Leap, LeapCertificate, Leg, Link, Mode, Move, MoveData, Plan, PlanData, Port};
use program::steps::OriginData;
use program::{Edge, Error, Origin, Program, Var};
use rustc_hash::FxHashMap;

/// How a chain goes from a port to the next.
#[derive(Clone, Debug)]
pub enum ChainLink {
    /// By a motion.
    Step(Motion),
    /// By a leap over a loop.
    Leap {
        /// The abstract state by location.
        region: Vec<Port>,
        /// The transitions inside.
        motions: Vec<Motion>,
        /// What nothing else depends on.
        hidden: Vec<Var>,
        /// Why it is finite.
        bounds: Vec<Bound>,
        /// What is known of hidden variables throughout.
        kept: Term,
        /// How often it goes round, if that is known; then the exit port is one state.
        rounds: Option<Integer>,
    },
}

/// Ports and what is between them.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The ports.
    pub ports: Vec<Port>,
    /// One less than ports.
    pub links: Vec<(Mode, ChainLink)>,
}

impl Chain {
    /// A chain of one port.
    pub fn new(start: Port) -> Chain {
        Chain { ports: vec![start], links: Vec::new() }
    }

    /// The port so far last.
    pub fn last(&self) -> Port {
        self.ports[self.ports.len() - 1]
    }

    /// Goes on to another port.
    pub fn push(&mut self, mode: Mode, link: ChainLink, port: Port) {
        self.links.push((mode, link));
        self.ports.push(port);
    }
}

/// The certificate of a chain over the blocks of a single-step program. None if a block cannot be told in single steps.
pub fn certificate(
    single: &Program,
    blocks: &Program,
    chain: &Chain,
    error: Error,
    terms: &mut Terms,
) -> Option<LeapCertificate> {
    let mut edges: FxHashMap<Origin, Option<Edge>> = FxHashMap::default();
    for edge in single.live_edges() {
        // An origin of two edges tells neither.
        edges.entry(single.edges[edge].origin).and_modify(|known| *known = None).or_insert(Some(edge));
    }
    let mut writer = Writer {
        blocks,
        edges,
        certificate: LeapCertificate {
            error,
            plans: PrimaryMap::new(),
            moves: PrimaryMap::new(),
            ports: chain.ports.clone(),
            links: Vec::new(),
        },
    };
    for (mode, link) in &chain.links {
        let link = match link {
            ChainLink::Step(motion) => Link::Step(writer.motion(motion, terms)?),
            ChainLink::Leap { region, motions, hidden, bounds, kept, .. } => {
                let moves: Option<Vec<Move>> =
                    motions.iter().map(|motion| writer.motion(motion, terms)).collect();
                let (region, hidden, bounds) = (region.clone(), hidden.clone(), bounds.clone());
                Link::Leap(Leap { region, moves: moves?, hidden, bounds, kept: *kept })
            }
        };
        writer.certificate.links.push((*mode, link));
    }
    Some(writer.certificate)
}

struct Writer<'p> {
    blocks: &'p Program,
    edges: FxHashMap<Origin, Option<Edge>>,
    certificate: LeapCertificate,
}

impl Writer<'_> {
    fn motion(&mut self, motion: &Motion, terms: &mut Terms) -> Option<Move> {
        let mut legs = Vec::with_capacity(motion.legs.len());
        for (edge, strategy) in &motion.legs {
            let mut chosen: Substitution = strategy.iter().copied().collect();
            let plan = self.plan(self.blocks.edges[*edge].origin, &mut chosen, terms)?;
            legs.push(Leg { plan, strategy: strategy.clone() });
        }
        let data = MoveData { source: motion.source, target: motion.target, legs };
        Some(self.certificate.moves.push(data))
    }

    /// Writes the plan of an origin, parts first, without recursion.
    fn plan(&mut self, root: Origin, chosen: &mut Substitution, terms: &mut Terms) -> Option<Plan> {
        let mut done: FxHashMap<Origin, Plan> = FxHashMap::default();
        let mut pending = vec![root];
        while let Some(&origin) = pending.last() {
            let data = match self.blocks.origins[origin] {
                OriginData::Step { .. } => PlanData::Edge(self.edge(origin)?),
                OriginData::Empty => PlanData::Empty,
                OriginData::Sequence(first, second) => {
                    let Some(&first) = done.get(&first) else {
                        pending.push(first);
                        continue;
                    };
                    PlanData::Then(first, self.edge(second)?)
                }
                OriginData::Choice(selector, here, there) => {
                    let missing: Vec<Origin> =
                        [here, there].into_iter().filter(|part| !done.contains_key(part)).collect();
                    if !missing.is_empty() {
                        pending.extend(missing);
                        continue;
                    }
                    let selector: Term = chosen.apply(terms, selector);
                    PlanData::If(selector, done[&here], done[&there])
                }
            };
            let plan = self.certificate.plans.push(data);
            done.insert(origin, plan);
            pending.pop();
        }
        done.get(&root).copied()
    }

    fn edge(&self, origin: Origin) -> Option<Edge> {
        self.edges.get(&origin).copied().flatten()
    }
}
