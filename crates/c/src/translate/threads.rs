//! POSIX threads: threads, mutexes, read-write locks, condition variables, and atomic parts.
//!
//! A program that starts threads is translated such that every access to an object which another thread may know is a
//! step of its own: what is loaded is held in a variable at once. Memory is sequentially consistent. A data race has no
//! meaning in C, but collections of verification tasks take it for an interleaving, and so does this translation.
//!
//! Threads are named by numbers in the order of their creation. Creating a thread always works. Locks and conditions are
//! in [`locks`].

mod locks;

use super::classes::{Class, Classes, Key};
use super::live::Live;
use super::numbers::Interval;
use super::observe::Races;
use super::places::Place;
use super::values::Value;
use super::{Result, Translator};
use crate::options::{Check, Service};
use crate::symbols::Symbols;
use crate::tree::{Callee, ExprId, ExprKind, FuncId, Function, Init, Lifetime, Step, Tree, VarId};
use crate::types::{IntKind, Type, TypeId, Types};
use base::{EntitySet, Span};
use ir::{Boundary, Expr, ExprData, Mark, Procedure, StatementKind, Transfer, Variable, VariableKind};
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
/// `ESRCH`
const NO_SUCH: i128 = 3;

/// `ETIMEDOUT`
const TIMED_OUT: i128 = 110;
/// `EDEADLK`
const DEADLOCK: i128 = 35;

/// A thread that was joined; for others the number is 0 or [`DETACHED`].
const JOINED: i128 = 1;
/// A thread that was detached.
const DETACHED: i128 = 2;

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

/// What the initialisers of static variables say about the kinds of the locks in them.
#[derive(Default)]
struct StaticKinds {
    kinds: Vec<StaticKind>,
    /// A lock that begins as something else than a free one of a known kind.
    odd: Option<Span>,
}

/// A lock in a static variable whose initialiser gives it a kind.
#[derive(Clone, Copy)]
struct StaticKind {
    variable: VarId,
    /// Where it is in there, in bytes.
    offset: i128,
    kind: i128,
}

/// The members of a mutex that say its kind, in the built-in header and in that of the GNU C library.
const KIND_MEMBERS: &[&str] = &["__unreach_state", "__kind"];

impl StaticKinds {
    fn of(tree: &Tree, symbols: &Symbols) -> StaticKinds {
        let mut locks: BTreeSet<TypeId> = BTreeSet::new();
        let mut mutexes: BTreeSet<TypeId> = BTreeSet::new();
        for (name, arguments) in library_calls(tree, symbols) {
            if let Some(&(mut lock)) = lock_argument(name).and_then(|position| arguments.get(position)) {
                while let ExprKind::Convert(inner) = tree.exprs[lock].kind {
                    lock = inner;
                }
                let ty = tree.types.pointee(tree.exprs[lock].ty);
                locks.extend(ty);
                mutexes.extend(ty.filter(|_| !name.starts_with("pthread_rwlock_")));
            }
        }
        let mut found = StaticKinds::default();
        for (variable, data) in &tree.variables {
            let whole = [];
            let parts: Vec<(&[Step], ExprId)> = match &data.init {
                Some(Init::Parts(parts)) => parts.iter().map(|(path, value)| (&path[..], *value)).collect(),
                Some(Init::Whole(value)) => vec![(&whole[..], *value)],
                None => Vec::new(),
            };
            for (path, value) in parts {
                let Some((lock, offset, inside)) = lock_on_path(&tree.types, data.ty, path, &locks) else {
                    continue;
                };
                let kind = match (number(tree, value), says_kind(tree, symbols, lock, inside)) {
                    (Some(0), _) => continue,
                    (Some(kind @ 1..=3), true) if mutexes.contains(&lock) => kind,
                    _ => {
                        found.odd.get_or_insert(data.span);
                        continue;
                    }
                };
                // An adaptive mutex is a plain one that is quicker.
                match (data.lifetime, kind) {
                    (_, 3) => {}
                    (Lifetime::Static, kind) => found.kinds.push(StaticKind { variable, offset, kind }),
                    _ => found.odd = found.odd.or(Some(data.span)),
                }
            }
        }
        found
    }
}

/// The number that an expression is.
fn number(tree: &Tree, mut value: ExprId) -> Option<i128> {
    loop {
        match tree.exprs[value].kind {
            ExprKind::Convert(inner) => value = inner,
            ExprKind::Int(number) => return Some(number),
            _ => return None,
        }
    }
}

/// The lock that a path leads to or into, where it is, and the rest of the path.
fn lock_on_path<'p>(
    types: &Types,
    mut ty: TypeId,
    mut path: &'p [Step],
    locks: &BTreeSet<TypeId>,
) -> Option<(TypeId, i128, &'p [Step])> {
    let mut offset = 0;
    loop {
        if locks.contains(&ty) {
            return Some((ty, offset, path));
        }
        let (step, rest) = path.split_first()?;
        path = rest;
        let by;
        (ty, by) = match (step, &types[ty]) {
            (&Step::Index(index), Type::Array(element, _)) => {
                let size = i128::from(types.size(*element)?);
                (*element, size * index as i128)
            }
            (&Step::Field(field), &Type::Record(record)) => {
                let field = types.field(record, field)?;
                (field.ty, i128::from(field.bit_offset / 8))
            }
            _ => return None,
        };
        offset += by;
    }
}

/// Whether a path in a mutex leads to what says its kind.
fn says_kind(tree: &Tree, symbols: &Symbols, mut ty: TypeId, path: &[Step]) -> bool {
    let mut last = None;
    for step in path {
        let (&Step::Field(field), &Type::Record(record)) = (step, &tree.types[ty]) else { return false };
        let Some(field) = tree.types.field(record, field) else { return false };
        (ty, last) = (field.ty, field.name);
    }
    last.is_some_and(|name| KIND_MEMBERS.contains(&symbols.text(name)))
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

    /// `pthread_create`
    fn create(&mut self, arguments: &[ExprId]) -> Result<()> {
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
    pub(super) fn next_name(&mut self) -> Value {
        let next = self.next_thread();
        Value::Int(self.var(next), Interval { low: 1, high: MOST_THREADS })
    }

    fn next_thread(&mut self) -> Variable {
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
    fn join_thread(&mut self, thread: ExprId, result: ExprId) -> Result<Value> {
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
    fn detach_thread(&mut self, thread: ExprId) -> Result<Value> {
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
    fn exit_thread(&mut self, value: ExprId) -> Result<()> {
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
