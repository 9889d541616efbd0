//! A problem: a program and what must not happen in it.

use crate::c_settings::CSettings;
use crate::checks::Selection;
use crate::input::{self, InputError};
use crate::observed::ObserverFile;
use crate::preprocessor;
use crate::property::{self, Listed, Property, PropertyError};
use crate::translations::Translations;
use base::{Budget, SourceMap};
use std::path::Path;
use std::sync::Arc;

/// The languages that are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Boogie.
    Boogie,
    /// C, preprocessed or not.
    C,
    /// SV-LIB.
    SvLib,
}

impl Language {
    /// The language of a file, by its name. Standard input (`-`) is Boogie.
    pub fn of_path(path: &Path) -> Result<Language, InputError> {
        if path == Path::new("-") {
            return Ok(Language::Boogie);
        }
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("bpl") => Ok(Language::Boogie),
            Some("c" | "i" | "h") => Ok(Language::C),
            Some("svlib") => Ok(Language::SvLib),
            _ => Err(InputError::UnknownLanguage(path.to_owned())),
        }
    }
}

/// A program, in one of the forms in which it can be given.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// A text.
    Text { language: Language, name: String, text: String },
    /// A program of the intermediate language, with the sources that its places are about.
    Ir(Box<ir::Program>, SourceMap),
    /// The program of a question about a script, with the way back.
    Question(Box<svlib::Compiled>, SourceMap),
}

/// When a translation has to stop.
#[derive(Clone)]
pub(crate) struct Deadline(pub(crate) Budget);

impl std::fmt::Debug for Deadline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Deadline").finish_non_exhaustive()
    }
}

/// Another file of a Boogie program.
#[derive(Clone, Debug)]
pub(crate) struct BoogieFile {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) role: boogie::Role,
}

/// A program and what must not happen in it.
///
/// ```
/// use unreach::{Problem, Property};
///
/// let problem = Problem::boogie("one.bpl", "procedure main() { assert 1 < 2; }");
/// assert_eq!(problem.property, Property::Assert);
/// ```
#[derive(Clone, Debug)]
pub struct Problem {
    pub(crate) source: Source,
    /// What must not happen.
    pub property: Property,
    /// What a property file lists besides; C only. It is among the checks of [`Problem::c`] as well.
    pub listed: c::Checks,
    /// What a Boogie program is besides its first file.
    pub(crate) more_boogie: Vec<BoogieFile>,
    /// What a C program is besides its first file; nothing to Boogie.
    pub c: CSettings,
    /// A formula of linear temporal logic that holds of all executions. With [`Property::Termination`] it may be any formula; with another property it
    /// has to be a safety formula, and the question is whether an error is reached.
    pub ltl: Option<String>,
    /// An automaton that watches all executions and must reach no error.
    pub observer: Option<ObserverFile>,
    /// What a C program is given to watch its calls.
    pub(crate) watch: Option<Arc<c::watch::Watch>>,
    /// What a C program is observed for; nothing to Boogie.
    pub monitor: Option<Arc<c::Monitor>>,
    /// What is done with its checks.
    pub(crate) selection: Selection,
    /// The translations of the source, where several questions are asked that differ in the selection only.
    pub(crate) translations: Option<Translations>,
    /// Whether a signed overflow of C that is not checked is not the end of an execution, but makes a number that grows beyond its type.
    pub(crate) unbounded: bool,
    /// Whether another question about the C program checks memory, and a proof has to hold of the executions of that one.
    pub(crate) memory_elsewhere: bool,
    /// When its translation has to stop; never if nothing is said.
    pub(crate) deadline: Option<Deadline>,
}

impl Problem {
    fn new(source: Source) -> Problem {
        let (more_boogie, c) = (Vec::new(), CSettings::default());
        let selection = Selection::default();
        Problem {
            source,
            property: Property::Assert,
            listed: c::Checks::default(),
            more_boogie,
            c,
            ltl: None,
            observer: None,
            watch: None,
            monitor: None,
            selection,
            translations: None,
            unbounded: false,
            memory_elsewhere: false,
            deadline: None,
        }
    }

    /// The assertions of a Boogie program.
    pub fn boogie(name: impl Into<String>, text: impl Into<String>) -> Problem {
        Problem::new(Source::Text { language: Language::Boogie, name: name.into(), text: text.into() })
    }

    /// The assertions of a C program.
    pub fn c(name: impl Into<String>, text: impl Into<String>) -> Problem {
        Problem::new(Source::Text { language: Language::C, name: name.into(), text: text.into() })
    }

    /// All calls of an SV-LIB script.
    pub fn svlib(name: impl Into<String>, text: impl Into<String>) -> Problem {
        Problem::new(Source::Text { language: Language::SvLib, name: name.into(), text: text.into() })
    }

    /// A question about a script; `sources` contains the script.
    pub(crate) fn question(compiled: svlib::Compiled, sources: SourceMap, property: Property) -> Problem {
        Problem { property, ..Problem::new(Source::Question(Box::new(compiled), sources)) }
    }

    /// The assertions of a program of the intermediate language; `sources` is what its places are about.
    pub fn ir(program: ir::Program, sources: SourceMap) -> Problem {
        Problem::new(Source::Ir(Box::new(program), sources))
    }

    /// The assertions of a program in a file, whose name says the language; `-` is a Boogie program on standard input.
    pub fn read(path: &Path) -> Result<Problem, InputError> {
        // Whatever is wrong with the file itself comes before what is wrong with its name.
        let language =
            Language::of_path(path).or_else(|unknown| input::read_program(path).and(Err(unknown)))?;
        let text = match language {
            Language::C => input::read_c(path)?,
            Language::Boogie | Language::SvLib => input::read_program(path)?,
        };
        Ok(Problem::new(Source::Text { language, name: path.display().to_string(), text }))
    }

    /// As [`read`](Problem::read), but a C program goes through a preprocessor first, as `gcc -E`.
    pub fn read_preprocessed(path: &Path, command: &str, c: &mut CSettings) -> Result<Problem, InputError> {
        match Language::of_path(path) {
            Ok(Language::C) => {
                let text = preprocessor::run(command, path, c)?;
                let name = path.display().to_string();
                Ok(Problem::new(Source::Text { language: Language::C, name, text }))
            }
            _ => Problem::read(path),
        }
    }

    /// Adds a file to a program; if that is C, preprocessed if a command for that is given.
    pub fn add_file(&mut self, path: &Path, command: Option<&str>) -> Result<(), InputError> {
        match self.language() {
            Some(Language::Boogie) => return self.add_boogie(path, boogie::Role::Program),
            Some(Language::C) => {}
            Some(Language::SvLib) | None => return Err(InputError::OneFile(path.to_owned())),
        }
        let text = match command {
            Some(command) => preprocessor::run(command, path, &mut self.c)?,
            None => input::read_c(path)?,
        };
        self.c.more.push((path.display().to_string(), text));
        Ok(())
    }

    /// Adds a library to a Boogie program: executions begin with none of its procedures.
    pub fn add_library(&mut self, path: &Path) -> Result<(), InputError> {
        match self.language() {
            Some(Language::Boogie) => self.add_boogie(path, boogie::Role::Library),
            _ => Err(InputError::NoLibrary(path.to_owned())),
        }
    }

    fn add_boogie(&mut self, path: &Path, role: boogie::Role) -> Result<(), InputError> {
        if Language::of_path(path)? != Language::Boogie {
            return Err(InputError::OtherLanguage(path.to_owned()));
        }
        let text = input::read_program(path)?;
        self.more_boogie.push(BoogieFile { name: path.display().to_string(), text, role });
        Ok(())
    }

    /// The problem, whose translation stops with this budget.
    pub(crate) fn within(&self, budget: &Budget) -> Problem {
        Problem { deadline: Some(Deadline(budget.clone())), ..self.clone() }
    }

    /// Puts a text into the program, at a place of its first file.
    pub fn insert(&mut self, offset: usize, what: &str) {
        if let Source::Text { text, .. } = &mut self.source
            && text.is_char_boundary(offset)
        {
            text.insert_str(offset, what);
        }
    }

    /// What a signed overflow does that is not checked.
    pub(crate) fn overflow(&self) -> c::SignedOverflow {
        match self.c.overflow() {
            c::SignedOverflow::Ends if self.unbounded => c::SignedOverflow::GoesOn,
            overflow => overflow,
        }
    }

    /// The text of the program; empty if it was given in another form.
    pub fn text(&self) -> &str {
        match &self.source {
            Source::Text { text, .. } => text,
            Source::Ir(..) | Source::Question(..) => "",
        }
    }

    /// The language of the program; none if it was given in the intermediate language.
    pub fn language(&self) -> Option<Language> {
        match &self.source {
            Source::Text { language, .. } => Some(*language),
            Source::Ir(..) | Source::Question(..) => None,
        }
    }
}

/// What a property file asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// The property.
    pub property: Property,
    /// What must not happen besides.
    pub checks: c::Checks,
    /// The function that the program begins with, if the file names one.
    pub entry: Option<String>,
    /// A formula of linear temporal logic, or where it stands.
    pub ltl: Option<Temporal>,
    /// An automaton that watches all executions.
    pub observer: Option<ObserverFile>,
}

impl Asked {
    /// A property, and nothing else.
    pub fn of(property: Property) -> Asked {
        Asked { property, checks: c::Checks::default(), entry: None, ltl: None, observer: None }
    }
}

/// A temporal property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Temporal {
    /// This formula.
    Formula(String),
    /// The one in a comment of the program: `//@ ltl invariant NAME: FORMULA`.
    InProgram,
}

/// What a property file asks for, or the name of what it asks for that is not checked.
pub fn read_property(path: &Path) -> Result<Result<Asked, String>, InputError> {
    let text = input::read_program(path)?;
    let observer = None;
    if path.extension().is_some_and(|extension| extension == "obs") {
        // Besides what the observer says, nothing is an error.
        let observer = Some(ObserverFile { name: path.display().to_string(), text, formula: None });
        return Ok(Ok(Asked { observer, ..Asked::of(Property::UnreachCall) }));
    }
    match property::parse(&text) {
        Ok(Listed { property, checks }) => {
            let entry = property::entry(&text);
            Ok(Ok(Asked { property, checks, entry, ltl: None, observer }))
        }
        Err(PropertyError::Temporal(ltl)) => {
            let (property, entry) = (Property::Termination, property::entry(&text));
            Ok(Ok(Asked { entry, ltl: Some(ltl), ..Asked::of(property) }))
        }
        Err(PropertyError::Caret(formula)) => {
            let (name, entry) = (path.display().to_string(), property::entry(&text));
            let whole = crate::observed::caret::is_about_whole_executions(&formula);
            let observer = Some(ObserverFile { name, text, formula: Some(formula) });
            let property = if whole { Property::Termination } else { Property::UnreachCall };
            Ok(Ok(Asked { entry, observer, ..Asked::of(property) }))
        }
        Err(PropertyError::Unsupported(what)) => Ok(Err(what)),
        Err(PropertyError::Malformed) => Err(InputError::NoProperty(path.to_owned())),
    }
}
