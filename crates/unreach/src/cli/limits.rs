//! A budget that keeps the limits of the command line, and ends at Ctrl-C.

use base::budget::Watchdog;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use unreach::{Budget, Limit, Limits, Plan};

/// How long a run may take to come back by itself after a limit.
const GRACE: Duration = Duration::from_millis(300);

/// A budget that is watched as long as the second part lives. `overrun` is called if the run does not come back.
pub(crate) fn budget(limits: Limits, overrun: impl FnOnce(Limit) + Send + 'static) -> (Budget, Watchdog) {
    let budget = Budget::unlimited();
    let watchdog = budget.watch(limits, GRACE, overrun);
    end_at_signal(&budget);
    (budget, watchdog)
}

/// The runs of this process, which all end at Ctrl-C, those that begin afterwards too.
#[derive(Default)]
struct Runs {
    is_over: bool,
    budgets: Vec<Budget>,
}

static RUNS: LazyLock<Mutex<Runs>> = LazyLock::new(Mutex::default);

fn runs() -> MutexGuard<'static, Runs> {
    RUNS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn end_at_signal(budget: &Budget) {
    let mut all = runs();
    if all.budgets.is_empty() {
        // Without a handler Ctrl-C still ends the process, only without a verdict line.
        let _ = ctrlc::set_handler(|| {
            let mut all = runs();
            all.is_over = true;
            all.budgets.iter().for_each(|budget| budget.trip(Limit::Cancelled));
        });
    }
    if all.is_over {
        budget.trip(Limit::Cancelled);
    }
    all.budgets.push(budget.clone());
}

/// Lets all that works for a run share a few heaps, so that what one engine has freed is there for the next.
pub(crate) fn heaps(plan: &Plan) {
    smt::z3::heaps::keep(plan.options.workers.get());
}

/// The memory of a run in bytes: what was said in megabytes, or half of what the machine has, so that a run ends with an
/// answer and not in swapping. Nothing where nobody says anything.
pub(crate) fn memory(megabytes: Option<u64>) -> Option<u64> {
    megabytes.map(|megabytes| megabytes.saturating_mul(1 << 20)).or_else(default_memory)
}

fn default_memory() -> Option<u64> {
    half_of(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

/// Half of the memory that a table of Linux names, in bytes.
fn half_of(table: &str) -> Option<u64> {
    let line = table.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes.saturating_mul(1024) / 2)
}

#[cfg(test)]
mod tests {
    use super::half_of;

    #[test]
    fn half_of_the_memory() {
        assert_eq!(half_of("MemTotal:       24580000 kB\nMemFree: 1 kB\n"), Some(24_580_000 * 512));
        assert_eq!(half_of("MemFree: 1 kB\n"), None);
        assert_eq!(half_of("MemTotal: many kB\n"), None);
    }
}
