//! Models in files of several: what belongs together stands together, each function behind a line `//// name`.
//!
//! Functions of wide characters that do what another does to characters are made of its model.

use std::sync::OnceLock;

/// The files, those first whose functions others call.
const FILES: [&str; 12] = [
    include_str!("support.c"),
    include_str!("text.c"),
    include_str!("wide.c"),
    include_str!("files.c"),
    include_str!("streams.c"),
    include_str!("options.c"),
    include_str!("clocks.c"),
    include_str!("processes.c"),
    include_str!("sockets.c"),
    include_str!("memory.c"),
    include_str!("general.c"),
    include_str!("numbers.c"),
];

/// Functions of wide characters, with those of characters that do the same.
const WIDE: [(&str, &str); 18] = [
    ("wcpcpy", "stpcpy"),
    ("wcscat", "strcat"),
    ("wcschr", "strchr"),
    ("wcschrnul", "strchrnul"),
    ("wcscmp", "strcmp"),
    ("wcscoll", "strcmp"),
    ("wcscpy", "strcpy"),
    ("wcscspn", "strcspn"),
    ("wcsncat", "strncat"),
    ("wcsncmp", "strncmp"),
    ("wcsncpy", "strncpy"),
    ("wcsnlen", "strnlen"),
    ("wcspbrk", "strpbrk"),
    ("wcpncpy", "stpncpy"),
    ("wcsrchr", "strrchr"),
    ("wcsspn", "strspn"),
    ("wcsstr", "strstr"),
    ("wcstok", "strtok_r"),
];

/// The models of all files, by their names.
pub(super) fn models() -> &'static [(&'static str, &'static str)] {
    static MODELS: OnceLock<Vec<(&'static str, &'static str)>> = OnceLock::new();
    MODELS.get_or_init(|| FILES.iter().flat_map(|text| sections(text)).collect())
}

fn sections(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.split("//// ").filter_map(|section| section.split_once('\n'))
}

/// The function of characters whose model is that of a function of wide ones.
pub(super) fn narrow(name: &str) -> Option<(&'static str, &'static str)> {
    WIDE.iter().copied().find(|(wide, _)| *wide == name)
}

/// The names of the functions of wide characters that are made of others.
pub(super) fn wide() -> impl Iterator<Item = &'static str> {
    WIDE.iter().map(|&(wide, _)| wide)
}

/// The model of a function of wide characters, made of that of a function of characters. They are ordered as numbers are.
pub(super) fn widened((wide, narrow): (&str, &str), model: &str) -> String {
    let mut text = model.replace("(unsigned char)", "");
    for (other, of) in [(wide, narrow)].iter().chain(&WIDE) {
        text = text.replace(&format!("{of}("), &format!("{other}("));
    }
    text = text.replace("int wanted", "__WCHAR_TYPE__ wanted").replace("char", "__WCHAR_TYPE__");
    text.replace("#include <string.h>", "#include <wchar.h>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_defines_what_it_is_named_after() {
        for (name, text) in models() {
            let defined = [format!("{name}("), format!(" {name};"), format!(" *{name};")];
            assert!(
                defined.iter().any(|word| text.contains(word))
                    || ["__unreach_options", "__unreach_queued"].contains(name),
                "{name}"
            );
        }
    }

    #[test]
    fn wide_functions_are_about_wide_characters() {
        let text = widened(("wcsrchr", "strrchr"), include_str!("../strrchr.c"));
        assert!(text.contains("__WCHAR_TYPE__ *wcsrchr(const __WCHAR_TYPE__ *text, __WCHAR_TYPE__ wanted)"));
    }
}
