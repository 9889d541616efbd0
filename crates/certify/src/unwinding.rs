//! The check of a proof by complete unwinding, in which loops may be shown by induction.
//!
//! The program is unrolled in the checker's own way ([`unroll`]), with the claims of the certificate: where loops end, and
//! what values can be. That all claims hold, and that nothing fails, is what the clauses of this unrolling say to be
//! false, and the certificate has a refutation of them ([`sat::lrat`]). Neither an engine nor a solver takes part, and no
//! code of theirs. What is trusted is the meaning that [`unroll`] gives to the program, as that of [`program::build`]
//! is for other proofs.

mod claims;
mod induction;

use crate::format::{self, Made, ReadError};
use crate::{Certified, Refusal};
use base::Budget;
use ir::claims::Paths;
use program::{EntryUnwinding, Unwinding};
use sat::{Lit, Proof, Step, Var};
use serde_json::{Value, json};
use unroll::{Refused, Refutation};

/// Checks that no execution of the program fails.
pub fn check_unwinding(
    source: &ir::Program,
    unwinding: &Unwinding,
    budget: &Budget,
) -> Result<Certified<Unwinding>, Refusal> {
    if let Some(violation) = ir::well_formed::check(source).first() {
        return Err(Refusal::Malformed(format!("the program is not well formed: {violation}")));
    }
    let claimed = unwinding.entries.iter().map(|entry| entry.procedure);
    if !claimed.eq(source.entries()) {
        return Err(Refusal::Malformed(
            "not all procedures in which executions begin are unwound".to_owned(),
        ));
    }
    for entry in &unwinding.entries {
        check_entry(source, entry, budget)?;
    }
    Ok(Certified::new(unwinding.clone()))
}

fn check_entry(source: &ir::Program, entry: &EntryUnwinding, budget: &Budget) -> Result<(), Refusal> {
    induction::well_formed(source, &entry.inductions)?;
    let refutation = Refutation {
        inductions: &entry.inductions,
        paths: entry.paths,
        steps: entry.steps,
        claims: &entry.claims,
        proof: &entry.proof,
    };
    unroll::check(source, entry.procedure, refutation, budget).map_err(|refused| match refused {
        Refused::Interrupted(interrupted) => interrupted.into(),
        Refused::Wrong(why) => Refusal::Unwinding(why),
    })
}

/// What the field `format` of the text says.
pub const FORMAT: &str = "unreach-unwinding";

/// Its version. Before it, certificates said only where loops end.
pub const VERSION: u32 = 3;

/// What the field `paths` says if paths are kept apart; there is no such field if they are merged.
const APART: &str = "apart";

/// The text of a proof by unwinding: JSON, one line per procedure. Clauses are lists of numbers as in DIMACS.
pub fn write(source: &ir::Program, made: &Made, unwinding: &Unwinding) -> String {
    let entries: Vec<String> = unwinding
        .entries
        .iter()
        .map(|entry| {
            let steps = entry.proof.steps.iter().map(|step| {
                let clause: Vec<i64> = step.clause.iter().map(|&lit| dimacs(lit)).collect();
                json!([step.id, clause, step.hints])
            });
            let name = &source.procedures[entry.procedure].name;
            let steps = Value::Array(steps.collect());
            let mut fields = json!({
                "procedure": name,
                "steps": entry.steps,
                "claims": claims::write(&entry.claims),
                "proof": steps,
            });
            if !entry.inductions.is_empty() {
                fields["inductions"] = induction::write(source, &entry.inductions);
            }
            if entry.paths == Paths::Apart {
                fields["paths"] = json!(APART);
            }
            format!("    {fields}")
        })
        .collect();
    let (format, made, program) = (json!(FORMAT), json!(made), json!(format::digest(source)));
    format!(
        "{{\n  \"format\": {format},\n  \"version\": {},\n  \"made\": {made},\n  \"program\": {program},\n  \"entries\": [\n{}\n  ]\n}}\n",
        VERSION,
        entries.join(",\n")
    )
}

fn dimacs(lit: Lit) -> i64 {
    let number = i64::from(lit.var().0) + 1;
    if lit.polarity() { number } else { -number }
}

/// Whether a text is meant to be a proof by unwinding.
pub fn is_unwinding(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|value| value["format"] == FORMAT)
}

/// The proof that a text describes, for a program. It still has to be checked.
pub fn read(source: &ir::Program, text: &str) -> Result<Unwinding, ReadError> {
    let malformed = |what: &str| ReadError::Malformed(what.to_owned());
    let value: Value = serde_json::from_str(text).map_err(|error| ReadError::Malformed(error.to_string()))?;
    if value["format"] != FORMAT || value["version"] != VERSION {
        return Err(malformed("`format` or `version` is another"));
    }
    if value["program"] != json!(format::digest(source)) {
        return Err(ReadError::OtherProgram);
    }
    let list = |value: &Value| value.as_array().cloned().ok_or_else(|| malformed("a list is missing"));
    let number = |value: &Value| {
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| malformed("a number is missing"))
    };
    let mut entries = Vec::new();
    for entry in list(&value["entries"])? {
        let name = entry["procedure"].as_str().ok_or_else(|| malformed("`procedure` is no name"))?;
        let procedure = source.procedure(name).ok_or_else(|| malformed("an unknown procedure"))?;
        let followed = entry["steps"].as_u64().ok_or_else(|| malformed("`steps` is no number"))?;
        let claims = claims::read(&entry["claims"])?;
        let inductions = induction::read(source, &entry["inductions"])?;
        let paths = match &entry["paths"] {
            Value::Null => Paths::Merged,
            Value::String(text) if text == APART => Paths::Apart,
            _ => return Err(malformed("`paths` says something else")),
        };
        let mut steps = Vec::new();
        for step in list(&entry["proof"])? {
            let clause = list(&step[1])?;
            let clause = clause.iter().map(|value| literal(value).ok_or_else(|| malformed("no literal")));
            let clause = clause.collect::<Result<_, _>>()?;
            let hints = list(&step[2])?.iter().map(number).collect::<Result<_, _>>()?;
            steps.push(Step { id: number(&step[0])?, clause, hints });
        }
        entries.push(EntryUnwinding {
            procedure,
            inductions,
            paths,
            steps: followed,
            claims,
            proof: Proof { steps },
        });
    }
    Ok(Unwinding { entries })
}

fn literal(value: &Value) -> Option<Lit> {
    let number = value.as_i64()?;
    let var = u32::try_from(number.unsigned_abs().checked_sub(1)?).ok().filter(|&var| var < 1 << 30)?;
    Some(Lit::new(Var(var), number > 0))
}
