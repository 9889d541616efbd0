//! Functions of the C library written in C: they are added to programs that use them and do not define them.
//!
//! They are plain readings of the C standard (C11 7.24, 7.4), without tricks, so that loops are easy to verify.

use crate::ast::{Ast, Item};
use crate::lex::token::{Token, TokenKind};
use crate::symbols::Symbols;
use rustc_hash::{FxHashMap, FxHashSet};

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

/// Collects what the files of a program use and define.
#[derive(Default)]
pub struct Needed {
    used: FxHashSet<&'static str>,
    defined: FxHashSet<&'static str>,
}

impl Needed {
    /// Looks at one file. Whether a name is used is decided on tokens, so a model may be added in vain.
    pub fn look_at(&mut self, tokens: &[Token], ast: &Ast, symbols: &Symbols) {
        let known: FxHashMap<&str, &'static str> = MODELS.iter().map(|&(name, _)| (name, name)).collect();
        for token in tokens {
            if let TokenKind::Name(name) = token.kind {
                let text = symbols.text(name);
                let plain = text.strip_prefix("__builtin_").unwrap_or(text);
                self.used.extend(known.get(plain));
            }
        }
        for item in &ast.items {
            if let Item::Function(function) = item
                && let Some(name) = function.declarator.name
            {
                self.defined.extend(known.get(symbols.text(name)));
            }
        }
    }

    /// The text of the models that the program needs, with those that they need; empty if it needs none.
    pub fn text(self) -> String {
        let mut wanted: FxHashSet<&str> = self.used.difference(&self.defined).copied().collect();
        loop {
            let before = wanted.len();
            for (name, model) in MODELS {
                if wanted.contains(name) {
                    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
                    let words: FxHashSet<&str> = model.split(|c| !is_part(c)).collect();
                    let more = MODELS.iter().filter(|(other, _)| words.contains(other));
                    wanted
                        .extend(more.map(|&(other, _)| other).filter(|other| !self.defined.contains(other)));
                }
            }
            if wanted.len() == before {
                break;
            }
        }
        let chosen = MODELS.iter().filter(|(name, _)| wanted.contains(name));
        chosen.map(|&(_, model)| model).collect()
    }
}
