//! From a Boogie program to a checked chain of leaps.

use base::Budget;
use engines::context::Context;
use engines::leaping;
use engines::leaping::search::LeapStatistics;
use engines::leaping::theorems::Theorem;
use logic::Terms;
use program::{LeapCertificate, LeapEvidence, Program, SingleSteps, Verdict};
use smt::Solvers;

/// A program with everything that is needed to look for leaps in it.
pub struct Task {
    pub terms: Terms,
    pub subject: certify::Subject,
    pub single: SingleSteps,
    pub blocks: Program,
    pub source: ir::Program,
    pub budget: Budget,
    /// What the search may cost.
    pub most_effort: u64,
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
        let subject = certify::Subject::new(&source, &mut terms).expect("the program is supported");
        let single = transform::trim(subject.program().clone());
        let blocks = transform::compose(&single, transform::BlockSize::LoopFree, &mut terms).program;
        Task { terms, subject, single, blocks, source, budget: Budget::unlimited(), most_effort: 3_000_000 }
    }

    /// Looks for leaps; what is found must be accepted by the check, and by the interpreter if there is a run.
    pub fn leap(&mut self) -> Result<LeapEvidence, String> {
        self.leap_by(&[Theorem::Two, Theorem::One])
    }

    /// Looks for leaps by some of the theorems only.
    pub fn leap_by(&mut self, theorems: &[Theorem]) -> Result<LeapEvidence, String> {
        let solvers = Solvers::new(&self.budget);
        let errors: Vec<_> = self.single.errors.keys().collect();
        let options =
            leaping::Options { theorems: theorems.to_vec(), most_effort: self.most_effort, through: None };
        let mut statistics = LeapStatistics::default();
        let mut context = Context::new(&self.blocks, &mut self.terms, &solvers, self.budget.clone());
        let found = leaping::find(&mut context, &self.single, &errors, &options, &mut statistics)
            .expect("there is no limit");
        drop(context);
        let evidence = match found {
            Verdict::Leaps(evidence) => *evidence,
            Verdict::Unknown(reason) => return Err(reason.to_string()),
            other => panic!("leaping answered {other:?}"),
        };
        let certificate = &evidence.certificate;
        self.check(certificate).unwrap_or_else(|refusal| panic!("{refusal}\n{certificate:?}"));
        if let Some(counterexample) = evidence.run.as_ref().and_then(|run| run.counterexample.as_ref()) {
            let replayed =
                certify::replay(&self.source, &self.blocks, counterexample, &mut self.terms, &self.budget);
            assert!(replayed.is_ok(), "{replayed:?}");
        }
        Ok(evidence)
    }

    pub fn check(&mut self, certificate: &LeapCertificate) -> Result<(), certify::Refusal> {
        let solvers = Solvers::new(&self.budget);
        certify::check_leaps(
            &self.subject,
            None,
            certificate,
            &mut self.terms,
            &mut *solvers.session(),
            &self.budget,
        )
        .map(drop)
    }
}
