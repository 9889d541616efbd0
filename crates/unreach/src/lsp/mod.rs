//! The language server: `unreach lsp`, for Boogie and C, over standard input and output.
//!
//! Protocol: Language Server Protocol 3.17, with positions in UTF-16. One thread reads messages and answers them; the
//! front end runs on it whenever somebody asks about a text that has changed, so a burst of edits costs one run. A program
//! is verified in a thread of its own, one program at a time, when it is opened or saved (or, if the client wishes so, when
//! it has not changed for a moment); an edit cancels the run. What a run says about a text is shown as long as the text is
//! the one it was about.
//!
//! What the client may wish in `initializationOptions`: `verify` (`"save"`, `"type"` or `"never"`), `timeout` in seconds for
//! one program, `include` folders and `define`d macros for C, and `status: true` for `unreach/status` notifications.

#[cfg(test)]
mod crash;
mod document;
mod features;
mod found;
mod outline;
mod runs;
mod server;
mod text;

pub use server::serve;
