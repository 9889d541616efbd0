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

/// Whether a text is a name. A reserved word is one, and is printed with a backslash.
pub fn is_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    let escaped_keyword = text.strip_prefix('\\').is_some_and(is_keyword);
    bytes.first().is_some_and(|&first| is_letter(first))
        && bytes.iter().all(|&byte| is_letter(byte) || byte.is_ascii_digit())
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
        for name in
            ["#t~ret0", "$Pointer$", "ULTIMATE.start", "x'", "a^b", "`q?", "\\x", "_", "assertion", "if"]
        {
            assert!(is_name(name), "{name}");
        }
        for other in ["", "1x", "a b", "ü", "x!", "\\if"] {
            assert!(!is_name(other), "{other}");
        }
    }
}
