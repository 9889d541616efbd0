//! From a Boogie program to a checked chain of leaps.

use base::Budget;
use engines::context::Context;
use engines::leaping::chain::{self, Chain};
use engines::leaping::search::LeapStatistics;
use engines::leaping::theorems::Theorem;
use engines::leaping::{self, Found, concrete};
use logic::Terms;
use program::{LeapCertificate, Program};
use smt::Solvers;

/// A program with everything that is needed to look for leaps in it.
pub struct Task {
    pub terms: Terms,
    pub single: Program,
    pub blocks: Program,
    pub source: ir::Program,
    pub budget: Budget,
}

/// What was found.
pub struct Leaps {
    pub chain: Chain,
    pub certificate: LeapCertificate,
    pub run: Option<Box<concrete::Run>>,
}

impl Task {
    pub fn new(text: &str) -> Task {
        let mut sources = base::SourceMap::new();
        let file = sources.add("test.bpl".to_owned(), text.to_owned());
        let source = match boogie::compile(file, text) {
            Ok(compiled) => compiled.program,
            Err(failure) => panic!("{:?} {:?}\n{text}", failure.errors, failure.unsupported),
        };
        let mut terms = Terms::new();
        let mut single = program::build(&source, &mut terms).expect("the program is supported");
        program::trim::trim(&mut single);
        let blocks = program::blocks::compose(&single, program::BlockSize::LoopFree, &mut terms).program;
        Task { terms, single, blocks, source, budget: Budget::unlimited() }
    }

    /// Looks for leaps; what is found must be accepted by the check, and by the interpreter if there is a run.
    pub fn leap(&mut self) -> Result<Leaps, String> {
        self.leap_by(&[Theorem::Two, Theorem::One])
    }

    /// Looks for leaps by some of the theorems only.
    pub fn leap_by(&mut self, theorems: &[Theorem]) -> Result<Leaps, String> {
        let solvers = Solvers::new(&self.budget);
        let errors: Vec<_> = self.single.errors.keys().collect();
        let mut statistics = LeapStatistics::default();
        let mut context = Context::new(&self.blocks, &mut self.terms, &solvers, self.budget.clone());
        let found =
            leaping::find(&mut context, &errors, theorems, &mut statistics).expect("there is no limit");
        let (error, chain, run) = match found {
            Found::Chain(error, chain, run) => (error, *chain, run),
            Found::Nothing(reason) => return Err(reason.to_string()),
        };
        drop(context);
        let certificate = chain::certificate(&self.single, &self.blocks, &chain, error, &mut self.terms)
            .expect("blocks are made of single steps");
        self.check(&certificate).unwrap_or_else(|refusal| panic!("{refusal}\n{certificate:?}"));
        if let Some(run) = &run {
            let replayed = certify::replay(
                &self.source,
                &self.blocks,
                &run.counterexample,
                &mut self.terms,
                &self.budget,
            );
            assert!(replayed.is_ok(), "{replayed:?}");
        }
        Ok(Leaps { chain, certificate, run })
    }

    pub fn check(&mut self, certificate: &LeapCertificate) -> Result<(), certify::Refusal> {
        let solvers = Solvers::new(&self.budget);
        certify::check_leaps(
            &self.single,
            certificate,
            &mut self.terms,
            &mut *solvers.session(),
            &self.budget,
        )
    }
}
