//! Certificates with mistakes: every one must be refused.

use crate::paper::{FLIP, JUMP_BEYOND_N, LESS_SIMPLE, NESTED, SIMPLE};
use crate::straight::{IN_SEQUENCE, PHASES};
use crate::support::Task;
use base::EntityRef;
use engines::leaping::theorems::Theorem;
use logic::Term;
use program::LeapCertificate;
use program::leap::{Leap, Link, Mode, PlanData};

/// The leaps of a certificate, to be changed.
fn leaps(certificate: &mut LeapCertificate) -> impl Iterator<Item = &mut Leap> {
    certificate.links.iter_mut().filter_map(|(_, link)| match link {
        Link::Leap(leap) => Some(leap),
        Link::Step(_) => None,
    })
}

/// Where the leaps of a certificate are among its links.
fn places(certificate: &LeapCertificate) -> Vec<usize> {
    let is_leap = |&place: &usize| matches!(certificate.links[place].1, Link::Leap(_));
    (0..certificate.links.len()).filter(is_leap).collect()
}

type Mutation = fn(&mut LeapCertificate);

/// Mistakes that make every certificate wrong.
const MUTATIONS: &[(&str, Mutation)] = &[
    ("a missing port", |certificate| {
        certificate.ports.pop();
    }),
    ("a missing end", |certificate| {
        certificate.ports.pop();
        certificate.links.pop();
    }),
    ("a missing beginning", |certificate| {
        certificate.ports.remove(0);
        certificate.links.remove(0);
    }),
    ("another error", |certificate| certificate.error = program::Error::new(17)),
    ("a wrong order of modes", |certificate| certificate.links.reverse()),
    ("a leap that only may", |certificate| {
        let place = places(certificate)[0];
        certificate.links[place].0 = Mode::May;
    }),
    ("an entry port without states", |certificate| {
        let place = places(certificate)[0];
        certificate.ports[place].formula = Term::FALSE;
    }),
    ("an entry port outside its abstract state", |certificate| {
        let place = places(certificate)[0];
        certificate.ports[place].formula = Term::TRUE;
    }),
    ("an exit port without states", |certificate| {
        let place = places(certificate)[0];
        certificate.ports[place + 1].formula = Term::FALSE;
    }),
    ("an exit port outside its abstract state", |certificate| {
        for place in places(certificate) {
            certificate.ports[place + 1].formula = Term::TRUE;
        }
    }),
    ("an infinite abstract state", |certificate| {
        leaps(certificate).for_each(|leap| leap.region.iter_mut().for_each(|port| port.formula = Term::TRUE));
    }),
    ("an abstract state without states", |certificate| {
        leaps(certificate)
            .for_each(|leap| leap.region.iter_mut().for_each(|port| port.formula = Term::FALSE));
    }),
    ("no abstract state", |certificate| leaps(certificate).for_each(|leap| leap.region.clear())),
    ("two abstract states at one place", |certificate| {
        leaps(certificate).for_each(|leap| leap.region.push(leap.region[0]));
    }),
    ("no bounds", |certificate| leaps(certificate).for_each(|leap| leap.bounds.clear())),
    ("bounds that are too narrow", |certificate| {
        leaps(certificate)
            .for_each(|leap| leap.bounds.iter_mut().for_each(|bound| bound.upper = bound.lower));
    }),
    ("no moves in a leap", |certificate| leaps(certificate).for_each(|leap| leap.moves.clear())),
    ("a move of another place", |certificate| {
        leaps(certificate).for_each(|leap| leap.moves.push(program::leap::Move::new(0)));
    }),
    ("a move that does not exist", |certificate| {
        leaps(certificate).for_each(|leap| leap.moves.push(program::leap::Move::new(1000)));
    }),
    ("a hidden variable that matters", |certificate| {
        leaps(certificate).for_each(|leap| leap.hidden.extend(leap.bounds.iter().map(|bound| bound.var)));
    }),
    ("moves without their steps", |certificate| {
        certificate.plans.values_mut().for_each(|plan| *plan = PlanData::Empty);
    }),
    ("moves that do nothing", |certificate| {
        certificate.moves.values_mut().for_each(|data| data.legs.clear());
    }),
    ("a plan that refers to itself", |certificate| {
        let last = certificate.plans.keys().next_back().expect("there is a plan");
        certificate.plans[last] = PlanData::If(Term::TRUE, last, last);
        certificate.moves.values_mut().for_each(|data| data.legs.iter_mut().for_each(|leg| leg.plan = last));
    }),
];

#[test]
fn every_mistake_is_refused() {
    for text in [SIMPLE, LESS_SIMPLE, NESTED, JUMP_BEYOND_N, FLIP, IN_SEQUENCE, PHASES] {
        let mut task = Task::new(text);
        let certificate = task.leap().expect("it is found").certificate;
        for (name, mutation) in MUTATIONS {
            let mut wrong = certificate.clone();
            mutation(&mut wrong);
            assert!(task.check(&wrong).is_err(), "{name} was accepted\n{text}");
        }
    }
}

#[test]
fn every_mistake_in_a_backward_chain_is_refused() {
    let text = "procedure p(n: int) { var i, s: int; assume n >= 0; i := 0; s := 0;
        while (i < n) { i := i + 1; s := s + 3; } assert s != 3000000; }";
    let mut task = Task::new(text);
    let certificate = task.leap_by(&[Theorem::One]).unwrap_or_else(|reason| panic!("{reason}")).certificate;
    assert_eq!(certificate.links.last().map(|(mode, _)| *mode), Some(Mode::May));
    for (name, mutation) in MUTATIONS {
        let mut wrong = certificate.clone();
        mutation(&mut wrong);
        assert!(task.check(&wrong).is_err(), "{name} was accepted\n{text}");
    }
}

#[test]
fn each_single_move_is_needed() {
    for text in [SIMPLE, NESTED] {
        let mut task = Task::new(text);
        let certificate = task.leap().expect("it is found").certificate;
        for place in places(&certificate) {
            let Link::Leap(leap) = &certificate.links[place].1 else { continue };
            for position in 0..leap.moves.len() {
                let mut wrong = certificate.clone();
                let Link::Leap(leap) = &mut wrong.links[place].1 else { continue };
                leap.moves.remove(position);
                assert!(task.check(&wrong).is_err(), "{text}");
            }
        }
    }
}

#[test]
fn a_strategy_must_not_change_the_state() {
    let mut task = Task::new(FLIP);
    let certificate = task.leap().expect("it is found").certificate;
    for (_, data) in task.single.variables.clone().iter() {
        let mut wrong = certificate.clone();
        let value = task.terms.constant(data.symbol);
        for part in wrong.moves.values_mut().flat_map(|data| &mut data.legs) {
            part.strategy.push((data.symbol, value));
        }
        assert!(task.check(&wrong).is_err());
    }
}

#[test]
fn the_opposite_strategy_is_refused() {
    for text in [FLIP, JUMP_BEYOND_N, LESS_SIMPLE] {
        let mut task = Task::new(text);
        let mut certificate = task.leap().expect("it is found").certificate;
        let mut changed = false;
        let Task { terms, .. } = &mut task;
        for plan in certificate.plans.values_mut() {
            if let PlanData::If(condition, _, _) = plan {
                *condition = terms.not(*condition);
                changed = true;
            }
        }
        assert!(changed);
        assert!(task.check(&certificate).is_err(), "{text}");
    }
}
