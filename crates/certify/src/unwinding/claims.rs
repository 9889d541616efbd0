//! Claims about an unwinding, as text: a list for each claim, with the number of its question and what is claimed. One that
//! is not used has a word more.

use crate::format::ReadError;
use ir::claims::{Claim, What};
use serde_json::{Value, json};

/// The word for a claim that is not used.
const UNUSED: &str = "unused";

/// The text of claims.
pub(super) fn write(claims: &[Claim]) -> Value {
    Value::Array(claims.iter().map(write_claim).collect())
}

fn write_claim(claim: &Claim) -> Value {
    let mut fields = vec![json!(claim.question)];
    match &claim.what {
        What::Unreached => fields.push(json!("unreached")),
        What::Truth(truth) => fields.push(json!(truth)),
        What::Width(width) => fields.extend([json!("width"), json!(width)]),
        // JSON has no numbers of this size.
        What::OneOf(values) => {
            let values: Vec<String> = values.iter().map(i128::to_string).collect();
            fields.extend([json!("one of"), json!(values)]);
        }
    }
    fields.extend((!claim.used).then(|| json!(UNUSED)));
    Value::Array(fields)
}

/// The claims that a text describes.
pub(super) fn read(value: &Value) -> Result<Vec<Claim>, ReadError> {
    let malformed = |what: &str| ReadError::Malformed(what.to_owned());
    let list = value.as_array().ok_or_else(|| malformed("`claims` is no list"))?;
    list.iter().map(|value| read_claim(value).ok_or_else(|| malformed("a claim is none"))).collect()
}

fn read_claim(value: &Value) -> Option<Claim> {
    let fields = value.as_array()?;
    let question = fields.first()?.as_u64()?;
    let (what, rest) = match fields.get(1)? {
        Value::Bool(truth) => (What::Truth(*truth), 2),
        Value::String(word) if word == "unreached" => (What::Unreached, 2),
        Value::String(word) if word == "width" => {
            (What::Width(u32::try_from(fields.get(2)?.as_u64()?).ok()?), 3)
        }
        Value::String(word) if word == "one of" => {
            let values = fields.get(2)?.as_array()?;
            let number = |value: &Value| value.as_str()?.parse::<i128>().ok();
            (What::OneOf(values.iter().map(number).collect::<Option<_>>()?), 3)
        }
        _ => return None,
    };
    match &fields[rest..] {
        [] => Some(Claim { question, what, used: true }),
        [word] if word == UNUSED => Some(Claim { question, what, used: false }),
        _ => None,
    }
}
