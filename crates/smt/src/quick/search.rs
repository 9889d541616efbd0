//! The search for a contradiction or a model, by cases.
//!
//! A case ([`Case`]) is a conjunction of literals: bounds of quantities, numbers that a quantity is not, truth values of
//! other atoms. What is no literal stays open: when all but one of its ways out are closed, the last one is taken, and when
//! nothing follows any more, the case is divided. A case ends in a contradiction of bounds or of the simplex method, or with an assignment under which all
//! formulas of the question, evaluated as they stand, are true.
//!
//! Guarantees: `Unsat` follows from the formulas alone, as everything that is assumed is one of them, a part of a conjunction, the
//! last way out of a disjunction, one side of an exhaustive division, or follows from the axioms of congruence. `Sat` comes with a model
//! that has been evaluated. Everything else is `None`. The work is limited by [`MOST_STEPS`] and [`MOST_DIVISIONS`].

use super::evaluation::Assignment;
use super::number::gcd;
use super::simplex::{Bounds, Feasible, Sum, feasible};
use logic::{Op, Rational, Sort, Term, Terms};
use num_traits::ToPrimitive as _;
use rustc_hash::FxHashMap;

/// A question may cost so many steps, each the visit of a node.
pub(super) const MOST_STEPS: u32 = 4_000;
/// A question may be divided into so many cases.
const MOST_DIVISIONS: u32 = 48;
/// Terms are followed by recursion to this depth.
const DEEPEST: u32 = 60;
/// So often the bounds of sums and of their parts are propagated into each other, as they need not come to an end.
const ROUNDS: u32 = 3;

/// Larger numbers are left to others. A bound that is larger is not kept, which only admits more; models are evaluated.
const LARGEST: u128 = 1 << 100;
/// Products of a factor and a bound have to fit into a word, as a rule.
const LARGEST_FACTOR: i128 = 1 << 62;

/// Why a case ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// Nothing satisfies it.
    Contradiction,
    /// It was not found out whether anything does.
    GaveUp,
}

/// How much of the machinery an answer took.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) enum Rung {
    /// Bounds and truth values only.
    #[default]
    Bounds,
    /// The simplex method.
    Simplex,
    /// A division into cases.
    Cases,
    /// Equal arguments have equal results, besides any of the others.
    Congruence,
}

/// A conjunction of literals, and what is open.
#[derive(Clone, Default)]
struct Case {
    /// By quantity; quantities that were made later have the bounds that they always have.
    bounds: Vec<Bounds>,
    /// Numbers that a quantity is not.
    differs: Vec<(usize, i128)>,
    atoms: FxHashMap<Term, bool>,
    /// Terms of other sorts that are equal.
    equal: Vec<(Term, Term)>,
    open: Vec<(Term, bool)>,
}

/// `Σ factor · quantity + constant`, sorted by quantity, no factor zero.
type Linear = (Vec<(usize, i128)>, i128);

/// Why a term has no linear form in a case.
enum NotLinear {
    /// It depends on this condition.
    DependsOn(Term),
    /// It is not one that we know.
    Unknown,
}

/// The search. One question each.
pub(super) struct Search<'t> {
    terms: &'t Terms,
    question: Vec<Term>,
    /// The terms that are quantities, and sums of them.
    quantities: FxHashMap<Term, usize>,
    sums: FxHashMap<Vec<(usize, i128)>, usize>,
    parts: Vec<Sum>,
    term_of: Vec<Option<Term>>,
    whole: Vec<bool>,
    always: Vec<Bounds>,
    pub(super) steps: u32,
    divisions: u32,
    pub(super) rung: Rung,
}

impl<'t> Search<'t> {
    pub(super) fn new(terms: &'t Terms, question: Vec<Term>) -> Search<'t> {
        Search {
            terms,
            question,
            quantities: FxHashMap::default(),
            sums: FxHashMap::default(),
            parts: Vec::new(),
            term_of: Vec::new(),
            whole: Vec::new(),
            always: Vec::new(),
            steps: 0,
            divisions: 0,
            rung: Rung::Bounds,
        }
    }

    /// A model of all formulas, or why there is none.
    pub(super) fn run(&mut self) -> Result<Assignment, End> {
        let mut case = Case::default();
        for index in 0..self.question.len() {
            self.assume(&mut case, self.question[index], true)?;
        }
        self.solve(case)
    }

    fn step(&mut self) -> Result<(), End> {
        self.steps += 1;
        if self.steps > MOST_STEPS { Err(End::GaveUp) } else { Ok(()) }
    }

    fn solve(&mut self, mut case: Case) -> Result<Assignment, End> {
        self.settle(&mut case)?;
        while self.congruent(&mut case)? {
            self.rung = self.rung.max(Rung::Congruence);
            self.settle(&mut case)?;
        }
        let known = case.bounds.len();
        case.bounds.extend_from_slice(&self.always[known..]);
        let has_sums = (0..self.parts.len()).any(|q| self.parts[q].is_some());
        let values = match feasible(&self.parts, &case.bounds) {
            Some(Feasible::Yes(values)) => values,
            Some(Feasible::No) => {
                self.rung = self.rung.max(Rung::Simplex);
                return Err(End::Contradiction);
            }
            None => return Err(End::GaveUp),
        };
        if has_sums {
            self.rung = self.rung.max(Rung::Simplex);
        }
        // Two values on both sides of a number that a quantity is not, or has to be near to.
        let not_whole = (0..values.len()).find(|&q| self.whole[q] && values[q].to_whole().is_none());
        let split = match not_whole {
            Some(quantity) => Some((quantity, values[quantity].floor(), 1)),
            None => {
                let equals =
                    |&&(quantity, number): &&(usize, i128)| values[quantity].to_whole() == Some(number);
                case.differs.iter().find(equals).map(|&(quantity, number)| (quantity, number, 0))
            }
        };
        if let Some((quantity, number, is_between)) = split {
            if !self.whole[quantity] {
                return Err(End::GaveUp);
            }
            let below = number.checked_sub(1 - is_between).ok_or(End::GaveUp)?;
            let above = number.checked_add(1).ok_or(End::GaveUp)?;
            self.divide()?;
            let mut low = case.clone();
            let found = match self.at_most(&mut low, quantity, below) {
                Ok(()) => self.solve(low),
                Err(end) => Err(end),
            };
            return match found {
                Err(End::Contradiction) => {
                    self.at_least(&mut case, quantity, above)?;
                    self.solve(case)
                }
                other => other,
            };
        }
        let quantities = (0..values.len()).filter_map(|q| Some((self.term_of[q]?, values[q])));
        let assignment = Assignment::new(self.terms, quantities, &case.atoms);
        if let Some(assignment) = assignment
            && assignment.satisfies(self.terms, &self.question)
        {
            return Ok(assignment);
        }
        self.by_cases(case)
    }

    fn divide(&mut self) -> Result<(), End> {
        self.rung = self.rung.max(Rung::Cases);
        self.divisions += 1;
        if self.divisions > MOST_DIVISIONS { Err(End::GaveUp) } else { Ok(()) }
    }

    /// Divides the case on the first thing that is open.
    fn by_cases(&mut self, mut case: Case) -> Result<Assignment, End> {
        let Some((term, positive)) = case.open.pop() else { return Err(End::GaveUp) };
        let ways: Vec<(Term, bool)> = match self.terms.op(term) {
            Op::And | Op::Or => self.terms.args(term).iter().map(|&part| (part, positive)).collect(),
            op => {
                let condition = match op {
                    Op::Ite => self.terms.args(term)[0],
                    Op::Eq if self.is_bool_equation(term) => self.terms.args(term)[0],
                    _ => match self.comparison(&case, term) {
                        Err(NotLinear::DependsOn(condition)) => condition,
                        _ => return Err(End::GaveUp),
                    },
                };
                case.open.push((term, positive));
                vec![(condition, true), (condition, false)]
            }
        };
        for (way, positive) in ways {
            self.divide()?;
            let mut inside = case.clone();
            let found = match self.assume(&mut inside, way, positive) {
                Ok(()) => self.solve(inside),
                Err(end) => Err(end),
            };
            if !matches!(found, Err(End::Contradiction)) {
                return found;
            }
            // All later ways are without this one.
            self.assume(&mut case, way, !positive)?;
        }
        Err(End::Contradiction)
    }

    fn is_bool_equation(&self, term: Term) -> bool {
        self.terms.sort_of(self.terms.args(term)[0]) == Sort::BOOL
    }

    /// Adds a formula or its negation.
    fn assume(&mut self, case: &mut Case, formula: Term, positive: bool) -> Result<(), End> {
        let mut pending = vec![(formula, positive)];
        while let Some((term, positive)) = pending.pop() {
            self.step()?;
            let args = self.terms.args(term);
            match self.terms.op(term) {
                Op::True | Op::False => {
                    if term.is_true() != positive {
                        return Err(End::Contradiction);
                    }
                }
                Op::Not => pending.push((args[0], !positive)),
                Op::And if positive => pending.extend(args.iter().map(|&part| (part, true))),
                Op::Or if !positive => pending.extend(args.iter().map(|&part| (part, false))),
                Op::And | Op::Or | Op::Ite => case.open.push((term, positive)),
                Op::Eq if self.is_bool_equation(term) => case.open.push((term, positive)),
                Op::Le | Op::Lt | Op::Eq if self.terms.sort_of(args[0]).is_arithmetic() => {
                    self.assume_comparison(case, term, positive)?;
                }
                op => {
                    if let (Op::Eq, true, &[left, right]) = (op, positive, args) {
                        case.equal.push((left, right));
                    }
                    set_atom(case, term, positive)?;
                }
            }
        }
        Ok(())
    }

    fn assume_comparison(&mut self, case: &mut Case, term: Term, positive: bool) -> Result<(), End> {
        let (sum, constant) = match self.comparison(case, term) {
            Ok(linear) => linear,
            Err(NotLinear::DependsOn(_)) => {
                case.open.push((term, positive));
                return Ok(());
            }
            Err(NotLinear::Unknown) => return set_atom(case, term, positive),
        };
        set_atom(case, term, positive)?;
        let whole = sum.iter().all(|&(q, _)| self.whole[q]);
        let op = self.terms.op(term);
        let Some((quantity, factor)) = self.quantity_of(sum) else {
            let holds = match op {
                Op::Le => constant <= 0,
                Op::Lt => constant < 0,
                _ => constant == 0,
            };
            return if holds == positive { Ok(()) } else { Err(End::Contradiction) };
        };
        // factor · quantity + constant is related to zero.
        let negated = constant.checked_neg().ok_or(End::GaveUp)?;
        match (op, positive) {
            (Op::Eq, true) => {
                if negated % factor != 0 {
                    return if whole { Err(End::Contradiction) } else { Err(End::GaveUp) };
                }
                self.at_most(case, quantity, negated / factor)?;
                self.at_least(case, quantity, negated / factor)
            }
            (Op::Eq, false) => {
                if negated % factor == 0 {
                    case.differs.push((quantity, negated / factor));
                } else if !whole {
                    return Err(End::GaveUp);
                }
                Ok(())
            }
            // A strict bound of a real is taken for one that is not, which only admits more; models are evaluated.
            (_, true) => self.related(case, (quantity, factor), negated, whole),
            (_, false) => {
                let least = if whole { negated.checked_add(1).ok_or(End::GaveUp)? } else { negated };
                let (factor, most) = (-factor, least.checked_neg().ok_or(End::GaveUp)?);
                self.related(case, (quantity, factor), most, whole)
            }
        }
    }

    /// `factor · quantity ≤ most`
    fn related(
        &mut self,
        case: &mut Case,
        (quantity, factor): (usize, i128),
        most: i128,
        whole: bool,
    ) -> Result<(), End> {
        if !whole && most % factor != 0 {
            return Err(End::GaveUp);
        }
        if factor > 0 {
            self.at_most(case, quantity, most.div_euclid(factor))
        } else {
            // quantity ≥ most / factor, rounded up
            let below = most.div_euclid(-factor);
            self.at_least(case, quantity, -below)
        }
    }

    fn bounds(&self, case: &Case, quantity: usize) -> Bounds {
        case.bounds.get(quantity).copied().unwrap_or(self.always[quantity])
    }

    fn bounds_mut<'c>(&self, case: &'c mut Case, quantity: usize) -> &'c mut Bounds {
        let known = case.bounds.len();
        if known <= quantity {
            case.bounds.extend_from_slice(&self.always[known..]);
        }
        &mut case.bounds[quantity]
    }

    fn at_most(&self, case: &mut Case, quantity: usize, most: i128) -> Result<(), End> {
        if most.unsigned_abs() > LARGEST {
            return Ok(());
        }
        let bounds = self.bounds_mut(case, quantity);
        if bounds.upper.is_none_or(|upper| upper > most) {
            bounds.upper = Some(most);
        }
        if bounds.lower.is_some_and(|lower| lower > most) { Err(End::Contradiction) } else { Ok(()) }
    }

    fn at_least(&self, case: &mut Case, quantity: usize, least: i128) -> Result<(), End> {
        if least.unsigned_abs() > LARGEST {
            return Ok(());
        }
        let bounds = self.bounds_mut(case, quantity);
        if bounds.lower.is_none_or(|lower| lower < least) {
            bounds.lower = Some(least);
        }
        if bounds.upper.is_some_and(|upper| upper < least) { Err(End::Contradiction) } else { Ok(()) }
    }

    /// The difference of both sides of a comparison.
    fn comparison(&mut self, case: &Case, term: Term) -> Result<Linear, NotLinear> {
        let &[left, right] = self.terms.args(term) else { return Err(NotLinear::Unknown) };
        if !self.terms.sort_of(left).is_arithmetic() {
            return Err(NotLinear::Unknown);
        }
        let mut sum = Vec::new();
        let mut constant = 0;
        self.add(case, (left, 1), DEEPEST, (&mut sum, &mut constant))?;
        self.add(case, (right, -1), DEEPEST, (&mut sum, &mut constant))?;
        Ok((merged(sum).ok_or(NotLinear::Unknown)?, constant))
    }

    /// Adds a term, times a factor, to a sum.
    fn add(
        &mut self,
        case: &Case,
        (term, factor): (Term, i128),
        depth: u32,
        (sum, constant): (&mut Vec<(usize, i128)>, &mut i128),
    ) -> Result<(), NotLinear> {
        if depth == 0 || self.step().is_err() {
            return Err(NotLinear::Unknown);
        }
        let args = self.terms.args(term);
        match self.terms.op(term) {
            Op::Int(number) | Op::Real(number) => {
                let value =
                    whole(self.terms.number_value(number)).and_then(|value| value.checked_mul(factor));
                let total = value.and_then(|value| constant.checked_add(value));
                let total = total.filter(|total| total.unsigned_abs() <= LARGEST);
                *constant = total.ok_or(NotLinear::Unknown)?;
                Ok(())
            }
            Op::Add => args
                .iter()
                .try_for_each(|&part| self.add(case, (part, factor), depth - 1, (&mut *sum, &mut *constant))),
            Op::Scale(number) => {
                let scale =
                    whole(self.terms.number_value(number)).and_then(|scale| scale.checked_mul(factor));
                self.add(case, (args[0], scale.ok_or(NotLinear::Unknown)?), depth - 1, (sum, constant))
            }
            Op::Ite => {
                let chosen = match self.truth(case, args[0], depth - 1) {
                    Some(true) => args[1],
                    Some(false) => args[2],
                    None => return Err(NotLinear::DependsOn(args[0])),
                };
                self.add(case, (chosen, factor), depth - 1, (sum, constant))
            }
            _ => {
                sum.push((self.quantity(term), factor));
                Ok(())
            }
        }
    }

    /// The quantity that a term is.
    fn quantity(&mut self, term: Term) -> usize {
        if let Some(&known) = self.quantities.get(&term) {
            return known;
        }
        let mut always = Bounds::default();
        if let (Op::Mod, &[_, divisor]) = (self.terms.op(term), self.terms.args(term))
            && let Some(divisor) =
                self.terms.as_number(divisor).and_then(whole).filter(|&divisor| divisor != 0)
        {
            always = Bounds { lower: Some(0), upper: divisor.checked_abs().map(|divisor| divisor - 1) };
        }
        let whole = self.terms.sort_of(term) == Sort::INT;
        let quantity = self.new_quantity(None, Some(term), whole, always);
        self.quantities.insert(term, quantity);
        quantity
    }

    fn new_quantity(&mut self, parts: Sum, term: Option<Term>, whole: bool, always: Bounds) -> usize {
        self.parts.push(parts);
        self.term_of.push(term);
        self.whole.push(whole);
        self.always.push(always);
        self.parts.len() - 1
    }

    /// Divides a sum of whole numbers by what its factors have in common, and every sum by the sign of the first; by how much.
    fn reduce(&self, sum: &mut [(usize, i128)]) -> Option<i128> {
        let &(_, lead) = sum.first()?;
        let whole = sum.iter().all(|&(q, _)| self.whole[q]);
        let common = if whole { sum.iter().fold(0, |common, &(_, factor)| gcd(common, factor)) } else { 1 };
        let factor = common * lead.signum();
        sum.iter_mut().for_each(|(_, part)| *part /= factor);
        Some(factor)
    }

    /// The quantity of which a sum is a multiple, and the factor, if it has been seen before.
    fn known_quantity_of(&self, mut sum: Vec<(usize, i128)>) -> Option<(usize, i128)> {
        let factor = self.reduce(&mut sum)?;
        match sum[..] {
            [(only, 1)] => Some((only, factor)),
            _ => self.sums.get(&sum).map(|&known| (known, factor)),
        }
    }

    /// The quantity of which a sum is a multiple, and the factor. None for the empty sum.
    fn quantity_of(&mut self, mut sum: Vec<(usize, i128)>) -> Option<(usize, i128)> {
        let factor = self.reduce(&mut sum)?;
        if let [(only, 1)] = sum[..] {
            return Some((only, factor));
        }
        if let Some(&known) = self.sums.get(&sum) {
            return Some((known, factor));
        }
        let whole = sum.iter().all(|&(q, _)| self.whole[q]);
        let quantity = self.new_quantity(Some(sum.clone()), None, whole, Bounds::default());
        self.sums.insert(sum, quantity);
        Some((quantity, factor))
    }

    /// Is a formula true, or false, in all of a case, as far as that is easily seen?
    fn truth(&mut self, case: &Case, term: Term, depth: u32) -> Option<bool> {
        if depth == 0 || self.step().is_err() {
            return None;
        }
        if let Some(&known) = case.atoms.get(&term) {
            return Some(known);
        }
        let args = self.terms.args(term);
        match self.terms.op(term) {
            Op::True => Some(true),
            Op::False => Some(false),
            Op::Not => self.truth(case, args[0], depth - 1).map(|truth| !truth),
            op @ (Op::And | Op::Or) => {
                let decisive = op == Op::Or;
                let mut all = true;
                for &part in args {
                    match self.truth(case, part, depth - 1) {
                        Some(truth) if truth == decisive => return Some(decisive),
                        Some(_) => {}
                        None => all = false,
                    }
                }
                all.then_some(!decisive)
            }
            Op::Ite => {
                let chosen = if self.truth(case, args[0], depth - 1)? { args[1] } else { args[2] };
                self.truth(case, chosen, depth - 1)
            }
            Op::Eq if self.is_bool_equation(term) => {
                let (left, right) =
                    (self.truth(case, args[0], depth - 1)?, self.truth(case, args[1], depth - 1)?);
                Some(left == right)
            }
            op @ (Op::Le | Op::Lt | Op::Eq) => {
                let (sum, constant) = self.comparison(case, term).ok()?;
                let Bounds { lower, upper } = self.range(case, sum, constant)?;
                let (below, above) =
                    (upper.is_some_and(|upper| upper < 0), lower.is_some_and(|lower| lower > 0));
                match op {
                    Op::Eq if below || above => Some(false),
                    Op::Eq => (lower == Some(0) && upper == Some(0)).then_some(true),
                    Op::Le if above => Some(false),
                    Op::Le => upper.is_some_and(|upper| upper <= 0).then_some(true),
                    _ if below => Some(true),
                    _ => lower.is_some_and(|lower| lower >= 0).then_some(false),
                }
            }
            _ => None,
        }
    }

    /// Between which numbers a sum is, by the bounds of its parts and its own.
    fn range(&self, case: &Case, sum: Vec<(usize, i128)>, constant: i128) -> Option<Bounds> {
        let mut range = Bounds { lower: Some(constant), upper: Some(constant) };
        for &(quantity, factor) in &sum {
            let Bounds { lower, upper } = self.bounds(case, quantity);
            let (low, high) = if factor > 0 { (lower, upper) } else { (upper, lower) };
            let plus =
                |total: Option<i128>, bound: Option<i128>| total?.checked_add(bound?.checked_mul(factor)?);
            range = Bounds { lower: plus(range.lower, low), upper: plus(range.upper, high) };
        }
        let Some((quantity, factor)) = self.known_quantity_of(sum) else { return Some(range) };
        let own = self.bounds(case, quantity);
        let (low, high) = if factor > 0 { (own.lower, own.upper) } else { (own.upper, own.lower) };
        let plus = |bound: Option<i128>| bound?.checked_mul(factor)?.checked_add(constant);
        range.lower = range.lower.max(plus(low));
        range.upper = match (range.upper, plus(high)) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Some(range)
    }

    /// Takes what follows from the bounds, and the last way out of everything that is open.
    fn settle(&mut self, case: &mut Case) -> Result<(), End> {
        loop {
            self.propagate(case)?;
            let mut changed = false;
            for (term, positive) in std::mem::take(&mut case.open) {
                self.step()?;
                if let Some(truth) = self.truth(case, term, DEEPEST) {
                    if truth != positive {
                        return Err(End::Contradiction);
                    }
                    continue;
                }
                let args = self.terms.args(term);
                let taken = match self.terms.op(term) {
                    Op::And | Op::Or => {
                        let mut left = args.iter().filter(|&&part| self.truth(case, part, DEEPEST).is_none());
                        let last = left.next().copied();
                        if left.next().is_none() { last.map(|last| (last, positive)) } else { None }
                    }
                    Op::Ite => self
                        .truth(case, args[0], DEEPEST)
                        .map(|condition| (args[if condition { 1 } else { 2 }], positive)),
                    Op::Eq if self.is_bool_equation(term) => {
                        let (left, right) = (args[0], args[1]);
                        match (self.truth(case, left, DEEPEST), self.truth(case, right, DEEPEST)) {
                            (Some(left), None) => Some((right, left == positive)),
                            (None, Some(right)) => Some((left, right == positive)),
                            _ => None,
                        }
                    }
                    _ => match self.comparison(case, term) {
                        Err(NotLinear::DependsOn(_)) => None,
                        _ => Some((term, positive)),
                    },
                };
                match taken {
                    Some((part, positive)) => {
                        self.assume(case, part, positive)?;
                        changed = true;
                    }
                    None => case.open.push((term, positive)),
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// Bounds of sums from those of their parts and the other way round, a few times.
    fn propagate(&mut self, case: &mut Case) -> Result<(), End> {
        for _ in 0..ROUNDS {
            let mut changed = false;
            for quantity in 0..self.parts.len() {
                let Some(sum) = self.parts[quantity].take() else { continue };
                let outcome = self.propagate_sum(case, quantity, &sum);
                self.parts[quantity] = Some(sum);
                changed |= outcome?;
            }
            for index in 0..case.differs.len() {
                let (quantity, number) = case.differs[index];
                let bounds = self.bounds(case, quantity);
                if bounds.fixed() == Some(number) {
                    return Err(End::Contradiction);
                }
                if self.whole[quantity] && bounds.lower == Some(number) {
                    self.at_least(case, quantity, number + 1)?;
                    changed = true;
                }
                if self.whole[quantity] && bounds.upper == Some(number) {
                    self.at_most(case, quantity, number - 1)?;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }

    fn propagate_sum(
        &mut self,
        case: &mut Case,
        quantity: usize,
        sum: &[(usize, i128)],
    ) -> Result<bool, End> {
        let mut changed = false;
        let own = self.bounds(case, quantity);
        if own == Bounds::default() {
            return Ok(false);
        }
        for (position, &(part, factor)) in sum.iter().enumerate() {
            self.step()?;
            // factor · part = sum − the others
            let mut rest = own;
            for (index, &(other, factor)) in sum.iter().enumerate() {
                if index != position {
                    let Bounds { lower, upper } = self.bounds(case, other);
                    let (low, high) = if factor > 0 { (lower, upper) } else { (upper, lower) };
                    let minus = |total: Option<i128>, bound: Option<i128>| {
                        total?.checked_sub(bound?.checked_mul(factor)?)
                    };
                    rest = Bounds { lower: minus(rest.lower, high), upper: minus(rest.upper, low) };
                }
            }
            if !self.whole[part] && factor.abs() != 1 {
                continue;
            }
            let (least, most) = if factor > 0 {
                (
                    rest.lower.map(|low| -(-low).div_euclid(factor)),
                    rest.upper.map(|high| high.div_euclid(factor)),
                )
            } else {
                (
                    rest.upper.map(|high| -high.div_euclid(-factor)),
                    rest.lower.map(|low| (-low).div_euclid(-factor)),
                )
            };
            let before = self.bounds(case, part);
            if let Some(least) = least {
                self.at_least(case, part, least)?;
            }
            if let Some(most) = most {
                self.at_most(case, part, most)?;
            }
            changed |= before != self.bounds(case, part);
        }
        Ok(changed)
    }

    /// Makes results equal whose arguments are equal, and what is read equal to what was written there.
    fn congruent(&mut self, case: &mut Case) -> Result<bool, End> {
        let applied = |&q: &usize| {
            let term = self.term_of[q]?;
            matches!(self.terms.op(term), Op::Select | Op::Apply(_)).then_some((q, term))
        };
        let results: Vec<(usize, Term)> = (0..self.term_of.len()).filter_map(|q| applied(&q)).collect();
        let mut changed = false;
        for (position, &(one, term)) in results.iter().enumerate() {
            if let (Op::Select, &[array, index]) = (self.terms.op(term), self.terms.args(term))
                && let (Op::Store, &[_, at, value]) = (self.terms.op(array), self.terms.args(array))
                && self.are_equal(case, at, index)?
            {
                changed |= self.equate(case, term, value)?;
            }
            for &(other, second) in &results[position + 1..] {
                self.step()?;
                let (mine, others) = (self.terms.args(term), self.terms.args(second));
                if self.terms.op(term) != self.terms.op(second) || mine.len() != others.len() {
                    continue;
                }
                let mut all = true;
                for (&left, &right) in mine.iter().zip(others) {
                    all = all && self.are_equal(case, left, right)?;
                }
                if all && one != other {
                    changed |= self.equate(case, term, second)?;
                }
            }
        }
        Ok(changed)
    }

    fn are_equal(&mut self, case: &Case, left: Term, right: Term) -> Result<bool, End> {
        if left == right {
            return Ok(true);
        }
        if !self.terms.sort_of(left).is_arithmetic() {
            // What is equal through several others is left to solvers.
            return Ok(case.equal.contains(&(left, right)) || case.equal.contains(&(right, left)));
        }
        let Some((sum, constant)) = self.difference(case, left, right) else { return Ok(false) };
        let range = self.range(case, sum, constant).unwrap_or_default();
        Ok(range.lower == Some(0) && range.upper == Some(0))
    }

    fn difference(&mut self, case: &Case, left: Term, right: Term) -> Option<Linear> {
        let (mut sum, mut constant) = (Vec::new(), 0);
        self.add(case, (left, 1), DEEPEST, (&mut sum, &mut constant)).ok()?;
        self.add(case, (right, -1), DEEPEST, (&mut sum, &mut constant)).ok()?;
        Some((merged(sum)?, constant))
    }

    /// Makes two numbers equal; whether that is new.
    fn equate(&mut self, case: &mut Case, left: Term, right: Term) -> Result<bool, End> {
        if !self.terms.sort_of(left).is_arithmetic() || self.are_equal(case, left, right)? {
            return Ok(false);
        }
        let Some((sum, constant)) = self.difference(case, left, right) else { return Ok(false) };
        let whole = sum.iter().all(|&(q, _)| self.whole[q]);
        let Some((quantity, factor)) = self.quantity_of(sum) else {
            return if constant == 0 { Ok(false) } else { Err(End::Contradiction) };
        };
        if constant % factor != 0 {
            return if whole { Err(End::Contradiction) } else { Err(End::GaveUp) };
        }
        self.at_most(case, quantity, -(constant / factor))?;
        self.at_least(case, quantity, -(constant / factor))?;
        Ok(true)
    }
}

fn set_atom(case: &mut Case, term: Term, positive: bool) -> Result<(), End> {
    match case.atoms.insert(term, positive) {
        Some(before) if before != positive => Err(End::Contradiction),
        _ => Ok(()),
    }
}

/// Summands of the same quantity taken together; none if a factor is too large.
fn merged(mut sum: Vec<(usize, i128)>) -> Option<Vec<(usize, i128)>> {
    sum.sort_unstable_by_key(|&(quantity, _)| quantity);
    let mut merged: Vec<(usize, i128)> = Vec::with_capacity(sum.len());
    for (quantity, factor) in sum {
        match merged.last_mut() {
            Some((last, total)) if *last == quantity => *total = total.checked_add(factor)?,
            _ => merged.push((quantity, factor)),
        }
    }
    merged.retain(|&(_, factor)| factor != 0);
    merged.iter().all(|&(_, factor)| factor.abs() <= LARGEST_FACTOR).then_some(merged)
}

/// A number as a word, if it is whole and fits.
pub(super) fn whole(number: &Rational) -> Option<i128> {
    if number.is_integer() { number.numer().to_i128() } else { None }
}
