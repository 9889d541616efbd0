//! A crew: threads that do parts of one run at once, under the budget of the run.
//!
//! Each member has a thread, a budget and whatever else it needs of its own, and gets one job of each batch. What members do must not depend
//! on how many of them work at the same time, so their effort is counted in turns: in every turn each member with an unfinished job
//! may spend the same part of what the run is still allowed, and is held up at its end. When all have come to theirs, the run is charged with the sum
//! of what they have spent. It is the sum and not the longest, so that a run with a crew costs as much as one without, and others that
//! take turns with the run wait for it no longer on one worker. If nothing of its allowance is left, the run is held up
//! like any other, with all of its members, until there is more.
//!
//! Cost: two changes of the thread for each member and turn.

use base::budget::HookGuard;
use base::{Budget, Interrupted, Limit};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The least effort for a member in a turn: less would end before the first question to a solver.
const LEAST_SHARE: u64 = 20_000;

/// Where a member is.
enum Place<J, R> {
    /// Without a job.
    Idle,
    /// With a job that is not begun.
    Given(J),
    /// At work, or about to be as soon as not too many others are.
    Working,
    /// At the end of its share.
    HeldUp,
    /// Through.
    Done(R),
}

struct State<J, R> {
    places: Vec<Place<J, R>>,
    /// So many more may work.
    free: usize,
    /// Whether everybody shall go home.
    closed: bool,
}

struct Shared<J, R> {
    state: Mutex<State<J, R>>,
    changed: Condvar,
}

impl<J, R> Shared<J, R> {
    fn lock(&self) -> MutexGuard<'_, State<J, R>> {
        // Nothing panics while it has the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State<J, R>>) -> MutexGuard<'s, State<J, R>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// On the thread of a member without allowance: waits for more, or for the end.
    fn hold_up(&self, member: usize) {
        let mut state = self.lock();
        state.places[member] = Place::HeldUp;
        state.free += 1;
        self.changed.notify_all();
        while !state.closed && (matches!(state.places[member], Place::HeldUp) || state.free == 0) {
            state = self.wait(state);
        }
        state.free = state.free.saturating_sub(1);
    }

    fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
}

/// The place of a member, for its thread.
pub struct Seat<J, R> {
    shared: Arc<Shared<J, R>>,
    member: usize,
    budget: Budget,
}

impl<J, R> Seat<J, R> {
    /// What the member may spend.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Waits for the next job; none if there will be no more.
    pub fn next(&self) -> Option<J> {
        let mut state = self.shared.lock();
        loop {
            if state.closed {
                return None;
            }
            if state.free > 0 && matches!(state.places[self.member], Place::Given(_)) {
                state.free -= 1;
                let place = std::mem::replace(&mut state.places[self.member], Place::Working);
                let Place::Given(job) = place else { unreachable!("it was just looked at") };
                return Some(job);
            }
            state = self.shared.wait(state);
        }
    }

    /// Hands over what came of the job.
    pub fn done(&self, result: R) {
        let mut state = self.shared.lock();
        state.free += 1;
        state.places[self.member] = Place::Done(result);
        self.shared.changed.notify_all();
    }
}

/// What came of a job.
#[derive(PartialEq, Eq, Debug)]
pub struct Finished<R> {
    /// Nothing, if it was not finished when there was enough.
    pub result: Option<R>,
    /// What it has cost so far.
    pub effort: u64,
}

/// A member as the run sees it.
struct Member {
    budget: Budget,
    _guard: HookGuard,
}

/// The members. When it is dropped they are told to stop.
pub struct Crew<J, R> {
    shared: Arc<Shared<J, R>>,
    members: Vec<Member>,
    _closing: HookGuard,
}

impl<J: Send + 'static, R: Send + 'static> Crew<J, R> {
    /// A crew without members, of which so many will work at the same time.
    pub fn new(workers: usize, run: &Budget) -> Crew<J, R> {
        let state = State { places: Vec::new(), free: workers.max(1), closed: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let closing = Arc::clone(&shared);
        Crew { shared, members: Vec::new(), _closing: run.on_trip(move || closing.close()) }
    }

    /// The number of members.
    pub fn size(&self) -> usize {
        self.members.len()
    }

    /// A place for one more member, whose thread is somebody else's business.
    pub fn hire(&mut self, run: &Budget) -> Seat<J, R> {
        let (shared, member) = (Arc::clone(&self.shared), self.members.len());
        let waiting = Arc::clone(&shared);
        let (budget, guard) = run.lane(move || waiting.hold_up(member));
        shared.lock().places.push(Place::Idle);
        self.members.push(Member { budget: budget.clone(), _guard: guard });
        Seat { shared, member, budget }
    }

    /// Has the jobs done, one by each of the first members, and charges the run with all that they cost. When at the end of a turn some
    /// result is enough, the others are not waited for; the crew must not get more jobs then.
    pub fn work(
        &mut self,
        jobs: Vec<J>,
        run: &Budget,
        is_enough: fn(&R) -> bool,
    ) -> Result<Vec<Finished<R>>, Interrupted> {
        let count = jobs.len();
        let before: Vec<u64> = self.members[..count].iter().map(|member| member.budget.effort()).collect();
        let mut charged = before.clone();
        let mut unfinished: Vec<usize> = (0..count).collect();
        let mut jobs = jobs.into_iter();
        loop {
            let share = (run.left() / unfinished.len().max(1) as u64).max(LEAST_SHARE);
            for &member in &unfinished {
                let budget = &self.members[member].budget;
                budget.allow(budget.effort().saturating_add(share));
            }
            let mut state = self.shared.lock();
            for &member in &unfinished {
                state.places[member] = jobs.next().map_or(Place::Working, Place::Given);
            }
            self.shared.changed.notify_all();
            let at_work = |place: &Place<J, R>| matches!(place, Place::Given(_) | Place::Working);
            while !state.closed && state.places[..count].iter().any(at_work) {
                state = self.shared.wait(state);
            }
            if state.closed {
                drop(state);
                run.check()?;
                return Err(Interrupted(Limit::Cancelled));
            }
            let is_done = |member: usize| matches!(state.places[member], Place::Done(_));
            unfinished.retain(|&member| !is_done(member));
            let enough = state.places[..count]
                .iter()
                .any(|place| matches!(place, Place::Done(result) if is_enough(result)));
            drop(state);
            let mut spent = 0;
            for (member, charged) in self.members.iter().zip(&mut charged) {
                let effort = member.budget.effort();
                // Effort can be taken back.
                spent += effort.saturating_sub(std::mem::replace(charged, effort));
            }
            run.spend(spent);
            run.check()?;
            if enough || unfinished.is_empty() {
                break;
            }
        }
        let mut state = self.shared.lock();
        let finished = (0..count).map(|member| {
            let effort = charged[member].saturating_sub(before[member]);
            if !matches!(state.places[member], Place::Done(_)) {
                return Finished { result: None, effort };
            }
            match std::mem::replace(&mut state.places[member], Place::Idle) {
                Place::Done(result) => Finished { result: Some(result), effort },
                _ => unreachable!("it was just looked at"),
            }
        });
        Ok(finished.collect())
    }
}

impl<J, R> Drop for Crew<J, R> {
    fn drop(&mut self) {
        // The budgets come first, so that members find theirs tripped when they are let go.
        for member in &self.members {
            member.budget.trip(Limit::Cancelled);
        }
        self.shared.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A crew whose members spend as much as their jobs say, one unit after the other, and tell the job.
    fn with_crew<T>(
        workers: usize,
        run: &Budget,
        most_at_once: &AtomicUsize,
        then: impl FnOnce(&mut Crew<u64, Result<u64, Interrupted>>) -> T,
    ) -> T {
        let at_once = AtomicUsize::new(0);
        let at_once = &at_once;
        std::thread::scope(|scope| {
            let mut crew = Crew::new(workers, run);
            for _ in 0..4 {
                let seat = crew.hire(run);
                scope.spawn(move || {
                    while let Some(job) = seat.next() {
                        let now = at_once.fetch_add(1, Ordering::SeqCst) + 1;
                        most_at_once.fetch_max(now, Ordering::SeqCst);
                        let mut result = Ok(job);
                        for _ in 0..job {
                            // Whoever is held up does not count as working, so nothing is counted across a check.
                            at_once.fetch_sub(1, Ordering::SeqCst);
                            let checked = seat.budget().check();
                            at_once.fetch_add(1, Ordering::SeqCst);
                            if let Err(interrupted) = checked {
                                result = Err(interrupted);
                                break;
                            }
                        }
                        at_once.fetch_sub(1, Ordering::SeqCst);
                        seat.done(result);
                    }
                });
            }
            then(&mut crew)
        })
    }

    #[test]
    fn the_run_is_charged_with_the_sum_however_many_work() {
        for workers in [1, 2, 8] {
            let (most, run) = (AtomicUsize::new(0), Budget::unlimited());
            let jobs = vec![70_000, 3, 100_000, 0];
            let finished = with_crew(workers, &run, &most, |crew| {
                let first = crew.work(jobs.clone(), &run, |_| false).expect("nobody stops it");
                let again = crew.work(vec![5], &run, |_| false).expect("nobody stops it");
                assert_eq!(again, [Finished { result: Some(Ok(5)), effort: 5 }]);
                first
            });
            let expected: Vec<_> =
                jobs.iter().map(|&job| Finished { result: Some(Ok(job)), effort: job }).collect();
            assert_eq!(finished, expected);
            // The run itself counts one unit for each turn.
            assert_eq!(run.effort(), 170_003 + 5 + 2, "all in one turn each, as nothing is limited");
            assert!(most.load(Ordering::SeqCst) <= workers);
        }
    }

    #[test]
    fn members_are_held_up_with_their_run() {
        let parent = Budget::unlimited();
        for workers in [1, 2, 8] {
            let turns = Arc::new(AtomicUsize::new(0));
            let counted = Arc::clone(&turns);
            let (run, _guard) = parent.lane(move || {
                counted.fetch_add(1, Ordering::SeqCst);
            });
            run.allow(30_000);
            let most = AtomicUsize::new(0);
            with_crew(workers, &run, &most, |crew| {
                let finished = crew.work(vec![90_000, 10], &run, |_| false).expect("nobody stops it");
                assert_eq!(finished[0].result, Some(Ok(90_000)));
            });
            // 20,000 and 10 in the first turn; then nothing is left, and the least share is given again and again.
            assert_eq!(turns.load(Ordering::SeqCst), 8, "two waits in each turn after the first");
        }
    }

    #[test]
    fn enough_is_enough() {
        for workers in [1, 2, 8] {
            let parent = Budget::unlimited();
            let (run, _guard) = parent.lane(|| {});
            run.allow(100_000);
            let most = AtomicUsize::new(0);
            let finished = with_crew(workers, &run, &most, |crew| {
                crew.work(vec![u64::MAX, 7], &run, |result| *result == Ok(7)).expect("nobody stops it")
            });
            assert_eq!(finished[0], Finished { result: None, effort: 50_000 });
            assert_eq!(finished[1], Finished { result: Some(Ok(7)), effort: 7 });
        }
    }

    #[test]
    fn a_limit_stops_all() {
        for workers in [1, 8] {
            let (most, run) = (AtomicUsize::new(0), Budget::unlimited());
            let stopping = run.clone();
            let stopped = with_crew(workers, &run, &most, |crew| {
                std::thread::spawn(move || stopping.trip(Limit::Time));
                crew.work(vec![u64::MAX; 4], &run, |_| false)
            });
            assert_eq!(stopped, Err(Interrupted(Limit::Time)));
        }
    }
}
