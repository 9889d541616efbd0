//! Names of the text form: what may be a name, and which words need a backslash.

/// The reserved words of the text form.
pub const KEYWORDS: &[&str] = &[
    "assert",
    "assume",
    "axiom",
    "bool",
    "break",
    "call",
    "const",
    "div",
    "else",
    "ensures",
    "exists",
    "false",
    "forall",
    "free",
    "function",
    "goto",
    "havoc",
    "if",
    "implementation",
    "int",
    "invariant",
    "lambda",
    "mod",
    "modifies",
    "old",
    "procedure",
    "real",
    "requires",
    "return",
    "returns",
    "then",
    "true",
    "type",
    "unique",
    "var",
    "where",
    "while",
];

/// Whether a byte may begin a name.
pub const fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic()
        || matches!(byte, b'_' | b'.' | b'$' | b'#' | b'\'' | b'`' | b'~' | b'^' | b'\\' | b'?')
}

/// Whether a character beyond ASCII may stand in a name: a letter of any script, but not the sign for `lambda`.
pub fn is_wide_letter(character: char) -> bool {
    !character.is_ascii() && character.is_alphabetic() && character != 'λ'
}

/// Whether a text is a name. A reserved word is one, and is printed with a backslash.
pub fn is_name(text: &str) -> bool {
    let is_letter = |character: char| match u8::try_from(character) {
        Ok(byte) if byte.is_ascii() => is_letter(byte),
        _ => is_wide_letter(character),
    };
    let escaped_keyword = text.strip_prefix('\\').is_some_and(is_keyword);
    text.chars().next().is_some_and(is_letter)
        && text.chars().all(|character| is_letter(character) || character.is_ascii_digit())
        && !escaped_keyword
}

/// Whether a name is reserved.
pub fn is_keyword(name: &str) -> bool {
    KEYWORDS.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reserved_words_are_sorted() {
        assert!(KEYWORDS.is_sorted());
        assert!(is_keyword("while") && is_keyword("assert") && !is_keyword("main"));
    }

    #[test]
    fn names() {
        for name in [
            "#t~ret0",
            "$Pointer$",
            "ULTIMATE.start",
            "x'",
            "a^b",
            "`q?",
            "\\x",
            "_",
            "assertion",
            "if",
            "é",
            "größe2",
        ] {
            assert!(is_name(name), "{name}");
        }
        for other in ["", "1x", "a b", "λ", "≤", "x!", "\\if"] {
            assert!(!is_name(other), "{other}");
        }
    }
}
