//! The way from the text of a program to a verdict, as a library call.

use base::{Budget, Interrupted, SourceMap};
use engines::context::Context;
use engines::trace_abstraction::{Options, TraceAbstraction};
use logic::Terms;
use program::{BlockProgram, SingleSteps, Verdict};
use smt::Solvers;
use transform::BlockSize;

/// A program in all its forms.
pub struct Job {
    /// As the front end gives it.
    pub source: ir::Program,
    /// One edge per step.
    pub single: SingleSteps,
    /// One edge per block.
    pub blocks: BlockProgram,
    /// The formulas.
    pub terms: Terms,
    /// The solvers.
    pub solvers: Solvers,
    /// When to stop.
    pub budget: Budget,
}

impl Job {
    /// Reads a Boogie program without mistakes.
    pub fn new(text: &str) -> Job {
        let mut sources = SourceMap::new();
        let file = sources.add("program.bpl".to_owned(), text.to_owned());
        let source =
            boogie::compile(file, text).unwrap_or_else(|failure| panic!("{failure:?}\n{text}")).program;
        let mut terms = Terms::new();
        let single = program::build(&source, &mut terms).expect("logic can express the program");
        let single = transform::trim(single);
        let blocks = transform::compose(&single, BlockSize::LoopFree, &mut terms);
        let budget = Budget::unlimited();
        let solvers = Solvers::new(&budget);
        Job { source, single, blocks, terms, solvers, budget }
    }

    /// The answer of trace abstraction, before anybody has checked it.
    pub fn verdict(&mut self) -> Result<Verdict, Interrupted> {
        let mut context =
            Context::new(&self.blocks.program, &mut self.terms, &self.solvers, self.budget.clone());
        TraceAbstraction::new(&mut context, Options::default(), &mut |_| {}).run()
    }
}
