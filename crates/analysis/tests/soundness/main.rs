//! Facts hold wherever concrete runs come.
//!
//! `UNREACH_ANALYSIS_PROGRAMS=N` tries N random programs instead of the usual number.

#![allow(clippy::disallowed_methods, reason = "the test can be asked for more programs")]

mod generate;
mod walk;

use analysis::divided::{self, Division};
use analysis::{Model as Prepared, Precision, analyse};
use base::{Budget, EntitySet, Random, SourceMap};
use logic::evaluate::holds;
use logic::{Model, Op, Term, Terms};
use program::{EdgeKind, Location, Program};
use std::collections::BTreeMap;
use walk::walk;

fn build(text: &str, terms: &mut Terms) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("program.bpl".to_owned(), text.to_owned());
    let source = boogie::compile(file, text).unwrap_or_else(|failure| panic!("{failure:?}\n{text}")).program;
    program::build(&source, terms).expect("logic can express the program").into_program()
}

/// The facts of all locations that are visited, when they are.
struct Checked<F> {
    facts: F,
    conjuncts: BTreeMap<Location, Vec<Term>>,
    visits: usize,
}

impl<F: Fn(Location, &mut Terms) -> Vec<Term>> Checked<F> {
    fn check(&mut self, terms: &mut Terms, location: Location, state: &Model) -> Result<(), String> {
        self.visits += 1;
        let facts = &self.facts;
        let conjuncts = self.conjuncts.entry(location).or_insert_with(|| facts(location, terms)).clone();
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
        for precision in [Precision::Values, Precision::Relations, Precision::Polyhedra] {
            let facts = analyse(&program, &mut terms, precision, &Budget::unlimited()).expect("unlimited");
            let at = |location, terms: &mut Terms| facts.conjuncts(location, terms);
            visits += walked(&program, &mut terms, seed, at)
                .unwrap_or_else(|wrong| panic!("program {seed}, {precision:?}, {wrong}\n{text}"));
        }
    }
    assert!(visits as u64 > count * 500, "the walks are short: {visits}");
}

/// Makes walks, along which facts have to hold; how many locations were visited, or what does not hold.
fn walked(
    program: &Program,
    terms: &mut Terms,
    seed: u64,
    facts: impl Fn(Location, &mut Terms) -> Vec<Term>,
) -> Result<usize, String> {
    let mut checked = Checked { facts, conjuncts: BTreeMap::new(), visits: 0 };
    let mut random = Random::new(seed);
    for _ in 0..60 {
        let mut wrong = None;
        let mut legal = None;
        walk(program, terms, &mut random, |terms, location, state| {
            // Constants never change, so the axioms hold always or never.
            if *legal.get_or_insert_with(|| respects_axioms(program, terms, state)) && wrong.is_none() {
                wrong = checked.check(terms, location, state).err();
            }
        });
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
    }
    Ok(checked.visits)
}

/// The comparisons in the guards of a program.
fn comparisons(program: &Program, terms: &Terms) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
        for atom in terms.conjuncts(relation.guard) {
            let symbols = terms.free_symbols(atom);
            let about_variables = symbols.iter().all(|&symbol| program.variables.of_symbol(symbol).is_some());
            if matches!(terms.op(atom), Op::Le | Op::Lt | Op::Eq) && about_variables && !found.contains(&atom)
            {
                found.push(atom);
            }
        }
    }
    found
}

#[test]
fn facts_of_divided_programs_hold_in_random_walks() {
    let (mut divided_programs, mut visits) = (0, 0);
    for seed in 0..150 {
        let text = generate::program(seed);
        let mut terms = Terms::new();
        let program = build(&text, &mut terms);
        if !program.live_edges().all(|edge| matches!(program.edges[edge].kind, EdgeKind::Internal(_))) {
            continue;
        }
        let mut random = Random::new(seed);
        for case in comparisons(&program, &terms).into_iter().take(3) {
            // Some of the locations, so that there are arcs of all kinds between divided ones and others.
            let mut locations: EntitySet<Location> = EntitySet::new();
            for location in program.locations.keys() {
                if random.number(3) > 0 {
                    locations.insert(location);
                }
            }
            let otherwise = terms.not(case);
            let division = Division { locations, cases: vec![case, otherwise] };
            let budget = Budget::unlimited();
            let precision = if random.number(2) == 0 { Precision::Relations } else { Precision::Polyhedra };
            let mut model = Prepared::new(&program, &mut terms, precision, &budget).expect("unlimited");
            let found = divided::solve(&mut model, &division, &mut terms, &budget).expect("unlimited");
            let at = |location, terms: &mut Terms| found.conjuncts(&model, location, terms);
            let shown = logic::print::infix(&terms, case);
            visits += walked(&program, &mut terms, seed, at)
                .unwrap_or_else(|wrong| panic!("program {seed} divided by {shown}, {wrong}\n{text}"));
            divided_programs += 1;
        }
    }
    assert!(divided_programs > 20, "only {divided_programs} programs were divided");
    assert!(visits > divided_programs * 100, "the walks are short: {visits} in {divided_programs} programs");
}
