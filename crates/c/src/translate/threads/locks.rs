//! Locks and condition variables.
//!
//! The state of a lock is a number: 0 if it is free, 1 if it is held (for a read-write lock the number of its readers, or −1
//! for a writer), and [`DESTROYED`]; a lock that is destroyed refuses every operation, as it does in practice. Where all
//! locks are variables of the program, each has a variable for its state; otherwise there is a map from their addresses.
//!
//! A thread that waits for a condition gives its mutex back and takes it again: it may wake up for no reason, so what
//! signals do makes no difference, unless it is asked whether all threads can come to wait.

use super::{BUSY, INVALID, Result, Translator};
use crate::options::Check;
use crate::translate::numbers::Interval;
use crate::translate::values::Value;
use ir::{BinaryOp, Expr, Variable};

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
}

impl Kept {
    /// The name of variables for it.
    fn name(self) -> &'static str {
        match self {
            Kept::Holders => "#lock",
            Kept::Waiting => "#waiting",
            Kept::Signals => "#signals",
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

    /// The state of a lock as an expression, and how to change it.
    pub(super) fn lock_state(&mut self, pointer: &Value) -> Result<LockState> {
        self.state_of(Kept::Holders, pointer)
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
                return Ok(LockState { variable: state, indices: Vec::new() });
            }
            let state = self.new_global(what.name(), ir::Type::INT);
            self.threads.states.insert((what, base, offset), state);
            return Ok(LockState { variable: state, indices: Vec::new() });
        }
        if self.threads.named_locks {
            return Err(self.unsupported("a lock whose address is not known"));
        }
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
        Ok(LockState { variable: map, indices: vec![base, offset] })
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
        let possible = match action.ends_with("rdlock") {
            true => self.compare(BinaryOp::GreaterEqual, state, zero),
            false => self.equal(state, zero),
        };
        let invalid = self.equal(state, destroyed);
        let goes_on = if self.threads.destroys { self.or(invalid, possible) } else { possible };
        self.wait_until(goes_on, if shared { "a read-write lock" } else { "a mutex" });
    }

    /// `pthread_cond_wait` where it matters that threads wait: a thread goes on when it is signalled, or for no reason, which it
    /// decides at the beginning. A signal allows one of the threads to go on that wait then.
    pub(super) fn wait_for_signal(&mut self, condition: &Value, mutex: &Value) -> Result<()> {
        let lock = self.lock_state(mutex)?;
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

    /// Takes a lock or gives it back, in one step; the result of the function.
    pub(super) fn change_lock(&mut self, lock: &LockState, action: &str, shared: bool) -> Result<Value> {
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
}
