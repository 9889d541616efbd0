//! From a model of a transition to a convex set of transitions around it.
//!
//! A formula is a disjunction of very many conjunctions of linear constraints. [`cube`] takes the one that a model
//! chooses: of a disjunction a disjunct that holds, of a conditional term the branch that is taken, of a disequality the
//! side on which the model is. What is not linear becomes an unknown of its own: quotients and remainders by numbers with
//! the inequalities that define them, array elements with one unknown per element that the model tells apart, products
//! and the like with nothing known. So a cube may contain more than the formula allows, never less than the model.
//!
//! Linear in the size of the formula.

use logic::evaluate::Evaluator;
use logic::farkas::{Constraint, Relation};
use logic::{Integer, Linear, Model, Op, Rational, Sort, Term, Terms, Value};
use num_traits::{One, Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};

/// A convex set of transitions.
#[derive(Clone, Debug)]
pub struct Cube {
    /// The number of the transition in its component.
    pub transition: usize,
    /// What holds: linear constraints over unknowns, which are terms.
    pub constraints: Vec<Constraint>,
    /// Those of them that say something about features: the others share no unknown with these. Only these can matter
    /// to a rank, because there are values that satisfy the others.
    pub linked: Vec<Constraint>,
    /// The features where the transition begins.
    pub before: Vec<Linear>,
    /// The features where it ends.
    pub after: Vec<Linear>,
}

/// The features as terms of a formula.
#[derive(Clone, Copy)]
pub struct Features<'a> {
    /// Where the transition begins.
    pub before: &'a [Term],
    /// Where it ends.
    pub after: &'a [Term],
}

/// The cube of a model.
pub fn cube(
    transition: usize,
    formula: &[Term],
    features: Features<'_>,
    model: &Model,
    terms: &mut Terms,
) -> Option<Cube> {
    let mut maker = Maker {
        evaluator: Evaluator::new(model),
        terms,
        constraints: Vec::new(),
        said: FxHashSet::default(),
        elements: FxHashMap::default(),
        known: FxHashMap::default(),
    };
    for &conjunct in formula {
        maker.literal(conjunct, true)?;
    }
    let mut resolve = |features: &[Term]| -> Option<Vec<Linear>> {
        features.iter().map(|&feature| maker.number(feature)).collect()
    };
    let (before, after) = (resolve(features.before)?, resolve(features.after)?);
    let constraints = maker.constraints;
    let linked = linked(&constraints, before.iter().chain(&after));
    Some(Cube { transition, constraints, linked, before, after })
}

/// The constraints that are connected with the unknowns of some forms, directly or by others.
fn linked<'f>(constraints: &[Constraint], forms: impl Iterator<Item = &'f Linear>) -> Vec<Constraint> {
    let mut of_unknown: FxHashMap<Term, Vec<usize>> = FxHashMap::default();
    for (number, constraint) in constraints.iter().enumerate() {
        for &(unknown, _) in &constraint.form.monomials {
            of_unknown.entry(unknown).or_default().push(number);
        }
    }
    let mut pending: Vec<Term> =
        forms.flat_map(|form| form.monomials.iter().map(|&(term, _)| term)).collect();
    let mut kept = vec![false; constraints.len()];
    while let Some(unknown) = pending.pop() {
        for number in of_unknown.remove(&unknown).unwrap_or_default() {
            if !std::mem::replace(&mut kept[number], true) {
                pending.extend(constraints[number].form.monomials.iter().map(|&(term, _)| term));
            }
        }
    }
    let chosen = constraints.iter().zip(&kept).filter(|&(_, &kept)| kept);
    chosen.map(|(constraint, _)| constraint.clone()).collect()
}

struct Maker<'m> {
    evaluator: Evaluator<'m>,
    terms: &'m mut Terms,
    constraints: Vec<Constraint>,
    /// Literals that were already taken.
    said: FxHashSet<(Term, bool)>,
    /// The unknown of each array and index that the model tells apart.
    elements: FxHashMap<(Term, Value), (Term, Term)>,
    known: FxHashMap<Term, Linear>,
}

impl Maker<'_> {
    fn value(&mut self, term: Term) -> Option<Value> {
        self.evaluator.evaluate(self.terms, term).ok()
    }

    fn holds(&mut self, formula: Term) -> Option<bool> {
        Some(self.value(formula)?.is_true())
    }

    /// Takes what a formula, or its negation, says in the model.
    fn literal(&mut self, formula: Term, positive: bool) -> Option<()> {
        if !self.said.insert((formula, positive)) {
            return Some(());
        }
        let arguments = self.terms.args(formula).to_vec();
        match (self.terms.op(formula), positive) {
            (Op::Not, _) => self.literal(arguments[0], !positive),
            (Op::And, true) | (Op::Or, false) => {
                for argument in arguments {
                    self.literal(argument, positive)?;
                }
                Some(())
            }
            (Op::And, false) | (Op::Or, true) => {
                for argument in arguments {
                    if self.terms.has_quantifier(argument) {
                        continue;
                    }
                    if self.holds(argument)? == positive {
                        return self.literal(argument, positive);
                    }
                }
                Some(())
            }
            (Op::Ite, _) => {
                let condition = self.holds(arguments[0])?;
                self.literal(arguments[0], condition)?;
                self.literal(arguments[if condition { 1 } else { 2 }], positive)
            }
            (Op::Eq, _) if self.terms.sort_of(arguments[0]) == Sort::BOOL => {
                for argument in arguments {
                    let holds = self.holds(argument)?;
                    self.literal(argument, holds)?;
                }
                Some(())
            }
            (Op::Eq | Op::Le | Op::Lt, _) if self.terms.sort_of(arguments[0]).is_arithmetic() => {
                self.comparison(formula, arguments[0], arguments[1], positive)
            }
            _ => Some(()),
        }
    }

    fn comparison(&mut self, atom: Term, left: Term, right: Term, positive: bool) -> Option<()> {
        let integral = self.terms.sort_of(left) == Sort::INT;
        let (left_form, right_form) = (self.number(left)?, self.number(right)?);
        let difference = left_form.minus(&right_form);
        let negated = || {
            let mut form = difference.clone();
            form.scale(&-Rational::one());
            form
        };
        let less = |mut form: Linear| {
            if integral {
                form.constant += Rational::one();
                Constraint { form, relation: Relation::Le }
            } else {
                Constraint { form, relation: Relation::Lt }
            }
        };
        let constraint = match (self.terms.op(atom), positive) {
            (Op::Eq, true) => Constraint { form: difference, relation: Relation::Eq },
            (Op::Eq, false) => {
                let below = match (self.value(left)?, self.value(right)?) {
                    (Value::Int(a), Value::Int(b)) => a < b,
                    (Value::Real(a), Value::Real(b)) => a < b,
                    _ => return Some(()),
                };
                if below { less(difference) } else { less(negated()) }
            }
            (Op::Le, true) => Constraint { form: difference, relation: Relation::Le },
            (Op::Le, false) => less(negated()),
            (_, true) => Constraint { form: difference, relation: Relation::Lt },
            (_, false) => Constraint { form: negated(), relation: Relation::Le },
        };
        self.push(constraint);
        Some(())
    }

    fn push(&mut self, constraint: Constraint) {
        if !constraint.form.is_constant() && !self.constraints.contains(&constraint) {
            self.constraints.push(constraint);
        }
    }

    /// A number as a linear form over unknowns.
    fn number(&mut self, term: Term) -> Option<Linear> {
        if let Some(known) = self.known.get(&term) {
            return Some(known.clone());
        }
        let linear = self.terms.linear(term);
        let mut sum = Linear::constant(linear.constant);
        for (part, factor) in linear.monomials {
            let form = self.part(part)?;
            sum.add_scaled(&form, &factor);
        }
        self.known.insert(term, sum.clone());
        Some(sum)
    }

    /// A part of a sum.
    fn part(&mut self, part: Term) -> Option<Linear> {
        if let Some(known) = self.known.get(&part) {
            return Some(known.clone());
        }
        let arguments = self.terms.args(part).to_vec();
        let form = match self.terms.op(part) {
            Op::Ite => {
                let condition = self.holds(arguments[0])?;
                self.literal(arguments[0], condition)?;
                self.number(arguments[if condition { 1 } else { 2 }])?
            }
            Op::ToReal => self.number(arguments[0])?,
            Op::Div | Op::Mod => self.division(part, arguments[0], arguments[1])?,
            Op::Select => self.element(arguments[0], arguments[1])?,
            Op::BvToNat => {
                let width = self.terms.width(arguments[0]);
                let unknown = unknown(part);
                self.between(&unknown, Rational::from_integer(Integer::one() << width));
                unknown
            }
            Op::Mul => self.product(part, &arguments)?,
            _ => unknown(part),
        };
        self.known.insert(part, form.clone());
        Some(form)
    }

    /// `0 ≤ form < bound`
    fn between(&mut self, form: &Linear, bound: Rational) {
        let mut negative = form.clone();
        negative.scale(&-Rational::one());
        self.push(Constraint { form: negative, relation: Relation::Le });
        let mut above = form.clone();
        above.constant += Rational::one() - bound;
        self.push(Constraint { form: above, relation: Relation::Le });
    }

    /// A quotient or remainder by a number, with what defines both.
    fn division(&mut self, term: Term, dividend: Term, divisor: Term) -> Option<Linear> {
        let Some(number) = self.terms.as_number(divisor).cloned().filter(|number| !number.is_zero()) else {
            return Some(unknown(term));
        };
        let (quotient, remainder) = (self.terms.div(dividend, divisor), self.terms.modulo(dividend, divisor));
        let plain = |terms: &Terms, part: Term, op: Op| terms.op(part) == op;
        if !plain(self.terms, quotient, Op::Div) || !plain(self.terms, remainder, Op::Mod) {
            return Some(unknown(term));
        }
        let mut rest = self.number(dividend)?;
        rest.add_scaled(&unknown(quotient), &-number.clone());
        rest.add_scaled(&unknown(remainder), &-Rational::one());
        self.push(Constraint { form: rest, relation: Relation::Eq });
        self.between(&unknown(remainder), number.abs());
        Some(unknown(term))
    }

    /// A product with a factor whose value is the same number in the whole cube.
    fn product(&mut self, term: Term, factors: &[Term]) -> Option<Linear> {
        let mut constant = Rational::one();
        let mut left = None;
        for &factor in factors {
            let form = self.number(factor)?;
            match (form.is_constant(), &left) {
                (true, _) => constant *= form.constant,
                (false, None) => left = Some(form),
                (false, Some(_)) => return Some(unknown(term)),
            }
        }
        let mut form = left.unwrap_or_else(|| Linear::constant(Rational::one()));
        form.scale(&constant);
        Some(form)
    }

    /// An array element: what was stored there, or the unknown of the element.
    fn element(&mut self, array: Term, index: Term) -> Option<Linear> {
        let mut array = array;
        let at = self.value(index)?;
        loop {
            let arguments = self.terms.args(array).to_vec();
            match self.terms.op(array) {
                Op::Store => {
                    let same = self.value(arguments[1])? == at;
                    self.indices(index, arguments[1], same)?;
                    if same {
                        return self.number(arguments[2]);
                    }
                    array = arguments[0];
                }
                Op::Ite => {
                    let condition = self.holds(arguments[0])?;
                    self.literal(arguments[0], condition)?;
                    array = arguments[if condition { 1 } else { 2 }];
                }
                Op::ConstArray(_) => return self.number(arguments[0]),
                _ => break,
            }
        }
        let (element, first) = match self.elements.get(&(array, at.clone())) {
            Some(&known) => known,
            None => {
                let element = self.terms.select(array, index);
                self.elements.insert((array, at), (element, index));
                (element, index)
            }
        };
        self.indices(index, first, true)?;
        Some(unknown(element))
    }

    /// Two indices are the same, or not.
    fn indices(&mut self, left: Term, right: Term, same: bool) -> Option<()> {
        let equal = self.terms.eq(left, right);
        self.literal(equal, same)
    }
}

fn unknown(term: Term) -> Linear {
    Linear { monomials: vec![(term, Rational::one())], constant: Rational::zero() }
}
