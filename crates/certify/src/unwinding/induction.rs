//! Claims about loops, as text, and whether they speak of the program.

use crate::Refusal;
use crate::format::ReadError;
use base::EntityRef;
use ir::induction::{Combined, FARTHEST, Fact, Induction, Monomial, Relation, Shifted};
use ir::{Block, Procedure, Program, TypeData, Variable, VariableKind};
use serde_json::{Value, json};

/// Whether claims are about loops and variables that there are: heads are blocks, each claimed once, and facts are about
/// numbers that the loop's procedure sees. Nothing else is asked of them: what they say is checked.
pub(super) fn well_formed(source: &Program, inductions: &[Induction]) -> Result<(), Refusal> {
    let refuse = |what: &str| Err(Refusal::Unwinding(what.to_owned()));
    for (at, induction) in inductions.iter().enumerate() {
        let Induction { procedure, head, rounds, facts } = induction;
        let body = source.procedures.get(*procedure).and_then(|data| data.body.as_ref());
        if body.is_none_or(|body| body.blocks.get(*head).is_none()) || *rounds == 0 {
            return refuse("an induction is about no loop");
        }
        let same = |other: &Induction| other.procedure == *procedure && other.head == *head;
        if inductions[..at].iter().any(same) {
            return refuse("there are two inductions about one loop");
        }
        for fact in facts {
            if !fact.variables().all(|variable| is_number(source, *procedure, variable)) {
                return refuse("a fact is about something that is no number there");
            }
            if !is_meant(fact) {
                return refuse("a fact has numbers that mean nothing");
            }
        }
    }
    Ok(())
}

/// Whether the numbers in a fact have a meaning: a modulus is positive, masks are not negative, and words are moved by a few places.
fn is_meant(fact: &Fact) -> bool {
    let moved = |word: &Shifted| word.left.unsigned_abs() <= FARTHEST.unsigned_abs();
    let words = match &fact.of {
        Combined::Sum(_) => true,
        Combined::Xor(words) | Combined::And(words) => words.iter().all(moved),
    };
    words
        && match fact.relation {
            Relation::Residue { modulus, .. } => modulus > 0,
            Relation::Bits { mask, .. }
            | Relation::OtherBits { mask, .. }
            | Relation::Parity { mask, .. } => mask >= 0,
            _ => true,
        }
}

/// Whether a variable is a number that statements of a procedure can see.
fn is_number(source: &Program, procedure: Procedure, variable: Variable) -> bool {
    source.variables.get(variable).is_some_and(|data| {
        let visible = match data.kind {
            VariableKind::Global | VariableKind::Constant { .. } => true,
            VariableKind::Parameter(owner) | VariableKind::Result(owner) | VariableKind::Local(owner) => {
                owner == procedure
            }
            VariableKind::FunctionParameter(_) | VariableKind::Bound => false,
        };
        visible && matches!(source.types[data.ty], TypeData::Bool | TypeData::Int | TypeData::BitVec(_))
    })
}

/// The text of claims.
pub(super) fn write(source: &Program, inductions: &[Induction]) -> Value {
    let written = |induction: &Induction| {
        json!({
            "procedure": source.procedures[induction.procedure].name,
            "head": induction.head.index(),
            "rounds": induction.rounds,
            "facts": induction.facts.iter().map(|fact| write_fact(source, fact)).collect::<Vec<Value>>(),
        })
    };
    Value::Array(inductions.iter().map(written).collect())
}

fn write_fact(source: &Program, fact: &Fact) -> Value {
    let name = |variable: Variable| &source.variables[variable].name;
    let word = |word: &Shifted| json!([name(word.variable), word.plus, word.left, word.flipped]);
    let words = |list: &[Shifted]| list.iter().map(word).collect::<Vec<Value>>();
    let of = match &fact.of {
        Combined::Sum(sum) => {
            Value::Array(sum.iter().map(|part| json!([part.factor, name(part.variable)])).collect())
        }
        Combined::Xor(list) => json!({ "xor": words(list) }),
        Combined::And(list) => json!({ "and": words(list) }),
    };
    // JSON has no numbers of this size.
    let text = |number: &i128| number.to_string();
    match &fact.relation {
        Relation::AtMost(bound) => json!([of, "at most", text(bound)]),
        Relation::AtLeast(bound) => json!([of, "at least", text(bound)]),
        Relation::Between(low, high) => json!([of, "between", text(low), text(high)]),
        Relation::Equal(value) => json!([of, "equal", text(value)]),
        Relation::Unequal(value) => json!([of, "unequal", text(value)]),
        Relation::Residue { modulus, residue } => json!([of, "residue", text(modulus), text(residue)]),
        Relation::OneOf(values) => json!([of, "one of", values.iter().map(text).collect::<Vec<_>>()]),
        Relation::Bits { mask, value } => json!([of, "bits", text(mask), text(value)]),
        Relation::OtherBits { mask, value } => json!([of, "other bits", text(mask), text(value)]),
        Relation::Parity { mask, odd } => json!([of, "parity", text(mask), odd]),
    }
}

/// The claims that a text describes; none if there is none.
pub(super) fn read(source: &Program, value: &Value) -> Result<Vec<Induction>, ReadError> {
    if value.is_null() {
        return Ok(Vec::new());
    }
    let list = value.as_array().ok_or_else(|| malformed("`inductions` is no list"))?;
    list.iter().map(|value| read_induction(source, value)).collect()
}

fn malformed(what: &str) -> ReadError {
    ReadError::Malformed(what.to_owned())
}

fn read_induction(source: &Program, value: &Value) -> Result<Induction, ReadError> {
    let procedure = value["procedure"].as_str().and_then(|name| source.procedure(name));
    let procedure = procedure.ok_or_else(|| malformed("an unknown procedure"))?;
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    let head = number(&value["head"]).ok_or_else(|| malformed("`head` is no number"))?;
    let rounds = number(&value["rounds"]).ok_or_else(|| malformed("`rounds` is no number"))?;
    let facts = value["facts"].as_array().ok_or_else(|| malformed("`facts` is no list"))?;
    let facts = facts
        .iter()
        .map(|fact| read_fact(source, procedure, fact).ok_or_else(|| malformed("a fact is none")))
        .collect::<Result<_, _>>()?;
    Ok(Induction { procedure, head: Block::new(head as usize), rounds, facts })
}

fn read_fact(source: &Program, procedure: Procedure, value: &Value) -> Option<Fact> {
    let named = |name: &Value| {
        let name = name.as_str()?;
        let named = |&(variable, data): &(Variable, &ir::VariableData)| {
            data.name == name && is_number(source, procedure, variable)
        };
        source.variables.iter().find(named).map(|(variable, _)| variable)
    };
    let word = |word: &Value| {
        Some(Shifted {
            variable: named(&word[0])?,
            plus: word[1].as_i64()?,
            left: i32::try_from(word[2].as_i64()?).ok()?,
            flipped: word[3].as_bool()?,
        })
    };
    let words = |list: &Value| list.as_array()?.iter().map(word).collect::<Option<Vec<Shifted>>>();
    let of = match &value[0] {
        Value::Array(sum) => {
            let monomial =
                |part: &Value| Some(Monomial { factor: part[0].as_i64()?, variable: named(&part[1])? });
            Combined::Sum(sum.iter().map(monomial).collect::<Option<_>>()?)
        }
        Value::Object(of) if of.contains_key("xor") => Combined::Xor(words(&of["xor"])?),
        Value::Object(of) if of.contains_key("and") => Combined::And(words(&of["and"])?),
        _ => return None,
    };
    let number = |value: &Value| value.as_str()?.parse::<i128>().ok();
    let relation = match value[1].as_str()? {
        "at most" => Relation::AtMost(number(&value[2])?),
        "at least" => Relation::AtLeast(number(&value[2])?),
        "between" => Relation::Between(number(&value[2])?, number(&value[3])?),
        "equal" => Relation::Equal(number(&value[2])?),
        "unequal" => Relation::Unequal(number(&value[2])?),
        "residue" => Relation::Residue { modulus: number(&value[2])?, residue: number(&value[3])? },
        "one of" => Relation::OneOf(value[2].as_array()?.iter().map(number).collect::<Option<_>>()?),
        "bits" => Relation::Bits { mask: number(&value[2])?, value: number(&value[3])? },
        "other bits" => Relation::OtherBits { mask: number(&value[2])?, value: number(&value[3])? },
        "parity" => Relation::Parity { mask: number(&value[2])?, odd: value[3].as_bool()? },
        _ => return None,
    };
    Some(Fact { of, relation })
}
