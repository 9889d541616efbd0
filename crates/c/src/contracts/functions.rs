//! A function with a contract becomes several: its body under another name, and under its own name what callers get.
//!
//! - *Checked*: the preconditions are asserted, the body runs, the postconditions are asserted.
//! - *Enforced*: as checked, but the preconditions are assumed. A call from inside goes by the contract.
//! - *Used*: the preconditions are asserted, what `assigns` lists gets arbitrary values, the postconditions are assumed.
//!
//! While the body runs, a *frame* is open: every write in it and below has to be allowed by `assigns`
//! (`translate::frames`). Without `assigns`, CBMC's contracts allow nothing and all others everything.

use super::build::Builder;
use super::reading::{AtEntry, History, Reading, Use, mentions, walk};
use super::targets::{self, Assigned};
use super::{INTRINSIC, Treatment};
use crate::ast::{
    BaseWord, Clause, ClauseKind, Declarator, DeclaratorPart, ExprId, ExprKind, FunctionDefinition, Item,
    Notation, SpecifiersId, StmtId, StmtKind, Storage, Target, TypeSpecifier,
};
use crate::problem::Problem;
use crate::symbols::Symbol;
use base::Span;
use std::collections::BTreeMap;

type Made<T> = Result<T, Problem>;

/// A function with its contract.
#[derive(Clone)]
pub(super) struct Contracted {
    /// Its name.
    pub(super) name: Symbol,
    /// What stands before its declarator.
    pub(super) specifiers: SpecifiersId,
    /// Its declarator, with a name for every parameter.
    pub(super) declarator: Declarator,
    /// Its body, if there is one.
    pub(super) body: Option<StmtId>,
    /// Its clauses, each with how parameters are called in it.
    pub(super) clauses: Vec<(Clause, BTreeMap<Symbol, Symbol>)>,
    /// All variables at file scope that the program may change.
    pub(super) globals: Vec<Symbol>,
}

/// What a wrapper does with the contract.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Wrapping {
    /// What is done with preconditions.
    pub(super) requires: Use,
    /// Whether calls from inside are by contract.
    pub(super) by_contract_inside: bool,
}

impl Contracted {
    /// The name of the body.
    pub(super) fn body_name(&self, b: &mut Builder<'_>) -> Symbol {
        let text = format!("__unreach_body_{}", b.symbols.text(self.name));
        b.symbols.intern(&text)
    }

    fn text(&self, b: &Builder<'_>) -> String {
        b.symbols.text(self.name).to_owned()
    }

    pub(super) fn parameters(&self) -> Vec<Symbol> {
        match self.declarator.parts.first() {
            Some(DeclaratorPart::Function(part)) => {
                part.parameters.iter().filter_map(|parameter| parameter.declarator.name).collect()
            }
            _ => Vec::new(),
        }
    }

    fn returns_nothing(&self, b: &Builder<'_>) -> bool {
        let specifiers = &b.ast.specifiers[self.specifiers];
        self.declarator.parts.len() == 1
            && matches!(specifiers.ty, TypeSpecifier::Basic(words) if words.base == Some(BaseWord::Void))
    }

    fn returns_pointer(&self) -> bool {
        matches!(self.declarator.parts.get(1), Some(DeclaratorPart::Pointer { .. }))
    }

    /// Whether the contract is written in a notation.
    fn is_in(&self, notation: Notation) -> bool {
        self.clauses.iter().any(|(clause, _)| clause.notation == notation)
    }

    /// What fresh memory of a caller is apart from, to ESBMC: all other pointers that it passes, and the variables
    /// at file scope that the contract names.
    fn apart(&self, b: &mut Builder<'_>) -> Vec<ExprId> {
        if !self.is_in(Notation::Esbmc) {
            return Vec::new();
        }
        let mut apart: Vec<ExprId> = self.pointers().into_iter().map(|name| b.name(name)).collect();
        for &global in &self.globals {
            let named = self.clauses.iter().any(|(clause, _)| match &clause.kind {
                ClauseKind::Requires(condition) | ClauseKind::Ensures(condition) => {
                    mentions(b, *condition, global)
                }
                _ => false,
            });
            if named {
                let place = b.name(global);
                apart.push(b.address(place));
            }
        }
        apart
    }

    /// The parameters that are pointers by the look of them.
    fn pointers(&self) -> Vec<Symbol> {
        let Some(DeclaratorPart::Function(part)) = self.declarator.parts.first() else { return Vec::new() };
        let pointer = |declarator: &Declarator| {
            matches!(
                declarator.parts.first(),
                Some(DeclaratorPart::Pointer { .. } | DeclaratorPart::Array(_))
            )
        };
        let all = part.parameters.iter().map(|parameter| &parameter.declarator);
        all.filter(|declarator| pointer(declarator)).filter_map(|declarator| declarator.name).collect()
    }

    /// The clauses of a kind, ready to be read.
    fn each<'c, T: 'c>(
        &'c self,
        choose: impl Fn(&'c ClauseKind) -> Option<T> + 'c,
    ) -> impl Iterator<Item = (T, &'c Clause, &'c BTreeMap<Symbol, Symbol>)> + 'c {
        self.clauses
            .iter()
            .filter_map(move |(clause, renamed)| choose(&clause.kind).map(|found| (found, clause, renamed)))
    }

    /// The function that other code gets instead, with this name.
    pub(super) fn definition(&self, b: &mut Builder<'_>, name: Symbol, body: StmtId) -> Item {
        let mut declarator = self.declarator.clone();
        declarator.name = Some(name);
        declarator.contract = Vec::new();
        let specifiers = named_again(b, self.specifiers);
        Item::Function(FunctionDefinition { specifiers, declarator, old_style: Vec::new(), body })
    }

    /// The targets of all clauses of a kind; none if there is no such clause.
    fn targets(
        &self,
        b: &mut Builder<'_>,
        reading: &mut Reading,
        choose: fn(&ClauseKind) -> Option<&Vec<Target>>,
    ) -> Made<Option<Vec<Assigned>>> {
        let mut all = None;
        let pointers = self.pointers();
        for (targets, clause, renamed) in self.each(choose) {
            reading.renamed = renamed.clone();
            let mut found = targets::read(b, reading, targets)?;
            if clause.notation == Notation::Esbmc {
                // A parameter is the function's own: what ESBMC means by it is what it points to.
                for target in &mut found {
                    if let targets::What::Place(place) = target.what
                        && matches!(b.ast.exprs[place].kind, ExprKind::Name(name) if pointers.contains(&name))
                    {
                        target.what = targets::What::Object(place);
                    }
                }
            }
            all.get_or_insert_with(Vec::new).extend(found);
        }
        Ok(all)
    }

    /// A wrapper that runs the body.
    pub(super) fn wrapper(&self, b: &mut Builder<'_>, frame: u64, wrapping: Wrapping) -> Made<StmtId> {
        let text = self.text(b);
        let mut out = Vec::new();
        let parameters = self.parameters();
        let arguments: Vec<ExprId> = parameters.iter().map(|&name| b.name(name)).collect();
        let void = self.returns_nothing(b);
        let inside = b.symbols.intern(&format!("__unreach_inside_{text}"));
        if wrapping.by_contract_inside {
            let used = b.call(&format!("__unreach_used_{text}"), arguments.clone());
            let again = if void {
                let call = b.stmt(StmtKind::Expr(used));
                let back = b.stmt(StmtKind::Return(None));
                b.block(vec![call, back])
            } else {
                b.stmt(StmtKind::Return(Some(used)))
            };
            out.push(b.declare_flag(inside));
            let condition = b.name(inside);
            out.push(b.when(Some(condition), again));
        }
        let mut reading = Reading::default();
        let mut checks = Vec::new();
        for (condition, clause, renamed) in self.each(|kind| match kind {
            ClauseKind::Requires(condition) => Some(*condition),
            _ => None,
        }) {
            reading.renamed = renamed.clone();
            let condition = reading.read(b, condition, wrapping.requires)?;
            checks.push(statement(b, clause, wrapping.requires, condition, &format!("requires of {text}")));
        }
        for (condition, clause, renamed) in self.each(|kind| match kind {
            ClauseKind::Entry(condition) => Some(*condition),
            _ => None,
        }) {
            reading.renamed = renamed.clone();
            let condition = reading.read(b, condition, Use::Asserted)?;
            checks.push(statement(b, clause, Use::Asserted, condition, &format!("behaviors of {text}")));
        }
        prepare(b, &mut reading, &mut out);
        out.append(&mut checks);
        // What the postconditions remember is remembered before the body runs.
        let result = b.invent("result");
        reading.result = Some(result).filter(|_| !void);
        reading.history = History::Function;
        // To CBMC memory is fresh that no precondition speaks of; to others, memory that the function has made.
        reading.since = Some(frame).filter(|_| !self.is_in(Notation::Cprover));
        let mut after = Vec::new();
        for (condition, clause, renamed) in self.each(|kind| match kind {
            ClauseKind::Ensures(condition) => Some(*condition),
            _ => None,
        }) {
            reading.renamed = renamed.clone();
            let condition = reading.read(b, condition, Use::Asserted)?;
            after.push(statement(b, clause, Use::Asserted, condition, &format!("ensures of {text}")));
        }
        let early = self.declare_early(b, &reading, &mut out);
        prepare(b, &mut reading, &mut out);
        let assigned = self.targets(b, &mut reading, |kind| match kind {
            ClauseKind::Assigns(targets) => Some(targets),
            _ => None,
        })?;
        let freed = self.targets(b, &mut reading, |kind| match kind {
            ClauseKind::Frees(targets) => Some(targets),
            _ => None,
        })?;
        let closed =
            assigned.is_some() || self.clauses.iter().any(|(clause, _)| clause.notation == Notation::Cprover);
        let how = match (closed, wrapping.by_contract_inside) {
            (true, true) => "begin_once",
            (true, false) => "begin",
            (false, _) => "begin_open",
        };
        let (assigned, freed) = (assigned.unwrap_or_default(), freed.unwrap_or_default());
        if wrapping.by_contract_inside {
            let one = b.int(1);
            out.push(b.assign_stmt(inside, one));
        }
        targets::begin_frame(b, (frame, how), &assigned, &freed, &mut out);
        let body = self.body_name(b);
        let body = b.name(body);
        let call = b.expr(ExprKind::Call(body, arguments));
        // A variable that was there before the frame must not be written in it.
        let returned = if early { b.invent("returned") } else { result };
        out.push(if void { b.stmt(StmtKind::Expr(call)) } else { b.declare_value(returned, call) });
        out.push(targets::end_frame(b, frame));
        if early {
            let value = b.name(returned);
            out.push(b.assign_stmt(result, value));
        }
        if wrapping.by_contract_inside {
            let zero = b.int(0);
            out.push(b.assign_stmt(inside, zero));
        }
        out.append(&mut after);
        if !void {
            let value = b.name(result);
            out.push(b.stmt(StmtKind::Return(Some(value))));
        }
        Ok(b.block(out))
    }

    /// What stands for the function where its contract cannot: the answer is unknown. The call of the body tells what pointers
    /// point to.
    pub(super) fn unknown(&self, b: &mut Builder<'_>, why: &str) -> StmtId {
        let why: String = why.chars().filter(|c| !matches!(c, '"' | '\\')).collect();
        let text = b.text(&why);
        let unknown = b.call_stmt(&format!("{INTRINSIC}unknown"), vec![text]);
        let call = self.body_call(b);
        let void = self.returns_nothing(b);
        let kind = if void { StmtKind::Expr(call) } else { StmtKind::Return(Some(call)) };
        let call = b.stmt(kind);
        b.block(vec![unknown, call])
    }

    /// A function that comes to an error if the preconditions can be satisfied; for one without a body, if they and the
    /// postconditions can.
    pub(super) fn probe(&self, b: &mut Builder<'_>) -> Made<StmtId> {
        let text = self.text(b);
        let (what, zero) = (b.text(&format!("the contract of {text} can be satisfied")), b.int(0));
        let reached = b.call_stmt(&format!("{INTRINSIC}assert"), vec![what, zero]);
        if self.body.is_none() {
            let stub = self.stub(b, Use::Assumed)?;
            // The last statement of one that returns something is the return.
            let returns = usize::from(!self.returns_nothing(b));
            if let StmtKind::Block(statements) = &mut b.ast.stmts[stub].kind {
                statements.insert(statements.len().saturating_sub(returns), reached);
            }
            return Ok(stub);
        }
        let mut reading = Reading::default();
        let (mut out, mut checks) = (Vec::new(), Vec::new());
        for (condition, clause, renamed) in self.each(|kind| match kind {
            ClauseKind::Requires(condition) => Some(*condition),
            _ => None,
        }) {
            reading.renamed = renamed.clone();
            let condition = reading.read(b, condition, Use::Assumed)?;
            checks.push(statement(b, clause, Use::Assumed, condition, ""));
        }
        prepare(b, &mut reading, &mut out);
        out.append(&mut checks);
        out.push(reached);
        out.push(b.call_stmt(&format!("{INTRINSIC}stop"), Vec::new()));
        Ok(b.block(out))
    }

    /// What stands for the function by its contract alone.
    pub(super) fn stub(&self, b: &mut Builder<'_>, requires: Use) -> Made<StmtId> {
        let text = self.text(b);
        let mut out = Vec::new();
        let void = self.returns_nothing(b);
        let mut reading = Reading { apart: self.apart(b), ..Reading::default() };
        let mut checks = Vec::new();
        for (condition, clause, renamed) in self.each(|kind| match kind {
            ClauseKind::Requires(condition) => Some(*condition),
            _ => None,
        }) {
            reading.renamed = renamed.clone();
            let condition = reading.read(b, condition, requires)?;
            checks.push(statement(b, clause, requires, condition, &format!("requires of {text}")));
        }
        prepare(b, &mut reading, &mut out);
        out.append(&mut checks);
        let result = b.invent("result");
        reading.result = Some(result).filter(|_| !void);
        reading.history = History::Function;
        let mut after = Vec::new();
        let mut equal = Vec::new();
        for (condition, clause, renamed) in self.each(|kind| match kind {
            ClauseKind::Ensures(condition) => Some(*condition),
            _ => None,
        }) {
            reading.renamed = renamed.clone();
            let condition = reading.read(b, condition, Use::Assumed)?;
            equalities(b, condition, &mut equal);
            after.push(statement(b, clause, Use::Assumed, condition, ""));
        }
        // The result is not there yet.
        let mut may_obey = std::mem::take(&mut reading.may_obey);
        let early = self.declare_early(b, &reading, &mut out);
        prepare(b, &mut reading, &mut out);
        let assigned = self.targets(b, &mut reading, |kind| match kind {
            ClauseKind::Assigns(targets) => Some(targets),
            _ => None,
        })?;
        let assigned = match assigned {
            Some(assigned) => assigned,
            None if self.clauses.iter().any(|(clause, _)| clause.notation == Notation::Cprover) => Vec::new(),
            None => self.everything(b)?,
        };
        let freed = self.targets(b, &mut reading, |kind| match kind {
            ClauseKind::Frees(targets) => Some(targets),
            _ => None,
        })?;
        let freed = targets::may_free(b, &freed.unwrap_or_default(), &mut out);
        targets::havoc(b, &assigned, &mut out);
        out.extend(freed);
        if !void && !early {
            let like = self.body_call(b);
            out.push(b.declare_like(result, like, None));
        }
        out.extend(self.flows(b, result, void)?);
        // A pointer that gets an arbitrary value is what the postconditions say that it is.
        for (place, value) in equal {
            let is_result = matches!(b.ast.exprs[place].kind, ExprKind::Name(name) if name == result);
            if is_result && self.returns_pointer() {
                let choice = b.call(&format!("{INTRINSIC}choice"), Vec::new());
                let assign = b.assign(place, value);
                let assign = b.stmt(StmtKind::Expr(assign));
                out.push(b.when(Some(choice), assign));
            }
        }
        out.append(&mut may_obey);
        out.append(&mut after);
        if !void {
            let value = b.name(result);
            out.push(b.stmt(StmtKind::Return(Some(value))));
        }
        Ok(b.block(out))
    }

    /// Declares the result before the call if what is fresh depends on it, so that its type is known; says whether it did.
    fn declare_early(&self, b: &mut Builder<'_>, reading: &Reading, out: &mut Vec<StmtId>) -> bool {
        let Some(result) = reading.result else { return false };
        let early = reading.fresh.iter().any(|fresh| mentions(b, fresh.value, result));
        if early {
            let like = self.body_call(b);
            out.push(b.declare_like(result, like, None));
        }
        early
    }

    /// What pointers may point to behind the call is what the body would make them point to: a call of it that is never
    /// made tells the analysis of pointers so. Without a body nothing tells what a returned pointer points to.
    fn flows(&self, b: &mut Builder<'_>, result: Symbol, void: bool) -> Made<Option<StmtId>> {
        if self.body.is_none() {
            let fresh = self.clauses.iter().any(|(clause, _)| match clause.kind {
                ClauseKind::Ensures(condition) => {
                    let mut found = false;
                    walk(b, condition, &mut |kind| {
                        if let ExprKind::Name(name) = kind {
                            let name = b.symbols.text(*name);
                            found |= name.ends_with("_is_fresh") || name == super::pointers::OBEYS;
                        }
                    });
                    found
                }
                _ => false,
            });
            if self.returns_pointer() && !fresh {
                let what = "a pointer that a function without a body returns, by its contract";
                return Err(Problem::unsupported(b.span, what));
            }
            return Ok(None);
        }
        if self.pointers().is_empty() && !self.returns_pointer() && self.globals.is_empty() {
            return Ok(None);
        }
        let call = self.body_call(b);
        let made = if void {
            call
        } else {
            let place = b.name(result);
            b.assign(place, call)
        };
        let made = b.stmt(StmtKind::Expr(made));
        let never = b.call(&format!("{INTRINSIC}never"), Vec::new());
        Ok(Some(b.when(Some(never), made)))
    }

    fn body_call(&self, b: &mut Builder<'_>) -> ExprId {
        let name = match self.body {
            Some(_) => self.body_name(b),
            None => self.name,
        };
        let function = b.name(name);
        let arguments = self.parameters().iter().map(|&name| b.name(name)).collect();
        b.expr(ExprKind::Call(function, arguments))
    }

    /// What a function may change whose contract does not say it: all variables at file scope. It could also change
    /// what it gets pointers to, and what it finds behind them.
    fn everything(&self, b: &mut Builder<'_>) -> Made<Vec<Assigned>> {
        let mut all = Vec::new();
        let Some(DeclaratorPart::Function(part)) = self.declarator.parts.first() else { return Ok(all) };
        for parameter in &part.parameters {
            let declarator = &parameter.declarator;
            let Some(name) = declarator.name.filter(|_| !declarator.parts.is_empty()) else { continue };
            if declarator.parts.len() > 1 {
                let what = "pointers to pointers for a contract that does not say what it assigns";
                return Err(Problem::unsupported(b.span, what));
            }
            let (condition, pointer) = (b.name(name), b.name(name));
            all.push(Assigned { condition: Some(condition), what: targets::What::Reached(pointer) });
        }
        for &name in &self.globals {
            let place = b.name(name);
            all.push(Assigned { condition: None, what: targets::What::Place(place) });
        }
        Ok(all)
    }
}

/// Declares what clauses need from the entry.
pub(super) fn declared_at_entry(b: &mut Builder<'_>, reading: &mut Reading, out: &mut Vec<StmtId>) {
    out.push(targets::quiet(b, true));
    for needed in std::mem::take(&mut reading.remembered) {
        out.push(match needed {
            AtEntry::Value(remembered) => b.declare_value(remembered.name, remembered.value),
            AtEntry::Any(declaration) => b.stmt(StmtKind::Declaration(declaration)),
        });
    }
    out.push(targets::quiet(b, false));
}

/// Declares what clauses need to be evaluated.
fn prepare(b: &mut Builder<'_>, reading: &mut Reading, out: &mut Vec<StmtId>) {
    declared_at_entry(b, reading, out);
    for index in 0..reading.fresh.len() {
        let (name, like) = (reading.fresh[index].name, reading.fresh[index].value);
        let declared = |stmt: &StmtId| match &b.ast.stmts[*stmt].kind {
            StmtKind::Declaration(declaration) => {
                declaration.declarators.first().is_some_and(|item| item.declarator.name == Some(name))
            }
            _ => false,
        };
        if !out.iter().any(declared) {
            let zero = b.int(0);
            out.push(b.declare_like(name, like, Some(zero)));
        }
    }
    out.append(&mut reading.may_obey);
}

/// A clause as a statement.
pub(super) fn statement(
    b: &mut Builder<'_>,
    clause: &Clause,
    used: Use,
    condition: ExprId,
    what: &str,
) -> StmtId {
    let outer = std::mem::replace(&mut b.span, clause.span);
    let stmt = match (clause.notation, used) {
        (Notation::Acsl, Use::Asserted) => b.stmt(StmtKind::Assert(condition)),
        (Notation::Acsl, Use::Assumed) => b.stmt(StmtKind::Assume(condition)),
        (_, Use::Asserted) => {
            let what = b.text(what);
            b.call_stmt(&format!("{INTRINSIC}assert"), vec![what, condition])
        }
        (_, Use::Assumed) => b.call_stmt(&format!("{INTRINSIC}assume"), vec![condition]),
    };
    b.span = outer;
    stmt
}

/// The pairs that a formula says to be equal, wherever in it.
fn equalities(b: &Builder<'_>, formula: ExprId, out: &mut Vec<(ExprId, ExprId)>) {
    walk(b, formula, &mut |kind| {
        if let &ExprKind::Binary(crate::ast::BinaryOp::Eq, left, right) = kind {
            out.extend([(left, right), (right, left)]);
        }
    });
}

/// Specifiers for a second declaration: without storage, and a type that is given there is only named.
fn named_again(b: &mut Builder<'_>, specifiers: SpecifiersId) -> SpecifiersId {
    let mut again = b.ast.specifiers[specifiers].clone();
    if again.storage == Storage::Extern {
        again.storage = Storage::None;
    }
    match &mut again.ty {
        TypeSpecifier::Record(record) if record.tag.is_some() => record.members = None,
        TypeSpecifier::Enum(enumeration) if enumeration.tag.is_some() => enumeration.constants = None,
        _ => {}
    }
    b.ast.specifiers.push(again)
}

/// Gives every parameter of a function a name; false if it has none that could be written.
pub(super) fn name_parameters(b: &mut Builder<'_>, declarator: &mut Declarator) -> bool {
    let Some(DeclaratorPart::Function(part)) = declarator.parts.first_mut() else { return false };
    if part.variadic || !part.names.is_empty() {
        return false;
    }
    for parameter in &mut part.parameters {
        if parameter.declarator.name.is_none() {
            parameter.declarator.name = Some(b.invent("parameter"));
        }
    }
    true
}

/// What a treatment makes of a call.
pub(super) fn is_wrapped(treatment: Treatment) -> Option<Wrapping> {
    match treatment {
        Treatment::Check => Some(Wrapping { requires: Use::Asserted, by_contract_inside: false }),
        Treatment::Enforce => Some(Wrapping { requires: Use::Assumed, by_contract_inside: true }),
        Treatment::Use | Treatment::Ignore => None,
    }
}

/// The place of a contract.
pub(super) fn place(contracted: &Contracted) -> Span {
    contracted.clauses.first().map_or(contracted.declarator.span, |(clause, _)| clause.span)
}
