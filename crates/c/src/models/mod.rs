//! Functions of the C library written in C: they are added to programs that use them and do not define them.
//!
//! They are plain readings of the C standard (C11 7.24, 7.4), without tricks, so that loops are easy to verify.

use crate::ast::{Ast, ExprKind, Item};
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
    "__unreach_nonzero",
    "__unreach_order",
    "__unreach_digit",
    "__errno_location",
    "atexit",
    "atoi",
    "atol",
    "atoll",
    "bsearch",
    "bzero",
    "div",
    "fgets",
    "htonl",
    "htons",
    "imaxabs",
    "index",
    "isalnum",
    "isalpha",
    "isascii",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "ldiv",
    "lldiv",
    "memchr",
    "memcmp",
    "ntohl",
    "ntohs",
    "pthread_once",
    "pthread_spin_destroy",
    "pthread_spin_init",
    "pthread_spin_lock",
    "pthread_spin_unlock",
    "qsort",
    "rindex",
    "sched_yield",
    "sem_destroy",
    "sem_getvalue",
    "sem_init",
    "sem_post",
    "sem_trywait",
    "sem_wait",
    "stpcpy",
    "strcasecmp",
    "strcat",
    "strchr",
    "strcmp",
    "strcoll",
    "strcpy",
    "strcspn",
    "strdup",
    "strlen",
    "strncasecmp",
    "strncat",
    "strncmp",
    "strncpy",
    "strndup",
    "strnlen",
    "strpbrk",
    "strrchr",
    "strspn",
    "strstr",
    "strtok",
    "strtok_r",
    "strtol",
    "strtoll",
    "strtoul",
    "strtoull",
    "toascii",
    "tolower",
    "toupper",
    "wcslen",
);

/// Collects what the files of a program use and define.
#[derive(Default)]
pub struct Needed {
    used: FxHashSet<&'static str>,
    defined: FxHashSet<&'static str>,
}

impl Needed {
    /// Looks at one file. A name counts as used wherever it stands in an expression, so a model may be added in vain.
    pub fn look_at(&mut self, ast: &Ast, symbols: &Symbols) {
        let known: FxHashMap<&str, &'static str> = MODELS.iter().map(|&(name, _)| (name, name)).collect();
        for expr in ast.exprs.values() {
            if let ExprKind::Name(name) = expr.kind {
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
