//! Translations of a problem that are kept while many questions about it are asked.
//!
//! Questions about single checks differ in what is assumed, which is decided behind the translation. So the source is read once for
//! each way to read it, however many questions there are.

use crate::view::{NoView, Reading, View};
use std::sync::{Arc, Mutex, PoisonError};

/// The translations that were made so far.
#[derive(Clone, Default, Debug)]
pub(crate) struct Translations(Arc<Mutex<Vec<(Reading, View)>>>);

impl Translations {
    /// The translation that was made for a reading, or a new one.
    pub(crate) fn get(
        &self,
        reading: Reading,
        make: impl FnOnce() -> Result<View, NoView>,
    ) -> Result<View, NoView> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, view)) = lock().iter().find(|(known, _)| *known == reading) {
            return Ok(view.clone());
        }
        let view = make()?;
        lock().push((reading, view.clone()));
        Ok(view)
    }
}
