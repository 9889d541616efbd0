//! Formulas as C expressions, for witnesses: other tools evaluate them at a place of the program.
//!
//! What is said follows from the formula: parts of a conjunction that C cannot say are left out. Every variable is cast to
//! a type in which no operation of the expression can overflow, so it means in C what the formula means over
//! mathematical integers. Variables that have a namesake are not spoken of, because the place decides which one is meant.

use c::{BackMap, CKind, CVariable, Part};
use logic::term::Op;
use logic::{Integer, Rational, Term, Terms};
use num_traits::{Signed, ToPrimitive};
use program::{Program, VarKind};
use std::collections::BTreeSet;

/// Expressions with more subterms than this are not written.
const MOST_TERMS: usize = 400;
/// Below this, a result fits into `long long`.
const LONG: u128 = 1 << 62;
/// Below this, a result fits into `__int128`.
const LONGER: u128 = 1 << 126;

/// What a formula says in C inside of a function; none if that is nothing.
pub(super) fn c_expression(
    program: &Program,
    back: &BackMap,
    (function, moment): (&str, Moment),
    formula: Term,
    terms: &Terms,
) -> Option<String> {
    let mut count = 0;
    terms.for_each_subterm(&[formula], |_| count += 1);
    if count > MOST_TERMS {
        return None;
    }
    let writer = Writer { program, back, function, terms, moment };
    let conjuncts = terms.conjuncts(formula);
    // A choice of which one part holds anyway says nothing more.
    let is_said =
        |part: Term| terms.op(part) == Op::Or && terms.args(part).iter().any(|one| conjuncts.contains(one));
    let parts: BTreeSet<String> = conjuncts
        .iter()
        .filter(|&&part| !is_said(part))
        .filter_map(|&part| writer.formula(part, Side::Said))
        .collect();
    let parts: Vec<String> = parts.into_iter().collect();
    (!parts.is_empty()).then(|| parts.join(" && "))
}

/// What the rank of a loop says about any two visits of it, `\at(x, AnyPrev)` being the value of `x` at the earlier one: some
/// entry has become smaller and was not negative, and no entry before it has grown. None if C cannot say it.
pub(super) fn transition_invariant(
    (program, back): (&Program, &BackMap),
    function: &str,
    rank: &[Term],
    terms: &Terms,
) -> Option<String> {
    let mut count = 0;
    terms.for_each_subterm(rank, |_| count += 1);
    if count > MOST_TERMS {
        return None;
    }
    let now = Writer { program, back, function, terms, moment: Moment::Visit };
    let earlier = Writer { moment: Moment::EarlierVisit, ..now };
    let (mut ways, mut not_grown) = (Vec::new(), String::new());
    // Entries that are numbers are the same at both visits.
    for &entry in rank.iter().filter(|entry| terms.as_number(**entry).is_none()) {
        let cast = type_for(now.bound(entry)?)?;
        let (before, after) = (earlier.value(entry, cast)?, now.value(entry, cast)?);
        ways.push(format!("({not_grown}{before} >= 0 && {before} > {after})"));
        not_grown += &format!("{before} >= {after} && ");
    }
    (!ways.is_empty()).then(|| ways.join(" || "))
}

/// What holds of the C variables in a formula because of their types alone.
pub(super) fn ranges_of_types(
    program: &Program,
    back: &BackMap,
    formula: Term,
    terms: &mut Terms,
) -> Vec<Term> {
    let mut ranges = Vec::new();
    for symbol in terms.free_symbols(formula) {
        let source = program.variables.of_symbol(symbol).and_then(|var| program.variables[var].source);
        let meaning = source.and_then(|source| back.variables.get(&source));
        let is_number = |meaning: &&CVariable| {
            matches!(meaning.kind, CKind::Integer | CKind::Character) && meaning.part == Part::Whole
        };
        let Some((low, high)) = meaning.filter(is_number).and_then(|meaning| range(&meaning.ty)) else {
            continue;
        };
        if terms.symbol_data(symbol).sort != logic::Sort::INT {
            continue;
        }
        let (value, low, high) = (terms.constant(symbol), terms.int(low), terms.int(high));
        ranges.extend([terms.le(low, value), terms.le(value, high)]);
    }
    ranges
}

/// The numbers of an integer type; none if the type has a name of its own. That of `long` is the larger one of its two sizes.
fn range(ty: &str) -> Option<(i128, i128)> {
    let words: Vec<&str> = ty.split_whitespace().collect();
    let known = ["int", "unsigned", "signed", "short", "char", "long", "const", "volatile"];
    if words.is_empty() || !words.iter().all(|word| known.contains(word)) {
        return None;
    }
    let bits = match () {
        () if words.contains(&"char") => 8,
        () if words.contains(&"short") => 16,
        () if words.contains(&"long") => 64,
        () => 32,
    };
    Some(match words.contains(&"unsigned") {
        true => (0, (1 << bits) - 1),
        false => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
    })
}

/// The type in which results below a bound are computed.
fn type_for(bound: u128) -> Option<&'static str> {
    match bound {
        _ if bound < LONG => Some("long long"),
        _ if bound < LONGER => Some("__int128"),
        _ => None,
    }
}

/// When the values are meant that an expression speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Moment {
    /// When the place is visited.
    Visit,
    /// At an earlier visit.
    EarlierVisit,
    /// At the end of the function: its result may be spoken of, and what was when it began.
    Exit,
}

/// The result of a function in formulas and in C expressions.
const RESULT: &str = "\\result";

#[derive(Clone, Copy)]
struct Writer<'a> {
    program: &'a Program,
    back: &'a BackMap,
    function: &'a str,
    terms: &'a Terms,
    moment: Moment,
}

/// Whether a formula stands under negations: what may be left out depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    /// Under an even number of negations: less may be said of it.
    Said,
    /// Under an odd number of them: more may be said of it.
    Denied,
}

impl Writer<'_> {
    /// A formula in C. What is said follows from it; of what is denied, it follows from what is written.
    fn formula(&self, term: Term, side: Side) -> Option<String> {
        let terms = self.terms;
        let args = terms.args(term);
        // Parts of a conjunction that is said, and of a choice that is denied, may be left out; but not all of them.
        let joined = |between: &str, droppable: bool| {
            let parts: Vec<Option<String>> = args.iter().map(|&arg| self.formula(arg, side)).collect();
            if !droppable && parts.contains(&None) {
                return None;
            }
            let parts: Vec<String> = parts.into_iter().flatten().collect();
            (!parts.is_empty()).then(|| format!("({})", parts.join(between)))
        };
        match terms.op(term) {
            Op::True => Some("1".to_owned()),
            Op::False => Some("0".to_owned()),
            Op::And => joined(" && ", side == Side::Said),
            Op::Or => joined(" || ", side == Side::Denied),
            Op::Not => {
                let other = if side == Side::Said { Side::Denied } else { Side::Said };
                Some(format!("!{}", self.formula(args[0], other)?))
            }
            Op::Eq | Op::Le => {
                let sides = [self.bound(args[0])?, self.bound(args[1])?];
                let cast = type_for(sides[0].max(sides[1]))?;
                let relation = if terms.op(term) == Op::Eq { "==" } else { "<=" };
                Some(format!("({} {relation} {})", self.value(args[0], cast)?, self.value(args[1], cast)?))
            }
            _ => None,
        }
    }

    /// What a symbol is called in C, if it is a number and the name means only it.
    fn name(&self, term: Term) -> Option<String> {
        let name = &self.variable(term)?.name;
        Some(match (self.moment, name.strip_prefix("\\old(").and_then(|name| name.strip_suffix(')'))) {
            (Moment::EarlierVisit, _) => format!("\\at({name}, AnyPrev)"),
            (_, Some(parameter)) => format!("\\at({parameter}, Old)"),
            (_, None) if self.is_old(term) => format!("\\at({name}, Pre)"),
            (_, None) => name.clone(),
        })
    }

    fn is_old(&self, term: Term) -> bool {
        let var = self.terms.as_symbol(term).and_then(|symbol| self.program.variables.of_symbol(symbol));
        var.is_some_and(|var| matches!(self.program.variables[var].kind, VarKind::Old(_)))
    }

    /// The C variable behind a symbol, if it is a number and its name means only it.
    fn variable(&self, term: Term) -> Option<&CVariable> {
        let mut data =
            &self.program.variables[self.program.variables.of_symbol(self.terms.as_symbol(term)?)?];
        let at_exit = self.moment == Moment::Exit;
        if let (VarKind::Old(global), true) = (data.kind, at_exit) {
            data = &self.program.variables[global];
        }
        let meaning = self.back.variables.get(&data.source?)?;
        let argument = meaning.name.strip_prefix("\\old(").and_then(|name| name.strip_suffix(')'));
        let shown = argument.filter(|_| at_exit).unwrap_or(&meaning.name);
        let is_result = at_exit && meaning.name == RESULT;
        let visible =
            |other: &CVariable| other.function.as_deref().is_none_or(|function| function == self.function);
        let plain = is_result || shown.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
        let number = matches!(meaning.kind, CKind::Integer | CKind::Character) && meaning.part == Part::Whole;
        if matches!(data.kind, VarKind::Old(_)) || !plain || !number || !visible(meaning) {
            return None;
        }
        let stem = |name: &str| name.split(['.', '[']).next().unwrap_or_default().to_owned();
        let own = stem(shown);
        // The parameter and what it was at first are one declaration.
        let namesake = |other: &CVariable| {
            visible(other) && stem(&other.name) == own && other.span != meaning.span && !is_result
        };
        (!self.back.variables.values().any(namesake)).then_some(meaning)
    }

    /// A number that the magnitudes of a value and of its intermediate results stay below.
    fn bound(&self, term: Term) -> Option<u128> {
        if let Some(number) = self.terms.as_integer(term) {
            return number.abs().to_u128()?.checked_add(1);
        }
        match self.terms.op(term) {
            Op::Symbol(_) => bits(&self.variable(term)?.ty).map(|bits| 1 << bits),
            Op::Add | Op::Scale(_) => {
                let linear = self.terms.linear(term);
                let mut sum = whole(&linear.constant)?.abs().to_u128()?;
                for (part, factor) in &linear.monomials {
                    let factor = whole(factor)?.abs().to_u128()?;
                    sum = sum.checked_add(self.bound(*part)?.checked_mul(factor)?)?;
                }
                sum.checked_add(1)
            }
            Op::Mul => {
                let mut product: u128 = 1;
                for &part in self.terms.args(term) {
                    product = product.checked_mul(self.bound(part)?)?;
                }
                Some(product)
            }
            _ => None,
        }
    }

    fn value(&self, term: Term, cast: &str) -> Option<String> {
        if let Some(number) = self.terms.as_integer(term) {
            return literal(number);
        }
        match self.terms.op(term) {
            Op::Symbol(_) => Some(format!("({cast}){}", self.name(term)?)),
            Op::Add | Op::Scale(_) => {
                let linear = self.terms.linear(term);
                let mut parts = Vec::new();
                for (part, factor) in &linear.monomials {
                    let (part, factor) = (self.value(*part, cast)?, whole(factor)?);
                    let one = factor == Integer::from(1);
                    parts.push(if one { part } else { format!("{} * {part}", literal(&factor)?) });
                }
                let constant = whole(&linear.constant)?;
                if constant != Integer::from(0) {
                    parts.push(literal(&constant)?);
                }
                Some(format!("({})", parts.join(" + ")))
            }
            Op::Mul => {
                let parts: Option<Vec<String>> =
                    self.terms.args(term).iter().map(|&part| self.value(part, cast)).collect();
                Some(format!("({})", parts?.join(" * ")))
            }
            _ => None,
        }
    }
}

fn whole(number: &Rational) -> Option<Integer> {
    number.is_integer().then(|| number.to_integer())
}

fn literal(number: &Integer) -> Option<String> {
    let number = number.to_i64().filter(|number| *number != i64::MIN)?;
    let suffix = if i32::try_from(number.abs()).is_ok() { "" } else { "LL" };
    Some(if number < 0 { format!("({number}{suffix})") } else { format!("{number}{suffix}") })
}

/// How many bits the numbers of a type have at most; none if it is no integer type of C.
fn bits(ty: &str) -> Option<u32> {
    let words: Vec<&str> = ty.split_whitespace().collect();
    if words.contains(&"__int128") || ty.contains(['*', '(', '[']) {
        return None;
    }
    let small = words.iter().all(|word| {
        matches!(*word, "int" | "unsigned" | "signed" | "short" | "char" | "_Bool" | "const" | "volatile")
    });
    Some(if small { 32 } else { 64 })
}
