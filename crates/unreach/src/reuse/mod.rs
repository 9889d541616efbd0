//! What an earlier run found out about an earlier version of a program is tried first on the new one.
//!
//! A proof is a set of automata over statements, so it says something about every program with these statements (paper
//! "Software Model Checking for People who Love Automata", Section 2). What is kept of a proof are the formulas at the locations, and the
//! predicates of its automata, named by the statements of the program and not by their places ([`formulas`]); of an
//! execution, what it chose ([`executions`]); of an unwinding, its refutation. After an edit the statements of both versions are
//! aligned ([`align`]), and what was kept is carried over:
//!
//! 1. an execution is run with the same choices;
//! 2. if statements have changed, the question may have become easy: the plan has its first short rounds;
//! 3. the new program is labelled with the formulas and given to the independent check, and to nobody else;
//! 4. if that is refused, the program is run more often;
//! 5. if no run comes to an error, the formulas are candidates: those that hold and what they exclude are found out, and
//!    trace abstraction goes on with the traces that are left;
//! 6. an engine that had the answer then is asked alone.
//!
//! If all that leads to nothing, or takes longer than the earlier run allows, the plan begins as if nothing had been known.
//!
//! Guarantee: nothing that was kept is trusted. An answer comes from the same checks as any other, so a folder with wrong, old or
//! damaged entries costs time and no verdict.
//!
//! Termination and temporal properties keep nothing.

mod align;
mod executions;
mod formulas;
mod outline;
mod spots;
mod store;

pub use store::Reuse;

use crate::agenda::{Agenda, Item};
use crate::answer::{Answer, Decision, Failure, Proof, Safe};
use crate::attempt::{Attempt, Attempted, Shared, attempt, attempt_with, with_threads};
use crate::judge;
use crate::observer::Observer;
use crate::plan::{Control, Entry, Inlining, Plan};
use crate::prepared::Prepared;
use crate::problem::{Language, Problem};
use crate::race::{Lane, NEVER, race, shares};
use crate::view::View;
use align::{Correspondence, align};
use base::Budget;
use certify::format::Made;
use certify::{Certified, Subject};
use engines::annotation::Annotation;
use engines::{Answers, Bits, Calls, Counted, Engine, Task, known};
use executions::Choices;
use formulas::{Formulas, Ground};
use logic::Terms;
use outline::{Outline, Places};
use program::{Reason, Unwinding, Verdict};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use store::Name;

/// What the field `format` of an entry says. Another number is another format.
const FORMAT: &str = "unreach-reuse-1";

/// So much effort an earlier proof is worth at least, if there are formulas to go on with,
const LEAST_EFFORT: u64 = 60_000;
/// and if there is only an engine to begin with again.
const LEAST_EFFORT_OF_ENGINE: u64 = 10_000;
/// So much effort is spent on runs of a program whose earlier proof is none any more: as much as the first round of the plan has.
const EFFORT_OF_RUNS: u64 = 15_000;
/// An answer that took all engines less than this together is found anew as fast as an earlier one is carried over.
pub(crate) const EASY: u64 = 10_000;
/// So many times its earlier effort an engine may take.
const MORE_EFFORT: u64 = 2;
/// So often an earlier execution is run: with the same choices, by the checker, and for the report.
const RUNS_OF_AN_EXECUTION: u64 = 3;

/// Whose answers they are that need no engine.
pub const REUSE: &Engine = &Engine {
    name: "reuse",
    about: "What an earlier run found out, checked again",
    run: |_| Ok(Verdict::Unknown(Reason::Unsupported("nothing is known of an earlier run".to_owned()))),
    calls: Calls::Followed,
    answers: Answers::Proofs,
    bits: Bits::Bounded,
};

/// What is kept of a proof, as it is found; the rest of an entry is added when the answer is told.
#[derive(Clone, Debug)]
pub struct Kept {
    evidence: Value,
    inlining: Inlining,
    effort: u64,
}

/// Keeps what an engine's proof says.
pub(crate) fn kept_proof(
    (view, subject, prepared): (&View, &Subject, &Prepared),
    (annotation, proof): (Option<&Annotation>, &program::Proof),
    entry: &Entry,
    terms: &mut Terms,
    budget: &Budget,
) -> Option<Kept> {
    let (_, places) = Outline::of(&view.program);
    let ground = Ground { source: &view.program, subject, prepared, places: &places };
    let formulas = Formulas::of(&ground, annotation, proof, terms)?;
    let evidence = json!({ "formulas": formulas.json() });
    Some(Kept { evidence, inlining: entry.inlining, effort: budget.effort() })
}

/// Keeps an unwinding.
pub(crate) fn kept_unwinding(view: &View, unwinding: &Unwinding, entry: &Entry, budget: &Budget) -> Kept {
    let text = certify::unwinding::write(&view.program, &view.made, unwinding);
    Kept { evidence: json!({ "unwinding": text }), inlining: entry.inlining, effort: budget.effort() }
}

/// Who found something out without help, and what it cost.
#[derive(Clone, Copy)]
struct Effort {
    engine: Option<&'static Engine>,
    work: u64,
}

/// A problem as entries know it.
pub(crate) struct Asked<'a> {
    problem: &'a Problem,
    plan: &'a Plan,
    reuse: &'a Reuse,
    /// The view that entries are found by, with its outline.
    translation: &'a Arc<View>,
    outline: Outline,
    places: Places,
    name: Name,
    /// An engine that has had its turn alone and gave up by itself.
    spent: Arc<OnceLock<&'static Engine>>,
}

impl<'a> Asked<'a> {
    /// The problem with its first view; nothing if nothing is to be reused.
    pub(crate) fn new(problem: &'a Problem, plan: &'a Plan, translation: &'a Arc<View>) -> Option<Asked<'a>> {
        // Whoever has solvers compared wants all questions to be asked.
        let reuse = plan.reuse.as_ref().filter(|_| plan.solvers.cross_check.is_none())?;
        let (outline, places) = Outline::of(&translation.program);
        let mut digest = Sha256::new();
        for text in [
            FORMAT.to_owned(),
            format!("{:?} {:?}", problem.property, translation.program.entries()),
            translation.program.to_string(),
        ] {
            // The lengths keep texts apart.
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text.as_bytes());
        }
        let digest: String = digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        let name = Name::new(&outline, digest);
        let spent = Arc::default();
        Some(Asked { problem, plan, reuse, translation, outline, places, name, spent })
    }

    /// The plan without an engine that would come to the same end again: one that has given up about the only view of the
    /// problem, and not because of a limit.
    pub(crate) fn plan(&self) -> Plan {
        let mut plan = self.plan.clone();
        let has_one_view =
            self.problem.language() == Some(Language::Boogie) && self.translation.threads.is_none();
        if let Some(spent) = self.spent.get().filter(|_| has_one_view) {
            plan.entries.retain(|entry| entry.engine != *spent);
        }
        if plan.entries.is_empty() { self.plan.clone() } else { plan }
    }

    /// The answer that an earlier run leads to, if there is one. It is kept, too, unless it is known already.
    pub(crate) fn answer(&self, budget: &Budget, observer: &Arc<dyn Observer>) -> Option<Decision> {
        let found = self.reuse.find(&self.name);
        let read = |it: &store::Found| Some((Earlier::read(&it.text)?, it.is_same));
        // Of the entries that can be read only the nearest is tried: the others are farther away.
        let (earlier, is_same) = found.iter().find_map(read)?;
        if !is_same
            && !self.reuse.keeps_all
            && earlier.has_changed(&self.outline)
            && let Some(easy) = self.easy(budget, observer)
        {
            return Some(easy);
        }
        let effort = Effort { engine: earlier.engine, work: earlier.effort };
        let decision = self.try_earlier(earlier, is_same, budget, observer)?;
        if !is_same {
            self.keep_as(&decision, effort, budget);
        }
        Some(decision)
    }

    /// What the plan decides at once. An edit may have brought an error that is easily seen; then what is known of the program before
    /// would only be in the way.
    fn easy(&self, budget: &Budget, observer: &Arc<dyn Observer>) -> Option<Decision> {
        let translation = Arc::clone(self.translation);
        let (mut agenda, item) = Agenda::new(self.problem, translation, self.plan.aim(), budget).ok()?;
        let item = Item { effort: item.effort.only_short(), ..item };
        let decision = judge(item, self.plan, budget, observer, &mut |_| false).ok()?;
        // Of a program with threads, an answer about one product may not be the last word.
        let stands = !matches!(decision.answer, Answer::Unknown(_))
            && matches!(agenda.next(&decision.answer), Ok(None));
        stands.then_some(decision)
    }

    fn try_earlier(
        &self,
        earlier: Earlier,
        is_same: bool,
        budget: &Budget,
        observer: &Arc<dyn Observer>,
    ) -> Option<Decision> {
        let own = earlier.made == self.translation.made;
        let view = match own {
            true => Arc::clone(self.translation),
            false => Arc::new(View::again(self.problem, &earlier.made, budget).ok()?),
        };
        let shared = self.shared(view, observer)?;
        let least = match &earlier.evidence {
            Evidence::Unwinding(_) => LEAST_EFFORT_OF_ENGINE,
            Evidence::Execution(_) | Evidence::Formulas(_) => LEAST_EFFORT,
        };
        let effort = least.max(earlier.effort.saturating_mul(MORE_EFFORT));
        let spent = Arc::clone(&self.spent);
        let run = move |budget: &Budget| {
            let answer = AssertUnwindSafe(|| earlier.answer(&shared, is_same && own, &spent, budget));
            catch_unwind(answer).unwrap_or(None)
        };
        let share = shares(effort);
        let lane = Lane {
            name: REUSE.name,
            share,
            late_share: share,
            behind: NEVER,
            from: 0,
            alone: true,
            run: Box::new(run),
        };
        race(vec![lane], Option::is_some, (1, 1), budget).ok().and_then(|won| won.said)
    }

    /// What engines need to be asked about a view.
    fn shared(&self, view: Arc<View>, observer: &Arc<dyn Observer>) -> Option<Shared> {
        let mut terms = Terms::new();
        let subject = view.subject(&mut terms).ok()?;
        let plan = self.plan.clone();
        Some(Shared { view, exact: None, subject, terms, plan, observer: Arc::clone(observer) })
    }

    /// Keeps what a decision of the plan rests on, for later runs. Of an easy one nothing is kept: to hold it against the edited
    /// program takes as long as to decide anew, or longer.
    pub(crate) fn keep(&self, decision: &Decision, budget: &Budget) {
        if decision.was_easy && !self.reuse.keeps_all {
            return;
        }
        self.keep_as(decision, Effort { engine: decision.engine, work: 0 }, budget);
    }

    /// Keeps what a decision rests on, and what it cost without help, which is no less than what it cost now.
    fn keep_as(&self, decision: &Decision, effort: Effort, budget: &Budget) {
        let Some(view) = &decision.view else { return };
        let Some(kept) = self.kept(view, &decision.answer, budget) else { return };
        let own = Arc::ptr_eq(view, self.translation);
        let outline = if own { self.outline.json() } else { Outline::of(&view.program).0.json() };
        let entry = json!({
            "format": FORMAT,
            "made": view.made,
            "engine": effort.engine.map(|engine| engine.name),
            "inlining": kept.inlining == Inlining::IfSmall,
            "effort": kept.effort.max(effort.work),
            "evidence": kept.evidence,
            "outline": outline,
        });
        if let Err(error) = self.reuse.put(&self.name, entry.to_string()) {
            tracing::warn!("what was found out could not be kept: {error}");
        }
    }

    fn kept(&self, view: &Arc<View>, answer: &Answer, budget: &Budget) -> Option<Kept> {
        let execution = match answer {
            Answer::Safe(safe) => return safe.kept.clone(),
            Answer::Unsafe(execution) => execution,
            Answer::Leaps(leaps) => leaps.execution.as_ref()?,
            Answer::Terminates(_) | Answer::Infinite(_) | Answer::Unknown(_) => return None,
        };
        let other;
        let places = match Arc::ptr_eq(view, self.translation) {
            true => &self.places,
            false => {
                other = Outline::of(&view.program).1;
                &other
            }
        };
        let (part, _guard) = budget.part(u64::MAX);
        let choices = Choices::of(&view.program, places, &execution.run, &part).ok()??;
        budget.spend(part.effort());
        Some(Kept {
            evidence: json!({ "execution": choices.json() }),
            inlining: Inlining::Never,
            effort: part.effort().saturating_mul(RUNS_OF_AN_EXECUTION),
        })
    }
}

/// What an earlier run found out.
struct Earlier {
    made: Made,
    engine: Option<&'static Engine>,
    inlining: Inlining,
    effort: u64,
    outline: Outline,
    evidence: Evidence,
}

enum Evidence {
    Execution(Choices),
    Formulas(Formulas),
    Unwinding(String),
}

impl Earlier {
    /// The entry of a text; nothing if it is none.
    fn read(text: &str) -> Option<Earlier> {
        let value: Value = serde_json::from_str(text).ok()?;
        if value["format"] != FORMAT {
            return None;
        }
        let made = value["made"].as_object()?.iter();
        let made = made.map(|(name, chosen)| Some((name.clone(), chosen.as_str()?.to_owned())));
        let evidence = &value["evidence"];
        let evidence = if let Some(text) = evidence["unwinding"].as_str() {
            Evidence::Unwinding(text.to_owned())
        } else if evidence["execution"].is_object() {
            Evidence::Execution(Choices::of_json(&evidence["execution"])?)
        } else {
            Evidence::Formulas(Formulas::of_json(&evidence["formulas"])?)
        };
        Some(Earlier {
            made: made.collect::<Option<_>>()?,
            engine: value["engine"].as_str().and_then(engines::engine),
            inlining: if value["inlining"] == true { Inlining::IfSmall } else { Inlining::Never },
            effort: value["effort"].as_u64()?,
            outline: Outline::of_json(&value["outline"])?,
            evidence,
        })
    }

    /// Whether an earlier proof may be none any more, because statements are others, and not only names.
    fn has_changed(&self, outline: &Outline) -> bool {
        let is_proof = !matches!(self.evidence, Evidence::Execution(_));
        is_proof && align(&self.outline, outline).changes(&self.outline, outline)
    }

    /// What it leads to now. `is_same` says that the program has not changed, as far as names tell.
    fn answer(
        &self,
        shared: &Shared,
        is_same: bool,
        spent: &OnceLock<&'static Engine>,
        budget: &Budget,
    ) -> Option<Decision> {
        let (outline, places) = Outline::of(&shared.view.program);
        match &self.evidence {
            Evidence::Execution(choices) => {
                let found = align(&self.outline, &outline);
                let source = &shared.view.program;
                let run = choices.carried(&found, source, &places, budget).ok()??;
                let execution = certify::rerun(source, &run, budget);
                let execution = execution.and_then(|it| with_threads(&shared.view, it, budget)).ok()?;
                Some(decided(shared, Answer::Unsafe(Box::new(execution)), Counted::default()))
            }
            Evidence::Unwinding(text) => {
                let known = unwinding(shared, text, budget);
                // The engine would come to the same end again.
                if known.is_some() || is_same { known } else { self.engine_alone(shared, spent, budget) }
            }
            Evidence::Formulas(formulas) => {
                let found = align(&self.outline, &outline);
                let carried = Carried { formulas, found: &found, places: &places };
                let entry = Entry {
                    engine: REUSE,
                    inlining: self.inlining,
                    control: Control::InData,
                    share: 1,
                    from: 0,
                };
                let attempted = |step: &Attempt<'_>| attempt_with(shared, &entry, budget, step);
                let labelled = attempted(&|prepared, task| Ok(carried.labelled(shared, prepared, task)));
                let known = answered(shared, labelled);
                if known.is_some() {
                    return known;
                }
                budget.check().ok()?;
                if !is_same && let Some(failing) = few_runs(shared, EFFORT_OF_RUNS, budget) {
                    return Some(failing);
                }
                let proven = attempted(&|prepared, task| carried.proven(shared, prepared, task));
                let known = answered(shared, proven);
                if known.is_some() {
                    return known;
                }
                budget.check().ok()?;
                self.engine_alone(shared, spent, budget)
            }
        }
    }

    /// The engine that had the answer then, without the others; trace abstraction has had its turn.
    fn engine_alone(
        &self,
        shared: &Shared,
        spent: &OnceLock<&'static Engine>,
        budget: &Budget,
    ) -> Option<Decision> {
        let engine = self.engine.filter(|engine| *engine != engines::table::TRACE_ABSTRACTION)?;
        let takes_part = shared.plan.entries.iter().any(|entry| entry.engine == engine);
        let entry = Entry { engine, inlining: self.inlining, control: Control::InData, share: 1, from: 0 };
        let attempted = takes_part.then(|| attempt(shared, &entry, budget))?;
        if matches!(&attempted.answer, Ok(Answer::Unknown(reason)) if !matches!(reason, Reason::Limit(_))) {
            // It is the only one that has its turn alone.
            _ = spent.set(engine);
        }
        answered(shared, attempted)
    }
}

/// An execution that fails, if a few runs come to one: that is faster than to see a proof fail.
fn few_runs(shared: &Shared, effort: u64, budget: &Budget) -> Option<Decision> {
    let entry = shared.plan.entries.iter().find(|entry| entry.engine == engines::table::SEARCH)?;
    let (part, _guard) = budget.part(effort);
    let found = answered(shared, attempt(shared, entry, &part));
    budget.spend(part.effort());
    found
}

/// The same unwinding, perhaps of another program: what has become of a name or of a part that is never reached is the same to
/// it, and everything else is found out by the check.
fn unwinding(shared: &Shared, text: &str, budget: &Budget) -> Option<Decision> {
    let view = &shared.view;
    let mut value: Value = serde_json::from_str(text).ok()?;
    value["program"] = json!(certify::format::digest(&view.program));
    let unwinding = certify::unwinding::read(&view.program, &value.to_string()).ok()?;
    let accepted: Certified<Unwinding> = certify::check_unwinding(&view.program, &unwinding, budget).ok()?;
    let text = certify::unwinding::write(&view.program, &view.made, &accepted);
    let kept =
        Kept { evidence: json!({ "unwinding": text }), inlining: Inlining::Never, effort: budget.effort() };
    let certificate = shared.plan.certificate.then_some(text);
    let safe = Safe {
        proof: Proof::Unwinding(accepted),
        invariants: Vec::new(),
        shared_facts: Vec::new(),
        reasons: None,
        certificate,
        kept: Some(kept),
    };
    Some(decided(shared, Answer::Safe(Box::new(safe)), Counted::default()))
}

fn decided(shared: &Shared, answer: Answer, counted: Counted) -> Decision {
    Decision {
        answer,
        view: Some(Arc::clone(&shared.view)),
        engine: Some(REUSE),
        counted: vec![(REUSE, counted)],
        stand: None,
        was_easy: false,
    }
}

/// An attempt as a decision, if it has come to an answer.
fn answered(shared: &Shared, attempted: Attempted) -> Option<Decision> {
    let Attempted { engine, view, answer, counted } = attempted;
    match answer {
        Ok(Answer::Unknown(_)) => None,
        Ok(answer) => Some(Decision {
            answer,
            view: Some(view),
            engine: Some(engine),
            counted: vec![(engine, counted)],
            stand: None,
            was_easy: false,
        }),
        // What was kept may be wrong, so that it was refused says nothing about an engine.
        Err(Failure::Internal(why)) => {
            tracing::debug!(
                why,
                program = shared.view.program.procedures.len(),
                "what was kept does not fit"
            );
            None
        }
        Err(_) => None,
    }
}

/// Formulas on their way to a new version.
struct Carried<'c> {
    formulas: &'c Formulas,
    found: &'c Correspondence,
    places: &'c Places,
}

impl Carried<'_> {
    fn known(&self, shared: &Shared, prepared: &Prepared, task: &mut Task<'_>) -> known::Known {
        let ground =
            Ground { source: &shared.view.program, subject: &shared.subject, prepared, places: self.places };
        self.formulas.carried(self.found, &ground, task.terms)
    }

    /// The program with its labels.
    fn labelled(&self, shared: &Shared, prepared: &Prepared, task: &mut Task<'_>) -> Verdict {
        let known = self.known(shared, prepared, task);
        let labels: usize = known.labels.values().map(Vec::len).sum();
        if labels == 0 && !known.predicates.iter().all(Vec::is_empty) {
            return Verdict::Unknown(Reason::Unsupported("nothing is known of any location".to_owned()));
        }
        let proof = known::labelled(&task.blocks.program, &known, task.terms);
        task.counted.add([("labels", "formulas of an earlier proof that were carried over", labels as u64)]);
        Verdict::Safe(proof)
    }

    /// What follows from the labels, and what is left.
    fn proven(
        &self,
        shared: &Shared,
        prepared: &Prepared,
        task: &mut Task<'_>,
    ) -> Result<Verdict, base::Interrupted> {
        let known = self.known(shared, prepared, task);
        let (single, observe) = (task.single, task.observe);
        let counted = RefCell::new(Counted::default());
        let verdict = {
            let mut context = task.context();
            known::prove(&mut context, single, &known, &mut |it| observe(it), &mut counted.borrow_mut())
        };
        task.counted.add(counted.borrow().entries().iter().copied());
        verdict
    }
}
