//! What annotations of ACSL define and say that C cannot: predicates and logic functions, values at other states, and sets
//! of memory places.
//!
//! A definition stands for its body wherever it is used: the parameters are the arguments, and names of the body mean
//! what they mean at file scope. So it must not speak of itself; where a definition names a variable at file scope,
//! no function may have a variable of this name, for the body would mean the other one there.
//!
//! The cost of an expansion is the size of the formula when it is written out, which is exponential in the number of
//! definitions that use each other twice: [`MOST_EXPANDED`] bounds it.

use super::build::Builder;
use super::functions::declared_at_entry;
use super::inference;
use super::loops::substatements;
use super::reading::{History, Polarity, Reading, Use, children, mentions, walk};
use super::{AT, INTRINSIC, OLD, RANGE};
use crate::ast::{
    BinaryOp, Clause, ClauseKind, ExprId, ExprKind, Item, LogicDefinition, LogicalOp, Notation, StmtKind,
    UnaryOp,
};
use crate::problem::Problem;
use crate::symbols::Symbol;
use std::collections::BTreeSet;

type Read<T> = Result<T, Problem>;

/// Definitions may be expanded in each other so deep.
const DEEPEST: usize = 64;

/// A program with more expressions than this is not expanded further.
const MOST_EXPANDED: usize = 4_000_000;

/// Whether an annotation defines a name.
pub(super) fn is_defined(b: &Builder<'_>, name: Symbol) -> bool {
    b.ast.logic.iter().any(|definition| definition.name == name)
}

/// A set of places: `low ..= high` elements of what a pointer points to, or the one that it points to.
struct Places {
    pointer: ExprId,
    range: Option<(ExprId, ExprId)>,
}

impl Reading {
    /// A name that a definition gives a meaning; nothing if none does.
    pub(super) fn logic_name(
        &mut self,
        b: &mut Builder<'_>,
        name: Symbol,
        how: (Use, Polarity),
    ) -> Read<Option<ExprId>> {
        if let Some(&given) = self.given.get(&name) {
            return Ok(Some(given));
        }
        self.logic_call(b, name, &[], how)
    }

    /// A use of a definition; nothing if it is none.
    pub(super) fn logic_call(
        &mut self,
        b: &mut Builder<'_>,
        name: Symbol,
        arguments: &[ExprId],
        how: (Use, Polarity),
    ) -> Read<Option<ExprId>> {
        let Some(definition) = b.ast.logic.iter().find(|one| one.name == name).cloned() else {
            return Ok(None);
        };
        let LogicDefinition { parameters, body, .. } = definition;
        let text = b.symbols.text(name).to_owned();
        if parameters.len() != arguments.len() {
            let what = format!("`{text}` takes {} arguments, not {}", parameters.len(), arguments.len());
            return Err(Problem::error(b.span, what));
        }
        if self.expanding.contains(&name) {
            return Err(Problem::unsupported(b.span, format!("`{text}`, which is defined by recursion")));
        }
        if self.expanding.len() >= DEEPEST || b.ast.exprs.len() > MOST_EXPANDED {
            return Err(Problem::unsupported(b.span, format!("the size of `{text}` when it is written out")));
        }
        let mut given = std::collections::BTreeMap::new();
        for (parameter, &argument) in parameters.into_iter().zip(arguments) {
            given.insert(parameter, self.copy(b, argument, (how.0, Polarity::Both))?);
        }
        let renamed = std::mem::take(&mut self.renamed);
        let given = std::mem::replace(&mut self.given, given);
        let result = self.result.take();
        self.expanding.push(name);
        let made = self.copy(b, body, how);
        self.expanding.pop();
        (self.renamed, self.given, self.result) = (renamed, given, result);
        made.map(Some)
    }

    /// `\at(e, L)`
    pub(super) fn at(
        &mut self,
        b: &mut Builder<'_>,
        value: ExprId,
        label: ExprId,
        how: (Use, Polarity),
    ) -> Read<ExprId> {
        let ExprKind::Name(label) = b.ast.exprs[label].kind else {
            return Err(Problem::error(b.span, "`\\at` needs the name of a state"));
        };
        let label = b.symbols.text(label).to_owned();
        match (label.as_str(), self.history) {
            ("Here", _) | ("Post", History::Function) | ("Pre", History::None) => self.copy(b, value, how),
            ("Pre" | "Old", History::Function) | ("LoopEntry", History::Loop) => self.old(b, value),
            ("Pre" | "Old", _) => {
                let what = "a value at the entry of the function that depends on a quantified variable, here";
                Err(Problem::unsupported(b.span, what))
            }
            _ => Err(Problem::unsupported(b.span, format!("the state `{label}` of `\\at` here"))),
        }
    }

    /// `\valid` of a set of places.
    pub(super) fn valid(&mut self, b: &mut Builder<'_>, set: ExprId, how: (Use, Polarity)) -> Read<ExprId> {
        let places = self.places(b, set, how)?;
        let (start, size) = extent(b, &places);
        let valid = b.call(&format!("{INTRINSIC}valid"), vec![start, size]);
        Ok(match is_empty(b, &places) {
            Some(empty) => b.logical(LogicalOp::Or, empty, valid),
            None => valid,
        })
    }

    /// `\separated` of sets of places: no two have a byte in common.
    pub(super) fn separated(
        &mut self,
        b: &mut Builder<'_>,
        sets: &[ExprId],
        how: (Use, Polarity),
    ) -> Read<ExprId> {
        let mut all = Vec::new();
        for &set in sets {
            all.push(self.places(b, set, how)?);
        }
        let mut whole = b.int(1);
        for (index, one) in all.iter().enumerate() {
            for other in &all[index + 1..] {
                let apart = apart(b, one, other);
                whole = b.logical(LogicalOp::And, whole, apart);
            }
        }
        Ok(whole)
    }

    /// A set that is given by pointers.
    fn places(&mut self, b: &mut Builder<'_>, set: ExprId, how: (Use, Polarity)) -> Read<Places> {
        let (pointer, range) = match b.ast.exprs[set].kind {
            ExprKind::Binary(BinaryOp::Add, pointer, range) => (pointer, as_range(b, range)),
            ExprKind::Unary(UnaryOp::AddressOf, place) => match b.ast.exprs[place].kind {
                ExprKind::Index(pointer, range) => (pointer, as_range(b, range)),
                _ => (set, None),
            },
            _ => (set, None),
        };
        let Some((low, high)) = range else {
            return Ok(Places { pointer: self.copy(b, set, how)?, range: None });
        };
        let pointer = self.copy(b, pointer, how)?;
        let range = Some((self.integer(b, low, how)?, self.integer(b, high, how)?));
        Ok(Places { pointer, range })
    }

    /// An expression in the arithmetic of ACSL, wherever it stands.
    pub(super) fn integer(
        &mut self,
        b: &mut Builder<'_>,
        expr: ExprId,
        how: (Use, Polarity),
    ) -> Read<ExprId> {
        let value = self.copy(b, expr, how)?;
        Ok(b.call(&format!("{INTRINSIC}integer"), vec![value]))
    }

    /// The elements that `p[a .. b]` and `*(p + (a .. b))` mean: where they begin, how many bytes they have, and when there are
    /// any; nothing if it is no such expression.
    pub(super) fn elements(&mut self, b: &mut Builder<'_>, place: ExprId) -> Read<Option<Elements>> {
        let (pointer, range) = match b.ast.exprs[place].kind {
            ExprKind::Index(pointer, range) => (pointer, range),
            ExprKind::Unary(UnaryOp::Deref, inner) => match b.ast.exprs[inner].kind {
                ExprKind::Binary(BinaryOp::Add, pointer, range) => (pointer, range),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let Some((low, high)) = as_range(b, range) else { return Ok(None) };
        let how = (Use::Asserted, Polarity::Both);
        let pointer = self.copy(b, pointer, how)?;
        let range = Some((self.integer(b, low, how)?, self.integer(b, high, how)?));
        let places = Places { pointer, range };
        let (start, size) = extent(b, &places);
        Ok(is_empty(b, &places).map(|empty| Elements { start, size, any: b.not(empty) }))
    }
}

/// Elements of an array.
pub(super) struct Elements {
    /// A pointer to the first.
    pub(super) start: ExprId,
    /// How many bytes they have.
    pub(super) size: ExprId,
    /// Whether there are any.
    pub(super) any: ExprId,
}

/// The bounds of a range.
fn as_range(b: &Builder<'_>, expr: ExprId) -> Option<(ExprId, ExprId)> {
    match b.called(expr)? {
        (RANGE, arguments) => Some((arguments[0], arguments[1])),
        _ => None,
    }
}

/// Where a set begins, and how many bytes it has.
fn extent(b: &mut Builder<'_>, places: &Places) -> (ExprId, ExprId) {
    let pointed = b.deref(places.pointer);
    let size = b.expr(ExprKind::SizeofExpr(pointed));
    let Some((low, high)) = places.range else { return (places.pointer, size) };
    let start = b.binary(BinaryOp::Add, places.pointer, low);
    let more = b.binary(BinaryOp::Sub, high, low);
    let one = b.int(1);
    let count = b.binary(BinaryOp::Add, more, one);
    (start, b.binary(BinaryOp::Mul, count, size))
}

fn is_empty(b: &mut Builder<'_>, places: &Places) -> Option<ExprId> {
    let (low, high) = places.range?;
    Some(b.binary(BinaryOp::Gt, low, high))
}

/// That two sets have no byte in common.
fn apart(b: &mut Builder<'_>, one: &Places, other: &Places) -> ExprId {
    let ((start, size), (other_start, other_size)) = (extent(b, one), extent(b, other));
    let same = b.call(&format!("{INTRINSIC}same"), vec![start, other_start]);
    let mut holds = b.not(same);
    let offset = |b: &mut Builder<'_>, pointer| b.call(&format!("{INTRINSIC}exact_offset"), vec![pointer]);
    for (first, size, second) in [(start, size, other_start), (other_start, other_size, start)] {
        let (first, second) = (offset(b, first), offset(b, second));
        let end = b.binary(BinaryOp::Add, first, size);
        let before = b.binary(BinaryOp::Le, end, second);
        holds = b.logical(LogicalOp::Or, holds, before);
    }
    for places in [one, other] {
        if let Some(empty) = is_empty(b, places) {
            holds = b.logical(LogicalOp::Or, holds, empty);
        }
    }
    holds
}

/// Refuses definitions that mean something else than they say where they are expanded.
pub(super) fn check_definitions(b: &mut Builder<'_>) -> Read<()> {
    if b.ast.logic.is_empty() {
        return Ok(());
    }
    let mut hidden = BTreeSet::new();
    for item in &b.ast.items {
        if let Item::Function(function) = item {
            hidden.extend(inference::declared_in(b.ast, function));
        }
    }
    for definition in b.ast.logic.clone() {
        b.span = definition.span;
        let text = b.symbols.text(definition.name).to_owned();
        if calls_itself(b, definition.name) {
            return Err(Problem::unsupported(b.span, format!("`{text}`, which is defined by recursion")));
        }
        for name in free_names(b, &definition) {
            if hidden.contains(&name) {
                let name = b.symbols.text(name);
                let what =
                    format!("`{text}`, which names `{name}`, because a function has a variable of this name");
                return Err(Problem::unsupported(b.span, what));
            }
        }
    }
    Ok(())
}

/// Whether a definition uses itself, perhaps by way of others.
fn calls_itself(b: &Builder<'_>, name: Symbol) -> bool {
    let (mut seen, mut work) = (BTreeSet::new(), vec![name]);
    while let Some(next) = work.pop() {
        let Some(definition) = b.ast.logic.iter().find(|one| one.name == next) else { continue };
        let mut used = Vec::new();
        walk(b, definition.body, &mut |kind| {
            used.extend(if let ExprKind::Name(name) = kind { Some(*name) } else { None })
        });
        for one in used.into_iter().filter(|&one| is_defined(b, one) && !definition.parameters.contains(&one))
        {
            if one == name {
                return true;
            }
            if seen.insert(one) {
                work.push(one);
            }
        }
    }
    false
}

/// The names in a definition that neither it nor a quantifier in it binds.
fn free_names(b: &Builder<'_>, definition: &LogicDefinition) -> BTreeSet<Symbol> {
    let mut free = BTreeSet::new();
    let mut work = vec![(definition.body, definition.parameters.clone())];
    while let Some((expr, bound)) = work.pop() {
        let kind = &b.ast.exprs[expr].kind;
        let mut inside = bound.clone();
        match kind {
            ExprKind::Name(name) if !bound.contains(name) => {
                free.insert(*name);
            }
            ExprKind::Quantified(_, declaration, _) => {
                inside.extend(declaration.declarators.iter().filter_map(|item| item.declarator.name));
            }
            _ => {}
        }
        work.extend(children(kind).into_iter().map(|child| (child, inside.clone())));
    }
    free
}

/// Gives the annotations inside of functions the values that they ask for from the entry of the function: variables that
/// are declared there hold them. Then assertions are read as what they mean.
pub(super) fn inside_functions(b: &mut Builder<'_>, contracts: bool) -> Read<()> {
    for index in 0..b.ast.items.len() {
        let Item::Function(function) = &b.ast.items[index] else { continue };
        let body = function.body;
        let mut asserted = Vec::new();
        let mut formulas = Vec::new();
        let mut work = vec![body];
        while let Some(stmt) = work.pop() {
            match &b.ast.stmts[stmt].kind {
                StmtKind::Assert(condition) => {
                    asserted.push(*condition);
                    formulas.push(*condition);
                }
                StmtKind::Contracted(clauses, _) if contracts => {
                    formulas.extend(clauses.iter().flat_map(formulas_of))
                }
                _ => {}
            }
            work.extend(substatements(&b.ast.stmts[stmt].kind));
        }
        if formulas.is_empty() {
            continue;
        }
        let mut reading = Reading { history: History::Function, ..Reading::default() };
        let locals = match &b.ast.items[index] {
            Item::Function(function) => inference::locals_of(b.ast, function),
            _ => BTreeSet::new(),
        };
        for formula in formulas {
            from_entry(b, &mut reading, formula, &locals)?;
        }
        if !reading.remembered.is_empty() {
            b.span = b.ast.stmts[body].span;
            let mut first = Vec::new();
            declared_at_entry(b, &mut reading, &mut first);
            if let StmtKind::Block(statements) = &mut b.ast.stmts[body].kind {
                statements.splice(0..0, first);
            }
        }
        for condition in asserted.into_iter().rev() {
            if is_special(b, condition) {
                let mut reading = Reading::default();
                b.span = b.ast.exprs[condition].span;
                let made = reading.read(b, condition, Use::Asserted)?;
                if !reading.remembered.is_empty() || !reading.fresh.is_empty() {
                    return Err(Problem::unsupported(b.span, "a value of before in such an assertion"));
                }
                b.ast.exprs[condition].kind = b.ast.exprs[made].kind.clone();
            }
        }
    }
    Ok(())
}

fn formulas_of(clause: &Clause) -> Vec<ExprId> {
    match (&clause.kind, clause.notation) {
        (_, Notation::Cprover | Notation::Esbmc) => Vec::new(),
        (ClauseKind::Invariant(formula), _) => vec![*formula],
        (ClauseKind::Decreases(measures), _) => measures.clone(),
        (ClauseKind::Assigns(targets) | ClauseKind::Frees(targets), _) => {
            targets.iter().flat_map(|target| target.condition.into_iter().chain([target.place])).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether an expression says something that C cannot.
fn is_special(b: &Builder<'_>, expr: ExprId) -> bool {
    let mut found = false;
    walk(b, expr, &mut |kind| {
        found |= match kind {
            ExprKind::Quantified(..) => true,
            ExprKind::Name(name) => {
                let text = b.symbols.text(*name);
                is_defined(b, *name)
                    || text.starts_with('\\') && !matches!(text, "\\true" | "\\false")
                    || matches!(text, "__ESBMC_forall" | "__ESBMC_exists")
            }
            _ => false,
        };
    });
    found
}

/// Puts variables for the values that a formula asks for from the entry of its function.
fn from_entry(
    b: &mut Builder<'_>,
    reading: &mut Reading,
    formula: ExprId,
    locals: &BTreeSet<Symbol>,
) -> Read<()> {
    let mut work = vec![(formula, Vec::new())];
    while let Some((expr, bound)) = work.pop() {
        let kind = b.ast.exprs[expr].kind.clone();
        let mut inside: Vec<Symbol> = bound.clone();
        if let ExprKind::Quantified(_, declaration, _) = &kind {
            inside.extend(declaration.declarators.iter().filter_map(|item| item.declarator.name));
        }
        let value = match b.called(expr) {
            Some((OLD, arguments)) => arguments.first().copied(),
            Some((AT, arguments)) => match arguments[..] {
                [value, label] => match b.ast.exprs[label].kind {
                    ExprKind::Name(label) if b.symbols.text(label) == "Pre" => Some(value),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        let Some(value) = value else {
            work.extend(children(&kind).into_iter().map(|child| (child, inside.clone())));
            continue;
        };
        if bound.iter().any(|&bound| mentions(b, value, bound)) {
            // Where the formula is read, it is told what is the matter.
            continue;
        }
        b.span = b.ast.exprs[expr].span;
        if let Some(local) = locals.iter().find(|&&local| mentions(b, value, local)) {
            let what = format!("the value of `{}` before it is declared", b.symbols.text(*local));
            return Err(Problem::unsupported(b.span, what));
        }
        let made = reading.old(b, value)?;
        b.ast.exprs[expr].kind = b.ast.exprs[made].kind.clone();
    }
    Ok(())
}
