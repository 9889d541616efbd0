//! Certificates of termination, and of infinite runs, as text.
//!
//! The text is JSON, as that of [other certificates](crate::format): formulas and ranks are SMT-LIB terms over the names of
//! the program's variables; locations and edges are numbers, which are the same whenever the same program is built and
//! unfolded along the same activations; a digest tells at once when it is another program. `docs/certificate.md` describes it field by field.
//!
//! What is read is checked like any other certificate. [`read`] accepts any text without a panic. Tables of
//! uninterpreted functions are not written, so an infinite run that needs them is refused when it is read again.

use super::{Endless, TerminationCertificate};
use crate::Subject;
use crate::format::{ReadError, activations, digest, unfolding};
use crate::product::Move;
use crate::product::Read as Reads;
use base::{EntityRef, EntitySet};
use logic::evaluate::evaluate;
use logic::smtlib::{parse, print};
use logic::{Model, Sort, Symbol, Term, Terms, Value as ModelValue};
use program::{
    Covering, Edge, EdgeKind, Location, Module, ModuleState, Program, RankedNode, Recurrence, RecurrentSet,
    RecurrentWay,
};
use serde_json::{Value, json};

/// What the field `format` says in a proof of termination.
pub const TERMINATION: &str = "unreach-termination";
/// What the field `format` says in the evidence of an infinite run.
pub const RECURRENCE: &str = "unreach-recurrence";
/// What the field `version` says; another number is another format.
pub const VERSION: u64 = 2;

/// What a text describes.
#[derive(Debug)]
pub enum Read {
    /// A proof that all runs end.
    Termination(TerminationCertificate),
    /// A run that never ends.
    Recurrence(Box<Recurrence>),
}

/// Is the text one of these certificates, as far as its first field tells?
pub fn is_one(text: &str) -> bool {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return false };
    matches!(value.get("format").and_then(Value::as_str), Some(TERMINATION | RECURRENCE))
}

/// The text of a proof of termination, one node per line.
pub fn write_termination(
    (source, endless): (&ir::Program, &Endless),
    certificate: &TerminationCertificate,
    terms: &Terms,
) -> String {
    let cut_points: Vec<usize> = certificate.cut_points.iter().map(EntityRef::index).collect();
    let nodes: Vec<String> = certificate
        .nodes
        .iter()
        .map(|node| {
            let rank: Vec<String> = node.rank.iter().map(|&entry| print::term(terms, entry)).collect();
            let invariant = print::term(terms, node.invariant);
            let fields = json!({ "location": node.location.index(), "invariant": invariant, "rank": rank });
            format!("    {fields}")
        })
        .collect();
    let head = head(source, endless, TERMINATION);
    let cut_points = json!(cut_points);
    let coverings: Vec<String> =
        certificate.coverings.iter().map(|covering| covering_text(covering, terms)).collect();
    // Most proofs have none.
    let coverings = match &coverings[..] {
        [] => String::new(),
        some => format!(",\n  \"coverings\": [\n{}\n  ]", some.join(",\n")),
    };
    let nodes = nodes.join(",\n");
    format!("{{\n{head}  \"cut_points\": {cut_points},\n  \"nodes\": [\n{nodes}\n  ]{coverings}\n}}\n")
}

/// A covering, one state of a module per line.
fn covering_text(covering: &Covering, terms: &Terms) -> String {
    let modules: Vec<String> = covering.modules.iter().map(|module| module_text(module, terms)).collect();
    let locations: Vec<usize> = covering.locations.iter().map(|location| location.index()).collect();
    let impossible: Vec<[usize; 2]> =
        covering.impossible.iter().map(|&(from, to)| [from.index(), to.index()]).collect();
    let (locations, impossible) = (json!(locations), json!(impossible));
    format!(
        "    {{\"locations\": {locations}, \"impossible\": {impossible}, \"modules\": [\n{}\n    ]}}",
        modules.join(",\n")
    )
}

fn module_text(module: &Module, terms: &Terms) -> String {
    let text = |term: &Term| print::term(terms, *term);
    let states: Vec<String> = module
        .states
        .iter()
        .map(|state| {
            let rank = state.rank.as_ref().map(|rank| rank.iter().map(text).collect::<Vec<_>>());
            let fields = json!({
                "location": state.location.index(), "label": text(&state.label), "rank": rank,
                "measured": state.measured,
            });
            format!("        {fields}")
        })
        .collect();
    let entries: Vec<&str> =
        module.entries.iter().map(|&sort| if sort == Sort::REAL { "Real" } else { "Int" }).collect();
    let transitions: Vec<[usize; 2]> = module.transitions.iter().map(|&(from, to)| [from, to]).collect();
    let (entries, initial, transitions) = (json!(entries), json!(module.initial), json!(transitions));
    let states = states.join(",\n");
    format!(
        "      {{\"entries\": {entries}, \"initial\": {initial}, \"transitions\": {transitions}, \"states\": [\n{states}\n      ]}}"
    )
}

/// The text of the evidence for an infinite run; none if a value in it cannot be written.
pub fn write_recurrence(
    (source, endless): (&ir::Program, &Endless),
    recurrence: &Recurrence,
    terms: &mut Terms,
) -> Option<String> {
    let program: &Program = endless.program();
    let mut begin = Vec::new();
    let first = recurrence.values.first()?;
    for (_, data) in program.variables.iter() {
        if first.get(data.symbol).is_some() {
            begin.push(pair(first, data.symbol, terms)?);
        }
    }
    let mut choices = Vec::with_capacity(recurrence.stem.len());
    for (position, &edge) in recurrence.stem.iter().enumerate() {
        let mut here = Vec::new();
        match &program.edges[edge].kind {
            EdgeKind::Internal(relation) => {
                for &symbol in &relation.auxiliaries {
                    here.push(pair(&recurrence.values[position], symbol, terms)?);
                }
            }
            // What a call leaves open has its value in the state after the call.
            EdgeKind::Call(_) => {
                if let Some(after) = recurrence.values.get(position + 1) {
                    for (_, data) in
                        program.variables.iter().filter(|(_, data)| data.kind.belongs_to_a_call())
                    {
                        here.push(pair(after, data.symbol, terms)?);
                    }
                }
            }
            EdgeKind::Return(_) => {}
        }
        choices.push(here);
    }
    let sets: Vec<String> =
        recurrence.sets.iter().map(|set| format!("    {}", set_text(set, terms))).collect();
    let stem: Vec<usize> = recurrence.stem.iter().map(|edge| edge.index()).collect();
    let head = head(source, endless, RECURRENCE);
    let (stem, begin, choices) = (json!(stem), json!(begin), json!(choices));
    Some(format!(
        "{{\n{head}  \"stem\": {stem},\n  \"begin\": {begin},\n  \"choices\": {choices},\n  \"sets\": [\n{}\n  ]\n}}\n",
        sets.join(",\n")
    ))
}

fn head(source: &ir::Program, endless: &Endless, format: &str) -> String {
    let fields = [
        ("format", json!(format)),
        ("version", json!(VERSION)),
        ("program", json!(digest(source))),
        ("activations", activations(endless.unfolding())),
    ];
    let automaton = endless.automaton().map(|moves| ("automaton", automaton(moves)));
    let fields = fields.into_iter().chain(automaton);
    fields.map(|(name, value)| format!("  \"{name}\": {value},\n")).collect()
}

/// The automaton of a temporal property: for each state its moves.
fn automaton(states: &[Vec<Move>]) -> Value {
    let one = |one: &Move| {
        let mut fields = json!({ "guard": one.guard, "to": one.to, "accepting": one.accepting });
        match one.read {
            Reads::Internal => {}
            Reads::Call(context) => fields["call"] = json!(context),
            Reads::Return(context) => fields["return"] = json!(context),
        }
        fields
    };
    states.iter().map(|moves| moves.iter().map(one).collect::<Vec<Value>>()).collect()
}

fn set_text(set: &RecurrentSet, terms: &Terms) -> Value {
    let ways: Vec<Value> = set
        .ways
        .iter()
        .map(|way| {
            let edges: Vec<usize> = way.edges.iter().map(|edge| edge.index()).collect();
            let choices: Vec<Vec<Value>> = way
                .choices
                .iter()
                .map(|list| list.iter().map(|&(symbol, value)| named(symbol, value, terms)).collect())
                .collect();
            json!({ "edges": edges, "choices": choices, "target": way.target })
        })
        .collect();
    json!({ "location": set.location.index(), "states": print::term(terms, set.states), "ways": ways })
}

fn named(symbol: Symbol, value: Term, terms: &Terms) -> Value {
    json!([terms.symbol_data(symbol).name, print::term(terms, value)])
}

/// A symbol with its value.
fn pair(model: &Model, symbol: Symbol, terms: &mut Terms) -> Option<Value> {
    let sort = terms.symbol_data(symbol).sort;
    let value = model.value(terms, symbol);
    let term = literal(&value, sort, terms)?;
    Some(named(symbol, term, terms))
}

/// A value as a term of a sort; none for elements of sorts without literals.
fn literal(value: &ModelValue, sort: Sort, terms: &mut Terms) -> Option<Term> {
    Some(match value {
        ModelValue::Bool(value) => terms.bool(*value),
        ModelValue::Int(value) => terms.int(value.clone()),
        ModelValue::Real(value) => terms.real(value.clone()),
        ModelValue::BitVec(width, value) => terms.bitvec(value.clone(), *width),
        ModelValue::Array(array) => {
            let (index_sort, element_sort) = terms.array_parts(sort)?;
            let default = literal(&array.default, element_sort, terms)?;
            let mut term = terms.const_array(sort, default);
            for (index, element) in &array.entries {
                let index = literal(index, index_sort, terms)?;
                let element = literal(element, element_sort, terms)?;
                term = terms.store(term, index, element);
            }
            term
        }
        ModelValue::Element(..) => return None,
    })
}

/// What a text describes, for a program that was made ready from `source` with these `terms`.
///
/// Also returned is the program that it speaks of.
pub fn read(
    (source, subject): (&ir::Program, &Subject),
    text: &str,
    terms: &mut Terms,
) -> Result<(Read, Endless), ReadError> {
    let value: Value = serde_json::from_str(text).map_err(|error| ReadError::Malformed(error.to_string()))?;
    if field(&value, "version")? != VERSION {
        return malformed(format!("`version` is not {VERSION}"));
    }
    if field(&value, "program")? != &json!(digest(source)) {
        return Err(ReadError::OtherProgram);
    }
    if value.get("automaton") != subject.automaton().map(automaton).as_ref() {
        return malformed("`automaton` is not that of the property");
    }
    let activations = match field(&value, "activations")? {
        Value::Null => None,
        _ => Some(unfolding(subject.program(), list(&value, "activations")?)?),
    };
    let endless = Endless::new(subject, activations.as_ref(), terms)
        .map_err(|refusal| ReadError::Malformed(refusal.to_string()))?;
    let reader = Reader { program: endless.program() };
    let read = match field(&value, "format")?.as_str() {
        Some(TERMINATION) => Read::Termination(reader.termination(&value, terms)?),
        Some(RECURRENCE) => Read::Recurrence(Box::new(reader.recurrence(&value, terms)?)),
        _ => return malformed(format!("`format` is neither `{TERMINATION}` nor `{RECURRENCE}`")),
    };
    Ok((read, endless))
}

fn malformed<T>(what: impl Into<String>) -> Result<T, ReadError> {
    Err(ReadError::Malformed(what.into()))
}

fn field<'v>(value: &'v Value, name: &str) -> Result<&'v Value, ReadError> {
    match value.get(name) {
        Some(field) => Ok(field),
        None => malformed(format!("there is no field `{name}`")),
    }
}

fn list<'v>(value: &'v Value, name: &str) -> Result<&'v [Value], ReadError> {
    match field(value, name)?.as_array() {
        Some(list) => Ok(list),
        None => malformed(format!("`{name}` is no list")),
    }
}

struct Reader<'p> {
    program: &'p Program,
}

impl Reader<'_> {
    fn number(&self, value: &Value, bound: usize, what: &str) -> Result<usize, ReadError> {
        let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
        match number.filter(|&number| number < bound) {
            Some(number) => Ok(number),
            None => malformed(format!("{value} is no {what}")),
        }
    }

    fn location(&self, value: &Value) -> Result<Location, ReadError> {
        self.number(value, self.program.locations.len(), "location").map(Location::new)
    }

    fn edges(&self, values: &[Value]) -> Result<Vec<Edge>, ReadError> {
        let edge = |value| self.number(value, self.program.edges.len(), "edge").map(Edge::new);
        values.iter().map(edge).collect()
    }

    fn term(&self, value: &Value, terms: &mut Terms) -> Result<Term, ReadError> {
        let Some(text) = value.as_str() else { return malformed(format!("{value} is no term")) };
        parse::term(terms, text).map_err(|error| ReadError::Malformed(format!("`{text}`: {error}")))
    }

    fn formula(&self, value: &Value, terms: &mut Terms) -> Result<Term, ReadError> {
        let term = self.term(value, terms)?;
        if terms.sort_of(term) == Sort::BOOL { Ok(term) } else { malformed(format!("{value} is no formula")) }
    }

    fn termination(&self, value: &Value, terms: &mut Terms) -> Result<TerminationCertificate, ReadError> {
        let mut cut_points = EntitySet::new();
        for location in list(value, "cut_points")? {
            cut_points.insert(self.location(location)?);
        }
        let mut nodes = Vec::new();
        for node in list(value, "nodes")? {
            let location = self.location(field(node, "location")?)?;
            let invariant = self.formula(field(node, "invariant")?, terms)?;
            let mut rank = Vec::new();
            for entry in list(node, "rank")? {
                rank.push(self.term(entry, terms)?);
            }
            nodes.push(RankedNode { location, invariant, rank });
        }
        let mut coverings = Vec::new();
        if value.get("coverings").is_some() {
            for covering in list(value, "coverings")? {
                coverings.push(self.covering(covering, terms)?);
            }
        }
        Ok(TerminationCertificate { cut_points, nodes, coverings })
    }

    fn covering(&self, value: &Value, terms: &mut Terms) -> Result<Covering, ReadError> {
        let location = |location: &Value| self.location(location);
        let locations = list(value, "locations")?.iter().map(location).collect::<Result<_, _>>()?;
        let mut modules = Vec::new();
        for module in list(value, "modules")? {
            modules.push(self.module(module, terms)?);
        }
        let mut impossible = Vec::new();
        for ends in self.lists(value, "impossible")? {
            match ends {
                [from, to] => impossible.push((self.location(from)?, self.location(to)?)),
                _ => return malformed("an impossible step that has not two ends"),
            }
        }
        Ok(Covering { locations, impossible, modules })
    }

    fn module(&self, value: &Value, terms: &mut Terms) -> Result<Module, ReadError> {
        let mut entries = Vec::new();
        for (number, entry) in list(value, "entries")?.iter().enumerate() {
            let sort = match entry.as_str() {
                Some("Int") => Sort::INT,
                Some("Real") => Sort::REAL,
                _ => return malformed(format!("{entry} is no sort of a rank")),
            };
            // So that labels may speak of it.
            Module::old_entry(number, sort, terms);
            entries.push(sort);
        }
        let mut states = Vec::new();
        for state in list(value, "states")? {
            let rank = match field(state, "rank")? {
                Value::Null => None,
                _ => {
                    Some(list(state, "rank")?.iter().map(|entry| self.term(entry, terms)).collect::<Result<
                        Vec<Term>,
                        _,
                    >>(
                    )?)
                }
            };
            let location = self.location(field(state, "location")?)?;
            let label = self.formula(field(state, "label")?, terms)?;
            let Some(measured) = field(state, "measured")?.as_bool() else {
                return malformed("`measured` is no truth value");
            };
            states.push(ModuleState { location, label, rank, measured });
        }
        let state = |value: &Value| self.number(value, states.len(), "state of a module");
        let initial = list(value, "initial")?.iter().map(state).collect::<Result<_, _>>()?;
        let mut transitions = Vec::new();
        for ends in self.lists(value, "transitions")? {
            match ends {
                [from, to] => transitions.push((state(from)?, state(to)?)),
                _ => return malformed("a transition that has not two ends"),
            }
        }
        Ok(Module { entries, states, initial, transitions })
    }

    fn pairs(&self, values: &[Value], terms: &mut Terms) -> Result<Vec<(Symbol, Term)>, ReadError> {
        let mut pairs = Vec::with_capacity(values.len());
        for value in values {
            let Some([name, term]) = value.as_array().map(Vec::as_slice) else {
                return malformed(format!("{value} is no name with a value"));
            };
            let symbol = name.as_str().and_then(|name| terms.symbol_by_name(name));
            let Some(symbol) = symbol else { return malformed(format!("{name} is no name")) };
            let term = self.term(term, terms)?;
            if terms.sort_of(term) != terms.symbol_data(symbol).sort {
                return malformed(format!("{value} has the wrong sort"));
            }
            pairs.push((symbol, term));
        }
        Ok(pairs)
    }

    /// Gives symbols of a model their values.
    fn values(&self, values: &[Value], model: &mut Model, terms: &mut Terms) -> Result<(), ReadError> {
        for (symbol, term) in self.pairs(values, terms)? {
            match evaluate(terms, &Model::new(), term) {
                Ok(value) => model.set(symbol, value),
                Err(_) => return malformed("a value with a quantifier"),
            }
        }
        Ok(())
    }

    fn lists<'v>(&self, value: &'v Value, name: &str) -> Result<Vec<&'v [Value]>, ReadError> {
        let mut all = Vec::new();
        for one in list(value, name)? {
            match one.as_array() {
                Some(list) => all.push(list.as_slice()),
                None => return malformed(format!("`{name}` has something that is no list")),
            }
        }
        Ok(all)
    }

    fn recurrence(&self, value: &Value, terms: &mut Terms) -> Result<Recurrence, ReadError> {
        let stem = self.edges(list(value, "stem")?)?;
        let choices = self.lists(value, "choices")?;
        if choices.len() != stem.len() {
            return malformed("there are not as many lists of choices as edges of the stem");
        }
        let mut model = Model::new();
        self.values(list(value, "begin")?, &mut model, terms)?;
        let mut values = Vec::with_capacity(stem.len());
        for (&edge, choices) in stem.iter().zip(choices) {
            let called = matches!(self.program.edges[edge].kind, EdgeKind::Call(_));
            if called {
                values.push(model.clone());
            }
            self.values(choices, &mut model, terms)?;
            if !called {
                values.push(model.clone());
            }
        }
        let mut sets = Vec::new();
        for set in list(value, "sets")? {
            let mut ways = Vec::new();
            for way in list(set, "ways")? {
                let edges = self.edges(list(way, "edges")?)?;
                let mut choices = Vec::new();
                for one in self.lists(way, "choices")? {
                    choices.push(self.pairs(one, terms)?);
                }
                let target = self.number(field(way, "target")?, usize::MAX, "set")?;
                ways.push(RecurrentWay { edges, choices, target });
            }
            let location = self.location(field(set, "location")?)?;
            let states = self.formula(field(set, "states")?, terms)?;
            sets.push(RecurrentSet { location, states, ways });
        }
        Ok(Recurrence { stem, values, sets })
    }
}
