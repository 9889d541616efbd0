//! Certificates as text, so that a proof can be kept, passed on, and checked again by somebody else.
//!
//! The text is JSON; formulas are SMT-LIB terms over the names of the program's variables. `docs/certificate.md`
//! describes it field by field. Locations and edges are numbers that [`program::build`] gives out; building is
//! deterministic, so the same program has the same numbers, and a [`digest`] of the program's `ir` text tells at
//! once when it is another program. The digest is a convenience and nothing rests on it: what was read is checked
//! against the program like any other certificate. [`Made`] says how the `ir` program was made from the source, so that
//! whoever checks can make it again.
//!
//! Guarantees: [`read`] after [`write`] gives the same certificate, in the same store with the same term ids; `read` accepts any text
//! without a panic and says what is wrong with it. Both are linear in the text.

use crate::Refusal;
use crate::certificate::{Automaton, Certificate, Letter};
use crate::subject::Subject;
use crate::unfold::Unfolded;
use base::{EntityRef, EntitySet};
use logic::smtlib::{parse, print};
use logic::{Sort, Term, Terms};
use program::{Activation, ActivationData, Edge, Location, Place, Program, Unfolding};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// What the field `format` says.
pub const FORMAT: &str = "unreach-certificate";

/// What the field `version` says; another number is another format.
pub const VERSION: u64 = 2;

/// Why a text is no certificate for a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// It is no certificate at all: what is wrong, and in which field.
    Malformed(String),
    /// It is a certificate for another program.
    OtherProgram,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Malformed(what) => write!(f, "not a certificate: {what}"),
            ReadError::OtherProgram => write!(f, "the certificate belongs to another program"),
        }
    }
}

/// A fingerprint of a program: FNV-1a with 128 bits over its `ir` text. Comments and layout of the source do not
/// count.
pub fn digest(source: &ir::Program) -> String {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0100_0000_0000_0000_0000_013b;
    let text = source.to_string();
    let hash = text.bytes().fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME));
    format!("fnv1a-128:{hash:032x}")
}

/// How an `ir` program was made from its source: names of choices with what was chosen. Empty if there was no choice.
/// What the names mean is up to whoever reads sources.
pub type Made = BTreeMap<String, String>;

/// A certificate that was read, with the unfolding that it is about.
struct Numbering<'a> {
    program: &'a Program,
    unfolded: Option<&'a Unfolded>,
}

/// The text of a certificate, one automaton per line. Fails if the certificate lists activations that do not fit.
pub fn write(
    source: &ir::Program,
    made: &Made,
    (subject, certificate): (&Subject, &Certificate),
    terms: &mut Terms,
) -> Result<String, Refusal> {
    let unfolded = match &certificate.unfolding {
        Some(unfolding) => Some(subject.unfolded(unfolding, terms)?),
        None => None,
    };
    let mut letters = Letters { unfolded: unfolded.as_ref(), table: Vec::new(), ids: FxHashMap::default() };
    let automata: Vec<String> = certificate
        .automata
        .iter()
        .map(|automaton| {
            let labels: Vec<String> =
                automaton.labels.iter().map(|&label| print::term(terms, label)).collect();
            let steps: Vec<Value> = automaton
                .steps
                .iter()
                .map(|&(from, letter, to)| json!([from, letters.id(letter), to]))
                .collect();
            let returns = automaton.returns.iter();
            let returns: Vec<Value> = returns
                .map(|&(from, hier, letter, to)| json!([from, hier, letters.id(letter), to]))
                .collect();
            let fields = json!({
                "labels": labels, "initial": automaton.initial, "steps": steps, "returns": returns
            });
            format!("    {fields}")
        })
        .collect();
    let cut_points: Vec<Value> =
        certificate.cut_points.iter().map(|location| letters.location(location)).collect();
    let head = [
        ("format", json!(FORMAT)),
        ("version", json!(VERSION)),
        ("made", json!(made)),
        ("program", json!(digest(source))),
        ("activations", activations(certificate.unfolding.as_ref())),
        ("cut_points", json!(cut_points)),
        ("letters", Value::Array(letters.table)),
    ];
    let head: String = head.iter().map(|(name, value)| format!("  \"{name}\": {value},\n")).collect();
    Ok(format!("{{\n{head}  \"automata\": [\n{}\n  ]\n}}\n", automata.join(",\n")))
}

/// `null` for a proof about the program with its calls.
pub(crate) fn activations(unfolding: Option<&Unfolding>) -> Value {
    let Some(unfolding) = unfolding else { return Value::Null };
    let list = unfolding.activations.values().map(|data| match *data {
        ActivationData::Start(location) => json!(["start", location.index()]),
        ActivationData::Call { caller, call } => json!(["call", caller.index(), call.index()]),
    });
    Value::Array(list.collect())
}

/// The letters that are used, each written once.
struct Letters<'a> {
    unfolded: Option<&'a Unfolded>,
    table: Vec<Value>,
    ids: FxHashMap<Letter, usize>,
}

impl Letters<'_> {
    /// A location of the program, or an activation with a location.
    fn location(&self, location: Location) -> Value {
        match self.unfolded.and_then(|unfolded| unfolded.place(location)) {
            Some(Place { activation, location }) => json!([activation.index(), location.index()]),
            None => json!(location.index()),
        }
    }

    fn id(&mut self, letter: Letter) -> usize {
        if let Some(&id) = self.ids.get(&letter) {
            return id;
        }
        let text = match letter {
            Letter::Block(from, to) => json!(["block", self.location(from), self.location(to)]),
            Letter::Call(edge) => json!(["call", edge.index()]),
            Letter::Return(edge) => json!(["return", edge.index()]),
        };
        self.table.push(text);
        self.ids.insert(letter, self.table.len() - 1);
        self.table.len() - 1
    }
}

/// What a text says about how the program was made, which is needed to make it again. The text may also be a proof by
/// [`unwinding`](crate::unwinding).
pub fn made(text: &str) -> Result<Made, ReadError> {
    let value: Value = serde_json::from_str(text).map_err(|error| ReadError::Malformed(error.to_string()))?;
    let fields = match value["format"] == crate::unwinding::FORMAT {
        true => Fields::of(&value, "the certificate")?,
        false => head(&value)?,
    };
    let Some(choices) = fields.get("made")?.as_object() else { return malformed("`made` is no object") };
    let text = |(name, value): (&String, &Value)| match value.as_str() {
        Some(value) => Ok((name.clone(), value.to_owned())),
        None => malformed(format!("`{name}` in `made` is no string")),
    };
    choices.iter().map(text).collect()
}

/// The fields of a certificate of this format.
fn head(value: &Value) -> Result<Fields<'_>, ReadError> {
    let fields = Fields::of(value, "the certificate")?;
    if fields.get("format")? != FORMAT {
        return malformed(format!("`format` is not `{FORMAT}`"));
    }
    if fields.get("version")? != VERSION {
        return malformed(format!("`version` is not {VERSION}"));
    }
    Ok(fields)
}

/// The certificate that a text describes, for a program that was built from `source` with these `terms`.
pub fn read(
    source: &ir::Program,
    subject: &Subject,
    text: &str,
    terms: &mut Terms,
) -> Result<Certificate, ReadError> {
    let value: Value = serde_json::from_str(text).map_err(|error| ReadError::Malformed(error.to_string()))?;
    let fields = head(&value)?;
    if fields.get("program")? != &json!(digest(source)) {
        return Err(ReadError::OtherProgram);
    }
    let unfolding = match fields.get("activations")? {
        Value::Null => None,
        _ => Some(unfolding(subject.program(), fields.list("activations")?)?),
    };
    let unfolded = match &unfolding {
        None => None,
        Some(unfolding) => {
            let unfolded = subject.unfolded(unfolding, terms);
            Some(unfolded.map_err(|refusal| ReadError::Malformed(refusal.to_string()))?)
        }
    };
    let numbering = Numbering { program: subject.program(), unfolded: unfolded.as_ref() };
    let mut cut_points = EntitySet::new();
    for value in fields.list("cut_points")? {
        cut_points.insert(location(&numbering, value)?);
    }
    let letters: Vec<Letter> =
        fields.list("letters")?.iter().map(|value| letter(&numbering, value)).collect::<Result<_, _>>()?;
    let automata = fields.list("automata")?.iter();
    let automata = automata.map(|value| automaton(value, &letters, terms)).collect::<Result<_, _>>()?;
    Ok(Certificate { unfolding, cut_points, automata })
}

fn malformed<T>(what: impl Into<String>) -> Result<T, ReadError> {
    Err(ReadError::Malformed(what.into()))
}

/// The fields of an object.
struct Fields<'a> {
    map: &'a Map<String, Value>,
    of: &'static str,
}

impl<'a> Fields<'a> {
    fn of(value: &'a Value, of: &'static str) -> Result<Fields<'a>, ReadError> {
        match value.as_object() {
            Some(map) => Ok(Fields { map, of }),
            None => malformed(format!("{of} is no object")),
        }
    }

    fn get(&self, name: &str) -> Result<&'a Value, ReadError> {
        match self.map.get(name) {
            Some(value) => Ok(value),
            None => malformed(format!("{} has no field `{name}`", self.of)),
        }
    }

    fn list(&self, name: &str) -> Result<&'a [Value], ReadError> {
        match self.get(name)?.as_array() {
            Some(list) => Ok(list),
            None => malformed(format!("`{name}` is no list")),
        }
    }
}

/// A number below a bound.
fn number(value: &Value, bound: usize, what: &str) -> Result<usize, ReadError> {
    let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
    match number.filter(|&number| number < bound) {
        Some(number) => Ok(number),
        None => malformed(format!("{value} is no {what}")),
    }
}

fn location(numbering: &Numbering<'_>, value: &Value) -> Result<Location, ReadError> {
    let plain =
        |value: &Value| number(value, numbering.program.locations.len(), "location").map(Location::new);
    let Some(unfolded) = numbering.unfolded else { return plain(value) };
    let Some([activation, location]) = value.as_array().map(Vec::as_slice) else {
        return malformed(format!("{value} is no activation with a location"));
    };
    let activation = Activation::new(number(activation, u32::MAX as usize, "activation")?);
    let place = Place { activation, location: plain(location)? };
    match unfolded.location(place) {
        Some(location) => Ok(location),
        None => malformed(format!("{value} is no location of the unfolding")),
    }
}

pub(crate) fn unfolding(program: &Program, list: &[Value]) -> Result<Unfolding, ReadError> {
    let mut unfolding = Unfolding::default();
    for value in list {
        let parts = value.as_array().map_or(&[][..], Vec::as_slice);
        let data = match (parts.first().and_then(Value::as_str), parts) {
            (Some("start"), [_, location]) => {
                let location = number(location, program.locations.len(), "location")?;
                ActivationData::Start(Location::new(location))
            }
            (Some("call"), [_, caller, call]) => ActivationData::Call {
                caller: Activation::new(number(caller, unfolding.activations.len(), "activation before")?),
                call: Edge::new(number(call, program.edges.len(), "edge")?),
            },
            _ => return malformed(format!("{value} is no activation")),
        };
        unfolding.activations.push(data);
    }
    Ok(unfolding)
}

fn letter(numbering: &Numbering<'_>, value: &Value) -> Result<Letter, ReadError> {
    let edge = |value: &Value| number(value, numbering.program.edges.len(), "edge").map(Edge::new);
    let parts = value.as_array().map_or(&[][..], Vec::as_slice);
    let kind = parts.first().and_then(Value::as_str);
    match (kind, parts) {
        (Some("block"), [_, from, to]) => {
            Ok(Letter::Block(location(numbering, from)?, location(numbering, to)?))
        }
        (Some("call"), [_, number]) => Ok(Letter::Call(edge(number)?)),
        (Some("return"), [_, number]) => Ok(Letter::Return(edge(number)?)),
        _ => malformed(format!("{value} is no letter")),
    }
}

fn automaton(value: &Value, letters: &[Letter], terms: &mut Terms) -> Result<Automaton, ReadError> {
    let fields = Fields::of(value, "an automaton")?;
    let labels: Vec<Term> =
        fields.list("labels")?.iter().map(|value| formula(terms, value)).collect::<Result<_, _>>()?;
    let state = |value: &Value| number(value, labels.len(), "state");
    let letter = |value: &Value| number(value, letters.len(), "position of a letter").map(|id| letters[id]);
    let initial = fields.list("initial")?.iter().map(state).collect::<Result<_, _>>()?;
    let mut steps = Vec::new();
    for value in fields.list("steps")? {
        match value.as_array().map(Vec::as_slice) {
            Some([from, by, to]) => steps.push((state(from)?, letter(by)?, state(to)?)),
            _ => return malformed(format!("{value} is no step")),
        }
    }
    let mut returns = Vec::new();
    for value in fields.list("returns")? {
        match value.as_array().map(Vec::as_slice) {
            Some([from, hier, by, to]) => {
                returns.push((state(from)?, state(hier)?, letter(by)?, state(to)?));
            }
            _ => return malformed(format!("{value} is no return")),
        }
    }
    Ok(Automaton { labels, initial, steps, returns })
}

fn formula(terms: &mut Terms, value: &Value) -> Result<Term, ReadError> {
    let Some(text) = value.as_str() else { return malformed(format!("{value} is no formula")) };
    match parse::term(terms, text) {
        Ok(term) if terms.sort_of(term) == Sort::BOOL => Ok(term),
        Ok(_) => malformed(format!("`{text}` is no formula")),
        Err(error) => malformed(format!("`{text}`: {error}")),
    }
}
