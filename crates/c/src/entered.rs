//! A program with contracts, and where it begins.
//!
//! A function that is entered with arguments from outside gets a caller ([`crate::entries`]) that makes them; its
//! preconditions are assumed then. Where every function with a contract is entered, one function calls any of them.

use crate::ast::{Ast, ExprKind, Item, StmtKind};
use crate::contracts::{self, Applied, Contracts};
use crate::options::DataModel;
use crate::problem::Problem;
use crate::symbols::{Symbol, Symbols};
use crate::tree::{ExprKind as TreeKind, Tree};
use crate::{check, entries, parse, plain_tokens, types};
use base::{SourceMap, Span};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The function that calls any of the functions with contracts.
const EACH: &str = "unreach_enter_each";

/// The function that gives variables at file scope arbitrary values.
const ANY_GLOBALS: &str = "unreach_any_globals";

/// Where a program begins.
#[derive(Default)]
pub(crate) struct Entered {
    /// The function.
    pub(crate) function: String,
    /// What is assumed about the arguments that it passes, each at the function that gets them.
    pub(crate) assumptions: Vec<(Span, String)>,
}

/// Applies contracts to the files of a program; says where the program begins then.
pub(crate) fn with_contracts(
    sources: &mut SourceMap,
    symbols: &mut Symbols,
    units: &mut [Ast],
    contracts: &Contracts,
    (entry, model): (&str, DataModel),
) -> Result<Entered, Vec<Problem>> {
    let begins = |function: String| Entered { function, assumptions: Vec::new() };
    // What the program is without its contracts tells which arguments its functions take.
    let plain = check::check(units, symbols, || types::Types::new(model))?;
    let mut applied = Applied::default();
    let mut frames = 0;
    for unit in units.iter_mut().filter(|unit| !unit.models) {
        contracts::apply(unit, symbols, contracts, &mut frames, &mut applied).map_err(|one| vec![one])?;
    }
    for (name, treatment) in &contracts.functions {
        let exists = applied.functions.contains(name) || (name == "*" && !applied.functions.is_empty());
        let needs_one = !matches!(treatment, contracts::Treatment::Check | contracts::Treatment::Ignore);
        if !exists && !contracts.each && needs_one {
            let nowhere = Span::new(base::FileId::from_u32(0), 0, 0);
            let what = match name.as_str() {
                "*" => "no function of the program has a contract".to_owned(),
                name => format!("the program has no function `{name}` with a contract"),
            };
            return Err(vec![Problem::error(nowhere, what)]);
        }
    }
    if let Some(called) = entry.strip_prefix("unreach_call_") {
        let by_contract = applied.entries.contains(called);
        if by_contract {
            // The caller was written for the function itself.
            enter(units, symbols, entry, called);
        }
        if !by_contract && !contracts.any_globals {
            return Ok(begins(entry.to_owned()));
        }
        let Callers { mut text, assumptions } = any_globals(&plain, symbols, units)?;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "void {EACH}(void) {{ {ANY_GLOBALS}(); {entry}(); }}");
        append(sources, symbols, &mut units[0], (&text, model))?;
        return Ok(Entered { function: EACH.to_owned(), assumptions });
    }
    let has_main = function(&plain, symbols, entry).is_some();
    let wanted: Vec<String> = if contracts.each || (!has_main && entry == "main") {
        let mut all: Vec<String> = applied.entries.iter().cloned().collect();
        if has_main && !applied.entries.contains(entry) {
            all.push(entry.to_owned());
        }
        all
    } else {
        vec![entry.to_owned()]
    };
    if let [only] = &wanted[..]
        && only == "main"
    {
        return Ok(begins(name_of_entry(&applied, only)));
    }
    if wanted.is_empty() {
        return Ok(begins(entry.to_owned()));
    }
    let Callers { text: callers, mut assumptions } = callers(&plain, symbols, &applied, &wanted)?;
    let globals = any_globals(&plain, symbols, units)?;
    assumptions.extend(globals.assumptions);
    let text = globals.text + &callers;
    append(sources, symbols, &mut units[0], (&text, model))?;
    Ok(Entered { function: EACH.to_owned(), assumptions })
}

/// Lets a function call the entry of another function instead of the function.
fn enter(units: &mut [Ast], symbols: &mut Symbols, caller: &str, called: &str) {
    let (caller, called, entry) =
        (symbols.get(caller), symbols.get(called), symbols.intern(&format!("{}{called}", contracts::ENTRY)));
    for unit in units {
        let bodies: Vec<crate::ast::StmtId> = unit
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Function(function) if function.declarator.name == caller => Some(function.body),
                _ => None,
            })
            .collect();
        for body in bodies {
            let StmtKind::Block(statements) = &unit.stmts[body].kind else { continue };
            let calls: Vec<_> = statements
                .iter()
                .filter_map(|&stmt| match unit.stmts[stmt].kind {
                    StmtKind::Expr(expr) => match unit.exprs[expr].kind {
                        ExprKind::Call(function, _) => Some(function),
                        _ => None,
                    },
                    _ => None,
                })
                .collect();
            for function in calls {
                if matches!(unit.exprs[function].kind, ExprKind::Name(name) if Some(name) == called) {
                    unit.exprs[function].kind = ExprKind::Name(entry);
                }
            }
        }
    }
}

fn name_of_entry(applied: &Applied, function: &str) -> String {
    match applied.entries.contains(function) {
        true => format!("{}{function}", contracts::ENTRY),
        false => function.to_owned(),
    }
}

fn function(tree: &Tree, symbols: &Symbols, name: &str) -> Option<crate::tree::FuncId> {
    let mut all = tree.functions.iter();
    all.find(|(_, data)| symbols.text(data.name) == name && data.body.is_some()).map(|(id, _)| id)
}

/// A function that gives the variables at file scope arbitrary values: a function that is entered from anywhere finds them so.
fn any_globals(tree: &Tree, symbols: &Symbols, units: &[Ast]) -> Result<Callers, Vec<Problem>> {
    let mut constant: BTreeSet<Symbol> = BTreeSet::new();
    for unit in units {
        for item in &unit.items {
            let Item::Declaration(declaration) = item else { continue };
            if unit.specifiers[declaration.specifiers].constant {
                let plain = declaration.declarators.iter().filter(|item| item.declarator.parts.is_empty());
                constant.extend(plain.filter_map(|item| item.declarator.name));
            }
        }
    }
    let mut used: BTreeSet<crate::tree::VarId> = BTreeSet::new();
    for node in tree.exprs.values() {
        if let TreeKind::Variable(var) = node.kind {
            used.insert(var);
        }
    }
    let (mut helpers, mut assumptions) = (String::new(), Vec::new());
    let mut text = format!("\nvoid {ANY_GLOBALS}(void) {{\n");
    for &var in &tree.statics {
        let data = &tree.variables[var];
        if data.function.is_some() || constant.contains(&data.name) || data.constant || !used.contains(&var) {
            continue;
        }
        let name = symbols.text(data.name);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {}havoc({name});", contracts::INTRINSIC);
        if entries::has_pointer(&tree.types, data.ty) {
            let filled = entries::any_value(tree, symbols, (name, data.ty)).map_err(|why| {
                let what =
                    format!("any value of `{name}`, for a function that is entered from anywhere: {why}");
                vec![Problem::unsupported(data.span, what)]
            })?;
            helpers.push_str(&filled.text);
            let _ = writeln!(text, "  {}();", filled.name);
            assumptions
                .extend(filled.assumptions.into_iter().map(|one| (data.span, format!("assumed: {one}"))));
        }
    }
    text.push_str("}\n");
    Ok(Callers { text: helpers + &text, assumptions })
}

/// Callers as text, with what they assume.
struct Callers {
    text: String,
    assumptions: Vec<(Span, String)>,
}

/// Callers of some functions, and a function that calls one of them.
fn callers(
    tree: &Tree,
    symbols: &Symbols,
    applied: &Applied,
    wanted: &[String],
) -> Result<Callers, Vec<Problem>> {
    let mut assumptions = Vec::new();
    let mut text = String::new();
    let mut calls = String::new();
    for (number, name) in wanted.iter().enumerate() {
        let Some(id) = function(tree, symbols, name) else {
            let nowhere = Span::new(base::FileId::from_u32(0), 0, 0);
            return Err(vec![Problem::unsupported(nowhere, format!("a program without `{name}`"))]);
        };
        let is_main = name == "main";
        if is_main && !tree.functions[id].parameters.is_empty() {
            let span = tree.functions[id].span;
            return Err(vec![Problem::unsupported(span, "the arguments of `main` besides contracts")]);
        }
        let called = name_of_entry(applied, name);
        let caller =
            entries::caller(tree, symbols, id, (Some(&called), entries::Contents::Any)).map_err(|why| {
                let span = tree.functions[id].span;
                vec![Problem::unsupported(span, format!("arguments for `{name}`: {why}"))]
            })?;
        text.push_str(&caller.text);
        let span = tree.functions[id].span;
        let told = caller.assumptions.iter();
        assumptions
            .extend(told.map(|one| (span, format!("assumed besides the contract of `{name}`: {one}"))));
        let before = if is_main { String::new() } else { format!("{ANY_GLOBALS}(); ") };
        // Writing to a string cannot fail.
        let _ = if number + 1 == wanted.len() {
            writeln!(calls, "  {before}{}();", caller.name)
        } else {
            let choice = format!("{}choice()", contracts::INTRINSIC);
            writeln!(calls, "  if ({choice}) {{ {before}{}(); return; }}", caller.name)
        };
    }
    let _ = write!(text, "void {EACH}(void) {{\n{calls}}}\n");
    Ok(Callers { text, assumptions })
}

/// Adds functions to a file.
fn append(
    sources: &mut SourceMap,
    symbols: &mut Symbols,
    unit: &mut Ast,
    (text, model): (&str, DataModel),
) -> Result<(), Vec<Problem>> {
    let refused = |diagnostic: base::Diagnostic| vec![Problem::from(diagnostic)];
    let tokens =
        plain_tokens(sources, symbols, crate::Prelude { name: "<callers>", text }, model).map_err(refused)?;
    let typedefs = unit.typedefs();
    parse::items(&tokens, symbols, &typedefs, unit).map_err(refused)
}
