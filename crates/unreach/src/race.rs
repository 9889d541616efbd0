//! Several engines on one question, each in a lane of its own, on as many threads as there are workers.
//!
//! Lanes run in rounds. In every round each lane may spend some effort, as much as in all rounds before together; then
//! it is held up until the next round. Before the first round there are some that are shorter, one lane after the other, as most
//! programs are decided with so little work that starting others at the same time would cost more than it gains. The winner is the first lane in the order of the table that has an answer in the
//! earliest round in which any has one; a lane that gets more than its share in late rounds comes behind the others there, and so does
//! one whose units of effort take longer than those of others, from an earlier round on, so that nobody waits for it. Effort is counted in work, not in time, so the winner and its evidence do not
//! depend on how many workers there are or which of them is faster. Whoever waits for a lane before it in the table
//! waits at most as long as a round takes.

use base::{Budget, Limit};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// An engine that takes part.
pub(crate) struct Lane<T> {
    /// Its name, for the thread.
    pub(crate) name: &'static str,
    /// How much of a round it gets, in parts of [`SLICE`].
    pub(crate) share: u64,
    /// How much it gets from round [`LATE`] on.
    pub(crate) late_share: u64,
    /// The round from which on it comes behind the others, so that nobody waits for it.
    pub(crate) behind: u32,
    /// The first round in which it takes part.
    pub(crate) from: u32,
    /// Whether it is worth going on when all others have given up.
    pub(crate) alone: bool,
    /// What it does.
    pub(crate) run: Run<T>,
}

/// From this round on, the question is hard.
pub(crate) const LATE: u32 = 4;
/// The round in which a lane comes behind others that never does.
pub(crate) const NEVER: u32 = u32::MAX;
/// The effort of one share in the first round. It is small, as whoever has an answer waits for all before it in the
/// table until they have used their share.
const SLICE: u64 = 5_000;
/// So many short rounds come before the first one, each half as long as the next.
const SHORT_ROUNDS: u32 = 3;
/// Instead of a number of rounds: so many of the short ones and no others, for a question that may be easy.
const SHORT_ROUNDS_ONLY: u32 = 2;
/// The number of rounds that stands for them.
pub(crate) const ONLY_SHORT: u32 = 0;
/// As many shares as that effort takes in one round.
pub(crate) fn shares(effort: u64) -> u64 {
    effort.div_ceil(SLICE)
}

/// How long a lane may take to stop.
const TIME_TO_STOP: Duration = Duration::from_millis(200);
/// Engines follow formulas by recursion only where their depth is bounded, but solvers do not promise as much.
const STACK: usize = 64 << 20;

/// Where a lane is.
enum State<T> {
    /// Not yet begun.
    Waiting,
    Running,
    /// At the end of its allowance.
    HeldUp,
    Done(T),
}

struct Shared<T> {
    states: Mutex<(Vec<State<T>>, bool)>,
    changed: Condvar,
}

impl<T> Shared<T> {
    /// The states, and whether everybody shall stop.
    fn lock(&self) -> MutexGuard<'_, (Vec<State<T>>, bool)> {
        // A lane that panicked has left its state as it was.
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, lane: usize, state: State<T>) {
        self.lock().0[lane] = state;
        self.changed.notify_all();
    }

    /// Gives lanes that were stopped a moment to leave the solver, which does not like a process that ends under it.
    fn wait_for_lanes(&self) -> MutexGuard<'_, (Vec<State<T>>, bool)> {
        let running = |states: &mut (Vec<State<T>>, bool)| {
            states.0.iter().any(|state| matches!(state, State::Running | State::HeldUp))
        };
        let waited = self.changed.wait_timeout_while(self.lock(), TIME_TO_STOP, running);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// On the thread of a lane without allowance: waits for more, or for the end.
    fn hold_up(&self, lane: usize) {
        self.set(lane, State::HeldUp);
        let mut guard = self.lock();
        while matches!(guard.0[lane], State::HeldUp) && !guard.1 {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn stop(&self) {
        self.lock().1 = true;
        self.changed.notify_all();
    }
}

/// What a lane does, until it has begun.
type Run<T> = Box<dyn FnOnce(&Budget) -> T + Send>;

/// A lane as the race sees it.
struct Runner<T> {
    name: &'static str,
    share: u64,
    late_share: u64,
    behind: u32,
    from: u32,
    alone: bool,
    run: Option<Run<T>>,
    budget: Budget,
}

/// The answer of a race.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Won<T> {
    /// What the winner said.
    pub(crate) said: T,
    /// What all lanes have spent, if it was in one of the short rounds. They have one worker; later, how far the lanes behind the
    /// winner have come depends on the race.
    pub(crate) early_effort: Option<u64>,
}

/// The winner, or what all lanes said that came to their end without an answer, in the order of the table.
pub(crate) fn race<T: Send + 'static>(
    lanes: Vec<Lane<T>>,
    is_answer: fn(&T) -> bool,
    limits: (usize, u32),
    budget: &Budget,
) -> Result<Won<T>, Vec<T>> {
    race_with_breaks(lanes, is_answer, limits, budget, &mut |_| false)
}

/// The same, where somebody else has a turn behind every round, while all lanes are held up, and may end the race.
pub(crate) fn race_with_breaks<T: Send + 'static>(
    lanes: Vec<Lane<T>>,
    is_answer: fn(&T) -> bool,
    (workers, rounds): (usize, u32),
    budget: &Budget,
    ends_behind: &mut dyn FnMut(u32) -> bool,
) -> Result<Won<T>, Vec<T>> {
    let states = lanes.iter().map(|_| State::Waiting).collect();
    let shared = Arc::new(Shared { states: Mutex::new((states, false)), changed: Condvar::new() });
    let mut guards = Vec::new();
    let mut runners = Vec::new();
    let alone = lanes.len() == 1;
    for (index, lane) in lanes.into_iter().enumerate() {
        let waiting = Arc::clone(&shared);
        let wait = move || waiting.hold_up(index);
        let (own, guard) = if alone { budget.lane(wait) } else { budget.lane_among_others(wait) };
        guards.push(guard);
        let Lane { name, share, late_share, behind, from, alone, run } = lane;
        runners.push(Runner { name, share, late_share, behind, from, alone, run: Some(run), budget: own });
    }
    let stopping = Arc::clone(&shared);
    guards.push(budget.on_trip(move || stopping.stop()));
    let winner =
        Rounds { shared: &shared, runners: &mut runners, is_answer, workers, rounds, ends_behind }.run();
    let effort = runners.iter().map(|runner| runner.budget.effort()).sum();
    // The lanes come first, so that they find their budget tripped when they are let go.
    for runner in &runners {
        runner.budget.trip(Limit::Cancelled);
    }
    shared.stop();
    let mut guard = shared.wait_for_lanes();
    // At a limit, an answer that comes while the lanes leave is as good as any.
    let answered = |state: &State<T>| matches!(state, State::Done(said) if is_answer(said));
    let late = || guard.0.iter().position(answered).map(|lane| (lane, false));
    let winner = winner.or_else(late);
    let mut said = guard.0.iter_mut().map(|state| match std::mem::replace(state, State::Waiting) {
        State::Done(answer) => Some(answer),
        _ => None,
    });
    match winner {
        Some((winner, in_short_round)) => {
            let said = said.nth(winner).flatten().expect("the winner has an answer");
            Ok(Won { said, early_effort: in_short_round.then_some(effort) })
        }
        None => Err(said.flatten().collect()),
    }
}

struct Rounds<'r, T> {
    shared: &'r Arc<Shared<T>>,
    runners: &'r mut Vec<Runner<T>>,
    is_answer: fn(&T) -> bool,
    workers: usize,
    rounds: u32,
    /// Who has a turn behind every round but the short ones, and whether the race ends with it.
    ends_behind: &'r mut dyn FnMut(u32) -> bool,
}

/// When lanes have their turn.
#[derive(Clone, Copy)]
struct When {
    /// The number of the round; zero in the short ones as well.
    round: u32,
    /// How often the round is halved.
    halved: u32,
}

impl When {
    /// All rounds, the short ones first. Who is alone waits for nobody, and needs none of these.
    fn all(rounds: u32, lanes: usize) -> impl Iterator<Item = When> {
        let short = if lanes > 1 { SHORT_ROUNDS } else { 0 };
        let left_out = if rounds == ONLY_SHORT { SHORT_ROUNDS - SHORT_ROUNDS_ONLY } else { 0 };
        let short = (1 + left_out..=short).rev().map(|halved| When { round: 0, halved });
        short.chain((0..rounds).map(|round| When { round, halved: 0 }))
    }

    /// How much effort a lane with a share may have spent when its turn is over.
    fn allowance(self, share: u64) -> u64 {
        let growth = 1_u64.checked_shl(self.round).unwrap_or(u64::MAX);
        SLICE.saturating_mul(share).saturating_mul(growth) >> self.halved
    }
}

impl<T: Send + 'static> Rounds<'_, T> {
    /// The lane that wins, and whether it does so in a short round.
    fn run(&mut self) -> Option<(usize, bool)> {
        for when in When::all(self.rounds, self.runners.len()) {
            let round = when.round;
            let turn: Vec<usize> = {
                let guard = self.shared.lock();
                let unfinished: Vec<usize> =
                    (0..guard.0.len()).filter(|&lane| !matches!(guard.0[lane], State::Done(_))).collect();
                if !unfinished.iter().any(|&lane| self.runners[lane].alone) {
                    return None;
                }
                let mut turn: Vec<usize> =
                    unfinished.into_iter().filter(|&lane| self.runners[lane].from <= round).collect();
                turn.sort_by_key(|&lane| (when.halved == 0 && round >= self.runners[lane].behind, lane));
                turn
            };
            match self.round(when, &turn) {
                Round::Over if when.halved == 0 && (self.ends_behind)(round) => return None,
                Round::Over => {}
                Round::Ended(winner) => return winner.map(|lane| (lane, when.halved > 0)),
            }
        }
        None
    }

    /// Every lane of the turn gets its share.
    fn round(&mut self, when: When, turn: &[usize]) -> Round {
        let workers = if when.halved > 0 { 1 } else { self.workers };
        let mut begun = 0;
        let shared = Arc::clone(self.shared);
        let mut guard = shared.lock();
        loop {
            if guard.1 {
                return Round::Ended(None);
            }
            let mut settled = 0;
            for &lane in &turn[..begun] {
                match &guard.0[lane] {
                    State::Done(said) if (self.is_answer)(said) => return Round::Ended(Some(lane)),
                    State::Done(_) | State::HeldUp => settled += 1,
                    State::Waiting | State::Running => break,
                }
            }
            if settled == turn.len() {
                return Round::Over;
            }
            let running = guard.0.iter().filter(|state| matches!(state, State::Running)).count();
            if begun < turn.len() && running < workers {
                let lane = turn[begun];
                begun += 1;
                let fresh = matches!(guard.0[lane], State::Waiting);
                let runner = &mut self.runners[lane];
                let share = if when.round < LATE { runner.share } else { runner.late_share };
                runner.budget.allow(when.allowance(share));
                guard.0[lane] = State::Running;
                shared.changed.notify_all();
                if fresh {
                    runner.begin(lane, &shared);
                }
                continue;
            }
            guard = shared.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// How a round ends.
enum Round {
    /// All have used their share.
    Over,
    /// The race is over, with or without a winner.
    Ended(Option<usize>),
}

impl<T: Send + 'static> Runner<T> {
    fn begin(&mut self, lane: usize, shared: &Arc<Shared<T>>) {
        let run = self.run.take().expect("a lane begins once");
        let (budget, shared) = (self.budget.clone(), Arc::clone(shared));
        let thread = std::thread::Builder::new().name(self.name.to_owned()).stack_size(STACK);
        let started = thread.spawn(move || {
            let said = run(&budget);
            shared.set(lane, State::Done(said));
        });
        started.expect("the system gives us a thread");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Interrupted;

    /// Says its name after so much effort; negative names are no answers.
    fn lane(name: i32, share: u64, effort: u64) -> Lane<i32> {
        let run = move |budget: &Budget| {
            while budget.effort() < effort {
                if let Err(Interrupted(_)) = budget.check() {
                    return -100;
                }
            }
            name
        };
        Lane {
            name: "test",
            share,
            late_share: share,
            behind: NEVER,
            from: 0,
            alone: true,
            run: Box::new(run),
        }
    }

    fn is_answer(said: &i32) -> bool {
        *said >= 0
    }

    /// Who wins, or what all said.
    fn winner(lanes: Vec<Lane<i32>>, limits: (usize, u32)) -> Result<i32, Vec<i32>> {
        race(lanes, is_answer, limits, &Budget::unlimited()).map(|won| won.said)
    }

    #[test]
    fn the_winner_does_not_depend_on_the_workers() {
        // The second answers in the first round, the first in the second, the third never.
        for workers in 1..4 {
            let lanes = vec![lane(0, 1, SLICE + SLICE / 2), lane(1, 1, SLICE / 2), lane(2, 1, u64::MAX)];
            assert_eq!(winner(lanes, (workers, u32::MAX)), Ok(1));
        }
    }

    #[test]
    fn in_one_round_the_first_of_the_table_wins() {
        for workers in 1..4 {
            let lanes = vec![lane(-1, 1, 5), lane(1, 1, SLICE / 8 - 1), lane(2, 1, 1)];
            assert_eq!(winner(lanes, (workers, u32::MAX)), Ok(1));
        }
    }

    #[test]
    fn an_answer_does_not_wait_for_who_stands_back() {
        for workers in 1..4 {
            let back = |budget: &Budget| {
                budget.stand_back();
                0
            };
            let lanes = vec![Lane { run: Box::new(back), ..lane(0, 1, 0) }, lane(1, 1, 5)];
            assert_eq!(winner(lanes, (workers, u32::MAX)), Ok(1));
            let alone = vec![Lane { run: Box::new(back), ..lane(0, 1, 0) }];
            assert_eq!(winner(alone, (workers, 1)), Ok(0));
        }
    }

    #[test]
    fn most_answers_come_before_the_first_round() {
        // The first would answer in the first round, the second does so in a short one.
        for workers in 1..4 {
            let lanes = vec![lane(0, 1, SLICE - 1), lane(1, 1, SLICE / 8 - 1)];
            assert_eq!(winner(lanes, (workers, u32::MAX)), Ok(1));
        }
    }

    #[test]
    fn a_short_race_tells_its_effort() {
        let first = SLICE / 8;
        for (effort, early_effort) in [(first - 1, Some(2 * first - 1)), (SLICE - 1, None)] {
            for workers in 1..4 {
                let lanes = vec![lane(-1, 1, u64::MAX), lane(1, 1, effort), lane(-1, 1, u64::MAX)];
                let won = race(lanes, is_answer, (workers, u32::MAX), &Budget::unlimited());
                assert_eq!(won, Ok(Won { said: 1, early_effort }));
            }
        }
    }

    #[test]
    fn in_late_rounds_nobody_waits_for_a_lane_that_gets_more() {
        for workers in 1..4 {
            let late = SLICE << LATE;
            let patient = Lane { late_share: 100, behind: LATE, ..lane(0, 1, late - 1) };
            let lanes = vec![patient, lane(1, 1, late - 2)];
            assert_eq!(winner(lanes, (workers, u32::MAX)), Ok(1));
        }
    }

    #[test]
    fn who_comes_behind_from_the_first_round_does_so_in_no_short_one() {
        for workers in 1..4 {
            for (effort, expected) in [(SLICE / 8 - 1, 0), (SLICE - 1, 1)] {
                let costly = Lane { behind: 0, ..lane(0, 1, effort) };
                let lanes = vec![costly, lane(1, 1, effort)];
                assert_eq!(winner(lanes, (workers, u32::MAX)), Ok(expected));
            }
        }
    }

    #[test]
    fn without_an_answer_all_have_their_say() {
        let lanes = vec![lane(-1, 1, 5 * SLICE), lane(-2, 3, 1)];
        assert_eq!(winner(lanes, (2, u32::MAX)), Err(vec![-1, -2]));
    }

    #[test]
    fn who_must_not_be_alone_stops_with_the_others() {
        let companion = Lane { alone: false, ..lane(1, 1, u64::MAX) };
        let lanes = vec![lane(-1, 1, 2 * SLICE), companion];
        let said = winner(lanes, (2, u32::MAX));
        assert_eq!(said.map_err(|said| said[0]), Err(-1));
    }

    #[test]
    fn the_race_ends_after_its_rounds() {
        // The answer takes two rounds.
        let lanes = |rounds| winner(vec![lane(1, 1, SLICE + SLICE / 2)], (1, rounds));
        assert!(lanes(1).is_err());
        assert_eq!(lanes(2), Ok(1));
    }

    #[test]
    fn a_break_may_end_the_race() {
        for workers in 1..4 {
            let lanes = vec![lane(0, 1, 100 * SLICE), lane(1, 1, 100 * SLICE)];
            let mut breaks = Vec::new();
            let mut ends_behind = |round| {
                breaks.push(round);
                round == 2
            };
            let limits = (workers, u32::MAX);
            let won = race_with_breaks(lanes, is_answer, limits, &Budget::unlimited(), &mut ends_behind);
            assert!(won.is_err());
            assert_eq!(breaks, [0, 1, 2]);
        }
    }

    #[test]
    fn a_limit_ends_the_race_but_keeps_an_answer() {
        let budget = Budget::unlimited();
        let on_the_way = budget.clone();
        let quick = Lane {
            run: Box::new(move |_: &Budget| {
                on_the_way.trip(Limit::Time);
                7
            }),
            ..lane(1, 1, 0)
        };
        let won = race(vec![lane(0, 1, u64::MAX), quick], is_answer, (2, u32::MAX), &budget);
        assert_eq!(won.map(|won| won.said), Ok(7));
    }
}
