//! Functions of the C library written in C: they are added to programs that use them and do not define them.
//!
//! They are plain readings of the C standard (C11 7.24, 7.4), without tricks, so that loops are easy to verify.

use crate::ast::{Ast, Item};
use crate::lex::token::{Token, TokenKind};
use crate::symbols::Symbols;
use rustc_hash::FxHashSet;

/// The name of the file that models seem to come from.
pub const FILE_NAME: &str = "<library>";

macro_rules! models {
    ($($name:literal),+ $(,)?) => {
        const MODELS: &[(&str, &str)] = &[$(($name, include_str!(concat!($name, ".c")))),+];
    };
}

models!(
    "strlen", "strcpy", "strncpy", "strcat", "strncat", "strcmp", "strncmp", "strchr", "strrchr", "strstr",
    "strspn", "strcspn", "strpbrk", "isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower",
    "toupper", "tolower", "isxdigit", "memcmp",
);

/// The text of the models that a program needs; empty if it needs none. The decision whether a name is used is made
/// on tokens, so a model may be added in vain.
pub fn needed(tokens: &[Token], ast: &Ast, symbols: &Symbols) -> String {
    let used: FxHashSet<&str> = tokens
        .iter()
        .filter_map(|token| match token.kind {
            TokenKind::Name(name) => Some(symbols.text(name)),
            _ => None,
        })
        .collect();
    let defined: FxHashSet<&str> = ast
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Function(function) => function.declarator.name.map(|name| symbols.text(name)),
            _ => None,
        })
        .collect();
    let mut text = String::new();
    for (name, model) in MODELS {
        if used.contains(name) && !defined.contains(name) {
            text.push_str(model);
        }
    }
    text
}
