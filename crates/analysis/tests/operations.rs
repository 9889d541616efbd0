//! Every operation of the domains against sampled concrete states.
//!
//! An abstract state is made from concrete ones: their join contains them all. What an operation does to members must
//! come out among the members of its result. Membership is decided by evaluating the formulas of a state, so those are
//! tested as well.

use analysis::code::{Code, Compiler};
use analysis::congruence::Congruence;
use analysis::form::Form;
use analysis::interval::Interval;
use analysis::octagon::{Octagon, Signed};
use analysis::operations::Comparison;
use analysis::space::{Packing, Space};
use analysis::state::{Domain, State, Thresholds};
use analysis::value::{Kind, Value};
use logic::evaluate::{euclidean, evaluate, holds};
use logic::{Integer, Model, Rational, Sort, Term, Terms};
use program::variables::VarData;
use program::{Program, Relation, Var, VarKind};
use proptest::prelude::*;

const VARIABLES: usize = 4;
type Point = [i64; VARIABLES];

fn number(value: i64) -> Rational {
    Rational::from_integer(value.into())
}

fn value_of(members: &[i64]) -> Value {
    let points = members.iter().map(|&member| Value::point(number(member)));
    points.reduce(|left, right| left.join(&right, Kind::Int)).expect("there are members")
}

fn small() -> impl Strategy<Value = i64> {
    prop_oneof![-3i64..4, -40i64..40, Just(1 << 32), Just(-(1 << 32))]
}

fn members() -> impl Strategy<Value = Vec<i64>> {
    proptest::collection::vec(small(), 1..5)
}

fn points() -> impl Strategy<Value = Vec<Point>> {
    proptest::collection::vec(proptest::array::uniform4(small()), 1..5)
}

/// A program without edges, of four integer variables.
struct Fixture {
    program: Program,
    terms: Terms,
    space: Space,
    packing: Packing,
}

impl Fixture {
    fn new() -> Fixture {
        let mut terms = Terms::new();
        let mut program = Program::default();
        for index in 0..VARIABLES {
            let symbol = terms.symbol(&format!("x{index}"), Sort::INT);
            let kind = VarKind::Global;
            program.variables.add(VarData { name: format!("x{index}"), symbol, kind, source: None });
        }
        let space = Space::new(&program, &mut terms, true);
        let mut packing = Packing::default();
        packing.add(program.variables.iter().map(|(var, _)| Space::of_var(var)).collect(), true);
        Fixture { program, terms, space, packing }
    }

    fn domain(&self) -> Domain<'_> {
        Domain { space: &self.space, packing: &self.packing }
    }

    fn var(&self, index: usize) -> Var {
        self.program.variables.iter().nth(index).expect("a variable").0
    }

    fn point(&self, point: &Point) -> State {
        let domain = self.domain();
        let mut state = State::default();
        for (index, &value) in point.iter().enumerate() {
            let form = Form::constant(number(value));
            domain.assign(&mut state, Space::of_var(self.var(index)), &form).expect("a point is reachable");
        }
        state
    }

    fn state(&self, members: &[Point]) -> State {
        let domain = self.domain();
        let states = members.iter().map(|member| self.point(member));
        states.reduce(|left, right| domain.join(&left, &right)).expect("there are members")
    }

    fn model(&self, point: &Point) -> Model {
        let mut model = Model::new();
        for (index, &value) in point.iter().enumerate() {
            let symbol = self.program.variables[self.var(index)].symbol;
            model.set(symbol, logic::Value::Int(value.into()));
        }
        model
    }

    /// Is a concrete state a member? The formulas are asked.
    fn contains(&mut self, state: &State, point: &Point) -> bool {
        let model = self.model(point);
        let domain = Domain { space: &self.space, packing: &self.packing };
        let name = |dimension| Some(self.space.term(dimension));
        let formulas = analysis::facts::state_conjuncts(&domain, state, &mut self.terms, name);
        formulas.into_iter().all(|formula| holds(&mut self.terms, &model, formula) == Ok(true))
    }

    fn term(&mut self, recipe: &[u8]) -> Term {
        let mut stack: Vec<Term> = Vec::new();
        for &byte in recipe {
            let (operator, operand) = (byte % 9, i64::from(byte / 9 % 8));
            let right = stack.pop();
            let term = match (operator, right) {
                (0 | 1, _) | (_, None) => {
                    stack.extend(right);
                    let index = operand as usize % VARIABLES;
                    let var = self.var(index);
                    self.program.variables.term(&mut self.terms, var)
                }
                (2, Some(term)) => {
                    let constant = self.terms.int(operand - 3);
                    self.terms.add(&[term, constant])
                }
                (3, Some(term)) => {
                    let divisor = self.terms.int([2i64, 3, -4, 1 << 32][operand as usize % 4]);
                    self.terms.modulo(term, divisor)
                }
                (4, Some(term)) => {
                    let divisor = self.terms.int([2, 3, -4, 10][operand as usize % 4]);
                    self.terms.div(term, divisor)
                }
                (5, Some(term)) => self.terms.scaled(term, &number(operand - 3)),
                (6, Some(term)) => match stack.pop() {
                    Some(left) => self.terms.sub(left, term),
                    None => self.terms.neg(term),
                },
                (7, Some(term)) => match stack.pop() {
                    Some(left) => self.terms.mul(&[left, term]),
                    None => term,
                },
                (_, Some(term)) => {
                    let zero = self.terms.int(operand - 3);
                    let condition = self.terms.le(term, zero);
                    let otherwise = stack.pop().unwrap_or(zero);
                    self.terms.ite(condition, term, otherwise)
                }
            };
            stack.push(term);
        }
        match stack.len() {
            0 => self.terms.int(0),
            _ => self.terms.add(&stack),
        }
    }

    fn formula(&mut self, recipe: &[u8], shape: u8) -> Term {
        let zero = self.terms.int(i64::from(shape / 8 % 5) - 2);
        let (front, back) = recipe.split_at(recipe.len() / 2);
        let (left, right) = (self.term(front), self.term(back));
        match shape % 8 {
            0 => self.terms.le(left, right),
            1 => self.terms.eq(left, zero),
            2 => {
                let equal = self.terms.eq(left, right);
                self.terms.not(equal)
            }
            3 => {
                let parts = [self.terms.le(left, zero), self.terms.le(zero, right)];
                self.terms.or(parts)
            }
            4 => {
                let parts = [self.terms.lt(left, right), self.terms.lt(zero, right)];
                self.terms.and(parts)
            }
            5 => {
                let (first, second) = (self.terms.le(left, zero), self.terms.le(right, zero));
                self.terms.eq(first, second)
            }
            6 => self.terms.lt(left, right),
            _ => self.terms.eq(left, right),
        }
    }

    fn code(&mut self, relation: &Relation) -> Code {
        Compiler::new(&mut self.space, &mut self.terms, &self.program.variables).relation(relation)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn intervals_and_congruences(left in members(), right in members(), by in 1i64..12, factor in -4i64..5) {
        let (a, b) = (value_of(&left), value_of(&right));
        let divisor = Integer::from(by);
        for &x in &left {
            prop_assert!(a.contains(&number(x)));
            prop_assert!(a.join(&b, Kind::Int).contains(&number(x)));
            prop_assert!(b.join(&a, Kind::Int).contains(&number(x)));
            prop_assert!(b.widen(&a.join(&b, Kind::Int), &[number(0), number(50)], Kind::Int).contains(&number(x)));
            let (quotient, remainder) = euclidean(&x.into(), &divisor);
            prop_assert!(a.modulo(&divisor).contains(&remainder.into()));
            prop_assert!(a.divide_by(&divisor).contains(&quotient.into()));
            prop_assert!(a.interval.scale(&number(factor)).contains(&number(factor * x)));
            prop_assert!(a.congruence().scale(&factor.into()).contains(&(factor * x).into()));
            for &y in &right {
                let product = Integer::from(x) * y;
                prop_assert!(a.multiply(&b, Kind::Int).contains(&product.into()));
                prop_assert!(a.interval.add(&b.interval).contains(&number(x + y)));
                prop_assert!(a.congruence().add(&b.congruence()).contains(&(x + y).into()));
                if x == y {
                    let met = a.meet(&b, Kind::Int);
                    prop_assert!(met.is_some_and(|met| met.contains(&number(x))));
                }
            }
        }
        prop_assert!(a.is_in(&a.join(&b, Kind::Int)) && b.is_in(&a.join(&b, Kind::Int)));
        if a.is_in(&b) {
            prop_assert!(left.iter().all(|&x| b.contains(&number(x))));
        }
    }

    #[test]
    fn a_meet_of_congruences_is_exact(m in 1i64..20, r in 0i64..20, n in 1i64..20, s in 0i64..20) {
        let (a, b) = (Congruence::new(m.into(), r.into()), Congruence::new(n.into(), s.into()));
        let met = a.meet(&b);
        for x in -400i64..400 {
            let both = a.contains(&x.into()) && b.contains(&x.into());
            prop_assert_eq!(met.as_ref().is_some_and(|met| met.contains(&x.into())), both);
        }
    }

    #[test]
    fn infinite_intervals_multiply(low in proptest::option::of(-5i64..5), high in proptest::option::of(-5i64..5), left in members(), x in -60i64..60) {
        let Some(interval) = Interval::new(low.map(number), high.map(number)) else { return Ok(()) };
        prop_assume!(interval.contains(&number(x)));
        let other = value_of(&left).interval;
        for &y in &left {
            let product = number(x) * number(y);
            prop_assert!(interval.multiply(&other).contains(&product) && other.multiply(&interval).contains(&product));
        }
    }

    /// Octagons over three small variables against all their points.
    #[test]
    fn octagons(constraints in proptest::collection::vec((0usize..3, any::<bool>(), 0usize..3, any::<bool>(), -4i128..5), 0..7), forgotten in 0usize..3, shift in -3i128..4) {
        let mut octagon = Octagon::top(3);
        let mut feasible = true;
        for position in 0..3 {
            for negated in [false, true] {
                feasible &= octagon.bound_one(Signed { position, negated }, 4).is_ok();
            }
        }
        for &(a, m, b, n, bound) in &constraints {
            let (first, second) = (Signed { position: a, negated: m }, Signed { position: b, negated: n });
            let learnt = if a == b { octagon.bound_one(first, bound) } else { octagon.bound_sum(first, second, bound) };
            if learnt.is_err() {
                feasible = false;
                break;
            }
        }
        let sign = |negated: bool, x: i128| if negated { -x } else { x };
        let satisfies = |p: &[i128; 3]| constraints.iter().all(|&(a, m, b, n, bound)| {
            let total = if a == b { sign(m, p[a]) } else { sign(m, p[a]) + sign(n, p[b]) };
            total <= bound
        });
        let mut members = Vec::new();
        for x in -4i128..5 { for y in -4i128..5 { for z in -4i128..5 {
            if satisfies(&[x, y, z]) { members.push([x, y, z]); }
        }}}
        prop_assert!(feasible || members.is_empty());
        if !feasible { return Ok(()); }
        let inside = |octagon: &Octagon, p: &[i128; 3]| (0..3).all(|a| (0..3).all(|b| [false, true].iter().all(|&m| [false, true].iter().all(|&n| {
            let (first, second) = (Signed { position: a, negated: m }, Signed { position: b, negated: n });
            if a == b { octagon.bound(first).is_none_or(|bound| sign(m, p[a]) <= bound) }
            else { octagon.sum_bound(first, second).is_none_or(|bound| sign(m, p[a]) + sign(n, p[b]) <= bound) }
        }))));
        let mut wild = octagon.clone();
        wild.forget(forgotten);
        let mut moved = octagon.clone();
        moved.shift(forgotten, shift);
        for member in &members {
            prop_assert!(inside(&octagon, member));
            let mut other = *member;
            other[forgotten] = 1000;
            prop_assert!(inside(&wild, &other));
            let mut other = *member;
            other[forgotten] += shift;
            prop_assert!(inside(&moved, &other));
        }
        // Closed octagons of integers are tight: every bound is reached.
        if !members.is_empty() {
            for a in 0..3 { for b in 0..a { for (m, n) in [(false, false), (false, true), (true, false), (true, true)] {
                let bound = octagon.sum_bound(Signed { position: a, negated: m }, Signed { position: b, negated: n });
                let largest = members.iter().map(|p| sign(m, p[a]) + sign(n, p[b])).max();
                prop_assert_eq!(bound, largest);
            }}}
        }
    }

    #[test]
    fn lattice_operations(left in points(), right in points()) {
        let mut fixture = Fixture::new();
        let (a, b) = (fixture.state(&left), fixture.state(&right));
        let domain = fixture.domain();
        let joined = domain.join(&a, &b);
        prop_assert!(domain.is_in(&a, &joined) && domain.is_in(&b, &joined));
        let thresholds = Thresholds { values: vec![number(0), number(10)], bounds: vec![0, 10, 20], doubled: vec![-20, 0, 20], ..Thresholds::default() };
        let widened = domain.widen(&a, &joined, &thresholds);
        let normal = domain.normalised(&widened).expect("it has members");
        let included = domain.is_in(&a, &b);
        let met = domain.meet(&joined, &a);
        for point in left.iter().chain(&right) {
            prop_assert!(fixture.contains(&joined, point));
            prop_assert!(fixture.contains(&widened, point) && fixture.contains(&normal, point));
        }
        let met = met.expect("members of one are members of the join");
        for point in &left {
            prop_assert!(fixture.contains(&met, point));
            prop_assert!(!included || fixture.contains(&b, point));
        }
    }

    /// Widening again and again comes to an end, whatever the new states are.
    #[test]
    fn widening_ends(points in proptest::collection::vec(proptest::array::uniform4(small()), 40)) {
        let fixture = Fixture::new();
        let domain = fixture.domain();
        let mut kept = fixture.point(&points[0]);
        let mut changes = 0;
        for point in points.iter().cycle().take(200) {
            let new = fixture.point(point);
            if domain.is_in(&new, &kept) { continue; }
            let normal = domain.normalised(&kept).expect("it has members");
            let joined = domain.join(&normal, &new);
            kept = domain.widen(&kept, &joined, &Thresholds::default());
            changes += 1;
        }
        prop_assert!(changes <= 60, "{} changes", changes);
    }

    #[test]
    fn guards_and_assignments(members in points(), guard in proptest::collection::vec(any::<u8>(), 2..10), shape in any::<u8>(), update in proptest::collection::vec(any::<u8>(), 1..8), targets in (0usize..VARIABLES, 0usize..VARIABLES)) {
        let mut fixture = Fixture::new();
        let state = fixture.state(&members);
        let guard = fixture.formula(&guard, shape);
        let first = fixture.term(&update);
        let second = fixture.term(&update[update.len() / 2..]);
        let mut updates = vec![(fixture.var(targets.0), first)];
        if targets.0 != targets.1 {
            updates.push((fixture.var(targets.1), second));
        }
        let mut relation = Relation::assign(updates.clone());
        relation.guard = guard;
        let code = fixture.code(&relation);
        let after = fixture.domain().execute(&code, &state);
        for member in &members {
            let model = fixture.model(member);
            if holds(&mut fixture.terms, &model, guard) != Ok(true) { continue; }
            let mut image = *member;
            let mut large = false;
            for &(var, value) in &updates {
                let Ok(logic::Value::Int(value)) = evaluate(&mut fixture.terms, &model, value) else { unreachable!() };
                let index = (0..VARIABLES).find(|&index| fixture.var(index) == var).expect("a variable");
                match i64::try_from(value) {
                    Ok(value) => image[index] = value,
                    Err(_) => large = true,
                }
            }
            if large { continue; }
            let Ok(after) = &after else { return Err(TestCaseError::fail("a member is lost")) };
            prop_assert!(fixture.contains(after, &image), "{:?} becomes {:?}", member, image);
        }
    }

    #[test]
    fn havoc_keeps_what_the_guard_says(members in points(), guard in proptest::collection::vec(any::<u8>(), 2..8), shape in any::<u8>(), target in 0usize..VARIABLES, chosen in small()) {
        let mut fixture = Fixture::new();
        let state = fixture.state(&members);
        let about = fixture.formula(&guard, shape);
        let any = fixture.terms.symbol("any", Sort::INT);
        let fresh = fixture.terms.constant(any);
        let var = fixture.var(target);
        let symbol = fixture.program.variables[var].symbol;
        let guard = [(symbol, fresh)].into_iter().collect::<logic::Substitution>().apply(&mut fixture.terms, about);
        let mut relation = Relation::assign(vec![(var, fresh)]);
        relation.guard = guard;
        relation.auxiliaries = vec![any];
        let code = fixture.code(&relation);
        let after = fixture.domain().execute(&code, &state);
        for member in &members {
            let mut image = *member;
            image[target] = chosen;
            let model = fixture.model(&image);
            if holds(&mut fixture.terms, &model, about) != Ok(true) { continue; }
            let Ok(after) = &after else { return Err(TestCaseError::fail("a member is lost")) };
            prop_assert!(fixture.contains(after, &image), "{:?} becomes {:?}", member, image);
        }
    }

    #[test]
    fn comparisons(members in points(), coefficients in proptest::array::uniform4(-2i64..3), constant in -5i64..6) {
        let mut fixture = Fixture::new();
        let state = fixture.state(&members);
        let mut form = Form::constant(number(constant));
        for (index, &coefficient) in coefficients.iter().enumerate() {
            form.add_scaled(&Form::dimension(Space::of_var(fixture.var(index))), &number(coefficient));
        }
        for comparison in [Comparison::AtMost, Comparison::Less, Comparison::Equal, Comparison::Different] {
            let mut after = state.clone();
            let outcome = fixture.domain().compare(&mut after, comparison, &form);
            for member in &members {
                let total = constant + member.iter().zip(&coefficients).map(|(x, c)| x * c).sum::<i64>();
                let satisfied = match comparison {
                    Comparison::AtMost => total <= 0,
                    Comparison::Less => total < 0,
                    Comparison::Equal => total == 0,
                    Comparison::Different => total != 0,
                };
                if satisfied {
                    prop_assert!(outcome.is_ok() && fixture.contains(&after, member));
                }
            }
        }
    }
}

/// The smallest number there is has no opposite.
#[test]
fn octagons_survive_the_smallest_number() {
    let mut octagon = Octagon::top(1);
    let variable = Signed { position: 0, negated: false };
    assert!(octagon.bound_one(variable, i128::MIN).is_ok());
    assert!(octagon.bound_one(variable, 4).is_ok());
    octagon.shift(0, i128::MIN);
}
