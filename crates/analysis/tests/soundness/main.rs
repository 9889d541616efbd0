//! Facts hold wherever concrete runs come.
//!
//! `UNREACH_ANALYSIS_PROGRAMS=N` tries N random programs instead of the usual number.

#![allow(clippy::disallowed_methods, reason = "the test can be asked for more programs")]

mod generate;
mod walk;

use analysis::{Facts, Precision, analyse};
use base::{Budget, Random, SourceMap};
use logic::evaluate::holds;
use logic::{Model, Term, Terms};
use program::{Location, Program};
use std::collections::BTreeMap;
use walk::walk;

fn build(text: &str, terms: &mut Terms) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("program.bpl".to_owned(), text.to_owned());
    let source = boogie::compile(file, text).unwrap_or_else(|failure| panic!("{failure:?}\n{text}")).program;
    program::build(&source, terms).expect("logic can express the program").into_program()
}

/// The facts of all locations that are visited, when they are.
struct Checked<'f, 'p> {
    facts: &'f Facts<'p>,
    conjuncts: BTreeMap<Location, Vec<Term>>,
    visits: usize,
}

impl Checked<'_, '_> {
    fn check(&mut self, terms: &mut Terms, location: Location, state: &Model) -> Result<(), String> {
        self.visits += 1;
        let facts = self.facts;
        let conjuncts =
            self.conjuncts.entry(location).or_insert_with(|| facts.conjuncts(location, terms)).clone();
        for formula in conjuncts {
            // Quantified facts about arrays are checked by the proofs that use them.
            if holds(terms, state, formula) == Ok(false) {
                return Err(format!("at {location}: {}", logic::print::infix(terms, formula)));
            }
        }
        Ok(())
    }
}

fn respects_axioms(program: &Program, terms: &mut Terms, state: &Model) -> bool {
    program.axioms.iter().all(|&axiom| holds(terms, state, axiom) == Ok(true))
}

#[test]
fn facts_hold_in_random_walks() {
    let count =
        std::env::var("UNREACH_ANALYSIS_PROGRAMS").map_or(150, |text| text.parse().expect("a number"));
    let mut visits = 0;
    for seed in 0..count {
        let text = generate::program(seed);
        let mut terms = Terms::new();
        let program = build(&text, &mut terms);
        for precision in [Precision::Values, Precision::Relations] {
            let facts = analyse(&program, &mut terms, precision, &Budget::unlimited()).expect("unlimited");
            let mut checked = Checked { facts: &facts, conjuncts: BTreeMap::new(), visits: 0 };
            let mut random = Random::new(seed);
            for _ in 0..60 {
                let mut wrong = None;
                let mut legal = None;
                walk(&program, &mut terms, &mut random, |terms, location, state| {
                    // Constants never change, so the axioms hold always or never.
                    if *legal.get_or_insert_with(|| respects_axioms(&program, terms, state))
                        && wrong.is_none()
                    {
                        wrong = checked.check(terms, location, state).err();
                    }
                });
                assert_eq!(wrong, None, "program {seed}, {precision:?}\n{text}");
            }
            visits += checked.visits;
        }
    }
    assert!(visits as u64 > count * 500, "the walks are short: {visits}");
}
