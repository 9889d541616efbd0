//! Why no run follows a lasso for ever.
//!
//! Tried in this order, the cheap and general reasons first:
//!
//! 1. the loop, or two rounds of it, or the stem with the loop, is infeasible: the chain of weakest preconditions of
//!    `false` is the proof;
//! 2. the loop has a rank, whatever was before;
//! 3. it has one with the help of facts that hold after every round;
//! 4. it has one with the help of facts that hold after the stem and are kept by the loop.
//!
//! Facts are bounds of numbers and of their differences. Of those, as few as possible are demanded where
//! the rank is measured: the fewer, the more traces the module accepts.

use super::modules::{Honda, Node, Plan, Start};
use super::tracking::{After, Graph, Tracker, implied};
use super::transitions::Transition;
use super::{Division, Termination, limits, ranks};
use crate::horn::Class;
use base::{EntityRef, Interrupted};
use logic::{Rational, Symbol, Term, Terms};
use num_traits::{One, Zero};
use nwa::buchi::LassoRun;
use smt::Answer;

/// A lasso as words of letters.
pub struct Lasso {
    /// The stem.
    pub stem: Vec<usize>,
    /// The loop.
    pub repeated: Vec<usize>,
    /// The class where the loop begins.
    pub head: Class,
}

impl Lasso {
    /// The lasso of a run, turned such that the loop begins where most letters of the component meet.
    pub fn new(graph: &Graph, run: &LassoRun) -> Lasso {
        let letters = |word: &nwa::NestedWord| -> Vec<usize> {
            word.symbols().iter().map(|symbol| symbol.letter().index()).collect()
        };
        let (mut stem, mut repeated) = (letters(&run.stem.word), letters(&run.repeated.word));
        let meeting = |class: Class| graph.letters.iter().filter(|letter| letter.target == class).count();
        let heads: Vec<usize> =
            repeated.iter().map(|&letter| meeting(graph.letters[letter].source)).collect();
        let most = heads.iter().copied().max().unwrap_or(0);
        let first = heads.iter().position(|&count| count == most).unwrap_or(0);
        stem.extend(&repeated[..first]);
        repeated.rotate_left(first);
        let head = graph.letters[repeated[0]].source;
        Lasso { stem, repeated, head }
    }
}

/// The module for the reason why no run follows a lasso for ever, if one is found.
pub fn explain(
    engine: &mut Termination<'_, '_>,
    graph: &mut Graph,
    lasso: &Lasso,
) -> Result<Option<Plan>, Interrupted> {
    if let Some(plan) = infeasible(engine, graph, lasso)? {
        return Ok(Some(plan));
    }
    let round = graph.steps(&lasso.repeated);
    let facts = facts_after(engine, lasso.head, &round)?;
    for known in [&[][..], &facts[..]] {
        if let Some(plan) = ranked(engine, graph, lasso, (known, &facts), Start::Anywhere)? {
            return Ok(Some(plan));
        }
    }
    let mut kept = facts_kept(engine, graph, lasso)?;
    kept.extend(facts.iter().copied().filter(|fact| !kept.contains(fact)).collect::<Vec<_>>());
    ranked(engine, graph, lasso, (&kept, &kept), Start::Beginning)
}

/// A module for an infeasible prefix of a lasso.
fn infeasible(
    engine: &mut Termination<'_, '_>,
    graph: &mut Graph,
    lasso: &Lasso,
) -> Result<Option<Plan>, Interrupted> {
    let round = &lasso.repeated;
    let twice: Vec<usize> = round.iter().chain(round).copied().collect();
    let whole: Vec<usize> = lasso.stem.iter().chain(round).copied().collect();
    for (word, start) in [(round, Start::Anywhere), (&twice, Start::Anywhere), (&whole, Start::Beginning)] {
        if word.len() > limits::LONGEST_WORD {
            continue;
        }
        let mut steps = graph.steps(word);
        if start == Start::Beginning {
            // The step that enters the component belongs to the stem.
            let first = graph.letters[word[0]].source;
            let mut entering =
                graph.entering.iter().filter(|&&step| engine.whole.steps[step].target == Some(first));
            if let (Some(&only), None) = (entering.next(), entering.next()) {
                steps.insert(0, only);
            }
        }
        let mut transition = engine.composed(&steps);
        let formula = transition.formula(&engine.known, engine.context.terms);
        let mut session = engine.session(&formula);
        let answer = session.check(engine.context.terms);
        engine.context.budget.check()?;
        if answer != Answer::Unsat {
            continue;
        }
        let mut tracker = Tracker::new(Vec::new());
        chain(engine, graph, &mut tracker, word, Goal { post: Term::FALSE, kind: Chain::Weakest, old: &[] })?;
        let first = graph.letters[word[0]].source;
        let mut plan = Plan { tracker, honda: None, start, first };
        if accepts(engine, graph, &mut plan, lasso)? {
            return Ok(Some(plan));
        }
    }
    Ok(None)
}

/// A module for the rank of the loop of a lasso, with the help of `known` facts; all `facts` are predicates.
fn ranked(
    engine: &mut Termination<'_, '_>,
    graph: &mut Graph,
    lasso: &Lasso,
    (known, facts): (&[Term], &[Term]),
    start: Start,
) -> Result<Option<Plan>, Interrupted> {
    if lasso.repeated.len() > limits::LONGEST_WORD {
        return Ok(None);
    }
    let mut transition = engine.composed(&graph.steps(&lasso.repeated));
    for &fact in known {
        let fact = transition.before.apply(engine.context.terms, fact);
        transition.guard.push(fact);
    }
    let Ok(entries) = engine.rank_transitions(vec![transition], &[lasso.head], Division::ByValues)? else {
        return Ok(None);
    };
    let (head, sort) = (lasso.head, engine.sort);
    let features = engine.features[head].clone();
    let rank = ranks::entries_at(&entries, head, &features, sort, engine.context.terms);
    let mut plan = tracked(engine, graph, lasso, (rank, facts))?;
    plan.start = start;
    // First without any facts, then with all, then without those that are not needed.
    if accepts(engine, graph, &mut plan, lasso)? {
        return Ok(Some(plan));
    }
    let all: Vec<usize> = facts.iter().map(|&fact| plan.tracker.add(head, fact)).collect();
    demand(&mut plan, all.clone());
    if !accepts(engine, graph, &mut plan, lasso)? {
        return Ok(None);
    }
    let mut needed = all;
    let mut position = 0;
    while position < needed.len() {
        let mut fewer = needed.clone();
        fewer.remove(position);
        demand(&mut plan, fewer.clone());
        if accepts(engine, graph, &mut plan, lasso)? {
            needed = fewer;
        } else {
            position += 1;
        }
    }
    demand(&mut plan, needed);
    Ok(Some(plan))
}

fn demand(plan: &mut Plan, needed: Vec<usize>) {
    if let Some(honda) = &mut plan.honda {
        honda.needed = needed;
    }
}

/// The plan for a rank, with predicates for the loop of the lasso.
fn tracked(
    engine: &mut Termination<'_, '_>,
    graph: &Graph,
    lasso: &Lasso,
    (rank, facts): (Vec<Term>, &[Term]),
) -> Result<Plan, Interrupted> {
    let (head, sort) = (lasso.head, engine.sort);
    let old: Vec<Term> = (0..rank.len())
        .map(|number| program::Module::old_entry(number, sort, engine.context.terms))
        .collect();
    let names: Vec<Symbol> = old.iter().filter_map(|&name| engine.context.terms.as_symbol(name)).collect();
    let terms = &mut *engine.context.terms;
    let measuring = old.iter().zip(&rank).map(|(&name, &entry)| terms.eq(name, entry)).collect();
    let smaller = ranks::becomes_smaller(&old, &rank, terms);
    let (zero, one) = (terms.numeral(Rational::zero(), sort), terms.numeral(Rational::one(), sort));
    let mut compared = Vec::new();
    for (&name, &entry) in old.iter().zip(&rank) {
        let less = terms.sub(name, one);
        compared.extend([terms.le(entry, less), terms.le(entry, name), terms.ge(name, zero)]);
    }
    let mut tracker = Tracker::new(measuring);
    tracker.speak_of(&names, terms);
    let number = tracker.add(head, smaller);
    let classes: Vec<Class> = {
        let mut classes: Vec<Class> = graph.letters.iter().map(|letter| letter.target).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    };
    for class in classes {
        for &predicate in compared.iter().chain([&smaller]).chain(facts) {
            if engine.is_about(class, predicate, &names) {
                tracker.add(class, predicate);
            }
        }
    }
    let goal = |post, kind| Goal { post, kind, old: &names };
    for &post in compared.iter().chain(facts) {
        chain(engine, graph, &mut tracker, &lasso.repeated, goal(post, Chain::Substituted))?;
    }
    chain(engine, graph, &mut tracker, &lasso.repeated, goal(smaller, Chain::Weakest))?;
    for &post in facts.iter().take(limits::MOST_FACTS) {
        chain(engine, graph, &mut tracker, &lasso.stem, goal(post, Chain::Weakest))?;
    }
    let honda = Honda { class: head, rank, smaller: number, needed: Vec::new() };
    Ok(Plan { tracker, honda: Some(honda), start: Start::Anywhere, first: head })
}

/// How the predicates before a word are made of the one after it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chain {
    /// By replacing what steps change.
    Substituted,
    /// As weakest preconditions.
    Weakest,
}

/// What is to hold after a word.
struct Goal<'a> {
    post: Term,
    kind: Chain,
    /// The names of the old rank.
    old: &'a [Symbol],
}

/// Adds the predicates that lead along a word to a goal.
fn chain(
    engine: &mut Termination<'_, '_>,
    graph: &Graph,
    tracker: &mut Tracker,
    word: &[usize],
    goal: Goal<'_>,
) -> Result<(), Interrupted> {
    let mut post = goal.post;
    for &letter in word.iter().rev() {
        let step = graph.letters[letter].steps[0];
        let before = match goal.kind {
            Chain::Substituted => engine.substituted(step, post, goal.old),
            Chain::Weakest => engine.precondition(step, post, goal.old)?,
        };
        let Some(before) = before else { return Ok(()) };
        let class = graph.letters[letter].source;
        let count = tracker.pool.get(&class).map_or(0, Vec::len);
        if matches!(before, Term::TRUE | Term::FALSE) || count >= limits::MOST_PREDICATES {
            return Ok(());
        }
        tracker.add(class, before);
        post = before;
    }
    Ok(())
}

/// Does the automaton of a plan accept the lasso?
fn accepts(
    engine: &mut Termination<'_, '_>,
    graph: &mut Graph,
    plan: &mut Plan,
    lasso: &Lasso,
) -> Result<bool, Interrupted> {
    let mut node = match plan.start {
        Start::Anywhere => plan.beginning(),
        Start::Beginning => {
            let word: Vec<usize> = lasso.stem.iter().chain(&lasso.repeated).copied().collect();
            let class = graph.letters[word[0]].source;
            let predicates = plan.tracker.at_entry(engine, graph, class)?;
            let mut node = Node::Tracked { class, predicates, measured: false };
            for &letter in &lasso.stem {
                match plan.next(engine, graph, &node, letter)? {
                    Some(next) => node = next,
                    None => return Ok(false),
                }
            }
            node
        }
    };
    // Where a round begins, with whether a state was accepting since then.
    let mut rounds: Vec<(Node, bool)> = Vec::new();
    for _ in 0..limits::MOST_ROUNDS {
        if let Some(position) = rounds.iter().position(|(known, _)| *known == node) {
            return Ok(rounds[position..].iter().any(|&(_, accepted)| accepted));
        }
        let start = node.clone();
        let mut accepted = false;
        for &letter in &lasso.repeated {
            accepted |= plan.accepts(&node);
            match plan.next(engine, graph, &node, letter)? {
                Some(next) => node = next,
                None => return Ok(false),
            }
        }
        rounds.push((start, accepted));
    }
    Ok(false)
}

/// Facts that hold at a class after a word of steps that comes there, whatever was before.
fn facts_after(
    engine: &mut Termination<'_, '_>,
    class: Class,
    word: &[usize],
) -> Result<Vec<Term>, Interrupted> {
    let mut transition = engine.composed(word);
    let forms = forms(engine, class, &mut transition);
    let formula = transition.formula(&engine.known, engine.context.terms);
    let mut session = engine.session(&formula);
    let candidates: Vec<Term> = forms.iter().flatten().copied().collect();
    let terms = &mut *engine.context.terms;
    let after: Vec<Term> = candidates.iter().map(|&fact| transition.after.apply(terms, fact)).collect();
    match implied(engine, &mut *session, &after)? {
        After::Never => Ok(Vec::new()),
        After::Holds(held) => Ok(tightest(&forms, |number| held.contains(&number))),
    }
}

/// Facts that hold after the stem of a lasso, and after each round if they hold before it.
fn facts_kept(
    engine: &mut Termination<'_, '_>,
    graph: &Graph,
    lasso: &Lasso,
) -> Result<Vec<Term>, Interrupted> {
    let mut stem = graph.steps(&lasso.stem);
    let first = lasso.stem.first().map_or(lasso.head, |&letter| graph.letters[letter].source);
    let entering = graph.entering.iter().find(|&&step| engine.whole.steps[step].target == Some(first));
    if let Some(&step) = entering {
        stem.insert(0, step);
    }
    if stem.is_empty() {
        return Ok(Vec::new());
    }
    let mut before = engine.composed(&stem);
    let mut round = engine.composed(&graph.steps(&lasso.repeated));
    let forms = forms(engine, lasso.head, &mut round);
    let candidates: Vec<Term> = forms.iter().flatten().copied().collect();
    let formula = before.formula(&engine.known, engine.context.terms);
    let mut session = engine.session(&formula);
    let terms = &mut *engine.context.terms;
    let after: Vec<Term> = candidates.iter().map(|&fact| before.after.apply(terms, fact)).collect();
    let mut left = match implied(engine, &mut *session, &after)? {
        After::Never => return Ok(Vec::new()),
        After::Holds(held) => held,
    };
    let formula = round.formula(&engine.known, engine.context.terms);
    let mut session = engine.session(&formula);
    loop {
        let terms = &mut *engine.context.terms;
        session.push();
        for &number in &left {
            let fact = round.before.apply(terms, candidates[number]);
            session.assert(terms, fact);
        }
        let after: Vec<Term> =
            left.iter().map(|&number| round.after.apply(terms, candidates[number])).collect();
        let held = implied(engine, &mut *session, &after)?;
        session.pop();
        match held {
            After::Never => return Ok(Vec::new()),
            After::Holds(held) if held.len() == left.len() => break,
            After::Holds(held) => left = held.into_iter().map(|position| left[position]).collect(),
        }
    }
    Ok(tightest(&forms, |number| left.contains(&number)))
}

/// Of each form the tightest bound that holds. Candidates are numbered as they come, bounds of one form from the tightest.
fn tightest(forms: &[Vec<Term>], holds: impl Fn(usize) -> bool) -> Vec<Term> {
    let mut found = Vec::new();
    let mut number = 0;
    for form in forms {
        let bound = (0..form.len()).find(|&bound| holds(number + bound));
        found.extend(bound.map(|bound| form[bound]));
        number += form.len();
    }
    found.truncate(limits::MOST_FACTS);
    found
}

/// Bounds of numbers that a transition changes or asks for, and of their differences; of each form all bounds, the tightest
/// first.
fn forms(engine: &mut Termination<'_, '_>, class: Class, transition: &mut Transition) -> Vec<Vec<Term>> {
    let asked = engine.context.terms.free_symbols_of(&transition.guard);
    let terms = &mut *engine.context.terms;
    let mut numbers: Vec<Term> = Vec::new();
    for &feature in &engine.features[class] {
        let changes = transition.after.apply(terms, feature) != feature;
        let matters = terms.free_symbols(feature).iter().any(|symbol| asked.contains(symbol));
        if (changes || matters) && numbers.len() < limits::MOST_COMPARED {
            numbers.push(feature);
        }
    }
    let mut found = Vec::new();
    for (position, &left) in numbers.iter().enumerate() {
        for &right in &numbers[position + 1..] {
            let (above, below) = (terms.sub(left, right), terms.sub(right, left));
            found.push(bounds(above, terms));
            found.push(bounds(below, terms));
        }
    }
    for &number in &numbers {
        let negative = terms.neg(number);
        found.push(bounds(number, terms));
        found.push(bounds(negative, terms));
    }
    found
}

fn bounds(number: Term, terms: &mut Terms) -> Vec<Term> {
    let sort = terms.sort_of(number);
    (-limits::LARGEST_BOUND..=limits::LARGEST_BOUND)
        .map(|bound| {
            let bound = terms.numeral(Rational::from_integer(bound.into()), sort);
            terms.le(number, bound)
        })
        .collect()
}
