//! Certificates as text, so that a proof can be kept, passed on, and checked again by somebody else.
//!
//! The text is JSON; formulas are SMT-LIB terms over the names of the program's variables. `docs/certificate.md`
//! describes it field by field. Locations and edges are numbers that [`program::build`] gives out; building is
//! deterministic, so the same program has the same numbers, and a [`digest`] of the program's `ir` text tells at
//! once when it is another program. The digest is a convenience and nothing rests on it: what was read is checked
//! against the program like any other certificate.
//!
//! Guarantees: [`read`] after [`write`] gives the same certificate, in the same store with the same term ids; `read` accepts any text
//! without a panic and says what is wrong with it. Both are linear in the text.

use crate::certificate::{Automaton, Certificate, Letter};
use base::{EntityRef, EntitySet};
use logic::smtlib::{parse, print};
use logic::{Sort, Term, Terms};
use program::{Edge, Location, Program};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};
use std::fmt;

/// What the field `format` says.
pub const FORMAT: &str = "unreach-certificate";

/// What the field `version` says; another number is another format.
pub const VERSION: u64 = 1;

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

/// The text of a certificate, one automaton per line.
pub fn write(source: &ir::Program, certificate: &Certificate, terms: &Terms) -> String {
    let mut letters = Letters::default();
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
    let cut_points: Vec<usize> = certificate.cut_points.iter().map(EntityRef::index).collect();
    let head = [
        ("format", json!(FORMAT)),
        ("version", json!(VERSION)),
        ("program", json!(digest(source))),
        ("cut_points", json!(cut_points)),
        ("letters", Value::Array(letters.table)),
    ];
    let head: String = head.iter().map(|(name, value)| format!("  \"{name}\": {value},\n")).collect();
    format!("{{\n{head}  \"automata\": [\n{}\n  ]\n}}\n", automata.join(",\n"))
}

/// The letters that are used, each written once.
#[derive(Default)]
struct Letters {
    table: Vec<Value>,
    ids: FxHashMap<Letter, usize>,
}

impl Letters {
    fn id(&mut self, letter: Letter) -> usize {
        *self.ids.entry(letter).or_insert_with(|| {
            self.table.push(match letter {
                Letter::Block(from, to) => json!(["block", from.index(), to.index()]),
                Letter::Call(edge) => json!(["call", edge.index()]),
                Letter::Return(edge) => json!(["return", edge.index()]),
            });
            self.table.len() - 1
        })
    }
}

/// The certificate that a text describes, for a program that was built from `source` with these `terms`.
pub fn read(
    source: &ir::Program,
    program: &Program,
    text: &str,
    terms: &mut Terms,
) -> Result<Certificate, ReadError> {
    let value: Value = serde_json::from_str(text).map_err(|error| ReadError::Malformed(error.to_string()))?;
    let fields = Fields::of(&value, "the certificate")?;
    if fields.get("format")? != FORMAT {
        return malformed(format!("`format` is not `{FORMAT}`"));
    }
    if fields.get("version")? != VERSION {
        return malformed(format!("`version` is not {VERSION}"));
    }
    if fields.get("program")? != &json!(digest(source)) {
        return Err(ReadError::OtherProgram);
    }
    let mut cut_points = EntitySet::new();
    for value in fields.list("cut_points")? {
        cut_points.insert(location(program, value)?);
    }
    let letters: Vec<Letter> =
        fields.list("letters")?.iter().map(|value| letter(program, value)).collect::<Result<_, _>>()?;
    let automata = fields.list("automata")?.iter();
    let automata = automata.map(|value| automaton(value, &letters, terms)).collect::<Result<_, _>>()?;
    Ok(Certificate { cut_points, automata })
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

fn location(program: &Program, value: &Value) -> Result<Location, ReadError> {
    number(value, program.locations.len(), "location").map(Location::new)
}

fn letter(program: &Program, value: &Value) -> Result<Letter, ReadError> {
    let edge = |value: &Value| number(value, program.edges.len(), "edge").map(Edge::new);
    let parts = value.as_array().map_or(&[][..], Vec::as_slice);
    let kind = parts.first().and_then(Value::as_str);
    match (kind, parts) {
        (Some("block"), [_, from, to]) => Ok(Letter::Block(location(program, from)?, location(program, to)?)),
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
