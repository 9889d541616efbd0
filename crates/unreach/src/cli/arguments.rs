//! What can be typed. Nothing is decided here; `commands` turns it into work.

use super::exit::Exit;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, error::ErrorKind};
use engines::interpolation::{Interpolation, Level};
use engines::predicate_abstraction::Abstraction;
use engines::trace_abstraction::{Beginning as Begin, Generalisation};
use property::named::Group;
use std::net::IpAddr;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tracing_subscriber::filter::Targets;
use unreach::plan::SolverOptions;
use unreach::question::Waypoint;
use unreach::review::Wish;
use unreach::{ENGINES, Engine, Inlining, Plan};

/// Can an assertion of a program ever fail? Unreach answers with evidence: a checked proof, or a replayed execution.
#[derive(Parser)]
#[command(
    name = "unreach",
    version,
    after_help = "Exit codes: 0 safe, 1 unsafe, 2 unknown, 3 bad input or usage, 4 internal error."
)]
pub(crate) struct Arguments {
    /// Say on standard error what happens inside: `info`, `debug`, or a list such as `engines=debug,unreach=info`
    #[arg(long, global = true, value_name = "FILTER", value_parser = filter, help_heading = "Experiments")]
    pub(crate) log: Option<Targets>,
    /// Print the verdict and nothing else
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say on standard error what the engines do
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Prove that no assertion of a program can fail, or find an execution in which one does
    Verify(Verify),
    /// Check files and folders, function by function where there is no `main`
    #[command(
        after_help = "Exit codes: 0 everything proven, 1 something fails, 2 otherwise, 3 bad input or usage, 4 internal error."
    )]
    Check(CheckPaths),
    /// Can a state of one predicate be reached from a state of another, through any number of loop iterations?
    #[command(after_help = "Exit codes: 0 reachable, 2 unknown, 3 bad input or usage, 4 internal error.")]
    Reach(Reach),
    /// Check a certificate again, from the program alone
    #[command(
        after_help = "Exit codes: 0 accepted, 1 refused, 2 not decided, 3 bad input or usage, 4 internal error."
    )]
    Certify(Certify),
    /// Check an SV-COMP witness that a verifier has written for a C program
    #[command(
        after_help = "Exit codes: 0 confirmed, 1 rejected, 2 not decided, 3 bad input or usage, 4 internal error."
    )]
    Validate(Validate),
    /// Check the format of an SV-COMP witness
    #[command(after_help = "Exit codes: 0 well formed, 3 malformed.")]
    Lint(Lint),
    /// Show what a stage of the pipeline makes of a program
    Print(Print),
    /// Measure the engines on programs that are built in
    Bench(Bench),
    /// Run many tasks with limits for each, keep the results in one file, and compare them with older ones
    #[command(
        after_help = "Exit codes: 0 all tasks finished and no answer wrong, 1 a wrong answer, 2 stopped before the end, \
                            3 bad input or usage, or results cannot be written, 4 the verifier broke on a task."
    )]
    Batch(Batch),
    /// One task of a batch on many machines
    #[command(hide = true)]
    BatchWorker(BatchWorker),
    /// Run automata scripts and check their assertions
    #[command(after_help = "Exit codes: 0 all assertions hold, 1 an assertion fails, 2 an operation is not \
                            supported or a limit was reached, 3 bad input.")]
    Automata(Automata),
    /// Print the completions of a shell, to be put where the shell looks for them
    Completions(Completions),
    /// Serve an editor: the Language Server Protocol on standard input and output
    Lsp(Lsp),
    /// Serve a page in which programs are written, verified and looked at, on this machine
    Serve(Serve),
    /// Say what a message means and what to do about it
    Explain(Explain),
    /// Write the manual pages of all verbs to a folder
    Man(Man),
}

#[derive(Args)]
pub(crate) struct CheckPaths {
    /// Files, folders with C or Boogie files, or a compile_commands.json
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Every function is an entry, also where there is a `main`
    #[arg(long)]
    pub(crate) all: bool,
    /// Show the execution of what fails
    #[arg(long)]
    pub(crate) details: bool,
    /// A property file as in SV-COMP; without it, assertions, memory, overflow, division and shifts are checked
    #[arg(long, value_name = "FILE.prp")]
    pub(crate) spec: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) c: CArguments,
    /// The algorithm
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = engine_names(true))]
    pub(crate) engine: Chosen,
    /// Write a page for each function to this folder, and an index
    #[arg(long, value_name = "FOLDER")]
    pub(crate) report: Option<PathBuf>,
    /// Stop after so many seconds for each function
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub(crate) timeout: Duration,
    /// Stop when the process uses so many megabytes
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<u64>,
    /// Answer so many questions at once
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) jobs: NonZero<usize>,
    /// Try first what earlier runs left in this folder, and leave there what this one finds out; all of it is checked again
    #[arg(long, value_name = "DIR", conflicts_with = "engine")]
    pub(crate) reuse: Option<PathBuf>,
    /// Keep the answers in this folder; what means the same as in an earlier run is not looked at again
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
    /// Write the results for code scanning tools, as one log
    #[arg(long, value_name = "FILE.sarif")]
    pub(crate) sarif: Option<PathBuf>,
    /// Write a C test to this folder for each function that fails: it sets up the arguments, calls the function, and fails
    /// when it is built with sanitizers
    #[arg(long, value_name = "DIR", help_heading = "C programs")]
    pub(crate) tests: Option<PathBuf>,
    /// Check nothing, and write a skeleton to this folder for each function that is called and has no body, for `--models`;
    /// files that are there stay as they are
    #[arg(long, value_name = "DIR", help_heading = "C programs")]
    pub(crate) stubs: Option<PathBuf>,
    /// Propose contracts and loop invariants for functions that have none, as text to paste; all of it is proven before
    #[arg(long, conflicts_with = "json", help_heading = "C programs")]
    pub(crate) propose: bool,
    /// What a function without a contract finds in variables at file scope
    #[arg(long, value_name = "WHAT", default_value = "initial", help_heading = "C programs")]
    pub(crate) globals: Globals,
    /// Stop at the first check of a function that fails, or look at all
    #[arg(long, value_name = "WHEN", default_value = "first")]
    pub(crate) stop_at: StopAt,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a function finds in variables at file scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Globals {
    /// What they are initialised with
    Initial,
    /// Any values
    Any,
}

/// When to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum StopAt {
    /// At the first check that fails
    First,
    /// When every check was looked at
    All,
}

/// The formats of witnesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum WitnessVersion {
    /// YAML 2.0: invariants of loops; inputs of a violation
    #[value(name = "2.0")]
    V2_0,
    /// YAML 2.1: also contracts, transition invariants, ghosts and cycles
    #[value(name = "2.1")]
    V2_1,
    /// YAML 2.2: also threads of waypoints
    #[value(name = "2.2")]
    V2_2,
    /// GraphML 1.0, for violations
    #[value(name = "graphml")]
    GraphMl,
}

#[derive(Args)]
pub(crate) struct Lsp {
    /// Use standard input and output, which is the only way; many editors say so
    #[arg(long)]
    stdio: bool,
}

#[derive(Args)]
pub(crate) struct Explain {
    /// The code, as an unknown answer names it; without one, all codes are listed
    pub(crate) code: Option<String>,
}

#[derive(Args)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Args)]
pub(crate) struct Serve {
    /// The address at which browsers find the page
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) address: IpAddr,
    /// The port; 0 is any that is free
    #[arg(long, value_name = "PORT", default_value = "8080")]
    pub(crate) port: u16,
    /// A name by which browsers may reach the page, besides addresses and `localhost`
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
    /// The longest time for a run, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub(crate) timeout: u64,
    /// The memory of a run, in megabytes
    #[arg(long, value_name = "MB", default_value = "2048")]
    pub(crate) memory: u64,
    /// How many runs there may be at once
    #[arg(long, value_name = "N", default_value = "2")]
    pub(crate) runs: NonZero<usize>,
    /// The largest program, in kilobytes
    #[arg(long, value_name = "KB", default_value = "1024", value_parser = size)]
    pub(crate) size: usize,
}

/// A size that can be held in memory.
fn size(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(kilobytes @ 1..=65_536) => Ok(kilobytes),
        _ => Err("expected a number from 1 to 65536".to_owned()),
    }
}

#[derive(Args)]
pub(crate) struct Man {
    /// The folder
    pub(crate) folder: PathBuf,
}

fn filter(text: &str) -> Result<Targets, String> {
    text.parse().map_err(|_| "expected a level, or a list such as `engines=debug`".to_owned())
}

#[derive(Args)]
pub(crate) struct Verify {
    /// The program: Boogie (.bpl) or C (.c, .i); `-` reads Boogie from standard input
    pub(crate) file: PathBuf,
    /// More files of the same program
    #[arg(value_name = "FILE")]
    pub(crate) more: Vec<PathBuf>,
    /// A property file as in SV-COMP; without it, assertions are checked
    #[arg(long, value_name = "FILE.prp")]
    pub(crate) spec: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) c: CArguments,
    /// Write a C file that, compiled together with the C program, makes it run into the error that was found
    #[arg(long, value_name = "FILE.c", help_heading = "C programs")]
    pub(crate) harness: Option<PathBuf>,
    /// The algorithm
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = engine_names(true))]
    pub(crate) engine: Chosen,
    /// Try first what earlier runs left in this folder, and leave there what this one finds out; all of it is checked again
    #[arg(long, value_name = "DIR", conflicts_with = "engine")]
    pub(crate) reuse: Option<PathBuf>,
    /// Where interpolants come from
    #[arg(long, value_name = "SOURCE", default_value = "auto", help_heading = "Experiments")]
    pub(crate) interpolation: InterpolationSource,
    /// How much of a trace strongest-post and weakest-pre look at: 1 everything, 2 live variables, 3 the unsatisfiable core
    #[arg(long, value_name = "LEVEL", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=3), help_heading = "Experiments")]
    pub(crate) interpolation_level: u8,
    /// How a proof for one trace is generalised to many
    #[arg(long, value_name = "KIND", default_value = "on-demand", help_heading = "Experiments")]
    pub(crate) generalisation: GeneralisationKind,
    /// What trace abstraction begins with
    #[arg(long, value_name = "WHAT", default_value = "facts", help_heading = "Experiments")]
    pub(crate) begin_with: Beginning,
    /// What predicate abstraction can say about a location
    #[arg(long, value_name = "KIND", default_value = "cartesian", help_heading = "Experiments")]
    pub(crate) abstraction: AbstractionKind,
    /// How much of the program one step covers
    #[arg(long, value_name = "SIZE", default_value = "moderate", help_heading = "Experiments")]
    pub(crate) blocks: BlockSize,
    /// Replace calls by the procedures, unless there is recursion or the program becomes much larger
    #[arg(long, help_heading = "Experiments")]
    pub(crate) inline: bool,
    /// Let the chosen engine see one location for each of the values of variables with few values
    #[arg(long, help_heading = "Experiments")]
    pub(crate) divide: bool,
    /// Leave an engine out of the plan
    #[arg(long, value_name = "ENGINE", value_parser = engine_names(false), help_heading = "Experiments")]
    pub(crate) without: Vec<Chosen>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Stop when the process uses so many megabytes; without it, half of what the machine has
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<u64>,
    /// Work on so many threads at once; without it, as many as the machine has processors. The answer does not depend on it
    #[arg(long, value_name = "N")]
    pub(crate) workers: Option<NonZero<usize>>,
    /// Write the checked proof to this file, for `unreach certify`
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Write every solver query to this folder, as numbered SMT-LIB files that reproduce the answer
    #[arg(long, value_name = "DIR", help_heading = "Solvers")]
    pub(crate) dump_queries: Option<PathBuf>,
    /// Ask a second solver every question; disagreement is an internal error. Any SMT-LIB 2 solver that reads standard input
    #[arg(long, value_name = "COMMAND", help_heading = "Solvers")]
    pub(crate) cross_check: Option<String>,
    /// Write what others need to confirm the verdict, as an SV-COMP witness: YAML, or GraphML 1.0 if the name ends so
    #[arg(long, value_name = "FILE", help_heading = "C programs")]
    pub(crate) witness: Option<PathBuf>,
    /// The format of the witness; without it, the first version of YAML that can say all there is to say
    #[arg(long, value_name = "VERSION", requires = "witness", help_heading = "C programs")]
    pub(crate) witness_version: Option<WitnessVersion>,
    /// Write the result for code scanning tools
    #[arg(long, value_name = "FILE.sarif")]
    pub(crate) sarif: Option<PathBuf>,
    /// Stop at the first check that fails, or look at all: which are proven, which fail, and which are open
    #[arg(long, value_name = "WHEN", default_value = "first")]
    pub(crate) stop_at: StopAt,
    /// Write the result as one page for a browser: steps through the execution, or shows the proof beside the source
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
    /// Look for so many failures in each procedure instead of stopping at the first; the result is told per procedure
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Boogie programs")]
    pub(crate) errors: Option<u32>,
    /// Begin with the procedures of this name; `*` stands for any text. The result is told per procedure
    #[arg(long, value_name = "PATTERN", help_heading = "Boogie programs")]
    pub(crate) procedure: Vec<String>,
    /// Tell procedures in which nothing can fail because no execution comes to their end
    #[arg(long, help_heading = "Boogie programs")]
    pub(crate) smoke: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Print what was counted
    #[arg(long)]
    pub(crate) stats: bool,
}

impl Verify {
    /// What is wanted if each procedure is to be judged on its own.
    pub(crate) fn review(&self) -> Option<Wish> {
        const ERRORS: u32 = 5;
        (self.errors.is_some() || !self.procedure.is_empty() || self.smoke).then(|| Wish {
            errors: self.errors.unwrap_or(ERRORS) as usize,
            procedures: self.procedure.clone(),
            smoke: self.smoke,
        })
    }

    /// The plan that the options ask for.
    pub(crate) fn plan(&self) -> Plan {
        let inlining = if self.inline { Inlining::IfSmall } else { Inlining::Never };
        let mut plan = match self.engine {
            Chosen::Plan => Plan::default(),
            Chosen::Engine(engine) if self.divide => Plan::only(engine, inlining).divided(),
            Chosen::Engine(engine) => Plan::only(engine, inlining),
        };
        for left_out in &self.without {
            if let Chosen::Engine(engine) = left_out {
                plan = plan.without(engine);
            }
        }
        if let Some(workers) = self.workers {
            plan = plan.with_workers(workers);
        }
        plan.options = engines::Options {
            interpolation: self.interpolation(),
            generalisation: match self.generalisation {
                GeneralisationKind::OnDemand => Generalisation::OnDemand,
                GeneralisationKind::Canonical => Generalisation::Canonical,
                GeneralisationKind::Triples => Generalisation::Triples,
            },
            begin_with: match self.begin_with {
                Beginning::Facts => Begin::Facts,
                Beginning::Nothing => Begin::Nothing,
            },
            abstraction: match self.abstraction {
                AbstractionKind::Cartesian => Abstraction::Cartesian,
                AbstractionKind::Boolean => Abstraction::Boolean,
            },
            ..plan.options
        };
        plan.blocks = self.blocks.into();
        // A page offers the certificate for download.
        plan.certificate = self.certificate.is_some() || self.report.is_some();
        plan.reasons = self.report.is_some();
        plan.solvers = SolverOptions {
            dump_queries: self.dump_queries.clone(),
            cross_check: self.cross_check.clone(),
            faults: None,
        };
        plan
    }

    fn interpolation(&self) -> Interpolation {
        let level =
            [Level::Plain, Level::LiveVariables, Level::Core][usize::from(self.interpolation_level) - 1];
        match self.interpolation {
            InterpolationSource::Auto => Interpolation::Auto,
            InterpolationSource::Own => Interpolation::Own,
            InterpolationSource::Analysis => Interpolation::Analysis,
            InterpolationSource::Polyhedra => Interpolation::Polyhedra,
            InterpolationSource::PathProgram => Interpolation::PathProgram,
            InterpolationSource::Houdini => Interpolation::Houdini,
            InterpolationSource::Farkas => Interpolation::Farkas,
            InterpolationSource::Craig => Interpolation::Craig,
            InterpolationSource::StrongestPost => Interpolation::StrongestPost(level),
            InterpolationSource::WeakestPre => Interpolation::WeakestPre(level),
        }
    }
}

#[derive(Args)]
pub(crate) struct Reach {
    /// The program: Boogie (.bpl); `-` reads standard input
    pub(crate) file: PathBuf,
    /// What holds at the beginning of the procedure's body, as a Boogie expression
    #[arg(long, value_name = "PREDICATE", default_value = "true")]
    pub(crate) from: String,
    /// What shall hold later, as a Boogie expression
    #[arg(long, value_name = "PREDICATE")]
    pub(crate) to: String,
    /// Where it shall hold: before the statement of this line, or at the head of its loop; else at the end of the body
    #[arg(long, value_name = "LINE")]
    pub(crate) at: Option<u32>,
    /// A loop on the way, by its line, and what holds there all the time; repeated in the order of the loops, and then
    /// no other loop is leapt over
    #[arg(long, value_name = "LINE[: PREDICATE]", value_parser = waypoint)]
    pub(crate) path: Vec<Waypoint>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Stop when the process needs more than so many megabytes; without it, half of what the machine has
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<u64>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Print what was counted
    #[arg(long)]
    pub(crate) stats: bool,
}

fn waypoint(text: &str) -> Result<Waypoint, String> {
    let (line, predicate) = match text.split_once(':') {
        Some((line, predicate)) => (line, Some(predicate.trim().to_owned())),
        None => (text, None),
    };
    let line =
        line.trim().parse().map_err(|_| "a line, or a line with a predicate: `12: x < n`".to_owned())?;
    Ok(Waypoint { line, predicate })
}

/// What is wanted of contracts.
#[derive(Clone, Debug)]
pub(crate) enum ContractsWish {
    /// That they are listed.
    List,
    /// That this is done with them.
    Do(c::Contracts),
}

fn contracts(text: &str) -> Result<ContractsWish, String> {
    match text.trim() {
        "list" => Ok(ContractsWish::List),
        text => text.parse().map(ContractsWish::Do),
    }
}

/// What matters to C programs only.
#[derive(Args)]
pub(crate) struct CArguments {
    /// The sizes of C's types
    #[arg(
        long,
        value_name = "MODEL",
        default_value = "lp64",
        ignore_case = true,
        help_heading = "C programs"
    )]
    pub(crate) data_model: DataModel,
    /// Preprocess with this command, as `gcc -E`, and not with the built-in preprocessor and headers
    #[arg(long, value_name = "COMMAND", help_heading = "C programs")]
    pub(crate) cpp: Option<String>,
    /// What must not happen besides: a list of memory, leaks, overflow, unsigned-overflow, conversion, division, shift, all
    #[arg(long, value_name = "CHECKS", value_delimiter = ',', help_heading = "C programs")]
    pub(crate) check: Vec<CheckGroup>,
    /// The function that the program begins with, with arbitrary arguments; as `init(F())` in a property file
    #[arg(long, value_name = "F", help_heading = "C programs")]
    pub(crate) function: Option<String>,
    /// What is done with contracts of functions and loops: `ignore`; `check`, they are assertions; `enforce`, each is proven
    /// on its own; `use`, they stand for the functions; or a list as `enforce f; use g; ignore h; loop`. `unreach check` has
    /// `list` besides: which contracts are proven, which are assumed only, and which no state satisfies
    #[arg(long, value_name = "WHAT", value_parser = contracts, help_heading = "C programs")]
    pub(crate) contracts: Vec<ContractsWish>,
    /// Prove the contract of a function; as `--contracts 'enforce F'`
    #[arg(long, value_name = "F", help_heading = "C programs")]
    pub(crate) enforce_contract: Vec<String>,
    /// Let the contract of a function stand for its body; as `--contracts 'use F'`
    #[arg(long, value_name = "F", help_heading = "C programs")]
    pub(crate) replace_call_with_contract: Vec<String>,
    /// Let invariants stand for the loops that have one; as `--contracts loop`
    #[arg(long, help_heading = "C programs")]
    pub(crate) apply_loop_contracts: bool,
    /// What functions without a body do to what their arguments point to
    #[arg(long, value_name = "WHAT", default_value = "havoc", help_heading = "C programs")]
    pub(crate) bodyless: Bodyless,
    /// Ask also about executions in which something fails that otherwise works
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "C programs")]
    pub(crate) may_fail: Vec<Service>,
    /// A folder with C files that define functions which the program only calls
    #[arg(long, value_name = "DIR", help_heading = "C programs")]
    pub(crate) models: Vec<PathBuf>,
    /// A Boogie file with declarations that the program uses; no execution begins with its procedures
    #[arg(long, value_name = "FILE.bpl", help_heading = "Boogie programs")]
    pub(crate) lib: Vec<PathBuf>,
    /// Let signed arithmetic wrap around, as with gcc's `-fwrapv`, instead of asking for overflows or ending there
    #[arg(long, help_heading = "C programs")]
    pub(crate) wrap: bool,
    /// A folder with files that the program includes
    #[arg(short = 'I', value_name = "DIR", help_heading = "C programs")]
    pub(crate) include: Vec<PathBuf>,
    /// Read no included file outside of this folder, also not through links; for programs that nobody has looked at
    #[arg(long, value_name = "DIR", conflicts_with = "cpp", help_heading = "C programs")]
    pub(crate) include_within: Vec<PathBuf>,
    /// A macro that is defined, as `NAME` or `NAME=VALUE`
    #[arg(short = 'D', value_name = "MACRO", help_heading = "C programs")]
    pub(crate) define: Vec<String>,
    /// The version of C, as `c99`, `gnu11` or `c23`; also `-std=VERSION`
    #[arg(long, value_name = "VERSION", default_value = "gnu17", help_heading = "C programs")]
    pub(crate) std: String,
}

/// What can be checked in C programs besides the property.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct CheckGroup(Group);

impl CheckGroup {
    const ALL: [CheckGroup; Group::ALL.len()] = {
        let mut all = [CheckGroup(Group::EVERYTHING); Group::ALL.len()];
        let mut number = 0;
        while number < all.len() {
            all[number] = CheckGroup(Group::ALL[number]);
            number += 1;
        }
        all
    };

    /// All checks of some groups.
    fn together(groups: &[CheckGroup]) -> c::Checks {
        groups.iter().fold(c::Checks::default(), |checks, group| checks.and(group.0.checks()))
    }
}

impl ValueEnum for CheckGroup {
    fn value_variants<'a>() -> &'a [CheckGroup] {
        const { &CheckGroup::ALL }
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.word).help(self.0.help))
    }
}

impl CArguments {
    /// The checks that were asked for. If nothing was, everything that ends an execution is checked.
    pub(crate) fn checks(&self, spec: Option<&Path>) -> c::Checks {
        match (spec, &self.check[..]) {
            (None, []) => {
                let ends = [c::Check::Deref, c::Check::Free, c::Check::Division, c::Check::Shift];
                let overflow = (!self.wrap).then_some(c::Check::Overflow);
                ends.into_iter().chain(overflow).fold(c::Checks::default(), c::Checks::with)
            }
            (_, asked) => CheckGroup::together(asked),
        }
    }

    /// The property that is meant without a property file, or what is not supported.
    pub(crate) fn property(&self, spec: Option<&Path>) -> Result<unreach::Property, String> {
        match &self.check[..] {
            [CheckGroup(Group::TERMINATION)] if spec.is_none() => Ok(unreach::Property::Termination),
            asked if asked.contains(&CheckGroup(Group::TERMINATION)) => {
                Err("termination together with other checks or a property file".to_owned())
            }
            _ => Ok(unreach::Property::Assert),
        }
    }

    /// What may fail.
    pub(crate) fn may_fail(&self) -> c::MayFail {
        let services = self.may_fail.iter().map(|service| match service {
            Service::Allocation => c::Service::Allocation,
            Service::Threads => c::Service::Threads,
            Service::Locks => c::Service::Locks,
        });
        services.fold(c::MayFail::default(), c::MayFail::with)
    }

    /// What is done with contracts; if nothing is said, they are assertions.
    pub(crate) fn contracts_or_checked(&self) -> c::Contracts {
        let asked = self.contracts();
        match asked.is_ignored() && self.contracts.is_empty() {
            true => c::Contracts::checked(),
            false => asked,
        }
    }

    /// Whether contracts are to be listed.
    pub(crate) fn lists_contracts(&self) -> bool {
        self.contracts.iter().any(|wish| matches!(wish, ContractsWish::List))
    }

    /// What is done with contracts.
    pub(crate) fn contracts(&self) -> c::Contracts {
        let mut all = c::Contracts::default();
        for wish in &self.contracts {
            if let ContractsWish::Do(wish) = wish {
                all.add(wish.clone());
            }
        }
        let named = |functions: &[String], treatment: c::Treatment| {
            functions.iter().map(|function| (function.clone(), treatment)).collect::<Vec<_>>()
        };
        all.functions.extend(named(&self.enforce_contract, c::Treatment::Enforce));
        all.functions.extend(named(&self.replace_call_with_contract, c::Treatment::Use));
        if self.apply_loop_contracts {
            all.loops = c::Loops::Cut;
        }
        all
    }
}

/// Something that works unless one asks what happens if it does not.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Service {
    /// `malloc` and its relatives may return null
    Allocation,
    /// `pthread_create` may return an error instead of starting a thread
    Threads,
    /// Functions that take a lock may return an error instead
    Locks,
}

/// What functions without a body do to what their arguments point to.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Bodyless {
    /// A program that calls one is not supported
    Refuse,
    /// They may change all that their arguments reach; errors behind them are not reported
    Havoc,
    /// They change nothing
    Pure,
}

impl From<Bodyless> for c::Bodyless {
    fn from(bodyless: Bodyless) -> c::Bodyless {
        match bodyless {
            Bodyless::Refuse => c::Bodyless::Refuse,
            Bodyless::Havoc => c::Bodyless::Havoc,
            Bodyless::Pure => c::Bodyless::Pure,
        }
    }
}

/// The sizes of C's types.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum DataModel {
    /// 32-bit int, long and pointers
    Ilp32,
    /// 32-bit int, 64-bit long and pointers
    Lp64,
}

impl From<DataModel> for unreach::DataModel {
    fn from(model: DataModel) -> unreach::DataModel {
        match model {
            DataModel::Ilp32 => unreach::DataModel::Ilp32,
            DataModel::Lp64 => unreach::DataModel::Lp64,
        }
    }
}

/// Who answers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// The plan: several engines that share the time.
    Plan,
    /// One engine.
    Engine(&'static Engine),
}

/// The names of the engines, with what they do, as the table has them.
fn engine_names(plan: bool) -> impl TypedValueParser<Value = Chosen> {
    let several =
        plan.then(|| PossibleValue::new("auto").help("The plan: several engines that share the time"));
    let one = ENGINES.iter().map(|engine| PossibleValue::new(engine.name).help(engine.about));
    PossibleValuesParser::new(several.into_iter().chain(one))
        .map(|name: String| unreach::engine(&name).map_or(Chosen::Plan, Chosen::Engine))
}

/// Where interpolants come from.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum InterpolationSource {
    /// All sources, the most general first
    Auto,
    /// All sources but the Horn solver
    Own,
    /// Invariants of the trace's own loops
    PathProgram,
    /// Abstract interpretation of the trace with its loops
    Analysis,
    /// The same with polyhedra
    Polyhedra,
    /// Templates and affine equalities, pruned until they are inductive
    Houdini,
    /// Interpolants from Farkas certificates, for linear traces without disjunctions
    Farkas,
    /// Craig interpolants of the trace
    Craig,
    /// Strongest postconditions along the trace
    StrongestPost,
    /// Weakest preconditions along the trace
    WeakestPre,
}

/// How a proof for one trace is generalised to many.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum GeneralisationKind {
    /// A deterministic automaton whose transitions are checked when they are needed
    OnDemand,
    /// The canonical interpolant automaton
    Canonical,
    /// All valid Hoare triples over the predicates
    Triples,
}

/// What trace abstraction begins with.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Beginning {
    /// What a static analysis of the program excludes
    Facts,
    /// All error traces of the program
    Nothing,
}

/// What predicate abstraction can say about a location.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum AbstractionKind {
    /// Which predicates hold
    Cartesian,
    /// Any Boolean combination of predicates
    Boolean,
}

/// How much of the program one step covers.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum BlockSize {
    /// One statement
    Single,
    /// Statements without branches and joins
    Straight,
    /// Everything between loop heads, up to a number of branches
    Moderate,
    /// Everything between loop heads
    LoopFree,
}

impl From<BlockSize> for transform::BlockSize {
    fn from(size: BlockSize) -> transform::BlockSize {
        match size {
            BlockSize::Single => transform::BlockSize::Single,
            BlockSize::Straight => transform::BlockSize::Straight,
            BlockSize::Moderate => transform::BlockSize::Moderate,
            BlockSize::LoopFree => transform::BlockSize::LoopFree,
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "expected a positive number of seconds".to_owned())
}

#[derive(Args)]
pub(crate) struct Bench {
    /// What to measure
    pub(crate) table: Table,
    /// Stop each run after so many seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub(crate) timeout: Duration,
    /// `scale`: only these families of programs
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) family: Vec<String>,
    /// `scale`: programs of these sizes
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [5, 20, 80, 320])]
    pub(crate) size: Vec<usize>,
    /// `scale`: print the programs and run nothing
    #[arg(long)]
    pub(crate) print: bool,
}

/// What can be measured.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Table {
    /// Table 1 of "Splitting via Interpolants": Kojak and Impact, with and without large blocks
    Table1,
    /// Errors behind 10^3 to 10^15 loop iterations and more: leaping loops
    Leaps,
    /// How the processor time of the plan grows with the program: families of programs with more and more parts
    Scale,
}

#[derive(Args)]
pub(crate) struct Batch {
    /// Programs, folders, task definitions of SV-COMP (.yml), sets of them (.set), or tables (.csv)
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The file with the results. If it is there, the batch goes on with the tasks that have no result yet
    #[arg(long, value_name = "FILE", default_value = "batch.sqlite")]
    pub(crate) results: PathBuf,
    /// The property file for programs that come without a task definition
    #[arg(long, value_name = "FILE.prp")]
    pub(crate) spec: Option<PathBuf>,
    /// Only tasks whose column is like this, as `property=no-overflow`, `name=*sort*` or `tier!=4`. Every task has `name`,
    /// `property`, `language` and `expected`; the other columns are those of the table
    #[arg(long = "where", value_name = "COLUMN=PATTERN")]
    pub(crate) conditions: Vec<batch::select::Condition>,
    /// Only so many tasks, chosen at random
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<usize>,
    /// Which tasks a sample has
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Stop each task after so many seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) timeout: Duration,
    /// Kill a task that has not ended so many seconds after its time was over
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    pub(crate) grace: Duration,
    /// Stop each task when it uses so many megabytes
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<u64>,
    /// How many tasks run at once; without it, one for each processor
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Where tasks run. Other machines share the folders of the tasks, of the results and of this program
    #[arg(long, value_name = "WHERE", default_value = "local", help_heading = "Many machines")]
    pub(crate) on: Place,
    /// The folder of HyperQueue's server, if it is not the usual one
    #[arg(long, value_name = "DIR", help_heading = "Many machines")]
    pub(crate) server_dir: Option<PathBuf>,
    /// More options of Slurm's `sbatch`, as `--partition=long --mem=4G`
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, help_heading = "Many machines")]
    pub(crate) sbatch: Option<String>,
    /// Another verifier, as `tool {file} --spec {spec}`; also {data_model}, {timeout}, {memory}. Its verdict is the first
    /// line that begins with TRUE, FALSE or UNKNOWN
    #[arg(long, value_name = "COMMAND", conflicts_with = "options")]
    pub(crate) command: Option<String>,
    /// Compare with an older batch: its results, or a table with `id`, `property`, `result` and `wall`
    #[arg(long, value_name = "OLD")]
    pub(crate) compare: Option<PathBuf>,
    /// Write a table of all results
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) csv: Option<PathBuf>,
    /// Write all results and figures as JSON
    #[arg(long, value_name = "FILE.json")]
    pub(crate) json: Option<PathBuf>,
    /// Write a page with figures, plots and all tasks
    #[arg(long, value_name = "FILE.html")]
    pub(crate) html: Option<PathBuf>,
    /// More options of `unreach verify`, for every task
    #[arg(last = true, value_name = "OPTIONS")]
    pub(crate) options: Vec<String>,
}

#[derive(Args)]
pub(crate) struct BatchWorker {
    /// The spool of the batch
    pub(crate) folder: PathBuf,
    /// The number of the task
    pub(crate) number: usize,
}

/// Where the tasks of a batch run.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Place {
    /// On this machine
    Local,
    /// On the workers of a HyperQueue server
    Hyperqueue,
    /// On a cluster, as job arrays of Slurm
    Slurm,
}

#[derive(Args)]
pub(crate) struct Certify {
    /// The certificate that `unreach verify --certificate` has written
    pub(crate) certificate: PathBuf,
    /// The program
    pub(crate) file: PathBuf,
    /// More files of the same program
    #[arg(value_name = "FILE")]
    pub(crate) more: Vec<PathBuf>,
    /// The property file that `unreach verify` was given
    #[arg(long, value_name = "FILE.prp")]
    pub(crate) spec: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) c: CArguments,
    /// Ask this SMT-LIB 2 solver, which reads standard input, instead of the built-in one
    #[arg(long, value_name = "COMMAND")]
    pub(crate) solver: Option<String>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Stop when the process needs more than so many megabytes; without it, half of what the machine has
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<u64>,
}

#[derive(Args)]
pub(crate) struct Validate {
    /// The witness: YAML 0.1, 2.0, 2.1 or 2.2, or GraphML 1.0
    pub(crate) witness: PathBuf,
    /// The C program
    pub(crate) file: PathBuf,
    /// A property file as in SV-COMP; without it, the property that the witness names
    #[arg(long, value_name = "FILE.prp")]
    pub(crate) spec: Option<PathBuf>,
    /// The sizes of C's types; without it, those that the witness names
    #[arg(long, value_name = "MODEL", ignore_case = true)]
    pub(crate) data_model: Option<DataModel>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
}

#[derive(Args)]
pub(crate) struct Lint {
    /// The witness
    pub(crate) witness: PathBuf,
}

#[derive(Args)]
pub(crate) struct Print {
    /// What to show
    pub(crate) stage: Stage,
    /// A property file as in SV-COMP, for a C program; without it, assertions are meant
    #[arg(long, value_name = "FILE.prp")]
    pub(crate) spec: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) c: CArguments,
    /// How much of the program one edge of the program automaton covers
    #[arg(long, value_name = "SIZE", default_value = "single")]
    pub(crate) blocks: BlockSize,
    /// Draw the automaton of the program or of the property as a graph in the DOT language
    #[arg(long)]
    pub(crate) dot: bool,
    /// Draw the automaton of a property as a picture in SVG
    #[arg(long, conflicts_with = "dot")]
    pub(crate) svg: bool,
    /// The program; `-` reads standard input
    pub(crate) file: PathBuf,
    /// More files of the same program
    #[arg(value_name = "FILE")]
    pub(crate) more: Vec<PathBuf>,
}

#[derive(Args)]
pub(crate) struct Automata {
    /// Scripts (.ats), or folders with scripts; `-` reads standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Print automata as graphs for Graphviz
    #[arg(long)]
    pub(crate) dot: bool,
    /// Stop each script after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Stop when the process needs more than so many megabytes; without it, half of what the machine has
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<u64>,
}

/// The stages that can be shown.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Stage {
    /// The tokens of the source
    Tokens,
    /// The syntax tree, as Boogie with all parentheses
    Ast,
    /// The intermediate language, as Boogie
    Ir,
    /// The program automaton
    Program,
    /// The program automaton as constrained Horn clauses in SMT-LIB, for any Horn solver
    Chc,
    /// The automaton of a property: the file is an observer (.obs) or a property file (.prp)
    Property,
}

/// Prints what clap has to say, help and version on standard output, mistakes on standard error.
pub(crate) fn explain(message: &clap::Error) -> Exit {
    // A closed pipe is the reader's choice, not an error of ours.
    let _ = message.print();
    match message.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Success,
        _ => Exit::BadInput,
    }
}
