//! How threads begin and end: creating, joining, detaching, and `pthread_exit`.

use super::{DEADLOCK, INVALID, MOST_THREADS, function_of, library_calls, run_by_threads};
use crate::translate::classes::Key;
use crate::translate::numbers::Interval;
use crate::translate::places::Place;
use crate::translate::values::Value;
use crate::translate::{Result, Translator};
use crate::tree::{Callee, ExprId, ExprKind, FuncId};
use crate::types::{IntKind, Type, TypeId, Types};
use ir::{Expr, StatementKind, Transfer, Variable};

/// `ESRCH`
const NO_SUCH: i128 = 3;

/// A thread that was joined; for others the number is 0 or [`DETACHED`].
const JOINED: i128 = 1;
/// A thread that was detached.
const DETACHED: i128 = 2;

impl Translator<'_> {
    /// `pthread_create`
    pub(super) fn create(&mut self, arguments: &[ExprId]) -> Result<()> {
        let span = self.expression.at;
        let place = self.value(arguments[0])?;
        self.value(arguments[1])?;
        if let Some(function) = function_of(self.tree, arguments[2]) {
            let value = self.value(arguments[3])?;
            self.expression.at = span;
            return self.create_with(function, arguments, &place, value);
        }
        let Value::Pointer(base, _) = self.value(arguments[2])? else {
            return Err(self.unsupported("a thread that runs something that is no pointer"));
        };
        let base = self.freeze(base);
        let value = self.value(arguments[3])?;
        let value = self.freeze_value(value);
        self.expression.at = span;
        let live = std::rc::Rc::clone(&self.analyses.live);
        let created = self.new_block("created");
        for function in run_by_threads(self.tree, &live, arguments[2]) {
            let id = self.function_base(function);
            let id = self.int(id);
            let here = self.equal(base, id);
            let (yes, no) = (self.new_block("thread"), self.new_block("next"));
            self.branch(here, yes, no);
            self.start(yes);
            self.create_with(function, arguments, &place, value.clone())?;
            self.jump(created);
            self.start(no);
        }
        self.give_up("a thread that runs a function of another type");
        self.stop();
        self.start(created);
        Ok(())
    }

    /// Creates a thread that runs a function.
    fn create_with(
        &mut self,
        function: FuncId,
        arguments: &[ExprId],
        place: &Value,
        value: Value,
    ) -> Result<()> {
        let tree = self.tree;
        let data = &tree.functions[function];
        if data.body.is_none() || data.parameters.len() > 1 {
            return Err(self.unsupported("a thread whose function is not known or takes several arguments"));
        }
        let mut passed = Vec::new();
        if let Some(&parameter) = data.parameters.first() {
            let (from, to) = (tree.exprs[arguments[3]].ty, tree.variables[parameter].ty);
            if !(tree.types.is_scalar(from) && tree.types.is_scalar(to)) {
                return Err(self.unsupported("a thread with an argument that is no pointer"));
            }
            let value = self.converted(value, from, to)?;
            passed.extend(self.all_components(&value).into_iter().flatten());
        }
        let procedure = self.procedure(function)?;
        let next = self.next_thread();
        self.uninterrupted(|this| {
            let number = this.var(next);
            let number = this.freeze(number);
            let one = this.int(1);
            let following = this.add(number, one);
            this.assign(next, following);
            this.write_through(
                arguments[0],
                place,
                &Value::Int(number, Interval { low: 1, high: MOST_THREADS }),
            )?;
            passed.extend(this.told_thread(procedure, Some(number)));
            this.statement_of(StatementKind::Fork { thread: vec![number], procedure, arguments: passed });
            Ok(())
        })
    }

    /// The name of the thread that is created next.
    pub(in crate::translate) fn next_name(&mut self) -> Value {
        let next = self.next_thread();
        Value::Int(self.var(next), Interval { low: 1, high: MOST_THREADS })
    }

    pub(super) fn next_thread(&mut self) -> Variable {
        if let Some(next) = self.threads.next {
            return next;
        }
        let next = self.new_global("#threads", ir::Type::INT);
        self.threads.next = Some(next);
        next
    }

    /// Writes where an argument points to.
    fn write_through(&mut self, argument: ExprId, pointer: &Value, value: &Value) -> Result<()> {
        let &Value::Pointer(base, offset) = pointer else {
            return Err(self.unsupported("memory without a pointer"));
        };
        let mut expr = argument;
        let ty = loop {
            let Some(to) = self.tree.types.pointee(self.tree.exprs[expr].ty) else {
                return Err(self.unsupported("a result of a thread function that goes nowhere"));
            };
            match self.tree.exprs[expr].kind {
                ExprKind::Convert(inner) if matches!(self.tree.types[to], Type::Void) => expr = inner,
                _ => break to,
            }
        };
        let value = match (value, self.tree.types.int_kind(ty)) {
            (&Value::Int(expr, interval), Some(kind)) => self.fit(expr, interval, kind)?,
            (Value::Pointer(..), None) if matches!(self.tree.types[ty], Type::Pointer(_)) => value.clone(),
            _ => return Err(self.unsupported("a result of a thread function of another type")),
        };
        let class = self.analyses.classes.class(argument);
        let place = Place::Memory { base, offset, class, key: Key::Any, bits: 0, inside: None };
        self.write(&place, ty, &value)
    }

    /// `pthread_join`. A thread that asks for its own end is told that this would be a deadlock, as the GNU library does.
    pub(super) fn join_thread(&mut self, thread: ExprId, result: ExprId) -> Result<Value> {
        let span = self.expression.at;
        let Value::Int(thread, _) = self.value(thread)? else {
            return Err(self.unsupported("a name of a thread that is no integer"));
        };
        let place = self.value(result)?;
        self.expression.at = span;
        if !self.threads.asks_self {
            self.await_thread(thread, result, &place)?;
            return Ok(self.number(0));
        }
        let thread = self.share(thread);
        let own = self.own_thread();
        let is_own = self.equal(thread, own);
        let answer = self.temporary(ir::Type::INT);
        let (refused, awaited, joined) =
            (self.new_block("own"), self.new_block("other"), self.new_block("joined"));
        self.branch(is_own, refused, awaited);
        let (zero, deadlock) = (self.int(0), self.int(DEADLOCK));
        self.start(refused);
        self.assign(answer, deadlock);
        self.jump(joined);
        self.start(awaited);
        self.await_thread(thread, result, &place)?;
        self.assign(answer, zero);
        self.continue_in(joined);
        Ok(Value::Int(self.var(answer), Interval { low: 0, high: DEADLOCK }))
    }

    /// Waits for the end of a thread, and takes its result.
    fn await_thread(&mut self, thread: Expr, result: ExprId, place: &Value) -> Result<()> {
        let wanted = !matches!(*place, Value::Pointer(base, offset)
            if self.literal(base) == Some(0) && self.literal(offset) == Some(0));
        if !wanted {
            self.statement_of(StatementKind::Join { thread: vec![thread], results: Vec::new() });
            self.note_thread(thread, JOINED);
            return Ok(());
        }
        if self.threads_return(|types, ty| types.int_kind(ty) == Some(IntKind::Int)) {
            let number = self.temporary(ir::Type::INT);
            let value = Value::Int(self.var(number), Interval::of(&self.tree.types, IntKind::Int));
            self.statement_of(StatementKind::Join { thread: vec![thread], results: vec![number] });
            self.note_thread(thread, JOINED);
            return self.write_through(result, place, &value);
        }
        if !self.threads_return(|types, ty| matches!(types[ty], Type::Pointer(_))) {
            return Err(self.unsupported("the result of a thread that is no pointer"));
        }
        let results = vec![self.temporary(ir::Type::INT), self.temporary(ir::Type::INT)];
        let value = Value::Pointer(self.var(results[0]), self.var(results[1]));
        self.statement_of(StatementKind::Join { thread: vec![thread], results });
        self.note_thread(thread, JOINED);
        self.write_through(result, place, &value)
    }

    /// Notes that a thread was joined or detached, if somebody asks.
    fn note_thread(&mut self, thread: Expr, state: i128) {
        if !self.threads.detaches {
            return;
        }
        let ended = self.ended_threads();
        let (map, state) = (self.var(ended), self.int(state));
        let states = self.store(map, &[thread], state);
        self.assign(ended, states);
    }

    /// The map from threads to whether they were joined or detached.
    fn ended_threads(&mut self) -> Variable {
        if let Some(ended) = self.threads.ended {
            return ended;
        }
        let ty = self.program.types.map([ir::Type::INT], ir::Type::INT);
        let ended = self.new_global("#ended", ty);
        self.threads.ended = Some(ended);
        ended
    }

    /// `pthread_detach`: works once, and for a thread that nobody has joined. What it says of a thread that was detached before
    /// depends on whether that is over.
    pub(super) fn detach_thread(&mut self, thread: ExprId) -> Result<Value> {
        let span = self.expression.at;
        let Value::Int(thread, _) = self.value(thread)? else {
            return Err(self.unsupported("a name of a thread that is no integer"));
        };
        self.expression.at = span;
        let thread = self.share(thread);
        self.uninterrupted(|this| {
            let ended = this.ended_threads();
            let map = this.var(ended);
            let state = this.select(map, thread);
            let state = this.freeze(state);
            let (zero, joined) = (this.int(0), this.int(JOINED));
            let is_joined = this.equal(state, joined);
            let is_free = this.equal(state, zero);
            let detached = this.int(DETACHED);
            let next = this.ite(is_free, detached, state);
            let states = this.store(map, &[thread], next);
            this.assign(ended, states);
            let (gone, invalid) = (this.int(NO_SUCH), this.int(INVALID));
            let is_over = this.any_truth();
            let is_gone = this.or(is_joined, is_over);
            let refused = this.ite(is_gone, gone, invalid);
            let result = this.ite(is_free, zero, refused);
            Ok(Value::Int(result, Interval { low: 0, high: INVALID }))
        })
    }

    /// Whether all functions that threads run return values of some type.
    fn threads_return(&self, is_meant: impl Fn(&Types, TypeId) -> bool) -> bool {
        let calls = library_calls(self.tree, self.symbols).filter(|(name, _)| *name == "pthread_create");
        let live = &self.analyses.live;
        let mut functions = calls.flat_map(|(_, arguments)| {
            arguments.get(2).map_or_else(Vec::new, |&function| run_by_threads(self.tree, live, function))
        });
        let result = |function: FuncId| {
            let ty = self.tree.types.function(self.tree.functions[function].ty);
            ty.is_some_and(|ty| is_meant(&self.tree.types, ty.result))
        };
        functions.all(result)
    }

    /// `pthread_exit` in the function of a thread is its return.
    pub(super) fn exit_thread(&mut self, value: ExprId) -> Result<()> {
        let tree = self.tree;
        let span = self.expression.at;
        let procedure = self.body().procedure;
        let own = |function: FuncId| self.declared.procedures[function] == Some(procedure);
        let called = tree
            .exprs
            .values()
            .any(|node| matches!(&node.kind, ExprKind::Call(Callee::Direct(function), _) if own(*function)));
        let mut starts = library_calls(tree, self.symbols)
            .filter(|(name, _)| *name == "pthread_create")
            .filter_map(|(_, arguments)| Some(run_by_threads(tree, &self.analyses.live, *arguments.get(2)?)))
            .flatten();
        let main = self.program.procedures[procedure].name == "main";
        let thread = starts.any(own);
        if called || !(main || thread) {
            return Err(self.unsupported("`pthread_exit` in a function that a thread calls"));
        }
        let value = self.value(value)?;
        self.expression.at = span;
        if !main {
            let results = std::mem::take(&mut self.function.results);
            let components = self.all_components(&value);
            let fits = results.len() == components.iter().map(Vec::len).sum::<usize>();
            if !fits && !results.is_empty() {
                return Err(self.unsupported("the result of a thread that is no pointer"));
            }
            let pairs = results.iter().copied().zip(components.into_iter().flatten()).collect();
            self.assign_all(pairs);
            self.function.results = results;
        }
        if main && self.finds_deadlocks() {
            let exits = match self.threads.first_exits {
                Some(exits) => exits,
                None => self.new_global("#exits", ir::Type::BOOL),
            };
            self.threads.first_exits = Some(exits);
            let yes = self.truth(true);
            self.assign(exits, yes);
        }
        self.end_block(Transfer::Return);
        Ok(())
    }
}
