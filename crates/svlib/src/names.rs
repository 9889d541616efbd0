//! Symbols of SV-LIB as names of the intermediate language, and back.
//!
//! What a name of the intermediate language cannot contain becomes `$` and its number in six hexadecimal digits, so that
//! different symbols have different names. `#` occurs in no such name: it marks what this crate adds.

use std::fmt::Write;

/// The name for a symbol.
pub(crate) fn mangled(symbol: &str) -> String {
    let mut name = String::new();
    for character in symbol.chars() {
        let first = name.is_empty();
        let plain = character.is_ascii_alphabetic()
            || matches!(character, '_' | '.' | '~' | '^' | '?')
            || character.is_ascii_digit() && !first
            || ir::names::is_wide_letter(character);
        if plain {
            name.push(character);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(name, "${:06x}", u32::from(character));
        }
    }
    if name.is_empty() { "$".to_owned() } else { name }
}

/// A symbol as SMT-LIB writes it.
pub(crate) fn quoted(symbol: &str) -> String {
    let simple = symbol.chars().all(crate::syntax::in_symbol)
        && symbol.chars().next().is_some_and(|first| !first.is_ascii_digit());
    if simple { symbol.to_owned() } else { format!("|{symbol}|") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_names_and_differ() {
        let symbols = ["x", "x-1", "x_1", "x$00002d1", "1x", "", "a b", "λ", "é", "x!", "x#"];
        let names: Vec<String> = symbols.iter().map(|symbol| mangled(symbol)).collect();
        for (position, name) in names.iter().enumerate() {
            assert!(ir::names::is_name(name), "{name}");
            assert!(!names[..position].contains(name), "{name}");
        }
        assert_eq!((quoted("x-1"), quoted("a b")), ("x-1".to_owned(), "|a b|".to_owned()));
    }
}
