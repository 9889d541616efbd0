//! Temporal properties of C and Boogie programs.
//!
//! The atomic propositions of a formula are conditions of the program's language over its global variables. A procedure that
//! evaluates them is added to the program's text, so that the front end reads them. The program is then observed by
//! the automaton of the formula's negation (crate `property`), and all that remains is the question whether an execution of
//! the product is infinite. Of a safety formula only the bad beginnings matter, so the question is whether an error is reached ([`safety`]).
//!
//! What a step is: if the program calls `__VERIFIER_ltl_step()`, the state is observed at these calls. Otherwise it is observed
//! whenever a variable has changed that the formula speaks of, after the first statement, in every round of a loop and at the beginning of every procedure that calls itself, as
//! an execution may go round or down for ever without a change; then `X` has no meaning. The state at the end of an execution is observed for ever. Executions that are blocked by an assumption do not count.

mod calls;
pub(crate) mod safety;

use crate::problem::{Language, Problem, Source};
use crate::view::{NoView, View};
use base::EntityRef;
use certify::product::{Atom, Kind, Move, Read, Watched};
use ir::{
    Boundary, ExprData, Procedure, ProcedureData, Program, Statement, StatementKind, Transfer, Variable,
    VariableKind,
};
use program::Reason;
use property::ltl::{Automaton, Formula, Formulas, parse};
use property::product::{Letter, Product, Propositions};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// The procedure that evaluates the atomic propositions.
const OBSERVE: &str = "__ltl_observe";
/// What calls it, so that the front end does not leave it out.
const FIRST: &str = "__ltl_observe_first";
/// The variables with the values of the atomic propositions.
const ATOM: &str = "__ltl_atom";
/// Marks the steps of a C program.
const STEP: &str = "__VERIFIER_ltl_step";

/// Functions with which an execution ends before `main` does. What is observed then is not said.
const ENDS: &[&str] = &[
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "abort",
    "longjmp",
    "assert",
    "__assert_fail",
    "__VERIFIER_assert",
    "reach_error",
    "__VERIFIER_error",
];

/// The formula in a comment of a program: `//@ ltl invariant NAME: FORMULA`.
pub fn in_comment(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("//@ ltl invariant "))?;
    let (_, formula) = line.split_once(':')?;
    Some(formula.trim().to_owned())
}

/// Whether a line of a program's text was added to evaluate propositions.
pub(crate) fn is_added(line: &str) -> bool {
    line.contains(OBSERVE)
}

fn unsupported(what: impl Into<String>) -> NoView {
    NoView::Unknown(Reason::Unsupported(what.into()))
}

/// A program with a procedure that evaluates the atomic propositions of a formula.
struct Translated {
    formulas: Formulas,
    formula: Formula,
    language: Language,
    view: View,
    /// The atoms that say that a function is called, with the procedures that tell of that.
    calls: Vec<(usize, Option<String>)>,
}

/// Reads a formula; what is wrong with it otherwise.
fn read(formula: &str) -> Result<(Formulas, Formula), NoView> {
    parse(formula).map_err(|why| unsupported(format!("the temporal property: {why}")))
}

/// Translates a problem with a procedure that evaluates the propositions of a formula; `plain` gives the view of a problem.
fn translated(
    problem: &Problem,
    formula: &str,
    plain: impl Fn(&Problem) -> Result<View, NoView>,
) -> Result<Translated, NoView> {
    let (formulas, formula) = read(formula)?;
    let Source::Text { language, name, text } = &problem.source else {
        return Err(unsupported("a temporal property of a program without text"));
    };
    if !problem.c.more.is_empty() || text.contains("#include \"") {
        return Err(unsupported("a temporal property of a program of several files"));
    }
    let (watched, calls) = calls::watched(problem, &formulas, &plain)?;
    let observed = match language {
        Language::C => c_text(text, &formulas)?,
        Language::Boogie => boogie_text(text, &formulas),
        Language::SvLib => return Err(unsupported("a temporal property of a script")),
    };
    let source = Source::Text { language: *language, name: name.clone(), text: observed };
    let mut view = plain(&Problem { source, ltl: None, ..watched })?;
    if *language == Language::Boogie && !calls.is_empty() {
        crate::observed::redirect(&mut view.program);
    }
    Ok(Translated { formulas, formula, language: *language, view, calls })
}

/// The product of a problem with the automaton of a formula's negation; `plain` gives the view of a problem.
pub(crate) fn view(
    problem: &Problem,
    formula: &str,
    plain: impl Fn(&Problem) -> Result<View, NoView>,
) -> Result<View, NoView> {
    let mut translated = translated(problem, formula, plain)?;
    let never_blocks = !has_assumptions(&translated.view.program, translated.language, None);
    let counts_steps = translated.formulas.counts_steps(translated.formula);
    let placing = Placing::new(problem, translated.language, counts_steps);
    let places = place(&mut translated.view.program, &placing)?;
    translated.observe_calls((places.observe, places.start, false))?;
    let Translated { mut formulas, formula, mut view, .. } = translated;
    let negation = formulas.not(formula);
    let automaton = Automaton::of(&formulas, negation)
        .ok_or_else(|| unsupported("a temporal property with so large an automaton"))?;
    let Made { copies, watched, states } =
        observe(&mut view.program, &places, (formulas.atoms.len(), &automaton), never_blocks)?;
    if let Some(back) = &mut view.back {
        back.add_copies(&copies);
    }
    view.watched = Some(Arc::new(watched));
    view.states = states;
    Ok(view)
}

/// Whether a translated program has assumptions of its own, in any of the ways to write them. That a signed overflow is the end of an
/// execution is none: what came before it has happened. The state of an automaton that watches the program, if there is one, has a first value and no other assumption.
fn has_assumptions(program: &Program, language: Language, state: Option<Variable>) -> bool {
    let bodies = program.procedures.values().filter_map(|data| data.body.as_ref());
    let mut statements = bodies.flat_map(|body| body.blocks.values()).flat_map(|block| &block.statements);
    let is_true = |condition: ir::Expr| program.expressions[condition] == ExprData::Bool(true);
    match language {
        // The ranges of types are `where` clauses, which hold of all values that there are.
        Language::C => statements.any(|statement| ir::Mark::Assumed.is_in(&statement.attributes)),
        _ => {
            statements.any(
                |statement| matches!(statement.kind, StatementKind::Assume(condition) if !is_true(condition)),
            ) || !program.axioms.is_empty()
                || program.variables.iter().any(|(id, data)| data.where_clause.is_some() && Some(id) != state)
                || program.procedures.values().any(|data| data.body.is_none() && !data.ensures.is_empty())
        }
    }
}

/// A C program without comments and without what stands in quotation marks.
fn code(text: &str) -> String {
    let text = text.replace("\\\r\n", "").replace("\\\n", "");
    let mut code = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(character) = rest.chars().next() {
        let length = match character {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            '"' | '\'' => quoted(rest, character),
            _ => {
                code.push(character);
                rest = &rest[character.len_utf8()..];
                continue;
            }
        };
        code.push(' ');
        rest = &rest[length..];
    }
    code
}

/// How long what stands in quotation marks at the beginning of a text is.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (offset, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return offset,
            _ if character == mark => return offset + 1,
            _ => {}
        }
    }
    text.len()
}

/// The lines of a program that are no declarations of functions that are defined elsewhere.
fn code_lines(code: &str) -> impl Iterator<Item = &str> {
    let is_declaration = |line: &str| {
        line.starts_with("extern") && line.ends_with(';') && line.matches(['{', ';']).count() == 1
    };
    code.lines().filter(move |line| !is_declaration(line.trim()))
}

/// Refuses C programs whose executions may end before `main` does.
pub(crate) fn refuse_ends(text: &str) -> Result<(), NoView> {
    refuse_words(text, ENDS, "a temporal property")
}

/// Refuses `what` of a C program that may call one of some functions.
pub(crate) fn refuse_words(text: &str, refused: &[&str], what: &str) -> Result<(), NoView> {
    let code = code(text);
    if code.contains("##") {
        // The words of such a program are not those of its text.
        return Err(unsupported(format!("{what} of a program with macros that paste words")));
    }
    let in_word = |character: char| character.is_alphanumeric() || character == '_';
    for line in code_lines(&code) {
        let mut words = line.split(|character| !in_word(character));
        if let Some(word) = words.find(|word| refused.contains(word)) {
            return Err(unsupported(format!("{what} of a program with `{word}`")));
        }
    }
    Ok(())
}

/// A C program with a function that evaluates the atomic propositions.
fn c_text(text: &str, formulas: &Formulas) -> Result<String, NoView> {
    refuse_ends(text)?;
    let mut all = format!("{text}\n");
    // What nothing changes yet must not be left out by the front end.
    let (mut body, mut kept) = (String::new(), String::new());
    for (number, atom) in formulas.atoms.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(all, "static _Bool {ATOM}{number}; ");
        let _ = match formulas.called(number) {
            Some(_) => write!(kept, "{ATOM}{number} = !{ATOM}{number}; "),
            None => write!(body, "{ATOM}{number} = ({atom}); "),
        };
    }
    let _ = write!(all, "static void {OBSERVE}(void) {{ {body} }} ");
    if text.contains(STEP) {
        let _ = write!(all, "void {STEP}() {{ {OBSERVE}(); }} ");
    }
    let _ = writeln!(all, "__attribute__((constructor)) static void {FIRST}(void) {{ {kept}{OBSERVE}(); }}");
    Ok(all)
}

/// A Boogie program with a procedure that evaluates the atomic propositions.
fn boogie_text(text: &str, formulas: &Formulas) -> String {
    let mut all = format!("{text}\n");
    let (mut names, mut body) = (Vec::new(), String::new());
    for (number, atom) in formulas.atoms.iter().enumerate() {
        let _ = write!(all, "var {ATOM}{number}: bool; ");
        if formulas.called(number).is_none() {
            let _ = write!(body, "{ATOM}{number} := ({atom}); ");
        }
        names.push(format!("{ATOM}{number}"));
    }
    let _ = writeln!(all, "procedure {OBSERVE}() modifies {}; {{ {body} }}", names.join(", "));
    all
}

/// How a program is observed.
struct Placing<'a> {
    language: Language,
    /// The function that a C program begins with.
    main: &'a str,
    /// Whether it matters what a step is.
    counts_steps: bool,
    /// Whether the state is observed in every round of a loop, as an execution may go round without a change.
    rounds: bool,
    /// Whether the program has threads, so that a change and its observation have to happen at one moment.
    threads: bool,
}

impl<'a> Placing<'a> {
    /// For formulas about whole executions.
    fn new(problem: &'a Problem, language: Language, counts_steps: bool) -> Placing<'a> {
        let main = problem.c.entry.as_deref().unwrap_or("main");
        Placing { language, main, counts_steps, rounds: true, threads: false }
    }
}

/// The procedures of a program that is observed.
struct Places {
    /// The one that evaluates the atomic propositions.
    observe: Procedure,
    /// What called it for the front end, and is called no more.
    first: Option<Procedure>,
    /// Where executions begin.
    start: Procedure,
}

fn lost() -> NoView {
    unsupported("a temporal property whose conditions were lost")
}

/// Lets a program call the procedure that evaluates the propositions where its state is observed.
fn place(program: &mut Program, placing: &Placing<'_>) -> Result<Places, NoView> {
    let observe = program.procedure(OBSERVE).ok_or_else(lost)?;
    let Some(start) =
        program.procedure(ir::program::START).filter(|&start| program.procedures[start].body.is_some())
    else {
        return Err(unsupported("a temporal property of a program without `ULTIMATE.start`"));
    };
    if placing.language == Language::C && ends_early(program) {
        return Err(unsupported("a temporal property of a program whose executions end before `main` does"));
    }
    let (steps, first) = (program.procedure(STEP), program.procedure(FIRST));
    without_calls_of(program, start, first);
    match steps {
        Some(steps) if placing.language != Language::C => observe_steps(program, observe, steps)?,
        Some(_) => {}
        None if placing.counts_steps => {
            return Err(unsupported("the operator `X` where no steps are marked"));
        }
        None => {
            let main = match placing.language {
                Language::C => program.procedure(placing.main).ok_or_else(lost)?,
                _ => start,
            };
            let skipped = [Some(observe), first, Some(start).filter(|_| main != start)];
            observe_changes(program, observe, &skipped, (main, placing))?;
        }
    }
    Ok(Places { observe, first, start })
}

/// The variables with the values of so many atoms.
fn atoms(program: &Program, count: usize) -> Result<Vec<Variable>, NoView> {
    let atom = |number: usize| {
        let name = format!("{ATOM}{number}");
        let mut globals = program.globals.iter().copied();
        globals.find(|&global| program.variables[global].name == name).ok_or_else(lost)
    };
    (0..count).map(atom).collect()
}

/// What became of a program that is observed.
struct Made {
    /// For the variables of the product, what they are copies of.
    copies: FxHashMap<Variable, Variable>,
    /// What the checker walks through beside the product.
    watched: Watched,
    /// The automaton's state at the blocks of the product.
    states: BTreeMap<(Procedure, ir::Block), usize>,
}

fn observe(
    program: &mut Program,
    places: &Places,
    (count, automaton): (usize, &Automaton),
    never_blocks: bool,
) -> Result<Made, NoView> {
    let &Places { observe, start, .. } = places;
    let span = program.procedures[start].span;
    let variables = atoms(program, count)?;
    let mut values = Vec::new();
    for &variable in &variables {
        let value = program.variable(variable, span);
        values.push(match program.ty(value) {
            ir::Type::BOOL => value,
            _ => {
                let one = program.int(1, span);
                program.equal(value, one, span)
            }
        });
    }
    let watched = Watched {
        program: program.clone(),
        start,
        letters: vec![certify::product::Letter {
            procedure: observe,
            kind: Kind::Internal,
            evaluates: true,
            atoms: variables.into_iter().map(Atom::In).collect(),
        }],
        last: 0,
        moves: moves(automaton),
        never_blocks,
    };
    let into = program.procedures.push(ProcedureData::named("product#".to_owned(), span));
    let direct = direct_atoms(program, observe, count);
    let letter = if direct.is_none() { Letter::Evaluates } else { Letter::Marks };
    let observer =
        Propositions { procedure: observe, letter, atoms: direct.unwrap_or(values), never_blocks, automaton };
    let Product { copies, states } =
        property::product::product(program, (start, into), &BTreeSet::from([observe]), &observer)
            .map_err(|property::Unsupported(what)| unsupported(what))?;
    Ok(Made { copies, watched, states })
}

/// The moves of an automaton, as the checker wants them.
fn moves(automaton: &Automaton) -> Vec<Vec<Move>> {
    let one = |one: &property::ltl::Transition| Move {
        read: Read::Internal,
        guard: one.guard.clone(),
        to: one.target,
        accepting: one.accepting,
    };
    automaton.transitions.iter().map(|list| list.iter().map(one).collect()).collect()
}

/// Whether a translated program has a place where executions stop: the translation says so by an assumption that never
/// holds at the end of a block that returns.
pub(crate) fn ends_early(program: &Program) -> bool {
    let bodies = program.procedures.values().filter_map(|data| data.body.as_ref());
    bodies.flat_map(|body| body.blocks.values()).any(|block| {
        // Executions do not end where the front end has given up: they are followed to a place of their own.
        let given_up = |statement: &Statement| {
            matches!(statement.kind, StatementKind::Assert(_, condition) if program.expressions[condition] == ExprData::Bool(false))
                && property::flatten::gives_up(statement)
        };
        if block.statements.iter().any(given_up) {
            return false;
        }
        let last = block.statements.last().map(|statement| &statement.kind);
        let stops = matches!(last, Some(StatementKind::Assume(condition)) if program.expressions[*condition] == ExprData::Bool(false));
        stops && matches!(block.transfer, Transfer::Return)
    })
}

/// The conditions themselves, if the procedure that observes does nothing but evaluate conditions over globals.
fn direct_atoms(program: &mut Program, observe: Procedure, count: usize) -> Option<Vec<ir::Expr>> {
    let body = program.procedures[observe].body.clone()?;
    let [block] = &body.blocks.values().collect::<Vec<_>>()[..] else { return None };
    let mut values = Vec::new();
    for statement in &block.statements {
        let StatementKind::Assign(pairs) = &statement.kind else { return None };
        values.extend(pairs.iter().copied());
    }
    let is_global = |part: &ir::Expr| match program.expressions[*part] {
        ExprData::Variable(variable) => match program.variables[variable].kind {
            VariableKind::Global => !program.variables[variable].name.starts_with(ATOM),
            kind => matches!(kind, VariableKind::Constant { .. } | VariableKind::Bound),
        },
        _ => true,
    };
    if !program.expressions.post_order(values.iter().map(|&(_, value)| value)).iter().all(is_global) {
        return None;
    }
    let mut atoms = Vec::new();
    for number in 0..count {
        let name = format!("{ATOM}{number}");
        let assigned = |(variable, _): &&(Variable, ir::Expr)| program.variables[*variable].name == name;
        let (&(_, value), false) =
            (values.iter().find(assigned)?, values.iter().filter(assigned).count() > 1)
        else {
            return None;
        };
        let (one, zero) = (ExprData::Int(1.into()), ExprData::Int(0.into()));
        let (data, span) = (program.expressions[value].clone(), program.expressions.span(value));
        atoms.push(match data {
            _ if program.ty(value) == ir::Type::BOOL => value,
            ExprData::Ite(condition, then, otherwise)
                if program.expressions[then] == one && program.expressions[otherwise] == zero =>
            {
                condition
            }
            _ if program.ty(value) == ir::Type::INT => {
                let one = program.int(1, span);
                program.equal(value, one, span)
            }
            _ => return None,
        });
    }
    Some(atoms)
}

/// Takes the calls of a procedure out of another one.
pub(crate) fn without_calls_of(program: &mut Program, procedure: Procedure, callee: Option<Procedure>) {
    let body = program.procedures[procedure].body.as_mut();
    for block in body.into_iter().flat_map(|body| body.blocks.values_mut()) {
        block.statements.retain(|statement| {
            !matches!(statement.kind, StatementKind::Call { procedure, .. } if Some(procedure) == callee)
        });
    }
}

/// Observes the program where a variable that the propositions speak of has changed, and after the first statement.
fn observe_changes(
    program: &mut Program,
    observe: Procedure,
    skipped: &[Option<Procedure>],
    (main, placing): (Procedure, &Placing<'_>),
) -> Result<(), NoView> {
    let watched = watched(program, observe)?;
    let call = |span| Statement {
        kind: StatementKind::Call { procedure: observe, arguments: Vec::new(), results: Vec::new() },
        span,
        attributes: Vec::new(),
    };
    let without_body = program.procedures.iter().filter(|(_, data)| data.body.is_none());
    let by_contract: BTreeSet<Procedure> = without_body
        .filter(|(_, data)| data.modifies.iter().any(|global| watched.contains(global)))
        .map(|(procedure, _)| procedure)
        .collect();
    let changes = |statement: &Statement| match &statement.kind {
        StatementKind::Assign(pairs) => pairs.iter().any(|(variable, _)| watched.contains(variable)),
        StatementKind::Havoc(variables) => variables.iter().any(|variable| watched.contains(variable)),
        StatementKind::Call { procedure, results, .. } => {
            by_contract.contains(procedure) || results.iter().any(|result| watched.contains(result))
        }
        StatementKind::Join { results, .. } => results.iter().any(|result| watched.contains(result)),
        _ => false,
    };
    let with_body: BTreeSet<Procedure> = program
        .procedures
        .iter()
        .filter(|(_, data)| data.body.is_some())
        .map(|(procedure, _)| procedure)
        .collect();
    let is_several_steps = |statement: &Statement| matches!(&statement.kind, StatementKind::Call { procedure, .. } if with_body.contains(procedure));
    let boundary = |boundary, span| {
        let kind = StatementKind::Atomic(boundary);
        placing.threads.then_some(Statement { kind, span, attributes: Vec::new() })
    };
    // An execution may also go down for ever without a change.
    let deep = match placing.rounds {
        true => property::flatten::recursive(program, &BTreeSet::from([observe])),
        false => BTreeSet::new(),
    };
    let procedures: Vec<Procedure> = program.procedures.keys().collect();
    for procedure in procedures.into_iter().filter(|procedure| !skipped.contains(&Some(*procedure))) {
        let span = program.procedures[procedure].span;
        let Some(body) = program.procedures[procedure].body.as_mut() else { continue };
        let first = body.blocks.values().next().and_then(|block| {
            block.statements.iter().find(|statement| !matches!(statement.kind, StatementKind::Assume(_)))
        });
        let first_changes = first.is_some_and(&changes);
        let heads = if placing.rounds { loop_heads(body) } else { BTreeSet::new() };
        for (number, block) in body.blocks.iter_mut() {
            let mut statements: Vec<Statement> = Vec::new();
            statements.extend(heads.contains(&number).then(|| call(block.transfer_span)));
            for statement in block.statements.drain(..) {
                if !changes(&statement) {
                    statements.push(statement);
                    continue;
                }
                if placing.threads && is_several_steps(&statement) {
                    let what = "a temporal property about the result of a call, in a program with threads";
                    return Err(unsupported(what));
                }
                let span = statement.span;
                statements.extend(boundary(Boundary::Begin, span));
                statements.extend([statement, call(span)]);
                statements.extend(boundary(Boundary::End, span));
            }
            block.statements = statements;
        }
        // The state before the first statement is the one after it, unless the statement changes what is observed.
        if (procedure == main || deep.contains(&procedure)) && !first_changes {
            let entry = body.entry();
            if !heads.contains(&entry) {
                body.blocks[entry].statements.insert(0, call(span));
            }
        }
    }
    declare_changes(program, observe);
    Ok(())
}

/// Every procedure may change what the procedure that observes does.
fn declare_changes(program: &mut Program, observe: Procedure) {
    let frame: Vec<Variable> = program.procedures[observe].modifies.clone();
    let all: Vec<Procedure> = program.procedures.keys().collect();
    for procedure in all {
        let modifies = &mut program.procedures[procedure].modifies;
        let more: Vec<Variable> = frame.iter().copied().filter(|global| !modifies.contains(global)).collect();
        modifies.extend(more);
    }
}

/// Observes a Boogie program where it says that it makes a step: the procedure of that name does nothing else.
fn observe_steps(program: &mut Program, observe: Procedure, steps: Procedure) -> Result<(), NoView> {
    let data = &program.procedures[steps];
    let is_plain = data.parameters.is_empty()
        && data.results.is_empty()
        && data.requires.is_empty()
        && data.ensures.is_empty()
        && data.modifies.is_empty();
    let mut blocks = data.body.iter().flat_map(|body| body.blocks.values());
    if !is_plain || blocks.any(|block| !block.statements.is_empty()) {
        return Err(unsupported(format!("a procedure `{STEP}` that does something")));
    }
    for data in program.procedures.values_mut() {
        let blocks = data.body.iter_mut().flat_map(|body| body.blocks.values_mut());
        for statement in blocks.flat_map(|block| &mut block.statements) {
            if let StatementKind::Call { procedure, .. } = &mut statement.kind
                && *procedure == steps
            {
                *procedure = observe;
            }
        }
    }
    declare_changes(program, observe);
    Ok(())
}

/// The heads of loops: every cycle of the body passes one.
pub(crate) fn loop_heads(body: &ir::Body) -> BTreeSet<ir::Block> {
    let entry = body.entry().index();
    let order = graph::weak_topological_order(body.blocks.len(), &[entry], |block, out| {
        out.extend(body.blocks[ir::Block::new(block)].transfer.successors().map(|next| next.index()));
    });
    order
        .into_iter()
        .filter(|element| element.end.is_some())
        .map(|element| ir::Block::new(element.node))
        .collect()
}

/// The globals that the procedure that observes looks at.
fn watched(program: &Program, observe: Procedure) -> Result<BTreeSet<Variable>, NoView> {
    let mut roots = Vec::new();
    let body = program.procedures[observe].body.as_ref();
    for block in body.into_iter().flat_map(|body| body.blocks.values()) {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Assign(pairs) => roots.extend(pairs.iter().map(|(_, value)| *value)),
                StatementKind::Assume(condition) | StatementKind::Assert(_, condition) => {
                    roots.push(*condition)
                }
                StatementKind::Havoc(_) => {}
                _ => return Err(unsupported("a temporal property whose conditions call functions")),
            }
        }
        if let Transfer::Branch { condition, .. } = &block.transfer {
            roots.push(*condition);
        }
    }
    let parts = program.expressions.post_order(roots);
    let global = |part: ir::Expr| match program.expressions[part] {
        ExprData::Variable(variable) if program.variables[variable].kind == VariableKind::Global => {
            Some(variable)
        }
        _ => None,
    };
    Ok(parts.into_iter().filter_map(global).collect())
}
