//! How long and how large a run may become.
//!
//! A [`Budget`] is a shared flag. Algorithms call [`Budget::check`] in their loops: one relaxed atomic
//! load, so it may stand in hot ones. Who trips the flag is somebody else's business: the
//! [`watch`](Budget::watch)dog thread does for wall time and memory, a signal handler for Ctrl-C, a
//! test by hand. What cannot look at the flag by itself, such as a solver in the middle of a query,
//! registers a hook that is run when the budget is tripped.
//!
//! A budget also counts effort: every check is a unit, and whoever works without checking, such as a solver, says
//! afterwards how much it did ([`Budget::spend`]). The count depends on the work only, not on the machine or its load.
//! Several runs can share a machine fairly and repeatably when each has a [`lane`](Budget::lane) of its own with an
//! [allowance](Budget::allow) of effort: at its end the run is held up until there is more.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

pub use interrupt::{Interrupted, Limit};

type Hook = Box<dyn Fn() + Send>;

/// What a run does when its allowance is used up; when it comes back there is more, or the budget is tripped.
type Wait = Box<dyn Fn() + Send + Sync>;

struct Shared {
    tripped: AtomicU8,
    effort: AtomicU64,
    allowance: AtomicU64,
    wait: Option<Wait>,
    /// Whether others have their turns between those of this run.
    among_others: bool,
    hooks: Mutex<Hooks>,
}

impl Default for Shared {
    fn default() -> Shared {
        Shared {
            tripped: AtomicU8::new(0),
            effort: AtomicU64::new(0),
            allowance: AtomicU64::new(u64::MAX),
            wait: None,
            among_others: false,
            hooks: Mutex::default(),
        }
    }
}

#[derive(Default)]
struct Hooks {
    next: u64,
    active: Vec<(u64, Hook)>,
}

fn lock(hooks: &Mutex<Hooks>) -> MutexGuard<'_, Hooks> {
    // A hook that panicked leaves the list intact, so a poisoned lock is still good.
    hooks.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A limit on a run, shared by everything that works on it. Clones are the same budget.
#[derive(Clone, Default)]
pub struct Budget {
    shared: Arc<Shared>,
}

impl interrupt::Budget for Budget {
    #[inline]
    fn check(&self) -> Result<(), Interrupted> {
        Budget::check(self)
    }
}

/// What the watchdog guards.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limits {
    /// Wall time from the start of the watchdog.
    pub time: Option<Duration>,
    /// Resident memory of the process, in bytes.
    pub memory: Option<u64>,
}

impl Budget {
    /// A budget that nothing trips by itself.
    pub fn unlimited() -> Budget {
        Budget::default()
    }

    /// A budget of its own for one of several runs: tripped when this one is, with nothing allowed at first.
    ///
    /// `wait` is called on the run's thread whenever its allowance is used up, and comes back when more was
    /// [allowed](Budget::allow) or the lane was tripped.
    pub fn lane(&self, wait: impl Fn() + Send + Sync + 'static) -> (Budget, HookGuard) {
        self.lane_like(Shared { wait: Some(Box::new(wait)), ..Shared::default() })
    }

    /// As [`lane`](Budget::lane), for a run that takes turns with others.
    pub fn lane_among_others(&self, wait: impl Fn() + Send + Sync + 'static) -> (Budget, HookGuard) {
        self.lane_like(Shared { wait: Some(Box::new(wait)), among_others: true, ..Shared::default() })
    }

    fn lane_like(&self, shared: Shared) -> (Budget, HookGuard) {
        let shared = Shared { allowance: AtomicU64::new(0), ..shared };
        let lane = Budget { shared: Arc::new(shared) };
        let (parent, child) = (Arc::downgrade(&self.shared), lane.clone());
        let guard = self.on_trip(move || {
            let limit = parent.upgrade().map_or(0, |parent| parent.tripped.load(Ordering::SeqCst));
            if child.check_tripped().is_err() {
                child.remind();
            }
            child.trip(decode(limit));
        });
        (lane, guard)
    }

    /// A budget of its own for a part of a run: tripped when this one is, and at the end of so much effort.
    pub fn part(&self, effort: u64) -> (Budget, HookGuard) {
        let own: Arc<OnceLock<Weak<Shared>>> = Arc::default();
        let itself = Arc::clone(&own);
        let (part, guard) = self.lane(move || {
            if let Some(shared) = itself.get().and_then(Weak::upgrade) {
                Budget { shared }.trip(Limit::Effort);
            }
        });
        // Nobody else has set it.
        let _ = own.set(Arc::downgrade(&part.shared));
        part.allow(effort);
        (part, guard)
    }

    /// Fails once the budget was tripped. Costs a few relaxed loads and stores, and counts as a unit of effort.
    #[inline]
    pub fn check(&self) -> Result<(), Interrupted> {
        self.spend(1);
        self.check_tripped()
    }

    #[inline]
    fn check_tripped(&self) -> Result<(), Interrupted> {
        match self.shared.tripped.load(Ordering::Relaxed) {
            0 => Ok(()),
            limit => Err(Interrupted(decode(limit))),
        }
    }

    /// Counts effort, and waits if there is no allowance left.
    #[inline]
    pub fn spend(&self, units: u64) {
        let Shared { effort, allowance, .. } = &*self.shared;
        // A lane is one thread, so nothing is lost between the two; elsewhere nobody needs the exact number.
        let spent = effort.load(Ordering::Relaxed).saturating_add(units);
        effort.store(spent, Ordering::Relaxed);
        if spent >= allowance.load(Ordering::Relaxed) {
            self.wait();
        }
    }

    #[cold]
    fn wait(&self) {
        if self.check_tripped().is_ok()
            && let Some(wait) = &self.shared.wait
        {
            wait();
        }
    }

    /// Lets others go first: the run is held up until its next turn, and keeps what is left of its allowance. Who takes turns
    /// with nobody goes on at once.
    pub fn stand_back(&self) {
        if self.shared.among_others {
            self.wait();
        }
    }

    /// Takes back some of the effort of a lane, for work that shall count less than who did it has said.
    pub fn take_back(&self, units: u64) {
        let effort = &self.shared.effort;
        effort.store(effort.load(Ordering::Relaxed).saturating_sub(units), Ordering::Relaxed);
    }

    /// The effort so far.
    pub fn effort(&self) -> u64 {
        self.shared.effort.load(Ordering::Relaxed)
    }

    /// The effort that is left before the run is held up.
    pub fn left(&self) -> u64 {
        self.shared.allowance.load(Ordering::Relaxed).saturating_sub(self.effort())
    }

    /// Allows so much effort in all.
    pub fn allow(&self, effort: u64) {
        self.shared.allowance.store(effort, Ordering::Relaxed);
    }

    /// Allows so much effort in all, unless more is allowed already.
    pub fn allow_at_least(&self, effort: u64) {
        self.shared.allowance.fetch_max(effort, Ordering::Relaxed);
    }

    /// Trips the budget and runs the hooks. Only the first reason is kept.
    pub fn trip(&self, limit: Limit) {
        let first = self.shared.tripped.compare_exchange(0, limit as u8, Ordering::SeqCst, Ordering::SeqCst);
        if first.is_ok() {
            for (_, hook) in &lock(&self.shared.hooks).active {
                hook();
            }
        }
    }

    /// Runs the hooks once more: a solver that began its query just after [`trip`](Budget::trip) has missed
    /// the first call.
    fn remind(&self) {
        for (_, hook) in &lock(&self.shared.hooks).active {
            hook();
        }
    }

    /// Runs `hook` when the budget is tripped, or now if it already is. It is forgotten when the guard is dropped.
    #[must_use = "the hook is removed when the guard is dropped"]
    pub fn on_trip(&self, hook: impl Fn() + Send + 'static) -> HookGuard {
        let mut hooks = lock(&self.shared.hooks);
        if self.check_tripped().is_err() {
            hook();
        }
        let key = hooks.next;
        hooks.next += 1;
        hooks.active.push((key, Box::new(hook)));
        HookGuard { shared: Arc::downgrade(&self.shared), key }
    }

    /// Starts a watchdog thread that trips the budget at the limits. The thread ends when the guard is dropped.
    ///
    /// If the guard is still alive `grace` after the budget was tripped (by anyone), `overrun` is called on the
    /// watchdog's thread: the last word for a run that does not come back by itself.
    #[allow(clippy::disallowed_methods, reason = "the watchdog is the one place that looks at the clock")]
    pub fn watch(
        &self,
        limits: Limits,
        grace: Duration,
        overrun: impl FnOnce(Limit) + Send + 'static,
    ) -> Watchdog {
        let start = std::time::Instant::now();
        let budget = self.clone();
        let alive = Arc::new(());
        let watched = Arc::downgrade(&alive);
        let thread = std::thread::spawn(move || {
            let mut tripped_at = None;
            while watched.strong_count() > 0 {
                if let Err(Interrupted(limit)) = budget.check_tripped() {
                    let since = *tripped_at.get_or_insert_with(std::time::Instant::now);
                    if since.elapsed() >= grace {
                        return overrun(limit);
                    }
                    budget.remind();
                } else if limits.time.is_some_and(|time| start.elapsed() >= time) {
                    budget.trip(Limit::Time);
                } else if limits
                    .memory
                    .is_some_and(|memory| resident_bytes().is_some_and(|used| used >= memory))
                {
                    budget.trip(Limit::Memory);
                }
                let left = limits.time.map_or(POLL, |time| time.saturating_sub(start.elapsed()));
                std::thread::park_timeout(left.clamp(Duration::from_millis(1), POLL));
            }
        });
        Watchdog { alive: Some(alive), thread: Some(thread) }
    }
}

/// How often the watchdog looks.
const POLL: Duration = Duration::from_millis(10);

fn decode(limit: u8) -> Limit {
    match limit {
        1 => Limit::Time,
        2 => Limit::Memory,
        4 => Limit::Effort,
        _ => Limit::Cancelled,
    }
}

/// The resident memory of this process, where the system tells it.
#[allow(clippy::disallowed_methods, reason = "the kernel tells the memory of a process through a file")]
pub fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split(' ').nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

/// Linux reports memory in pages of this size on the machines that we build for.
const PAGE: u64 = 4096;

/// Keeps a hook registered.
pub struct HookGuard {
    shared: Weak<Shared>,
    key: u64,
}

impl Drop for HookGuard {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.upgrade() {
            lock(&shared.hooks).active.retain(|&(key, _)| key != self.key);
        }
    }
}

/// Keeps the watchdog alive; dropping it ends the thread.
pub struct Watchdog {
    alive: Option<Arc<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.alive = None;
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // The thread only fails if a hook or the overrun panics, and that panic was already reported.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    fn counter() -> (Arc<AtomicU32>, impl Fn() + Send + 'static) {
        let count = Arc::new(AtomicU32::new(0));
        let inner = Arc::clone(&count);
        (count, move || {
            inner.fetch_add(1, Ordering::SeqCst);
        })
    }

    #[test]
    fn the_first_reason_is_kept() {
        let budget = Budget::unlimited();
        assert_eq!(budget.check(), Ok(()));
        budget.clone().trip(Limit::Memory);
        budget.trip(Limit::Time);
        assert_eq!(budget.check(), Err(Interrupted(Limit::Memory)));
    }

    #[test]
    fn hooks_run_once_per_trip_and_not_after_their_guard() {
        let budget = Budget::unlimited();
        let (kept, hook) = counter();
        let _guard = budget.on_trip(hook);
        let (dropped, hook) = counter();
        drop(budget.on_trip(hook));
        budget.trip(Limit::Cancelled);
        budget.trip(Limit::Cancelled);
        assert_eq!((kept.load(Ordering::SeqCst), dropped.load(Ordering::SeqCst)), (1, 0));
        let (late, hook) = counter();
        let _guard = budget.on_trip(hook);
        assert_eq!(late.load(Ordering::SeqCst), 1, "a hook that comes too late runs at once");
    }

    #[test]
    fn a_part_ends_with_its_effort_and_leaves_the_rest_alone() {
        let budget = Budget::unlimited();
        let (part, _guard) = budget.part(10);
        assert_eq!(part.check(), Ok(()));
        part.spend(20);
        assert_eq!(part.check(), Err(Interrupted(Limit::Effort)));
        assert_eq!(budget.check(), Ok(()));
        let (other, _guard) = budget.part(10);
        budget.trip(Limit::Time);
        assert_eq!(other.check(), Err(Interrupted(Limit::Time)));
    }

    #[test]
    fn the_watchdog_trips_at_the_time_limit_and_calls_overrun_after_the_grace() {
        let budget = Budget::unlimited();
        let (send, receive) = std::sync::mpsc::channel();
        let limits = Limits { time: Some(Duration::from_millis(5)), memory: None };
        let _dog = budget.watch(limits, Duration::from_millis(5), move |limit| {
            send.send(limit).expect("the test waits for this");
        });
        assert_eq!(receive.recv_timeout(Duration::from_secs(20)), Ok(Limit::Time));
        assert_eq!(budget.check(), Err(Interrupted(Limit::Time)));
    }

    #[test]
    fn the_watchdog_trips_at_the_memory_limit() {
        let budget = Budget::unlimited();
        let (send, receive) = std::sync::mpsc::channel();
        let _guard = budget.on_trip(move || {
            let _ = send.send(());
        });
        let limits = Limits { time: None, memory: Some(1) };
        let _dog = budget.watch(limits, Duration::from_secs(600), |_| {});
        receive.recv_timeout(Duration::from_secs(20)).expect("every process uses more than a byte");
        assert_eq!(budget.check(), Err(Interrupted(Limit::Memory)));
    }

    #[test]
    fn a_lane_waits_at_the_end_of_its_allowance() {
        let (waits, hook) = counter();
        let hook = Mutex::new(hook);
        let (lane, _guard) = Budget::unlimited().lane(move || lock_any(&hook)());
        lane.allow(10);
        lane.spend(8);
        assert_eq!((lane.check(), waits.load(Ordering::SeqCst)), (Ok(()), 0));
        assert_eq!((lane.check(), waits.load(Ordering::SeqCst)), (Ok(()), 1));
        lane.allow(20);
        assert_eq!((lane.check(), waits.load(Ordering::SeqCst)), (Ok(()), 1));
        assert_eq!(lane.effort(), 11);
    }

    #[test]
    fn who_stands_back_waits_once_and_keeps_the_allowance() {
        let parent = Budget::unlimited();
        for among_others in [false, true] {
            let (waits, hook) = counter();
            let hook = Mutex::new(hook);
            let wait = move || lock_any(&hook)();
            let (lane, _guard) =
                if among_others { parent.lane_among_others(wait) } else { parent.lane(wait) };
            lane.allow(10);
            lane.spend(3);
            lane.stand_back();
            assert_eq!(waits.load(Ordering::SeqCst), u32::from(among_others));
            assert_eq!((lane.effort(), lane.left()), (3, 7));
        }
        let (part, _guard) = parent.part(10);
        part.stand_back();
        assert_eq!(part.check(), Ok(()), "a part has nobody to stand back for");
    }

    fn lock_any<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[test]
    fn lanes_are_tripped_with_their_parent_and_without_it() {
        let parent = Budget::unlimited();
        let [(first, _one), (second, _two)] = [parent.lane(|| {}), parent.lane(|| {})];
        first.trip(Limit::Cancelled);
        assert_eq!((parent.check(), second.check()), (Ok(()), Ok(())));
        parent.trip(Limit::Time);
        assert_eq!(first.check(), Err(Interrupted(Limit::Cancelled)));
        assert_eq!(second.check(), Err(Interrupted(Limit::Time)));
    }

    #[test]
    fn a_dropped_watchdog_trips_nothing() {
        let budget = Budget::unlimited();
        drop(budget.watch(Limits::default(), Duration::ZERO, |_| {}));
        assert_eq!(budget.check(), Ok(()));
    }
}
