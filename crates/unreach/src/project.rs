//! Files and folders: which programs are in them, and which questions there are about each.
//!
//! A C file with a `main` is one question. A C file without, or with all its functions asked for, is one question for each
//! function, which gets arbitrary arguments ([`c::entries`]). A Boogie file is one question. Files of a
//! `compile_commands.json` come with their own flags; folders are searched for `.c`, `.i` and `.bpl` files in the order of their names.
//! A header that is named is read as a file; in folders, headers are read where they are included.

use crate::answer::Failure;
use crate::c_settings::CSettings;
use crate::input::{self, InputError};
use crate::models;
use crate::problem::{Language, Problem, Source};
use crate::view::Folders;
use base::{SourceMap, Span};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file with the flags with which it is compiled.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The file.
    pub path: PathBuf,
    /// Folders that its flags name.
    pub include: Vec<PathBuf>,
    /// Macros that its flags define.
    pub define: Vec<String>,
    /// The version of C, if its flags say one.
    pub standard: Option<String>,
}

/// Which functions of a file are entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entries {
    /// `main` if there is one, else every function.
    Main,
    /// Every function.
    All,
    /// This one.
    Function(String),
}

/// A question about a part of a file.
#[derive(Clone)]
pub struct Question {
    /// The function, or the file if it is about all of it.
    pub name: String,
    /// Where the function is, as `file:line:column`.
    pub place: String,
    /// The program, which all questions about a file share.
    base: Arc<Problem>,
    /// The function that is called with any arguments; none if the program begins by itself.
    function: Option<Called>,
}

/// A function among those of its file.
#[derive(Clone)]
struct Called {
    all: Arc<c::Entries>,
    entry: c::Entry,
}

impl Question {
    /// The problem, with what is assumed about the arguments; or why there is none.
    pub fn problem(&self) -> Result<(Problem, Vec<String>), String> {
        match &self.function {
            None => Ok((Problem::clone(&self.base), Vec::new())),
            Some(Called { all, entry }) => {
                let caller = all.caller(entry)?;
                Ok((with_caller(&self.base, &caller), caller.assumptions))
            }
        }
    }

    /// The same question about fewer arguments, all of which a test can pass; none if there is no such question.
    pub fn test_problem(&self) -> Option<Problem> {
        let Called { all, entry } = self.function.as_ref()?;
        all.plain_caller(entry).ok().map(|caller| with_caller(&self.base, &caller))
    }
}

/// A contract that is tried out on the function of a question.
impl Question {
    /// What contracts can say about the parameters; nothing if the question is about no function.
    pub fn parameters(&self) -> Vec<c::Parameter> {
        self.function.as_ref().map_or(Vec::new(), |called| called.all.parameters(&called.entry))
    }

    /// Whether the function returns an integer.
    pub fn returns_integer(&self) -> bool {
        self.function.as_ref().is_some_and(|called| called.all.returns_integer(&called.entry))
    }

    /// The variables at file scope that a contract can name.
    pub fn variables(&self) -> Vec<String> {
        self.function.as_ref().map_or(Vec::new(), |called| called.all.variables())
    }

    /// Whether the function has a contract.
    pub fn has_contract(&self) -> bool {
        self.function.as_ref().is_some_and(|called| called.entry.contract)
    }

    /// The question whether the function does what a contract says, calls going by contract where there is one; with
    /// `satisfiable`, whether no state satisfies its preconditions. None if the contract cannot be put anywhere.
    pub fn with_contract(&self, clauses: &[String], satisfiable: bool) -> Option<Problem> {
        let Called { all, entry } = self.function.as_ref()?;
        let declaration = all.declaration(entry)?;
        let caller = all.caller(entry).ok()?;
        let mut problem = Problem::clone(&self.base);
        if let Source::Text { text, .. } = &mut problem.source {
            text.push_str(&format!("\n/*@ {} */\n{declaration}\n", clauses.join(" ")));
        }
        problem.c.contracts = c::Contracts {
            functions: vec![("*".to_owned(), c::Treatment::Use)],
            loops: if satisfiable { c::Loops::Ignore } else { c::Loops::Cut },
            each: true,
            satisfiable,
            ..c::Contracts::default()
        };
        if satisfiable {
            problem.c.checks = c::Checks::default();
        }
        Some(with_caller(&problem, &caller))
    }
}

fn with_caller(problem: &Problem, caller: &c::Caller) -> Problem {
    let mut problem = problem.clone();
    if let Source::Text { text, .. } = &mut problem.source {
        problem.c.made_from = u32::try_from(text.len()).ok();
        text.push_str(&caller.text);
    }
    problem.c.entry = Some(caller.name.clone());
    problem
}

/// The files that are meant by a path.
pub fn units(path: &Path) -> Result<Vec<Unit>, InputError> {
    if path.is_dir() {
        let mut files = Vec::new();
        collect(path, &mut files)?;
        return Ok(files.into_iter().map(Unit::plain).collect());
    }
    if path.extension().is_some_and(|extension| extension == "json") {
        return compile_commands(path);
    }
    Language::of_path(path).or_else(|unknown| input::read_program(path).and(Err(unknown)))?;
    Ok(vec![Unit::plain(path.to_owned())])
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), InputError> {
    let unreadable = |error| InputError::Unreadable(folder.to_owned(), error);
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .map_err(unreadable)?;
    entries.sort();
    for entry in entries {
        // A link may lead round in circles.
        if entry.is_dir() && !entry.is_symlink() {
            collect(&entry, files)?;
        } else if Language::of_path(&entry).is_ok()
            && entry.extension().is_none_or(|extension| extension != "h")
        {
            files.push(entry);
        }
    }
    Ok(())
}

/// The files of a compilation database, each with its flags.
fn compile_commands(path: &Path) -> Result<Vec<Unit>, InputError> {
    let malformed = |why: &str| InputError::Malformed(path.to_owned(), why.to_owned());
    let text = input::read_program(path)?;
    let commands: Value = serde_json::from_str(&text).map_err(|error| malformed(&error.to_string()))?;
    let commands = commands.as_array().ok_or_else(|| malformed("expected a list of commands"))?;
    let mut units: Vec<Unit> = Vec::new();
    for command in commands {
        let file = command["file"].as_str().ok_or_else(|| malformed("a command without a file"))?;
        let folder = Path::new(command["directory"].as_str().unwrap_or("."));
        let words: Vec<String> = match (&command["arguments"], &command["command"]) {
            (Value::Array(words), _) => {
                words.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect()
            }
            (_, Value::String(line)) => words_of(line),
            _ => return Err(malformed("a command without arguments")),
        };
        let unit = Unit::of_command(folder.join(file), folder, &words);
        if Language::of_path(&unit.path).is_ok() && !units.iter().any(|known| known.path == unit.path) {
            units.push(unit);
        }
    }
    Ok(units)
}

/// The words of a command line, with quotes and backslashes as a shell reads them.
pub fn words_of(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (None, ' ' | '\t' | '\n') => words.extend(word.take()),
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (Some(open), close) if open == close => quote = None,
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(characters.next()),
            (_, other) => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    words
}

impl Unit {
    fn plain(path: PathBuf) -> Unit {
        Unit { path, include: Vec::new(), define: Vec::new(), standard: None }
    }

    /// What a compiler's command says about a file.
    fn of_command(path: PathBuf, folder: &Path, words: &[String]) -> Unit {
        let mut unit = Unit::plain(path);
        let mut words = words.iter();
        while let Some(word) = words.next() {
            // A flag may have its value in the next word.
            let mut value = |flag: &str| {
                let rest = word.strip_prefix(flag)?;
                if rest.is_empty() { words.next().cloned() } else { Some(rest.to_owned()) }
            };
            if let Some(include) = value("-I").or_else(|| value("-isystem")).or_else(|| value("-iquote")) {
                unit.include.push(folder.join(include));
            } else if let Some(define) = value("-D") {
                unit.define.push(define);
            } else if let Some(standard) = word.strip_prefix("-std=") {
                unit.standard = Some(standard.to_owned());
            }
        }
        unit
    }
}

/// The questions about a file. Its settings are those of the caller, with what its own flags add.
pub fn questions(unit: &Unit, settings: &CSettings, entries: &Entries) -> Result<Vec<Question>, Failure> {
    questions_about(problem_of(unit, settings)?, entries)
}

/// The questions about the contract of a function.
#[derive(Clone)]
pub struct ContractQuestions {
    /// The function.
    pub name: String,
    /// Where it is, as `file:line:column`.
    pub place: String,
    /// Does its body do what the contract says? None if it has no body.
    pub proof: Option<Question>,
    /// Does an error that stands behind the preconditions stay unreachable? A function without a body is asked about the
    /// place behind its postconditions.
    pub vacuous: Question,
}

/// The contracts of a file with the questions about them, and how many functions have none.
pub fn contracts_of(unit: &Unit, settings: &CSettings) -> Result<(Vec<ContractQuestions>, usize), Failure> {
    let mut problem = problem_of(unit, settings)?;
    if problem.language() != Some(Language::C) {
        return Ok((Vec::new(), 0));
    }
    models::add(&mut problem);
    let everything_by_contract = || vec![("*".to_owned(), c::Treatment::Use)];
    let wished = problem.c.contracts.clone();
    problem.c.contracts = c::Contracts {
        functions: everything_by_contract(),
        loops: c::Loops::Cut,
        each: true,
        ..c::Contracts::default()
    };
    problem.c.contracts.functions.extend(wished.functions.into_iter().filter(|(name, _)| name != "*"));
    let mut probe = problem.clone();
    probe.c.checks = c::Checks::default();
    probe.c.contracts.loops = c::Loops::Ignore;
    probe.c.contracts.satisfiable = true;
    let (sources, defined) = functions(&problem)?;
    let (problem, probe) = (Arc::new(problem), Arc::new(probe));
    let defined = Arc::new(defined);
    let without = defined.functions.iter().filter(|function| !function.contract).count();
    let mut all = Vec::new();
    for function in defined.functions.iter().filter(|function| function.contract) {
        let proof = about(&problem, &sources, &defined, function);
        let vacuous = about(&probe, &sources, &defined, function);
        let (name, place) = (proof.name.clone(), proof.place.clone());
        all.push(ContractQuestions { name, place, proof: Some(proof), vacuous });
    }
    let (sources, declared) = looked_up(&problem, c::assumed)?;
    let declared = Arc::new(declared);
    for function in &declared.functions {
        let vacuous = about(&probe, &sources, &declared, function);
        let (name, place) = (vacuous.name.clone(), vacuous.place.clone());
        all.push(ContractQuestions { name, place, proof: None, vacuous });
    }
    Ok((all, without))
}

/// The functions of a file that need models.
pub fn stubs(unit: &Unit, settings: &CSettings) -> Result<Vec<c::Stub>, Failure> {
    let problem = problem_of(unit, settings)?;
    if problem.language() != Some(Language::C) {
        return Ok(Vec::new());
    }
    looked_up(&problem, c::stubs).map(|(_, stubs)| stubs)
}

fn problem_of(unit: &Unit, settings: &CSettings) -> Result<Problem, Failure> {
    let mut problem = Problem::read(&unit.path)?;
    problem.c = settings.clone();
    problem.c.include.extend(unit.include.iter().cloned());
    problem.c.define.extend(unit.define.iter().cloned());
    if unit.standard.is_some() {
        problem.c.standard.clone_from(&unit.standard);
    }
    Ok(problem)
}

/// The questions about a program that has been read.
pub fn questions_about(mut problem: Problem, entries: &Entries) -> Result<Vec<Question>, Failure> {
    let name = match &problem.source {
        Source::Text { name, .. } => name.clone(),
        Source::Ir(..) | Source::Question(..) => String::new(),
    };
    let whole = |problem: Problem| Question {
        name: name.clone(),
        place: format!("{name}:1:1"),
        base: Arc::new(problem),
        function: None,
    };
    if problem.language() != Some(Language::C) {
        return Ok(vec![whole(problem)]);
    }
    models::add(&mut problem);
    let (sources, all) = functions(&problem)?;
    let all = Arc::new(all);
    let found = &all.functions;
    let wanted = |function: &c::Entry| match entries {
        Entries::Main | Entries::All => true,
        Entries::Function(name) => function.name == *name,
    };
    if *entries == Entries::Main && found.iter().any(|function| function.name == "main") {
        let mut question = whole(problem);
        question.name = "main".to_owned();
        question.place = place(&sources, found, "main");
        return Ok(vec![question]);
    }
    let problem = Arc::new(problem);
    Ok(found
        .iter()
        .filter(|function| wanted(function))
        .map(|function| about(&problem, &sources, &all, function))
        .collect())
}

fn place(sources: &SourceMap, functions: &[c::Entry], name: &str) -> String {
    let span = functions.iter().find(|function| function.name == name).map(|function| function.span);
    span.map(|span: Span| sources.place(span)).unwrap_or_default()
}

/// The question about a function that gets arbitrary arguments.
fn about(problem: &Arc<Problem>, sources: &SourceMap, all: &Arc<c::Entries>, entry: &c::Entry) -> Question {
    Question {
        name: entry.name.clone(),
        place: sources.place(entry.span),
        base: problem.clone(),
        function: Some(Called { all: all.clone(), entry: entry.clone() }),
    }
}

/// The functions of a C file.
pub(crate) fn functions(problem: &Problem) -> Result<(SourceMap, c::Entries), Failure> {
    looked_up(problem, c::entries)
}

/// How something is looked up in a C file.
type LookUp<T> = fn(&mut SourceMap, c::Job<'_>, c::DataModel, &dyn c::Includes) -> Result<T, Vec<c::Problem>>;

fn looked_up<T>(problem: &Problem, look_up: LookUp<T>) -> Result<(SourceMap, T), Failure> {
    let Source::Text { name, text, .. } = &problem.source else {
        return Err(Failure::Internal("functions are looked up in C files only".to_owned()));
    };
    let mut sources = SourceMap::new();
    let file = sources.add(name.clone(), text.clone());
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
    let found = look_up(&mut sources, job, problem.c.data_model, &Folders::of(&problem.c));
    match found {
        Ok(found) => Ok((sources, found)),
        Err(problems) => {
            let diagnostics = problems.into_iter().map(|problem| match problem {
                c::Problem::Error(mistake) => *mistake,
                c::Problem::Unsupported(what) => {
                    base::Diagnostic::error(what.span, format!("not supported: {}", what.what))
                }
                c::Problem::Interrupted(limit) => {
                    base::Diagnostic::error(base::Span::new(file, 0, 0), limit.to_string())
                }
            });
            let diagnostics = diagnostics.collect();
            Err(Failure::Mistakes(Box::new(sources), diagnostics))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_as_a_shell_reads_them() {
        let line = r#"cc -I"a b" -DX='"y"' -c  x\ y.c"#;
        assert_eq!(words_of(line), ["cc", "-Ia b", "-DX=\"y\"", "-c", "x y.c"]);
    }

    #[test]
    fn flags_of_a_command() {
        let words = words_of("cc -I inc -Dname=1 -D other -std=c99 -isystem sys -c a.c");
        let unit = Unit::of_command(PathBuf::from("d/a.c"), Path::new("d"), &words);
        assert_eq!(unit.include, [PathBuf::from("d/inc"), PathBuf::from("d/sys")]);
        assert_eq!(unit.define, ["name=1", "other"]);
        assert_eq!(unit.standard.as_deref(), Some("c99"));
    }
}
