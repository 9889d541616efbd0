//! What a proof says, in a form that outlives its program: formulas at spots, and the predicates of its automata.
//!
//! Formulas are SMT-LIB terms over numbered variables; a table says which variable of the source each number is. So they
//! can be read again for a program in which variables have other names or other neighbours.

use super::align::Correspondence;
use super::outline::Places;
use super::spots::{
    Called, Spot, Spots, StateName, activations, activations_json, activations_of_json, carried_activations,
    placeholder,
};
use crate::prepared::Prepared;
use base::EntityRef;
use certify::Subject;
use engines::annotation::Annotation;
use engines::known::Known;
use logic::smtlib::{parse, print};
use logic::{Sort, Substitution, Symbol, Term, Terms};
use program::{Location, Proof};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A proof whose formulas have more characters than this altogether is not kept.
const MOST_TEXT: usize = 4 << 20;

/// A formula at a spot of an activation.
struct Label {
    activation: Option<usize>,
    spot: Spot,
    conjuncts: Vec<String>,
}

/// What a proof says.
pub(super) struct Formulas {
    names: Vec<StateName>,
    activations: Vec<Option<Called>>,
    labels: Vec<Label>,
    predicates: Vec<Vec<String>>,
}

/// The program that a proof is about.
pub(super) struct Ground<'g> {
    pub(super) source: &'g ir::Program,
    pub(super) subject: &'g Subject,
    pub(super) prepared: &'g Prepared,
    pub(super) places: &'g Places,
}

impl Ground<'_> {
    fn activations(&self) -> Vec<Option<Called>> {
        let copies = self.prepared.copies.as_ref();
        copies.map_or_else(Vec::new, |copies| {
            activations(&copies.unfolding, self.subject.program(), self.places)
        })
    }

    fn spots(&self) -> Spots {
        Spots::of(self.subject.program(), self.source, self.places)
    }
}

/// Writes formulas.
struct Writer<'w> {
    subject: &'w Subject,
    terms: &'w mut Terms,
    numbers: BTreeMap<Symbol, usize>,
    names: Vec<StateName>,
    renaming: Substitution,
    size: usize,
}

impl Writer<'_> {
    fn write(&mut self, formula: Term) -> String {
        for symbol in self.terms.free_symbols(formula) {
            let next = self.numbers.len();
            if *self.numbers.entry(symbol).or_insert(next) == next {
                self.names.push(StateName::of(symbol, self.subject, self.terms));
                let sort = self.terms.symbol_data(symbol).sort;
                let name = placeholder(next, sort, self.terms);
                let name = self.terms.constant(name);
                self.renaming.insert(symbol, name);
            }
        }
        let formula = self.renaming.apply(self.terms, formula);
        let text = print::term(self.terms, formula);
        self.size += text.len();
        text
    }
}

impl Formulas {
    /// What a proof says; nothing if that is too much.
    pub(super) fn of(
        ground: &Ground<'_>,
        annotation: Option<&Annotation>,
        proof: &Proof,
        terms: &mut Terms,
    ) -> Option<Formulas> {
        let spots = ground.spots();
        let mut writer = Writer {
            subject: ground.subject,
            terms,
            numbers: BTreeMap::new(),
            names: Vec::new(),
            renaming: Substitution::new(),
            size: 0,
        };
        let mut labels = Vec::new();
        for (location, conjuncts) in annotation.into_iter().flat_map(Annotation::at_locations) {
            let (activation, location) = match &ground.prepared.copies {
                None => (None, location),
                Some(copies) => {
                    let place = copies.place(location);
                    (Some(place.activation.index()), place.location)
                }
            };
            if let Some(spot) = spots.of_location(location) {
                let conjuncts = conjuncts.iter().map(|&conjunct| writer.write(conjunct)).collect();
                labels.push(Label { activation, spot, conjuncts });
            }
        }
        let mut predicates = Vec::new();
        for automaton in &proof.automata {
            let states = automaton.states.values();
            let mut all: Vec<Term> = states.flat_map(|&label| writer.terms.conjuncts(label)).collect();
            all.sort_unstable();
            all.dedup();
            all.retain(|term| !term.is_true() && !term.is_false());
            predicates.push(all.into_iter().map(|predicate| writer.write(predicate)).collect());
            if writer.size > MOST_TEXT {
                return None;
            }
        }
        Some(Formulas { names: writer.names, activations: ground.activations(), labels, predicates })
    }

    /// What they say about a new version of the program, as far as it can be said there.
    pub(super) fn carried(&self, found: &Correspondence, ground: &Ground<'_>, terms: &mut Terms) -> Known {
        let activations = carried_activations(&self.activations, &ground.activations(), found);
        let spots = ground.spots();
        let locations = inlined_locations(ground);
        let single = &ground.prepared.single;
        let names: Vec<Option<Symbol>> = self
            .names
            .iter()
            .map(|name| name.carried(found, &activations)?.symbol(ground.subject, single, terms))
            .collect();
        let mut reader = Reader::new(names, terms);
        let mut known = Known::default();
        for label in &self.labels {
            let location =
                label.spot.carried(found).and_then(|spot| spots.location(spot)).and_then(|location| {
                    match label.activation {
                        None => Some(location),
                        Some(activation) => {
                            let activation = activations.get(activation).copied().flatten()?;
                            locations.get(&(activation, location)).copied()
                        }
                    }
                });
            let Some(location) = location else { continue };
            let (mut labels, mut alternatives) = (Vec::new(), Vec::new());
            for text in &label.conjuncts {
                // What speaks of a number that has changed probably speaks of the new one now.
                match with_numbers(text, &found.numbers) {
                    Some(changed) => {
                        labels.extend(reader.read(&changed));
                        alternatives.extend(reader.read(text));
                    }
                    None => labels.extend(reader.read(text)),
                }
            }
            known.labels.insert(location, labels);
            known.alternatives.insert(location, alternatives);
        }
        for predicates in &self.predicates {
            let changed = predicates.iter().filter_map(|text| with_numbers(text, &found.numbers));
            let all: Vec<String> = predicates.iter().cloned().chain(changed).collect();
            known.predicates.push(all.iter().filter_map(|text| reader.read(text)).collect());
        }
        known
    }

    pub(super) fn json(&self) -> Value {
        let label = |it: &Label| json!([it.activation, it.spot.json(), it.conjuncts]);
        json!({
            "names": self.names.iter().map(StateName::json).collect::<Vec<_>>(),
            "activations": activations_json(&self.activations),
            "labels": self.labels.iter().map(label).collect::<Vec<_>>(),
            "predicates": self.predicates,
        })
    }

    pub(super) fn of_json(value: &Value) -> Option<Formulas> {
        use super::outline::{index, text};
        let list = |name: &str| value[name].as_array();
        let texts = |value: &Value| value.as_array()?.iter().map(text).collect::<Option<Vec<_>>>();
        let label = |value: &Value| {
            let activation = if value[0].is_null() { None } else { Some(index(&value[0])?) };
            Some(Label { activation, spot: Spot::of_json(&value[1])?, conjuncts: texts(&value[2])? })
        };
        Some(Formulas {
            names: list("names")?.iter().map(StateName::of_json).collect::<Option<_>>()?,
            activations: activations_of_json(&value["activations"])?,
            labels: list("labels")?.iter().map(label).collect::<Option<_>>()?,
            predicates: list("predicates")?.iter().map(texts).collect::<Option<_>>()?,
        })
    }
}

/// The locations of the program without calls, by activation and original.
fn inlined_locations(ground: &Ground<'_>) -> BTreeMap<(usize, Location), Location> {
    let Some(copies) = &ground.prepared.copies else { return BTreeMap::new() };
    let place = |location: Location| {
        let place = copies.place(location);
        ((place.activation.index(), place.location), location)
    };
    ground.prepared.single.locations.keys().map(place).collect()
}

/// Reads formulas.
struct Reader<'r> {
    terms: &'r mut Terms,
    known: BTreeSet<Symbol>,
    renaming: Substitution,
}

impl Reader<'_> {
    /// Reads formulas over the variables that have a name here.
    fn new(names: Vec<Option<Symbol>>, terms: &mut Terms) -> Reader<'_> {
        let mut renaming = Substitution::new();
        for (number, symbol) in names.iter().enumerate() {
            let Some(symbol) = *symbol else { continue };
            let sort = terms.symbol_data(symbol).sort;
            let name = placeholder(number, sort, terms);
            renaming.insert(name, terms.constant(symbol));
        }
        Reader { terms, known: names.into_iter().flatten().collect(), renaming }
    }

    /// The formula of a text; nothing if it speaks of something that is not there, or of another sort.
    fn read(&mut self, text: &str) -> Option<Term> {
        let formula = parse::term(self.terms, text).ok()?;
        if self.terms.sort_of(formula) != Sort::BOOL {
            return None;
        }
        let formula = self.renaming.apply(self.terms, formula);
        let is_known = |symbol: &Symbol| self.known.contains(symbol);
        self.terms.free_symbols(formula).iter().all(is_known).then_some(formula)
    }
}

/// A formula about other numbers, and about their neighbours: `x < 100` is also written as `x <= 99`.
fn with_numbers(text: &str, numbers: &BTreeMap<String, String>) -> Option<String> {
    let mut near: BTreeMap<String, String> = BTreeMap::new();
    for (before, after) in numbers {
        if let (Ok(before), Ok(after)) = (before.parse::<i128>(), after.parse::<i128>()) {
            for step in [-1, 1] {
                if let (Some(before), Some(after)) = (before.checked_add(step), after.checked_add(step))
                    && before >= 0
                    && after >= 0
                {
                    near.insert(before.to_string(), after.to_string());
                }
            }
        }
    }
    near.extend(numbers.iter().map(|(before, after)| (before.clone(), after.clone())));
    let mut changed = false;
    let mut result = String::with_capacity(text.len());
    // Between bars is a name.
    for (part, quoted) in text.split('|').zip([false, true].into_iter().cycle()) {
        if quoted {
            result.push('|');
            result.push_str(part);
            result.push('|');
            continue;
        }
        for token in part.split_inclusive([' ', '(', ')']) {
            let number = token.trim_end_matches([' ', '(', ')']);
            match near.get(number) {
                Some(other) => {
                    changed = true;
                    result.push_str(other);
                    result.push_str(&token[number.len()..]);
                }
                None => result.push_str(token),
            }
        }
    }
    changed.then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_replaced_but_not_in_names() {
        let numbers = BTreeMap::from([("100".to_owned(), "50".to_owned())]);
        let changed = |text: &str| with_numbers(text, &numbers);
        assert_eq!(changed("(<= |kept 100| 100)"), Some("(<= |kept 100| 50)".to_owned()));
        assert_eq!(changed("(<= |kept 1| 99)"), Some("(<= |kept 1| 49)".to_owned()));
        assert_eq!(changed("(= |kept 1| (- 101))"), Some("(= |kept 1| (- 51))".to_owned()));
        assert_eq!(changed("(<= |kept 1| 1000)"), None);
    }
}
