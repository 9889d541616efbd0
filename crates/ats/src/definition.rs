//! From the text of an automaton to the automaton.
//!
//! Two sets of fields are known: those of finite automata (`alphabet`, `transitions`) and those of nested word
//! automata (`callAlphabet`, `internalAlphabet`, …); the type name does not decide which are used. Every state
//! and letter must be declared. Epsilon transitions are eliminated: a transition into a state also leads to what
//! is reachable from there by epsilon transitions, and so do initial states.

use crate::ast::{Definition, Field, Item, Name};
use crate::names::{Letters, StateNames};
use crate::value::{Automaton, Size};
use base::{Diagnostic, PrimaryMap, Span};
use nwa::{Alphabet, Letter, Nwa, NwaBuilder, State};
use rustc_hash::FxHashMap;
use std::rc::Rc;

type Checked<T> = Result<T, Box<Diagnostic>>;

/// The fields of an automaton, sorted out.
#[derive(Default)]
struct Fields<'a> {
    internal: Option<&'a Field>,
    call: Option<&'a Field>,
    ret: Option<&'a Field>,
    states: Option<&'a Field>,
    initial: Option<&'a Field>,
    finals: Option<&'a Field>,
    internal_transitions: Option<&'a Field>,
    call_transitions: Option<&'a Field>,
    return_transitions: Option<&'a Field>,
    epsilon_transitions: Option<&'a Field>,
}

impl<'a> Fields<'a> {
    fn sort(definition: &'a Definition) -> Checked<Fields<'a>> {
        let mut fields = Fields::default();
        for field in &definition.fields {
            let slot = match field.name.text.as_str() {
                "alphabet" | "internalAlphabet" => &mut fields.internal,
                "callAlphabet" => &mut fields.call,
                "returnAlphabet" => &mut fields.ret,
                "states" => &mut fields.states,
                "initialStates" => &mut fields.initial,
                "finalStates" | "acceptingStates" => &mut fields.finals,
                "transitions" | "internalTransitions" => &mut fields.internal_transitions,
                "callTransitions" => &mut fields.call_transitions,
                "returnTransitions" => &mut fields.return_transitions,
                "epsilonTransitions" => &mut fields.epsilon_transitions,
                other => {
                    let message = format!("an automaton has no field `{other}`");
                    return Err(Box::new(Diagnostic::error(field.name.span, message)));
                }
            };
            if let Some(first) = slot {
                let message = format!("the field `{}` is given twice", field.name.text);
                let diagnostic = Diagnostic::error(field.name.span, message);
                return Err(Box::new(diagnostic.related(first.name.span, "first given here")));
            }
            *slot = Some(field);
        }
        Ok(fields)
    }
}

fn items(field: Option<&Field>) -> &[Item] {
    field.map_or(&[], |field| &field.items)
}

fn name(item: &Item) -> Checked<&Name> {
    match item {
        Item::Name(name) => Ok(name),
        Item::Tuple(_, span) => {
            Err(Box::new(Diagnostic::error(*span, "expected a name here, found a tuple")))
        }
    }
}

fn tuple<'a>(item: &'a Item, parts: usize, form: &str) -> Checked<&'a [Name]> {
    match item {
        Item::Tuple(names, _) if names.len() == parts => Ok(names),
        Item::Tuple(names, span) => {
            let message = format!("expected {form}, found {} names", names.len());
            Err(Box::new(Diagnostic::error(*span, message)))
        }
        Item::Name(name) => Err(Box::new(Diagnostic::error(name.span, format!("expected {form}")))),
    }
}

/// The declared letters of a kind, and the declared states.
struct Declared<'a> {
    names: FxHashMap<&'a str, State>,
    internal: FxHashMap<&'a str, Letter>,
    call: FxHashMap<&'a str, Letter>,
    ret: FxHashMap<&'a str, Letter>,
}

impl Declared<'_> {
    fn state(&self, name: &Name) -> Checked<State> {
        self.names.get(name.text.as_str()).copied().ok_or_else(|| {
            let message = format!("the state `{}` is not declared", name.text);
            Box::new(Diagnostic::error(name.span, message).help("add it to `states`"))
        })
    }
}

fn letter(letters: &FxHashMap<&str, Letter>, name: &Name, alphabet: &str) -> Checked<Letter> {
    letters.get(name.text.as_str()).copied().ok_or_else(|| {
        let message = format!("the letter `{}` is not in the {alphabet} alphabet", name.text);
        Box::new(Diagnostic::error(name.span, message))
    })
}

/// Builds an automaton. Warnings are appended.
pub(crate) fn build(
    definition: &Definition,
    letters: &mut Letters,
    warnings: &mut Vec<Diagnostic>,
) -> Checked<Automaton> {
    let fields = Fields::sort(definition)?;
    let mut alphabet = |field: Option<&'_ Field>| -> Checked<Vec<(usize, Letter)>> {
        items(field)
            .iter()
            .enumerate()
            .map(|(index, item)| Ok((index, letters.intern(&name(item)?.text))))
            .collect()
    };
    let (internal, call, ret) = (alphabet(fields.internal)?, alphabet(fields.call)?, alphabet(fields.ret)?);
    let mut names: PrimaryMap<State, Rc<str>> = PrimaryMap::new();
    let mut declared = Declared {
        names: FxHashMap::default(),
        internal: by_name(fields.internal, &internal)?,
        call: by_name(fields.call, &call)?,
        ret: by_name(fields.ret, &ret)?,
    };
    for item in items(fields.states) {
        let name = name(item)?;
        declared.names.entry(&name.text).or_insert_with(|| names.push(name.text.as_str().into()));
    }
    let letters_of = |list: &[(usize, Letter)]| list.iter().map(|&(_, letter)| letter).collect::<Vec<_>>();
    let mut builder =
        NwaBuilder::new(Alphabet::new(letters_of(&internal), letters_of(&call), letters_of(&ret)));
    builder.add_states(names.len());
    for item in items(fields.initial) {
        builder.set_initial(declared.state(name(item)?)?);
    }
    for item in items(fields.finals) {
        builder.set_final(declared.state(name(item)?)?);
    }
    transitions(&fields, &declared, &mut builder, warnings)?;
    let mut epsilon = Vec::new();
    for item in items(fields.epsilon_transitions) {
        let [source, target] = tuple(item, 2, "an epsilon transition (state successor)")? else { continue };
        epsilon.push((declared.state(source)?, declared.state(target)?));
    }
    let nwa = builder.finish();
    let names = StateNames::Written(names);
    if epsilon.is_empty() {
        return Ok(Automaton::new(nwa, names, Size::Exact));
    }
    let mut automaton = Automaton::new(without_epsilon(&nwa, &epsilon), names, Size::Exact);
    automaton.epsilon = epsilon.into();
    automaton.written = Some(Rc::new(nwa));
    Ok(automaton)
}

fn by_name<'a>(field: Option<&'a Field>, letters: &[(usize, Letter)]) -> Checked<FxHashMap<&'a str, Letter>> {
    let items = items(field);
    letters.iter().map(|&(index, letter)| Ok((name(&items[index])?.text.as_str(), letter))).collect()
}

fn transitions(
    fields: &Fields<'_>,
    declared: &Declared<'_>,
    builder: &mut NwaBuilder,
    warnings: &mut Vec<Diagnostic>,
) -> Checked<()> {
    for item in items(fields.internal_transitions) {
        let [source, a, target] = tuple(item, 3, "a transition (state letter successor)")? else { continue };
        let a = letter(&declared.internal, a, "internal")?;
        builder.add_internal(declared.state(source)?, a, declared.state(target)?);
    }
    for item in items(fields.call_transitions) {
        let [source, a, target] = tuple(item, 3, "a call transition (state letter successor)")? else {
            continue;
        };
        let a = letter(&declared.call, a, "call")?;
        builder.add_call(declared.state(source)?, a, declared.state(target)?);
    }
    for item in items(fields.return_transitions) {
        if let Item::Tuple(names, span) = item
            && let [source, a, target] = &names[..]
        {
            pending_return(declared, [source, a, target], *span, warnings)?;
            continue;
        }
        let form = "a return transition (state hierarchical-predecessor letter successor)";
        let [linear, hier, a, target] = tuple(item, 4, form)? else { continue };
        let a = letter(&declared.ret, a, "return")?;
        builder.add_return(declared.state(linear)?, declared.state(hier)?, a, declared.state(target)?);
    }
    Ok(())
}

/// A return transition without hierarchical predecessor would read a return that has no call. No nested word has
/// one, so the transition is checked and left out.
fn pending_return(
    declared: &Declared<'_>,
    [source, a, target]: [&Name; 3],
    span: Span,
    warnings: &mut Vec<Diagnostic>,
) -> Checked<()> {
    declared.state(source)?;
    letter(&declared.ret, a, "return")?;
    declared.state(target)?;
    let message = "a return transition without hierarchical predecessor is never taken";
    let help = "write (state hierarchical-predecessor letter successor)";
    warnings.push(Diagnostic::warning(span, message).help(help));
    Ok(())
}

/// The automaton with epsilon transitions eliminated.
fn without_epsilon(nwa: &Nwa, epsilon: &[(State, State)]) -> Nwa {
    let closures: PrimaryMap<State, Vec<State>> = nwa.states().map(|state| closure(state, epsilon)).collect();
    let mut builder = NwaBuilder::new(nwa.alphabet().clone());
    builder.add_states(nwa.num_states());
    for &state in nwa.initial() {
        closures[state].iter().for_each(|&state| builder.set_initial(state));
    }
    for state in nwa.states() {
        if nwa.is_final(state) {
            builder.set_final(state);
        }
        for edge in nwa.internal(state) {
            closures[edge.state].iter().for_each(|&to| builder.add_internal(state, edge.letter, to));
        }
        for edge in nwa.calls(state) {
            closures[edge.state].iter().for_each(|&to| builder.add_call(state, edge.letter, to));
        }
        for (hier, edges) in nwa.returns(state) {
            for edge in edges {
                closures[edge.state].iter().for_each(|&to| builder.add_return(state, hier, edge.letter, to));
            }
        }
    }
    builder.finish()
}

fn closure(state: State, epsilon: &[(State, State)]) -> Vec<State> {
    let mut reached = vec![state];
    let mut next = 0;
    while let Some(&state) = reached.get(next) {
        for &(source, target) in epsilon {
            if source == state && !reached.contains(&target) {
                reached.push(target);
            }
        }
        next += 1;
    }
    reached
}
