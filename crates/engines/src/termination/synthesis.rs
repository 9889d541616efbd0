//! Ranks for cubes, by linear programming (Podelski and Rybalchenko, VMCAI 2004; Leike and Heizmann, "Ranking Templates
//! for Linear Loops", TACAS 2014).
//!
//! A rank is an affine combination of features, with coefficients of its own for every class. That a cube implies an
//! inequality between ranks is, by the lemma of Farkas, a linear condition on the coefficients and on factors of the cube's
//! constraints. So all conditions together are one linear program, which the solver answers exactly.
//!
//! [`synthesise`] looks, level by level, for
//!
//! 1. one affine rank that all cubes decrease;
//! 2. one that no cube increases and some decrease: the others are left for the next level (lexicographic ranks, Bradley,
//!    Manna and Sipma, CAV 2005; Alias, Darte, Feautrier and Gonnord, SAS 2010);
//! 3. a nested rank of two to five affine parts that all cubes decrease; its parts, cut off at zero, are levels;
//! 4. a nested rank of two or three parts that some cubes decrease, and no part of which the others increase: these are
//!    left for the next level.
//!
//! What comes out is exact for the cubes; whether it fits the transitions is for the caller to check.

use super::cubes::Cube;
use super::limits;
use crate::context::Context;
use crate::horn::Class;
use base::Interrupted;
use logic::farkas::Relation;
use logic::{Integer, Linear, Rational, Sort, Term, Terms, Value};
use num_integer::Integer as _;
use num_traits::{One, Zero};
use smt::{Answer, Solver};
use std::collections::BTreeMap;

/// An affine combination of the features of each class.
#[derive(Clone, Debug)]
pub struct Affine {
    /// For each class of the component the coefficients and the constant, as integers.
    pub of_class: BTreeMap<Class, (Vec<Integer>, Integer)>,
}

/// An entry of a rank.
#[derive(Clone, Debug)]
pub enum Entry {
    /// An affine rank.
    Plain(Affine),
    /// One more than an affine rank where that is not negative, and zero elsewhere.
    Clamped(Affine),
}

/// The classes of a transition.
#[derive(Clone, Copy)]
pub struct Ends {
    /// Where it begins.
    pub source: Class,
    /// Where it ends.
    pub target: Class,
}

/// What is to be ranked.
pub struct Problem<'a> {
    /// The cubes.
    pub cubes: &'a [Cube],
    /// The ends of the transition of each cube.
    pub ends: Vec<Ends>,
    /// How many features each class has.
    pub features: &'a BTreeMap<Class, usize>,
}

/// What came out.
pub enum Ranks {
    /// Entries that decrease together.
    Found(Vec<Entry>),
    /// No rank was found that any of these cubes decreases.
    Stuck(Vec<usize>),
}

/// Entries for all cubes.
pub fn synthesise(context: &mut Context<'_>, problem: &Problem<'_>) -> Result<Ranks, Interrupted> {
    let mut left: Vec<usize> = (0..problem.cubes.len()).collect();
    let mut entries = Vec::new();
    while !left.is_empty() {
        if entries.len() >= limits::MOST_LEVELS {
            return Ok(Ranks::Stuck(left));
        }
        if let Some(affine) = all_decrease(context, problem, &left)? {
            entries.push(Entry::Plain(affine));
            break;
        }
        if let Some((affine, decreased)) = some_decrease(context, problem, &left)? {
            entries.push(Entry::Plain(affine));
            left.retain(|cube| !decreased.contains(cube));
            continue;
        }
        match nested(context, problem, &left)? {
            Some(parts) => {
                entries.extend(parts.into_iter().map(Entry::Clamped));
                break;
            }
            None => match nested_for_some(context, problem, &left)? {
                Some(NestedForSome { parts, decreased }) => {
                    entries.extend(parts.into_iter().map(Entry::Clamped));
                    left.retain(|cube| !decreased.contains(cube));
                }
                None => return Ok(Ranks::Stuck(left)),
            },
        }
    }
    Ok(Ranks::Found(entries))
}

/// An affine rank that all these cubes decrease.
fn all_decrease(
    context: &mut Context<'_>,
    problem: &Problem<'_>,
    left: &[usize],
) -> Result<Option<Affine>, Interrupted> {
    let mut program = LinearProgram::new(context);
    let template = program.template(problem, context.terms);
    for &cube in left {
        let mut decrease = Form::decrease(problem, cube, &template, context.terms);
        decrease.constant = decrease.less(context.terms, 1);
        program.imply(&problem.cubes[cube], decrease, None, context.terms);
        let bound = Form::at_source(problem, cube, &template, context.terms);
        program.imply(&problem.cubes[cube], bound, None, context.terms);
    }
    Ok(program.solve(context)?.map(|model| template.values(&model, context.terms)))
}

/// An affine rank that none of these cubes increases, and which cubes decrease it: as many as were found.
fn some_decrease(
    context: &mut Context<'_>,
    problem: &Problem<'_>,
    left: &[usize],
) -> Result<Option<(Affine, Vec<usize>)>, Interrupted> {
    if left.len() == 1 {
        // It would decrease all of them.
        return Ok(None);
    }
    let mut program = LinearProgram::new(context);
    let template = program.template(problem, context.terms);
    let mut switches = Vec::with_capacity(left.len());
    for &cube in left {
        let symbol = context.terms.fresh_symbol("decreases", Sort::BOOL);
        let switch = context.terms.constant(symbol);
        switches.push((cube, symbol, switch));
        let mut decrease = Form::decrease(problem, cube, &template, context.terms);
        let (one, zero) = (context.terms.real(Rational::one()), context.terms.real(Rational::zero()));
        let least = context.terms.ite(switch, one, zero);
        decrease.constant = context.terms.sub(decrease.constant, least);
        program.imply(&problem.cubes[cube], decrease, None, context.terms);
        let bound = Form::at_source(problem, cube, &template, context.terms);
        program.imply(&problem.cubes[cube], bound, Some(switch), context.terms);
    }
    let mut best = None;
    let mut decreased: Vec<usize> = Vec::new();
    loop {
        // One more than those that are known to decrease.
        let more: Vec<Term> = switches
            .iter()
            .filter(|(cube, ..)| !decreased.contains(cube))
            .map(|&(_, _, switch)| switch)
            .collect();
        let more = context.terms.or(more);
        program.session.assert(context.terms, more);
        let Some(model) = program.solve(context)? else { break };
        for &(cube, symbol, switch) in &switches {
            if !decreased.contains(&cube) && model.value(context.terms, symbol).is_true() {
                decreased.push(cube);
                program.session.assert(context.terms, switch);
            }
        }
        best = Some(template.values(&model, context.terms));
        if decreased.len() == left.len() {
            break;
        }
    }
    Ok(best.map(|affine| (affine, decreased)))
}

/// The parts of a nested rank that all these cubes decrease.
fn nested(
    context: &mut Context<'_>,
    problem: &Problem<'_>,
    left: &[usize],
) -> Result<Option<Vec<Affine>>, Interrupted> {
    for parts in 2..=limits::MOST_PARTS {
        let mut program = LinearProgram::new(context);
        program.session.set_rlimit(Some(limits::NESTED_RLIMIT));
        let templates: Vec<Template> = (0..parts).map(|_| program.template(problem, context.terms)).collect();
        for &cube in left {
            program.nest(problem, cube, &templates, None, context.terms);
        }
        if let Some(model) = program.solve(context)? {
            return Ok(Some(by_one_factor(&templates, &model, context.terms)));
        }
    }
    Ok(None)
}

/// A nested rank that some cubes decrease.
struct NestedForSome {
    parts: Vec<Affine>,
    decreased: Vec<usize>,
}

/// The parts of a nested rank that some of these cubes decrease, and which: no other cube increases any of the parts.
fn nested_for_some(
    context: &mut Context<'_>,
    problem: &Problem<'_>,
    left: &[usize],
) -> Result<Option<NestedForSome>, Interrupted> {
    if left.len() < 2 || left.len() > limits::MOST_CUBES_TO_CHOOSE {
        return Ok(None);
    }
    for parts in 2..=limits::MOST_PARTS_FOR_SOME {
        let mut program = LinearProgram::new(context);
        program.session.set_rlimit(Some(limits::NESTED_RLIMIT));
        let templates: Vec<Template> = (0..parts).map(|_| program.template(problem, context.terms)).collect();
        let mut switches = Vec::with_capacity(left.len());
        for &cube in left {
            let symbol = context.terms.fresh_symbol("decreases", Sort::BOOL);
            let switch = context.terms.constant(symbol);
            switches.push((cube, symbol, switch));
            program.nest(problem, cube, &templates, Some(switch), context.terms);
            let stays = context.terms.not(switch);
            for template in &templates {
                let decrease = Form::decrease(problem, cube, template, context.terms);
                program.imply(&problem.cubes[cube], decrease, Some(stays), context.terms);
            }
        }
        let some = context.terms.or(switches.iter().map(|&(_, _, switch)| switch).collect::<Vec<_>>());
        program.session.assert(context.terms, some);
        if let Some(model) = program.solve(context)? {
            let decreases = |&&(_, symbol, _): &&(usize, logic::Symbol, Term)| {
                model.value(context.terms, symbol).is_true()
            };
            let decreased = switches.iter().filter(decreases).map(|&(cube, ..)| cube).collect();
            let parts = by_one_factor(&templates, &model, context.terms);
            return Ok(Some(NestedForSome { parts, decreased }));
        }
    }
    Ok(None)
}

/// The parts of a nested rank: all by one factor, or they would not nest.
fn by_one_factor(templates: &[Template], model: &logic::Model, terms: &Terms) -> Vec<Affine> {
    let scale = templates
        .iter()
        .fold(Integer::one(), |scale, template| scale.lcm(&template.denominator(model, terms)));
    templates.iter().map(|template| template.scaled(model, &scale, terms)).collect()
}

/// Unknown coefficients and an unknown constant for every class.
struct Template {
    of_class: BTreeMap<Class, (Vec<Term>, Term)>,
}

impl Template {
    fn values(&self, model: &logic::Model, terms: &Terms) -> Affine {
        let scale = self.denominator(model, terms);
        self.scaled(model, &scale, terms)
    }

    /// The least common denominator of all coefficients.
    fn denominator(&self, model: &logic::Model, terms: &Terms) -> Integer {
        let all =
            self.of_class.values().flat_map(|(coefficients, constant)| coefficients.iter().chain([constant]));
        all.fold(Integer::one(), |scale, &unknown| scale.lcm(value(model, unknown, terms).denom()))
    }

    fn scaled(&self, model: &logic::Model, scale: &Integer, terms: &Terms) -> Affine {
        let number = |unknown: Term| {
            let scaled = value(model, unknown, terms) * Rational::from_integer(scale.clone());
            scaled.to_integer()
        };
        let of_class = self
            .of_class
            .iter()
            .map(|(&class, (coefficients, constant))| {
                let coefficients = coefficients.iter().map(|&unknown| number(unknown)).collect();
                (class, (coefficients, number(*constant)))
            })
            .collect();
        Affine { of_class }
    }
}

fn value(model: &logic::Model, unknown: Term, terms: &Terms) -> Rational {
    match terms.as_symbol(unknown).map(|symbol| model.value(terms, symbol)) {
        Some(Value::Real(value)) => value,
        _ => Rational::zero(),
    }
}

/// A linear form over the unknowns of a cube, whose coefficients are terms over the unknowns of the linear program.
struct Form {
    coefficients: BTreeMap<Term, Term>,
    constant: Term,
}

impl Form {
    /// The rank where a cube begins.
    fn at_source(problem: &Problem<'_>, cube: usize, template: &Template, terms: &mut Terms) -> Form {
        let (coefficients, constant) = &template.of_class[&problem.ends[cube].source];
        Form::of(coefficients, *constant, &problem.cubes[cube].before, terms)
    }

    /// How much the rank sinks.
    fn decrease(problem: &Problem<'_>, cube: usize, template: &Template, terms: &mut Terms) -> Form {
        let (coefficients, constant) = &template.of_class[&problem.ends[cube].target];
        let after = Form::of(coefficients, *constant, &problem.cubes[cube].after, terms);
        let mut form = Form::at_source(problem, cube, template, terms);
        for (unknown, coefficient) in after.coefficients {
            let negative = terms.neg(coefficient);
            form.add(unknown, negative, terms);
        }
        form.constant = terms.sub(form.constant, after.constant);
        form
    }

    fn of(coefficients: &[Term], constant: Term, features: &[Linear], terms: &mut Terms) -> Form {
        let mut parts: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
        let mut constants = vec![constant];
        for (&coefficient, feature) in coefficients.iter().zip(features) {
            for (unknown, factor) in &feature.monomials {
                parts.entry(*unknown).or_default().push(terms.scaled(coefficient, factor));
            }
            if !feature.constant.is_zero() {
                constants.push(terms.scaled(coefficient, &feature.constant));
            }
        }
        let coefficients = parts.into_iter().map(|(unknown, parts)| (unknown, terms.add(&parts))).collect();
        Form { coefficients, constant: terms.add(&constants) }
    }

    fn add(&mut self, unknown: Term, coefficient: Term, terms: &mut Terms) {
        let sum = match self.coefficients.get(&unknown) {
            Some(&present) => terms.add(&[present, coefficient]),
            None => coefficient,
        };
        self.coefficients.insert(unknown, sum);
    }

    fn plus(mut self, other: &Form, terms: &mut Terms) -> Form {
        for (&unknown, &coefficient) in &other.coefficients {
            self.add(unknown, coefficient, terms);
        }
        self.constant = terms.add(&[self.constant, other.constant]);
        self
    }

    /// The constant less a number.
    fn less(&self, terms: &mut Terms, number: i64) -> Term {
        let number = terms.real(Rational::from_integer(number.into()));
        terms.sub(self.constant, number)
    }
}

/// A linear program in the making.
struct LinearProgram {
    session: Box<dyn Solver>,
}

impl LinearProgram {
    fn new(context: &Context<'_>) -> LinearProgram {
        let mut session = context.session();
        session.set_rlimit(Some(limits::RANK_RLIMIT));
        LinearProgram { session }
    }

    fn template(&mut self, problem: &Problem<'_>, terms: &mut Terms) -> Template {
        let mut unknown = || {
            let symbol = terms.fresh_symbol("coefficient", Sort::REAL);
            terms.constant(symbol)
        };
        let of_class = problem
            .features
            .iter()
            .map(|(&class, &count)| (class, ((0..count).map(|_| unknown()).collect(), unknown())))
            .collect();
        Template { of_class }
    }

    /// The cube decreases the nested rank: each part, together with the one before it, sinks, and the last is not
    /// negative. Only demanded where the condition holds, if there is one.
    fn nest(
        &mut self,
        problem: &Problem<'_>,
        cube: usize,
        templates: &[Template],
        condition: Option<Term>,
        terms: &mut Terms,
    ) {
        for (part, template) in templates.iter().enumerate() {
            let mut sinks = Form::decrease(problem, cube, template, terms);
            if part > 0 {
                let before = Form::at_source(problem, cube, &templates[part - 1], terms);
                sinks = sinks.plus(&before, terms);
            }
            sinks.constant = sinks.less(terms, 1);
            self.imply(&problem.cubes[cube], sinks, condition, terms);
        }
        if let Some(last) = templates.last() {
            let bound = Form::at_source(problem, cube, last, terms);
            self.imply(&problem.cubes[cube], bound, condition, terms);
        }
    }

    /// The cube implies that the form is not negative: it is a sum of what the cube says is not negative, with factors
    /// that are not, and something that is not. Only demanded where the condition holds, if there is one.
    fn imply(&mut self, cube: &Cube, form: Form, condition: Option<Term>, terms: &mut Terms) {
        let zero = terms.real(Rational::zero());
        let mut demands = Vec::new();
        let mut sums: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
        for (unknown, coefficient) in form.coefficients {
            sums.entry(unknown).or_default().push(coefficient);
        }
        // A constraint says `l ≤ 0`, so what is not negative is `-l`; the sum of both sides is zero.
        let mut constants = vec![form.constant];
        for constraint in &cube.linked {
            let symbol = terms.fresh_symbol("factor", Sort::REAL);
            let factor = terms.constant(symbol);
            if constraint.relation != Relation::Eq {
                demands.push(terms.ge(factor, zero));
            }
            for (unknown, number) in &constraint.form.monomials {
                sums.entry(*unknown).or_default().push(terms.scaled(factor, number));
            }
            if !constraint.form.constant.is_zero() {
                constants.push(terms.scaled(factor, &constraint.form.constant));
            }
        }
        for sum in sums.into_values() {
            let sum = terms.add(&sum);
            demands.push(terms.eq(sum, zero));
        }
        let rest = terms.add(&constants);
        demands.push(terms.ge(rest, zero));
        let all = terms.and(demands);
        let demand = match condition {
            Some(condition) => terms.implies(condition, all),
            None => all,
        };
        self.session.assert(terms, demand);
    }

    fn solve(&mut self, context: &mut Context<'_>) -> Result<Option<logic::Model>, Interrupted> {
        let answer = self.session.check(context.terms);
        context.budget.check()?;
        if answer != Answer::Sat {
            return Ok(None);
        }
        Ok(self.session.model(context.terms).ok())
    }
}
