//! The dimensions of a program's states, and which of them are related to each other.
//!
//! Dimensions are dense: variables come first, in their order; auxiliary constants and parts of terms that are not
//! linear get numbers when they are met. Relations are kept only within packs: small groups of variables that occur
//! together in guards and assignments. Every dimension is in at most one pack of a procedure.

use crate::form::{Dimension, Form};
use crate::interval::Interval;
use crate::value::{Kind, Value};
use base::EntityRef;
use logic::{Sort, SortData, Term, Terms};
use program::{Program, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// All dimensions.
pub struct Space {
    kinds: Vec<Kind>,
    scalars: Vec<bool>,
    terms: Vec<Term>,
    by_term: FxHashMap<Term, Dimension>,
    variables: usize,
    tops: [Value; 4],
    strides: bool,
    /// What the elements of arrays are assumed to be (`contents`).
    assumed: FxHashMap<Dimension, Value>,
}

impl Space {
    /// One dimension for every variable of the program. Without `strides`, values are intervals only.
    pub fn new(program: &Program, terms: &mut Terms, strides: bool) -> Space {
        let tops = [Kind::Int, Kind::Real, Kind::Bool, Kind::Other].map(Value::top);
        let mut space = Space {
            kinds: Vec::new(),
            scalars: Vec::new(),
            terms: Vec::new(),
            by_term: FxHashMap::default(),
            variables: 0,
            tops,
            strides,
            assumed: FxHashMap::default(),
        };
        for (var, data) in program.variables.iter() {
            let term = terms.constant(data.symbol);
            let dimension = space.of_term(term, terms);
            debug_assert_eq!(dimension, Space::of_var(var));
        }
        space.variables = space.kinds.len();
        space
    }

    /// The dimension of a variable.
    pub fn of_var(var: Var) -> Dimension {
        Dimension::new(var.index())
    }

    /// The variable of a dimension, if it has one.
    pub fn var(&self, dimension: Dimension) -> Option<Var> {
        (dimension.index() < self.variables).then(|| Var::new(dimension.index()))
    }

    /// The dimension of a term, which is no number and not linear.
    pub fn of_term(&mut self, term: Term, terms: &Terms) -> Dimension {
        if let Some(&known) = self.by_term.get(&term) {
            return known;
        }
        let dimension = Dimension::new(self.kinds.len());
        self.kinds.push(kind_of(terms, terms.sort_of(term)));
        self.scalars.push(terms.array_parts(terms.sort_of(term)).is_none());
        self.terms.push(term);
        self.by_term.insert(term, dimension);
        dimension
    }

    /// The dimension of a term, if it has one.
    pub fn known(&self, term: Term) -> Option<Dimension> {
        self.by_term.get(&term).copied()
    }

    /// Is it a variable of the program?
    pub fn is_variable(&self, dimension: Dimension) -> bool {
        dimension.index() < self.variables
    }

    /// Facts about a variable are said about a term that has its value.
    pub fn say(&mut self, var: Var, term: Term) {
        self.terms[Space::of_var(var).index()] = term;
    }

    /// Elements of arrays are assumed to be within these bounds wherever they are read.
    pub(crate) fn assume_contents(&mut self, bounds: &BTreeMap<Var, Interval>) {
        for (&var, bounds) in bounds {
            let array = Space::of_var(var);
            if let Some(value) = Value::of_interval(bounds.clone(), self.kind(array)) {
                self.assumed.insert(array, value);
            }
        }
    }

    /// What the elements of an array are assumed to be.
    pub(crate) fn assumed(&self, array: Dimension) -> Option<&Value> {
        self.assumed.get(&array)
    }

    /// The term of a dimension.
    pub fn term(&self, dimension: Dimension) -> Term {
        self.terms[dimension.index()]
    }

    /// What kind of numbers a dimension has; for an array, its elements.
    pub fn kind(&self, dimension: Dimension) -> Kind {
        self.kinds[dimension.index()]
    }

    /// Is it a number and not the elements of an array?
    pub fn is_scalar(&self, dimension: Dimension) -> bool {
        self.scalars[dimension.index()]
    }

    /// Are congruences kept?
    pub fn has_strides(&self) -> bool {
        self.strides
    }

    /// All values of a dimension.
    pub fn top(&self, dimension: Dimension) -> &Value {
        &self.tops[match self.kind(dimension) {
            Kind::Int => 0,
            Kind::Real => 1,
            Kind::Bool => 2,
            Kind::Other => 3,
        }]
    }

    /// Has a form only integer values?
    pub fn is_integral(&self, form: &Form) -> bool {
        form.constant.is_integer()
            && form.has_integer_coefficients()
            && form
                .monomials
                .iter()
                .all(|(dimension, _)| matches!(self.kind(*dimension), Kind::Int | Kind::Bool))
    }
}

/// The kind of a sort; for an array, of what it holds in the end.
fn kind_of(terms: &Terms, mut sort: Sort) -> Kind {
    loop {
        match terms.sort_data(sort) {
            SortData::Bool => return Kind::Bool,
            SortData::Int => return Kind::Int,
            SortData::Real => return Kind::Real,
            SortData::Array { element, .. } => sort = *element,
            SortData::BitVec(_) | SortData::Uninterpreted(_) => return Kind::Other,
        }
    }
}

/// The packs of a procedure.
#[derive(Clone, Debug, Default)]
pub struct Packing {
    packs: Vec<Pack>,
    places: FxHashMap<Dimension, Place>,
    polyhedra: bool,
}

/// Where a dimension is.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The number of its pack.
    pub pack: usize,
    /// Its position there.
    pub position: usize,
}

/// Dimensions between which relations are kept.
#[derive(Clone, Debug)]
pub struct Pack {
    /// The dimensions, all of one kind.
    pub dimensions: Vec<Dimension>,
    /// Are they integers? Reals have equalities, but no octagon.
    pub integers: bool,
    /// Is a polyhedron kept?
    pub polyhedra: bool,
}

impl Packing {
    /// No packs yet; whether polyhedra shall be kept for them.
    pub fn new(polyhedra: bool) -> Packing {
        Packing { polyhedra, ..Packing::default() }
    }

    /// Are polyhedra kept?
    pub fn has_polyhedra(&self) -> bool {
        self.polyhedra
    }

    /// Adds a pack.
    pub fn add(&mut self, dimensions: Vec<Dimension>, integers: bool) {
        for (position, &dimension) in dimensions.iter().enumerate() {
            self.places.insert(dimension, Place { pack: self.packs.len(), position });
        }
        self.packs.push(Pack { dimensions, integers, polyhedra: self.polyhedra });
    }

    /// The packs.
    pub fn packs(&self) -> &[Pack] {
        &self.packs
    }

    /// Where a dimension is, if it is in a pack.
    pub fn place(&self, dimension: Dimension) -> Option<Place> {
        if self.packs.is_empty() { None } else { self.places.get(&dimension).copied() }
    }
}
