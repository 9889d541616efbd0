//! A problem as a program of the intermediate language.
//!
//! There are several ways to see one: bit operations may be bounded or exact, threads may be left alone or be made one
//! product of so many threads in some order. Evidence speaks of the view in which it was found.

use crate::answer::Failure;
use crate::checks;
use crate::input;
use crate::observed::{self, Observed};
use crate::problem::{Language, Problem, Source};
use crate::property::Property;
use crate::temporal;
use base::{Budget, Diagnostic, EntityRef, FileId, Interrupted, SourceMap};
use certify::format::Made;
use certify::product::Watched;
use certify::product::observed::Observation;
use certify::{NotASubject, Subject};
use logic::Terms;
use program::Reason;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use threads::any_number::{AnyNumber, Tracked};
use threads::{Beyond, Guards, Options, Order, Refused};

/// What bit operations without a rule over integers become. See [`c::BitOperations`].
pub use c::{BitOperations, SignedOverflow};

/// A product with more states than this is more than anybody can prove something about, unless it is a sequence of
/// many threads ([`threads::STATES_PER_PLACE`]).
const MOST_STATES: usize = 30_000;

/// A program of the intermediate language, with the way back to its source.
#[derive(Clone, Debug)]
pub struct View {
    /// The sources that its places are about.
    pub sources: SourceMap,
    /// The program.
    pub program: ir::Program,
    /// The way back to C, for a program that was C.
    pub back: Option<c::BackMap>,
    /// Whose steps they are, for a program that is the product of threads.
    pub threads: Option<Threads>,
    /// The way back to its script, for a program that was SV-LIB.
    pub script: Option<svlib::Back>,
    /// What it is the product of, with the automaton of a temporal property.
    pub watched: Option<Arc<Watched>>,
    /// The state in which that automaton is in each block of the product.
    pub states: BTreeMap<(ir::Procedure, ir::Block), usize>,
    /// What it is the product of, with an observer or the automaton of a formula about finite executions.
    pub observation: Option<Arc<Observation>>,
    /// That product, where the program is something that was made of it.
    pub product: Option<Arc<ir::Program>>,
    /// What executions tell about an observer, if there is one.
    pub observed: Option<Observed>,
    /// What the front end warns of.
    pub warnings: Vec<Diagnostic>,
    /// How the program was made, so that it can be made again ([`View::again`]).
    pub made: Made,
}

/// The choices that a view depends on, as a certificate names them.
mod choice {
    pub(super) const PROPERTY: &str = "property";
    pub(super) const DATA_MODEL: &str = "data model";
    pub(super) const ENTRY: &str = "entry";
    pub(super) const CONTRACTS: &str = "contracts";
    pub(super) const SIGNED_OVERFLOW: &str = "signed overflow";
    pub(super) const BIT_OPERATIONS: &str = "bit operations";
    pub(super) const THREADS: &str = "threads of a fork statement";
    pub(super) const ORDER: &str = "order of threads";
    pub(super) const GUARDS: &str = "guards of threads";
    pub(super) const BEYOND: &str = "more threads";
    pub(super) const TRACKED: &str = "threads that an invariant speaks of";
}

/// How bit operations are named.
const EXACT: &str = "exact";
const BOUNDED: &str = "bounded";

/// How signed overflow is named that wraps around.
const WRAPS: &str = "wraps";
/// And how it is named if numbers grow beyond their type.
const UNBOUNDED: &str = "unbounded";

/// How orders of threads are named.
const LOCKSTEP: &str = "lockstep";
const ONE_AFTER_THE_OTHER: &str = "one after the other";

/// How guards are named that are left open.
const OPEN: &str = "open";

/// How the number of threads of a fork statement is named that is not bounded.
const ANY: &str = "any number";

/// The threads of a product.
#[derive(Clone, Debug)]
pub struct Threads {
    /// For the blocks of a procedure, whose step they are.
    pub steps: BTreeMap<ir::Procedure, Vec<Option<threads::Step>>>,
    /// The names of the threads of a procedure.
    pub names: BTreeMap<ir::Procedure, Vec<String>>,
    /// Whether there may be more threads than the product has, or a recursive call may be disturbed.
    pub bounded: bool,
    /// Where a recursive call is that other threads may disturb.
    pub disturbed: Option<String>,
    /// Whether the order of the threads made a difference.
    pub turns: bool,
    /// Whether some thread has a loop. Without, all orders give the same product.
    pub loops: bool,
    /// What variables of the product are copies of.
    pub copies: FxHashMap<ir::Variable, ir::Variable>,
    /// The program with its threads.
    pub original: Arc<ir::Program>,
}

/// What C means where its standard leaves that open, or where it can be bounded.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reading {
    /// What bit operations become.
    pub bits: BitOperations,
    /// What a signed overflow does.
    pub overflow: SignedOverflow,
    /// What is an error besides the property.
    pub checks: c::Checks,
}

/// How threads become a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interleaving {
    /// How many threads of one fork statement there may be at once.
    pub instances: usize,
    /// What happens when a fork finds no place.
    pub beyond: Beyond,
    /// Which threads go first where the order makes no difference.
    pub order: Order,
    /// What becomes of conditions that only decide which way threads go.
    pub guards: Guards,
    /// How many threads besides the first may run at once, if not all.
    pub running: Option<usize>,
}

/// Why there is no view.
#[derive(Debug)]
pub enum NoView {
    /// The source uses something that has no meaning here yet, or a limit was reached.
    Unknown(Reason),
    /// The source cannot be used.
    Failure(Failure),
}

/// Why a view cannot be made again.
#[derive(Debug)]
pub enum NotAgain {
    /// It was made in another way than the problem asks for: what differs.
    Otherwise(String),
    /// As for other views.
    NoView(NoView),
}

impl View {
    /// Whether it was made of a program with threads.
    pub(crate) fn is_of_threads(&self) -> bool {
        let told = [choice::THREADS, choice::ORDER, choice::BEYOND, choice::TRACKED, choice::GUARDS];
        self.threads.is_some() || told.iter().any(|choice| self.made.contains_key(*choice))
    }

    /// Whether it is the product with the automaton of a temporal property.
    pub fn is_temporal(&self) -> bool {
        self.watched.is_some()
    }

    /// Whether it is the product with the automaton of a formula about calls and returns, over whole executions.
    pub fn is_caret(&self) -> bool {
        // Propositions of linear temporal logic are evaluated where they are observed.
        self.watched.as_ref().is_some_and(|watched| !watched.letters[watched.last].evaluates)
    }

    /// The problem with its threads, if it has any.
    pub fn new(problem: &Problem, bits: BitOperations) -> Result<View, NoView> {
        View::of_problem(problem, Reading { bits, overflow: problem.overflow(), ..Reading::default() })
    }

    /// As [`new`](View::new), with more choices of what C means. With a temporal property, it is the product with the
    /// automaton of the property's negation.
    pub fn of_problem(problem: &Problem, reading: Reading) -> Result<View, NoView> {
        match (&problem.ltl, &problem.observer) {
            (None, observer) => {
                let make = || match observer {
                    None => View::plain(problem, reading),
                    Some(file) => observed::view(problem, file, |problem| View::plain(problem, reading)),
                };
                let mut view = match &problem.translations {
                    None => make()?,
                    Some(translations) => translations.get(reading, make)?,
                };
                if !problem.selection.is_everything() {
                    view.product = view.observer_product();
                }
                checks::restrict(&mut view.program, &problem.selection);
                Ok(view)
            }
            (Some(formula), _) => {
                let plain = |problem: &Problem| View::plain(problem, reading);
                match problem.property {
                    Property::Termination => temporal::view(problem, formula, plain),
                    _ => temporal::safety::view(problem, formula, plain),
                }
            }
        }
    }

    fn plain(problem: &Problem, reading: Reading) -> Result<View, NoView> {
        let mut sources = SourceMap::new();
        match &problem.source {
            Source::Ir(program, sources) => Ok(View::of(program.as_ref().clone(), sources.clone())),
            Source::Text { language: Language::Boogie, name, text } => {
                let mut files = vec![(sources.add(name.clone(), text.clone()), boogie::Role::Program)];
                for more in &problem.more_boogie {
                    files.push((sources.add(more.name.clone(), more.text.clone()), more.role));
                }
                boogie(sources, &files)
            }
            Source::Question(compiled, sources) => {
                let script = Some(compiled.back.clone());
                Ok(View { script, ..View::of(compiled.program.clone(), sources.clone()) })
            }
            Source::Text { language: Language::SvLib, name, text } => {
                let file = sources.add(name.clone(), text.clone());
                first_question(sources, file)
            }
            Source::Text { language: Language::C, name, text } => {
                let mut files = vec![sources.add(name.clone(), text.clone())];
                for (name, text) in &problem.c.more {
                    files.push(sources.add(name.clone(), text.clone()));
                }
                let options = c::Options {
                    data_model: problem.c.data_model,
                    property: problem.property,
                    checks: reading.checks.and(problem.c.checks),
                    bit_operations: reading.bits,
                    signed_overflow: reading.overflow,
                    bodyless: problem.c.bodyless,
                    may_fail: problem.c.may_fail,
                    made_from: problem.c.made_from,
                    memory_elsewhere: problem.memory_elsewhere,
                };
                c_program(sources, &files, problem, options)
            }
        }
    }

    fn of(program: ir::Program, sources: SourceMap) -> View {
        let (back, threads, script) = (None, None, None);
        let (warnings, made) = (Vec::new(), Made::new());
        let (watched, observation, product, observed) = (None, None, None, None);
        View {
            sources,
            program,
            back,
            threads,
            script,
            watched,
            states: BTreeMap::new(),
            observation,
            product,
            observed,
            warnings,
            made,
        }
    }

    /// The view of a problem that was made like that. What the problem itself says, its property above all, has to be
    /// what it said then; the rest is a matter of taste: a proof about one translation is as good as about another.
    pub fn again(problem: &Problem, made: &Made, budget: &Budget) -> Result<View, NotAgain> {
        let said = |name: &str| made.get(name).map(String::as_str);
        // Evidence about all executions with a temporal property, as a question of termination, is made again elsewhere.
        let unbounded = said(choice::SIGNED_OVERFLOW) == Some(UNBOUNDED);
        let property = if problem.ltl.is_some() { Property::UnreachCall } else { problem.property };
        let problem = &Problem { property, unbounded, ..problem.clone() };
        let bits = match said(choice::BIT_OPERATIONS) {
            Some(EXACT) => BitOperations::Exact,
            _ => BitOperations::Marked,
        };
        let mut view = View::new(problem, bits).map_err(NotAgain::NoView)?;
        if view.is_concurrent() && said(choice::THREADS) == Some(ANY) {
            let tracked = [Tracked::One, Tracked::Two];
            let name = |tracked: &Tracked| said(choice::TRACKED) == Some(&tracked.count().to_string());
            let tracked = tracked.into_iter().find(name).unwrap_or(Tracked::One);
            let recursive = view.any_number(tracked);
            view = recursive.map_err(|reason| NotAgain::NoView(NoView::Unknown(reason)))?;
        } else if view.is_concurrent() {
            let instances = said(choice::THREADS).and_then(|number| number.parse().ok()).unwrap_or(1);
            let order = match said(choice::ORDER) {
                Some(LOCKSTEP) => Order::Lockstep,
                _ => Order::OneAfterTheOther,
            };
            let guards = match said(choice::GUARDS) {
                Some(OPEN) => Guards::Open,
                _ => Guards::Kept,
            };
            // What lies beyond the bound is an error, so that a proof shows that nothing does.
            let how = Interleaving { instances, beyond: Beyond::Marked, order, guards, running: None };
            let product = view.product(how, budget);
            view = product.map_err(|reason| NotAgain::NoView(NoView::Unknown(reason)))?;
        }
        let ends = view.back.as_ref().is_some_and(|back| back.assumed.contains(&c::Check::Overflow));
        if problem.ltl.is_some() && ends {
            let what = "it rests on a signed overflow being the end of an execution".to_owned();
            return Err(NotAgain::Otherwise(what));
        }
        let names = made.keys().chain(view.made.keys());
        let mut differing = names.filter(|name| made.get(*name) != view.made.get(*name));
        match differing.next() {
            None => Ok(view),
            Some(name) => {
                let there = said(name).unwrap_or("nothing");
                let here = view.made.get(name).map_or("nothing", String::as_str);
                Err(NotAgain::Otherwise(format!("its {name} is `{there}`, and here it is `{here}`")))
            }
        }
    }

    /// What evidence about the program is held against.
    pub fn subject(&self, terms: &mut Terms) -> Result<Subject, NoView> {
        let subject = match (&self.watched, &self.observation) {
            (None, None) => Subject::new(&self.program, terms),
            (Some(watched), _) => Subject::of_product(watched, &self.program, terms),
            (None, Some(observation)) => {
                let product = self.product.as_deref().unwrap_or(&self.program);
                Subject::of_observed(observation, product, &self.program, terms)
            }
        };
        subject.map_err(|why| match &why {
            NotASubject::IllFormed(..) | NotASubject::NotTheProduct(_) => {
                NoView::Failure(Failure::Internal(why.to_string()))
            }
            NotASubject::NotExpressible(diagnostic) => {
                let place = self.sources.place(diagnostic.span);
                NoView::Unknown(Reason::Unsupported(format!("{} at {place}", diagnostic.message)))
            }
        })
    }

    /// The product with an observer, for views that are made of this one.
    fn observer_product(&self) -> Option<Arc<ir::Program>> {
        self.observation.as_ref()?;
        self.product.clone().or_else(|| Some(Arc::new(self.program.clone())))
    }

    /// Where the statements of the main file begin.
    pub(crate) fn outline(&self, problem: &Problem, file: FileId) -> Option<Vec<c::Outlined>> {
        let definitions = problem.c.definitions();
        let job = c::Job {
            files: &[file],
            entry: "main",
            definitions: &definitions,
            monitor: None,
            contracts: None,
            watch: None,
            budget: None,
        };
        let includes = Folders::of(&problem.c);
        c::outline(&mut self.sources.clone(), job, problem.c.data_model, &includes).ok()
    }

    /// Does a view with exact bit operations say more about memory?
    pub fn leaves_memory_open(&self) -> bool {
        self.back.as_ref().is_some_and(|back| back.open_blocks || back.tagged)
    }

    /// Does the program start threads?
    pub fn is_concurrent(&self) -> bool {
        threads::is_concurrent(&self.program)
    }

    /// The product of the program's threads.
    pub fn product(&self, how: Interleaving, budget: &Budget) -> Result<View, Reason> {
        let Interleaving { instances, beyond, order, guards, running } = how;
        let options = Options { instances, beyond, most_states: MOST_STATES, order, guards, running };
        let made = threads::sequential(&self.program, &options, budget)
            .map_err(|refused| self.no_product(refused))?;
        let mut back = self.back.clone();
        if let Some(back) = &mut back {
            back.add_copies(&made.copies);
            for (&procedure, steps) in &made.steps {
                // All decisions of the product are those of threads.
                back.decisions.extend((0..steps.len()).map(|block| (procedure, EntityRef::new(block))));
            }
        }
        let (bounded, turns) = (made.bounded, made.turns);
        let threads = Threads {
            steps: made.steps,
            names: made.threads,
            bounded,
            disturbed: made.disturbed.map(|span| self.sources.place(span).to_string()),
            turns,
            loops: made.loops,
            copies: made.copies,
            original: Arc::new(self.program.clone()),
        };
        let mut choices = self.made.clone();
        let mut choose = |name: &str, chosen: &str| choices.insert(name.to_owned(), chosen.to_owned());
        choose(choice::THREADS, &instances.to_string());
        choose(
            choice::ORDER,
            match order {
                Order::Lockstep => LOCKSTEP,
                Order::OneAfterTheOther => ONE_AFTER_THE_OTHER,
            },
        );
        if guards == Guards::Open {
            choose(choice::GUARDS, OPEN);
        }
        if bounded && (beyond == Beyond::Cut || running.is_some()) {
            choose(choice::BEYOND, "left out");
        }
        Ok(View {
            sources: self.sources.clone(),
            program: made.program,
            back,
            threads: Some(threads),
            script: None,
            watched: self.watched.clone(),
            states: self.states.clone(),
            observation: self.observation.clone(),
            product: self.observer_product(),
            observed: self.observed.clone(),
            warnings: Vec::new(),
            made: choices,
        })
    }

    /// The recursive program whose summaries are invariants of any number of threads. Only proofs about it say something about
    /// the program.
    pub fn any_number(&self, tracked: Tracked) -> Result<View, Reason> {
        if self.is_temporal() {
            return Err(Reason::Unsupported("temporal properties of any number of threads".to_owned()));
        }
        let made = threads::any_number::any_number(&self.program, tracked);
        let AnyNumber { program, copies } = made.map_err(|refused| self.no_product(refused))?;
        let mut back = self.back.clone();
        if let Some(back) = &mut back {
            back.add_copies(&copies);
        }
        let mut choices = self.made.clone();
        choices.insert(choice::THREADS.to_owned(), ANY.to_owned());
        choices.insert(choice::TRACKED.to_owned(), tracked.count().to_string());
        Ok(View {
            sources: self.sources.clone(),
            program,
            back,
            threads: None,
            script: None,
            watched: self.watched.clone(),
            states: self.states.clone(),
            observation: self.observation.clone(),
            product: self.observer_product(),
            observed: self.observed.clone(),
            warnings: Vec::new(),
            made: choices,
        })
    }

    fn no_product(&self, refused: Refused) -> Reason {
        match refused {
            Refused::Unsupported { what, span } => {
                Reason::Unsupported(format!("{what} at {}", self.sources.place(span)))
            }
            Refused::TooManySteps(most) => {
                Reason::Unsupported(format!("threads with more than {most} steps"))
            }
            Refused::TooManyStates(most) => {
                Reason::Unsupported(format!("threads with more than {most} states together"))
            }
            Refused::Interrupted(Interrupted(limit)) => Reason::Limit(limit),
        }
    }

    /// The name of the thread whose step is taken at a place of a product.
    pub(crate) fn thread_of(&self, place: ir::interpreter::Place) -> Option<&str> {
        match self.step_of(place)?.thread {
            0 => Some("main"),
            thread => self.threads.as_ref()?.names.get(&place.procedure)?.get(thread).map(String::as_str),
        }
    }

    /// The step of a thread that is taken at a place of a product.
    pub(crate) fn step_of(&self, place: ir::interpreter::Place) -> Option<threads::Step> {
        *self.threads.as_ref()?.steps.get(&place.procedure)?.get(place.block.index())?
    }
}

fn unsupported(what: String) -> NoView {
    NoView::Unknown(Reason::Unsupported(what))
}

fn mistakes(sources: SourceMap, diagnostics: Vec<Diagnostic>) -> NoView {
    NoView::Failure(Failure::Mistakes(Box::new(sources), diagnostics))
}

fn boogie(sources: SourceMap, files: &[(FileId, boogie::Role)]) -> Result<View, NoView> {
    let input = |&(file, role)| boogie::Input { file, text: &sources.file(file).text, role };
    let compiled = boogie::compile_all(&files.iter().map(input).collect::<Vec<_>>());
    match compiled {
        Ok(boogie::Compiled { mut program, warnings }) => {
            boogie::under_free_preconditions(&mut program);
            Ok(View { warnings, ..View::of(program, sources) })
        }
        Err(failure) => Err(match failure.unsupported.first() {
            Some(first) if failure.errors.is_empty() => {
                unsupported(format!("{} at {}", first.feature, sources.place(first.span)))
            }
            _ => mistakes(sources, failure.errors),
        }),
    }
}

/// Why a script cannot be used.
pub(crate) fn no_script(sources: SourceMap, failure: svlib::Failure) -> NoView {
    match failure.unsupported.first() {
        Some(first) if failure.errors.is_empty() => {
            unsupported(format!("{} at {}", first.what, sources.place(first.span)))
        }
        _ => mistakes(sources, failure.errors),
    }
}

/// The first question about the first call of a script.
fn first_question(sources: SourceMap, file: FileId) -> Result<View, NoView> {
    let compiled = svlib::Script::read(file, &sources.file(file).text).and_then(|script| {
        let call = script.calls().next().ok_or_else(svlib::Failure::default)?;
        let question = script.questions(call)?.into_iter().next().ok_or_else(svlib::Failure::default)?;
        script.program(call, question)
    });
    match compiled {
        Ok(compiled) => Ok(View { script: Some(compiled.back), ..View::of(compiled.program, sources) }),
        Err(failure) => Err(no_script(sources, failure)),
    }
}

/// Files that are included: found beside the file that includes them, if they stand in quotes, then in the folders that
/// were named, in their order. Where folders are named that nothing may lie outside of, links are followed first.
pub(crate) struct Folders<'a> {
    search: &'a [PathBuf],
    within: &'a [PathBuf],
    /// Files that an external preprocessor has included.
    included: &'a [crate::c_settings::Included],
}

impl<'a> Folders<'a> {
    pub(crate) fn of(settings: &'a crate::CSettings) -> Folders<'a> {
        Folders { search: &settings.include, within: &settings.include_within, included: &settings.included }
    }

    fn may_be_read(&self, path: &Path) -> bool {
        let inside = |folder: &PathBuf, real: &Path| {
            std::fs::canonicalize(folder).is_ok_and(|folder| real.starts_with(folder))
        };
        self.within.is_empty()
            || std::fs::canonicalize(path)
                .is_ok_and(|real| self.within.iter().any(|folder| inside(folder, &real)))
    }
}

impl c::Includes for Folders<'_> {
    fn find(&self, wanted: c::Wanted<'_>) -> Option<c::Found> {
        if let Some(file) = self.included.iter().find(|file| file.key == wanted.name) {
            return Some(c::Found { name: file.name.clone(), text: file.text.clone() });
        }
        let beside = Path::new(wanted.from).parent().filter(|_| wanted.quoted);
        let folders = beside.into_iter().chain(self.search.iter().map(PathBuf::as_path));
        let candidates = folders.map(|folder| folder.join(wanted.name));
        candidates.filter(|path| self.may_be_read(path)).find_map(|path| {
            let text = input::read_included(&path)?;
            Some(c::Found { name: path.display().to_string(), text })
        })
    }
}

/// What a translation of C depends on.
fn choices_of_c(problem: &Problem, options: &c::Options) -> Made {
    let bits = match options.bit_operations {
        BitOperations::Exact => EXACT,
        _ => BOUNDED,
    };
    let data_model = match options.data_model {
        c::DataModel::Ilp32 => "ilp32",
        c::DataModel::Lp64 => "lp64",
    };
    let choices = [
        (choice::PROPERTY, problem.property.to_string()),
        (choice::DATA_MODEL, data_model.to_owned()),
        (choice::ENTRY, problem.c.entry.clone().unwrap_or_else(|| "main".to_owned())),
        (choice::BIT_OPERATIONS, bits.to_owned()),
    ];
    let overflow = match problem.overflow() {
        SignedOverflow::Ends => None,
        SignedOverflow::Wraps => Some(WRAPS),
        SignedOverflow::GoesOn => Some(UNBOUNDED),
    };
    let overflow = overflow.map(|what| (choice::SIGNED_OVERFLOW, what.to_owned()));
    let contracts = &problem.c.contracts;
    let contracts = (!contracts.is_ignored()).then(|| (choice::CONTRACTS, contracts.to_string()));
    choices
        .into_iter()
        .chain(overflow)
        .chain(contracts)
        .map(|(name, chosen)| (name.to_owned(), chosen))
        .collect()
}

fn c_program(
    mut sources: SourceMap,
    files: &[FileId],
    problem: &Problem,
    options: c::Options,
) -> Result<View, NoView> {
    let definitions = problem.c.definitions();
    let entry = problem.c.entry.as_deref().unwrap_or("main");
    let monitor = problem.monitor.as_deref();
    let contracts = Some(&problem.c.contracts);
    let watch = problem.watch.as_deref();
    let budget = problem.deadline.as_ref().map(|deadline| &deadline.0);
    let job = c::Job { files, entry, definitions: &definitions, monitor, contracts, watch, budget };
    let problems = match c::translate_job(&mut sources, job, options, &Folders::of(&problem.c)) {
        Ok((program, back)) => {
            let made = choices_of_c(problem, &options);
            let told = back.assumptions.iter();
            let warnings = told.map(|(span, text)| Diagnostic::warning(*span, text.clone())).collect();
            return Ok(View { back: Some(back), made, warnings, ..View::of(program, sources) });
        }
        Err(problems) => problems,
    };
    Err(no_c(sources, problems))
}

/// Why a C program cannot be used. What looks like a mistake behind something that is not supported may follow from it.
fn no_c(sources: SourceMap, problems: Vec<c::Problem>) -> NoView {
    let mut errors = Vec::new();
    for problem in problems {
        match problem {
            c::Problem::Error(mistake) => errors.push(*mistake),
            c::Problem::Unsupported(what) if errors.is_empty() => {
                return unsupported(format!("{} at {}", what.what, sources.place(what.span)));
            }
            c::Problem::Unsupported(_) => {}
            c::Problem::Interrupted(Interrupted(limit)) => return NoView::Unknown(Reason::Limit(limit)),
        }
    }
    mistakes(sources, errors)
}

/// What a C program declares.
pub(crate) fn known_in_c(problem: &Problem) -> Result<c::watch::Known, NoView> {
    let Source::Text { name, text, .. } = &problem.source else {
        return Err(unsupported("a C program without text".to_owned()));
    };
    let mut sources = SourceMap::new();
    let mut files = vec![sources.add(name.clone(), text.clone())];
    for (name, text) in &problem.c.more {
        files.push(sources.add(name.clone(), text.clone()));
    }
    let definitions = problem.c.definitions();
    let entry = problem.c.entry.as_deref().unwrap_or("main");
    let contracts = Some(&problem.c.contracts);
    let (files, definitions) = (&files[..], &definitions[..]);
    let job = c::Job { files, entry, definitions, monitor: None, contracts, watch: None, budget: None };
    let known = c::watch::known(&mut sources, job, problem.c.data_model, &Folders::of(&problem.c));
    known.map_err(|problems| no_c(sources, problems))
}
