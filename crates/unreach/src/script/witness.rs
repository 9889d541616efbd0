//! Witnesses of scripts (SV-LIB 1.0, Section 7).
//!
//! A witness is made of the evidence: a trace of an execution, or the invariants and ranking functions of a proof. It is handed out
//! only if the script with the witness put before its call gives the same verdict again; so what the language
//! cannot say, or what its notion of induction does not follow, costs a witness and makes no wrong one.

use super::{Judged, Said, Verdict};
use crate::answer::Answer;
use crate::problem::Problem;
use crate::report::proof::{Invariant, InvariantKind};
use crate::view::{NoView, View};
use certify::Execution;
use certify::replay::RecordedKind;
use ir::interpreter::Value;
use ir::{Meaning, TypeData, VariableKind};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use svlib::StepMark;

/// What a witness is about.
pub struct Task<'t> {
    /// The name of the script.
    pub name: &'t str,
    /// Its text.
    pub text: &'t str,
    /// Where the call stands in it.
    pub call: Range<usize>,
}

/// The standard response where there is no witness.
const NONE: &str = "cannot export witness";

/// The witness of a call, or why there is none. `respond` verifies a script.
pub fn of(
    judged: &Judged,
    task: &Task<'_>,
    respond: impl FnOnce(&Problem) -> Result<Vec<Said>, NoView>,
) -> Result<String, String> {
    let none = |why: &str| format!("{NONE}: {why}");
    let commands = match judged.verdict() {
        Verdict::Unknown => return Err(none("there is no verdict")),
        Verdict::Correct => annotations(judged),
        Verdict::Incorrect => trace(judged).map_err(|why| none(&why))?,
    };
    let together =
        format!("{}\n{commands}\n{}", &task.text[..task.call.start], &task.text[task.call.clone()]);
    let again = respond(&Problem::svlib(task.name, together));
    let confirmed = match again.as_deref() {
        Ok([.., Said::Verdict(again)]) => again.verdict() == judged.verdict(),
        _ => false,
    };
    if !confirmed {
        return Err(none("what was found cannot be said so that it is confirmed"));
    }
    let version = env!("CARGO_PKG_VERSION");
    let about =
        format!("(set-info :producer \"Unreach {version}\")\n(set-info :input-files \"{}\")", task.name);
    Ok(format!("({about}\n{commands})"))
}

/// Invariants and ranking functions of the loops, as `annotate-tag` commands.
fn annotations(judged: &Judged) -> String {
    let mut said: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for decision in &judged.decisions {
        let invariants: &[Invariant] = match &decision.answer {
            Answer::Safe(safe) => &safe.invariants,
            Answer::Terminates(terminates) => &terminates.ranks,
            _ => &[],
        };
        let Some(back) = decision.view.as_ref().and_then(|view| view.script.as_ref()) else { continue };
        for invariant in invariants {
            let Some(tag) = back.tag_at(invariant.span) else { continue };
            let terms = &invariant.terms_of_script;
            let attribute = match (&invariant.kind, &terms[..]) {
                (_, []) | (InvariantKind::Ensures(_) | InvariantKind::PartialRank, _) => continue,
                (InvariantKind::Loop, [one]) => format!(":invariant {one}"),
                (InvariantKind::Loop, several) => format!(":invariant (and {})", several.join(" ")),
                (InvariantKind::Rank, [one]) => format!(":decreases {one}"),
                (InvariantKind::Rank, several) => format!(":decreases-lex ({})", several.join(" ")),
            };
            let attributes = said.entry(tag).or_default();
            if !attributes.contains(&attribute) {
                attributes.push(attribute);
            }
        }
    }
    let command =
        |(tag, attributes): (&str, Vec<String>)| format!("(annotate-tag {tag} {})", attributes.join(" "));
    said.into_iter().map(command).collect::<Vec<_>>().join("\n")
}

/// The execution that violates a property, as a `select-trace` command.
fn trace(judged: &Judged) -> Result<String, String> {
    let Some(decision) = judged.decisions.last() else { return Err("there is no evidence".to_owned()) };
    let execution = match &decision.answer {
        Answer::Unsafe(execution) => &***execution,
        Answer::Leaps(leaps) => match &leaps.execution {
            Some(execution) => &***execution,
            None => return Err("the execution is too long to be written down".to_owned()),
        },
        _ => return Err("the execution is infinite".to_owned()),
    };
    let Some(view) = &decision.view else { return Err("there is no program".to_owned()) };
    Teller::new(view)?.trace(execution)
}

struct Teller<'v> {
    view: &'v View,
    back: &'v svlib::Back,
}

impl Teller<'_> {
    fn new(view: &View) -> Result<Teller<'_>, String> {
        let open = view.program.functions.values().any(|data| data.meaning == Meaning::Uninterpreted);
        match &view.script {
            Some(_) if open => Err("the values of functions are not known".to_owned()),
            Some(back) => Ok(Teller { view, back }),
            None => Err("the program is no script".to_owned()),
        }
    }

    fn trace(&self, execution: &Execution) -> Result<String, String> {
        if execution.left_out.is_some() {
            return Err("the execution is too long to be written down".to_owned());
        }
        let (mut model, mut globals) = (String::new(), String::new());
        for (variable, value) in &execution.inputs {
            let Some(symbol) = self.back.symbol(*variable) else { continue };
            let value = self.value(value, self.view.program.variables[*variable].ty)?;
            // Writing to a string cannot fail.
            let _ = match self.view.program.variables[*variable].kind {
                VariableKind::Constant { .. } => {
                    let sort = self.sort(self.view.program.variables[*variable].ty)?;
                    write!(model, " (define-fun {symbol} () {sort} {value})")
                }
                _ => write!(globals, " ({symbol} {value})"),
            };
        }
        let mut steps = String::new();
        let mut entry = None;
        for event in &execution.events {
            if let RecordedKind::Enter(procedure) = event.kind {
                entry = entry.or_else(|| self.back.procedure(procedure));
            }
            if event.kind != RecordedKind::Statement {
                continue;
            }
            let values = || {
                let mut text = String::new();
                for (variable, value) in &event.changed {
                    if let Some(symbol) = self.back.symbol(*variable) {
                        let value = self.value(value, self.view.program.variables[*variable].ty)?;
                        let _ = write!(text, " ({symbol} {value})");
                    }
                }
                Ok::<String, String>(text)
            };
            let step = match self.back.step_at(event.place) {
                Some(StepMark::InitProcedure(name)) => format!("(init-proc-vars {name}{})", values()?),
                Some(StepMark::Havoc) => format!("(havoc{})", values()?),
                Some(StepMark::Choice(number)) => format!("(choice {number})"),
                Some(StepMark::Leap(tag)) => format!("(leap {tag}{})", values()?),
                Some(StepMark::Silent) => return Err("a trace cannot leap over a contract".to_owned()),
                Some(StepMark::Check(_)) | None => continue,
            };
            let _ = write!(steps, "\n    {step}");
        }
        let Some(StepMark::Check(violated)) = self.back.step_at(execution.failure.place) else {
            return Err("what is violated has no place".to_owned());
        };
        let (Some(tag), Some(entry)) = (&violated.tag, entry) else {
            return Err("what is violated has no tag".to_owned());
        };
        Ok(format!(
            "(select-trace\n  (model{model})\n  (init-global-vars{globals})\n  (entry-proc {entry})\n  (steps{steps})\n  (incorrect-annotation {tag} {}))",
            violated.attribute
        ))
    }

    fn sort(&self, ty: ir::Type) -> Result<String, String> {
        Ok(match &self.view.program.types[ty] {
            TypeData::Bool => "Bool".to_owned(),
            TypeData::Int => "Int".to_owned(),
            TypeData::Real => "Real".to_owned(),
            TypeData::BitVec(width) => format!("(_ BitVec {width})"),
            TypeData::Map { domain, range } if domain.len() == 1 => {
                format!("(Array {} {})", self.sort(domain[0])?, self.sort(*range)?)
            }
            _ => return Err("a value of a declared sort cannot be written down".to_owned()),
        })
    }

    fn value(&self, value: &Value, ty: ir::Type) -> Result<String, String> {
        let signed = |text: String| match text.strip_prefix('-') {
            Some(digits) => format!("(- {digits})"),
            None => text,
        };
        Ok(match value {
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => signed(value.to_big().to_string()),
            Value::Real(value) => {
                let (above, below) = (signed(value.numer().to_string()), value.denom());
                format!("(/ {above} {below})")
            }
            Value::Bits(bits) => format!("(_ bv{} {})", bits.unsigned(), bits.width()),
            Value::Map(map) => {
                let Some((&[domain], range)) = self.view.program.types.as_map(ty) else {
                    return Err("a map with several arguments cannot be written down".to_owned());
                };
                let mut text =
                    format!("((as const {}) {})", self.sort(ty)?, self.value(map.default(), range)?);
                for (key, value) in map.entries() {
                    text =
                        format!("(store {text} {} {})", self.value(key, domain)?, self.value(value, range)?);
                }
                text
            }
            _ => return Err("a value of a declared sort cannot be written down".to_owned()),
        })
    }
}
