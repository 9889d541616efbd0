//! Watching a run.

use base::{Diagnostic, SourceMap};
use engines::{Engine, Progress};

/// Is told what happens during a run. Engines run in threads of their own, so calls may come from any of them.
pub trait Observer: Sync + Send {
    /// An engine begins or ends.
    fn engine(&self, engine: &'static Engine, news: &News) {
        let _ = (engine, news);
    }

    /// A refinement loop has come so far.
    fn progress(&self, progress: Progress) {
        let _ = progress;
    }

    /// The front end warns of something.
    fn warnings(&self, sources: &SourceMap, warnings: &[Diagnostic]) {
        let _ = (sources, warnings);
    }
}

/// What an engine does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// It begins.
    Begins,
    /// It ends: with what, which nobody has checked yet.
    Ends(String),
}

/// Watches nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Observer for Silent {}
