//! A budget that keeps the limits of the command line, and ends at Ctrl-C.

use base::budget::Watchdog;
use std::time::Duration;
use unreach::{Budget, Limit, Limits};

/// How long a run may take to come back by itself after a limit.
const GRACE: Duration = Duration::from_millis(300);

/// A budget that is watched as long as the second part lives. `overrun` is called if the run does not come back.
pub(crate) fn budget(limits: Limits, overrun: impl FnOnce(Limit) + Send + 'static) -> (Budget, Watchdog) {
    let budget = Budget::unlimited();
    let watchdog = budget.watch(limits, GRACE, overrun);
    let on_signal = budget.clone();
    // Without a handler Ctrl-C still ends the process, only without a verdict line.
    let _ = ctrlc::set_handler(move || on_signal.trip(Limit::Cancelled));
    (budget, watchdog)
}
