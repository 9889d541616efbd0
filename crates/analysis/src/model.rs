//! A program made ready for analysis: dimensions, the code of its edges, packs and thresholds of its procedures.

use crate::calls::Frames;
use crate::code::{Code, Compiler};
use crate::form::Dimension;
use crate::lifetimes::{self, Lifetimes};
use crate::limits;
use crate::packing::Survey;
use crate::sharing::Sharing;
use crate::space::{Packing, Space};
use crate::state::{Domain, State, Thresholds, Unreachable};
use base::{Budget, EntitySet, Interrupted, SecondaryMap};
use ir::Procedure;
use logic::{Term, Terms};
use program::{Edge, EdgeKind, Location, Program, VarKind};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// How much the analysis keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// Intervals of single variables.
    Intervals,
    /// Values of single variables: intervals and congruences.
    Values,
    /// In addition, octagons and affine equalities between variables that occur together.
    Relations,
    /// The same, where it can be afforded between all integers of a procedure.
    AllRelations,
    /// In addition to relations in groups, linear inequalities between the variables of a group.
    Polyhedra,
}

/// A procedure's packs and thresholds.
#[derive(Default)]
pub(crate) struct Scope {
    pub(crate) packing: Packing,
    pub(crate) thresholds: Thresholds,
    /// How many times more often than usual widening stops at thresholds: bits of a counter are set one after the other, each in a later round.
    pub(crate) patience: u32,
    /// How many times the usual effort an arc costs.
    pub(crate) weight: u64,
}

/// A program with everything that its analysis needs.
pub struct Model<'p> {
    /// The program, with one edge per step.
    pub program: Cow<'p, Program>,
    pub(crate) space: Space,
    codes: SecondaryMap<Edge, Option<Box<Code>>>,
    scopes: FxHashMap<Procedure, Scope>,
    /// Globals and constants, sorted.
    shared: Vec<Dimension>,
    axioms: Vec<Code>,
    /// What nothing needs to be known about behind an edge.
    deaths: SecondaryMap<Edge, Vec<Dimension>>,
    /// Whether relating all integers would say more than their groups do, and can be afforded.
    grouped: bool,
    /// Whether some variables of a procedure are in different groups.
    divided: bool,
    /// Which variables have the dimension of another one.
    pub(crate) sharing: Sharing,
}

impl<'p> Model<'p> {
    /// Translates the edges of a program. Linear in its size.
    pub fn new(
        program: &'p Program,
        terms: &mut Terms,
        precision: Precision,
        budget: &Budget,
    ) -> Result<Model<'p>, Interrupted> {
        Model::of(Cow::Borrowed(program), terms, precision, budget)
    }

    /// The same, of a program that may belong to nobody else.
    pub(crate) fn of(
        program: Cow<'p, Program>,
        terms: &mut Terms,
        precision: Precision,
        budget: &Budget,
    ) -> Result<Model<'p>, Interrupted> {
        let mut space = Space::new(&program, terms, precision != Precision::Intervals);
        let mut codes: SecondaryMap<Edge, Option<Box<Code>>> = SecondaryMap::new();
        codes.resize(program.edges.len());
        let mut surveys: FxHashMap<Procedure, Survey> = FxHashMap::default();
        let begun = || Survey::into_parts(precision == Precision::Polyhedra);
        for edge in program.live_edges() {
            budget.check()?;
            let data = &program.edges[edge];
            let compiler = Compiler::new(&mut space, terms, &program.variables);
            let code = match &data.kind {
                EdgeKind::Internal(relation) => compiler.relation(relation),
                EdgeKind::Call(call) => compiler.call(call),
                EdgeKind::Return(returning) => {
                    let survey =
                        surveys.entry(program.locations[data.target].procedure).or_insert_with(begun);
                    survey.know(&space, returning.results.iter().map(|&(to, _)| Space::of_var(to)));
                    continue;
                }
            };
            let survey = surveys.entry(program.locations[data.source].procedure).or_insert_with(begun);
            survey.look_at(&space, &code);
            if let EdgeKind::Call(call) = &data.kind {
                // The parameters belong to the callee.
                survey.forget_assigned(&code);
                let callee = surveys.entry(call.callee).or_insert_with(begun);
                callee.know(&space, code.updates.iter().map(|(parameter, _)| *parameter));
            }
            codes[edge] = Some(Box::new(code));
        }
        let mut scopes: FxHashMap<Procedure, Scope> = FxHashMap::default();
        let mut procedures: Vec<Procedure> = program.locations.values().map(|data| data.procedure).collect();
        procedures.sort_unstable();
        procedures.dedup();
        let mut sizes: FxHashMap<Procedure, usize> = FxHashMap::default();
        for edge in program.live_edges() {
            *sizes.entry(program.locations[program.edges[edge].source].procedure).or_default() += 1;
        }
        let Lifetimes { mut deaths, vain, lives } = lifetimes::lifetimes(&program, terms);
        let mut sharing = Sharing::default();
        let mut is_grouped = false;
        let mut is_divided = false;
        for procedure in procedures {
            let survey = surveys.entry(procedure).or_default();
            let grouped = survey.grouped(&space, sizes.get(&procedure).copied().unwrap_or_default());
            is_grouped |= grouped.is_some();
            let all = grouped.filter(|_| precision == Precision::AllRelations);
            let packing = match precision {
                Precision::Intervals | Precision::Values => Packing::default(),
                Precision::Relations | Precision::AllRelations | Precision::Polyhedra => {
                    let packing = Packing::new(precision == Precision::Polyhedra);
                    let few = match precision {
                        Precision::Polyhedra => limits::POLYHEDRAL,
                        _ => all.unwrap_or(limits::FEW),
                    };
                    let (packing, packs) = survey.packing(&space, (packing, few), &lives);
                    packs.iter().flat_map(|slots| &slots.0).for_each(|slot| sharing.add(slot, &lives));
                    packing
                }
            };
            let patience = all.map_or(0, |integers| limits::ROUNDS_PER_INTEGER * integers as u32);
            let weight = all.map_or(1, |integers| (integers as u64 / limits::USUAL).pow(2));
            let weight = if precision == Precision::Polyhedra { limits::POLYHEDRA * weight } else { weight };
            is_divided |= packing.packs().iter().filter(|pack| pack.integers).nth(1).is_some();
            let mut thresholds = survey.thresholds();
            if !packing.has_polyhedra() {
                thresholds.forms.clear();
            }
            thresholds
                .forms
                .iter_mut()
                .for_each(|form| *form = form.renamed(|dimension| sharing.slot(dimension)));
            scopes.insert(procedure, Scope { packing, thresholds, patience, weight });
        }
        let axioms = program
            .axioms
            .iter()
            .map(|&axiom| Compiler::new(&mut space, terms, &program.variables).assume(axiom))
            .collect();
        let lasting = |kind: VarKind| matches!(kind, VarKind::Constant | VarKind::Global);
        let shared = program.variables.iter().filter(|(_, data)| lasting(data.kind));
        let shared = shared.map(|(var, _)| Space::of_var(var)).collect();
        if !sharing.is_empty() {
            let slot = |dimension| sharing.slot(dimension);
            for edge in program.live_edges() {
                if let Some(code) = &mut codes[edge] {
                    code.forget_updates(&vain[edge]);
                    **code = code.renamed(slot);
                }
                deaths[edge].iter_mut().for_each(|dimension| *dimension = slot(*dimension));
            }
        }
        Ok(Model {
            program,
            space,
            codes,
            scopes,
            shared,
            axioms,
            deaths,
            grouped: is_grouped,
            divided: is_divided,
            sharing,
        })
    }

    fn scope(&self, location: Location) -> &Scope {
        &self.scopes[&self.program.locations[location].procedure]
    }

    /// What an edge does, if it is in use.
    pub(crate) fn code(&self, edge: Edge) -> Option<&Code> {
        self.codes[edge].as_deref()
    }

    /// The operations on states at a location.
    pub fn domain(&self, location: Location) -> Domain<'_> {
        Domain { space: &self.space, packing: &self.scope(location).packing }
    }

    /// Whether relations between some integers of a procedure are not kept.
    pub(crate) fn is_divided(&self) -> bool {
        self.divided
    }

    /// Whether relating all integers would say more than their groups do, and can be afforded.
    pub fn is_grouped(&self) -> bool {
        self.grouped
    }

    /// The code of a formula that is assumed at some locations. Where a variable has no value there, nothing is.
    pub(crate) fn assumption(&mut self, formula: Term, at: &EntitySet<Location>, terms: &mut Terms) -> Code {
        let symbols = terms.free_symbols(formula);
        let mut variables = self.program.variables.of_symbols(&symbols).map(Space::of_var);
        let sharing = &self.sharing;
        let is_there = |variable: Dimension| {
            at.iter().all(|location| sharing.occupant(sharing.slot(variable), location) == Some(variable))
        };
        if !variables.all(is_there) {
            return Code::default();
        }
        let code = Compiler::new(&mut self.space, terms, &self.program.variables).assume(formula);
        code.renamed(|dimension| sharing.slot(dimension))
    }

    /// How many times the usual effort an arc to a location costs.
    pub(crate) fn weight(&self, location: Location) -> u64 {
        self.scope(location).weight
    }

    /// How many more times than usual widening stops at thresholds.
    pub(crate) fn patience(&self, location: Location) -> u32 {
        self.scope(location).patience
    }

    /// What widening stops at, at a location.
    pub fn thresholds(&self, location: Location) -> &Thresholds {
        &self.scope(location).thresholds
    }

    /// The states in which runs begin: everything that the axioms allow.
    pub fn initial(&self, location: Location) -> Result<State, Unreachable> {
        let domain = self.domain(location);
        self.axioms.iter().try_fold(State::default(), |state, axiom| domain.execute(axiom, &state))
    }

    /// The state after an internal edge or a call.
    pub fn step(&self, edge: Edge, state: &State) -> Result<State, Unreachable> {
        let data = &self.program.edges[edge];
        let code = self.codes[edge].as_ref().expect("edges in use are translated");
        match &data.kind {
            EdgeKind::Internal(_) => {
                let after = self.domain(data.source).execute(code, state)?;
                Ok(self.buried(edge, after))
            }
            EdgeKind::Call(_) => self.frames(edge).call(code, state),
            EdgeKind::Return(_) => unreachable!("a return has two states before it"),
        }
    }

    /// The state after a return: from the one at the exit of the callee and the one at the call.
    pub fn come_back(&self, edge: Edge, exit: &State, at_call: &State) -> Result<State, Unreachable> {
        let EdgeKind::Return(returning) = &self.program.edges[edge].kind else {
            unreachable!("only returns come back")
        };
        let code = self.codes[returning.call].as_ref().expect("the call of a return is in use");
        let results: Vec<(Dimension, Dimension)> = returning
            .results
            .iter()
            .map(|&(to, from)| (self.sharing.slot(Space::of_var(to)), Space::of_var(from)))
            .collect();
        let after = self.frames(returning.call).come_back(code, at_call, exit, &results)?;
        Ok(self.buried(edge, after))
    }

    /// The state behind an edge without what does not matter there any more.
    fn buried(&self, edge: Edge, mut state: State) -> State {
        let domain = self.domain(self.program.edges[edge].target);
        for &dimension in &self.deaths[edge] {
            domain.forget(&mut state, dimension);
        }
        state
    }

    fn frames(&self, call: Edge) -> Frames<'_> {
        let data = &self.program.edges[call];
        Frames { caller: self.domain(data.source), callee: self.domain(data.target), shared: &self.shared }
    }
}
