//! POSIX threads: threads, mutexes, read-write locks, condition variables, and atomic parts.
//!
//! A program that starts threads is translated such that every access to an object which another thread may know is a
//! step of its own: what is loaded is held in a variable at once. Memory is sequentially consistent. A data race has no
//! meaning in C, but collections of verification tasks take it for an interleaving, and so does this translation.
//!
//! Threads are named by numbers in the order of their creation. Creating a thread always works. Locks and conditions are
//! in [`locks`], the kinds that initialisers give to locks in [`kinds`], the beginning and the end of threads in [`lives`].

mod kinds;
mod lives;
mod locks;

use super::classes::{Class, Classes};
use super::live::Live;
use super::numbers::Interval;
use super::observe::Races;
use super::values::Value;
use super::{Result, Translator};
use crate::options::{Check, Service};
use crate::symbols::Symbols;
use crate::tree::{Callee, ExprId, ExprKind, FuncId, Function, Lifetime, Tree, VarId};
use base::EntitySet;
use ir::{Boundary, Expr, ExprData, Mark, Procedure, StatementKind, Variable, VariableKind};
use kinds::{StaticKind, StaticKinds};
use locks::Kept;
use std::collections::{BTreeMap, BTreeSet};

/// `EBUSY`
const BUSY: i128 = 16;
/// `EINVAL`
const INVALID: i128 = 22;
/// `EAGAIN`
const AGAIN: i128 = 11;
/// Functions that take a lock.
const LOCKING: &[&str] = &["pthread_mutex_lock", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock"];

/// `ETIMEDOUT`
const TIMED_OUT: i128 = 110;
/// `EDEADLK`
const DEADLOCK: i128 = 35;

/// What `mtx_init` of the built-in header calls.
const INIT_OF_KIND: &str = "pthread_mutex_unreach_init";

/// What `pthread_cleanup_push` of the built-in header calls.
const CLEANUP: &str = "pthread_cleanup_enter";

/// No program starts more threads than this.
const MOST_THREADS: i128 = 1 << 30;

/// What the translation knows of threads.
#[derive(Default)]
pub(super) struct Threads {
    /// Whether the program starts threads.
    pub(super) concurrent: bool,
    /// Whether it matters which threads access what at the same moment.
    pub(super) watches: bool,
    /// The memory that more than one thread may know, if it matters.
    shared: BTreeSet<Class>,
    /// What the statements that are being made do to memory.
    pub(super) accesses: Accesses,
    /// Where accesses may be races, if not everywhere.
    races: Option<Races>,
    /// Whether the statements that are being made are there.
    pub(super) at_race: bool,
    /// Whether every lock is a variable of the program.
    named_locks: bool,
    /// Whether locks are destroyed.
    destroys: bool,
    /// Whether mutexes are of several kinds, so that it matters who holds them.
    kinds: bool,
    /// What initialisers say about the kinds of locks.
    static_kinds: StaticKinds,
    /// Whether a function asks for the thread that runs it: then every function but `main` is told.
    asks_self: bool,
    /// The parameters that tell.
    own: BTreeMap<Procedure, Variable>,
    /// The number of the next thread.
    next: Option<Variable>,
    /// The states of locks with an address that is known.
    states: BTreeMap<(Kept, i128, i128), Variable>,
    /// The states of all locks, by base and offset.
    maps: BTreeMap<Kept, Variable>,
    /// Whether the first thread has ended, and not the program.
    first_exits: Option<Variable>,
    /// Whether threads are detached, so that it matters which were joined.
    detaches: bool,
    /// Which threads were joined or detached.
    ended: Option<Variable>,
}

/// What statements do to memory that is watched.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Accesses {
    /// Accesses as C has them.
    #[default]
    Plain,
    /// Atomic accesses.
    Atomic,
    /// Nothing that C calls an access: an object begins to live.
    None,
}

/// Functions whose first argument (the second, for waiting) is a lock.
fn lock_argument(name: &str) -> Option<usize> {
    match name {
        "pthread_cond_wait" | "pthread_cond_timedwait" => Some(1),
        _ if name.starts_with("pthread_mutex_") || name.starts_with("pthread_rwlock_") => Some(0),
        _ => None,
    }
}

/// The function of an expression that is the address of one.
pub(super) fn function_of(tree: &Tree, mut expr: ExprId) -> Option<FuncId> {
    loop {
        match tree.exprs[expr].kind {
            ExprKind::Convert(inner) | ExprKind::AddressOf(inner) | ExprKind::Deref(inner) => expr = inner,
            ExprKind::FunctionAddress(function) => return Some(function),
            _ => return None,
        }
    }
}

/// The functions that a thread may run which is created with an expression: the one that it is the address of, or any one
/// whose address is used and that threads can run.
pub(super) fn run_by_threads(tree: &Tree, live: &Live, expr: ExprId) -> Vec<FuncId> {
    if let Some(function) = function_of(tree, expr) {
        return vec![function];
    }
    let runs = |&(function, data): &(FuncId, &Function)| {
        data.body.is_some() && data.parameters.len() <= 1 && live.is_addressed(function)
    };
    tree.functions.iter().filter(runs).map(|(function, _)| function).collect()
}

/// The calls of functions without a body, with their names.
fn library_calls<'t>(
    tree: &'t Tree,
    symbols: &'t Symbols,
) -> impl Iterator<Item = (&'t str, &'t [ExprId])> + 't {
    tree.exprs.values().filter_map(move |node| match &node.kind {
        ExprKind::Call(Callee::Direct(function), arguments) if tree.functions[*function].body.is_none() => {
            Some((symbols.text(tree.functions[*function].name), &arguments[..]))
        }
        _ => None,
    })
}

impl Threads {
    /// Looks for threads and locks.
    pub(super) fn of(tree: &Tree, symbols: &Symbols, reachable: &[FuncId]) -> Threads {
        let mut threads =
            Threads { named_locks: true, races: Races::find(tree, symbols), ..Threads::default() };
        let creates = |function: FuncId| {
            let data = &tree.functions[function];
            data.body.is_none() && symbols.text(data.name) == "pthread_create"
        };
        let from = |from: Option<FuncId>| from.is_none_or(|from| reachable.contains(&from));
        threads.concurrent = tree.mentions.iter().any(|&(caller, callee)| creates(callee) && from(caller));
        for (name, arguments) in library_calls(tree, symbols) {
            threads.asks_self |= matches!(name, "pthread_self" | "pthread_unreach_self");
            threads.detaches |= name == "pthread_detach";
            threads.kinds |= match (name, arguments) {
                ("pthread_mutexattr_settype", _) => true,
                (INIT_OF_KIND, &[_, kind]) => !is_plain(tree, kind),
                _ => false,
            };
            threads.destroys |= name.starts_with("pthread_") && name.ends_with("lock_destroy")
                || name == "pthread_mutex_destroy";
            if let Some(&lock) = lock_argument(name).and_then(|position| arguments.get(position)) {
                threads.named_locks &= is_named(tree, lock);
            }
        }
        threads.static_kinds = StaticKinds::of(tree, symbols);
        threads.kinds |= !threads.static_kinds.kinds.is_empty();
        threads.asks_self |= threads.kinds;
        let is_join = |function: FuncId| symbols.text(tree.functions[function].name).ends_with("_join");
        let is_other = |function: FuncId| symbols.text(tree.functions[function].name) != "main";
        // Threads that join others may join themselves.
        let mut mentions = tree.mentions.iter();
        threads.asks_self |= mentions.any(|&(from, to)| is_join(to) && from.is_none_or(is_other));
        threads
    }

    /// Looks for the memory that more than one thread may know.
    pub(super) fn watch(&mut self, tree: &Tree, symbols: &Symbols, classes: &Classes) {
        let creations = library_calls(tree, symbols).filter(|(name, _)| *name == "pthread_create");
        self.shared = classes.shared(tree, creations.filter_map(|(_, arguments)| arguments.get(3).copied()));
        self.watches = true;
    }

    /// Functions of which several calls may be active at once.
    pub(super) fn add_reentrant(
        &self,
        tree: &Tree,
        symbols: &Symbols,
        reachable: &[FuncId],
        recursive: &mut EntitySet<FuncId>,
    ) {
        if self.concurrent {
            let main = |function: FuncId| symbols.text(tree.functions[function].name) == "main";
            recursive.extend(reachable.iter().copied().filter(|&function| !main(function)));
        }
    }
}

/// Whether an expression is a number that says that a mutex is not recursive.
fn is_plain(tree: &Tree, mut kind: ExprId) -> bool {
    while let ExprKind::Convert(inner) = tree.exprs[kind].kind {
        kind = inner;
    }
    matches!(tree.exprs[kind].kind, ExprKind::Int(number) if number % 2 == 0)
}

/// Whether an expression is the address of a variable with static lifetime, or of a member of one.
fn is_named(tree: &Tree, mut expr: ExprId) -> bool {
    loop {
        match &tree.exprs[expr].kind {
            ExprKind::Convert(inner) | ExprKind::AddressOf(inner) | ExprKind::Member(inner, _) => {
                expr = *inner;
            }
            ExprKind::Variable(var) => return tree.variables[*var].lifetime == Lifetime::Static,
            _ => return false,
        }
    }
}

impl Translator<'_> {
    pub(super) fn boundary(&mut self, boundary: Boundary) {
        if self.threads.concurrent {
            self.statement_of(StatementKind::Atomic(boundary));
        }
    }

    /// Adds the parameter that tells a function which thread runs it.
    pub(super) fn add_own_thread(&mut self, function: FuncId, procedure: Procedure) {
        let name = self.symbols.text(self.tree.functions[function].name);
        if self.threads.asks_self && !matches!(name, "main" | crate::models::CALLER) {
            let name = format!("#self{}", self.threads.own.len());
            let name = self.unique_global(&name);
            let kind = VariableKind::Parameter(procedure);
            let own = self.program.new_variable(name, ir::Type::INT, kind, self.expression.at);
            self.program.procedures[procedure].parameters.push(own);
            self.threads.own.insert(procedure, own);
        }
    }

    /// What a function that is called or started has to be told about its thread.
    pub(super) fn told_thread(&mut self, procedure: Procedure, thread: Option<Expr>) -> Option<Expr> {
        self.threads.own.contains_key(&procedure).then(|| match thread {
            Some(thread) => thread,
            None => self.own_thread(),
        })
    }

    /// The name of the thread that is here; that of the first is 0.
    pub(super) fn own_thread(&mut self) -> Expr {
        let procedure = self.body().procedure;
        match self.threads.own.get(&procedure).copied() {
            Some(own) => self.var(own),
            None => self.int(0),
        }
    }

    /// The mark of statements that are made now, if they differ from plain ones.
    pub(super) fn access_mark(&self) -> Option<Mark> {
        let accesses = match (self.threads.races, self.threads.accesses) {
            (Some(_), accesses) if self.threads.at_race => accesses,
            (Some(Races::Among), _) => Accesses::None,
            (Some(Races::Here), Accesses::Plain) => Accesses::Atomic,
            (_, accesses) => accesses,
        };
        match accesses {
            _ if !self.threads.watches => None,
            Accesses::Plain => None,
            Accesses::Atomic => Some(Mark::AtomicAccess),
            Accesses::None => Some(Mark::NoAccess),
        }
    }

    /// Makes statements whose accesses to memory are of a kind.
    pub(super) fn accessing<T>(
        &mut self,
        kind: Accesses,
        act: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outer = std::mem::replace(&mut self.threads.accesses, kind);
        let done = act(self);
        self.threads.accesses = outer;
        done
    }

    /// Whether several threads may know the memory of a class.
    pub(super) fn is_shared(&self, class: Class) -> bool {
        self.threads.shared.contains(&self.analyses.classes.find(class))
    }

    /// Whether a variable is the number of the last error, of which every thread has its own.
    pub(super) fn is_errno(&self, var: VarId) -> bool {
        let data = &self.tree.variables[var];
        data.external && self.symbols.text(data.name) == "errno"
    }

    /// Two threads must not access the variable at the same moment.
    pub(super) fn watch(&mut self, variable: Variable) {
        if self.threads.watches {
            self.report.asserted += 1;
            self.program.variables[variable].attributes.push(Mark::Watched.attribute(Vec::new()));
        }
    }

    /// Whether an object is atomic.
    pub(super) fn is_atomic(&mut self, place: ExprId) -> Result<bool> {
        if let (true, Some(span)) = (self.threads.concurrent, self.tree.atomic_record) {
            self.expression.at = span;
            return Err(self.unsupported("something atomic that is no scalar"));
        }
        Ok(self.threads.concurrent && self.tree.types.is_atomic(self.tree.exprs[place].ty))
    }

    /// The kind of accesses to an object by its name, or through a pointer.
    pub(super) fn kind_of_access(&mut self, place: ExprId) -> Result<Accesses> {
        match self.threads.watches && self.is_atomic(place)? {
            true => Ok(Accesses::Atomic),
            false => Ok(self.threads.accesses),
        }
    }

    /// Before an object is read and written by one operator: whether nobody interrupts that.
    pub(super) fn begin_atomic(&mut self, place: ExprId) -> Result<bool> {
        let atomic = self.is_atomic(place)?;
        if atomic {
            self.boundary(Boundary::Begin);
        }
        Ok(atomic)
    }

    /// Behind that.
    pub(super) fn end_atomic(&mut self, whole: bool) {
        if whole {
            self.boundary(Boundary::End);
        }
    }

    /// No other thread interrupts what is done here.
    pub(super) fn uninterrupted<T>(&mut self, act: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.boundary(Boundary::Begin);
        let done = act(self)?;
        self.boundary(Boundary::End);
        Ok(done)
    }

    /// Holds what was loaded in one step, if others may change it.
    pub(super) fn settled(&mut self, value: Value) -> Value {
        if !self.threads.concurrent || self.expression.mathematical {
            return value;
        }
        let components = self.all_components(&value);
        let shared = |expr: Expr| {
            self.program.expressions.post_order([expr]).into_iter().any(|part| {
                matches!(self.program.expressions[part], ExprData::Variable(variable)
                    if self.program.variables[variable].kind == VariableKind::Global)
            })
        };
        if !components.iter().flatten().any(|&expr| shared(expr)) {
            return value;
        }
        let held: Vec<Expr> = self.frozen_together(components.into_iter().flatten().collect());
        let mut held = held.into_iter();
        let mut next = || held.next().expect("as many as there were");
        match value {
            Value::Int(_, interval) => Value::Int(next(), interval),
            Value::Pointer(..) => Value::Pointer(next(), next()),
            Value::Float(_) => Value::Float(next()),
            Value::Record(leaves) => {
                Value::Record(leaves.iter().map(|leaf| leaf.iter().map(|_| next()).collect()).collect())
            }
            Value::Void => Value::Void,
        }
    }

    /// The values of several expressions at one moment.
    pub(super) fn frozen_together(&mut self, exprs: Vec<Expr>) -> Vec<Expr> {
        let mut pairs = Vec::new();
        let mut held = Vec::new();
        for expr in exprs {
            let temporary = self.temporary(self.program.ty(expr));
            pairs.push((temporary, expr));
            held.push(self.var(temporary));
        }
        self.assign_all(pairs);
        held
    }

    /// What threads and locks are at the beginning.
    pub(super) fn initialise_threads(&mut self) -> Result<()> {
        if let (Some(span), false) =
            (self.threads.static_kinds.odd, self.threads.states.is_empty() && self.threads.maps.is_empty())
        {
            self.expression.at = span;
            return Err(self.unsupported("a lock with an initialiser that is not known"));
        }
        if let (true, Some(span)) = (self.threads.concurrent, self.tree.thread_local) {
            self.expression.at = span;
            return Err(self.unsupported("a variable that every thread has for itself"));
        }
        let zero = self.int(0);
        for state in self.threads.states.values().copied().collect::<Vec<_>>() {
            self.assign(state, zero);
        }
        for map in self.threads.maps.values().copied().collect::<Vec<_>>() {
            let empty = self.zero_map(self.program.variables[map].ty)?;
            self.assign(map, empty);
        }
        self.initialise_kinds()?;
        if let Some(exits) = self.threads.first_exits {
            let no = self.truth(false);
            self.assign(exits, no);
        }
        if let Some(ended) = self.threads.ended {
            let none = self.zero_map(self.program.variables[ended].ty)?;
            self.assign(ended, none);
        }
        if let Some(next) = self.threads.next {
            let one = self.int(1);
            self.assign(next, one);
        }
        Ok(())
    }

    /// A call of a function for threads; nothing if it is none that is known.
    pub(super) fn thread_call(&mut self, name: &str, arguments: &[ExprId]) -> Result<Option<Value>> {
        let service = match name {
            "pthread_create" => Some((Service::Threads, AGAIN)),
            _ if LOCKING.contains(&name) => Some((Service::Locks, INVALID)),
            _ => None,
        };
        let Some((_, error)) = service.filter(|&(service, _)| self.options.may_fail.contains(service)) else {
            return self.working_thread_call(name, arguments);
        };
        let fails = self.any_truth();
        let refused = self.number(error);
        let int = self.tree.types.int;
        let result = self.choose(
            fails,
            int,
            |_| Ok(refused),
            |this| {
                let result = this.working_thread_call(name, arguments)?;
                result.ok_or_else(|| this.unsupported(format!("threads (`{name}`)")))
            },
        );
        result.map(Some)
    }

    /// The same where nothing fails.
    fn working_thread_call(&mut self, name: &str, arguments: &[ExprId]) -> Result<Option<Value>> {
        let span = self.expression.at;
        match (name, arguments) {
            ("pthread_create", [_, _, _, _]) => self.create(arguments)?,
            ("pthread_join" | "pthread_unreach_join", [thread, result]) => {
                return self.join_thread(*thread, *result).map(Some);
            }
            ("pthread_detach", [thread]) => return self.detach_thread(*thread).map(Some),
            ("pthread_unreach_exit", [value]) => {
                self.exit_thread(*value)?;
                return Ok(Some(Value::Void));
            }
            ("pthread_exit", [value]) => {
                if library_calls(self.tree, self.symbols).any(|(name, _)| name == CLEANUP) {
                    return Err(self.unsupported("`pthread_exit` in a program with `pthread_cleanup_push`"));
                }
                self.exit_thread(*value)?;
                return Ok(Some(Value::Void));
            }
            ("pthread_unreach_self", []) => {
                // It counts elements of arrays that are long enough for all threads that can be told apart.
                let own = self.own_thread();
                return Ok(Some(Value::Int(own, Interval { low: 0, high: u16::MAX.into() })));
            }
            ("pthread_self", []) => {
                let own = self.own_thread();
                return Ok(Some(Value::Int(own, Interval { low: 0, high: MOST_THREADS })));
            }
            ("pthread_cond_timedwait", _) if self.finds_deadlocks() => {
                return Err(self.unsupported(format!("deadlocks of a program with `{name}`")));
            }
            ("pthread_cond_timedwait", &[condition, mutex, until]) => {
                // It gives the mutex back and takes it again; whether the time was over is not known.
                self.value(condition)?;
                let mutex = self.value(mutex)?;
                self.value(until)?;
                self.expression.at = span;
                let lock = self.lock_state(&mutex)?;
                let free = self.int(0);
                self.set(&lock, free);
                self.wait_for_lock(&lock, "lock", false);
                self.uninterrupted(|this| this.change_lock(&lock, "lock", false))?;
                return self.zero_or(TIMED_OUT).map(Some);
            }
            (
                "pthread_mutex_timedlock" | "pthread_rwlock_timedwrlock" | "pthread_rwlock_timedrdlock",
                &[mutex, until],
            ) => {
                // Whoever does not get it in time finds it taken then.
                let (action, shared) = match name {
                    "pthread_rwlock_timedwrlock" => ("trywrlock", true),
                    "pthread_rwlock_timedrdlock" => ("tryrdlock", true),
                    _ => ("trylock", false),
                };
                let mutex = self.value(mutex)?;
                self.value(until)?;
                self.expression.at = span;
                let lock = self.lock_state(&mutex)?;
                let taken = self.uninterrupted(|this| this.change_lock(&lock, action, shared))?;
                let Value::Int(taken, _) = taken else { return Ok(None) };
                let (busy, over) = (self.int(BUSY), self.int(TIMED_OUT));
                let is_busy = self.equal(taken, busy);
                let result = self.ite(is_busy, over, taken);
                return Ok(Some(Value::Int(result, Interval { low: 0, high: TIMED_OUT })));
            }
            ("pthread_cond_wait", &[condition, mutex]) if self.finds_deadlocks() => {
                let condition = self.value(condition)?;
                let mutex = self.value(mutex)?;
                self.expression.at = span;
                self.wait_for_signal(&condition, &mutex)?;
            }
            ("pthread_cond_signal" | "pthread_cond_broadcast", &[condition]) if self.finds_deadlocks() => {
                let condition = self.value(condition)?;
                self.expression.at = span;
                self.signal(&condition, name.ends_with("broadcast"))?;
            }
            ("pthread_mutexattr_settype", &[attributes, kind]) => {
                let attributes = self.value(attributes)?;
                let Value::Int(kind, _) = self.value(kind)? else { return Ok(None) };
                self.expression.at = span;
                return self.set_kind_of_attributes(&attributes, kind).map(Some);
            }
            ("pthread_mutex_init" | INIT_OF_KIND, &[mutex, how]) if self.threads.kinds => {
                let mutex = self.value(mutex)?;
                let how = self.value(how)?;
                self.expression.at = span;
                self.initialise_mutex(&mutex, &how)?;
            }
            ("pthread_equal", [left, right]) => {
                let (Value::Int(left, _), Value::Int(right, _)) = (self.value(*left)?, self.value(*right)?)
                else {
                    return Err(self.unsupported("names of threads that are no integers"));
                };
                let same = self.equal(left, right);
                return Ok(Some(self.int_of_truth(same)));
            }
            _ => {
                let Some(position) = lock_argument(name) else {
                    return self.without_effect(name, arguments);
                };
                let Some(&lock) = arguments.get(position) else {
                    return Err(self.unsupported(format!("`{name}` without a lock")));
                };
                for &other in arguments.iter().filter(|&&other| other != lock) {
                    self.value(other)?;
                }
                let pointer = self.value(lock)?;
                self.expression.at = span;
                if let Value::Pointer(base, offset) = pointer
                    && self.literal(base).is_none()
                {
                    let one = self.int(1);
                    self.check_access(base, offset, one, "a lock that is not in valid memory")?;
                }
                return self.lock_call(name, &pointer).map(Some);
            }
        }
        Ok(Some(self.number(0)))
    }

    /// Whether something happens, as it happens.
    pub(super) fn any_truth(&mut self) -> Expr {
        let truth = self.temporary(ir::Type::BOOL);
        self.havoc(vec![truth]);
        self.var(truth)
    }

    /// Zero or an error, as it happens.
    fn zero_or(&mut self, error: i128) -> Result<Value> {
        let (fails, zero, number) = (self.any_truth(), self.int(0), self.int(error));
        Ok(Value::Int(self.ite(fails, number, zero), Interval { low: 0, high: error }))
    }

    fn number(&mut self, value: i128) -> Value {
        Value::Int(self.int(value), Interval::exactly(value))
    }

    /// Functions that change nothing which matters here.
    fn without_effect(&mut self, name: &str, arguments: &[ExprId]) -> Result<Option<Value>> {
        let known = matches!(
            name,
            "pthread_cond_init"
                | "pthread_cond_signal"
                | "pthread_cond_broadcast"
                | "pthread_cond_destroy"
                | "pthread_attr_init"
                | "pthread_attr_destroy"
                | "pthread_attr_setdetachstate"
                | "pthread_attr_setscope"
                | "pthread_attr_setstacksize"
                | "pthread_mutexattr_init"
                | "pthread_mutexattr_destroy"
                | "pthread_condattr_init"
                | "pthread_condattr_destroy"
                | "pthread_condattr_setclock"
                | "pthread_condattr_setpshared"
                | "pthread_rwlockattr_setpshared"
                | "pthread_mutexattr_setpshared"
                | "pthread_attr_setguardsize"
                | "pthread_rwlockattr_init"
                | "pthread_rwlockattr_destroy"
                | "pthread_setconcurrency"
                | "pthread_testcancel"
                | "pthread_yield"
                | CLEANUP
        );
        if !known {
            return Err(self.unsupported(format!("threads (`{name}`)")));
        }
        self.argument_values(arguments)?;
        Ok(Some(self.number(0)))
    }

    fn finds_deadlocks(&self) -> bool {
        self.options.asks(Check::Deadlock)
    }

    /// Makes it an error that all threads wait.
    pub(super) fn forbid_deadlocks(&mut self, start: Procedure) {
        if self.threads.concurrent && self.finds_deadlocks() {
            self.report.asserted += 1;
            let mark = Mark::DeadlockFree.attribute(Vec::new());
            self.program.procedures[start].attributes.push(mark);
        }
    }

    /// The function `main` has returned, which ends the program, or its thread was ended by `pthread_exit`. A program that has ended does
    /// not wait.
    pub(super) fn end_main(&mut self) {
        if self.threads.concurrent && self.finds_deadlocks() {
            let goes_on = match self.threads.first_exits {
                Some(exits) => self.var(exits),
                None => self.truth(false),
            };
            self.assume(goes_on);
        }
    }
}
