//! Any text for the reader that `UNREACH_FUZZ_KIND` names: it may refuse the text, but it may not panic, and it has to end.

#![no_main]

#[path = "../crates/unreach/tests/soak/read.rs"]
mod read;

use libfuzzer_sys::fuzz_target;
use read::{KINDS, Kind};
use std::sync::LazyLock;

static KIND: LazyLock<&Kind> = LazyLock::new(|| {
    let name = std::env::var("UNREACH_FUZZ_KIND").unwrap_or_default();
    let known = KINDS.iter().find(|kind| kind.name == name);
    known.unwrap_or_else(|| panic!("UNREACH_FUZZ_KIND is none of the kinds: `{name}`"))
});

fuzz_target!(|text: &str| {
    let _ = (KIND.read)(text);
});
