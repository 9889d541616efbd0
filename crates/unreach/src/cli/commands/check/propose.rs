//! `unreach check --propose`: contracts that could be proven, as text to paste before a function.
//!
//! Clauses are guessed from the types of the parameters and then tried: the function is checked again with them as its contract,
//! from any state that satisfies the preconditions, and nothing is proposed that was not proven in this way. The
//! preconditions are as few as possible: those without which everything is proven just as well are left out, and they are
//! proposed only if some state satisfies them. The clause `ensures` is what the proof itself says about the result, and what holds
//! of a few comparisons. Loop invariants are what the proof says: they are put before their loops, each loop is then known by its
//! invariant only, and those are proposed with which the contract is still proven.
//!
//! Cost: one question more for each clause that is guessed.

use super::{Checker, decide, decide_by};
use base::Span;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write;
use unreach::Answer;
use unreach::Decision;
use unreach::Plan;
use unreach::answer::Proof;
use unreach::project::Question;
use unreach::report::proof::InvariantKind;

/// What is guessed about the sizes of integers.
const HALF: &str = "1073741823";

/// A result is compared with so many parameters.
const MOST_COMPARED: usize = 3;

/// The text to paste for a function; none if nothing could be proven, or it has a contract.
pub(super) fn contract(checker: &Checker<'_>, question: &Question) -> Option<String> {
    if question.has_contract() || question.parameters().iter().any(|one| one.name.is_empty()) {
        return None;
    }
    let trial = Trial { checker, question };
    let requires = trial.requires()?;
    let (assigns, mut decision) = trial.assigns(&requires)?;
    let mut clauses = requires.clone();
    clauses.push(assigns);
    for ensured in ensures(&decision).into_iter().chain(trial.results()) {
        let mut more = clauses.clone();
        more.push(format!("ensures {ensured};"));
        if let Some(proof) = trial.proves(&more) {
            (clauses, decision) = (more, proof);
        }
    }
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "       proven, to paste before the function:");
    for (number, clause) in clauses.iter().enumerate() {
        let begin = if number == 0 { "/*@ " } else { "  @ " };
        let _ = writeln!(text, "{begin}{clause}");
    }
    text.push_str("  @*/");
    for LoopInvariant { place, clause, .. } in trial.loop_invariants(&clauses, &decision) {
        let _ = write!(text, "\n       proven, to paste before the loop at {place}:\n{clause}");
    }
    Some(text)
}

/// What is proposed for a loop.
#[derive(Clone)]
struct LoopInvariant {
    place: String,
    /// Where the loop begins in the text of its file.
    offset: usize,
    /// The text to paste there.
    clause: String,
}

struct Trial<'t> {
    checker: &'t Checker<'t>,
    question: &'t Question,
}

impl Trial<'_> {
    /// The decision about a contract, if it is proven.
    fn proves(&self, clauses: &[String]) -> Option<Decision> {
        self.proves_with(clauses, &[])
    }

    /// What can be proposed for the loops of a function whose contract is proven.
    fn loop_invariants(&self, clauses: &[String], decision: &Decision) -> Vec<LoopInvariant> {
        let mut found = loop_invariants(decision);
        if found.is_empty() && is_unwinding(decision) {
            // Such a proof says nothing about loops that could be pasted, so another one is looked for.
            let plan = match unreach::engine("bounded") {
                Some(unwinding) => Plan::default().without(unwinding),
                None => return Vec::new(),
            };
            let mut problem = self.question.with_contract(clauses, false);
            problem.iter_mut().for_each(|problem| problem.property = self.checker.property);
            let other = problem.and_then(|problem| decide_by(self.checker.job, &problem, plan).ok()?.first());
            found = other.iter().flat_map(loop_invariants).collect();
        }
        self.confirmed(clauses, found)
    }

    /// The loop invariants with which a contract is proven when they stand before their loops: all, or those of single loops.
    fn confirmed(&self, clauses: &[String], all: Vec<LoopInvariant>) -> Vec<LoopInvariant> {
        if all.is_empty() || self.proves_with(clauses, &all).is_some() {
            return all;
        }
        let mut kept: Vec<LoopInvariant> = Vec::new();
        for invariant in all {
            kept.push(invariant);
            if self.proves_with(clauses, &kept).is_none() {
                kept.pop();
            }
        }
        kept
    }

    /// The decision about a contract with loop invariants, if it is proven.
    fn proves_with(&self, clauses: &[String], loops: &[LoopInvariant]) -> Option<Decision> {
        let mut problem = self.question.with_contract(clauses, false)?;
        for LoopInvariant { offset, clause, .. } in loops.iter().rev() {
            problem.insert(*offset, clause);
        }
        problem.property = self.checker.property;
        let decision = decide(self.checker.job, &problem, None).ok()?.first()?;
        matches!(decision.answer, Answer::Safe(_)).then_some(decision)
    }

    /// Whether a state satisfies preconditions: an execution is found that does.
    fn satisfiable(&self, clauses: &[String]) -> bool {
        let Some(mut problem) = self.question.with_contract(clauses, true) else { return false };
        problem.property = self.checker.property;
        let decision = decide(self.checker.job, &problem, None).ok().and_then(|decided| decided.first());
        decision.is_some_and(|decision| matches!(decision.answer, Answer::Unsafe(_)))
    }

    /// Preconditions under which nothing fails, as few as possible; none if no guess does it.
    fn requires(&self) -> Option<Vec<String>> {
        let everything = vec!["requires \\true;".to_owned()];
        if self.proves(&everything).is_some() {
            return Some(Vec::new());
        }
        let mut clauses: Vec<String> = self.guesses();
        self.proves(&clauses)?;
        let mut index = 0;
        while index < clauses.len() {
            let mut fewer = clauses.clone();
            fewer.remove(index);
            if !fewer.is_empty() && self.proves(&fewer).is_some() {
                clauses = fewer;
            } else {
                index += 1;
            }
        }
        self.satisfiable(&clauses).then_some(clauses)
    }

    /// What callers often guarantee: pointers lead to as many elements as the next number says, or to one; and numbers are
    /// far from the bounds of their types.
    fn guesses(&self) -> Vec<String> {
        let parameters = self.question.parameters();
        let mut guesses = Vec::new();
        for (index, parameter) in parameters.iter().enumerate() {
            let name = &parameter.name;
            let count = parameters[index + 1..]
                .iter()
                .find(|next| matches!(next.kind, c::ParameterKind::Integer { width, .. } if width >= 16));
            match (parameter.kind, count) {
                (c::ParameterKind::Elements, Some(count)) => {
                    guesses.push(format!("requires \\valid({name} + (0 .. {} - 1));", count.name));
                }
                (c::ParameterKind::Object | c::ParameterKind::Elements, _) => {
                    guesses.push(format!("requires \\valid({name});"));
                }
                (c::ParameterKind::Integer { signed: true, width: 32.. }, _) => {
                    guesses.push(format!("requires {name} >= 0;"));
                    guesses.push(format!("requires {name} <= {HALF};"));
                    guesses.push(format!("requires {name} != 0;"));
                }
                (c::ParameterKind::Integer { signed: false, width: 32.. }, _) => {
                    guesses.push(format!("requires {name} != 0;"));
                }
                (c::ParameterKind::Integer { .. } | c::ParameterKind::Other, _) => {}
            }
        }
        guesses
    }

    /// What might be said about a result that is an integer: its sign, and that it is one of the arguments, or how it compares.
    fn results(&self) -> Vec<String> {
        if !self.question.returns_integer() {
            return Vec::new();
        }
        let parameters = self.question.parameters();
        let integers = parameters.iter().filter(|one| matches!(one.kind, c::ParameterKind::Integer { .. }));
        let names: Vec<&str> = integers.map(|one| one.name.as_str()).take(MOST_COMPARED).collect();
        let mut all = vec!["\\result >= 0".to_owned(), "\\result <= 1".to_owned()];
        if !names.is_empty() {
            let equal: Vec<String> = names.iter().map(|name| format!("\\result == \\old({name})")).collect();
            all.push(equal.join(" || "));
        }
        for name in names {
            all.extend([format!("\\result <= \\old({name})"), format!("\\result >= \\old({name})")]);
        }
        all
    }

    /// A clause `assigns` that is proven, the smallest of a few; with the proof.
    fn assigns(&self, requires: &[String]) -> Option<(String, Decision)> {
        let parameters = self.question.parameters();
        let mut behind = Vec::new();
        for (index, parameter) in parameters.iter().enumerate() {
            let counted =
                requires.iter().any(|clause| clause.contains(&format!("\\valid({} + (", parameter.name)));
            let count = parameters[index + 1..].first();
            match (parameter.kind, count) {
                (c::ParameterKind::Elements, Some(count)) if counted => {
                    behind.push(format!("{}[0 .. {} - 1]", parameter.name, count.name));
                }
                (c::ParameterKind::Object | c::ParameterKind::Elements, _) => {
                    behind.push(format!("*{}", parameter.name));
                }
                _ => {}
            }
        }
        let variables = self.question.variables();
        let mut lists = vec!["\\nothing".to_owned()];
        lists.extend(behind.iter().cloned());
        lists.extend([&behind, &variables].iter().filter(|list| list.len() > 1).map(|list| list.join(", ")));
        if variables.len() == 1 {
            lists.extend(variables.iter().cloned());
        }
        let both: Vec<String> = behind.iter().chain(&variables).cloned().collect();
        if !behind.is_empty() && !variables.is_empty() {
            lists.push(both.join(", "));
        }
        lists.into_iter().find_map(|list| {
            let clause = format!("assigns {list};");
            let all: Vec<String> = requires.iter().cloned().chain([clause.clone()]).collect();
            self.proves(&all).map(|decision| (clause, decision))
        })
    }
}

/// What the proof says about the end of the function, in words of ACSL.
fn ensures(decision: &Decision) -> Vec<String> {
    let Answer::Safe(safe) = &decision.answer else { return Vec::new() };
    let said = safe.invariants.iter().filter_map(|invariant| match &invariant.kind {
        InvariantKind::Ensures(name) if name.starts_with("__unreach_body_") => invariant.c_expression.clone(),
        _ => None,
    });
    said.filter(|text| !text.contains("__unreach") && text.contains("\\result")).collect()
}

/// Whether a proof follows all executions to their ends.
fn is_unwinding(decision: &Decision) -> bool {
    matches!(&decision.answer, Answer::Safe(safe) if matches!(safe.proof, Proof::Unwinding(_)))
}

/// What the proof says about loops of the file, in their order.
fn loop_invariants(decision: &Decision) -> Vec<LoopInvariant> {
    let (Answer::Safe(safe), Some(view)) = (&decision.answer, &decision.view) else { return Vec::new() };
    let file = view.back.as_ref().and_then(|back| back.file);
    // Copies of one loop have invariants of their own, which need not hold for the others.
    let mut all: BTreeMap<usize, Option<LoopInvariant>> = BTreeMap::new();
    for invariant in &safe.invariants {
        if invariant.kind != InvariantKind::Loop {
            continue;
        }
        // What is no C in these words is found out when it is tried.
        let text = &invariant.formula;
        if Some(invariant.span.file) != file || text.contains("__unreach") || text.contains("unreach_") {
            continue;
        }
        let Span { file, start, .. } = invariant.span;
        let Some(offset) = start_of_loop(&view.sources.file(file).text, start as usize) else { continue };
        let place = view.sources.place(Span { file, start: offset as u32, end: start });
        let clause = format!("/*@ loop invariant {text}; */");
        match all.entry(offset) {
            Entry::Vacant(entry) => _ = entry.insert(Some(LoopInvariant { place, offset, clause })),
            Entry::Occupied(mut entry) => {
                if entry.get().as_ref().is_some_and(|known| known.clause != clause) {
                    entry.insert(None);
                }
            }
        }
    }
    all.into_values().flatten().collect()
}

/// Where the loop begins whose condition stands at an offset: at the last keyword before it. Of a loop that has its condition at the end
/// this is no place to paste something to, which the check of the pasted text finds out.
fn start_of_loop(text: &str, condition: usize) -> Option<usize> {
    let before = text.get(..condition)?;
    let in_name = |character: char| character.is_alphanumeric() || character == '_';
    let is_word = |&(start, word): &(usize, &str)| {
        !before[..start].ends_with(in_name) && !before[start + word.len()..].starts_with(in_name)
    };
    let last = |keyword| before.rmatch_indices(keyword).find(is_word).map(|(start, _)| start);
    last("while").max(last("for"))
}
