//! Kinds of checks, each asked about by itself, while the question about all of them waits.
//!
//! That all accesses are valid, that no block is lost and that nothing overflows have different reasons, and who looks for invariants that show all of it at
//! once finds them late or not at all. Where the question about all checks has taken some rounds without an answer, the engines are held up, and every kind is
//! asked about by itself with all others assumed, as in a survey ([`checks`](super)). What static analysis shows is settled before. Kinds that stay open are
//! asked about again after some more rounds.
//!
//! A kind is asked about in a translation that has no other checks ([`Kinds::narrow`]): without the memory that says which memory has a value, for example, proofs
//! about lists are shorter. In the next turn it is one in which accesses are known to be valid as well, and then the one with all checks.
//!
//! Costs: the first rounds nothing. After that a kind costs half of what the question about all has cost so far, each time when that doubles, so an
//! answer to the whole question is later by a factor that grows with the number of kinds that are open, and not with that of the checks.

use super::{Check, Found, Selection, Surveyor, WithoutWarnings, checks, together};
use crate::agenda::Aim;
use crate::answer::{Answer, Decision, Failure};
use crate::c_settings::CSettings;
use crate::observer::Observer;
use crate::plan::Plan;
use crate::problem::{Language, Problem};
use crate::race::LATE;
use crate::stand::Stand;
use crate::translations::Translations;
use crate::view::{BitOperations, View};
use base::Budget;
use property::named::{Check as Named, Checks};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The round behind which kinds are asked about first, if they are so many or more, …
const FIRST_OF_MANY: u32 = 1;
const MANY: usize = 4;
/// … and if they are fewer, as all of them may well have one proof then.
const FIRST_OF_FEW: u32 = LATE;
/// So many rounds a kind is asked about at least: in fewer, engines that look for invariants about blocks and arrays have had no turn.
const LEAST_ROUNDS: u32 = 2;

/// Checks in whose translations it is known which memory lives.
const MEMORY: [Named; 4] = [Named::Deref, Named::Free, Named::Track, Named::Cleanup];

/// Which checks a translation has in which a kind is asked about.
#[derive(Clone, Copy, Debug)]
enum Width {
    Own,
    /// Also those of accesses and frees.
    WithMemory,
    All,
}

/// The kinds of checks of a problem, as far as they are open.
pub(crate) struct Kinds<'a> {
    surveyor: Surveyor<'a>,
    view: Arc<View>,
    /// The round behind which they have their first turn.
    first: u32,
    /// How many turns they have had.
    turns: u32,
}

impl<'a> Kinds<'a> {
    /// The kinds of a problem with its first view; nothing if there is only one, or if the answer has to be a single proof.
    pub(crate) fn new(
        problem: &Problem,
        view: &Arc<View>,
        plan: &'a Plan,
        budget: &'a Budget,
        observer: &Arc<dyn Observer>,
    ) -> Option<Kinds<'a>> {
        let is_asked = plan.kinds_apart && plan.aim() == Aim::Plan && !plan.certificate;
        if !is_asked || !problem.selection.is_everything() || view.is_concurrent() || view.is_temporal() {
            return None;
        }
        let all: BTreeSet<Check> = checks(&view.program).into_iter().collect();
        let first = match by_kind(&all).len() {
            0 | 1 => return None,
            MANY.. => FIRST_OF_MANY,
            _ => FIRST_OF_FEW,
        };
        let problem = Problem { translations: Some(Translations::default()), ..problem.clone() };
        let observer: Arc<dyn Observer> = Arc::new(WithoutWarnings(Arc::clone(observer)));
        let surveyor = Surveyor::new(problem, plan, budget, observer, view);
        Some(Kinds { surveyor, view: Arc::clone(view), first, turns: 0 })
    }

    /// What is found out behind a round: that a check fails, or that all of them are proven.
    pub(crate) fn behind(&mut self, round: u32) -> Result<Option<Decision>, Failure> {
        if round < self.first || self.surveyor.open.is_empty() {
            return Ok(None);
        }
        if self.turns == 0 {
            self.surveyor.proofs_at_once(&self.view)?;
        }
        let rounds = round.max(LEAST_ROUNDS);
        let width = [Width::Own, Width::WithMemory, Width::All][self.turns as usize % 3];
        self.turns += 1;
        for (kind, group) in by_kind(&self.surveyor.open) {
            if self.surveyor.budget.check().is_err() {
                return Ok(None);
            }
            let apart = match self.narrow(&group, width) {
                Some(problem) => self.proven_apart(&problem, &group, rounds)?,
                None => Apart::AskWithAll,
            };
            let decision = match apart {
                Apart::Proven(decision) => *decision,
                Apart::Open => continue,
                Apart::AskWithAll => self.surveyor.verify(self.surveyor.only(&group), rounds)?,
            };
            let is_proven = matches!(decision.answer, Answer::Safe(_));
            tracing::debug!(kind, round, ?width, is_proven, "asked about by itself");
            match &decision.answer {
                Answer::Safe(_) => self.surveyor.prove(group, decision),
                Answer::Unknown(_) => {}
                _ => return Ok(Some(decision)),
            }
        }
        if !self.surveyor.open.is_empty() {
            return Ok(None);
        }
        let proofs = std::mem::take(&mut self.surveyor.proofs);
        // What the answer rests on is what the question about all checks leaves out.
        let view = Some(Arc::clone(&self.view));
        Ok(together(proofs).map(|decision| Decision { view, ..decision }))
    }

    /// What is proven though not all is; nothing if there is no such check.
    pub(crate) fn stand(&self) -> Option<Stand> {
        let found = self.surveyor.found.iter();
        let proven: BTreeSet<Check> = found
            .filter(|(_, found)| matches!(found, Found::Proven))
            .map(|(check, _)| check.clone())
            .collect();
        (!proven.is_empty()).then(|| Stand { holds: Vec::new(), proven })
    }

    /// Whether the question about all checks has this one.
    fn asks(&self, check: Named) -> bool {
        let problem = &self.surveyor.problem;
        check.belongs_to(problem.property) || problem.c.checks.contains(check)
    }

    /// The question about a group in a translation with fewer checks; nothing if that is no other one.
    fn narrow(&self, group: &BTreeSet<Check>, width: Width) -> Option<Problem> {
        let problem = &self.surveyor.problem;
        if problem.language() != Some(Language::C) {
            return None;
        }
        let is_own = |named: &Named| match width {
            Width::WithMemory if matches!(named, Named::Deref | Named::Free) => true,
            Width::Own | Width::WithMemory => group.iter().any(|check| check_of(check) == Some(*named)),
            Width::All => true,
        };
        let asked = Named::ALL.into_iter().filter(|&named| problem.c.checks.contains(named));
        let own = asked.filter(is_own);
        let own = own.fold(Checks::default(), Checks::with);
        if own == problem.c.checks {
            return None;
        }
        let c = CSettings { checks: own, ..problem.c.clone() };
        let memory_elsewhere = MEMORY.into_iter().any(|check| self.asks(check));
        let translations = Some(Translations::default());
        let narrow = Problem { c, memory_elsewhere, translations, ..problem.clone() };
        let view = View::new(&narrow, BitOperations::Marked).ok()?;
        // A check that the whole question does not have ends no execution of it, so it has to be proven here.
        let is_meant = |check: &Check| group.contains(check) || !self.surveyor.all.contains(check);
        let selection = Selection::of(&view.program, is_meant);
        Some(Problem { selection, ..narrow })
    }

    /// Asks about a group in a translation of its own. A proof counts if the translation has all checks of the group, and ends an execution only where
    /// the question about all has a check, or ends it as well. Then the first check of an execution that fails is none of the group. Objects are the same in both
    /// translations, and what only the narrow one has to check is no part of what is assumed ([`Kinds::narrow`]). A failure does not count:
    /// another check, which the translation does not have, may fail before.
    fn proven_apart(
        &self,
        problem: &Problem,
        group: &BTreeSet<Check>,
        rounds: u32,
    ) -> Result<Apart, Failure> {
        let decision = self.surveyor.verify_problem(problem, rounds)?;
        match (&decision.answer, &decision.view) {
            (Answer::Safe(_), Some(view)) => {
                let there: BTreeSet<Check> = checks(&view.program).into_iter().collect();
                let whole = self.view.back.as_ref();
                let is_known = |check: &c::Check| {
                    self.asks(*check) || whole.is_some_and(|back| back.assumed.contains(check))
                };
                let counts = group.is_subset(&there)
                    && view.back.as_ref().is_some_and(|back| back.assumed.iter().all(is_known));
                Ok(if counts { Apart::Proven(Box::new(decision)) } else { Apart::Open })
            }
            (Answer::Unknown(_), _) => Ok(Apart::Open),
            _ => Ok(Apart::AskWithAll),
        }
    }
}

/// What a question about a group in a translation of its own says.
enum Apart {
    Proven(Box<Decision>),
    Open,
    /// There is no such translation, or something fails in it: the group has to be asked about with all checks.
    AskWithAll,
}

/// The checks of a group by their kinds. Accesses and frees are safe for the same reasons, and so it is with blocks that are lost or not freed.
pub(super) fn by_kind(group: &BTreeSet<Check>) -> BTreeMap<&'static str, BTreeSet<Check>> {
    let mut kinds: BTreeMap<&'static str, BTreeSet<Check>> = BTreeMap::new();
    for check in group {
        let kind = match check_of(check) {
            None => "",
            Some(Named::Free) => Named::Deref.name(),
            Some(Named::Cleanup) => Named::Track.name(),
            Some(named) => named.name(),
        };
        kinds.entry(kind).or_default().insert(check.clone());
    }
    kinds
}

/// The check with a name that this one is; nothing for what the program itself states.
fn check_of(check: &Check) -> Option<Named> {
    let (name, _) = check.what.split_once(": ").filter(|_| !check.is_clause)?;
    Named::ALL.into_iter().find(|named| named.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agenda::Agenda;
    use crate::answer::Proof;
    use crate::observer::Silent;

    /// What the kinds of a C program say in their first turns.
    fn by_themselves(text: &str, asked: &[Named], turns: u32) -> Option<Decision> {
        let mut problem = Problem::c("kinds.c", text);
        problem.c.checks = asked.iter().copied().fold(Checks::default(), Checks::with);
        let (plan, budget) = (Plan::default(), Budget::unlimited());
        let Ok(view) = Agenda::first_view(&problem) else { panic!("no translation") };
        let observer: Arc<dyn Observer> = Arc::new(Silent);
        let mut kinds = Kinds::new(&problem, &view, &plan, &budget, &observer).expect("several kinds");
        (LATE..LATE + turns).find_map(|round| kinds.behind(round).expect("no failure"))
    }

    const ARITHMETIC: &[Named] = &[Named::Overflow, Named::Division];

    #[test]
    fn kinds_that_are_proven_each_are_a_proof_of_all() {
        let text = "extern int input(void);\n\
            int main(void) {\n\
            int n = input(), *p = &n, sum = 0;\n\
            for (int i = 0; i < 1000; i++) sum += 2;\n\
            if (*p > 5 && *p < 100) sum = sum / *p + *p;\n\
            __VERIFIER_assert(sum >= 0);\n\
            return 0; }\n";
        let all = [ARITHMETIC, &[Named::Deref, Named::Uninitialised]].concat();
        let decision = by_themselves(text, &all, 3).expect("all kinds are proven");
        let Answer::Safe(safe) = &decision.answer else { panic!("{decision:?}") };
        assert!(matches!(&safe.proof, Proof::Parts(parts) if parts.len() > 1), "{safe:?}");
        let back = decision.view.as_ref().and_then(|view| view.back.as_ref()).expect("a C program");
        assert!(!back.assumed.iter().any(|check| all.contains(check)), "{:?}", back.assumed);
    }

    /// The assertion holds where nothing overflows, and nothing is divided by zero where the assertion holds.
    #[test]
    fn kinds_that_rest_on_each_other_hide_no_failure() {
        let text = "extern int input(void);\n\
            int main(void) {\n\
            int x = input();\n\
            int y = x + 1;\n\
            __VERIFIER_assert(y > x);\n\
            return 7 / (y - x); }\n";
        let decision = by_themselves(text, ARITHMETIC, 1).expect("something overflows");
        assert!(matches!(decision.answer, Answer::Unsafe(_)), "{decision:?}");
    }

    #[test]
    fn an_access_that_is_invalid_is_found_by_itself() {
        let text = "extern int input(void);\n\
            int main(void) {\n\
            int a[4] = {0}, i = input();\n\
            if (i < 0 || i > 4) return 0;\n\
            return 8 / (a[i] + 1); }\n";
        let all = [ARITHMETIC, &[Named::Deref]].concat();
        let decision = by_themselves(text, &all, 1).expect("an access is invalid");
        assert!(matches!(decision.answer, Answer::Unsafe(_)), "{decision:?}");
    }

    /// Where accesses are checked, the address of a member is none, and an overflow behind it counts.
    #[test]
    fn what_pointers_are_assumed_to_be_hides_no_failure() {
        let text = "extern int input(void);\n\
            struct pair { int first, second; } pair;\n\
            int main(void) {\n\
            struct pair *p = input() ? &pair : 0;\n\
            int *second = &p->second, great = 2147483647;\n\
            if (!p) great++;\n\
            return great > 0 && p && *second; }\n";
        for asked in [vec![Named::Overflow, Named::Deref], vec![Named::Overflow, Named::Track]] {
            let decision = by_themselves(text, &asked, 3).expect("something overflows");
            assert!(matches!(decision.answer, Answer::Unsafe(_)), "{asked:?}: {decision:?}");
        }
    }

    /// Variables of another round are other objects in the narrow translation as well.
    #[test]
    fn objects_are_the_same_in_narrow_translations() {
        let text = "int *last;\n\
            int main(void) {\n\
            int great = 2147483647;\n\
            for (int i = 0; i < 2; i++) {\n\
            int own = i;\n\
            if (i > 0 && last != &own) great++;\n\
            last = &own; }\n\
            return great > 0; }\n";
        let decision = by_themselves(text, &[Named::Overflow, Named::Deref], 3);
        assert!(decision.is_none_or(|decision| !matches!(decision.answer, Answer::Safe(_))));
    }

    #[test]
    fn what_is_proven_by_itself_is_known() {
        // Whether the product overflows or not, nothing is divided by zero.
        let text = "extern int input(void);\n\
            int main(void) {\n\
            int n = input(), x = 3;\n\
            if (n == 0) return 0;\n\
            while (input()) x = x * x % 1000003 + 1;\n\
            return 7 / n; }\n";
        let mut problem = Problem::c("known.c", text);
        problem.c.checks = ARITHMETIC.iter().copied().fold(Checks::default(), Checks::with);
        let plan = Plan::default().with_rounds(LEAST_ROUNDS);
        let (budget, observer) = (Budget::unlimited(), Arc::new(Silent) as Arc<dyn Observer>);
        let Ok(view) = Agenda::first_view(&problem) else { panic!("no translation") };
        let mut kinds = Kinds::new(&problem, &view, &plan, &budget, &observer).expect("several kinds");
        assert!(kinds.stand().is_none());
        assert!(
            kinds
                .behind(LATE)
                .expect("no failure")
                .is_none_or(|found| !matches!(found.answer, Answer::Safe(_)))
        );
        let stand = kinds.stand().expect("nothing is divided by zero");
        assert!(stand.proven.iter().any(|check| check.what.starts_with(Named::Division.name())), "{stand:?}");
    }

    #[test]
    fn one_kind_is_the_whole_question() {
        let text = "extern int input(void); int main(void) { return 7 / (input() | 1); }";
        let mut problem = Problem::c("one.c", text);
        problem.c.checks = Checks::default().with(Named::Division);
        let (plan, budget) = (Plan::default(), Budget::unlimited());
        let Ok(view) = Agenda::first_view(&problem) else { panic!("no translation") };
        let observer: Arc<dyn Observer> = Arc::new(Silent);
        assert!(Kinds::new(&problem, &view, &plan, &budget, &observer).is_none());
    }
}
