//! What engines a run uses: the plan, as a table of engines that share the budget.

use crate::agenda::{Aim, Words};
use crate::race;
use crate::reuse::Reuse;
use base::EntityRef as _;
use engines::table::{
    ABSTRACT_INTERPRETATION, BOUNDED, GUESSING, HORN, KOJAK, LEAPING, PROOF_SPACES, QUANTIFIED, SEARCH,
    THREAD_MODULAR, TRACE_ABSTRACTION,
};
use engines::{Bits, Engine, Options};
use logic::Terms;
use program::{EdgeKind, Program};
use std::num::NonZero;
use std::path::PathBuf;
use transform::BlockSize;

/// A line of the plan.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The engine.
    pub engine: &'static Engine,
    /// What becomes of calls before it starts.
    pub inlining: Inlining,
    /// Where it finds control that the program keeps in its data.
    pub control: Control,
    /// How much of the effort it gets.
    pub share: u64,
    /// The first round in which it takes part; every round is as long as all before together.
    pub from: u32,
}

impl Entry {
    /// Does the engine look for invariants about blocks of memory? Nobody else knows what to do with them where loops have no bounds.
    fn is_about_blocks(&self) -> bool {
        self.engine == QUANTIFIED || self.engine == GUESSING
    }

    /// Whether the engine takes bit operations as they are.
    pub(crate) fn takes_bits(&self) -> bool {
        self.engine.bits == Bits::Exact
    }
}

/// What becomes of calls before an engine starts that can work with them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inlining {
    /// They stay, and proofs speak of what procedures do.
    Never,
    /// They are replaced by the procedures, unless there is recursion or the program becomes much larger.
    IfSmall,
}

/// Where an engine finds control that the program keeps in variables with few values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// In the variables, as it is written.
    InData,
    /// In locations: every location is one for each of the values.
    InLocations,
}

/// The default plan. Of two engines that answer in the same round, the first counts.
const PLAN: &[Entry] = &[
    // Bugs that a few runs show.
    Entry { engine: SEARCH, inlining: Inlining::Never, control: Control::InData, share: 6, from: 0 },
    // State machines: what holds in one state only is hard to see beside the others. It begins late and stands early in the
    // table, as programs with nothing to divide cost nearly nothing and the others are decided at once, as a rule.
    Entry {
        engine: TRACE_ABSTRACTION,
        inlining: Inlining::IfSmall,
        control: Control::InLocations,
        share: 6,
        from: 1,
    },
    // Programs that end after few iterations, and bits.
    Entry { engine: BOUNDED, inlining: Inlining::Never, control: Control::InData, share: 12, from: 0 },
    // Most programs are proven or refuted here before anybody else gets a turn.
    Entry {
        engine: TRACE_ABSTRACTION,
        inlining: Inlining::IfSmall,
        control: Control::InData,
        share: 12,
        from: 0,
    },
    // Loops that static analysis knows how to stop in.
    Entry {
        engine: ABSTRACT_INTERPRETATION,
        inlining: Inlining::IfSmall,
        control: Control::InData,
        share: 3,
        from: 0,
    },
    // Equations of degree two and loops with phases, which show themselves in runs. It is soon through, with or without an
    // answer.
    Entry { engine: GUESSING, inlining: Inlining::IfSmall, control: Control::InData, share: 12, from: 1 },
    // Loops over arrays.
    Entry { engine: QUANTIFIED, inlining: Inlining::IfSmall, control: Control::InData, share: 16, from: 2 },
    // Bugs behind so many iterations that nobody can run to them.
    Entry { engine: LEAPING, inlining: Inlining::IfSmall, control: Control::InData, share: 12, from: 2 },
    // Invariants of the whole program at once, where the proofs of single traces do not fit together.
    Entry { engine: HORN, inlining: Inlining::IfSmall, control: Control::InData, share: 12, from: 3 },
    // The same with control in locations: timed automata.
    Entry { engine: HORN, inlining: Inlining::IfSmall, control: Control::InLocations, share: 6, from: 4 },
    // Large programs whose procedures have short contracts.
    Entry {
        engine: TRACE_ABSTRACTION,
        inlining: Inlining::Never,
        control: Control::InData,
        share: 6,
        from: 4,
    },
    // Loops with many branches, where one path at a time is too slow.
    Entry { engine: KOJAK, inlining: Inlining::IfSmall, control: Control::InData, share: 8, from: 4 },
];

/// So many times its share is what an engine gets later that follows long loops: the search, to which a unit of effort is a third of the
/// time that it is to others, or less, and the unwinding, as what others have not decided is often about bits.
const LARGER: u64 = 4;

/// The round in which those begin who are not the first choice where bits matter.
const AFTER_UNWINDING: u32 = 2;

/// The round in which traces are looked at there.
const TRACES_AFTER_UNWINDING: u32 = 1;

/// The round in which invariants about blocks are tried where the program has some, and how many times its share an engine gets that looks for them: it is soon
/// through, and most of what others do about loops that allocate is in vain.
const FOR_BLOCKS: (u32, u64) = (1, 16);

/// How many times its share an engine gets that looks for invariants about blocks with links, which has its turn before the others: nobody else proves anything there.
const FOR_LINKS: u64 = 32;

/// So many edges make a program larger by one size.
const SIZE: usize = 64;
/// Programs with more sizes than this count as if they had so many, so that other engines have their turn in time, …
const MOST_SIZES: u64 = 12;
/// … for trace abstraction with so many, whose static analysis is the best that there is for most large programs and whose
/// questions about large blocks count many units in little time, …
const MOST_SIZES_FOR_TRACES: u64 = 64;
/// … and for the unwinding with so few, as a unit of its effort takes many times as long in a large program. From round `LATE` on its
/// share is this much in any program.
const MOST_SIZES_FOR_UNWINDING: u64 = 4;

/// More engines at once than this would only wait for each other: measured on the development tasks. More workers are for engines that divide
/// their own work.
const MOST_LANES: usize = 2;

/// Which engines are used, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The engines, in the order in which they count.
    pub entries: Vec<Entry>,
    /// What can be chosen about engines.
    pub options: Options,
    /// After so many rounds the plan gives up; every round is as long as all before together. This limit does not
    /// depend on the machine or its load.
    pub rounds: u32,
    /// How much of the program one edge of it covers.
    pub blocks: BlockSize,
    /// Whether the proof is wanted as a file.
    pub certificate: bool,
    /// Whether it is to be found out why a proof is one, for a page about it.
    pub reasons: bool,
    /// What can be chosen about solvers.
    pub solvers: SolverOptions,
    /// What earlier runs have found out, and where this one leaves what it finds out.
    pub reuse: Option<Reuse>,
    /// Whether kinds of checks are asked about by themselves where all together have no answer for some rounds.
    pub kinds_apart: bool,
}

/// What can be chosen about solvers.
#[derive(Clone, Default, Debug)]
pub struct SolverOptions {
    /// A folder for all queries, as SMT-LIB files.
    pub dump_queries: Option<PathBuf>,
    /// The command of a second solver that is asked every question too.
    pub cross_check: Option<String>,
    /// At which questions solvers fail, for tests.
    pub faults: Option<smt::faults::Faults>,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan::of(PLAN.to_vec())
    }
}

impl Plan {
    fn of(entries: Vec<Entry>) -> Plan {
        Plan {
            entries,
            options: Options {
                workers: std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN),
                ..Options::default()
            },
            rounds: u32::MAX,
            blocks: BlockSize::Moderate,
            certificate: false,
            reasons: false,
            solvers: SolverOptions::default(),
            reuse: None,
            kinds_apart: true,
        }
    }

    /// One engine, and nothing else.
    pub fn only(engine: &'static Engine, inlining: Inlining) -> Plan {
        Plan::of(vec![Entry { engine, inlining, control: Control::InData, share: 1, from: 0 }])
    }

    /// The plan with control made into locations for all of its engines.
    #[must_use]
    pub fn divided(mut self) -> Plan {
        self.entries.iter_mut().for_each(|entry| entry.control = Control::InLocations);
        self
    }

    /// The plan with a limit on its work.
    pub fn with_rounds(mut self, rounds: u32) -> Plan {
        self.rounds = rounds;
        self
    }

    /// The plan with what earlier runs have found out.
    pub fn with_reuse(mut self, reuse: Option<Reuse>) -> Plan {
        self.reuse = reuse;
        self
    }

    /// The plan without an engine.
    pub fn without(mut self, engine: &Engine) -> Plan {
        self.entries.retain(|entry| entry.engine != engine);
        self
    }

    /// The engine for any number of threads, with the choices of the plan.
    pub(crate) fn any_number(&self, words: Words) -> Plan {
        let engine = match words {
            Words::Given => THREAD_MODULAR,
            Words::Own => PROOF_SPACES,
        };
        let entry = Entry { engine, inlining: Inlining::Never, control: Control::InData, share: 1, from: 0 };
        Plan { entries: vec![entry], ..self.clone() }
    }

    /// What the plan can be used for.
    pub(crate) fn aim(&self) -> Aim {
        match &self.entries[..] {
            [only] if only.engine == THREAD_MODULAR => Aim::AnyNumber(Words::Given),
            [only] if only.engine == PROOF_SPACES => Aim::AnyNumber(Words::Own),
            [_] => Aim::OneEngine,
            _ => Aim::Plan,
        }
    }

    /// The lines that take part for a program: without calls, an engine with and without inlining would be the same
    /// engine twice.
    pub(crate) fn lines(&self, single: &Program) -> Vec<Entry> {
        let has_calls = single.edges.values().any(|edge| matches!(edge.kind, EdgeKind::Call(_)));
        let twin = |entry: &Entry| {
            let other = |one: &&Entry| one.engine == entry.engine && one.inlining == Inlining::IfSmall;
            entry.inlining == Inlining::Never && self.entries.iter().any(|one| other(&one))
        };
        let takes_part = |entry: &&Entry| match entry.inlining {
            Inlining::IfSmall => true,
            Inlining::Never => has_calls || !twin(entry),
        };
        self.entries.iter().filter(takes_part).copied().collect()
    }

    /// How much of the program one edge covers for an engine. What holds of a heap is broken between statements that belong together, so invariants about heaps are
    /// looked for at few places.
    pub(crate) fn blocks_for(&self, engine: &Engine, single: &Program, terms: &Terms) -> BlockSize {
        let about_heaps = engine == QUANTIFIED
            && self.blocks == BlockSize::Moderate
            && engines::quantified::numbers_blocks(single, terms);
        if about_heaps { BlockSize::PastChecks } else { self.blocks }
    }

    /// The plan on so many threads. Its verdict and evidence do not depend on that.
    #[must_use]
    pub fn with_workers(mut self, workers: NonZero<usize>) -> Plan {
        self.options.workers = workers;
        self
    }

    /// How many engines run at once.
    pub(crate) fn lanes_at_once(&self) -> usize {
        self.options.workers.get().min(MOST_LANES)
    }
}

/// What is known about a program before anybody has worked on it, and what that says about shares.
pub(crate) struct Features {
    /// How large it is, in steps of [`SIZE`] edges.
    sizes: u64,
    /// Whether it computes with floating-point numbers.
    floats: bool,
    /// Whether it has products of variables, or divides by them: about these a unit of a solver's effort takes as long as one of the unwinding.
    products: bool,
    /// Whether it allocates blocks of memory, or asks if any of them lives.
    blocks: bool,
    /// Whether it walks along links of such blocks.
    walks: bool,
    /// Whether it was found out that bits matter, and there is somebody for them.
    bits: bool,
    /// Whether it ends without going round: one unwinding is the whole program.
    ends: bool,
}

impl Features {
    pub(crate) fn of(single: &Program, terms: &Terms, bits: bool) -> Features {
        let blocks = engines::quantified::asks_for_some(single, terms)
            || engines::quantified::numbers_blocks(single, terms);
        Features {
            sizes: u64::try_from(single.edges.len() / SIZE).unwrap_or(u64::MAX),
            floats: terms.has_floats(),
            products: terms.has_products(),
            blocks,
            walks: blocks && engines::quantified::walks_links(single, terms),
            bits,
            ends: ends(single),
        }
    }

    /// Whether the unwinding is as good as anybody.
    fn suits_unwinding(&self) -> bool {
        self.floats || self.bits || self.products || self.ends
    }

    /// How much a line gets in the first rounds. Trace abstraction begins with static analysis of the whole program, which
    /// proves what is easy: that takes longer in a larger program, and so does one unwinding. Runs are longer there, too. Floating-point
    /// numbers and products are seldom decided elsewhere, nor are bits where bounds of bit operations were not enough. Where nothing is repeated, the
    /// unwinding is sure to decide.
    pub(crate) fn early_share(&self, entry: &Entry) -> u64 {
        let unwinds = entry.engine == BOUNDED;
        let least = match () {
            () if unwinds && self.ends && (self.floats || self.bits || self.products) => 2 * LARGER,
            () if unwinds && self.suits_unwinding() => LARGER,
            () => 1,
        };
        let divided = entry.control == Control::InLocations;
        let begins = (entry.engine == TRACE_ABSTRACTION && (entry.from == 0 || divided))
            || unwinds
            || entry.engine == SEARCH;
        let most = match () {
            () if self.products => MOST_SIZES,
            () if unwinds && self.ends => MOST_SIZES,
            () if unwinds => MOST_SIZES_FOR_UNWINDING,
            () if entry.engine == TRACE_ABSTRACTION && !divided => MOST_SIZES_FOR_TRACES,
            () => MOST_SIZES,
        };
        match () {
            () if self.is_first(entry) => FOR_LINKS * entry.share,
            () if begins => self.sizes.clamp(least, most) * entry.share,
            () if self.blocks && entry.is_about_blocks() => FOR_BLOCKS.1 * entry.share,
            () => entry.share,
        }
    }

    /// Whether an engine has its turn before all others, except in the short rounds and the first one, where what is easy is decided.
    pub(crate) fn is_first(&self, entry: &Entry) -> bool {
        self.walks && entry.engine == QUANTIFIED
    }

    /// The first round in which a line takes part. Where bits matter, those who reason about numbers come later: single questions of
    /// theirs can take longer than the unwinding takes for all. Trace abstraction, whose traces become circuits, is the first of them.
    pub(crate) fn from(&self, entry: &Entry) -> u32 {
        match () {
            () if self.bits && entry.engine == TRACE_ABSTRACTION => entry.from.max(TRACES_AFTER_UNWINDING),
            () if self.bits && !entry.takes_bits() => entry.from.max(AFTER_UNWINDING),
            () if self.blocks && entry.is_about_blocks() => entry.from.min(FOR_BLOCKS.0),
            () => entry.from,
        }
    }

    /// The round from which on a line comes behind all others. Whoever gets more later does so from there on. In large programs a unit of
    /// effort of the unwinding takes ten times as long as one of a solver, and an answer of others would wait for that.
    pub(crate) fn behind(&self, entry: &Entry) -> u32 {
        let grows = entry.engine == SEARCH || entry.engine == BOUNDED;
        match entry.engine == BOUNDED && self.sizes > 0 && !self.suits_unwinding() {
            true => 0,
            false if entry.engine == BOUNDED && self.ends => race::NEVER,
            false if grows => race::LATE,
            false => race::NEVER,
        }
    }

    /// How much a line gets from the round on in which a question counts as hard.
    pub(crate) fn late_share(&self, entry: &Entry) -> u64 {
        let grows = entry.engine == SEARCH || entry.engine == BOUNDED;
        // A share that becomes smaller would mean that trace abstraction, which gets more in a large program, has no turn for some rounds.
        let lasts = entry.engine == TRACE_ABSTRACTION && entry.from == 0;
        match () {
            () if grows => LARGER * entry.share,
            () if lasts => self.sizes.clamp(1, MOST_SIZES) * entry.share,
            () if self.blocks && entry.is_about_blocks() => FOR_BLOCKS.1 * entry.share,
            () => entry.share,
        }
    }
}

/// Whether there are neither loops nor recursion: no location comes before itself, where calls lead to what they call and to what comes
/// behind them.
fn ends(program: &Program) -> bool {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); program.locations.len()];
    for edge in program.live_edges() {
        let data = &program.edges[edge];
        let source = match &data.kind {
            EdgeKind::Internal(_) | EdgeKind::Call(_) => data.source,
            EdgeKind::Return(returning) => program.edges[returning.call].source,
        };
        next[source.index()].push(data.target.index());
    }
    let components = graph::components(next.len(), |node, out| out.extend(&next[node]));
    components.iter().all(|component| component.len() == 1 && !next[component[0]].contains(&component[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(text: &str) -> (program::SingleSteps, Terms) {
        let mut sources = base::SourceMap::new();
        let file = sources.add("program.bpl".to_owned(), text.to_owned());
        let compiled = boogie::compile(file, text).expect("the program is good");
        let mut terms = Terms::new();
        let single = program::build(&compiled.program, &mut terms).expect("it can be built");
        (single, terms)
    }

    fn program_ends(text: &str) -> bool {
        ends(&built(text).0)
    }

    #[test]
    fn who_walks_reads_the_next_index_at_the_last_one() {
        let walks = |step: &str| {
            let text = format!(
                "var next: [int]int;\nprocedure main() {{ var n, m: int; while (*) {{ {step} }} }}\n"
            );
            let (single, terms) = built(&text);
            engines::quantified::walks_links(&single, &terms)
        };
        assert!(walks("n := next[n];"));
        assert!(walks("m := next[n]; n := m;"));
        assert!(!walks("n := next[m];"));
        assert!(!walks("n := n + next[m];"));
    }

    #[test]
    fn checks_end_no_block_about_heaps() {
        let checks = "assert x >= 0; ".repeat(10);
        let branch = "if (*) { x := x + 1; } else { x := x + 2; } ";
        let text = format!("procedure main() {{ var x: int; x := 0; {checks}{branch}{checks}{branch} }}\n");
        let (single, mut terms) = built(&text);
        let mut edges = |size| transform::compose(&single, size, &mut terms).program.live_edges().count();
        assert_eq!(edges(BlockSize::PastChecks), edges(BlockSize::LoopFree));
        assert!(edges(BlockSize::PastChecks) < edges(BlockSize::Moderate));
    }

    #[test]
    fn what_is_called_twice_is_not_repeated() {
        let called = "procedure p() {}\nprocedure main() { call p(); call p(); }\n";
        assert!(program_ends(called));
        assert!(!program_ends("procedure main() { while (*) {} }\n"));
        assert!(!program_ends("procedure main() { if (*) { call main(); } }\n"));
    }
}
