//! Functions of the C library written in C: they are added to programs that use them and do not define them.
//!
//! They are plain readings of the C standard (C11 7.24, 7.4), without tricks, so that loops are easy to verify.

mod complex;
mod families;

use crate::ast::{Ast, Declarator, DeclaratorPart, ExprId, ExprKind, Item, TypeSpecifier};
use crate::symbols::{Symbol, Symbols};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::sync::OnceLock;

/// The name of the file that models seem to come from.
pub const FILE_NAME: &str = "<library>";

macro_rules! models {
    ($($name:literal),+ $(,)?) => {
        const MODELS: &[(&str, &str)] = &[$(($name, include_str!(concat!($name, ".c")))),+];
    };
}

models!(
    "__ctype_b_loc",
    "__errno_location",
    "__unreach_any_text",
    "__unreach_cleanup",
    "__unreach_date",
    "__unreach_decimal",
    "__unreach_digit",
    "__unreach_nonzero",
    "__unreach_order",
    "__unreach_put",
    "__unreach_put_any",
    "__unreach_put_character",
    "__unreach_put_characters",
    "__unreach_put_end",
    "__unreach_put_integer",
    "__unreach_put_new",
    "__unreach_put_new_end",
    "__unreach_put_start",
    "__unreach_put_string",
    "__unreach_put_unknown",
    "__unreach_rounding",
    "__unreach_scan_count",
    "__unreach_scan_text",
    "__unreach_scan_unknown",
    "__unreach_specific",
    "__unreach_time",
    "__unreach_user",
    "__unreach_va_copy",
    "__unreach_va_floating",
    "__unreach_va_integer",
    "__unreach_va_pointer",
    "__unreach_va_start",
    "asctime",
    "asctime_r",
    "atexit",
    "atof",
    "atoi",
    "atol",
    "atoll",
    "bsearch",
    "bzero",
    "cimag",
    "cimagf",
    "cimagl",
    "clock_gettime",
    "conj",
    "conjf",
    "conjl",
    "creal",
    "crealf",
    "creall",
    "creat",
    "ctime",
    "ctime_r",
    "difftime",
    "div",
    "fegetround",
    "fesetround",
    "fgets",
    "fread",
    "getenv",
    "getpwnam",
    "getpwuid",
    "gmtime",
    "gmtime_r",
    "htonl",
    "htons",
    "imaxabs",
    "index",
    "inet_ntoa",
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
    "localtime",
    "localtime_r",
    "memchr",
    "memcmp",
    "mktime",
    "ntohl",
    "ntohs",
    "open",
    "openat",
    "pthread_barrier_destroy",
    "pthread_barrier_init",
    "pthread_barrier_wait",
    "pthread_getspecific",
    "pthread_key_create",
    "pthread_key_delete",
    "pthread_once",
    "pthread_setcancelstate",
    "pthread_setcanceltype",
    "pthread_setspecific",
    "pthread_spin_destroy",
    "pthread_spin_init",
    "pthread_spin_lock",
    "pthread_spin_trylock",
    "pthread_spin_unlock",
    "qsort",
    "read",
    "rindex",
    "sched_yield",
    "sem_destroy",
    "sem_getvalue",
    "sem_init",
    "sem_post",
    "sem_trywait",
    "sem_wait",
    "sleep",
    "stpcpy",
    "strcasecmp",
    "strcat",
    "strchr",
    "strcmp",
    "strcoll",
    "strcpy",
    "strcspn",
    "strdup",
    "strerror",
    "strftime",
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
    "strtod",
    "strtof",
    "strtok",
    "strtok_r",
    "strtol",
    "strtold",
    "strtoll",
    "strtoul",
    "strtoull",
    "time",
    "toascii",
    "tolower",
    "toupper",
    "usleep",
    "wcslen",
);

/// The functions that write texts, or whose result is the length of one.
const FORMATTED: [&str; 7] =
    ["printf", "sprintf", "snprintf", "vsprintf", "vsnprintf", "asprintf", "vasprintf"];

/// Functions that only look at their first argument, which is a text.
const PRINTING: [&str; 10] = [
    "access",
    "fputs",
    "fputs_unlocked",
    "perror",
    "puts",
    "remove",
    "rename",
    "rmdir",
    "truncate",
    "unlink",
];

/// Functions that make files that have no places.
const PIPES: [&str; 5] = ["accept", "pipe", "pipe2", "socket", "socketpair"];

/// What `sprintf` and its relatives are made of.
const FORMATTING: [&str; 10] = [
    "__unreach_put_any",
    "__unreach_put_character",
    "__unreach_put_characters",
    "__unreach_put_end",
    "__unreach_put_integer",
    "__unreach_put_new",
    "__unreach_put_new_end",
    "__unreach_put_start",
    "__unreach_put_string",
    "__unreach_put_unknown",
];

/// What `scanf` and its relatives are made of.
const SCANNING: [&str; 3] = ["__unreach_scan_count", "__unreach_scan_text", "__unreach_scan_unknown"];

/// What calls with a variable number of arguments are made of.
const VARIADIC: [&str; 5] = [
    "__unreach_va_copy",
    "__unreach_va_floating",
    "__unreach_va_integer",
    "__unreach_va_pointer",
    "__unreach_va_start",
];

/// Collects what the files of a program use and define.
#[derive(Default)]
pub struct Needed {
    used: FxHashSet<&'static str>,
    defined: FxHashSet<&'static str>,
    /// Whether there may be complex numbers.
    complex: bool,
    /// Whether anybody looks at `errno`.
    errno: bool,
    /// How many parameters `main` has, if its second is used.
    arguments: Option<usize>,
}

/// The name of the function that calls `main` with arguments.
pub const CALLER: &str = "__unreach_main";

/// A caller of `main` that passes strings of any number and any lengths, and an environment without any variables.
const CALLER_TEXT: &str = "
extern int __nondet_int(void);
extern __SIZE_TYPE__ __nondet_size_t(void);
int main();
int __unreach_main(void)
{
    int count = __nondet_int();
    int index;
    char **arguments;
    ENVIRONMENT
    __builtin_assume(count >= 0);
    arguments = __builtin_alloca((count + (__SIZE_TYPE__)1) * sizeof(char *));
    for (index = 0; index < count; index++) {
        __SIZE_TYPE__ size = __nondet_size_t();
        char *text;
        __builtin_assume(size > 0 && size <= 131072);
        text = __builtin_alloca(size);
        text[size - 1] = 0;
        arguments[index] = text;
    }
    arguments[count] = (char *)0;
    return main(PASSED);
}
";

/// Models of functions that read something from outside of the program. They are plain C besides what they ask.
const READING: [&str; 7] = ["clock_gettime", "creat", "fgets", "fread", "open", "openat", "read"];

/// Those of them that the text of a library has, with their names.
pub fn reading(library: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let reads = |name| READING.contains(&name);
    MODELS.iter().copied().filter(move |&(name, model)| reads(name) && library.contains(model))
}

/// The caller of a `main` with so many parameters.
pub fn caller(parameters: usize) -> String {
    let (environment, passed) = match parameters {
        2 => ("", "count, arguments"),
        _ => ("char *environment[1] = { (char *)0 };", "count, arguments, environment"),
    };
    CALLER_TEXT.replace("ENVIRONMENT", environment).replace("PASSED", passed)
}

impl Needed {
    /// Looks at one file. A name counts as used wherever it stands in an expression, so a model may be added in vain.
    pub fn look_at(&mut self, ast: &Ast, symbols: &Symbols) {
        let known = names();
        // Text in quotes needs no look at whether it ends.
        let quoted = calls_with_texts(ast);
        for (id, expr) in ast.exprs.iter() {
            if let ExprKind::Name(name) = expr.kind {
                let text = symbols.text(name);
                let plain = text.strip_prefix("__builtin_").unwrap_or(text);
                if !(PRINTING.contains(&plain) && quoted.contains(&id)) {
                    self.used.extend(known.get(plain));
                }
                self.errno |= matches!(plain, "errno" | "__errno_location");
                if FORMATTED.contains(&plain) {
                    self.used.extend(FORMATTING);
                }
                if plain == "pthread_cleanup_enter" {
                    self.used.insert("__unreach_cleanup");
                }
                if matches!(plain, "printf" | "fprintf" | "dprintf") {
                    self.used.insert("__unreach_printed_ends");
                }
                if plain.ends_with("scanf") {
                    self.used.extend(SCANNING);
                }
                if plain.contains("va_start") || plain.contains("va_copy") {
                    self.used.extend(VARIADIC);
                }
            }
            if let ExprKind::Number(number) = expr.kind {
                self.complex |= symbols.text(number).contains(['i', 'j', 'I', 'J']);
            }
            if let ExprKind::VaArg(..) = expr.kind {
                self.used.extend(VARIADIC);
            }
        }
        let is_complex = |ty: &TypeSpecifier| matches!(ty, TypeSpecifier::Basic(words) if words.complex);
        self.complex |= ast.specifiers.values().any(|specifiers| is_complex(&specifiers.ty));
        for item in &ast.items {
            if let Item::Function(function) = item
                && let Some(name) = function.declarator.name
            {
                self.defined.extend(known.get(symbols.text(name)));
                if symbols.text(name) == "main" {
                    self.arguments = used_arguments(ast, &function.declarator);
                }
            }
        }
    }

    /// The text of the models that the program needs, with those that they need; empty if it needs none.
    pub fn text(self) -> String {
        let mut wanted: FxHashSet<&'static str> = self.used.difference(&self.defined).copied().collect();
        let mut work: Vec<&'static str> = wanted.iter().copied().collect();
        while let Some(name) = work.pop() {
            let Some(model) = model(name) else { continue };
            for name in mentioned(&model).filter(|name| !self.defined.contains(name)) {
                if wanted.insert(name) {
                    work.push(name);
                }
            }
        }
        let mut text = String::new();
        if self.errno && !wanted.is_empty() {
            text.push_str("#define __UNREACH_ERRNO\n");
        }
        if PIPES.iter().any(|name| wanted.contains(name)) {
            text.push_str("#define __UNREACH_PIPES\n");
        }
        for (name, model) in in_order().filter(|(name, _)| wanted.contains(name)) {
            match model {
                Some(model) => text.push_str(model),
                None => text.push_str(&self::model(name).unwrap_or_default()),
            }
        }
        if self.complex {
            text.push_str(&complex::text());
        }
        if let Some(count) = self.arguments {
            text.push_str(&caller(count));
        }
        text
    }
}

/// The names of all models.
fn names() -> &'static FxHashMap<&'static str, &'static str> {
    static NAMES: OnceLock<FxHashMap<&'static str, &'static str>> = OnceLock::new();
    NAMES.get_or_init(|| in_order().map(|(name, _)| (name, name)).collect())
}

/// All models in the order in which they stand in a program, those first that others call without a declaration; without those
/// that have to be made.
fn in_order() -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    let first = |&(name, _): &(&str, &str)| name.starts_with("__unreach_");
    let own = MODELS.iter().copied().filter(first).chain(families::models().iter().copied());
    let others = MODELS.iter().copied().filter(move |model| !first(model));
    own.chain(others)
        .map(|(name, model)| (name, Some(model)))
        .chain(families::wide().map(|name| (name, None)))
}

/// The models that a model calls, or whose variables it has.
fn mentioned(model: &str) -> impl Iterator<Item = &'static str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rest = model;
    std::iter::from_fn(move || {
        let start = rest.find(is_part)?;
        let word = &rest[start..];
        let (word, behind) = word.split_at(word.find(|c| !is_part(c)).unwrap_or(word.len()));
        rest = behind;
        Some((word, behind.starts_with('(')))
    })
    .filter(|(word, called)| *called || word.starts_with("__"))
    .filter_map(|(word, _)| names().get(word).copied())
}

/// The model of a function.
fn model(name: &str) -> Option<Cow<'static, str>> {
    let written = |name: &str| {
        let mut all = MODELS.iter().chain(families::models());
        all.find(|(other, _)| *other == name).map(|&(_, model)| model)
    };
    match families::narrow(name) {
        Some(pair) => written(pair.1).map(|model| Cow::Owned(families::widened(pair, model))),
        None => written(name).map(Cow::Borrowed),
    }
}

/// The names of the functions that are called with a text in quotes first.
fn calls_with_texts(ast: &Ast) -> FxHashSet<ExprId> {
    let called = |expr: &crate::ast::Expr| match &expr.kind {
        ExprKind::Call(callee, arguments) => {
            let first = arguments.first().map(|&first| &ast.exprs[first].kind);
            matches!(first, Some(ExprKind::Text(_))).then_some(*callee)
        }
        _ => None,
    };
    ast.exprs.values().filter_map(called).collect()
}

/// How many parameters `main` has, if any but the first is mentioned.
fn used_arguments(ast: &Ast, main: &Declarator) -> Option<usize> {
    let Some(DeclaratorPart::Function(part)) = main.parts.first() else { return None };
    let names: FxHashSet<Symbol> =
        part.parameters.iter().skip(1).filter_map(|parameter| parameter.declarator.name).collect();
    let mentioned = |kind: &ExprKind| matches!(kind, ExprKind::Name(name) if names.contains(name));
    let count = part.parameters.len();
    (matches!(count, 2 | 3) && ast.exprs.values().any(|expr| mentioned(&expr.kind))).then_some(count)
}
