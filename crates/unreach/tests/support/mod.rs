//! The way from the text of a program to a verdict, as a library call.

#![allow(dead_code, reason = "every test uses its part")]

use base::{Budget, Interrupted, SourceMap};
use certify::{Certificate, Subject};
use engines::context::Context;
use engines::trace_abstraction::{Options, TraceAbstraction};
use logic::Terms;
use program::{BlockProgram, Proof, SingleSteps, Verdict};
use smt::Solvers;
use transform::BlockSize;
use transform::inline::{Copies, Inlined};

/// Reads a Boogie program.
pub fn compile(text: &str) -> Result<ir::Program, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("program.bpl".to_owned(), text.to_owned());
    boogie::compile(file, text).map(|compiled| compiled.program).map_err(|failure| format!("{failure:?}"))
}

/// A program in all its forms.
pub struct Job {
    /// As the front end gives it.
    pub source: ir::Program,
    /// What proofs are held against.
    pub subject: Subject,
    /// One edge per step.
    pub single: SingleSteps,
    /// What the single steps are copies of, if calls were inlined.
    pub copies: Option<Copies>,
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
        Job::of(compile(text).unwrap_or_else(|failure| panic!("{failure}\n{text}")))
    }

    /// The program with its calls inlined; nothing if there is recursion.
    pub fn inlined(text: &str) -> Option<Job> {
        let mut job = Job::new(text);
        let most = transform::inline::MOST_LOCATIONS;
        let Inlined { program, copies } = transform::inline(&job.single, &mut job.terms, most).ok()?;
        job.single = transform::trim(program);
        job.blocks = transform::compose(&job.single, BlockSize::LoopFree, &mut job.terms);
        job.copies = Some(copies);
        Some(job)
    }

    /// All forms of a program.
    pub fn of(source: ir::Program) -> Job {
        let mut terms = Terms::new();
        let subject = Subject::new(&source, &mut terms).expect("logic can express the program");
        let single = transform::trim(subject.program().clone());
        let blocks = transform::compose(&single, BlockSize::LoopFree, &mut terms);
        let budget = Budget::unlimited();
        let solvers = Solvers::new(&budget);
        Job { source, subject, single, copies: None, blocks, terms, solvers, budget }
    }

    /// The certificate of a proof.
    pub fn certificate(&mut self, proof: &Proof) -> Certificate {
        let certificate = Certificate::of_proof(&self.blocks, proof);
        let Some(copies) = &self.copies else { return certificate };
        let unfolded = self.subject.unfolded(&copies.unfolding, &mut self.terms).expect("nothing is missing");
        let number = |location| unfolded.location(copies.place(location));
        certificate.on_unfolding(copies.unfolding.clone(), number).expect("nothing is lost")
    }

    /// The answer of trace abstraction, before anybody has checked it.
    pub fn verdict(&mut self) -> Result<Verdict, Interrupted> {
        let mut context =
            Context::new(&self.blocks.program, &mut self.terms, &self.solvers, self.budget.clone());
        TraceAbstraction::new(&mut context, Options::default(), &mut |_| {}).run()
    }
}
