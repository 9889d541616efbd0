//! Watching calls and labels of a program, for observer automata.
//!
//! Whoever watches asks first what the program declares ([`known`]), then gives text that is added behind the last line of the first
//! file ([`Watch`]). The text has a stand-in for each watched function: all calls and addresses of the function in the program
//! mean the stand-in, and only the stand-in calls the function itself. So calls through pointers are seen, and so are functions without
//! a body, whose calls leave no trace in the intermediate language. What the models of the library do among themselves is not
//! seen: that is no call of the program.
//!
//! At each watched label, a function of the text is called before the statement of the label.
//!
//! Cost: linear in the program.

use crate::ast::{Ast, Expr, ExprKind, Stmt, StmtId, StmtKind};
use crate::entries::type_name;
use crate::problem::Problem;
use crate::symbols::Symbols;
use crate::tree::{Callee, ExprKind as TreeKind, FuncId, Lifetime, Tree};
use crate::types::Type;
use crate::{Includes, Job, Prelude, models, parse, plain_tokens, typed_tree};
use base::{FileId, SourceMap};
use std::collections::BTreeSet;
use std::ops::Range;

/// The name of the text that is added.
pub const ADDED: &str = "<observer>";

/// What is added to a program.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Functions and variables, as C.
    pub text: String,
    /// The parts of the text that are expressions without side effects, which is checked.
    pub conditions: Vec<Range<u32>>,
    /// Watched functions with their stand-ins.
    pub functions: Vec<StandIn>,
    /// Watched labels, with the function of the text that is called there.
    pub labels: Vec<AtLabel>,
}

/// A function and what is called instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StandIn {
    /// The function.
    pub function: String,
    /// What is called instead.
    pub stand_in: String,
}

/// A label and what is called there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AtLabel {
    /// The label.
    pub label: String,
    /// A function without parameters.
    pub called: String,
}

/// What a program declares.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Its functions, defined or not.
    pub functions: Vec<Signature>,
    /// Its variables at file scope.
    pub variables: Vec<Global>,
    /// Its labels.
    pub labels: BTreeSet<String>,
}

/// How a function is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Its name.
    pub name: String,
    /// The types of its parameters as they stand before a name; none if a type cannot be written so.
    pub parameters: Vec<Option<String>>,
    /// The type of its result, in the same way; `void` if it has none.
    pub result: Option<String>,
    /// Whether more arguments may follow, or nothing is known about the parameters.
    pub open: bool,
    /// Whether the program defines it, or a model of the library does.
    pub defined: bool,
    /// Whether a model of the library defines it.
    pub model: bool,
}

/// A variable at file scope.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// Whether its address is used, so that it may change in other ways than by its name.
    pub address_taken: bool,
}

/// What a program declares.
pub fn known(
    sources: &mut SourceMap,
    job: Job<'_>,
    model: crate::DataModel,
    includes: &dyn Includes,
) -> Result<Known, Vec<Problem>> {
    let (tree, symbols, _) = typed_tree(sources, job, model, includes)?;
    let name = |ty| type_name(&tree, &symbols, ty);
    let mut known = Known::default();
    for function in tree.functions.values() {
        let Some(ty) = tree.types.function(function.ty) else { continue };
        // The definition in the old style says more than its type.
        let of_definition = function.parameters.iter().map(|&parameter| tree.variables[parameter].ty);
        let (parameters, open): (Vec<_>, bool) = match function.body {
            Some(_) => (of_definition.collect(), ty.variadic),
            None => (ty.parameters.clone(), ty.variadic || ty.unspecified),
        };
        known.functions.push(Signature {
            name: symbols.text(function.name).to_owned(),
            parameters: parameters.into_iter().map(name).collect(),
            result: match tree.types[ty.result] {
                Type::Void => Some("void".to_owned()),
                _ => name(ty.result),
            },
            open,
            defined: function.body.is_some(),
            model: sources.file(function.span.file).name == models::FILE_NAME,
        });
    }
    let is_global = |variable: &&crate::tree::Variable| {
        variable.lifetime == Lifetime::Static && variable.function.is_none()
    };
    let globals = tree.variables.values().filter(is_global);
    known.variables = globals
        .map(|variable| Global {
            name: symbols.text(variable.name).to_owned(),
            address_taken: variable.address_taken,
        })
        .collect();
    known.labels = tree
        .stmts
        .values()
        .filter_map(|stmt| match stmt.kind {
            crate::tree::StmtKind::Label(label, _) => Some(symbols.text(label).to_owned()),
            _ => None,
        })
        .collect();
    Ok(known)
}

/// Adds the text to the first file, and calls at labels to all files; the file of the text.
pub(crate) fn extend(
    sources: &mut SourceMap,
    symbols: &mut Symbols,
    units: &mut [Ast],
    (watch, model): (&Watch, crate::DataModel),
) -> Result<FileId, Vec<Problem>> {
    let mut declared = String::new();
    for unit in units.iter_mut().filter(|unit| !unit.models) {
        for AtLabel { label, called } in &watch.labels {
            at_label(unit, symbols, label, called)?;
        }
    }
    for AtLabel { called, .. } in &watch.labels {
        declared.push_str(&format!("void {called}(void); "));
    }
    let refused = |diagnostic: base::Diagnostic| vec![Problem::from(diagnostic)];
    for unit in units.iter_mut().filter(|unit| !unit.models && !declared.is_empty()) {
        let tokens = plain_tokens(sources, symbols, Prelude { name: ADDED, text: &declared }, model)
            .map_err(refused)?;
        let before = unit.items.len();
        let typedefs = unit.typedefs();
        parse::items(&tokens, symbols, &typedefs, unit).map_err(refused)?;
        let added = unit.items.len() - before;
        unit.items.rotate_right(added);
    }
    let tokens =
        plain_tokens(sources, symbols, Prelude { name: ADDED, text: &watch.text }, model).map_err(refused)?;
    let Some(first) = units.first_mut() else { return Err(Vec::new()) };
    let file = tokens.first().map(|token| token.span.file);
    let typedefs = first.typedefs();
    let before = first.exprs.len();
    parse::items(&tokens, symbols, &typedefs, first).map_err(refused)?;
    for expr in first.exprs.values().skip(before) {
        if let Some(effect) = effect(&expr.kind)
            && watch.conditions.iter().any(|range| range.contains(&expr.span.start))
        {
            let message = format!("{effect} in a condition, which must not have side effects");
            return Err(vec![Problem::error(expr.span, message)]);
        }
    }
    file.ok_or_else(Vec::new)
}

/// What an expression does besides having a value.
fn effect(kind: &ExprKind) -> Option<&'static str> {
    Some(match kind {
        ExprKind::Assign(..) | ExprKind::Increment { .. } => "an assignment",
        ExprKind::Call(..) => "a call",
        ExprKind::StatementExpr(_) | ExprKind::CompoundLiteral(..) => "a statement or an object",
        ExprKind::VaArg(..) => "`va_arg`",
        _ => return None,
    })
}

/// Calls a function before the statement of a label.
fn at_label(unit: &mut Ast, symbols: &mut Symbols, label: &str, called: &str) -> Result<(), Vec<Problem>> {
    let Some(label) = symbols.get(label) else { return Ok(()) };
    let called = symbols.intern(called);
    let all: Vec<StmtId> = unit.stmts.keys().collect();
    for stmt in all {
        let StmtKind::Label(name, inner) = unit.stmts[stmt].kind else { continue };
        if name != label {
            continue;
        }
        let span = unit.stmts[stmt].span;
        if matches!(unit.stmts[inner].kind, StmtKind::Declaration(_)) {
            return Err(vec![Problem::unsupported(span, "an observed label before a declaration")]);
        }
        let function = unit.exprs.push(Expr { kind: ExprKind::Name(called), span });
        let call = unit.exprs.push(Expr { kind: ExprKind::Call(function, Vec::new()), span });
        let call = unit.stmts.push(Stmt { kind: StmtKind::Expr(call), span });
        let block = unit.stmts.push(Stmt { kind: StmtKind::Block(vec![call, inner]), span });
        unit.stmts[stmt].kind = StmtKind::Label(name, block);
    }
    Ok(())
}

/// Lets the program call the stand-ins; `added` is the file with their definitions.
pub(crate) fn redirect(
    tree: &mut Tree,
    sources: &SourceMap,
    symbols: &Symbols,
    watch: &Watch,
    added: FileId,
) {
    let function = |name: &str| {
        let mut all = tree.functions.iter();
        all.find(|(_, data)| symbols.text(data.name) == name).map(|(id, _)| id)
    };
    let pairs: Vec<(FuncId, FuncId)> = watch
        .functions
        .iter()
        .filter_map(|pair| Some((function(&pair.function)?, function(&pair.stand_in)?)))
        .collect();
    let instead = |id: FuncId| pairs.iter().find(|(from, _)| *from == id).map(|(_, to)| *to);
    let is_model = |file: FileId| sources.file(file).name == models::FILE_NAME;
    for expr in tree.exprs.values_mut() {
        let (TreeKind::Call(Callee::Direct(callee), _) | TreeKind::FunctionAddress(callee)) = &mut expr.kind
        else {
            continue;
        };
        if let Some(stand_in) = instead(*callee)
            && expr.span.file != added
            && !is_model(expr.span.file)
        {
            *callee = stand_in;
        }
    }
    // These are called by nobody in the program, but they are called.
    for function in tree.at_start.iter_mut().chain(&mut tree.at_end) {
        *function = pairs.iter().find(|(from, _)| from == function).map_or(*function, |(_, to)| *to);
    }
    // The old mentions stay: they say no more than that a function may be called.
    let more: Vec<(Option<FuncId>, FuncId)> =
        tree.mentions.iter().filter_map(|&(by, mentioned)| Some((by, instead(mentioned)?))).collect();
    tree.mentions.extend(more);
    for (from, to) in pairs {
        tree.functions[to].address_uses += tree.functions[from].address_uses;
    }
}
