//! Programs and certificates that are written by hand: no engine takes part.

#![allow(dead_code, reason = "every test uses its part")]

use base::{Budget, EntityRef, EntitySet, FileId, SecondaryMap};
use certify::{Automaton, Certificate, Letter, NotASubject, Refusal, Subject};
use logic::smtlib::parse;
use logic::{Term, Terms};
use program::{EdgeKind, Location, Program, Unfolding};
use smt::Solvers;

/// A program to hold certificates against.
pub struct Task {
    pub source: ir::Program,
    pub subject: Subject,
    pub terms: Terms,
}

/// The cut points of a program that have names: other locations that certificates need are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Point {
    Initial,
    Error,
    /// Before a call.
    Call,
    /// Behind a call.
    Return,
    Entry,
    Exit,
    /// Where ways join.
    Head,
}

pub fn compile(text: &str) -> ir::Program {
    match boogie::compile(FileId::new(0), text) {
        Ok(compiled) => compiled.program,
        Err(failure) => panic!("{:?} {:?}\n{text}", failure.errors, failure.unsupported),
    }
}

impl Task {
    pub fn new(text: &str) -> Task {
        let source = compile(text);
        let mut terms = Terms::new();
        let subject = Subject::new(&source, &mut terms).expect("the program has a meaning");
        Task { source, subject, terms }
    }

    pub fn of(source: ir::Program) -> Result<Task, NotASubject> {
        let mut terms = Terms::new();
        let subject = Subject::new(&source, &mut terms)?;
        Ok(Task { source, subject, terms })
    }

    pub fn formula(&mut self, text: &str) -> Term {
        parse::term(&mut self.terms, text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    pub fn check(&mut self, certificate: &Certificate) -> Result<(), Refusal> {
        let budget = Budget::unlimited();
        let solvers = Solvers::new(&budget);
        let session = &mut *solvers.session();
        certify::check_proof(&self.subject, certificate, &mut self.terms, session, &budget).map(|_| ())
    }

    /// One automaton with one state per cut point, labelled as wanted, and all transitions between them.
    pub fn certificate(&mut self, labels: &[(Point, &str)]) -> Certificate {
        let program = Program::clone(self.subject.program());
        self.labelled(&program, None, labels)
    }

    /// The same about an unfolding.
    pub fn unfolded(&mut self, unfolding: &Unfolding, labels: &[(Point, &str)]) -> Certificate {
        let unfolded = self.subject.unfolded(unfolding, &mut self.terms).expect("the activations fit");
        self.labelled(unfolded.program(), Some(unfolding), labels)
    }

    fn labelled(
        &mut self,
        program: &Program,
        unfolding: Option<&Unfolding>,
        labels: &[(Point, &str)],
    ) -> Certificate {
        let points = points(program);
        let mut automaton = Automaton::default();
        let mut states: SecondaryMap<Location, Option<usize>> = SecondaryMap::new();
        let mut cut_points = EntitySet::new();
        for &(location, point) in &points {
            let (_, label) = labels.iter().find(|(labelled, _)| *labelled == point).expect("a label");
            let label = self.formula(label);
            states[location] = Some(automaton.labels.len());
            if point == Point::Initial {
                automaton.initial.push(automaton.labels.len());
            }
            automaton.labels.push(label);
            cut_points.insert(location);
        }
        let state = |location: Location| states[location].expect("a cut point");
        for &(from, _) in &points {
            for to in block_ends(program, from, &cut_points) {
                automaton.steps.push((state(from), Letter::Block(from, to), state(to)));
            }
            for &edge in &program.outgoing[from] {
                let data = &program.edges[edge];
                match &data.kind {
                    EdgeKind::Internal(_) => {}
                    EdgeKind::Call(_) => {
                        automaton.steps.push((state(from), Letter::Call(edge), state(data.target)));
                    }
                    EdgeKind::Return(returning) => {
                        let hier = state(program.edges[returning.call].source);
                        automaton.returns.push((state(from), hier, Letter::Return(edge), state(data.target)));
                    }
                }
            }
        }
        Certificate { unfolding: unfolding.cloned(), cut_points, automata: vec![automaton] }
    }
}

fn points(program: &Program) -> Vec<(Location, Point)> {
    let mut incoming: SecondaryMap<Location, usize> = SecondaryMap::new();
    let mut named: SecondaryMap<Location, Option<Point>> = SecondaryMap::new();
    for edge in program.live_edges() {
        let data = &program.edges[edge];
        incoming[data.target] += 1;
        match &data.kind {
            EdgeKind::Internal(_) => {}
            EdgeKind::Call(_) => {
                (named[data.source], named[data.target]) = (Some(Point::Call), Some(Point::Entry));
            }
            EdgeKind::Return(_) => {
                (named[data.source], named[data.target]) = (Some(Point::Exit), Some(Point::Return));
            }
        }
    }
    for &location in &program.initial {
        named[location] = Some(Point::Initial);
    }
    for (location, data) in &program.locations {
        if data.error.is_some() {
            named[location] = Some(Point::Error);
        } else if incoming[location] > 1 && named[location].is_none() {
            named[location] = Some(Point::Head);
        }
    }
    program.locations.keys().filter_map(|location| Some((location, named[location]?))).collect()
}

fn block_ends(program: &Program, from: Location, cut_points: &EntitySet<Location>) -> Vec<Location> {
    let (mut ends, mut pending) = (Vec::new(), vec![from]);
    while let Some(location) = pending.pop() {
        for &edge in &program.outgoing[location] {
            let data = &program.edges[edge];
            if !matches!(data.kind, EdgeKind::Internal(_)) {
                continue;
            }
            if cut_points.contains(data.target) {
                ends.push(data.target);
            } else {
                pending.push(data.target);
            }
        }
    }
    ends.sort_by_key(|location| location.index());
    ends.dedup();
    ends
}
