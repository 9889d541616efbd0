//! Extending the syntax tree by what a monitor observes.

use super::find::{Branch, Finder, below_labels};
use super::fragments::Fragments;
use super::names::{ATOMIC, CHOICE, CLAIM, HOLDS, HOLE, NEXT_THREAD, STATE, STOP, THREAD};
use super::old_values::{Moment, OldValue, old_values};
use super::target::{race, target};
use super::threads::{Threads, may_create};
use super::{CYCLE, Claim, Event, Monitor, Race, Update, Waypoint, When};
use crate::ast::{Ast, ExprId, ExprKind, Item, Stmt, StmtId, StmtKind};
use crate::problem::Problem;
use crate::symbols::Symbols;
use base::{Diagnostic, EntityRef, FileId, SourceMap, Span};
use std::collections::BTreeMap;
use std::fmt::Write;

pub(super) type Applied<T> = Result<T, Problem>;

/// Extends a tree whose main file is `file`.
pub(crate) fn apply(
    ast: &mut Ast,
    sources: &mut SourceMap,
    symbols: &mut Symbols,
    file: FileId,
    monitor: &Monitor,
) -> Applied<()> {
    let nowhere = Span::new(file, 0, 0);
    let places = Places::find(ast, symbols, &Finder::new(ast, sources, file), monitor)?;
    let mut threads = Threads::new(symbols);
    places.note_threads(ast, symbols, &mut threads);
    threads.check(monitor, nowhere)?;
    let fragments = Fragments::new(ast, sources, symbols);
    let (before, after) = (BTreeMap::new(), BTreeMap::new());
    let around = Around { segments: monitor.segments.len(), cycle: monitor.cycle };
    let mut edits = Edits { fragments, before, after, around, threads, nowhere, fresh: 0 };
    for (claim, &found) in monitor.claims.iter().zip(&places.claims) {
        edits.claim(claim, found)?;
    }
    // What is claimed at a place holds before the statement, so before what happens in one step with it.
    for (update, &stmt) in monitor.updates.iter().zip(&places.updates) {
        edits.update(update, stmt)?;
    }
    for (at, steps) in &places.events {
        edits.observe(*at, steps)?;
    }
    match (&monitor.race, &places.targets[..]) {
        (Some(_), targets) => race(&mut edits, targets, monitor)?,
        (None, targets) => {
            let segments = monitor.segments.len();
            targets
                .iter()
                .try_for_each(|&(found, waypoint)| target(&mut edits, found, waypoint, segments))?;
        }
    }
    edits.insert()
}

/// Where an event is seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Seen {
    Before(StmtId),
    Behind(StmtId),
    Branch(Branch),
    Switch(StmtId),
    Enter(ExprId),
    Return(ExprId),
}

/// What is executed at the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Executed {
    Statement(StmtId),
    Expression(ExprId),
}

/// In which order segments are passed.
#[derive(Clone, Copy)]
struct Around {
    segments: usize,
    cycle: Option<usize>,
}

impl Around {
    /// What is assigned when a segment has been passed.
    fn passed(self, segment: usize) -> String {
        match self.cycle {
            Some(first) if segment + 1 == self.segments => format!("{STATE} = {first}; {CYCLE} = 1;"),
            _ => format!("{STATE} = {};", segment + 1),
        }
    }
}

/// What a waypoint does to executions that are in a segment.
struct Step<'m> {
    segment: usize,
    avoids: bool,
    waypoint: &'m Waypoint,
}

#[derive(Clone, Copy)]
enum Claimed {
    Statement(StmtId),
    Loop(StmtId),
    BlockEnd(StmtId),
    Function(usize),
}

/// All places of a monitor in the tree as it was written.
struct Places<'m> {
    claims: Vec<Claimed>,
    events: BTreeMap<Seen, Vec<Step<'m>>>,
    updates: Vec<StmtId>,
    targets: Vec<(Executed, &'m Waypoint)>,
}

impl<'m> Places<'m> {
    fn find(ast: &Ast, symbols: &Symbols, finder: &Finder<'_>, monitor: &'m Monitor) -> Applied<Places<'m>> {
        let (claims, updates) = (Vec::new(), Vec::new());
        let mut places = Places { claims, events: BTreeMap::new(), updates, targets: Vec::new() };
        let nothing = |entry: u32, what: &str, place: &super::Place| {
            let column = place.column.map(|column| format!(", column {column}")).unwrap_or_default();
            let what = format!("witness entry {entry}: no {what} at line {}{column}", place.line);
            Problem::unsupported(Span::new(finder.file, 0, 0), what)
        };
        for claim in &monitor.claims {
            let at = &claim.place;
            let (found, what) = match claim.when {
                When::LoopCondition => (finder.loop_at(ast, at).map(Claimed::Loop), "loop"),
                When::LoopOrStatement => {
                    let statement = || finder.statement(ast, at).map(Claimed::Statement);
                    (finder.loop_at(ast, at).map(Claimed::Loop).or_else(statement), "statement")
                }
                When::Statement => {
                    let end = finder.block_end(ast, at).filter(|_| at.column.is_some());
                    let statement = || finder.statement(ast, at).map(Claimed::Statement);
                    (end.map(Claimed::BlockEnd).or_else(statement), "statement")
                }
                When::FunctionEntry | When::FunctionExit => {
                    (finder.function(ast, at).map(Claimed::Function), "function")
                }
            };
            places.claims.push(found.ok_or_else(|| nothing(claim.entry, what, at))?);
        }
        for update in &monitor.updates {
            let found = finder.statement(ast, &update.place);
            places.updates.push(found.ok_or_else(|| nothing(update.entry, "statement", &update.place))?);
        }
        for (segment, data) in monitor.segments.iter().enumerate() {
            let other = match &monitor.race {
                Some(Race::Between(other)) if segment + 1 == monitor.segments.len() => Some((false, other)),
                _ => None,
            };
            let all = data.avoid.iter().map(|avoid| (true, avoid)).chain([(false, &data.follow)]);
            let all = all.chain(other);
            for (avoids, waypoint) in all {
                let at = &waypoint.place;
                let (seen, what) = match waypoint.event {
                    Event::Target => {
                        let statement = finder.statement(ast, at).map(Executed::Statement);
                        let found =
                            statement.or_else(|| finder.expression(ast, at).map(Executed::Expression));
                        let found = found.ok_or_else(|| nothing(waypoint.entry, "statement", at))?;
                        places.targets.push((found, waypoint));
                        continue;
                    }
                    Event::TargetOfLine => {
                        let found = finder.statements_of_line(ast, at.line);
                        if found.is_empty() {
                            return Err(nothing(waypoint.entry, "statement", at));
                        }
                        let found = found.into_iter().map(|stmt| (Executed::Statement(stmt), waypoint));
                        places.targets.extend(found);
                        continue;
                    }
                    Event::Assumption(_) => (finder.statement(ast, at).map(Seen::Before), "statement"),
                    Event::Branching(_) => (finder.branch(ast, at).map(Seen::Branch), "branch"),
                    Event::Switch(_) => (finder.switch(ast, at).map(Seen::Switch), "`switch`"),
                    Event::Enter => (finder.call(ast, at).map(Seen::Enter), "call"),
                    Event::Return(_) => (finder.call(ast, at).map(Seen::Return), "call"),
                    Event::ReturnOf(ref function, _) => {
                        let function = symbols.get(function);
                        let call = function.and_then(|function| finder.call_of(ast, at.line, function));
                        (call.map(Seen::Return), "single call of the function")
                    }
                    Event::Behind(_) => (finder.statement(ast, at).map(Seen::Behind), "statement"),
                    Event::Decision(_) => {
                        (finder.decision(ast, at.line).map(Seen::Branch), "single plain condition")
                    }
                };
                let seen = seen.ok_or_else(|| nothing(waypoint.entry, what, at))?;
                let steps = places.events.entry(seen).or_default();
                steps.push(Step { segment, avoids, waypoint });
            }
        }
        Ok(places)
    }

    /// Notes which segments end with the creation of a thread.
    fn note_threads(&self, ast: &Ast, symbols: &Symbols, threads: &mut Threads) {
        let mut creating: Vec<usize> = Vec::new();
        for (seen, steps) in &self.events {
            let Seen::Enter(call) = *seen else { continue };
            let ends = steps.iter().filter(|step| !step.avoids && may_create(step.waypoint));
            if Threads::creates(ast, symbols, call) {
                creating.extend(ends.map(|step| step.segment));
            }
        }
        creating.sort_unstable();
        creating.into_iter().for_each(|segment| threads.note(segment));
    }
}

/// Changes of the tree; statements are put before and behind others at the end.
pub(super) struct Edits<'a> {
    pub(super) fragments: Fragments<'a>,
    before: BTreeMap<StmtId, Vec<StmtId>>,
    after: BTreeMap<StmtId, Vec<StmtId>>,
    around: Around,
    pub(super) threads: Threads,
    nowhere: Span,
    fresh: u32,
}

impl Edits<'_> {
    pub(super) fn unsupported(&self, entry: u32, what: &str) -> Problem {
        Problem::unsupported(self.nowhere, format!("witness entry {entry}: {what}"))
    }

    /// A mistake in an expression of the witness: it is not one of the program.
    fn refuse(&self, entry: u32, mistake: Diagnostic) -> Problem {
        self.unsupported(entry, &mistake.message)
    }

    pub(super) fn kind(&self, stmt: StmtId) -> &StmtKind {
        &self.fragments.ast.stmts[stmt].kind
    }

    /// A name that nothing else has.
    pub(super) fn fresh(&mut self) -> String {
        self.fresh += 1;
        format!("__unreach_value{}", self.fresh)
    }

    pub(super) fn wrap(&mut self, entry: u32, text: &str, around: ExprId) -> Applied<()> {
        let wrapped = self.fragments.wrap(&file_name(entry), text, around);
        wrapped.map_err(|mistake| self.refuse(entry, mistake))
    }

    /// As [`wrap`](Edits::wrap), but the expression stands in all holes of the text.
    pub(super) fn wrap_twice(&mut self, entry: u32, text: &str, around: ExprId) -> Applied<()> {
        let wrapped = self.fragments.wrap_everywhere(&file_name(entry), text, around);
        wrapped.map_err(|mistake| self.refuse(entry, mistake))
    }

    fn statement(&mut self, entry: u32, text: &str) -> Applied<StmtId> {
        let made = self.fragments.statement(&file_name(entry), text);
        made.map_err(|mistake| self.refuse(entry, mistake))
    }

    pub(super) fn put_before(&mut self, entry: u32, stmt: StmtId, text: &str) -> Applied<()> {
        let made = self.statement(entry, text)?;
        let stmt = below_labels(self.fragments.ast, stmt);
        self.before.entry(stmt).or_default().push(made);
        Ok(())
    }

    /// As [`put_before`](Edits::put_before), but before the labels of the statement.
    pub(super) fn put_right_before(&mut self, entry: u32, stmt: StmtId, text: &str) -> Applied<()> {
        let made = self.statement(entry, text)?;
        self.before.entry(stmt).or_default().push(made);
        Ok(())
    }

    pub(super) fn put_behind(&mut self, entry: u32, stmt: StmtId, text: &str) -> Applied<()> {
        let made = self.statement(entry, text)?;
        let stmt = below_labels(self.fragments.ast, stmt);
        self.after.entry(stmt).or_default().push(made);
        Ok(())
    }

    fn check(&mut self, entry: u32, text: &str) -> Applied<()> {
        let checked = self.fragments.check_expression(&file_name(entry), text);
        checked.map_err(|mistake| self.refuse(entry, mistake))
    }

    fn claim(&mut self, claim: &Claim, found: Claimed) -> Applied<()> {
        let (entry, text) = (claim.entry, &claim.text);
        let claimed = |text: &str| format!("{CLAIM}({entry}, ({text}));");
        match (claim.when, found) {
            (_, Claimed::Statement(stmt)) => {
                self.check(entry, text)?;
                self.put_before(entry, stmt, &claimed(text))
            }
            (_, Claimed::BlockEnd(block)) => {
                self.check(entry, text)?;
                let made = self.statement(entry, &claimed(text))?;
                if let StmtKind::Block(statements) = &mut self.fragments.ast.stmts[block].kind {
                    statements.push(made);
                }
                Ok(())
            }
            (_, Claimed::Loop(stmt)) => {
                let claimed = self.about_visits(claim)?;
                let condition = self.loop_condition(stmt);
                self.wrap(entry, &format!("({{ {claimed} }}), {HOLE}"), condition)
            }
            (When::FunctionEntry, Claimed::Function(function)) => {
                self.check(entry, text)?;
                let made = self.statement(entry, &claimed(text))?;
                self.at_entry(function, [made]);
                Ok(())
            }
            (_, Claimed::Function(function)) => self.ensures(claim, function),
        }
    }

    /// A claim about a visit of a place, and about one before it if it speaks of one. The visit before it that is meant
    /// is any one, so some visit is chosen and its values are kept.
    fn about_visits(&mut self, claim: &Claim) -> Applied<String> {
        let entry = claim.entry;
        let (text, old) = old_values(&claim.text, || self.fresh())
            .ok_or_else(|| self.unsupported(entry, "an old value that is not closed by a parenthesis"))?;
        let Some(OldValue { moment, .. }) = old.first() else {
            self.check(entry, &text)?;
            return Ok(format!("{CLAIM}({entry}, ({text}));"));
        };
        let moment = *moment;
        if moment == Moment::Call || old.iter().any(|value| value.moment != moment) {
            return Err(
                self.unsupported(entry, "values of several earlier moments, or of the call, at a loop")
            );
        }
        self.check(entry, &text)?;
        let visited = self.fresh();
        let (mut declarations, mut keep) = (format!("static _Bool {visited}; "), format!("{visited} = 1; "));
        for OldValue { name, value, .. } in &old {
            self.check(entry, value)?;
            // Writing to a string cannot fail.
            let _ = write!(declarations, "static __typeof__({value}) {name}; ");
            let _ = write!(keep, "{name} = ({value}); ");
        }
        let keep = match moment {
            Moment::AnyVisit => format!("if (!{visited} && {CHOICE}()) {{ {keep} }}"),
            Moment::LastVisit | Moment::Call => keep,
        };
        Ok(format!("{declarations} if ({visited}) {CLAIM}({entry}, ({text})); {keep}"))
    }

    /// Assigns to a ghost, in one step with the statement.
    fn update(&mut self, update: &Update, stmt: StmtId) -> Applied<()> {
        let (entry, variable, value) = (update.entry, &update.variable, &update.value);
        self.check(entry, value)?;
        if !matches!(self.kind(below_labels(self.fragments.ast, stmt)), StmtKind::Expr(_)) {
            return Err(
                self.unsupported(entry, "an assignment to a ghost at a statement that is no expression")
            );
        }
        self.put_before(entry, stmt, &format!("{{ {ATOMIC}(1); {variable} = ({value}); }}"))?;
        self.put_behind(entry, stmt, &format!("{ATOMIC}(0);"))
    }

    fn at_entry(&mut self, function: usize, statements: impl IntoIterator<Item = StmtId>) {
        let Item::Function(function) = &self.fragments.ast.items[function] else { return };
        if let StmtKind::Block(body) = &mut self.fragments.ast.stmts[function.body].kind {
            body.splice(0..0, statements);
        }
    }

    /// A postcondition: it is claimed before every `return`, and at the end of the body.
    fn ensures(&mut self, claim: &Claim, function: usize) -> Applied<()> {
        let entry = claim.entry;
        let (text, old) = old_values(&claim.text, || self.fresh())
            .ok_or_else(|| self.unsupported(entry, "an old value that is not closed by a parenthesis"))?;
        if old.iter().any(|value| value.moment != Moment::Call) {
            return Err(self.unsupported(entry, "a value of an earlier visit in a contract"));
        }
        let text = text.replace("\\result", "__unreach_result");
        let mut declarations = Vec::new();
        for OldValue { name, value, .. } in &old {
            self.check(entry, value)?;
            let block = self.statement(entry, &format!("{{ __typeof__({value}) {name} = ({value}); }}"))?;
            let StmtKind::Block(inside) = self.kind(block) else { continue };
            declarations.extend(inside.first().copied());
        }
        self.check(entry, &text)?;
        let Item::Function(definition) = &self.fragments.ast.items[function] else { return Ok(()) };
        let body = definition.body;
        let speaks_of_result = text.contains("__unreach_result");
        for stmt in returns_below(self.fragments.ast, body) {
            let StmtKind::Return(value) = *self.kind(stmt) else { continue };
            match value {
                Some(value) => {
                    let block = format!(
                        "{{ int __unreach_result = {HOLE}; {CLAIM}({entry}, ({text})); return __unreach_result; }}"
                    );
                    let before = self.fragments.ast.exprs.len();
                    let made = self.statement(entry, &block)?;
                    self.fragments.fill(before, value);
                    if !self.fragments.declare_like_result(made, function) {
                        return Err(self.unsupported(entry, "a contract of a function with such a result"));
                    }
                    let kind = std::mem::replace(&mut self.fragments.ast.stmts[made].kind, StmtKind::Empty);
                    self.fragments.ast.stmts[stmt].kind = kind;
                }
                None if speaks_of_result => {
                    return Err(self.unsupported(entry, "a result of a function that returns none"));
                }
                None => self.put_before(entry, stmt, &format!("{CLAIM}({entry}, ({text}));"))?,
            }
        }
        if !speaks_of_result {
            let made = self.statement(entry, &format!("{CLAIM}({entry}, ({text}));"))?;
            if let StmtKind::Block(statements) = &mut self.fragments.ast.stmts[body].kind {
                statements.push(made);
            }
        }
        self.at_entry(function, declarations);
        Ok(())
    }

    /// The condition of a loop; a `for` without one gets one.
    fn loop_condition(&mut self, stmt: StmtId) -> ExprId {
        let ast = &mut *self.fragments.ast;
        let span = ast.stmts[stmt].span;
        match &mut ast.stmts[stmt].kind {
            StmtKind::While(condition, _) | StmtKind::DoWhile(_, condition) | StmtKind::If(condition, ..) => {
                *condition
            }
            StmtKind::For(_, condition, ..) => *condition.get_or_insert_with(|| {
                let one = self.fragments.symbols.intern("1");
                ast.exprs.push(crate::ast::Expr { kind: ExprKind::Number(one), span })
            }),
            _ => unreachable!("only loops and `if` are looked for"),
        }
    }

    /// Follows the automaton at one place.
    fn observe(&mut self, at: Seen, steps: &[Step<'_>]) -> Applied<()> {
        let entry = steps.first().map_or(0, |step| step.waypoint.entry);
        match at {
            Seen::Before(stmt) => {
                let chain = self.chain(steps, |event| match event {
                    Event::Assumption(text) => Some(text.clone()),
                    _ => None,
                })?;
                self.put_before(entry, stmt, &format!("{{ {chain} }}"))
            }
            Seen::Behind(stmt) => {
                let inner = below_labels(self.fragments.ast, stmt);
                if !matches!(self.kind(inner), StmtKind::Expr(_) | StmtKind::Declaration(_)) {
                    return Err(self.unsupported(entry, "an assumption behind such a statement"));
                }
                let chain = self.chain(steps, |event| match event {
                    Event::Behind(text) => Some(text.clone()),
                    _ => None,
                })?;
                self.put_behind(entry, stmt, &format!("{{ {chain} }}"))
            }
            Seen::Branch(branch) => {
                let condition = match branch {
                    Branch::Statement(stmt) => self.loop_condition(stmt),
                    Branch::Conditional(expr) => match self.fragments.ast.exprs[expr].kind {
                        ExprKind::Conditional(condition, Some(_), _) => condition,
                        _ => return Err(self.unsupported(entry, "a waypoint at `?:`")),
                    },
                };
                let mut sides = Vec::new();
                for side in [true, false] {
                    sides.push(self.chain(steps, |event| {
                        matches!(event, Event::Branching(way) | Event::Decision(way) if *way == side)
                            .then(|| "1".to_owned())
                    })?);
                }
                let text = format!("{HOLE} ? ({{ {} 1; }}) : ({{ {} 0; }})", sides[0], sides[1]);
                self.wrap(entry, &text, condition)
            }
            Seen::Switch(stmt) => self.switch(stmt, steps),
            Seen::Enter(call) => {
                let chain = self.chain(steps, |event| (*event == Event::Enter).then(|| "1".to_owned()))?;
                let ExprKind::Call(_, arguments) = &self.fragments.ast.exprs[call].kind else {
                    return Ok(());
                };
                if arguments.iter().any(|&argument| !is_eventless(self.fragments.ast, argument)) {
                    return Err(self.unsupported(entry, "a call with calls or branches in its arguments"));
                }
                if !steps.iter().any(|step| self.threads.created_in(step.segment).is_some()) {
                    return self.wrap(entry, &format!("({{ {chain} }}), {HOLE}"), call);
                }
                // What is created has its number when the waypoint has been passed.
                let value = self.fresh();
                let text = format!(
                    "({{ {ATOMIC}(1); {chain} __typeof__({HOLE}) {value} = {HOLE}; {ATOMIC}(0); {value}; }})"
                );
                self.wrap(entry, &text, call)
            }
            Seen::Return(call) => {
                let value = self.fresh();
                let chain = self.chain(steps, |event| match event {
                    Event::Return(Some(text)) => Some(text.replace("\\result", &value)),
                    Event::Return(None) => Some("1".to_owned()),
                    Event::ReturnOf(_, text) => Some(text.replace("\\result", &value)),
                    _ => None,
                })?;
                let text = format!("({{ __typeof__({HOLE}) {value} = {HOLE}; {chain} {value}; }})");
                self.wrap(entry, &text, call)
            }
        }
    }

    fn switch(&mut self, stmt: StmtId, steps: &[Step<'_>]) -> Applied<()> {
        let entry = steps.first().map_or(0, |step| step.waypoint.entry);
        let StmtKind::Switch(subject, _) = *self.kind(stmt) else { return Ok(()) };
        if steps.iter().any(|step| step.waypoint.event == Event::Switch(None)) {
            return Err(self.unsupported(entry, "a waypoint for the default of a `switch`"));
        }
        let value = self.fresh();
        let chain = self.chain(steps, |event| match event {
            Event::Switch(Some(case)) => Some(format!("{value} == ({case})")),
            _ => None,
        })?;
        self.wrap(entry, &format!("({{ __typeof__({HOLE}) {value} = {HOLE}; {chain} {value}; }})"), subject)
    }

    /// Statements that go one step of the automaton, if the present segment asks for an event that `condition` knows.
    fn chain(&mut self, steps: &[Step<'_>], condition: impl Fn(&Event) -> Option<String>) -> Applied<String> {
        let mut text = String::new();
        // What is avoided in a segment comes before what ends it; segments exclude each other.
        for step in steps {
            let condition = match condition(&step.waypoint.event) {
                Some(condition) => condition,
                // The event is another one than that which ends the segment.
                None if !step.avoids => "0".to_owned(),
                None => continue,
            };
            if let Event::Assumption(_) | Event::Return(Some(_)) | Event::ReturnOf(..) | Event::Behind(_) =
                step.waypoint.event
            {
                self.check(step.waypoint.entry, &condition)?;
            }
            let otherwise = if text.is_empty() { "" } else { "else " };
            let segment = step.segment;
            let here = self.threads.here(step.waypoint);
            let created = match self.threads.created_in(segment).filter(|_| !step.avoids) {
                Some(thread) if step.waypoint.thread.is_some() => {
                    format!(" {THREAD}{thread} = {NEXT_THREAD}();")
                }
                _ => String::new(),
            };
            // Writing to a string cannot fail.
            let _ = match step.avoids {
                true => write!(
                    text,
                    "{otherwise}if ({STATE} == {segment}{here} && {HOLDS}({condition})) {STOP}(); "
                ),
                false => write!(
                    text,
                    "{otherwise}if ({STATE} == {segment}{here}) {{ \
                     if ({HOLDS}({condition})) {{ {}{created} }} else {STOP}(); }} ",
                    self.around.passed(segment)
                ),
            };
        }
        Ok(if text.is_empty() { text } else { format!("{ATOMIC}(1); {text} {ATOMIC}(0);") })
    }

    /// Puts statements before and behind others.
    fn insert(mut self) -> Applied<()> {
        let ast = &mut *self.fragments.ast;
        for index in 0..ast.stmts.len() {
            if let StmtKind::Block(statements) = &mut ast.stmts[StmtId::new(index)].kind {
                let touched = |stmt: &StmtId| self.before.contains_key(stmt) || self.after.contains_key(stmt);
                if !statements.iter().any(touched) {
                    continue;
                }
                let mut all = Vec::new();
                for &stmt in statements.iter() {
                    all.extend(self.before.remove(&stmt).unwrap_or_default());
                    all.push(stmt);
                    all.extend(self.after.remove(&stmt).unwrap_or_default());
                }
                *statements = all;
            }
        }
        // What is left stands alone behind a label, an `if` or a loop: it becomes a block.
        let alone: std::collections::BTreeSet<StmtId> =
            self.before.keys().chain(self.after.keys()).copied().collect();
        for stmt in alone {
            let Stmt { kind, span } = &mut ast.stmts[stmt];
            if let StmtKind::Declaration(_) = kind {
                return Err(Problem::unsupported(*span, "a witness about a declaration behind a label"));
            }
            let span = *span;
            let kind = std::mem::replace(kind, StmtKind::Empty);
            let inner = ast.stmts.push(Stmt { kind, span });
            let mut all = self.before.remove(&stmt).unwrap_or_default();
            all.push(inner);
            all.extend(self.after.remove(&stmt).unwrap_or_default());
            ast.stmts[stmt].kind = StmtKind::Block(all);
        }
        Ok(())
    }
}

/// The name under which messages show a text of the witness.
fn file_name(entry: u32) -> String {
    format!("<witness entry {entry}>")
}

/// Whether evaluating an expression passes no waypoint.
fn is_eventless(ast: &Ast, expr: ExprId) -> bool {
    match &ast.exprs[expr].kind {
        ExprKind::Name(_) | ExprKind::Number(_) | ExprKind::Char(_) | ExprKind::Text(_) => true,
        ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) => true,
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) | ExprKind::Member(a, _) | ExprKind::Arrow(a, _) => {
            is_eventless(ast, *a)
        }
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => is_eventless(ast, *a) && is_eventless(ast, *b),
        _ => false,
    }
}

/// The `return` statements of a body.
fn returns_below(ast: &Ast, body: StmtId) -> Vec<StmtId> {
    let mut found = Vec::new();
    let mut stack = vec![body];
    while let Some(stmt) = stack.pop() {
        match &ast.stmts[stmt].kind {
            StmtKind::Return(_) => found.push(stmt),
            StmtKind::Block(inside) => stack.extend(inside.iter().rev().copied()),
            StmtKind::If(_, then, otherwise) => stack.extend(otherwise.iter().copied().chain([*then])),
            StmtKind::While(_, inner)
            | StmtKind::DoWhile(inner, _)
            | StmtKind::For(_, _, _, inner)
            | StmtKind::Switch(_, inner)
            | StmtKind::Case(_, _, inner)
            | StmtKind::Default(inner)
            | StmtKind::Label(_, inner) => stack.push(*inner),
            _ => {}
        }
    }
    found
}
