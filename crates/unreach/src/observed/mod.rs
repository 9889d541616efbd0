//! Programs watched by an observer, or by the automaton of a formula of CaRet (crate `property`, [`property::observer`] and
//! [`property::caret`]).
//!
//! The conditions of an observer are of the program's language. So procedures that evaluate them are added to the
//! program's text ([`c_text`], [`boogie_text`]), the front end reads them, and the product with the automaton is made of what it
//! gives. Mistakes that the front end finds in a condition are told at the condition.

mod boogie_text;
mod c_text;
pub mod caret;
mod checked;
mod liveness;

use crate::answer::Failure;
use crate::problem::{BoogieFile, Language, Problem, Source};
use crate::property::Property;
use crate::temporal;
use crate::view::{self, NoView, View};
use base::{Diagnostic, EntityRef, FileId, PrimaryMap, SourceMap, Span};
use caret::{Caret, Violations};
use program::Reason;
use property::observer::product::{
    Machine, Misfit, NotPlaced, Placed, Places, STAND_IN, place, product, watch_one_thread,
};
use property::observer::{Event, EventData, EventKind, Observer, StateData, Transition};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// An observer as it was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObserverFile {
    /// The name of the file.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The formula of CaRet in it; none if it is an observer.
    pub formula: Option<String>,
}

/// What executions tell about the observer.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The variable with the number of the automaton's state.
    pub state: ir::Variable,
    /// The names of the states.
    pub names: Vec<String>,
    /// Variables that the product needs, and nobody else.
    pub hidden: BTreeSet<ir::Variable>,
    /// The parts of the values that stand for all, by their names in the observer.
    pub each: Vec<property::observer::product::Each>,
}

impl Observed {
    /// For each event of an execution, the state that the observer enters there, if it is another one than before.
    pub(crate) fn entered(&self, execution: &certify::Execution) -> Vec<Option<&str>> {
        let number = |value: &ir::interpreter::Value| value.as_int()?.to_big().try_into().ok();
        let state = |values: &[(ir::Variable, ir::interpreter::Value)]| -> Option<usize> {
            values
                .iter()
                .rev()
                .find(|(variable, _)| *variable == self.state)
                .and_then(|(_, value)| number(value))
        };
        let mut last = state(&execution.inputs);
        let mut entered = Vec::with_capacity(execution.events.len());
        for event in &execution.events {
            let now = state(&event.changed).filter(|&now| Some(now) != last);
            last = now.or(last);
            entered.push(now.and_then(|now| self.names.get(now)).map(String::as_str));
        }
        entered
    }

    /// The name of a value that stands for all, if a variable is the only part of one.
    pub(crate) fn name_of_each(&self, variable: ir::Variable) -> Option<&str> {
        let each = self.each.iter().find(|each| each.variable == variable)?;
        let parts = self.each.iter().filter(|other| other.name == each.name).count();
        (parts == 1).then_some(each.name.as_str())
    }
}

/// Why there is no text to add.
enum NoText {
    /// The observer does not fit the program.
    Mistake(Diagnostic),
    /// It looks for something that cannot be seen.
    Unsupported(String),
}

impl NoText {
    fn mistake(span: Span, message: impl Into<String>) -> NoText {
        NoText::Mistake(Diagnostic::error(span, message))
    }
}

/// A part of an added text that stands in the observer's file.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Piece {
    /// Where it is in the text.
    range: Range<u32>,
    /// Where it is in the observer's file.
    span: Span,
}

/// Whether failures under this name are those of observers and formulas.
pub(crate) fn is_property(name: &str) -> bool {
    name == "caret" || name == temporal::safety::NAME || name.starts_with("observer ")
}

fn unsupported(what: impl Into<String>) -> NoView {
    NoView::Unknown(Reason::Unsupported(what.into()))
}

fn mistake(sources: &SourceMap, diagnostic: Diagnostic) -> NoView {
    NoView::Failure(Failure::Mistakes(Box::new(sources.clone()), vec![diagnostic]))
}

/// Reads an observer.
pub fn read(file: &ObserverFile) -> Result<Observer, Failure> {
    let mut sources = SourceMap::new();
    let id = sources.add(file.name.clone(), file.text.clone());
    property::observer::parse(id, &file.text)
        .map_err(|mistake| Failure::Mistakes(Box::new(sources), vec![mistake]))
}

/// A problem whose program tells where it calls functions: the procedure `EVENT k` is called there. For each function that the program has, by its number in the list, the number of
/// that procedure. `plain` gives the view of a problem.
pub(crate) fn watch_calls(
    problem: &Problem,
    names: &[&str],
    plain: &dyn Fn(&Problem) -> Result<View, NoView>,
) -> Result<(Problem, Vec<(usize, u32)>), NoView> {
    let nowhere = Span::new(EntityRef::new(0), 0, 0);
    let calls_of = |is_known: &dyn Fn(&str) -> bool| {
        let mut events: PrimaryMap<Event, EventData> = PrimaryMap::new();
        let mut numbers = Vec::new();
        for (index, name) in names.iter().enumerate().filter(|(_, name)| is_known(name)) {
            let data = EventData { kind: EventKind::Call, name: (*name).to_owned(), span: nowhere };
            numbers.push((index, events.push(data).as_u32()));
        }
        let states = [StateData { name: "all".to_owned(), error: None }].into_iter().collect();
        let (name, initial) = ("calls".to_owned(), EntityRef::new(0));
        let (each, transitions) = (Vec::new(), Vec::new());
        (Observer { name, each, states, initial, events, transitions }, numbers)
    };
    let no_text = |why| match why {
        NoText::Mistake(mistake) => unsupported(format!("calls in a temporal property: {}", mistake.message)),
        NoText::Unsupported(what) => unsupported(what),
    };
    let mut watched = problem.clone();
    if problem.language() == Some(Language::C) {
        let known = view::known_in_c(problem)?;
        let is_known = |name: &str| known.functions.iter().any(|function| function.name == name);
        let (observer, numbers) = calls_of(&is_known);
        let entry = problem.c.entry.as_deref().unwrap_or("main");
        watched.watch = Some(Arc::new(c_text::text(&observer, &known, entry).map_err(no_text)?.watch));
        return Ok((watched, numbers));
    }
    let first = plain(&Problem { ltl: None, ..problem.clone() })?.program;
    let (observer, numbers) = calls_of(&|name| first.procedure(name).is_some());
    let (text, _) = boogie_text::text(&observer, &first).map_err(no_text)?;
    let (name, role) = (c::watch::ADDED.to_owned(), boogie::Role::Library);
    watched.more_boogie.push(BoogieFile { name, text, role });
    Ok((watched, numbers))
}

/// The product of a problem with an observer; `plain` gives the view of a problem.
pub(crate) fn view(
    problem: &Problem,
    file: &ObserverFile,
    plain: impl Fn(&Problem) -> Result<View, NoView>,
) -> Result<View, NoView> {
    let mut sources = SourceMap::new();
    sources.add(file.name.clone(), file.text.clone());
    let caret = match &file.formula {
        None => None,
        Some(formula) => Some(caret::read(formula).map_err(|why| match why {
            caret::NoCaret::Unsupported(what) => unsupported(what),
            caret::NoCaret::Malformed(position, message) => {
                let start = caret::place(file, formula).start + u32::try_from(position).unwrap_or_default();
                let end = u32::try_from(file.text.len()).unwrap_or(u32::MAX);
                let span = Span::new(EntityRef::new(0), start.min(end), start.min(end));
                mistake(&sources, Diagnostic::error(span, message))
            }
        })?),
    };
    let no_text = |no_text| match no_text {
        NoText::Mistake(found) => mistake(&sources, found),
        NoText::Unsupported(what) => unsupported(what),
    };
    let problem = Problem { observer: None, ..problem.clone() };
    let Source::Text { language, .. } = &problem.source else {
        return Err(unsupported("an observer of a program without text"));
    };
    // They would be assumed, as assertions of the program are.
    if problem.c.checks != c::Checks::default() || !problem.c.contracts.is_ignored() {
        return Err(unsupported("checks and contracts besides an observer"));
    }
    let observer;
    let mut view = match language {
        Language::C => {
            let known = view::known_in_c(&problem)?;
            let entry = problem.c.entry.as_deref().unwrap_or("main");
            if caret.is_some() && !problem.c.more.is_empty() {
                return Err(unsupported("a formula of CaRet about a program of several files"));
            }
            let is_own = |function: &&c::watch::Signature| {
                function.defined && !function.model && function.name != entry
            };
            let own = known.functions.iter().filter(is_own).map(|function| function.name.clone());
            observer = watching(file, caret.as_ref(), (own.collect(), Some(entry)), &sources)?;
            let added = c_text::text(&observer, &known, entry).map_err(no_text)?;
            let mut watched = Problem { watch: Some(Arc::new(added.watch)), ..problem.clone() };
            if caret.is_none() {
                (watched.property, watched.c.checks) = c_text::asked(&observer);
            }
            plain(&watched).map_err(|failure| told(failure, file, c::watch::ADDED, &added.pieces))?
        }
        Language::Boogie => {
            let first = plain(&problem)?;
            let own = first.program.procedures.values().filter(|data| data.body.is_some());
            let own = own.map(|data| data.name.clone()).collect();
            observer = watching(file, caret.as_ref(), (own, None), &sources)?;
            let (text, pieces) = boogie_text::text(&observer, &first.program).map_err(no_text)?;
            let mut watched = problem.clone();
            let (name, role) = (c::watch::ADDED.to_owned(), boogie::Role::Library);
            watched.more_boogie.push(BoogieFile { name, text, role });
            let mut view =
                plain(&watched).map_err(|failure| told(failure, file, c::watch::ADDED, &pieces))?;
            redirect(&mut view.program);
            view
        }
        Language::SvLib => return Err(unsupported("an observer of a script")),
    };
    let mut places = places(&view, &problem, &observer)?;
    places.threads = view.is_concurrent();
    if places.threads
        && let Some(caret) = &caret
    {
        if matches!(caret.automaton, Violations::Infinite(_)) {
            return Err(unsupported("a formula of CaRet about whole executions of a program with threads"));
        }
        let exit = observer.events.iter().find(|(_, data)| data.kind == EventKind::Exit);
        let copies = watch_one_thread(&mut view.program, exit.map(|(event, _)| event), places.main);
        if let Some(back) = &mut view.back {
            back.add_copies(&copies);
        }
        places.one_thread = true;
    }
    if places.threads && observer.events.values().any(|event| event.kind == EventKind::Exit) {
        // The end of the thread that runs `main` need not be the end of the program then.
        let texts = problem.c.more.iter().map(|(_, text)| text.as_str()).chain([problem.text()]);
        for text in texts {
            temporal::refuse_words(
                text,
                &["pthread_exit", "thrd_exit"],
                "the end as an event, with threads,",
            )?;
        }
    }
    if caret.is_some() && places.main.is_some_and(|main| is_called(&view.program, main)) {
        return Err(unsupported("a formula of CaRet about a program whose first function is called"));
    }
    let machine = match &caret {
        None => Machine::Observer,
        Some(Caret { formulas, automaton: Violations::Finite(automaton) }) => {
            Machine::Caret(formulas, automaton)
        }
        Some(Caret { formulas, automaton: Violations::Infinite(automaton) }) => {
            if problem.property != Property::Termination {
                return Err(unsupported(
                    "a formula of CaRet about whole executions besides another property",
                ));
            }
            if *language == Language::C {
                temporal::refuse_ends(problem.text())?;
            }
            let shown = automaton.text(formulas);
            let mut view = liveness::product(view, &observer, formulas, automaton)?;
            view.made.insert("observer".to_owned(), shown);
            return Ok(view);
        }
    };
    let placed = place(&mut view.program, &observer, machine, &places).map_err(|why| match why {
        NotPlaced::Misfit(Misfit { span, message }) => mistake(&sources, Diagnostic::error(span, message)),
        NotPlaced::Unsupported(what) => unsupported(what),
    })?;
    let is_atom = |variable: &ir::Variable| {
        view.program.variables[*variable].name.starts_with(property::observer::product::ADDED)
    };
    let atoms: Vec<ir::Variable> = view.program.globals.iter().copied().filter(is_atom).collect();
    let (names, shown) = match &caret {
        None => {
            let names = observer.states.values().map(|state| state.name.clone()).collect();
            (names, property::observer::text(&observer))
        }
        Some(Caret { automaton: Violations::Infinite(_), .. }) => (Vec::new(), String::new()),
        Some(Caret { formulas, automaton: Violations::Finite(automaton) }) => {
            let names = (0..automaton.size()).map(|state| automaton.due(formulas, state)).collect();
            (names, automaton.text(formulas))
        }
    };
    watched(&mut view, placed, names, atoms);
    view.made.insert("observer".to_owned(), shown);
    Ok(view)
}

/// Makes a view with letters the product with the automaton that reads them. Executions call the states by these names, and say nothing of the
/// variables with the values of conditions.
pub(crate) fn watched(view: &mut View, placed: Placed, names: Vec<String>, atoms: Vec<ir::Variable>) {
    view.observation = Some(Arc::new(checked::observation(&view.program, &placed)));
    let made = product(&mut view.program, &placed);
    let hidden: BTreeSet<ir::Variable> = made.copies.keys().copied().chain(atoms).collect();
    if let Some(back) = &mut view.back {
        back.add_copies(&made.copies);
        // What a watched function asks the environment is asked where it is called.
        for input in back.inputs.iter_mut().filter(|input| made.copies.contains_key(&input.variable)) {
            input.span = view.program.variables[input.variable].span;
        }
        back.variables.retain(|variable, _| !hidden.contains(variable));
        for moved in &made.moved {
            if back.decisions.contains(&(moved.procedure, moved.from)) {
                back.decisions.insert((moved.procedure, moved.to));
            }
        }
        back.checks = made.assertions;
    }
    view.observed = Some(Observed { state: placed.state, names, hidden, each: placed.each });
}

/// Writes the condition of a transition in the words of the program's language: that arguments are the numbers that are asked
/// for, and what stands behind `with`.
fn push_condition(out: &mut String, pieces: &mut Vec<Piece>, transition: &Transition, names: &c_text::Names) {
    let arguments = transition.numbers().map(|(index, literal)| (&names.arguments[index], literal));
    let result = transition.result_number().map(|literal| (&names.result, literal));
    let mut first = true;
    let mut push = |out: &mut String, before: &str, part: &property::observer::Name, after: &str| {
        out.push_str(if first { "" } else { " && " });
        out.push_str(before);
        let position = |out: &String| u32::try_from(out.len()).unwrap_or(u32::MAX);
        let start = position(out);
        out.push_str(&part.text);
        pieces.push(Piece { range: start..position(out), span: part.span });
        out.push_str(after);
        first = false;
    };
    for (name, literal) in arguments.chain(result) {
        push(out, &format!("{name} == ("), literal, ")");
    }
    if let Some(condition) = &transition.condition {
        push(out, "(", condition, ")");
    }
}

/// The observer of a file, or what sees the positions that a formula speaks of: `own` are the functions that the program defines,
/// with the one that it begins with.
fn watching(
    file: &ObserverFile,
    caret: Option<&Caret>,
    (own, entry): (BTreeSet<String>, Option<&str>),
    sources: &SourceMap,
) -> Result<Observer, NoView> {
    match caret {
        None => read(file).map_err(NoView::Failure),
        Some(caret) => caret::positions(caret, file, own, entry).map_err(|no_text| match no_text {
            NoText::Mistake(found) => mistake(sources, found),
            NoText::Unsupported(what) => unsupported(what),
        }),
    }
}

/// Whether the program itself calls a procedure.
fn is_called(program: &ir::Program, callee: ir::Procedure) -> bool {
    let others = program.procedures.values().filter(|data| data.name != ir::program::START);
    let bodies = others.filter_map(|data| data.body.as_ref());
    let mut statements = bodies.flat_map(|body| body.blocks.values()).flat_map(|block| &block.statements);
    statements.any(|statement| {
        matches!(statement.kind, ir::StatementKind::Call { procedure, .. } if procedure == callee)
    })
}

/// A mistake in an added text, told where its author can mend it.
fn told(failure: NoView, file: &ObserverFile, added: &str, pieces: &[Piece]) -> NoView {
    let NoView::Failure(Failure::Mistakes(mut sources, mut mistakes)) = failure else { return failure };
    let mut own: Option<FileId> = None;
    for mistake in &mut mistakes {
        if sources.file(mistake.span.file).name != added {
            continue;
        }
        let at = mistake.span.start;
        let Some(piece) = pieces.iter().find(|piece| piece.range.start <= at && at <= piece.range.end) else {
            continue;
        };
        let id = *own.get_or_insert_with(|| sources.add(file.name.clone(), file.text.clone()));
        let moved = |offset: u32| {
            piece.span.start + offset.clamp(piece.range.start, piece.range.end) - piece.range.start
        };
        mistake.span = Span::new(id, moved(at), moved(mistake.span.end));
        mistake.related.clear();
    }
    // A condition may stand at several places of the text.
    mistakes.dedup();
    NoView::Failure(Failure::Mistakes(sources, mistakes))
}

/// Lets a Boogie program call what stands in for the watched procedures.
pub(crate) fn redirect(program: &mut ir::Program) {
    let pairs: Vec<(ir::Procedure, ir::Procedure)> = program
        .procedures
        .iter()
        .filter_map(|(stand_in, data)| {
            let watched = program.procedure(data.name.strip_prefix(STAND_IN)?)?;
            Some((watched, stand_in))
        })
        .collect();
    for data in program.procedures.values_mut() {
        if data.name.starts_with(property::observer::product::ADDED) {
            continue;
        }
        for block in data.body.iter_mut().flat_map(|body| body.blocks.values_mut()) {
            for statement in &mut block.statements {
                if let ir::StatementKind::Call { procedure, .. } = &mut statement.kind
                    && let Some((_, stand_in)) = pairs.iter().find(|(watched, _)| watched == procedure)
                {
                    *procedure = *stand_in;
                }
            }
        }
    }
}

/// Where the program does what the observer looks for.
fn places(view: &View, problem: &Problem, observer: &Observer) -> Result<Places, NoView> {
    let mut places = Places::default();
    if view.back.is_some() {
        let main = problem.c.entry.as_deref().unwrap_or("main");
        places.main = view.program.procedure(main);
        if places.main.is_none() {
            return Err(unsupported("an observer of a program whose entry was lost"));
        }
    }
    let root = crate::report::root;
    for (event, data) in observer.events.iter().filter(|(_, data)| data.kind == EventKind::Assign) {
        let variables = match &view.back {
            Some(back) => {
                let mut variables: Vec<ir::Variable> = back
                    .variables
                    .iter()
                    .filter(|(_, meaning)| meaning.function.is_none() && root(&meaning.name) == data.name)
                    .map(|(&variable, _)| variable)
                    .collect();
                variables.sort_unstable();
                // A struct may be assigned member by member, which would be several events.
                if variables.iter().any(|variable| back.variables[variable].name.contains('.')) {
                    return Err(unsupported(format!("assignments to `{}`, which has members", data.name)));
                }
                variables
            }
            None => {
                let globals = view.program.globals.iter().copied();
                globals.filter(|&it| view.program.variables[it].name == data.name).collect()
            }
        };
        places.assigned.insert(event, variables);
    }
    Ok(places)
}
