//! Polyhedra against all points of a small grid: no operation loses a point, and most of them are exact.

use analysis::form::{Dimension, Form};
use analysis::polyhedron::{Polyhedron, Sense};
use base::EntityRef as _;
use logic::Rational;
use num_traits::{Signed as _, Zero as _};
use proptest::prelude::*;

const VARIABLES: usize = 4;
const SIZE: i64 = 2;

type Point = [i64; VARIABLES];

fn d(index: usize) -> Dimension {
    Dimension::new(index)
}

fn number(value: i64) -> Rational {
    Rational::from_integer(value.into())
}

/// Coefficients and a constant as a form.
fn form(numbers: &[i64; VARIABLES + 1]) -> Form {
    let mut form = Form::constant(number(numbers[VARIABLES]));
    for (index, &factor) in numbers[..VARIABLES].iter().enumerate() {
        form.add_scaled(&Form::dimension(d(index)), &number(factor));
    }
    form
}

fn value(form: &Form, point: &[Rational]) -> Rational {
    form.monomials
        .iter()
        .fold(form.constant.clone(), |sum, (dimension, factor)| sum + factor * &point[dimension.index()])
}

fn exact(point: &Point) -> Vec<Rational> {
    point.iter().map(|&value| number(value)).collect()
}

fn contains(polyhedron: &Polyhedron, point: &[Rational]) -> bool {
    polyhedron.conditions().iter().all(|(form, sense)| {
        let value = value(form, point);
        match sense {
            Sense::AtMost => !value.is_positive(),
            Sense::Zero => value.is_zero(),
        }
    })
}

fn grid() -> impl Iterator<Item = Point> {
    let range = 0..(2 * SIZE + 1).pow(VARIABLES as u32);
    range.map(|code| {
        std::array::from_fn(|index| code / (2 * SIZE + 1).pow(index as u32) % (2 * SIZE + 1) - SIZE)
    })
}

type Learnt = ([i64; VARIABLES + 1], bool);

fn holds((numbers, equal): &Learnt, point: &Point) -> bool {
    let total = numbers[VARIABLES] + point.iter().zip(numbers).map(|(x, c)| x * c).sum::<i64>();
    if *equal { total == 0 } else { total <= 0 }
}

fn sense(equal: bool) -> Sense {
    if equal { Sense::Zero } else { Sense::AtMost }
}

/// A polyhedron within the grid, or nothing if it has no points.
fn polyhedron(learnt: &[Learnt], boxed: &[bool; VARIABLES], integers: bool) -> Option<Polyhedron> {
    let mut polyhedron = Polyhedron::all(integers);
    for (index, _) in boxed.iter().enumerate().filter(|&(_, &boxed)| boxed) {
        for sign in [-1, 1] {
            let mut side = Form::dimension(d(index)).scaled(&number(sign));
            side.constant = number(-SIZE);
            polyhedron.assume(&side, Sense::AtMost).ok()?;
        }
    }
    for (numbers, equal) in learnt {
        polyhedron.assume(&form(numbers), sense(*equal)).ok()?;
    }
    Some(polyhedron)
}

fn numbers() -> impl Strategy<Value = [i64; VARIABLES + 1]> {
    (proptest::array::uniform4(prop_oneof![3 => Just(0i64), 4 => -1i64..2, 1 => -3i64..4]), -4i64..4)
        .prop_map(|(c, constant)| [c[0], c[1], c[2], c[3], constant])
}

fn learnt() -> impl Strategy<Value = Vec<Learnt>> {
    proptest::collection::vec((numbers(), proptest::bool::weighted(0.15)), 0..6)
}

fn boxed() -> impl Strategy<Value = [bool; VARIABLES]> {
    proptest::array::uniform4(proptest::bool::weighted(0.7))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Exactly the points that satisfy everything; and what is said of forms is true and reached.
    #[test]
    fn conditions(known in learnt(), boxed in boxed(), integers in any::<bool>(), asked in numbers()) {
        let polyhedron = polyhedron(&known, &boxed, integers);
        let members: Vec<Point> = grid().filter(|point| known.iter().all(|condition| holds(condition, point))).collect();
        let Some(polyhedron) = polyhedron else { prop_assert!(members.is_empty()); return Ok(()) };
        for point in grid() {
            prop_assert_eq!(members.contains(&point), contains(&polyhedron, &exact(&point)), "{:?}", point);
        }
        let bounds = polyhedron.bounds(&form(&asked));
        for point in &members {
            prop_assert!(bounds.contains(&value(&form(&asked), &exact(point))));
        }
        // A bound that is the best one can be reached; beyond it there is nothing.
        if let Some(high) = bounds.high && !integers {
            let mut there = polyhedron.clone();
            let mut reached = form(&asked);
            reached.constant -= &high;
            prop_assert!(there.assume(&reached, Sense::Zero).is_ok());
            let mut beyond = polyhedron.clone();
            let mut more = reached.negated();
            more.constant += Rational::new(1.into(), 7.into());
            prop_assert!(beyond.assume(&more, Sense::AtMost).is_err());
        }
    }

    /// Hulls contain both, and nothing that some form keeps away from both.
    #[test]
    fn hulls(left in learnt(), right in learnt(), boxed in boxed(), integers in any::<bool>(), asked in proptest::collection::vec(numbers(), 4)) {
        let (Some(a), Some(b)) = (polyhedron(&left, &boxed, integers), polyhedron(&right, &boxed, integers)) else { return Ok(()) };
        let mut joined = a.clone();
        joined.join(&b);
        prop_assert!(integers || a.is_in(&joined) && b.is_in(&joined));
        for point in grid() {
            let member = [&left, &right].iter().any(|known| known.iter().all(|condition| holds(condition, &point)));
            prop_assert!(!member || contains(&joined, &exact(&point)), "{:?}", point);
        }
        if !integers {
            for form in asked.iter().map(form) {
                let most = a.largest(&form).zip(b.largest(&form)).map(|(one, two)| one.max(two));
                prop_assert_eq!(joined.largest(&form), most);
            }
            let mut other = b.clone();
            other.join(&a);
            prop_assert_eq!(&other, &joined);
        }
        if a.is_in(&b) {
            for point in grid().filter(|point| contains(&a, &exact(point))) {
                prop_assert!(contains(&b, &exact(&point)));
            }
        }
        let mut met = a.clone();
        let outcome = met.meet(&b);
        for point in grid() {
            let both = contains(&a, &exact(&point)) && contains(&b, &exact(&point));
            prop_assert_eq!(both, outcome.is_ok() && contains(&met, &exact(&point)));
        }
        let mut both = joined.clone();
        prop_assert!(both.meet(&a).is_ok());
        for point in grid().filter(|point| contains(&a, &exact(point))) {
            prop_assert!(contains(&both, &exact(&point)));
        }
    }

    /// Assigned values and forgotten ones, with what is known of the others.
    #[test]
    fn assignments(known in learnt(), boxed in boxed(), integers in any::<bool>(), target in 0..VARIABLES, assigned in numbers(), asked in numbers()) {
        let Some(before) = polyhedron(&known, &boxed, integers) else { return Ok(()) };
        let image = form(&assigned);
        let mut after = before.clone();
        prop_assert!(after.assign(d(target), &image).is_ok());
        let mut wild = before.clone();
        wild.forget(d(target));
        for point in grid().filter(|point| known.iter().all(|condition| holds(condition, point))) {
            let mut moved = exact(&point);
            moved[target] = value(&image, &moved);
            prop_assert!(contains(&after, &moved), "{:?}", point);
            moved[target] = number(1000);
            prop_assert!(contains(&wild, &moved));
        }
        if !integers {
            // A form has the values afterwards that it had before with the image in it.
            let asked = form(&asked);
            let mut earlier = asked.clone();
            earlier.substitute(d(target), &image);
            prop_assert_eq!(after.largest(&asked), before.largest(&earlier));
            if !asked.mentions(d(target)) {
                prop_assert_eq!(wild.largest(&asked), before.largest(&asked));
            }
        }
        let renamed = after.renamed(|dimension| d(10 - dimension.index()));
        let back = renamed.renamed(|dimension| d(10 - dimension.index()));
        prop_assert_eq!(back, after);
    }

    /// Widening contains both, whatever comes, and ends.
    #[test]
    fn widening(sets in proptest::collection::vec((learnt(), boxed()), 8), forms in proptest::collection::vec(numbers(), 3), integers in any::<bool>()) {
        let forms: Vec<Form> = forms.iter().map(form).collect();
        let sets: Vec<Polyhedron> = sets.iter().filter_map(|(known, boxed)| polyhedron(known, boxed, integers)).collect();
        let Some(mut kept) = sets.first().cloned() else { return Ok(()) };
        let mut changes = 0;
        for set in sets.iter().cycle().take(80) {
            if set.is_in(&kept) { continue; }
            let mut joined = kept.clone();
            joined.join(set);
            let mut widened = kept.clone();
            let constants = if changes < 20 { vec![number(-1), number(0), number(1)] } else { Vec::new() };
            widened.widen(&joined, &forms, &constants);
            if !integers {
                prop_assert!(kept.is_in(&widened) && set.is_in(&widened));
            }
            for point in grid() {
                if contains(&kept, &exact(&point)) || contains(set, &exact(&point)) {
                    prop_assert!(contains(&widened, &exact(&point)));
                }
            }
            kept = widened;
            changes += 1;
        }
        prop_assert!(changes <= 40, "{} changes", changes);
    }
}

/// Large numbers and many dimensions make it weaker, and not wrong.
#[test]
fn what_is_too_large_is_left_out() {
    let mut polyhedron = Polyhedron::all(false);
    let mut far = Form::dimension(d(0));
    far.constant = -Rational::from_integer(logic::Integer::from(1u128 << 100));
    assert!(polyhedron.assume(&far, Sense::AtMost).is_ok());
    assert!(polyhedron.is_all());
    let mut sum = Form::default();
    for index in 0..40 {
        let mut side = Form::dimension(d(index));
        side.constant = number(-1);
        assert!(polyhedron.assume(&side, Sense::AtMost).is_ok());
        assert!(polyhedron.assume(&Form::dimension(d(index)).negated(), Sense::AtMost).is_ok());
        sum.add_scaled(&Form::dimension(d(index)), &number(1));
    }
    assert_eq!(polyhedron.size(), 80);
    sum.constant = number(-20);
    assert!(polyhedron.assume(&sum, Sense::AtMost).is_ok());
    assert_eq!(polyhedron.bounds(&sum).high, Some(number(20)), "no block is so large");
    let mut other = Polyhedron::all(false);
    for index in 0..40 {
        assert!(
            other.assume(&Form::dimension(d(index)).minus(&Form::constant(number(5))), Sense::Zero).is_ok()
        );
    }
    polyhedron.join(&other);
    assert_eq!(polyhedron.bounds(&Form::dimension(d(7))).high, Some(number(5)));
    assert_eq!(polyhedron.bounds(&Form::dimension(d(7))).low, Some(number(0)));
}
