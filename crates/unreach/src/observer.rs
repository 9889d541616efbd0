//! Watching a run.

use base::{Diagnostic, SourceMap};
use engines::Progress;

/// Is told what happens during a run. Engines run in threads of their own, so calls may come from any of them.
pub trait Observer: Sync + Send {
    /// A refinement loop has come so far.
    fn progress(&self, progress: Progress) {
        let _ = progress;
    }

    /// The front end warns of something.
    fn warnings(&self, sources: &SourceMap, warnings: &[Diagnostic]) {
        let _ = (sources, warnings);
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Observer for Silent {}
