//! What happens while a run goes on, in words: one line that changes on a terminal, or a line for every event.
//!
//! It also remembers how far the run has come, for the report of a run that does not come to its end.

use base::SourceMap;
use engines::{Engine, Progress};
use std::fmt::Write as _;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use unreach::News;

/// How often the line changes.
const TICK: Duration = Duration::from_millis(250);
/// A run that takes less shows nothing.
const PATIENCE: Duration = Duration::from_millis(400);
/// The line has to fit into a narrow terminal: what is longer would stay behind when it is overwritten.
const WIDTH: usize = 78;

/// What is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Display {
    /// Nothing.
    Nothing,
    /// A line that overwrites itself.
    Live,
    /// A line for every event.
    Lines,
}

/// How far a run has come.
pub(crate) struct Watched {
    display: Display,
    begun: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    limit: Option<Duration>,
    /// The engines that work, in the order in which they began.
    running: Vec<&'static str>,
    progress: Option<Progress>,
    sources: Option<SourceMap>,
    is_ticking: bool,
    is_closed: bool,
}

impl Watched {
    pub(crate) fn new(display: Display) -> Arc<Watched> {
        Arc::new(Watched { display, begun: Instant::now(), state: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // An engine that panicked while it told something has told it completely or not at all.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The run ends after so long, at the latest.
    pub(crate) fn limited(&self, time: Option<Duration>) {
        self.lock().limit = time;
    }

    /// The program has been read.
    pub(crate) fn begins(self: &Arc<Watched>, sources: &SourceMap) {
        let mut state = self.lock();
        state.sources = Some(sources.clone());
        if self.display == Display::Live && !std::mem::replace(&mut state.is_ticking, true) {
            let watched = Arc::clone(self);
            // It ends with the run.
            std::thread::spawn(move || {
                loop {
                    std::thread::sleep(TICK);
                    let state = watched.lock();
                    if state.is_closed {
                        return;
                    }
                    watched.draw(&state);
                }
            });
        }
    }

    pub(crate) fn engine(&self, engine: &'static Engine, news: &News) {
        let mut state = self.lock();
        match news {
            News::Begins => state.running.push(engine.name),
            News::Ends(_) => {
                let position = state.running.iter().position(|name| *name == engine.name);
                position.map(|position| state.running.remove(position));
            }
        }
        if self.display == Display::Lines && !state.is_closed {
            let seconds = self.begun.elapsed().as_secs_f64();
            match news {
                News::Begins => eprintln!("{seconds:8.2} s  {} begins", engine.name),
                News::Ends(with) => eprintln!("{seconds:8.2} s  {} ends: {with}", engine.name),
            }
        }
    }

    pub(crate) fn progress(&self, progress: Progress) {
        let mut state = self.lock();
        state.progress = Some(progress);
        // The first iterations one by one, then fewer and fewer.
        let is_news = progress.iterations.is_power_of_two();
        if self.display == Display::Lines && is_news && !state.is_closed {
            let seconds = self.begun.elapsed().as_secs_f64();
            eprintln!("{seconds:8.2} s  {}", words(&progress, state.sources.as_ref()));
        }
    }

    /// How many error traces were excluded, each with all that are infeasible for the same reason.
    pub(crate) fn proven(&self) -> u64 {
        self.lock().progress.map_or(0, |progress| progress.iterations.saturating_sub(1))
    }

    /// At which loop the run did not get on, if its last trace goes round.
    pub(crate) fn stuck(&self) -> Option<String> {
        let state = self.lock();
        let (round, sources) = (state.progress?.round?, state.sources.as_ref()?);
        let place = sources.place(round.span);
        Some(format!("Stuck at {place}: the last error trace passes it {} times.", round.times))
    }

    /// Nothing is told any more.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        if !std::mem::replace(&mut state.is_closed, true) && self.display == Display::Live {
            eprint!("\r\x1b[K");
        }
    }

    fn draw(&self, state: &State) {
        let elapsed = self.begun.elapsed();
        if elapsed < PATIENCE {
            return;
        }
        let line: String = line(state, elapsed).chars().take(WIDTH).collect();
        eprint!("\r\x1b[K{line}");
        // A terminal that cannot be written to does not need a progress line.
        let _ = std::io::stderr().flush();
    }
}

/// The line of a moment.
fn line(state: &State, elapsed: Duration) -> String {
    let mut text = format!("{} s", elapsed.as_secs());
    // Writing to a string cannot fail.
    if let Some(left) = state.limit.map(|limit| limit.saturating_sub(elapsed)) {
        let _ = write!(text, " ({} s left)", left.as_secs());
    }
    match &state.running[..] {
        [] => {}
        [one] => _ = write!(text, ", {one}"),
        [first, others @ ..] => _ = write!(text, ", {first} and {} more", others.len()),
    }
    if let Some(progress) = &state.progress {
        let _ = write!(text, ": {}", words(progress, state.sources.as_ref()));
    }
    text
}

fn words(progress: &Progress, sources: Option<&SourceMap>) -> String {
    let Progress { iterations, trace, round, .. } = progress;
    let mut text = format!("{} traces excluded, the next has {trace} blocks", iterations.saturating_sub(1));
    if let (Some(round), Some(sources)) = (round, sources) {
        let line = sources.line_column(round.span).line;
        let _ = write!(text, ", {} × line {line}", round.times);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_happens() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.bpl", "\n\nwhile");
        let span = base::Span::new(file, 2, 7);
        let round = Some(engines::Round { span, times: 7 });
        let state = State {
            limit: Some(Duration::from_secs(30)),
            running: vec!["trace-abstraction", "horn", "kojak"],
            progress: Some(Progress { iterations: 13, trace: 40, states: 5, round }),
            sources: Some(sources),
            ..State::default()
        };
        assert_eq!(
            line(&state, Duration::from_millis(3400)),
            "3 s (26 s left), trace-abstraction and 2 more: 12 traces excluded, the next has 40 blocks, 7 × line 3"
        );
        assert_eq!(line(&State::default(), Duration::from_secs(1)), "1 s");
    }

    #[test]
    fn a_run_is_stuck_where_its_last_trace_goes_round() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.bpl", "\n\nwhile");
        let watched = Watched::new(Display::Nothing);
        watched.begins(&sources);
        assert_eq!((watched.stuck(), watched.proven()), (None, 0));
        let round = Some(engines::Round { span: base::Span::new(file, 2, 7), times: 7 });
        watched.progress(Progress { iterations: 13, trace: 40, states: 5, round });
        let said = "Stuck at a.bpl:3:1: the last error trace passes it 7 times.";
        assert_eq!((watched.stuck().as_deref(), watched.proven()), (Some(said), 12));
    }
}
