//! Locks and condition variables.
//!
//! The state of a lock is a number: 0 if it is free, 1 if it is held (for a read-write lock the number of its readers, or −1
//! for a writer), and [`DESTROYED`]; a lock that is destroyed refuses every operation, as it does in practice. Where all
//! locks are variables of the program, each has a variable for its state; otherwise there is a map from their addresses.
//!
//! Where a program makes mutexes of several kinds, their owners and kinds are kept, too: a recursive mutex counts how often its owner has taken it,
//! one that checks errors refuses to be taken twice; and both refuse to be given back by somebody else.
//!
//! A thread that waits for a condition gives its mutex back and takes it again: it may wake up for no reason, so what
//! signals do makes no difference, unless it is asked whether all threads can come to wait.

use super::{Accesses, BUSY, INVALID, Result, StaticKind, Translator};
use crate::options::Check;
use crate::translate::numbers::Interval;
use crate::translate::places::Place;
use crate::translate::values::Value;
use crate::tree::ExprId;
use base::EntityRef;
use ir::{BinaryOp, Expr, ExprData, Variable, VariableKind};

/// The state of a lock that was destroyed.
const DESTROYED: i128 = -2;

/// What is kept about a lock or a condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kept {
    /// Who holds a lock.
    Holders,
    /// How many threads wait for a condition.
    Waiting,
    /// How many of them may go on.
    Signals,
    /// The thread that has taken a mutex last.
    Owner,
    /// The kind of a mutex, as [`RECURSIVE`].
    Kind,
    /// The kind of the mutexes that are made with some attributes.
    KindOfAttributes,
}

/// The kind of a mutex that its owner can take again.
const RECURSIVE: i128 = 1;
/// The kind of a mutex that checks errors.
const CHECKING: i128 = 2;
/// `EPERM`
const NOT_PERMITTED: i128 = 1;

impl Kept {
    /// The name of variables for it.
    fn name(self) -> &'static str {
        match self {
            Kept::Holders => "#lock",
            Kept::Waiting => "#waiting",
            Kept::Signals => "#signals",
            Kept::Owner => "#owner",
            Kept::Kind => "#kind",
            Kept::KindOfAttributes => "#attributes",
        }
    }
}

impl Translator<'_> {
    /// Here a thread waits until a condition over global variables holds.
    pub(super) fn wait_until(&mut self, condition: Expr, what: &str) {
        if !self.finds_deadlocks() {
            return;
        }
        if self.threads.concurrent {
            self.assume_waiting(condition, what);
        } else {
            self.assert(condition, &format!("{}: the only thread waits for {what}", Check::Deadlock.name()));
            self.assume(condition);
        }
    }

    /// A model of the library waits until a condition holds, which is looked at again whenever something changes. That is no access.
    pub(in crate::translate) fn wait_in_model(&mut self, condition: ExprId, what: ExprId) -> Result<()> {
        if !self.finds_deadlocks() {
            return Ok(());
        }
        let what = self.literal_text(what).unwrap_or_default();
        let known = self.program.variables.len();
        let condition = self.accessing(Accesses::None, |this| {
            (this.expression.mathematical, this.expression.waiting) = (true, true);
            let condition = this.condition(condition);
            (this.expression.mathematical, this.expression.waiting) = (false, false);
            condition
        })?;
        // A value that was held when the thread came here says nothing of later.
        let parts = self.program.expressions.post_order([condition]);
        let is_held = |&part: &Expr| match self.program.expressions[part] {
            ExprData::Variable(variable) => {
                let is_global = self.program.variables[variable].kind == VariableKind::Global;
                variable.index() >= known && !is_global
            }
            _ => false,
        };
        if parts.iter().any(is_held) {
            return Err(self.unsupported(format!("deadlocks of a program that waits for {what}")));
        }
        self.accessing(Accesses::None, |this| {
            this.wait_until(condition, &what);
            Ok(())
        })
    }

    /// The state of a lock as an expression, and how to change it.
    pub(super) fn lock_state(&mut self, pointer: &Value) -> Result<LockState> {
        let mut lock = self.state_of(Kept::Holders, pointer)?;
        if self.threads.kinds {
            let (kind, owner) = (self.state_of(Kept::Kind, pointer)?, self.state_of(Kept::Owner, pointer)?);
            lock.owned = Some(Box::new(Owned { kind, owner }));
        }
        Ok(lock)
    }

    /// `pthread_mutexattr_settype`
    pub(super) fn set_kind_of_attributes(&mut self, attributes: &Value, kind: Expr) -> Result<Value> {
        let state = self.state_in_map(Kept::KindOfAttributes, attributes)?;
        let kind = self.freeze(kind);
        let is_known = self.between(kind, 0, CHECKING);
        let now = self.get(&state);
        let next = self.ite(is_known, kind, now);
        self.set(&state, next);
        let (zero, invalid) = (self.int(0), self.int(INVALID));
        let result = self.ite(is_known, zero, invalid);
        Ok(Value::Int(result, Interval { low: 0, high: INVALID }))
    }

    /// `pthread_mutex_init` where mutexes are of several kinds; attributes, or a number that says the kind.
    pub(super) fn initialise_mutex(&mut self, mutex: &Value, how: &Value) -> Result<()> {
        let lock = self.lock_state(mutex)?;
        let zero = self.int(0);
        self.set(&lock, zero);
        let kind = match *how {
            Value::Pointer(base, _) if self.literal(base) == Some(0) => zero,
            Value::Pointer(base, _) => {
                let state = self.state_in_map(Kept::KindOfAttributes, how)?;
                let (kind, is_null) = (self.get(&state), self.equal(base, zero));
                self.ite(is_null, zero, kind)
            }
            // In C11, two added to it means that there may be a limit of time.
            Value::Int(kind, _) => {
                let (recursive, timed) = (self.int(RECURSIVE), self.int(RECURSIVE + 2));
                let (one, other) = (self.equal(kind, recursive), self.equal(kind, timed));
                let is_recursive = self.or(one, other);
                self.ite(is_recursive, recursive, zero)
            }
            _ => return Err(self.unsupported("a mutex of an unknown kind")),
        };
        match &lock.owned {
            Some(owned) => {
                self.set(&owned.kind, kind);
                Ok(())
            }
            None => Err(self.unsupported("a mutex whose kind is not kept")),
        }
    }

    /// Mutexes of static variables begin with the kinds that their initialisers give them.
    pub(super) fn initialise_kinds(&mut self) -> Result<()> {
        for StaticKind { variable, offset, kind } in self.threads.static_kinds.kinds.clone() {
            let Place::Memory { base, .. } = self.variable_place(variable)? else {
                // Nobody uses its address, so nobody uses it as a mutex.
                continue;
            };
            let (offset, kind) = (self.int(offset), self.int(kind));
            let state = self.state_of(Kept::Kind, &Value::Pointer(base, offset))?;
            self.set(&state, kind);
        }
        Ok(())
    }

    /// Something that is kept about a lock or a condition.
    pub(super) fn state_of(&mut self, what: Kept, pointer: &Value) -> Result<LockState> {
        let &Value::Pointer(base, offset) = pointer else {
            return Err(self.unsupported("a lock without an address"));
        };
        if let (true, Some(base), Some(offset)) =
            (self.threads.named_locks, self.literal(base), self.literal(offset))
        {
            if let Some(&state) = self.threads.states.get(&(what, base, offset)) {
                return Ok(LockState { variable: state, indices: Vec::new(), owned: None });
            }
            let state = self.new_global(what.name(), ir::Type::INT);
            self.threads.states.insert((what, base, offset), state);
            return Ok(LockState { variable: state, indices: Vec::new(), owned: None });
        }
        if self.threads.named_locks {
            return Err(self.unsupported("a lock whose address is not known"));
        }
        self.state_in_map(what, pointer)
    }

    /// Something that is kept in a map, by the address that it is about.
    fn state_in_map(&mut self, what: Kept, pointer: &Value) -> Result<LockState> {
        let &Value::Pointer(base, offset) = pointer else {
            return Err(self.unsupported("a lock without an address"));
        };
        let map = match self.threads.maps.get(&what) {
            Some(&map) => map,
            None => {
                let inner = self.program.types.map([ir::Type::INT], ir::Type::INT);
                let ty = self.program.types.map([ir::Type::INT], inner);
                let map = self.new_global(&format!("{}s", what.name()), ty);
                self.threads.maps.insert(what, map);
                map
            }
        };
        Ok(LockState { variable: map, indices: vec![base, offset], owned: None })
    }

    pub(super) fn get(&mut self, lock: &LockState) -> Expr {
        let state = self.var(lock.variable);
        lock.indices.iter().fold(state, |map, &index| self.select(map, index))
    }

    pub(super) fn set(&mut self, lock: &LockState, value: Expr) {
        let old = self.var(lock.variable);
        let new = self.store(old, &lock.indices, value);
        self.assign(lock.variable, new);
    }

    pub(super) fn lock_call(&mut self, name: &str, pointer: &Value) -> Result<Value> {
        let lock = self.lock_state(pointer)?;
        let action = name.rsplit('_').next().unwrap_or_default();
        let shared = name.starts_with("pthread_rwlock_");
        match action {
            "init" => {
                let free = self.int(0);
                self.set(&lock, free);
            }
            "destroy" => {
                let destroyed = self.int(DESTROYED);
                self.set(&lock, destroyed);
            }
            "wait" => {
                self.refuse_waiting_with(&lock);
                let free = self.int(0);
                self.set(&lock, free);
                self.uninterrupted(|this| {
                    let state = this.get(&lock);
                    let free = this.int(0);
                    let is_free = this.equal(state, free);
                    this.assume(is_free);
                    let held = this.int(1);
                    this.set(&lock, held);
                    Ok(())
                })?;
            }
            "lock" | "wrlock" | "rdlock" => {
                self.wait_for_lock(&lock, action, shared);
                return self.uninterrupted(|this| this.change_lock(&lock, action, shared));
            }
            "trylock" | "trywrlock" | "tryrdlock" | "unlock" => {
                return self.uninterrupted(|this| this.change_lock(&lock, action, shared));
            }
            _ => return Err(self.unsupported(format!("threads (`{name}`)"))),
        }
        Ok(self.number(0))
    }

    /// Waits for a lock, where it matters that threads wait.
    pub(super) fn wait_for_lock(&mut self, lock: &LockState, action: &str, shared: bool) {
        if !self.finds_deadlocks() {
            return;
        }
        let (state, zero, destroyed) = (self.get(lock), self.int(0), self.int(DESTROYED));
        let mut possible = match action.ends_with("rdlock") {
            true => self.compare(BinaryOp::GreaterEqual, state, zero),
            false => self.equal(state, zero),
        };
        if let Some(owned) = &lock.owned {
            let (kind, owner, own) = (self.get(&owned.kind), self.get(&owned.owner), self.own_thread());
            let (knows, is_own) = (self.compare(BinaryOp::NotEqual, kind, zero), self.equal(owner, own));
            let answers = self.and(knows, is_own);
            possible = self.or(possible, answers);
        }
        let invalid = self.equal(state, destroyed);
        let goes_on = if self.threads.destroys { self.or(invalid, possible) } else { possible };
        self.wait_until(goes_on, if shared { "a read-write lock" } else { "a mutex" });
    }

    /// `pthread_cond_wait` where it matters that threads wait: a thread goes on when it is signalled, or for no reason, which it
    /// decides at the beginning. A signal allows one of the threads to go on that wait then.
    pub(super) fn wait_for_signal(&mut self, condition: &Value, mutex: &Value) -> Result<()> {
        let lock = self.lock_state(mutex)?;
        self.refuse_waiting_with(&lock);
        let (waiting, signals) =
            (self.state_of(Kept::Waiting, condition)?, self.state_of(Kept::Signals, condition)?);
        let one = self.int(1);
        self.uninterrupted(|this| {
            let (given, zero) = (this.get(&signals), this.int(0));
            // Whoever begins to wait must not take the signal of one that waited before.
            let fair = this.equal(given, zero);
            this.give_up_unless(fair, "which of the threads that wait for a condition goes on");
            this.set(&lock, zero);
            let now = this.get(&waiting);
            let more = this.add(now, one);
            this.set(&waiting, more);
            Ok(())
        })?;
        let by_itself = self.temporary(ir::Type::BOOL);
        self.havoc(vec![by_itself]);
        let by_itself = self.var(by_itself);
        let (wakes, sleeps, awake) =
            (self.new_block("wakes"), self.new_block("sleeps"), self.new_block("awake"));
        self.branch(by_itself, wakes, sleeps);
        self.start(wakes);
        self.uninterrupted(|this| {
            let (given, now) = (this.get(&signals), this.get(&waiting));
            let left = this.compare(BinaryOp::Less, given, now);
            this.assume(left);
            let fewer = this.subtract(now, one);
            this.set(&waiting, fewer);
            Ok(())
        })?;
        self.jump(awake);
        self.start(sleeps);
        let (given, zero) = (self.get(&signals), self.int(0));
        let signalled = self.compare(BinaryOp::Greater, given, zero);
        self.wait_until(signalled, "a condition");
        self.uninterrupted(|this| {
            let (given, now) = (this.get(&signals), this.get(&waiting));
            let signalled = this.compare(BinaryOp::Greater, given, zero);
            this.assume(signalled);
            let (fewer, rest) = (this.subtract(now, one), this.subtract(given, one));
            this.set(&waiting, fewer);
            this.set(&signals, rest);
            Ok(())
        })?;
        self.continue_in(awake);
        self.wait_for_lock(&lock, "lock", false);
        self.uninterrupted(|this| this.change_lock(&lock, "lock", false)).map(|_| ())
    }

    /// `pthread_cond_signal` and `pthread_cond_broadcast`, where it matters that threads wait.
    pub(super) fn signal(&mut self, condition: &Value, all: bool) -> Result<()> {
        let (waiting, signals) =
            (self.state_of(Kept::Waiting, condition)?, self.state_of(Kept::Signals, condition)?);
        self.uninterrupted(|this| {
            let (given, now, one) = (this.get(&signals), this.get(&waiting), this.int(1));
            let left = this.compare(BinaryOp::Less, given, now);
            let more = this.add(given, one);
            let next = if all { now } else { this.ite(left, more, given) };
            this.set(&signals, next);
            Ok(())
        })
    }

    /// A mutex of another kind than a plain one may be held more than once, and only one of the times is given back.
    fn refuse_waiting_with(&mut self, lock: &LockState) {
        if let Some(owned) = &lock.owned {
            let (kind, zero) = (self.get(&owned.kind), self.int(0));
            let is_plain = self.equal(kind, zero);
            self.give_up_unless(is_plain, "a condition with a mutex that is recursive or checks errors");
        }
    }

    /// Takes a mutex or gives it back where it matters who holds it, in one step; the result of the function.
    fn change_owned(&mut self, lock: &LockState, owned: &Owned, action: &str) -> Result<Value> {
        let [state, kind, owner] = [lock, &owned.kind, &owned.owner].map(|kept| {
            let now = self.get(kept);
            self.freeze(now)
        });
        let own = self.own_thread();
        let [zero, one, recursive, checking, destroyed, invalid] =
            [0, 1, RECURSIVE, CHECKING, DESTROYED, INVALID].map(|number| self.int(number));
        let valid = self.compare(BinaryOp::NotEqual, state, destroyed);
        let (is_free, is_held) = (self.equal(state, zero), self.compare(BinaryOp::Greater, state, zero));
        let is_owner = self.equal(owner, own);
        let is_mine = self.and(is_held, is_owner);
        let (counts, checks) = (self.equal(kind, recursive), self.equal(kind, checking));
        let again = self.and(is_mine, counts);
        let can_be_taken = self.or(is_free, again);
        let more = self.add(state, one);
        let (works, next, error) = match action {
            "unlock" => {
                let (cares, is_others) = (self.or(counts, checks), self.not(is_mine));
                let refused = self.and(cares, is_others);
                let fewer = self.subtract(state, one);
                (self.not(refused), self.ite(counts, fewer, zero), NOT_PERMITTED)
            }
            "trylock" => (can_be_taken, more, BUSY),
            _ => {
                let refused = self.and(is_mine, checks);
                let answers = self.or(can_be_taken, refused);
                let unusable = self.not(valid);
                let goes_on = self.or(answers, unusable);
                self.assume(goes_on);
                (self.not(refused), more, super::DEADLOCK)
            }
        };
        let works = self.and(works, valid);
        let next = self.ite(works, next, state);
        self.set(lock, next);
        if action != "unlock" {
            let next_owner = self.ite(works, own, owner);
            self.set(&owned.owner, next_owner);
        }
        let error = self.int(error);
        let refused = self.ite(valid, error, invalid);
        let result = self.ite(works, zero, refused);
        Ok(Value::Int(result, Interval { low: 0, high: super::DEADLOCK }))
    }

    /// Takes a lock or gives it back, in one step; the result of the function.
    pub(super) fn change_lock(&mut self, lock: &LockState, action: &str, shared: bool) -> Result<Value> {
        if let (Some(owned), false) = (&lock.owned, shared) {
            return self.change_owned(lock, owned, action);
        }
        if !self.threads.destroys && !shared && matches!(action, "lock" | "unlock") {
            // The product of threads follows a variable that only gets numbers.
            let (free, held) = (self.int(0), self.int(1));
            if action == "lock" {
                let state = self.get(lock);
                let is_free = self.equal(state, free);
                self.assume(is_free);
            }
            self.set(lock, if action == "lock" { held } else { free });
            return Ok(self.number(0));
        }
        let state = self.get(lock);
        let state = self.freeze(state);
        let (zero, one, minus_one) = (self.int(0), self.int(1), self.int(-1));
        let destroyed = self.int(DESTROYED);
        let valid = self.compare(BinaryOp::NotEqual, state, destroyed);
        let reads = action.ends_with("rdlock");
        let (possible, next) = match action {
            "unlock" if shared => {
                let fewer = self.subtract(state, one);
                let reading = self.compare(BinaryOp::Greater, state, zero);
                (self.truth(true), self.ite(reading, fewer, zero))
            }
            "unlock" => (self.truth(true), zero),
            _ if reads => (self.compare(BinaryOp::GreaterEqual, state, zero), self.add(state, one)),
            _ => (self.equal(state, zero), if shared { minus_one } else { one }),
        };
        let invalid = self.not(valid);
        if !action.starts_with("try") {
            let goes_on = self.or(invalid, possible);
            self.assume(goes_on);
            let next = self.ite(valid, next, state);
            self.set(lock, next);
            let error = self.int(INVALID);
            let result = self.ite(valid, zero, error);
            return Ok(Value::Int(result, Interval { low: 0, high: INVALID }));
        }
        let taken = self.and(valid, possible);
        let next = self.ite(taken, next, state);
        self.set(lock, next);
        let (busy, error) = (self.int(BUSY), self.int(INVALID));
        let refused = self.ite(valid, busy, error);
        let result = self.ite(taken, zero, refused);
        Ok(Value::Int(result, Interval { low: 0, high: INVALID }))
    }
}

/// Where the state of a lock is.
pub(super) struct LockState {
    variable: Variable,
    indices: Vec<Expr>,
    /// What else is kept, if mutexes are of several kinds.
    owned: Option<Box<Owned>>,
}

/// The kind and the owner of a mutex.
struct Owned {
    kind: LockState,
    owner: LockState,
}
